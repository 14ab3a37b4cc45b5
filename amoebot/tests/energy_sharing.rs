//! Energy sharing: the ledger balances, and no amoebot starves.

use crate::refused::{cell, refuses_bad_cells};
use acrasin_amoebot::AmoebotId;
use acrasin_amoebot::library::energy_sharing::{Action, EnergyRates, EnergyRole, EnergySharing, Memory};
use acrasin_amoebot::run::execution::{RoundRobinActivation, SequentialExecution, Uniform};
use acrasin_amoebot::start::StartError;
use acrasin_amoebot::{
    ActionError, ActionOrder, Algorithm, AmoebotPort, Cell, Direction, Effects, Orientation, System, View,
    start,
};
use acrasin_runtime::choice::{Choices, Decision, Enumerated, pick_index};
use acrasin_runtime::{FixedProbability, Seeded};

fn sharing(capacity: u32, transfer: u32, demand: u32) -> EnergySharing {
    EnergySharing::new(EnergyRates { capacity, transfer, demand }).expect("rates in range")
}

fn spiral(n: usize) -> Vec<Cell> {
    start::spiral(Cell::ORIGIN, Direction::East, n).expect("a spiral")
}

fn balances(sharing: EnergySharing, system: &System<Memory>) -> bool {
    let ledger = sharing.ledger(system);
    let in_range = |id| system.memory(id).battery <= sharing.rates().capacity;
    ledger.harvested == ledger.stored + ledger.used && system.ids().all(in_range)
}

/// The smallest number of uses of any amoebot in any of `parts` equal parts of a run, after one more part that is not
/// measured.
fn fewest_uses(
    algorithm: &impl Algorithm<Memory = Memory>,
    start: System<Memory>,
    part: u64,
    parts: usize,
    choices: &mut Seeded,
) -> u64 {
    let uses =
        |system: &System<Memory>| -> Vec<u64> { system.ids().map(|id| system.memory(id).uses).collect() };
    let mut execution = SequentialExecution::new(algorithm, start);
    execution.run(part, &mut Uniform, choices);
    let mut fewest = u64::MAX;
    for _ in 0..parts {
        let before = uses(execution.system());
        execution.run(part, &mut Uniform, choices);
        let after = uses(execution.system());
        let least = before.iter().zip(&after).map(|(before, after)| after - before).min();
        fewest = fewest.min(least.expect("an amoebot"));
    }
    fewest
}

#[test]
fn the_ledger_balances_after_every_action() {
    let acceptance = FixedProbability::new(0.6).expect("a probability");
    // Also rates that do not divide each other, so that gifts and harvests fit only partly.
    for (seed, rates) in [(10, 1, 5), (7, 3, 5), (1, 1, 1), (9, 9, 2), (11, 4, 11)].into_iter().enumerate() {
        let sharing = sharing(rates.0, rates.1, rates.2);
        let mut choices = Seeded::new(seed as u64);
        let cells = start::blob(Cell::ORIGIN, 60, acceptance, &mut choices).expect("a blob");
        let start = EnergySharing::start(&cells, &[AmoebotId(0), AmoebotId(40)], &[]).expect("connected");
        let mut execution = SequentialExecution::new(&sharing, start);
        for _ in 0..20_000 {
            let who = pick_index(&mut choices, cells.len(), Decision::Activation).expect("an amoebot");
            execution.activate(AmoebotId(who as u32), &mut choices);
            assert!(balances(sharing, execution.system()));
        }
        assert_eq!(execution.counts().failures, 0);
        assert!(execution.system().ids().all(|id| execution.system().memory(id).role != EnergyRole::Idle));
        assert!(sharing.ledger(execution.system()).used > 0, "it was used, too");
    }
}

#[test]
fn no_amoebot_starves() {
    let acceptance = FixedProbability::new(0.6).expect("a probability");
    let sharing = sharing(10, 1, 5);
    let mut fewest = Vec::new();
    for seed in 0..2 {
        let mut choices = Seeded::new(seed);
        let blob = start::blob(Cell::ORIGIN, 30, acceptance, &mut choices).expect("a blob");
        let line = start::line(Cell::ORIGIN, Direction::East, 12).expect("a line");
        for (cells, roots) in [
            (blob, vec![AmoebotId(0), AmoebotId(20)]),
            (line, vec![AmoebotId(0)]),
            (spiral(19), vec![AmoebotId(18)]),
        ] {
            let start = EnergySharing::start(&cells, &roots, &[]).expect("connected");
            fewest.push(fewest_uses(&sharing, start, 60_000, 3, &mut choices));
        }
    }
    assert!(fewest.iter().all(|uses| *uses >= 5), "{fewest:?}");
}

#[test]
fn no_amoebot_starves_when_all_take_turns() {
    let sharing = sharing(10, 1, 5);
    let cells = spiral(37);
    let start = EnergySharing::start(&cells, &[AmoebotId(0)], &[]).expect("connected");
    let mut execution = SequentialExecution::new(&sharing, start);
    let mut choices = Seeded::new(5);
    let mut turns = RoundRobinActivation::default();
    execution.run(37_000, &mut turns, &mut choices);
    for _ in 0..5 {
        let before: Vec<u64> = cells_uses(execution.system());
        execution.run(37_000, &mut turns, &mut choices);
        let after = cells_uses(execution.system());
        assert!(before.iter().zip(&after).all(|(before, after)| after > before), "{before:?} {after:?}");
        assert!(balances(sharing, execution.system()));
    }
}

fn cells_uses(system: &System<Memory>) -> Vec<u64> {
    system.ids().map(|id| system.memory(id).uses).collect()
}

/// A mutant: energy sharing in which an amoebot writes other values to its own memory.
struct Variant {
    sharing: EnergySharing,
    own: fn(Memory) -> Memory,
}

impl Algorithm for Variant {
    type Memory = Memory;
    type Action = Action;
    fn actions(&self) -> &[Action] {
        self.sharing.actions()
    }
    fn order(&self) -> ActionOrder {
        self.sharing.order()
    }
    fn enabled(&self, action: Action, view: &View<'_, Memory>) -> bool {
        self.sharing.enabled(action, view)
    }
    fn execute(
        &self,
        action: Action,
        view: &View<'_, Memory>,
        choices: &mut dyn Choices,
    ) -> Result<Effects<Memory>, ActionError> {
        let effects = self.sharing.execute(action, view, choices)?;
        Ok(effects.writes().iter().fold(Effects::none(), |effects, (port, memory)| match port {
            None => effects.write_own((self.own)(*memory)),
            Some(port) => effects.write(*port, *memory),
        }))
    }
}

#[test]
fn without_stress_or_inhibition_an_amoebot_starves() {
    let sharing = sharing(20, 1, 10);
    let line = start::line(Cell::ORIGIN, Direction::East, 12).expect("a line");
    let fewest = |own| {
        let start = EnergySharing::start(&line, &[AmoebotId(0)], &[]).expect("connected");
        fewest_uses(&Variant { sharing, own }, start, 60_000, 2, &mut Seeded::new(3))
    };
    let right = fewest(|memory| memory);
    // Without inhibition only the root stops when an amoebot is stressed.
    let no_inhibition = fewest(|memory| Memory { inhibited: false, ..memory });
    // Without reports of stress no amoebot is inhibited that could use energy.
    let no_stress = fewest(|memory| Memory { stressed: false, inhibited: false, ..memory });
    assert!(right >= 10, "{right}");
    assert_eq!((no_inhibition, no_stress), (0, 0));
}

/// The ports to which a root between three non-adjacent amoebots gives, one for each outcome of the draws.
fn targets(execute: impl Fn(&View<'_, Memory>, &mut Enumerated) -> Effects<Memory>) -> Vec<AmoebotPort> {
    let sharing = sharing(10, 1, 5);
    let cells: Vec<Cell> = [Cell::ORIGIN].into_iter().chain(Cell::ORIGIN.neighbours().step_by(2)).collect();
    let start = EnergySharing::start(&cells, &[AmoebotId(0)], &[]).expect("connected");
    let mut execution = SequentialExecution::new(&sharing, start);
    for id in 1..4 {
        execution.activate(AmoebotId(id), &mut Seeded::new(1));
    }
    let (mut outcomes, mut targets) = (Enumerated::new(), Vec::new());
    loop {
        let effects = execute(&View::new(execution.system(), AmoebotId(0)), &mut outcomes);
        targets.extend(effects.writes().iter().filter_map(|(port, _)| *port));
        if !outcomes.advance() {
            return targets;
        }
    }
}

#[test]
fn each_child_is_as_likely_to_be_given_energy() {
    let sharing = sharing(10, 1, 5);
    let each = [1, 3, 5].map(AmoebotPort::head);
    let give = |view: &View<'_, Memory>, outcomes: &mut Enumerated| {
        sharing.execute(Action::Cycle, view, outcomes).expect("in a tree")
    };
    assert_eq!(targets(give), each);
    // Always to the first one.
    assert_ne!(targets(|view, _| give(view, &mut Enumerated::new())), each);
}

#[test]
fn energy_from_nowhere_is_noticed() {
    let sharing = sharing(10, 1, 5);
    let gains = Variant { sharing, own: |memory| Memory { battery: 10.min(memory.battery + 1), ..memory } };
    let start = EnergySharing::start(&spiral(7), &[AmoebotId(0)], &[]).expect("connected");
    let run = |algorithm: &Variant| {
        let mut execution = SequentialExecution::new(algorithm, start.clone());
        execution.run(1_000, &mut Uniform, &mut Seeded::new(1));
        balances(sharing, execution.system())
    };
    assert!(run(&Variant { sharing, own: |memory| memory }) && !run(&gains));
}

#[test]
fn any_orientations() {
    let every: Vec<Orientation> = Orientation::all().collect();
    let mixed: Vec<Orientation> = (0..19).map(|i| every[5 * i % 12]).collect();
    let start = EnergySharing::start(&spiral(19), &[AmoebotId(0)], &mixed).expect("connected");
    assert!(fewest_uses(&sharing(10, 1, 5), start, 50_000, 4, &mut Seeded::new(2)) > 0);
}

#[test]
fn bad_input_is_refused() {
    let rates = |capacity, transfer, demand| {
        EnergySharing::new(EnergyRates { capacity, transfer, demand }).map_err(|error| error.to_string())
    };
    let refused = |message: &str| Err(message.to_owned());
    assert_eq!(rates(0, 1, 1), refused("capacity 0 (accepted: 1 to 1048576)"));
    assert_eq!(rates((1 << 20) + 1, 1, 1), refused("capacity 1048577 (accepted: 1 to 1048576)"));
    assert_eq!(rates(10, 11, 1), refused("transfer 11 (accepted: 1 to 10)"));
    assert_eq!(rates(10, 0, 1), refused("transfer 0 (accepted: 1 to 10)"));
    assert_eq!(rates(10, 1, 11), refused("demand 11 (accepted: 1 to 10)"));
    assert_eq!(rates(10, 1, 0), refused("demand 0 (accepted: 1 to 10)"));
    assert!(rates(1 << 20, 1 << 20, 1 << 20).is_ok());
    let start =
        |cells: &[Cell], roots: &[AmoebotId]| EnergySharing::start(cells, roots, &[]).expect_err("bad");
    refuses_bad_cells(|cells| start(cells, &[AmoebotId(0)]));
    let none = start(&[cell(0)], &[AmoebotId(1)]);
    assert_eq!(none, StartError::NoCell { role: "root", position: 1, cells: 1 });
    assert_eq!(
        none.to_string(),
        format!("root {} of 1 cell (accepted: below 1, counted from 0)", AmoebotId(1))
    );
    let lost = start(&[cell(0), cell(2)], &[AmoebotId(0)]);
    assert_eq!(lost.to_string(), "cell (2, 0) cannot be reached from a root: every connected part needs one");
}
