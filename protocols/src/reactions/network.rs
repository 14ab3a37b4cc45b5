//! Species, reactions and rates.

use std::collections::BTreeMap;

use super::error::{ReactionError, shown};
use super::expression::{EvaluationPoint, Expression, ExpressionDomain, Operator};
use super::expression_text::check_parameters;
use super::slope::Sloped;
use super::text::{ReactionSides, Term, parse};
use crate::name::{self, Accepted};
use crate::table::Table;

/// The maximum number of species of a network.
pub const MAX_SPECIES: usize = 4096;

/// The maximum number of reactions of a network. For larger protocols use a table.
pub const MAX_REACTIONS: usize = 1 << 20;

/// The maximum number of reactants of one reaction.
const MAX_ORDER: u64 = 4;

/// One reaction: its reactants, the changes of counts, and the rate.
#[derive(Clone, PartialEq, Debug)]
pub struct Reaction {
    /// The reacting species, each with the number of its molecules; together at most 4.
    pub reactants: Vec<(u16, u32)>,
    /// The species whose counts change, each with the change.
    pub changes: Vec<(u16, i64)>,
    /// The rate, as a constant or an expression.
    pub rate: Rate,
}

/// The rate of a reaction. The propensity is 0 while reactants are missing.
#[derive(Clone, PartialEq, Debug)]
pub enum Rate {
    /// Mass action with this rate constant k: finite, 0 or above.
    Constant(f64),
    /// Mass action with a rate constant that is the value of an expression.
    MassAction(Expression),
    /// The propensity is the value of the expression, independent of the number of reactants and of the volume.
    Propensity(Expression),
}

impl Rate {
    /// The expression; `None` for a constant rate.
    #[must_use]
    pub fn expression(&self) -> Option<&Expression> {
        match self {
            Self::Constant(_) => None,
            Self::MassAction(expression) | Self::Propensity(expression) => Some(expression),
        }
    }
}

/// A rate in the form in which users write it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum WrittenRate<'a> {
    /// The rate constant of mass action.
    Constant(f64),
    /// The rate constant of mass action as an expression: `"k * exp(-t)"`.
    MassAction(&'a str),
    /// The propensity as an expression: `"k * K^4 / (K^4 + A^4)"`.
    Propensity(&'a str),
}

/// A reaction in the form in which users write it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct WrittenReaction<'a> {
    /// `A + B -> C`, or `A + B <-> C`.
    pub text: &'a str,
    /// The rate of the reaction from left to right.
    pub rate: WrittenRate<'a>,
    /// The rate of the reverse reaction, for `<->`; `None` for `->`.
    pub reverse: Option<WrittenRate<'a>>,
}

impl Reaction {
    /// The number of reacting molecules: 0 to 4.
    #[must_use]
    pub fn order(&self) -> u32 {
        self.reactants.iter().map(|&(_, times)| times).sum()
    }

    /// The species on whose counts the propensity depends, without repetition.
    pub(crate) fn dependencies(&self) -> impl Iterator<Item = u16> + Clone {
        let named = self.rate.expression().map_or(&[][..], Expression::species).iter().copied();
        let is_new = |species: &u16| self.reactants.iter().all(|(reactant, _)| reactant != species);
        self.reactants.iter().map(|&(species, _)| species).chain(named.filter(is_new))
    }

    /// The propensity per volume in the limit of large volumes. For s molecules of a species, its concentration to the
    /// power s, divided by s!, replaces the number of ways to choose them.
    fn speed<T: ExpressionDomain>(&self, concentration: impl Fn(u16) -> T, at: EvaluationPoint<T>) -> T {
        let volume = T::number(at.volume);
        let ways = |rate: T| {
            self.reactants.iter().fold(rate, |ways, &(species, times)| {
                let there = concentration(species);
                (1..=times).fold(ways, |ways, taken| {
                    let ways = ways.join(Operator::Multiply, there);
                    // Most reactants occur once.
                    if taken == 1 { ways } else { ways.join(Operator::Divide, T::number(f64::from(taken))) }
                })
            })
        };
        let value = |expression: &Expression| {
            expression.evaluate(|species| concentration(species).join(Operator::Multiply, volume), at)
        };
        match &self.rate {
            Rate::Constant(rate) => ways(T::number(*rate)),
            Rate::MassAction(expression) => ways(value(expression)),
            Rate::Propensity(expression) => value(expression).join(Operator::Divide, volume),
        }
    }

    /// The derivative of the [speed](Self::speed) with respect to the concentration of a species, or to time; 0 if it
    /// is not finite.
    pub(crate) fn speed_slope(&self, concentration: &[f64], at: EvaluationPoint, by: Option<u16>) -> f64 {
        let sloped = |value, is_moved: bool| Sloped { value, slope: f64::from(u8::from(is_moved)) };
        let moment = EvaluationPoint { time: sloped(at.time, by.is_none()), volume: at.volume };
        let of = |species: u16| sloped(concentration[usize::from(species)], by == Some(species));
        let slope = self.speed(of, moment).slope;
        if slope.is_finite() { slope } else { 0.0 }
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
    /// Parses reactions that are written as `A + B -> C`, each with its rate.
    ///
    /// # Errors
    ///
    /// The first fault found. There is no species, or there are more than [`MAX_SPECIES`] species or [`MAX_REACTIONS`]
    /// reactions. A species is listed twice, or has a name that no reaction can contain. A reaction cannot be parsed,
    /// has an unknown species, or has more than 4 reactants. A rate is negative or not finite.
    pub fn new<S: AsRef<str>, T: AsRef<str>>(
        species: &[S],
        reactions: &[(T, f64)],
    ) -> Result<Self, ReactionError> {
        let written = |(text, rate): &(T, f64)| (text.as_ref().to_owned(), *rate);
        let written: Vec<(String, f64)> = reactions.iter().map(written).collect();
        let written = written.iter().map(|(text, rate)| WrittenReaction {
            text,
            rate: WrittenRate::Constant(*rate),
            reverse: None,
        });
        Self::with_rates(species, &[] as &[(&str, f64)], &written.collect::<Vec<_>>())
    }

    /// Parses reactions that may be reversible, with rates that may be expressions of counts, parameters and time.
    ///
    /// ```
    /// use acrasin_protocols::reactions::{ReactionNetwork, WrittenRate, WrittenReaction};
    ///
    /// let one_way = |text, rate| WrittenReaction { text, rate, reverse: None };
    /// let hill = WrittenRate::Propensity("k * K^4 / (K^4 + A^4)");
    /// let dimers = WrittenReaction {
    ///     text: "2 A <-> A2",
    ///     rate: WrittenRate::Constant(0.1),
    ///     reverse: Some(WrittenRate::Constant(1.0)),
    /// };
    /// let network = ReactionNetwork::with_rates(
    ///     &["A", "A2"],
    ///     &[("k", 10.0), ("K", 20.0)],
    ///     &[one_way("-> A", hill), one_way("A ->", WrittenRate::Constant(1.0)), dimers],
    /// )?;
    /// assert_eq!(network.reactions().len(), 4);
    /// # Ok::<(), acrasin_protocols::reactions::ReactionError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The errors of [`new`](Self::new) and of [`Expression::parse`]. Also, the propensity of a reaction with reactants
    /// names no species, or a rate of the reverse reaction is given without `<->` or missing with it.
    pub fn with_rates<S: AsRef<str>, P: AsRef<str>>(
        species: &[S],
        parameters: &[(P, f64)],
        written: &[WrittenReaction<'_>],
    ) -> Result<Self, ReactionError> {
        let names: Vec<String> = species.iter().map(|name| name.as_ref().to_owned()).collect();
        let numbers = numbered(&names)?;
        check_parameters(parameters, &names)?;
        if written.len() > MAX_REACTIONS {
            let message = format!("the network has {} reactions", written.len());
            return Err(ReactionError::new(message, format!("at most {MAX_REACTIONS}")));
        }
        let mut reactions = Vec::new();
        for (index, one) in written.iter().enumerate() {
            let read = read_both(one, &names, parameters, |before, after, rate| {
                reactions.push(reaction(before, after, rate, &numbers, &names)?);
                Ok(())
            });
            read.map_err(|error| error.of_reaction(index))?;
        }
        Ok(Self { species: names, reactions })
    }

    /// Creates the network of a population protocol. Consider a vessel of volume n - 1 with n molecules. There every
    /// ordered pair of agents meets at the same rate, and a unit of time has n interactions on average. So its
    /// continuous time is parallel time.
    ///
    /// The network has one reaction for each ordered pair of states and each outcome that changes counts.
    #[must_use]
    pub fn from_table(table: &Table) -> Self {
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
                    let rate = Rate::Constant(rate);
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

    /// The reactions, in the order in which they were given.
    #[must_use]
    pub fn reactions(&self) -> &[Reaction] {
        &self.reactions
    }

    /// The rate of change of concentrations in the limit of large volumes (mass action): `drift[s]` for
    /// `concentration[s]` molecules per volume. Source: Kurtz, "Solutions of ordinary differential equations as limits
    /// of pure jump Markov processes", Journal of Applied Probability 7 (1970). Expressions of rates are evaluated at
    /// counts equal to concentration times volume, and at the time of `at`.
    ///
    /// # Panics
    ///
    /// Panics unless both slices have one number per species.
    pub fn drift(&self, at: EvaluationPoint, concentration: &[f64], drift: &mut [f64]) {
        assert_eq!([concentration.len(), drift.len()], [self.species.len(); 2], "one number a species");
        drift.fill(0.0);
        for reaction in &self.reactions {
            let speed = reaction.speed(|species| concentration[usize::from(species)], at);
            for &(species, by) in &reaction.changes {
                drift[usize::from(species)] += by as f64 * speed;
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

/// One side of a reaction: the species by number, each with the number of its occurrences.
pub(super) fn read_side(
    terms: &[Term<'_>],
    numbers: &BTreeMap<&str, u16>,
    names: &[String],
) -> Result<Vec<(u16, u64)>, ReactionError> {
    let number = |term: &Term<'_>| {
        let number = numbers.get(term.name).copied().ok_or_else(|| {
            let accepted = Accepted::names(term.name, names.iter().map(String::as_str));
            let message = format!("unknown species {}", shown(term.name));
            ReactionError::new(message, accepted).at_column(term.column)
        });
        Ok((number?, term.times))
    };
    terms.iter().map(number).collect()
}

/// Calls `add` for each reaction that a written reaction denotes: one, or two if it is reversible.
pub(super) fn read_both<P: AsRef<str>>(
    one: &WrittenReaction<'_>,
    names: &[String],
    parameters: &[(P, f64)],
    mut add: impl FnMut(&[Term<'_>], &[Term<'_>], Rate) -> Result<(), ReactionError>,
) -> Result<(), ReactionError> {
    let ReactionSides { sides: [before, after], reverse } = parse(one.text)?;
    let of = |rate| read_rate(rate, names, parameters);
    match (reverse, &one.reverse) {
        (Some(column), None) => {
            let message = "`<->` is a reaction and its reverse, but only one rate is written";
            let accepted = "two rates, the second for the reverse reaction; or `->`";
            Err(ReactionError::new(message, accepted).at_column(column))
        }
        (None, Some(_)) => {
            let message = "two rates are written for a reaction in one direction";
            let accepted = "one rate, or `<->` for a reaction and its reverse";
            Err(ReactionError::new(message, accepted).at_column(1))
        }
        (None, None) => add(&before, &after, of(&one.rate)?),
        (Some(_), Some(back)) => {
            add(&before, &after, of(&one.rate)?)?;
            of(back).and_then(|rate| add(&after, &before, rate)).map_err(ReactionError::of_reverse)
        }
    }
}

fn read_rate<P: AsRef<str>>(
    rate: &WrittenRate<'_>,
    names: &[String],
    parameters: &[(P, f64)],
) -> Result<Rate, ReactionError> {
    match *rate {
        WrittenRate::Constant(rate) if (0.0..=f64::MAX).contains(&rate) => Ok(Rate::Constant(rate)),
        WrittenRate::Constant(rate) => {
            let message = format!("the rate of a reaction is {rate}");
            Err(ReactionError::new(message, "a finite number, 0 or above").of_rate())
        }
        WrittenRate::MassAction(text) => Expression::parse(text, names, parameters).map(Rate::MassAction),
        WrittenRate::Propensity(text) => Expression::parse(text, names, parameters).map(Rate::Propensity),
    }
}

fn reaction(
    before: &[Term<'_>],
    after: &[Term<'_>],
    rate: Rate,
    numbers: &BTreeMap<&str, u16>,
    names: &[String],
) -> Result<Reaction, ReactionError> {
    let order: u64 = before.iter().map(|term| term.times).sum();
    if order > MAX_ORDER {
        let message = format!("{order} molecules would have to meet at once");
        return Err(ReactionError::new(message, format!("at most {MAX_ORDER} reactants")).at_column(1));
    }
    let mut reactants: BTreeMap<u16, u32> = BTreeMap::new();
    let mut changes: BTreeMap<u16, i64> = BTreeMap::new();
    for (species, times) in read_side(before, numbers, names)? {
        *reactants.entry(species).or_default() += times as u32;
        *changes.entry(species).or_default() -= times as i64;
    }
    for (species, times) in read_side(after, numbers, names)? {
        *changes.entry(species).or_default() += times as i64;
    }
    if let Rate::Propensity(expression) = &rate
        && !reactants.is_empty()
        && expression.species().is_empty()
    {
        // Most likely it was meant as a rate constant.
        let text = expression.text();
        let message =
            format!("the propensity {} names no species, but the reaction has reactants", shown(text));
        let accepted =
            format!("MassAction(\"{text}\") for a rate constant, or an expression that names a species");
        return Err(ReactionError::new(message, accepted).of_rate().at_column(1));
    }
    let changes = changes.into_iter().filter(|&(_, by)| by != 0).collect();
    Ok(Reaction { reactants: reactants.into_iter().collect(), changes, rate })
}
