//! Mobility models: walkers in a field that are in contact while they are within range.
//!
//! ```
//! use acrasin_graphs::mobility::{RandomWaypoint, random_waypoint};
//!
//! let crowd = RandomWaypoint {
//!     nodes: 20,
//!     side: 100.0,
//!     speed: (0.5, 1.5),
//!     pause: 60.0,
//!     range: 10.0,
//!     step: 20,
//!     duration: 600,
//! };
//! let trace = random_waypoint(&crowd, 1)?;
//! assert_eq!((trace.nodes(), trace.end(), trace.resolution().get()), (20, 600, 20));
//! # Ok::<(), acrasin_graphs::GraphParameterError>(())
//! ```

mod parameters;
mod walker;
mod waypoint;

pub use parameters::RandomWaypoint;
pub use waypoint::{WaypointWalk, random_waypoint};
