//! Execution engines for amoebot algorithms, and their common process.

use acrasin_catalogue::counted;
use std::borrow::Cow;
use std::cell::OnceCell;
use std::io;

use acrasin_amoebot::algorithm::{Algorithm as _, FailedAction};
use acrasin_amoebot::picture::{Picture, PictureError};
use acrasin_amoebot::run::concurrent::Completed;
use acrasin_amoebot::start::Drawing;
use acrasin_amoebot::{AmoebotId, Body, Cell, System};
use acrasin_process::{
    Advance, Awaited, Condition, Ending, Exit, Goal, Measure, Process, Progress, RunBound,
};
use acrasin_report::record::{Figure, Section, SectionName};
use acrasin_runtime::PackError;
use acrasin_verify::replay::ReplayEnd;

use super::AmoebotPlan;
use super::figures::further;
use super::process::{AmoebotProcess, EXAMINED_AFTER_A_CUT};
use super::recording::ActionRecorder;
use super::scene::AmoebotScene;
use crate::film::lock_set_outlines;
use crate::limits::LOOK_STEPS;
use crate::run::saved::{SavedProcess, save_and_restore};
use crate::run::{Filmed, Proceed, RunControl, called_off, counts_section, has_time_for_figures};
use acrasin_amoebot::algorithm::description::Description;

/// An execution engine: sequential, in rounds, with locks, in waves, in tiles, or a replay.
pub(super) trait Engine<S: Description> {
    /// The current system.
    fn system(&self) -> &System<S::Memory>;

    /// Makes this many steps, or fewer if the algorithm terminates. Once `goes_on` returns false, a long step is
    /// abandoned without any change.
    fn advance(&mut self, steps: u64, goes_on: &(dyn Fn() -> bool + Sync));

    /// The counters of the run.
    fn progress(&self) -> Progress;

    /// Whether no amoebot can act any more.
    fn has_terminated(&self) -> bool;

    /// Whether the log has reached its limit.
    fn is_full(&self) -> bool {
        false
    }

    /// The number of amoebots inside an action. Meanwhile safety properties of the algorithm need not hold.
    fn inside(&self) -> usize {
        0
    }

    /// The locked amoebots, each with the holder of its lock set, between two steps.
    fn held(&self) -> Vec<(AmoebotId, AmoebotId)> {
        Vec::new()
    }

    /// The number of amoebots that take part in a step.
    fn width(&self) -> u64 {
        1
    }

    /// Starts to keep completed actions.
    fn keep(&mut self) {}

    /// The actions after the first `written` ones, in an order in which they can be replayed. Only actions whose
    /// position in this order is final are returned. At the end of the run (`is_over`) all actions are returned,
    /// including incomplete ones.
    fn completed(&mut self, written: u64, is_over: bool) -> Vec<Completed> {
        let _ = (written, is_over);
        Vec::new()
    }

    /// The action that could not be executed and ended the run.
    fn failed(&self) -> Option<&FailedAction> {
        None
    }

    /// The number of actions in progress that have not changed anything yet.
    fn unfinished(&self) -> usize {
        0
    }

    /// The name and value of a quantity that is sampled in addition to the states.
    fn counted(&self) -> Option<(&'static str, u64)> {
        None
    }

    /// The run as a source for films, amoebot by amoebot.
    fn filmed(&mut self) -> Option<&mut dyn Filmed> {
        None
    }

    /// The final ending of a run that has ended with `reached`; called once. Tests of the whole run may find a fault.
    /// Long tests are omitted once `has_time` returns false.
    fn verified(&mut self, reached: Ending, has_time: &dyn Fn() -> bool) -> Ending {
        let _ = has_time;
        reached
    }

    /// Appends the state. Returns `false` if it cannot be saved: the algorithm or the adversary has no codec, or an
    /// action has failed.
    fn save(&self, into: &mut Vec<u8>) -> bool {
        let _ = into;
        false
    }

    /// Sets the state that [`save`](Self::save) wrote for a run of the same plan and seed.
    ///
    /// # Errors
    ///
    /// [`PackError`] if `from` does not begin with such a state.
    fn load(&mut self, from: &mut &[u8]) -> Result<(), PackError> {
        let _ = from;
        Err(PackError)
    }

    /// The section of the record on completed work.
    fn work(&self) -> Section;

    /// The sections on locks and their messages, if there are locks.
    fn locking(&self) -> Vec<Section> {
        Vec::new()
    }
}

/// A run of an algorithm by an engine. Each call of the engine makes many steps, so dynamic dispatch is cheap, and the
/// common code is compiled once.
pub(super) struct EngineProcess<'a, S: Description> {
    scene: AmoebotScene<'a, S>,
    engine: &'a mut (dyn Engine<S> + 'a),
    recorder: Option<ActionRecorder<'a>>,
    /// The error of writing the recording, if one occurred.
    fault: Option<io::Error>,
    title: &'a str,
    watch: &'a dyn RunControl,
    /// The answer of the run control that interrupted a step; `Continue` if none was interrupted.
    cut: Proceed,
    /// Whether a terminated algorithm has reached its goal. Cached, because the test costs O(n).
    is_finished: OnceCell<bool>,
}

/// The labels of the actions of an algorithm, in order.
pub(super) fn labels<S: Description>(subject: &S) -> Vec<String> {
    subject.algorithm().actions().iter().map(|action| format!("{action:?}")).collect()
}

impl<'a, S: Description> EngineProcess<'a, S> {
    pub(super) fn new(
        plan: &'a AmoebotPlan,
        watch: &'a dyn RunControl,
        subject: &'a S,
        engine: &'a mut (dyn Engine<S> + 'a),
        recorder: Option<ActionRecorder<'a>>,
    ) -> Self {
        if recorder.is_some() {
            engine.keep();
        }
        let scene = AmoebotScene::new(subject, plan);
        let title = plan.algorithm.title();
        Self {
            scene,
            engine,
            recorder,
            fault: None,
            title,
            watch,
            cut: Proceed::Continue,
            is_finished: OnceCell::new(),
        }
    }

    fn write(&mut self, is_over: bool) -> io::Result<()> {
        let Some(recorder) = &mut self.recorder else { return Ok(()) };
        let completed = self.engine.completed(recorder.steps(), is_over);
        completed.into_iter().try_for_each(|completed| recorder.write(completed))
    }

    /// Writes the rest of the recording and its end.
    fn end_recording(&mut self, ending: &Ending) -> io::Result<()> {
        self.write(true)?;
        let Some(recorder) = self.recorder.take() else { return Ok(()) };
        let digest = self.engine.system().digest();
        let mut words = format!("{}: {ending}", ending.word());
        if self.engine.unfinished() > 0 {
            words += &format!(
                "; not in the recording: {} in progress without a change so far",
                counted(self.engine.unfinished(), "action")
            );
        }
        recorder.end(&ReplayEnd::new(0, digest, words).with_ending(ending.clone()))
    }
}

impl<S: Description> Process for EngineProcess<'_, S> {
    fn progress(&self) -> Progress {
        self.engine.progress()
    }

    /// The counts of states, then the measures. Cost: O(n).
    fn counts(&self) -> Cow<'_, [u64]> {
        let system = self.engine.system();
        let mut counts = self.scene.states(system);
        counts.extend(self.scene.subject.measure(system));
        counts.extend(self.engine.counted().map(|(_, count)| count));
        counts.into()
    }

    fn effort(&self) -> u64 {
        self.engine.progress().steps.saturating_mul(self.engine.width())
    }

    fn unit(&self) -> Measure {
        Measure::Steps
    }

    fn stride(&self) -> u64 {
        LOOK_STEPS
    }

    fn advance(&mut self, bound: &RunBound, condition: Option<&dyn Condition>) -> Advance {
        if self.meets(condition) {
            return Advance::Held;
        }
        let before = self.engine.progress().steps;
        let watch = self.watch;
        self.engine.advance(bound.steps.saturating_sub(before), &|| watch.verdict() == Proceed::Continue);
        if self.engine.progress().steps == before {
            self.cut = watch.verdict();
        }
        self.fault = self.write(false).err();
        match self.ending() {
            None => Advance::Advanced,
            Some(Ending::Violated(_)) => Advance::Violated,
            Some(_) => Advance::Quiescent,
        }
    }

    fn ending(&self) -> Option<Ending> {
        let unwritten = || self.fault.as_ref().map(ToString::to_string);
        if let Some(failed) = self.engine.failed().map(ToString::to_string).or_else(unwritten) {
            return Some(Ending::Violated(failed));
        }
        if self.engine.has_terminated() {
            // Whether a million amoebots have reached their goal takes 0.1 s and more.
            let is_small = self.engine.system().len() <= EXAMINED_AFTER_A_CUT;
            let verdict = if is_small { Proceed::Continue } else { self.watch.verdict() };
            if verdict != Proceed::Continue && self.is_finished.get().is_none() {
                return Some(called_off(verdict, Awaited::End));
            }
            let title = self.title.to_owned();
            let is_finished = || self.scene.subject.is_finished(self.engine.system());
            return Some(if *self.is_finished.get_or_init(is_finished) {
                Ending::Reached(Goal::Terminated(title))
            } else {
                Ending::WrongEnd(title)
            });
        }
        if self.engine.is_full() {
            return Some(Ending::LogFull);
        }
        (self.cut != Proceed::Continue).then(|| called_off(self.cut, Awaited::End))
    }

    fn finish(&mut self, reached: Ending) -> io::Result<Ending> {
        if let Some(fault) = self.fault.take() {
            return Err(fault);
        }
        let (watch, is_cut_short) = (self.watch, reached.is_cut_short());
        let has_time = || has_time_for_figures(watch, is_cut_short);
        let verified = self.engine.verified(reached.clone(), &has_time);
        let is_asked = is_cut_short || watch.is_stop_requested();
        let is_examined = !is_asked || self.engine.system().len() <= EXAMINED_AFTER_A_CUT;
        let fault = if is_examined { self.fault() } else { None };
        let ending = match fault.map(Ending::Violated) {
            Some(broken) if broken == reached || verified.exit() != Exit::Failed => broken,
            _ => verified,
        };
        self.end_recording(&ending)?;
        Ok(ending)
    }

    fn digest(&self) -> u128 {
        self.engine.system().digest().0
    }

    save_and_restore!();
}

impl<S: Description> SavedProcess for EngineProcess<'_, S> {
    const KIND: &'static str = "amoebots";

    fn save_state(&self, into: &mut Vec<u8>) -> bool {
        self.engine.save(into)
    }

    fn load_state(&mut self, from: &mut &[u8]) -> Result<(), PackError> {
        self.is_finished.take();
        self.engine.load(from)
    }
}

impl<S: Description> AmoebotProcess for EngineProcess<'_, S> {
    fn inside(&self) -> usize {
        self.engine.inside()
    }

    fn fault(&self) -> Option<String> {
        self.scene.subject.fault(self.engine.system())
    }

    fn settled(&self) -> Option<f64> {
        self.scene.settled(self.engine.system())
    }

    fn columns(&self) -> Vec<String> {
        let mut names = self.scene.names();
        names.extend(self.scene.subject.facts().measures.iter().map(|&name| name.to_owned()));
        names.extend(self.engine.counted().map(|(name, _)| name.to_owned()));
        names
    }

    fn cells(&self) -> Vec<Cell> {
        self.engine.system().cells()
    }

    /// A picture with lock sets. The lock sets show which amoebots may be in the middle of an action, with variables
    /// written but the movement still to come.
    fn picture(&self) -> Result<Picture, PictureError> {
        let system = self.engine.system();
        let picture = self.scene.picture(system)?;
        let held = self.engine.held();
        let held = held.into_iter().map(|(member, holder)| (member.index(), holder.index()));
        let bodies: Vec<Body> = system.ids().map(|id| system.body(id)).collect();
        Ok(picture.with_lock_sets(lock_set_outlines(&bodies, held)))
    }

    fn drawing(&self, has_time: &dyn Fn() -> bool) -> Option<Drawing> {
        self.scene.drawing(self.engine.system(), has_time)
    }

    fn digest_while(&self, has_time: &dyn Fn() -> bool) -> Option<u128> {
        Some(self.engine.system().digest_while(has_time)?.0)
    }

    fn filmed(&mut self) -> Option<&mut dyn Filmed> {
        self.engine.filmed()
    }

    fn work(&self) -> Section {
        self.engine.work()
    }

    fn further(&self) -> Vec<Section> {
        let system = self.engine.system();
        let mut sections = self.engine.locking();
        let mut states = counts_section(SectionName::States, &self.scene.names(), &self.scene.states(system));
        let expanded = system.ids().filter(|id| !system.body(*id).is_contracted()).count();
        states.push(Figure::new("expanded", "expanded", expanded as u64));
        sections.push(states);
        let measures = self.scene.subject.facts().measures;
        if !measures.is_empty() {
            let mut measured = Section::new("measures", "Measures at the end");
            for (&name, count) in measures.iter().zip(self.scene.subject.measure(system)) {
                measured.push(Figure::new(name, name, count));
            }
            sections.push(measured);
        }
        sections.extend(self.scene.subject.further(system).map(further));
        sections
    }
}
