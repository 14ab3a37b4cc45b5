//! Cells and orientations of a start.

use acrasin_amoebot::algorithm::crash::Crash;
use acrasin_amoebot::algorithm::description::{LostBeeps, Placement};
use acrasin_amoebot::library::table::written::Literal;
use acrasin_amoebot::model::shape;
use acrasin_amoebot::{AmoebotId, Cell, Chirality, Direction, Orientation, Shape, start};
use acrasin_runtime::FixedProbability;
use acrasin_runtime::choice::{Choices, Decision, pick_index};

use acrasin_amoebot::chain::Colouring;
use acrasin_amoebot::start::Growth;

use super::scenario::{AmoebotFault, AmoebotStart, BeepReceiver, Orientations, StartAmoebot, Towards};
use crate::document::quantity::Probability;

/// The default probability that a picked cell joins a blob, as in the figures of AmoebotSim.
const ACCEPTANCE: f64 = 0.8;

/// The number of amoebots in a start that is not drawn in a file; `usize::MAX` if the number does not fit.
pub(super) fn count(start: &AmoebotStart) -> usize {
    match start {
        AmoebotStart::Line { count }
        | AmoebotStart::Hexagon { count }
        | AmoebotStart::Blob { count, .. }
        | AmoebotStart::RandomTree { count, .. }
        | AmoebotStart::HoleFree { count }
        | AmoebotStart::Column { count }
        | AmoebotStart::Heap { count, .. }
        | AmoebotStart::Layer { count }
        | AmoebotStart::AllConnected { count } => usize::try_from(**count).unwrap_or(usize::MAX),
        // A hexagon of side h + w without its inner hexagon of side h, which leaves w rings.
        AmoebotStart::Ring { hole_side, width } => {
            let sides = hole_side.saturating_mul(2).saturating_add(width.saturating_sub(1));
            let cells = width.saturating_mul(3).saturating_mul(sides);
            usize::try_from(cells).unwrap_or(usize::MAX)
        }
        AmoebotStart::Cells(cells) => cells.len(),
        AmoebotStart::Amoebots(amoebots) => amoebots.len(),
        AmoebotStart::Drawing { .. }
        | AmoebotStart::VShape { .. }
        | AmoebotStart::NShape { .. }
        | AmoebotStart::Recorded { .. } => {
            unreachable!("what is drawn or recorded counts its own")
        }
    }
}

/// Whether the cells of a start depend on the seed.
pub(super) fn is_drawn(start: &AmoebotStart) -> bool {
    matches!(
        start,
        AmoebotStart::Blob { .. }
            | AmoebotStart::RandomTree { .. }
            | AmoebotStart::HoleFree { .. }
            | AmoebotStart::Heap { .. }
    )
}

/// The cells of a start that is not drawn in a file.
///
/// # Errors
///
/// The start cannot have these cells, or the draws give no valid start.
pub(super) fn cells(written: &AmoebotStart, mut choices: &mut dyn Choices) -> Result<Vec<Cell>, String> {
    match written {
        AmoebotStart::Line { .. } => start::line(Cell::ORIGIN, Direction::East, count(written)),
        AmoebotStart::Hexagon { .. } => start::spiral(Cell::ORIGIN, Direction::East, count(written)),
        AmoebotStart::Blob { acceptance, .. } => {
            start::blob(Cell::ORIGIN, count(written), self::acceptance(*acceptance), &mut choices)
        }
        AmoebotStart::RandomTree { acceptance, .. } => {
            let acceptance = self::acceptance(*acceptance);
            let growth = Growth { acceptance, ..Growth::of_amoebot_sim() };
            start::grown(Cell::ORIGIN, count(written), growth, &mut choices)
        }
        AmoebotStart::HoleFree { .. } => {
            start::grown(Cell::ORIGIN, count(written), Growth::without_holes(), &mut choices)
        }
        AmoebotStart::Cells(cells) => return at(cells),
        AmoebotStart::Amoebots(amoebots) => {
            return at(&amoebots.iter().map(|amoebot| amoebot.head).collect::<Vec<_>>());
        }
        AmoebotStart::Ring { hole_side, width } => {
            let size = |count: u64| u32::try_from(count).unwrap_or(u32::MAX);
            start::ring(Cell::ORIGIN, start::RingSize { hole_side: size(**hole_side), width: size(**width) })
        }
        AmoebotStart::Drawing { .. }
        | AmoebotStart::VShape { .. }
        | AmoebotStart::NShape { .. }
        | AmoebotStart::Recorded { .. } => {
            unreachable!("a plan has what is drawn or recorded")
        }
        AmoebotStart::Column { .. } | AmoebotStart::Heap { .. } | AmoebotStart::Layer { .. } => {
            unreachable!("a plan knows the object")
        }
        AmoebotStart::AllConnected { .. } => unreachable!("a plan has one start, a check has all"),
    }
    .map_err(|error| error.to_string())
}

/// The probability that a picked cell joins the start.
pub(super) fn acceptance(written: Option<Probability>) -> FixedProbability {
    FixedProbability::new(written.map_or(ACCEPTANCE, |acceptance| *acceptance)).expect("a probability")
}

/// Converts written coordinates to cells. Fails at coordinates that a [`Cell`] cannot have.
pub(super) fn at(cells: &[(i32, i32)]) -> Result<Vec<Cell>, String> {
    let cells = cells.iter().map(|&(x, y)| Cell::new(x, y));
    cells.collect::<Result<_, _>>().map_err(|error| error.to_string())
}

/// Every connected shape of this number of cells.
pub(super) fn all_connected(count: usize) -> Result<Vec<Shape>, shape::ShapeError> {
    Shape::all_connected(count)
}

/// One orientation per amoebot; empty if all amoebots have the common orientation.
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

/// Adds the written tails, orientations and memories of amoebots.
pub(super) fn written(amoebots: &[StartAmoebot], placement: &mut Placement) -> Result<(), String> {
    for amoebot in amoebots {
        let tail = amoebot.tail.map(|(x, y)| Cell::new(x, y)).transpose();
        placement.tails.push(tail.map_err(|error| error.to_string())?);
        let first = match amoebot.port_1 {
            None | Some(Towards::East) => Direction::East,
            Some(Towards::NorthEast) => Direction::NorthEast,
            Some(Towards::NorthWest) => Direction::NorthWest,
            Some(Towards::West) => Direction::West,
            Some(Towards::SouthWest) => Direction::SouthWest,
            Some(Towards::SouthEast) => Direction::SouthEast,
        };
        let chirality = if amoebot.clockwise { Chirality::Mirrored } else { Chirality::Standard };
        placement.orientations.push(Orientation { first, chirality });
        let word = |literal: &Literal| match literal {
            Literal::Word(word) => word.clone(),
            other => other.to_string(),
        };
        let memory = amoebot.memory.iter().map(|(name, literal)| (name.clone(), word(literal)));
        placement.memories.push(memory.collect());
    }
    Ok(())
}

/// The time at which amoebots with this fault crash; `None` if it is not a crash.
pub(super) fn kind_of(fault: &AmoebotFault) -> Option<Crash> {
    match fault {
        // More than 2^32 actions are never reached.
        AmoebotFault::Crash { after, .. } => {
            Some(Crash::After(after.map_or(0, |after| u32::try_from(*after).unwrap_or(u32::MAX))))
        }
        AmoebotFault::CrashAnyTime { .. } => Some(Crash::AnyTime),
        AmoebotFault::LostBeeps { .. } | AmoebotFault::LostBeepsAt { .. } => None,
    }
}

/// The beeps that get lost. At most one fault of a plan loses beeps.
pub(super) fn lost_beeps(faults: &[AmoebotFault]) -> LostBeeps {
    let lost = faults.iter().find_map(|fault| match fault {
        AmoebotFault::LostBeeps { probability, of: BeepReceiver::Set } => {
            Some(LostBeeps::PerSet(probability.0))
        }
        AmoebotFault::LostBeeps { probability, of: BeepReceiver::Amoebot } => {
            Some(LostBeeps::PerAmoebot(probability.0))
        }
        AmoebotFault::LostBeepsAt { losses } => {
            // Written rounds count from 1.
            let pairs = losses.iter().map(|loss| (*loss.round - 1, *loss.amoebot as u32));
            Some(LostBeeps::Listed(pairs.collect()))
        }
        AmoebotFault::Crash { .. } | AmoebotFault::CrashAnyTime { .. } => None,
    });
    lost.unwrap_or_default()
}

/// The amoebots that crash, out of `count`: those that the scenario lists, and others drawn among the rest.
pub(super) fn crashes(
    faults: &[AmoebotFault],
    count: usize,
    choices: &mut dyn Choices,
) -> Vec<(AmoebotId, Crash)> {
    let mut left: Vec<AmoebotId> = (0..count as u32).map(AmoebotId).collect();
    let mut crashes = Vec::new();
    for fault in faults {
        let (Some((amoebots, _)), Some(kind)) = (fault.crashes(), kind_of(fault)) else { continue };
        let written = amoebots.iter().map(|position| AmoebotId(**position as u32));
        crashes.extend(written.map(|id| (id, kind)));
    }
    left.retain(|id| crashes.iter().all(|(written, _)| written != id));
    for fault in faults {
        let (Some((_, drawn)), Some(kind)) = (fault.crashes(), kind_of(fault)) else { continue };
        for _ in 0..drawn.map_or(0, |drawn| *drawn) {
            let Some(at) = pick_index(choices, left.len(), Decision::Initial) else { break };
            crashes.push((left.swap_remove(at), kind));
        }
    }
    crashes
}

/// The colours of `count` amoebots. Colours are assigned in turn, so that they are equally frequent, and then shuffled
/// if they are random.
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
