//! Resolves the column names that users write.

use std::fmt;

use crate::escape::visible;
use crate::layout::shorten;
use crate::value::TextStyle;

/// Maximum names that an error lists.
const LISTED: usize = 40;

/// The error for a column name that fits no column, or several.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownColumn {
    wanted: String,
    meant: Vec<String>,
    all: Vec<String>,
}

/// Maximum bytes of a name that an error shows.
const NAME_SHOWN: usize = 80;

/// A name from a file as messages show it: on one line, and shortened.
fn shown(name: &str) -> String {
    shorten(&visible(name), NAME_SHOWN, TextStyle::default())
}

impl UnknownColumn {
    /// The candidates: all columns whose path ends in the name, or else the column with the most similar name.
    #[must_use]
    pub fn meant(&self) -> &[String] {
        &self.meant
    }

    /// Whether several columns end in the name.
    pub(super) fn is_ambiguous(&self) -> bool {
        self.meant.len() > 1
    }
}

impl fmt::Display for UnknownColumn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { wanted, meant, all } = self;
        let wanted = shown(wanted);
        let listed = |names: &[String]| {
            let more = names.len().saturating_sub(LISTED);
            let rest = if more > 0 { format!(" and {more} more") } else { String::new() };
            (names.iter().take(LISTED).map(|name| shown(name)).collect::<Vec<_>>(), rest)
        };
        match meant.as_slice() {
            [] => write!(f, "there is no column `{wanted}`")?,
            [one] => write!(f, "there is no column `{wanted}`; did you mean `{}`?", shown(one))?,
            several => {
                let (names, rest) = listed(several);
                return write!(f, "`{wanted}` is ambiguous: it may be {}{rest}", names.join(" or "));
            }
        }
        let (names, rest) = listed(all);
        write!(f, "\n = there are {}{rest}", names.join(", "))
    }
}

impl std::error::Error for UnknownColumn {}

/// Whether a column is a setting of the runs instead of a result.
pub(super) fn is_parameter(name: &str) -> bool {
    ["sweep.", "scenario.", "manifest."].iter().any(|section| name.starts_with(section))
}

/// Resolves `wanted` among `names`: the column of this name, or else the only one whose path ends in it. Parameters
/// that a sweep varied are preferred.
///
/// # Errors
///
/// [`UnknownColumn`] if there is none, or several.
pub(super) fn find<'n>(names: &'n [String], wanted: &str) -> Result<&'n str, UnknownColumn> {
    let wanted = wanted.trim();
    if let Some(name) = names.iter().find(|name| *name == wanted) {
        return Ok(name);
    }
    let tail = format!(".{}", wanted.replace(' ', "_"));
    let ending: Vec<&String> = names.iter().filter(|name| ends_in(name, wanted)).collect();
    match ending.as_slice() {
        [one] => Ok(one),
        [] => Err(unknown(names, wanted, nearest(names, &tail[1..]).into_iter().collect())),
        several => {
            let varied = several.iter().find(|name| name.strip_prefix("sweep") == Some(&tail));
            varied
                .map(|name| name.as_str())
                .ok_or_else(|| unknown(names, wanted, several.iter().map(|name| (*name).clone()).collect()))
        }
    }
}

/// Whether the last parts of the path `name` are `wanted`. A space in `wanted` stands for `_` or for the dot between
/// two parts.
fn ends_in(name: &str, wanted: &str) -> bool {
    let is_same = |(written, wanted)| written == wanted || wanted == ' ' && matches!(written, '_' | '.');
    let tails = name.match_indices('.').map(|(at, _)| &name[at + 1..]).chain([name]);
    let mut tails = tails.filter(|tail| tail.len() == wanted.len());
    tails.any(|tail| tail.chars().zip(wanted.chars()).all(is_same))
}

fn unknown(names: &[String], wanted: &str, meant: Vec<String>) -> UnknownColumn {
    UnknownColumn { wanted: wanted.to_owned(), meant, all: names.to_vec() }
}

/// Maximum bytes of a name for which a similar one is searched. The cost of a comparison is the product of both
/// lengths.
const COMPARED: usize = 200;

/// The name that is, in full or by its last part, most similar to `wanted`; `None` if no name is similar enough.
fn nearest(names: &[String], wanted: &str) -> Option<String> {
    if wanted.len() > COMPARED {
        return None;
    }
    let likeness = |name: &str| {
        let tails = name.match_indices('.').map(|(at, _)| &name[at + 1..]).chain([name]);
        let tails = tails.filter(|tail| tail.len() <= COMPARED);
        tails.map(|tail| strsim::normalized_damerau_levenshtein(tail, wanted)).fold(0.0, f64::max)
    };
    let likenesses = names.iter().rev().map(|name| (likeness(name), name));
    let (best, name) = likenesses.max_by(|a, b| a.0.total_cmp(&b.0))?;
    (best > 0.5).then(|| name.clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names() -> Vec<String> {
        [
            "sweep.topology.nodes",
            "topology.nodes",
            "work.parallel_time",
            "scenario.topology.nodes",
            "work.law",
        ]
        .map(str::to_owned)
        .into()
    }

    #[test]
    fn the_whole_name_or_its_end_is_enough() {
        for (wanted, expected) in [
            ("topology.nodes", "topology.nodes"),
            ("work.parallel_time", "work.parallel_time"),
            ("parallel time", "work.parallel_time"),
            (" law ", "work.law"),
            ("work law", "work.law"),
            ("work parallel time", "work.parallel_time"),
        ] {
            assert_eq!(find(&names(), wanted), Ok(expected), "{wanted}");
        }
        // Varied columns are preferred to other parameters.
        let without: Vec<String> = names().into_iter().filter(|name| name != "topology.nodes").collect();
        assert_eq!(find(&without, "topology.nodes"), Ok("sweep.topology.nodes"));
    }

    #[test]
    fn what_is_not_there_has_a_nearest_name_and_a_list() {
        let error = find(&names(), "paralel time").unwrap_err();
        assert_eq!(error.meant(), ["work.parallel_time"]);
        let text = error.to_string();
        assert!(text.contains("did you mean `work.parallel_time`?") && text.contains("work.law"), "{text}");
        assert_eq!(find(&names(), "zzz").unwrap_err().meant(), [""; 0]);
        // Regression: two names of 5000 letters were compared for seven seconds.
        let long = "parallel_time".repeat(400);
        let error = find(std::slice::from_ref(&long), &long[1..]).unwrap_err();
        assert_eq!(error.meant(), [""; 0]);
        let several = find(&names(), "nodes").unwrap_err().to_string();
        assert_eq!(
            several,
            "`nodes` is ambiguous: it may be sweep.topology.nodes or topology.nodes or scenario.topology.nodes"
        );
    }
}
