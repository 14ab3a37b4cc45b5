//! Malformed conformance files give an error with file, line and reason, and never a panic.

use acrasin_verify::conformance;
use acrasin_verify::limits::{SCENARIO_BYTES_MAX, SCENARIO_NODES_MAX};
use proptest::prelude::*;

const NODE: &str =
    r#"{"lock":null,"state":"bot","phase":"bot","L":[],"R":[],"W":[],"H":[],"A":[],"C":[],"P":[],"D":[]}"#;

const HEAD: &str = r#""id":"x","variant":"repaired","n":2,"delta":1,"K":2,"pair":false"#;

/// A scenario of two nodes joined by an edge, with these steps.
fn scenario(steps: &str) -> String {
    whole(HEAD, "[[0,1,1,1]]", steps, &format!("[{NODE},{NODE}]"), "[]")
}

fn whole(head: &str, edges: &str, steps: &str, nodes: &str, transit: &str) -> String {
    format!(r#"{{{head},"edges":{edges},"steps":[{steps}],"final":{{"nodes":{nodes},"transit":{transit}}}}}"#)
}

fn act(words: &str) -> String {
    format!(r#"{{"do":{words},"sends":[],"enabled":[],"node":{NODE}}}"#)
}

#[track_caller]
fn refused(text: &str, part: &str) {
    let error = conformance::run("bad.jsonl", text.as_bytes()).expect_err(text);
    assert_eq!((error.file(), error.line()), ("bad.jsonl", Some(1)), "{error}");
    assert!(error.column() != Some(0) && error.to_string().len() < 2000, "{error}");
    assert!(error.to_string().contains(part), "{error} does not say {part}");
}

#[test]
fn the_base_of_these_tests_is_well_formed() {
    let report = conformance::run("good.jsonl", scenario("").as_bytes()).unwrap();
    assert_eq!(report.to_string(), "1 scenario, 0 steps, 0 differences");
    // The step is well-formed, but not enabled: a difference.
    let report =
        conformance::run("good.jsonl", scenario(&act(r#"["act",0,"CheckDone"]"#)).as_bytes()).unwrap();
    assert_eq!(report.difference_count(), 1);
}

#[test]
fn files() {
    refused("", "no scenario");
    refused("\n", "no scenario");
    refused("hello", "not JSON");
    refused("[]", "an object is accepted");
    refused("\u{feff}{}", "missing field `id`");
    refused(&scenario("")[..100], "ends in the middle");
    refused(&format!("{}{}", scenario(""), scenario("")), "something follows the end of the value");
    let binary = conformance::run("bad.jsonl", &[0x1f, 0x8b, 0xff, 0x00][..]).unwrap_err();
    assert!(binary.what().contains("binary or compressed file"), "{binary}");
    let second = format!("{}\n{}\n", scenario(""), scenario("7"));
    let error = conformance::run("bad.jsonl", second.as_bytes()).unwrap_err();
    assert_eq!(error.line(), Some(2));
    let deep = "[".repeat(100_000);
    refused(&scenario(&deep), "an object is accepted");
    refused(&scenario(&act(&deep)), "");
}

/// A value of a wrong type used to be reported as invalid JSON, without the name of its field.
#[test]
fn the_field_is_named_and_what_was_found_and_what_is_accepted() {
    let base = scenario(&act(r#"["act",0,"CheckDone"]"#));
    for (from, to, part) in [
        ("\"repaired\"", "3", "1:21: variant: found integer `3`: one of `repaired`, `repaired-mem`"),
        (
            "\"n\":2",
            "\"n\":\"2\"",
            ": n: found string \"2\": a whole number from 0 to 4294967295 is accepted",
        ),
        ("\"n\":2", "\"n\":1e999", ": n: the number is too large"),
        ("\"state\":\"bot\"", "\"state\":[]", ": steps[0].node.state: found a list: one of `bot`"),
        ("\"phase\":\"bot\"", "\"phase\":null", ": steps[0].node.phase: found null: one of `bot`"),
        (
            "\"do\":[\"act\",0",
            "\"do\":[\"act\",true",
            ": steps[0].do: true is not a valid node: a number from 0 to",
        ),
        ("\"sends\":[]", "\"sends\":[[0,\"ready\"],7]", ": steps[0].sends[1]: found integer `7`"),
        ("\"transit\":[]", "\"transit\":{}", ": final.transit: found an object: a list is accepted"),
    ] {
        assert!(base.contains(from), "{from}");
        refused(&base.replacen(from, to, 1), part);
    }
    refused("[[[[]]]]", "bad.jsonl:1:1: found a list: an object is accepted");
    refused("{\"id\":,}", "not JSON: a value is expected here");
}

/// An error used to be as long as the value that it quotes.
#[test]
fn a_value_of_megabytes_is_not_repeated() {
    let long = "x".repeat(5_000_000);
    let base = scenario(&act(r#"["act",0,"CheckDone"]"#));
    for (from, to, part) in [
        ("\"n\":2", format!("\"n\":\"{long}\""), "n: found string \"xxx"),
        ("\"n\":2", format!("\"{long}\":2"), "there is no field `xxx"),
        ("\"CheckDone\"", format!("\"{long}\""), "there is no action \"xxx"),
        ("\"repaired\"", format!("\"{long}\""), "`repaired`, `repaired-mem`, `paper` is accepted"),
        ("\"id\":\"x\"", format!("\"id\":\"{long}\",\"n\":7"), "the field `n` is written twice"),
    ] {
        refused(&base.replacen(from, &to, 1), part);
    }
    // A long name is well-formed; the difference quotes only its beginning.
    let named = base.replacen("\"id\":\"x\"", &format!("\"id\":\"{long}\""), 1);
    let report = conformance::run("x", named.as_bytes()).unwrap();
    assert!(report.differences()[0].to_string().len() < 3000);
}

#[test]
fn deep_nesting_is_refused_at_its_place() {
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    refused(&deep, "bad.jsonl:1:1: ");
    let inside = scenario(&act(&deep));
    let error = conformance::run("bad.jsonl", inside.as_bytes()).unwrap_err();
    let begins = inside.find("[[[").unwrap() + 1;
    assert!((begins..begins + 3).contains(&error.column().unwrap()), "{error}");
}

#[test]
fn a_line_may_be_as_long_as_the_limit_and_no_longer() {
    let mut line = scenario("").into_bytes();
    line.resize(SCENARIO_BYTES_MAX, b' ');
    assert!(conformance::run("long.jsonl", &line[..]).is_ok());
    line.push(b' ');
    let error = conformance::run("long.jsonl", &line[..]).unwrap_err();
    assert!(error.what().contains("longer than"), "{error}");
}

#[test]
fn fields() {
    let base = scenario("");
    for (from, to, part) in [
        ("\"n\":2", "\"n\":2,\"n\":2", "the field `n` is written twice"),
        ("\"n\":2", "\"n\":2,\"m\":2", "there is no field `m`: `id`"),
        ("\"n\":2,", "", "missing field `n`"),
        ("\"n\":2", "\"n\":\"2\"", "found string"),
        ("\"n\":2", "\"n\":-2", "found integer `-2`"),
        ("\"n\":2", "\"n\":2.0", "found floating point"),
        ("\"n\":2", "\"n\":1e30", "found floating point"),
        ("\"n\":2", "\"n\":0", "1 to 65536 are accepted"),
        ("\"n\":2", "\"n\":65537", "1 to 65536 are accepted"),
        ("\"n\":2", "\"n\":3", "final.nodes has 2 entries, but n is 3"),
        ("\"K\":2", "\"K\":1", "2 or more is accepted"),
        ("\"K\":2", "\"K\":4294967296", "a whole number from 0 to 4294967295 is accepted"),
        ("\"delta\":1", "\"delta\":65536", "a whole number from 0 to 65535 is accepted"),
        ("\"delta\":1", "\"delta\":0", "edges[0]: node 0 has no port 1"),
        ("\"repaired\"", "\"fixed\"", "there is no `fixed`: `repaired`"),
        ("false", "0", "true or false is accepted"),
        ("[[0,1,1,1]]", "[[0,1,1]]", "found 3 elements"),
        ("[[0,1,1,1]]", "[[0,1,1,1,1]]", ""),
        ("[[0,1,1,1]]", "[[0,1,0,1]]", "edges[0]: node 0 cannot be its own neighbour"),
        ("[[0,1,1,1]]", "[[0,1,2,1]]", "edges[0]: there is no node 2"),
        ("[[0,1,1,1]]", "[[0,0,1,1]]", "edges[0]: node 0 has no port 0"),
        ("[[0,1,1,1]]", "[[0,1,1,1],[1,1,0,1]]", "edges[1]: port 1 of node 1 carries an edge already"),
        ("\"lock\":null", "\"lock\":2", "final.nodes[0].lock: there is no port 2: 0 to 1 are accepted"),
        ("\"lock\":null,", "", "missing field `lock`"),
        ("\"R\":[]", "\"R\":[0,0]", "0 is listed twice"),
        ("\"R\":[]", "\"R\":[7]", "R: there is no port 7"),
        ("\"P\":[]", "\"P\":[[0,2]]", "P: there is no priority 2: 0 to 1 are accepted"),
        ("\"state\":\"bot\"", "\"state\":\"idle\"", "there is no `idle`: `bot`"),
        ("\"transit\":[]", "\"transit\":[[2,1,\"ready\"]]", "final.transit[0]: there is no node 2"),
        ("\"transit\":[]", "\"transit\":[[0,1,\"red\"]]", "there is no message \"red\""),
        ("\"transit\":[]", "\"transit\":[[0,1,\"ready\",1]]", "one element too many"),
    ] {
        assert!(base.contains(from), "{from}");
        refused(&base.replacen(from, to, 1), part);
    }
    let as_array = r#"[null,"bot","bot",[],[],[],[],[],[],[],[]]"#;
    refused(&whole(HEAD, "[]", "", &format!("[{as_array},{NODE}]"), "[]"), "an object is accepted");
}

#[test]
fn steps() {
    for (step, part) in [
        (act(r#"["act",0,"Check"]"#), "there is no action \"Check\": CheckStart, CheckPriorities"),
        (act(r#"["act",2,"CheckDone"]"#), "step 1: do: there is no node 2: 0 to 1 are accepted"),
        (act(r#"["act",0,"CheckStart",2]"#), "there is no priority 2"),
        (act(r#"["act",0,"CheckStart",{"picks":[1]}]"#), "belong to replays"),
        (act(r#"["recv",0,2,"ready"]"#), "there is no port 2"),
        (act(r#"["recv",0,1,"request-lock",2]"#), "there is no priority 2"),
        (act(r#"["leave",0,1,"ready"]"#), "leave is a step of replays only"),
        (act(r#"["lock",0,[0,2]]"#), "there is no port 2"),
        (act(r#"["lock",0,[0,0]]"#), "listed twice"),
        (act(r#"["connect",0,1,1,1]"#), "the field sends does not belong to this step"),
        (r#"{"do":["connect",0,0,1,1]}"#.to_owned(), "port 0 is the node itself"),
        (r#"{"do":["disconnect",0,1]}"#.to_owned(), "the field D is missing"),
        (r#"{"do":["disconnect",0,1],"D":[[0,[2]],[1,[1]]]}"#.to_owned(), "D: there is no port 2"),
        (r#"{"do":["disconnect",0,1],"D":[[0,[1]],[9,[1]]]}"#.to_owned(), "D: there is no node 9"),
        (r#"{"do":["lock",0]}"#.to_owned(), "the field sends is missing"),
        (
            act(r#"["act",0,"CheckDone"]"#).replace("\"sends\"", "\"misuse\":true,\"sends\""),
            "misuse does not belong",
        ),
        (act(r#"["lock",0,null]"#).replace("\"sends\"", "\"misuse\":false,\"sends\""), "but misuse is false"),
        (act(r#"["lock",0]"#).replace("\"sends\"", "\"D\":[],\"sends\""), "D does not belong"),
        (act(r#"["lock",0]"#).replace("\"sends\"", "\"misuse\":null,\"sends\""), "found null"),
        (act(r#"["lock",0]"#).replace("\"sends\"", "\"returns\":null,\"sends\""), "found null"),
        (
            act(r#"["lock",0]"#).replace("\"enabled\":[]", "\"enabled\":[\"CleanUp\"]"),
            "CheckStart, CheckPriorities",
        ),
        (act(r#"["lock",0]"#).replace("\"sends\":[]", "\"sends\":[[0,\"win\",1]]"), "true or false"),
        (
            act(r#"["lock",0]"#).replace("\"sends\":[]", "\"sends\":[],\"returns\":[5]"),
            "returns: there is no port 5",
        ),
    ] {
        refused(&scenario(&step), part);
    }
    let pair = scenario(&act(r#"["lock",0]"#)).replace("\"pair\":false", "\"pair\":true");
    refused(&pair, "the lock set of a pair is missing");
    let three = scenario(&act(r#"["lock",0,[1]]"#)).replace("\"pair\":false", "\"pair\":true");
    refused(&three, "is not a pair");
}

#[test]
fn the_product_of_nodes_and_ports_is_limited() {
    let nodes = |n: u32| format!("[{}]", vec![NODE; n as usize].join(","));
    let head = |n: u32, delta: u16| format!(r#""id":"x","variant":"paper","n":{n},"delta":{delta},"K":2"#);
    assert!(conformance::run("x", whole(&head(64, 65_535), "[]", "", &nodes(64), "[]").as_bytes()).is_ok());
    refused(&whole(&head(65, 65_535), "[]", "", &nodes(65), "[]"), "at most 4194304 ports in all");
    let n = SCENARIO_NODES_MAX;
    assert!(conformance::run("x", whole(&head(n, 64), "[]", "", &nodes(n), "[]").as_bytes()).is_ok());
}

proptest! {
    #[test]
    fn bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = conformance::run("x", &bytes[..]);
    }

    /// Well-formed calls in any order, on valid and invalid nodes and ports.
    #[test]
    fn any_calls_never_panic(
        calls in prop::collection::vec((0..7_usize, 0..3_u32, 0..3_u32, 0..3_u32), 0..60),
        variant in 0..3_usize,
    ) {
        let steps: Vec<String> = calls.into_iter().map(|(call, u, p, v)| match call {
            0 => act(&format!("[\"lock\",{u}]")),
            1 => act(&format!("[\"unlock\",{u}]")),
            2 => act(&format!("[\"recv\",{u},{p},\"prepare\"]")),
            3 => act(&format!("[\"recv\",{u},{p},\"ready\"]")),
            4 => act(&format!("[\"act\",{u},\"CheckStart\",{}]", v % 2)),
            5 => format!("{{\"do\":[\"connect\",{u},{p},{v},1]}}"),
            _ => format!("{{\"do\":[\"disconnect\",{u},{p}],\"D\":[[{u},[1]],[{v},[1]]]}}"),
        }).collect();
        let text = scenario(&steps.join(",")).replace("repaired", ["repaired", "repaired-mem", "paper"][variant]);
        let _ = conformance::run("x", text.as_bytes());
    }
}
