//! Errors of creating a network or a vessel.

use acrasin_catalogue::counted;
use std::fmt;

use crate::name::{Accepted, quoted};

/// The largest number of molecules. Counts up to this number are exact in floating point.
pub const MAX_MOLECULES: u64 = 1 << 53;

/// The smallest and the largest rate constant times V^(1 - m). With the smallest value, 2^53 reactions do not reach a
/// time of 10^300. With the largest value, the propensities of 2^20 reactions, each of four different species with 2^53
/// molecules, have a sum within the range of `f64`.
pub const SCALES: std::ops::RangeInclusive<f64> = 1e-280..=1e230;

/// The error of a refused reaction network: the reaction, the fault, and the accepted values.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReactionError(Box<ReactionErrorDetails>);

#[derive(Clone, PartialEq, Eq, Debug)]
struct ReactionErrorDetails {
    species: Option<usize>,
    reaction: Option<usize>,
    column: Option<usize>,
    rate: Option<usize>,
    parameter: Option<usize>,
    message: String,
    accepted: Accepted,
}

impl ReactionError {
    pub(super) fn new(message: impl Into<String>, accepted: impl Into<Accepted>) -> Self {
        Self(Box::new(ReactionErrorDetails {
            species: None,
            reaction: None,
            column: None,
            rate: None,
            parameter: None,
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
        self.0.rate = Some(0);
        self
    }

    /// Marks the error as a fault of the rate of the reverse reaction.
    pub(super) fn of_reverse(mut self) -> Self {
        self.0.rate = self.0.rate.map(|_| 1);
        self
    }

    pub(super) fn of_parameter(mut self, index: usize) -> Self {
        self.0.parameter = Some(index);
        self
    }

    pub(super) fn at_column(mut self, column: usize) -> Self {
        self.0.column = Some(column);
        self
    }

    /// The species at fault, counted from 0; `None` if the fault concerns none.
    #[must_use]
    pub fn species(&self) -> Option<usize> {
        self.0.species
    }

    /// The reaction at fault, counted from 0; `None` if the fault concerns none.
    #[must_use]
    pub fn reaction(&self) -> Option<usize> {
        self.0.reaction
    }

    /// Whether the fault is in the rate of the reaction rather than in its text.
    #[must_use]
    pub fn is_of_rate(&self) -> bool {
        self.0.rate.is_some()
    }

    /// The rate at fault: 0 for the reaction, 1 for the reverse reaction; `None` if the fault is not in a rate.
    #[must_use]
    pub fn rate(&self) -> Option<usize> {
        self.0.rate
    }

    /// The parameter at fault, counted from 0; `None` if the fault concerns none.
    #[must_use]
    pub fn parameter(&self) -> Option<usize> {
        self.0.parameter
    }

    /// The character at which the fault was detected, counted from 1 in the text of the reaction or of its rate; `None`
    /// if unknown.
    #[must_use]
    pub fn column(&self) -> Option<usize> {
        self.0.column
    }

    /// The fault, in one sentence.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// The accepted values, as the message lists them.
    #[must_use]
    pub fn accepted(&self) -> &str {
        &self.0.accepted.values
    }

    /// A suggestion that may correct the fault, if there is one.
    #[must_use]
    pub fn hint(&self) -> Option<&str> {
        self.0.accepted.hint.as_deref()
    }
}

impl fmt::Display for ReactionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ReactionErrorDetails { reaction, rate, column, message, accepted, .. } = &*self.0;
        if let Some(reaction) = reaction {
            write!(f, "reaction {}", reaction + 1)?;
            if rate.is_some() {
                f.write_str(", rate")?;
            }
            if let Some(column) = column {
                write!(f, ", column {column}")?;
            }
            f.write_str(": ")?;
        }
        write!(f, "{message} (accepted: {accepted})")
    }
}

impl std::error::Error for ReactionError {}

/// Errors of creating a vessel.
#[derive(Clone, Copy, PartialEq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum VesselError {
    /// The number of counts differs from the number of species.
    #[error("given: {} for {species} species (accepted: one count per species)", counted(*.given, "count"))]
    WrongLength {
        /// The number of given counts.
        given: usize,
        /// The number of species.
        species: usize,
    },
    /// There are more than [`MAX_MOLECULES`] molecules.
    #[error("{molecules} molecules (accepted: at most {})", MAX_MOLECULES)]
    TooMany {
        /// The number of given molecules.
        molecules: u128,
    },
    /// The volume is not a finite number above 0.
    #[error("a volume of {volume} (accepted: a finite number above 0)")]
    WrongVolume {
        /// The given volume.
        volume: f64,
    },
    /// The state of a node is not the number of a species.
    #[error("node {node} is in state {state} (accepted: numbers of species, from 0)")]
    WrongState {
        /// The node, counted from 0.
        node: usize,
        /// The state of the node.
        state: u16,
    },
    /// The ends of an edge are not two different nodes of the graph.
    #[error("edge {edge} joins {} and {} (accepted: two different nodes)", .ends[0], .ends[1])]
    WrongEdge {
        /// The edge, counted from 0.
        edge: usize,
        /// The given ends.
        ends: [u32; 2],
    },
    /// The number of weights differs from the number of edges.
    #[error(
        "given: {} for {} (accepted: one weight per edge)",
        counted(*.given, "weight"),
        counted(*.edges, "edge")
    )]
    WrongWeights {
        /// The number of given weights.
        given: usize,
        /// The number of edges.
        edges: usize,
    },
    /// A weight is not a finite number of at least 0.
    #[error("edge {edge} has a weight of {weight} (accepted: a finite number, 0 or above)")]
    WrongWeight {
        /// The edge, counted from 0.
        edge: usize,
        /// The weight of the edge.
        weight: f64,
    },
    /// An event is invalid: its time is negative or not finite, its interval is not above 0, a species is unknown, or a
    /// count is impossible.
    #[error(
        "event {} cannot happen (accepted: a time from 0, a distance above 0, counts from 0 to 2^53 \
         after the event)",
        .event + 1
    )]
    WrongEvent {
        /// The event, counted from 0.
        event: usize,
    },
    /// There are more than 2^32 - 1 nodes or edges.
    #[error("a graph is too large (accepted: at most 2^32 - 1 nodes and edges)")]
    TooLarge,
    /// The sum of the rates exceeds the range of floating-point numbers.
    #[error("the rates add up to more than 10^308 (accepted: smaller rates or weights)")]
    TooFast,
    /// A rate of a single node is above 0 but below the range [`SCALES`].
    #[error("a rate of {rate:e} (accepted: 0, or {:e} or above)", SCALES.start())]
    NodeRate {
        /// The rate, per unit of time.
        rate: f64,
    },
    /// The rate along an edge, its weight included, is above 0 but below the range [`SCALES`].
    #[error(
        "edge {edge} has the weight {weight:e}: times the rate {rate:e} that is below the range of rates (accepted: 0, or a \
         product of {:e} or above)",
        SCALES.start()
    )]
    EdgeRate {
        /// The edge, counted from 0.
        edge: usize,
        /// The weight of the edge.
        weight: f64,
        /// The rate of an edge of weight 1.
        rate: f64,
    },
    /// A rate is too small or too large in this volume.
    #[error(
        "reaction {}: the rate constant times V^(1-m), of m reactants in a volume of V, is {scale:e} \
         (accepted: 0, or {:e} to {:e})",
        .reaction + 1,
        SCALES.start(),
        SCALES.end()
    )]
    RateOutOfRange {
        /// The reaction, counted from 0.
        reaction: usize,
        /// The refused factor k · V^(1 - m).
        scale: f64,
    },
}

/// The text of a name for a message: quoted, and shortened if it is long.
pub(super) fn shown(name: &str) -> String {
    format!("`{}`", quoted(name))
}
