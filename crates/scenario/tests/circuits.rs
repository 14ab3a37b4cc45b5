//! Tests of scenarios of circuits and joint movements: results, checkpoints, recordings, conflicts.

use std::path::Path;

use acrasin_amoebot::algorithm::description::Placement;
use acrasin_amoebot::library::parameter::{ParameterValue, Values};
use acrasin_amoebot::start;
use acrasin_amoebot::{Cell, Direction};
use acrasin_circuits::catalogue::ENTRIES;
use acrasin_process::{RestoreError, RunBound};
use acrasin_report::film::{Film, NodeValue, VIOLATED};
use acrasin_report::record::Exit;
use acrasin_report::value::Value;
use acrasin_scenario::amoebot::{Allowance, RunToViolation};
use acrasin_scenario::check::{CheckReport, TruncationReason};
use acrasin_scenario::film::{ObservingControl, TraceRecorder};
use acrasin_scenario::plan::Finished;
use acrasin_scenario::{AmoebotPlan, Job, Runnable as _, ScenarioFile, Unwatched};
use acrasin_verify::replay::ReplayFile;

use crate::support::{digest, ended, figure, number};

fn try_plan(amoebots: &str, more: &str) -> Result<AmoebotPlan, String> {
    let text = format!("(seed: 1, amoebots: ({amoebots}), {more})");
    let Ok(ScenarioFile::Amoebots(document)) = ScenarioFile::parse(&text, "x.ron", &[]) else {
        panic!("{text}")
    };
    AmoebotPlan::new(&document, Path::new("")).map_err(|error| error.to_string())
}

pub(crate) fn run(amoebots: &str, more: &str, seed: u64) -> Finished {
    let plan = try_plan(amoebots, more).unwrap();
    plan.run(&Job { seed, repetition: 0, watch: &Unwatched, record: None }).unwrap()
}

#[test]
fn an_election_ends_with_one_leader_or_fails() {
    let line = |repetitions: u32| {
        format!("algorithm: CircuitElection(repetitions: {repetitions}), start: Line(count: 30)")
    };
    let finished = run(&line(20), "", 5);
    assert_eq!(ended(&finished), ("terminated", Exit::Done));
    assert_eq!((number(&finished, "result.leaders"), number(&finished, "states.candidate")), (1, 1));
    assert_eq!(figure(&finished.record, "result.right"), Value::Flag(true));
    // Without repetitions two amoebots may be left: a third of all runs.
    let failed = (0..20).map(|seed| run(&line(0), "", seed)).find(|run| ended(run).1 == Exit::Failed);
    let failed = failed.expect("a run with several leaders");
    assert!(number(&failed, "result.leaders") > 1);
    assert_eq!(figure(&failed.record, "result.right"), Value::Flag(false));
}

#[test]
fn rounds_are_the_steps_of_limits_and_samples() {
    let of = "algorithm: LineToRhombus, start: Line(count: 64)";
    let whole = run(of, "", 1);
    assert_eq!((ended(&whole), number(&whole, "work.rounds")), (("terminated", Exit::Done), 14));
    assert_eq!(whole.series.as_ref().unwrap().rows().count(), 15);
    let cut = run(of, "stop: Steps(4)", 1);
    assert_eq!((ended(&cut).1, number(&cut, "work.rounds")), (Exit::Done, 4));
    assert_eq!(ended(&run(of, "limits: (steps: 4)", 1)).1, Exit::BudgetExhausted);
}

#[test]
fn a_conflict_of_movements_ends_a_run() {
    // The floor is too short for the second cycle.
    let worm = "algorithm: JointTrain(kind: Worm, cycles: 2), start: Cells([(0, 0), (1, 0), (0, 1)])";
    let finished = run(worm, "", 1);
    let outcome = finished.record.outcome();
    assert_eq!((outcome.word.as_str(), outcome.exit), ("violation", Exit::Failed));
    assert!(outcome.reason.starts_with("round "), "{}", outcome.reason);
}

#[test]
fn a_recording_is_reproduced() {
    for algorithm in ["CircuitElection(lanes: Four)", "CircuitDistances", "JointTrain(kind: Row, cycles: 3)"]
    {
        let plan = try_plan(&format!("algorithm: {algorithm}, start: Line(count: 20)"), "").unwrap();
        let mut recording = Vec::new();
        let job = Job { seed: 3, repetition: 0, watch: &Unwatched, record: None };
        let finished = plan.run_recorded(&job, Some(Box::new(&mut recording))).unwrap();
        assert_eq!(digest(&finished), digest(&plan.run(&job).unwrap()), "{algorithm}");
        let file = ReplayFile::open("r.jsonl", &recording[..]).unwrap();
        let (replayed, _) = plan.clone().replay(file, &Unwatched).unwrap();
        assert_eq!((ended(&replayed).0, digest(&replayed)), ("reproduced", digest(&finished)), "{algorithm}");
        // Another digest after a round is noticed.
        let text = String::from_utf8(recording).unwrap();
        let line = text.lines().nth(2).unwrap();
        let last = line.chars().rev().find(char::is_ascii_hexdigit).unwrap();
        let at = line.rfind(last).unwrap();
        let mut other = line.to_owned();
        other.replace_range(at..=at, if last == '0' { "1" } else { "0" });
        let changed = text.replace(line, &other);
        let file = ReplayFile::open("r.jsonl", changed.as_bytes()).unwrap();
        let (replayed, _) = plan.replay(file, &Unwatched).unwrap();
        assert_eq!(ended(&replayed).0, "not reproduced", "{algorithm}");
    }
}

#[test]
fn a_film_has_every_round() {
    let plan = try_plan("algorithm: LineToRhombus, start: Line(count: 16)", "").unwrap();
    let filming = ObservingControl::new(&Unwatched, TraceRecorder::every(1));
    let finished = plan.run_seen(Job { seed: 1, repetition: 0, watch: &filming, record: None }).unwrap();
    let film: Film = filming.into_eye().develop().expect("a film");
    assert_eq!((film.head.time.as_str(), number(&finished, "work.rounds")), ("round", 10));
}

fn filmed(amoebots: &str) -> Film {
    let plan = try_plan(amoebots, "").unwrap();
    let filming = ObservingControl::new(&Unwatched, TraceRecorder::every(1));
    plan.run_seen(Job { seed: 1, repetition: 0, watch: &filming, record: None }).unwrap();
    filming.into_eye().develop().expect("a film")
}

#[test]
fn a_film_shows_pins_circuits_beeps_and_bonds() {
    let film = filmed("algorithm: LineToRhombus, start: Line(count: 16)");
    let column = |key: &str| film.head.columns.iter().position(|column| column.key == key).expect(key);
    let frames: Vec<_> = film.frames().map(|frame| frame.unwrap().configuration).collect();
    let words = |frame: usize, key: &str| -> Vec<String> {
        let word = |value: &NodeValue| match value {
            NodeValue::Word(word) => word.to_string(),
            other => panic!("{other:?}"),
        };
        frames[frame].columns[column(key)].iter().map(word).collect()
    };
    // Parity: the west end beeps on a lane of its row and on one across rows; each amoebot hears the former.
    let (pins, circuits, beeps) = (words(1, "pins"), words(1, "circuits"), words(1, "beeps"));
    assert!(pins.iter().chain(&circuits).all(|word| word.len() == 6 * 3), "{pins:?}");
    assert_eq!((beeps[0].as_str(), beeps.concat().as_str()), ("0,6", "0,6"));
    assert_ne!(pins[0], pins[1]);
    let is_loud = |word: &&String| word.bytes().any(|look| look >= b'a' && (look - b'a') % 12 >= 6);
    assert_eq!(circuits.iter().filter(is_loud).count(), 16, "{circuits:?}");
    // After the first movement every second amoebot is expanded, with single pins and its bonds.
    let expanded: Vec<usize> =
        words(3, "pins").iter().map(String::len).filter(|length| *length == 36).collect();
    assert_eq!(expanded.len(), 8);
    let bonds = |frame: usize| {
        let number = |value: &NodeValue| match value {
            NodeValue::Number(bonds) => bonds.count_ones(),
            other => panic!("{other:?}"),
        };
        frames[frame].columns[column("bonds")].iter().map(number).sum::<u32>()
    };
    assert_eq!([1, 2, 3].map(bonds), [0, 0, 15]);
    // Another film of the same run, in which a beep is missing, is noticed by these counts.
    assert!(words(2, "beeps").iter().all(String::is_empty));
}

#[test]
fn a_film_ends_with_the_conflict() {
    let film = filmed("algorithm: JointTrain(kind: Worm, cycles: 2), start: Cells([(0, 0), (1, 0), (0, 1)])");
    let last = film.frames().last().unwrap().unwrap();
    assert_eq!(last.happened.flags & VIOLATED, VIOLATED);
    assert!(last.happened.text.starts_with("violation: round "), "{}", last.happened.text);
    let conflict = film.head.columns.iter().position(|column| column.key == "conflict").unwrap();
    let offenders =
        last.configuration.columns[conflict].iter().filter(|value| **value == NodeValue::Class(1));
    assert!((1..3).contains(&offenders.count()));
    assert!(film.head.columns.iter().all(|column| column.key != "pins"), "there are no pins");
}

#[test]
fn a_picture_shows_circuits_bonds_and_conflicts() {
    let picture = |amoebots: &str, name: &str| {
        let finished = run(amoebots, "observe: (pictures_at: [1, 3])", 1);
        let of = finished.snapshots.iter().find(|snapshot| snapshot.name == name).expect(name);
        of.picture.as_ref().expect("a picture").to_svg()
    };
    let line = "algorithm: LineToRhombus, start: Line(count: 16)";
    let parity = picture(line, "step-1");
    for legend in [">circuit, one colour each<", ">circuit with a beep<", ">set that beeps<"] {
        assert!(parity.contains(legend), "{legend}");
    }
    assert!(!parity.contains(">bond that the last movement kept<") && !parity.contains("conflict"));
    assert!(picture(line, "step-3").contains(">bond that the last movement kept<"));
    let worm = "algorithm: JointTrain(kind: Worm, cycles: 2), start: Cells([(0, 0), (1, 0), (0, 1)])";
    assert!(picture(worm, "end").contains(">amoebot of the conflict<"));
}

fn checked(amoebots: &str) -> CheckReport<RunToViolation> {
    let text = format!("(seed: 1, amoebots: ({amoebots}))");
    let Ok(ScenarioFile::Amoebots(document)) = ScenarioFile::parse(&text, "x.ron", &[]) else {
        panic!("{text}")
    };
    let plan = AmoebotPlan::for_check(&document, Path::new("")).unwrap();
    plan.check(1, &Allowance::default()).unwrap()
}

pub(crate) fn found_figure(report: &CheckReport<RunToViolation>, key: &str) -> f64 {
    match report.figure(key).expect(key) {
        Value::Real(value) => *value,
        Value::Integer(value) => *value as f64,
        other => panic!("{key}: {other:?}"),
    }
}

/// The laws of the specification, from a check of all outcomes of coins.
#[test]
fn a_check_gives_exact_laws() {
    for (repetitions, count, probability, rounds) in [
        (0, 2, 0.5, Some(3.0)),
        (1, 2, 13.0 / 16.0, Some(9.0)),
        (2, 2, 119.0 / 128.0, Some(15.0)),
        (0, 3, 9.0 / 16.0, None),
    ] {
        let found = checked(&format!(
            "algorithm: CircuitElection(repetitions: {repetitions}), start: Line(count: {count})"
        ));
        assert!((found_figure(&found, "probability") - probability).abs() < 1e-9, "{found:?}");
        if let Some(rounds) = rounds {
            assert!((found_figure(&found, "rounds") - rounds).abs() < 1e-9, "{found:?}");
        }
        // Two leaders are possible, and the run to them is shown with its coins.
        assert!(!found.is_right());
        let way = found.run().expect("a run to two leaders");
        assert_eq!(way.to, "a wrong end");
        assert!(way.steps[0].starts_with("heads, coins "), "{:?}", way.steps);
    }
    let frames = "orientations: Assorted";
    let pair = checked(&format!("algorithm: CircuitChirality, start: Line(count: 2), {frames}"));
    assert!(pair.is_right());
}

/// All shapes of up to four amoebots, and all outcomes of their coins.
#[test]
fn a_check_takes_all_shapes() {
    for (count, shapes) in [(2, 3), (3, 11), (4, 44)] {
        for (algorithm, frames) in [
            ("CircuitChirality", "Assorted"),
            ("CircuitCompass", "CommonChirality"),
            ("CircuitDistances", "Common"),
        ] {
            let all = checked(&format!(
                "algorithm: {algorithm}, start: AllConnected(count: {count}), orientations: {frames}"
            ));
            // Distances are those from a seed, which may be at every position.
            let seeds = if algorithm == "CircuitDistances" { count } else { 1 };
            let starts = ["starts", "refused"].map(|key| all.figure(key).unwrap().clone());
            assert_eq!(starts, [Value::Integer(shapes * seeds), Value::Integer(0)], "{algorithm}");
            assert!(all.is_right(), "{algorithm} of {count}: {all:?}");
            assert!((found_figure(&all, "probability") - 1.0).abs() < 1e-9);
        }
    }
    // A conflict is a violation, with the round that leads to it.
    let worm =
        checked("algorithm: JointTrain(kind: Worm, cycles: 2), start: Cells([(0, 0), (1, 0), (0, 1)])");
    assert_eq!(found_figure(&worm, "conflicts"), 1.0);
    let way = worm.run().unwrap();
    assert!(way.moments.last().unwrap().what.contains(&way.to), "{way:?}");
}

#[test]
fn a_check_ends_at_its_limits() {
    let text = "(amoebots: (algorithm: CircuitElection, start: Line(count: 6)), limits: (states: 50))";
    let Ok(ScenarioFile::Amoebots(document)) = ScenarioFile::parse(text, "x.ron", &[]) else { panic!() };
    let plan = AmoebotPlan::for_check(&document, Path::new("")).unwrap();
    let why = |allowance: &Allowance<'_>| plan.check(1, allowance).unwrap().truncated.unwrap().why;
    assert_eq!(why(&Allowance::default()), TruncationReason::States { states_max: 50 });
    let few = Allowance { bytes_max: 2000, ..Allowance::default() };
    assert!(matches!(why(&few), TruncationReason::Bytes { bytes_max: 2000, .. }));
    let stopped = Allowance { is_stopped: &|| true, ..Allowance::default() };
    assert_eq!(why(&stopped), TruncationReason::Interrupted);
}

/// Checkpoints of every entry during its run: the continued run ends as the undisturbed run does.
#[test]
fn every_entry_continues_from_a_checkpoint() {
    for entry in ENTRIES {
        let values = match entry.name {
            "CircuitNumbers" => Values::default()
                .with("operation", ParameterValue::Word("Divide"))
                .with("a", ParameterValue::Count(60_000))
                .with("b", ParameterValue::Count(7)),
            "JointTrain" => Values::default().with("kind", ParameterValue::Word("Row")),
            _ => Values::default(),
        };
        let chosen = entry.make(&values).unwrap();
        let cells = start::line(Cell::ORIGIN, Direction::East, 16).unwrap();
        let placement = Placement { cells, ..Placement::default() };
        let start = |seed| chosen.synchronous().unwrap().start(&placement, seed).unwrap();
        let mut undisturbed = start(7);
        undisturbed.advance(&RunBound::NONE, None);
        let last = undisturbed.progress().rounds;
        for rounds in 0..=last {
            let mut first = start(7);
            first.advance(&RunBound { rounds, ..RunBound::NONE }, None);
            let checkpoint = first.save().expect("it can be saved");
            let mut second = start(7);
            second.restore(&checkpoint).unwrap();
            assert_eq!(
                (second.digest(), second.save()),
                (first.digest(), Some(checkpoint)),
                "{}",
                entry.name
            );
            second.advance(&RunBound::NONE, None);
            let end = (second.digest(), second.progress(), second.counts(), second.ending());
            let expected =
                (undisturbed.digest(), undisturbed.progress(), undisturbed.counts(), undisturbed.ending());
            assert_eq!(end, expected, "{} from round {rounds}", entry.name);
        }
        let mut checkpoint = undisturbed.save().unwrap();
        let digest = undisturbed.digest();
        checkpoint[3] ^= 1;
        assert!(matches!(undisturbed.restore(&checkpoint), Err(RestoreError::Refused(_))), "{}", entry.name);
        assert_eq!(undisturbed.digest(), digest, "{}", entry.name);
    }
}

/// The digest, the exit and the number of rounds of a run with these faults.
fn with_faults(amoebots: &str, faults: &str) -> (String, Exit, u64) {
    let finished = run(amoebots, &format!("faults: [{faults}], limits: (steps: 2_000)"), 3);
    (digest(&finished).to_owned(), ended(&finished).1, number(&finished, "work.rounds"))
}

#[test]
fn losses_with_probability_0_change_nothing_and_with_1_everything() {
    for algorithm in ["CircuitElection", "CircuitDistances", "CircuitChirality"] {
        let amoebots = format!("algorithm: {algorithm}, start: Line(count: 20)");
        let undisturbed = with_faults(&amoebots, "");
        for of in ["", ", of: Set", ", of: Amoebot"] {
            let lost = |probability| format!("LostBeeps(probability: {probability}{of})");
            assert_eq!(with_faults(&amoebots, &lost("0")), undisturbed, "{algorithm}{of}");
            assert_ne!(with_faults(&amoebots, &lost("1")), undisturbed, "{algorithm}{of}");
        }
    }
}

/// Amoebots 1, 2, 3 of a line have the distances 1, 2, 3, so two bits in four rounds. If amoebot 3 hears nothing in
/// round 1, its lowest bit is 0 and it stays active. It then crosses the lanes in round 3, as amoebot 2 does, hears the
/// primary lane, and has the number 0. Only the third iteration makes it passive, with the number 4.
#[test]
fn a_lost_beep_changes_a_run_as_computed_by_hand() {
    let amoebots = "algorithm: CircuitDistances, start: Line(count: 4)";
    let (undisturbed, right, rounds) = with_faults(amoebots, "");
    assert_eq!((right, rounds), (Exit::Done, 4));
    let (disturbed, wrong, rounds) = with_faults(amoebots, "LostBeepsAt(losses: [(round: 1, amoebot: 3)])");
    assert_eq!((wrong, rounds), (Exit::Failed, 6));
    assert_ne!(disturbed, undisturbed);
    // A loss in a round in which the amoebot hears nothing else changes nothing, and neither does one after the end.
    let late = with_faults(amoebots, "LostBeepsAt(losses: [(round: 5, amoebot: 3)])");
    assert_eq!(late, (undisturbed, Exit::Done, 4));
}

#[test]
fn every_algorithm_survives_lost_beeps() {
    let catalogue = [
        "CircuitElection",
        "CircuitElection(lanes: Four)",
        "CircuitConsensus(ones: [3])",
        "CircuitChirality",
        "CircuitCompass",
        "CircuitDistances",
        "CircuitBoundaries",
        "CircuitTour",
        "CircuitShortestPaths",
        "CircuitSides",
        "CircuitMaxima",
        "CircuitParallelogram",
        "CircuitNumbers(operation: Multiply, a: 5, b: 3)",
        "CircuitNumbers(operation: Divide, a: 13, b: 5)",
        "LineToRhombus",
    ];
    for algorithm in catalogue {
        for seed in 0..6 {
            let amoebots = format!("algorithm: {algorithm}, start: Line(count: 16)");
            let of = if seed % 2 == 0 { "Set" } else { "Amoebot" };
            let faults = format!("faults: [LostBeeps(probability: 0.2, of: {of})], limits: (steps: 100)");
            let finished = run(&amoebots, &faults, seed);
            // Wrong results, conflicts and runs without an end are results.
            assert!(number(&finished, "work.rounds") <= 100, "{algorithm} {seed}");
        }
    }
}

#[test]
fn wrong_faults_and_objects_are_refused() {
    let election = "algorithm: CircuitElection, start: Line(count: 3)";
    for (amoebots, faults, message) in [
        (election, "LostBeeps(probability: 1.5)", "1.5"),
        (election, "LostBeepsAt(losses: [])", "no beep is lost"),
        (election, "LostBeepsAt(losses: [(round: 0, amoebot: 0)])", "round 0"),
        (election, "LostBeepsAt(losses: [(round: 1, amoebot: 3)])", "position 3 of 3 amoebots"),
        (
            election,
            "LostBeeps(probability: 0.1), LostBeepsAt(losses: [(round: 1, amoebot: 0)])",
            "more than one",
        ),
        (election, "Crash(amoebots: [1])", "no amoebot acts by itself"),
        ("algorithm: Erosion, start: Line(count: 3)", "LostBeeps(probability: 0.1)", "no amoebot beeps"),
        (
            "algorithm: CircuitElection, start: Cells([(0, 0), (2, 0)]), object: Cells([(1, 0)])",
            "",
            "cell (2, 0): not connected",
        ),
        (
            "algorithm: CircuitElection, start: Line(count: 3), object: Wall(length: 2)",
            "",
            "cell (0, 0): two amoebots or objects on it",
        ),
    ] {
        let text = format!("(seed: 1, amoebots: ({amoebots}), faults: [{faults}])");
        let error = match ScenarioFile::parse(&text, "x.ron", &[]) {
            Ok(ScenarioFile::Amoebots(document)) => {
                AmoebotPlan::new(&document, Path::new("")).map(drop).unwrap_err().to_string()
            }
            Ok(_) => panic!("{text}"),
            Err(error) => error.to_string(),
        };
        assert!(error.contains(message), "{text}: {error}");
    }
    let lost = format!("(amoebots: ({election}), faults: [LostBeeps(probability: 0.5)])");
    let Ok(ScenarioFile::Amoebots(document)) = ScenarioFile::parse(&lost, "x.ron", &[]) else {
        panic!("{lost}")
    };
    let error = AmoebotPlan::for_check(&document, Path::new("")).unwrap_err().to_string();
    assert!(error.contains("no lost beeps"), "{error}");
}

/// A worm of three amoebots walks over a wall, which it has bonds with. The wall stays where it is. A wall that is too
/// short for the second cycle ends the run.
#[test]
fn a_worm_walks_over_an_object() {
    let worm = |length: u32| {
        let walk = "algorithm: JointTrain(kind: Worm, cycles: 2), start: Cells([(0, 1), (1, 1), (2, 1)])";
        run(&format!("{walk}, object: Wall(length: {length})"), "", 1)
    };
    let finished = worm(12);
    assert_eq!((ended(&finished).1, number(&finished, "work.rounds")), (Exit::Done, 4));
    assert_eq!(figure(&finished.record, "result.right"), Value::Flag(true));
    assert_eq!(ended(&worm(4)), ("violation", Exit::Failed));
    // An object has no pins: beside it the amoebots of a line elect as on their own, with another state in the digest.
    let alone = run("algorithm: CircuitElection, start: Line(count: 9)", "", 4);
    let beside = "algorithm: CircuitElection, start: Line(count: 9), object: Cells([(0, 1), (5, 1), (9, 0)])";
    let beside = run(beside, "", 4);
    assert_eq!(number(&beside, "work.rounds"), number(&alone, "work.rounds"));
    assert_ne!(digest(&beside), digest(&alone));
}
