//! Numbers with nouns in messages, such as `3 nodes`.

/// A number with its noun, such as `1 node` or `3 nodes`; `noun` is the singular.
///
/// ```
/// use acrasin_catalogue::counted;
/// assert_eq!([counted(0, "edge"), counted(1, "edge"), counted(2, "edge")], ["0 edges", "1 edge", "2 edges"]);
/// assert_eq!([counted(1, "directed edge"), counted(3, "directed edge")], ["1 directed edge", "3 directed edges"]);
/// ```
#[must_use]
pub fn counted(count: impl TryInto<u128>, noun: &str) -> String {
    let count = count.try_into().unwrap_or(u128::MAX);
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}
