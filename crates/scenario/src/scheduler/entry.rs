//! Schedulers and adversaries by name: all that is said of them, once.

use std::fmt;

use acrasin_catalogue::parameter::{Parameter, ParameterError, Values};
use acrasin_engine::Rung;
use acrasin_graphs::NodeLabels;
use acrasin_runtime::{FixedProbability, NodeId};

use super::schedule::Schedule;

/// A scheduler as the catalogue has it: by name, with what it takes.
#[derive(Clone, Copy, Debug)]
pub struct SchedulerEntry {
    /// The word in a scenario.
    pub name: &'static str,
    /// One line.
    pub summary: &'static str,
    /// What can be written for it, in order.
    pub parameters: &'static [Parameter],
    /// Who may choose in its place.
    pub takes: Takes,
    /// The rungs that run it: F4, and F2 and F3 if its rounds are [said](Schedule::in_rounds).
    pub rungs: &'static [Rung],
    /// How it draws pairs of agents that interact without locks; `None` of a scheduler under locks.
    pub pairs: Option<PairDrawing>,
    /// Makes it of what was written: all that must be is, and everything is of its kind.
    pub read: fn(&Values, Site<'_>, Chooser) -> Result<Schedule, ParameterError>,
}

impl SchedulerEntry {
    /// One without a name and a scheduler, that takes nothing and runs on rung F4: to be completed.
    pub const PLAIN: Self = Self {
        name: "",
        summary: "",
        parameters: &[],
        takes: Takes::Nothing,
        rungs: &[Rung::F4],
        pairs: None,
        read: |_, _, _| panic!("an entry says how its scheduler is made"),
    };
}

/// How a scheduler without locks draws who interacts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PairDrawing {
    /// One pair after another.
    OneByOne,
    /// Rounds in which no agent is in two pairs.
    Matchings,
}

/// An adversary as the catalogue has it: by name, with what it takes.
#[derive(Clone, Copy, Debug)]
pub struct AdversaryEntry {
    /// The word in a scenario.
    pub name: &'static str,
    /// One line.
    pub summary: &'static str,
    /// What can be written for it, in order.
    pub parameters: &'static [Parameter],
    /// Makes the scheduler that chooses one step at a time.
    pub steps: ReadAdversary,
    /// Makes the scheduler that chooses the set of nodes of a round, if it can.
    pub rounds: Option<ReadAdversary>,
}

/// Makes an adversary of what was written for it.
pub type ReadAdversary = fn(&Values, Site<'_>) -> Result<Schedule, ParameterError>;

/// What can be written for a scheduler about who chooses in its place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Takes {
    /// Nothing.
    Nothing,
    /// `adversary: …`, which may be left out.
    Adversary,
    /// `activation: Random(q)`, `All` or `Adversary(…)`.
    ActiveNodes,
}

impl Takes {
    /// The fields that stand for it.
    pub(crate) fn fields(self) -> &'static [&'static str] {
        match self {
            Self::Nothing => &[],
            Self::Adversary => &["adversary"],
            Self::ActiveNodes => &["activation"],
        }
    }
}

/// In a list: the field, with what can be written for it.
impl fmt::Display for Takes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Nothing => "",
            Self::Adversary => "adversary",
            Self::ActiveNodes => "activation: Random(q), All or Adversary(..)",
        })
    }
}

/// Who chooses: what was written of what the scheduler [`Takes`].
#[derive(Clone, Debug)]
pub enum Chooser {
    /// The scheduler itself.
    Itself,
    /// Each enabled node is active with this probability, independently.
    Random(FixedProbability),
    /// All enabled nodes are active.
    All,
    /// An adversary: one that chooses steps, or with [`Takes::ActiveNodes`] one that chooses the nodes of a round.
    Adversary(Schedule),
}

/// The graph on which a scheduler runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Site<'g> {
    /// Its number of nodes.
    pub nodes: u32,
    /// What its file calls them, if they have names there.
    pub names: Option<&'g NodeLabels>,
}

impl Site<'_> {
    /// A node as a report calls it: by its number from 0, and its name in the file of the graph.
    #[must_use]
    pub fn name_of(&self, node: NodeId) -> String {
        match self.names {
            None => node.to_string(),
            Some(names) => format!("{node} (`{}` in its file)", names.of(node.0)),
        }
    }
}
