//! [`Columns`]: the columns of a CSV file of rows. Rows can add columns.

use std::collections::BTreeMap;

use acrasin_report::table::{csv_line, literal};
use acrasin_report::value::Value;

/// The header of the first column, whose cells contain the name of the sweep.
pub(super) const SWEEP: &str = "sweep";

/// The columns of a file, in order.
#[derive(Debug, Default)]
pub(super) struct Columns {
    names: Vec<String>,
    places: BTreeMap<String, usize>,
}

impl Columns {
    /// Reads the columns from a header line without its line feed.
    pub(super) fn of_header(header: &str) -> Self {
        let mut columns = Self::default();
        fields(header).iter().for_each(|name| columns.add(literal(name).to_owned()));
        columns
    }

    fn add(&mut self, name: String) {
        self.places.insert(name.clone(), self.names.len());
        self.names.push(name);
    }

    /// The header line, with its line feed.
    pub(super) fn header(&self) -> String {
        csv_line(self.names.iter().map(|name| Value::from(name.as_str())))
    }

    /// Adds a column for each cell of a row that has none, and returns the number of new columns.
    pub(super) fn extend(&mut self, cells: &[(String, Value)]) -> usize {
        let before = self.names.len();
        if before == 0 {
            self.add(SWEEP.to_owned());
        }
        for (at, (name, _)) in cells.iter().enumerate() {
            if self.names.get(at + 1) != Some(name) && !self.places.contains_key(name) {
                self.add(name.clone());
            }
        }
        self.names.len() - before
    }

    /// A row with its line feed. Missing values are empty.
    pub(super) fn line(&self, sweep: &str, cells: &[(String, Value)]) -> String {
        let mut row = vec![Value::Missing; self.names.len()];
        row[0] = sweep.into();
        for (at, (name, value)) in cells.iter().enumerate() {
            // Usually the cells of a row are those of the row before.
            let place = if self.names.get(at + 1) == Some(name) { at + 1 } else { self.places[name] };
            row[place] = value.clone();
        }
        csv_line(row)
    }
}

/// The number of complete records, and the byte offset after the last one. A line feed in quotes does not end a record.
pub(super) fn whole_records(text: &str) -> (usize, usize) {
    let (mut records, mut end, mut is_quoted) = (0, 0, false);
    for (place, byte) in text.bytes().enumerate() {
        match byte {
            b'"' => is_quoted = !is_quoted,
            b'\n' if !is_quoted => (records, end) = (records + 1, place + 1),
            _ => {}
        }
    }
    (records, end)
}

/// Appends `fields` empty fields to each record of a text of complete records.
pub(super) fn widened(text: &str, fields: usize) -> String {
    let (mut wide, mut is_quoted) = (String::with_capacity(text.len()), false);
    for character in text.chars() {
        is_quoted ^= character == '"';
        if character == '\n' && !is_quoted {
            wide.extend(std::iter::repeat_n(',', fields));
        }
        wide.push(character);
    }
    wide
}

/// The unquoted fields of one record.
pub(super) fn fields(record: &str) -> Vec<String> {
    let (mut fields, mut is_quoted) = (vec![String::new()], false);
    let mut characters = record.chars().peekable();
    while let Some(character) = characters.next() {
        let last = fields.last_mut().expect("one at least");
        match character {
            '"' if is_quoted && characters.peek() == Some(&'"') => {
                characters.next();
                last.push('"');
            }
            '"' => is_quoted = !is_quoted,
            ',' if !is_quoted => fields.push(String::new()),
            other => last.push(other),
        }
    }
    fields
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_as_they_were_written() {
        let mut columns = Columns::default();
        let names = ["run", "a,b", "say \"x\"", "two\nlines", "", "=1+1"];
        let cells: Vec<(String, Value)> = names.map(|name| (name.to_owned(), 1_u64.into())).into();
        assert_eq!(columns.extend(&cells), 7);
        assert_eq!(columns.extend(&cells), 0);
        let header = columns.header();
        let read = Columns::of_header(header.strip_suffix('\n').unwrap());
        assert_eq!(read.names, columns.names);
        assert_eq!(read.line("s", &cells[..2]), "s,1,1,,,,\n");
    }

    #[test]
    fn a_line_break_in_quotes_ends_no_record() {
        let text = "a,b\n\"x\ny\",1\n2,\"cut";
        assert_eq!(whole_records(text), (2, 12));
        assert_eq!(whole_records("a,b"), (0, 0));
        assert_eq!(widened("a,b\n\"x\ny\",1\n", 2), "a,b,,\n\"x\ny\",1,,\n");
    }
}
