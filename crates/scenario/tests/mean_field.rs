//! Tests of the mean-field limit next to counts: `observe: (mean_field: true)`.

use std::path::Path;

use acrasin_report::plot::{PlotOptions, plot_svg};
use acrasin_report::series::Series;
use acrasin_scenario::{
    Catalogue, Document, Job, Plan, ReactionPlan, Runnable, ScenarioFile, UniformPlan, Unwatched,
};

fn series(text: &str) -> Series {
    let plan: Box<dyn Runnable> = match ScenarioFile::parse(text, "field.ron", &[]).unwrap() {
        ScenarioFile::Reactions(document) => Box::new(ReactionPlan::new(&document).unwrap()),
        ScenarioFile::Population(document) => {
            Box::new(UniformPlan::within(&Catalogue::shipped(), &document, Path::new(""), 1 << 32).unwrap())
        }
        ScenarioFile::Amoebots(_) => panic!("amoebots"),
    };
    plan.run(Job { seed: 5, repetition: 0, watch: &Unwatched, record: None }).unwrap().series.unwrap()
}

/// The largest distance between counts and interpolated curves, in units of sqrt(n).
fn distance(series: &Series, agents: f64) -> f64 {
    let points = series.curves().expect("curves").points();
    let mut most = 0.0_f64;
    for row in series.rows() {
        let after = points.partition_point(|(time, _)| *time < row.time).clamp(1, points.len() - 1);
        let ((t0, before), (t1, behind)) = (&points[after - 1], &points[after]);
        let part = (row.time - t0) / (t1 - t0);
        for (&count, (low, high)) in row.counts.iter().zip(before.iter().zip(behind)) {
            most = most.max((count as f64 - (low + part * (high - low))).abs() / agents.sqrt());
        }
    }
    most
}

fn majority(scheduler: &str, topology: &str, rest: &str) -> String {
    format!(
        "(topology: {topology}, scheduler: {scheduler}, work: Interactions(protocol: Library(name: \"approximate-majority\"), \
         initial: Shares({{\"A\": 0.6, \"B\": 0.4}})), stop: [Silent], observe: (mean_field: true){rest})"
    )
}

/// Approximate majority with a million agents stays within its fluctuations of the curves. So do molecules with the
/// same rates, but not with a different rate.
#[test]
fn a_million_agents_stay_near_the_curves_of_their_plot() {
    let agents = series(&majority("UniformPairs", "Complete(nodes: 1e6)", ""));
    let found = distance(&agents, 1e6);
    assert!(found < 6.0, "{found} sqrt(n)");
    let svg = plot_svg(&agents, &PlotOptions::new("Majority")).unwrap();
    assert!(svg.contains("mean field"));
    let molecules = |cancel: f64| {
        series(&format!(
            "(reactions: (species: [\"A\", \"B\", \"U\"], rules: [(\"A + B -> 2 U\", {cancel:?}), (\"A + U -> 2 A\", 2.0), \
             (\"B + U -> 2 B\", 2.0)], volume: 1e6, initial: {{\"A\": 600_000, \"B\": 400_000}}), stop: [Time(15.0)], \
             observe: (counts_every: Time(0.1), mean_field: true))"
        ))
    };
    let right = molecules(2.0);
    let found = distance(&right, 1e6);
    assert!(found < 6.0, "{found} sqrt(n)");
    // The curves of another law next to these counts.
    let wrong = right.with_curves(molecules(2.2).curves().unwrap().clone());
    let found = distance(&wrong, 1e6);
    assert!(found > 6.0, "{found} sqrt(n)");
}

/// Curves do not change the counts, and are absent unless requested.
#[test]
fn curves_change_no_count() {
    let with = majority("UniformPairs", "Complete(nodes: 200)", "");
    let (with, without) = (series(&with), series(&with.replace(", observe: (mean_field: true)", "")));
    assert!(with.rows().eq(without.rows()) && without.curves().is_none());
}

#[test]
fn where_no_limit_is_known_none_is_drawn() {
    let place = |text: &str| text.find("true").map(|at| at as u32 + 1);
    for text in [
        majority("UniformPairs", "Ring(nodes: 9)", ""),
        majority("RandomMatchings", "Complete(nodes: 10)", ""),
        majority("UniformPairs", "Complete(nodes: 10)", ", faults: [Crash(rate: 0.1)]"),
    ] {
        let document = Document::parse(&text, "field.ron").unwrap();
        let error =
            UniformPlan::within(&Catalogue::shipped(), &document, Path::new(""), 1 << 30).unwrap_err();
        assert!(
            error.message().starts_with(
                "the mean-field limit is not available here: it needs uniform pairs on Complete"
            ),
            "{error}"
        );
        assert_eq!((error.line(), error.column()), (Some(1), place(&text)), "{error}");
    }
    let text = majority("Sequential", "Ring(nodes: 10)", "");
    let error = Plan::new(&Document::parse(&text, "field.ron").unwrap(), Path::new("")).unwrap_err();
    assert_eq!((error.line(), error.column()), (Some(1), place(&text)), "{error}");
    assert!(error.message().contains("under locks"), "{error}");
}

/// Molecules that an event adds appear as a jump of the curves at its time.
#[test]
fn events_are_jumps_of_the_curves() {
    let text = "(reactions: (species: [\"A\"], rules: [(\"A ->\", 1.0)], volume: 10, initial: {\"A\": 1000}, \
                events: [(at: 0.0, add: {\"A\": 1000}), (at: 1.0, every: 1.5, add: {\"A\": 3000})]), stop: [Time(3.0)], \
                observe: (mean_field: true))";
    let found = series(text);
    let points = found.curves().unwrap().points();
    assert_eq!(points.last().unwrap().0, 3.0, "{:?}", found.rows().last());
    let decay = |time: f64| (-time).exp();
    for (time, values) in points {
        let after = |at: f64| if *time > at { 3000.0 * decay(time - at) } else { 0.0 };
        let expected = 2000.0 * decay(*time) + after(1.0) + after(2.5);
        let is_jump = [1.0, 2.5].contains(time) && (values[0] - expected - 3000.0).abs() < 1e-3;
        assert!((values[0] - expected).abs() < 1e-3 || is_jump, "{time}: {values:?}, not {expected}");
    }
    for (jump, count) in [(0.0, 1), (1.0, 2), (2.5, 2)] {
        let there: Vec<f64> =
            points.iter().filter(|(time, _)| *time == jump).map(|(_, values)| values[0]).collect();
        assert!(there.len() >= count && there.iter().any(|&value| value > 1000.0), "{jump}: {there:?}");
    }
    let found = distance(&found, 4000.0);
    assert!(found < 6.0, "{found} sqrt(n)");
}

/// A rate that is invalid between whole numbers: the run is valid, and the curves state where they end.
#[test]
fn curves_that_end_early_say_so() {
    let text = "(reactions: (species: [\"A\"], rules: [(\"A ->\", MassAction(\"if(A == floor(A), 1, 0 / 0)\"))], \
                initial: {\"A\": 9}), stop: [Time(2.0)], observe: (mean_field: true))";
    let ScenarioFile::Reactions(document) = ScenarioFile::parse(text, "field.ron", &[]).unwrap() else {
        panic!("reactions")
    };
    let plan = ReactionPlan::new(&document).unwrap();
    let finished = plan.run(&Job { seed: 5, repetition: 0, watch: &Unwatched, record: None }).unwrap();
    assert_eq!(finished.record.outcome().word, "elapsed");
    let line = finished.record.to_json_line();
    assert!(line.contains("the solution grows beyond all bounds, or a rate is not a number"), "{line}");
    assert_eq!(finished.series.unwrap().curves().unwrap().points().len(), 1);
}
