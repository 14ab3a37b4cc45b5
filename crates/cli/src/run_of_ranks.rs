//! `acrasin run` over ranks: all of them make one run together.

use std::path::PathBuf;
use std::sync::Arc;

use acrasin_process::Ranks;
use acrasin_report::record::Exit;
use acrasin_scenario::{Catalogue, Runnable, ScenarioFile};

use crate::arguments::RunArguments;
use crate::batch::Batch;
use crate::output::Verbosity;
use crate::progress::ProgressLine;
use crate::rank_before_run::{PlanOfRanks, RankBeforeRun, refuse_undivided, threads_of_rank};
use crate::run::{made_for, read, run, run_on, runnable};
use crate::supervisor::Supervisor;
use crate::{Failure, interrupt, memory, setup};

/// Makes one run together with other ranks. Rank 0 prints and writes the results.
pub(crate) fn run_over_ranks(
    arguments: &RunArguments,
    catalogue: &Catalogue,
    verbosity: Verbosity,
    ranks: &Arc<dyn Ranks>,
) -> Result<Exit, Failure> {
    if ranks.count() == 1 {
        return run(arguments, catalogue, verbosity);
    }
    let rank = RankBeforeRun::new(ranks);
    if let Some(flag) = refused_flag(arguments) {
        rank.ends();
        return Err(
            Failure::usage(format_args!("{flag} with several ranks")).accepting("no such flag, or one rank")
        );
    }
    if ranks.rank() == 0 {
        return run_on(arguments, catalogue, verbosity, Some(&rank));
    }
    let begun = begun(arguments, catalogue);
    let mine = match &begun {
        Ok((file, base, ..)) => Ok(PlanOfRanks { file, base, seed: 0 }.digest()),
        Err(failure) => Err((failure.exit_code(), failure.to_string())),
    };
    // Rank 0 reports errors.
    let (Ok(()), Ok((_, _, plan))) = (rank.agree(&mine), begun) else { return Ok(Exit::Done) };
    let seed = rank.seed(0);
    let supervisor = Supervisor::new(None, ProgressLine::new(1, Verbosity::Quiet)).of_one_run();
    let supervisor = supervisor.of_ranks(Some(rank.ranks()));
    let threads = memory::threads(Some(threads_of_rank(arguments.threads)), 0, Verbosity::Quiet);
    // Errors of the run are the same on all ranks.
    let _ = Batch::new(plan, seed, 1, threads, supervisor, None).run();
    Ok(Exit::Done)
}

/// The first given flag that a run over ranks does not support.
fn refused_flag(arguments: &RunArguments) -> Option<&'static str> {
    let flags = [
        (arguments.reps > 1, "--reps"),
        (arguments.record.is_some(), "--record"),
        (arguments.checkpoint.is_some(), "--checkpoint"),
        (arguments.resume.is_some(), "--resume"),
        (arguments.dry_run, "--dry-run"),
    ];
    flags.into_iter().find(|(is_given, _)| *is_given).map(|(_, flag)| flag)
}

type Begun = (ScenarioFile, PathBuf, Arc<dyn Runnable + Send>);

fn begun(arguments: &RunArguments, catalogue: &Catalogue) -> Result<Begun, Failure> {
    let (document, base) = read(arguments.scenario.as_deref(), &arguments.set)?;
    setup::begin(made_for(&document), None);
    let plan = runnable(&document, &base, catalogue)?;
    interrupt::a_run_begins();
    refuse_undivided(&*plan)?;
    Ok((document, base, plan))
}
