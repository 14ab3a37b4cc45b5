//! The output of `acrasin bench`.

use std::borrow::Cow;
use std::fmt::Write as _;

use acrasin_report::table::{Column, Format, ResultTable};
use acrasin_report::value::{TextStyle, Value};
use acrasin_workload::{WARM_UP, WorkloadGroup};

use super::BenchArguments;
use super::rows::{Measured, MeasuredGroup, Naive};
use crate::machine;

/// The machine and the settings of a measurement, for the report.
pub(super) struct BenchMachine {
    processor: String,
    cores: usize,
    threads: Vec<u16>,
    commit: String,
    samples: u64,
    shorten: u64,
    warm_up: u64,
    seed: u64,
    check: bool,
}

impl BenchMachine {
    pub(super) fn here(threads: &[u16], arguments: &BenchArguments) -> Self {
        Self {
            processor: machine::processor().unwrap_or_else(|| "unknown processor".to_owned()),
            cores: std::thread::available_parallelism().map_or(1, std::num::NonZeroUsize::get),
            threads: threads.to_vec(),
            commit: machine::commit().map_or_else(|| "unknown".to_owned(), Cow::into_owned),
            samples: arguments.samples,
            shorten: arguments.shorten,
            warm_up: arguments.warm_up,
            seed: arguments.seed,
            check: arguments.check,
        }
    }

    /// The heading above all tables.
    pub(super) fn head(&self) -> String {
        let Self { processor, cores, commit, samples, shorten, warm_up, seed, check, .. } = self;
        let check = if *check { "; every round is checked" } else { "" };
        let part = if *shorten > 1 { format!(", each 1/{shorten} of its length") } else { String::new() };
        let warm_up = if *warm_up == WARM_UP { String::new() } else { format!(", after {warm_up} rounds") };
        format!(
            "{processor}, {cores} cores; acrasin {} ({commit}); seed {seed}; least and median of {samples} samples{part}{warm_up}{check}\n\
             CPU: nanoseconds of processor time per item, all threads together. wall: nanoseconds on the clock per item.\n",
            env!("CARGO_PKG_VERSION")
        )
    }
}

/// The cells of one row, with all values computed from its samples.
fn cells(
    measured: &Measured,
    group: &WorkloadGroup,
    all: &MeasuredGroup,
    naive: Option<Naive>,
) -> [Value; 20] {
    let row = &group.rows[measured.row];
    let (cpu, wall) = (measured.samples.cpu(), measured.samples.wall());
    let counted = measured.samples.counted();
    let per_second = |count: u64| {
        // Uses the counts of all samples and the median time: items per second times the count per item.
        let share = count as f64 / counted.items as f64;
        if count == 0 { Value::Missing } else { Value::Real(share * 1e9 / wall.median) }
    };
    let per_lock = |count: u64| {
        if count == 0 || counted.locks == 0 {
            Value::Missing
        } else {
            Value::Real(count as f64 / counted.locks as f64)
        }
    };
    let alone = all.alone(measured.row).filter(|alone| alone.threads != measured.threads);
    let against = |ratio: fn(&Measured, &Measured) -> f64| {
        alone.map_or(Value::Missing, |alone| Value::Real(ratio(alone, measured)))
    };
    [
        group.family.id.into(),
        row.variant.clone().into(),
        measured.nodes.into(),
        u64::from(measured.threads).into(),
        cpu.least.into(),
        cpu.median.into(),
        wall.least.into(),
        wall.median.into(),
        per_second(counted.items),
        per_second(counted.messages),
        per_second(counted.locks),
        per_lock(counted.messages),
        per_lock(counted.trials),
        Value::Real(measured.bytes as f64 / measured.nodes as f64),
        naive.map_or(Value::Missing, |naive| Value::Real(naive.cpu / cpu.least)),
        naive.map_or(Value::Missing, |naive| naive.nodes.into()),
        Value::Share(measured.floor / cpu.least),
        against(|alone, measured| alone.samples.wall().least / measured.samples.wall().least),
        against(|alone, measured| measured.samples.cpu().least / alone.samples.cpu().least),
        measured.digest.to_string().into(),
    ]
}

const KEYS: [&str; 20] = [
    "family",
    "variant",
    "nodes",
    "threads",
    "cpu_ns_min",
    "cpu_ns_median",
    "wall_ns_min",
    "wall_ns_median",
    "items_per_second",
    "messages_per_second",
    "locks_per_second",
    "messages_per_lock",
    "trials_per_lock",
    "bytes_per_node",
    "times_naive",
    "naive_nodes",
    "memory_floor_share",
    "speed_up",
    "cpu_inflation",
    "digest",
];

/// One line of JSON per row. Each has all values and the machine.
pub(super) fn json_lines(
    machine: &BenchMachine,
    group: &WorkloadGroup,
    all: &MeasuredGroup,
    naive: Option<Naive>,
) -> String {
    const MACHINE: [&str; 11] = [
        "processor",
        "cores",
        "thread_counts",
        "version",
        "commit",
        "seed",
        "samples",
        "shortened",
        "warm_up",
        "checked",
        "item",
    ];
    let mut table =
        ResultTable::new(KEYS.into_iter().chain(MACHINE).map(|key| Column::new(key).with_key(key)));
    for measured in &all.rows {
        let threads: Vec<String> = machine.threads.iter().map(u16::to_string).collect();
        let machine: [Value; 11] = [
            machine.processor.clone().into(),
            (machine.cores as u64).into(),
            threads.join(",").into(),
            env!("CARGO_PKG_VERSION").into(),
            machine.commit.clone().into(),
            machine.seed.into(),
            machine.samples.into(),
            machine.shorten.into(),
            machine.warm_up.into(),
            Value::Flag(machine.check),
            group.family.unit.to_string().into(),
        ];
        table.push(cells(measured, group, all, naive).into_iter().chain(machine).collect::<Vec<_>>());
    }
    table.render(Format::Jsonl, TextStyle::PLAIN)
}

/// The table of a group for a wide terminal, with a selection of the values.
pub(super) fn table(group: &WorkloadGroup, all: &MeasuredGroup, naive: Option<Naive>) -> String {
    // Columns, with the index of their cell in `cells`.
    let shown: [(&str, usize); 16] = [
        ("variant", 1),
        ("threads", 3),
        ("CPU", 4),
        ("median", 5),
        ("wall", 6),
        ("median", 7),
        ("items/s", 8),
        ("locks/s", 10),
        ("messages/lock", 11),
        ("trials/lock", 12),
        ("bytes/node", 13),
        ("x naive", 14),
        ("floor", 16),
        ("speed-up", 17),
        ("CPU inflation", 18),
        ("digest", 19),
    ];
    let rows: Vec<[Value; 20]> = all.rows.iter().map(|measured| cells(measured, group, all, naive)).collect();
    // Columns without values are omitted.
    let shown: Vec<(&str, usize)> = shown
        .into_iter()
        .filter(|&(_, at)| rows.iter().any(|row| !matches!(row[at], Value::Missing)))
        .collect();
    let mut table = ResultTable::new(shown.iter().map(|&(name, _)| Column::new(name)));
    for row in &rows {
        table.push(shown.iter().map(|&(name, at)| short(name, &row[at])).collect::<Vec<_>>());
    }
    let nodes = all.rows.first().map_or(0, |row| row.nodes);
    let nodes = Value::from(nodes).to_text(TextStyle::default());
    let mut text = format!(
        "\n{}: {}; {nodes} nodes, item: {}\n",
        group.family.id, group.family.summary, group.family.unit
    );
    text += &table.render(Format::Table, TextStyle::default());
    if let Some(naive) = naive.filter(|naive| all.rows.iter().all(|row| row.nodes != naive.nodes)) {
        let _ =
            writeln!(text, "x naive: against the naive loop at {} nodes, measured in this run", naive.nodes);
    }
    let mut warnings: Vec<&String> = all.rows.iter().filter_map(|row| row.warning.as_ref()).collect();
    warnings.dedup();
    for warning in warnings {
        let _ = writeln!(text, "warning: {warning}");
    }
    text
}

/// Shortens the value of a cell: digests to eight digits, rates to engineering notation.
fn short(name: &str, value: &Value) -> Value {
    match (name, value) {
        ("digest", Value::Text(digest)) => Value::Text(digest.chars().take(8).collect()),
        ("items/s" | "locks/s", Value::Real(rate)) => Value::Text(engineering(*rate)),
        _ => value.clone(),
    }
}

/// Formats a rate with three significant digits and a letter, such as `12.3 M`.
fn engineering(rate: f64) -> String {
    let (scaled, letter) = match rate {
        rate if rate >= 1e9 => (rate / 1e9, " G"),
        rate if rate >= 1e6 => (rate / 1e6, " M"),
        rate if rate >= 1e3 => (rate / 1e3, " k"),
        rate => (rate, ""),
    };
    let digits = if scaled >= 100.0 {
        0
    } else if scaled >= 10.0 {
        1
    } else {
        2
    };
    format!("{scaled:.digits$}{letter}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_have_three_digits() {
        let shown: Vec<String> = [3.216, 999.0, 12_345.0, 2.5e6, 7.25e9].map(engineering).to_vec();
        assert_eq!(shown, ["3.22", "999", "12.3 k", "2.50 M", "7.25 G"]);
    }
}
