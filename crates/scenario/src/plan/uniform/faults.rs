//! `faults`: faults of agents and their times.

use acrasin_protocols::Table;
use acrasin_protocols::uniform::{Fault, FaultKind, FaultTiming};

use crate::document::scheduler::{FaultSetting as Written, Moments};
use crate::{Document, DocumentError};

/// Checks the faults and converts them. `is_complete` says whether every agent can interact with every other one.
pub(super) fn faults(
    document: &Document,
    table: &Table,
    is_complete: bool,
) -> Result<Vec<Fault>, DocumentError> {
    let fault = |(index, written): (usize, &Written)| {
        let place = format!("faults[{index}]");
        let state = |place: String, name: &str| {
            table.state(name).ok_or_else(|| {
                let names = table.state_names().iter().map(String::as_str);
                document
                    .error(&place, format!("unknown state `{}`", name.escape_debug()))
                    .accepting(table.state_names().iter().take(20).cloned().collect::<Vec<_>>().join(", "))
                    .suggesting(name, names)
            })
        };
        let kind = match written {
            Written::Crash { .. } => FaultKind::Crash,
            Written::Leave { .. } => FaultKind::Leave,
            Written::Join { state: name, .. } => {
                FaultKind::Join { state: state(format!("{place}.state"), name)? }
            }
            Written::Corrupt { states: None, .. } => FaultKind::Corrupt { states: table.states().collect() },
            Written::Corrupt { states: Some(names), .. } if names.is_empty() => {
                let message = "the list of new states is empty";
                return Err(document
                    .error(&format!("{place}.states"), message)
                    .accepting("at least one state"));
            }
            Written::Corrupt { states: Some(names), .. } => {
                let bound = names.iter().enumerate();
                let bound = bound.map(|(at, name)| state(format!("{place}.states[{at}]"), name));
                FaultKind::Corrupt { states: bound.collect::<Result<_, _>>()? }
            }
        };
        if !is_complete && matches!(kind, FaultKind::Leave | FaultKind::Join { .. }) {
            let message = "agents cannot leave or join on this graph";
            let accepted = "Crash(…), Corrupt(…), or topology: Complete(nodes: …)";
            return Err(document.error(&place, message).accepting(accepted));
        }
        let (when, agents) = moments(document, &place, written.moments())?;
        Ok(Fault { kind, when, agents })
    };
    document.scenario().faults.iter().enumerate().map(fault).collect()
}

fn moments(
    document: &Document,
    place: &str,
    written: Moments<'_>,
) -> Result<(FaultTiming, u64), DocumentError> {
    let when = match (written.rate, written.at) {
        (Some(rate), []) => FaultTiming::Rate(rate.0),
        (None, dates @ [_, ..]) => {
            if let Some(index) = (1..dates.len()).find(|&index| dates[index] <= dates[index - 1]) {
                let message = format!("{} comes after {}", dates[index].0, dates[index - 1].0);
                return Err(document
                    .error(&format!("{place}.at[{index}]"), message)
                    .accepting("rising numbers"));
            }
            FaultTiming::At(dates.iter().map(|date| date.0).collect())
        }
        _ => {
            let message = "a fault needs either a rate or the numbers of interactions after which it happens";
            return Err(document.error(place, message).accepting("rate: 1e-3, or at: [1e6]"));
        }
    };
    match written.agents.map_or(1, |agents| agents.0) {
        0 => Err(document
            .error(&format!("{place}.agents"), "a fault that affects no agent")
            .accepting("1 or more")),
        agents => Ok((when, agents)),
    }
}
