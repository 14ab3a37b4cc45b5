//! What runs under a mutual exclusion algorithm: compiled once for each pair of the two that a scenario can name.

use std::ops::ControlFlow;

use acrasin_explore::SearchProgress;
use acrasin_protocols::Table;
use acrasin_protocols::locked::Interactions;
use acrasin_report::observer::{EntryFigures, InsideFigures};
use acrasin_report::record::Section;
use acrasin_report::spans::Spans;
use acrasin_runtime::exclusion::critical_section::LocalSections;
use acrasin_runtime::exclusion::local::Local;
use acrasin_runtime::exclusion::tree_token::TreeToken;
use acrasin_runtime::exclusion::{Exclusion, Seating, Vocabulary};
use acrasin_runtime::scheduler::Scheduler;
use acrasin_runtime::{CriticalSection, LockOnly, Observer, StepOf, World};
use acrasin_verify::locks::{
    Explored, Instance, Locks, Options, Reductions, RefusedInstance, Report, ShippedSection, Walked, Walks,
    check, narrate,
};
use acrasin_verify::properties::{Checked, Property};
use acrasin_verify::replay::Spelling;

use super::tally::Tallied;
use crate::scheduler::Schedule;

/// An algorithm that runs, is recorded and is explored.
pub(super) trait Algorithm: Spelling + Checked + Explored + 'static {}

impl<E: Spelling + Checked + Explored + 'static> Algorithm for E {}

/// The properties of worlds.
type Properties<E, S> = Vec<Box<dyn Property<E, S>>>;

/// Steps with what was drawn in them.
type Steps<E> = [(StepOf<E>, Vec<u32>)];

/// Looks at critical sections: of local mutual exclusion not at all, a step of it costs nothing more.
pub(super) trait Entries<E: Exclusion, S: CriticalSection>: Observer<E, S> {
    /// Of the run of a world, from its start.
    fn new(world: &World<E, S>) -> Self;

    /// What stands in the record.
    fn section(&self) -> Option<Section>;

    /// When which node was inside.
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

impl<E: Vocabulary, S: CriticalSection> Entries<E, S> for (EntryFigures, InsideFigures) {
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

/// A section that runs under this algorithm.
pub(super) trait Under<E: Exclusion>: Tallied {
    /// What looks at critical sections besides the figures of all runs.
    type Entries: Entries<E, Self>;

    /// The scheduler of a run: the plan has one that runs under the algorithm.
    fn scheduler(schedule: &Schedule) -> Box<dyn Scheduler<E, Self>>;

    /// All properties that are checked.
    fn properties() -> Properties<E, Self>;

    /// Explores every run.
    fn explore(
        instance: (Instance<E, Self>, &Seating),
        reductions: Reductions,
        options: &Options,
        progress: &mut dyn FnMut(&SearchProgress) -> ControlFlow<()>,
    ) -> Result<Report<E>, RefusedInstance>;

    /// Walks at random.
    fn walk(
        instance: (Instance<E, Self>, &Seating),
        walks: &Walks,
        progress: &mut dyn FnMut(u64) -> ControlFlow<()>,
    ) -> Result<Walked<E>, RefusedInstance>;

    /// Tells steps in words.
    fn narrate(world: &mut World<E, Self>, steps: &Steps<E>) -> Vec<String>;
}

/// What `acrasin-verify` has compiled.
impl<S: Tallied> Under<Local> for S {
    type Entries = ();

    fn scheduler(schedule: &Schedule) -> Box<dyn Scheduler<Local, Self>> {
        <S as Tallied>::scheduler(&**schedule.scheduler())
    }

    fn properties() -> Properties<Local, Self> {
        <S as ShippedSection>::properties()
    }

    fn explore(
        (instance, _): (Instance<Local, Self>, &Seating),
        reductions: Reductions,
        options: &Options,
        progress: &mut dyn FnMut(&SearchProgress) -> ControlFlow<()>,
    ) -> Result<Report<Local>, RefusedInstance> {
        <S as ShippedSection>::explore(instance, reductions, options, progress)
    }

    fn walk(
        (instance, _): (Instance<Local, Self>, &Seating),
        walks: &Walks,
        progress: &mut dyn FnMut(u64) -> ControlFlow<()>,
    ) -> Result<Walked<Local>, RefusedInstance> {
        <S as ShippedSection>::walk(instance, walks, progress)
    }

    fn narrate(world: &mut World<Local, Self>, steps: &Steps<Local>) -> Vec<String> {
        <S as ShippedSection>::narrate(world, steps)
    }
}

macro_rules! under {
    ($algorithm:ty, $section:ty) => {
        impl Under<$algorithm> for $section {
            type Entries = (EntryFigures, InsideFigures);

            fn scheduler(schedule: &Schedule) -> Box<dyn Scheduler<$algorithm, Self>> {
                schedule.under().expect("the plan refuses other schedulers")
            }

            fn properties() -> Properties<$algorithm, Self> {
                <$algorithm as Checked>::properties()
            }

            fn explore(
                (instance, seating): (Instance<$algorithm, Self>, &Seating),
                reductions: Reductions,
                options: &Options,
                progress: &mut dyn FnMut(&SearchProgress) -> ControlFlow<()>,
            ) -> Result<Report<$algorithm>, RefusedInstance> {
                let properties = <Self as Under<$algorithm>>::properties();
                let model = Locks::seated(instance, seating, &properties)?.with_reductions(reductions)?;
                Ok(check(&model, options, progress))
            }

            fn walk(
                (instance, seating): (Instance<$algorithm, Self>, &Seating),
                walks: &Walks,
                progress: &mut dyn FnMut(u64) -> ControlFlow<()>,
            ) -> Result<Walked<$algorithm>, RefusedInstance> {
                let properties = <Self as Under<$algorithm>>::properties();
                Ok(Locks::seated(instance, seating, &properties)?.walk(walks, progress))
            }

            fn narrate(world: &mut World<$algorithm, Self>, steps: &Steps<$algorithm>) -> Vec<String> {
                narrate(world, steps)
            }
        }
    };
}

under!(TreeToken, LockOnly);
under!(TreeToken, Interactions<Table>);
under!(LocalSections, LockOnly);
under!(LocalSections, Interactions<Table>);
