//! Where results go: one rule for every file that the command or the Python package writes.
//!
//! Nothing but what a run writes is touched, no link is followed, and nothing complete is replaced by something incomplete.
//!
//! | at the path stands | so |
//! |---|---|
//! | nothing | the file gets its name when it is complete, unless something else has taken the name by then |
//! | a file | the same; it is replaced as a whole where the caller replaces files, and keeps its permissions |
//! | a folder, a link, a disk, a socket | refused: what a link leads to may be anything |
//! | a pipe or a terminal | refused, but for [`OutputFile::or_stream`], which writes into it as it is |
//!
//! ```
//! use acrasin_output::OutputFile;
//!
//! let place = tempfile::tempdir()?;
//! let target = place.path().join("rows.csv");
//! OutputFile::new(&target, true)?.write(b"run\n0\n")?;
//! assert_eq!(std::fs::read_to_string(&target)?, "run\n0\n");
//! // What is there is replaced only where that is asked for.
//! assert!(OutputFile::new(&target, false).is_err());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | module | what it holds |
//! |---|---|
//! | [`mod@file`] | [`OutputFile`], and what stands at a path |
//! | [`unfinished`] | files and folders under a temporary name |
//! | [`stale_files`] | what a killed process could not remove |
//! | [`error`] | why a file cannot be written |

pub mod error;
pub mod file;
pub mod stale_files;
pub mod unfinished;

pub use error::OutputError;
pub use file::{OutputFile, is_stream, standing};
pub use unfinished::Unfinished;
