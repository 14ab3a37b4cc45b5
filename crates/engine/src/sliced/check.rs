//! Checks of the exclusion promise on bit planes.

use acrasin_runtime::NodeId;

use crate::message::LockOverlap;
use crate::network::Lattice;

/// Checks that the lock sets of all holders are disjoint and that their members are locked.
///
/// `holds` and `locked` return the words of 64 nodes of a row: the holders, and the locked nodes. Cost: O(nodes · Δ /
/// 64) words.
///
/// # Errors
///
/// The first violation by node number, which is the one that [`message::check`](crate::message::check) finds.
pub(super) fn check(
    lattice: Lattice,
    holds: impl Fn(u32, usize) -> u64,
    locked: impl Fn(u32, usize) -> u64,
) -> Result<(), LockOverlap> {
    let (blocks, height) = (lattice.width() as usize / 64, lattice.height());
    for row in 0..height {
        for x in 0..blocks {
            let own = holds(row, x);
            let (mut once, mut twice) = (own, 0);
            for &(dx, dy) in lattice.kind().directions() {
                let neighbour_row = (row + height).wrapping_add_signed(dy) % height;
                let word = holds(neighbour_row, x);
                let word = match dx {
                    1 => word >> 1 | holds(neighbour_row, (x + 1) % blocks) << 63,
                    -1 => word << 1 | holds(neighbour_row, (x + blocks - 1) % blocks) >> 63,
                    _ => word,
                };
                twice |= once & word;
                once |= word;
            }
            let wrong = twice | once & !locked(row, x);
            if wrong != 0 {
                let node = row * lattice.width() + x as u32 * 64 + wrong.trailing_zeros();
                return Err(overlap(lattice, node, &holds, locked));
            }
        }
    }
    Ok(())
}

/// The violation at a node where lock sets overlap or a member is not locked.
fn overlap(
    lattice: Lattice,
    node: u32,
    holds: impl Fn(u32, usize) -> u64,
    locked: impl Fn(u32, usize) -> u64,
) -> LockOverlap {
    let bit = |words: &dyn Fn(u32, usize) -> u64, node: u32| {
        let (row, column) = (node / lattice.width(), node % lattice.width());
        words(row, column as usize / 64) >> (column % 64) & 1 == 1
    };
    let neighbours = (1..=lattice.kind().degree()).map(|port| lattice.neighbour(node, port));
    let mut holders = std::iter::once(node).chain(neighbours).filter(|&node| bit(&holds, node)).map(NodeId);
    let first = holders.next().expect("a node that something is wrong with is in a lock set");
    let node = NodeId(node);
    if bit(&locked, node.0) {
        let second = holders.next().expect("a node that is locked is in two lock sets, or nothing is wrong");
        LockOverlap::CommonNode { node, first, second }
    } else {
        LockOverlap::NotLocked { node, holder: first }
    }
}
