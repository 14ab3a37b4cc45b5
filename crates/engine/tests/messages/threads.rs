//! Checks that any number of threads gives the same words, states and figures.

use acrasin_engine::message::{Changing, Lasting, Sectioned, WordRounds};
use acrasin_engine::network::PortTable;
use acrasin_engine::{ActiveNodes, Draws, Figures, Lattice, LatticeKind, Purpose, Wanting};
use acrasin_runtime::choice::{Choices, FixedProbability};
use acrasin_runtime::{CriticalSection, Digest, LockSetRule, Locked, Topology};

use super::agreement::config;

const HALF: ActiveNodes<'_> = ActiveNodes::Random(FixedProbability::HALF);

fn with_threads<R: Send>(threads: usize, run: impl FnOnce() -> R + Send) -> R {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(run)
}

/// Checks that a run ends the same with 1, 2, 3 and 7 threads, and differently with another seed.
fn same_for_all(run: impl Fn(u64) -> (Digest, Figures) + Sync) {
    let expected = with_threads(1, || run(1));
    for threads in [2, 3, 7] {
        assert_eq!(with_threads(threads, || run(1)), expected, "{threads} threads");
    }
    assert_ne!(with_threads(2, || run(2)).0, expected.0);
}

/// The side of a torus with enough nodes for several threads; the number of nodes is not a multiple of a chunk or a
/// block.
const SIDE: u32 = 271;
const NODES: u32 = SIDE * SIDE;

/// A ring with random chords, which is irregular.
fn chords() -> Topology {
    let stream = Draws::new(5).stream(Purpose::Initial, 0);
    let mut edges: Vec<(u32, u32)> = (0..NODES).map(|node| (node, (node + 1) % NODES)).collect();
    let mut degrees = vec![2; NODES as usize];
    for chord in 0..u64::from(NODES) {
        let word = stream.word(chord);
        let (a, b) = ((word % u64::from(NODES)) as u32, ((word >> 32) % u64::from(NODES)) as u32);
        let (low, high) = (a.min(b), a.max(b));
        if high - low > 1
            && (low, high) != (0, NODES - 1)
            && degrees[a as usize] < 6
            && degrees[b as usize] < 6
        {
            degrees[a as usize] += 1;
            degrees[b as usize] += 1;
            edges.push((low, high));
        }
    }
    edges[NODES as usize..].sort_unstable();
    edges.dedup();
    Topology::from_edges(NODES, 6, &edges).unwrap()
}

#[test]
fn on_lattices() {
    for priorities in [64, 1000, 70_000] {
        let torus = Lattice::new(LatticeKind::Triangular, SIDE, SIDE).unwrap();
        same_for_all(|seed| {
            let mut rounds: WordRounds<_, Lasting> =
                WordRounds::new(torus, config(seed, priorities, Wanting::Always)).unwrap();
            (0..10).for_each(|_| {
                rounds.round(&HALF);
            });
            (rounds.digest(), rounds.figures())
        });
    }
}

#[test]
fn on_tables() {
    let topology = chords();
    let table = PortTable::new(&topology).unwrap();
    for priorities in [64, 1000] {
        same_for_all(|seed| {
            let mut rounds =
                WordRounds::new(table.clone(), config(seed, priorities, Wanting::Always)).unwrap();
            (0..10).for_each(|_| {
                rounds.round(&HALF);
            });
            (rounds.digest(), rounds.figures())
        });
    }
}

#[test]
fn while_edges_come_and_go() {
    let rate = FixedProbability::new(0.01).unwrap();
    let torus = Lattice::new(LatticeKind::Square, SIDE, SIDE).unwrap();
    let topology = chords();
    let table = PortTable::new(&topology).unwrap();
    same_for_all(|seed| {
        let mut rounds: WordRounds<_, Changing> =
            WordRounds::changing(torus, config(seed, 64, Wanting::Always), LockSetRule::Neighbourhood)
                .unwrap();
        for _ in 0..10 {
            assert!(rounds.flip(rate) > 0);
            rounds.round(&HALF);
        }
        (rounds.digest(), rounds.figures())
    });
    same_for_all(|seed| {
        let mut rounds =
            WordRounds::changing(table.clone(), config(seed, 64, Wanting::Always), LockSetRule::Pair)
                .unwrap();
        for _ in 0..10 {
            rounds.flip(rate);
            rounds.round(&HALF);
        }
        (rounds.digest(), rounds.figures())
    });
}

/// Each section mixes the values of its lock set.
struct Mix;

impl CriticalSection for Mix {
    type State = u64;
    type Outcome = ();
    fn wants(&self, _own: &u64, _degree: u16) -> bool {
        true
    }
    fn enter(&self, held: &mut Locked<'_, u64>, choices: &mut dyn Choices) {
        let ports: Vec<_> = held.ports().collect();
        let drawn = choices.pick(1000.try_into().unwrap(), acrasin_runtime::Decision::Outcome);
        for port in ports {
            let (own, other) = held.pair_mut(port).unwrap();
            *own = own.wrapping_mul(31).wrapping_add(*other + u64::from(drawn));
            *other ^= *own >> 7;
        }
    }
}

#[test]
fn with_critical_sections() {
    let torus = Lattice::new(LatticeKind::Triangular, SIDE, SIDE).unwrap();
    same_for_all(|seed| {
        let states = (0..u64::from(NODES)).collect();
        let mut run = Sectioned::new(torus, config(seed, 64, Wanting::Never), Mix, states).unwrap();
        (0..60).for_each(|_| {
            run.round(&ActiveNodes::All);
        });
        assert!(run.figures().releases > 1000);
        (Digest::of(run.states()), run.figures())
    });
}
