//! Measures the trials per Lock while every node locks and unlocks repeatedly: the contention figures of the
//! specification.
//!
//! `cargo run --release -p acrasin-benches --bin contention -- LOCKS SEED`
//!
//! The runs use the repaired rules and K = Δ² + 1, in semi-synchronous rounds in which each node that can act does so
//! with probability 1/2. After a warm-up of LOCKS completed Locks, 40 samples of LOCKS Locks each are taken. The
//! printed error is the standard error of the samples' mean. The output is a function of LOCKS and SEED.

use std::process::ExitCode;

use acrasin_graphs::Graph;
use acrasin_graphs::family::Sides;
use acrasin_graphs::family::lattice::torus;
use acrasin_graphs::family::line::ring;
use acrasin_graphs::family::triangular::triangular;
use acrasin_runtime::exclusion::local::{Local, LockNote};
use acrasin_runtime::execution::{Advance, Execution};
use acrasin_runtime::scheduler::{Activation, SemiSynchronous};
use acrasin_runtime::{
    Demand, Event, FixedProbability, LockOnly, LockSetRule, Observer, Seeded, Setup, Timing, Topology, World,
};

const STRETCHES: u32 = 40;

/// The maximum number of Locks per sample, which takes hours on the largest graph.
const LOCKS_MAX: u64 = 1_000_000_000;

/// Counts the trials of completed Locks. The trials of a Lock are added when it succeeds.
struct TrialCounts {
    open: Vec<u64>,
    trials: u64,
    locks: u64,
}

impl Observer<Local, LockOnly> for TrialCounts {
    fn event(&mut self, event: &Event<'_, Local, LockOnly>) {
        match *event {
            Event::Noted { node, note: LockNote::Trial } => self.open[node.index()] += 1,
            Event::Granted { node, .. } => {
                self.locks += 1;
                self.trials += std::mem::take(&mut self.open[node.index()]);
            }
            _ => {}
        }
    }
}

/// Measures and prints the mean number of trials per Lock and its standard error.
fn measure(graph: &Graph, locks: u64, seed: u64) -> Result<(f64, f64), Box<dyn std::error::Error>> {
    let ports = u16::try_from(graph.degree_max())?;
    let world = World::new(Setup {
        exclusion: Local::new(ports),
        section: LockOnly,
        topology: Topology::from_edges(graph.nodes(), ports, graph.edges())?,
        states: vec![Demand::Forever; graph.nodes() as usize],
        lock_set: LockSetRule::Neighbourhood,
        timing: Timing::AtOnce,
    });
    let scheduler = SemiSynchronous::new(Activation::Random(FixedProbability::HALF));
    let mut execution = Execution::new(world, Box::new(scheduler));
    let mut choices = Seeded::new(seed);
    let mut counts = TrialCounts { open: vec![0; graph.nodes() as usize], trials: 0, locks: 0 };
    let mut means = Vec::new();
    for stretch in 0..=STRETCHES {
        let (trials, before) = (counts.trials, counts.locks);
        while counts.locks < before + locks {
            if execution.advance(&mut choices, &mut counts) != Advance::Advanced {
                return Err(format!("the run ended: {:?}", execution.world().check()).into());
            }
        }
        if stretch > 0 {
            means.push((counts.trials - trials) as f64 / (counts.locks - before) as f64);
        }
    }
    let n = means.len() as f64;
    let mean = means.iter().sum::<f64>() / n;
    let variance = means.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / (n - 1.0);
    Ok((mean, (variance / n).sqrt()))
}

fn report(locks: u64, seed: u64) -> Result<(), Box<dyn std::error::Error>> {
    println!("{STRETCHES} stretches of {locks} Locks, seed {seed}: trials per Lock");
    for (name, graph) in [
        ("ring of 30", ring(30)?),
        ("torus 6x6", torus(Sides { rows: 6, columns: 6 })?),
        ("triangular 7x7", triangular(Sides { rows: 7, columns: 7 })?),
    ] {
        let (mean, error) = measure(&graph, locks, seed)?;
        println!("{name:<15} {mean:.4} +- {error:.4}");
    }
    Ok(())
}

fn number(
    argument: Option<String>,
    default: u64,
    accepted: std::ops::RangeInclusive<u64>,
) -> Result<u64, String> {
    let Some(text) = argument else { return Ok(default) };
    match text.parse() {
        Ok(number) if accepted.contains(&number) => Ok(number),
        _ => Err(format!(
            "`{text}` is not accepted; accepted: whole numbers from {} to {}",
            accepted.start(),
            accepted.end()
        )),
    }
}

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let parameters = number(arguments.next(), 4_000, 1..=LOCKS_MAX)
        .and_then(|locks| Ok((locks, number(arguments.next(), 2022, 0..=u64::MAX)?)))
        .and_then(|parameters| match arguments.next() {
            Some(extra) => Err(format!("`{extra}`: only LOCKS and SEED are accepted")),
            None => Ok(parameters),
        });
    let (locks, seed) = match parameters {
        Ok(parameters) => parameters,
        Err(message) => {
            eprintln!("contention: {message}");
            return ExitCode::from(2);
        }
    };
    match report(locks, seed) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("contention: {error}");
            ExitCode::FAILURE
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_node_alone_needs_one_trial_and_neighbours_need_more() {
        let alone = Graph::new(1, vec![]).unwrap();
        assert_eq!(measure(&alone, 10, 1).unwrap(), (1.0, 0.0));
        let (mean, error) = measure(&ring(30).unwrap(), 200, 1).unwrap();
        assert!((mean - 4.77).abs() < 0.02 + 4.0 * error && error < 0.1, "{mean} +- {error}");
    }

    #[test]
    fn arguments_out_of_range_are_refused() {
        assert_eq!(number(None, 5, 1..=9), Ok(5));
        for wrong in ["0", "10", "-1", "x", ""] {
            assert!(number(Some(wrong.into()), 5, 1..=9).unwrap_err().contains("from 1 to 9"));
        }
    }
}
