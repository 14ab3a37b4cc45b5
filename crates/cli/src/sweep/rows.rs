//! The file of rows: written while runs end, gone on with where it ended.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use crate::Failure;

/// Rows as JSON lines, the first line says of which sweep.
#[derive(Debug)]
pub(super) struct RowsFile {
    path: PathBuf,
    file: File,
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
        let whole = old.rfind('\n').map_or("", |end| &old[..=end]);
        let rows = match whole.split_once('\n') {
            None if old.is_empty() || header.starts_with(&old) => None,
            Some((first, rows)) if first == header => Some(rows.lines().count() as u64),
            _ => {
                let message = format!("{} has not the rows of this sweep", path.display());
                return Err(Failure::usage(message)
                    .accepting("another file, or the same scenario, version, seed, values and repetitions"));
            }
        };
        let mut file =
            OpenOptions::new().create(true).append(true).open(path).map_err(|error| failed(&error))?;
        match rows {
            Some(_) => file.set_len(whole.len() as u64),
            None => file.set_len(0).and_then(|()| writeln!(file, "{header}")),
        }
        .map_err(|error| failed(&error))?;
        Ok((Self { path: path.to_owned(), file }, rows.unwrap_or(0)))
    }

    /// One row more.
    pub(super) fn add(&mut self, row: &str) -> Result<(), Failure> {
        let written = self.file.write_all(row.as_bytes());
        written.map_err(|error| Failure::of_machine(format_args!("{}: {error}", self.path.display())))
    }
}
