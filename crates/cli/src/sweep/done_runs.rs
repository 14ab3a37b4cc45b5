//! [`DoneRuns`]: the rows that a file already has, assigned to the runs of the sweep.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use acrasin_report::rows::Rows;
use acrasin_report::value::Value;

use super::plan::{SweepPlan, normal};
use super::written_row::KeptRow;
use crate::Failure;

/// The runs whose rows a file has.
#[derive(Debug, Default)]
pub(super) struct DoneRuns {
    /// The summary data of each run, by the place of the run in the sweep.
    pub(super) kept: BTreeMap<u64, KeptRow>,
    /// The numbers of runs whose number differs from their place, by place. This happens if the file was begun with
    /// fewer values.
    renumbered: BTreeMap<u64, u64>,
    /// The places of the runs, in the order of their rows in the file.
    pub(super) order: Vec<u64>,
}

/// The differences between the rows and this sweep: of each kind the first one, with a description that names its row.
#[derive(Default)]
struct Differences(Vec<(&'static str, String)>);

impl Differences {
    fn note(&mut self, what: &'static str, detail: impl FnOnce() -> String) {
        if self.0.iter().all(|(other, _)| *other != what) {
            self.0.push((what, detail()));
        }
    }
}

impl DoneRuns {
    /// Reads the rows of a text that consists of complete rows.
    ///
    /// # Errors
    ///
    /// [`Failure`] if a row is damaged, duplicated, or of another sweep. For another sweep the message lists the
    /// differences.
    pub(super) fn read(path: &Path, text: &str, planned: &SweepPlan) -> Result<Self, Failure> {
        let damaged = |message: &dyn std::fmt::Display| {
            Failure::usage(format_args!("{}:{message}", path.display()))
                .accepting("the file without that line, whose run is then repeated; or another file")
        };
        let rows = Rows::read(text).map_err(|error| damaged(&error))?;
        let mut differences = Differences::default();
        let keys = planned.keys();
        let varied = |name: &&String| name.starts_with("sweep.");
        let in_file: BTreeSet<&str> =
            rows.names().iter().filter(varied).map(|name| &name["sweep.".len()..]).collect();
        if in_file != keys.iter().copied().collect() {
            differences.note("values", || {
                let varied: Vec<&str> = in_file.iter().copied().collect();
                if varied.is_empty() {
                    return "the rows of the file have no varied values".to_owned();
                }
                format!("the file varies {}", varied.join(", "))
            });
            return Err(refused(path, &differences));
        }
        let names: Vec<String> =
            ["run", "repetition", "manifest.version", "manifest.seed", "manifest.scenario_digest"]
                .map(str::to_owned)
                .into_iter()
                .chain(["outcome.word", "outcome.exit_code"].map(str::to_owned))
                .chain(keys.iter().map(|key| format!("sweep.{key}")))
                .collect();
        let figures: Vec<&String> = rows.names().iter().filter(|name| KeptRow::has(name)).collect();
        let files: Vec<&String> = rows.names().iter().filter(|name| name.ends_with(".digest")).collect();
        // In a table each row has the word of its sweep.
        let word_of_sweep = rows.names().iter().find(|name| *name == "sweep");
        let wanted: Vec<&str> = names
            .iter()
            .chain(figures.iter().copied())
            .chain(files.iter().copied())
            .chain(word_of_sweep)
            .map(String::as_str)
            .collect();
        let mut columns = rows.columns(&wanted).map_err(|error| damaged(&error))?;
        if let Some(words) = word_of_sweep.and_then(|_| columns.pop())
            && let Some(row) = words.iter().position(|word| *word != words[0])
        {
            let (line, word, first) = (row + 2, shown(&words[row]), shown(&words[0]));
            return Err(damaged(&format_args!(
                "{line}: the row belongs to another sweep: `sweep` is {word}, but {first} in the first row"
            )));
        }
        let (fixed, rest) = columns.split_at(7);
        let (values, rest) = rest.split_at(keys.len());
        let (of_figures, of_files) = rest.split_at(figures.len());
        let whole = |value: &Value| if let Value::Integer(number) = value { Some(*number) } else { None };
        let mut done = Self::default();
        let mut numbers = BTreeSet::new();
        for row in 0..rows.len() {
            let line = row + 2;
            let [run, repetition, version, seed, digest, word, exit] =
                [0, 1, 2, 3, 4, 5, 6].map(|at| &fixed[at][row]);
            let (Some(run), Some(repetition)) = (whole(run), whole(repetition)) else {
                return Err(damaged(&format_args!(
                    "{line}: the row lacks the number of its run or repetition"
                )));
            };
            let is_exit = |code: u64| code <= 255;
            if !whole(exit).is_some_and(is_exit) || !matches!(word, Value::Text(_)) {
                return Err(damaged(&format_args!(
                    "{line}: the row does not say how its run ended: `outcome.word` is {} and `outcome.exit_code` {}",
                    shown(word),
                    shown(exit)
                )));
            }
            let of_figure = figures.iter().zip(of_figures).map(|(name, column)| (name, &column[row]));
            if let Some((name, value)) =
                of_figure.clone().find(|(name, value)| !KeptRow::is_sound(name, value))
            {
                return Err(damaged(&format_args!("{line}: `{name}` is not a number: {}", shown(value))));
            }
            let of_row = || format!("run {run}");
            if !same(version, env!("CARGO_PKG_VERSION")) {
                differences.note("version", || {
                    format!("{} of {}, here {}", shown(version), of_row(), env!("CARGO_PKG_VERSION"))
                });
            }
            let written: Vec<&Value> = values.iter().map(|column| &column[row]).collect();
            let Some(combination) = planned.combination(&written) else {
                let of: Vec<String> =
                    keys.iter().zip(&written).map(|(key, value)| format!("{key}={}", shown(value))).collect();
                differences.note("values", || format!("{} of {}", of.join(", "), of_row()));
                continue;
            };
            if repetition >= planned.repetitions() {
                differences.note("repetitions", || {
                    format!(
                        "{} has repetition {repetition}, counted from 0, but this sweep has {}",
                        of_row(),
                        planned.repetitions()
                    )
                });
                continue;
            }
            let expected = planned.expected(combination, repetition);
            if !same(seed, &expected.seed.to_string()) {
                differences
                    .note("seed", || format!("{} of {}, here {}", shown(seed), of_row(), expected.seed));
            }
            let mut has_changed_file = false;
            for (name, column) in files.iter().zip(of_files) {
                let file =
                    expected.files.iter().find(|file| **name == format!("scenario.{}", file.parameter()));
                if let Some(file) = file.filter(|file| !same(&column[row], &file.digest)) {
                    has_changed_file = true;
                    differences.note("a file of the scenario", || format!("{} ({})", file.path, file.place));
                }
            }
            if !same(digest, expected.digest) && !has_changed_file {
                differences.note("scenario", || {
                    format!("digest {} of {}, here {}", shown(digest), of_row(), expected.digest)
                });
            }
            let place = planned.place(combination, repetition);
            if !numbers.insert(run) || done.kept.contains_key(&place) {
                return Err(damaged(&format_args!("{line}: run {run} has two rows")));
            }
            if run != place {
                done.renumbered.insert(place, run);
            }
            done.order.push(place);
            let figures = of_figure.map(|(name, value)| (name.as_str(), value));
            done.kept.insert(place, KeptRow::new(word, exit, figures));
        }
        if !differences.0.is_empty() {
            return Err(refused(path, &differences));
        }
        Ok(done)
    }

    /// Whether the number of some run differs from its place.
    pub(super) fn is_renumbered(&self) -> bool {
        !self.renumbered.is_empty()
    }

    /// The numbers of the missing runs. The number of a run is its place, unless some rows in the file have other
    /// numbers; then the missing runs get the free numbers in order.
    pub(super) fn numbers(&self, runs: u64) -> BTreeMap<u64, u64> {
        if self.renumbered.is_empty() {
            return BTreeMap::new();
        }
        let taken: BTreeSet<u64> =
            self.kept.keys().map(|place| *self.renumbered.get(place).unwrap_or(place)).collect();
        let missing = (0..runs).filter(|place| !self.kept.contains_key(place));
        missing.zip((0..).filter(|number| !taken.contains(number))).collect()
    }
}

fn same(value: &Value, expected: &str) -> bool {
    normal(value) == normal(&expected.into())
}

fn shown(value: &Value) -> String {
    value.to_plain().unwrap_or_else(|| "nothing".to_owned())
}

fn refused(path: &Path, Differences(found): &Differences) -> Failure {
    let found: Vec<String> = found.iter().map(|(what, detail)| format!("{what} ({detail})")).collect();
    let verb = if found.len() == 1 { "differs" } else { "differ" };
    let message =
        format!("{} does not have the rows of this sweep: {verb} {}", path.display(), found.join("; "));
    Failure::usage(message).accepting(
        "another file; or the same scenario, version and seed, with the same values and repetitions or more",
    )
}
