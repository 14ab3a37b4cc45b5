//! Inside energy distribution an algorithm sees what it would see without it.

use acrasin_amoebot::AmoebotId;
use acrasin_amoebot::library::energy_distribution::{Action, Memory};
use acrasin_amoebot::{
    ActionError, ActionOrder, Algorithm, Amoebot, AmoebotPort, Cell, Effects, EnergyDistribution, System,
    View,
};
use acrasin_runtime::Digest;
use acrasin_runtime::choice::{Choices, Enumerated};

use super::jostle::crowd;

/// An algorithm that stores a digest of everything that an amoebot can see.
#[derive(Clone, Debug)]
struct Observer;

fn sight(a: &View<'_, u128>) -> u128 {
    let ports: Vec<AmoebotPort> = a.ports().collect();
    let mut seen = vec![format!("{:?}", (a.own(), a.is_contracted(), a.forward(), ports))];
    for port in AmoebotPort::all() {
        let ends = (a.end_of_neighbour(port), a.forward_of_neighbour(port), a.is_expanded_beyond(port));
        let there = a.neighbour(port).map(|b| (b.port, *b.memory, b.contracted));
        seen.push(format!("{:?}", (a.connected(port), a.object(port), a.read(port), ends, there)));
        seen.extend((1..=6).map(|label| format!("{:?}", a.label_of_neighbour(port, label))));
        seen.extend(AmoebotPort::all().map(|theirs| format!("{:?}", a.pointed_at(port, theirs))));
    }
    seen.extend(a.neighbours().map(|b| format!("{:?}", (b.port, *b.memory, b.contracted))));
    Digest::of(&seen).0
}

impl Algorithm for Observer {
    type Memory = u128;
    type Action = ();
    fn actions(&self) -> &[()] {
        &[()]
    }
    fn order(&self) -> ActionOrder {
        ActionOrder::AsListed
    }
    fn enabled(&self, (): (), a: &View<'_, u128>) -> bool {
        // A guard that depends on everything it sees.
        sight(a).is_multiple_of(2)
    }
    fn execute(&self, (): (), a: &View<'_, u128>, _: &mut dyn Choices) -> Result<Effects<u128>, ActionError> {
        Ok(Effects::none().write_own(sight(a)))
    }
}

/// Amoebots on one and two nodes, in all orientations, with different memories, and an object.
fn scene(seed: u64) -> System<u128> {
    let crowd = crowd(24, seed);
    let amoebots = crowd.ids().map(|id| {
        let amoebot = crowd.amoebot(id);
        Amoebot { body: amoebot.body, orientation: amoebot.orientation, memory: u128::from(id.0) }
    });
    let cells = crowd.cells();
    let around = cells.iter().flat_map(|cell| cell.neighbours()).filter(|cell| !cells.contains(cell));
    let object: Vec<Cell> = around.step_by(3).collect();
    System::new(amoebots.collect()).expect("different cells").with_object(object).expect("free cells")
}

/// The view of an amoebot without energy distribution, inside energy distribution, and nested twice in it.
fn sights(system: &System<u128>, id: AmoebotId) -> [(bool, u128); 3] {
    let once = EnergyDistribution::new(Observer, 1, |()| 1).expect("in range");
    let twice = EnergyDistribution::new(once.clone(), 1, |_| 1).expect("in range");
    let all: Vec<usize> = (0..system.len()).collect();
    let mut inside = once.start(system, &all).expect("sources");
    for id in inside.ids() {
        let full = Memory { battery: 1, ..*inside.memory(id) };
        inside.write(id, None, full).expect("its own memory");
    }
    let mut deep = twice.start(&inside, &all).expect("sources");
    for id in deep.ids() {
        let full = Memory { battery: 1, ..*deep.memory(id) };
        deep.write(id, None, full).expect("its own memory");
    }
    let own = |effects: Option<u128>| effects.expect("writes its own memory");
    let mut none = Enumerated::new();
    let plain = Observer.execute((), &View::new(system, id), &mut none).expect("valid");
    let plain = own(plain.writes().first().map(|(_, memory)| *memory));
    let paid = Action::Paid(());
    let view = View::new(&inside, id);
    let one = once.execute(paid, &view, &mut none).expect("valid");
    let one = own(one.writes().first().map(|(_, memory)| memory.algorithm));
    let deep_view = View::new(&deep, id);
    let two = twice.execute(Action::Paid(paid), &deep_view, &mut none).expect("valid");
    let two = own(two.writes().first().map(|(_, memory)| memory.algorithm.algorithm));
    [
        (Observer.enabled((), &View::new(system, id)), plain),
        (once.enabled(paid, &view), one),
        (twice.enabled(Action::Paid(paid), &deep_view), two),
    ]
}

#[test]
fn an_algorithm_sees_the_same_inside_and_outside() {
    let (mut enabled, mut disabled) = (0, 0);
    for seed in 0..6 {
        let system = scene(seed);
        for id in system.ids() {
            let [plain, once, twice] = sights(&system, id);
            assert_eq!((once, twice), (plain, plain), "seed {seed}, {id}");
            *(if plain.0 { &mut enabled } else { &mut disabled }) += 1;
        }
    }
    assert!(enabled > 20 && disabled > 20);
}

/// Another memory, body or position changes the view.
#[test]
fn the_digest_of_a_sight_tells_differences() {
    let system = scene(1);
    let of = |system: &System<u128>| sight(&View::new(system, AmoebotId(0)));
    let mut other = system.clone();
    let near = other.neighbours(AmoebotId(0)).next().expect("a neighbour");
    other.write(near, None, 99).expect("its own memory");
    assert_ne!(of(&system), of(&other));
    let without = system.clone().with_object([]).expect("no object");
    let differ =
        system.ids().filter(|id| sight(&View::new(&system, *id)) != sight(&View::new(&without, *id)));
    assert!(differ.count() > 3);
}
