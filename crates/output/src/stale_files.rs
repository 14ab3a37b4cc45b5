//! Stale files: leftovers of killed processes under temporary names. The next run that writes into the same folder
//! removes them, or gives them their final names.
//!
//! | exists in the folder | the process was killed | action |
//! |---|---|---|
//! | `.NAME.unfinished-PID` | before its file or folder was complete | it is removed |
//! | likewise, `.NAME.replaced-PID`, no `NAME` | between the renames that replace a folder | it gets its final name |
//! | `.NAME.replaced-PID` and `NAME` | after them | the replaced folder is removed |
//!
//! A live process holds a lock on its unfinished files. A process on another machine or in another container, which
//! writes into the same folder, is therefore not taken for dead, although its process number is unknown here.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

/// Part of the temporary name of an unfinished file or folder.
pub(crate) const UNFINISHED: &str = ".unfinished-";

/// Part of the temporary name of a folder that is being replaced.
pub(crate) const REPLACED: &str = ".replaced-";

/// The temporary path next to `target` for this process: `.NAME.unfinished-PID` with the extension of `target`. For
/// `attempt` above 0 it is `.NAME.unfinished-PID-1` and so on, in case names are taken.
pub(crate) fn beside(target: &Path, attempt: u32) -> PathBuf {
    let mut name = std::ffi::OsString::from(".");
    name.push(target.file_stem().unwrap_or_default());
    name.push(format!("{UNFINISHED}{}", std::process::id()));
    if attempt > 0 {
        name.push(format!("-{attempt}"));
    }
    if let Some(extension) = target.extension() {
        name.push(".");
        name.push(extension);
    }
    target.with_file_name(name)
}

/// Removes stale files from the folder of `target`, if it can be read. Returns the paths of folders that got their
/// final names.
pub fn clear_beside(target: &Path) -> Vec<PathBuf> {
    let paths = entries_beside(target);
    let left = |word| paths.iter().filter_map(move |path| StaleFile::new(path, word));
    let mut completed = Vec::new();
    for replaced in left(REPLACED).filter(StaleFile::is_abandoned) {
        let successor = with_word(replaced.path, UNFINISHED);
        let is_missing = fs::symlink_metadata(&replaced.target).is_err();
        if is_missing && successor.is_dir() {
            if fs::rename(&successor, &replaced.target).is_err() {
                continue;
            }
            completed.push(replaced.target.clone());
        }
        // Without a successor the replaced folder is the only copy, so it stays.
        if fs::symlink_metadata(&replaced.target).is_ok() {
            remove(replaced.path);
        }
    }
    for unfinished in left(UNFINISHED).filter(StaleFile::is_abandoned) {
        let is_complete = with_word(unfinished.path, REPLACED).exists();
        if !is_complete {
            remove(unfinished.path);
        }
    }
    completed
}

/// The folder that contains `target`.
pub(crate) fn folder_of(target: &Path) -> &Path {
    match target.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// All entries of the folder that contains `target`; empty if it cannot be read.
fn entries_beside(target: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder_of(target));
    entries.map_or_else(|_| Vec::new(), |entries| entries.flatten().map(|entry| entry.path()).collect())
}

/// Locks the folder of `target`, so that only one process at a time looks for other processes and creates its file.
/// `None` if folders cannot be locked, or if another program holds the lock for two seconds. Then the process continues
/// without the lock.
pub(crate) fn turn(target: &Path) -> Option<File> {
    let folder = File::open(folder_of(target)).ok().filter(|_| cfg!(unix))?;
    for _ in 0..40 {
        match folder.try_lock() {
            Ok(()) => return Some(folder),
            Err(fs::TryLockError::WouldBlock) => std::thread::sleep(std::time::Duration::from_millis(50)),
            Err(fs::TryLockError::Error(_)) => return None,
        }
    }
    None
}

/// Whether a live process is writing `target`: it holds a lock on the temporary file or folder.
pub(crate) fn is_being_written(target: &Path) -> bool {
    entries_beside(target).iter().filter_map(|path| StaleFile::new(path, UNFINISHED)).any(|left| {
        left.target.file_name() == target.file_name()
            && fs::symlink_metadata(left.path).is_ok_and(|metadata| metadata.is_dir() || metadata.is_file())
            && File::open(left.path)
                .is_ok_and(|file| matches!(file.try_lock(), Err(fs::TryLockError::WouldBlock)))
    })
}

/// Removes a file or folder. Errors are ignored, because no caller could handle them; the file or folder then remains.
pub(crate) fn remove(path: &Path) {
    let _ = if path.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) };
}

/// A file or folder with a temporary name of this program.
struct StaleFile<'a> {
    path: &'a Path,
    target: PathBuf,
    process: u32,
}

/// The temporary name with the marker `word` instead of its own: [`UNFINISHED`] or [`REPLACED`].
pub(crate) fn with_word(path: &Path, word: &str) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let other = if word == UNFINISHED { REPLACED } else { UNFINISHED };
    match name.rsplit_once(other) {
        Some((stem, rest)) => path.with_file_name(format!("{stem}{word}{rest}")),
        None => path.to_owned(),
    }
}

impl<'a> StaleFile<'a> {
    fn new(path: &'a Path, word: &str) -> Option<Self> {
        let name = path.file_name()?.to_str()?.strip_prefix('.')?;
        let (stem, rest) = name.rsplit_once(word)?;
        let (numbers, extension) = rest.split_at(rest.find('.').unwrap_or(rest.len()));
        let (process, attempt) = numbers.split_once('-').unwrap_or((numbers, "1"));
        let is_number = [process, attempt].iter().all(|text| text.bytes().all(|byte| byte.is_ascii_digit()));
        let process =
            process.parse().ok().filter(|_| is_number && !attempt.is_empty() && !stem.is_empty())?;
        Some(Self { path, target: path.with_file_name(format!("{stem}{extension}")), process })
    }

    /// Whether the file or folder belongs to this user, and the process that created it is dead.
    fn is_abandoned(&self) -> bool {
        let Ok(metadata) = fs::symlink_metadata(self.path) else { return false };
        if self.process == std::process::id() || !(metadata.is_dir() || metadata.is_file()) {
            return false;
        }
        let is_here = Path::new("/proc").join(self.process.to_string()).exists();
        // If locks are not supported, this also fails, and the file stays.
        cfg!(unix)
            && !is_here
            && is_ours(&metadata)
            && File::open(self.path).is_ok_and(|file| file.try_lock().is_ok())
    }
}

#[cfg(unix)]
fn is_ours(metadata: &fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    fs::metadata("/proc/self").map_or(true, |own| own.uid() == metadata.uid())
}

#[cfg(not(unix))]
fn is_ours(_: &fs::Metadata) -> bool {
    true
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    /// A process number above the limit of every system, which no process has.
    const DEAD: u32 = 4_194_305;

    #[test]
    fn names_are_read_as_they_are_written() {
        for target in ["a/out", "a/run.jsonl", "a/run.jsonl.gz", "a/.hidden", "a/x.unfinished-7.txt"] {
            for (word, attempt) in [(UNFINISHED, 0), (UNFINISHED, 12), (REPLACED, 0)] {
                let path = with_word(&beside(Path::new(target), attempt), word);
                let left = StaleFile::new(&path, word).expect(target);
                assert_eq!((left.target.as_path(), left.process), (Path::new(target), std::process::id()));
                assert!(!left.is_abandoned());
            }
        }
        for name in [
            "out.unfinished-7",
            ".out.unfinished-",
            ".out.unfinished-x",
            ".unfinished-7",
            ".o.unfinished-+7",
            ".o.unfinished-7-",
        ] {
            assert!(StaleFile::new(Path::new(name), UNFINISHED).is_none(), "{name}");
        }
    }

    #[test]
    fn only_what_a_dead_process_left_is_removed() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        let alive = path(&format!(".out.unfinished-{}", std::os::unix::process::parent_id()));
        let held = path(&format!(".held.unfinished-{DEAD}.txt"));
        let others = [".out.unfinished-x", "out.unfinished-7", "mine.txt"].map(path);
        let dead =
            [format!(".a.unfinished-{DEAD}.jsonl"), format!(".b.unfinished-{DEAD}")].map(|name| path(&name));
        for made in others.iter().chain([&alive, &held, &dead[0]]) {
            fs::write(made, "x").unwrap();
        }
        fs::create_dir(&dead[1]).unwrap();
        fs::write(dead[1].join("x"), "x").unwrap();
        let lock = File::open(&held).unwrap();
        lock.lock_shared().unwrap();
        assert!(clear_beside(&path("out")).is_empty());
        assert!(!dead.iter().any(|path| path.exists()));
        assert!(others.iter().chain([&alive, &held]).all(|path| path.exists()));
        drop(lock);
        clear_beside(&path("out"));
        assert!(!held.exists());
    }

    #[test]
    fn a_folder_that_was_being_replaced_is_whole_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        let make = |name: &str, text: &str| {
            fs::create_dir(path(name)).unwrap();
            fs::write(path(name).join("x"), text).unwrap();
        };
        let read = || fs::read_to_string(path("out").join("x")).unwrap();
        let [unfinished, replaced] = [UNFINISHED, REPLACED].map(|word| format!(".out{word}{DEAD}"));
        // Killed between the renames.
        make(&unfinished, "new");
        make(&replaced, "old");
        assert_eq!(clear_beside(&path("out")), [path("out")]);
        assert_eq!(read(), "new");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        // Killed after the renames.
        make(&replaced, "old");
        assert!(clear_beside(&path("out")).is_empty());
        assert_eq!(read(), "new");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        // The name was taken between the renames: nothing complete is lost.
        make(&unfinished, "newer");
        make(&replaced, "old");
        clear_beside(&path("out"));
        assert_eq!(read(), "new");
    }
}
