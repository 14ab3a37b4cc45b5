//! [`CheckReport`]: the result of a check, of locks as of amoebots under every kind of schedule.

use std::borrow::Cow;
use std::fmt;
use std::io;

use acrasin_amoebot::Cell;
use acrasin_catalogue::counted;
use acrasin_explore::{Exploration, Truncated};
use acrasin_report::value::Value;
pub use acrasin_verify::locks::{PropertyVerdict, Verdict};

/// The result of a check: its size, a verdict for each property, and a run `W` to each violation.
#[derive(Debug)]
#[non_exhaustive]
pub struct CheckReport<W> {
    /// The number of reachable states, including initial ones. If the check is incomplete, those found until then.
    pub states: Option<u64>,
    /// The number of transitions between states.
    pub transitions: Option<u64>,
    /// The largest distance of a state from the nearest start, in transitions.
    pub depth: Option<u64>,
    /// The reason why the check is incomplete; `None` if it is complete.
    pub truncated: Option<CheckTruncation>,
    /// One verdict for each property. An incomplete check can find violations too.
    pub findings: Vec<PropertyVerdict<W>>,
    /// Further counts, in the order in which they are shown.
    pub figures: Vec<CheckFigure>,
    /// The final shapes of amoebots, up to translation.
    pub shapes: FinalShapes,
    /// The explored configurations; `None` for random walks and amoebots.
    pub exploration: Option<Exploration>,
}

impl<W> CheckReport<W> {
    /// A report without size and figures.
    pub fn new(findings: Vec<PropertyVerdict<W>>) -> Self {
        let (states, transitions, depth, truncated, exploration) = (None, None, None, None, None);
        let (figures, shapes) = (Vec::new(), FinalShapes::default());
        Self { states, transitions, depth, truncated, findings, figures, shapes, exploration }
    }

    /// The violated properties, each with its run.
    pub fn broken(&self) -> impl Iterator<Item = (&PropertyVerdict<W>, &W)> {
        self.findings.iter().filter_map(|finding| Some((finding, finding.witness()?)))
    }

    /// The run to the first violation, if one was found.
    pub fn run(&self) -> Option<&W> {
        self.broken().next().map(|(_, run)| run)
    }

    /// Whether the check is complete and every property holds or was not asked for.
    #[must_use]
    pub fn is_right(&self) -> bool {
        self.truncated.is_none() && self.broken().next().is_none()
    }

    /// The value of a figure; `None` if this kind of check does not have it.
    #[must_use]
    pub fn figure(&self, key: &str) -> Option<&Value> {
        self.figures.iter().find(|figure| figure.key == key).map(|figure| &figure.value)
    }
}

/// A run to a violation.
pub trait ViolatingRun {
    /// The kind of violation, in the note that a check has found none.
    const KIND: &'static str;

    /// The number of steps.
    fn steps(&self) -> usize;

    /// The run as text, with its start and end. `property` is the violated property with its source.
    fn text(&self, property: [&str; 2]) -> String;

    /// The run as a recording for [`replay`](acrasin_verify::replay); `None` if the run is not known step by step.
    ///
    /// # Errors
    ///
    /// The run cannot be written as a recording.
    fn recording(&self) -> io::Result<Option<Cow<'_, [u8]>>>;

    /// A sentence about the recorded run. `property` is the violated property.
    fn recorded(&self, property: &str) -> String;

    /// A sentence that tells how to record the run, if that is possible.
    fn offer(&self) -> Option<&'static str>;

    /// Whether a replay of the run shows the violation.
    fn fails_in_replay(&self) -> bool {
        true
    }
}

/// The final shapes that a check of amoebots has found.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct FinalShapes {
    /// The number of shapes.
    pub count: u64,
    /// The first shapes by their cells, at most [`FINAL_SHAPES_SHOWN`](crate::amoebot::FINAL_SHAPES_SHOWN). The
    /// smallest coordinates are 0.
    pub first: Vec<Vec<Cell>>,
}

/// A figure of a check.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct CheckFigure {
    /// The key for programs.
    pub key: &'static str,
    /// The label for people.
    pub label: &'static str,
    /// The value; missing if it is unbounded or unknown.
    pub value: Value,
    /// Whether the figure is a fault: the algorithm is correct only if the value is 0 or no.
    pub is_fault: bool,
}

impl CheckFigure {
    pub(crate) fn new(key: &'static str, label: &'static str, value: impl Into<Value>) -> Self {
        Self { key, label, value: value.into(), is_fault: false }
    }

    /// A fault: a figure whose value must be 0 or no.
    pub(crate) fn fault(key: &'static str, label: &'static str, value: impl Into<Value>) -> Self {
        Self { is_fault: true, ..Self::new(key, label, value) }
    }

    /// Whether the figure shows that the algorithm is wrong.
    pub(crate) fn is_violated(&self) -> bool {
        self.is_fault && !matches!(self.value, Value::Integer(0) | Value::Flag(false))
    }
}

/// The reason why a check is incomplete.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct CheckTruncation {
    /// The limit or event that ended the check early.
    pub why: TruncationReason,
    /// The number of states reached so far, if known.
    pub states: Option<u64>,
}

/// The limit or event that ended a check early.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum TruncationReason {
    /// There are more starts than allowed states; nothing was explored.
    Starts {
        /// The number of starts.
        starts: u64,
        /// The limit on states.
        states_max: u64,
    },
    /// There are more states than the scenario allows.
    States {
        /// The limit on states.
        states_max: u64,
    },
    /// The states take more bytes than the check may use.
    Bytes {
        /// Bytes of the states, including the one that exceeded the limit.
        bytes: u64,
        /// The limit on bytes.
        bytes_max: u64,
    },
    /// One state has more outcomes than the check can follow.
    Outcomes {
        /// The limit on outcomes.
        outcomes_max: u64,
    },
    /// The exploration of the lock layer ended early.
    Search(Truncated),
    /// The stop signal was set.
    Interrupted,
}

impl CheckTruncation {
    /// An exploration that ended early with this number of states.
    #[must_use]
    pub fn of_search(why: Truncated, states: Option<u64>) -> Self {
        Self { why: TruncationReason::Search(why), states }
    }
}

/// Displays the reached limit with its value.
impl fmt::Display for CheckTruncation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let states = self.states.unwrap_or_default();
        match self.why {
            TruncationReason::Starts { starts, states_max } => {
                write!(f, "{}, where {states_max} states are allowed", counted(starts, "start"))
            }
            TruncationReason::States { states_max } => {
                write!(f, "more than {} can be reached", counted(states_max, "state"))
            }
            TruncationReason::Bytes { bytes, bytes_max } => {
                let states = counted(states, "state");
                write!(f, "{states}: {bytes} bytes of memory, where {bytes_max} are allowed")
            }
            TruncationReason::Outcomes { outcomes_max } => {
                write!(f, "one state has more than {outcomes_max} outcomes")
            }
            TruncationReason::Search(why) => why.fmt(f),
            TruncationReason::Interrupted => write!(f, "interrupted after {}", counted(states, "state")),
        }
    }
}
