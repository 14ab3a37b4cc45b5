//! Amoebots that act: what all ways of running an algorithm have in common.

use std::io;

use acrasin_amoebot::algorithm::{Algorithm as _, FailedAction};
use acrasin_amoebot::picture::{Picture, PictureError};
use acrasin_amoebot::run::concurrent::Completed;
use acrasin_amoebot::start::Drawing;
use acrasin_amoebot::{Cell, System};
use acrasin_process::Ending;
use acrasin_report::record::{Figure, Section, SectionName};
use acrasin_verify::replay::End;

use super::course::{AmoebotRun, Headway};
use super::figures::further;
use super::recording::Recorder;
use super::scene::Scene;
use crate::run::Filmed;
use acrasin_amoebot::algorithm::description::Description;

/// Who acts when, and what came of it.
pub(super) trait Acting<S: Description> {
    /// The system now.
    fn system(&self) -> &System<S::Memory>;

    /// Goes on for so many steps, fewer if the algorithm terminates.
    fn advance(&mut self, steps: u64);

    /// How far the run is.
    fn headway(&self) -> Headway;

    /// How many amoebots a step is work for.
    fn width(&self) -> u64 {
        1
    }

    /// Keeps from now on what is done.
    fn keep(&mut self) {}

    /// What was done since the last time, in an order in which it can be done again; at the end also what was not in one
    /// before.
    fn completed(&mut self, _is_over: bool) -> Vec<Completed> {
        Vec::new()
    }

    /// The action that could not be done, and has ended the run.
    fn failed(&self) -> Option<&FailedAction> {
        None
    }

    /// How many actions are begun and have changed nothing yet.
    fn unfinished(&self) -> usize {
        0
    }

    /// What is counted over time besides the states, with its name.
    fn counted(&self) -> Option<(&'static str, u64)> {
        None
    }

    /// The same run, to be looked at amoebot by amoebot.
    fn filmed(&mut self) -> Option<&mut dyn Filmed> {
        None
    }

    /// Judges the run from its end, once.
    fn look_back(&mut self, reached: Ending) -> Ending {
        reached
    }

    /// What was done.
    fn work(&self) -> Section;

    /// Locks and their messages, if there are locks.
    fn locking(&self) -> Vec<Section> {
        Vec::new()
    }
}

/// A run of an algorithm in some way.
pub(super) struct Performance<'a, S, W> {
    pub(super) scene: Scene<'a, S>,
    pub(super) way: W,
    pub(super) recorder: Option<Recorder<'a>>,
    /// Why the recording cannot be written.
    pub(super) fault: Option<io::Error>,
}

/// The labels of the actions of an algorithm, in order.
pub(super) fn labels<S: Description>(subject: &S) -> Vec<String> {
    subject.algorithm().actions().iter().map(|action| format!("{action:?}")).collect()
}

impl<S: Description, W: Acting<S>> Performance<'_, S, W> {
    fn write(&mut self, is_over: bool) -> io::Result<()> {
        let Some(recorder) = &mut self.recorder else { return Ok(()) };
        self.way.completed(is_over).into_iter().try_for_each(|completed| recorder.write(completed))
    }

    /// Writes the rest of the recording, and its end.
    pub(super) fn conclude(mut self, ending: &Ending) -> io::Result<()> {
        self.write(true)?;
        let Some(recorder) = self.recorder else { return Ok(()) };
        let digest = self.way.system().configuration().digest();
        let mut words = format!("{}: {ending}", ending.word());
        if self.way.unfinished() > 0 {
            words += &format!(
                "; {} actions had begun without an effect, which are not in the recording",
                self.way.unfinished()
            );
        }
        recorder.end(&End::new(0, digest, words).with_ending(ending.clone()))
    }
}

impl<S: Description, W: Acting<S>> AmoebotRun for Performance<'_, S, W> {
    fn advance(&mut self, steps: u64) -> Result<(), String> {
        self.way.advance(steps);
        self.write(false).map_err(|error| {
            let message = error.to_string();
            self.fault = Some(error);
            message
        })
    }

    fn headway(&self) -> Headway {
        self.way.headway()
    }

    fn width(&self) -> u64 {
        self.way.width()
    }

    fn is_finished(&self) -> bool {
        self.scene.subject.is_finished(self.way.system())
    }

    fn failed(&self) -> Option<String> {
        self.way.failed().map(ToString::to_string)
    }

    fn fault(&self) -> Option<String> {
        self.scene.subject.fault(self.way.system())
    }

    fn settled(&self) -> Option<f64> {
        self.scene.settled(self.way.system())
    }

    fn columns(&self) -> Vec<String> {
        let mut names = self.scene.names();
        names.extend(self.scene.subject.measures().into_iter().map(str::to_owned));
        names.extend(self.way.counted().map(|(name, _)| name.to_owned()));
        names
    }

    fn counts(&self) -> Vec<u64> {
        let mut counts = self.scene.states(self.way.system());
        counts.extend(self.scene.subject.measure(self.way.system()));
        counts.extend(self.way.counted().map(|(_, count)| count));
        counts
    }

    fn cells(&self) -> Vec<Cell> {
        self.way.system().cells()
    }

    fn picture(&self) -> Result<Picture, PictureError> {
        self.scene.picture(self.way.system())
    }

    fn drawing(&self) -> Option<Drawing> {
        self.scene.drawing(self.way.system())
    }

    fn filmed(&mut self) -> Option<&mut dyn Filmed> {
        self.way.filmed()
    }

    fn look_back(&mut self, reached: Ending) -> Ending {
        self.way.look_back(reached)
    }

    fn work(&self) -> Section {
        self.way.work()
    }

    fn further(&self) -> Vec<Section> {
        let system = self.way.system();
        let mut sections = self.way.locking();
        let mut states = Section::of(SectionName::States);
        for (name, count) in self.scene.names().into_iter().zip(self.scene.states(system)) {
            states.push(Figure::new(name.clone(), name, count));
        }
        let expanded = system.ids().filter(|id| !system.body(*id).is_contracted()).count();
        states.push(Figure::new("expanded", "expanded", expanded as u64));
        sections.push(states);
        let measures = self.scene.subject.measures();
        if !measures.is_empty() {
            let mut measured = Section::new("measures", "Measures at the end");
            for (name, count) in measures.into_iter().zip(self.scene.subject.measure(system)) {
                measured.push(Figure::new(name, name, count));
            }
            sections.push(measured);
        }
        sections.extend(self.scene.subject.further(system).map(further));
        sections
    }

    fn digest(&self) -> String {
        self.way.system().configuration().digest().to_string()
    }
}
