//! Files of which only the protocol is wanted.

use acrasin_protocols::predicate::Predicate;
use acrasin_scenario::{DocumentError, ProtocolFile};

const FIELDS: &str =
    r#"states: ["A", "B", "U"], inputs: ["B", "A"], rules: [Symmetric("A + B -> U + U")], default: Null"#;

fn parse(text: &str) -> Result<ProtocolFile, DocumentError> {
    ProtocolFile::parse(text, "x.ron", &[])
}

/// `text` marks the place of the error: `«here»`.
#[track_caller]
fn refused(text: &str, message: &str) {
    let before = &text[..text.find('«').expect("a mark")];
    let error = parse(&text.replace(['«', '»'], "")).expect_err(text);
    assert!(error.message().contains(message), "{error}");
    let line = before.matches('\n').count() as u32 + 1;
    let column = before.rsplit('\n').next().unwrap().chars().count() as u32 + 1;
    assert_eq!((error.line(), error.column()), (Some(line), Some(column)), "{error}");
}

#[test]
fn a_protocol_alone_in_three_forms() {
    for text in [format!("({FIELDS})"), format!("Table({FIELDS})"), format!("Table(({FIELDS}))")] {
        let file = parse(&text).unwrap();
        assert!(file.is_alone() && !file.is_grouped());
        assert_eq!(file.table().state_names(), ["A", "B", "U"]);
        assert_eq!(file.inputs(), Some(&[1, 0][..]));
    }
    let library = parse(r#"Library(name: "averaging", parameters: {"m": 3})"#).unwrap();
    assert_eq!((library.table().state_count(), library.inputs()), (4, None));
    let set = [("inputs".to_owned(), r#"["U"]"#.to_owned())];
    let file = ProtocolFile::parse(&format!("({FIELDS})"), "x.ron", &set).unwrap();
    assert_eq!(file.inputs(), Some(&[2][..]));
}

#[test]
fn a_scenario_has_inputs_at_its_start() {
    let scenario = |work: &str| {
        format!("(topology: Ring(nodes: 5), scheduler: Sequential, work: {work}, stop: [Rounds(1)])")
    };
    let table = |inputs: &str, initial: &str| {
        let fields = FIELDS.replace(r#"inputs: ["B", "A"],"#, inputs);
        scenario(&format!("Interactions(protocol: Table({fields}), way: Group, initial: {initial})"))
    };
    for (initial, inputs) in [
        (r#"Counts({"B": 3, "A": 2})"#, &[0, 1][..]),
        (r#"Shares({"B": 0.5, "U": 0.5})"#, &[1, 2]),
        (r#"All("U")"#, &[2]),
        (r#"Nodes(states: {"A": [0]}, rest: "B")"#, &[0, 1]),
    ] {
        let file = parse(&table("", initial)).unwrap();
        assert!(!file.is_alone() && file.is_grouped());
        assert_eq!(file.inputs(), Some(inputs), "{initial}");
    }
    // What the table says goes first.
    assert_eq!(parse(&table(r#"inputs: ["U"],"#, r#"All("A")"#)).unwrap().inputs(), Some(&[2][..]));
    let error = parse(&table("", r#"All("Q")"#)).unwrap_err();
    assert_eq!((error.message(), error.accepted()), ("unknown state `Q`", Some("A, B, U")));
    let error = parse(&scenario("Idle")).unwrap_err();
    assert_eq!(error.message(), "no protocol runs in this scenario");
}

#[test]
fn faults_have_their_place_in_the_file() {
    refused("(states: [\"A\"],\n rules: [Symmetric(\"A + «Q» -> A + A\")], default: Null)", "`Q`");
    refused(
        "Table(\n  states: [\"A\"], rules: [], inputs: [\"A\", «\"x\"»], default: Null)",
        "unknown state `x`",
    );
    refused("(states: [\"A\"], rules: [], inputs: [\"A\", «\"A\"»], default: Null)", "written twice");
    refused("(states: [\"A\"],\n «rule»: [], default: Null)", "unknown field `rule`");
    refused("Library(name: «\"voter-3\"»)", "no protocol `voter-3`");
    refused("«Tables»(states: [])", "wrong kind of value");
    refused("«(»rules: []", "never closed");
    assert!(ProtocolFile::read("missing.ron".as_ref(), &[]).is_err());
}

#[test]
fn a_predicate_outside_a_file_has_a_caret() {
    let text = "A + C > B";
    let error = Predicate::parse(text).unwrap().bind(&["A", "B", "c"], &["A", "B", "c"]).unwrap_err();
    let shown = DocumentError::of_predicate("--predicate", text, &error).to_string();
    let expected = "error: unknown state or output `C`\n --> --predicate:1:5\n  |\n1 | A + C > B\n  |     ^\n  \
                    = accepted: A, B, c\n  = did you mean `c`?";
    assert_eq!(shown, expected);
}
