//! Random protocols of 2 to 5 states, compared with exhaustive exploration.

use std::collections::BTreeMap;

use acrasin_protocols::predicate::Predicate;
use acrasin_protocols::{Missing, Rule, Table, TableSpec};
use acrasin_prover::{EverySize, ProofLimits, SizedClaim, SizedGoal, prove};

use crate::exhaustive::ExploredClaim;

/// The largest population that is explored.
const LARGEST: u64 = 9;

/// A generator with a fixed seed.
struct Draws(u64);

impl Draws {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % bound
    }
}

struct RandomClaim {
    table: Table,
    inputs: Vec<u16>,
    predicate: String,
    yes: Vec<usize>,
}

fn draw(draws: &mut Draws) -> RandomClaim {
    let states = 2 + draws.below(4) as usize;
    let name = |state: u64| format!("q{state}");
    let mut rules = BTreeMap::new();
    for _ in 0..1 + draws.below(2 * states as u64) {
        let mut state = || draws.below(states as u64);
        let [a, b, c, d] = [state(), state(), state(), state()];
        let text = format!("{} + {} -> {} + {}", name(a), name(b), name(c), name(d));
        rules.entry((a.min(b), a.max(b))).or_insert(Rule::Symmetric(text));
    }
    let names = (0..states as u64).map(name).collect();
    let spec = TableSpec {
        states: names,
        rules: rules.into_values().collect(),
        default: Some(Missing::Null),
        ..TableSpec::default()
    };
    let predicate = match draws.below(6) {
        0 => format!("q0 >= {}", 1 + draws.below(3)),
        1 => "q0 > q1".to_owned(),
        2 => format!("q0 - q1 < {}", draws.below(2)),
        3 => format!("q0 mod 2 = {}", draws.below(2)),
        4 => "q0 >= 1 and q1 >= 1".to_owned(),
        _ => "q0 + q1 >= 2".to_owned(),
    };
    let yes = (0..states).filter(|_| draws.below(2) == 0).collect();
    RandomClaim { table: spec.build().unwrap(), inputs: vec![0, 1], predicate, yes }
}

/// The size of the smallest input with a wrong end, by exploration.
fn smallest_wrong(claim: &RandomClaim, holds: &dyn Fn(&[u64]) -> bool) -> Option<u64> {
    let is_right = |input: &[u64], counts: &[u64]| {
        let answers = |state: usize| claim.yes.contains(&state) == holds(input);
        counts.iter().enumerate().all(|(state, &count)| count == 0 || answers(state))
    };
    let explored =
        ExploredClaim { table: &claim.table, inputs: &claim.inputs, covers: &|_| true, is_right: &is_right };
    explored.smallest_wrong(LARGEST)
}

/// Compares `count` protocols. Returns the number of true claims, and how many of them were proved.
fn compare(count: usize, seed: u64) -> (usize, usize) {
    let mut draws = Draws(seed);
    let (mut right, mut proved) = (0, 0);
    for number in 0..count {
        let drawn = draw(&mut draws);
        let names = drawn.table.state_names();
        let predicate = Predicate::parse(&drawn.predicate).unwrap().bind(names, names).unwrap();
        let no = (0..names.len()).filter(|state| !drawn.yes.contains(state)).collect();
        let goal = SizedGoal::Computes { predicate: predicate.linear(), yes: drawn.yes.clone(), no };
        let claim = SizedClaim::new(&drawn.table, &drawn.inputs, goal, None);
        let expected = smallest_wrong(&drawn, &|input| predicate.holds(input));
        right += usize::from(expected.is_none());
        let limits = ProofLimits { entries: 2_000_000_000, ..ProofLimits::default() };
        match prove(&claim, &limits).verdict {
            EverySize::Proved(_) => {
                assert_eq!(expected, None, "protocol {number}");
                proved += 1;
            }
            EverySize::Refuted(wrong) => {
                let agents = wrong.end.input.iter().sum();
                assert_eq!(expected.unwrap_or(LARGEST + 1).min(agents), agents, "protocol {number}");
                assert!(expected.is_some_and(|size| size == agents) || agents > LARGEST, "protocol {number}");
                if expected.is_none() {
                    right -= 1;
                }
            }
            EverySize::Unknown(open) => {
                assert!(expected.is_none_or(|size| size > open.explored), "protocol {number}");
            }
            EverySize::Interrupted => panic!("nothing stops it"),
        }
    }
    (right, proved)
}

#[test]
fn verdicts_agree_with_exploration() {
    let (right, proved) = compare(1_500, 11);
    assert!(right >= 20 && proved * 10 >= right * 9, "{proved} of {right}");
}

#[test]
#[ignore = "minutes: 20,000 protocols"]
fn verdicts_agree_with_exploration_of_many() {
    let (right, proved) = compare(20_000, 12);
    println!("{proved} of {right} right claims proved, of 20000");
    assert!(proved * 10 >= right * 9, "{proved} of {right}");
}
