//! `acrasin bench`: measures the rungs of the engine on this machine.
//!
//! | module | contents |
//! |---|---|
//! | `arguments` | flags |
//! | `measure` | measures processor time and wall time |
//! | `rows` | runs the workloads, taking samples of a group in turn |
//! | `results` | prints the table, or lines of JSON |

mod arguments;
mod measure;
mod results;
mod rows;

use acrasin_engine::round::MemoryLimit;
use acrasin_report::record::Exit;
use acrasin_report::table::{Column, Format, ResultTable};
use acrasin_report::value::TextStyle;
use acrasin_workload::{Ask, FAMILIES, groups};

pub(crate) use arguments::BenchArguments;

use crate::output::{self, Verbosity};
use crate::{Failure, interrupt, setup};

pub(crate) fn bench(arguments: &BenchArguments, verbosity: Verbosity) -> Result<Exit, Failure> {
    if arguments.list {
        let mut table = ResultTable::new(["family", "what", "item"].map(Column::new));
        for family in FAMILIES {
            table.push([family.id.into(), family.summary.into(), family.unit.to_string().into()]);
        }
        output::print(&table.render(Format::Table, TextStyle::default()))?;
        return Ok(Exit::Done);
    }
    let ask = Ask {
        families: arguments.families.clone(),
        nodes: arguments.nodes.clone(),
        full: arguments.full,
        seed: arguments.seed,
        memory: MemoryLimit(arguments.memory << 20),
        check: arguments.check,
        warm_up: arguments.warm_up,
    };
    let groups = groups(&ask).map_err(Failure::usage)?;
    let threads = threads(arguments);
    let pools = threads.iter().map(|&threads| rows::pool(threads)).collect::<Result<Vec<_>, _>>()?;
    interrupt::a_run_begins();
    let machine = results::BenchMachine::here(&threads, arguments);
    if !arguments.json {
        output::print(&machine.head())?;
    }
    let samples = (arguments.samples, arguments.shorten);
    let mut naive = None;
    let mut broken = false;
    for group in &groups {
        // A sample cannot be interrupted: Ctrl-C ends the program, and rows already printed remain.
        setup::begin(format!("the table of {}", group.family.id), None);
        let Some(measured) = rows::measure(group, &pools, samples, verbosity)? else {
            return Ok(Exit::Interrupted);
        };
        setup::is_over();
        naive = measured.naive().or(naive.filter(|naive: &rows::Naive| naive.family == group.family.id));
        let text = if arguments.json {
            results::json_lines(&machine, group, &measured, naive)
        } else {
            results::table(group, &measured, naive)
        };
        output::print(&text)?;
        for complaint in measured.complaints() {
            verbosity.say(format_args!("error: {complaint}"));
            broken = true;
        }
    }
    Ok(if broken { Exit::Failed } else { Exit::Done })
}

fn threads(arguments: &BenchArguments) -> Vec<u16> {
    let mut threads = arguments.threads.clone();
    if threads.is_empty() {
        let cores = std::thread::available_parallelism()
            .map_or(1, |cores| u16::try_from(cores.get()).unwrap_or(u16::MAX));
        threads = vec![1, cores];
    }
    // The numbers must increase: results are compared with those of the first.
    threads.sort_unstable();
    threads.dedup();
    threads
}
