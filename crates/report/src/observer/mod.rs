//! Observers of runs under locks. Each yields sections of a record.
//!
//! - [`LockFigures`]: Locks, trials, rounds and messages per Lock, late rejections, waiting, shares of nodes locked.
//! - [`EntryFigures`]: messages per entry by kind, entries by node.
//! - [`InsideFigures`]: the intervals in which nodes are in their critical sections.
//! - [`MessageFigures`]: messages by kind, changes of the graph.

mod entries;
mod inside;
mod locks;
mod messages;

pub use entries::EntryFigures;
pub use inside::InsideFigures;
pub use locks::LockFigures;
pub use messages::MessageFigures;
