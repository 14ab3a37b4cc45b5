//! A wrong bottom component and the way to it.

use std::fmt::Write as _;

use acrasin_protocols::Table;

use super::configuration::{Configuration, Interaction, counts_text};

/// An input, a shortest run from it into a bottom component that is wrong, and the component.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Counterexample {
    /// How many agents start in each state.
    pub input: Vec<u64>,
    /// What the predicate says of the input; true for a claim about the end.
    pub value: bool,
    /// Whether the claim is about the configuration at the end, not about the answers.
    pub is_eventual: bool,
    /// The start of the run.
    pub start: Configuration,
    /// The run, as short as any into a wrong bottom component from an input of this size.
    pub run: Vec<Interaction>,
    /// Where it ends.
    pub bottom: Bottom,
}

/// A strongly connected component that no interaction leaves, with a configuration that should not be there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Bottom {
    /// How many configurations it has. A fair execution visits all of them for ever.
    pub configurations: u64,
    /// Whether nothing can happen there.
    pub is_silent: bool,
    /// Where the run enters it.
    pub entered: Configuration,
    /// A configuration of it that is wrong: the entered one if that is, otherwise the one nearest to the input.
    pub wrong: Configuration,
    /// Some of its configurations.
    pub shown: Vec<Configuration>,
}

impl Counterexample {
    /// The counterexample in words; `claim` is the predicate as it was written.
    #[must_use]
    pub fn describe(&self, table: &Table, claim: &str) -> String {
        let mut text = String::new();
        let input = counts_text(table, &self.input);
        let says = match (self.is_eventual, self.value) {
            (true, _) => format!("in the end `{claim}` should hold"),
            (false, true) => format!("`{claim}` holds, so every agent should come to answer yes"),
            (false, false) => format!("`{claim}` does not hold, so every agent should come to answer no"),
        };
        let _ = writeln!(
            text,
            "counterexample: {} agents, input {input}: {says}",
            self.input.iter().sum::<u64>()
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
            (true, _) => writeln!(text, "  there it stays: no interaction changes anybody (silent)"),
            (false, 1) => writeln!(text, "  there it stays: agents may only exchange their states"),
            (false, more) => writeln!(
                text,
                "  there it stays: a bottom component of {more} configurations, all visited for ever by a fair run"
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
