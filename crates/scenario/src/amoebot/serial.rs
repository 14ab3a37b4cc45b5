//! Serialisation of runs with locks: replaying their actions one after another must lead to the same end.

use acrasin_amoebot::System;
use acrasin_amoebot::algorithm::{Algorithm, FailedAction};
use acrasin_amoebot::run::concurrent::ActionLog;
use acrasin_amoebot::run::overlap::Overlap;
use acrasin_catalogue::counted;
use acrasin_process::Ending;
use acrasin_report::record::{Figure, Section};
use acrasin_report::value::Value;

/// Tests whether a run is serialisable: holds the start until the log is replayed, then whether the replay has led to
/// the same end.
pub(super) struct Serial<M> {
    start: Option<System<M>>,
    is_same: Option<bool>,
}

impl<M: Clone + Eq> Serial<M> {
    /// Prepares the replay of a run from `start`. Without a start nothing is replayed.
    pub(super) fn from(start: Option<System<M>>) -> Self {
        Self { start, is_same: None }
    }

    /// Replays the log, if there is one and `has_time` returns true.
    pub(super) fn replay<A: Algorithm<Memory = M>>(
        &mut self,
        log: Option<&ActionLog>,
        algorithm: &A,
        end: &System<M>,
        has_time: &dyn Fn() -> bool,
    ) {
        let Some((log, start)) = log.zip(self.start.take()) else { return };
        self.is_same = match log.replay_while(algorithm, start, has_time) {
            Ok(replayed) => replayed.map(|system| &system == end),
            Err(_) => Some(false),
        };
    }

    /// The final ending of a run. The run fails, in this order of tests, if lock sets overlap in a step, an action
    /// failed, the run is not serialisable, or an action aborted despite its locks. Messages call a step `step_name`.
    pub(super) fn judged(
        &self,
        reached: Ending,
        (invalid, failed): (u64, Option<&FailedAction>),
        overlap: Option<Overlap>,
        step_name: &str,
    ) -> Ending {
        if let Some(Overlap { step, id }) = overlap {
            let reason = format!("amoebot {id} was in two lock sets of {step_name} {step}");
            return Ending::Violated(reason);
        }
        if let Some(failed) = failed {
            return Ending::Violated(failed.to_string());
        }
        if self.is_same == Some(false) {
            let reason = "not serialisable: replaying the actions in lock order gives another configuration";
            return Ending::NotSerial(reason.to_owned());
        }
        if invalid > 0 {
            let reason = format!("aborts that locks should have prevented: {}", counted(invalid, "action"));
            return Ending::Violated(reason);
        }
        reached
    }

    pub(super) fn figure(&self) -> Figure {
        let is_same = self.is_same.map_or(Value::Missing, Into::into);
        Figure::new("replayed", "replay in lock order: same result", is_same)
    }
}

/// Counts of the actions of a run with locks.
pub(super) struct ActionCounts {
    pub(super) actions: u64,
    pub(super) moves: u64,
    pub(super) expand_failures: u64,
    pub(super) invalid: u64,
    pub(super) rounds: u64,
}

impl ActionCounts {
    pub(super) fn push_to(self, work: &mut Section) {
        let Self { actions, moves, expand_failures, invalid, rounds } = self;
        work.push(Figure::new("actions", "completed actions", actions));
        work.push(Figure::new("moves", "moves", moves));
        work.push(Figure::new("expand_failures", "failed expansions", expand_failures));
        work.push(Figure::new("invalid", "aborted against the rules", invalid));
        work.push(Figure::new("rounds", "asynchronous rounds", rounds));
    }
}

#[cfg(test)]
mod tests {
    use acrasin_process::Exit;

    use acrasin_amoebot::AmoebotId;

    use super::*;

    #[test]
    fn faults_of_locks_go_before_what_was_reached() {
        let word = |invalid, is_same| {
            let serial = Serial::<()> { start: None, is_same };
            let judged = serial.judged(Ending::Served, (invalid, None), None, "wave");
            (judged.word(), judged.exit())
        };
        assert_eq!(word(0, Some(true)), ("served", Exit::Done));
        assert_eq!(word(0, None), ("served", Exit::Done));
        assert_eq!(word(2, Some(true)), ("violation", Exit::Failed));
        assert_eq!(word(0, Some(false)), ("not serial", Exit::Failed));

        let overlap = Some(Overlap { step: 3, id: AmoebotId(7) });
        let serial = Serial::<()> { start: None, is_same: Some(true) };
        let judged = serial.judged(Ending::Served, (0, None), overlap, "wave");
        assert_eq!(judged.to_string(), "amoebot 7 was in two lock sets of wave 3");
        assert_eq!((judged.word(), judged.exit()), ("violation", Exit::Failed));
    }
}
