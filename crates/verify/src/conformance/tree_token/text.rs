//! A scenario as written in the file. Nodes are numbered from 1; 0 is nil.

use std::fmt;

use serde::Deserialize;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Scenario {
    pub(super) id: String,
    #[serde(default, rename = "note")]
    _note: Option<String>,
    pub(super) n: u32,
    pub(super) father: Vec<u32>,
    pub(super) rule: Rule,
    pub(super) queue: Queue,
    pub(super) steps: Vec<Step>,
    pub(super) end: Vec<State>,
}

#[derive(Debug, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase", deny_unknown_fields)]
pub(super) enum Rule {
    Raymond,
    Static { beh: String },
    Scripted { beh: String },
    Topology { links: Vec<(u32, u32)>, root: Letter, init: Letter },
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Queue {
    Fifo,
    Lift,
}

/// `[event, sent, state, a_tree]`; under a topology rule the node's new behaviour follows.
#[derive(Debug, Deserialize)]
#[serde(
    untagged,
    expecting = "a step is [event, sent, state, tree], and under a topology rule the letter \"T\" or \"P\" behind them"
)]
pub(super) enum Step {
    Plain(Event, Vec<Sent>, State, Vec<u32>),
    OfTopology(Event, Vec<Sent>, State, Vec<u32>, Letter),
}

impl Step {
    /// The node's new behaviour, under a topology rule.
    pub(super) fn behaviour(&self) -> Option<Letter> {
        match self {
            Self::Plain(..) => None,
            Self::OfTopology(.., letter) => Some(*letter),
        }
    }

    pub(super) fn parts(&self) -> (&Event, &[Sent], &State) {
        match self {
            Self::Plain(event, sent, state, _) | Self::OfTopology(event, sent, state, ..) => {
                (event, sent, state)
            }
        }
    }

    /// The abstract tree after the step.
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
pub(super) enum Event {
    Call(Call, u32),
    Behaviour(Change, u32, Letter),
    Receipt(Sent),
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Call {
    Enter,
    Exit,
}

#[derive(Clone, Copy, Debug, Deserialize)]
pub(super) enum Change {
    #[serde(rename = "beh")]
    Behaviour,
}

/// The behaviour of a node: transit or proxy.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
pub(super) enum Letter {
    T,
    P,
}

/// A request or the token.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Deserialize)]
pub(super) enum Kind {
    R,
    T,
}

/// `["R",from,to,j]`, `["T",from,to,lender]`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Deserialize)]
pub(super) struct Sent(pub(super) Kind, pub(super) u32, pub(super) u32, pub(super) u32);

impl fmt::Display for Sent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(kind, from, to, argument) = self;
        write!(f, "[\"{kind:?}\",{from},{to},{argument}]")
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Application {
    Idle,
    Want,
    Cs,
}

/// `[token, asked, father, lender, mandator, app, [queue]]`.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub(super) struct State(
    pub(super) u8,
    pub(super) u8,
    pub(super) u32,
    pub(super) u32,
    pub(super) u32,
    pub(super) Application,
    pub(super) Vec<u32>,
);

/// Field names of a state, as differences show them.
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
