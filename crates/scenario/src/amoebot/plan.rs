//! [`AmoebotPlan`]: everything checked.

use std::ops::RangeInclusive;
use std::path::Path;
use std::sync::Arc;

use acrasin_amoebot::library::forest_walk::PathError;
use acrasin_amoebot::start::CELLS_MAX;
use acrasin_amoebot::{
    BinaryCounter, Bridging, Chain, EnergyDistribution, EnergySharing, Erosion, ForestWalk, Separation, Shape,
};
use acrasin_runtime::choice::{Choices, Seeded};

use super::drawing::Drawn;
use super::scenario::{
    Algorithm, Colouring, Concurrency, Execution, Layout, Locks, Object, Operation, Orientations, Start, Stop,
};
use super::subject::{Ground, Subject, Visitor};
use super::{AmoebotDocument, given, ground, object};
use crate::DocumentError;
use crate::document::parameters;
use crate::document::quantity::Count;
use crate::limits::{
    AMOEBOT_CONCURRENT_STEPS, AMOEBOT_ISOLATION, AMOEBOT_MESSAGE_NODES, AMOEBOT_PICTURES, AMOEBOT_STATES,
    AMOEBOT_STATES_MAX,
};
use crate::run::{RunError, Source};

/// Amoebots for each wave or round between two counts if nothing is written: a wave is work for many of them.
const AMOEBOTS_A_WAVE: u64 = 100;

/// A scenario of amoebots whose parts fit together. Only [`AmoebotPlan::new`] and [`AmoebotPlan::for_check`] make one.
///
/// A plan is read only: any number of runs, on any number of threads, come from one.
#[derive(Debug)]
pub struct AmoebotPlan {
    pub(super) title: String,
    pub(super) seed: Option<u64>,
    pub(super) source: Source,
    pub(super) algorithm: Algorithm,
    pub(super) start: Start,
    /// What is coated, if it is not in the drawing.
    object: Option<Object>,
    /// What is in its file, if the start is drawn in one; or the landscape.
    drawing: Option<Drawn>,
    pub(super) count: usize,
    pub(super) seed_position: usize,
    pub(super) orientations: Orientations,
    pub(super) execution: Execution,
    pub(super) stop: Stop,
    pub(super) steps_max: Option<u64>,
    pub(super) states_max: usize,
    pub(super) counts_every: u64,
    /// Whether the shape is measured with each count.
    pub(super) counts_shape: bool,
    /// Rising.
    pub(super) pictures_at: Vec<u64>,
}

impl AmoebotPlan {
    /// Checks everything that `document` says, for a run. `base` is the folder that a path in the scenario is relative to.
    ///
    /// A start that does not depend on the seed is built here as a check.
    ///
    /// # Errors
    ///
    /// The first thing that does not fit, at its place: counts and parameters out of range, a start that the algorithm
    /// refuses, with the cells concerned, orientations or an execution that the algorithm is not made for, a run without
    /// an end, a start that is for checks, a drawing that cannot be read, with its line and column.
    pub fn new(document: &AmoebotDocument, base: &Path) -> Result<Self, DocumentError> {
        let plan = Self::of(document, base)?;
        if matches!(plan.start, Start::AllConnected { .. }) {
            return Err(document.error("amoebots.start", "a run has one start").accepting(
                "Line, Hexagon, Blob, Ring, Column, Heap, Layer, Drawing, VShape, NShape, Cells; AllConnected is for \
                 `acrasin check`",
            ));
        }
        if !plan.algorithm.needs().terminates && plan.stop == Stop::Terminated {
            let name = plan.algorithm.needs().name;
            return Err(document
                .error("stop", format!("{name} never terminates"))
                .accepting("stop: Steps(a number)"));
        }
        Ok(plan)
    }

    /// Checks everything that `document` says, for [`check`](Self::check).
    ///
    /// # Errors
    ///
    /// As [`new`](Self::new), but every start is accepted; an algorithm that never terminates; an execution in waves or with
    /// locks by messages.
    pub fn for_check(document: &AmoebotDocument, base: &Path) -> Result<Self, DocumentError> {
        let plan = Self::of(document, base)?;
        let needs = plan.algorithm.needs();
        if !needs.terminates {
            let message =
                format!("{} never terminates: it has no end that could be right or wrong", needs.name);
            return Err(document
                .error("amoebots.algorithm", message)
                .accepting("an algorithm that terminates (`acrasin list amoebots`)"));
        }
        if plan.algorithm.coats() && matches!(plan.start, Start::AllConnected { .. }) {
            return Err(document
                .error("amoebots.start", format!("{} needs an object", needs.name))
                .accepting(
                    "Drawing(path: …), with '#' for the object; Column, Heap, Layer or Cells with an object",
                ));
        }
        let message = match plan.execution {
            Execution::Waves => "waves have one order",
            Execution::Concurrent { locks: Locks::Messages { .. } } => {
                "the messages of locks have too many orders together with the amoebots"
            }
            _ => return Ok(plan),
        };
        Err(document
            .error("execution", message)
            .accepting("Sequential, Concurrent(locks: TryLocks), Rounds(…) for a check"))
    }

    fn of(document: &AmoebotDocument, base: &Path) -> Result<Self, DocumentError> {
        let scenario = document.scenario();
        let written = &scenario.amoebots;
        let algorithm = &written.algorithm;
        check_parameters(document)?;
        let drawing = Drawn::of(document, base)?;
        object::check(document)?;
        let count = match &drawing {
            Some(drawing) => drawing.cells.len(),
            None => checked_count(document, &written.start)?,
        };
        let drawn_seed = drawing.as_ref().and_then(|drawing| drawing.seed);
        let seed_position = checked_seed_position(document, count, drawn_seed)?;
        check_orientations(document)?;
        check_execution(document, count)?;
        let plan = Self {
            title: scenario.title.clone().unwrap_or_else(|| algorithm.needs().name.to_owned()),
            seed: scenario.seed.map(|seed| *seed),
            source: Source {
                file: document.file().to_owned(),
                text: document.text().to_owned(),
                digest: document.digest(),
                parameters: Arc::new(parameters::section(scenario, Vec::new())),
            },
            algorithm: algorithm.clone(),
            start: written.start.clone(),
            object: written.object.clone(),
            drawing,
            count,
            seed_position,
            orientations: written.orientations,
            execution: scenario.execution,
            stop: scenario.stop,
            steps_max: checked_steps(document)?,
            states_max: checked_states(document)?,
            counts_every: checked_counts_every(document, count as u64)?,
            counts_shape: scenario.observe.shape,
            pictures_at: checked_moments(document)?,
        };
        if !plan.draws_cells() && !matches!(plan.start, Start::AllConnected { .. }) {
            let refused = |message| document.error("amoebots.start", message);
            let ground = plan.ground(&mut Seeded::new(0)).map_err(refused)?;
            plan.try_start(&ground).map_err(refused)?;
        }
        Ok(plan)
    }

    /// One line for the report.
    #[must_use]
    pub fn title(&self) -> &str {
        &self.title
    }

    /// The seed, if it is written.
    #[must_use]
    pub fn seed(&self) -> Option<u64> {
        self.seed
    }

    /// Whether the start depends on the seed.
    #[must_use]
    pub fn draws(&self) -> bool {
        let colours = matches!(self.algorithm, Algorithm::Separation { colouring: Colouring::Random, .. });
        self.draws_cells() || self.orientations != Orientations::Common || colours
    }

    fn draws_cells(&self) -> bool {
        ground::is_drawn(&self.start) || self.object.as_ref().is_some_and(object::is_drawn)
    }

    /// Whether one run has work for several threads.
    #[must_use]
    pub fn uses_threads(&self) -> bool {
        self.execution == Execution::Waves || is_tiled(&self.algorithm)
    }

    /// What is counted over time: amoebots by state, or what the chain is about.
    #[must_use]
    pub fn counted(&self) -> &str {
        if is_chain(&self.algorithm) { "edges" } else { "amoebots" }
    }

    /// What the words came to: names and values.
    #[must_use]
    pub fn parameters(&self) -> Vec<(String, String)> {
        let needs = self.algorithm.needs();
        let mut parameters = vec![
            ("algorithm", needs.name.to_owned()),
            ("amoebots", self.count.to_string()),
            ("orientations", format!("{:?}", self.orientations)),
            ("execution", format!("{:?}", self.execution)),
            ("counts every", format!("{} steps", self.counts_every)),
        ];
        if needs.seed {
            parameters.push(("seed position", self.seed_position.to_string()));
        }
        if let Some(most) = self.steps_max {
            parameters.push(("at most", format!("{most} steps")));
        }
        parameters.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
    }

    /// Cells and orientations, or why there are none.
    pub(super) fn ground(&self, choices: &mut dyn Choices) -> Result<Ground, String> {
        let (cells, object, colours, landscape) = match self.drawing.clone() {
            Some(Drawn { cells, object, colours, landscape, .. }) => (cells, object, colours, landscape),
            None => {
                let object =
                    self.object.as_ref().map_or(Ok(Vec::new()), |written| object::cells(written, choices))?;
                let beside = object::beside(&object, &self.start, choices);
                (beside.unwrap_or_else(|| ground::cells(&self.start, choices))?, object, None, None)
            }
        };
        let orientations = ground::orientations(self.orientations, cells.len(), choices);
        let colours = match (&self.algorithm, colours) {
            (_, Some(colours)) => Some(colours),
            (Algorithm::Separation { colouring, .. }, None) => {
                let among = self.algorithm.colours().expect("separation has colours");
                Some(ground::colours(*colouring, among, cells.len(), choices))
            }
            (_, None) => None,
        };
        Ok(Ground { cells, seed: self.seed_position, orientations, object, colours, landscape })
    }

    fn try_start(&self, ground: &Ground) -> Result<(), String> {
        struct Try<'a>(&'a Ground);
        impl Visitor for Try<'_> {
            type Output = Result<(), String>;
            fn visit<S: Subject>(self, subject: &S) -> Self::Output {
                subject.start(self.0).map(|_| ())
            }
        }
        match self.algorithm.visit(Try(ground)) {
            Some(result) => result,
            // The biases were looked at before.
            None if ground.landscape.is_some() => Ok(()),
            // Separation takes the same cells as compression.
            None => Chain::new(&ground.cells, 1.0).map(|_| ()).map_err(|error| error.to_string()),
        }
    }

    /// An error about what the seed has drawn.
    pub(super) fn drawn(seed: u64, message: impl Into<String>) -> RunError {
        RunError::drawn(seed, message)
    }
}

fn check_parameters(document: &AmoebotDocument) -> Result<(), DocumentError> {
    match &document.scenario().amoebots.algorithm {
        Algorithm::Separation { lambda, gamma, colours, .. } => {
            check_biases(document, [**lambda, **gamma], Separation::BIAS_MIN..=Separation::BIAS_MAX)?;
            check_colours(document, *colours)
        }
        Algorithm::Bridging { lambda, gamma } => {
            check_biases(document, [**lambda, **gamma], Bridging::BIAS_MIN..=Bridging::BIAS_MAX)
        }
        Algorithm::BinaryCounter { operations, .. } => check_operations(document, operations),
        Algorithm::ForestWalk { path } => check_path(document, path),
        Algorithm::EnergySharing { capacity, transfer, demand, .. } => {
            check_rates(document, **capacity, &[("transfer", **transfer), ("demand", **demand)])
        }
        Algorithm::EnergyDistribution { capacity, demand, .. } => {
            check_rates(document, **capacity, &[("demand", **demand)])
        }
        _ => Ok(()),
    }
}

fn check_path(document: &AmoebotDocument, path: &str) -> Result<(), DocumentError> {
    let refused = |message: String| document.error("amoebots.algorithm.path", message);
    match given::walk(path) {
        Ok(_) => Ok(()),
        Err(PathError::NoLabel { at, .. }) => {
            let letter = path.chars().nth(at).unwrap_or_default();
            Err(refused(format!("step {} of the path is {letter:?}", at + 1))
                .accepting("digits 1 to 6, the root's own labels of directions"))
        }
        Err(PathError::TooLong { steps }) => {
            Err(refused(format!("a path of {steps} steps"))
                .accepting(format!("up to {}", ForestWalk::STEPS_MAX)))
        }
        Err(error) => Err(refused(error.to_string())),
    }
}

/// They are written one by one before they are done.
fn check_operations(document: &AmoebotDocument, operations: &[Operation]) -> Result<(), DocumentError> {
    let times = |operation: &Operation| match operation {
        Operation::Increment(times) | Operation::Decrement(times) => **times,
        Operation::TestZero => 1,
    };
    let all = operations.iter().map(times).fold(0, u64::saturating_add);
    if all <= BinaryCounter::OPERATIONS_MAX as u64 {
        return Ok(());
    }
    Err(document
        .error("amoebots.algorithm.operations", format!("{all} operations"))
        .accepting(format!("up to {}", BinaryCounter::OPERATIONS_MAX)))
}

/// Capacities have one limit; nothing takes or moves more than a battery holds.
fn check_rates(
    document: &AmoebotDocument,
    capacity: u64,
    others: &[(&str, u64)],
) -> Result<(), DocumentError> {
    const { assert!(EnergySharing::CAPACITY_MAX == EnergyDistribution::<Erosion>::CAPACITY_MAX) };
    let most = u64::from(EnergySharing::CAPACITY_MAX);
    let others = others.iter().map(|&(name, rate)| (name, rate, capacity));
    for (name, rate, most) in [("capacity", capacity, most)].into_iter().chain(others) {
        if !(1..=most).contains(&rate) {
            let path = format!("amoebots.algorithm.{name}");
            return Err(document.error(&path, format!("{name} {rate}")).accepting(format!("1 to {most}")));
        }
    }
    Ok(())
}

fn check_biases(
    document: &AmoebotDocument,
    biases: [f64; 2],
    accepted: RangeInclusive<f64>,
) -> Result<(), DocumentError> {
    for (name, bias) in ["lambda", "gamma"].into_iter().zip(biases) {
        if !accepted.contains(&bias) {
            let path = format!("amoebots.algorithm.{name}");
            let accepted = format!("{:e} to {:e}", accepted.start(), accepted.end());
            return Err(document.error(&path, format!("{name} is {bias:e}")).accepting(accepted));
        }
    }
    Ok(())
}

fn check_colours(document: &AmoebotDocument, colours: Option<Count>) -> Result<(), DocumentError> {
    let most = u64::from(Separation::COLOUR_MAX) + 1;
    match colours {
        Some(colours) if !(1..=most).contains(&*colours) => Err(document
            .error("amoebots.algorithm.colours", format!("{} colours", *colours))
            .accepting(format!("1 to {most}"))),
        _ => Ok(()),
    }
}

fn checked_count(document: &AmoebotDocument, start: &Start) -> Result<usize, DocumentError> {
    let (path, most) = match start {
        Start::Cells(_) => ("amoebots.start", CELLS_MAX),
        Start::AllConnected { .. } => ("amoebots.start.count", Shape::LISTED_CELLS_MAX),
        Start::Ring { hole_side, width } => {
            for (name, cells) in [("hole_side", **hole_side), ("width", **width)] {
                if cells == 0 {
                    let path = format!("amoebots.start.{name}");
                    return Err(document.error(&path, format!("{name} is 0")).accepting("1 or more"));
                }
            }
            ("amoebots.start", CELLS_MAX)
        }
        Start::Line { .. }
        | Start::Hexagon { .. }
        | Start::Blob { .. }
        | Start::Column { .. }
        | Start::Heap { .. }
        | Start::Layer { .. } => ("amoebots.start.count", CELLS_MAX),
        Start::Drawing { .. } | Start::VShape { .. } | Start::NShape { .. } => {
            unreachable!("what is drawn counts its own")
        }
    };
    let count = ground::count(start);
    if (1..=most).contains(&count) {
        return Ok(count);
    }
    Err(document.error(path, format!("{count} amoebots")).accepting(format!("1 to {most}")))
}

fn checked_seed_position(
    document: &AmoebotDocument,
    count: usize,
    drawn: Option<usize>,
) -> Result<usize, DocumentError> {
    let written = &document.scenario().amoebots;
    let needs = written.algorithm.needs();
    let Some(position) = written.seed_position else { return Ok(drawn.unwrap_or(0)) };
    let refused = |message: String| document.error("amoebots.seed_position", message);
    if !needs.seed {
        return Err(refused(format!("{} has no seed: all amoebots are alike", needs.name))
            .accepting("no seed_position"));
    }
    if matches!(written.start, Start::AllConnected { .. }) {
        return Err(
            refused("a check of all shapes takes every position".into()).accepting("no seed_position")
        );
    }
    if drawn.is_some() {
        return Err(refused("the drawing has a seed, '@'".into()).accepting("one of both"));
    }
    match usize::try_from(*position) {
        Ok(position) if position < count => Ok(position),
        _ => Err(refused(format!("position {} of {count} cells", *position))
            .accepting(format!("0 to {}", count - 1))),
    }
}

fn check_orientations(document: &AmoebotDocument) -> Result<(), DocumentError> {
    let written = &document.scenario().amoebots;
    let needs = written.algorithm.needs();
    let refused = |message: String, accepted: &str| {
        Err(document.error("amoebots.orientations", message).accepting(accepted))
    };
    let is_mixed = matches!(written.orientations, Orientations::CommonDirection | Orientations::Assorted);
    if is_chain(&written.algorithm) && written.orientations != Orientations::Common {
        return refused(format!("in {} nobody has ports", needs.name), "Common");
    }
    if needs.common_chirality && is_mixed {
        return refused(format!("{} needs common chirality", needs.name), "Common, CommonChirality");
    }
    Ok(())
}

fn is_chain(algorithm: &Algorithm) -> bool {
    matches!(
        algorithm,
        Algorithm::Compression { .. } | Algorithm::Separation { .. } | Algorithm::Bridging { .. }
    )
}

fn is_tiled(algorithm: &Algorithm) -> bool {
    matches!(algorithm, Algorithm::Compression { layout: Layout::Tiles, .. })
}

fn check_execution(document: &AmoebotDocument, count: usize) -> Result<(), DocumentError> {
    let scenario = document.scenario();
    let needs = scenario.amoebots.algorithm.needs();
    let uniform = Execution::default();
    let refused = |message: String| document.error("execution", message);
    if is_chain(&scenario.amoebots.algorithm) && scenario.execution != uniform {
        return Err(refused(format!("{} picks an amoebot uniformly in each step", needs.name))
            .accepting("Sequential, or no execution"));
    }
    let locks = match scenario.execution {
        Execution::Sequential { .. } => return Ok(()),
        Execution::Rounds(concurrency) => {
            return match concurrency {
                Concurrency::Isolated(distance) if *distance > AMOEBOT_ISOLATION => {
                    Err(refused(format!("isolation at distance {}", *distance))
                        .accepting(format!("0 to {AMOEBOT_ISOLATION}")))
                }
                _ => Ok(()),
            };
        }
        Execution::Waves => None,
        Execution::Concurrent { locks } => Some(locks),
    };
    if !needs.local {
        return Err(refused(format!("in {} amoebots look beyond those whom they can lock", needs.name))
            .accepting("Sequential(activation: …), Rounds(…)"));
    }
    if matches!(locks, Some(Locks::Messages { .. })) && count > AMOEBOT_MESSAGE_NODES {
        return Err(refused(format!("{count} amoebots that lock by messages"))
            .accepting(format!("up to {AMOEBOT_MESSAGE_NODES}, or locks: TryLocks")));
    }
    Ok(())
}

/// Steps between two counts: about so many that everybody acts once.
fn checked_counts_every(document: &AmoebotDocument, count: u64) -> Result<u64, DocumentError> {
    let scenario = document.scenario();
    match scenario.observe.counts_every {
        Some(every) if *every > 0 => Ok(*every),
        Some(_) => Err(document
            .error("observe.counts_every", "counts are at least one step apart")
            .accepting("1 or more")),
        None => Ok(match scenario.execution {
            Execution::Waves | Execution::Rounds(_) => count.div_ceil(AMOEBOTS_A_WAVE),
            _ if is_tiled(&scenario.amoebots.algorithm) => 1,
            _ => count,
        }),
    }
}

/// When pictures are made, each moment once, in order.
fn checked_moments(document: &AmoebotDocument) -> Result<Vec<u64>, DocumentError> {
    let written = &document.scenario().observe.pictures_at;
    if written.len() > AMOEBOT_PICTURES {
        return Err(document
            .error("observe.pictures_at", format!("{} moments", written.len()))
            .accepting(format!("up to {AMOEBOT_PICTURES}")));
    }
    let mut moments: Vec<u64> = written.iter().map(|moment| **moment).collect();
    moments.sort_unstable();
    moments.dedup();
    Ok(moments)
}

/// The limit on steps. A concurrent run keeps a log, and so has one always.
fn checked_steps(document: &AmoebotDocument) -> Result<Option<u64>, DocumentError> {
    let scenario = document.scenario();
    let written = scenario.limits.steps.map(|steps| *steps);
    if !matches!(scenario.execution, Execution::Concurrent { .. }) {
        return Ok(written);
    }
    let stop = match scenario.stop {
        Stop::Steps(steps) => Some(("stop", *steps)),
        Stop::Terminated => None,
    };
    let too_many = written.map(|steps| ("limits.steps", steps)).into_iter().chain(stop);
    match too_many.into_iter().find(|(_, steps)| *steps > AMOEBOT_CONCURRENT_STEPS) {
        Some((path, steps)) => Err(document
            .error(path, format!("{steps} steps of a concurrent run, which keeps a log"))
            .accepting(format!("up to {AMOEBOT_CONCURRENT_STEPS}"))),
        None => Ok(Some(written.unwrap_or(AMOEBOT_CONCURRENT_STEPS))),
    }
}

fn checked_states(document: &AmoebotDocument) -> Result<usize, DocumentError> {
    match document.scenario().limits.states {
        None => Ok(AMOEBOT_STATES),
        Some(states) => match usize::try_from(*states) {
            Ok(states @ 1..=AMOEBOT_STATES_MAX) => Ok(states),
            _ => Err(document
                .error("limits.states", format!("{} states", *states))
                .accepting(format!("1 to {AMOEBOT_STATES_MAX}"))),
        },
    }
}
