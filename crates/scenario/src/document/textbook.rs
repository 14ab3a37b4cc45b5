//! The default scheduler: the textbook model, on the complete graph.

use acrasin_graphs::family;

use super::TopologySource;
use super::entry_ref::EntryRef;
use crate::DocumentError;
use crate::text::failure::DecodeFailure;
use crate::text::overriding;
use crate::text::source::EffectiveText;
use crate::text::tree::{GroupBody, SpannedNode, SpannedValue};

/// Fields about locks, messages and changes of the graph. A scenario with one of them must name a scheduler with locks.
const OF_LOCKS: [&str; 5] = ["ports", "lock", "exclusion", "fairness", "disturbances"];

/// The scheduler of the textbook model, as scenarios name it.
const TEXTBOOK: &str = "UniformPairs";

/// Adds the scheduler of uniform pairs to a scenario without one, if a protocol runs on the complete graph and no field
/// is about locks. Other scenarios stay unchanged; without a scheduler they are refused when they are decoded.
///
/// A misspelt graph name is refused here, because with the correct name the scheduler may be optional.
pub(super) fn with_scheduler(
    source: &mut EffectiveText,
    root: &mut SpannedNode,
) -> Result<(), DocumentError> {
    if is_meant(root) {
        return overriding::apply(source, root, "scheduler", TEXTBOOK);
    }
    match misspelt_graph(source, root) {
        Some(failure) => Err(source.error(failure)),
        None => Ok(()),
    }
}

/// The error about a graph name that is nearly a built-in one, in a scenario without a scheduler. Other unknown names
/// may be those of a program's own families.
fn misspelt_graph(source: &EffectiveText, root: &SpannedNode) -> Option<DecodeFailure> {
    let SpannedValue::Group { body: GroupBody::Fields(fields), .. } = &root.value else { return None };
    let field = |name: &str| fields.iter().find(|field| field.name.text == name);
    if field("scheduler").is_some() {
        return None;
    }
    let graph = EntryRef::of(&field("topology")?.value, source.text());
    let families = family::FamilyCatalogue::shipped();
    let failure = graph.find(families.entries(), TopologySource::NAMES).err()?;
    failure.hint.is_some().then_some(failure)
}

fn is_meant(root: &SpannedNode) -> bool {
    let SpannedValue::Group { body: GroupBody::Fields(fields), .. } = &root.value else { return false };
    let field = |name: &str| fields.iter().find(|field| field.name.text == name).map(|field| &field.value);
    let is_called = |name: &str, called: &str| {
        let node = field(name).map(|node| &node.value);
        matches!(node, Some(SpannedValue::Group { name: Some(name), .. }) if name.text == called)
    };
    field("scheduler").is_none()
        && is_called("topology", "Complete")
        && is_called("work", "Interactions")
        && OF_LOCKS.iter().all(|name| field(name).is_none())
        && field("rung").is_none_or(|rung| matches!(&rung.value, SpannedValue::Word(rung) if rung == "F0"))
}
