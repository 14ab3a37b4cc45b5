//! Sections of the record of a run under locks.

use std::hash::{Hash, Hasher as _};

use acrasin_engine::Rung;
use acrasin_protocols::Table;
use acrasin_report::observer::MessageFigures;
use acrasin_report::record::{Figure, Manifest, Section, SectionName};
use acrasin_runtime::digest::DigestWriter;
use acrasin_runtime::scheduler::WeaklyFair;
use acrasin_runtime::{Digest, Topology, World};

use super::super::interaction_graph::InteractionGraph;
use super::algorithm::RunAlgorithm;
use super::state_counts::{CountedSection, StateCounts};
use crate::plan::Plan;
use crate::run::{counts_section, last_digest};

/// The manifest of a run on this rung, with the data of the plan.
pub(super) fn manifest(plan: &Plan, seed: u64, rung: Rung) -> Manifest {
    let mut manifest = plan.header.manifest_on(rung, seed);
    // F1 executes no rules, only the guarantees of the locks.
    manifest.rules = (rung != Rung::F1).then(|| match plan.exclusion.is_local() {
        true => plan.locking.rules(),
        false => plan.exclusion.words().to_owned(),
    });
    manifest
}

/// Figures of a world at the end of a run or a replay.
pub(super) struct WorldFigures<'a, E: RunAlgorithm, S: CountedSection> {
    pub(super) world: &'a World<E, S>,
    /// The number of priorities, if the algorithm draws them.
    pub(super) priorities: Option<u32>,
    pub(super) locks: Section,
    pub(super) messages: &'a MessageFigures,
    /// Figures of critical sections, if they are observed.
    pub(super) entries: Option<Section>,
    /// The number of rounds; `None` for a replay.
    pub(super) rounds: Option<u64>,
    /// The number of changes of the graph that were not possible; `None` for a replay.
    pub(super) refused: Option<u64>,
    pub(super) fairness: Option<&'a WeaklyFair<E::Action>>,
    /// Whether there is time to compute the digest; otherwise the record has none.
    pub(super) has_time: &'a dyn Fn() -> bool,
}

impl<E: RunAlgorithm, S: CountedSection> WorldFigures<'_, E, S> {
    /// All sections except the counts of states. `work` is the section on the work of the agents, `trace` the figures
    /// of a changing graph.
    pub(super) fn sections(self, work: Section, trace: Vec<Figure>) -> Vec<Section> {
        let Self { world, priorities, locks, messages, entries, rounds, refused, fairness, has_time } = self;
        let values = WorldValues {
            topology: world.topology(),
            priorities,
            steps: world.steps(),
            bytes: world.bytes() as u64,
            messages,
            sent: messages.messages::<E>(),
            rounds,
            refused,
            fairness: fairness.map(|fairness| (fairness.bound(), fairness.forced(), fairness.longest())),
            digest: world.digest_while(has_time),
        };
        values.sections(work, (locks, entries), trace)
    }
}

/// The values of [`WorldFigures`], whose sections are compiled once for all worlds.
struct WorldValues<'a> {
    topology: &'a Topology,
    priorities: Option<u32>,
    steps: u64,
    bytes: u64,
    messages: &'a MessageFigures,
    sent: Section,
    rounds: Option<u64>,
    refused: Option<u64>,
    /// The bound of weak fairness, the number of forced steps, and the longest wait.
    fairness: Option<(u64, u64, u64)>,
    digest: Option<Digest>,
}

impl WorldValues<'_> {
    fn sections(
        self,
        mut work: Section,
        (locks, entries): (Section, Option<Section>),
        trace: Vec<Figure>,
    ) -> Vec<Section> {
        let topology = self.topology(trace);
        let Self { topology: graph, steps, bytes, sent, rounds, fairness, digest, .. } = self;
        work.push(Figure::new("rounds", "rounds", rounds));
        work.push(Figure::new("steps", "steps", steps));
        let mut sections = vec![work, locks];
        sections.extend(entries);
        sections.extend([sent, topology]);
        if let Some((bound, forced, longest)) = fairness {
            let mut section = Section::of(SectionName::Fairness);
            section.push(Figure::new("bound_turns", "bound", bound).with_unit("turns"));
            section.push(Figure::new("forced", "steps forced by the bound", forced));
            section.push(Figure::new("longest_turns", "longest wait", longest).with_unit("turns"));
            sections.push(section);
        }
        sections.push(memory("world", bytes, graph.node_count()));
        sections.push(last_digest(digest));
        sections
    }

    fn topology(&self, trace: Vec<Figure>) -> Section {
        let Self { topology, priorities, messages, refused, .. } = *self;
        let mut section = Section::of(SectionName::Topology);
        section.push(Figure::new("nodes", "nodes", u64::from(topology.node_count())));
        section.push(Figure::new("edges", "edges at the end", topology.edge_count()));
        section.push(Figure::new("ports", "ports of a node", u64::from(topology.ports())));
        if let Some(priorities) = priorities {
            section.push(Figure::new("priorities", "priorities", u64::from(priorities)));
        }
        for figure in trace {
            section.push(figure);
        }
        for figure in messages.topology(refused).figures() {
            section.push(figure.clone());
        }
        section
    }
}

/// The memory section: bytes in total and per node. `what` names the data that the bytes store.
pub(super) fn memory(what: &'static str, bytes: u64, nodes: u32) -> Section {
    let mut memory = Section::of(SectionName::Memory);
    memory.push(Figure::new("bytes", what, bytes).with_unit("bytes"));
    memory
        .push(Figure::new("bytes_per_node", "per node", bytes as f64 / f64::from(nodes)).with_unit("bytes"));
    memory
}

/// The digests of a configuration and of its states alone. The digest of states shows whether two runs reach the same
/// states.
pub(super) fn digests(configuration: Option<u128>, states: Option<Digest>) -> Section {
    let mut section = last_digest(configuration.map(Digest));
    let states = states.map(|digest| digest.to_string());
    section.push(Figure::new("node_states", "states of the nodes", states));
    section
}

/// The section on the work of the agents. The caller appends rounds and similar figures.
pub(super) fn work(table: Option<&Table>, tally: &StateCounts, nodes: u32) -> Section {
    let mut work = Section::of(SectionName::Work);
    if table.is_some() {
        let parallel_time = tally.interactions() as f64 / f64::from(nodes);
        work.push(Figure::new("interactions", "interactions", tally.interactions()));
        work.push(Figure::new("changes", "interactions that changed a state", tally.changes()));
        work.push(
            Figure::new("parallel_time", "parallel time", parallel_time).with_unit("interactions per node"),
        );
    }
    work
}

/// Agents by state and by output, if there are agents.
pub(super) fn populations(table: Option<&Table>, tally: &StateCounts) -> Vec<Section> {
    let Some(table) = table else { return Vec::new() };
    vec![
        counts_section(SectionName::States, table.state_names(), tally.counts()),
        counts_section(SectionName::Outputs, table.output_names(), tally.outputs()),
    ]
}

/// Figures of a graph that changes with time.
pub(super) fn trace(graph: &InteractionGraph) -> Vec<Figure> {
    let Some(contacts) = graph.contacts() else { return Vec::new() };
    vec![
        Figure::new("records", "contacts recorded", contacts.records),
        Figure::new("meetings", "uninterrupted contacts", contacts.begins),
        Figure::new("pairs", "pairs that meet", contacts.pairs),
        Figure::new("trace_steps", "steps of the trace", contacts.steps),
        Figure::new("step_seconds", "length of a step", u64::from(contacts.resolution)).with_unit("s"),
    ]
}

/// Writes states one by one, because a slice of integers would be written in the byte order of the machine.
fn write_states<T: Hash>(states: &[T], writer: &mut DigestWriter) {
    writer.write_u64(states.len() as u64);
    for state in states {
        state.hash(writer);
    }
}

/// The digest of states alone.
pub(super) fn digest_of_states<T: Hash>(states: &[T]) -> Digest {
    Digest::written(|writer| write_states(states, writer))
}

/// The digest of the words of a lock layer and of the states. Equal configurations on F2 and F3 have equal words.
pub(super) fn digest_of_layer<T: Hash>(words: Digest, states: &[T]) -> u128 {
    Digest::written(|writer| {
        writer.write_u128(words.0);
        write_states(states, writer);
    })
    .0
}
