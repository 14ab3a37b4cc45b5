//! The protocols of the library and their rules.

use acrasin_catalogue::parameter::{Parameter, ParameterKind, ParameterValue, Values};
use acrasin_protocols::analysis::{Classification, PairClass, conserved_quantities, reachable_states};
use acrasin_protocols::library::{
    ApproximateMajority, ApproximateMajorityOneWay, Averaging, Cyclic, ExactMajority, Fratricide,
    GraphLeader, GraphMajority, OneWayEpidemic, ProtocolCatalogue, ProtocolEntry, ProtocolInstance,
    SizeEstimation, TwoWayEpidemic,
};
use acrasin_protocols::{FiniteProtocol, Missing, Protocol, Rule, Table, TableSpec};
use acrasin_runtime::choice::Seeded;

fn given(list: &[(&'static str, i64)]) -> Values {
    list.iter()
        .fold(Values::default(), |values, &(name, value)| values.with(name, ParameterValue::Whole(value)))
}

fn find(name: &str) -> Option<ProtocolEntry> {
    ProtocolCatalogue::shipped().find(name).copied()
}

fn catalogue() -> Vec<ProtocolEntry> {
    ProtocolCatalogue::shipped().entries().to_vec()
}

/// The rules of each protocol are those of the literature.
#[test]
fn the_rules_are_those_of_the_literature() {
    let symmetric =
        |rules: &[&str]| rules.iter().map(|&rule| Rule::Symmetric(rule.into())).collect::<Vec<_>>();
    let one_way = |rules: &[&str]| rules.iter().map(|&rule| Rule::OneWay(rule.into())).collect::<Vec<_>>();
    let cases: [(&str, &[&str], Vec<Rule>); 14] = [
        ("one-way-epidemic", &["S", "I"], one_way(&["I + S -> I + I"])),
        ("two-way-epidemic", &["S", "I"], symmetric(&["I + S -> I + I"])),
        ("fratricide", &["L", "F"], one_way(&["L + L -> L + F"])),
        (
            "approximate-majority",
            &["A", "B", "U"],
            symmetric(&["A + B -> U + U", "A + U -> A + A", "B + U -> B + B"]),
        ),
        (
            "approximate-majority-one-way",
            &["A", "B", "U"],
            one_way(&["A + B -> A + U", "B + A -> B + U", "A + U -> A + A", "B + U -> B + B"]),
        ),
        (
            "exact-majority",
            &["A", "B", "a", "b"],
            symmetric(&["A + B -> a + b", "A + b -> A + a", "B + a -> B + b"]),
        ),
        (
            "graph-majority",
            &["A", "B", "a", "b"],
            symmetric(&[
                "A + B -> a + b",
                "A + b -> a + A",
                "A + a -> a + A",
                "B + a -> b + B",
                "B + b -> b + B",
            ]),
        ),
        (
            "rock-paper-scissors",
            &["R", "P", "S"],
            symmetric(&["R + S -> R + R", "S + P -> S + S", "P + R -> P + P"]),
        ),
        ("pairwise-cancellation", &["A", "B", "0"], symmetric(&["A + B -> 0 + 0"])),
        ("voter", &["0", "1"], one_way(&["0 + 1 -> 0 + 0", "1 + 0 -> 1 + 1"])),
        (
            "undecided-state",
            &["0", "1", "2", "U"],
            one_way(&[
                "0 + 1 -> 0 + U",
                "0 + 2 -> 0 + U",
                "1 + 0 -> 1 + U",
                "1 + 2 -> 1 + U",
                "2 + 0 -> 2 + U",
                "2 + 1 -> 2 + U",
                "0 + U -> 0 + 0",
                "1 + U -> 1 + 1",
                "2 + U -> 2 + 2",
            ]),
        ),
        ("synthetic-coin", &["0", "1"], symmetric(&["0 + 0 -> 1 + 1", "0 + 1 -> 1 + 0", "1 + 1 -> 0 + 0"])),
        (
            "token-walk",
            &["_", "T"],
            vec![Rule::Symmetric("T + _ -> _ + T".into()), Rule::Ordered("T + T -> T + _".into())],
        ),
        (
            "cyclic-species",
            &["0", "1", "2", "3", "4"],
            symmetric(&["1+0 -> 1+1", "2+1 -> 2+2", "3+2 -> 3+3", "4+3 -> 4+4", "0+4 -> 0+0"]),
        ),
    ];
    for (name, states, rules) in cases {
        let states = states.iter().map(|&state| state.to_owned()).collect();
        let spec = TableSpec { states, rules, default: Some(Missing::Null), ..TableSpec::default() };
        let shipped = find(name).unwrap().build(&given(&[])).unwrap().into_table();
        assert_eq!(shipped.state_names(), spec.states, "{name}");
        assert_eq!(shipped.effective().to_string(), spec.build().unwrap().effective().to_string(), "{name}");
    }
    let averaging = find("averaging").unwrap().build(&given(&[("m", 3)])).unwrap().into_table();
    for (i, j) in (0..4).flat_map(|i| (0..4).map(move |j| (i, j))) {
        assert_eq!(averaging.transition(i, j), ((i + j) / 2, (i + j).div_ceil(2)));
    }
}

#[test]
fn every_entry_builds_and_suggests_a_start() {
    let mut names: Vec<&str> = catalogue().iter().map(|entry| entry.name).collect();
    for entry in catalogue() {
        let instance = entry.build(&given(&[])).unwrap();
        let table = instance.table();
        for agents in [0, 1, 2, 3, 7, 100, 1 << 53, u64::MAX] {
            let counts = instance.initial_counts(agents);
            assert_eq!(counts.len(), usize::from(table.state_count()), "{}", entry.name);
            assert_eq!(counts.iter().map(|&count| u128::from(count)).sum::<u128>(), u128::from(agents));
        }
        assert!(
            !entry.summary.is_empty() && entry.summary.chars().count() < 140 && !entry.states.is_empty(),
            "{}",
            entry.name
        );
        assert!(entry.name.chars().all(|c| c.is_ascii_lowercase() || c == '-'));
    }
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), catalogue().len());
    let majority = find("exact-majority").unwrap().build(&given(&[])).unwrap();
    assert_eq!(majority.initial_counts(7), [5, 2, 0, 0]);
    assert_eq!(majority.initial_counts(10), [6, 4, 0, 0]);
}

#[test]
fn requests_that_make_no_sense_are_errors() {
    assert!(find("exact-majorty").is_none());
    let build =
        |name: &str, list: &[(&'static str, i64)]| find(name).unwrap().build(&given(list)).map(|_| ());
    let error = build("cyclic-species", &[("species", 4)]).unwrap_err();
    assert_eq!(error.to_string(), "there is no parameter species (accepted: k)");
    assert!(build("fratricide", &[("m", 4)]).is_err());
    for (name, parameter, least, most) in [("averaging", "m", 1, 4095), ("cyclic-species", "k", 3, 4096)] {
        assert_eq!(build(name, &[(parameter, least)]), Ok(()));
        for wrong in [least - 1, most + 1, -1, i64::MIN, i64::MAX] {
            let error = build(name, &[(parameter, wrong)]).unwrap_err();
            assert_eq!(error.parameter(), parameter);
            assert!(error.accepted().unwrap().contains(&format!("most: {most}")), "{error}");
        }
    }
    assert_eq!(
        Averaging::new(4096).unwrap_err().to_string(),
        "averaging: the parameter `m` is 4096 (accepted: 1 to 4095)"
    );
    assert_eq!(Cyclic::new(2).unwrap_err().accepted(), Some("3 to 4096"));
}

#[test]
fn the_largest_parameter_builds() {
    let table = find("averaging").unwrap().build(&given(&[("m", 4095)])).unwrap().into_table();
    assert_eq!(table.transition(4095, 4094), (4094, 4095));
}

#[test]
fn classes_and_conserved_quantities_are_as_documented() {
    for (name, class, quantities) in [
        ("one-way-epidemic", PairClass::OneWay, &["S + I"][..]),
        ("two-way-epidemic", PairClass::Symmetric, &["S + I"]),
        ("fratricide", PairClass::OneWay, &["L + F"]),
        ("approximate-majority", PairClass::Symmetric, &["A + B + U"]),
        ("approximate-majority-one-way", PairClass::OneWay, &["A + B + U"]),
        ("exact-majority", PairClass::Symmetric, &["A + B + a + b", "A - B"]),
        ("graph-majority", PairClass::Symmetric, &["A + B + a + b", "A - B"]),
        ("rock-paper-scissors", PairClass::Symmetric, &["R + P + S"]),
        ("pairwise-cancellation", PairClass::Symmetric, &["A + B + 0", "A - B"]),
        ("voter", PairClass::OneWay, &["0 + 1"]),
        ("undecided-state", PairClass::OneWay, &["0 + 1 + 2 + U"]),
        ("undecided-state-two-way", PairClass::Symmetric, &["0 + 1 + 2 + U"]),
        ("cyclic-species", PairClass::Symmetric, &["0 + 1 + 2 + 3 + 4"]),
    ] {
        let table = find(name).unwrap().build(&given(&[])).unwrap().into_table();
        assert_eq!(Classification::new(&table).word(), class, "{name}");
        let all = vec![true; usize::from(table.state_count())];
        let found: Vec<String> = conserved_quantities(&table, &all)
            .unwrap()
            .iter()
            .map(|quantity| quantity.describe(&table))
            .collect();
        assert_eq!(found, quantities, "{name}");
    }
    let averaging = Table::compile(&Averaging::new(2).unwrap()).unwrap();
    assert_eq!(Classification::new(&averaging).word(), PairClass::Ordered);
    assert_eq!(reachable_states(&averaging, &[0, 2]), [true; 3]);
    assert_eq!(reachable_states(&averaging, &[1, 2]), [false, true, true]);
}

/// A table cannot use the `group` of a Rust type. So the table and the type must have the same results from the same
/// draws.
fn groups_agree<P: FiniteProtocol>(protocol: &P) {
    let table = Table::compile(protocol).unwrap();
    let states = protocol.states();
    let count = states.len();
    for members in 1..=4_u32 {
        for code in 0..count.pow(members) {
            let numbers: Vec<usize> = (0..members).map(|place| code / count.pow(place) % count).collect();
            let (mut own, mut others) =
                (states[numbers[0]], numbers[1..].iter().map(|&n| states[n]).collect::<Vec<_>>());
            protocol.group(&mut own, &mut others, &mut Seeded::new(code as u64));
            let mut own_number = numbers[0] as u16;
            let mut other_numbers: Vec<u16> = numbers[1..].iter().map(|&n| n as u16).collect();
            table.group(&mut own_number, &mut other_numbers, &mut Seeded::new(code as u64));
            assert_eq!(states[usize::from(own_number)], own);
            assert!(other_numbers.iter().map(|&n| states[usize::from(n)]).eq(others));
        }
    }
}

#[test]
fn groups_do_the_same_as_types_and_as_tables() {
    groups_agree(&OneWayEpidemic);
    groups_agree(&TwoWayEpidemic);
    groups_agree(&Fratricide);
    groups_agree(&ApproximateMajority);
    groups_agree(&ApproximateMajorityOneWay);
    groups_agree(&ExactMajority);
    groups_agree(&GraphMajority);
    groups_agree(&Averaging::new(3).unwrap());
    groups_agree(&Cyclic::ROCK_PAPER_SCISSORS);
    groups_agree(&SizeEstimation::new(2).unwrap());
    groups_agree(&GraphLeader);
}

/// A protocol defined outside the library. An initiator climbs one step when it meets an agent on the same step.
#[derive(Clone, Copy)]
struct Climb {
    steps: u16,
}

impl Protocol for Climb {
    type State = u16;
    type Output = u16;

    fn transition(&self, initiator: u16, responder: u16) -> (u16, u16) {
        let next = (initiator + 1).min(self.steps);
        if initiator == responder { (next, responder) } else { (initiator, responder) }
    }

    fn output(&self, state: u16) -> u16 {
        state
    }
}

impl FiniteProtocol for Climb {
    fn states(&self) -> Vec<u16> {
        (0..=self.steps).collect()
    }

    fn state_name(&self, state: u16) -> String {
        format!("s{state}")
    }

    fn output_name(&self, output: &u16) -> String {
        format!("s{output}")
    }
}

const CLIMB: ProtocolEntry =
    ProtocolEntry::new("climb", "who meets their like takes a step", "s0 to s(steps)", |values| {
        let climb = Climb { steps: u16::try_from(values[0]).expect("in its range") };
        ProtocolInstance::of(&climb, move |agents| [vec![agents], vec![0; climb.steps.into()]].concat())
    })
    .with_parameters(
        const {
            &[Parameter::optional(
                "steps",
                ParameterKind::Whole { least: 1, most: 9, default: 3 },
                "how many steps",
            )]
        },
    );

#[test]
fn a_catalogue_takes_protocols_from_outside() {
    let extended = ProtocolCatalogue::shipped().with(CLIMB).unwrap();
    assert_eq!(extended.entries().len(), catalogue().len() + 1);
    let climb = extended.find("climb").unwrap();
    assert_eq!(climb.build(&given(&[])).unwrap().table().state_names(), ["s0", "s1", "s2", "s3"]);
    let instance = climb.build(&given(&[("steps", 2)])).unwrap();
    assert_eq!(instance.initial_counts(7), [7, 0, 0]);
    assert_eq!(instance.table().transition(1, 1), (2, 1));
    let error = climb.build(&given(&[("steps", 10)])).unwrap_err();
    assert_eq!(error.parameter(), "steps");
    assert!(extended.find("clim").is_none() && find("climb").is_none());
    let error = extended.with(CLIMB).unwrap_err().to_string();
    assert!(error.starts_with("there already is a protocol `climb`"), "{error}");
}
