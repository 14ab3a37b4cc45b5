//! Reconfigurable circuits: pins, sets of pins, and the beeps and messages that travel on circuits.
//!
//! An amoebot has `c` pins on its side of every edge that leaves its body. Pins are counted counter-clockwise as the
//! frame of their owner defines it. Let `g = i` for pin `i` in a standard frame, and `g = c - 1 - i` in a mirrored one.
//! Then pin `g` of one side of an edge is linked with pin `c - 1 - g` of the other side. A [`PinSet`] connects pins of
//! one amoebot, and a circuit is a connected component of sets under links. A beep is heard on every set of its
//! circuit, including the sender's.
//!
//! | module | content |
//! |---|---|
//! | `pin` | names of pins and sets |
//! | `plan` | the plan of an amoebot for a beep half: sets and beeps |
//! | `wiring` | links of pins, and the configurations of all amoebots |
//! | `names` | the circuit of each set: union-find and flooding |
//! | `medium` | formation of circuits, and delivery |
//! | `rules` | wrong rules, for tests of checks |
//! | `view` | the beeps and messages that an amoebot receives |
//! | `once` | one beep half with given configurations |

mod medium;
mod names;
mod once;
mod pin;
mod plan;
mod rules;
mod view;
mod wiring;

pub use medium::{BeepCounts, Circuits};
pub(crate) use medium::{PlanRows, SentPlans};
pub use once::{
    Communication, ConfigurationError, GivenConfiguration, SetName, communicate, communicate_under,
};
pub use pin::{Pin, PinSet};
pub use plan::BeepPlan;
pub(crate) use plan::PlanFault;
pub use rules::CircuitRules;
pub use view::CircuitView;
