//! Which algorithms meet the conventions of the concurrency framework.

use acrasin_amoebot::conditions::{Conventions, EXAMPLES_MAX, conventions};
use acrasin_amoebot::{
    BasicShape, Cell, Erosion, Hexagon, LocalCompression, MaximalIndependentSet, Shape, View, basic_shape,
    enabled_actions, hexagon,
};

const STATES_MAX: usize = 1 << 20;

fn shapes(n: usize) -> Vec<Vec<Cell>> {
    Shape::all_connected(n).unwrap().iter().map(|shape| shape.cells().to_vec()).collect()
}

/// Whether nothing is wrong but this: idle amoebots follow "some" neighbour, here the first, and a newcomer can be first.
fn only_whom_to_follow_differs(found: &Conventions<hexagon::Memory>) -> bool {
    found.aborted == 0
        && found.not_monotone == found.examples.len()
        && found.examples.iter().all(|(state, id)| {
            let system = state.system();
            system.memory(*id).state == hexagon::State::Idle && {
                let view = View::of(&system, *id);
                enabled_actions(&Hexagon, view).eq([hexagon::Action::Alpha2])
            }
        })
}

#[test]
fn hexagon_formation_meets_the_conventions_but_for_whom_to_follow() {
    let mut not_monotone = Vec::new();
    for n in 1..=4 {
        let starts = shapes(n)
            .into_iter()
            .flat_map(|cells| (0..n).map(move |seed| Hexagon::start(&cells, seed, &[]).unwrap()));
        let found = conventions(&Hexagon, starts, STATES_MAX).unwrap();
        assert!(only_whom_to_follow_differs(&found), "{n}: {found:?}");
        assert!(n < 4 || found.compared > 600, "newcomers were compared: {}", found.compared);
        not_monotone.push(found.not_monotone);
    }
    assert_eq!(not_monotone, [0, 0, 0, 9]);
}

#[test]
fn basic_shapes_meet_the_conventions_but_for_whom_to_follow() {
    for form in [basic_shape::Form::Line, basic_shape::Form::Triangle] {
        let algorithm = BasicShape { form };
        let starts = shapes(4)
            .into_iter()
            .flat_map(|cells| (0..4).map(move |seed| BasicShape::start(&cells, seed, &[]).unwrap()));
        let found = conventions(&algorithm, starts, STATES_MAX).unwrap();
        assert!(found.compared > 300 && only_whom_to_follow_differs(&found), "{form:?}: {found:?}");
    }
}

#[test]
fn where_nobody_moves_there_are_no_newcomers() {
    let erosion = shapes(4).into_iter().map(|cells| Erosion::start(&cells, &[]).unwrap());
    let found = conventions(&Erosion, erosion, STATES_MAX).unwrap();
    assert!(found.are_met() && found.compared == 0 && found.states > 44);
    let independent = shapes(4).into_iter().map(|cells| MaximalIndependentSet::start(&cells, &[]).unwrap());
    assert!(conventions(&MaximalIndependentSet, independent, STATES_MAX).unwrap().are_met());
}

/// It counts free cells, and who stands on one makes a difference.
#[test]
fn local_compression_is_not_monotone() {
    // λ = 1: moves are allowed or not, and nothing else is drawn.
    let algorithm = LocalCompression::new(1.0).unwrap();
    let starts = shapes(3).into_iter().map(|cells| LocalCompression::start(&cells, &[]).unwrap());
    let found = conventions(&algorithm, starts, STATES_MAX).unwrap();
    assert_eq!(found.aborted, 0);
    assert!(found.not_monotone > 0 && found.not_monotone < found.compared);
    assert!(found.examples.len() == EXAMPLES_MAX.min(found.not_monotone));
}

#[test]
fn too_many_states_are_an_error() {
    let starts = shapes(3).into_iter().map(|cells| Hexagon::start(&cells, 0, &[]).unwrap());
    assert!(conventions(&Hexagon, starts, 10).is_err());
}
