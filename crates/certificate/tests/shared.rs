//! The certificates of the shared corpus.

use crate::corpus::certified_rows;
use crate::oracle::shared;

#[test]
fn all_certificates_of_the_corpus_are_accepted() {
    let rows = certified_rows();
    if shared("corpus/certificates").is_some() {
        assert_eq!(rows.len(), 21);
    }
    for (row, text) in rows {
        let summary = row.claim().verdict(&text).unwrap_or_else(|why| panic!("{}: {why}", row.name));
        println!("{}: {summary:?}", row.name);
        assert!(summary.nodes() > 0 && summary.inferences() > 0);
    }
}
