//! Start and final configurations of universal coating.

use std::collections::BTreeSet;
use std::fmt;

use crate::model::id::AmoebotId;

use super::UniversalCoating;
use super::layers::{ObjectLayers, layer_cells_max, layers};
use super::memory::{LayerMark, Memory, State};
use crate::model::lattice::Cell;
use crate::model::orientation::Orientation;
use crate::model::system::System;
use crate::start::{Contracted, StartError};

/// Errors of starting universal coating.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum UniversalCoatingError {
    /// The amoebots or the object are not a valid start.
    #[error(transparent)]
    Start(#[from] StartError),
    /// The object has a hole.
    #[error("the object has a hole, with {} (accepted: objects without holes)", FirstCells(.cells))]
    Hole {
        /// The cells in holes that are next to the object, sorted.
        cells: Vec<Cell>,
    },
    /// The layer of the furthest amoebot, or a layer below it, is not a ring between two layers, because the object has
    /// a passage that is too narrow.
    #[error(
        "the object is too narrow for layer {layer} at {} (accepted: passages wide enough for each occupied layer on both sides, and one cell more)",
        FirstCells(.cells)
    )]
    Tunnel {
        /// The layer, from 1.
        layer: u32,
        /// The cells at which the layer is not a ring, sorted.
        cells: Vec<Cell>,
    },
    /// An amoebot is too far away: more nodes than accepted are within its distance of the object.
    #[error(
        "the amoebot at {cell} is too far from the object (accepted: a distance within which at most \
         {most} nodes of the lattice lie, including the object)"
    )]
    TooFar {
        /// The cell of an amoebot that is too far away.
        cell: Cell,
        /// The maximum number of nodes that are accepted within the distance of the furthest amoebot.
        most: usize,
    },
}

/// Displays the first eight cells of a list, and the number of further ones.
struct FirstCells<'a>(&'a [Cell]);

impl fmt::Display for FirstCells<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const NAMED: usize = 8;
        let names: Vec<String> = self.0.iter().take(NAMED).map(Cell::to_string).collect();
        write!(f, "{}", names.join(", "))?;
        match self.0.len().saturating_sub(NAMED) {
            0 => Ok(()),
            more => write!(f, " and {more} more cells"),
        }
    }
}

impl UniversalCoating {
    /// The start configuration: all amoebots are contracted and inactive. Amoebot i is on cell i and has orientation i;
    /// without an entry it has the common orientation. Duplicate object cells count once. O(n + k log k + m) for an
    /// object of k cells and m nodes up to one layer beyond the furthest amoebot.
    ///
    /// No amoebot ever moves further from the object than the furthest amoebot of the start. So layers are checked up
    /// to that distance: each must be a ring between the layer below and the one above.
    ///
    /// # Errors
    ///
    /// There are no cells, too many, a duplicate, or one in the object; or there is no object. The amoebots or the
    /// object are not connected, or no amoebot is next to the object. The chirality is mixed. The object has holes, a
    /// layer is not a ring, or an amoebot is too far away.
    pub fn start(
        cells: &[Cell],
        object: &[Cell],
        orientations: &[Orientation],
    ) -> Result<System<Memory>, UniversalCoatingError> {
        let start =
            Contracted::new(cells, orientations).with_object(object).connected().with_common_chirality();
        let system = start.system(|_| Memory::START)?;
        check_layers(cells, system.object())?;
        Ok(system)
    }

    /// Whether every amoebot is contracted, and all [`layers`] but the last are full. If the first layer is full, all
    /// amoebots must be retired and one of them the leader. Otherwise every amoebot must be a root in that layer, with
    /// no complaint left. O(n + k + m) for an object of k cells with m nodes in these layers.
    #[must_use]
    pub fn is_finished(system: &System<Memory>) -> bool {
        let layers = layers(system.object(), system.len());
        let Some((last, full)) = layers.split_last() else { return false };
        let occupied = |layer: &[Cell]| layer.iter().filter(|cell| system.occupant(**cell).is_some()).count();
        let counts_fit = full.iter().all(|layer| occupied(layer) == layer.len())
            && full.iter().map(Vec::len).sum::<usize>() + occupied(last) == system.len();
        let is_first_full = !full.is_empty() || last.len() == system.len();
        let rests = |memory: &Memory| match memory.state {
            State::Retired(..) => is_first_full,
            State::Root => !is_first_full && memory.complaints == 0,
            _ => false,
        };
        counts_fit
            && system.ids().all(|id| system.body(id).is_contracted() && rests(system.memory(id)))
            && Self::leaders(system).len() == usize::from(is_first_full)
    }

    /// The leaders, in the order of identities: one at the end if there are enough amoebots for the first layer,
    /// otherwise none.
    #[must_use]
    pub fn leaders(system: &System<Memory>) -> Vec<AmoebotId> {
        let leads = |id: &AmoebotId| matches!(system.memory(*id).state, State::Retired(_, LayerMark::Leader));
        system.ids().filter(leads).collect()
    }
}

/// Checks that all layers up to that of the furthest amoebot are rings.
fn check_layers(cells: &[Cell], object: &[Cell]) -> Result<(), UniversalCoatingError> {
    let most = layer_cells_max(cells.len(), object.len());
    let mut surroundings = ObjectLayers::of(object);
    let mut missing: BTreeSet<Cell> = cells.iter().copied().collect();
    surroundings.grow();
    for number in 1.. {
        if let (true, Some(&cell)) = (surroundings.cells() > most, missing.first()) {
            return Err(UniversalCoatingError::TooFar { cell, most });
        }
        let layer = surroundings.outermost().to_vec();
        for cell in &layer {
            missing.remove(cell);
        }
        if number == 1 {
            let inside = surroundings.in_holes(&layer, object);
            if !inside.is_empty() {
                return Err(UniversalCoatingError::Hole { cells: inside });
            }
        }
        let grows = surroundings.grow();
        let cells = surroundings.not_as_in_a_ring(&layer);
        if !cells.is_empty() || !grows {
            return Err(UniversalCoatingError::Tunnel { layer: number, cells });
        }
        if missing.is_empty() {
            break;
        }
    }
    Ok(())
}
