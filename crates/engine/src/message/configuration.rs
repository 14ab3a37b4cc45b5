//! The view of a configuration that all layouts provide.

use acrasin_runtime::exclusion::local::State;
use acrasin_runtime::port::PortSet;

pub use super::word::LockCode;
use super::word::NodeWord;

/// The part of a node's word that all its neighbours read.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Published {
    /// The state of the node's own Lock.
    pub code: LockCode,
    /// A bit that flips with every message to the lock set.
    pub toggle: bool,
    /// Whether the node is locked, by a neighbour or by itself.
    pub locked: bool,
    /// The priority that the node drew last.
    pub priority: u32,
}

impl Published {
    /// Decodes a 32-bit word of [`WordRounds::words`](super::WordRounds::words) or
    /// [`SlicedSections::words`](crate::sliced::SlicedSections::words).
    #[must_use]
    pub fn of_word(word: u32) -> Self {
        Self::of(word)
    }

    /// Decodes a published word of either width.
    pub(crate) fn of<W: NodeWord>(word: W) -> Self {
        Self { code: word.code(), toggle: word.toggle(), locked: word.is_locked(), priority: word.priority() }
    }
}

/// Read access to the configuration of a message-level run, node by node, for any layout.
///
/// Intended for tests and pictures: each call takes O(1), with a large constant.
pub trait LockConfiguration {
    /// The number of nodes.
    fn nodes(&self) -> u32;
    /// Δ, the number of ports.
    fn ports(&self) -> u16;
    /// The part of a node's word that all neighbours read.
    fn published(&self, node: u32) -> Published;
    /// The toggle of `node` as the neighbour on `port` sees it: a bit that flips with every message of `node` on this
    /// port.
    fn toggle(&self, node: u32, port: u16) -> bool;
    /// Whether the number of replies of `node` on `port` is odd.
    fn sent(&self, node: u32, port: u16) -> bool;
    /// Whether the last reply of `node` on `port` was win(true).
    fn won(&self, node: u32, port: u16) -> bool;
    /// The neighbour on `port` (on port 0 the node itself), and the neighbour's port for the same edge; `None` without
    /// an edge.
    fn link(&self, node: u32, port: u16) -> Option<(u32, u16)>;
    /// Whether the neighbour on `port` is in the lock set of `node`; false if `node` has none.
    fn member(&self, node: u32, port: u16) -> bool;
    /// The ports whose loss the detector of `node` has not yet reported.
    fn detector(&self, node: u32) -> PortSet;
}

impl LockCode {
    /// The state of the paper that this code stands for.
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
