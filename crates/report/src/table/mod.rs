//! Tables: named columns, typed rows, three renderings.
//!
//! [`Format::Table`] is aligned text for people, [`Format::Csv`] and [`Format::Jsonl`] are for programs.
//! [`crate::value`] describes how each kind of value is written.

mod csv;
mod format;
mod jsonl;
mod text;

pub use csv::{csv_line, literal};
pub(crate) use csv::{push_line as push_csv_line, quoted as csv_quoted};
pub use format::{Format, UnknownFormat};
pub use jsonl::json_line;
pub use text::MAX_CELL_COLUMNS;

use std::borrow::Cow;
use std::collections::BTreeSet;

use crate::value::{TextStyle, Value};

/// A column: a name for people, a key for programs, and a unit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    name: String,
    unit: Option<String>,
    key: Option<String>,
}

impl Column {
    /// A column without a unit. Its key is the name in snake case.
    pub fn new(name: impl Into<String>) -> Self {
        Self { name: name.into(), unit: None, key: None }
    }

    /// Sets the unit: `wait (rounds)` in text, `wait_rounds` as the key.
    #[must_use]
    pub fn with_unit(mut self, unit: impl Into<String>) -> Self {
        self.unit = Some(unit.into());
        self
    }

    /// Sets the key in CSV and JSON lines, which is then used unchanged.
    #[must_use]
    pub fn with_key(mut self, key: impl Into<String>) -> Self {
        self.key = Some(key.into());
        self
    }

    /// The heading of the column in text tables.
    fn heading(&self) -> String {
        match &self.unit {
            Some(unit) => format!("{} ({unit})", self.name),
            None => self.name.clone(),
        }
    }

    /// The key for programs, before a suffix makes it unique.
    fn wanted_key(&self) -> String {
        if let Some(key) = &self.key {
            return key.clone();
        }
        let unit = self.unit.as_deref().map(snake_case).unwrap_or_default();
        match (snake_case(&self.name), unit) {
            (name, unit) if name.is_empty() && unit.is_empty() => "column".to_owned(),
            (name, unit) if unit.is_empty() => name,
            (name, unit) if name.is_empty() => unit,
            (name, unit) => format!("{name}_{unit}"),
        }
    }
}

/// Rows of typed cells under named columns.
///
/// ```
/// use acrasin_report::table::{Column, Format, ResultTable};
/// use acrasin_report::value::{TextStyle, Value};
///
/// let mut table = ResultTable::new([Column::new("graph"), Column::new("longest wait").with_unit("rounds")]);
/// table.push(["ring".into(), Value::Integer(12)]);
/// table.push(["torus, 6x6".into(), Value::Missing]);
///
/// assert_eq!(table.render(Format::Csv, TextStyle::PLAIN), "graph,longest_wait_rounds\nring,12\n\"torus, 6x6\",\n");
/// assert_eq!(
///     table.render(Format::Table, TextStyle::PLAIN),
///     "graph       longest wait (rounds)\n----------  ---------------------\n\
///      ring                           12\ntorus, 6x6                      -\n"
/// );
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct ResultTable {
    columns: Vec<Column>,
    /// One key for each column, all different.
    keys: Vec<String>,
    rows: Vec<Vec<Value>>,
}

impl ResultTable {
    /// An empty table. If two columns have the same key, that of the later one gets the suffix `_2`, `_3` and so on.
    pub fn new(columns: impl IntoIterator<Item = Column>) -> Self {
        let columns: Vec<Column> = columns.into_iter().collect();
        let mut taken = BTreeSet::new();
        let keys = columns.iter().map(|column| unique_key(column.wanted_key(), &mut taken)).collect();
        Self { columns, keys, rows: Vec::new() }
    }

    /// Adds a row.
    ///
    /// # Panics
    ///
    /// Panics if the row does not have exactly one cell for each column.
    pub fn push(&mut self, row: impl Into<Vec<Value>>) {
        let row = row.into();
        let (cells, columns) = (row.len(), self.columns.len());
        assert_eq!(cells, columns, "a row of {cells} cells in a table of {columns} columns");
        self.rows.push(row);
    }

    /// The rows, in the order in which they were added.
    pub fn rows(&self) -> &[Vec<Value>] {
        &self.rows
    }

    /// The keys of CSV and JSON lines, in column order.
    pub fn keys(&self) -> &[String] {
        &self.keys
    }

    /// The table in a format. Only [`Format::Table`] uses `style`. The text ends with a line feed; JSON lines without
    /// rows are the empty string.
    pub fn render(&self, format: Format, style: TextStyle) -> String {
        match format {
            Format::Table => self.to_text(style),
            Format::Csv => self.to_csv(),
            Format::Jsonl => self.to_json_lines(),
        }
    }
}

/// `wanted`, or `wanted_2`, `wanted_3`, ... if it is taken. The result is added to `taken`.
pub(crate) fn unique_key(wanted: String, taken: &mut BTreeSet<String>) -> String {
    let key = untaken_key(wanted.into(), |key| taken.contains(key)).into_owned();
    taken.insert(key.clone());
    key
}

/// Makes a key unique as [`unique_key`] does; `is_taken` says which keys are taken.
pub(crate) fn untaken_key(wanted: Cow<'static, str>, is_taken: impl Fn(&str) -> bool) -> Cow<'static, str> {
    if !is_taken(&wanted) {
        return wanted;
    }
    let mut numbered = (2_u64..).map(|number| format!("{wanted}_{number}"));
    numbered.find(|key| !is_taken(key)).expect("fewer keys than numbers").into()
}

/// ASCII letters and digits in lower case; each run of other characters becomes an underscore.
fn snake_case(name: &str) -> String {
    let words =
        name.split(|character: char| !character.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join("_").to_ascii_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_snake_case_and_unique() {
        let columns = [
            Column::new("Parallel time"),
            Column::new("parallel-time"),
            Column::new("wait").with_unit("rounds"),
            Column::new("95 %"),
            Column::new("状態"),
            Column::new("%").with_key("Share"),
            Column::new("").with_unit("s"),
            Column::new("parallel time 2"),
        ];
        let table = ResultTable::new(columns);
        let expected = [
            "parallel_time",
            "parallel_time_2",
            "wait_rounds",
            "95",
            "column",
            "Share",
            "s",
            "parallel_time_2_2",
        ];
        assert_eq!(table.keys(), expected);
    }

    #[test]
    #[should_panic(expected = "a row of 1 cells in a table of 2 columns")]
    fn a_short_row_is_refused() {
        ResultTable::new([Column::new("a"), Column::new("b")]).push([Value::Missing]);
    }
}
