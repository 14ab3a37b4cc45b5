//! Certificates with one value changed: refused, unless they still prove the claim. The oracle decides which do.

use serde_json::{Value, json};

use crate::corpus::{CorpusRow, certified_rows};
use crate::oracle;

/// All variants of a value in which one number, word or member of a list is changed.
fn variants(value: &Value) -> Vec<Value> {
    match value {
        Value::Number(number) => {
            let number = number.as_i64().unwrap();
            [number + 1, number - 1, 0, -number, number + 7]
                .into_iter()
                .filter(|changed| *changed != number)
                .map(|changed| json!(changed))
                .collect()
        }
        Value::String(text) => {
            let mut changed: Vec<String> = Vec::new();
            let (numerator, denominator) = text.split_once('/').unwrap_or((text, "1"));
            if let (Ok(numerator), Ok(denominator)) = (numerator.parse::<u64>(), denominator.parse::<u64>()) {
                changed.push(format!("{}/{denominator}", numerator + 1));
                changed.push(format!("{numerator}/{}", denominator + 1));
                changed.extend((numerator > 1).then(|| format!("{}/{denominator}", numerator - 1)));
                changed.push("0".to_owned());
            }
            let kinds: [&[&str]; 3] = [
                &["siphon", "trap", "entry", "exit"],
                &["rank", "layer", "macro", "disabled"],
                &["a", "x", "k"],
            ];
            for kind in kinds.iter().filter(|kind| kind.contains(&text.as_str())) {
                changed.extend(kind.iter().filter(|other| *other != text).map(|&other| other.to_owned()));
            }
            changed.into_iter().map(Value::String).collect()
        }
        Value::Array(members) => {
            let mut all = Vec::new();
            for (place, member) in members.iter().enumerate() {
                let with = |changed: Option<Value>| {
                    let mut members = members.clone();
                    match changed {
                        Some(changed) => members[place] = changed,
                        None => drop(members.remove(place)),
                    }
                    Value::Array(members)
                };
                all.push(with(None));
                all.extend(variants(member).into_iter().map(|changed| with(Some(changed))));
            }
            if let [first, .., last] = &members[..] {
                let mut swapped = members.clone();
                (swapped[0], swapped[members.len() - 1]) = (last.clone(), first.clone());
                all.extend((first != last).then_some(Value::Array(swapped)));
            }
            all
        }
        Value::Object(fields) => {
            let mut all = Vec::new();
            for (name, field) in fields {
                let mut without = fields.clone();
                without.remove(name);
                all.push(Value::Object(without.clone()));
                if let Ok(number) = name.parse::<u64>() {
                    // Another state that gets the weight.
                    for other in [number + 1, number.saturating_sub(1)] {
                        if !fields.contains_key(&other.to_string()) {
                            let mut moved = without.clone();
                            moved.insert(other.to_string(), field.clone());
                            all.push(Value::Object(moved));
                        }
                    }
                }
                for changed in variants(field) {
                    let mut fields = fields.clone();
                    fields[name] = changed;
                    all.push(Value::Object(fields));
                }
            }
            all
        }
        Value::Bool(value) => vec![Value::Bool(!value)],
        Value::Null => Vec::new(),
    }
}

/// The number of accepted variants. Panics where the oracle disagrees.
fn compared(row: &CorpusRow, variants: &[Value]) -> Option<usize> {
    let claim = row.claim();
    let texts: Vec<String> = variants.iter().map(Value::to_string).collect();
    let expected = oracle::verdicts(&row.for_oracle(), &texts)?;
    let mut accepted = 0;
    let mut differences = Vec::new();
    for (text, expected) in texts.iter().zip(expected) {
        let verdict = claim.verdict(text);
        accepted += usize::from(verdict.is_ok());
        if verdict.is_ok() != expected.is_ok() {
            differences.push(format!("{}: {verdict:?}, the oracle: {expected:?}\n{text}", row.name));
        }
    }
    assert!(differences.is_empty(), "{} differences\n{}", differences.len(), differences[0]);
    Some(accepted)
}

/// Variants of the certificates in the shared corpus; of each certificate every `every`-th.
fn mutated_corpus(bytes: usize, every: usize) {
    let (mut all, mut accepted) = (0, 0);
    for (row, text) in certified_rows().into_iter().filter(|(_, text)| text.len() <= bytes) {
        let value: Value = serde_json::from_str(&text).unwrap();
        // The field that nothing depends on.
        let mut value = value;
        value.as_object_mut().unwrap().remove("proof_nodes");
        let variants: Vec<Value> = variants(&value).into_iter().skip(3).step_by(every).collect();
        let Some(found) = compared(&row, &variants) else { return };
        println!("{}: {} variants, {found} still prove the claim", row.name, variants.len());
        all += variants.len();
        accepted += found;
    }
    println!("{all} variants, {accepted} still prove the claim");
    assert!(accepted * 5 < all || all == 0, "{accepted} of {all} are accepted");
}

#[test]
fn a_changed_value_is_refused_unless_the_claim_is_still_proved() {
    mutated_corpus(3000, 17);
}

#[test]
#[ignore = "minutes, mostly of the oracle"]
fn every_changed_value_is_refused_unless_the_claim_is_still_proved() {
    mutated_corpus(20_000, 1);
}
