//! Tests of the binary counter against its oracle, an ordinary counter.

use crate::refused::{cell, refuses_bad_cells};
use acrasin_amoebot::AmoebotId;
use acrasin_amoebot::check::{Identities, Scope, SequentialExploration};
use acrasin_amoebot::library::binary_counter::{
    Action, BinaryCounter, CounterError, CounterOperation, CounterToken, Memory,
};
use acrasin_amoebot::run::execution::{Activated, RoundRobinActivation, SequentialExecution, Uniform};
use acrasin_amoebot::{
    ActionError, ActionOrder, Algorithm, Cell, Direction, Effects, Orientation, System, View, explore, start,
};
use acrasin_runtime::Seeded;
use acrasin_runtime::choice::{Choices, Decision, pick_index};

use CounterOperation::{Decrement, Increment, TestZero};

/// The results of an ordinary counter.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Ordinary {
    value: i128,
    most: i128,
    answers: Vec<bool>,
}

fn ordinary(value: u64, operations: &[CounterOperation]) -> Ordinary {
    let value = i128::from(value);
    let mut counter = Ordinary { value, most: value, answers: Vec::new() };
    for operation in operations {
        match operation {
            Increment => counter.value += 1,
            Decrement => counter.value -= 1,
            TestZero => counter.answers.push(counter.value == 0),
        }
        counter.most = counter.most.max(counter.value);
    }
    counter
}

fn line(n: usize) -> Vec<Cell> {
    start::line(Cell::ORIGIN, Direction::East, n).expect("a line")
}

/// Whether a system at rest agrees with the ordinary counter: it overflows exactly if the ordinary counter exceeded the
/// maximum.
fn is_right(system: &System<Memory>, expected: &Ordinary) -> bool {
    let overflows = expected.most >= 1 << (system.len() - 1);
    if overflows {
        let left = &system.memory(AmoebotId(0)).task.as_ref().expect("the leader").left;
        let change = |operation: &CounterOperation| match operation {
            Increment => 1,
            Decrement => -1,
            TestZero => 0,
        };
        return BinaryCounter::overflow(system)
            && !BinaryCounter::is_finished(system)
            && BinaryCounter::value(system) + left.iter().map(change).sum::<i128>() == expected.value
            && expected.answers.starts_with(BinaryCounter::answers(system));
    }
    // In normal form the last bit is 1, except for a single 0, and the end comes right after it.
    let bits: Vec<_> = system.ids().map(|id| system.memory(id).bit).collect();
    let length = bits.iter().position(Option::is_none).expect("the end");
    let normal = bits[length..].iter().all(Option::is_none)
        && (length == 1 || bits[length - 1] == Some(true))
        && system.ids().all(|id| system.memory(id).end == (id.index() == length));
    BinaryCounter::is_finished(system)
        && !BinaryCounter::overflow(system)
        && normal
        && BinaryCounter::value(system) == expected.value
        && BinaryCounter::answers(system) == expected.answers
}

/// All lists of `length` operations that never go below zero.
fn lists(value: i128, length: usize) -> Vec<Vec<CounterOperation>> {
    if length == 0 {
        return vec![Vec::new()];
    }
    let with_first = |first: CounterOperation, value: i128| {
        let with = move |mut list: Vec<CounterOperation>| {
            list.insert(0, first);
            list
        };
        lists(value, length - 1).into_iter().map(with)
    };
    let mut all: Vec<_> = with_first(Increment, value + 1).chain(with_first(TestZero, value)).collect();
    if value > 0 {
        all.extend(with_first(Decrement, value - 1));
    }
    all
}

fn explored(
    algorithm: &(impl Algorithm<Memory = Memory> + Sync),
    n: usize,
    value: u64,
    operations: &[CounterOperation],
    orientations: &[Orientation],
) -> SequentialExploration<Memory> {
    let start = BinaryCounter::start(&line(n), value, operations, orientations).expect("a start");
    let expected = ordinary(value, operations);
    let scope = Scope { identities: Identities::Distinct, ..Scope::default() };
    explore(algorithm, [start], |system| is_right(system, &expected), scope).expect("few states")
}

#[test]
fn every_schedule_of_every_short_list() {
    let (mut runs, mut states, mut overflows) = (0, 0, 0);
    for n in 2..=4 {
        for value in 0..1 << (n - 1) {
            for operations in lists(value, 5) {
                let all = explored(&BinaryCounter, n, value as u64, &operations, &[]);
                assert!(all.always_succeeds(), "{n} {value} {operations:?}");
                // After an overflow the leader can stop at different operations.
                let overflow = BinaryCounter::overflow(&all.finals[0].system());
                assert!(overflow || all.finals.len() == 1, "the result does not depend on the schedule");
                runs += 1;
                states += all.states;
                overflows += usize::from(overflow);
            }
        }
    }
    assert_eq!((runs, states, overflows), (2676, 53351, 710));
}

/// Counts down from 2^k and up again, with the longest borrows and carries. The end mark moves back and forth.
#[test]
fn every_schedule_of_longer_lists() {
    let down_and_up = |most: usize| {
        let mut list = vec![Decrement; most];
        list.push(TestZero);
        list.extend(vec![Increment; most]);
        list.push(TestZero);
        list
    };
    for (n, value) in [(3, 3), (4, 4), (4, 7), (5, 8), (5, 9)] {
        let mut operations = down_and_up(value);
        assert!(explored(&BinaryCounter, n, value as u64, &operations, &[]).always_succeeds());
        // A test after every operation.
        operations = operations.into_iter().flat_map(|operation| [operation, TestZero]).collect();
        assert!(explored(&BinaryCounter, n, value as u64, &operations, &[]).always_succeeds());
    }
}

#[test]
fn any_orientations() {
    let every: Vec<Orientation> = Orientation::all().collect();
    let operations = [Increment, TestZero, Decrement, Decrement, TestZero, Increment, Increment];
    let common = explored(&BinaryCounter, 4, 3, &operations, &[]);
    for first in 0..12 {
        let mixed: Vec<Orientation> = (0..4).map(|i| every[(first + 5 * i) % 12]).collect();
        let all = explored(&BinaryCounter, 4, 3, &operations, &mixed);
        assert!(all.always_succeeds());
        assert_eq!((all.states, all.longest_run), (common.states, common.longest_run));
    }
}

/// A random list with bursts of equal operations.
fn random_list(value: u64, length: usize, choices: &mut Seeded) -> Vec<CounterOperation> {
    let (mut list, mut counter) = (Vec::new(), value);
    while list.len() < length {
        let kind = pick_index(choices, 3, Decision::Outcome).expect("three kinds");
        let burst = 1 + pick_index(choices, 20, Decision::Outcome).expect("twenty lengths");
        for _ in 0..burst {
            match kind {
                0 => counter += 1,
                1 if counter == 0 => break,
                1 => counter -= 1,
                _ => (),
            }
            list.push([Increment, Decrement, TestZero][kind]);
        }
    }
    list
}

#[test]
fn long_chains_in_random_orders() {
    let mut zeros = 0;
    for seed in 0..12 {
        let mut choices = Seeded::new(seed);
        let value = [0, 1 << 40, (1 << 50) - 1][seed as usize % 3];
        let cells = start::spiral(Cell::ORIGIN, Direction::East, 55).expect("a spiral");
        let operations = random_list(value, 400, &mut choices);
        let expected = ordinary(value, &operations);
        zeros += expected.answers.iter().filter(|zero| **zero).count();
        let system = BinaryCounter::start(&cells, value, &operations, &[]).expect("a start");
        let mut execution = SequentialExecution::new(&BinaryCounter, system.clone());
        while !execution.has_terminated() {
            let before = BinaryCounter::value(execution.system());
            let who = pick_index(&mut choices, cells.len(), Decision::Activation).expect("an amoebot");
            let done = execution.activate(AmoebotId(who as u32), &mut choices);
            let issued = matches!(done, Activated::Completed { action: Action::Issue, .. });
            let change = BinaryCounter::value(execution.system()) - before;
            assert_eq!(change.abs(), i128::from(issued), "tokens and bits keep the number");
        }
        assert!(is_right(execution.system(), &expected));
        assert_eq!(execution.counts().failures, 0);
        let mut regular = SequentialExecution::new(&BinaryCounter, system);
        assert!(regular.run(1_000_000, &mut RoundRobinActivation::default(), &mut choices));
        assert_eq!(regular.system(), execution.system(), "the result does not depend on the schedule");
    }
    assert!(zeros > 50, "{zeros} tests at zero");
}

#[test]
fn the_end_of_the_chain() {
    // Three amoebots count to 3: two bits.
    let up = |n| vec![Increment; n];
    let rest = |operations: &[CounterOperation]| {
        let start = BinaryCounter::start(&line(3), 0, operations, &[]).expect("a start");
        let mut execution = SequentialExecution::new(&BinaryCounter, start);
        assert!(execution.run(100_000, &mut Uniform, &mut Seeded::new(7)));
        execution.system().clone()
    };
    let (fits, over) = (rest(&up(3)), rest(&up(4)));
    assert!(BinaryCounter::is_finished(&fits) && !BinaryCounter::overflow(&fits));
    assert!(!BinaryCounter::is_finished(&over) && BinaryCounter::overflow(&over));
    assert_eq!([&fits, &over].map(BinaryCounter::value), [3, 4]);
    // Tokens wait all the way back to the leader, which keeps its remaining list: nothing is lost.
    let full = rest(&up(30));
    let left = full.memory(AmoebotId(0)).task.as_ref().expect("the leader").left.len();
    assert!(BinaryCounter::overflow(&full) && left > 0);
    assert_eq!(BinaryCounter::value(&full) + left as i128, 30);
}

/// A mutant: the counter with another guard or another effect.
struct Variant {
    enabled: fn(Action, &View<'_, Memory>) -> bool,
    action: fn(Action) -> Action,
}

impl Algorithm for Variant {
    type Memory = Memory;
    type Action = Action;
    fn actions(&self) -> &[Action] {
        BinaryCounter.actions()
    }
    fn order(&self) -> ActionOrder {
        ActionOrder::Any
    }
    fn enabled(&self, action: Action, view: &View<'_, Memory>) -> bool {
        (self.enabled)(action, view)
    }
    fn execute(
        &self,
        action: Action,
        view: &View<'_, Memory>,
        choices: &mut dyn Choices,
    ) -> Result<Effects<Memory>, ActionError> {
        BinaryCounter.execute((self.action)(action), view, choices)
    }
}

#[test]
fn wrong_rules_are_detected() {
    let caught = |variant: &Variant| {
        let fails =
            |operations: &Vec<CounterOperation>| !explored(variant, 4, 2, operations, &[]).always_succeeds();
        lists(2, 5).iter().any(fails)
    };
    let right = Variant { enabled: |action, view| BinaryCounter.enabled(action, view), action: |a| a };
    assert!(!caught(&right));
    // Clears although a decrement waits next: a 0 stays before the end, and zero is not recognised.
    let hasty = |action, view: &View<'_, Memory>| {
        let own = view.own();
        let first_is_decrement = own.tokens.iter().next() == Some(CounterToken::Decrement);
        let clears = action == Action::Clear && own.bit == Some(true) && first_is_decrement;
        BinaryCounter.enabled(action, view) || (clears && !BinaryCounter.enabled(Action::Shrink, view))
    };
    let fails = |enabled| {
        let variant = Variant { enabled, action: |a| a };
        let down = [Decrement, Decrement, Decrement, Decrement, TestZero];
        !explored(&variant, 4, 4, &down, &[]).always_succeeds()
    };
    assert!(fails(hasty) && !fails(|action, view| BinaryCounter.enabled(action, view)));
    // Tests at once, even while the next one may be giving up its bit.
    let impatient = |action, view: &View<'_, Memory>| {
        let task = view.own().task.as_ref();
        let wanted = task.and_then(|task| task.left.last()) == Some(&TestZero);
        BinaryCounter.enabled(action, view) || (action == Action::Test && wanted)
    };
    assert!(caught(&Variant { enabled: impatient, action: |a| a }));
    // Waits only for a decrement at a 1: one can also stand behind an increment at the end.
    let less_patient = |action, view: &View<'_, Memory>| {
        let task = view.own().task.as_ref();
        let wanted = task.and_then(|task| task.left.last()) == Some(&TestZero);
        let next = view.own().next.and_then(|port| view.read(port).ok());
        let at_one = next.is_some_and(|next| next.bit == Some(true));
        BinaryCounter.enabled(action, view) || (action == Action::Test && wanted && !at_one)
    };
    assert!(caught(&Variant { enabled: less_patient, action: |a| a }));
    // Never takes the end back.
    let stays_long = |action| if action == Action::Shrink { Action::Clear } else { action };
    assert!(caught(&Variant { enabled: right.enabled, action: stays_long }));
    // Forgets the carry.
    let forgetful = |action| if action == Action::Carry { Action::Clear } else { action };
    assert!(caught(&Variant { enabled: right.enabled, action: forgetful }));
}

#[test]
fn starts_that_cannot_be_are_refused() {
    let refused = |cells: &[Cell], value, operations: &[CounterOperation]| {
        BinaryCounter::start(cells, value, operations, &[]).expect_err("a bad start")
    };
    refuses_bad_cells(|cells| refused(cells, 0, &[]));
    let broken = refused(&[cell(0), cell(1), cell(3)], 0, &[]);
    assert_eq!(broken, CounterError::Broken { cell: cell(1), next: cell(3) });
    assert_eq!(broken.to_string(), "cell (3, 0) follows (1, 0) in the chain, but is not adjacent to it");
    let short = refused(&line(1), 0, &[]);
    assert_eq!(short.to_string(), "1 amoebot for the number 0 (accepted: 2 or more)");
    assert_eq!(refused(&line(3), 4, &[]), CounterError::TooFewAmoebots { value: 4, needed: 4, given: 3 });
    assert!(BinaryCounter::start(&line(3), 3, &[], &[]).is_ok());
    assert_eq!(
        refused(&line(64), u64::MAX, &[]),
        CounterError::TooFewAmoebots { value: u64::MAX, needed: 65, given: 64 }
    );
    let widest = BinaryCounter::start(&line(65), u64::MAX, &[], &[]).expect("64 bits");
    assert_eq!(BinaryCounter::value(&widest), i128::from(u64::MAX));
    let below = refused(&line(3), 1, &[Decrement, TestZero, Decrement]);
    assert_eq!(below, CounterError::BelowZero { operation: 2 });
    assert_eq!(
        below.to_string(),
        "after 2 single operations the number is 0, and the next one decrements it: the number must stay 0 or more"
    );
    let most = vec![TestZero; BinaryCounter::OPERATIONS_MAX + 1];
    assert_eq!(refused(&line(3), 0, &most).to_string(), "1048577 operations (accepted: up to 1048576)");
    assert!(BinaryCounter::start(&line(3), 0, &most[1..], &[]).is_ok());
}
