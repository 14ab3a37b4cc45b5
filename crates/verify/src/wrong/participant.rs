//! Algorithm 2 gone wrong: bodies of the node that others want in their lock sets.

use acrasin_runtime::exclusion::local::{Action, Memory, Message, Note, Phase, Rules};
use acrasin_runtime::{Port, PortSet};

use super::action_run::ActionRun;
use super::entry::{Consequence, Entry};
use super::fault::{Fault, ParticipantFault};
use super::setting::Setting;

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
        let held = memory.on_hold.contains(port);
        match self {
            Self::OnHoldAndReady if held => run.effects.sends.push((port, Message::Ready)),
            Self::NobodyOnHold if held => {
                memory.on_hold.remove(port);
                memory.applicants.insert(port);
                run.effects.sends.push((port, Message::Ready));
            }
            Self::ReadyNotNoted if !held => {
                memory.applicants.remove(port);
                run.clean_up(memory);
            }
            _ => {}
        }
    }

    fn receive_request(self, run: &mut ActionRun<'_>, memory: &mut Memory) {
        let Some((port, Message::RequestLock(priority))) = run.input.message else {
            return run.right(memory);
        };
        let first = memory.applicants.contains(port);
        match self {
            Self::LateStored => {
                run.right(memory);
                if run.effects.notes.contains(&Note::LateRejection) {
                    memory.priorities.push((port, priority));
                    memory.priorities.sort_unstable();
                }
            }
            Self::LateForgotten => {
                run.right(memory);
                if run.effects.notes.contains(&Note::LateRejection) {
                    memory.candidates.remove(port);
                }
            }
            Self::LateBetweenRoundsOnly | Self::LateWithinRoundsOnly => {
                run.clean_up(memory);
                let stored = !memory.priorities.is_empty();
                let late = match self {
                    Self::LateBetweenRoundsOnly => !stored && !memory.candidates.is_empty(),
                    _ => stored,
                };
                if first && late {
                    memory.applicants.remove(port);
                    memory.candidates.insert(port);
                    run.effects.announce(Note::LateRejection);
                    run.effects.sends.push((port, Message::Win(false)));
                    memory.phase = Phase::Compete;
                } else {
                    run.with_rules(memory, Rules { reject_late_requests: false, ..Rules::REPAIRED });
                }
            }
            Self::ApplicantStays => {
                run.right(memory);
                if first {
                    memory.applicants.insert(port);
                }
            }
            _ => run.right(memory),
        }
    }

    fn check_priorities(self, run: &mut ActionRun<'_>, memory: &mut Memory) {
        let report = run.input.disconnected;
        let mut priorities = memory.priorities.clone();
        priorities.retain(|&(port, _)| !report.contains(port));
        match self {
            Self::LockIgnored => {
                let mut lock = memory.lock.take();
                run.right(memory);
                lock.take_if(|port| report.contains(*port));
                memory.lock = lock;
            }
            Self::TieHasTwoWinners => {
                run.right(memory);
                let highest = priorities.iter().map(|&(_, priority)| priority).max();
                let winners = priorities.iter().filter(|&&(_, priority)| Some(priority) == highest);
                let winners: PortSet = winners.map(|&(port, _)| port).collect();
                if memory.lock.is_none() {
                    for (port, message) in run.sends() {
                        if *message == Message::Win(false) && winners.contains(*port) {
                            *message = Message::Win(true);
                        }
                    }
                }
            }
            Self::NobodyWins => {
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
                    memory.candidates.remove(port);
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
                memory.candidates.remove(port);
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

pub(super) const ENTRIES: &[Entry] = &[
    Entry {
        name: "on-hold-and-ready",
        what: "ReceivePrepare puts the initiator on hold and says ready all the same.",
        about: "ReceivePrepare",
        fault: Fault::Participant(ParticipantFault::OnHoldAndReady),
        setting: Setting::EDGE_BOTH,
        shows: Consequence::Promise,
        within: 10_000,
    },
    Entry {
        name: "ready-not-noted",
        what: "ReceivePrepare says ready and does not note the applicant.",
        about: "ReceivePrepare",
        fault: Fault::Participant(ParticipantFault::ReadyNotNoted),
        setting: Setting::EDGE,
        shows: Consequence::Dead,
        within: 20,
    },
    Entry {
        name: "late-stored-too",
        what: "ReceiveRequest answers a late request and also stores it in P.",
        about: "R1",
        fault: Fault::Participant(ParticipantFault::LateStored),
        setting: Setting::EDGE_BOTH,
        shows: Consequence::Promise,
        within: 10_000,
    },
    Entry {
        name: "late-forgotten",
        what: "ReceiveRequest answers a late request and forgets the applicant.",
        about: "R1",
        fault: Fault::Participant(ParticipantFault::LateForgotten),
        setting: Setting::EDGE_BOTH,
        shows: Consequence::Promise,
        within: 10_000,
    },
    Entry {
        name: "late-between-rounds-only",
        what: "A request is late only if no other has come this round, P = {}; others join the round.",
        about: "F1, repair (b)",
        fault: Fault::Participant(ParticipantFault::LateBetweenRoundsOnly),
        setting: Setting::PATH_PAIRS,
        shows: Consequence::Dead,
        within: 90_000,
    },
    Entry {
        name: "late-within-rounds-only",
        what: "A request is late only if another has come this round, P ≠ {}; others wait for the next.",
        about: "F1, repair (b)",
        fault: Fault::Participant(ParticipantFault::LateWithinRoundsOnly),
        setting: Setting::EDGE_BOTH,
        shows: Consequence::Dead,
        within: 3_000,
    },
    Entry {
        name: "applicant-stays",
        what: "ReceiveRequest leaves a candidate among the applicants: each of its requests counts as a first one.",
        about: "ReceiveRequest, A",
        fault: Fault::Participant(ParticipantFault::ApplicantStays),
        setting: Setting::EDGE_BOTH,
        shows: Consequence::Unreachable,
        within: 2_000,
    },
    Entry {
        name: "tie-has-two-winners",
        what: "CheckPriorities says win(true) to everybody with the highest priority.",
        about: "CheckPriorities, unique",
        fault: Fault::Participant(ParticipantFault::TieHasTwoWinners),
        setting: Setting::EDGE_BOTH,
        shows: Consequence::Promise,
        within: 3_000,
    },
    Entry {
        name: "lock-ignored",
        what: "CheckPriorities says win(true) although the lock is set.",
        about: "CheckPriorities, lock = bot",
        fault: Fault::Participant(ParticipantFault::LockIgnored),
        setting: Setting::EDGE_BOTH,
        shows: Consequence::Promise,
        within: 5_000,
    },
    Entry {
        name: "nobody-wins",
        what: "CheckPriorities never says win(true).",
        about: "CheckPriorities",
        fault: Fault::Participant(ParticipantFault::NobodyWins),
        setting: Setting::EDGE,
        shows: Consequence::Unreachable,
        within: 50,
    },
    Entry {
        name: "losers-leave",
        what: "CheckPriorities removes losers from C.",
        about: "CheckPriorities, C",
        fault: Fault::Participant(ParticipantFault::LosersLeave),
        setting: Setting::EDGE_BOTH,
        shows: Consequence::Promise,
        within: 10_000,
    },
    Entry {
        name: "winner-leaves",
        what: "CheckPriorities removes the winner from C before its set-lock.",
        about: "CheckPriorities, C",
        fault: Fault::Participant(ParticipantFault::WinnerLeaves),
        setting: Setting::EDGE_BOTH,
        shows: Consequence::Promise,
        within: 10_000,
    },
    Entry {
        name: "priorities-kept",
        what: "CheckPriorities does not clear P.",
        about: "CheckPriorities, P := {}",
        fault: Fault::Participant(ParticipantFault::PrioritiesKept),
        setting: Setting::EDGE,
        shows: Consequence::Promise,
        within: 100,
    },
    Entry {
        name: "phase-to-prepare",
        what: "CheckPriorities sets the phase to prepare.",
        about: "CheckPriorities; 2.4, phase",
        fault: Fault::Participant(ParticipantFault::PhaseToPrepare),
        setting: Setting::EDGE,
        shows: Consequence::Invariant,
        within: 100,
    },
    Entry {
        name: "phase-to-compete",
        what: "CheckPriorities sets the phase to compete also if CleanUp has removed the last candidate.",
        about: "2.2, point 2",
        fault: Fault::Participant(ParticipantFault::PhaseToCompete),
        setting: Setting::EDGE.changing(1, 0),
        shows: Consequence::Invariant,
        within: 500,
    },
    Entry {
        name: "set-lock-cleans-up-first",
        what: "ReceiveSetLock calls CleanUp before the winner leaves C: those on hold are not let in by it.",
        about: "3.7; 2.4, phase",
        fault: Fault::Participant(ParticipantFault::SetLockCleansUpFirst),
        setting: Setting::EDGE,
        shows: Consequence::Invariant,
        within: 100,
    },
    Entry {
        name: "lock-not-set",
        what: "ReceiveSetLock says ack-lock and does not set the lock.",
        about: "ReceiveSetLock",
        fault: Fault::Participant(ParticipantFault::LockNotSet),
        setting: Setting::EDGE,
        shows: Consequence::Promise,
        within: 100,
    },
    Entry {
        name: "winner-stays",
        what: "ReceiveSetLock leaves the winner in C.",
        about: "ReceiveSetLock, C",
        fault: Fault::Participant(ParticipantFault::WinnerStays),
        setting: Setting::EDGE_AGAIN,
        shows: Consequence::Dead,
        within: 100,
    },
    Entry {
        name: "lock-kept",
        what: "ReceiveRelease does not clear the lock.",
        about: "ReceiveRelease",
        fault: Fault::Participant(ParticipantFault::LockKept),
        setting: Setting::EDGE_AGAIN,
        shows: Consequence::Unreachable,
        within: 100,
    },
    Entry {
        name: "nobody-on-hold",
        what: "ReceivePrepare says ready also while candidates compete: newcomers can join every trial of a candidate.",
        about: "Lockout freedom, Theorem 4.1",
        fault: Fault::Participant(ParticipantFault::NobodyOnHold),
        setting: Setting::PATH_PAIRS,
        shows: Consequence::Starvation,
        within: 80_000,
    },
];
