//! The shared corpus, if it is present.

use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use acrasin_verify::conformance;

/// The shared corpus is next to the project, not in it.
const SHARED: &str =
    concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/corpus/local-mutual-exclusion.jsonl");

#[test]
fn the_shared_corpus_has_no_differences() {
    let path = Path::new(SHARED);
    if !path.exists() {
        eprintln!("SKIPPED: {SHARED} is not there; the corpus in testdata/ is tested all the same");
        return;
    }
    let report = conformance::run("shared", BufReader::new(File::open(path).unwrap())).unwrap();
    for difference in report.differences() {
        eprintln!("{difference}");
    }
    assert_eq!((report.scenarios(), report.difference_count()), (32, 0), "{report}");
    println!("{report}");
}
