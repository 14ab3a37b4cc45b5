//! Wrong rules, each of which is detected.

use acrasin_amoebot::AmoebotId;
use acrasin_amoebot::check::{Scope, SequentialExploration};
use acrasin_amoebot::library::energy_distribution::{Action, Memory, State};
use acrasin_amoebot::library::{erosion, hexagon};
use acrasin_amoebot::run::execution::Uniform;
use acrasin_amoebot::{
    ActionError, ActionOrder, Algorithm, Amoebot, AmoebotPort, Body, Cell, Effects, End, EnergyDistribution,
    Erosion, Hexagon, Movement, Orientation, System, View, explore,
};
use acrasin_runtime::Seeded;
use acrasin_runtime::choice::Choices;

use super::jostle::Jostle;
use super::watch::watched;
use super::{Also, Instead, Label, Outer, Still, Variant, blob, is_full, jostle, uneven};

/// The first fault in several runs of hexagon formation under a variant; `None` if there is none.
fn hexagon_fault(
    of: &EnergyDistribution<Hexagon>,
    audit: &EnergyDistribution<Hexagon>,
    instead: Instead<Hexagon>,
) -> Option<String> {
    let variant = Variant { instead, ..Variant::none(of) };
    (0..5).find_map(|seed| {
        let hexagon = Hexagon::start(&blob(14, seed), 0, &[]).expect("connected");
        let start = audit.start(&hexagon, &[3]).expect("connected");
        watched(&variant, audit, start, &mut Uniform, &mut Seeded::new(seed)).err()
    })
}

fn jostle_fault(instead: Instead<Jostle>) -> Option<String> {
    let distribution = jostle::distribution();
    let variant = Variant { instead, ..Variant::none(&distribution) };
    (0..12).find_map(|seed| {
        let start = jostle::start(&distribution, seed);
        watched(&variant, &distribution, start, &mut Uniform, &mut Seeded::new(seed)).err()
    })
}

/// Effects with each write changed by a function of the previous memory.
fn rewritten<A: Algorithm>(
    a: &View<'_, Outer<A>>,
    effects: &Effects<Outer<A>>,
    change: impl Fn(Option<AmoebotPort>, &Outer<A>, Outer<A>) -> Outer<A>,
) -> Effects<Outer<A>> {
    let all = effects.writes().iter().fold(Effects::none(), |all, (port, written)| match *port {
        None => all.write_own(change(None, a.own(), written.clone())),
        Some(port) => all.write(port, change(Some(port), a.read(port).expect("written to"), written.clone())),
    });
    effects.movement().into_iter().fold(all, Effects::then)
}

/// The effects without changes of the amoebots' states in the forest.
fn unpruned<A: Algorithm>(a: &View<'_, Outer<A>>, effects: &Effects<Outer<A>>) -> Effects<Outer<A>> {
    rewritten::<A>(a, effects, |_, before, written| Memory {
        state: before.state,
        parent: before.parent,
        ..written
    })
}

#[test]
fn the_right_rules_pass() {
    let distribution = EnergyDistribution::new(Hexagon, 5, |_| 2).expect("in range");
    assert_eq!(hexagon_fault(&distribution, &distribution, |_, _, effects| effects), None);
    assert_eq!(jostle_fault(|_, _, effects| effects), None);
}

#[test]
fn contracting_without_pruning_breaks_the_forest() {
    let distribution = EnergyDistribution::new(Hexagon, 5, |_| 2).expect("in range");
    let fault = hexagon_fault(&distribution, &distribution, |_, a, effects| match effects.movement() {
        Some(Movement::Contract(_)) => unpruned::<Hexagon>(a, &effects),
        _ => effects,
    });
    let fault = fault.expect("a broken forest");
    assert!(fault.contains("parent"), "{fault}");
}

#[test]
fn expanding_without_moving_the_parent_port_breaks_the_forest() {
    let distribution = EnergyDistribution::new(Hexagon, 5, |_| 2).expect("in range");
    let fault = hexagon_fault(&distribution, &distribution, |_, a, effects| match effects.movement() {
        Some(Movement::Expand(_)) => unpruned::<Hexagon>(a, &effects),
        _ => effects,
    });
    let fault = fault.expect("a broken forest");
    assert!(fault.contains("parent"), "{fault}");
}

#[test]
fn handovers_without_care_break_the_forest() {
    let pull = jostle_fault(|_, a, effects| match effects.movement() {
        Some(Movement::Pull(_)) => unpruned::<Jostle>(a, &effects),
        _ => effects,
    });
    let push = jostle_fault(|_, a, effects| match effects.movement() {
        Some(Movement::Push(_)) => unpruned::<Jostle>(a, &effects),
        _ => effects,
    });
    // The pulled amoebot keeps its parent, but not at its tail.
    let at_head = jostle_fault(|_, a, effects| match effects.movement() {
        Some(Movement::Pull(_)) => rewritten::<Jostle>(a, &effects, |port, _, written| {
            let head = written.parent.map(|parent| parent.moved_to(End::Head));
            Memory { parent: port.and(head), ..written }
        }),
        _ => effects,
    });
    // The pushing amoebot is idle at once, and its new children are forgotten.
    let idle = jostle_fault(|_, a, effects| match effects.movement() {
        Some(Movement::Push(_)) => rewritten::<Jostle>(a, &effects, |port, _, written| {
            let idle = port.is_none() && written.state == State::Pruning;
            Memory { state: if idle { State::Idle } else { written.state }, ..written }
        }),
        _ => effects,
    });
    for fault in [pull, push, at_head, idle] {
        let fault = fault.expect("a broken forest");
        assert!(fault.contains("parent") || fault.contains("ancestor"), "{fault}");
    }
}

#[test]
fn energy_from_nowhere_is_noticed() {
    let distribution = EnergyDistribution::new(Hexagon, 5, |_| 2).expect("in range");
    let lax = EnergyDistribution::new(Hexagon, 5, |_| 1).expect("in range");
    let fault = |of, instead| hexagon_fault(of, &distribution, instead).expect("a fault");
    // Acts with half of the demand, and has nothing left then.
    let poor = fault(&lax, |action, a, effects| match action {
        Action::Paid(_) => rewritten::<Hexagon>(a, &effects, |port, _, written| match port {
            None => Memory { battery: written.battery.saturating_sub(1), ..written },
            Some(_) => written,
        }),
        _ => effects,
    });
    assert_eq!(poor, "below its demand");
    // Acts for free.
    let free = fault(&distribution, |action, a, effects| match action {
        Action::Paid(_) => rewritten::<Hexagon>(a, &effects, |_, before, written| Memory {
            battery: before.battery,
            ..written
        }),
        _ => effects,
    });
    assert!(free.starts_with("energy after Paid"), "{free}");
    // Gives a unit and keeps it.
    let doubled = fault(&distribution, |action, a, effects| match action {
        Action::ShareEnergy => {
            rewritten::<Hexagon>(
                a,
                &effects,
                |port, before, written| {
                    if port.is_none() { *before } else { written }
                },
            )
        }
        _ => effects,
    });
    assert_eq!(doubled, "energy after ShareEnergy");
}

#[test]
fn acting_beside_an_idle_amoebot_is_noticed() {
    let distribution = EnergyDistribution::new(Erosion, 1, |_| 1).expect("in range");
    let cells = blob(12, 1);
    let start = distribution.start(&Erosion::start(&cells, &[]).expect("no hole"), &[0]).expect("connected");
    let run = |also_enabled| {
        let variant = Variant { also_enabled, ..Variant::none(&distribution) };
        watched(&variant, &distribution, start.clone(), &mut Uniform, &mut Seeded::new(1)).err()
    };
    assert_eq!(run(|_, _, _| false), None);
    let alone: Also<Erosion> = |_, action, a| {
        let begins = action == Action::Paid(erosion::Action::BecomeCandidate);
        begins && a.own().battery > 0 && a.own().algorithm == erosion::Memory::Null
    };
    assert_eq!(run(alone).as_deref(), Some("acts beside Idle"));
}

/// Hexagon formation with any of the enabled actions.
struct Unordered;

impl Algorithm for Unordered {
    type Memory = hexagon::Memory;
    type Action = hexagon::Action;
    fn actions(&self) -> &[hexagon::Action] {
        Hexagon.actions()
    }
    fn order(&self) -> ActionOrder {
        ActionOrder::Any
    }
    fn enabled(&self, action: hexagon::Action, a: &View<'_, hexagon::Memory>) -> bool {
        Hexagon.enabled(action, a)
    }
    fn execute(
        &self,
        action: hexagon::Action,
        a: &View<'_, hexagon::Memory>,
        choices: &mut dyn Choices,
    ) -> Result<Effects<hexagon::Memory>, ActionError> {
        Hexagon.execute(action, a, choices)
    }
}

/// A cheaper action must not precede an action that the algorithm lists before it.
#[test]
fn actions_out_of_the_order_of_the_algorithm_are_noticed() {
    let distribution = EnergyDistribution::new(Hexagon, 3, uneven).expect("in range");
    let unordered = EnergyDistribution::new(Unordered, 3, uneven).expect("in range");
    let fault = (0..5).find_map(|seed| {
        let hexagon = Hexagon::start(&blob(14, seed), 0, &[]).expect("connected");
        let start = distribution.start(&hexagon, &[3]).expect("connected");
        watched(&unordered, &distribution, start, &mut Uniform, &mut Seeded::new(seed)).err()
    });
    let fault = fault.expect("a fault");
    assert!(fault.contains("is not enabled in the algorithm"), "{fault}");
}

/// A source next to a triangle of amoebots that are cut off and about to be pruned one after another.
fn cut_off() -> System<Memory<()>> {
    let amoebot = |(x, y), state| Amoebot {
        body: Body::contracted(Cell::new(x, y).expect("near")),
        orientation: Orientation::COMMON,
        memory: Memory { state, battery: 1, parent: None, algorithm: () },
    };
    let amoebots = vec![
        amoebot((-1, 0), State::Source),
        amoebot((0, 0), State::Pruning),
        amoebot((1, 0), State::Active),
        amoebot((0, 1), State::Active),
    ];
    let mut system = System::new(amoebots).expect("different cells");
    for (child, parent) in [(2, 1), (3, 2)].map(|(child, parent)| (AmoebotId(child), AmoebotId(parent))) {
        let port = AmoebotPort::at(End::Head).find(|port| system.neighbour(child, *port) == Some(parent));
        let memory = Memory { parent: Some(port.expect("a neighbour")), ..*system.memory(child) };
        system.write(child, None, memory).expect("its own memory");
    }
    system
}

fn regrowth<W>(distribution: &EnergyDistribution<Still>, algorithm: &W) -> SequentialExploration<Memory<()>>
where
    W: Algorithm<Memory = Memory<()>, Action = Label<Still>> + Sync,
{
    let goal = |system: &System<Memory<()>>| {
        let in_tree = |id| matches!(system.memory(id).state, State::Source | State::Active);
        system.ids().all(in_tree) && is_full(distribution, system)
    };
    explore(algorithm, [cut_off()], goal, Scope::default()).expect("few states")
}

/// A part that is cut off must not grow by itself: growth and pruning could follow each other around a ring
/// forever.
#[test]
fn growing_without_asking_the_source_can_go_on_forever() {
    let distribution = EnergyDistribution::new(Still, 1, |()| 1).expect("in range");
    let right = regrowth(&distribution, &distribution);
    assert!(right.always_succeeds());
    let hasty = Variant {
        also_enabled: |of, action, a| action == Action::GrowForest && of.enabled(Action::AskGrowth, a),
        ..Variant::none(&distribution)
    };
    let wrong = regrowth(&distribution, &hasty);
    assert!(wrong.is_cyclic());
    // The source, at the origin in the normal form, does not take part.
    let round = wrong.way_round.expect("a way round");
    assert!(round.steps.iter().all(|step| step.cell != Cell::ORIGIN));
    let of = |action: &str| round.steps.iter().filter(|step| step.action == action).count();
    assert!(of("GrowForest") > 0 && of("GetPruned") > 0 && of("HarvestEnergy") == 0);
}
