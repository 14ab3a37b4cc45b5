//! Output files: the rules for every file that the command or the Python package writes.
//!
//! A run changes only its own output. It follows no links, and never replaces a complete file by an incomplete one.
//!
//! | exists at the path | behaviour |
//! |---|---|
//! | nothing | the file gets its name when it is complete, unless the name was taken meanwhile |
//! | a file | likewise; it is replaced as a whole if the caller replaces files, and keeps its permissions |
//! | a folder, a link, a disk, a socket | refused, since the target of a link may be anything |
//! | a pipe or a terminal | refused, except by [`OutputFile::or_stream`], which writes into it directly |
//!
//! ```
//! use acrasin_output::OutputFile;
//!
//! let place = tempfile::tempdir()?;
//! let target = place.path().join("rows.csv");
//! OutputFile::new(&target, true)?.write(b"run\n0\n")?;
//! assert_eq!(std::fs::read_to_string(&target)?, "run\n0\n");
//! // An existing file is replaced only on request.
//! assert!(OutputFile::new(&target, false).is_err());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | module | contents |
//! |---|---|
//! | [`mod@file`] | [`OutputFile`], and the metadata of an output path |
//! | [`generations`] | a checkpoint file and the one before it |
//! | [`unfinished`] | files and folders under a temporary name |
//! | [`stale_files`] | removal of the files of killed processes |
//! | [`error`] | errors of writing a file |

pub mod error;
pub mod file;
pub mod generations;
pub mod stale_files;
pub mod unfinished;

pub use error::OutputError;
pub use file::{OutputFile, is_stream, standing};
pub use generations::{Generation, Generations, newest_generation};
pub use unfinished::Unfinished;
