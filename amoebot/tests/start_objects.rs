//! Objects of simple forms and amoebots next to them, compared with closed formulas and with coating.

use std::collections::BTreeSet;
use std::num::NonZeroU32;

use acrasin_amoebot::library::coating::CoatingError;
use acrasin_amoebot::run::execution::{SequentialExecution, UniformEnabled};
use acrasin_amoebot::start::{CELLS_MAX, ObjectForm, Stand, StartError, beside, object};
use acrasin_amoebot::{Cell, Coating, Direction, Shape, UniversalCoating};
use acrasin_runtime::choice::{Choices, Decision};
use acrasin_runtime::{Digest, FixedProbability, Seeded};

fn cells(form: ObjectForm) -> Vec<Cell> {
    object(form, &mut Seeded::new(1)).expect("a form")
}

fn set(cells: &[Cell]) -> BTreeSet<Cell> {
    cells.iter().copied().collect()
}

/// The cells next to an object without holes.
fn surface(object: &[Cell]) -> BTreeSet<Cell> {
    let inside = set(object);
    object.iter().flat_map(|cell| cell.neighbours()).filter(|cell| !inside.contains(cell)).collect()
}

/// Every form in some sizes, with the number of cells next to it.
fn forms() -> Vec<(ObjectForm, u32)> {
    let mut forms = Vec::new();
    for a in 1..=6 {
        forms.push((ObjectForm::Wall { length: a }, 2 * a + 4));
        forms.push((ObjectForm::Hexagon { side: a }, 6 * a));
        forms.push((ObjectForm::Triangle { side: a }, 3 * a + 3));
        for b in 1..=4 {
            forms.push((ObjectForm::Parallelogram { width: a, height: b }, 2 * (a + b) + 2));
            // Walls: two cells for each, and two at each end, whatever the bends.
            forms.push((ObjectForm::Corner { width: a, height: b }, 2 * (a + b) + 4));
            for c in 1..=3 {
                let form = ObjectForm::Staircase { steps: a, tread: b, rise: c };
                forms.push((form, 2 * (a * (b + c) + 1) + 4));
            }
            forms.push((ObjectForm::Bay { side: a + 3, sides: b }, 2 * ((a + 3) * b + 1) + 4));
        }
        forms.push((ObjectForm::Bay { side: a + 3, sides: 5 }, 2 * ((a + 3) * 5 + 1) + 4));
    }
    forms
}

/// Whether the cells of a form are as promised: the number of distinct cells, the number of cells next to them, and one
/// piece without holes.
fn is_as_promised(cells: &[Cell], form: ObjectForm, beside: u32) -> bool {
    let shape = Shape::from_cells(cells.iter().copied()).expect("near the origin");
    cells.len() as u128 == form.count()
        && set(cells).len() == cells.len()
        && surface(cells).len() == beside as usize
        && (shape.components(), shape.holes()) == (1, 0)
}

#[test]
fn forms_have_as_many_cells_inside_and_beside_as_they_should() {
    let forms = forms();
    assert!(forms.len() > 150);
    for (form, beside) in forms {
        let cells = cells(form);
        assert!(is_as_promised(&cells, form, beside), "{form:?}: {} beside", surface(&cells).len());
        assert_eq!(cells[0], Cell::ORIGIN);
        // Without its last cell, or with that elsewhere, it is not.
        let shorter = &cells[..cells.len() - 1];
        assert!(shorter.is_empty() || !is_as_promised(shorter, form, beside), "{form:?}");
        let mut torn = cells.clone();
        torn.pop();
        torn.push(Cell::new(100, 100).expect("near"));
        assert!(!is_as_promised(&torn, form, beside) || cells.len() == 1, "{form:?}");
    }
}

/// The convex forms are defined by inequalities.
#[test]
fn forms_are_where_they_should_be() {
    let all = || (-12..=12).flat_map(|x| (-12..=12).map(move |y| (x, y)));
    let of = |inside: &dyn Fn(i32, i32) -> bool| -> BTreeSet<Cell> {
        all().filter(|&(x, y)| inside(x, y)).map(|(x, y)| Cell::new(x, y).expect("near")).collect()
    };
    let is = |form, inside: &dyn Fn(i32, i32) -> bool| set(&cells(form)) == of(inside);
    assert!(is(ObjectForm::Wall { length: 7 }, &|x, y| y == 0 && (0..7).contains(&x)));
    assert!(is(ObjectForm::Hexagon { side: 5 }, &|x, y| x.abs() < 5 && y.abs() < 5 && (x + y).abs() < 5));
    assert!(is(ObjectForm::Triangle { side: 6 }, &|x, y| x >= 0 && y >= 0 && x + y < 6));
    assert!(!is(ObjectForm::Triangle { side: 6 }, &|x, y| x >= 0 && y >= 0 && x + y <= 6));
    let parallelogram = ObjectForm::Parallelogram { width: 6, height: 3 };
    assert!(is(parallelogram, &|x, y| (0..6).contains(&x) && (0..3).contains(&y)));
    let corner = ObjectForm::Corner { width: 4, height: 3 };
    assert!(is(corner, &|x, y| (y == 0 && (0..4).contains(&x)) || (x == -y && (1..=3).contains(&y))));
    // A bay of five sides and the sixth form a ring.
    let bay = ObjectForm::Bay { side: 4, sides: 5 };
    let mut ring = set(&cells(bay));
    ring.extend((1..4).map(|i| Cell::new(-i, 0).expect("near")));
    assert_eq!((ring.len(), Shape::from_cells(ring.iter().copied()).expect("near").holes()), (24, 1));
}

#[test]
fn boulders_have_no_holes_and_no_passages() {
    for (seed, count) in [(1, 1), (2, 2), (3, 10), (4, 100), (5, 1000), (6, 1000)] {
        let form = ObjectForm::Boulder { cells: count };
        let boulder = object(form, &mut Seeded::new(seed)).expect("a boulder");
        assert_eq!((boulder.len(), set(&boulder).len()), (count as usize, count as usize));
        assert_eq!(Shape::from_cells(boulder.iter().copied()).expect("near").holes(), 0);
        // Coating refuses passages.
        let column = beside(&boulder, Stand::Column, 5, &mut Seeded::new(0)).expect("a column");
        assert!(Coating::start(&column, &boulder, &[]).is_ok() || count == 1, "{count} cells");
    }
    let golden = object(ObjectForm::Boulder { cells: 200 }, &mut Seeded::new(7)).expect("a boulder");
    assert_eq!(Digest::of(&golden).to_string(), "39564e0d5e1e844a93ac6aafe6512e3d");
}

/// A biased generator, which returns the lower of two draws.
struct Low(Seeded);

impl Choices for Low {
    fn pick(&mut self, bound: NonZeroU32, why: Decision) -> u32 {
        self.0.pick(bound, why).min(self.0.pick(bound, why))
    }
}

/// Boulders of three cells: straight, bent, a triangle. The third cell is uniform among the eight cells around two: two
/// give a straight form, four a bent one, two a triangle.
#[test]
fn boulders_of_three_have_their_law() {
    const RUNS: usize = 4000;
    let law = |choices: &mut dyn FnMut() -> Vec<Cell>| {
        let mut counts = [0_usize; 3];
        for _ in 0..RUNS {
            let cells = choices();
            let edges = Shape::from_cells(cells.iter().copied()).expect("near").edges();
            let is_straight = cells.iter().any(|middle| {
                let there = |way: Direction| middle.neighbour(way).is_some_and(|cell| cells.contains(&cell));
                Direction::ALL[..3].iter().any(|way| there(*way) && there(way.opposite()))
            });
            counts[if edges == 3 { 2 } else { usize::from(!is_straight) }] += 1;
        }
        let expected = [0.25, 0.5, 0.25].map(|share| share * RUNS as f64);
        let square = |(count, expected): (&usize, &f64)| (*count as f64 - expected).powi(2) / expected;
        counts.iter().zip(&expected).map(square).sum::<f64>()
    };
    let form = ObjectForm::Boulder { cells: 3 };
    let (mut fair, mut low) = (Seeded::new(3), Low(Seeded::new(3)));
    // Chi squared with two degrees of freedom is above 18.4 once in ten thousand.
    assert!(law(&mut || object(form, &mut fair).expect("three")) < 18.4);
    assert!(law(&mut || object(form, &mut low).expect("three")) > 18.4, "a biased sampler is noticed");
}

fn heap() -> Stand {
    Stand::Heap { acceptance: FixedProbability::new(0.8).expect("a probability") }
}

#[test]
fn a_layer_is_the_surface_in_order() {
    for (form, beside_it) in forms() {
        let object = cells(form);
        let full = beside(&object, Stand::Layer, beside_it as usize, &mut Seeded::new(0)).expect("room");
        assert_eq!(set(&full), surface(&object), "{form:?}");
        assert!(full.windows(2).all(|pair| pair[0].direction_to(pair[1]).is_some()), "{form:?}");
        assert!(full[0].direction_to(full[full.len() - 1]).is_some(), "{form:?}: it closes");
        let more = beside(&object, Stand::Layer, full.len() + 1, &mut Seeded::new(0));
        assert_eq!(more, Err(StartError::NoRoom { cells: full.len() + 1, room: full.len() }), "{form:?}");
        let part = beside(&object, Stand::Layer, full.len() / 2, &mut Seeded::new(0)).expect("room");
        assert_eq!(part, full[..full.len() / 2]);
        // To the east first: clockwise above the object.
        assert!(full[1].y() <= full[0].y());
    }
}

#[test]
fn columns_and_heaps_stand_beside_the_object() {
    for (form, _) in forms() {
        let object = cells(form);
        let (inside, around) = (set(&object), surface(&object));
        for stand in [Stand::Column, heap()] {
            let amoebots = beside(&object, stand, 12, &mut Seeded::new(2)).expect("a stand");
            assert_eq!((set(&amoebots).len(), set(&amoebots).intersection(&inside).count()), (12, 0));
            assert!(around.contains(&amoebots[0]), "{form:?}");
            assert!(Shape::from_cells(amoebots.iter().copied()).expect("near").is_connected());
        }
        let column = beside(&object, Stand::Column, 12, &mut Seeded::new(2)).expect("a column");
        assert!(column.windows(2).all(|pair| pair[0].direction_to(pair[1]) == Some(Direction::NorthEast)));
        assert_eq!(column.iter().filter(|cell| around.contains(cell)).count(), 1, "{form:?}");
    }
    let boulder = cells(ObjectForm::Boulder { cells: 60 });
    let heaps = [1, 2].map(|seed| beside(&boulder, heap(), 40, &mut Seeded::new(seed)).expect("a heap"));
    assert!(heaps[0] != heaps[1], "heaps are drawn");
}

/// Every form with every arrangement is a start of both coatings, and the first coating is run to its end.
#[test]
fn all_of_them_are_coated() {
    let mut choices = Seeded::new(9);
    let forms = [
        ObjectForm::Wall { length: 30 },
        ObjectForm::Hexagon { side: 5 },
        ObjectForm::Triangle { side: 9 },
        ObjectForm::Parallelogram { width: 9, height: 4 },
        ObjectForm::Corner { width: 12, height: 12 },
        ObjectForm::Staircase { steps: 4, tread: 3, rise: 3 },
        ObjectForm::Bay { side: 8, sides: 4 },
        ObjectForm::Boulder { cells: 90 },
    ];
    for form in forms {
        let object = object(form, &mut choices).expect("a form");
        for stand in [Stand::Column, heap(), Stand::Layer] {
            let amoebots = beside(&object, stand, 12, &mut choices).expect("a stand");
            // Further out the layers of a bay, or of a boulder, may meet.
            let is_near = stand == Stand::Layer || !matches!(form, ObjectForm::Bay { .. });
            let is_near = is_near && !form.is_random();
            assert!(!is_near || UniversalCoating::start(&amoebots, &object, &[]).is_ok(), "{form:?}");
            let start = Coating::start(&amoebots, &object, &[]).expect("a start");
            let mut execution = SequentialExecution::new(&Coating, start);
            assert!(execution.run(1_000_000, &mut UniformEnabled, &mut choices), "{form:?}");
            assert!(Coating::is_finished(execution.system()));
            let around = surface(&object);
            assert!(execution.system().cells().iter().all(|cell| around.contains(cell)), "{form:?}");
        }
    }
}

/// Traps are generated like any other form, and refused by the coatings.
#[test]
fn bays_with_a_narrow_mouth_trap() {
    let tunnel = |side| {
        let bay = cells(ObjectForm::Bay { side, sides: 5 });
        let column = beside(&bay, Stand::Column, 3, &mut Seeded::new(0)).expect("a column");
        Coating::start(&column, &bay, &[]).err()
    };
    let Some(CoatingError::Tunnel { cells }) = tunnel(2) else { panic!("the mouth is one cell wide") };
    assert!(cells.contains(&Cell::new(-1, 0).expect("the mouth")));
    assert_eq!(tunnel(3), None);
    // Two layers do not fit through two cells.
    let bay = self::cells(ObjectForm::Bay { side: 3, sides: 5 });
    let column = beside(&bay, Stand::Column, 60, &mut Seeded::new(0)).expect("a column");
    assert!(UniversalCoating::start(&column, &bay, &[]).is_err());
}

#[test]
fn sizes_are_checked() {
    let refused = |form| object(form, &mut Seeded::new(0)).expect_err("no form").to_string();
    for form in [
        ObjectForm::Wall { length: 0 },
        ObjectForm::Hexagon { side: 0 },
        ObjectForm::Triangle { side: 0 },
        ObjectForm::Parallelogram { width: 3, height: 0 },
        ObjectForm::Parallelogram { width: 0, height: 3 },
        ObjectForm::Corner { width: 0, height: 3 },
        ObjectForm::Corner { width: 3, height: 0 },
        ObjectForm::Staircase { steps: 0, tread: 1, rise: 1 },
        ObjectForm::Staircase { steps: 1, tread: 0, rise: 1 },
        ObjectForm::Staircase { steps: 1, tread: 1, rise: 0 },
        ObjectForm::Boulder { cells: 0 },
    ] {
        let message = refused(form);
        assert!(message.contains("accepted: 1 or more") && message.contains("0"), "{message}");
    }
    for (side, sides) in [(0, 3), (3, 0), (3, 6)] {
        let message = refused(ObjectForm::Bay { side, sides });
        assert_eq!(
            message,
            format!("a bay of {sides} sides, each of {side} cells (accepted: 1 to 5 sides, of 1 or more)")
        );
    }
    // At the limit, and one past it.
    assert_eq!(cells(ObjectForm::Wall { length: CELLS_MAX as u32 }).len(), CELLS_MAX);
    assert_eq!(
        refused(ObjectForm::Wall { length: CELLS_MAX as u32 + 1 }),
        "a shape of 16777217 cells (accepted: 1 to 16777216)"
    );
    let most = u32::MAX;
    for form in [
        ObjectForm::Hexagon { side: most },
        ObjectForm::Triangle { side: most },
        ObjectForm::Parallelogram { width: most, height: most },
        ObjectForm::Corner { width: most, height: most },
        ObjectForm::Staircase { steps: most, tread: most, rise: most },
        ObjectForm::Bay { side: most, sides: 5 },
        ObjectForm::Boulder { cells: most },
    ] {
        assert!(refused(form).contains("accepted: 1 to 16777216"), "{form:?}");
    }
    let wall = cells(ObjectForm::Wall { length: 3 });
    for count in [0, CELLS_MAX + 1] {
        let wrong = Err(StartError::WrongCount { cells: count });
        assert_eq!(beside(&wall, Stand::Column, count, &mut Seeded::new(0)), wrong);
    }
    let nothing = beside(&[], Stand::Column, 3, &mut Seeded::new(0));
    assert_eq!(nothing, Err(StartError::WrongCount { cells: 0 }));
    let never = Stand::Heap { acceptance: FixedProbability::ZERO };
    let died = beside(&wall, never, 3, &mut Seeded::new(0));
    assert_eq!(died, Err(StartError::DiedOut { cells: 3, reached: 1 }));
    let room = StartError::NoRoom { cells: 11, room: 10 };
    assert_eq!(
        room.to_string(),
        "a layer of 11 amoebots next to an object with room for 10 (accepted: 1 to 10)"
    );
}
