//! The catalogue of all algorithms by name.

use super::entry::{AlgorithmEntry, ChosenAlgorithm};
use super::parameter::Parameter;
use super::{
    basic_shape, binary_counter, boundary, chirality, coating, convex_hull, energy_distribution,
    energy_sharing, erosion, forest, forest_repair, forest_walk, hexagon, hole_elimination,
    local_compression, markov_chains, maximal_independent_set, token_election, universal_coating,
};
use crate::algorithm::description::Description;
use crate::{BasicShape, Coating, Erosion, Hexagon, LocalCompression, MaximalIndependentSet};

/// Algorithms by name, for scenarios, lists, checks and pictures. A program can add its own. Most algorithms, and all
/// added ones, run type-erased. Type-erased algorithms are several times slower than those that [`visit`] passes with
/// their types.
///
/// ```
/// use acrasin_amoebot::library::catalogue::AlgorithmCatalogue;
/// use acrasin_amoebot::library::hexagon;
///
/// let snail = acrasin_amoebot::library::entry::AlgorithmEntry { name: "Snail", ..hexagon::ENTRY };
/// let catalogue = AlgorithmCatalogue::shipped().with(snail)?;
/// assert_eq!(catalogue.find("Snail").expect("it was added").title, "hexagon formation");
/// assert!(catalogue.with(snail).is_err());
/// # Ok::<(), acrasin_catalogue::NameTaken>(())
/// ```
pub type AlgorithmCatalogue = acrasin_catalogue::EntryCatalogue<AlgorithmEntry>;

impl acrasin_catalogue::Entry for AlgorithmEntry {
    const KIND: &'static str = "an algorithm";

    fn shipped() -> Vec<Self> {
        vec![
            hexagon::ENTRY,
            basic_shape::ENTRY,
            hole_elimination::ENTRY,
            erosion::ENTRY,
            token_election::ENTRY,
            token_election::COINS,
            forest::ENTRY,
            forest_walk::ENTRY,
            maximal_independent_set::ENTRY,
            chirality::ENTRY,
            boundary::ENTRY,
            coating::ENTRY,
            binary_counter::ENTRY,
            energy_sharing::ENTRY,
            energy_distribution::ENTRY,
            forest_repair::ENTRY,
            universal_coating::ENTRY,
            convex_hull::ENTRY,
            local_compression::ENTRY,
            markov_chains::COMPRESSION,
            markov_chains::BRIDGING,
            markov_chains::SEPARATION,
            markov_chains::PHOTOTAXIS,
            markov_chains::FORAGING,
        ]
    }

    fn name(&self) -> &'static str {
        self.name
    }

    fn parameters(&self) -> &'static [Parameter] {
        self.parameters
    }
}

/// A visitor of typed algorithms.
pub trait Visitor {
    /// The result of a visit.
    type Output;

    /// Called once, with the concrete type of the chosen algorithm, or with its type-erased description (see
    /// [`visit`]).
    fn visit<D: Description>(self, description: &D) -> Self::Output;
}

/// Passes an algorithm to the visitor; `None` for a chain or another model, which have no actions.
///
/// Algorithms that run with many amoebots, or are checked over many states, are visited with their type. The others are
/// type-erased, because a visitor is compiled again for each type.
pub fn visit<V: Visitor>(chosen: &ChosenAlgorithm, visitor: V) -> Option<V::Output> {
    let any = chosen.any()?;
    Some(if let Some(description) = chosen.of::<Hexagon>() {
        visitor.visit(description)
    } else if let Some(description) = chosen.of::<BasicShape>() {
        visitor.visit(description)
    } else if let Some(description) = chosen.of::<Erosion>() {
        visitor.visit(description)
    } else if let Some(description) = chosen.of::<MaximalIndependentSet>() {
        visitor.visit(description)
    } else if let Some(description) = chosen.of::<Coating>() {
        visitor.visit(description)
    } else if let Some(description) = chosen.of::<LocalCompression>() {
        visitor.visit(description)
    } else {
        visitor.visit(&any)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_entry_is_named_once_and_says_what_it_takes() {
        let catalogue = AlgorithmCatalogue::shipped();
        for entry in catalogue.entries() {
            assert_eq!(catalogue.entries().iter().filter(|other| other.name == entry.name).count(), 1);
            assert!(!entry.title.is_empty() && !entry.summary.is_empty(), "{}", entry.name);
            for parameter in entry.parameters {
                assert!(!parameter.meaning.is_empty(), "{}: {}", entry.name, parameter.name);
            }
        }
    }

    #[test]
    fn a_second_one_of_a_name_is_refused() {
        let refused = AlgorithmCatalogue::shipped().with(hexagon::ENTRY).unwrap_err().to_string();
        assert_eq!(refused, "there already is an algorithm `Hexagon` (accepted: a new name)");
    }
}
