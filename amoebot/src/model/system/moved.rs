//! What a movement leads to, before it is done.

use crate::model::body::Body;
use crate::model::id::AmoebotId;
use crate::model::lattice::Cell;

/// The bodies after a movement.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Moved {
    pub(super) own: (AmoebotId, Body),
    pub(super) partner: Option<(AmoebotId, Body)>,
    /// The only cell on which another amoebot is than before, and who; no amoebot where it becomes free.
    pub(super) cell: (Cell, Option<AmoebotId>),
}

impl Moved {
    /// Who comes to a cell that nobody was on before, and that cell: by an expansion alone. Every other cell next to the
    /// bodies after a movement was next to one of them before.
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
