//! A concurrent run of all amoebots, step by step, in the concurrency framework.

use acrasin_amoebot::algorithm::FailedAction;
use acrasin_amoebot::algorithm::description::Description as _;
use acrasin_amoebot::algorithm::erased::{AnyAlgorithm, AnyMemory};
use acrasin_amoebot::run::concurrent::{
    Completed, Concurrent, ConcurrentCounts, Locks, LogCursor, MessageLocks, SavedLocks, Stepped, TryLocks,
};
use acrasin_amoebot::run::execution::UniformEnabled;
use acrasin_amoebot::{AmoebotId, System};
use acrasin_process::{Ending, Progress};
use acrasin_report::film::{FrameEvents, GRANTED, Head, Message};
use acrasin_report::observer::EntryFigures;
use acrasin_report::record::{Figure, Section, SectionName};
use acrasin_runtime::choice::Seeded;
use acrasin_runtime::exclusion::local::Local;
use acrasin_runtime::exclusion::{AlgorithmLabels, Exclusion};
use acrasin_runtime::lock::Outside;
use acrasin_runtime::pack::{Pack as _, PackError, Saved as _};
use acrasin_runtime::{NodeId, World};

use super::engine::{Engine, labels};
use super::filmed;
use super::serial::{ActionCounts, Serial};
use crate::film::{LockPosition, NodeLock};
use crate::run::{Changes, Filmed, NodeView};
use acrasin_amoebot::algorithm::description::AnyDescription;

/// An engine for concurrent executions: a step is one step of an amoebot or of the locks.
pub(super) struct AtOnce<'a, L> {
    run: Concurrent<'a, AnyAlgorithm<'a>, L>,
    subject: &'a AnyDescription<'a>,
    steps: u64,
    choices: &'a mut Seeded,
    serial: Serial<AnyMemory>,
    /// The part of the log that is not in the recording yet; `None` until actions are first recorded.
    cursor: Option<LogCursor>,
    /// The amoebots that may look different since the last observation, if every step is observed.
    shot: Option<LockSnapshot>,
}

/// The last observed state of the locks, and the changes since then.
#[derive(Default)]
struct LockSnapshot {
    /// For each amoebot: its Lock, the number of waiting messages, and the sum of their numbers.
    last: Vec<(NodeLock, (usize, u64))>,
    since: Changes,
}

/// The label of a step that is not an action of the algorithm.
fn told(stepped: Stepped) -> &'static str {
    match stepped {
        Stepped::Nothing => "wait",
        Stepped::LockFailed => "Lock failed",
        Stepped::Called => "call Lock",
        Stepped::Locked => "Lock granted",
        Stepped::Awakened => "awaken neighbours",
        Stepped::Disabled => "no action is enabled",
        Stepped::Decided => "decide",
        Stepped::Invalid(_) => "abort",
        Stepped::ExpandFailed(_) => "Expand failed",
        Stepped::Expanded => "expand, if that is the movement",
        Stepped::Written => "write",
        Stepped::Released => "unlock the amoebot that loses the link",
        Stepped::Moved => "move",
        Stepped::MoveFailed(_) => "movement failed",
        Stepped::Unlocked => "call Unlock",
        Stepped::Passed => "pass a message",
        Stepped::PromiseBroken => "a promise of the locks is broken",
    }
}

impl<'a, L: Locks + LockLabels> AtOnce<'a, L> {
    pub(super) fn new(
        subject: &'a AnyDescription<'a>,
        system: System<AnyMemory>,
        locks: L,
        choices: &'a mut Seeded,
    ) -> Self {
        let serial = Serial::from(Some(system.clone()));
        let run = Concurrent::new(subject.algorithm(), system, locks);
        Self { run, subject, steps: 0, choices, serial, cursor: None, shot: None }
    }

    /// Sets whether every step is observed for a film.
    pub(super) fn seen(self, is_seen: bool) -> Self {
        let last = self.run.system().ids().map(|id| self.shot_of(id)).collect();
        Self { shot: is_seen.then(|| LockSnapshot { last, since: Changes::default() }), ..self }
    }

    fn shot_of(&self, id: AmoebotId) -> (NodeLock, (usize, u64)) {
        let mut waiting = Vec::new();
        self.run.locks().waiting(id, &mut waiting);
        let sum = waiting.iter().fold(0_u64, |sum, (number, _)| sum.wrapping_add(*number));
        (self.standing(id), (waiting.len(), sum))
    }

    fn standing(&self, id: AmoebotId) -> NodeLock {
        let own = self.run.locks().own(id).unwrap_or(match self.run.lock_set(id) {
            Some(_) => LockPosition::Holding,
            None => LockPosition::Idle,
        });
        NodeLock::of(own, self.run.locks().holder(id).map(|holder| holder.0), id.0)
    }

    /// Makes one step and records its changes.
    fn turn_seen(&mut self) {
        let mut happened = FrameEvents::default();
        let mut nodes = Vec::new();
        if let Some((id, stepped)) = self.run.turn(&mut UniformEnabled, self.choices) {
            // An amoebot that moves or is written to is a neighbour of the actor.
            nodes.push(id.0);
            nodes.extend(self.run.system().neighbours(id).map(|id| id.0));
            happened.actor = Some(id.0);
            match self.run.log().last().filter(|_| stepped == Stepped::Written) {
                Some(action) => happened.action = Some(action as u32),
                None => told(stepped).clone_into(&mut happened.text),
            }
        }
        let shots: Vec<(NodeLock, (usize, u64))> =
            self.run.system().ids().map(|id| self.shot_of(id)).collect();
        let shot = self.shot.as_mut().expect("the run is observed");
        for ((node, before), now) in (0..).zip(&shot.last).zip(&shots) {
            if before != now {
                nodes.push(node);
            }
            if now.0.lock == LockPosition::Holding && before.0.lock != LockPosition::Holding {
                happened.flags |= GRANTED;
                let between = if happened.text.is_empty() { "" } else { "; " };
                happened.text += &format!("{between}a Lock is granted to amoebot {node}");
            }
        }
        shot.last = shots;
        shot.since.nodes.append(&mut nodes);
        shot.since.happened = happened;
    }
}

/// Labels and figures of locks for records and films.
pub(super) trait LockLabels {
    /// The kinds of lock messages.
    fn kinds(&self) -> Vec<String> {
        Vec::new()
    }

    /// The state of an amoebot's own Lock, if the locks track it.
    fn own(&self, id: AmoebotId) -> Option<LockPosition> {
        let _ = id;
        None
    }

    /// Appends the messages that wait at an amoebot, with their numbers.
    fn waiting(&self, id: AmoebotId, into: &mut Vec<(u64, Message)>) {
        let _ = (id, into);
    }

    /// The sections on messages, if locks send any, and on the cost of an entry.
    fn sections(&self) -> Vec<Section>;
}

impl LockLabels for TryLocks {
    fn sections(&self) -> Vec<Section> {
        Vec::new()
    }
}

impl LockLabels for MessageLocks {
    fn kinds(&self) -> Vec<String> {
        <Local as AlgorithmLabels>::KINDS.iter().map(|&kind| kind.to_owned()).collect()
    }

    fn own(&self, id: AmoebotId) -> Option<LockPosition> {
        Some(self.world().status(NodeId(id.0)).into())
    }

    fn waiting(&self, id: AmoebotId, into: &mut Vec<(u64, Message)>) {
        waiting(self.world(), id, into);
    }

    fn sections(&self) -> Vec<Section> {
        vec![messages(self.world())]
    }
}

/// Locks of other algorithms report the same as in runs without amoebots: messages by kind, and the rounds that each
/// entry waits.
impl<E: AlgorithmLabels> LockLabels for MessageLocks<E, EntryFigures> {
    fn kinds(&self) -> Vec<String> {
        E::KINDS.iter().map(|&kind| kind.to_owned()).collect()
    }

    fn own(&self, id: AmoebotId) -> Option<LockPosition> {
        Some(self.world().status(NodeId(id.0)).into())
    }

    fn waiting(&self, id: AmoebotId, into: &mut Vec<(u64, Message)>) {
        waiting(self.world(), id, into);
    }

    fn sections(&self) -> Vec<Section> {
        vec![messages(self.world()), self.observer().section::<E>()]
    }
}

fn waiting<E: AlgorithmLabels>(world: &World<E, Outside<()>>, id: AmoebotId, into: &mut Vec<(u64, Message)>) {
    let node = NodeId(id.0);
    into.extend(world.in_transit(node).iter().filter_map(|envelope| {
        let from = match envelope.port.is_self() {
            true => id.0,
            false => world.topology().link(node, envelope.port)?.peer.0,
        };
        Some((envelope.sequence(), Message { from, to: id.0, kind: E::kind(envelope.message) as u32 }))
    }));
}

fn messages<E: Exclusion>(world: &World<E, Outside<()>>) -> Section {
    let mut section = Section::of(SectionName::Messages);
    section.push(Figure::new("sent", "sent", world.messages_sent()));
    section.push(Figure::new("steps", "steps of the lock algorithm", world.steps()));
    section
}

impl<'a, L: SavedLocks + LockLabels> Engine<AnyDescription<'a>> for AtOnce<'a, L> {
    fn system(&self) -> &System<AnyMemory> {
        self.run.system()
    }

    fn advance(&mut self, steps: u64, _: &(dyn Fn() -> bool + Sync)) {
        for _ in 0..steps {
            if self.run.has_terminated() || self.run.failed().is_some() {
                break;
            }
            if self.shot.is_some() {
                self.turn_seen();
            } else {
                self.run.turn(&mut UniformEnabled, self.choices);
            }
            self.steps += 1;
        }
    }

    fn progress(&self) -> Progress {
        let ConcurrentCounts { rounds, locks, .. } = self.run.counts();
        Progress { steps: self.steps, rounds, locks, ..Progress::START }
    }

    fn has_terminated(&self) -> bool {
        self.run.has_terminated()
    }

    fn inside(&self) -> usize {
        self.run.inside()
    }

    fn held(&self) -> Vec<(AmoebotId, AmoebotId)> {
        let locks = self.run.locks();
        self.run.system().ids().filter_map(|id| Some((id, locks.holder(id)?))).collect()
    }

    fn filmed(&mut self) -> Option<&mut dyn Filmed> {
        self.shot.is_some().then_some(self as _)
    }

    fn completed(&mut self, written: u64, is_over: bool) -> Vec<Completed> {
        let log = self.run.log();
        let cursor = self.cursor.get_or_insert_with(|| LogCursor::after(log, written as usize));
        if is_over { self.run.done_after(cursor) } else { self.run.settled(cursor) }
    }

    fn save(&self, into: &mut Vec<u8>) -> bool {
        self.steps.pack(into);
        self.choices.save(into);
        self.run.save(into)
    }

    /// After loading, a film continues with the current state of all amoebots.
    fn load(&mut self, from: &mut &[u8]) -> Result<(), PackError> {
        self.steps.unpack_into(from)?;
        self.choices.load(from)?;
        self.run.load(from)?;
        if self.shot.is_some() {
            let last = self.run.system().ids().map(|id| self.shot_of(id)).collect();
            let nodes = (0..self.run.system().len() as u32).collect();
            self.shot = Some(LockSnapshot { last, since: Changes { nodes, ..Changes::default() } });
        }
        Ok(())
    }

    fn unfinished(&self) -> usize {
        self.run.without_effect()
    }

    fn counted(&self) -> Option<(&'static str, u64)> {
        Some(("inside an action", self.run.inside() as u64))
    }

    /// The ending, after a replay of the log. The log is only complete while no amoebot is inside an action.
    fn verified(&mut self, reached: Ending, has_time: &dyn Fn() -> bool) -> Ending {
        let log = (self.run.inside() == 0).then(|| self.run.log());
        self.serial.replay(log, self.subject.algorithm(), self.run.system(), has_time);
        self.serial.judged(reached, (self.run.counts().invalid, self.run.failed()), None, "step")
    }

    fn failed(&self) -> Option<&FailedAction> {
        self.run.failed()
    }

    fn work(&self) -> Section {
        let counts = self.run.counts();
        let mut work = Section::of(SectionName::Work);
        work.push(Figure::new("steps", "steps of amoebots and locks", self.steps));
        work.push(Figure::new("amoebot_steps", "steps of amoebots", counts.steps));
        let activations = counts.locks + counts.lock_failures;
        work.push(Figure::new("activations", "activations: Locks that were granted or failed", activations));
        let ConcurrentCounts { actions, moves, expand_failures, invalid, rounds, .. } = counts;
        ActionCounts { actions, moves, expand_failures, invalid, rounds }.push_to(&mut work);
        work.push(
            Figure::new("width", "most actions at the same time", counts.width as u64).with_unit("amoebots"),
        );
        work.push(self.serial.figure());
        work
    }

    fn locking(&self) -> Vec<Section> {
        let counts = self.run.counts();
        let mut locks = Section::of(SectionName::Locks);
        locks.push(Figure::new("completed", "completed", counts.locks));
        locks.push(Figure::new("failures", "failed", counts.lock_failures));
        locks.push(Figure::new("waits", "steps spent waiting", counts.waits));
        locks.push(Figure::new("awakenings", "aborted to wake others", counts.awakenings));
        locks.push(Figure::new("disabled", "aborted as nothing was enabled", counts.disabled));
        [locks].into_iter().chain(self.run.locks().sections()).collect()
    }
}

impl<L: Locks + LockLabels> Filmed for AtOnce<'_, L> {
    fn head(&self) -> Head {
        let mut head = filmed::head(self.subject, self.run.system(), labels(self.subject));
        "step".clone_into(&mut head.time);
        head.columns.extend(NodeLock::columns());
        head.messages = self.run.locks().kinds();
        head
    }

    fn moment(&self) -> u64 {
        self.steps
    }

    fn look(&self, node: u32, into: &mut NodeView) {
        filmed::look(self.subject, self.run.system(), node, into);
        let id = AmoebotId(node);
        self.standing(id).look(&mut into.values);
        self.run.locks().waiting(id, &mut into.messages);
    }

    fn since(&mut self, into: &mut Changes) {
        let since = &mut self.shot.as_mut().expect("the run is observed").since;
        into.nodes.append(&mut since.nodes);
        into.happened = std::mem::take(&mut since.happened);
    }
}
