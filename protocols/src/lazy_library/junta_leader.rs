//! The entry of [`JuntaLeader`].

use acrasin_catalogue::parameter::{Parameter, ParameterKind};

use super::entry::LazyEntry;
use super::state_classes::StateClasses;
use crate::library::{JuntaLeader, LeaderRole};

const PARAMETERS: &[Parameter] = &[
    Parameter::optional(
        "m",
        ParameterKind::Whole { least: 4, most: 2048, default: 64 },
        "phases of the clock",
    ),
    Parameter::optional(
        "r",
        ParameterKind::Whole { least: 1, most: 65_535, default: 1000 },
        "rounds of tosses",
    ),
];

/// The entry of leader election in rounds of coin tosses, paced by the clock of a junta.
pub(super) const ENTRY: LazyEntry = LazyEntry {
    name: "junta-leader",
    summary: "leader election by coins on the clock of a junta; 10^9 states",
    classes: "contender, follower",
    parameters: PARAMETERS,
    make: |values| {
        // Ranges of parameters end below 2^16.
        let protocol = JuntaLeader::new(values[0] as u16, values[1] as u16)?;
        Ok(Box::new(StateClasses {
            protocol,
            classes: ["contender", "follower"].map(str::to_owned).into(),
            outputs: ["leader", "follower"].map(str::to_owned).into(),
            starts: &["contender"],
            class: |state| usize::from(state.role == LeaderRole::Follower),
            start: |protocol, _, _| protocol.start(),
            stability: None,
        }))
    },
};
