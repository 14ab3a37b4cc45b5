//! Crashes of algorithms that do not handle crashes.

use acrasin_amoebot::algorithm::crash::{Crash, Crashing, Mortal};
use acrasin_amoebot::algorithm::description::{AnyDescription, Description, Placement};
use acrasin_amoebot::check::simultaneous::explore_rounds;
use acrasin_amoebot::check::waves::{LockSetExtent, explore_waves};
use acrasin_amoebot::check::{CheckLimits, Questions, Scope, explore};
use acrasin_amoebot::library::catalogue::AlgorithmCatalogue;
use acrasin_amoebot::run::concurrent::{Concurrent, TryLocks};
use acrasin_amoebot::run::execution::{SequentialExecution, Uniform};
use acrasin_amoebot::run::parallel::Waves;
use acrasin_amoebot::run::simultaneous::{Concurrency, Rounds};
use acrasin_amoebot::run::tiles::Tiles;
use acrasin_amoebot::{AmoebotId, Cell, Direction, System, start};
use acrasin_runtime::Seeded;

fn line(count: usize, crashes: &[(u32, Crash)]) -> Placement {
    let crashes = crashes.iter().map(|(id, crash)| (AmoebotId(*id), *crash)).collect();
    let cells = start::line(Cell::ORIGIN, Direction::East, count).unwrap();
    Placement { cells, crashes, ..Placement::default() }
}

/// Calls `with` with a forest that has these kinds of crashes.
fn forest<T>(kinds: &[Crash], with: impl FnOnce(&Crashing<'_>) -> T) -> T {
    let chosen = acrasin_amoebot::library::forest::ENTRY.make(&Default::default()).unwrap();
    let any: AnyDescription<'_> = chosen.any().unwrap();
    with(&Crashing::new(&any, kinds))
}

/// The number of amoebots that have a parent or are the root. On a line the forest grows from the root at its
/// end.
fn in_trees(crashing: &Crashing<'_>, system: &System<Mortal>) -> usize {
    let idle = crashing.facts().states.iter().position(|state| *state == "idle").unwrap();
    system.ids().filter(|id| crashing.state(system.memory(*id)) != idle).count()
}

/// A forest on a line of nine. The sixth amoebot crashes, so the root and four followers remain, under every schedule.
#[test]
fn no_amoebot_beyond_a_crashed_one_on_a_line_follows_under_any_driver() {
    forest(&[Crash::After(0)], |crashing| {
        let start = || crashing.begin(&line(9, &[(5, Crash::After(0))])).unwrap();
        let mut one = SequentialExecution::new(crashing, start());
        assert!(one.run(10_000, &mut Uniform, &mut Seeded::new(1)));
        let mut waves = Waves::new(crashing, start(), 1);
        waves.run(1_000);
        let mut tiles = Tiles::new(crashing, start(), 1);
        tiles.run(1_000);
        let mut rounds = Rounds::new(crashing, start(), Concurrency::Synchronous);
        rounds.run(1_000, &mut Seeded::new(1));
        let mut framework = Concurrent::new(crashing, start(), TryLocks::new(9));
        framework.run(100_000, &mut Uniform, &mut Seeded::new(1));
        for system in [one.system(), waves.system(), tiles.system(), rounds.system(), framework.system()] {
            assert_eq!((in_trees(crashing, system), crashing.measure(system)), (5, vec![1]));
        }
    });
}

/// The third amoebot of a line crashes after one action, in which it joins. Its neighbour still sees it and
/// joins it.
#[test]
fn an_amoebot_crashes_after_its_own_actions() {
    forest(&[Crash::After(1)], |crashing| {
        let system = crashing.begin(&line(6, &[(2, Crash::After(1))])).unwrap();
        let mut run = SequentialExecution::new(crashing, system);
        assert!(run.run(10_000, &mut Uniform, &mut Seeded::new(3)));
        assert!(crashing.is_finished(run.system()));
        assert_eq!(crashing.measure(run.system()), [1]);
    });
}

/// Three amoebots on a line, the root first. The middle one may crash at any moment. If it joins before, the last one
/// joins as well; if it crashes before it joins, the last one remains idle. Counted by hand, there are 6 states. The
/// middle amoebot is idle, joined, crashed while idle or crashed after joining. If it has joined, the last amoebot may
/// have joined as well.
#[test]
fn a_check_follows_a_crash_at_every_moment() {
    forest(&[Crash::AnyTime], |crashing| {
        let start = || crashing.begin(&line(3, &[(1, Crash::AnyTime)])).unwrap();
        let all =
            explore(crashing, [start()], |system| crashing.is_finished(system), Scope::default()).unwrap();
        assert_eq!((all.states, all.finals.len(), all.stuck.len()), (6, 1, 1));
        let is_goal = |system: &System<Mortal>| crashing.is_finished(system);
        let rounds = explore_rounds(crashing, start(), Concurrency::Isolated(1), is_goal, 1_000).unwrap();
        assert_eq!((rounds.ends, rounds.wrong_ends), (2, 1));
        let waves = explore_waves(
            crashing,
            start(),
            LockSetExtent::Neighbourhoods,
            &Questions::from_goal(&is_goal),
            CheckLimits::default(),
        );
        assert!(waves.unwrap().wrong_ends > 0);
    });
}

/// An amoebot that crashed at the start never changes, in every algorithm of the catalogue that starts on a
/// line.
#[test]
fn every_algorithm_crashes() {
    let mut tried = Vec::new();
    for entry in AlgorithmCatalogue::shipped().entries() {
        let Ok(chosen) = entry.make(&Default::default()) else { continue };
        let Some(any) = chosen.any() else { continue };
        let crashing = Crashing::new(&any, &[Crash::After(0)]);
        let Ok(system) = crashing.begin(&line(5, &[(1, Crash::After(0)), (3, Crash::After(0))])) else {
            continue;
        };
        let mut run = SequentialExecution::new(&crashing, system);
        run.run(5_000, &mut Uniform, &mut Seeded::new(7));
        for id in [1, 3].map(AmoebotId) {
            assert!(run.system().memory(id).has_crashed(), "{}", entry.name);
            assert!(run.enabled().ids().iter().all(|enabled| *enabled != id), "{}", entry.name);
        }
        tried.push(entry.name);
    }
    assert!(tried.len() >= 6, "{tried:?}");
}
