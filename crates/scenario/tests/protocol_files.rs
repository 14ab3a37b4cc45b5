//! Tests of files from which only the protocol is used.

use acrasin_scenario::Runnable as _;
use std::path::Path;

use acrasin_protocols::library::{Fratricide, ProtocolEntry, ProtocolInstance};
use acrasin_protocols::predicate::Predicate;
use acrasin_scenario::{
    Catalogue, Document, DocumentError, FileKind, InputFile, Job, Plan, ProtocolFile, Unwatched,
};

const FIELDS: &str =
    r#"states: ["A", "B", "U"], inputs: ["B", "A"], rules: [Symmetric("A + B -> U + U")], default: Null"#;

fn parse(text: &str) -> Result<ProtocolFile, DocumentError> {
    ProtocolFile::parse(text, "x.ron", &[])
}

/// Asserts the error of a text; `«here»` marks the position of the error.
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
    // The inputs of the table take precedence over the initial states.
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

/// Calls `run` with a scenario that names `vote.ron`, and with the folder that contains this file.
fn with_file(vote: &str, run: impl FnOnce(&Document, &Path)) {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("protocols")).unwrap();
    std::fs::write(folder.path().join("protocols/vote.ron"), vote).unwrap();
    run(&scenario("File(path: \"protocols/vote.ron\")"), folder.path());
}

fn scenario(protocol: &str) -> Document {
    let text = format!(
        "(\n  topology: Ring(nodes: 12),\n  scheduler: Sequential,\n  work: Interactions(\n    protocol: {protocol},\n    \
         initial: Counts({{\"A\": 9, \"B\": 3}}),\n  ),\n  stop: [Silent],\n)"
    );
    Document::parse(&text, "town/scenario.ron").unwrap()
}

#[test]
fn a_scenario_can_name_the_file_of_its_protocol() {
    let finish = |plan: &Plan| {
        let job = Job { seed: 7, repetition: 0, watch: &Unwatched, record: None };
        plan.run(job).unwrap().record.to_json_line()
    };
    // The results of the run; the manifest has the text of the scenario.
    let of_result = |record: &str| {
        let results = record.split_once("\"outcome\"").expect("an outcome").1;
        results.split_once("\"manifest\"").expect("a manifest").0.to_owned()
    };
    let written = Plan::new(&scenario(&format!("Table({FIELDS})")), Path::new("")).unwrap();
    for vote in [format!("({FIELDS})"), format!("// a vote\nTable({FIELDS})")] {
        with_file(&vote, |document, folder| {
            let named = Plan::new(document, folder).unwrap();
            assert_eq!(named.header().protocol_table.clone(), written.header().protocol_table.clone());
            assert_eq!(of_result(&finish(&named)), of_result(&finish(&written)));
            let (name, file) = named.header().parameters.clone().pop().unwrap();
            assert_eq!(name, "protocol file");
            let digest = file.strip_prefix("protocols/vote.ron, digest ").expect(&file);
            assert!(finish(&named).contains(&format!("\"work.protocol.digest\":\"{digest}\"")));
        });
    }
    with_file("Library(name: \"approximate-majority\")", |document, folder| {
        assert!(Plan::new(document, folder).is_ok());
        std::fs::write(folder.join("town.ron"), document.text()).unwrap();
        let file = ProtocolFile::read(&folder.join("town.ron"), &[]).unwrap();
        assert_eq!((file.is_alone(), file.table().state_count()), (false, 3));
    });
}

#[test]
fn faults_of_a_named_file_have_their_place_in_it() {
    for (vote, message, line, column) in [
        ("(states: [\"A\", \"B\"],\n rules: [Ordered(\"A + C -> A + A\")])", "unknown state `C`", 2, 23),
        ("(states: [\"A\", \"B\"],\n rules: [], defalt: Null)", "unknown field `defalt`", 2, 13),
        ("(states: [\"A\", \"B\"],\n rules: [", "`[` is never closed", 2, 9),
        (
            "(states: [\"A\", \"B\"], rules: [], default: Null,\n conserved: [{\"C\": 1}])",
            "unknown state `C`",
            2,
            15,
        ),
        ("Library(name:\n\"majorty\")", "the library has no protocol `majorty`", 2, 1),
        ("File(path: \"vote.ron\")", "this is not a protocol", 1, 1),
        ("\n(topology: Ring(nodes: 3), scheduler: Sequential, work: Idle)", "this is not a protocol", 2, 1),
    ] {
        with_file(vote, |document, folder| {
            let error = Plan::new(document, folder).unwrap_err();
            assert!(error.message().contains(message), "{error}");
            assert_eq!((error.line(), error.column()), (Some(line), Some(column)), "{error}");
            assert!(error.file().ends_with("vote.ron"), "{error}");
            assert!(error.to_string().contains('^'), "{error}");
        });
    }
    // A file that cannot be read is an error of the scenario.
    for (path, message) in [("none.ron", "the protocol cannot be read: "), (".", "this is a folder")] {
        let document = scenario(&format!("File(path: \"{path}\")"));
        let folder = tempfile::tempdir().unwrap();
        let error = Plan::new(&document, folder.path()).unwrap_err();
        assert!(error.message().starts_with(message), "{error}");
        assert_eq!((error.file(), error.line(), error.column()), ("town/scenario.ron", Some(5), Some(26)));
        assert_eq!(error.accepted(), Some("the path of a protocol file"));
    }
}

#[test]
fn a_protocol_of_another_crate_is_named_as_those_that_ship() {
    const DUEL: ProtocolEntry = ProtocolEntry::new("duel", "of two leaders, one gives up", "L, F", |_| {
        ProtocolInstance::of(&Fratricide, |agents| vec![agents, 0])
    });
    let catalogue = Catalogue::shipped().with_protocol(DUEL).unwrap();
    let text = |name: &str| {
        format!(
            "(topology: Complete(nodes: 9), scheduler: Sequential, stop: [Counts(\"L == 1\")],\n work: Interactions(protocol: \
             Library(name: \"{name}\"), initial: All(\"L\")))"
        )
    };
    let document = |name: &str| Document::parse(&text(name), "duel.ron").unwrap();
    let plan = Plan::with_catalogue(&catalogue, &document("duel"), Path::new("")).unwrap();
    let finished = plan.run(Job { seed: 7, repetition: 0, watch: &Unwatched, record: None }).unwrap();
    assert_eq!(finished.record.outcome().word, "counts");
    let error = Plan::with_catalogue(&catalogue, &document("dual"), Path::new("")).unwrap_err();
    assert_eq!(error.hint(), Some("did you mean `duel`?"), "{error}");
    assert!(error.accepted().unwrap().contains("competing-values, duel, junta-leader"), "{error}");
    assert_eq!((error.line(), error.column()), (Some(2), Some(45)));
    assert!(Plan::new(&document("duel"), Path::new("")).is_err());
    let file = InputFile::parse(&text("duel"), "duel.ron", &[]).unwrap();
    assert_eq!(file.kind(), FileKind::Population);
    assert_eq!(file.protocol(&catalogue).unwrap().table().state_names(), ["L", "F"]);
}
