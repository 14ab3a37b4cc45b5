//! One JSON object for each row.

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use super::ResultTable;
use crate::escape;
use crate::value::Value;

/// A row with its keys, in column order.
struct JsonRow<'a> {
    keys: &'a [String],
    cells: &'a [Value],
}

impl Serialize for JsonRow<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.cells.len()))?;
        for (key, cell) in self.keys.iter().zip(self.cells) {
            map.serialize_entry(key, cell)?;
        }
        map.end()
    }
}

impl ResultTable {
    /// One object per line, with the keys of the columns in order. A missing value is `null`.
    pub fn to_json_lines(&self) -> String {
        let mut text = String::new();
        for cells in &self.rows {
            text.push_str(&json_line(&JsonRow { keys: &self.keys, cells }));
        }
        text
    }
}

/// A value as JSON on one line, with a line feed.
pub fn json_line(value: &impl Serialize) -> String {
    let mut line =
        escape::json(serde_json::to_string(value).expect("text keys and plain values always serialize"));
    line.push('\n');
    line
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::Column;

    #[test]
    fn keys_keep_column_order() {
        let mut table = ResultTable::new([Column::new("z"), Column::new("a").with_unit("%")]);
        table.push(["line\nbreak".into(), Value::Share(0.5)]);
        table.push([true.into(), Value::Real(f64::NAN)]);
        assert_eq!(table.to_json_lines(), "{\"z\":\"line\\nbreak\",\"a\":0.5}\n{\"z\":true,\"a\":null}\n");
    }

    #[test]
    fn no_rows_no_lines() {
        assert_eq!(ResultTable::new([Column::new("a")]).to_json_lines(), "");
    }
}
