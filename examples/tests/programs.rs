//! Every program runs to its end, with its assertions satisfied.

use std::path::Path;
use std::process::Command;

const PROGRAMS: [(&str, &str); 9] = [
    ("00_exact_majority", env!("CARGO_BIN_EXE_00_exact_majority")),
    ("01_lock_unlock", env!("CARGO_BIN_EXE_01_lock_unlock")),
    ("02_your_own_protocol", env!("CARGO_BIN_EXE_02_your_own_protocol")),
    ("03_adversary", env!("CARGO_BIN_EXE_03_adversary")),
    ("04_your_own_scheduler", env!("CARGO_BIN_EXE_04_your_own_scheduler")),
    ("14_your_own_command", env!("CARGO_BIN_EXE_14_your_own_command")),
    ("17_messages_of_a_token", env!("CARGO_BIN_EXE_17_messages_of_a_token")),
    ("21_worked_example_of_a_token", env!("CARGO_BIN_EXE_21_worked_example_of_a_token")),
    ("25_your_own_amoebot_algorithm", env!("CARGO_BIN_EXE_25_your_own_amoebot_algorithm")),
];

/// The page that opens a program: the arguments in the command that it names, and the lines that it shows.
fn opening(name: &str) -> (Vec<String>, Vec<String>) {
    let source =
        std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("{name}.rs"))).unwrap();
    let page = source
        .lines()
        .map_while(|line| line.strip_prefix("//!"))
        .map(|line| line.strip_prefix(' ').unwrap_or(line));
    let page: Vec<&str> = page.collect();
    let start = format!("`cargo run -p acrasin-examples --bin {name}");
    let command = page.iter().find_map(|line| line.strip_prefix(&start)?.split_once('`'));
    let (rest, _) = command.unwrap_or_else(|| panic!("{name} does not say `cargo run …` in one line"));
    let arguments = rest.trim_start_matches(" --").split_whitespace().map(str::to_owned).collect();
    let shown = page.iter().skip_while(|line| **line != "```text").skip(1).take_while(|line| **line != "```");
    (arguments, shown.map(|line| (*line).to_owned()).collect())
}

/// Whether the lines are printed in this order. A line `…` stands for any number of lines.
fn is_printed(shown: &[String], printed: &[&str]) -> bool {
    let Some((first, rest)) = shown.split_first() else { return printed.is_empty() };
    let fits = |line: &&str| first.split_whitespace().eq(line.split_whitespace());
    match printed.split_first() {
        _ if first == "…" => (0..=printed.len()).any(|skipped| is_printed(rest, &printed[skipped..])),
        Some((line, printed)) => fits(line) && is_printed(rest, printed),
        None => false,
    }
}

#[test]
fn every_program_prints_what_its_first_page_shows() {
    for (name, program) in PROGRAMS {
        let (arguments, shown) = opening(name);
        let run = || Command::new(program).args(&arguments).output().unwrap();
        let (first, second) = (run(), run());
        assert!(first.status.success(), "{name}: {}", String::from_utf8_lossy(&first.stderr));
        assert_eq!(first.stdout, second.stdout, "{name} does not repeat");
        let printed = String::from_utf8(first.stdout).unwrap();
        assert!(shown.iter().any(|line| line != "…"), "{name} shows nothing");
        assert!(
            is_printed(&shown, &printed.lines().collect::<Vec<_>>()),
            "{name} shows other lines than:\n{printed}"
        );
    }
    let shown = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
    assert!(is_printed(&shown("…\nb\n…"), &["a", "b", "c"]));
    assert!(
        !is_printed(&shown("b"), &["a"])
            && !is_printed(&shown("a"), &["a", "b"])
            && !is_printed(&shown("…\nb"), &[])
    );
}

/// A program depends on the facade alone, as one outside the workspace does.
#[test]
fn every_program_uses_the_facade_alone() {
    let manifest = include_str!("../Cargo.toml");
    let of = |section: &str| {
        let (_, rest) = manifest.split_once(section).expect(section);
        let lines = rest.lines().take_while(|line| !line.starts_with('['));
        let entries = lines.filter_map(|line| line.split_once([' ', '.'])).map(|(name, _)| name);
        entries.filter(|name| name.starts_with("acrasin")).collect::<Vec<_>>()
    };
    assert_eq!(of("[dependencies]"), ["acrasin"]);
    assert!(of("[dev-dependencies]").is_empty());
}

/// The table of the paper, as in the specification.
#[test]
fn the_worked_example_goes_message_by_message() {
    let ran = Command::new(env!("CARGO_BIN_EXE_21_worked_example_of_a_token")).output().unwrap();
    let lines: Vec<String> = String::from_utf8(ran.stdout).unwrap().lines().map(str::to_owned).collect();
    let messages = [
        "request(8) 8 -> 7",
        "request(8) 7 -> 6",
        "request(6) 6 -> 5",
        "request(5) 5 -> 4",
        "request(5) 4 -> 3",
        "request(3) 3 -> 2",
        "request(3) 2 -> 1",
        "token(nil) 1 -> 3",
        "token(3) 3 -> 5",
        "token(3) 5 -> 6",
        "token(3) 6 -> 8",
        "token(nil) 8 -> 3",
    ];
    let expected = messages.iter().zip(1..).map(|(message, number)| format!("{number} {message}"));
    let end = ["fathers of 1 to 8 at the end: 3, 3, nil, 5, 3, 5, 8, 6", "the token is at 3"];
    let expected: Vec<String> = expected.chain(end.map(str::to_owned)).collect();
    let found: Vec<String> =
        lines.iter().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    assert_eq!(found, expected);
}

#[test]
fn the_pictures_of_messages_are_what_the_program_draws() {
    let folder = tempfile::tempdir().unwrap();
    let names = ["messages-of-a-token.svg", "messages-by-depth.svg"];
    let ran = Command::new(env!("CARGO_BIN_EXE_17_messages_of_a_token"))
        .args(names.map(|name| folder.path().join(name)))
        .output()
        .unwrap();
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    for name in names {
        let kept = Path::new(env!("CARGO_MANIFEST_DIR")).join("pictures").join(name);
        assert!(
            std::fs::read(folder.path().join(name)).unwrap() == std::fs::read(kept).unwrap(),
            "{name}: the program draws another picture"
        );
    }
}

/// A user-defined protocol and graph family are listed, run and checked like the built-in ones.
#[test]
fn a_command_of_ones_own_knows_its_protocol_and_its_graphs() {
    let folder = tempfile::tempdir().unwrap();
    let scenario = "(seed: 1, topology: Ring(nodes: 9), scheduler: Sequential, stop: [OutputsAgree],
        work: Interactions(protocol: Library(name: \"maximum\"), initial: Nodes(states: {\"d\": [4]}, rest: \"a\")))";
    std::fs::write(folder.path().join("a.ron"), scenario).unwrap();
    let says = |program: &str, arguments: &[&str], code: i32| {
        let ran = Command::new(program).args(arguments).current_dir(folder.path()).output().unwrap();
        let text = [ran.stdout, ran.stderr].concat();
        let text = String::from_utf8(text).unwrap();
        assert_eq!(ran.status.code(), Some(code), "{text}");
        text
    };
    let own = env!("CARGO_BIN_EXE_14_your_own_command");
    assert!(says(own, &["list", "protocols"], 0).contains("the later of two letters wins"));
    assert!(says(own, &["run", "a.ron"], 0).contains("all nodes have the same output"));
    let claim =
        ["check", "a.ron", "--inputs", "a,d", "--given", "d > 0", "--eventually", "a = 0", "--up-to", "4"];
    assert!(says(own, &claim, 0).contains("holds"));
    assert!(says(own, &["run", "a.ron", "--set", "work.protocol.name=\"maximun\""], 2).contains("`maximum`"));
    // The user-defined graph family.
    assert!(says(own, &["list", "graphs"], 0).contains("in proportion to degree (nodes, seed)"));
    let on_tree = |nodes: &str| {
        ["run", "a.ron", "--set", "topology=RandomTree(nodes: 8)", "--set", nodes].map(str::to_owned)
    };
    let run = |nodes: &str, code| {
        let arguments = on_tree(nodes);
        says(own, &arguments.each_ref().map(String::as_str), code)
    };
    assert!(run("topology.nodes=12", 0).contains("all nodes have the same output"));
    assert!(run("topology.nodes=1", 2).contains("a random tree graph with nodes = 1"));
    let hint = run("topology.node=12", 2);
    assert!(hint.contains("did you mean `nodes`?") && hint.contains("nodes, seed"), "{hint}");
}

/// A user-defined amoebot algorithm is listed, run and checked like the built-in ones.
#[test]
fn a_command_of_ones_own_knows_its_amoebot_algorithm() {
    let folder = tempfile::tempdir().unwrap();
    let scenario = "(seed: 1, amoebots: (algorithm: Wake, start: Hexagon(count: 37)))";
    std::fs::write(folder.path().join("wake.ron"), scenario).unwrap();
    let says = |arguments: &[&str]| {
        let own = env!("CARGO_BIN_EXE_25_your_own_amoebot_algorithm");
        let ran = Command::new(own).args(arguments).current_dir(folder.path()).output().unwrap();
        assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
        String::from_utf8([ran.stdout, ran.stderr].concat()).unwrap()
    };
    assert!(says(&["list", "amoebots"]).contains("all wake up, and count their hops from the seed"));
    // In waves of a hexagon the measure of the description is at least the radius.
    let record = says(&["run", "wake.ron", "--set", "execution=Waves"]);
    let hops = record.lines().find_map(|line| line.trim().strip_prefix("hops ")).expect(&record);
    assert!(hops.trim().parse::<u32>().is_ok_and(|hops| hops >= 3), "{record}");
    let checked = says(&["check", "wake.ron", "--set", "amoebots.start=AllConnected(count: 3)"]);
    assert!(
        checked.contains("holds: under every sequential schedule every run ends in the goal"),
        "{checked}"
    );
}

#[test]
fn every_program_of_the_folder_is_run() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let sources = files.filter(|path| path.extension().is_some_and(|extension| extension == "rs"));
    let mut found: Vec<String> =
        sources.map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned()).collect();
    found.sort();
    assert_eq!(found, PROGRAMS.map(|(name, _)| name));
}
