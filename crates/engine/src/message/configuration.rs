//! A configuration as the words have it.

use acrasin_runtime::exclusion::local::State;
use acrasin_runtime::port::PortSet;

pub use super::word::Code;
use super::word::Word;

/// What one node publishes to all its neighbours.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Published {
    /// The state of its own Lock.
    pub code: Code,
    /// Flips with every message to its lock set.
    pub toggle: bool,
    /// Whether somebody has locked it.
    pub locked: bool,
    /// The priority drawn last.
    pub priority: u32,
}

impl Published {
    /// What a word of 32 bits says, as [`WordRounds::words`](super::WordRounds::words) and
    /// [`SlicedSections::words`](crate::sliced::SlicedSections::words) have them.
    #[must_use]
    pub fn of_word(word: u32) -> Self {
        Self::of(word)
    }

    /// What this word says.
    pub(crate) fn of<W: Word>(word: W) -> Self {
        Self { code: word.code(), toggle: word.toggle(), locked: word.is_locked(), priority: word.priority() }
    }
}

/// A configuration of a message-level run, to be read node by node, whatever the layout. For tests and pictures: each
/// answer takes O(1), but a slow one.
pub trait Configuration {
    /// The number of nodes.
    fn nodes(&self) -> u32;
    /// Δ.
    fn ports(&self) -> u16;
    /// What a node publishes to all.
    fn published(&self, node: u32) -> Published;
    /// The toggle of `node` as it looks on `port`: it flips with every message on this port.
    fn toggle(&self, node: u32, port: u16) -> bool;
    /// Whether the number of replies of `node` on `port` is odd.
    fn sent(&self, node: u32, port: u16) -> bool;
    /// Whether the last reply of `node` on `port` was win(true).
    fn won(&self, node: u32, port: u16) -> bool;
    /// The neighbour on `port` (0 is the node itself) and its port for the same edge.
    fn link(&self, node: u32, port: u16) -> Option<(u32, u16)>;
    /// Whether `port` is in the lock set of `node`, if `node` has one.
    fn member(&self, node: u32, port: u16) -> bool;
    /// What the detector of `node` has not yet reported.
    fn detector(&self, node: u32) -> PortSet;
}

impl Code {
    /// The state in the paper's words.
    #[must_use]
    pub fn state(self) -> State {
        match self {
            Self::Idle => State::Idle,
            Self::Prepare => State::Prepare,
            Self::First | Self::Later => State::Compete,
            Self::Win => State::Win,
            Self::Locked => State::Locked,
            Self::Unlock => State::Unlock,
        }
    }
}
