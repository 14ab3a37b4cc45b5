//! Compares bit-sliced rounds with message rounds, in every layout, both without and with deliberate faults.

use acrasin_runtime::choice::FixedProbability;
use acrasin_runtime::pack::{Pack as _, Saved as _};
use acrasin_runtime::port::PortSet;

use crate::draw::{Draws, Priorities};
use crate::message::{Config, LockConfiguration, LockOverlap, Published, WordRounds, check};
use crate::network::{Lattice, LatticeKind, PortNetwork as _};
use crate::round::{ActiveNodes, Figures, MemoryLimit, Wanting};
use crate::unchecked::Vectors;

use super::Sliced;
use super::census::Census;
use super::fault::SlicedFault;
use super::planes::PlaneShape;
use super::shape::ShapeJob;

const FAULTS: [SlicedFault; 16] = [
    SlicedFault::WordsApart,
    SlicedFault::RowsOpen,
    SlicedFault::ColumnsApart,
    SlicedFault::BandsApart,
    SlicedFault::SamePortBack,
    SlicedFault::LateRequestsWait,
    SlicedFault::HoldsIgnored,
    SlicedFault::TiesAreWon,
    SlicedFault::LockIgnored,
    SlicedFault::DecidesEarly,
    SlicedFault::ResultsStay,
    SlicedFault::OneDefeatForgiven,
    SlicedFault::LowBitLost,
    SlicedFault::AsleepReceives,
    SlicedFault::AsleepDraws,
    SlicedFault::WantingIgnored,
];

struct FaultyShape<const F: usize>;

impl<const F: usize> PlaneShape for FaultyShape<F> {
    const KIND: LatticeKind = LatticeKind::Triangular;
    const BITS: usize = 6;
    const DRAWN: bool = false;
    const FAULT: SlicedFault = FAULTS[F];
}

/// Runs a job on a triangular lattice with a fault.
pub(super) fn run_with_fault<J: ShapeJob>(fault: SlicedFault, job: J) -> J::Output {
    macro_rules! wrong {
        ($($number:literal)*) => {
            match FAULTS.iter().position(|other| *other == fault) {
                $(Some($number) => job.run::<FaultyShape<$number>, 26>(),)*
                _ => unreachable!("{fault:?} is in the list"),
            }
        };
    }
    wrong!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15)
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
fn first_difference(mut sliced: Sliced, activation: &ActiveNodes<'_>, rounds: u64) -> Option<u64> {
    let mut messages = WordRounds::new(sliced.lattice(), sliced.config()).unwrap();
    (0..rounds).find(|_| {
        let expected = messages.round(activation);
        sliced.round(activation) != expected || sliced.words() != messages.words()
    })
}

#[test]
fn every_mistake_is_noticed() {
    let lattice = Lattice::new(LatticeKind::Triangular, 256, 12).unwrap();
    // K = 4 gives many ties. Half of the nodes are active, and not all of them want a lock.
    let config = config(3, 4, Wanting::Chance(chance(0.2)));
    let activation = ActiveNodes::Random(FixedProbability::HALF);
    let run = |fault: SlicedFault| {
        let mut sliced = Sliced::new(lattice, config).unwrap();
        // Two bands side by side, four above one another.
        sliced.set_plan(2, 100, 1);
        sliced.set_fault(fault);
        first_difference(sliced, &activation, 400)
    };
    assert_eq!(run(SlicedFault::None), None);
    for fault in FAULTS {
        let round = run(fault);
        assert!(round.is_some(), "{fault:?} went unnoticed");
    }
}

/// The published words, for the check of message rounds.
struct PlaneWords {
    lattice: Lattice,
    words: Vec<u32>,
}

impl LockConfiguration for PlaneWords {
    fn nodes(&self) -> u32 {
        self.lattice.nodes()
    }
    fn ports(&self) -> u16 {
        self.lattice.ports()
    }
    fn published(&self, node: u32) -> Published {
        Published::of(self.words[node as usize])
    }
    fn toggle(&self, node: u32, _port: u16) -> bool {
        self.published(node).toggle
    }
    fn sent(&self, node: u32, port: u16) -> bool {
        self.words[node as usize] >> (5 + port) & 1 == 1
    }
    fn won(&self, node: u32, port: u16) -> bool {
        self.words[node as usize] >> (14 + port) & 1 == 1
    }
    fn link(&self, node: u32, port: u16) -> Option<(u32, u16)> {
        if port == 0 { Some((node, 0)) } else { self.lattice.link(node, port) }
    }
    fn member(&self, _node: u32, _port: u16) -> bool {
        true
    }
    fn detector(&self, _node: u32) -> PortSet {
        PortSet::default()
    }
}

/// The check of planes agrees with the check of words, without faults and with overlapping lock sets. Every kind of
/// violation occurs.
#[test]
fn lock_sets_that_overlap_are_found_where_the_words_have_them() {
    let lattice = Lattice::new(LatticeKind::Triangular, 128, 16).unwrap();
    let activation = ActiveNodes::Random(FixedProbability::HALF);
    let (mut common, mut unlocked) = (0, 0);
    for (fault, seed) in
        [SlicedFault::None, SlicedFault::TiesAreWon, SlicedFault::LockIgnored, SlicedFault::DecidesEarly]
            .into_iter()
            .flat_map(|fault| (0..6).map(move |seed| (fault, seed)))
    {
        let mut sliced = Sliced::new(lattice, config(seed, 4, Wanting::Always)).unwrap();
        sliced.set_fault(fault);
        for _ in 0..300 {
            sliced.round(&activation);
            let words = PlaneWords { lattice, words: sliced.words() };
            let found = sliced.check();
            assert_eq!(found, check(&words), "{fault:?}");
            match found {
                Ok(()) => {}
                Err(LockOverlap::CommonNode { .. }) => common += 1,
                Err(LockOverlap::NotLocked { .. }) => unlocked += 1,
            }
            if fault == SlicedFault::None {
                assert_eq!(found, Ok(()));
            }
        }
    }
    assert!(common > 0 && unlocked > 0, "{common} {unlocked}");
}

#[test]
#[should_panic(expected = "is in the lock set")]
fn a_round_that_is_checked_does_not_go_on_with_a_fault() {
    let lattice = Lattice::new(LatticeKind::Triangular, 128, 16).unwrap();
    let mut sliced = Sliced::new(lattice, config(1, 4, Wanting::Always)).unwrap();
    sliced.set_fault(SlicedFault::TiesAreWon);
    sliced.with_checks(true).rounds(&ActiveNodes::Random(FixedProbability::HALF), 2000);
}

/// Runs small lattices with the bands, the groups and the rounds per pass that large lattices have.
#[test]
fn bands_groups_and_rounds_at_once_change_nothing() {
    let activation = ActiveNodes::Random(chance(0.3));
    for (kind, width, height) in [
        (LatticeKind::Triangular, 64, 40),
        (LatticeKind::Triangular, 192, 61),
        (LatticeKind::Square, 128, 83),
        (LatticeKind::Square, 64, 56),
        (LatticeKind::Triangular, 512, 61),
        (LatticeKind::Triangular, 1024, 15),
        (LatticeKind::Square, 512, 22),
    ] {
        let lattice = Lattice::new(kind, width, height).unwrap();
        let config = config(u64::from(height), 16, Wanting::Always);
        let mut expected = WordRounds::new(lattice, config).unwrap();
        let mut sliced = Vec::new();
        for across in [1, 2, 4, 8].into_iter().filter(|across| (width / 64).is_multiple_of(*across)) {
            for (rows, rounds) in
                [2, 3, 5, 100].into_iter().flat_map(|rows| (1..=4).map(move |rounds| (rows, rounds)))
            {
                // Checked rounds would run one at a time.
                let mut run = Sliced::new(lattice, config).unwrap().with_checks(false);
                run.set_plan(across as usize, rows, rounds);
                sliced.push((run, (across, rows, rounds)));
            }
        }
        for count in [1, 2, 5, 3, 16, 4, 7, 30, 1, 1, 60] {
            let mut figures = Figures::default();
            for _ in 0..count {
                figures += expected.round(&activation);
            }
            for (run, plan) in &mut sliced {
                assert_eq!(run.rounds(&activation, count), figures, "{lattice:?} {plan:?}");
                assert_eq!(run.words(), expected.words(), "{lattice:?} {plan:?}");
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
            let activation = ActiveNodes::Random(FixedProbability::HALF);
            assert_eq!(first_difference(sliced, &activation, 150), None, "{kind:?} {k} {vectors:?}");
        }
    }
}

/// Changes the figures and the first count of a saved run.
type Change = fn(&mut Figures, &mut u64);

/// Regression: counts near 2^64 were restored, and their sum with the counts since the last settlement overflowed.
#[test]
fn impossible_counts_are_not_restored() {
    let lattice = Lattice::new(LatticeKind::Square, 64, 16).unwrap();
    let start = || Sliced::new(lattice, config(3, 64, Wanting::Always)).unwrap();
    let mut run = start();
    run.rounds(&ActiveNodes::All, 20);
    run.advance(&ActiveNodes::All, None, 20);
    let mut saved = Vec::new();
    run.save(&mut saved);
    let forged = |change: Change| {
        let rest = &mut &saved[..];
        let (seed, mut figures) = <(u64, Figures)>::unpack(rest).unwrap();
        let (census, mut active) = <(Census, u64)>::unpack(rest).unwrap();
        change(&mut figures, &mut active);
        let mut forged = Vec::new();
        (seed, figures).pack(&mut forged);
        (census, active).pack(&mut forged);
        forged.extend_from_slice(rest);
        start().load(&mut &forged[..]).is_ok()
    };
    assert!(forged(|_, _| {}));
    let changes: [Change; 6] = [
        |figures, _| figures.releases = u64::MAX,
        |figures, _| figures.activations = u64::MAX,
        |figures, _| figures.rounds = u64::MAX,
        |figures, _| figures.rounds = 1,
        |figures, _| figures.grants = figures.calls + 1,
        |_, active| *active = u64::MAX,
    ];
    for (number, change) in changes.into_iter().enumerate() {
        assert!(!forged(change), "change {number}");
    }
}
