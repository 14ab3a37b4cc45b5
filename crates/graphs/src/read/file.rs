//! The bytes of a file within the size limit, decompressed if they are gzip.

#[cfg(not(target_family = "wasm"))]
use std::fs::{self, File, FileType};
use std::io::{self, ErrorKind, Read};
use std::path::Path;

use flate2::read::MultiGzDecoder;

use super::ReadError;
use crate::limits::{TEXT_BYTES_MAX, unpacked_bytes_max};

const GZIP_MAGIC: [u8; 2] = [0x1f, 0x8b];

/// Opens a regular file, or a link to one, for reading. This program opens all its input files here.
///
/// # Errors
///
/// The errors of the file system, in plain words. A folder is [`ErrorKind::IsADirectory`]. A pipe, a device or a
/// socket, where reading could block indefinitely, is [`ErrorKind::InvalidInput`]. None of these is opened.
///
/// ```
/// let error = acrasin_graphs::read::open(".".as_ref()).unwrap_err();
/// assert_eq!(error.kind(), std::io::ErrorKind::IsADirectory);
/// ```
///
/// On the web page there is no file system: the bytes that the page provided for this path are read.
#[cfg(not(target_family = "wasm"))]
pub fn open(path: &Path) -> io::Result<File> {
    let plain = |error: io::Error| in_plain_words(&error, path);
    let kind = fs::metadata(path).map_err(plain)?.file_type();
    if kind.is_file() {
        return File::open(path).map_err(plain);
    }
    if kind.is_dir() {
        return Err(io::Error::new(ErrorKind::IsADirectory, "is a folder, not a file"));
    }
    let problem = format!("is {}: only regular files are read", word(kind));
    Err(io::Error::new(ErrorKind::InvalidInput, problem))
}

/// Replaces the text of the operating system, which differs from system to system, by plain words.
#[cfg(not(target_family = "wasm"))]
fn in_plain_words(error: &io::Error, path: &Path) -> io::Error {
    let words = match error.kind() {
        ErrorKind::NotFound | ErrorKind::InvalidInput if path.as_os_str().is_empty() => "the path is empty",
        ErrorKind::NotFound => "no such file",
        ErrorKind::NotADirectory => "a part of its path is a file, not a folder",
        ErrorKind::PermissionDenied => "no permission to read it",
        _ => return io::Error::new(error.kind(), without_number(&error.to_string())),
    };
    io::Error::new(error.kind(), words)
}

#[cfg(not(target_family = "wasm"))]
fn without_number(words: &str) -> String {
    words.split(" (os error ").next().unwrap_or(words).to_lowercase()
}

/// On the web page: opens the bytes that the page provided for this path.
///
/// # Errors
///
/// [`ErrorKind::NotFound`] if the page provided none.
#[cfg(target_family = "wasm")]
pub fn open(path: &Path) -> io::Result<io::Cursor<std::sync::Arc<[u8]>>> {
    super::given::bytes(path)
        .map(io::Cursor::new)
        .ok_or_else(|| io::Error::new(ErrorKind::NotFound, "no such file"))
}

#[cfg(unix)]
fn word(kind: FileType) -> &'static str {
    use std::os::unix::fs::FileTypeExt as _;
    if kind.is_fifo() {
        "a pipe"
    } else if kind.is_socket() {
        "a socket"
    } else {
        "a device"
    }
}

#[cfg(not(any(unix, target_family = "wasm")))]
fn word(_: FileType) -> &'static str {
    "a pipe or a device"
}

/// The bytes of the file at `path`. A file with the gzip signature is decompressed, whatever its name.
pub(crate) fn bytes_of(path: &Path) -> Result<Vec<u8>, ReadError> {
    let file = path.display().to_string();
    let fault = |problem: String| ReadError::of_file(&file, problem, "a readable file, plain or gzip");
    let opened = open(path).map_err(|error| fault(error.to_string()))?;
    let bytes = at_most(opened, TEXT_BYTES_MAX, &file)?;
    if bytes.starts_with(&GZIP_MAGIC) {
        return at_most(MultiGzDecoder::new(&bytes[..]), unpacked_bytes_max(bytes.len() as u64), &file);
    }
    if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("gz")) {
        return Err(fault("is named .gz but is not gzip data".to_owned()));
    }
    Ok(bytes)
}

/// All bytes of `source`, if they are at most `limit`.
fn at_most(source: impl Read, limit: u64, file: &str) -> Result<Vec<u8>, ReadError> {
    let mut bytes = Vec::new();
    source.take(limit + 1).read_to_end(&mut bytes).map_err(|error| {
        let problem = match error.kind() {
            ErrorKind::UnexpectedEof => "cannot be read to its end: the gzip data is cut off".to_owned(),
            // The decoder reports damage by either kind.
            ErrorKind::InvalidInput | ErrorKind::InvalidData => {
                "cannot be read to its end: the gzip data is damaged".to_owned()
            }
            _ => format!("cannot be read to its end: {error}"),
        };
        ReadError::of_file(file, problem, "a complete file, plain or gzip")
    })?;
    if bytes.len() as u64 > limit {
        let problem = format!("holds more than {limit} bytes (after decompression)");
        return Err(ReadError::of_file(file, problem, format!("up to {limit} bytes of text")));
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use flate2::Compression;
    use flate2::write::GzEncoder;

    use super::*;

    fn gzip(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    #[test]
    fn exactly_the_limit_and_one_byte_more() {
        let bomb = gzip(&vec![b' '; 100_000]);
        assert!(bomb.len() < 300);
        let unpack = |limit| at_most(MultiGzDecoder::new(&bomb[..]), limit, "bomb.gz");
        assert_eq!(unpack(100_000).unwrap().len(), 100_000);
        let error = unpack(99_999).unwrap_err();
        assert_eq!(
            error.to_string(),
            "bomb.gz: holds more than 99999 bytes (after decompression); accepted: up to 99999 bytes of text"
        );
    }

    /// A file of 700 kB used to fill 512 MiB before it was refused.
    #[test]
    fn a_small_file_does_not_unpack_to_a_large_text() {
        let limit = |compressed| unpacked_bytes_max(compressed);
        assert_eq!([limit(0), limit(1), limit(1 << 40)], [1 << 25, (1 << 25) + 50, TEXT_BYTES_MAX]);
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("bomb.txt.gz");
        let bomb = gzip(&vec![b' '; 36 << 20]);
        fs::write(&path, &bomb).unwrap();
        let most = limit(bomb.len() as u64);
        let error = bytes_of(&path).unwrap_err();
        assert_eq!(error.problem(), format!("holds more than {most} bytes (after decompression)"));
    }

    #[test]
    fn plain_compressed_and_several_members() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, bytes: &[u8]| {
            let path = folder.path().join(name);
            fs::write(&path, bytes).unwrap();
            path
        };
        assert_eq!(bytes_of(&write("a.txt", b"1 2\n")).unwrap(), b"1 2\n");
        assert_eq!(bytes_of(&write("a.txt.gz", &gzip(b"1 2\n"))).unwrap(), b"1 2\n");
        assert_eq!(bytes_of(&write("unnamed", &gzip(b"1 2\n"))).unwrap(), b"1 2\n");
        let two = [gzip(b"1 2\n"), gzip(b"2 3\n")].concat();
        assert_eq!(bytes_of(&write("two.gz", &two)).unwrap(), b"1 2\n2 3\n");
    }

    #[test]
    fn what_cannot_be_read() {
        let folder = tempfile::tempdir().unwrap();
        let problem = |path: &Path| bytes_of(path).unwrap_err().problem().to_owned();
        assert_eq!(problem(folder.path()), "is a folder, not a file");
        assert_eq!(problem(&folder.path().join("absent.txt")), "no such file");
        let cut = folder.path().join("cut.gz");
        let whole = gzip(b"1 2\n2 3\n");
        fs::write(&cut, &whole[..whole.len() - 6]).unwrap();
        assert!(problem(&cut).starts_with("cannot be read to its end"), "{}", problem(&cut));
        let false_name = folder.path().join("plain.gz");
        fs::write(&false_name, "1 2\n").unwrap();
        assert_eq!(problem(&false_name), "is named .gz but is not gzip data");
    }
}
