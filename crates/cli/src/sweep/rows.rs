//! [`RowsFile`]: the file of rows, written as runs end, and extended by later sweeps.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, ErrorKind, Read, Write as _};
use std::path::{Path, PathBuf};

use acrasin_output::{Unfinished, stale_files, standing};
use acrasin_runtime::Digest;

use super::columns::{Columns, SWEEP, fields, whole_records, widened};
use super::done_runs::DoneRuns;
use super::parquet;
use super::plan::SweepPlan;
use super::written_row::WrittenRow;
use crate::{Failure, memory};

/// The format of a file of rows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum RowFormat {
    /// JSON lines, the first of which names the sweep.
    JsonLines,
    /// CSV; the first column names the sweep, because CSV has no place for metadata.
    Csv,
}

/// A file of rows, locked against other sweeps while it is open.
#[derive(Debug)]
pub(super) struct RowsFile {
    path: PathBuf,
    file: File,
    kind: RowFormat,
    /// The size of the complete rows, in bytes.
    bytes: u64,
    /// The name of the sweep, for the first column of CSV.
    sweep: String,
    /// The columns of the CSV rows.
    columns: Columns,
}

/// The files with which a sweep begins.
#[derive(Default)]
pub(super) struct Opened {
    /// The file of rows; `None` if the Parquet file has all rows.
    pub(super) file: Option<RowsFile>,
    pub(super) done: DoneRuns,
    /// Whether there is a Parquet file with rows of this sweep.
    pub(super) has_parquet: bool,
}

impl RowsFile {
    /// Opens the CSV file whose rows will become a Parquet file. If the Parquet file already exists, its rows are the
    /// first ones.
    ///
    /// # Errors
    ///
    /// The errors of [`RowsFile::open`], for both files.
    pub(super) fn open_for_parquet(path: &Path, header: &str, plan: &SweepPlan) -> Result<Opened, Failure> {
        let beside = parquet::beside(path);
        let is_new = standing(&beside)?.is_none();
        // The lock on the CSV file covers both.
        let (mut file, done) = Self::open(&beside, header, plan)?;
        let earlier = parquet::rows(path).and_then(|text| {
            let done = text.as_deref().map(|text| DoneRuns::read(path, text, plan)).transpose()?;
            Ok(text.zip(done))
        });
        let is_left_as_it_is = match &earlier {
            Ok(Some((_, all))) => done.kept.is_empty() && all.kept.len() as u64 == plan.runs(),
            Ok(None) => false,
            Err(_) => true,
        };
        if is_left_as_it_is && is_new {
            fs::remove_file(&beside).map_err(|error| file.failure(&error))?;
        }
        let Some((text, of_parquet)) = earlier? else {
            return Ok(Opened { file: Some(file), done, has_parquet: false });
        };
        if is_left_as_it_is {
            return Ok(Opened { file: None, done: of_parquet, has_parquet: true });
        }
        if !done.kept.is_empty() {
            // An earlier extension of the Parquet file was interrupted: the CSV file contains its rows as well.
            return Ok(Opened { file: Some(file), done, has_parquet: true });
        }
        file.begin_with(&text).map_err(|error| file.failure(&error))?;
        Ok(Opened { file: Some(file), done: of_parquet, has_parquet: true })
    }

    /// Opens or creates a file to extend. Also returns the runs whose rows the file already has. An incomplete last row
    /// is dropped.
    ///
    /// # Errors
    ///
    /// [`Failure`] if the file is of another sweep, has a damaged row, or cannot be written, for instance because
    /// another process is writing it.
    pub(super) fn open(path: &Path, header: &str, plan: &SweepPlan) -> Result<(Self, DoneRuns), Failure> {
        let failed = |error: &io::Error| Failure::of_path(path, "written", error);
        if standing(path)?.is_some_and(|metadata| metadata.is_dir()) {
            return Err(Failure::usage(format_args!("{} is a folder", path.display()))
                .accepting("a new file, or the rows of this sweep"));
        }
        stale_files::clear_beside(path);
        let opened = OpenOptions::new().read(true).create(true).append(true).open(path);
        let mut file = opened.map_err(|error| failed(&error))?;
        lock(path, &file).map_err(|error| failed(&error))?;
        let is_csv = path.extension().is_some_and(|extension| extension == "csv");
        let not_ours = || {
            let opening = if is_csv { SWEEP } else { JSON_OPENING };
            let message = format!(
                "{} does not have the rows of this sweep: its first line does not begin with `{opening}`",
                path.display()
            );
            Failure::usage(message)
                .accepting("another file, or a file of rows from a sweep whose first line is intact")
        };
        // Large files of other kinds, or too large for memory, are not read to their end.
        let length = file.metadata().map_err(|error| failed(&error))?.len();
        let mut old = Vec::new();
        Read::by_ref(&mut file).take(OPENING).read_to_end(&mut old).map_err(|error| failed(&error))?;
        // Some editors put a byte order mark before a text. The mark is kept, and the rows begin after it.
        let mark = if old.starts_with(MARK.as_bytes()) { MARK.len() } else { 0 };
        if ![JSON_OPENING.as_bytes(), SWEEP.as_bytes()].iter().any(|ours| begin_alike(&old[mark..], ours)) {
            return Err(not_ours());
        }
        fits(path, length, memory::bytes() / 4)?;
        file.read_to_end(&mut old).map_err(|error| failed(&error))?;
        let old = std::str::from_utf8(&old[mark..]).map_err(|_| not_ours())?;
        let kind = if is_csv { RowFormat::Csv } else { RowFormat::JsonLines };
        let found = match kind {
            RowFormat::JsonLines => json_lines(old, header),
            RowFormat::Csv => csv_rows(old),
        };
        let Some(bytes) = found else { return Err(not_ours()) };
        let whole = &old[..bytes];
        let records = if is_csv { whole_records(whole).0 } else { whole.lines().count() };
        let has_rows = records > 1;
        let done = if has_rows { DoneRuns::read(path, whole, plan)? } else { DoneRuns::default() };
        let columns = match whole.split_once('\n') {
            Some((names, _)) if kind == RowFormat::Csv => Columns::of_header(names),
            _ => Columns::default(),
        };
        let Digest(digest) = Digest::of(&header);
        let mut sweep = format!("{digest:032x}");
        if let (RowFormat::Csv, true, Some(row)) = (kind, has_rows, whole.lines().nth(1)) {
            // The name in the existing rows: more values or repetitions belong to the same sweep.
            sweep = fields(row).swap_remove(0);
        }
        let end = (mark + bytes) as u64;
        let mut rows = Self { path: path.to_owned(), file, kind, bytes: end, sweep, columns };
        rows.file.set_len(rows.bytes).map_err(|error| failed(&error))?;
        if bytes == 0 && kind == RowFormat::JsonLines {
            rows.write(&format!("{header}\n")).map_err(|error| failed(&error))?;
        }
        Ok((rows, done))
    }

    pub(super) fn kind(&self) -> RowFormat {
        self.kind
    }

    /// Adds a row, completely or not at all.
    pub(super) fn add(&mut self, row: &WrittenRow) -> Result<(), Failure> {
        let written = self.is_in_place().and_then(|()| match row {
            WrittenRow::JsonLine(line) => self.write(line),
            WrittenRow::Cells(cells) => {
                let new = self.columns.extend(cells);
                let wide = if new > 0 { self.widen(new) } else { Ok(()) };
                let line = self.columns.line(&self.sweep, cells);
                wide.and_then(|()| self.write(&line))
            }
        });
        written.map_err(|error| self.failure(&error))
    }

    /// Checks at the end that the file was not removed or replaced meanwhile.
    pub(super) fn finish(&self) -> Result<(), Failure> {
        self.is_in_place().map_err(|error| self.failure(&error))
    }

    fn failure(&self, error: &io::Error) -> Failure {
        Failure::of_machine(format_args!("{} cannot be written: {error}", self.path.display()))
    }

    /// Writes text. After an error an incomplete row is removed, because it would merge with the next row.
    fn write(&mut self, text: &str) -> io::Result<()> {
        let written = self.file.write_all(text.as_bytes());
        if written.is_ok() {
            self.bytes += text.len() as u64;
        } else {
            let _ = self.file.set_len(self.bytes);
        }
        written
    }

    fn is_in_place(&self) -> io::Result<()> {
        if is_at(&self.path, &self.file)? {
            Ok(())
        } else {
            Err(io::Error::new(ErrorKind::NotFound, "it was removed or replaced while the sweep ran"))
        }
    }

    /// Writes a header with `new` more columns, and adds as many empty fields to existing rows. The new file replaces
    /// the old one as a whole.
    fn widen(&mut self, new: usize) -> io::Result<()> {
        let old = fs::read_to_string(&self.path)?;
        let rows = old.split_once('\n').map_or("", |(_, rows)| rows);
        let text = self.columns.header() + &widened(rows, new);
        if old.is_empty() {
            return self.write(&text);
        }
        self.replace(&text)
    }

    /// Fills an empty CSV file with these rows, which begin with a header.
    fn begin_with(&mut self, text: &str) -> io::Result<()> {
        if let Some((names, rows)) = text.split_once('\n') {
            self.columns = Columns::of_header(names);
            if let Some(row) = rows.lines().next() {
                self.sweep = fields(row).swap_remove(0);
            }
        }
        self.replace(text)
    }

    /// Replaces the file as a whole by a new one with this text, and locks the new file.
    fn replace(&mut self, text: &str) -> io::Result<()> {
        let (unfinished, mut file) = Unfinished::file(&self.path)?;
        file.write_all(text.as_bytes())?;
        unfinished.publish_file(&self.path, true)?;
        lock(&self.path, &file)?;
        (self.file, self.bytes) = (file, text.len() as u64);
        Ok(())
    }
}

/// The first bytes of a file of JSON lines of a sweep. A CSV file begins with [`SWEEP`].
const JSON_OPENING: &str = "{\"acrasin\":\"sweep\",";

/// The byte order mark, with which some programs begin a file.
const MARK: &str = "\u{feff}";

/// The number of bytes at the beginning of a file from which its kind is recognised.
const OPENING: u64 = 64;

/// Whether one text is a prefix of the other.
fn begin_alike(a: &[u8], b: &[u8]) -> bool {
    a.starts_with(b) || b.starts_with(a)
}

/// Locks the file at `path`, if files can be locked.
fn lock(path: &Path, file: &File) -> io::Result<()> {
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => {
            Err(io::Error::new(ErrorKind::ResourceBusy, "another sweep is writing it"))
        }
        // The file may have been replaced before it was locked.
        Ok(()) | Err(TryLockError::Error(_)) if is_at(path, file)? => Ok(()),
        _ => Err(io::Error::new(ErrorKind::ResourceBusy, "something else is replacing it")),
    }
}

/// Whether the open file is still the file at this path.
#[cfg(unix)]
fn is_at(path: &Path, file: &File) -> io::Result<bool> {
    use std::os::unix::fs::MetadataExt as _;
    let open = file.metadata()?;
    Ok(fs::symlink_metadata(path).is_ok_and(|there| (there.dev(), there.ino()) == (open.dev(), open.ino())))
}

#[cfg(not(unix))]
fn is_at(path: &Path, _: &File) -> io::Result<bool> {
    Ok(fs::symlink_metadata(path).is_ok_and(|there| there.is_file()))
}

/// The number of bytes of complete lines in a file of JSON lines of a sweep; `None` if the file is of another kind.
pub(super) fn json_lines(old: &str, header: &str) -> Option<usize> {
    let whole = old.rfind('\n').map_or("", |end| &old[..=end]);
    match whole.split_once('\n') {
        None if old.is_empty() || header.starts_with(old) => Some(0),
        Some((first, _)) if first.starts_with(JSON_OPENING) => Some(whole.len()),
        _ => None,
    }
}

/// The number of bytes of complete records in a CSV file of a sweep, 0 without rows; `None` if the file is of another
/// kind.
fn csv_rows(old: &str) -> Option<usize> {
    let (records, end) = whole_records(old);
    // A truncated header is recognised by the beginning of all headers. A header without rows does not belong to a
    // sweep yet.
    let head = format!("{SWEEP},run,");
    if !old.starts_with(&head) && !head.starts_with(old) {
        return None;
    }
    Some(if records <= 1 { 0 } else { end })
}

/// Refuses a file that does not fit into memory, where its text stays while its rows are read.
fn fits(path: &Path, length: u64, most: u64) -> Result<(), Failure> {
    if length <= most {
        return Ok(());
    }
    let message = format!("{} has {length} bytes of rows already", path.display());
    Err(Failure::usage(message).accepting(format_args!("another file, or at most {most} bytes")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_may_have_as_many_bytes_as_there_is_room_for() {
        let path = Path::new("rows.csv");
        assert!(fits(path, 4096, 4096).is_ok());
        let refused = fits(path, 4097, 4096).unwrap_err().to_string();
        assert!(refused.contains("rows.csv has 4097 bytes of rows already"), "{refused}");
        assert!(refused.contains("at most 4096 bytes"), "{refused}");
    }
}
