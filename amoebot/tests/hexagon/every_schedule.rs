//! All schedules from all connected shapes and all positions of the seed.

use std::collections::BTreeSet;

use acrasin_amoebot::check::{ExploreError, Identities, Scope};
use acrasin_amoebot::library::hexagon::{Memory, State};
use acrasin_amoebot::{
    Algorithm, Amoebot, Cell, Direction, Hexagon, SequentialExploration, Shape, System, View,
    enabled_actions, explore,
};

use acrasin_runtime::choice::Enumerated;

use super::{initial, spiral};

/// Explores all schedules, and checks all results that are not numbers.
fn explored(n: usize, identities: Identities) -> SequentialExploration<Memory> {
    let scope = Scope { identities, ..Scope::default() };
    let all = explore(&Hexagon, initial(n, &[]), Hexagon::is_finished, scope).expect("few states");
    assert!(
        all.always_succeeds(),
        "n = {n}: never disconnected, no cycle, no amoebot stuck, no action aborted"
    );
    for state in &all.finals {
        let seed = state.amoebots().iter().find(|amoebot| amoebot.memory.state == State::Seed);
        let seed = seed.expect("the seed stays").body.head();
        assert_eq!(state.system().cells(), spiral(seed, Direction::East, n));
    }
    let unique = Shape::from_cells(spiral(Cell::ORIGIN, Direction::East, n)).expect("a shape");
    assert!(all.final_shapes().iter().eq([&unique]));
    all
}

/// The known results for all schedules of n amoebots.
#[derive(PartialEq, Eq, Debug)]
struct Known {
    initial: usize,
    /// The sum over the initial systems, each explored alone with numbered amoebots, as the specification
    /// counts.
    states: usize,
    /// The sum over the initial systems with anonymous amoebots.
    anonymous: usize,
    /// The number with anonymous amoebots, where a state that several initial systems reach counts once.
    distinct: usize,
    longest_run: u32,
    shortest_run: u32,
    most_moves: u64,
}

fn found(n: usize) -> Known {
    let (numbered, all) = (explored(n, Identities::Distinct), explored(n, Identities::Anonymous));
    assert_eq!((numbered.initial, numbered.longest_run), (all.initial, all.longest_run));
    assert_eq!((numbered.most_moves, numbered.shortest_run), (all.most_moves, all.shortest_run));
    Known {
        initial: all.initial,
        states: numbered.states_from_each().iter().sum(),
        anonymous: all.states_from_each().iter().sum(),
        distinct: all.states,
        longest_run: all.longest_run.expect("no cycle"),
        shortest_run: all.shortest_run.expect("runs end"),
        most_moves: all.most_moves.expect("no cycle"),
    }
}

#[test]
fn two_amoebots() {
    let counts = Known {
        initial: 6,
        states: 48,
        anonymous: 48,
        distinct: 18,
        longest_run: 12,
        shortest_run: 2,
        most_moves: 10,
    };
    assert_eq!(found(2), counts);
}

#[test]
fn three_amoebots() {
    let counts = Known {
        initial: 33,
        states: 1449,
        anonymous: 1386,
        distinct: 280,
        longest_run: 27,
        shortest_run: 4,
        most_moves: 24,
    };
    assert_eq!(found(3), counts);
}

/// These expected results are not in the specification; they were computed by this implementation.
#[test]
fn four_amoebots() {
    let counts = Known {
        initial: 176,
        states: 32_780,
        anonymous: 27_124,
        distinct: 4334,
        longest_run: 39,
        shortest_run: 6,
        most_moves: 36,
    };
    assert_eq!(found(4), counts);
}

/// These expected results are not in the specification either; they were computed by this implementation.
#[test]
fn five_amoebots() {
    let counts = Known {
        initial: 930,
        states: 649_009,
        anonymous: 447_159,
        distinct: 60_578,
        longest_run: 51,
        shortest_run: 8,
        most_moves: 48,
    };
    assert_eq!(found(5), counts);
}

/// The number of states reachable from one system of numbered amoebots, by an independent plain search.
fn plain_search(start: System<Memory>) -> usize {
    let key = |system: &System<Memory>| -> Vec<Amoebot<Memory>> {
        system.ids().map(|id| system.amoebot(id).clone()).collect()
    };
    let mut known = BTreeSet::from([key(&start)]);
    let mut open = vec![start];
    while let Some(system) = open.pop() {
        for id in system.ids() {
            let view = View::new(&system, id);
            for action in enabled_actions(&Hexagon, view) {
                let mut next = system.clone();
                Hexagon
                    .execute(action, &view, &mut Enumerated::new())
                    .expect("valid")
                    .apply(&mut next, id)
                    .expect("valid");
                if known.insert(key(&next)) {
                    open.push(next);
                }
            }
        }
    }
    known.len()
}

/// The plain search uses absolute positions instead of normal forms and sorted maps instead of hash tables. It counts
/// the same numbers of states.
#[test]
fn a_plain_search_finds_as_many_states() {
    let plain: Vec<usize> = initial(3, &[]).into_iter().map(plain_search).collect();
    assert_eq!(explored(3, Identities::Distinct).states_from_each(), plain);
}

#[test]
fn too_many_states_are_an_error() {
    let within = |states_max| {
        let scope = Scope { states_max, ..Scope::default() };
        explore(&Hexagon, initial(2, &[]), Hexagon::is_finished, scope).map(|all| all.states)
    };
    assert_eq!(within(17), Err(ExploreError::TooManyStates { limit: 17 }));
    assert_eq!(within(18), Ok(18));
}
