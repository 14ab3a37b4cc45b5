//! Detection of misspelt catalogue names in a scenario that would otherwise be refused for a missing field.

use acrasin_catalogue::Entry;

use crate::Catalogue;
use crate::DocumentError;
use crate::document::stop::Stop;
use crate::document::{EntryRef, TopologySource};
use crate::text::failure::DecodeFailure;
use crate::text::path;
use crate::text::source::EffectiveText;
use crate::text::tree::{GroupBody, SpannedNode, SpannedValue};

/// The error about a misspelt name, if there is one. It replaces an error about a missing field.
pub(crate) fn before_missing(
    error: DocumentError,
    source: &EffectiveText,
    root: &SpannedNode,
    catalogue: &Catalogue,
) -> DocumentError {
    if !error.is_masking() {
        return error;
    }
    name(root, source.text(), catalogue).map_or(error, |failure| source.error(failure))
}

/// The error about the first misspelt catalogue name, or misspelt field of a known name.
fn name(root: &SpannedNode, text: &str, catalogue: &Catalogue) -> Option<DecodeFailure> {
    let choice = |path: &str| Some(EntryRef::of(written(root, path)?, text));
    let topology = choice("topology").and_then(|choice| {
        if choice.is_one_of(TopologySource::NAMES) {
            return choice.read::<TopologySource>().err();
        }
        let further =
            |entry: &acrasin_graphs::family::FamilyEntry| if entry.draws { &["seed"][..] } else { &[] };
        refusal(choice, catalogue.families().entries(), TopologySource::NAMES, further)
    });
    let scheduler = || {
        choice("scheduler").and_then(|choice| {
            refusal(choice, catalogue.schedulers().entries(), &[], |entry| entry.takes.fields())
        })
    };
    let adversary = || {
        ["scheduler.adversary", "scheduler.activation[0]"].into_iter().find_map(|path| {
            let node = written(root, path)?;
            let is_named =
                matches!(node.value, SpannedValue::Word(_) | SpannedValue::Group { name: Some(_), .. });
            let choice = EntryRef::of(node, text);
            // `None` and `Some` are words of the format.
            let is_it = is_named && !choice.is_one_of(&["None", "Some"]);
            is_it.then(|| refusal(choice, catalogue.adversaries().entries(), &[], |_| &[]))?
        })
    };
    let exclusion = || {
        let choice = choice("exclusion").filter(|choice| !choice.is_one_of(&["None", "Some"]))?;
        refusal(choice, catalogue.exclusions().entries(), &[], |_| &[])
    };
    let amoebots = || {
        let choice = choice("amoebots.algorithm").filter(|choice| !choice.is_one_of(&["File"]))?;
        refusal(choice, catalogue.amoebots().entries(), &["File"], |_| &[])
    };
    let stops = || {
        // Scenarios of reactions and amoebots have other names.
        let is_of_population = ["reactions", "amoebots"].iter().all(|path| written(root, path).is_none());
        let items = written(root, "stop").filter(|_| is_of_population)?;
        let SpannedValue::List(items) = &items.value else { return None };
        let mut own =
            items.iter().map(|item| EntryRef::of(item, text)).filter(|item| !item.is_one_of(Stop::NAMES));
        own.find_map(|item| refusal(item, catalogue.stops().entries(), Stop::NAMES, |_| &[]))
    };
    topology
        .filter(DecodeFailure::is_misspelt)
        .or_else(scheduler)
        .or_else(adversary)
        .or_else(exclusion)
        .or_else(amoebots)
        .or_else(|| library(root, catalogue))
        .or_else(stops)
}

/// The error about a misspelt catalogue name or field, if one is misspelt.
fn refusal<E: Entry>(
    choice: EntryRef<'_>,
    known: &[E],
    others: &[&'static str],
    further: impl Fn(&E) -> &'static [&'static str],
) -> Option<DecodeFailure> {
    let refused = match choice.find(known, others) {
        Err(failure) => failure,
        Ok(entry) => choice.chosen(entry, further(&entry)).err()?,
    };
    Some(refused).filter(DecodeFailure::is_misspelt)
}

/// The error about the name of a library protocol, if it is misspelt.
fn library(root: &SpannedNode, catalogue: &Catalogue) -> Option<DecodeFailure> {
    let protocol = written(root, "work.protocol")?;
    let SpannedValue::Group { name: Some(kind), body: GroupBody::Fields(_), .. } = &protocol.value else {
        return None;
    };
    let node = written(root, "work.protocol.name").filter(|_| kind.text == "Library")?;
    let SpannedValue::Text(name) = &node.value else { return None };
    let tabled = catalogue.protocols().entries().iter().map(Entry::name);
    let names: Vec<&str> =
        tabled.chain(catalogue.lazy_protocols().entries().iter().map(Entry::name)).collect();
    if names.contains(&&**name) {
        return None;
    }
    let failure = DecodeFailure::unknown("protocol", name, &names).at(&node.head());
    Some(failure.accepting("a name that `acrasin list protocols` prints")).filter(DecodeFailure::is_misspelt)
}

/// The value at a path, if it is written.
fn written<'n>(root: &'n SpannedNode, path: &str) -> Option<&'n SpannedNode> {
    let segments = path::parse(path).ok()?;
    let (node, used) = path::follow(root, &segments);
    (used == segments.len()).then_some(node)
}
