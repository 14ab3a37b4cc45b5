//! Every scheme, on every graph, for every number of threads, ends in the states of the oracle after every wave.

use acrasin_engine::network::PortNetwork;
use acrasin_engine::waves::{Cost, EntryJournal, EntryOrder, SectionTask, TaskWaves, WaveScheme, replay};
use acrasin_engine::{Draws, LatticeKind};
use acrasin_runtime::Topology;
use rayon::ThreadPool;

use super::graphs;
use super::sections::{Stir, StirTask};

fn draws() -> Draws {
    Draws::new(17)
}

pub(crate) fn pool(threads: usize) -> ThreadPool {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads")
}

fn initial(nodes: u32) -> Vec<u64> {
    (0..u64::from(nodes)).map(acrasin_engine::draw::mix).collect()
}

/// Waves that use the pool for networks of any size.
fn waves<N: PortNetwork + Clone + Send>(network: &N, scheme: WaveScheme) -> TaskWaves<N> {
    let waves = TaskWaves::new(network.clone(), draws()).with_tiles_of(8).with_hashed_words(5);
    waves.with_scheme(scheme).expect("a scheme that fits").with_cost(Cost::Expensive).with_pool_from(0)
}

/// Runs some waves with each number of threads, as tasks and as sections, against the oracle.
fn check<N: PortNetwork + Clone + Send>(network: &N, scheme: WaveScheme) {
    let nodes = network.nodes();
    for threads in [1, 2, 3, 7] {
        let pool = pool(threads);
        let mut waves = waves(network, scheme);
        let (mut tasks, mut sections, mut plain, mut expected) =
            (initial(nodes), initial(nodes), initial(nodes), initial(nodes));
        for wave in 0..4 {
            let turns = waves.turns(wave);
            let mut all = turns.clone();
            all.sort_unstable();
            assert!(all.into_iter().eq(0..nodes), "every node has one turn");

            let (figures, EntryJournal(entries)) =
                pool.install(|| waves.journaled::<_, EntryJournal<u64>>(wave, &StirTask, &mut tasks));
            let (_, EntryOrder(order)) =
                pool.install(|| waves.journaled::<_, EntryOrder>(wave, &SectionTask(&Stir), &mut sections));
            let same = pool.install(|| waves.run(wave, &StirTask, &mut plain));
            let EntryJournal(oracle) =
                replay::<_, _, EntryJournal<u64>>(network, draws(), wave, &turns, &StirTask, &mut expected);
            assert_eq!(tasks, expected, "{scheme:?}, {threads} threads, wave {wave}");
            assert_eq!(entries, oracle);
            assert_eq!(sections, expected, "as sections: {scheme:?}, {threads} threads, wave {wave}");
            assert_eq!(plain, expected, "without a journal: {scheme:?}, {threads} threads, wave {wave}");
            assert!(order.iter().copied().eq(oracle.iter().map(|&(node, _)| node)));
            assert_eq!((figures.turns, figures.entered), (u64::from(nodes), order.len() as u64));
            assert_eq!(figures, same);
            assert!(nodes < 10 || order.len() < nodes as usize, "some node does not want to enter");
            // The logged order alone gives the same states, without the nodes that did not want to enter.
            let mut again = if wave == 0 { initial(nodes) } else { continue };
            replay::<_, _, ()>(network, draws(), wave, &order, &StirTask, &mut again);
            assert_eq!(again, expected);
        }
    }
}

fn check_graph(topology: &Topology, tiled: bool) {
    let table = graphs::table(topology);
    assert_eq!(
        TaskWaves::new(table.clone(), draws()).with_tiles_of(8).with_scheme(WaveScheme::Tiles).is_ok(),
        tiled
    );
    for scheme in [WaveScheme::Auto, WaveScheme::Hashed, WaveScheme::PerNode] {
        check(&table, scheme);
    }
}

#[test]
fn square_tori() {
    for (width, height) in [(3, 4), (5, 7), (9, 9), (13, 31), (70, 8)] {
        let torus = graphs::torus(LatticeKind::Square, width, height);
        for scheme in [WaveScheme::Auto, WaveScheme::Hashed, WaveScheme::PerNode] {
            check(&torus, scheme);
        }
    }
}

#[test]
fn triangular_tori() {
    for (width, height) in [(3, 4), (5, 9), (8, 8), (31, 13)] {
        let torus = graphs::torus(LatticeKind::Triangular, width, height);
        for scheme in [WaveScheme::Auto, WaveScheme::Hashed, WaveScheme::PerNode] {
            check(&torus, scheme);
        }
    }
}

#[test]
fn tori_as_tables_have_tiles_of_another_kind() {
    for kind in [LatticeKind::Square, LatticeKind::Triangular] {
        check_graph(&graphs::torus(kind, 5, 41).topology().unwrap(), true);
    }
}

#[test]
fn rings_paths_and_grids() {
    check_graph(&graphs::ring(3), false);
    check_graph(&graphs::ring(101), true);
    check_graph(&graphs::path(2), false);
    check_graph(&graphs::path(64), true);
    check_graph(&graphs::grid(4, 33), true);
    check_graph(&graphs::ring_with_bridges(300), true);
}

#[test]
fn graphs_without_locality() {
    check_graph(&graphs::star(40), false);
    check_graph(&graphs::random_regular(200, 4, 3), false);
    check_graph(&graphs::irregular(150), false);
    check_graph(&Topology::new(5, 0).unwrap(), false);
}

#[test]
fn larger_graphs_fill_several_batches() {
    let table = graphs::table(&graphs::random_regular(20_000, 3, 8));
    for scheme in [WaveScheme::Hashed, WaveScheme::PerNode] {
        check(&table, scheme);
    }
    check(&graphs::torus(LatticeKind::Square, 100, 100), WaveScheme::Tiles);
}

#[test]
fn sizes_that_stay_on_one_thread_are_the_same_waves() {
    let table = graphs::table(&graphs::random_regular(3000, 3, 8));
    let run = |waves: TaskWaves<_>| {
        let (mut waves, mut states) = (waves, initial(3000));
        pool(2).install(|| (0..3).for_each(|wave| _ = waves.run(wave, &StirTask, &mut states)));
        states
    };
    let plain = run(TaskWaves::new(table.clone(), draws()));
    for cost in [Cost::Cheap, Cost::Expensive] {
        for (scheme, pool_from) in [
            (WaveScheme::Auto, 0),
            (WaveScheme::Auto, 5000),
            (WaveScheme::PerNode, 0),
            (WaveScheme::Hashed, 3000),
        ] {
            let waves = TaskWaves::new(table.clone(), draws()).with_cost(cost).with_pool_from(pool_from);
            assert_eq!(run(waves.with_scheme(scheme).unwrap().with_checks(false)), plain);
        }
    }
    let other = TaskWaves::new(table, Draws::new(18));
    assert_ne!(run(other), plain, "another seed is another run");
}

#[test]
fn figures_say_how_the_network_was_cut() {
    let mut tiled = TaskWaves::new(graphs::torus(LatticeKind::Square, 64, 64), draws());
    let mut states = initial(64 * 64);
    let wave = tiled.run(7, &StirTask, &mut states);
    assert_eq!((wave.number, wave.tiles, wave.phases), (7, 7, 2));
    let bridges = graphs::table(&graphs::ring_with_bridges(3000));
    let wave = TaskWaves::new(bridges, draws()).run(0, &StirTask, &mut initial(3000));
    assert_eq!((wave.tiles, wave.phases), (6, 3));
    let mut whole = waves(&graphs::table(&graphs::star(30)), WaveScheme::Auto);
    let wave = pool(2).install(|| whole.run(0, &StirTask, &mut initial(31)));
    assert_eq!((wave.tiles, wave.phases), (0, 1));
    assert_eq!((wave.effort.rounds, wave.effort.deferred), (31, 30), "every two nodes share the centre");
    assert!(whole.bytes() > 0);
}

#[test]
fn tiles_on_a_graph_without_locality_are_refused() {
    let table = graphs::table(&graphs::random_regular(100, 2, 1));
    let error = TaskWaves::new(table, draws()).with_scheme(WaveScheme::Tiles).unwrap_err();
    assert_eq!(
        error.to_string(),
        "tiles on 100 nodes: the graph is too small, or more than 3 % of the nodes have a neighbour whose number is far \
         from theirs; choose Auto, Hashed or PerNode"
    );
}

#[test]
#[should_panic(expected = "one state a node")]
fn states_must_be_as_many_as_nodes() {
    TaskWaves::new(graphs::torus(LatticeKind::Square, 3, 3), draws()).run(0, &StirTask, &mut [1; 8]);
}
