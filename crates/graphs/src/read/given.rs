//! Files where there are none: a page gives what a scenario names.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

static GIVEN: Mutex<BTreeMap<PathBuf, Arc<[u8]>>> = Mutex::new(BTreeMap::new());

/// From now on a file of this path has these bytes: [`open`](super::open) reads them. In pages only.
pub fn give(path: &Path, bytes: &[u8]) {
    GIVEN.lock().unwrap_or_else(PoisonError::into_inner).insert(path.to_owned(), bytes.into());
}

/// What was given under this path.
pub(super) fn bytes(path: &Path) -> Option<Arc<[u8]>> {
    GIVEN.lock().unwrap_or_else(PoisonError::into_inner).get(path).cloned()
}
