//! Paths of positions in a JSON text, for messages.

use crate::limits::PLACE_CHARS_MAX;

/// The maximum number of characters of a field's name that are shown.
const NAME_SHOWN: usize = 40;

/// The path of the JSON value at byte `at`, for instance `sides[0].tree.steps[2].dead[1] (byte 871)`. Cost: linear in
/// `at`.
///
/// Paths of deep proofs have thousands of parts, so the middle of a long one is left out.
pub(crate) fn place(text: &str, at: usize) -> String {
    let path = path(text, at);
    let path = if path.is_empty() { "the whole file".to_owned() } else { shortened(&path) };
    format!("{path} (byte {at})")
}

fn shortened(path: &str) -> String {
    let length = path.chars().count();
    if length <= PLACE_CHARS_MAX {
        return path.to_owned();
    }
    let half = PLACE_CHARS_MAX / 2 - 2;
    let start: String = path.chars().take(half).collect();
    let end: String = path.chars().skip(length - half).collect();
    format!("{start} … {end}")
}

/// An object or array that contains the position.
enum OpenValue<'t> {
    /// An object, with the name of the field that contains the position.
    Object(Option<&'t str>),
    /// An array, with the index of the element that contains the position.
    Array(u64),
}

fn path(text: &str, at: usize) -> String {
    let bytes = &text.as_bytes()[..at.min(text.len())];
    let mut open: Vec<OpenValue<'_>> = Vec::new();
    let mut name = "";
    let mut from = 0;
    while from < bytes.len() {
        match bytes[from] {
            b'"' => {
                let start = from + 1;
                from = start;
                while from < bytes.len() && bytes[from] != b'"' {
                    from += if bytes[from] == b'\\' { 2 } else { 1 };
                }
                name = text.get(start..from.min(bytes.len())).unwrap_or("");
            }
            b'{' => open.push(OpenValue::Object(None)),
            b'[' => open.push(OpenValue::Array(0)),
            b'}' | b']' => drop(open.pop()),
            // A name counts only after its colon: an error in the name belongs to the object.
            b':' => {
                if let Some(OpenValue::Object(field)) = open.last_mut() {
                    *field = Some(name);
                }
            }
            b',' => match open.last_mut() {
                Some(OpenValue::Object(field)) => *field = None,
                Some(OpenValue::Array(element)) => *element += 1,
                None => {}
            },
            _ => {}
        }
        from += 1;
    }
    let mut path = String::new();
    for level in &open {
        match level {
            OpenValue::Object(Some(name)) => {
                let name: String = name.chars().take(NAME_SHOWN).collect();
                let dot = if path.is_empty() { "" } else { "." };
                path += &format!("{dot}{}", name.escape_debug());
            }
            OpenValue::Object(None) => {}
            OpenValue::Array(element) => path += &format!("[{element}]"),
        }
    }
    path
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_lead_to_the_marked_value() {
        for (marked, expected) in [
            ("|{}", "the whole file (byte 0)"),
            (r#"{"n":|2,"m":3}"#, "n (byte 5)"),
            (r#"{"a":{"b":[0,[1,|2]]}}"#, "a.b[1][1] (byte 16)"),
            (r#"{"a":"x,\"]}[{:|"}"#, "a (byte 15)"),
            (r#"[7,|{}"#, "[1] (byte 3)"),
        ] {
            let at = marked.find('|').unwrap();
            assert_eq!(place(&marked.replacen('|', "", 1), at), expected, "{marked}");
        }
    }

    #[test]
    fn deep_places_are_shortened() {
        let text = r#"{"of":["#.repeat(5000);
        let place = place(&text, text.len());
        assert!(place.starts_with("of[0].of[0]") && place.ends_with("[0] (byte 35000)"), "{place}");
        assert!(place.chars().count() < PLACE_CHARS_MAX + 20, "{place}");
    }
}
