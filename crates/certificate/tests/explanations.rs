//! Proofs in words and as pictures.

use std::ops::ControlFlow;

use acrasin_certificate::{Certificate, explain};

use crate::corpus::{certified_rows, row};

const FRATRICIDE: &str =
    r#"Table(states: ["L", "F"], inputs: ["L"], rules: [Ordered("L + L -> L + F")], default: Null)"#;

#[test]
fn a_small_proof_is_written_out() {
    let claim = row(FRATRICIDE, None, Some("F >= 1")).claim();
    let text = r#"{"format":"all-n/1","states":["L","F"],"transitions":[[[0,0],[0,1]]],"sides":[{"value":true,
        "tree":{"steps":[{"kind":"rank","dead":[0],"weights":{"0":1}}],"proof":{"farkas":[[4,"1"],[5,"1"],[6,"1"]]}}}]}"#;
    let certificate = Certificate::parse(text).unwrap();
    let explanation =
        explain(&certificate, &claim.table, &claim.inputs, &claim.claim, &mut || ControlFlow::Continue(()))
            .unwrap();
    let expected = "\
        Suppose that some input leads to a set of configurations that is never left, visited again and again,\n\
        and that contains a configuration in which F >= 1 does not hold. Call this set the end.\n\
        \n\
        All inputs\n  \
          1 transition may occur in the end.\n  \
          1. L + L -> L + F does not occur in the end: it lowers L, which nothing raises.\n  \
          Nothing can occur in the end: it is one silent configuration.\n  \
          No such configuration is wrong:\n    \
            Impossible: there are at least two agents, at most 1 agent is in L and the claim is not met.\n\
        So no such set exists, and the claim holds for every population of two or more agents.\n";
    assert_eq!(explanation.text(), expected);
    let svg = explanation.svg().unwrap();
    assert!(svg.starts_with("<svg ") && svg.contains(">right, silent</text>"), "{svg}");
}

#[test]
fn every_proof_of_the_corpus_is_explained() {
    for (row, text) in certified_rows() {
        let claim = row.claim();
        let certificate = Certificate::parse(&text).unwrap();
        let run =
            || {
                explain(&certificate, &claim.table, &claim.inputs, &claim.claim, &mut || {
                    ControlFlow::Continue(())
                })
            };
        let explanation = run().unwrap();
        assert_eq!(claim.verdict(&text).as_ref(), Ok(explanation.summary()), "{}", row.name);
        assert_eq!(run().unwrap(), explanation, "{}", row.name);
        let boxes = explanation.svg().unwrap().matches("rx=\"4\"").count() as u64;
        let sides = if row.eventually.is_some() { 1 } else { 2 };
        assert_eq!(boxes, explanation.summary().nodes() + sides, "{}", row.name);
        assert!(explanation.text().contains("No such configuration is wrong:"), "{}", row.name);
    }
}
