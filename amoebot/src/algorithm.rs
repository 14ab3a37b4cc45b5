//! What an amoebot algorithm is: `label : guard -> operations`.

use std::fmt::{self, Debug};
use std::hash::Hash;

use acrasin_runtime::NodeId;
use acrasin_runtime::choice::Choices;

use crate::body::{Body, End, Port};
use crate::conditions::Convention;
use crate::lattice::Cell;
use crate::operation::{Movement, OperationError};
use crate::orientation::Orientation;
use crate::system::{Amoebot, AtPorts, System};

mod projection;

pub(crate) use projection::Projection;

/// An amoebot algorithm, written as if one amoebot acted at a time.
///
/// An action is a label with a guard and with operations. The guard is a predicate over what the amoebot sees; an
/// action whose guard holds is *enabled*. The operations come in two phases, as the concurrency framework for amoebots
/// demands (Daymude, Richa, Scheideler, DISC 2021): first the amoebot reads and computes, which changes nothing; the
/// result are writes and at most one movement, which are then done together. So an action that fails has no effect.
///
/// ```
/// use acrasin_amoebot::{ActionError, Algorithm, Effects, Order, View};
/// use acrasin_runtime::choice::Choices;
///
/// /// Who has a marked neighbour becomes marked.
/// struct Flood;
///
/// #[derive(Clone, Copy, PartialEq, Eq, Debug)]
/// struct Mark;
///
/// impl Algorithm for Flood {
///     type Memory = bool;
///     type Action = Mark;
///     fn actions(&self) -> &[Mark] {
///         &[Mark]
///     }
///     fn order(&self) -> Order {
///         Order::AsListed
///     }
///     fn enabled(&self, _: Mark, view: &View<'_, bool>) -> bool {
///         !view.own() && view.neighbours().any(|neighbour| *neighbour.memory)
///     }
///     fn execute(
///         &self,
///         _: Mark,
///         _: &View<'_, bool>,
///         _: &mut dyn Choices,
///     ) -> Result<Effects<bool>, ActionError> {
///         Ok(Effects::none().write_own(true))
///     }
/// }
/// ```
pub trait Algorithm {
    /// The public memory of an amoebot.
    type Memory: Clone + Eq + Hash + Debug;
    /// The labels of the actions.
    type Action: Copy + Eq + Debug;

    /// All actions, in the order of the paper.
    fn actions(&self) -> &[Self::Action];

    /// Which of several enabled actions may be executed.
    fn order(&self) -> Order;

    /// The guard of an action. It reads, and has no other effect.
    fn enabled(&self, action: Self::Action, view: &View<'_, Self::Memory>) -> bool;

    /// The operations of an enabled action. A randomised algorithm draws from `choices`, for
    /// [`Decision::Outcome`](acrasin_runtime::choice::Decision::Outcome).
    ///
    /// # Errors
    ///
    /// A read that failed and was not caught, or a step that the algorithm does not define: the action is aborted.
    /// An algorithm is *valid* if this never happens to an enabled action.
    fn execute(
        &self,
        action: Self::Action,
        view: &View<'_, Self::Memory>,
        choices: &mut dyn Choices,
    ) -> Result<Effects<Self::Memory>, ActionError>;

    /// What a memory is after a write: `read` is what the writer had read of it, `written` what it writes, `now` what the
    /// memory is by now. They differ only if others write at the same time, without locks. By default a write sets the
    /// whole memory; algorithms that run without locks keep the variables that the writer has not changed.
    fn after_write(&self, _read: &Self::Memory, written: Self::Memory, _now: &Self::Memory) -> Self::Memory {
        written
    }

    /// The conventions of the concurrency framework that it meets, in every system that it is written for:
    /// [`conditions::conventions`](crate::conditions::conventions) finds out for small ones. By default none is promised.
    fn conventions(&self) -> &'static [Convention] {
        &[]
    }
}

/// Which of several enabled actions of one amoebot may be executed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Order {
    /// The first one in the list. Those after it count as disabled.
    AsListed,
    /// Any of them: the adversary decides.
    Any,
}

/// The actions that an amoebot may execute now, in the order of the list: with [`Order::AsListed`] at most one.
pub fn enabled_actions<'a, A: Algorithm + ?Sized>(
    algorithm: &'a A,
    view: View<'a, A::Memory>,
) -> impl Iterator<Item = A::Action> + 'a {
    let most = match algorithm.order() {
        Order::AsListed => 1,
        Order::Any => usize::MAX,
    };
    algorithm.actions().iter().copied().filter(move |action| algorithm.enabled(*action, &view)).take(most)
}

/// Why an action was aborted. Nothing has changed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub enum ActionError {
    /// An operation failed.
    Operation(OperationError),
    /// The algorithm does not say what to do here.
    Undefined(&'static str),
}

impl From<OperationError> for ActionError {
    fn from(error: OperationError) -> Self {
        Self::Operation(error)
    }
}

impl fmt::Display for ActionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Operation(error) => write!(f, "an operation failed: {error}"),
            Self::Undefined(what) => write!(f, "not defined by the algorithm: {what}"),
        }
    }
}

impl std::error::Error for ActionError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Operation(error) => Some(error),
            Self::Undefined(_) => None,
        }
    }
}

/// What an amoebot sees: its own memory and form, and those of its neighbours by port.
#[derive(Debug)]
pub struct View<'a, M> {
    ground: Ground<'a, M>,
    me: NodeId,
    /// Who is at each port. Looked up once, as guards ask many times.
    at: AtPorts,
}

/// Where the amoebots of a view stand.
struct Ground<'a, M> {
    /// All amoebots of a system; nobody if only a part of their memories is seen. So the look-up that runs in every guard
    /// needs its check of the bounds and nothing more.
    amoebots: &'a [Amoebot<M>],
    /// Whom `amoebots` does not have, and who is where.
    whole: &'a dyn Whole<M>,
}

impl<M> Clone for Ground<'_, M> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<M> Copy for Ground<'_, M> {}

impl<M> fmt::Debug for Ground<'_, M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Ground").finish_non_exhaustive()
    }
}

impl<'a, M> Ground<'a, M> {
    #[inline]
    fn memory(self, id: NodeId) -> &'a M {
        self.amoebots.get(id.index()).map_or_else(|| self.part(id).2, |amoebot| &amoebot.memory)
    }

    #[inline]
    fn body(self, id: NodeId) -> Body {
        self.form(id).0
    }

    #[inline]
    fn form(self, id: NodeId) -> (Body, Orientation) {
        match self.amoebots.get(id.index()) {
            Some(amoebot) => (amoebot.body, amoebot.orientation),
            None => {
                let (body, orientation, _) = self.part(id);
                (body, orientation)
            }
        }
    }

    #[inline]
    fn seen(self, port: Port, id: NodeId) -> Neighbour<'a, M> {
        let (body, memory) = match self.amoebots.get(id.index()) {
            Some(amoebot) => (amoebot.body, &amoebot.memory),
            None => {
                let (body, _, memory) = self.part(id);
                (body, memory)
            }
        };
        Neighbour { port, memory, contracted: body.is_contracted() }
    }

    #[cold]
    #[inline(never)]
    fn part(self, id: NodeId) -> (Body, Orientation, &'a M) {
        self.whole.part(id)
    }
}

/// A system, or what of it is shown.
trait Whole<M> {
    fn part(&self, id: NodeId) -> (Body, Orientation, &M);
    fn occupant(&self, node: Cell) -> Option<NodeId>;
    fn is_object(&self, node: Cell) -> bool;
}

impl<M> Whole<M> for System<M> {
    fn part(&self, id: NodeId) -> (Body, Orientation, &M) {
        let amoebot = self.amoebot(id);
        (amoebot.body, amoebot.orientation, &amoebot.memory)
    }

    fn occupant(&self, node: Cell) -> Option<NodeId> {
        self.occupant(node)
    }

    fn is_object(&self, node: Cell) -> bool {
        self.is_object(node)
    }
}

impl<M> Clone for View<'_, M> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<M> Copy for View<'_, M> {}

/// A neighbour as an amoebot sees it.
#[derive(Debug)]
pub struct Neighbour<'a, M> {
    /// The first port that leads to it.
    pub port: Port,
    /// What it remembers.
    pub memory: &'a M,
    /// Whether it is on one node.
    pub contracted: bool,
}

impl<'a, M> View<'a, M> {
    /// What amoebot `me` sees.
    ///
    /// # Panics
    ///
    /// Panics if there is no such amoebot.
    #[must_use]
    pub fn of(system: &'a System<M>, me: NodeId) -> Self {
        assert!(me.index() < system.len(), "amoebot {me} of {}", system.len());
        Self { ground: Ground { amoebots: system.amoebots(), whole: system }, me, at: system.at_ports(me) }
    }

    /// What amoebot `me` sees if it looks at the amoebots of its lock set only: where others stand, nobody is
    /// connected.
    ///
    /// # Panics
    ///
    /// Panics if there is no such amoebot.
    #[must_use]
    pub fn within(system: &'a System<M>, me: NodeId, lock_set: &'a [NodeId]) -> Self {
        let view = Self::of(system, me);
        Self { at: view.at.within(lock_set), ..view }
    }

    /// Who is at a port.
    #[inline]
    pub(crate) fn id_at(&self, port: Port) -> Option<NodeId> {
        self.at.get(port)
    }

    fn node_at(&self, port: Port) -> Option<Cell> {
        let (body, orientation) = self.ground.form(self.me);
        body.leads_to(port, orientation)
    }

    /// Read(⊥): its own memory.
    #[must_use]
    pub fn own(&self) -> &'a M {
        self.ground.memory(self.me)
    }

    /// Whether it is on one node.
    #[must_use]
    pub fn is_contracted(&self) -> bool {
        self.ground.body(self.me).is_contracted()
    }

    /// Its ports, 6 or 10, in increasing order.
    pub fn ports(&self) -> impl Iterator<Item = Port> + 'a {
        let (body, orientation) = self.ground.form(self.me);
        body.ports(orientation)
    }

    /// Connected(p): whether a neighbour is connected at the port.
    #[must_use]
    pub fn connected(&self, port: Port) -> bool {
        self.id_at(port).is_some()
    }

    /// Whether the node at the port belongs to the object. Nobody is connected there. False if there is no such port.
    #[must_use]
    pub fn object(&self, port: Port) -> bool {
        self.node_at(port).is_some_and(|node| self.ground.whole.is_object(node))
    }

    /// Read(p): the memory of the neighbour at the port.
    ///
    /// # Errors
    ///
    /// Nobody is connected there.
    #[inline]
    pub fn read(&self, port: Port) -> Result<&'a M, OperationError> {
        let id = self.id_at(port).ok_or(OperationError::NotConnected { port })?;
        Ok(self.ground.memory(id))
    }

    /// The neighbour at a port, if there is one.
    #[inline]
    #[must_use]
    pub fn neighbour(&self, port: Port) -> Option<Neighbour<'a, M>> {
        let id = self.id_at(port)?;
        Some(self.ground.seen(port, id))
    }

    /// The neighbours, each once, in the order of the ports: at most 8.
    #[inline]
    pub fn neighbours(&self) -> impl Iterator<Item = Neighbour<'a, M>> + 'a {
        let ground = self.ground;
        self.at.first_ports().map(move |(port, id)| ground.seen(port, id))
    }

    /// Which end of the neighbour at a port is there; the head if it is contracted. `None` if nobody is connected.
    ///
    /// A neighbour's form is public: which of its ports belong to which end.
    #[must_use]
    pub fn end_of_neighbour(&self, port: Port) -> Option<End> {
        let node = self.node_at(port)?;
        self.ground.body(self.ground.whole.occupant(node)?).end_on(node)
    }

    /// Whether an expanded amoebot is next to the node at a port: what this one would see there had it expanded into it.
    /// False if there is no such port.
    ///
    /// This stands for a look after an expansion within one action, as algorithms from before the canonical model have
    /// it. It reaches beyond the neighbours, whom alone an action can lock: an algorithm that uses it is for one amoebot
    /// acting at a time.
    #[must_use]
    pub fn is_expanded_beyond(&self, port: Port) -> bool {
        let beyond = self.node_at(port).into_iter().flat_map(|node| node.neighbours());
        let mut others =
            beyond.filter_map(|cell| self.ground.whole.occupant(cell)).filter(|id| *id != self.me);
        others.any(|id| !self.ground.body(id).is_contracted())
    }

    /// Whether port `theirs` of the neighbour at port `own` leads to this amoebot, and to which of its ends; the head
    /// if it is contracted.
    ///
    /// An amoebot can tell from public knowledge: the neighbour's form, and how the labels of the two relate.
    #[inline]
    #[must_use]
    pub fn pointed_at(&self, own: Port, theirs: Port) -> Option<End> {
        let (body, orientation) = self.ground.form(self.id_at(own)?);
        let node = body.leads_to(theirs, orientation)?;
        self.ground.body(self.me).end_on(node)
    }

    /// The label, 1 to 6, of the way from the tail to the head; `None` if contracted.
    #[must_use]
    pub fn forward(&self) -> Option<u8> {
        let (body, orientation) = self.ground.form(self.me);
        let direction = body.tail().direction_to(body.head())?;
        Some(orientation.label(direction))
    }

    /// The label, 1 to 6, in which this amoebot sees the way from the tail to the head of the neighbour at a port; `None`
    /// if that one is contracted or nobody is connected. A neighbour's form is public.
    #[must_use]
    pub fn forward_of_neighbour(&self, port: Port) -> Option<u8> {
        let theirs = self.ground.body(self.id_at(port)?);
        let direction = theirs.tail().direction_to(theirs.head())?;
        Some(self.ground.form(self.me).1.label(direction))
    }

    /// How the neighbour at `port` calls the direction that this amoebot calls `label`: the same number exactly under
    /// common orientation.
    ///
    /// # Errors
    ///
    /// Nobody is connected there.
    ///
    /// # Panics
    ///
    /// Panics if the label is not 1 to 6.
    pub fn label_of_neighbour(&self, port: Port, label: u8) -> Result<u8, OperationError> {
        let id = self.id_at(port).ok_or(OperationError::NotConnected { port })?;
        let direction = self.ground.form(self.me).1.direction(label);
        Ok(self.ground.form(id).1.label(direction))
    }
}

/// What an action does once it has computed: writes, and at most one movement.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Effects<M> {
    writes: Vec<(Option<Port>, M)>,
    movement: Option<Movement>,
}

impl<M> Effects<M> {
    /// Nothing.
    #[must_use]
    pub const fn none() -> Self {
        Self { writes: Vec::new(), movement: None }
    }

    /// Write(⊥, v): sets its own memory.
    #[must_use]
    pub fn write_own(mut self, memory: M) -> Self {
        self.writes.push((None, memory));
        self
    }

    /// Write(p, v): sets the memory of the neighbour that is at `port` before the movement.
    #[must_use]
    pub fn write(mut self, port: Port, memory: M) -> Self {
        self.writes.push((Some(port), memory));
        self
    }

    /// And then moves.
    ///
    /// # Panics
    ///
    /// Panics if there is a movement already: an action has at most one.
    #[must_use]
    pub fn then(mut self, movement: Movement) -> Self {
        assert!(self.movement.is_none(), "an action has at most one movement");
        self.movement = Some(movement);
        self
    }

    /// The writes, in order; without a port, to itself.
    #[must_use]
    pub fn writes(&self) -> &[(Option<Port>, M)] {
        &self.writes
    }

    /// The movement.
    #[must_use]
    pub fn movement(&self) -> Option<Movement> {
        self.movement
    }

    /// The writes and the movement.
    pub(crate) fn into_parts(self) -> (Vec<(Option<Port>, M)>, Option<Movement>) {
        (self.writes, self.movement)
    }

    /// Does it all, or nothing.
    ///
    /// # Errors
    ///
    /// The first operation that fails, the movement before the writes. The system is unchanged.
    pub fn apply(self, system: &mut System<M>, me: NodeId) -> Result<(), OperationError> {
        let fails = self.movement.and_then(|movement| system.moved(me, movement).err());
        let unconnected = |port: &Option<Port>| port.filter(|port| !system.connected(me, *port));
        if let Some(error) = fails {
            return Err(error);
        }
        if let Some(port) = self.writes.iter().find_map(|(port, _)| unconnected(port)) {
            return Err(OperationError::NotConnected { port });
        }
        for (port, memory) in self.writes {
            system.write(me, port, memory)?;
        }
        self.movement.map_or(Ok(()), |movement| system.perform(me, movement))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair() -> System<u8> {
        let at = |x, memory| Amoebot {
            body: Body::contracted(Cell::new(x, 0).unwrap()),
            orientation: Orientation::COMMON,
            memory,
        };
        System::new(vec![at(0, 10), at(1, 20)]).unwrap()
    }

    #[test]
    fn effects_are_all_or_nothing() {
        let before = pair();
        let occupied =
            Effects::none().write_own(1).write(Port::head(1), 2).then(Movement::Expand(Port::head(1)));
        let unconnected =
            Effects::none().write_own(1).write(Port::head(2), 2).then(Movement::Expand(Port::head(3)));
        for (effects, error) in [
            (occupied, OperationError::Occupied { port: Port::head(1) }),
            (unconnected, OperationError::NotConnected { port: Port::head(2) }),
        ] {
            let mut system = before.clone();
            assert_eq!(effects.apply(&mut system, NodeId(0)), Err(error));
            assert_eq!(system, before);
        }
        let mut system = before.clone();
        let fine = Effects::none().write_own(1).write(Port::head(1), 2).then(Movement::Expand(Port::head(2)));
        fine.apply(&mut system, NodeId(0)).unwrap();
        assert_eq!((system.memory(NodeId(0)), system.memory(NodeId(1))), (&1, &2));
        assert!(!system.body(NodeId(0)).is_contracted());
    }

    #[test]
    fn a_neighbour_is_seen_by_its_head_or_its_tail() {
        let mut system = pair();
        let at = |system: &System<u8>, label| View::of(system, NodeId(0)).end_of_neighbour(Port::head(label));
        assert_eq!((at(&system, 1), at(&system, 2)), (Some(End::Head), None));
        system.expand(NodeId(1), Port::head(3)).unwrap(); // from the east to the north-east
        assert_eq!((at(&system, 1), at(&system, 2)), (Some(End::Tail), Some(End::Head)));
    }

    #[test]
    fn what_is_expanded_beyond_a_free_node_is_seen() {
        let mut system = pair();
        let at =
            |system: &System<u8>, label| View::of(system, NodeId(0)).is_expanded_beyond(Port::head(label));
        assert!(!at(&system, 2));
        system.expand(NodeId(1), Port::head(1)).unwrap(); // away to the east
        assert_eq!(
            [1, 2, 3, 4, 5, 6].map(|label| at(&system, label)),
            [true, true, false, false, false, true]
        );
        // Oneself does not count.
        system.contract(NodeId(1), End::Head).unwrap();
        system.expand(NodeId(0), Port::head(4)).unwrap();
        assert!(Port::all().all(|port| !View::of(&system, NodeId(0)).is_expanded_beyond(port)));
        assert!(View::of(&system, NodeId(1)).is_expanded_beyond(Port::head(3)));
    }

    #[test]
    #[should_panic(expected = "at most one movement")]
    fn a_second_movement_is_refused() {
        let _ = Effects::<()>::none().then(Movement::Contract(End::Tail)).then(Movement::Contract(End::Head));
    }
}
