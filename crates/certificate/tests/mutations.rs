//! Certificates with one value changed: refused, unless they still prove the claim. The oracle decides which do.

use serde_json::{Value, json};

use crate::corpus::{CorpusRow, certified_rows};
use crate::oracle;

/// A changed value inside a certificate: its JSON pointer, and what takes its place.
type ChangedValue = (String, Value);

/// All changes of one number, word or member of a list within the value at this pointer.
fn changes(value: &Value, pointer: &str) -> Vec<ChangedValue> {
    let mut all: Vec<ChangedValue> = Vec::new();
    let mut here = |changed: Value| all.push((pointer.to_owned(), changed));
    match value {
        Value::Number(number) => {
            let number = number.as_i64().unwrap();
            let others = [number + 1, number - 1, 0, -number, number + 7];
            others.into_iter().filter(|changed| *changed != number).for_each(|changed| here(json!(changed)));
        }
        Value::String(text) => {
            let (numerator, denominator) = text.split_once('/').unwrap_or((text, "1"));
            if let (Ok(numerator), Ok(denominator)) = (numerator.parse::<u64>(), denominator.parse::<u64>()) {
                here(format!("{}/{denominator}", numerator + 1).into());
                here(format!("{numerator}/{}", denominator + 1).into());
                if numerator > 1 {
                    here(format!("{}/{denominator}", numerator - 1).into());
                }
                here("0".into());
            }
            let kinds: [&[&str]; 3] = [
                &["siphon", "trap", "entry", "exit"],
                &["rank", "layer", "macro", "disabled"],
                &["a", "x", "k"],
            ];
            for kind in kinds.iter().filter(|kind| kind.contains(&text.as_str())) {
                kind.iter().filter(|other| *other != text).for_each(|&other| here(other.into()));
            }
        }
        Value::Array(members) => {
            for place in 0..members.len() {
                let mut fewer = members.clone();
                fewer.remove(place);
                here(fewer.into());
            }
            if let [first, .., last] = &members[..]
                && first != last
            {
                let mut swapped = members.clone();
                swapped.swap(0, members.len() - 1);
                here(swapped.into());
            }
            for (place, member) in members.iter().enumerate() {
                all.extend(changes(member, &format!("{pointer}/{place}")));
            }
        }
        Value::Object(fields) => {
            for (name, field) in fields {
                let mut without = fields.clone();
                without.remove(name);
                here(without.clone().into());
                if let Ok(number) = name.parse::<u64>() {
                    // Another state that gets the weight.
                    for other in [number + 1, number.saturating_sub(1)] {
                        if !fields.contains_key(&other.to_string()) {
                            let mut moved = without.clone();
                            moved.insert(other.to_string(), field.clone());
                            here(moved.into());
                        }
                    }
                }
            }
            for (name, field) in fields {
                all.extend(changes(field, &format!("{pointer}/{name}")));
            }
        }
        Value::Bool(value) => here((!value).into()),
        Value::Null => {}
    }
    all
}

/// The number of accepted variants. Panics where the oracle disagrees.
fn compared(row: &CorpusRow, variants: &[String]) -> Option<usize> {
    let claim = row.claim();
    let expected = oracle::verdicts(&row.for_oracle(), variants)?;
    let mut accepted = 0;
    let mut differences = Vec::new();
    for (text, expected) in variants.iter().zip(expected) {
        let verdict = claim.verdict(text);
        accepted += usize::from(verdict.is_ok());
        if verdict.is_ok() != expected.is_ok() {
            differences.push(format!("{}: {verdict:?}, the oracle: {expected:?}\n{text}", row.name));
        }
    }
    assert!(differences.is_empty(), "{} differences\n{}", differences.len(), differences[0]);
    Some(accepted)
}

/// Variants of the certificates of at most 20,000 bytes in the shared corpus. Of each certificate as many, evenly
/// spread, as have `bytes` bytes together, since the time of a check grows with the certificate.
fn mutated_corpus(bytes: usize) {
    let (mut all, mut accepted) = (0, 0);
    for (row, text) in certified_rows().into_iter().filter(|(_, text)| text.len() <= 20_000) {
        let value: Value = serde_json::from_str(&text).unwrap();
        // The field that nothing depends on.
        let mut value = value;
        value.as_object_mut().unwrap().remove("proof_nodes");
        let changes = changes(&value, "");
        let every = changes.len().div_ceil(bytes / text.len());
        let variant = |(pointer, changed): &ChangedValue| {
            let mut variant = value.clone();
            *variant.pointer_mut(pointer).unwrap() = changed.clone();
            variant.to_string()
        };
        let variants: Vec<String> = changes.iter().skip(every / 2).step_by(every).map(variant).collect();
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
    mutated_corpus(60_000);
}

#[test]
#[ignore = "a quarter of an hour, mostly of the oracle"]
fn every_changed_value_is_refused_unless_the_claim_is_still_proved() {
    mutated_corpus(usize::MAX);
}
