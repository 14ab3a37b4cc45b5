//! Functions that all entries share: for the parameter of pins, for the structure of a start, and for the process of a
//! run.

use std::collections::BTreeSet;
use std::mem::size_of;

use acrasin_amoebot::algorithm::description::{LostBeeps, Placement};
use acrasin_amoebot::algorithm::synchronous::{
    CoinOutcomes, OutcomeBounds, OutcomesError, SynchronousDescription, SynchronousRun,
};
use acrasin_amoebot::library::entry::Construction;
use acrasin_amoebot::library::parameter::{Parameter, ParameterError, ParameterKind, Values};
use acrasin_amoebot::{Body, Cell, Direction, Orientation};
use acrasin_engine::Draws;

use crate::joint::Anchor;
use crate::process::{CircuitProcess, Oracle};
use crate::round::{CircuitRun, Coins, Losses, RoundTable, explore_outcomes};
use crate::structure::{CircuitStructure, PINS_MAX, StructureError};

/// The parameter for the number of pins per edge.
pub(super) const PINS: Parameter = Parameter::optional(
    "pins",
    ParameterKind::Count,
    "pins on each side of an edge; by default as many as are needed",
);

/// Reads the number of pins on each side of an edge, which must be at least `least`.
pub(super) fn pins(values: &Values, least: u8) -> Result<u8, ParameterError> {
    let pins = values.count("pins").unwrap_or(least.into());
    match u8::try_from(pins) {
        Ok(pins) if (least..=PINS_MAX).contains(&pins) => Ok(pins),
        _ => {
            let noun = if pins == 1 { "pin" } else { "pins" };
            let message = format!("{pins} {noun} on each edge");
            Err(ParameterError::new("pins", message).accepting(format!("{least} to {PINS_MAX}")))
        }
    }
}

/// A parameter that is a small number, such as a number of repetitions.
pub(super) fn small(
    values: &Values,
    name: &'static str,
    least: u32,
    default: u32,
) -> Result<u32, ParameterError> {
    let Some(count) = values.count(name) else { return Ok(default) };
    let small = u32::try_from(count).ok().filter(|count| (least..=SMALL_MAX).contains(count));
    small.ok_or_else(|| {
        ParameterError::new(name, format!("{name} is {count}")).accepting(format!("{least} to {SMALL_MAX}"))
    })
}

/// The maximum number of repetitions and cycles: with more, counters of 32 bits could overflow.
const SMALL_MAX: u32 = 1_000_000_000;

/// An algorithm for one start, with the oracle of its result.
pub(super) struct PreparedAlgorithm<A: RoundTable> {
    pub(super) algorithm: A,
    pub(super) oracle: Oracle<A>,
}

/// Constructs the algorithm for a connected structure and the number of the seed amoebot.
type Prepare<A> = dyn Fn(&CircuitStructure, usize) -> Result<PreparedAlgorithm<A>, String> + Send + Sync;

struct CircuitDescription<A: RoundTable> {
    title: &'static str,
    pins: u8,
    prepare: Box<Prepare<A>>,
}

/// The construction of an entry. `prepare` constructs the algorithm once the start is known.
pub(super) fn described<A: RoundTable + Clone + 'static>(
    title: &'static str,
    pins: u8,
    prepare: impl Fn(&CircuitStructure, usize) -> Result<PreparedAlgorithm<A>, String> + Send + Sync + 'static,
) -> Construction {
    Construction::synchronous(CircuitDescription { title, pins, prepare: Box::new(prepare) })
}

impl<A: RoundTable> CircuitDescription<A> {
    /// Prepares a run from a start, and the oracle of its result.
    fn prepared(&self, placement: &Placement, seed: u64) -> Result<(CircuitRun<A>, Oracle<A>), String> {
        let bodies: Vec<Body> = placement.cells.iter().copied().map(Body::contracted).collect();
        let orientations = match &placement.orientations[..] {
            [] => vec![Orientation::COMMON; bodies.len()],
            orientations => orientations.to_vec(),
        };
        let objects = connected_parts(&placement.object).map_err(|error| error.to_string())?;
        let structure = CircuitStructure::new(bodies, orientations, objects, self.pins.into());
        let structure = structure.and_then(CircuitStructure::connected).map_err(|error| error.to_string())?;
        let PreparedAlgorithm { algorithm, oracle } = (self.prepare)(&structure, placement.seed)?;
        // An object stays where it is, so that movements can be seen relative to it.
        let anchor = if structure.objects().is_empty() { Anchor::Amoebot(0) } else { Anchor::Object(0) };
        let run =
            CircuitRun::new(structure, algorithm, Coins::keyed(seed)).map_err(|error| error.to_string())?;
        let draws = Draws::new(seed);
        let losses = match &placement.lost_beeps {
            LostBeeps::None => Losses::None,
            LostBeeps::PerSet(probability) => Losses::PerSet { probability: *probability, draws },
            LostBeeps::PerAmoebot(probability) => Losses::PerAmoebot { probability: *probability, draws },
            LostBeeps::Listed(pairs) => Losses::Listed(pairs.clone()),
        };
        Ok((run.with_anchor(anchor).with_losses(losses), oracle))
    }
}

/// The connected parts of cells, in the order of their first cells.
///
/// # Errors
///
/// [`StructureError::Occupied`]: a cell is listed twice.
fn connected_parts(cells: &[Cell]) -> Result<Vec<Vec<Cell>>, StructureError> {
    let mut left = BTreeSet::new();
    if let Some(&cell) = cells.iter().find(|cell| !left.insert(**cell)) {
        return Err(StructureError::Occupied { cell });
    }
    let mut parts = Vec::new();
    for &first in cells {
        if !left.remove(&first) {
            continue;
        }
        let mut part = vec![first];
        let mut next = 0;
        while let Some(&cell) = part.get(next) {
            next += 1;
            let adjacent = Direction::ALL.into_iter().filter_map(|direction| cell.neighbour(direction));
            part.extend(adjacent.filter(|cell| left.remove(cell)));
        }
        parts.push(part);
    }
    Ok(parts)
}

impl<A: RoundTable + Clone + 'static> SynchronousDescription for CircuitDescription<A> {
    fn start(&self, placement: &Placement, seed: u64) -> Result<Box<dyn SynchronousRun>, String> {
        let (run, oracle) = self.prepared(placement, seed)?;
        Ok(Box::new(CircuitProcess::new(run, self.title).with_oracle(oracle)))
    }

    fn explore(
        &self,
        placement: &Placement,
        bounds: &OutcomeBounds<'_>,
    ) -> Result<CoinOutcomes, OutcomesError> {
        let (run, oracle) = self.prepared(placement, 0).map_err(OutcomesError::Start)?;
        explore_outcomes(&run, |run| oracle(run).is_right, bounds)
    }

    fn bytes(&self) -> usize {
        // Both ends have edges. A pin has its set now and before the last half, its circuit, and marks of beeps and
        // flooding; an edge has its link. Memories are kept as they were before the last half.
        12 * (11 * usize::from(self.pins) + 4)
            + 2 * size_of::<A::Memory>()
            + size_of::<A::RoundName>()
            + AMOEBOT_BYTES
    }
}

/// The bytes of an amoebot for its body, frame, neighbours, plan, marks, and a beep. Pins and memory are counted
/// separately.
const AMOEBOT_BYTES: usize = 80;
