//! [`SweptField`]: the values of a field in a sweep, as a list or range.

use std::collections::BTreeMap;
use std::str::FromStr;

/// The maximum number of values of one range.
const VALUES_MAX: usize = 100_000;

/// A field of the scenario, and the values that the sweep gives it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct SweptField {
    /// The path of the field, as `--set` accepts it.
    pub(crate) key: String,
    /// The values, as `--set` accepts them.
    pub(crate) values: Vec<String>,
    /// A note for the user if the field has a long range without a step.
    pub(crate) note: Option<String>,
}

/// The number of values from which on a range without a step gets a note.
const NOTED_FROM: usize = 50;

/// Parses `KEY=[a, b, c]`, `KEY=1..10 by 3`, `KEY=1e2..1e6 x10`.
impl FromStr for SweptField {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        const ACCEPTED: &str =
            "KEY=[a, b, c], KEY=1..10, KEY=0.1..0.9 by 0.2 or KEY=100..1e6 x10 are accepted";
        let (key, written) = text.split_once('=').ok_or(ACCEPTED)?;
        let (key, written) = (key.trim(), written.trim());
        if key.is_empty() {
            return Err(ACCEPTED.to_owned());
        }
        let values = match written.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            Some(list) => listed(list)?,
            None => range(written).unwrap_or_else(|| Err(ACCEPTED.to_owned()))?,
        };
        if values.is_empty() {
            return Err(format!("{key} takes no value: {ACCEPTED}"));
        }
        if let Some((value, other)) = repeated(&values) {
            return Err(format!(
                "{key}: `{value}` and `{other}` are the same value; accepted: each value once, and --reps for several runs of it"
            ));
        }
        let has_step = written.starts_with('[') || written.contains(" by ") || written.contains(" x");
        let note = (!has_step && values.len() >= NOTED_FROM).then(|| {
            let count = values.len();
            format!(
                "{key} takes {count} values in steps of 1; `{written} by 10` and `{written} x2` take fewer"
            )
        });
        Ok(Self { key: key.to_owned(), values, note })
    }
}

/// Finds two values that are the same number, or the same text.
fn repeated(values: &[String]) -> Option<(&str, &str)> {
    let mut seen = BTreeMap::new();
    values.iter().find_map(|value| {
        // Whole numbers in full: seeds have more digits than a float.
        let is_whole = value.bytes().all(|byte| byte.is_ascii_digit());
        let canonical = number(value).filter(|_| !is_whole).map_or_else(|| value.clone(), written);
        seen.insert(canonical, value).map(|before| (before.as_str(), value.as_str()))
    })
}

/// Splits a list at commas outside brackets and quoted texts.
fn listed(list: &str) -> Result<Vec<String>, String> {
    let (mut values, mut depth, mut is_text, mut value) = (Vec::new(), 0_i32, false, String::new());
    let mut letters = list.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '"' => is_text = !is_text,
            '\\' if is_text => {
                value.push(letter);
                value.extend(letters.next());
                continue;
            }
            '(' | '[' | '{' if !is_text => depth += 1,
            ')' | ']' | '}' if !is_text => depth -= 1,
            ',' if !is_text && depth == 0 => {
                values.push(std::mem::take(&mut value));
                continue;
            }
            _ => {}
        }
        value.push(letter);
    }
    if is_text || depth != 0 {
        return Err(format!("[{list}]: a bracket or a text is not closed"));
    }
    if !value.trim().is_empty() {
        values.push(value);
    }
    match values.iter().find(|value| value.trim().is_empty()) {
        Some(_) => Err(format!("[{list}]: there is nothing between two commas")),
        None => Ok(values.into_iter().map(|value| value.trim().to_owned()).collect()),
    }
}

/// Parses `FROM..TO`, `FROM..TO by STEP` or `FROM..TO xFACTOR`, both ends included; `None` if the text has none of
/// these forms.
fn range(text: &str) -> Option<Result<Vec<String>, String>> {
    let (from, rest) = text.split_once("..")?;
    let (to, step) = match rest.split_once(" by ") {
        Some((to, step)) => (to, RangeStep::By(number(step)?)),
        None => match rest.split_once([' ']) {
            Some((to, factor)) => (to, RangeStep::Times(number(factor.trim().strip_prefix('x')?)?)),
            None => (rest, RangeStep::By(1.0)),
        },
    };
    Some(values(number(from)?, number(to)?, &step).map_err(|what| format!("{text}: {what}")))
}

enum RangeStep {
    By(f64),
    Times(f64),
}

fn number(text: &str) -> Option<f64> {
    text.trim().replace('_', "").parse().ok().filter(|number: &f64| number.is_finite())
}

fn values(from: f64, to: f64, step: &RangeStep) -> Result<Vec<String>, String> {
    if to < from {
        return Err("the end is before the start".to_owned());
    }
    let value = |place: usize| match step {
        RangeStep::By(step) => from + place as f64 * step,
        RangeStep::Times(factor) => from * factor.powi(i32::try_from(place).unwrap_or(i32::MAX)),
    };
    match step {
        RangeStep::By(step) if *step <= 0.0 => return Err("a step must be above 0".to_owned()),
        RangeStep::Times(factor) if *factor <= 1.0 => return Err("a factor must be above 1".to_owned()),
        RangeStep::Times(_) if from <= 0.0 => {
            return Err("a start that is multiplied must be above 0".to_owned());
        }
        _ => {}
    }
    // Includes ends that are missed only by rounding.
    let end = to + to.abs() * 1e-12;
    let mut found = Vec::new();
    while value(found.len()) <= end {
        found.push(written(value(found.len())));
        if found.len() > VALUES_MAX {
            return Err(format!("more than {VALUES_MAX} values"));
        }
    }
    Ok(found)
}

/// A number as scenarios write it. Whole numbers have no decimal point; others have twelve digits, which hides rounding
/// errors.
fn written(value: f64) -> String {
    let nearest = value.round();
    if (value - nearest).abs() <= nearest.abs() * 1e-12 && nearest.abs() < 9e15 {
        return format!("{nearest:.0}");
    }
    let short: f64 = format!("{value:.12e}").parse().expect("a number that was just written");
    short.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(text: &str) -> Result<Vec<String>, String> {
        text.parse::<SweptField>().map(|over| over.values)
    }

    #[test]
    fn lists_and_ranges_are_read() {
        for (text, expected) in [
            ("a=[1, 2,3]", "1|2|3"),
            ("a.b=[Ring(nodes: 3), Grid(rows: 2, columns: 3)]", "Ring(nodes: 3)|Grid(rows: 2, columns: 3)"),
            (r#"a=["x, y", "z\","]"#, r#""x, y"|"z\",""#),
            ("a=1..4", "1|2|3|4"),
            ("a=0.1..0.5 by 0.1", "0.1|0.2|0.3|0.4|0.5"),
            ("a=10..31 by 10", "10|20|30"),
            ("a=1e2..1e6 x10", "100|1000|10000|100000|1000000"),
            ("a=1..8 x2", "1|2|4|8"),
            ("a=5..5", "5"),
            ("a=[18446744073709551614, 18446744073709551615]", "18446744073709551614|18446744073709551615"),
        ] {
            assert_eq!(values(text).unwrap().join("|"), expected, "{text}");
        }
        assert_eq!("x.y = [1]".parse::<SweptField>().unwrap().key, "x.y");
    }

    #[test]
    fn a_long_range_without_a_step_is_noted() {
        let note = |text: &str| text.parse::<SweptField>().unwrap().note;
        assert_eq!(
            note("a=100..1000").unwrap(),
            "a takes 901 values in steps of 1; `100..1000 by 10` and `100..1000 x2` take fewer"
        );
        assert_eq!(["a=1..49", "a=1..1000 by 1", "a=1..1e6 x1.1", "a=[1, 2]"].map(note), [const { None }; 4]);
    }

    #[test]
    fn what_is_no_range_is_refused_with_the_reason() {
        for (text, part) in [
            ("a", "are accepted"),
            ("=[1]", "are accepted"),
            ("a=3", "are accepted"),
            ("a=[]", "takes no value"),
            ("a=[1,,2]", "nothing between two commas"),
            ("a=[(1]", "not closed"),
            ("a=2..1", "the end is before the start"),
            ("a=1..2 by 0", "a step must be above 0"),
            ("a=1..2 x1", "a factor must be above 1"),
            ("a=0..2 x2", "above 0"),
            ("a=1..2 in 3", "are accepted"),
            ("a=1..inf", "are accepted"),
            ("a=1..1e9", "more than 100000 values"),
            ("a=[100, 1e2]", "`100` and `1e2` are the same value"),
            ("a=[x, 1, x]", "`x` and `x` are the same value"),
            ("a=[18446744073709551615, 18446744073709551615]", "are the same value"),
        ] {
            let error = values(text).unwrap_err();
            assert!(error.contains(part), "{text}: {error}");
        }
    }
}
