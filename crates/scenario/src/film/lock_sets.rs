//! The lock sets of amoebots, as outlines of a picture.

use std::collections::BTreeMap;

use acrasin_amoebot::picture::LockSetOutline;
use acrasin_amoebot::{Body, Cell};
use acrasin_report::film::{hull_of_discs, is_inside};

/// The distance, in cells, between the centres of the members and the outline around them.
const REACH: f64 = 0.62;

/// The outlines of lock sets. `held` has a pair for each locked amoebot: its number, and that of the holder.
/// Cost: O(n log n).
pub fn lock_set_outlines(
    bodies: &[Body],
    held: impl IntoIterator<Item = (usize, usize)>,
) -> Vec<LockSetOutline> {
    let mut sets: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (member, holder) in held {
        sets.entry(holder).or_default().push(member);
    }
    if sets.is_empty() {
        return Vec::new();
    }
    let cells =
        bodies.iter().enumerate().flat_map(|(amoebot, body)| body.cells().map(move |cell| (cell, amoebot)));
    let occupied: BTreeMap<Cell, usize> = cells.collect();
    let outline = |(holder, members): (usize, Vec<usize>)| {
        let of_all = members.iter().copied().chain([holder]);
        let discs: Vec<[f64; 2]> = of_all.flat_map(|amoebot| bodies[amoebot].cells().map(place)).collect();
        let hull = hull_of_discs(&discs, REACH);
        let is_stranger = |cell: Cell| {
            let amoebot = occupied.get(&cell);
            amoebot.is_some_and(|amoebot| *amoebot != holder && !members.contains(amoebot))
        };
        let has_stranger = cells_inside(&hull).any(is_stranger);
        let centre = |amoebot: usize| place(bodies[amoebot].head());
        let spokes = members.iter().filter(|&&amoebot| amoebot != holder);
        let spokes = spokes.map(|&amoebot| [centre(holder), centre(amoebot)]).collect();
        LockSetOutline { number: holder, hull, spokes, has_stranger }
    };
    sets.into_iter().map(outline).collect()
}

/// The height of a row, in cells.
fn row_height() -> f64 {
    3.0_f64.sqrt() / 2.0
}

/// The centre of a cell, in cells, y upwards.
fn place(cell: Cell) -> [f64; 2] {
    let (x, y) = (f64::from(cell.x()), f64::from(cell.y()));
    [x + y / 2.0, y * row_height()]
}

/// The cells whose centres are inside the hull. Only cells near the hull are tested, not all amoebots.
fn cells_inside(hull: &[[f64; 2]]) -> impl Iterator<Item = Cell> {
    let ends = |axis: usize| {
        let along = hull.iter().map(move |place| place[axis]);
        along.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), at| (low.min(at), high.max(at)))
    };
    let ((left, right), (bottom, top)) = (ends(0), ends(1));
    let rows = (bottom / row_height()).ceil() as i32..=(top / row_height()).floor() as i32;
    let cells = rows.flat_map(move |y| {
        let slant = f64::from(y) / 2.0;
        ((left - slant).ceil() as i32..=(right - slant).floor() as i32).map(move |x| (x, y))
    });
    cells.filter_map(|(x, y)| Cell::new(x, y).ok()).filter(|&cell| is_inside(hull, place(cell)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bodies(cells: &[(i32, i32)]) -> Vec<Body> {
        cells.iter().map(|&(x, y)| Body::contracted(Cell::new(x, y).unwrap())).collect()
    }

    #[test]
    fn an_outline_has_its_members_and_says_whether_it_has_others() {
        // A holder with a neighbour to the right and one to the left, far from the origin, and one further away.
        let line = bodies(&[(1000, -500), (1001, -500), (999, -500), (1003, -500)]);
        let sets = lock_set_outlines(&line, [(0, 0), (1, 0), (2, 0)]);
        assert_eq!((sets.len(), sets[0].number, sets[0].has_stranger), (1, 0, false));
        assert_eq!(
            sets[0].spokes.iter().map(|spoke| spoke[1]).collect::<Vec<_>>(),
            [place_of(1001), place_of(999)]
        );
        for (cell, is_in) in [(999, true), (1001, true), (1002, false), (998, false)] {
            assert_eq!(is_inside(&sets[0].hull, place_of(cell)), is_in, "{cell}");
        }
        // If the right neighbour is not locked, the outline ends before it; if the middle node is not, the outline
        // contains it.
        assert!(!lock_set_outlines(&line, [(0, 0), (2, 0)])[0].has_stranger);
        assert!(lock_set_outlines(&line, [(1, 1), (2, 1)])[0].has_stranger);
        assert_eq!(lock_set_outlines(&line, [(0, 0), (3, 3)]).len(), 2);
        assert_eq!(lock_set_outlines(&line, []), []);
    }

    fn place_of(x: i32) -> [f64; 2] {
        place(Cell::new(x, -500).unwrap())
    }
}
