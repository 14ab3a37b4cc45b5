//! Checks of the exclusion promise on a configuration.

use std::fmt;
use std::ops::Range;

use acrasin_runtime::NodeId;

use super::configuration::{LockCode, LockConfiguration};
use crate::threads::each_part;

/// A violation of exclusion: two lock sets have a common node, or a member is not locked. Both are defects of the
/// engine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum LockOverlap {
    /// A node is in the lock sets of two holders.
    CommonNode {
        /// The node that two lock sets contain.
        node: NodeId,
        /// One of the two holders.
        first: NodeId,
        /// The other holder.
        second: NodeId,
    },
    /// A member of the lock set of a holder is not locked.
    NotLocked {
        /// The member of the lock set.
        node: NodeId,
        /// The holder of the lock set.
        holder: NodeId,
    },
}

impl fmt::Display for LockOverlap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::CommonNode { node, first, second } => {
                write!(f, "node {node} is in the lock sets of {first} and {second}")
            }
            Self::NotLocked { node, holder } => {
                write!(f, "node {node} is in the lock set of {holder} and is not locked")
            }
        }
    }
}

impl std::error::Error for LockOverlap {}

/// The number of links that one thread checks at a time. Links are counted, not nodes: a node of a dense graph has
/// thousands.
const LINKS_AT_ONCE: u32 = 1 << 18;

/// The number of nodes that one thread checks at a time.
fn part(ports: u16) -> u32 {
    (LINKS_AT_ONCE / (u32::from(ports) + 1)).max(1)
}

/// Checks that the lock sets of all holders are disjoint and locked. Cost: O(nodes · Δ), shared by the threads of the
/// current pool.
///
/// # Errors
///
/// The first violation by node number.
pub fn check(configuration: &(impl LockConfiguration + Sync)) -> Result<(), LockOverlap> {
    check_while(configuration, &|| true)
}

/// Like [`check`], but skips the remaining nodes once `has_time` returns false.
///
/// # Errors
///
/// As for [`check`].
pub fn check_while(
    configuration: &(impl LockConfiguration + Sync),
    has_time: &(dyn Fn() -> bool + Sync),
) -> Result<(), LockOverlap> {
    let nodes = configuration.nodes();
    let part = part(configuration.ports());
    let parts = (0..nodes).step_by(part as usize).map(|first| first..nodes.min(first.saturating_add(part)));
    let parts: Vec<Range<u32>> = parts.collect();
    let parallel = parts.len() > 1;
    let checked = each_part(parts, parallel, |_, mut part| {
        if has_time() { part.try_for_each(|node| check_node(configuration, NodeId(node))) } else { Ok(()) }
    });
    checked.into_iter().collect()
}

/// Checks that a node is in the lock set of at most one holder, and is locked if it is in one. Cost: O(Δ).
///
/// # Errors
///
/// The violation at this node.
///
/// # Panics
///
/// May panic if there is no such node.
pub fn check_node(configuration: &impl LockConfiguration, node: NodeId) -> Result<(), LockOverlap> {
    let mut first: Option<NodeId> = None;
    for port in 0..=configuration.ports() {
        let Some((peer, back)) = configuration.link(node.0, port) else { continue };
        if configuration.published(peer).code == LockCode::Locked && configuration.member(peer, back) {
            if let Some(first) = first {
                return Err(LockOverlap::CommonNode { node, first, second: NodeId(peer) });
            }
            if !configuration.published(node.0).locked {
                return Err(LockOverlap::NotLocked { node, holder: NodeId(peer) });
            }
            first = Some(NodeId(peer));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use acrasin_runtime::PortSet;

    use super::super::configuration::Published;
    use super::*;

    /// A path with one node per entry: port 1 leads left, port 2 right. Entries say which nodes hold and which are
    /// locked.
    struct Path(Vec<(LockCode, bool)>);

    impl LockConfiguration for Path {
        fn nodes(&self) -> u32 {
            self.0.len() as u32
        }
        fn ports(&self) -> u16 {
            2
        }
        fn published(&self, node: u32) -> Published {
            let (code, locked) = self.0[node as usize];
            Published { code, toggle: false, locked, priority: 0 }
        }
        fn toggle(&self, _node: u32, _port: u16) -> bool {
            false
        }
        fn sent(&self, _node: u32, _port: u16) -> bool {
            false
        }
        fn won(&self, _node: u32, _port: u16) -> bool {
            false
        }
        fn link(&self, node: u32, port: u16) -> Option<(u32, u16)> {
            match port {
                0 => Some((node, 0)),
                1 => node.checked_sub(1).map(|left| (left, 2)),
                _ => Some((node + 1, 1)).filter(|right| right.0 < self.nodes()),
            }
        }
        fn member(&self, _node: u32, _port: u16) -> bool {
            true
        }
        fn detector(&self, _node: u32) -> PortSet {
            PortSet::new()
        }
    }

    #[test]
    fn holders_at_distance_three_are_fine_and_closer_ones_are_not() {
        let holder = (LockCode::Locked, true);
        let member = (LockCode::Later, true);
        assert_eq!(check(&Path(vec![holder, member, member, holder])), Ok(()));
        let error = check(&Path(vec![member, holder, member, holder])).unwrap_err();
        let [node, first, second] = [2, 1, 3].map(NodeId);
        assert_eq!(error, LockOverlap::CommonNode { node, first, second });
        assert_eq!(error.to_string(), "node 2 is in the lock sets of 1 and 3");
    }

    /// If several threads check parts, the error is still that of the first node.
    #[test]
    fn the_first_node_of_many_is_named() {
        let member = (LockCode::Later, true);
        let part = part(2);
        let mut path = vec![member; 3 * part as usize];
        assert_eq!(check(&Path(path.clone())), Ok(()));
        for node in [2 * part + 7, part - 1] {
            (path[node as usize - 1], path[node as usize + 1]) =
                ((LockCode::Locked, true), (LockCode::Locked, true));
            let [node, first, second] = [node, node - 1, node + 1].map(NodeId);
            assert_eq!(check(&Path(path.clone())), Err(LockOverlap::CommonNode { node, first, second }));
        }
    }

    #[test]
    fn nothing_is_checked_when_the_time_is_over() {
        use std::sync::atomic::{AtomicU32, Ordering};
        let mut path = vec![(LockCode::Later, true); 3 * part(2) as usize];
        path[7] = (LockCode::Locked, false);
        let (path, looks) = (Path(path), AtomicU32::new(0));
        let has_time = |so_many: u32| {
            looks.store(0, Ordering::Relaxed);
            check_while(&path, &|| looks.fetch_add(1, Ordering::Relaxed) < so_many)
        };
        assert_eq!((has_time(0), looks.load(Ordering::Relaxed)), (Ok(()), 3));
        assert!(has_time(3).is_err());
    }

    /// Detects parts whose size depends on nodes alone: 60,000 nodes with 5000 links each take seconds.
    #[test]
    fn a_part_has_fewer_nodes_the_more_links_each_has() {
        assert_eq!([2, 4999, u16::MAX].map(part), [87_381, 52, 4]);
    }

    #[test]
    fn members_are_locked() {
        let error = check(&Path(vec![(LockCode::Idle, false), (LockCode::Locked, true)])).unwrap_err();
        assert_eq!(error, LockOverlap::NotLocked { node: NodeId(0), holder: NodeId(1) });
        assert_eq!(check(&Path(vec![(LockCode::Idle, false), (LockCode::Win, true)])), Ok(()));
    }

    #[test]
    fn one_node_is_checked_without_the_others() {
        let holder = (LockCode::Locked, true);
        let path = Path(vec![
            (LockCode::Idle, true),
            holder,
            (LockCode::Idle, true),
            holder,
            (LockCode::Idle, false),
        ]);
        let [node, first, second] = [2, 1, 3].map(NodeId);
        assert_eq!(check_node(&path, NodeId(0)), Ok(()));
        assert_eq!(check_node(&path, node), Err(LockOverlap::CommonNode { node, first, second }));
        let (node, holder) = (NodeId(4), NodeId(3));
        assert_eq!(check_node(&path, node), Err(LockOverlap::NotLocked { node, holder }));
    }
}
