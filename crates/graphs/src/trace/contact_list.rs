//! Contact lists: `t i j`, one observation per line, as the SocioPatterns collaboration publishes them.
//!
//! A line means that `i` and `j` were in contact during `(t - resolution, t]`, in whole seconds. Further columns
//! (such as the departments of the two) are ignored. Blank lines and lines that start with `#` or `%` are skipped.
//! Consecutive observations of a pair become one contact.

use super::records::{ContactRecord, Records};
use super::{ContactTrace, TraceOptions};
use crate::limits::SECONDS_MAX;
use crate::read::{ReadError, Separator, TextLine};

/// Reads a contact list. O(lines log lines).
///
/// # Errors
///
/// Refuses a broken line, a time that is not whole seconds within the limit, a text without contacts, and more lines
/// than the limit. Unless the options allow them, also times out of order, contacts of a node with itself, and two
/// lines of one pair at one time. Observations of a pair at different times may overlap: they are united.
pub fn parse(text: &str, name: &str, options: &TraceOptions) -> Result<ContactTrace, ReadError> {
    let (mut records, mut fields) = (Records::new(name, options), Vec::new());
    for line in TextLine::all(text).filter(|line| !line.is_silent(&['#', '%'])) {
        line.fields(name, Separator::Any, 3, &mut fields)?;
        let [time, first, second] = fields[..] else {
            return Err(line.error(
                name,
                "an invalid line",
                "t i j: a time in seconds and two nodes, optionally followed by anything",
            ));
        };
        let end = records.seconds(line, time)?;
        let start = end - i64::from(options.resolution.get());
        if start < -SECONDS_MAX {
            let accepted = format!("times whose step begins at -{SECONDS_MAX} or later");
            return Err(line.field_error(name, time, "a time too early", accepted));
        }
        records.push(line, &ContactRecord { first, second, order: end, start, end })?;
    }
    records.into_trace(|first, second| first == second)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trace::Contact;

    fn read(text: &str, change: impl Fn(&mut TraceOptions)) -> Result<ContactTrace, String> {
        let mut options = TraceOptions::sociopatterns();
        change(&mut options);
        parse(text, "f", &options).map_err(|error| error.to_string())
    }

    #[test]
    fn observations_that_follow_each_other_are_one_contact() {
        let text = "# t i j\n1000\t5\t3\tMED\tNUR\r\n1020 3 5\n1020 3 9\n\n1060 5 3\n1070 5 3\n";
        let trace = read(text, |_| {}).unwrap();
        assert_eq!(
            trace.contacts(),
            [
                Contact { start: 980, a: 0, b: 1, end: 1020 },
                Contact { start: 1000, a: 0, b: 2, end: 1020 },
                Contact { start: 1040, a: 0, b: 1, end: 1070 },
            ]
        );
        assert_eq!((trace.begin(), trace.end(), trace.records(), trace.pairs()), (980, 1070, 5, 2));
        assert_eq!(trace.labels().unwrap().of(2), "9");
        assert_eq!(trace.resolution().get(), 20);
    }

    #[test]
    fn refused_unless_the_options_say_otherwise() {
        let unsorted = "20 0 1\n60 0 1\n40 1 2\n";
        assert_eq!(read(unsorted, |_| {}).unwrap_err(), {
            "f:3: time 40 s follows time 60 s of line 2: `40 1 2`; \
             accepted: lines in the order of time, or the option to sort (`unsorted: Sort`)"
        });
        assert_eq!(read(unsorted, |options| options.sort = true).unwrap().contacts().len(), 3);

        let repeated = "20 0 1\n20 1 2\n40 0 1\n20 1 0\n";
        assert_eq!(read(repeated, |options| options.sort = true).unwrap_err(), {
            "f:4: 0 and 1 are already in contact, by line 1: `20 1 0`; \
             accepted: one record of a pair at a time, or the option to merge (`duplicates: Merge`)"
        });
        let merged = read(repeated, |options| (options.sort, options.merge) = (true, true)).unwrap();
        assert_eq!((merged.contacts().len(), merged.records(), merged.overlaps()), (2, 4, 1));

        let with_self = "20 0 1\n40 b b\n";
        assert_eq!(read(with_self, |_| {}).unwrap_err(), {
            "f:2: a contact of b with itself: `40 b b`; \
             accepted: two different nodes, or the option to drop self-contacts (`self_contacts: Drop`)"
        });
        let dropped = read(with_self, |options| options.drop_self_contacts = true).unwrap();
        assert_eq!((dropped.nodes(), dropped.contacts().len()), (2, 1));
        assert_eq!((dropped.records(), dropped.self_contacts()), (1, 1));
    }

    #[test]
    fn refused() {
        for (text, message) in [
            ("", "f: empty file: it has no contacts"),
            ("# none\n", "f: empty file: it has no contacts"),
            ("20 0\n", "f:1: an invalid line: `20 0`; accepted: t i j"),
            ("20 0 1\n40.5 0 1\n", "f:2:1: not a time: `40.5`; accepted: whole seconds"),
            ("9007199254740993 0 1\n", "f:1:1: not a time: `9007199254740993`"),
            ("99999999999999999999999 0 1\n", "f:1:1: not a time"),
            ("-9007199254740992 0 1\n", "f:1:1: a time too early: `-9007199254740992`"),
            ("20 \"a b\" \"a b\"\n", "f:1: a contact of a b with itself"),
            ("20 \"a b c\n", "f:1:4: a quote that is not closed on its line"),
        ] {
            let error = read(text, |_| {}).unwrap_err();
            assert!(error.starts_with(message), "{error}\n{message}");
        }
        assert_eq!(read("9007199254740992 0 1\n", |_| {}).unwrap().end(), SECONDS_MAX);
        // Names are text.
        assert_eq!(read("20,7,07\r40,\"7 a\",7\r", |_| {}).unwrap().nodes(), 3);
    }
}
