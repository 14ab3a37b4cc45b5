//! Reads files in every format: good ones give the expected graph or trace, broken ones the expected message.

use std::num::NonZeroU32;
use std::path::{Path, PathBuf};

use acrasin_graphs::read::{self, FileFormat};
use acrasin_graphs::trace::{self, Contact, TraceFormat, TraceOptions};

fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name)
}

/// The message without the folder of the file.
fn shown(error: &acrasin_graphs::ReadError) -> String {
    let name = Path::new(error.file()).file_name().unwrap().to_string_lossy().into_owned();
    error.to_string().replacen(error.file(), &name, 1)
}

#[test]
fn the_house_is_the_same_in_every_format() {
    let edges = [(0, 1), (0, 3), (1, 2), (2, 3), (2, 4), (3, 4)];
    for name in ["house.txt", "house.txt.gz", "house.graph", "house.mtx", "house.g6", "house.dot"] {
        let loaded = read::from_path(&data("good").join(name), None).unwrap();
        assert_eq!((loaded.graph.nodes(), loaded.graph.edges()), (5, &edges[..]), "{name}");
        // METIS and Matrix Market count from 1.
        let first = if name.ends_with(".graph") || name.ends_with(".mtx") { "1" } else { "0" };
        assert_eq!(loaded.graph.label(0), first, "{name}");
        assert_eq!((loaded.notes.self_loops_dropped, loaded.notes.duplicates_merged), (0, 0), "{name}");
    }
    assert!(FileFormat::of_path(&data("good/ward.intervals")).is_none());
    let error = read::from_path(&data("good/ward.intervals"), None).unwrap_err();
    assert_eq!(error.problem(), "the extension does not belong to a graph format");
}

#[test]
fn the_ward_is_the_same_in_every_form() {
    let contact = |start, a, b, end| Contact { start, a, b, end };
    let contacts = [contact(0, 0, 1, 40), contact(20, 0, 2, 40), contact(80, 0, 1, 100)];
    for (name, format, resolution, records) in [
        ("ward.tsv", TraceFormat::ContactList, 20, 4),
        ("ward.tsv.gz", TraceFormat::ContactList, 20, 4),
        ("ward.intervals", TraceFormat::Intervals, 1, 3),
    ] {
        let options = TraceOptions::strict(NonZeroU32::new(resolution).unwrap());
        let trace = trace::from_path(&data("good").join(name), format, &options).unwrap();
        assert_eq!(trace.contacts(), contacts, "{name}");
        assert_eq!((trace.begin(), trace.end(), trace.records()), (0, 100, records), "{name}");
        assert_eq!((0..3).map(|node| trace.labels().unwrap().of(node)).collect::<Vec<_>>(), ["7", "9", "12"]);
    }
}

#[test]
fn broken_graph_files() {
    for (name, message) in [
        ("one-column.txt", "one-column.txt:2: an invalid line: `1`"),
        ("only-comments.txt", "only-comments.txt: empty file: it has no edges"),
        ("empty.txt", "empty.txt: empty file: the file has no bytes"),
        ("one-sided.graph", "one-sided.graph:3: node 2 lists a neighbour that does not list it: `3`"),
        (
            "too-many-nodes.graph",
            "too-many-nodes.graph:1:1: not a number of nodes: `1000000000000000000000000000000`",
        ),
        ("not-square.mtx", "not-square.mtx:2: a matrix that is not square: `3 4 1`"),
        ("too-short.g6", "too-short.g6:1: 2 characters for 5 nodes: `DQ`"),
        ("arrow-in-graph.dot", "arrow-in-graph.dot:2:5: the edge sign of the other kind of graph: `-> b`"),
        ("binary.txt", "binary.txt:2: binary or compressed file: a NUL at byte 4"),
        ("not-utf8.txt", "not-utf8.txt:2: byte 4 is 0xFF, not UTF-8: the file is likely Latin-1"),
        ("absent.txt", "absent.txt: no such file"),
        ("", "broken: is a folder"),
    ] {
        let error = read::from_path(&data("broken").join(name), None).unwrap_err();
        assert!(shown(&error).starts_with(message), "{error}");
        assert!(!error.accepted().is_empty());
    }
}

#[test]
fn broken_contact_files() {
    for (name, message) in [
        ("broken-line.tsv", "broken-line.tsv:2: an invalid line: `40 1`"),
        ("unsorted.tsv", "unsorted.tsv:3: time 40 s follows time 60 s of line 2: `40 1 2`"),
        ("self-contact.tsv", "self-contact.tsv:2: a contact of 3 with itself: `40 3 3`"),
        ("duplicate.tsv", "duplicate.tsv:2: 1 and 2 are already in contact, by line 1"),
        ("empty.txt", "empty.txt: empty file: the file has no bytes"),
        ("only-comments.txt", "only-comments.txt: empty file: it has no contacts"),
        ("binary.txt", "binary.txt:2: binary or compressed file: a NUL at byte 4"),
        ("absent.tsv", "absent.tsv: no such file"),
        ("", "broken: is a folder"),
    ] {
        let options = TraceOptions::sociopatterns();
        let error =
            trace::from_path(&data("broken").join(name), TraceFormat::ContactList, &options).unwrap_err();
        assert!(shown(&error).starts_with(message), "{error}");
        assert!(!error.accepted().is_empty());
    }
}
