//! What scenarios can name, as a value that a user's own crate adds to.

use acrasin_amoebot::library::catalogue as amoebots;
use acrasin_amoebot::library::entry as algorithm;
use acrasin_protocols::library::{self, CatalogueError, Entry};

/// Everything that a scenario can name and that is not a word of the scenario itself: the protocols of the library,
/// and the algorithms of amoebots.
///
/// ```
/// use std::path::Path;
///
/// use acrasin_protocols::library::{Entry, Fratricide, Instance};
/// use acrasin_scenario::{Catalogue, Document, Plan};
///
/// const DUEL: Entry = Entry::new("duel", "of two leaders, one gives up", "L, F", |_| {
///     Ok(Instance::of(&Fratricide, |agents| vec![agents, 0]))
/// });
/// let text = r#"(
///     topology: Complete(nodes: 9),
///     scheduler: Sequential,
///     work: Interactions(protocol: Library(name: "duel"), initial: All("L")),
///     stop: [Counts("L == 1")],
/// )"#;
/// let document = Document::parse(text, "duel.ron")?;
/// let catalogue = Catalogue::shipped().with_protocol(DUEL)?;
/// assert!(Plan::with(&catalogue, &document, Path::new("")).is_ok());
/// assert!(Plan::new(&document, Path::new("")).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Catalogue {
    protocols: library::Catalogue,
    amoebots: amoebots::Catalogue,
}

impl Catalogue {
    /// What ships.
    #[must_use]
    pub fn shipped() -> Self {
        Self::default()
    }

    /// With one more protocol.
    ///
    /// # Errors
    ///
    /// A protocol of that name is there already.
    pub fn with_protocol(self, entry: Entry) -> Result<Self, CatalogueError> {
        Ok(Self { protocols: self.protocols.with(entry)?, ..self })
    }

    /// With one more algorithm of amoebots.
    ///
    /// # Errors
    ///
    /// An algorithm of that name is there already.
    pub fn with_amoebots(self, entry: algorithm::Entry) -> Result<Self, amoebots::NameTaken> {
        Ok(Self { amoebots: self.amoebots.with(entry)?, ..self })
    }

    /// The algorithms that `amoebots: (algorithm: …)` names.
    #[must_use]
    pub fn amoebots(&self) -> &amoebots::Catalogue {
        &self.amoebots
    }

    /// The protocols that `Library(name: …)` names.
    #[must_use]
    pub fn protocols(&self) -> &library::Catalogue {
        &self.protocols
    }
}
