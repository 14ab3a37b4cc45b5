//! Speed and memory of exhaustive exploration of the lock layer, compared with the stateright crate on the same
//! instances.
//!
//! `cargo run --release -p acrasin-benches --features peers --bin exploration -- REPETITIONS [THREADS]`
//!
//! The instances are P2 and P3 with every node calling Lock repeatedly, the repaired rules, K = 2, and self-messages as
//! messages. Every contender takes steps with the shipped `World::apply`, checks the promises of the lock layer after
//! every step, and must find the known number of configurations. Each run is a separate process, so that its times and
//! peak memory can be measured. Runs of the contenders alternate.
//!
//! - `acrasin`: `acrasin_explore`.
//! - `acrasin, all moves kept`: also stores the graph that questions about infinite runs need.
//! - `acrasin, reduced`: the same answers from fewer configurations, by symmetry and partial-order reduction. The speed
//!   counts only the explored configurations.
//! - `stateright, packed`: stateright's breadth-first checker, with the packed bytes that `acrasin_explore` uses as
//!   state.
//! - `stateright, worlds`: stateright's breadth-first checker, with a whole `World` as state and its digest as hash.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::ControlFlow;
use std::process::{Command, ExitCode};

use acrasin_explore::{Limits, explore};
use acrasin_runtime::choice::Enumerated;
use acrasin_runtime::exclusion::local::Local;
use acrasin_runtime::{CandidateEdge, Demand, LockOnly, NodeId, Port, StepOf, World};
use acrasin_verify::locks::{Instance, LockModel, Reductions};
use cpu_time::ProcessTime;
use stateright::{Checker, Model, Property};

type ExplorationResult<T> = Result<T, Box<dyn std::error::Error>>;

const REDUCED: &str = "acrasin, reduced";
const CONTENDERS: [&str; 5] =
    ["acrasin", "acrasin, all moves kept", REDUCED, "stateright, packed", "stateright, worlds"];

/// The instances: the name, the number of nodes, and the known numbers of configurations without and with reductions.
const INSTANCES: [(&str, u32, u64, u64); 2] = [("P2", 2, 7_294, 2_041), ("P3", 3, 2_981_877, 418_157)];

/// The memory limit in bytes, far above the need of every contender.
const CEILING: u64 = 16 << 30;

fn instance(nodes: u32) -> Instance<Local, LockOnly> {
    let local = Local::new(2).with_priorities(2).expect("two priorities suffice");
    let path: Vec<(u32, u32)> = (1..nodes).map(|node| (node - 1, node)).collect();
    Instance { ports: 2, ..Instance::new(local, LockOnly, &path, vec![Demand::Forever; nodes as usize]) }
}

/// An [`Instance`] for stateright. `P` is the representation of a state.
struct StaterightModel<P> {
    start: World<Local, LockOnly>,
    edges: Vec<CandidateEdge>,
    keeping: std::marker::PhantomData<P>,
}

/// The representation of a state in stateright: packed bytes, or a whole `World`.
trait StateForm: Clone + Hash + fmt::Debug + PartialEq + Send + Sync + 'static {
    fn keep(world: World<Local, LockOnly>, edges: &[CandidateEdge]) -> Self;
    fn world(&self, start: &World<Local, LockOnly>, edges: &[CandidateEdge]) -> World<Local, LockOnly>;
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct PackedState(Vec<u8>);

impl StateForm for PackedState {
    fn keep(world: World<Local, LockOnly>, edges: &[CandidateEdge]) -> Self {
        let mut bytes = Vec::new();
        world.pack(edges, &mut bytes);
        Self(bytes)
    }
    fn world(&self, start: &World<Local, LockOnly>, edges: &[CandidateEdge]) -> World<Local, LockOnly> {
        let mut world = start.clone();
        world.restore(edges, &mut &self.0[..]).expect("packed before");
        world
    }
}

#[derive(Clone, Debug)]
struct WorldState(World<Local, LockOnly>);

impl PartialEq for WorldState {
    fn eq(&self, other: &Self) -> bool {
        self.0.digest() == other.0.digest()
    }
}

impl Hash for WorldState {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u128(self.0.digest().0);
    }
}

impl StateForm for WorldState {
    fn keep(world: World<Local, LockOnly>, _: &[CandidateEdge]) -> Self {
        Self(world)
    }
    fn world(&self, _: &World<Local, LockOnly>, _: &[CandidateEdge]) -> World<Local, LockOnly> {
        self.0.clone()
    }
}

impl<P: StateForm> Model for StaterightModel<P> {
    type State = P;
    /// A step and the number of the outcome of its draws.
    type Action = (StepOf<Local>, u32);

    fn init_states(&self) -> Vec<P> {
        vec![P::keep(self.start.clone(), &self.edges)]
    }

    fn actions(&self, state: &P, actions: &mut Vec<Self::Action>) {
        let world = state.world(&self.start, &self.edges);
        let mut steps = Vec::new();
        world.offered(&mut steps);
        for step in steps {
            // Only the algorithm knows which steps draw, so all outcomes are tried, as in the other contenders.
            let mut choices = Enumerated::new();
            let mut outcome = 0;
            loop {
                actions.push((step, outcome));
                outcome += 1;
                world.clone().apply(&step, &mut choices, &mut ()).expect("offered");
                if !choices.advance() {
                    break;
                }
            }
        }
    }

    fn next_state(&self, last: &P, (step, outcome): Self::Action) -> Option<P> {
        let mut world = last.world(&self.start, &self.edges);
        let picks = [outcome];
        let mut choices = acrasin_runtime::choice::Scripted::new(&picks);
        world.apply(&step, &mut choices, &mut ()).expect("offered");
        assert_eq!(world.check(), Ok(()));
        Some(P::keep(world, &self.edges))
    }

    fn properties(&self) -> Vec<Property<Self>> {
        // A property that always holds, so that the checker runs to the end. The promises are checked in
        // `next_state`.
        vec![Property::always("promises of the lock layer", |_, _| true)]
    }
}

fn peer<P: StateForm>(nodes: u32, threads: usize) -> ExplorationResult<u64> {
    let start = instance(nodes).world()?;
    let edges = (1..nodes).map(|node| {
        let (a, b) = (NodeId(node - 1), NodeId(node));
        let port = |from, to| start.topology().port_towards(from, to).map(Port::from).expect("an edge");
        CandidateEdge { a: (a, port(a, b)), b: (b, port(b, a)) }
    });
    let edges = edges.collect();
    let model = StaterightModel::<P> { start, edges, keeping: std::marker::PhantomData };
    let checker = stateright::CheckerBuilder::threads(model.checker(), threads).spawn_bfs().join();
    Ok(checker.unique_state_count() as u64)
}

fn ours(nodes: u32, keep_graph: bool, reductions: Reductions) -> ExplorationResult<u64> {
    let model = LockModel::new(instance(nodes), &[])?.with_reductions(reductions)?;
    let limits = Limits { keep_graph, ..Limits::bytes(CEILING) };
    let found = explore(&model, &limits, |_| ControlFlow::Continue(()));
    assert!(found.findings().is_empty() && found.truncated().is_none());
    eprintln!(
        "    {} configurations, {} moves, depth {}, {:.1} bytes packed, {:.1} bytes per configuration held at the peak",
        found.configurations(),
        found.transitions(),
        found.depth(),
        found.packed_bytes(),
        found.peak_bytes() as f64 / found.configurations() as f64,
    );
    Ok(found.configurations())
}

/// The peak of the resident memory in bytes; 0 if the system does not report it.
fn peak_resident() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|line| line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok());
    kilobytes.unwrap_or(0) * 1024
}

/// Executes one run, in a separate process. Prints configurations, CPU and wall nanoseconds, and peak bytes.
fn child(contender: &str, nodes: u32, threads: usize) -> ExplorationResult<()> {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build_global()?;
    #[allow(clippy::disallowed_types, reason = "this program measures time; no result depends on it")]
    let wall = std::time::Instant::now();
    let cpu = ProcessTime::now();
    let configurations = match contender {
        "acrasin" => ours(nodes, false, Reductions::NONE)?,
        "acrasin, all moves kept" => ours(nodes, true, Reductions::NONE)?,
        REDUCED => ours(nodes, false, Reductions { symmetry: true, partial_order: true })?,
        "stateright, packed" => peer::<PackedState>(nodes, threads)?,
        "stateright, worlds" => peer::<WorldState>(nodes, threads)?,
        other => return Err(format!("`{other}`: accepted are {CONTENDERS:?}").into()),
    };
    let (cpu, wall) = (cpu.elapsed().as_nanos(), wall.elapsed().as_nanos());
    println!("{configurations} {cpu} {wall} {}", peak_resident());
    Ok(())
}

#[derive(Clone, Copy)]
struct ResourceUse {
    cpu: f64,
    wall: f64,
    peak: f64,
}

fn measure(contender: &str, nodes: u32, expected: u64, threads: usize) -> ExplorationResult<ResourceUse> {
    let output = Command::new(std::env::current_exe()?)
        .args(["--child", contender, &nodes.to_string(), &threads.to_string()])
        .output()?;
    let text = String::from_utf8(output.stdout)?;
    let numbers: Vec<u64> = text.split_whitespace().map(str::parse).collect::<Result<_, _>>()?;
    let &[configurations, cpu, wall, peak] = &numbers[..] else {
        return Err(format!("{contender}: {text}{}", String::from_utf8_lossy(&output.stderr)).into());
    };
    if configurations != expected {
        return Err(format!("{contender}: {configurations} configurations instead of {expected}").into());
    }
    Ok(ResourceUse { cpu: cpu as f64 / 1e9, wall: wall as f64 / 1e9, peak: peak as f64 })
}

fn minimum_and_median(mut values: Vec<f64>) -> (f64, f64) {
    values.sort_by(f64::total_cmp);
    (values[0], values[values.len() / 2])
}

fn report(repetitions: usize, threads: usize) -> ExplorationResult<()> {
    println!("{repetitions} runs each, {threads} threads; minimum / median");
    println!(
        "{:<4} {:<24} {:>19} {:>19} {:>16} {:>12} {:>7}",
        "", "", "CPU s", "wall s", "conf. a CPU s", "peak B/conf.", "ratio"
    );
    for (name, nodes, all, reduced) in INSTANCES {
        let expected = |contender| if contender == REDUCED { reduced } else { all };
        let mut runs = [const { Vec::new() }; CONTENDERS.len()];
        for _ in 0..repetitions {
            for (runs, contender) in runs.iter_mut().zip(CONTENDERS) {
                runs.push(measure(contender, nodes, expected(contender), threads)?);
            }
        }
        let baseline = minimum_and_median(runs[0].iter().map(|run: &ResourceUse| run.cpu).collect()).1;
        for (runs, contender) in runs.iter().zip(CONTENDERS) {
            let of = |value: fn(&ResourceUse) -> f64| minimum_and_median(runs.iter().map(value).collect());
            let (cpu, wall, peak) = (of(|run| run.cpu), of(|run| run.wall), of(|run| run.peak));
            println!(
                "{name:<4} {contender:<24} {:>9.3} /{:>8.3} {:>9.3} /{:>8.3} {:>16.0} {:>12.0} {:>7.2}",
                cpu.0,
                cpu.1,
                wall.0,
                wall.1,
                expected(contender) as f64 / cpu.1,
                peak.1 / expected(contender) as f64,
                cpu.1 / baseline,
            );
        }
    }
    println!(
        "ratio: median CPU time as a multiple of acrasin's. Peak: resident memory of the whole process."
    );
    Ok(())
}

fn number(argument: Option<&String>, default: usize) -> Result<usize, String> {
    let Some(text) = argument else { return Ok(default) };
    match text.parse() {
        Ok(number @ 1..=1000) => Ok(number),
        _ => Err(format!("`{text}` is not accepted; accepted: whole numbers from 1 to 1000")),
    }
}

fn run(arguments: &[String]) -> ExplorationResult<()> {
    match arguments {
        [flag, contender, nodes, threads] if flag == "--child" => {
            child(contender, number(Some(nodes), 2)? as u32, number(Some(threads), 1)?)
        }
        [..] if arguments.len() <= 2 => report(number(arguments.first(), 5)?, number(arguments.get(1), 1)?),
        _ => Err("only REPETITIONS and THREADS are accepted".into()),
    }
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}
