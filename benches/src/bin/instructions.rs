//! Counts the instructions of the engine's rungs with callgrind. The counts do not depend on other load of the machine.
//!
//! ```text
//! instructions                 counts every workload and prints the table
//! instructions check FILE      also fails if a count is more than 3 % above the one in FILE
//! ```
//!
//! Requires `valgrind`, which does not support AVX-512. So the counted code uses AVX2, where an instruction of the fast
//! rungs works on 256 bits. Exit codes: 0 success, 1 a count has grown, 2 usage error, or valgrind cannot be run.

use std::io::Write as _;
use std::process::{Command, ExitCode};

use acrasin_engine::round::MemoryLimit;
use acrasin_workload::{Ask, WorkloadFamily, WorkloadGroup, groups};

/// The counted families, each with its number of nodes.
const COUNTED: [(&str, u64); 4] = [("L1", 1 << 14), ("M1", 1 << 13), ("M2", 1 << 12), ("M3", 1 << 12)];
/// The divisor by which samples are shortened, because programs run about fifty times slower under valgrind.
const PART: u64 = 16;
/// The number of rounds before counting. Fewer than for measuring times, because valgrind is slow.
const WARM_UP: u64 = 40;
/// The relative growth above which the check fails. A new version of the compiler causes less growth.
const TOLERANCE: f64 = 0.03;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["work", family, row, samples] => work(family, row, samples),
        [] => table(None),
        ["check", file] => table(Some(file)),
        _ => fail("usage: instructions [check FILE]"),
    }
}

fn fail(message: &str) -> ExitCode {
    let _ = writeln!(std::io::stderr(), "error: {message}");
    ExitCode::from(2)
}

fn group(family: &str) -> Option<WorkloadGroup> {
    let &(id, nodes) = COUNTED.iter().find(|(id, _)| *id == family)?;
    let ask = Ask {
        families: vec![id],
        nodes: vec![nodes],
        full: false,
        seed: 1,
        memory: MemoryLimit(1 << 31),
        check: false,
        warm_up: WARM_UP,
    };
    groups(&ask).ok()?.pop()
}

/// Runs under valgrind: sets up a row and takes samples of it.
fn work(family: &str, row: &str, samples: &str) -> ExitCode {
    let parsed = group(family).zip(row.parse::<usize>().ok()).zip(samples.parse::<u32>().ok());
    let Some(((group, row), samples)) = parsed else { return fail("no such workload") };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).use_current_thread().build();
    let Ok(pool) = pool else { return fail("a pool with only this thread cannot be created") };
    pool.install(|| {
        let Some(Ok(mut work)) = group.rows.get(row).map(|row| row.build()) else {
            return fail("no such row");
        };
        let items: u64 = (0..samples).map(|_| work.part(PART).items).sum();
        let _ = writeln!(std::io::stdout(), "{items}");
        ExitCode::SUCCESS
    })
}

/// The number of instructions that valgrind counted, and the number of items that the program processed.
fn count(family: &WorkloadFamily, row: usize, samples: u32) -> Result<(u64, u64), String> {
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(program)
        .args(["work", family.id, &row.to_string(), &samples.to_string()])
        .output()
        .map_err(|error| format!("valgrind cannot be run: {error}"))?;
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    if !output.status.success() {
        return Err(format!("the workload failed under valgrind: {err}"));
    }
    let collected = err.lines().find_map(|line| line.split_once("Collected :")?.1.trim().parse().ok());
    let items = out.trim().parse().ok();
    collected.zip(items).ok_or_else(|| format!("valgrind did not say what it counted: {err}"))
}

/// The instructions per item: the difference between a run with two samples and one without samples, so that set-up and
/// warm-up do not count.
fn per_item(family: &WorkloadFamily, row: usize) -> Result<f64, String> {
    let (without, _) = count(family, row, 0)?;
    let (with, items) = count(family, row, 2)?;
    Ok(with.saturating_sub(without) as f64 / items as f64)
}

fn table(kept: Option<&str>) -> ExitCode {
    let kept = match kept.map(std::fs::read_to_string) {
        None => None,
        Some(Ok(text)) => Some(text),
        Some(Err(error)) => return fail(&format!("the table cannot be read: {error}")),
    };
    let mut grown = false;
    let mut out = std::io::stdout().lock();
    let _ = writeln!(out, "| family | row | nodes | instructions an item |\n|---|---|---|---|");
    for (id, nodes) in COUNTED {
        let Some(group) = group(id) else { return fail(&format!("{id} at {nodes} nodes cannot be built")) };
        for (index, row) in group.rows.iter().enumerate() {
            // The counts of a mutex would depend on how often threads contend.
            if !row.reproducible {
                continue;
            }
            let now = match per_item(group.family, index) {
                Ok(now) => now,
                Err(error) => return fail(&error),
            };
            let line = format!("| {id} | {} | {nodes} |", row.variant);
            let before = kept.as_deref().and_then(|text| kept_count(text, &line));
            let remark = match before {
                Some(before) if now > before * (1.0 + TOLERANCE) => {
                    grown = true;
                    format!(" grown from {before} |")
                }
                None if kept.is_some() => " not kept |".to_owned(),
                _ => String::new(),
            };
            let _ = writeln!(out, "{line} {now:.2} |{remark}");
        }
    }
    ExitCode::from(u8::from(grown))
}

/// The count in the line of a file that begins with `begin`; `None` if there is no such line.
fn kept_count(text: &str, begin: &str) -> Option<f64> {
    let rest = text.lines().find_map(|line| line.strip_prefix(begin))?;
    rest.split('|').next()?.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kept_counts_are_found_by_their_row() {
        let text = "| M1 | F3 words, half active, K = 64 | 8192 | 61.30 |\n| M1 | F2 | 8192 | 1.5 |\n";
        assert_eq!(kept_count(text, "| M1 | F3 words, half active, K = 64 | 8192 |"), Some(61.3));
        assert_eq!(kept_count(text, "| M1 | F2 | 8192 |"), Some(1.5));
        assert_eq!(kept_count(text, "| M1 | F2 | 99 |"), None);
    }

    #[test]
    fn every_counted_family_can_be_built() {
        for (id, _) in COUNTED {
            assert!(!group(id).unwrap().rows.is_empty(), "{id}");
        }
    }
}
