//! Renders tables as aligned text.

use super::ResultTable;
use crate::escape::visible;
use crate::layout::{columns, left, right, shorten};
use crate::value::{TextStyle, Value};

/// Maximum columns of a cell in text tables: longer text is cut with an ellipsis. CSV and JSON lines contain the whole
/// text.
pub const MAX_CELL_COLUMNS: usize = 60;

impl ResultTable {
    /// The table as text: headings, a rule, then one line for each row. Columns of numbers are right-aligned, others
    /// left-aligned; cells of more than 60 columns are cut. A table without rows is `(no rows)`.
    pub fn to_text(&self, style: TextStyle) -> String {
        let cell = |text: &str| shorten(text, MAX_CELL_COLUMNS, style);
        let headings: Vec<String> =
            self.columns.iter().map(|column| cell(&visible(&column.heading()))).collect();
        let shown: Vec<Vec<String>> = self
            .rows
            .iter()
            .map(|row| row.iter().map(|value| cell(&value.to_text(style))).collect())
            .collect();
        let widths: Vec<usize> = (0..headings.len())
            .map(|index| {
                let cells = shown.iter().map(|row| columns(&row[index]));
                cells.fold(columns(&headings[index]), usize::max)
            })
            .collect();
        let numeric: Vec<bool> = (0..headings.len()).map(|index| self.is_numeric(index)).collect();
        let line = |cells: &[String]| {
            let padded = cells.iter().zip(&widths).zip(&numeric);
            let padded = padded.map(
                |((cell, &width), &numeric)| if numeric { right(cell, width) } else { left(cell, width) },
            );
            format!("{}\n", padded.collect::<Vec<_>>().join("  ").trim_end())
        };

        let mut text = line(&headings);
        let rule = if style.ascii { "-" } else { "─" };
        let rules: Vec<String> = widths.iter().map(|&width| rule.repeat(width)).collect();
        text.push_str(&line(&rules));
        for row in &shown {
            text.push_str(&line(row));
        }
        if shown.is_empty() {
            text.push_str("(no rows)\n");
        }
        text
    }

    /// Whether a column has only numbers and missing values, and at least one number.
    fn is_numeric(&self, index: usize) -> bool {
        let mut present =
            self.rows.iter().map(|row| &row[index]).filter(|value| **value != Value::Missing).peekable();
        present.peek().is_some() && present.all(Value::is_number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::Column;

    #[test]
    fn wide_characters_stay_aligned() {
        let mut table = ResultTable::new([Column::new("state"), Column::new("count")]);
        table.push(["状態".into(), Value::Integer(12)]);
        table.push(["a".into(), Value::Integer(3)]);
        let expected = "state  count\n─────  ─────\n状態      12\na          3\n";
        assert_eq!(table.to_text(TextStyle::default()), expected);
    }

    #[test]
    fn long_cells_are_cut_and_line_breaks_escaped() {
        let mut table = ResultTable::new([Column::new("name")]);
        table.push([Value::from("x".repeat(61))]);
        table.push([Value::from("x".repeat(60))]);
        table.push([Value::from("a\nb")]);
        let text = table.to_text(TextStyle::PLAIN);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[2], format!("{}...", "x".repeat(57)));
        assert_eq!(lines[3], "x".repeat(60));
        assert_eq!(lines[4], r"a\nb");
        assert_eq!(lines.len(), 5);
    }

    #[test]
    fn an_empty_table_says_so() {
        let table = ResultTable::new([Column::new("name"), Column::new("size").with_unit("nodes")]);
        assert_eq!(table.to_text(TextStyle::PLAIN), "name  size (nodes)\n----  ------------\n(no rows)\n");
    }
}
