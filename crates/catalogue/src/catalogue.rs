//! [`EntryCatalogue`]: entries that scenarios select by name.

use std::fmt;

use crate::parameter::Parameter;

/// An entry of a catalogue. Scenarios select it by name.
pub trait Entry: Copy + 'static {
    /// The kind of entry, with an article: `a graph family`.
    const KIND: &'static str;

    /// The built-in entries in display order. Names are unique.
    fn shipped() -> Vec<Self>;

    /// The name of the entry in scenarios.
    fn name(&self) -> &'static str;

    /// The parameters that a scenario can set, in order.
    fn parameters(&self) -> &'static [Parameter];
}

/// The built-in entries, and entries that a program adds. Names are unique.
#[derive(Clone, Debug)]
pub struct EntryCatalogue<E> {
    entries: Vec<E>,
}

impl<E: Entry> EntryCatalogue<E> {
    /// A catalogue of the built-in entries.
    #[must_use]
    pub fn shipped() -> Self {
        Self { entries: E::shipped() }
    }

    /// Adds an entry at the end.
    ///
    /// # Errors
    ///
    /// An entry with this name exists already.
    pub fn with(mut self, entry: E) -> Result<Self, NameTaken> {
        if self.find(entry.name()).is_some() {
            return Err(NameTaken { kind: E::KIND, name: entry.name() });
        }
        self.entries.push(entry);
        Ok(self)
    }

    /// All entries, in display order.
    #[must_use]
    pub fn entries(&self) -> &[E] {
        &self.entries
    }

    /// The entry with this name, if there is one.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<&E> {
        self.entries.iter().find(|entry| entry.name() == name)
    }

    /// The names of the entries for which `holds` is true, separated by commas, as error messages list accepted values.
    #[must_use]
    pub fn names_of(&self, holds: impl Fn(&E) -> bool) -> String {
        let names: Vec<&str> = self.entries.iter().filter(|entry| holds(entry)).map(Entry::name).collect();
        names.join(", ")
    }
}

impl<E: Entry> Default for EntryCatalogue<E> {
    fn default() -> Self {
        Self::shipped()
    }
}

/// Error: an entry with this name exists already.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NameTaken {
    kind: &'static str,
    name: &'static str,
}

impl NameTaken {
    /// The error for an entry of this kind (with an article) and name.
    #[must_use]
    pub fn new(kind: &'static str, name: &'static str) -> Self {
        Self { kind, name }
    }
}

impl fmt::Display for NameTaken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "there already is {} `{}` (accepted: a new name)", self.kind, self.name)
    }
}

impl std::error::Error for NameTaken {}
