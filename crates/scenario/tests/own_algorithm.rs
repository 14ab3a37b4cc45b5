//! Tests of a catalogue with an external amoebot algorithm: it runs, is checked and is refused like those of the
//! library.

use std::path::Path;

use acrasin_amoebot::algorithm::description::{Description, Facts, Placement};
use acrasin_amoebot::library::entry::{AlgorithmEntry, Construction, Needs};
use acrasin_amoebot::library::parameter::{Parameter, ParameterError, ParameterKind};
use acrasin_amoebot::start::Contracted;
use acrasin_amoebot::{ActionError, ActionOrder, Algorithm, Convention, Effects, System, View};
use acrasin_report::value::Value;
use acrasin_runtime::choice::Choices;
use acrasin_scenario::plan::{Job, Unwatched};
use acrasin_scenario::{AmoebotDocument, AmoebotPlan, Catalogue, DocumentError, ScenarioFile};

use crate::support::figure;

/// An algorithm in which an amoebot with a marked neighbour becomes marked.
struct Flood;

impl Algorithm for Flood {
    type Memory = bool;
    type Action = ();

    fn actions(&self) -> &[()] {
        &[()]
    }

    fn order(&self) -> ActionOrder {
        ActionOrder::AsListed
    }

    fn enabled(&self, (): (), view: &View<'_, bool>) -> bool {
        !view.own() && view.neighbours().any(|neighbour| *neighbour.memory)
    }

    fn execute(&self, (): (), _: &View<'_, bool>, _: &mut dyn Choices) -> Result<Effects<bool>, ActionError> {
        Ok(Effects::none().write_own(true))
    }

    fn conventions(&self) -> &'static [Convention] {
        Convention::ALL
    }
}

/// The algorithm with this number of marked amoebots at the start.
struct Marked(u64);

impl Description for Marked {
    type Memory = bool;
    type Algorithm = Flood;

    fn algorithm(&self) -> &Flood {
        &Flood
    }

    fn facts(&self) -> Facts<'_> {
        Facts { states: &["plain", "marked"], measures: &["marked pairs"], ..Facts::default() }
    }

    fn state(&self, memory: &bool) -> usize {
        usize::from(*memory)
    }

    fn start(&self, placement: &Placement) -> Result<System<bool>, String> {
        let start = Contracted::new(&placement.cells, &placement.orientations).connected();
        start.system(|id| u64::from(id.0) < self.0).map_err(|error| error.to_string())
    }

    fn is_finished(&self, system: &System<bool>) -> bool {
        system.ids().all(|id| *system.memory(id))
    }

    fn measure(&self, system: &System<bool>) -> Vec<u64> {
        let marked = system.ids().filter(|&id| *system.memory(id)).count() as u64;
        vec![marked * (marked - 1) / 2]
    }
}

const FLOOD: AlgorithmEntry = AlgorithmEntry {
    name: "Flood",
    title: "flooding",
    summary: "amoebots: a mark spreads",
    parameters: &[Parameter::required("marked", ParameterKind::Count, "how many are marked at the start")],
    needs: Needs::NOTHING,
    read: |values| match values.count("marked") {
        Some(marked @ 1..) => Ok(Construction::algorithm(Marked(marked))),
        _ => Err(ParameterError::new("marked", "0 marked amoebots").accepting("1 or more")),
    },
};

fn catalogue() -> Catalogue {
    Catalogue::shipped().with_amoebots(FLOOD).unwrap()
}

fn document(algorithm: &str, more: &str) -> AmoebotDocument {
    let text = format!("(amoebots: (\n  algorithm: {algorithm},\n  start: Line(count: 5)){more})");
    match ScenarioFile::parse(&text, "own.ron", &[]) {
        Ok(ScenarioFile::Amoebots(document)) => *document,
        other => panic!("{other:?}"),
    }
}

#[test]
fn an_algorithm_from_outside_runs_and_is_checked() {
    for execution in ["Sequential()", "Waves", "Tiles", "Rounds(Synchronous)", "Concurrent(locks: TryLocks)"]
    {
        let document = document("Flood(marked: 2)", &format!(", execution: {execution}"));
        let plan = AmoebotPlan::with_catalogue(&catalogue(), &document, Path::new("")).unwrap();
        let job = Job { seed: 7, repetition: 0, watch: &Unwatched, record: None };
        let finished = plan.run(&job).unwrap();
        assert_eq!(
            finished.record.outcome().reason,
            "flooding has terminated, and its goal is reached",
            "{execution}"
        );
        // The measure of the program at the end and over time: two marked amoebots are one pair, five are ten.
        assert_eq!(figure(&finished.record, "measures.marked pairs"), Value::Integer(10), "{execution}");
        let series = finished.series.as_ref().unwrap_or_else(|| panic!("{execution}: no rows"));
        let column = series.columns().iter().position(|name| name == "marked pairs");
        let values: Vec<u64> = series.rows().map(|row| row.counts[column.unwrap()]).collect();
        assert_eq!((values.first(), values.last()), (Some(&1), Some(&10)), "{execution}");
    }
    let plan = AmoebotPlan::for_check_with(&catalogue(), &document("Flood(marked: 2)", ""), Path::new(""));
    let checked = plan.unwrap().check(1, &Default::default()).unwrap();
    // The mark has reached two to five amoebots.
    assert_eq!((checked.states, checked.is_right()), (Some(4), true));
}

#[test]
fn what_is_refused_of_an_algorithm_has_its_place() {
    let refused = |written: &str| -> DocumentError {
        AmoebotPlan::with_catalogue(&catalogue(), &document(written, ""), Path::new("")).expect_err(written)
    };
    for (written, column, message, accepted, hint) in [
        ("Flod", 14, "unknown name `Flod`", "Hexagon, BasicShape", Some("did you mean `Flood`?")),
        ("12", 14, "wrong kind of value: the number `12`", "JointTrain, Flood", None),
        ("Flood(mark: 2)", 20, "unknown field `mark`", "marked", Some("did you mean `marked`?")),
        ("Flood(2)", 14, "`Flood` takes fields, each as `name: value`", "fields marked", None),
        ("Flood(marked: x)", 28, "unknown word `x`", "a whole number", None),
        ("Flood(marked: 0)", 28, "0 marked amoebots", "1 or more", None),
        ("Hexagon(side: 2)", 14, "`Hexagon` takes no values", "`Hexagon`", None),
        ("BasicShape(form: Lin)", 31, "unknown name `Lin`", "Line, Hexagon", Some("did you mean `Line`?")),
    ] {
        let error = refused(written);
        assert_eq!((error.line(), error.column()), (Some(2), Some(column)), "{error}");
        assert!(error.accepted().unwrap().contains(accepted), "{error}");
        assert_eq!(error.hint(), hint, "{error}");
        if written != "Flood(marked: x)" {
            assert_eq!(error.message(), message, "{error}");
        }
    }
    for written in ["Flood", "Flood()"] {
        let error = refused(written);
        assert_eq!((error.message(), error.column()), ("missing field `marked`", Some(14)), "{error}");
    }
}
