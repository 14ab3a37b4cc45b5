//! Lock and Unlock by message passing, on the graph that the amoebots move.
//!
//! Underneath is a [`World`] with an amoebot a node and eight ports a node: the local mutual exclusion of Daymude, Richa
//! and Scheideler (SAND 2022), every message and every action of it, under any scheduler. A movement is a list of
//! Disconnect and Connect steps. Here Lock waits and never fails.

use std::fmt;

use acrasin_runtime::choice::Choices;
use acrasin_runtime::exclusion::local::Local;
use acrasin_runtime::execution::{Execution, Progress};
use acrasin_runtime::lock::Outside;
use acrasin_runtime::scheduler::{Fairness, Scheduler};
use acrasin_runtime::{
    Claim, LockSetRule, NodeId, Port, Setup, Status, Step, StepError, StepOf, Topology, Violation, World,
};

use super::locks::{Lock, Locks};
use crate::model::system::System;

/// An amoebot has at most so many neighbours: the Δ of the lock algorithm.
pub const NEIGHBOURS_MAX: u16 = 8;

/// Local mutual exclusion among amoebots.
pub struct MessageLocks {
    execution: Execution<Local, Outside<()>>,
    /// Calls of amoebots that still have messages of their last step to send.
    calls: Vec<StepOf<Local>>,
}

impl MessageLocks {
    /// The graph of the system, with nobody locked, and the repaired rules. The scheduler delivers messages and lets
    /// nodes act; it is kept weakly fair.
    ///
    /// # Panics
    ///
    /// Never: a system has no more amoebots than a graph may have nodes, and none has more than eight neighbours.
    #[must_use]
    pub fn new<M>(system: &System<M>, scheduler: Box<dyn Scheduler<Local, Outside<()>>>) -> Self {
        let edges: Vec<(u32, u32)> = system
            .ids()
            .flat_map(|id| system.neighbours(id).map(move |neighbour| (id.0, neighbour.0)))
            .filter(|(a, b)| a < b)
            .collect();
        let n = u32::try_from(system.len()).expect("identities have 32 bits");
        let topology =
            Topology::from_edges(n, NEIGHBOURS_MAX, &edges).expect("nobody has more than eight neighbours");
        let bound = 16 * (u64::from(n) + topology.edge_count() + 1);
        let world = World::new(Setup {
            exclusion: Local::new(NEIGHBOURS_MAX),
            section: Outside::default(),
            states: vec![(); system.len()],
            topology,
            lock_set: LockSetRule::Neighbourhood,
            timing: scheduler.timing(),
        });
        let execution = Execution::new(world, scheduler).with_fairness(Fairness::within(bound));
        Self { execution, calls: Vec::new() }
    }

    /// The world below: its graph, its messages, what they have broken if anything.
    #[must_use]
    pub fn world(&self) -> &World<Local, Outside<()>> {
        self.execution.world()
    }

    /// Whether the lock algorithm has broken a promise.
    ///
    /// # Errors
    ///
    /// The first one.
    pub fn check(&self) -> Result<(), Violation> {
        self.world().check()
    }

    /// Does a step now, or as soon as the node has sent its messages.
    fn call(&mut self, step: StepOf<Local>, choices: &mut dyn Choices) {
        match self.execution.apply(&step, choices, &mut ()) {
            Ok(()) => {}
            Err(StepError::Busy(_)) => self.calls.push(step),
            Err(error) => panic!("{step}: {error}"),
        }
    }

    fn calls_waiting(&mut self, choices: &mut dyn Choices) {
        for step in std::mem::take(&mut self.calls) {
            self.call(step, choices);
        }
    }

    fn is_calling(&self, id: NodeId) -> bool {
        self.calls.iter().any(|step| step.actor() == Some(id))
    }

    fn open_port(&self, id: NodeId) -> Port {
        self.world().topology().lowest_open_port(id).expect("nobody has more than eight neighbours").into()
    }
}

impl Locks for MessageLocks {
    const ISOLATES: bool = true;

    fn lock(&mut self, id: NodeId, _: &[NodeId], choices: &mut dyn Choices) -> Lock {
        self.call(Step::Lock { node: id, claim: Claim::Neighbourhood }, choices);
        Lock::Waits
    }

    fn granted(&self, id: NodeId) -> Option<Vec<NodeId>> {
        let world = self.world();
        if self.is_calling(id) || world.status(id) != Status::Holding {
            return None;
        }
        let mut members = Vec::new();
        world.still_held(id, &mut members);
        let mut set: Vec<NodeId> = members.into_iter().map(|(_, member)| member).chain([id]).collect();
        set.sort_unstable();
        Some(set)
    }

    /// Who loses the link is unlocked by that.
    fn release(&mut self, _: NodeId, _: &[NodeId]) {}

    fn unlock(&mut self, holder: NodeId, _: &[NodeId], choices: &mut dyn Choices) {
        self.call(Step::Unlock { node: holder }, choices);
    }

    fn is_unlocked(&self, id: NodeId) -> bool {
        !self.is_calling(id) && self.world().status(id) == Status::Idle
    }

    fn moved(
        &mut self,
        ids: &[NodeId],
        neighbours: &dyn Fn(NodeId) -> Vec<NodeId>,
        choices: &mut dyn Choices,
    ) {
        // First what ends, so that ports are open for what begins.
        for &id in ids {
            let now = neighbours(id);
            let links = self.world().topology().links(id);
            let ended: Vec<Port> =
                links.filter(|(_, link)| !now.contains(&link.peer)).map(|(port, _)| port.into()).collect();
            for port in ended {
                self.call(Step::Disconnect { node: id, port }, choices);
            }
        }
        for &a in ids {
            for b in neighbours(a) {
                if !self.world().topology().adjacent(a, b) {
                    let (a_port, b_port) = (self.open_port(a), self.open_port(b));
                    self.call(Step::Connect { a, a_port, b, b_port }, choices);
                }
            }
        }
    }

    fn advance(&mut self, choices: &mut dyn Choices) -> bool {
        self.calls_waiting(choices);
        match self.execution.advance(choices, &mut ()) {
            Progress::Advanced => true,
            Progress::Quiet => false,
            Progress::Violated => {
                let violation = self.check().expect_err("just reported");
                panic!("the lock algorithm has broken a promise: {violation}")
            }
        }
    }

    fn holder(&self, id: NodeId) -> Option<NodeId> {
        self.world().holder_of(id)
    }
}

impl fmt::Debug for MessageLocks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.world().fmt(f)
    }
}
