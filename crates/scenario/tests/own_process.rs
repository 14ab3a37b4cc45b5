//! An engine from outside: one `impl Process` and one entry of the catalogue give runs, stop conditions, rows, films and a digest.

use std::borrow::Cow;
use std::hash::Hasher as _;
use std::path::Path;

use acrasin_catalogue::parameter::{Kind, Parameter};
use acrasin_process::{Advance, Condition, Metric, Process, Progress, RunBound};
use acrasin_protocols::untabled::{Entry, Model, Start};
use acrasin_report::record::Exit;
use acrasin_runtime::Digest;
use acrasin_scenario::plan::{Finished, Job, UntabledPlan, Unwatched};
use acrasin_scenario::{Catalogue, Document, DocumentError};

use crate::support::{digest, ended, number};

/// Every `pace` interactions one agent more is infected: no draws, so every count is known.
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
}

impl Model for Clockwork {
    fn classes(&self) -> &[String] {
        &self.classes
    }

    fn outputs(&self) -> &[String] {
        &self.classes
    }

    fn starts(&self) -> &[&'static str] {
        &["healthy", "infected"]
    }

    fn needs_everybody(&self) -> bool {
        true
    }

    fn tells_stability(&self) -> bool {
        true
    }

    fn run(
        &self,
        start: &Start,
        _: u64,
        drive: &mut dyn FnMut(&mut dyn Process),
    ) -> Result<(), acrasin_protocols::uniform_pairs::PopulationError> {
        let infected = start.agents.iter().filter(|&&start| start == 1).count() as u64;
        let counts = [start.agents.len() as u64 - infected, infected];
        drive(&mut ClockworkAgents { pace: self.pace, interactions: 0, counts });
        Ok(())
    }
}

const ENTRY: Entry = Entry {
    name: "clockwork",
    summary: "one agent more is infected at regular intervals",
    classes: "healthy, infected",
    parameters: &[Parameter::optional(
        "pace",
        Kind::Whole { least: 1, most: 100, default: 5 },
        "interactions",
    )],
    make: |values| {
        let classes = ["healthy", "infected"].map(str::to_owned);
        Ok(Box::new(Clockwork { pace: values[0] as u64, classes }))
    },
};

fn run(stop: &str) -> Result<Finished, DocumentError> {
    let catalogue = Catalogue::shipped().with_untabled(ENTRY).unwrap();
    let text = format!(
        "(seed: 1, topology: Complete(nodes: 10), scheduler: UniformPairs, work: Interactions(protocol: \
         Library(name: \"clockwork\", parameters: {{\"pace\": 7}}), initial: Counts({{\"healthy\": 8, \"infected\": 2}})), \
         stop: {stop}, observe: (counts_every: Interactions(10)))"
    );
    let document = Document::parse(&text, "own.ron")?;
    let plan = UntabledPlan::within(&catalogue, &document, Path::new(""), 1 << 30)?;
    Ok(plan.run(&Job { seed: 1, repetition: 0, watch: &Unwatched, record: None }).unwrap())
}

#[test]
fn a_process_from_outside_runs_to_its_stop_condition() {
    let finished = run("[Counts(\"infected >= 5\")]").unwrap();
    assert_eq!(ended(&finished), ("counts", Exit::Done));
    // Three more agents, one every seven interactions.
    assert_eq!((number(&finished, "work.interactions"), number(&finished, "states.infected")), (21, 5));
    assert_eq!(number(&finished, "work.pace"), 7);
    let rows: Vec<(f64, u64)> =
        finished.series.as_ref().unwrap().rows().map(|row| (row.time, row.counts[1])).collect();
    assert_eq!(rows, [(0.0, 2), (1.0, 3), (2.0, 4), (2.1, 5)]);

    let bounded = run("[Interactions(30)]").unwrap();
    assert_eq!((ended(&bounded).0, number(&bounded, "states.infected")), ("interactions", 6));
    assert_ne!(digest(&bounded), digest(&finished));
    assert_eq!(digest(&bounded), digest(&run("[Interactions(30)]").unwrap()));
}

#[test]
fn a_process_from_outside_says_when_it_is_settled_or_silent() {
    // Agents are asked once in as many interactions as there are of them: 56 is in the sixth look.
    let settled = run("[Settled]").unwrap();
    assert_eq!((ended(&settled), number(&settled, "work.interactions")), (("settled", Exit::Done), 60));
    // A predicate that cannot hold any more: the run ends because the process is silent.
    let quiet = run("[Counts(\"infected == 11\")]").unwrap();
    assert_eq!(ended(&quiet), ("quiet", Exit::Failed));
    assert_eq!(number(&quiet, "states.healthy"), 0);
}
