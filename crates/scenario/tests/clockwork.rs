//! An engine from outside the workspace with its catalogue entry. Tests of the command and of the Python package use it
//! as well.

use std::borrow::Cow;
use std::hash::Hasher as _;

use acrasin_catalogue::parameter::{Parameter, ParameterKind};
use acrasin_process::{Advance, Condition, Metric, Process, Progress, RestoreError, RunBound};
use acrasin_protocols::lazy_library::{LazyEntry, LazyModel, LazyStart};
use acrasin_protocols::uniform_pairs::PopulationError;
use acrasin_runtime::Digest;

/// A process that infects one more agent every `pace` interactions. It draws nothing, so every count is known.
#[derive(Debug)]
struct Clockwork {
    pace: u64,
    classes: [String; 2],
}

struct ClockworkAgents {
    pace: u64,
    interactions: u64,
    counts: [u64; 2],
}

impl Process for ClockworkAgents {
    fn progress(&self) -> Progress {
        let interactions = self.interactions;
        Progress { steps: interactions, interactions, ..Progress::START }
    }

    fn counts(&self) -> Cow<'_, [u64]> {
        Cow::Borrowed(&self.counts)
    }

    fn advance(&mut self, bound: &RunBound, condition: Option<&dyn Condition>) -> Advance {
        let holds = |counts: &[u64]| condition.is_some_and(|condition| condition.holds(counts));
        if holds(&self.counts) {
            return Advance::Held;
        }
        while self.interactions < bound.interactions {
            self.interactions += 1;
            if self.interactions.is_multiple_of(self.pace) && self.counts[0] > 0 {
                self.counts = [self.counts[0] - 1, self.counts[1] + 1];
                if holds(&self.counts) {
                    return Advance::Held;
                }
            }
        }
        Advance::Advanced
    }

    fn is_silent(&self) -> Option<bool> {
        Some(self.counts[0] == 0)
    }

    fn is_stable(&self) -> Option<bool> {
        self.is_silent()
    }

    fn metrics(&self) -> Vec<Metric> {
        vec![Metric { is_of_graph: false, key: "pace", label: "pace", value: self.pace }]
    }

    fn digest(&self) -> u128 {
        Digest::written(|hasher| {
            self.counts.iter().for_each(|&count| hasher.write_u64(count));
        })
        .0
    }

    fn save(&self) -> Option<Vec<u8>> {
        Some([self.interactions, self.counts[0], self.counts[1]].map(u64::to_le_bytes).concat())
    }

    fn restore(&mut self, checkpoint: &[u8]) -> Result<(), RestoreError> {
        let numbers = checkpoint.chunks_exact(8).map(|word| u64::from_le_bytes(word.try_into().unwrap()));
        let [interactions, healthy, infected] = numbers.collect::<Vec<u64>>()[..] else {
            return Err(RestoreError::Refused("not a checkpoint of clockwork".to_owned()));
        };
        (self.interactions, self.counts) = (interactions, [healthy, infected]);
        Ok(())
    }
}

impl LazyModel for Clockwork {
    fn classes(&self) -> &[String] {
        &self.classes
    }

    fn outputs(&self) -> &[String] {
        &self.classes
    }

    fn starts(&self) -> &[&'static str] {
        &["healthy", "infected"]
    }

    fn needs_complete_graph(&self) -> bool {
        true
    }

    fn tells_stability(&self) -> bool {
        true
    }

    fn run(
        &self,
        start: &LazyStart,
        _: u64,
        drive: &mut dyn FnMut(&mut dyn Process),
    ) -> Result<(), PopulationError> {
        let infected = start.agents.iter().filter(|&&start| start == 1).count() as u64;
        let counts = [start.agents.len() as u64 - infected, infected];
        drive(&mut ClockworkAgents { pace: self.pace, interactions: 0, counts });
        Ok(())
    }
}

pub(crate) const ENTRY: LazyEntry = LazyEntry {
    name: "clockwork",
    summary: "one agent more is infected at regular intervals",
    classes: "healthy, infected",
    parameters: &[Parameter::optional(
        "pace",
        ParameterKind::Whole { least: 1, most: 100, default: 5 },
        "interactions",
    )],
    make: |values| {
        let classes = ["healthy", "infected"].map(str::to_owned);
        Ok(Box::new(Clockwork { pace: values[0] as u64, classes }))
    },
};
