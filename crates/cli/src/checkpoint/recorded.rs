//! [`RecordingPart`]: the recording of a run with checkpoints.
//!
//! During the run, the recording is the file `FILE.partial`, which remains if the process is killed. A checkpoint names
//! the length of the recording and the digest of these bytes. A run that continues truncates the file to this length.
//! At the end of the run the file is renamed to `FILE`.

use std::fs::{self, File, OpenOptions};
use std::hash::Hasher as _;
use std::io::{self, BufRead, BufReader, BufWriter, Read as _, Seek as _, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use acrasin_output::standing;
use acrasin_runtime::Digest;
use acrasin_runtime::digest::DigestWriter;
use acrasin_verify::replay;
use serde_json::{Value, json};

use crate::Failure;

/// The bytes with which every recording begins.
const BEGINNING: &[u8] = b"{\"acrasin\":\"replay\"";

/// The recording of a saved run up to its checkpoint.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct RecordingMark {
    /// The file of `--record`, as the user wrote it.
    pub(crate) file: PathBuf,
    /// The absolute path of this file.
    absolute: PathBuf,
    length: u64,
    /// The number of recorded steps, which are the lines after the first line of the file.
    pub(crate) steps: u64,
    digest: Digest,
}

impl RecordingMark {
    pub(super) fn to_json(&self) -> Value {
        json!({
            "file": self.file.to_string_lossy(),
            "absolute": self.absolute.to_string_lossy(),
            "length": self.length,
            "steps": self.steps,
            "digest": self.digest.to_string(),
        })
    }

    /// Reads this part of a checkpoint; `None` if the value does not describe a recording.
    pub(super) fn from_json(value: &Value) -> Option<Self> {
        Some(Self {
            file: value["file"].as_str()?.into(),
            absolute: value["absolute"].as_str()?.into(),
            length: value["length"].as_u64()?,
            steps: value["steps"].as_u64()?,
            digest: Digest(u128::from_str_radix(value["digest"].as_str()?, 16).ok()?),
        })
    }

    /// The file to which the run continues to record: the path as written if the file exists there, or else the
    /// absolute path.
    pub(crate) fn target(&self) -> PathBuf {
        let is_there = |path: &Path| partial(path).exists() || path.exists();
        if is_there(&self.file) || !is_there(&self.absolute) {
            self.file.clone()
        } else {
            self.absolute.clone()
        }
    }

    /// Whether `target` is the path of this recording.
    pub(crate) fn is_at(&self, target: &Path) -> bool {
        target == self.file || std::path::absolute(target).is_ok_and(|path| path == self.absolute)
    }
}

/// The file of a recording, with the length and digest of the bytes written so far.
#[derive(Clone, Debug, Default)]
struct Written {
    length: u64,
    lines: u64,
    digest: DigestWriter,
}

impl Written {
    fn take(&mut self, bytes: &[u8]) {
        self.length += bytes.len() as u64;
        self.lines += bytes.iter().filter(|&&byte| byte == b'\n').count() as u64;
        self.digest.write(bytes);
    }
}

/// The recording of a run with checkpoints, during the run. Clones share the file.
#[derive(Clone, Debug)]
pub(crate) struct RecordingPart {
    target: PathBuf,
    path: PathBuf,
    open: Arc<Mutex<(BufWriter<File>, Written)>>,
}

impl RecordingPart {
    /// Creates the file, or truncates an existing one to the length that a checkpoint names.
    pub(crate) fn new(target: &Path, resumed: Option<&RecordingMark>) -> Result<Self, Failure> {
        let path = partial(target);
        let (file, written) = match resumed {
            None => (created(&path)?, Written::default()),
            Some(mark) => continued(target, &path, mark)?,
        };
        let open = Arc::new(Mutex::new((BufWriter::new(file), written)));
        Ok(Self { target: target.to_owned(), path, open })
    }

    /// The path of the recording during the run.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Writes all bytes to the disk, and returns the length and digest of the recording.
    pub(super) fn mark(&self) -> Result<RecordingMark, Failure> {
        let mut open = self.open();
        let (file, written) = &mut *open;
        let synced = file.flush().and_then(|()| file.get_ref().sync_data());
        synced.map_err(|error| Failure::of_path(&self.path, "written", &error))?;
        Ok(RecordingMark {
            file: self.target.clone(),
            absolute: std::path::absolute(&self.target).unwrap_or_else(|_| self.target.clone()),
            length: written.length,
            steps: written.lines.saturating_sub(1),
            digest: written.digest.digest(),
        })
    }

    /// Writes all bytes at the end of the run.
    pub(crate) fn finish(&self) -> io::Result<()> {
        self.open().0.flush()
    }

    fn open(&self) -> MutexGuard<'_, (BufWriter<File>, Written)> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Write for RecordingPart {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut open = self.open();
        let count = open.0.write(bytes)?;
        open.1.take(&bytes[..count]);
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.open().0.flush()
    }
}

/// The path of a recording during its run: `FILE.partial`.
fn partial(target: &Path) -> PathBuf {
    let mut name = target.file_name().unwrap_or_default().to_owned();
    name.push(".partial");
    target.with_file_name(name)
}

/// Creates an empty file. A file that a killed run has left behind is replaced.
fn created(path: &Path) -> Result<File, Failure> {
    let unwritable = |error: io::Error| Failure::of_path(path, "written", &error);
    if standing(path)?.is_some() {
        let mut beginning = Vec::new();
        let file = File::open(path).map_err(unwritable)?;
        file.take(BEGINNING.len() as u64).read_to_end(&mut beginning).map_err(unwritable)?;
        if !BEGINNING.starts_with(&beginning) {
            let message = format!("{} is not a recording, and is not replaced", path.display());
            return Err(Failure::usage(message).accepting("another file for --record"));
        }
    }
    let file = OpenOptions::new().write(true).create(true).truncate(true).open(path).map_err(unwritable)?;
    // After a power failure a checkpoint must not name a file that is not in its folder.
    if cfg!(unix) {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        File::open(folder).and_then(|folder| folder.sync_all()).map_err(unwritable)?;
    }
    Ok(file)
}

/// Opens the recording of a saved run and truncates it to its checkpoint.
fn continued(target: &Path, path: &Path, mark: &RecordingMark) -> Result<(File, Written), Failure> {
    // The run may have been killed while its recording got its name, or after that.
    if standing(target)?.is_some() && is_same_file(path, target) {
        fs::remove_file(path).map_err(|error| Failure::of_path(path, "removed", &error))?;
    }
    let source = if standing(path)?.is_some() || standing(target)?.is_none() { path } else { target };
    let refused = |why: &dyn std::fmt::Display| {
        Failure::usage(format_args!("the recording {} cannot be continued: {why}", source.display()))
            .accepting("the recording of the saved run, unchanged")
    };
    // Only the complete file is compressed.
    let open = || -> io::Result<Box<dyn BufRead>> {
        if source == target {
            replay::open(source)
        } else {
            Ok(Box::new(BufReader::new(File::open(source)?)))
        }
    };
    let mut written = Written::default();
    let mut rest = open().map_err(|error| refused(&error))?.take(mark.length);
    loop {
        let count = match rest.fill_buf() {
            Ok([]) => break,
            Ok(piece) => {
                written.take(piece);
                piece.len()
            }
            Err(error) => return Err(refused(&error)),
        };
        rest.consume(count);
    }
    if written.length < mark.length {
        let why = format!("it has {} bytes, and had {} at the checkpoint", written.length, mark.length);
        return Err(refused(&why));
    }
    if written.digest.digest() != mark.digest {
        return Err(refused(&"its bytes up to the checkpoint have changed"));
    }
    if source == target {
        let copied =
            open().and_then(|file| io::copy(&mut file.take(mark.length), &mut File::create_new(path)?));
        copied.map_err(|error| Failure::of_path(path, "written", &error))?;
    }
    let mut file = OpenOptions::new().write(true).open(path).map_err(|error| refused(&error))?;
    file.set_len(mark.length)
        .and_then(|()| file.seek(io::SeekFrom::End(0)))
        .map_err(|error| refused(&error))?;
    Ok((file, written))
}

/// Whether two paths name the same file.
#[cfg(unix)]
fn is_same_file(one: &Path, other: &Path) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    let inode =
        |path: &Path| fs::symlink_metadata(path).map(|metadata| (metadata.dev(), metadata.ino())).ok();
    inode(one).is_some() && inode(one) == inode(other)
}

#[cfg(not(unix))]
fn is_same_file(_: &Path, _: &Path) -> bool {
    false
}
