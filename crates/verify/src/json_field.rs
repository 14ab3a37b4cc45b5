//! Finds the field of a JSON line at which the parser stopped, for errors.

/// The maximum number of path levels that are shown. An untrusted file may have thousands.
const LEVELS_SHOWN: usize = 12;

/// The maximum number of characters of a field's name that are shown.
const NAME_SHOWN: usize = 40;

/// An object or array that is not closed yet.
enum Open<'t> {
    /// An object, with the name of the field whose value is being read; `None` before the first colon.
    Object(Option<&'t str>),
    /// An array, with the index of the current element.
    Array(u64),
}

/// The path of the JSON value that contains byte `at` of `text`, for instance `steps[0].node.state`. The path of the
/// outermost value is empty. If the text is not JSON, the path is a best guess. Cost: O(at).
pub(crate) fn field_at(text: &str, at: usize) -> String {
    let bytes = &text.as_bytes()[..at.min(text.len())];
    let mut open: Vec<Open<'_>> = Vec::new();
    // A name counts as the current field only after its colon: an error in the name belongs to the object.
    let mut name = "";
    let mut from = 0;
    while from < bytes.len() {
        match bytes[from] {
            b'"' => {
                let end = end_of_string(bytes, from + 1);
                name = text.get(from + 1..end).unwrap_or("");
                from = end;
            }
            b'{' => open.push(Open::Object(None)),
            b'[' => open.push(Open::Array(0)),
            b'}' | b']' => {
                open.pop();
            }
            b':' => {
                if let Some(Open::Object(field)) = open.last_mut() {
                    *field = Some(name);
                }
            }
            b',' => match open.last_mut() {
                Some(Open::Object(field)) => *field = None,
                Some(Open::Array(element)) => *element += 1,
                None => {}
            },
            _ => {}
        }
        from += 1;
    }
    path(&open)
}

/// The position of the closing quote of a string that starts at `from`, or the end of the text.
fn end_of_string(bytes: &[u8], mut from: usize) -> usize {
    while from < bytes.len() && bytes[from] != b'"' {
        from += if bytes[from] == b'\\' { 2 } else { 1 };
    }
    from.min(bytes.len())
}

fn path(open: &[Open<'_>]) -> String {
    let mut path = String::new();
    for level in open.iter().take(LEVELS_SHOWN) {
        match level {
            Open::Object(Some(name)) => {
                let name: String = name.chars().take(NAME_SHOWN).collect();
                let dot = if path.is_empty() { "" } else { "." };
                path += &format!("{dot}{}", name.escape_debug());
            }
            Open::Object(None) => {}
            Open::Array(element) => path += &format!("[{element}]"),
        }
    }
    if open.len() > LEVELS_SHOWN {
        path += &format!("... ({} levels deep)", open.len());
    }
    path
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The path at the mark `|` of `marked`.
    fn at_mark(marked: &str) -> String {
        let at = marked.find('|').unwrap();
        field_at(&marked.replacen('|', "", 1), at)
    }

    #[test]
    fn values_and_what_is_about_their_owner() {
        for (marked, path) in [
            ("|{}", ""),
            (r#"{"n":2|,"m":3}"#, "n"),
            (r#"{"n":2,"m"|:3}"#, ""),
            (r#"{"a":{"b":[0,[1,2|]]}}"#, "a.b[1][1]"),
            (r#"{"a":{"b":[0,[1,2]|]}}"#, "a.b[1]"),
            (r#"{"a":[{"b":1}|]}"#, "a[0]"),
            (r#"{"a":"x,\"]}[{:|"}"#, "a"),
            (r#"{"a":"}"|}"#, "a"),
            (r#"[7,{|"#, "[1]"),
        ] {
            assert_eq!(at_mark(marked), path, "{marked}");
        }
    }

    #[test]
    fn neither_depth_nor_names_make_it_long() {
        let deep = field_at(&"[".repeat(100_000), 100_000);
        assert!(deep.ends_with("... (100000 levels deep)") && deep.len() < 100, "{deep}");
        let named = format!("{{\"{}\":1", "é".repeat(1000));
        assert_eq!(field_at(&named, named.len()).chars().count(), NAME_SHOWN);
        // Truncated text, and text that is not JSON.
        assert_eq!(field_at("{\"a\":\"\\", 99), "a");
        assert_eq!(field_at("]},:\"", 99), "");
    }
}
