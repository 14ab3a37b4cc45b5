//! [`PopulationCounterexample`]: a wrong bottom component and a run to it.

use acrasin_catalogue::counted;
use serde::{Deserialize, Serialize};
use std::fmt::Write as _;

use acrasin_protocols::Table;

use super::configuration::{PopulationConfiguration, PopulationInteraction, counts_text};

/// An input, a shortest run from it into a wrong bottom component, and the component.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct PopulationCounterexample {
    /// The number of agents that start in each state.
    pub input: Vec<u64>,
    /// The value of the predicate for the input; true for a claim about the final configuration.
    pub value: bool,
    /// Whether the claim is about the final configuration instead of the answers.
    pub is_eventual: bool,
    /// The first configuration of the run.
    pub start: PopulationConfiguration,
    /// The interactions of the run: no shorter run leads from this input into a wrong bottom component.
    pub run: Vec<PopulationInteraction>,
    /// The bottom component in which the run ends.
    pub bottom: Bottom,
}

/// A strongly connected component that no interaction leaves and that contains a wrong configuration.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Bottom {
    /// The number of configurations. A fair execution visits all of them infinitely often.
    pub configurations: u64,
    /// Whether the component is one configuration that no interaction changes.
    pub is_silent: bool,
    /// The configuration at which the run enters the component.
    pub entered: PopulationConfiguration,
    /// A wrong configuration of the component: `entered` if it is wrong, otherwise a wrong configuration nearest to the
    /// input.
    pub wrong: PopulationConfiguration,
    /// The first few configurations of the component, as examples.
    pub shown: Vec<PopulationConfiguration>,
}

impl PopulationCounterexample {
    /// The counterexample as text; `claim` is the predicate as written.
    #[must_use]
    pub fn describe(&self, table: &Table, claim: &str) -> String {
        let mut text = String::new();
        let input = counts_text(table, &self.input);
        let says = match (self.is_eventual, self.value) {
            (true, _) => format!("in the end `{claim}` should hold"),
            (false, true) => format!("`{claim}` holds, so every agent should finally answer yes"),
            (false, false) => format!("`{claim}` does not hold, so every agent should finally answer no"),
        };
        let _ = writeln!(
            text,
            "counterexample: {}, input {input}: {says}",
            counted(self.input.iter().sum::<u64>(), "agent")
        );
        let _ = writeln!(text, "  start  {}", self.start.describe(table));
        for (number, interaction) in (1..).zip(&self.run) {
            let _ = writeln!(text, "  {number:>5}  {}", interaction.describe(table));
        }
        let Bottom { configurations, is_silent, entered, wrong, shown } = &self.bottom;
        let steps = match self.run.len() {
            0 => "at once".to_owned(),
            1 => "after 1 interaction".to_owned(),
            more => format!("after {more} interactions"),
        };
        let _ = writeln!(
            text,
            "  {steps}: {} with the outputs {}",
            entered.describe(table),
            entered.describe_outputs(table)
        );
        let _ = match (is_silent, configurations) {
            (true, _) => writeln!(text, "  it stays there: no interaction changes a state (silent)"),
            (false, 1) => writeln!(text, "  it stays there: agents may only exchange their states"),
            (false, more) => writeln!(
                text,
                "  it stays there: a bottom component of {more} configurations, all visited infinitely \
                 often by a fair run"
            ),
        };
        if wrong != entered {
            let outputs = wrong.describe_outputs(table);
            let _ =
                writeln!(text, "  one that is wrong: {} with the outputs {outputs}", wrong.describe(table));
        }
        if *configurations > 1 {
            let listed: Vec<String> = shown.iter().map(|one| one.describe(table)).collect();
            let more = if *configurations > shown.len() as u64 { "; …" } else { "" };
            let _ = writeln!(text, "  the component: {}{more}", listed.join("; "));
        }
        text
    }
}
