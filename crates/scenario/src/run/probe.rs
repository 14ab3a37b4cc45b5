//! Access to the process of a plan before it is driven, and the test of its checkpoints.

use std::cell::RefCell;

use acrasin_process::{Advance, Metric, Process, Progress, RestoreError, RunBound};
use acrasin_runtime::Seeded;
use acrasin_runtime::pack::Saved as _;

use super::Finished;
use super::saved::seal;

type Probe = Box<dyn FnMut(&mut dyn Process)>;

thread_local! {
    static PROBE: RefCell<Option<Probe>> = const { RefCell::new(None) };
}

/// Passes the process of a run to the probe that a test has set. Called by every run before it is driven.
pub(crate) fn visit(process: &mut dyn Process) {
    if let Some(mut probe) = PROBE.take() {
        probe(process);
    }
}

/// Calls `probe` with the process of `run` at its start, and returns the results of both.
fn probed<R: 'static>(
    run: &dyn Fn() -> Finished,
    probe: impl FnOnce(&mut dyn Process) -> R + 'static,
) -> (R, Finished) {
    let result = std::rc::Rc::new(RefCell::new(None));
    let (into, mut probe) = (result.clone(), Some(probe));
    PROBE.set(Some(Box::new(move |process| *into.borrow_mut() = probe.take().map(|probe| probe(process)))));
    let finished = run();
    let result = result.borrow_mut().take().expect("the run visits the probe");
    (result, finished)
}

/// The values of a process that the test compares at a given time: progress, counts, digest, metrics, ending.
type Seen = (Progress, Vec<u64>, u128, Vec<Metric>, String);

fn seen(process: &dyn Process) -> Seen {
    let ending = format!("{:?}", process.ending());
    (process.progress(), process.counts().into_owned(), process.digest(), process.metrics(), ending)
}

/// Advances to `count` units of the process, in calls of at most `most`. Returns whether the process reached `count`.
fn advance_to(process: &mut dyn Process, count: u64, most: u64) -> bool {
    let unit = process.unit();
    loop {
        let at = process.progress().count(unit);
        if at >= count {
            return true;
        }
        let bound = RunBound::NONE.with_at_most(unit, count.min(at.saturating_add(most)));
        if process.advance(&bound, None) != Advance::Advanced || process.ending().is_some() {
            return false;
        }
    }
}

/// Saves a run at each of the `moments`, in units of the process, and continues it from there in a fresh process. Each
/// continued run must agree with the undisturbed run at all later moments, and in its record. Damaged checkpoints must
/// be refused. Returns the longest checkpoint.
#[track_caller]
pub(crate) fn check_checkpoints(name: &str, run: &dyn Fn() -> Finished, moments: &'static [u64]) -> Vec<u8> {
    let (saved, whole) = probed(run, move |process| {
        let mut saved = Vec::new();
        for &moment in moments {
            if !advance_to(process, moment, u64::MAX) {
                break;
            }
            let bytes = process.save().unwrap_or_else(|| panic!("not saved at moment {moment}"));
            saved.push((bytes, seen(process)));
        }
        saved
    });
    assert!(saved.len() > 1, "{name}: over before moment {}", moments[1]);
    for (place, (bytes, _)) in saved.iter().enumerate() {
        let (saved, last) = (saved.clone(), saved.len() - 1);
        let ((), finished) = probed(run, move |process| {
            // Before it is restored, the process advances, less or more than the saved one.
            advance_to(process, moments[last - place] / 2, 3);
            process.restore(&saved[place].0).unwrap_or_else(|error| panic!("{place}: {error}"));
            for (&moment, (bytes, expected)) in moments.iter().zip(&saved).skip(place) {
                assert!(advance_to(process, moment, 1 + moment / 7), "{moment}");
                assert_eq!(seen(process), *expected, "from {} at {moment}", moments[place]);
                assert!(process.save().as_ref() == Some(bytes), "saved again at {moment}");
            }
        });
        let difference = record_difference(&whole, &finished);
        assert_eq!(difference, None, "{name}: record, continued from {}", moments[place]);
        assert!(!bytes.is_empty());
    }
    check_damage(run, saved[0].0.clone());
    saved.into_iter().map(|(bytes, _)| bytes).max_by_key(Vec::len).expect("some are saved")
}

/// Whether the comparison of runs detects a checkpoint whose random streams were replaced by those of the start.
pub(crate) fn notices_missing_draws(
    run: &dyn Fn() -> Finished,
    (seed, kind): (u64, &'static str),
    [moment, later]: [u64; 2],
) -> bool {
    let ((start, saved, expected), _) = probed(run, move |process| {
        let start = process.save().expect("it can be saved");
        assert!(advance_to(process, moment, u64::MAX));
        let saved = process.save().expect("it can be saved");
        assert!(advance_to(process, later, u64::MAX));
        (start, saved, seen(process))
    });
    let draws = |bytes: &[u8]| {
        let mut rest = bytes;
        Seeded::new(seed).load(&mut rest).expect("the draws come first");
        bytes.len() - rest.len()
    };
    let mut wrong = start[..draws(&start)].to_vec();
    wrong.extend(&saved[draws(&saved)..saved.len() - size_of::<u128>()]);
    seal(kind, &mut wrong);
    let (is_same, _) = probed(run, move |process| {
        process.restore(&wrong).expect("the bytes have the right form");
        advance_to(process, later, u64::MAX) && seen(process) == expected
    });
    !is_same
}

/// The first sections in which two records differ.
fn record_difference(one: &Finished, other: &Finished) -> Option<String> {
    if (&one.record, &one.series, &one.inside) == (&other.record, &other.series, &other.inside) {
        return None;
    }
    let mut sections = one.record.body().iter().zip(other.record.body());
    // The queues of other algorithms than local mutual exclusion have more room after a longer run.
    let has_queues = one.record.body().iter().any(|section| section.key() == "entries");
    let found = sections.find(|(one, other)| one != other && !(has_queues && one.key() == "memory"));
    if found.is_none() && one.record.outcome() == other.record.outcome() && one.inside == other.inside {
        return None;
    }
    Some(format!("{:?}, {:?}: {found:?}", one.record.outcome(), other.record.outcome()))
}

/// Checks that truncated and changed bytes are refused, and leave the process unchanged.
fn check_damage(run: &dyn Fn() -> Finished, bytes: Vec<u8>) {
    probed(run, move |process| {
        let (before, state) = (seen(process), process.save());
        let mut draws = 7_u64;
        let step = (bytes.len() / 100).max(1);
        let cut = (0..bytes.len()).step_by(step).map(|length| bytes[..length].to_vec());
        let flipped = (0..500).map(|_| {
            let mut bytes = bytes.clone();
            draws = draws.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let bit = draws >> 20;
            let place = (bit / 8) as usize % bytes.len();
            bytes[place] ^= 1 << (bit % 8);
            bytes
        });
        for damaged in cut.chain(flipped) {
            let error = process.restore(&damaged).unwrap_err();
            assert!(matches!(error, RestoreError::Refused(_)), "{error:?}");
        }
        assert_eq!((seen(process), process.save()), (before, state));
    });
}
