//! The scheduler of uniformly random pairs, without locks.

use acrasin_catalogue::parameter::{Parameter, ParameterKind};
use acrasin_engine::Rung;

use super::entry::{PairDrawing, SchedulerEntry};
use super::schedule::Schedule;

pub(super) const ENTRY: SchedulerEntry = SchedulerEntry {
    name: "UniformPairs",
    summary: "a uniformly random pair interacts (on a graph, the ends of an edge); without locks, rung F0",
    parameters: &[
        Parameter::optional(
            "weights",
            ParameterKind::Word(&["Equal", "Column", "DegreeProduct"]),
            "the weight with which each edge is drawn: Column is the weight in the graph file",
        ),
        Parameter::optional(
            "direction",
            ParameterKind::Word(&["Either", "Forward", "Backward"]),
            "Forward: the end that an edge leads from is the initiator; Backward: the end that it leads to",
        ),
        Parameter::optional(
            "rate",
            ParameterKind::Positive,
            "for contacts: the mean number of interactions per contact and round",
        ),
    ],
    rungs: &[Rung::F0],
    pairs: Some(PairDrawing::OneByOne),
    read: |_, _, _| Ok(Schedule::driven_by(Rung::F0, "uniform pairs, without locks")),
    ..SchedulerEntry::PLAIN
};
