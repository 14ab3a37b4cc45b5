//! One entry of the catalogue: all that is said of an algorithm, once.

use std::any::Any;
use std::fmt;

use super::parameter::{Kind, Parameter, ParameterError, Values};
use crate::algorithm::description::{AnyDescription, Behind, Description};
use crate::chain::ChainDescription;

/// An algorithm as the catalogue has it: by name, with what it takes and needs.
///
/// ```
/// use acrasin_amoebot::library::parameter::{Value, Values};
/// use acrasin_amoebot::library::{forest_walk, hexagon};
///
/// assert_eq!(hexagon::ENTRY.name, "Hexagon");
/// assert!(hexagon::ENTRY.make(&Values::default())?.needs().seed);
/// let refused = forest_walk::ENTRY.make(&Values::default().with("path", Value::Text("127".into()))).unwrap_err();
/// assert_eq!(refused.to_string(), "step 3 of the path is '7' (accepted: digits 1 to 6, the root's own labels of directions)");
/// # Ok::<(), acrasin_amoebot::library::parameter::ParameterError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// The word in a scenario.
    pub name: &'static str,
    /// What it is called in a report: "hexagon formation".
    pub title: &'static str,
    /// One line.
    pub summary: &'static str,
    /// What can be written for it, in order.
    pub parameters: &'static [Parameter],
    /// What it needs.
    pub needs: Needs,
    /// Makes it of what was written: all that must be is, and everything is of its kind.
    pub read: fn(&Values) -> Result<Made, ParameterError>,
}

/// What an algorithm needs and does, apart from how.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Needs {
    /// One of the amoebots is special.
    pub seed: bool,
    /// All must count directions the same way round.
    pub common_chirality: bool,
    /// There is an object to stand beside.
    pub object: bool,
    /// How many colours amoebots can have, if they have any.
    pub colours: Option<u64>,
    /// It starts in a landscape of land and gap.
    pub landscape: bool,
    /// A run has an end.
    pub terminates: bool,
}

impl Needs {
    /// Nothing: all amoebots are alike, and come to an end.
    pub const NOTHING: Self = Self {
        seed: false,
        common_chirality: false,
        object: false,
        colours: None,
        landscape: false,
        terminates: true,
    };
    /// Nothing, but it goes on for ever.
    pub const ENDLESS: Self = Self { terminates: false, ..Self::NOTHING };
}

impl Entry {
    /// The algorithm with these parameters.
    ///
    /// # Errors
    ///
    /// A parameter that is missing, of another kind, unknown or out of range.
    pub fn make(&self, values: &Values) -> Result<Chosen, ParameterError> {
        values.checked(self.parameters)?;
        Ok(Chosen::of_entry(*self, (self.read)(values)?))
    }

    /// The words of which a parameter is one, if there is such a parameter.
    #[must_use]
    pub fn words_of(&self, parameter: &str) -> Option<&'static [&'static str]> {
        let found = self.parameters.iter().find(|known| known.name == parameter)?;
        if let Kind::Word(words) = found.kind { Some(words) } else { None }
    }
}

/// A description that is kept, whatever its type.
pub trait Kept: Behind + Any + Send + Sync {}

impl<D: Behind + Any + Send + Sync> Kept for D {}

/// What an entry has made.
pub struct Made {
    what: What,
    title: Option<&'static str>,
    needs: Option<Needs>,
}

enum What {
    Algorithm(Box<dyn Kept>),
    Chain(Box<dyn ChainDescription>),
}

impl Made {
    /// Amoebots that act.
    #[must_use]
    pub fn algorithm(description: impl Description + Send + 'static) -> Self {
        Self { what: What::Algorithm(Box::new(description)), title: None, needs: None }
    }

    /// A Markov chain on cells.
    #[must_use]
    pub fn chain(chain: impl ChainDescription + 'static) -> Self {
        Self { what: What::Chain(Box::new(chain)), title: None, needs: None }
    }

    /// With a title of its own, if it depends on the parameters.
    #[must_use]
    pub fn called(mut self, title: &'static str) -> Self {
        self.title = Some(title);
        self
    }

    /// With needs of its own, if they depend on the parameters.
    #[must_use]
    pub fn needing(mut self, needs: Needs) -> Self {
        self.needs = Some(needs);
        self
    }
}

/// An algorithm of the catalogue with its parameters.
pub struct Chosen {
    entry: Entry,
    title: &'static str,
    needs: Needs,
    what: What,
}

impl fmt::Debug for Chosen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Chosen")
            .field("entry", &self.entry)
            .field("title", &self.title)
            .finish_non_exhaustive()
    }
}

impl Chosen {
    /// What was made, under an entry that need not be of a catalogue.
    pub(crate) fn of_entry(entry: Entry, Made { what, title, needs }: Made) -> Self {
        Self { entry, title: title.unwrap_or(entry.title), needs: needs.unwrap_or(entry.needs), what }
    }

    /// The entry that it was made of.
    #[must_use]
    pub fn entry(&self) -> &Entry {
        &self.entry
    }

    /// What it is called in a report.
    #[must_use]
    pub fn title(&self) -> &'static str {
        self.title
    }

    /// What it needs.
    #[must_use]
    pub fn needs(&self) -> Needs {
        self.needs
    }

    /// The chain, if it is one.
    #[must_use]
    pub fn chain(&self) -> Option<&dyn ChainDescription> {
        match &self.what {
            What::Algorithm(_) => None,
            What::Chain(chain) => Some(&**chain),
        }
    }

    /// The description, without its type; `None` of a chain, in which no amoebot acts.
    #[must_use]
    pub fn any(&self) -> Option<AnyDescription<'_>> {
        match &self.what {
            What::Algorithm(kept) => Some(AnyDescription::new(&**kept)),
            What::Chain(_) => None,
        }
    }

    /// The description, if it is of this type.
    #[must_use]
    pub fn of<D: Description + 'static>(&self) -> Option<&D> {
        match &self.what {
            What::Algorithm(kept) => {
                let any: &dyn Any = &**kept;
                any.downcast_ref()
            }
            What::Chain(_) => None,
        }
    }
}
