//! Rows of the corpus of claims about every population size.

use std::collections::BTreeMap;

use acrasin_protocols::predicate::Predicate;
use acrasin_protocols::{Missing, Protocol as _, Rule, Table, TableSpec};
use acrasin_prover::{SizedClaim, SizedGoal};
use serde::Deserialize;

/// One claim with its expected verdict.
#[derive(Deserialize, Clone, Debug)]
pub struct CorpusRow {
    pub name: String,
    pub family: String,
    pub expect: String,
    pub smallest: Option<u64>,
    pub predicate: Option<String>,
    pub eventually: Option<String>,
    pub given: Option<String>,
    pub answers: Option<BTreeMap<String, Vec<String>>>,
    pub protocol: String,
}

#[derive(Deserialize)]
enum ProtocolText {
    Table {
        states: Vec<String>,
        #[serde(default)]
        inputs: Vec<String>,
        #[serde(default)]
        outputs: BTreeMap<String, String>,
        rules: Vec<RuleText>,
        #[serde(default)]
        default: DefaultText,
    },
}

#[derive(Deserialize)]
enum RuleText {
    Ordered(String),
    OneWay(String),
    Symmetric(String),
    Randomised(String, Vec<(u64, String)>),
    SymmetricRandomised(String, Vec<(u64, String)>),
}

#[derive(Deserialize, Default, PartialEq)]
enum DefaultText {
    #[default]
    Absent,
    Null,
}

/// Reads lines of JSON.
pub fn rows(text: &str) -> Vec<CorpusRow> {
    text.lines().filter(|line| !line.is_empty()).map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The table of a protocol text, and its input states.
pub fn table(text: &str) -> (Table, Vec<u16>) {
    let ProtocolText::Table { states, inputs, outputs, rules, default } = ron::from_str(text).unwrap();
    let rules = rules
        .into_iter()
        .map(|rule| match rule {
            RuleText::Ordered(text) => Rule::Ordered(text),
            RuleText::OneWay(text) => Rule::OneWay(text),
            RuleText::Symmetric(text) => Rule::Symmetric(text),
            RuleText::Randomised(text, outcomes) => Rule::Randomised(text, outcomes),
            RuleText::SymmetricRandomised(text, outcomes) => Rule::SymmetricRandomised(text, outcomes),
        })
        .collect();
    let default = (default == DefaultText::Null).then_some(Missing::Null);
    let table = TableSpec { states, rules, default, outputs, ..TableSpec::default() }.build().unwrap();
    let inputs = inputs.iter().map(|name| table.state(name).unwrap()).collect();
    (table, inputs)
}

/// The claim of a row.
pub fn claim(row: &CorpusRow) -> SizedClaim {
    let (table, inputs) = table(&row.protocol);
    let names = table.state_names().to_vec();
    let of_state = |state: u16| table.output_name(table.output(state)).to_owned();
    let outputs: Vec<String> = table.states().map(of_state).collect();
    let bound = |text: &str, outputs: &[String]| {
        Predicate::parse(text).unwrap().bind(&names, outputs).unwrap().linear()
    };
    let given = row.given.as_ref().map(|text| bound(text, &names));
    let goal = match (&row.predicate, &row.eventually) {
        (_, Some(text)) => SizedGoal::Eventually(bound(text, &outputs)),
        (Some(text), None) => {
            let answers = row.answers.clone().unwrap_or_default();
            let of = |word: &str| answers.get(word).cloned().unwrap_or_default();
            let (mut yes, mut no) = (of("yes"), of("no"));
            if answers.is_empty() {
                let is = |words: [&str; 3], output: &String| words.contains(&output.to_lowercase().as_str());
                yes = outputs.iter().filter(|output| is(["yes", "true", "1"], output)).cloned().collect();
                no = outputs.iter().filter(|output| is(["no", "false", "0"], output)).cloned().collect();
            } else if yes.is_empty() {
                yes = outputs.iter().filter(|output| !no.contains(output)).cloned().collect();
            } else if no.is_empty() {
                no = outputs.iter().filter(|output| !yes.contains(output)).cloned().collect();
            }
            let states =
                |of: &[String]| (0..outputs.len()).filter(|&state| of.contains(&outputs[state])).collect();
            SizedGoal::Computes { predicate: bound(text, &names), yes: states(&yes), no: states(&no) }
        }
        (None, None) => panic!("{}: no claim", row.name),
    };
    SizedClaim::new(&table, &inputs, goal, given)
}
