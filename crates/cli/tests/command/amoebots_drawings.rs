//! Initial shapes that are drawn in a file, and rings.

use std::fs;
use std::path::Path;

use crate::program::Scratch;

const COLUMN_ON_A_WALL: &str = "    *\n   *\n  *\n # # # # # # #\n";

fn scenario(algorithm: &str, more: &str) -> String {
    format!("(\n seed: 5,\n amoebots: (algorithm: {algorithm}, start: Drawing(path: \"d.txt\")),\n {more})")
}

#[track_caller]
fn refused(command: &str, algorithm: &str, drawing: &str, snippets: &[&str]) {
    let place = Scratch::new();
    place.file("a.ron", scenario(algorithm, ""));
    place.file("d.txt", drawing);
    let ran = place.run(&[command, "a.ron"]).exits(2);
    for snippet in snippets {
        assert!(ran.err.contains(snippet), "{snippet:?} is not in:\n{}", ran.err);
    }
    assert!(ran.err.contains("d.txt") || ran.err.contains("a.ron:3:"), "{}", ran.err);
}

#[test]
fn the_coating_scenario_covers_its_object() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../amoebot/scenarios");
    let place = Scratch::new();
    let read = |name: &str| fs::read_to_string(folder.join(name)).unwrap();
    // The path is relative to the scenario, not to the working folder.
    fs::create_dir(place.path().join("below")).unwrap();
    for name in ["coating.ron", "coating.txt"] {
        place.file(&format!("below/{name}"), read(name));
    }
    let ran = place.run(&["run", "below/coating.ron", "-o", "out", "--format", "jsonl"]).exits(0);
    let json = &ran.json()[0];
    assert_eq!((&json["states"]["leader"], &json["states"]["expanded"]), (&40.into(), &0.into()));
    assert_eq!(json["outcome"]["word"], "terminated");
    let start = fs::read_to_string(place.path().join("out/start.svg")).unwrap();
    assert!(start.contains("inactive: 40") && start.contains("object: 96"), "{start}");
    // Amoebots, cells of the object, and one legend line for each kind.
    assert_eq!(start.matches("<circle").count(), 40 + 96 + 2);
    // The scenario in the output folder runs from there.
    let again = place.run(&["run", "out/scenario.ron", "--format", "jsonl"]).exits(0);
    assert_eq!(again.json()[0]["digest"], json["digest"]);
}

/// The pictures in the documentation equal those that the scenarios draw.
#[test]
fn kept_pictures_are_what_the_scenarios_draw() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    for name in ["convex-hull", "universal-coating", "hexagon-half-way"] {
        let place = Scratch::new();
        let scenario = root.join(format!("amoebot/scenarios/{name}.ron"));
        place.run(&["run", scenario.to_str().unwrap(), "-o", "out"]).exits(0);
        let drawn = fs::read_to_string(place.path().join("out/end.svg")).unwrap();
        let kept = fs::read_to_string(root.join(format!("examples/pictures/{name}.svg"))).unwrap();
        assert!(drawn == kept, "{name} draws another picture");
    }
}

/// README's picture showed an amoebot that had written its new parent and not yet moved, and nothing said so.
#[test]
fn pictures_of_concurrent_runs_have_the_lock_sets() {
    let place = Scratch::new();
    let scenario = |execution: &str| {
        let amoebots = "algorithm: Hexagon, start: Blob(count: 40)";
        let observe = "observe: (pictures_at: [1200, 1400])";
        place.file(
            "a.ron",
            format!(
                "(seed: 5, amoebots: ({amoebots}), execution: {execution}, stop: Steps(1500), {observe})"
            ),
        );
        place.run(&["run", "a.ron", "-o", "out", "--force"]).exits(0);
    };
    let outlines = |name: &str| {
        let svg = fs::read_to_string(place.path().join(name)).unwrap();
        let is_of_set = |line: &&str| line.contains("class=\"lock-set\"");
        let outlines: Vec<String> = svg.lines().filter(is_of_set).map(str::to_owned).collect();
        assert_eq!(
            !outlines.is_empty(),
            svg.contains("lock set of an action, with lines from its holder"),
            "{svg}"
        );
        outlines
    };
    for locks in ["TryLocks", "Messages"] {
        scenario(&format!("Concurrent(locks: {locks})"));
        place.run(&["view", "a.ron", "--frames", "0,1200,1400,1500", "-o", "frames", "--force"]).exits(0);
        let mut found = 0;
        for (picture, frame) in [("start", 0), ("step-1200", 1200), ("step-1400", 1400), ("end", 1500)] {
            // The frames ask each amoebot for its holder while the run is filmed.
            let expected = outlines(&format!("frames/frame-{frame:04}.svg"));
            assert_eq!(outlines(&format!("out/{picture}.svg")), expected, "{locks}, {picture}");
            let tikz = fs::read_to_string(place.path().join(format!("out/{picture}.tex"))).unwrap();
            assert_eq!(tikz.matches("-- cycle;").count(), expected.len(), "{tikz}");
            found += expected.len();
        }
        assert!(found > 2, "{locks}: {found}");
    }
    for execution in ["Sequential()", "Waves", "Rounds(Isolated(2))"] {
        scenario(execution);
        assert_eq!(outlines("out/end.svg"), [""; 0], "{execution}");
    }
}

/// All executions of amoebots.
pub(crate) const WAYS: [&str; 9] = [
    "Sequential(activation: Uniform)",
    "Sequential(activation: UniformEnabled)",
    "Sequential(activation: RoundRobin)",
    "Concurrent(locks: TryLocks)",
    "Concurrent(locks: Messages)",
    "Concurrent(locks: Messages(scheduler: Asynchronous))",
    "Concurrent(locks: Messages(scheduler: NewestFirst))",
    "Waves",
    "Rounds(Isolated(2))",
];

#[test]
fn both_coatings_reach_their_goal_in_every_way_of_running() {
    let place = Scratch::new();
    place.file("d.txt", COLUMN_ON_A_WALL);
    // The first layer has room for all three.
    for (algorithm, state) in [("Coating", "leader"), ("UniversalCoating", "layer 1, 5, ..")] {
        for way in WAYS {
            place
                .file("a.ron", scenario(algorithm, &format!("execution: {way}, limits: (steps: 1_000_000)")));
            let json = place.run(&["run", "a.ron", "--format", "jsonl"]).exits(0).json().remove(0);
            assert_eq!(json["outcome"]["word"], "terminated", "{algorithm}, {way}");
            assert_eq!(
                (&json["states"][state], &json["shape"]["cells"], &json["states"]["expanded"]),
                (&3.into(), &3.into(), &0.into()),
                "{algorithm}, {way}"
            );
        }
    }
}

#[test]
fn universal_coating_fills_layer_after_layer() {
    let place = Scratch::new();
    place.file("d.txt", "* * * * *\n * * * * *\n* * * * *\n     #\n");
    for way in ["Sequential()", "Concurrent(locks: TryLocks)", "Waves"] {
        place.file("a.ron", scenario("UniversalCoating", &format!("execution: {way}")));
        let json = place.run(&["run", "a.ron", "--format", "jsonl"]).exits(0).json().remove(0);
        let states = &json["states"];
        let found = ["leader", "layer 1, 5, ..", "layer 2, 6, .."].map(|state| states[state].as_u64());
        assert_eq!(found, [Some(1), Some(5), Some(9)], "{way}");
    }
}

#[test]
fn every_schedule_of_a_coating_ends_right() {
    let place = Scratch::new();
    place.file("d.txt", COLUMN_ON_A_WALL);
    place.file("a.ron", scenario("Coating", ""));
    let json = place.run(&["check", "a.ron", "--format", "jsonl"]).exits(0).json().remove(0);
    assert_eq!((&json["result"], &json["states"], &json["stuck"]), (&"holds".into(), &66.into(), &0.into()));
    // The amoebots separate, but stay connected with the object.
    assert_eq!(json["disconnected"], 0, "{json}");
    let text = place.run(&["check", "a.ron"]).exits(0).out;
    assert!(!text.contains("a shortest way to"), "{text}");
}

#[test]
fn drawings_have_seeds_and_colours() {
    let place = Scratch::new();
    place.file("d.txt", "* * @ *\n");
    place.file("a.ron", scenario("Hexagon", "stop: Steps(0)"));
    let drawn = place.run(&["run", "a.ron", "--format", "jsonl"]).exits(0).json().remove(0);
    place.file(
        "b.ron",
        "(seed: 5, amoebots: (algorithm: Hexagon, start: Line(count: 4), seed_position: 2), stop: Steps(0))",
    );
    let written = place.run(&["run", "b.ron", "--format", "jsonl"]).exits(0).json().remove(0);
    assert_eq!(drawn["digest"], written["digest"]);

    let unlike = |drawing: &str| {
        place.file("d.txt", drawing);
        place.file("a.ron", scenario("Separation(lambda: 4.0, gamma: 4.0)", "stop: Steps(0)"));
        let json = place.run(&["run", "a.ron", "--format", "jsonl"]).exits(0).json().remove(0);
        json["shape"]["unlike_edges"].as_u64().unwrap()
    };
    assert_eq!((unlike("a a b b\n"), unlike("a b a b\n"), unlike("* * * *\n")), (1, 3, 3));
}

#[test]
fn a_start_is_saved_and_loaded() {
    let place = Scratch::new();
    let scenario = |start: &str, more: &str| {
        let amoebots = format!("algorithm: Hexagon, start: {start}");
        place.file("a.ron", format!("(seed: 5, amoebots: ({amoebots}), execution: Waves, {more})"));
    };
    let run = |out: &str| {
        place.run(&["run", "a.ron", "-o", out, "--format", "jsonl"]).exits(0);
        fs::read_to_string(place.path().join(out).join("start.txt")).unwrap()
    };
    scenario("Blob(count: 300), seed_position: 17", "stop: Steps(0)");
    let saved = run("saved");
    assert_eq!((saved.matches('*').count(), saved.matches('@').count()), (299, 1), "{saved}");
    scenario("Drawing(path: \"saved/start.txt\")", "");
    assert_eq!(run("loaded"), saved);
    let end = fs::read_to_string(place.path().join("loaded/end.txt")).unwrap();
    assert_eq!((end.matches('*').count(), end.matches('@').count()), (299, 1), "{end}");
    // The same shape with the same seed.
    assert_eq!(fs::read_to_string(place.path().join("saved/end.txt")).unwrap(), saved);
}

#[test]
fn colours_are_saved_as_letters() {
    let place = Scratch::new();
    place.file("d.txt", "a a b\n b b\n");
    place.file("a.ron", scenario("Separation(lambda: 4.0, gamma: 4.0)", "stop: Steps(0)"));
    place.run(&["run", "a.ron", "-o", "out"]).exits(0);
    let saved = fs::read_to_string(place.path().join("out/start.txt")).unwrap();
    assert_eq!(saved, "(0, 0)\na.a.b\n b.b\n".replace('.', " "), "{saved}");
}

#[test]
fn pictures_at_chosen_moments() {
    let place = Scratch::new();
    for (execution, algorithm, stop, early, late) in [
        ("Sequential()", "Hexagon", "Terminated", 120, 230),
        ("Sequential()", "Compression(lambda: 4.0)", "Steps(5000)", 120, 1500),
        ("Concurrent(locks: TryLocks)", "Hexagon", "Terminated", 400, 800),
        ("Waves", "Hexagon", "Terminated", 3, 9),
        ("Rounds(Isolated(2))", "Hexagon", "Terminated", 9, 18),
    ] {
        let amoebots = format!("algorithm: {algorithm}, start: Line(count: 19)");
        // Out of order, one twice, one that never occurs.
        let moments = format!("[{late}, {early}, 0, {early}, 1_000_000_000]");
        let more = format!("execution: {execution}, stop: {stop}, observe: (pictures_at: {moments})");
        place.file("a.ron", format!("(seed: 5, amoebots: ({amoebots}), {more})"));
        place.run(&["run", "a.ron", "-o", "out", "--force"]).exits(0);
        let of = |name: &str| fs::read_to_string(place.path().join("out").join(name)).unwrap();
        let names = ["start", "step-0", &format!("step-{early}"), &format!("step-{late}"), "end"];
        let drawings = names.map(|name| of(&format!("{name}.txt")));
        assert_eq!(drawings[0], drawings[1], "{execution}");
        assert!(drawings[1..].windows(2).all(|pair| pair[0] != pair[1]), "{execution}: {drawings:?}");
        for name in names {
            assert!(of(&format!("{name}.svg")).contains("<circle"), "{execution} {name}");
            assert!(of(&format!("{name}.tex")).contains("tikzpicture"), "{execution} {name}");
        }
        assert!(!place.path().join("out/step-1000000000.svg").exists());
        fs::remove_dir_all(place.path().join("out")).unwrap();
        // Pictures do not affect the run.
        let digest = |text: &str| {
            place.file("b.ron", text);
            place.run(&["run", "b.ron", "--format", "jsonl"]).exits(0).json()[0]["digest"].clone()
        };
        let text = fs::read_to_string(place.path().join("a.ron")).unwrap();
        assert_eq!(digest(&text), digest(&text.replace(&moments, "[]")), "{execution}");
    }
}

#[test]
fn rings_have_a_hole() {
    let place = Scratch::new();
    let ring = |sides: &str| {
        format!(
            "(seed: 5, amoebots: (algorithm: Boundary, start: Ring({sides}), orientations: CommonChirality))"
        )
    };
    place.file("a.ron", ring("hole_side: 2, width: 2"));
    let json = place.run(&["run", "a.ron", "--format", "jsonl"]).exits(0).json().remove(0);
    assert_eq!((&json["shape"]["amoebots"], &json["shape"]["holes"]), (&30.into(), &1.into()));
    assert_eq!((&json["states"]["hole"], &json["states"]["outer"]), (&12.into(), &18.into()));
    for (sides, snippet) in [
        ("hole_side: 0, width: 2", "hole_side is 0"),
        ("hole_side: 2, width: 0", "width is 0"),
        ("hole_side: 4000000, width: 4", "1 to 16777216"),
        ("hole_side: 1, width: 1_000_000_000_000", "1 to 16777216"),
    ] {
        place.file("a.ron", ring(sides));
        let err = place.run(&["run", "a.ron"]).exits(2).err;
        assert!(err.contains(snippet), "{snippet:?} is not in:\n{err}");
    }
}

#[test]
fn objects_that_cannot_be_coated() {
    // A tunnel of one cell; all of its cells are named.
    let tunnel = "# # # # #\n * . # # #\n# # # # #\n";
    refused("run", "Coating", tunnel, &["a.ron:3:", "traps", "(0, -1)", "(1, -1)", "two cells wide"]);
    refused("check", "Coating", tunnel, &["traps", "(0, -1)"]);
    refused("run", "Coating", "* *\n . .\n# # # #\n", &["next to the object of 4 cells"]);
    refused("run", "Coating", "* *\n", &["an object of 0 cells\n", "accepted: one or more\n"]);
    refused("run", "Coating", "* .\n # . #\n", &["of the object", "must be connected"]);
    refused("run", "Coating", "* * * . *\n # # #\n", &["(4, 0)", "reached"]);
    refused("run", "Coating", "* * * * * * * *\n # \n", &["6 cells are next to", "8 amoebots"]);
}

#[test]
fn drawings_that_are_none() {
    refused("run", "Erosion", "; a line\n* * ?\n", &["a.ron:3:", "d.txt:2:5: ", "'?'", "accepted"]);
    refused("check", "Erosion", "* **\n", &["d.txt:1:4: ", "between the cells"]);
    refused("run", "Erosion", "; nothing\n", &["without amoebots"]);
    refused("run", "Erosion", "* *\n # #\n", &["does not use an object", "Coating"]);
    refused("run", "Erosion", "@ *\n", &["'@' at cell (0, 0)", "no seed"]);
    refused("run", "Hexagon", "@ @\n", &["one seed"]);
    refused("run", "Hexagon", "* . *\n", &["(2, 0)", "reached"]);
    refused("run", "Separation(lambda: 2.0, gamma: 2.0)", "a c\n", &["colour 2 of 2 colours"]);

    let place = Scratch::new();
    place.file("a.ron", scenario("Hexagon", ""));
    let missing = place.run(&["run", "a.ron"]).exits(2).err;
    assert!(missing.contains("a.ron:3:") && missing.contains("d.txt: no such file"), "{missing}");
    fs::write(place.path().join("d.txt"), b"* *\n\xff").unwrap();
    let binary = place.run(&["run", "a.ron"]).exits(2).err;
    assert!(binary.contains("d.txt:2: byte 4 is 0xFF, not UTF-8"), "{binary}");
    fs::write(place.path().join("d.txt"), vec![b'\n'; (1 << 25) + 1]).unwrap();
    let long = place.run(&["run", "a.ron"]).exits(2).err;
    assert!(long.contains("more than 33554432 bytes"), "{long}");
    place.file("d.txt", "@ *\n");
    let text = scenario("Hexagon", "").replace("d.txt\")", "d.txt\"), seed_position: 1");
    place.file("a.ron", text);
    let both = place.run(&["run", "a.ron"]).exits(2).err;
    assert!(both.contains("the drawing already has a seed"), "{both}");
}

/// Regression: requested files were missing without a message.
#[test]
fn pictures_of_more_amoebots_than_one_can_see_are_said_to_be_left_out() {
    let place = Scratch::new();
    let scenario = |count: u32| {
        format!(
            "(seed: 1, amoebots: (algorithm: Hexagon, start: Hexagon(count: {count})), execution: Sequential(), stop: Steps(1))"
        )
    };
    place.file("many.ron", scenario((1 << 17) + 1));
    place.file("few.ron", scenario(9));
    let said = place.run(&["run", "many.ron", "-o", "many"]).exits(0).err;
    assert!(
        said.contains(
            "note: start.svg and end.svg are not drawn: a picture of 131073 amoebots (accepted: 1 to 131072)"
        ),
        "{said}"
    );
    assert!(!place.path().join("many/end.svg").exists());
    let said = place.run(&["run", "few.ron", "-o", "few"]).exits(0).err;
    assert!(!said.contains("not drawn") && place.path().join("few/end.svg").exists(), "{said}");
    let without = place.run(&["run", "many.ron", "-o", "none", "--plots", "none"]).exits(0).err;
    assert!(!without.contains("not drawn"), "{without}");
    // The error about frames gives only the reason that applies.
    let frames = place.run(&["view", "many.ron", "--frames", "0", "-o", "frames"]).exits(2).err;
    assert!(
        frames.contains("no picture: a picture of 131073 amoebots (accepted: 1 to 131072)")
            && !frames.contains("too far apart"),
        "{frames}"
    );
}

/// Erosion of four amoebots in a line takes fewer than a thousand steps.
#[test]
fn pictures_after_the_end_of_a_run_are_named() {
    let place = Scratch::new();
    let text = "(seed: 1, amoebots: (algorithm: Erosion, start: Line(count: 4)), observe: (pictures_at: [1, 1000, 2000]))";
    place.file("a.ron", text);
    let ran = place.run(&["run", "a.ron", "-o", "out"]).exits(0);
    let said = "note: step-1000.svg and step-2000.svg are not drawn: the run ends before this step\n";
    assert!(ran.err.contains(said), "{}", ran.err);
    let drawn = |name: &str| place.path().join("out").join(name).exists();
    assert_eq!(["step-1.svg", "step-1000.svg", "end.svg"].map(drawn), [true, false, true]);
}

/// A picture has as many lattice lines as it is wide. Amoebots too far apart are not drawn, and the run says so.
#[test]
fn what_is_too_far_apart_is_said_and_not_drawn() {
    for far in [1_000_000, 10_000_000, 1_073_741_823] {
        let place = Scratch::new();
        place.file(
            "a.ron",
            format!(
                "(seed: 1, amoebots: (algorithm: MaximalIndependentSet, start: Cells([(0, 0), ({far}, 0)])), \
                 execution: Sequential())"
            ),
        );
        let run = place.run(&["run", "a.ron", "-o", "out"]).exits(0);
        let said = "start.svg and end.svg are not drawn: the amoebots are too far apart";
        assert_eq!(run.err.matches(said).count(), 1, "{run:#?}");
        assert_eq!(run.err.matches("not drawn").count(), 1, "{run:#?}");
        let files = fs::read_dir(place.path().join("out")).unwrap().map(|file| file.unwrap());
        let bytes: u64 = files.map(|file| file.metadata().unwrap().len()).sum();
        assert!(bytes < 100_000, "{far}: {bytes} bytes");
        assert!(!place.path().join("out/end.svg").exists());
        let frames = place.run(&["view", "a.ron", "--frames", "1", "-o", "frames"]).exits(2).err;
        assert!(frames.contains("too far apart") && !frames.contains("131072 nodes"), "{frames}");
    }
}

/// The picture does not depend on the distance from the origin.
#[test]
fn a_picture_is_relative_to_what_it_shows() {
    let drawn = |x: i32| {
        let place = Scratch::new();
        place.file(
            "a.ron",
            format!(
                "(seed: 1, amoebots: (algorithm: MaximalIndependentSet, start: Cells([({x}, 0), ({}, 0)])), \
                 execution: Sequential())",
                x + 1
            ),
        );
        place.run(&["run", "a.ron", "-o", "out"]).exits(0);
        fs::read_to_string(place.path().join("out/end.svg")).unwrap()
    };
    assert_eq!(drawn(0), drawn(10_000_000));
}
