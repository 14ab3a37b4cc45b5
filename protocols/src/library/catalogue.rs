//! Protocols by name: what ships, and what a user adds.

use super::entry::Entry;
use super::error::{CatalogueError, CatalogueErrorKind};
use super::{
    approximate_majority, approximate_majority_one_way, averaging, cyclic, exact_majority, fratricide,
    graph_majority, one_way_epidemic, two_way_epidemic,
};
use crate::name;

/// Every protocol that ships, one line each.
static SHIPPED: &[Entry] = &[
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
];

/// All protocols of the library, in the order of the catalogue.
///
/// ```
/// use std::collections::BTreeMap;
///
/// let entry = acrasin_protocols::library::find("averaging")?;
/// let averaging = entry.build(&BTreeMap::from([("m".to_owned(), 7)]))?;
/// assert_eq!(averaging.table().state_count(), 8);
/// assert_eq!(averaging.initial_counts(10), [5, 0, 0, 0, 0, 0, 0, 5]);
///
/// let error = acrasin_protocols::library::find("averagin").unwrap_err();
/// assert!(error.accepted().ends_with("did you mean `averaging`?"));
/// # Ok::<(), acrasin_protocols::library::CatalogueError>(())
/// ```
#[must_use]
pub fn catalogue() -> &'static [Entry] {
    SHIPPED
}

/// The protocol of that name, of those that ship.
///
/// # Errors
///
/// There is none; the error lists the names and the closest one.
pub fn find(wanted: &str) -> Result<&'static Entry, CatalogueError> {
    found(SHIPPED, wanted)
}

fn found<'e>(entries: &'e [Entry], wanted: &str) -> Result<&'e Entry, CatalogueError> {
    entries.iter().find(|entry| entry.name() == wanted).ok_or_else(|| {
        let message = format!("the library has no protocol `{}`", name::quoted(wanted));
        let accepted = name::accepted(wanted, entries.iter().map(Entry::name));
        CatalogueError::new(CatalogueErrorKind::UnknownProtocol, wanted, message, accepted)
    })
}

/// Protocols by name: those that ship, and those that a user's own crate adds.
///
/// ```
/// use acrasin_protocols::library::{Catalogue, Entry, Fratricide, Instance};
///
/// const DUEL: Entry = Entry::new("duel", "of two leaders, one gives up", "L, F", |_| {
///     Ok(Instance::of(&Fratricide, |agents| vec![agents, 0]))
/// });
/// let catalogue = Catalogue::shipped().with(DUEL)?;
/// assert_eq!(catalogue.find("duel")?.name(), "duel");
/// assert!(catalogue.find("averaging").is_ok());
/// # Ok::<(), acrasin_protocols::library::CatalogueError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Catalogue {
    entries: Vec<Entry>,
}

impl Catalogue {
    /// What ships.
    #[must_use]
    pub fn shipped() -> Self {
        Self { entries: SHIPPED.to_vec() }
    }

    /// With one more protocol, at the end.
    ///
    /// # Errors
    ///
    /// A protocol of that name is there already.
    pub fn with(mut self, entry: Entry) -> Result<Self, CatalogueError> {
        if self.entries.iter().any(|known| known.name() == entry.name()) {
            let message = format!("there is a protocol `{}` already", entry.name());
            let accepted = "a name that no other protocol has".to_owned();
            return Err(CatalogueError::new(CatalogueErrorKind::NameTaken, entry.name(), message, accepted));
        }
        self.entries.push(entry);
        Ok(self)
    }

    /// The protocols, in order.
    #[must_use]
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The protocol of that name.
    ///
    /// # Errors
    ///
    /// There is none; the error lists the names and the closest one.
    pub fn find(&self, wanted: &str) -> Result<&Entry, CatalogueError> {
        found(&self.entries, wanted)
    }
}

impl Default for Catalogue {
    fn default() -> Self {
        Self::shipped()
    }
}
