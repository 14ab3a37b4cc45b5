//! [`AlgorithmLabels`]: labels of an algorithm's messages, actions and notes.

use super::{Exclusion, RequestOwnerOf, Role};
use crate::node::NodeId;

/// The maximum number of kinds of messages, and of actions, of an algorithm: they are counted in arrays of this length.
pub const LABELS_MAX: usize = 32;

/// The maximum number of notes of an algorithm.
pub const NOTES_MAX: usize = 4;

/// Labels of an algorithm. The order of each list is fixed, because records, tables and files depend on it.
pub trait AlgorithmLabels: Exclusion<Message: 'static, Action: 'static> {
    /// The kinds of messages, at most [`LABELS_MAX`].
    const KINDS: &'static [&'static str];
    /// The actions, at most [`LABELS_MAX`].
    const ACTIONS: &'static [Self::Action];
    /// The notes besides granted and released, at most [`NOTES_MAX`].
    const NOTES: &'static [NoteLabels];
    /// The action that Lock starts.
    const LOCK: Self::Action;
    /// The action that Unlock starts.
    const UNLOCK: Self::Action;
    /// Returns the sender's side of a message, initiator or participant. `None` if messages do not determine it.
    const ROLE: Option<fn(Self::Message) -> Role> = None;
    /// Finds the node whose critical section a message is about, if the algorithm can tell.
    const REQUEST_OWNER: Option<RequestOwnerOf<Self::Message>> = None;
    /// Whether nodes forward requests of other nodes until the requests are served.
    const FORWARDS: bool = false;
    /// The index of the note that announces a trial, for an algorithm with trials.
    const TRIAL: Option<usize> = None;

    /// Index of a message's kind in [`KINDS`](Self::KINDS).
    fn kind(message: Self::Message) -> usize;
    /// Index of an action in [`ACTIONS`](Self::ACTIONS).
    fn action(action: Self::Action) -> usize;
    /// Index of a note in [`NOTES`](Self::NOTES).
    fn note(note: Self::Note) -> usize;

    /// The guard of an action as text; `None` if the action starts with a call or the receipt of a message.
    fn guard(_action: Self::Action) -> Option<&'static str> {
        None
    }

    /// The client for which the announcing node asks from now on: itself, or another node that has asked it. The node
    /// asks until the client is served. `None` if the note announces no request.
    fn asks_for(_note: Self::Note) -> Option<NodeId> {
        None
    }
}

/// Labels of a note, for people and for programs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NoteLabels {
    /// Key in files that programs read.
    pub key: &'static str,
    /// Label of the count in one run.
    pub total: &'static str,
    /// Label of the count over several runs.
    pub over_runs: &'static str,
    /// Label of the count per Lock; `None` if only the total is shown.
    pub per_lock: Option<&'static str>,
}
