//! Comma-separated values, quoted as in RFC 4180; lines end in LF.

use super::Table;
use crate::value::Value;

impl Table {
    /// A header line of keys, then one line a row.
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

/// One line of CSV, with its end: for a file that gets its rows one after another.
pub fn csv_line(row: impl IntoIterator<Item = Value>) -> String {
    let mut text = String::with_capacity(1 << 9);
    push_line(&mut text, row.into_iter().map(|value| field(&value)));
    text
}

/// One record. A record of a single empty field is written `""`: readers skip a blank line.
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

/// The field in quotes where a reader needs them: separators, quotes, line breaks, spaces at an end, empty text.
pub(crate) fn quoted(field: &str) -> String {
    let special = field.contains([',', '"', '\n', '\r']);
    if special || field.is_empty() || field.trim().len() != field.len() {
        format!("\"{}\"", field.replace('"', "\"\""))
    } else {
        field.to_owned()
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
        assert_eq!(quoted("a\rb"), "\"a\rb\"");
        assert_eq!(quoted(" a"), "\" a\"");
        assert_eq!(quoted(""), "\"\"");
    }

    #[test]
    fn missing_is_not_empty_text() {
        let mut table = Table::new([Column::new("a"), Column::new("b")]);
        table.push([Value::Missing, "".into()]);
        assert_eq!(table.to_csv(), "a,b\n,\"\"\n");
    }

    #[test]
    fn a_row_is_never_a_blank_line() {
        let mut table = Table::new([Column::new("a")]);
        table.push([Value::Missing]);
        assert_eq!(table.to_csv(), "a\n\"\"\n");
    }
}
