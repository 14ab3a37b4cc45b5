//! Protocols on graphs.

use acrasin_protocols::library::{GraphLeader, TokenWalk};
use acrasin_protocols::uniform::GraphPopulation;
use acrasin_runtime::choice::Seeded;
use acrasin_runtime::node::NodeId;

use acrasin_protocols::UniformPairs;

use super::changed::{When, agrees, mean, right};

fn ring(agents: u32) -> Vec<[u32; 2]> {
    (0..agents).map(|agent| [agent, (agent + 1) % agents]).collect()
}

fn complete(agents: u32) -> Vec<[u32; 2]> {
    (0..agents).flat_map(|v| (0..v).map(move |u| [u, v])).collect()
}

/// The edges of a random tree, and some more.
fn connected(agents: u32, seed: u64) -> Vec<[u32; 2]> {
    let parent = |v: u32| (acrasin_runtime::choice::derived_seed(seed, v.into()) % u64::from(v)) as u32;
    let mut edges: Vec<[u32; 2]> = (1..agents).map(|v| [parent(v), v]).collect();
    edges.extend((3..agents).step_by(3).map(|v| [v - 1, v]).filter(|[u, v]| parent(*v) != *u));
    edges
}

/// The number of interactions until one candidate is left. Asserts at every check that the numbers of candidates and
/// tokens are equal.
fn election(edges: Vec<[u32; 2]>, agents: u32, seed: u64) -> f64 {
    let table = right(&GraphLeader);
    let mut population = GraphPopulation::new(&table, &vec![0; agents as usize], edges, seed).unwrap();
    let elected = When(|counts: &[u64]| {
        // The states are Lb, Lw, L_, Fb, Fw, F_.
        let (black, white) = (counts[0] + counts[3], counts[1] + counts[4]);
        assert_eq!(counts[..3].iter().sum::<u64>(), black + white);
        assert!(black > 0);
        counts[..3].iter().sum::<u64>() == 1
    });
    assert!(population.run_until(&elected, 1 << 32));
    let at = population.interactions() as f64;
    population.run_to(population.interactions() + 10_000);
    assert_eq!(population.counts()[..3].iter().sum::<u64>(), 1, "the leader stays");
    at
}

/// The means of the specification, rounded to whole interactions.
#[test]
fn one_candidate_is_left_on_complete_graphs_and_rings_after_the_known_means() {
    for (n, clique, cycle, runs) in
        [(8, 60.0, 81.0, 4000), (16, 289.0, 697.0, 2000), (32, 1203.0, 4585.0, 600)]
    {
        for (edges, expected) in [(complete(n), clique), (ring(n), cycle)] {
            let times: Vec<f64> = (0..runs).map(|seed| election(edges.clone(), n, seed)).collect();
            let (mean, deviation) = mean(&times);
            // The error of these means is unknown; it is taken to be as large as ours.
            assert!((mean - expected).abs() < 8.0 * deviation, "{n}: {mean} +- {deviation}, not {expected}");
        }
    }
}

#[test]
fn one_candidate_is_left_on_every_connected_graph() {
    for seed in 0..40 {
        let agents = 5 + (seed as u32 * 7) % 60;
        election(connected(agents, seed), agents, seed);
    }
}

/// A token visits all nodes of a ring after n^2 (n-1) / 4 interactions on average.
#[test]
fn a_token_covers_the_ring_in_time() {
    for n in [5_u32, 12, 25] {
        let edges: Vec<[NodeId; 2]> = ring(n).into_iter().map(|edge| edge.map(NodeId)).collect();
        let times: Vec<f64> = (0..1500)
            .map(|seed| {
                let mut states = vec![false; n as usize];
                states[0] = true;
                let mut seen = states.clone();
                let mut population = UniformPairs::on_edges(&TokenWalk, states, edges.clone()).unwrap();
                let mut choices = Seeded::new(seed);
                while seen.contains(&false) {
                    let interaction = population.step(&mut choices);
                    if interaction.after.0 {
                        seen[interaction.initiator.index()] = true;
                    }
                    if interaction.after.1 {
                        seen[interaction.responder.index()] = true;
                    }
                }
                population.interactions() as f64
            })
            .collect();
        let size = f64::from(n);
        assert!(agrees(&times, size * size * (size - 1.0) / 4.0), "{n}: {:?}", mean(&times));
        assert!(!agrees(&times, size * size * size / 4.0 * 1.1));
    }
}
