//! The Lock/Unlock layer as a library user calls it.
//!
//! [`LockLayer`] runs the lock algorithm, with all its messages, under your own states. Lock a node and the neighbours
//! that stay connected, change their states as if no other node existed, and unlock.
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
//! Misuse does not compile: unlocking takes the [`Grant`], so no node unlocks twice or without a lock,
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
//! Other algorithms start with [initial knowledge](LockLayer::with_knowledge): one resource over a tree, or at least l
//! and at most k nodes inside in every closed neighbourhood. Use [`enter`](LockLayer::enter) and
//! [`exit`](LockLayer::exit) if the nodes have no states.
//!
//! A neighbour whose edge has vanished while the lock was held is missing in [`Locked::ports`], and accessing it fails
//! with [`Departed`](crate::section::Departed).
//!
//! # Several threads
//!
//! A layer belongs to one thread at a time: every call takes `&mut self`. Threads share it as `Mutex<LockLayer<T>>`,
//! and hold the mutex during a call, not during a critical section. A [`Grant`] keeps the nodes locked even while no
//! thread has the mutex. So a thread copies the states, works on them while other threads lock other nodes, and writes
//! them back:
//!
//! ```
//! use std::sync::{Condvar, Mutex};
//! use std::thread;
//!
//! use acrasin_runtime::lock::{Grant, LockError, LockLayer};
//! use acrasin_runtime::{NodeId, Topology};
//!
//! /// The layer, and a signal that it has advanced.
//! struct Shared {
//!     layer: Mutex<LockLayer<f64>>,
//!     advanced: Condvar,
//! }
//!
//! impl Shared {
//!     /// Waits for the lock set of a node; meanwhile other threads use the layer.
//!     fn lock(&self, node: NodeId) -> Result<Grant, LockError> {
//!         let mut layer = self.layer.lock().unwrap();
//!         layer.request(node)?;
//!         loop {
//!             let steps = layer.world().steps();
//!             let granted = layer.granted(node);
//!             // The steps of this call may have given another thread its lock set.
//!             if layer.world().steps() > steps {
//!                 self.advanced.notify_all();
//!             }
//!             match granted {
//!                 Err(LockError::Blocked { .. }) => layer = self.advanced.wait(layer).unwrap(),
//!                 granted => return granted,
//!             }
//!         }
//!     }
//!
//!     fn unlock(&self, grant: Grant) -> Result<(), LockError> {
//!         let unlocked = self.layer.lock().unwrap().unlock(grant);
//!         self.advanced.notify_all();
//!         unlocked
//!     }
//! }
//!
//! let ring: Vec<(u32, u32)> = (0..12).map(|node| (node, (node + 1) % 12)).collect();
//! let heat: Vec<f64> = (0..12).map(f64::from).collect();
//! let layer = Mutex::new(LockLayer::new(Topology::from_edges(12, 2, &ring)?, heat, 42));
//! let shared = Shared { layer, advanced: Condvar::new() };
//! thread::scope(|scope| {
//!     for first in 0..4 {
//!         let shared = &shared;
//!         scope.spawn(move || {
//!             for node in (first..12).step_by(4).map(NodeId) {
//!                 let grant = shared.lock(node).unwrap();
//!                 let (own, near) = {
//!                     let mut layer = shared.layer.lock().unwrap();
//!                     let held = layer.held(&grant);
//!                     let near: Vec<f64> = held.ports().map(|port| *held.neighbour(port).unwrap()).collect();
//!                     (*held.own(), near)
//!                 };
//!                 // The long part, in parallel with the sections of other threads.
//!                 let mean = (own + near.iter().sum::<f64>()) / (1 + near.len()) as f64;
//!                 let mut layer = shared.layer.lock().unwrap();
//!                 let mut held = layer.held(&grant);
//!                 *held.own_mut() = mean;
//!                 for port in held.ports().collect::<Vec<_>>() {
//!                     *held.neighbour_mut(port).unwrap() = mean;
//!                 }
//!                 drop(layer);
//!                 shared.unlock(grant).unwrap();
//!             }
//!         });
//!     }
//! });
//! let layer = shared.layer.into_inner()?;
//! // Every section keeps the sum, so all of them together do.
//! assert!((layer.states().iter().sum::<f64>() - 66.0).abs() < 1e-9);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The graph may change meanwhile, so a thread that writes states back calls [`Locked::ports`] again. The order
//! in which threads reach the mutex is not deterministic, so such a run differs from run to run.
//!
//! If results must not depend on threads, or there are millions of nodes, use rung F1 of `acrasin_engine`:
//! `waves::TaskWaves` with your own `waves::WaveTask`. It executes no messages. Every node has one turn per wave, and
//! sections with disjoint closed neighbourhoods run at the same time on all cores. For every number of threads the
//! result equals that of executing one node after another in a random order. States are `Clone + Send + Sync` there.
//! The documentation of `TaskWaves` has an example with floating-point states.
//!
//! # Types of states
//!
//! Any type: a layer neither copies nor compares states. A state that cannot be sent to another thread makes
//! the layer not [`Send`], and the compiler reports it where the layer is sent:
//!
//! ```compile_fail,E0277
//! # use acrasin_runtime::{lock::LockLayer, Topology};
//! let states = vec![std::rc::Rc::new(0), std::rc::Rc::new(0)];
//! let layer = LockLayer::new(Topology::from_edges(2, 1, &[(0, 1)]).unwrap(), states, 1);
//! std::thread::spawn(move || drop(layer));
//! ```

mod error;

pub use error::LockError;

use std::collections::BTreeSet;
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::choice::{Choices, Seeded};
use crate::exclusion::local::Local;
use crate::exclusion::{AssumptionError, Exclusion, Guarantee, InitialKnowledge, Promise as _, Status};
use crate::execution::{Advance, Execution};
use crate::node::NodeId;
use crate::port::Port;
use crate::scheduler::{Scheduler, Sequential, WeaklyFair};
use crate::section::{CriticalSection, Locked};
use crate::step::{LockSetRequest, Step, StepError, StepOf};
use crate::topology::Topology;
use crate::world::{LockSetRule, Setup, World};

/// The section type of a [`LockLayer`]. Critical sections run in the caller's code, so nodes lock and unlock only when
/// the layer is called.
#[derive(Clone, Copy, Debug, Default)]
pub struct Outside<T>(std::marker::PhantomData<fn() -> T>);

impl<T: Clone + Eq + std::hash::Hash + fmt::Debug> CriticalSection for Outside<T> {
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

/// A time-varying graph whose nodes can be locked with their neighbourhoods, and one state of type `T` per
/// node. Any type works: floating-point numbers, maps, buffers.
///
/// `E` is the lock algorithm: local mutual exclusion by default.
///
/// The layer simulates the nodes, their messages and an adversarial schedule in the calling thread. While a
/// call waits, every node continues its actions. The layer is [`Send`] if `T` is; [several
/// threads](self#several-threads) share it behind a mutex.
pub struct LockLayer<T, E: Exclusion = Local> {
    execution: Execution<E, Outside<()>>,
    /// The states, one per node. The world locks nodes, but does not contain their states.
    states: Vec<T>,
    choices: Seeded,
    members: Vec<(Port, NodeId)>,
    /// Nodes that have called Lock and whose grant has not been returned to the caller yet.
    requested: BTreeSet<NodeId>,
    /// Nodes whose grant the caller holds.
    granted: BTreeSet<NodeId>,
    id: u64,
}

/// Proof that a node holds its lock set. Return it to [`LockLayer::unlock`]: a dropped grant leaves its nodes
/// locked.
#[must_use = "a grant that is dropped leaves its nodes locked forever"]
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

impl<T> LockLayer<T> {
    /// Creates a layer over `topology` with one state per node, the repaired rules of local mutual exclusion, and a
    /// uniform sequential schedule drawn from `seed`.
    ///
    /// # Panics
    ///
    /// Panics unless there is one state per node.
    #[must_use]
    pub fn new(topology: Topology, states: Vec<T>, seed: u64) -> Self {
        let exclusion = Local::new(topology.ports());
        Self::with_exclusion(exclusion, topology, states, Box::new(Sequential::new()), seed)
    }
}

impl<T, E: Exclusion> LockLayer<T, E> {
    /// Creates a layer with the given algorithm and scheduler, which is made weakly fair.
    ///
    /// # Panics
    ///
    /// Panics unless there is one state per node, and if the algorithm assumes more than a graph.
    #[must_use]
    pub fn with_exclusion(
        exclusion: E,
        topology: Topology,
        states: Vec<T>,
        scheduler: Box<dyn Scheduler<E, Outside<()>>>,
        seed: u64,
    ) -> Self {
        let layer = Self::with_knowledge(
            exclusion,
            (topology, &InitialKnowledge::default()),
            states,
            scheduler,
            seed,
        );
        layer.unwrap_or_else(|unmet| panic!("{unmet}"))
    }

    /// Creates a layer as [`with_exclusion`](Self::with_exclusion) does, for an algorithm whose nodes initially know
    /// more than their ports.
    ///
    /// # Errors
    ///
    /// [`AssumptionError`] if the graph or the initial knowledge violates an assumption of the algorithm.
    ///
    /// # Panics
    ///
    /// Panics unless there is one state per node.
    pub fn with_knowledge(
        exclusion: E,
        (topology, knowledge): (Topology, &InitialKnowledge),
        states: Vec<T>,
        scheduler: Box<dyn Scheduler<E, Outside<()>>>,
        seed: u64,
    ) -> Result<Self, AssumptionError> {
        // A unique number, because grants of one layer must not open another. It never influences a result.
        static LAYERS: AtomicU64 = AtomicU64::new(0);
        assert_eq!(states.len(), topology.node_count() as usize, "one state a node");
        let setup = Setup {
            exclusion,
            section: Outside(std::marker::PhantomData),
            states: vec![(); topology.node_count() as usize],
            topology,
            lock_set: LockSetRule::Neighbourhood,
            timing: scheduler.timing(),
        };
        let world = World::with_knowledge(setup, knowledge)?;
        let topology = world.topology();
        let bound = 16 * (u64::from(topology.node_count()) + topology.edge_count() + 1);
        Ok(Self {
            execution: Execution::new(world, scheduler).with_fairness(WeaklyFair::with_bound(bound)),
            states,
            choices: Seeded::new(seed),
            members: Vec::new(),
            requested: BTreeSet::new(),
            granted: BTreeSet::new(),
            id: LAYERS.fetch_add(1, Ordering::Relaxed),
        })
    }

    /// The states, one per node.
    #[must_use]
    pub fn states(&self) -> &[T] {
        &self.states
    }

    /// The current graph.
    #[must_use]
    pub fn topology(&self) -> &Topology {
        self.execution.world().topology()
    }

    /// The simulated world. It locks nodes, but does not contain their states.
    #[must_use]
    pub fn world(&self) -> &World<E, Outside<()>> {
        self.execution.world()
    }

    /// Calls Lock for the closed neighbourhood and returns at once; [`granted`](Self::granted) waits. Several nodes
    /// can ask at the same time.
    ///
    /// # Errors
    ///
    /// [`LockError::NotIdle`], [`LockError::Refused`].
    pub fn request(&mut self, node: NodeId) -> Result<(), LockError> {
        self.call(node, LockSetRequest::Neighbourhood)
    }

    /// Calls Lock for the node and only the neighbour on `port`, and returns at once.
    ///
    /// # Errors
    ///
    /// [`LockError::NotIdle`], [`LockError::Refused`].
    pub fn request_pair(&mut self, node: NodeId, port: Port) -> Result<(), LockError> {
        self.call(node, LockSetRequest::Pair(port))
    }

    fn call(&mut self, node: NodeId, claim: LockSetRequest) -> Result<(), LockError> {
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

    fn apply(&mut self, step: &StepOf<E>) -> Result<(), LockError> {
        // A node that is still sending must finish first.
        if let Some(node) = step.actor() {
            self.run_until(node, |world| world.unsent(node).is_empty())?;
        }
        self.execution.apply(step, &mut self.choices, &mut ()).map_err(LockError::Refused)
    }

    /// The holder that prevents a Lock from succeeding, if any. The holder unlocks only when the caller returns its
    /// grant, but the caller is waiting here.
    ///
    /// The holder holds a member of this Lock, or a member of a candidate's lock set. That candidate then competes
    /// forever, and the nodes on hold behind it wait as long. Nothing else delays a Lock forever: applicants do not
    /// block other nodes, and a candidate loses every trial only at a member whose lock is set.
    fn blocker(&self, node: NodeId) -> Option<NodeId> {
        self.direct_blocker(node).or_else(|| {
            let world = self.world();
            self.members(node).find_map(|(member, port)| {
                let mut ahead = world.kept_behind(member, port).into_iter().flatten();
                ahead.find_map(|candidate| match world.topology().link(member, candidate) {
                    _ if candidate.is_self() => self.direct_blocker(member),
                    link => link.and_then(|link| self.direct_blocker(link.peer)),
                })
            })
        })
    }

    fn direct_blocker(&self, node: NodeId) -> Option<NodeId> {
        let mut members = self.members(node);
        members.find_map(|(member, _)| self.world().holder_of(member).filter(|&holder| holder != node))
    }

    /// The nodes of the lock set that `node` requests, each with its port towards `node`.
    fn members(&self, node: NodeId) -> impl Iterator<Item = (NodeId, Port)> + '_ {
        let world = self.world();
        let mut members = Vec::new();
        world.still_held(node, &mut members);
        let links = members.into_iter().filter_map(move |(port, _)| world.topology().link(node, port));
        let others = links.map(|link| (link.peer, link.peer_port.into()));
        others.chain(std::iter::once((node, Port::SELF)))
    }

    /// The maximum number of turns of a wait. Under the repaired rules and a fair schedule, every Lock takes far fewer.
    fn patience(&self) -> u64 {
        let topology = self.topology();
        let delta = u64::from(topology.degree_max()) + 1;
        10_000 * delta * delta * (u64::from(topology.node_count()) + topology.edge_count() + 100)
    }

    fn run_until(
        &mut self,
        node: NodeId,
        done: impl Fn(&World<E, Outside<()>>) -> bool,
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
                Advance::Advanced | Advance::Held => {}
                Advance::Quiescent if E::Promise::GUARANTEE == Guarantee::AtLeastAtMost => {
                    return Err(LockError::AtBound(node));
                }
                Advance::Quiescent => return Err(LockError::Stuck(node)),
                Advance::Violated => {
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
    /// [`LockError::NotAsked`]; [`LockError::Blocked`] if it cannot succeed before a grant is returned. The request
    /// then stays pending, and the caller can wait for it again.
    pub fn granted(&mut self, node: NodeId) -> Result<Grant, LockError> {
        self.status(node)?;
        if !self.requested.contains(&node) {
            return Err(LockError::NotAsked(node));
        }
        self.run_until(node, |world| world.status(node) == Status::Holding)?;
        self.requested.remove(&node);
        self.granted.insert(node);
        Ok(Grant { node, layer: self.id })
    }

    /// Locks `node` and its closed neighbourhood, and waits until the Lock succeeds.
    ///
    /// # Errors
    ///
    /// The errors of [`request`](Self::request) and [`granted`](Self::granted).
    pub fn lock(&mut self, node: NodeId) -> Result<Grant, LockError> {
        self.request(node)?;
        self.granted(node)
    }

    /// Exclusive access to the states of the lock set, without neighbours whose edge has vanished since.
    ///
    /// # Panics
    ///
    /// Panics if the grant comes from another layer.
    pub fn held(&mut self, grant: &Grant) -> Locked<'_, T> {
        assert_eq!(grant.layer, self.id, "the grant comes from another layer");
        self.execution.world().still_held(grant.node, &mut self.members);
        Locked::new(&mut self.states, grant.node, &self.members)
    }

    /// Calls Unlock and waits until it is complete.
    ///
    /// # Errors
    ///
    /// [`LockError::Violated`] under the published rules; [`LockError::AtBound`] if other nodes must enter first; then
    /// call [`exit`](Self::exit) to wait again.
    ///
    /// # Panics
    ///
    /// Panics if the grant comes from another layer.
    #[allow(clippy::needless_pass_by_value)] // Taking the grant is the point.
    pub fn unlock(&mut self, grant: Grant) -> Result<(), LockError> {
        assert_eq!(grant.layer, self.id, "the grant comes from another layer");
        self.apply(&Step::Unlock { node: grant.node })?;
        self.granted.remove(&grant.node);
        self.run_until(grant.node, |world| world.status(grant.node) == Status::Idle)
    }

    /// Locks, runs `section` on the lock set, and unlocks.
    ///
    /// # Errors
    ///
    /// The errors of [`lock`](Self::lock) and [`unlock`](Self::unlock).
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

    /// Whether a node is inside, including while it leaves.
    ///
    /// # Panics
    ///
    /// Panics if there is no such node.
    #[must_use]
    pub fn is_inside(&self, node: NodeId) -> bool {
        matches!(self.world().status(node), Status::Holding | Status::Releasing)
    }

    /// Enters the critical section and stays there, without a grant and therefore without access to states. For
    /// applications that only need to know which nodes are inside: for instance the user of one resource, or servers
    /// within reach of every node.
    ///
    /// ```
    /// use acrasin_runtime::exclusion::critical_section::{LocalSections, Scheme};
    /// use acrasin_runtime::exclusion::{Bounds, InitialKnowledge};
    /// use acrasin_runtime::scheduler::Sequential;
    /// use acrasin_runtime::lock::{LockError, LockLayer};
    /// use acrasin_runtime::{NodeId, Topology};
    /// // Two nodes serve, and one of them at least has to: node 1 can rest when node 0 is back.
    /// let edge = Topology::from_edges(2, 1, &[(0, 1)])?;
    /// let bounds = InitialKnowledge::from_bounds(2, Bounds { least: 1, most: 2 });
    /// let knowledge = InitialKnowledge { inside: vec![true; 2], ..bounds };
    /// let servers = LocalSections::new(Scheme::Inclusion);
    /// let scheduler = Box::new(Sequential::new());
    /// let mut layer = LockLayer::with_knowledge(servers, (edge, &knowledge), vec![(); 2], scheduler, 1)?;
    /// layer.exit(NodeId(0))?;
    /// assert_eq!(layer.exit(NodeId(1)), Err(LockError::AtBound(NodeId(1))));
    /// layer.enter(NodeId(0))?;
    /// layer.exit(NodeId(1))?;
    /// assert!(layer.is_inside(NodeId(0)) && !layer.is_inside(NodeId(1)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`LockError::NotIdle`]; [`LockError::Blocked`] and [`LockError::AtBound`] if other nodes must leave first. The
    /// call stays pending; call `enter` again to wait for it.
    pub fn enter(&mut self, node: NodeId) -> Result<(), LockError> {
        match self.status(node)? {
            Status::Idle => self.apply(&Step::Lock { node, claim: LockSetRequest::Neighbourhood })?,
            Status::Waiting if !self.requested.contains(&node) => {}
            _ => return Err(LockError::NotIdle(node)),
        }
        self.run_until(node, |world| world.status(node) == Status::Holding)
    }

    /// Leaves the critical section, which the node has [entered](Self::enter) or started in, and waits until the exit
    /// is complete.
    ///
    /// # Errors
    ///
    /// [`LockError::NotInside`], [`LockError::ByGrant`]; [`LockError::AtBound`] if other nodes must enter first. The
    /// node is inside until then and its call stays pending; call `exit` again to wait for it.
    pub fn exit(&mut self, node: NodeId) -> Result<(), LockError> {
        match self.status(node)? {
            _ if self.granted.contains(&node) => return Err(LockError::ByGrant(node)),
            Status::Holding if self.requested.contains(&node) => return Err(LockError::ByGrant(node)),
            Status::Holding => self.apply(&Step::Unlock { node })?,
            Status::Releasing => {}
            Status::Idle | Status::Waiting => return Err(LockError::NotInside(node)),
        }
        self.run_until(node, |world| world.status(node) == Status::Idle)
    }

    /// Adds an edge between two nodes, on the given ports.
    ///
    /// # Errors
    ///
    /// [`LockError::Refused`].
    pub fn connect(&mut self, a: NodeId, a_port: Port, b: NodeId, b_port: Port) -> Result<(), LockError> {
        self.apply(&Step::Connect { a, a_port, b, b_port })
    }

    /// Removes an edge. An edge can be removed while its ends are locked.
    ///
    /// # Errors
    ///
    /// [`LockError::Refused`].
    pub fn disconnect(&mut self, node: NodeId, port: Port) -> Result<(), LockError> {
        self.apply(&Step::Disconnect { node, port })
    }
}

impl<T: fmt::Debug, E: Exclusion> fmt::Debug for LockLayer<T, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LockLayer").field("states", &self.states()).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
