//! [`Pack`]: encodes values as short byte strings and decodes them. Explorations store millions of configurations in
//! this form. Checkpoints store the state of a run ([`Saved`]).
//!
//! Every value has exactly one encoding, so equal values have equal bytes. The end of an encoding follows from its
//! bytes.

use std::cmp::Ordering;
use std::collections::VecDeque;
use std::fmt;

use crate::node::NodeId;
use crate::port::{Port, PortSet, PortsRef};

/// A value with a short encoding as bytes.
pub trait Pack: Sized {
    /// Appends the value.
    fn pack(&self, into: &mut Vec<u8>);

    /// Takes a value from the front of `from`.
    ///
    /// # Errors
    ///
    /// [`PackError`] if `from` does not begin with a value. The position of `from` is then unspecified.
    fn unpack(from: &mut &[u8]) -> Result<Self, PackError>;

    /// Replaces this value by the one at the front of `from`, and reuses its buffers.
    ///
    /// # Errors
    ///
    /// [`PackError`] if `from` does not begin with a value. The value and the position of `from` are then unspecified.
    #[inline]
    fn unpack_into(&mut self, from: &mut &[u8]) -> Result<(), PackError> {
        *self = Self::unpack(from)?;
        Ok(())
    }
}

/// A part of a run whose state is stored in checkpoints. Data that the plan determines are not saved: `load` sets the
/// state of a value that was built from the same plan.
///
/// Use [`saved_fields!`](crate::saved_fields) to implement it field by field.
pub trait Saved {
    /// Appends the state. Equal states give equal bytes.
    fn save(&self, into: &mut Vec<u8>);

    /// Sets the state to the one at the front of `from`.
    ///
    /// # Errors
    ///
    /// [`PackError`] if `from` does not begin with a state of such a value. The state is then unspecified, but a later
    /// load can set it.
    fn load(&mut self, from: &mut &[u8]) -> Result<(), PackError>;
}

impl Saved for () {
    fn save(&self, _into: &mut Vec<u8>) {}
    fn load(&mut self, _from: &mut &[u8]) -> Result<(), PackError> {
        Ok(())
    }
}

impl<A: Saved, B: Saved> Saved for (A, B) {
    fn save(&self, into: &mut Vec<u8>) {
        self.0.save(into);
        self.1.save(into);
    }
    fn load(&mut self, from: &mut &[u8]) -> Result<(), PackError> {
        self.0.load(from)?;
        self.1.load(from)
    }
}

/// Implements [`Saved`] field by field. Fields marked `fixed` are lists whose length the plan determines; `load`
/// refuses any other length.
///
/// ```
/// use acrasin_runtime::pack::Saved;
///
/// struct Counts {
///     name: &'static str,
///     by_node: Vec<u64>,
///     total: u64,
/// }
/// acrasin_runtime::saved_fields!(Counts { by_node fixed, total });
///
/// let mut bytes = Vec::new();
/// Counts { name: "saved", by_node: vec![1, 2], total: 3 }.save(&mut bytes);
/// let mut loaded = Counts { name: "loaded", by_node: vec![0, 0], total: 0 };
/// loaded.load(&mut &bytes[..])?;
/// assert_eq!((loaded.name, loaded.by_node, loaded.total), ("loaded", vec![1, 2], 3));
/// assert!(Counts { name: "other", by_node: vec![0; 3], total: 0 }.load(&mut &bytes[..]).is_err());
/// # Ok::<(), acrasin_runtime::PackError>(())
/// ```
#[macro_export]
macro_rules! saved_fields {
    (@load fixed $field:expr, $from:ident) => { $crate::pack::unpack_list(&mut $field, $from)? };
    (@load $field:expr, $from:ident) => { $crate::Pack::unpack_into(&mut $field, $from)? };
    ($type:ident $(<$parameter:ident>)? { $($field:ident $($fixed:ident)?),+ $(,)? }) => {
        impl $(<$parameter: $crate::Pack>)? $crate::pack::Saved for $type $(<$parameter>)? {
            fn save(&self, into: &mut Vec<u8>) {
                $($crate::Pack::pack(&self.$field, into);)+
            }
            fn load(&mut self, from: &mut &[u8]) -> Result<(), $crate::PackError> {
                $($crate::saved_fields!(@load $($fixed)? self.$field, from);)+
                Ok(())
            }
        }
    };
}

/// Implements [`Pack`] for a struct, field by field.
#[macro_export]
macro_rules! pack_fields {
    ($type:ident $(<$parameter:ident>)? { $($field:tt),+ $(,)? }) => {
        impl $(<$parameter: $crate::Pack>)? $crate::Pack for $type $(<$parameter>)? {
            fn pack(&self, into: &mut Vec<u8>) {
                $($crate::Pack::pack(&self.$field, into);)+
            }
            fn unpack(from: &mut &[u8]) -> Result<Self, $crate::PackError> {
                Ok(Self { $($field: $crate::Pack::unpack(from)?,)+ })
            }
        }
    };
}

/// Implements [`Pack`] for an enum: the number of the variant, then its fields. Fields of tuple variants get names.
///
/// ```
/// use acrasin_runtime::Pack as _;
///
/// #[derive(PartialEq, Debug)]
/// enum State {
///     Idle,
///     Follows { parent: u8 },
///     Walks(u32),
/// }
/// acrasin_runtime::pack_variants!(State { Idle, Follows { parent }, Walks(steps) });
///
/// for (state, form) in [(State::Idle, &[0][..]), (State::Follows { parent: 3 }, &[1, 3]), (State::Walks(5), &[2, 5])] {
///     let mut bytes = Vec::new();
///     state.pack(&mut bytes);
///     assert_eq!(bytes, form);
///     assert_eq!(State::unpack(&mut &bytes[..])?, state);
/// }
/// assert!(State::unpack(&mut &[3][..]).is_err());
/// # Ok::<(), acrasin_runtime::PackError>(())
/// ```
#[macro_export]
macro_rules! pack_variants {
    ($type:ident $(<$($parameter:ident),+>)? {
        $($variant:ident $({ $($field:ident),+ $(,)? })? $(($($element:ident),+ $(,)?))?),+ $(,)?
    }) => {
        impl $(<$($parameter: $crate::Pack),+>)? $crate::Pack for $type $(<$($parameter),+>)? {
            #[allow(unused_assignments)]
            fn pack(&self, into: &mut Vec<u8>) {
                let mut number = 0_u8;
                $(
                    if let Self::$variant $({ $($field),+ })? $(($($element),+))? = self {
                        into.push(number);
                        $($($crate::Pack::pack($field, into);)+)?
                        $($($crate::Pack::pack($element, into);)+)?
                        return;
                    }
                    number += 1;
                )+
            }
            #[allow(unused_assignments)]
            fn unpack(from: &mut &[u8]) -> Result<Self, $crate::PackError> {
                let found = <u8 as $crate::Pack>::unpack(from)?;
                let mut number = 0_u8;
                $(
                    if found == number {
                        $($(let $field = $crate::Pack::unpack(from)?;)+)?
                        $($(let $element = $crate::Pack::unpack(from)?;)+)?
                        return Ok(Self::$variant $({ $($field),+ })? $(($($element),+))?);
                    }
                    number += 1;
                )+
                Err($crate::PackError)
            }
        }
    };
}

/// Appends truth values, eight per byte, without their number.
pub fn pack_bits(bits: &[bool], into: &mut Vec<u8>) {
    for eight in bits.chunks(8) {
        into.push(eight.iter().rev().fold(0, |bits, &bit| bits << 1 | u8::from(bit)));
    }
}

/// Reads as many truth values as `bits` has elements.
///
/// # Errors
///
/// [`PackError`] if `from` is too short or its padding bits are not zero.
pub fn unpack_bits(bits: &mut [bool], from: &mut &[u8]) -> Result<(), PackError> {
    for eight in bits.chunks_mut(8) {
        let byte = u8::unpack(from)?;
        for (place, bit) in eight.iter_mut().enumerate() {
            *bit = byte >> place & 1 == 1;
        }
        // The bits after the last one are 0.
        if byte.checked_shr(eight.len() as u32).is_some_and(|rest| rest > 0) {
            return Err(PackError);
        }
    }
    Ok(())
}

/// Reads the elements of a list whose length is known.
///
/// # Errors
///
/// [`PackError`] if `from` does not begin with a list of this length.
pub fn unpack_list<T: Pack>(list: &mut [T], from: &mut &[u8]) -> Result<(), PackError> {
    if u64::unpack(from)? != list.len() as u64 {
        return Err(PackError);
    }
    list.iter_mut().try_for_each(|element| element.unpack_into(from))
}

/// Appends the length of a list, then its elements.
pub fn pack_list<'a, T: Pack + 'a>(list: impl ExactSizeIterator<Item = &'a T>, into: &mut Vec<u8>) {
    (list.len() as u64).pack(into);
    list.for_each(|element| element.pack(into));
}

/// Error: the bytes do not encode a value of the type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PackError;

impl fmt::Display for PackError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the bytes are not a packed value")
    }
}

impl std::error::Error for PackError {}

/// Takes one byte from the front.
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

/// Seven bits per byte, lowest first. The highest bit of a byte tells whether more bytes follow.
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

/// The low half, then the high half.
impl Pack for u128 {
    fn pack(&self, into: &mut Vec<u8>) {
        (*self as u64, (*self >> 64) as u64).pack(into);
    }
    fn unpack(from: &mut &[u8]) -> Result<Self, PackError> {
        let (low, high) = <(u64, u64)>::unpack(from)?;
        Ok(Self::from(high) << 64 | Self::from(low))
    }
}

impl Pack for usize {
    fn pack(&self, into: &mut Vec<u8>) {
        (*self as u64).pack(into);
    }
    fn unpack(from: &mut &[u8]) -> Result<Self, PackError> {
        Self::try_from(u64::unpack(from)?).map_err(|_| PackError)
    }
}

/// Zigzag encoding: numbers close to 0 are short, whatever their sign.
impl Pack for i32 {
    fn pack(&self, into: &mut Vec<u8>) {
        ((self << 1 ^ self >> 31) as u32).pack(into);
    }
    fn unpack(from: &mut &[u8]) -> Result<Self, PackError> {
        let code = u32::unpack(from)?;
        Ok((code >> 1) as Self ^ -((code & 1) as Self))
    }
}

impl Pack for i8 {
    fn pack(&self, into: &mut Vec<u8>) {
        into.push(self.cast_unsigned());
    }
    fn unpack(from: &mut &[u8]) -> Result<Self, PackError> {
        take_byte(from).map(u8::cast_signed)
    }
}

/// Zigzag encoding: numbers close to 0 are short, whatever their sign.
impl Pack for i64 {
    fn pack(&self, into: &mut Vec<u8>) {
        (self << 1 ^ self >> 63).cast_unsigned().pack(into);
    }
    fn unpack(from: &mut &[u8]) -> Result<Self, PackError> {
        let code = u64::unpack(from)?;
        Ok((code >> 1).cast_signed() ^ -((code & 1).cast_signed()))
    }
}

impl Pack for () {
    fn pack(&self, _into: &mut Vec<u8>) {}
    fn unpack(_from: &mut &[u8]) -> Result<Self, PackError> {
        Ok(())
    }
}

impl Pack for Ordering {
    fn pack(&self, into: &mut Vec<u8>) {
        (*self as i8).pack(into);
    }
    fn unpack(from: &mut &[u8]) -> Result<Self, PackError> {
        match i8::unpack(from)? {
            -1 => Ok(Self::Less),
            0 => Ok(Self::Equal),
            1 => Ok(Self::Greater),
            _ => Err(PackError),
        }
    }
}

impl Pack for NodeId {
    fn pack(&self, into: &mut Vec<u8>) {
        self.0.pack(into);
    }
    fn unpack(from: &mut &[u8]) -> Result<Self, PackError> {
        u32::unpack(from).map(Self)
    }
}

impl<T: Pack> Pack for Option<T> {
    fn pack(&self, into: &mut Vec<u8>) {
        self.is_some().pack(into);
        if let Some(value) = self {
            value.pack(into);
        }
    }
    fn unpack(from: &mut &[u8]) -> Result<Self, PackError> {
        bool::unpack(from)?.then(|| T::unpack(from)).transpose()
    }
}

/// The length, then the elements.
impl<T: Pack> Pack for Vec<T> {
    fn pack(&self, into: &mut Vec<u8>) {
        pack_list(self.iter(), into);
    }
    fn unpack(from: &mut &[u8]) -> Result<Self, PackError> {
        let length = usize::unpack(from)?;
        // Every element takes at least a byte: lists of nothing are not saved.
        if length > from.len() {
            return Err(PackError);
        }
        let mut list = Self::with_capacity(length);
        for _ in 0..length {
            list.push(T::unpack(from)?);
        }
        Ok(list)
    }
}

impl<T: Pack> Pack for VecDeque<T> {
    fn pack(&self, into: &mut Vec<u8>) {
        pack_list(self.iter(), into);
    }
    fn unpack(from: &mut &[u8]) -> Result<Self, PackError> {
        Vec::unpack(from).map(Self::from)
    }
}

impl<T: Pack, const N: usize> Pack for [T; N] {
    fn pack(&self, into: &mut Vec<u8>) {
        self.iter().for_each(|element| element.pack(into));
    }
    fn unpack(from: &mut &[u8]) -> Result<Self, PackError> {
        let list = (0..N).map(|_| T::unpack(from)).collect::<Result<Vec<T>, PackError>>()?;
        Self::try_from(list).map_err(|_| PackError)
    }
}

impl<A: Pack, B: Pack> Pack for (A, B) {
    fn pack(&self, into: &mut Vec<u8>) {
        self.0.pack(into);
        self.1.pack(into);
    }
    fn unpack(from: &mut &[u8]) -> Result<Self, PackError> {
        Ok((A::unpack(from)?, B::unpack(from)?))
    }
}

impl<A: Pack, B: Pack, C: Pack> Pack for (A, B, C) {
    fn pack(&self, into: &mut Vec<u8>) {
        self.0.pack(into);
        self.1.pack(into);
        self.2.pack(into);
    }
    fn unpack(from: &mut &[u8]) -> Result<Self, PackError> {
        Ok((A::unpack(from)?, B::unpack(from)?, C::unpack(from)?))
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
    /// Appends the set in the same encoding as [`Pack`] gives a [`PortSet`].
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::section::Demand;
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
