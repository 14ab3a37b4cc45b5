//! Tests of a catalogue with external stop conditions: they end runs of every engine, and are refused like the words of
//! the scenario.

use std::path::Path;
use std::sync::Arc;

use acrasin_catalogue::parameter::{Parameter, ParameterError, ParameterKind};
use acrasin_process::{Condition, StopCondition};
use acrasin_report::record::FigureValue;
use acrasin_report::value::Value;
use acrasin_scenario::plan::{Finished, Job, Unwatched};
use acrasin_scenario::stop::StopEntry;
use acrasin_scenario::{Catalogue, DocumentError, Runnable, ScenarioFile};

use crate::support::{digest, figure};

/// The condition that at least this number of agents are in one state.
struct Many {
    state: usize,
    agents: u64,
}

impl Condition for Many {
    fn holds(&self, counts: &[u64]) -> bool {
        counts[self.state] >= self.agents
    }

    fn possible(&self, _: &[u64], most: &[u64]) -> bool {
        most[self.state] >= self.agents
    }
}

const MANY: StopEntry = StopEntry {
    name: "Many",
    summary: "this number of agents are in one state",
    parameters: &[
        Parameter::required("state", ParameterKind::Text, "the state"),
        Parameter::required("agents", ParameterKind::Count, "the number of agents"),
    ],
    make: |values, scene| {
        let state = scene.state("state", values.text("state").unwrap_or_default())?;
        Ok(StopCondition::of_counts(Many { state, agents: values.count_of("agents") }))
    },
};

/// The condition that the number of interactions per agent reaches a bound. Each interaction counts for one agent.
const MET: StopEntry = StopEntry {
    name: "Met",
    summary: "this number of interactions per agent",
    parameters: &[Parameter::optional(
        "each",
        ParameterKind::Whole { least: 1, most: 1000, default: 5 },
        "interactions per agent",
    )],
    make: |values, scene| {
        let each = values.whole("each").unwrap_or(5) as u64;
        if scene.states.is_empty() {
            return Err(
                ParameterError::new("each", "no protocol runs here").accepting("work: Interactions(…)")
            );
        }
        Ok(StopCondition::of_progress(move |progress, counts| {
            progress.interactions >= each * counts.iter().sum::<u64>()
        }))
    },
};

/// The condition that a number of rounds is over. It applies to runs without states, too.
const AGED: StopEntry = StopEntry {
    name: "Aged",
    summary: "this number of rounds",
    parameters: &[Parameter::required("rounds", ParameterKind::Count, "the number of rounds")],
    make: |values, _| {
        let rounds = values.count_of("rounds");
        Ok(StopCondition::of_progress(move |progress, _| progress.rounds >= rounds))
    },
};

fn catalogue() -> Catalogue {
    let catalogue = Catalogue::shipped().with_stop(MANY).unwrap();
    catalogue.with_stop(MET).unwrap().with_stop(AGED).unwrap()
}

fn try_plan(text: &str) -> Result<Arc<dyn Runnable + Send>, DocumentError> {
    ScenarioFile::parse(text, "own.ron", &[])?.plan(&catalogue(), Path::new(""), 1 << 30)
}

fn finished(text: &str) -> Finished {
    let plan = try_plan(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    plan.run(Job { seed: 3, repetition: 0, watch: &Unwatched, record: None }).unwrap()
}

/// The word and the sentence of the ending.
fn ended(finished: &Finished) -> (&str, &str) {
    let outcome = finished.record.outcome();
    (&outcome.word, &outcome.reason)
}

/// The digest of the last configuration, and the number of interactions.
fn end(finished: &Finished) -> (String, Value) {
    (digest(finished), figure(&finished.record, "work.interactions"))
}

/// An epidemic among a hundred agents.
fn epidemic(further: &str, stop: &str) -> String {
    format!(
        "(seed: 3,\n stop: [{stop}],\n {further}, work: Interactions(protocol: Library(name: \"two-way-epidemic\"), \
         initial: Counts({{\"I\": 1, \"S\": 99}})))"
    )
}

/// Topologies and schedulers of every engine.
const ENGINES: [&str; 9] = [
    "topology: Complete(nodes: 100), scheduler: UniformPairs",
    "topology: Ring(nodes: 100), scheduler: UniformPairs",
    "topology: Grid(rows: 8, columns: 8), scheduler: UniformPairs",
    "topology: Complete(nodes: 100), scheduler: RandomMatchings",
    "topology: Torus(rows: 10, columns: 10), scheduler: RandomMatchings",
    "topology: Torus(rows: 10, columns: 10), scheduler: Sequential",
    "topology: Torus(rows: 10, columns: 10), scheduler: SemiSynchronous(activation: Random(0.5)), rung: F3",
    "topology: Torus(rows: 10, columns: 10), scheduler: SemiSynchronous(activation: Random(0.5))",
    "topology: Torus(rows: 10, columns: 10), scheduler: Waves, rung: F1",
];

fn of_64(text: &str) -> String {
    if text.contains("Grid(") { text.replace("99", "63") } else { text.to_owned() }
}

/// The condition ends the run at the same interaction as an equivalent predicate.
#[test]
fn a_condition_on_counts_ends_a_run_of_every_engine_where_the_predicate_does() {
    for engine in ENGINES {
        let own = finished(&of_64(&epidemic(engine, "Many(state: \"I\", agents: 40)")));
        let predicate = finished(&of_64(&epidemic(engine, "Counts(\"I >= 40\")")));
        assert_eq!(end(&own), end(&predicate), "{engine}");
        assert_eq!(ended(&own), ("condition", "the condition Many(state: \"I\", agents: 40) holds"));
        assert_eq!(ended(&predicate).0, "counts");
    }
}

/// Runs of uniform pairs are tested once every n interactions, whatever is sampled. So the tenth test ends this run,
/// although all are infected before.
#[test]
fn a_condition_on_progress_ends_a_run_at_moments_that_do_not_depend_on_samples() {
    let of = |engine: &str, stop: &str, every: &str| {
        let text = epidemic(&format!("{engine}, observe: (counts_every: {every})"), stop);
        end(&finished(&text))
    };
    for engine in &ENGINES[..2] {
        let expected = of(engine, "Interactions(1000)", "Interactions(100)");
        assert_eq!(expected.1, Value::Integer(1000));
        for every in [1, 7, 64, 100, 5000] {
            let own = of(engine, "Met(each: 10)", &format!("Interactions({every})"));
            assert_eq!(own, expected, "{engine}, {every}");
        }
        // Between two tests the condition is not noticed.
        let expected = of(engine, "Interactions(500)", "Interactions(100)");
        assert_eq!(of(engine, "Many(state: \"I\", agents: 101), Met", "Interactions(9)"), expected);
    }
    // Fifty pairs in each round: the tenth round ends the run.
    let expected = of(ENGINES[3], "Rounds(10)", "Rounds(1)");
    for every in [1, 3, 50] {
        let own = of(ENGINES[3], "Met(each: 5)", &format!("Rounds({every})"));
        assert_eq!(own, expected, "{every}");
        assert_eq!(of(ENGINES[3], "Aged(rounds: 10)", &format!("Rounds({every})")), expected, "{every}");
    }
}

/// Under locks every turn is tested, as for the words of the scenario.
#[test]
fn a_condition_on_progress_ends_a_run_under_locks_after_the_same_turn() {
    for engine in &ENGINES[5..] {
        let own = finished(&epidemic(engine, "Aged(rounds: 7)"));
        let word = finished(&epidemic(engine, "Rounds(7)"));
        assert_eq!(digest(&own), digest(&word), "{engine}");
        assert_eq!(ended(&own).0, "condition", "{engine}");
    }
    let locks = |stop: &str| {
        finished(&format!(
            "(topology: Ring(nodes: 9), scheduler: RoundRobin, work: Locks(each: Forever), stop: [{stop}])"
        ))
    };
    assert_eq!(digest(&locks("Aged(rounds: 100)")), digest(&locks("Rounds(100)")));
}

#[test]
fn the_record_has_the_parameters_and_overrides_change_them() {
    let text = epidemic(ENGINES[0], "Silent, Many(state: \"I\", agents: 40), Met");
    let of = |set: &[(String, String)]| {
        let file = ScenarioFile::parse(&text, "own.ron", set).unwrap();
        let plan = file.plan(&catalogue(), Path::new(""), 1 << 30).unwrap();
        let finished = plan.run(Job { seed: 3, repetition: 0, watch: &Unwatched, record: None }).unwrap();
        let parameters = finished.record.manifest().parameters.clone().unwrap();
        let value = |key: &str| {
            let figure = parameters.figures().iter().find(|figure| figure.key() == key)?;
            match figure.value() {
                FigureValue::One(value) => value.to_plain(),
                other => panic!("{other:?}"),
            }
        };
        ["stop[0]", "stop[1]", "stop[1].state", "stop[1].agents", "stop[2]", "stop[2].each"].map(value)
    };
    let expected = ["Silent", "Many", "I", "40", "Met", ""].map(|value| Some(value.to_owned()));
    assert_eq!(of(&[])[..5], expected[..5]);
    let set = [("stop[1].agents".to_owned(), "90".to_owned())];
    assert_eq!(of(&set)[3], Some("90".to_owned()));
}

#[test]
fn what_is_refused_of_a_condition_has_its_place() {
    for (written, column, message, accepted, hint) in [
        ("Manny", 9, "unknown name `Manny`", "Many, Met, Aged, OutputsAgree", Some("did you mean `Many`?")),
        ("Silent, Silnt", 17, "unknown name `Silnt`", "Many, Met", Some("did you mean `Silent`?")),
        ("Many(state: \"I\")", 9, "missing field `agents`", "a whole number", None),
        (
            "Many(state: \"I\", agent: 4)",
            26,
            "unknown field `agent`",
            "state, agents",
            Some("did you mean `agents`?"),
        ),
        ("Many(state: \"X\", agents: 4)", 21, "there is no state `X`", "S, I", None),
        ("Many(state: \"I\", agents: -4)", 34, "`-4` is negative", "a whole number", None),
        ("Met(each: 1001)", 19, "each is 1001", "1 to 1000", None),
        ("Silent(3)", 9, "`Silent` takes no values", "`Silent`", None),
    ] {
        let error = try_plan(&epidemic(ENGINES[0], written)).map(|_| ()).expect_err(written);
        assert_eq!((error.line(), error.column()), (Some(2), Some(column)), "{error}");
        assert!(error.message().starts_with(message), "{error}");
        assert!(error.accepted().unwrap_or_default().contains(accepted), "{error}");
        assert_eq!(error.hint(), hint, "{error}");
    }
    let locks = "(topology: Ring(nodes: 9), scheduler: RoundRobin, work: Locks(each: 1), stop: [Met])";
    assert!(try_plan(locks).map(|_| ()).unwrap_err().to_string().contains("no protocol runs here"));
    // Without the catalogue the name is unknown.
    let text = epidemic(ENGINES[0], "Met");
    let shipped = ScenarioFile::parse(&text, "own.ron", &[]).unwrap();
    let error = shipped.plan(&Catalogue::shipped(), Path::new(""), 1 << 30).map(|_| ()).unwrap_err();
    assert_eq!((error.message(), error.line()), ("unknown name `Met`", Some(2)), "{error}");
}

#[test]
fn names_are_taken_once() {
    for name in ["Silent", "Rounds", "Many"] {
        let refused = catalogue().with_stop(StopEntry { name, ..MANY }).unwrap_err().to_string();
        assert!(refused.contains(&format!("a stop condition `{name}`")), "{refused}");
    }
}
