//! Claims that hold for every population size.

use std::fmt;

/// A claim about the complete graph that holds for every population of two or more agents, if the parameters of the
/// protocol have their defaults. `acrasin check --all` proves it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ProvedClaim {
    /// The predicate on counts of states: on the input for claims about answers, otherwise on the configuration.
    pub predicate: &'static str,
    /// The outputs that mean yes and no. `None` for a claim that the predicate eventually holds permanently in the
    /// configuration.
    pub answers: Option<[&'static [&'static str]; 2]>,
    /// The condition on inputs under which the claim holds; `None` for all inputs.
    pub given: Option<&'static str>,
    /// The states in which agents start.
    pub inputs: &'static [&'static str],
}

impl ProvedClaim {
    /// The claim that, from every input over these states, the predicate eventually holds permanently.
    #[must_use]
    pub const fn eventually(predicate: &'static str, inputs: &'static [&'static str]) -> Self {
        Self { predicate, answers: None, given: None, inputs }
    }

    /// The claim that eventually all agents permanently have an output of the first list if the predicate holds for the
    /// input, and otherwise an output of the second list.
    #[must_use]
    pub const fn computes(
        predicate: &'static str,
        answers: [&'static [&'static str]; 2],
        inputs: &'static [&'static str],
    ) -> Self {
        Self { predicate, answers: Some(answers), given: None, inputs }
    }

    /// Restricts the claim to inputs that meet a condition.
    #[must_use]
    pub const fn given(self, given: &'static str) -> Self {
        Self { given: Some(given), ..self }
    }
}

impl fmt::Display for ProvedClaim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = if self.answers.is_some() { "computes" } else { "eventually" };
        write!(f, "{word} {}", self.predicate)?;
        if let Some(given) = self.given {
            write!(f, ", given {given}")?;
        }
        write!(f, ", from {}", self.inputs.join(", "))
    }
}
