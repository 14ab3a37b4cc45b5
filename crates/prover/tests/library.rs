//! Protocols of the library: the claims that their entries call proved.

use std::ops::ControlFlow;

use acrasin_catalogue::Entry as _;
use acrasin_catalogue::parameter::{ParameterValue, Values};
use acrasin_certificate::{Certificate, check};
use acrasin_protocols::Table;
use acrasin_protocols::library::{ProtocolEntry, ProvedClaim};
use acrasin_protocols::predicate::Predicate;
use acrasin_prover::{EverySize, ProofLimits, SizedClaim, interaction_bound, prove};
use acrasin_verify::population::{Answers, Claim};

/// Entries without a proved claim, with the reason.
const WITHOUT: [(&str, &str); 6] = [
    ("leader-clock", "a clock, no end"),
    ("junta-clock", "a clock, no end"),
    ("size-estimation", "agreement is a list of 40 cases; the claim for fewer tosses is proved below"),
    ("silent-ranking", "for one population size only"),
    ("loosely-stabilising-leader", "no leader stays forever"),
    (
        "competing-values",
        "by default a number of its proof has more than 128 bits; the claim for smaller values is proved below",
    ),
];

pub(crate) fn claim(entry: &ProtocolEntry, proved: &ProvedClaim) -> (Table, Vec<u16>, Claim) {
    claim_of(entry.build(&Values::default()).unwrap().into_table(), proved)
}

fn claim_of(table: Table, proved: &ProvedClaim) -> (Table, Vec<u16>, Claim) {
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

/// Claims that are proved for smaller parameters than the default.
#[test]
fn large_entries_are_proved_for_smaller_parameters() {
    for (name, parameter, value, proved) in [
        ("competing-values", "m", 12, ProvedClaim::eventually("L = 1", &["L0"])),
        (
            "size-estimation",
            "m",
            6,
            ProvedClaim::eventually(
                "'1' = n or '2' = n or '3' = n or '4' = n or '5' = n or '6' = n",
                &["t1"],
            ),
        ),
    ] {
        assert!(WITHOUT.iter().any(|(known, _)| *known == name));
        let entry = ProtocolEntry::shipped().into_iter().find(|entry| entry.name == name).unwrap();
        let values = Values::default().with(parameter, ParameterValue::Whole(value));
        let (table, inputs, claim) = claim_of(entry.build(&values).unwrap().into_table(), &proved);
        let report = prove(&SizedClaim::of(&table, &inputs, &claim), &ProofLimits::default());
        let EverySize::Proved(proof) = &report.verdict else { panic!("{name}: {:?}", report.verdict) };
        let certificate = Certificate::parse(&proof.certificate.to_string()).unwrap();
        check(&certificate, &table, &inputs, &claim, &mut || ControlFlow::Continue(())).unwrap();
    }
}

#[test]
fn a_claim_that_does_not_hold_is_not_proved() {
    let entry = ProtocolEntry::shipped().into_iter().find(|entry| entry.name == "fratricide").unwrap();
    let (table, inputs, claim) = claim(&entry, &ProvedClaim::eventually("L = 2", &["L"]));
    let report = prove(&SizedClaim::of(&table, &inputs, &claim), &ProofLimits::default());
    assert!(matches!(report.verdict, EverySize::Refuted(_)), "{:?}", report.verdict);
}
