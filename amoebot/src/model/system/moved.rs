//! The result of a movement, computed before it is carried out.

use crate::model::body::{AmoebotPort, Body, End};
use crate::model::id::AmoebotId;
use crate::model::lattice::Cell;
use crate::model::object::Object;
use crate::model::occupancy::Occupancy;
use crate::model::operation::{Movement, OperationError};
use crate::model::orientation::Orientation;

/// The bodies after a movement.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Moved {
    pub(super) own: (AmoebotId, Body),
    pub(super) partner: Option<(AmoebotId, Body)>,
    /// The only cell whose occupant changes, and its new occupant; `None` if it becomes free.
    pub(super) cell: (Cell, Option<AmoebotId>),
}

impl Moved {
    /// The amoebot that expands, and the previously free cell that it enters; `None` for other movements. Every other
    /// cell next to the bodies after a movement was next to one of them before.
    pub(crate) fn entered(self) -> Option<(AmoebotId, Cell)> {
        let (cell, who) = self.cell;
        Some((who.filter(|_| self.partner.is_none())?, cell))
    }

    /// The neighbour that moves in a handover; `None` for other movements.
    pub(crate) fn partner(self) -> Option<AmoebotId> {
        self.partner.map(|(who, _)| who)
    }

    pub(crate) fn bodies(self) -> impl Iterator<Item = (AmoebotId, Body)> {
        std::iter::once(self.own).chain(self.partner)
    }
}

/// The bodies of an amoebot, and of the neighbour of a handover, after a movement. Not generic over the memories, so
/// it is compiled once.
pub(super) fn moved(
    (id, body, orientation): (AmoebotId, Body, Orientation),
    movement: Movement,
    (occupied, object): (&Occupancy, &Object),
    body_of: &dyn Fn(AmoebotId) -> Body,
) -> Result<Moved, OperationError> {
    let connection = |port: AmoebotPort| {
        let cell = body.leads_to(port, orientation);
        cell.and_then(|cell| occupied.get(cell)).ok_or(OperationError::NotConnected { port })
    };
    let alone = |body, cell| Moved { own: (id, body), partner: None, cell };
    let other_end = |end| match end {
        End::Head => End::Tail,
        End::Tail => End::Head,
    };
    let joined = |head, tail| Body::expanded(head, tail).expect("a port leads to an adjacent node");
    match movement {
        Movement::Contract(_) | Movement::Pull(_) if body.is_contracted() => Err(OperationError::Contracted),
        Movement::Expand(_) | Movement::Push(_) if !body.is_contracted() => Err(OperationError::Expanded),
        Movement::Contract(end) => {
            Ok(alone(Body::contracted(body.node(other_end(end))), (body.node(end), None)))
        }
        Movement::Expand(port) => {
            let cell = body.leads_to(port, orientation).ok_or(OperationError::NoNode { port })?;
            if occupied.get(cell).is_some() {
                return Err(OperationError::Occupied { port });
            }
            if object.contains(cell) {
                return Err(OperationError::Object { port });
            }
            Ok(alone(joined(cell, body.head()), (cell, Some(id))))
        }
        Movement::Pull(port) => {
            let neighbour = connection(port)?;
            let theirs = body_of(neighbour);
            if !theirs.is_contracted() {
                return Err(OperationError::NeighbourExpanded { port });
            }
            let given = body.node(port.end());
            let kept = Body::contracted(body.node(other_end(port.end())));
            let theirs = (neighbour, joined(given, theirs.head()));
            Ok(Moved { own: (id, kept), partner: Some(theirs), cell: (given, Some(neighbour)) })
        }
        Movement::Push(port) => {
            let neighbour = connection(port)?;
            let theirs = body_of(neighbour);
            if theirs.is_contracted() {
                return Err(OperationError::NeighbourContracted { port });
            }
            let taken = body.leads_to(port, orientation).expect("a connected port leads to a node");
            let end = theirs.end_on(taken).expect("the neighbour is on the node at the port");
            let kept = Body::contracted(theirs.node(other_end(end)));
            let own = (id, joined(taken, body.head()));
            Ok(Moved { own, partner: Some((neighbour, kept)), cell: (taken, Some(id)) })
        }
    }
}
