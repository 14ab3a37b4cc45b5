//! The shipped algorithm over the sections that scenarios have, compiled here.

use std::ops::ControlFlow;

use acrasin_protocols::Table;
use acrasin_protocols::locked::Interactions;
use acrasin_runtime::exclusion::local::Local;
use acrasin_runtime::{LockOnly, StepOf, World};

use super::check::{Options, Report, check};
use super::instance::{ExploredSection, Instance};
use super::model::Locks;
use super::reduction::Reductions;
use super::refused::RefusedInstance;
use super::trace::narrate;
use super::walks::{Walked, Walks};
use crate::properties::{self, Property};
use acrasin_explore::SearchProgress;

/// A critical section whose exploration under the shipped algorithm is part of this crate: generic code is compiled
/// where its types are named, and the explorer with the whole lock layer in it is the most there is of it.
pub trait ShippedSection: ExploredSection {
    /// [`check`], with [all properties](properties::all).
    ///
    /// # Errors
    ///
    /// [`RefusedInstance`] if there is no such instance, or not these reductions of it.
    fn explore(
        instance: Instance<Local, Self>,
        reductions: Reductions,
        options: &Options,
        progress: &mut dyn FnMut(&SearchProgress) -> ControlFlow<()>,
    ) -> Result<Report<Local>, RefusedInstance>;

    /// [`Locks::walk`], with [all properties](properties::all).
    ///
    /// # Errors
    ///
    /// [`RefusedInstance`] if there is no such instance.
    fn walk(
        instance: Instance<Local, Self>,
        walks: &Walks,
        progress: &mut dyn FnMut(u64) -> ControlFlow<()>,
    ) -> Result<Walked<Local>, RefusedInstance>;

    /// [`narrate`].
    ///
    /// # Panics
    ///
    /// Panics if a step cannot be taken.
    fn narrate(world: &mut World<Local, Self>, steps: &[(StepOf<Local>, Vec<u32>)]) -> Vec<String>;

    /// [All properties](properties::all).
    fn properties() -> Vec<Box<dyn Property<Local, Self>>>;
}

macro_rules! shipped {
    ($section:ty) => {
        impl ShippedSection for $section {
            fn explore(
                instance: Instance<Local, Self>,
                reductions: Reductions,
                options: &Options,
                progress: &mut dyn FnMut(&SearchProgress) -> ControlFlow<()>,
            ) -> Result<Report<Local>, RefusedInstance> {
                let properties = properties::all();
                let model = Locks::new(instance, &properties)?.with_reductions(reductions)?;
                Ok(check(&model, options, progress))
            }

            fn walk(
                instance: Instance<Local, Self>,
                walks: &Walks,
                progress: &mut dyn FnMut(u64) -> ControlFlow<()>,
            ) -> Result<Walked<Local>, RefusedInstance> {
                let properties = properties::all();
                Ok(Locks::new(instance, &properties)?.walk(walks, progress))
            }

            fn narrate(world: &mut World<Local, Self>, steps: &[(StepOf<Local>, Vec<u32>)]) -> Vec<String> {
                narrate(world, steps)
            }

            fn properties() -> Vec<Box<dyn Property<Local, Self>>> {
                properties::all()
            }
        }
    };
}

shipped!(LockOnly);
shipped!(Interactions<Table>);

#[cfg(test)]
mod tests {
    use super::*;

    use acrasin_runtime::Demand;

    fn edge() -> Instance<Local, LockOnly> {
        Instance::new(
            Local::new(1).with_priorities(2).unwrap(),
            LockOnly,
            &[(0, 1)],
            vec![Demand::Times(1); 2],
        )
    }

    const OPTIONS: Options =
        Options { bytes: 1 << 28, configurations: u64::MAX, liveness: true, stop_at_first: false };

    fn go_on(_: &SearchProgress) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    #[test]
    fn the_answers_are_those_of_check() {
        let properties = LockOnly::properties();
        let generic = check(&Locks::new(edge(), &properties).unwrap(), &OPTIONS, go_on);
        let shipped = LockOnly::explore(edge(), Reductions::NONE, &OPTIONS, &mut go_on).unwrap();
        assert_eq!(shipped.exploration.configurations(), 6_625);
        assert_eq!(shipped.exploration.configurations(), generic.exploration.configurations());
        assert_eq!(shipped.answers, generic.answers);
    }

    #[test]
    fn what_cannot_be_explored_is_refused() {
        let none =
            |instance, reductions| LockOnly::explore(instance, reductions, &OPTIONS, &mut go_on).unwrap_err();
        let large = none(Instance { edges: vec![(0, 7)], ..edge() }, Reductions::NONE);
        assert!(matches!(large, RefusedInstance::Topology(_)), "{large}");
        // Nodes without edges, all alike: 8! symmetries.
        let alike = Instance { nodes: 8, edges: Vec::new(), states: vec![Demand::Times(1); 8], ..edge() };
        let refused = none(alike, Reductions { symmetry: true, ..Reductions::NONE });
        assert!(matches!(refused, RefusedInstance::Reduction(_)), "{refused}");
    }
}
