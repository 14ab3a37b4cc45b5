//! Critical sections: the same states as under the reference, after every round.

use std::num::NonZeroU32;

use acrasin_engine::message::{Changing, Config, EdgeLifetime, MessageNetwork, Sectioned};
use acrasin_engine::network::PortTable;
use acrasin_engine::reference::Reference;
use acrasin_engine::{ActiveNodes, Lattice, LatticeKind, Wanting};
use acrasin_runtime::choice::{Choices, Decision, FixedProbability};
use acrasin_runtime::{CriticalSection, LockSetRule, Locked, NodeId, Topology};

use super::agreement::config;

const HALF: ActiveNodes<'_> = ActiveNodes::Random(FixedProbability::HALF);

/// Swaps with a neighbour and counts, so that states reveal everything that runs under the locks.
struct Shuffle;

impl CriticalSection for Shuffle {
    type State = (u32, u32);
    type Outcome = usize;

    fn wants(&self, own: &(u32, u32), degree: u16) -> bool {
        // Some nodes do not want a lock for a while; nodes without neighbours never do.
        degree > 0 && own.0 % 5 != own.1 % 5
    }

    fn unlocks(&self, own: &(u32, u32)) -> bool {
        own.0 % 7 != 6
    }

    fn enter(&self, held: &mut Locked<'_, (u32, u32)>, choices: &mut dyn Choices) -> usize {
        let ports: Vec<_> = held.ports().collect();
        let drawn = choices.pick(NonZeroU32::new(1000).unwrap(), Decision::Outcome);
        held.own_mut().1 += 1;
        if let Some(count) = NonZeroU32::new(ports.len() as u32) {
            let port = ports[choices.pick(count, Decision::Partner) as usize];
            let (own, other) = held.pair_mut(port).unwrap();
            std::mem::swap(&mut own.0, &mut other.0);
            other.1 += drawn;
        }
        ports.len()
    }
}

/// Every node always wants a lock.
struct Count;

impl CriticalSection for Count {
    type State = u64;
    type Outcome = ();
    fn wants(&self, _own: &u64, _degree: u16) -> bool {
        true
    }
    fn enter(&self, held: &mut Locked<'_, u64>, _choices: &mut dyn Choices) {
        let ports: Vec<_> = held.ports().collect();
        *held.own_mut() += 1000;
        for port in ports {
            *held.neighbour_mut(port).unwrap() += 1;
        }
    }
}

fn states(nodes: u32) -> Vec<(u32, u32)> {
    (0..nodes).map(|node| (node * 3, node)).collect()
}

fn reference(topology: &Topology, config: Config, lock_set: LockSetRule) -> Reference<Shuffle> {
    let states = states(topology.node_count());
    Reference::with_section(topology.clone(), config.draws, config.priorities, Shuffle, states, lock_set)
}

fn same<N: MessageNetwork, E: EdgeLifetime + Sync>(
    run: &mut Sectioned<N, Shuffle, E>,
    reference: &mut Reference<Shuffle>,
    activation: &ActiveNodes<'_>,
) {
    let figures = run.round(activation);
    assert_eq!(figures, reference.round(activation).unwrap());
    assert_eq!(run.states(), reference.world().states(), "round {}", figures.rounds);
}

#[test]
fn states_on_a_lattice() {
    for activation in [HALF, ActiveNodes::All] {
        let torus = Lattice::new(LatticeKind::Triangular, 10, 9).unwrap();
        let config = config(5, 64, Wanting::Never);
        let mut reference = reference(&torus.topology().unwrap(), config, LockSetRule::Neighbourhood);
        let mut run = Sectioned::new(torus, config, Shuffle, states(90)).unwrap();
        for _ in 0..3000 {
            same(&mut run, &mut reference, &activation);
        }
        assert!(run.figures().releases > 10, "{:?}", run.figures());
        assert_ne!(run.states(), states(90));
    }
}

#[test]
fn states_on_an_irregular_graph_and_of_pairs() {
    let tree: Vec<(u32, u32)> = (1..80).map(|node| ((node - 1) / 4, node)).collect();
    for (ports, priorities) in [(6, 20), (6, 2000), (6, 100_000), (20, 20)] {
        let topology = Topology::from_edges(84, ports, &tree).unwrap();
        let config = config(7, priorities, Wanting::Never);
        for lock_set in [LockSetRule::Neighbourhood, LockSetRule::Pair] {
            let mut reference = reference(&topology, config, lock_set);
            let table = PortTable::new(&topology).unwrap();
            let mut run = Sectioned::changing(table, config, lock_set, Shuffle, states(84)).unwrap();
            for _ in 0..1000 {
                same(&mut run, &mut reference, &HALF);
            }
            assert!(run.figures().releases > 30, "{:?}", run.figures());
        }
    }
}

#[test]
fn states_while_edges_come_and_go() {
    let torus = Lattice::new(LatticeKind::Square, 10, 9).unwrap();
    for (lock_set, rate) in
        [(LockSetRule::Neighbourhood, 0.001), (LockSetRule::Neighbourhood, 0.03), (LockSetRule::Pair, 0.03)]
    {
        let rate = FixedProbability::new(rate).unwrap();
        let config = config(11, 40, Wanting::Never);
        let mut reference = reference(&torus.topology().unwrap(), config, lock_set);
        let mut run: Sectioned<_, _, Changing> =
            Sectioned::changing(torus, config, lock_set, Shuffle, states(90)).unwrap();
        for _ in 0..2000 {
            for flip in run.rounds().flips(rate) {
                run.change(&flip.step()).unwrap();
                reference.change(&flip.step()).unwrap();
            }
            same(&mut run, &mut reference, &HALF);
        }
        assert!(run.figures().releases > 100, "{:?}", run.figures());
    }
}

#[test]
fn every_section_is_observed_and_none_is_lost() {
    let torus = Lattice::new(LatticeKind::Triangular, 40, 40).unwrap();
    let mut run = Sectioned::new(torus, config(3, 64, Wanting::Never), Count, vec![0; 1600]).unwrap();
    let mut entered = vec![0_u64; 1600];
    for _ in 0..400 {
        run.round_observed(&HALF, |NodeId(node), ()| entered[node as usize] += 1);
    }
    let total: u64 = entered.iter().sum();
    assert!(total > 500, "{total}");
    assert_eq!(run.states().iter().sum::<u64>(), total * 1006);
    for (node, state) in run.states().iter().enumerate() {
        assert_eq!(state / 1000, entered[node]);
    }
}
