//! Proves the claims of a corpus file and prints a table: `corpus FILE [NAME...]`, certificates into the folder
//! `CERTIFICATES` of the environment, bounds on times if `BOUNDS` is set. `FORMAT` is the format of certificates,
//! all-n/1 or all-n/2.

#![allow(clippy::disallowed_types, reason = "the table shows the time of each row")]

#[path = "../tests/rows.rs"]
#[allow(dead_code, unreachable_pub, reason = "shared with the tests")]
mod rows;

use std::time::Instant;

use acrasin_prover::{
    CertificateFormat, EverySize, ProofLimits, SmallerPopulations, interaction_bound, prove,
};

fn main() {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().expect("the path of a corpus");
    let wanted: Vec<String> = arguments.collect();
    let folder = std::env::var("CERTIFICATES").ok();
    let mut bad = 0;
    for row in rows::rows(&std::fs::read_to_string(path).unwrap()) {
        if !wanted.is_empty() && !wanted.contains(&row.name) {
            continue;
        }
        let claim = rows::claim(&row);
        let begin = Instant::now();
        let mut limits = ProofLimits::default();
        if let Ok(entries) = std::env::var("ENTRIES") {
            limits.entries = entries.parse().unwrap();
        }
        if let Ok(name) = std::env::var("FORMAT") {
            let formats = [CertificateFormat::WholeRuns, CertificateFormat::PartsOfRuns];
            limits.format = formats.into_iter().find(|format| format.name() == name).expect("a format");
        }
        let report = prove(&claim, &limits);
        let seconds = begin.elapsed().as_secs_f64();
        let (word, detail) = match &report.verdict {
            EverySize::Proved(proof) => {
                if let Some(folder) = &folder {
                    std::fs::write(format!("{folder}/{}.json", row.name), proof.certificate.to_string())
                        .unwrap();
                }
                let bytes = proof.certificate.to_string().len();
                (
                    "PROVED",
                    format!(
                        "{} nodes, {} steps, {} proof, {bytes} bytes",
                        proof.nodes, proof.steps, proof.proof_nodes
                    ),
                )
            }
            EverySize::Refuted(wrong) => {
                let size: u64 = wrong.end.input.iter().sum();
                let how = match &wrong.smaller {
                    SmallerPopulations::Explored => "explored".to_owned(),
                    SmallerPopulations::Proved(_) => "proved".to_owned(),
                    SmallerPopulations::Unknown(size) => format!("UNKNOWN above {size}"),
                };
                if row.smallest != Some(size) {
                    bad += 1;
                }
                ("REFUTED", format!("at {size}, expected {:?}, smaller {how}", row.smallest))
            }
            EverySize::Unknown(open) => (
                "UNKNOWN",
                format!(
                    "side {}, live {:?}, candidate {:?}, limits {:?}, explored {}",
                    open.value,
                    open.live
                        .iter()
                        .take(6)
                        .map(|&t| claim.transitions()[t])
                        .map(|t| (t.before, t.after))
                        .collect::<Vec<_>>(),
                    open.candidate,
                    open.limits,
                    open.explored
                ),
            ),
            EverySize::Interrupted => ("STOPPED", String::new()),
        };
        let mark = if word == row.expect {
            ""
        } else {
            bad += 1;
            " !!"
        };
        if std::env::var("BOUNDS").is_ok() && word == "PROVED" {
            let begin = Instant::now();
            let bound = interaction_bound(&claim, &limits).unwrap();
            println!("{:45} {:8.3} s {bound}", row.name, begin.elapsed().as_secs_f64());
        }
        println!(
            "{:45} {word:8} ({}){mark} {seconds:8.3} s {:7} pivots {:5} queries {:12} entries  {detail}",
            row.name, row.expect, report.pivots, report.queries, report.entries
        );
    }
    println!("{bad} not as expected");
}
