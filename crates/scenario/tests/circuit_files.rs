//! Tests of algorithms on circuits that are written in files.

use std::path::PathBuf;
use std::{env, fs, process};

use acrasin_report::record::Exit;
use acrasin_scenario::amoebot::Allowance;
use acrasin_scenario::amoebot::algorithm::circuits_from_text;
use acrasin_scenario::plan::Finished;
use acrasin_scenario::{AmoebotDocument, AmoebotPlan, Job, ScenarioFile, Unwatched};

use crate::circuits::{found_figure, run};
use crate::support::{ended, number};

const ELECTION: &str = include_str!("../../../amoebot/algorithms/circuit-election.ron");

/// A folder of its own with an algorithm in a file. It is removed in the end.
struct AlgorithmFolder(PathBuf);

impl AlgorithmFolder {
    fn new(name: &str, text: &str) -> Self {
        let folder = env::temp_dir().join(format!("acrasin-{name}-{}", process::id()));
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("mine.ron"), text).unwrap();
        Self(folder)
    }

    fn document(more: &str) -> AmoebotDocument {
        let text = format!("(seed: 1, amoebots: (algorithm: File(path: \"mine.ron\"), {more}))");
        let Ok(ScenarioFile::Amoebots(document)) = ScenarioFile::parse(&text, "x.ron", &[]) else {
            panic!("{text}")
        };
        *document
    }

    fn run(&self, more: &str, seed: u64) -> Finished {
        let plan = AmoebotPlan::new(&Self::document(more), &self.0).unwrap();
        plan.run(&Job { seed, repetition: 0, watch: &Unwatched, record: None }).unwrap()
    }
}

impl Drop for AlgorithmFolder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// The numbers of candidates after each round, and the numbers of rounds, beeps and leaders.
fn course_of(finished: &Finished) -> (Vec<Vec<u64>>, [u64; 3]) {
    let rows = finished.series.as_ref().unwrap().rows();
    let rows = rows.map(|row| row.counts.to_vec()).collect();
    let figures = ["work.rounds", "work.beeps", "states.candidate"].map(|name| number(finished, name));
    (rows, figures)
}

#[test]
fn an_election_from_a_file_takes_the_rounds_of_the_library() {
    let folder = AlgorithmFolder::new("circuit-election", ELECTION);
    // A wrong table, in which amoebots with heads resign too, is noticed.
    let wrong =
        ELECTION.replacen("When(Is(\"heads\", false), [Write(\"role\"", "When(All([]), [Write(\"role\"", 1);
    assert_ne!(wrong, ELECTION);
    let wrong = AlgorithmFolder::new("wrong-circuit-election", &wrong);
    for (start, seed) in [("Line(count: 2)", 1), ("Blob(count: 50)", 2), ("Hexagon(count: 200)", 3)] {
        let more = format!("start: {start}, orientations: Assorted");
        let library = course_of(&run(&format!("algorithm: CircuitElection, {more}"), "", seed));
        let file = folder.run(&more, seed);
        assert_eq!(course_of(&file), library, "{start}");
        assert_eq!((library.1[2], ended(&file)), (1, ("terminated", Exit::Done)), "{start}");
        // Among two amoebots the first phase seldom lets one resign.
        assert!(start == "Line(count: 2)" || course_of(&wrong.run(&more, seed)) != library, "{start}");
    }
}

#[test]
fn a_check_of_a_file_gives_the_law_of_the_library() {
    // One repetition: two amoebots end with one leader with probability 13/16, after 9 rounds on average.
    let once = ELECTION.replace("Is(\"repetitions\", 10)", "Is(\"repetitions\", 1)");
    let folder = AlgorithmFolder::new("circuit-election-once", &once);
    let document = AlgorithmFolder::document("start: Line(count: 2)");
    let plan = AmoebotPlan::for_check(&document, &folder.0).unwrap();
    let found = plan.check(1, &Allowance::default()).unwrap();
    assert!((found_figure(&found, "probability") - 13.0 / 16.0).abs() < 1e-9, "{found:?}");
    assert!((found_figure(&found, "rounds") - 9.0).abs() < 1e-9, "{found:?}");
    assert!(found.run().unwrap().moments.last().unwrap().amoebots[0].memory.contains("role: candidate"));
}

#[test]
fn movements_from_a_file_are_those_of_the_library() {
    let row =
        "(title: \"row\", pins: 0, frame: Common, variables: {\"done\": Flag}, shown: \"done\", rounds: [
        (name: \"expand\", movement: [Expand(1)]),
        (name: \"contract\", movement: [Contract(Head), Write(\"done\", true)]),
    ], goal: (every: Is(\"done\", true)))";
    let folder = AlgorithmFolder::new("row", row);
    let cells = |finished: &Finished| {
        let figures = ["work.rounds", "work.movements", "work.bonds"].map(|name| number(finished, name));
        (figures, ended(finished).1)
    };
    let library = run("algorithm: JointTrain(kind: Row), start: Line(count: 7)", "", 1);
    assert_eq!(cells(&folder.run("start: Line(count: 7)", 1)), cells(&library));
    // All bonds released: the amoebots are not connected, and the run ends with the conflict.
    let apart = row.replace("[Expand(1)]", "[ReleaseAll, Keep(Head, 2), Expand(1)]");
    let apart = AlgorithmFolder::new("row-apart", &apart).run("start: Line(count: 7)", 1);
    assert_eq!(ended(&apart), ("violation", Exit::Failed));
}

#[test]
fn wrong_tables_of_rounds_are_refused_at_their_place() {
    for (part, other, message) in [
        ("pins: 1", "pins: 20", "20 pins on each edge"),
        ("[Lane(0)]", "[Lane(1)]", "lane 1 of 1"),
        ("[Lane(0)]", "[Pin(7, 0)]", "label 7"),
        ("[Lane(0)]", "[Pin(1, 1)]", "pin 1 of 1"),
        ("[Lane(0)]", "[Lane(0), Pin(3, 0)]", "sets name pin 0 at label 3 twice"),
        ("[Lane(0)]),", "[Lane(0)]), Join(\"more\", [Opposite(2, 0)]),", "sets name pin 0 at label 2 twice"),
        ("Beep(\"all\")", "Beep(\"al\")", "there is no set \"al\""),
        ("Toss(\"heads\")", "Toss(\"role\")", "is not a flag"),
        ("Go(\"heads\")", "Go(\"head\")", "there is no round \"head\""),
        ("send: [\n                Join", "send: [\n                End, Join", "End in `send`"),
        ("send: [\n                Join", "send: [\n                Expand(1), Join", "Expand in `send`"),
        (
            "send: [\n                Join",
            "send: [\n                When(Heard(\"all\"), []), Join",
            "in `receive` only",
        ),
        ("name: \"heads\"", "name: \"tails\"", "is also the name"),
        ("exactly: { \"candidate\": 1 }", "exactly: {}", "the goal holds for every result"),
        ("exactly: { \"candidate\": 1 }", "exactly: { \"leader\": 1 }", "no value \"leader\""),
        ("UpTo(10)", "Port", "is a port"),
        ("shown: \"role\"", "shown: \"repetitions\"", "has 11 values"),
    ] {
        let text = ELECTION.replacen(part, other, 1);
        assert_ne!(text, ELECTION, "{part}");
        let error = circuits_from_text(text.as_bytes(), "x.ron").unwrap_err();
        assert!(error.to_string().contains(message), "{part}: {error}");
        assert!(error.line().is_some(), "{error}");
    }
    // Sets that overlap in some states only end the run with the cell.
    let overlapping = ELECTION.replacen(
        "[Lane(0)]),",
        "[Lane(0)]), When(Is(\"role\", \"candidate\"), [Join(\"more\", [Edge(2)])]),",
        1,
    );
    let error = circuits_from_text(overlapping.as_bytes(), "x.ron");
    assert!(error.unwrap_err().to_string().contains("twice"));
    let overlapping = ELECTION.replacen(
        "Join(\"all\", [Lane(0)]),",
        "When(Neighbour(1), [Join(\"all\", [Edge(2)])]), When(Neighbour(1), [Join(\"more\", [Edge(2)])]),",
        1,
    );
    let finished = AlgorithmFolder::new("overlapping", &overlapping).run("start: Line(count: 2)", 1);
    let outcome = finished.record.outcome();
    assert_eq!((outcome.word.as_str(), outcome.exit), ("violation", Exit::Failed));
    let expected = "round 1: cell (0, 0): sets of amoebot 0 name pin 0 at label 2 of its head twice";
    assert!(outcome.reason.contains(expected), "{}", outcome.reason);
}
