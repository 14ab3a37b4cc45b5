//! Initial counts, and changes of counts at given times.

use std::collections::BTreeMap;

use acrasin_protocols::reactions::{CountChange, MAX_MOLECULES, ScheduledChange};

use super::ReactionDocument;
use crate::DocumentError;
use crate::document::quantity::Count;

/// The index of the species named at a path of the scenario.
pub(super) fn species(
    document: &ReactionDocument,
    names: &[String],
    place: &str,
    name: &str,
) -> Result<u16, DocumentError> {
    let number = names.iter().position(|species| species == name).ok_or_else(|| {
        document
            .error_about_name(place, name, format!("unknown species `{}`", name.escape_debug()))
            .accepting(names.iter().take(20).cloned().collect::<Vec<_>>().join(", "))
            .suggesting(name, names.iter().map(String::as_str))
    })?;
    Ok(number as u16)
}

/// The changes of counts at given times.
pub(super) fn events_of(document: &ReactionDocument) -> Result<Vec<ScheduledChange>, DocumentError> {
    let names = &document.scenario().reactions.species;
    let mut events = Vec::new();
    for (index, written) in document.scenario().reactions.events.iter().enumerate() {
        let place = format!("reactions.events[{index}]");
        let mut changes = Vec::new();
        for (name, count) in &written.set {
            let place = format!("{place}.set[{name:?}]");
            if count.0 > MAX_MOLECULES {
                let error = document.error(&place, format!("{} molecules", count.0));
                return Err(error.accepting(format!("at most {MAX_MOLECULES}")));
            }
            changes.push((species(document, names, &place, name)?, CountChange::Set(count.0)));
        }
        for (name, by) in &written.add {
            let place = format!("{place}.add[{name:?}]");
            if written.set.contains_key(name) {
                let message = format!("the species `{}` is both set and added to", name.escape_debug());
                return Err(document.error(&place, message).accepting("one of the two in an event"));
            }
            changes.push((species(document, names, &place, name)?, CountChange::Add(by.0)));
        }
        if changes.is_empty() && written.nodes.is_empty() {
            let error = document.error(&place, "the event changes nothing");
            return Err(error.accepting("set: {\"A\": 100} or add: {\"A\": -5}, for example"));
        }
        events.push(ScheduledChange { at: written.at.0, every: written.every.map(|every| every.0), changes });
    }
    Ok(events)
}

/// The initial counts by species.
pub(super) fn counts_of(
    document: &ReactionDocument,
    written: &BTreeMap<String, Count>,
) -> Result<Vec<u64>, DocumentError> {
    let names = &document.scenario().reactions.species;
    let mut counts = vec![0; names.len()];
    for (name, count) in written {
        let place = format!("reactions.initial[{name:?}]");
        let number = species(document, names, &place, name)?;
        counts[usize::from(number)] = count.0;
    }
    let molecules: u128 = counts.iter().map(|&count| u128::from(count)).sum();
    if molecules > MAX_MOLECULES.into() {
        let message = format!("{molecules} molecules");
        return Err(document
            .error("reactions.initial", message)
            .accepting(format!("at most {MAX_MOLECULES}")));
    }
    Ok(counts)
}
