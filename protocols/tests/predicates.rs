//! Predicates on counts.

use acrasin_protocols::predicate::{
    MAX_COUNT, MAX_PREDICATE_BYTES, MAX_PREDICATE_DEPTH, MAX_PREDICATE_NAMES, Predicate, PredicateError,
};
use proptest::prelude::*;

const STATES: [&str; 4] = ["A", "B", "U", "odd 'name'"];
const OUTPUTS: [&str; 4] = ["yes", "no", "no", "odd 'name'"];

fn holds(text: &str, counts: [u64; 4]) -> bool {
    let predicate = Predicate::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    assert_eq!(predicate.text(), text);
    predicate.bind(&STATES, &OUTPUTS).unwrap_or_else(|error| panic!("{text}: {error}")).holds(&counts)
}

#[test]
fn values() {
    let counts = [5, 3, 2, 7];
    for text in [
        "A == 5",
        "A != 4",
        "A < 6 && A <= 5 && A > 4 && A >= 5",
        "no == 5",
        "yes == A",
        "n == 17",
        "'odd ''name''' == 7",
        "state(A) == output(yes)",
        "state('odd ''name''') == 7",
        "A + B - 2 * U == 4",
        "2 * (A + B) * 2 - 1 == 31",
        "-A + 10 == 5",
        "A - B - U == 0",
        "--A == 5",
        "100 * B <= 18 * n",
        "0 * A + 4 == 2 * 2",
        "!(A == 4)",
        "!!(A == 5)",
        "A == 0 && B == 0 || U == 2",
        "U == 2 || A == 0 && B == 0",
        "(U == 2 || A == 0) && B == 3",
        "!(A == 5) || B == 3",
        "(((A)) == (5))",
        "n >= 1_0 && n <= 1e2 && n <= 10^2 && n < 2^20 && n < 0x20",
        "A==5&&B==3",
        "A - A == 0",
        "A = 5 and B = 3 or A = 0",
        "A = 0 or B = 3 and A = 5",
        "not A = 4",
        "not not A = 5 and not B = 4",
        "not (A = 4 or B = 4)",
        "A - B mod 2 = 0",
        "A + B mod 5 = 3",
        "B - A mod 3 == 1",
        "(A mod 3) = (U mod 3)",
        "7 * A mod 10 > B mod 3 && n mod 1 = 0",
        "-1 mod 3 = 2",
    ] {
        assert!(holds(text, counts), "{text}");
        assert!(!holds(&format!("!({text})"), counts), "!({text})");
    }
    for text in ["A == 4", "(U == 2 || A == 0) && B == 4", "A + B * 2 == 16", "!(A == 5) && B == 3", "no < 5"]
    {
        assert!(!holds(text, counts), "{text}");
    }
}

/// The largest sums that the limits allow are exact.
#[test]
fn no_overflow_at_the_limits() {
    let names: Vec<String> = (0..MAX_PREDICATE_NAMES).map(|i| format!("s{i}")).collect();
    let sum = names.iter().map(|name| format!("10^18 * {name}")).collect::<Vec<_>>().join(" + ");
    let predicate = Predicate::parse(&format!("{sum} + 10^18 > 10^18 * n")).unwrap();
    let bound = predicate.bind(&names, &names).unwrap();
    let mut counts = vec![0; names.len()];
    counts[3] = MAX_COUNT;
    assert!(bound.holds(&counts));
    let equal = Predicate::parse(&format!("{sum} == 10^18 * n")).unwrap().bind(&names, &names).unwrap();
    assert!(equal.holds(&counts));
    counts.fill(MAX_COUNT);
    assert!(equal.holds(&counts));
}

#[track_caller]
fn refused(text: &str, start: usize, part: &str, message: &str, accepted: &str) -> PredicateError {
    let error = Predicate::parse(text).expect_err(text);
    assert_eq!((error.span().start, &text[error.span()], error.message()), (start, part, message), "{error}");
    assert!(error.accepted().contains(accepted), "{error}");
    error
}

/// Regression: `a mod 3 = 5` was false for all counts, without a word.
#[test]
fn numbers_that_are_no_remainders_are_refused_where_a_user_wrote_them() {
    for (text, start, number, modulus) in [
        ("a mod 3 = 5", 10, "5", 3),
        ("A > 1 && 3 != a - b mod 3", 9, "3", 3),
        ("a mod 3 < -1", 10, "-1", 3),
        ("a mod 1 = 1 or b mod 2 = 2", 10, "1", 1),
    ] {
        let error = Predicate::parse_strict(text).expect_err(text);
        assert_eq!((error.span().start, &text[error.span()]), (start, number), "{text}");
        let message = format!("{number} is not a remainder of a division by {modulus}");
        assert_eq!(
            (error.message(), error.accepted()),
            (&*message, &*format!("numbers from 0 to {}", modulus - 1))
        );
        // The library evaluates them.
        assert!(Predicate::parse(text).is_ok());
    }
    for text in ["a mod 3 = 2", "a mod 3 = b + 7", "a mod 3 = b mod 5", "7 mod 3 = 0", "a = 5", "0 = a mod 1"]
    {
        assert!(Predicate::parse_strict(text).is_ok(), "{text}");
    }
}

#[test]
fn syntax() {
    let operand = "a name, a number or a predicate in parentheses";
    refused("", 0, "", "the predicate ends too early", operand);
    refused("A ==", 4, "", "the predicate ends too early", operand);
    refused("A == 0 &&", 9, "", "the predicate ends too early", operand);
    refused("== 0", 0, "==", "`==` cannot stand here", operand);
    refused("A == 0 B", 7, "B", "`B` cannot stand here", "&&, ||, a comparison or the end");
    refused("A B == 0", 2, "B", "`B` cannot stand here", "&&, ||");
    refused("A == 0)", 6, ")", "`)` cannot stand here", "the end");
    for (text, start, part, hint) in [
        ("A == 2 y", 7, "y", "did you mean `2 * y`?"),
        ("2 y > x", 2, "y", "did you mean `2 * y`?"),
        ("(x > 10 'odd name')", 8, "'odd name'", "did you mean `10 * 'odd name'`?"),
    ] {
        let message = format!("`{part}` cannot stand here");
        assert_eq!(refused(text, start, part, &message, "&&, ||").hint(), Some(hint), "{text}");
    }
    assert_eq!(refused("x y > 2", 2, "y", "`y` cannot stand here", "&&, ||").hint(), None);
    assert_eq!(refused("2 not x", 2, "not", "`not` cannot stand here", "&&, ||").hint(), None);
    refused("(A == 0", 0, "(", "`(` is never closed", "`)`");
    refused("(A == 0, B)", 7, ",", "`,` cannot stand here", "`)`");
    refused("A ? 0", 2, "?", "`?` is not used in predicates", "names, numbers");
    refused("A mod 0 = 1", 6, "0", "`0` cannot stand here", "1 or more");
    refused("A mod B = 1", 6, "B", "`B` cannot stand here", "1 or more");
    refused("A mod", 5, "", "the predicate ends too early", "1 or more");
    refused(
        "(A mod 2) + 1 = 1",
        0,
        "(A mod 2)",
        "a remainder stands alone on its side of a comparison",
        "mod 3",
    );
    refused("A mod 2 mod 2 = 1", 8, "mod", "`mod` cannot stand here", "the end");
    refused("A mod 2", 0, "A mod 2", "this is a number, not true or false", "A == 0");
    refused("not A", 4, "A", "this is a number, not true or false", "A == 0");
    refused("A = 0 and", 9, "", "the predicate ends too early", operand);
    refused("A == 0 & B == 0", 7, "&", "`&` is not used in predicates", "`&&`");
    refused("A == 0 | B == 0", 7, "|", "`|` is not used in predicates", "`||`");
    refused("A == 0 / 2", 7, "/", "`/` is not used in predicates", "names, numbers");
    refused("\"A\" == 0", 0, "\"", "`\"` is not used in predicates", "single quotes");
    refused("'A == 0", 0, "'", "this name is never closed", "`'`");
    refused("ä == 'ö' && ß / 1", 17, "/", "`/` is not used in predicates", "names, numbers");
    refused("A < B < U", 6, "<", "comparisons cannot be chained", "A < B && B < C");
    refused("state() == 1", 6, ")", "`)` cannot stand here", "a name");
    refused("state(A == 1", 8, "==", "`==` cannot stand here", "`)`");
}

#[test]
fn kinds() {
    refused("A", 0, "A", "this is a number, not true or false", "A == 0");
    refused("A == 0 && B + 1", 10, "B + 1", "this is a number, not true or false", "A == 0");
    refused("A == 0 || (B)", 10, "(B)", "this is a number, not true or false", "A == 0");
    refused("(A == 0) + 1 == 2", 0, "(A == 0)", "this is true or false, not a number", "a sum");
    refused("A == (B == 0)", 5, "(B == 0)", "this is true or false, not a number", "a sum");
    refused("-(A == 0) == 1", 1, "(A == 0)", "this is true or false, not a number", "a sum");
    refused("!A == 0", 0, "!A", "`!` negates a comparison, not a number", "!(A == 0)");
    refused("2 * A * B > 1", 0, "2 * A * B", "a product of two counts is not linear", "a number times");
}

#[test]
fn limits() {
    refused("A > 10^19", 4, "10^19", "`10^19` is above the limit 10^18", "10^18");
    refused("A > 1.5", 4, "1.5", "`1.5` is not a whole number", "10^18");
    refused("A > 12x", 4, "12x", "`12x` is not a number", "10^18");
    assert!(Predicate::parse("A > 10^18").is_ok());
    refused(
        "A > 10^9 * 10^10",
        4,
        "10^9 * 10^10",
        "the factor 10000000000000000000 is beyond the limit",
        "10^18",
    );
    refused(
        "10^18 * A + A > 0",
        0,
        "10^18 * A + A",
        "the factor 1000000000000000001 is beyond the limit",
        "10^18",
    );
    let deep = |depth: usize| format!("{}A{} == 0", "(".repeat(depth), ")".repeat(depth));
    assert!(Predicate::parse(&deep(MAX_PREDICATE_DEPTH)).is_ok());
    let error = Predicate::parse(&deep(MAX_PREDICATE_DEPTH + 1)).unwrap_err();
    assert_eq!((error.span(), error.message()), (64..65, "more than 64 nested parentheses and signs"));
    for sign in ["!", "-", "("] {
        assert_eq!(Predicate::parse(&sign.repeat(4000)).unwrap_err().span().start, MAX_PREDICATE_DEPTH);
    }
    let long = |bytes: usize| format!("A == 0{}", " ".repeat(bytes - 6));
    assert!(Predicate::parse(&long(MAX_PREDICATE_BYTES)).is_ok());
    assert_eq!(
        Predicate::parse(&long(MAX_PREDICATE_BYTES + 1)).unwrap_err().accepted(),
        "at most 4096 bytes"
    );
    let names =
        |count: usize| format!("{} == 0", (0..count).map(|i| format!("s{i}")).collect::<Vec<_>>().join("+"));
    assert!(Predicate::parse(&names(MAX_PREDICATE_NAMES)).is_ok());
    assert_eq!(Predicate::parse(&names(MAX_PREDICATE_NAMES + 1)).unwrap_err().accepted(), "at most 64");
}

#[test]
fn unknown_names() {
    let bind = |text: &str| Predicate::parse(text).unwrap().bind(&STATES, &OUTPUTS).unwrap_err();
    let error = bind("A == 0 && yess > 1");
    assert_eq!((error.span(), error.message()), (10..14, "unknown state or output `yess`"));
    assert_eq!(error.hint(), Some("did you mean `yes`?"));
    assert_eq!(error.accepted(), "A, B, U, odd 'name', yes, no");
    assert_eq!(bind("state(yes) == 1").message(), "unknown state `yes`");
    assert_eq!(bind("state(yes) == 1").span(), 6..9);
    assert_eq!(bind("output(A) == 1").accepted(), "yes, no, odd 'name'");
    // The name of a state that is also the output of others.
    let predicate = Predicate::parse("A + B == 1").unwrap();
    let error = predicate.bind(&["A", "B"], &["B", "A"]).unwrap_err();
    assert_eq!((error.span(), error.accepted()), (0..1, "state('A') or output('A')"));
    let clear = Predicate::parse("state(A) == 1 && output(A) == 2").unwrap();
    assert!(clear.bind(&["A", "B"], &["B", "A"]).unwrap().holds(&[1, 2]));
    // `and`, `or` and `mod` stand where no name can stand.
    let words = Predicate::parse("and = 1 and or = 2 or mod mod 2 = 1 and 'not' = 4").unwrap();
    let names = ["and", "or", "mod", "not"];
    assert!(words.bind(&names, &names).unwrap().holds(&[1, 2, 0, 0]));
    assert_eq!(words.mentioned(&names, &names), Ok(vec![0, 1, 2, 3]));
    assert_eq!(Predicate::parse("no > 1 && n > 2").unwrap().mentioned(&STATES, &OUTPUTS), Ok(vec![1, 2]));
    assert_eq!(Predicate::parse("n > 2").unwrap().mentioned(&STATES, &OUTPUTS), Ok(vec![0, 1, 2, 3]));
    // The name `n` of a state must be quoted.
    let n = Predicate::parse("n == 3 && 'n' == 1").unwrap();
    assert!(n.bind(&["n", "m"], &["n", "m"]).unwrap().holds(&[1, 2]));
}

/// Regression test: a name with a second meaning in predicates was silently taken for that meaning.
#[test]
fn names_with_a_second_reading() {
    let bind = |text: &str, names: &[&str]| Predicate::parse(text).unwrap().bind(names, names);
    let n = bind("m == 0 && n == 1", &["n", "m"]).unwrap_err();
    assert_eq!(n.span(), 10..11);
    assert_eq!(n.message(), "`n` is the number of all agents, but also the name of a state or output");
    assert!(n.accepted().starts_with("'n' in quotes for the state or output"));
    assert!(bind("'n' == 1", &["n", "m"]).unwrap().holds(&[1, 2]));
    assert!(bind("state(n) == 1", &["n", "m"]).unwrap().holds(&[1, 2]));
    assert!(bind("n == 3", &["N", "m"]).unwrap().holds(&[1, 2]));

    let levels = ["0", "1", "2", "3", "4"];
    let constant = bind("1 >= 4", &levels).unwrap_err();
    assert_eq!((constant.span(), constant.accepted()), (0..1, "'1' for the state or output"));
    assert_eq!(
        constant.message(),
        "`1` is a number here and also a state or output, and the comparison names no state or output"
    );
    assert!(bind("'0' == 0 || (7 - 3 mod 2 = 0)", &levels).is_err());
    assert!(bind("'1' >= 4", &levels).unwrap().holds(&[0, 4, 0, 0, 0]));
    assert!(!bind("'1' >= 4", &levels).unwrap().holds(&[0, 3, 0, 0, 4]));
    assert!(bind("1 >= 4", &["A"]).is_ok());

    let signs = ["A", "B", "A-B", "x*"];
    let difference = bind("B == 1 || A-B == 1", &signs).unwrap_err();
    assert_eq!((difference.span(), difference.accepted()), {
        (10..13, "'A-B' for the state or output, blanks around its signs for the expression")
    });
    assert!(bind("A - B == 1", &signs).unwrap().holds(&[3, 2, 0, 0]));
    assert!(
        bind("'A-B' == 1 && A2-B == 3 || AA-B == 1", &["A2", "AA", "A-B", "B"]).unwrap().holds(&[4, 0, 1, 1])
    );

    let error = Predicate::parse("not == 1").unwrap_err();
    assert_eq!(error.hint(), Some("a state of that name is written `'not'`"));
    for (text, hint) in [
        ("A- >= 4", Some("a name that ends with a sign is written `'A-'`")),
        ("A - >= 4", None),
        ("A-B >= >= 4", None),
        ("x == 1 && A*B >= 2", Some("a state or output of that name is written `'A*B'`")),
        ("A>B >= 2", Some("a state or output of that name is written `'A>B'`")),
        ("A * B >= 2", None),
        ("A > B >= 2", None),
        ("'A'*'B' >= 2", None),
    ] {
        assert_eq!(Predicate::parse(text).unwrap_err().hint(), hint, "{text}");
    }
}

/// A generated comparison, and the values of both sides, computed without the predicate.
fn comparison() -> impl Strategy<Value = (String, i128, i128)> {
    let leaf = prop_oneof![
        (0_usize..3).prop_map(|i| (STATES[i].to_owned(), [11_i128, 13, 17][i])),
        (0_i64..100).prop_map(|value| (value.to_string(), i128::from(value))),
    ];
    let sum = leaf.prop_recursive(4, 16, 2, |inner| {
        prop_oneof![
            (inner.clone(), inner.clone()).prop_map(|((a, x), (b, y))| (format!("({a} + {b})"), x + y)),
            (inner.clone(), inner.clone()).prop_map(|((a, x), (b, y))| (format!("({a} - {b})"), x - y)),
            (inner.clone(), -9_i128..9).prop_map(|((a, x), k)| (format!("{k} * {a}"), x * k)),
            inner.prop_map(|(a, x)| (format!("-{a}"), -x)),
        ]
    });
    (sum.clone(), sum).prop_map(|((a, x), (b, y))| (format!("{a} <= {b}"), x, y))
}

proptest! {
    #[test]
    fn arithmetic((text, left, right) in comparison()) {
        let bound = Predicate::parse(&text).unwrap().bind(&STATES, &OUTPUTS).unwrap();
        prop_assert_eq!(bound.holds(&[11, 13, 17, 0]), left <= right, "{}", text);
    }

    #[test]
    fn remainders((text, left, right) in comparison(), modulus in 1_i128..20) {
        let text = text.replace(" <= ", &format!(" mod {modulus} <= "));
        let bound = Predicate::parse(&text).unwrap().bind(&STATES, &OUTPUTS).unwrap();
        prop_assert_eq!(bound.holds(&[11, 13, 17, 0]), left.rem_euclid(modulus) <= right, "{}", text);
    }

    /// Checks over all points of a small box that a predicate called impossible holds nowhere.
    #[test]
    fn predicates_impossible_within_bounds_hold_nowhere(
        (text, ..) in comparison(),
        (other, ..) in comparison(),
        (modulus, form) in (1_i128..9, 0..4),
        least in prop::array::uniform3(0_u64..30),
        size in prop::array::uniform3(0_u64..4),
    ) {
        let text = match form {
            0 => text,
            1 => text.replace(" <= ", &format!(" mod {modulus} <= ")),
            2 => format!("!({text}) && {}", other.replace("<=", "==")),
            _ => format!("{} || !({other})", text.replace("<=", "!=")),
        };
        let bound = Predicate::parse(&text).unwrap().bind(&STATES, &OUTPUTS).unwrap();
        let most = [0, 1, 2].map(|i| least[i] + size[i]);
        let with_last = |[a, b, c]: [u64; 3]| [a, b, c, 0];
        let points = (least[0]..=most[0]).flat_map(|a| {
            (least[1]..=most[1]).flat_map(move |b| (least[2]..=most[2]).map(move |c| [a, b, c, 0]))
        });
        let holds = points.clone().any(|point| bound.holds(&point));
        let possible = bound.possible(&with_last(least), &with_last(most));
        prop_assert!(possible || !holds, "{}", text);
        // For a single point the answer is exact.
        let single = with_last(least);
        prop_assert_eq!(bound.possible(&single, &single), bound.holds(&single), "{}", text);
    }

    #[test]
    fn arbitrary_text_never_panics(text in "([AB()!<>=&|+*' 0-9n^.-]| mod | and | or |not ){0,40}|\\PC{0,40}") {
        if let Err(error) = Predicate::parse(&text) {
            prop_assert!(error.span().end <= text.len() && text.is_char_boundary(error.span().start));
        }
    }
}
