//! The workload P7 of `acrasin bench`: a population protocol as a table of 64 states, without messages and with all
//! messages, and a protocol of three states with messages.

use std::num::NonZeroU32;

use acrasin_engine::draw::{Draws, Priorities, mix};
use acrasin_engine::message::Config;
use acrasin_engine::network::{LatticeKind, PortTable};
use acrasin_engine::round::MemoryLimit;
use acrasin_engine::sliced::{PortOrder, SlicedSections};
use acrasin_engine::waves::{CompletePairs, PairTable, SectionTask, TaskWaves};
use acrasin_engine::{ActiveNodes, Wanting};
use acrasin_runtime::choice::{Choices, Decision, FixedProbability};
use acrasin_runtime::{CriticalSection, Digest, Locked};

use crate::cell::digest_of;
use crate::lock_rounds::torus;
use crate::memory::Floor;
use crate::row::{Ask, AskError, WorkloadRow};
use crate::work::{SampleCounts, Workload};

/// The number of states of the table.
const STATES: u16 = 64;
/// The approximate number of interactions in a sample without messages.
const SAMPLE: u64 = 10_000_000;
/// The number of rounds in a sample with messages, for a million nodes. Smaller populations have more rounds.
const ROUNDS: u64 = 40;

/// The new states of a pair in an arbitrary table, in which about half of the pairs change.
fn rule(own: u16, other: u16) -> (u16, u16) {
    let word = mix(u64::from(own) << 16 | u64::from(other));
    if word & 1 == 0 {
        return (own, other);
    }
    ((word >> 8) as u16 % STATES, (word >> 16) as u16 % STATES)
}

fn table() -> PairTable {
    PairTable::new(STATES, rule).expect("as many states as fit")
}

/// The table of rock-paper-scissors: an agent whose state is beaten takes the other state.
fn three_states() -> PairTable {
    let rule = |own: u16, other: u16| match (3 + other - own) % 3 {
        0 => (own, other),
        1 => (other, other),
        _ => (own, own),
    };
    PairTable::new(3, rule).expect("as many states as fit")
}

/// The table as a general critical section, for the kernels that are not specialised for tables.
struct Meet(PairTable);

impl CriticalSection for Meet {
    type State = u16;
    type Outcome = ();

    fn wants(&self, _own: &u16, degree: u16) -> bool {
        degree > 0
    }

    fn enter(&self, held: &mut Locked<'_, u16>, choices: &mut dyn Choices) {
        let Some(count) = NonZeroU32::new(held.neighbour_count() as u32) else { return };
        let nth = choices.pick(count, Decision::Partner) as usize;
        let port = held.ports().nth(nth).expect("below the number of neighbours");
        let (own, other) = held.pair_mut(port).expect("the port was listed");
        (*own, *other) = self.0.meet(*own, *other);
    }
}

fn start(nodes: u32, states: u16) -> Vec<u16> {
    (0..nodes).map(|node| (mix(node.into()) % u64::from(states)) as u16).collect()
}

/// The rows of P7: a general section, tables on a torus and on the complete graph, tables with all messages.
pub(crate) fn tables(nodes: u64, ask: &Ask) -> Result<Vec<WorkloadRow>, AskError> {
    let square = torus(LatticeKind::Square, nodes)?;
    let triangular = torus(LatticeKind::Triangular, nodes)?;
    let count = square.width() * square.height();
    // The graph during construction and as a table, and the states.
    ask.memory.check(u64::from(count), u64::from(count) * 200)?;
    let (draws, check) = (Draws::new(ask.seed), ask.check);
    let network = move || {
        let topology = square.topology().map_err(AskError::new)?;
        PortTable::new(&topology).map_err(AskError::new)
    };
    let with_messages = |name: &'static str, active: ActiveNodes<'static>, states: u16| {
        WorkloadRow::new(name, move || {
            let priorities = Priorities::new(64).expect("64 is at least 2");
            let config = Config { draws, priorities, wanting: Wanting::Always, memory: MemoryLimit::NONE };
            let nodes = triangular.width() * triangular.height();
            let table = if states == STATES { table() } else { three_states() };
            let start = start(nodes, states);
            let run = SlicedSections::new(triangular, config, PortOrder::Numbers, Meet(table), start);
            let run = run.map_err(AskError::new)?.with_checks(check);
            Ok(Box::new(SlicedMeetingWork::new(run, active)))
        })
    };
    Ok(vec![
        WorkloadRow::new("F1 torus, any section", move || {
            let waves = TaskWaves::new(network()?, draws).with_checks(check);
            Ok(Box::new(MeetingWork::new(WaveLayer::Sections(waves, Meet(table())), start(count, STATES))))
        })
        .naive(),
        WorkloadRow::new("F1 torus, table", move || {
            let waves = TaskWaves::new(network()?, draws).with_pattern().with_checks(check);
            Ok(Box::new(MeetingWork::new(WaveLayer::Table(waves), start(count, STATES))))
        }),
        WorkloadRow::new("F1 complete graph, table", move || {
            Ok(Box::new(MeetingWork::new(
                WaveLayer::Complete(CompletePairs::new(count, draws)),
                start(count, STATES),
            )))
        })
        .alone(),
        with_messages("F2 triangular, half active", ActiveNodes::Random(FixedProbability::HALF), STATES),
        with_messages("F2 triangular, all active", ActiveNodes::All, STATES),
        with_messages("F2, 3 states, half active", ActiveNodes::Random(FixedProbability::HALF), 3),
        with_messages("F2, 3 states, all active", ActiveNodes::All, 3),
    ])
}

enum WaveLayer {
    Sections(TaskWaves<PortTable>, Meet),
    Table(TaskWaves<PortTable>),
    Complete(CompletePairs),
}

struct MeetingWork {
    layer: WaveLayer,
    table: PairTable,
    states: Vec<u16>,
    wave: u64,
}

impl MeetingWork {
    fn new(layer: WaveLayer, states: Vec<u16>) -> Self {
        let mut work = Self { layer, table: table(), states, wave: 0 };
        work.run();
        work
    }

    fn run(&mut self) -> u64 {
        let Self { layer, table, states, wave } = self;
        let ran = match layer {
            WaveLayer::Sections(waves, section) => waves.run(*wave, &SectionTask(&*section), states),
            WaveLayer::Table(waves) => waves.meet(*wave, table, states).expect("a torus has a pattern").0,
            WaveLayer::Complete(pairs) => pairs.meet(*wave, table, states).0,
        };
        *wave += 1;
        ran.entered
    }
}

impl Workload for MeetingWork {
    fn part(&mut self, divisor: u64) -> SampleCounts {
        let waves = (SAMPLE / divisor / self.nodes()).max(1);
        let items = (0..waves).map(|_| self.run()).sum();
        SampleCounts { items, locks: items, ..SampleCounts::default() }
    }

    fn nodes(&self) -> u64 {
        self.states.len() as u64
    }

    fn bytes(&self) -> u64 {
        let network = match &self.layer {
            WaveLayer::Sections(waves, _) | WaveLayer::Table(waves) => waves.bytes(),
            WaveLayer::Complete(_) => 0,
        };
        network + size_of_val(&self.states[..]) as u64
    }

    fn digest(&self) -> Digest {
        digest_of(self.states.iter().map(|&state| state.into()))
    }

    fn floor(&self) -> Floor {
        match self.layer {
            // Both states, at random places.
            WaveLayer::Complete(_) => Floor { streamed: 0.0, lines: 2.0, footprint: self.bytes() },
            _ => Floor { streamed: 4.0, lines: 0.0, footprint: self.bytes() },
        }
    }
}

struct SlicedMeetingWork {
    run: SlicedSections<Meet>,
    active: ActiveNodes<'static>,
}

impl SlicedMeetingWork {
    /// Creates the work, and executes initial rounds until Locks no longer start together.
    fn new(run: SlicedSections<Meet>, active: ActiveNodes<'static>) -> Self {
        let mut work = Self { run, active };
        work.rounds(400);
        work
    }

    fn rounds(&mut self, rounds: u64) -> u64 {
        let mut interactions = 0;
        for _ in 0..rounds {
            self.run.round_observed(&self.active, |_, ()| interactions += 1);
        }
        interactions
    }
}

impl Workload for SlicedMeetingWork {
    fn part(&mut self, divisor: u64) -> SampleCounts {
        let before = self.run.settle();
        let rounds = (ROUNDS * 1_000_000 / self.nodes() / divisor).max(1);
        let items = self.rounds(rounds);
        let after = self.run.settle();
        let messages = |figures: acrasin_engine::Figures| figures.messages - figures.self_messages;
        SampleCounts {
            items,
            messages: messages(after) - messages(before),
            locks: after.releases - before.releases,
            trials: after.trials - before.trials,
        }
    }

    fn nodes(&self) -> u64 {
        self.run.states().len() as u64
    }

    fn bytes(&self) -> u64 {
        self.run.bytes()
    }

    fn digest(&self) -> Digest {
        digest_of(self.run.states().iter().map(|&state| state.into()))
    }

    /// Zero, because the planes are read and written some hundred times per interaction, so that a bound would mean
    /// nothing.
    fn floor(&self) -> Floor {
        Floor { streamed: 0.0, lines: 0.0, footprint: self.bytes() }
    }
}
