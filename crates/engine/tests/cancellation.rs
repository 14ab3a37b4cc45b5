//! Waves and rounds that are cancelled.

use std::sync::atomic::{AtomicU32, Ordering};

use acrasin_engine::draw::{Priorities, mix};
use acrasin_engine::message::{Changing, Config, Sectioned};
use acrasin_engine::network::PortTable;
use acrasin_engine::round::MemoryLimit;
use acrasin_engine::waves::{
    CompletePairs, EntryJournal, PairTable, SectionTask, TaskWaves, WaveScheme, replay,
};
use acrasin_engine::{ActiveNodes, Draws, Lattice, LatticeKind, RoundCancellation, Wanting};
use acrasin_runtime::{Choices, CriticalSection, LockSetRule, Locked, Topology};

/// Takes one from every neighbour that has more than the node itself, if the node has an even number.
struct Gather;

impl CriticalSection for Gather {
    type State = u16;
    type Outcome = u16;

    fn wants(&self, _own: &u16, _degree: u16) -> bool {
        true
    }

    fn enter(&self, held: &mut Locked<'_, u16>, _choices: &mut dyn Choices) -> u16 {
        let mut taken = 0;
        for port in held.ports().collect::<Vec<_>>() {
            let (own, other) = held.pair_mut(port).expect("a port of the lock set");
            if *other > *own {
                (*own, *other) = (*own + 1, *other - 1);
                taken += 1;
            }
        }
        taken
    }
}

fn start(nodes: u32) -> Vec<u16> {
    (0..nodes).map(|node| (mix(node.into()) % 1000) as u16).collect()
}

/// A ring as a port table without locality: the numbers of neighbouring nodes are far apart.
fn scattered_ring(nodes: u32) -> PortTable {
    let at = |place: u32| (u64::from(place % nodes) * 7_919 % u64::from(nodes)) as u32;
    let mut edges: Vec<(u32, u32)> = (0..nodes).map(|place| (at(place), at(place + 1))).collect();
    edges.iter_mut().for_each(|(a, b)| (*a, *b) = (*a.min(b), *a.max(b)));
    edges.sort_unstable();
    PortTable::new(&Topology::from_edges(nodes, 2, &edges).unwrap()).unwrap()
}

/// Runs with a cancellation that allows this many parts.
fn cut_after<R>(parts: u32, run: impl FnOnce(&RoundCancellation<'_>) -> R) -> (R, bool) {
    let asked = AtomicU32::new(0);
    let goes_on = || asked.fetch_add(1, Ordering::Relaxed) < parts;
    let cancellation = RoundCancellation::new(&goes_on);
    let result = run(&cancellation);
    (result, cancellation.is_cut())
}

/// A cancelled wave equals a sequential run of the turns in its log, without all later turns.
#[test]
fn a_cut_wave_equals_the_turns_that_it_had() {
    const NODES: u32 = 1 << 16;
    let torus = Lattice::new(LatticeKind::Square, 256, 256).unwrap();
    let check = |cut: (acrasin_engine::waves::Wave, EntryJournal<u16>),
                 states: &[u16],
                 expected: &dyn Fn(&[u32]) -> Vec<u16>| {
        let (wave, EntryJournal(entries)) = cut;
        let nodes: Vec<u32> = entries.iter().map(|(node, _)| *node).collect();
        assert!(wave.turns < states.len() as u64, "{wave:?}");
        assert_eq!((wave.entered, nodes.len() as u64), (wave.turns, wave.turns));
        assert_eq!(states, expected(&nodes));
        wave.turns
    };
    let mut turns = Vec::new();
    for parts in [0, 1, 2, 5] {
        // Tiles.
        let mut waves = TaskWaves::new(torus, Draws::new(3)).with_scheme(WaveScheme::Tiles).unwrap();
        let mut states = start(NODES);
        let (cut, is_cut) =
            cut_after(parts, |asked| waves.journaled_while(4, &SectionTask(&Gather), &mut states, asked));
        assert!(is_cut);
        turns.push(check(cut, &states, &|nodes| {
            let mut states = start(NODES);
            replay::<_, _, ()>(&torus, Draws::new(3), 4, nodes, &SectionTask(&Gather), &mut states);
            states
        }));
    }
    assert!(turns.is_sorted() && turns[0] == 0 && turns[3] > 0, "{turns:?}");
    // One by one, and in batches. Waves whose states fit into the cache check no cancellation.
    const LARGE: u32 = 1 << 18;
    let ring = scattered_ring(LARGE);
    for threads in [1, 2] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let mut waves =
            TaskWaves::new(scattered_ring(LARGE), Draws::new(3)).with_scheme(WaveScheme::Hashed).unwrap();
        let mut states = start(LARGE);
        let (cut, is_cut) = pool.install(|| {
            cut_after(1, |asked| waves.journaled_while(4, &SectionTask(&Gather), &mut states, asked))
        });
        assert!(is_cut);
        let turns = check(cut, &states, &|nodes| {
            let mut states = start(LARGE);
            replay::<_, _, ()>(&ring, Draws::new(3), 4, nodes, &SectionTask(&Gather), &mut states);
            states
        });
        assert!(turns > 0);
    }
}

/// A cancellation that never cancels does not change a wave.
#[test]
fn a_cancellation_that_never_cuts_changes_nothing() {
    const NODES: u32 = 1 << 16;
    let table = PairTable::new(8, |own, other| ((own + other) % 8, own)).unwrap();
    let begin = || -> Vec<u16> { start(NODES).into_iter().map(|state| state % 8).collect() };
    let pairs = CompletePairs::new(NODES, Draws::new(9));
    let (mut asked, mut unasked) = (begin(), begin());
    let (wave, is_cut) =
        cut_after(u32::MAX, |cancellation| pairs.meet_while(0, &table, &mut asked, cancellation));
    assert_eq!((wave, is_cut), (pairs.meet(0, &table, &mut unasked), false));
    assert_eq!(asked, unasked);
    // In a cut wave the first nodes of the order have had their encounters.
    let mut cut = begin();
    let ((wave, changes), is_cut) =
        cut_after(1, |cancellation| pairs.meet_while(0, &table, &mut cut, cancellation));
    assert!(is_cut && wave.turns > 0 && wave.turns < NODES.into() && changes <= wave.turns, "{wave:?}");
    let order = pairs.turns(0);
    let mut touched: Vec<bool> = vec![false; NODES as usize];
    order[..wave.turns as usize].iter().for_each(|&node| touched[node as usize] = true);
    let differ = cut.iter().zip(begin()).filter(|(now, before)| **now != *before).count() as u64;
    assert!(differ <= 2 * changes && differ > 0, "{differ} of {changes}");
}

/// A cancelled round of messages changes nothing. The run then continues as if that round had never begun.
#[test]
fn a_cut_round_of_messages_changes_nothing() {
    let config = || Config {
        draws: Draws::new(5),
        priorities: Priorities::new(64).unwrap(),
        wanting: Wanting::Never,
        memory: MemoryLimit::NONE,
    };
    const NODES: u32 = 1 << 17;
    let lattice = || Lattice::new(LatticeKind::Square, 256, 512).unwrap();
    let mut whole = Sectioned::new(lattice(), config(), Gather, start(NODES)).unwrap();
    let mut often_cut = Sectioned::new(lattice(), config(), Gather, start(NODES)).unwrap();
    let mut cuts = 0;
    for round in 0..40 {
        whole.round(&ActiveNodes::All);
        for parts in [0, 1, 3, 6] {
            let before = (often_cut.figures(), often_cut.rounds().digest(), often_cut.states().to_vec());
            let observe = |_, _| panic!("nothing is observed of a round that is cut");
            let (figures, is_cut) =
                cut_after(parts, |asked| often_cut.round_while(&ActiveNodes::All, observe, asked));
            assert!(is_cut && figures.is_none(), "round {round}, {parts} parts");
            let after = (often_cut.figures(), often_cut.rounds().digest(), often_cut.states().to_vec());
            assert!(before == after, "round {round}, {parts} parts");
            cuts += 1;
        }
        let (figures, is_cut) =
            cut_after(u32::MAX, |asked| often_cut.round_while(&ActiveNodes::All, |_, _| {}, asked));
        assert!(!is_cut && figures.is_some());
    }
    assert_eq!(cuts, 160);
    assert_eq!(
        (whole.figures(), whole.rounds().digest()),
        (often_cut.figures(), often_cut.rounds().digest())
    );
    assert!(whole.states() == often_cut.states() && whole.figures().releases > 0);
    // On a list of edges nodes receive what their neighbours publish. On a graph that changes there are words of edges.
    let ring = scattered_ring(NODES);
    let mut run: Sectioned<_, _, Changing> =
        Sectioned::changing(ring, config(), LockSetRule::Pair, Gather, start(NODES)).unwrap();
    for _ in 0..5 {
        let before = run.rounds().digest();
        let (figures, _) = cut_after(4, |asked| run.round_while(&ActiveNodes::All, |_, _| {}, asked));
        assert!(figures.is_none() && run.rounds().digest() == before);
        run.round(&ActiveNodes::All);
    }
}
