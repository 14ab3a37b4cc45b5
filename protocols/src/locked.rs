//! Population protocols under local mutual exclusion, on any graph, which may change over time.
//!
//! Section 1 of Daymude, Richa and Scheideler (SAND 2022) names three ways to choose partners: see [`Way`]. In each of
//! them, an agent that holds its lock set interacts in isolation and then unlocks. So the run equals a run in which the
//! interactions happen one after the other.

use acrasin_runtime::choice::{Choices, Decision, pick_index};
use acrasin_runtime::port::Port;
use acrasin_runtime::section::{CriticalSection, Locked};
use acrasin_runtime::world::LockSetRule;

use crate::Protocol;

/// The way in which an agent under locks chooses its partner.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Way {
    /// Lock the closed neighbourhood, then interact with a uniformly random locked neighbour.
    #[default]
    AnyLocked,
    /// Pick a uniformly random neighbour first, and lock only the pair.
    PickedPair,
    /// Lock the closed neighbourhood; all its agents interact at once ([`Protocol::group`]).
    Group,
}

impl Way {
    /// The lock set that a Lock requests.
    #[must_use]
    pub fn lock_set(self) -> LockSetRule {
        match self {
            Self::AnyLocked | Self::Group => LockSetRule::Neighbourhood,
            Self::PickedPair => LockSetRule::Pair,
        }
    }
}

/// The critical section of a population protocol. The agent that locks is the initiator.
///
/// Every agent that has a neighbour wants to interact, again and again. If an agent has no neighbours left when it
/// holds its lock set, it unlocks without an interaction.
///
/// ```
/// use acrasin_protocols::{Table, library::TwoWayEpidemic, locked::{Interactions, Way}};
/// use acrasin_runtime::{
///     exclusion::local::Local, execution::Execution, scheduler::Sequential, Seeded, Setup, Timing, Topology, World,
/// };
/// let table = Table::compile(&TwoWayEpidemic)?;
/// let (ill, well) = (table.state("I").unwrap(), table.state("S").unwrap());
/// let way = Way::AnyLocked;
/// let world = World::new(Setup {
///     exclusion: Local::new(2),
///     section: Interactions::new(table, way),
///     topology: Topology::from_edges(3, 2, &[(0, 1), (1, 2)])?,
///     states: vec![ill, well, well],
///     lock_set: way.lock_set(),
///     timing: Timing::AtOnce,
/// });
/// let mut execution = Execution::new(world, Box::new(Sequential::new()));
/// let mut choices = Seeded::new(1);
/// while execution.world().states() != [ill; 3] {
///     execution.advance(&mut choices, &mut ());
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Interactions<P> {
    protocol: P,
    way: Way,
}

impl<P: Protocol> Interactions<P> {
    /// Creates the critical section of `protocol`.
    #[must_use]
    pub fn new(protocol: P, way: Way) -> Self {
        Self { protocol, way }
    }

    /// The protocol whose interactions run.
    #[must_use]
    pub fn protocol(&self) -> &P {
        &self.protocol
    }

    /// The way of choosing partners.
    #[must_use]
    pub fn way(&self) -> Way {
        self.way
    }

    fn meet(
        &self,
        held: &mut Locked<'_, P::State>,
        port: Port,
        choices: &mut dyn Choices,
    ) -> LockedInteraction<P::State> {
        let (own, other) = held.pair_mut(port).expect("the port was listed");
        let before = [*own, *other];
        (*own, *other) = self.protocol.interact(*own, *other, choices);
        LockedInteraction::Pair { before, after: [*own, *other] }
    }
}

/// The result of one critical section.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LockedInteraction<S> {
    /// The lock set contained no neighbour.
    NoPartner,
    /// Two agents interacted; the initiator is listed first.
    Pair {
        /// The states of both agents before the interaction.
        before: [S; 2],
        /// The states of both agents after the interaction.
        after: [S; 2],
    },
    /// All members of the lock set interacted, which counts as one interaction.
    Group {
        /// The states of each member before and after, the holder first.
        members: Vec<(S, S)>,
    },
}

impl<S: Copy> LockedInteraction<S> {
    /// The number of interactions: 0 or 1.
    #[must_use]
    pub fn count(&self) -> u64 {
        u64::from(!matches!(self, Self::NoPartner))
    }

    /// Calls `change` for every agent that took part, with its states before and after the interaction.
    pub fn for_each_member(&self, mut change: impl FnMut(S, S)) {
        match self {
            Self::NoPartner => {}
            Self::Pair { before, after } => {
                change(before[0], after[0]);
                change(before[1], after[1]);
            }
            Self::Group { members } => {
                for &(before, after) in members {
                    change(before, after);
                }
            }
        }
    }
}

impl<P: Protocol> CriticalSection for Interactions<P> {
    type State = P::State;
    type Outcome = LockedInteraction<P::State>;

    fn wants(&self, _own: &P::State, degree: u16) -> bool {
        degree > 0
    }

    fn enter(
        &self,
        held: &mut Locked<'_, P::State>,
        choices: &mut dyn Choices,
    ) -> LockedInteraction<P::State> {
        match self.way {
            Way::AnyLocked | Way::PickedPair => {
                // A pair has at most one locked neighbour, so there is no draw.
                let partner = match held.neighbour_count() {
                    0 | 1 => held.ports().next(),
                    count => pick_index(choices, count, Decision::Partner).and_then(|i| held.ports().nth(i)),
                };
                partner.map_or(LockedInteraction::NoPartner, |port| self.meet(held, port, choices))
            }
            Way::Group if held.neighbour_count() == 0 => LockedInteraction::NoPartner,
            Way::Group => {
                let ports: Vec<Port> = held.ports().collect();
                let mut own = *held.own();
                let mut others: Vec<P::State> =
                    ports.iter().map(|&port| *held.neighbour(port).expect("the port was listed")).collect();
                let before: Vec<P::State> = std::iter::once(own).chain(others.iter().copied()).collect();
                self.protocol.group(&mut own, &mut others, choices);
                *held.own_mut() = own;
                for (&port, &after) in ports.iter().zip(&others) {
                    *held.neighbour_mut(port).expect("the port was listed") = after;
                }
                let after = std::iter::once(own).chain(others);
                LockedInteraction::Group { members: before.into_iter().zip(after).collect() }
            }
        }
    }
}
