//! Election by coins: one leader, on the outer boundary, on shapes of every kind. A mutant whose candidates take every
//! probe for their own is detected.

use acrasin_amoebot::check::{Identities, Scope};
use acrasin_amoebot::library::token_election::{Action, AgentRole, CandidateState, CoinElection, Memory};
use acrasin_amoebot::run::concurrent::{Concurrent, TryLocks};
use acrasin_amoebot::run::execution::{
    Adversary, RoundRobinActivation, SequentialExecution, Uniform, UniformEnabled,
};
use acrasin_amoebot::{
    ActionError, ActionOrder, Algorithm, Cell, Direction, Effects, Rotation, System, TokenElection, View,
    enabled_actions, explore, start,
};
use acrasin_runtime::choice::Choices;
use acrasin_runtime::{FixedProbability, Seeded};

use super::oracle::{shapes, vectors_add_up};
use crate::outside::outside;

fn started(cells: &[Cell]) -> System<Memory> {
    CoinElection::start(cells, &[]).expect("connected")
}

/// The fault of a final system; `None` if there is none. Outside cells are found by flooding.
fn fault(system: &System<Memory>) -> Option<&'static str> {
    if system.ids().any(|id| enabled_actions(&CoinElection, View::new(system, id)).next().is_some()) {
        return Some("not at rest");
    }
    if TokenElection::leaders(system).len() != 1 {
        return Some("not one leader");
    }
    let outside = outside(system);
    for boundary in TokenElection::boundaries(system) {
        let mut left = boundary.iter().filter(|(_, _, agent)| {
            matches!(agent.role, AgentRole::Candidate(CandidateState::Leader | CandidateState::Inner))
                || agent.is_contending()
        });
        let (Some((id, port, agent)), None) = (left.next(), left.next()) else {
            return Some("not one candidate left on a boundary");
        };
        let orientation = system.amoebot(*id).orientation;
        let empty = orientation.direction(port.turned(Rotation::Clockwise).label());
        let is_outer = outside.contains(&system.body(*id).head().neighbour(empty).expect("near the origin"));
        if (agent.role == AgentRole::Candidate(CandidateState::Leader)) != is_outer {
            return Some("outer and inner are mistaken");
        }
    }
    None
}

fn is_right(system: &System<Memory>) -> bool {
    fault(system).is_none()
}

/// Runs to the end and checks the result. At no time may there be two leaders, and the vectors must always add up.
/// Returns the number of rounds.
fn elected(cells: &[Cell], activation: &mut impl Adversary, seed: u64) -> u64 {
    let mut execution = SequentialExecution::new(&CoinElection, started(cells));
    let mut choices = Seeded::new(seed);
    while !execution.run(500, activation, &mut choices) {
        assert!(TokenElection::leaders(execution.system()).len() < 2);
        assert!(vectors_add_up(execution.system()), "seed {seed}");
        assert!(execution.counts().activations < 20_000_000, "seed {seed} ends");
    }
    assert_eq!(fault(execution.system()), None, "seed {seed}, {cells:?}");
    assert_eq!(execution.counts().failures, 0);
    execution.counts().rounds
}

#[test]
fn coins_elect_one_on_every_shape_of_up_to_five() {
    for n in 1..=5 {
        for shape in shapes(n) {
            for seed in 0..4 {
                elected(shape.cells(), &mut Uniform, seed);
                elected(shape.cells(), &mut RoundRobinActivation::default(), seed);
            }
        }
    }
}

#[test]
fn coins_on_shapes_with_holes() {
    for (hole_side, width) in [(1, 1), (1, 2), (2, 1), (3, 1), (2, 2)] {
        let cells = start::ring(Cell::ORIGIN, start::RingSize { hole_side, width }).expect("a ring");
        for seed in 0..6 {
            elected(&cells, &mut UniformEnabled, seed);
        }
    }
    let acceptance = FixedProbability::new(0.6).expect("a probability");
    for seed in 0..8 {
        let cells = start::blob(Cell::ORIGIN, 60, acceptance, &mut Seeded::new(seed)).expect("a blob");
        elected(&cells, &mut UniformEnabled, seed);
    }
}

/// The goal can be reached from every state, and every final state is a goal.
#[test]
fn every_schedule_of_two_and_three_by_coins() {
    let states = [1, 2].map(|n| {
        let starts = shapes(n).into_iter().map(|shape| started(shape.cells()));
        let scope = Scope { identities: Identities::Anonymous, states_max: 1 << 20 };
        let all = explore(&CoinElection, starts, is_right, scope).expect("few states");
        assert_eq!((all.stuck.len(), all.hopeless, all.aborted, all.disconnected), (0, 0, 0, 0));
        (all.states, all.finals.len())
    });
    assert_eq!(states, [(2, 1), (153, 6)]);
    let triangle = start::spiral(Cell::ORIGIN, Direction::East, 3).expect("a triangle");
    let scope = Scope { identities: Identities::Anonymous, states_max: 1 << 20 };
    let all = explore(&CoinElection, [started(&triangle)], is_right, scope).expect("few states");
    assert_eq!((all.stuck.len(), all.hopeless, all.aborted, all.disconnected), (0, 0, 0, 0));
    assert_eq!((all.states, all.finals.len()), (542, 3));
}

#[test]
fn coins_with_locks() {
    let cells = start::ring(Cell::ORIGIN, start::RingSize { hole_side: 2, width: 1 }).expect("a ring");
    for seed in 0..4 {
        let mut run = Concurrent::new(&CoinElection, started(&cells), TryLocks::new(cells.len()));
        assert!(run.run(20_000_000, &mut UniformEnabled, &mut Seeded::new(seed)), "terminates");
        assert_eq!((fault(run.system()), run.counts().invalid), (None, 0));
        assert!(run.log().replay(&CoinElection, started(&cells)).unwrap() == *run.system());
    }
}

/// The last two candidates are half a boundary apart on average, and each coin takes as long as a probe from one to the
/// other. So rounds grow with the length of the boundary. If they grew with its square, they would grow fourfold from
/// one size to the next.
#[test]
fn rounds_of_coins_grow_with_the_length_of_the_boundary() {
    let ratios = [20_u32, 40, 80].map(|n| {
        let cells = start::line(Cell::ORIGIN, Direction::East, n as usize).expect("a line");
        let rounds: u64 = (0..8).map(|seed| elected(&cells, &mut Uniform, seed)).sum();
        rounds as f64 / 8.0 / f64::from(2 * n - 2)
    });
    println!("rounds per agent, lines of 20, 40, 80: {ratios:.2?}");
    assert!(ratios[2] < 2.0 * ratios[0] && ratios[1] < 2.0 * ratios[0], "{ratios:?}");
}

/// A mutant whose candidates take every probe for their own: it ignores the index of the agent and the vectors.
struct Believing;

impl Algorithm for Believing {
    type Memory = Memory;
    type Action = Action;
    fn actions(&self) -> &[Action] {
        CoinElection.actions()
    }
    fn order(&self) -> ActionOrder {
        ActionOrder::Any
    }
    fn enabled(&self, action: Action, view: &View<'_, Memory>) -> bool {
        CoinElection.enabled(action, view)
    }
    fn execute(
        &self,
        action: Action,
        view: &View<'_, Memory>,
        choices: &mut dyn Choices,
    ) -> Result<Effects<Memory>, ActionError> {
        let effects = CoinElection.execute(action, view, choices)?;
        let believed = |mut memory: Memory| {
            for agent in &mut memory.0 {
                if let AgentRole::Candidate(CandidateState::Tied { heard: Some(_), .. }) = agent.role {
                    agent.role = AgentRole::Candidate(CandidateState::Leader);
                }
            }
            memory
        };
        Ok(effects.writes().iter().fold(Effects::none(), |effects, (port, memory)| match port {
            None => effects.write_own(believed(*memory)),
            Some(port) => effects.write(*port, *memory),
        }))
    }
}

#[test]
fn candidates_that_take_every_probe_for_their_own_are_detected() {
    let line = start::line(Cell::ORIGIN, Direction::East, 3).expect("a line");
    let is_wrong = |seed| {
        let mut execution = SequentialExecution::new(&Believing, started(&line));
        execution.run(20_000, &mut UniformEnabled, &mut Seeded::new(seed));
        TokenElection::leaders(execution.system()).len() > 1
    };
    assert!((0..10).all(is_wrong));
}
