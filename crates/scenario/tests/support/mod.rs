//! Helpers: plans and runs from texts, and errors with marked positions.

#![allow(dead_code, reason = "each test file uses a part of it")]

use std::hash::{Hash, Hasher as _};
use std::path::Path;

use acrasin_graphs::{Graph, GraphParameterError};
use acrasin_report::record::{Exit, FigureValue, RunRecord};
use acrasin_report::value::Value;
use acrasin_runtime::Topology;
use acrasin_runtime::digest::DigestWriter;
use acrasin_scenario::plan::{Finished, Job, Plan, Unwatched};
use acrasin_scenario::{Document, DocumentError};

/// Stop conditions of an epidemic that starts at one node, and the outcome of each.
pub(crate) fn stops(rounds: u32, interactions: u32) -> [(String, &'static str); 6] {
    [
        (format!("Rounds({rounds})"), "rounds"),
        (format!("Locks({interactions})"), "locks"),
        (format!("Interactions({interactions})"), "interactions"),
        ("Counts(\"I >= 10\")".to_owned(), "counts"),
        ("OutputsAgree".to_owned(), "agreed"),
        ("Silent".to_owned(), "silent"),
    ]
}

/// The plan of a text, or its error.
pub(crate) fn try_plan_in(text: &str, base: &Path) -> Result<Plan, DocumentError> {
    let document = Document::parse(text, "run.ron").unwrap_or_else(|error| panic!("{error}"));
    Plan::new(&document, base)
}

#[track_caller]
pub(crate) fn plan_in(text: &str, base: &Path) -> Plan {
    try_plan_in(text, base).unwrap_or_else(|error| panic!("{error}"))
}

#[track_caller]
pub(crate) fn plan(text: &str) -> Plan {
    plan_in(text, ".".as_ref())
}

pub(crate) fn run(plan: &Plan, seed: u64) -> Finished {
    plan.run(Job { seed, repetition: 0, watch: &Unwatched, record: None }).unwrap()
}

/// The run on 1, 2, 3 and 7 threads, which must give equal results.
#[track_caller]
pub(crate) fn same_on_all_threads(plan: &Plan, seed: u64) -> Finished {
    let on = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| run(plan, seed))
    };
    let first = on(1);
    for threads in [2, 3, 7] {
        let other = on(threads);
        assert_eq!((&first.record, &first.series), (&other.record, &other.series), "{threads} threads");
    }
    first
}

pub(crate) fn ended(finished: &Finished) -> (&str, Exit) {
    let outcome = finished.record.outcome();
    (&outcome.word, outcome.exit)
}

/// The figure `section.key` of a record.
#[track_caller]
pub(crate) fn figure(record: &RunRecord, path: &str) -> Value {
    let (section, key) = path.split_once('.').unwrap();
    let section = record.body().iter().find(|found| found.key() == section);
    let figures = section.unwrap_or_else(|| panic!("no section of {path}")).figures();
    match figures.iter().find(|figure| figure.key() == key).map(|figure| figure.value()) {
        Some(FigureValue::One(value)) => value.clone(),
        other => panic!("{path}: {other:?}"),
    }
}

#[track_caller]
pub(crate) fn number(finished: &Finished, path: &str) -> u64 {
    match figure(&finished.record, path) {
        Value::Integer(number) => number,
        other => panic!("{path}: {other:?}"),
    }
}

#[track_caller]
pub(crate) fn text_of(finished: &Finished, path: &str) -> String {
    match figure(&finished.record, path) {
        Value::Text(text) => text,
        other => panic!("{path}: {other:?}"),
    }
}

pub(crate) fn digest(finished: &Finished) -> String {
    text_of(finished, "digest.configuration")
}

/// The graph of a family, with as many ports as its largest degree.
pub(crate) fn topology(graph: Result<Graph, GraphParameterError>) -> Topology {
    let graph = graph.unwrap();
    Topology::from_edges(graph.nodes(), graph.degree_max() as u16, graph.edges()).unwrap()
}

/// The digest of these states in a record.
pub(crate) fn digest_of<T: Hash>(states: &[T]) -> String {
    let mut writer = DigestWriter::new();
    writer.write_u64(states.len() as u64);
    states.iter().for_each(|state| state.hash(&mut writer));
    writer.digest().to_string()
}

/// The error of a text in which `«…»` marks the part that the error must underline.
#[track_caller]
pub(crate) fn marked_in(text: &str, base: &Path) -> DocumentError {
    let start = text.find('«').expect("a mark");
    let end = text.find('»').expect("its end");
    let before = &text[..start];
    let line = 1 + before.matches('\n').count() as u32;
    let column = 1 + before.rsplit('\n').next().unwrap().chars().count() as u32;
    let length = text[start + '«'.len_utf8()..end].chars().count() as u32;
    let error = try_plan_in(&text.replace(['«', '»'], ""), base).expect_err("the plan is refused");
    let place = error.place().unwrap();
    assert_eq!((place.line(), place.column(), place.length()), (line, column, length), "{error}");
    error
}
