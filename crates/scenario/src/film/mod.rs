//! Films of runs: what `acrasin view` shows, and what `acrasin replay --at` says of one moment.
//!
//! | module | what |
//! |---|---|
//! | `camera` | [`Camera`]: looks at every step and makes the film |
//! | `still` | [`Stills`]: looks at some moments, and sees everything then |
//! | `filming` | [`Filming`]: a watch with one of them |
//! | `facts` | what a film says of its run |
//! | `agents` | agents of which the state is known and no more |
//! | `places` | where the nodes of a graph are drawn |
//! | `standing` | where a node is in its Lock |
//! | `walking` | where walkers are while a run goes on |

mod agents;
mod camera;
mod facts;
mod filming;
mod places;
mod standing;
mod still;
mod walking;

pub use camera::{Camera, Live};
pub use facts::facts;
pub use filming::Filming;
pub use still::{Seen, Stills};

pub(crate) use agents::AgentFilm;
pub(crate) use places::{Places, placed};
pub(crate) use standing::{Lock, Standing};
pub(crate) use walking::{Following, Walking};
