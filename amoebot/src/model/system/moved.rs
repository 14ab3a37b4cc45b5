//! The result of a movement, computed before it is carried out.

use crate::model::body::Body;
use crate::model::id::AmoebotId;
use crate::model::lattice::Cell;

/// The bodies after a movement.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Moved {
    pub(super) own: (AmoebotId, Body),
    pub(super) partner: Option<(AmoebotId, Body)>,
    /// The only cell whose occupant changes, and its new occupant; `None` if it becomes free.
    pub(super) cell: (Cell, Option<AmoebotId>),
}

impl Moved {
    /// The amoebot that expands and the previously free cell it enters; `None` for other movements. Every other
    /// cell next to the bodies after a movement was next to one of them before.
    pub(crate) fn entered(self) -> Option<(AmoebotId, Cell)> {
        let (cell, who) = self.cell;
        Some((who.filter(|_| self.partner.is_none())?, cell))
    }

    /// The neighbour that moves in a handover.
    pub(crate) fn partner(self) -> Option<AmoebotId> {
        self.partner.map(|(who, _)| who)
    }

    pub(crate) fn bodies(self) -> impl Iterator<Item = (AmoebotId, Body)> {
        std::iter::once(self.own).chain(self.partner)
    }
}
