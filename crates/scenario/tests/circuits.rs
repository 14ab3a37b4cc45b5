//! Tests of scenarios of circuits and joint movements: results, checkpoints, recordings, conflicts.

use std::path::Path;

use acrasin_amoebot::algorithm::description::Placement;
use acrasin_amoebot::library::parameter::{ParameterValue, Values};
use acrasin_amoebot::start;
use acrasin_amoebot::{Cell, Direction};
use acrasin_circuits::catalogue::ENTRIES;
use acrasin_process::{RestoreError, RunBound};
use acrasin_report::film::Film;
use acrasin_report::record::Exit;
use acrasin_report::value::Value;
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

fn run(amoebots: &str, more: &str, seed: u64) -> Finished {
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
