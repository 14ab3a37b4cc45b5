use super::*;
use proptest::prelude::*;
use std::collections::BTreeMap;

#[test]
fn a_slot_is_eight_bytes() {
    assert_eq!(size_of::<Option<PortSlot>>(), 8);
}

#[test]
fn ports_are_reused_before_the_detector_is_read() {
    let mut topology = Topology::from_edges(3, 1, &[(0, 1)]).unwrap();
    topology.disconnect(NodeId(0), Port(1)).unwrap();
    topology.connect(NodeId(0), Port(1), NodeId(2), Port(1)).unwrap();
    assert!(topology.detector(NodeId(0)).contains(Port(1)));
    assert!(topology.detector(NodeId(2)).is_empty());
    assert_eq!(topology.link(NodeId(0), Port(1)).unwrap().peer, NodeId(2));
    assert_eq!(topology.stamp, 2);
}

#[test]
fn a_node_of_degree_4095_and_beyond() {
    let edges: Vec<(u32, u32)> = (1..=5000).map(|leaf| (0, leaf)).collect();
    let star = Topology::from_edges(5001, 5000, &edges).unwrap();
    assert_eq!(star.degree(NodeId(0)), 5000);
    assert_eq!(star.closed_neighbourhood(NodeId(0)).len(), 5001);
    let edges_max: Vec<(u32, u32)> = (1..=u32::from(u16::MAX)).map(|leaf| (0, leaf)).collect();
    let largest = Topology::from_edges(65_536, u16::MAX, &edges_max).unwrap();
    assert_eq!(largest.links(NodeId(0)).last().unwrap().0.get(), u16::MAX);
    let error = Topology::from_edges(5001, 4095, &edges).unwrap_err();
    assert_eq!(error, TopologyError::DegreeAboveDelta { node: NodeId(0), degree: 5000, ports: 4095 });
}

#[test]
fn refused_changes_change_nothing() {
    let mut topology = Topology::from_edges(3, 2, &[(0, 1)]).unwrap();
    let before = crate::digest::Digest::of(&topology);
    let n = NodeId;
    for (result, error) in [
        (topology.connect(n(0), Port(2), n(1), Port(2)), TopologyError::Adjacent { a: n(0), b: n(1) }),
        (
            topology.connect(n(0), Port(1), n(2), Port(1)),
            TopologyError::PortTaken { node: n(0), port: Port(1) },
        ),
        (topology.connect(n(2), Port(1), n(2), Port(2)), TopologyError::SelfLoop { node: n(2) }),
        (
            topology.connect(n(0), Port(3), n(2), Port(1)),
            TopologyError::NoSuchPort { node: n(0), port: Port(3), ports: 2 },
        ),
        (
            topology.connect(n(0), Port(0), n(2), Port(1)),
            TopologyError::NoSuchPort { node: n(0), port: Port(0), ports: 2 },
        ),
        (topology.connect(n(0), Port(2), n(3), Port(1)), TopologyError::NoSuchNode { node: n(3), nodes: 3 }),
        (topology.disconnect(n(0), Port(2)).map(drop), TopologyError::PortOpen { node: n(0), port: Port(2) }),
    ] {
        assert_eq!(result, Err(error));
    }
    assert_eq!(crate::digest::Digest::of(&topology), before);
    assert_eq!(
        Topology::from_edges(2, 2, &[(0, 1), (1, 0)]).unwrap_err(),
        TopologyError::Adjacent { a: n(0), b: n(1) }
    );
    assert!(matches!(Topology::new(NODES_MAX + 1, 4), Err(TopologyError::TooLarge { .. })));
    assert!(Topology::new(NODES_MAX.min(1000), 4).is_ok());
    assert!(matches!(Topology::with_all_slots(NODES_MAX, u16::MAX), Err(TopologyError::TooLarge { .. })));
}

/// Whether nodes make room for their ports one after the other or all at once cannot be observed.
#[test]
fn slots_at_once_are_the_slots_made_one_by_one() {
    let mut graphs = [Topology::new(5, 4).unwrap(), Topology::with_all_slots(5, 4).unwrap()];
    let [one, at_once] = &mut graphs;
    for (node, port) in [(0, 3), (1, 1), (2, 4), (3, 2)] {
        for graph in [&mut *one, &mut *at_once] {
            graph.connect(NodeId(node), Port(port), NodeId(4), Port(node as u16 + 1)).unwrap();
        }
        assert_eq!(one.edges(), at_once.edges());
        assert_eq!(one.lowest_open_port(NodeId(4)), at_once.lowest_open_port(NodeId(4)));
        assert_eq!(crate::digest::Digest::of(&*one), crate::digest::Digest::of(&*at_once));
    }
    assert!(at_once.bytes() < one.bytes());
    assert_eq!(Topology::with_all_slots(2, 0).unwrap().edge_count(), 0);
}

proptest! {
    /// Compares a random history with a plain map of edges.
    #[test]
    fn agrees_with_a_map(history in prop::collection::vec((0..6_u32, 1..4_u16, 0..6_u32, 1..4_u16), 0..80)) {
        let mut topology = Topology::new(6, 3).unwrap();
        let mut model: BTreeMap<(u32, u16), (u32, u16)> = BTreeMap::new();
        for (a, a_port, b, b_port) in history {
            let taken = model.contains_key(&(a, a_port)) || model.contains_key(&(b, b_port));
            let adjacent = model.iter().any(|(from, to)| from.0 == a && to.0 == b);
            let result = topology.connect(NodeId(a), Port(a_port), NodeId(b), Port(b_port));
            prop_assert_eq!(result.is_ok(), a != b && !taken && !adjacent);
            if result.is_ok() {
                model.insert((a, a_port), (b, b_port));
                model.insert((b, b_port), (a, a_port));
            } else if let Some((peer, peer_port)) = model.remove(&(a, a_port)) {
                model.remove(&(peer, peer_port));
                let link = topology.disconnect(NodeId(a), Port(a_port)).unwrap();
                prop_assert_eq!((link.peer.0, link.peer_port.get()), (peer, peer_port));
                prop_assert!(topology.detector(NodeId(peer)).contains(Port(peer_port)));
            }
            prop_assert_eq!(topology.edge_count() * 2, model.len() as u64);
            for node in topology.nodes() {
                let links: Vec<_> = topology.links(node).map(|(port, link)| (port.get(), (link.peer.0, link.peer_port.get()))).collect();
                let expected: Vec<_> = model.range((node.0, 0)..(node.0 + 1, 0)).map(|(from, to)| (from.1, *to)).collect();
                prop_assert_eq!(links, expected);
            }
        }
    }
}
