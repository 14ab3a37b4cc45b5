//! Records of a contact file: checked, sorted and united to contacts.

use super::{Contact, ContactTrace, TraceOptions, TraceParts};
use crate::limits::{CONTACTS_MAX, SECONDS_MAX};
use crate::read::{Names, ReadError, TextLine};

/// The interval `(start, end]` of a contact, and its line.
#[derive(Clone, Copy)]
struct Record<'t> {
    start: i64,
    end: i64,
    line: TextLine<'t>,
}

/// The records of a file read so far.
pub(super) struct Records<'t> {
    file: &'t str,
    options: &'t TraceOptions,
    records: Vec<Record<'t>>,
    names: Names<'t>,
    /// The time by which the last record is ordered, and its line number; `None` before the first record.
    last: Option<(i64, u64)>,
    lines: u64,
    self_contacts: u64,
}

/// The content of a line: two nodes, the time by which lines are ordered, and the interval of the contact.
pub(super) struct ContactRecord<'t> {
    pub(super) first: &'t str,
    pub(super) second: &'t str,
    pub(super) order: i64,
    pub(super) start: i64,
    pub(super) end: i64,
}

impl<'t> Records<'t> {
    pub(super) fn new(file: &'t str, options: &'t TraceOptions) -> Self {
        Self {
            file,
            options,
            records: Vec::new(),
            names: Names::default(),
            last: None,
            lines: 0,
            self_contacts: 0,
        }
    }

    /// Parses a time in whole seconds.
    pub(super) fn seconds(&self, line: TextLine<'t>, field: &'t str) -> Result<i64, ReadError> {
        let within = |seconds: &i64| (-SECONDS_MAX..=SECONDS_MAX).contains(seconds);
        field.parse().ok().filter(within).ok_or_else(|| {
            let accepted = format!("whole seconds from -{SECONDS_MAX} to {SECONDS_MAX}");
            line.field_error(self.file, field, "not a time", accepted)
        })
    }

    pub(super) fn push(&mut self, line: TextLine<'t>, entry: &ContactRecord<'t>) -> Result<(), ReadError> {
        self.lines += 1;
        if self.lines > CONTACTS_MAX {
            return Err(line.error(self.file, "too many contacts", format!("up to {CONTACTS_MAX} lines")));
        }
        if let Some((before, at)) = self.last
            && entry.order < before
            && !self.options.sort
        {
            let problem = format!("time {} s follows time {before} s of line {at}", entry.order);
            return Err(line.error(
                self.file,
                problem,
                "lines in the order of time, or the option to sort (`unsorted: Sort`)",
            ));
        }
        self.last = Some((entry.order, line.number));
        if entry.first == entry.second {
            if self.options.drop_self_contacts {
                self.self_contacts += 1;
                return Ok(());
            }
            let problem = format!("a contact of {} with itself", entry.first);
            return Err(line.error(
                self.file,
                problem,
                "two different nodes, or the option to drop self-contacts (`self_contacts: Drop`)",
            ));
        }
        self.names.push(entry.first);
        self.names.push(entry.second);
        self.records.push(Record { start: entry.start, end: entry.end, line });
        Ok(())
    }

    /// The trace of all records. `overlaps` says whether two records of one pair, the earlier first, overlap beyond
    /// what the format implies.
    pub(super) fn into_trace(
        self,
        overlaps: fn((i64, i64), (i64, i64)) -> bool,
    ) -> Result<ContactTrace, ReadError> {
        let file = self.file;
        if self.records.is_empty() {
            return Err(ReadError::of_file(
                file,
                "empty file: it has no contacts",
                "at least one line of data",
            ));
        }
        let numbered = self.names.number(file)?;
        let ends = numbered.nodes.chunks_exact(2);
        let mut by_pair: Vec<((u32, u32), Record<'_>)> = ends
            .zip(&self.records)
            .map(|(ends, &record)| ((ends[0].min(ends[1]), ends[0].max(ends[1])), record))
            .collect();
        let name =
            |node: u32| numbered.labels.as_ref().map_or_else(|| node.to_string(), |labels| labels.of(node));
        by_pair.sort_unstable_by_key(|(pair, record)| (*pair, record.start, record.end, record.line.number));
        if !self.options.merge {
            let clash = by_pair.windows(2).filter(|two| {
                let ((pair, first), (next_pair, second)) = (two[0], two[1]);
                pair == next_pair && overlaps((first.start, first.end), (second.start, second.end))
            });
            // Reports the first clash in the file.
            let in_order = |two: &[((u32, u32), Record<'t>)]| {
                let (one, other) = (two[0].1.line, two[1].1.line);
                if one.number < other.number { (one, other) } else { (other, one) }
            };
            if let Some(two) = clash.min_by_key(|two| in_order(two).1.number) {
                let (earlier, line) = in_order(two);
                let earlier = earlier.number;
                let (a, b) = two[0].0;
                let problem =
                    format!("{} and {} are already in contact, by line {earlier}", name(a), name(b));
                return Err(line.error(
                    file,
                    problem,
                    "one record of a pair at a time, or the option to merge (`duplicates: Merge`)",
                ));
            }
        }
        let mut contacts: Vec<Contact> = Vec::new();
        let mut before: Option<((u32, u32), (i64, i64))> = None;
        let mut overlap = 0;
        for ((a, b), Record { start, end, .. }) in by_pair {
            // Records of a pair are sorted by start, so the one that ends last is the one that can overlap the next.
            before = match before {
                Some((pair, last)) if pair == (a, b) => {
                    overlap += u64::from(overlaps(last, (start, end)));
                    Some((pair, (start, end.max(last.1))))
                }
                _ => Some(((a, b), (start, end))),
            };
            match contacts.last_mut() {
                Some(last) if (last.a, last.b) == (a, b) && start <= last.end => last.end = last.end.max(end),
                _ => contacts.push(Contact { start, a, b, end }),
            }
        }
        contacts.sort_unstable();
        let begin = contacts.iter().map(|contact| contact.start).min().unwrap_or(0);
        let end = contacts.iter().map(|contact| contact.end).max().unwrap_or(1);
        let parts = TraceParts {
            nodes: numbered.count,
            labels: numbered.labels,
            contacts,
            begin,
            end,
            resolution: self.options.resolution,
            records: self.lines - self.self_contacts,
            self_contacts: self.self_contacts,
            overlaps: overlap,
        };
        ContactTrace::new(parts)
            .map_err(|error| ReadError::of_file(file, error.to_string(), "a trace within the limits"))
    }
}
