//! Statistics over repetitions, and all records in any format.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::section::FigurePart;
use super::text::section_text;
use super::{Figure, RunRecord, Section};
use crate::summary::{MeanWithError, median};
use crate::table::{Column, Format, ResultTable};
use crate::value::{TextStyle, Value};

/// Renders records in a format, as the command prints them.
///
/// - [`Format::Table`]: a single record as text. Several records as their endings, the figures over repetitions, and
///   the manifest of the first.
/// - [`Format::Csv`]: the table of [`records_table`].
/// - [`Format::Jsonl`]: one object for each repetition.
pub fn render_records(records: &[RunRecord], format: Format, style: TextStyle) -> String {
    match (format, records) {
        (Format::Csv, _) => records_table(records).to_csv(),
        (Format::Jsonl, _) => records.iter().map(RunRecord::to_json_line).collect(),
        (Format::Table, []) => "no repetitions\n".to_owned(),
        (Format::Table, [record]) => record.to_text(style),
        (Format::Table, [first, ..]) => {
            let outcomes = outcomes_over_repetitions(records).to_text(style);
            let figures = figures_over_repetitions(records).to_text(style);
            let manifest = section_text(&first.manifest().section(), style);
            format!("{outcomes}\n{figures}\n{manifest}")
        }
    }
}

/// One row for each repetition, one column for each value: `repetition`, then `section.key` (`section.key.statistic`
/// for statistics of a distribution), in the order of first appearance. Values that a record lacks are missing.
pub fn records_table(records: &[RunRecord]) -> ResultTable {
    let outline = Outline::of(records);
    let mut positions = NameIndex::default();
    let mut columns = vec![Column::new("repetition").with_key("repetition")];
    for entry in outline.entries() {
        positions.of(entry.path());
        let path = entry.path().into_iter().filter(|name| !name.is_empty());
        columns.push(Column::new(&entry.label).with_key(path.collect::<Vec<_>>().join(".")));
    }
    let width = columns.len();
    let mut table = ResultTable::new(columns);
    for record in records {
        let mut row = vec![Value::Missing; width];
        row[0] = record.repetition().into();
        for section in record.sections_for_programs() {
            for_each_part(&section, |parts, _, part| row[1 + positions.of(parts).0] = part.value);
        }
        table.push(row);
    }
    table
}

/// The values of one record for programs, with their column names as in [`records_table`].
pub fn record_cells(record: &RunRecord) -> Vec<(String, Value)> {
    let mut cells = vec![("repetition".to_owned(), record.repetition().into())];
    for section in record.sections_for_programs() {
        for_each_part(&section, |[section, figure, statistic], _, part| {
            let dot = if statistic.is_empty() { "" } else { "." };
            cells.push(([section, ".", figure, dot, statistic].concat(), part.value));
        });
    }
    cells
}

/// Mean, standard error, median, smallest and largest value of every numeric figure, over the repetitions with this
/// figure.
///
/// Outcome and manifest are omitted. Means are computed as `f64` in the order of the records; smallest and largest
/// values are exact.
pub fn figures_over_repetitions(records: &[RunRecord]) -> ResultTable {
    let mut samples = Vec::<Vec<Value>>::new();
    // Outcome and manifest have no figures.
    let bodies = records.iter().flat_map(RunRecord::body).map(Cow::Borrowed);
    let outline = Outline::of_sections(bodies, |place, value| {
        if place == samples.len() {
            samples.push(Vec::new());
        }
        if value.as_real().is_some() {
            samples[place].push(value);
        }
    });
    let mut table = ResultTable::new([
        Column::new("section"),
        Column::new("figure"),
        Column::new("n"),
        Column::new("mean"),
        Column::new("std. error").with_key("standard_error"),
        Column::new("median"),
        Column::new("min"),
        Column::new("max"),
    ]);
    for entry in outline.entries() {
        let values = &samples[entry.place];
        if values.is_empty() {
            continue;
        }
        let reals: Vec<f64> = values.iter().filter_map(Value::as_real).collect();
        let share = values.iter().all(|value| matches!(value, Value::Share(_)));
        let of_kind = |value: Option<f64>| match value {
            Some(value) if share => Value::Share(value),
            value => value.into(),
        };
        let mean = MeanWithError::of(&reals);
        let order = |a: &&Value, b: &&Value| exact_order(a, b);
        table.push([
            entry.section.as_str().into(),
            entry.label_with_unit().into(),
            (values.len() as u64).into(),
            of_kind(mean.map(|mean| mean.mean)),
            of_kind(mean.and_then(|mean| mean.standard_error)),
            of_kind(median(&reals)),
            values.iter().min_by(order).cloned().unwrap_or(Value::Missing),
            values.iter().max_by(order).cloned().unwrap_or(Value::Missing),
        ]);
    }
    table
}

/// The endings of the repetitions: one row for each outcome word and exit meaning, in the order of first appearance.
pub fn outcomes_over_repetitions(records: &[RunRecord]) -> ResultTable {
    let mut counts: Vec<((&str, super::Exit), u64)> = Vec::new();
    for record in records {
        let ended = (record.outcome().word.as_str(), record.outcome().exit);
        match counts.iter_mut().find(|(other, _)| *other == ended) {
            Some((_, count)) => *count += 1,
            None => counts.push((ended, 1)),
        }
    }
    let columns = ["ended as", "exit meaning", "exit code", "repetitions", "share"];
    let mut table = ResultTable::new(columns.map(Column::new));
    for ((word, exit), count) in counts {
        table.push([
            word.into(),
            exit.meaning().into(),
            u64::from(exit.code()).into(),
            count.into(),
            Value::Share(count as f64 / records.len() as f64),
        ]);
    }
    table
}

/// Orders two values; integers are compared exactly, because adjacent large integers are equal as `f64`.
fn exact_order(a: &Value, b: &Value) -> std::cmp::Ordering {
    let integer = |value: &Value| match value {
        Value::Integer(value) => Some(i128::from(*value)),
        Value::Signed(value) => Some(i128::from(*value)),
        _ => None,
    };
    match (integer(a), integer(b)) {
        (Some(a), Some(b)) => a.cmp(&b),
        _ => a.as_real().unwrap_or(f64::NAN).total_cmp(&b.as_real().unwrap_or(f64::NAN)),
    }
}

/// Calls `visit` with (section key, figure key, statistic or "") for every value that is written to CSV.
fn for_each_part<'s>(section: &'s Section, mut visit: impl FnMut([&'s str; 3], &'s Figure, FigurePart)) {
    for figure in section.figures().iter().filter(|figure| !figure.json_only) {
        figure.each_part(|part| visit([section.key(), &figure.key, part.key], figure, part));
    }
}

/// The names of values, numbered in the order of first appearance.
///
/// Most records have their values in the same order. The lookup therefore first tries the name that followed the last
/// name in the previous record.
#[derive(Default)]
struct NameIndex {
    numbers: BTreeMap<[String; 3], usize>,
    names: Vec<[String; 3]>,
    next: usize,
}

impl NameIndex {
    /// The number of a name, and whether it is new.
    fn of(&mut self, path: [&str; 3]) -> (usize, bool) {
        let is_next = self.names.get(self.next).is_some_and(|name| *name == path);
        let known = if is_next { Some(self.next) } else { self.find(path) };
        let number = known.unwrap_or(self.names.len());
        self.next = number + 1;
        if known.is_none() {
            let name = path.map(str::to_owned);
            self.numbers.insert(name.clone(), number);
            self.names.push(name);
        }
        if self.next == self.names.len() {
            // The last value of a record is followed by the first one of the next.
            self.next = 0;
        }
        (number, known.is_none())
    }

    fn find(&self, path: [&str; 3]) -> Option<usize> {
        self.numbers.get(&path.map(str::to_owned)).copied()
    }
}

/// A value that at least one record has.
struct OutlineEntry {
    /// The number of the value, in the order of first appearance.
    place: usize,
    path: [String; 3],
    section: String,
    label: String,
    unit: Option<String>,
}

impl OutlineEntry {
    fn path(&self) -> [&str; 3] {
        let [section, figure, part] = &self.path;
        [section, figure, part]
    }

    fn label_with_unit(&self) -> String {
        match &self.unit {
            Some(unit) => format!("{} ({unit})", self.label),
            None => self.label.clone(),
        }
    }
}

/// The sections of a list of records and the values of each section, in the order of first appearance.
struct Outline {
    sections: Vec<(String, Vec<OutlineEntry>)>,
}

impl Outline {
    fn of(records: &[RunRecord]) -> Self {
        Self::of_sections(records.iter().flat_map(RunRecord::sections_for_programs), |_, _| ())
    }

    /// Builds the outline and calls `visit` for every value with the number of its name.
    fn of_sections<'r>(
        all: impl Iterator<Item = Cow<'r, Section>>,
        mut visit: impl FnMut(usize, Value),
    ) -> Self {
        let mut sections: Vec<(String, Vec<OutlineEntry>)> = Vec::new();
        let mut seen = NameIndex::default();
        for section in all {
            let known = sections.iter().position(|(key, _)| key == section.key());
            let index = known.unwrap_or_else(|| {
                sections.push((section.key().to_owned(), Vec::new()));
                sections.len() - 1
            });
            for_each_part(&section, |path, figure, part| {
                let (place, is_new) = seen.of(path);
                if !is_new {
                    return visit(place, part.value);
                }
                let label = if part.label.is_empty() {
                    figure.label.clone().into_owned()
                } else {
                    format!("{}, {}", figure.label, part.label)
                };
                let unit = figure.unit.clone().filter(|_| part.key != "count");
                sections[index].1.push(OutlineEntry {
                    place,
                    path: path.map(str::to_owned),
                    section: section.key().to_owned(),
                    label,
                    unit: unit.map(Cow::into_owned),
                });
                visit(place, part.value);
            });
        }
        Self { sections }
    }

    fn entries(&self) -> impl Iterator<Item = &OutlineEntry> {
        self.sections.iter().flat_map(|(_, entries)| entries)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{Ending, Manifest, SectionName};

    fn record(repetition: u64, ending: Ending, figures: &[(&'static str, Value)]) -> RunRecord {
        let mut record = RunRecord::new(repetition, Manifest::new("0.1.0", 1), ending);
        let mut section = Section::of(SectionName::Work);
        for (key, value) in figures {
            section.push(Figure::new(*key, *key, value.clone()));
        }
        record.push(section);
        record
    }

    #[test]
    fn a_figure_that_one_repetition_lacks_is_missing_there() {
        let records = [
            record(0, Ending::Served, &[("a", 1_u64.into())]),
            record(1, Ending::Served, &[("b", 2_u64.into()), ("a", 5_u64.into())]),
        ];
        let table = records_table(&records);
        let keys: Vec<&str> =
            table.keys().iter().map(String::as_str).filter(|key| key.starts_with("work")).collect();
        assert_eq!(keys, ["work.a", "work.b"]);
        let column = table.keys().iter().position(|key| key == "work.b").expect("listed");
        assert_eq!(table.rows()[0][column], Value::Missing);
        assert_eq!(table.rows()[1][column], Value::Integer(2));
        let figures = figures_over_repetitions(&records);
        assert_eq!(figures.rows()[0][2..6], [2_u64.into(), 3.0.into(), 2.0.into(), 3.0.into()]);
        assert_eq!(figures.rows()[1][2..5], [1_u64.into(), 2.0.into(), Value::Missing]);
    }

    #[test]
    fn extremes_of_large_integers_are_exact() {
        let records: Vec<RunRecord> = [u64::MAX - 1, u64::MAX, u64::MAX - 2]
            .iter()
            .zip(0..)
            .map(|(&value, index)| record(index, Ending::Served, &[("x", value.into())]))
            .collect();
        let row = &figures_over_repetitions(&records).rows()[0].clone();
        assert_eq!(row[6..], [Value::Integer(u64::MAX - 2), Value::Integer(u64::MAX)]);
    }

    #[test]
    fn shares_stay_shares_and_words_are_left_out() {
        let figures = [("held", Value::Share(0.5)), ("word", "x".into()), ("flag", true.into())];
        let records = [record(0, Ending::Served, &figures), record(1, Ending::Served, &figures)];
        let table = figures_over_repetitions(&records);
        assert_eq!(table.rows().len(), 1);
        assert_eq!(table.rows()[0][3..5], [Value::Share(0.5), Value::Share(0.0)]);
    }

    #[test]
    fn outcomes_are_counted() {
        let records = [
            record(0, Ending::Served, &[]),
            record(1, Ending::Deadlock, &[]),
            record(2, Ending::Served, &[]),
            record(3, Ending::LeftWaiting, &[]),
        ];
        let csv = outcomes_over_repetitions(&records).to_csv();
        let expected = "ended_as,exit_meaning,exit_code,repetitions,share\nserved,done,0,2,0.5\n\
                        deadlock,failed or property violated,1,1,0.25\nleft waiting,failed or property violated,1,1,0.25\n";
        assert_eq!(csv, expected);
    }

    #[test]
    fn no_records_at_all() {
        assert_eq!(render_records(&[], Format::Table, TextStyle::PLAIN), "no repetitions\n");
        assert_eq!(render_records(&[], Format::Csv, TextStyle::PLAIN), "repetition\n");
        assert_eq!(render_records(&[], Format::Jsonl, TextStyle::PLAIN), "");
    }
}
