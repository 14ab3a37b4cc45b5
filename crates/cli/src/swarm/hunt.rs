//! Executes the runs of all seeds, and shrinks the first failing run.

use acrasin_catalogue::counted;
use std::cell::Cell;
use std::num::NonZeroUsize;
use std::ops::{ControlFlow, Range};

use acrasin_report::record::Exit;
use acrasin_scenario::Proceed;
use acrasin_verify::swarm::{Counterexample, Effort, ShippedSwarm, Summary, SystemUnderTest, Variants};
use acrasin_verify::wrong::{SectionFault, TokenFault, with_fault};

use super::arguments::{SwarmAlgorithm, SwarmArguments};
use super::covered::UnexpectedCells;
use super::results::{self, FirstFailure, SwarmResults};
use super::wrong::WrongRules;
use crate::output::{self, Verbosity};
use crate::progress::ProgressLine;
use crate::recording::Recording;
use crate::supervisor::Supervisor;
use crate::{Failure, interrupt, memory};

pub(crate) fn swarm(arguments: &SwarmArguments, verbosity: Verbosity) -> Result<Exit, Failure> {
    let (local, token, section) = match (arguments.wrong, arguments.exclusion) {
        (Some(WrongRules::Local(entry)), _) => {
            let fault = entry.fault;
            (Some(SystemUnderTest::new(entry.name, move |local| with_fault(local, fault))), None, None)
        }
        (Some(WrongRules::Token(entry)), _) => (None, Some(entry.fault), None),
        (Some(WrongRules::Section(entry)), _) => (None, None, Some(entry.fault)),
        (None, SwarmAlgorithm::Local) => (Some(SystemUnderTest::rules(arguments.rules.rules())), None, None),
        (None, SwarmAlgorithm::TreeToken) => (None, Some(TokenFault::None), None),
        (None, SwarmAlgorithm::CriticalSection) => (None, None, Some(SectionFault::None)),
    };
    match (local, token, section) {
        (Some(subject), ..) => hunt(Variants::new(vec![subject]), arguments, verbosity),
        (_, Some(fault), _) => hunt(Variants::tree_token(fault), arguments, verbosity),
        (.., fault) => {
            let fault = fault.expect("one of the three");
            hunt(Variants::critical_section(fault), arguments, verbosity)
        }
    }
}

fn hunt<E: ShippedSwarm>(
    variants: Variants<E>,
    arguments: &SwarmArguments,
    verbosity: Verbosity,
) -> Result<Exit, Failure> {
    let seeds = seeds(arguments)?;
    let variants = if arguments.no_invariants { variants } else { variants.map(E::with_invariants) };
    let recording =
        arguments.record.as_deref().map(|path| Recording::new(path, arguments.max_time)).transpose()?;
    let threads = memory::threads(arguments.threads, 0, verbosity);
    let threads = NonZeroUsize::new(threads.into()).unwrap_or(NonZeroUsize::MIN);
    interrupt::a_run_begins();
    verbosity.explain(format_args!(
        "{} on {}",
        counted(arguments.runs, "run"),
        counted(threads.get(), "thread")
    ));
    let supervisor = Supervisor::new(arguments.max_time, ProgressLine::new(1, verbosity));
    let summary = run_all(&variants, seeds, threads, &supervisor);
    supervisor.progress().finish();
    let summary = summary?;

    let first = summary.failures.first().map(|&(seed, _)| {
        let subject = variants.of_seed(seed);
        let plan = subject.plan(seed);
        let failed = E::run(subject, &plan);
        // A run is a function of the rules and the plan.
        let is_cut = Cell::new(false);
        let goes_on = || {
            is_cut.set(is_cut.get() || supervisor.verdict() != Proceed::Continue);
            !is_cut.get()
        };
        let small = E::shrink(subject, &failed, Effort::default(), &goes_on);
        let small = small.expect("it has failed, and fails again");
        if is_cut.get() {
            verbosity.say(format_args!(
                "note: the failing run could be shorter: --seed {seed} --runs 1 shrinks it to the end"
            ));
        }
        (plan, small, subject)
    });
    let covered = UnexpectedCells::of::<E>(&summary, arguments.is_repaired());
    let asked = SwarmResults { arguments, summary: &summary, covered: &covered };
    let told = first.as_ref().map(|(plan, small, subject)| FirstFailure {
        plan,
        small,
        subject,
        told: E::tell(subject, small),
    });
    output::print(&results::shown(&asked, told.as_ref()))?;
    for line in covered.complaints() {
        verbosity.say(line);
    }
    keep(recording, first.as_ref().map(|(_, small, subject)| (small, *subject)), arguments, verbosity)?;
    Ok(exit(&summary, &covered, arguments))
}

/// The seeds of the runs: from `--seed` on, one for each run.
fn seeds(arguments: &SwarmArguments) -> Result<Range<u64>, Failure> {
    let SwarmArguments { seed, runs, .. } = *arguments;
    match seed.checked_add(runs) {
        Some(end) => Ok(seed..end),
        None => {
            Err(Failure::usage(format_args!("--seed {seed} leaves no seeds for {}", counted(runs, "run")))
                .accepting(format_args!("at most {}", u64::MAX - runs)))
        }
    }
}

fn run_all<E: ShippedSwarm>(
    variants: &Variants<E>,
    seeds: Range<u64>,
    threads: NonZeroUsize,
    supervisor: &Supervisor,
) -> Result<Summary, Failure> {
    let total = seeds.end - seeds.start;
    let summary = E::run_variants(variants, seeds, threads, &mut |runs| {
        supervisor.progress().show_part(runs as f64 / total as f64, || format!("{runs} of {total} runs"));
        match supervisor.verdict() {
            Proceed::Continue => ControlFlow::Continue(()),
            _ => ControlFlow::Break(()),
        }
    });
    summary.map_err(Failure::of_machine)
}

/// Whether the algorithm is local mutual exclusion.
fn is_local(arguments: &SwarmArguments) -> bool {
    arguments.exclusion == SwarmAlgorithm::Local
        && matches!(arguments.wrong, None | Some(WrongRules::Local(_)))
}

/// Writes the recording of the first failing run, if there is one and `--record` is given.
fn keep<E: ShippedSwarm>(
    recording: Option<Recording>,
    small: Option<(&Counterexample<E>, &SystemUnderTest<E>)>,
    arguments: &SwarmArguments,
    verbosity: Verbosity,
) -> Result<(), Failure> {
    match (recording, small) {
        (Some(mut recording), Some((small, subject))) => {
            E::write(subject, small, recording.sink()).map_err(Failure::of_machine)?;
            recording.publish(true, verbosity)?;
            verbosity.say(format_args!("the recorded run fails with: {}", small.kind()));
            if !is_local(arguments) {
                verbosity.say(
                    "note: acrasin replay does not support this algorithm; in Rust, \
                               Counterexample::read_under does",
                );
            } else if arguments.wrong.is_some() {
                verbosity
                    .say("note: acrasin replay knows only the shipped rules, and will report a difference");
            }
        }
        (Some(_), None) => verbosity.say("no run failed: no run is recorded"),
        (None, Some(_)) if arguments.wrong.is_some() || !is_local(arguments) => {}
        (None, Some(_)) => verbosity.say("--record FILE keeps this run for acrasin replay"),
        (None, None) => {}
    }
    Ok(())
}

/// The exit status. A failed run decides it, even if the other runs were not completed.
fn exit(summary: &Summary, covered: &UnexpectedCells, arguments: &SwarmArguments) -> Exit {
    if summary.failed > 0 || covered.has_failed() {
        return Exit::Failed;
    }
    match summary.runs < arguments.runs {
        true if interrupt::is_asked_to_stop() => Exit::Interrupted,
        true => Exit::BudgetExhausted,
        false => Exit::Done,
    }
}
