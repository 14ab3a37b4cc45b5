//! Protocols of the library: what their entries say is proved.

use std::ops::ControlFlow;

use acrasin_catalogue::Entry as _;
use acrasin_catalogue::parameter::Values;
use acrasin_certificate::{Certificate, check};
use acrasin_protocols::library::{ProtocolEntry, ProvedClaim};
use acrasin_protocols::predicate::Predicate;
use acrasin_prover::{EverySize, ProofLimits, SizedClaim, interaction_bound, prove};
use acrasin_verify::population::{Answers, Claim};

/// Entries without a proved claim, with the reason.
const WITHOUT: [(&str, &str); 10] = [
    ("averaging", "the claim that loads differ by at most 1 is a list of ten cases"),
    ("cancel-split", "it can fall silent with opposite votes"),
    ("cyclic-species", "it can end with several species that do not eat each other"),
    ("leader-clock", "a clock, no end"),
    ("junta-clock", "a clock, no end"),
    ("synthetic-coin", "a coin, no end"),
    ("size-estimation", "the law of the estimate is claimed, no predicate"),
    ("silent-ranking", "for one population size only"),
    ("loosely-stabilising-leader", "no leader stays forever"),
    ("competing-values", "with 202 states it was not tried"),
];

fn claim(entry: &ProtocolEntry, proved: &ProvedClaim) -> (acrasin_protocols::Table, Vec<u16>, Claim) {
    let table = entry.build(&Values::default()).unwrap().into_table();
    let predicate = Predicate::parse(proved.predicate).unwrap();
    let claim = match proved.answers {
        None => Claim::eventually(&table, &predicate).unwrap(),
        Some([yes, no]) => {
            let answers = Answers::new(&table, yes, no).unwrap();
            Claim::computes(&table, &predicate, &answers).unwrap()
        }
    };
    let claim = match proved.given {
        None => claim,
        Some(given) => claim.given(&table, &Predicate::parse(given).unwrap()).unwrap(),
    };
    let inputs = proved.inputs.iter().map(|name| table.state(name).unwrap()).collect();
    (table, inputs, claim)
}

#[test]
fn entries_of_the_library_say_what_is_proved() {
    let mut wrong = Vec::new();
    for entry in ProtocolEntry::shipped() {
        let reason = WITHOUT.iter().find(|(name, _)| *name == entry.name);
        let Some(proved) = entry.proved else {
            assert!(reason.is_some(), "{}: neither a claim nor a reason", entry.name);
            continue;
        };
        assert!(reason.is_none(), "{}: a claim, and a reason why there is none", entry.name);
        let (table, inputs, claim) = claim(&entry, &proved);
        let sized = SizedClaim::of(&table, &inputs, &claim);
        let report = prove(&sized, &ProofLimits::default());
        let EverySize::Proved(proof) = &report.verdict else {
            wrong.push(format!("{}: {:?}", entry.name, report.verdict));
            continue;
        };
        let certificate = Certificate::parse(&proof.certificate.to_string()).unwrap();
        check(&certificate, &table, &inputs, &claim, &mut || ControlFlow::Continue(())).unwrap();
        let bound = interaction_bound(&sized, &ProofLimits::default()).unwrap();
        println!("| {} | {proved} | {bound} |", entry.name);
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn a_claim_that_does_not_hold_is_not_proved() {
    let entry = ProtocolEntry::shipped().into_iter().find(|entry| entry.name == "fratricide").unwrap();
    let (table, inputs, claim) = claim(&entry, &ProvedClaim::eventually("L = 2", &["L"]));
    let report = prove(&SizedClaim::of(&table, &inputs, &claim), &ProofLimits::default());
    assert!(matches!(report.verdict, EverySize::Refuted(_)), "{:?}", report.verdict);
}
