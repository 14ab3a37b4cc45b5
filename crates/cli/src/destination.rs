//! Output files and folders follow the same rules. [`acrasin_output`] implements them for files, this module for
//! folders.
//!
//! Nothing but the command's own output is touched, no link is followed, and no complete result is replaced by an
//! incomplete one.
//!
//! | at the path | result |
//! |---|---|
//! | nothing | the output gets its name when it is complete, unless the name is taken by then | |
//! | a file, an empty folder | the same; commands that replace files replace them as a whole and keep permissions | |
//! | a folder that is not empty | `--force` adds to it; only results of an earlier run are replaced or removed |
//! | a link | refused, since its target is unknown |
//! | a pipe or a terminal | `--record`, `--picture` and `plot -o` write into it; refused by the others |
//! | a pipe without a reader | refused after a second |
//! | a disk, a socket | refused |
//!
//! A run that was interrupted, or ended by `--max-time`, does not replace earlier results.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use acrasin_output::{Unfinished, stale_files, standing};
use acrasin_process::Ending;

use crate::Failure;

/// The file whose presence marks a folder as the results of a run.
pub(crate) const RECORD: &str = "record.jsonl";

/// A folder that gets its name when it is complete.
///
/// An existing folder is replaced by a new one, into which its files that are not results are carried over. If the old
/// folder cannot be renamed, because it is a mount or its parent is read-only, files are moved into it one by one.
#[derive(Debug)]
pub(crate) struct OutputFolder {
    target: PathBuf,
    unfinished: Unfinished,
    is_inside: bool,
    is_forced: bool,
    /// Whether a file name is that of a result. Files with such names belong to an earlier run.
    is_result: fn(&OsStr) -> bool,
}

impl OutputFolder {
    /// Creates a folder under a temporary name.
    ///
    /// # Errors
    ///
    /// [`Failure`] if `target` is not a folder, or is not empty and not forced, or if a result would replace something
    /// that is not a file. Also if another process is writing the folder, or the folder cannot be created.
    pub(crate) fn new(
        target: &Path,
        is_forced: bool,
        is_result: fn(&OsStr) -> bool,
    ) -> Result<Self, Failure> {
        let there = standing(target)?;
        let of_folder = |error: &io::Error| Failure::of_path(target, "used as a folder", error);
        if there.is_some() {
            for entry in fs::read_dir(target).map_err(|error| of_folder(&error))? {
                let entry = entry.map_err(|error| of_folder(&error))?;
                if !is_forced {
                    return Err(Failure::usage(format_args!("{} is not empty", target.display()))
                        .accepting("a folder that is new or empty")
                        .hinting("--force writes into it, replacing files of the same names"));
                }
                if is_result(&entry.file_name()) && !entry.file_type().is_ok_and(|kind| kind.is_file()) {
                    let path = target.join(entry.file_name());
                    return Err(Failure::usage(format_args!("{} is not a file", path.display()))
                        .accepting("a folder in which the results replace only files"));
                }
            }
        }
        let is_there = there.is_some();
        let within = target.join("acrasin");
        let inside = || {
            stale_files::clear_beside(&within);
            Unfinished::folder(&within)
        };
        let (is_inside, made) = match Unfinished::folder(target) {
            Err(error) if is_there && error.kind() != ErrorKind::ResourceBusy => (true, inside()),
            Ok(_) if is_there && is_mount(target) => (true, inside()),
            beside => (false, beside),
        };
        let unfinished = made.map_err(|error| Failure::of_path(target, "made", &error))?;
        Ok(Self { target: target.to_owned(), unfinished, is_inside, is_forced, is_result })
    }

    /// The temporary path of the folder.
    pub(crate) fn path(&self) -> &Path {
        self.unfinished.path()
    }

    /// Whether the target contains results of an earlier run that ran to its end.
    pub(crate) fn has_complete_results(&self) -> bool {
        is_of_a_run(&self.target)
            && !fs::read_to_string(self.target.join(RECORD)).is_ok_and(|record| is_ended(&record))
    }

    /// Gives the folder its name.
    ///
    /// # Errors
    ///
    /// An I/O error if results have appeared in the folder meanwhile and `--force` is not given. Also if something
    /// other than a file has the name of a result, or if the file system reports an error.
    pub(crate) fn publish(self) -> io::Result<()> {
        let Self { target, unfinished, is_inside, is_forced, is_result } = self;
        // A link that was created at this path meanwhile is not followed.
        let is_folder = fs::symlink_metadata(&target).is_ok_and(|metadata| metadata.is_dir());
        if is_folder {
            keep_permissions(unfinished.path(), &target)?;
            if !is_inside {
                fs::set_permissions(unfinished.path(), fs::metadata(&target)?.permissions())?;
            }
        }
        if is_inside {
            move_into(unfinished.path(), &target, is_forced, is_result)
        } else if is_folder && fs::read_dir(&target)?.next().is_some() {
            carry_over(&target, unfinished.path(), is_forced, is_result)?;
            let has_results = is_of_a_run(&target);
            let rest = |old: &Path| carry_rest(old, &target, &|name| has_results && is_result(name));
            unfinished.replace(&target, rest)
        } else {
            unfinished.publish_folder(&target)
        }
    }
}

/// Whether a folder contains the results of a run, and `is_of_run` holds for the text of their records.
pub(crate) fn has_results(folder: &Path, is_of_run: impl FnOnce(&str) -> bool) -> bool {
    is_of_a_run(folder) && fs::read_to_string(folder.join(RECORD)).is_ok_and(|record| is_of_run(&record))
}

/// Whether records, one per line, are of runs that were ended early.
fn is_ended(records: &str) -> bool {
    let record = |line| serde_json::from_str::<serde_json::Value>(line).ok();
    let is_cut_short = |record: serde_json::Value| {
        record["outcome"]["word"].as_str().is_some_and(|word| Ending::CUT_SHORT_WORDS.contains(&word))
    };
    records.lines().filter_map(record).any(is_cut_short)
}

/// Whether a folder contains the results of a run. Its files with names of results then belong to this run.
fn is_of_a_run(folder: &Path) -> bool {
    fs::symlink_metadata(folder.join(RECORD)).is_ok_and(|metadata| metadata.is_file())
}

/// Links or copies into `new` all files of `old` that `new` lacks, except results of the earlier run: the new folder
/// must not mix two runs.
fn carry_over(old: &Path, new: &Path, is_forced: bool, is_result: fn(&OsStr) -> bool) -> io::Result<()> {
    let has_results = is_of_a_run(old);
    for entry in fs::read_dir(old)? {
        let entry = entry?;
        let name = entry.file_name();
        let target = new.join(&name);
        if fs::symlink_metadata(&target).is_err() && !(has_results && is_result(&name)) {
            carry(&entry, &target)?;
        } else if !is_forced || !entry.file_type()?.is_file() {
            return Err(in_the_way(&name));
        }
    }
    Ok(())
}

/// Links or copies into `new` the files that have appeared in `old` meanwhile and whose names `new` lacks.
fn carry_rest(old: &Path, new: &Path, is_left: &dyn Fn(&OsStr) -> bool) -> io::Result<()> {
    for entry in fs::read_dir(old)? {
        let entry = entry?;
        let target = new.join(entry.file_name());
        match fs::symlink_metadata(&target) {
            Ok(there) if there.is_dir() && entry.file_type()?.is_dir() => {
                carry_rest(&entry.path(), &target, &|_| false)?;
            }
            Err(_) if !is_left(&entry.file_name()) => carry(&entry, &target)?,
            _ => {}
        }
    }
    Ok(())
}

fn in_the_way(name: &OsStr) -> io::Error {
    let message = format!("{} has appeared in it in the meantime, and is not replaced", name.display());
    io::Error::new(ErrorKind::AlreadyExists, message)
}

fn carry(entry: &fs::DirEntry, target: &Path) -> io::Result<()> {
    let kind = entry.file_type()?;
    if kind.is_dir() {
        fs::create_dir(target)?;
        for inner in fs::read_dir(entry.path())? {
            let inner = inner?;
            carry(&inner, &target.join(inner.file_name()))?;
        }
        return fs::set_permissions(target, entry.metadata()?.permissions());
    }
    match fs::hard_link(entry.path(), target) {
        // Only files are copied: for a link, its target would be copied, and a pipe has no end.
        Err(_) if kind.is_file() => fs::copy(entry.path(), target).map(|_| ()),
        linked => linked,
    }
}

/// Gives each file in `made` the permissions of the file in `target` that it will replace.
fn keep_permissions(made: &Path, target: &Path) -> io::Result<()> {
    for entry in fs::read_dir(made)? {
        let entry = entry?;
        let Ok(replaced) = fs::symlink_metadata(target.join(entry.file_name())) else { continue };
        let kind = entry.file_type()?;
        if kind.is_dir() && replaced.is_dir() {
            keep_permissions(&entry.path(), &target.join(entry.file_name()))?;
        } else if kind.is_file() && replaced.is_file() {
            fs::set_permissions(entry.path(), replaced.permissions())?;
        }
    }
    Ok(())
}

/// Moves the files of `from` into `target` one by one, and then removes the other results of the earlier run from it.
fn move_into(from: &Path, target: &Path, is_forced: bool, is_result: fn(&OsStr) -> bool) -> io::Result<()> {
    let names = |folder: &Path| -> io::Result<Vec<OsString>> {
        fs::read_dir(folder)?.map(|entry| Ok(entry?.file_name())).collect()
    };
    let made = names(from)?;
    let has_results = is_of_a_run(target);
    let is_earlier = |name: &OsString| made.contains(name) || (has_results && is_result(name));
    let earlier: Vec<_> = names(target)?.into_iter().filter(is_earlier).collect();
    for name in &earlier {
        if !is_forced || !fs::symlink_metadata(target.join(name))?.is_file() {
            return Err(in_the_way(name));
        }
    }
    // The record is moved first. If the run is killed here and continued, the record shows that the files are its own.
    let (records, others): (Vec<_>, Vec<_>) = made.iter().partition(|name| *name == RECORD);
    for name in records.into_iter().chain(others) {
        fs::rename(from.join(name), target.join(name))?;
    }
    earlier.iter().filter(|name| !made.contains(name)).try_for_each(|name| fs::remove_file(target.join(name)))
}

/// Whether a folder and its parent are on different file systems.
#[cfg(unix)]
fn is_mount(folder: &Path) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    let device = |path: &Path| fs::metadata(path).map(|metadata| metadata.dev()).ok();
    let Ok(folder) = fs::canonicalize(folder) else { return false };
    folder.parent().is_none_or(|parent| device(parent) != device(&folder))
}

#[cfg(not(unix))]
fn is_mount(_: &Path) -> bool {
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_result(name: &OsStr) -> bool {
        name.to_str().is_some_and(|name| name.starts_with("counts") || name == RECORD)
    }

    /// Tests both ways of writing into an existing folder: by renaming it, and file by file.
    #[test]
    fn others_files_stay_and_results_of_an_earlier_run_go() {
        for is_inside in [false, true] {
            let place = tempfile::tempdir().unwrap();
            let out = place.path().join("out");
            fs::create_dir_all(out.join("deep/er")).unwrap();
            for name in ["mine.txt", "deep/er/x", "counts-1.csv", "scenario.ron"] {
                fs::write(out.join(name), "old").unwrap();
            }
            let read = |name: &str| fs::read_to_string(out.join(name)).unwrap();
            let publish = |is_forced: bool| {
                let beside = if is_inside { out.join("acrasin") } else { out.clone() };
                let unfinished = Unfinished::folder(&beside).unwrap();
                fs::write(unfinished.path().join("scenario.ron"), "new").unwrap();
                let target = out.clone();
                OutputFolder { target, unfinished, is_inside, is_forced, is_result }.publish()
            };
            // Without --force, files that appeared since the start are not replaced.
            let error = publish(false).unwrap_err();
            assert!(error.to_string().contains("scenario.ron has appeared in it"), "{error}");
            assert_eq!(read("scenario.ron"), "old");
            publish(true).unwrap();
            let all = || ["mine.txt", "deep/er/x", "scenario.ron"].map(read);
            assert_eq!(all(), ["old", "old", "new"]);
            // Without a record, the folder is not known to be that of a run.
            assert_eq!(read("counts-1.csv"), "old");
            fs::write(out.join(RECORD), "old").unwrap();
            publish(true).unwrap();
            assert!(!out.join("counts-1.csv").exists() && !out.join(RECORD).exists());
            assert_eq!(all(), ["old", "old", "new"]);
            // A non-empty folder with the name of a result is not removed.
            fs::remove_file(out.join("scenario.ron")).unwrap();
            fs::create_dir(out.join("scenario.ron")).unwrap();
            fs::write(out.join("scenario.ron/x"), "mine").unwrap();
            assert!(publish(true).is_err());
            assert_eq!(read("scenario.ron/x"), "mine");
            assert_eq!(fs::read_dir(place.path()).unwrap().count(), 1);
        }
    }
}
