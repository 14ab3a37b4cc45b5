//! Films of runs, shown by `acrasin view`, and single moments, shown by `acrasin replay --at`.
//!
//! | module | contents |
//! |---|---|
//! | `trace_recorder` | [`TraceRecorder`]: observes every step and records a film |
//! | `snapshots` | [`SnapshotCollector`]: observes chosen moments completely |
//! | `observing_control` | [`ObservingControl`]: a run control with one of these observers |
//! | `facts` | facts about the run in the head of a film |
//! | `lock_sets` | [`lock_set_outlines`]: lock sets as outlines around amoebots |
//! | `agents` | films of agents that have nothing but a state |
//! | `layout_source` | layouts of the nodes of a graph |
//! | `node_lock` | the position of a node in its Lock |
//! | `walkers` | positions of walkers during a run |

mod agents;
mod facts;
mod layout_source;
mod lock_sets;
mod node_lock;
mod observing_control;
mod snapshots;
mod trace_recorder;
mod walkers;

pub use facts::facts;
pub use lock_sets::lock_set_outlines;
pub use observing_control::ObservingControl;
pub use snapshots::{Seen, SnapshotCollector};
pub use trace_recorder::{Live, TraceRecorder};

pub(crate) use agents::AgentFilm;
pub(crate) use layout_source::{LayoutSource, placed};
pub(crate) use node_lock::{LockPosition, NodeLock};
pub(crate) use walkers::{Following, Walking};
