//! [`CircuitProcess`]: a run as a [`Process`], for drivers that do not know circuits.

use std::borrow::Cow;
use std::fmt;
use std::hash::Hasher as _;

use acrasin_amoebot::algorithm::description::{AlgorithmFigure, Further};
use acrasin_amoebot::algorithm::synchronous::{PinState, SynchronousRun};
use acrasin_amoebot::{Body, Cell};
use acrasin_process::{
    Advance, Condition, Ending, Goal, Measure, Metric, Process, Progress, RestoreError, RunBound,
};
use acrasin_runtime::pack::Saved as _;
use acrasin_runtime::{Digest, Pack as _, PackError};

use crate::joint::BondSides;
use crate::round::{CircuitRun, RoundTable, RunTrouble};

/// The result of a run that has ended: whether it is correct, and figures for its report.
#[derive(Clone, PartialEq, Debug)]
pub struct CircuitResult {
    /// Whether the result is the one that the algorithm guarantees.
    pub is_right: bool,
    /// The figures of the result in a report.
    pub figures: Vec<AlgorithmFigure>,
}

/// Compares the result of a run with the result that is computed from its start.
pub type Oracle<A> = Box<dyn Fn(&CircuitRun<A>) -> CircuitResult>;

/// A run of an algorithm that a driver advances round by round. A conflict of movements, or a list of coins that is too
/// short, ends the run as a violation. A wrong result ends it as a failure.
pub struct CircuitProcess<A: RoundTable> {
    run: CircuitRun<A>,
    title: String,
    oracle: Option<Oracle<A>>,
    /// The result, once the run has ended.
    result: Option<CircuitResult>,
    trouble: Option<RunTrouble>,
    figures: CircuitTotals,
}

/// Sums over the rounds of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct CircuitTotals {
    sent: u64,
    movements: u64,
    bonds: u64,
}

acrasin_runtime::pack_fields!(CircuitTotals { sent, movements, bonds });

impl<A: RoundTable> fmt::Debug for CircuitProcess<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CircuitProcess")
            .field("title", &self.title)
            .field("result", &self.result)
            .field("trouble", &self.trouble)
            .field("figures", &self.figures)
            .finish_non_exhaustive()
    }
}

impl<A: RoundTable> CircuitProcess<A> {
    /// The process of a run. `title` names the algorithm in the ending.
    #[must_use]
    pub fn new(run: CircuitRun<A>, title: impl Into<String>) -> Self {
        let (oracle, result, trouble) = (None, None, None);
        Self { run, title: title.into(), oracle, result, trouble, figures: CircuitTotals::default() }
    }

    /// This process with an oracle that decides whether its result is correct.
    #[must_use]
    pub fn with_oracle(self, oracle: Oracle<A>) -> Self {
        let mut process = Self { oracle: Some(oracle), ..self };
        process.conclude();
        process
    }

    /// The run that the process advances.
    #[must_use]
    pub fn run(&self) -> &CircuitRun<A> {
        &self.run
    }

    /// The result of a run that has ended; `None` before the end, or without an oracle.
    #[must_use]
    pub fn result(&self) -> Option<&CircuitResult> {
        self.result.as_ref()
    }

    fn has_ended(&self) -> bool {
        self.run.rounds().iter().all(Option::is_none)
    }

    /// Determines the result, if the run has ended.
    fn conclude(&mut self) {
        self.result = None;
        if self.trouble.is_none() && self.has_ended() {
            self.result = self.oracle.as_ref().map(|oracle| oracle(&self.run));
        }
    }

    fn load(&mut self, from: &mut &[u8]) -> Result<(), PackError> {
        self.run.load(from)?;
        self.figures.unpack_into(from)?;
        if bool::unpack(from)? {
            self.run.load_shown(from)?;
        }
        self.trouble = None;
        self.conclude();
        if from.is_empty() { Ok(()) } else { Err(PackError) }
    }

    /// The state with the beeps and bonds that pictures show.
    fn saved(&self) -> Vec<u8> {
        let mut bytes = self.state();
        let is_shown = self.run.is_shown();
        is_shown.pack(&mut bytes);
        if is_shown {
            self.run.save_shown(&mut bytes);
        }
        bytes
    }

    /// The state of a checkpoint, without the digest that is appended to it.
    fn state(&self) -> Vec<u8> {
        self.state_while(&|| true).expect("there is time for it")
    }

    fn state_while(&self, has_time: &dyn Fn() -> bool) -> Option<Vec<u8>> {
        let mut bytes = Vec::new();
        self.run.save_while(&mut bytes, has_time)?;
        self.figures.pack(&mut bytes);
        Some(bytes)
    }
}

/// The version of the layout of checkpoints; increased with every change.
const VERSION: u8 = 2;

fn sealed(state: &[u8]) -> [u8; 16] {
    Digest::written(|hasher| {
        hasher.write_u8(VERSION);
        hasher.write(state);
    })
    .0
    .to_le_bytes()
}

fn digest_of(state: &[u8]) -> u128 {
    Digest::written(|hasher| hasher.write(state)).0
}

impl<A: RoundTable> Process for CircuitProcess<A> {
    fn progress(&self) -> Progress {
        let rounds = self.run.rounds_done();
        Progress { rounds, steps: rounds, ..Progress::START }
    }

    fn counts(&self) -> Cow<'_, [u64]> {
        Cow::Owned(self.run.class_counts())
    }

    fn effort(&self) -> u64 {
        self.run.rounds_done().saturating_mul(self.run.memories().len() as u64)
    }

    fn unit(&self) -> Measure {
        Measure::Steps
    }

    fn stride(&self) -> u64 {
        // A round of 10^5 amoebots takes some milliseconds.
        (100_000 / self.run.memories().len() as u64).max(1)
    }

    fn advance(&mut self, bound: &RunBound, condition: Option<&dyn Condition>) -> Advance {
        self.advance_while(bound, condition, &|| true)
    }

    fn ending(&self) -> Option<Ending> {
        if let Some(trouble) = &self.trouble {
            return Some(Ending::Violated(trouble.to_string()));
        }
        let title = || self.title.clone();
        self.has_ended().then(|| match &self.result {
            Some(CircuitResult { is_right: false, .. }) => Ending::WrongEnd(title()),
            Some(_) | None => Ending::Reached(Goal::Terminated(title())),
        })
    }

    fn obstacle(&self) -> Ending {
        self.ending().unwrap_or(Ending::Reached(Goal::Terminated(self.title.clone())))
    }

    fn is_silent(&self) -> Option<bool> {
        Some(self.has_ended() || self.trouble.is_some())
    }

    fn metrics(&self) -> Vec<Metric> {
        let metric = |key, label, value| Metric { is_of_graph: false, key, label, value };
        vec![
            metric("beeps", "beeps sent", self.figures.sent),
            metric("movements", "movement halves", self.figures.movements),
        ]
    }

    fn save(&self) -> Option<Vec<u8>> {
        if self.trouble.is_some() {
            return None;
        }
        let mut bytes = self.saved();
        let seal = sealed(&bytes);
        bytes.extend(seal);
        Some(bytes)
    }

    fn restore(&mut self, checkpoint: &[u8]) -> Result<(), RestoreError> {
        let refused = |sentence: &str| Err(RestoreError::Refused(sentence.to_owned()));
        let Some((state, seal)) = checkpoint.split_last_chunk() else {
            return refused("the checkpoint is cut off");
        };
        if sealed(state) != *seal {
            return refused("the checkpoint is damaged, or not of a run of this kind");
        }
        let before = self.saved();
        let trouble = self.trouble.clone();
        if self.load(&mut &state[..]).is_ok() {
            return Ok(());
        }
        self.load(&mut &before[..]).expect("the own state can be set again");
        self.trouble = trouble;
        refused("the checkpoint is of another scenario or seed")
    }

    fn digest(&self) -> u128 {
        digest_of(&self.state())
    }
}

impl<A: RoundTable> SynchronousRun for CircuitProcess<A> {
    fn advance_while(
        &mut self,
        bound: &RunBound,
        condition: Option<&dyn Condition>,
        goes_on: &(dyn Fn() -> bool + Sync),
    ) -> Advance {
        loop {
            if self.meets(condition) {
                return Advance::Held;
            }
            if self.trouble.is_some() {
                return Advance::Violated;
            }
            let progress = self.progress();
            if progress.rounds >= bound.rounds || progress.steps >= bound.steps {
                return Advance::Advanced;
            }
            match self.run.round_while(goes_on) {
                Ok(true) => {
                    let figures = self.run.figures();
                    self.figures.sent += figures.sent;
                    self.figures.movements += u64::from(figures.movement.is_some());
                    self.figures.bonds += figures.movement.map_or(0, |movement| movement.bonds);
                    self.conclude();
                }
                Ok(false) if self.has_ended() => return Advance::Quiescent,
                Ok(false) => return Advance::Advanced,
                Err(trouble) => self.trouble = Some(trouble),
            }
        }
    }

    fn classes(&self) -> &[&'static str] {
        self.run.algorithm().classes()
    }

    fn class(&self, amoebot: usize) -> usize {
        let is_running = self.run.rounds()[amoebot].is_some();
        self.run.algorithm().class(&self.run.memories()[amoebot], is_running)
    }

    fn words(&self, amoebot: usize) -> String {
        self.run.algorithm().words(&self.run.memories()[amoebot])
    }

    fn digest_while(&self, has_time: &dyn Fn() -> bool) -> Option<u128> {
        self.state_while(has_time).map(|state| digest_of(&state))
    }

    fn bodies(&self) -> &[Body] {
        self.run.structure().bodies()
    }

    fn objects(&self) -> Vec<Cell> {
        self.run.structure().objects().concat()
    }

    fn pins(&self, amoebot: usize, into: &mut Vec<PinState>) {
        self.run.pins(amoebot, into);
    }

    fn bonds(&self) -> Vec<u16> {
        self.run.bonds().into_iter().map(BondSides::bits).collect()
    }

    fn offenders(&self) -> Vec<u32> {
        match &self.trouble {
            Some(RunTrouble::Conflict { conflict, .. }) => conflict.amoebots(),
            Some(RunTrouble::Coins { .. } | RunTrouble::Configuration { .. }) | None => Vec::new(),
        }
    }

    fn work(&self) -> Vec<AlgorithmFigure> {
        let count = AlgorithmFigure::count;
        vec![
            count("rounds", "rounds", self.run.rounds_done()),
            count("beeps", "beeps sent", self.figures.sent),
            count("movements", "movement halves", self.figures.movements),
            count("bonds", "bonds in movement halves", self.figures.bonds),
        ]
    }

    fn further(&self) -> Option<Further> {
        let CircuitResult { is_right, figures } = self.result.as_ref()?;
        let mut all = vec![AlgorithmFigure::flag("right", "right result", *is_right)];
        all.extend(figures.iter().cloned());
        Some(Further { key: "result", title: "Result", figures: all })
    }
}
