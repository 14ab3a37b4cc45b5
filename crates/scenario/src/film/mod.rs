//! Films of runs, shown by `acrasin view`, and single moments, shown by `acrasin replay --at`.
//!
//! | module | contents |
//! |---|---|
//! | `camera` | [`TraceRecorder`]: observes every step and records a film |
//! | `still` | [`SnapshotCollector`]: observes chosen moments completely |
//! | `filming` | [`ObservingControl`]: a watch with one of these observers |
//! | `facts` | facts about the run in the head of a film |
//! | `agents` | films of agents that have nothing but a state |
//! | `places` | layouts of the nodes of a graph |
//! | `standing` | the position of a node in its Lock |
//! | `walking` | positions of walkers during a run |

mod agents;
mod camera;
mod facts;
mod filming;
mod places;
mod standing;
mod still;
mod walking;

pub use camera::{Live, TraceRecorder};
pub use facts::facts;
pub use filming::ObservingControl;
pub use still::{Seen, SnapshotCollector};

pub(crate) use agents::AgentFilm;
pub(crate) use places::{LayoutSource, placed};
pub(crate) use standing::{LockPosition, NodeLock};
pub(crate) use walking::{Following, Walking};
