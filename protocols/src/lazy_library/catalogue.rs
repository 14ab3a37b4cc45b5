//! The catalogue of built-in protocols without a table.

use acrasin_catalogue::parameter::Parameter;

use super::entry::LazyEntry;
use super::{clocked_majority, constructors, junta_leader, two_hop_colouring};

/// Named protocols without a table: first the built-in ones, then those that a user's crate adds.
pub type LazyCatalogue = acrasin_catalogue::EntryCatalogue<LazyEntry>;

impl acrasin_catalogue::Entry for LazyEntry {
    const KIND: &'static str = "a protocol without a table";

    fn shipped() -> Vec<Self> {
        vec![
            junta_leader::ENTRY,
            clocked_majority::ENTRY,
            two_hop_colouring::ENTRY,
            constructors::STAR,
            constructors::LINE,
            constructors::CYCLES,
        ]
    }

    fn name(&self) -> &'static str {
        self.name
    }

    fn parameters(&self) -> &'static [Parameter] {
        self.parameters
    }
}
