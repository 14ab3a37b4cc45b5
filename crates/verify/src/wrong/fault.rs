//! What can be wrong: one deviation from the repaired rules.

use acrasin_runtime::exclusion::local::{Action, Rules};

/// One deviation from the repaired rules.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fault {
    /// Some of the repairs are missing.
    Rules(Rules),
    /// One action does not send the messages of one kind that it should: to no node, or not to the node itself.
    Unsent {
        /// The action.
        by: Action,
        /// The kind of message, as in [`Message::kind`](acrasin_runtime::exclusion::local::Message::kind).
        kind: &'static str,
        /// Whether the neighbours get theirs.
        self_only: bool,
    },
    /// Another guard.
    Guard(GuardFault),
    /// CleanUp.
    CleanUp(CleanUpFault),
    /// Another body on the initiator's side.
    Initiator(InitiatorFault),
    /// Another body on the participant's side.
    Participant(ParticipantFault),
}

/// Another guard for one action. All others are the shipped ones.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GuardFault {
    /// CheckStart: `R ≠ {}` instead of `R = L`.
    StartAtFirstReady,
    /// CheckStart: `R ≠ L` instead of `R = L`.
    StartInverted,
    /// CheckWin: `W ≠ {}` instead of `|W| = |L|`.
    WinAtFirstResult,
    /// CheckWin: `W` without defeats is enough.
    WinWithoutDefeat,
    /// CheckDone: `R ≠ {}` instead of `R = L`.
    DoneAtFirstAnswer,
    /// CheckUnlocked: `R ≠ {}` instead of `R = L`.
    UnlockedAtFirstAnswer,
    /// CheckPriorities: `P ≠ {}` instead of `|C| = |P|`.
    PrioritiesAtFirstRequest,
    /// CheckPriorities: also `A = {}`.
    PrioritiesWaitForApplicants,
    /// CleanUp is never enabled.
    NoCleanUp,
}

/// A variable of Table 1 that names ports.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Variable {
    /// `lock`.
    Lock,
    /// `L`.
    LockSet,
    /// `R`.
    Replied,
    /// `W`.
    Results,
    /// `H`.
    OnHold,
    /// `A`.
    Applicants,
    /// `C`.
    Candidates,
    /// `P`.
    Priorities,
}

/// What goes wrong in CleanUp.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CleanUpFault {
    /// One action reads the detector and throws the report away.
    Swallowed(Action),
    /// One action cleans up after its body instead of before.
    Last(Action),
    /// One variable keeps the port of an edge that has ended.
    Keeps(Variable),
    /// The bodies that handle the node's own messages inside an action process the report again (F6).
    Twice,
    /// Those on hold are never let in.
    NobodyPromoted,
    /// Those on hold are let in only when there are no applicants either.
    PromotedAfterApplicants,
    /// Those on hold are let in and not told.
    PromotedNotTold,
    /// Those on hold are let in, and the neighbours among them stay on hold.
    PromotedStayOnHold,
}

/// What the initiator does wrong.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum InitiatorFault {
    /// InitLock accepts a second Lock while the first is under way.
    LockWhileWaiting,
    /// InitUnlock accepts an Unlock before Lock has succeeded.
    UnlockWhileWaiting,
    /// InitLock asks the neighbours for their locks, and not the node itself.
    LocksOthersOnly,
    /// CheckStart and CheckWin draw the same priority every time.
    ConstantPriority,
    /// CheckWin wins with one victory, whatever the defeats.
    OneVictoryWins,
    /// CheckWin wins in spite of a defeat at the node itself.
    OwnDefeatIgnored,
    /// CheckWin starts the next trial with the results of the last one.
    ResultsKept,
    /// CheckWin repeats the request only where it was refused.
    RepeatsWhereRefused,
    /// CheckWin gives up its lock set after a defeat and starts anew with the prepare messages.
    DefeatStartsAnew,
    /// CheckStart and CheckWin keep R: the answers to prepare count as answers to set-lock.
    AnswersKeptToWin,
    /// CheckDone and InitUnlock keep R: the answers to set-lock count as answers to release-lock.
    AnswersKeptToUnlock,
    /// CheckDone returns L as it was before CleanUp.
    ReturnsBeforeCleanUp,
}

/// What the participant does wrong.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ParticipantFault {
    /// ReceivePrepare puts the initiator on hold and says ready all the same.
    OnHoldAndReady,
    /// ReceivePrepare says ready to an initiator on hold and makes it an applicant although candidates compete.
    NobodyOnHold,
    /// ReceivePrepare says ready and does not note the applicant.
    ReadyNotNoted,
    /// ReceiveRequest stores a late request that it has answered.
    LateStored,
    /// ReceiveRequest answers a late request and forgets the applicant.
    LateForgotten,
    /// ReceiveRequest: a request is late if no other has come this round (`P = {}` and `C ≠ {}`), not if `|C| ≠ |P|`.
    LateBetweenRoundsOnly,
    /// ReceiveRequest: a request is late if another has come this round (`P ≠ {}`), not if `|C| ≠ |P|`.
    LateWithinRoundsOnly,
    /// ReceiveRequest leaves a candidate among the applicants.
    ApplicantStays,
    /// CheckPriorities: everybody with the highest priority wins, also in a tie.
    TieHasTwoWinners,
    /// CheckPriorities says win(true) although the lock is set.
    LockIgnored,
    /// CheckPriorities never says win(true).
    NobodyWins,
    /// CheckPriorities removes losers from C.
    LosersLeave,
    /// CheckPriorities removes the winner from C before its set-lock.
    WinnerLeaves,
    /// CheckPriorities keeps P.
    PrioritiesKept,
    /// CheckPriorities sets the phase to prepare.
    PhaseToPrepare,
    /// CheckPriorities sets the phase to compete also if CleanUp has removed the last candidate.
    PhaseToCompete,
    /// ReceiveSetLock calls CleanUp before the winner leaves C.
    SetLockCleansUpFirst,
    /// ReceiveSetLock says ack-lock and does not set the lock.
    LockNotSet,
    /// ReceiveSetLock leaves the winner in C.
    WinnerStays,
    /// ReceiveRelease leaves the lock set.
    LockKept,
}
