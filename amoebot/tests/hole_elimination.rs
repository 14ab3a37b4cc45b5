//! Hole elimination: the structure never has a hole, and every amoebot ends in it. Rules that close holes, or
//! that wait where two roots meet, are detected.

use acrasin_amoebot::algorithm::description::Description;
use acrasin_amoebot::check::Scope;
use acrasin_amoebot::library::hexagon::{Memory, State};
use acrasin_amoebot::library::hole_elimination::{Action, HoleElimination};
use acrasin_amoebot::run::execution::{RoundRobinActivation, Uniform, UniformEnabled};
use acrasin_amoebot::run::simultaneous::{Concurrency, Rounds};
use acrasin_amoebot::{
    ActionError, ActionOrder, Adversary, Algorithm, Cell, Effects, SequentialExecution, System, View,
    explore, start,
};
use acrasin_runtime::choice::Choices;
use acrasin_runtime::{FixedProbability, Seeded};

use crate::hexagon::initial;
use crate::refused::refuses_bad_seeds;

/// Six amoebots around a free cell: the smallest hole.
fn smallest_ring() -> Vec<Cell> {
    start::ring(Cell::ORIGIN, start::RingSize { hole_side: 1, width: 1 }).unwrap()
}

/// The numbers of distinct initial systems, of states, and of final shapes.
fn found(starts: Vec<System<Memory>>) -> (usize, usize, usize) {
    let all = explore(&HoleElimination, starts, HoleElimination::is_finished, Scope::default()).unwrap();
    assert!(all.always_succeeds(), "never disconnected, no cycle, no amoebot stuck or aborted");
    for state in &all.finals {
        assert_eq!(state.system().shape().unwrap().holes(), 0);
    }
    (all.initial, all.states, all.final_shapes().len())
}

#[test]
fn every_schedule_of_up_to_four_and_of_the_smallest_ring() {
    let known = [(6, 18, 3), (33, 337, 11), (176, 5373, 44)];
    assert_eq!([2, 3, 4].map(|n| found(initial(n, &[]))), known);
    let ring = HoleElimination::start(&smallest_ring(), 0, &[]).unwrap();
    assert_eq!(found(vec![ring]), (1, 1979, 22));
}

/// Runs a blob with many holes under an adversary. Returns whether there is never a fault and the goal is reached.
fn ends_well(n: usize, seed: u64, activation: &mut impl Adversary) -> bool {
    let mut choices = Seeded::new(seed);
    let acceptance = FixedProbability::new(0.5).unwrap();
    let cells = start::blob(Cell::ORIGIN, n, acceptance, &mut choices).unwrap();
    let system = HoleElimination::start(&cells, 0, &[]).unwrap();
    let holes = system.shape().unwrap().holes();
    let mut execution = SequentialExecution::new(&HoleElimination, system);
    while !execution.run(200, activation, &mut choices) {
        assert_eq!(HoleElimination.fault(execution.system()), None, "n = {n}, seed {seed}");
        assert!(execution.counts().activations < 50_000_000, "n = {n}, seed {seed}: no end");
    }
    assert!(HoleElimination::is_finished(execution.system()), "n = {n}, seed {seed}");
    assert_eq!(execution.counts().failures, 0, "enabled actions succeed");
    holes > 0
}

#[test]
fn hundreds_of_amoebots_lose_their_holes() {
    for seed in 1..=4 {
        assert!(ends_well(300, seed, &mut UniformEnabled), "there were holes at the start");
        ends_well(80, seed, &mut Uniform);
        ends_well(80, seed, &mut RoundRobinActivation::default());
    }
}

/// A rule that is replaced.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wrong {
    /// Retires next to the structure in any case.
    ClosesHoles,
    /// Omits α8.
    NeverTurns,
}

impl Algorithm for Wrong {
    type Memory = Memory;
    type Action = Action;
    fn actions(&self) -> &[Action] {
        HoleElimination.actions()
    }
    fn order(&self) -> ActionOrder {
        ActionOrder::AsListed
    }
    fn enabled(&self, action: Action, view: &View<'_, Memory>) -> bool {
        match (self, action) {
            (Self::ClosesHoles, Action::Alpha3) => {
                view.own().state == State::Root
                    && view.is_contracted()
                    && view.all_neighbours(|b| b.memory.state != State::Idle)
            }
            (Self::NeverTurns, Action::Alpha8) => false,
            _ => HoleElimination.enabled(action, view),
        }
    }
    fn execute(
        &self,
        action: Action,
        view: &View<'_, Memory>,
        choices: &mut dyn Choices,
    ) -> Result<Effects<Memory>, ActionError> {
        HoleElimination.execute(action, view, choices)
    }
}

#[test]
fn retiring_anywhere_closes_holes() {
    let ring = HoleElimination::start(&smallest_ring(), 0, &[]).unwrap();
    let all = explore(&Wrong::ClosesHoles, [ring], HoleElimination::is_finished, Scope::default()).unwrap();
    assert!(!all.stuck.is_empty());
    assert!(all.stuck.iter().all(|state| HoleElimination.fault(&state.system()).is_some()));
}

/// Two roots that meet in a bay one node wide would wait forever.
#[test]
fn roots_that_never_turn_wait_forever() {
    let waits = |seed| {
        let mut choices = Seeded::new(seed);
        let acceptance = FixedProbability::new(0.5).unwrap();
        let cells = start::blob(Cell::ORIGIN, 120, acceptance, &mut choices).unwrap();
        let system = HoleElimination::start(&cells, 0, &[]).unwrap();
        let mut execution = SequentialExecution::new(&Wrong::NeverTurns, system);
        assert!(execution.run(10_000_000, &mut UniformEnabled, &mut choices), "it comes to rest");
        !HoleElimination::is_finished(execution.system())
    };
    assert!((0..300).any(waits));
}

/// Without locks two neighbours, each next to one piece of the structure, retire at the same moment and close a hole
/// together. If no two amoebots act within two steps of each other, as locks ensure, the algorithm is correct.
#[test]
fn without_locks_holes_are_closed() {
    let finishes = |concurrency, seed| {
        let acceptance = FixedProbability::new(0.5).unwrap();
        let cells = start::blob(Cell::ORIGIN, 60, acceptance, &mut Seeded::new(seed)).unwrap();
        let start = HoleElimination::start(&cells, 0, &[]).unwrap();
        let mut rounds = Rounds::new(&HoleElimination, start, concurrency);
        rounds.run(20_000, &mut Seeded::new(seed));
        HoleElimination::is_finished(rounds.system())
    };
    assert!((0..40).any(|seed| !finishes(Concurrency::Synchronous, seed)));
    assert!((0..40).all(|seed| finishes(Concurrency::Isolated(2), seed)));
}

#[test]
fn starts_that_cannot_be_are_refused() {
    refuses_bad_seeds("seed", |cells, seed| {
        HoleElimination::start(cells, seed, &[]).expect_err("a bad start")
    });
}
