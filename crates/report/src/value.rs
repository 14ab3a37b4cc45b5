//! [`Value`]: one figure or table cell, and the rules for writing numbers.
//!
//! | value | text table | CSV | JSON |
//! |---|---|---|---|
//! | integer | digits, optionally in groups of three | digits | number |
//! | real | four significant digits, see [`real_text`] | shortest text that reads back as the same number | same |
//! | share | percent with four significant digits | the fraction (1 = all) | the fraction |
//! | flag | `yes`, `no` | `true`, `false` | `true`, `false` |
//! | missing, or a real that is infinite or not a number | `-` | empty | `null` |

use serde::{Serialize, Serializer};

/// The style of text output. Colours are left to the caller.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct TextStyle {
    /// Draws lines and ellipses with ASCII characters only. Names are printed unchanged.
    pub ascii: bool,
    /// Writes integer parts of five or more digits in groups of three, separated by a space.
    pub group_digits: bool,
}

impl Default for TextStyle {
    /// The default style: lines drawn with UTF-8 characters, digits in groups.
    fn default() -> Self {
        Self { ascii: false, group_digits: true }
    }
}

impl TextStyle {
    /// ASCII lines and no grouping, for logs and for programs that parse the text.
    pub const PLAIN: Self = Self { ascii: true, group_digits: false };
}

/// A typed figure. The [module](self) describes how each kind is written.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Value {
    /// Words, names, digests.
    Text(String),
    /// `yes` or `no` in text, `true` or `false` for programs.
    Flag(bool),
    /// A non-negative integer.
    Integer(u64),
    /// An integer that may be negative.
    Signed(i64),
    /// A real number.
    Real(f64),
    /// A part of a whole as a fraction: 0.25 is written `25.00 %` in text.
    Share(f64),
    /// No value: it was not measured, or does not apply.
    Missing,
}

impl Value {
    /// The value as text; see the [module](self). Control characters are escaped, so that no name can break a line or
    /// steer a terminal.
    pub fn to_text(&self, style: TextStyle) -> String {
        match self {
            Self::Text(text) => crate::escape::visible(text),
            Self::Flag(flag) => if *flag { "yes" } else { "no" }.to_owned(),
            Self::Integer(value) => grouped(&value.to_string(), style),
            Self::Signed(value) => grouped(&value.to_string(), style),
            Self::Real(value) if value.is_finite() => real_text(*value, style),
            Self::Share(value) if value.is_finite() => format!("{} %", real_text(*value * 100.0, style)),
            Self::Real(_) | Self::Share(_) | Self::Missing => "-".to_owned(),
        }
    }

    /// The value as text for programs, before CSV quoting. `None` for a missing value.
    pub fn to_plain(&self) -> Option<String> {
        match self {
            Self::Text(text) => Some(text.clone()),
            Self::Flag(flag) => Some(flag.to_string()),
            Self::Integer(value) => Some(value.to_string()),
            Self::Signed(value) => Some(value.to_string()),
            // `{:?}` gives the shortest text that parses to the same number.
            Self::Real(value) | Self::Share(value) => value.is_finite().then(|| format!("{value:?}")),
            Self::Missing => None,
        }
    }

    /// The value as a real number, if it is a finite one. Integers above 2^53 are rounded to the nearest `f64`.
    pub fn as_real(&self) -> Option<f64> {
        match self {
            Self::Integer(value) => Some(*value as f64),
            Self::Signed(value) => Some(*value as f64),
            Self::Real(value) | Self::Share(value) => value.is_finite().then_some(*value),
            Self::Text(_) | Self::Flag(_) | Self::Missing => None,
        }
    }

    /// Whether the value is numeric, so that its column is right-aligned.
    pub fn is_number(&self) -> bool {
        matches!(self, Self::Integer(_) | Self::Signed(_) | Self::Real(_) | Self::Share(_))
    }
}

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Text(text) => serializer.serialize_str(text),
            Self::Flag(flag) => serializer.serialize_bool(*flag),
            Self::Integer(value) => serializer.serialize_u64(*value),
            Self::Signed(value) => serializer.serialize_i64(*value),
            Self::Real(value) | Self::Share(value) if value.is_finite() => serializer.serialize_f64(*value),
            Self::Real(_) | Self::Share(_) | Self::Missing => serializer.serialize_unit(),
        }
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for Value {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<bool> for Value {
    fn from(flag: bool) -> Self {
        Self::Flag(flag)
    }
}

impl From<u64> for Value {
    fn from(value: u64) -> Self {
        Self::Integer(value)
    }
}

impl From<u32> for Value {
    fn from(value: u32) -> Self {
        Self::Integer(u64::from(value))
    }
}

impl From<i64> for Value {
    fn from(value: i64) -> Self {
        Self::Signed(value)
    }
}

impl From<f64> for Value {
    fn from(value: f64) -> Self {
        Self::Real(value)
    }
}

impl<T: Into<Value>> From<Option<T>> for Value {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Missing, Into::into)
    }
}

/// A finite real number with four significant digits.
///
/// All digits of the integer part are kept: 123456.7 is `123457`, not `123500`. Powers of ten appear only below 0.0001
/// and from 10^15 on: `1.235e15`. Zero is `0`. Values that are not finite are written `-`.
///
/// ```
/// use acrasin_report::value::{TextStyle, real_text};
/// let text = |value| real_text(value, TextStyle::PLAIN);
/// assert_eq!(text(2.0), "2.000");
/// assert_eq!(text(9.9996), "10.00");
/// assert_eq!(text(-0.00012346), "-0.0001235");
/// assert_eq!(text(123456.7), "123457");
/// assert_eq!(text(1.23456e15), "1.235e15");
/// ```
pub fn real_text(value: f64, style: TextStyle) -> String {
    if !value.is_finite() {
        return "-".to_owned();
    }
    if value == 0.0 {
        return "0".to_owned();
    }
    // Rounding comes first: 9.9996 has the exponent of 10.00.
    let scientific = format!("{value:.3e}");
    let exponent = decimal_exponent(&scientific);
    if exponent < -4 || value.abs() >= 1e15 {
        return scientific;
    }
    let decimals = (3 - exponent).max(0).unsigned_abs() as usize;
    grouped(&format!("{value:.decimals$}"), style)
}

/// A number with its standard error, rounded to two digits of the error. Without an error, the number has four digits.
///
/// ```
/// use acrasin_report::value::with_error;
/// assert_eq!(with_error(1.98767, Some(0.00341)), "1.9877 ± 0.0034");
/// assert_eq!(with_error(1234.5, Some(250.0)), "1234 ± 250");
/// assert_eq!(with_error(0.5, None), "0.5000");
/// ```
#[must_use]
pub fn with_error(value: f64, error: Option<f64>) -> String {
    match error.filter(|error| error.is_finite() && *error > 0.0) {
        None => real_text(value, TextStyle::PLAIN),
        Some(error) => {
            // If all points are on a line, the error is only rounding, so at most nine decimals are shown.
            let exponent = decimal_exponent(&format!("{error:.1e}")).max(-9);
            let decimals = (1 - exponent).max(0).unsigned_abs() as usize;
            format!("{value:.decimals$} ± {error:.decimals$}")
        }
    }
}

/// The power of ten of a number in the form `1.5e-3`.
pub(crate) fn decimal_exponent(scientific: &str) -> i32 {
    let exponent = scientific.rsplit_once('e').map_or("0", |(_, exponent)| exponent);
    exponent.parse().expect("the standard library writes an integer after 'e'")
}

/// Writes the digits before the decimal point in groups of three, if there are at least five.
fn grouped(number: &str, style: TextStyle) -> String {
    let (sign, digits) = number.strip_prefix('-').map_or(("", number), |digits| ("-", digits));
    let (whole, rest) = digits.find('.').map_or((digits, ""), |point| digits.split_at(point));
    if !style.group_digits || whole.len() < 5 {
        return number.to_owned();
    }
    let mut text = String::from(sign);
    for (index, digit) in whole.chars().enumerate() {
        if index > 0 && (whole.len() - index) % 3 == 0 {
            text.push(' ');
        }
        text.push(digit);
    }
    text.push_str(rest);
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reals_keep_four_digits_and_every_whole_digit() {
        let cases = [
            (0.0, "0"),
            (-0.0, "0"),
            (1.0, "1.000"),
            (0.99996, "1.000"),
            (12.345, "12.35"),
            (9999.6, "10000"),
            (0.0001, "0.0001000"),
            (0.00009, "9.000e-5"),
            (999_999_999_999_999.0, "999999999999999"),
            (1e15, "1.000e15"),
            (-1e300, "-1.000e300"),
            (f64::MIN_POSITIVE, "2.225e-308"),
            (f64::NAN, "-"),
            (f64::NEG_INFINITY, "-"),
        ];
        for (value, expected) in cases {
            assert_eq!(real_text(value, TextStyle::PLAIN), expected, "{value:?}");
        }
    }

    #[test]
    fn groups_start_at_five_digits() {
        let text = |value: Value| value.to_text(TextStyle::default());
        assert_eq!(text(9999_u64.into()), "9999");
        assert_eq!(text(10_000_u64.into()), "10 000");
        assert_eq!(text(u64::MAX.into()), "18 446 744 073 709 551 615");
        assert_eq!(text(i64::MIN.into()), "-9 223 372 036 854 775 808");
        assert_eq!(text((-1234_i64).into()), "-1234");
        assert_eq!(text(Value::Real(-1_234_567.8)), "-1 234 568");
        assert_eq!(Value::Integer(10_000).to_text(TextStyle::PLAIN), "10000");
    }

    #[test]
    fn shares_are_percent_for_people_and_fractions_for_programs() {
        assert_eq!(Value::Share(0.25).to_text(TextStyle::PLAIN), "25.00 %");
        assert_eq!(Value::Share(0.0).to_text(TextStyle::PLAIN), "0 %");
        assert_eq!(Value::Share(0.25).to_plain().as_deref(), Some("0.25"));
        assert_eq!(Value::Share(f64::NAN).to_plain(), None);
    }

    #[test]
    fn plain_reals_read_back_as_the_same_number() {
        for value in [0.1, 1.0 / 3.0, 1e300, 5e-324, -0.0, 123_456_789.123_456_78] {
            let plain = Value::Real(value).to_plain().expect("finite");
            assert_eq!(plain.parse::<f64>().expect("a number").to_bits(), value.to_bits(), "{plain}");
            let json = serde_json::to_string(&Value::Real(value)).expect("serializes");
            assert_eq!(json.parse::<f64>().expect("a number").to_bits(), value.to_bits(), "{json}");
        }
    }

    #[test]
    fn json_of_every_kind() {
        let json = |value: Value| serde_json::to_string(&value).expect("serializes");
        assert_eq!(json("a\"b\n".into()), r#""a\"b\n""#);
        assert_eq!(json(true.into()), "true");
        assert_eq!(json(u64::MAX.into()), "18446744073709551615");
        assert_eq!(json((-3_i64).into()), "-3");
        assert_eq!(json(2.0.into()), "2.0");
        assert_eq!(json(f64::INFINITY.into()), "null");
        assert_eq!(json(Value::Missing), "null");
        assert_eq!(json(None::<u64>.into()), "null");
    }

    #[test]
    fn a_text_cannot_steer_the_terminal() {
        assert_eq!(Value::from("a\x1b[31m\nb\t").to_text(TextStyle::PLAIN), r"a\u{1b}[31m\nb\t");
    }
}
