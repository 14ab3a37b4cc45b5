//! Tests of the positions of values, and of `--set`.

use acrasin_scenario::document::lock::{LockRules, PortCount, PriorityCount};
use acrasin_scenario::document::protocol::{ProtocolSource, WrittenParameter};
use acrasin_scenario::document::quantity::{Count, Probability, Seed};
use acrasin_scenario::document::stop::{Stop, StopSetting};
use acrasin_scenario::document::work::{Initial, Work};
use acrasin_scenario::limits::{MAX_FILE_BYTES, MAX_SETS};
use acrasin_scenario::{Document, DocumentError, Plan};
use proptest::prelude::*;

const TEXT: &str = r#"// torus (with a comment)
Scenario /* ( */ (
    topology: Torus(rows: 6, columns: 6),
    scheduler: SemiSynchronous(activation: Random(0.5)),
    work: Interactions(
        protocol: Library(name: "approximate-majority", parameters: {"k": 3, "a b": 4}),
        initial: Shares({"A": 0.6, "ä": 0.4}),
    ),
    stop: [Silent, Counts("A == 0"), Rounds(100)],
)
"#;

fn pairs(sets: &[&str]) -> Vec<(String, String)> {
    let split = |set: &&str| set.split_once('=').map(|(key, value)| (key.to_owned(), value.to_owned()));
    sets.iter().map(|set| split(set).unwrap()).collect()
}

fn with(sets: &[&str]) -> Document {
    Document::parse_with(TEXT, "torus.ron", &pairs(sets)).unwrap_or_else(|error| panic!("{error}"))
}

fn refused(sets: &[&str]) -> DocumentError {
    let document = Document::parse_with(TEXT, "torus.ron", &pairs(sets));
    document.and_then(|document| Plan::new(&document, "".as_ref())).expect_err(&sets.join(" "))
}

#[test]
fn places_of_values() {
    let document = with(&[]);
    for (path, line, column, length) in [
        ("topology", 3, 15, 5),
        ("topology.columns", 3, 39, 1),
        ("scheduler.activation", 4, 44, 6),
        ("scheduler.activation[0]", 4, 51, 3),
        ("work.protocol.name", 6, 33, 22),
        ("work.protocol.parameters", 6, 69, 1),
        ("work.protocol.parameters.k", 6, 75, 1),
        ("work.protocol.parameters[\"a b\"]", 6, 85, 1),
        ("work.initial.A", 7, 31, 3),
        ("work.initial.ä", 7, 41, 3),
        ("work.initial[0].A", 7, 31, 3),
        ("stop", 9, 11, 1),
        ("stop[1]", 9, 20, 6),
        ("stop[1][0]", 9, 27, 8),
        ("stop[2][0]", 9, 45, 3),
    ] {
        let place = document.locate(path).unwrap_or_else(|| panic!("{path}"));
        assert_eq!((place.line(), place.column(), place.length()), (line, column, length), "{path}");
        assert_eq!(place.set(), None);
    }
    for path in
        ["", "topolgy", "stop[3]", "topology.nodes", "stop.x", "topology[0]", "a..b", "stop[", "work.", "3"]
    {
        assert_eq!(document.locate(path), None, "{path}");
    }
}

#[test]
fn errors_found_later_have_places() {
    let document = with(&[]);
    let error = document.error("topology.rows", "a torus of 6 rows has no node 99").accepting("node 0 to 35");
    assert_eq!(
        error.to_string(),
        "error: a torus of 6 rows has no node 99
 --> torus.ron:3:27
  |
3 |     topology: Torus(rows: 6, columns: 6),
  |                           ^
  = accepted: node 0 to 35"
    );
    // A missing field is reported where it would be inserted.
    assert_eq!(document.error("topology.degree", "x").column(), Some(15));
    assert_eq!(document.error("ports", "x").line(), Some(2));
    let inside = document.error_in_text("stop[1][0]", 2..4, "x");
    assert_eq!((inside.line(), inside.column(), inside.place().unwrap().length()), (Some(9), Some(30), 2));
    let nearest = document.error("work.protocol.name", "x").suggesting("votr", ["voter", "averaging"]);
    assert_eq!(nearest.hint(), Some("did you mean `voter`?"));
    // Later errors about an overridden value name the override.
    let changed = with(&["ports=3"]).error("ports", "node 17 has degree 4").hinting("use Auto");
    assert_eq!((changed.set(), changed.column()), (Some("ports=3"), Some(7)));
    assert_eq!(
        changed.to_string(),
        "error: node 17 has degree 4
 --> --set, for torus.ron
  |
  | ports=3
  |       ^
  = use Auto"
    );
}

#[test]
fn values_are_replaced() {
    let document = with(&[
        "topology.rows=10",
        "topology.columns= 1_000 ",
        "scheduler.activation=All",
        "work.protocol.name=voter",
        "work.initial.A=1",
        "work.protocol.parameters[\"a b\"]=[1, 2]",
        "stop[2]=Interactions(10)",
        "stop[1][0]=\"A >= 10^6\"",
    ]);
    let scenario = document.scenario();
    assert_eq!(scenario.topology.text(), "Torus(rows: 10, columns: 1_000)");
    assert_eq!(scenario.scheduler.text(), "SemiSynchronous(activation: All)");
    let Work::Interactions { protocol: ProtocolSource::Library { name, parameters }, initial, .. } =
        &scenario.work
    else {
        panic!("interactions of a library protocol");
    };
    assert_eq!(name, "voter");
    assert_eq!(
        parameters["a b"],
        WrittenParameter::List(vec![WrittenParameter::Integer(1), WrittenParameter::Integer(2)])
    );
    let Initial::Shares(shares) = initial else { panic!("shares") };
    assert_eq!(shares["A"], Probability(1.0));
    assert_eq!(scenario.stop[2], StopSetting::Word(Stop::Interactions(Count(10))));
    assert!(document.text().contains("topology: Torus(rows: 10, columns: 1_000),"));
    assert!(document.text().starts_with("// torus (with a comment)\nScenario /* ( */ ("));
}

#[test]
fn absent_fields_are_added() {
    let document = with(&[
        "seed=7",
        "lock.rules=Published",
        "lock.priorities=4",
        "limits.rounds=10^6",
        "ports=8",
        "work.protocol.parameters.m=2",
        "topology=Gnp(nodes: 10, probability: 0.5)",
        "topology.seed=9 // for this graph",
        "observe.counts_every=Rounds(10)",
        "title=\"a \\\"b\\\"\"",
    ]);
    let scenario = document.scenario();
    assert_eq!((scenario.seed, scenario.ports), (Some(Seed(7)), PortCount::Exactly(8)));
    assert_eq!(
        (scenario.lock.rules, scenario.lock.priorities),
        (LockRules::Published, PriorityCount::Exactly(4))
    );
    assert_eq!(scenario.limits.rounds, Some(Count(1_000_000)));
    assert_eq!(scenario.title.as_deref(), Some("a \"b\""));
    assert_eq!(scenario.topology.text(), "Gnp(seed: 9, nodes: 10, probability: 0.5)");
    let Work::Interactions { protocol: ProtocolSource::Library { parameters, .. }, .. } = &scenario.work
    else {
        panic!("interactions of a library protocol");
    };
    assert_eq!(parameters["m"], WrittenParameter::Integer(2));
    // The effective text is complete: read again, it gives the same scenario with the same digest.
    let again = Document::parse(document.text(), "again.ron").unwrap();
    assert_eq!((again.scenario(), again.digest()), (scenario, document.digest()));
    assert_ne!(document.digest(), with(&[]).digest());
    // The later of two overrides is used.
    assert_eq!(with(&["seed=7", "seed=8"]).scenario().seed, Some(Seed(8)));
    // An override of a text may omit the quotes.
    for (value, expected) in [
        ("contacts.dat.gz", "contacts.dat.gz"),
        ("a b\\c", "a b\\c"),
        ("\"q\"", "q"),
        ("r#\"q\"#", "q"),
        ("", ""),
    ] {
        let document = with(&[&format!("work.protocol.name={value}")]);
        let Work::Interactions { protocol: ProtocolSource::Library { name, .. }, .. } =
            &document.scenario().work
        else {
            panic!("interactions of a library protocol");
        };
        assert_eq!(name, expected);
    }
}

#[test]
fn the_digest_is_that_of_the_text() {
    assert_eq!(with(&[]).digest(), GOLDEN);
    assert_eq!(with(&[]).text(), TEXT);
}

/// XXH3 with 128 bits of [`TEXT`].
const GOLDEN: &str = "fdf896e2eb46bb981b8b734935a2b2b8";

#[test]
fn wrong_overrides_name_the_override() {
    // (override, message, column, length, part of what is accepted, hint)
    for (set, message, column, length, accepted, hint) in [
        ("topolgy.rows=10", "unknown field `topolgy`", 1, 7, "topology", Some("did you mean `topology`?")),
        ("topology.row=10", "unknown field `row`", 10, 3, "rows, columns", Some("did you mean `rows`?")),
        ("lock.rule=Published", "unknown field `rule`", 6, 4, "rules", Some("did you mean `rules`?")),
        (
            "lock.rules=Publshed",
            "unknown name `Publshed`",
            12,
            8,
            "Published",
            Some("did you mean `Published`?"),
        ),
        ("topology.rows=-1", "`-1` is negative", 15, 2, "a whole number", None),
        ("topology.rows=ten", "wrong kind of value: the word `ten`", 15, 3, "a whole number", None),
        ("topology.rows=", "the value is empty", 15, 0, "key=value", None),
        ("topology.rows=1, columns: 2", "something after the end: found `,`", 16, 1, "nothing more", None),
        ("topology.rows= (1", "`(` is never closed", 16, 1, "`)`", None),
        ("seed=\"x", "this text is never closed", 6, 1, "`\"`", None),
        (
            "topology.rows.x=1",
            "there is no field or entry of this name to set",
            15,
            1,
            "the number `6`",
            None,
        ),
        ("stop[3]=Silent", "there is no entry number 3", 5, 3, "the index, from 0", None),
        ("stop[x]=Silent", "an index or a quoted key is expected here", 6, 1, "stop[0]", None),
        (
            "stop[99999999999999999999]=Silent",
            "an index or a quoted key is expected here",
            6,
            1,
            "stop[0]",
            None,
        ),
        ("stop[1=Silent", "`[` is never closed", 5, 1, "`]`", None),
        ("stop[\"a=Silent", "this text is never closed", 6, 1, "`\"`", None),
        ("=4", "a field name is expected here", 1, 0, "topology.rows", None),
        ("a..b=4", "a field name is expected here", 3, 1, "topology.rows", None),
        ("a b=4", "`.` or `[` is expected here", 2, 1, "topology.rows", None),
        ("work.initial.A=1.5", "`1.5` is out of range", 16, 3, "a real number from 0 to 1", None),
        ("stop[1][0]=A & 0", "`&` is not used in predicates", 14, 1, "`&&`", None),
        ("stop[1][0]=\"A & 0\"", "`&` is not used in predicates", 15, 1, "`&&`", None),
    ] {
        let error = refused(&[set]);
        let place = error.place().unwrap();
        assert_eq!(error.set(), Some(set), "{error}");
        assert_eq!((error.message(), place.column(), place.length()), (message, column, length), "{error}");
        assert!(error.accepted().unwrap_or("").contains(accepted), "{error}");
        assert_eq!(error.hint(), hint, "{error}");
        assert!(
            error.to_string().contains(&format!("--> --set, for torus.ron\n  |\n  | {set}\n")),
            "{error}"
        );
    }
}

#[test]
fn faults_of_the_file_stay_faults_of_the_file() {
    let text = TEXT.replace("Silent", "Silent(3)");
    let sets = pairs(&["seed=7", "topology.rows=100", "work.protocol.name=a-much-longer-name"]);
    let error = Document::parse_with(&text, "torus.ron", &sets).unwrap_err();
    assert_eq!((error.set(), error.line(), error.column()), (None, Some(9), Some(12)), "{error}");
    let broken = Document::parse_with("(seed: 1", "torus.ron", &sets).unwrap_err();
    assert_eq!((broken.set(), broken.column()), (None, Some(1)));
}

#[test]
fn overrides_are_limited() {
    let many = vec![("seed".to_owned(), "7".to_owned()); MAX_SETS + 1];
    assert!(Document::parse_with(TEXT, "torus.ron", &many[1..]).is_ok());
    let error = Document::parse_with(TEXT, "torus.ron", &many).unwrap_err();
    assert_eq!((error.message(), error.accepted()), ("257 overrides are given", Some("at most 256")));
    let long = vec![("title".to_owned(), format!("\"{}\"", "x".repeat(MAX_FILE_BYTES)))];
    let error = Document::parse_with(TEXT, "torus.ron", &long).unwrap_err();
    assert_eq!(error.message(), "this value makes the scenario too long");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn arbitrary_overrides_never_panic(
        sets in prop::collection::vec(
            ("(topology|work|stop|lock|seed|x|[a-z.\\[\\]\"0-9]{0,8}|\\PC{0,6})([.](rows|initial|A|rules))?(\\[[0-3]\\])?",
             "[A-Za-z0-9\"(){}\\[\\],:.^_ /äß-]{0,10}|\\PC{0,8}"),
            0..4,
        ),
    ) {
        match Document::parse_with(TEXT, "torus.ron", &sets) {
            Ok(document) => {
                let again = Document::parse(document.text(), "again.ron");
                prop_assert_eq!(again.as_ref().map(Document::scenario).ok(), Some(document.scenario()));
            }
            Err(error) => {
                // The file is valid, so the mistake must be in an override.
                prop_assert!(error.set().is_some(), "{}", error);
                prop_assert!(!error.to_string().is_empty());
            }
        }
    }

    #[test]
    fn arbitrary_paths_never_panic(path in "[a-z.\\[\\]\"0-9ä]{0,20}|\\PC{0,12}") {
        let document = with(&[]);
        let found = document.locate(&path);
        let error = document.error(&path, "wrong");
        prop_assert!(found.is_none() || error.place() == found.as_ref());
    }
}
