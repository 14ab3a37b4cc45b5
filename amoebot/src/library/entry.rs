//! Catalogue entries: descriptions of the algorithms that scenarios can name.

use std::any::Any;
use std::fmt;

use super::parameter::{Parameter, ParameterError, ParameterKind, Values};
use crate::algorithm::description::{AnyDescription, Description, DynDescription};
use crate::algorithm::synchronous::SynchronousDescription;
use crate::chain::ChainDescription;

/// A catalogue entry: the name of an algorithm, its parameters and its needs.
///
/// ```
/// use acrasin_amoebot::library::parameter::{ParameterValue, Values};
/// use acrasin_amoebot::library::{forest_walk, hexagon};
///
/// assert_eq!(hexagon::ENTRY.name, "Hexagon");
/// assert!(hexagon::ENTRY.make(&Values::default())?.needs().seed);
/// let refused = forest_walk::ENTRY.make(&Values::default().with("path", ParameterValue::Text("127".into()))).unwrap_err();
/// assert_eq!(refused.to_string(), "step 3 of the path is '7' (accepted: digits 1 to 6, the root's own labels of directions)");
/// # Ok::<(), acrasin_amoebot::library::parameter::ParameterError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct AlgorithmEntry {
    /// The name in scenarios.
    pub name: &'static str,
    /// The name in reports, such as "hexagon formation".
    pub title: &'static str,
    /// A description in one line.
    pub summary: &'static str,
    /// The parameters, in the order of lists and messages.
    pub parameters: &'static [Parameter],
    /// The requirements and properties of the algorithm.
    pub needs: Needs,
    /// Constructs the algorithm from its parameters, which are complete and of the declared kinds.
    pub read: fn(&Values) -> Result<Construction, ParameterError>,
}

/// Requirements and properties of an algorithm.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Needs {
    /// Whether one of the amoebots is special: a seed, root or leader.
    pub seed: bool,
    /// Whether all amoebots must count directions in the same sense of rotation.
    pub common_chirality: bool,
    /// Whether the algorithm needs an object.
    pub object: bool,
    /// The number of possible colours; `None` if amoebots have no colours.
    pub colours: Option<u64>,
    /// Whether the algorithm starts in a landscape of land and gap.
    pub landscape: bool,
    /// Whether runs of the algorithm end by themselves.
    pub terminates: bool,
}

impl Needs {
    /// No requirements: all amoebots are alike, and runs end.
    pub const NOTHING: Self = Self {
        seed: false,
        common_chirality: false,
        object: false,
        colours: None,
        landscape: false,
        terminates: true,
    };
    /// No requirements, but runs are infinite.
    pub const ENDLESS: Self = Self { terminates: false, ..Self::NOTHING };
}

impl AlgorithmEntry {
    /// The algorithm with these parameters.
    ///
    /// # Errors
    ///
    /// A parameter is missing, unknown, of the wrong kind or out of range.
    pub fn make(&self, values: &Values) -> Result<ChosenAlgorithm, ParameterError> {
        values.checked(self.parameters)?;
        Ok(ChosenAlgorithm::of_entry(*self, (self.read)(values)?))
    }

    /// The accepted words of a parameter; `None` if it does not exist or is not a word.
    #[must_use]
    pub fn words_of(&self, parameter: &str) -> Option<&'static [&'static str]> {
        let found = self.parameters.iter().find(|known| known.name == parameter)?;
        if let ParameterKind::Word(words) = found.kind { Some(words) } else { None }
    }
}

/// The constructor in entries of algorithms from files, which are constructed from their text.
fn refuse_parameters(_: &Values) -> Result<Construction, ParameterError> {
    unreachable!("an algorithm from a file is made of its text")
}

/// A boxed description of any type.
pub trait BoxedDescription: DynDescription + Any + Send + Sync {}

impl<D: DynDescription + Any + Send + Sync> BoxedDescription for D {}

/// The algorithm, chain or algorithm of another model that an entry constructed.
pub struct Construction {
    what: ConstructionKind,
    title: Option<&'static str>,
    needs: Option<Needs>,
}

enum ConstructionKind {
    Algorithm(Box<dyn BoxedDescription>),
    Chain(Box<dyn ChainDescription>),
    Synchronous(Box<dyn SynchronousDescription>),
}

impl Construction {
    /// An algorithm of acting amoebots.
    #[must_use]
    pub fn algorithm(description: impl Description + Send + 'static) -> Self {
        Self { what: ConstructionKind::Algorithm(Box::new(description)), title: None, needs: None }
    }

    /// A Markov chain on cells.
    #[must_use]
    pub fn chain(chain: impl ChainDescription + 'static) -> Self {
        Self { what: ConstructionKind::Chain(Box::new(chain)), title: None, needs: None }
    }

    /// An algorithm of another model in synchronous rounds.
    #[must_use]
    pub fn synchronous(description: impl SynchronousDescription + 'static) -> Self {
        Self { what: ConstructionKind::Synchronous(Box::new(description)), title: None, needs: None }
    }

    /// Sets a title that depends on the parameters.
    #[must_use]
    pub fn with_title(mut self, title: &'static str) -> Self {
        self.title = Some(title);
        self
    }

    /// Sets requirements that depend on the parameters.
    #[must_use]
    pub fn with_needs(mut self, needs: Needs) -> Self {
        self.needs = Some(needs);
        self
    }
}

/// An algorithm of the catalogue with its parameters.
pub struct ChosenAlgorithm {
    entry: AlgorithmEntry,
    title: &'static str,
    needs: Needs,
    what: ConstructionKind,
}

impl fmt::Debug for ChosenAlgorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ChosenAlgorithm")
            .field("entry", &self.entry)
            .field("title", &self.title)
            .finish_non_exhaustive()
    }
}

impl ChosenAlgorithm {
    /// Combines a constructed algorithm with an entry, which need not be in a catalogue.
    fn of_entry(entry: AlgorithmEntry, Construction { what, title, needs }: Construction) -> Self {
        Self { entry, title: title.unwrap_or(entry.title), needs: needs.unwrap_or(entry.needs), what }
    }

    /// Combines an algorithm that was read from a file with an entry that is not in a catalogue.
    #[must_use]
    pub fn of_file(
        (title, summary): (&'static str, &'static str),
        needs: Needs,
        construction: Construction,
    ) -> Self {
        let entry =
            AlgorithmEntry { name: "File", title, summary, parameters: &[], needs, read: refuse_parameters };
        Self::of_entry(entry, construction)
    }

    /// The catalogue entry of the algorithm.
    #[must_use]
    pub fn entry(&self) -> &AlgorithmEntry {
        &self.entry
    }

    /// The name in reports.
    #[must_use]
    pub fn title(&self) -> &'static str {
        self.title
    }

    /// The requirements and properties that hold with the chosen parameters.
    #[must_use]
    pub fn needs(&self) -> Needs {
        self.needs
    }

    /// The Markov chain; `None` if the entry is not a chain.
    #[must_use]
    pub fn chain(&self) -> Option<&dyn ChainDescription> {
        match &self.what {
            ConstructionKind::Chain(chain) => Some(&**chain),
            ConstructionKind::Algorithm(_) | ConstructionKind::Synchronous(_) => None,
        }
    }

    /// The algorithm, if it runs in synchronous rounds in another model.
    #[must_use]
    pub fn synchronous(&self) -> Option<&dyn SynchronousDescription> {
        match &self.what {
            ConstructionKind::Synchronous(description) => Some(&**description),
            ConstructionKind::Algorithm(_) | ConstructionKind::Chain(_) => None,
        }
    }

    /// The type-erased description; `None` for chains and other models, which have no actions.
    #[must_use]
    pub fn any(&self) -> Option<AnyDescription<'_>> {
        match &self.what {
            ConstructionKind::Algorithm(kept) => Some(AnyDescription::new(&**kept)),
            ConstructionKind::Chain(_) | ConstructionKind::Synchronous(_) => None,
        }
    }

    /// The description, if it has type `D`.
    #[must_use]
    pub fn of<D: Description + 'static>(&self) -> Option<&D> {
        match &self.what {
            ConstructionKind::Algorithm(kept) => {
                let any: &dyn Any = &**kept;
                any.downcast_ref()
            }
            ConstructionKind::Chain(_) | ConstructionKind::Synchronous(_) => None,
        }
    }
}
