//! Upper bounds on expected numbers of interactions, as functions of the number n of agents.

use std::collections::BTreeMap;
use std::fmt;

use crate::simplex::common_divisor;

/// The growth of a bound with the number n of agents, from slow to fast.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum BoundGrowth {
    /// n to the power of the exponent, times log n if `logarithm` is set.
    Polynomial {
        /// The exponent of n; 0 if no interaction is needed.
        exponent: u32,
        /// Whether the bound has a factor log n.
        logarithm: bool,
    },
    /// 2^O(n log n).
    Exponential,
    /// 2^O(n^s log n) for s states that can occur: exponential in the number of configurations.
    Configurations {
        /// The number s of states that can occur.
        states: usize,
    },
}

impl fmt::Display for BoundGrowth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Polynomial { exponent: 0, .. } => f.write_str("O(1)"),
            Self::Polynomial { exponent, logarithm } => {
                let power = if exponent == 1 { "n".to_owned() } else { format!("n^{exponent}") };
                write!(f, "O({power}{})", if logarithm { " log n" } else { "" })
            }
            Self::Exponential => f.write_str("2^O(n log n)"),
            Self::Configurations { states } => write!(f, "2^O(n^{states} log n)"),
        }
    }
}

/// A positive fraction: numerator and denominator.
pub(crate) type Ratio = (u128, u128);

/// A summand of a bound, without its constant factor.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum BoundTerm {
    /// n (ln n + 1).
    Epidemic,
    /// (n - 1)^2.
    Duels,
    /// n^2.
    Square,
    /// n^2 (ln(W n) + 1), where W is the largest weight.
    Partners { largest: u128 },
    /// n^3.
    Cube,
    /// n^2 (W₁ n + 1) (W₂ n + 1) …, where W₁, W₂, … are the largest weights of the ranks.
    Ranks(Vec<u128>),
    /// R n (K n^2)^(R n), where weights differ by at most R, and K is the slowness of the transitions.
    Restarts { range: u128, slowness: Ratio },
}

impl BoundTerm {
    fn growth(&self) -> BoundGrowth {
        let (exponent, logarithm) = match self {
            Self::Epidemic => (1, true),
            Self::Duels | Self::Square => (2, false),
            Self::Partners { .. } => (2, true),
            Self::Cube => (3, false),
            Self::Ranks(largest) => (2 + largest.len() as u32, false),
            Self::Restarts { .. } => return BoundGrowth::Exponential,
        };
        BoundGrowth::Polynomial { exponent, logarithm }
    }

    fn at(&self, agents: f64) -> f64 {
        match self {
            Self::Epidemic => agents * (agents.ln() + 1.0),
            Self::Duels => (agents - 1.0) * (agents - 1.0),
            Self::Square => agents * agents,
            Self::Partners { largest } => agents * agents * ((*largest as f64 * agents).ln() + 1.0),
            Self::Cube => agents * agents * agents,
            Self::Ranks(largest) => {
                largest.iter().fold(agents * agents, |product, &one| product * (one as f64 * agents + 1.0))
            }
            Self::Restarts { range, slowness } => {
                let length = *range as f64 * agents;
                length * (slowness.0 as f64 / slowness.1 as f64 * agents * agents).powf(length)
            }
        }
    }
}

/// The text of a multiple of n.
fn times_n(factor: u128) -> String {
    if factor == 1 { "n".to_owned() } else { format!("{factor} n") }
}

fn ratio_text((numerator, denominator): Ratio) -> String {
    if denominator == 1 { numerator.to_string() } else { format!("{numerator}/{denominator}") }
}

impl fmt::Display for BoundTerm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Epidemic => f.write_str("n (ln n + 1)"),
            Self::Duels => f.write_str("(n - 1)^2"),
            Self::Square => f.write_str("n^2"),
            Self::Partners { largest: 1 } => f.write_str("n^2 (ln n + 1)"),
            Self::Partners { largest } => write!(f, "n^2 (ln({largest} n) + 1)"),
            Self::Cube => f.write_str("n^3"),
            Self::Ranks(largest) => {
                f.write_str("n^2")?;
                largest.iter().try_for_each(|&one| write!(f, " ({} + 1)", times_n(one)))
            }
            Self::Restarts { range, slowness } => {
                let length = times_n(*range);
                let base = match *slowness {
                    (1, 1) => "n^2".to_owned(),
                    slowness => format!("{} n^2", ratio_text(slowness)),
                };
                let exponent = if *range == 1 { length.clone() } else { format!("({length})") };
                write!(f, "{length} ({base})^{exponent}")
            }
        }
    }
}

/// An upper bound on the expected number of interactions until all agents are correct permanently, for the worst input
/// of n agents under the uniform scheduler.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InteractionBound {
    growth: BoundGrowth,
    /// Terms with their factors; `None` if no constant factor is known.
    terms: Option<BTreeMap<BoundTerm, Ratio>>,
}

impl InteractionBound {
    /// The bound 0: no interaction is needed.
    pub(crate) fn zero() -> Self {
        let growth = BoundGrowth::Polynomial { exponent: 0, logarithm: false };
        Self { growth, terms: Some(BTreeMap::new()) }
    }

    pub(crate) fn of(factor: Ratio, term: BoundTerm) -> Self {
        Self { growth: term.growth(), terms: Some(BTreeMap::from([(term, reduced(factor))])) }
    }

    /// The bound that applies to every true claim, because there are at most n^s configurations.
    pub(crate) fn of_configurations(states: usize) -> Self {
        Self { growth: BoundGrowth::Configurations { states }, terms: None }
    }

    /// The bound for two phases one after the other: the sum.
    pub(crate) fn then(&self, next: &Self) -> Self {
        self.combined(next, |left, right| {
            let numerator = left.0.checked_mul(right.1)?.checked_add(right.0.checked_mul(left.1)?)?;
            Some(reduced((numerator, left.1.checked_mul(right.1)?)))
        })
    }

    /// The bound if either of two phases can follow: the larger factor of each term.
    pub(crate) fn or(&self, other: &Self) -> Self {
        self.combined(other, |left, right| {
            let is_larger = left.0.checked_mul(right.1)? >= right.0.checked_mul(left.1)?;
            Some(if is_larger { left } else { right })
        })
    }

    fn combined(&self, other: &Self, factor: impl Fn(Ratio, Ratio) -> Option<Ratio>) -> Self {
        let terms = self.terms.clone().zip(other.terms.as_ref()).and_then(|(mut terms, others)| {
            for (term, &right) in others {
                let left = terms.get(term).copied();
                let both = left.map_or(Some(right), |left| factor(left, right))?;
                terms.insert(term.clone(), both);
            }
            Some(terms)
        });
        Self { growth: self.growth.max(other.growth), terms }
    }

    /// The growth of the bound with the number of agents, without constant factors.
    #[must_use]
    pub fn growth(&self) -> BoundGrowth {
        self.growth
    }

    /// The bound as a formula in n, such as `2 n (ln n + 1) + (n - 1)^2`; `None` if no constant factor is known.
    #[must_use]
    pub fn formula(&self) -> Option<String> {
        let terms = self.terms.as_ref()?;
        if terms.is_empty() {
            return Some("0".to_owned());
        }
        let one = |(term, &factor): (&BoundTerm, &Ratio)| match factor {
            (1, 1) => term.to_string(),
            factor => format!("{} {term}", ratio_text(factor)),
        };
        Some(terms.iter().map(one).collect::<Vec<_>>().join(" + "))
    }

    /// The value of the formula for this number of agents; `None` if no constant factor is known.
    #[must_use]
    pub fn at(&self, agents: u64) -> Option<f64> {
        let of_term =
            |(term, factor): (&BoundTerm, &Ratio)| factor.0 as f64 / factor.1 as f64 * term.at(agents as f64);
        self.terms.as_ref().map(|terms| terms.iter().map(of_term).sum())
    }
}

impl fmt::Display for InteractionBound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.growth)?;
        self.formula().map_or(Ok(()), |formula| write!(f, ", at most {formula}"))
    }
}

/// The fraction in lowest terms.
pub(crate) fn reduced((numerator, denominator): Ratio) -> Ratio {
    let common = common_divisor(numerator, denominator);
    (numerator / common, denominator / common)
}
