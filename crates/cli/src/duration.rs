//! Parses durations, such as `10s` or `1h30m`.

use std::time::Duration;

/// The maximum duration: a year. A longer one is probably a typing error, and its sum with a time could overflow.
pub const LONGEST: Duration = Duration::from_secs(365 * 24 * 60 * 60);

/// The units with their nanoseconds. `ms` comes before `m`, so that the longer name is tried first.
const UNITS: [(&str, f64); 5] = [("ms", 1e6), ("s", 1e9), ("m", 60e9), ("h", 3600e9), ("d", 86_400e9)];

/// Parses a sum of numbers with units `ms`, `s`, `m`, `h` or `d`, such as `10s`, `1.5h` or `1h30m`.
///
/// # Errors
///
/// The text is not a duration. The message says what is wrong and what is accepted.
///
/// ```
/// use std::time::Duration;
/// use acrasin_cli::duration::parse;
///
/// assert_eq!(parse("1h30m"), Ok(Duration::from_secs(5400)));
/// assert_eq!(parse("0s"), Ok(Duration::ZERO));
/// assert!(parse("10").unwrap_err().contains("unit"));
/// ```
pub fn parse(text: &str) -> Result<Duration, String> {
    const ACCEPTED: &str = "accepted: numbers with a unit ms, s, m, h or d, such as 10s or 1h30m";
    let mut rest = text.trim();
    if rest.is_empty() {
        return Err(format!("the duration is empty; {ACCEPTED}"));
    }
    let mut nanoseconds = 0.0;
    while !rest.is_empty() {
        let end = rest.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(rest.len());
        let (number, after) = rest.split_at(end);
        let number: f64 =
            number.parse().map_err(|_| format!("a number is expected at `{rest}`; {ACCEPTED}"))?;
        let unit = UNITS.iter().find_map(|(name, size)| Some((after.strip_prefix(name)?, size)));
        let Some((next, size)) = unit else {
            return Err(format!("`{rest}` has no unit; {ACCEPTED}"));
        };
        nanoseconds += number * size;
        rest = next;
    }
    if nanoseconds > LONGEST.as_nanos() as f64 {
        return Err("longer than a year (365d)".to_owned());
    }
    Ok(Duration::from_nanos(nanoseconds.round() as u64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_add_up() {
        let cases =
            [("250ms", 250), ("1.5s", 1500), ("2m", 120_000), ("1d", 86_400_000), ("1m1s1ms", 61_001)];
        for (text, milliseconds) in cases {
            assert_eq!(parse(text), Ok(Duration::from_millis(milliseconds)), "{text}");
        }
    }

    #[test]
    fn what_is_no_duration_is_refused() {
        for text in ["", " ", "s", "10", "-1s", "1 s", "1e3s", "1.2.3s", "10x", "1s2", "inf s", "NaNs", "٣s"]
        {
            assert!(parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_year_is_the_limit() {
        assert_eq!(parse("365d"), Ok(LONGEST));
        assert!(parse("365d1ms").is_err());
        assert!(parse(&format!("{}d", "9".repeat(400))).is_err());
    }
}
