//! Properties of a table that hold for every schedule.
//!
//! - [`classification`]: symmetric, one-way, ordered or randomised, for a pair and for the whole table.
//! - [`EffectiveTable`]: the table as text, one line for each outcome of a pair that changes something.
//! - [`reachability`]: the states that can occur from a given start.
//! - [`conservation`]: finds the linear quantities that no interaction changes.
//! - [`declared`]: checks a quantity that a user claims to be conserved.
//! - [`silence`]: configurations that no interaction can change.

pub mod classification;
pub mod conservation;
pub mod declared;
mod effective;
pub mod reachability;
pub mod silence;

pub use classification::{Classification, PairClass};
pub use conservation::{
    ConservationError, ConservedQuantity, MAX_STATES_FOR_CONSERVATION, conserved_quantities,
};
pub use declared::{ConservationViolation, UnknownState, check_conserved, weights_by_name};
pub use effective::EffectiveTable;
pub use reachability::reachable_states;
pub use silence::{is_settled, is_silent, is_silent_on};
