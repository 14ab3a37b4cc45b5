//! [`Ending`]: the ending of a run.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::progress::{Measure, StopBound};

/// The ending of a run. The outcome word, the sentence and the exit code are derived from this value.
///
/// ```
/// use acrasin_process::{Awaited, StopBound, Ending, Exit, Goal, Measure};
///
/// let ending = Ending::Reached(Goal::Silent);
/// assert_eq!((ending.word(), ending.exit()), ("silent", Exit::Done));
/// let ending = Ending::Limit { of: StopBound::Count(Measure::Rounds, 7), before: Awaited::StopCondition };
/// assert_eq!(ending.to_string(), "the limit of rounds is reached before a stop condition holds");
/// assert_eq!(ending.exit().code(), 3);
/// ```
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Ending {
    /// A stop condition holds.
    Reached(Goal),
    /// All requested Locks are completed and released.
    Served,
    /// A limit of the scenario is reached.
    Limit {
        /// The limit that was reached.
        of: StopBound,
        /// The event that the run was waiting for.
        before: Awaited,
    },
    /// The log of actions is full.
    LogFull,
    /// The trace of contacts is over, and no stop condition holds.
    TraceOver,
    /// Nothing can change any more.
    Quiescent(Quiescence),
    /// Nodes wait, and no action is enabled.
    Deadlock,
    /// Nodes wait, no action is enabled, and the other nodes have had all their Locks.
    LeftWaiting,
    /// An invariant of the algorithm is violated; the sentence says which one and where.
    Violated(String),
    /// The run is not serialisable: replaying the actions in lock order gives another configuration. The sentence says
    /// which.
    NotSerial(String),
    /// The algorithm of this title has terminated without reaching its goal.
    WrongEnd(String),
    /// The next reaction would make the count of a species overflow.
    Crowded,
    /// A rate or an event has no valid value; the sentence says which.
    Invalid(String),
    /// A property does not hold in the last configuration.
    Failed {
        /// The name of the property.
        property: String,
        /// A description of the violation.
        what: String,
    },
    /// The user stopped the run.
    Interrupted,
    /// The time limit was reached first; the run was still waiting for this event.
    OutOfTime(Awaited),
    /// A replay ended with this finding; the sentence says what was compared.
    Replayed(ReplayFinding, String),
}

/// The finding of a replay that ran to its end.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ReplayFinding {
    /// The replay ended in the recorded configuration.
    Reproduced,
    /// The replay ended in another configuration, or met a step that is not possible.
    NotReproduced,
    /// The recording shows a lockout: a fair round of steps that can repeat forever while a node waits.
    LockedOut,
}

/// A stop condition that holds.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Goal {
    /// All nodes have the same output.
    Agreed {
        /// Whether the nodes had the same output before the first step.
        at_start: bool,
    },
    /// All nodes have the same output, and no interaction can change it.
    Stable,
    /// No interaction changes a state.
    Silent,
    /// No reaction can happen.
    NoReaction,
    /// A predicate on counts holds: this text, as written in the scenario.
    Counts(String),
    /// A condition of a user's crate holds. The text is the condition as written in the scenario.
    Own(String),
    /// A bound is reached. The value is that of the run, which may be above the bound.
    Bound(StopBound),
    /// The trace of contacts is over.
    TraceEnd,
    /// The protocol has reached its purpose, and no later interaction can undo this.
    Settled,
    /// The algorithm of this title has terminated with its goal reached.
    Terminated(String),
}

/// The reason for which nothing can change any more, although no stop condition holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Quiescence {
    /// No node wants to act, and no stop condition was written.
    Idle,
    /// No node wants to act.
    NoNodeActs,
    /// No interaction changes a state.
    NoInteraction,
    /// No reaction can happen.
    NoReaction,
    /// No edge joins two of the remaining agents.
    NoEdge,
}

/// The event that a run was waiting for when its time ran out.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Awaited {
    /// A stop condition that did not hold yet.
    StopCondition,
    /// The end of an algorithm or of a recording.
    End,
    /// The mean field, which is computed after the run.
    MeanField,
}

impl Awaited {
    /// The clause that follows "before".
    fn clause(self) -> &'static str {
        match self {
            Self::StopCondition => "a stop condition held",
            Self::End => "the end",
            Self::MeanField => "the mean field was computed",
        }
    }
}

/// The meaning of an ending for the caller of the command.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Exit {
    /// A stop condition of the scenario holds.
    Done,
    /// The run failed, or a property is violated.
    Failed,
    /// A budget of time, rounds, steps or interactions ran out before a stop condition held.
    BudgetExhausted,
    /// The user stopped the run.
    Interrupted,
}

impl Exit {
    /// The exit code of the command: 0, 1, 3 or 130.
    #[must_use]
    pub fn code(self) -> u8 {
        match self {
            Self::Done => 0,
            Self::Failed => 1,
            Self::BudgetExhausted => 3,
            Self::Interrupted => 130,
        }
    }

    /// The meaning of the exit code in a few words.
    #[must_use]
    pub fn meaning(self) -> &'static str {
        match self {
            Self::Done => "done",
            Self::Failed => "failed or property violated",
            Self::BudgetExhausted => "budget ran out first",
            Self::Interrupted => "interrupted",
        }
    }
}

impl Ending {
    /// The outcome words of endings that are [cut short](Self::is_cut_short) by the user or the time limit.
    pub const CUT_SHORT_WORDS: [&'static str; 2] = ["interrupted", "time"];

    /// One or two words that programs may compare: `silent`, `agreed`, `deadlock`.
    #[must_use]
    pub fn word(&self) -> &'static str {
        match self {
            Self::Reached(goal) => goal.word(),
            Self::Served => "served",
            Self::Limit { .. } | Self::LogFull => "limit",
            Self::TraceOver => "trace end",
            Self::Quiescent(_) => "quiet",
            Self::Deadlock => "deadlock",
            Self::LeftWaiting => "left waiting",
            Self::Violated(_) => "violation",
            Self::NotSerial(_) => "not serial",
            Self::WrongEnd(_) => "wrong end",
            Self::Crowded => "crowded",
            Self::Invalid(_) => "invalid",
            Self::Failed { .. } => "broken property",
            Self::Interrupted => Self::CUT_SHORT_WORDS[0],
            Self::OutOfTime(_) => Self::CUT_SHORT_WORDS[1],
            Self::Replayed(finding, _) => match finding {
                ReplayFinding::Reproduced => "reproduced",
                ReplayFinding::NotReproduced => "not reproduced",
                ReplayFinding::LockedOut => "locked out",
            },
        }
    }

    /// Whether the user or the time limit stopped the run early.
    #[must_use]
    pub fn is_cut_short(&self) -> bool {
        matches!(self, Self::Interrupted | Self::OutOfTime(_))
    }

    /// Whether the run ended with waiting nodes and no enabled action.
    #[must_use]
    pub fn is_at_rest(&self) -> bool {
        matches!(self, Self::Deadlock | Self::LeftWaiting)
    }

    /// The exit status of the command for this ending.
    #[must_use]
    pub fn exit(&self) -> Exit {
        match self {
            Self::Reached(_)
            | Self::Served
            | Self::Quiescent(Quiescence::Idle)
            | Self::Replayed(ReplayFinding::Reproduced, _) => Exit::Done,
            Self::Limit { .. } | Self::LogFull | Self::TraceOver | Self::OutOfTime(_) => {
                Exit::BudgetExhausted
            }
            Self::Quiescent(_)
            | Self::Deadlock
            | Self::LeftWaiting
            | Self::Violated(_)
            | Self::NotSerial(_)
            | Self::WrongEnd(_)
            | Self::Crowded
            | Self::Invalid(_)
            | Self::Failed { .. }
            | Self::Replayed(..) => Exit::Failed,
            Self::Interrupted => Exit::Interrupted,
        }
    }
}

impl Goal {
    fn word(&self) -> &'static str {
        match self {
            Self::Agreed { .. } => "agreed",
            Self::Stable => "stable",
            Self::Silent | Self::NoReaction => "silent",
            Self::Counts(_) => "counts",
            Self::Own(_) => "condition",
            Self::Bound(StopBound::Time(_)) => "elapsed",
            Self::Bound(StopBound::Count(measure, _)) => match measure {
                Measure::Rounds => "rounds",
                Measure::Steps => "steps",
                Measure::Reactions => "reactions",
                Measure::Interactions => "interactions",
                Measure::Locks => "locks",
            },
            Self::TraceEnd => "trace end",
            Self::Settled => "settled",
            Self::Terminated(_) => "terminated",
        }
    }
}

/// Writes the sentence for people.
impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Reached(goal) => goal.fmt(f),
            Self::Served => f.write_str("all Locks are completed and released"),
            Self::Limit { of, before: Awaited::End } => {
                write!(f, "the limit on {} was reached before the end", of.noun())
            }
            Self::Limit { of, .. } => {
                write!(f, "the limit of {} is reached before a stop condition holds", of.noun())
            }
            Self::LogFull => f.write_str("the log of all actions is full"),
            Self::TraceOver => f.write_str("the trace is over, and no stop condition holds"),
            Self::Quiescent(Quiescence::Idle) => f.write_str("no node wants to do anything"),
            Self::Quiescent(Quiescence::NoNodeActs) => f.write_str(
                "no node wants to do anything, and no stop condition holds: no node has a neighbour, or no node locks",
            ),
            Self::Quiescent(Quiescence::NoInteraction) => {
                f.write_str("no interaction changes anything any more, and no stop condition holds")
            }
            Self::Quiescent(Quiescence::NoReaction) => {
                f.write_str("no reaction can happen any more, and no stop condition holds")
            }
            Self::Quiescent(Quiescence::NoEdge) => f.write_str("no two remaining agents share an edge"),
            Self::Deadlock => f.write_str("deadlock: no action is enabled"),
            Self::LeftWaiting => f.write_str(
                "left waiting: no action is enabled, and the nodes that do not wait have completed all \
                 their Locks; lower and upper \
                 bounds hold only among nodes that never stop locking (accepted: each: Forever and a stop condition)",
            ),
            Self::Violated(sentence)
            | Self::NotSerial(sentence)
            | Self::Invalid(sentence)
            | Self::Replayed(_, sentence) => f.write_str(sentence),
            Self::Failed { property, what } => write!(f, "{property}: {what}"),
            Self::WrongEnd(title) => write!(f, "{title} has terminated, but its goal is not reached"),
            Self::Crowded => {
                f.write_str("the next reaction would make more than 2^53 molecules of a species")
            }
            Self::Interrupted => f.write_str("the run was interrupted"),
            Self::OutOfTime(before) => write!(f, "the time ran out before {}", before.clause()),
        }
    }
}

impl fmt::Display for Goal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Agreed { at_start: false } => f.write_str("all nodes have the same output"),
            Self::Agreed { at_start: true } => f.write_str(
                "all nodes already have the same output at the start; OutputsStable may be meant, which waits until no interaction can change it any more",
            ),
            Self::Stable => {
                f.write_str("all nodes have the same output, and no interaction can change it any more")
            }
            Self::Silent => f.write_str("no interaction changes anything any more"),
            Self::NoReaction => f.write_str("no reaction can happen any more"),
            Self::Counts(predicate) => write!(f, "{predicate} holds"),
            Self::Own(condition) => write!(f, "the condition {condition} holds"),
            Self::Bound(StopBound::Time(time)) => write!(f, "a time of {time} has passed"),
            Self::Bound(StopBound::Count(measure, count)) => match measure {
                Measure::Rounds => write!(f, "{count} rounds are over"),
                Measure::Steps => f.write_str("all steps are done"),
                Measure::Reactions | Measure::Interactions => {
                    write!(f, "{count} {} have happened", measure.noun())
                }
                Measure::Locks => write!(f, "{count} Locks are completed"),
            },
            Self::TraceEnd => f.write_str("the trace is over"),
            Self::Settled => f.write_str("the goal of the protocol is reached and stays reached"),
            Self::Terminated(title) => write!(f, "{title} has terminated, and its goal is reached"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all() -> Vec<Ending> {
        let reached = [
            Goal::Agreed { at_start: false },
            Goal::Agreed { at_start: true },
            Goal::Stable,
            Goal::Silent,
            Goal::NoReaction,
            Goal::Counts("A == 0".to_owned()),
            Goal::Own("Share(percent: 50)".to_owned()),
            Goal::Bound(StopBound::Count(Measure::Rounds, 3)),
            Goal::Bound(StopBound::Count(Measure::Locks, 3)),
            Goal::Bound(StopBound::Time(2.5)),
            Goal::Bound(StopBound::Count(Measure::Steps, 3)),
            Goal::TraceEnd,
            Goal::Settled,
            Goal::Terminated("Erosion".to_owned()),
        ];
        let quiescent = [
            Quiescence::Idle,
            Quiescence::NoNodeActs,
            Quiescence::NoInteraction,
            Quiescence::NoReaction,
            Quiescence::NoEdge,
        ];
        let limit = |before| Ending::Limit { of: StopBound::Count(Measure::Steps, 7), before };
        let others = [
            Ending::Served,
            limit(Awaited::StopCondition),
            limit(Awaited::End),
            Ending::LogFull,
            Ending::TraceOver,
            Ending::Deadlock,
            Ending::LeftWaiting,
            Ending::Violated("two lock sets overlap".to_owned()),
            Ending::NotSerial("another order".to_owned()),
            Ending::WrongEnd("Erosion".to_owned()),
            Ending::Crowded,
            Ending::Invalid("the rate 1/0".to_owned()),
            Ending::Failed { property: "lockout freedom".to_owned(), what: "node 3 waits".to_owned() },
            Ending::Interrupted,
            Ending::OutOfTime(Awaited::StopCondition),
            Ending::OutOfTime(Awaited::End),
            Ending::OutOfTime(Awaited::MeanField),
            Ending::Replayed(ReplayFinding::Reproduced, "the same".to_owned()),
            Ending::Replayed(ReplayFinding::LockedOut, "node 3 waits".to_owned()),
        ];
        let reached = reached.into_iter().map(Ending::Reached);
        reached.chain(quiescent.into_iter().map(Ending::Quiescent)).chain(others).collect()
    }

    #[test]
    fn an_ending_is_read_back_as_it_was_written() {
        for ending in all() {
            let text = serde_json::to_string(&ending).unwrap();
            assert_eq!(serde_json::from_str::<Ending>(&text).unwrap(), ending, "{text}");
        }
    }

    #[test]
    fn each_ending_has_a_sentence_of_its_own() {
        let mut sentences: Vec<String> = all().iter().map(ToString::to_string).collect();
        let count = sentences.len();
        sentences.sort();
        sentences.dedup();
        assert_eq!(sentences.len(), count);
    }

    #[test]
    fn an_algorithm_that_terminates_without_its_goal_has_failed() {
        let exit = |ending: Ending| ending.exit();
        assert_eq!(exit(Ending::Reached(Goal::Terminated("Erosion".to_owned()))), Exit::Done);
        assert_eq!(exit(Ending::WrongEnd("Erosion".to_owned())), Exit::Failed);
        assert_eq!(exit(Ending::LogFull), Exit::BudgetExhausted);
        assert_eq!(exit(Ending::Violated("an action cannot be done".to_owned())), Exit::Failed);
    }

    #[test]
    fn exit_codes_are_those_of_the_command() {
        let exits = [Exit::Done, Exit::Failed, Exit::BudgetExhausted, Exit::Interrupted];
        assert_eq!(exits.map(Exit::code), [0, 1, 3, 130]);
        let of = |wanted| all().iter().filter(|ending| ending.exit() == wanted).count();
        assert_eq!(exits.map(of), [17, 13, 7, 1]);
    }
}
