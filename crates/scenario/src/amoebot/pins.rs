//! Pins, circuits, beeps and bonds in films and pictures.

use std::collections::{BTreeMap, BTreeSet};

use acrasin_amoebot::algorithm::synchronous::{PinState, SynchronousRun};
use acrasin_amoebot::picture::{LineLook, PictureLine, circuit_colour};
use acrasin_amoebot::{Body, Cell, Direction};
use acrasin_report::film::{ColumnKind, NodeColumn};

/// The columns of pins; runs without pins do not have them.
pub(super) fn pin_columns() -> [NodeColumn; 3] {
    let column = |key, name| NodeColumn::new(key, name, ColumnKind::Word).of_memory();
    [column("pins", "pins"), column("circuits", "circuits"), column("beeps", "beeping pins")]
}

/// The columns of movements.
pub(super) fn movement_columns() -> [NodeColumn; 2] {
    let values = ["no", "offender"].map(str::to_owned);
    [
        NodeColumn::new("bonds", "bonds of the movement", ColumnKind::Number),
        NodeColumn::class("conflict", "conflict", values),
    ]
}

/// For each amoebot its words in the columns of pins. `crates/view/FILM.md` defines them.
pub(super) fn words(run: &dyn SynchronousRun) -> Vec<[String; 3]> {
    let bodies = run.bodies();
    let (occupied, all) = (occupied(bodies), all_pins(run));
    let numbers = circuit_numbers(&all);
    let words = bodies.iter().zip(&all).map(|(body, pins)| {
        let edges: Vec<Option<BodyEdge>> =
            (0..pins.len()).map(|slot| BodyEdge::of(*body, pins.len(), slot)).collect();
        [sets(pins, &edges), circuits(pins, &edges, &numbers, &occupied), beeps(pins)]
    });
    words.collect()
}

/// One character for each pin: a dot for a single pin, otherwise the character of its set. Sets are numbered by their
/// first pin.
fn sets(pins: &[PinState], edges: &[Option<BodyEdge>]) -> String {
    let mut sizes: BTreeMap<u8, usize> = BTreeMap::new();
    for pin in pins {
        *sizes.entry(pin.set).or_default() += 1;
    }
    sizes.retain(|_, size| *size > 1);
    let sets: Vec<u8> = sizes.into_keys().collect();
    let letter = |(pin, edge): (&PinState, &Option<BodyEdge>)| match sets.binary_search(&pin.set) {
        _ if edge.is_none() => ' ',
        // Printable characters only: from the digit 0 to the tilde, then from the inverted exclamation mark on.
        Ok(set) if set < 79 => char::from(b'0' + set as u8),
        Ok(set) => char::from_u32(0xa1 + set as u32 - 79).expect("a letter"),
        Err(_) => '.',
    };
    pins.iter().zip(edges).map(letter).collect()
}

/// One character for each pin: a dash if its circuit is not drawn, otherwise a letter. Letters count from `a`: the
/// colour of the circuit, plus 6 if the circuit has a beep, plus 12 if the pin is linked.
fn circuits(
    pins: &[PinState],
    edges: &[Option<BodyEdge>],
    numbers: &BTreeMap<u32, usize>,
    occupied: &BTreeSet<Cell>,
) -> String {
    let letter = |(pin, edge): (&PinState, &Option<BodyEdge>)| {
        let Some(edge) = edge else { return ' ' };
        let Some(number) = numbers.get(&pin.circuit) else { return '-' };
        let colour = circuit_colour(*number) as u8;
        let is_linked = edge.neighbour().is_some_and(|cell| occupied.contains(&cell));
        char::from(b'a' + colour + 6 * u8::from(pin.is_loud) + 12 * u8::from(is_linked))
    };
    pins.iter().zip(edges).map(letter).collect()
}

/// The first pins of all sets that beep, by number, separated by commas.
fn beeps(pins: &[PinState]) -> String {
    let first = |(slot, pin): &(usize, &PinState)| pin.beeps && usize::from(pin.set) == *slot;
    let beeping: Vec<String> =
        pins.iter().enumerate().filter(first).map(|(slot, _)| slot.to_string()).collect();
    beeping.join(",")
}

fn occupied(bodies: &[Body]) -> BTreeSet<Cell> {
    bodies.iter().flat_map(|body| body.cells()).collect()
}

fn all_pins(run: &dyn SynchronousRun) -> Vec<Vec<PinState>> {
    let pins_of = |amoebot| {
        let mut pins = Vec::new();
        run.pins(amoebot, &mut pins);
        pins
    };
    (0..run.bodies().len()).map(pins_of).collect()
}

/// The distance of pins from the centre of their node, in cells.
const PIN_DISTANCE: f64 = 0.4;
/// The maximum distance between two pins of an edge, in cells. Many pins are closer, because all pins of an edge
/// together take at most `EDGE_WIDTH`.
const PIN_SPACING: f64 = 0.13;
const EDGE_WIDTH: f64 = 0.4;
/// The distance of a pin set from the middle of its body, in cells. Half of the distance of the mean of its pins is
/// added.
const SET_DISTANCE: f64 = 0.12;

type PlanePoint = [f64; 2];

/// The lines of a picture: bonds, circuits that contain more than single pins or have a beep, and marks of beeps and of
/// offenders.
pub(super) fn lines(run: &dyn SynchronousRun) -> Vec<PictureLine> {
    let bodies = run.bodies();
    let mut lines = Vec::new();
    let mut line = |ends, look| lines.push(PictureLine { ends, look });
    for (body, bonds) in bodies.iter().zip(run.bonds()) {
        for side in (0..12).filter(|side| bonds >> side & 1 == 1) {
            let from = centre(if side < 6 { body.head() } else { body.tail() });
            line([from, moved(from, step(side % 6), 1.0)], LineLook::Bond);
        }
    }
    let (occupied, all) = (occupied(bodies), all_pins(run));
    let numbers = circuit_numbers(&all);
    for (body, pins) in bodies.iter().zip(&all) {
        let places = set_places(*body, pins);
        for (slot, pin) in pins.iter().enumerate() {
            let Some(&number) = numbers.get(&pin.circuit) else { continue };
            let Some(edge) = BodyEdge::of(*body, pins.len(), slot) else { continue };
            let at = edge.pin();
            let look = LineLook::Circuit { number, is_loud: pin.is_loud };
            if let Some(&set) = places.get(&pin.set) {
                line([set, at], look);
            }
            if edge.neighbour().is_some_and(|cell| occupied.contains(&cell)) {
                line([at, moved(at, step(edge.direction), 0.5 - PIN_DISTANCE)], look);
            }
            if pin.beeps && usize::from(pin.set) == slot {
                let mark = places.get(&pin.set).copied().unwrap_or(at);
                line([mark, mark], LineLook::Beep { number });
            }
        }
    }
    for offender in run.offenders() {
        let body = bodies[offender as usize];
        line([centre(body.tail()), centre(body.head())], LineLook::Offender);
    }
    lines
}

/// The numbers of circuits that are drawn, in the order of their first pins that have a beep or follow another pin of
/// their set.
fn circuit_numbers(all: &[Vec<PinState>]) -> BTreeMap<u32, usize> {
    let mut numbers = BTreeMap::new();
    for pins in all {
        for (slot, pin) in pins.iter().enumerate() {
            let is_joined = usize::from(pin.set) != slot;
            if is_joined || pin.is_loud {
                let next = numbers.len();
                numbers.entry(pin.circuit).or_insert(next);
            }
        }
    }
    numbers
}

/// An edge that leaves a body.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct BodyEdge {
    from: Cell,
    direction: usize,
    /// The number of the pin on the edge, and how many there are.
    index: usize,
    pins: usize,
}

impl BodyEdge {
    /// The edge of a pin; `None` on the edge inside the body.
    fn of(body: Body, pins: usize, slot: usize) -> Option<Self> {
        let pins = pins / if body.is_contracted() { 6 } else { 12 };
        let (edge, index) = (slot / pins, slot % pins);
        let (from, other) = if edge < 6 { (body.head(), body.tail()) } else { (body.tail(), body.head()) };
        let edge = Self { from, direction: edge % 6, index, pins };
        (edge.neighbour() != Some(other)).then_some(edge)
    }

    fn neighbour(self) -> Option<Cell> {
        self.from.neighbour(Direction::from_index(self.direction as u8))
    }

    /// The place of the pin.
    fn pin(self) -> PlanePoint {
        let spacing = PIN_SPACING.min(EDGE_WIDTH / self.pins as f64);
        let aside = spacing * (self.index as f64 - (self.pins as f64 - 1.0) / 2.0);
        let [x, y] = step(self.direction);
        moved(moved(centre(self.from), [x, y], PIN_DISTANCE), [-y, x], aside)
    }
}

/// The places of all sets with more than one pin, by their lowest pins.
fn set_places(body: Body, pins: &[PinState]) -> BTreeMap<u8, PlanePoint> {
    let mut members: BTreeMap<u8, Vec<PlanePoint>> = BTreeMap::new();
    for (slot, pin) in pins.iter().enumerate() {
        if let Some(edge) = BodyEdge::of(body, pins.len(), slot) {
            members.entry(pin.set).or_default().push(edge.pin());
        }
    }
    members.retain(|_, places| places.len() > 1);
    let ([head_x, head_y], [tail_x, tail_y]) = (centre(body.head()), centre(body.tail()));
    let middle = [(head_x + tail_x) / 2.0, (head_y + tail_y) / 2.0];
    let count = members.len() as f64;
    let place = |(number, (set, places)): (usize, (u8, Vec<PlanePoint>))| {
        let mean = |axis: usize| places.iter().map(|at| at[axis]).sum::<f64>() / places.len() as f64;
        let half = [0, 1].map(|axis| (middle[axis] + mean(axis)) / 2.0);
        let (aside, up) = (std::f64::consts::TAU * (number as f64 / count + 0.1)).sin_cos();
        (set, if count > 1.0 { moved(half, [aside, up], SET_DISTANCE) } else { half })
    };
    members.into_iter().enumerate().map(place).collect()
}

/// The centre of a cell, in cells, y upwards.
fn centre(cell: Cell) -> PlanePoint {
    let (x, y) = (f64::from(cell.x()), f64::from(cell.y()));
    [x + y / 2.0, y * 3.0_f64.sqrt() / 2.0]
}

/// The vector to the neighbour in a direction.
fn step(direction: usize) -> PlanePoint {
    let (up, across) = (std::f64::consts::FRAC_PI_3 * direction as f64).sin_cos();
    [across, up]
}

fn moved([x, y]: PlanePoint, [across, up]: PlanePoint, by: f64) -> PlanePoint {
    [x + by * across, y + by * up]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pins_are_one_character_each() {
        let pin = |set, circuit, beeps| PinState { set, circuit, is_loud: beeps, beeps };
        let pins = [
            pin(0, 5, false),
            pin(1, 6, true),
            pin(2, 7, true),
            pin(1, 6, true),
            pin(4, 8, false),
            pin(0, 5, false),
        ];
        let body = Body::contracted(Cell::ORIGIN);
        let edges = [0, 1, 2, 3, 4, 5].map(|slot| BodyEdge::of(body, 6, slot));
        let numbers = circuit_numbers(&[pins.to_vec()]);
        let east = BTreeSet::from([Cell::new(1, 0).unwrap()]);
        assert_eq!(
            [sets(&pins, &edges), circuits(&pins, &edges, &numbers, &east), beeps(&pins)],
            ["01.1.0", "phih-d", "1,2"]
        );
    }

    #[test]
    fn linked_pins_are_opposite_to_each_other() {
        let [west, east] = [0, 1].map(|x| Body::contracted(Cell::new(x, 0).unwrap()));
        for index in 0..3 {
            let [x, y] = BodyEdge::of(west, 18, index).unwrap().pin();
            // Pin g is linked with pin c - 1 - g of the direction west.
            let [other_x, other_y] = BodyEdge::of(east, 18, 3 * 3 + 2 - index).unwrap().pin();
            assert!((y - other_y).abs() < 1e-9 && (x + other_x - 1.0).abs() < 1e-9, "{index}");
        }
        let expanded = Body::expanded(Cell::new(1, 0).unwrap(), Cell::new(0, 0).unwrap()).unwrap();
        let inner: Vec<usize> = (0..36).filter(|slot| BodyEdge::of(expanded, 36, *slot).is_none()).collect();
        assert_eq!(inner, [9, 10, 11, 18, 19, 20]);
    }
}
