//! [`SweepPart`]: the part of a sweep that one machine runs.

use std::fmt;

use crate::arguments::whole;

/// Part `number` of `count`, from 0. Repetition r of combination c belongs to part (c + r) mod `count`. With enough
/// repetitions, every part therefore has all combinations, and its numbers of runs per combination differ by at most
/// one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct SweepPart {
    number: u64,
    count: u64,
}

impl SweepPart {
    /// The only part of a sweep that is not divided.
    pub(super) const WHOLE: Self = Self { number: 0, count: 1 };

    /// Parses `I/N`, with I from 1 to N.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let (number, count) = text.split_once('/').ok_or("I/N is expected, such as 2/8")?;
        let count = whole(count, 1, 1_000_000)?;
        Ok(Self { number: whole(number, 1, count)? - 1, count })
    }

    pub(super) fn has(self, combination: usize, repetition: u64) -> bool {
        (combination as u64 % self.count + repetition % self.count) % self.count == self.number
    }

    /// The number of runs in this part, over all combinations and repetitions.
    pub(super) fn runs(self, combinations: u64, repetitions: u64) -> u64 {
        let of = |first: u64| self.with_rest(first, combinations) * self.runs_of(first, repetitions);
        (0..self.count.min(combinations)).map(of).sum()
    }

    /// The number of runs of one combination in this part.
    pub(super) fn runs_of(self, combination: u64, repetitions: u64) -> u64 {
        self.with_rest((self.number + self.count - combination % self.count) % self.count, repetitions)
    }

    /// The number of whole numbers below `all` with this remainder modulo the number of parts.
    fn with_rest(self, rest: u64, all: u64) -> u64 {
        all / self.count + u64::from(all % self.count > rest)
    }
}

impl fmt::Display for SweepPart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number + 1, self.count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_run_belongs_to_one_part() {
        for (combinations, repetitions, count) in [(1, 10, 3), (6, 4, 3), (5, 1, 7), (3, 2, 1), (4, 9, 4)] {
            let parts: Vec<SweepPart> =
                (1..=count).map(|number| SweepPart::parse(&format!("{number}/{count}")).unwrap()).collect();
            let mut of_part = vec![0; parts.len()];
            for combination in 0..combinations {
                for repetition in 0..repetitions {
                    let has: Vec<usize> =
                        (0..parts.len()).filter(|&at| parts[at].has(combination, repetition)).collect();
                    assert_eq!(has.len(), 1);
                    of_part[has[0]] += 1;
                }
            }
            let counted: Vec<u64> =
                parts.iter().map(|part| part.runs(combinations as u64, repetitions)).collect();
            assert_eq!(counted, of_part, "{combinations} x {repetitions} in {count}");
        }
        assert_eq!(SweepPart::parse("2/8").unwrap().to_string(), "2/8");
        for wrong in ["", "2", "0/3", "4/3", "1/0", "a/b", "1/2/3", "-1/3"] {
            assert!(SweepPart::parse(wrong).is_err(), "{wrong}");
        }
    }
}
