//! Protocols by name: the built-in ones, and those that a user adds.

use acrasin_catalogue::parameter::Parameter;

use super::entry::ProtocolEntry;
use super::{
    approximate_majority, approximate_majority_one_way, averaging, cancel_split, cancellation, contest,
    cyclic, exact_majority, flock_of_birds, fratricide, graph_leader, graph_majority, junta, junta_clock,
    leader_clock, loose_leader, one_way_epidemic, ranking, remainder, size_estimation, synthetic_coin,
    threshold, token_walk, two_way_epidemic, undecided_state, voter,
};

/// Protocols by name: first the built-in ones in the order of the catalogue, then those that a user's crate adds.
///
/// ```
/// use acrasin_catalogue::parameter::{ParameterValue, Values};
/// use acrasin_protocols::library::{ProtocolCatalogue, ProtocolEntry, Fratricide, ProtocolInstance};
///
/// const DUEL: ProtocolEntry = ProtocolEntry::new("duel", "of two leaders, one gives up", "L, F", |_| {
///     ProtocolInstance::of(&Fratricide, |agents| vec![agents, 0])
/// });
/// let catalogue = ProtocolCatalogue::shipped().with(DUEL)?;
/// assert_eq!(catalogue.find("duel").unwrap().name, "duel");
///
/// let entry = catalogue.find("averaging").unwrap();
/// let averaging = entry.build(&Values::default().with("m", ParameterValue::Whole(7)))?;
/// assert_eq!(averaging.table().state_count(), 8);
/// assert_eq!(averaging.initial_counts(10), [5, 0, 0, 0, 0, 0, 0, 5]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub type ProtocolCatalogue = acrasin_catalogue::EntryCatalogue<ProtocolEntry>;

impl acrasin_catalogue::Entry for ProtocolEntry {
    const KIND: &'static str = "a protocol";

    fn shipped() -> Vec<Self> {
        vec![
            one_way_epidemic::ENTRY,
            two_way_epidemic::ENTRY,
            fratricide::ENTRY,
            cancellation::ENTRY,
            voter::ENTRY,
            approximate_majority::ENTRY,
            approximate_majority_one_way::ENTRY,
            undecided_state::ONE_WAY,
            undecided_state::TWO_WAY,
            exact_majority::ENTRY,
            graph_majority::ENTRY,
            averaging::ENTRY,
            cancel_split::ENTRY,
            threshold::ENTRY,
            remainder::ENTRY,
            flock_of_birds::SUM,
            flock_of_birds::TOWER,
            flock_of_birds::SUCCINCT,
            cyclic::ROCK_PAPER_SCISSORS,
            cyclic::CYCLIC_SPECIES,
            leader_clock::ENTRY,
            junta::ENTRY,
            junta_clock::ENTRY,
            synthetic_coin::ENTRY,
            size_estimation::ENTRY,
            ranking::ENTRY,
            loose_leader::ENTRY,
            graph_leader::ENTRY,
            token_walk::ENTRY,
            contest::ENTRY,
        ]
    }

    fn name(&self) -> &'static str {
        self.name
    }

    fn parameters(&self) -> &'static [Parameter] {
        self.parameters
    }
}
