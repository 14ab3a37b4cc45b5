//! All schedules of small systems.

use acrasin_amoebot::explore::Scope;
use acrasin_amoebot::universal_coating::Memory;
use acrasin_amoebot::{Algorithm, Cell, Direction, Exploration, Shape, System, UniversalCoating, explore};

use crate::oracle::{all_know_their_layer, cell, hangs_together, is_coated, line, placed};

pub(crate) fn all_schedules<A>(algorithm: &A, starts: Vec<System<Memory>>) -> Exploration<Memory>
where
    A: Algorithm<Memory = Memory>,
{
    explore(algorithm, starts, is_coated, Scope::default()).expect("few states")
}

/// Every run ends, and as it should.
pub(crate) fn always_coats(all: &Exploration<Memory>) -> bool {
    all.always_succeeds() && !all.finals.is_empty()
}

/// Initial systems, states, final states, actions of the longest run.
fn explored(object: &[Cell], n: usize) -> (usize, usize, usize, u32) {
    let shapes = Shape::all_connected(n).expect("few cells");
    let starts: Vec<_> = shapes.iter().flat_map(|shape| placed(shape.cells(), object)).collect();
    let all = all_schedules(&UniversalCoating, starts);
    assert!(always_coats(&all), "n = {n}: {:?}", all.stuck.first());
    for end in &all.finals {
        let system = end.system();
        assert!(
            hangs_together(&system)
                && UniversalCoating::is_finished(&system)
                && all_know_their_layer(&system)
        );
    }
    (all.initial, all.states, all.finals.len(), all.longest_run.expect("no cycle"))
}

#[test]
fn every_order_round_one_cell() {
    let found = [1, 2, 3, 4].map(|n| explored(&[Cell::ORIGIN], n));
    assert_eq!(found, [(6, 12, 6, 1), (24, 168, 6, 8), (108, 3380, 6, 29), (510, 63_092, 11, 52)]);
}

#[test]
fn every_order_in_a_blunt_corner() {
    let object = [cell(0, 0), cell(1, 0), cell(-1, 1)];
    let found = [1, 2, 3].map(|n| explored(&object, n));
    assert_eq!(found, [(10, 20, 10, 1), (36, 252, 10, 8), (152, 4677, 11, 29)]);
}

/// States, final states, actions of the longest run.
fn explored_from(cells: &[Cell]) -> (usize, usize, u32) {
    let start = UniversalCoating::start(cells, &[Cell::ORIGIN], &[]).expect("a good start");
    let all = all_schedules(&UniversalCoating, vec![start]);
    assert!(always_coats(&all), "{cells:?}: {:?}", all.stuck.first());
    for end in &all.finals {
        let system = end.system();
        assert!(
            hangs_together(&system)
                && UniversalCoating::is_finished(&system)
                && all_know_their_layer(&system)
        );
    }
    (all.states, all.finals.len(), all.longest_run.expect("no cycle"))
}

/// The first layer of one cell has six nodes.
#[test]
fn every_order_of_a_column_that_fills_the_first_layer() {
    let found = [5, 6].map(|n| explored_from(&line(cell(1, 0), Direction::East, n)));
    assert_eq!(found, [(6013, 1, 83), (40_829, 1, 127)]);
}

/// Five beside the object, and two to four in a column on one of them: one enters, the others make a second layer.
#[test]
fn every_order_of_columns_on_an_almost_full_first_layer() {
    let ring: Vec<Cell> = Cell::ORIGIN.neighbours().collect();
    let found = [2, 3, 4].map(|n| {
        let column = line(cell(2, 0), Direction::East, n);
        explored_from(&[&ring[..5], &column[..]].concat())
    });
    assert_eq!(found, [(1817, 2, 42), (17_408, 3, 58), (136_936, 4, 83)]);
}
