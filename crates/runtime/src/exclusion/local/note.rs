//! [`LockNote`]: the notes of actions besides granted and released.

/// A note for observers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum LockNote {
    /// A competition trial began: the node has drawn a priority.
    Trial,
    /// A late first request was rejected at once (repair R1).
    LateRejection,
}
