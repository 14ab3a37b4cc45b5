//! All schedules from all connected shapes and all positions of the seed.

use std::collections::BTreeSet;

use acrasin_amoebot::check::Scope;
use acrasin_amoebot::library::basic_shape::{BasicShape, TargetShape};
use acrasin_amoebot::{Chirality, Direction, Hexagon, Orientation, explore};

use super::{accepted, initial, seed_of};

/// The numbers of distinct initial systems and states, the lengths of the longest and the shortest run, the maximum
/// number of movements, and the number of arrangements of the final cells around the seed.
type Known = (usize, usize, u32, u32, u64, usize);

fn found(form: TargetShape, n: usize, orientations: &[Orientation]) -> Known {
    let first = orientations.first().map_or(Direction::East, |orientation| orientation.first);
    let starts = initial(n, orientations);
    let all = explore(&BasicShape { form }, starts, BasicShape::is_finished, Scope::default());
    let all = all.expect("few states");
    assert!(
        all.always_succeeds(),
        "{form:?}, n = {n}: never disconnected, no cycle, no amoebot stuck or aborted"
    );
    let mut ends = BTreeSet::new();
    for state in &all.finals {
        let (seed, cells) = (seed_of(state), state.system().cells());
        assert!(accepted(form, seed, first, n).contains(&cells), "{form:?} round {seed}: {cells:?}");
        ends.insert((seed, cells));
    }
    let run = |run: Option<u32>| run.expect("no cycle");
    let moves = all.most_moves.expect("no cycle");
    (all.initial, all.states, run(all.longest_run), run(all.shortest_run), moves, ends.len())
}

#[test]
fn lines_of_up_to_five() {
    let known = [
        (6, 18, 6, 2, 4, 2),
        (33, 289, 19, 4, 16, 3),
        (176, 4200, 33, 7, 30, 4),
        (930, 58744, 50, 10, 48, 5),
    ];
    assert_eq!([2, 3, 4, 5].map(|n| found(TargetShape::Line, n, &[])), known);
}

#[test]
fn triangles_of_up_to_five() {
    let known = [
        (6, 18, 12, 2, 10, 1),
        (33, 280, 27, 4, 24, 1),
        (176, 4348, 41, 7, 38, 1),
        (930, 60954, 57, 9, 52, 1),
    ];
    assert_eq!([2, 3, 4, 5].map(|n| found(TargetShape::Triangle, n, &[])), known);
}

#[test]
fn squares_of_up_to_five() {
    let known = [
        (6, 18, 12, 2, 10, 1),
        (33, 280, 29, 5, 26, 1),
        (176, 4352, 43, 7, 40, 1),
        (930, 61280, 56, 9, 54, 1),
    ];
    assert_eq!([2, 3, 4, 5].map(|n| found(TargetShape::Square, n, &[])), known);
}

#[test]
fn vertex_triangles_of_up_to_five() {
    let known = [
        (6, 18, 12, 2, 10, 1),
        (33, 280, 27, 4, 24, 1),
        (176, 4348, 43, 7, 40, 1),
        (930, 60975, 69, 10, 64, 1),
    ];
    assert_eq!([2, 3, 4, 5].map(|n| found(TargetShape::VertexTriangle, n, &[])), known);
}

/// The hexagon form equals hexagon formation, except that α4 computes `dir` again. With four or more amoebots a root
/// may store another `dir`.
#[test]
fn hexagons_of_up_to_four_are_hexagon_formation() {
    for (n, states, without_looking_again) in [(2, 18, 18), (3, 280, 280), (4, 4348, 4334)] {
        let found = found(TargetShape::Hexagon, n, &[]);
        let all = explore(&Hexagon, initial(n, &[]), Hexagon::is_finished, Scope::default()).expect("few");
        assert_eq!((found.1, all.states), (states, without_looking_again));
        let (longest, shortest) = (all.longest_run.expect("no cycle"), all.shortest_run.expect("an end"));
        let moves = all.most_moves.expect("no cycle");
        assert_eq!(found, (all.initial, states, longest, shortest, moves, 1));
    }
}

/// With common chirality, the orientations of amoebots change only the first aim of the seed.
#[test]
fn own_directions_change_nothing() {
    let turned = |first| Orientation { first, chirality: Chirality::Standard };
    let orientations = [Direction::NorthWest, Direction::SouthEast, Direction::West].map(turned);
    for form in [TargetShape::Line, TargetShape::Triangle, TargetShape::Square, TargetShape::VertexTriangle] {
        let (common, own) = (found(form, 3, &[]), found(form, 3, &orientations));
        assert_eq!((own.0, own.2, own.3, own.4, own.5), (common.0, common.2, common.3, common.4, common.5));
    }
}
