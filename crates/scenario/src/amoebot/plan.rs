//! [`AmoebotPlan`]: a checked scenario of amoebots.

use acrasin_catalogue::counted;
use std::path::Path;
use std::sync::Arc;

use acrasin_amoebot::Shape;
use acrasin_amoebot::algorithm::crash::{Crash, Crashing};
use acrasin_amoebot::algorithm::description::Placement;
use acrasin_amoebot::algorithm::description::{AnyDescription, Description as _};
use acrasin_amoebot::algorithm::{Algorithm as _, Looks};
use acrasin_amoebot::chain::bridging::landscape::Landscape;
use acrasin_amoebot::chain::{ChainDescription, ChainStart, Colouring};
use acrasin_amoebot::library::catalogue::{Visitor, visit};
use acrasin_amoebot::library::entry::ChosenAlgorithm;
use acrasin_amoebot::library::table::algorithm::TableAlgorithm;
use acrasin_amoebot::start::CELLS_MAX;
use acrasin_runtime::choice::{Choices, Seeded};
use acrasin_verify::replay::Header;

use super::drawing::DrawnStart;
use super::memory::AmoebotMemorySize;
use super::recorded_start::{Making, RecordedMoment, RecordedStart};
use super::scenario::{
    AmoebotFault, AmoebotStart, AmoebotStop, ConcurrencySetting, ExecutionKind, ListedLoss, LocksSetting,
    ObjectSetting, Orientations,
};
use super::{AmoebotDocument, algorithm, exclusion, object, placement};
use crate::document::ScenarioFields;
use crate::exclusion::ResolvedExclusion as Carrier;
use crate::limits::{
    AMOEBOT_CONCURRENT_STEPS, AMOEBOT_ISOLATION, AMOEBOT_MESSAGE_NODES, AMOEBOT_PICTURES, AMOEBOT_STATES,
    AMOEBOT_STATES_MAX, MEMORY_BYTES,
};
use crate::run::{PlanHeader, RunError, ScenarioSource};
use crate::{Catalogue, DocumentError};

/// The divisor of the default sampling distance in waves and rounds: n amoebots are sampled every n / 100 steps,
/// because one wave activates many amoebots.
const AMOEBOTS_A_WAVE: u64 = 100;
/// The divisor of the default sampling distance in tiles: n amoebots are sampled every n / 2500 windows, because many
/// amoebots act many times in a window. With four times as many samples, hexagon formation spends 4 % of its time on
/// sampling while the other threads wait.
const AMOEBOTS_A_WINDOW: u64 = 2_500;

/// A scenario of amoebots whose parts fit together, made by [`AmoebotPlan::new`] or [`AmoebotPlan::for_check`].
///
/// A plan is read-only: any number of runs, on any number of threads, can start from it.
#[derive(Clone, Debug)]
pub struct AmoebotPlan {
    pub(crate) header: PlanHeader,
    pub(super) algorithm: Arc<ChosenAlgorithm>,
    pub(super) start: AmoebotStart,
    /// The object of a coating, if it is not part of the drawing.
    object: Option<ObjectSetting>,
    /// The parts of a drawing that the algorithm uses, or the landscape; `None` for other starts.
    drawing: Option<DrawnStart>,
    /// The start, if it is a moment of a recording.
    moment: Option<RecordedMoment>,
    pub(super) faults: Vec<AmoebotFault>,
    pub(super) count: usize,
    pub(super) seed_position: usize,
    pub(super) orientations: Orientations,
    pub(super) execution: ExecutionKind,
    /// The mutual exclusion algorithm, if it is not local mutual exclusion.
    pub(super) exclusion: Option<Carrier>,
    pub(super) stop: AmoebotStop,
    pub(super) steps_max: Option<u64>,
    pub(super) states_max: usize,
    pub(super) counts_every: u64,
    /// Whether the shape is measured with each sample.
    pub(super) counts_shape: bool,
    /// The steps after which pictures are made, in ascending order.
    pub(super) pictures_at: Vec<u64>,
    /// The variable that colours pictures in place of the state.
    pub(super) colour: Option<usize>,
}

impl AmoebotPlan {
    /// Checks everything that `document` says, for a run. `base` is the folder that paths in the scenario are relative
    /// to.
    ///
    /// A start that does not depend on the seed is built here as a check.
    ///
    /// # Errors
    ///
    /// The first mistake, with its position: counts and parameters out of range; a start that the algorithm refuses,
    /// with the cells concerned; orientations or an execution that the algorithm does not support; a run without an
    /// end; a start that is only for checks; a drawing that cannot be read, with its line and column; or estimated
    /// memory above [`MEMORY_BYTES`].
    pub fn new(document: &AmoebotDocument, base: &Path) -> Result<Self, DocumentError> {
        Self::with_catalogue(&Catalogue::shipped(), document, base)
    }

    /// Does the same as [`new`](Self::new), with the entries of `catalogue`.
    ///
    /// # Errors
    ///
    /// As for [`new`](Self::new).
    pub fn with_catalogue(
        catalogue: &Catalogue,
        document: &AmoebotDocument,
        base: &Path,
    ) -> Result<Self, DocumentError> {
        Self::within(catalogue, document, base, MEMORY_BYTES)
    }

    /// The plan of a recorded run or check with this header. A run may take `memory` bytes.
    ///
    /// # Errors
    ///
    /// As for [`new`](Self::new) or [`for_check`](Self::for_check).
    pub fn of_recording(
        catalogue: &Catalogue,
        (document, header): (&AmoebotDocument, &Header),
        base: &Path,
        memory: u64,
    ) -> Result<Self, DocumentError> {
        match header.check {
            Some(_) => Self::for_check_within(Making { catalogue, memory, depth: 0 }, document, base),
            None => Self::within(catalogue, document, base, memory),
        }
    }

    /// Does the same as [`with_catalogue`](Self::with_catalogue), with a memory limit of `memory` bytes.
    ///
    /// # Errors
    ///
    /// As for [`new`](Self::new), with this limit in place of [`MEMORY_BYTES`].
    pub fn within(
        catalogue: &Catalogue,
        document: &AmoebotDocument,
        base: &Path,
        memory: u64,
    ) -> Result<Self, DocumentError> {
        let plan = Self::of(Making { catalogue, memory, depth: 0 }, document, base)?;
        if matches!(plan.start, AmoebotStart::AllConnected { .. }) {
            let message = "AllConnected is a set of starts, and a run needs one start";
            return Err(document.error("amoebots.start", message).accepting(
                "Line, Hexagon, Blob, RandomTree, HoleFree, Ring, Column, Heap, Layer, Drawing, VShape, NShape, Cells, Amoebots, Recorded; AllConnected is for \
                 `acrasin check`",
            ));
        }
        if !plan.algorithm.needs().terminates && plan.stop == AmoebotStop::Terminated {
            let name = plan.algorithm.title();
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
    /// As for [`new`](Self::new), except that `AllConnected` is accepted as a start. Also refuses an algorithm that
    /// never terminates, and an execution in tiles.
    pub fn for_check(document: &AmoebotDocument, base: &Path) -> Result<Self, DocumentError> {
        Self::for_check_with(&Catalogue::shipped(), document, base)
    }

    /// Does the same as [`for_check`](Self::for_check), with the entries of `catalogue`.
    ///
    /// # Errors
    ///
    /// As for [`for_check`](Self::for_check).
    pub fn for_check_with(
        catalogue: &Catalogue,
        document: &AmoebotDocument,
        base: &Path,
    ) -> Result<Self, DocumentError> {
        Self::for_check_within(Making { catalogue, memory: MEMORY_BYTES, depth: 0 }, document, base)
    }

    fn for_check_within(
        making: Making<'_>,
        document: &AmoebotDocument,
        base: &Path,
    ) -> Result<Self, DocumentError> {
        let plan = Self::of(making, document, base)?;
        let (name, needs) = (plan.algorithm.title(), plan.algorithm.needs());
        if !needs.terminates {
            let message = format!("{name} never terminates: there is no final configuration to check");
            return Err(document
                .error("amoebots.algorithm", message)
                .accepting("an algorithm that terminates (`acrasin list amoebots`)"));
        }
        if plan.faults.iter().any(|fault| fault.crashes().is_none()) {
            let message = "a check explores outcomes of coins, and no lost beeps";
            return Err(document.error("faults", message).accepting("no faults; or `acrasin run`"));
        }
        if needs.object && matches!(plan.start, AmoebotStart::AllConnected { .. }) {
            return Err(document.error("amoebots.start", format!("{name} needs an object")).accepting(
                "Drawing(path: …), with '#' for the object; Column, Heap, Layer or Cells with an object",
            ));
        }
        let message = match plan.execution {
            ExecutionKind::Tiles => {
                "windows of tiles have only one order, so there are no schedules to check"
            }
            _ => return Ok(plan),
        };
        Err(document.error("execution", message).accepting(
            "Sequential, Concurrent(locks: TryLocks), Concurrent(locks: Messages(…)), Waves, Rounds(…) for a check",
        ))
    }

    fn of(making: Making<'_>, document: &AmoebotDocument, base: &Path) -> Result<Self, DocumentError> {
        let Making { catalogue, memory, .. } = making;
        let scenario = document.scenario();
        let written = &scenario.amoebots;
        let (algorithm, spelled) = algorithm::chosen(document, catalogue.amoebots(), base)?;
        let drawing = DrawnStart::of(document, base, &algorithm, catalogue.amoebots())?;
        object::check(document, &algorithm, catalogue.amoebots())?;
        check_written_amoebots(document, &algorithm)?;
        let moment =
            RecordedMoment::of(document, base, (&algorithm, &spelled), making, &Self::recorded_start)?;
        let count = match (&drawing, &moment) {
            (Some(drawing), _) => drawing.cells.len(),
            (None, Some(moment)) => moment.system.len(),
            (None, None) => checked_count(document, &written.start)?,
        };
        let drawn_seed = drawing.as_ref().and_then(|drawing| drawing.seed);
        let seed_position = match &moment {
            Some(moment) if written.seed_position.is_none() => moment.seed_position,
            Some(_) => {
                return Err(document
                    .error("amoebots.seed_position", "the recording determines the seed")
                    .accepting("no seed_position"));
            }
            None => checked_seed_position(document, &algorithm, count, drawn_seed)?,
        };
        check_faults(document, &algorithm, count)?;
        check_orientations(document, &algorithm)?;
        check_execution(document, &algorithm, count)?;
        let exclusion = exclusion::check(document, catalogue.exclusions(), &algorithm, base)?;
        let object = match (&drawing, &moment) {
            (Some(drawing), _) => drawing.object.len(),
            (None, Some(moment)) => moment.system.object().len(),
            (None, None) => written.object.as_ref().map_or(0, object::count),
        };
        let (exclusion, carrier) =
            exclusion.map_or((None, None), |(written, carrier)| (Some(written), carrier));
        let size = AmoebotMemorySize::of(&algorithm, count, object, (scenario.execution, carrier.is_some()));
        size.check(document, memory)?;
        let spelled = ScenarioFields::of(scenario).with(algorithm::PATH, spelled);
        let spelled = match exclusion {
            Some(exclusion) => spelled.with(exclusion::PATH, exclusion),
            None => spelled,
        };
        let title = scenario.title.clone().unwrap_or_else(|| algorithm.title().to_owned());
        let source = ScenarioSource::new(document, base, spelled.section(Vec::new()));
        let has_tiles = matches!(scenario.execution, ExecutionKind::Waves | ExecutionKind::Tiles);
        let header = PlanHeader {
            bytes: size.bytes(),
            counted: if algorithm.chain().is_some() { "edges" } else { "amoebots" },
            uses_threads: has_tiles || is_tiled(&algorithm) || algorithm.synchronous().is_some(),
            ..PlanHeader::new(title, scenario.seed.map(|seed| *seed), source)
        };
        let mut plan = Self {
            header,
            start: written.start.clone(),
            object: written.object.clone(),
            drawing,
            moment,
            faults: scenario.faults.clone(),
            count,
            seed_position,
            orientations: written.orientations,
            execution: scenario.execution,
            exclusion: carrier,
            stop: scenario.stop,
            steps_max: checked_steps(document)?,
            states_max: checked_states(document)?,
            counts_every: checked_counts_every(document, &algorithm, count as u64)?,
            colour: checked_colour(document, &algorithm)?,
            algorithm: Arc::new(algorithm),
            counts_shape: scenario.observe.shape,
            pictures_at: checked_moments(document)?,
        };
        plan.header.parameters = plan.resolved();
        if !plan.draws_cells() && !matches!(plan.start, AmoebotStart::AllConnected { .. }) {
            let refused = |message| document.error("amoebots.start", message);
            let placement = plan.placement(&mut Seeded::new(0)).map_err(refused)?;
            plan.try_start(&placement).map_err(refused)?;
        }
        if let (Some(carrier), false) =
            (&plan.exclusion, matches!(plan.start, AmoebotStart::AllConnected { .. }))
        {
            // A random start is checked as drawn from the scenario's seed; with another seed the algorithm may refuse
            // it at the start of a run.
            let drawn = plan.placement(&mut Seeded::new(plan.header.seed.unwrap_or(0)));
            if let Ok(placement) = drawn {
                exclusion::check_start(document, carrier, &plan.algorithm, &placement)?;
            }
        }
        Ok(plan)
    }

    /// Returns the start configuration of a recorded run: plans its scenario and draws the placement from `seed`.
    fn recorded_start(
        making: Making<'_>,
        document: &AmoebotDocument,
        base: &Path,
        seed: u64,
    ) -> Result<RecordedStart, DocumentError> {
        let plan = Self::of(making, document, base)?;
        let has_actions =
            plan.algorithm.any().is_some() && !matches!(plan.execution, ExecutionKind::Rounds(_));
        let refused = |message| document.error("amoebots.start", message);
        if matches!(plan.start, AmoebotStart::AllConnected { .. }) {
            let message =
                "the recorded scenario starts from AllConnected, a set of starts, and a run needs one start";
            return Err(refused(message.to_owned()));
        }
        let placement = plan.placement(&mut Seeded::new(seed)).map_err(refused)?;
        Ok(RecordedStart { placement, seed_position: plan.seed_position, has_actions })
    }

    /// Whether the start depends on the seed.
    #[must_use]
    pub fn draws(&self) -> bool {
        let colours = self.algorithm.chain().and_then(ChainDescription::colouring) == Some(Colouring::Random);
        let is_drawn = |fault: &AmoebotFault| fault.crashes().is_some_and(|(_, drawn)| drawn.is_some());
        self.draws_cells()
            || self.orientations != Orientations::Common
            || colours
            || self.faults.iter().any(is_drawn)
    }

    fn draws_cells(&self) -> bool {
        placement::is_drawn(&self.start) || self.object.as_ref().is_some_and(object::is_drawn)
    }

    fn resolved(&self) -> Vec<(String, String)> {
        let needs = self.algorithm.needs();
        let mut parameters = vec![
            ("algorithm", self.algorithm.title().to_owned()),
            ("amoebots", self.count.to_string()),
            ("orientations", format!("{:?}", self.orientations)),
            ("execution", self.execution_words()),
            ("counts every", counted(self.counts_every, "step")),
        ];
        if let Some(exclusion) = &self.exclusion {
            parameters.push(("exclusion", exclusion.words().to_owned()));
        }
        if needs.seed {
            parameters.push(("seed position", self.seed_position.to_string()));
        }
        if let Some(most) = self.steps_max {
            parameters.push(("at most", counted(most, "step")));
        }
        parameters.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
    }

    fn execution_words(&self) -> String {
        match self.algorithm.synchronous() {
            Some(_) => "synchronous rounds".to_owned(),
            None => format!("{:?}", self.execution),
        }
    }

    /// Calls `with` with the algorithm, type-erased, including the faults of the scenario; `None` if the algorithm has
    /// no actions.
    pub(super) fn erased<R>(&self, with: impl FnOnce(&AnyDescription<'_>) -> R) -> Option<R> {
        let any = self.algorithm.any()?;
        if self.faults.is_empty() {
            return Some(with(&any));
        }
        let kinds: Vec<Crash> = self.faults.iter().filter_map(placement::kind_of).collect();
        Some(with(&Crashing::new(&any, &kinds).any()))
    }

    /// Lets the visitor visit the algorithm, including the faults of the scenario.
    pub(super) fn visit<V: Visitor>(&self, visitor: V) -> Option<V::Output> {
        if self.faults.is_empty() {
            return visit(&self.algorithm, visitor);
        }
        self.erased(|any| visitor.visit(any))
    }

    /// The placement of the amoebots and the crashes among them.
    ///
    /// # Errors
    ///
    /// The draws give no valid start.
    pub(super) fn placement(&self, choices: &mut dyn Choices) -> Result<Placement, String> {
        if let Some(RecordedMoment { system, .. }) = &self.moment {
            let cells = system.ids().map(|id| system.body(id).head()).collect();
            return Ok(Placement {
                cells,
                seed: self.seed_position,
                object: system.object().to_vec(),
                moment: Some(system.clone()),
                crashes: placement::crashes(&self.faults, system.len(), choices),
                ..Placement::default()
            });
        }
        let (cells, object, colours) = match self.drawing.clone() {
            Some(DrawnStart { cells, object, colours, .. }) => (cells, object, colours),
            None => {
                let object =
                    self.object.as_ref().map_or(Ok(Vec::new()), |written| object::cells(written, choices))?;
                let beside = object::beside(&object, &self.start, choices);
                (beside.unwrap_or_else(|| placement::cells(&self.start, choices))?, object, None)
            }
        };
        let orientations = placement::orientations(self.orientations, cells.len(), choices);
        let colouring = self.algorithm.chain().and_then(ChainDescription::colouring);
        let colours = colours.or_else(|| {
            let among = self.algorithm.needs().colours?;
            Some(placement::colours(colouring?, among, cells.len(), choices))
        });
        let mut placement = Placement {
            seed: self.seed_position,
            orientations,
            object,
            colours,
            crashes: placement::crashes(&self.faults, cells.len(), choices),
            lost_beeps: placement::lost_beeps(&self.faults),
            cells,
            ..Placement::default()
        };
        if let AmoebotStart::Amoebots(amoebots) = &self.start {
            placement::written(amoebots, &mut placement)?;
        }
        Ok(placement)
    }

    /// The cells of land and of the gap, for bridging.
    pub(super) fn landscape(&self) -> Option<&Landscape> {
        self.drawing.as_ref()?.landscape.as_ref()
    }

    fn try_start(&self, placement: &Placement) -> Result<(), String> {
        if let Some(description) = self.algorithm.synchronous() {
            return description.start(placement, 0).map(drop);
        }
        match self.algorithm.any() {
            Some(description) => description.begin(placement).map(|_| ()),
            None => {
                let chain = self.algorithm.chain().expect("amoebots act, or it is a chain");
                let start = ChainStart { placement, landscape: self.landscape(), seed: 0 };
                chain.check(start).map_err(|error| error.to_string())
            }
        }
    }

    /// The error that a start drawn from this seed is not accepted.
    pub(super) fn drawn(seed: u64, message: impl Into<String>) -> RunError {
        RunError::drawn(seed, message)
    }
}

fn checked_count(document: &AmoebotDocument, start: &AmoebotStart) -> Result<usize, DocumentError> {
    let (path, most) = match start {
        AmoebotStart::Cells(_) | AmoebotStart::Amoebots(_) => ("amoebots.start", CELLS_MAX),
        AmoebotStart::AllConnected { .. } => ("amoebots.start.count", Shape::LISTED_CELLS_MAX),
        AmoebotStart::Ring { hole_side, width } => {
            for (name, cells) in [("hole_side", **hole_side), ("width", **width)] {
                if cells == 0 {
                    let path = format!("amoebots.start.{name}");
                    return Err(document.error(&path, format!("{name} is 0")).accepting("1 or more"));
                }
            }
            ("amoebots.start", CELLS_MAX)
        }
        AmoebotStart::Line { .. }
        | AmoebotStart::Hexagon { .. }
        | AmoebotStart::Blob { .. }
        | AmoebotStart::RandomTree { .. }
        | AmoebotStart::HoleFree { .. }
        | AmoebotStart::Column { .. }
        | AmoebotStart::Heap { .. }
        | AmoebotStart::Layer { .. } => ("amoebots.start.count", CELLS_MAX),
        AmoebotStart::Drawing { .. }
        | AmoebotStart::VShape { .. }
        | AmoebotStart::NShape { .. }
        | AmoebotStart::Recorded { .. } => {
            unreachable!("what is drawn or recorded counts its own")
        }
    };
    let count = placement::count(start);
    if (1..=most).contains(&count) {
        return Ok(count);
    }
    Err(document.error(path, counted(count, "amoebot")).accepting(format!("1 to {most}")))
}

fn checked_seed_position(
    document: &AmoebotDocument,
    algorithm: &ChosenAlgorithm,
    count: usize,
    drawn: Option<usize>,
) -> Result<usize, DocumentError> {
    let written = &document.scenario().amoebots;
    let Some(position) = written.seed_position else { return Ok(drawn.unwrap_or(0)) };
    let refused = |message: String| document.error("amoebots.seed_position", message);
    if !algorithm.needs().seed {
        return Err(refused(format!("{} has no seed: all amoebots are alike", algorithm.title()))
            .accepting("no seed_position"));
    }
    if matches!(written.start, AmoebotStart::AllConnected { .. }) {
        return Err(
            refused("a check of all shapes takes every position".into()).accepting("no seed_position")
        );
    }
    if drawn.is_some() {
        return Err(refused("the drawing already has a seed, '@'".into()).accepting("only one of the two"));
    }
    match usize::try_from(*position) {
        Ok(position) if position < count => Ok(position),
        _ => Err(refused(format!("position {} of {}", *position, counted(count, "cell")))
            .accepting(format!("0 to {}", count - 1))),
    }
}

/// Checks that tails and memories are written only for an algorithm whose variables the scenario can name.
fn check_written_amoebots(
    document: &AmoebotDocument,
    algorithm: &ChosenAlgorithm,
) -> Result<(), DocumentError> {
    let AmoebotStart::Amoebots(amoebots) = &document.scenario().amoebots.start else { return Ok(()) };
    let name = algorithm.title();
    let is_of_file = algorithm.of::<TableAlgorithm>().is_some();
    for (at, amoebot) in amoebots.iter().enumerate() {
        let refused = |field: &str, message: String, accepted: &str| {
            Err(document.error(&format!("amoebots.start[{at}].{field}"), message).accepting(accepted))
        };
        if algorithm.chain().is_some() && (amoebot.port_1.is_some() || amoebot.clockwise) {
            return refused("port_1", format!("in {name} no amoebot has ports"), "head alone");
        }
        let accepted =
            "an algorithm from a file; or start: Recorded(path: …), a configuration of a recorded run";
        if amoebot.tail.is_some() && !is_of_file {
            return refused("tail", format!("{name} starts with contracted amoebots"), accepted);
        }
        if !amoebot.memory.is_empty() && !is_of_file {
            return refused("memory", format!("the variables of {name} cannot be set"), accepted);
        }
    }
    Ok(())
}

fn check_faults(
    document: &AmoebotDocument,
    algorithm: &ChosenAlgorithm,
    count: usize,
) -> Result<(), DocumentError> {
    let mut left = count as u64;
    for (at, fault) in document.scenario().faults.iter().enumerate() {
        let refused = |field: &str, message: String| document.error(&format!("faults[{at}]{field}"), message);
        let Some((amoebots, drawn)) = fault.crashes() else {
            check_lost_beeps(algorithm, (fault, count), &refused)?;
            if document.scenario().faults.len() > 1 {
                let message = "beeps are lost in more than one manner".to_owned();
                return Err(refused("", message).accepting("one of LostBeeps and LostBeepsAt"));
            }
            continue;
        };
        if algorithm.any().is_none() {
            let message = format!("in {} no amoebot acts by itself, so none crashes", algorithm.title());
            let on_circuits = algorithm.synchronous().is_some();
            let accepted = if on_circuits { "LostBeeps, LostBeepsAt, or no faults" } else { "no faults" };
            return Err(refused("", message).accepting(accepted));
        }
        if let Some(position) = amoebots.iter().find(|position| ***position >= count as u64) {
            return Err(refused(
                ".amoebots",
                format!("position {} of {}", **position, counted(count, "amoebot")),
            )
            .accepting(format!("0 to {}", count - 1)));
        }
        let crashed = (amoebots.len() as u64).saturating_add(drawn.map_or(0, |drawn| *drawn));
        if crashed == 0 {
            return Err(refused("", "no amoebot crashes".to_owned())
                .accepting("amoebots: [positions], drawn: a number, or both"));
        }
        left = left.checked_sub(crashed).ok_or_else(|| {
            refused("", format!("more crashes than {}", counted(count, "amoebot")))
                .accepting("each amoebot crashes at most once")
        })?;
    }
    Ok(())
}

/// Checks a fault that loses beeps of `count` amoebots. `refused` makes an error at a field of the fault.
fn check_lost_beeps(
    algorithm: &ChosenAlgorithm,
    (fault, count): (&AmoebotFault, usize),
    refused: &dyn Fn(&str, String) -> DocumentError,
) -> Result<(), DocumentError> {
    if algorithm.synchronous().is_none() {
        let message = format!("in {} no amoebot beeps, so no beep is lost", algorithm.title());
        return Err(refused("", message).accepting("an algorithm on circuits (`acrasin list amoebots`)"));
    }
    let AmoebotFault::LostBeepsAt { losses } = fault else { return Ok(()) };
    if losses.is_empty() {
        return Err(refused(".losses", "no beep is lost".to_owned())
            .accepting("losses: [(round: 1, amoebot: 0)], a list of rounds and amoebots"));
    }
    for (number, ListedLoss { round, amoebot }) in losses.iter().enumerate() {
        if **round == 0 {
            return Err(
                refused(&format!(".losses[{number}].round"), "round 0".to_owned()).accepting("1 or more")
            );
        }
        if **amoebot >= count as u64 {
            let message = format!("position {} of {}", **amoebot, counted(count, "amoebot"));
            return Err(refused(&format!(".losses[{number}].amoebot"), message)
                .accepting(format!("0 to {}", count - 1)));
        }
    }
    Ok(())
}

fn check_orientations(document: &AmoebotDocument, algorithm: &ChosenAlgorithm) -> Result<(), DocumentError> {
    let written = &document.scenario().amoebots;
    let name = algorithm.title();
    let refused = |message: String, accepted: &str| {
        Err(document.error("amoebots.orientations", message).accepting(accepted))
    };
    let is_mixed = matches!(written.orientations, Orientations::CommonDirection | Orientations::Assorted);
    if matches!(written.start, AmoebotStart::Amoebots(_) | AmoebotStart::Recorded { .. })
        && written.orientations != Orientations::Common
    {
        return refused("the start already determines the orientations".to_owned(), "no orientations");
    }
    if algorithm.chain().is_some() && written.orientations != Orientations::Common {
        return refused(format!("in {name} no amoebot has ports"), "Common");
    }
    if algorithm.needs().common_chirality && is_mixed {
        return refused(format!("{name} needs common chirality"), "Common, CommonChirality");
    }
    Ok(())
}

fn is_tiled(algorithm: &ChosenAlgorithm) -> bool {
    algorithm.chain().is_some_and(ChainDescription::is_parallel)
}

fn check_execution(
    document: &AmoebotDocument,
    algorithm: &ChosenAlgorithm,
    count: usize,
) -> Result<(), DocumentError> {
    let scenario = document.scenario();
    let name = algorithm.title();
    let uniform = ExecutionKind::default();
    let refused = |message: String| document.error("execution", message);
    if algorithm.chain().is_some() && scenario.execution != uniform {
        let message = format!("{name} is a Markov chain, whose steps are defined by the algorithm");
        let layouts = algorithm.entry().words_of("layout").map(|words| words.join(", "));
        let further =
            layouts.map_or_else(String::new, |words| format!("; in the algorithm, layout: {words}"));
        return Err(refused(message).accepting(format!("Sequential, or no execution{further}")));
    }
    if algorithm.synchronous().is_some() && scenario.execution != uniform {
        let message = format!("{name} has synchronous rounds, which the algorithm defines");
        return Err(refused(message).accepting("no execution"));
    }
    let locks = match scenario.execution {
        ExecutionKind::Sequential { .. } => return Ok(()),
        ExecutionKind::Rounds(concurrency) => {
            return match concurrency {
                ConcurrencySetting::Isolated(distance) if *distance > AMOEBOT_ISOLATION => {
                    Err(refused(format!("isolation at distance {}", *distance))
                        .accepting(format!("0 to {AMOEBOT_ISOLATION}")))
                }
                _ => Ok(()),
            };
        }
        ExecutionKind::Waves | ExecutionKind::Tiles => None,
        ExecutionKind::Concurrent { locks } => Some(locks),
    };
    let looks = algorithm.any().map(|description| description.algorithm().looks());
    if locks.is_some() && looks == Some(Looks::Beyond) {
        return Err(refused(format!(
            "in {name} amoebots read beyond their neighbours, but these locks only cover neighbours"
        ))
        .accepting("Sequential(activation: …), Waves, Tiles, Rounds(…)"));
    }
    if matches!(locks, Some(LocksSetting::Messages { .. })) && count > AMOEBOT_MESSAGE_NODES {
        return Err(refused(format!("{count} amoebots that lock by messages"))
            .accepting(format!("up to {AMOEBOT_MESSAGE_NODES}, or locks: TryLocks")));
    }
    Ok(())
}

/// The number of steps between two samples: by default about one step per amoebot.
fn checked_counts_every(
    document: &AmoebotDocument,
    algorithm: &ChosenAlgorithm,
    count: u64,
) -> Result<u64, DocumentError> {
    let scenario = document.scenario();
    match scenario.observe.counts_every {
        Some(every) if *every > 0 => Ok(*every),
        Some(_) => Err(document
            .error("observe.counts_every", "the distance between two counts is 0 steps")
            .accepting("1 or more")),
        None => Ok(match scenario.execution {
            ExecutionKind::Waves | ExecutionKind::Rounds(_) => count.div_ceil(AMOEBOTS_A_WAVE),
            ExecutionKind::Tiles => count.div_ceil(AMOEBOTS_A_WINDOW),
            _ if is_tiled(algorithm) || algorithm.synchronous().is_some() => 1,
            _ => count,
        }),
    }
}

/// The steps at which pictures are made, each once, in ascending order.
fn checked_moments(document: &AmoebotDocument) -> Result<Vec<u64>, DocumentError> {
    let written = &document.scenario().observe.pictures_at;
    if written.len() > AMOEBOT_PICTURES {
        return Err(document
            .error("observe.pictures_at", format!("{} moments", written.len()))
            .accepting(format!("up to {AMOEBOT_PICTURES}")));
    }
    let mut moments: Vec<u64> = written.iter().map(|moment| **moment).collect();
    if let Some(every) = document.scenario().observe.pictures_every {
        if *every == 0 {
            let path = "observe.pictures_every";
            return Err(document
                .error(path, "the distance between two pictures is 0 steps")
                .accepting("1 or more"));
        }
        let room = (AMOEBOT_PICTURES - moments.len()) as u64;
        moments.extend((1..=room).map_while(|picture| every.checked_mul(picture)));
    }
    moments.sort_unstable();
    moments.dedup();
    Ok(moments)
}

/// The variable that colours pictures in place of the state.
fn checked_colour(
    document: &AmoebotDocument,
    algorithm: &ChosenAlgorithm,
) -> Result<Option<usize>, DocumentError> {
    let Some(written) = &document.scenario().observe.colour else { return Ok(None) };
    if written == "state" {
        return Ok(None);
    }
    let description = algorithm.any();
    let variables = description.as_ref().map_or(&[][..], |description| description.facts().variables);
    match variables.iter().position(|variable| variable == written) {
        Some(variable) => Ok(Some(variable)),
        None => {
            let accepted: Vec<&str> = std::iter::once("state").chain(variables.iter().copied()).collect();
            let what = format!("{} has no variable \"{written}\"", algorithm.title());
            Err(document.error("observe.colour", what).accepting(accepted.join(", ")))
        }
    }
}

/// The limit on steps. A concurrent run always has one, because it keeps a log.
fn checked_steps(document: &AmoebotDocument) -> Result<Option<u64>, DocumentError> {
    let scenario = document.scenario();
    let written = scenario.limits.steps.map(|steps| *steps);
    if !matches!(scenario.execution, ExecutionKind::Concurrent { .. }) {
        return Ok(written);
    }
    let stop = match scenario.stop {
        AmoebotStop::Steps(steps) => Some(("stop", *steps)),
        AmoebotStop::Terminated => None,
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
