//! The entry of [`ClockedMajority`].

use acrasin_catalogue::parameter::{Parameter, ParameterKind};

use super::entry::LazyEntry;
use super::state_classes::StateClasses;
use crate::library::{ClockedMajority, LeaderRole, Opinion};

const PARAMETERS: &[Parameter] = &[
    Parameter::optional(
        "l",
        ParameterKind::Whole { least: 0, most: 60, default: 16 },
        "how often a vote can be split",
    ),
    Parameter::optional(
        "m",
        ParameterKind::Whole { least: 3, most: 2048, default: 128 },
        "phases of the clock",
    ),
];

/// The entry of exact majority by alternately cancelling and splitting votes, paced by the clock of a leader.
pub(super) const ENTRY: LazyEntry = LazyEntry {
    name: "clocked-majority",
    summary: "majority on a leader's clock; one agent starts as LA or LB",
    classes: "A, B (with a vote), a, b",
    parameters: PARAMETERS,
    make: |values| {
        // Ranges of parameters end below 2^16.
        let protocol = ClockedMajority::new(values[0] as u16, values[1] as u16)?;
        Ok(Box::new(StateClasses {
            protocol,
            classes: ["A", "B", "a", "b"].map(str::to_owned).into(),
            outputs: ["A", "B", "A", "B"].map(str::to_owned).into(),
            starts: &["A", "B", "LA", "LB"],
            class: |state| usize::from(state.opinion == Opinion::B) + 2 * usize::from(state.share.is_none()),
            start: |protocol, start, _| {
                let opinion = if start % 2 == 0 { Opinion::A } else { Opinion::B };
                protocol.start(opinion, if start < 2 { LeaderRole::Follower } else { LeaderRole::Leader })
            },
            stability: None,
        }))
    },
};
