//! Views on a part of each memory.

use crate::model::id::AmoebotId;

use super::view::{Ground, View, WholeSystem};
use crate::model::body::Body;
use crate::model::lattice::Cell;
use crate::model::orientation::Orientation;

/// A view that shows only a part of each memory. A wrapping algorithm gives this view to the wrapped algorithm, which
/// so sees only its own part.
pub(crate) struct Projection<'a, N, M> {
    whole: View<'a, N>,
    part: fn(&N) -> &M,
}

impl<'a, N, M> Projection<'a, N, M> {
    pub(crate) fn new(whole: View<'a, N>, part: fn(&N) -> &M) -> Self {
        Self { whole, part }
    }

    /// The view of the same amoebot and neighbours that shows only this part of each memory.
    pub(crate) fn view(&self) -> View<'_, M> {
        let View { occupied, shown, me, body, orientation, .. } = self.whole;
        View { ground: Ground { amoebots: &[], whole: self }, occupied, shown, me, body, orientation }
    }
}

impl<N, M> WholeSystem<M> for Projection<'_, N, M> {
    fn part(&self, id: AmoebotId) -> (Body, Orientation, &M) {
        let (body, orientation) = self.whole.ground.form(id);
        (body, orientation, (self.part)(self.whole.ground.memory(id)))
    }

    fn is_object(&self, node: Cell) -> bool {
        self.whole.ground.whole.is_object(node)
    }
}
