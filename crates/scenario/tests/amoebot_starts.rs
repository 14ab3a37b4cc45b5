//! Tests of crashes, of algorithm files next to objects, of starts in the middle of a run, and of measures of an
//! algorithm.

use acrasin_scenario::Runnable as _;
use std::fs;
use std::path::{Path, PathBuf};

use acrasin_report::record::{Exit, FigureValue, RunRecord};
use acrasin_report::value::Value;
use acrasin_scenario::amoebot::Allowance;
use acrasin_scenario::plan::{Finished, Job, Unwatched};
use acrasin_scenario::{AmoebotDocument, AmoebotPlan, ScenarioFile};

/// A folder for one test, with these files.
fn folder(name: &str, files: &[(&str, &str)]) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("amoebot-starts-{name}"));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    for (name, text) in files {
        fs::write(folder.join(name), text).unwrap();
    }
    folder
}

fn document(text: &str) -> AmoebotDocument {
    match ScenarioFile::parse(text, "x.ron", &[]) {
        Ok(ScenarioFile::Amoebots(document)) => *document,
        other => panic!("{text}: {other:?}"),
    }
}

fn plan(text: &str, base: &Path) -> AmoebotPlan {
    AmoebotPlan::new(&document(text), base).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn refused(text: &str, base: &Path) -> String {
    AmoebotPlan::new(&document(text), base).map(drop).unwrap_err().to_string()
}

fn run(text: &str, base: &Path) -> Finished {
    let plan = plan(text, base);
    let job = Job { seed: plan.header().seed.unwrap(), repetition: 0, watch: &Unwatched, record: None };
    plan.run(&job).unwrap()
}

fn figure(record: &RunRecord, section: &str, key: &str) -> Value {
    let found = record.sections().find(|known| known.key() == section);
    let found = found.unwrap_or_else(|| panic!("section {section}"));
    let figure = found.figures().iter().find(|figure| figure.key() == key);
    match figure.map(acrasin_report::record::Figure::value) {
        Some(FigureValue::One(value)) => value.clone(),
        other => panic!("{section}.{key}: {other:?}"),
    }
}

const EXECUTIONS: [&str; 7] = [
    "Sequential()",
    "Rounds(Synchronous)",
    "Rounds(Isolated(1))",
    "Concurrent(locks: TryLocks)",
    "Concurrent(locks: Messages(scheduler: Asynchronous))",
    "Waves",
    "Tiles",
];

/// On a line the forest grows from the root at one end. All amoebots beyond the sixth, which has crashed, stay idle.
#[test]
fn beyond_a_crashed_amoebot_of_a_line_no_amoebot_joins_in_any_execution() {
    for execution in EXECUTIONS {
        let text = format!(
            "(seed: 3, amoebots: (algorithm: Forest, start: Line(count: 9)), execution: {execution}, \
             faults: [Crash(amoebots: [5])])"
        );
        let finished = run(&text, Path::new(""));
        let record = &finished.record;
        assert_eq!(record.outcome().exit, Exit::Failed, "{execution}: {:?}", record.outcome());
        assert_eq!(figure(record, "states", "follower"), Value::Integer(4), "{execution}");
        assert_eq!(figure(record, "measures", "crashed"), Value::Integer(1), "{execution}");
        let series = finished.series.unwrap();
        assert!(series.columns().iter().any(|column| column == "crashed"), "{execution}");
    }
}

/// An amoebot that crashes after its own action has joined before, so the forest is complete.
#[test]
fn an_amoebot_that_crashes_after_its_action_has_joined() {
    for execution in EXECUTIONS {
        let text = format!(
            "(seed: 3, amoebots: (algorithm: Forest, start: Line(count: 9)), execution: {execution}, \
             faults: [Crash(amoebots: [5], after: 1), Crash(drawn: 2, after: 1)])"
        );
        let record = run(&text, Path::new("")).record;
        assert_eq!(record.outcome().exit, Exit::Done, "{execution}: {:?}", record.outcome());
        // The root never acts, so it does not crash if it is drawn.
        let Value::Integer(crashed) = figure(&record, "measures", "crashed") else { panic!("{execution}") };
        assert!((2..=3).contains(&crashed), "{execution}: {crashed}");
    }
}

/// A root, a middle and a last amoebot on a line. The middle one may crash before or after it joins. By hand: six
/// states, and one of the two ends is wrong.
#[test]
fn checks_follow_crashes_at_every_moment_in_every_execution() {
    // Following every message of three amoebots takes minutes.
    for execution in EXECUTIONS[..6].iter().filter(|execution| !execution.contains("Messages")) {
        let check = |faults: &str| {
            let text = format!(
                "(seed: 3, amoebots: (algorithm: Forest, start: Line(count: 3)), execution: {execution}, {faults})"
            );
            let plan = AmoebotPlan::for_check(&document(&text), Path::new("")).unwrap();
            plan.check(3, &Allowance::default()).unwrap()
        };
        assert!(check("").is_right(), "{execution}");
        let found = check("faults: [CrashAnyTime(amoebots: [1])]");
        assert!(!found.is_right(), "{execution}");
        if *execution == "Sequential()" {
            assert_eq!(found.states, Some(6));
        }
        // The last amoebot may crash without blocking others, but a forest without it is incomplete.
        assert!(check("faults: [Crash(amoebots: [2], after: 1)]").is_right(), "{execution}");
    }
}

#[test]
fn faults_that_cannot_be_are_refused() {
    let with = |algorithm: &str, faults: &str| {
        format!(
            "(amoebots: (algorithm: {algorithm}, start: Line(count: 4)), stop: Steps(9), faults: [{faults}])"
        )
    };
    for (algorithm, faults, says) in [
        ("Forest", "Crash(amoebots: [4])", "position 4 of 4 amoebots"),
        ("Forest", "Crash()", "no amoebot crashes"),
        ("Forest", "Crash(drawn: 3), CrashAnyTime(drawn: 2)", "more crashes than 4 amoebots"),
        ("Compression(lambda: 4.0)", "Crash(drawn: 1)", "none crashes"),
    ] {
        let message = refused(&with(algorithm, faults), Path::new(""));
        assert!(message.contains(says), "{faults}: {message}");
    }
}

/// An amoebot next to the object marks itself, and its neighbours read the mark.
const TOUCH: &str = r#"(
    title: "who touches the object",
    variables: { "state": OneOf(["apart", "touching", "near"]) },
    shown: "state",
    asks: [Object],
    measures: { "free below": At(Label(5), Free), "object below": At(Label(5), Object) },
    actions: [
        (label: "Touch", at_each_port: true, when: All([Is("state", "apart"), At(Here, Object)]), then: [Write("state", "touching")]),
        (
            label: "Hear",
            when: All([Is("state", "apart"), AnyNeighbour(Is("state", "touching")), Not(Any([At(Label(1), Object), At(Label(2), Object),
                At(Label(3), Object), At(Label(4), Object), At(Label(5), Object), At(Label(6), Object)]))]),
            then: [Write("state", "near")],
        ),
    ],
    goal: (every: In("state", ["touching", "near"])),
)"#;

/// Amoebots on and above a wall of four, counted by hand. All five of the first row touch the wall; the first four of
/// the second row touch a neighbour of the wall.
#[test]
fn an_algorithm_from_a_file_sees_the_object_in_every_execution() {
    let base = folder("touch", &[("touch.ron", TOUCH)]);
    for execution in EXECUTIONS {
        let text = format!(
            "(seed: 1, amoebots: (algorithm: File(path: \"touch.ron\"), object: Cells([(0, 0), (1, 0), (2, 0), (3, 0)]), start: \
             Cells([(-1, 1), (0, 1), (1, 1), (2, 1), (3, 1), (-1, 2), (0, 2), (1, 2), (2, 2)])), execution: {execution})"
        );
        let record = run(&text, &base).record;
        assert_eq!(record.outcome().exit, Exit::Done, "{execution}: {:?}", record.outcome());
        let states = ["apart", "touching", "near"].map(|state| figure(&record, "states", state));
        assert_eq!(states, [0, 5, 4].map(Value::Integer), "{execution}");
        // Label 5 leads south-west: from (x, 1) to (x, 0), and from (x, 2) to an amoebot.
        assert_eq!(figure(&record, "measures", "object below"), Value::Integer(4), "{execution}");
        assert_eq!(figure(&record, "measures", "free below"), Value::Integer(1), "{execution}");
    }
    let alone = "(amoebots: (algorithm: File(path: \"touch.ron\"), start: Line(count: 3)))";
    assert!(refused(alone, &base).contains("object"), "{}", refused(alone, &base));
}

/// The measured idle amoebots are those in the state idle at every moment. On a line one other amoebot is next to them
/// until the end.
#[test]
fn what_a_file_measures_is_counted_over_time() {
    let forest = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../amoebot/algorithms/forest.ron");
    let text = fs::read_to_string(forest).unwrap();
    let measures = "measures: { \"waiting\": Is(\"state\", \"idle\"), \"front\": All([In(\"state\", [\"root\", \"follower\"]), \
                    AnyNeighbour(Is(\"state\", \"idle\"))]) },\n    actions: [";
    let base = folder("measures", &[("forest.ron", &text.replacen("actions: [", measures, 1))]);
    for execution in EXECUTIONS {
        let text = format!(
            "(seed: 1, amoebots: (algorithm: File(path: \"forest.ron\"), start: Line(count: 12)), execution: {execution}, \
             observe: (counts_every: 1))"
        );
        let finished = run(&text, &base);
        let series = finished.series.unwrap();
        let column =
            |name: &str| series.columns().iter().position(|column| column == name).expect("a column");
        let (idle, waiting, front) = (column("idle"), column("waiting"), column("front"));
        let mut rows = 0;
        for row in series.rows() {
            let counts = &row.counts;
            assert_eq!(counts[waiting], counts[idle], "{execution}");
            assert_eq!(counts[front], u64::from(counts[idle] > 0), "{execution}");
            rows += 1;
        }
        assert!(rows > 1, "{execution}");
        assert_eq!(figure(&finished.record, "measures", "front"), Value::Integer(0), "{execution}");
    }
    let named = text.replacen("actions: [", "measures: { \"idle\": Contracted }, actions: [", 1);
    let base = folder("measures-named", &[("forest.ron", &named)]);
    let message =
        refused("(amoebots: (algorithm: File(path: \"forest.ron\"), start: Line(count: 2)))", &base);
    assert!(message.contains("\"idle\""), "{message}");
}

/// Records a run and returns its text.
fn recorded(text: &str, base: &Path) -> String {
    let plan = plan(text, base);
    let job = Job { seed: plan.header().seed.unwrap(), repetition: 0, watch: &Unwatched, record: None };
    let mut bytes = Vec::new();
    plan.run_recorded(&job, Some(Box::new(&mut bytes))).unwrap();
    String::from_utf8(bytes).unwrap()
}

fn digest(record: &RunRecord) -> Value {
    figure(record, "digest", "configuration")
}

/// Under a schedule without draws the rest of a run has the same end from every moment; from the last moment no action
/// is left. The digest includes memories and expanded amoebots.
#[test]
fn a_run_goes_on_from_any_moment_of_a_recording() {
    for algorithm in ["Hexagon", "File(path: \"hexagon.ron\")"] {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../amoebot/algorithms/hexagon.ron");
        let base = folder("moments", &[("hexagon.ron", &fs::read_to_string(file).unwrap())]);
        let with = |start: &str| {
            format!(
                "(seed: 1, amoebots: (algorithm: {algorithm}, start: {start}), execution: Sequential(activation: First))"
            )
        };
        let line = with("Line(count: 9)");
        fs::write(base.join("run.jsonl"), recorded(&line, &base)).unwrap();
        let whole = run(&line, &base).record;
        let Value::Integer(actions) = figure(&whole, "work", "actions") else { panic!("{algorithm}") };
        let mut expanded = 0;
        for moment in [0, 1, 2, 3, 5, 8, 13, actions / 2, actions - 1, actions] {
            let text = with(&format!("Recorded(path: \"run.jsonl\", actions: {moment})"));
            let rest = run(&text, &base);
            assert_eq!(
                figure(&rest.record, "work", "actions"),
                Value::Integer(actions - moment),
                "{algorithm} {moment}"
            );
            assert_eq!(digest(&rest.record), digest(&whole), "{algorithm} {moment}");
            let start = run(&format!("{}, stop: Steps(0))", text.strip_suffix(')').unwrap()), &base).record;
            let Value::Integer(now) = figure(&start, "states", "expanded") else { panic!("{algorithm}") };
            expanded += now;
        }
        assert!(expanded > 0, "{algorithm}: some moment has an expanded amoebot");
        // A recording of the continued run starts there again.
        let second = with("Recorded(path: \"run.jsonl\", actions: 8)");
        fs::write(base.join("second.jsonl"), recorded(&second, &base)).unwrap();
        let third = run(&with("Recorded(path: \"second.jsonl\")"), &base).record;
        assert_eq!((digest(&third), figure(&third, "work", "actions")), (digest(&whole), Value::Integer(0)));
        // It reaches the goal in every other execution, too.
        for execution in &EXECUTIONS[3..] {
            let text = second.replace("Sequential(activation: First)", execution);
            assert_eq!(run(&text, &base).record.outcome().exit, Exit::Done, "{algorithm} {execution}");
        }
        let message =
            refused(&with(&format!("Recorded(path: \"run.jsonl\", actions: {})", actions + 1)), &base);
        assert!(message.contains(&format!("in a recording of {actions} actions")), "{message}");
    }
}

#[test]
fn moments_that_cannot_be_are_refused() {
    let base = folder("refused", &[("touch.ron", TOUCH)]);
    let line = "(seed: 1, amoebots: (algorithm: Hexagon, start: Line(count: 5)))";
    fs::write(base.join("run.jsonl"), recorded(line, &base)).unwrap();
    let crashed =
        "(seed: 1, amoebots: (algorithm: Hexagon, start: Line(count: 5)), faults: [Crash(amoebots: [1])])";
    fs::write(base.join("crashed.jsonl"), recorded(crashed, &base)).unwrap();
    let own = r#"{"acrasin":"replay","format":1,"version":"0.1.0","seed":1,"scenario":"(amoebots: (algorithm: Hexagon, start: Recorded(path: \"own.jsonl\")))"}"#;
    fs::write(base.join("own.jsonl"), format!("{own}\n")).unwrap();
    let with = |algorithm: &str, start: &str| {
        format!("(amoebots: (algorithm: {algorithm}, start: {start}), stop: Steps(1))")
    };
    for (algorithm, start, says) in [
        ("Erosion", "Recorded(path: \"run.jsonl\")", "a recording of hexagon formation"),
        ("Hexagon", "Recorded(path: \"crashed.jsonl\")", "with faults"),
        ("Hexagon", "Recorded(path: \"none.jsonl\")", "none.jsonl"),
        ("Hexagon", "Recorded(path: \"touch.ron\")", "not a replay"),
        ("Hexagon", "Recorded(path: \"own.jsonl\")", "recordings, each of which starts from another"),
        (
            "Hexagon",
            "Recorded(path: \"run.jsonl\"), orientations: Assorted",
            "the start already determines the orientations",
        ),
        ("Hexagon", "Amoebots([(head: (0, 0), tail: (1, 0))])", "contracted amoebots"),
        ("Hexagon", "Amoebots([(head: (0, 0), memory: {\"state\": \"root\"})])", "cannot be set"),
        ("Compression(lambda: 4.0)", "Amoebots([(head: (0, 0), port_1: West)])", "no amoebot has ports"),
    ] {
        let message = refused(&with(algorithm, start), &base);
        assert!(message.contains(says), "{start}: {message}");
    }
}

/// A start before the end of the recording is not compared: its digest is not recorded.
#[test]
fn a_recording_that_ends_in_another_digest_is_no_start() {
    let base = folder("start-forged", &[]);
    let with = |start: &str| format!("(seed: 1, amoebots: (algorithm: Hexagon, start: {start}))");
    let text = recorded(&with("Line(count: 5)"), &base);
    let (before, digest) = text.rsplit_once("\"digest\":\"").unwrap();
    let changed = if digest.starts_with('0') { '1' } else { '0' };
    fs::write(base.join("run.jsonl"), &text).unwrap();
    fs::write(base.join("forged.jsonl"), format!("{before}\"digest\":\"{changed}{}", &digest[1..])).unwrap();
    let lines = text.lines().count();
    let start = |file: &str, moment: &str| with(&format!("Recorded(path: \"{file}.jsonl\"{moment})"));
    for moment in [String::new(), format!(", actions: {}", lines - 2)] {
        run(&start("run", &moment), &base);
        let message = refused(&start("forged", &moment), &base);
        let says = format!("forged.jsonl:{lines}: the actions lead to another configuration: digest");
        assert!(message.contains(&says), "{moment}: {message}");
    }
    run(&start("forged", &format!(", actions: {}", lines - 3)), &base);
}

/// The digest of a scenario includes the recording, which names the digests of the files of its own scenario.
#[test]
fn a_recording_whose_files_have_changed_is_no_start() {
    let base = folder("start-changed", &[("touch.ron", TOUCH), ("cells.txt", "* * *\n")]);
    let drawn = "(seed: 1, amoebots: (algorithm: Hexagon, start: Drawing(path: \"cells.txt\")))";
    fs::write(base.join("run.jsonl"), recorded(drawn, &base)).unwrap();
    let start = "(seed: 1, amoebots: (algorithm: Hexagon, start: Recorded(path: \"run.jsonl\", actions: 0)), stop: Steps(0))";
    let amoebots = |base: &Path| figure(&run(start, base).record, "shape", "cells");
    assert_eq!(amoebots(&base), Value::Integer(3));
    fs::write(base.join("cells.txt"), "* * * *\n").unwrap();
    let message = refused(start, &base);
    assert!(message.contains("run.jsonl: the file cells.txt (amoebots.start.path) has changed"), "{message}");
    fs::remove_file(base.join("cells.txt")).unwrap();
    let message = refused(start, &base);
    assert!(message.contains("cells.txt (amoebots.start.path)"), "{message}");
}

/// The start lists an expanded follower before its last action, next to a hole; the following steps are derived by
/// hand.
#[test]
fn amoebots_are_written_one_by_one() {
    let walk = r#"(
        title: "contract once",
        variables: { "state": OneOf(["resting", "going"]), "to": Port },
        shown: "state",
        actions: [(label: "Contract", when: All([Is("state", "going"), Expanded]), then: [Contract(Tail), Write("state", "resting")])],
        goal: (every: All([Is("state", "resting"), Contracted])),
    )"#;
    let base = folder("written", &[("walk.ron", walk)]);
    let with = |amoebots: &str| {
        format!("(seed: 1, amoebots: (algorithm: File(path: \"walk.ron\"), start: Amoebots([{amoebots}])))")
    };
    let good = with(
        "(head: (0, 0)), (head: (1, 0), tail: (2, 0), memory: {\"state\": \"going\", \"to\": \"tail 3\"}, port_1: West, clockwise: true)",
    );
    let record = run(&good, &base).record;
    assert_eq!(record.outcome().exit, Exit::Done, "{:?}", record.outcome());
    assert_eq!(figure(&record, "work", "moves"), Value::Integer(1));
    assert_eq!(figure(&record, "shape", "cells"), Value::Integer(2));
    for (amoebots, says) in [
        ("(head: (0, 0)), (head: (1, 0), tail: (3, 0))", "accepted: adjacent cells"),
        ("(head: (0, 0)), (head: (1, 0), tail: (0, 0))", "(0, 0)"),
        ("(head: (0, 0), memory: {\"speed\": 1})", "there is no variable \"speed\""),
        ("(head: (0, 0), memory: {\"state\": \"gone\"})", "has no value \"gone\""),
        ("(head: (0, 0)), (head: (4, 0))", "must be connected"),
        ("", "0 amoebots"),
    ] {
        let message = refused(&with(amoebots), &base);
        assert!(message.contains(says), "{amoebots}: {message}");
    }
    // The amoebots are connected only through the tail.
    run(&with("(head: (0, 0)), (head: (2, 0), tail: (1, 0), memory: {\"state\": \"going\"})"), &base);
}
