//! What an amoebot sees.

use std::fmt;

use crate::model::id::AmoebotId;

use crate::model::body::{Body, End, Port};
use crate::model::lattice::Cell;
use crate::model::operation::OperationError;
use crate::model::orientation::Orientation;
use crate::model::system::{Amoebot, AtPorts, System};

/// What an amoebot sees: its own memory and form, and those of its neighbours by port.
#[derive(Debug)]
pub struct View<'a, M> {
    pub(super) ground: Ground<'a, M>,
    pub(super) me: AmoebotId,
    /// Who is at each port. Looked up once, as guards ask many times.
    pub(super) at: AtPorts,
}

/// Where the amoebots of a view stand.
pub(super) struct Ground<'a, M> {
    /// All amoebots of a system; no amoebot if only a part of their memories is seen. So the look-up that runs in every
    /// guard needs its check of the bounds and nothing more.
    pub(super) amoebots: &'a [Amoebot<M>],
    /// Whom `amoebots` does not have, and who is where.
    pub(super) whole: &'a dyn Whole<M>,
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
    fn seen(self, port: Port, id: AmoebotId) -> Neighbour<'a, M> {
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
    fn part(self, id: AmoebotId) -> (Body, Orientation, &'a M) {
        self.whole.part(id)
    }
}

/// A system, or what of it is shown.
pub(super) trait Whole<M> {
    fn part(&self, id: AmoebotId) -> (Body, Orientation, &M);
    fn occupant(&self, node: Cell) -> Option<AmoebotId>;
    fn is_object(&self, node: Cell) -> bool;
}

impl<M> Whole<M> for System<M> {
    fn part(&self, id: AmoebotId) -> (Body, Orientation, &M) {
        let amoebot = self.amoebot(id);
        (amoebot.body, amoebot.orientation, &amoebot.memory)
    }

    fn occupant(&self, node: Cell) -> Option<AmoebotId> {
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
    pub fn of(system: &'a System<M>, me: AmoebotId) -> Self {
        assert!(me.index() < system.len(), "amoebot {me} of {}", system.len());
        Self { ground: Ground { amoebots: system.amoebots(), whole: system }, me, at: system.at_ports(me) }
    }

    /// What amoebot `me` sees if it looks at the amoebots of its lock set only: where others stand, no amoebot is
    /// connected.
    ///
    /// # Panics
    ///
    /// Panics if there is no such amoebot.
    #[must_use]
    pub fn within(system: &'a System<M>, me: AmoebotId, lock_set: &'a [AmoebotId]) -> Self {
        let view = Self::of(system, me);
        Self { at: view.at.within(lock_set), ..view }
    }

    /// Who is at a port.
    #[inline]
    pub(crate) fn id_at(&self, port: Port) -> Option<AmoebotId> {
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

    /// Whether the node at the port belongs to the object. No amoebot is connected there. False if there is no such port.
    #[must_use]
    pub fn object(&self, port: Port) -> bool {
        self.node_at(port).is_some_and(|node| self.ground.whole.is_object(node))
    }

    /// Read(p): the memory of the neighbour at the port.
    ///
    /// # Errors
    ///
    /// No amoebot is connected there.
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

    /// Which end of the neighbour at a port is there; the head if it is contracted. `None` if no amoebot is connected.
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
    /// if that one is contracted or no amoebot is connected. A neighbour's form is public.
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
    /// No amoebot is connected there.
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
        let at =
            |system: &System<u8>, label| View::of(system, AmoebotId(0)).end_of_neighbour(Port::head(label));
        assert_eq!((at(&system, 1), at(&system, 2)), (Some(End::Head), None));
        system.expand(AmoebotId(1), Port::head(3)).unwrap(); // from the east to the north-east
        assert_eq!((at(&system, 1), at(&system, 2)), (Some(End::Tail), Some(End::Head)));
    }

    #[test]
    fn what_is_expanded_beyond_a_free_node_is_seen() {
        let mut system = pair();
        let at =
            |system: &System<u8>, label| View::of(system, AmoebotId(0)).is_expanded_beyond(Port::head(label));
        assert!(!at(&system, 2));
        system.expand(AmoebotId(1), Port::head(1)).unwrap(); // away to the east
        assert_eq!(
            [1, 2, 3, 4, 5, 6].map(|label| at(&system, label)),
            [true, true, false, false, false, true]
        );
        // Oneself does not count.
        system.contract(AmoebotId(1), End::Head).unwrap();
        system.expand(AmoebotId(0), Port::head(4)).unwrap();
        assert!(Port::all().all(|port| !View::of(&system, AmoebotId(0)).is_expanded_beyond(port)));
        assert!(View::of(&system, AmoebotId(1)).is_expanded_beyond(Port::head(3)));
    }
}
