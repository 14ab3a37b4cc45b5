//! Lock and Unlock by message passing, on the graph that the amoebots move.
//!
//! Underneath is a [`World`] with an amoebot a node and eight ports a node: the local mutual exclusion of Daymude, Richa
//! and Scheideler (SAND 2022), every message and every action of it, under any scheduler. A movement is a list of
//! Disconnect and Connect steps. Here Lock waits and never fails.

use std::fmt;

use crate::model::id::AmoebotId;
use acrasin_runtime::choice::Choices;
use acrasin_runtime::exclusion::local::Local;
use acrasin_runtime::exclusion::{Exclusion, Guarantee, Seating, Unmet};
use acrasin_runtime::execution::{Advance, Execution};
use acrasin_runtime::lock::Outside;
use acrasin_runtime::scheduler::{Fairness, Scheduler};
use acrasin_runtime::{
    Claim, LockSetRule, NodeId, Observer, Port, Setup, Status, Step, StepError, StepOf, Timing, Topology,
    Violation, World,
};

use super::locks::{Lock, Locks};
use crate::model::system::System;

/// An amoebot has at most so many neighbours: the Δ of the lock algorithm.
pub const NEIGHBOURS_MAX: u16 = 8;

/// Mutual exclusion among amoebots in the world below, whoever decides what happens there: Lock, Unlock and movements as steps of that
/// world. [`MessageLocks`] in a run, [`EveryMessage`](super::every_message::EveryMessage) where every interleaving is explored.
#[derive(Clone)]
pub struct Carrier<E: Exclusion, B> {
    below: B,
    /// Calls of amoebots that still have messages of their last step to send.
    calls: Vec<StepOf<E>>,
}

/// Mutual exclusion among amoebots: local, or another that gives a holder its neighbours. `O` looks on at every message.
pub type MessageLocks<E = Local, O = ()> = Carrier<E, Driven<E, O>>;

/// The world below.
pub trait Below<E: Exclusion> {
    /// The world now.
    fn world(&self) -> &World<E, Outside<()>>;

    /// Does a step that an amoebot asks for.
    ///
    /// # Errors
    ///
    /// It cannot happen now; nothing has changed then.
    fn apply(&mut self, step: &StepOf<E>, choices: &mut dyn Choices) -> Result<(), StepError>;

    /// Does a step that nobody asks for, if anybody decides which.
    fn advance(&mut self, choices: &mut dyn Choices) -> Advance;

    /// Every step that could be next, if nobody decides.
    fn offered(&self) -> Vec<StepOf<E>> {
        Vec::new()
    }
}

/// A world with a scheduler, and who looks on.
pub struct Driven<E: Exclusion, O> {
    execution: Execution<E, Outside<()>>,
    observer: O,
}

impl<E: Exclusion, O: Observer<E, Outside<()>>> Below<E> for Driven<E, O> {
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

/// Why an algorithm does not carry amoebots.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum NotCarried {
    /// The graph, or what is given, is not what it assumes.
    Unmet(Unmet),
    /// It promises how many are inside near every node; whoever is inside does not hold its neighbours.
    NeighboursNotHeld,
    /// Somebody is inside at the start, and nobody acts there yet.
    StartsInside,
}

impl fmt::Display for NotCarried {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unmet(unmet) => unmet.fmt(f),
            Self::NeighboursNotHeld => f.write_str(
                "an action reads and writes neighbours, and whoever is inside does not hold them: of each closed neighbourhood at most one \
                 may be inside",
            ),
            Self::StartsInside => f.write_str("no amoebot acts at the start, and one is inside"),
        }
    }
}

impl std::error::Error for NotCarried {}

/// The node of the communication graph that this amoebot is.
fn node(id: AmoebotId) -> NodeId {
    NodeId(id.0)
}

/// Who is next to whom, an amoebot a node.
///
/// # Panics
///
/// Never: a system has no more amoebots than a graph may have nodes, and none has more than eight neighbours.
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
    /// The [graph](contact_graph) of the system, with no amoebot locked, and the repaired rules of local mutual exclusion. The scheduler
    /// delivers messages and lets nodes act; it is kept weakly fair.
    #[must_use]
    pub fn new<M>(system: &System<M>, scheduler: Box<dyn Scheduler<Local, Outside<()>>>) -> Self {
        let seated =
            Self::seated(Local::new(NEIGHBOURS_MAX), (contact_graph(system), &Seating::default()), scheduler);
        seated.expect("local mutual exclusion assumes nothing")
    }
}

impl<E: Exclusion> MessageLocks<E> {
    /// The same with another algorithm, for the contact graph of a system and what its nodes are given.
    ///
    /// An algorithm for static graphs carries amoebots as long as none moves. A token holds everybody for one amoebot at a time;
    /// sections of which at most one is inside each closed neighbourhood hold the neighbours.
    ///
    /// # Errors
    ///
    /// [`NotCarried`]: the graph, or what is given, is not what the algorithm assumes; or a holder does not hold its neighbours.
    pub fn seated(
        exclusion: E,
        (topology, seating): (Topology, &Seating),
        scheduler: Box<dyn Scheduler<E, Outside<()>>>,
    ) -> Result<Self, NotCarried> {
        let bound = 16 * (u64::from(topology.node_count()) + topology.edge_count() + 1);
        let world = world_of(exclusion, (topology, seating), scheduler.timing())?;
        let execution = Execution::new(world, scheduler).with_fairness(Fairness::within(bound));
        Ok(Self::over(Driven { execution, observer: () }))
    }

    /// The same locks, and who looks on from now: it changes nothing.
    #[must_use]
    pub fn with_observer<O: Observer<E, Outside<()>>>(self, observer: O) -> MessageLocks<E, O> {
        let below = Driven { execution: self.below.execution, observer };
        Carrier { below, calls: self.calls }
    }
}

impl<E: Exclusion, O> MessageLocks<E, O> {
    /// Who looks on.
    #[must_use]
    pub fn observer(&self) -> &O {
        &self.below.observer
    }
}

/// A world in which nobody acts yet: an amoebot a node.
pub(super) fn world_of<E: Exclusion>(
    exclusion: E,
    (topology, seating): (Topology, &Seating),
    timing: Timing,
) -> Result<World<E, Outside<()>>, NotCarried> {
    if exclusion.promises() == Guarantee::AtLeastAtMost && !exclusion.holds_neighbours() {
        return Err(NotCarried::NeighboursNotHeld);
    }
    let states = vec![(); topology.node_count() as usize];
    let section = Outside::default();
    let setup = Setup { exclusion, section, states, topology, lock_set: LockSetRule::Neighbourhood, timing };
    let world = World::seated(setup, seating).map_err(NotCarried::Unmet)?;
    if world.topology().nodes().any(|node| world.status(node) != Status::Idle) {
        return Err(NotCarried::StartsInside);
    }
    Ok(world)
}

impl<E: Exclusion, B: Below<E>> Carrier<E, B> {
    /// Over this world.
    pub(super) fn over(below: B) -> Self {
        Self { below, calls: Vec::new() }
    }

    /// The world below: its graph, its messages, what they have broken if anything.
    #[must_use]
    pub fn world(&self) -> &World<E, Outside<()>> {
        self.below.world()
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

impl<E: Exclusion, B: Below<E>> Locks for Carrier<E, B> {
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
            // Counted is who is inside; whoever is holds its neighbours.
            Guarantee::AtLeastAtMost => {
                let near = world.topology().links(node).map(|(_, link)| link.peer);
                std::iter::once(node).chain(near).find_map(|near| world.holder_of(near))
            }
            _ => world.holder_of(node),
        };
        holder.map(|holder| AmoebotId(holder.0))
    }
}

impl<E: Exclusion, B: Below<E>> fmt::Debug for Carrier<E, B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.world().fmt(f)
    }
}
