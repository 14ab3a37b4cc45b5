//! 128-bit digests of configurations, the same on every platform and for every version of the standard library's
//! collections: every integer goes in as 8 little-endian bytes or fewer of stated width, lengths as 64 bits.

use std::fmt;
use std::hash::{Hash, Hasher};

use xxhash_rust::xxh3::Xxh3Default;

/// A 128-bit digest (XXH3). Two different configurations have the same digest with probability about 2^-128; it is
/// not meant to resist somebody who looks for a collision.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Digest(pub u128);

impl Digest {
    /// The digest of one value.
    #[must_use]
    pub fn of<T: Hash + ?Sized>(value: &T) -> Self {
        let mut writer = DigestWriter::new();
        value.hash(&mut writer);
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

/// Takes values by their [`Hash`] implementation and ends in a [`Digest`].
pub struct DigestWriter(Box<Xxh3Default>);

impl DigestWriter {
    /// An empty digest.
    #[must_use]
    pub fn new() -> Self {
        Self(Box::default())
    }

    /// The digest of everything written.
    #[must_use]
    pub fn digest(&self) -> Digest {
        Digest(self.0.digest128())
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
        self.0.digest()
    }
    fn write(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }
    fn write_u8(&mut self, value: u8) {
        self.write(&[value]);
    }
    fn write_u16(&mut self, value: u16) {
        self.write(&value.to_le_bytes());
    }
    fn write_u32(&mut self, value: u32) {
        self.write(&value.to_le_bytes());
    }
    fn write_u64(&mut self, value: u64) {
        self.write(&value.to_le_bytes());
    }
    fn write_u128(&mut self, value: u128) {
        self.write(&value.to_le_bytes());
    }
    fn write_usize(&mut self, value: usize) {
        self.write_u64(value as u64);
    }
    fn write_i8(&mut self, value: i8) {
        self.write(&value.to_le_bytes());
    }
    fn write_i16(&mut self, value: i16) {
        self.write(&value.to_le_bytes());
    }
    fn write_i32(&mut self, value: i32) {
        self.write(&value.to_le_bytes());
    }
    fn write_i64(&mut self, value: i64) {
        self.write(&value.to_le_bytes());
    }
    fn write_i128(&mut self, value: i128) {
        self.write(&value.to_le_bytes());
    }
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
}
