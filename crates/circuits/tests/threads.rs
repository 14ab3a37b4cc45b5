//! Tests of runs on several threads, and of kept circuits against circuits formed from scratch.

use std::sync::atomic::{AtomicUsize, Ordering};

use acrasin_amoebot::algorithm::synchronous::SynchronousRun as _;
use acrasin_amoebot::{Cell, Orientation, start};
use acrasin_circuits::circuit::{CircuitRules, Communication, GivenConfiguration, SetName, communicate};
use acrasin_circuits::joint::MovementRules;
use acrasin_circuits::library::{CircuitChirality, Election, LaneCrossing, LineToRhombus, Pasc};
use acrasin_circuits::{
    BeepPlan, CircuitProcess, CircuitRun, CircuitStructure, CircuitView, CoinToss, Coins, Pin, RoundTable,
    Seat,
};
use acrasin_process::{Process, RunBound};

use crate::structures::{Numbers, any_frame, cell, common, framed};

fn on_threads<T: Send>(threads: usize, run: impl FnOnce() -> T + Send) -> T {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(run)
}

/// The digests of a run after some rounds and at its end, and the digest of a run that continues from a checkpoint in
/// between.
fn digests<A: RoundTable + Clone + Sync>(
    structure: &CircuitStructure,
    algorithm: &A,
    rounds: u64,
) -> [u128; 4] {
    let start = || {
        let run = CircuitRun::new(structure.clone(), algorithm.clone(), Coins::keyed(3)).unwrap();
        CircuitProcess::new(run, "run")
    };
    let mut whole = start();
    whole.advance(&RunBound { rounds, ..RunBound::NONE }, None);
    let (between, checkpoint) = (whole.digest(), whole.save().unwrap());
    whole.advance(&RunBound { rounds: 2 * rounds, ..RunBound::NONE }, None);
    let mut resumed = start();
    resumed.restore(&checkpoint).unwrap();
    let restored = resumed.digest();
    resumed.advance(&RunBound { rounds: 2 * rounds, ..RunBound::NONE }, None);
    [between, whole.digest(), restored, resumed.digest()]
}

/// Asserts that threads do not change digests. Structures are large enough for several blocks.
fn assert_same<A: RoundTable + Clone + Sync>(structure: &CircuitStructure, algorithm: &A, rounds: u64) {
    let expected = on_threads(1, || digests(structure, algorithm, rounds));
    assert_eq!((expected[0], expected[1]), (expected[2], expected[3]), "resumed");
    assert_ne!(expected[0], expected[1]);
    for threads in [2, 3, 7] {
        let digests = on_threads(threads, || digests(structure, algorithm, rounds));
        assert_eq!(digests, expected, "{threads} threads");
    }
}

#[test]
fn digests_do_not_depend_on_threads() {
    let block = start::hexagon(Cell::ORIGIN, 100).unwrap();
    assert_eq!(block.len(), 29_701);
    let mut numbers = Numbers::new(5);
    let frames: Vec<Orientation> = block.iter().map(|_| any_frame(&mut numbers)).collect();
    assert_same(&framed(&block, frames.clone(), 1), &Election { repetitions: 2 }, 12);
    // Regions without pins, and circuits that change in part.
    assert_same(&framed(&block, frames, 2), &CircuitChirality, 9);
    let line: Vec<Cell> = (0..20_000).map(|x| cell(x, 0)).collect();
    assert_same(&common(&line, 2), &line_pasc(line.len()), 7);
    let line: Vec<Cell> = (0..4_i32.pow(7)).map(|x| cell(x, 0)).collect();
    assert_same(&common(&line, 3), &LineToRhombus, 6);
}

/// Interrupts each round at every moment, and then completes it. Returns the number of interrupted
/// rounds.
fn interrupted_rounds<A: RoundTable + Clone + Sync>(
    structure: &CircuitStructure,
    algorithm: &A,
    rounds: u64,
) -> usize {
    let start = || {
        let run = CircuitRun::new(structure.clone(), algorithm.clone(), Coins::keyed(3)).unwrap();
        CircuitProcess::new(run, "run")
    };
    let (mut whole, mut cut) = (start(), start());
    let mut interrupted = 0;
    for rounds in 1..=rounds {
        let bound = RunBound { rounds, ..RunBound::NONE };
        let before = cut.save();
        whole.advance(&bound, None);
        for calls in 0.. {
            let called = AtomicUsize::new(0);
            cut.advance_while(&bound, None, &|| called.fetch_add(1, Ordering::Relaxed) < calls);
            if cut.progress() == whole.progress() {
                break;
            }
            interrupted += 1;
            assert_eq!(cut.progress().rounds, rounds - 1);
            assert!(cut.save() == before, "round {rounds}, {calls} calls");
        }
        assert_eq!((cut.digest(), cut.metrics()), (whole.digest(), whole.metrics()), "round {rounds}");
    }
    interrupted
}

#[test]
fn an_interrupted_round_leaves_no_trace() {
    let block = start::hexagon(Cell::ORIGIN, 70).unwrap();
    let mut numbers = Numbers::new(5);
    let frames: Vec<Orientation> = block.iter().map(|_| any_frame(&mut numbers)).collect();
    let election = framed(&block, frames.clone(), 1);
    let chirality = framed(&block, frames, 2);
    let line: Vec<Cell> = (0..4_i32.pow(7)).map(|x| cell(x, 0)).collect();
    for threads in [1, 3] {
        on_threads(threads, || {
            // In each round with beeps: 3 or more calls each for sending and receiving.
            assert!(interrupted_rounds(&election, &Election { repetitions: 2 }, 12) > 12 * 6);
            assert!(interrupted_rounds(&chirality, &CircuitChirality, 9) > 9 * 6);
            interrupted_rounds(&common(&line, 2), &line_pasc(line.len()), 7);
            // Rounds that move are completed.
            interrupted_rounds(&common(&line, 3), &LineToRhombus, 6);
        });
    }
}

/// PASC along a line, from its west end.
fn line_pasc(amoebots: usize) -> Pasc {
    Pasc {
        parents: (0..amoebots).map(|at| (at > 0).then_some(4)).collect(),
        children: (0..amoebots).map(|at| if at + 1 < amoebots { vec![1] } else { Vec::new() }).collect(),
        participants: None,
        crossing: LaneCrossing::Arriving,
    }
}

/// Random sets, of which a part changes in each round. They have one or two pins on average, so circuits are small and
/// many are silent.
#[derive(Clone)]
struct RandomSets {
    /// One amoebot in this many changes its configuration in a round.
    rarity: u64,
    rounds: u32,
}

#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct RandomSetsMemory {
    /// The set of each pin of the current configuration.
    sets: Vec<u8>,
    beeps: Vec<bool>,
    /// The pins on whose sets a beep was received.
    heard: Vec<bool>,
}

acrasin_runtime::pack_fields!(RandomSetsMemory { sets, beeps, heard });

const PINS: u8 = 3;
const SETS: usize = 12;

fn pins() -> impl Iterator<Item = Pin> {
    (1..=6).flat_map(|label| (0..PINS).map(move |index| Pin::head(label, index)))
}

impl RoundTable for RandomSets {
    type Memory = RandomSetsMemory;
    type RoundName = u32;

    fn start(&self, _seat: &Seat) -> (RandomSetsMemory, Option<u32>) {
        (RandomSetsMemory::default(), Some(0))
    }

    fn name(&self, _round: u32) -> &'static str {
        "random sets"
    }

    fn send(
        &self,
        round: u32,
        seat: &Seat,
        memory: &mut RandomSetsMemory,
        _coins: &mut CoinToss<'_>,
        plan: &mut BeepPlan<'_>,
    ) {
        let mut numbers = Numbers::new(u64::from(seat.number) << 16 | u64::from(round));
        if round == 0 || numbers.below(self.rarity as usize) == 0 {
            memory.sets = pins().map(|_| numbers.below(SETS) as u8).collect();
            plan.reset();
            for set in 0..SETS as u8 {
                let members = pins().zip(&memory.sets).filter(|(_, of)| **of == set);
                plan.set(members.map(|(pin, _)| pin));
            }
        }
        memory.beeps = (0..SETS).map(|_| numbers.below(30) == 0).collect();
        for (set, _) in memory.beeps.iter().enumerate().filter(|(_, beeps)| **beeps) {
            if let Some((pin, _)) = pins().zip(&memory.sets).find(|(_, of)| usize::from(**of) == set) {
                plan.beep_pin(pin);
            }
        }
    }

    fn receive(
        &self,
        round: u32,
        _seat: &Seat,
        memory: &mut RandomSetsMemory,
        heard: &CircuitView<'_>,
    ) -> Option<u32> {
        memory.heard = pins().map(|pin| heard.pin(pin)).collect();
        (round + 1 < self.rounds).then_some(round + 1)
    }
}

/// The beeps of a round, delivered once with circuits that are formed from scratch.
fn expected(structure: &CircuitStructure, memories: &[RandomSetsMemory]) -> Vec<Vec<bool>> {
    let given = memories.iter().map(|memory| {
        let members =
            |set: u8| pins().zip(&memory.sets).filter(move |(_, of)| **of == set).map(|(pin, _)| pin);
        let sets: Vec<Vec<Pin>> = (0..SETS as u8).map(|set| members(set).collect()).collect();
        let beeps = (0..SETS).filter(|set| memory.beeps[*set] && !sets[*set].is_empty()).map(SetName::Set);
        GivenConfiguration { beeps: beeps.collect(), sets, ..GivenConfiguration::default() }
    });
    let given: Vec<GivenConfiguration> = given.collect();
    let Communication { heard, .. } = communicate(structure, &given).unwrap();
    let all = heard.iter().zip(memories).map(|(heard, memory)| {
        memory.sets.iter().map(|set| heard.contains(&SetName::Set((*set).into()))).collect()
    });
    all.collect()
}

/// Circuits that are kept, flooded in part, or joined again on several threads deliver the same as circuits formed from
/// scratch.
#[test]
fn kept_circuits_agree_with_new_ones() {
    let block = start::hexagon(Cell::ORIGIN, 75).unwrap();
    let mut numbers = Numbers::new(8);
    let frames: Vec<Orientation> = block.iter().map(|_| any_frame(&mut numbers)).collect();
    let structure = framed(&block, frames, PINS.into());
    for (threads, rarity) in [(1, 2), (1, 400), (3, 2), (3, 400)] {
        on_threads(threads, || {
            let algorithm = RandomSets { rarity, rounds: 5 };
            let mut run = CircuitRun::new(structure.clone(), algorithm, Coins::keyed(1)).unwrap();
            while run.round().unwrap() {
                let heard: Vec<Vec<bool>> =
                    run.memories().iter().map(|memory| memory.heard.clone()).collect();
                let silent = heard.iter().flatten().filter(|heard| !**heard).count();
                assert!((40_000..260_000).contains(&silent), "{silent} silent pins");
                assert!(heard == expected(&structure, run.memories()), "{threads} threads, 1 in {rarity}");
            }
            assert_eq!(run.rounds_done(), 5);
        });
    }
    // The comparison notices wrong links.
    let rules = CircuitRules { same_numbers_are_linked: true, ..CircuitRules::default() };
    let run =
        CircuitRun::new(structure.clone(), RandomSets { rarity: 2, rounds: 1 }, Coins::keyed(1)).unwrap();
    let mut run = run.with_rules(rules, MovementRules::default());
    assert!(run.round().unwrap());
    let heard: Vec<Vec<bool>> = run.memories().iter().map(|memory| memory.heard.clone()).collect();
    assert!(heard != expected(&structure, run.memories()));
}
