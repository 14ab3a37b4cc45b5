//! Explores instances of the lock layer exhaustively before a release, and prints the results.
//!
//! `cargo run --release -p acrasin-benches --bin release_table -- quick|full [MEMORY_GIB]`
//!
//! Prints a table in Markdown: the configurations, the questions, and the answers. An exploration that exceeds the
//! memory, or 20 million configurations, is marked as truncated. `quick` runs before every change; `full` takes several
//! minutes more.
//!
//! The exit code is 1 if anything differs from the expectation: a broken property of the repaired rules, an undetected
//! fault, or a wrong number of configurations. All columns except the last depend only on the code.

use std::ops::ControlFlow;
use std::process::ExitCode;

use acrasin_runtime::exclusion::Exclusion;
use acrasin_runtime::exclusion::local::{Local, Memory, Message, Rules, SelfMessages};
use acrasin_runtime::{Demand, LockOnly, LockSetRule, Timing};
use acrasin_verify::locks::{
    Budget, Explored, Instance, LockModel, LockReport, Options, Rewiring, Verdict, Witness, check,
};
use acrasin_verify::properties;
use acrasin_verify::wrong::{catalogue, with_fault};
use cpu_time::ProcessTime;

type ReleaseTableResult<T> = Result<T, Box<dyn std::error::Error>>;

/// The number of configurations at which explorations are truncated. They reach it after some minutes.
const CONFIGURATIONS_MAX: u64 = 20_000_000;

/// The expected result of an instance.
#[derive(Clone, Copy)]
enum KnownResult {
    /// All properties hold, and there are this many configurations.
    Known(u64),
    /// All properties hold; the number of configurations is not checked.
    Holds,
    /// This property is broken `times` times, possibly along with others, and there are `configurations`
    /// configurations.
    Broken { property: &'static str, times: u64, configurations: u64 },
    /// This property is broken, possibly along with others.
    Fault(&'static str),
}

struct InstanceRow {
    name: &'static str,
    instance: Instance<Local, LockOnly>,
    /// The name of a wrong rule set of `acrasin_verify::wrong`, in place of the shipped rules.
    wrong: Option<&'static str>,
    expected: KnownResult,
    is_quick: bool,
    /// Whether to answer questions about infinite runs as well.
    liveness: bool,
}

const DEAD: &str = "no dead configuration";
const ONCE: Demand = Demand::Times(1);
const NEVER: Demand = Demand::Times(0);
const CYCLIC: Demand = Demand::Forever;

const EDGE: &[(u32, u32)] = &[(0, 1)];
const PATH: &[(u32, u32)] = &[(0, 1), (1, 2)];
const TRIANGLE: &[(u32, u32)] = &[(0, 1), (1, 2), (0, 2)];
const STAR: &[(u32, u32)] = &[(0, 1), (0, 2), (0, 3)];
const SQUARE: &[(u32, u32)] = &[(0, 1), (1, 2), (2, 3), (0, 3)];

/// An instance with the repaired rules, K = 2, self-messages as messages, and a graph that does not change.
fn plain(edges: &[(u32, u32)], states: &[Demand]) -> Instance<Local, LockOnly> {
    let instance = Instance::new((), LockOnly, edges, states.to_vec());
    let local = Local::new(instance.ports).with_priorities(2).expect("two priorities suffice");
    instance.with_exclusion(local)
}

/// Methods that change an instance and can be chained.
trait InstanceChanges: Sized {
    fn changed(self, off: Budget, on: Budget) -> Self;
    fn times(self, off: u32, on: u32) -> Self;
    fn in_memory(self) -> Self;
    fn asynchronous(self) -> Self;
    fn pairs(self) -> Self;
    fn any_edges(self) -> Self;
    fn misused(self) -> Self;
    fn rules(self, rules: Rules) -> Self;
    fn priorities(self, k: u32) -> Self;
    fn ports(self, ports: u16) -> Self;
}

impl InstanceChanges for Instance<Local, LockOnly> {
    fn changed(self, disconnections: Budget, connections: Budget) -> Self {
        Self { disconnections, connections, ..self }
    }
    fn times(self, off: u32, on: u32) -> Self {
        self.changed(Budget::Times(off), Budget::Times(on))
    }
    fn in_memory(self) -> Self {
        Self { exclusion: self.exclusion.with_self_messages(SelfMessages::InMemory), ..self }
    }
    fn asynchronous(self) -> Self {
        Self { timing: Timing::OneByOne, ..self }
    }
    fn pairs(self) -> Self {
        Self { lock_set: LockSetRule::Pair, ..self }
    }
    fn any_edges(self) -> Self {
        Self { rewiring: Rewiring::AnyEdges, ..self }
    }
    fn misused(self) -> Self {
        Self { misuse: true, ..self }
    }
    fn rules(self, rules: Rules) -> Self {
        Self { exclusion: self.exclusion.with_rules(rules), ..self }
    }
    fn priorities(self, k: u32) -> Self {
        Self { exclusion: self.exclusion.with_priorities(k).expect("at least 2"), ..self }
    }
    fn ports(self, ports: u16) -> Self {
        Self { ports, ..self }
    }
}

fn rows() -> Vec<InstanceRow> {
    use KnownResult::{Broken, Fault, Holds, Known};
    let quick = |name, instance, expected| {
        let wrong = None;
        InstanceRow { name, instance, wrong, expected, is_quick: true, liveness: true }
    };
    let long = |name, instance, expected| InstanceRow { is_quick: false, ..quick(name, instance, expected) };
    let safety = |row: InstanceRow| InstanceRow { liveness: false, ..row };
    let wrong = |wrong, row: InstanceRow| InstanceRow { wrong: Some(wrong), ..row };
    let without =
        |r1, r2, r3| Rules { reject_late_requests: r1, clean_up_always: r2, clean_up_ignored_calls: r3 };
    let two = [ONCE; 2];
    let again = [CYCLIC; 2];
    vec![
        quick("P2, one Lock per node", plain(EDGE, &two), Known(6_625)),
        quick("P2, cyclic", plain(EDGE, &again), Known(7_294)),
        quick("P2, self-messages in memory, one Lock per node", plain(EDGE, &two).in_memory(), Known(1_171)),
        quick("P2, self-messages in memory, cyclic", plain(EDGE, &again).in_memory(), Known(1_232)),
        quick("P2, cyclic, K = 5", plain(EDGE, &again).priorities(5), Holds),
        quick("P2, cyclic, 1 disconnection", plain(EDGE, &again).times(1, 0), Holds),
        quick("P2, cyclic, 2 disconnections, 2 connections", plain(EDGE, &again).times(2, 2), Holds),
        quick("P2, cyclic, asynchronous", plain(EDGE, &again).asynchronous(), Holds),
        quick(
            "P2, cyclic, asynchronous, 2 disconnections, 2 connections",
            plain(EDGE, &again).asynchronous().times(2, 2),
            Known(309_404),
        ),
        quick(
            "P2, cyclic, the edge flaps forever",
            plain(EDGE, &again).changed(Budget::Unlimited, Budget::Unlimited),
            Holds,
        ),
        quick(
            "P2, cyclic, asynchronous, the edge flaps forever",
            plain(EDGE, &again).asynchronous().changed(Budget::Unlimited, Budget::Unlimited),
            Holds,
        ),
        quick(
            "P2, cyclic, ignored calls, 1 disconnection, 1 connection",
            plain(EDGE, &again).times(1, 1).misused(),
            Holds,
        ),
        quick(
            "P2, self-messages in memory, cyclic, the edge flaps forever, ignored calls",
            plain(EDGE, &again).in_memory().changed(Budget::Unlimited, Budget::Unlimited).misused(),
            Holds,
        ),
        quick("P3, ends lock once", plain(PATH, &[ONCE, NEVER, ONCE]), Holds),
        quick("P3, self-messages in memory, cyclic", plain(PATH, &[CYCLIC; 3]).in_memory(), Holds),
        quick(
            "P3, self-messages in memory, one Lock per node, 1 disconnection",
            plain(PATH, &[ONCE; 3]).in_memory().times(1, 0),
            Holds,
        ),
        quick(
            "P3, pairs, self-messages in memory, cyclic",
            plain(PATH, &[CYCLIC; 3]).in_memory().pairs(),
            Holds,
        ),
        quick("K3, two callers", plain(TRIANGLE, &[ONCE, ONCE, NEVER]), Known(127_693)),
        quick(
            "K3, self-messages in memory, two cyclic callers, 1 disconnection",
            plain(TRIANGLE, &[CYCLIC, CYCLIC, NEVER]).in_memory().times(1, 0),
            Holds,
        ),
        quick(
            "star of 4, self-messages in memory, two leaves cyclic",
            plain(STAR, &[NEVER, CYCLIC, CYCLIC, NEVER]).in_memory(),
            Holds,
        ),
        quick(
            "ring of 4, self-messages in memory, two opposite nodes once",
            plain(SQUARE, &[ONCE, NEVER, ONCE, NEVER]).in_memory(),
            Holds,
        ),
        quick(
            "3 nodes, Δ = 2, self-messages in memory, one cyclic caller, any edges, 1 disconnection, 1 connection",
            plain(PATH, &[CYCLIC, NEVER, NEVER]).in_memory().any_edges().times(1, 1),
            Holds,
        ),
        quick(
            "P2, published, one Lock per node (F1)",
            plain(EDGE, &two).rules(Rules::PUBLISHED),
            Broken { property: DEAD, times: 24, configurations: 6_033 },
        ),
        quick(
            "P2, without R1, one Lock per node (F1)",
            plain(EDGE, &two).rules(without(false, true, true)),
            Fault(DEAD),
        ),
        quick(
            "P2, without R2, one caller, 1 disconnection (F2)",
            plain(EDGE, &[ONCE, NEVER]).rules(without(true, false, true)).times(1, 0),
            Fault(DEAD),
        ),
        quick(
            "P2, without R3, one caller, ignored calls, 1 disconnection, 1 connection (F3)",
            plain(EDGE, &[ONCE, NEVER]).rules(without(true, true, false)).times(1, 1).misused(),
            Fault("Lock returns the persistent closed neighbourhood"),
        ),
        quick(
            "P2, self-messages in memory, published, one Lock per node (F1)",
            plain(EDGE, &two).in_memory().rules(Rules::PUBLISHED),
            Fault(DEAD),
        ),
        wrong(
            "priorities-wait-for-applicants",
            quick(
                "P3, self-messages in memory, one Lock per node; fault: CheckPriorities also waits until A = {}",
                plain(PATH, &[ONCE; 3]).in_memory(),
                Fault(DEAD),
            ),
        ),
        wrong(
            "late-between-rounds-only",
            quick(
                "P3, self-messages in memory, one Lock per node; fault: late means P = {}",
                plain(PATH, &[ONCE; 3]).in_memory(),
                Fault(DEAD),
            ),
        ),
        wrong(
            "constant-priority",
            quick(
                "P2, one Lock per node, K = 1",
                plain(EDGE, &two),
                Fault("success reachable while a Lock is outstanding"),
            ),
        ),
        long(
            "P2, cyclic, 3 disconnections, 3 connections, asynchronous",
            plain(EDGE, &again).asynchronous().times(3, 3),
            Holds,
        ),
        wrong(
            "priorities-wait-for-applicants",
            long(
                "P3, one Lock per node; fault: CheckPriorities also waits until A = {}",
                plain(PATH, &[ONCE; 3]),
                Fault(DEAD),
            ),
        ),
        wrong(
            "late-between-rounds-only",
            long("P3, one Lock per node; fault: late means P = {}", plain(PATH, &[ONCE; 3]), Fault(DEAD)),
        ),
        long("P3, one Lock per node", plain(PATH, &[ONCE; 3]), Holds),
        quick("P3, cyclic", plain(PATH, &[CYCLIC; 3]), Known(2_981_877)),
        long("P3, pairs, cyclic", plain(PATH, &[CYCLIC; 3]).pairs(), Holds),
        long(
            "P3, self-messages in memory, cyclic, 1 disconnection, 1 connection",
            plain(PATH, &[CYCLIC; 3]).in_memory().times(1, 1),
            Holds,
        ),
        long(
            "P3, self-messages in memory, ends cyclic, both edges flap forever",
            plain(PATH, &[CYCLIC, NEVER, CYCLIC]).in_memory().changed(Budget::Unlimited, Budget::Unlimited),
            Holds,
        ),
        safety(long(
            "P3, self-messages in memory, cyclic, both edges flap forever",
            plain(PATH, &[CYCLIC; 3]).in_memory().changed(Budget::Unlimited, Budget::Unlimited),
            Holds,
        )),
        long(
            "P3, asynchronous, self-messages in memory, one Lock per node",
            plain(PATH, &[ONCE; 3]).in_memory().asynchronous(),
            Holds,
        ),
        long(
            "K3, pairs, self-messages in memory, cyclic",
            plain(TRIANGLE, &[CYCLIC; 3]).in_memory().pairs(),
            Holds,
        ),
        safety(long("K3, pairs, cyclic", plain(TRIANGLE, &[CYCLIC; 3]).pairs(), Holds)),
        safety(long(
            "K3, self-messages in memory, one Lock per node",
            plain(TRIANGLE, &[ONCE; 3]).in_memory(),
            Holds,
        )),
        safety(long(
            "ring of 4, self-messages in memory, one Lock per node",
            plain(SQUARE, &[ONCE; 4]).in_memory(),
            Holds,
        )),
        safety(long(
            "3 nodes, Δ = 2, self-messages in memory, two callers once, any edges, 1 disconnection, 1 connection",
            plain(PATH, &[ONCE, NEVER, ONCE]).in_memory().any_edges().times(1, 1).ports(2),
            Holds,
        )),
    ]
}

/// The result as text, and whether it equals the expected one.
fn result<E: Exclusion>(report: &LockReport<Witness<E>>, expected: KnownResult) -> (String, bool) {
    let found = &report.exploration;
    let broken: Vec<_> = report.broken().collect();
    let is_complete = found.truncated().is_none();
    let words = if broken.is_empty() {
        match found.truncated() {
            None => "all hold".to_owned(),
            Some(why) => {
                let depth = found.covered_depth().map_or(0, |depth| depth + 1);
                format!("TRUNCATED ({why}): no property is broken in any run of up to {depth} moves")
            }
        }
    } else {
        let list = broken.iter().map(|(answer, witness)| {
            format!(
                "{}: {} times, shortest run {} steps",
                answer.property,
                witness.count,
                witness.steps.len()
            )
        });
        format!("BROKEN: {}", list.collect::<Vec<_>>().join("; "))
    };
    let times = |name: &str| {
        let found = broken.iter().find(|(answer, _)| answer.property == name);
        found.map(|(_, witness)| witness.count)
    };
    let is_right = match expected {
        // A truncated exploration is reported as such and contradicts nothing.
        KnownResult::Known(count) => broken.is_empty() && (!is_complete || found.configurations() == count),
        KnownResult::Holds => broken.is_empty(),
        KnownResult::Broken { property, times: count, configurations } => {
            times(property) == Some(count) && found.configurations() == configurations
        }
        KnownResult::Fault(property) => times(property).is_some(),
    };
    (words, is_right)
}

/// Explores one instance and prints its row. Returns whether the result is as expected, and the number of
/// configurations.
fn show<E>(row: &InstanceRow, instance: Instance<E, LockOnly>, bytes: u64) -> ReleaseTableResult<(bool, u64)>
where
    E: Explored + Exclusion<Memory = Memory, Message = Message>,
{
    let properties = properties::all();
    let model = LockModel::new(instance, &properties)?;
    let options =
        Options { bytes, configurations: CONFIGURATIONS_MAX, liveness: row.liveness, stop_at_first: false };
    let cpu = ProcessTime::now();
    let report = check(&model, &options, |_| ControlFlow::Continue(()));
    let seconds = cpu.elapsed().as_secs_f64();
    let asked = report.answers.iter().filter(|a| !matches!(a.verdict, Verdict::NotAsked(_))).count();
    let (words, is_right) = result(&report, row.expected);
    let found = &report.exploration;
    let warning = if is_right { "" } else { " **UNEXPECTED**" };
    println!(
        "| {} | {} | {} | {} | {asked} | {words}{warning} | {seconds:.1} |",
        row.name,
        found.configurations(),
        found.transitions(),
        found.depth()
    );
    Ok((is_right, found.configurations()))
}

fn explore(quick_only: bool, bytes: u64) -> ReleaseTableResult<bool> {
    println!("| instance | configurations | moves | depth | asked | result | CPU s |");
    println!("|---|---:|---:|---:|---|---|---:|");
    let (mut all_right, mut total) = (true, 0);
    for row in rows().into_iter().filter(|row| row.is_quick || !quick_only) {
        let instance = row.instance.clone();
        let (is_right, configurations) = match row.wrong {
            None => show(&row, instance, bytes)?,
            Some(name) => {
                let entry =
                    catalogue().find(|entry| entry.name == name).ok_or("there is no such faulty rule set")?;
                let exclusion = with_fault(instance.exclusion, entry.fault);
                show(&row, instance.with_exclusion(exclusion), bytes)?
            }
        };
        all_right &= is_right;
        total += configurations;
    }
    println!("\n{total} configurations in all.");
    Ok(all_right)
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let (quick, gibibytes) = match arguments[..] {
        ["quick"] => (true, Some(2)),
        ["full"] => (false, Some(8)),
        [word @ ("quick" | "full"), memory] => {
            (word == "quick", memory.parse().ok().filter(|&m| (1..=1024).contains(&m)))
        }
        _ => (true, None),
    };
    let Some(gibibytes) = gibibytes else {
        eprintln!(
            "error: the memory limit is not a number of GiB from 1 to 1024 (accepted: `quick` or `full`, then the number)"
        );
        return ExitCode::from(2);
    };
    match explore(quick, gibibytes << 30) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}
