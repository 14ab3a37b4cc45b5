//! Comma-separated values, quoted as in RFC 4180; lines end in LF.
//!
//! A spreadsheet evaluates cells that start with `=`, `@`, `+` or `-`, and names of states come from untrusted files.
//! Such texts therefore get a leading apostrophe, as users of spreadsheets write it: `'=A1`. [`literal`] removes it.
//! Numbers, a sign alone and a sign before a number stay unchanged.

use super::ResultTable;
use crate::escape::printable;
use crate::value::Value;

impl ResultTable {
    /// A header line of keys, then one line for each row.
    ///
    /// A missing value is an empty field; an empty text is `""`.
    pub fn to_csv(&self) -> String {
        let mut text = String::new();
        push_line(&mut text, self.keys.iter().map(|key| quoted(key)));
        for row in &self.rows {
            push_line(&mut text, row.iter().map(field));
        }
        text
    }
}

/// One line of CSV with its line feed, for files that are written row by row.
pub fn csv_line(row: impl IntoIterator<Item = Value>) -> String {
    let mut text = String::with_capacity(1 << 9);
    push_line(&mut text, row.into_iter().map(|value| field(&value)));
    text
}

/// Appends one record. A single empty field is written as `""`, since readers skip blank lines.
pub(crate) fn push_line(text: &mut String, fields: impl Iterator<Item = String>) {
    let start = text.len();
    for (at, field) in fields.enumerate() {
        if at > 0 {
            text.push(',');
        }
        text.push_str(&field);
    }
    text.push_str(if text.len() == start { "\"\"\n" } else { "\n" });
}

fn field(value: &Value) -> String {
    match value {
        Value::Text(text) => quoted(text),
        number => number.to_plain().unwrap_or_default(),
    }
}

/// Whether a spreadsheet would evaluate a text. Leading apostrophes are ignored, so that exactly one can be added and
/// removed.
fn is_formula(text: &str) -> bool {
    let text = text.trim_start_matches('\'').trim_start();
    let mut characters = text.chars();
    let starts = match characters.next() {
        Some('=' | '@' | '＝' | '＠') => true,
        Some('+' | '-' | '＋' | '－') => text.parse::<f64>().is_err(),
        _ => false,
    };
    starts && characters.next().is_some()
}

/// The text of a cell written by [`ResultTable::to_csv`] or [`csv_line`], without the apostrophe that keeps a
/// spreadsheet from evaluating it.
///
/// ```
/// use acrasin_report::table::{csv_line, literal};
///
/// assert_eq!(csv_line(["=A1".into(), "-1".into()]), "'=A1,-1\n");
/// assert_eq!((literal("'=A1"), literal("-1"), literal("'a'")), ("=A1", "-1", "'a'"));
/// ```
#[must_use]
pub fn literal(cell: &str) -> &str {
    cell.strip_prefix('\'').filter(|text| is_formula(text)).unwrap_or(cell)
}

/// Quotes the field if needed: separators, quotes, line breaks, spaces at either end, empty text. Formulas get a
/// leading apostrophe; control characters except tabs and line breaks are escaped.
pub(crate) fn quoted(field: &str) -> String {
    let guarded = is_formula(field).then(|| format!("'{field}"));
    // Files are also shown in terminals.
    let field = printable(guarded.as_deref().unwrap_or(field));
    let special = field.contains([',', '"', '\n']);
    if special || field.is_empty() || field.trim().len() != field.len() {
        format!("\"{}\"", field.replace('"', "\"\""))
    } else {
        field.into_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::Column;

    #[test]
    fn quoting() {
        assert_eq!(quoted("plain text"), "plain text");
        assert_eq!(quoted("a,b"), "\"a,b\"");
        assert_eq!(quoted("say \"x\""), "\"say \"\"x\"\"\"");
        assert_eq!(quoted("a\nb"), "\"a\nb\"");
        assert_eq!(quoted("a\r\u{1b}b"), "a\\r\\u{1b}b");
        assert_eq!(quoted(" a"), "\" a\"");
        assert_eq!(quoted(""), "\"\"");
    }

    #[test]
    fn formulas_are_text_and_are_read_back() {
        for name in
            ["=1+1", "@SUM(A1)", "+cmd|' /C calc'!A0", "-a", "'=1", "''@a", " =1", "\t=1", "＝1", "-1+A1"]
        {
            let written = quoted(name);
            assert!(written.trim_start_matches('"').starts_with('\''), "{written}");
            let read = csv::Reader::from_reader(format!("{written},x\n").as_bytes()).headers().unwrap()[0]
                .to_owned();
            assert_eq!(literal(&read), name);
        }
        for name in ["=", "+", "-", "@", "-1", "+0.5", "-1e9", "a=b", "'a'", "'", "x-y", "(-1)"] {
            assert_eq!((quoted(name).as_str(), literal(name)), (name, name));
        }
    }

    #[test]
    fn missing_is_not_empty_text() {
        let mut table = ResultTable::new([Column::new("a"), Column::new("b")]);
        table.push([Value::Missing, "".into()]);
        assert_eq!(table.to_csv(), "a,b\n,\"\"\n");
    }

    #[test]
    fn a_row_is_never_a_blank_line() {
        let mut table = ResultTable::new([Column::new("a")]);
        table.push([Value::Missing]);
        assert_eq!(table.to_csv(), "a\n\"\"\n");
    }
}
