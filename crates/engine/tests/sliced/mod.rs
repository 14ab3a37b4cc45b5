//! F2 equals F3 bit for bit: the same words and figures after every round.

mod sections;

use acrasin_engine::draw::Priorities;
use acrasin_engine::message::{Config, WordRounds};
use acrasin_engine::round::MemoryLimit;
use acrasin_engine::sliced::{Sliced, SlicedError};
use acrasin_engine::{ActiveNodes, Draws, Lattice, LatticeKind, Purpose, Vectors, Wanting};
use acrasin_runtime::choice::FixedProbability;

fn config(seed: u64, priorities: u32, wanting: Wanting) -> Config {
    Config {
        draws: Draws::new(seed),
        priorities: Priorities::new(priorities).expect("at least 2"),
        wanting,
        memory: MemoryLimit::NONE,
    }
}

fn chance(probability: f64) -> FixedProbability {
    FixedProbability::new(probability).expect("a probability")
}

/// Runs both rungs and compares them after every round. `activation` gets the number of the round.
fn compare(lattice: Lattice, config: Config, rounds: u64, mut activation: impl FnMut(u64) -> Given) {
    let mut sliced = Sliced::new(lattice, config).expect("a width that is a multiple of 64");
    let mut words = WordRounds::new(lattice, config).expect("no limit");
    for round in 0..rounds {
        let given = activation(round);
        let activation = given.activation();
        assert_eq!(sliced.round(&activation), words.round(&activation), "{lattice:?}, round {round}");
        assert!(sliced.words() == words.words(), "{lattice:?}, {config:?}, round {round}: the words differ");
    }
    assert_eq!(sliced.digest(), words.digest());
    assert_eq!(sliced.figures(), words.figures());
}

/// An activation that owns its words.
enum Given {
    All,
    Random(f64),
    Named(Vec<u64>),
}

impl Given {
    fn activation(&self) -> ActiveNodes<'_> {
        match self {
            Self::All => ActiveNodes::All,
            Self::Random(probability) => ActiveNodes::Random(chance(*probability)),
            Self::Named(words) => ActiveNodes::Given(words),
        }
    }
}

#[test]
fn every_shape_has_the_words_of_the_messages() {
    for kind in [LatticeKind::Triangular, LatticeKind::Square] {
        for (width, height) in [(64, 3), (64, 17), (128, 8), (192, 5), (512, 4), (576, 3)] {
            let lattice = Lattice::new(kind, width, height).unwrap();
            for k in [2, 64, 256] {
                compare(lattice, config(u64::from(width + k), k, Wanting::Always), 120, |_| {
                    Given::Random(0.5)
                });
            }
        }
    }
}

#[test]
fn every_activation_and_every_demand() {
    let lattice = Lattice::new(LatticeKind::Triangular, 128, 9).unwrap();
    for (seed, wanting) in [
        (1, Wanting::Always),
        (2, Wanting::Chance(chance(0.01))),
        (3, Wanting::Chance(chance(0.7))),
        (4, Wanting::Never),
    ] {
        compare(lattice, config(seed, 16, wanting), 400, |_| Given::All);
        compare(lattice, config(seed, 16, wanting), 400, |_| Given::Random(0.3));
        // An adversary: some words are missing, and the active nodes change.
        let draws = Draws::new(seed + 100);
        compare(lattice, config(seed, 16, wanting), 400, |round| {
            let stream = draws.stream(Purpose::Activation, round);
            Given::Named((0..17).map(|block| stream.word(block) & stream.word(block + 99)).collect())
        });
    }
}

#[test]
fn thousands_of_rounds() {
    let lattice = Lattice::new(LatticeKind::Triangular, 64, 32).unwrap();
    compare(lattice, config(9, 64, Wanting::Always), 3000, |_| Given::Random(0.5));
}

#[test]
fn all_vectors_and_all_numbers_of_threads_and_rounds_at_once() {
    // Large enough to be cut into groups for threads.
    let lattice = Lattice::new(LatticeKind::Triangular, 1024, 512).unwrap();
    let config = config(5, 64, Wanting::Always);
    let half = ActiveNodes::Random(FixedProbability::HALF);
    let mut words = WordRounds::new(lattice, config).unwrap();
    for _ in 0..20 {
        words.round(&half);
    }
    let expected = (words.digest(), words.figures());
    for threads in [1, 2, 3, 7] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        for vectors in [Vectors::Portable, Vectors::Avx2, Vectors::Avx512] {
            for at_once in [1, 5, 20] {
                let found = pool.install(|| {
                    // Checked rounds would run one at a time.
                    let sliced = Sliced::new(lattice, config).unwrap().with_checks(at_once == 1);
                    let mut sliced = sliced.with_vectors(vectors);
                    for _ in 0..20 / at_once {
                        sliced.rounds(&half, at_once);
                    }
                    (sliced.digest(), sliced.figures())
                });
                assert_eq!(found, expected, "{threads} threads, {vectors:?}, {at_once} rounds at once");
            }
        }
    }
}

#[test]
fn what_cannot_be_sliced_is_refused_and_the_other_rung_is_named() {
    let error = |kind, width, height, k, memory| {
        let mut config = config(1, k, Wanting::Always);
        config.memory = MemoryLimit(memory);
        Sliced::new(Lattice::new(kind, width, height).unwrap(), config).unwrap_err()
    };
    let narrow = error(LatticeKind::Square, 100, 10, 64, u64::MAX);
    assert_eq!(narrow, SlicedError::Width { width: 100 });
    assert!(narrow.to_string().contains("take a width of 64 or 128, or message rounds (F3)"), "{narrow}");
    let uneven = error(LatticeKind::Square, 64, 10, 37, u64::MAX);
    assert_eq!(uneven, SlicedError::Priorities { bound: 37 });
    assert!(uneven.to_string().contains("take a power of two, or message rounds (F3)"), "{uneven}");
    assert!(matches!(error(LatticeKind::Square, 64, 10, 1024, u64::MAX), SlicedError::Priorities { .. }));
    let large = error(LatticeKind::Triangular, 1 << 15, 1 << 15, 64, 1 << 30);
    assert!(large.to_string().contains("1073741824 nodes need about"), "{large}");
}
