//! [`Pack`]: values as short byte strings, and back. Explorations store millions of configurations in this
//! form.
//!
//! Every value has exactly one form, so equal values are equal bytes. A form marks its own end.

use std::fmt;

use crate::port::{Port, PortSet, PortsRef};
use crate::section::Demand;

/// A value with a short form in bytes.
pub trait Pack: Sized {
    /// Appends the value.
    fn pack(&self, into: &mut Vec<u8>);

    /// Takes a value from the front of `from`.
    ///
    /// # Errors
    ///
    /// [`PackError`] if no value begins there. The position of `from` is then unspecified.
    fn unpack(from: &mut &[u8]) -> Result<Self, PackError>;

    /// Replaces this value by the one at the front of `from`, and reuses its buffers.
    ///
    /// # Errors
    ///
    /// [`PackError`] if no value begins there. The value and the position of `from` are then unspecified.
    #[inline]
    fn unpack_into(&mut self, from: &mut &[u8]) -> Result<(), PackError> {
        *self = Self::unpack(from)?;
        Ok(())
    }
}

/// Error: the bytes are not the form of a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PackError;

impl fmt::Display for PackError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the bytes are not a packed value")
    }
}

impl std::error::Error for PackError {}

/// Takes one byte.
#[inline]
pub(crate) fn take_byte(from: &mut &[u8]) -> Result<u8, PackError> {
    let (&byte, rest) = from.split_first().ok_or(PackError)?;
    *from = rest;
    Ok(byte)
}

impl Pack for u8 {
    fn pack(&self, into: &mut Vec<u8>) {
        into.push(*self);
    }
    fn unpack(from: &mut &[u8]) -> Result<Self, PackError> {
        take_byte(from)
    }
}

/// Seven bits a byte, lowest first; the highest bit marks that more bytes follow.
impl Pack for u64 {
    #[inline]
    fn pack(&self, into: &mut Vec<u8>) {
        if *self < 0x80 {
            into.push(*self as u8);
        } else {
            pack_long(*self, into);
        }
    }
    #[inline]
    fn unpack(from: &mut &[u8]) -> Result<Self, PackError> {
        match from.split_first() {
            // Nearly all values are of this kind.
            Some((&byte, rest)) if byte < 0x80 => {
                *from = rest;
                Ok(Self::from(byte))
            }
            _ => unpack_long(from),
        }
    }
}

fn pack_long(mut rest: u64, into: &mut Vec<u8>) {
    while rest >= 0x80 {
        into.push(rest as u8 | 0x80);
        rest >>= 7;
    }
    into.push(rest as u8);
}

fn unpack_long(from: &mut &[u8]) -> Result<u64, PackError> {
    let mut value = 0_u64;
    for shift in (0..u64::BITS).step_by(7) {
        let byte = take_byte(from)?;
        let bits = u64::from(byte & 0x7f);
        // A tenth byte has one bit left, and a last byte of zero would be a second form of the same value.
        if bits << shift >> shift != bits || (byte == 0 && shift > 0) {
            return Err(PackError);
        }
        value |= bits << shift;
        if byte < 0x80 {
            return Ok(value);
        }
    }
    Err(PackError)
}

impl Pack for u32 {
    #[inline]
    fn pack(&self, into: &mut Vec<u8>) {
        u64::from(*self).pack(into);
    }
    #[inline]
    fn unpack(from: &mut &[u8]) -> Result<Self, PackError> {
        Self::try_from(u64::unpack(from)?).map_err(|_| PackError)
    }
}

impl Pack for u16 {
    #[inline]
    fn pack(&self, into: &mut Vec<u8>) {
        u64::from(*self).pack(into);
    }
    #[inline]
    fn unpack(from: &mut &[u8]) -> Result<Self, PackError> {
        Self::try_from(u64::unpack(from)?).map_err(|_| PackError)
    }
}

impl Pack for bool {
    fn pack(&self, into: &mut Vec<u8>) {
        into.push(u8::from(*self));
    }
    fn unpack(from: &mut &[u8]) -> Result<Self, PackError> {
        match take_byte(from)? {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(PackError),
        }
    }
}

impl Pack for Port {
    #[inline]
    fn pack(&self, into: &mut Vec<u8>) {
        self.0.pack(into);
    }
    #[inline]
    fn unpack(from: &mut &[u8]) -> Result<Self, PackError> {
        u16::unpack(from).map(Self)
    }
}

/// One byte while all ports are below 7; the word itself while all are below 62; otherwise the number of words,
/// then the words.
impl PortsRef<'_> {
    /// Appends the set as it is [packed](Pack) on its own.
    #[inline]
    pub(crate) fn pack(self, into: &mut Vec<u8>) {
        if let Some(word) = self.word()
            && word < 1 << 62
        {
            return (word << 1).pack(into);
        }
        match self.trimmed() {
            [] => into.push(0),
            // The word itself, if its two highest bits are free for the shift.
            [word] if *word < 1 << 62 => (word << 1).pack(into),
            words => {
                ((words.len() as u64) << 1 | 1).pack(into);
                words.iter().for_each(|word| into.extend(word.to_le_bytes()));
            }
        }
    }
}

impl Pack for PortSet {
    #[inline]
    fn pack(&self, into: &mut Vec<u8>) {
        self.as_ports().pack(into);
    }

    #[inline]
    fn unpack(from: &mut &[u8]) -> Result<Self, PackError> {
        let head = u64::unpack(from)?;
        if head & 1 == 0 { Ok(Self::of_word(head >> 1)) } else { unpack_words(head, from) }
    }

    #[inline]
    fn unpack_into(&mut self, from: &mut &[u8]) -> Result<(), PackError> {
        match (from.split_first(), self.word_mut()) {
            (Some((&byte, rest)), Some(word)) if byte & 0x81 == 0 => {
                *word = u64::from(byte >> 1);
                *from = rest;
            }
            _ => *self = Self::unpack(from)?,
        }
        Ok(())
    }
}

fn unpack_words(head: u64, from: &mut &[u8]) -> Result<PortSet, PackError> {
    let len = usize::try_from(head >> 1).ok().filter(|&len| len <= 1024).ok_or(PackError)?;
    let (now, rest) = from.split_at_checked(len * 8).ok_or(PackError)?;
    *from = rest;
    let words: Vec<u64> =
        now.chunks_exact(8).map(|word| u64::from_le_bytes(word.try_into().expect("eight bytes"))).collect();
    let long = len > 1 || words.first().is_some_and(|&word| word >= 1 << 62);
    if long && words.last() != Some(&0) { Ok(PortSet::from_words(&words)) } else { Err(PackError) }
}

impl Pack for Demand {
    #[inline]
    fn pack(&self, into: &mut Vec<u8>) {
        match self {
            Self::Forever => 0_u64.pack(into),
            Self::Times(left) => (u64::from(*left) + 1).pack(into),
            Self::Outings(left) => (OUTINGS + u64::from(*left)).pack(into),
        }
    }
    #[inline]
    fn unpack(from: &mut &[u8]) -> Result<Self, PackError> {
        match u64::unpack(from)? {
            0 => Ok(Self::Forever),
            number @ 1..OUTINGS => Ok(Self::Times((number - 1) as u32)),
            number => u32::try_from(number - OUTINGS).map(Self::Outings).map_err(|_| PackError),
        }
    }
}

/// First code of [`Demand::Outings`], after all codes of [`Demand::Times`].
const OUTINGS: u64 = (1 << 32) + 1;

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn packed<T: Pack>(value: &T) -> Vec<u8> {
        let mut bytes = Vec::new();
        value.pack(&mut bytes);
        bytes
    }

    #[test]
    fn small_values_are_one_byte() {
        assert_eq!(packed(&127_u64), [127]);
        assert_eq!(packed(&128_u64), [0x80, 1]);
        assert_eq!(packed(&(0..=5).map(Port).collect::<PortSet>()).len(), 1);
        assert_eq!(packed(&Demand::Forever).len(), 1);
    }

    #[test]
    fn second_forms_and_broken_ones_are_refused() {
        for bytes in [
            &[0x80, 0][..],
            &[0x80],
            &[],
            &[0xff; 11],
            &[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 2],
        ] {
            assert_eq!(u64::unpack(&mut &bytes[..]), Err(PackError), "{bytes:?}");
        }
        assert_eq!(u16::unpack(&mut &packed(&65_536_u64)[..]), Err(PackError));
        assert_eq!(u32::unpack(&mut &packed(&(1_u64 << 32))[..]), Err(PackError));
        assert_eq!(bool::unpack(&mut &[2][..]), Err(PackError));
        // A word that would have fitted the short form, a last word of zero, and too many words.
        assert_eq!(PortSet::unpack(&mut &[3, 1, 0, 0, 0, 0, 0, 0, 0][..]), Err(PackError));
        let mut trailing = vec![5];
        trailing.extend([1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
        assert_eq!(PortSet::unpack(&mut &trailing[..]), Err(PackError));
        assert_eq!(PortSet::unpack(&mut &packed(&u64::MAX)[..]), Err(PackError));
        assert_eq!(Demand::unpack(&mut &packed(&(1_u64 << 40))[..]), Err(PackError));
    }

    proptest! {
        #[test]
        fn values_survive(number: u64, small: u32, ports in prop::collection::vec(any::<u16>(), 0..20), low in prop::collection::vec(0..64_u16, 0..20)) {
            prop_assert_eq!(u64::unpack(&mut &packed(&number)[..]), Ok(number));
            for demand in [Demand::Forever, Demand::Times(small)] {
                prop_assert_eq!(Demand::unpack(&mut &packed(&demand)[..]), Ok(demand));
            }
            for list in [ports, low] {
                let set: PortSet = list.into_iter().map(Port).collect();
                let bytes = packed(&set);
                let mut rest = &bytes[..];
                prop_assert_eq!(PortSet::unpack(&mut rest), Ok(set));
                prop_assert!(rest.is_empty());
            }
        }
    }
}
