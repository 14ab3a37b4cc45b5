//! Starts of universal coating, and its end.

use std::collections::BTreeSet;
use std::fmt;

use crate::model::id::AmoebotId;

use super::UniversalCoating;
use super::layers::{Surroundings, layer_cells_max, layers};
use super::memory::{Mark, Memory, State};
use crate::model::lattice::Cell;
use crate::model::orientation::Orientation;
use crate::model::system::System;
use crate::start::{Contracted, StartError};

/// Why universal coating cannot start.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum UniversalCoatingError {
    /// No start beside an object.
    Start(StartError),
    /// The object has a hole.
    Hole {
        /// The cells in holes that are beside it, sorted.
        cells: Vec<Cell>,
    },
    /// A layer that an amoebot stands in, or a layer below it, is no ring with one layer on each side: the object has a
    /// passage that is too narrow for it.
    Tunnel {
        /// The layer, from 1.
        layer: u32,
        /// Where it is no ring, sorted.
        cells: Vec<Cell>,
    },
    /// There are too many nodes between the object and an amoebot.
    TooFar {
        /// An amoebot that was not reached.
        cell: Cell,
        /// How many nodes there may be no farther from the object than the farthest amoebot.
        most: usize,
    },
}

impl fmt::Display for UniversalCoatingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Start(error) => error.fmt(f),
            Self::Hole { cells } => {
                write!(f, "the object has a hole, with {} (accepted: objects without holes)", Named(cells))
            }
            Self::Tunnel { layer, cells } => write!(
                f,
                "the object is too narrow for layer {layer} at {} (accepted: passages wide enough for two of each \
                 layer that somebody stands in, and one more)",
                Named(cells)
            ),
            Self::TooFar { cell, most } => write!(
                f,
                "amoebot at {cell} is too far from the object (accepted: up to {most} nodes no farther, \
                 the object included)"
            ),
        }
    }
}

/// The first of some cells.
struct Named<'a>(&'a [Cell]);

impl fmt::Display for Named<'_> {
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

impl std::error::Error for UniversalCoatingError {}

impl From<StartError> for UniversalCoatingError {
    fn from(error: StartError) -> Self {
        Self::Start(error)
    }
}

impl UniversalCoating {
    /// The start: every amoebot contracted and inactive. Amoebot i is at cell i with orientation i; orientations that are
    /// missing are common, cells of the object that are given twice count once. O(n + k log k + m) for an object of k
    /// cells with m nodes round it that are no farther from it than the farthest amoebot, and one layer more.
    ///
    /// No amoebot ever gets farther from the object than the farthest amoebot is at the start. So layers are checked up
    /// to its layer: each must be a ring between the layer below and the one above.
    ///
    /// # Errors
    ///
    /// No cells, too many, one twice or in the object; no object, amoebots or an object that are not connected; no amoebot
    /// beside the object; different chiralities; an object with holes; layers that are no rings; amoebots too far away.
    pub fn start(
        cells: &[Cell],
        object: &[Cell],
        orientations: &[Orientation],
    ) -> Result<System<Memory>, UniversalCoatingError> {
        let start = Contracted::on(cells, orientations).beside(object).connected().of_common_chirality();
        let system = start.system(|_| Memory::START)?;
        check_layers(cells, system.object())?;
        Ok(system)
    }

    /// Whether all is done: every amoebot is contracted where [`layers`] says. If the first layer is full, all are retired and one
    /// of them is the leader; if it is not, every amoebot is a root there and no complaint is left. O(n + k + m) for an object of k cells with m
    /// nodes in these layers.
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

    /// The leaders, in the order of identities: one at the end if there are enough amoebots for the first layer, else none.
    #[must_use]
    pub fn leaders(system: &System<Memory>) -> Vec<AmoebotId> {
        let leads = |id: &AmoebotId| matches!(system.memory(*id).state, State::Retired(_, Mark::Leader));
        system.ids().filter(leads).collect()
    }
}

/// Whether all layers from the first one to that of the farthest cell are rings.
fn check_layers(cells: &[Cell], object: &[Cell]) -> Result<(), UniversalCoatingError> {
    let most = layer_cells_max(cells.len(), object.len());
    let mut surroundings = Surroundings::of(object);
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
