//! Names of states, outputs, protocols and parameters: validation and suggestions.

use std::fmt;

/// The maximum length of a name in characters, so that tables are readable and errors that quote a name are short.
pub(crate) const MAX_NAME: usize = 64;

/// The largest number of names that an error lists in full.
const MAX_LISTED: usize = 12;

/// The reason why `name` cannot be used in a rule; `None` if it can be used.
pub(crate) fn fault(name: &str) -> Option<&'static str> {
    if name.is_empty() {
        Some("it is empty")
    } else if name.chars().count() > MAX_NAME {
        Some("it is longer than 64 characters")
    } else if name.chars().any(|c| c.is_whitespace() || c.is_control()) {
        Some("it contains white space or a control character")
    } else if name.contains('+') || name.contains("->") {
        Some("it contains `+` or `->`, which have a meaning in rules")
    } else {
        None
    }
}

/// The beginning of an external text, short enough to quote.
pub(crate) fn quoted(text: &str) -> String {
    match text.char_indices().nth(MAX_NAME) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}...", &text[..end]),
    }
}

/// The name closest to `wanted`, if it is close enough to be suggested.
pub(crate) fn nearest<'a>(wanted: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    if wanted.chars().count() > MAX_NAME {
        return None;
    }
    let folded = wanted.to_lowercase();
    names
        .into_iter()
        .filter_map(|name| {
            let distance = strsim::damerau_levenshtein(&folded, &name.to_lowercase());
            let longest = wanted.chars().count().max(name.chars().count());
            // One slip in three letters: a one-letter name only matches its other case.
            (distance <= longest / 3).then_some((distance, name))
        })
        .min()
        .map(|(_, name)| name)
}

/// The text "did you mean `x`?" with the name nearest to `wanted`, if one is near enough.
pub(crate) fn suggestion<'a>(wanted: &str, names: impl IntoIterator<Item = &'a str>) -> Option<String> {
    nearest(wanted, names).map(|name| format!("did you mean `{name}`?"))
}

/// The accepted values of an error, and a suggestion. `Display` joins them by a semicolon.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Accepted {
    pub(crate) values: String,
    pub(crate) hint: Option<String>,
}

impl<T: Into<String>> From<T> for Accepted {
    fn from(values: T) -> Self {
        Self { values: values.into(), hint: None }
    }
}

impl Accepted {
    /// The known names, with a long list shortened, and the one nearest to `wanted`.
    pub(crate) fn names<'a>(wanted: &str, names: impl IntoIterator<Item = &'a str> + Clone) -> Self {
        let all: Vec<&str> = names.clone().into_iter().collect();
        let mut values = all.iter().take(MAX_LISTED).copied().collect::<Vec<_>>().join(", ");
        if all.len() > MAX_LISTED {
            values += &format!(", ... ({} names)", all.len());
        }
        Self { values, hint: suggestion(wanted, names) }
    }
}

impl fmt::Display for Accepted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.values)?;
        self.hint.iter().try_for_each(|hint| write!(f, "; {hint}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn close_names_are_hinted_and_far_ones_are_not() {
        let names = ["approximate-majority", "exact-majority", "averaging"];
        assert_eq!(nearest("aproximate-majorty", names), Some("approximate-majority"));
        assert_eq!(nearest("Averaging", names), Some("averaging"));
        assert_eq!(nearest("clock", names), None);
        assert_eq!(nearest("q", ["A", "B"]), None);
        assert_eq!(nearest("a", ["A", "B"]), Some("A"));
        assert_eq!(nearest("", ["A"]), None);
        assert_eq!(nearest(&"a".repeat(10_000), ["a"]), None);
    }

    #[test]
    fn names_that_would_confuse_a_rule_are_refused() {
        assert_eq!(fault("A-"), None);
        assert_eq!(fault(&"x".repeat(64)), None);
        for wrong in ["", "a b", "a+b", "a->b", "a\u{7}", &"x".repeat(65)] {
            assert!(fault(wrong).is_some(), "{wrong:?}");
        }
    }

    #[test]
    fn long_lists_are_cut() {
        let names: Vec<String> = (0..20).map(|i| format!("state{i}")).collect();
        let text = Accepted::names("stat7", names.iter().map(String::as_str)).to_string();
        assert!(text.contains("(20 names)") && text.ends_with("did you mean `state7`?"), "{text}");
    }
}
