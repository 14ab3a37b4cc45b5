//! `acrasin view`, `view --frames` and `replay --at`: their output, and that bad input writes nothing.

use std::fs;

use acrasin_report::film::{Film, NodeValue};

use crate::program::{PUBLISHED, Scratch};

/// Some rounds of an epidemic under locks on a ring, with a title that contains markup.
const EPIDEMIC: &str = r#"(
    title: "</script><script>alert(1)</script>",
    seed: 4,
    topology: Ring(nodes: 6),
    scheduler: Sequential,
    work: Interactions(protocol: Library(name: "two-way-epidemic"), initial: Counts({"I": 1, "S": 5})),
    stop: [Silent],
)"#;

const WALKERS: &str = r#"(
    seed: 2,
    topology: Mobility(nodes: 9, side: 10, range: 4, speed: (0.5, 1.5), pause: 2, step: 1, duration: 20, rounds_per_step: 3),
    rung: F3,
    scheduler: SemiSynchronous(activation: All),
    work: Interactions(protocol: Library(name: "two-way-epidemic"), way: AnyLocked, initial: Counts({"I": 1, "S": 8})),
    stop: [TraceEnd],
)"#;

const AMOEBOTS: &str = "(seed: 1, amoebots: (algorithm: Hexagon, start: Line(count: 8)), execution: Concurrent(locks: Messages()))";

fn film(place: &Scratch, name: &str) -> Film {
    Film::from_html(&fs::read_to_string(place.path().join(name)).unwrap()).unwrap()
}

#[test]
fn a_page_has_the_film_of_the_run_and_its_title_is_text() {
    let place = Scratch::new();
    place.file("a.ron", EPIDEMIC);
    place.run(&["view", "a.ron"]).exits(0);
    let page = fs::read_to_string(place.path().join("a.html")).unwrap();
    assert!(!page.contains("<script>alert"), "the title is no markup");
    let film = film(&place, "a.html");
    assert_eq!(film.head.title, "</script><script>alert(1)</script>");
    let run = place.run(&["run", "a.ron", "--format", "jsonl"]).exits(0);
    let digest = run.json()[0]["digest"]["configuration"].as_str().unwrap().to_owned();
    assert!(film.head.facts.contains(&("digest".to_owned(), digest)), "{:?}", film.head.facts);
    assert_eq!(film.head.frames, film.head.steps + 1);
    let last = film.frames().last().unwrap().unwrap();
    assert!(last.configuration.columns[0].iter().all(|state| *state == last.configuration.columns[0][0]));
    // The page is replaced only on request, the input never.
    let again = place.run(&["view", "a.ron"]).exits(2);
    assert!(again.err.contains("--force"), "{}", again.err);
    place.run(&["view", "a.ron", "--force"]).exits(0);
    place.run(&["view", "a.ron", "-o", "a.ron", "--force"]).exits(2);
    assert_eq!(place.names(), ["a.html", "a.ron"]);
}

#[test]
fn nothing_is_written_on_bad_input() {
    let place = Scratch::new();
    place.file("bad.ron", EPIDEMIC.replace("Ring", "Rnig"));
    place.file("good.ron", EPIDEMIC);
    let before = place.names();
    for arguments in [
        &["view", "bad.ron"][..],
        &["view", "nowhere.ron"],
        &["view"],
        &["view", "good.ron", "--every", "0"],
        &["view", "good.ron", "--set", "topology.nodes=-1"],
        &["view", "good.ron", "-o", "no/such/folder/a.html"],
        &["view", "good.ron", "--frames", "1,x", "-o", "frames"],
        &["view", "good.ron", "--frames", "0"],
        &["view", "good.ron", "--frames", "0,999999", "-o", "frames"],
        &["view", "good.ron", "--frames", "0", "--colour", "nothing", "-o", "frames"],
        &["view", "good.ron", "--frames", "0", "-o", "good.ron"],
        &["view", "good.ron", "--colour", "state"],
        &["replay", "good.ron", "--at", "999999"],
        &["replay", "good.ron", "--at", "1", "--format", "csv"],
    ] {
        let ran = place.run(arguments);
        assert_eq!(ran.code, Some(2), "{arguments:?}: {}", ran.err);
        assert!(!ran.err.is_empty() && ran.out.is_empty(), "{arguments:?}");
        assert_eq!(place.names(), before, "{arguments:?}");
    }
    let ran = place.run(&["view", "good.ron", "--frames", "0", "--colour", "nothing", "-o", "frames"]);
    assert!(ran.err.contains("no column `nothing`") && ran.err.contains("memory.phase"), "{}", ran.err);
    let ran = place.run(&["view", "bad.ron"]);
    assert!(ran.err.contains("bad.ron:4:15") && ran.err.contains("`Ring`"), "{}", ran.err);
}

#[test]
fn a_damaged_recording_is_refused_at_its_line() {
    let place = Scratch::new();
    place.file("a.ron", EPIDEMIC);
    place.run(&["run", "a.ron", "--record", "r.jsonl"]).exits(0);
    place.run(&["view", "r.jsonl", "-o", "whole.html"]).exits(0);
    let text = fs::read_to_string(place.path().join("r.jsonl")).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let mut damaged = lines.clone();
    damaged[7] = "[0, \"no such action\"]";
    place.file("damaged.jsonl", damaged.join("\n") + "\n");
    place.file("cut.jsonl", &text[..text.len() / 2]);
    let before = place.names();
    for arguments in [
        &["view", "damaged.jsonl"][..],
        &["view", "cut.jsonl"],
        &["view", "damaged.jsonl", "--frames", "20", "-o", "frames"],
        &["replay", "damaged.jsonl", "--at", "20"],
        &["view", "r.jsonl", "--seed", "7", "-o", "other.html"],
    ] {
        let ran = place.run(arguments).exits(2);
        assert!(!ran.err.is_empty(), "{arguments:?}");
        assert_eq!(place.names(), before, "{arguments:?}");
    }
    let ran = place.run(&["view", "damaged.jsonl"]);
    assert!(ran.err.contains("damaged.jsonl:8"), "{}", ran.err);
}

#[test]
fn a_recording_and_its_scenario_have_one_film() {
    let place = Scratch::new();
    place.file("a.ron", PUBLISHED);
    let recorded = place.run(&["run", "a.ron", "--seed", "3", "--record", "r.jsonl"]);
    assert!(recorded.code == Some(0) || recorded.code == Some(1), "{}", recorded.err);
    place.run(&["view", "r.jsonl", "-o", "of-recording.html"]).exits(0);
    place.run(&["view", "a.ron", "--seed", "3", "-o", "of-scenario.html"]).exits(0);
    let [one, other] = ["of-recording.html", "of-scenario.html"].map(|name| film(&place, name));
    let frames = |film: &Film| film.frames().map(|frame| frame.unwrap().configuration).collect::<Vec<_>>();
    assert_eq!(frames(&one), frames(&other));
}

#[test]
fn every_kth_step_is_said() {
    let place = Scratch::new();
    place.file("a.ron", EPIDEMIC);
    place.run(&["view", "a.ron", "--every", "3", "-o", "thin.html"]).exits(0);
    let film = film(&place, "thin.html");
    assert_eq!((film.head.every, &film.head.notes[..]), (3, &["every 3rd step is shown".to_owned()][..]));
    assert_eq!(film.head.frames, film.head.steps.div_ceil(3) + 1);
}

#[test]
fn a_moment_is_that_of_the_film() {
    let place = Scratch::new();
    place.file("a.ron", EPIDEMIC);
    place.run(&["view", "a.ron"]).exits(0);
    let film = film(&place, "a.html");
    for step in [0, 17, film.head.steps] {
        let ran = place.run(&["replay", "a.ron", "--at", &step.to_string(), "--format", "jsonl"]).exits(0);
        let told = &ran.json()[0];
        let frame = film.frames().nth(step as usize).unwrap().unwrap();
        for (column, values) in film.head.columns.iter().zip(&frame.configuration.columns) {
            let words: Vec<String> = values.iter().map(|value| value.told(column)).collect();
            let told: Vec<String> = told["columns"][&column.key]
                .as_array()
                .unwrap()
                .iter()
                .map(|value| value.as_str().map_or_else(|| value.to_string(), str::to_owned))
                .map(|word| if word == "null" { String::new() } else { word })
                .collect();
            assert_eq!(told, words, "{} after {step}", column.key);
        }
    }
    let text = place.run(&["replay", "a.ron", "--at", "17"]).exits(0).out;
    assert!(text.starts_with("step 17\nnode 0: ") && text.contains("\nedges: "), "{text}");
}

#[test]
fn frames_are_figures_with_a_legend() {
    let place = Scratch::new();
    place.file("a.ron", EPIDEMIC);
    place.file("walkers.ron", WALKERS);
    place.file("amoebots.ron", AMOEBOTS);
    place.run(&["view", "a.ron", "--frames", "0,40,5", "-o", "ring"]).exits(0);
    let ring = |name: &str| fs::read_to_string(place.path().join("ring").join(name)).unwrap();
    assert_eq!(
        crate::program::names(&place.path().join("ring")),
        ["frame-00.svg", "frame-05.svg", "frame-40.svg"]
    );
    let start = ring("frame-00.svg");
    assert!(!start.contains("<script") && start.contains("&lt;script&gt;alert(1)"), "a title is text");
    assert!(start.contains("I: 1") && start.contains("S: 5") && start.contains(", step 0<"), "{start}");
    assert!(
        ["competing", "holding", "releasing", "lock set"].iter().all(|word| start.contains(word)),
        "{start}"
    );
    // Another column; a folder with files in it is not touched.
    let taken = place.run(&["view", "a.ron", "--frames", "0", "-o", "ring"]).exits(2);
    assert!(taken.err.contains("--force"), "{}", taken.err);
    place.run(&["view", "a.ron", "--frames", "40", "--colour", "memory.phase", "-o", "phases"]).exits(0);
    let phases = fs::read_to_string(place.path().join("phases/frame-40.svg")).unwrap();
    assert!(phases.contains("prepare: ") && !phases.contains(">S: "), "{phases}");
    // Positions of walkers differ between frames, with one scale.
    place.run(&["view", "walkers.ron", "--frames", "0,30", "-o", "walkers"]).exits(0);
    let [early, late] = ["00", "30"].map(|step| {
        let svg = fs::read_to_string(place.path().join(format!("walkers/frame-{step}.svg"))).unwrap();
        let size = svg.split_once("viewBox").unwrap().1.split_once('>').unwrap().0.to_owned();
        let discs: Vec<String> =
            svg.lines().filter(|line| line.starts_with("<circle")).map(str::to_owned).collect();
        (size, discs)
    });
    assert!(early.1.len() >= 9 && early.1 != late.1, "{early:?}");
    assert_eq!(early.0.split(' ').nth(2), late.0.split(' ').nth(2), "one width");
    // Hatching next to colours, and a lock set in one of these frames.
    place.run(&["view", "amoebots.ron", "--frames", "0,500,600,700,800,900", "-o", "amoebots"]).exits(0);
    let svgs: Vec<String> = crate::program::names(&place.path().join("amoebots"))
        .iter()
        .map(|name| fs::read_to_string(place.path().join("amoebots").join(name)).unwrap())
        .collect();
    assert!(svgs.iter().all(|svg| svg.contains("<pattern id=\"hatching-")), "hatched");
    assert!(svgs.iter().any(|svg| svg.contains("class=\"lock-set\"")), "a lock set");
    // Arrows used to be rotated by a sixth: on a new line all followers point along it.
    let line = "(seed: 1, amoebots: (algorithm: Hexagon, start: Line(count: 8)))";
    place.file("line.ron", line);
    place.run(&["view", "line.ron", "--frames", "7", "-o", "line"]).exits(0);
    let svg = fs::read_to_string(place.path().join("line/frame-7.svg")).unwrap();
    let arrows: Vec<&str> = svg
        .lines()
        .filter(|line| line.starts_with("<path") && line.contains("stroke-width=\"1.2\" fill=\"#000000\""))
        .collect();
    let is_level = |arrow: &&str| {
        let (_, from) = arrow.split_once("d=\"M").unwrap();
        let (from, to) = from.split_once('L').unwrap();
        let height = |point: &str| point.split_once(' ').unwrap().1.split('M').next().unwrap().to_owned();
        height(from) == height(to)
    };
    // One more arrow is that of the legend.
    assert!(arrows.len() > 1 && arrows.iter().all(is_level), "{arrows:#?}");
}

#[test]
fn counts_alone_are_a_page_and_no_pictures() {
    let place = Scratch::new();
    place.file(
        "big.ron",
        "(seed: 1, topology: Complete(nodes: 1e6), stop: [Silent], work: Interactions(protocol: \
         Library(name: \"two-way-epidemic\"), initial: Shares({\"I\": 0.1, \"S\": 0.9})))",
    );
    place.run(&["view", "big.ron"]).exits(0);
    let film = film(&place, "big.html");
    assert_eq!((film.head.nodes, film.head.counts.names.len()), (0, 2));
    assert_eq!(film.head.counts.values.last().unwrap().iter().sum::<u64>(), 1_000_000);
    for arguments in
        [&["view", "big.ron", "--frames", "0", "-o", "frames"][..], &["replay", "big.ron", "--at", "0"]]
    {
        let ran = place.run(arguments).exits(2);
        assert!(ran.err.contains("has only counts"), "{}", ran.err);
    }
    assert_eq!(place.names(), ["big.html", "big.ron"]);
}

#[test]
fn walkers_move_in_the_page() {
    let place = Scratch::new();
    place.file("walkers.ron", WALKERS);
    place.run(&["view", "walkers.ron"]).exits(0);
    let film = film(&place, "walkers.html");
    assert!(film.head.picture.moving);
    let column = film.head.column("px").unwrap();
    let places: Vec<Vec<NodeValue>> =
        film.frames().map(|frame| frame.unwrap().configuration.columns[column].clone()).collect();
    let moved = places.windows(2).filter(|pair| pair[0] != pair[1]).count();
    assert_eq!(moved, 19, "once for each further step of the trace");
}
