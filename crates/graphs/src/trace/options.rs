//! Options for reading contact files.

use std::num::NonZeroU32;

/// Options for reading a contact file. If an option is off, the corresponding lines are errors.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TraceOptions {
    /// The length of a step in seconds. In a contact list, a line at time `t` stands for `(t - resolution, t]`.
    pub resolution: NonZeroU32,
    /// Accepts lines out of time order, and sorts them.
    pub sort: bool,
    /// Accepts overlapping or equal records of one pair, and unites them.
    pub merge: bool,
    /// Accepts contacts of a node with itself, and leaves them out.
    pub drop_self_contacts: bool,
}

impl TraceOptions {
    /// Steps of the given length, with all other options off.
    #[must_use]
    pub fn strict(resolution: NonZeroU32) -> Self {
        Self { resolution, sort: false, merge: false, drop_self_contacts: false }
    }

    /// Strict options with the 20-second steps of the SocioPatterns recordings.
    #[must_use]
    pub fn sociopatterns() -> Self {
        Self::strict(NonZeroU32::new(20).expect("20 > 0"))
    }
}
