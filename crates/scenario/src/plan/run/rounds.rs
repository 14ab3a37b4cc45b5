//! Round by round to an end, on the rungs that run whole rounds: F1 and F3.

use std::hash::{Hash, Hasher as _};

use acrasin_engine::Rung;
use acrasin_protocols::Table;
use acrasin_protocols::locked::Interactions;
use acrasin_report::record::{Exit, Figure, Outcome, RunRecord, Section, SectionName};
use acrasin_runtime::digest::DigestWriter;
use acrasin_runtime::{Digest, LockOnly, Seeded, Topology, TopologyError};

use super::super::build::Labour;
use super::super::ground::Ground;
use super::super::job::{At, Finished, Job, Proceed, RunError};
use super::drive::called_off;
use super::figures::{self, Sampler};
use super::judge::{Judge, Sight};
use super::tally::{Tallied, Tally};
use super::{messages, waves};
use crate::limits::LOOK_STEPS;
use crate::plan::Plan;

/// A run of whole rounds, whatever runs under the locks.
pub(super) trait Rounds {
    /// Which rung this is.
    fn rung(&self) -> Rung;

    /// Runs one round, and takes in what its sections report.
    fn round(&mut self, tally: &mut Tally) -> Going;

    /// How far the run is.
    fn so_far(&self) -> SoFar;

    /// The states of the agents; empty if no protocol runs.
    fn agents(&self) -> &[u16];

    /// Nodes that have called Lock and have not completed Unlock.
    fn outstanding(&self) -> u64;

    /// Looks for a promise of the lock layer that is broken.
    fn check(&self) -> Result<(), String>;

    /// What the rung knows of Locks, messages and changes of the graph; the last section is the graph's, and gets what
    /// the ground knows of it.
    fn sections(&self) -> Vec<Section>;

    /// The bytes of the lock layer and the states, without buffers that each thread has.
    fn bytes(&self) -> u64;

    /// The digest of the last configuration.
    fn digest(&self) -> Digest;

    /// The digest of its states alone: to be compared with another way to the same states.
    fn digest_of_states(&self) -> Digest;
}

/// What came of a round.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Going {
    On,
    /// Nobody wants anything, and the graph does not change any more. The round does not count.
    Quiet,
}

/// How far a run is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct SoFar {
    pub(super) rounds: u64,
    /// Nodes that were asked, round by round: turns in waves, macro activations.
    pub(super) turns: u64,
    /// Locks that succeeded.
    pub(super) locks: u64,
}

/// Runs a plan on the rung that it names.
pub(super) fn run(plan: &Plan, job: &Job<'_>) -> Result<Finished, RunError> {
    if job.record.is_some() {
        return Err(RunError::not_recorded(plan.rung));
    }
    // States are placed as on the other rungs.
    let mut choices = Seeded::new(job.seed);
    match &plan.labour {
        Labour::Interactions { table, way, start } => {
            let states = start.place(&mut choices);
            let tally = Tally::new(table, &states);
            begin(plan, job, choices, (Interactions::new(table.clone(), *way), states, tally))
        }
        Labour::Locks { demands } => {
            begin(plan, job, choices, (LockOnly, demands.clone(), Tally::of_locks()))
        }
    }
}

fn begin<S: Tallied>(
    plan: &Plan,
    job: &Job<'_>,
    choices: Seeded,
    start: (S, Vec<S::State>, Tally),
) -> Result<Finished, RunError> {
    let (ground, ports) = plan.terrain.of_run(job.seed)?;
    let place = (plan, &*ground, ports);
    match plan.rung {
        Rung::F1 => waves::run(place, job, start),
        Rung::F3 => messages::run(place, job, choices, start),
        rung => unreachable!("rung {rung} does not run whole rounds here"),
    }
}

pub(super) fn drive(
    (plan, ground): (&Plan, &Ground),
    job: &Job<'_>,
    rounds: &mut dyn Rounds,
    mut tally: Tally,
) -> Finished {
    let table = match &plan.labour {
        Labour::Interactions { table, .. } => Some(table),
        Labour::Locks { .. } => None,
    };
    let mut judge = Judge::new(plan, ground);
    let mut sampler = table.map(|table| Sampler::new(plan.every, table, ground.nodes()));
    let mut looked = 0_u64;
    job.watch.begin();
    let mut outcome = loop {
        let at = at(rounds.so_far(), &tally);
        if let Some(sampler) = &mut sampler {
            sampler.look(&at, tally.counts());
        }
        let is_active = rounds.outstanding() > 0;
        let sight = Sight { at, tally: &tally, states: rounds.agents(), is_active };
        if let Some(outcome) = judge.verdict(&sight) {
            break outcome;
        }
        // Rounds count too: in one of them perhaps nobody is chosen.
        let now = at.steps.saturating_add(at.rounds);
        if now >= looked.saturating_add(LOOK_STEPS) {
            looked = now;
            let fraction = judge.fraction(&at, tally.released());
            match job.watch.look(&At { fraction, ..at }) {
                Proceed::Continue => {}
                ended => break called_off(ended),
            }
        }
        if rounds.round(&mut tally) == Going::Quiet {
            break judge.quiet(rounds.outstanding(), &tally);
        }
    };
    if let Err(overlap) = rounds.check() {
        outcome = Outcome::new("violation", overlap, Exit::Failed);
    }
    let at = at(rounds.so_far(), &tally);
    let series =
        sampler.map(|sampler| sampler.finish((at.rounds, at.steps, at.interactions), tally.counts()));
    let manifest = figures::manifest(plan, job.seed, rounds.rung());
    let mut record = RunRecord::new(job.repetition.into(), manifest, outcome);
    fill(&mut record, rounds, (ground, table, &tally));
    Finished { record, series, report_configuration: None, snapshots: Vec::new() }
}

fn at(so_far: SoFar, tally: &Tally) -> At {
    let SoFar { rounds, turns, locks } = so_far;
    At { rounds, steps: turns, interactions: tally.interactions(), locks, fraction: None }
}

fn fill(
    record: &mut RunRecord,
    rounds: &dyn Rounds,
    (ground, table, tally): (&Ground, Option<&Table>, &Tally),
) {
    let nodes = ground.nodes();
    let SoFar { rounds: number, turns, .. } = rounds.so_far();
    let mut work = figures::work(table, tally, nodes);
    if rounds.rung() == Rung::F1 {
        work.push(Figure::new("rounds", "waves", number));
        work.push(Figure::new("turns", "turns of nodes", turns));
    } else {
        work.push(Figure::new("rounds", "rounds of macro activations", number));
        work.push(Figure::new("activations", "macro activations", turns));
    }
    record.push(work);
    let mut sections = rounds.sections();
    if let Some(graph) = sections.last_mut() {
        for figure in figures::trace(ground) {
            graph.push(figure);
        }
    }
    let mut memory = Section::of(SectionName::Memory);
    let bytes = rounds.bytes();
    memory.push(Figure::new("bytes", "lock layer and states", bytes).unit("bytes"));
    memory.push(Figure::new("bytes_per_node", "per node", bytes as f64 / f64::from(nodes)).unit("bytes"));
    let mut digest = Section::of(SectionName::Digest);
    digest.push(Figure::new("configuration", "last configuration", rounds.digest().to_string()));
    let states = rounds.digest_of_states().to_string();
    digest.push(Figure::new("node_states", "states of the nodes", states));
    sections.extend([memory, digest]);
    sections.extend(figures::populations(table, tally));
    for section in sections {
        record.push(section);
    }
}

/// The graph at the start.
pub(super) fn topology(ground: &Ground, ports: u16, seed: u64) -> Result<Topology, RunError> {
    let topology = match ground {
        Ground::Graph(graph) => Topology::from_edges(graph.nodes(), ports, graph.edges()),
        Ground::Contacts(contacts) => Topology::new(contacts.nodes, ports),
    };
    topology.map_err(|error: TopologyError| RunError::drawn(seed, error.to_string()))
}

/// Puts states into a digest, one by one: a slice of integers would go in as the machine has them.
pub(super) fn write_states<T: Hash>(states: &[T], writer: &mut DigestWriter) {
    writer.write_u64(states.len() as u64);
    for state in states {
        state.hash(writer);
    }
}
