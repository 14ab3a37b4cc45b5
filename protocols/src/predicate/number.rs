//! Parses whole numbers in the notations of users, such as `1e6`, digit by digit and without rounding.

/// The reasons why a text is not a whole number in range.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NotWhole {
    /// The text is not a number.
    Malformed,
    /// The number is below 0.
    Negative,
    /// The number is not whole.
    Fractional,
    /// The number is above the limit.
    TooLarge,
}

/// The whole number that a literal denotes, at most `max`, without rounding: `1_000_000`, `1e6`, `10^6`, `0xff`.
///
/// # Errors
///
/// The reason why the literal does not denote such a number.
pub fn whole_number(literal: &str, max: u64) -> Result<u64, NotWhole> {
    let literal = literal.trim();
    if let Some(rest) = literal.strip_prefix('-') {
        return Err(match whole_number(rest, max) {
            Err(NotWhole::Malformed) => NotWhole::Malformed,
            _ => NotWhole::Negative,
        });
    }
    let unsigned = literal.strip_prefix('+').unwrap_or(literal);
    if !unsigned.starts_with(|c: char| c.is_ascii_digit() || c == '.') {
        return Err(if unsigned == "inf" { NotWhole::TooLarge } else { NotWhole::Malformed });
    }
    let plain: String = unsigned.chars().filter(|&c| c != '_').collect();
    let value = if let Some((base, exponent)) = plain.split_once('^') {
        power(base.trim(), exponent.trim())?
    } else if plain.starts_with("0x") || plain.starts_with("0o") || plain.starts_with("0b") {
        with_radix(&plain)?
    } else {
        decimal(&plain)?
    };
    if value > max { Err(NotWhole::TooLarge) } else { Ok(value) }
}

/// Parses a whole number that is written as `0x`, `0o` or `0b`, followed by digits.
fn with_radix(plain: &str) -> Result<u64, NotWhole> {
    let (prefix, digits) = plain.split_at(2);
    let radix = match prefix {
        "0x" => 16,
        "0o" => 8,
        _ => 2,
    };
    if digits.is_empty() || !digits.chars().all(|c| c.is_digit(radix)) {
        return Err(NotWhole::Malformed);
    }
    // Only its size can be wrong here.
    u64::from_str_radix(digits, radix).map_err(|_| NotWhole::TooLarge)
}

fn power(base: &str, exponent: &str) -> Result<u64, NotWhole> {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    if !digits(base) || !digits(exponent) {
        return Err(NotWhole::Malformed);
    }
    let base: u64 = base.parse().map_err(|_| NotWhole::TooLarge)?;
    match (base, exponent.parse::<u32>()) {
        (_, Ok(exponent)) => base.checked_pow(exponent).ok_or(NotWhole::TooLarge),
        (0 | 1, Err(_)) => Ok(base),
        _ => Err(NotWhole::TooLarge),
    }
}

/// Parses a whole number that is written as `digits[.digits][e[sign]digits]`.
fn decimal(plain: &str) -> Result<u64, NotWhole> {
    let (mantissa, exponent) = match plain.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (plain, None),
    };
    let (integer, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = format!("{integer}{fraction}");
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return Err(NotWhole::Malformed);
    }
    let exponent: i64 = match exponent {
        None => 0,
        Some(text) => {
            let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
            if unsigned.is_empty() || !unsigned.bytes().all(|b| b.is_ascii_digit()) {
                return Err(NotWhole::Malformed);
            }
            // An exponent far outside, with the same result as any other of that sign.
            let far = if text.starts_with('-') { -(1 << 40) } else { 1 << 40 };
            text.parse::<i64>().unwrap_or(far).clamp(-(1 << 40), 1 << 40)
        }
    };
    let significant = digits.trim_start_matches('0');
    if significant.is_empty() {
        return Ok(0);
    }
    let trimmed = significant.trim_end_matches('0');
    // The text is bounded by the size of a scenario, far below 2^40.
    let scale = exponent - fraction.len() as i64 + (significant.len() - trimmed.len()) as i64;
    if scale < 0 {
        return Err(NotWhole::Fractional);
    }
    if trimmed.len() as i64 + scale > 20 {
        return Err(NotWhole::TooLarge);
    }
    let factor = 10_u128.pow(scale as u32);
    let value = trimmed.parse::<u128>().ok().and_then(|value| value.checked_mul(factor));
    value.and_then(|value| u64::try_from(value).ok()).ok_or(NotWhole::TooLarge)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_and_faults() {
        for (literal, value) in
            [("1_000", 1000), ("1e3", 1000), ("10^3", 1000), ("0x3e8", 1000), ("1.5e1", 15), ("0b1_01", 5)]
        {
            assert_eq!(whole_number(literal, 1000), Ok(value), "{literal}");
        }
        for (literal, fault) in [
            ("1001", NotWhole::TooLarge),
            ("0xffffffffffffffffff", NotWhole::TooLarge),
            ("2^64", NotWhole::TooLarge),
            ("1e30", NotWhole::TooLarge),
            ("0.5", NotWhole::Fractional),
            ("-1", NotWhole::Negative),
            ("0x", NotWhole::Malformed),
            ("0x+1", NotWhole::Malformed),
            ("0o8", NotWhole::Malformed),
            ("1f", NotWhole::Malformed),
            ("", NotWhole::Malformed),
        ] {
            assert_eq!(whole_number(literal, 1000), Err(fault), "{literal}");
        }
    }
}
