//! Closed formulas of simple protocols against the exact chains of small populations.

use acrasin_protocols::Table;
use acrasin_protocols::analysis::check_conserved;
use acrasin_protocols::library::{
    ApproximateMajority, ApproximateMajorityOneWay, CancelSplit, Cancellation, Estimate, Ranking,
    SizeEstimation, SyntheticCoin, Ternary, TokenWalk, UndecidedState, Voter,
};
use acrasin_protocols::{FiniteProtocol, Protocol};

use super::changed::{chain, is_near, right, wrong};

/// Whether the mean time until no B is left equals the formula.
fn cancels_in_time(table: &Table) -> bool {
    [(3, 2, 0), (4, 4, 0), (10, 6, 4), (20, 5, 0)].into_iter().all(|(a, b, others)| {
        let n = f64::from(a + b + others);
        let chain = chain(table, &[a, b, others]);
        let Ok(time) = chain.hitting(|counts| counts[1] == 0) else { return false };
        let expected: f64 = (1..=b).map(|k| n * (n - 1.0) / f64::from(2 * k * (a - b + k))).sum();
        is_near(time.mean, expected, 1e-12)
    })
}

#[test]
fn pairwise_cancellation_takes_as_long_as_the_formula_says() {
    assert!(cancels_in_time(&right(&Cancellation)));
    assert!(check_conserved(&right(&Cancellation), &[1, -1, 0], &[true; 3]).is_ok());
    let one_way =
        wrong(&Cancellation, |a, b| (a == Ternary::B && b == Ternary::A).then_some((Ternary::B, Ternary::A)));
    assert!(!cancels_in_time(&one_way));
    let unfair = wrong(&Cancellation, |a, b| {
        (a == Ternary::B && b == Ternary::A).then_some((Ternary::Undecided, Ternary::A))
    });
    assert!(check_conserved(&unfair, &[1, -1, 0], &[true; 3]).is_err());
}

/// Whether each colour wins with a probability equal to its share, and two colours take the time of the formula.
fn votes_as_the_formulas_say(two: &Table, three: &Table) -> bool {
    let pairs = [(2_u32, 1_u32), (5, 2), (12, 7), (40, 20)].into_iter().all(|(n, a)| {
        let chain = chain(two, &[a, n - a]);
        let agreed = |counts: &[u32]| counts.contains(&n);
        let wins = chain.probability(agreed, |counts| counts[1] == 0).unwrap();
        let early: f64 = (1..=a).map(|j| f64::from(n - a) / f64::from(n - j)).sum();
        let late: f64 = (a + 1..n).map(|j| f64::from(a) / f64::from(j)).sum();
        is_near(wins, f64::from(a) / f64::from(n), 1e-12)
            && is_near(chain.hitting(agreed).unwrap().mean, f64::from(n - 1) * (early + late), 1e-12)
    });
    let chain = chain(three, &[2, 3, 7]);
    pairs
        && [2.0, 3.0, 7.0].into_iter().enumerate().all(|(colour, agents)| {
            let wins = chain.probability(|counts| counts.contains(&12), |counts| counts[colour] == 12);
            is_near(wins.unwrap(), agents / 12.0, 1e-12)
        })
}

#[test]
fn voters_follow_each_colour_as_often_as_it_deserves() {
    let [two, three] = [2, 3].map(|colours| Voter::new(colours).unwrap());
    assert!(votes_as_the_formulas_say(&right(&two), &right(&three)));
    // A wrong form in which responders of colour 1 do not adopt colour 2.
    let biased = wrong(&three, |a, b| (a == 2 && b == 1).then_some((a, b)));
    assert!(!votes_as_the_formulas_say(&right(&two), &biased));
    let both = wrong(&two, |a, b| (a == 1 && b == 0).then_some((0, 0)));
    assert!(!votes_as_the_formulas_say(&both, &right(&three)));
}

/// Whether two tables have the same transitions, regardless of the names of their states.
fn do_the_same(one: &Table, other: &Table) -> bool {
    one.state_count() == other.state_count()
        && one.states().all(|a| one.states().all(|b| one.transition(a, b) == other.transition(a, b)))
}

/// Whether three opinions of equal size win equally often, and one of them always wins unless `may_fail`.
fn opinions_are_equal(table: &Table, may_fail: bool) -> bool {
    let chain = chain(table, &[3, 3, 3, 0]);
    let agreed = |counts: &[u32]| counts.contains(&9);
    let wins = [0, 1, 2, 3].map(|state| chain.probability(agreed, |counts| counts[state] == 9).unwrap());
    is_near(wins[1], wins[0], 1e-12)
        && is_near(wins[2], wins[0], 1e-12)
        && is_near(wins.iter().sum(), 1.0, 1e-12)
        && (wins[3] > 0.0) == may_fail
}

#[test]
fn undecided_states_of_two_opinions_are_approximate_majority_and_opinions_are_equal() {
    let [one_way, two_way] = [UndecidedState::one_way, UndecidedState::two_way].map(|new| new(2).unwrap());
    assert!(do_the_same(&right(&one_way), &right(&ApproximateMajorityOneWay)));
    assert!(do_the_same(&right(&two_way), &right(&ApproximateMajority)));
    assert!(!do_the_same(&right(&one_way), &right(&ApproximateMajority)));
    let [one_way, two_way] = [UndecidedState::one_way, UndecidedState::two_way].map(|new| new(3).unwrap());
    assert!(opinions_are_equal(&right(&one_way), false));
    assert!(opinions_are_equal(&right(&two_way), true));
    let unfair = wrong(&one_way, |a, b| (a == Some(0) && b == Some(1)).then_some((a, a)));
    assert!(!opinions_are_equal(&unfair, false));
}

#[test]
fn splitting_conserves_the_signed_sum_and_without_levels_it_is_cancellation() {
    let order = |protocol: &CancelSplit| -> Vec<i64> {
        protocol.states().into_iter().map(|state| protocol.weight(state)).collect()
    };
    for levels in [1, 2, 5, 12] {
        let protocol = CancelSplit::new(levels).unwrap();
        let all = vec![true; protocol.states().len()];
        assert!(check_conserved(&right(&protocol), &order(&protocol), &all).is_ok());
        // A wrong form in which a vote is copied instead of split.
        let copies = wrong(&protocol, |a, b| {
            b.is_none().then_some((a, a)).filter(|_| a.is_some_and(|share| share.level == 0))
        });
        assert!(check_conserved(&copies, &order(&protocol), &all).is_err());
    }
    assert!(do_the_same(&right(&CancelSplit::new(0).unwrap()), &right(&Cancellation)));
    assert!(!do_the_same(&right(&CancelSplit::new(1).unwrap()), &right(&Cancellation)));
    assert_eq!(CancelSplit::new(61).unwrap_err().accepted(), Some("0 to 60"));
}

/// Whether the mean share of ones equals the formula.
fn is_a_coin(table: &Table) -> bool {
    [2, 5, 11_u32].into_iter().all(|n| {
        let chain = chain(table, &[n, 0]);
        [0, 1, 2, 7, 40].into_iter().all(|t| {
            let law = chain.distribution_after(t);
            let share = |counts: &Vec<u32>| f64::from(counts[1]) / f64::from(n);
            let mean: f64 =
                chain.configurations().iter().zip(&law).map(|(counts, p)| share(counts) * p).sum();
            let expected = (1.0 - (1.0 - 4.0 / f64::from(n)).powi(t as i32)) / 2.0;
            (mean - expected).abs() < 1e-13
        })
    })
}

#[test]
fn the_synthetic_coin_forgets_its_start() {
    assert!(is_a_coin(&right(&SyntheticCoin)));
    assert!(!is_a_coin(&wrong(&SyntheticCoin, |a, b| Some((!a, b)))));
}

/// Whether estimates have the distribution of the largest of n geometric draws, capped at `largest`.
fn estimates_by_the_law(table: &Table, largest: u16, n: u32) -> bool {
    let mut start = vec![0; 2 * usize::from(largest)];
    start[0] = n;
    let chain = chain(table, &start);
    (1..largest).all(|most| {
        let known = |counts: &[u32], from: u16, to: u16| {
            (from..=to).any(|g| counts[usize::from(largest + g - 1)] == n)
        };
        let probability =
            chain.probability(|counts| known(counts, 1, largest), |counts| known(counts, 1, most)).unwrap();
        is_near(probability, (1.0 - 0.5_f64.powi(most.into())).powi(n as i32), 1e-12)
    })
}

#[test]
fn the_largest_of_geometric_draws_has_its_law() {
    for (largest, n) in [(2, 5), (3, 4), (4, 3), (6, 2)] {
        let protocol = SizeEstimation::new(largest).unwrap();
        assert!(estimates_by_the_law(&right(&protocol), largest, n));
        // A wrong form without the coin toss: every agent stops at once.
        assert!(!estimates_by_the_law(&wrong(&protocol, |_, _| None), largest, n));
    }
    let protocol = SizeEstimation::new(5).unwrap();
    assert_eq!(protocol.transition(Estimate::Known(2), Estimate::Known(4)).0, Estimate::Known(4));
    assert_eq!(protocol.output(Estimate::Tossing(2)), None);
}

/// Whether all ranks are taken in the end, from every start of this many agents.
fn ranks_from_every_start(table: &Table, ranks: usize) -> bool {
    let mut starts = vec![vec![0_u32; ranks]];
    for _ in 0..ranks {
        let more = |start: &Vec<u32>| {
            let start = start.clone();
            (0..ranks).map(move |rank| {
                let mut next = start.clone();
                next[rank] += 1;
                next
            })
        };
        starts = starts.iter().flat_map(more).collect();
        starts.sort_unstable();
        starts.dedup();
    }
    starts.iter().all(|start| {
        let chain = chain(table, start);
        is_near(chain.chance(&chain.forever(|counts| counts.iter().all(|&count| count == 1))), 1.0, 1e-9)
    })
}

#[test]
fn ranking_stabilises_from_every_start() {
    let five = right(&Ranking::new(5).unwrap());
    let time = chain(&five, &[5, 0, 0, 0, 0]).hitting(|counts| counts == [1; 5]).unwrap();
    assert_eq!(format!("{:.4}", time.mean), "49.6198");
    for ranks in [2, 3, 5] {
        let protocol = Ranking::new(ranks).unwrap();
        assert!(ranks_from_every_start(&right(&protocol), ranks.into()));
        // A wrong form in which no agent moves from the last rank to rank 0.
        let stuck = wrong(&protocol, |a, b| (a == b && a + 1 == ranks).then_some((a, b)));
        assert!(!ranks_from_every_start(&stuck, ranks.into()));
    }
}

/// Whether two tokens on the complete graph meet after n (n - 1) / 2 interactions on average, and one always remains.
fn tokens_meet(table: &Table) -> bool {
    [2, 3, 10, 100_u32].into_iter().all(|n| {
        let chain = chain(table, &[n - 2, 2]);
        chain.configurations().iter().all(|counts| counts[1] > 0)
            && is_near(
                chain.hitting(|counts| counts[1] == 1).unwrap().mean,
                f64::from(n * (n - 1)) / 2.0,
                1e-12,
            )
    })
}

#[test]
fn two_tokens_meet_and_one_stays() {
    assert!(tokens_meet(&right(&TokenWalk)));
    assert!(!tokens_meet(&wrong(&TokenWalk, |a, b| (a && b).then_some((false, false)))));
}
