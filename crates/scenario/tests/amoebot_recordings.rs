//! Tests that interrupted runs of amoebots are reproduced from their recordings, and that an impossible action ends a
//! run.

use std::path::Path;

use acrasin_report::film::Film;
use acrasin_report::record::Exit;
use acrasin_runtime::choice::{Choices as _, Decision, Seeded};
use acrasin_scenario::amoebot::Allowance;
use acrasin_scenario::film::{ObservingControl, TraceRecorder};
use acrasin_scenario::{AmoebotPlan, Job, ScenarioFile, Unwatched};
use acrasin_verify::replay::ReplayFile;

use crate::support::digest;

fn plan(text: &str, base: &Path) -> AmoebotPlan {
    let parsed = ScenarioFile::parse(text, "x.ron", &[]).unwrap_or_else(|error| panic!("{text}: {error}"));
    let ScenarioFile::Amoebots(document) = parsed else { panic!("a scenario of amoebots") };
    AmoebotPlan::new(&document, base).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn scenario(amoebots: &str, execution: &str, stop: Option<u64>) -> String {
    let stop = stop.map_or_else(String::new, |stop| format!(", stop: Steps({stop})"));
    format!(
        "(seed: 1, amoebots: (algorithm: {amoebots}), execution: {execution}, limits: (steps: \"10^5\"){stop})"
    )
}

/// Records an interrupted run and replays it. Returns the outcome of the replay, both digests, and the ending of the
/// run.
fn recorded_and_replayed(text: &str, base: &Path, seed: u64) -> (String, [String; 2], String) {
    let mut recording = Vec::new();
    let job = Job { seed, repetition: 0, watch: &Unwatched, record: None };
    let finished = plan(text, base).run_recorded(&job, Some(Box::new(&mut recording))).unwrap();
    let opened = ReplayFile::open("r.jsonl", &recording[..]).unwrap();
    let (replayed, end) = plan(text, base).replay(opened, &Unwatched).unwrap();
    let word = replayed.record.outcome().word.clone();
    assert!(end.is_some());
    let digests = [digest(&finished), digest(&replayed)];
    (word, digests, finished.record.outcome().word.clone())
}

/// Every execution that can be recorded.
const EXECUTIONS: [&str; 9] = [
    "Sequential(activation: Uniform)",
    "Sequential(activation: UniformEnabled)",
    "Sequential(activation: RoundRobin)",
    "Sequential(activation: First, fairness: Weak(20))",
    "Sequential(activation: Newest, fairness: Strong(20))",
    "Concurrent(locks: TryLocks)",
    "Concurrent(locks: Messages(scheduler: Asynchronous))",
    "Waves",
    "Tiles",
];

/// A run is interrupted inside an action: between expansion and writes, or between writes and contraction. The
/// recording marks the unfinished action.
#[test]
fn a_run_is_reproduced_wherever_it_was_stopped() {
    let algorithms = [
        "Hexagon, start: Blob(count: 4, acceptance: 0.8)",
        "ForestWalk(path: \"12\"), start: Line(count: 3)",
        "TokenElection, start: Line(count: 3)",
        "EnergyDistribution(algorithm: Hexagon, capacity: 2, demand: 1), start: Line(count: 2)",
    ];
    for (amoebots, execution) in algorithms.iter().flat_map(|of| EXECUTIONS.map(|execution| (of, execution)))
    {
        for seed in [1, 9] {
            let mut ended = String::new();
            // Short runs are stopped after every step. Long ones are stopped at a prime distance, which varies the kind
            // of step.
            let mut stop = 1;
            while ended != "terminated" && stop < 3_000 {
                let text = scenario(amoebots, execution, Some(stop));
                let (word, [run, again], outcome) = recorded_and_replayed(&text, Path::new(""), seed);
                assert_eq!(word, "reproduced", "{text}, seed {seed}");
                assert_eq!(run, again, "{text}, seed {seed}");
                ended = outcome;
                stop += if stop < 50 { 1 } else { 37 };
            }
        }
    }
}

/// Regression: the case in which this failed.
#[test]
fn a_run_that_stops_between_a_write_and_a_contraction_is_reproduced() {
    let text =
        scenario("Hexagon, start: Blob(count: 4, acceptance: 0.8)", "Concurrent(locks: TryLocks)", Some(388));
    let (word, [run, again], _) = recorded_and_replayed(&text, Path::new(""), 9);
    assert_eq!((word.as_str(), run), ("reproduced", again));
}

/// Mutual exclusion by tokens and by critical sections, under algorithms in which no amoebot moves.
#[test]
fn a_run_over_other_mutual_exclusion_is_reproduced_wherever_it_was_stopped() {
    for exclusion in [
        "TokenTree(behaviour: Raymond, tree: ShortestPaths, root: 0)",
        "CriticalSections(scheme: Home, most: 1)",
        "CriticalSections(scheme: Exclusion, most: 1)",
    ] {
        for stop in (1..160).step_by(3) {
            let text = format!(
                "(seed: 1, amoebots: (algorithm: MaximalIndependentSet, start: Line(count: 4)), \
                 execution: Concurrent(locks: Messages(scheduler: Asynchronous)), exclusion: {exclusion}, \
                 stop: Steps({stop}))"
            );
            let (word, [run, again], _) = recorded_and_replayed(&text, Path::new(""), 3);
            assert_eq!((word.as_str(), run), ("reproduced", again), "{text}");
        }
    }
}

/// An algorithm file with one action, which has these effects at its start.
fn file_of(effects: &str) -> String {
    format!(
        "(title: \"broken\", variables: {{ \"state\": OneOf([\"idle\", \"done\"]) }}, shown: \"state\", \
         actions: [(label: \"Try\", when: Is(\"state\", \"idle\"), then: [Write(\"state\", \"done\"), {effects}])], \
         goal: (every: Is(\"state\", \"done\")))"
    )
}

const EVERY_EXECUTION: [&str; 11] = [
    "Sequential(activation: Uniform)",
    "Sequential(activation: RoundRobin)",
    "Sequential(activation: First, fairness: Weak(20))",
    "Rounds(Synchronous)",
    "Rounds(Isolated(1))",
    "Rounds(Isolated(2))",
    "Concurrent(locks: TryLocks)",
    "Concurrent(locks: Messages(scheduler: Asynchronous))",
    "Concurrent(locks: Messages(scheduler: NewestFirst))",
    "Waves",
    "Tiles",
];

/// The effects, the cells of the two amoebots, and a part of the message.
const IMPOSSIBLE: [(&str, &str, &str); 7] = [
    ("Contract(Tail)", "[(0, 0), (1, 0)]", "a contracted amoebot can neither contract nor pull"),
    ("Pull(Label(1))", "[(0, 0), (1, 0)]", "a contracted amoebot can neither contract nor pull"),
    ("Push(Label(2))", "[(0, 0), (1, 0)]", "no amoebot is connected at port 2"),
    (
        "When(Contracted, [Expand(Label(2))]), When(Contracted, [Expand(Label(3))])",
        "[(0, 0), (1, 0)]",
        "moves twice",
    ),
    ("WriteAt(Label(2), \"state\", \"done\")", "[(0, 0), (1, 0)]", "no amoebot is connected at port 2"),
    (
        "When(Is(\"state\", \"done\"), []), Expand(Label(1)), WriteAt(Label(3), \"state\", \"idle\")",
        "[(1073741823, 0), (1073741822, 0)]",
        "port",
    ),
    ("Expand(Label(1))", "[(1073741823, 0), (1073741822, 1)]", "leads to no node"),
];

#[test]
fn an_action_that_cannot_be_done_ends_a_run_with_its_name() {
    let folder = tempfile::tempdir().unwrap();
    for (effects, cells, reason) in IMPOSSIBLE {
        std::fs::write(folder.path().join("broken.ron"), file_of(effects)).unwrap();
        for execution in EVERY_EXECUTION {
            let text =
                scenario(&format!("File(path: \"broken.ron\"), start: Cells({cells})"), execution, None);
            let job = Job { seed: 1, repetition: 0, watch: &Unwatched, record: None };
            let finished = plan(&text, folder.path()).run(&job).unwrap();
            let outcome = finished.record.outcome();
            assert_eq!(
                (outcome.word.as_str(), outcome.exit),
                ("violation", Exit::Failed),
                "{text}: {effects}"
            );
            for part in ["action Try of amoebot ", " cannot be done: ", reason] {
                assert!(outcome.reason.contains(part), "{execution}, {effects}: {}", outcome.reason);
            }
        }
        for execution in ["Sequential()", "Rounds(Synchronous)", "Waves", "Concurrent(locks: TryLocks)"] {
            // Sequential checks compare shapes up to translation, so they do not reach the limit of the lattice.
            if execution == "Sequential()" && cells.contains("1073741823") {
                continue;
            }
            let text =
                scenario(&format!("File(path: \"broken.ron\"), start: Cells({cells})"), execution, None);
            let allowance = Allowance { bytes_max: 1 << 28, ..Allowance::default() };
            let checked = plan(&text, folder.path()).check(1, &allowance).unwrap();
            assert!(!checked.is_right(), "{execution}, {effects}");
            let way = checked.run().unwrap();
            for part in ["action Try of amoebot ", reason] {
                assert!(way.to.contains(part), "{execution}, {effects}: {}", way.to);
            }
        }
    }
}

/// Regression: the replay ran without end towards a step that no run has.
#[test]
fn a_checkpoint_that_no_run_has_is_not_run_to() {
    let text = scenario("Compression(lambda: 2.0), start: Line(count: 6)", "Sequential()", Some(200));
    let mut recording = Vec::new();
    let job = Job { seed: 1, repetition: 0, watch: &Unwatched, record: None };
    plan(&text, Path::new("")).run_recorded(&job, Some(Box::new(&mut recording))).unwrap();
    let recording = String::from_utf8(recording).unwrap();
    for (from, to) in [("\n[0,", "\n[18446744073709551615,"), ("\n[200,", "\n[300,")] {
        assert!(recording.contains(from), "{recording}");
        let damaged = recording.replacen(from, to, 1);
        let opened = ReplayFile::open("r.jsonl", damaged.as_bytes()).unwrap();
        let (replayed, _) = plan(&text, Path::new("")).replay(opened, &Unwatched).unwrap();
        let outcome = replayed.record.outcome();
        assert_eq!(outcome.word, "not reproduced", "{to}");
        assert!(outcome.reason.contains("is recorded, expected up to"), "{}", outcome.reason);
    }
}

/// Regression: a checkpoint after the end of the scenario was accepted if nothing changed between the two.
#[test]
fn a_checkpoint_after_the_end_of_the_scenario_is_not_reproduced() {
    for (stop, limit) in [(Some(190), 100_000), (None, 190)] {
        // With a strong bias no amoebot moves.
        let amoebots = if stop.is_some() {
            "Compression(lambda: 1000000.0), start: Hexagon(count: 7)"
        } else {
            "Hexagon, start: Line(count: 300)"
        };
        let execution = if stop.is_some() { "Sequential()" } else { "Rounds(Synchronous)" };
        let text = scenario(amoebots, execution, stop).replace("\"10^5\"", &limit.to_string());
        let mut recording = Vec::new();
        let job = Job { seed: 1, repetition: 0, watch: &Unwatched, record: None };
        plan(&text, Path::new("")).run_recorded(&job, Some(Box::new(&mut recording))).unwrap();
        let recording = String::from_utf8(recording).unwrap();
        assert!(recording.contains("\n[190,"), "{recording}");
        let damaged = recording.replacen("\n[190,", "\n[191,", 1);
        let opened = ReplayFile::open("r.jsonl", damaged.as_bytes()).unwrap();
        let (replayed, _) = plan(&text, Path::new("")).replay(opened, &Unwatched).unwrap();
        let outcome = replayed.record.outcome();
        assert_eq!(outcome.word, "not reproduced", "{text}");
        assert!(outcome.reason.contains("step 191 is recorded, expected up to 190"), "{}", outcome.reason);
    }
}

/// Regression: in tiles a chain had too little room for its first window, although it had enough sequentially. The
/// scenario is now refused when it is read.
#[test]
fn tiles_without_room_for_a_window_are_refused_at_the_start() {
    for algorithm in [
        "Compression(lambda: 0.5, layout: Tiles)",
        "Separation(lambda: 0.5, gamma: 0.5, layout: Tiles)",
        "Foraging(search: 0.5, gather: 6, every: 100, layout: Tiles)",
        "Phototaxis(lambda: 3, lit: 0.25, light: East, layout: Tiles)",
    ] {
        let text = |x: i32| {
            scenario(
                &format!("{algorithm}, start: Cells([({x}, 0), ({}, 0)])", x - 1),
                "Sequential()",
                Some(3),
            )
        };
        let read = |text: &str| {
            let Ok(ScenarioFile::Amoebots(document)) = ScenarioFile::parse(text, "x.ron", &[]) else {
                panic!("{text}")
            };
            AmoebotPlan::new(&document, Path::new("")).map_err(|error| error.to_string())
        };
        let refused = read(&text(1_073_741_700)).map(|_| ()).unwrap_err();
        assert!(refused.contains("is too close to the limit of the lattice"), "{algorithm}: {refused}");
        let far = read(&text(1_073_741_000)).unwrap_or_else(|error| panic!("{algorithm}: {error}"));
        let job = Job { seed: 1, repetition: 0, watch: &Unwatched, record: None };
        assert_eq!(far.run(&job).unwrap().record.outcome().word, "steps", "{algorithm}");
    }
}

/// Regression: the run was lost, with an error about a cell that no start may have and without a record.
#[test]
fn a_chain_that_comes_to_the_limit_of_the_lattice_ends_with_the_amoebot_and_its_cell() {
    for algorithm in ["Compression(lambda: 0.5, layout: Masks)", "Separation(lambda: 0.5, gamma: 0.5)"] {
        let text = scenario(
            &format!("{algorithm}, start: Cells([(1073741807, 0), (1073741806, 0), (1073741805, 0)])"),
            "Sequential()",
            Some(10_000_000),
        )
        .replace("10^5", "10^7");
        let job = Job { seed: 1, repetition: 0, watch: &Unwatched, record: None };
        let finished = plan(&text, Path::new("")).run(&job).unwrap();
        let outcome = finished.record.outcome();
        assert_eq!((outcome.word.as_str(), outcome.exit), ("violation", Exit::Failed), "{text}");
        for part in
            ["a step of amoebot ", " cannot be done: the cell is too close to the limit of the lattice"]
        {
            assert!(outcome.reason.contains(part), "{}", outcome.reason);
        }
    }
}

/// Mistakes that the file shows are refused before a run.
#[test]
fn an_action_that_can_never_be_done_is_refused_when_it_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let refused = |file: &str| {
        std::fs::write(folder.path().join("broken.ron"), file).unwrap();
        let text = scenario("File(path: \"broken.ron\"), start: Line(count: 2)", "Waves", None);
        let Ok(ScenarioFile::Amoebots(document)) = ScenarioFile::parse(&text, "x.ron", &[]) else {
            panic!("{text}")
        };
        AmoebotPlan::new(&document, folder.path()).err().map(|error| error.to_string())
    };
    let guarded = |guard: &str, effects: &str| file_of(effects).replace("Is(\"state\", \"idle\")", guard);
    for (guard, effects, reason) in [
        (
            "Contracted",
            "Expand(Label(1)), Contract(Tail)",
            "\"Try\" contracts or pulls where its guard asks for a contracted",
        ),
        ("All([])", "Expand(Label(1)), Expand(Label(2))", "\"Try\" moves twice"),
        (
            "All([])",
            "Expand(Label(1)), When(Is(\"state\", \"idle\"), [Push(Label(2))])",
            "\"Try\" moves twice",
        ),
        ("All([Is(\"state\", \"idle\"), Not(Expanded)])", "Pull(Label(1))", "contracts or pulls"),
        (
            "All([Expanded, Is(\"state\", \"idle\")])",
            "Push(Label(1))",
            "\"Try\" expands or pushes where its guard asks for an expanded",
        ),
        ("Expanded", "When(Contracted, [Contract(Tail)])", "contracts or pulls"),
    ] {
        let message = refused(&guarded(guard, effects)).unwrap_or_else(|| panic!("{guard}: {effects}"));
        assert!(
            message.contains(reason) && message.contains("broken.ron:1:"),
            "{guard}, {effects}: {message}"
        );
    }
    for (guard, effects) in [
        ("Contracted", "Expand(Label(1))"),
        ("Expanded", "Contract(Tail)"),
        ("All([])", "When(Contracted, [Expand(Label(1))]), When(Expanded, [Contract(Tail)])"),
        ("Not(Contracted)", "Pull(Label(1))"),
    ] {
        assert_eq!(refused(&guarded(guard, effects)), None, "{guard}: {effects}");
    }
    // Goals that are always true.
    for every in ["All([])", "Not(Any([]))", "All([Not(Any([])), All([])])"] {
        let file = file_of("When(Any([]), [])")
            .replace("every: Is(\"state\", \"done\")", &format!("every: {every}"));
        let message = refused(&file).unwrap_or_else(|| panic!("{every}"));
        assert!(message.contains("the goal holds for every system"), "{message}");
        let counted =
            file.replace(&format!("every: {every}"), &format!("every: {every}, exactly: {{ \"done\": 2 }}"));
        assert_eq!(refused(&counted), None, "{every}");
    }
}

/// Recordings of chains and rounds with bytes changed, removed, doubled or swapped at random. A replay must refuse
/// them, fail to reproduce them, or reproduce exactly the recorded run with its digest.
#[test]
fn damaged_recordings_of_chains_never_reproduce_another_run() {
    let plans = [
        ("Compression(lambda: 3.0), start: Line(count: 9)", "Sequential()"),
        ("Separation(lambda: 3.0, gamma: 2.0, layout: Waves), start: Line(count: 9)", "Sequential()"),
        ("Compression(lambda: 3.0, layout: Tiles), start: Line(count: 9)", "Sequential()"),
        ("ForestWalk(path: \"12\"), start: Line(count: 9)", "Rounds(Synchronous)"),
    ];
    let [mut refused, mut differing, mut same] = [0; 3];
    for (amoebots, execution) in plans {
        let text = scenario(amoebots, execution, Some(137));
        let job = Job { seed: 1, repetition: 0, watch: &Unwatched, record: None };
        let mut recording = Vec::new();
        let finished = plan(&text, Path::new("")).run_recorded(&job, Some(Box::new(&mut recording))).unwrap();
        let of_run = digest(&finished);
        let first_step = 1 + recording.iter().position(|&byte| byte == b'\n').unwrap();
        for seed in 0..90 {
            let mut choices = Seeded::new(seed);
            let mut below = |bound: usize| {
                let bound = std::num::NonZeroU32::new(bound as u32).unwrap();
                choices.pick(bound, Decision::Initial) as usize
            };
            let mut damaged = recording.clone();
            for _ in 0..=below(2) {
                // Damage in the header can change the scenario, so the header is left intact.
                let at = first_step + below(damaged.len() - first_step);
                match below(5) {
                    0 => damaged[at] = b"0123456789abcdef[]{},:\"\n"[below(24)],
                    1 => drop(damaged.remove(at)),
                    2 => damaged.insert(at, damaged[at]),
                    3 => damaged.truncate(at),
                    _ => {
                        let lines: Vec<&[u8]> = damaged.split_inclusive(|&byte| byte == b'\n').collect();
                        let (one, other) = (1 + below(lines.len() - 1), 1 + below(lines.len() - 1));
                        let mut lines = lines.clone();
                        lines.swap(one, other);
                        damaged = lines.concat();
                    }
                }
                if damaged.len() <= first_step {
                    break;
                }
            }
            let Ok(opened) = ReplayFile::open("r.jsonl", &damaged[..]) else {
                refused += 1;
                continue;
            };
            // A page of the recording must agree with the replay, or be refused.
            let filming = ObservingControl::new(&Unwatched, TraceRecorder::every(1));
            let again = ReplayFile::open("r.jsonl", &damaged[..]).unwrap();
            let filmed = plan(&text, Path::new("")).replay(again, &filming);
            let film = filming.into_eye().develop();
            for frame in film.iter().flat_map(Film::frames) {
                frame.unwrap_or_else(|broken| panic!("{text}, {seed}: {broken}"));
            }
            let replayed = plan(&text, Path::new("")).replay(opened, &Unwatched);
            match (&filmed, &replayed) {
                (Ok((filmed, _)), Ok((replayed, _))) => {
                    assert_eq!(
                        filmed.record.outcome().word,
                        replayed.record.outcome().word,
                        "{text}, {seed}"
                    );
                    assert_eq!(digest(filmed), digest(replayed), "{text}, {seed}");
                }
                (Err(filmed), Err(replayed)) => assert_eq!(filmed.to_string(), replayed.to_string()),
                _ => panic!("{text}, {seed}: {:?} {:?}", filmed.is_ok(), replayed.is_ok()),
            }
            match replayed {
                Err(_) => refused += 1,
                Ok((replayed, _)) if replayed.record.outcome().word == "reproduced" => {
                    assert_eq!(
                        digest(&replayed),
                        of_run,
                        "{text}, {seed}: {}",
                        String::from_utf8_lossy(&damaged)
                    );
                    same += 1;
                }
                Ok(_) => differing += 1,
            }
        }
    }
    assert!(refused > 30 && differing > 30 && same > 0, "{refused} {differing} {same}");
}
