//! Contact intervals: `start end i j`, one contact per line.
//!
//! A line means that `i` and `j` were in contact during `(start, end]`, in whole seconds. Further columns are
//! ignored. Blank lines and lines that start with `#` or `%` are skipped. Intervals of a pair that touch become one
//! contact.

use super::records::{ContactRecord, Records};
use super::{ContactTrace, TraceOptions};
use crate::read::{ReadError, Separator, TextLine};

/// Reads contact intervals. O(lines log lines).
///
/// # Errors
///
/// Refuses a broken line, a time that is not whole seconds within the limit, and an end that is not after its start.
/// Also refuses a text without contacts, and more lines than the limit. Unless the options allow them, also starts out
/// of order, contacts of a node with itself, and overlapping intervals of one pair.
pub fn parse(text: &str, name: &str, options: &TraceOptions) -> Result<ContactTrace, ReadError> {
    let (mut records, mut fields) = (Records::new(name, options), Vec::new());
    for line in TextLine::all(text).filter(|line| !line.is_silent(&['#', '%'])) {
        line.fields(name, Separator::Any, 4, &mut fields)?;
        let [start, end, first, second] = fields[..] else {
            return Err(line.error(name, "an invalid line", FORM));
        };
        let (start, end) = (records.seconds(line, start)?, records.seconds(line, end)?);
        if start >= end {
            return Err(line.error(name, "a contact that does not end after its start", "start < end"));
        }
        records.push(line, &ContactRecord { first, second, order: start, start, end })?;
    }
    records.into_trace(|first, second| second.0 < first.1)
}

const FORM: &str = "start end i j: two times in seconds and two nodes, optionally followed by anything";

#[cfg(test)]
mod tests {
    use std::num::NonZeroU32;

    use super::*;
    use crate::trace::Contact;

    fn read(text: &str, change: impl Fn(&mut TraceOptions)) -> Result<ContactTrace, String> {
        let mut options = TraceOptions::strict(NonZeroU32::MIN);
        change(&mut options);
        parse(text, "f", &options).map_err(|error| error.to_string())
    }

    #[test]
    fn intervals_that_touch_are_one_contact() {
        let trace = read("-5 10 b a x\n10,12,a,b\n11;30;c;a\n13 14 a b\n", |_| {}).unwrap();
        assert_eq!(
            trace.contacts(),
            [
                Contact { start: -5, a: 0, b: 1, end: 12 },
                Contact { start: 11, a: 0, b: 2, end: 30 },
                Contact { start: 13, a: 0, b: 1, end: 14 },
            ]
        );
        assert_eq!((trace.begin(), trace.end(), trace.records()), (-5, 30, 4));
    }

    #[test]
    fn refused_unless_the_options_say_otherwise() {
        let overlapping = "0 10 0 1\n9 12 1 0\n";
        assert_eq!(read(overlapping, |_| {}).unwrap_err(), {
            "f:2: 0 and 1 are already in contact, by line 1: `9 12 1 0`; \
             accepted: one record of a pair at a time, or the option to merge (`duplicates: Merge`)"
        });
        let merged = read(overlapping, |options| options.merge = true).unwrap();
        assert_eq!(merged.contacts(), [Contact { start: 0, a: 0, b: 1, end: 12 }]);
        // For an interval inside another, the end of the outer one counts.
        let inside = read("0 10 0 1\n2 3 0 1\n4 5 0 1\n", |options| options.merge = true).unwrap();
        assert_eq!(inside.contacts(), [Contact { start: 0, a: 0, b: 1, end: 10 }]);
        assert_eq!((merged.overlaps(), inside.overlaps(), inside.records()), (1, 2, 3));
        assert!(
            read("5 6 0 1\n4 5 1 2\n", |_| {})
                .unwrap_err()
                .starts_with("f:2: time 4 s follows time 5 s of line 1")
        );
        assert!(read("5 6 0 0\n", |_| {}).unwrap_err().starts_with("f:1: a contact of 0 with itself"));
    }

    #[test]
    fn refused() {
        for (text, message) in [
            ("", "f: empty file: it has no contacts"),
            ("0 10 1\n", "f:1: an invalid line: `0 10 1`; accepted: start end i j"),
            ("0\n", "f:1: an invalid line: `0`"),
            ("0 1 0 1\n3 x 0 1\n", "f:2:3: not a time: `x`"),
            (
                "5 5 0 1\n",
                "f:1: a contact that does not end after its start: `5 5 0 1`; accepted: start < end",
            ),
            ("6 5 0 1\n", "f:1: a contact that does not end after its start"),
            ("-9007199254740993 5 0 1\n", "f:1:1: not a time"),
        ] {
            let error = read(text, |_| {}).unwrap_err();
            assert!(error.starts_with(message), "{error}\n{message}");
        }
    }
}
