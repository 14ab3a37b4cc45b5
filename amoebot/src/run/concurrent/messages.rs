//! Lock and Unlock by message passing, on the graph that the amoebots move.
//!
//! Underneath is a [`World`] with an amoebot a node and eight ports a node: the local mutual exclusion of Daymude, Richa
//! and Scheideler (SAND 2022), every message and every action of it, under any scheduler. A movement is a list of
//! Disconnect and Connect steps. Here Lock waits and never fails.

use std::fmt;

use crate::model::id::AmoebotId;
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

/// The node of the communication graph that this amoebot is.
fn node(id: AmoebotId) -> NodeId {
    NodeId(id.0)
}

impl MessageLocks {
    /// The graph of the system, with no amoebot locked, and the repaired rules. The scheduler delivers messages and lets
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
        let topology = Topology::from_edges(n, NEIGHBOURS_MAX, &edges)
            .expect("no amoebot has more than eight neighbours");
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

    fn is_calling(&self, id: AmoebotId) -> bool {
        self.calls.iter().any(|step| step.actor() == Some(node(id)))
    }

    fn open_port(&self, id: AmoebotId) -> Port {
        self.world()
            .topology()
            .lowest_open_port(node(id))
            .expect("no amoebot has more than eight neighbours")
            .into()
    }
}

impl Locks for MessageLocks {
    const ISOLATES: bool = true;

    fn lock(&mut self, id: AmoebotId, _: &[AmoebotId], choices: &mut dyn Choices) -> Lock {
        self.call(Step::Lock { node: node(id), claim: Claim::Neighbourhood }, choices);
        Lock::Waits
    }

    fn granted(&self, id: AmoebotId) -> Option<Vec<AmoebotId>> {
        let world = self.world();
        if self.is_calling(id) || world.status(node(id)) != Status::Holding {
            return None;
        }
        let mut members = Vec::new();
        world.still_held(node(id), &mut members);
        let mut set: Vec<AmoebotId> =
            members.into_iter().map(|(_, member)| AmoebotId(member.0)).chain([id]).collect();
        set.sort_unstable();
        Some(set)
    }

    /// Who loses the link is unlocked by that.
    fn release(&mut self, _: AmoebotId, _: &[AmoebotId]) {}

    fn unlock(&mut self, holder: AmoebotId, _: &[AmoebotId], choices: &mut dyn Choices) {
        self.call(Step::Unlock { node: node(holder) }, choices);
    }

    fn is_unlocked(&self, id: AmoebotId) -> bool {
        !self.is_calling(id) && self.world().status(node(id)) == Status::Idle
    }

    fn moved(
        &mut self,
        ids: &[AmoebotId],
        neighbours: &dyn Fn(AmoebotId) -> Vec<AmoebotId>,
        choices: &mut dyn Choices,
    ) {
        // First what ends, so that ports are open for what begins.
        for &id in ids {
            let now = neighbours(id);
            let links = self.world().topology().links(node(id));
            let ended: Vec<Port> = links
                .filter(|(_, link)| !now.contains(&AmoebotId(link.peer.0)))
                .map(|(port, _)| port.into())
                .collect();
            for port in ended {
                self.call(Step::Disconnect { node: node(id), port }, choices);
            }
        }
        for &a in ids {
            for b in neighbours(a) {
                if !self.world().topology().adjacent(node(a), node(b)) {
                    let (a_port, b_port) = (self.open_port(a), self.open_port(b));
                    self.call(Step::Connect { a: node(a), a_port, b: node(b), b_port }, choices);
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

    fn holder(&self, id: AmoebotId) -> Option<AmoebotId> {
        self.world().holder_of(node(id)).map(|holder| AmoebotId(holder.0))
    }
}

impl fmt::Debug for MessageLocks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.world().fmt(f)
    }
}
