//! `acrasin sweep`.

use std::fs;

use crate::program::Scratch;

pub(crate) const MAJORITY: &str = "(seed: 7, topology: Complete(nodes: 50), scheduler: UniformPairs, stop: [OutputsAgree],
    work: Interactions(protocol: Library(name: \"approximate-majority\"), initial: Shares({\"A\": 0.6, \"B\": 0.4})))";

fn place() -> Scratch {
    let place = Scratch::new();
    place.file("m.ron", MAJORITY);
    place
}

/// Three sizes, two schedulers, three runs each.
fn over<'a>(rest: &[&'a str]) -> Vec<&'a str> {
    const LOCKED: &str = "scheduler=[UniformPairs, Sequential]";
    let over = ["sweep", "m.ron", "--over", "topology.nodes=20..80 x2", "--over", LOCKED, "--reps", "3"];
    over.into_iter().chain(rest.iter().copied()).collect()
}

#[test]
fn rows_are_the_same_on_any_number_of_threads_and_say_what_was_varied() {
    let place = place();
    let rows = |threads: &str| place.run(&over(&["--format", "jsonl", "--threads", threads])).exits(0);
    let first = rows("1");
    assert_eq!(first.out, rows("2").out);
    assert_eq!(first.out, rows("7").out);
    let found = first.json();
    assert_eq!(found.len(), 3 * 2 * 3);
    let nodes: Vec<u64> = found.iter().map(|row| row["topology"]["nodes"].as_u64().unwrap()).collect();
    assert_eq!(nodes[..7], [20, 20, 20, 20, 20, 20, 40]);
    let mut seeds: Vec<u64> = found.iter().map(|row| row["manifest"]["seed"].as_u64().unwrap()).collect();
    seeds.sort_unstable();
    seeds.dedup();
    assert_eq!(seeds.len(), 18, "each run has a seed of its own");
    // A combination has its seeds in any sweep, and a run alone gives the row.
    let alone = ["sweep", "m.ron", "--over", "topology.nodes=[40]", "--over", "scheduler=[Sequential]"];
    let alone = place.run(&[&alone[..], &["--format", "jsonl"]].concat()).exits(0);
    assert_eq!(alone.json()[0]["manifest"]["seed"], found[9]["manifest"]["seed"]);
    let seed = found[9]["manifest"]["seed"].to_string();
    let sets = ["--set", "topology.nodes=40", "--set", "scheduler=Sequential"];
    let ran =
        place.run(&[&["run", "m.ron", "--seed", &seed, "--format", "jsonl"][..], &sets].concat()).exits(0);
    assert_eq!(ran.json()[0]["digest"], found[9]["digest"]);
}

#[test]
fn a_file_is_gone_on_with_where_it_ended() {
    let place = place();
    let file = place.path().join("rows.jsonl");
    let output: &[&str] = &["-o", "rows.jsonl"];
    let table = place.run(&over(output)).exits(0);
    assert!(table.out.contains("parallel time") && table.out.contains("agreed"), "{}", table.out);
    let whole = fs::read_to_string(&file).unwrap();
    assert_eq!(whole.lines().count(), 1 + 18);
    assert!(
        whole
            .lines()
            .nth(4)
            .unwrap()
            .starts_with("{\"run\":3,\"sweep\":{\"topology.nodes\":20,\"scheduler\":\"Sequential\"}"),
        "{whole}"
    );
    // Cut off in the middle of a row, and of the first line.
    for bytes in [whole.len() - 10, whole.len() / 2, 30, 0] {
        fs::write(&file, &whole[..bytes]).unwrap();
        let again = place.run(&over(output)).exits(0);
        let rows = whole[..bytes].matches('\n').count().saturating_sub(1);
        assert_eq!(again.err.contains("runs are in the file already"), rows > 0, "{}", again.err);
        assert_eq!(fs::read_to_string(&file).unwrap(), whole, "{bytes}");
    }
    // Another sweep keeps its hands off.
    for other in [&["--seed", "8"][..], &["--set", "stop=[Silent]"]] {
        let refused = place.run(&over(&[output, other].concat())).exits(2);
        assert!(refused.err.contains("has not the rows of this sweep"), "{}", refused.err);
        assert_eq!(fs::read_to_string(&file).unwrap(), whole);
    }
    fs::write(&file, "mine\n").unwrap();
    place.run(&over(output)).exits(2);
    assert_eq!(fs::read_to_string(&file).unwrap(), "mine\n");
}

#[test]
fn a_table_for_programs_has_every_parameter() {
    let place = place();
    let csv = place.run(&over(&["--format", "csv"])).exits(0).out;
    let header = csv.lines().next().unwrap();
    assert!(
        header.starts_with("run,repetition,") && csv.lines().nth(18).unwrap().starts_with("17,2,"),
        "{csv}"
    );
    for column in
        ["outcome.word", "work.interactions", "states.A", "manifest.seed", "scenario.topology.nodes"]
    {
        assert!(header.split(',').any(|found| found == column), "{column}: {header}");
    }
    assert_eq!(csv.lines().count(), 19);
}

#[test]
fn a_dry_run_runs_nothing() {
    let place = place();
    let planned = place.run(&over(&["--dry-run", "-o", "rows.jsonl"])).exits(0);
    assert!(planned.out.starts_with("18 runs\n") && planned.out.contains("at most about"), "{}", planned.out);
    assert_eq!(place.names(), ["m.ron"]);
}

#[test]
fn what_is_wrong_is_said_before_the_first_run() {
    let place = place();
    let sweep = |over: &str, more: &[&str]| {
        let first = ["sweep", "m.ron", "-o", "rows.jsonl", "--over", over];
        place.run(&[&first[..], more].concat()).exits(2).err
    };
    for (over, more, part) in [
        ("topology.nodes=[20, 1]", &[][..], "m.ron"),
        ("topology.knots=[20]", &[], "knots"),
        ("topology.nodes=3", &[], "are accepted"),
        ("topology.nodes=1..1000000", &[], "more than 100000 values"),
        (
            "topology.nodes=2..1001",
            &["--reps", "1001"],
            "a sweep of 1001000 runs: --over topology.nodes of 1000, --reps 1001",
        ),
        ("topology.nodes=2..9", &["--limit", "7"], "accepted: up to 7"),
        ("topology.nodes=[20]", &["--over", "topology.nodes=[30]"], "is given twice"),
        ("topology.nodes=[20]", &["--set", "topology.nodes=30"], "is given twice"),
        ("topology.nodes=[20]", &["--reps", "0"], "0"),
    ] {
        let said = sweep(over, more);
        assert!(said.contains(part), "{over}: {said}");
        assert_eq!(place.names(), ["m.ron"], "{over}");
    }
}

/// A file of CSV is gone on with like one of JSON lines, and has the cells of the table for programs.
#[test]
fn a_file_of_cells_is_gone_on_with_where_it_ended() {
    let place = place();
    let file = place.path().join("rows.csv");
    let output: &[&str] = &["-o", "rows.csv"];
    place.run(&over(output)).exits(0);
    let whole = fs::read_to_string(&file).unwrap();
    let cells = |text: &str| -> Vec<Vec<String>> {
        let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(text.as_bytes());
        reader.records().map(|row| row.unwrap().iter().map(str::to_owned).collect()).collect()
    };
    // The two schedulers have other columns: the second row of cells made the header wider.
    let (found, printed) = (cells(&whole), cells(&place.run(&over(&["--format", "csv"])).exits(0).out));
    assert_eq!(found.len(), 1 + 18);
    assert!(whole.starts_with("sweep,run,sweep.topology.nodes,sweep.scheduler,repetition,"), "{whole}");
    for column in ["run", "outcome.word", "work.interactions", "locks.completed", "states.A", "manifest.seed"]
    {
        let place_in = |rows: &[Vec<String>]| rows[0].iter().position(|name| name == column).unwrap();
        let (here, there) = (place_in(&found), place_in(&printed));
        for (row, expected) in found[1..].iter().zip(&printed[1..]) {
            assert_eq!(row.len(), found[0].len());
            assert_eq!(row[here], expected[there], "{column}");
        }
    }
    assert!(found[1..].iter().all(|row| row[0] == found[1][0] && row[0].len() == 32));
    let header = whole.find('\n').unwrap();
    for bytes in [whole.len() - 10, header + 1, 3] {
        fs::write(&file, &whole[..bytes]).unwrap();
        let again = place.run(&over(output)).exits(0);
        let rows = whole[..bytes].matches('\n').count().saturating_sub(1);
        assert_eq!(again.err.contains("runs are in the file already"), rows > 0, "{}", again.err);
        assert_eq!(cells(&fs::read_to_string(&file).unwrap()).len(), found.len(), "{bytes}");
        assert_eq!(fs::read_to_string(&file).unwrap(), whole, "{bytes}");
    }
    for other in [&["--seed", "8"][..], &["--set", "stop=[Silent]"]] {
        let refused = place.run(&over(&[output, other].concat())).exits(2);
        assert!(refused.err.contains("has not the rows of this sweep"), "{}", refused.err);
        assert_eq!(fs::read_to_string(&file).unwrap(), whole);
    }
    fs::write(&file, "mine,yours\n").unwrap();
    place.run(&over(output)).exits(2);
    assert_eq!(fs::read_to_string(&file).unwrap(), "mine,yours\n");
    assert_eq!(place.names(), ["m.ron", "rows.csv"], "nothing is left beside it");
}

#[test]
fn a_dry_run_says_what_is_known_of_the_cost_and_what_is_not() {
    let place = place();
    let planned = |set: &[&str]| {
        let run = ["run", "m.ron", "--dry-run", "--reps", "30", "-o", "there"];
        place.run(&[&run, set].concat()).exits(0).out
    };
    let open = planned(&[]);
    assert!(open.contains("not known: until a stop condition holds"), "{open}");
    assert!(open.contains("not known: about 1.00e0 ns an interaction"), "{open}");
    let bounded = planned(&["--set", "limits.interactions=1e9", "--set", "stop=[Interactions(2e9)]"]);
    assert!(bounded.contains("at most 1000000000 interactions"), "{bounded}");
    assert!(bounded.contains("at most about 1.00e0, if"), "{bounded}");
    let locked = planned(&["--set", "scheduler=Sequential", "--set", "limits.rounds=70"]);
    assert!(locked.contains("at most 70 rounds") && locked.contains("no count of operations"), "{locked}");
    let swept = place.run(&over(&["--dry-run", "--set", "limits.interactions=5000"])).exits(0).out;
    assert!(swept.contains("at most 5000 interactions"), "{swept}");
    assert_eq!(place.names(), ["m.ron"], "nothing is written");
}
