//! Protocols written by users: what is accepted, and the message for every kind of error.

use std::collections::BTreeMap;

use acrasin_protocols::table::{MAX_RULES, MAX_STATES};
use acrasin_protocols::{
    FiniteProtocol, GroupRule, Missing, Protocol, Rule, Table, TableError, TableErrorKind, TableSpec,
    WeightedOutcome,
};

fn spec(states: &[&str], rules: Vec<Rule>) -> TableSpec {
    let states = states.iter().map(|&name| name.to_owned()).collect();
    TableSpec { states, rules, default: Some(Missing::Null), ..TableSpec::default() }
}

fn fault(rules: Vec<Rule>) -> TableError {
    spec(&["A", "B", "U"], rules).build().unwrap_err()
}

fn outcomes(list: &[(u64, &str)]) -> Vec<(u64, String)> {
    list.iter().map(|&(weight, text)| (weight, text.to_owned())).collect()
}

#[test]
fn words_mean_what_they_say() {
    let cells = |rule: Rule| {
        let table = spec(&["A", "B", "U"], vec![rule]).build().unwrap();
        let all = table.states().flat_map(|a| (0..3).map(move |b| (a, b)));
        all.filter(|&(a, b)| !table.is_null(a, b))
            .map(|(a, b)| ((a, b), table.transition(a, b)))
            .collect::<Vec<_>>()
    };
    assert_eq!(cells(Rule::Ordered("A + B -> U + A".into())), [((0, 1), (2, 0))]);
    assert_eq!(cells(Rule::OneWay("A + B -> A + U".into())), [((0, 1), (0, 2))]);
    assert_eq!(cells(Rule::Symmetric("A + B -> U + A".into())), [((0, 1), (2, 0)), ((1, 0), (0, 2))]);
    assert_eq!(cells(Rule::Symmetric("A + A -> A + U".into())), [((0, 0), (0, 2))]);
    assert_eq!(cells(Rule::Ordered("A + B -> A + B".into())), []);
}

#[test]
fn weights_are_reduced_and_mirrored() {
    let rule =
        Rule::SymmetricRandomised("A + B".into(), outcomes(&[(4, "U + A"), (2, "A + B"), (6, "B + A")]));
    let table = spec(&["A", "B", "U"], vec![rule]).build().unwrap();
    let of = |a, b| table.outcomes(a, b).map(|o| (o.weight, o.initiator, o.responder)).collect::<Vec<_>>();
    assert_eq!(of(0, 1), [(1, 0, 1), (3, 1, 0), (2, 2, 0)]);
    assert_eq!(of(1, 0), [(3, 0, 1), (2, 0, 2), (1, 1, 0)]);
    assert!(table.is_randomised(0, 1) && !table.is_null(0, 1) && !table.pair_keeps_counts(0, 1));
    assert_eq!(table.transition(0, 1), (1, 0));
    // A single outcome needs no draw.
    let sure = Rule::Randomised("A + B".into(), outcomes(&[(7, "U + U")]));
    let table = spec(&["A", "B", "U"], vec![sure]).build().unwrap();
    let only = WeightedOutcome { initiator: 2, responder: 2, weight: 1 };
    assert!(!table.is_randomised(0, 1) && table.outcomes(0, 1).eq([only]));
}

#[test]
fn outputs_are_named_or_the_names_of_states() {
    let mut spec = spec(&["A", "B", "a", "b"], vec![]);
    spec.outputs = BTreeMap::from([("a".into(), "A".into()), ("b".into(), "no".into())]);
    let table = spec.build().unwrap();
    assert_eq!(table.output_names(), ["A", "B", "no"]);
    assert_eq!([0, 1, 2, 3].map(|state| table.output(state)), [0, 1, 0, 2]);
    spec.outputs = BTreeMap::from([("c".into(), "A".into())]);
    let error = spec.build().unwrap_err();
    assert_eq!(error.kind(), TableErrorKind::UnknownState);
    assert_eq!(error.to_string(), "an output is given for the unknown state `c` (accepted: A, B, a, b)");
    spec.outputs = BTreeMap::from([("a".into(), "two words".into())]);
    assert_eq!(spec.build().unwrap_err().kind(), TableErrorKind::BadName);
}

#[test]
fn lists_of_states_that_make_no_sense() {
    let kind = |states: &[&str]| spec(states, vec![]).build().map(|_| ()).map_err(|error| error.kind());
    assert_eq!(kind(&[]), Err(TableErrorKind::NoStates));
    assert_eq!(kind(&["A", "B", "A"]), Err(TableErrorKind::DuplicateState));
    for name in ["", " ", "A B", "A+", "->"] {
        assert_eq!(kind(&["A", name]), Err(TableErrorKind::BadName), "{name:?}");
    }
    assert_eq!(
        spec(&["A", "B", "A"], vec![]).build().unwrap_err().to_string(),
        "states 1 and 3 have the same name `A` (accepted: each name once)"
    );
}

#[test]
fn limits_hold_exactly() {
    let many = |count: usize| {
        let states = (0..count).map(|i| format!("s{i}")).collect();
        TableSpec { states, default: Some(Missing::Null), ..TableSpec::default() }
            .build()
            .map(|t| t.state_count())
    };
    assert_eq!(many(MAX_STATES).unwrap(), 4096);
    let error = many(MAX_STATES + 1).unwrap_err();
    assert_eq!(error.kind(), TableErrorKind::TooMany);
    assert_eq!(error.to_string(), "the protocol has 4097 states (accepted: at most 4096 states)");

    let rules = |count| spec(&["A"], vec![Rule::Ordered("A+A->A+A".into()); count]).build().map(|_| ());
    assert_eq!(rules(MAX_RULES), Ok(()));
    assert_eq!(rules(MAX_RULES + 1).unwrap_err().kind(), TableErrorKind::TooMany);

    let weight = |weight| {
        let list = outcomes(&[(weight, "A + A"), (1, "B + B")]);
        spec(&["A", "B", "U"], vec![Rule::Randomised("A + B".into(), list)]).build().map(|_| ())
    };
    assert_eq!(weight(u64::from(u32::MAX) - 1), Ok(()));
    for wrong in [0, u64::from(u32::MAX), u64::from(u32::MAX) + 1, u64::MAX] {
        assert_eq!(weight(wrong).unwrap_err().kind(), TableErrorKind::BadWeight, "{wrong}");
    }
}

#[test]
fn too_many_drawn_outcomes_are_refused() {
    // Many rules with few outcomes each: the limit is on their product.
    let states: Vec<String> = (0..1100).map(|i| format!("s{i}")).collect();
    let list: Vec<(u64, String)> = states.iter().map(|name| (1, format!("s0+{name}"))).collect();
    let rules = states.iter().map(|name| Rule::Randomised(format!("{name}+s0"), list.clone())).collect();
    let error = TableSpec { states, rules, default: Some(Missing::Null), ..TableSpec::default() }
        .build()
        .unwrap_err();
    // 1048576 / 1100 = 953 rules fit.
    assert_eq!((error.kind(), error.rule()), (TableErrorKind::TooMany, Some(953)));
}

#[test]
fn a_table_that_is_not_total_names_what_is_missing() {
    let rules = vec![Rule::Symmetric("A + B -> U + U".into()), Rule::Ordered("A + A -> A + A".into())];
    let not_total = TableSpec { default: None, ..spec(&["A", "B", "U"], rules.clone()) };
    let error = not_total.build().unwrap_err();
    assert_eq!((error.kind(), error.value()), (TableErrorKind::NotTotal, "A + U"));
    assert_eq!(
        error.to_string(),
        "6 of 9 ordered pairs have no rule: A + U, B + B, B + U, U + A, U + B, ... (accepted: a rule for each \
         ordered pair, or `default: Null`)"
    );
    let total = [
        rules,
        ["A + U", "B + U", "B + B", "U + U"].map(|p| Rule::Symmetric(format!("{p} -> {p}"))).to_vec(),
    ];
    assert!(TableSpec { default: None, ..spec(&["A", "B", "U"], total.concat()) }.build().is_ok());
}

#[test]
fn contradicting_rules_are_both_named() {
    let error = fault(vec![
        Rule::Ordered("U + U -> A + A".into()),
        Rule::Symmetric("A + B -> U + U".into()),
        Rule::Ordered("B + A -> B + B".into()),
    ]);
    assert_eq!(
        (error.kind(), error.rule(), error.other_rule()),
        (TableErrorKind::Conflict, Some(2), Some(1))
    );
    assert_eq!(
        error.to_string(),
        "rule 3 Ordered(\"B + A -> B + B\"): initiator B and responder A already have another outcome by rule 2 \
         Symmetric(\"A + B -> U + U\") (accepted: one outcome for each ordered pair)"
    );
    // Of three rules the first is named. Two rules may say the same.
    let twice = vec![
        Rule::Symmetric("A + B -> U + U".into()),
        Rule::Ordered("B + A -> U + U".into()),
        Rule::Ordered("B + A -> B + B".into()),
    ];
    assert!(spec(&["A", "B", "U"], twice[..2].to_vec()).build().is_ok());
    assert_eq!(fault(twice).other_rule(), Some(0));
    let weights = |a, b| Rule::Randomised("A + B".into(), outcomes(&[(a, "A + A"), (b, "B + B")]));
    assert!(spec(&["A", "B", "U"], vec![weights(1, 2), weights(2, 4)]).build().is_ok());
    assert_eq!(fault(vec![weights(1, 2), weights(2, 1)]).kind(), TableErrorKind::Conflict);
}

#[test]
fn unknown_states_are_shown_where_they_are() {
    let error =
        spec(&["Asleep", "Awake"], vec![Rule::Ordered("Awake + Asleap -> Awake + Awake".into())]).build();
    let error = error.unwrap_err();
    assert_eq!(
        (error.kind(), error.rule(), error.column()),
        (TableErrorKind::UnknownState, Some(0), Some(9))
    );
    assert_eq!(
        error.to_string(),
        "rule 1 Ordered(\"Awake + Asleap -> Awake + Awake\"), column 9 of \"Awake + Asleap -> Awake + Awake\": \
         unknown state `Asleap` (accepted: Asleep, Awake; did you mean `Asleep`?)"
    );
    let drawn = fault(vec![Rule::Randomised("A + B".into(), outcomes(&[(1, "A + A"), (1, "A + Q")]))]);
    assert_eq!(
        (drawn.kind(), drawn.value(), drawn.column()),
        (TableErrorKind::UnknownState, "A + Q", Some(5))
    );
}

#[test]
fn other_faults_of_rules() {
    let cases = [
        (Rule::OneWay("A + B -> U + B".into()), TableErrorKind::InitiatorChanges, Some(10)),
        (Rule::Symmetric("A + B -> U".into()), TableErrorKind::Syntax, Some(11)),
        (Rule::Randomised("A + B".into(), vec![]), TableErrorKind::NoOutcome, None),
        (
            Rule::Randomised("A + B -> A + A".into(), outcomes(&[(1, "A + A")])),
            TableErrorKind::Syntax,
            Some(7),
        ),
        (
            Rule::Randomised("A + B".into(), outcomes(&[(1, "A + A"), (2, "A+A")])),
            TableErrorKind::DuplicateOutcome,
            None,
        ),
        (Rule::Ordered("A + B -> ".repeat(10_000)), TableErrorKind::Syntax, None),
    ];
    for (rule, kind, column) in cases {
        let error = fault(vec![rule]);
        assert_eq!((error.kind(), error.rule(), error.column()), (kind, Some(0), column), "{error}");
        assert!(!error.accepted().is_empty() && error.to_string().len() < 400, "{error}");
    }
}

#[test]
fn the_effective_table_shows_draws_and_can_be_cut() {
    let rules = vec![
        Rule::OneWay("A + B -> A + U".into()),
        Rule::Randomised("U + U".into(), outcomes(&[(1, "A + U"), (3, "U + U")])),
    ];
    let table = spec(&["A", "B", "U"], rules).build().unwrap();
    assert_eq!(
        table.effective().to_string(),
        "\
initiator  responder      initiator  responder  class
A          B          ->  A          U          one-way
U          U          ->  A          U          randomised 1/4
U          U          ->  U          U          randomised 3/4
2 of 9 ordered pairs change something, 7 are null
"
    );
    assert_eq!(
        table.effective().with_line_limit(1).to_string(),
        "\
initiator  responder      initiator  responder  class
A          B          ->  A          U          one-way
... and 2 more
2 of 9 ordered pairs change something, 7 are null
"
    );
}

#[test]
fn the_group_word_is_obeyed() {
    use acrasin_runtime::choice::Seeded;
    let group = |rule| {
        let table =
            TableSpec { group: rule, ..spec(&["0", "1", "2", "3"], vec![Rule::Ordered("0+3->1+2".into())]) };
        let (mut own, mut others) = (0, [3, 3, 0]);
        table.build().unwrap().group(&mut own, &mut others, &mut Seeded::new(1));
        others.sort_unstable();
        (own, others)
    };
    assert_eq!(group(GroupRule::Maximum), (3, [3, 3, 3]));
    let (own, others) = group(GroupRule::Mean);
    assert_eq!(own + others.iter().sum::<u16>(), 6);
    assert!(own.min(others[0]) == 1 && own.max(others[2]) == 2);
    assert_eq!(group(GroupRule::EachOnce), (1, [0, 2, 3]));
}

/// A protocol in Rust with one fault at a time.
#[derive(Default)]
struct Faulty {
    twice: bool,
    leaves: bool,
    weightless: bool,
    nameless: bool,
    silent: bool,
}

impl Protocol for Faulty {
    type State = u8;
    type Output = u8;
    fn transition(&self, _: u8, responder: u8) -> (u8, u8) {
        (if self.leaves { 9 } else { 0 }, responder)
    }
    fn output(&self, state: u8) -> u8 {
        state
    }
    fn outcomes(&self, initiator: u8, responder: u8) -> Vec<(u32, (u8, u8))> {
        let weight = u32::from(!self.weightless);
        let stays = (weight, (initiator, responder));
        if self.silent { vec![] } else { vec![stays, (weight, self.transition(initiator, responder)), stays] }
    }
}

impl FiniteProtocol for Faulty {
    fn states(&self) -> Vec<u8> {
        if self.twice { vec![0, 1, 1] } else { vec![0, 1] }
    }
    fn state_name(&self, state: u8) -> String {
        if self.nameless { String::new() } else { state.to_string() }
    }
    fn output_name(&self, output: &u8) -> String {
        output.to_string()
    }
}

#[test]
fn faults_of_protocols_in_rust_are_errors() {
    let kind = |protocol| Table::compile(&protocol).map(|_| ()).map_err(|error| error.kind());
    assert_eq!(kind(Faulty { twice: true, ..Faulty::default() }), Err(TableErrorKind::DuplicateState));
    assert_eq!(kind(Faulty { leaves: true, ..Faulty::default() }), Err(TableErrorKind::UnknownState));
    assert_eq!(kind(Faulty { weightless: true, ..Faulty::default() }), Err(TableErrorKind::BadWeight));
    assert_eq!(kind(Faulty { nameless: true, ..Faulty::default() }), Err(TableErrorKind::BadName));
    assert_eq!(kind(Faulty { silent: true, ..Faulty::default() }), Err(TableErrorKind::NoOutcome));
    assert_eq!(
        Table::compile(&Faulty { leaves: true, ..Faulty::default() }).unwrap_err().to_string(),
        "the pair 0, 0: the transition leads to 9, which is not in the list of states (accepted: a list that is \
         closed under transitions)"
    );
    // Weights of equal outcomes are added: 2 of 3 stay.
    let table = Table::compile(&Faulty::default()).unwrap();
    let of = |a, b| table.outcomes(a, b).map(|o| (o.weight, o.initiator, o.responder)).collect::<Vec<_>>();
    assert_eq!(of(1, 0), [(1, 0, 0), (2, 1, 0)]);
    assert_eq!(of(0, 0), [(1, 0, 0)]);
}
