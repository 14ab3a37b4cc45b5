//! Views: everything that an amoebot sees.

use std::fmt;

use crate::model::id::AmoebotId;

use crate::model::body::{AmoebotPort, Body, End};
use crate::model::lattice::Cell;
use crate::model::near::{FirstPorts, at_end};
use crate::model::occupancy::Occupancy;
use crate::model::operation::OperationError;
use crate::model::orientation::Orientation;
use crate::model::system::{Amoebot, System};

/// The view of an amoebot: its own memory and shape, and those of its neighbours by port.
#[derive(Debug)]
pub struct View<'a, M> {
    pub(super) ground: Ground<'a, M>,
    /// The occupancy map. Cells are looked up on demand, since most guards read only a few cells.
    pub(super) occupied: &'a Occupancy,
    /// The visible amoebots; `None` if all are.
    pub(super) shown: Option<&'a [AmoebotId]>,
    pub(super) me: AmoebotId,
    pub(super) body: Body,
    pub(super) orientation: Orientation,
}

/// The amoebots behind a view.
pub(super) struct Ground<'a, M> {
    /// All amoebots of a system; empty if only parts of their memories are shown. With a slice, a lookup in a guard
    /// costs only one bounds check.
    pub(super) amoebots: &'a [Amoebot<M>],
    /// Access to the object, and to the amoebots if `amoebots` is empty.
    pub(super) whole: &'a dyn WholeSystem<M>,
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
    pub(super) fn memory(self, id: AmoebotId) -> &'a M {
        self.amoebots.get(id.index()).map_or_else(|| self.part(id).2, |amoebot| &amoebot.memory)
    }

    #[inline]
    fn body(self, id: AmoebotId) -> Body {
        self.form(id).0
    }

    #[inline]
    pub(super) fn form(self, id: AmoebotId) -> (Body, Orientation) {
        match self.amoebots.get(id.index()) {
            Some(amoebot) => (amoebot.body, amoebot.orientation),
            None => {
                let (body, orientation, _) = self.part(id);
                (body, orientation)
            }
        }
    }

    #[inline]
    fn orientation(self, id: AmoebotId) -> Orientation {
        self.form(id).1
    }

    #[inline]
    fn seen(self, port: AmoebotPort, id: AmoebotId) -> Neighbour<'a, M> {
        let (body, memory) = match self.amoebots.get(id.index()) {
            Some(amoebot) => (amoebot.body, &amoebot.memory),
            None => {
                let (body, _, memory) = self.part(id);
                (body, memory)
            }
        };
        Neighbour { port, memory, contracted: body.is_contracted(), id }
    }

    #[cold]
    #[inline(never)]
    fn part(self, id: AmoebotId) -> (Body, Orientation, &'a M) {
        self.whole.part(id)
    }
}

/// Access to a whole system, or to a projection of one.
pub(super) trait WholeSystem<M> {
    fn part(&self, id: AmoebotId) -> (Body, Orientation, &M);
    fn is_object(&self, node: Cell) -> bool;
}

impl<M> WholeSystem<M> for System<M> {
    fn part(&self, id: AmoebotId) -> (Body, Orientation, &M) {
        let amoebot = self.amoebot(id);
        (amoebot.body, amoebot.orientation, &amoebot.memory)
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
    /// The first port of the viewing amoebot that leads to the neighbour.
    pub port: AmoebotPort,
    /// The public memory of the neighbour.
    pub memory: &'a M,
    /// Whether the neighbour occupies exactly one node.
    pub contracted: bool,
    id: AmoebotId,
}

impl<'a, M> View<'a, M> {
    /// The view of amoebot `me`.
    ///
    /// # Panics
    ///
    /// Panics if there is no such amoebot.
    #[inline]
    #[must_use]
    pub fn new(system: &'a System<M>, me: AmoebotId) -> Self {
        let amoebots = system.amoebots();
        let Some(&Amoebot { body, orientation, .. }) = amoebots.get(me.index()) else {
            no_such(me, system.len())
        };
        let ground = Ground { amoebots, whole: system };
        Self { ground, occupied: system.occupancy(), shown: None, me, body, orientation }
    }

    /// The view of amoebot `me` restricted to the amoebots of its lock set. Occupied nodes outside the lock set appear
    /// unconnected.
    ///
    /// # Panics
    ///
    /// Panics if there is no such amoebot.
    #[must_use]
    pub fn with_lock_set(system: &'a System<M>, me: AmoebotId, lock_set: &'a [AmoebotId]) -> Self {
        Self { shown: Some(lock_set), ..Self::new(system, me) }
    }

    /// The amoebot at a port.
    #[inline]
    pub(crate) fn id_at(&self, port: AmoebotPort) -> Option<AmoebotId> {
        if port.end() == End::Tail && self.body.is_contracted() {
            return None;
        }
        let node = self.body.node(port.end()).neighbour(self.orientation.direction(port.label()))?;
        let id = self.occupied.get(node)?;
        (id != self.me && self.shows(id)).then_some(id)
    }

    #[inline]
    fn shows(&self, id: AmoebotId) -> bool {
        self.shown.is_none_or(|shown| shown.contains(&id))
    }

    #[inline]
    fn node_at(&self, port: AmoebotPort) -> Option<Cell> {
        self.body.leads_to(port, self.orientation)
    }

    /// Read(⊥): the memory of this amoebot.
    #[inline]
    #[must_use]
    pub fn own(&self) -> &'a M {
        self.ground.memory(self.me)
    }

    /// Whether this amoebot occupies exactly one node.
    #[inline]
    #[must_use]
    pub fn is_contracted(&self) -> bool {
        self.body.is_contracted()
    }

    /// The ports of the amoebot, 6 or 10, in increasing order.
    pub fn ports(&self) -> impl Iterator<Item = AmoebotPort> + use<M> {
        self.body.ports(self.orientation)
    }

    /// Connected(p): whether a neighbour is connected at the port.
    #[inline]
    #[must_use]
    pub fn connected(&self, port: AmoebotPort) -> bool {
        self.id_at(port).is_some()
    }

    /// Whether the node at the port belongs to the object. No amoebot is connected there. False if there is no such
    /// port.
    #[must_use]
    pub fn object(&self, port: AmoebotPort) -> bool {
        self.node_at(port).is_some_and(|node| self.ground.whole.is_object(node))
    }

    /// Read(p): the memory of the neighbour at the port.
    ///
    /// # Errors
    ///
    /// No amoebot is connected there.
    #[inline]
    pub fn read(&self, port: AmoebotPort) -> Result<&'a M, OperationError> {
        let id = self.id_at(port).ok_or(OperationError::NotConnected { port })?;
        Ok(self.ground.memory(id))
    }

    /// The neighbour at a port, if there is one.
    #[inline]
    #[must_use]
    pub fn neighbour(&self, port: AmoebotPort) -> Option<Neighbour<'a, M>> {
        let id = self.id_at(port)?;
        Some(self.ground.seen(port, id))
    }

    /// The neighbours, each once, in the order of the ports: at most 8.
    #[inline]
    pub fn neighbours(&self) -> impl Iterator<Item = Neighbour<'a, M>> + 'a {
        let view = *self;
        let near = FirstPorts::of(self.occupied, self.me, self.body, self.orientation);
        near.filter(move |(_, id)| view.shows(*id)).map(move |(port, id)| view.ground.seen(port, id))
    }

    /// Whether some neighbour satisfies the predicate. A neighbour at two ports may be tested at each, so the
    /// answer must not depend on the port. Faster than [`neighbours`](Self::neighbours).
    #[inline]
    pub fn any_neighbour(&self, mut is_so: impl FnMut(Neighbour<'a, M>) -> bool) -> bool {
        self.looked_at(End::Head, |neighbour| is_so(neighbour).then_some(())).is_some()
            || self.looked_at(End::Tail, |neighbour| is_so(neighbour).then_some(())).is_some()
    }

    /// Whether all neighbours satisfy the predicate, under the same condition as
    /// [`any_neighbour`](Self::any_neighbour).
    #[inline]
    pub fn all_neighbours(&self, mut is_so: impl FnMut(Neighbour<'a, M>) -> bool) -> bool {
        !self.any_neighbour(|b| !is_so(b))
    }

    /// The first neighbour at one end that satisfies the predicate, in the order of the ports of that end, with its
    /// port there. A neighbour at two of these ports may be tested twice. `None` at the tail of a contracted amoebot.
    #[inline]
    pub fn find_neighbour_at(
        &self,
        end: End,
        mut is_so: impl FnMut(&Neighbour<'a, M>) -> bool,
    ) -> Option<Neighbour<'a, M>> {
        self.looked_at(end, |neighbour| is_so(&neighbour).then_some(neighbour))
    }

    /// Calls `found` for the neighbours at one end until it returns `Some`. It is a plain loop because guards spend
    /// most of their time in it: a chain of iterator adaptors took twice as many instructions.
    #[inline]
    fn looked_at<T>(&self, end: End, mut found: impl FnMut(Neighbour<'a, M>) -> Option<T>) -> Option<T> {
        if end == End::Tail && self.body.is_contracted() {
            return None;
        }
        let mut label = 0;
        for number in at_end(self.occupied, self.body, self.orientation, end) {
            label += 1;
            if number == 0 || number == self.me.0 + 1 {
                continue;
            }
            let id = AmoebotId(number - 1);
            if self.shows(id)
                && let Some(found) = found(self.ground.seen(AmoebotPort::new(end, label), id))
            {
                return Some(found);
            }
        }
        None
    }

    /// The end of the neighbour to which a port leads; the head if the neighbour is contracted. `None` if no amoebot is
    /// connected.
    ///
    /// A neighbour's shape is public, including which of its ports belong to which end.
    #[must_use]
    pub fn end_of_neighbour(&self, port: AmoebotPort) -> Option<End> {
        let node = self.node_at(port)?;
        self.ground.body(self.occupied.get(node)?).end_on(node)
    }

    /// Whether another expanded amoebot is next to the node at a port, as this amoebot would see after expanding
    /// into it. False if there is no such port.
    ///
    /// Algorithms older than the canonical model read after an expansion within one action; this method replaces that
    /// read. The method looks beyond the neighbours, but an action can lock only neighbours by message passing. An
    /// algorithm that uses it in an action must declare so in [`looks`](super::Algorithm::looks).
    #[must_use]
    pub fn is_expanded_beyond(&self, port: AmoebotPort) -> bool {
        let beyond = self.node_at(port).into_iter().flat_map(|node| node.neighbours());
        let mut others =
            beyond.filter_map(|cell| self.occupied.get(cell)).filter(|id| *id != self.me && self.shows(*id));
        others.any(|id| !self.ground.body(id).is_contracted())
    }

    /// The end of this amoebot to which port `theirs` of the neighbour at port `own` leads; the head if
    /// contracted. `None` if that port does not lead here.
    ///
    /// This is public knowledge: it follows from the neighbour's shape, and from how the labels of the two amoebots
    /// relate.
    #[inline]
    #[must_use]
    pub fn pointed_at(&self, own: AmoebotPort, theirs: AmoebotPort) -> Option<End> {
        self.pointed_at_from(self.id_at(own)?, theirs)
    }

    /// [`pointed_at`](Self::pointed_at) for a neighbour that was already looked up.
    #[inline]
    #[must_use]
    pub fn pointed_at_by(&self, neighbour: &Neighbour<'_, M>, theirs: AmoebotPort) -> Option<End> {
        self.pointed_at_from(neighbour.id, theirs)
    }

    #[inline]
    fn pointed_at_from(&self, id: AmoebotId, theirs: AmoebotPort) -> Option<End> {
        let (body, orientation) = self.ground.form(id);
        if theirs.end() == End::Tail && body.is_contracted() {
            return None;
        }
        let (dx, dy) = orientation.direction(theirs.label()).step();
        let node = body.node(theirs.end());
        let is_there = |cell: Cell| cell.x() - node.x() == dx && cell.y() - node.y() == dy;
        if is_there(self.body.head()) {
            Some(End::Head)
        } else {
            is_there(self.body.tail()).then_some(End::Tail)
        }
    }

    /// The label, 1 to 6, of the direction from the tail to the head of this amoebot; `None` if it is contracted.
    #[must_use]
    pub fn forward(&self) -> Option<u8> {
        let direction = self.body.tail().direction_to(self.body.head())?;
        Some(self.orientation.label(direction))
    }

    /// The label, 1 to 6, that this amoebot gives to the direction from tail to head of the neighbour at a port. `None`
    /// if the neighbour is contracted or no amoebot is connected. A neighbour's shape is public.
    #[must_use]
    pub fn forward_of_neighbour(&self, port: AmoebotPort) -> Option<u8> {
        let theirs = self.ground.body(self.id_at(port)?);
        let direction = theirs.tail().direction_to(theirs.head())?;
        Some(self.orientation.label(direction))
    }

    /// The label that the neighbour at `port` gives to the direction which this amoebot labels `label`. Under
    /// common orientation the two are equal.
    ///
    /// # Errors
    ///
    /// No amoebot is connected there.
    ///
    /// # Panics
    ///
    /// Panics if the label is not 1 to 6.
    pub fn label_of_neighbour(&self, port: AmoebotPort, label: u8) -> Result<u8, OperationError> {
        let id = self.id_at(port).ok_or(OperationError::NotConnected { port })?;
        let direction = self.orientation.direction(label);
        Ok(self.ground.orientation(id).label(direction))
    }
}

#[cold]
#[inline(never)]
fn no_such(me: AmoebotId, amoebots: usize) -> ! {
    panic!("amoebot {me} of {amoebots}")
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
    fn a_neighbour_is_seen_by_its_head_or_its_tail() {
        let mut system = pair();
        let at = |system: &System<u8>, label| {
            View::new(system, AmoebotId(0)).end_of_neighbour(AmoebotPort::head(label))
        };
        assert_eq!((at(&system, 1), at(&system, 2)), (Some(End::Head), None));
        system.expand(AmoebotId(1), AmoebotPort::head(3)).unwrap(); // from the east to the north-east
        assert_eq!((at(&system, 1), at(&system, 2)), (Some(End::Tail), Some(End::Head)));
    }

    #[test]
    fn neighbours_expanded_beyond_a_free_node_are_visible() {
        let mut system = pair();
        let at = |system: &System<u8>, label| {
            View::new(system, AmoebotId(0)).is_expanded_beyond(AmoebotPort::head(label))
        };
        assert!(!at(&system, 2));
        system.expand(AmoebotId(1), AmoebotPort::head(1)).unwrap(); // away to the east
        assert_eq!(
            [1, 2, 3, 4, 5, 6].map(|label| at(&system, label)),
            [true, true, false, false, false, true]
        );
        // The amoebot itself does not count.
        system.contract(AmoebotId(1), End::Head).unwrap();
        system.expand(AmoebotId(0), AmoebotPort::head(4)).unwrap();
        assert!(AmoebotPort::all().all(|port| !View::new(&system, AmoebotId(0)).is_expanded_beyond(port)));
        assert!(View::new(&system, AmoebotId(1)).is_expanded_beyond(AmoebotPort::head(3)));
    }
}
