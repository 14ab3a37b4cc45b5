//! Entries of boundaries, tours, shortest paths, half-planes, maxima and parallelograms.

use std::hash::{BuildHasherDefault, DefaultHasher};

use acrasin_amoebot::algorithm::description::AlgorithmFigure;
use acrasin_amoebot::library::entry::{AlgorithmEntry, Needs};
use acrasin_amoebot::library::parameter::{Parameter, ParameterKind};
use acrasin_amoebot::{Cell, Direction, Orientation, Shape};
use hashbrown::HashSet;

use super::described::{PINS, PreparedAlgorithm, described, pins, small};
use super::search::{DIRECTIONS, SearchTree, along, coordinates, direction};
use crate::library::{BoundaryTest, GlobalMaxima, ParallelogramTest, RootedTour, ShortestPaths, SidesTest};
use crate::process::CircuitResult;
use crate::structure::{CellMap, CircuitStructure, Occupant};

/// The default number of repetitions of the elections on boundaries and among maxima.
const REPETITIONS: u32 = 10;

const SEEDED: Needs = Needs { seed: true, ..Needs::NOTHING };

/// The empty cells next to the outer boundary. The search stays at this boundary, because empty cells next to different
/// boundaries are not connected through such cells.
fn outside(structure: &CircuitStructure) -> HashSet<Cell, BuildHasherDefault<DefaultHasher>> {
    let cells = CellMap::new(structure).expect("a structure has one owner per cell");
    let lowest = structure.bodies().iter().map(|body| body.head()).min_by_key(|cell| (cell.y(), cell.x()));
    let mut stack: Vec<Cell> =
        lowest.and_then(|cell| cell.neighbour(Direction::SouthWest)).into_iter().collect();
    let mut found: HashSet<Cell, _> = stack.iter().copied().collect();
    while let Some(at) = stack.pop() {
        for next in at.neighbours().filter(|next| cells.get(*next).is_none()) {
            let is_next_to_one = next.neighbours().any(|cell| cells.get(cell).is_some());
            if is_next_to_one && found.insert(next) {
                stack.push(next);
            }
        }
    }
    found
}

pub(super) const BOUNDARIES: AlgorithmEntry = AlgorithmEntry {
    name: "CircuitBoundaries",
    title: "boundary test on circuits",
    summary: "circuits: amoebots learn which of their boundaries is the outer boundary",
    parameters: &[
        Parameter::optional(
            "repetitions",
            ParameterKind::Count,
            "repetitions of the elections, at least 1; 10 by default",
        ),
        PINS,
    ],
    needs: Needs::NOTHING,
    read: |values| {
        let repetitions = small(values, "repetitions", 1, REPETITIONS)?;
        Ok(described(BOUNDARIES.title, pins(values, 4)?, move |structure, _| {
            let outside = outside(structure);
            Ok(PreparedAlgorithm {
                algorithm: BoundaryTest { repetitions },
                oracle: Box::new(move |run| {
                    let mut is_right = true;
                    let (mut outer, mut inner) = (0, 0);
                    let (bodies, frames) = (run.structure().bodies(), run.structure().orientations());
                    for ((body, frame), memory) in bodies.iter().zip(frames).zip(run.memories()) {
                        for part in &memory.parts {
                            let cell = body.head().neighbour(frame.direction(part.first_empty()));
                            let is_outer = cell.is_some_and(|cell| outside.contains(&cell));
                            is_right &= part.is_outer == Some(is_outer);
                            *if part.is_outer == Some(true) { &mut outer } else { &mut inner } += 1;
                        }
                    }
                    let figures = vec![
                        AlgorithmFigure::count("outer", "visits of the outer boundary", outer),
                        AlgorithmFigure::count("inner", "visits of inner boundaries", inner),
                    ];
                    CircuitResult { is_right, figures }
                }),
            })
        }))
    },
};

pub(super) const TOUR: AlgorithmEntry = AlgorithmEntry {
    name: "CircuitTour",
    title: "Euler tour by PASC",
    summary: "circuits: a spanning tree is rooted at the seed",
    parameters: &[PINS],
    needs: SEEDED,
    read: |values| {
        Ok(described(TOUR.title, pins(values, 4)?, |structure, root| {
            let labels = SearchTree::new(structure, root).labels(structure);
            let (edges, parents) = (labels.edges(), labels.parents);
            Ok(PreparedAlgorithm {
                algorithm: RootedTour { edges, root: root as u32 },
                oracle: Box::new(move |run| {
                    let found = run.memories().iter().map(|amoebot| &amoebot.parent);
                    CircuitResult { is_right: found.eq(&parents), figures: Vec::new() }
                }),
            })
        }))
    },
};

pub(super) const SHORTEST_PATHS: AlgorithmEntry = AlgorithmEntry {
    name: "CircuitShortestPaths",
    title: "shortest path tree on circuits",
    summary: "circuits: shortest paths to the seed in a structure without holes",
    parameters: &[PINS],
    needs: SEEDED,
    read: |values| {
        Ok(described(SHORTEST_PATHS.title, pins(values, 4)?, |structure, source| {
            let cells = structure.bodies().iter().map(|body| body.head());
            let holes = Shape::from_cells(cells).map_or(0, |shape| shape.holes());
            if holes > 0 {
                return Err(format!("the start has holes: {holes} (accepted: 0)"));
            }
            let distances = SearchTree::new(structure, source).distances;
            Ok(PreparedAlgorithm {
                algorithm: ShortestPaths { source: source as u32 },
                oracle: Box::new(move |run| {
                    let structure = run.structure();
                    let cells = CellMap::new(structure).expect("a structure has one owner per cell");
                    let is_nearer = |amoebot: usize| match run.memories()[amoebot].towards {
                        None => amoebot == source,
                        Some(label) => {
                            let direction = structure.orientations()[amoebot].direction(label);
                            let next = cells.next(structure.bodies()[amoebot].head(), direction);
                            let Some(Occupant::Head(next)) = next else { return false };
                            distances[next as usize] + 1 == distances[amoebot]
                        }
                    };
                    let farthest = distances.iter().max().copied().unwrap_or(0);
                    CircuitResult {
                        is_right: (0..distances.len()).all(is_nearer),
                        figures: vec![AlgorithmFigure::count(
                            "distance",
                            "largest distance",
                            farthest.into(),
                        )],
                    }
                }),
            })
        }))
    },
};

/// The heights of all amoebots above an axis, in the direction perpendicular to it.
fn heights(structure: &CircuitStructure, axis: Orientation) -> Vec<i32> {
    structure.bodies().iter().map(|body| coordinates(body.head(), axis).1).collect()
}

const AXIS: Parameter = Parameter::optional("axis", DIRECTIONS, "the axis; East by default");

pub(super) const SIDES: AlgorithmEntry = AlgorithmEntry {
    name: "CircuitSides",
    title: "half-planes on circuits",
    summary: "circuits: amoebots learn their side of the line through the seed along an axis",
    parameters: &[AXIS, PINS],
    needs: SEEDED,
    read: |values| {
        let axis = direction(values, "axis");
        Ok(described(SIDES.title, pins(values, 4)?, move |structure, root| {
            let edges = SearchTree::new(structure, root).labels(structure).edges();
            let heights = heights(structure, along(structure, axis));
            Ok(PreparedAlgorithm {
                algorithm: SidesTest {
                    edges,
                    root: root as u32,
                    axis: structure.orientations()[0].label(axis),
                },
                oracle: Box::new(move |run| {
                    let sides = heights.iter().map(|height| height.cmp(&heights[root]));
                    let found = run.memories().iter().map(|amoebot| amoebot.side);
                    CircuitResult { is_right: found.eq(sides), figures: Vec::new() }
                }),
            })
        }))
    },
};

pub(super) const MAXIMA: AlgorithmEntry = AlgorithmEntry {
    name: "CircuitMaxima",
    title: "global maxima on circuits",
    summary: "circuits: amoebots learn which of them are farthest from an axis, on its counter-clockwise side",
    parameters: &[
        AXIS,
        Parameter::optional(
            "repetitions",
            ParameterKind::Count,
            "repetitions of each election; 10 by default",
        ),
        PINS,
    ],
    needs: Needs::NOTHING,
    read: |values| {
        let axis = direction(values, "axis");
        let repetitions = small(values, "repetitions", 0, REPETITIONS)?;
        Ok(described(MAXIMA.title, pins(values, 4)?, move |structure, _| {
            let edges = SearchTree::new(structure, 0).labels(structure).edges();
            let heights = heights(structure, along(structure, axis));
            let axis = structure.orientations()[0].label(axis);
            Ok(PreparedAlgorithm {
                algorithm: GlobalMaxima { edges, axis, repetitions },
                oracle: Box::new(move |run| {
                    let highest = heights.iter().max();
                    let maxima = heights.iter().map(|height| Some(height) == highest);
                    let found = run.memories().iter().map(|amoebot| amoebot.is_left);
                    let count = found.clone().filter(|is_left| *is_left).count() as u64;
                    let phases = run.memories()[0].phases;
                    CircuitResult {
                        is_right: found.eq(maxima),
                        figures: vec![
                            AlgorithmFigure::count("maxima", "maxima", count),
                            AlgorithmFigure::count("phases", "phases", phases.into()),
                        ],
                    }
                }),
            })
        }))
    },
};

pub(super) const PARALLELOGRAM: AlgorithmEntry = AlgorithmEntry {
    name: "CircuitParallelogram",
    title: "parallelogram test on circuits",
    summary: "circuits: amoebots learn whether the structure is a parallelogram along two successive axes, in two rounds",
    parameters: &[AXIS, PINS],
    needs: Needs::NOTHING,
    read: |values| {
        let axis = direction(values, "axis");
        Ok(described(PARALLELOGRAM.title, pins(values, 2)?, move |structure, _| {
            let frame = along(structure, axis);
            let at = structure.bodies().iter().map(|body| coordinates(body.head(), frame));
            let (mut low, mut high) = ((i32::MAX, i32::MAX), (i32::MIN, i32::MIN));
            for (x, y) in at {
                (low, high) = ((low.0.min(x), low.1.min(y)), (high.0.max(x), high.1.max(y)));
            }
            let area = i64::from(high.0 - low.0 + 1) * i64::from(high.1 - low.1 + 1);
            let expected = area == structure.amoebots() as i64;
            let axis = structure.orientations()[0].label(axis);
            Ok(PreparedAlgorithm {
                algorithm: ParallelogramTest { axis },
                oracle: Box::new(move |run| {
                    let found = run.memories()[0].is_parallelogram == Some(true);
                    let mut all = run.memories().iter().map(|amoebot| amoebot.is_parallelogram);
                    CircuitResult {
                        is_right: all.all(|is| is == Some(expected)),
                        figures: vec![AlgorithmFigure::flag("parallelogram", "parallelogram", found)],
                    }
                }),
            })
        }))
    },
};
