//! A scenario as written in the file. Nodes are numbered from 1; 0 is nil.

use std::fmt;

use serde::Deserialize;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TreeTokenScenario {
    pub(super) id: String,
    #[serde(default, rename = "note")]
    _note: Option<String>,
    pub(super) n: u32,
    pub(super) father: Vec<u32>,
    pub(super) rule: TreeTokenRule,
    pub(super) queue: TreeTokenQueue,
    pub(super) steps: Vec<TreeTokenStep>,
    pub(super) end: Vec<State>,
}

#[derive(Debug, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase", deny_unknown_fields)]
pub(super) enum TreeTokenRule {
    Raymond,
    Static { beh: String },
    Scripted { beh: String },
    Topology { links: Vec<(u32, u32)>, root: Letter, init: Letter },
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum TreeTokenQueue {
    Fifo,
    Lift,
}

/// A step, written `[event, sent, state, a_tree]`; under a topology rule, the last element is the node's new behaviour.
#[derive(Debug, Deserialize)]
#[serde(
    untagged,
    expecting = "a step is [event, sent, state, tree], and under a topology rule the letter \"T\" or \"P\" after them"
)]
pub(super) enum TreeTokenStep {
    Plain(TreeTokenEvent, Vec<TreeTokenSent>, State, Vec<u32>),
    OfTopology(TreeTokenEvent, Vec<TreeTokenSent>, State, Vec<u32>, Letter),
}

impl TreeTokenStep {
    /// The node's new behaviour under a topology rule; `None` under other rules.
    pub(super) fn behaviour(&self) -> Option<Letter> {
        match self {
            Self::Plain(..) => None,
            Self::OfTopology(.., letter) => Some(*letter),
        }
    }

    pub(super) fn parts(&self) -> (&TreeTokenEvent, &[TreeTokenSent], &State) {
        match self {
            Self::Plain(event, sent, state, _) | Self::OfTopology(event, sent, state, ..) => {
                (event, sent, state)
            }
        }
    }

    /// The father of each node in the abstract tree after the step.
    pub(super) fn fathers(&self) -> &[u32] {
        match self {
            Self::Plain(.., fathers) | Self::OfTopology(.., fathers, _) => fathers,
        }
    }
}

#[derive(Debug, Deserialize)]
#[serde(
    untagged,
    expecting = "an event is [\"enter\",node], [\"exit\",node], [\"beh\",node,letter] or [kind,from,to,argument]"
)]
pub(super) enum TreeTokenEvent {
    Call(TreeTokenCall, u32),
    Behaviour(TreeTokenChange, u32, Letter),
    Receipt(TreeTokenSent),
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum TreeTokenCall {
    Enter,
    Exit,
}

#[derive(Clone, Copy, Debug, Deserialize)]
pub(super) enum TreeTokenChange {
    #[serde(rename = "beh")]
    Behaviour,
}

/// The behaviour of a node: transit or proxy.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
pub(super) enum Letter {
    T,
    P,
}

/// The kind of a message: a request (`R`) or the token (`T`).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Deserialize)]
pub(super) enum TreeTokenMessage {
    R,
    T,
}

/// A sent message, written `["R",from,to,j]` or `["T",from,to,lender]`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Deserialize)]
pub(super) struct TreeTokenSent(pub(super) TreeTokenMessage, pub(super) u32, pub(super) u32, pub(super) u32);

impl fmt::Display for TreeTokenSent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(kind, from, to, argument) = self;
        write!(f, "[\"{kind:?}\",{from},{to},{argument}]")
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum TreeTokenApplication {
    Idle,
    Want,
    Cs,
}

/// The state of a node, written `[token, asked, father, lender, mandator, app, [queue]]`.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub(super) struct State(
    pub(super) u8,
    pub(super) u8,
    pub(super) u32,
    pub(super) u32,
    pub(super) u32,
    pub(super) TreeTokenApplication,
    pub(super) Vec<u32>,
);

/// The names of the fields of a state, which reported differences show.
pub(super) const FIELDS: [&str; 7] = ["token", "asked", "father", "lender", "mandator", "app", "queue"];

impl State {
    /// The fields as the file writes them.
    pub(super) fn fields(&self) -> [String; 7] {
        let Self(token, asked, father, lender, mandator, application, queue) = self;
        [
            token.to_string(),
            asked.to_string(),
            father.to_string(),
            lender.to_string(),
            mandator.to_string(),
            format!("{application:?}").to_lowercase(),
            format!("{queue:?}"),
        ]
    }
}
