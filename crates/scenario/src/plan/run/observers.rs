//! Observers of every event of a world, in runs and in replays.

use std::io::Write;

use acrasin_report::observer::{LockFigures, MessageFigures};
use acrasin_runtime::pack::{PackError, Saved};
use acrasin_runtime::{Event, Observer, StepOf, World};
use acrasin_verify::replay::Recorder;

use super::algorithm::{Entries as _, RunAlgorithm};
use super::filmed::WorldFilm;
use super::state_counts::{CountedSection, StateCounts};

/// The observers of a world: counts of states, Locks, messages, critical sections, the recorder of steps, and the film.
pub(super) struct Observers<'a, E: RunAlgorithm, S: CountedSection> {
    pub(super) tally: StateCounts,
    pub(super) locks: LockFigures,
    pub(super) messages: MessageFigures,
    pub(super) entries: E::EntryObserver<S>,
    pub(super) recorder: Option<Recorder<Box<dyn Write + 'a>, E>>,
    pub(super) film: Option<WorldFilm<'a>>,
}

impl<E: RunAlgorithm, S: CountedSection> Observers<'_, E, S> {
    /// Creates the observers of a world at its start, without recorder and film.
    pub(super) fn new(world: &World<E, S>, tally: StateCounts) -> Self {
        let locks = LockFigures::new(world.topology().node_count());
        let (messages, entries) = (MessageFigures::new(), E::EntryObserver::new(world));
        Self { tally, locks, messages, entries, recorder: None, film: None }
    }
}

/// Saves only figures: the recorder and the film have outputs of their own.
impl<E: RunAlgorithm, S: CountedSection> Saved for Observers<'_, E, S> {
    fn save(&self, into: &mut Vec<u8>) {
        self.tally.save(into);
        self.locks.save(into);
        self.messages.save(into);
        self.entries.save(into);
    }

    fn load(&mut self, from: &mut &[u8]) -> Result<(), PackError> {
        self.tally.load(from)?;
        self.locks.load(from)?;
        self.messages.load(from)?;
        self.entries.load(from)
    }
}

impl<E: RunAlgorithm, S: CountedSection> Observer<E, S> for Observers<'_, E, S> {
    #[inline(always)] // For every action and message, and most ignore it.
    fn event(&mut self, event: &Event<'_, E, S>) {
        self.tally.event(event);
        self.locks.event(event);
        self.messages.event(event);
        self.entries.event(event);
        self.recorder.event(event);
    }

    #[inline]
    fn step(&mut self, step: &StepOf<E>, picks: &[u32]) {
        let Self { tally, locks, messages, entries, recorder, .. } = self;
        Observer::<E, S>::step(tally, step, picks);
        Observer::<E, S>::step(locks, step, picks);
        Observer::<E, S>::step(messages, step, picks);
        entries.step(step, picks);
        Observer::<E, S>::step(recorder, step, picks);
    }

    #[inline]
    fn before(&mut self, world: &World<E, S>, step: &StepOf<E>) {
        if let Some(film) = &mut self.film {
            film.before(world, step);
        }
    }

    #[inline]
    fn after(&mut self, world: &World<E, S>, step: &StepOf<E>) {
        if let Some(film) = &mut self.film {
            film.after((world, &self.locks), step);
        }
    }

    #[inline]
    fn round(&mut self, world: &World<E, S>, rounds: u64) {
        self.tally.round(world, rounds);
        self.locks.round(world, rounds);
        self.messages.round(world, rounds);
        self.entries.round(world, rounds);
        self.recorder.round(world, rounds);
    }
}
