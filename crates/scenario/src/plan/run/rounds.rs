//! Runs on the rungs of whole rounds, F1 to F3.

use acrasin_engine::Rung;
use acrasin_protocols::locked::Interactions;
use acrasin_runtime::{LockOnly, Seeded};

use super::super::build::NodeWork;
use super::state_counts::{CountedSection, StateCounts};
use super::{messages, sliced, waves};
use crate::plan::Plan;
use crate::run::{Finished, Job, RunError};

/// Runs a plan on the rung that it names.
pub(super) fn run(plan: &Plan, job: &Job<'_>) -> Result<Finished, RunError> {
    if job.record.is_some() {
        return Err(RunError::not_recorded(plan.rung));
    }
    // The states are placed as on the other rungs.
    let mut choices = Seeded::new(job.seed);
    match &plan.labour {
        NodeWork::Interactions { table, way, start } => {
            let states = start.place(&mut choices);
            let tally = StateCounts::new(table, &states);
            begin(plan, job, choices, (Interactions::new(table.clone(), *way), states, tally))
        }
        NodeWork::Locks { demands } => {
            begin(plan, job, choices, (LockOnly, demands.clone(), StateCounts::of_locks()))
        }
    }
}

fn begin<S: CountedSection>(
    plan: &Plan,
    job: &Job<'_>,
    choices: Seeded,
    start: (S, Vec<S::State>, StateCounts),
) -> Result<Finished, RunError> {
    let (graph, ports) = plan.terrain.of_run(job.seed)?;
    let place = (plan, &*graph, ports);
    match plan.rung {
        Rung::F1 => waves::run(place, job, start),
        Rung::F2 => {
            let lattice = plan.lattice.expect("the rung is refused elsewhere");
            sliced::run((plan, &graph, lattice), job, start)
        }
        Rung::F3 => messages::run(place, job, choices, start),
        rung => unreachable!("rung {rung} does not run whole rounds here"),
    }
}
