//! Every reader of files and short texts. The tests with random inputs and the fuzz targets use this list.

use std::num::NonZeroU32;

use acrasin_certificate::Certificate;
use acrasin_graphs::read::{self, FileFormat};
use acrasin_graphs::trace::{self, TraceFormat, TraceOptions};
use acrasin_process::CheckpointParts;
use acrasin_protocols::predicate::Predicate;
use acrasin_report::rows::Rows;
use acrasin_scenario::{InputFile, ScenarioFile};
use acrasin_verify::conformance;
use acrasin_verify::replay::ReplayReader;
use acrasin_verify::swarm::Counterexample;

/// A reader: its name, the folders of its files, and a function that is true if an input is accepted.
pub(crate) type Reader = (&'static str, &'static [&'static str], fn(&[u8]) -> bool);

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

pub(crate) const READERS: [Reader; 15] = [
    ("scenarios", &["examples", "protocols/scenarios", "testdata/bad/text", "testdata/bad/locks"], |bytes| {
        ScenarioFile::parse(&text(bytes), "x.ron", &[]).is_ok()
    }),
    (
        "scenarios of amoebots",
        &["amoebot/scenarios", "testdata/bad/amoebots", "testdata/bad/chains"],
        |bytes| ScenarioFile::parse(&text(bytes), "x.ron", &[]).is_ok(),
    ),
    ("reactions", &["testdata/bad/reactions"], |bytes| {
        ScenarioFile::parse(&text(bytes), "x.ron", &[]).is_ok()
    }),
    ("protocols", &["examples/protocols", "testdata/bad/protocols", "testdata/bad/populations"], |bytes| {
        InputFile::parse(&text(bytes), "x.ron", &[]).is_ok()
    }),
    ("algorithms of amoebots", &["amoebot/algorithms", "testdata/bad/algorithms"], |bytes| {
        acrasin_scenario::amoebot::algorithm::from_text(bytes, "x.ron").is_ok()
    }),
    ("drawings", &["testdata/bad/drawings"], |bytes| acrasin_amoebot::start::drawing(&text(bytes)).is_ok()),
    ("graphs", &["testdata/bad/graphs"], |bytes| {
        FileFormat::ALL.iter().filter(|(format, ..)| read::from_bytes(bytes, "x", *format).is_ok()).count()
            > 0
    }),
    ("contact traces", &["testdata/bad/contacts"], |bytes| {
        let options = TraceOptions::strict(NonZeroU32::MIN);
        let is_read = |format| trace::from_bytes(bytes, "x", format, &options).is_ok();
        is_read(TraceFormat::ContactList) | is_read(TraceFormat::Intervals)
    }),
    ("recordings", &["testdata/replays", "testdata/bad/recordings"], |bytes| {
        // No change of a file keeps the digest of a counterexample.
        let _ = Counterexample::read("x", bytes);
        ReplayReader::open("x.jsonl", bytes).is_ok_and(|mut steps| steps.all(|step| step.is_ok()))
    }),
    ("conformance files", &["crates/verify/testdata", "testdata/bad/conformance"], |bytes| {
        conformance::run("x.jsonl", bytes).is_ok()
    }),
    ("checkpoints", &["testdata/bad/checkpoints"], |bytes| {
        CheckpointParts::read(&mut &bytes[..], bytes.len() as u64).is_ok()
    }),
    ("rows", &["testdata/bad/rows"], |bytes| Rows::read(&text(bytes)).is_ok()),
    ("certificates", &["testdata/certificates"], |bytes| Certificate::parse(&text(bytes)).is_ok()),
    ("predicates", &[], |bytes| Predicate::parse(&text(bytes)).is_ok()),
    ("overrides", &[], |bytes| {
        let set = ("stop".to_owned(), text(bytes));
        ScenarioFile::parse("(amoebots: (algorithm: Hexagon, start: Line(count: 3)))", "x.ron", &[set])
            .is_ok()
    }),
];
