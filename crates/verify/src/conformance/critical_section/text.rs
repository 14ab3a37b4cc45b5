//! A scenario as written in the file. Nodes are numbered from 1; 0 is nil.

use std::fmt;

use serde::Deserialize;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CriticalSectionScenario {
    pub(super) id: String,
    #[serde(default, rename = "note")]
    _note: Option<String>,
    pub(super) alg: CriticalSectionAlgorithm,
    pub(super) n: u32,
    pub(super) edges: Vec<(u32, u32)>,
    pub(super) l: Vec<u32>,
    pub(super) k: Vec<u32>,
    pub(super) leader: u32,
    pub(super) cs0: Vec<u32>,
    pub(super) steps: Vec<CriticalSectionStep>,
    pub(super) end: Vec<State>,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum CriticalSectionAlgorithm {
    Lmutin,
    Lmutex,
    Lkcs,
    #[serde(rename = "lkcs-home")]
    LkcsHome,
}

/// A step, written `[event, sent, state]`.
#[derive(Debug, Deserialize)]
pub(super) struct CriticalSectionStep(
    pub(super) CriticalSectionEvent,
    pub(super) Vec<CriticalSectionSent>,
    pub(super) State,
);

#[derive(Debug, Deserialize)]
#[serde(
    untagged,
    expecting = "an event is [\"start\",node] or [\"dlv\",from,to,kind,permission,stamp,clock]"
)]
pub(super) enum CriticalSectionEvent {
    Start(CriticalSectionCall, u32),
    Delivery(Arrival, u32, u32, CriticalSectionMessage, At, u32, u32),
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum CriticalSectionCall {
    Start,
}

#[derive(Clone, Copy, Debug, Deserialize)]
pub(super) enum Arrival {
    #[serde(rename = "dlv")]
    Delivered,
}

/// Message kinds, in the order of the algorithm's kinds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Deserialize)]
pub(super) enum CriticalSectionMessage {
    Req,
    Grant,
    Rel,
    Pre,
    Rlq,
    Trg,
    RbT,
    Done,
}

/// The permission that a message concerns: to be inside (`X`), or outside (`N`).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Deserialize)]
pub(super) enum At {
    X,
    N,
}

/// A sent message, written `[from, to, kind, at, ts, clk]`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Deserialize)]
pub(super) struct CriticalSectionSent(
    pub(super) u32,
    pub(super) u32,
    pub(super) CriticalSectionMessage,
    pub(super) At,
    pub(super) u32,
    pub(super) u32,
);

impl fmt::Display for CriticalSectionSent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(from, to, kind, at, stamp, clock) = self;
        write!(f, "[{from},{to},\"{kind:?}\",\"{at:?}\",{stamp},{clock}]")
    }
}

/// The fields of a request, written `[class, ts, id]`.
pub(super) type RequestTuple = (u32, u32, u32);

/// The state of a node, written
/// `[in, ph, clk, ts, [got], granted[X], pending[X], pre[X], granted[N], pending[N], pre[N], trig, over, exc, busy]`.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub(super) struct State(
    pub(super) u32,
    pub(super) u32,
    pub(super) u32,
    pub(super) u32,
    pub(super) Vec<u32>,
    pub(super) Vec<RequestTuple>,
    pub(super) Vec<RequestTuple>,
    pub(super) u32,
    pub(super) Vec<RequestTuple>,
    pub(super) Vec<RequestTuple>,
    pub(super) u32,
    pub(super) u32,
    pub(super) u32,
    pub(super) u32,
    pub(super) u32,
);

/// The names of the fields of a state, which reported differences show.
pub(super) const FIELDS: [&str; 15] = [
    "in",
    "ph",
    "clk",
    "ts",
    "got",
    "granted[X]",
    "pending[X]",
    "pre[X]",
    "granted[N]",
    "pending[N]",
    "pre[N]",
    "trig",
    "over",
    "exc",
    "busy",
];

impl State {
    /// The fields as the file writes them.
    pub(super) fn fields(&self) -> [String; 15] {
        let Self(inside, ph, clk, ts, got, gx, px, prex, gn, pn, pren, trig, over, exc, busy) = self;
        [
            inside.to_string(),
            ph.to_string(),
            clk.to_string(),
            ts.to_string(),
            format!("{got:?}"),
            format!("{gx:?}"),
            format!("{px:?}"),
            prex.to_string(),
            format!("{gn:?}"),
            format!("{pn:?}"),
            pren.to_string(),
            trig.to_string(),
            over.to_string(),
            exc.to_string(),
            busy.to_string(),
        ]
    }
}
