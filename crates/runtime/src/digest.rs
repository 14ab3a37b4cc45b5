//! 128-bit digests of configurations. They are the same on every platform and with every version of Rust's standard
//! library.
//!
//! Every integer is written in little-endian order, with a fixed width of at most 8 bytes. Lengths have 64 bits.

use std::fmt;
use std::hash::{Hash, Hasher};

use xxhash_rust::xxh3::{Xxh3Default, xxh3_64, xxh3_128};

/// A 128-bit digest (XXH3). Two different configurations have the same digest with probability about 2^-128. It
/// does not resist an attacker who searches for a collision.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Digest(pub u128);

impl Digest {
    /// Computes the digest of one value.
    #[must_use]
    pub fn of<T: Hash + ?Sized>(value: &T) -> Self {
        let mut writer = DigestWriter::new();
        value.hash(&mut writer);
        writer.digest()
    }

    /// The digest of everything that `write` writes.
    #[must_use]
    pub fn written(write: impl FnOnce(&mut DigestWriter)) -> Self {
        let mut writer = DigestWriter::new();
        write(&mut writer);
        writer.digest()
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// Size of the write buffer in bytes. Values arrive a few bytes at a time, and one call of the hash function per value
/// would be slow.
const COLLECTED: usize = 1 << 10;

/// A hasher that reads values through their [`Hash`] implementation and computes a [`Digest`].
#[derive(Clone)]
pub struct DigestWriter {
    collected: [u8; COLLECTED],
    length: usize,
    /// The number of bytes before the buffer.
    flushed: u64,
    /// The hash state after the bytes before the buffer; `None` while all bytes are in the buffer.
    digested: Option<Box<Xxh3Default>>,
}

impl DigestWriter {
    /// Creates an empty writer.
    #[must_use]
    pub fn new() -> Self {
        Self { collected: [0; COLLECTED], length: 0, flushed: 0, digested: None }
    }

    /// The digest of everything written.
    #[must_use]
    pub fn digest(&self) -> Digest {
        Digest(self.whole().map_or_else(|| xxh3_128(self.collected()), |whole| whole.digest128()))
    }

    /// The number of bytes written so far.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.flushed + self.length as u64
    }

    fn collected(&self) -> &[u8] {
        &self.collected[..self.length]
    }

    /// The hash state after all bytes; `None` if all of them are in the buffer.
    fn whole(&self) -> Option<Box<Xxh3Default>> {
        let mut whole = self.digested.clone()?;
        whole.update(self.collected());
        Some(whole)
    }

    /// Flushes the buffer, then writes `bytes`.
    #[inline(never)]
    fn write_past(&mut self, bytes: &[u8]) {
        let digested = self.digested.get_or_insert_default();
        digested.update(&self.collected[..self.length]);
        self.flushed += self.length as u64;
        self.length = 0;
        if bytes.len() >= COLLECTED {
            digested.update(bytes);
            self.flushed += bytes.len() as u64;
        } else {
            self.write(bytes);
        }
    }
}

impl Default for DigestWriter {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for DigestWriter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "DigestWriter({})", self.digest())
    }
}

// The default methods write native byte order and pointer width; these do not.
impl Hasher for DigestWriter {
    fn finish(&self) -> u64 {
        self.whole().map_or_else(|| xxh3_64(self.collected()), |whole| whole.digest())
    }
    #[inline]
    fn write(&mut self, bytes: &[u8]) {
        if let Some(room) = self.collected.get_mut(self.length..self.length + bytes.len()) {
            room.copy_from_slice(bytes);
            self.length += bytes.len();
        } else {
            self.write_past(bytes);
        }
    }
    #[inline]
    fn write_u8(&mut self, value: u8) {
        self.write(&[value]);
    }
    #[inline]
    fn write_u16(&mut self, value: u16) {
        self.write(&value.to_le_bytes());
    }
    #[inline]
    fn write_u32(&mut self, value: u32) {
        self.write(&value.to_le_bytes());
    }
    #[inline]
    fn write_u64(&mut self, value: u64) {
        self.write(&value.to_le_bytes());
    }
    #[inline]
    fn write_u128(&mut self, value: u128) {
        self.write(&value.to_le_bytes());
    }
    #[inline]
    fn write_usize(&mut self, value: usize) {
        self.write_u64(value as u64);
    }
    #[inline]
    fn write_i8(&mut self, value: i8) {
        self.write(&value.to_le_bytes());
    }
    #[inline]
    fn write_i16(&mut self, value: i16) {
        self.write(&value.to_le_bytes());
    }
    #[inline]
    fn write_i32(&mut self, value: i32) {
        self.write(&value.to_le_bytes());
    }
    #[inline]
    fn write_i64(&mut self, value: i64) {
        self.write(&value.to_le_bytes());
    }
    #[inline]
    fn write_i128(&mut self, value: i128) {
        self.write(&value.to_le_bytes());
    }
    #[inline]
    fn write_isize(&mut self, value: isize) {
        self.write_i64(value as i64);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn golden_values() {
        assert_eq!(Digest::of(&()).to_string(), "99aa06d3014798d86001c324468d497f");
        // A fixed value for a fixed input: widths and byte order are part of the contract.
        let digest = Digest::of(&(1_u16, -2_i64, 3_usize, Some(4_u8)));
        assert_eq!(digest, Digest::of(&(1_u16, -2_i64, 3_u64, 1_i64, 4_u8)));
        assert_ne!(digest, Digest::of(&(1_u16, -2_i64, 3_u64, 1_i64, 5_u8)));
    }

    /// Catches a writer that digests too few or too many bytes when its buffer is full.
    #[test]
    fn a_digest_does_not_depend_on_the_pieces_in_which_it_is_written() {
        let bytes: Vec<u8> = (0..4000_u32).map(|byte| (byte * byte / 7) as u8).collect();
        for length in (0..50).chain(1000..1060).chain(2030..2060).chain([3999]) {
            let bytes = &bytes[..length];
            let mut expected = Xxh3Default::new();
            expected.update(bytes);
            for piece in [1, 3, 8, 255, 1023, 1024, 1025, 4000] {
                let mut writer = DigestWriter::new();
                for (number, part) in bytes.chunks(piece).enumerate() {
                    writer.write(part);
                    // Reading the digest in between changes nothing.
                    if number % 5 == 0 {
                        let _ = (writer.digest(), writer.finish());
                    }
                }
                assert_eq!(writer.digest().0, expected.digest128(), "{length} bytes, {piece} at a time");
                assert_eq!(writer.finish(), expected.digest(), "{length} bytes, {piece} at a time");
                assert_eq!(writer.bytes(), length as u64, "{length} bytes, {piece} at a time");
            }
        }
    }
}
