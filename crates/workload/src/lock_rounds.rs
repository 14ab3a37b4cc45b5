//! The workloads M1 to M4 of `acrasin bench`: the lock protocol, message by message, on the rungs that have messages.

use acrasin_runtime::choice::FixedProbability;
use acrasin_runtime::{Digest, LockSetRule};

use crate::graph::random_cycles;
use crate::memory::Floor;
use crate::row::{Ask, AskError, WorkloadRow};
use crate::work::{SampleCounts, Workload};
use acrasin_engine::draw::{Draws, Priorities};
use acrasin_engine::message::{
    Changing, Config, EdgeLifetime, Lasting, MessageNetwork, NodeLayout, WordRounds,
};
use acrasin_engine::network::{Lattice, LatticeKind, PortNetwork, PortTable};
use acrasin_engine::reference::Reference;
use acrasin_engine::round::{ActiveNodes, Figures, MemoryLimit, Wanting};
use acrasin_engine::sliced::Sliced;

/// The default number of rounds before the first sample.
///
/// All nodes start together, so initially a Lock takes more trials, and an activation more messages, than later. On
/// lattices this effect lasts for hundreds of rounds. On random graphs a single Lock takes hundreds of rounds, and the
/// effect lasts for thousands of rounds.
pub const WARM_UP: u64 = 400;
/// The approximate number of activations in a sample: enough for a precise time, and few enough for five samples of
/// every row.
const SAMPLE_WORDS: u64 = 4_000_000;
const SAMPLE_PLANES: u64 = 200_000_000;
const SAMPLE_REFERENCE: u64 = 100_000;
/// The memory of the runtime's graph per end of an edge, in bytes, while a table is built from it.
const TOPOLOGY_BYTES_PER_EDGE_END: u64 = 24;

/// The set of nodes that are active in a round.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Activity {
    /// Each node is active with probability 1/2.
    Half,
    /// All nodes are active.
    All,
}

impl Activity {
    fn activation(self) -> ActiveNodes<'static> {
        match self {
            Self::Half => ActiveNodes::Random(FixedProbability::HALF),
            Self::All => ActiveNodes::All,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Half => "half active",
            Self::All => "all active",
        }
    }

    /// The mean number of activations in a round of `nodes` nodes.
    fn of(self, nodes: u64) -> u64 {
        match self {
            Self::Half => nodes / 2,
            Self::All => nodes,
        }
        .max(1)
    }

    /// The mean number of nodes per activation. A round accesses the memory of every node, active or not.
    fn nodes_an_activation(self, nodes: u64) -> f64 {
        nodes as f64 / self.of(nodes) as f64
    }
}

/// The parameters of a row.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RowSetup {
    pub(crate) draws: Draws,
    pub(crate) priorities: Priorities,
    pub(crate) wanting: Wanting,
    pub(crate) activity: Activity,
    pub(crate) check: bool,
    pub(crate) memory: MemoryLimit,
    pub(crate) warm_up: u64,
}

impl RowSetup {
    pub(crate) fn new(ask: &Ask, priorities: u32, activity: Activity) -> Self {
        Self {
            draws: Draws::new(ask.seed),
            priorities: Priorities::new(priorities).expect("the workloads have 2 priorities or more"),
            wanting: Wanting::Always,
            activity,
            check: ask.check,
            memory: ask.memory,
            warm_up: ask.warm_up,
        }
    }

    fn config(&self) -> Config {
        let Self { draws, priorities, wanting, memory, .. } = *self;
        Config { draws, priorities, wanting, memory }
    }

    fn name(&self, rung: &str) -> String {
        format!("{rung}, {}, K = {}", self.activity.name(), self.priorities.bound())
    }
}

/// The torus with about `nodes` cells that fits every rung. The width is a multiple of 512 for large tori, and for
/// others of
/// 64. The number of rows is a multiple of eight, so that F2 computes no row twice.
pub(crate) fn torus(kind: LatticeKind, nodes: u64) -> Result<Lattice, AskError> {
    let side = nodes.isqrt();
    let unit = if side >= 512 { 512 } else { 64 };
    let width = (side + unit / 2) / unit * unit;
    let width = width.max(64);
    let height = nodes.div_ceil(width).next_multiple_of(8);
    let fits = |side: u64| {
        u32::try_from(side)
            .map_err(|_| AskError::new(format_args!("{nodes} nodes: at most {}", Lattice::NODES_MAX)))
    };
    Lattice::new(kind, fits(width)?, fits(height)?).map_err(AskError::new)
}

/// A row that measures rung F4, the naive loop.
pub(crate) fn reference(lattice: Lattice, setup: RowSetup) -> WorkloadRow {
    WorkloadRow::new(setup.name("F4 World"), move || {
        let topology = lattice.topology().map_err(AskError::new)?;
        Ok(Box::new(ReferenceRounds::new(topology, setup)))
    })
    .naive()
}

/// A row that measures rung F3 on a torus.
pub(crate) fn words(lattice: Lattice, setup: RowSetup) -> Result<WorkloadRow, AskError> {
    fits(&lattice, setup, false)?;
    Ok(WorkloadRow::new(setup.name("F3 words"), move || {
        let rounds = WordRounds::new(lattice, setup.config())?;
        Ok(Box::new(MessageRounds::new(rounds, setup, None, 0.0)))
    }))
}

/// Checks the memory limit before anything is built.
fn fits(lattice: &Lattice, setup: RowSetup, changing: bool) -> Result<(), AskError> {
    let bytes = NodeLayout::of(lattice.ports(), setup.priorities).bytes(lattice, changing);
    Ok(setup.memory.check(lattice.nodes().into(), bytes)?)
}

/// A row that measures rung F2 on a torus.
pub(crate) fn planes(lattice: Lattice, setup: RowSetup) -> Result<WorkloadRow, AskError> {
    Sliced::estimate(lattice, setup.config()).map_err(AskError::new)?;
    Ok(WorkloadRow::new(setup.name("F2 planes"), move || {
        let sliced = Sliced::new(lattice, setup.config()).map_err(AskError::new)?.with_checks(setup.check);
        Ok(Box::new(SlicedRounds::new(sliced, setup)))
    }))
}

/// The rows of M1: all rungs with messages on the triangular torus.
pub(crate) fn permanent(nodes: u64, naive_max: u64, ask: &Ask) -> Result<Vec<WorkloadRow>, AskError> {
    let lattice = torus(LatticeKind::Triangular, nodes)?;
    let mut rows = Vec::new();
    for &k in if ask.full { &[64, 16, 256][..] } else { &[64] } {
        for activity in [Activity::Half, Activity::All] {
            let setup = RowSetup::new(ask, k, activity);
            if nodes <= naive_max && rows.is_empty() {
                rows.push(reference(lattice, setup));
            }
            rows.push(words(lattice, setup)?);
            rows.push(planes(lattice, setup)?);
        }
    }
    Ok(rows)
}

/// The rows of M2: the lock protocol on a random 8-regular graph.
pub(crate) fn regular(nodes: u64, naive_max: u64, ask: &Ask) -> Result<Vec<WorkloadRow>, AskError> {
    let count = regular_nodes(nodes, ask.memory)?;
    let mut rows = Vec::new();
    for activity in [Activity::Half, Activity::All] {
        let setup = RowSetup::new(ask, 256, activity);
        if nodes <= naive_max && rows.is_empty() {
            rows.push(
                WorkloadRow::new(setup.name("F4 World"), move || {
                    let topology = random_cycles(count, 4, setup.draws).map_err(AskError::new)?;
                    Ok(Box::new(ReferenceRounds::new(topology, setup)))
                })
                .naive(),
            );
        }
        rows.push(WorkloadRow::new(setup.name("F3 words"), move || {
            let table = regular_table(count, setup.draws)?;
            let rounds = WordRounds::new(table, setup.config())?;
            // The words of the eight neighbours.
            Ok(Box::new(MessageRounds::new(rounds, setup, None, 8.0)))
        }));
    }
    Ok(rows)
}

/// The number of nodes of an 8-regular graph with about `nodes` nodes. Fails if the graph does not fit into the memory
/// limit.
pub(crate) fn regular_nodes(nodes: u64, memory: MemoryLimit) -> Result<u32, AskError> {
    const LEAST: u64 = 32;
    // While the graph is drawn: edges as pairs, adjacency, and the runtime's graph.
    memory.check(nodes, nodes.saturating_mul(8 * TOPOLOGY_BYTES_PER_EDGE_END + 64))?;
    u32::try_from(nodes.max(LEAST))
        .ok()
        .filter(|&nodes| nodes <= acrasin_runtime::limits::NODES_MAX)
        .ok_or_else(|| {
            AskError::new(format_args!("{nodes} nodes: at most {}", acrasin_runtime::limits::NODES_MAX))
        })
}

/// A random 8-regular graph as a port table.
pub(crate) fn regular_table(nodes: u32, draws: Draws) -> Result<PortTable, AskError> {
    let topology = random_cycles(nodes, 4, draws).map_err(AskError::new)?;
    PortTable::new(&topology).map_err(AskError::new)
}

/// The rows of M3: the lock protocol while edges appear and vanish.
pub(crate) fn changing(nodes: u64, ask: &Ask) -> Result<Vec<WorkloadRow>, AskError> {
    let lattice = torus(LatticeKind::Triangular, nodes)?;
    let count = regular_nodes(nodes, ask.memory)?;
    let mut rows = Vec::new();
    let on_torus = RowSetup::new(ask, 64, Activity::Half);
    let on_regular = RowSetup::new(ask, 256, Activity::Half);
    rows.push(words(lattice, on_torus)?.named("F3 triangular, edges last".to_owned()));
    for rate in RATES {
        fits(&lattice, on_torus, true)?;
        rows.push(WorkloadRow::new(format!("F3 triangular, flips {rate:e}"), move || {
            let rounds = WordRounds::changing(lattice, on_torus.config(), LockSetRule::Neighbourhood)?;
            Ok(Box::new(MessageRounds::new(rounds, on_torus, flips(rate), 0.0)))
        }));
    }
    rows.push(WorkloadRow::new("F3 8-regular, edges last", move || {
        let rounds = WordRounds::new(regular_table(count, on_regular.draws)?, on_regular.config())?;
        Ok(Box::new(MessageRounds::new(rounds, on_regular, None, 8.0)))
    }));
    for rate in RATES {
        rows.push(WorkloadRow::new(format!("F3 8-regular, flips {rate:e}"), move || {
            let table = regular_table(count, on_regular.draws)?;
            let rounds = WordRounds::changing(table, on_regular.config(), LockSetRule::Neighbourhood)?;
            Ok(Box::new(MessageRounds::new(rounds, on_regular, flips(rate), 8.0)))
        }));
    }
    Ok(rows)
}

/// The probabilities with which an edge changes in a round. At 0 the row measures what support for changes costs
/// although the graph is static.
const RATES: [f64; 3] = [0.0, 1e-3, 1e-2];

fn flips(rate: f64) -> Option<FixedProbability> {
    FixedProbability::new(rate)
}

/// The rows of M4: messages per Lock as a function of demand and K.
pub(crate) fn demands(nodes: u64, ask: &Ask) -> Result<Vec<WorkloadRow>, AskError> {
    let lattice = torus(LatticeKind::Triangular, nodes)?;
    let mut rows = Vec::new();
    for (demand, name) in [(1.0, "1"), (0.01, "0.01"), (0.001, "0.001")] {
        for k in [2, 4, 16, 64, 256] {
            let chance = FixedProbability::new(demand).expect("a probability");
            let wanting =
                if chance == FixedProbability::ONE { Wanting::Always } else { Wanting::Chance(chance) };
            let setup = RowSetup { wanting, ..RowSetup::new(ask, k, Activity::Half) };
            let row = planes(lattice, setup)?;
            rows.push(row.named(format!("F2 demand {name}, K = {k}")));
        }
    }
    Ok(rows)
}

fn counted(figures: &Figures) -> SampleCounts {
    SampleCounts {
        items: figures.activations,
        messages: figures.messages - figures.self_messages,
        locks: figures.grants,
        trials: figures.trials,
    }
}

fn rounds_of(sample: u64, nodes: u64, activity: Activity) -> u64 {
    (sample / activity.of(nodes)).max(1)
}

struct ReferenceRounds {
    rounds: Reference,
    activity: Activity,
    bytes: u64,
}

impl ReferenceRounds {
    fn new(topology: acrasin_runtime::Topology, setup: RowSetup) -> Self {
        let RowSetup { draws, priorities, wanting, activity, warm_up, .. } = setup;
        let mut rounds = Reference::new(topology, draws, priorities, wanting);
        for _ in 0..warm_up {
            rounds.round(&activity.activation()).expect("the repaired rules keep their promises");
        }
        let bytes = rounds.world().bytes() as u64;
        Self { rounds, activity, bytes }
    }
}

impl Workload for ReferenceRounds {
    fn part(&mut self, divisor: u64) -> SampleCounts {
        let mut sum = Figures::default();
        for _ in 0..rounds_of(SAMPLE_REFERENCE / divisor, self.nodes(), self.activity) {
            sum += self
                .rounds
                .round(&self.activity.activation())
                .expect("the repaired rules keep their promises");
        }
        counted(&sum)
    }

    fn nodes(&self) -> u64 {
        u64::from(self.rounds.world().topology().node_count())
    }

    fn bytes(&self) -> u64 {
        self.bytes
    }

    fn digest(&self) -> Digest {
        self.rounds.world().digest()
    }

    fn floor(&self) -> Floor {
        // Every byte is read at least once a round.
        let share = self.activity.nodes_an_activation(self.nodes());
        Floor { streamed: share * self.bytes as f64 / self.nodes() as f64, lines: 0.0, footprint: self.bytes }
    }
}

/// Rounds of the lock protocol, before each of which edges may appear or vanish.
trait Flips {
    fn flip_edges(&mut self, rate: FixedProbability);
}

impl<N: MessageNetwork> Flips for WordRounds<N, Lasting> {
    fn flip_edges(&mut self, _rate: FixedProbability) {
        unreachable!("no row flips edges that last");
    }
}

impl<N: MessageNetwork> Flips for WordRounds<N, Changing> {
    fn flip_edges(&mut self, rate: FixedProbability) {
        self.flip(rate);
    }
}

struct MessageRounds<N, E> {
    rounds: WordRounds<N, E>,
    activity: Activity,
    flips: Option<FixedProbability>,
    /// The number of cache lines per activation that are accessed at random for the states of neighbours.
    lines: f64,
}

impl<N: MessageNetwork, E: EdgeLifetime> MessageRounds<N, E>
where
    WordRounds<N, E>: Flips,
{
    fn new(rounds: WordRounds<N, E>, setup: RowSetup, flips: Option<FixedProbability>, lines: f64) -> Self {
        let rounds = rounds.with_checks(setup.check);
        let mut work = Self { rounds, activity: setup.activity, flips, lines };
        for _ in 0..setup.warm_up {
            work.round();
        }
        work
    }

    fn round(&mut self) -> Figures {
        if let Some(rate) = self.flips {
            self.rounds.flip_edges(rate);
        }
        self.rounds.round(&self.activity.activation())
    }
}

impl<N: MessageNetwork + Send, E: EdgeLifetime + Send> Workload for MessageRounds<N, E>
where
    WordRounds<N, E>: Flips + Send,
{
    fn part(&mut self, divisor: u64) -> SampleCounts {
        let mut sum = Figures::default();
        for _ in 0..rounds_of(SAMPLE_WORDS / divisor, self.nodes(), self.activity) {
            sum += self.round();
        }
        counted(&sum)
    }

    fn nodes(&self) -> u64 {
        u64::from(self.rounds.network().nodes())
    }

    fn bytes(&self) -> u64 {
        self.rounds.bytes()
    }

    fn digest(&self) -> Digest {
        self.rounds.digest()
    }

    fn floor(&self) -> Floor {
        // Everything is read or written once a round. Written lines are read by the cache first, a third more.
        let share = self.activity.nodes_an_activation(self.nodes());
        let node = self.bytes() as f64 / self.nodes() as f64;
        let words = (self.rounds.bytes() - self.rounds.network().bytes()) as f64 / self.nodes() as f64;
        Floor { streamed: share * (node + words / 2.0), lines: self.lines, footprint: self.bytes() }
    }

    fn warning(&self) -> Option<String> {
        self.rounds.priority_warning().map(|priority_warning| priority_warning.to_string())
    }
}

struct SlicedRounds {
    rounds: Sliced,
    activity: Activity,
}

impl SlicedRounds {
    fn new(rounds: Sliced, setup: RowSetup) -> Self {
        let mut work = Self { rounds, activity: setup.activity };
        work.rounds.rounds(&setup.activity.activation(), setup.warm_up);
        work
    }
}

impl Workload for SlicedRounds {
    fn part(&mut self, divisor: u64) -> SampleCounts {
        let count = rounds_of(SAMPLE_PLANES / divisor, self.nodes(), self.activity);
        counted(&self.rounds.rounds(&self.activity.activation(), count))
    }

    fn nodes(&self) -> u64 {
        u64::from(self.rounds.lattice().nodes())
    }

    fn bytes(&self) -> u64 {
        self.rounds.bytes()
    }

    fn digest(&self) -> Digest {
        self.rounds.digest()
    }

    fn floor(&self) -> Floor {
        // The planes are read once and written once a round. Written lines are read by the cache first.
        let share = self.activity.nodes_an_activation(self.nodes());
        let node = self.bytes() as f64 / self.nodes() as f64;
        Floor { streamed: share * node * 1.5, lines: 0.0, footprint: self.bytes() }
    }

    fn warning(&self) -> Option<String> {
        self.rounds.priority_warning().map(|priority_warning| priority_warning.to_string())
    }

    /// Stops all demand and runs until all Locks are served, so that every message belongs to a completed Lock. Then
    /// the identity messages = d (6 + 2 T), with degree d and T trials, holds exactly for the sum over all Locks since
    /// the start.
    fn verify(&mut self) -> Result<(), String> {
        const PATIENCE: u64 = 1 << 22;
        let degree = u64::from(self.rounds.lattice().ports());
        self.rounds.set_wanting(Wanting::Never);
        let mut waited = 0;
        while self.rounds.figures().calls > self.rounds.figures().releases {
            if waited >= PATIENCE {
                return Err(format!("a Lock is not served {PATIENCE} rounds after the last call"));
            }
            self.rounds.rounds(&self.activity.activation(), 64);
            waited += 64;
        }
        let Figures { grants, trials, messages, self_messages, .. } = self.rounds.figures();
        let expected = degree * (6 * grants + 2 * trials);
        if messages - self_messages != expected || self_messages != 6 * grants + 2 * trials {
            return Err(format!(
                "{grants} Locks in {trials} trials took {} messages to neighbours and {self_messages} to themselves, \
                 not {expected} and {}",
                messages - self_messages,
                6 * grants + 2 * trials
            ));
        }
        Ok(())
    }
}
