//! Files and folders under a temporary name until they are complete.
//!
//! They are beside their final place, so that the last step is a rename within one file system. Whatever ends the
//! command before (an error, a panic, a second Ctrl-C) removes them; only a kill or a power cut leaves one behind, and
//! its name says what it is.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

static PRESENT: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

fn present() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    PRESENT.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A path under a temporary name; what is there is removed when this is dropped.
#[derive(Debug)]
pub(crate) struct Unfinished {
    path: PathBuf,
}

impl Unfinished {
    /// A name beside `target` with the same extension. Nothing is made yet.
    pub(crate) fn beside(target: &Path) -> Self {
        let mut name = OsString::from(".");
        name.push(target.file_stem().unwrap_or_default());
        name.push(format!(".unfinished-{}", std::process::id()));
        if let Some(extension) = target.extension() {
            name.push(".");
            name.push(extension);
        }
        let path = target.with_file_name(name);
        present().insert(path.clone());
        Self { path }
    }

    /// The temporary name.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Gives it the final name. A file that is there is replaced; a folder must not be there.
    pub(crate) fn publish(self, target: &Path) -> io::Result<()> {
        fs::rename(&self.path, target)
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

/// Errors have nobody to tell: an error that is worth telling has brought us here.
fn remove(path: &Path) {
    let _ = if path.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) };
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
}
