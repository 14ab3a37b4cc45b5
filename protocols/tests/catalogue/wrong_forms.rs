//! Wrong forms of the protocols of `exact_values`, which the oracles must reject.

use acrasin_protocols::Table;
use acrasin_protocols::analysis::check_conserved;
use acrasin_protocols::library::{
    ApproximateMajority, ApproximateMajorityOneWay, Averaging, Cyclic, ExactMajority, Fratricide,
    GraphMajority, Health, LeaderRole, OneWayEpidemic, Opinion, OpinionToken, Ternary, TwoWayEpidemic,
};

use super::changed::{chain, is_near, right, wrong};

fn harmonic(n: u32) -> f64 {
    (1..=n).map(|k| 1.0 / f64::from(k)).sum()
}

#[test]
fn epidemics_that_infect_another_way_are_rejected() {
    let takes = |table: &Table, factor: f64| {
        let n = 12;
        let time = chain(table, &[n - 1, 1]).hitting(|counts| counts[0] == 0);
        time.is_ok_and(|time| is_near(time.mean, factor * f64::from(n - 1) * harmonic(n - 1), 1e-12))
    };
    assert!(takes(&right(&OneWayEpidemic), 2.0) && takes(&right(&TwoWayEpidemic), 1.0));
    assert!(!takes(&right(&TwoWayEpidemic), 2.0) && !takes(&right(&OneWayEpidemic), 1.0));
    let recovering = wrong(&OneWayEpidemic, |a, b| {
        (a == Health::Susceptible && b == Health::Infected)
            .then_some((Health::Susceptible, Health::Susceptible))
    });
    assert!(!takes(&recovering, 2.0));
}

#[test]
fn a_fratricide_of_which_no_agent_is_left_is_rejected() {
    let elects = |table: &Table| {
        let chain = chain(table, &[9, 0]);
        chain.configurations().iter().all(|counts| counts[0] > 0)
            && chain.hitting(|counts| counts[0] == 1).is_ok_and(|time| is_near(time.mean, 64.0, 1e-12))
    };
    assert!(elects(&right(&Fratricide)));
    let both = (LeaderRole::Leader, LeaderRole::Leader);
    assert!(!elects(
        &wrong(&Fratricide, |a, b| ((a, b) == both).then_some((LeaderRole::Follower, LeaderRole::Follower)))
    ));
}

#[test]
fn majorities_with_a_rule_changed_are_rejected() {
    let wins = |table: &Table, printed: &str| {
        let chain = chain(table, &[6, 4, 0]);
        let agreed = |counts: &[u32]| counts.contains(&10);
        chain.probability(agreed, |counts| counts[0] == 10).is_ok_and(|wins| format!("{wins:.6}") == printed)
    };
    assert!(
        wins(&right(&ApproximateMajority), "0.886645")
            && wins(&right(&ApproximateMajorityOneWay), "0.746094")
    );
    let unfair = wrong(&ApproximateMajority, |a, b| {
        (a == Ternary::A && b == Ternary::B).then_some((Ternary::A, Ternary::Undecided))
    });
    assert!(!wins(&unfair, "0.886645"));
    let deaf = wrong(&ApproximateMajorityOneWay, |a, b| {
        (a == Ternary::B && b == Ternary::Undecided).then_some((a, b))
    });
    assert!(!wins(&deaf, "0.746094"));
    let difference = [1, -1, 0, 0];
    let conserves = |table: &Table| check_conserved(table, &difference, &[true; 4]).is_ok();
    assert!(conserves(&right(&ExactMajority)) && conserves(&right(&GraphMajority)));
    let [strong_a, strong_b] = [Opinion::A, Opinion::B].map(OpinionToken::Strong);
    let one_sided = |a: OpinionToken, b: OpinionToken| {
        (a == strong_a && b == strong_b).then_some((strong_a, OpinionToken::Weak(Opinion::A)))
    };
    assert!(!conserves(&wrong(&ExactMajority, one_sided)) && !conserves(&wrong(&GraphMajority, one_sided)));
}

#[test]
fn an_averaging_that_loses_a_unit_is_rejected() {
    let protocol = Averaging::new(5).unwrap();
    let loads: Vec<i64> = (0..6).collect();
    assert!(check_conserved(&right(&protocol), &loads, &[true; 6]).is_ok());
    let floor = wrong(&protocol, |a, b| Some((a.midpoint(b), a.midpoint(b))));
    assert!(check_conserved(&floor, &loads, &[true; 6]).is_err());
}

#[test]
fn a_circle_with_a_weak_species_is_rejected() {
    let decays = |table: &Table| {
        let chain = chain(table, &[4, 4, 4]);
        let product = |counts: &[u32]| counts.iter().map(|&count| f64::from(count)).product::<f64>();
        let law = chain.distribution_after(10);
        let mean: f64 = chain.configurations().iter().zip(&law).map(|(counts, p)| product(counts) * p).sum();
        is_near(mean, 64.0 * (1.0_f64 - 6.0 / 132.0).powi(10), 1e-11)
    };
    assert!(decays(&right(&Cyclic::ROCK_PAPER_SCISSORS)));
    assert!(!decays(&wrong(&Cyclic::ROCK_PAPER_SCISSORS, |a, b| (a == 1 && b == 0).then_some((a, b)))));
}
