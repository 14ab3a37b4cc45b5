//! [`OutputFile`]: a file that gets its final name when it is complete.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, ErrorKind, Write as _};
use std::path::{Path, PathBuf};

use crate::error::OutputError;
use crate::stale_files;
use crate::unfinished::Unfinished;

/// The metadata of the file or folder at the path of an output, without following links. `None` if nothing
/// exists there.
///
/// # Errors
///
/// The path is that of a link, a pipe or a device, or it has no file name, such as `..`.
pub fn standing(path: &Path) -> Result<Option<Metadata>, OutputError> {
    let Some(name) = path.file_name() else {
        let message = format!("the path {} has no file name", path.display());
        return Err(OutputError::refusal(ErrorKind::InvalidInput, message)
            .accepting("the path of a new file or folder"));
    };
    // The path is used without a trailing slash, with which a link would be followed.
    let metadata = match fs::symlink_metadata(path.with_file_name(name)) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        found => found.map_err(|error| OutputError::of_path(path, &error))?,
    };
    let refused = |what: &str| {
        let message = format!("{} is {what}, and results replace files and folders only", path.display());
        OutputError::refusal(ErrorKind::InvalidInput, message)
    };
    if metadata.is_symlink() {
        let refusal = refused("a link").accepting("a path that is not a link");
        let target = fs::canonicalize(path).ok();
        return Err(match target {
            Some(target) => refusal.hinting(format_args!("it leads to {}", target.display())),
            None => refusal,
        });
    }
    if !metadata.is_file() && !metadata.is_dir() {
        return Err(refused("a pipe or a device").accepting("a new path, or that of a file"));
    }
    Ok(Some(metadata))
}

/// Whether the path is that of a pipe or of a character device, such as a terminal.
#[must_use]
pub fn is_stream(path: &Path) -> bool {
    // `/dev/stdout` and `/dev/fd/3` are links of the system, which must be followed.
    let is_of_system = path.starts_with("/dev") || path.starts_with("/proc");
    let metadata = if is_of_system { fs::metadata(path) } else { fs::symlink_metadata(path) };
    metadata.is_ok_and(|metadata| takes_bytes(&metadata))
}

#[cfg(unix)]
fn takes_bytes(metadata: &Metadata) -> bool {
    use std::os::unix::fs::FileTypeExt as _;
    metadata.file_type().is_fifo() || metadata.file_type().is_char_device()
}

#[cfg(not(unix))]
fn takes_bytes(_: &Metadata) -> bool {
    false
}

/// A file that gets its final name when it is complete.
#[derive(Debug)]
pub struct OutputFile {
    target: PathBuf,
    /// The file under its temporary name; `None` for a stream, which is written directly.
    unfinished: Option<Unfinished>,
    file: File,
    replaces: bool,
}

impl OutputFile {
    /// Creates a file under a temporary name. A file at `target` will be replaced if `may_replace` is true.
    ///
    /// # Errors
    ///
    /// `target` is a folder, exists although `may_replace` is false, or is being written by another process; or the
    /// file cannot be created.
    pub fn new(target: &Path, may_replace: bool) -> Result<Self, OutputError> {
        let of_folder = || {
            OutputError::refusal(ErrorKind::IsADirectory, format_args!("{} is a folder", target.display()))
                .accepting("the path of a file to write")
        };
        if target.file_name().is_none() {
            return Err(of_folder());
        }
        let there = standing(target)?;
        if there.as_ref().is_some_and(Metadata::is_dir) || ends_in_a_slash(target) {
            return Err(of_folder());
        }
        if there.is_some() && !may_replace {
            let message = format!("{} exists already", target.display());
            return Err(OutputError::refusal(ErrorKind::AlreadyExists, message).accepting("another file"));
        }
        stale_files::clear_beside(target);
        let made = Unfinished::file(target).map_err(|error| OutputError::of_path(target, &error))?;
        let (unfinished, file) = made;
        Ok(Self { target: target.to_owned(), unfinished: Some(unfinished), file, replaces: there.is_some() })
    }

    /// Creates a file as [`OutputFile::new`] does, or opens a pipe or terminal to write into it directly.
    ///
    /// # Errors
    ///
    /// The errors of [`OutputFile::new`].
    pub fn or_stream(target: &Path) -> Result<Self, OutputError> {
        if !is_stream(target) {
            return Self::new(target, true);
        }
        let opened = OpenOptions::new().write(true).open(target);
        let file = opened.map_err(|error| OutputError::of_path(target, &error))?;
        Ok(Self { target: target.to_owned(), unfinished: None, file, replaces: false })
    }

    /// The file to write into.
    #[must_use]
    pub fn file(&self) -> &File {
        &self.file
    }

    /// The final path.
    #[must_use]
    pub fn target(&self) -> &Path {
        &self.target
    }

    /// Whether the file will replace another one.
    #[must_use]
    pub fn replaces(&self) -> bool {
        self.replaces
    }

    /// Writes all bytes and gives the file its final name.
    ///
    /// # Errors
    ///
    /// The file cannot be written, or another file has taken its name in the meantime. An existing file is then
    /// unchanged.
    pub fn write(self, bytes: &[u8]) -> Result<(), OutputError> {
        self.written(bytes)?.publish()
    }

    /// Writes all bytes. The file keeps its temporary name.
    ///
    /// # Errors
    ///
    /// The file cannot be written.
    pub fn written(mut self, bytes: &[u8]) -> Result<Self, OutputError> {
        match self.file.write_all(bytes) {
            Ok(()) => Ok(self),
            Err(error) => Err(self.failure(&error)),
        }
    }

    /// Gives the file its final name.
    ///
    /// # Errors
    ///
    /// Another file has taken the name in the meantime.
    pub fn publish(mut self) -> Result<(), OutputError> {
        let published = match self.unfinished.take() {
            Some(unfinished) => unfinished.publish_file(&self.target, self.replaces),
            None => Ok(()),
        };
        published.map_err(|error| self.failure(&error))
    }

    /// Gives the final name to another complete file, at `path` in the same folder, and removes this one.
    ///
    /// # Errors
    ///
    /// Another file has taken the name in the meantime. The file at `path` then stays.
    pub fn publish_instead(mut self, path: &Path) -> Result<(), OutputError> {
        let published = match self.unfinished.take() {
            Some(unfinished) => unfinished.publish_instead(path, &self.target, self.replaces),
            None => Ok(()),
        };
        published.map_err(|error| self.failure(&error))
    }

    /// The error for a failed write to this file.
    #[must_use]
    pub fn failure(&self, error: &io::Error) -> OutputError {
        OutputError::of_machine(&self.target, error)
    }
}

pub(crate) fn ends_in_a_slash(path: &Path) -> bool {
    path.as_os_str().as_encoded_bytes().last().is_some_and(|&byte| std::path::is_separator(byte.into()))
}
