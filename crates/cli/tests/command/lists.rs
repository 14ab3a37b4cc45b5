//! `acrasin list`, `completions`, `man`, help and version.

use crate::program::Scratch;

#[test]
fn every_kind_is_listed_one_line_each() {
    let place = Scratch::new();
    let all = place.run(&["list"]).exits(0);
    for name in [
        "approximate-majority-mobility",
        "two-way-epidemic",
        "Torus",
        "Asynchronous",
        "TokenTree",
        "Published",
    ] {
        assert_eq!(all.out.lines().filter(|line| line.contains(&format!(" {name} "))).count(), 1, "{name}");
    }
    let kinds = [
        "scenarios",
        "protocols",
        "graphs",
        "rungs",
        "schedulers",
        "adversaries",
        "disturbances",
        "exclusion",
        "rules",
        "work",
        "stops",
        "amoebots",
        "starts",
        "objects",
    ];
    let each: String = kinds.iter().map(|kind| place.run(&["list", kind]).exits(0).out).collect();
    assert_eq!(each.lines().count(), all.out.lines().count());
    let json = place.run(&["list", "graphs", "--format", "jsonl"]).exits(0).json();
    assert_eq!(json.len(), place.run(&["list", "graphs"]).out.lines().count());
    assert!(json.iter().all(|item| item["kind"] == "graph" && item["summary"].is_string()));
    let csv = place.run(&["list", "--format", "csv"]).exits(0).out;
    assert!(csv.starts_with("kind,name,parameters,summary,proved\n"), "{csv}");
    let ran = place.run(&["list", "graph"]).exits(2);
    assert!(ran.err.contains("graphs"), "{}", ran.err);
}

#[test]
fn a_listed_scenario_runs_by_its_name() {
    let place = Scratch::new();
    let run = |arguments: &[&str]| {
        let flags = ["--format", "jsonl", "--set", "topology.nodes=40", "--set", "topology.duration=60"];
        place.run(&[arguments, &flags].concat())
    };
    let named = run(&["run", "approximate-majority-mobility"]);
    assert!(named.json()[0]["manifest"]["scenario"].as_str().unwrap().contains("built in"));
    assert_eq!(named.out, run(&["run"]).out);
    let ran = place.run(&["run", "approximate-majority-mobilty"]).exits(2);
    assert!(ran.err.contains("did you mean `approximate-majority-mobility`?"), "{}", ran.err);
    // A protocol is not a scenario, also if its name is the beginning of that of a scenario.
    for name in ["fratricide", "approximate-majority", "junta-leader", "global-star"] {
        let ran = place.run(&["run", name]).exits(2);
        assert!(ran.err.contains("or a name that `acrasin list scenarios` prints"), "{}", ran.err);
        assert!(ran.err.contains(&format!("`protocol: Library(name: \"{name}\")`")), "{}", ran.err);
        assert!(!ran.err.contains("did you mean"), "{}", ran.err);
    }
}

/// Regression: names of the library that `check` cannot explore were missing files.
#[test]
fn a_check_of_a_name_that_it_cannot_explore_says_why() {
    let place = Scratch::new();
    for flags in [&[][..], &["--predicate", "leader = 1"]] {
        for name in ["junta-leader", "global-star"] {
            let ran = place.run(&[&["check", name], flags].concat()).exits(2);
            let says = format!("`{name}` is a protocol without a table of its states");
            let hint = format!("`protocol: Library(name: \"{name}\")`");
            assert!(ran.err.contains(&says) && ran.err.contains(&hint), "{}", ran.err);
            assert!(!ran.err.contains("no such file"), "{}", ran.err);
        }
        let ran = place.run(&[&["check", "exact-majorit"], flags].concat()).exits(2);
        for part in ["no such file", "`acrasin list protocols`", "did you mean `exact-majority`?"] {
            assert!(ran.err.contains(part), "{part}: {}", ran.err);
        }
    }
}

#[test]
fn completions_and_pages_name_every_command() {
    let place = Scratch::new();
    let commands = ["run", "sweep", "replay", "check", "swarm", "conform", "list", "completions", "man"];
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = place.run(&["completions", shell]).exits(0).out;
        assert!(commands.iter().all(|command| script.contains(command)), "{shell}");
    }
    place.run(&["completions", "cmd"]).exits(2);
    let page = place.run(&["man"]).exits(0).out;
    assert!(page.contains(".TH acrasin 1") && page.contains("Exit codes"), "{page}");
    for command in commands {
        assert!(page.contains(command), "{command}");
        let page = place.run(&["man", command]).exits(0).out;
        assert!(page.contains(&format!("acrasin\\-{command}")), "{page}");
    }
    place.run(&["man", "fly"]).exits(2);
}

#[test]
fn help_and_version_are_results() {
    let place = Scratch::new();
    for arguments in [&["--help"][..], &["run", "--help"], &["help", "replay"], &["--version"], &["-V"]] {
        let ran = place.run(arguments).exits(0);
        assert!(!ran.out.is_empty() && ran.err.is_empty(), "{ran:?}");
    }
    assert!(place.run(&["--help"]).out.contains("Exit codes: 0 done; 1 failed"));
    let version = place.run(&["--version"]).out;
    assert!(version.starts_with(concat!("acrasin ", env!("CARGO_PKG_VERSION"), "\ncommit ")), "{version}");
}
