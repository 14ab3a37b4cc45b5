//! The bookkeeping of an execution, compared with evaluating all amoebots again after each activation.

use std::collections::BTreeSet;

use acrasin_amoebot::AmoebotId;
use acrasin_amoebot::run::execution::{Activated, RoundRobinActivation, SequentialExecution};
use acrasin_amoebot::{
    ActionError, ActionOrder, Adversary as _, Algorithm, Amoebot, AmoebotPort, Body, Cell, Direction,
    Effects, End, Hexagon, Movement, Orientation, System, View, enabled_actions, start,
};
use acrasin_runtime::choice::{Choices, pick_index};
use acrasin_runtime::{Decision, FixedProbability, Seeded};

/// An algorithm for this test, with every kind of movement, whose guards read everything that a guard can read.
struct Restless;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Action {
    /// Expands if there are few neighbours.
    Expand,
    /// Contracts if there are many neighbours.
    Contract,
    /// Pulls the first neighbour with an odd number.
    Pull,
    /// Pushes the first neighbour with an even number.
    Push,
    /// Writes a sum of memories.
    Count,
    /// Fails, because no amoebot is at the port.
    Stumble,
}

const ACTIONS: [Action; 6] =
    [Action::Expand, Action::Contract, Action::Pull, Action::Push, Action::Count, Action::Stumble];

/// The first neighbour at the tail, or at the only node, of the required shape and parity.
fn partner(view: &View<'_, u8>, contracted: bool, parity: u8) -> Option<AmoebotPort> {
    let end = if view.is_contracted() { End::Head } else { End::Tail };
    AmoebotPort::at(end).find(|port| {
        view.neighbour(*port).is_some_and(|b| b.contracted == contracted && b.memory % 2 == parity)
    })
}

impl Algorithm for Restless {
    type Memory = u8;
    type Action = Action;

    fn actions(&self) -> &[Action] {
        &ACTIONS
    }

    fn order(&self) -> ActionOrder {
        ActionOrder::Any
    }

    fn enabled(&self, action: Action, view: &View<'_, u8>) -> bool {
        let neighbours = view.neighbours().count();
        match action {
            Action::Expand => {
                view.is_contracted() && neighbours == 2 && !view.connected(AmoebotPort::head(1))
            }
            Action::Contract => !view.is_contracted() && neighbours >= 4,
            Action::Pull => !view.is_contracted() && partner(view, true, 1).is_some(),
            Action::Push => view.is_contracted() && partner(view, false, 0).is_some(),
            Action::Count => neighbours == 3 && view.neighbours().all(|b| b.memory >= view.own()),
            Action::Stumble => view.own() % 32 == 15 && !view.connected(AmoebotPort::head(2)),
        }
    }

    fn execute(
        &self,
        action: Action,
        view: &View<'_, u8>,
        _: &mut dyn Choices,
    ) -> Result<Effects<u8>, ActionError> {
        let own = view.own().wrapping_add(1);
        let missing = ActionError::Undefined("no partner");
        Ok(match action {
            Action::Expand => Effects::none().then(Movement::Expand(AmoebotPort::head(1))),
            Action::Contract => Effects::none().write_own(own).then(Movement::Contract(End::Head)),
            Action::Pull => {
                let port = partner(view, true, 1).ok_or(missing)?;
                Effects::none().write_own(own).write(port, own).then(Movement::Pull(port))
            }
            Action::Push => Effects::none().then(Movement::Push(partner(view, false, 0).ok_or(missing)?)),
            Action::Count => {
                let first = view.neighbours().next().ok_or(missing)?;
                Effects::none().write_own(own).write(first.port, first.memory.wrapping_add(3))
            }
            Action::Stumble => {
                view.read(AmoebotPort::head(2))?;
                Effects::none()
            }
        })
    }
}

fn blob(n: usize, choices: &mut Seeded) -> Vec<Cell> {
    let acceptance = FixedProbability::new(0.8).expect("a probability");
    start::blob(Cell::ORIGIN, n, acceptance, choices).expect("a blob")
}

fn restless(n: usize, choices: &mut Seeded) -> System<u8> {
    let frames: Vec<Orientation> = Orientation::all().collect();
    let cells = blob(n, choices);
    let amoebots = cells.into_iter().enumerate().map(|(i, cell)| Amoebot {
        body: Body::contracted(cell),
        orientation: frames[i % frames.len()],
        memory: i as u8 % 8,
    });
    System::new(amoebots.collect()).expect("one on each cell")
}

fn enabled_now<A: Algorithm>(algorithm: &A, system: &System<A::Memory>) -> BTreeSet<AmoebotId> {
    system.ids().filter(|id| enabled_actions(algorithm, View::new(system, *id)).next().is_some()).collect()
}

/// Activates amoebots uniformly, and recounts all counters of the execution. Returns the labels of the completed
/// actions.
fn follow<'a, A: Algorithm>(
    algorithm: &'a A,
    system: System<A::Memory>,
    activations: u64,
    choices: &mut Seeded,
) -> (Vec<A::Action>, SequentialExecution<'a, A>) {
    let n = system.len();
    let mut execution = SequentialExecution::new(algorithm, system);
    let mut pending = enabled_now(algorithm, execution.system());
    let mut counts = execution.counts();
    let mut waiting: BTreeSet<AmoebotId> = execution.system().ids().collect();
    let mut labels = Vec::new();
    for _ in 0..activations {
        if execution.has_terminated() {
            break;
        }
        let id = AmoebotId(pick_index(choices, n, Decision::Activation).expect("an amoebot") as u32);
        let before = execution.system().clone();
        let was_enabled = execution.enabled().contains(id);
        let did = execution.activate(id, choices);

        let enabled = enabled_now(algorithm, execution.system());
        assert_eq!(execution.enabled().ids().iter().copied().collect::<BTreeSet<_>>(), enabled);
        counts.activations += 1;
        waiting.remove(&id);
        if waiting.is_empty() {
            counts.sweeps += 1;
            waiting = execution.system().ids().collect();
        }
        match did {
            Activated::Disabled => assert!(!was_enabled && *execution.system() == before),
            Activated::Aborted { .. } => {
                counts.failures += 1;
                assert!(was_enabled && *execution.system() == before, "an aborted action changes nothing");
            }
            Activated::Completed { action, movement } => {
                counts.actions += 1;
                counts.moves += movement.map_or(0, Movement::moves);
                labels.push(action);
                pending.retain(|who| *who != id && enabled.contains(who));
                if pending.is_empty() {
                    counts.rounds += 1;
                    pending = enabled;
                }
            }
        }
        assert_eq!(execution.counts(), counts);
    }
    (labels, execution)
}

#[test]
fn enabled_amoebots_and_counts_are_exact() {
    let mut completed = Vec::new();
    let (mut rounds, mut failures) = (0, 0);
    for seed in 0..20 {
        let mut choices = Seeded::new(seed);
        let system = restless(25, &mut choices);
        let (labels, execution) = follow(&Restless, system, 1500, &mut choices);
        completed.extend(labels);
        rounds += execution.counts().rounds;
        failures += execution.counts().failures;
    }
    // Everything that can happen has happened often.
    for action in &ACTIONS[..5] {
        let times = completed.iter().filter(|label| *label == action).count();
        assert!(times > 50, "{action:?}: {times} times");
    }
    assert!(rounds > 100 && failures > 50, "{rounds} rounds, {failures} failures");
}

#[test]
fn enabled_amoebots_and_counts_are_exact_in_hexagon_formation() {
    for seed in 0..5 {
        let mut choices = Seeded::new(seed);
        let system = Hexagon::start(&blob(30, &mut choices), 0, &[]).expect("a blob is connected");
        let (_, execution) = follow(&Hexagon, system, 1_000_000, &mut choices);
        assert!(execution.has_terminated());
    }
}

/// Compares a run with results that were computed by hand: a line of three amoebots, with the seed at the west end and
/// its `dir` to the east.
#[test]
fn rounds_of_a_short_line() {
    let cells = start::line(Cell::ORIGIN, Direction::East, 3).expect("a line");
    let system = Hexagon::start(&cells, 0, &[]).expect("a line is connected");
    let mut execution = SequentialExecution::new(&Hexagon, system);
    let mut choices = Seeded::new(0);
    let mut round_robin = RoundRobinActivation::default();
    let mut found = Vec::new();
    while !execution.has_terminated() {
        let id = round_robin.next(execution.enabled(), &mut choices);
        if let Activated::Completed { action, .. } = execution.activate(id, &mut choices) {
            found.push(format!("{id} {action:?} {}", execution.counts().rounds));
        }
    }
    let mut expected: Vec<String> = [
        // At the start only the middle one is enabled.
        "1 Alpha1 1",
        // In the second round both are: the last one can follow, the middle one can move along its dir.
        "2 Alpha2 1",
        // The seed's dir points at it, and no amoebot is idle any more.
        "1 Alpha3 2",
        "2 Alpha1 3",
    ]
    .map(str::to_owned)
    .into();
    // From (2, 0) clockwise to (0, 1), which is where the structure grows: six steps, alone.
    for step in 0..6 {
        expected.push(format!("2 Alpha4 {}", 4 + 2 * step));
        expected.push(format!("2 Alpha6 {}", 5 + 2 * step));
    }
    expected.push("2 Alpha3 16".to_owned());
    assert_eq!(found, expected);
    let counts = execution.counts();
    assert_eq!((counts.actions, counts.moves, counts.rounds, counts.failures), (17, 12, 16, 0));
}
