//! The workloads P1 to P4 of `acrasin bench`: uniform pairs without locks that play rock-paper-scissors.

use acrasin_engine::draw::mix;
use acrasin_protocols::uniform::{GraphPopulation, TorusShape};
use acrasin_protocols::{Missing, Rule, Table, TableSpec};
use acrasin_runtime::Digest;

use crate::cell::digest_of;
use crate::memory::Floor;
use crate::row::{Ask, AskError, WorkloadRow};
use crate::work::{SampleCounts, Workload};

/// The minimum number of interactions in a sample; larger populations have one interaction per agent.
const SAMPLE: u64 = 1 << 22;

/// The rows of P1: pairs on a ring.
pub(crate) fn ring(nodes: u64, ask: &Ask) -> Result<Vec<WorkloadRow>, AskError> {
    let nodes = fitting(nodes)?;
    by_number(TorusShape::Ring { nodes }, 1.0, ask)
}

/// The rows of P2: pairs on a square torus.
pub(crate) fn torus(nodes: u64, ask: &Ask) -> Result<Vec<WorkloadRow>, AskError> {
    let side = fitting(nodes)?.isqrt();
    by_number(TorusShape::Torus { rows: side, columns: side }, 1.5, ask)
}

fn fitting(nodes: u64) -> Result<u32, AskError> {
    let accepted = 32..=TorusShape::NODES_MAX;
    let fits = u32::try_from(nodes).ok().filter(|_| accepted.contains(&nodes));
    fits.ok_or_else(|| AskError::new(format_args!("{nodes} nodes: 32 to at most {}", accepted.end())))
}

/// The rows of a graph whose edges are computed from edge numbers instead of stored.
fn by_number(shape: TorusShape, lines: f64, ask: &Ask) -> Result<Vec<WorkloadRow>, AskError> {
    let (nodes, seed) = (shape.nodes(), ask.seed);
    // During setup agents take two bytes; the third byte remains.
    ask.memory.check(nodes, 3 * nodes)?;
    let floor = Floor { streamed: 0.0, lines, footprint: nodes };
    let naive = WorkloadRow::new("plain loop", move || {
        let edges = move |edge: u64| {
            let (node, is_down) = match shape {
                TorusShape::Ring { .. } => (edge, true),
                TorusShape::Torus { .. } => (edge / 2, edge % 2 == 1),
            };
            let columns = match shape {
                TorusShape::Ring { .. } => 1,
                TorusShape::Torus { columns, .. } => u64::from(columns),
            };
            let right = if (node + 1) % columns == 0 { node + 1 - columns } else { node + 1 };
            let down = if node + columns >= nodes { node + columns - nodes } else { node + columns };
            [node as usize, if is_down { down } else { right } as usize]
        };
        Ok(Box::new(PlainPairs::new(nodes, shape.edge_count(), Box::new(edges), seed, floor)))
    });
    let table = rock_paper_scissors();
    let row = WorkloadRow::new(
        if GraphPopulation::has_strips(&table, shape) { "F0 strips" } else { "F0 array" },
        move || {
            let states = start(nodes, seed);
            let population =
                GraphPopulation::on_torus(&table, &states, shape, seed).map_err(AskError::new)?;
            Ok(Box::new(PairWork { population, nodes, bytes: nodes, floor }))
        },
    );
    Ok(vec![naive.naive(), if GraphPopulation::uses_threads(nodes) { row } else { row.alone() }])
}

/// The rows of P3: pairs on the union of four random cycles, so that every agent has eight neighbours.
pub(crate) fn regular(nodes: u64, ask: &Ask) -> Result<Vec<WorkloadRow>, AskError> {
    listed(nodes, ask, |nodes, seed| {
        let mut edges = Vec::with_capacity(4 * nodes as usize);
        for cycle in 0..4 {
            let mut order: Vec<u32> = (0..nodes).collect();
            for end in (1..nodes as usize).rev() {
                order.swap(end, drawn(seed, 2 + cycle, end as u64, end as u64 + 1) as usize);
            }
            edges.extend(order.windows(2).map(|pair| [pair[0], pair[1]]));
            edges.push([order[nodes as usize - 1], order[0]]);
        }
        edges
    })
}

/// The rows of P4: pairs on random edges, four times as many as agents.
pub(crate) fn random(nodes: u64, ask: &Ask) -> Result<Vec<WorkloadRow>, AskError> {
    listed(nodes, ask, |nodes, seed| {
        let all = u64::from(nodes);
        (0..4 * all)
            .map(|edge| {
                let u = drawn(seed, 2, edge, all) as u32;
                let other = drawn(seed, 3, edge, all - 1) as u32;
                [u, other + u32::from(other >= u)]
            })
            .collect()
    })
}

fn listed(nodes: u64, ask: &Ask, edges: fn(u32, u64) -> Vec<[u32; 2]>) -> Result<Vec<WorkloadRow>, AskError> {
    let count = fitting(nodes)?;
    // Four edges of eight bytes per agent; while cycles are drawn, four more bytes per agent.
    let bytes = nodes.saturating_mul(4 * 8 + 1);
    ask.memory.check(nodes, bytes.saturating_add(nodes.saturating_mul(6)))?;
    let seed = ask.seed;
    let floor = Floor { streamed: 0.0, lines: 3.0, footprint: bytes };
    let naive = WorkloadRow::new("plain loop", move || {
        let list = edges(count, seed);
        let number = list.len() as u64;
        let ends = move |edge: u64| list[edge as usize].map(|agent| agent as usize);
        Ok(Box::new(PlainPairs::new(nodes, number, Box::new(ends), seed, floor)))
    });
    let row = WorkloadRow::new("F0 array", move || {
        let (table, states) = (rock_paper_scissors(), start(nodes, seed));
        let population =
            GraphPopulation::new(&table, &states, edges(count, seed), seed).map_err(AskError::new)?;
        Ok(Box::new(PairWork { population, nodes, bytes, floor }))
    });
    Ok(vec![naive.naive(), if GraphPopulation::uses_threads(nodes) { row } else { row.alone() }])
}

/// The table of rock-paper-scissors: three states, each of which beats one of the others.
fn rock_paper_scissors() -> Table {
    let rule = |text: &str| Rule::Symmetric(text.to_owned());
    let spec = TableSpec {
        states: ["R", "P", "S"].map(str::to_owned).to_vec(),
        rules: ["R + S -> R + R", "S + P -> S + S", "P + R -> P + P"].map(rule).to_vec(),
        default: Some(Missing::Null),
        ..TableSpec::default()
    };
    spec.build().expect("the rules are sound")
}

/// The random number below `bound` that is keyed by seed, purpose and `index`.
#[inline]
fn drawn(seed: u64, purpose: u64, index: u64, bound: u64) -> u64 {
    let word = mix(mix(mix(seed) ^ purpose).wrapping_add(index.wrapping_mul(0x9e37_79b9_7f4a_7c15)));
    ((u128::from(word) * u128::from(bound)) >> 64) as u64
}

fn start(nodes: u64, seed: u64) -> Vec<u16> {
    (0..nodes).map(|agent| drawn(seed, 0, agent, 3) as u16).collect()
}

struct PairWork {
    population: GraphPopulation,
    nodes: u64,
    bytes: u64,
    floor: Floor,
}

impl Workload for PairWork {
    fn part(&mut self, divisor: u64) -> SampleCounts {
        let items = (self.nodes.max(SAMPLE) / divisor).max(1);
        self.population.run_to(self.population.interactions() + items);
        SampleCounts { items, ..SampleCounts::default() }
    }

    fn nodes(&self) -> u64 {
        self.nodes
    }

    fn bytes(&self) -> u64 {
        self.bytes
    }

    fn digest(&self) -> Digest {
        digest_of((0..self.nodes as u32).map(|agent| self.population.state(agent).into()))
    }

    fn floor(&self) -> Floor {
        self.floor
    }
}

type EdgeEnds = Box<dyn Fn(u64) -> [usize; 2] + Send>;

/// The plain loop, which draws an edge, looks up two states and writes two states.
struct PlainPairs {
    states: Vec<u8>,
    edges: u64,
    ends: EdgeEnds,
    seed: u64,
    done: u64,
    floor: Floor,
}

impl PlainPairs {
    fn new(nodes: u64, edges: u64, ends: EdgeEnds, seed: u64, floor: Floor) -> Self {
        let states = start(nodes, seed).into_iter().map(|state| state as u8).collect();
        Self { states, edges, ends, seed, done: 0, floor }
    }
}

impl Workload for PlainPairs {
    fn part(&mut self, divisor: u64) -> SampleCounts {
        /// The outcomes by initiator and responder: the loser takes the winner's state.
        const OUTCOMES: [[[u8; 2]; 3]; 3] =
            [[[0, 0], [1, 1], [0, 0]], [[1, 1], [1, 1], [2, 2]], [[0, 0], [2, 2], [2, 2]]];
        let items = ((self.states.len() as u64).max(SAMPLE) / divisor).max(1);
        for number in self.done..self.done + items {
            let drawn = drawn(self.seed, 1, number, 2 * self.edges);
            let [mut i, mut j] = (self.ends)(drawn / 2);
            if drawn % 2 == 1 {
                (i, j) = (j, i);
            }
            [self.states[i], self.states[j]] =
                OUTCOMES[usize::from(self.states[i])][usize::from(self.states[j])];
        }
        self.done += items;
        SampleCounts { items, ..SampleCounts::default() }
    }

    fn nodes(&self) -> u64 {
        self.states.len() as u64
    }

    fn bytes(&self) -> u64 {
        self.floor.footprint
    }

    fn digest(&self) -> Digest {
        digest_of(self.states.iter().map(|&state| state.into()))
    }

    fn floor(&self) -> Floor {
        self.floor
    }
}
