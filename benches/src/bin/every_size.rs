//! Measures the time of proofs for every population size. Compares it with the times that the authors of Peregrine
//! published for protocols with the same numbers of states and transitions.
//!
//! `cargo run --release -p acrasin-benches --bin every_size -- [REPETITIONS]`
//!
//! Prints a row per protocol: the minimum processor time and wall time of `acrasin_prover::prove` on one thread, for
//! both values of the claim's predicate. Certificates are not written to files. Before and after the proofs, a loop in
//! C, compiled with `cc`, is timed as a yardstick of the machine.

#![allow(clippy::disallowed_types, reason = "the table shows times")]

use std::collections::BTreeMap;
use std::process::{Command, ExitCode};
use std::time::Instant;

use acrasin_protocols::predicate::Predicate;
use acrasin_protocols::{Missing, Rule, TableSpec};
use acrasin_prover::{EverySize, ProofLimits, SizedClaim, prove};
use acrasin_verify::population::{Answers, Claim};
use cpu_time::ProcessTime;

type TimedResult<T> = Result<T, Box<dyn std::error::Error>>;

/// The yardstick in C: a chain of dependent multiplications, shifts and additions, and a row update as in a pivot step.
const YARDSTICK: &str = r#"
#include <stdint.h>
#include <stdio.h>
#include <time.h>
static double seconds(void) { return (double)clock() / CLOCKS_PER_SEC; }
int main(void) {
    uint64_t state = 1;
    double begun = seconds();
    for (long step = 0; step < 200000000; step++) {
        state ^= state >> 12; state ^= state << 25; state ^= state >> 27;
        state *= 2685821657736338717u;
    }
    double chain = seconds() - begun;
    static int64_t row[1280], pivot[1280];
    for (int at = 0; at < 1280; at++) pivot[at] = (int64_t)(state >> at % 60) % 5 - 2;
    begun = seconds();
    for (long step = 0; step < 200000; step++) {
        int64_t factor = (int64_t)(state >> step % 60) % 3;
        for (int at = 0; at < 1280; at++) row[at] = row[at] + factor * pivot[at];
        __asm__ volatile("" : : "r"(row) : "memory");
    }
    double rows = seconds() - begun;
    printf("%.2f ns a step of xorshift64*, %.3f ns an entry of a row (checksum %d)\n", chain * 5, rows / 0.256,
           (int)((state + (uint64_t)row[7]) & 1));
    return 0;
}
"#;

/// A protocol and the claim to prove.
struct LargeProtocol {
    name: String,
    /// The time that the authors of Peregrine published, in seconds.
    published: f64,
    states: Vec<String>,
    inputs: Vec<String>,
    yes: Box<dyn Fn(&str) -> bool>,
    rules: Vec<String>,
    predicate: String,
}

fn summands(from: usize, to: usize) -> Vec<String> {
    (from..to).map(|value| format!("s{value}")).collect()
}

fn flock(threshold: usize, published: f64, is_tower: bool) -> LargeProtocol {
    let mut rules = Vec::new();
    if is_tower {
        rules.extend((1..threshold).map(|at| format!("s{at} + s{at} -> s{at} + s{}", at + 1)));
        rules.extend((0..threshold).map(|at| format!("s{threshold} + s{at} -> s{threshold} + s{threshold}")));
    } else {
        for a in 0..=threshold {
            for b in a.max(1)..=threshold {
                if a + b >= threshold && a < threshold {
                    rules.push(format!("s{a} + s{b} -> s{threshold} + s{threshold}"));
                } else if a > 0 && a + b < threshold {
                    rules.push(format!("s{a} + s{b} -> s{} + s0", a + b));
                }
            }
        }
    }
    let top = format!("s{threshold}");
    LargeProtocol {
        name: format!("flock-of-birds{} {threshold}", if is_tower { ", tower" } else { "" }),
        published,
        states: summands(0, threshold + 1),
        inputs: summands(0, 2),
        yes: Box::new(move |state| state == top),
        rules,
        predicate: format!("s1 >= {threshold}"),
    }
}

fn remainder(modulus: usize, published: f64) -> LargeProtocol {
    let mut rules = Vec::new();
    for a in 0..modulus {
        for b in a..modulus {
            let sum = (a + b) % modulus;
            rules.push(format!("s{a} + s{b} -> s{sum} + {}", if sum == 1 { "yes" } else { "no" }));
        }
        let (other, own) = if a == 1 { ("no", "yes") } else { ("yes", "no") };
        rules.push(format!("s{a} + {other} -> s{a} + {own}"));
    }
    let mut states = summands(0, modulus);
    states.extend(["yes", "no"].map(String::from));
    LargeProtocol {
        name: format!("remainder {modulus}"),
        published,
        states,
        inputs: ["s1", "s0"].map(String::from).to_vec(),
        yes: Box::new(|state| matches!(state, "yes" | "s1")),
        rules,
        predicate: format!("s1 mod {modulus} = 1"),
    }
}

/// The silent protocol of Angluin and others that decides whether the sum of inputs from -`largest` to `largest` is
/// below 1. A state is a leader bit, an answer, and a summand.
fn threshold(largest: i32, published: f64) -> LargeProtocol {
    let name = |(leads, answers, summand): (bool, bool, i32)| {
        let [leads, answers] = [if leads { "L" } else { "F" }, if answers { "y" } else { "n" }];
        format!("{leads}{answers}{}{}", if summand < 0 { "m" } else { "p" }, summand.abs())
    };
    let mut states = Vec::new();
    for leads in [true, false] {
        for answers in [true, false] {
            states.extend((-largest..=largest).map(|summand| (leads, answers, summand)));
        }
    }
    let mut rules = Vec::new();
    for (at, &one) in states.iter().enumerate() {
        for &other in &states[at..] {
            let sum = one.2 + other.2;
            let kept = sum.clamp(-largest, largest);
            let after = [(true, kept < 1, kept), (false, kept < 1, sum - kept)];
            if (one.0 || other.0) && after != [one, other] && after != [other, one] {
                let [a, b, c, d] = [one, other, after[0], after[1]].map(name);
                rules.push(format!("{a} + {b} -> {c} + {d}"));
            }
        }
    }
    let input = |summand: i32| name((true, summand < 1, summand));
    let positive = (1..=largest).map(|summand| format!("{summand} * {}", input(summand)));
    let negative = (1..=largest).map(|summand| format!(" - {summand} * {}", input(-summand)));
    let predicate =
        format!("{}{} < 1", positive.collect::<Vec<_>>().join(" + "), negative.collect::<String>());
    LargeProtocol {
        name: format!("threshold {largest}"),
        published,
        inputs: (-largest..=largest).map(input).collect(),
        states: states.into_iter().map(name).collect(),
        yes: Box::new(|state| state[1..].starts_with('y')),
        rules,
        predicate,
    }
}

impl LargeProtocol {
    fn claim(&self) -> TimedResult<SizedClaim> {
        let answer = |state: &String| if (self.yes)(state) { "yes" } else { "no" }.to_owned();
        let outputs: BTreeMap<String, String> =
            self.states.iter().map(|state| (state.clone(), answer(state))).collect();
        let table = TableSpec {
            states: self.states.clone(),
            outputs,
            rules: self.rules.iter().cloned().map(Rule::Symmetric).collect(),
            default: Some(Missing::Null),
            ..TableSpec::default()
        }
        .build()?;
        let number = |name: &String| self.states.iter().position(|state| state == name);
        let inputs: Vec<u16> = self.inputs.iter().filter_map(number).map(|state| state as u16).collect();
        let answers = Answers::by_name(&table).ok_or("outputs are called yes and no")?;
        let claim = Claim::computes(&table, &Predicate::parse(&self.predicate)?, &answers)?;
        Ok(SizedClaim::of(&table, &inputs, &claim))
    }
}

/// Compiles the yardstick, runs it, and returns its output.
fn yardstick() -> TimedResult<String> {
    let folder = std::env::temp_dir().join(format!("acrasin-yardstick-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let [source, program] = ["yardstick.c", "yardstick"].map(|name| folder.join(name));
    std::fs::write(&source, YARDSTICK)?;
    let compiled = Command::new("cc").arg("-O2").arg(&source).arg("-o").arg(&program).status()?;
    let printed = if compiled.success() { Command::new(&program).output()?.stdout } else { Vec::new() };
    std::fs::remove_dir_all(&folder)?;
    if printed.is_empty() { Err("cc failed".into()) } else { Ok(String::from_utf8(printed)?) }
}

fn run() -> TimedResult<()> {
    let repetitions = match std::env::args().nth(1) {
        Some(text) => text.parse::<u32>()?.max(1),
        None => 3,
    };
    let protocols = [
        flock(20, 1.5, false),
        flock(30, 7.7, false),
        flock(50, 181.6, false),
        flock(50, 11.8, true),
        flock(100, 44.8, true),
        flock(300, 2782.0, true),
        remainder(10, 0.4),
        remainder(20, 2.8),
        remainder(40, 79.0),
        remainder(60, 3055.0),
        threshold(3, 8.0),
        threshold(6, 243.0),
        threshold(9, 2376.0),
    ];
    print!("yardstick: {}", yardstick()?);
    println!(
        "\n| protocol | states | transitions | published s | CPU s | wall s | published / wall | pivots |"
    );
    println!("|---|---|---|---|---|---|---|---|");
    for protocol in &protocols {
        let claim = protocol.claim()?;
        let (mut least, mut least_wall, mut pivots) = (f64::INFINITY, f64::INFINITY, 0);
        for _ in 0..repetitions {
            let (begun, begun_wall) = (ProcessTime::now(), Instant::now());
            let report = prove(&claim, &ProofLimits::default());
            least = least.min(begun.elapsed().as_secs_f64());
            least_wall = least_wall.min(begun_wall.elapsed().as_secs_f64());
            if !matches!(report.verdict, EverySize::Proved(_)) {
                return Err(format!("{} is not proved", protocol.name).into());
            }
            pivots = report.pivots;
        }
        println!(
            "| {} | {} | {} | {} | {least:.3} | {least_wall:.3} | {:.0} | {pivots} |",
            protocol.name,
            protocol.states.len(),
            protocol.rules.len(),
            protocol.published,
            protocol.published / least_wall
        );
    }
    print!("\nyardstick: {}", yardstick()?);
    Ok(())
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}
