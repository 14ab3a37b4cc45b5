//! Tests of everything that is refused, with the exact position of the error.

use acrasin_scenario::limits::{MAX_DEPTH, MAX_FILE_BYTES};
use acrasin_scenario::{Catalogue, Document, DocumentError, Plan};
use proptest::prelude::*;

/// The error of a text, from reading it or from making its plan. Only the plan knows the names of the catalogue.
fn refused(text: &str) -> DocumentError {
    let document = Document::parse(text, "bad.ron");
    document.and_then(|document| Plan::new(&document, "".as_ref())).expect_err(text)
}

/// The error of a text in which `«…»` marks the part that the error must underline.
#[track_caller]
fn marked(text: &str) -> DocumentError {
    let start = text.find('«').unwrap();
    let end = text.find('»').unwrap();
    let before = &text[..start];
    let line = 1 + before.matches('\n').count() as u32;
    let column = 1 + before.rsplit('\n').next().unwrap().chars().count() as u32;
    let length = text[start + '«'.len_utf8()..end].chars().count() as u32;
    let error = refused(&text.replace(['«', '»'], ""));
    let place = error.place().unwrap();
    assert_eq!((place.line(), place.column(), place.length()), (line, column, length), "{error}");
    error
}

/// A scenario with one field replaced or added.
fn small(field: &str) -> String {
    let name = field.trim_start_matches('«').split([':', '»']).next().unwrap().to_owned();
    let mut text = String::from("(\n");
    for default in ["topology: Ring(nodes: 5)", "scheduler: Sequential", "work: Idle"] {
        if default.split(':').next() != Some(&name) {
            text += &format!("    {default},\n");
        }
    }
    text + &format!("\t{field},\n)\n")
}

#[track_caller]
fn check(text: &str, message: &str, accepted: &str, hint: Option<&str>) {
    let error = marked(text);
    assert_eq!((error.message(), error.hint()), (message, hint), "{error}");
    assert!(error.accepted().unwrap_or("").contains(accepted), "{error}");
    // The place in the message equals the place from the accessors.
    let place = format!("bad.ron:{}:{}", error.line().unwrap(), error.column().unwrap());
    assert!(error.to_string().contains(&place), "{error}");
}

/// Regression: the error about a missing field did not list the accepted values.
#[test]
fn a_missing_field_comes_with_what_it_accepts() {
    for (text, field, accepted) in [
        ("(topology: Ring(nodes: 9), work: Idle)", "scheduler", "Sequential, RoundRobin"),
        ("(topology: Ring(nodes: 9), scheduler: Sequential)", "work", "Interactions, Locks, Idle"),
        ("(topology: Ring(nodes: 9), scheduler: Sequential, work: Locks())", "each", "Forever"),
        (
            "(topology: Ring(nodes: 9), scheduler: Sequential, work: Interactions(initial: All(\"A\")))",
            "protocol",
            "Library, Table",
        ),
        (
            "(topology: Ring(nodes: 9), scheduler: Sequential, work: Interactions(initial: All(\"A\"), protocol: Table(rules: [])))",
            "states",
            "a list",
        ),
    ] {
        let error = refused(text);
        assert_eq!(error.message(), format!("missing field `{field}`"));
        assert!(error.accepted().is_some_and(|said| said.contains(accepted)), "{error}");
    }
    // Regression: errors about fields of topologies outside the catalogue, and of bare names, listed no accepted
    // values.
    let idle = |topology: &str| {
        format!("(topology: {topology}, scheduler: Sequential, work: Idle, stop: [Rounds(3)])")
    };
    let churn = "(topology: Ring(nodes: 9), scheduler: Sequential, disturbances: [Churn], work: Idle)";
    let active = "(topology: Ring(nodes: 9), scheduler: SemiSynchronous, work: Idle, stop: [Rounds(3)])";
    for (text, field, accepted) in [
        (idle("File"), "path", "a text"),
        (idle("File()"), "path", "a text"),
        (idle("Contacts(path: \"c.txt\")"), "format", "Instants, Intervals"),
        (idle("Contacts(path: \"c.txt\", format: Instants)"), "resolution", "a whole number"),
        (idle("Contacts(path: \"c.txt\", format: Intervals)"), "rounds_per_step", "a whole number"),
        (idle("Mobility(nodes: 9)"), "side", "above 0"),
        (churn.to_owned(), "rate", "0"),
        (active.to_owned(), "activation", "Random, All, Adversary"),
    ] {
        let error = refused(&text);
        assert_eq!(error.message(), format!("missing field `{field}`"));
        assert!(error.accepted().is_some_and(|said| said.contains(accepted)), "{error}");
    }
    let schedulers = Catalogue::shipped();
    let names = schedulers.schedulers().names_of(|_| true);
    let error = refused("(topology: Ring(nodes: 9), work: Idle)");
    assert!(error.accepted().unwrap().starts_with(&names), "{error}");
}

#[test]
fn the_whole_message() {
    let text = "Scenario(\n    // a comment\n    topolgy: Torus(rows: 6, columns: 6),\n)";
    assert_eq!(
        refused(text).to_string(),
        "error: unknown field `topolgy`
 --> bad.ron:3:5
  |
3 |     topolgy: Torus(rows: 6, columns: 6),
  |     ^^^^^^^
  = accepted: title, seed, topology, ports, lock, exclusion, rung, scheduler, fairness, disturbances, faults, work, stop, limits, observe
  = did you mean `topology`?"
    );
}

#[test]
fn unknown_names() {
    check(
        &small("topology: Ring(«node»: 5)"),
        "unknown field `node`",
        "nodes",
        Some("did you mean `nodes`?"),
    );
    check(
        &small("topology: «Torrus»(rows: 1, columns: 2)"),
        "unknown name `Torrus`",
        "Grid, Torus, Triangular",
        Some("did you mean `Torus`?"),
    );
    check(
        &small("scheduler: «sequential»"),
        "unknown name `sequential`",
        "Sequential, RoundRobin",
        Some("did you mean `Sequential`?"),
    );
    check(&small("lock: (rules: «Xyz»)"), "unknown name `Xyz`", "Repaired, Published, Mixed", None);
    check(
        &small("stop: [Silent, «Silence»]"),
        "unknown name `Silence`",
        "Silent",
        Some("did you mean `Silent`?"),
    );
    check(&small("ports: «Foo»"), "unknown word `Foo`", "Auto, or a whole number from 1 to 10^18", None);
    check(&small("«Ports»: 3"), "unknown field `Ports`", "ports", Some("did you mean `ports`?"));
}

#[test]
fn wrong_kinds() {
    let number = "a whole number from 0 to 10^18, such as 1_000_000, 1e6 or \"10^6\"";
    check(&small("topology: Ring(nodes: «[»5])"), "wrong kind of value: a list", number, None);
    check(&small("topology: Ring(nodes: «true»)"), "wrong kind of value: the word `true`", number, None);
    check(&small("topology: Ring(nodes: «\"many\"»)"), "`many` is not a number", number, None);
    check(
        &small("topology: «\"Ring\"»"),
        "wrong kind of value: the text `\"Ring\"`",
        "Path, Ring",
        Some("names have no quotes: Ring"),
    );
    check(&small("topology: «(»nodes: 5)"), "wrong kind of value: a group of fields", "Path, Ring", None);
    check(&small("title: «5»"), "wrong kind of value: the number `5`", "a text in double quotes", None);
    check(
        &small("stop: «Silent»"),
        "wrong kind of value: the word `Silent`",
        "a list in brackets",
        Some("a list of one: [Silent]"),
    );
    check(&small("lock: «Local»"), "wrong kind of value: the word `Local`", "algorithm, rules", None);
    check(
        &small("lock: «Lokc»(rules: Repaired)"),
        "wrong kind of value: `Lokc` with values",
        "Lock(...)",
        None,
    );
    check(&small("stop: [«Silent»(3)]"), "`Silent` takes no values", "`Silent`", None);
    check(&small("stop: [«Rounds»]"), "`Rounds` takes one value in parentheses", "`Rounds(...)`", None);
    check(&small("stop: [«Rounds»(1, 2)]"), "`Rounds` takes one value in parentheses", "", None);
    check(&small("topology: «Ring»(5)"), "`Ring` takes fields, each as `name: value`", "fields nodes", None);
    check(
        &small(
            "work: Interactions(protocol: Library(name: \"x\", parameters: {«3»: 1}), initial: All(\"A\"))",
        ),
        "wrong kind of value: the number `3`",
        "a text in double quotes",
        None,
    );
    check(&small("observe: «[»]"), "wrong kind of value: a list", "counts_every", None);
    check(
        &small(
            "topology: Mobility(nodes: 5, side: 1, range: 1, speed: «1.5», pause: 1, step: 1, duration: 1)",
        ),
        "wrong kind of value: the number `1.5`",
        "2 values in parentheses",
        None,
    );
    check("«Scene»(seed: 1)", "wrong kind of value: `Scene` with values", "Scenario(...)", None);
    check("«7»", "wrong kind of value: the number `7`", "title, seed", None);
}

#[test]
fn missing_and_repeated_fields() {
    check(&small("topology: «Torus»(rows: 5)"), "missing field `columns`", "columns: a whole number", None);
    check(&small("topology: «Path»"), "missing field `nodes`", "", None);
    check("«(»\n  seed: 4,\n)", "missing field `topology`", "Ring(nodes: 100)", None);
    check("\n/* 1 */ «Scenario»  (seed: 4)", "missing field `topology`", "", None);
    check("(seed: 4,\n «seed»: 5)", "field `seed` is written twice", "it is already on line 1", None);
    check(
        &small("work: Interactions(protocol: Library(name: \"x\"), initial: Shares({\"A\": 1, «\"A\"»: 0}))"),
        "key `A` is written twice",
        "each key once",
        None,
    );
}

#[test]
fn numbers_out_of_range() {
    let top = "a whole number from 0 to 10^18";
    check(&small("topology: Ring(nodes: «-3»)"), "`-3` is negative", top, None);
    check(&small("topology: Ring(nodes: «1.5»)"), "`1.5` is not a whole number", top, None);
    check(&small("topology: Ring(nodes: «1e-3»)"), "`1e-3` is not a whole number", top, None);
    check(&small("topology: Ring(nodes: «\"10^30\"»)"), "`10^30` is above the limit 10^18", top, None);
    check(&small("topology: Ring(nodes: «1e30»)"), "`1e30` is above the limit 10^18", top, None);
    check(
        &small("topology: Ring(nodes: «1000000000000000001»)"),
        "`1000000000000000001` is above the limit 10^18",
        top,
        None,
    );
    check(
        &small("topology: Ring(nodes: «1e99999999999999999999»)"),
        "`1e99999999999999999999` is above the limit 10^18",
        top,
        None,
    );
    let long = "9".repeat(500);
    assert!(
        marked(&small(&format!("topology: Ring(nodes: «{long}»)"))).message().contains("above the limit")
    );
    check(&small("topology: Ring(nodes: «inf»)"), "`inf` is above the limit 10^18", top, None);
    check(
        &small("seed: «18446744073709551616»"),
        "`18446744073709551616` is above the limit 18446744073709551615",
        "18446744073709551615",
        None,
    );
    check(
        &small("lock: (priorities: «1»)"),
        "`1` is too small: with only one priority two contenders tie forever",
        "Auto, or a whole number from 2 to 10^18",
        None,
    );
    check(
        &small("lock: (priorities: «0»)"),
        "`0` is too small: with only one priority two contenders tie forever",
        "",
        None,
    );
    check(
        &small("ports: «0»"),
        "`0` is too small: a node without ports cannot have neighbours",
        "from 1",
        None,
    );
    let share = "a real number from 0 to 1";
    for (written, shown) in
        [("1.5", "1.5"), ("-0.1", "-0.1"), ("NaN", "NaN"), ("inf", "inf"), ("1e999", "inf"), ("2", "2")]
    {
        check(
            &small(&format!("scheduler: SemiSynchronous(activation: Random(«{written}»))")),
            &format!("`{shown}` is out of range"),
            share,
            None,
        );
    }
    check(
        &small("scheduler: SemiSynchronous(activation: Random(«\"0.5\"»))"),
        "wrong kind of value: the text `\"0.5\"`",
        share,
        None,
    );
    for written in ["0", "-1", "inf", "NaN"] {
        let text = small(&format!("topology: RandomGeometric(nodes: 5, radius: «{written}»)"));
        check(&text, &format!("`{written}` is out of range"), "a finite real number above 0", None);
    }
}

#[test]
fn syntax() {
    check(
        "(seed: 4 «title»: \"x\")",
        "`,` or `)` is expected here: found `title`",
        "`,` or `)`",
        Some("is a comma missing before this? Numbers have no unit"),
    );
    for (text, found, accepted, hint) in [
        ("(title: Ring «graph»)", "graph", ")", "is a comma missing before this? Texts are in double quotes"),
        ("(seed «1»)", "1", ")", "is a colon missing before this?"),
        ("(counts«-every»: 1)", "-every", ")", "names have `_` instead of `-`"),
        ("(seed: 1«;» ports: 2)", ";", ")", "values are separated by commas"),
        ("(topology: Ring«[»nodes: 3])", "[", ")", "values of a name are in parentheses: Ring(…)"),
        ("(\n topology: Ring(nodes: 3«]»)", "]", ")", "`(` on line 2 is still open"),
        ("(seed: 50«%»)", "%", ")", "numbers have no unit and no percent sign: 0.5"),
        ("[seed«:» 1]", ":", "]", "fields have parentheses around them: (name: value)"),
        ("(\"seed\"«:» 1)", ":", ")", "names of fields have no quotes: seed"),
    ] {
        let message = format!("`,` or `{accepted}` is expected here: found `{found}`");
        check(text, &message, &format!("`,` or `{accepted}`"), Some(hint));
    }
    check(
        "seed«:» 1",
        "something after the end: found `:`",
        "nothing more",
        Some("a file is one value, its fields in parentheses: (name: value, …)"),
    );
    check(
        "(title: «\u{201c}»a\u{201d})",
        "a value is expected here: found `\u{201c}`",
        "a value",
        Some("texts are in straight double quotes: \"…\""),
    );
    check("(title: «'»abc')", "this character is never closed", "`'`", Some("texts are in double quotes"));
    check(
        "(seed: 4,«,» ports: 2)",
        "a field name is expected here: found `,`",
        "a name",
        Some("is this comma one too many?"),
    );
    let colon = Some("is a colon missing before this?");
    check("(seed«\u{200b}»: 4)", "`,` or `)` is expected here: found `\\u{200b}`", "`,` or `)`", colon);
    check("(seed: 4) «(»)", "something after the end: found `(`", "nothing more", None);
    check(
        "(seed: 4) «trailing.garbage»",
        "something after the end: found `trailing.garbage`",
        "nothing more",
        None,
    );
    check("«(»seed: 4,\n", "`(` is never closed", "`)`", None);
    check("(stop: «[»Silent,\n", "`[` is never closed", "`]`", None);
    check("(title: «\"»abc)\n)", "this text is never closed", "`\"`", None);
    check("(title: «r»#\"abc\")\n)", "this text is never closed", "`\"`", None);
    check("(title: \"a«\\q»b\")", "`\\q` is not an escape", "\\n", None);
    check("(«/*» never closed\n seed: 4)", "this comment is never closed", "`*/`", None);
    check("(seed: «12abc»)", "`12abc` is not a number", "1_000_000", None);
    check("(seed «=» 4)", "`:` is expected here: found `=`", "`:` and a value", None);
    check("(seed: «,»)", "a value is expected here: found `,`", "a value", None);
    check(
        "«#»![enable(implicit_some)]\n()",
        "attributes are not used here: found `#`",
        "a value",
        Some("comments begin with //; `Some` may be left out without an attribute"),
    );
    check(
        "(seed: 4, «5»)",
        "a field name is expected here: found `5`",
        "a name",
        Some("digits are grouped by `_`: 12_000"),
    );
    check("(seed: «\u{a0}»4)", "a value is expected here: found `\\u{a0}`", "a value", None);
}

/// The error used to point at the value of an entry whose key is wrong, and to name types of Rust.
#[test]
fn names_and_numbers() {
    let start = |initial: &str| {
        let work = format!("work: Interactions(protocol: Library(name: \"voter\"), initial: {initial})");
        small(&format!("{work},\n\tstop: [Silent]"))
    };
    check(&start("Counts({\"0\": 3, «\"X\"»: 2})"), "unknown state `X`", "0, 1", None);
    check(
        &small(
            "work: Interactions(protocol: Library(name: \"voter\", parameters: {«\"c\"»: 2}), initial: All(\"0\")), stop: [Silent]",
        ),
        "voter has no parameter `c`",
        "k",
        None,
    );
    check(
        "(«se\u{435}d»: 4)",
        "unknown field `se\u{435}d`",
        "seed",
        Some("did you mean `seed`? `\u{435}` is U+0435"),
    );
    check(
        &small("topology: «\"Rings\"»"),
        "wrong kind of value: the text `\"Rings\"`",
        "Ring",
        Some("did you mean `Ring`?"),
    );
    check(
        &small("rung: «\"F4\"»"),
        "wrong kind of value: the text `\"F4\"`",
        "F0, F1",
        Some("names have no quotes: F4"),
    );
    check(
        &small("work: Locks(each: «forever»)"),
        "unknown word `forever`; did you mean `Forever`?",
        "Forever, or a whole number from 0 to 10^18",
        None,
    );
}

#[test]
fn columns_count_characters() {
    check(
        "(title: \"größer 日本 😀\", «sead»: 4)",
        "unknown field `sead`",
        "seed",
        Some("did you mean `seed`?"),
    );
    check("(\t\t/* ä */\t«sead»: 4)", "unknown field `sead`", "seed", Some("did you mean `seed`?"));
    check(
        "(\r\n  seed: 1,\r\n  «sead»: 4)\r\n",
        "unknown field `sead`",
        "seed",
        Some("did you mean `seed`?"),
    );
    // The line of carets keeps tabs.
    let error = refused("(\n\t\tsead: 4)");
    assert!(error.to_string().contains("\n2 | \t\tsead: 4)\n  | \t\t^^^^\n"), "{error}");
    // A byte order mark does not count as a column.
    assert_eq!(refused("\u{FEFF}(sead: 4)").column(), Some(2));
}

#[test]
fn long_lines_are_cut_around_the_place() {
    let text = format!("(title: \"{}\", sead: 4, {}", "x".repeat(5000), " ".repeat(5000));
    let error = refused(&text.replace("4, ", "4)"));
    let shown = error.to_string();
    assert_eq!(error.column(), Some(5013));
    assert!(shown.lines().all(|line| line.chars().count() < 140), "{shown}");
    let lines: Vec<&str> = shown.lines().collect();
    let caret = lines[4].chars().position(|c| c == '^').unwrap();
    assert_eq!(lines[3].chars().skip(caret).take(4).collect::<String>(), "sead");
}

#[test]
fn control_characters_do_not_reach_the_terminal() {
    for text in [
        "(sead\u{1b}[31m: 4)",
        "(\u{202e}sead: 4)",
        "(title: \u{202e}\u{2066}: 4)",
        "(title: \"\u{1b}]0;x\u{7}\", x: 4)",
    ] {
        let shown = refused(text).to_string();
        assert!(!shown.chars().any(|c| c.is_control() && c != '\n'), "{shown:?}");
        assert!(!shown.contains(['\u{202e}', '\u{2066}']), "{shown:?}");
    }
}

#[test]
fn predicates_in_a_file() {
    check(&small("stop: [Counts(\"A == 0 «&» B == 0\")]"), "`&` is not used in predicates", "`&&`", None);
    check(
        &small("stop: [Silent, Counts(\"A == 0 && «B * C» > 1\")]"),
        "a product of two counts is not linear",
        "a number times a count",
        None,
    );
    // The column counts escapes before the place as they are written in the file.
    check(
        &small("stop: [Counts(\"\\u{41}\\u{20}== \\x30 && «?» == 1\")]"),
        "`?` is not used in predicates",
        "names",
        None,
    );
    check(
        &small("stop: [Counts(r#\"A == 0 && «?» == 1\"#)]"),
        "`?` is not used in predicates",
        "names",
        None,
    );
    check(
        &small("stop: [Counts(\"A == 0\n && «B»\")]"),
        "this is a number, not true or false",
        "A == 0",
        None,
    );
    let error = refused(&small("stop: [Counts(\"A ==\")]"));
    assert_eq!(
        (error.message(), error.line(), error.column()),
        ("the predicate ends too early", Some(5), Some(21))
    );
    check(
        &small("stop: [Counts(«5»)]"),
        "wrong kind of value: the number `5`",
        "a predicate on counts",
        None,
    );
}

#[test]
fn whole_files() {
    for empty in ["", "\n\n", "// only a comment\n", "  /* x */ "] {
        let error = refused(empty);
        assert_eq!((error.message(), error.line(), error.column()), ("the text is empty", Some(1), Some(1)));
    }
    let long = " ".repeat(MAX_FILE_BYTES + 1);
    assert_eq!(refused(&long).accepted(), Some("at most 1048576 bytes"));
    let exact = format!("(sead: 4){}", " ".repeat(MAX_FILE_BYTES - 9));
    assert_eq!(refused(&exact).column(), Some(2));

    let binary = Document::parse_bytes(b"(seed: 4,\n \xc3\xa4 \xff)", "bad.ron", &[]).unwrap_err();
    assert_eq!((binary.line(), binary.column()), (Some(2), Some(4)), "{binary}");
    assert!(binary.message().contains("not UTF-8"));
    let gzip = Document::parse_bytes(b"\x1f\x8b\x08\x00rest", "bad.ron", &[]).unwrap_err();
    assert_eq!((gzip.line(), gzip.column()), (Some(1), Some(2)));
    let zero = Document::parse_bytes(b"(a: \"\0\")", "bad.ron", &[]).unwrap_err();
    assert_eq!((zero.line(), zero.column()), (Some(1), Some(6)));
}

#[test]
fn files_that_cannot_be_read() {
    let folder = tempfile::tempdir().unwrap();
    let missing = Document::read(&folder.path().join("none.ron"), &[]).unwrap_err();
    assert!(missing.message().starts_with("the scenario cannot be read: "), "{missing}");
    assert!(missing.file().ends_with("none.ron") && missing.line().is_none());
    let directory = Document::read(folder.path(), &[]).unwrap_err();
    assert_eq!(directory.message(), "this is a folder, not a scenario file");

    let path = folder.path().join("good.ron");
    std::fs::write(&path, small("seed: 4")).unwrap();
    assert_eq!(Document::read(&path, &[]).unwrap().text(), small("seed: 4"));
    std::fs::write(&path, vec![b' '; MAX_FILE_BYTES + 100]).unwrap();
    assert_eq!(Document::read(&path, &[]).unwrap_err().message(), "the file is too long for a scenario");
}

/// Regression: nesting far above the limit overflowed the stack of a recursive reader.
#[test]
fn deep_nesting() {
    for (open, close) in [("(", ")"), ("[", "]"), ("Some(", ")"), ("{", "}"), ("(a:", ")"), ("{1:", "}")] {
        let text = open.repeat(100_000) + &close.repeat(100_000);
        let error = refused(&text);
        assert_eq!(error.message(), "more than 64 nested brackets", "{open}");
        let column = open.len() * MAX_DEPTH + open.find(['(', '[', '{']).unwrap() + 1;
        assert_eq!(error.column(), Some(column as u32), "{open}");
    }
    // Exactly at the limit the depth is accepted, and only the kind of value is refused.
    let error = refused(&("[".repeat(MAX_DEPTH) + &"]".repeat(MAX_DEPTH)));
    assert!(error.message().starts_with("wrong kind of value"), "{error}");
    let comments = "/*".repeat(100_000);
    assert_eq!(refused(&comments).message(), "this comment is never closed");
    let lists = "[".repeat(55);
    let parameters = format!(
        "work: Interactions(protocol: Library(name: \"x\", parameters: {{\"a\": {lists}{}}}), initial: All(\"A\"))",
        "]".repeat(55)
    );
    assert!(Document::parse(&small(&parameters), "deep.ron").is_ok());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn arbitrary_text_never_panics(text in "\\PC*") {
        if let Err(error) = Document::parse(&text, "any.ron") {
            prop_assert!(!error.to_string().is_empty());
        }
    }

    #[test]
    fn arbitrary_bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        if let Err(error) = Document::parse_bytes(&bytes, "any.ron", &[]) {
            prop_assert!(!error.to_string().is_empty());
        }
    }

    #[test]
    fn a_broken_reference_never_panics(cut in 0_usize..6500, drop in 0_usize..40, put in "[\"'(){}\\[\\],:a-z0-9\\\\ #/*äß😀-]{0,6}") {
        let reference = include_str!("../reference.ron");
        let boundary = |mut at: usize| {
            at = at.min(reference.len());
            while !reference.is_char_boundary(at) { at -= 1; }
            at
        };
        let (start, end) = (boundary(cut), boundary(cut + drop));
        let text = format!("{}{put}{}", &reference[..start], &reference[end.max(start)..]);
        if let Err(error) = Document::parse(&text, "any.ron") {
            let (line, column) = (error.line().unwrap() as usize, error.column().unwrap() as usize);
            let written = text.split('\n').nth(line - 1).unwrap();
            prop_assert!(column <= written.chars().count() + 1, "{}", error);
        }
    }
}

/// The first error when a scenario of any kind is read and planned.
fn first_refusal(text: &str) -> DocumentError {
    let file = acrasin_scenario::ScenarioFile::parse(text, "bad.ron", &[]);
    let plan = file.and_then(|file| file.plan(&Catalogue::shipped(), "".as_ref(), 1 << 30));
    plan.map(|_| ()).expect_err(text)
}

/// Regression: an error about an earlier missing field hid a misspelt word, at any level.
#[test]
fn misspelt_words_come_before_missing_fields() {
    let population = [
        // A misspelt catalogue name after a missing field of the root, or of another name that is resolved earlier.
        ("topology: «Rin»(nodes: 5), scheduler: Sequential", "Ring"),
        ("topology: Ring(«nods»: 5), scheduler: Sequential", "nodes"),
        ("topology: Ring(nodes: 5), scheduler: «Sequentil»", "Sequential"),
        ("topology: Ring(nodes: 5), work: Idle, exclusion: «Locl»", "Local"),
        ("topology: Ring(nodes: 5), work: Idle, scheduler: SemiSynchronous, exclusion: «Locl»", "Local"),
        (
            "topology: Ring(nodes: 5), work: Idle, scheduler: SemiSynchronous(), exclusion: CriticalSections(«leas»: 1)",
            "least",
        ),
        ("topology: Ring(), work: Idle, scheduler: «Sequentil»", "Sequential"),
        ("topology: Ring(), work: Idle, scheduler: Asynchronous(adversary: «Starv»)", "Starve"),
        (
            "topology: Ring(), scheduler: Sequential, work: Interactions(protocol: Library(name: \"«one-way-epidmic»\"), initial: All(\"S\"))",
            "one-way-epidemic",
        ),
        ("topology: «Fil»(path: \"g.csv\"), scheduler: Sequential", "File"),
        ("topology: File(«pth»: \"g.csv\"), scheduler: Sequential", "path"),
        // A misspelt field after a missing field of an earlier group.
        ("topology: Ring(nodes: 5), scheduler: Sequential, work: Locks(), «exclusio»: Local", "exclusion"),
        (
            "topology: Ring(nodes: 5), scheduler: Sequential, work: Interactions(protocol: Library()), «stp»: []",
            "stop",
        ),
        (
            "topology: Ring(nodes: 5), scheduler: Sequential, work: Locks(), observe: («counts_evry»: 3)",
            "counts_every",
        ),
        ("topology: Ring(nodes: 5), scheduler: Sequential, work: Locks(), stop: [«Silnt»]", "Silent"),
    ];
    let amoebots = [
        ("amoebots: (algorithm: «Hexagn»)", "Hexagon"),
        ("amoebots: (start: Cells([(0, 0)]), algorithm: ForestWalk(«pth»: \"1\"))", "path"),
        ("amoebots: (algorithm: Hexagon), «limts»: (steps: 5)", "limits"),
        (
            "amoebots: (algorithm: ForestWalk(), start: Cells([(0, 0)])), execution: Concurrent(locks: Messages()), exclusion: «Locl»",
            "Local",
        ),
        ("amoebots: (algorithm: Hexagon, start: Blob()), limits: («step»: 5)", "steps"),
    ];
    let reactions = [
        ("reactions: (species: [\"A\"]), stop: [«Silnt»]", "Silent"),
        ("reactions: (species: [\"A\"]), «stp»: [Silent]", "stop"),
        (
            "reactions: (species: [\"A\"], rules: [], events: [(set: {\"A\": 1})]), observe: («mean_fild»: true)",
            "mean_field",
        ),
        (
            "reactions: (species: [\"A\"], rules: [], events: [(set: {\"A\": 1}), (at: 1, «nods»: {\"A\": [1]})])",
            "nodes",
        ),
        ("reactions: (species: [\"A\"]), topology: «Rng»(nodes: 5), stop: [Silent]", "Ring"),
        (
            "reactions: (species: [\"A\"], initial: Nodes(states: {}), rules: []), «topolgy»: Ring(nodes: 5)",
            "topology",
        ),
    ];
    for (fields, meant) in population.into_iter().chain(amoebots).chain(reactions) {
        let marked = format!("({fields})");
        let start = marked.find('«').unwrap();
        let text = marked.replace(['«', '»'], "");
        let error = first_refusal(&text);
        assert_eq!(error.hint(), Some(&*format!("did you mean `{meant}`?")), "{fields}: {error}");
        let quoted = usize::from(meant == "one-way-epidemic");
        let column = marked[..start].chars().count() + 1 - quoted;
        assert_eq!(error.column(), Some(column as u32), "{fields}: {error}");
    }
    // No word is misspelt, and only the missing field is reported.
    for (fields, missing) in [
        ("topology: Ring(nodes: 5), scheduler: Sequential", "work"),
        ("topology: Village(nodes: 5), scheduler: Sequential", "work"),
        ("topology: Ring(nodes: 5), scheduler: SemiSynchronous, exclusion: Local, work: Idle", "activation"),
        ("topology: Ring(nodes: 5), scheduler: Sequential, work: Locks(), stop: [Silent]", "each"),
    ] {
        assert_eq!(first_refusal(&format!("({fields})")).message(), format!("missing field `{missing}`"));
    }
}
