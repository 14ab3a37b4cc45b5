//! Measures time, steps and bytes per node in the reference simulator, while every node of a torus locks once.
//!
//! `cargo run --release -p acrasin-benches --bin faithful -- SIDE SEED`
//!
//! The run is on a torus of SIDE x SIDE nodes (Δ = 4, K = Δ² + 1) with the repaired rules and self-messages as
//! messages. In semi-synchronous rounds each node that can act does so with probability 1/2. The run ends when no
//! node can act any more. The output is a function of SIDE and SEED, except for the times and the peak of the
//! resident memory.

use std::process::ExitCode;

use acrasin_graphs::family::lattice::{Sides, torus};
use acrasin_runtime::digest::Digest;
use acrasin_runtime::exclusion::local::{Local, LockNote, Message};
use acrasin_runtime::execution::{Advance, Execution};
use acrasin_runtime::scheduler::{Activation, SemiSynchronous};
use acrasin_runtime::{
    Demand, Event, FixedProbability, LockOnly, LockSetRule, Observer, Seeded, Setup, Timing, Topology, World,
};
use cpu_time::ProcessTime;

/// The number of ports of a node of a torus.
const PORTS: u16 = 4;

/// The maximum side of the torus. The number of edges, twice the square of the side, is far below every limit.
const SIDE_MAX: u64 = (1 << 14) - 1;

#[derive(Default)]
struct MessageCounts {
    locks: u64,
    released: u64,
    trials: u64,
    late_rejections: u64,
    messages: [u64; Message::KINDS.len()],
}

impl Observer<Local, LockOnly> for MessageCounts {
    fn event(&mut self, event: &Event<'_, Local, LockOnly>) {
        match *event {
            Event::Sent { message, .. } => self.messages[message.kind_index()] += 1,
            Event::Noted { note: LockNote::Trial, .. } => self.trials += 1,
            Event::Noted { note: LockNote::LateRejection, .. } => self.late_rejections += 1,
            Event::Granted { .. } => self.locks += 1,
            Event::Released { .. } => self.released += 1,
            _ => {}
        }
    }
}

struct FaithfulRun {
    rounds: u64,
    steps: u64,
    bytes: usize,
    digest: Digest,
    counts: MessageCounts,
}

/// Runs until every node has locked and unlocked once.
fn run(side: u64, seed: u64) -> Result<FaithfulRun, Box<dyn std::error::Error>> {
    let graph = torus(Sides { rows: side, columns: side })?;
    let topology = Topology::from_edges(graph.nodes(), PORTS, graph.edges())?;
    let nodes = topology.node_count();
    drop(graph);
    let world = World::new(Setup {
        exclusion: Local::new(PORTS),
        section: LockOnly,
        topology,
        states: vec![Demand::Times(1); nodes as usize],
        lock_set: LockSetRule::Neighbourhood,
        timing: Timing::AtOnce,
    });
    let scheduler = SemiSynchronous::new(Activation::Random(FixedProbability::HALF));
    let mut execution = Execution::new(world, Box::new(scheduler));
    let mut choices = Seeded::new(seed);
    let mut counts = MessageCounts::default();
    let mut bytes = execution.world().bytes();
    loop {
        match execution.advance(&mut choices, &mut counts) {
            Advance::Advanced | Advance::Held => {}
            Advance::Quiescent => break,
            Advance::Violated => return Err(execution.world().check().expect_err("just reported").into()),
        }
        // Buffers only grow, so an occasional check finds the largest size.
        if execution.rounds().is_multiple_of(1024) {
            bytes = bytes.max(execution.world().bytes());
        }
    }
    let world = execution.world();
    let expected = u64::from(nodes);
    if (counts.locks, counts.released, world.outstanding()) != (expected, expected, 0) {
        return Err(format!("{} of {expected} nodes have locked", counts.locks).into());
    }
    Ok(FaithfulRun {
        rounds: execution.rounds(),
        steps: world.steps(),
        bytes: bytes.max(world.bytes()),
        digest: world.digest(),
        counts,
    })
}

/// The peak of the resident memory in bytes, if the system reports it.
fn peak_resident() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes * 1024)
}

fn number(argument: Option<String>, default: u64, most: u64) -> Result<u64, String> {
    let Some(text) = argument else { return Ok(default) };
    match text.parse() {
        Ok(number) if number <= most => Ok(number),
        _ => Err(format!("`{text}` is not accepted; accepted: whole numbers up to {most}")),
    }
}

fn report(side: u64, seed: u64) -> Result<(), Box<dyn std::error::Error>> {
    #[allow(clippy::disallowed_types, reason = "this program measures time; no result depends on it")]
    let wall = std::time::Instant::now();
    let cpu = ProcessTime::now();
    let outcome = run(side, seed)?;
    let (wall, cpu) = (wall.elapsed().as_secs_f64(), cpu.elapsed().as_secs_f64());
    let nodes = side * side;
    let counts = &outcome.counts;
    let per_lock = |number: u64| number as f64 / counts.locks as f64;
    println!("torus           {side} x {side}, {nodes} nodes, seed {seed}");
    println!("wall time       {wall:.2} s");
    println!("processor time  {cpu:.2} s");
    println!("rounds          {}", outcome.rounds);
    println!("steps           {}", outcome.steps);
    println!("steps per CPU s {:.0}", outcome.steps as f64 / cpu);
    println!("locks           {}", counts.locks);
    println!("trials per lock {:.4}", per_lock(counts.trials));
    println!("late rejections {}", counts.late_rejections);
    let messages = counts.messages.iter().sum();
    println!("messages        {messages} ({:.2} per lock)", per_lock(messages));
    for (kind, count) in Message::KINDS.iter().zip(counts.messages) {
        println!("  {kind:<13} {count}");
    }
    println!("world           {:.1} bytes per node", outcome.bytes as f64 / nodes as f64);
    match peak_resident() {
        Some(bytes) => println!("peak resident   {:.1} bytes per node", bytes as f64 / nodes as f64),
        None => println!("peak resident   not reported by this system"),
    }
    println!("digest          {}", outcome.digest);
    Ok(())
}

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let parameters = number(arguments.next(), 1000, SIDE_MAX)
        .and_then(|side| Ok((side, number(arguments.next(), 1, u64::MAX)?)))
        .and_then(|parameters| match arguments.next() {
            Some(extra) => Err(format!("`{extra}`: only SIDE and SEED are accepted")),
            None => Ok(parameters),
        });
    let (side, seed) = match parameters {
        Ok(parameters) => parameters,
        Err(message) => {
            eprintln!("faithful: {message}");
            return ExitCode::from(2);
        }
    };
    match report(side, seed) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("faithful: {error}");
            ExitCode::FAILURE
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_message_identity_holds_and_the_digest_repeats() {
        let (one, two) = (run(6, 7).unwrap(), run(6, 7).unwrap());
        assert_eq!(one.digest, two.digest);
        let (locks, trials) = (one.counts.locks, one.counts.trials);
        // Every Lock has five participants, including the node itself.
        assert_eq!(one.counts.messages.iter().sum::<u64>(), 5 * (6 * locks + 2 * trials));
        assert_ne!(run(6, 8).unwrap().counts.trials, trials);
    }

    #[test]
    fn arguments_out_of_range_are_refused() {
        assert_eq!(number(None, 5, 9), Ok(5));
        assert_eq!(number(Some("9".into()), 5, 9), Ok(9));
        for wrong in ["10", "-1", "x", "1e6", ""] {
            assert!(number(Some(wrong.into()), 5, 9).unwrap_err().contains("up to 9"));
        }
        assert!(run(2, 1).is_err());
    }
}
