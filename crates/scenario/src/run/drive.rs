//! The main loop of all runs.

use acrasin_process::{Awaited, Ending, Process, Progress};
use acrasin_report::record::{Manifest, RunRecord};

use super::checkpoint::SavedPicture;
use super::counted::Looking;
use super::sampler::{self, Sampler};
use super::{
    CheckpointKeeper, Finished, Presentation, Proceed, ProcessRun, ProcessStop, RunControl, RunError,
    RunState, SavedNumbers, Snapshot, has_time_for_figures,
};
use crate::limits::LOOK_STEPS;

/// The driver of a run, before its first turn.
pub(crate) struct Drive<'a> {
    pub(crate) watch: &'a dyn RunControl,
    /// Whether the run control is polled before the first turn. Otherwise a short run can end without being polled.
    pub(crate) is_watched_at_once: bool,
    /// The sampler of counts over time, if there is something to count.
    pub(crate) sampler: Option<Sampler>,
    /// The steps after which pictures are made, in ascending order, in addition to start and end.
    pub(crate) pictures_at: &'a [u64],
    /// The number of the repetition.
    pub(crate) repetition: u32,
    /// The manifest of the run.
    pub(crate) manifest: Manifest,
}

impl<'a> Drive<'a> {
    /// Drives a process to its end and makes the record.
    ///
    /// Between two calls of the process the driver makes a picture, takes a sample of the counts, evaluates the stop
    /// rule, and polls the run control, in this order. None of these changes the process.
    ///
    /// # Errors
    ///
    /// The process cannot continue, or its recording cannot be written.
    pub(crate) fn run<P, S, V>(self, run: &mut ProcessRun<'_, P, S, V>) -> Result<Finished, RunError>
    where
        P: Process + ?Sized,
        S: ProcessStop<P>,
        V: Presentation<P>,
    {
        let names = self.sampler.as_ref().map_or_else(Vec::new, |sampler| sampler.names().to_vec());
        let looking = self.watch.eye().map(|eye| Looking { eye, names });
        let mut drive = self.begin(run)?;
        let mut to_look = looking.as_ref().map_or(u64::MAX, |looking| looking.see(run));
        let reached = loop {
            let ending = match drive.turn(run) {
                Turn::Over(ending) => Some(ending),
                Turn::Advance(most) => run.advance(most.min(to_look))?,
            };
            if let Some(ending) = ending {
                break ending;
            }
            if let Some(looking) = &looking {
                to_look = looking.see(run);
                // A picture of a large run takes as long as thousands of its steps.
                match drive.watch().verdict() {
                    Proceed::Continue => {}
                    ended => break called_off(ended, run.awaited()),
                }
            }
        };
        if let Some(looking) = &looking {
            looking.end(run);
        }
        drive.finish(run, reached)
    }

    /// Prepares the first turn, or the one after a checkpoint.
    ///
    /// # Errors
    ///
    /// The run cannot be saved, or cannot continue from the checkpoint.
    pub(crate) fn begin<P, S, V>(self, run: &mut ProcessRun<'_, P, S, V>) -> Result<DriverState<'a>, RunError>
    where
        P: Process + ?Sized,
        S: ProcessStop<P>,
        V: Presentation<P>,
    {
        let mut moments = self.pictures_at.iter();
        let checkpoints = self.watch.checkpoints();
        let mut underway = DriverState {
            next_look: if self.is_watched_at_once { 0 } else { LOOK_STEPS },
            next_picture: moments.next().copied(),
            moments,
            snapshots: run.snapshot("start".to_owned()).into_iter().collect(),
            is_saved: checkpoints.is_some(),
            is_within_turn: false,
            pictures: Vec::new(),
            drive: self,
        };
        if let Some(state) = checkpoints.and_then(CheckpointKeeper::resumed) {
            underway.restore(run, state)?;
        }
        underway.drive.watch.begin();
        // The first checkpoint shows whether the run can be saved, before hours are spent.
        if let Some(checkpoints) = checkpoints.filter(|checkpoints| checkpoints.is_due(Proceed::Continue)) {
            let state = underway.save(run, false).ok_or_else(RunError::not_saved)?;
            checkpoints.keep(&run.progress(), state);
        }
        Ok(underway)
    }
}

/// A paused driver, for callers that advance several processes together.
pub(crate) struct DriverState<'a> {
    drive: Drive<'a>,
    next_look: u64,
    next_picture: Option<u64>,
    moments: std::slice::Iter<'a, u64>,
    snapshots: Vec<Snapshot>,
    /// Whether the run has checkpoints.
    is_saved: bool,
    /// Whether the run continues from a checkpoint within a turn. The rest of this turn is made first.
    is_within_turn: bool,
    /// The pictures of intermediate moments, as stored in checkpoints.
    pictures: Vec<SavedPicture>,
}

/// The outcome of a turn.
pub(crate) enum Turn {
    /// The process can advance by at most this many of its units.
    Advance(u64),
    /// The run has ended.
    Over(Ending),
}

impl<'a> DriverState<'a> {
    /// The run control of this run.
    pub(crate) fn watch(&self) -> &'a dyn RunControl {
        self.drive.watch
    }

    /// Takes samples and pictures, evaluates the stop rule, and returns how far the process can advance.
    pub(crate) fn turn<P, S, V>(&mut self, run: &mut ProcessRun<'_, P, S, V>) -> Turn
    where
        P: Process + ?Sized,
        S: ProcessStop<P>,
        V: Presentation<P>,
    {
        if std::mem::take(&mut self.is_within_turn) {
            return Turn::Advance(run.stride());
        }
        let at = run.progress();
        // The run is saved before the sample: an uninterrupted run would not take a sample within this turn.
        if self.is_saved {
            self.keep_cut_turn(run, &at);
        }
        if self.next_picture == Some(at.steps) {
            self.next_picture = self.moments.next().copied();
            let snapshot = run.snapshot(format!("step-{}", at.steps)).map(without_lone_drawing);
            if self.is_saved {
                self.pictures.extend(snapshot.as_ref().and_then(|shot| saved_picture(shot, run.process)));
            }
            self.snapshots.extend(snapshot);
        }
        let Drive { sampler, watch, .. } = &mut self.drive;
        if let Some(sampler) = sampler.as_mut().filter(|sampler| sampler.is_due(&at)) {
            sampler.sample(&at, &run.counts());
        }
        if let Some(ending) = run.ending(&at) {
            return Turn::Over(ending);
        }
        let effort = run.effort();
        if effort >= self.next_look {
            self.next_look = effort.saturating_add(LOOK_STEPS);
            let fraction = run.fraction(&at);
            let watch = *watch;
            let mut proceed = watch.look(&Progress { fraction, ..at });
            if let Some(checkpoints) = watch.checkpoints()
                && checkpoints.is_due(proceed)
                && let Some(state) = self.save(run, false)
            {
                checkpoints.keep(&at, state);
                if proceed == Proceed::Continue {
                    proceed = watch.verdict();
                }
            }
            match proceed {
                Proceed::Continue => {}
                ended => return Turn::Over(called_off(ended, run.awaited())),
            }
        }
        let to_picture = self.next_picture.map_or(u64::MAX, |moment| moment.saturating_sub(at.steps));
        let mut to_sample = u64::MAX;
        if let Some(sampler) = &mut self.drive.sampler {
            sampler.remember(|| run.counts());
            to_sample = sampler.reach(&at);
            if let Some(time) = sampler.due_time() {
                run.stop_at(time);
            }
        }
        Turn::Advance(run.stride().min(to_sample).min(to_picture))
    }

    /// Saves a run that the run control has ended within a turn. If the process cannot be saved there, the previous
    /// checkpoint is kept.
    fn keep_cut_turn<P, S, V>(&self, run: &ProcessRun<'_, P, S, V>, at: &Progress)
    where
        P: Process + ?Sized,
        S: ProcessStop<P>,
        V: Presentation<P>,
    {
        let proceed = match run.process.ending() {
            Some(Ending::Interrupted) => Proceed::Interrupted,
            Some(Ending::OutOfTime(_)) => Proceed::OutOfTime,
            _ => return,
        };
        if let Some(checkpoints) = self.drive.watch.checkpoints()
            && checkpoints.is_due(proceed)
            && let Some(state) = self.save(run, true)
        {
            checkpoints.keep(at, state);
        }
    }

    /// The state of the run, between two turns or within one; `None` if its process cannot be saved.
    fn save<P, S, V>(&self, run: &ProcessRun<'_, P, S, V>, is_within_turn: bool) -> Option<RunState>
    where
        P: Process + ?Sized,
        S: ProcessStop<P>,
        V: Presentation<P>,
    {
        let mut driver = vec![self.next_look, is_within_turn.into()];
        if let Some(sampler) = &self.drive.sampler {
            sampler.save(&mut driver);
        }
        Some(run.save(driver)?.with_pictures(&self.pictures))
    }

    /// Continues from a saved state.
    fn restore<P, S, V>(
        &mut self,
        run: &mut ProcessRun<'_, P, S, V>,
        state: &RunState,
    ) -> Result<(), RunError>
    where
        P: Process + ?Sized,
        S: ProcessStop<P>,
        V: Presentation<P>,
    {
        let numbers = state.driver().unwrap_or_default();
        let mut numbers = SavedNumbers::new(&numbers);
        let of_driver = numbers.number().zip(numbers.number()).and_then(|(next_look, is_within_turn)| {
            (self.next_look, self.is_within_turn) = (next_look, is_within_turn != 0);
            let sampler = self.drive.sampler.as_mut();
            sampler.map_or(Some(()), |sampler| sampler.restore(&mut numbers))
        });
        of_driver.ok_or_else(|| RunError::resumed("the counts over time belong to another run"))?;
        self.pictures = state
            .pictures()
            .filter(|pictures| pictures.len() <= self.drive.pictures_at.len())
            .ok_or_else(|| RunError::resumed("its pictures belong to another run"))?;
        for picture in &self.pictures {
            let moment = self.next_picture.unwrap_or_default();
            self.next_picture = self.moments.next().copied();
            self.snapshots
                .extend(drawn_again(picture, run, format!("step-{moment}"))?.map(without_lone_drawing));
        }
        run.restore(state, &mut numbers)?;
        // A later look would let the run go on without a poll.
        if self.next_look > run.effort().saturating_add(LOOK_STEPS) {
            return Err(RunError::resumed("the moment of its next poll belongs to another run"));
        }
        Ok(())
    }

    /// Makes the record after the last turn.
    ///
    /// # Errors
    ///
    /// The recording of the run cannot be written.
    pub(crate) fn finish<P, S, V>(
        self,
        run: &mut ProcessRun<'_, P, S, V>,
        reached: Ending,
    ) -> Result<Finished, RunError>
    where
        P: Process + ?Sized,
        S: ProcessStop<P>,
        V: Presentation<P>,
    {
        let Self {
            drive: Drive { sampler, repetition, manifest, watch, .. },
            mut snapshots,
            next_picture,
            moments,
            ..
        } = self;
        let ending = run.finish(reached)?;

        let series = sampler.map(|sampler| sampler.finish(&run.progress(), &run.counts()));
        snapshots.extend(run.snapshot("end".to_owned()));
        if !ending.is_cut_short() {
            snapshots.extend(next_picture.into_iter().chain(moments.copied()).map(Snapshot::not_reached));
        }
        let is_cut_short = ending.is_cut_short();
        let mut record = RunRecord::new(repetition.into(), manifest, ending);
        for section in run.view.sections(run.process) {
            record.push(section);
        }
        if let Some(section) = series.as_ref().and_then(sampler::thinned) {
            record.push(section);
        }
        let report_configuration = run.view.configuration(run.process);
        let is_incomplete = !is_cut_short && !has_time_for_figures(watch, false);
        let (met, inside) = (None, run.view.inside(run.process));
        Ok(Finished { record, series, report_configuration, met, inside, snapshots, is_incomplete })
    }
}

/// The picture as stored in checkpoints, from the process that was drawn and has not advanced since. `None` if the
/// process cannot be saved.
fn saved_picture(snapshot: &Snapshot, process: &(impl Process + ?Sized)) -> Option<SavedPicture> {
    let bytes = match (&snapshot.picture, &snapshot.undrawn) {
        (None, Some(reason)) => reason.clone().into_bytes(),
        _ => process.save()?,
    };
    Some(SavedPicture { is_drawn: snapshot.picture.is_some(), bytes })
}

/// Draws a saved picture again. Afterwards the process is in the state of this picture.
fn drawn_again<P, S, V>(
    picture: &SavedPicture,
    run: &mut ProcessRun<'_, P, S, V>,
    name: String,
) -> Result<Option<Snapshot>, RunError>
where
    P: Process + ?Sized,
    S: ProcessStop<P>,
    V: Presentation<P>,
{
    let SavedPicture { is_drawn, bytes } = picture;
    if !is_drawn {
        let undrawn = Some(String::from_utf8_lossy(bytes).into_owned());
        return Ok(Some(Snapshot { name, is_reached: true, picture: None, undrawn, drawing: None }));
    }
    run.process.restore(bytes).map_err(|error| RunError::resumed(error.to_string()))?;
    Ok(run.snapshot(name))
}

/// Removes the text drawing of a configuration that is too large for a picture. Such drawings are large, and a run can
/// have many intermediate moments.
fn without_lone_drawing(mut snapshot: Snapshot) -> Snapshot {
    snapshot.drawing = snapshot.drawing.filter(|_| snapshot.picture.is_some());
    snapshot
}

/// The ending of a run that the run control has ended.
pub(crate) fn called_off(proceed: Proceed, awaited: Awaited) -> Ending {
    match proceed {
        Proceed::Interrupted => Ending::Interrupted,
        Proceed::OutOfTime | Proceed::Continue => Ending::OutOfTime(awaited),
    }
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;
    use std::io;
    use std::sync::atomic::{AtomicU64, Ordering};

    use super::super::{CountConditions, CountStop};
    use super::*;
    use crate::document::quantity::Count;
    use crate::document::stop::SampleInterval;
    use crate::run::Unwatched;
    use acrasin_process::{Advance, Condition, Measure, RunBound, StopRule};
    use acrasin_report::record::{Exit, Figure, Section};

    /// A process that counts its steps up to an end and makes as many per call as allowed.
    struct Walk {
        steps: u64,
        end: u64,
        is_finished: bool,
        asked_for: Vec<u64>,
    }

    impl Walk {
        fn of(end: u64) -> Self {
            Self { steps: 0, end, is_finished: false, asked_for: Vec::new() }
        }
    }

    impl Process for Walk {
        fn progress(&self) -> Progress {
            Progress { steps: self.steps, ..Progress::START }
        }

        fn counts(&self) -> Cow<'_, [u64]> {
            vec![self.steps].into()
        }

        fn unit(&self) -> Measure {
            Measure::Steps
        }

        fn stride(&self) -> u64 {
            LOOK_STEPS
        }

        fn advance(&mut self, bound: &RunBound, _: Option<&dyn Condition>) -> Advance {
            self.asked_for.push(bound.steps - self.steps);
            self.steps = bound.steps.min(self.end);
            Advance::Advanced
        }

        fn ending(&self) -> Option<Ending> {
            (self.steps >= self.end).then_some(Ending::Served)
        }

        fn finish(&mut self, reached: Ending) -> io::Result<Ending> {
            assert!(!self.is_finished, "once");
            self.is_finished = true;
            if self.end == 13 { Err(io::Error::other("an unlucky step")) } else { Ok(reached) }
        }

        fn digest(&self) -> u128 {
            self.steps.into()
        }
    }

    struct WalkView;

    impl Presentation<Walk> for WalkView {
        fn sections(&self, walk: &Walk) -> Vec<Section> {
            assert!(walk.is_finished, "before figures are asked for");
            let mut section = Section::new("work", "Work");
            section.push(Figure::new("steps", "steps", walk.steps));
            vec![section]
        }

        fn snapshot(&self, _: &Walk, name: String) -> Option<Snapshot> {
            Some(Snapshot { name, is_reached: true, picture: None, undrawn: None, drawing: None })
        }

        fn fraction(&self, walk: &Walk, progress: &Progress) -> Option<f64> {
            Some(progress.steps as f64 / walk.end as f64)
        }
    }

    fn run(drive: Drive<'_>, walk: &mut Walk) -> Result<Finished, RunError> {
        let (rule, conditions) =
            (StopRule { awaited: Awaited::End, ..StopRule::default() }, CountConditions::new(&[], None));
        let stop = CountStop::new(walk, (&rule, &conditions), None);
        drive.run(&mut ProcessRun::new(walk, stop, WalkView))
    }

    fn drive<'a>(watch: &'a dyn RunControl, every: u64, pictures_at: &'a [u64]) -> Drive<'a> {
        Drive {
            watch,
            is_watched_at_once: false,
            sampler: Some(Sampler::new(SampleInterval::Steps(Count(every)), ["steps"], 1)),
            pictures_at,
            repetition: 3,
            manifest: Manifest::new("0.1.0", 1),
        }
    }

    #[test]
    fn no_sample_and_no_picture_is_passed_over() {
        let mut walk = Walk::of(25);
        let finished = run(drive(&Unwatched, 10, &[4, 20, 30]), &mut walk).unwrap();
        assert_eq!(walk.asked_for, [4, 6, 10, 10]);
        let series = finished.series.unwrap();
        let rows: Vec<(f64, u64)> = series.rows().map(|row| (row.time, row.counts[0])).collect();
        assert_eq!(rows, [(0.0, 0), (10.0, 10), (20.0, 20), (25.0, 25)]);
        let names: Vec<&str> = finished.snapshots.iter().map(|snapshot| &*snapshot.name).collect();
        assert_eq!(names, ["start", "step-4", "step-20", "end", "step-30"]);
        let missing = finished.snapshots[4].undrawn.as_deref();
        assert_eq!(missing, Some("the run ends before this step"));
        assert_eq!((finished.record.repetition(), finished.record.outcome().word.as_str()), (3, "served"));
        assert_eq!(finished.record.body().len(), 1);
    }

    #[test]
    fn a_run_that_cannot_be_written_gives_no_record() {
        let error = run(drive(&Unwatched, 100, &[]), &mut Walk::of(13)).unwrap_err();
        assert!(error.is_recording() && error.to_string().ends_with("an unlucky step"), "{error}");
    }

    #[test]
    fn samples_that_are_left_out_are_in_the_record() {
        let sections = |steps| {
            let finished = run(drive(&Unwatched, 1, &[]), &mut Walk::of(steps)).unwrap();
            let kept = finished.series.unwrap().rows().count() as u64;
            let section = finished.record.body().iter().find(|section| section.key() == "counts").cloned();
            (kept, section.map(|section| section.figures().to_vec()))
        };
        assert_eq!(sections(100), (101, None));
        let (kept, figures) = sections(10_000);
        let figures = figures.unwrap();
        let expected = [
            Figure::new("samples", "samples taken", 10_001_u64),
            Figure::new("kept", "samples kept", kept),
            Figure::new("kept_every", "one in this many is kept, and the last", 4_u64),
        ];
        assert_eq!((kept, &figures[..]), (2501, &expected[..]));
    }

    /// A run control that gives this answer from a number of steps on, and counts its calls.
    struct Ends(Proceed, u64, AtomicU64);

    impl RunControl for Ends {
        fn look(&self, at: &Progress) -> Proceed {
            self.2.fetch_add(1, Ordering::Relaxed);
            assert_eq!(at.fraction, Some(at.steps as f64 / 100_000.0));
            if at.steps >= self.1 { self.0 } else { Proceed::Continue }
        }
    }

    #[test]
    fn the_watch_ends_a_run_that_is_finished_all_the_same() {
        for (proceed, expected) in [
            (Proceed::Interrupted, ("interrupted", "the run was interrupted", Exit::Interrupted)),
            (Proceed::OutOfTime, ("time", "the time ran out before the end", Exit::BudgetExhausted)),
        ] {
            for (is_watched_at_once, steps, looks) in
                [(false, LOOK_STEPS, 1), (true, 0, 1), (false, 10_000, 3)]
            {
                let ends = Ends(proceed, steps, AtomicU64::new(0));
                let drive = Drive { is_watched_at_once, ..drive(&ends, 100_000, &[]) };
                let finished = run(drive, &mut Walk::of(100_000)).unwrap();
                let outcome = finished.record.outcome();
                assert_eq!((outcome.word.as_str(), outcome.reason.as_str(), outcome.exit), expected);
                let last = finished.series.unwrap().rows().last().unwrap().counts[0];
                assert!((steps..steps + LOOK_STEPS).contains(&last), "{last} after {steps}");
                assert_eq!(ends.2.into_inner(), looks);
            }
        }
        // A run that is shorter than the distance between two polls ends normally.
        let ends = Ends(Proceed::OutOfTime, 0, AtomicU64::new(0));
        let finished = run(drive(&ends, 100, &[]), &mut Walk::of(50)).unwrap();
        assert_eq!((finished.record.outcome().exit, ends.2.into_inner()), (Exit::Done, 0));
    }
}
