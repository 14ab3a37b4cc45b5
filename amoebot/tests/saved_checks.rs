//! Checkpoints of explorations: an exploration that is resumed from any of them has the results of an uninterrupted
//! exploration.

use std::mem::take;
use std::sync::{Mutex, PoisonError};

use acrasin_amoebot::check::concurrent::explore_concurrent_within;
use acrasin_amoebot::check::simultaneous::explore_rounds_within;
use acrasin_amoebot::check::waves::{LockSetExtent, explore_waves};
use acrasin_amoebot::check::{
    CheckKeeper, CheckLimits, ExploreError, Identities, Questions, Unkept, explore_within,
};
use acrasin_amoebot::library::erosion::Memory;
use acrasin_amoebot::run::concurrent::{EveryMessage, NoLocks, TryLocks, contact_graph};
use acrasin_amoebot::run::simultaneous::Concurrency;
use acrasin_amoebot::{Cell, Direction, Erosion, System, start};
use acrasin_runtime::Pack;
use acrasin_runtime::exclusion::tree_token::{SchemeRule, TreeToken};
use acrasin_runtime::exclusion::{InitialKnowledge, RootedTree};

fn line(n: usize) -> System<Memory> {
    Erosion::start(&start::line(Cell::ORIGIN, Direction::East, n).unwrap(), &[]).unwrap()
}

/// Keeps a checkpoint after every block.
#[derive(Default)]
struct EveryBlock {
    resumed: Mutex<Option<Vec<u8>>>,
    kept: Mutex<Vec<Vec<u8>>>,
}

impl CheckKeeper for EveryBlock {
    fn is_keeping(&self) -> bool {
        true
    }

    fn resumed(&self) -> Option<Vec<u8>> {
        self.resumed.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    fn is_due(&self, _: bool) -> bool {
        true
    }

    fn keep(&self, state: Option<Vec<u8>>) {
        let state = state.expect("memories and locks that can be saved");
        self.kept.lock().unwrap_or_else(PoisonError::into_inner).push(state);
    }
}

/// All results as text.
type Explorer = fn(&dyn CheckKeeper) -> Result<String, ExploreError>;

fn questions(keeper: &dyn CheckKeeper) -> Questions<'_, Memory> {
    Questions { keeper, ..Questions::from_goal(&|_| false) }
}

/// The explorations by name. The explorations of synchronous rounds and of concurrent steps without locks find faults.
const EXPLORERS: [(&str, Explorer); 6] = [
    ("one by one", |keeper| {
        let starts = [line(4), line(3)];
        let limits = CheckLimits::default();
        let all = explore_within(&Erosion, starts, &questions(keeper), Identities::Anonymous, limits)?;
        Ok(format!("{all:?}"))
    }),
    ("in rounds", |keeper| {
        let (together, limits) = (Concurrency::Synchronous, CheckLimits::default());
        Ok(format!("{:?}", explore_rounds_within(&Erosion, line(5), together, &questions(keeper), limits)?))
    }),
    ("in waves", |keeper| {
        let (extent, limits) = (LockSetExtent::default(), CheckLimits::default());
        Ok(format!("{:?}", explore_waves(&Erosion, line(3), extent, &questions(keeper), limits)?))
    }),
    ("with locks", |keeper| {
        let locks = |system: &System<_>| TryLocks::new(system.len());
        let limits = CheckLimits::default();
        let all = explore_concurrent_within(&Erosion, [line(3)], locks, &questions(keeper), limits)?;
        Ok(format!("{all:?}"))
    }),
    ("without locks", |keeper| {
        let limits = CheckLimits::default();
        let all = explore_concurrent_within(&Erosion, [line(2)], |_| NoLocks, &questions(keeper), limits)?;
        Ok(format!("{all:?}"))
    }),
    ("with messages", |keeper| {
        let token = |system: &System<_>| {
            let path = InitialKnowledge::from_tree(RootedTree::new(&[None, Some(0)]).unwrap());
            let seats = (contact_graph(system), &path);
            EveryMessage::with_knowledge(TreeToken::new(SchemeRule::Raymond), seats).unwrap()
        };
        let limits = CheckLimits::default();
        let all = explore_concurrent_within(&Erosion, [line(2)], token, &questions(keeper), limits)?;
        Ok(format!("{all:?}"))
    }),
];

/// The checkpoints of an exploration, and its results.
fn kept(name: &str, explore: Explorer) -> (Vec<Vec<u8>>, String) {
    let keeper = EveryBlock::default();
    let whole = explore(&Unkept).unwrap();
    assert!(explore(&keeper).unwrap() == whole, "{name}");
    let kept = take(&mut *keeper.kept.lock().unwrap());
    println!("{name}: {} checkpoints, the last of {} bytes", kept.len(), kept[kept.len() - 1].len());
    assert!(kept.len() >= 3, "{name}: {} checkpoints", kept.len());
    (kept, whole)
}

fn resumed(explore: Explorer, state: &[u8]) -> Result<String, ExploreError> {
    explore(&EveryBlock { resumed: Mutex::new(Some(state.to_vec())), ..EveryBlock::default() })
}

#[test]
fn every_checkpoint_continues_to_the_same_results() {
    for (name, explore) in EXPLORERS {
        let (kept, whole) = kept(name, explore);
        // At most 20 of them, the first and the last among them.
        for at in (0..kept.len()).rev().step_by(kept.len().div_ceil(20)).chain([0]) {
            assert!(resumed(explore, &kept[at]).unwrap() == whole, "{name}: checkpoint {at}");
        }
    }
}

/// A checkpoint without the counters over all states would lead to other results.
#[test]
fn forgotten_counters_are_noticed() {
    let mut noticed = 0;
    for (name, explore) in EXPLORERS {
        let (kept, whole) = kept(name, explore);
        let mut rest = &kept.last().unwrap()[..];
        let counters = Vec::<u64>::unpack(&mut rest).unwrap();
        let mut wrong = Vec::new();
        vec![0u64; counters.len()].pack(&mut wrong);
        wrong.extend_from_slice(rest);
        let is_same = resumed(explore, &wrong).unwrap() == whole;
        println!("{name}: {counters:?} {}", if is_same { "found again" } else { "noticed" });
        noticed += usize::from(!is_same);
    }
    assert!(noticed >= 2, "{noticed} explorations");
}

fn is_refused(resumed: &Result<String, ExploreError>) -> bool {
    matches!(resumed, Err(ExploreError::NotThisExploration))
}

#[test]
fn a_checkpoint_that_is_cut_off_or_of_another_kind_is_refused() {
    for at in [0, 3, 5] {
        let (name, explore) = EXPLORERS[at];
        let (kept, _) = kept(name, explore);
        let state = &kept[kept.len() / 2];
        for length in (0..state.len()).step_by(state.len().div_ceil(300)) {
            let cut = resumed(explore, &state[..length]);
            assert!(is_refused(&cut), "{name}: {length} of {} bytes", state.len());
        }
        let (_, other) = EXPLORERS[(at + 2) % EXPLORERS.len()];
        assert!(is_refused(&resumed(other, state)), "{name}");
    }
}
