//! Layers: the nodes around an object, grouped by their distance to it.

use hashbrown::hash_map::Entry;
use hashbrown::{HashMap, HashSet};

use crate::FixedHasher;
use crate::model::lattice::{Cell, Direction, Rotation};

/// The maximum number of nodes that are at most as far from the object as the furthest amoebot of the start, object
/// cells included. The check of the layers takes about a hundred bytes per node. For large starts the limit is four
/// times the number of amoebots and object cells, so memory stays proportional to the start.
pub const LAYER_CELLS_MAX: usize = 1 << 19;

/// The maximum number of nodes for this many amoebots and object cells.
pub(super) fn layer_cells_max(amoebots: usize, object: usize) -> usize {
    LAYER_CELLS_MAX.max(4 * (amoebots + object))
}

/// The nodes at distance 1, 2, ... from the object, each layer sorted, until they have room for all amoebots. In a
/// final configuration the amoebots fill all layers but the last one, in which they may be anywhere. Empty for an
/// object without cells. Nodes in holes of the object count as well. O(k + m log m) for an object of k cells with m
/// nodes in these layers.
///
/// ```
/// use acrasin_amoebot::Cell;
/// use acrasin_amoebot::library::universal_coating;
/// let layers = universal_coating::layers(&[Cell::ORIGIN], 10);
/// assert_eq!(layers.iter().map(Vec::len).collect::<Vec<_>>(), [6, 12]);
/// ```
#[must_use]
pub fn layers(object: &[Cell], amoebots: usize) -> Vec<Vec<Cell>> {
    let mut surroundings = ObjectLayers::of(object);
    let (mut layers, mut room) = (Vec::new(), 0);
    while room < amoebots && surroundings.grow() {
        let mut layer = surroundings.outermost.clone();
        layer.sort_unstable();
        room += layer.len();
        layers.push(layer);
    }
    layers
}

/// An object and the layers around it that are computed so far.
pub(super) struct ObjectLayers {
    /// The distance of each cell; object cells have distance 0.
    distances: HashMap<Cell, u32, FixedHasher>,
    /// The number of layers computed so far.
    layers: u32,
    /// The cells of the last layer, unsorted.
    outermost: Vec<Cell>,
}

impl ObjectLayers {
    pub(super) fn of(object: &[Cell]) -> Self {
        let distances = object.iter().map(|cell| (*cell, 0)).collect();
        Self { distances, layers: 0, outermost: object.to_vec() }
    }

    /// Adds a layer; returns `false` if the new layer has no cells.
    pub(super) fn grow(&mut self) -> bool {
        let mut layer = Vec::new();
        let distance = self.layers + 1;
        for next in self.outermost.iter().flat_map(|cell| cell.neighbours()) {
            if let Entry::Vacant(vacant) = self.distances.entry(next) {
                vacant.insert(distance);
                layer.push(next);
            }
        }
        self.layers = distance;
        self.outermost = layer;
        !self.outermost.is_empty()
    }

    /// The number of cells in all computed layers, object cells included.
    pub(super) fn cells(&self) -> usize {
        self.distances.len()
    }

    /// The distance of a cell to the object; `None` beyond the computed layers.
    pub(super) fn distance(&self, cell: Cell) -> Option<u32> {
        self.distances.get(&cell).copied()
    }

    fn is_object(&self, cell: Option<Cell>) -> bool {
        cell.is_some_and(|cell| self.distance(cell) == Some(0))
    }

    /// The cells of the last layer, sorted, that violate the structure of a ring between two layers. In such a ring,
    /// the ports around a cell are in four groups: to the layer below, to one cell of the same layer, to the layer
    /// above, and to another cell of the same layer. The layer above must have been computed.
    pub(super) fn not_as_in_a_ring(&self, layer: &[Cell]) -> Vec<Cell> {
        let mut cells: Vec<Cell> =
            layer.iter().copied().filter(|cell| !self.is_as_in_a_ring(*cell)).collect();
        cells.sort_unstable();
        cells
    }

    fn is_as_in_a_ring(&self, cell: Cell) -> bool {
        let Some(own) = self.distance(cell) else { return false };
        let around = Direction::ALL.map(|way| cell.neighbour(way).and_then(|next| self.distance(next)));
        let is_below = |i: usize| around[i % 6] == Some(own - 1);
        let is_beside = |i: usize| !is_below(i) && (is_below(i + 1) || is_below(i + 5));
        let runs_below = (0..6).filter(|&i| is_below(i) && !is_below(i + 1)).count();
        runs_below == 1
            && (0..6).filter(|&i| is_beside(i)).count() == 2
            && (0..6).all(|i| is_below(i) || around[i] == Some(if is_beside(i) { own } else { own + 1 }))
    }

    /// The cells of the last layer.
    pub(super) fn outermost(&self) -> &[Cell] {
        &self.outermost
    }

    /// The cells of the first layer that are in holes of the object, sorted: those that a walk around its outside does
    /// not visit.
    pub(super) fn in_holes(&self, first_layer: &[Cell], object: &[Cell]) -> Vec<Cell> {
        // The cell east of the easternmost object cell is outside.
        let easternmost = object.iter().max_by_key(|cell| cell.x());
        let start = easternmost.and_then(|cell| Some((cell.neighbour(Direction::East)?, Direction::West)));
        let mut outside = HashSet::<Cell, FixedHasher>::default();
        let first = start.and_then(|(cell, back)| self.step(cell, back));
        let mut at = first;
        while let Some((cell, direction)) = at {
            outside.insert(cell);
            at = cell.neighbour(direction).and_then(|next| self.step(next, direction.opposite()));
            if at == first {
                break;
            }
        }
        let mut inside: Vec<Cell> =
            first_layer.iter().copied().filter(|cell| !outside.contains(cell)).collect();
        inside.sort_unstable();
        inside
    }

    /// The next step of a clockwise walk along the object: `cell` and the direction in which the walk leaves it. That
    /// is the first direction without an object cell, clockwise from `back`.
    fn step(&self, cell: Cell, back: Direction) -> Option<(Cell, Direction)> {
        let round = std::iter::successors(Some(back), |way| Some(way.turned(Rotation::Clockwise)));
        let way = round.skip(1).take(6).find(|way| !self.is_object(cell.neighbour(*way)))?;
        Some((cell, way))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Regression: a million amoebots next to a hexagon were refused, since they alone exceed the limit of small
    /// starts.
    #[test]
    fn the_limit_grows_with_the_number_of_amoebots() {
        assert_eq!(layer_cells_max(418, 1), LAYER_CELLS_MAX);
        assert_eq!(layer_cells_max(LAYER_CELLS_MAX / 4 - 1, 1), LAYER_CELLS_MAX);
        assert_eq!(layer_cells_max(LAYER_CELLS_MAX / 4, 1), LAYER_CELLS_MAX + 4);
        assert!(layer_cells_max(1_000_000, 100_000) > 2 * (1_000_000 + 3 * 183 * 183));
    }
}
