//! Bit-sliced rounds against message rounds, in every layout, and with deliberate mistakes.

use acrasin_runtime::choice::FixedProbability;

use crate::draw::{Draws, Priorities};
use crate::message::{Config, Rounds};
use crate::network::{Lattice, LatticeKind};
use crate::round::{Activation, Figures, MemoryLimit, Wanting};
use crate::unchecked::Vectors;

use super::Sliced;
use super::fault::Fault;
use super::planes::Shape;
use super::shape::Job;

const FAULTS: [Fault; 15] = [
    Fault::WordsApart,
    Fault::RowsOpen,
    Fault::BandsApart,
    Fault::SamePortBack,
    Fault::LateRequestsWait,
    Fault::NobodyOnHold,
    Fault::TiesAreWon,
    Fault::LockIgnored,
    Fault::DecidesEarly,
    Fault::ResultsStay,
    Fault::OneDefeatForgiven,
    Fault::LowBitLost,
    Fault::AsleepReceives,
    Fault::AsleepDraws,
    Fault::WantingIgnored,
];

struct Wrong<const F: usize>;

impl<const F: usize> Shape for Wrong<F> {
    const KIND: LatticeKind = LatticeKind::Triangular;
    const BITS: usize = 6;
    const FAULT: Fault = FAULTS[F];
}

/// Runs a job on a triangular lattice with a mistake.
pub(super) fn run_with_fault<J: Job>(fault: Fault, job: J) -> J::Output {
    macro_rules! wrong {
        ($($number:literal)*) => {
            match FAULTS.iter().position(|other| *other == fault) {
                $(Some($number) => job.run::<Wrong<$number>, 26>(),)*
                _ => unreachable!("{fault:?} is in the list"),
            }
        };
    }
    wrong!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14)
}

fn config(seed: u64, priorities: u32, wanting: Wanting) -> Config {
    Config {
        draws: Draws::new(seed),
        priorities: Priorities::new(priorities).unwrap(),
        wanting,
        memory: MemoryLimit::NONE,
    }
}

fn chance(probability: f64) -> FixedProbability {
    FixedProbability::new(probability).unwrap()
}

/// The first round after which words or figures differ.
fn first_difference(mut sliced: Sliced, activation: &Activation<'_>, rounds: u64) -> Option<u64> {
    let mut messages = Rounds::new(sliced.lattice(), sliced.config()).unwrap();
    (0..rounds).find(|_| {
        let expected = messages.round(activation);
        sliced.round(activation) != expected || sliced.words() != messages.words()
    })
}

#[test]
fn every_mistake_is_noticed() {
    let lattice = Lattice::new(LatticeKind::Triangular, 128, 16).unwrap();
    // K = 4 for many ties; half of the nodes are active, and not all of them want.
    let config = config(3, 4, Wanting::Chance(chance(0.2)));
    let activation = Activation::Random(FixedProbability::HALF);
    let run = |fault: Fault| {
        let mut sliced = Sliced::new(lattice, config).unwrap();
        sliced.set_fault(fault);
        first_difference(sliced, &activation, 400)
    };
    assert_eq!(run(Fault::None), None);
    for fault in FAULTS {
        let round = run(fault);
        assert!(round.is_some(), "{fault:?} went unnoticed");
    }
}

/// Groups and rounds at once as they are on large lattices, on small ones.
#[test]
fn groups_and_rounds_at_once_change_nothing() {
    let activation = Activation::Random(chance(0.3));
    for (kind, width, height) in [
        (LatticeKind::Triangular, 64, 40),
        (LatticeKind::Triangular, 192, 61),
        (LatticeKind::Square, 128, 83),
        (LatticeKind::Square, 64, 56),
    ] {
        let lattice = Lattice::new(kind, width, height).unwrap();
        let config = config(u64::from(height), 16, Wanting::Always);
        let mut expected = Rounds::new(lattice, config).unwrap();
        let mut sliced = Vec::new();
        for rows in [2, 3, 5, 100] {
            for rounds in 1..=4 {
                let mut run = Sliced::new(lattice, config).unwrap();
                run.set_plan(rows, rounds);
                sliced.push((run, rows, rounds));
            }
        }
        for count in [1, 2, 5, 3, 16, 4, 7, 30, 1, 1, 60] {
            let mut figures = Figures::default();
            for _ in 0..count {
                figures += expected.round(&activation);
            }
            for (run, rows, rounds) in &mut sliced {
                assert_eq!(run.rounds(&activation, count), figures, "{lattice:?} {rows} {rounds}");
                assert_eq!(run.words(), expected.words(), "{lattice:?} {rows} {rounds}");
                assert_eq!(run.figures(), expected.figures());
            }
        }
    }
}

#[test]
fn every_width_of_vectors_computes_the_same() {
    for (kind, k) in [(LatticeKind::Square, 64), (LatticeKind::Triangular, 512), (LatticeKind::Triangular, 8)]
    {
        for vectors in [Vectors::Portable, Vectors::Avx2, Vectors::Avx512] {
            let lattice = Lattice::new(kind, 192, 19).unwrap();
            let sliced = Sliced::new(lattice, config(9, k, Wanting::Always)).unwrap().with_vectors(vectors);
            let activation = Activation::Random(FixedProbability::HALF);
            assert_eq!(first_difference(sliced, &activation, 150), None, "{kind:?} {k} {vectors:?}");
        }
    }
}
