//! A protocol as written, before validation.

use std::collections::BTreeMap;
use std::fmt;

use crate::group::GroupRule;

/// The maximum number of states of a table: a cell takes 4 bytes, so 4096^2 cells are 64 MiB.
pub const MAX_STATES: usize = 4096;

/// The maximum number of rules of a table. Longer tables are better written in Rust, as a transition function.
pub const MAX_RULES: usize = 1 << 18;

/// The maximum number of outcomes of all randomised rules together. They are stored one by one, and then take about 16
/// MiB.
pub const MAX_OUTCOMES: usize = 1 << 20;

/// One rule as it was written. The module [`table`](crate::table) documents the variants.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Rule {
    /// Exactly this initiator and this responder.
    Ordered(String),
    /// Exactly this initiator and this responder, and the initiator must not change.
    OneWay(String),
    /// These two states in either order; for the reversed pair the outcome is mirrored.
    Symmetric(String),
    /// An ordered pair, and its outcomes with their weights.
    Randomised(String, Vec<(u64, String)>),
    /// A pair in either order, and its outcomes with their weights; for the reversed pair the outcomes are mirrored.
    SymmetricRandomised(String, Vec<(u64, String)>),
}

impl Rule {
    /// The word in front of the rule, which is the name of the variant.
    #[must_use]
    pub fn word(&self) -> &'static str {
        match self {
            Self::Ordered(_) => "Ordered",
            Self::OneWay(_) => "OneWay",
            Self::Symmetric(_) => "Symmetric",
            Self::Randomised(..) => "Randomised",
            Self::SymmetricRandomised(..) => "SymmetricRandomised",
        }
    }

    /// The text of the rule; of a randomised rule the text of its pair.
    #[must_use]
    pub fn text(&self) -> &str {
        match self {
            Self::Ordered(text) | Self::OneWay(text) | Self::Symmetric(text) => text,
            Self::Randomised(pair, _) | Self::SymmetricRandomised(pair, _) => pair,
        }
    }

    pub(super) fn is_mirrored(&self) -> bool {
        matches!(self, Self::Symmetric(_) | Self::SymmetricRandomised(..))
    }
}

impl fmt::Display for Rule {
    /// Writes the rule as in a file, such as `Symmetric("A + B -> U + U")`; long texts are shortened.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let dots =
            if matches!(self, Self::Randomised(..) | Self::SymmetricRandomised(..)) { ", .." } else { "" };
        write!(f, "{}({:?}{dots})", self.word(), crate::name::quoted(self.text()))
    }
}

/// The transition of pairs that no rule mentions.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Missing {
    /// The interaction of such a pair changes nothing.
    Null,
}

/// A protocol as a user wrote it: names, rules, outputs. [`build`](Self::build) checks it.
///
/// ```
/// use acrasin_protocols::{Missing, Rule, TableSpec};
///
/// let majority = TableSpec {
///     states: ["A", "B", "U"].map(String::from).to_vec(),
///     rules: ["A + B -> U + U", "A + U -> A + A", "B + U -> B + B"]
///         .map(|text| Rule::Symmetric(text.into()))
///         .to_vec(),
///     default: Some(Missing::Null),
///     ..TableSpec::default()
/// };
/// let table = majority.build()?;
/// assert_eq!(
///     table.effective().to_string(),
///     "\
/// initiator  responder      initiator  responder  class
/// A          B          ->  U          U          symmetric
/// A          U          ->  A          A          symmetric
/// B          A          ->  U          U          symmetric
/// B          U          ->  B          B          symmetric
/// U          A          ->  A          A          symmetric
/// U          B          ->  B          B          symmetric
/// 6 of 9 ordered pairs change something, 3 are null
/// "
/// );
/// # Ok::<(), acrasin_protocols::TableError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TableSpec {
    /// The names of the states, without repetition.
    pub states: Vec<String>,
    /// The rules, in any order.
    pub rules: Vec<Rule>,
    /// The transition of pairs without a rule. `None` means that every pair needs a rule.
    pub default: Option<Missing>,
    /// The outputs by state; a state that is not mentioned outputs its own name.
    pub outputs: BTreeMap<String, String>,
    /// The joint interaction of a locked set.
    pub group: GroupRule,
}
