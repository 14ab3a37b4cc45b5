//! Protocols that compute predicates: correct for every input of small populations.

use acrasin_protocols::Protocol;
use acrasin_protocols::library::{FlockOfBirds, Remainder, Summand, Summed, Threshold};
use acrasin_protocols::{FiniteProtocol, Table};

use super::changed::{chain, is_near, right, wrong};

/// Whether `table` answers `expected` with probability 1 and then keeps the answer, for every input of 2 to `most`
/// agents. `expected` receives the number of agents per input.
fn decides(table: &Table, inputs: &[u16], most: u32, expected: impl Fn(&[u32]) -> bool) -> bool {
    let yes: Vec<bool> =
        table.states().map(|state| table.output_name(table.output(state)) == "yes").collect();
    let mut splits = vec![vec![0_u32; inputs.len()]];
    let mut all_right = true;
    for agents in 1..=most {
        let more = |split: &Vec<u32>| {
            let split = split.clone();
            (0..split.len()).map(move |place| {
                let mut next = split.clone();
                next[place] += 1;
                next
            })
        };
        splits = splits.iter().flat_map(more).collect();
        splits.sort_unstable();
        splits.dedup();
        if agents < 2 {
            continue;
        }
        for split in &splits {
            let mut start = vec![0; usize::from(table.state_count())];
            for (&state, &count) in inputs.iter().zip(split) {
                start[usize::from(state)] += count;
            }
            let chain = chain(table, &start);
            let answer = expected(split);
            let right = chain
                .forever(|counts| counts.iter().zip(&yes).all(|(&count, &yes)| count == 0 || yes == answer));
            all_right &= is_near(chain.chance(&right), 1.0, 1e-9);
        }
    }
    all_right
}

fn place<P: FiniteProtocol>(protocol: &P, state: P::State) -> u16 {
    protocol.states().iter().position(|&known| known == state).unwrap() as u16
}

#[test]
fn thresholds_are_right_from_every_input() {
    for (weights, bound) in
        [([1, -1], 0), ([1, -1], 1), ([2, -3], -2), ([1, 0], 3), ([3, 1], -1), ([-2, 3], 4)]
    {
        let protocol = Threshold::new(&weights, bound).unwrap();
        let inputs = weights.map(|weight| place(&protocol, protocol.input(weight)));
        let below = |split: &[u32]| weights[0] * split[0] as i32 + weights[1] * (split[1] as i32) < bound;
        assert!(decides(&right(&protocol), &inputs, 5, below), "{weights:?} {bound}");
        let parts: Vec<i64> = protocol.states().iter().map(|state| state.part.into()).collect();
        let all = vec![true; parts.len()];
        let conserved =
            |table: &Table| acrasin_protocols::analysis::check_conserved(table, &parts, &all).is_ok();
        assert!(conserved(&right(&protocol)));
        // A wrong form that discards the rest of a sum.
        let most = protocol.states().iter().map(|state| state.part).max().unwrap();
        let forgetful = wrong(&protocol, |a, b| {
            let (kept, rest) = protocol.transition(a, b);
            (a.leads || b.leads).then_some((kept, Summand { part: 0, ..rest }))
        });
        assert!(!conserved(&forgetful));
        assert!(most > bound.abs());
    }
    // A wrong form that discards the rest of a sum also answers wrongly: 2 + 2 - 3 is not -1.
    let protocol = Threshold::new(&[2, -2], 1).unwrap();
    let inputs = [2, -2].map(|weight| place(&protocol, protocol.input(weight)));
    let below = |split: &[u32]| 2 * (split[0] as i32) - 2 * (split[1] as i32) < 1;
    assert!(decides(&right(&protocol), &inputs, 5, below));
    let forgetful = wrong(&protocol, |a, b| {
        let (kept, rest) = protocol.transition(a, b);
        (a.leads || b.leads).then_some((kept, Summand { part: 0, ..rest }))
    });
    assert!(!decides(&forgetful, &inputs, 5, below));
    assert!(Threshold::new(&[501], 0).is_err() && Threshold::new(&[], -501).is_err());
}

#[test]
fn remainders_are_right_from_every_input_and_leaders_merge_in_time() {
    for (modulus, remainder, inputs) in [(2, 1, [1, 0]), (3, 2, [1, 2]), (5, 0, [3, 1]), (7, 6, [2, 4])] {
        let protocol = Remainder::new(modulus, remainder).unwrap();
        let matches = |split: &[u32]| {
            (split[0] * u32::from(inputs[0]) + split[1] * u32::from(inputs[1])) % u32::from(modulus)
                == u32::from(remainder)
        };
        assert!(decides(&right(&protocol), &inputs, 6, matches));
        let forgets = wrong(&protocol, |a, b| match (a, b) {
            (Summed::Leader(u), Summed::Leader(_)) => {
                Some((Summed::Leader(u), Summed::Follower(u == remainder)))
            }
            _ => None,
        });
        assert!(!decides(&forgets, &inputs, 6, matches));
    }
    let parity = right(&Remainder::new(2, 1).unwrap());
    let merge = |table: &Table, zeros: u32, ones: u32| {
        let chain = chain(table, &[zeros, ones, 0, 0]);
        chain.hitting(|counts| counts[0] + counts[1] == 1).unwrap().mean
    };
    for (zeros, ones) in [(5, 0), (2, 3), (3, 6), (0, 12)] {
        assert!(is_near(merge(&parity, zeros, ones), f64::from(zeros + ones - 1).powi(2), 1e-12));
    }
}

#[test]
fn flocks_count_their_sick_from_every_input() {
    let protocols =
        [FlockOfBirds::sum, FlockOfBirds::tower].map(|new| [2, 3, 5].map(|c| (c, new(c).unwrap())));
    let succinct = [1, 2].map(|exponent| (1 << exponent, FlockOfBirds::succinct(exponent).unwrap()));
    for (threshold, protocol) in protocols.as_flattened().iter().chain(&succinct) {
        let enough = |split: &[u32]| split[1] >= u32::from(*threshold);
        assert!(decides(&right(protocol), &[0, 1], 7, enough), "{protocol:?}");
        // A wrong form in which two agents of value 1 always raise the alarm.
        let hasty = wrong(protocol, |a, b| (a == 1 && b == 1).then_some((*threshold, 0)));
        assert_eq!(decides(&hasty, &[0, 1], 7, enough), *threshold == 2, "{protocol:?}");
    }
    // Below the threshold the number of sick birds is conserved.
    for protocol in [FlockOfBirds::sum(8).unwrap(), FlockOfBirds::succinct(3).unwrap()] {
        let values = protocol.states();
        let table = right(&protocol);
        let mut start = vec![0; values.len()];
        (start[0], start[1]) = (3, 7);
        for counts in chain(&table, &start).configurations() {
            let sum: u32 = counts.iter().zip(&values).map(|(&count, &value)| count * u32::from(value)).sum();
            assert_eq!(sum, 7);
        }
    }
    assert_eq!(right(&FlockOfBirds::succinct(15).unwrap()).state_count(), 17);
}
