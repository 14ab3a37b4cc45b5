//! Shortest path trees, half-planes, maxima and parallelograms against coordinates and breadth-first search.

use std::collections::BTreeSet;

use acrasin_amoebot::{Cell, Direction, Shape};
use acrasin_circuits::library::{GlobalMaxima, ParallelogramTest, ShortestPaths, SidesTest};

use crate::structures::{Numbers, blob, common, distances, ran, shapes, spanning_tree};

fn shortest(cells: &[Cell], source: usize) -> Result<u64, String> {
    let run = ran(common(cells, 4), ShortestPaths { source: source as u32 }, 0);
    let distances = distances(cells, source);
    for (amoebot, memory) in run.memories().iter().enumerate() {
        let next = memory.towards.map(|label| {
            let cell = cells[amoebot].neighbour(Direction::from_index(label - 1)).unwrap();
            cells.iter().position(|other| *other == cell)
        });
        let right = match next {
            None => amoebot == source,
            Some(next) => next.is_some_and(|next| distances[next] + 1 == distances[amoebot]),
        };
        if !right {
            return Err(format!("{cells:?} from {source}: amoebot {amoebot} goes to {next:?}"));
        }
    }
    Ok(run.rounds_done())
}

#[test]
fn shortest_paths_of_all_shapes_without_holes_of_up_to_six_cells() {
    for shape in shapes(6).filter(|shape| shape.holes() == 0) {
        let n = shape.cells().len() as u64;
        for source in 0..shape.cells().len() {
            let rounds = shortest(shape.cells(), source).unwrap();
            let iterations = u64::from(u64::BITS - (2 * n - 2).leading_zeros()).max(1);
            assert_eq!(rounds, 6 * iterations + 3);
        }
    }
}

#[test]
fn shortest_paths_of_larger_structures_without_holes() {
    let mut numbers = Numbers::new(6);
    let mut tested = 0;
    while tested < 10 {
        let cells = blob(30, &mut numbers);
        if Shape::from_cells(cells.iter().copied()).unwrap().holes() == 0 {
            shortest(&cells, numbers.below(cells.len())).unwrap();
            tested += 1;
        }
    }
}

/// The height of a cell above an axis: the second coordinate in a frame whose first direction is the axis.
fn height(cell: Cell, axis: Direction) -> i32 {
    let (x, y) = (cell.x(), cell.y());
    // Steps in directions axis + 1 and axis + 2 are one up.
    [y, -x, -(x + y), -y, x, x + y][usize::from(axis.index())]
}

#[test]
fn sides_agree_with_coordinates() {
    for axis in Direction::ALL {
        for (by, up) in [(0, 0), (1, 1), (2, 1), (3, 0), (4, -1), (5, -1)] {
            let next = Cell::ORIGIN.neighbour(Direction::from_index(axis.index() + by)).unwrap();
            assert_eq!(height(next, axis), up, "{axis:?} {by}");
        }
    }
    let mut numbers = Numbers::new(7);
    for _ in 0..60 {
        let cells = blob(1 + numbers.below(25), &mut numbers);
        let root = numbers.below(cells.len());
        let axis = Direction::from_index(numbers.below(6) as u8);
        let (edges, _) = spanning_tree(&cells, numbers.below(cells.len()));
        let test = SidesTest { edges, root: root as u32, axis: axis.index() + 1 };
        let run = ran(common(&cells, 4), test, 0);
        for (cell, memory) in cells.iter().zip(run.memories()) {
            assert_eq!(memory.side, height(*cell, axis).cmp(&height(cells[root], axis)));
        }
    }
}

#[test]
fn global_maxima_agree_with_coordinates() {
    let mut numbers = Numbers::new(8);
    for seed in 0..30 {
        let cells = blob(1 + numbers.below(25), &mut numbers);
        let axis = Direction::from_index(numbers.below(6) as u8);
        let (edges, _) = spanning_tree(&cells, 0);
        let maxima = GlobalMaxima { edges, axis: axis.index() + 1, repetitions: 12 };
        let run = ran(common(&cells, 4), maxima, seed);
        let highest = cells.iter().map(|cell| height(*cell, axis)).max().unwrap();
        let right = cells.iter().map(|cell| height(*cell, axis) == highest);
        assert!(run.memories().iter().map(|memory| memory.is_left).eq(right), "seed {seed}");
    }
}

/// There are 3 (d(n) - 2) + 3 parallelograms of n >= 2 cells over three pairs of axes, where d counts divisors.
#[test]
fn parallelograms_are_counted_by_divisors() {
    for n in 2..=7 {
        let divisors = (1..=n).filter(|side| n % side == 0).count();
        let mut found = BTreeSet::new();
        for shape in Shape::all_connected(n).unwrap() {
            for axis in 1..=3 {
                let run = ran(common(shape.cells(), 2), ParallelogramTest { axis }, 0);
                assert_eq!(run.rounds_done(), 2);
                if run.memories()[0].is_parallelogram == Some(true) {
                    found.insert(shape.clone());
                }
            }
        }
        assert_eq!(found.len(), 3 * (divisors - 2) + 3, "{n} cells");
    }
}
