//! Numbers and words as bytes.

use super::damaged::Damaged;

/// The largest number of a film. JavaScript represents all integers up to it exactly.
const NUMBER_MAX: u64 = 1 << 53;

/// Appends a number in seven-bit groups, lowest first.
pub(super) fn put(out: &mut Vec<u8>, mut number: u64) {
    while number >= 128 {
        out.push(number as u8 | 128);
        number >>= 7;
    }
    out.push(number as u8);
}

/// Maps signed numbers to unsigned ones: 0, -1, 1, -2, ... become 0, 1, 2, 3, ...
pub(super) fn zigzag(number: i64) -> u64 {
    (number.cast_unsigned() << 1) ^ (number >> 63).cast_unsigned()
}

fn unzigzag(number: u64) -> i64 {
    (number >> 1).cast_signed() ^ -(number & 1).cast_signed()
}

/// Appends a word: its length in bytes, then its UTF-8 text.
pub(super) fn put_word(out: &mut Vec<u8>, word: &str) {
    put(out, word.len() as u64);
    out.extend_from_slice(word.as_bytes());
}

/// Reads numbers and words from the front, with errors about damage.
pub(super) struct NumberReader<'a> {
    bytes: &'a [u8],
    chunk: usize,
}

impl<'a> NumberReader<'a> {
    pub(super) fn new(bytes: &'a [u8], chunk: usize) -> Self {
        Self { bytes, chunk }
    }

    pub(super) fn refuse(&self, what: impl Into<String>) -> Damaged {
        Damaged::in_chunk(self.chunk, what)
    }

    pub(super) fn left(&self) -> usize {
        self.bytes.len()
    }

    /// Fails if bytes are left.
    pub(super) fn end(&self) -> Result<(), Damaged> {
        match self.left() {
            0 => Ok(()),
            left => Err(self.refuse(format!("{left} bytes too many"))),
        }
    }

    /// Reads the next part: its length, then its bytes.
    pub(super) fn part(&mut self) -> Result<Self, Damaged> {
        let length = self.number()?;
        Ok(Self { bytes: self.bytes(length, "part")?, chunk: self.chunk })
    }

    fn bytes(&mut self, length: u64, what: &str) -> Result<&'a [u8], Damaged> {
        let split = usize::try_from(length).ok().and_then(|length| self.bytes.split_at_checked(length));
        let Some((bytes, rest)) = split else {
            return Err(
                self.refuse(format!("a {what} of {length} bytes is announced, but fewer bytes are left"))
            );
        };
        self.bytes = rest;
        Ok(bytes)
    }

    pub(super) fn number(&mut self) -> Result<u64, Damaged> {
        let mut number = 0_u64;
        for place in 0..8 {
            let Some((&byte, rest)) = self.bytes.split_first() else {
                return Err(self.refuse("it ends inside a number"));
            };
            self.bytes = rest;
            number |= u64::from(byte & 127) << (7 * place);
            if byte < 128 {
                return if number <= NUMBER_MAX {
                    Ok(number)
                } else {
                    Err(self.refuse("a number above 2^53"))
                };
            }
        }
        Err(self.refuse("a number above 2^53"))
    }

    pub(super) fn signed(&mut self) -> Result<i64, Damaged> {
        self.number().map(unzigzag)
    }

    pub(super) fn below(&mut self, end: u64, what: &str) -> Result<u32, Damaged> {
        match self.number()? {
            number if number < end => Ok(number as u32),
            number => Err(self.refuse(format!("{what} {number}, expected below {end}"))),
        }
    }

    pub(super) fn word(&mut self) -> Result<&'a str, Damaged> {
        let length = self.number()?;
        let word = self.bytes(length, "word")?;
        std::str::from_utf8(word).map_err(|_| self.refuse("a word that is not UTF-8"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_back_up_to_the_largest() {
        for number in [0, 1, 127, 128, 300, NUMBER_MAX - 1, NUMBER_MAX] {
            let mut bytes = Vec::new();
            put(&mut bytes, number);
            assert_eq!(NumberReader::new(&bytes, 0).number().unwrap(), number);
        }
        let mut bytes = Vec::new();
        put(&mut bytes, NUMBER_MAX + 1);
        assert!(NumberReader::new(&bytes, 0).number().is_err());
        for number in [0, -1, 1, -2, 1 << 52, -(1 << 52)] {
            let mut bytes = Vec::new();
            put(&mut bytes, zigzag(number));
            assert_eq!(NumberReader::new(&bytes, 0).signed().unwrap(), number);
        }
    }
}
