//! [`Claim`]: claims about population protocols.

use std::fmt;

use acrasin_protocols::predicate::{BoundPredicate, Predicate, PredicateError};
use acrasin_protocols::{Protocol as _, Table};

/// The answer that an output stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum OutputMeaning {
    Yes,
    No,
    Undecided,
}

/// The meaning of each output of a protocol for a predicate: yes, no, or undecided.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answers {
    /// The meaning of each output of the table.
    of_output: Vec<OutputMeaning>,
}

/// The error for an output that the protocol does not have, or that is listed as both yes and no.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownOutput {
    name: String,
    accepted: String,
    twice: bool,
}

impl UnknownOutput {
    /// The name as given, which is not an output or is listed twice.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The outputs of the protocol, as a list.
    #[must_use]
    pub fn accepted(&self) -> &str {
        &self.accepted
    }
}

impl fmt::Display for UnknownOutput {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name: String = self.name.escape_debug().take(64).collect();
        if self.twice {
            write!(f, "the output `{name}` cannot mean yes and no")
        } else {
            write!(f, "the protocol has no output `{name}` (accepted: {})", self.accepted)
        }
    }
}

impl std::error::Error for UnknownOutput {}

impl Answers {
    /// Takes the outputs that mean yes and those that mean no. An empty list stands for all outputs that are not in the
    /// other list. If neither is empty, the remaining outputs are undecided, and such an answer is never right.
    ///
    /// # Errors
    ///
    /// [`UnknownOutput`] for a name that is not an output of the table, or is in both lists.
    pub fn new(table: &Table, yes: &[&str], no: &[&str]) -> Result<Self, UnknownOutput> {
        let error = |name: &str, twice| UnknownOutput {
            name: name.to_owned(),
            accepted: table.output_names().join(", "),
            twice,
        };
        if let Some(name) = yes.iter().find(|name| no.contains(name)) {
            return Err(error(name, true));
        }
        if let Some(name) =
            yes.iter().chain(no).find(|name| !table.output_names().iter().any(|known| known == *name))
        {
            return Err(error(name, false));
        }
        let answer = |name: &String| match (yes.contains(&name.as_str()), no.contains(&name.as_str())) {
            (true, _) => OutputMeaning::Yes,
            (_, true) => OutputMeaning::No,
            _ if yes.is_empty() => OutputMeaning::Yes,
            _ if no.is_empty() => OutputMeaning::No,
            _ => OutputMeaning::Undecided,
        };
        Ok(Self { of_output: table.output_names().iter().map(answer).collect() })
    }

    /// The meaning of outputs with self-explanatory names: yes, true, 1, no, false, 0, in any case. `None` if the
    /// table has any other output.
    #[must_use]
    pub fn by_name(table: &Table) -> Option<Self> {
        let answer = |name: &String| match name.to_ascii_lowercase().as_str() {
            "yes" | "true" | "1" => Some(OutputMeaning::Yes),
            "no" | "false" | "0" => Some(OutputMeaning::No),
            _ => None,
        };
        table.output_names().iter().map(answer).collect::<Option<_>>().map(|of_output| Self { of_output })
    }

    /// The meaning of outputs for a majority, such as `A > B`. For `A > B`, the output called `A` means yes, the output
    /// called `B` means no. `None` if the predicate has another form, or the table has no such outputs.
    #[must_use]
    pub fn by_majority(table: &Table, predicate: &Predicate) -> Option<Self> {
        let (greater, lesser) = predicate.order()?;
        Self::new(table, &[greater], &[lesser]).ok()
    }

    /// The outputs that mean yes (`true`) or no (`false`), by number.
    pub fn meaning(&self, yes: bool) -> impl Iterator<Item = u16> + '_ {
        let wanted = if yes { OutputMeaning::Yes } else { OutputMeaning::No };
        (0_u16..).zip(&self.of_output).filter(move |(_, answer)| **answer == wanted).map(|(output, _)| output)
    }
}

/// A claim about a protocol: see [`Claim::computes`] and [`Claim::eventually`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Claim {
    text: String,
    predicate: BoundPredicate,
    mentioned: Vec<u16>,
    /// The meaning of each state's output; `None` if the claim is about the final configuration.
    of_state: Option<Vec<OutputMeaning>>,
    /// The inputs that the claim covers; `None` for all.
    given: Option<BoundPredicate>,
}

/// Label bit: the configuration is right for inputs that satisfy the predicate.
pub(super) const RIGHT_IF_TRUE: u32 = 1;
/// Label bit: the configuration is right for inputs that do not satisfy the predicate.
pub(super) const RIGHT_IF_FALSE: u32 = 2;

impl Claim {
    /// The claim that the protocol computes the predicate: from every input, every fair execution reaches
    /// configurations in which all agents give the right answer, and stays in such configurations. The predicate is
    /// about states of the input, not about outputs.
    ///
    /// # Errors
    ///
    /// [`PredicateError`] for a name in the predicate that the protocol does not have.
    pub fn computes(table: &Table, predicate: &Predicate, answers: &Answers) -> Result<Self, PredicateError> {
        let of_state =
            table.states().map(|state| answers.of_output[usize::from(table.output(state))]).collect();
        Self::new(table, predicate, table.state_names(), Some(of_state))
    }

    /// The claim that the predicate holds eventually: from every input, every fair execution reaches configurations
    /// that satisfy it, and stays in such configurations. The predicate may be about states and outputs.
    ///
    /// # Errors
    ///
    /// [`PredicateError`] for a name in the predicate that the protocol does not have.
    pub fn eventually(table: &Table, predicate: &Predicate) -> Result<Self, PredicateError> {
        let outputs: Vec<String> =
            table.states().map(|state| table.output_name(table.output(state)).to_owned()).collect();
        Self::new(table, predicate, &outputs, None)
    }

    fn new(
        table: &Table,
        predicate: &Predicate,
        outputs: &[String],
        of_state: Option<Vec<OutputMeaning>>,
    ) -> Result<Self, PredicateError> {
        let mentioned = predicate.mentioned(table.state_names(), outputs)?;
        Ok(Self {
            text: predicate.text().to_owned(),
            predicate: predicate.bind(table.state_names(), outputs)?,
            mentioned: mentioned.into_iter().map(|state| state as u16).collect(),
            of_state,
            given: None,
        })
    }

    /// Restricts the claim to inputs that satisfy `given`, for instance `A != B` to exclude ties. The predicate is
    /// about states.
    ///
    /// # Errors
    ///
    /// [`PredicateError`] for a name in the predicate that the protocol does not have.
    pub fn given(mut self, table: &Table, given: &Predicate) -> Result<Self, PredicateError> {
        self.given = Some(given.bind(table.state_names(), table.state_names())?);
        Ok(self)
    }

    /// Whether the claim covers an input.
    ///
    /// # Panics
    ///
    /// Panics if there are fewer counts than states.
    #[must_use]
    pub fn is_about(&self, input: &[u64]) -> bool {
        self.given.as_ref().is_none_or(|given| given.holds(input))
    }

    /// The predicate as written.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The predicate with its names resolved to states and outputs, for programs that reason about it.
    #[must_use]
    pub fn predicate(&self) -> &BoundPredicate {
        &self.predicate
    }

    /// The condition on the inputs that the claim covers; `None` if it covers all.
    #[must_use]
    pub fn condition(&self) -> Option<&BoundPredicate> {
        self.given.as_ref()
    }

    /// Whether the output of a state is the right answer if the predicate has this `value`; always false for a claim
    /// about the final configuration.
    ///
    /// # Panics
    ///
    /// Panics if there is no such state.
    #[must_use]
    pub fn is_answer(&self, state: u16, value: bool) -> bool {
        let wanted = if value { OutputMeaning::Yes } else { OutputMeaning::No };
        self.of_state.as_ref().is_some_and(|of_state| of_state[usize::from(state)] == wanted)
    }

    /// The states that the predicate mentions, in table order; all states if it mentions none.
    #[must_use]
    pub fn states_mentioned(&self) -> &[u16] {
        &self.mentioned
    }

    /// Whether the claim is about the final configuration instead of the answers.
    #[must_use]
    pub fn is_eventual(&self) -> bool {
        self.of_state.is_none()
    }

    /// The value of the predicate for an input with `input[i]` agents in state `i`; always true for a claim about the
    /// final configuration.
    ///
    /// # Panics
    ///
    /// Panics if there are fewer counts than states.
    #[must_use]
    pub fn value(&self, input: &[u64]) -> bool {
        self.is_eventual() || self.predicate.holds(input)
    }

    /// Whether a final configuration is right if the predicate has this `value` for the input.
    ///
    /// # Panics
    ///
    /// Panics if there are fewer counts than states.
    #[must_use]
    pub fn is_right(&self, counts: &[u64], value: bool) -> bool {
        let wanted = if value { RIGHT_IF_TRUE } else { RIGHT_IF_FALSE };
        self.label(counts) & wanted != 0
    }

    pub(super) fn label(&self, counts: &[u64]) -> u32 {
        let Some(of_state) = &self.of_state else {
            return if self.predicate.holds(counts) { RIGHT_IF_TRUE } else { RIGHT_IF_FALSE };
        };
        let all = |answer| of_state.iter().zip(counts).all(|(given, &count)| count == 0 || *given == answer);
        let (yes, no) = (all(OutputMeaning::Yes), all(OutputMeaning::No));
        (if yes { RIGHT_IF_TRUE } else { 0 }) | (if no { RIGHT_IF_FALSE } else { 0 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use acrasin_protocols::library::ApproximateMajority;

    fn table() -> Table {
        Table::compile(&ApproximateMajority).unwrap()
    }

    #[test]
    fn the_meaning_of_outputs() {
        let table = table();
        assert_eq!(Answers::by_name(&table), None);
        let outputs = table.output_names().to_vec();
        let (a, b) = (outputs[0].as_str(), outputs[1].as_str());
        let only_yes = Answers::new(&table, &[a], &[]).unwrap();
        assert_eq!(only_yes.meaning(true).collect::<Vec<_>>(), [0]);
        assert_eq!(only_yes.meaning(false).count(), outputs.len() - 1);
        let only_no = Answers::new(&table, &[], &[b]).unwrap();
        assert_eq!(only_no.meaning(false).collect::<Vec<_>>(), [1]);
        let both = Answers::new(&table, &[a], &[b]).unwrap();
        assert_eq!((both.meaning(true).count(), both.meaning(false).count()), (1, 1));
        assert_eq!(Answers::new(&table, &["Q"], &[]).unwrap_err().name(), "Q");
        let error = Answers::new(&table, &[a], &[a]).unwrap_err().to_string();
        assert!(error.ends_with("cannot mean yes and no"), "{error}");
    }

    #[test]
    fn the_undecided_are_never_right() {
        let table = table();
        let answers = Answers::new(&table, &["A"], &["B"]).unwrap();
        let claim = Claim::computes(&table, &Predicate::parse("A > B").unwrap(), &answers).unwrap();
        assert!(claim.value(&[2, 1, 0]) && !claim.value(&[1, 1, 0]));
        assert!(claim.is_right(&[3, 0, 0], true) && !claim.is_right(&[3, 0, 0], false));
        for counts in [[2, 0, 1], [0, 0, 3], [1, 2, 0]] {
            assert!(!claim.is_right(&counts, true) && !claim.is_right(&counts, false), "{counts:?}");
        }
        assert_eq!(claim.states_mentioned(), [0, 1]);
    }
}
