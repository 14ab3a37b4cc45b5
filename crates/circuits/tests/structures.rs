//! Structures and runs that several tests use.

use acrasin_amoebot::{Body, Cell, Orientation, Shape};
use acrasin_circuits::{CircuitRun, CircuitStructure, Coins, RoundTable};
use acrasin_engine::{Draws, Purpose};

/// The maximum number of rounds of a run in these tests.
const ROUNDS_MAX: u64 = 100_000;

pub(crate) fn cell(x: i32, y: i32) -> Cell {
    Cell::new(x, y).unwrap()
}

/// A source of numbers: first those read from bytes, one byte per number, then numbers drawn from a seed.
pub(crate) struct Numbers {
    bytes: std::vec::IntoIter<u8>,
    stream: Draws,
    next: u64,
}

impl Numbers {
    pub(crate) fn new(seed: u64) -> Self {
        Self { bytes: Vec::new().into_iter(), stream: Draws::new(seed), next: 0 }
    }

    pub(crate) fn of_bytes(bytes: Vec<u8>) -> Self {
        Self { bytes: bytes.into_iter(), ..Self::new(0) }
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        if let Some(byte) = self.bytes.next() {
            return usize::from(byte) % bound;
        }
        self.next += 1;
        (self.stream.stream(Purpose::Initial, 0).word(self.next) % bound as u64) as usize
    }

    pub(crate) fn coin(&mut self) -> bool {
        self.below(2) == 1
    }
}

/// A connected set of cells that grows at random.
pub(crate) fn blob(cells: usize, numbers: &mut Numbers) -> Vec<Cell> {
    let mut blob = vec![Cell::ORIGIN];
    while blob.len() < cells {
        let from = blob[numbers.below(blob.len())];
        let next = from.neighbours().nth(numbers.below(6)).unwrap();
        if !blob.contains(&next) {
            blob.push(next);
        }
    }
    blob
}

pub(crate) fn any_frame(numbers: &mut Numbers) -> Orientation {
    Orientation::all().nth(numbers.below(12)).unwrap()
}

pub(crate) fn framed(cells: &[Cell], frames: Vec<Orientation>, pins: usize) -> CircuitStructure {
    let bodies = cells.iter().copied().map(Body::contracted).collect();
    CircuitStructure::new(bodies, frames, Vec::new(), pins).unwrap()
}

pub(crate) fn common(cells: &[Cell], pins: usize) -> CircuitStructure {
    CircuitStructure::contracted(cells, pins).unwrap()
}

/// All connected shapes of up to `most` cells.
pub(crate) fn shapes(most: usize) -> impl Iterator<Item = Shape> {
    (1..=most).flat_map(|cells| Shape::all_connected(cells).unwrap())
}

/// Runs to the end; returns `None` if the run does not end.
pub(crate) fn finished<A: RoundTable>(mut run: CircuitRun<A>) -> Option<CircuitRun<A>> {
    while run.round().ok()? {
        if run.rounds_done() > ROUNDS_MAX {
            return None;
        }
    }
    Some(run)
}

pub(crate) fn ran<A: RoundTable>(structure: CircuitStructure, algorithm: A, seed: u64) -> CircuitRun<A> {
    finished(CircuitRun::new(structure, algorithm, Coins::keyed(seed)).unwrap()).unwrap()
}

/// Distances from a cell by breadth-first search.
pub(crate) fn distances(cells: &[Cell], source: usize) -> Vec<usize> {
    let mut distances = vec![usize::MAX; cells.len()];
    distances[source] = 0;
    let mut queue = std::collections::VecDeque::from([source]);
    while let Some(at) = queue.pop_front() {
        for next in cells[at].neighbours() {
            if let Some(other) = cells.iter().position(|cell| *cell == next)
                && distances[other] == usize::MAX
            {
                distances[other] = distances[at] + 1;
                queue.push_back(other);
            }
        }
    }
    distances
}

/// A spanning tree by breadth-first search from `root`: the labels of the tree edges of each amoebot in the common
/// frame, and the parent of each amoebot.
pub(crate) fn spanning_tree(cells: &[Cell], root: usize) -> (Vec<Vec<u8>>, Vec<Option<usize>>) {
    let distances = distances(cells, root);
    let (mut edges, mut parents) = (vec![Vec::new(); cells.len()], vec![None; cells.len()]);
    for (child, at) in cells.iter().enumerate() {
        let nearer = |other: &usize| {
            at.direction_to(cells[*other]).is_some() && distances[*other] + 1 == distances[child]
        };
        if let Some(parent) = (0..cells.len()).find(nearer) {
            let direction = at.direction_to(cells[parent]).unwrap();
            edges[child].push(direction.index() + 1);
            edges[parent].push(direction.opposite().index() + 1);
            parents[child] = Some(parent);
        }
    }
    edges.iter_mut().for_each(|labels| labels.sort_unstable());
    (edges, parents)
}
