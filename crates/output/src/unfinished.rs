//! [`Unfinished`]: files and folders under a temporary name until they are complete.
//!
//! Each is created next to its final path, so that the last step is a rename within one file system. An error, a panic
//! or a second Ctrl-C removes them. Only a kill or a power failure leaves one behind. The next run that writes there
//! [removes it](crate::stale_files).
//!
//! A temporary name is always new: no other file is overwritten, and no link is followed. While a process writes a file
//! or folder, no other process of this program starts to write it.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::stale_files::{self, REPLACED, remove};

/// Maximum number of temporary names to try.
const ATTEMPTS: u32 = 100;

static PRESENT: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

fn present() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    PRESENT.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A file or folder under a temporary name. It is removed on drop.
#[derive(Debug)]
pub struct Unfinished {
    path: PathBuf,
    /// The file, open and locked while this process works on it.
    held: Option<File>,
}

impl Unfinished {
    /// Creates an empty file next to `target`, with the same extension.
    ///
    /// # Errors
    ///
    /// The file cannot be created; [`ErrorKind::ResourceBusy`] if another process is writing `target`.
    pub fn file(target: &Path) -> io::Result<(Self, File)> {
        Self::new(target, |path| File::create_new(path))
    }

    /// Creates an empty folder next to `target`.
    ///
    /// # Errors
    ///
    /// The errors of [`Unfinished::file`].
    pub fn folder(target: &Path) -> io::Result<Self> {
        Self::new(target, |path| fs::create_dir(path)).map(|(unfinished, ())| unfinished)
    }

    fn new<T>(target: &Path, make: impl Fn(&Path) -> io::Result<T>) -> io::Result<(Self, T)> {
        // While this lock is held, no other process checks for others or creates its file.
        let _turn = stale_files::turn(target);
        if stale_files::is_being_written(target) {
            return Err(io::Error::new(ErrorKind::ResourceBusy, "another process is writing it"));
        }
        Self::unchecked(target, make)
    }

    /// Creates another empty file next to the same target, which this process already writes.
    pub(crate) fn another(&self, target: &Path) -> io::Result<(Self, File)> {
        Self::unchecked(target, |path| File::create_new(path))
    }

    /// Creates a file or folder, without a check whether another process is writing `target`.
    fn unchecked<T>(target: &Path, make: impl Fn(&Path) -> io::Result<T>) -> io::Result<(Self, T)> {
        for attempt in 0..ATTEMPTS {
            let path = stale_files::beside(target, attempt);
            // The file is created under the lock of the list: a second Ctrl-C either finds the file in the list, or
            // comes before the file exists.
            let mut present = present();
            match make(&path) {
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                made => {
                    let made = made?;
                    present.insert(path.clone());
                    drop(present);
                    // Where files cannot be locked, or locks are mandatory, nothing is locked, and nothing is
                    // removed as stale.
                    let held = File::open(&path).ok().filter(|_| cfg!(unix));
                    let _ = held.as_ref().map(File::lock_shared);
                    return Ok((Self { path, held }, made));
                }
            }
        }
        Err(io::Error::new(ErrorKind::AlreadyExists, "every temporary name next to it is taken"))
    }

    /// The temporary path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Gives a file its final name. An existing file is replaced if `may_replace` is true, but never a link or a
    /// device.
    ///
    /// # Errors
    ///
    /// Something exists at `target` that must not be replaced.
    pub fn publish_file(self, target: &Path, may_replace: bool) -> io::Result<()> {
        publish(&self.path, target, may_replace)
    }

    /// Gives the final name to another complete file, at `path` in the folder of `target`, and removes this one.
    ///
    /// # Errors
    ///
    /// As for [`publish_file`](Self::publish_file).
    pub(crate) fn publish_instead(self, path: &Path, target: &Path, may_replace: bool) -> io::Result<()> {
        publish(path, target, may_replace)?;
        if fs::symlink_metadata(path).is_ok() { fs::remove_file(path) } else { Ok(()) }
    }

    /// Gives a folder its final name. Only an empty folder is replaced.
    ///
    /// # Errors
    ///
    /// Something else exists at `target`.
    pub fn publish_folder(self, target: &Path) -> io::Result<()> {
        fs::rename(&self.path, target)
    }

    /// Replaces the folder at `target` by this one, and removes the old folder if possible. Before the removal,
    /// `rescue` is called with the path of the old folder. If the process is killed between the two renames, both
    /// folders remain, and the next run gives this one its final name.
    pub fn replace(self, target: &Path, rescue: impl Fn(&Path) -> io::Result<()>) -> io::Result<()> {
        let replaced = stale_files::with_word(&self.path, REPLACED);
        if fs::symlink_metadata(&replaced).is_ok() {
            return Err(io::Error::new(
                ErrorKind::AlreadyExists,
                format!("the folder cannot be replaced, because {} exists", replaced.display()),
            ));
        }
        // A second Ctrl-C waits until a folder of that name exists again.
        let waits = present();
        fs::rename(target, &replaced)?;
        let renamed = fs::rename(&self.path, target);
        if renamed.is_err() {
            fs::rename(&replaced, target)?;
        }
        drop(waits);
        renamed?;
        rescue(&replaced)?;
        remove(&replaced);
        Ok(())
    }
}

fn publish(path: &Path, target: &Path, may_replace: bool) -> io::Result<()> {
    let there = fs::symlink_metadata(target);
    match &there {
        Ok(metadata) if may_replace && metadata.is_file() => {
            fs::set_permissions(path, metadata.permissions())?;
            return fs::rename(path, target);
        }
        Ok(_) => return Err(io::Error::new(ErrorKind::AlreadyExists, TAKEN)),
        Err(error) if error.kind() != ErrorKind::NotFound => {
            return Err(io::Error::new(error.kind(), error.to_string()));
        }
        Err(_) => {}
    }
    // Unlike a rename, a hard link fails if the name was taken meanwhile.
    match fs::hard_link(path, target) {
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {
            Err(io::Error::new(ErrorKind::AlreadyExists, TAKEN))
        }
        Err(_) if fs::symlink_metadata(target).is_err() => fs::rename(path, target),
        linked => linked,
    }
}

const TAKEN: &str = "something else has taken its name";

impl Drop for Unfinished {
    fn drop(&mut self) {
        let mut present = present();
        // The lock must last as long as the file exists.
        remove(&self.path);
        self.held = None;
        present.remove(&self.path);
    }
}

/// Removes all unfinished files and folders of this process. Call this before an exit that drops no values.
pub fn remove_all() {
    present().iter().for_each(|path| remove(path));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_is_beside_the_target_and_keeps_the_extension() {
        let place = tempfile::tempdir().unwrap();
        let (unfinished, _) = Unfinished::file(&place.path().join("run.jsonl.gz")).unwrap();
        let name = unfinished.path().file_name().unwrap().to_str().unwrap().to_owned();
        assert_eq!(unfinished.path().parent(), Some(place.path()));
        assert!(name.starts_with(".run.jsonl.unfinished-") && name.ends_with(".gz"), "{name}");
    }

    #[test]
    fn an_unpublished_file_is_removed() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("x.txt");
        let made = || {
            let (unfinished, _) = Unfinished::file(&target).unwrap();
            fs::write(unfinished.path(), "x").unwrap();
            unfinished
        };
        drop(made());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
        made().publish_file(&target, false).unwrap();
        assert_eq!(fs::read_to_string(&target).unwrap(), "x");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        // A second file does not get the name if it may not replace.
        assert!(made().publish_file(&target, false).is_err());
        made().publish_file(&target, true).unwrap();
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    /// Regression: a temporary name that was a foreign link was written through.
    #[test]
    #[cfg(unix)]
    fn a_taken_temporary_name_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("x.txt");
        let taken = stale_files::beside(&target, 0);
        let victim = folder.path().join("victim");
        fs::write(&victim, "mine").unwrap();
        std::os::unix::fs::symlink(&victim, &taken).unwrap();
        let (unfinished, _) = Unfinished::file(&target).unwrap();
        fs::write(unfinished.path(), "x").unwrap();
        unfinished.publish_file(&target, false).unwrap();
        assert_eq!(fs::read_to_string(&victim).unwrap(), "mine");
        assert!(taken.is_symlink());
    }

    #[test]
    #[cfg(unix)]
    fn a_name_is_written_once_at_a_time() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("out");
        let first = Unfinished::folder(&target).unwrap();
        assert_eq!(Unfinished::file(&target).unwrap_err().kind(), ErrorKind::ResourceBusy);
        Unfinished::folder(&folder.path().join("other")).unwrap();
        drop(first);
        Unfinished::folder(&target).unwrap();
    }

    #[test]
    fn a_folder_takes_the_place_of_another_or_leaves_it() {
        let place = tempfile::tempdir().unwrap();
        let target = place.path().join("out");
        fs::create_dir(&target).unwrap();
        fs::write(target.join("old"), "").unwrap();
        let nothing = |_: &Path| Ok(());
        // The new folder is missing, so the old one is restored.
        let gone = Unfinished::folder(&target).unwrap();
        fs::remove_dir(gone.path()).unwrap();
        assert!(gone.replace(&target, nothing).is_err());
        assert!(target.join("old").exists());
        let made = Unfinished::folder(&target).unwrap();
        fs::write(made.path().join("new"), "").unwrap();
        made.replace(&target, nothing).unwrap();
        assert!(target.join("new").exists() && !target.join("old").exists());
        assert_eq!(fs::read_dir(place.path()).unwrap().count(), 1);
    }
}
