//! Results depend on the files that a scenario names: with a changed file it is another scenario.

use std::fs;

use crate::program::Scratch;

/// A scenario that names a file, the file's text before and after a change that leaves the scenario valid, and a
/// field to sweep over.
struct Case {
    name: &'static str,
    place: &'static str,
    scenario: String,
    file: &'static str,
    before: String,
    after: String,
    over: &'static str,
    /// Whether its steps can be recorded.
    is_recorded: bool,
}

fn cases() -> Vec<Case> {
    let algorithms = concat!(env!("CARGO_MANIFEST_DIR"), "/../../amoebot/algorithms/");
    let algorithm = fs::read_to_string(format!("{algorithms}erosion.ron")).unwrap();
    let epidemic = "work: Interactions(protocol: Library(name: \"two-way-epidemic\"), initial: Shares({\"I\": 0.5, \"S\": 0.5}))";
    let locks = |topology: &str, more: &str| {
        format!("(seed: 1, topology: {topology}, scheduler: Sequential, {more} work: Locks(each: 2))")
    };
    let vote = |rule: &str| format!("(states: [\"S\", \"I\"], rules: [OneWay(\"{rule}\")], default: Null)");
    let graph = "0 1\n1 2\n2 3\n3 0\n";
    let case = |name, place, scenario: String, file, before: String, after: String, over, is_recorded| Case {
        name,
        place,
        scenario,
        file,
        before,
        after,
        over,
        is_recorded,
    };
    let by_file = "topology: File(path: \"x.edges\", format: EdgeList)";
    vec![
        case(
            "graph",
            "topology.path",
            locks("File(path: \"x.edges\", format: EdgeList)", ""),
            "x.edges",
            graph.into(),
            format!("{graph}0 2\n"),
            "work.each=[2, 3]",
            true,
        ),
        case(
            "graph of uniform pairs",
            "topology.path",
            format!("(seed: 1, {by_file}, scheduler: UniformPairs, {epidemic}, stop: [Silent])"),
            "x.edges",
            graph.into(),
            format!("{graph}0 2\n"),
            "limits.interactions=[1000, 2000]",
            false,
        ),
        case(
            "trace",
            "topology.path",
            locks("Contacts(path: \"x.tsv\", format: Instants(resolution: 20), rounds_per_step: 10)", ""),
            "x.tsv",
            "20\t1\t2\n40\t2\t3\n".into(),
            "20\t1\t2\n40\t1\t3\n".into(),
            "work.each=[2, 3]",
            true,
        ),
        case(
            "protocol",
            "work.protocol.path",
            "(seed: 1, topology: Ring(nodes: 9), scheduler: Sequential, work: Interactions(protocol: File(path: \"x.ron\"), \
             initial: Counts({\"I\": 1, \"S\": 8})), stop: [Rounds(20)])"
                .into(),
            "x.ron",
            vote("I + S -> I + I"),
            vote("S + I -> S + S"),
            "stop=[[Rounds(20)], [Rounds(30)]]",
            true,
        ),
        case(
            "bounds",
            "exclusion.bounds",
            locks("Path(nodes: 3)", "exclusion: CriticalSections(bounds: \"x.csv\", inside: [1]),").replace("Sequential", "Asynchronous"),
            "x.csv",
            "0 0 2\n1 0 3\n2 0 2\n".into(),
            "0 0 2\n1 0 2\n2 0 2\n".into(),
            "work.each=[2, 3]",
            true,
        ),
        case(
            "algorithm",
            "amoebots.algorithm.path",
            "(seed: 1, amoebots: (algorithm: File(path: \"x.ron\"), start: Hexagon(count: 12)))".into(),
            "x.ron",
            algorithm.clone(),
            algorithm.replace("erosion, from a file", "erosion, changed"),
            "amoebots.start.count=[12, 13]",
            true,
        ),
        case(
            "drawing",
            "amoebots.start.path",
            "(seed: 1, amoebots: (algorithm: Hexagon, start: Drawing(path: \"x.txt\")))".into(),
            "x.txt",
            "* @ *\n".into(),
            "* @ * *\n".into(),
            "limits.steps=[100, 200]",
            true,
        ),
    ]
}

/// Regression: the digest of the scenario stayed the same, so a resumed sweep mixed rows of two files.
#[test]
fn a_changed_file_is_another_scenario_and_a_resumed_sweep_refuses_it() {
    for case in cases() {
        let place = Scratch::new();
        place.file("a.ron", &case.scenario);
        place.file(case.file, &case.before);
        let digest = || {
            let ran = place.run(&["run", "a.ron", "--format", "jsonl", "--max-time", "60s"]);
            ran.json()[0]["manifest"]["scenario_digest"].as_str().expect(case.name).to_owned()
        };
        let before = digest();
        assert_eq!(digest(), before);
        let sweep = |name| place.run(&["sweep", "a.ron", "--over", case.over, "-o", name]);
        for name in ["rows.jsonl", "rows.csv"] {
            assert!(sweep(name).err.is_empty(), "{}", case.name);
        }
        let again = sweep("rows.jsonl");
        assert!(again.err.contains("2 of 2 runs are in the file already"), "{}: {}", case.name, again.err);
        place.file(case.file, &case.after);
        assert_ne!(digest(), before, "{}", case.name);
        for name in ["rows.jsonl", "rows.csv"] {
            let refused = sweep(name).exits(2);
            let part = format!("differs a file of the scenario ({} ({}))", case.file, case.place);
            assert!(refused.err.contains(&part), "{}: {}", case.name, refused.err);
        }
        // With the original file it is the same sweep again.
        place.file(case.file, &case.before);
        assert_eq!(digest(), before);
        assert!(sweep("rows.csv").err.contains("2 of 2 runs"), "{}", case.name);
    }
}

/// `view` used to show another run under the recorded outcome.
#[test]
fn a_recording_says_which_file_has_changed() {
    for case in cases().into_iter().filter(|case| case.is_recorded) {
        let place = Scratch::new();
        place.file("a.ron", &case.scenario);
        place.file(case.file, &case.before);
        let ran = place.run(&["run", "a.ron", "--record", "r.jsonl"]);
        assert!(matches!(ran.code, Some(0 | 1 | 3)), "{}: {ran:?}", case.name);
        let note = format!("note: {} ({}) has changed", case.file, case.place);
        let commands: [&[&str]; 3] =
            [&["replay", "r.jsonl"], &["replay", "r.jsonl", "--at", "0"], &["view", "r.jsonl", "--force"]];
        for command in commands {
            let ran = place.run(command);
            assert!(!ran.err.contains(&note), "{}: {ran:?}", case.name);
        }
        place.file(case.file, &case.after);
        for command in commands {
            let ran = place.run(command);
            assert!(ran.err.contains(&note), "{} {command:?}: {ran:?}", case.name);
        }
    }
}

/// Paths used to be relative to the folder of the recording, and a file missing there was reported as changed.
#[test]
fn a_recording_in_another_folder_finds_every_file() {
    for case in cases().into_iter().filter(|case| case.is_recorded) {
        let place = Scratch::new();
        fs::create_dir(place.path().join("in")).unwrap();
        fs::create_dir(place.path().join("kept")).unwrap();
        place.file("in/a.ron", &case.scenario);
        let file = format!("in/{}", case.file);
        place.file(&file, &case.before);
        place.run(&["run", "in/a.ron", "--record", "kept/r.jsonl"]);
        let replay = || place.run(&["replay", "kept/r.jsonl"]);
        let shown = place.run(&["view", "kept/r.jsonl", "-o", "page.html"]);
        assert!(shown.code.is_some_and(|code| code < 2), "{}: {shown:?}", case.name);
        let ran = replay();
        assert!(ran.err.contains("reproduced: ") && !ran.err.contains("note: in/"), "{}: {ran:?}", case.name);
        // A file next to the recording is preferred if it is the recorded one.
        place.file(&format!("kept/{}", case.file), &case.after);
        assert!(replay().err.contains("reproduced: "), "{}", case.name);
        fs::remove_file(place.path().join(format!("kept/{}", case.file))).unwrap();
        place.file(&file, &case.after);
        let ran = replay();
        assert!(ran.err.contains(&format!("({}) has changed", case.place)), "{}: {ran:?}", case.name);
        fs::remove_file(place.path().join(&file)).unwrap();
        let ran = replay();
        let missing = format!("({}) is missing; --base names another folder", case.place);
        assert!(ran.err.contains(&missing) && ran.code == Some(2), "{}: {ran:?}", case.name);
    }
}

/// The path to the bounds used to be relative to a folder other than that of the results.
#[test]
fn the_kept_scenario_finds_every_file() {
    for case in cases() {
        let place = Scratch::new();
        fs::create_dir(place.path().join("in")).unwrap();
        place.file("in/a.ron", &case.scenario);
        place.file(&format!("in/{}", case.file), &case.before);
        let ran = place.run(&["run", "in/a.ron", "-o", "out", "--format", "jsonl"]);
        let shown = place.run(&["view", "out", "-o", "page.html"]);
        assert!(!shown.err.contains("has changed"), "{}: {}", case.name, shown.err);
        let again = place.run(&["run", "out/scenario.ron", "--format", "jsonl"]);
        assert_eq!(
            (ran.code, &ran.json()[0]["digest"]),
            (again.code, &again.json()[0]["digest"]),
            "{}",
            case.name
        );
        // A folder of results reports it too.
        place.file(&format!("in/{}", case.file), &case.after);
        let shown = place.run(&["view", "out", "-o", "page.html", "--force"]);
        assert!(shown.err.contains(&format!("({}) has changed", case.place)), "{}: {}", case.name, shown.err);
    }
}
