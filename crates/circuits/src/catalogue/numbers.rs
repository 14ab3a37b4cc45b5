//! Entries of arithmetic on chains and of distances along a tree.

use acrasin_amoebot::algorithm::description::AlgorithmFigure;
use acrasin_amoebot::library::entry::{AlgorithmEntry, Needs};
use acrasin_amoebot::library::parameter::{Parameter, ParameterKind};

use super::described::{PINS, PreparedAlgorithm, described, pins};
use super::search::SearchTree;
use crate::library::{
    Addition, ChainComparison, ChainOperation, ChainOrder, Division, LaneCrossing, Multiplication,
    NumberChain, Pasc,
};
use crate::process::CircuitResult;
use crate::structure::CircuitStructure;

pub(super) const DISTANCES: AlgorithmEntry = AlgorithmEntry {
    name: "CircuitDistances",
    title: "distances by PASC",
    summary: "circuits: each amoebot learns its distance from the seed, along a tree of shortest paths",
    parameters: &[PINS],
    needs: Needs { seed: true, ..Needs::NOTHING },
    read: |values| {
        Ok(described(DISTANCES.title, pins(values, 2)?, |structure, root| {
            let tree = SearchTree::new(structure, root);
            let labels = tree.labels(structure);
            let algorithm = Pasc {
                parents: labels.parents,
                children: labels.children,
                participants: None,
                crossing: LaneCrossing::Arriving,
            };
            let distances = tree.distances;
            Ok(PreparedAlgorithm {
                algorithm,
                oracle: Box::new(move |run| {
                    let values = run.memories().iter().map(|amoebot| amoebot.value());
                    let largest = values.clone().max().unwrap_or(0);
                    CircuitResult {
                        is_right: values.eq(distances.iter().copied().map(u64::from)),
                        figures: vec![AlgorithmFigure::count("distance", "largest distance", largest)],
                    }
                }),
            })
        }))
    },
};

/// The maximum number of bits of a chain, so that results fit in 128 bits.
const BITS_MAX: usize = 127;

/// A chain with two numbers, and the modulus of its arithmetic.
fn chain(structure: &CircuitStructure, numbers: [u64; 2]) -> Result<(NumberChain, u128), String> {
    let bits = structure.amoebots();
    if bits > BITS_MAX {
        return Err(format!("a chain of {bits} amoebots (accepted: 1 to {BITS_MAX})"));
    }
    let modulus = 1_u128 << bits;
    for (name, number) in ["a", "b"].into_iter().zip(numbers) {
        if u128::from(number) >= modulus {
            let noun = if bits == 1 { "bit" } else { "bits" };
            return Err(format!(
                "{name} is {number}, and the chain has {bits} {noun} (accepted: 0 to {})",
                modulus - 1
            ));
        }
    }
    let bits_of =
        |number: u64| (0..bits).map(|bit| number.checked_shr(bit as u32).unwrap_or(0) & 1 == 1).collect();
    let [a, b] = numbers.map(bits_of);
    let chain = NumberChain::new(structure, a, b).map_err(|error| error.to_string())?;
    Ok((chain, modulus))
}

/// The number with these bits, the lowest bit first.
fn number(bits: impl DoubleEndedIterator<Item = bool>) -> u128 {
    bits.rev().fold(0, |number, bit| number << 1 | u128::from(bit))
}

/// A figure of the results that is a number.
fn numeric(
    key: &'static str,
    found: u128,
    expected: u128,
    others: impl IntoIterator<Item = (&'static str, bool, bool)>,
) -> CircuitResult {
    let mut result = CircuitResult {
        is_right: found == expected,
        figures: vec![AlgorithmFigure::text(key, key, found.to_string())],
    };
    for (key, found, expected) in others {
        result.is_right &= found == expected;
        result.figures.push(AlgorithmFigure::flag(key, key, found));
    }
    result
}

const OPERATIONS: &[&str] = &["Add", "Subtract", "Compare", "HighestOne", "Multiply", "Divide"];

pub(super) const NUMBERS: AlgorithmEntry = AlgorithmEntry {
    name: "CircuitNumbers",
    title: "arithmetic on a chain",
    summary: "circuits: arithmetic on numbers along a chain of amoebots, lowest bit first",
    parameters: &[
        Parameter::required("operation", ParameterKind::Word(OPERATIONS), "the operation"),
        Parameter::required("a", ParameterKind::Count, "the first number"),
        Parameter::optional("b", ParameterKind::Count, "the second number; 0 by default"),
        PINS,
    ],
    needs: Needs::NOTHING,
    read: |values| {
        let pins = pins(values, 2)?;
        let numbers = [values.count_of("a"), values.count("b").unwrap_or(0)];
        let [a, b] = numbers.map(u128::from);
        let title = NUMBERS.title;
        Ok(match values.word("operation").unwrap_or(OPERATIONS[0]) {
            word @ ("Add" | "Subtract") => described(title, pins, move |structure, _| {
                let (chain, modulus) = chain(structure, numbers)?;
                let operation = if word == "Add" { ChainOperation::Add } else { ChainOperation::Subtract };
                Ok(PreparedAlgorithm {
                    algorithm: Addition { chain, operation },
                    oracle: Box::new(move |run| {
                        let found = number(run.memories().iter().map(|amoebot| amoebot.result));
                        let overflow = run.memories().iter().any(|amoebot| amoebot.overflow);
                        let (expected, overflows) = match operation {
                            ChainOperation::Add => ((a + b) % modulus, a + b >= modulus),
                            ChainOperation::Subtract => ((a + modulus - b) % modulus, a < b),
                        };
                        numeric("number", found, expected, [("overflow", overflow, overflows)])
                    }),
                })
            }),
            word @ ("Compare" | "HighestOne") => described(title, pins, move |structure, _| {
                let (chain, _) = chain(structure, numbers)?;
                let highest_only = word == "HighestOne";
                Ok(PreparedAlgorithm {
                    algorithm: ChainComparison { chain, highest_only },
                    oracle: Box::new(move |run| {
                        if highest_only {
                            let found = run.memories().iter().position(|amoebot| amoebot.is_highest);
                            let expected = a.checked_ilog2().unwrap_or(0);
                            return numeric(
                                "place",
                                found.map_or(0, |place| place as u128),
                                expected.into(),
                                [("found", found.is_some(), true)],
                            );
                        }
                        let order = run.memories()[0].order;
                        let is = |wanted| order == Some(wanted);
                        CircuitResult {
                            is_right: run.memories().iter().all(|amoebot| amoebot.order == order)
                                && is(ChainOrder::Less) == (a < b)
                                && is(ChainOrder::Equal) == (a == b)
                                && is(ChainOrder::Greater) == (a > b),
                            figures: vec![AlgorithmFigure::text(
                                "order",
                                "order",
                                match order {
                                    Some(ChainOrder::Less) => "a < b",
                                    Some(ChainOrder::Equal) => "a = b",
                                    Some(ChainOrder::Greater) => "a > b",
                                    None => "unknown",
                                },
                            )],
                        }
                    }),
                })
            }),
            "Multiply" => described(title, pins, move |structure, _| {
                let (chain, modulus) = chain(structure, numbers)?;
                Ok(PreparedAlgorithm {
                    algorithm: Multiplication { chain },
                    oracle: Box::new(move |run| {
                        let found = number(run.memories().iter().map(|amoebot| amoebot.result));
                        let overflow = run.memories().iter().any(|amoebot| amoebot.overflow);
                        let others = [("overflow", overflow, a * b >= modulus)];
                        numeric("number", found, a * b % modulus, others)
                    }),
                })
            }),
            _ => described(title, pins, move |structure, _| {
                let (chain, modulus) = chain(structure, numbers)?;
                Ok(PreparedAlgorithm {
                    algorithm: Division { chain },
                    oracle: Box::new(move |run| {
                        let quotient = number(run.memories().iter().map(|amoebot| amoebot.quotient));
                        let remainder = number(run.memories().iter().map(|amoebot| amoebot.remainder));
                        // Division by 0 gives ones and the number itself.
                        let expected =
                            a.checked_div(b).map_or((modulus - 1, a), |quotient| (quotient, a % b));
                        let mut result = numeric("quotient", quotient, expected.0, []);
                        let rest = numeric("remainder", remainder, expected.1, []);
                        result.is_right &= rest.is_right;
                        result.figures.extend(rest.figures);
                        result
                    }),
                })
            }),
        })
    },
};
