//! The options of an exploration, and the counterexamples that it finds.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::io;

use acrasin_runtime::exclusion::Stamps;
use acrasin_verify::locks::{Budget, Reductions, Rewiring};

use crate::check::ViolatingRun;

/// The maximum number of steps of a run that are printed. A recording has all.
const STEPS_SHOWN: usize = 400;

/// The options of an exploration: the powers of the adversary besides scheduling, and the exact reductions.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Manner {
    /// The maximum number of edges that the adversary removes.
    pub disconnections: Budget,
    /// The maximum number of edges that the adversary adds.
    pub connections: Budget,
    /// The edges that the adversary can add.
    pub rewiring: Rewiring,
    /// Whether nodes also call Lock and Unlock at the wrong time; the rules ignore such calls.
    pub misuse: bool,
    /// The exact reductions that are applied.
    pub reductions: Reductions,
    /// The representation of request timestamps.
    pub stamps: Stamps,
}

/// A run that shows that a property does not hold.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct LockCounterexample {
    /// The violation at the end of the run, as text.
    pub text: String,
    /// The number of configurations and moves that violate the property.
    pub count: u64,
    /// The steps, one per line. No shorter run violates the property.
    pub steps: Vec<String>,
    /// The index of the step at which a cycle starts: the last step leads back to the configuration before this step.
    /// Without a cycle, the number of steps.
    pub round: usize,
    /// Whether a replay of the run shows the violation: a dead end, a violated invariant of the lock layer, or a cycle
    /// in which a node waits. A replay does not show that success is unreachable.
    pub fails_in_replay: bool,
    /// The configuration at the end of the run, as text.
    pub configuration: String,
    /// The run as a replay file.
    pub replay: Vec<u8>,
}

impl ViolatingRun for LockCounterexample {
    const KIND: &'static str = "broken property";

    fn steps(&self) -> usize {
        self.steps.len()
    }

    fn text(&self, [property, source]: [&str; 2]) -> String {
        let mut text = format!("\n{property} ({source}) is broken: {}\n", self.text);
        for (number, step) in self.steps.iter().enumerate().take(STEPS_SHOWN) {
            if number == self.round {
                text += "  from here on, repeated forever:\n";
            }
            let _ = writeln!(text, "{:>5} {step}", number + 1);
        }
        if self.steps.len() > STEPS_SHOWN {
            let _ = writeln!(text, "  ... and {} more steps", self.steps.len() - STEPS_SHOWN);
        }
        text += "  then:\n";
        for line in self.configuration.trim_end().lines() {
            let _ = writeln!(text, "    {line}");
        }
        text
    }

    fn recording(&self) -> io::Result<Option<Cow<'_, [u8]>>> {
        Ok(Some(Cow::Borrowed(&self.replay)))
    }

    fn recorded(&self, property: &str) -> String {
        format!("the recorded run breaks \"{property}\"")
    }

    fn offer(&self) -> Option<&'static str> {
        Some("--record FILE keeps one of these runs for acrasin replay")
    }

    fn fails_in_replay(&self) -> bool {
        self.fails_in_replay
    }
}
