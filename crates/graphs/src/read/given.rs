//! Files on the web page, which has no file system: the page provides the files that a scenario names.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

static GIVEN: Mutex<BTreeMap<PathBuf, Arc<[u8]>>> = Mutex::new(BTreeMap::new());

/// Sets the bytes of the file at this path, which [`open`](super::open) then reads. On the web page only.
pub fn give(path: &Path, bytes: &[u8]) {
    GIVEN.lock().unwrap_or_else(PoisonError::into_inner).insert(path.to_owned(), bytes.into());
}

/// The bytes provided for this path, if any.
pub(super) fn bytes(path: &Path) -> Option<Arc<[u8]>> {
    GIVEN.lock().unwrap_or_else(PoisonError::into_inner).get(path).cloned()
}
