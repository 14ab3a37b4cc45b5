//! Limits of the checker: tests at each limit, and one above it.

use std::ops::ControlFlow;

use acrasin_certificate::limits::{
    CERTIFICATE_BYTES_MAX, CERTIFICATE_VALUES_MAX, DRAWN_NODES_MAX, NUMBER_DIGITS_MAX, TREE_LEVELS_MAX,
};
use acrasin_certificate::{Certificate, explain};

use crate::corpus::{CheckedClaim, row};

fn claim() -> CheckedClaim {
    let count = r#"Table(states: ["p"], inputs: ["p"], rules: [], default: Null)"#;
    row(count, None, Some("p >= 1")).claim()
}

/// A certificate with a chain of `splits` splits, and a factor of its proof.
fn chain(splits: usize, factor: &str) -> String {
    let tree = format!(
        "{}{{\"steps\":[],\"proof\":{{\"farkas\":[[3,\"{factor}\"],[4,\"{factor}\"]]}}}}{}",
        "{\"steps\":[],\"split\":0,\"children\":[".repeat(splits),
        ",{\"steps\":[]}]}".repeat(splits)
    );
    format!(
        "{{\"format\":\"all-n/1\",\"states\":[\"p\"],\"transitions\":[],\"sides\":[{{\"value\":true,\"tree\":{tree}}}]}}"
    )
}

#[test]
fn a_certificate_has_at_most_the_largest_number_of_bytes() {
    let mut text = chain(1, "1");
    text.extend(std::iter::repeat_n(' ', CERTIFICATE_BYTES_MAX - text.len()));
    assert!(claim().verdict(&text).is_ok());
    text.push(' ');
    let refusal = claim().verdict(&text).unwrap_err();
    assert!(refusal.contains("bytes"), "{refusal}");
}

#[test]
fn a_certificate_has_at_most_the_largest_number_of_values() {
    // An array is one value more than its members.
    let of = |values: usize| format!("[0{}]", ",0".repeat(values - 2));
    let past = claim().verdict(&of(CERTIFICATE_VALUES_MAX + 1)).unwrap_err();
    let at = claim().verdict(&of(CERTIFICATE_VALUES_MAX)).unwrap_err();
    let said = "too many values";
    assert!(past.contains(said) && !at.contains(said), "{past}; {at}");
}

#[test]
fn a_number_has_at_most_the_largest_number_of_digits() {
    assert!(claim().verdict(&chain(1, &"7".repeat(NUMBER_DIGITS_MAX))).is_ok());
    let refusal = claim().verdict(&chain(1, &"7".repeat(NUMBER_DIGITS_MAX + 1))).unwrap_err();
    assert!(refusal.contains("digits") || refusal.contains("too long"), "{refusal}");
}

#[test]
fn a_tree_has_at_most_the_largest_number_of_levels() {
    let summary = claim().verdict(&chain(TREE_LEVELS_MAX - 1, "1")).unwrap();
    assert_eq!(summary.nodes(), 2 * TREE_LEVELS_MAX as u64 - 1);
    let refusal = claim().verdict(&chain(TREE_LEVELS_MAX, "1")).unwrap_err();
    assert!(refusal.contains("levels"), "{refusal}");
}

#[test]
fn a_picture_has_at_most_the_largest_number_of_nodes() {
    // A chain has an odd number of nodes.
    let splits = (DRAWN_NODES_MAX - 1) / 2;
    let CheckedClaim { table, inputs, claim } = claim();
    for (splits, is_drawn) in [(splits, true), (splits + 1, false)] {
        let certificate = Certificate::parse(&chain(splits, "1")).unwrap();
        let explanation =
            explain(&certificate, &table, &inputs, &claim, &mut || ControlFlow::Continue(())).unwrap();
        assert_eq!(explanation.summary().nodes(), 2 * splits as u64 + 1);
        assert_eq!(explanation.svg().is_some(), is_drawn, "{splits} splits");
    }
}
