//! Protocols with a known predicate, and faults that a check must find.

use std::ops::ControlFlow;

use acrasin_explore::{Limits, Truncated};
use acrasin_protocols::library::{
    ApproximateMajority, ApproximateMajorityOneWay, Averaging, Cyclic, ExactMajority, Fratricide,
    GraphMajority, OneWayEpidemic, TwoWayEpidemic,
};
use acrasin_protocols::predicate::Predicate;
use acrasin_protocols::{FiniteProtocol, Missing, Rule, Table, TableSpec};
use acrasin_verify::population::{
    Answers, CheckedPopulation, Claim, ClaimOutcome, PopulationCounterexample, PopulationReport, check,
};

fn library(protocol: &impl FiniteProtocol) -> Table {
    Table::compile(protocol).unwrap()
}

/// A table with output `yes` for the states in `yes`, and `no` for all others.
fn written(states: &[&str], yes: &[&str], rules: Vec<Rule>) -> Table {
    let output = |state: &&str| if yes.contains(state) { "yes" } else { "no" };
    let spec = TableSpec {
        states: states.iter().map(|&name| name.to_owned()).collect(),
        outputs: states.iter().map(|state| ((*state).to_owned(), output(state).to_owned())).collect(),
        rules,
        default: Some(Missing::Null),
        ..TableSpec::default()
    };
    spec.build().unwrap()
}

fn symmetric(rules: &[&str]) -> Vec<Rule> {
    rules.iter().map(|&rule| Rule::Symmetric(rule.to_owned())).collect()
}

fn predicate(text: &str) -> Predicate {
    Predicate::parse(text).unwrap()
}

fn computes(table: &Table, text: &str) -> Claim {
    let answers = Answers::by_name(table).or_else(|| Answers::new(table, &["A"], &["B"]).ok()).unwrap();
    Claim::computes(table, &predicate(text), &answers).unwrap()
}

fn eventually(table: &Table, text: &str) -> Claim {
    Claim::eventually(table, &predicate(text)).unwrap()
}

fn complete(up_to: u32) -> Vec<CheckedPopulation> {
    (2..=up_to).map(|agents| CheckedPopulation::complete(agents).unwrap()).collect()
}

fn rings(up_to: u32) -> Vec<CheckedPopulation> {
    let ring =
        |n: u32| CheckedPopulation::graph(n, (0..n).map(|node| [node, (node + 1) % n]).collect()).unwrap();
    (3..=up_to).map(ring).collect()
}

fn paths(up_to: u32) -> Vec<CheckedPopulation> {
    let path = |n: u32| CheckedPopulation::graph(n, (1..n).map(|node| [node - 1, node]).collect()).unwrap();
    (2..=up_to).map(path).collect()
}

fn ask(table: &Table, claim: &Claim, inputs: &[&str], populations: &[CheckedPopulation]) -> PopulationReport {
    let inputs: Vec<u16> = inputs.iter().map(|name| table.state(name).unwrap()).collect();
    check(table, claim, &inputs, populations, &Limits::bytes(1 << 30), |_| ControlFlow::Continue(()))
}

#[track_caller]
fn holds(
    table: &Table,
    claim: &Claim,
    inputs: &[&str],
    populations: &[CheckedPopulation],
) -> PopulationReport {
    let report = ask(table, claim, inputs, populations);
    assert_eq!(report.outcome, ClaimOutcome::Holds);
    assert_eq!(report.covered.len(), populations.len());
    report
}

#[track_caller]
fn fails(
    table: &Table,
    claim: &Claim,
    inputs: &[&str],
    populations: &[CheckedPopulation],
) -> PopulationCounterexample {
    match ask(table, claim, inputs, populations).outcome {
        ClaimOutcome::Fails(counterexample) => *counterexample,
        other => panic!("{other:?}"),
    }
}

/// Four states and a rule for ties: two disagreeing followers agree on B.
fn majority_with_ties() -> Vec<Rule> {
    symmetric(&["A + B -> a + b", "A + b -> A + a", "B + a -> B + b", "a + b -> b + b"])
}

#[test]
fn exact_majority_decides_every_majority_and_no_tie() {
    let table = library(&ExactMajority);
    let claim = computes(&table, "A > B").given(&table, &predicate("A != B")).unwrap();
    let report = holds(&table, &claim, &["A", "B"], &complete(12));
    // n + 1 inputs of each size, minus one tie of each even size.
    assert_eq!(report.inputs(), (2..=12).map(|n| n + 1).sum::<u64>() - 6);
    assert_eq!(report.covered.iter().map(|covered| covered.excluded).sum::<u64>(), 6);
    let tie = fails(&table, &computes(&table, "A > B"), &["A", "B"], &complete(12));
    assert_eq!((tie.input.as_slice(), tie.value, tie.run.len()), (&[1, 1, 0, 0][..], false, 1));
    assert!(tie.bottom.is_silent && tie.bottom.configurations == 1);
    let text = tie.describe(&table, "A > B");
    for part in
        ["input 1 A, 1 B", "answer no", "1  A + B -> a + b", "1 a, 1 b with the outputs 1 A, 1 B", "silent"]
    {
        assert!(text.contains(part), "{part} in {text}");
    }
    // With a rule for ties all inputs are decided.
    let table = written(&["A", "B", "a", "b"], &["A", "a"], majority_with_ties());
    let report = holds(&table, &computes(&table, "A > B"), &["A", "B"], &complete(12));
    assert_eq!(report.inputs(), 88);
    assert!(report.covered.iter().all(|covered| covered.bottoms >= covered.inputs && covered.silent > 0));
}

/// Each rule of exact majority is left out, or one state of its outcome is changed.
#[test]
fn one_changed_transition_is_found() {
    let mut wrong = Vec::new();
    for (place, rule) in majority_with_ties().iter().enumerate() {
        let Rule::Symmetric(text) = rule else { panic!("written above") };
        let (pair, outcome) = text.split_once(" -> ").unwrap();
        let outcome: Vec<&str> = outcome.split(" + ").collect();
        let mut change = |changed: Option<String>| {
            let mut rules = majority_with_ties();
            match changed {
                Some(changed) => rules[place] = Rule::Symmetric(changed),
                None => drop(rules.remove(place)),
            }
            wrong.push(rules);
        };
        change(None);
        for state in ["A", "B", "a", "b"] {
            for side in [0, 1] {
                if outcome[side] != state {
                    let mut new = outcome.clone();
                    new[side] = state;
                    change(Some(format!("{pair} -> {} + {}", new[0], new[1])));
                }
            }
        }
    }
    assert_eq!(wrong.len(), 4 * 7);
    let mut right = Vec::new();
    for rules in wrong {
        let table = written(&["A", "B", "a", "b"], &["A", "a"], rules.clone());
        let report = ask(&table, &computes(&table, "A > B"), &["A", "B"], &complete(8));
        if report.outcome == ClaimOutcome::Holds {
            right.push(rules);
        }
    }
    // Three changes are harmless. The rule for ties spreads b wherever an a is left next to B, so `B + a` need not do
    // so. Two cancelling votes may leave two b.
    let harmless = [(0, Some("A + B -> b + b")), (2, None), (2, Some("B + a -> B + a"))];
    let expected: Vec<Vec<Rule>> = harmless
        .into_iter()
        .map(|(place, changed)| {
            let mut rules = majority_with_ties();
            match changed {
                Some(changed) => rules[place] = Rule::Symmetric(changed.to_owned()),
                None => drop(rules.remove(place)),
            }
            rules
        })
        .collect();
    assert_eq!(right, expected);
}

#[test]
fn approximate_majority_is_not_exact() {
    // Two-way: the votes of 3 A and 2 B cancel until no agent is decided, in 4 interactions. One-way: B undoes the
    // first of 2 A, converts it, and then the second.
    for (table, input, run) in
        [(library(&ApproximateMajority), [3, 2, 0], 4), (library(&ApproximateMajorityOneWay), [2, 1, 0], 4)]
    {
        let claim = computes(&table, "A > B").given(&table, &predicate("A != B")).unwrap();
        let counterexample = fails(&table, &claim, &["A", "B"], &complete(12));
        assert_eq!((counterexample.input.as_slice(), counterexample.run.len()), (&input[..], run));
        assert!(counterexample.bottom.is_silent);
        // The actual promise: eventually all agree, or no agent is decided (two-way, if the last two votes cancel).
        let claim = eventually(&table, "A = n or B = n or U = n");
        holds(&table, &claim, &["A", "B", "U"], &complete(8));
    }
}

#[test]
fn two_way_and_one_way_differ_where_the_undecided_remain() {
    let agreement = "A = n or B = n";
    let two_way = library(&ApproximateMajority);
    let wrong = fails(&two_way, &eventually(&two_way, agreement), &["A", "B"], &complete(6));
    assert_eq!(
        (wrong.input.as_slice(), wrong.bottom.entered.counts.as_slice()),
        (&[1, 1, 0][..], &[0, 0, 2][..])
    );
    let one_way = library(&ApproximateMajorityOneWay);
    holds(&one_way, &eventually(&one_way, agreement), &["A", "B"], &complete(10));
}

/// Votes that do not move cannot cancel across a follower between them.
#[test]
fn right_on_the_complete_graph_and_wrong_on_a_path() {
    let still = library(&ExactMajority);
    let claim = |table: &Table| computes(table, "A > B").given(table, &predicate("A != B")).unwrap();
    holds(&still, &claim(&still), &["A", "B"], &complete(9));
    let on_a_ring = fails(&still, &claim(&still), &["A", "B"], &rings(9));
    let on_a_path = fails(&still, &claim(&still), &["A", "B"], &paths(9));
    for (wrong, input, run) in [(&on_a_ring, [3, 2, 0, 0], 2), (&on_a_path, [2, 1, 0, 0], 1)] {
        let nodes = wrong.start.nodes.as_ref().unwrap();
        assert_eq!(nodes.len() as u64, wrong.input.iter().sum::<u64>());
        assert!(wrong.run.iter().all(|interaction| interaction.nodes.is_some()));
        let text = wrong.describe(&still, "A > B");
        assert!(text.contains("  node ") && text.contains("start  [") && text.contains("(silent)"), "{text}");
        assert_eq!((wrong.input.as_slice(), wrong.run.len()), (&input[..], run), "{text}");
    }
    // Votes that walk are right on all these graphs.
    let walking = library(&GraphMajority);
    holds(&walking, &claim(&walking), &["A", "B"], &rings(7));
    holds(&walking, &claim(&walking), &["A", "B"], &paths(6));
    holds(&walking, &claim(&walking), &["A", "B"], &complete(10));
}

/// Two components that never meet cannot count together.
#[test]
fn a_graph_in_two_parts_decides_nothing_in_common() {
    let table = library(&TwoWayEpidemic);
    let claim = eventually(&table, "S = 0 or I = 0");
    let parts = CheckedPopulation::graph(4, vec![[0, 1], [2, 3]]).unwrap();
    let wrong = fails(&table, &claim, &["S", "I"], &[parts]);
    assert_eq!(wrong.bottom.entered.counts, [2, 2]);
    let path = CheckedPopulation::graph(4, vec![[0, 1], [1, 2], [2, 3]]).unwrap();
    holds(&table, &claim, &["S", "I"], &[path]);
}

/// Tokens merge up to 4; the claims are about 4, 5 and 6.
#[test]
fn right_up_to_a_size_and_wrong_beyond() {
    let rules = || {
        let mut rules = symmetric(&[
            "1 + 2 -> 3 + 0",
            "3 + 1 -> 4 + 4",
            "3 + 2 -> 4 + 4",
            "2 + 2 -> 4 + 4",
            "3 + 3 -> 4 + 4",
        ]);
        rules.push(Rule::Ordered("1 + 1 -> 2 + 0".into()));
        for low in ["0", "1", "2", "3"] {
            rules.push(Rule::Symmetric(format!("4 + {low} -> 4 + 4")));
        }
        rules
    };
    let table = written(&["0", "1", "2", "3", "4"], &["4"], rules());
    holds(&table, &computes(&table, "state('1') >= 4"), &["0", "1"], &complete(9));
    for (text, agents) in [("state('1') >= 5", 4), ("state('1') >= 6", 4), ("state('1') >= 3", 3)] {
        let wrong = fails(&table, &computes(&table, text), &["0", "1"], &complete(9));
        assert_eq!(wrong.input.iter().sum::<u64>(), agents, "{text}");
    }
    // Right up to 6 agents: the claim first differs at 7.
    let claim = computes(&table, "state('1') >= 4 and not state('1') = 7");
    let report = ask(&table, &claim, &["0", "1"], &complete(9));
    assert_eq!(report.covered.len(), 6);
    let ClaimOutcome::Fails(wrong) = report.outcome else { panic!("7 ones") };
    assert_eq!((wrong.input.as_slice(), wrong.value), (&[0, 7, 0, 0, 0][..], false));
    holds(&table, &claim, &["0", "1"], &complete(6));
}

/// Computes a remainder by leaders that merge.
fn remainder(modulus: u32, wanted: u32) -> Table {
    let mut states = Vec::new();
    let name = |leader: bool, value: u32, says: bool| {
        format!("{}{value}{}", if leader { "L" } else { "f" }, if says { "+" } else { "-" })
            .replace(['+', '-'], if says { "y" } else { "n" })
    };
    let mut rules = Vec::new();
    for value in 0..modulus {
        states.push(name(true, value, value == wanted));
    }
    states.extend([name(false, 0, true), name(false, 0, false)]);
    for i in 0..modulus {
        let leader = name(true, i, i == wanted);
        for j in 0..modulus {
            let sum = (i + j) % modulus;
            let (merged, told) = (name(true, sum, sum == wanted), name(false, 0, sum == wanted));
            rules.push(Rule::Ordered(format!(
                "{leader} + {} -> {merged} + {told}",
                name(true, j, j == wanted)
            )));
        }
        for says in [true, false] {
            let follower = name(false, 0, says);
            rules.push(Rule::Symmetric(format!(
                "{leader} + {follower} -> {leader} + {}",
                name(false, 0, i == wanted)
            )));
        }
    }
    let states: Vec<&str> = states.iter().map(String::as_str).collect();
    let yes: Vec<&str> = states.iter().copied().filter(|state| state.ends_with('y')).collect();
    written(&states, &yes, rules)
}

#[test]
fn parity_and_other_remainders() {
    let parity = remainder(2, 1);
    let report = holds(&parity, &computes(&parity, "L1y mod 2 = 1"), &["L0n", "L1y"], &complete(10));
    assert_eq!(report.inputs(), 63);
    let wrong = fails(&parity, &computes(&parity, "L1y mod 2 = 0"), &["L0n", "L1y"], &complete(10));
    assert_eq!((wrong.input.iter().sum::<u64>(), wrong.run.len()), (2, 1));
    let thirds = remainder(3, 2);
    holds(&thirds, &computes(&thirds, "L1n - L2y mod 3 = 2"), &["L0n", "L1n", "L2y"], &complete(7));
    let wrong =
        fails(&thirds, &computes(&thirds, "L1n + L2y mod 3 = 2"), &["L0n", "L1n", "L2y"], &complete(7));
    assert_eq!(wrong.input.iter().sum::<u64>(), 2);
}

#[test]
fn the_library_does_what_it_says() {
    let fratricide = library(&Fratricide);
    let [leader, follower] = [0, 1].map(|state| fratricide.state_name(state).to_owned());
    let one = eventually(&fratricide, &format!("{leader} = 1"));
    holds(&fratricide, &one, &[&leader], &complete(30));
    let wrong = fails(&fratricide, &one, &[&leader, &follower], &complete(3));
    assert_eq!((wrong.input.as_slice(), wrong.run.len()), (&[0, 2][..], 0));
    for table in [library(&OneWayEpidemic), library(&TwoWayEpidemic)] {
        holds(&table, &eventually(&table, "S = n or I = n"), &["S", "I"], &complete(20));
        let outputs = |state: usize| table.output_names()[state].clone();
        let answers = Answers::new(&table, &[&outputs(1)], &[&outputs(0)]).unwrap();
        let claim = Claim::computes(&table, &predicate("I > 0"), &answers).unwrap();
        holds(&table, &claim, &["S", "I"], &complete(20));
        holds(&table, &claim, &["S", "I"], &rings(7));
        let claim = Claim::computes(&table, &predicate("I > 1"), &answers).unwrap();
        fails(&table, &claim, &["S", "I"], &complete(20));
    }
    let rock = library(&Cyclic::ROCK_PAPER_SCISSORS);
    holds(&rock, &eventually(&rock, "R = n or P = n or S = n"), &["R", "P", "S"], &complete(8));
    let four = library(&Cyclic::new(4).unwrap());
    let names: Vec<&str> = four.state_names().iter().map(String::as_str).collect();
    let alone =
        format!("'{}' = n or '{}' = n or '{}' = n or '{}' = n", names[0], names[1], names[2], names[3]);
    fails(&four, &eventually(&four, &alone), &names, &complete(4));
    let loads = library(&Averaging::new(4).unwrap());
    let spread = "(state('0') = 0 or state('2') + state('3') + state('4') = 0) and \
                  (state('1') = 0 or state('3') + state('4') = 0) and (state('2') = 0 or state('4') = 0)";
    holds(&loads, &eventually(&loads, spread), &["0", "1", "2", "3", "4"], &complete(5));
    holds(&loads, &eventually(&loads, spread), &["0", "4"], &rings(5));
}

/// A fair run cycles forever in a component that is neither silent nor settled; one of its configurations is wrong.
#[test]
fn a_component_that_is_never_left_is_shown() {
    let table = written(
        &["x", "y"],
        &["x"],
        vec![Rule::Ordered("x + x -> y + y".into()), Rule::Ordered("y + y -> x + x".into())],
    );
    let wrong = fails(&table, &computes(&table, "x >= 0"), &["x"], &complete(4));
    assert_eq!((wrong.run.len(), wrong.bottom.configurations, wrong.bottom.is_silent), (0, 2, false));
    assert_eq!(
        (wrong.bottom.entered.counts.as_slice(), wrong.bottom.wrong.counts.as_slice()),
        (&[2, 0][..], &[0, 2][..])
    );
    let text = wrong.describe(&table, "x >= 0");
    for part in [
        "at once: 2 x",
        "2 configurations",
        "one that is wrong: 2 y with the outputs 2 no",
        "the component: ",
    ] {
        assert!(text.contains(part), "{part} in {text}");
    }
}

/// All outcomes of a draw are explored.
#[test]
fn every_outcome_of_a_draw_is_followed() {
    let draw = |text: &str| vec![(9, "A + A".to_owned()), (1, text.to_owned())];
    let table =
        |outcome: &str| written(&["A", "B"], &["A"], vec![Rule::Randomised("A + A".into(), draw(outcome))]);
    let claim = |table: &Table| computes(table, "A > 0");
    let lucky = table("A + B");
    assert_eq!(fails(&lucky, &claim(&lucky), &["A"], &complete(3)).run.len(), 1);
    let spec_only = written(&["A", "B"], &["A"], vec![]);
    holds(&spec_only, &claim(&spec_only), &["A"], &complete(3));
}

#[test]
fn limits_say_what_was_covered() {
    let table = library(&ApproximateMajority);
    let claim = eventually(&table, "n > 0");
    let limits = Limits { configurations: 20, ..Limits::bytes(1 << 30) };
    let all = [0, 1, 2];
    let report = check(&table, &claim, &all, &complete(12), &limits, |_| ControlFlow::Continue(()));
    let ClaimOutcome::Truncated { why, population } = report.outcome else { panic!("{report:?}") };
    assert_eq!((why, report.covered.len()), (Truncated::Configurations, population + 1));
    // n agents reach at most (n + 1)(n + 2) / 2 configurations: 15 at n = 4, 21 at n = 5.
    assert!(report.covered[..population].iter().all(|covered| covered.inputs > 0) && population >= 2);
    let tiny = Limits::bytes(1);
    let report = check(&table, &claim, &all, &complete(3), &tiny, |_| ControlFlow::Continue(()));
    assert!(
        matches!(report.outcome, ClaimOutcome::Truncated { why: Truncated::Memory, population: 0 }),
        "{report:?}"
    );
    let mut asked = 0;
    let report = check(&table, &claim, &all, &complete(12), &Limits::bytes(1 << 30), |progress| {
        asked += 1;
        if progress.agents == 5 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    let stopped = ClaimOutcome::Truncated { why: Truncated::Interrupted, population: 3 };
    assert_eq!((report.outcome, report.covered.len()), (stopped, 4));
    assert!(asked > 10);
}

/// An input that was found wrong before a limit stays wrong, and the report says that other inputs were not explored.
#[test]
fn faults_found_before_a_limit_are_reported() {
    let table = library(&ApproximateMajority);
    let claim = eventually(&table, "n > 100");
    let ask = |inputs_max: u64| {
        check(&table, &claim, &[0, 1, 2], &complete(4), &Limits::bytes(1 << 30), |progress| {
            if progress.inputs >= inputs_max { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })
    };
    // Two agents in three states: six inputs.
    let all = ask(u64::MAX);
    assert_eq!((all.truncated, all.covered.len(), all.inputs()), (None, 1, 6));
    let cut = ask(2);
    assert!(matches!(cut.outcome, ClaimOutcome::Fails(_)), "{cut:?}");
    assert_eq!((cut.truncated, cut.inputs()), (Some(Truncated::Interrupted), 2));
}
