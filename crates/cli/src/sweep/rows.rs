//! The file of rows: written while runs end, gone on with where it ended.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use acrasin_runtime::Digest;

use super::columns::{Columns, SWEEP, whole_records, widened};
use super::words::Written;
use crate::Failure;

/// How rows are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// The first line says of which sweep they are.
    JsonLines,
    /// The first column says it: programs that read CSV know no other place.
    Csv,
}

/// A file of rows.
#[derive(Debug)]
pub(super) struct RowsFile {
    path: PathBuf,
    file: File,
    kind: Kind,
    /// The word for the sweep in CSV, and its columns.
    sweep: String,
    columns: Columns,
}

impl RowsFile {
    /// Opens a file to go on with, or makes it; returned with how many rows it has. A last row that was cut off is dropped.
    ///
    /// # Errors
    ///
    /// The file is of another sweep, or cannot be written.
    pub(super) fn open(path: &Path, header: &str) -> Result<(Self, u64), Failure> {
        let failed = |error: &io::Error| Failure::of_path(path, "written", error);
        let old = match path.metadata() {
            Ok(metadata) if !metadata.is_file() => {
                return Err(Failure::usage(format_args!("{} is no file", path.display()))
                    .accepting("a new file, or the rows of this sweep"));
            }
            Ok(_) => fs::read_to_string(path).map_err(|error| failed(&error))?,
            Err(_) => String::new(),
        };
        let is_csv = path.extension().is_some_and(|extension| extension == "csv");
        let kind = if is_csv { Kind::Csv } else { Kind::JsonLines };
        let Digest(sweep) = Digest::of(&header);
        let sweep = format!("{sweep:032x}");
        let found = match kind {
            Kind::JsonLines => json_lines(&old, header),
            Kind::Csv => csv_rows(&old, &sweep),
        };
        let Some(Found { rows, bytes }) = found else {
            let message = format!("{} has not the rows of this sweep", path.display());
            return Err(Failure::usage(message)
                .accepting("another file, or the same scenario, version, seed, values and repetitions"));
        };
        let mut file =
            OpenOptions::new().create(true).append(true).open(path).map_err(|error| failed(&error))?;
        let is_new = bytes == 0;
        let cut = file.set_len(bytes as u64);
        let begun = if is_new && kind == Kind::JsonLines {
            cut.and_then(|()| writeln!(file, "{header}"))
        } else {
            cut
        };
        begun.map_err(|error| failed(&error))?;
        let columns = match old[..bytes].split_once('\n') {
            Some((names, _)) if kind == Kind::Csv => Columns::of_header(names),
            _ => Columns::default(),
        };
        Ok((Self { path: path.to_owned(), file, kind, sweep, columns }, rows))
    }

    pub(super) fn kind(&self) -> Kind {
        self.kind
    }

    /// One row more.
    pub(super) fn add(&mut self, row: &Written) -> Result<(), Failure> {
        let written = match row {
            Written::JsonLine(line) => self.file.write_all(line.as_bytes()),
            Written::Cells(cells) => {
                let new = self.columns.extend(cells);
                let wide = if new > 0 { self.widen(new) } else { Ok(()) };
                let line = self.columns.line(&self.sweep, cells);
                wide.and_then(|()| self.file.write_all(line.as_bytes()))
            }
        };
        written.map_err(|error| Failure::of_machine(format_args!("{}: {error}", self.path.display())))
    }

    /// The header is another one, and rows that are there have so many empty fields more. The new file takes the place of
    /// the old one as a whole.
    fn widen(&mut self, new: usize) -> io::Result<()> {
        let old = fs::read_to_string(&self.path)?;
        let rows = old.split_once('\n').map_or("", |(_, rows)| rows);
        let text = self.columns.header() + &widened(rows, new);
        if old.is_empty() {
            return self.file.write_all(text.as_bytes());
        }
        let mut beside = self.path.clone().into_os_string();
        beside.push(".new");
        fs::write(&beside, text)?;
        fs::rename(&beside, &self.path)?;
        self.file = OpenOptions::new().append(true).open(&self.path)?;
        Ok(())
    }
}

/// What of a file is gone on with: so many rows, in so many bytes with what is before them.
struct Found {
    rows: u64,
    bytes: usize,
}

const NOTHING: Found = Found { rows: 0, bytes: 0 };

/// `None` if the file is another one.
fn json_lines(old: &str, header: &str) -> Option<Found> {
    let whole = old.rfind('\n').map_or("", |end| &old[..=end]);
    match whole.split_once('\n') {
        None if old.is_empty() || header.starts_with(old) => Some(NOTHING),
        Some((first, rows)) if first == header => {
            Some(Found { rows: rows.lines().count() as u64, bytes: whole.len() })
        }
        _ => None,
    }
}

/// `None` if the file is another one.
fn csv_rows(old: &str, sweep: &str) -> Option<Found> {
    let (records, end) = whole_records(old);
    // A header that was cut off begins as all do; one without rows is of no sweep yet.
    let head = format!("{SWEEP},run,");
    if !old.starts_with(&head) && !head.starts_with(old) {
        return None;
    }
    if records <= 1 {
        return Some(NOTHING);
    }
    let rows = old[..end].split_once('\n').map_or("", |(_, rows)| rows);
    rows.starts_with(&format!("{sweep},")).then_some(Found { rows: records as u64 - 1, bytes: end })
}
