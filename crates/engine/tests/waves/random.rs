//! Waves on random graphs, with any scheme and any number of threads.

use acrasin_engine::Draws;
use acrasin_engine::draw::mix;
use acrasin_engine::waves::{Cost, EntryOrder, SectionTask, TaskWaves, WaveScheme, replay};
use acrasin_runtime::Topology;
use proptest::prelude::*;

use super::graphs;
use super::orders::pool;
use super::sections::{Stir, StirTask};

/// A graph whose edges reach up to `reach` nodes far, and occasionally further.
fn graph(nodes: u32, reach: u32, edges: u32, seed: u64) -> Topology {
    let mut topology = Topology::new(nodes, 18).expect("a graph");
    for edge in 0..u64::from(edges) {
        let draw = mix(seed ^ mix(edge));
        let (from, step) = ((draw >> 32) as u32 % nodes, 1 + draw as u32 % reach);
        let far = edge % 97 == 96;
        graphs::join(&mut topology, from, (from + if far { draw as u32 % nodes } else { step }) % nodes);
    }
    topology
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if cfg!(miri) { 2 } else { 60 }))]

    #[test]
    fn every_wave_equals_its_order(
        (nodes, reach, edges) in (1_u32..400, 1_u32..40, 0_u32..900),
        (seed, wave) in (any::<u64>(), any::<u64>()),
        scheme in prop::sample::select(vec![WaveScheme::Auto, WaveScheme::Hashed, WaveScheme::PerNode]),
        (threads, tile, bits) in (1_usize..5, 1_u32..100, 1_u32..9),
    ) {
        let table = graphs::table(&graph(nodes, reach, edges, seed));
        let draws = Draws::new(seed);
        let waves = TaskWaves::new(table.clone(), draws).with_tiles_of(tile).with_hashed_words(bits);
        let mut waves =
            waves.with_scheme(scheme).unwrap().with_cost(Cost::Expensive).with_pool_from(0).with_checks(true);
        let mut states: Vec<u64> = (0..u64::from(nodes)).map(|node| mix(node ^ seed)).collect();
        let mut expected = states.clone();
        let (_, order) = pool(threads).install(|| waves.logged(wave, &SectionTask(&Stir), &mut states));
        let EntryOrder(oracle) = replay(&table, draws, wave, &waves.turns(wave), &StirTask, &mut expected);
        prop_assert_eq!(order, oracle);
        prop_assert_eq!(states, expected);
    }
}
