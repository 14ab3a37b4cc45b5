//! Catalogue entries of schedulers and adversaries.

use std::fmt;

use acrasin_catalogue::parameter::{Parameter, ParameterError, Values};
use acrasin_engine::Rung;
use acrasin_graphs::NodeLabels;
use acrasin_runtime::{FixedProbability, NodeId};

use super::schedule::Schedule;

/// A catalogue entry of a scheduler: its name and parameters.
#[derive(Clone, Copy, Debug)]
pub struct SchedulerEntry {
    /// The name in scenarios.
    pub name: &'static str,
    /// A summary of one line.
    pub summary: &'static str,
    /// The parameters, in display order.
    pub parameters: &'static [Parameter],
    /// The kind of chooser that can replace the scheduler's own choice.
    pub takes: ChooserKind,
    /// The rungs that support the scheduler: F4, and also F2 and F3 if its rounds are [set](Schedule::in_rounds).
    pub rungs: &'static [Rung],
    /// The method of drawing pairs of agents that interact without locks; `None` for a scheduler under locks.
    pub pairs: Option<PairDrawing>,
    /// Makes the scheduler from the values of its parameters. Required parameters are present, and each value has the
    /// kind of its parameter.
    pub read: fn(&Values, SchedulerSite<'_>, Chooser) -> Result<Schedule, ParameterError>,
}

impl SchedulerEntry {
    /// A template without name and scheduler: no parameters, rung F4.
    pub const PLAIN: Self = Self {
        name: "",
        summary: "",
        parameters: &[],
        takes: ChooserKind::Nothing,
        rungs: &[Rung::F4],
        pairs: None,
        read: |_, _, _| panic!("every entry replaces this function"),
    };
}

/// The method by which a scheduler without locks draws pairs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PairDrawing {
    /// One pair after another.
    OneByOne,
    /// Rounds in which no agent is in two pairs.
    Matchings,
}

/// A catalogue entry of an adversary: its name and parameters.
#[derive(Clone, Copy, Debug)]
pub struct AdversaryEntry {
    /// The name in scenarios.
    pub name: &'static str,
    /// A summary of one line.
    pub summary: &'static str,
    /// The parameters, in display order.
    pub parameters: &'static [Parameter],
    /// Makes the scheduler that chooses one step at a time.
    pub steps: ReadAdversary,
    /// Makes the scheduler that chooses the set of nodes of a round, if the adversary can.
    pub rounds: Option<ReadAdversary>,
}

/// Makes an adversary from the values of its parameters.
pub type ReadAdversary = fn(&Values, SchedulerSite<'_>) -> Result<Schedule, ParameterError>;

/// The kind of chooser that a scheduler accepts in place of its own choice.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ChooserKind {
    /// No chooser.
    Nothing,
    /// `adversary: …`, optional.
    Adversary,
    /// `activation: Random(q)`, `All` or `Adversary(…)`.
    ActiveNodes,
}

impl ChooserKind {
    /// The fields in which the chooser is written.
    pub(crate) fn fields(self) -> &'static [&'static str] {
        match self {
            Self::Nothing => &[],
            Self::Adversary => &["adversary"],
            Self::ActiveNodes => &["activation"],
        }
    }
}

/// Displays the field and its accepted values, for lists of schedulers.
impl fmt::Display for ChooserKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Nothing => "",
            Self::Adversary => "adversary",
            Self::ActiveNodes => "activation: Random(q), All or Adversary(..)",
        })
    }
}

/// The chooser of a scheduler, as written in the field that its [`ChooserKind`] names.
#[derive(Clone, Debug)]
pub enum Chooser {
    /// No chooser: the scheduler makes its own choice.
    Itself,
    /// Each enabled node is active with this probability, independently.
    Random(FixedProbability),
    /// All enabled nodes are active.
    All,
    /// An adversary that chooses steps, or with [`ChooserKind::ActiveNodes`] the nodes of a round.
    Adversary(Schedule),
}

/// The graph on which a scheduler runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SchedulerSite<'g> {
    /// The number of nodes.
    pub nodes: u32,
    /// The names of the nodes in the graph file, if it has names.
    pub names: Option<&'g NodeLabels>,
}

impl SchedulerSite<'_> {
    /// The name of a node in reports: its number from 0, and its name in the graph file.
    #[must_use]
    pub fn name_of(&self, node: NodeId) -> String {
        match self.names {
            None => node.to_string(),
            Some(names) => format!("{node} (`{}` in its file)", names.of(node.0)),
        }
    }
}
