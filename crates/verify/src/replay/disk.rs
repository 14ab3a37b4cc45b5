//! Replay files: plain, or compressed if the name ends in `.gz`.

use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, ErrorKind, Read, Write};
use std::path::Path;

use flate2::Compression;
use flate2::bufread::MultiGzDecoder;
use flate2::write::GzEncoder;

fn is_compressed(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("gz"))
}

/// Opens a file for reading.
///
/// # Errors
///
/// The errors of [`acrasin_graphs::read::open`], which refuses anything but regular files.
pub fn open(path: &Path) -> io::Result<Box<dyn BufRead>> {
    let file = BufReader::new(acrasin_graphs::read::open(path)?);
    if is_compressed(path) {
        Ok(Box::new(BufReader::new(Decompressed(MultiGzDecoder::new(file)))))
    } else {
        Ok(Box::new(file))
    }
}

/// A decompressing reader that rewords errors about damaged files.
struct Decompressed<R>(R);

impl<R: Read> Read for Decompressed<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        self.0.read(into).map_err(|error| {
            let what = match error.kind() {
                ErrorKind::UnexpectedEof => "the file is cut off",
                ErrorKind::InvalidInput | ErrorKind::InvalidData => "this is not gzip data, or it is damaged",
                _ => return error,
            };
            io::Error::new(error.kind(), what)
        })
    }
}

/// A file opened for writing. Call [`Sink::finish`] at the end to write buffered bytes and see errors.
#[derive(Debug)]
pub struct Sink(SinkKind);

#[derive(Debug)]
enum SinkKind {
    Plain(BufWriter<File>),
    Compressed(GzipBlocks<GzEncoder<BufWriter<File>>>),
}

/// The size of the blocks that are passed to the encoder, in bytes.
const BLOCK: usize = 1 << 16;

/// Passes bytes on to `inner` in blocks of fixed length. Compressed bytes depend on how the encoder's input is divided;
/// with blocks they do not depend on the sizes of the caller's writes.
#[derive(Debug)]
struct GzipBlocks<W> {
    block: Vec<u8>,
    inner: W,
}

impl<W: Write> GzipBlocks<W> {
    /// Passes on the bytes of the last block, and returns `inner`.
    fn finish(mut self) -> io::Result<W> {
        self.inner.write_all(&self.block)?;
        Ok(self.inner)
    }
}

impl<W: Write> Write for GzipBlocks<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.block.len() == BLOCK {
            self.inner.write_all(&self.block)?;
            self.block.clear();
        }
        let count = bytes.len().min(BLOCK - self.block.len());
        self.block.extend(&bytes[..count]);
        Ok(count)
    }

    /// Does nothing: an incomplete block stays buffered until [`finish`](Self::finish).
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Creates a file, or truncates an existing one.
///
/// # Errors
///
/// The errors of the file system.
pub fn create(path: &Path) -> io::Result<Sink> {
    Ok(sink(File::create(path)?, path))
}

/// Wraps an open file for writing; compressed if `path` ends in `.gz`.
pub fn sink(file: File, path: &Path) -> Sink {
    let file = BufWriter::new(file);
    Sink(if is_compressed(path) {
        let inner = GzEncoder::new(file, Compression::fast());
        SinkKind::Compressed(GzipBlocks { block: Vec::with_capacity(BLOCK), inner })
    } else {
        SinkKind::Plain(file)
    })
}

impl Sink {
    /// Whether the file is compressed.
    #[must_use]
    pub fn is_compressed(&self) -> bool {
        matches!(self.0, SinkKind::Compressed(_))
    }

    /// Writes all buffered bytes.
    ///
    /// # Errors
    ///
    /// The errors of the file system.
    pub fn finish(self) -> io::Result<()> {
        let mut file = match self.0 {
            SinkKind::Plain(file) => file,
            SinkKind::Compressed(blocks) => blocks.finish()?.finish()?,
        };
        file.flush()
    }
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.0 {
            SinkKind::Plain(file) => file.write(bytes),
            SinkKind::Compressed(blocks) => blocks.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.0 {
            SinkKind::Plain(file) => file.flush(),
            SinkKind::Compressed(blocks) => blocks.flush(),
        }
    }
}
