//! Tests of the number of rounds, and of the distribution of draws.

use acrasin_amoebot::AmoebotId;
use acrasin_amoebot::library::token_election::{Action, AgentRole, BASE};
use acrasin_amoebot::run::execution::{RoundRobinActivation, SequentialExecution, Uniform};
use acrasin_amoebot::{Algorithm, AmoebotPort, Cell, Direction, TokenElection, View, start};
use acrasin_runtime::Seeded;
use acrasin_runtime::choice::{Choices, Decision};

use super::oracle::fault;

/// The number of rounds per agent of the boundary: the mean over some runs of a line of n amoebots.
fn rounds_per_agent(n: usize, regular: bool) -> f64 {
    let cells = start::line(Cell::ORIGIN, Direction::East, n).expect("a line");
    let runs = 6;
    let rounds = (0..runs).map(|seed| {
        let mut execution =
            SequentialExecution::new(&TokenElection, TokenElection::start(&cells, &[]).expect("connected"));
        let mut choices = Seeded::new(seed);
        assert!(match regular {
            true => execution.run(100_000_000, &mut RoundRobinActivation::default(), &mut choices),
            false => execution.run(100_000_000, &mut Uniform, &mut choices),
        });
        assert_eq!(fault(execution.system()), None);
        execution.counts().rounds
    });
    rounds.sum::<u64>() as f64 / f64::from(runs as u32) / (2 * n - 2) as f64
}

/// The greatest identifier and then the probe go around the boundary, one place in a few rounds each. Of the 6 rounds
/// per agent, two are for a step of a digit, which needs free space ahead, and one for a step of the probe. Comparisons
/// and a second lap may take another three. If the time were quadratic, the ratio would grow fourfold from 20 to 80.
#[test]
fn rounds_grow_with_the_length_of_the_boundary() {
    for regular in [true, false] {
        let ratios = [20, 40, 80].map(|n| rounds_per_agent(n, regular));
        println!("rounds per agent, lines of 20, 40, 80: {ratios:.2?}");
        assert!(ratios.iter().all(|ratio| (1.0..6.0).contains(ratio)), "{ratios:?}");
        assert!(ratios[2] < 2.0 * ratios[0], "{ratios:?}");
    }
}

/// A biased generator: one draw in four is halved.
struct Biased(Seeded);

impl Choices for Biased {
    fn pick(&mut self, bound: std::num::NonZeroU32, why: Decision) -> u32 {
        let drawn = self.0.pick(bound, why);
        let again = self.0.pick(std::num::NonZeroU32::new(4).expect("4 > 0"), why) == 0;
        if again { drawn / 2 } else { drawn }
    }
}

/// Results of repeated flips of one agent: how many make the agent a candidate, and how many of these draw each digit.
fn flips(choices: &mut dyn Choices, count: usize) -> (usize, [usize; BASE as usize]) {
    let line = start::line(Cell::ORIGIN, Direction::East, 2).expect("a line");
    let system = TokenElection::start(&line, &[]).expect("connected");
    let (mut candidates, mut digits) = (0, [0; BASE as usize]);
    for _ in 0..count {
        let effects = TokenElection.execute(Action::Flip, &View::new(&system, AmoebotId(0)), choices);
        let effects = effects.expect("enabled");
        let [(None, memory)] = effects.writes() else { panic!("one write, to its own memory") };
        let agent = memory.agent(AmoebotPort::head(1));
        match agent.role {
            AgentRole::Waiting => {}
            AgentRole::Candidate(_) => {
                candidates += 1;
                digits[usize::from(agent.digit)] += 1;
            }
            other => panic!("{other:?}"),
        }
    }
    (candidates, digits)
}

/// Whether coin and digits are fair: the coin within five standard deviations, the digits by chi-square (3 degrees of
/// freedom; 30 has p < 10^-5).
fn is_fair(choices: &mut dyn Choices) -> bool {
    let count = 20_000;
    let (candidates, digits) = flips(choices, count);
    let deviation = (candidates as f64 - count as f64 / 2.0).abs() / (count as f64 / 4.0).sqrt();
    let expected = candidates as f64 / f64::from(BASE);
    let chi_square: f64 = digits.iter().map(|seen| (*seen as f64 - expected).powi(2) / expected).sum();
    deviation < 5.0 && chi_square < 30.0
}

#[test]
fn coins_and_digits_are_fair() {
    assert!(is_fair(&mut Seeded::new(3)));
    assert!(!is_fair(&mut Biased(Seeded::new(3))));
}
