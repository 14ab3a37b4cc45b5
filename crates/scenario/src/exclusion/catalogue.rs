//! All mutual exclusion algorithms by name.

use acrasin_catalogue::parameter::Parameter;
use acrasin_catalogue::{Entry, EntryCatalogue};

use super::entry::ExclusionEntry;
use super::{critical_sections, local, tree_token};

/// Mutual exclusion algorithms by name.
pub type Exclusions = EntryCatalogue<ExclusionEntry>;

impl Entry for ExclusionEntry {
    const KIND: &'static str = "a mutual exclusion algorithm";

    fn shipped() -> Vec<Self> {
        vec![local::ENTRY, tree_token::ENTRY, critical_sections::ENTRY]
    }

    fn name(&self) -> &'static str {
        self.name
    }

    fn parameters(&self) -> &'static [Parameter] {
        self.parameters
    }
}
