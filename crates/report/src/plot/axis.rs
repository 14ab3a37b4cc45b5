//! Axes with ticks at round numbers, and their labels.
//!
//! Ticks are integers times a power of ten, and labels are formatted from these integers. Positions and labels of ticks
//! therefore depend neither on logarithms nor on rounded products, and pictures are the same on every platform.

use crate::value::decimal_exponent;

/// From this magnitude on, a power of ten moves into the axis label.
const LARGE: f64 = 1e6;
/// Below this magnitude, a power of ten also moves into the axis label.
const SMALL: f64 = 1e-3;
/// If a range is smaller than this fraction of its numbers, labels count from the start of the range.
const NARROW: f64 = 1e-4;
/// Differences of times below this count as zero: a tenth of the distance between two ticks must still be a normal
/// `f64`.
const SMALLEST: f64 = 1e-300;
/// Differences below this fraction of the time count as zero: ticks between them would be equal as `f64`.
const FINEST: f64 = 1e-12;
/// Fraction of a range that is left free at both ends.
const ROOM: f64 = 0.04;

/// The mapping of numbers to positions on an axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scale {
    /// Equal distances on the axis are equal differences.
    Linear,
    /// Equal distances on the axis are equal factors.
    Logarithmic,
}

impl Scale {
    /// The number by which a value is placed on the axis: the value itself, or its logarithm. Logarithms in software
    /// give the same bits on every platform.
    pub(super) fn drawn(self, value: f64) -> f64 {
        match self {
            Self::Linear => value,
            Self::Logarithmic => libm::log10(value),
        }
    }

    /// The inverse of [`drawn`](Self::drawn).
    pub(super) fn shown(self, drawn: f64) -> f64 {
        match self {
            Self::Linear => drawn,
            Self::Logarithmic => libm::exp10(drawn),
        }
    }
}

/// An axis with its ticks.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Axis {
    /// The scale of the axis: linear or logarithmic.
    pub(super) scale: Scale,
    /// Lower end, in data units.
    pub(super) low: f64,
    /// Upper end, above the lower one.
    pub(super) high: f64,
    /// Ticks, ascending.
    pub(super) ticks: Vec<Tick>,
    /// A suffix of the axis label: a power of ten, an offset, or nothing.
    pub(super) note: String,
}

/// A tick: its position in data units, and its label.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Tick {
    pub(super) place: f64,
    pub(super) label: String,
}

impl Axis {
    /// An axis for times between two finite, non-negative numbers, with about `wanted` ticks.
    ///
    /// If both times are equal, the axis extends to both sides of this time.
    pub(super) fn of_times(first: f64, last: f64, wanted: usize) -> Self {
        if last - first >= SMALLEST.max(last * FINEST) {
            return Self::between(first, last, wanted, i32::MIN);
        }
        if first < SMALLEST {
            return Self::between(0.0, 1.0, wanted, i32::MIN);
        }
        let around = (first * 0.01).max(first.min(0.5));
        Self::between(first - around, first + around, wanted, i32::MIN)
    }

    /// An axis for counts from zero to the largest one, with some room above and about `wanted` ticks at integers.
    pub(super) fn of_counts(largest: u64, wanted: usize) -> Self {
        let high = (largest as f64 * 1.05).max(1.0);
        Self::between(0.0, high, wanted, 0)
    }

    /// An axis from the least of `lows` to the greatest of `highs`, with a little room at both ends and about `wanted`
    /// ticks. The numbers must be finite, and positive on a logarithmic axis. A linear axis of non-negative numbers
    /// starts at 0 unless their range is narrow.
    pub(super) fn of_reals(
        lows: impl Iterator<Item = f64>,
        highs: impl Iterator<Item = f64>,
        scale: Scale,
        wanted: usize,
    ) -> Self {
        let (low, high) = (lows.fold(f64::INFINITY, f64::min), highs.fold(f64::NEG_INFINITY, f64::max));
        match scale {
            Scale::Linear => {
                let width = (high - low).max(high.abs().max(low.abs()) * FINEST).max(SMALLEST);
                let room = if high > low { width * ROOM } else { high.abs().max(1.0) / 2.0 };
                let bottom = if low >= 0.0 && low <= 2.0 * width { 0.0 } else { low - room };
                Self::between(bottom, high + room, wanted, i32::MIN)
            }
            Scale::Logarithmic => {
                let (bottom, top) = (scale.drawn(low), scale.drawn(high));
                let room = if top > bottom { (top - bottom) * ROOM } else { 0.25 };
                Self::of_factors(scale.shown(bottom - room), scale.shown(top + room), wanted)
            }
        }
    }

    /// An axis for shares: from 0 to 1.
    pub(super) fn of_shares() -> Self {
        Self::between(0.0, 1.0, 5, i32::MIN)
    }

    /// A logarithmic axis. Ticks are at powers of ten, and at 2 and 5 times these if there is room. Narrower ranges
    /// have the ticks of a linear axis.
    fn of_factors(low: f64, high: f64, wanted: usize) -> Self {
        let decade = |value: f64| decimal_exponent(&format!("{value:e}"));
        let (first, last) = (decade(low), decade(high));
        let digits: [&[i64]; 2] = [&[1, 2, 5], &[1]];
        let steps =
            digits.into_iter().map(|digits| (digits, 1)).chain((2..=700).map(|step| (&[1_i64][..], step)));
        for (digits, step) in steps {
            let exponents = (first..=last).filter(|exponent| exponent.rem_euclid(step) == 0);
            let places = exponents.flat_map(|exponent| digits.iter().map(move |&digit| (digit, exponent)));
            let tick =
                |(digit, exponent)| Tick { place: scaled(digit, exponent), label: power(digit, exponent) };
            let ticks: Vec<Tick> =
                places.map(tick).filter(|tick| (low..=high).contains(&tick.place)).collect();
            if ticks.len() < 2 {
                break;
            }
            if ticks.len() <= wanted.max(2) + 1 {
                return Self { scale: Scale::Logarithmic, low, high, ticks, note: String::new() };
            }
        }
        Self { scale: Scale::Logarithmic, ..Self::between(low, high, wanted, i32::MIN) }
    }

    /// The relative position of a number: 0 to 1 on the axis.
    pub(super) fn part(&self, value: f64) -> f64 {
        let [low, high, value] = [self.low, self.high, value].map(|number| self.scale.drawn(number));
        (value - low) / (high - low)
    }

    /// An axis with steps of 1, 2 or 5 times 10^e with e at least `lowest_exponent`, and at least two ticks.
    fn between(low: f64, high: f64, wanted: usize, lowest_exponent: i32) -> Self {
        let axis = Self::about(low, high, wanted, lowest_exponent);
        // A step may be 2.5 times the wanted one. With five ticks wanted it is at most half of the range.
        if axis.ticks.len() < 2 { Self::about(low, high, 5, lowest_exponent) } else { axis }
    }

    fn about(low: f64, high: f64, wanted: usize, lowest_exponent: i32) -> Self {
        let range = high - low;
        let magnitude = high.abs().max(low.abs());
        let offset = if range < magnitude * NARROW { low } else { 0.0 };
        let (digit, exponent) = step(range / wanted.max(1) as f64, lowest_exponent);
        let unit: f64 = power_of_ten(exponent);
        let first = ((low - offset) / (digit as f64 * unit)).ceil() as i64;
        let last = ((high - offset) / (digit as f64 * unit)).floor() as i64;

        let shown = if offset == 0.0 { magnitude } else { range };
        let scale = if (SMALL..LARGE).contains(&shown) {
            0
        } else {
            decimal_exponent(&format!("{shown:e}")).div_euclid(3) * 3
        };
        let ticks = (first..=last).map(|index| {
            let number = index * digit;
            let place = offset + scaled(number, exponent);
            Tick { place, label: decimal(number, exponent - scale) }
        });
        let ticks = ticks.filter(|tick| (low..=high).contains(&tick.place)).collect();
        Self { scale: Scale::Linear, low, high, ticks, note: note(scale, offset) }
    }

    /// The length of the longest label, in characters.
    pub(super) fn label_length(&self) -> usize {
        self.ticks.iter().map(|tick| tick.label.chars().count()).max().unwrap_or(0)
    }
}

/// The smallest of 1, 2, 5 times a power of ten that is at least `at_least`: (digit, exponent).
fn step(at_least: f64, lowest_exponent: i32) -> (i64, i32) {
    let exponent = decimal_exponent(&format!("{at_least:e}"));
    if exponent < lowest_exponent {
        return (1, lowest_exponent);
    }
    let digit = [1, 2, 5].into_iter().find(|&digit| scaled(digit, exponent) >= at_least);
    digit.map_or((1, exponent + 1), |digit| (digit, exponent))
}

/// 10^exponent, correctly rounded.
fn power_of_ten(exponent: i32) -> f64 {
    scaled(1, exponent)
}

/// number * 10^exponent, correctly rounded, since parsing a decimal number is exact to the last bit.
fn scaled(number: i64, exponent: i32) -> f64 {
    format!("{number}e{exponent}").parse().expect("an integer and an exponent make a number")
}

/// number * 10^exponent in plain digits.
fn decimal(number: i64, exponent: i32) -> String {
    if number == 0 {
        return "0".to_owned();
    }
    if exponent >= 0 {
        return format!("{number}{}", "0".repeat(exponent.unsigned_abs() as usize));
    }
    let decimals = exponent.unsigned_abs() as usize;
    let digits = format!("{:0>width$}", number.unsigned_abs(), width = decimals + 1);
    let (whole, part) = digits.split_at(digits.len() - decimals);
    format!("{}{whole}.{part}", if number < 0 { "-" } else { "" })
}

/// digit * 10^exponent as people write it: in plain digits, or as a power of ten.
fn power(digit: i64, exponent: i32) -> String {
    match (digit, exponent) {
        (_, -3..=3) => decimal(digit, exponent),
        (1, _) => format!("10{}", superscript(exponent)),
        _ => format!("{digit}·10{}", superscript(exponent)),
    }
}

/// The suffix of the axis label: the power of ten and the offset, or nothing.
fn note(scale: i32, offset: f64) -> String {
    let scale = match scale {
        0 => String::new(),
        scale => format!(" (× 10{})", superscript(scale)),
    };
    let offset = format!("{offset:?}");
    let offset = match offset.strip_suffix(".0").unwrap_or(&offset) {
        "0" => String::new(),
        start => format!(", counted from {start}"),
    };
    format!("{offset}{scale}")
}

fn superscript(number: i32) -> String {
    let raised = |character: char| match character {
        '-' => '⁻',
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        // The other superscript digits are in one block, in order.
        digit => char::from_u32(0x2070 + digit.to_digit(10).unwrap_or(0)).unwrap_or(digit),
    };
    number.to_string().chars().map(raised).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn labels(axis: &Axis) -> Vec<&str> {
        axis.ticks.iter().map(|tick| tick.label.as_str()).collect()
    }

    #[test]
    fn counts_have_integer_ticks() {
        assert_eq!(labels(&Axis::of_counts(0, 6)), ["0", "1"]);
        assert_eq!(labels(&Axis::of_counts(1, 6)), ["0", "1"]);
        assert_eq!(labels(&Axis::of_counts(3, 6)), ["0", "1", "2", "3"]);
        assert_eq!(labels(&Axis::of_counts(100, 6)), ["0", "20", "40", "60", "80", "100"]);
    }

    #[test]
    fn large_counts_move_a_power_of_ten_into_the_name() {
        let axis = Axis::of_counts(1_000_000_000_000_000, 6);
        // The axis reaches 1.05 * 10^15.
        assert_eq!(labels(&axis), ["0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
        assert_eq!(axis.note, " (× 10¹⁵)");
        assert_eq!(Axis::of_counts(u64::MAX, 6).note, " (× 10¹⁸)");
    }

    #[test]
    fn times_may_be_tiny_narrow_or_single() {
        let tiny = Axis::of_times(0.0, 2e-9, 4);
        assert_eq!((labels(&tiny), tiny.note.as_str()), (vec!["0", "0.5", "1.0", "1.5", "2.0"], " (× 10⁻⁹)"));
        let narrow = Axis::of_times(1e9, 1e9 + 2.0, 4);
        assert_eq!(labels(&narrow), ["0", "0.5", "1.0", "1.5", "2.0"]);
        assert_eq!(narrow.note, ", counted from 1000000000");
        let single = Axis::of_times(20.0, 20.0, 4);
        assert!(single.low < 20.0 && single.high > 20.0 && single.low >= 0.0);
        assert_eq!(labels(&Axis::of_times(0.0, 0.0, 4)), ["0", "0.5", "1.0"]);
    }

    #[test]
    fn factors_have_powers_of_ten_or_what_lies_between() {
        let axis = |low: f64, high: f64, wanted| {
            Axis::of_reals([low].into_iter(), [high].into_iter(), Scale::Logarithmic, wanted)
        };
        assert_eq!(labels(&axis(1e2, 1e6, 6)), ["100", "1000", "10⁴", "10⁵", "10⁶"]);
        assert_eq!(labels(&axis(1e-9, 1e9, 4)), ["10⁻⁸", "10⁻⁴", "1", "10⁴", "10⁸"]);
        assert_eq!(labels(&axis(3.0, 60.0, 6)), ["5", "10", "20", "50"]);
        assert_eq!(labels(&axis(1.3e6, 6e6, 6)), ["2·10⁶", "5·10⁶"]);
        // The range is too narrow for factors: ticks are those of a linear axis, at logarithmic positions.
        let close = axis(6.0, 9.0, 4);
        assert_eq!((labels(&close), close.scale), (vec!["6", "7", "8", "9"], Scale::Logarithmic));
        assert_eq!(axis(7.0, 7.0, 4).scale, Scale::Logarithmic);
        let half = axis(1.0, 100.0, 4);
        assert!((half.part(10.0) - 0.5).abs() < 1e-12);
    }

    #[test]
    fn reals_begin_at_zero_where_that_is_near() {
        let axis =
            |low: f64, high: f64| Axis::of_reals([low].into_iter(), [high].into_iter(), Scale::Linear, 5);
        assert_eq!(axis(3.0, 10.0).low, 0.0);
        assert!(axis(100.0, 110.0).low > 99.0);
        assert!(axis(-3.0, 10.0).low < -3.0 && axis(5.0, 5.0).high > 5.0 && axis(0.0, 0.0).high > 0.0);
    }

    #[test]
    fn superscripts() {
        assert_eq!(superscript(-1_234_567_890), "⁻¹²³⁴⁵⁶⁷⁸⁹⁰");
    }

    proptest! {
        #[test]
        fn ticks_are_few_ascending_and_inside(first in 0.0..1e12_f64, width in 1e-6..1e15_f64, wanted in 2..12_usize) {
            let axis = Axis::of_times(first, first + width, wanted);
            prop_assert!(axis.ticks.len() <= wanted.max(5) + 1, "{:?}", axis);
            prop_assert!(axis.ticks.len() >= 2, "{:?}", axis);
            prop_assert!(axis.ticks.is_sorted_by(|a, b| a.place < b.place));
            prop_assert!(axis.ticks.iter().all(|tick| (axis.low..=axis.high).contains(&tick.place)));
            let labels: std::collections::BTreeSet<_> = axis.ticks.iter().map(|tick| &tick.label).collect();
            prop_assert_eq!(labels.len(), axis.ticks.len());
            prop_assert!(axis.label_length() <= 12, "{:?}", axis);
        }

        #[test]
        fn any_count_has_an_axis(largest in any::<u64>()) {
            let axis = Axis::of_counts(largest, 6);
            prop_assert!(axis.high >= largest as f64);
            prop_assert!((2..=8).contains(&axis.ticks.len()), "{:?}", axis);
            prop_assert_eq!(axis.ticks[0].place, 0.0);
        }
    }
}
