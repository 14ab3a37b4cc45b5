//! Replay of a recorded run of amoebots.

use acrasin_amoebot::System;
use acrasin_amoebot::algorithm::description::Description;
use acrasin_process::{Ending, Progress, ReplayFinding};
use acrasin_report::record::{Figure, Section, SectionName};
use acrasin_verify::replay::{self, ReplayEnd, StepReader};

use acrasin_amoebot::AmoebotId;
use acrasin_report::film::{GRANTED, Head};

use super::engine::{Engine, labels};
use super::filmed;
use super::recording::RecordingLine;
use crate::film::{LockPosition, NodeLock};
use crate::run::{Changes, Filmed, NodeView};

/// An engine that replays a recording. Each of its steps is one recorded action.
pub(super) struct ActionReplay<'a, 'r, S: Description> {
    subject: &'a S,
    system: System<S::Memory>,
    lines: &'a mut StepReader<'r, RecordingLine>,
    labels: Vec<String>,
    actions: u64,
    moves: u64,
    /// Whether the end of the file has been reached.
    is_over: bool,
    /// The error that ended the replay before the end of the file.
    pub(super) fault: Option<replay::ReplayError>,
    /// The reason why a recorded action could not be executed, if there is one.
    impossible: Option<String>,
    /// The amoebots that may have changed and the last event, if every action is observed.
    since: Option<Changes>,
    /// Whether the run has locks, so that the actor of the last action and its lock set are kept.
    has_locks: bool,
    locked: Option<(AmoebotId, Vec<AmoebotId>)>,
}

impl<'a, 'r, S: Description> ActionReplay<'a, 'r, S> {
    pub(super) fn new(
        subject: &'a S,
        system: System<S::Memory>,
        lines: &'a mut StepReader<'r, RecordingLine>,
    ) -> Self {
        let labels = labels(subject);
        Self {
            subject,
            system,
            lines,
            labels,
            actions: 0,
            moves: 0,
            is_over: false,
            fault: None,
            impossible: None,
            since: None,
            has_locks: false,
            locked: None,
        }
    }

    /// Sets whether every action is observed, and whether lock sets are shown.
    pub(super) fn filmed(self, is_filmed: bool, has_locks: bool) -> Self {
        Self { since: is_filmed.then(Changes::default), has_locks, ..self }
    }

    /// Shows the lock set of this action in place of the previous one.
    fn show_locks(&mut self, id: AmoebotId, lock_set: Option<Vec<AmoebotId>>) {
        let Self { since: Some(since), locked, has_locks: true, .. } = self else { return };
        let before = std::mem::replace(locked, lock_set.map(|set| (id, set)));
        for (id, set) in before.iter().chain(locked.iter()) {
            since.nodes.push(id.0);
            since.nodes.extend(set.iter().map(|id| id.0));
        }
        if locked.is_some() {
            since.happened.flags |= GRANTED;
        }
    }

    /// Marks an amoebot and its neighbours as possibly changed.
    fn around(&mut self, id: AmoebotId) {
        let Self { system, since: Some(since), .. } = self else { return };
        since.nodes.push(id.0);
        since.nodes.extend(system.neighbours(id).map(|id| id.0));
    }

    /// Replays one action; `false` at the end.
    fn act(&mut self) -> bool {
        let line = match self.lines.next() {
            None => return false,
            Some(Err(error)) => {
                self.fault = Some(error.into());
                return false;
            }
            Some(Ok(line)) => line,
        };
        let label = line.label().to_owned();
        let Some(completed) = line.completed(&self.labels) else {
            let what = format!("there is no action {label:?}: {} are accepted", self.labels.join(", "));
            self.fault = Some(self.lines.error(what).into());
            return false;
        };
        let (id, action) = (completed.id, completed.action as u32);
        if id.index() >= self.system.len() {
            let (place, most) = (self.lines.place(), self.system.len() - 1);
            self.impossible = Some(format!("{place}: {label}: there is no amoebot {id}: 0 to {most} exist"));
            return false;
        }
        self.around(id);
        let at = self.actions as usize;
        match completed.replay(at, self.subject.algorithm(), &mut self.system) {
            Ok(movement) => {
                self.actions += 1;
                self.moves += movement.map_or(0, |movement| movement.moves());
                self.around(id);
                if let Some(since) = &mut self.since {
                    since.happened.actor = Some(id.0);
                    since.happened.action = Some(action);
                }
                self.show_locks(id, completed.lock_set);
                true
            }
            Err(error) => {
                self.impossible = Some(format!("{}: {label}: {error}", self.lines.place()));
                false
            }
        }
    }

    fn compared(&self, end: &ReplayEnd) -> Ending {
        let digest = self.system.digest();
        let ReplayEnd { outcome: said, digest: recorded, .. } = end;
        if digest == *recorded {
            let reason =
                format!("the recorded run is reproduced to digest {digest}; recorded ending: {said}");
            return Ending::Replayed(ReplayFinding::Reproduced, reason);
        }
        let reason =
            format!("the actions lead to another configuration: digest {digest}, recorded {recorded}");
        Ending::Replayed(ReplayFinding::NotReproduced, reason)
    }
}

impl<S: Description> Engine<S> for ActionReplay<'_, '_, S> {
    fn system(&self) -> &System<S::Memory> {
        &self.system
    }

    fn advance(&mut self, steps: u64, _: &(dyn Fn() -> bool + Sync)) {
        for _ in 0..steps {
            if self.is_over || !self.act() {
                self.is_over = true;
                break;
            }
        }
    }

    fn progress(&self) -> Progress {
        Progress { steps: self.actions, ..Progress::START }
    }

    fn has_terminated(&self) -> bool {
        self.is_over
    }

    fn filmed(&mut self) -> Option<&mut dyn Filmed> {
        self.since.is_some().then_some(self as _)
    }

    fn verified(&mut self, reached: Ending, _: &dyn Fn() -> bool) -> Ending {
        match (&self.impossible, self.lines.end()) {
            (Some(why), _) => Ending::Replayed(ReplayFinding::NotReproduced, why.clone()),
            (None, Some(end)) => self.compared(end),
            (None, None) => reached,
        }
    }

    fn work(&self) -> Section {
        let mut work = Section::of(SectionName::Work);
        work.push(Figure::new("actions", "completed actions", self.actions));
        work.push(Figure::new("moves", "moves", self.moves));
        work
    }
}

impl<S: Description> Filmed for ActionReplay<'_, '_, S> {
    fn head(&self) -> Head {
        let mut head = filmed::head(self.subject, &self.system, self.labels.clone());
        if self.has_locks {
            head.columns.extend(NodeLock::columns());
        }
        head
    }

    fn moment(&self) -> u64 {
        self.actions
    }

    fn look(&self, node: u32, into: &mut NodeView) {
        filmed::look(self.subject, &self.system, node, into);
        if self.has_locks {
            let locked = self.locked.as_ref();
            let is_holder = locked.is_some_and(|(id, _)| id.0 == node);
            let own = if is_holder { LockPosition::Holding } else { LockPosition::Idle };
            let holder = locked.filter(|(_, set)| set.contains(&AmoebotId(node))).map(|(id, _)| id.0);
            NodeLock::of(own, holder, node).look(&mut into.values);
        }
    }

    fn since(&mut self, into: &mut Changes) {
        let since = self.since.as_mut().expect("the run is observed");
        into.nodes.append(&mut since.nodes);
        into.happened = std::mem::take(&mut since.happened);
    }
}
