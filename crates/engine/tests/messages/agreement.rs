//! Compares a message-level run with the reference.

use acrasin_engine::draw::Priorities;
use acrasin_engine::message::{
    Changing, Config, EdgeLifetime, Lasting, LockConfiguration, MessageNetwork, Shadow, WordRounds, phase,
};
use acrasin_engine::reference::Reference;
use acrasin_engine::round::MemoryLimit;
use acrasin_engine::{ActiveNodes, Draws, Figures, Wanting};
use acrasin_runtime::exclusion::local::{Local, Memory};
use acrasin_runtime::{Demand, LockOnly, LockSetRule, NodeId, Port, PortSet, Step, StepOf, Topology};

/// The parameters of both runs.
pub(crate) fn config(seed: u64, priorities: u32, wanting: Wanting) -> Config {
    let priorities = Priorities::new(priorities).unwrap();
    Config { draws: Draws::new(seed), priorities, wanting, memory: MemoryLimit::NONE }
}

/// A message-level run and a reference run, with the data needed to compare them.
pub(crate) struct Pair<N, E> {
    pub rounds: WordRounds<N, E>,
    pub reference: Reference,
    shadow: Shadow,
}

impl<N: MessageNetwork> Pair<N, Lasting> {
    pub(crate) fn lasting(network: N, topology: Topology, config: Config) -> Self {
        Self::of(WordRounds::new(network, config).unwrap(), topology)
    }
}

impl<N: MessageNetwork> Pair<N, Changing> {
    pub(crate) fn changing(network: N, topology: Topology, config: Config) -> Self {
        Self::of(WordRounds::changing(network, config, LockSetRule::Neighbourhood).unwrap(), topology)
    }

    /// Starts runs with Locks on pairs.
    pub(crate) fn on_pairs(network: N, topology: Topology, config: Config) -> Self {
        assert_eq!(config.wanting, Wanting::Always, "the section wants always");
        let rounds = WordRounds::changing(network, config, LockSetRule::Pair).unwrap();
        let states = vec![Demand::Forever; topology.node_count() as usize];
        let Config { draws, priorities, .. } = config;
        let reference =
            Reference::with_section(topology, draws, priorities, LockOnly, states, LockSetRule::Pair);
        Self { shadow: Shadow::new(&rounds), rounds: rounds.with_checks(true), reference }
    }

    /// Applies the same change to both runs. Both accept it, or both refuse it.
    pub(crate) fn change(&mut self, step: &StepOf<Local>) -> bool {
        let changed = self.rounds.change(step).is_ok();
        assert_eq!(self.reference.change(step).is_ok(), changed, "{step}");
        if changed && let Step::Connect { a, a_port, b, b_port } = *step {
            self.shadow.connect(&self.rounds, a.0, a_port.0);
            self.shadow.connect(&self.rounds, b.0, b_port.0);
        }
        changed
    }
}

impl<N: MessageNetwork, E: EdgeLifetime> Pair<N, E> {
    fn of(rounds: WordRounds<N, E>, topology: Topology) -> Self {
        let Config { draws, priorities, wanting, .. } = rounds.config();
        let shadow = Shadow::new(&rounds);
        let reference = Reference::new(topology, draws, priorities, wanting);
        Self { rounds: rounds.with_checks(true), reference, shadow }
    }

    /// Runs one round in both runs, and compares memories, messages in transit, detectors and figures.
    pub(crate) fn round(&mut self, activation: &ActiveNodes<'_>) -> Figures {
        let round = self.rounds.round_number();
        let active = activation.in_round(self.rounds.config().draws, round);
        self.shadow.observe(&self.rounds, &active);
        let figures = self.rounds.round(activation);
        let expected = self.reference.round(activation).unwrap();
        assert_eq!(figures, expected, "figures of round {round}");
        self.compare();
        figures
    }

    pub(crate) fn compare(&self) {
        let round = self.rounds.round_number();
        let world = self.reference.world();
        for node in 0..self.rounds.nodes() {
            let (memory, inbox) = self.shadow.node(&self.rounds, node);
            let node = NodeId(node);
            let detector = world.topology().detector(node);
            assert_eq!(&self.rounds.detector(node.0), detector, "detector of {node:?} after {round} rounds");
            let expected = forgetting(world.memory(node), detector);
            assert_eq!(memory, expected, "{node:?} after {round} rounds");
            assert_eq!(memory.lock.is_some(), self.rounds.published(node.0).locked, "{node:?}");
            for port in 1..=self.rounds.ports() {
                let link = world.topology().link(node, Port(port));
                let link = link.map(|link| (link.peer.0, link.peer_port.get()));
                assert_eq!(self.rounds.link(node.0, port), link, "{node:?}, port {port}");
            }
            let mut messages: Vec<_> =
                world.in_transit(node).iter().map(|envelope| (envelope.port, envelope.message)).collect();
            messages.sort_unstable();
            assert_eq!(inbox, messages, "in transit to {node:?} after {round} rounds");
        }
    }
}

/// A memory without the neighbours whose departure the detector has yet to report.
fn forgetting(memory: &Memory, detector: &PortSet) -> Memory {
    let mut memory = memory.clone();
    if detector.is_empty() {
        return memory;
    }
    memory.lock = memory.lock.filter(|&port| !detector.contains(port));
    for port in detector {
        memory.lock_set_mut().remove(port);
        memory.replied_mut().remove(port);
        memory.won_mut().remove(port);
        memory.lost_mut().remove(port);
        memory.on_hold_mut().remove(port);
        memory.applicants_mut().remove(port);
        memory.candidates_mut().remove(port);
    }
    memory.priorities.retain(|port| !detector.contains(port));
    memory.phase = phase(&memory);
    memory
}
