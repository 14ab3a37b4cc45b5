//! Boundary detection, compared with flooding of the empty cells.

use acrasin_amoebot::AmoebotId;
use acrasin_amoebot::check::{Identities, Scope, SequentialExploration};
use acrasin_amoebot::library::boundary::{Action, BoundaryAgent, Knowledge, Memory};
use acrasin_amoebot::run::execution::{RoundRobinActivation, SequentialExecution, Uniform};
use acrasin_amoebot::start::StartError;
use acrasin_amoebot::{
    ActionError, ActionOrder, Algorithm, Amoebot, Boundary, Cell, Chirality, Direction, Effects, Orientation,
    Rotation, Shape, System, View, explore, start,
};
use acrasin_runtime::choice::Choices;
use acrasin_runtime::{FixedProbability, Seeded};

use crate::outside::outside;
use crate::refused::{refuses_bad_cells, refuses_what_is_not_connected};

/// Whether every agent knows the side of the empty cell before its port, found by flooding.
fn is_right(system: &System<Memory>) -> bool {
    let outside = outside(system);
    Boundary::agents(system).into_iter().all(|(id, port, agent)| {
        let empty = system.amoebot(id).orientation.direction(port.turned(Rotation::Clockwise).label());
        let empty = system.body(id).head().neighbour(empty).expect("near the origin");
        let side = if outside.contains(&empty) { Knowledge::Outer } else { Knowledge::Inner };
        agent.knowledge == side
    })
}

fn explored(
    algorithm: &(impl Algorithm<Memory = Memory> + Sync),
    starts: impl IntoIterator<Item = System<Memory>>,
) -> SequentialExploration<Memory> {
    let scope = Scope { identities: Identities::Distinct, ..Scope::default() };
    explore(algorithm, starts, is_right, scope).expect("few states")
}

fn starts(n: usize, orientations: &[Orientation]) -> Vec<System<Memory>> {
    let shapes = Shape::all_connected(n).expect("few cells");
    let start = |shape: &Shape| Boundary::start(shape.cells(), orientations).expect("connected");
    shapes.iter().map(start).collect()
}

#[test]
fn every_schedule_of_up_to_seven() {
    let mut states = Vec::new();
    for n in 1..=7 {
        let starts = starts(n, &[]);
        let agents: Vec<usize> = starts.iter().map(|system| Boundary::agents(system).len()).collect();
        let all = explored(&Boundary, starts);
        assert!(all.always_succeeds(), "n = {n}");
        assert_eq!((all.initial, all.finals.len(), all.most_moves), (agents.len(), agents.len(), Some(0)));
        // Two actions of each agent.
        let twice = |agents: Option<&usize>| agents.map(|agents| 2 * *agents as u32);
        assert_eq!(all.longest_run, twice(agents.iter().max()));
        assert_eq!(all.shortest_run, twice(agents.iter().min()));
        states.push(all.states);
    }
    assert_eq!(states, [3, 15, 95, 536, 2922, 15783, 85112]);
}

/// On the outer boundary and on the boundary of each hole, exactly one agent is marked.
#[test]
fn as_many_boundaries_as_holes_and_one() {
    for n in 1..=7 {
        for system in starts(n, &[]) {
            let agents = Boundary::agents(&system);
            let marked = agents.iter().filter(|(_, _, agent)| agent.marked).count();
            assert_eq!(marked, system.shape().expect("a shape").holes() + 1);
            let of = |id: AmoebotId| agents.iter().filter(|(whose, _, _)| *whose == id).count();
            assert!(system.ids().all(|id| of(id) <= 3));
        }
    }
}

/// Each amoebot has another direction as port 1; all have the same chirality, standard or mirrored.
#[test]
fn own_directions_with_common_chirality() {
    for chirality in [Chirality::Standard, Chirality::Mirrored] {
        let orientation = |i: u8| Orientation { first: Direction::from_index(i * i + 2), chirality };
        let orientations: Vec<Orientation> = (0..6).map(orientation).collect();
        assert!(explored(&Boundary, starts(6, &orientations)).always_succeeds());
    }
}

#[test]
fn larger_blobs_with_holes() {
    let acceptance = FixedProbability::new(0.6).expect("a probability");
    for seed in 0..5 {
        let mut choices = Seeded::new(seed);
        let cells = start::blob(Cell::ORIGIN, 400, acceptance, &mut choices).expect("a blob");
        let start = Boundary::start(&cells, &[]).expect("connected");
        let mut random = SequentialExecution::new(&Boundary, start.clone());
        assert!(random.run(10_000_000, &mut Uniform, &mut choices));
        let mut regular = SequentialExecution::new(&Boundary, start);
        assert!(regular.run(1_000_000, &mut RoundRobinActivation::default(), &mut choices));
        for execution in [&random, &regular] {
            let agents = Boundary::agents(execution.system());
            assert!(Boundary::is_finished(execution.system()) && is_right(execution.system()));
            assert_eq!(
                (execution.counts().actions, execution.counts().failures),
                (2 * agents.len() as u64, 0)
            );
            assert!(agents.iter().any(|(_, _, agent)| agent.knowledge == Knowledge::Inner), "a hole");
        }
        assert_eq!(random.system(), regular.system(), "the result does not depend on the schedule");
    }
}

/// A mutant: boundary detection that writes other results.
struct Variant {
    written: fn(Action, BoundaryAgent) -> Knowledge,
}

impl Algorithm for Variant {
    type Memory = Memory;
    type Action = Action;
    fn actions(&self) -> &[Action] {
        Boundary.actions()
    }
    fn order(&self) -> ActionOrder {
        ActionOrder::Any
    }
    fn enabled(&self, action: Action, view: &View<'_, Memory>) -> bool {
        Boundary.enabled(action, view)
    }
    fn execute(
        &self,
        action: Action,
        view: &View<'_, Memory>,
        choices: &mut dyn Choices,
    ) -> Result<Effects<Memory>, ActionError> {
        let effects = Boundary.execute(action, view, choices)?;
        let [(None, Memory(mut agents))] = *effects.writes() else { unreachable!("one write") };
        for (agent, old) in agents.iter_mut().zip(view.own().0) {
            if *agent != old {
                agent.knowledge = (self.written)(action, *agent);
            }
        }
        Ok(Effects::none().write_own(Memory(agents)))
    }
}

#[test]
fn wrong_sums_and_judgements_are_detected() {
    let first_failure = |written: fn(Action, BoundaryAgent) -> Knowledge| {
        (1..=6).find(|n| !explored(&Variant { written }, starts(*n, &[])).always_succeeds())
    };
    assert_eq!(first_failure(|_, agent| agent.knowledge), None, "the right one is not");
    // Everything is outside: correct as long as there is no hole.
    let outer = |action, agent: BoundaryAgent| match action {
        Action::Judge => Knowledge::Outer,
        _ => agent.knowledge,
    };
    assert_eq!(first_failure(outer), Some(6));
    // One sixth too much at each further agent.
    let too_much = |action, agent: BoundaryAgent| match (action, agent.knowledge) {
        (Action::Add, Knowledge::Turns(turns)) => Knowledge::Turns((turns + 1) % 5),
        (_, knowledge) => knowledge,
    };
    assert_eq!(first_failure(too_much), Some(2));
    // Modulo 4, where 6 and -6 are the same.
    let modulo_4 = |_, agent: BoundaryAgent| match agent.knowledge {
        Knowledge::Turns(turns) => Knowledge::Turns(turns % 4),
        knowledge => knowledge,
    };
    assert!(first_failure(modulo_4).is_some_and(|n| n <= 3));
}

/// Without common chirality an agent reads the wrong agent of a neighbour as its predecessor.
#[test]
fn mixed_chirality_goes_wrong_and_is_refused() {
    let mirrored = Orientation { chirality: Chirality::Mirrored, ..Orientation::COMMON };
    let mixed = starts(3, &[]).into_iter().map(|system| {
        let of = |id: AmoebotId| {
            let orientation = if id == AmoebotId(1) { mirrored } else { Orientation::COMMON };
            Amoebot { orientation, ..system.amoebot(id).clone() }
        };
        System::new(system.ids().map(of).collect()).expect("different cells")
    });
    assert!(!explored(&Boundary, mixed).always_succeeds());
    let line = start::line(Cell::ORIGIN, Direction::East, 3).expect("a line");
    let refused = Boundary::start(&line, &[mirrored, mirrored]).expect_err("mixed");
    assert_eq!(refused, StartError::MixedChirality { first: AmoebotId(0), other: AmoebotId(2) });
    assert_eq!(
        refused.to_string(),
        format!(
            "amoebots {} and {} count ports in different directions: all amoebots must have the same chirality",
            AmoebotId(0),
            AmoebotId(2)
        )
    );
}

#[test]
fn starts_that_cannot_be_are_refused() {
    let refused = |cells: &[Cell]| Boundary::start(cells, &[]).expect_err("a bad start");
    refuses_bad_cells(refused);
    refuses_what_is_not_connected(refused);
}
