//! The end of a check of every kind: prints the report, records a run to a violation, and gives the exit status.

use acrasin_report::record::Exit;
use acrasin_report::table::{Format, ResultTable};
use acrasin_report::value::TextStyle;
use acrasin_scenario::check::{CheckReport, ViolatingRun};

use super::CheckArguments;
use crate::output::{self, Verbosity};
use crate::recording::Recording;
use crate::{Failure, interrupt};

/// Prints the report, and records a run if that is requested. `text` and `rows` are called with the runs to all
/// violations as text. `kept` is the result of saving the check.
pub(super) fn conclude<W: ViolatingRun>(
    (arguments, verbosity): (&CheckArguments, Verbosity),
    report: &CheckReport<W>,
    (recording, kept): (Option<Recording>, Result<(), Failure>),
    text: impl FnOnce(&str) -> String,
    rows: impl FnOnce(&str) -> ResultTable,
) -> Result<Exit, Failure> {
    let runs = report.broken().map(|(finding, run)| run.text([finding.property, finding.source]));
    let runs: String = runs.collect();
    output::print(&match arguments.format.0 {
        Format::Table => text(&runs),
        format => rows(&runs).render(format, TextStyle::PLAIN),
    })?;
    record(recording, report, verbosity)?;
    kept?;
    Ok(exit(report))
}

/// Records a run to a violation, if that is requested.
pub(super) fn record<W: ViolatingRun>(
    recording: Option<Recording>,
    report: &CheckReport<W>,
    verbosity: Verbosity,
) -> Result<(), Failure> {
    // Prefers a run whose replay shows the violation, then the shortest.
    let first = report.broken().min_by_key(|(_, run)| (!run.fails_in_replay(), run.steps()));
    let Some((finding, run)) = first else {
        if recording.is_some() {
            verbosity.say(format_args!("no {} was found: no run is recorded", W::KIND));
        }
        return Ok(());
    };
    let Some(mut recording) = recording else {
        run.offer().into_iter().for_each(|offer| verbosity.say(offer));
        return Ok(());
    };
    let Some(bytes) = run.recording().map_err(Failure::of_machine)? else {
        verbosity.say("the check was stopped before the run could be followed again: it is not recorded");
        return Ok(());
    };
    recording.sink().write_all(&bytes).map_err(Failure::of_machine)?;
    recording.publish(true, verbosity)?;
    verbosity.say(run.recorded(finding.property));
    Ok(())
}

/// The exit status. A violation counts even if the check is incomplete.
pub(super) fn exit<W>(report: &CheckReport<W>) -> Exit {
    match report.truncated {
        _ if report.run().is_some() => Exit::Failed,
        Some(_) if interrupt::is_asked_to_stop() => Exit::Interrupted,
        Some(_) => Exit::BudgetExhausted,
        None => Exit::Done,
    }
}
