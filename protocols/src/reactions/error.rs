//! Why there is no such network, or no such vessel.

use std::fmt;

use crate::name::quoted;

/// Most molecules: all numbers of them are exact in floating point, too.
pub const MAX_MOLECULES: u64 = 1 << 53;

/// Why a reaction network was refused: which reaction, what is wrong, and what would be accepted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReactionError(Box<Details>);

#[derive(Clone, PartialEq, Eq, Debug)]
struct Details {
    species: Option<usize>,
    reaction: Option<usize>,
    column: Option<usize>,
    is_rate: bool,
    message: String,
    accepted: String,
}

impl ReactionError {
    pub(super) fn new(message: impl Into<String>, accepted: impl Into<String>) -> Self {
        Self(Box::new(Details {
            species: None,
            reaction: None,
            column: None,
            is_rate: false,
            message: message.into(),
            accepted: accepted.into(),
        }))
    }

    pub(super) fn of_species(mut self, index: usize) -> Self {
        self.0.species = Some(index);
        self
    }

    pub(super) fn of_reaction(mut self, index: usize) -> Self {
        self.0.reaction = Some(index);
        self
    }

    pub(super) fn of_rate(mut self) -> Self {
        self.0.is_rate = true;
        self
    }

    pub(super) fn at_column(mut self, column: usize) -> Self {
        self.0.column = Some(column);
        self
    }

    /// The species at fault, counted from 0.
    #[must_use]
    pub fn species(&self) -> Option<usize> {
        self.0.species
    }

    /// The reaction at fault, counted from 0.
    #[must_use]
    pub fn reaction(&self) -> Option<usize> {
        self.0.reaction
    }

    /// Whether it is the rate of the reaction that is at fault, not its text.
    #[must_use]
    pub fn is_of_rate(&self) -> bool {
        self.0.is_rate
    }

    /// The character of the text of the reaction at which the fault was seen, counted from 1.
    #[must_use]
    pub fn column(&self) -> Option<usize> {
        self.0.column
    }

    /// What is wrong, in one sentence.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// What would be accepted.
    #[must_use]
    pub fn accepted(&self) -> &str {
        &self.0.accepted
    }
}

impl fmt::Display for ReactionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Details { reaction, column, message, accepted, .. } = &*self.0;
        if let Some(reaction) = reaction {
            write!(f, "reaction {}", reaction + 1)?;
            if let Some(column) = column {
                write!(f, ", column {column}")?;
            }
            f.write_str(": ")?;
        }
        write!(f, "{message} (accepted: {accepted})")
    }
}

impl std::error::Error for ReactionError {}

/// Why there is no such vessel.
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub enum VesselError {
    /// Not one count a species.
    WrongLength {
        /// How many counts were given.
        given: usize,
        /// How many species there are.
        species: usize,
    },
    /// More than [`MAX_MOLECULES`].
    TooMany {
        /// How many molecules were given.
        molecules: u128,
    },
    /// A volume that is not a finite number above 0.
    WrongVolume {
        /// The volume.
        volume: f64,
    },
}

impl fmt::Display for VesselError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::WrongLength { given, species } => {
                write!(f, "{given} counts were given for {species} species (accepted: one count a species)")
            }
            Self::TooMany { molecules } => {
                write!(f, "{molecules} molecules (accepted: at most {})", MAX_MOLECULES)
            }
            Self::WrongVolume { volume } => {
                write!(f, "a volume of {volume} (accepted: a finite number above 0)")
            }
        }
    }
}

impl std::error::Error for VesselError {}

/// A name that came from outside, in a message.
pub(super) fn shown(name: &str) -> String {
    format!("`{}`", quoted(name))
}
