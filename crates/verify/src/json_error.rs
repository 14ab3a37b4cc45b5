//! Rewords errors of the JSON parser for the author of the line.
//!
//! The parser's own messages name parser states and types of this program. Messages of this workspace stay as they are.

use acrasin_catalogue::counted;

/// The reworded message for a line that is not JSON.
pub(crate) fn of_syntax(what: &str) -> String {
    let said = match what {
        "key must be a string" => "a name in double quotes is expected here",
        "expected value" => "a value is expected here",
        "expected ident" => "true, false or null is expected here",
        "expected `:`" => "`:` is expected here",
        "expected `,` or `]`" | "expected `,` or `}`" => {
            return format!("{} is expected here", what.trim_start_matches("expected "));
        }
        "trailing comma" => "a value is expected after the comma",
        "trailing characters" => "something follows the end of the value",
        "recursion limit exceeded" => "more than 127 nested brackets",
        "number out of range" => "the number is too large",
        "invalid number" => "this is not a number",
        "invalid escape" => {
            r#"this is not an escape: \" \\ \/ \b \f \n \r \t and \u with four hexadecimal digits are accepted"#
        }
        "lone leading surrogate in hex escape"
        | "unexpected end of hex escape"
        | "invalid unicode code point" => "this escape is half of a character",
        _ if what.starts_with("control character") => {
            r"a control character inside a text: \u and four hexadecimal digits are accepted"
        }
        _ => "this cannot be read",
    };
    said.to_owned()
}

/// The reworded message for a JSON value of the wrong type.
pub(crate) fn of_data(what: &str) -> String {
    if let Some(rest) = what.strip_prefix("invalid type: ").or_else(|| what.strip_prefix("invalid value: "))
        && let Some((found, wanted)) = rest.rsplit_once(", expected ")
    {
        return format!("found {}: {} is accepted", named(found), kind(wanted));
    }
    if let Some(rest) = what.strip_prefix("invalid length ")
        && let Some((count, wanted)) = rest.split_once(", expected ")
    {
        let elements = count
            .parse()
            .map_or_else(|_| format!("{count} elements"), |count: u64| counted(count, "element"));
        return format!("found {elements}: {} is accepted", kind(wanted));
    }
    for (start, said) in [("unknown field ", "there is no field "), ("unknown variant ", "there is no ")] {
        if let Some(rest) = what.strip_prefix(start) {
            let Some((name, accepted)) = rest.split_once("`, expected ") else {
                return format!("{said}{}", rest.trim_end_matches(", there are no fields"));
            };
            return format!("{said}{name}`: {} is accepted", accepted.trim_start_matches("one of "));
        }
    }
    if let Some(name) = what.strip_prefix("duplicate field ") {
        return format!("the field {name} is written twice");
    }
    if what.starts_with("missing field ") {
        return format!("{what}: it has no default");
    }
    match what {
        "number out of range" => "the number is too large".to_owned(),
        _ => what.to_owned(),
    }
}

/// The name of the value found, in JSON terms.
fn named(found: &str) -> &str {
    match found {
        "map" => "an object",
        "sequence" | "seq" => "a list",
        "unit" | "Option value" => "null",
        other => other,
    }
}

/// The name of the expected value, in JSON terms.
fn kind(wanted: &str) -> String {
    let bits = wanted.strip_prefix('u').and_then(|bits| bits.parse::<u32>().ok());
    if let Some(bits) = bits.filter(|bits| *bits <= 64) {
        return format!("a whole number from 0 to {}", u64::MAX >> (64 - bits));
    }
    if let Some((_, count)) = wanted.split_once(" with ").filter(|_| wanted.starts_with("tuple")) {
        return format!("a list of {count}");
    }
    if let Some(count) = wanted.strip_prefix("a tuple of size ") {
        return format!("a list of {count} elements");
    }
    match wanted {
        "usize" => "a whole number".to_owned(),
        "f64" | "f32" => "a number".to_owned(),
        "a boolean" => "true or false".to_owned(),
        "a string" | "string" | "str" => "a text in double quotes".to_owned(),
        "a sequence" | "sequence" => "a list".to_owned(),
        "a map" | "map" => "an object".to_owned(),
        _ if wanted.starts_with("struct ") || wanted.starts_with("internally tagged enum ") => {
            "an object".to_owned()
        }
        _ if wanted.starts_with("variant ") || wanted.starts_with("enum ") => {
            "a name in double quotes".to_owned()
        }
        other => other.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use serde::Deserialize;

    use super::*;

    #[derive(Deserialize, Debug)]
    #[serde(deny_unknown_fields)]
    struct Sample {
        #[serde(rename = "n")]
        _n: u32,
        #[serde(rename = "f", default)]
        _f: (u8, bool, f64),
        #[serde(rename = "w", default)]
        _w: Option<Word>,
        #[serde(rename = "m", default)]
        _m: BTreeMap<String, usize>,
        #[serde(rename = "s", default)]
        _s: String,
    }

    #[derive(Deserialize, Debug)]
    enum Word {
        One,
        Two,
    }

    /// The reworded message, without ` at line 1 column 7`.
    fn refused(text: &str) -> String {
        let error = serde_json::from_str::<Sample>(text).unwrap_err();
        let what = error.to_string();
        let what = what.split_once(" at line ").unwrap().0;
        if error.is_data() { of_data(what) } else { of_syntax(what) }
    }

    #[test]
    fn nothing_is_said_in_the_words_of_the_parser() {
        for (text, said) in [
            (r#"{"n":"x"}"#, "found string \"x\": a whole number from 0 to 4294967295 is accepted"),
            (r#"{"n":-1}"#, "found integer `-1`: a whole number from 0 to 4294967295 is accepted"),
            (r#"{"n":[]}"#, "found a list: a whole number from 0 to 4294967295 is accepted"),
            (r#"{"n":1,"f":[1]}"#, "found 1 element: a list of 3 elements is accepted"),
            (r#"{"n":1,"f":[1,2]}"#, "found integer `2`: true or false is accepted"),
            (r#"{"n":1,"w":"Three"}"#, "there is no `Three`: `One` or `Two` is accepted"),
            (r#"{"n":1,"w":7}"#, ""),
            (r#"{"n":1,"m":7}"#, "found integer `7`: an object is accepted"),
            (r#"{"n":1,"s":7}"#, "found integer `7`: a text in double quotes is accepted"),
            (r#"{"n":1,"n":2}"#, "the field `n` is written twice"),
            (r#"{"n":1,"x":2}"#, "there is no field `x`: `n`, `f`, `w`, `m`, `s` is accepted"),
            (r"7", "found integer `7`: an object is accepted"),
            (r"{}", "missing field `n`: it has no default"),
            (r"{1:2}", "a name in double quotes is expected here"),
            (r#"{"n" 1}"#, "`:` is expected here"),
            (r#"{"n":1 2}"#, "`,` or `}` is expected here"),
            (r#"{"n":1,}"#, "a value is expected after the comma"),
            (r#"{"n":1}1"#, "something follows the end of the value"),
            (r#"{"n":tru}"#, "true, false or null is expected here"),
            (
                r#"{"n":1,"s":"\x"}"#,
                "this is not an escape: \\\" \\\\ \\/ \\b \\f \\n \\r \\t and \\u with four hexadecimal digits are accepted",
            ),
            (
                "{\"n\":1,\"s\":\"\u{1}\"}",
                "a control character inside a text: \\u and four hexadecimal digits are accepted",
            ),
            (r#"{"n":1,"s":"\ud800"}"#, "this escape is half of a character"),
            (r#"{"n":1,"s":"\ud800x"}"#, "this escape is half of a character"),
        ] {
            let refused = refused(text);
            if !said.is_empty() {
                assert_eq!(refused, said, "{text}");
            }
            for word in ["struct", "enum", "variant", "tuple", "u32", "column", "expected value", "EOF"] {
                assert!(!refused.contains(word), "{text}: {refused}");
            }
        }
        let _ = (Word::One, Word::Two);
    }
}
