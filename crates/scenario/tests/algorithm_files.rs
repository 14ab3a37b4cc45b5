//! Tests that amoebot algorithms written in files behave like those of the library.

use std::fmt::Debug;
use std::path::{Path, PathBuf};

use acrasin_amoebot::algorithm::description::{Description, Placement};
use acrasin_amoebot::library::table::algorithm::{Memory, TableAlgorithm};
use acrasin_amoebot::library::{erosion, forest, hexagon};
use acrasin_amoebot::run::execution::{SequentialExecution, Uniform, UniformEnabled};
use acrasin_amoebot::{AmoebotPort, Cell, Direction, Erosion, Forest, Hexagon, Orientation, System, start};
use acrasin_runtime::{FixedProbability, Seeded};
use acrasin_scenario::ScenarioFile;
use acrasin_scenario::amoebot::algorithm::{from_file, from_text};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../amoebot/algorithms")
}

fn file(name: &str) -> TableAlgorithm {
    from_file(&folder().join(name)).unwrap_or_else(|error| panic!("{error}"))
}

fn word(port: Option<AmoebotPort>) -> String {
    port.map_or("none".to_owned(), |port| match port.number() {
        head @ 1..=6 => head.to_string(),
        tail => format!("tail {}", tail - 6),
    })
}

fn lower(state: impl Debug) -> String {
    format!("{state:?}").to_lowercase()
}

/// Asserts that all amoebots of both algorithms are equal after every step. `words` returns the variables of a memory
/// by name, in order.
fn same<D: Description>(
    library: &D,
    table: &TableAlgorithm,
    placement: &Placement,
    words: impl Fn(&D::Memory) -> Vec<String>,
) -> u64 {
    let compare = |one: &System<D::Memory>, other: &System<Memory>, step: u64| {
        for id in one.ids() {
            assert_eq!(one.body(id), other.body(id), "{id} after {step} steps");
            let variables = 0..table.facts().variables.len();
            let written: Vec<String> =
                variables.map(|variable| table.value(other.memory(id), variable)).collect();
            assert_eq!(words(one.memory(id)), written, "{id} after {step} steps");
        }
    };
    let mut one = SequentialExecution::new(library.algorithm(), library.start(placement).unwrap());
    let mut other = SequentialExecution::new(table, Description::start(table, placement).unwrap());
    compare(one.system(), other.system(), 0);
    let mut draws = (Seeded::new(5), Seeded::new(5));
    for step in 1.. {
        let ended = if step % 2 == 0 {
            (one.run(1, &mut Uniform, &mut draws.0), other.run(1, &mut Uniform, &mut draws.1))
        } else {
            (one.run(1, &mut UniformEnabled, &mut draws.0), other.run(1, &mut UniformEnabled, &mut draws.1))
        };
        compare(one.system(), other.system(), step);
        assert_eq!(ended.0, ended.1, "after {step} steps");
        assert_eq!(one.counts(), other.counts(), "after {step} steps");
        if ended.0 {
            break;
        }
    }
    assert!(library.is_finished(one.system()) && table.is_finished(other.system()));
    // Both measure progress by the same states, and reach 1 at the end.
    assert_eq!(library.facts().settled_states, table.facts().settled_states);
    let system = other.system();
    let state = |id| table.facts().states[table.state(system.memory(id))];
    assert!(system.ids().all(|id| table.facts().settled_states.contains(&state(id))));
    one.counts().actions
}

/// Starts of 9 to 49 amoebots: spirals with any orientations, which have no holes, or random starts with common
/// orientation.
fn placements(is_random: bool) -> impl Iterator<Item = Placement> {
    (1..=6).map(move |number| {
        let count = 8 * number + 1;
        if is_random {
            let acceptance = FixedProbability::new(0.8).unwrap();
            let cells =
                start::blob(Cell::ORIGIN, count, acceptance, &mut Seeded::new(number as u64)).unwrap();
            return Placement { cells, seed: number, ..Placement::default() };
        }
        let all: Vec<Orientation> = Orientation::all().collect();
        let cells = start::spiral(Cell::ORIGIN, Direction::East, count).unwrap();
        let orientations = (0..count).map(|at| all[at * 5 % all.len()]).collect();
        Placement { cells, seed: number, orientations, ..Placement::default() }
    })
}

#[test]
fn hexagon_formation_is_the_same_step_by_step() {
    let table = file("hexagon.ron");
    let words = |memory: &hexagon::Memory| vec![word(memory.dir), word(memory.parent), lower(memory.state)];
    let actions: u64 = placements(true).map(|placement| same(&Hexagon, &table, &placement, words)).sum();
    assert!(actions > 1_000, "{actions}");
}

#[test]
fn erosion_is_the_same_step_by_step() {
    let table = file("erosion.ron");
    let actions: u64 = placements(false)
        .map(|placement| same(&Erosion, &table, &placement, |memory| vec![lower(memory)]))
        .sum();
    assert!(actions > 300, "{actions}");
}

#[test]
fn a_spanning_forest_is_the_same_step_by_step() {
    let table = file("forest.ron");
    let words = |memory: &forest::Memory| match *memory {
        forest::Memory::Idle => vec![word(None), "idle".to_owned()],
        forest::Memory::Root => vec![word(None), "root".to_owned()],
        forest::Memory::Follower { parent } => vec![word(Some(parent)), "follower".to_owned()],
    };
    for is_random in [true, false] {
        for placement in placements(is_random) {
            // The library takes the numbers of the roots; here it is the first amoebot.
            let actions = same(&Forest, &table, &placement, words);
            assert_eq!(actions, placement.cells.len() as u64 - 1);
        }
    }
}

/// A table with one guard that differs from the library is distinguished.
#[test]
fn another_table_is_told_apart() {
    let text = std::fs::read_to_string(folder().join("erosion.ron")).unwrap();
    let wrong = text.replace("Arcs(1, ", "Arcs(2, ");
    assert_ne!(text, wrong);
    let table = from_text(wrong.as_bytes(), "wrong.ron").unwrap();
    let placement = placements(false).next().unwrap();
    let differs = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        same(&Erosion, &table, &placement, |memory: &erosion::Memory| vec![lower(memory)])
    }));
    assert!(differs.is_err());
}

/// Mistakes in files, and the message for each.
#[test]
fn what_is_wrong_with_a_file_is_said_at_its_place() {
    let table = |variables: &str, more: &str, when: &str, then: &str| {
        format!(
            "(\n  title: \"x\",\n  variables: {{ {variables} }},\n  shown: \"state\",\n  {more}\n  actions: [\n    (\n      \
             label: \"A\",\n      when: {when},\n      then: [{then}],\n    ),\n  ],\n  goal: (every: Contracted),\n)\n"
        )
    };
    let state = "\"state\": OneOf([\"idle\", \"done\"]), \"parent\": Port";
    let is_idle = "Is(\"state\", \"idle\")";
    let good = table(state, "", is_idle, "Write(\"state\", \"done\")");
    assert!(from_text(good.as_bytes(), "x.ron").is_ok());
    for (text, line, message, accepted) in [
        (table(state, "", "Is(\"stat\", \"idle\")", ""), 9, "there is no variable \"stat\"", "parent, state"),
        (
            table(state, "", "Is(\"state\", \"red\")", ""),
            9,
            "variable \"state\" has no value \"red\"",
            "\"idle\", \"done\"",
        ),
        (
            table(state, "", is_idle, "Write(\"state\", 3)"),
            10,
            "variable \"state\" has no value 3",
            "\"idle\", \"done\"",
        ),
        (
            table(state, "", is_idle, "WritePort(\"state\", Label(1))"),
            10,
            "variable \"state\" is not a port",
            "a variable of the kind Port",
        ),
        (table(state, "", is_idle, "WritePort(\"parent\", Label(7))"), 10, "label 7", "1 to 6"),
        (
            table(state, "", is_idle, "WritePort(\"parent\", Here)"),
            10,
            "`Here` in an action that is not at each port",
            "at_each_port: true, or another port",
        ),
        (
            table(state, "seed: { \"colour\": 1 },", is_idle, "Write(\"state\", \"done\")"),
            5,
            "there is no variable \"colour\"",
            "parent, state",
        ),
        (
            table("\"state\": UpTo(8)", "", "Contracted", ""),
            4,
            "variable \"state\" has 9 values",
            "a variable of at most 8 values",
        ),
        (table("\"state\": OneOf([])", "", "Contracted", ""), 3, "0 values", "1 to 255"),
        (
            table("\"state\": OneOf([\"a\", \"a\"])", "", "Contracted", ""),
            3,
            "value \"a\" is listed twice",
            "each value once",
        ),
        (table("\"other\": Flag", "", "Contracted", ""), 4, "there is no variable \"state\"", "other"),
        (
            table(
                &format!(
                    "{state}, {}",
                    (0..7).map(|i| format!("\"v{i}\": Flag")).collect::<Vec<_>>().join(", ")
                ),
                "",
                "Contracted",
                "",
            ),
            3,
            "9 variables",
            "1 to 8",
        ),
    ] {
        let error = from_text(text.as_bytes(), "x.ron").unwrap_err();
        assert_eq!((error.line(), error.message()), (Some(line), message), "{error}");
        assert!(error.to_string().contains(&format!("accepted: {accepted}")), "{error}");
    }
    // A recording names actions by their labels. An action at a port has the number of the port in its label.
    let second = |label: &str| {
        let then = "[Write(\"state\", \"done\")]";
        let action = format!("(label: {label:?}, when: {is_idle}, then: {then}),\n  ],\n  goal");
        good.replacen("],\n  goal", &action, 1)
    };
    let at_each_port = second("A(3)").replacen("label: \"A\",", "label: \"A\", at_each_port: true,", 1);
    for (text, label) in [(second("A"), "A"), (at_each_port, "A(3)")] {
        let error = from_text(text.as_bytes(), "x.ron").unwrap_err();
        assert_eq!(
            (error.line(), error.message()),
            (Some(12), &*format!("another action is also called {label:?}"))
        );
    }
    assert!(from_text(second("B").as_bytes(), "x.ron").is_ok());
    let idle = second("B");
    let (before, last) = idle.split_at(idle.rfind("[Write(\"state\", \"done\")]").unwrap());
    let idle = before.to_owned() + &last.replacen("[Write(\"state\", \"done\")]", "[]", 1);
    for (text, message) in [
        (second(" "), "an action without a name"),
        (idle, "action \"B\" changes nothing, so it would stay enabled forever"),
    ] {
        let error = from_text(text.as_bytes(), "x.ron").unwrap_err();
        assert_eq!((error.line(), error.message()), (Some(12), message), "{error}");
    }
    // Texts that the grammar does not accept.
    for text in ["", "(title: 3)", "(title: \"x\", colour: 1)", &good.replace("Contracted", "Contrac")] {
        assert!(from_text(text.as_bytes(), "x.ron").is_err(), "{text}");
    }
    let missing = from_file(&folder().join("no-such.ron")).unwrap_err().to_string();
    assert!(missing.contains("no-such.ron"), "{missing}");
}

/// Regression: the path that `ForestWalk` walks was listed as a data file, with an empty digest.
#[test]
fn only_values_that_name_files_are_data_files() {
    let files = |algorithm: &str, start: &str| {
        let text = format!("(amoebots: (algorithm: {algorithm}, start: {start}))");
        ScenarioFile::parse(&text, "a.ron", &[]).unwrap_or_else(|error| panic!("{error}")).files()
    };
    let line = "Line(count: 5)";
    assert!(files("ForestWalk(path: \"1\")", line).is_empty());
    let named = |place, path: &str| vec![(place, path.to_owned())];
    assert_eq!(files("File(path: \"x.ron\")", line), named("amoebots.algorithm.path", "x.ron"));
    for start in ["Drawing(path: \"x.txt\")", "Recorded(path: \"x.txt\")"] {
        assert_eq!(files("ForestWalk(path: \"1\")", start), named("amoebots.start.path", "x.txt"));
    }
    let population = |topology: &str, exclusion: &str, protocol: &str| {
        let text = format!(
            "(topology: {topology}, {exclusion} scheduler: Sequential, work: Interactions(protocol: {protocol}, \
             initial: All(\"A\")))"
        );
        ScenarioFile::parse(&text, "a.ron", &[]).unwrap_or_else(|error| panic!("{error}")).files()
    };
    let library = "Library(name: \"exact-majority\")";
    assert!(population("Ring(nodes: 5)", "", library).is_empty());
    assert_eq!(population("File(path: \"x\")", "", library), named("topology.path", "x"));
    let bounds = "exclusion: CriticalSections(bounds: \"b.csv\"),";
    assert_eq!(population("Ring(nodes: 5)", bounds, library), named("exclusion.bounds", "b.csv"));
    let protocol = "File(path: \"p.ron\")";
    assert_eq!(population("Ring(nodes: 5)", "", protocol), named("work.protocol.path", "p.ron"));
}
