//! Untrusted files: no part of them reaches the terminal unescaped, and none ends the program abnormally.

use std::fs;

use crate::program::{PUBLISHED, Ran, SMALL, Scratch};

/// Escape sequences, a C1 control, a delete, a direction mark.
const HOSTILE: &str = "x\u{1b}]0;y\u{7}\u{9b}31m\u{7f}\u{202e}z";

fn is_hostile(character: char) -> bool {
    (character.is_control() && !matches!(character, '\n' | '\t')) || character == '\u{202e}'
}

#[track_caller]
fn is_clean(ran: &Ran) {
    for text in [&ran.out, &ran.err] {
        assert!(!text.contains(is_hostile), "{text:?}");
    }
    assert!(ran.err.len() <= 4200, "{} bytes: {}", ran.err.len(), ran.err);
}

/// A recording of two nodes with a changed header.
fn recording(place: &Scratch, name: &str, change: impl Fn(&mut serde_json::Map<String, serde_json::Value>)) {
    let lines = fs::read_to_string(place.path().join("r.jsonl")).unwrap();
    let (header, rest) = lines.split_once('\n').unwrap();
    let mut header: serde_json::Value = serde_json::from_str(header).unwrap();
    change(header.as_object_mut().unwrap());
    place.file(name, format!("{header}\n{rest}"));
}

#[test]
fn texts_of_a_recording_do_not_reach_the_terminal() {
    let place = Scratch::new();
    place.file("m.ron", PUBLISHED);
    place.run(&["run", "m.ron", "--seed", "3", "--record", "r.jsonl"]);
    let lines = fs::read_to_string(place.path().join("r.jsonl")).unwrap();
    recording(&place, "note.jsonl", |header| {
        header.insert("note".into(), format!("{HOSTILE}\nreproduced: 99 steps").into());
    });
    recording(&place, "algorithm.jsonl", |header| drop(header.insert("algorithm".into(), HOSTILE.into())));
    recording(&place, "field.jsonl", |header| drop(header.insert(HOSTILE.into(), 1.into())));
    recording(&place, "long.jsonl", |header| drop(header.insert("q".repeat(100_000), 1.into())));
    recording(&place, "scenario.jsonl", |header| {
        header.insert("scenario".into(), format!("(title: \"{HOSTILE}\", {HOSTILE}: 1)").into());
    });
    place.file(
        "step.jsonl",
        lines.replacen("[\"lock\"", &format!("[{:?}", HOSTILE.replace('\u{202e}', "")), 1),
    );
    for name in ["note", "algorithm", "field", "long", "scenario", "step"] {
        for command in ["replay", "view"] {
            let output: &[&str] = if command == "view" { &["--force"] } else { &[] };
            let ran = place.run(&[&[command, &*format!("{name}.jsonl")], output].concat());
            is_clean(&ran);
            assert_eq!(ran.code == Some(2), name != "note", "{name}: {ran:#?}");
        }
    }
    // A note has one line, so it cannot imitate the program's messages.
    let said = place.run(&["replay", "note.jsonl"]).err;
    assert_eq!(said.lines().filter(|line| line.starts_with("reproduced: ")).count(), 1, "{said}");
}

#[test]
fn texts_of_scenarios_rows_and_conformance_files_do_not_reach_the_terminal() {
    let place = Scratch::new();
    place.file("m.ron", SMALL.replacen('(', &format!("(title: \"{HOSTILE}\\nholds\","), 1));
    for arguments in [
        &["run", "m.ron", "--verbose"][..],
        &["run", "m.ron", "--format", "csv"],
        &["run", "m.ron", "--format", "jsonl"],
        &["run", "m.ron", "-o", "out"],
        &["sweep", "m.ron", "--over", "topology.nodes=[12]", "--format", "csv"],
        &[
            "check",
            "m.ron",
            "--set",
            "topology=Path(nodes: 2)",
            "--set",
            "work.initial=All(\"I\")",
            "--max-time",
            "2s",
        ],
    ] {
        let ran = place.run(arguments);
        is_clean(&ran);
        assert!(!ran.out.lines().any(|line| line == "holds"), "{}", ran.out);
        assert!(ran.code != Some(2), "{ran:#?}");
    }
    for name in ["record.csv", "record.jsonl", "record.txt", "counts.svg"] {
        let text = fs::read_to_string(place.path().join("out").join(name)).unwrap();
        assert!(!text.contains(is_hostile), "{name}: {text:?}");
    }
    place.file("rows.csv", format!("\"{HOSTILE}\",b,{}\n1,2,3\n4,5,{HOSTILE}\n", "n".repeat(50_000)));
    place
        .file("rows.jsonl", format!("{{{HOSTILE:?}:1}}\n").replace("\\u{", "\\u00").replace('}', "") + "}\n");
    for rows in ["rows.csv", "rows.jsonl"] {
        for column in ["b", "c", HOSTILE] {
            is_clean(&place.run(&["plot", rows, "--x", column, "--y", "nn"]));
        }
    }
    place.file("c.jsonl", "{\"id\":\"x\\u001b[31m\",\"n\":1}\n");
    is_clean(&place.run(&["conform", "c.jsonl", "--verbose"]).exits(2));
}

/// Regression: numbers whose difference is not finite were drawn forever, and a text of any length was repeated whole.
#[test]
fn plot_refuses_numbers_too_large_for_an_axis_and_shortens_texts() {
    let place = Scratch::new();
    for (row, said) in [
        ("1,1e308", "b of row 1 is 1e308\n = accepted: numbers from -1e300 to 1e300"),
        ("-1.5e300,2", "a of row 1 is -1.5e300\n = accepted: numbers from -1e300 to 1e300"),
        ("1e300,-1e300", ""),
    ] {
        place.file("rows.csv", format!("a,b\n{row}\n1,2\n"));
        for kind in [&["--y", "b"][..], &["--y", "a", "--kind", "ecdf"]] {
            let is_drawn = said.is_empty() || kind.len() > 2 && said.starts_with('b');
            let ran = place.run(&[&["plot", "rows.csv", "--x", "a"], kind].concat());
            let ran = ran.exits(if is_drawn { 0 } else { 2 });
            assert!(is_drawn || ran.err.contains(said), "{row} {kind:?}: {}", ran.err);
        }
    }
    place.file("rows.csv", format!("a,b\n1,{}\n", "x".repeat(5000)));
    let refused = place.run(&["plot", "rows.csv", "--x", "a", "--y", "b"]).exits(2).err;
    assert!(refused.contains("b of row 1 is not a number: xxx") && refused.len() < 300, "{refused}");
}

#[test]
fn no_message_is_in_the_words_of_a_library() {
    let place = Scratch::new();
    place.file("m.ron", PUBLISHED);
    place.run(&["run", "m.ron", "--seed", "3", "--record", "r.jsonl"]);
    place.run(&["run", "m.ron", "--seed", "3", "--record", "r.jsonl.gz"]);
    let lines = fs::read_to_string(place.path().join("r.jsonl")).unwrap();
    let mut packed = fs::read(place.path().join("r.jsonl.gz")).unwrap();
    place.file("cut.jsonl.gz", &packed[..packed.len() - 20]);
    packed.iter_mut().skip(30).take(20).for_each(|byte| *byte ^= 0xff);
    place.file("damaged.jsonl.gz", &packed);
    place.file("plain.jsonl.gz", &lines);
    place.file("key.jsonl", "{1:2}\n");
    place.file("type.jsonl", lines.replacen("\"seed\":3", "\"seed\":\"3\"", 1));
    place.file("rows.jsonl", "{\"a\":1}\n{1:2}\n{\"a\":1}\n");
    place.file("cut.csv", "a,b\n1,\"2\n");
    place.file("binary.csv", b"a,b\n1,\xff\n");
    place.file("graph.txt.gz", &packed);
    place.file("graph.ron", SMALL.replace("Ring(nodes: 12)", "File(path: \"graph.txt.gz\")"));
    let step = "{\"id\":\"t\",\"n\":1,\"father\":[0],\"rule\":{\"kind\":\"raymond\"},\"queue\":\"fifo\",\"steps\":[[7]],\"end\":[]}";
    place.file("tokens.jsonl", format!("{step}\n"));
    for (arguments, said) in [
        (&["replay", "cut.jsonl.gz"][..], "cut off"),
        (&["replay", "damaged.jsonl.gz"], "damaged"),
        (&["replay", "plain.jsonl.gz"], "not gzip data"),
        (&["replay", "plain.jsonl.gz", "--at", "1"], "not gzip data"),
        (&["view", "damaged.jsonl.gz", "-o", "v.html"], "damaged"),
        (&["conform", "plain.jsonl.gz"], "not gzip data"),
        (&["replay", "key.jsonl"], "a name in double quotes is expected here"),
        (&["replay", "type.jsonl"], "seed: found string \"3\": a whole number"),
        (&["plot", "rows.jsonl", "--x", "a", "--y", "a"], "rows.jsonl:2: not a row"),
        (&["plot", "cut.csv", "--x", "a", "--y", "b"], "cut.csv:2: a quote is never closed"),
        (&["plot", "binary.csv", "--x", "a", "--y", "b"], "binary.csv:2: not text: byte 6 is 0x"),
        (&["run", "graph.ron"], "gzip data"),
        (&["conform", "tokens.jsonl"], "steps: a step is [event, sent, state, tree]"),
    ] {
        let ran = place.run(arguments).exits(2);
        assert!(ran.err.contains(said), "{arguments:?}: {}", ran.err);
        for word in ["deflate", "stream", "untagged", "line 1 column", "struct ", "valid UTF-8", "EOF"] {
            assert!(!ran.err.contains(word), "{arguments:?}: {}", ran.err);
        }
    }
}

/// Standard error used to report the run as reproduced and standard output as not, and the page showed another run
/// under the recorded outcome.
#[test]
fn a_recording_with_another_end_is_reproduced_nowhere() {
    let place = Scratch::new();
    let line = "(seed: 1, amoebots: (algorithm: Hexagon, start: Line(count: 6)), execution: Waves)";
    place.file("a.ron", line);
    place.file("m.ron", SMALL);
    for (scenario, recording) in [("a.ron", "a.jsonl"), ("m.ron", "m.jsonl")] {
        place.run(&["run", scenario, "--record", recording]).exits(0);
        let said = place.run(&["replay", recording]).exits(0);
        assert!(said.err.contains("reproduced: ") && said.out.contains("reproduced"), "{said:#?}");
        let lines = fs::read_to_string(place.path().join(recording)).unwrap();
        let at = lines.rfind("\"digest\":\"").unwrap() + 10;
        place.file("other.jsonl", format!("{}{}{}", &lines[..at], "0".repeat(32), &lines[at + 32..]));
        let said = place.run(&["replay", "other.jsonl"]).exits(1);
        assert!(!said.err.contains("reproduced: ") && !said.out.contains("  reproduced"), "{said:#?}");
        let said = place.run(&["view", "other.jsonl", "-o", "v.html"]).exits(1);
        assert!(said.err.contains(&"0".repeat(32)), "{}", said.err);
        assert!(!place.names().contains(&"v.html".to_owned()));
        place.run(&["view", recording, "-o", "v.html"]).exits(0);
        fs::remove_file(place.path().join("v.html")).unwrap();
    }
}

#[test]
fn a_flag_of_another_command_is_named_with_it() {
    let place = Scratch::new();
    let said = place.run(&["run", "m.ron", "--over", "a=1"]).exits(2).err;
    assert!(said.contains("`acrasin run` has no --over") && said.contains("acrasin sweep --over"), "{said}");
    assert!(!said.contains("--version"), "{said}");
    // For a flag of no command the most similar one is suggested.
    assert!(place.run(&["run", "m.ron", "--sedd", "1"]).exits(2).err.contains("--seed"));
}

/// A page is read by a browser, in which a raw ESC would be an ill-formed character.
#[test]
fn a_title_reaches_the_page_without_control_characters() {
    let place = Scratch::new();
    place.file("m.ron", SMALL.replacen('(', &format!("(title: \"{HOSTILE}</title>\","), 1));
    is_clean(&place.run(&["view", "m.ron", "-o", "m.html"]).exits(0));
    let page = fs::read_to_string(place.path().join("m.html")).unwrap();
    assert!(!page.contains('\u{1b}'));
    let (_, title) = page.split_once("<title>").unwrap();
    let (title, _) = title.split_once("</title>").unwrap();
    assert!(!title.contains(is_hostile), "{title:?}");
    assert!(title.contains("x\\u{1b}]0;y\\u{7}") && title.contains("&lt;/title&gt;"), "{title:?}");
    // The same in pictures of amoebots, which have the title as text.
    place.file(
        "h.ron",
        format!("(title: \"{HOSTILE}\", seed: 1, amoebots: (algorithm: Hexagon, start: Line(count: 3)))"),
    );
    is_clean(&place.run(&["run", "h.ron", "-o", "out"]).exits(0));
    for name in ["start.svg", "end.svg"] {
        let picture = fs::read_to_string(place.path().join("out").join(name)).unwrap();
        assert!(picture.contains("x\\u{1b}]0;y\\u{7}") && !picture.contains(is_hostile), "{name}");
    }
}
