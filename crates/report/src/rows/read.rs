//! [`Rows`]: reads rows of named columns.

use std::collections::BTreeSet;
use std::fmt;

use serde_json::Value as Json;

use super::name::{self, UnknownColumn};
use super::ordered_json::OrderedJson;
use crate::table::literal;
use crate::value::Value;

/// Maximum bytes of one JSON row. While a row is parsed, its lists take about twelve times as much memory.
const ROW_BYTES_MAX: usize = 8 << 20;

/// Maximum columns of a file, since their names are kept in memory. Records of protocols with 2^16 states have fewer.
const COLUMNS_MAX: usize = 1 << 18;

/// Maximum columns with the same ending whose values are compared: their values are in memory during the comparison.
const COMPARED_MAX: usize = 4;

/// Rows of named columns. Only the names are stored. Values are read when a column is requested, so a million long
/// rows need no memory besides their text.
///
/// ```
/// use acrasin_report::rows::Rows;
/// use acrasin_report::value::Value;
///
/// let rows = Rows::read("{\"work\":{\"interactions\":12}}\n{\"work\":{\"interactions\":8}}\n")?;
/// let column = rows.find("interactions")?;
/// assert_eq!(rows.columns(&[column])?[0], [Value::Integer(12), Value::Integer(8)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Rows<'t> {
    text: &'t str,
    names: Vec<String>,
    count: usize,
    is_cut_off: bool,
}

/// The error for a text that has no valid rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RowsError {
    line: u64,
    message: String,
}

impl RowsError {
    /// The line, counted from 1.
    #[must_use]
    pub fn line(&self) -> u64 {
        self.line
    }
}

impl fmt::Display for RowsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.line, self.message)
    }
}

impl std::error::Error for RowsError {}

impl<'t> Rows<'t> {
    /// Reads JSON lines if the text begins with `{`, otherwise CSV with a line of names. The header line of a sweep's
    /// file is skipped. An incomplete last line of JSON is also skipped: its run was killed or is still writing.
    ///
    /// # Errors
    ///
    /// [`RowsError`] at a line that is not an object or has the wrong number of fields, or if there is no row.
    pub fn read(text: &'t str) -> Result<Self, RowsError> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let mut rows = Self { text, names: Vec::new(), count: 0, is_cut_off: false };
        let mut places = BTreeSet::new();
        let mut names = Vec::new();
        let mut count = 0;
        rows.is_cut_off = rows.each(|name, value| match value {
            None => count += 1,
            Some(_) if names.len() <= COLUMNS_MAX && !places.contains(name) => {
                places.insert(name.to_owned());
                names.push(name.to_owned());
            }
            Some(_) => {}
        })?;
        if names.len() > COLUMNS_MAX {
            let message = format!("more than {COLUMNS_MAX} columns");
            return Err(RowsError { line: 1, message });
        }
        if count == 0 {
            return Err(RowsError { line: 1, message: "there are no rows".to_owned() });
        }
        (rows.names, rows.count) = (names, count);
        Ok(rows)
    }

    /// The number of rows.
    #[must_use]
    pub fn len(&self) -> usize {
        self.count
    }

    /// Always false: a text without rows is an error.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Whether an incomplete last line was ignored.
    #[must_use]
    pub fn is_cut_off(&self) -> bool {
        self.is_cut_off
    }

    /// The names of the columns, in the order of first appearance.
    #[must_use]
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Finds a column by its full name, or by the end of its path if that is unique; spaces stand for `_`. If several
    /// columns have this ending and equal values, returns the first.
    ///
    /// # Errors
    ///
    /// [`UnknownColumn`] if no column has this ending, or several columns with different values have it.
    pub fn find(&self, wanted: &str) -> Result<&str, UnknownColumn> {
        name::find(&self.names, wanted).or_else(|error| {
            let meant: Vec<&str> = error.meant().iter().map(String::as_str).collect();
            let is_several = error.is_ambiguous() && meant.len() <= COMPARED_MAX;
            let columns = if is_several { self.columns(&meant).unwrap_or_default() } else { Vec::new() };
            let is_same = is_several && columns.windows(2).all(|two| two[0] == two[1]);
            let first = self.names.iter().find(|name| is_same && meant.first() == Some(&name.as_str()));
            first.map(String::as_str).ok_or(error)
        })
    }

    /// Finds a column of results. Of several columns with this ending, it takes the only one that is not a parameter.
    ///
    /// # Errors
    ///
    /// The errors of [`find`](Self::find).
    pub fn find_result(&self, wanted: &str) -> Result<&str, UnknownColumn> {
        self.find(wanted).or_else(|error| {
            let meant = self.meant(&error);
            only(meant.into_iter().filter(|name| !name::is_parameter(name))).ok_or(error)
        })
    }

    /// Finds a column in which runs differ. Of several columns with this ending, it takes the only parameter that
    /// varies, else the only column that varies, else the only result.
    ///
    /// # Errors
    ///
    /// The errors of [`find`](Self::find).
    pub fn find_varied(&self, wanted: &str) -> Result<&str, UnknownColumn> {
        self.find(wanted).or_else(|error| {
            let mut meant = self.meant(&error);
            if meant.len() > COMPARED_MAX {
                return Err(error);
            }
            let result = only(meant.iter().copied().filter(|name| !name::is_parameter(name)));
            let Ok(columns) = self.columns(&meant) else { return Err(error) };
            let mut varies = columns.iter().map(|column| column.windows(2).any(|two| two[0] != two[1]));
            meant.retain(|_| varies.next() == Some(true));
            let parameter = only(meant.iter().copied().filter(|name| name::is_parameter(name)));
            parameter.or_else(|| only(meant.into_iter())).or(result).ok_or(error)
        })
    }

    /// The candidates of an ambiguous name.
    fn meant(&self, error: &UnknownColumn) -> Vec<&str> {
        let is_meant = |name: &&String| error.is_ambiguous() && error.meant().contains(name);
        self.names.iter().filter(is_meant).map(String::as_str).collect()
    }

    /// The values of these columns in row order. Values that a row lacks are missing. Cost: reads the text again.
    ///
    /// # Errors
    ///
    /// None in practice: [`Rows::read`] has already refused a malformed text.
    pub fn columns(&self, wanted: &[&str]) -> Result<Vec<Vec<Value>>, RowsError> {
        let mut found = vec![Vec::with_capacity(self.count); wanted.len()];
        let mut row = vec![Value::Missing; wanted.len()];
        self.each(|name, value| match value {
            None => {
                for (column, value) in found.iter_mut().zip(&mut row) {
                    column.push(std::mem::replace(value, Value::Missing));
                }
            }
            Some(value) => {
                for (place, _) in wanted.iter().enumerate().filter(|(_, wanted)| **wanted == name) {
                    row[place] = value.clone();
                }
            }
        })?;
        Ok(found)
    }

    /// Calls `show` with the name and value of every cell, and with `None` after each row. Returns whether an
    /// incomplete last line was ignored.
    fn each(&self, show: impl FnMut(&str, Option<Value>)) -> Result<bool, RowsError> {
        if self.text.trim_start().starts_with('{') { self.each_of_json(show) } else { self.each_of_csv(show) }
    }

    fn each_of_json(&self, mut show: impl FnMut(&str, Option<Value>)) -> Result<bool, RowsError> {
        // The names of the last row that was checked: most rows have the same.
        let mut checked: Vec<String> = Vec::new();
        for (number, line) in (1..).zip(self.text.split_inclusive('\n')) {
            if line.trim().is_empty() {
                continue;
            }
            let refused = |message: String| Err(RowsError { line: number, message });
            if line.len() > ROW_BYTES_MAX {
                return refused(format!("a row has at most {ROW_BYTES_MAX} bytes"));
            }
            let fields = match serde_json::from_str(line.trim_end()) {
                Ok(OrderedJson::Object(fields)) => fields,
                Err(_) if !line.ends_with('\n') => return Ok(true),
                Ok(_) => return refused("a row is an object".to_owned()),
                Err(error) if error.is_eof() => {
                    return refused("not a row: the line ends too early".to_owned());
                }
                Err(error) if error.to_string().starts_with("recursion limit") => {
                    return refused("not a row: more than 127 brackets inside each other".to_owned());
                }
                Err(error) => {
                    let column = error.column();
                    return refused(format!("not a row: byte {column} of the line does not belong in JSON"));
                }
            };
            // The header line of a sweep's file is not a row.
            if number == 1 && fields.iter().any(|(name, _)| name == "acrasin") {
                continue;
            }
            let (mut index, mut is_same) = (0, true);
            let row = OrderedJson::Object(fields);
            flatten(&mut String::new(), &row, &mut |name, value| {
                is_same &= checked.get(index).is_some_and(|checked| checked == name);
                index += 1;
                show(name, value);
            });
            if !is_same {
                checked.clear();
                flatten(&mut String::new(), &row, &mut |name, _| checked.push(name.to_owned()));
                let mut seen = BTreeSet::new();
                if let Some(name) = checked.iter().find(|name| !seen.insert(*name)) {
                    return refused(two_columns(name));
                }
            }
            show("", None);
        }
        Ok(false)
    }

    fn each_of_csv(&self, mut show: impl FnMut(&str, Option<Value>)) -> Result<bool, RowsError> {
        if let Some(line) = unclosed_quote(self.text) {
            return Err(RowsError { line, message: "a quote is never closed".to_owned() });
        }
        let refused = |error: &csv::Error| {
            let line = error.position().map_or(1, csv::Position::line);
            let message = match error.kind() {
                csv::ErrorKind::UnequalLengths { expected_len, len, .. } => {
                    let [fields, names] =
                        [(*len, "field"), (*expected_len, "name")].map(|(count, word)| match count {
                            1 => format!("1 {word}"),
                            count => format!("{count} {word}s"),
                        });
                    format!("the row has {fields}, the first line {names}")
                }
                _ => "this is not a row of comma-separated values".to_owned(),
            };
            RowsError { line, message }
        };
        let mut reader = csv::Reader::from_reader(self.text.as_bytes());
        let names = reader.headers().map_err(|error| refused(&error))?.clone();
        let first = |message: String| Err(RowsError { line: 1, message });
        let mut seen = BTreeSet::new();
        if let Some(name) = names.iter().find(|name| !name.is_empty() && !seen.insert(*name)) {
            return first(two_columns(name));
        }
        if let Some(sign) = [';', '\t'].into_iter().find(|sign| names.len() == 1 && names[0].contains(*sign))
        {
            return first(format!("{sign:?} between the names of columns: commas are accepted"));
        }
        for record in reader.records() {
            let record = record.map_err(|error| refused(&error))?;
            for (name, field) in names.iter().zip(&record) {
                show(literal(name), Some(of_field(field)));
            }
            show("", None);
        }
        Ok(false)
    }
}

fn two_columns(name: &str) -> String {
    format!("two columns are named {}", crate::escape::visible(name))
}

/// The item of an iterator that has exactly one.
fn only<T>(mut items: impl Iterator<Item = T>) -> Option<T> {
    items.next().filter(|_| items.next().is_none())
}

/// The line of an opening quote that is never closed. Everything after it would be one field.
fn unclosed_quote(text: &str) -> Option<u64> {
    let (mut line, mut opened) = (1, None);
    let mut is_start = true;
    for byte in text.bytes() {
        match byte {
            // A second quote directly after this one opens the field again: two quotes stand for one.
            b'"' if opened.is_some() => (opened, is_start) = (None, true),
            b'"' if is_start => (opened, is_start) = (Some(line), false),
            _ => is_start = opened.is_none() && matches!(byte, b',' | b'\n' | b'\r'),
        }
        line += u64::from(byte == b'\n');
    }
    opened
}

/// The cells of one JSON row in the order of the row, with their CSV column names. `None` if `line` is not a row.
#[must_use]
pub fn row_cells(line: &str) -> Option<Vec<(String, Value)>> {
    let row: OrderedJson = serde_json::from_str(line.trim_end()).ok()?;
    let mut cells = Vec::new();
    flatten(&mut String::new(), &row, &mut |name, value| {
        cells.extend(value.map(|value| (name.to_owned(), value)));
    });
    matches!(row, OrderedJson::Object(_)).then_some(cells)
}

fn flatten(path: &mut String, value: &OrderedJson, show: &mut impl FnMut(&str, Option<Value>)) {
    let fields = match value {
        OrderedJson::Object(fields) => fields,
        OrderedJson::Other(value) => return show(path, Some(of_json(value))),
    };
    for (name, value) in fields {
        let end = path.len();
        if end > 0 {
            path.push('.');
        }
        path.push_str(name);
        flatten(path, value, show);
        path.truncate(end);
    }
}

fn of_json(value: &Json) -> Value {
    match value {
        Json::Null => Value::Missing,
        Json::Bool(flag) => Value::Flag(*flag),
        Json::Number(number) => number
            .as_u64()
            .map(Value::Integer)
            .or_else(|| number.as_i64().map(Value::Signed))
            .unwrap_or_else(|| number.as_f64().map_or(Value::Missing, Value::Real)),
        Json::String(text) => Value::Text(text.clone()),
        list => Value::Text(list.to_string()),
    }
}

impl Value {
    /// Parses a CSV field: a flag, a number, a missing value, or a text.
    #[must_use]
    pub fn of_field(field: &str) -> Self {
        of_field(field)
    }
}

fn of_field(field: &str) -> Value {
    match field {
        "" => Value::Missing,
        "true" | "false" => Value::Flag(field == "true"),
        _ => field
            .parse()
            .map(Value::Integer)
            .or_else(|_| field.parse().map(Value::Signed))
            .ok()
            .or_else(|| field.parse().ok().filter(|real: &f64| real.is_finite()).map(Value::Real))
            .unwrap_or_else(|| Value::Text(literal(field).to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const JSON: &str = "{\"acrasin\":\"sweep\",\"format\":1}\n{\"run\":0,\"sweep\":{\"topology.nodes\":20},\"a\":{\"b\":{\"c\":-1}}}\n\
        {\"run\":1,\"sweep\":{\"topology.nodes\":40},\"late\":[1,2],\"a\":{\"b\":{\"c\":null}}}\n";

    #[test]
    fn both_formats_have_the_same_columns() {
        let rows = Rows::read(JSON).unwrap();
        assert_eq!((rows.len(), rows.is_cut_off()), (2, false));
        // In the order of the file: `late` appears in the second row.
        assert_eq!(rows.names(), ["run", "sweep.topology.nodes", "a.b.c", "late"]);
        let csv = Rows::read("run,sweep.topology.nodes,late,a.b.c\n0,20,,-1\n1,40,\"[1,2]\",\n").unwrap();
        let columns = ["run", "sweep.topology.nodes", "late", "a.b.c"];
        assert_eq!(rows.columns(&columns).unwrap(), csv.columns(&columns).unwrap());
        assert_eq!(rows.columns(&["late"]).unwrap()[0], [Value::Missing, "[1,2]".into()]);
        assert_eq!(rows.columns(&["a.b.c"]).unwrap()[0], [Value::Signed(-1), Value::Missing]);
        let cells = row_cells(JSON.lines().nth(2).unwrap()).unwrap();
        let names: Vec<&str> = cells.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["run", "sweep.topology.nodes", "late", "a.b.c"]);
        assert_eq!([&cells[1].1, &cells[3].1], [&Value::Integer(40), &Value::Missing]);
        assert_eq!((row_cells("[1]"), row_cells("{")), (None, None));
    }

    /// `interactions` used to be ambiguous, because the limit of the scenario has the same ending.
    #[test]
    fn a_result_is_meant_upwards_and_what_varies_across() {
        let row = |work: u32, limit: &str| {
            format!(
                "{{\"scenario\":{{\"limits\":{{\"interactions\":{limit}}}}},\"work\":{{\"interactions\":{work}}}}}\n"
            )
        };
        let found = |text: &str| {
            let rows = Rows::read(text).unwrap();
            let name = |found: Result<&str, UnknownColumn>| {
                found.map_err(|error| error.meant().len()).map(str::to_owned)
            };
            [rows.find("interactions"), rows.find_result("interactions"), rows.find_varied("interactions")]
                .map(name)
        };
        let work = || Ok("work.interactions".to_owned());
        let limit = || Ok("scenario.limits.interactions".to_owned());
        assert_eq!(found(&(row(5, "null") + &row(6, "null"))), [Err(2), work(), work()]);
        assert_eq!(found(&(row(5, "7") + &row(6, "8"))), [Err(2), work(), limit()]);
        // If nothing varies, as in a single run, the name means the result on the horizontal axis, too.
        assert_eq!(found(&(row(5, "7") + &row(5, "7"))), [Err(2), work(), work()]);
        let own = Rows::read("a.n,b.n\n1,2\n2,3\n").unwrap();
        assert_eq!(own.find_result("n").unwrap_err().meant(), ["a.n", "b.n"]);
        assert_eq!(own.find_varied("n").unwrap_err().meant(), ["a.n", "b.n"]);
        assert!(own.find_result("m").is_err() && own.find_varied("m").is_err());
    }

    #[test]
    fn a_last_line_without_its_end_is_left_out() {
        let whole = Rows::read(JSON).unwrap();
        let cut = Rows::read(&JSON[..JSON.len() - 5]).unwrap();
        assert_eq!((cut.len(), cut.is_cut_off(), whole.len()), (1, true, 2));
        // Complete except for the line feed.
        assert_eq!(Rows::read(JSON.trim_end()).unwrap().len(), 2);
    }

    #[test]
    fn what_is_no_row_has_its_line() {
        for (text, line, part) in [
            ("", 1, "no rows"),
            ("{\"acrasin\":\"sweep\"}\n", 1, "no rows"),
            ("{\"a\":1}\n[1]\n", 2, "a row is an object"),
            ("{\"a\":1}\n{\"a\":}\n{\"a\":1}\n", 2, "not a row: byte 6 of the line"),
            ("a,b\n1,2\n3\n", 3, "the row has 1 field, the first line 2 names"),
            ("a\n1,2\n", 2, "the row has 2 fields, the first line 1 name"),
            ("a,b\n1,\"2\n3,4\n", 2, "a quote is never closed"),
            ("{\"a\":1}\n{\"a\n", 2, "the line ends too early"),
            ("a,b\n", 1, "no rows"),
            ("a,b,a\n1,2,3\n", 1, "two columns are named a"),
            // The last value used to be taken.
            ("{\"a\":1,\"b\":2,\"a\":3}\n", 1, "two columns are named a"),
            ("{\"a\":1}\n{\"a\":1}\n{\"a\":1,\"a\":1}\n", 3, "two columns are named a"),
            ("{\"w\":{\"a\":1,\"a\":2}}\n", 1, "two columns are named w.a"),
            ("{\"w\":{\"a\":1},\"w\":{\"b\":1,\"a\":2}}\n", 1, "two columns are named w.a"),
            ("{\"w.a\":1,\"w\":{\"a\":2}}\n", 1, "two columns are named w.a"),
            ("a;b\n1;2\n", 1, "commas are accepted"),
            (&format!("{}1{}\n", "{\"a\":".repeat(200), "}".repeat(200)), 1, "127 brackets"),
        ] {
            let error = Rows::read(text).unwrap_err();
            assert_eq!(error.line(), line, "{text:?}: {error}");
            assert!(error.to_string().contains(part), "{text:?}: {error}");
        }
    }

    #[test]
    fn quotes_that_are_closed_are_no_fault() {
        for text in [
            "a\n\"\"\n",
            "a\n\"x\"\"y\"\n",
            "a\n\"two\nlines\"\n",
            "a\nx\"\"y\n",
            "\"a\"\n1",
            "a\n\"\"\"\"\n",
        ] {
            assert_eq!(unclosed_quote(text), None, "{text}");
            assert_eq!(Rows::read(text).unwrap().len(), 1, "{text}");
        }
        for (text, line) in [("a\n\"", 2), ("\"a\n1\n", 1), ("a\n\"\"\"\n1\n", 2), ("a,b\n1,\"x\"\"\n", 2)] {
            assert_eq!(unclosed_quote(text), Some(line), "{text}");
        }
    }

    #[test]
    fn columns_of_one_ending_and_one_content_are_one() {
        let rows = "{\"a\":{\"nodes\":3},\"b\":{\"nodes\":3}}\n{\"a\":{\"nodes\":4},\"b\":{\"nodes\":4}}\n";
        assert_eq!(Rows::read(rows).unwrap().find("nodes").unwrap(), "a.nodes");
        let other = rows.replace("\"b\":{\"nodes\":4}", "\"b\":{\"nodes\":5}");
        let rows = Rows::read(&other).unwrap();
        assert_eq!(rows.find("nodes").unwrap_err().meant(), ["a.nodes", "b.nodes"]);
    }

    #[test]
    fn a_row_as_long_as_the_limit_and_one_byte_longer() {
        let row = |bytes: usize| format!("{{\"a\":\"{}\"}}\n", "x".repeat(bytes - 9));
        assert_eq!(Rows::read(&row(ROW_BYTES_MAX)).unwrap().len(), 1);
        let error = Rows::read(&row(ROW_BYTES_MAX + 1)).unwrap_err().to_string();
        assert_eq!(error, "1: a row has at most 8388608 bytes");
        let columns = |count: usize| {
            let names: Vec<String> = (0..count).map(|name| name.to_string()).collect();
            format!("{}\n{}\n", names.join(","), vec!["1"; count].join(","))
        };
        assert!(Rows::read(&columns(COLUMNS_MAX)).is_ok());
        assert_eq!(
            Rows::read(&columns(COLUMNS_MAX + 1)).unwrap_err().to_string(),
            "1: more than 262144 columns"
        );
    }

    #[test]
    fn numbers_and_words_of_a_table() {
        for (field, value) in [
            ("18446744073709551615", Value::Integer(u64::MAX)),
            ("-7", Value::Signed(-7)),
            ("1e3", Value::Real(1000.0)),
            ("inf", "inf".into()),
            ("true", true.into()),
            ("Ring(nodes: 3)", "Ring(nodes: 3)".into()),
        ] {
            assert_eq!(of_field(field), value, "{field}");
        }
    }
}
