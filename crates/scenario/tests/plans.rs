//! Tests of valid and invalid combinations of fields, and of the messages for them.

use crate::support::{marked_in, plan, plan_in};
use acrasin_scenario::DocumentError;
use acrasin_scenario::Runnable as _;
use acrasin_scenario::limits::MEMORY_BYTES;

/// A scenario with some of its fields replaced or added.
fn with(fields: &str) -> String {
    let mut text = String::from("(\n");
    let defaults = [
        "topology: Ring(nodes: 6)",
        "scheduler: Sequential",
        r#"work: Interactions(protocol: Library(name: "approximate-majority"), initial: Counts({"A": 4, "B": 2}))"#,
        "stop: [Rounds(10)]",
    ];
    let written = |name: &str| {
        let bare = fields.replace(['«', '»'], "");
        bare.lines().any(|line| line.trim_start().starts_with(&format!("{name}:")))
    };
    for default in defaults {
        if !written(default.split(':').next().unwrap()) {
            text += &format!("    {default},\n");
        }
    }
    text + fields + "\n)\n"
}

#[track_caller]
fn refused(fields: &str, message: &str, accepted: &str, hint: Option<&str>) -> DocumentError {
    let error = marked_in(&with(fields), ".".as_ref());
    assert_eq!((error.message(), error.hint()), (message, hint), "{error}");
    assert!(error.accepted().unwrap_or("").contains(accepted), "{error}");
    error
}

fn table(rest: &str) -> String {
    format!(
        r#"work: Interactions(
            protocol: Table(states: ["A", "B", "U"], {rest}),
            initial: All("U"),
        )"#
    )
}

#[test]
fn initial_states() {
    let start = |initial: &str| {
        format!(r#"work: Interactions(protocol: Library(name: "approximate-majority"), initial: {initial})"#)
    };
    refused(
        &start(r#"«Counts»({"A": 4, "B": 3})"#),
        "the counts add up to 7, but there are 6 nodes",
        "counts that add up to 6",
        None,
    );
    refused(
        &start(r#"«Shares»({"A": 0.6, "B": 0.3})"#),
        "the shares add up to 0.8999999999999999",
        "add up to 1",
        None,
    );
    let hint = Some("did you mean `A`?");
    refused(&start(r#"Counts({"B": 2, «"a"»: 4})"#), "unknown state `a`", "A, B, U", hint);
    refused(&start(r#"All(«"Q"»)"#), "unknown state `Q`", "A, B, U", None);
    refused(&start(r#"Nodes(states: {"A": [0, «6»]}, rest: "B")"#), "there is no node 6", "0 to 5", None);
    refused(
        &start(r#"Nodes(states: {"A": [0]}, rest: «"b"»)"#),
        "unknown state `b`",
        "A, B, U",
        Some("did you mean `B`?"),
    );
    refused(
        &start(r#"Nodes(states: {"A": [0, 1], "B": [2, «1»]}, rest: "U")"#),
        "node 1 is given two states",
        "each node once",
        None,
    );
    refused(&start("Shares({\"A\": 1.0, «\"X\"»: 0.0})"), "unknown state `X`", "A, B, U", None);
    let shared = plan(&with(&start(r#"Shares({"A": 0.6, "B": 0.4})"#)));
    assert!(shared.header().parameters.clone().contains(&("start".into(), "A 4, B 2".into())));
}

#[test]
fn library_protocols() {
    let library = |protocol: &str| format!(r#"work: Interactions(protocol: {protocol}, initial: All("A"))"#);
    refused(
        &library("Library(name: «\"aproximate-majority\"»)"),
        "the library has no protocol `aproximate-majority`",
        "one-way-epidemic, two-way-epidemic",
        Some("did you mean `approximate-majority`?"),
    );
    refused(
        &library("Library(name: \"averaging\", parameters: {«\"mm\"»: 3})"),
        "averaging has no parameter `mm`",
        "m",
        Some("did you mean `m`?"),
    );
    refused(
        &library("Library(name: \"averaging\", parameters: {\"m\": «0»})"),
        "averaging: the parameter `m` is 0",
        "1 to ",
        None,
    );
    refused(
        &library("Library(name: \"averaging\", parameters: {\"m\": «\"five\"»})"),
        "the parameter `m` of averaging is a whole number",
        "1 to ",
        None,
    );
    refused(
        &library("Library(name: \"fratricide\", parameters: {«\"m\"»: 5})"),
        "fratricide has no parameter `m`",
        "fratricide takes no parameters",
        None,
    );
}

#[test]
fn tables() {
    let error =
        marked_in(&with(&table(r#"rules: [Symmetric("A + «X» -> U + U")], default: Null"#)), ".".as_ref());
    assert!(error.message().contains("rule 1") && error.message().contains("`X`"), "{error}");
    assert_eq!(error.accepted(), Some("A, B, U"));
    let cases = [
        (r#"rules: [OneWay("A + B -> «B» + B")], default: Null"#, "keeps the initiator"),
        (r#"outputs: {"A": «"a b"»}, rules: [], default: Null"#, "white space"),
        (r#"rules: [Ordered("A + B -> U«»")], default: Null"#, "`+` is missing here, the text ends"),
        (r#"rules: [Ordered("A + B -> A + A"), Ordered("«A + B -> B + B»")], default: Null"#, "rule 2"),
        (r#"rules: [Randomised("«A + B»", [(1, "A + A"), (0, "B + B")])], default: Null"#, "weight"),
        (r#"rules: [Randomised("A + B", [(1, "A + A"), (1, "B + «Q»")])], default: Null"#, "`Q`"),
        (r#"rules: «[»Symmetric("A + B -> U + U")]"#, "pairs"),
        (r#"outputs: {«"Q"»: "q"}, rules: [], default: Null"#, "`Q`"),
    ];
    for (rest, words) in cases {
        let error = marked_in(&with(&table(rest)), ".".as_ref());
        assert!(error.message().contains(words), "{error}");
    }
    let twice = with(
        r#"work: Interactions(
        protocol: Table(states: ["A", «"A"»], rules: [], default: Null), initial: All("A"))"#,
    );
    let error = marked_in(&twice, ".".as_ref());
    assert!(error.message().contains("same name `A`"), "{error}");
}

#[test]
fn claims_of_conservation() {
    let kept =
        table(r#"rules: [Symmetric("A + B -> U + U")], default: Null, conserved: [{"A": 1, "B": -1}]"#)
            .replace(r#"All("U")"#, r#"Counts({"A": 3, "B": 3})"#);
    plan(&with(&kept));
    let broken = kept.replace(r#"[{"A": 1, "B": -1}]"#, r#"[{"A": 1, "B": -1}, «{»"A": 1}]"#);
    refused(
        &broken,
        "A + B -> U + U changes the quantity from 1 to 0, so it is not conserved",
        "the effective table",
        None,
    );
    refused(&kept.replace(r#""B": -1}"#, r#"«"C"»: -1}"#), "unknown state `C`", "A, B, U", None);
    // Only reachable states count.
    plan(&with(&broken.replace(['«', '»'], "").replace(r#"Counts({"A": 3, "B": 3})"#, r#"All("A")"#)));
    // A group that takes the maximum conserves only the number of agents.
    let grouped =
        kept.replace("conserved:", "group: Maximum, conserved:").replace("initial:", "way: Group, initial:");
    refused(
        &grouped.replace(r#"[{"A": 1, "B": -1}]"#, r#"[«{»"A": 1, "B": -1}]"#),
        "a group of A and B becomes B and B, so the sum is not conserved",
        "weights",
        None,
    );
    plan(&with(&grouped.replace(r#"{"A": 1, "B": -1}"#, r#"{"A": 2, "B": 2}"#)));
    let mean = grouped
        .replace("Maximum", "Mean")
        .replace(r#"Counts({"A": 3, "B": 3})"#, r#"Counts({"A": 3, "U": 3})"#);
    plan(&with(&mean.replace(r#"{"A": 1, "B": -1}"#, r#"{"A": 2, "B": 1}"#)));
    refused(
        &mean.replace(r#"[{"A": 1, "B": -1}]"#, r#"[«{»"A": 2, "B": 2}]"#),
        "a group of A and U becomes B and B, so the sum is not conserved",
        "weights",
        None,
    );
}

#[test]
fn locks() {
    let way = |way: &str| {
        format!(
            r#"work: Interactions(protocol: Library(name: "approximate-majority"), way: {way}, initial: All("A"))"#
        )
    };
    refused(
        &format!("{},\nlock: (lock_set: «Pair»)", way("Group")),
        "the lock set Pair contradicts the way Group of the interactions",
        "PickedPair locks a pair",
        None,
    );
    refused(
        &format!("{},\nlock: (lock_set: «Neighbourhood»)", way("PickedPair")),
        "the lock set Neighbourhood contradicts the way PickedPair of the interactions",
        "Auto or Pair",
        None,
    );
    let picked = plan(&with(&way("PickedPair")));
    assert!(picked.header().parameters.clone().contains(&("lock set".into(), "pair".into())));
    refused("lock: (priorities: «5_000_000_000»)", "5000000000 priorities", "2 to 4294967295", None);
    let few =
        plan(&with("topology: Torus(rows: 4, columns: 4),\nwork: Locks(each: 1),\nlock: (priorities: 2)"));
    assert!(
        few.header()
            .notes
            .as_slice()
            .iter()
            .any(|note| note.contains("2 priorities") && note.contains("16 contenders")),
        "{:?}",
        few.header().notes.as_slice()
    );
    let enough = plan(
        &with("work: Locks(each: 1),\nlock: (priorities: 2)\n, ports: 2")
            .replace("Ring(nodes: 6)", "Path(nodes: 2)"),
    );
    assert_eq!(enough.header().notes.as_slice(), [""; 0]);
}

#[test]
fn ports() {
    refused(
        "topology: Star(nodes: 6),\nports: «4»",
        "node 0 has 5 neighbours but only 4 ports",
        "Auto, or at least 5",
        None,
    );
    plan(&with("topology: Star(nodes: 6),\nports: 5"));
    refused("ports: «65_536»", "65536 ports", "1 to 65535", None);
}

#[test]
fn schedulers() {
    refused("scheduler: Sequential(adversary: Starve(node: «6»))", "there is no node 6", "0 to 5", None);
    refused(
        "scheduler: SemiSynchronous(activation: Adversary(Starve(node: «9»)))",
        "there is no node 9",
        "0 to 5",
        None,
    );
    refused(
        "scheduler: SemiSynchronous(activation: Adversary(«RandomPriorities»(changes: 3)))",
        "RandomPriorities chooses one node at a time, but a round needs a set of nodes",
        "NewestFirst or Starve",
        None,
    );
    refused(
        "scheduler: SemiSynchronous(activation: «Random»(0.0))",
        "with probability 0 no node ever acts",
        "above 0",
        None,
    );
    refused("fairness: «Within»(0)", "a bound of 0 turns", "Within(1)", None);
    refused(
        "scheduler: Sequential(adversary: NewestFirst),\nfairness: «Unbounded»",
        "an adversary without a bound may never let a node act",
        "Within(turns)",
        None,
    );
    refused("disturbances: [Swizzle(links: 1, every: «0»)]", "a swizzle every 0 rounds", "1 or more", None);
    let bound = |fields: &str| {
        let plan = plan(&with(fields));
        plan.header().parameters.clone().into_iter().find(|(name, _)| name == "fairness").unwrap().1
    };
    // 4 (4 n + 2 m) turns of one step, or 4 (4 + 2 Δ) rounds.
    assert_eq!(bound("scheduler: Sequential(adversary: NewestFirst)"), "within 144 turns");
    assert_eq!(bound("scheduler: SemiSynchronous(activation: Adversary(NewestFirst))"), "within 32 turns");
    assert_eq!(bound("scheduler: SemiSynchronous(activation: All)"), "with probability 1");
    assert_eq!(bound("fairness: Within(77)"), "within 77 turns");
}

#[test]
fn work_and_its_callers() {
    refused("work: Locks(each: 1, callers: [0, «6»])", "there is no node 6", "0 to 5", None);
    refused("work: Locks(each: 1, callers: [2, «2»])", "node 2 is listed twice", "each caller once", None);
    refused("work: Locks(each: «5e9»)", "5000000000 Locks each", "0 to 4294967295", None);
}

#[test]
fn stop_conditions() {
    refused(
        "stop: [Rounds(5), Counts(\"A == 0 && «a» > 2\")]",
        "unknown state or output `a`",
        "A, B, U",
        Some("did you mean `A`?"),
    );
    refused("stop: [«TraceEnd»]", "this topology has no trace that could end", "Contacts or Mobility", None);
    for stop in ["«Silent»", "«OutputsAgree»", "«Interactions»(5)", "«Counts»(\"n > 1\")"] {
        let message = "this condition needs states of agents, but no protocol runs here";
        refused(&format!("work: Idle,\nstop: [{stop}]"), message, "work: Interactions", None);
    }
    refused(
        "work: Locks(each: 1),\nlimits: (interactions: «5»)",
        "no interactions happen, because no protocol runs",
        "rounds, steps",
        None,
    );
    refused("observe: (counts_every: «Rounds»(0))", "a distance of 0 between two samples", "1 or more", None);
    refused(
        "work: Idle,\nobserve: (counts_every: «Rounds»(1))",
        "there are no states to count, because no protocol runs",
        "Interactions",
        None,
    );
}

#[test]
fn a_run_without_an_end() {
    let endless = |text: String| text.replacen("(\n", "«(»\n", 1);
    for work in [
        "work: Locks(each: Forever),\nstop: []",
        "stop: []",
        "work: Idle,\ndisturbances: [Churn(rate: 0.1)],\nstop: []",
    ] {
        let error = marked_in(&endless(with(work)), ".".as_ref());
        assert_eq!(error.message(), "the run has no end: neither a stop condition nor a limit is given");
        assert!(error.accepted().unwrap().contains("limits"));
        plan(&with(&format!("{work},\nlimits: (steps: 10)")));
    }
    plan(&with("work: Locks(each: 2),\nstop: []"));
    plan(&with("work: Idle,\nstop: []"));
}

#[test]
fn families() {
    refused("topology: Ring(nodes: «2»)", "a ring graph with nodes = 2", "3 to 67108864", None);
    refused(
        "topology: RandomRegular(nodes: 5, degree: «5»)",
        "a random regular graph with degree = 5",
        "",
        None,
    );
    refused("topology: Torus(rows: «2», columns: 5)", "a torus graph with rows = 2", "3", None);
    let error = marked_in(&with("topology: «Complete»(nodes: 20_000)"), ".".as_ref());
    assert!(error.to_string().contains("edges") || error.to_string().contains("nodes"), "{error}");
}

#[test]
fn memory_is_estimated_before_anything_is_made() {
    for topology in [
        "«Torus»(rows: 1e6, columns: 1e6)",
        "«Ring»(nodes: \"10^18\")",
        "«Complete»(nodes: 1e18)",
        "«Torus»(rows: 1e18, columns: 1e18)",
        "«RandomRegular»(nodes: 1e9, degree: 1e9)",
        "«Gnp»(nodes: 1e9, probability: 0.5)",
        "«BarabasiAlbert»(nodes: 1e9, links: 9)",
        "«RandomGeometric»(nodes: 1e9, radius: 0.1)",
        "«Mobility»(nodes: 1e9, side: 10, range: 3, speed: (1, 2), pause: 1, step: 1, duration: 9, rounds_per_step: 1)",
    ] {
        let error = marked_in(&with(&format!("topology: {topology},\nwork: Locks(each: 1)")), ".".as_ref());
        assert!(error.message().contains("need about"), "{error}");
        assert!(error.accepted().unwrap().contains(&format!("{} GiB", MEMORY_BYTES >> 30)), "{error}");
    }
}

#[test]
fn the_protocol_is_shown_with_what_is_true_of_it() {
    let shown = plan(&with("")).header().protocol_table.clone().unwrap();
    assert!(shown.contains("6 of 9 ordered pairs change something"), "{shown}");
    assert!(shown.contains("class: symmetric\nconserved: A + B + U\n"), "{shown}");
    assert!(!shown.contains("never reached"), "{shown}");
    let alone = with("").replace(r#"{"A": 4, "B": 2}"#, r#"{"A": 6}"#);
    assert!(
        plan(&alone)
            .header()
            .protocol_table
            .clone()
            .unwrap()
            .contains("never reached from this start: B, U\n")
    );
    assert_eq!(plan(&with("work: Idle")).header().protocol_table.clone(), None);
}

#[test]
fn a_protocol_that_never_rests_is_noted() {
    let restless = r#"work: Interactions(
        protocol: Table(states: ["0", "1"], rules: [Ordered("0 + 0 -> 0 + 1"), Ordered("1 + 1 -> 1 + 0")], default: Null),
        initial: All("0"))"#;
    let notes =
        plan(&with(&format!("{restless},\nstop: [Silent, Rounds(9)]"))).header().notes.as_slice().join("\n");
    assert!(notes.contains("never becomes silent with more than 2 agents"), "{notes}");
    assert_eq!(plan(&with(restless)).header().notes.as_slice(), [""; 0]);
    assert_eq!(plan(&with("stop: [Silent]")).header().notes.as_slice(), [""; 0]);
}

#[test]
fn graph_files() {
    let folder = tempfile::tempdir().unwrap();
    let base = folder.path();
    std::fs::write(base.join("good.txt"), "# SNAP\n10 20\n20 30\n20 10\n30 30\n").unwrap();
    std::fs::write(base.join("bad.txt"), "1 2\n1\n").unwrap();
    let file = |path: &str| with(&format!("topology: File(path: {path}),\nwork: Locks(each: 1)"));
    let good = plan_in(&file("\"good.txt\""), base);
    assert!(good.header().parameters.clone().contains(&("nodes".into(), "3".into())));
    let notes = good.header().notes.as_slice().join("\n");
    assert!(notes.contains("1 edge from a node to itself") && notes.contains("1 edge is listed"), "{notes}");
    let in_file = |path: &str, words: &str| {
        let error = marked_in(&file(path), base);
        assert!(error.message().contains(words), "{error}");
    };
    in_file("«\"bad.txt\"»", "bad.txt:2: ");
    in_file("«\"absent.txt\"»", "no such file");
    in_file("«\".\"»", "is a folder");
    let few = format!("{},\nports: «1»)", file("\"good.txt\"").trim_end().trim_end_matches(')').trim_end());
    let error = marked_in(&few, base);
    assert_eq!(error.message(), "node 1 (`20` in its file) has 2 neighbours but only 1 port");
    assert!(plan_in(&few.replace("«1»", "2"), base).header().notes.as_slice().len() == 2);
}
