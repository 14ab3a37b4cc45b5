//! How contact files are read.

use std::num::NonZeroU32;

/// How a contact file is read. What is off is an error in the file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TraceOptions {
    /// The length of a step in seconds. In a contact list, a line at time `t` stands for `(t - resolution, t]`.
    pub resolution: NonZeroU32,
    /// Accept lines that are not in the order of time, and sort them.
    pub sort: bool,
    /// Accept records of one pair that overlap or are equal, and unite them.
    pub merge: bool,
    /// Accept contacts of a node with itself, and leave them out.
    pub drop_self_contacts: bool,
}

impl TraceOptions {
    /// Steps of the given length, and nothing accepted that is not in order.
    #[must_use]
    pub fn strict(resolution: NonZeroU32) -> Self {
        Self { resolution, sort: false, merge: false, drop_self_contacts: false }
    }

    /// Strict, with the 20-second steps of the SocioPatterns recordings.
    #[must_use]
    pub fn sociopatterns() -> Self {
        Self::strict(NonZeroU32::new(20).expect("20 > 0"))
    }
}
