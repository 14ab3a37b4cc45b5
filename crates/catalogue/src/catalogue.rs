//! Entries by name.

use std::fmt;

use crate::parameter::Parameter;

/// Something that is chosen by its name.
pub trait Entry: Copy + 'static {
    /// What it is, with an article: `a graph family`.
    const KIND: &'static str;

    /// Those that ship, in the order of the list, each of another name.
    fn shipped() -> Vec<Self>;

    /// The word in a scenario.
    fn name(&self) -> &'static str;

    /// What can be written for it, in order.
    fn parameters(&self) -> &'static [Parameter];
}

/// Entries by name, each once: those that ship, and those that a program adds.
#[derive(Clone, Debug)]
pub struct Catalogue<E> {
    entries: Vec<E>,
}

impl<E: Entry> Catalogue<E> {
    /// What ships.
    #[must_use]
    pub fn shipped() -> Self {
        Self { entries: E::shipped() }
    }

    /// With one more, at the end.
    ///
    /// # Errors
    ///
    /// There is one of this name.
    pub fn with(mut self, entry: E) -> Result<Self, NameTaken> {
        if self.find(entry.name()).is_some() {
            return Err(NameTaken { kind: E::KIND, name: entry.name() });
        }
        self.entries.push(entry);
        Ok(self)
    }

    /// All of them, in the order of the list.
    #[must_use]
    pub fn entries(&self) -> &[E] {
        &self.entries
    }

    /// The one of this name.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<&E> {
        self.entries.iter().find(|entry| entry.name() == name)
    }

    /// The names of those for which something holds, separated by commas: what would be accepted in place of another one.
    #[must_use]
    pub fn names_of(&self, holds: impl Fn(&E) -> bool) -> String {
        let names: Vec<&str> = self.entries.iter().filter(|entry| holds(entry)).map(Entry::name).collect();
        names.join(", ")
    }
}

impl<E: Entry> Default for Catalogue<E> {
    fn default() -> Self {
        Self::shipped()
    }
}

/// There is an entry of this name already.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NameTaken {
    kind: &'static str,
    name: &'static str,
}

impl NameTaken {
    /// There is something of this kind, with an article, and of this name.
    #[must_use]
    pub fn new(kind: &'static str, name: &'static str) -> Self {
        Self { kind, name }
    }
}

impl fmt::Display for NameTaken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "there is {} `{}` already (accepted: a name that no other one has)", self.kind, self.name)
    }
}

impl std::error::Error for NameTaken {}
