use super::*;
use crate::exclusion::critical_section::{LocalSections, Scheme};
use crate::exclusion::local::Rules;
use crate::exclusion::tree_token::{SchemeRule, TreeToken};
use crate::exclusion::{Bounds, RootedTree};
use crate::scheduler::{Asynchronous, Starve};
use crate::section::Departed;

fn path(n: u32) -> Topology {
    let edges: Vec<_> = (1..n).map(|i| (i - 1, i)).collect();
    Topology::from_edges(n, 4, &edges).unwrap()
}

#[test]
fn two_distant_nodes_hold_at_the_same_time_and_close_ones_do_not() {
    let mut layer = LockLayer::new(path(6), vec![0; 6], 5);
    layer.request(NodeId(1)).unwrap();
    layer.request(NodeId(4)).unwrap();
    let (one, four) = (layer.granted(NodeId(1)).unwrap(), layer.granted(NodeId(4)).unwrap());
    assert_eq!(layer.world().holders(), 2);
    // Node 2 needs node 1, which is locked, so it cannot succeed before the grant of node 1 is returned. It
    // keeps competing, so it is not stuck; the nodes of the two lock sets do not change meanwhile.
    layer.request(NodeId(2)).unwrap();
    assert_eq!(layer.granted(NodeId(2)), Err(LockError::Blocked { node: NodeId(2), holder: NodeId(1) }));
    for _ in 0..10_000 {
        layer.execution.advance(&mut layer.choices, &mut ());
        assert_eq!(layer.world().status(NodeId(2)), Status::Waiting);
    }
    layer.unlock(one).unwrap();
    layer.unlock(four).unwrap();
    let two = layer.granted(NodeId(2)).unwrap();
    assert_eq!(layer.held(&two).neighbour_count(), 2);
    layer.unlock(two).unwrap();
    assert_eq!(layer.world().held(), 0);
}

#[test]
fn a_neighbour_that_leaves_is_departed_and_cannot_be_reached() {
    let mut layer = LockLayer::new(path(3), vec![7, 8, 9], 1);
    let grant = layer.lock(NodeId(1)).unwrap();
    layer.disconnect(NodeId(0), Port(1)).unwrap();
    // The port is open before the holder has read its detector.
    let mut held = layer.held(&grant);
    assert_eq!(held.ports().collect::<Vec<_>>(), [Port(2)]);
    assert_eq!(held.neighbour_mut(Port(1)), Err(Departed { port: Port(1) }));
    assert_eq!(held.neighbour_mut(Port(2)), Ok(&mut 9));
    assert_eq!(held.pair_mut(Port(0)), Err(Departed { port: Port(0) }));
    layer.unlock(grant).unwrap();
    let grant = layer.lock(NodeId(0)).unwrap();
    assert_eq!(layer.held(&grant).neighbour_count(), 0);
    layer.unlock(grant).unwrap();
}

#[test]
fn a_port_taken_over_by_a_stranger_stays_closed() {
    let mut layer = LockLayer::new(path(3), vec![7, 8, 9], 1);
    let grant = layer.lock(NodeId(0)).unwrap();
    layer.disconnect(NodeId(0), Port(1)).unwrap();
    layer.connect(NodeId(0), Port(1), NodeId(2), Port(2)).unwrap();
    assert_eq!(layer.held(&grant).neighbour_count(), 0);
    layer.unlock(grant).unwrap();
}

/// Regression: states had to be `Clone + Eq + Hash + Debug`, and schedulers kept the layer in one thread.
#[test]
fn states_of_any_type_and_a_layer_that_can_be_sent() {
    /// Implements no trait.
    struct Tank(f64);
    fn sent<T: Send>(value: T) -> T {
        value
    }
    let tanks = [9.0, 0.0, 3.0].map(Tank).into_iter().collect();
    let mut layer = sent(LockLayer::new(path(3), tanks, 1));
    let mean = |held: &mut Locked<'_, Tank>| {
        let ports: Vec<Port> = held.ports().collect();
        let near: f64 = ports.iter().map(|port| held.neighbour(*port).unwrap().0).sum();
        let level = (held.own().0 + near) / 3.0;
        held.own_mut().0 = level;
        for port in ports {
            held.neighbour_mut(port).unwrap().0 = level;
        }
    };
    layer.locked(NodeId(1), mean).unwrap();
    assert_eq!(layer.states().iter().map(|tank| tank.0).collect::<Vec<_>>(), [4.0; 3]);
}

#[test]
fn misuse_is_a_clear_error() {
    let mut layer = LockLayer::new(path(2), vec![0, 0], 1);
    assert_eq!(layer.granted(NodeId(0)), Err(LockError::NotAsked(NodeId(0))));
    assert!(matches!(layer.lock(NodeId(2)), Err(LockError::Refused(StepError::NoSuchNode(_)))));
    assert!(matches!(
        layer.request_pair(NodeId(0), Port(2)),
        Err(LockError::Refused(StepError::NoNeighbour(..)))
    ));
    let grant = layer.lock(NodeId(0)).unwrap();
    assert_eq!(layer.lock(NodeId(0)), Err(LockError::NotIdle(NodeId(0))));
    assert_eq!(layer.granted(NodeId(0)), Err(LockError::NotAsked(NodeId(0))));
    layer.unlock(grant).unwrap();
}

#[test]
#[should_panic(expected = "another layer")]
fn a_grant_of_another_layer_opens_nothing() {
    let mut one = LockLayer::new(path(2), vec![0, 0], 1);
    let mut two = LockLayer::new(path(2), vec![0, 0], 1);
    let grant = one.lock(NodeId(0)).unwrap();
    two.held(&grant);
}

#[test]
fn pairs_and_asynchronous_schedules() {
    let topology = path(4);
    let exclusion = Local::new(4);
    let mut layer =
        LockLayer::with_exclusion(exclusion, topology, vec![0; 4], Box::new(Asynchronous::new()), 3);
    layer.request_pair(NodeId(1), Port(1)).unwrap();
    layer.request_pair(NodeId(2), Port(2)).unwrap();
    let (low, high) = (layer.granted(NodeId(1)).unwrap(), layer.granted(NodeId(2)).unwrap());
    assert_eq!(layer.world().held(), 4);
    layer.unlock(low).unwrap();
    layer.unlock(high).unwrap();
    layer.locked(NodeId(3), |held| *held.own_mut() = 5).unwrap();
    assert_eq!(layer.states(), [0, 0, 0, 5]);
}

/// Regression: a candidate that competes forever, because a member of its lock set is held, keeps other nodes
/// on hold. Waiting for one of those did not return.
#[test]
fn a_node_on_hold_by_a_blocked_candidate_is_blocked_too() {
    for seed in 0..8 {
        let topology = Topology::from_edges(7, 4, &[(0, 1), (1, 2), (2, 3), (3, 4), (5, 6)]).unwrap();
        let mut layer = LockLayer::new(topology, vec![0; 7], seed);
        let four = layer.lock(NodeId(4)).unwrap();
        layer.request(NodeId(2)).unwrap();
        for _ in 0..5 {
            layer.locked(NodeId(5), |_| ()).unwrap();
        }
        layer.request(NodeId(0)).unwrap();
        match layer.granted(NodeId(0)) {
            Ok(zero) => layer.unlock(zero).unwrap(),
            Err(error) => {
                assert_eq!(error, LockError::Blocked { node: NodeId(0), holder: NodeId(4) });
                layer.unlock(four).unwrap();
                let zero = layer.granted(NodeId(0));
                // Node 2 may have been first; its grant has not been taken.
                assert!(
                    matches!(zero, Ok(_) | Err(LockError::Blocked { holder: NodeId(2), .. })),
                    "{zero:?}"
                );
            }
        }
    }
}

#[test]
fn an_unfair_scheduler_is_kept_fair() {
    let topology = Topology::from_edges(5, 4, &[(0, 1), (2, 3), (3, 4)]).unwrap();
    let scheduler = Box::new(Starve::new(NodeId(0)));
    let mut layer = LockLayer::with_exclusion(Local::new(4), topology, vec![0; 5], scheduler, 1);
    let two = layer.lock(NodeId(2)).unwrap();
    layer.request(NodeId(4)).unwrap();
    let zero = layer.lock(NodeId(0)).unwrap();
    layer.unlock(zero).unwrap();
    layer.unlock(two).unwrap();
}

#[test]
fn the_published_rules_get_stuck_on_two_nodes_for_some_seed() {
    let stuck = (0..200).any(|seed| {
        let exclusion = Local::new(1).with_rules(Rules::PUBLISHED);
        let topology = Topology::from_edges(2, 1, &[(0, 1)]).unwrap();
        let mut layer =
            LockLayer::with_exclusion(exclusion, topology, vec![0, 0], Box::new(Sequential::new()), seed);
        layer.request(NodeId(0)).unwrap();
        layer.request(NodeId(1)).unwrap();
        let first = layer.granted(NodeId(0));
        first == Err(LockError::Stuck(NodeId(0)))
    });
    assert!(stuck);
}

/// A layer over the token of a path; its nodes enter one after the other.
fn one_resource(nodes: u32) -> LockLayer<(), TreeToken> {
    let fathers: Vec<Option<u32>> = (0..nodes).map(|node| node.checked_sub(1)).collect();
    let knowledge = InitialKnowledge::from_tree(RootedTree::new(&fathers).unwrap());
    let scheduler = Box::new(Sequential::new());
    let states = vec![(); nodes as usize];
    LockLayer::with_knowledge(
        TreeToken::new(SchemeRule::Raymond),
        (path(nodes), &knowledge),
        states,
        scheduler,
        3,
    )
    .unwrap()
}

#[test]
fn one_resource_over_a_tree_is_entered_and_left() {
    let mut layer = one_resource(5);
    for node in [4, 0, 2, 2].map(NodeId) {
        layer.enter(node).unwrap();
        let inside = (0..5).filter(|&other| layer.is_inside(NodeId(other))).count();
        assert_eq!((inside, layer.is_inside(node)), (1, true));
        assert_eq!(layer.enter(node), Err(LockError::NotIdle(node)));
        layer.exit(node).unwrap();
        assert_eq!(layer.exit(node), Err(LockError::NotInside(node)));
    }
    layer.enter(NodeId(1)).unwrap();
    let blocked = Err(LockError::Blocked { node: NodeId(4), holder: NodeId(1) });
    assert_eq!(layer.enter(NodeId(4)), blocked);
    assert_eq!(layer.enter(NodeId(4)), blocked, "its call stays");
    assert_eq!(layer.exit(NodeId(4)), Err(LockError::NotInside(NodeId(4))));
    layer.exit(NodeId(1)).unwrap();
    layer.enter(NodeId(4)).unwrap();
    layer.exit(NodeId(4)).unwrap();
    assert_eq!(layer.enter(NodeId(5)), Err(LockError::Refused(StepError::NoSuchNode(NodeId(5)))));
}

/// Leaving a section by `exit` would leave its grant open.
#[test]
fn a_grant_is_not_left_by_the_side() {
    let mut layer = one_resource(2);
    layer.request(NodeId(1)).unwrap();
    assert_eq!(layer.enter(NodeId(1)), Err(LockError::NotIdle(NodeId(1))));
    let grant = layer.granted(NodeId(1)).unwrap();
    assert_eq!(layer.exit(NodeId(1)), Err(LockError::ByGrant(NodeId(1))));
    layer.unlock(grant).unwrap();
    layer.enter(NodeId(1)).unwrap();
    assert_eq!(layer.granted(NodeId(1)), Err(LockError::NotAsked(NodeId(1))));
    layer.exit(NodeId(1)).unwrap();
}

/// At most two of every three neighbours on a ring are inside: at the bound the next node waits until another
/// has left.
#[test]
fn between_one_and_two_inside_near_every_node() {
    let ring: Vec<(u32, u32)> = (0..6).map(|node| (node, (node + 1) % 6)).collect();
    let bounds = InitialKnowledge::from_bounds(6, Bounds { least: 0, most: 2 });
    let knowledge = InitialKnowledge { inside: vec![true, false, false, true, false, false], ..bounds };
    let topology = Topology::from_edges(6, 2, &ring).unwrap();
    let sections = LocalSections::new(Scheme::Home);
    let scheduler = Box::new(Sequential::new());
    let mut layer =
        LockLayer::with_knowledge(sections, (topology, &knowledge), vec![(); 6], scheduler, 9).unwrap();
    let around = |layer: &LockLayer<(), LocalSections>, node: u32| {
        [node, (node + 1) % 6, (node + 5) % 6].iter().filter(|&&near| layer.is_inside(NodeId(near))).count()
    };
    layer.enter(NodeId(1)).unwrap();
    assert_eq!(around(&layer, 1), 2);
    // Nodes 0 and 1 are inside, which is the maximum near either of them.
    assert_eq!(layer.enter(NodeId(2)), Err(LockError::AtBound(NodeId(2))));
    layer.exit(NodeId(1)).unwrap();
    layer.enter(NodeId(2)).unwrap();
    layer.exit(NodeId(0)).unwrap();
    layer.exit(NodeId(3)).unwrap();
    assert!((0..6).all(|node| around(&layer, node) <= 2));
    assert!(layer.world().check().is_ok());
}
