//! Basic shape formation against its oracles: the aims alone, replayed on cells, and closed formulas.

mod every_schedule;
mod larger_runs;
mod oracle;
mod wrong_aims;

use std::collections::BTreeSet;

use acrasin_amoebot::library::basic_shape::Form;
use acrasin_amoebot::library::hexagon::{Memory, State};
use acrasin_amoebot::{Cell, Configuration, Direction, Rotation};

/// Every start: those of hexagon formation, whatever the form.
pub(crate) use crate::hexagon::initial;

/// The cells that are filled from the seed in `first`, by the aims alone: no amoebot walks, each retiree is put where the
/// last one aims. The line grows on one side only; a line of n cells has n places for the seed.
pub(crate) fn replayed(form: Form, seed: Cell, first: Direction, n: usize) -> Vec<Cell> {
    let next = |cell: Cell, direction| cell.neighbour(direction).expect("near the seed");
    let mut filled = vec![seed];
    let mut aim = first;
    while filled.len() < n {
        let at = next(*filled.last().expect("the seed"), aim);
        assert!(!filled.contains(&at), "the aim is free");
        let back = aim.opposite();
        let is_filled = |direction| filled.contains(&next(at, direction));
        aim = match form {
            Form::Line => aim,
            Form::Hexagon => {
                let turns = |turns| (0..turns).fold(back, |d: Direction, _| d.turned(Rotation::Clockwise));
                (1..6).map(turns).find(|direction| !is_filled(*direction)).expect("room outside")
            }
            Form::Triangle => {
                let beside = back.turned(Rotation::Clockwise);
                if is_filled(beside) { aim } else { beside }
            }
        };
        filled.push(at);
    }
    filled
}

/// Every set of n cells in which a run may end: one, but for a line n, by the place of the seed.
pub(crate) fn accepted(form: Form, seed: Cell, first: Direction, n: usize) -> BTreeSet<Vec<Cell>> {
    let sorted = |mut cells: Vec<Cell>| {
        cells.sort();
        cells
    };
    match form {
        Form::Hexagon | Form::Triangle => BTreeSet::from([sorted(replayed(form, seed, first, n))]),
        Form::Line => (1..=n)
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
