//! All schedules of small systems.

use acrasin_amoebot::check::Scope;
use acrasin_amoebot::library::universal_coating::Memory;
use acrasin_amoebot::{Algorithm, Cell, SequentialExploration, Shape, System, UniversalCoating, explore};

use super::oracle::{cell, fault_at_the_end, placed};

pub(crate) fn all_schedules<A>(algorithm: &A, starts: Vec<System<Memory>>) -> SequentialExploration<Memory>
where
    A: Algorithm<Memory = Memory> + Sync,
{
    explore(algorithm, starts, |system| fault_at_the_end(system).is_none(), Scope::default())
        .expect("few states")
}

/// Whether every run ends in a correct state.
pub(crate) fn always_coats(all: &SequentialExploration<Memory>) -> bool {
    all.always_succeeds() && !all.finals.is_empty()
}

/// The numbers of initial systems, states and final states, and the length of the longest run.
fn explored(object: &[Cell], n: usize) -> (usize, usize, usize, u32) {
    let shapes = Shape::all_connected(n).expect("few cells");
    let starts: Vec<_> = shapes.iter().flat_map(|shape| placed(shape.cells(), object)).collect();
    let all = all_schedules(&UniversalCoating, starts);
    assert!(always_coats(&all), "n = {n}: {:?}", all.stuck.first());
    (all.initial, all.states, all.finals.len(), all.longest_run.expect("no cycle"))
}

#[test]
fn every_order_round_one_cell() {
    let found = [1, 2, 3].map(|n| explored(&[Cell::ORIGIN], n));
    assert_eq!(found, [(6, 30, 12, 2), (24, 1488, 36, 21), (108, 88_272, 528, 54)]);
}

#[test]
fn every_order_in_a_blunt_corner() {
    let object = [cell(0, 0), cell(1, 0), cell(-1, 1)];
    let found = [1, 2].map(|n| explored(&object, n));
    assert_eq!(found, [(10, 50, 20, 2), (36, 2292, 60, 21)]);
}
