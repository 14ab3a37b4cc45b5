//! The rows of a sweep: the number of the run, the varied values, the record.

use std::fmt::Write as _;

use acrasin_report::record::{Exit, RunRecord, record_cells};
use acrasin_report::rows::row_cells;
use acrasin_report::table::json_line;
use acrasin_report::value::Value;
use acrasin_scenario::limits::CSV_BYTES;

/// The prefix of the names of the columns that the summary shows.
const FIGURES: &str = "work.";

/// The figures whose values are texts.
const WORDS: [&str; 1] = ["work.law"];

/// The figures whose values are true or false. All other figures are numbers.
const FLAGS: [&str; 1] = ["work.replayed"];

/// A row in the form that the file's format needs.
pub(super) enum WrittenRow {
    /// A JSON line with its line feed.
    JsonLine(String),
    /// Values with their column names.
    Cells(Vec<(String, Value)>),
}

/// The data of a row for the summary.
#[derive(Debug)]
pub(super) struct KeptRow {
    /// The outcome of the run as one word, such as `done`.
    pub(super) word: String,
    /// The exit code of the run.
    exit: u64,
    /// The names and values of the figures that the summary shows.
    pub(super) figures: Vec<(String, f64)>,
}

impl KeptRow {
    /// Extracts the data for the summary from the cells of a row.
    pub(super) fn new<'a>(
        word: &Value,
        exit: &Value,
        cells: impl Iterator<Item = (&'a str, &'a Value)>,
    ) -> Self {
        let figure = |(name, value): (&str, &Value)| {
            // In a file, shares are fractions.
            let name = name.strip_prefix(FIGURES)?.replace(['_', '.'], " ");
            Some((name, value.as_real()?))
        };
        Self {
            word: word.to_plain().unwrap_or_default(),
            exit: if let Value::Integer(code) = exit { *code } else { 0 },
            figures: cells.filter_map(figure).collect(),
        }
    }

    /// Extracts the data for the summary from a record.
    pub(super) fn of_record(record: &RunRecord) -> Self {
        let cells = record_cells(record);
        let outcome = record.outcome();
        let (word, exit) = (outcome.word.as_str().into(), u64::from(outcome.exit.code()).into());
        Self::new(&word, &exit, cells.iter().map(|(name, value)| (name.as_str(), value)))
    }

    /// Extracts the data from a JSON line; `None` if the line is not a row.
    pub(super) fn of_line(line: &str) -> Option<Self> {
        let cells = row_cells(line)?;
        let find = |name: &str| cells.iter().find(|(other, _)| other == name).map(|(_, value)| value);
        let (word, exit) = (find("outcome.word")?, find("outcome.exit_code")?);
        Some(Self::new(word, exit, cells.iter().map(|(name, value)| (name.as_str(), value))))
    }

    /// The exit status of the run.
    pub(super) fn exit(&self) -> Exit {
        [Exit::BudgetExhausted, Exit::Failed, Exit::Interrupted]
            .into_iter()
            .find(|exit| u64::from(exit.code()) == self.exit)
            .unwrap_or(Exit::Done)
    }

    /// Whether a figure is missing or has a value of its type. Numbers that are not finite are written as words.
    pub(super) fn is_sound(name: &str, value: &Value) -> bool {
        let is_infinite = |text: &str| text.parse().is_ok_and(|number: f64| !number.is_finite());
        match value {
            Value::Text(text) => WORDS.contains(&name) || is_infinite(text),
            Value::Flag(_) => FLAGS.contains(&name),
            _ => true,
        }
    }

    /// Whether the summary shows the column of this name.
    pub(super) fn has(name: &str) -> bool {
        name.starts_with(FIGURES)
    }
}

/// The values of a combination in the forms that its rows need.
#[derive(Debug)]
pub(super) struct CombinationValues {
    /// The values as members of a JSON object.
    json: String,
    cells: Vec<(String, Value)>,
}

impl CombinationValues {
    pub(super) fn of(sets: &[(String, String)]) -> Self {
        let mut json = String::new();
        let quoted = |text: &str| json_line(&Value::from(text)).trim_end().to_owned();
        for (at, (key, value)) in sets.iter().enumerate() {
            let comma = if at == 0 { "" } else { "," };
            let value = if is_json_number(value) { value.clone() } else { quoted(value) };
            let _ = write!(json, "{comma}{}:{value}", quoted(key));
        }
        let cells = sets.iter().map(|(key, value)| (format!("sweep.{key}"), value.as_str().into()));
        Self { json, cells: cells.collect() }
    }

    /// A row as a JSON line with its line feed.
    pub(super) fn json_line(&self, number: u64, record: &RunRecord) -> String {
        let record = record.to_json_line();
        let mut line = String::with_capacity(record.len() + self.json.len() + 40);
        let _ = write!(line, "{{\"run\":{number},\"sweep\":{{{}}},", self.json);
        line.push_str(record.trim_start_matches('{'));
        line
    }

    pub(super) fn cells(&self, number: u64, record: &RunRecord) -> WrittenRow {
        let mut cells = vec![("run".to_owned(), number.into())];
        cells.extend(self.cells.iter().cloned());
        cells.extend(record_cells(record));
        WrittenRow::Cells(cells)
    }

    /// The cells of a row in a JSON line; `None` if the line is not a row.
    pub(super) fn cells_of_line(&self, number: u64, line: &str) -> Option<WrittenRow> {
        let mut cells = vec![("run".to_owned(), number.into())];
        cells.extend(self.cells.iter().cloned());
        let is_of_record = |(name, value): &(String, Value)| {
            name != "run" && !name.starts_with("sweep.") && !is_json_only(name, value)
        };
        cells.extend(row_cells(line)?.into_iter().filter(is_of_record));
        Some(WrittenRow::Cells(cells))
    }

    /// The values with their column names.
    pub(super) fn values(&self) -> &[(String, Value)] {
        &self.cells
    }
}

/// Whether a figure is only written to JSON lines. In a record,
/// [`Figure::json_only`](acrasin_report::record::Figure::json_only) marks such figures. A line lacks the mark, so the
/// name and the value decide.
fn is_json_only(name: &str, value: &Value) -> bool {
    let is_long = || matches!(value, Value::Text(text) if text.len() > CSV_BYTES);
    ["manifest.seed_text", "manifest.scenario_text", "configuration.text"].contains(&name)
        || name.starts_with("messages.action_")
        || (name.starts_with("scenario.") && is_long())
}

/// Whether a text is a number in JSON notation. `007`, `+1` and `1.` are not.
fn is_json_number(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let is_digit = |at: usize| digits.as_bytes().get(at).is_some_and(u8::is_ascii_digit);
    let has_leading_zero = digits.starts_with('0') && is_digit(1);
    let has_fraction = digits.find('.').is_none_or(|at| is_digit(at + 1));
    is_digit(0) && !has_leading_zero && has_fraction && text.parse::<f64>().is_ok_and(f64::is_finite)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_json() {
        let sets = ["1", "-2.5e3", "007", "+1", "1.", ".5", "inf", "a \"b\"\u{1b}", "Ring(nodes: 3)"];
        let sets: Vec<(String, String)> =
            sets.iter().map(|value| ("k".to_owned(), (*value).to_owned())).collect();
        for set in sets {
            let CombinationValues { json, .. } = CombinationValues::of(std::slice::from_ref(&set));
            let read: serde_json::Value = serde_json::from_str(&format!("{{{json}}}")).expect(&json);
            let is_number = set.1 == "1" || set.1 == "-2.5e3";
            assert_eq!(read["k"].is_number(), is_number, "{json}");
            assert!(is_number || read["k"] == set.1.as_str(), "{json}");
        }
    }
}
