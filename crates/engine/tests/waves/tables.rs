//! Waves of a table result in the same states as waves of a task with the same section, and as the turns one after
//! another.

use std::num::NonZeroU32;

use acrasin_engine::draw::mix;
use acrasin_engine::network::PortTable;
use acrasin_engine::waves::{
    CompletePairs, EntryJournal, PairTable, SectionTask, TaskWaves, count_states, replay,
};
use acrasin_engine::{Draws, Lattice, LatticeKind};
use acrasin_runtime::choice::{Choices, Decision};
use acrasin_runtime::{CriticalSection, Locked, Topology};

const STATES: u16 = 64;

/// A table in which about half of the pairs change.
fn rule(own: u16, other: u16) -> (u16, u16) {
    let word = mix(u64::from(own) << 16 | u64::from(other));
    if word & 1 == 0 {
        return (own, other);
    }
    ((word >> 8) as u16 % STATES, (word >> 16) as u16 % STATES)
}

/// Meets a uniformly random neighbour, like a population protocol under locks. The wrong variant takes the next port.
struct Meet {
    is_wrong: bool,
}

impl CriticalSection for Meet {
    type State = u16;
    type Outcome = bool;

    fn wants(&self, _own: &u16, degree: u16) -> bool {
        degree > 0
    }

    fn enter(&self, held: &mut Locked<'_, u16>, choices: &mut dyn Choices) -> bool {
        let ports: Vec<_> = held.ports().collect();
        let drawn = match NonZeroU32::new(ports.len() as u32) {
            Some(count) if count.get() > 1 => choices.pick(count, Decision::Partner) as usize,
            _ => 0,
        };
        let port = ports[(drawn + usize::from(self.is_wrong)) % ports.len()];
        let (own, other) = held.pair_mut(port).unwrap();
        let before = (*own, *other);
        (*own, *other) = rule(*own, *other);
        before != (*own, *other)
    }
}

fn start(nodes: u32) -> Vec<u16> {
    (0..nodes).map(|node| (mix(node.into()) % u64::from(STATES)) as u16).collect()
}

/// A graph with ports numbered by neighbour, like graphs of scenarios.
fn graph(nodes: u32, mut edges: Vec<(u32, u32)>) -> PortTable {
    edges.iter_mut().for_each(|(a, b)| (*a, *b) = (*a.min(b), *a.max(b)));
    edges.sort_unstable();
    edges.dedup();
    PortTable::new(&Topology::from_edges(nodes, 8, &edges).unwrap()).unwrap()
}

fn torus(kind: LatticeKind, width: u32, height: u32) -> PortTable {
    let lattice = Lattice::new(kind, width, height).unwrap();
    let nodes = width * height;
    let ends = (0..nodes)
        .flat_map(|node| (1..=kind.degree()).map(move |port| (node, lattice.neighbour(node, port))));
    graph(nodes, ends.collect())
}

fn path(nodes: u32) -> PortTable {
    graph(nodes, (1..nodes).map(|node| (node - 1, node)).collect())
}

/// A graph with distances of all sizes: it has no tiles, but a pattern.
fn circulant(nodes: u32) -> PortTable {
    graph(
        nodes,
        (0..nodes)
            .flat_map(|node| [(node, (node + 1) % nodes), (node, (node + nodes / 2 - 3) % nodes)])
            .collect(),
    )
}

fn networks() -> Vec<(PortTable, Option<u32>)> {
    vec![
        (torus(LatticeKind::Square, 5, 4), None),
        (torus(LatticeKind::Square, 100, 90), None),
        (torus(LatticeKind::Triangular, 100, 90), Some(1500)),
        (torus(LatticeKind::Square, 64, 256), Some(512)),
        (torus(LatticeKind::Triangular, 32, 512), None),
        (path(5000), None),
        (path(70_001), None),
        (circulant(3000), None),
        (circulant(70_000), None),
    ]
}

fn waves(network: &PortTable, tiles: Option<u32>, seed: u64) -> TaskWaves<PortTable> {
    let waves = TaskWaves::new(network.clone(), Draws::new(seed)).with_pool_from(0);
    match tiles {
        Some(nodes) => waves.with_tiles_of(nodes),
        None => waves,
    }
}

/// The first wave after which states or figures differ from those of the section.
fn first_difference(network: &PortTable, tiles: Option<u32>, is_wrong: bool, count: u64) -> Option<u64> {
    let table = PairTable::new(STATES, rule).unwrap();
    let mut tabled = waves(network, tiles, 9).with_pattern();
    let mut plain = waves(network, tiles, 9);
    let nodes = plain.turns(0).len() as u32;
    let (mut states, mut expected, mut replayed) = (start(nodes), start(nodes), start(nodes));
    let section = Meet { is_wrong };
    for wave in 0..count {
        let (summed, changes) = tabled.meet(wave, &table, &mut states).expect("a pattern, and no far nodes");
        let (expected_wave, EntryJournal(entries)) =
            plain.journaled::<_, EntryJournal<bool>>(wave, &SectionTask(&section), &mut expected);
        let () =
            replay(network, Draws::new(9), wave, &plain.turns(wave), &SectionTask(&section), &mut replayed);
        assert_eq!(expected, replayed);
        let expected_changes = entries.iter().filter(|(_, changed)| *changed).count() as u64;
        let told = (summed.number, summed.turns, summed.entered, summed.tiles, summed.phases, changes);
        let wanted = (
            expected_wave.number,
            expected_wave.turns,
            expected_wave.entered,
            expected_wave.tiles,
            expected_wave.phases,
            expected_changes,
        );
        if states != expected || told != wanted {
            return Some(wave);
        }
    }
    assert_ne!(states, start(nodes));
    None
}

#[test]
fn a_table_has_the_states_of_its_section_after_every_wave_for_every_number_of_threads() {
    for threads in [1, 2, 3, 7] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        for (network, tiles) in networks() {
            let found = pool.install(|| first_difference(&network, tiles, false, 5));
            assert_eq!(found, None, "{threads} threads, {tiles:?}, {:?}", network.clone().is_full());
        }
    }
}

#[test]
fn another_partner_is_noticed() {
    for (network, tiles) in networks() {
        assert!(first_difference(&network, tiles, true, 12).is_some());
    }
}

#[test]
fn without_a_pattern_nothing_is_done() {
    let table = PairTable::new(STATES, rule).unwrap();
    let lonely = graph(100, (2..100).map(|node| (node - 1, node)).collect());
    for waves in [waves(&path(100), None, 1), waves(&lonely, None, 1).with_pattern()] {
        let mut waves = waves;
        let mut states = start(100);
        assert!(waves.meet(0, &table, &mut states).is_none());
        assert_eq!(states, start(100));
    }
}

#[test]
fn states_are_counted() {
    let states = start(300_000);
    let counts = count_states(&states);
    for (state, &count) in (0..).zip(&counts) {
        assert_eq!(count, states.iter().filter(|&&found| found == state).count() as u64);
    }
}

/// Waves of pairs on the complete graph, of tables and of sections, result in the same states as waves on it as a port
/// table, for sizes that fit in a port table.
#[test]
fn pairs_of_the_complete_graph_are_those_of_its_edges() {
    let table = PairTable::new(STATES, rule).unwrap();
    for nodes in [2_u32, 3, 9, 100, 300] {
        let edges: Vec<(u32, u32)> = (0..nodes).flat_map(|a| (a + 1..nodes).map(move |b| (a, b))).collect();
        let network =
            PortTable::new(&Topology::from_edges(nodes, nodes as u16 - 1, &edges).unwrap()).unwrap();
        let mut waves = TaskWaves::new(network, Draws::new(4));
        let pairs = CompletePairs::new(nodes, Draws::new(4));
        let (mut tabled, mut sectioned, mut expected) = (start(nodes), start(nodes), start(nodes));
        let (mut wrong, mut is_noticed) = (start(nodes), false);
        for wave in 0..20 {
            assert_eq!(pairs.turns(wave), waves.turns(wave));
            let (plain, EntryJournal(entries)) = waves.journaled::<_, EntryJournal<bool>>(
                wave,
                &SectionTask(&Meet { is_wrong: false }),
                &mut expected,
            );
            let (figures, changes) = pairs.meet(wave, &table, &mut tabled);
            assert_eq!((figures, tabled == expected), (plain, true), "{nodes} nodes, wave {wave}");
            assert_eq!(changes, entries.iter().filter(|(_, changed)| *changed).count() as u64);
            let (figures, EntryJournal(told)) =
                pairs.journaled::<_, EntryJournal<bool>>(wave, &Meet { is_wrong: false }, &mut sectioned);
            assert_eq!((figures, &told), (plain, &entries));
            assert_eq!(sectioned, expected, "{nodes} nodes, wave {wave}");
            // The draws of another seed.
            CompletePairs::new(nodes, Draws::new(5)).meet(wave, &table, &mut wrong);
            is_noticed |= wrong != expected;
        }
        // Two or three nodes may soon be in states that no encounter changes.
        assert!(is_noticed || nodes < 9, "{nodes} nodes");
    }
    let mut alone = vec![7];
    assert_eq!(CompletePairs::new(1, Draws::new(4)).meet(0, &table, &mut alone).0.entered, 0);
    assert_eq!(alone, [7]);
}

/// Partners are uniform over all other nodes, for sizes at which states are prefetched.
#[test]
fn partners_on_the_complete_graph_are_uniform() {
    // A node that is met counts the encounters up to 2 in its state.
    const NODES: u32 = 1 << 20;
    let table = PairTable::new(3, |own, other| (own, (other + 1).min(2))).unwrap();
    let chi = |pairs: &dyn Fn(&mut Vec<u16>)| {
        let mut states = vec![0; NODES as usize];
        pairs(&mut states);
        let counts = count_states(&states);
        // One turn per node: the number of hits is Poisson with mean 1, up to 2^-20.
        let e = f64::exp(-1.0);
        let expected = [e, e, 1.0 - 2.0 * e].map(|share| share * f64::from(NODES));
        counts
            .iter()
            .zip(expected)
            .map(|(&count, expected)| (count as f64 - expected).powi(2) / expected)
            .sum::<f64>()
    };
    let fair = chi(&|states| {
        CompletePairs::new(NODES, Draws::new(8)).meet(0, &table, states);
    });
    // Two degrees of freedom; the variance of occupancies is below that of independent cells.
    assert!(fair < 14.0, "{fair}");
    // A biased sampler: half of the nodes are never met.
    let biased = chi(&|states| {
        for turn in 0..NODES {
            let other = (mix(turn.into()) % u64::from(NODES)) as usize / 2;
            states[other] = (states[other] + 1).min(2);
        }
    });
    assert!(biased > 1000.0, "{biased}");
}
