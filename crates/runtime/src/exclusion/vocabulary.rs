//! [`Vocabulary`]: what an algorithm calls its messages, actions and announcements.

use super::{BehalfOf, Exclusion, Role};
use crate::node::NodeId;

/// Kinds of messages, and actions, of an algorithm, at most: they are counted in arrays of this length.
pub const WORDS_MAX: usize = 32;

/// Announcements of an algorithm, at most.
pub const NOTES_MAX: usize = 4;

/// The words of an algorithm, each list in an order that stays: records, tables and files are written in them.
pub trait Vocabulary: Exclusion<Message: 'static, Action: 'static> {
    /// The kinds of messages, at most [`WORDS_MAX`].
    const KINDS: &'static [&'static str];
    /// The actions, at most [`WORDS_MAX`].
    const ACTIONS: &'static [Self::Action];
    /// What it announces beyond granted and released, at most [`NOTES_MAX`].
    const NOTES: &'static [NoteWords];
    /// The action that Lock starts.
    const LOCK: Self::Action;
    /// The action that Unlock starts.
    const UNLOCK: Self::Action;
    /// On whose behalf a message travels, where the message says it.
    const ROLE: Option<fn(Self::Message) -> Role> = None;
    /// Whose critical section a message from one node to another is about, where that can be said.
    const BEHALF: Option<BehalfOf<Self::Message>> = None;
    /// Whether requests are passed on from node to node until they are served.
    const FORWARDS: bool = false;

    /// The place of a message's kind in [`KINDS`](Self::KINDS).
    fn kind(message: Self::Message) -> usize;
    /// The place of an action in [`ACTIONS`](Self::ACTIONS).
    fn action(action: Self::Action) -> usize;
    /// The place of an announcement in [`NOTES`](Self::NOTES).
    fn note(note: Self::Note) -> usize;

    /// The node for which the one that announces this asks from now on, until it is served: itself, or another that has asked it.
    fn asks_for(_note: Self::Note) -> Option<NodeId> {
        None
    }
}

/// What an announcement is called.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NoteWords {
    /// In files that programs read.
    pub key: &'static str,
    /// How many there were in a run.
    pub total: &'static str,
    /// How many there were in many runs.
    pub over_runs: &'static str,
    /// How many there were of one Lock, where that says more than how many there were in all.
    pub per_lock: Option<&'static str>,
}
