//! Entries of joint movements: the rhombus and trains.

use std::collections::BTreeMap;

use acrasin_amoebot::library::entry::{AlgorithmEntry, Needs};
use acrasin_amoebot::library::parameter::{Parameter, ParameterKind};

use super::described::{PINS, PreparedAlgorithm, described, pins, small};
use super::search::coordinates;
use crate::library::{LineToRhombus, Train};
use crate::process::{CircuitResult, Oracle};
use crate::round::RoundTable;
use crate::structure::CircuitStructure;

/// The positions of all amoebots in their common frame.
fn places(structure: &CircuitStructure) -> Vec<(i32, i32)> {
    let frame = structure.orientations()[0];
    structure.bodies().iter().map(|body| coordinates(body.head(), frame)).collect()
}

/// These positions relative to the first position. Results compare such positions, because the choice of the anchor
/// translates the structure.
fn relative(places: &[(i32, i32)]) -> Vec<(i32, i32)> {
    places.iter().map(|(x, y)| (x.wrapping_sub(places[0].0), y.wrapping_sub(places[0].1))).collect()
}

/// The oracle of movements that end with contracted amoebots at these positions: up to a translation, or relative to
/// the first object, which does not move.
fn ends_at<A: RoundTable>(expected: Vec<(i32, i32)>) -> Oracle<A> {
    Box::new(move |run| {
        let contracted = run.structure().bodies().iter().all(|body| body.is_contracted());
        let reached = places(run.structure());
        let is_expected = match run.structure().objects() {
            [] => relative(&reached) == relative(&expected),
            _ => reached == expected,
        };
        let is_right = contracted && is_expected;
        CircuitResult { is_right, figures: Vec::new() }
    })
}

pub(super) const RHOMBUS: AlgorithmEntry = AlgorithmEntry {
    name: "LineToRhombus",
    title: "line to rhombus",
    summary: "joint movements: a line of 4^k amoebots folds into a rhombus, in 4 k + 2 rounds",
    parameters: &[PINS],
    needs: Needs::NOTHING,
    read: |values| {
        Ok(described(RHOMBUS.title, pins(values, 3)?, |structure, _| {
            let amoebots = structure.amoebots();
            let folds = amoebots.ilog2() / 2;
            if amoebots != 1 << (2 * folds) {
                return Err(format!("{amoebots} amoebots (accepted: a power of 4)"));
            }
            let start = places(structure);
            let (x, y) = start[0];
            if let Some(other) = (0..amoebots).find(|&at| start[at] != (x + at as i32, y)) {
                let cell = structure.bodies()[other].head();
                return Err(format!(
                    "cell {cell}: not the next cell of a line (accepted: a line along label 1)"
                ));
            }
            let fold = |number: i32| {
                let (dx, dy) = (0..folds).fold((number, 0), |(x, y), _| (x / 2, 2 * y + x % 2));
                (x + dx, y + dy)
            };
            let expected = (0..amoebots as i32).map(fold).collect();
            Ok(PreparedAlgorithm { algorithm: LineToRhombus, oracle: ends_at(expected) })
        }))
    },
};

pub(super) const TRAIN: AlgorithmEntry = AlgorithmEntry {
    name: "JointTrain",
    title: "train of joint movements",
    summary: "joint movements: a row, a pump, or a worm on a floor; a worm of several rows crawls",
    parameters: &[
        Parameter::required(
            "kind",
            ParameterKind::Word(&["Row", "Pump", "Worm"]),
            "Row: all amoebots expand and contract; Pump: one column does; Worm: the rows above the lowest one walk",
        ),
        Parameter::optional(
            "cycles",
            ParameterKind::Count,
            "how often the movement, of two halves, is repeated; 1 by default",
        ),
        Parameter::optional(
            "column",
            ParameterKind::Count,
            "the column of a pump, counted from the west; 0 by default",
        ),
    ],
    needs: Needs::NOTHING,
    read: |values| {
        let cycles = small(values, "cycles", 0, 1)?;
        let column = small(values, "column", 0, 0)?;
        let kind = values.word("kind").unwrap_or("Row");
        Ok(described(TRAIN.title, 0, move |structure, _| {
            let start = places(structure);
            let amoebots = start.len();
            let along = |at: usize, by: i64| (i64::from(start[at].0) + by) as i32;
            let moved = |goes: &dyn Fn(usize) -> i64| {
                (0..amoebots).map(|at| (along(at, i64::from(cycles) * goes(at)), start[at].1)).collect()
            };
            let (algorithm, expected): (Train, Vec<(i32, i32)>) = match kind {
                "Row" => (Train::row(amoebots, cycles), moved(&|_| 1)),
                "Pump" => {
                    let west = start.iter().map(|(x, _)| *x).min().unwrap_or(0);
                    let is_mover = |at: &usize| i64::from(start[*at].0 - west) == i64::from(column);
                    let movers: Vec<usize> = (0..amoebots).filter(is_mover).collect();
                    if movers.is_empty() {
                        return Err(format!("column {column} is empty"));
                    }
                    (Train::pump(amoebots, &movers, cycles), start.clone())
                }
                _ => {
                    // Without an object the lowest row of amoebots is the floor.
                    let lowest = start.iter().map(|(_, y)| *y).min();
                    let floor = lowest.filter(|_| structure.objects().is_empty());
                    let mut rows: BTreeMap<i32, Vec<usize>> = BTreeMap::new();
                    for at in (0..amoebots).filter(|at| Some(start[*at].1) != floor) {
                        rows.entry(start[at].1).or_default().push(at);
                    }
                    let mut rows: Vec<Vec<usize>> = rows.into_values().collect();
                    rows.iter_mut().for_each(|row| row.sort_by_key(|at| start[*at].0));
                    let length = rows.first().map_or(0, Vec::len) as i64;
                    let goes = |at: usize| if Some(start[at].1) == floor { 0 } else { length };
                    (Train::crawl(amoebots, &rows, cycles), moved(&goes))
                }
            };
            Ok(PreparedAlgorithm { algorithm, oracle: ends_at(expected) })
        }))
    },
};
