//! Graphs other than lattices.

use acrasin_engine::message::{Config, Lasting, NodeLayout};
use acrasin_engine::network::PortTable;
use acrasin_engine::{ActiveNodes, Draws, Purpose, Wanting};
use acrasin_runtime::Topology;
use acrasin_runtime::choice::FixedProbability;

use super::agreement::{Pair, config};

const HALF: ActiveNodes<'_> = ActiveNodes::Random(FixedProbability::HALF);

fn run(
    topology: Topology,
    config: Config,
    activation: &ActiveNodes<'_>,
    rounds: u64,
) -> Pair<PortTable, Lasting> {
    let table = PortTable::new(&topology).unwrap();
    let mut pair = Pair::lasting(table, topology, config);
    for _ in 0..rounds {
        pair.round(activation);
    }
    pair
}

/// Every pair of nodes is joined with this probability.
fn random_graph(nodes: u32, probability: f64, seed: u64) -> Topology {
    let stream = Draws::new(seed).stream(Purpose::Initial, 0);
    let threshold = (probability * 2f64.powi(64)) as u64;
    let mut edges = Vec::new();
    for a in 0..nodes {
        for b in a + 1..nodes {
            if stream.word(u64::from(a * nodes + b)) < threshold {
                edges.push((a, b));
            }
        }
    }
    let mut degrees = vec![0; nodes as usize];
    edges.iter().for_each(|&(a, b)| [a, b].into_iter().for_each(|node| degrees[node as usize] += 1));
    Topology::from_edges(nodes, degrees.into_iter().max().unwrap(), &edges).unwrap()
}

/// A circulant graph: node u is joined with u + s for every step s.
fn circulant(nodes: u32, steps: &[u32]) -> Topology {
    let edges: Vec<(u32, u32)> =
        steps.iter().flat_map(|step| (0..nodes).map(move |node| (node, (node + step) % nodes))).collect();
    Topology::from_edges(nodes, 2 * steps.len() as u16, &edges).unwrap()
}

fn star(leaves: u32) -> Topology {
    let edges: Vec<(u32, u32)> = (1..=leaves).map(|leaf| (0, leaf)).collect();
    Topology::from_edges(leaves + 1, leaves as u16, &edges).unwrap()
}

#[test]
fn regular_graphs_in_every_layout() {
    for (steps, layout) in [
        (&[1][..], NodeLayout::Short),
        (&[1, 7], NodeLayout::Short),
        (&[1, 7, 20], NodeLayout::Short),
        (&[1, 7, 20, 33], NodeLayout::Short),
        (&[1, 7, 20, 33, 41], NodeLayout::Long),
        (&[1, 2, 3, 7, 20, 33, 41, 48], NodeLayout::Long),
        (&[1, 2, 3, 7, 20, 33, 41, 48, 55], NodeLayout::Registers),
    ] {
        for activation in [ActiveNodes::All, HALF] {
            let pair = run(circulant(130, steps), config(5, 256, Wanting::Always), &activation, 500);
            assert_eq!(pair.rounds.layout(), layout);
            assert!(pair.rounds.figures().grants > 0, "{steps:?}");
        }
    }
}

/// A random regular graph: a circulant graph after many random exchanges of the ends of two edges.
fn random_regular(nodes: u32, steps: &[u32], seed: u64) -> Topology {
    let mut edges: Vec<(u32, u32)> =
        steps.iter().flat_map(|step| (0..nodes).map(move |node| (node, (node + step) % nodes))).collect();
    let start = edges.clone();
    let stream = Draws::new(seed).stream(Purpose::Initial, 0);
    let count = edges.len() as u64;
    for exchange in 0..20 * count {
        let [first, second] = [0, 1].map(|i| (stream.word(2 * exchange + i) % count) as usize);
        let ((a, b), (c, d)) = (edges[first], edges[second]);
        let joined = |x, y| x == y || edges.contains(&(x, y)) || edges.contains(&(y, x));
        if first != second && !joined(a, d) && !joined(c, b) {
            (edges[first], edges[second]) = ((a, d), (c, b));
        }
    }
    let kept = start.iter().filter(|edge| edges.contains(edge)).count();
    assert!(kept < start.len() / 4, "{kept} of {} edges are where they were", start.len());
    Topology::from_edges(nodes, 2 * steps.len() as u16, &edges).unwrap()
}

#[test]
fn random_regular_graphs() {
    for (steps, layout) in
        [(&[1, 7, 20, 33][..], NodeLayout::Short), (&[1, 2, 3, 7, 20, 33, 41, 48], NodeLayout::Long)]
    {
        let topology = random_regular(130, steps, 8);
        assert!(topology.nodes().all(|node| usize::from(topology.degree(node)) == 2 * steps.len()));
        let pair = run(topology, config(6, 256, Wanting::Always), &HALF, 2500);
        assert_eq!(pair.rounds.layout(), layout);
        assert!(pair.rounds.figures().grants > 50, "{:?}", pair.rounds.figures());
    }
}

#[test]
fn irregular_graphs() {
    let tree: Vec<(u32, u32)> = (1..100).map(|node| ((node - 1) / 3, node)).collect();
    // The last ten nodes are isolated.
    let tree = Topology::from_edges(110, 4, &tree).unwrap();
    for (topology, rounds) in
        [(tree, 2000), (star(7), 2000), (star(15), 1000), (star(100), 500), (random_graph(90, 0.04, 1), 1000)]
    {
        for (priorities, activation) in [(2, HALF), (5, HALF), (64, ActiveNodes::All), (300, HALF)] {
            let pair = run(topology.clone(), config(9, priorities, Wanting::Always), &activation, rounds);
            // Two priorities among a hundred contenders: no node wins.
            let hopeless = priorities < 5 || topology.degree_max() > 50;
            assert!(hopeless || pair.rounds.figures().grants > 0, "K = {priorities}");
        }
    }
}

#[test]
fn dense_graphs_in_explicit_registers() {
    let dense = random_graph(120, 0.6, 4);
    assert!(dense.degree_max() > 70);
    let quarter = FixedProbability::new(0.25).unwrap();
    let pair = run(dense, config(2, 100_000, Wanting::Chance(quarter)), &HALF, 600);
    assert_eq!(pair.rounds.layout(), NodeLayout::Registers);
    assert!(pair.rounds.figures().grants > 0);
}

#[test]
fn an_empty_graph_and_isolated_nodes() {
    let pair = run(Topology::new(0, 4).unwrap(), config(1, 5, Wanting::Always), &ActiveNodes::All, 3);
    assert_eq!(pair.rounds.figures().rounds, 3);
    let alone = run(Topology::new(3, 0).unwrap(), config(1, 5, Wanting::Always), &ActiveNodes::All, 100);
    assert_eq!(alone.rounds.figures().messages, alone.rounds.figures().self_messages);
    assert!(alone.rounds.figures().grants > 10);
}
