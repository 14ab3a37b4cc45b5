//! The Lock/Unlock layer as a library user calls it.
//!
//! [`LockLayer`] runs the lock algorithm, messages and all, under your own states: lock a node and the neighbours that
//! stay connected, change their states as if nobody else existed, unlock.
//!
//! ```
//! use acrasin_runtime::{lock::LockLayer, NodeId, Topology};
//!
//! let star = Topology::from_edges(4, 3, &[(0, 1), (0, 2), (0, 3)])?;
//! let mut layer = LockLayer::new(star, vec![1_u32, 10, 20, 30], 42);
//! let grant = layer.lock(NodeId(0))?; // waits until node 0 holds itself and its neighbours
//! let mut held = layer.held(&grant);
//! for port in held.ports().collect::<Vec<_>>() {
//!     let (own, neighbour) = held.pair_mut(port)?;
//!     *own += std::mem::take(neighbour);
//! }
//! layer.unlock(grant)?;
//! assert_eq!(layer.states(), [61, 0, 0, 0]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Misuse does not compile: unlocking takes the [`Grant`], so nobody unlocks twice or without a lock,
//!
//! ```compile_fail,E0382
//! # use acrasin_runtime::{lock::LockLayer, NodeId, Topology};
//! # let mut layer = LockLayer::new(Topology::from_edges(2, 1, &[(0, 1)]).unwrap(), vec![0, 0], 1);
//! let grant = layer.lock(NodeId(0)).unwrap();
//! layer.unlock(grant).unwrap();
//! layer.unlock(grant).unwrap(); // use of moved value
//! ```
//!
//! and access to the states ends before the lock does:
//!
//! ```compile_fail,E0499
//! # use acrasin_runtime::{lock::LockLayer, NodeId, Topology};
//! # let mut layer = LockLayer::new(Topology::from_edges(2, 1, &[(0, 1)]).unwrap(), vec![0, 0], 1);
//! let grant = layer.lock(NodeId(0)).unwrap();
//! let mut held = layer.held(&grant);
//! layer.unlock(grant).unwrap(); // the layer is still borrowed
//! *held.own_mut() = 1;
//! ```
//!
//! A neighbour that has left while the lock was held is gone from [`Locked::ports`], and asking for it is
//! [`Departed`](crate::section::Departed).

use std::collections::BTreeSet;
use std::fmt;
use std::hash::Hash;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::choice::{Choices, Seeded};
use crate::exclusion::local::Local;
use crate::exclusion::{Exclusion as _, Status};
use crate::execution::{Execution, Progress};
use crate::node::NodeId;
use crate::port::Port;
use crate::scheduler::{Fairness, Scheduler, Sequential};
use crate::section::{CriticalSection, Locked};
use crate::step::{Claim, Step, StepError, StepOf};
use crate::topology::Topology;
use crate::world::{LockSetRule, Setup, Violation, World};

/// The section of a layer whose sections run outside: it locks and unlocks only when told.
#[derive(Clone, Copy, Debug, Default)]
pub struct Outside<T>(std::marker::PhantomData<fn() -> T>);

impl<T: Clone + Eq + Hash + fmt::Debug> CriticalSection for Outside<T> {
    type State = T;
    type Outcome = ();

    fn wants(&self, _own: &T, _degree: u16) -> bool {
        false
    }
    fn unlocks(&self, _own: &T) -> bool {
        false
    }
    fn enter(&self, _held: &mut Locked<'_, T>, _choices: &mut dyn Choices) {}
}

/// A time-varying graph whose nodes can be locked with their neighbourhoods, and one state of type `T` a node.
///
/// The layer is one thread's: it simulates the nodes, their messages and an adversarial schedule. While a call waits,
/// every node goes on with what it has begun.
pub struct LockLayer<T: Clone + Eq + Hash + fmt::Debug> {
    execution: Execution<Local, Outside<T>>,
    choices: Seeded,
    members: Vec<(Port, NodeId)>,
    /// Who has called Lock and has not been given its grant.
    requested: BTreeSet<NodeId>,
    id: u64,
}

/// Proof that a node holds its lock set. Give it back to [`LockLayer::unlock`]: a grant that is dropped leaves its
/// nodes locked.
#[must_use = "a grant that is dropped leaves its nodes locked for ever"]
#[derive(Debug, PartialEq, Eq)]
pub struct Grant {
    node: NodeId,
    layer: u64,
}

impl Grant {
    /// The node that holds its lock set.
    #[must_use]
    pub fn node(&self) -> NodeId {
        self.node
    }
}

/// Why a call to the layer failed.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum LockError {
    /// The node has called Lock before and has not been unlocked since.
    NotIdle(NodeId),
    /// The node did not ask for a lock.
    NotAsked(NodeId),
    /// The call is not possible: no such node, or no neighbour on the port of a pair.
    Refused(StepError),
    /// The Lock cannot succeed before a grant is given back: a member of the lock set is in that of another holder.
    /// The request stays, and can be waited for again.
    Blocked {
        /// Who waits.
        node: NodeId,
        /// Who holds a node of its lock set.
        holder: NodeId,
    },
    /// No node can act: a deadlock of the published rules.
    Stuck(NodeId),
    /// The wait went on for so many turns that it was given up: an unfair scheduler, or the published rules. The
    /// request stays, and can be waited for again.
    OutOfPatience {
        /// Who waits.
        node: NodeId,
        /// How many turns it has waited for this time.
        turns: u64,
    },
    /// A promise of the lock layer was broken (under the published rules only).
    Violated(Violation),
}

impl fmt::Display for LockError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotIdle(node) => {
                write!(f, "node {node} has called Lock already and has not been unlocked since")
            }
            Self::NotAsked(node) => {
                write!(f, "node {node} has not called Lock: call `request` or `lock` first")
            }
            Self::Refused(error) => error.fmt(f),
            Self::Blocked { node, holder } => {
                write!(f, "node {node} cannot lock before node {holder} unlocks: their lock sets meet")
            }
            Self::Stuck(node) => write!(f, "node {node} waits for ever: no action is enabled"),
            Self::OutOfPatience { node, turns } => {
                write!(f, "node {node} has waited for {turns} turns; it can be waited for again")
            }
            Self::Violated(violation) => violation.fmt(f),
        }
    }
}

impl std::error::Error for LockError {}

impl<T: Clone + Eq + Hash + fmt::Debug> LockLayer<T> {
    /// A layer over `topology` with the repaired rules, a uniform sequential schedule drawn from `seed`, and one state
    /// a node.
    ///
    /// # Panics
    ///
    /// Panics unless there is one state a node.
    #[must_use]
    pub fn new(topology: Topology, states: Vec<T>, seed: u64) -> Self {
        let exclusion = Local::new(topology.ports());
        Self::with(exclusion, topology, states, Box::new(Sequential::new()), seed)
    }

    /// A layer with another algorithm variant and another scheduler, kept weakly fair.
    ///
    /// # Panics
    ///
    /// Panics unless there is one state a node.
    #[must_use]
    pub fn with(
        exclusion: Local,
        topology: Topology,
        states: Vec<T>,
        scheduler: Box<dyn Scheduler<Local, Outside<T>>>,
        seed: u64,
    ) -> Self {
        // Grants of one layer must not open another; the number never reaches a result.
        static LAYERS: AtomicU64 = AtomicU64::new(0);
        let world = World::new(Setup {
            exclusion,
            section: Outside(std::marker::PhantomData),
            topology,
            states,
            lock_set: LockSetRule::Neighbourhood,
            timing: scheduler.timing(),
        });
        let topology = world.topology();
        let bound = 16 * (u64::from(topology.node_count()) + topology.edge_count() + 1);
        Self {
            execution: Execution::new(world, scheduler).with_fairness(Fairness::within(bound)),
            choices: Seeded::new(seed),
            members: Vec::new(),
            requested: BTreeSet::new(),
            id: LAYERS.fetch_add(1, Ordering::Relaxed),
        }
    }

    /// The states, one a node.
    #[must_use]
    pub fn states(&self) -> &[T] {
        self.execution.world().states()
    }

    /// The graph now.
    #[must_use]
    pub fn topology(&self) -> &Topology {
        self.execution.world().topology()
    }

    /// The simulated world below.
    #[must_use]
    pub fn world(&self) -> &World<Local, Outside<T>> {
        self.execution.world()
    }

    /// Calls Lock for the closed neighbourhood and returns at once; [`granted`](Self::granted) waits. Several nodes
    /// can ask at the same time.
    ///
    /// # Errors
    ///
    /// [`LockError::NotIdle`], [`LockError::Refused`].
    pub fn request(&mut self, node: NodeId) -> Result<(), LockError> {
        self.call(node, Claim::Neighbourhood)
    }

    /// Calls Lock for the node and the neighbour on `port` alone, and returns at once.
    ///
    /// # Errors
    ///
    /// [`LockError::NotIdle`], [`LockError::Refused`].
    pub fn request_pair(&mut self, node: NodeId, port: Port) -> Result<(), LockError> {
        self.call(node, Claim::Pair(port))
    }

    fn call(&mut self, node: NodeId, claim: Claim) -> Result<(), LockError> {
        if self.status(node)? != Status::Idle {
            return Err(LockError::NotIdle(node));
        }
        self.apply(&Step::Lock { node, claim })?;
        self.requested.insert(node);
        Ok(())
    }

    fn status(&self, node: NodeId) -> Result<Status, LockError> {
        if node.0 < self.topology().node_count() {
            Ok(self.world().status(node))
        } else {
            Err(LockError::Refused(StepError::NoSuchNode(node)))
        }
    }

    fn apply(&mut self, step: &StepOf<Local>) -> Result<(), LockError> {
        // A node whose last execution spans time finishes sending first.
        if let Some(node) = step.actor() {
            self.run_until(node, |world| world.unsent(node).is_empty())?;
        }
        self.execution.apply(step, &mut self.choices, &mut ()).map_err(LockError::Refused)
    }

    /// The holder that stands in the way of a Lock: it unlocks only when the caller gives its grant back, and the
    /// caller waits here.
    ///
    /// Either it holds a member, or it holds a member of a candidate's lock set: that candidate then competes for
    /// ever, and whoever it keeps on hold waits with it. Nothing else keeps a node from its lock for ever: applicants
    /// block nobody, and a candidate loses every trial only where a lock is set.
    fn blocker(&self, node: NodeId) -> Option<NodeId> {
        self.direct_blocker(node).or_else(|| {
            let world = self.world();
            self.members(node).find_map(|(member, port)| {
                let memory = world.memory(member);
                let on_hold = memory.on_hold.contains(port);
                let mut candidates = memory.candidates.iter().filter(|_| on_hold);
                candidates.find_map(|candidate| match world.topology().link(member, candidate) {
                    _ if candidate.is_self() => self.direct_blocker(member),
                    link => link.and_then(|link| self.direct_blocker(link.peer)),
                })
            })
        })
    }

    fn direct_blocker(&self, node: NodeId) -> Option<NodeId> {
        self.members(node)
            .find_map(|(member, _)| self.world().holder_of(member).filter(|&holder| holder != node))
    }

    /// The nodes of the lock set that `node` asks for, each with its port towards `node`.
    fn members(&self, node: NodeId) -> impl Iterator<Item = (NodeId, Port)> + '_ {
        let world = self.world();
        let lock_set = world.exclusion().lock_set(world.memory(node));
        let detector = world.topology().detector(node);
        let alive = lock_set.iter().filter(|&port| !detector.contains(port));
        alive
            .filter_map(move |port| world.topology().link(node, port))
            .map(|link| (link.peer, link.peer_port.into()))
            .chain(std::iter::once((node, Port::SELF)))
    }

    /// How long a call waits, in turns: far longer than any Lock of the repaired rules under a fair schedule takes.
    fn patience(&self) -> u64 {
        let topology = self.topology();
        let delta = u64::from(topology.degree_max()) + 1;
        10_000 * delta * delta * (u64::from(topology.node_count()) + topology.edge_count() + 100)
    }

    fn run_until(
        &mut self,
        node: NodeId,
        done: impl Fn(&World<Local, Outside<T>>) -> bool,
    ) -> Result<(), LockError> {
        let (started, patience) = (self.execution.turns(), self.patience());
        while !done(self.execution.world()) {
            let turns = self.execution.turns() - started;
            if turns > patience {
                return Err(LockError::OutOfPatience { node, turns });
            }
            if self.world().status(node) == Status::Waiting
                && let Some(holder) = self.blocker(node)
            {
                return Err(LockError::Blocked { node, holder });
            }
            match self.execution.advance(&mut self.choices, &mut ()) {
                Progress::Advanced => {}
                Progress::Quiet => return Err(LockError::Stuck(node)),
                Progress::Violated => {
                    return Err(LockError::Violated(self.world().check().expect_err("just reported")));
                }
            }
        }
        Ok(())
    }

    /// Waits until the Lock that `node` has called succeeds.
    ///
    /// # Errors
    ///
    /// [`LockError::NotAsked`]; [`LockError::Blocked`] if it cannot succeed before a grant is given back, where the
    /// request stays and can be waited for again.
    pub fn granted(&mut self, node: NodeId) -> Result<Grant, LockError> {
        self.status(node)?;
        if !self.requested.contains(&node) {
            return Err(LockError::NotAsked(node));
        }
        self.run_until(node, |world| world.status(node) == Status::Holding)?;
        self.requested.remove(&node);
        Ok(Grant { node, layer: self.id })
    }

    /// Locks `node` and its closed neighbourhood, and waits for it.
    ///
    /// # Errors
    ///
    /// Those of [`request`](Self::request) and [`granted`](Self::granted).
    pub fn lock(&mut self, node: NodeId) -> Result<Grant, LockError> {
        self.request(node)?;
        self.granted(node)
    }

    /// Locks `node` and the neighbour on `port`, and waits for it.
    ///
    /// # Errors
    ///
    /// Those of [`request_pair`](Self::request_pair) and [`granted`](Self::granted).
    pub fn lock_pair(&mut self, node: NodeId, port: Port) -> Result<Grant, LockError> {
        self.request_pair(node, port)?;
        self.granted(node)
    }

    /// Exclusive access to the states of the lock set, without the neighbours that have left since.
    ///
    /// # Panics
    ///
    /// Panics if the grant comes from another layer.
    pub fn held(&mut self, grant: &Grant) -> Locked<'_, T> {
        assert_eq!(grant.layer, self.id, "the grant comes from another layer");
        self.execution.world().still_held(grant.node, &mut self.members);
        Locked::new(self.execution.states_mut(), grant.node, &self.members)
    }

    /// Calls Unlock and waits until it is complete.
    ///
    /// # Errors
    ///
    /// [`LockError::Violated`] under the published rules.
    ///
    /// # Panics
    ///
    /// Panics if the grant comes from another layer.
    #[allow(clippy::needless_pass_by_value)] // Taking the grant is the point.
    pub fn unlock(&mut self, grant: Grant) -> Result<(), LockError> {
        assert_eq!(grant.layer, self.id, "the grant comes from another layer");
        self.apply(&Step::Unlock { node: grant.node })?;
        self.run_until(grant.node, |world| world.status(grant.node) == Status::Idle)
    }

    /// Locks, runs `section` on the lock set, unlocks.
    ///
    /// # Errors
    ///
    /// Those of [`lock`](Self::lock) and [`unlock`](Self::unlock).
    pub fn locked<R>(
        &mut self,
        node: NodeId,
        section: impl FnOnce(&mut Locked<'_, T>) -> R,
    ) -> Result<R, LockError> {
        let grant = self.lock(node)?;
        let result = section(&mut self.held(&grant));
        self.unlock(grant)?;
        Ok(result)
    }

    /// The adversary joins two nodes, on their lowest open ports or given ones.
    ///
    /// # Errors
    ///
    /// [`LockError::Refused`].
    pub fn connect(&mut self, a: NodeId, a_port: Port, b: NodeId, b_port: Port) -> Result<(), LockError> {
        self.apply(&Step::Connect { a, a_port, b, b_port })
    }

    /// The adversary ends an edge, also while nodes are locked.
    ///
    /// # Errors
    ///
    /// [`LockError::Refused`].
    pub fn disconnect(&mut self, node: NodeId, port: Port) -> Result<(), LockError> {
        self.apply(&Step::Disconnect { node, port })
    }
}

impl<T: Clone + Eq + Hash + fmt::Debug> fmt::Debug for LockLayer<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LockLayer").field("states", &self.states()).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exclusion::local::Rules;
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
        // Node 2 needs node 1, which is locked: it cannot succeed before node 1 gives its grant back. It competes on
        // and on, so it is not stuck; the nodes of the two lock sets do not change meanwhile.
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
        // Somebody else takes the port before the holder has read its detector.
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
        let mut layer = LockLayer::with(exclusion, topology, vec![0; 4], Box::new(Asynchronous::new()), 3);
        layer.request_pair(NodeId(1), Port(1)).unwrap();
        layer.request_pair(NodeId(2), Port(2)).unwrap();
        let (low, high) = (layer.granted(NodeId(1)).unwrap(), layer.granted(NodeId(2)).unwrap());
        assert_eq!(layer.world().held(), 4);
        layer.unlock(low).unwrap();
        layer.unlock(high).unwrap();
        layer.locked(NodeId(3), |held| *held.own_mut() = 5).unwrap();
        assert_eq!(layer.states(), [0, 0, 0, 5]);
    }

    /// A candidate that competes for ever because a member of its lock set is held keeps others on hold: waiting for
    /// one of those hung.
    #[test]
    fn who_is_kept_on_hold_by_a_blocked_candidate_is_blocked_too() {
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
                    // Node 2 may have been first; it has not been given its grant.
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
        let mut layer = LockLayer::with(Local::new(4), topology, vec![0; 5], scheduler, 1);
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
                LockLayer::with(exclusion, topology, vec![0, 0], Box::new(Sequential::new()), seed);
            layer.request(NodeId(0)).unwrap();
            layer.request(NodeId(1)).unwrap();
            let first = layer.granted(NodeId(0));
            first == Err(LockError::Stuck(NodeId(0)))
        });
        assert!(stuck);
    }
}
