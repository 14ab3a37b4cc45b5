//! The workloads T1 and C1 of `acrasin bench`: the token on a tree and local critical sections, message by message on
//! the reference world. Each is compared with local mutual exclusion on the same graph.

use acrasin_engine::draw::{Draws, Purpose};
use acrasin_engine::round::MemoryLimit;
use acrasin_runtime::exclusion::critical_section::{LocalSections, Scheme};
use acrasin_runtime::exclusion::local::Local;
use acrasin_runtime::exclusion::tree_token::{SchemeRule, TreeToken};
use acrasin_runtime::exclusion::{AlgorithmLabels, Bounds, Exclusion, InitialKnowledge, RootedTree};
use acrasin_runtime::scheduler::{Scheduler, Sequential};
use acrasin_runtime::{
    Demand, Digest, Event, LockOnly, LockSetRule, NodeId, Observer, Seeded, Setup, StepOf, Timing, Topology,
    World,
};

use crate::memory::Floor;
use crate::row::{Ask, AskError, WorkloadRow};
use crate::work::{SampleCounts, Workload};

/// The number of steps in a sample: enough for a precise time, and few enough for five samples of every row.
const SAMPLE_STEPS: u64 = 1_000_000;
/// The approximate memory per node of the world, its memories and its graph, in bytes. Measured on trees and grids of
/// 10^5 nodes.
const BYTES_PER_NODE: u64 = 1_500;

/// The rows of T1: Raymond's rule on a random tree. Its messages use only the edges of the tree.
pub(crate) fn tokens(nodes: u64, ask: &Ask) -> Result<Vec<WorkloadRow>, AskError> {
    let (count, draws, seed) = (checked(nodes, ask.memory)?, Draws::new(ask.seed), ask.seed);
    let local = WorkloadRow::new("F4 World, local mutual exclusion, all call", move || {
        let (topology, _) = random_tree(count, draws)?;
        let local = Local::new(topology.ports());
        Ok(Box::new(ExclusionWork::new(local, topology, &InitialKnowledge::default(), seed)?))
    });
    let raymond = WorkloadRow::new("F4 World, token by Raymond's rule, all call", move || {
        let (topology, seating) = random_tree(count, draws)?;
        Ok(Box::new(ExclusionWork::new(TreeToken::new(SchemeRule::Raymond), topology, &seating, seed)?))
    });
    Ok(vec![local.naive(), raymond.alone()])
}

/// The rows of C1: local critical sections under [`Scheme::Home`], without a leader, on a square grid.
pub(crate) fn sections(nodes: u64, ask: &Ask) -> Result<Vec<WorkloadRow>, AskError> {
    let (draws, seed) = (Draws::new(ask.seed), ask.seed);
    let side = checked(nodes, ask.memory)?.isqrt().max(2);
    let local = WorkloadRow::new("F4 World, local mutual exclusion, all call", move || {
        let topology = grid(side)?;
        let local = Local::new(topology.ports());
        Ok(Box::new(ExclusionWork::new(local, topology, &InitialKnowledge::default(), seed)?))
    });
    let home = WorkloadRow::new("F4 World, local critical sections (Home), all change", move || {
        let topology = grid(side)?;
        let seating = around_home(&topology, draws);
        Ok(Box::new(ExclusionWork::new(LocalSections::new(Scheme::Home), topology, &seating, seed)?))
    });
    Ok(vec![local.naive(), home.alone()])
}

fn checked(nodes: u64, memory: MemoryLimit) -> Result<u32, AskError> {
    memory.check(nodes, nodes.saturating_mul(BYTES_PER_NODE))?;
    u32::try_from(nodes.max(4)).ok().filter(|&nodes| nodes <= acrasin_runtime::limits::NODES_MAX).ok_or_else(
        || AskError::new(format_args!("{nodes} nodes: at most {}", acrasin_runtime::limits::NODES_MAX)),
    )
}

/// A tree in which the father of each node is drawn uniformly from the earlier nodes. Nodes are on average about ln n
/// edges from the root.
fn random_tree(nodes: u32, draws: Draws) -> Result<(Topology, InitialKnowledge), AskError> {
    let stream = draws.stream(Purpose::Initial, 0);
    let mut fathers = vec![None];
    let mut degrees = vec![0_u16; nodes as usize];
    for node in 1..nodes {
        let bound = std::num::NonZeroU32::new(node).expect("above 0");
        let father = stream.below(u64::from(node), bound);
        degrees[father as usize] += 1;
        degrees[node as usize] += 1;
        fathers.push(Some(father));
    }
    let edges: Vec<(u32, u32)> =
        (1..nodes).map(|node| (fathers[node as usize].expect("no root"), node)).collect();
    let ports = degrees.into_iter().max().unwrap_or(1);
    let topology = Topology::from_edges(nodes, ports, &edges).map_err(AskError::new)?;
    Ok((topology, InitialKnowledge::from_tree(RootedTree::new(&fathers).expect("fathers come first"))))
}

fn grid(side: u32) -> Result<Topology, AskError> {
    let right =
        (0..side).flat_map(|row| (1..side).map(move |column| (row * side + column - 1, row * side + column)));
    let down = (1..side)
        .flat_map(|row| (0..side).map(move |column| ((row - 1) * side + column, row * side + column)));
    let edges: Vec<(u32, u32)> = right.chain(down).collect();
    Topology::from_edges(side * side, 4, &edges).map_err(AskError::new)
}

/// The initial knowledge: each process starts inside with probability 1/2, and each closed neighbourhood may have one
/// process more or fewer inside than at the start.
fn around_home(topology: &Topology, draws: Draws) -> InitialKnowledge {
    let stream = draws.stream(Purpose::Initial, 1);
    let two = std::num::NonZeroU32::new(2).expect("2 > 0");
    let inside: Vec<bool> = topology.nodes().map(|node| stream.below(u64::from(node.0), two) == 0).collect();
    let bounds = topology.nodes().map(|node| {
        let is_inside = |node: NodeId| u32::from(inside[node.index()]);
        let near: u32 = topology.links(node).map(|(_, link)| is_inside(link.peer)).sum();
        let (now, all) = (near + is_inside(node), u32::from(topology.degree(node)) + 1);
        Bounds { least: now.saturating_sub(1), most: (now + 1).min(all) }
    });
    InitialKnowledge { bounds: bounds.collect(), inside, ..InitialKnowledge::default() }
}

/// Counts messages between neighbours, and critical sections.
#[derive(Default)]
struct WorkCounter(SampleCounts);

impl<E: AlgorithmLabels> Observer<E, LockOnly> for WorkCounter {
    fn event(&mut self, event: &Event<'_, E, LockOnly>) {
        match event {
            Event::Sent { from, to, .. } if from != to => self.0.messages += 1,
            Event::Granted { .. } => self.0.locks += 1,
            _ => {}
        }
    }
}

/// A world in which every node outside its critical section calls Lock, advanced by random steps.
struct ExclusionWork<E: Exclusion> {
    world: World<E, LockOnly>,
    scheduler: Sequential<E::Action>,
    turn: Vec<StepOf<E>>,
    choices: Seeded,
    bytes: u64,
}

impl<E: AlgorithmLabels> ExclusionWork<E> {
    fn new(
        exclusion: E,
        topology: Topology,
        seating: &InitialKnowledge,
        seed: u64,
    ) -> Result<Self, AskError> {
        let states = vec![Demand::Forever; topology.node_count() as usize];
        let setup = Setup {
            exclusion,
            section: LockOnly,
            topology,
            states,
            lock_set: LockSetRule::Neighbourhood,
            timing: Timing::AtOnce,
        };
        let world = World::with_knowledge(setup, seating).map_err(AskError::new)?;
        let (scheduler, choices) = (Sequential::new(), Seeded::new(seed));
        let mut work = Self { world, scheduler, turn: Vec::new(), choices, bytes: 0 };
        // Once all nodes have called, the work is uniform.
        for _ in 0..4 * u64::from(work.world.topology().node_count()) {
            work.step(&mut ());
        }
        work.bytes = work.world.bytes() as u64;
        Ok(work)
    }

    fn step(&mut self, observer: &mut impl Observer<E, LockOnly>) {
        self.turn.clear();
        self.scheduler.plan(&self.world, &mut self.choices, &mut self.turn);
        assert!(!self.turn.is_empty(), "there is always a step");
        for step in &self.turn {
            self.world.apply(step, &mut self.choices, observer).expect("it is planned");
            Scheduler::<E, LockOnly>::applied(&mut self.scheduler, &self.world, step);
        }
        assert_eq!(self.world.violation(), None);
    }
}

impl<E> Workload for ExclusionWork<E>
where
    E: AlgorithmLabels<Memory: Send, Message: Send, Action: Send> + Send,
    World<E, LockOnly>: Send,
{
    fn part(&mut self, divisor: u64) -> SampleCounts {
        let mut count = WorkCounter::default();
        let mut steps = 0;
        // A part has at least one message, because the time is divided by their number.
        while steps < (SAMPLE_STEPS / divisor).max(1) || count.0.messages == 0 {
            self.step(&mut count);
            steps += 1;
        }
        SampleCounts { items: count.0.messages, ..count.0 }
    }

    fn nodes(&self) -> u64 {
        self.world.topology().node_count().into()
    }

    fn bytes(&self) -> u64 {
        self.bytes
    }

    fn digest(&self) -> Digest {
        self.world.digest()
    }

    fn floor(&self) -> Floor {
        // The receiver's memory and its queue.
        Floor { streamed: 0.0, lines: 2.0, footprint: self.bytes }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tree_and_the_bounds_are_what_the_algorithms_assume() {
        let (topology, seating) = random_tree(200, Draws::new(3)).unwrap();
        assert_eq!(TreeToken::new(SchemeRule::Raymond).check_start(&topology, &seating), Ok(()));
        let topology = grid(9).unwrap();
        let seating = around_home(&topology, Draws::new(3));
        assert_eq!(LocalSections::new(Scheme::Home).check_start(&topology, &seating), Ok(()));
        assert_eq!((topology.edge_count(), seating.bounds.len()), (144, 81));
    }

    #[test]
    fn all_go_on_and_the_same_seed_does_the_same() {
        let work = |seed| {
            let seating = around_home(&grid(6).unwrap(), Draws::new(seed));
            let sections = LocalSections::new(Scheme::Home);
            let mut work = ExclusionWork::new(sections, grid(6).unwrap(), &seating, seed).unwrap();
            let counted = work.part(100);
            assert!(counted.locks > 0 && counted.messages > counted.locks, "{counted:?}");
            work.digest()
        };
        assert_eq!(work(5), work(5));
        assert_ne!(work(5), work(6));
    }
}
