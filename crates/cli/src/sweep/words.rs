//! A row of a sweep: the number of the run, the values that were varied, the record.

use std::fmt::Write as _;

use acrasin_report::record::{RunRecord, record_cells};
use acrasin_report::value::Value;

/// A row for a file.
pub(super) enum Written {
    /// With the end of the line.
    JsonLine(String),
    /// Values with the names of their columns.
    Cells(Vec<(String, Value)>),
}

/// The values of a combination, as its rows have them.
#[derive(Debug)]
pub(super) struct Words {
    /// As the members of an object.
    json: String,
    cells: Vec<(String, Value)>,
}

impl Words {
    pub(super) fn of(sets: &[(String, String)]) -> Self {
        let is_number = |value: &str| value.parse::<f64>().is_ok_and(f64::is_finite);
        let mut json = String::new();
        for (at, (key, value)) in sets.iter().enumerate() {
            let comma = if at == 0 { "" } else { "," };
            let quoted = if is_number(value) { value.clone() } else { format!("{value:?}") };
            let _ = write!(json, "{comma}{key:?}:{quoted}");
        }
        let cells = sets.iter().map(|(key, value)| (format!("sweep.{key}"), value.as_str().into()));
        Self { json, cells: cells.collect() }
    }

    /// With the end of the line.
    pub(super) fn json_line(&self, number: u64, record: &RunRecord) -> String {
        let record = record.to_json_line();
        let mut line = String::with_capacity(record.len() + self.json.len() + 40);
        let _ = write!(line, "{{\"run\":{number},\"sweep\":{{{}}},", self.json);
        line.push_str(record.trim_start_matches('{'));
        line
    }

    pub(super) fn cells(&self, number: u64, record: &RunRecord) -> Written {
        let mut cells = vec![("run".to_owned(), number.into())];
        cells.extend(self.cells.iter().cloned());
        cells.extend(record_cells(record));
        Written::Cells(cells)
    }
}
