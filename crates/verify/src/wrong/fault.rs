//! [`RuleFault`]: single deviations from the repaired rules.

use acrasin_runtime::exclusion::local::{Action, Rules};

/// One deviation from the repaired rules.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RuleFault {
    /// Some of the repairs are missing.
    Rules(Rules),
    /// One action does not send its messages of one kind: none of them, or only the one to the node itself is missing.
    Unsent {
        /// The action that should send the messages.
        by: Action,
        /// The kind of message, as in [`Message::kind`](acrasin_runtime::exclusion::local::Message::kind).
        kind: &'static str,
        /// Whether only the message to the node itself is missing.
        self_only: bool,
    },
    /// One guard is wrong.
    Guard(GuardFault),
    /// CleanUp is wrong.
    CleanUp(CleanUpFault),
    /// One action of the initiator is wrong.
    Initiator(InitiatorFault),
    /// One action of the participant is wrong.
    Participant(ParticipantFault),
}

/// The faults of guards. Each replaces the guard of one action.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GuardFault {
    /// CheckStart: `R ≠ {}` instead of `R = L`.
    StartAtFirstReady,
    /// CheckStart: `R ≠ L` instead of `R = L`.
    StartInverted,
    /// CheckWin: `W ≠ {}` instead of `|W| = |L|`.
    WinAtFirstResult,
    /// CheckWin: also enabled as soon as `W` is not empty and contains no defeat.
    WinWithoutDefeat,
    /// CheckDone: `R ≠ {}` instead of `R = L`.
    DoneAtFirstAnswer,
    /// CheckUnlocked: `R ≠ {}` instead of `R = L`.
    UnlockedAtFirstAnswer,
    /// CheckPriorities: `P ≠ {}` instead of `|C| = |P|`.
    PrioritiesAtFirstRequest,
    /// CheckPriorities: additionally requires `A = {}`.
    PrioritiesWaitForApplicants,
    /// CleanUp is never enabled.
    NoCleanUp,
}

/// A variable of Table 1 that contains ports.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Variable {
    /// The variable `lock`.
    Lock,
    /// The set `L`, the participants of the node's Lock.
    LockSet,
    /// The set `R`, the participants that have answered.
    Replied,
    /// The pairs `W`, the results of the trial.
    Results,
    /// The set `H`, the initiators on hold.
    OnHold,
    /// The set `A`, the applicants.
    Applicants,
    /// The set `C`, the candidates.
    Candidates,
    /// The pairs `P`, the priorities of the candidates.
    Priorities,
}

/// The faults of CleanUp (Algorithm 3).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CleanUpFault {
    /// One action reads the detector and drops the report.
    Swallowed(Action),
    /// One action cleans up after its body instead of before.
    Last(Action),
    /// One variable keeps the port of an edge that has vanished.
    Keeps(Variable),
    /// The bodies that handle the node's own messages inside an action process the report again (F6).
    Twice,
    /// CleanUp never makes nodes on hold applicants.
    NeverPromoted,
    /// CleanUp makes nodes on hold applicants only if there are no other applicants.
    PromotedAfterApplicants,
    /// CleanUp makes nodes on hold applicants, but does not answer ready.
    PromotedNotTold,
    /// CleanUp makes nodes on hold applicants, but the neighbours among them also stay on hold. The node itself does
    /// not.
    PromotedStayOnHold,
}

/// The faults of the initiator's actions (Algorithm 1).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum InitiatorFault {
    /// InitLock accepts a second Lock while the first is outstanding.
    LockWhileWaiting,
    /// InitUnlock accepts an Unlock before Lock has succeeded.
    UnlockWhileWaiting,
    /// InitLock asks only the neighbours for their locks, not the node itself.
    LocksOthersOnly,
    /// CheckStart and CheckWin draw the same priority every time.
    ConstantPriority,
    /// CheckWin wins with one victory, regardless of defeats.
    OneVictoryWins,
    /// CheckWin wins despite a defeat at the node itself.
    OwnDefeatIgnored,
    /// CheckWin starts the next trial with the results of the last one.
    ResultsKept,
    /// CheckWin repeats the request only to the participants that refused it.
    RepeatsWhereRefused,
    /// After a defeat, CheckWin gives up the lock set and sends prepare again, instead of starting the next trial.
    DefeatRestarts,
    /// CheckStart and CheckWin do not clear R: the answers to prepare count as answers to set-lock.
    AnswersKeptToWin,
    /// CheckDone and InitUnlock do not clear R: the answers to set-lock count as answers to release-lock.
    AnswersKeptToUnlock,
    /// CheckDone returns L as it was before CleanUp.
    ReturnsBeforeCleanUp,
}

/// The faults of the participant's actions (Algorithm 2).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ParticipantFault {
    /// ReceivePrepare puts the initiator on hold, but answers ready.
    OnHoldAndReady,
    /// ReceivePrepare answers ready instead of putting the initiator on hold, and makes it an applicant although
    /// candidates compete.
    NeverOnHold,
    /// ReceivePrepare answers ready, but does not record the applicant.
    ReadyNotNoted,
    /// ReceiveRequest rejects a late request, but also stores its priority.
    LateStored,
    /// ReceiveRequest answers a late request and forgets the applicant.
    LateForgotten,
    /// ReceiveRequest: a request is late if no other has arrived in this round (`P = {}` and `C ≠ {}`), instead of if
    /// `|C| ≠ |P|`.
    LateBetweenRoundsOnly,
    /// ReceiveRequest: a request is late if another has arrived in this round (`P ≠ {}`), instead of if `|C| ≠ |P|`.
    LateWithinRoundsOnly,
    /// ReceiveRequest leaves a candidate among the applicants.
    ApplicantStays,
    /// CheckPriorities: every candidate with the highest priority wins, even in a tie.
    TieHasTwoWinners,
    /// CheckPriorities answers win(true) although the lock is set.
    LockIgnored,
    /// CheckPriorities never answers win(true).
    NeverWins,
    /// CheckPriorities removes losers from C.
    LosersLeave,
    /// CheckPriorities removes the winner from C before its set-lock.
    WinnerLeaves,
    /// CheckPriorities does not clear P.
    PrioritiesKept,
    /// CheckPriorities sets the phase to prepare.
    PhaseToPrepare,
    /// CheckPriorities sets the phase to compete also if CleanUp has removed the last candidate.
    PhaseToCompete,
    /// ReceiveSetLock calls CleanUp before the winner leaves C.
    SetLockCleansUpFirst,
    /// ReceiveSetLock answers ack-lock, but does not set the lock.
    LockNotSet,
    /// ReceiveSetLock leaves the winner in C.
    WinnerStays,
    /// ReceiveRelease does not clear the variable `lock`.
    LockKept,
}
