//! Tests of counts over time: one row at every requested moment until the end.

use std::path::Path;

use acrasin_report::record::Exit;
use acrasin_report::series::Series;
use acrasin_scenario::{Catalogue, Finished, Job, ScenarioFile, Unwatched};

use crate::support::number;

fn run_in(text: &str, seed: u64, base: &Path) -> Finished {
    let file = ScenarioFile::parse(text, "samples.ron", &[]).unwrap_or_else(|error| panic!("{error}"));
    let plan = file.plan(&Catalogue::shipped(), base, 1 << 32).unwrap_or_else(|error| panic!("{error}"));
    plan.run(Job { seed, repetition: 0, watch: &Unwatched, record: None }).unwrap()
}

fn run(text: &str, seed: u64) -> Finished {
    run_in(text, seed, ".".as_ref())
}

fn times(series: &Series) -> Vec<f64> {
    series.rows().map(|row| row.time).collect()
}

/// All multiples of a distance up to the end, and the end.
fn moments(distance: f64, end: f64) -> Vec<f64> {
    let mut moments: Vec<f64> =
        (0..).map(|number| f64::from(number) * distance).take_while(|&time| time < end).collect();
    moments.push(end);
    moments
}

/// Regression: there were no rows between the last reaction and the end.
#[test]
fn there_are_rows_after_the_last_reaction() {
    let text = r#"(reactions: (species: ["N"], rules: [("N ->", 1.0)], initial: {"N": 1}), stop: [Time(3.0)],
        observe: (counts_every: Time(0.5)))"#;
    for seed in 0..20 {
        let series = run(text, seed).series.unwrap();
        assert_eq!(times(&series), [0.0, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0], "{seed}");
        let counts: Vec<u64> = series.rows().map(|row| row.counts[0]).collect();
        assert!(counts.is_sorted_by(|a, b| a >= b) && counts[0] == 1, "{counts:?}");
    }
    let text = text.replace("Time(3.0)", "Time(2.0)").replace("Time(0.5)", "Time(0.75)");
    assert_eq!(times(&run(&text, 1).series.unwrap()), [0.0, 0.75, 1.5, 2.0]);
}

/// The mean of 10 molecules that decay at rate 1 is 10 e^-t. Regression: averages over rows only included runs with
/// further reactions.
#[test]
fn the_mean_over_rows_is_the_mean_over_runs() {
    let text = r#"(reactions: (species: ["N"], rules: [("N ->", 1.0)], initial: {"N": 10}), stop: [Time(3.0)],
        observe: (counts_every: Time(0.5)))"#;
    let runs = 3000;
    let (mut sum, mut rows) = (0, 0);
    for seed in 0..runs {
        let series = run(text, seed).series.unwrap();
        for row in series.rows().filter(|row| row.time == 2.5) {
            sum += row.counts[0];
            rows += 1;
        }
    }
    assert_eq!(rows, runs);
    let share = (-2.5_f64).exp();
    let (mean, expected) = (sum as f64 / runs as f64, 10.0 * share);
    let deviation = (10.0 * share * (1.0 - share) / runs as f64).sqrt();
    assert!((expected - 0.8208).abs() < 1e-4);
    assert!((mean - expected).abs() < 5.0 * deviation, "{mean} instead of {expected}");
}

/// If there are more rows than are kept, those in between are skipped at no cost.
#[test]
fn a_fine_grid_is_thinned_evenly_to_the_end() {
    let text = r#"(reactions: (species: ["N"], rules: [("N ->", 1.0)], initial: {"N": 3}), stop: [Time(1000.0)],
        observe: (counts_every: Time(1e-6)))"#;
    let series = run(text, 1).series.unwrap();
    let times = times(&series);
    assert_eq!((series.pushed(), times[times.len() - 1]), (1_000_000_001, 1000.0));
    assert!(times.len() > 1900, "{}", times.len());
    let step = times[1];
    let regular = times.iter().enumerate().take(times.len() - 1);
    regular.for_each(|(number, time)| assert!((time - number as f64 * step).abs() < 1e-9 * time.max(1.0)));
}

const EPIDEMIC: &str = r#"work: Interactions(protocol: Library(name: "one-way-epidemic"), initial: "#;

/// Two contacts with a gap of hours. Regression: rounds that passed in one turn had no rows.
#[test]
fn there_are_rows_while_no_node_is_in_contact() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("trace.tsv"), "0 0 1\n6000 1 2\n").unwrap();
    let text = |scheduler: &str, stop: &str| {
        format!(
            "(topology: Contacts(path: \"trace.tsv\", format: Instants(resolution: 20), rounds_per_step: 40), {scheduler}, \
             {EPIDEMIC} Nodes(states: {{\"I\": [0]}}, rest: \"S\")), observe: (counts_every: Rounds(1000)), stop: [{stop}])"
        )
    };
    for scheduler in [
        "scheduler: SemiSynchronous(activation: Random(0.5))",
        "scheduler: SemiSynchronous(activation: All)",
        "scheduler: Sequential",
        "scheduler: Asynchronous",
        "scheduler: SemiSynchronous(activation: All), rung: F3",
        "scheduler: UniformPairs",
    ] {
        let finished = run_in(&text(scheduler, "TraceEnd"), 1, folder.path());
        let series = finished.series.as_ref().unwrap();
        let end = number(&finished, "work.rounds") as f64;
        assert_eq!(times(series), moments(1000.0, end), "{scheduler}");
        // Nothing happens between the contacts; the second one begins in round 12 000.
        let during: Vec<u64> =
            series.rows().skip(1).take(11).map(|row| row.counts.iter().copied().min().unwrap()).collect();
        assert!(during.iter().all(|count| *count == during[0]), "{scheduler}: {during:?}");
        // A run ends in the requested round, although no nodes are in contact then.
        let finished = run_in(&text(scheduler, "Rounds(5500)"), 1, folder.path());
        assert_eq!(number(&finished, "work.rounds"), 5500, "{scheduler}");
        assert_eq!(times(&finished.series.unwrap()), moments(1000.0, 5500.0), "{scheduler}");
    }
}

/// A turn of many interactions has a row for each moment in it, with the configuration up to that moment.
#[test]
fn no_moment_is_passed_over_by_a_round() {
    for (scheduler, every) in [
        ("scheduler: SemiSynchronous(activation: All)", "Interactions(3)"),
        ("scheduler: SemiSynchronous(activation: Random(0.5))", "Interactions(7)"),
        ("scheduler: SemiSynchronous(activation: All)", "Steps(100)"),
        ("scheduler: SemiSynchronous(activation: All), rung: F3", "Interactions(3)"),
        ("scheduler: Waves, rung: F1", "Interactions(2)"),
        ("scheduler: Sequential", "Interactions(5)"),
        ("scheduler: Asynchronous", "Steps(97)"),
        ("scheduler: UniformPairs", "Interactions(5)"),
        ("scheduler: RandomMatchings", "Rounds(2)"),
    ] {
        let text = format!(
            "(topology: Torus(rows: 6, columns: 6), {scheduler}, {EPIDEMIC} Counts({{\"I\": 1, \"S\": 35}})), \
             observe: (counts_every: {every}), stop: [OutputsAgree])"
        );
        let finished = run(&text, 4);
        let series = finished.series.as_ref().unwrap();
        let (what, distance) = every.trim_end_matches(')').split_once('(').unwrap();
        let distance: f64 = distance.parse().unwrap();
        let (distance, end) = match what {
            "Interactions" => (distance / 36.0, number(&finished, "work.interactions") as f64 / 36.0),
            "Rounds" => (distance, number(&finished, "work.rounds") as f64),
            _ => (distance, number(&finished, "work.steps") as f64),
        };
        let (found, expected) = (times(series), moments(distance, end));
        assert_eq!(found.len(), expected.len(), "{scheduler}, {every}");
        let is_same = |(found, expected): (&f64, &f64)| (found - expected).abs() < 1e-9;
        assert!(found.iter().zip(&expected).all(is_same), "{scheduler}, {every}: {found:?}");
        if what == "Interactions" {
            let infected = series.columns().iter().position(|name| name == "I").unwrap();
            // An interaction infects at most one agent, so a row cannot include later events.
            for row in series.rows() {
                assert!(row.counts[infected] as f64 <= 1.0 + row.time * 36.0 + 1e-9, "{scheduler}: {row:?}");
            }
        }
    }
}

#[test]
fn a_limit_has_its_rows_up_to_it() {
    let text = format!(
        "(topology: Complete(nodes: 100), scheduler: UniformPairs, {EPIDEMIC} All(\"S\")), \
         observe: (counts_every: Interactions(50)), stop: [Counts(\"I > 0\")], limits: (interactions: 1030))"
    );
    let finished = run(&text, 1);
    assert_eq!(finished.record.outcome().exit, Exit::BudgetExhausted);
    assert_eq!(times(&finished.series.unwrap()), moments(0.5, 10.3));
}

#[test]
fn amoebots_have_a_row_every_so_many_steps() {
    for execution in
        ["Sequential(activation: Uniform)", "Waves", "Rounds(Synchronous)", "Concurrent(locks: TryLocks)"]
    {
        let text = format!(
            "(amoebots: (algorithm: Hexagon, start: Blob(count: 30, acceptance: 0.5)), execution: {execution}, \
             stop: Steps(100), observe: (counts_every: 7))"
        );
        let finished = run(&text, 3);
        let found = times(finished.series.as_ref().unwrap());
        let end = found[found.len() - 1];
        assert_eq!(found, moments(7.0, end), "{execution}");
    }
}
