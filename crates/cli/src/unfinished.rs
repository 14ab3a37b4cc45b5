//! Files and folders under a temporary name until they are complete.
//!
//! They are beside their final place, so that the last step is a rename within one file system. Whatever ends the
//! command before (an error, a panic, a second Ctrl-C) removes them; only a kill or a power cut leaves one behind, and
//! the next run that writes there [clears it away](crate::leftovers).

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::leftovers::{self, REPLACED, UNFINISHED, remove};

static PRESENT: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

fn present() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    PRESENT.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A path under a temporary name; what is there is removed when this is dropped.
#[derive(Debug)]
pub(crate) struct Unfinished {
    path: PathBuf,
    /// Open and locked as long as this process works on it.
    held: Option<File>,
}

impl Unfinished {
    /// A name beside `target` with the same extension. Nothing is made yet.
    pub(crate) fn beside(target: &Path) -> Self {
        let path = leftovers::beside(target, UNFINISHED);
        present().insert(path.clone());
        Self { path, held: None }
    }

    /// The temporary name.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Shows every process that what was made here is not abandoned. Where files cannot be locked, or a lock is more than
    /// advice, nothing happens: there, nothing is cleared away.
    pub(crate) fn hold(&mut self) {
        self.held = File::open(&self.path).ok().filter(|_| cfg!(unix));
        let _ = self.held.as_ref().map(File::lock_shared);
    }

    /// Gives it the final name. A file or an empty folder that is there is replaced.
    pub(crate) fn publish(self, target: &Path) -> io::Result<()> {
        fs::rename(&self.path, target)
    }

    /// Gives a folder the name of one that is there, which is then removed, as far as it can be. A kill in between leaves
    /// both, and the next run gives this one its name.
    pub(crate) fn replace(self, target: &Path) -> io::Result<()> {
        let replaced = leftovers::beside(target, REPLACED);
        // A second Ctrl-C waits until there is a folder of that name again.
        let waits = present();
        fs::rename(target, &replaced)?;
        let renamed = fs::rename(&self.path, target);
        if renamed.is_err() {
            fs::rename(&replaced, target)?;
        }
        drop(waits);
        renamed?;
        remove(&replaced);
        Ok(())
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        present().remove(&self.path);
        remove(&self.path);
    }
}

/// Removes whatever has not got its final name, before the program ends at once.
pub(crate) fn remove_all() {
    present().iter().for_each(|path| remove(path));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_is_beside_the_target_and_keeps_the_extension() {
        let unfinished = Unfinished::beside(Path::new("a/run.jsonl.gz"));
        let name = unfinished.path().file_name().unwrap().to_str().unwrap().to_owned();
        assert_eq!(unfinished.path().parent(), Some(Path::new("a")));
        assert!(name.starts_with(".run.jsonl.unfinished-") && name.ends_with(".gz"), "{name}");
    }

    #[test]
    fn what_is_not_published_is_removed() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("x.txt");
        let made = || {
            let unfinished = Unfinished::beside(&target);
            fs::write(unfinished.path(), "x").unwrap();
            unfinished
        };
        drop(made());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
        made().publish(&target).unwrap();
        assert_eq!(fs::read_to_string(&target).unwrap(), "x");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_folder_takes_the_place_of_another_or_leaves_it() {
        let place = tempfile::tempdir().unwrap();
        let target = place.path().join("out");
        fs::create_dir(&target).unwrap();
        fs::write(target.join("old"), "").unwrap();
        // Nothing was made: the old folder is there again.
        assert!(Unfinished::beside(&target).replace(&target).is_err());
        assert!(target.join("old").exists());
        let mut made = Unfinished::beside(&target);
        fs::create_dir(made.path()).unwrap();
        fs::write(made.path().join("new"), "").unwrap();
        made.hold();
        made.replace(&target).unwrap();
        assert!(target.join("new").exists() && !target.join("old").exists());
        assert_eq!(fs::read_dir(place.path()).unwrap().count(), 1);
    }
}
