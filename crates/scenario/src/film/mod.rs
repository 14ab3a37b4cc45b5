//! Films of runs, shown by `acrasin view`, and single moments, shown by `acrasin replay --at`.
//!
//! | module | contents |
//! |---|---|
//! | `camera` | [`Camera`]: observes every step and records a film |
//! | `still` | [`Stills`]: observes chosen moments completely |
//! | `filming` | [`Filming`]: a watch with one of these observers |
//! | `facts` | facts about the run in the head of a film |
//! | `lock_sets` | [`lock_set_outlines`]: lock sets as outlines around amoebots |
//! | `agents` | films of agents that have nothing but a state |
//! | `places` | layouts of the nodes of a graph |
//! | `standing` | the position of a node in its Lock |
//! | `walking` | positions of walkers during a run |

mod agents;
mod camera;
mod facts;
mod filming;
mod lock_sets;
mod places;
mod standing;
mod still;
mod walking;

pub use camera::{Camera, Live};
pub use facts::facts;
pub use filming::Filming;
pub use lock_sets::lock_set_outlines;
pub use still::{Seen, Stills};

pub(crate) use agents::AgentFilm;
pub(crate) use places::{Places, placed};
pub(crate) use standing::{Lock, Standing};
pub(crate) use walking::{Following, Walking};
