//! Universal coating: everybody comes to stand round an object of any form, layer by layer from the inside.
//!
//! Source of the problem: Derakhshandeh, Gmyr, Richa, Scheideler, Strothmann, "Universal coating for programmable matter",
//! TCS 2017; the text of the paper was not compared. The solution is another one, derived by us; what of the paper is
//! missing in it is said below.
//!
//! Layer k is the nodes at distance k from the object: a ring, as [`start`](UniversalCoating::start) makes sure. An amoebot
//! is *settled* when it knows the layer of its node modulo 4 and which of its ports lead to the layer below. In an odd
//! layer the *next* node is the first one clockwise of these ports, in an even layer counter-clockwise; the node *behind*
//! is the first one the other way round; all further ports lead *above*. So a settled amoebot can tell each neighbour on
//! which side of it that one is.
//!
//! | action | guard | operations |
//! |---|---|---|
//! | settle | contracted, inactive or follower; beside the object, or settled neighbours below without a gap | parent := none in layer 1, else a port to one below; settled |
//! | follow | inactive; a neighbour is active | parent := a port to it; follower |
//! | follow up | contracted; the port to its parent leads to the tail of an expanded one | parent := the way to the head of that one; follower; Push it |
//! | complain | settled without complaint; a child above, or one settled behind with a complaint | complaint |
//! | advance | settled with a complaint; the next node is empty, what is below both is the object or settled | parent := what is below both, if not the object; follower; Expand to the next |
//! | retract | expanded; no inactive neighbour, no tail-child | Contract(tail) |
//!
//! A child of A is a neighbour whose parent port leads to A; it is a tail-child if it leads to the tail, and it is above if
//! its head is. *Without a gap* means: beside the ports that lead to settled amoebots of the layer below there is none that
//! leads to an empty or unsettled node of that layer, which those amoebots can tell.
//!
//! Deviations. The paper elects a leader on the first layer once that is full, by coins; the leader marks where the second
//! layer begins, and layers retire one behind another from their markers. Here is no leader, no marker, no retirement, and
//! no coin: each layer is filled by complaints as the first one is, for on a full layer nobody can move any more, whether
//! it knows or not. What is lost: nobody ever knows that a layer is full or that all is done, though all comes to rest. In
//! the paper a complaint is a token, at most two an amoebot, that is handed on; here it is a flag that is copied to the
//! one ahead, one an amoebot, and that whoever holds it uses up when it moves. Tokens that are left would go round a full
//! ring for ever; on a full ring flags come to rest. Complaints are made for whoever is above, not for children in the
//! same layer, which exist for a while after a handover: they settle without it. An amoebot drops to the layer below only
//! as a child that follows its parent, never on its own into a gap. That layers move in opposite ways is the paper's; the
//! arguments below do not use it. Where "some" neighbour is meant, it is the first port. Rotations are the amoebot's own,
//! so it needs common chirality.
//!
//! Cost. The paper has O(n) rounds with high probability. Here they are more: for each one that is let in, all ahead of it
//! move on a step, each by a flag of its own that has come all the way. A column of n on one cell takes 69, 253, 659, 1825
//! rounds of round robin for n = 10, 20, 40, 80, about n^1.5; on a long wall 120, 525, 2235 for n = 10, 20, 40, about n^2,
//! as [coating](crate::coating) does.
//!
//! Why runs end, under every schedule (a sketch; the tests explore small systems). Parents of those that have settled once
//! are in a lower layer, or after a handover in the same one; so they never come to a higher layer, and from some time on
//! they stay in theirs. Who has not settled yet follows a path of its tree to one that has, and moves only after that one.
//! Nobody is above the uppermost layer, so there flags are only copied; who moves arrives without one, so each flag makes
//! finitely many moves. Once those above of a layer rest they keep their parents, and whoever has such a child cannot go on,
//! as the child would have to follow into its layer; the others of the layer move until they are held up by it. So layer
//! after layer from above comes to rest.
//!
//! Why they end right. In the innermost layer with a gap all are settled. If somebody is farther out, its path to the object
//! enters this layer somewhere: that parent has a child above, the complaint is copied up to one behind a gap, and that one
//! can move.

mod layers;
mod start;

pub use layers::{LAYER_CELLS_MAX, layers};
pub use start::UniversalCoatingError;

use acrasin_runtime::choice::Choices;

use crate::algorithm::{ActionError, Algorithm, Effects, Order, View};
use crate::body::{End, Port};
use crate::conditions::Convention;
use crate::lattice::Rotation;
use crate::operation::Movement;

/// The ports of a settled amoebot that lead to the layer below, or to the object: one after another round the node.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Below(u8);

/// On which side of a settled amoebot a node beside it is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Side {
    /// One layer down.
    Below,
    /// In the same layer, next or behind.
    Beside,
    /// One layer up.
    Above,
}

impl Below {
    fn of(ports: impl Iterator<Item = Port>) -> Self {
        Self(ports.fold(0, |bits, port| bits | Self::bit(port)))
    }

    const fn bit(port: Port) -> u8 {
        1 << (port.label() - 1)
    }

    /// Whether the port with this label leads below.
    #[must_use]
    pub const fn contains(self, port: Port) -> bool {
        self.0 & Self::bit(port) != 0
    }

    /// On which side the node at the port with this label is.
    #[must_use]
    pub fn side(self, port: Port) -> Side {
        if self.contains(port) {
            Side::Below
        } else if BOTH_WAYS.iter().any(|&way| self.contains(port.turned(way))) {
            Side::Beside
        } else {
            Side::Above
        }
    }

    /// The last port below, that way round: the one after it leads to the same layer.
    fn last(self, way: Rotation) -> Option<Port> {
        Port::at(End::Head).find(|port| self.contains(*port) && !self.contains(port.turned(way)))
    }
}

const BOTH_WAYS: [Rotation; 2] = [Rotation::Counterclockwise, Rotation::Clockwise];

/// What a settled amoebot knows of its node, and its complaint.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Place {
    /// The layer modulo 4; the first one is 1.
    pub layer: u8,
    /// Where the layer below is.
    pub below: Below,
    /// The port to the one it follows; nobody in layer 1.
    pub parent: Option<Port>,
    /// Whether somebody above, or above of those behind, wants down.
    pub complaint: bool,
}

impl Place {
    /// Which way round the layer moves: odd ones clockwise, even ones counter-clockwise.
    const fn way(self) -> Rotation {
        if self.layer % 2 == 1 { Rotation::Clockwise } else { Rotation::Counterclockwise }
    }

    /// The ports to the next node, and to what is below both nodes.
    fn next(self) -> Option<(Port, Port)> {
        let last = self.below.last(self.way())?;
        Some((last.turned(self.way()), last))
    }

    /// The port to the node behind.
    fn behind(self) -> Option<Port> {
        let back = opposite(self.way());
        Some(self.below.last(back)?.turned(back))
    }
}

const fn opposite(way: Rotation) -> Rotation {
    match way {
        Rotation::Clockwise => Rotation::Counterclockwise,
        Rotation::Counterclockwise => Rotation::Clockwise,
    }
}

/// The public memory.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Memory {
    /// Not part of a tree yet.
    Inactive,
    /// Follows its parent, or is about to settle.
    Follower {
        /// The port to the one it follows; nobody in layer 1.
        parent: Option<Port>,
    },
    /// Contracted, in a layer.
    Settled(Place),
}

impl Memory {
    /// The port to the one it follows.
    #[must_use]
    pub const fn parent(&self) -> Option<Port> {
        match *self {
            Self::Inactive => None,
            Self::Follower { parent } | Self::Settled(Place { parent, .. }) => parent,
        }
    }

    /// Its place, if it is settled.
    #[must_use]
    pub const fn place(&self) -> Option<Place> {
        match *self {
            Self::Settled(place) => Some(place),
            Self::Inactive | Self::Follower { .. } => None,
        }
    }
}

/// The labels of the actions.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Action {
    /// Takes its place in a layer.
    Settle,
    /// Becomes a follower.
    Follow,
    /// Pushes the parent.
    FollowUp,
    /// Makes a complaint, or copies the one behind.
    Complain,
    /// Expands along the layer.
    Advance,
    /// Contracts.
    Retract,
}

/// Universal coating. Final: everybody is contracted, and all layers are full but perhaps the outermost one that is used,
/// under every sequential schedule, fair or not, if chirality is common and the start is one that
/// [`start`](Self::start) accepts. The tests explore all schedules of small systems.
///
/// ```
/// use acrasin_amoebot::execution::{Execution, Uniform};
/// use acrasin_amoebot::{Cell, Direction, UniversalCoating, start};
/// use acrasin_runtime::Seeded;
///
/// // Thirty in a row outside of a bar of three cells, which ten can touch: two layers, and four are left.
/// let bar = start::line(Cell::ORIGIN, Direction::West, 3)?;
/// let row = start::line(Cell::new(1, 0)?, Direction::East, 30)?;
/// let mut execution = Execution::new(&UniversalCoating, UniversalCoating::start(&row, &bar, &[])?);
/// assert!(execution.run(1_000_000, &mut Uniform, &mut Seeded::new(1)));
/// assert!(UniversalCoating::is_finished(execution.system()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct UniversalCoating;

impl Algorithm for UniversalCoating {
    type Memory = Memory;
    type Action = Action;

    fn actions(&self) -> &[Action] {
        &[
            Action::Settle,
            Action::Follow,
            Action::FollowUp,
            Action::Complain,
            Action::Advance,
            Action::Retract,
        ]
    }

    fn order(&self) -> Order {
        Order::AsListed
    }

    fn enabled(&self, action: Action, a: &View<'_, Memory>) -> bool {
        let own = a.own();
        match action {
            Action::Settle => own.place().is_none() && place(a).is_some(),
            Action::Follow => *own == Memory::Inactive && a.neighbours().any(|b| is_active(b.memory)),
            Action::FollowUp => {
                a.is_contracted() && own.parent().is_some_and(|parent| is_tail_of_expanded(a, parent))
            }
            Action::Complain => own.place().is_some_and(|place| {
                !place.complaint && (has_child_above(a, place) || complains_behind(a, place))
            }),
            Action::Advance => {
                own.place().is_some_and(|place| place.complaint && way_ahead(a, place).is_some())
            }
            Action::Retract => {
                !a.is_contracted() && a.neighbours().all(|b| is_active(b.memory)) && !has_tail_child(a)
            }
        }
    }

    fn execute(
        &self,
        action: Action,
        a: &View<'_, Memory>,
        _: &mut dyn Choices,
    ) -> Result<Effects<Memory>, ActionError> {
        let own = *a.own();
        let own_place = || own.place().ok_or(ActionError::Undefined("not settled"));
        Ok(match action {
            Action::Settle => {
                let place = place(a).ok_or(ActionError::Undefined("no place to settle"))?;
                Effects::none().write_own(Memory::Settled(place))
            }
            Action::Follow => {
                let parent = a.neighbours().find(|b| is_active(b.memory)).map(|b| b.port);
                Effects::none().write_own(Memory::Follower { parent })
            }
            Action::FollowUp => {
                let parent = own.parent().ok_or(ActionError::Undefined("nobody to follow"))?;
                let forward = a.forward_of_neighbour(parent);
                let forward = forward.ok_or(ActionError::Undefined("a contracted parent is pushed"))?;
                let behind = Memory::Follower { parent: Some(Port::head(forward)) };
                Effects::none().write_own(behind).then(Movement::Push(parent))
            }
            Action::Complain => {
                Effects::none().write_own(Memory::Settled(Place { complaint: true, ..own_place()? }))
            }
            Action::Advance => {
                let place = own_place()?;
                let (next, below) = way_ahead(a, place).ok_or(ActionError::Undefined("no way ahead"))?;
                // Seen from the next node, what is below both is one port further back.
                let parent = a.connected(below).then(|| below.turned(opposite(place.way())));
                Effects::none().write_own(Memory::Follower { parent }).then(Movement::Expand(next))
            }
            Action::Retract => Effects::none().then(Movement::Contract(End::Tail)),
        })
    }

    fn conventions(&self) -> &'static [Convention] {
        // Inactive amoebots follow the first neighbour that they can, and a newcomer can be first.
        Convention::NOT_MONOTONE
    }
}

fn is_active(memory: &Memory) -> bool {
    *memory != Memory::Inactive
}

/// The place of a settled neighbour, and its port that leads here.
fn settled_at(a: &View<'_, Memory>, port: Port) -> Option<(Place, Port)> {
    let place = a.read(port).ok()?.place()?;
    let opposite = (0..3).fold(port, |port, _| port.turned(Rotation::Clockwise));
    let label = a.label_of_neighbour(port, opposite.label()).ok()?;
    Some((place, Port::head(label)))
}

/// The place of a contracted amoebot, if it can tell: beside the object, or on settled ones of a layer without a gap.
fn place(a: &View<'_, Memory>) -> Option<Place> {
    if !a.is_contracted() {
        return None;
    }
    let object = Below::of(Port::at(End::Head).filter(|port| a.object(*port)));
    if object != Below(0) {
        return Some(Place { layer: 1, below: object, parent: None, complaint: false });
    }
    let lower = |port| settled_at(a, port).filter(|(place, here)| place.below.side(*here) == Side::Above);
    let below = Below::of(Port::at(End::Head).filter(|port| lower(*port).is_some()));
    let mut parent = None;
    for port in Port::at(End::Head) {
        let Some((there, here)) = lower(port) else { continue };
        // The node beside both is one port further there, the other way round.
        let ends = |way| there.below.side(here.turned(opposite(way))) == Side::Above;
        if !BOTH_WAYS.iter().all(|&way| below.contains(port.turned(way)) || ends(way)) {
            return None;
        }
        parent = parent.or(Some((port, there.layer)));
    }
    let (port, layer) = parent?;
    Some(Place { layer: (layer + 1) % 4, below, parent: Some(port), complaint: false })
}

/// The port leads to the tail of an expanded neighbour.
fn is_tail_of_expanded(a: &View<'_, Memory>, port: Port) -> bool {
    a.end_of_neighbour(port) == Some(End::Tail)
}

/// To which end of A the parent port of the neighbour at `port` leads.
fn child_of(a: &View<'_, Memory>, port: Port) -> Option<End> {
    a.pointed_at(port, a.read(port).ok()?.parent()?)
}

fn has_child_above(a: &View<'_, Memory>, place: Place) -> bool {
    let is_above = |port: &Port| place.below.side(*port) == Side::Above;
    let is_head = |port: &Port| a.end_of_neighbour(*port) == Some(End::Head);
    Port::at(End::Head).filter(is_above).filter(is_head).any(|port| child_of(a, port).is_some())
}

fn complains_behind(a: &View<'_, Memory>, place: Place) -> bool {
    let behind = place.behind().and_then(|port| a.read(port).ok());
    behind.and_then(Memory::place).is_some_and(|behind| behind.complaint)
}

/// The ports to the next node, if it is empty, and to what is below both, if that is the object or settled.
fn way_ahead(a: &View<'_, Memory>, place: Place) -> Option<(Port, Port)> {
    let (next, below) = place.next()?;
    let holds = a.object(below) || settled_at(a, below).is_some();
    (holds && !a.connected(next)).then_some((next, below))
}

fn has_tail_child(a: &View<'_, Memory>) -> bool {
    a.neighbours().any(|b| child_of(a, b.port) == Some(End::Tail))
}
