//! Property tests of the trees parsed from scenario texts. Values equal those of the `ron` crate, and their spans are
//! correct. Every error has a position. After an override, the edited tree equals the tree parsed from the edited text.

use proptest::prelude::*;
use ron::value::{F32, F64, Map};
use serde::de::IgnoredAny;

use super::overriding;
use super::read::parse;
use super::source::EffectiveText;
use super::tree::{GroupBody, Number, SpannedNode, SpannedValue};

/// The value as the `ron` crate reads it; `None` for names, which its value type does not keep.
fn as_ron(node: &SpannedNode) -> Option<ron::Value> {
    Some(match &node.value {
        SpannedValue::Number { value: Number::Whole(value), .. } => number(*value),
        SpannedValue::Number { value: Number::Negative(value), .. } => number(*value),
        // The crate stores a float in 32 bits if that is exact.
        SpannedValue::Number { value: Number::Real(real), .. } => ron::Value::Number(match *real {
            real if f64::from(real as f32) == real => ron::Number::F32(F32(real as f32)),
            real => ron::Number::F64(F64(real)),
        }),
        SpannedValue::Text(text) => ron::Value::String(text.clone()),
        SpannedValue::Char(c) => ron::Value::Char(*c),
        SpannedValue::Word(word) => match word.as_str() {
            "true" => ron::Value::Bool(true),
            "false" => ron::Value::Bool(false),
            _ => return None,
        },
        SpannedValue::List(items) => ron::Value::Seq(items.iter().map(as_ron).collect::<Option<_>>()?),
        SpannedValue::Map(entries) => {
            let pairs = entries.iter().map(|(key, value)| Some((as_ron(key)?, as_ron(value)?)));
            ron::Value::Map(pairs.collect::<Option<Map>>()?)
        }
        SpannedValue::Group { name: Some(_), .. } => return None,
        SpannedValue::Group { body: GroupBody::Fields(fields), .. } => {
            let pairs = fields
                .iter()
                .map(|field| Some((ron::Value::String(field.name.text.clone()), as_ron(&field.value)?)));
            ron::Value::Map(pairs.collect::<Option<Map>>()?)
        }
        SpannedValue::Group { body: GroupBody::Items(items), .. } if items.is_empty() => ron::Value::Unit,
        SpannedValue::Group { body: GroupBody::Items(items), .. } => {
            ron::Value::Seq(items.iter().map(as_ron).collect::<Option<_>>()?)
        }
    })
}

/// A whole number in the smallest type of the `ron` crate that holds it.
fn number<N: Into<i128>>(value: N) -> ron::Value {
    let value: i128 = value.into();
    ron::from_str(&value.to_string()).expect("a whole number of 64 bits")
}

fn blank() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => Just(String::new()),
        2 => Just(" ".to_owned()),
        1 => Just("\n\t".to_owned()),
        1 => Just(" // note: ( \" [\n".to_owned()),
        1 => Just("/* a /* b */ ) */".to_owned()),
    ]
}

fn text_literal() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-zA-Z0-9 äß日,:()\\[\\]{}/'#]{0,8}".prop_map(|body| format!("\"{body}\"")),
        r#"(\\n|\\t|\\\\|\\"|\\'|\\x4[0-9]|\\u\{1f60[0-9]\}|[a-z]|\\r|\\0){0,6}"#
            .prop_map(|body| format!("\"{body}\"")),
        "[a-z\"\\\\ä]{0,6}".prop_map(|body| format!("r##\"{body}\"##")),
    ]
}

fn number_literal() -> impl Strategy<Value = String> {
    prop_oneof![
        any::<i64>().prop_map(|value| value.to_string()),
        any::<u64>().prop_map(|value| value.to_string()),
        "[1-9][0-9]{0,2}(_[0-9]{3}){0,4}",
        "[-+]?[0-9]{1,6}\\.[0-9]{1,6}(e[-+]?[0-9]{1,2})?",
        "[-+]?[0-9]{1,6}[eE][-+]?[0-9]{1,2}",
        "0x[0-9a-fA-F]{1,8}|0b[01]{1,9}|0o[0-7]{1,8}",
    ]
}

/// Texts of nested values, without names, which the value type of the crate does not keep.
fn document() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        number_literal(),
        text_literal(),
        Just("true".to_owned()),
        Just("false".to_owned()),
        "'[a-z(\\[,]'",
        Just("()".to_owned()),
    ];
    let padded = (blank(), leaf, blank()).prop_map(|(before, leaf, after)| before + &leaf + &after);
    padded.prop_recursive(4, 24, 5, |inner| {
        let comma = any::<bool>().prop_map(|comma| if comma { "," } else { "" });
        let items = prop::collection::vec(inner.clone(), 0..5);
        let list = (items, comma.clone()).prop_map(|(items, comma)| {
            let comma = if items.is_empty() { "" } else { comma };
            format!("[{}{comma}]", items.join(","))
        });
        let fields = prop::collection::vec(inner.clone(), 1..5);
        let group = (fields, blank(), comma).prop_map(|(values, blank, comma)| {
            let fields: Vec<String> = values
                .iter()
                .enumerate()
                .map(|(index, value)| format!("{blank}f{index}{blank}:{value}"))
                .collect();
            format!("({}{comma})", fields.join(","))
        });
        let map = prop::collection::vec(inner, 0..5).prop_map(|values| {
            let entries: Vec<String> =
                values.iter().enumerate().map(|(index, value)| format!("\"k{index}\":{value}")).collect();
            format!("{{{}}}", entries.join(","))
        });
        (blank(), prop_oneof![list, group, map], blank())
            .prop_map(|(before, body, after)| before + &body + &after)
    })
}

/// A scenario with all kinds of path segments.
const SCENARIO: &str = "// A comment.\n(seed: 3, topology: Gnp(nodes: 1e2, probability: 0.25), lock: (),\n  \
    work: Interactions(protocol: Table((states: [\"A b\", \"c\"], rules: [Ordered(\"c + c -> c + c\"),])),\n  \
    initial: Counts({\"A b\": 60, /* none */ \"c\": 40,}, rest: r#\"c\"#)), stop: [Silent, Rounds(7)], scheduler: Sequential,)";

/// Valid texts, including names before parentheses.
fn text_with_names() -> impl Strategy<Value = String> {
    prop_oneof![
        Just(SCENARIO.to_owned()),
        document(),
        document().prop_map(|text| text.replace('(', "Name(")),
        document().prop_map(|text| format!("(f0: {}, f1: Some({text}))", text.replace("[", "Name ( ["))),
    ]
}

/// Suffixes for the path of an existing value: none, or one that may be missing.
fn further() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "",
        "",
        "",
        "[0]",
        "[9]",
        ".f0",
        ".f9",
        ".k0",
        ".k9",
        ".r.b.Some",
        ".true.inf",
        "[\"a \\\"b\\\\\"]",
        ".k9.x",
        "[\"f0\"]",
        ".a.b[0]",
        ".a[\"b\"]",
    ])
}

fn override_value() -> impl Strategy<Value = String> {
    let given = [
        "1",
        "10^6",
        "()",
        "[]",
        "{}",
        "Word",
        "Name()",
        " Name(1, \"two\",) // three",
        "{\"c\": 1,}",
        "r#\"a\"b\"#",
        "/**/ \"c\"",
        "\"a \\\" b\"",
        "a \"b\" \\c",
        "r\"",
        "(",
        "",
        "None",
    ];
    prop_oneof![
        4 => prop::sample::select(given.map(str::to_owned).to_vec()),
        4 => document(),
        1 => (55..66_usize).prop_map(|levels| "[".repeat(levels) + &"]".repeat(levels)),
        1 => (55..66_usize).prop_map(|levels| "Foo((a:".repeat(levels / 2) + "1" + &"))".repeat(levels / 2)),
    ]
}

/// The path to a nested value; `turns` selects a child on each level. Fields and keys are written by name, other
/// children by index.
fn path_to(root: &SpannedNode, turns: &[prop::sample::Index]) -> String {
    let (mut node, mut path) = (root, String::new());
    for turn in turns {
        let (step, next) = match &node.value {
            SpannedValue::Group { body: GroupBody::Fields(fields), .. } if !fields.is_empty() => {
                let field = turn.get(fields);
                (format!(".{}", field.name.text), &field.value)
            }
            SpannedValue::Map(entries) if !entries.is_empty() => {
                let (key, value) = turn.get(entries);
                let SpannedValue::Text(key) = &key.value else { break };
                (format!("[{key:?}]"), value)
            }
            SpannedValue::List(items) | SpannedValue::Group { body: GroupBody::Items(items), .. }
                if !items.is_empty() =>
            {
                let index = turn.index(items.len());
                (format!("[{index}]"), &items[index])
            }
            _ => break,
        };
        path += &step;
        node = next;
    }
    path
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(800))]

    /// After an override, the edited tree equals the tree of the edited text in values, spans and depth.
    #[test]
    fn an_override_changes_the_tree_as_it_changes_the_text(
        text in text_with_names(),
        sets in prop::collection::vec(
            (prop::collection::vec(any::<prop::sample::Index>(), 0..6), further(), override_value()), 1..6
        ),
    ) {
        let Ok(mut root) = parse(&text) else { return Ok(()) };
        let mut source = EffectiveText::new("f", &text);
        for (turns, further, value) in sets {
            let key = path_to(&root, &turns) + further;
            let applied = overriding::apply(&mut source, &mut root, key.trim_start_matches('.'), &value);
            match parse(source.text()) {
                Ok(parsed) => prop_assert_eq!(&root, &parsed, "{}={} {:?} {}", key, value, applied, source.text()),
                Err(failure) => {
                    let expected = source.error(failure).to_string();
                    let found = applied.map_err(|error| error.to_string());
                    prop_assert_eq!(found, Err(expected), "{}={} {}", key, value, source.text());
                    break;
                }
            }
        }
    }

    #[test]
    fn the_same_values(text in document()) {
        let expected: ron::Value = ron::from_str(&text).map_err(|error| {
            TestCaseError::fail(format!("the crate refuses {text:?}: {error}"))
        })?;
        let node = parse(&text).map_err(|failure| TestCaseError::fail(format!("{text:?}: {failure:?}")))?;
        prop_assert_eq!(as_ron(&node), Some(expected), "{}", text);
    }

    /// A valid text gets one insertion, deletion or replacement. If it is then accepted, it is RON; if it is refused
    /// although it is RON, it contains an unsupported kind of value.
    #[test]
    fn nothing_is_accepted_beyond_ron(text in document(), at in any::<prop::sample::Index>(), put in "[\"(){}\\[\\],:x1.'#/u]?") {
        let chars: Vec<char> = text.chars().collect();
        let at = at.index(chars.len());
        let broken: String =
            chars[..at].iter().collect::<String>() + &put + &chars[at + 1..].iter().collect::<String>();
        let is_ron = ron::from_str::<IgnoredAny>(&broken).is_ok();
        match parse(&broken) {
            Ok(_) => prop_assert!(is_ron, "{:?}", broken),
            Err(failure) => {
                let span = failure.span.clone().expect("a place");
                prop_assert!(broken.get(span.clone()).is_some(), "{:?} {:?}", broken, failure);
                let unused = ["is not a number", "is written twice", "a value is expected here"];
                let is_unused = unused.iter().any(|words| failure.message.contains(words));
                prop_assert!(!is_ron || is_unused, "{:?} {:?}", broken, failure);
            }
        }
    }

    /// The text at the span of each value parses to that value.
    #[test]
    fn spans_hold_their_values(text in document()) {
        let mut left = vec![parse(&text).map_err(|failure| TestCaseError::fail(failure.to_string()))?];
        while let Some(node) = left.pop() {
            let alone = parse(&text[node.span.clone()]).map_err(|failure| TestCaseError::fail(failure.to_string()))?;
            prop_assert_eq!(as_ron(&alone), as_ron(&node));
            match node.value {
                SpannedValue::List(items) | SpannedValue::Group { body: GroupBody::Items(items), .. } => left.extend(items),
                SpannedValue::Group { body: GroupBody::Fields(fields), .. } => {
                    left.extend(fields.into_iter().map(|field| field.value));
                }
                SpannedValue::Map(entries) => left.extend(entries.into_iter().flat_map(|(key, value)| [key, value])),
                _ => {}
            }
        }
    }
}
