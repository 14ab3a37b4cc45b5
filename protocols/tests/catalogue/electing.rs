//! Leader elections on the complete graph, against their exact chains.

use acrasin_protocols::library::{
    Contest, Dye, Fratricide, GraphLeader, LeaderRole, LooseLeader, Rival, TimedLeader,
};
use acrasin_protocols::{FiniteProtocol, Table};

use super::changed::{chain, is_near, right, wrong};

/// The number of leaders in these counts.
fn leaders<P: FiniteProtocol<Output = LeaderRole>>(protocol: &P, counts: &[u32]) -> u32 {
    let states = protocol.states();
    let leads = |place: usize| protocol.output(states[place]) == LeaderRole::Leader;
    counts.iter().enumerate().filter(|&(place, _)| leads(place)).map(|(_, count)| count).sum()
}

/// Whether one leader remains with probability 1, there is always at least one leader, and the number of leaders never
/// increases.
fn elects(table: &Table, protocol: &Contest, agents: u32) -> bool {
    let mut start = vec![0; protocol.states().len()];
    start[0] = agents;
    let chain = chain(table, &start);
    let one = chain.forever(|counts| leaders(protocol, counts) == 1);
    chain.configurations().iter().all(|counts| leaders(protocol, counts) > 0)
        && is_near(chain.chance(&one), 1.0, 1e-9)
}

#[test]
fn competing_values_elect_one() {
    for (largest, agents) in [(1, 6), (2, 5), (3, 4), (6, 3)] {
        let protocol = Contest::new(largest).unwrap();
        assert!(elects(&right(&protocol), &protocol, agents));
        // A wrong form in which two leaders of the top value both give up.
        let top = Rival { role: LeaderRole::Leader, value: largest };
        let fallen = Rival { role: LeaderRole::Follower, value: largest };
        let fatal = wrong(&protocol, |a, b| (a == top && b == top).then_some((fallen, fallen)));
        assert!(!elects(&fatal, &protocol, agents));
        // A wrong form in which both stay.
        let endless = wrong(&protocol, |a, b| (a == top && b == top).then_some((a, b)));
        assert!(!elects(&endless, &protocol, agents));
    }
    // With m = 1 and all values 1 the contest is fratricide.
    let contest = right(&Contest::new(1).unwrap());
    for n in [3, 10, 40_u32] {
        let merged = chain(&contest, &[0, n, 0, 0]).hitting(|counts| counts[1] == 1).unwrap();
        let expected = chain(&right(&Fratricide), &[n, 0]).hitting(|counts| counts[0] == 1).unwrap();
        assert!(
            is_near(merged.mean, expected.mean, 1e-12) && is_near(merged.variance, expected.variance, 1e-9)
        );
    }
}

/// The mean time for which a single leader with fresh timers stays the only one.
fn holding(table: &Table, longest: u16, agents: u32) -> f64 {
    let timers = usize::from(longest) + 1;
    let mut start = vec![0; 2 * timers];
    (start[timers - 1], start[2 * timers - 1]) = (1, agents - 1);
    let one = |counts: &[u32]| counts[..timers].iter().sum::<u32>() == 1;
    chain(table, &start).hitting(|counts| !one(counts)).map_or(f64::INFINITY, |time| time.mean)
}

#[test]
fn a_loose_leader_comes_from_any_start_and_stays_longer_with_longer_timers() {
    for (longest, agents) in [(2, 4), (4, 3), (5, 3)] {
        let protocol = LooseLeader::new(longest).unwrap();
        let table = right(&protocol);
        let timers = usize::from(longest) + 1;
        let one = |counts: &[u32]| counts[..timers].iter().sum::<u32>() == 1;
        for state in 0..2 * timers {
            // All agents begin in one state. Every reachable configuration is then tested as a start, too.
            let mut start = vec![0; 2 * timers];
            start[state] = agents;
            let chain = chain(&table, &start);
            let reached = chain.hitting(one).unwrap();
            assert!(reached.mean.is_finite(), "{state}: {}", reached.mean);
            // The election is loose: no configuration keeps its leader forever.
            assert!(chain.forever(one).iter().all(|&holds| !holds));
        }
    }
    // Of three agents, the two followers meet with probability 1/3. After s such meetings in a row the leader is no
    // longer alone: 3 (3^s - 1) / 2.
    let formula = |longest: u16| 1.5 * (3.0_f64.powi(longest.into()) - 1.0);
    let holds = |longest: u16, table: &Table| is_near(holding(table, longest, 3), formula(longest), 1e-9);
    for longest in 2..=7 {
        assert!(holds(longest, &right(&LooseLeader::new(longest).unwrap())));
    }
    // A wrong form in which a leader does not renew the timer when it meets a follower.
    let protocol = LooseLeader::new(5).unwrap();
    let spent = |state: TimedLeader| TimedLeader { timer: state.timer.saturating_sub(1), ..state };
    let forgetful = wrong(&protocol, |a, b| {
        (a.role != b.role && (a.timer > 0 || b.timer > 0)).then(|| (spent(a), spent(b)))
    });
    assert!(!holds(5, &forgetful));
}

/// The mean time until one candidate is left. `None` if in some configuration the numbers of candidates and tokens
/// differ, or there is no black token.
fn keeps_its_balance(table: &Table, agents: u32) -> Option<f64> {
    let chain = chain(table, &[agents, 0, 0, 0, 0, 0]);
    // The states are Lb, Lw, L_, Fb, Fw, F_.
    let is_balanced = |counts: &Vec<u32>| {
        let (black, white) = (counts[0] + counts[3], counts[1] + counts[4]);
        counts[0] + counts[1] + counts[2] == black + white && black > 0
    };
    let elected = |counts: &[u32]| counts[0] + counts[1] + counts[2] == 1;
    chain
        .configurations()
        .iter()
        .all(is_balanced)
        .then(|| chain.hitting(elected).ok().map(|time| time.mean))
        .flatten()
}

#[test]
fn candidates_on_the_complete_graph_are_as_many_as_tokens_and_one_is_left_in_time() {
    let table = right(&GraphLeader);
    let mean = keeps_its_balance(&table, 8).unwrap();
    assert!(is_near(mean, 60.0, 0.01), "{mean}");
    for agents in [2, 3, 5, 10] {
        assert!(keeps_its_balance(&table, agents).is_some());
    }
    // A wrong form in which two black tokens vanish, so that no black token may be left.
    let bleached = wrong(&GraphLeader, |a, b| {
        let both = (a.token, b.token) == (Some(Dye::Black), Some(Dye::Black));
        both.then(|| {
            let out = |role| acrasin_protocols::library::Candidate { role, token: None };
            (out(LeaderRole::Follower), out(LeaderRole::Follower))
        })
    });
    assert!(keeps_its_balance(&bleached, 8).is_none());
}
