//! All schedules of small systems.

use std::collections::BTreeSet;

use acrasin_amoebot::check::conditions::conventions;
use acrasin_amoebot::check::{Scope, SequentialExploration};
use acrasin_amoebot::library::energy_distribution::Memory;
use acrasin_amoebot::library::{erosion, hexagon};
use acrasin_amoebot::{
    Algorithm, Amoebot, Body, Cell, Configuration, Direction, EnergyDistribution, Erosion, Hexagon, Movement,
    Orientation, SequentialExecution, Shape, System, View, enabled_actions, explore, start,
};
use acrasin_runtime::choice::Enumerated;

use super::jostle::{self, Jostle};
use super::watch::is_forest;
use super::{Instead, Label, Outer, Variant, hexagon_starts, is_full};

/// All starts of `n` amoebots, with each of them as the source.
fn hexagons(n: usize, capacity: u32, demand: u32) -> SequentialExploration<Memory<hexagon::Memory>> {
    let distribution = EnergyDistribution::new(Hexagon, capacity, |_| demand).expect("in range");
    let of = |hexagon: System<_>| {
        (0..n).map(|source| distribution.start(&hexagon, &[source]).expect("connected")).collect::<Vec<_>>()
    };
    let starts: Vec<_> = hexagon_starts(n).into_iter().flat_map(of).collect();
    let goal = |system: &System<_>| {
        Hexagon::is_finished(&distribution.inner(system)) && is_full(&distribution, system)
    };
    let all = explore(&distribution, starts, goal, Scope::default()).expect("few states");
    assert!(
        all.always_succeeds(),
        "n = {n}: never disconnected, no cycle, no amoebot stuck, no action aborted"
    );
    let unique = Shape::from_cells(start::spiral(Cell::ORIGIN, Direction::East, n).expect("a spiral"))
        .expect("a shape");
    assert!(all.final_shapes().iter().eq([&unique]));
    all
}

#[test]
fn two_amoebots_gather() {
    let counted = |capacity, demand| {
        let all = hexagons(2, capacity, demand);
        (all.initial, all.states, all.longest_run.expect("no cycle"), all.most_moves.expect("no cycle"))
    };
    // Twelve starts; the plain algorithm has at most 10 moves, too.
    assert_eq!(counted(1, 1), (12, 218, 45, 10));
    assert_eq!(counted(2, 1), (12, 480, 48, 10));
    assert_eq!(counted(2, 2), (12, 465, 72, 10));
}

#[test]
fn three_amoebots_gather() {
    let all = hexagons(3, 1, 1);
    assert_eq!((all.initial, all.states, all.most_moves), (99, 20_932, Some(24)));
}

#[test]
fn three_amoebots_elect_a_leader() {
    let distribution = EnergyDistribution::new(Erosion, 1, |_| 1).expect("in range");
    let mut starts: Vec<System<Memory<erosion::Memory>>> = Vec::new();
    for shape in Shape::all_connected(3).expect("few cells") {
        let erosion = Erosion::start(shape.cells(), &[]).expect("no hole");
        starts.extend((0..3).map(|source| distribution.start(&erosion, &[source]).expect("connected")));
    }
    let goal = |system: &System<_>| {
        Erosion::is_finished(&distribution.inner(system)) && is_full(&distribution, system)
    };
    let all = explore(&distribution, starts, goal, Scope::default()).expect("few states");
    assert!(all.always_succeeds());
    assert_eq!((all.initial, all.states, all.longest_run), (33, 4932, Some(28)));
}

/// A plain search: the number of reachable states, or the fault of the forest in the first state that has one.
fn forests<A, W>(
    algorithm: &W,
    distribution: &EnergyDistribution<A>,
    starts: &[System<Outer<A>>],
) -> Result<usize, String>
where
    A: Algorithm<Memory: Ord>,
    W: Algorithm<Memory = Outer<A>, Action = Label<A>>,
{
    let state = |system: &System<_>| system.configuration().normal_form().expect("near each other");
    let mut known: BTreeSet<Configuration<_>> = starts.iter().map(state).collect();
    let mut open: Vec<_> = known.iter().cloned().collect();
    while let Some(state) = open.pop() {
        let system = state.system();
        is_forest(distribution, &system)?;
        for id in system.ids() {
            let view = View::new(&system, id);
            for action in enabled_actions(algorithm, view) {
                let mut next = system.clone();
                let effects = algorithm.execute(action, &view, &mut Enumerated::new()).expect("valid");
                effects.apply(&mut next, id).expect("valid");
                let next = next.configuration().normal_form().expect("near each other");
                if known.insert(next.clone()) {
                    open.push(next);
                }
            }
        }
    }
    Ok(known.len())
}

#[test]
fn a_forest_in_every_state_of_hexagon_formation() {
    let distribution = EnergyDistribution::new(Hexagon, 1, |_| 1).expect("in range");
    let of = |hexagon: System<_>| {
        (0..3).map(|source| distribution.start(&hexagon, &[source]).expect("connected")).collect::<Vec<_>>()
    };
    let starts: Vec<_> = hexagon_starts(3).into_iter().flat_map(of).collect();
    // The number of states equals that of the exploration.
    assert_eq!(forests(&distribution, &distribution, &starts), Ok(20_932));
}

/// Three amoebots with two handovers each, the first of them expanded, on some shapes of four nodes, with each of them
/// as the source.
fn small_crowds(distribution: &EnergyDistribution<Jostle>) -> Vec<System<Outer<Jostle>>> {
    let mut starts = Vec::new();
    for shape in Shape::all_connected(4).expect("few cells").iter().step_by(5) {
        let [head, tail, others @ ..] = shape.cells() else { continue };
        let Some(first) = Body::expanded(*head, *tail) else { continue };
        let bodies = std::iter::once(first).chain(others.iter().map(|cell| Body::contracted(*cell)));
        let amoebot = |(body, orientation)| Amoebot { body, orientation, memory: 2 };
        let crowd = System::new(bodies.zip(Orientation::all().step_by(5)).map(amoebot).collect());
        let crowd = crowd.expect("different cells");
        starts.extend((0..3).map(|source| distribution.start(&crowd, &[source]).expect("connected")));
    }
    starts
}

#[test]
fn a_forest_in_every_state_of_handovers() {
    let distribution = EnergyDistribution::new(Jostle, 1, |_| 1).expect("in range");
    let starts = small_crowds(&distribution);
    let goal = |system: &System<_>| {
        is_full(&distribution, system)
            && SequentialExecution::new(&Jostle, distribution.inner(system)).has_terminated()
    };
    let all = explore(&distribution, starts.clone(), goal, Scope::default()).expect("few states");
    assert!(all.always_succeeds());
    assert_eq!((all.initial, all.states), (24, 72_418));
    assert_eq!(forests(&distribution, &distribution, &starts), Ok(all.states));
    // The pushing amoebot stays in its tree, where it may be below its new children.
    let stays: Instead<Jostle> = |_, a, effects| match effects.movement() {
        Some(Movement::Push(_)) => jostle::unpruned_pusher(a, &effects),
        _ => effects,
    };
    let wrong = forests(&Variant { instead: stays, ..Variant::none(&distribution) }, &distribution, &starts);
    assert!(wrong.is_err_and(|fault| fault.contains("parent") || fault.contains("ancestor")));
}

/// Locks on amoebots suffice if they suffice for the inner algorithm. An amoebot that arrives while another amoebot
/// acts is neither idle nor pruning, and can only be a child of an earlier neighbour.
#[test]
fn the_conventions_of_the_concurrency_framework_are_met() {
    let distribution = EnergyDistribution::new(Hexagon, 1, |_| 1).expect("in range");
    let start = |hexagon: System<_>| distribution.start(&hexagon, &[0]).expect("connected");
    let found =
        conventions(&distribution, hexagon_starts(3).into_iter().map(start), 100_000).expect("few states");
    assert!(found.are_met() && found.compared > 100, "{found:?}");
}
