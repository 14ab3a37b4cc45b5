//! Rows of the shared corpus: protocols, claims and certificates.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use acrasin_certificate::{Certificate, CertificateSummary, check};
use acrasin_protocols::predicate::Predicate;
use acrasin_protocols::{Missing, Rule, Table, TableSpec};
use acrasin_verify::population::{Answers, Claim};
use serde::Deserialize;

use crate::oracle::shared;

/// A row of `all-sizes.jsonl`.
#[derive(Deserialize, Debug, Clone)]
pub(crate) struct CorpusRow {
    pub(crate) name: String,
    pub(crate) protocol: String,
    pub(crate) predicate: Option<String>,
    pub(crate) eventually: Option<String>,
    pub(crate) given: Option<String>,
    #[serde(default)]
    pub(crate) answers: Option<BTreeMap<String, Vec<String>>>,
}

#[derive(Deserialize)]
enum CorpusRule {
    Ordered(String),
    OneWay(String),
    Symmetric(String),
    Randomised(String, Vec<(u64, String)>),
    SymmetricRandomised(String, Vec<(u64, String)>),
}

#[derive(Deserialize)]
enum CorpusDefault {
    Null,
}

#[derive(Deserialize)]
#[serde(rename = "Table")]
struct CorpusTable {
    states: Vec<String>,
    inputs: Vec<String>,
    #[serde(default)]
    outputs: BTreeMap<String, String>,
    rules: Vec<CorpusRule>,
    default: CorpusDefault,
}

/// A protocol with a claim that certificates are checked against.
pub(crate) struct CheckedClaim {
    pub(crate) table: Table,
    pub(crate) inputs: Vec<u16>,
    pub(crate) claim: Claim,
}

impl CheckedClaim {
    /// The verdict on a text: the reason of a refusal is an error.
    pub(crate) fn verdict(&self, text: &str) -> Result<CertificateSummary, String> {
        let certificate = Certificate::parse(text).map_err(|error| error.to_string())?;
        let Self { table, inputs, claim } = self;
        check(&certificate, table, inputs, claim, &mut || ControlFlow::Continue(()))
            .map_err(|error| error.to_string())
    }
}

impl CorpusRow {
    /// The claim as the oracle reads it.
    pub(crate) fn for_oracle(&self) -> serde_json::Value {
        serde_json::json!({
            "protocol": self.protocol, "predicate": self.predicate, "given": self.given,
            "eventually": self.eventually, "answers": self.answers,
        })
    }

    pub(crate) fn claim(&self) -> CheckedClaim {
        let CorpusTable { states, inputs, outputs, rules, default: CorpusDefault::Null } =
            ron::from_str(&self.protocol).unwrap();
        let rules = rules.into_iter().map(|rule| match rule {
            CorpusRule::Ordered(text) => Rule::Ordered(text),
            CorpusRule::OneWay(text) => Rule::OneWay(text),
            CorpusRule::Symmetric(text) => Rule::Symmetric(text),
            CorpusRule::Randomised(text, outcomes) => Rule::Randomised(text, outcomes),
            CorpusRule::SymmetricRandomised(text, outcomes) => Rule::SymmetricRandomised(text, outcomes),
        });
        let rules = rules.collect();
        let default = Some(Missing::Null);
        let table = TableSpec { states, rules, default, outputs, ..TableSpec::default() }.build().unwrap();
        let inputs = inputs.iter().map(|name| table.state(name).unwrap()).collect();
        let parsed = |text: &String| Predicate::parse(text).unwrap();
        let claim = match (&self.predicate, &self.eventually) {
            (Some(predicate), None) => {
                let predicate = parsed(predicate);
                let answers = match &self.answers {
                    None => {
                        Answers::by_name(&table).or_else(|| Answers::by_majority(&table, &predicate)).unwrap()
                    }
                    Some(answers) => {
                        let of = |word: &str| -> Vec<&str> {
                            answers.get(word).into_iter().flatten().map(String::as_str).collect()
                        };
                        Answers::new(&table, &of("yes"), &of("no")).unwrap()
                    }
                };
                Claim::computes(&table, &predicate, &answers).unwrap()
            }
            (None, Some(eventually)) => Claim::eventually(&table, &parsed(eventually)).unwrap(),
            _ => panic!("a claim is about answers or about the end"),
        };
        let claim = match &self.given {
            None => claim,
            Some(given) => claim.given(&table, &parsed(given)).unwrap(),
        };
        CheckedClaim { table, inputs, claim }
    }
}

/// A row of our own.
pub(crate) fn row(protocol: &str, predicate: Option<&str>, eventually: Option<&str>) -> CorpusRow {
    CorpusRow {
        name: "own".to_owned(),
        protocol: protocol.to_owned(),
        predicate: predicate.map(str::to_owned),
        eventually: eventually.map(str::to_owned),
        given: None,
        answers: None,
    }
}

/// The rows of the shared corpus that have a certificate, with its text.
pub(crate) fn certified_rows() -> Vec<(CorpusRow, String)> {
    let (Some(rows), Some(folder)) = (shared("corpus/all-sizes.jsonl"), shared("corpus/certificates")) else {
        return Vec::new();
    };
    let rows = std::fs::read_to_string(rows).unwrap();
    let rows = rows.lines().map(|line| serde_json::from_str::<CorpusRow>(line).unwrap());
    rows.filter_map(|row| {
        let text = std::fs::read_to_string(folder.join(format!("{}.json", row.name))).ok()?;
        Some((row, text))
    })
    .collect()
}
