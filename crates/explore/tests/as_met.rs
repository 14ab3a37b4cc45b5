//! Configurations that models keep, and the order in which a plain search finds configurations.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use acrasin_explore::{
    AsMet, Duty, Limits, Model, MoveId, Moves, Truncated, UnsavedSearch, explore, explore_from,
};

/// Moves from x to 2x, 3x + 1 and x / 5, below a bound. Every hundredth number is kept.
struct Numbers {
    bound: u32,
    held: u64,
}

impl Numbers {
    fn next(&self, x: u32) -> [u32; 3] {
        [2 * x, 3 * x + 1, x / 5].map(|y| y % self.bound)
    }
}

impl Model for Numbers {
    type Workbench = ();
    fn workbench(&self) {}
    fn starts(&self, (): &mut (), start: &mut dyn FnMut(&[u8]) -> ControlFlow<()>) {
        for x in [9_u32, 4, 9] {
            if start(&x.to_le_bytes()).is_break() {
                return;
            }
        }
    }
    fn expand(&self, (): &mut (), configuration: &[u8], moves: &mut Moves) {
        let x = u32::from_le_bytes(configuration.try_into().unwrap());
        moves.label(x);
        if x.is_multiple_of(100) {
            moves.keep();
        }
        for (step, y) in (0..).zip(self.next(x)) {
            moves.successor(MoveId { step, outcome: 0 }, Duty::NONE, &y.to_le_bytes());
            moves.weigh(step);
        }
    }
    fn held_bytes(&self) -> u64 {
        self.held
    }
}

fn go_on(_: &acrasin_explore::SearchProgress) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

#[test]
fn numbers_are_in_the_order_of_a_simple_search() {
    let model = Numbers { bound: 20_000, held: 0 };
    let limits = Limits::bytes(1 << 30).with_graph();
    let met = AsMet::of(explore(&model, &limits, go_on)).unwrap();
    let (mut order, mut numbers) = (vec![9_u32, 4], BTreeMap::from([(9_u32, 0_u32), (4, 1)]));
    let mut at = 0;
    while at < order.len() {
        for y in model.next(order[at]) {
            numbers.entry(y).or_insert_with(|| {
                order.push(y);
                order.len() as u32 - 1
            });
        }
        at += 1;
    }
    assert_eq!((met.starts, met.graph.len()), (2, order.len()));
    for (number, x) in (0..).zip(&order) {
        assert_eq!(met.graph.label(number), *x);
        let targets: Vec<u32> = met.graph.moves(number).map(|(_, _, target)| target).collect();
        assert_eq!(targets, model.next(*x).map(|y| numbers[&y]));
    }
    let kept: Vec<(u32, u32)> =
        met.kept.iter().map(|(number, x)| (*number, u32::from_le_bytes(x[..].try_into().unwrap()))).collect();
    let hundreds = (0..).zip(&order).filter(|(_, x)| x.is_multiple_of(100)).map(|(number, x)| (number, *x));
    assert_eq!(kept, hundreds.collect::<Vec<_>>());
    // The path to each of them leads there.
    for (number, x) in kept {
        let way = met.graph.way(0..met.starts, number);
        let walk = |at: u32, position: &u32| model.next(at)[*position as usize];
        assert_eq!(way.moves.iter().fold(order[way.start as usize], walk), x);
    }
}

#[test]
fn without_the_graph_or_the_end_there_is_no_order() {
    let model = Numbers { bound: 20_000, held: 0 };
    assert!(AsMet::of(explore(&model, &Limits::bytes(1 << 30), go_on)).is_none());
    let limits = Limits { configurations: 100, ..Limits::bytes(1 << 30).with_graph() };
    assert!(AsMet::of(explore(&model, &limits, go_on)).is_none());
}

#[test]
fn memory_of_the_model_counts() {
    let explored = |held| explore(&Numbers { bound: 20_000, held }, &Limits::bytes(64 << 20), go_on);
    let (without, with) = (explored(0), explored(1 << 20));
    assert_eq!((without.truncated(), with.truncated()), (None, None));
    assert_eq!(with.peak_bytes(), without.peak_bytes() + (1 << 20));
    let too_much = explored(64 << 20);
    assert_eq!((too_much.truncated(), without.wanted_bytes()), (Some(Truncated::Memory), 0));
    assert!(too_much.wanted_bytes() > 64 << 20);
}

#[test]
fn starts_are_taken_one_by_one() {
    let model = Numbers { bound: 20_000, held: 0 };
    let mut taken = 0;
    let found = explore_from(
        &model,
        |start| {
            for x in (1_u32..).take_while(|x| *x < 20_000) {
                taken = x;
                if start(&x.to_le_bytes()).is_break() {
                    break;
                }
            }
        },
        &Limits::bytes(1 << 20),
        &mut UnsavedSearch(&mut |_| ControlFlow::Break(())),
    );
    let found = found.unwrap();
    // The starts are checked as often as blocks are.
    assert_eq!(
        (found.truncated(), taken, found.starts().count()),
        (Some(Truncated::Interrupted), 8192, 8192)
    );
}

/// Endless moves to configurations of a kilobyte from one configuration.
struct Endless;

impl Model for Endless {
    type Workbench = ();
    fn workbench(&self) {}
    fn starts(&self, (): &mut (), start: &mut dyn FnMut(&[u8]) -> ControlFlow<()>) {
        let _ = start(&[0; 1024]);
    }
    fn expand(&self, (): &mut (), _: &[u8], moves: &mut Moves) {
        let mut next = [0; 1024];
        for number in 1_u64.. {
            next[..8].copy_from_slice(&number.to_le_bytes());
            moves.successor(MoveId { step: 0, outcome: 0 }, Duty::NONE, &next);
            if moves.are_full() {
                // Further moves are lost.
                let listed = moves.iter().count();
                moves.successor(MoveId { step: 0, outcome: 0 }, Duty::NONE, &next);
                assert_eq!(moves.iter().count(), listed);
                return;
            }
        }
    }
}

/// Regression: the moves of one configuration were all listed, however much memory they took, before they were
/// found to be too many.
#[test]
fn the_moves_of_one_configuration_end_where_the_memory_does() {
    for mebibytes in [2_u64, 20] {
        let limits = Limits::bytes(mebibytes << 20).with_graph();
        let found = explore(&Endless, &limits, go_on);
        assert_eq!((found.truncated(), found.configurations()), (Some(Truncated::Memory), 1));
        assert_eq!(found.wanted_bytes(), limits.bytes + 1);
        assert!(found.peak_bytes() <= limits.bytes);
    }
}
