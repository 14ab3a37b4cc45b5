//! Shortcut bridging: the exact distribution of small worlds, the steps, long runs, the landscapes, bad input.

mod exact;
mod invariants;
mod landscapes;
mod runs;
mod stationary;

use std::collections::{BTreeMap, BTreeSet};

use acrasin_amoebot::chain::{EdgeRing, MOVES};
use acrasin_amoebot::{Bridging, Cell, Direction, Shape};

fn cell(x: i32, y: i32) -> Cell {
    Cell::new(x, y).expect("within the lattice")
}

/// The cells of all amoebots.
type State = BTreeSet<Cell>;

/// A small world: its objects, its number of amoebots, and its gap.
struct World {
    name: &'static str,
    objects: Vec<Cell>,
    amoebots: usize,
    gap: fn(Cell) -> bool,
}

fn worlds() -> Vec<World> {
    let world = |name, objects: &[(i32, i32)], amoebots, gap| {
        let objects = objects.iter().map(|(x, y)| cell(*x, *y)).collect();
        World { name, objects, amoebots, gap }
    };
    vec![
        world("two anchors at a shore", &[(0, 0), (3, 0)], 4, |cell| cell.y() > 0),
        world("two anchors askew", &[(0, 0), (1, 2)], 4, |cell| cell.x() > 0),
        world("three anchors", &[(0, 0), (2, 0), (0, 2)], 3, |cell| (cell.x() - cell.y()).rem_euclid(3) == 1),
        world("a bent object", &[(0, 0), (1, 0), (0, 1), (-1, 1)], 3, |cell| cell.x() + cell.y() > 0),
        world("one post in stripes", &[(0, 0)], 4, |cell| cell.y().rem_euclid(2) == 1),
        world("one post, no gap", &[(0, 0)], 4, |_| false),
    ]
}

impl World {
    fn chain(&self, state: &State, lambda: f64, gamma: f64) -> Bridging {
        let cells: Vec<Cell> = state.iter().copied().collect();
        Bridging::new(&cells, &self.objects, |cell| !(self.gap)(cell), lambda, gamma).expect("a start")
    }

    /// The cells of amoebots and objects.
    fn occupied(&self, state: &State) -> BTreeSet<Cell> {
        state.iter().chain(&self.objects).copied().collect()
    }

    /// All states in which amoebots and objects together are connected and without holes.
    fn space(&self) -> BTreeSet<State> {
        let shapes = Shape::all_connected(self.amoebots + self.objects.len()).expect("few cells");
        let hole_free: Vec<&Shape> = shapes.iter().filter(|shape| shape.holes() == 0).collect();
        let translates = hole_free.iter().flat_map(|shape| {
            let to = self.objects[0];
            shape.cells().iter().map(move |at| {
                let moved = |cell: &Cell| cell.translated(to.x() - at.x(), to.y() - at.y());
                shape.cells().iter().map(|cell| moved(cell).expect("near the origin")).collect::<State>()
            })
        });
        let with_objects = translates.filter(|all| self.objects.iter().all(|object| all.contains(object)));
        let without = |mut all: State| {
            all.retain(|cell| !self.objects.contains(cell));
            all
        };
        with_objects.map(without).collect()
    }

    /// The values p and 2 g.
    fn perimeters(&self, state: &State) -> (u64, u64) {
        let walk = walk(&self.occupied(state));
        let over_gap = walk.iter().map(|(a, b)| u64::from((self.gap)(*a)) + u64::from((self.gap)(*b)));
        (walk.len() as u64, over_gap.sum())
    }

    /// The weight λ^-p γ^-g.
    fn weight(&self, state: &State, lambda: f64, gamma: f64) -> f64 {
        let (perimeter, halves) = self.perimeters(state);
        lambda.powi(-(perimeter as i32)) * gamma.powf(-(halves as f64) / 2.0)
    }

    fn law(&self, lambda: f64, gamma: f64) -> BTreeMap<State, f64> {
        let weights: Vec<(State, f64)> =
            self.space().into_iter().map(|s| (s.clone(), self.weight(&s, lambda, gamma))).collect();
        let sum: f64 = weights.iter().map(|(_, weight)| weight).sum();
        weights.into_iter().map(|(state, weight)| (state, weight / sum)).collect()
    }
}

/// The closed walk around the outside, counter-clockwise, edge by edge.
fn walk(occupied: &BTreeSet<Cell>) -> Vec<(Cell, Cell)> {
    // No amoebot is below it, and none left of it in its row.
    let first = *occupied.iter().min_by_key(|cell| (cell.y(), cell.x())).expect("some cells");
    // The sharpest turn to the right from the way back.
    let next = |at: Cell, back: u8| {
        (1..=6)
            .map(|turn| Direction::from_index(back + turn))
            .find(|direction| at.neighbour(*direction).is_some_and(|neighbour| occupied.contains(&neighbour)))
    };
    let Some(start) = next(first, Direction::SouthWest.index()) else { return Vec::new() };
    let (mut at, mut direction, mut edges) = (first, start, Vec::new());
    loop {
        let to = at.neighbour(direction).expect("near the origin");
        edges.push((at, to));
        at = to;
        direction = next(at, direction.opposite().index()).expect("the way back");
        if (at, direction) == (first, start) {
            return edges;
        }
    }
}

/// The ring around the edge that starts at a cell in a direction. The set bits are the ring cells that are in `cells`.
fn ring(from: Cell, direction: Direction, cells: &BTreeSet<Cell>) -> EdgeRing {
    let to = from.neighbour(direction).expect("near the origin");
    let at = |bit: u8| if bit < 5 { (from, bit + 1) } else { (to, bit) };
    let is = |bit: &u8| {
        let (end, turns) = at(*bit);
        let neighbour = end.neighbour(Direction::from_index(direction.index() + turns));
        neighbour.is_some_and(|neighbour| cells.contains(&neighbour))
    };
    EdgeRing((0..8).filter(is).fold(0, |ring, bit| ring | 1 << bit))
}

/// The mistake of a wrong variant.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Mistake {
    None,
    /// Properties 1 and 2 and e ignore objects.
    ObjectsIgnored,
    /// An edge between land and gap counts 1.
    HalvesAsWholes,
    /// g(σ′) - g(σ) instead of g(σ) - g(σ′).
    GapPays,
    /// An edge with the outside on both sides counts once.
    CutEdgesOnce,
    /// Only the gap under the moving amoebot is considered.
    OwnGapOnly,
}

/// All moves from a state with their probabilities for a picked amoebot and direction, by the definitions.
fn moves(
    world: &World,
    state: &State,
    (lambda, gamma): (f64, f64),
    mistake: Mistake,
) -> Vec<(Cell, Direction, State, f64)> {
    let occupied = world.occupied(state);
    let seen = if mistake == Mistake::ObjectsIgnored { state } else { &occupied };
    let measures = |state: &State| {
        let gaps = |(a, b): &(Cell, Cell)| u32::from((world.gap)(*a)) + u32::from((world.gap)(*b));
        let edge = |edge: &(Cell, Cell)| match (mistake, gaps(edge)) {
            (Mistake::HalvesAsWholes, 1) => 1.0,
            (Mistake::GapPays, gaps) => -f64::from(gaps) / 2.0,
            (_, gaps) => f64::from(gaps) / 2.0,
        };
        let mut walk = walk(&world.occupied(state));
        if mistake == Mistake::CutEdgesOnce {
            let undirected: BTreeSet<_> = walk.iter().map(|(a, b)| (*a.min(b), *a.max(b))).collect();
            walk = undirected.into_iter().collect();
        }
        (walk.len() as f64, walk.iter().map(edge).sum::<f64>())
    };
    let before = measures(state);
    let mut moves = Vec::new();
    for &from in state {
        for direction in Direction::ALL {
            let to = from.neighbour(direction).expect("near the origin");
            if occupied.contains(&to) || MOVES[usize::from(ring(from, direction, seen).0)].is_none() {
                continue;
            }
            let mut next = state.clone();
            next.remove(&from);
            next.insert(to);
            let after = measures(&next);
            let gap = if mistake == Mistake::OwnGapOnly {
                f64::from(u8::from((world.gap)(from))) - f64::from(u8::from((world.gap)(to)))
            } else {
                before.1 - after.1
            };
            let weight = lambda.powf(before.0 - after.0) * gamma.powf(gap);
            moves.push((from, direction, next, weight.min(1.0)));
        }
    }
    moves
}
