//! Breadth-first search in a structure and coordinates of its cells, for trees and oracles.

use std::collections::VecDeque;

use acrasin_amoebot::library::parameter::{ParameterKind, Values};
use acrasin_amoebot::{Cell, Chirality, Direction, Orientation};

use crate::structure::{CellMap, CircuitStructure, Occupant};

/// Distances from a root and a tree of shortest paths. All amoebots are contracted.
pub(super) struct SearchTree {
    pub(super) distances: Vec<u32>,
    pub(super) parents: Vec<Option<u32>>,
}

/// The labels of tree edges, each in the frame of its amoebot.
pub(super) struct TreeLabels {
    pub(super) parents: Vec<Option<u8>>,
    pub(super) children: Vec<Vec<u8>>,
}

impl SearchTree {
    /// The tree of a connected structure.
    pub(super) fn new(structure: &CircuitStructure, root: usize) -> Self {
        let cells = CellMap::new(structure).expect("a structure has one owner per cell");
        let amoebots = structure.amoebots();
        let (mut distances, mut parents) = (vec![u32::MAX; amoebots], vec![None; amoebots]);
        distances[root] = 0;
        let mut queue = VecDeque::from([root]);
        while let Some(at) = queue.pop_front() {
            for next in structure.bodies()[at].head().neighbours() {
                if let Some(Occupant::Head(other)) = cells.get(next)
                    && distances[other as usize] == u32::MAX
                {
                    distances[other as usize] = distances[at] + 1;
                    parents[other as usize] = Some(at as u32);
                    queue.push_back(other as usize);
                }
            }
        }
        Self { distances, parents }
    }

    pub(super) fn labels(&self, structure: &CircuitStructure) -> TreeLabels {
        let amoebots = structure.amoebots();
        let mut labels = TreeLabels { parents: vec![None; amoebots], children: vec![Vec::new(); amoebots] };
        for (child, parent) in self.parents.iter().enumerate() {
            let Some(parent) = parent.map(|parent| parent as usize) else { continue };
            let [from, to] = [child, parent].map(|amoebot| structure.bodies()[amoebot].head());
            let direction = from.direction_to(to).expect("a parent is adjacent");
            labels.parents[child] = Some(structure.orientations()[child].label(direction));
            labels.children[parent].push(structure.orientations()[parent].label(direction.opposite()));
        }
        labels
    }
}

impl TreeLabels {
    /// The labels of the tree edges of each amoebot, in increasing order.
    pub(super) fn edges(&self) -> Vec<Vec<u8>> {
        let edges = self.parents.iter().zip(&self.children).map(|(parent, children)| {
            let mut labels: Vec<u8> = parent.iter().chain(children).copied().collect();
            labels.sort_unstable();
            labels
        });
        edges.collect()
    }
}

/// The steps along labels 1 and 2 of a frame that lead from (0, 0) to a cell.
pub(super) fn coordinates(cell: Cell, frame: Orientation) -> (i32, i32) {
    let (mut x, mut y) = (cell.x(), cell.y());
    for _ in 0..frame.first.index() {
        (x, y) = (x + y, -x);
    }
    match frame.chirality {
        Chirality::Standard => (x, y),
        // Label 2 is clockwise of label 1.
        Chirality::Mirrored => (x + y, -y),
    }
}

/// The words for directions, in the order of [`Direction::ALL`].
pub(super) const DIRECTIONS: ParameterKind =
    ParameterKind::Word(&["East", "NorthEast", "NorthWest", "West", "SouthWest", "SouthEast"]);

/// The direction that a parameter names; east by default.
pub(super) fn direction(values: &Values, name: &str) -> Direction {
    let ParameterKind::Word(words) = DIRECTIONS else { return Direction::East };
    let index = words.iter().position(|word| values.word(name) == Some(*word));
    Direction::ALL[index.unwrap_or(0)]
}

/// The common frame of a structure, turned so that this direction has label 1 and chirality is kept.
pub(super) fn along(structure: &CircuitStructure, direction: Direction) -> Orientation {
    Orientation { first: direction, ..structure.orientations()[0] }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coordinates_count_steps_along_labels() {
        for frame in Orientation::all() {
            let steps = |label: u8, from: Cell| from.neighbour(frame.direction(label)).unwrap();
            let mut cell = Cell::ORIGIN;
            for _ in 0..3 {
                cell = steps(1, cell);
            }
            for _ in 0..5 {
                cell = steps(2, cell);
            }
            assert_eq!(coordinates(cell, frame), (3, 5), "{frame:?}");
        }
    }
}
