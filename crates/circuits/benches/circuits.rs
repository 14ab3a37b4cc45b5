//! Times of rounds of circuits and joint movements, compared with plain C arrays: `cargo bench -p acrasin-circuits
//! --bench circuits [-- AMOEBOTS [SAMPLES [THREADS]] [KIND..]]`. Each argument KIND, which is `circuit`, `pasc` or
//! `classes`, selects a row.
//!
//! Each row is measured in the same run as its yardstick, a loop of `yardstick.c`. Without `gcc` only the times of this
//! crate are printed, and a line tells so. Times are minimum and median of the samples, in milliseconds of processor
//! time and on the clock; the ratio is that of the minima of processor time.

#![allow(clippy::disallowed_types, reason = "a bench measures time")]

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};

use acrasin_amoebot::{Cell, Direction};
use acrasin_circuits::library::{Election, LaneCrossing, Pasc};
use acrasin_circuits::{
    CircuitRun, CircuitStructure, CircuitView, Coins, Demands, FrameDemand, Halves, JointAction, JointPlan,
    RoundTable, Seat,
};
use cpu_time::ProcessTime;

/// A block in which every amoebot expands east and marks the bond to the north-east, so that rows are sheared.
#[derive(Clone, Copy)]
struct ShearedBlock;

impl RoundTable for ShearedBlock {
    type Memory = ();
    type RoundName = ();

    fn start(&self, _seat: &Seat) -> ((), Option<()>) {
        ((), Some(()))
    }

    fn name(&self, (): ()) -> &'static str {
        "expand"
    }

    fn demands(&self) -> Demands {
        Demands { pins: 0, frame: FrameDemand::Common }
    }

    fn halves(&self, (): ()) -> Halves {
        Halves::Movement
    }

    fn plan(&self, (): (), _seat: &Seat, (): &mut ()) -> JointPlan {
        JointPlan::of(JointAction::Expand(Direction::East)).marking(Direction::NorthEast)
    }

    fn receive(&self, (): (), _seat: &Seat, (): &mut (), _heard: &CircuitView<'_>) -> Option<()> {
        None
    }
}

/// Processor time and elapsed time of each measurement.
type Times = Vec<[Duration; 2]>;

/// Measures single rounds.
fn rounds<A: RoundTable>(run: &mut CircuitRun<A>, rounds: usize) -> Times {
    let mut times = Vec::with_capacity(rounds);
    for _ in 0..rounds {
        let (cpu, wall) = (ProcessTime::now(), Instant::now());
        assert_eq!(run.round(), Ok(true), "a run without conflicts that has not ended");
        times.push([cpu.elapsed(), wall.elapsed()]);
    }
    times
}

/// The mean time of each two successive rounds.
fn pairs(times: &Times) -> Times {
    times.chunks_exact(2).map(|pair| [0, 1].map(|which| (pair[0][which] + pair[1][which]) / 2)).collect()
}

fn block(amoebots: usize) -> Vec<Cell> {
    let side = amoebots.isqrt() as i32;
    (0..side).flat_map(|y| (0..side).map(move |x| Cell::new(x, y).expect("a cell near the origin"))).collect()
}

/// Measures rounds of an election, after the round in which circuits are formed.
fn election(amoebots: usize, samples: usize) -> Times {
    let structure = CircuitStructure::contracted(&block(amoebots), 1).expect("a block");
    let run = CircuitRun::new(structure, Election { repetitions: 10 }, Coins::keyed(1));
    let mut run = run.expect("an election has no demands");
    rounds(&mut run, 2);
    rounds(&mut run, samples)
}

/// Measures iterations of PASC on a line; the time of an iteration is the mean of its two rounds.
fn pasc(amoebots: usize, samples: usize) -> Times {
    let line: Vec<Cell> = (0..amoebots as i32).map(|x| Cell::new(x, 0).expect("a cell")).collect();
    let structure = CircuitStructure::contracted(&line, 2).expect("a line");
    let [parent, child] = [Direction::West, Direction::East].map(|direction| direction.index() + 1);
    let algorithm = Pasc {
        parents: (0..amoebots).map(|amoebot| (amoebot > 0).then_some(parent)).collect(),
        children: (0..amoebots).map(|at| if at + 1 < amoebots { vec![child] } else { Vec::new() }).collect(),
        participants: None,
        crossing: LaneCrossing::Arriving,
    };
    let start = CircuitRun::new(structure, algorithm, Coins::keyed(1)).expect("a line in one frame");
    // A run has as many iterations as the largest distance has bits.
    let iterations = amoebots.ilog2() as usize + 1;
    let mut times = Vec::with_capacity(samples);
    while times.len() < samples {
        times.extend(pairs(&rounds(&mut start.clone(), 2 * iterations.min(samples - times.len()))));
    }
    times
}

/// Measures expansions of a block, each from the initial block.
fn movement(amoebots: usize, samples: usize) -> Times {
    let structure = CircuitStructure::contracted(&block(amoebots), 0).expect("a block");
    let run = CircuitRun::new(structure, ShearedBlock, Coins::keyed(1)).expect("a block in one frame");
    (0..samples).flat_map(|_| rounds(&mut run.clone(), 1)).collect()
}

/// Compiles the C program. Returns its path, or the reason why there is no program.
fn compiled() -> Result<PathBuf, String> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/yardstick.c");
    let program = std::env::temp_dir().join(format!("acrasin-yardstick-{}", std::process::id()));
    let compiled =
        Command::new("gcc").args(["-O3", "-march=native", "-o"]).arg(&program).arg(source).status();
    match compiled {
        Ok(status) if status.success() => Ok(program),
        Ok(status) => Err(format!("gcc: {status}")),
        Err(error) => Err(format!("gcc: {error}")),
    }
}

/// Measures rounds of the C program.
fn yardstick(program: &Path, kind: &str, amoebots: usize, rounds: usize) -> Times {
    let output = Command::new(program)
        .args([kind, &amoebots.to_string(), &rounds.to_string()])
        .output()
        .expect("it runs");
    let text = String::from_utf8_lossy(&output.stdout);
    let line = |line: &str| {
        let mut numbers = line.split(' ').map(|number| number.parse().expect("nanoseconds"));
        [0; 2].map(|_: i32| Duration::from_nanos(numbers.next().expect("two numbers a line")))
    };
    let times: Times = text.lines().map(line).collect();
    assert_eq!(times.len(), rounds, "one line a round");
    times
}

/// Minimum and median, in milliseconds.
fn summary(times: &Times, which: usize) -> [f64; 2] {
    let mut sorted: Vec<f64> = times.iter().map(|time| time[which].as_secs_f64() * 1e3).collect();
    sorted.sort_by(f64::total_cmp);
    [sorted[0], sorted[sorted.len() / 2]]
}

fn print_row(name: &str, threads: usize, times: &Times, base: Option<f64>) -> f64 {
    let ([cpu, cpu_median], [wall, wall_median]) = (summary(times, 0), summary(times, 1));
    let ratio = base.map_or("-".to_owned(), |base| format!("{:.2}", cpu / base));
    let _ = writeln!(
        std::io::stdout(),
        "| {name} | {threads} | {cpu:.2} | {cpu_median:.2} | {wall:.2} | {wall_median:.2} | {ratio} |"
    );
    cpu
}

fn main() -> ExitCode {
    let words = std::env::args().skip(1).filter(|word| word != "--bench");
    let (kinds, numbers): (Vec<String>, Vec<String>) =
        words.partition(|word| ["circuit", "pasc", "classes"].contains(&word.as_str()));
    let numbers: Result<Vec<usize>, _> = numbers.iter().map(|word| word.parse()).collect();
    let Ok(numbers) = numbers else {
        let _ = writeln!(
            std::io::stderr(),
            "error: arguments are AMOEBOTS, SAMPLES, THREADS and kinds (accepted: numbers, circuit, pasc, classes)"
        );
        return ExitCode::from(2);
    };
    let amoebots = numbers.first().copied().unwrap_or(1_000_000);
    let samples = numbers.get(1).copied().unwrap_or(15).max(5);
    let threads = numbers.get(2).copied().unwrap_or(2).max(1);
    let program = compiled();
    if let Err(reason) = &program {
        let _ = writeln!(std::io::stderr(), "NOT COMPARED: the yardstick is not compiled: {reason}");
    }
    let _ = writeln!(
        std::io::stdout(),
        "{amoebots} amoebots, {samples} samples; milliseconds a round\n\n\
         | row | threads | CPU | median | wall | median | ratio |\n|---|---|---|---|---|---|---|"
    );
    type Measured = fn(usize, usize) -> Times;
    let rows: [(&str, &str, Measured, usize, usize); 3] = [
        ("election, one lane", "circuit", election, amoebots, 1),
        ("PASC on a line", "pasc", pasc, amoebots, 2),
        ("joint movement of a block", "classes", movement, amoebots / 10, 1),
    ];
    let wanted = |kind: &str| kinds.is_empty() || kinds.iter().any(|other| other == kind);
    for (name, kind, measure, amoebots, rounds) in rows.into_iter().filter(|row| wanted(row.1)) {
        let base = program.as_ref().ok().map(|program| {
            let times = yardstick(program, kind, amoebots, rounds * samples);
            let times = if rounds == 2 { pairs(&times) } else { times };
            print_row(&format!("C loop `{kind}`, {amoebots}"), 1, &times, None)
        });
        for threads in if threads == 1 { vec![1] } else { vec![1, threads] } {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads start");
            let times = pool.install(|| measure(amoebots, samples));
            print_row(&format!("{name}, {amoebots}"), threads, &times, base);
        }
    }
    if let Ok(program) = program {
        let _ = std::fs::remove_file(program);
    }
    ExitCode::SUCCESS
}
