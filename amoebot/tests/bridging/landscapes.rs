//! Tests of the landscapes: the row is on land, along the gap and from anchor to anchor, and the gap is in the right
//! place.

use acrasin_amoebot::chain::bridging::landscape::Landscape;
use acrasin_amoebot::chain::bridging::landscape::{self, LandscapeError, SIDE_MAX, Slope};
use acrasin_amoebot::{Cell, Shape};

use super::cell;

/// Checks that the whole row is on land, and that each cell is next to the previous one.
fn check_row(shape: &Landscape) {
    let [first, last] = shape.objects() else { panic!("two anchors") };
    let row: Vec<Cell> = [*first].into_iter().chain(shape.cells().iter().copied()).chain([*last]).collect();
    assert!(row.windows(2).all(|pair| pair[0].direction_to(pair[1]).is_some()), "{row:?}");
    assert!(row.iter().all(|cell| shape.is_land(*cell)), "{row:?}");
    assert!(row.iter().all(|cell| cell.neighbours().any(|next| !shape.is_land(next)) || cell.y() <= 1));
    let chain = shape.chain(4.0, 2.0).expect("a start");
    assert_eq!((chain.gap_perimeter(), chain.cells().len()), (0, row.len() - 2));
}

#[test]
fn a_v_opens_by_its_angle() {
    let angles = [
        (Slope::THIRTY_DEGREES, 30.0, 0.02),
        (Slope::SIXTY_DEGREES, 60.0, 1e-9),
        (Slope::NINETY_DEGREES, 90.0, 0.05),
        (Slope::HUNDRED_TWENTY_DEGREES, 120.0, 1e-9),
    ];
    for (slope, degrees, off) in angles {
        let angle = 2.0 * (f64::from(slope.across) / f64::from(slope.up) / 3_f64.sqrt()).atan();
        assert!((angle.to_degrees() - degrees).abs() < off, "{slope:?}: {}", angle.to_degrees());
        for rows in [2, 3, 4, 5, 11, 30] {
            let shape = landscape::v_shape(rows, slope).expect("a V");
            check_row(&shape);
            let [left, right] = shape.objects() else { panic!("two anchors") };
            assert_eq!((left.y(), right.y()), (rows as i32, rows as i32));
            // All cells between the anchors are gap, and the mouth is as wide as the angle requires, up to the
            // cells at its ends.
            assert!((left.x() + 1..right.x()).all(|x| !shape.is_land(cell(x, left.y()))));
            let width = f64::from(right.x() - left.x());
            let expected = f64::from(rows) * f64::from(slope.across) / f64::from(slope.up);
            assert!((expected..expected + 2.0).contains(&width), "{slope:?} {rows}: {width} for {expected}");
            // Symmetric about the middle.
            let mirrored = |at: &Cell| cell(-at.x() - at.y(), at.y());
            assert_eq!(mirrored(left), *right);
            assert!(shape.cells().iter().rev().map(mirrored).eq(shape.cells().iter().copied()));
        }
    }
}

/// For all slopes of small numbers, either the gap is connected, so that there is no hole, or the slope is refused.
#[test]
fn every_slope_is_open_or_refused() {
    let mut accepted = 0;
    for across in 0..=20 {
        for up in 0..=20 {
            let slope = Slope { across, up };
            match landscape::v_shape(14, slope) {
                Ok(shape) => {
                    check_row(&shape);
                    accepted += 1;
                }
                Err(error) => {
                    assert_eq!(error, LandscapeError::Slope { slope });
                    assert!(across == 0 || up == 0 || 3 * across <= up || across > 3 * up);
                }
            }
        }
    }
    assert!(accepted > 200, "{accepted}");
}

#[test]
fn a_v_of_sixty_degrees_is_a_triangle() {
    let shape = landscape::v_shape(4, Slope::SIXTY_DEGREES).expect("a V");
    assert_eq!(shape.objects(), [cell(-4, 4), cell(0, 4)]);
    let sides = [(-3, 3), (-2, 2), (-1, 1), (0, 0), (0, 1), (0, 2), (0, 3)];
    assert_eq!(shape.cells(), sides.map(|(x, y)| cell(x, y)));
    let gap = (0..=4).flat_map(|y| (-9..9).map(move |x| cell(x, y))).filter(|cell| !shape.is_land(*cell));
    assert_eq!(
        gap.collect::<Vec<_>>(),
        [(-1, 2), (-2, 3), (-1, 3), (-3, 4), (-2, 4), (-1, 4)].map(|(x, y)| cell(x, y))
    );
    assert!((-9..9).all(|x| (-9..0).all(|y| shape.is_land(cell(x, y)))));
}

#[test]
fn an_n_has_a_wedge_on_each_side_of_its_diagonal() {
    for side in [2, 3, 7] {
        let shape = landscape::n_shape(side).expect("an N");
        check_row(&shape);
        let side = side as i32;
        assert_eq!(shape.cells().len() as i32, 3 * side - 1);
        assert_eq!(shape.objects(), [cell(0, -side), cell(side, 0)]);
        let near = || (-9..20).flat_map(|x| (-20..9).map(move |y| cell(x, y)));
        // It looks the same from the other end.
        assert!(near().all(|at| shape.is_land(at) == shape.is_land(cell(side - at.x(), -side - at.y()))));
        let wedges: Vec<Cell> = near().filter(|cell| !shape.is_land(*cell)).collect();
        assert_eq!(Shape::from_cells(wedges).expect("some gap").components(), 2);
    }
}

#[test]
fn the_largest_have_a_chain() {
    let v = landscape::v_shape(SIDE_MAX, Slope::HUNDRED_TWENTY_DEGREES).expect("a V");
    assert_eq!(v.chain(4.0, 2.0).expect("a start").cells().len(), 3_999);
    let n = landscape::n_shape(SIDE_MAX).expect("an N");
    assert_eq!(n.chain(4.0, 2.0).expect("a start").cells().len(), 2_999);
}

#[test]
fn what_cannot_be_is_refused() {
    for side in [0, 1, SIDE_MAX + 1, u32::MAX] {
        assert_eq!(landscape::n_shape(side), Err(LandscapeError::Side { side }));
        assert_eq!(landscape::v_shape(side, Slope::SIXTY_DEGREES), Err(LandscapeError::Side { side }));
    }
    assert_eq!(
        LandscapeError::Side { side: 1 }.to_string(),
        "a side of 1 rows or steps (accepted: 2 to 1000)"
    );
    assert!(landscape::n_shape(SIDE_MAX).is_ok());
    assert!(landscape::v_shape(SIDE_MAX, Slope { across: 1000, up: 999 }).is_ok());
    for (across, up) in [(1, 3), (0, 1), (1, 0), (4, 1), (1001, 1001)] {
        let slope = Slope { across, up };
        let error = landscape::v_shape(9, slope).expect_err("no such slope");
        assert_eq!(
            error.to_string(),
            format!("a slope of {across} / {up} (accepted: above 1/3 and at most 3, numbers from 1 to 1000)")
        );
    }
}
