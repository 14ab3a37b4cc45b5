//! Uniformly random pairs, without locks.

use acrasin_catalogue::parameter::{Kind, Parameter};
use acrasin_engine::Rung;

use super::entry::SchedulerEntry;
use super::random_matchings;
use super::schedule::Schedule;
use crate::Document;

const NAME: &str = "UniformPairs";

pub(super) const ENTRY: SchedulerEntry = SchedulerEntry {
    name: NAME,
    summary: "a uniformly random pair interacts, on a graph the ends of an edge; without locks, rung F0",
    parameters: &[
        Parameter::optional(
            "weights",
            Kind::Word(&["Equal", "Column", "DegreeProduct"]),
            "how often each edge is chosen, in proportion: Column is the weight in the file of the graph",
        ),
        Parameter::optional(
            "direction",
            Kind::Word(&["Either", "Forward", "Backward"]),
            "Forward: the end that an edge leads from is the initiator; Backward: the one that it leads to",
        ),
        Parameter::optional("rate", Kind::Positive, "of contacts: how often each interacts in a round"),
    ],
    rungs: &[Rung::F0],
    read: |_, _, _| Ok(Schedule::driven_by(Rung::F0, "uniform pairs, without locks")),
    ..SchedulerEntry::PLAIN
};

/// Whether a document names it, or another scheduler without locks that is driven as it is.
pub(crate) fn is_named(document: &Document) -> bool {
    document.choice("scheduler").is_one_of(&[NAME]) || random_matchings::is_named(document)
}
