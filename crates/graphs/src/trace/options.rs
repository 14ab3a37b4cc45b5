//! How contact files are read.

use std::num::NonZeroU32;
use std::path::Path;

use super::{Trace, contact_list, intervals};
use crate::read::{ReadError, bytes_of, text_of};

/// How a contact file is read. What is off is an error in the file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TraceOptions {
    /// The length of a step in seconds. In a contact list, a line at time `t` stands for `(t - resolution, t]`.
    pub resolution: NonZeroU32,
    /// Accept lines that are not in the order of time, and sort them.
    pub sort: bool,
    /// Accept records of one pair that overlap or are equal, and unite them.
    pub merge: bool,
    /// Accept contacts of a node with itself, and leave them out.
    pub drop_self_contacts: bool,
}

impl TraceOptions {
    /// Steps of the given length, and nothing accepted that is not in order.
    #[must_use]
    pub fn strict(resolution: NonZeroU32) -> Self {
        Self { resolution, sort: false, merge: false, drop_self_contacts: false }
    }

    /// Strict, with the 20-second steps of the SocioPatterns recordings.
    #[must_use]
    pub fn sociopatterns() -> Self {
        Self::strict(NonZeroU32::new(20).expect("20 > 0"))
    }
}

/// The two forms of contact files.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum TraceFormat {
    /// `t i j`: [`contact_list`].
    ContactList,
    /// `start end i j`: [`intervals`].
    Intervals,
}

/// Reads bytes as a trace; `name` is what errors call the file.
///
/// # Errors
///
/// Refuses an empty file and one that is not UTF-8 text; otherwise as [`contact_list::parse`] and [`intervals::parse`].
pub fn from_bytes(
    bytes: &[u8],
    name: &str,
    format: TraceFormat,
    options: &TraceOptions,
) -> Result<Trace, ReadError> {
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
/// [`TEXT_BYTES_MAX`](crate::limits::TEXT_BYTES_MAX) after decompression; otherwise as [`from_bytes`].
pub fn from_path(path: &Path, format: TraceFormat, options: &TraceOptions) -> Result<Trace, ReadError> {
    from_bytes(&bytes_of(path)?, &path.display().to_string(), format, options)
}
