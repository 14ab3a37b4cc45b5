//! Objects, starts, and the promises of universal coating, decided from cells only.

use std::collections::BTreeSet;

use acrasin_amoebot::library::universal_coating::{COMPLAINTS_MAX, Memory, State};
use acrasin_amoebot::{Cell, Direction, System, UniversalCoating, start};

pub(crate) fn cell(x: i32, y: i32) -> Cell {
    Cell::new(x, y).expect("near the origin")
}

pub(crate) fn line(first: Cell, direction: Direction, cells: usize) -> Vec<Cell> {
    start::line(first, direction, cells).expect("a short line")
}

/// The cells at each distance from the object, for this many layers.
pub(crate) fn rings(object: &[Cell], layers: usize) -> Vec<BTreeSet<Cell>> {
    let mut known: BTreeSet<Cell> = object.iter().copied().collect();
    let mut rings: Vec<BTreeSet<Cell>> = Vec::new();
    for _ in 0..layers {
        let inside = rings.last().unwrap_or(&known).clone();
        let ring: BTreeSet<Cell> =
            inside.iter().flat_map(|cell| cell.neighbours()).filter(|cell| !known.contains(cell)).collect();
        known.extend(&ring);
        rings.push(ring);
    }
    rings
}

/// Whether all amoebots are contracted, and fill the layers from the inside.
pub(crate) fn is_coated(system: &System<Memory>) -> bool {
    let mut left = system.len();
    for ring in rings(system.object(), system.len()) {
        let here = ring.iter().filter(|cell| system.occupant(**cell).is_some()).count();
        if here != left.min(ring.len()) {
            return false;
        }
        left -= here;
        if left == 0 {
            break;
        }
    }
    left == 0 && system.ids().all(|id| system.body(id).is_contracted())
}

/// The fault of a final system, if any, by its cells and by the memories of its amoebots.
pub(crate) fn fault_at_the_end(system: &System<Memory>) -> Option<&'static str> {
    let rings = rings(system.object(), system.len().max(1));
    let is_first_full = system.len() >= rings[0].len();
    let layer = |cell: Cell| rings.iter().position(|ring| ring.contains(&cell)).map(|i| (i + 1) as u8 % 4);
    let knows_its_layer = |id| match system.memory(id).state {
        State::Retired(place, _) => is_first_full && Some(place.layer) == layer(system.body(id).head()),
        State::Root => !is_first_full,
        _ => false,
    };
    if !is_coated(system) {
        Some("not coated")
    } else if !system.ids().all(knows_its_layer) {
        Some("an amoebot does not know its layer, or rests without cause")
    } else if UniversalCoating::leaders(system).len() != usize::from(is_first_full) {
        Some("not the right number of leaders")
    } else if !UniversalCoating::is_finished(system) {
        Some("not finished")
    } else {
        None
    }
}

/// The fault of a system at any moment, if any.
pub(crate) fn fault(system: &System<Memory>) -> Option<&'static str> {
    let at_rest = |cell: &Cell| {
        system.occupant(*cell).is_some_and(|id| {
            let is_in_layer = matches!(system.memory(id).state, State::Root | State::Retired(..));
            is_in_layer && system.body(id).is_contracted()
        })
    };
    let leaders = UniversalCoating::leaders(system).len();
    if !is_connected_with_object(system) {
        Some("an amoebot is cut off from the object")
    } else if system.ids().any(|id| system.memory(id).complaints > COMPLAINTS_MAX) {
        Some("too many complaints")
    } else if leaders > 1 {
        Some("two leaders")
    } else if leaders == 1 && !rings(system.object(), 1)[0].iter().all(at_rest) {
        Some("a leader before the first layer is full")
    } else {
        None
    }
}

/// Whether every amoebot is connected with the object, which is itself connected.
pub(crate) fn is_connected_with_object(system: &System<Memory>) -> bool {
    let touches = |cell: &Cell| cell.neighbours().any(|next| system.is_object(next));
    let mut open: BTreeSet<Cell> = system.cells().into_iter().collect();
    let mut border: Vec<Cell> = open.iter().copied().filter(touches).collect();
    open.retain(|cell| !touches(cell));
    while let Some(cell) = border.pop() {
        border.extend(cell.neighbours().filter(|next| open.remove(next)));
    }
    open.is_empty()
}

/// All starts of these cells, translated to every position next to the object.
pub(crate) fn placed(cells: &[Cell], object: &[Cell]) -> Vec<System<Memory>> {
    let mut starts = Vec::new();
    for (dx, dy) in (-12..=12).flat_map(|dx| (-12..=12).map(move |dy| (dx, dy))) {
        let cells: Vec<Cell> = cells.iter().map(|cell| cell.translated(dx, dy).expect("not far")).collect();
        let near = |cell: &Cell| cell.neighbours().any(|next| object.contains(&next));
        if cells.iter().any(near) && !cells.iter().any(|cell| object.contains(cell)) {
            starts.push(UniversalCoating::start(&cells, object, &[]).expect("a good start"));
        }
    }
    starts
}

/// Objects of several forms.
pub(crate) fn objects() -> Vec<(&'static str, Vec<Cell>)> {
    let arms = |arms: [(Direction, usize); 2]| {
        arms.map(|(direction, cells)| line(Cell::ORIGIN, direction, cells)).concat()
    };
    let row = |y, first, cells| line(cell(first, y), Direction::East, cells);
    vec![
        ("one cell", vec![Cell::ORIGIN]),
        ("line", line(Cell::ORIGIN, Direction::East, 5)),
        ("hexagon", start::hexagon(Cell::ORIGIN, 3).expect("a small hexagon")),
        ("triangle", (0..5).flat_map(|y| row(y, 0, 5 - y as usize)).collect()),
        ("L", arms([(Direction::East, 7), (Direction::NorthWest, 7)])),
        ("C", c_shape()),
    ]
}

/// A bar of ten cells with an arm of four at each end. They enclose a pocket at least as wide as the bar.
pub(crate) fn c_shape() -> Vec<Cell> {
    let bar = line(Cell::ORIGIN, Direction::East, 10);
    let arms = [line(cell(-1, 1), Direction::NorthWest, 4), line(cell(9, 1), Direction::NorthEast, 4)];
    [bar, arms.concat()].concat()
}
