//! Tests arithmetic on chains against whole numbers: all pairs of numbers of up to four bits, and some longer numbers
//! on bent chains.

use acrasin_amoebot::{Cell, Direction, Orientation};
use acrasin_circuits::library::{
    Addition, ChainComparison, ChainOperation, ChainOrder, Division, Multiplication, NumberChain,
};

use crate::structures::{Numbers, cell, common, framed, ran};

fn bits(number: u64, bits: usize) -> Vec<bool> {
    (0..bits).map(|bit| number >> bit & 1 == 1).collect()
}

fn number(bits: impl DoubleEndedIterator<Item = bool>) -> u64 {
    bits.rev().fold(0, |number, bit| number << 1 | u64::from(bit))
}

/// Checks all operations on one pair of numbers.
fn check(structure: &acrasin_circuits::CircuitStructure, a: u64, b: u64) {
    let m = structure.amoebots();
    let full = 1_u64 << m;
    let chain = NumberChain::new(structure, bits(a, m), bits(b, m)).unwrap();
    for (operation, exact) in
        [(ChainOperation::Add, a as i64 + b as i64), (ChainOperation::Subtract, a as i64 - b as i64)]
    {
        let run = ran(structure.clone(), Addition { chain: chain.clone(), operation }, 0);
        let result = number(run.memories().iter().map(|amoebot| amoebot.result));
        assert_eq!(result, exact.rem_euclid(full as i64) as u64, "{operation:?} {a} {b}");
        let overflow = !(0..full as i64).contains(&exact);
        assert!(run.memories().iter().all(|amoebot| amoebot.overflow == overflow), "{operation:?} {a} {b}");
        assert_eq!(run.rounds_done(), 2);
    }
    let run = ran(structure.clone(), ChainComparison { chain: chain.clone(), highest_only: false }, 0);
    let order = match a.cmp(&b) {
        std::cmp::Ordering::Less => ChainOrder::Less,
        std::cmp::Ordering::Equal => ChainOrder::Equal,
        std::cmp::Ordering::Greater => ChainOrder::Greater,
    };
    assert!(run.memories().iter().all(|amoebot| amoebot.order == Some(order)), "{a} {b}");
    let run = ran(structure.clone(), Multiplication { chain: chain.clone() }, 0);
    assert_eq!(number(run.memories().iter().map(|amoebot| amoebot.result)), a * b % full, "{a} * {b}");
    assert_eq!(run.memories().iter().any(|amoebot| amoebot.overflow), a * b >= full, "{a} * {b}");
    let highest = u64::from(a.checked_ilog2().unwrap_or(0));
    assert_eq!(run.rounds_done(), 1 + 3 * (highest + 1) + 1, "{a} * {b}");
    let run = ran(structure.clone(), Division { chain }, 0);
    let quotient = number(run.memories().iter().map(|amoebot| amoebot.quotient));
    let remainder = number(run.memories().iter().map(|amoebot| amoebot.remainder));
    // Division by 0 gives ones.
    let expected = a.checked_div(b).map_or((full - 1, a), |quotient| (quotient, a % b));
    assert_eq!((quotient, remainder), expected, "{a} / {b}");
}

#[test]
fn all_pairs_of_up_to_four_bits() {
    for m in 1..=4 {
        let structure = common(&(0..m).map(|x| cell(x, 0)).collect::<Vec<_>>(), 2);
        for a in 0..1 << m {
            let chain = NumberChain::new(&structure, bits(a, m as usize), Vec::new()).unwrap();
            let run = ran(structure.clone(), ChainComparison { chain, highest_only: true }, 0);
            let highest: Vec<usize> = (0..m as usize).filter(|at| run.memories()[*at].is_highest).collect();
            assert_eq!(highest, [a.checked_ilog2().unwrap_or(0) as usize]);
            for b in 0..1 << m {
                check(&structure, a, b);
            }
        }
    }
}

#[test]
fn longer_numbers_on_bent_chains_in_assorted_compasses() {
    let mut numbers = Numbers::new(8);
    for _ in 0..30 {
        let mut cells = vec![Cell::ORIGIN];
        while cells.len() < 12 {
            // Only upwards and east, so that the chain does not meet itself.
            let direction = [Direction::East, Direction::NorthEast, Direction::NorthWest][numbers.below(3)];
            let next = cells[cells.len() - 1].neighbour(direction).unwrap();
            if !cells.contains(&next) {
                cells.push(next);
            }
        }
        let frames = cells
            .iter()
            .map(|_| Orientation {
                first: Direction::from_index(numbers.below(6) as u8),
                ..Orientation::COMMON
            })
            .collect();
        let structure = framed(&cells, frames, 2);
        check(&structure, numbers.below(1 << 12) as u64, numbers.below(1 << 12) as u64);
    }
}
