//! Exact laws of small systems: probabilities and expected rounds over all outcomes of coins.

use acrasin_amoebot::{Chirality, Direction, Orientation};
use acrasin_circuits::library::{
    CircuitChirality, CircuitChiralityRound, CircuitCompass, Election, FastElection,
};
use acrasin_circuits::round::ExactLaw;
use acrasin_circuits::{CircuitRun, CircuitStructure, Coins, RoundTable};

use crate::structures::{Numbers, any_frame, blob, cell, common, framed, ran};

fn law<A: RoundTable + Clone>(structure: CircuitStructure, algorithm: A) -> ExactLaw<A> {
    ExactLaw::of(&CircuitRun::new(structure, algorithm, Coins::keyed(0)).unwrap(), 1 << 16).unwrap()
}

fn line(amoebots: i32, pins: usize) -> CircuitStructure {
    common(&(0..amoebots).map(|x| cell(x, 0)).collect::<Vec<_>>(), pins)
}

fn near(value: f64, expected: f64) {
    assert!((value - expected).abs() < 1e-9, "{value}, expected {expected}");
}

#[test]
fn the_election_has_its_exact_law() {
    let probabilities = [(2, 0, 0.5), (2, 1, 13.0 / 16.0), (2, 2, 119.0 / 128.0), (3, 0, 9.0 / 16.0)];
    for (amoebots, repetitions, expected) in probabilities {
        let law = law(line(amoebots, 1), Election { repetitions });
        let leaders = |count: usize| {
            law.probability(|memories| {
                memories.iter().filter(|amoebot| amoebot.is_candidate).count() == count
            })
        };
        near(leaders(1), expected);
        near(leaders(0), 0.0);
    }
    for (repetitions, rounds) in [(0, 3.0), (1, 9.0), (2, 15.0)] {
        near(law(line(2, 1), Election { repetitions }).expected(|_| 1.0), rounds);
    }
}

#[test]
fn the_fast_election_has_its_exact_law() {
    let law = law(line(2, 7), FastElection { repetitions: 1 });
    near(
        law.probability(|memories| memories.iter().filter(|amoebot| amoebot.is_candidate).count() == 1),
        0.625,
    );
    near(law.expected(|()| 1.0), 2.0);
}

#[test]
fn two_amoebots_agree_on_a_chirality_in_fourteen_rounds() {
    let mirrored = Orientation { chirality: Chirality::Mirrored, ..Orientation::COMMON };
    let structure = framed(&[cell(0, 0), cell(1, 0)], vec![Orientation::COMMON, mirrored], 2);
    let law = law(structure, CircuitChirality);
    near(law.expected(|_| 1.0), 14.0);
    near(law.expected(|round| f64::from(u8::from(round == CircuitChiralityRound::Heads))), 2.0);
    near(law.probability(|memories| memories[0].is_mirrored() == memories[1].is_mirrored()), 1.0);
}

#[test]
fn two_amoebots_align_their_compasses_in_twenty_eight_rounds() {
    for first in Direction::ALL.into_iter().skip(1) {
        let turned = Orientation { first, ..Orientation::COMMON };
        let structure = framed(&[cell(0, 0), cell(1, 0)], vec![Orientation::COMMON, turned], 2);
        let law = law(structure, CircuitCompass);
        near(law.expected(|_| 1.0), 28.0);
        near(law.probability(|memories| memories[0].first() == memories[1].first()), 1.0);
    }
}

#[test]
fn larger_structures_agree_on_chirality_and_then_compass() {
    let mut numbers = Numbers::new(2);
    for seed in 0..20 {
        let cells = blob(1 + numbers.below(40), &mut numbers);
        let frames: Vec<_> = cells.iter().map(|_| any_frame(&mut numbers)).collect();
        let run = ran(framed(&cells, frames.clone(), 2), CircuitChirality, seed);
        assert!(
            run.memories().iter().all(|amoebot| amoebot.is_mirrored() == run.memories()[0].is_mirrored())
        );
        assert_eq!(run.rounds_done() % 6, 2);
        let frames: Vec<_> =
            frames.into_iter().map(|frame| Orientation { chirality: frames_of(&run), ..frame }).collect();
        let run = ran(framed(&cells, frames, 2), CircuitCompass, seed);
        assert!(run.memories().iter().all(|amoebot| amoebot.first() == run.memories()[0].first()));
        assert_eq!(run.rounds_done() % 12, 4);
    }
}

fn frames_of(run: &CircuitRun<CircuitChirality>) -> Chirality {
    if run.memories()[0].is_mirrored() { Chirality::Mirrored } else { Chirality::Standard }
}

/// With ten repetitions more than one leader is rarer than one in a thousand.
#[test]
fn elections_of_many_amoebots_find_one_leader() {
    let mut numbers = Numbers::new(3);
    for seed in 0..20 {
        let cells = blob(200, &mut numbers);
        let frames: Vec<_> = cells.iter().map(|_| any_frame(&mut numbers)).collect();
        let run = ran(framed(&cells, frames, 1), Election { repetitions: 10 }, seed);
        assert_eq!(run.memories().iter().filter(|amoebot| amoebot.is_candidate).count(), 1);
    }
}
