//! The names that scenarios can use, as a value that a user's own crate can extend.

use acrasin_amoebot::library::catalogue as amoebots;
use acrasin_amoebot::library::entry as algorithm;
use acrasin_catalogue::NameTaken;
use acrasin_circuits::catalogue as circuits;
use acrasin_graphs::family;
use acrasin_protocols::lazy_library;
use acrasin_protocols::library::{self, ProtocolEntry};

use crate::document::TopologySource;
use crate::document::stop::Stop;
use crate::exclusion::{ExclusionEntry, Exclusions};
use crate::scheduler::{Adversaries, AdversaryEntry, SchedulerEntry, Schedulers};
use crate::stop::{StopEntry, Stops};

/// Everything that a scenario can refer to by name: protocols, amoebot algorithms, graph families, mutual exclusion
/// algorithms, schedulers, adversaries and stop conditions. Names that are part of the file format are not included.
///
/// ```
/// use std::path::Path;
///
/// use acrasin_protocols::library::{ProtocolEntry, Fratricide, ProtocolInstance};
/// use acrasin_scenario::{Catalogue, Document, Plan};
///
/// const DUEL: ProtocolEntry = ProtocolEntry::new("duel", "of two leaders, one gives up", "L, F", |_| {
///     ProtocolInstance::of(&Fratricide, |agents| vec![agents, 0])
/// });
/// let text = r#"(
///     topology: Complete(nodes: 9),
///     scheduler: Sequential,
///     work: Interactions(protocol: Library(name: "duel"), initial: All("L")),
///     stop: [Counts("L == 1")],
/// )"#;
/// let document = Document::parse(text, "duel.ron")?;
/// let catalogue = Catalogue::shipped().with_protocol(DUEL)?;
/// assert!(Plan::with_catalogue(&catalogue, &document, Path::new("")).is_ok());
/// assert!(Plan::new(&document, Path::new("")).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Catalogue {
    protocols: library::ProtocolCatalogue,
    lazy: lazy_library::LazyCatalogue,
    amoebots: amoebots::AlgorithmCatalogue,
    families: family::FamilyCatalogue,
    exclusions: Exclusions,
    schedulers: Schedulers,
    adversaries: Adversaries,
    stops: Stops,
}

impl Default for Catalogue {
    fn default() -> Self {
        Self::shipped()
    }
}

impl Catalogue {
    /// The built-in entries.
    #[must_use]
    pub fn shipped() -> Self {
        let with = |amoebots: amoebots::AlgorithmCatalogue, entry| {
            amoebots.with(entry).expect("the names of algorithms differ")
        };
        Self {
            protocols: library::ProtocolCatalogue::default(),
            lazy: lazy_library::LazyCatalogue::default(),
            amoebots: circuits::ENTRIES.into_iter().fold(amoebots::AlgorithmCatalogue::shipped(), with),
            families: family::FamilyCatalogue::default(),
            exclusions: Exclusions::default(),
            schedulers: Schedulers::default(),
            adversaries: Adversaries::default(),
            stops: Stops::default(),
        }
    }

    /// Adds a protocol.
    ///
    /// # Errors
    ///
    /// A protocol of that name exists already.
    pub fn with_protocol(self, entry: ProtocolEntry) -> Result<Self, NameTaken> {
        if self.lazy.find(entry.name).is_some() {
            return Err(NameTaken::new("a protocol", entry.name));
        }
        Ok(Self { protocols: self.protocols.with(entry)?, ..self })
    }

    /// Adds a protocol without a table.
    ///
    /// # Errors
    ///
    /// A protocol of that name exists already.
    pub fn with_lazy_protocol(self, entry: lazy_library::LazyEntry) -> Result<Self, NameTaken> {
        if self.protocols.find(entry.name).is_some() {
            return Err(NameTaken::new("a protocol", entry.name));
        }
        Ok(Self { lazy: self.lazy.with(entry)?, ..self })
    }

    /// Adds an amoebot algorithm.
    ///
    /// # Errors
    ///
    /// An algorithm of that name exists already.
    pub fn with_amoebots(self, entry: algorithm::AlgorithmEntry) -> Result<Self, NameTaken> {
        Ok(Self { amoebots: self.amoebots.with(entry)?, ..self })
    }

    /// Adds a graph family.
    ///
    /// # Errors
    ///
    /// A graph family of that name exists already.
    pub fn with_family(self, entry: family::FamilyEntry) -> Result<Self, NameTaken> {
        if TopologySource::NAMES.contains(&entry.name) {
            return Err(NameTaken::new("a topology", entry.name));
        }
        Ok(Self { families: self.families.with(entry)?, ..self })
    }

    /// Adds a mutual exclusion algorithm.
    ///
    /// # Errors
    ///
    /// An algorithm of that name exists already.
    pub fn with_exclusion(self, entry: ExclusionEntry) -> Result<Self, NameTaken> {
        Ok(Self { exclusions: self.exclusions.with(entry)?, ..self })
    }

    /// Adds a scheduler.
    ///
    /// # Errors
    ///
    /// A scheduler of that name exists already.
    pub fn with_scheduler(self, entry: SchedulerEntry) -> Result<Self, NameTaken> {
        Ok(Self { schedulers: self.schedulers.with(entry)?, ..self })
    }

    /// Adds an adversary.
    ///
    /// # Errors
    ///
    /// An adversary of that name exists already.
    pub fn with_adversary(self, entry: AdversaryEntry) -> Result<Self, NameTaken> {
        Ok(Self { adversaries: self.adversaries.with(entry)?, ..self })
    }

    /// Adds a stop condition.
    ///
    /// # Errors
    ///
    /// A stop condition of that name exists already.
    pub fn with_stop(self, entry: StopEntry) -> Result<Self, NameTaken> {
        if Stop::NAMES.contains(&entry.name) {
            return Err(NameTaken::new("a stop condition", entry.name));
        }
        Ok(Self { stops: self.stops.with(entry)?, ..self })
    }

    /// The graph families that `topology` names.
    #[must_use]
    pub fn families(&self) -> &family::FamilyCatalogue {
        &self.families
    }

    /// The mutual exclusion algorithms that `exclusion` names.
    #[must_use]
    pub fn exclusions(&self) -> &Exclusions {
        &self.exclusions
    }

    /// The schedulers that `scheduler` names.
    #[must_use]
    pub fn schedulers(&self) -> &Schedulers {
        &self.schedulers
    }

    /// The adversaries that can choose in place of a scheduler.
    #[must_use]
    pub fn adversaries(&self) -> &Adversaries {
        &self.adversaries
    }

    /// The stop conditions that `stop` can name besides those of the file format.
    #[must_use]
    pub fn stops(&self) -> &Stops {
        &self.stops
    }

    /// The algorithms that `amoebots: (algorithm: …)` names.
    #[must_use]
    pub fn amoebots(&self) -> &amoebots::AlgorithmCatalogue {
        &self.amoebots
    }

    /// The protocols without a table that `Library(name: …)` names.
    #[must_use]
    pub fn lazy_protocols(&self) -> &lazy_library::LazyCatalogue {
        &self.lazy
    }

    /// The protocols that `Library(name: …)` names.
    #[must_use]
    pub fn protocols(&self) -> &library::ProtocolCatalogue {
        &self.protocols
    }
}
