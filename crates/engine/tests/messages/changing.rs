//! Graphs that change between rounds.

use acrasin_engine::message::{Changing, LockConfiguration, MessageNetwork, NodeLayout, WordRounds};
use acrasin_engine::network::PortTable;
use acrasin_engine::{ActiveNodes, Draws, Lattice, LatticeKind, Purpose, Wanting};
use acrasin_runtime::choice::{Choices, Decision, FixedProbability};
use acrasin_runtime::{LockSetRule, NodeId, Port, Step, Topology};

use super::agreement::{Pair, config};

const HALF: ActiveNodes<'_> = ActiveNodes::Random(FixedProbability::HALF);

/// Tries `tries` changes at random ports: removes edges, and adds edges between open ports.
fn disturb<N: MessageNetwork>(
    pair: &mut Pair<N, Changing>,
    tries: u32,
    edges: &mut Vec<[(u32, u16); 2]>,
) -> u32 {
    let round = pair.rounds.round_number();
    let mut draws = Draws::new(99).stream(Purpose::Topology, round).of_node(0);
    let mut pick = |bound: u32| draws.pick(bound.try_into().unwrap(), Decision::Topology);
    let mut changed = 0;
    for _ in 0..tries {
        let node = pick(pair.rounds.nodes());
        let port = pick(u32::from(pair.rounds.ports())) as u16 + 1;
        let step = if let Some(peer) = pair.rounds.link(node, port) {
            edges.push([(node, port), peer]);
            Step::Disconnect { node: NodeId(node), port: Port(port) }
        } else if pick(2) == 0 && !edges.is_empty() {
            // An edge that existed before.
            let [a, b] = edges.swap_remove(pick(edges.len() as u32) as usize);
            Step::Connect { a: NodeId(a.0), a_port: Port(a.1), b: NodeId(b.0), b_port: Port(b.1) }
        } else {
            let (b, b_port) = (pick(pair.rounds.nodes()), pick(u32::from(pair.rounds.ports())) as u16 + 1);
            Step::Connect { a: NodeId(node), a_port: Port(port), b: NodeId(b), b_port: Port(b_port) }
        };
        changed += u32::from(pair.change(&step));
    }
    changed
}

#[test]
fn tables_with_any_edges() {
    for (ports, priorities, layout) in [
        (4, 17, NodeLayout::Short),
        (8, 64, NodeLayout::Short),
        (3, 2, NodeLayout::Short),
        (12, 200, NodeLayout::Long),
        (20, 500, NodeLayout::Registers),
        (70, 5000, NodeLayout::Registers),
    ] {
        let nodes = 100;
        let ring: Vec<(u32, u32)> = (0..nodes).map(|node| (node, (node + 1) % nodes)).collect();
        for (activation, tries) in [(HALF, 3), (ActiveNodes::All, 12), (HALF, 40)] {
            let topology = Topology::from_edges(nodes, ports, &ring).unwrap();
            let table = PortTable::with_room(&topology).unwrap();
            let mut pair = Pair::changing(table, topology, config(4, priorities, Wanting::Always));
            assert_eq!(pair.rounds.layout(), layout);
            let (mut changed, mut edges) = (0, Vec::new());
            let rounds = if layout == NodeLayout::Registers { 400 } else { 1200 };
            for _ in 0..rounds {
                changed += disturb(&mut pair, tries, &mut edges);
                pair.compare();
                pair.round(&activation);
            }
            assert!(changed > 300, "{changed}");
            assert!(pair.rounds.figures().grants > 0, "{:?}", pair.rounds.figures());
        }
    }
}

#[test]
fn lattices_whose_edges_come_and_go() {
    for kind in [LatticeKind::Square, LatticeKind::Triangular] {
        for priorities in [5, 64, 1000, 70_000] {
            for (activation, tries) in [(HALF, 2), (ActiveNodes::All, 10)] {
                let torus = Lattice::new(kind, 13, 10).unwrap();
                let mut pair =
                    Pair::changing(torus, torus.topology().unwrap(), config(8, priorities, Wanting::Always));
                let (mut changed, mut edges) = (0, Vec::new());
                for _ in 0..1000 {
                    let round = pair.rounds.round_number();
                    let mut draws = Draws::new(5).stream(Purpose::Topology, round).of_node(0);
                    let mut pick = |bound: u32| draws.pick(bound.try_into().unwrap(), Decision::Topology);
                    for _ in 0..tries {
                        let (node, port) = (pick(130), pick(u32::from(kind.degree())) as u16 + 1);
                        let step = if let Some(peer) = pair.rounds.link(node, port) {
                            edges.push([(node, port), peer]);
                            Step::Disconnect { node: NodeId(node), port: Port(port) }
                        } else {
                            let [a, b]: [(u32, u16); 2] =
                                edges.swap_remove(pick(edges.len() as u32) as usize);
                            Step::Connect {
                                a: NodeId(a.0),
                                a_port: Port(a.1),
                                b: NodeId(b.0),
                                b_port: Port(b.1),
                            }
                        };
                        changed += u32::from(pair.change(&step));
                    }
                    pair.compare();
                    pair.round(&activation);
                }
                assert!(changed >= 1000, "{changed}");
                assert!(pair.rounds.figures().grants > 0);
            }
        }
    }
}

#[test]
fn flips_have_their_probability_and_a_wrong_one_is_noticed() {
    let probability = FixedProbability::new(0.01).unwrap();
    let torus = Lattice::new(LatticeKind::Triangular, 20, 20).unwrap();
    let topology = torus.topology().unwrap();
    let mut lattice = Pair::changing(torus, topology.clone(), config(1, 64, Wanting::Always));
    let table = PortTable::new(&topology).unwrap();
    let mut table = Pair::changing(table, topology, config(2, 64, Wanting::Always));
    let (mut flips, mut appeared) = (0_u32, 0);
    for _ in 0..500 {
        for flip in lattice.rounds.flips(probability) {
            assert!(lattice.change(&flip.step()));
            flips += 1;
            appeared += u64::from(flip.appears);
        }
        lattice.round(&HALF);
        for flip in table.rounds.flips(probability) {
            assert!(table.change(&flip.step()));
            flips += 1;
        }
        table.round(&HALF);
    }
    // 1200 edges in 500 rounds, twice: standard deviation 109.
    let deviations = |rate: f64| (f64::from(flips) - 1_200_000.0 * rate).abs() / 109.0;
    assert!(deviations(0.01) < 4.5, "{flips}");
    // A rate that is off by a fifth would be detected.
    assert!(deviations(0.012) > 4.5 && deviations(0.008) > 4.5, "{flips}");
    assert!(appeared > 1000, "{appeared}");
    assert!(lattice.rounds.figures().grants > 0 && table.rounds.figures().grants > 0);
}

#[test]
fn flipping_is_the_same_as_making_the_changes() {
    let probability = FixedProbability::new(0.05).unwrap();
    let torus = Lattice::new(LatticeKind::Square, 12, 12).unwrap();
    let new =
        || WordRounds::changing(torus, config(1, 64, Wanting::Always), LockSetRule::Neighbourhood).unwrap();
    let (mut a, mut b) = (new(), new());
    for _ in 0..200 {
        let flips = a.flips(probability);
        flips.iter().for_each(|flip| a.change(&flip.step()).unwrap());
        assert_eq!(b.flip(probability), flips.len() as u64);
        assert_eq!(a.round(&HALF), b.round(&HALF));
        assert_eq!(a.digest(), b.digest());
    }
    assert_ne!(a.digest(), new().digest());
}

#[test]
fn flips_and_other_edges_make_no_parallel_edges() {
    let probability = FixedProbability::new(0.3).unwrap();
    let ring: Vec<(u32, u32)> = (0..30).map(|node| (node, (node + 1) % 30)).collect();
    let topology = Topology::from_edges(30, 5, &ring).unwrap();
    let table = PortTable::with_room(&topology).unwrap();
    let mut pair = Pair::changing(table, topology, config(4, 16, Wanting::Always));
    let (mut edges, mut changed, mut flipped) = (Vec::new(), 0, 0);
    for _ in 0..500 {
        changed += disturb(&mut pair, 5, &mut edges);
        for flip in pair.rounds.flips(probability) {
            // Two flips of one round may join the same two nodes. Both runs then refuse the second.
            flipped += u32::from(pair.change(&flip.step()));
        }
        pair.round(&HALF);
    }
    assert!(changed > 300 && flipped > 300, "{changed} {flipped}");
}

#[test]
fn refused_changes_change_nothing() {
    let topology = Topology::from_edges(3, 2, &[(0, 1)]).unwrap();
    let table = PortTable::new(&topology).unwrap();
    let mut rounds =
        WordRounds::changing(table, config(4, 16, Wanting::Always), LockSetRule::Neighbourhood).unwrap();
    let before = rounds.digest();
    let [a, b, c] = [0, 1, 2].map(NodeId);
    for (result, message) in [
        (rounds.connect(a, Port(1), c, Port(1)), "port 1 of node 0"),
        (rounds.connect(a, Port(2), b, Port(2)), "already"),
        (rounds.connect(a, Port(2), a, Port(1)), "its own neighbour"),
        (rounds.connect(a, Port(3), c, Port(1)), "port 3"),
        (rounds.connect(a, Port(0), c, Port(1)), "port 0"),
        (rounds.connect(a, Port(2), NodeId(3), Port(1)), "node 3"),
        (rounds.disconnect(a, Port(2)), "port 2"),
        (rounds.disconnect(NodeId(9), Port(2)), "node 9"),
        // The table has no slots for this port.
        (rounds.connect(a, Port(2), c, Port(1)), "port 2"),
    ] {
        let error = result.unwrap_err().to_string();
        assert!(error.contains(message), "{error}");
    }
    assert_eq!(rounds.digest(), before);
    let torus = Lattice::new(LatticeKind::Square, 5, 5).unwrap();
    let mut rounds =
        WordRounds::changing(torus, config(4, 16, Wanting::Always), LockSetRule::Neighbourhood).unwrap();
    rounds.disconnect(a, Port(1)).unwrap();
    rounds.disconnect(NodeId(7), Port(1)).unwrap();
    let error = rounds.connect(a, Port(1), NodeId(7), Port(1)).unwrap_err();
    assert!(error.to_string().contains("not one of the lattice"), "{error}");
    rounds.connect(a, Port(1), NodeId(1), Port(3)).unwrap();
}

#[test]
fn pairs() {
    for (ports, priorities, layout) in
        [(5, 16, NodeLayout::Short), (12, 16, NodeLayout::Long), (70, 16, NodeLayout::Registers)]
    {
        for (activation, tries) in [(HALF, 0), (ActiveNodes::All, 0), (HALF, 10)] {
            let ring: Vec<(u32, u32)> = (0..90).map(|node| (node, (node + 1) % 90)).collect();
            let topology = Topology::from_edges(92, ports, &ring).unwrap();
            let table = PortTable::with_room(&topology).unwrap();
            let mut pair = Pair::on_pairs(table, topology, config(4, priorities, Wanting::Always));
            assert_eq!(pair.rounds.layout(), layout);
            let mut edges = Vec::new();
            for _ in 0..1000 {
                disturb(&mut pair, tries, &mut edges);
                pair.round(&activation);
            }
            assert!(pair.rounds.figures().grants > 100, "{:?}", pair.rounds.figures());
        }
    }
    let torus = Lattice::new(LatticeKind::Triangular, 12, 10).unwrap();
    let mut pair = Pair::on_pairs(torus, torus.topology().unwrap(), config(4, 64, Wanting::Always));
    for _ in 0..1000 {
        for flip in pair.rounds.flips(FixedProbability::new(0.01).unwrap()) {
            assert!(pair.change(&flip.step()));
        }
        pair.round(&HALF);
    }
    assert!(pair.rounds.figures().grants > 100, "{:?}", pair.rounds.figures());
}
