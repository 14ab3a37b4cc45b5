//! Reads contact files in either format.

use std::path::Path;

use super::{ContactTrace, TraceOptions, contact_list, intervals};
use crate::read::{ReadError, bytes_of, text_of};

/// The two formats of contact files.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum TraceFormat {
    /// `t i j`: [`contact_list`].
    ContactList,
    /// `start end i j`: [`intervals`].
    Intervals,
}

/// Reads bytes as a trace. Errors call the file `name`.
///
/// # Errors
///
/// Refuses an empty file and one that is not UTF-8 text; otherwise as for [`contact_list::parse`] and
/// [`intervals::parse`].
pub fn from_bytes(
    bytes: &[u8],
    name: &str,
    format: TraceFormat,
    options: &TraceOptions,
) -> Result<ContactTrace, ReadError> {
    let text = text_of(bytes, name)?;
    match format {
        TraceFormat::ContactList => contact_list::parse(text, name, options),
        TraceFormat::Intervals => intervals::parse(text, name, options),
    }
}

/// Reads a file, decompressed if it is gzip, as a trace.
///
/// # Errors
///
/// Refuses a file that is missing, a directory, truncated, or larger than
/// [`TEXT_BYTES_MAX`](crate::limits::TEXT_BYTES_MAX) after decompression; otherwise as for [`from_bytes`].
pub fn from_path(
    path: &Path,
    format: TraceFormat,
    options: &TraceOptions,
) -> Result<ContactTrace, ReadError> {
    from_bytes(&bytes_of(path)?, &path.display().to_string(), format, options)
}
