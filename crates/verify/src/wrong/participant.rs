//! Wrong versions of Algorithm 2: actions of the members of lock sets.

use acrasin_runtime::exclusion::local::{Action, LockNote, Memory, Message, Phase, Rules};
use acrasin_runtime::{Port, PortSet};

use super::action_run::ActionRun;
use super::entry::entries;
use super::fault::{ParticipantFault, RuleFault};

impl ParticipantFault {
    pub(super) fn execute(self, run: &mut ActionRun<'_>, memory: &mut Memory) {
        match run.action {
            Action::ReceivePrepare => self.receive_prepare(run, memory),
            Action::ReceiveRequest => self.receive_request(run, memory),
            Action::CheckPriorities => self.check_priorities(run, memory),
            Action::ReceiveSetLock => self.receive_set_lock(run, memory),
            Action::ReceiveRelease if self == Self::LockKept => {
                let mut lock = memory.lock;
                run.right(memory);
                lock.take_if(|port| run.input.disconnected.contains(*port));
                memory.lock = lock;
            }
            _ => run.right(memory),
        }
    }

    fn receive_prepare(self, run: &mut ActionRun<'_>, memory: &mut Memory) {
        run.right(memory);
        let Some((port, _)) = run.input.message else { return };
        let held = memory.on_hold().contains(port);
        match self {
            Self::OnHoldAndReady if held => run.effects.sends.push((port, Message::Ready)),
            Self::NeverOnHold if held => {
                memory.on_hold_mut().remove(port);
                memory.applicants_mut().insert(port);
                run.effects.sends.push((port, Message::Ready));
            }
            Self::ReadyNotNoted if !held => {
                memory.applicants_mut().remove(port);
                run.clean_up(memory);
            }
            _ => {}
        }
    }

    fn receive_request(self, run: &mut ActionRun<'_>, memory: &mut Memory) {
        let Some((port, Message::RequestLock(priority))) = run.input.message else {
            return run.right(memory);
        };
        let first = memory.applicants().contains(port);
        match self {
            Self::LateStored => {
                run.right(memory);
                if run.effects.notes.contains(&LockNote::LateRejection) {
                    memory.priorities.insert((port, priority));
                }
            }
            Self::LateForgotten => {
                run.right(memory);
                if run.effects.notes.contains(&LockNote::LateRejection) {
                    memory.candidates_mut().remove(port);
                }
            }
            Self::LateBetweenRoundsOnly | Self::LateWithinRoundsOnly => {
                run.clean_up(memory);
                let stored = !memory.priorities.is_empty();
                let late = match self {
                    Self::LateBetweenRoundsOnly => !stored && !memory.candidates().is_empty(),
                    _ => stored,
                };
                if first && late {
                    memory.applicants_mut().remove(port);
                    memory.candidates_mut().insert(port);
                    run.effects.announce(LockNote::LateRejection);
                    run.effects.sends.push((port, Message::Win(false)));
                    memory.phase = Phase::Compete;
                } else {
                    run.with_rules(memory, Rules { reject_late_requests: false, ..Rules::REPAIRED });
                }
            }
            Self::ApplicantStays => {
                run.right(memory);
                if first {
                    memory.applicants_mut().insert(port);
                }
            }
            _ => run.right(memory),
        }
    }

    fn check_priorities(self, run: &mut ActionRun<'_>, memory: &mut Memory) {
        let report = run.input.disconnected;
        let mut priorities = memory.priorities.clone();
        priorities.retain(|port| !report.contains(port));
        match self {
            Self::LockIgnored => {
                let mut lock = memory.lock.take();
                run.right(memory);
                lock.take_if(|port| report.contains(*port));
                memory.lock = lock;
            }
            Self::TieHasTwoWinners => {
                run.right(memory);
                let highest = priorities.iter().map(|(_, priority)| priority).max();
                let winners = priorities.iter().filter(|&(_, priority)| Some(priority) == highest);
                let winners: PortSet = winners.map(|(port, _)| port).collect();
                if memory.lock.is_none() {
                    for (port, message) in run.sends() {
                        if *message == Message::Win(false) && winners.contains(*port) {
                            *message = Message::Win(true);
                        }
                    }
                }
            }
            Self::NeverWins => {
                run.right(memory);
                for (_, message) in run.sends() {
                    if *message == Message::Win(true) {
                        *message = Message::Win(false);
                    }
                }
            }
            Self::LosersLeave | Self::WinnerLeaves => {
                run.right(memory);
                let result = Message::Win(self == Self::WinnerLeaves);
                let leaving: Vec<Port> =
                    run.sends().iter().filter(|send| send.1 == result).map(|send| send.0).collect();
                for port in leaving {
                    memory.candidates_mut().remove(port);
                }
            }
            Self::PrioritiesKept => {
                run.right(memory);
                memory.priorities = priorities;
            }
            Self::PhaseToPrepare => {
                run.right(memory);
                memory.phase = Phase::Prepare;
            }
            Self::PhaseToCompete => {
                run.right(memory);
                memory.phase = Phase::Compete;
            }
            _ => run.right(memory),
        }
    }

    fn receive_set_lock(self, run: &mut ActionRun<'_>, memory: &mut Memory) {
        let Some((port, _)) = run.input.message else { return run.right(memory) };
        match self {
            Self::SetLockCleansUpFirst => {
                run.clean_up(memory);
                memory.lock = Some(port);
                memory.candidates_mut().remove(port);
                run.effects.sends.push((port, Message::AckLock));
            }
            Self::LockNotSet => {
                run.right(memory);
                memory.lock = None;
            }
            Self::WinnerStays => {
                memory.lock = Some(port);
                run.clean_up(memory);
                run.effects.sends.push((port, Message::AckLock));
            }
            _ => run.right(memory),
        }
    }
}

entries! {
    "on-hold-and-ready", "ReceivePrepare":
        "ReceivePrepare puts the initiator on hold, but answers ready.",
        RuleFault::Participant(ParticipantFault::OnHoldAndReady) => EDGE_BOTH, Promise within 10_000;
    "ready-not-noted", "ReceivePrepare":
        "ReceivePrepare answers ready, but does not record the applicant.",
        RuleFault::Participant(ParticipantFault::ReadyNotNoted) => EDGE, Dead within 20;
    "late-stored-too", "R1":
        "ReceiveRequest answers a late request and also stores it in P.",
        RuleFault::Participant(ParticipantFault::LateStored) => EDGE_BOTH, Promise within 10_000;
    "late-forgotten", "R1":
        "ReceiveRequest answers a late request and forgets the applicant.",
        RuleFault::Participant(ParticipantFault::LateForgotten) => EDGE_BOTH, Promise within 10_000;
    "late-between-rounds-only", "F1, repair (b)":
        "A request is late only if no other has come this round, P = {}; others join the round.",
        RuleFault::Participant(ParticipantFault::LateBetweenRoundsOnly) => PATH_PAIRS, Dead within 90_000;
    "late-within-rounds-only", "F1, repair (b)":
        "A request is late only if another has come this round, P ≠ {}; others wait for the next.",
        RuleFault::Participant(ParticipantFault::LateWithinRoundsOnly) => EDGE_BOTH, Dead within 3_000;
    "applicant-stays", "ReceiveRequest, A":
        "ReceiveRequest leaves a candidate among the applicants: each of its requests counts as a first one.",
        RuleFault::Participant(ParticipantFault::ApplicantStays) => EDGE_BOTH, Unreachable within 2_000;
    "tie-has-two-winners", "CheckPriorities, unique":
        "CheckPriorities answers win(true) to every candidate with the highest priority.",
        RuleFault::Participant(ParticipantFault::TieHasTwoWinners) => EDGE_BOTH, Promise within 3_000;
    "lock-ignored", "CheckPriorities, lock = bot":
        "CheckPriorities answers win(true) although the lock is set.",
        RuleFault::Participant(ParticipantFault::LockIgnored) => EDGE_BOTH, Promise within 5_000;
    "never-wins", "CheckPriorities":
        "CheckPriorities never answers win(true).",
        RuleFault::Participant(ParticipantFault::NeverWins) => EDGE, Unreachable within 50;
    "losers-leave", "CheckPriorities, C":
        "CheckPriorities removes losers from C.",
        RuleFault::Participant(ParticipantFault::LosersLeave) => EDGE_BOTH, Promise within 10_000;
    "winner-leaves", "CheckPriorities, C":
        "CheckPriorities removes the winner from C before its set-lock.",
        RuleFault::Participant(ParticipantFault::WinnerLeaves) => EDGE_BOTH, Promise within 10_000;
    "priorities-kept", "CheckPriorities, P := {}":
        "CheckPriorities does not clear P.",
        RuleFault::Participant(ParticipantFault::PrioritiesKept) => EDGE, Promise within 100;
    "phase-to-prepare", "CheckPriorities; 2.4, phase":
        "CheckPriorities sets the phase to prepare.",
        RuleFault::Participant(ParticipantFault::PhaseToPrepare) => EDGE, Invariant within 100;
    "phase-to-compete", "2.2, point 2":
        "CheckPriorities sets the phase to compete also if CleanUp has removed the last candidate.",
        RuleFault::Participant(ParticipantFault::PhaseToCompete) => EDGE.changing(1, 0), Invariant within 500;
    "set-lock-cleans-up-first", "3.7; 2.4, phase":
        "ReceiveSetLock calls CleanUp before the winner leaves C: nodes on hold do not become applicants.",
        RuleFault::Participant(ParticipantFault::SetLockCleansUpFirst) => EDGE, Invariant within 100;
    "lock-not-set", "ReceiveSetLock":
        "ReceiveSetLock answers ack-lock, but does not set the lock.",
        RuleFault::Participant(ParticipantFault::LockNotSet) => EDGE, Promise within 100;
    "winner-stays", "ReceiveSetLock, C":
        "ReceiveSetLock leaves the winner in C.",
        RuleFault::Participant(ParticipantFault::WinnerStays) => EDGE_AGAIN, Dead within 100;
    "lock-kept", "ReceiveRelease":
        "ReceiveRelease does not clear the lock.",
        RuleFault::Participant(ParticipantFault::LockKept) => EDGE_AGAIN, Unreachable within 100;
    "never-on-hold", "Lockout freedom, Theorem 4.1":
        "ReceivePrepare answers ready even while candidates compete: newcomers can join every trial.",
        RuleFault::Participant(ParticipantFault::NeverOnHold) => PATH_PAIRS, Starvation within 80_000;
}
