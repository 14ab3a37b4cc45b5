//! Tests of runs found by a check of amoebots: they are shown in the frame of the start, recorded, and replayed.

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use acrasin_report::record::{Exit, Outcome};
use acrasin_scenario::amoebot::{Allowance, RunToViolation};
use acrasin_scenario::check::CheckReport;
use acrasin_scenario::plan::{JobReplayError, Unwatched};
use acrasin_scenario::{
    AmoebotDocument, AmoebotPlan, Catalogue, Proceed, Progress, RunControl, ScenarioFile,
};
use acrasin_verify::replay::ReplayFile;

const EXECUTIONS: [&str; 6] = [
    "Sequential()",
    "Rounds(Synchronous)",
    "Rounds(Isolated(1))",
    "Concurrent(locks: TryLocks)",
    "Concurrent(locks: Messages())",
    "Waves",
];

fn document(text: &str) -> AmoebotDocument {
    match ScenarioFile::parse(text, "x.ron", &[]) {
        Ok(ScenarioFile::Amoebots(document)) => *document,
        other => panic!("{text}: {other:?}"),
    }
}

/// The run to the violation, and its recording.
fn found(text: &str, seed: u64) -> (RunToViolation, String) {
    let plan = AmoebotPlan::for_check(&document(text), Path::new("")).unwrap();
    let report = plan.check(seed, &Allowance::default()).unwrap();
    assert!(report.truncated.is_none(), "{text}: {report:?}");
    run_to_violation(&report)
}

fn run_to_violation(report: &CheckReport<RunToViolation>) -> (RunToViolation, String) {
    let way = report.run().unwrap_or_else(|| panic!("nothing is wrong: {report:?}")).clone();
    assert_eq!(way.moments.len(), way.route.moves.len() + 1, "{way:?}");
    let recording = String::from_utf8(way.recording.clone().expect("a run that was retraced")).unwrap();
    (way, recording)
}

fn replayed(recording: &str) -> Result<Outcome, JobReplayError> {
    replayed_under(recording, &Unwatched)
}

fn replayed_under(recording: &str, watch: &dyn RunControl) -> Result<Outcome, JobReplayError> {
    let file = ReplayFile::open("found.jsonl", recording.as_bytes()).unwrap();
    let header = file.header().clone();
    let document = document(&header.scenario);
    let subject = (&document, &header);
    let plan = AmoebotPlan::of_recording(&Catalogue::shipped(), subject, Path::new(""), 1 << 30).unwrap();
    let (finished, _) = plan.replay(file, watch)?;
    Ok(finished.record.outcome().clone())
}

fn is_reproduced(outcome: &Outcome) -> bool {
    outcome.exit == Exit::Failed && outcome.word == "violation" && outcome.reason.contains("is reproduced")
}

/// The number of amoebots of a check: two with messages, because a check of three takes minutes.
fn count(execution: &str) -> usize {
    if execution.contains("Messages") { 2 } else { 3 }
}

/// The second amoebot crashes before it joins. In a sequential execution that takes one step, derived by hand.
fn crash(start: &str, execution: &str) -> String {
    format!(
        "(seed: 3, amoebots: (algorithm: Forest, {start}), execution: {execution}, faults: [CrashAnyTime(amoebots: [1])])"
    )
}

#[test]
fn a_counterexample_is_shown_in_the_frame_of_its_start_in_every_execution() {
    for execution in EXECUTIONS {
        let count = count(execution);
        let cells = &[(5, 7), (6, 7), (7, 7)][..count];
        let (way, recording) = found(&crash(&format!("start: Cells({cells:?})"), execution), 3);
        let [start, steps @ ..] = &way.moments[..] else { panic!("{execution}") };
        let heads: Vec<(i32, i32)> = start.amoebots.iter().map(|now| (now.head.x(), now.head.y())).collect();
        assert_eq!(heads, cells, "{execution}");
        assert_eq!(steps.len(), way.route.moves.len(), "{execution}");
        // No node moves, and only the middle one has crashed.
        let last = |number: u32| {
            let mut changes = way.moments.iter().flat_map(|moment| &moment.amoebots);
            changes.rfind(|now| now.number == number).unwrap().clone()
        };
        for (number, x) in (0..).zip(5..5 + count as i32) {
            assert_eq!((last(number).head.x(), last(number).tail), (x, None), "{execution}");
            assert_eq!(last(number).memory.starts_with("crashed, "), number == 1, "{execution}");
        }
        assert!(last(count as u32 - 1).memory.ends_with("Idle"), "{execution}");
        let outcome = replayed(&recording).unwrap();
        assert!(is_reproduced(&outcome), "{execution}: {outcome:?}");
        if execution == "Sequential()" {
            assert_eq!((steps.len(), steps[0].what.as_str()), (1, "1 Crash"));
        }
    }
}

/// All starts of three amoebots with drawn orientations: the recording names the start.
#[test]
fn a_counterexample_from_one_of_many_starts_is_taken_again_in_every_execution() {
    for execution in EXECUTIONS {
        let start = format!("start: AllConnected(count: {}), orientations: Assorted", count(execution));
        let text = crash(&start, execution);
        for seed in if execution.starts_with("Sequential") { 3..6 } else { 8..9 } {
            let (way, recording) = found(&text, seed);
            let outcome = replayed(&recording).unwrap();
            assert!(is_reproduced(&outcome), "{execution}: {outcome:?}");
            assert_eq!(way.start, way.moments[0].amoebots.iter().map(|now| now.head).collect::<Vec<_>>());
        }
    }
}

/// Moving amoebots keep their numbers. Erosion does not move; hexagon formation in rounds without locks fails from some
/// starts.
#[test]
fn amoebots_that_move_are_followed() {
    let text = "(amoebots: (algorithm: Hexagon, start: AllConnected(count: 4)), execution: Sequential(), \
                faults: [Crash(amoebots: [3], after: 1)])";
    let (way, recording) = found(text, 1);
    assert!(is_reproduced(&replayed(&recording).unwrap()), "{recording}");
    // Every change of position is a movement of one amoebot or a handover of two. Heads move at most one cell per step.
    let mut now: Vec<_> = way.moments[0].amoebots.clone();
    for moment in &way.moments[1..] {
        let mut moved = 0;
        for next in &moment.amoebots {
            let before = &mut now[next.number as usize];
            let (dx, dy) = (next.head.x() - before.head.x(), next.head.y() - before.head.y());
            assert!(dx.abs() <= 1 && dy.abs() <= 1 && (dx + dy).abs() <= 1, "{moment:?}");
            moved += u32::from((next.head, next.tail) != (before.head, before.tail));
            *before = next.clone();
        }
        assert!(moved <= 2, "{moment:?}");
    }
    let mut cells: Vec<_> = now.iter().flat_map(|now| [Some(now.head), now.tail]).flatten().collect();
    cells.sort();
    assert_eq!(cells, way.end);
}

#[test]
fn recordings_of_checks_that_were_changed_are_noticed() {
    for execution in EXECUTIONS {
        let (_, recording) =
            found(&crash(&format!("start: Line(count: {})", count(execution)), execution), 3);
        let lines: Vec<&str> = recording.lines().collect();
        let with = |at: usize, line: &str| {
            let mut lines = lines.clone();
            lines[at] = line;
            replayed(&(lines.join("\n") + "\n"))
        };
        let not_reproduced = |outcome: Result<Outcome, JobReplayError>, says: &str| match outcome {
            Ok(outcome) => {
                assert_eq!(
                    (outcome.word.as_str(), outcome.exit),
                    ("not reproduced", Exit::Failed),
                    "{execution}"
                );
                assert!(outcome.reason.contains(says), "{execution}: {}", outcome.reason);
            }
            Err(error) => assert!(error.to_string().contains(says), "{execution}: {error}"),
        };
        // The mutations are another label, an impossible move, another end, another start, and another seed of a drawn
        // start.
        let words = lines[1].split('"').nth(1).unwrap();
        not_reproduced(with(1, &lines[1].replace(words, "9 Sleeps")), "9 Sleeps");
        not_reproduced(with(1, "[4000000000,\"0 Crash\"]"), "step 1 is not a possible move");
        let end = lines[lines.len() - 1];
        let digest = &end[end.find("\"digest\":\"").unwrap() + 10..][..32];
        not_reproduced(with(lines.len() - 1, &end.replace(digest, &"0".repeat(32))), "another configuration");
        not_reproduced(with(0, &lines[0].replace("\"check\":0", "\"check\":1")), "no");
        assert!(with(1, "[\"x\"]").unwrap_err().is_malformed(), "{execution}");
    }
}

/// A check that reaches its limit on states after a violation keeps the run to the violation, and that run is replayed.
#[test]
fn runs_that_were_found_before_a_limit_are_kept() {
    for execution in EXECUTIONS {
        let start = format!("start: AllConnected(count: {}), orientations: Assorted", count(execution));
        let text = crash(&start, execution);
        let plan = |text: &str| AmoebotPlan::for_check(&document(text), Path::new("")).unwrap();
        let all = plan(&text).check(3, &Allowance::default()).unwrap();
        let states = all.states.unwrap();
        let less = format!("{}, limits: (states: {}))", text.strip_suffix(')').unwrap(), states - 1);
        let plan = plan(&less);
        let checked = plan.check(3, &Allowance::default()).unwrap();
        assert!(checked.truncated.is_some(), "{execution}: {checked:?}");
        let (way, recording) = run_to_violation(&checked);
        assert_eq!(way.steps.len(), way.route.moves.len(), "{execution}: {way:?}");
        let (known, _) = run_to_violation(&all);
        assert!(
            known.to != way.to || way.steps.len() >= known.steps.len(),
            "{execution}: {way:?}, {known:?}"
        );
        let outcome = replayed(&recording).unwrap();
        assert!(is_reproduced(&outcome), "{execution}: {outcome:?}");
    }
}

/// In rounds a state can be wrong only because no run ends from it. Such a run from an earlier start is kept as well.
#[test]
fn runs_of_earlier_starts_are_kept() {
    let text = "(amoebots: (algorithm: Erosion, start: AllConnected(count: 2)), execution: Rounds(Synchronous), \
                limits: (states: STATES))";
    let of = |states: u64| {
        let document = document(&text.replace("STATES", &states.to_string()));
        AmoebotPlan::for_check(&document, Path::new("")).unwrap().check(1, &Allowance::default()).unwrap()
    };
    let all = of(1_000);
    let cut = of(all.states.unwrap() - 1);
    let ((known, _), (way, _)) = (run_to_violation(&all), run_to_violation(&cut));
    assert!(cut.truncated.is_some() && all.truncated.is_none());
    assert_eq!((way.to, way.found_on, way.route), (known.to, known.end, known.route));
    assert_eq!(way.moments, known.moments);
}

/// Asks to stop from some poll on.
struct StopsAfter {
    polls: usize,
    asked: AtomicUsize,
    answer: Proceed,
}

impl RunControl for StopsAfter {
    fn look(&self, _: &Progress) -> Proceed {
        self.verdict()
    }

    fn verdict(&self) -> Proceed {
        let asked = self.asked.fetch_add(1, Ordering::Relaxed);
        if asked < self.polls { Proceed::Continue } else { self.answer }
    }
}

/// Regression: the recorded run of a check was rebuilt to its end, whatever its control said.
#[test]
fn rebuilding_a_run_of_a_check_is_stopped_at_every_poll() {
    for execution in EXECUTIONS {
        let start = format!("start: AllConnected(count: {})", count(execution));
        let (way, recording) = found(&crash(&start, execution), 3);
        let stopped_after = |polls, answer| {
            let control = StopsAfter { polls, asked: AtomicUsize::new(0), answer };
            let result = replayed_under(&recording, &control);
            (result, control.asked.into_inner())
        };
        let (whole, polls) = stopped_after(usize::MAX, Proceed::Interrupted);
        assert!(is_reproduced(&whole.unwrap()), "{execution}");
        // Every start before that of the run, every step, and every successor that is computed for a step.
        assert!(polls > way.route.start + 2 * way.route.moves.len(), "{execution}: {polls}");
        for (answer, step) in [(Proceed::Interrupted, 1), (Proceed::OutOfTime, 9)] {
            for after in (0..polls).step_by(step) {
                match stopped_after(after, answer) {
                    (Err(JobReplayError::Stopped(why)), _) => assert_eq!(why, answer, "{execution}"),
                    // The last polls are those of the driver, after the run was rebuilt.
                    (Ok(outcome), _) => assert!(after + 3 > polls, "{execution}: {after}, {outcome:?}"),
                    (Err(other), _) => panic!("{execution}: {other}"),
                }
            }
        }
    }
}
