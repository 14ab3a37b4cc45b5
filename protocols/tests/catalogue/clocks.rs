//! Phase clocks and juntas.

use acrasin_protocols::analysis::is_silent;
use acrasin_protocols::library::{Climber, Clocked, Junta, JuntaClock, LeaderClock, LeaderRole, Paced};
use acrasin_protocols::uniform::{Population, Silent};
use acrasin_protocols::{FiniteProtocol, Table};

use super::changed::{When, chain, is_near, mean, right, wrong};

/// Whether the leader of two agents reaches phase k after 4 k - 2 interactions on average.
fn ticks_in_time(table: &Table, phases: usize) -> bool {
    let mut start = vec![0; 2 * phases];
    (start[0], start[phases]) = (1, 1);
    let chain = chain(table, &start);
    (1..phases).all(|phase| {
        chain
            .hitting(|counts| counts[phase] == 1)
            .is_ok_and(|time| is_near(time.mean, 4.0 * phase as f64 - 2.0, 1e-12))
    })
}

#[test]
fn the_clock_of_two_agents_ticks_in_time() {
    for phases in [3, 8, 30] {
        let protocol = LeaderClock::new(phases).unwrap();
        assert!(ticks_in_time(&right(&protocol), phases.into()));
        let hasty = wrong(&protocol, |a, b| {
            let next = Clocked { phase: (b.phase + 1) % phases, ..b };
            (b.role == LeaderRole::Leader).then_some((a, next))
        });
        assert!(!ticks_in_time(&hasty, phases.into()));
    }
}

/// The number of phases from the last agent to the first. The number of all phases if the agents do not lie in one half
/// of the circle.
fn width(counts: &[u64], phases: usize) -> usize {
    let taken: Vec<bool> = (0..phases).map(|phase| counts[phase] + counts[phases + phase] > 0).collect();
    // The agents leave the longest gap of the circle free.
    let mut longest = 0;
    for start in (0..phases).filter(|&start| taken[start]) {
        let gap = (1..phases).take_while(|step| !taken[(start + step) % phases]).count();
        longest = longest.max(gap);
    }
    phases - longest
}

/// Runs a clock for some rounds and examines it four times per round. Returns the widest spread of phases, and the mean
/// number of interactions per round. A round ends when phase 0 is reached again.
fn watch(table: &Table, start: &[u64], phases: usize, rounds: u64, seed: u64) -> (usize, f64) {
    let mut population = Population::new(table, start, seed).unwrap();
    let limit = 1 << 40;
    let mut widest = 0;
    for _ in 0..rounds {
        for quarter in [1, 2, 3, 0] {
            let phase = quarter * phases / 4;
            let there = When(|counts: &[u64]| counts[phase] + counts[phases + phase] > 0);
            let gone = When(|counts: &[u64]| counts[phase] + counts[phases + phase] == 0);
            assert!(population.run_until(&gone, limit) || phase == 0);
            assert!(population.run_until(&there, limit));
            widest = widest.max(width(population.counts(), phases));
        }
    }
    (widest, population.interactions() as f64 / rounds as f64)
}

#[test]
fn a_leader_drives_the_clock_and_all_stay_within_half_of_the_circle() {
    let phases = 24_usize;
    let protocol = LeaderClock::new(phases as u16).unwrap();
    let table = right(&protocol);
    let mut a_round = Vec::new();
    for n in [1_000_u64, 10_000] {
        let rounds: Vec<f64> = (0..4)
            .map(|seed| {
                let (widest, length) = watch(&table, &protocol.initial_counts(n), phases, 6, seed);
                assert!(widest <= phases / 2, "{n}: {widest} of {phases} phases");
                length
            })
            .collect();
        let size = n as f64;
        a_round.push(mean(&rounds).0 / (size * size.ln()));
    }
    // A round takes Theta(n log n) interactions: the constant is the same for both sizes.
    assert!(is_near(a_round[0], a_round[1], 0.25), "{a_round:?}");
    // Followers that learn the phase from the leader only, not from each other, are late.
    let deaf = wrong(&protocol, |a, b| (a.role == b.role).then_some((a, b)));
    let length = |table: &Table| watch(table, &protocol.initial_counts(60), phases, 1, 1).1;
    assert!(length(&deaf) > 3.0 * length(&table), "{} {}", length(&deaf), length(&table));
}

/// Whether at most half of the agents leave level 0, every agent stops, and no agent is above the top level.
fn forms_a_junta(table: &Table, top: usize, agents: u32) -> bool {
    let mut start = vec![0; 2 * (top + 1)];
    start[0] = agents;
    let chain = chain(table, &start);
    chain.configurations().iter().all(|counts| {
        let ground = counts[0] + counts[top + 1];
        let wide: Vec<u64> = counts.iter().map(|&count| count.into()).collect();
        let active: u32 = counts[..=top].iter().sum();
        2 * (agents - ground) <= agents && (active == 0 || !is_silent(table, &wide))
    }) && is_near(
        chain.chance(&chain.forever(|counts| counts[..=top].iter().all(|&count| count == 0))),
        1.0,
        1e-9,
    )
}

#[test]
fn a_junta_forms_of_every_small_population() {
    for (top, agents) in [(1, 7), (2, 6), (3, 5)] {
        let protocol = Junta::new(top).unwrap();
        assert!(forms_a_junta(&right(&protocol), top.into(), agents));
        let both_climb = wrong(&protocol, |a, b| {
            let up = Climber { is_active: top > 1, level: 1 };
            (a == Climber::START && b == Climber::START).then_some((up, up))
        });
        assert!(!forms_a_junta(&both_climb, top.into(), agents));
    }
}

#[test]
fn juntas_are_small_and_their_level_is_about_log_log_n() {
    let protocol = Junta::new(12).unwrap();
    let table = right(&protocol);
    for n in [1_000_u64, 10_000, 100_000] {
        for seed in 0..8 {
            let mut population = Population::new(&table, &protocol.initial_counts(n), seed).unwrap();
            assert!(population.run_until(&Silent::new(&table), 1 << 40));
            let stopped = &population.counts()[13..];
            let level = stopped.iter().rposition(|&count| count > 0).unwrap();
            let size = n as f64;
            assert!((level as f64) <= size.log2().log2() + 3.0, "{n}: level {level}");
            assert!((stopped[level] as f64) <= (size * size.ln()).sqrt(), "{n}: {} agents", stopped[level]);
            assert!((population.interactions() as f64) < 20.0 * size * size.ln());
        }
    }
}

#[test]
fn a_junta_drives_the_clock_and_all_stay_within_half_of_the_circle() {
    let phases = 128_usize;
    let protocol = JuntaClock::new(phases as u16).unwrap();
    let table = right(&protocol);
    for (n, seeds) in [(1_000_u64, 4), (10_000, 1)] {
        for seed in 0..seeds {
            let start = protocol.initial_counts(n);
            let (widest, length) = watch(&table, &start, phases, 6, seed);
            assert!(widest <= phases / 2, "{n}: {widest} of {phases} phases");
            let size = n as f64;
            assert!((0.5..50.0).contains(&(length / (size * size.ln()))), "{}", length / (size * size.ln()));
        }
    }
    // With every agent in the junta, the phases spread.
    let mut all = vec![0; 2 * phases];
    all[0] = 1000;
    let mut population = Population::new(&table, &all, 1).unwrap();
    let mut widest = 0;
    for look in 1..=200 {
        population.run_to(look * 100);
        widest = widest.max(width(population.counts(), phases));
    }
    let calm = watch(&table, &protocol.initial_counts(1000), phases, 2, 1).0;
    assert!(widest > calm, "{widest} against {calm}");
}

#[test]
fn a_clock_without_a_junta_stands_still() {
    let protocol = JuntaClock::new(8).unwrap();
    let table = right(&protocol);
    let follower =
        |phase| protocol.states().iter().position(|&s| s == Paced { is_member: false, phase }).unwrap();
    let mut start = vec![0_u32; 16];
    (start[follower(0)], start[follower(3)]) = (4, 2);
    let still = chain(&table, &start);
    let all_at_3 = still.forever(|counts| counts[follower(3)] == 6);
    assert!(is_near(still.chance(&all_at_3), 1.0, 1e-9));
    // With one member the clock runs: no configuration lasts.
    let mut start = vec![0_u32; 16];
    (start[0], start[follower(0)]) = (1, 2);
    let driven = chain(&table, &start);
    assert!(driven.configurations().iter().all(|counts| counts[..8].iter().sum::<u32>() == 1));
    assert!(driven.hitting(|counts| counts[7] == 1).unwrap().mean > 7.0);
    for phase in 0..8 {
        assert!(driven.forever(|counts| counts[phase] == 1).iter().all(|&holds| !holds));
    }
}
