//! Requirements on mutual exclusion algorithms for runs, recordings and explorations.

use acrasin_report::observer::{EntryFigures, InsideFigures};
use acrasin_report::record::Section;
use acrasin_report::spans::Spans;
use acrasin_runtime::exclusion::local::Local;
use acrasin_runtime::exclusion::{AlgorithmLabels, Exclusion};
use acrasin_runtime::pack::Saved;
use acrasin_runtime::scheduler::Scheduler;
use acrasin_runtime::{CriticalSection, Observer, World};
use acrasin_verify::locks::Explored;
use acrasin_verify::properties::CheckedExclusion;
use acrasin_verify::replay::StepCodec;

use super::state_counts::CountedSection;
use crate::exclusion::SeatedAlgorithm;
use crate::scheduler::Schedule;

/// A mutual exclusion algorithm that can be run, recorded and explored.
pub(super) trait RunAlgorithm: StepCodec + CheckedExclusion + Explored + 'static {
    /// The observer of critical sections, in addition to the figures of all runs.
    type EntryObserver<S: CountedSection>: Entries<Self, S>;

    /// The scheduler of a run. The plan has checked that the algorithm supports it.
    fn scheduler<S: CountedSection>(schedule: &Schedule) -> Box<dyn Scheduler<Self, S>>;
}

impl RunAlgorithm for Local {
    // The unit type is an observer without any cost.
    type EntryObserver<S: CountedSection> = ();

    fn scheduler<S: CountedSection>(schedule: &Schedule) -> Box<dyn Scheduler<Self, S>> {
        S::scheduler(&**schedule.scheduler())
    }
}

impl<E: SeatedAlgorithm> RunAlgorithm for E {
    type EntryObserver<S: CountedSection> = (EntryFigures, InsideFigures);

    fn scheduler<S: CountedSection>(schedule: &Schedule) -> Box<dyn Scheduler<Self, S>> {
        schedule.under().expect("the plan refuses other schedulers")
    }
}

/// Observers of the critical sections of a run.
pub(super) trait Entries<E: Exclusion, S: CriticalSection>: Observer<E, S> + Saved {
    /// Creates the observers for a world at its start.
    fn new(world: &World<E, S>) -> Self;

    /// The section of the record on critical sections, if there are figures for one.
    fn section(&self) -> Option<Section>;

    /// The spans of time in which each node was in its critical section, if they are kept.
    fn inside(&self) -> Option<Spans>;
}

impl<E: Exclusion, S: CriticalSection> Entries<E, S> for () {
    fn new(_: &World<E, S>) -> Self {}

    fn section(&self) -> Option<Section> {
        None
    }

    fn inside(&self) -> Option<Spans> {
        None
    }
}

impl<E: AlgorithmLabels, S: CriticalSection> Entries<E, S> for (EntryFigures, InsideFigures) {
    fn new(world: &World<E, S>) -> Self {
        (EntryFigures::new(world.topology().node_count()), InsideFigures::new(world))
    }

    fn section(&self) -> Option<Section> {
        Some(self.0.section::<E>())
    }

    fn inside(&self) -> Option<Spans> {
        Some(self.1.spans())
    }
}
