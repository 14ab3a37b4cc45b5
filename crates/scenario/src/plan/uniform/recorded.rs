//! Recordings of single interactions, as checks find them.
//!
//! Each line is `[initiator, responder, "C", "D"]`: the numbers of two agents and their states afterwards. On the
//! complete graph agents are numbered in the order of the states at the start, on other graphs as the nodes.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::io::{self, Write};
use std::path::Path;

use acrasin_process::{Advance, Condition, Ending, Process, Progress, ReplayFinding, RunBound, StopRule};
use acrasin_protocols::Table;
use acrasin_runtime::Digest;
use acrasin_verify::population::{PopulationConfiguration, PopulationInteraction};
use acrasin_verify::replay::{self, ReplayEnd, ReplayFile, StepReader, StepWriter};

use super::plan::{InteractionModel, UniformPlan};
use super::run::AgentView;
use crate::film::{AgentFilm, LayoutSource};
use crate::limits::FILMED;
use crate::run::{CountConditions, CountStop, Finished, Job, JobReplayError, ProcessRun, RunControl};
use crate::{Catalogue, Document, DocumentError};

/// A line of a recording: two agents, and their states after the interaction.
type InteractionLine = (u64, u64, String, String);

/// A run of a population to a wrong end, as a check has found it.
#[derive(Clone, Copy, Debug)]
pub struct InteractionRun<'a> {
    /// The transition table of the protocol.
    pub table: &'a Table,
    /// The graph, as a scenario writes it in `topology`.
    pub topology: &'a str,
    /// The configuration at the start.
    pub start: &'a PopulationConfiguration,
    /// The interactions, in order.
    pub interactions: &'a [PopulationInteraction],
    /// The title of the scenario: the claim.
    pub title: &'a str,
    /// The end of the run, in words.
    pub end: &'a str,
}

impl InteractionRun<'_> {
    /// Writes the run as a recording that [`UniformPlan::replay`] repeats. The recording has the protocol as a table.
    ///
    /// # Errors
    ///
    /// The errors of `sink`; also if the protocol cannot be written as a table of a scenario, or the run is not one of
    /// the protocol.
    pub fn record(&self, catalogue: &Catalogue, sink: impl Write) -> io::Result<()> {
        let text = self.scenario();
        let refused = |error: DocumentError| io::Error::other(error.to_string());
        let document = Document::parse(&text, "the scenario of the recording").map_err(refused)?;
        let plan = UniformPlan::within(catalogue, &document, Path::new(""), u64::MAX).map_err(refused)?;
        let header = plan.header.source.header(0).with_note(format!("a check has found {}", self.end));
        let mut agents = NumberedAgents::new(self.start.counts.clone(), self.start.nodes.clone());
        let mut writer = StepWriter::new(sink, &header)?;
        for &PopulationInteraction { before, after, nodes } in self.interactions {
            let first = |agents: &NumberedAgents| {
                let initiator = agents.first_in(before[0], None)?;
                Some([initiator, agents.first_in(before[1], Some(initiator))?])
            };
            let pair = nodes.map(|nodes| nodes.map(|node| node as usize)).or_else(|| first(&agents));
            let pair = pair.filter(|&pair| agents.interact(&plan.table, pair, after));
            let Some([initiator, responder]) = pair else {
                return Err(io::Error::other(
                    "the protocol does not have these interactions, a bug in acrasin",
                ));
            };
            let [first, second] = after.map(|state| plan.table.state_name(state));
            writer.step(&(initiator, responder, first, second))?;
        }
        writer.end(&ReplayEnd::new(0, agents.digest(), self.end))
    }

    /// The text of a scenario with this protocol and this start.
    fn scenario(&self) -> String {
        let Self { table, topology, start, title, .. } = self;
        let name = |state| table.state_name(state);
        let mut text = format!("Scenario(\n    title: {title:?},\n    seed: 0,\n");
        let _ = writeln!(text, "    topology: {topology},\n    scheduler: UniformPairs,");
        let _ = writeln!(
            text,
            "    work: Interactions(\n        protocol: Table(\n            states: {:?},",
            table.state_names()
        );
        text += "            outputs: {";
        for state in table.states() {
            use acrasin_protocols::Protocol as _;
            let _ = write!(text, "{:?}: {:?}, ", name(state), table.output_name(table.output(state)));
        }
        text += "},\n            rules: [\n";
        for a in table.states() {
            for b in table.states() {
                let pair = format!("{} + {}", name(a), name(b));
                let outcomes: Vec<_> = table.outcomes(a, b).collect();
                let after = |state: [u16; 2]| format!("{} + {}", name(state[0]), name(state[1]));
                if let [only] = outcomes[..] {
                    if [only.initiator, only.responder] != [a, b] {
                        let rule = format!("{pair} -> {}", after([only.initiator, only.responder]));
                        let _ = writeln!(text, "                Ordered({rule:?}),");
                    }
                    continue;
                }
                let _ = write!(text, "                Randomised({pair:?}, [");
                for outcome in outcomes {
                    let after = after([outcome.initiator, outcome.responder]);
                    let _ = write!(text, "({}, {after:?}), ", outcome.weight);
                }
                text += "]),\n";
            }
        }
        text += "            ],\n            default: Null,\n        ),\n        initial: ";
        let end = "),\n    ),\n    stop: [Silent],\n)\n";
        let Some(nodes) = &start.nodes else {
            text += "Counts({";
            for (state, &count) in table.states().zip(&start.counts).filter(|(_, count)| **count > 0) {
                let _ = write!(text, "{:?}: {count}, ", name(state));
            }
            return text + "}" + end;
        };
        let mut states: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        nodes.iter().enumerate().for_each(|(node, &state)| states.entry(name(state)).or_default().push(node));
        let _ = write!(text, "Nodes(states: {states:?}, rest: {:?}", name(nodes[0]));
        text + end
    }
}

impl UniformPlan {
    /// Repeats the interactions of a recording one by one and compares the configuration at its end. The plan must be
    /// made from [the scenario of the header](acrasin_verify::replay::Header::scenario).
    ///
    /// Also returns the end that the file records. The end is absent if the run control ended the replay earlier.
    ///
    /// A reproduced run is done (`reproduced`), and the reason says how it ended. If the protocol does not allow an
    /// interaction, or the configuration at the end differs, the replay fails (`not reproduced`).
    ///
    /// # Errors
    ///
    /// The file is malformed, or names an agent or a state that does not exist.
    pub fn replay(
        &self,
        file: ReplayFile<'_>,
        watch: &dyn RunControl,
    ) -> Result<(Finished, Option<ReplayEnd>), JobReplayError> {
        let seed = file.header().seed;
        let mut lines = file.steps().map_err(replay::ReplayError::from)?;
        let (counts, placed) = match &self.site {
            InteractionModel::Complete(start) => (start.counts().to_vec(), None),
            InteractionModel::Graph(site) => (site.1.counts(&self.table), Some(&site.1)),
            InteractionModel::Torus(_, start) => (start.counts(&self.table), Some(start)),
            _ => {
                let error = lines.error(
                    "interactions with weights, directions, faults, contacts or matchings cannot be replayed",
                );
                return Err(replay::ReplayError::from(error).into());
            }
        };
        let nodes = counts.iter().sum::<u64>();
        let Some(nodes) = u32::try_from(nodes).ok().filter(|nodes| *nodes <= FILMED) else {
            let error = lines.error(format!("{nodes} agents: at most {FILMED} are replayed"));
            return Err(replay::ReplayError::from(error).into());
        };
        let agents = NumberedAgents::new(counts, placed.map(|start| start.of_run(seed)));
        let (edges, picture) = match placed {
            None => (Vec::new(), LayoutSource::Unknown.picture(nodes, &[])),
            Some(_) => self.site.stage(seed, nodes),
        };
        let known = placed.map(|_| edges.iter().copied().collect());
        let (lines_left, done, ending, fault) = (&mut lines, 0, None, None);
        let mut again =
            InteractionReplay { plan: self, agents, edges: known, lines: lines_left, done, ending, fault };
        let film = watch.eye().map(|_| {
            let names = (self.table.state_names(), nodes);
            AgentFilm::new(names, "interaction", (edges, picture))
        });
        let film = film.map(|film| (film, Vec::new().into_iter().peekable()));
        let (rule, conditions) = (StopRule::default(), CountConditions::new(&[], None));
        let stop = CountStop::new(&again, (&rule, &conditions), None);
        let view = AgentView { plan: self, start: nodes.into(), film };
        let job = Job { seed, repetition: 0, watch, record: None };
        let finished = self.drive(&job, nodes.into()).run(&mut ProcessRun::new(&mut again, stop, view));
        match again.fault.take() {
            Some(fault) => Err(fault.into()),
            None => Ok((finished?, lines.end().cloned())),
        }
    }
}

/// Agents with numbers, each in a state.
#[derive(Debug)]
struct NumberedAgents {
    states: Vec<u16>,
    counts: Vec<u64>,
}

impl NumberedAgents {
    /// Agents with the numbers of their nodes, or else numbered in the order of their states.
    fn new(counts: Vec<u64>, nodes: Option<Vec<u16>>) -> Self {
        let in_order = || {
            let each = (0_u16..).zip(&counts);
            each.flat_map(|(state, &count)| std::iter::repeat_n(state, count as usize)).collect()
        };
        Self { states: nodes.unwrap_or_else(in_order), counts }
    }

    /// The first agent in `state`, other than `apart_from`.
    fn first_in(&self, state: u16, apart_from: Option<usize>) -> Option<usize> {
        (0..self.states.len()).find(|&agent| self.states[agent] == state && apart_from != Some(agent))
    }

    /// Makes an interaction. Returns false, without a change, if the protocol does not allow it.
    fn interact(&mut self, table: &Table, [initiator, responder]: [usize; 2], after: [u16; 2]) -> bool {
        let before = [initiator, responder].map(|agent| self.states[agent]);
        let mut outcomes = table.outcomes(before[0], before[1]);
        let is_outcome = outcomes.any(|outcome| [outcome.initiator, outcome.responder] == after);
        if is_outcome {
            for (agent, (before, after)) in
                [initiator, responder].into_iter().zip(before.into_iter().zip(after))
            {
                self.states[agent] = after;
                self.counts[usize::from(before)] -= 1;
                self.counts[usize::from(after)] += 1;
            }
        }
        is_outcome
    }

    fn digest(&self) -> Digest {
        Digest::of(&self.states)
    }
}

/// A process that makes the recorded interactions.
struct InteractionReplay<'a, 'r> {
    plan: &'a UniformPlan,
    agents: NumberedAgents,
    /// The edges between nodes, smaller number first; `None` on the complete graph.
    edges: Option<BTreeSet<(u32, u32)>>,
    lines: &'a mut StepReader<'r, InteractionLine>,
    done: u64,
    ending: Option<Ending>,
    /// The error that ended the replay before the end of the file.
    fault: Option<replay::ReplayError>,
}

impl InteractionReplay<'_, '_> {
    /// Makes one interaction. Returns the ending once all are made, or if one cannot be made.
    fn next(&mut self) -> Result<Option<Ending>, replay::ReplayError> {
        let not_reproduced = |why: String| Some(Ending::Replayed(ReplayFinding::NotReproduced, why));
        let Some(line) = self.lines.next() else {
            let Some(end) = self.lines.end() else {
                return Err(self.lines.error("the end has not been read").into());
            };
            let digest = self.agents.digest();
            if digest != end.digest {
                let place = self.lines.place();
                let recorded = end.digest;
                return Ok(not_reproduced(format!(
                    "{place}: the replay ends in another configuration: digest {digest}, recorded {recorded}"
                )));
            }
            let reason = format!(
                "the recorded run is reproduced to digest {digest}; recorded ending: {}",
                end.outcome
            );
            return Ok(Some(Ending::Replayed(ReplayFinding::Reproduced, reason)));
        };
        let (initiator, responder, first, second) = line?;
        let table = &self.plan.table;
        let count = self.agents.states.len();
        let agent = |number: u64| usize::try_from(number).ok().filter(|&number| number < count);
        let (Some(initiator), Some(responder)) = (agent(initiator), agent(responder)) else {
            return Err(self.lines.error(format!("agents have numbers from 0 to {}", count - 1)).into());
        };
        if initiator == responder {
            return Err(self.lines.error("an agent does not meet itself").into());
        }
        let ends = (initiator.min(responder) as u32, initiator.max(responder) as u32);
        if self.edges.as_ref().is_some_and(|edges| !edges.contains(&ends)) {
            let place = self.lines.place();
            return Ok(not_reproduced(format!("{place}: nodes {} and {} have no edge", ends.0, ends.1)));
        }
        let state = |name: &str| table.states().find(|&state| table.state_name(state) == name);
        let (Some(c), Some(d)) = (state(&first), state(&second)) else {
            return Err(self
                .lines
                .error(format!("{first:?} or {second:?} is not a state of the protocol"))
                .into());
        };
        let [a, b] =
            [initiator, responder].map(|agent| table.state_name(self.agents.states[agent]).to_owned());
        if !self.agents.interact(table, [initiator, responder], [c, d]) {
            let place = self.lines.place();
            return Ok(not_reproduced(format!(
                "{place}: the protocol has no interaction {a} + {b} -> {first} + {second}"
            )));
        }
        self.done += 1;
        Ok(None)
    }
}

impl Process for InteractionReplay<'_, '_> {
    fn progress(&self) -> Progress {
        Progress { steps: self.done, interactions: self.done, ..Progress::START }
    }

    fn counts(&self) -> Cow<'_, [u64]> {
        Cow::Borrowed(&self.agents.counts)
    }

    /// Makes one interaction.
    fn advance(&mut self, _: &RunBound, condition: Option<&dyn Condition>) -> Advance {
        if self.meets(condition) {
            return Advance::Held;
        }
        match self.next() {
            Ok(None) => Advance::Advanced,
            Ok(Some(ending)) => {
                self.ending = Some(ending);
                Advance::Quiescent
            }
            Err(fault) => {
                self.ending = Some(Ending::Replayed(ReplayFinding::NotReproduced, fault.to_string()));
                self.fault = Some(fault);
                Advance::Violated
            }
        }
    }

    fn ending(&self) -> Option<Ending> {
        self.ending.clone()
    }

    fn numbered(&self) -> u64 {
        self.agents.states.len() as u64
    }

    fn state(&self, agent: u64) -> u16 {
        self.agents.states[agent as usize]
    }

    fn digest(&self) -> u128 {
        self.agents.digest().0
    }
}
