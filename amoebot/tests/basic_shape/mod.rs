//! Basic shape formation compared with its oracles: the aims alone, replayed on cells, and closed formulas.

mod every_schedule;
mod larger_runs;
mod oracle;
mod wrong_aims;

use std::collections::BTreeSet;

use acrasin_amoebot::library::basic_shape::TargetShape;
use acrasin_amoebot::library::hexagon::{Memory, State};
use acrasin_amoebot::{Cell, Configuration, Direction, Rotation};

/// Every start of n amoebots. The starts are the same for all forms: those of hexagon formation.
pub(crate) use crate::hexagon::initial;

pub(crate) const FORMS: [TargetShape; 5] = [
    TargetShape::Line,
    TargetShape::Hexagon,
    TargetShape::Triangle,
    TargetShape::Square,
    TargetShape::VertexTriangle,
];

/// The cells filled from the seed in direction `first`, computed without amoebots. The line is on one side only, with n
/// positions for the seed. Hexagon and triangle follow from their aims alone: each retiree is put on the cell at which
/// the previous retiree aims. The square is filled layer by layer, the vertex triangle row by row.
pub(crate) fn replayed(form: TargetShape, seed: Cell, first: Direction, n: usize) -> Vec<Cell> {
    let steps = |cell: Cell, direction, count: usize| {
        (0..count).fold(cell, |cell: Cell, _| cell.neighbour(direction).expect("near the seed"))
    };
    let next = |cell, direction| steps(cell, direction, 1);
    let second = first.turned(Rotation::Counterclockwise);
    match form {
        // One side at a time around the rhombus: alternating blunt and sharp corners, two sides of each length.
        TargetShape::Square => {
            let sides = [first, second, first.opposite(), second.opposite()];
            let lengths = (1..).flat_map(|length| [length, length]);
            let runs = sides.into_iter().cycle().zip(lengths);
            let walk = runs.flat_map(|(side, length)| std::iter::repeat_n(side, length));
            let cells = walk.scan(seed, |at, side| {
                *at = next(*at, side);
                Some(*at)
            });
            return std::iter::once(seed).chain(cells).take(n).collect();
        }
        // Row k has the k + 1 cells at distance k from the seed between its directions `first` and `second`.
        TargetShape::VertexTriangle => {
            let row = |k: usize| {
                let along = move |j| if k % 2 == 1 { j } else { k - j };
                (0..=k).map(along).map(move |up| steps(steps(seed, first, k - up), second, up))
            };
            return (0..).flat_map(row).take(n).collect();
        }
        TargetShape::Line | TargetShape::Hexagon | TargetShape::Triangle => {}
    }
    let mut filled = vec![seed];
    let mut aim = first;
    while filled.len() < n {
        let at = next(*filled.last().expect("the seed"), aim);
        assert!(!filled.contains(&at), "the aim is free");
        let back = aim.opposite();
        let is_filled = |direction| filled.contains(&next(at, direction));
        aim = match form {
            TargetShape::Line => aim,
            TargetShape::Hexagon => {
                let turns = |turns| (0..turns).fold(back, |d: Direction, _| d.turned(Rotation::Clockwise));
                (1..6).map(turns).find(|direction| !is_filled(*direction)).expect("room outside")
            }
            _ => {
                let beside = back.turned(Rotation::Clockwise);
                if is_filled(beside) { aim } else { beside }
            }
        };
        filled.push(at);
    }
    filled
}

/// Every set of n cells in which a run may end: one set, or for a line n sets, one per position of the seed.
pub(crate) fn accepted(form: TargetShape, seed: Cell, first: Direction, n: usize) -> BTreeSet<Vec<Cell>> {
    let sorted = |mut cells: Vec<Cell>| {
        cells.sort();
        cells
    };
    match form {
        TargetShape::Hexagon | TargetShape::Triangle | TargetShape::Square | TargetShape::VertexTriangle => {
            BTreeSet::from([sorted(replayed(form, seed, first, n))])
        }
        TargetShape::Line => (1..=n)
            .map(|ahead| {
                let mut cells = replayed(form, seed, first, ahead);
                cells.extend(replayed(form, seed, first.opposite(), n - ahead + 1).split_off(1));
                sorted(cells)
            })
            .collect(),
    }
}

pub(crate) fn seed_of(state: &Configuration<Memory>) -> Cell {
    let seed = state.amoebots().iter().find(|amoebot| amoebot.memory.state == State::Seed);
    seed.expect("the seed stays").body.head()
}
