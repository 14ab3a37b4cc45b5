//! `acrasin check-certificate`.

use crate::program::Scratch;

const BROADCAST: &str = r#"(
    states: ["yes", "no"],
    inputs: ["yes", "no"],
    rules: [Symmetric("yes + no -> yes + yes")],
    default: Null,
)"#;

const CERTIFICATE: &str = r#"{"format":"all-n/1","states":["yes","no"],"transitions":[[[0,1],[0,0]]],"sides":[
{"value":true,"tree":{"steps":[{"kind":"rank","dead":[0],"weights":{"1":1}}],
 "proof":{"cases":["either",0],"of":[
  {"farkas":[[2,"1"],[6,"1"],[7,"1"]]},{"cases":["either",1],"of":[{"farkas":[[7,"1"],[8,"1"]]}]}]}}},
{"value":false,"tree":{"steps":[],"proof":{"cases":["either",0],"of":[
 {"cases":["siphon",[0]],"of":[{"farkas":[[8,"1"]]},{"farkas":[[6,"1"],[8,"1"]]},
  {"farkas":[[6,"1"],[7,"1"],[8,"1"]]}]}]}}}]}"#;

#[test]
fn a_certificate_is_accepted_refused_or_not_read() {
    let place = Scratch::new();
    place.file("protocol.ron", BROADCAST);
    place.file("proof.json", CERTIFICATE);
    let claim = ["check-certificate", "proof.json", "protocol.ron", "--predicate", "yes >= 1"];
    let ran = place.run(&claim).exits(0);
    let tail = "claim: computes yes >= 1\nanswers: yes = yes; no = no\n\
        accepted: the claim holds for every population of two or more agents\n\
        2 nodes, steps: 1 rank; 9 inferences\nsilence is not proved: up to 1 transition may occur forever\n";
    assert!(ran.out.ends_with(tail), "{}", ran.out);
    assert_eq!(ran.err, "");
    // A condition, another claim, another protocol.
    let ran = place.run(&[&claim[..], &["--given", "no >= 1"]].concat()).exits(1);
    assert!(ran.out.contains("\nrefused: proof.json: sides[0].tree.proof.of[0] (byte 200): "), "{}", ran.out);
    let ran = place.run(&["check-certificate", "proof.json", "protocol.ron", "--predicate", "yes >= 2"]);
    let said =
        "refused: proof.json: sides[1].tree.proof.of[0].of[1] (byte 424): the sum is not a contradiction";
    assert!(ran.exits(1).out.contains(said));
    let ran =
        place.run(&["check-certificate", "proof.json", "exact-majority", "--predicate", "A > B"]).exits(1);
    assert!(ran.out.contains("states (byte 29): another protocol: its state 0 is `A`"), "{}", ran.out);
    for (changed, said) in [
        (
            CERTIFICATE.replacen("\"1\"]", "\"-1\"]", 1),
            "sides[0].tree.proof.of[0].farkas[0][1] (byte 214): found a text `-1`\n = accepted: a positive fraction",
        ),
        (
            CERTIFICATE.replacen("dead", "died", 1),
            "there is no field `died`\n = accepted: kind, weights, dead, proofs, items",
        ),
        (CERTIFICATE[..200].to_owned(), "the file ends too early"),
        (String::new(), "the whole file (byte 0): the file ends too early\n = accepted: a value"),
        ("[".repeat(1 << 20), "the file ends too early"),
    ] {
        place.file("proof.json", &changed);
        let ran = place.run(&claim).exits(2);
        assert!(ran.err.starts_with("error: proof.json: ") && ran.err.contains(said), "{}", ran.err);
        assert_eq!(ran.out, "");
    }
    // Claims that are mistakes.
    for (further, said) in [
        (&["--given", "n < 2"][..], "--given \"n < 2\": no input of two or more agents meets it"),
        (&["--given", "3 >= 2"][..], "--given \"3 >= 2\" counts no input state"),
    ] {
        let ran = place.run(&[&claim[..], further].concat()).exits(2);
        assert!(ran.err.contains(said) && ran.out.is_empty(), "{}", ran.err);
    }
    let constant = ["check-certificate", "proof.json", "protocol.ron", "--predicate", "1 >= 4"];
    assert!(place.run(&constant).exits(2).err.contains("counts no input state"));
    let ran = place.run(&claim[..3]).exits(2);
    assert!(ran.err.contains("--predicate or --eventually"), "{}", ran.err);
}
