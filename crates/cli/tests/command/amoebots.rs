//! Scenarios of amoebots: `run`, `check`, pictures.

use std::fs;

use crate::amoebots_checks::checked;
use crate::amoebots_drawings::WAYS;
use crate::program::{Scratch, names};

pub(crate) fn scenario(amoebots: &str, more: &str) -> String {
    format!("(seed: 5, amoebots: ({amoebots}), {more})")
}

/// The only record of a run.
#[track_caller]
fn record(place: &Scratch, text: &str, code: i32) -> serde_json::Value {
    place.file("a.ron", text);
    let mut json = place.run(&["run", "a.ron", "--format", "jsonl"]).exits(code).json();
    assert_eq!(json.len(), 1);
    json.remove(0)
}

#[test]
fn every_algorithm_reaches_its_goal_in_every_way_of_running() {
    let place = Scratch::new();
    let algorithms = [
        ("Hexagon", "CommonChirality"),
        ("BasicShape(form: Line)", "CommonChirality"),
        ("BasicShape(form: Hexagon)", "Common"),
        ("BasicShape(form: Triangle)", "Common"),
        ("Erosion", "Assorted"),
        ("TokenElection", "CommonChirality"),
        ("Forest", "Assorted"),
        ("MaximalIndependentSet", "CommonDirection"),
        ("ChiralityAgreement", "Assorted"),
        ("Boundary", "CommonChirality"),
        (
            "BinaryCounter(value: 5, operations: [Increment(9), TestZero, Decrement(14), TestZero])",
            "Assorted",
        ),
        ("ForestRepair(crashed: [6])", "Assorted"),
        ("ForestWalk(path: \"1112244\")", "Assorted"),
        ("EnergyDistribution(algorithm: Hexagon, capacity: 4, demand: 2)", "CommonChirality"),
        ("EnergyDistribution(algorithm: Erosion, capacity: 3, demand: 3, sources: [2, 6])", "Assorted"),
    ];
    for (algorithm, orientations) in algorithms {
        for way in WAYS {
            let amoebots =
                format!("algorithm: {algorithm}, start: Line(count: 7), orientations: {orientations}");
            let text = scenario(&amoebots, &format!("execution: {way}, limits: (steps: 2_000_000)"));
            let record = record(&place, &text, 0);
            assert_eq!(record["outcome"]["word"], "terminated", "{algorithm}, {way}");
            assert_eq!(record["shape"]["parts"], 1, "{algorithm}, {way}");
            assert_eq!(record["states"]["expanded"], 0, "{algorithm}, {way}");
            if way.starts_with("Concurrent") || way == "Waves" {
                assert_eq!(record["work"]["replayed"], true, "{algorithm}, {way}");
                assert_eq!(record["work"]["invalid"], 0, "{algorithm}, {way}");
            }
            let sent = record["messages"]["sent"].as_u64();
            assert_eq!(sent.is_some_and(|sent| sent > 0), way.contains("Messages"), "{algorithm}, {way}");
        }
    }
}

#[test]
fn all_ways_of_running_form_the_same_hexagon() {
    let place = Scratch::new();
    for way in [
        "Sequential",
        "Concurrent(locks: TryLocks)",
        "Concurrent(locks: Messages)",
        "Waves",
        "Rounds(Isolated(3))",
    ] {
        let text = scenario("algorithm: Hexagon, start: Line(count: 19)", &format!("execution: {way}"));
        let record = record(&place, &text, 0);
        assert_eq!(
            (&record["shape"]["edges"], &record["shape"]["perimeter"]),
            (&42.into(), &12.into()),
            "{way}"
        );
        assert_eq!(record["states"]["retired"], 18, "{way}");
    }
}

#[test]
fn chains_make_their_steps() {
    let place = Scratch::new();
    let compressed =
        scenario("algorithm: Compression(lambda: 4.0), start: Line(count: 30)", "stop: Steps(300_000)");
    let of_compressed = record(&place, &compressed, 0);
    assert_eq!(of_compressed["work"]["steps"], 300_000);
    assert_eq!(of_compressed["shape"]["holes"], 0);
    // A line has perimeter 58; the minimum for thirty amoebots is 17.
    let perimeter = of_compressed["shape"]["perimeter"].as_u64().unwrap();
    assert!((17..35).contains(&perimeter), "{perimeter}");
    let spread = record(&place, &compressed.replace("4.0", "0.5"), 0);
    assert!(spread["shape"]["perimeter"].as_u64().unwrap() > 40, "{spread}");

    let unlike = |gamma: &str| {
        let algorithm =
            format!("algorithm: Separation(lambda: 4.0, gamma: {gamma}), start: Hexagon(count: 37)");
        let record = record(&place, &scenario(&algorithm, "stop: Steps(300_000)"), 0);
        record["shape"]["unlike_edges"].as_u64().unwrap()
    };
    let (apart, mixed) = (unlike("4.0"), unlike("0.25"));
    assert!(apart + 10 < mixed, "{apart} of those who like their colour, {mixed} of those who do not");

    let local =
        scenario("algorithm: LocalCompression(lambda: 4.0), start: Line(count: 12)", "stop: Steps(50_000)");
    let of_local = record(&place, &local, 0);
    assert_eq!(
        (&of_local["outcome"]["word"], &of_local["work"]["activations"]),
        (&"steps".into(), &50_000.into())
    );
}

#[test]
fn a_limit_ends_a_run_as_unfinished() {
    let place = Scratch::new();
    let text = scenario("algorithm: Hexagon, start: Line(count: 30)", "limits: (steps: 50)");
    let unfinished = record(&place, &text, 3);
    assert_eq!(
        (&unfinished["outcome"]["word"], &unfinished["work"]["activations"]),
        (&"limit".into(), &50.into())
    );
    // A stop condition is not a failure.
    let stopped = record(&place, &text.replace("limits: (steps: 50)", "stop: Steps(50)"), 0);
    assert_eq!(stopped["digest"], unfinished["digest"]);
    place.file(
        "a.ron",
        scenario("algorithm: Compression(lambda: 4.0), start: Line(count: 9)", "stop: Steps(1e15)"),
    );
    let late = place.run(&["run", "a.ron", "--max-time", "1s", "--format", "jsonl"]).exits(3);
    assert_eq!(late.json()[0]["outcome"]["word"], "time");
}

#[test]
fn counts_that_are_thinned_are_said_to_be() {
    let place = Scratch::new();
    let text = |steps: u32| {
        scenario(
            "algorithm: Compression(lambda: 4.0), start: Line(count: 9)",
            &format!("stop: Steps({steps}), observe: (counts_every: 1, shape: true)"),
        )
    };
    place.file("a.ron", text(10_000));
    let ran = place.run(&["run", "a.ron", "-o", "long", "--format", "jsonl"]).exits(0);
    let counts = ran.json()[0]["counts"].clone();
    assert_eq!((&counts["samples"], &counts["kept"]), (&10_001.into(), &2501.into()), "{counts}");
    let said = "counts.csv has 2501 of 10001 samples, one in 4 and the last";
    assert!(ran.err.contains(said) && ran.err.contains("observe.counts_every"), "{}", ran.err);
    let csv = fs::read_to_string(place.path().join("long/counts.csv")).unwrap();
    // A chain's own counts are not repeated by its shape.
    assert!(csv.starts_with("steps,perimeter,adjacent pairs,perimeter with holes,connected parts,holes\n"));
    assert_eq!(csv.lines().count(), 2502);
    place.file("a.ron", text(1_000));
    let ran = place.run(&["run", "a.ron", "-o", "short", "--format", "jsonl"]).exits(0);
    assert!(ran.json()[0].get("counts").is_none() && !ran.err.contains("samples"), "{}", ran.err);
}

#[test]
fn the_same_plan_and_seed_give_the_same() {
    let place = Scratch::new();
    let amoebots =
        "algorithm: Hexagon, start: Blob(count: 25, acceptance: 0.7), orientations: CommonChirality";
    place
        .file("a.ron", scenario(amoebots, "execution: Concurrent(locks: Messages(scheduler: Asynchronous))"));
    let run = |threads: &str, seed: &str| {
        let arguments =
            ["run", "a.ron", "--reps", "5", "--threads", threads, "--seed", seed, "--format", "jsonl"];
        place.run(&arguments).exits(0).out
    };
    let one = run("1", "8");
    assert_eq!(one, run("3", "8"));
    assert_ne!(one, run("1", "9"));
    let sent: Vec<&str> = one.lines().map(|line| line.split("\"sent\":").nth(1).unwrap()).collect();
    assert_eq!(sent.len(), 5);
    assert!(sent.windows(2).all(|pair| pair[0] != pair[1]), "repetitions draw from seeds of their own");
    let set = place.run(&["run", "a.ron", "--set", "amoebots.start.count=9", "--format", "jsonl"]).exits(0);
    assert_eq!(set.json()[0]["shape"]["amoebots"], 9);
}

#[test]
fn the_built_in_scenario_runs_with_pictures() {
    let place = Scratch::new();
    let ran = place.run(&["run", "hexagon-messages", "-o", "out", "--format", "jsonl"]).exits(0);
    let json = &ran.json()[0];
    assert_eq!((&json["states"]["retired"], &json["shape"]["perimeter"]), (&59.into(), &24.into()));
    let out = place.path().join("out");
    let files = [
        "counts.csv",
        "counts.svg",
        "end.svg",
        "end.tex",
        "end.txt",
        "record.csv",
        "record.jsonl",
        "record.txt",
        "scenario.ron",
        "start.svg",
        "start.tex",
        "start.txt",
    ];
    assert_eq!(names(&out), files);
    let read = |name: &str| fs::read_to_string(out.join(name)).unwrap();
    // Sixty amoebots, and the legend: seed and idle, later seed and retired.
    for (name, word) in [("start.svg", "idle: 59"), ("end.svg", "retired: 59")] {
        assert!(read(name).contains(word), "{name}");
        assert_eq!(read(name).matches("<circle").count(), 62, "{name}");
    }
    assert_eq!(read("end.tex").matches("circle [radius=0.4]").count(), 60);
    assert!(
        read("counts.csv")
            .starts_with("steps,seed,idle,follower,root,retired,inside an action\n0.0,1,59,0,0,0,0\n")
    );
    assert!(read("counts.csv").trim_end().ends_with(",1,0,0,0,59,0"));
    assert!(read("counts.svg").contains("amoebots"));
    let again = place.run(&["run", "out/scenario.ron", "--format", "jsonl"]).exits(0);
    assert_eq!(again.json()[0]["digest"], json["digest"]);
    // Each repetition has its own pictures.
    place.file("a.ron", scenario("algorithm: Erosion, start: Line(count: 4)", ""));
    place.run(&["run", "a.ron", "--reps", "2", "-o", "two"]).exits(0);
    let found = names(&place.path().join("two"));
    assert!(["start-0.svg", "end-1.svg"].iter().all(|name| found.iter().any(|one| one == name)), "{found:?}");
}

#[test]
fn a_counter_ends_at_what_an_ordinary_one_does() {
    let place = Scratch::new();
    let amoebots = "algorithm: BinaryCounter(operations: [Increment(70), TestZero, Decrement(70), TestZero, \
                    Increment(3)]), start: Hexagon(count: 12), orientations: Assorted";
    let counted = record(&place, &scenario(amoebots, "execution: Waves"), 0);
    assert_eq!((&counted["counter"]["value"], &counted["counter"]["tests"]), (&"3".into(), &2.into()));
    assert_eq!((&counted["counter"]["zeros"], &counted["states"]["bit 1"]), (&1.into(), &2.into()));
    // 16 does not fit in four bits: the run ends without its goal.
    let amoebots = "algorithm: BinaryCounter(operations: [Increment(16)]), start: Line(count: 4)";
    let overflow = record(&place, &scenario(amoebots, ""), 1);
    assert_eq!(
        (&overflow["outcome"]["word"], &overflow["counter"]["overflow"]),
        (&"wrong end".into(), &true.into())
    );
    let amoebots = "algorithm: BinaryCounter(value: 1, operations: [Increment(1), Decrement(2), TestZero]), \
                    start: Line(count: 3)";
    assert_eq!(checked(&place, amoebots, "", 0)["result"], "holds");
    assert_eq!(checked(&place, amoebots, "execution: Concurrent(locks: TryLocks)", 0)["wrong_ends"], 0);
}

#[test]
fn energy_is_harvested_stored_and_used() {
    let place = Scratch::new();
    let amoebots = "algorithm: EnergySharing(capacity: 10, transfer: 1, demand: 5, sources: [0, 8]), \
                    start: Hexagon(count: 19)";
    // If locks can fail, an amoebot with many neighbours hardly ever obtains all of them, so none is guaranteed a
    // turn.
    for (way, steps, no_amoebot_starves) in [
        ("Sequential()", 100_000, true),
        ("Concurrent(locks: TryLocks)", 100_000, false),
        ("Concurrent(locks: Messages)", 4_000_000, true),
        ("Waves", 3_000, true),
    ] {
        let text = scenario(amoebots, &format!("execution: {way}, stop: Steps({steps})"));
        let energy = record(&place, &text, 0)["energy"].clone();
        let units = ["harvested", "stored", "used"].map(|name| energy[name].as_u64().unwrap());
        assert_eq!(units[0], units[1] + units[2], "{way}");
        assert!(units[2] > 0 && (energy["least_uses"] != 0 || !no_amoebot_starves), "{way}: {energy}");
    }
}

#[test]
fn one_leader_by_tokens_holes_or_not() {
    let place = Scratch::new();
    let ring = "algorithm: TokenElection, start: Ring(hole_side: 2, width: 2), orientations: CommonChirality";
    let elected = record(&place, &scenario(ring, ""), 0);
    assert_eq!(
        (&elected["states"]["leader"], &elected["states"]["alone around a hole"]),
        (&1.into(), &1.into())
    );
    assert_eq!(elected["states"]["candidate"], 0);
    // Coins can be equal forever, but an end stays reachable.
    let pair = checked(&place, "algorithm: TokenElection, start: Line(count: 2)", "", 0);
    assert_eq!((&pair["result"], &pair["cyclic"]), (&"holds".into(), &true.into()));
    assert_eq!((&pair["stuck"], &pair["hopeless"]), (&0.into(), &0.into()));
    let text = place.run(&["check", "a.ron"]).exits(0).out;
    assert!(text.contains("with probability 1") && !text.contains("a shortest way"), "{text}");
}

#[test]
fn adversaries_and_what_they_owe() {
    let place = Scratch::new();
    // Unfair adversaries cannot keep a hexagon from its end.
    for activation in ["First", "Last", "Newest", "First, fairness: Weak(10)", "Newest, fairness: Strong(10)"]
    {
        let way = format!("execution: Sequential(activation: {activation})");
        let end = record(&place, &scenario("algorithm: Hexagon, start: Blob(count: 30)", &way), 0);
        assert_eq!(end["outcome"]["word"], "terminated", "{activation}");
        // Only enabled amoebots are activated.
        assert_eq!(end["work"]["activations"], end["work"]["actions"], "{activation}");
    }
    // But they can starve amoebots that are always enabled.
    let energy = "algorithm: EnergySharing(capacity: 10, transfer: 1, demand: 5), start: Line(count: 6)";
    let least = |activation: &str| {
        let way = format!("execution: Sequential(activation: {activation}), stop: Steps(20_000)");
        record(&place, &scenario(energy, &way), 0)["energy"]["least_uses"].as_u64().unwrap()
    };
    assert_eq!((least("First"), least("Last")), (0, 0));
    assert!(least("First, fairness: Weak(20)") > 0 && least("Last, fairness: Strong(20)") > 0);
}

#[test]
fn a_hexagon_of_amoebots_with_batteries() {
    let place = Scratch::new();
    let algorithm = "algorithm: EnergyDistribution(algorithm: Hexagon, capacity: 10, demand: 5)";
    let blob = record(&place, &scenario(&format!("{algorithm}, start: Blob(count: 40)"), ""), 0);
    assert_eq!((&blob["energy"]["stored"], &blob["energy"]["outside"]), (&400.into(), &0.into()));
    assert_eq!((&blob["states"]["retired"], &blob["shape"]["perimeter"]), (&39.into(), &19.into()));
    let algorithm = algorithm.replace("10, demand: 5", "1, demand: 1");
    let pair = checked(&place, &format!("{algorithm}, start: AllConnected(count: 2)"), "", 0);
    assert_eq!((&pair["final_shapes"], &pair["cyclic"]), (&1.into(), &false.into()));
}

#[test]
fn what_rounds_without_locks_break_is_a_violation() {
    let place = Scratch::new();
    let energy = "algorithm: EnergySharing(capacity: 10, transfer: 1, demand: 5), start: Hexagon(count: 12)";
    let spoilt = record(&place, &scenario(energy, "execution: Rounds(Synchronous), stop: Steps(500)"), 1);
    assert_eq!(spoilt["outcome"]["word"], "violation");
    let reason = spoilt["outcome"]["reason"].as_str().unwrap();
    assert!(reason.contains("units were harvested"), "{reason}");
    let compression = "algorithm: LocalCompression(lambda: 4.0), start: Line(count: 30)";
    let spoilt =
        record(&place, &scenario(compression, "execution: Rounds(Synchronous), stop: Steps(3000)"), 1);
    assert_eq!(spoilt["outcome"]["word"], "violation");
    record(&place, &scenario(compression, "stop: Steps(30_000)"), 0);
}

#[test]
fn the_width_of_every_wave_is_counted() {
    let place = Scratch::new();
    let amoebots = "algorithm: Hexagon, start: Blob(count: 60)";
    place.file("a.ron", scenario(amoebots, "execution: Waves, observe: (counts_every: 1)"));
    let json = place.run(&["run", "a.ron", "-o", "out", "--format", "jsonl"]).exits(0).json().remove(0);
    let counts = fs::read_to_string(place.path().join("out/counts.csv")).unwrap();
    let mut lines = counts.lines();
    assert!(lines.next().unwrap().ends_with(",lock sets of the wave"), "{counts}");
    let widths: Vec<u64> = lines.map(|line| line.rsplit(',').next().unwrap().parse().unwrap()).collect();
    // One row for each wave, and one before the first.
    assert_eq!(widths.len() as u64, json["work"]["waves"].as_u64().unwrap() + 1);
    assert_eq!(widths.iter().sum::<u64>(), json["locks"]["completed"].as_u64().unwrap());
    assert_eq!(*widths.iter().max().unwrap(), json["work"]["width"].as_u64().unwrap());
    let sum = ["completed", "failures", "disabled"].map(|name| json["locks"][name].as_u64().unwrap());
    assert_eq!(sum.iter().sum::<u64>(), json["work"]["activations"].as_u64().unwrap());
}

#[test]
fn bridges_between_anchors() {
    let place = Scratch::new();
    let bridge = |gamma: &str| {
        let amoebots = format!(
            "algorithm: Bridging(lambda: 4.0, gamma: {gamma}), start: VShape(rows: 16, across: 13, up: 28)"
        );
        let json = record(&place, &scenario(&amoebots, "stop: Steps(1_000_000)"), 0);
        assert_eq!((&json["shape"]["parts"], &json["shape"]["holes"]), (&1.into(), &0.into()));
        (json["bridge"]["perimeter"].as_f64().unwrap(), json["bridge"]["gap"].as_f64().unwrap())
    };
    let (cheap, dear) = (bridge("1.0"), bridge("1e6"));
    // The perimeter is initially 63, on land. Over a gap without cost it becomes short; otherwise it stays on land.
    assert!(cheap.0 < 40.0 && cheap.1 > 8.0, "{cheap:?}");
    assert!(dear.1 < 1.0, "{dear:?}");
}

#[test]
fn walks_end_where_the_path_leads_to() {
    let place = Scratch::new();
    let walk = |path: &str, start: &str| format!("algorithm: ForestWalk(path: \"{path}\"), start: {start}");
    // Out of a hexagon; then to the centre and out on the other side.
    for (path, root) in [("111111111122222", "(10, 5)"), ("444411112222", "(0, 4)"), ("", "(0, 0)")] {
        let walked = record(&place, &scenario(&walk(path, "Hexagon(count: 37)"), ""), 0);
        assert_eq!(walked["walk"]["root"], root, "{path}");
        let states = ["idle", "root", "follower", "expanded"].map(|name| walked["states"][name].as_u64());
        assert_eq!(states, [0, 1, 36, 0].map(Some), "{path}");
        assert_eq!(walked["shape"]["parts"], 1);
    }
    assert_eq!(checked(&place, &walk("134", "AllConnected(count: 3)"), "", 0)["result"], "holds");
}

#[test]
fn repairs_leave_no_node_outside_trees() {
    let place = Scratch::new();
    let amoebots = "algorithm: ForestRepair(crashed: [3, 5, 9]), start: Hexagon(count: 37), seed_position: 1";
    let repaired = record(&place, &scenario(amoebots, ""), 0);
    let states =
        ["crashed", "root", "in a tree", "warned", "pruned"].map(|name| repaired["states"][name].as_u64());
    assert_eq!(states, [3, 1, 33, 0, 0].map(Some));
    assert!(repaired["work"]["actions"].as_u64().unwrap() > 0);
    let amoebots = "algorithm: ForestRepair(crashed: [1]), start: Hexagon(count: 4)";
    assert_eq!(checked(&place, amoebots, "", 0)["result"], "holds");
}

#[test]
fn colours_come_in_turn_or_at_random() {
    let place = Scratch::new();
    let start = |colouring: &str, seed: u32| {
        let algorithm = format!("Separation(lambda: 4.0, gamma: 4.0, colours: 3{colouring})");
        let amoebots = format!("algorithm: {algorithm}, start: Line(count: 30)");
        let text = scenario(&amoebots, "stop: Steps(0)").replacen("seed: 5", &format!("seed: {seed}"), 1);
        place.file("a.ron", text);
        place.run(&["run", "a.ron", "-o", "out", "--force"]).exits(0);
        fs::read_to_string(place.path().join("out/start.txt")).unwrap()
    };
    let in_turn = start("", 5);
    assert!(in_turn.contains("a b c a b c") && in_turn == start(", colouring: InTurn", 6), "{in_turn}");
    let random = [5, 6].map(|seed| start(", colouring: Random", seed));
    assert!(random[0] != random[1] && random[0] != in_turn);
    for text in &random {
        assert_eq!(["a", "b", "c"].map(|colour| text.matches(colour).count()), [10; 3], "{text}");
    }
}

#[test]
fn chain_m_runs_in_tiles_on_any_number_of_threads() {
    let place = Scratch::new();
    let amoebots = "algorithm: Compression(lambda: 4.0, layout: Tiles), start: Line(count: 300)";
    place.file("a.ron", scenario(amoebots, "stop: Steps(400)"));
    let runs = ["1", "2", "3", "7"].map(|threads| {
        place.run(&["run", "a.ron", "--threads", threads, "--format", "jsonl"]).exits(0).json().remove(0)
    });
    assert!(runs.iter().all(|run| run["digest"] == runs[0]["digest"]));
    assert_eq!((&runs[0]["work"]["windows"], &runs[0]["shape"]["holes"]), (&400.into(), &0.into()));
    assert!(runs[0]["shape"]["perimeter"].as_u64().unwrap() < 598, "{}", runs[0]);
}
