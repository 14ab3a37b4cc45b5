//! Species, reactions and rates.

use std::collections::BTreeMap;

use super::error::{ReactionError, shown};
use super::text::{Term, parse};
use crate::name;
use crate::table::Table;

/// Most species of a network.
pub const MAX_SPECIES: usize = 4096;

/// Most reactions of a network. Beyond it a table of the protocol is the better form.
pub const MAX_REACTIONS: usize = 1 << 20;

/// Most reactants of one reaction.
const MAX_ORDER: u64 = 3;

/// One reaction: what it takes, what it makes, and how fast.
#[derive(Clone, PartialEq, Debug)]
pub struct Reaction {
    /// Each species that reacts with how many molecules of it do; together at most 3.
    pub reactants: Vec<(u16, u32)>,
    /// Each species whose count changes, by how much.
    pub changes: Vec<(u16, i64)>,
    /// The rate constant k: finite, 0 or above.
    pub rate: f64,
}

impl Reaction {
    /// How many molecules react: 0 to 3.
    #[must_use]
    pub fn order(&self) -> u32 {
        self.reactants.iter().map(|&(_, times)| times).sum()
    }
}

/// A reaction network: species by number, and reactions with their rates.
///
/// ```
/// use acrasin_protocols::reactions::ReactionNetwork;
///
/// let dimers = ReactionNetwork::new(&["A", "A2"], &[("2 A -> A2", 1.0), ("A2 -> A + A", 0.5)])?;
/// assert_eq!(dimers.reactions()[0].order(), 2);
/// assert_eq!(dimers.reactions()[1].changes, [(0, 2), (1, -1)]);
/// # Ok::<(), acrasin_protocols::reactions::ReactionError>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct ReactionNetwork {
    species: Vec<String>,
    reactions: Vec<Reaction>,
}

impl ReactionNetwork {
    /// Reads reactions that are written as `A + B -> C`, each with its rate.
    ///
    /// # Errors
    ///
    /// The first fault: no species or one twice, a name that cannot stand in a reaction, a reaction whose text cannot be read or
    /// that names an unknown species or more than 3 reactants, a rate that is not a finite number from 0 up; more than
    /// [`MAX_SPECIES`] or [`MAX_REACTIONS`].
    pub fn new<S: AsRef<str>, T: AsRef<str>>(
        species: &[S],
        reactions: &[(T, f64)],
    ) -> Result<Self, ReactionError> {
        let names: Vec<String> = species.iter().map(|name| name.as_ref().to_owned()).collect();
        let numbers = numbered(&names)?;
        if reactions.len() > MAX_REACTIONS {
            let message = format!("the network has {} reactions", reactions.len());
            return Err(ReactionError::new(message, format!("at most {MAX_REACTIONS}")));
        }
        let read = reactions.iter().enumerate().map(|(index, (text, rate))| {
            reaction(text.as_ref(), *rate, &numbers, &names).map_err(|error| error.of_reaction(index))
        });
        let reactions = read.collect::<Result<Vec<_>, _>>()?;
        Ok(Self { species: names, reactions })
    }

    /// The network of a population protocol. In a vessel of volume n - 1 with n molecules every ordered pair of agents meets at the
    /// same rate, and a unit of time has n interactions on average: continuous time is parallel time there.
    ///
    /// One reaction for each ordered pair of states and outcome that changes counts.
    #[must_use]
    pub fn of_table(table: &Table) -> Self {
        let mut reactions = Vec::new();
        for (a, b) in table.states().flat_map(|a| table.states().map(move |b| (a, b))) {
            let total: f64 = table.outcomes(a, b).map(|outcome| f64::from(outcome.weight)).sum();
            // Of two equal molecules either can be the initiator: there are half as many ways to choose them.
            let (reactants, twice) = if a == b { (vec![(a, 2)], 2.0) } else { (vec![(a, 1), (b, 1)], 1.0) };
            for outcome in table.outcomes(a, b) {
                let mut changes = BTreeMap::new();
                for (state, by) in [(a, -1), (b, -1), (outcome.initiator, 1), (outcome.responder, 1)] {
                    *changes.entry(state).or_insert(0) += by;
                }
                let changes: Vec<(u16, i64)> = changes.into_iter().filter(|&(_, by)| by != 0).collect();
                if !changes.is_empty() {
                    let rate = twice * f64::from(outcome.weight) / total;
                    reactions.push(Reaction { reactants: reactants.clone(), changes, rate });
                }
            }
        }
        Self { species: table.state_names().to_vec(), reactions }
    }

    /// The names of the species, by number.
    #[must_use]
    pub fn species(&self) -> &[String] {
        &self.species
    }

    /// The reactions, as they were given.
    #[must_use]
    pub fn reactions(&self) -> &[Reaction] {
        &self.reactions
    }

    /// How fast concentrations change in the limit of large volumes (mass action): `drift[s]` for `concentration[s]` molecules a
    /// volume. Source: Kurtz, "Solutions of ordinary differential equations as limits of pure jump Markov processes", Journal of
    /// Applied Probability 7 (1970).
    ///
    /// # Panics
    ///
    /// Panics if there is not one number a species in each.
    pub fn drift(&self, concentration: &[f64], drift: &mut [f64]) {
        assert_eq!([concentration.len(), drift.len()], [self.species.len(); 2], "one number a species");
        drift.fill(0.0);
        for reaction in &self.reactions {
            let ways = reaction.reactants.iter().fold(reaction.rate, |ways, &(species, times)| {
                let there = concentration[usize::from(species)];
                // x^s / s!, the limit of the number of ways to choose s of x.
                (1..=times).fold(ways, |ways, taken| ways * there / f64::from(taken))
            });
            for &(species, by) in &reaction.changes {
                drift[usize::from(species)] += by as f64 * ways;
            }
        }
    }
}

pub(super) fn numbered(names: &[String]) -> Result<BTreeMap<&str, u16>, ReactionError> {
    if !(1..=MAX_SPECIES).contains(&names.len()) {
        let message = format!("the network has {} species", names.len());
        return Err(ReactionError::new(message, format!("1 to {MAX_SPECIES}")));
    }
    let mut numbers = BTreeMap::new();
    for (index, name) in names.iter().enumerate() {
        if let Some(fault) = name::fault(name) {
            let message = format!("{} cannot be the name of a species: {fault}", shown(name));
            let accepted = "1 to 64 characters, no white space, no `+`, no `->`";
            return Err(ReactionError::new(message, accepted).of_species(index));
        }
        if numbers.insert(name.as_str(), index as u16).is_some() {
            let message = format!("the species {} is listed twice", shown(name));
            return Err(ReactionError::new(message, "each name once").of_species(index));
        }
    }
    Ok(numbers)
}

/// The number of the species that a term names.
pub(super) fn species_number(
    term: &Term<'_>,
    numbers: &BTreeMap<&str, u16>,
    names: &[String],
) -> Result<u16, ReactionError> {
    numbers.get(term.name).copied().ok_or_else(|| {
        let accepted = name::accepted(term.name, names.iter().map(String::as_str));
        ReactionError::new(format!("unknown species {}", shown(term.name)), accepted).at_column(term.column)
    })
}

fn reaction(
    text: &str,
    rate: f64,
    numbers: &BTreeMap<&str, u16>,
    names: &[String],
) -> Result<Reaction, ReactionError> {
    let [before, after] = parse(text)?;
    if !(0.0..=f64::MAX).contains(&rate) {
        let message = format!("the rate of a reaction is {rate}");
        return Err(ReactionError::new(message, "a finite number, 0 or above").of_rate());
    }
    let number = |term: &Term<'_>| species_number(term, numbers, names);
    let order: u64 = before.iter().map(|term| term.times).sum();
    if order > MAX_ORDER {
        let message = format!("{order} molecules would have to meet at once");
        return Err(ReactionError::new(message, format!("at most {MAX_ORDER} reactants")).at_column(1));
    }
    let mut reactants: BTreeMap<u16, u32> = BTreeMap::new();
    let mut changes: BTreeMap<u16, i64> = BTreeMap::new();
    for term in &before {
        let species = number(term)?;
        *reactants.entry(species).or_default() += term.times as u32;
        *changes.entry(species).or_default() -= term.times as i64;
    }
    for term in &after {
        *changes.entry(number(term)?).or_default() += term.times as i64;
    }
    let changes = changes.into_iter().filter(|&(_, by)| by != 0).collect();
    Ok(Reaction { reactants: reactants.into_iter().collect(), changes, rate })
}
