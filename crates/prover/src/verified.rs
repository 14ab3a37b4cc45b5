//! Conversions from claims, and into counterexamples, of the exhaustive check; open questions as text.

use std::fmt::Write as _;

use acrasin_protocols::predicate::BoundPredicate;
use acrasin_protocols::{Table, analysis};
use acrasin_verify::population::{
    Bottom, Claim, PopulationConfiguration, PopulationCounterexample, PopulationInteraction,
};

use crate::exploration::WrongEnd;
use crate::prove::OpenQuestion;
use crate::system::{SizedClaim, SizedGoal};

impl SizedClaim {
    /// Extends the claim of an exhaustive check to every population size.
    ///
    /// # Panics
    ///
    /// Panics if the claim is about another table, or if the table has no such inputs.
    #[must_use]
    pub fn of(table: &Table, inputs: &[u16], claim: &Claim) -> Self {
        let predicate = claim.predicate().linear();
        let answering =
            |value| table.states().filter(|&state| claim.is_answer(state, value)).map(usize::from).collect();
        let goal = if claim.is_eventual() {
            SizedGoal::Eventually(predicate)
        } else {
            SizedGoal::Computes { predicate, yes: answering(true), no: answering(false) }
        };
        Self::new(table, inputs, goal, claim.condition().map(BoundPredicate::linear))
    }
}

/// The maximum number of live transitions that an open question lists.
const LISTED: usize = 6;

impl OpenQuestion {
    /// The open side, the first live transitions, the candidate, what was missing and the explored sizes, one per line.
    ///
    /// # Panics
    ///
    /// Panics if the question is about another claim.
    #[must_use]
    pub fn describe(&self, table: &Table, claim: &SizedClaim) -> String {
        let side = if self.value { "holds" } else { "does not hold" };
        let mut text = format!("open: inputs for which the predicate {side}\n");
        if !self.live.is_empty() {
            let name = |state: usize| table.state_name(state as u16);
            let shown = self.live.iter().take(LISTED).map(|&number| {
                let transition = claim.transitions()[number];
                let [[a, b], [c, d]] = [transition.before.map(name), transition.after.map(name)];
                format!("{a} + {b} -> {c} + {d}")
            });
            let shown = shown.collect::<Vec<_>>().join("; ");
            let more = match self.live.len().saturating_sub(LISTED) {
                0 => String::new(),
                more => format!(" and {more} more"),
            };
            let _ = writeln!(text, "transitions that may occur forever: {shown}{more}");
        }
        if let Some((input, end)) = &self.candidate {
            let [input, end] = [input, end].map(|counts| configuration(counts).describe(table));
            let _ = writeln!(text, "{end} might be a wrong end of the input {input}");
        }
        let _ = match &self.limits[..] {
            [] => writeln!(text, "missing: no further step, split or lemma of the search applies"),
            limits => {
                let limits: Vec<String> = limits.iter().map(ToString::to_string).collect();
                writeln!(text, "missing: {}", limits.join("; "))
            }
        };
        let agents = if self.explored == 1 { "agent" } else { "agents" };
        let _ = writeln!(text, "every input of up to {} {agents} is correct", self.explored);
        text
    }
}

fn configuration(counts: &[u64]) -> PopulationConfiguration {
    PopulationConfiguration { counts: counts.to_vec(), nodes: None }
}

impl WrongEnd {
    /// The run as a counterexample, replayed on the table; `None` if it is not a run to a wrong end of the claim.
    #[must_use]
    pub fn replayed(
        &self,
        table: &Table,
        claim: &Claim,
        sized: &SizedClaim,
    ) -> Option<PopulationCounterexample> {
        let mut counts = self.input.clone();
        let mut run = Vec::with_capacity(self.run.len());
        for &number in &self.run {
            let transition = sized.transitions()[number];
            let [a, b] = transition.before.map(|state| state as u16);
            let wanted = transition.after.map(|state| state as u16);
            let orders = [[a, b], [b, a]];
            let interaction = orders.into_iter().find_map(|before| {
                let outcome = table.outcomes(before[0], before[1]).find(|outcome| {
                    let mut after = [outcome.initiator, outcome.responder];
                    after.sort_unstable();
                    after == wanted
                })?;
                let after = [outcome.initiator, outcome.responder];
                Some(PopulationInteraction { before, after, nodes: None })
            })?;
            for state in interaction.before {
                let count = &mut counts[usize::from(state)];
                *count = count.checked_sub(1)?;
            }
            for state in interaction.after {
                counts[usize::from(state)] += 1;
            }
            run.push(interaction);
        }
        let value = claim.value(&self.input);
        let is_wrong =
            counts == self.entered && claim.is_about(&self.input) && !claim.is_right(&self.wrong, value);
        is_wrong.then(|| PopulationCounterexample {
            input: self.input.clone(),
            value,
            is_eventual: claim.is_eventual(),
            start: configuration(&self.input),
            run,
            bottom: Bottom {
                configurations: self.configurations,
                is_silent: analysis::is_silent(table, &counts),
                entered: configuration(&counts),
                wrong: configuration(&self.wrong),
                shown: self.shown.iter().map(|counts| configuration(counts)).collect(),
            },
        })
    }
}
