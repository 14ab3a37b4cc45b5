//! Tests of graph files in scenarios: directions, weights, names of nodes, and notes.

use acrasin_scenario::Runnable as _;
use std::path::Path;

use acrasin_report::record::Exit;
use acrasin_scenario::{Catalogue, Document, DocumentError, Finished, Job, Plan, UniformPlan, Unwatched};

use crate::support::{self, digest, ended, marked_in, number, try_plan_in};

/// A folder with one file.
fn folder(name: &str, text: impl AsRef<[u8]>) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join(name), text).unwrap();
    folder
}

fn try_plan(text: &str, base: &Path) -> Result<UniformPlan, DocumentError> {
    let document = Document::parse(text, "graph.ron").unwrap_or_else(|error| panic!("{error}"));
    UniformPlan::within(&Catalogue::shipped(), &document, base, 1 << 30)
}

fn run(plan: &UniformPlan, seed: u64) -> Finished {
    plan.run(&Job { seed, repetition: 0, watch: &Unwatched, record: None }).unwrap()
}

/// A protocol in which the initiator infects the responder and recovers permanently.
fn relay(file: &str, scheduler: &str, infected: &str) -> String {
    format!(
        "(topology: File(path: \"{file}\"), scheduler: UniformPairs({scheduler}), stop: [Silent], work: Interactions(protocol: \
         Table(states: [\"I\", \"R\", \"S\"], rules: [Ordered(\"I + S -> R + I\")], default: Null), \
         initial: Nodes(states: {{\"I\": [{infected}]}}, rest: \"S\")))"
    )
}

/// The path 3 -> 1 -> 2 in every format with directions, and the names of its nodes in that format.
const ONE_WAY: [(&str, &str, [&str; 3]); 11] = [
    ("g.dot", "digraph { 3 -> 1 -> 2 }", ["3", "1", "2"]),
    ("g.gv", "strict digraph { 2 -> 1 [dir=back]; 3 -> 1; 3 -> 1 }", ["3", "1", "2"]),
    ("g.dot", "graph { edge [dir=forward] 3 -- 1; 2 -- 1 [dir=\"back\"] }", ["3", "1", "2"]),
    ("g.csv", "Source,Target,Type,Id\n3,1,Directed,0\n1,2,directed,1\n", ["3", "1", "2"]),
    ("g.mtx", "%%MatrixMarket matrix coordinate pattern general\n3 3 2\n3 1\n1 2\n", ["3", "1", "2"]),
    ("g.mtx", "%%MatrixMarket matrix coordinate real general\n3 3 2\n1 2 -1\n3 1 5\n", ["3", "1", "2"]),
    // The rows 010, 000, 100 are the arcs 0 -> 1 and 2 -> 0.
    ("g.d6", "&BO_\n", ["2", "0", "1"]),
    ("g.txt", "3 1\n1 2\n", ["3", "1", "2"]),
    ("g.csv", "Source,Target\r3,1\r1,2\r", ["3", "1", "2"]),
    (
        "g.csv",
        "\u{feff}\"Target\";\"Source\"\r\n\"b\";\"c d\"\r\n\"a\";\"b\"\r\n",
        ["\"c d\"", "\"b\"", "\"a\""],
    ),
    ("g.tsv", "node b\tnode c\nnode c\tnode a\n", ["\"node b\"", "\"node c\"", "\"node a\""]),
];

/// Regression: with `Forward`, `digraph { 1 -> 0 }` let 0 initiate, because the reader had sorted the ends.
#[test]
fn edges_lead_where_the_file_says() {
    for (name, text, [first, middle, last]) in ONE_WAY {
        let folder = folder(name, text);
        let recovered = |direction: &str, infected: &str| {
            let plan = try_plan(&relay(name, direction, infected), folder.path());
            let plan = plan.unwrap_or_else(|error| panic!("{text}: {error}"));
            let finished = run(&plan, 1);
            assert_eq!(ended(&finished), ("silent", Exit::Done));
            number(&finished, "states.R")
        };
        let along = [first, middle, last].map(|node| recovered("direction: Forward", node));
        assert_eq!(along, [2, 1, 0], "{text}");
        let back = [first, middle, last].map(|node| recovered("direction: Backward", node));
        assert_eq!(back, [0, 1, 2], "{text}");
        let product = recovered("weights: DegreeProduct, direction: Forward", first);
        assert_eq!((product, recovered("", first), recovered("", last)), (2, 2, 2), "{text}");
    }
}

/// An undirected edge is used in both directions.
#[test]
fn undirected_files_have_both_directions() {
    for (name, text, [first, last]) in [
        ("g.dot", "graph { 2 -- 1; 3 -- 2 }", ["1", "3"]),
        ("g.mtx", "%%MatrixMarket matrix coordinate pattern symmetric\n3 3 2\n2 1\n3 2\n", ["1", "3"]),
        ("g.graph", "3 2\n2\n1 3\n2\n", ["1", "3"]),
        ("g.g6", "Bg\n", ["0", "2"]),
    ] {
        let folder = folder(name, text);
        for (direction, infected) in
            [("Forward", first), ("Forward", last), ("Backward", first), ("Backward", last)]
        {
            let plan = try_plan(&relay(name, &format!("direction: {direction}"), infected), folder.path());
            let plan = plan.unwrap_or_else(|error| panic!("{text}: {error}"));
            assert_eq!(number(&run(&plan, 1), "states.R"), 2, "{text}");
            assert_eq!(
                plan.header().notes.as_slice(),
                [format!("{name}: its edges have no direction: each is used in both")]
            );
        }
    }
}

/// The share of runs in which a initiates first.
fn share_of_a(name: &str, text: &str, scheduler: &str) -> (f64, Vec<String>) {
    let folder = folder(name, text);
    let scenario = format!(
        "(topology: File(path: \"{name}\"), scheduler: UniformPairs({scheduler}), stop: [Interactions(1)], work: Interactions(\
         protocol: Table(states: [\"A\", \"B\", \"X\", \"Y\"], rules: [Ordered(\"A + B -> X + B\"), Ordered(\"B + A -> Y + A\")], \
         default: Null), initial: Nodes(states: {{\"A\": [\"a\"]}}, rest: \"B\")))"
    );
    let plan = try_plan(&scenario, folder.path()).unwrap_or_else(|error| panic!("{text}: {error}"));
    let of_a = (0..RUNS).filter(|&seed| number(&run(&plan, seed), "states.X") == 1).count();
    (of_a as f64 / RUNS as f64, plan.header().notes.as_slice().to_vec())
}

const RUNS: u64 = 4000;

/// Regression: `a -> b` and `b -> a` were merged to one edge, and so were parallel edges.
#[test]
fn edges_count_as_they_are_listed() {
    for (name, text, scheduler, share, note) in [
        (
            "g.dot",
            "digraph { a -> b -> a; a -> b }",
            "direction: Forward",
            2.0 / 3.0,
            "1 edge repeats an earlier one; each counts",
        ),
        (
            "g.dot",
            "digraph { a -> b -> a; a -> b }",
            "direction: Backward",
            1.0 / 3.0,
            "1 edge repeats an earlier one; each counts",
        ),
        ("g.dot", "strict digraph { a -> b -> a; a -> b }", "direction: Forward", 0.5, ""),
        (
            "g.txt",
            "a b\nb a\na b\na b\n",
            "direction: Forward",
            0.75,
            "2 edges repeat an earlier one; each counts",
        ),
        ("g.txt", "a b 0.1\nb a 0.3\n", "weights: Column, direction: Forward", 0.25, ""),
        ("g.csv", "a;b;2.5e-1\nb;a;0.75\n", "weights: Column, direction: Backward", 0.75, ""),
        (
            "g.txt",
            "a b 1\na b 2\nb a 1\n",
            "weights: Column, direction: Forward",
            0.75,
            "1 edge repeats an earlier one; their weights add up",
        ),
        (
            "g.txt",
            "a b 1\na b 2\n",
            "weights: Column",
            0.5,
            "1 edge repeats an earlier one; their weights add up",
        ),
        (
            "g.dot",
            "digraph { a -> b [weight=0.2]; b -> a [weight=0.8] }",
            "weights: Column, direction: Forward",
            0.2,
            "",
        ),
        ("g.dot", "digraph { a -> b [label=x]; b -> a }", "", 0.5, "attributes of edges are ignored"),
    ] {
        let (found, notes) = share_of_a(name, text, scheduler);
        let deviation = (share * (1.0 - share) / RUNS as f64).sqrt();
        assert!((found - share).abs() < 5.0 * deviation, "{text} {scheduler}: {found} is not {share}");
        let said = notes.iter().any(|said| *said == format!("{name}: {note}"));
        assert!(if note.is_empty() { notes.is_empty() } else { said }, "{text} {scheduler}: {notes:?}");
    }
}

/// Regression: notes called weights ignored although they were used, and edges counted once although they added up.
#[test]
fn notes_are_true_of_the_law() {
    let folder = folder("g.csv", "from,to,weight,since\n1,2,0.5,1999\n2,1,2,2001\n2,2,1,2002\n2,3,1,2003\n");
    let notes = |scheduler: &str| {
        let plan = try_plan(&relay("g.csv", scheduler, "1"), folder.path());
        plan.unwrap_or_else(|error| panic!("{error}")).header().notes.as_slice().to_vec()
    };
    let say = |sentences: &[&str]| sentences.iter().map(|said| format!("g.csv: {said}")).collect::<Vec<_>>();
    let (header, own) =
        ("line 1 is read as the names of the columns", "1 edge from a node to itself is left out");
    let others = "the other columns are ignored";
    assert_eq!(notes("weights: Column, direction: Forward"), say(&[header, own, others]));
    let repeated = "1 edge repeats an earlier one; their weights add up";
    assert_eq!(notes("weights: Column"), say(&[header, own, others, repeated]));
    let merged = "1 edge is listed more than once and counts once";
    assert_eq!(notes(""), say(&[header, own, others, merged]));
    assert_eq!(notes("weights: DegreeProduct"), say(&[header, own, others, merged]));
    assert_eq!(notes("direction: Forward"), say(&[header, own, others]));
}

/// Regression: `[1]` was the second node, not the one with the name 1 in the file.
#[test]
fn nodes_are_called_as_the_file_calls_them() {
    let forward = |file: &str, infected: &str| relay(file, "direction: Forward", infected);
    let path = folder("g.txt", "1 2\n2 3\n3 4\n");
    let recovered = |infected: &str| {
        let plan =
            try_plan(&forward("g.txt", infected), path.path()).unwrap_or_else(|error| panic!("{error}"));
        number(&run(&plan, 1), "states.R")
    };
    assert_eq!(["1", "2", "3", "4", "\"1\""].map(recovered), [3, 2, 1, 0, 3]);
    let refused = |base: &Path, text: &str| try_plan(text, base).map(|_| ()).unwrap_err();
    // A list that mixes names with other numbers is ambiguous. If none of the numbers is a name, they count nodes from
    // 0.
    let error = refused(path.path(), &forward("g.txt", "0, 1"));
    assert_eq!(error.message(), "the graph file has no node `0`");
    assert_eq!(error.accepted(), Some("a name in the graph file: `1`, `2`, `3`, `4`"));
    let counted = try_plan(&forward("g.txt", "0"), path.path()).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(number(&run(&counted, 1), "states.R"), 3);
    assert_eq!(
        counted.header().notes.as_slice(),
        ["the graph file has no node 0: numbers of nodes count from 0, and 0 is the node with the name `1`"]
    );
    let error = refused(
        path.path(),
        &forward("g.txt", "1, \"01\"").replace("{\"I\": [1, \"01\"]}", "{\"I\": [1], \"R\": [1]}"),
    );
    assert_eq!(error.message(), "node 1 is given two states");

    // Leading zeros are part of a name. If no name is a number, nodes can be counted.
    let zeros = folder("g.txt", "01 1\n1 10\n");
    let of = |infected: &str| {
        let plan =
            try_plan(&forward("g.txt", infected), zeros.path()).unwrap_or_else(|error| panic!("{error}"));
        number(&run(&plan, 1), "states.R")
    };
    assert_eq!(["\"01\"", "1", "10"].map(of), [2, 1, 0]);
    let words = folder("g.txt", "anna bob\nbob carl\n");
    let of = |infected: &str| {
        let plan =
            try_plan(&forward("g.txt", infected), words.path()).unwrap_or_else(|error| panic!("{error}"));
        number(&run(&plan, 1), "states.R")
    };
    assert_eq!(["\"anna\"", "\"bob\"", "\"carl\"", "0", "2"].map(of), [2, 1, 0, 2, 0]);
    let error = refused(words.path(), &forward("g.txt", "\"ana\""));
    assert!(error.to_string().contains("did you mean `anna`"), "{error}");

    // The same holds for scenarios with locks.
    let locks =
        "(topology: File(path: \"g.txt\"), scheduler: Sequential, work: Locks(each: 1, callers: [4, 0]))";
    let error = try_plan_in(locks, path.path()).map(|_| ()).unwrap_err();
    assert_eq!(error.message(), "the graph file has no node `0`");
    let plan = try_plan_in(&locks.replace("[4, 0]", "[4, \"1\"]"), path.path())
        .unwrap_or_else(|error| panic!("{error}"));
    assert!(plan.header().parameters.clone().contains(&("nodes that lock".to_owned(), "2".to_owned())));
}

/// Regression: contacts that begin or end within a step were extended to the whole step without a note. Other notes
/// were given although nothing was left out.
#[test]
fn notes_of_contacts_are_true() {
    let notes = |text: &str, options: &str| {
        let folder = folder("g.tsv", text);
        let scenario = format!(
            "(topology: Contacts(path: \"g.tsv\", format: Instants(resolution: 20), rounds_per_step: 1, {options}), \
             scheduler: UniformPairs, stop: [TraceEnd], work: Interactions(protocol: Library(name: \"two-way-epidemic\"), \
             initial: Nodes(states: {{\"I\": [1]}}, rest: \"S\")))"
        );
        let plan = try_plan(&scenario, folder.path()).unwrap_or_else(|error| panic!("{error}"));
        plan.header().notes.as_slice().to_vec()
    };
    let lenient = "duplicates: Merge, self_contacts: Drop";
    assert!(notes("20 1 2\n40 1 2\n80 2 3\n", lenient).is_empty());
    assert_eq!(notes("20 1 2\n50 1 2\n80 2 3\n", ""), {
        [
            "g.tsv: 1 contact begins or ends inside a step of 20 s (for example at 30 s) and is extended to the whole step",
        ]
    });
    assert_eq!(
        notes("20 1 2\n20 2 1\n40 3 3\n40 2 3\n", lenient),
        [
            "g.tsv: 1 contact of a node with itself is left out",
            "g.tsv: 1 line overlaps an earlier line of the same pair; overlapping lines are merged into one contact",
        ]
    );
}

/// Regression: a scenario in Latin-1 was called binary.
#[test]
fn latin_1_is_named() {
    let folder = folder("g.txt", b"a b\nb Andr\xe9\n");
    let error = try_plan(&relay("g.txt", "", "\"a\""), folder.path()).map(|_| ()).unwrap_err();
    let message = "g.txt:2: byte 10 is 0xE9, not UTF-8: the file is likely Latin-1, where it is `é`";
    assert!(error.message().ends_with(message), "{error}");
    let error = Document::parse_bytes(b"(seed: 4,\n title: \"Caf\xe9\")", "bad.ron", &[]).unwrap_err();
    assert_eq!((error.line(), error.column()), (Some(2), Some(13)), "{error}");
    assert!(error.message().contains("likely Latin-1, where it is `é`"), "{error}");
}

/// Regression: only initial states and callers used names. `Starve(node: 1)` was the second node of a file whose first
/// node is called 1.
#[test]
fn every_field_that_names_a_node_takes_the_name_of_the_file() {
    const ON_PATHS: &[&str] = &[
        "scheduler: Sequential(adversary: Starve(node: {b}))",
        "scheduler: SemiSynchronous(activation: Adversary(Starve(node: {c})))",
        "scheduler: Asynchronous(adversary: Starve(node: {a}))",
        "exclusion: TokenTree(root: {c})",
        "exclusion: TokenTree(fathers: [{b}, {b}, {b}])",
        "exclusion: CriticalSections(mosts: [2, 3, 2], inside: [{b}])",
        "exclusion: CriticalSections(bounds: \"b.csv\", inside: [{b}])",
        "work: Locks(each: 3, callers: [{c}])",
    ];
    const ON_TRIANGLES: &[&str] = &[
        "exclusion: TokenTree(proxies: [{b}])",
        "exclusion: CriticalSections(scheme: Leader, most: 3, leader: {b})",
        "exclusion: TokenTree(behaviour: Topology, root: {c}, links: [{c}, {a}, {b}, {c}])",
    ];
    for (file, graph, family, names, fields) in [
        ("g.csv", "\"a\",\"b c\"\n\"b c\",d\n", "Path(nodes: 3)", ["a", "b c", "d"], ON_PATHS),
        ("g.txt", "10 20\n20 30\n", "Path(nodes: 3)", ["10", "20", "30"], ON_PATHS),
        ("g.txt", "1 2\n2 3\n", "Path(nodes: 3)", ["1", "2", "3"], ON_PATHS),
        ("g.gv", "graph { z -- y -- x -- z }", "Complete(nodes: 3)", ["x", "y", "z"], ON_TRIANGLES),
    ] {
        let folder = folder(file, graph);
        for field in fields {
            let with = |topology: &str, names: [&str; 3]| {
                let [a, b, c] = names.map(|name| match name.parse::<u32>() {
                    Ok(_) => name.to_owned(),
                    Err(_) => format!("{name:?}"),
                });
                std::fs::write(folder.path().join("b.csv"), format!("{a},0,2\n{b} 0 3\n{c}\t0, 2\n"))
                    .unwrap();
                let field = field.replace("{a}", &a).replace("{b}", &b).replace("{c}", &c);
                let of = |word: &str, default: &'static str| if field.contains(word) { "" } else { default };
                let (scheduler, work) =
                    (of("scheduler", "scheduler: Sequential, "), of("work", "work: Locks(each: 3), "));
                let text = format!("(topology: {topology}, {scheduler}{work}{field})");
                let plan =
                    try_plan_in(&text, folder.path()).unwrap_or_else(|error| panic!("{field}: {error}"));
                let finished = support::run(&plan, 7);
                (digest(&finished), ended(&finished).0.to_owned())
            };
            let named = with(&format!("File(path: \"{file}\")"), names);
            assert_eq!(named, with(family, ["0", "1", "2"]), "{field} in {graph}");
        }
    }
}

#[test]
fn nodes_that_a_graph_does_not_have_are_refused_in_every_field() {
    let folder = folder("g.csv", "alice,bob\nbob,carol\n");
    let base = folder.path();
    let starve = |topology: &str, node: &str| {
        format!(
            "(topology: {topology}, scheduler: Sequential(adversary: Starve(node: «{node}»)), work: Locks(each: 1))"
        )
    };
    let file = "File(path: \"g.csv\")";
    let error = marked_in(&starve(file, "\"alcie\""), base);
    assert_eq!(
        (error.message(), error.accepted(), error.hint()),
        (
            "the graph file has no node `alcie`",
            Some("a name in the graph file: `alice`, `bob`, `carol`"),
            Some("did you mean `alice`?")
        )
    );
    let error = marked_in(&starve("Path(nodes: 3)", "\"alice\""), base);
    assert_eq!((error.message(), error.accepted()), ("there is no node `alice`", Some("0 to 2")));
    // Numbers that are not names count from 0, except in lists with names.
    let plan = try_plan_in(&starve(file, "1").replace(['«', '»'], ""), base).unwrap();
    let said = plan.header().parameters.clone().into_iter().find(|(name, _)| name == "scheduler").unwrap().1;
    assert_eq!(said, "sequential, starves node 1 (`bob` in its file)");
    let fathers = "exclusion: TokenTree(fathers: [\"bob\", «1», \"bob\"])";
    let text = format!("(topology: {file}, scheduler: Sequential, work: Locks(each: 1), {fathers})");
    assert_eq!(marked_in(&text, base).message(), "the graph file has no node `1`");
    let bounds = "exclusion: CriticalSections(bounds: «\"b.csv\"»)";
    let text = format!("(topology: {file}, scheduler: Sequential, work: Locks(each: 1), {bounds})");
    std::fs::write(base.join("b.csv"), "alice 0 2\n# x\ndave 0 3\n").unwrap();
    let error = marked_in(&text, base);
    assert_eq!(error.message(), "b.csv:3: the graph file has no node `dave`");
    // A number in a file whose names are numbers from 1.
    std::fs::write(base.join("g.csv"), "1,2\n2,3\n").unwrap();
    let plan = try_plan_in(&starve(file, "0").replace(['«', '»'], ""), base).unwrap();
    assert_eq!(
        plan.header().notes.as_slice(),
        ["the graph file has no node 0: numbers of nodes count from 0, and 0 is the node with the name `1`"]
    );
    // Regression: there was no note for names above the number of nodes.
    std::fs::write(base.join("g.dot"), "digraph { 10 -> 20; 20 -> 30 }").unwrap();
    for (infected, note) in [
        (
            "1",
            &["the graph file has no node 1: numbers of nodes count from 0, and 1 is the node with \
             the name `20`"][..],
        ),
        ("20", &[]),
    ] {
        let plan = try_plan(&relay("g.dot", "direction: Forward", infected), base)
            .unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(plan.header().notes.as_slice(), note);
    }
}

/// Regression: refusals of the lock layer used only the numbers of nodes.
#[test]
fn refusals_of_the_lock_layer_name_nodes_as_their_file_does() {
    let folder = folder("star.edges", "hub x\nhub y\n");
    for (exclusion, message) in [
        (
            "TokenTree(behaviour: Raymond, fathers: [\"hub\", \"hub\", \"x\"])",
            "node 2 (`y` in its file) and its father 1 (`x` in its file) in the tree are not adjacent",
        ),
        ("CriticalSections(scheme: Home, most: 0)", "node 0 (`hub` in its file), with bounds "),
        (
            "CriticalSections(scheme: Home, mosts: [1, 1])",
            "2 bounds for 3 nodes: none for node 2 (`y` in its file)",
        ),
        (
            "CriticalSections(scheme: Home, most: 1, inside: [\"y\", \"y\"])",
            "node 2 (`y` in its file) is listed twice",
        ),
    ] {
        let text = format!(
            "(topology: File(path: \"star.edges\"), scheduler: Sequential, exclusion: {exclusion}, stop: [Rounds(3)], \
             work: Locks(each: 1))"
        );
        let plan =
            Document::parse(&text, "graph.ron").and_then(|document| Plan::new(&document, folder.path()));
        let error = plan.map(|_| ()).unwrap_err();
        assert!(error.message().contains(message), "{exclusion}: {error}");
    }
}
