//! Refused parameters and warnings.

use acrasin_engine::message::{Config, PriorityWarning, Sectioned, WordRounds};
use acrasin_engine::network::PortTable;
use acrasin_engine::round::MemoryLimit;
use acrasin_engine::{Lattice, LatticeKind, Wanting};
use acrasin_runtime::{Demand, LockOnly, LockSetRule, Topology};

use super::agreement::config;

fn limited(priorities: u32, bytes: u64) -> Config {
    Config { memory: MemoryLimit(bytes), ..config(1, priorities, Wanting::Always) }
}

#[test]
fn a_run_takes_what_it_says_and_no_more_than_the_limit() {
    let torus = Lattice::new(LatticeKind::Triangular, 100, 100).unwrap();
    for (priorities, bytes) in [(64, 8), (1000, 16)] {
        let bytes = bytes * 10_000;
        assert_eq!(WordRounds::new(torus, limited(priorities, bytes)).unwrap().bytes(), bytes);
        let error = WordRounds::new(torus, limited(priorities, bytes - 1)).unwrap_err();
        assert_eq!((error.nodes, error.bytes, error.limit), (10_000, bytes, bytes - 1));
        let changing =
            WordRounds::changing(torus, limited(priorities, 2 * bytes), LockSetRule::Neighbourhood);
        assert_eq!(changing.unwrap().bytes(), 2 * bytes);
        assert!(WordRounds::changing(torus, limited(priorities, 2 * bytes - 1), LockSetRule::Pair).is_err());
    }
    // Refused before anything is allocated: this is more than any machine has.
    let huge = Lattice::new(LatticeKind::Square, 1 << 16, 1 << 15).unwrap();
    assert_eq!(WordRounds::new(huge, limited(64, 1 << 30)).unwrap_err().bytes, 8 << 31);
    let states = vec![Demand::Forever; 10_000];
    assert!(Sectioned::new(torus, limited(64, 70_000), LockOnly, states).is_err());
}

#[test]
fn adjacency_counts() {
    let ring: Vec<(u32, u32)> = (0..1000).map(|node| (node, (node + 1) % 1000)).collect();
    let topology = Topology::from_edges(1000, 2, &ring).unwrap();
    let table = PortTable::new(&topology).unwrap();
    // Two words, two slots and two inbox entries per node.
    assert_eq!(WordRounds::new(table, limited(64, 18_000)).unwrap().bytes(), 18_000);
}

#[test]
fn few_priorities_are_warned_of() {
    for (kind, contenders) in [(LatticeKind::Square, 12), (LatticeKind::Triangular, 18)] {
        let torus = Lattice::new(kind, 9, 9).unwrap();
        let priority_warning =
            |priorities| WordRounds::new(torus, limited(priorities, 1 << 20)).unwrap().priority_warning();
        assert_eq!(priority_warning(contenders), None);
        assert_eq!(
            priority_warning(contenders - 1),
            Some(PriorityWarning { priorities: contenders - 1, contenders })
        );
    }
    let star: Vec<(u32, u32)> = (1..=20).map(|leaf| (0, leaf)).collect();
    let table = PortTable::new(&Topology::from_edges(21, 30, &star).unwrap()).unwrap();
    // Not more contenders than there are other nodes.
    let priority_warning = WordRounds::new(table, limited(8, 1 << 20)).unwrap().priority_warning();
    assert_eq!(priority_warning, Some(PriorityWarning { priorities: 8, contenders: 20 }));
}
