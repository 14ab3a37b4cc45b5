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
    // Runs are numbered by repetition, so an interrupted sweep covers all combinations.
    let runs: Vec<u64> = found.iter().map(|row| row["run"].as_u64().unwrap()).collect();
    assert_eq!(runs[..7], [0, 6, 12, 1, 7, 13, 2]);
    let mut seeds: Vec<u64> = found.iter().map(|row| row["manifest"]["seed"].as_u64().unwrap()).collect();
    seeds.sort_unstable();
    seeds.dedup();
    assert_eq!(seeds.len(), 18, "each run has a seed of its own");
    // A combination has the same seeds in every sweep, and a single run gives the row.
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
            .starts_with("{\"run\":3,\"sweep\":{\"topology.nodes\":40,\"scheduler\":\"Sequential\"}"),
        "{whole}"
    );
    // Truncated in the middle of a row, and of the first line.
    for bytes in [whole.len() - 10, whole.len() / 2, 30, 0] {
        fs::write(&file, &whole[..bytes]).unwrap();
        let again = place.run(&over(output)).exits(0);
        let rows = whole[..bytes].matches('\n').count().saturating_sub(1);
        assert_eq!(again.err.contains("runs are in the file already"), rows > 0, "{}", again.err);
        assert_eq!(fs::read_to_string(&file).unwrap(), whole, "{bytes}");
    }
    // A different sweep leaves the file alone.
    for other in [&["--seed", "8"][..], &["--set", "stop=[Silent]"]] {
        let refused = place.run(&over(&[output, other].concat())).exits(2);
        assert!(refused.err.contains("does not have the rows of this sweep"), "{}", refused.err);
        assert_eq!(fs::read_to_string(&file).unwrap(), whole);
    }
    fs::write(&file, "mine\n").unwrap();
    place.run(&over(output)).exits(2);
    assert_eq!(fs::read_to_string(&file).unwrap(), "mine\n");
}

/// `acrasin run --reps` keeps nothing until all runs are over, and names this command for many long runs.
#[test]
fn repetitions_without_a_varied_field_continue_where_they_ended() {
    let place = place();
    for name in ["rows.jsonl", "rows.csv"] {
        let file = place.path().join(name);
        let sweep = ["sweep", "m.ron", "--reps", "5", "-o", name];
        place.run(&sweep).exits(0);
        let whole = fs::read_to_string(&file).unwrap();
        assert_eq!(whole.lines().count(), 1 + 5, "{whole}");
        let row = whole.lines().nth(3).unwrap();
        fs::write(&file, &whole[..whole.find(row).unwrap() + 10]).unwrap();
        let again = place.run(&sweep).exits(0);
        assert!(again.err.contains("2 of 5 runs are in the file already"), "{}", again.err);
        assert_eq!(fs::read_to_string(&file).unwrap(), whole);
        // Another seed is another sweep.
        place.run(&[&sweep[..], &["--seed", "8"]].concat()).exits(2);
        assert_eq!(fs::read_to_string(&file).unwrap(), whole);
    }
    let neither = place.run(&["sweep", "m.ron", "-o", "rows.jsonl"]).exits(2);
    assert!(neither.err.contains("--over <KEY=VALUES>"), "{}", neither.err);
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
    assert!(header.ends_with(",sweep.topology.nodes,sweep.scheduler"), "{header}");
    assert!(csv.lines().nth(18).unwrap().ends_with(",80,Sequential"), "{csv}");
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

/// A CSV file is resumed like JSON lines, and has the cells of the table for programs.
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
    // The two schedulers have different columns: the second row made the header wider.
    let (found, mut printed) = (cells(&whole), cells(&place.run(&over(&["--format", "csv"])).exits(0).out));
    // The file is ordered by repetition, the output by combination.
    printed[1..].sort_by_key(|row| row[0].parse::<u64>().unwrap());
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
        assert!(refused.err.contains("does not have the rows of this sweep"), "{}", refused.err);
        assert_eq!(fs::read_to_string(&file).unwrap(), whole);
    }
    fs::write(&file, "mine,yours\n").unwrap();
    place.run(&over(output)).exits(2);
    assert_eq!(fs::read_to_string(&file).unwrap(), "mine,yours\n");
    assert_eq!(place.names(), ["m.ron", "rows.csv"], "nothing is left beside it");
}

/// Remaining runs used to be skipped one by one: four billion took eleven minutes after the time was over.
#[test]
#[allow(clippy::disallowed_types, reason = "how long the command goes on after its limit is what is tested")]
fn a_sweep_of_billions_ends_when_its_time_is_over() {
    let place = place();
    let sweep = ["sweep", "m.ron", "--over", "topology.nodes=[20]", "--reps", "4000000000"];
    let begun = std::time::Instant::now();
    place.run(&[&sweep[..], &["--limit", "4000000000", "--max-time", "1s", "-q"]].concat()).exits(3);
    assert!(begun.elapsed() < std::time::Duration::from_secs(15), "{:?}", begun.elapsed());
}

#[test]
fn a_dry_run_says_what_is_known_of_the_cost_and_what_is_not() {
    let place = place();
    let planned = |set: &[&str]| {
        let run = ["run", "m.ron", "--dry-run", "--reps", "30", "-o", "there"];
        place.run(&[&run, set].concat()).exits(0).out
    };
    let open = planned(&[]);
    assert!(open.contains("unknown: until a stop condition holds"), "{open}");
    assert!(open.contains("unknown: about 1.0 ns per interaction"), "{open}");
    let bounded = planned(&["--set", "limits.interactions=1e9", "--set", "stop=[Interactions(2e9)]"]);
    assert!(bounded.contains("at most 1 000 000 000 interactions"), "{bounded}");
    assert!(bounded.contains("at most about 1.0 s, if"), "{bounded}");
    let locked = planned(&["--set", "scheduler=Sequential", "--set", "limits.rounds=70"]);
    assert!(
        locked.contains("at most 70 rounds") && locked.contains("operations cannot be counted"),
        "{locked}"
    );
    let swept = place.run(&over(&["--dry-run", "--set", "limits.interactions=5000"])).exits(0).out;
    assert!(swept.contains("at most 5000 interactions"), "{swept}");
    assert_eq!(place.names(), ["m.ron"], "nothing is written");
}

/// Rows of a file after its first line, by run number.
fn rows_by_run(text: &str) -> Vec<(u64, serde_json::Value)> {
    let row = |line: &str| -> serde_json::Value { serde_json::from_str(line).expect(line) };
    let mut rows: Vec<_> =
        text.lines().skip(1).map(row).map(|row| (row["run"].as_u64().unwrap(), row)).collect();
    rows.sort_by_key(|(run, _)| *run);
    rows
}

/// Regression: after a row in the middle was deleted, its run was skipped, and the last one was made twice.
#[test]
fn missing_rows_are_made_wherever_they_are() {
    let place = place();
    for name in ["rows.jsonl", "rows.csv"] {
        let file = place.path().join(name);
        let table = place.run(&over(&["-o", name])).exits(0).out;
        let whole = fs::read_to_string(&file).unwrap();
        let lines: Vec<&str> = whole.lines().collect();
        for missing in [&[5_usize][..], &[1, 9, 18], &[17, 18]] {
            let kept = lines.iter().enumerate().filter(|(at, _)| !missing.contains(at));
            let kept: String = kept.map(|(_, line)| format!("{line}\n")).collect();
            fs::write(&file, kept).unwrap();
            let again = place.run(&over(&["-o", name])).exits(0);
            let there = format!("{} of 18 runs are in the file already", 18 - missing.len());
            assert!(again.err.contains(&there), "{}", again.err);
            let now = fs::read_to_string(&file).unwrap();
            let sorted = |text: &str| {
                let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
                lines[1..].sort();
                lines
            };
            assert_eq!(sorted(&now), sorted(&whole), "{name} {missing:?}");
            // The table also covers the earlier rows.
            assert_eq!(again.out, table);
        }
        assert_eq!(place.run(&over(&["-o", name])).exits(0).out, table);
    }
}

#[test]
fn more_repetitions_and_more_values_extend_a_file() {
    let place = place();
    let sweep = |nodes: &str, reps: &str, name: &str| {
        let over = format!("topology.nodes={nodes}");
        place.run(&["sweep", "m.ron", "--over", &over, "--reps", reps, "-o", name])
    };
    for name in ["rows.jsonl", "rows.csv"] {
        let file = place.path().join(name);
        let fresh = format!("fresh-{name}");
        sweep("[20, 40]", "2", name).exits(0);
        let first = fs::read_to_string(&file).unwrap();
        let longer = sweep("[20, 40]", "5", name).exits(0);
        assert!(longer.err.contains("4 of 10 runs are in the file already"), "{}", longer.err);
        assert!(fs::read_to_string(&file).unwrap().starts_with(&first));
        let table = sweep("[20, 40]", "5", &fresh).exits(0).out;
        assert_eq!(longer.out, table);
        if name == "rows.jsonl" {
            let written = |path: &str| rows_by_run(&fs::read_to_string(place.path().join(path)).unwrap());
            assert_eq!(written(name), written(&fresh));
        }
        let wider = sweep("[20, 30, 40]", "5", name).exits(0);
        assert!(wider.err.contains("10 of 15 runs are in the file already"), "{}", wider.err);
        fs::remove_file(place.path().join(&fresh)).unwrap();
        assert_eq!(wider.out, sweep("[20, 30, 40]", "5", &fresh).exits(0).out);
        // Every run has one row with its own number.
        let text = fs::read_to_string(&file).unwrap();
        if name == "rows.jsonl" {
            let rows = rows_by_run(&text);
            assert!(rows.iter().map(|(run, _)| *run).eq(0..15), "{text}");
            let mut seeds: Vec<_> = rows.iter().map(|(_, row)| row["manifest"]["seed"].to_string()).collect();
            seeds.sort();
            seeds.dedup();
            assert_eq!(seeds.len(), 15);
        }
        let again = sweep("[20, 30, 40]", "5", name).exits(0);
        assert!(again.err.contains("15 of 15 runs"), "{}", again.err);
        assert_eq!((fs::read_to_string(&file).unwrap(), again.out), (text, wider.out));
    }
}

/// The message used to say that something differs, but not what.
#[test]
fn a_refusal_says_what_differs() {
    let place = place();
    place.file("other.ron", MAJORITY.replace("0.6", "0.7").replace("0.4", "0.3"));
    for name in ["rows.jsonl", "rows.csv"] {
        let base = ["--over", "topology.nodes=[20, 40]", "--reps", "2", "-o", name];
        place.run(&[&["sweep", "m.ron"][..], &base].concat()).exits(0);
        let file = place.path().join(name);
        let whole = fs::read_to_string(&file).unwrap();
        let refused = |scenario: &str, over: &str, reps: &str, more: &[&str], part: &str| {
            let sweep = ["sweep", scenario, "--over", over, "--reps", reps, "-o", name];
            let ran = place.run(&[&sweep[..], more].concat()).exits(2);
            assert!(ran.err.contains("does not have the rows of this sweep"), "{}", ran.err);
            assert!(ran.err.contains(part), "{part}: {}", ran.err);
            let others = ["scenario (", "version (", "seed (", "values (", "repetitions ("];
            let said = others.iter().filter(|other| ran.err.contains(**other)).count();
            assert_eq!(said, 1, "{}", ran.err);
            assert_eq!(fs::read_to_string(&file).unwrap(), whole);
        };
        let (nodes, same) = ("topology.nodes=[20, 40]", "m.ron");
        refused("other.ron", nodes, "2", &[], "differs scenario (");
        refused(same, nodes, "2", &["--set", "stop=[Silent]"], "differs scenario (");
        refused(same, nodes, "2", &["--seed", "8"], "differs seed (");
        refused(same, "topology.nodes=[20, 30]", "2", &[], "differs values (topology.nodes=40");
        refused(same, "work.initial.A=[0.6]", "2", &[], "differs values (the file varies topology.nodes");
        refused(same, nodes, "1", &[], "differs repetitions (");
        let version = format!("\"version\":\"{}\"", env!("CARGO_PKG_VERSION"));
        let older = whole.replace(&version, "\"version\":\"0.0.9\"");
        if name == "rows.jsonl" {
            fs::write(&file, &older).unwrap();
            let ran = place.run(&[&["sweep", same][..], &base].concat()).exits(2);
            assert!(ran.err.contains("differs version (0.0.9"), "{}", ran.err);
        }
        fs::remove_file(&file).unwrap();
    }
}

/// Rows used to be appended to half a row, so that lines were missing or doubled.
#[test]
fn damaged_and_doubled_rows_are_refused_with_their_line() {
    let place = place();
    for name in ["rows.jsonl", "rows.csv"] {
        let file = place.path().join(name);
        place.run(&over(&["-o", name])).exits(0);
        let whole = fs::read_to_string(&file).unwrap();
        let lines: Vec<&str> = whole.lines().collect();
        let half = &lines[4][..lines[4].len() / 2];
        let damaged = format!("{}\n{half}{}\n", lines[..4].join("\n"), lines[5..].join("\n"));
        let doubled = format!("{whole}{}\n", lines[3]);
        for (text, part) in [(damaged, format!("{name}:5: ")), (doubled, format!("{name}:20: run 2"))] {
            fs::write(&file, &text).unwrap();
            let ran = place.run(&over(&["-o", name])).exits(2);
            assert!(ran.err.contains(&part), "{part}: {}", ran.err);
            assert_eq!(fs::read_to_string(&file).unwrap(), text);
        }
    }
}

/// Regression: a text in place of a number was accepted, and the mean covered only the other rows.
#[test]
fn a_row_with_a_word_for_a_number_is_refused() {
    let place = place();
    let sweep = |name: &str| {
        place.run(&["sweep", "m.ron", "--over", "topology.nodes=[20]", "--reps", "3", "-o", name])
    };
    sweep("rows.jsonl").exits(0);
    let file = place.path().join("rows.jsonl");
    let whole = fs::read_to_string(&file).unwrap();
    let number = |line: &str, name: &str| {
        let start = line.find(&format!("\"{name}\":")).unwrap() + name.len() + 3;
        (start, start + line[start..].find([',', '}']).unwrap())
    };
    let lines: Vec<&str> = whole.lines().collect();
    for (name, value, part) in [
        ("interactions", "\"x\"", "rows.jsonl:3: `work.interactions` is not a number: x"),
        ("interactions", "\"12\"", "rows.jsonl:3: `work.interactions` is not a number: 12"),
        ("parallel_time", "true", "rows.jsonl:3: `work.parallel_time` is not a number: true"),
        ("exit_code", "\"0\"", "rows.jsonl:3: the row does not say how its run ended"),
    ] {
        let (start, end) = number(lines[2], name);
        let wrong = format!("{}{value}{}", &lines[2][..start], &lines[2][end..]);
        let text = [lines[0], lines[1], &wrong, lines[3], ""].join("\n");
        fs::write(&file, &text).unwrap();
        let refused = sweep("rows.jsonl").exits(2);
        assert!(refused.err.contains(part), "{}", refused.err);
        assert_eq!(fs::read_to_string(&file).unwrap(), text);
    }
}

/// `plot` read such a file, but a sweep refused to extend it.
#[test]
fn rows_behind_a_byte_order_mark_are_extended() {
    let place = place();
    for name in ["rows.jsonl", "rows.csv"] {
        let sweep = |reps: &str| {
            place.run(&["sweep", "m.ron", "--over", "topology.nodes=[20, 40]", "--reps", reps, "-o", name])
        };
        sweep("2").exits(0);
        let file = place.path().join(name);
        let whole = fs::read_to_string(&file).unwrap();
        for bytes in [whole.len(), whole.len() - 5, whole.find('\n').unwrap() + 1, 0] {
            fs::write(&file, format!("\u{feff}{}", &whole[..bytes])).unwrap();
            sweep("2").exits(0);
            let text = fs::read_to_string(&file).unwrap();
            assert_eq!(text.trim_start_matches('\u{feff}'), whole, "{name} {bytes}");
        }
        // Without the first line.
        fs::write(&file, &whole[whole.find('\n').unwrap() + 1..]).unwrap();
        let refused = sweep("2").exits(2);
        assert!(refused.err.contains("its first line does not begin with `"), "{}", refused.err);
    }
}

#[test]
fn a_long_range_without_a_step_says_its_values_and_one_number_is_one_value() {
    let place = place();
    let sweep = |over: &str| place.run(&["sweep", "m.ron", "--over", over, "--dry-run"]);
    let noted = sweep("topology.nodes=100..1000").exits(0);
    assert!(noted.err.contains("note: topology.nodes takes 901 values in steps of 1"), "{}", noted.err);
    assert!(!sweep("topology.nodes=100..1000 by 100").exits(0).err.contains("in steps of"));
    // Two values would have two seeds.
    let twice = sweep("topology.nodes=[100, 1e2]").exits(2);
    assert!(twice.err.contains("`100` and `1e2` are the same value"), "{}", twice.err);
}

/// Regression: both sweeps exited with 0, and each row was in the file twice.
#[test]
#[cfg(unix)]
fn of_two_sweeps_on_one_file_one_is_refused() {
    use std::process::Stdio;

    let place = place();
    for (name, reps) in [("rows.jsonl", "3000"), ("rows.csv", "3000")] {
        let sweep = ["sweep", "m.ron", "--over", "topology.nodes=[20, 40]", "--reps", reps, "-o", name];
        let both: Vec<_> = [1, 2]
            .map(|_| {
                let mut command = place.command(&sweep);
                command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap()
            })
            .into_iter()
            .map(|child| crate::program::Ran::of(&child.wait_with_output().unwrap()))
            .collect();
        let mut codes: Vec<_> = both.iter().map(|ran| ran.code.unwrap()).collect();
        codes.sort_unstable();
        // The second may start only after the first is over.
        let is_late = both.iter().any(|ran| ran.err.contains("6000 of 6000 runs are in the file already"));
        assert!(codes == [0, 2] || is_late, "{both:#?}");
        let refused = both.iter().filter(|ran| ran.err.contains("another sweep is writing it"));
        assert!(refused.count() == 1 || is_late, "{both:#?}");
        let text = fs::read_to_string(place.path().join(name)).unwrap();
        assert_eq!(text.lines().count(), 1 + 6000);
    }
}

/// Regression: after a moment without disk space half a row stayed, and the sweep continued after it.
#[test]
#[cfg(target_os = "linux")]
fn the_first_row_that_cannot_be_written_ends_the_sweep() {
    use std::process::Command;

    let place = place();
    for name in ["rows.jsonl", "rows.csv"] {
        let sweep = ["sweep", "m.ron", "--over", "topology.nodes=[20, 40]", "--reps", "40", "-o", name];
        let program = place.command(&[]);
        let program = program.get_program().to_str().unwrap().to_owned();
        // A limit on file sizes simulates a full disk.
        let script = format!(
            "trap '' XFSZ; ulimit -f 20; exec '{program}' {}",
            sweep.join(" ").replace("[20, 40]", "'[20, 40]'")
        );
        let ran = Command::new("bash").args(["-c", &script]).current_dir(place.path()).output().unwrap();
        let ran = crate::program::Ran::of(&ran).exits(1);
        assert!(ran.err.contains(&format!("{name} cannot be written")), "{}", ran.err);
        let file = place.path().join(name);
        let text = fs::read_to_string(&file).unwrap();
        assert!(text.ends_with('\n') && text.lines().count() < 80, "{}", text.lines().count());
        place.run(&sweep).exits(0);
        let fresh = format!("fresh-{name}");
        place.run(&[&sweep[..6], &["-o", &fresh]].concat()).exits(0);
        assert_eq!(fs::read_to_string(file).unwrap(), fs::read_to_string(place.path().join(fresh)).unwrap());
    }
}

/// Rows used to go to a file without a name, and the exit code was 0.
#[test]
#[cfg(unix)]
fn a_file_that_is_removed_while_it_is_written_is_a_failure() {
    use std::process::Stdio;

    let place = place();
    fs::create_dir(place.path().join("sub")).unwrap();
    let sweep =
        ["sweep", "m.ron", "--over", "topology.nodes=[20, 40]", "--reps", "100000", "-o", "sub/rows.csv"];
    let child = place.command(&sweep).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let file = place.path().join("sub/rows.csv");
    while fs::read_to_string(&file).map_or(0, |text| text.lines().count()) < 3 {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    fs::remove_dir_all(place.path().join("sub")).unwrap();
    let ran = crate::program::Ran::of(&child.wait_with_output().unwrap()).exits(1);
    assert!(ran.err.contains("sub/rows.csv cannot be written: it was removed or replaced"), "{}", ran.err);
}

/// A wider header used to overwrite another file, and the rows lost their permissions.
#[test]
#[cfg(unix)]
fn a_wider_header_touches_nothing_else() {
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    let place = place();
    place.file("rows.csv.new", "mine");
    place.file("victim", "mine");
    let file = place.file("rows.csv", "");
    fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
    place.run(&over(&["-o", "rows.csv"])).exits(0);
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o640);
    assert_eq!(fs::read_to_string(place.path().join("rows.csv.new")).unwrap(), "mine");
    fs::remove_file(place.path().join("rows.csv.new")).unwrap();
    symlink("victim", place.path().join("rows.csv.new")).unwrap();
    fs::remove_file(&file).unwrap();
    place.run(&over(&["-o", "rows.csv"])).exits(0);
    assert_eq!(fs::read_to_string(place.path().join("victim")).unwrap(), "mine");
    assert_eq!(place.names(), ["m.ron", "rows.csv", "rows.csv.new", "victim"]);
}

/// An interrupted sweep has every value, with fewer repetitions.
#[test]
fn a_sweep_that_is_ended_has_every_value() {
    let place = place();
    let sweep =
        ["sweep", "m.ron", "--over", "topology.nodes=[20, 30, 40]", "--reps", "300000", "-o", "rows.jsonl"];
    let ran = place.run(&[&sweep[..], &["--max-time", "1s"]].concat()).exits(3);
    assert!(ran.err.contains("runs were not made"), "{}", ran.err);
    let text = fs::read_to_string(place.path().join("rows.jsonl")).unwrap();
    let of = |nodes: u64| {
        rows_by_run(&text).iter().filter(|(_, row)| row["sweep"]["topology.nodes"] == nodes).count()
    };
    let counts = [20, 30, 40].map(of);
    let (least, most) = (counts.iter().min().unwrap(), counts.iter().max().unwrap());
    // Each thread makes several runs of one value together.
    assert!(*least > 0 && most - least <= 256, "{counts:?}");
}

/// The values of the field used not to be the seeds of the runs.
#[test]
fn seeds_that_are_varied_are_the_seeds_of_the_runs() {
    let place = place();
    let sweep = ["sweep", "m.ron", "--over", "seed=[5, 6]", "--reps", "2", "--format", "jsonl"];
    let rows = place.run(&sweep).exits(0).json();
    let repetitions =
        place.run(&["run", "m.ron", "--seed", "6", "--reps", "2", "--format", "jsonl"]).exits(0).json();
    let of_seed: Vec<_> = rows.iter().filter(|row| row["sweep"]["seed"] == 6).collect();
    assert_eq!(of_seed.len(), 2);
    for (row, alone) in of_seed.iter().zip(&repetitions) {
        for what in ["digest", "work"] {
            assert_eq!(row[what], alone[what]);
        }
        assert_eq!(row["manifest"]["seed"], alone["manifest"]["seed"]);
        let text = row["manifest"]["seed"].to_string();
        assert_eq!(row["manifest"]["seed_text"], text.as_str());
    }
    let many = place.run(&[&sweep[..], &["--over", "topology.nodes=[20, 40]"]].concat()).exits(0);
    assert!(many.err.contains("each seed is used for many"), "{}", many.err);
    let both = place.run(&[&sweep[..], &["--seed", "1"]].concat()).exits(2);
    assert!(both.err.contains("--seed and --over seed"), "{}", both.err);
}

/// One leader and four infected agents among any number.
#[test]
fn a_start_that_grows_with_its_population_can_be_swept() {
    let place = Scratch::new();
    let scenario = |scheduler: &str, topology: &str| {
        format!(
            "(seed: 3, topology: {topology}(nodes: 50), scheduler: {scheduler}, limits: (interactions: 20), \
             work: Interactions(protocol: Library(name: \"approximate-majority\"), \
             initial: Counts({{\"A\": 1, \"B\": 4}}, rest: \"U\")))"
        )
    };
    let sweep = ["sweep", "a.ron", "--over", "topology.nodes=[6, 50, 4000]", "--format", "jsonl"];
    for (scheduler, topology) in
        [("UniformPairs", "Complete"), ("UniformPairs", "Ring"), ("Sequential", "Ring")]
    {
        place.file(
            "a.ron",
            scenario(scheduler, topology).replace(
                "interactions: 20",
                if scheduler == "Sequential" { "rounds: 1" } else { "interactions: 20" },
            ),
        );
        let rows = place.run(&sweep).exits(3).json();
        for (row, nodes) in rows.iter().zip([6_u64, 50, 4000]) {
            let counts = &row["states"];
            let sum: u64 = ["A", "B", "U"].iter().map(|state| counts[state].as_u64().unwrap()).sum();
            assert_eq!((sum, &row["sweep"]["topology.nodes"]), (nodes, &nodes.into()), "{row}");
        }
        // The counts before any interaction.
        place.run(&["run", "a.ron", "-o", "out", "--force"]).exits(3);
        let counts = fs::read_to_string(place.path().join("out/counts.csv")).unwrap();
        let mut lines = counts.lines();
        let (names, first) = (lines.next().unwrap(), lines.next().unwrap());
        let start: std::collections::BTreeMap<_, _> = names.split(',').zip(first.split(',')).collect();
        assert_eq!((start["A"], start["B"], start["U"]), ("1", "4", "45"), "{counts}");
        // The same on the command line, and with counts of the states.
        let set = "work.initial=Counts({\"A\": 2}, rest: \"B\")";
        place.run(&["run", "a.ron", "--set", set]).exits(3);
        place.run(&["sweep", "a.ron", "--over", "work.initial.A=[1, 2, 3]"]).exits(3);
    }
    for (initial, part) in [
        ("Counts({\"A\": 49, \"B\": 4}, rest: \"U\")", "the counts add up to 53, but there are 50 nodes"),
        ("Counts({\"A\": 1}, rest: \"X\")", "unknown state `X`"),
        ("Counts({\"A\": 1}, rest: \"A\")", "state `A` has a count"),
        ("Counts({\"A\": 1}, others: \"U\")", "a.ron"),
    ] {
        place.file(
            "a.ron",
            scenario("UniformPairs", "Complete")
                .replace("Counts({\"A\": 1, \"B\": 4}, rest: \"U\")", initial),
        );
        let refused = place.run(&["run", "a.ron"]).exits(2);
        assert!(refused.err.contains(part), "{part}: {}", refused.err);
    }
}

/// Regression: only the first row was checked for the word of the sweep, so a row pasted from another table was
/// accepted.
#[test]
fn a_row_with_the_word_of_another_sweep_is_refused() {
    let place = place();
    let sweep = ["sweep", "m.ron", "--over", "topology.nodes=[10, 20, 30]", "-o", "rows.csv"];
    place.run(&sweep).exits(0);
    let rows = fs::read_to_string(place.path().join("rows.csv")).unwrap();
    let word = rows.lines().nth(1).unwrap().split(',').next().unwrap().to_owned();
    let other = "0123456789abcdef0123456789abcdef";
    let mut lines: Vec<String> = rows.lines().map(str::to_owned).collect();
    lines[3] = lines[3].replacen(&word, other, 1);
    let changed = lines.join("\n") + "\n";
    place.file("rows.csv", &changed);
    let refused = place.run(&sweep).exits(2).err;
    let said = format!(
        "rows.csv:4: the row belongs to another sweep: `sweep` is {other}, but {word} in the first row"
    );
    assert!(refused.contains(&said), "{refused}");
    assert_eq!(fs::read_to_string(place.path().join("rows.csv")).unwrap(), changed);
}
