//! Lock and Unlock by message passing, on the contact graph that changes as amoebots move.
//!
//! The locks run in a [`World`] with one node per amoebot and eight ports per node. By default the world executes the
//! local mutual exclusion of Daymude, Richa and Scheideler (SAND 2022), with all its messages and actions, under any
//! scheduler. A movement is a list of Disconnect and Connect steps. A Lock waits until it is granted, and never fails.

use std::fmt;

use crate::model::id::AmoebotId;
use acrasin_runtime::choice::Choices;
use acrasin_runtime::exclusion::local::Local;
use acrasin_runtime::exclusion::{AssumptionError, Exclusion, Guarantee, InitialKnowledge};
use acrasin_runtime::execution::{Advance, Execution};
use acrasin_runtime::lock::Outside;
use acrasin_runtime::pack::{Pack, PackError, Saved};
use acrasin_runtime::scheduler::{Scheduler, WeaklyFair};
use acrasin_runtime::{
    LockSetRequest, LockSetRule, NodeId, Observer, Port, Setup, Status, Step, StepError, StepOf, Timing,
    Topology, Violation, World,
};

use super::locks::{LockOutcome, Locks, SavedLocks};
use crate::model::system::System;

/// The maximum number of neighbours of an amoebot: the Δ of the lock algorithm.
pub const NEIGHBOURS_MAX: u16 = 8;

/// Mutual exclusion among amoebots: Lock, Unlock and movements as steps of an underlying world. [`MessageLocks`]
/// runs it under a scheduler; [`EveryMessage`](super::every_message::EveryMessage) is for exploring every
/// interleaving.
#[derive(Clone)]
pub struct Carrier<E: Exclusion, B> {
    pub(super) below: B,
    /// Pending calls of amoebots whose nodes must first send the messages of their last step.
    pub(super) calls: Vec<StepOf<E>>,
}

/// Mutual exclusion among amoebots under a scheduler, by the local algorithm or by any other algorithm in which a
/// holder locks its neighbours. The observer `O` sees every message.
pub type MessageLocks<E = Local, O = ()> = Carrier<E, Driven<E, O>>;

/// A world that executes a lock algorithm, with or without a scheduler.
pub trait LockWorld<E: Exclusion> {
    /// The world in its current state.
    fn world(&self) -> &World<E, Outside<()>>;

    /// Executes a step that an amoebot requests.
    ///
    /// # Errors
    ///
    /// The step cannot happen now; nothing has changed.
    fn apply(&mut self, step: &StepOf<E>, choices: &mut dyn Choices) -> Result<(), StepError>;

    /// Executes a step that the scheduler chooses; does nothing if there is no scheduler.
    fn advance(&mut self, choices: &mut dyn Choices) -> Advance;

    /// All possible next steps if there is no scheduler; otherwise an empty list.
    fn offered(&self) -> Vec<StepOf<E>> {
        Vec::new()
    }
}

/// A world with a scheduler and an observer.
pub struct Driven<E: Exclusion, O> {
    execution: Execution<E, Outside<()>>,
    observer: O,
}

impl<E: Exclusion, O: Observer<E, Outside<()>>> LockWorld<E> for Driven<E, O> {
    fn world(&self) -> &World<E, Outside<()>> {
        self.execution.world()
    }

    fn apply(&mut self, step: &StepOf<E>, choices: &mut dyn Choices) -> Result<(), StepError> {
        self.execution.apply(step, choices, &mut self.observer)
    }

    fn advance(&mut self, choices: &mut dyn Choices) -> Advance {
        self.execution.advance(choices, &mut self.observer)
    }
}

/// Errors of using an exclusion algorithm for amoebots.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NotCarried {
    /// The graph or the initial knowledge violates an assumption of the algorithm.
    #[error(transparent)]
    Assumption(AssumptionError),
    /// A holder of the algorithm does not lock its neighbours: the algorithm only limits how many nodes near each node
    /// are in their critical sections.
    #[error(
        "an action reads and writes neighbours, but a process inside does not hold them (accepted: at most one inside in each closed neighbourhood)"
    )]
    NeighboursNotHeld,
    /// A node starts in its critical section, although no amoebot has begun an action.
    #[error("an amoebot is in its critical section at the start, before any amoebot acts")]
    StartsInside,
}

/// The node of an amoebot in the contact graph.
fn node(id: AmoebotId) -> NodeId {
    NodeId(id.0)
}

/// The contact graph of a system: a node for each amoebot, an edge for each pair of neighbours.
#[must_use]
pub fn contact_graph<M>(system: &System<M>) -> Topology {
    let edges: Vec<(u32, u32)> = system
        .ids()
        .flat_map(|id| system.neighbours(id).map(move |neighbour| (id.0, neighbour.0)))
        .filter(|(a, b)| a < b)
        .collect();
    let n = u32::try_from(system.len()).expect("identities have 32 bits");
    Topology::from_edges(n, NEIGHBOURS_MAX, &edges).expect("no amoebot has more than eight neighbours")
}

impl MessageLocks {
    /// Local mutual exclusion with the repaired rules on the [contact graph](contact_graph) of the system, with
    /// no amoebot locked. The scheduler delivers messages and lets nodes act, and is kept weakly fair.
    #[must_use]
    pub fn new<M>(system: &System<M>, scheduler: Box<dyn Scheduler<Local, Outside<()>>>) -> Self {
        let seated = Self::with_knowledge(
            Local::new(NEIGHBOURS_MAX),
            (contact_graph(system), &InitialKnowledge::default()),
            scheduler,
        );
        seated.expect("local mutual exclusion assumes nothing")
    }
}

impl<E: Exclusion> MessageLocks<E> {
    /// Locks by any exclusion algorithm, for a contact graph and the initial knowledge of its nodes.
    ///
    /// An algorithm for static graphs works as long as no amoebot moves. With a token, one amoebot at a time locks all
    /// other amoebots. With at most one critical section per closed neighbourhood, a holder locks its neighbours.
    ///
    /// # Errors
    ///
    /// [`NotCarried`]: an assumption of the algorithm is violated, or a holder does not lock its neighbours.
    pub fn with_knowledge(
        exclusion: E,
        (topology, seating): (Topology, &InitialKnowledge),
        scheduler: Box<dyn Scheduler<E, Outside<()>>>,
    ) -> Result<Self, NotCarried> {
        let bound = 16 * (u64::from(topology.node_count()) + topology.edge_count() + 1);
        let world = world_of(exclusion, (topology, seating), scheduler.timing())?;
        let execution = Execution::new(world, scheduler).with_fairness(WeaklyFair::with_bound(bound));
        Ok(Self::over(Driven { execution, observer: () }))
    }

    /// Adds an observer, which sees every message from now on. The observer does not change the run.
    #[must_use]
    pub fn with_observer<O: Observer<E, Outside<()>>>(self, observer: O) -> MessageLocks<E, O> {
        let below = Driven { execution: self.below.execution, observer };
        Carrier { below, calls: self.calls }
    }
}

impl<E: Exclusion, O> MessageLocks<E, O> {
    /// The observer of the lock layer.
    #[must_use]
    pub fn observer(&self) -> &O {
        &self.below.observer
    }
}

impl<E, O> SavedLocks for MessageLocks<E, O>
where
    E: Exclusion<Memory: Pack, Message: Pack, Action: Pack>,
    O: Observer<E, Outside<()>> + Saved,
{
    fn save(&self, into: &mut Vec<u8>) -> bool {
        let Driven { execution, observer } = &self.below;
        // The graph changes without an adversary, as amoebots move.
        self.calls.pack(into);
        observer.save(into);
        execution.save_with_graph(into)
    }

    fn load(&mut self, from: &mut &[u8]) -> Result<(), PackError> {
        let Driven { execution, observer } = &mut self.below;
        self.calls.unpack_into(from)?;
        observer.load(from)?;
        execution.load_with_graph(from)?;
        let nodes = execution.world().topology().node_count();
        let is_known = |step: &StepOf<E>| step.actor().is_some_and(|actor| actor.0 < nodes);
        if self.calls.iter().all(is_known) { Ok(()) } else { Err(PackError) }
    }
}

/// A world with a node for each amoebot, in which no amoebot acts yet.
pub(super) fn world_of<E: Exclusion>(
    exclusion: E,
    (topology, seating): (Topology, &InitialKnowledge),
    timing: Timing,
) -> Result<World<E, Outside<()>>, NotCarried> {
    if exclusion.promises() == Guarantee::AtLeastAtMost && !exclusion.holds_neighbours() {
        return Err(NotCarried::NeighboursNotHeld);
    }
    let states = vec![(); topology.node_count() as usize];
    let section = Outside::default();
    let setup = Setup { exclusion, section, states, topology, lock_set: LockSetRule::Neighbourhood, timing };
    let world = World::with_knowledge(setup, seating).map_err(NotCarried::Assumption)?;
    if world.topology().nodes().any(|node| world.status(node) != Status::Idle) {
        return Err(NotCarried::StartsInside);
    }
    Ok(world)
}

impl<E: Exclusion, B: LockWorld<E>> Carrier<E, B> {
    /// Creates locks on top of this world, in which no call is pending.
    pub(super) fn over(below: B) -> Self {
        Self { below, calls: Vec::new() }
    }

    /// The underlying world: its graph, its messages, and any violations.
    #[must_use]
    pub fn world(&self) -> &World<E, Outside<()>> {
        self.below.world()
    }

    /// Checks that the lock algorithm has kept its guarantee.
    ///
    /// # Errors
    ///
    /// The first violation.
    pub fn check(&self) -> Result<(), Violation> {
        self.world().check()
    }

    /// Executes a step now, or as soon as the node has sent the messages of its last step.
    fn call(&mut self, step: StepOf<E>, choices: &mut dyn Choices) {
        match self.below.apply(&step, choices) {
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

impl<E: Exclusion, B: LockWorld<E>> Locks for Carrier<E, B> {
    const ISOLATES: bool = true;

    fn lock(&mut self, id: AmoebotId, _: &[AmoebotId], choices: &mut dyn Choices) -> LockOutcome {
        self.call(Step::Lock { node: node(id), claim: LockSetRequest::Neighbourhood }, choices);
        LockOutcome::Waits
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

    /// Does nothing, because a member is unlocked when it loses its link to the holder.
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
        // First the ended links, which frees ports for the new ones.
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
        match self.below.advance(choices) {
            Advance::Advanced | Advance::Held => true,
            Advance::Quiescent => false,
            Advance::Violated => {
                let violation = self.check().expect_err("just reported");
                panic!("the lock algorithm has broken a promise: {violation}")
            }
        }
    }

    fn ways(&self) -> usize {
        self.below.offered().len()
    }

    fn take(&mut self, way: usize, choices: &mut dyn Choices) -> AmoebotId {
        let step = self.below.offered()[way];
        self.call(step, choices);
        AmoebotId(step.actor().expect("the graph changes with a movement only").0)
    }

    fn bytes_owned(&self) -> usize {
        self.world().bytes()
    }

    fn keeps_its_promise(&self) -> bool {
        self.check().is_ok()
    }

    fn holder(&self, id: AmoebotId) -> Option<AmoebotId> {
        let (world, node) = (self.world(), node(id));
        let holder = match world.exclusion().promises() {
            // At most one node per closed neighbourhood is in its critical section, so it holds its neighbours.
            Guarantee::AtLeastAtMost => {
                let near = world.topology().links(node).map(|(_, link)| link.peer);
                std::iter::once(node).chain(near).find_map(|near| world.holder_of(near))
            }
            _ => world.holder_of(node),
        };
        holder.map(|holder| AmoebotId(holder.0))
    }
}

impl<E: Exclusion, B: LockWorld<E>> fmt::Debug for Carrier<E, B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.world().fmt(f)
    }
}
