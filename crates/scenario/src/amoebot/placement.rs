//! Cells and orientations of a start.

use acrasin_amoebot::model::shape;
use acrasin_amoebot::{Cell, Chirality, Direction, Orientation, Shape, start};
use acrasin_runtime::FixedProbability;
use acrasin_runtime::choice::{Choices, Decision, pick_index};

use acrasin_amoebot::chain::Colouring;
use acrasin_amoebot::start::Growth;

use super::scenario::{Orientations, Start};
use crate::document::quantity::Probability;

/// The acceptance of a blob if nothing is written: that of the figures of AmoebotSim.
const ACCEPTANCE: f64 = 0.8;

/// How many amoebots there are in a start that is not drawn in a file; more than the address space has room for counts as the most.
pub(super) fn count(start: &Start) -> usize {
    match start {
        Start::Line { count }
        | Start::Hexagon { count }
        | Start::Blob { count, .. }
        | Start::RandomTree { count, .. }
        | Start::HoleFree { count }
        | Start::Column { count }
        | Start::Heap { count, .. }
        | Start::Layer { count }
        | Start::AllConnected { count } => usize::try_from(**count).unwrap_or(usize::MAX),
        // A hexagon of side h + w without one of side h: w laps.
        Start::Ring { hole_side, width } => {
            let sides = hole_side.saturating_mul(2).saturating_add(width.saturating_sub(1));
            let cells = width.saturating_mul(3).saturating_mul(sides);
            usize::try_from(cells).unwrap_or(usize::MAX)
        }
        Start::Cells(cells) => cells.len(),
        Start::Drawing { .. } | Start::VShape { .. } | Start::NShape { .. } => {
            unreachable!("what is drawn counts its own")
        }
    }
}

/// Whether the cells depend on the seed.
pub(super) fn is_drawn(start: &Start) -> bool {
    matches!(
        start,
        Start::Blob { .. } | Start::RandomTree { .. } | Start::HoleFree { .. } | Start::Heap { .. }
    )
}

/// The cells of a start that is not drawn in a file, or why there are none.
pub(super) fn cells(written: &Start, mut choices: &mut dyn Choices) -> Result<Vec<Cell>, String> {
    match written {
        Start::Line { .. } => start::line(Cell::ORIGIN, Direction::East, count(written)),
        Start::Hexagon { .. } => start::spiral(Cell::ORIGIN, Direction::East, count(written)),
        Start::Blob { acceptance, .. } => {
            start::blob(Cell::ORIGIN, count(written), self::acceptance(*acceptance), &mut choices)
        }
        Start::RandomTree { acceptance, .. } => {
            let acceptance = self::acceptance(*acceptance);
            let growth = Growth { acceptance, ..Growth::of_amoebot_sim() };
            start::grown(Cell::ORIGIN, count(written), growth, &mut choices)
        }
        Start::HoleFree { .. } => {
            start::grown(Cell::ORIGIN, count(written), Growth::without_holes(), &mut choices)
        }
        Start::Cells(cells) => return at(cells),
        Start::Ring { hole_side, width } => {
            let size = |count: u64| u32::try_from(count).unwrap_or(u32::MAX);
            start::ring(Cell::ORIGIN, start::Ring { hole_side: size(**hole_side), width: size(**width) })
        }
        Start::Drawing { .. } | Start::VShape { .. } | Start::NShape { .. } => {
            unreachable!("a plan has what is drawn")
        }
        Start::Column { .. } | Start::Heap { .. } | Start::Layer { .. } => {
            unreachable!("a plan knows the object")
        }
        Start::AllConnected { .. } => unreachable!("a plan has one start, a check has all"),
    }
    .map_err(|error| error.to_string())
}

/// With which probability cells join.
pub(super) fn acceptance(written: Option<Probability>) -> FixedProbability {
    FixedProbability::new(written.map_or(ACCEPTANCE, |acceptance| *acceptance)).expect("a probability")
}

/// Cells that are written.
pub(super) fn at(cells: &[(i32, i32)]) -> Result<Vec<Cell>, String> {
    let cells = cells.iter().map(|&(x, y)| Cell::new(x, y));
    cells.collect::<Result<_, _>>().map_err(|error| error.to_string())
}

/// Every connected shape of so many cells.
pub(super) fn all_connected(count: usize) -> Result<Vec<Shape>, shape::ShapeError> {
    Shape::all_connected(count)
}

/// One orientation for each amoebot; none if all are common.
pub(super) fn orientations(
    written: Orientations,
    count: usize,
    choices: &mut dyn Choices,
) -> Vec<Orientation> {
    let mut any = |among: usize| pick_index(choices, among, Decision::Initial).expect("at least one");
    let mut one = |draws_first: bool, draws_chirality: bool| {
        let first = if draws_first { Direction::ALL[any(6)] } else { Direction::East };
        let is_mirrored = draws_chirality && any(2) == 1;
        Orientation { first, chirality: if is_mirrored { Chirality::Mirrored } else { Chirality::Standard } }
    };
    let (draws_first, draws_chirality) = match written {
        Orientations::Common => return Vec::new(),
        Orientations::CommonChirality => (true, false),
        Orientations::CommonDirection => (false, true),
        Orientations::Assorted => (true, true),
    };
    (0..count).map(|_| one(draws_first, draws_chirality)).collect()
}

/// The colours of `count` amoebots: as many of each as in turn.
pub(super) fn colours(written: Colouring, among: u64, count: usize, choices: &mut dyn Choices) -> Vec<u8> {
    let mut colours: Vec<u8> = (0..count as u64).map(|i| (i % among) as u8).collect();
    if written == Colouring::Random {
        for i in (1..count).rev() {
            let other = pick_index(choices, i + 1, Decision::Initial).expect("at least one");
            colours.swap(i, other);
        }
    }
    colours
}
