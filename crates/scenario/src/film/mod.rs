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

mod agents;
mod camera;
mod facts;
mod filming;
mod places;
mod still;

pub use camera::Camera;
pub use facts::facts;
pub use filming::Filming;
pub use still::{Seen, Stills};

pub(crate) use agents::AgentFilm;
pub(crate) use places::Places;
