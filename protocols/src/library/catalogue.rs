//! Protocols by name: what ships, and what a user adds.

use acrasin_catalogue::parameter::Parameter;

use super::entry::Entry;
use super::{
    approximate_majority, approximate_majority_one_way, averaging, cyclic, exact_majority, fratricide,
    graph_majority, one_way_epidemic, two_way_epidemic,
};

/// Protocols by name: those that ship, in the order of the catalogue, and those that a user's own crate adds.
///
/// ```
/// use acrasin_catalogue::parameter::{Value, Values};
/// use acrasin_protocols::library::{Catalogue, Entry, Fratricide, Instance};
///
/// const DUEL: Entry = Entry::new("duel", "of two leaders, one gives up", "L, F", |_| {
///     Instance::of(&Fratricide, |agents| vec![agents, 0])
/// });
/// let catalogue = Catalogue::shipped().with(DUEL)?;
/// assert_eq!(catalogue.find("duel").unwrap().name, "duel");
///
/// let entry = catalogue.find("averaging").unwrap();
/// let averaging = entry.build(&Values::default().with("m", Value::Whole(7)))?;
/// assert_eq!(averaging.table().state_count(), 8);
/// assert_eq!(averaging.initial_counts(10), [5, 0, 0, 0, 0, 0, 0, 5]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub type Catalogue = acrasin_catalogue::Catalogue<Entry>;

impl acrasin_catalogue::Entry for Entry {
    const KIND: &'static str = "a protocol";

    fn shipped() -> Vec<Self> {
        vec![
            one_way_epidemic::ENTRY,
            two_way_epidemic::ENTRY,
            fratricide::ENTRY,
            approximate_majority::ENTRY,
            approximate_majority_one_way::ENTRY,
            exact_majority::ENTRY,
            graph_majority::ENTRY,
            averaging::ENTRY,
            cyclic::ROCK_PAPER_SCISSORS,
            cyclic::CYCLIC_SPECIES,
        ]
    }

    fn name(&self) -> &'static str {
        self.name
    }

    fn parameters(&self) -> &'static [Parameter] {
        self.parameters
    }
}
