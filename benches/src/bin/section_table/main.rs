//! Explores instances of local critical sections exhaustively before a release, and prints the results.
//!
//! `cargo run --release -p acrasin-benches --bin section_table -- quick|full|search|random [N]|ROW…`
//!
//! Prints a table in Markdown: a row for each instance of the specification, with the number of configurations in the
//! specification and ours. The column of stamps has these values:
//!
//! - *any order*: stamps in any order among pending requests.
//! - *late*: as *any order*, but a process with all grants enters or leaves in a separate step.
//! - *ranked*: clocks travel with requests only, and only the order of all numbers is stored. Like *any order*, this
//!   covers infinite runs.
//! - *b*, a number: each process begins at most b changes that wait for grants, and clocks travel with requests only.
//!   Stamps are not normalised.
//!
//! `quick` runs the rows with fewer than a million configurations; a number runs the row with that number. `search`
//! tries every leader, all bounds and every start on a path of three nodes (P3), including refused ones. It lists the
//! instances that have as many configurations as a row of the specification with a leader on P3. `random` draws N
//! instances, by default 250. It reports in how many of them a process starves, with and without two repairs: the
//! leader's extra place and the excursion.
//!
//! The exit code is 1 if a count differs from the specification or a property does not hold. The exit code is 3 if an
//! exploration did not end; its row then shows the progress. All columns except the last depend only on the code.

mod random;
mod reshaped;
mod rows;
mod search;

use std::ops::ControlFlow;
use std::process::ExitCode;

use acrasin_runtime::exclusion::critical_section::LocalSections;
use acrasin_runtime::exclusion::{Bounds, Exclusion as _, InitialKnowledge, Stamps};
use acrasin_runtime::{Demand, LockOnly, NodeId};
use acrasin_verify::locks::{Instance, LockModel, LockReport, Options, Witness, check};
use acrasin_verify::properties::CheckedExclusion as _;
use cpu_time::ProcessTime;
use reshaped::Reshaped;
use rows::{RowManner, SectionRow, nodes, rows};

type SectionTableResult<T> = Result<T, Box<dyn std::error::Error>>;

/// The memory limit of an exploration, in bytes.
const CEILING: u64 = 9 << 30;

/// Explores all configurations of runs in which every process enters and leaves repeatedly.
fn explored(
    exclusion: Reshaped,
    (edges, seating): (&[(u32, u32)], &InitialKnowledge),
    options: &Options,
) -> SectionTableResult<LockReport<Witness<Reshaped>>> {
    let nodes = nodes(edges);
    let instance = Instance {
        ports: nodes as u16 - 1,
        ..Instance::new(exclusion, LockOnly, edges, vec![Demand::Forever; nodes as usize])
    };
    let properties = Reshaped::properties();
    let model = LockModel::with_knowledge(instance, seating, &properties)?;
    Ok(check(&model, options, |_| ControlFlow::Continue(())))
}

impl SectionRow {
    fn seating(&self) -> InitialKnowledge {
        let bounds = |node: u32| self.bounds[node as usize % self.bounds.len()];
        let nodes = 0..nodes(self.edges);
        InitialKnowledge {
            bounds: nodes.clone().map(bounds).map(|(least, most)| Bounds { least, most }).collect(),
            inside: nodes.map(|node| self.inside.contains(&node)).collect(),
            leader: self.leader.then_some(NodeId(0)),
            ..InitialKnowledge::default()
        }
    }

    fn run(&self) -> SectionTableResult<LockReport<Witness<Reshaped>>> {
        let sections = LocalSections::new(self.scheme);
        let sections = if self.queued { sections } else { sections.with_own_messages_at_once() };
        let plain = Reshaped::new(sections);
        let stamped = |shape: Reshaped, stamps| {
            shape.with_stamps(stamps).ok_or("the algorithm does not have these stamps")
        };
        let exclusion = match self.manner {
            RowManner::AnyOrder => stamped(plain, Stamps::AnyOrder)?,
            RowManner::Late => stamped(plain.late(), Stamps::AnyOrder)?,
            RowManner::Ranked => stamped(plain, Stamps::Ranked)?,
            RowManner::Changes(times) => plain.at_most(times),
        };
        // A permanently ignored call is not quiescence: a process without changes left is not dead.
        let liveness = !matches!(self.manner, RowManner::Changes(_));
        let options = Options { bytes: CEILING, configurations: 20_000_000, liveness, stop_at_first: false };
        explored(exclusion, (self.edges, &self.seating()), &options)
    }
}

/// The result of the exploration of a row.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum RowResult {
    AsKnown,
    Otherwise,
    TooEarly,
}

/// Explores an instance and prints its row.
fn show(number: usize, row: &SectionRow) -> SectionTableResult<RowResult> {
    let cpu = ProcessTime::now();
    let report = row.run()?;
    let manner = match row.manner {
        RowManner::AnyOrder => "any order".to_owned(),
        RowManner::Late => "any order, late".to_owned(),
        RowManner::Ranked => "ranked".to_owned(),
        RowManner::Changes(times) => format!("b = {times}"),
    };
    let configurations = report.exploration.configurations();
    let broken: Vec<&str> = report.broken().map(|(answer, _)| answer.property).collect();
    let words = if broken.is_empty() { "all hold".to_owned() } else { broken.join("; ") };
    let (ended, words) = match report.exploration.truncated() {
        Some(why) if broken.is_empty() => (RowResult::TooEarly, format!("{why}, nothing broken so far")),
        None if configurations == row.known && broken.is_empty() => (RowResult::AsKnown, words),
        _ => (RowResult::Otherwise, format!("{words} **UNEXPECTED**")),
    };
    println!(
        "| {number} | {} | {manner} | {configurations} | {} | {words} | {:.1} |",
        row.name,
        row.known,
        cpu.elapsed().as_secs_f64()
    );
    Ok(ended)
}

fn table(wanted: impl Fn(usize, &SectionRow) -> bool) -> SectionTableResult<ExitCode> {
    println!("| | instance | stamps | configurations | specification | result | CPU s |");
    println!("|---:|---|---|---:|---:|---|---:|");
    let mut ended = RowResult::AsKnown;
    for (number, row) in (1..).zip(&rows()).filter(|(number, row)| wanted(*number, row)) {
        ended = ended.max(show(number, row).map_err(|error| format!("{}: {error}", row.name))?);
    }
    Ok(match ended {
        RowResult::AsKnown => ExitCode::SUCCESS,
        RowResult::Otherwise => ExitCode::from(1),
        RowResult::TooEarly => ExitCode::from(3),
    })
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let numbers: Option<Vec<usize>> = words.iter().map(|word| word.parse().ok()).collect();
    let numbers = numbers.filter(|numbers| {
        !numbers.is_empty() && numbers.iter().all(|number| (1..=rows().len()).contains(number))
    });
    let outcome = match (&words[..], numbers) {
        (["quick"], _) => table(|_, row| row.known < 1_000_000),
        (["full"], _) => table(|_, _| true),
        (["search"], _) => search::leaders_on_a_path(),
        (["random"], _) => random::table(250),
        (["random", instances], _) if instances.parse::<u64>().is_ok_and(|count| count > 0) => {
            random::table(instances.parse().expect("it is a number"))
        }
        (_, Some(numbers)) => table(|number, _| numbers.contains(&number)),
        _ => Err(format!(
            "wrong arguments (accepted: quick, full, search, random, random N or rows from 1 to {})",
            rows().len()
        )
        .into()),
    };
    outcome.unwrap_or_else(|error| {
        eprintln!("error: {error}");
        ExitCode::from(2)
    })
}
