//! A predicate bound to the states of a protocol.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use acrasin_process::Condition;

use super::error::PredicateError;
use super::error::{quoted, suggestion};
use super::formula::{Comparison, ComparisonSide, CountedName, Formula, Mention, Predicate, Sum};

/// The numbers of the states that a name counts.
type States = Box<[usize]>;

/// A predicate that can be evaluated on the counts of one protocol.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BoundPredicate {
    formula: Formula<States>,
}

impl Predicate {
    /// The states that the predicate mentions, without repetition, in increasing order. These are the states that the
    /// names in it count, or all states if it contains only `n` and numbers. `outputs[i]` is the output of `states[i]`.
    ///
    /// # Errors
    ///
    /// As [`bind`](Self::bind).
    pub fn mentioned<S: AsRef<str>, O: AsRef<str>>(
        &self,
        states: &[S],
        outputs: &[O],
    ) -> Result<Vec<usize>, PredicateError> {
        let meanings = meanings(self, states, outputs)?;
        let named: BTreeSet<usize> = meanings
            .iter()
            .filter(|(name, _)| **name != CountedName::Nodes)
            .flat_map(|(_, found)| found.iter().copied())
            .collect();
        Ok(if named.is_empty() { (0..states.len()).collect() } else { named.into_iter().collect() })
    }

    /// Resolves the names to states. `outputs[i]` is the output of `states[i]`.
    ///
    /// A name of both a state and an output must count the same nodes in both meanings, or be written `state(A)` or
    /// `output(A)`.
    ///
    /// # Errors
    ///
    /// The first name that is unknown or has two meanings, with its position in the text. Three more cases are
    /// ambiguous. The first is `n` if a state has this name, unless `'n'` also occurs. The second is the name of a
    /// state that can be read as an expression (`A-B`). The third is a comparison of two numbers, one of which is the
    /// name of a state.
    ///
    /// # Panics
    ///
    /// If the two lists differ in length.
    pub fn bind<S: AsRef<str>, O: AsRef<str>>(
        &self,
        states: &[S],
        outputs: &[O],
    ) -> Result<BoundPredicate, PredicateError> {
        assert_eq!(states.len(), outputs.len(), "one output a state");
        let meanings = meanings(self, states, outputs)?;
        Ok(BoundPredicate { formula: translated(&self.formula, &meanings) })
    }
}

impl BoundPredicate {
    /// The predicate as a tree, for programs that reason about all counts at once. A name is the list of the states
    /// that it counts.
    ///
    /// ```
    /// use acrasin_protocols::predicate::{Comparison, Formula, Predicate};
    ///
    /// let bound = Predicate::parse("2 * A > n").unwrap().bind(&["A", "B"], &["A", "B"]).unwrap();
    /// let Formula::Compare(left, Comparison::Greater, right) = bound.formula() else { panic!() };
    /// assert_eq!(left.sum.terms, [(Box::from([0]), 2)]);
    /// assert_eq!(right.sum.terms, [(Box::from([0, 1]), 1)]);
    /// ```
    #[must_use]
    pub fn formula(&self) -> &Formula<Box<[usize]>> {
        &self.formula
    }

    /// Whether the predicate holds. `counts[i]` is the number of nodes in state `i`, in the order given to
    /// [`Predicate::bind`]; their sum is `n` and must be at most
    /// [`MAX_COUNT`](super::MAX_COUNT).
    ///
    /// # Panics
    ///
    /// If there are fewer counts than states. Cost: the number of states that the predicate mentions.
    #[must_use]
    pub fn holds(&self, counts: &[u64]) -> bool {
        self.formula.holds(counts)
    }
}

impl BoundPredicate {
    /// Whether the predicate can hold for counts from `least` to `most`, state by state. `false` means that it cannot
    /// hold. `true` means that the bounds on its single sums do not exclude that it holds.
    ///
    /// # Panics
    ///
    /// If there are fewer counts than states.
    #[must_use]
    pub fn possible(&self, least: &[u64], most: &[u64]) -> bool {
        self.formula.answers(least, most)[1]
    }
}

impl Condition for BoundPredicate {
    fn holds(&self, counts: &[u64]) -> bool {
        self.holds(counts)
    }

    fn possible(&self, least: &[u64], most: &[u64]) -> bool {
        self.possible(least, most)
    }
}

impl Formula<States> {
    /// Whether counts within these bounds can make the formula false, and whether they can make it true. Either result
    /// may be true although no counts achieve it.
    fn answers(&self, least: &[u64], most: &[u64]) -> [bool; 2] {
        let all = |members: &[Self], strong: usize| {
            // One member decides for `strong`; the other answer needs all of them.
            let answers: Vec<[bool; 2]> = members.iter().map(|member| member.answers(least, most)).collect();
            let mut joined = [false; 2];
            joined[strong] = answers.iter().any(|answer| answer[strong]);
            joined[1 - strong] = answers.iter().all(|answer| answer[1 - strong]);
            joined
        };
        match self {
            Self::Any(members) => all(members, 1),
            Self::All(members) => all(members, 0),
            Self::Not(inner) => {
                let [no, yes] = inner.answers(least, most);
                [yes, no]
            }
            Self::Compare(left, comparison, right) => {
                let (left, right) = (left.range(least, most), right.range(least, most));
                let orderings = [
                    (left[0] < right[1], Ordering::Less),
                    (left[0] <= right[1] && right[0] <= left[1], Ordering::Equal),
                    (left[1] > right[0], Ordering::Greater),
                ];
                [false, true].map(|answer| {
                    orderings
                        .iter()
                        .any(|&(possible, ordering)| possible && comparison.accepts(ordering) == answer)
                })
            }
        }
    }

    fn holds(&self, counts: &[u64]) -> bool {
        match self {
            Self::Any(members) => members.iter().any(|member| member.holds(counts)),
            Self::All(members) => members.iter().all(|member| member.holds(counts)),
            Self::Not(inner) => !inner.holds(counts),
            Self::Compare(left, comparison, right) => {
                comparison.accepts(left.value(counts).cmp(&right.value(counts)))
            }
        }
    }
}

impl ComparisonSide<States> {
    /// The least and the largest value for counts within these bounds.
    fn range(&self, least: &[u64], most: &[u64]) -> [i128; 2] {
        let [low, high] = self.sum.range(least, most);
        match self.modulus {
            Some(modulus) if low != high => [0, i128::from(modulus.get()) - 1],
            Some(modulus) => [low.rem_euclid(i128::from(modulus.get())); 2],
            None => [low, high],
        }
    }

    fn value(&self, counts: &[u64]) -> i128 {
        let sum = self.sum.value(counts);
        self.modulus.map_or(sum, |modulus| sum.rem_euclid(i128::from(modulus.get())))
    }
}

impl Sum<States> {
    fn range(&self, least: &[u64], most: &[u64]) -> [i128; 2] {
        self.terms.iter().fold([self.constant; 2], |[low, high], (states, factor)| {
            let of = |counts: &[u64]| {
                let count: i128 = states.iter().map(|&state| i128::from(counts[state])).sum();
                count.saturating_mul(*factor)
            };
            let (at_least, at_most) = (of(least), of(most));
            [low.saturating_add(at_least.min(at_most)), high.saturating_add(at_least.max(at_most))]
        })
    }

    /// The value of the sum. Exact if the counts add up to at most 10^18 (see `MAX_PREDICATE_NAMES`).
    fn value(&self, counts: &[u64]) -> i128 {
        let term = |(states, factor): &(States, i128)| {
            let count: i128 = states.iter().map(|&state| i128::from(counts[state])).sum();
            count.saturating_mul(*factor)
        };
        self.terms.iter().map(term).fold(self.constant, i128::saturating_add)
    }
}

impl Comparison {
    /// The comparison that holds exactly if this comparison does not.
    #[must_use]
    pub fn negated(self) -> Self {
        match self {
            Self::Equal => Self::NotEqual,
            Self::NotEqual => Self::Equal,
            Self::Less => Self::GreaterOrEqual,
            Self::LessOrEqual => Self::Greater,
            Self::Greater => Self::LessOrEqual,
            Self::GreaterOrEqual => Self::Less,
        }
    }

    /// Whether the comparison holds for two numbers with this ordering.
    #[must_use]
    pub fn accepts(self, ordering: Ordering) -> bool {
        match self {
            Self::Equal => ordering.is_eq(),
            Self::NotEqual => ordering.is_ne(),
            Self::Less => ordering.is_lt(),
            Self::LessOrEqual => ordering.is_le(),
            Self::Greater => ordering.is_gt(),
            Self::GreaterOrEqual => ordering.is_ge(),
        }
    }
}

fn meanings<S: AsRef<str>, O: AsRef<str>>(
    predicate: &Predicate,
    states: &[S],
    outputs: &[O],
) -> Result<BTreeMap<CountedName, States>, PredicateError> {
    let names = || states.iter().map(AsRef::as_ref).chain(outputs.iter().map(AsRef::as_ref));
    refuse_second_readings(predicate, names)?;
    let mut meanings = BTreeMap::new();
    for mention in &predicate.mentions {
        let having = |names: &mut dyn Iterator<Item = &str>, wanted: &str| -> States {
            names.enumerate().filter(|&(_, name)| name == wanted).map(|(state, _)| state).collect()
        };
        let state = |name: &str| having(&mut states.iter().map(AsRef::as_ref), name);
        let output = |name: &str| having(&mut outputs.iter().map(AsRef::as_ref), name);
        let (name, found) = match &mention.name {
            CountedName::Nodes => ("n", (0..states.len()).collect()),
            CountedName::State(name) => (name.as_str(), state(name)),
            CountedName::Output(name) => (name.as_str(), output(name)),
            CountedName::Either(name) => {
                let (as_state, as_output) = (state(name), output(name));
                if !as_state.is_empty() && !as_output.is_empty() && as_state != as_output {
                    let message = format!("{} is a state, and also an output of other states", quoted(name));
                    let accepted = format!("state('{name}') or output('{name}')");
                    return Err(PredicateError::new(mention.span.clone(), message, accepted));
                }
                (name.as_str(), if as_state.is_empty() { as_output } else { as_state })
            }
        };
        if found.is_empty() && mention.name != CountedName::Nodes {
            return Err(unknown(mention, name, states, outputs));
        }
        meanings.insert(mention.name.clone(), found);
    }
    Ok(meanings)
}

/// Refuses a predicate of which a part could also be read as the name of a state or output.
fn refuse_second_readings<'a, N: Iterator<Item = &'a str>>(
    predicate: &Predicate,
    names: impl Fn() -> N,
) -> Result<(), PredicateError> {
    let Predicate { text, mentions, constants, .. } = predicate;
    let is_name = |wanted: &str| names().any(|name| name == wanted);
    let is_explicit = |mention: &Mention| match &mention.name {
        CountedName::Either(name) | CountedName::State(name) | CountedName::Output(name) => name == "n",
        CountedName::Nodes => false,
    };
    if let Some(mention) = mentions.iter().find(|mention| mention.name == CountedName::Nodes)
        && is_name("n")
        && !mentions.iter().any(is_explicit)
    {
        let message = "`n` is the number of all agents, but also the name of a state or output";
        let accepted = "'n' in quotes for the state or output; for the number of all agents, the sum of all states, or 'n' in quotes elsewhere in the predicate";
        return Err(PredicateError::new(mention.span.clone(), message, accepted));
    }
    if let Some(span) = constants.iter().find(|span| is_name(&text[(*span).clone()])) {
        let number = &text[span.clone()];
        let message = format!(
            "`{number}` is a number here and also a state or output, and the comparison names no state or output"
        );
        return Err(PredicateError::new(
            span.clone(),
            message,
            format!("'{number}' for the state or output"),
        ));
    }
    let is_word = |c: char| c == '_' || c.is_alphanumeric();
    // Quoted names are blanked, so that positions in the text stay the same.
    let mut is_quoted = false;
    let outside: String = text
        .chars()
        .map(|c| {
            is_quoted ^= c == '\'';
            if is_quoted || c == '\'' { " ".repeat(c.len_utf8()) } else { c.to_string() }
        })
        .collect();
    for name in names().filter(|name| !name.contains(char::is_whitespace) && !name.chars().all(is_word)) {
        let found = outside.match_indices(name).find(|(at, _)| {
            let starts = !(name.starts_with(is_word) && outside[..*at].ends_with(is_word));
            starts && !(name.ends_with(is_word) && outside[at + name.len()..].starts_with(is_word))
        });
        if let Some((at, _)) = found {
            let message = format!("{} is a state or output, and can be read as an expression", quoted(name));
            let accepted = format!(
                "'{}' for the state or output, blanks around its signs for the expression",
                name.replace('\'', "''")
            );
            return Err(PredicateError::new(at..at + name.len(), message, accepted));
        }
    }
    Ok(())
}

fn unknown<S: AsRef<str>, O: AsRef<str>>(
    mention: &Mention,
    name: &str,
    states: &[S],
    outputs: &[O],
) -> PredicateError {
    /// The largest number of names that an error lists.
    const SHOWN: usize = 20;
    let (what, mut known): (_, Vec<&str>) = match &mention.name {
        CountedName::State(_) => ("state", states.iter().map(AsRef::as_ref).collect()),
        CountedName::Output(_) => ("output", outputs.iter().map(AsRef::as_ref).collect()),
        _ => (
            "state or output",
            states.iter().map(AsRef::as_ref).chain(outputs.iter().map(AsRef::as_ref)).collect(),
        ),
    };
    let hint = suggestion(name, &known);
    let mut seen = BTreeSet::new();
    known.retain(|name| seen.insert(*name));
    let mut accepted = known.iter().take(SHOWN).copied().collect::<Vec<_>>().join(", ");
    if known.len() > SHOWN {
        accepted.push_str(&format!(", … ({} names)", known.len()));
    }
    PredicateError::new(mention.span.clone(), format!("unknown {what} {}", quoted(name)), accepted)
        .hinting(hint)
}

fn translated(formula: &Formula<CountedName>, meanings: &BTreeMap<CountedName, States>) -> Formula<States> {
    let all = |members: &[Formula<CountedName>]| {
        members.iter().map(|member| translated(member, meanings)).collect()
    };
    let side = |ComparisonSide { sum, modulus }: &ComparisonSide<CountedName>| ComparisonSide {
        sum: Sum {
            constant: sum.constant,
            terms: sum.terms.iter().map(|(name, factor)| (meanings[name].clone(), *factor)).collect(),
        },
        modulus: *modulus,
    };
    match formula {
        Formula::Any(members) => Formula::Any(all(members)),
        Formula::All(members) => Formula::All(all(members)),
        Formula::Not(inner) => Formula::Not(Box::new(translated(inner, meanings))),
        Formula::Compare(left, comparison, right) => Formula::Compare(side(left), *comparison, side(right)),
    }
}
