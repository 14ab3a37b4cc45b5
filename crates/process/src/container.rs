//! [`CheckpointParts`]: the bytes of a checkpoint as named parts with checksums.
//!
//! ```text
//! head, 36 bytes   magic, version, number of parts, length of the list, length of all, checksum of the head
//! list of parts    for each part: length of the name, name, length, checksum; then the checksum of the list
//! parts            one after the other
//! ```
//!
//! Numbers are little-endian, checksums are XXH3 with 64 bits. The reader stops at the stated length, and never
//! allocates more than the length of the file.

use std::fmt;
use std::io::{self, Read};

use xxhash_rust::xxh3::xxh3_64;

const MAGIC: [u8; 8] = *b"ACRASIN\x1a";

/// The version of this layout; increased with every change.
const VERSION: u32 = 1;

/// The length of the head in bytes, without the list of parts.
const HEAD: usize = 36;

/// The maximum number of parts. A checkpoint of a run has three.
const PARTS_MAX: usize = 64;

/// The size of a checksum, and of the field with the length of a part, in bytes.
const NUMBER: usize = 8;

/// The named parts of a checkpoint. Each has a checksum, so that damage is found before anything is used.
///
/// ```
/// use acrasin_process::CheckpointParts;
///
/// let mut parts = CheckpointParts::default();
/// parts.push("process", vec![1, 2, 3]);
/// let mut bytes = parts.to_bytes();
/// let read = CheckpointParts::read(&mut &bytes[..], bytes.len() as u64)?;
/// assert_eq!(read.part("process"), Some(&[1, 2, 3][..]));
/// *bytes.last_mut().unwrap() ^= 1;
/// let error = CheckpointParts::read(&mut &bytes[..], bytes.len() as u64).unwrap_err();
/// assert_eq!(error.to_string(), "its part `process` is damaged (the checksum differs)");
/// # Ok::<(), acrasin_process::CheckpointError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct CheckpointParts(Vec<(String, Vec<u8>)>);

impl CheckpointParts {
    /// Adds a part with this name.
    ///
    /// # Panics
    ///
    /// There are 64 parts, the name has more than 255 bytes, or a part of this name exists.
    pub fn push(&mut self, name: &str, bytes: Vec<u8>) {
        assert!(self.0.len() < PARTS_MAX && name.len() <= u8::MAX.into() && self.part(name).is_none());
        self.0.push((name.to_owned(), bytes));
    }

    /// The bytes of the part with this name, if there is one.
    #[must_use]
    pub fn part(&self, name: &str) -> Option<&[u8]> {
        self.0.iter().find(|(other, _)| other == name).map(|(_, bytes)| &bytes[..])
    }

    /// Removes and returns the bytes of the part with this name, if there is one.
    pub fn take(&mut self, name: &str) -> Option<Vec<u8>> {
        let at = self.0.iter().position(|(other, _)| other == name)?;
        Some(self.0.remove(at).1)
    }

    /// The head with the list of parts. A file has it first, then [each part](Self::bodies).
    #[must_use]
    pub fn head(&self) -> Vec<u8> {
        let mut list = Vec::new();
        for (name, bytes) in &self.0 {
            list.push(name.len() as u8);
            list.extend(name.as_bytes());
            list.extend((bytes.len() as u64).to_le_bytes());
            list.extend(xxh3_64(bytes).to_le_bytes());
        }
        list.extend(xxh3_64(&list).to_le_bytes());
        let bodies: usize = self.0.iter().map(|(_, bytes)| bytes.len()).sum();
        let mut head = MAGIC.to_vec();
        head.extend(VERSION.to_le_bytes());
        head.extend((self.0.len() as u32).to_le_bytes());
        head.extend((list.len() as u32).to_le_bytes());
        head.extend(((HEAD + list.len() + bodies) as u64).to_le_bytes());
        head.extend(xxh3_64(&head).to_le_bytes());
        head.extend(list);
        head
    }

    /// The bytes of the parts, in their order.
    pub fn bodies(&self) -> impl Iterator<Item = &[u8]> {
        self.0.iter().map(|(_, bytes)| &bytes[..])
    }

    /// The whole checkpoint: the head, then the parts.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = self.head();
        self.bodies().for_each(|body| bytes.extend(body));
        bytes
    }

    /// Whether `beginning` is that of a checkpoint, damaged or not.
    #[must_use]
    pub fn are_begun_by(beginning: &[u8]) -> bool {
        beginning.starts_with(&MAGIC)
    }

    /// Reads a checkpoint of this length. Memory: at most `length` bytes besides the result.
    ///
    /// # Errors
    ///
    /// The bytes are not a checkpoint, are damaged or incomplete, or cannot be read.
    pub fn read(bytes: &mut dyn Read, length: u64) -> Result<Self, CheckpointError> {
        let head = read_exact(bytes, length.min(HEAD as u64), length)?;
        let is_cut_magic = !head.is_empty() && MAGIC.starts_with(&head);
        if !is_cut_magic && !Self::are_begun_by(&head) {
            return Err(CheckpointError::NotACheckpoint);
        }
        if head.len() < HEAD {
            return Err(CheckpointError::Cut { length, expected: None });
        }
        let number = |at: usize| u32::from_le_bytes(head[at..at + 4].try_into().expect("4 bytes"));
        let total = wide(&head[20..28]);
        if xxh3_64(&head[..HEAD - NUMBER]) != wide(&head[HEAD - NUMBER..]) {
            return Err(CheckpointError::Head);
        }
        if number(8) != VERSION {
            return Err(CheckpointError::Version(number(8)));
        }
        if length < total {
            return Err(CheckpointError::Cut { length, expected: Some(total) });
        }
        if length > total {
            return Err(CheckpointError::Longer { length, expected: total });
        }
        let (count, list_length) = (number(12) as usize, u64::from(number(16)));
        let rest = total - HEAD as u64;
        if count > PARTS_MAX || list_length < NUMBER as u64 || list_length > rest {
            return Err(CheckpointError::Head);
        }
        let list = read_exact(bytes, list_length, length)?;
        let (list, checksum) = list.split_at(list.len() - NUMBER);
        if xxh3_64(list) != wide(checksum) {
            return Err(CheckpointError::List);
        }
        let parts = listed(list, count).ok_or(CheckpointError::List)?;
        let lengths = parts.iter().try_fold(0_u64, |sum, part| sum.checked_add(part.length));
        if lengths != Some(rest - list_length) {
            return Err(CheckpointError::List);
        }
        let mut read = Self::default();
        for ListedPart { name, length: of_part, checksum } in parts {
            if read.part(name).is_some() {
                return Err(CheckpointError::List);
            }
            let body = read_exact(bytes, of_part, length)?;
            if xxh3_64(&body) != checksum {
                return Err(CheckpointError::Part(name.to_owned()));
            }
            read.0.push((name.to_owned(), body));
        }
        Ok(read)
    }
}

/// A part in the list of parts.
struct ListedPart<'a> {
    name: &'a str,
    length: u64,
    checksum: u64,
}

/// Parses the list of parts. `None` if it is not a list of exactly `count` parts.
fn listed(mut list: &[u8], count: usize) -> Option<Vec<ListedPart<'_>>> {
    let mut parts = Vec::new();
    for _ in 0..count {
        let (&length, rest) = list.split_first()?;
        let (name, rest) = rest.split_at_checked(length.into())?;
        let (length, rest) = rest.split_at_checked(NUMBER)?;
        let (checksum, rest) = rest.split_at_checked(NUMBER)?;
        let name = std::str::from_utf8(name).ok()?;
        parts.push(ListedPart { name, length: wide(length), checksum: wide(checksum) });
        list = rest;
    }
    list.is_empty().then_some(parts)
}

fn wide(bytes: &[u8]) -> u64 {
    u64::from_le_bytes(bytes.try_into().expect("8 bytes"))
}

/// Reads `count` bytes of a file with this length.
fn read_exact(bytes: &mut dyn Read, count: u64, length: u64) -> Result<Vec<u8>, CheckpointError> {
    let mut read = Vec::new();
    let reserved = usize::try_from(count).ok().and_then(|count| read.try_reserve_exact(count).ok());
    reserved.ok_or(CheckpointError::Memory(count))?;
    match bytes.take(count).read_to_end(&mut read) {
        Ok(found) if found as u64 == count => Ok(read),
        Ok(_) => Err(CheckpointError::Cut { length, expected: None }),
        Err(error) => Err(CheckpointError::Unreadable(error)),
    }
}

/// Reasons why bytes are not a usable checkpoint. The message continues a sentence that begins with the name of the
/// file.
#[derive(Debug)]
#[non_exhaustive]
pub enum CheckpointError {
    /// The bytes do not start with the signature of a checkpoint.
    NotACheckpoint,
    /// The layout has another version.
    Version(u32),
    /// Bytes are missing at the end.
    Cut {
        /// The number of bytes.
        length: u64,
        /// The number of bytes that were written, if it can be read.
        expected: Option<u64>,
    },
    /// Bytes follow the end.
    Longer {
        /// The number of bytes.
        length: u64,
        /// The number of bytes that were written.
        expected: u64,
    },
    /// The head is damaged.
    Head,
    /// The list of parts is damaged.
    List,
    /// The part with this name is damaged.
    Part(String),
    /// A part of this many bytes does not fit into memory.
    Memory(u64),
    /// Reading the bytes failed.
    Unreadable(io::Error),
}

impl fmt::Display for CheckpointError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotACheckpoint => f.write_str("it is not a checkpoint of acrasin"),
            Self::Version(version) => {
                write!(f, "it has version {version} of the checkpoint format (accepted: {VERSION})")
            }
            Self::Cut { length, expected: Some(expected) } => {
                write!(f, "it is cut off: {length} of {expected} bytes are present")
            }
            Self::Cut { length, expected: None } => write!(f, "it is cut after {length} bytes"),
            Self::Longer { length, expected } => {
                write!(f, "it has {length} bytes, and only {expected} were written")
            }
            Self::Head => write!(f, "its first {HEAD} bytes are damaged (the checksum differs)"),
            Self::List => f.write_str("its list of parts is damaged (the checksum differs)"),
            Self::Part(name) => write!(f, "its part `{name}` is damaged (the checksum differs)"),
            Self::Memory(bytes) => write!(f, "its part of {bytes} bytes does not fit into memory"),
            Self::Unreadable(error) => write!(f, "it cannot be read: {error}"),
        }
    }
}

impl std::error::Error for CheckpointError {}

#[cfg(test)]
mod tests {
    use super::*;

    fn small() -> CheckpointParts {
        let mut parts = CheckpointParts::default();
        parts.push("run", b"{\"seed\":1}".to_vec());
        parts.push("driver", Vec::new());
        parts.push("process", (0..=255).collect());
        parts
    }

    fn read(bytes: &[u8]) -> Result<CheckpointParts, CheckpointError> {
        CheckpointParts::read(&mut &bytes[..], bytes.len() as u64)
    }

    #[test]
    fn parts_are_read_as_they_were_written() {
        for parts in [small(), CheckpointParts::default()] {
            assert_eq!(read(&parts.to_bytes()).unwrap(), parts);
        }
        let mut parts = small();
        assert_eq!(parts.take("driver"), Some(Vec::new()));
        assert_eq!((parts.take("driver"), parts.part("run").unwrap().len()), (None, 10));
    }

    #[test]
    fn every_flipped_bit_is_found() {
        let bytes = small().to_bytes();
        let mut said = std::collections::BTreeMap::new();
        for bit in 0..8 * bytes.len() {
            let mut flipped = bytes.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            let sentence = read(&flipped).expect_err("a flipped bit").to_string();
            *said.entry(sentence).or_insert(0_usize) += 1;
        }
        let damaged = |what: &str| said[&format!("{what} (the checksum differs)")];
        let list = bytes.len() - HEAD - 10 - 256;
        assert_eq!(said["it is not a checkpoint of acrasin"], 8 * 8);
        assert_eq!(damaged("its first 36 bytes are damaged"), 8 * (HEAD - 8));
        assert_eq!(damaged("its list of parts is damaged"), 8 * list);
        assert_eq!(damaged("its part `run` is damaged"), 8 * 10);
        assert_eq!(damaged("its part `process` is damaged"), 8 * 256);
        assert_eq!(said.len(), 5);
    }

    #[test]
    fn every_cut_and_every_addition_is_found() {
        let bytes = small().to_bytes();
        for length in 0..bytes.len() {
            let sentence = read(&bytes[..length]).expect_err("a cut file").to_string();
            let expected = match length {
                0 => "it is not a checkpoint of acrasin".to_owned(),
                1..HEAD => format!("it is cut after {length} bytes"),
                _ => format!("it is cut off: {length} of {} bytes are present", bytes.len()),
            };
            assert_eq!(sentence, expected);
        }
        let longer = [&bytes[..], &[0]].concat();
        let expected = format!("it has {} bytes, and only {} were written", longer.len(), bytes.len());
        assert_eq!(read(&longer).unwrap_err().to_string(), expected);
    }

    /// A file that claims more than it has is refused before memory is reserved.
    #[test]
    fn lengths_beyond_the_file_are_refused() {
        let sealed = |change: &dyn Fn(&mut Vec<u8>)| {
            let mut bytes = small().to_bytes();
            change(&mut bytes);
            let checksum = xxh3_64(&bytes[..HEAD - NUMBER]);
            bytes[HEAD - NUMBER..HEAD].copy_from_slice(&checksum.to_le_bytes());
            read(&bytes).expect_err("a length that is not that of the file").to_string()
        };
        let total = |total: u64| {
            sealed(&move |bytes: &mut Vec<u8>| bytes[20..28].copy_from_slice(&total.to_le_bytes()))
        };
        assert!(total(u64::MAX).contains("cut"));
        assert!(total(0).contains(" 0 "));
        let list = |length: u32| {
            sealed(&move |bytes: &mut Vec<u8>| bytes[16..20].copy_from_slice(&length.to_le_bytes()))
        };
        assert!([0, 7, u32::MAX].iter().all(|&length| list(length).contains("first 36 bytes")));
        assert!(list(8).contains("list of parts"));
        let version = sealed(&|bytes: &mut Vec<u8>| bytes[8] = 2);
        assert_eq!(version, "it has version 2 of the checkpoint format (accepted: 1)");
        // A part as long as the address space, with a right checksum of the list.
        let mut bytes = small().to_bytes();
        let list_end = bytes.len() - 10 - 256 - NUMBER;
        bytes[HEAD + 4..HEAD + 12].copy_from_slice(&u64::MAX.to_le_bytes());
        let checksum = xxh3_64(&bytes[HEAD..list_end]);
        bytes[list_end..list_end + NUMBER].copy_from_slice(&checksum.to_le_bytes());
        assert!(read(&bytes).unwrap_err().to_string().starts_with("its list of parts"));
    }

    #[test]
    fn a_file_that_shrinks_while_it_is_read_is_cut() {
        let bytes = small().to_bytes();
        let error = CheckpointParts::read(&mut &bytes[..bytes.len() - 1], bytes.len() as u64).unwrap_err();
        assert!(matches!(error, CheckpointError::Cut { .. }), "{error}");
    }
}
