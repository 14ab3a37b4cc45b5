//! Lock a node and its neighbours, change their states as if no other node existed, unlock.
//!
//! Six people stand in a ring. At any time each of them may even out with both neighbours. If two neighbours did so
//! at once, money would appear or vanish. The lock layer runs the messages that keep them apart.
//!
//! `cargo run -p acrasin-examples --bin 01_lock_unlock` prints:
//!
//! ```text
//! node 0 gave away 400: [200, 200, 0, 300, 0, 200]
//! 2 holders at once
//! node 2 cannot lock before node 1 unlocks: their lock sets overlap
//! the neighbour on port 1 is not in the lock set: it has left, or was never locked
//! node 2 holds own 0, locked neighbours {@1: 200, @2: 300}
//! ```

use std::error::Error;

use acrasin::runtime::{LockLayer, NodeId, Topology};

fn main() -> Result<(), Box<dyn Error>> {
    let ring = [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (5, 0)];
    let topology = Topology::from_edges(6, 2, &ring)?;
    let mut layer = LockLayer::new(topology, vec![600_u32, 0, 0, 300, 0, 0], 42);

    // One at a time: `locked` locks, acts and unlocks in one call.
    let moved = layer.locked(NodeId(0), |held| {
        let ports: Vec<_> = held.ports().collect();
        for &port in &ports {
            let (own, neighbour) = held.pair_mut(port).expect("no node has left");
            *own -= 200;
            *neighbour += 200;
        }
        200 * ports.len()
    })?;
    println!("node 0 gave away {moved}: {:?}", layer.states());
    assert_eq!(layer.states(), [200, 200, 0, 300, 0, 200]);

    // Several at the same time: nodes 1 and 4 have no neighbour in common, so both hold their lock sets at once.
    layer.request(NodeId(1))?;
    layer.request(NodeId(4))?;
    let (one, four) = (layer.granted(NodeId(1))?, layer.granted(NodeId(4))?);
    println!("{} holders at once", layer.world().holders());
    assert_eq!(layer.world().holders(), 2);

    // Node 2 is in the lock set of node 1. Its own Lock waits, and the layer reports for which node.
    layer.request(NodeId(2))?;
    let waits = layer.granted(NodeId(2)).expect_err("node 1 holds node 2");
    println!("{waits}");

    // A neighbour leaves while node 1 holds it. It is removed from the lock set and cannot be accessed by mistake.
    let port = layer.held(&one).ports().next().expect("node 1 has two neighbours");
    layer.disconnect(NodeId(1), port)?;
    let left = layer.held(&one).neighbour(port).expect_err("the edge has ended");
    println!("{left}");

    layer.unlock(one)?;
    layer.unlock(four)?;
    let two = layer.granted(NodeId(2))?;
    println!("node 2 holds {:?}", layer.held(&two));
    layer.unlock(two)?;
    assert_eq!(layer.world().held(), 0);
    assert_eq!(layer.states().iter().sum::<u32>(), 900);
    Ok(())
}
