//! The record of a run.

use std::sync::Arc;

use acrasin_engine::Rung;
use acrasin_protocols::Table;
use acrasin_report::observer::MessageFigures;
use acrasin_report::record::{Figure, Manifest, Outcome, RunRecord, Section, SectionName};
use acrasin_report::series::Series;
use acrasin_runtime::World;
use acrasin_runtime::exclusion::local::{Action, Local};
use acrasin_runtime::scheduler::Fairness;

use super::super::ground::Ground;
use super::super::job::At;
use super::tally::{Tallied, Tally};
use crate::document::quantity::Count;
use crate::document::stop::Every;
use crate::plan::Plan;

/// What made a run, as far as the plan knows; `rung` is what executes it.
pub(super) fn manifest(plan: &Plan, seed: u64, rung: Rung) -> Manifest {
    let mut manifest = Manifest::new(env!("CARGO_PKG_VERSION"), seed);
    manifest.scenario = Some(plan.source.file.clone());
    manifest.scenario_text = Some(plan.source.text.clone());
    manifest.scenario_digest = Some(plan.source.digest.clone());
    manifest.parameters = Some(Arc::clone(&plan.source.parameters));
    manifest.further.push(Figure::new("title", "title", plan.title()));
    manifest.further.push(Figure::new("rung", "rung", rung.to_string()));
    manifest.further.push(Figure::new("executed", "executed", rung.summary()));
    // On F1 no rules are executed: what they guarantee is.
    manifest.rules = (rung != Rung::F1).then(|| plan.locking.rules());
    manifest
}

/// A run that is over.
pub(super) struct Course<'a, S: Tallied> {
    pub(super) world: &'a World<Local, S>,
    pub(super) ground: &'a Ground,
    pub(super) table: Option<&'a Table>,
    pub(super) tally: &'a Tally,
    pub(super) locks: Section,
    pub(super) messages: &'a MessageFigures,
    /// A replay has no rounds.
    pub(super) rounds: Option<u64>,
    /// A replay does not know what was refused.
    pub(super) refused: Option<u64>,
    pub(super) fairness: Option<&'a Fairness<Action>>,
}

pub(super) fn record<S: Tallied>(
    course: &Course<'_, S>,
    repetition: u64,
    manifest: Manifest,
    outcome: Outcome,
) -> RunRecord {
    let Course { world, table, tally, messages, rounds, fairness, .. } = *course;
    let mut record = RunRecord::new(repetition, manifest, outcome);
    let nodes = world.topology().node_count();

    let mut work = work(table, tally, nodes);
    work.push(Figure::new("rounds", "rounds", rounds));
    work.push(Figure::new("steps", "steps", world.steps()));
    record.push(work);

    record.push(course.locks.clone());
    record.push(messages.messages());
    record.push(topology(course));

    if let Some(fairness) = fairness {
        let mut section = Section::of(SectionName::Fairness);
        section.push(Figure::new("bound_turns", "bound", fairness.bound()).unit("turns"));
        section.push(Figure::new("forced", "steps forced by it", fairness.forced()));
        section.push(Figure::new("longest_turns", "longest passed over", fairness.longest()).unit("turns"));
        record.push(section);
    }

    let mut memory = Section::of(SectionName::Memory);
    let bytes = world.bytes() as u64;
    memory.push(Figure::new("bytes", "world", bytes).unit("bytes"));
    memory.push(Figure::new("bytes_per_node", "per node", bytes as f64 / f64::from(nodes)).unit("bytes"));
    record.push(memory);

    let mut digest = Section::of(SectionName::Digest);
    digest.push(Figure::new("configuration", "last configuration", world.digest().to_string()));
    record.push(digest);

    for section in populations(table, tally) {
        record.push(section);
    }
    record
}

/// What agents did; rounds and the like come after it.
pub(super) fn work(table: Option<&Table>, tally: &Tally, nodes: u32) -> Section {
    let mut work = Section::of(SectionName::Work);
    if table.is_some() {
        let parallel_time = tally.interactions() as f64 / f64::from(nodes);
        work.push(Figure::new("interactions", "interactions", tally.interactions()));
        work.push(Figure::new("changes", "interactions that changed a state", tally.changes()));
        work.push(Figure::new("parallel_time", "parallel time", parallel_time).unit("interactions per node"));
    }
    work
}

/// Agents by state and by output, if there are agents.
pub(super) fn populations(table: Option<&Table>, tally: &Tally) -> Vec<Section> {
    let Some(table) = table else { return Vec::new() };
    let counted = |name: SectionName, names: &[String], counts: &[u64]| {
        let mut section = Section::of(name);
        for (name, &count) in names.iter().zip(counts) {
            section.push(Figure::new(name, name, count));
        }
        section
    };
    vec![
        counted(SectionName::States, table.state_names(), tally.counts()),
        counted(SectionName::Outputs, table.output_names(), tally.outputs()),
    ]
}

/// What is known of a graph that changes by itself.
pub(super) fn trace(ground: &Ground) -> Vec<Figure> {
    let Some(contacts) = ground.contacts() else { return Vec::new() };
    vec![
        Figure::new("records", "contacts recorded", contacts.records),
        Figure::new("meetings", "uninterrupted contacts", contacts.begins),
        Figure::new("pairs", "pairs that meet", contacts.pairs),
        Figure::new("trace_steps", "steps of the trace", contacts.steps),
        Figure::new("step_seconds", "length of a step", u64::from(contacts.resolution)).unit("s"),
    ]
}

fn topology<S: Tallied>(course: &Course<'_, S>) -> Section {
    let Course { world, ground, messages, refused, .. } = *course;
    let mut section = Section::of(SectionName::Topology);
    section.push(Figure::new("nodes", "nodes", u64::from(world.topology().node_count())));
    section.push(Figure::new("edges", "edges at the end", world.topology().edge_count()));
    section.push(Figure::new("ports", "ports of a node", u64::from(world.topology().ports())));
    section.push(Figure::new("priorities", "priorities", u64::from(world.exclusion().priorities())));
    for figure in trace(ground) {
        section.push(figure);
    }
    for figure in messages.topology(refused.unwrap_or(0)).figures() {
        if refused.is_some() || figure.key() != "refused" {
            section.push(figure.clone());
        }
    }
    section
}

/// Counts by state over time.
#[derive(Debug)]
pub(super) struct Sampler {
    every: Every,
    nodes: f64,
    due: u64,
    series: Series,
}

impl Sampler {
    pub(super) fn new(every: Every, table: &Table, nodes: u32) -> Self {
        let label = match every {
            Every::Rounds(_) => "rounds",
            Every::Steps(_) => "steps",
            Every::Interactions(_) => "parallel time (interactions per node)",
        };
        let series = Series::new(label, table.state_names()).expect("a table has at most 4096 states");
        Self { every, nodes: f64::from(nodes), due: 0, series }
    }

    /// Takes a sample if one is due.
    pub(super) fn look(&mut self, at: &At, counts: &[u64]) {
        let (now, distance) = match self.every {
            Every::Rounds(Count(distance)) => (at.rounds, distance),
            Every::Steps(Count(distance)) => (at.steps, distance),
            Every::Interactions(Count(distance)) => (at.interactions, distance),
        };
        if now >= self.due {
            // Multiples of the distance, whatever is passed over in one turn.
            self.due = (now / distance).saturating_add(1).saturating_mul(distance);
            self.push(now, counts);
        }
    }

    fn push(&mut self, now: u64, counts: &[u64]) {
        let time = match self.every {
            Every::Rounds(_) | Every::Steps(_) => now as f64,
            Every::Interactions(_) => now as f64 / self.nodes,
        };
        self.series.push(time, counts).expect("time does not go back, and there is one count a state");
    }

    /// The series, with a last row at the end of the run.
    pub(super) fn finish(mut self, (rounds, steps, interactions): (u64, u64, u64), counts: &[u64]) -> Series {
        let now = match self.every {
            Every::Rounds(_) => rounds,
            Every::Steps(_) => steps,
            Every::Interactions(_) => interactions,
        };
        let last = self.series.rows().last().map(|row| (row.time, row.counts == counts));
        let time =
            if matches!(self.every, Every::Interactions(_)) { now as f64 / self.nodes } else { now as f64 };
        if last != Some((time, true)) {
            self.push(now, counts);
        }
        self.series
    }
}
