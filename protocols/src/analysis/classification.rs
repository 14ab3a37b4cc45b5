//! Classes of transition functions: symmetric, one-way, ordered, randomised. They are computed from the compiled table,
//! not from the text of its rules.

use std::fmt;

use crate::table::{Table, WeightedOutcome};

/// The class of an ordered pair of states. The variants are listed in order of precedence: the first that applies is
/// the class.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum PairClass {
    /// Neither state changes.
    Null,
    /// The outcome of the pair is random.
    Randomised,
    /// The reversed pair has the mirrored outcome. Two agents in equal states stay in equal states.
    Symmetric,
    /// The initiator does not change.
    OneWay,
    /// All other pairs: the order of initiator and responder matters, and both may change.
    Ordered,
}

impl PairClass {
    /// The class of an ordered pair.
    ///
    /// # Panics
    ///
    /// Panics if the table has no such states.
    #[must_use]
    pub fn new(table: &Table, initiator: u16, responder: u16) -> Self {
        if table.is_null(initiator, responder) {
            Self::Null
        } else if table.is_randomised(initiator, responder) {
            Self::Randomised
        } else if is_mirrored(table, initiator, responder) {
            Self::Symmetric
        } else if table.outcomes(initiator, responder).all(|outcome| outcome.initiator == initiator) {
            Self::OneWay
        } else {
            Self::Ordered
        }
    }
}

impl fmt::Display for PairClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Null => "null",
            Self::Randomised => "randomised",
            Self::Symmetric => "symmetric",
            Self::OneWay => "one-way",
            Self::Ordered => "ordered",
        })
    }
}

/// The class of a whole table.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Classification {
    /// The transition function commutes with exchanging the roles: (a, b) -> (c, d) implies (b, a) -> (d, c), in
    /// distribution. So two agents in equal states have equally distributed outcomes. No deterministic symmetric
    /// protocol elects a leader from equal states.
    pub symmetric: bool,
    /// Like `symmetric`, except that two agents in equal states may change to different states, as in `L + L -> L + F`.
    /// The counts have the same distribution as if pairs were unordered. Every table of `Symmetric` rules is
    /// order-free.
    pub order_free: bool,
    /// Initiators never change.
    pub one_way: bool,
    /// Some outcome is random.
    pub randomised: bool,
    /// The number of ordered pairs that change nothing.
    pub null_pairs: usize,
}

impl Classification {
    /// Classifies a table. Cost: one step per ordered pair.
    #[must_use]
    pub fn new(table: &Table) -> Self {
        let mut class =
            Self { symmetric: true, order_free: true, one_way: true, randomised: false, null_pairs: 0 };
        for a in table.states() {
            for b in table.states() {
                let mirrored = is_mirrored(table, a, b);
                class.symmetric &= mirrored;
                class.order_free &= mirrored || a == b;
                class.one_way &= table.outcomes(a, b).all(|outcome| outcome.initiator == a);
                class.randomised |= table.is_randomised(a, b);
                class.null_pairs += usize::from(table.is_null(a, b));
            }
        }
        class
    }

    /// The class of the whole table: randomised if any outcome is random, else symmetric, else one-way, else ordered. A
    /// table in which nothing changes is null.
    #[must_use]
    pub fn word(&self) -> PairClass {
        match self {
            Self { symmetric: true, one_way: true, randomised: false, .. } => PairClass::Null,
            Self { randomised: true, .. } => PairClass::Randomised,
            Self { symmetric: true, .. } => PairClass::Symmetric,
            Self { one_way: true, .. } => PairClass::OneWay,
            _ => PairClass::Ordered,
        }
    }
}

/// Whether (b, a) has the outcomes of (a, b) with the roles exchanged, and the same weights.
fn is_mirrored(table: &Table, a: u16, b: u16) -> bool {
    let mut forth: Vec<WeightedOutcome> = table
        .outcomes(a, b)
        .map(|o| WeightedOutcome { initiator: o.responder, responder: o.initiator, weight: o.weight })
        .collect();
    forth.sort_unstable();
    forth.into_iter().eq(table.outcomes(b, a))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::{Missing, Rule, TableSpec};

    fn table(rules: Vec<Rule>) -> Table {
        let states = ["A", "B", "C"].map(String::from).to_vec();
        TableSpec { states, rules, default: Some(Missing::Null), ..TableSpec::default() }.build().unwrap()
    }

    #[test]
    fn each_word_is_recognised() {
        let half = |a: &str, b: &str| vec![(1, a.to_owned()), (1, b.to_owned())];
        let cases = [
            (vec![], PairClass::Null, [true, true, true, false]),
            (
                vec![Rule::Symmetric("A + B -> C + C".into())],
                PairClass::Symmetric,
                [true, true, false, false],
            ),
            (
                vec![Rule::Symmetric("A + A -> C + C".into())],
                PairClass::Symmetric,
                [true, true, false, false],
            ),
            (vec![Rule::Symmetric("A + A -> B + C".into())], PairClass::Ordered, [false, true, false, false]),
            (vec![Rule::Symmetric("A + A -> A + C".into())], PairClass::OneWay, [false, true, true, false]),
            (vec![Rule::OneWay("A + B -> A + C".into())], PairClass::OneWay, [false, false, true, false]),
            (vec![Rule::Ordered("A + B -> B + A".into())], PairClass::Ordered, [false, false, false, false]),
            (
                vec![Rule::SymmetricRandomised("A + B".into(), half("A + B", "B + A"))],
                PairClass::Randomised,
                [true, true, false, true],
            ),
            (
                vec![Rule::Randomised("A + A".into(), half("A + B", "B + A"))],
                PairClass::Randomised,
                [true, true, false, true],
            ),
            (
                vec![Rule::Randomised("A + A".into(), half("A + B", "A + A"))],
                PairClass::Randomised,
                [false, true, true, true],
            ),
        ];
        for (rules, word, flags) in cases {
            let class = Classification::new(&table(rules.clone()));
            assert_eq!(class.word(), word, "{rules:?}");
            let Classification { symmetric, order_free, one_way, randomised, .. } = class;
            assert_eq!([symmetric, order_free, one_way, randomised], flags, "{rules:?}");
        }
    }

    #[test]
    fn the_same_cells_from_other_words_are_the_same_class() {
        let one = table(vec![Rule::Symmetric("A + B -> C + A".into())]);
        let other =
            table(vec![Rule::Ordered("A + B -> C + A".into()), Rule::Ordered("B + A -> A + C".into())]);
        assert_eq!(Classification::new(&one), Classification::new(&other));
        assert_eq!(PairClass::new(&one, 0, 1), PairClass::Symmetric);
        assert_eq!(PairClass::new(&one, 2, 2), PairClass::Null);
        assert_eq!(Classification::new(&one).null_pairs, 7);
    }
}
