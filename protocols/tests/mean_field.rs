//! The mean-field limit against closed formulas and against runs.

use acrasin_protocols::Table;
use acrasin_protocols::library::ApproximateMajority;
use acrasin_protocols::mean_field::{MeanField, Unreached};
use acrasin_protocols::reactions::{CountChange, Gillespie, ReactionNetwork, RunEnd, ScheduledChange};
use acrasin_protocols::uniform::Population;

#[test]
fn solutions_are_those_of_closed_formulas() {
    // x' = -x^2 / 2 * 2 = -x^2 for 2 A -> nothing at rate 1: x = 1 / (1 / x0 + t).
    let pairs = ReactionNetwork::new(&["A"], &[("2 A ->", 1.0)]).unwrap();
    // Inflow and decay: x = 3 + (x0 - 3) e^-t.
    let flow = ReactionNetwork::new(&["A"], &[("-> A", 3.0), ("A ->", 1.0)]).unwrap();
    for tolerance in [1e-5, 1e-9] {
        let (mut meeting, mut flowing) =
            (MeanField::new(&pairs, &[2.0], tolerance), MeanField::new(&flow, &[0.5], tolerance));
        for time in [0.01, 0.7, 5.0, 30.0] {
            assert!(meeting.advance(time) && flowing.advance(time));
            assert_eq!(meeting.time(), time);
            let (met, flowed) = (1.0 / (0.5 + time), 3.0 - 2.5 * (-time).exp());
            assert!((meeting.shares()[0] - met).abs() < 30.0 * tolerance, "{time}: {:?}", meeting.shares());
            assert!(
                (flowing.shares()[0] - flowed).abs() < 30.0 * tolerance,
                "{time}: {:?}",
                flowing.shares()
            );
        }
    }
    // Unbounded growth in finite time is reported: x' = x^2 from 1 ends at time 1.
    let growing = ReactionNetwork::new(&["A"], &[("2 A -> 4 A", 1.0)]).unwrap();
    let mut limit = MeanField::new(&growing, &[1.0], 1e-9);
    assert!(limit.advance(0.9) && (limit.shares()[0] - 10.0).abs() < 1e-5);
    assert!(!limit.advance(2.0) && (limit.time() - 1.0).abs() < 1e-3, "{}", limit.time());
}

/// The largest distance between the counts of a run and the limit, in units of sqrt(n).
fn distance(network: &ReactionNetwork, agents: u64) -> f64 {
    let table = Table::compile(&ApproximateMajority).unwrap();
    let mut population = Population::new(&table, &[agents / 10 * 6, agents / 10 * 4, 0], 3).unwrap();
    let n = agents as f64;
    let mut limit = MeanField::new(network, &[0.6, 0.4, 0.0], 1e-10);
    let mut most = 0.0_f64;
    for tenth in 1..=150 {
        population.run_to(agents / 10 * tenth);
        assert!(limit.advance(tenth as f64 / 10.0));
        for (&count, share) in population.counts().iter().zip(limit.shares()) {
            most = most.max((count as f64 - n * share).abs() / n.sqrt());
        }
    }
    most
}

/// Fluctuations grow with the square root of the number of agents. Runs of a million and of a hundred million agents
/// stay within these fluctuations.
#[test]
fn a_million_agents_stay_within_the_fluctuations_and_a_wrong_limit_is_caught() {
    let table = Table::compile(&ApproximateMajority).unwrap();
    let right = ReactionNetwork::from_table(&table);
    for agents in [1_000_000, 100_000_000] {
        let found = distance(&right, agents);
        assert!(found < 5.0, "{agents}: {found} sqrt(n)");
    }
    // Wrong limits: a rate that is one per cent off, one that suits only rules of one order, and the time scale of
    // another law.
    let of = |cancel: f64, follow: f64| {
        let rules = [("A + B -> 2 U", cancel), ("A + U -> 2 A", follow), ("B + U -> 2 B", follow)];
        ReactionNetwork::new(&["A", "B", "U"], &rules).unwrap()
    };
    assert!(distance(&of(2.0, 2.0), 1_000_000) < 5.0);
    // One per cent is 3 sqrt(n) for a million agents, and ten times as much for a hundred million.
    for (wrong, agents) in [
        (of(1.0, 1.0), 1_000_000),
        (of(2.0, 1.0), 1_000_000),
        (of(2.02, 2.0), 100_000_000),
        (of(2.0, 1.98), 100_000_000),
    ] {
        let found = distance(&wrong, agents);
        assert!(found > 5.0, "{agents}: {found} sqrt(n)");
    }
}

#[test]
fn a_large_vessel_stays_near_its_limit() {
    let rules = [("-> X", 1.0), ("2 X + Y -> 3 X", 2.0), ("X -> Y", 1.5), ("X ->", 1.0)];
    let network = ReactionNetwork::new(&["X", "Y"], &rules).unwrap();
    let volume = 1e6;
    let mut vessel = Gillespie::new(&network, &[1_000_000, 1_000_000], volume, 1).unwrap();
    let mut limit = MeanField::new(&network, &[1.0, 1.0], 1e-10);
    for time in 1..=10 {
        vessel.run(&RunEnd::time(f64::from(time)));
        assert!(limit.advance(f64::from(time)));
        for (&count, share) in vessel.counts().iter().zip(limit.shares()) {
            let distance = (count as f64 - volume * share).abs() / volume.sqrt();
            assert!(distance < 10.0, "{time}: {distance}");
        }
    }
}

/// Explicit steps follow the fastest reaction even when it no longer changes anything: for this network they took 28 s.
#[test]
fn stiff_equations_take_few_steps() {
    let rules = [("S -> F", 1e-3), ("F -> Y", 1e6), ("Y -> F", 1e6)];
    let network = ReactionNetwork::new(&["S", "F", "Y"], &rules).unwrap();
    let mut limit = MeanField::new(&network, &[5.0, 0.0, 0.0], 1e-8);
    let mut asked = 0;
    for time in [1e-3, 1.0, 100.0, 1000.0, 3000.0] {
        let reached = limit.advance_while(time, &mut || {
            asked += 1;
            true
        });
        assert!(reached.is_ok());
        assert_eq!(limit.time(), time);
        // S decays at rate 1e-3, and its product divides equally between F and Y at once.
        let slow = 5.0 * (-1e-3 * time).exp();
        let fast = (5.0 - slow) / 2.0;
        for (found, expected) in limit.shares().iter().zip([slow, fast, fast]) {
            assert!((found - expected).abs() < 1e-5, "{time}: {:?}", limit.shares());
        }
    }
    assert!(asked < 100, "{asked} times ten thousand terms");
}

/// Robertson's problem, with the values of Hairer and Wanner, "Solving ordinary differential equations II", at time 0.4
/// and 40.
#[test]
fn robertsons_problem_is_solved() {
    let rules = [("A -> B", 0.04), ("2 B -> B + C", 6e7), ("B + C -> A + C", 1e4)];
    let network = ReactionNetwork::new(&["A", "B", "C"], &rules).unwrap();
    let mut limit = MeanField::new(&network, &[1.0, 0.0, 0.0], 1e-9);
    for (time, expected) in [
        (0.4, [9.8517e-1, 3.3864e-5, 1.4794e-2]),
        (40.0, [7.1582e-1, 9.1851e-6, 2.8416e-1]),
        (4e4, [3.8983e-2, 1.6218e-7, 9.6101e-1]),
    ] {
        assert!(limit.advance(time));
        for (found, expected) in limit.shares().iter().zip(expected) {
            assert!((found - expected).abs() < 1e-3 * expected + 1e-8, "{time}: {:?}", limit.shares());
        }
    }
}

/// A chain of species, with a rate to the next species and a rate back.
fn chain(species: usize, next: f64, back: f64) -> ReactionNetwork {
    let names: Vec<String> = (0..species).map(|one| format!("S{one}")).collect();
    let rules = (1..species).flat_map(|one| {
        let before = one - 1;
        [(format!("S{before} -> S{one}"), next), (format!("S{one} -> S{before}"), back)]
    });
    let rules: Vec<(String, f64)> = rules.filter(|&(_, rate)| rate > 0.0).collect();
    ReactionNetwork::new(&names, &rules).unwrap()
}

fn first(species: usize) -> Vec<f64> {
    (0..species).map(|one| if one == 0 { 1.0 } else { 0.0 }).collect()
}

/// Without backward rates the shares follow a Poisson law.
#[test]
fn three_hundred_species_in_a_chain_follow_poisson() {
    let mut limit = MeanField::new(&chain(300, 2.0, 0.0), &first(300), 1e-9);
    for time in [0.5, 20.0, 60.0] {
        assert!(limit.advance(time));
        let mut share = (-2.0 * time).exp();
        for (one, found) in limit.shares().iter().enumerate().take(299) {
            assert!((found - share).abs() < 1e-7, "S{one} at {time}: {found}, not {share}");
            share *= 2.0 * time / (one + 1) as f64;
        }
    }
}

/// Diffusion between two ends, against the eigenvectors of the chain. Regression test: with more than 150 species a run
/// ended early.
#[test]
fn stiff_chains_of_any_length_are_solved() {
    let rate = 1e6;
    for species in [151_usize, 300, 1000] {
        let mut limit = MeanField::new(&chain(species, rate, rate), &first(species), 1e-9);
        let n = species as f64;
        let slowest = rate * (std::f64::consts::PI / n).powi(2);
        for time in [0.01 / slowest, 0.5 / slowest, 2.0 / slowest, 1e6] {
            assert!(limit.advance(time), "{species} species at {time}");
            for one in [0, 1, species / 3, species - 1] {
                let wave = |mode: usize, place: f64| (std::f64::consts::PI * mode as f64 * place / n).cos();
                let modes = (1..species).map(|mode| {
                    let decay = 2.0 * rate * (1.0 - wave(mode, 1.0));
                    2.0 * wave(mode, 0.5) * wave(mode, one as f64 + 0.5) * (-decay * time).exp()
                });
                let (found, expected) = (limit.shares()[one], (1.0 + modes.sum::<f64>()) / n);
                assert!(
                    (found - expected).abs() < 1e-6,
                    "S{one} of {species} at {time}: {found}, not {expected}"
                );
            }
        }
    }
}

/// Rates that depend on time and counts in stiff equations: F follows S at once, and S' = -S cos(t) / (1 + S).
#[test]
fn stiff_equations_with_expressions_are_solved() {
    use acrasin_protocols::reactions::{WrittenRate, WrittenReaction};
    let of = |text, rate, reverse| WrittenReaction { text, rate, reverse };
    let rules = [
        of("S ->", WrittenRate::MassAction("(1 + cos(t)) / (V + S)"), None),
        of("F <-> G", WrittenRate::MassAction("k * 1"), Some(WrittenRate::Propensity("k * G"))),
    ];
    let network = ReactionNetwork::with_rates(&["S", "F", "G"], &[("k", 1e7), ("V", 50.0)], &rules).unwrap();
    let mut limit = MeanField::new(&network, &[2.0, 1.0, 0.0], 1e-10).with_volume(50.0);
    for time in [0.5, 3.0, 40.0] {
        assert!(limit.advance(time));
        // s = S / V: s' = -s (1 + cos t) / (50 (1 + s)), so that log s + s falls by (t + sin t) / 50.
        let level = 2.0_f64.ln() + 2.0 - (time + time.sin()) / 50.0;
        let found = limit.shares()[0];
        assert!((found.ln() + found - level).abs() < 1e-8, "{time}: {found}");
        assert!((limit.shares()[1] - 0.5).abs() < 1e-8 && (limit.shares()[2] - 0.5).abs() < 1e-8);
    }
}

/// Each event is a jump of the solution, from which the equations continue.
#[test]
fn events_change_the_limit_at_their_time() {
    let network = ReactionNetwork::new(&["A"], &[("A ->", 1.0)]).unwrap();
    let event = |at, every, change| ScheduledChange { at, every, changes: vec![(0, change)] };
    let add = event(1.0, None, CountChange::Add(50));
    let mut limit =
        MeanField::new(&network, &[1.0], 1e-10).with_volume(100.0).with_events(std::slice::from_ref(&add));
    let decay = |time: f64| (-time).exp();
    for (time, expected) in [
        (0.4, decay(0.4)),
        (1.0, decay(1.0) + 0.5),
        (1.5, decay(1.5) + 0.5 * decay(0.5)),
        (4.0, decay(4.0) + 0.5 * decay(3.0)),
    ] {
        assert!(limit.advance(time));
        assert!((limit.shares()[0] - expected).abs() < 1e-8, "{time}: {:?}", limit.shares());
    }
    // Set at time 0, and again after every unit of time.
    let set = event(0.0, Some(1.0), CountChange::Set(200));
    let mut limit = MeanField::new(&network, &[0.0], 1e-10).with_volume(100.0).with_events(&[set, add]);
    assert!(limit.advance(0.0) && limit.shares() == [2.0]);
    assert!(!limit.advance_to_event(0.5, &mut || true).unwrap());
    assert!(limit.advance_to_event(1.0, &mut || true).unwrap());
    assert!((limit.shares()[0] - 2.0 * decay(1.0)).abs() < 1e-8);
    assert!(limit.advance(3.25) && (limit.shares()[0] - 2.0 * decay(0.25)).abs() < 1e-8);
    let take = event(2.0, None, CountChange::Add(-20));
    let mut limit = MeanField::new(&network, &[1.0], 1e-10).with_volume(100.0).with_events(&[take]);
    assert_eq!(limit.advance_while(5.0, &mut || true), Err(Unreached::Event { event: 0, species: 0 }));
    assert_eq!(limit.time(), 2.0);
}

/// Events also change the solution of equations that have become stiff.
#[test]
fn events_of_stiff_equations_are_jumps_too() {
    let add = ScheduledChange {
        at: 1.0,
        every: None,
        changes: vec![(0, CountChange::Add(1)), (300, CountChange::Add(2))],
    };
    let mut limit = MeanField::new(&chain(301, 1e6, 1e5), &first(301), 1e-9).with_events(&[add]);
    for (time, total) in [(0.5, 1.0), (1.5, 4.0)] {
        assert!(limit.advance(time));
        // Each species has ten times as much as the one before.
        let last = 0.9 * total;
        assert!(
            (limit.shares()[300] - last).abs() < 1e-7 && (limit.shares()[298] - last / 100.0).abs() < 1e-7
        );
    }
}

#[test]
fn a_long_solution_can_be_interrupted() {
    let network = chain(301, 1e9, 1e8);
    for asked in [1, 3, 40, 60] {
        let mut limit = MeanField::new(&network, &first(301), 1e-8);
        let mut left = asked;
        let ended = limit.advance_while(1.0, &mut || {
            left -= 1;
            left > 0
        });
        assert_eq!((ended, left), (Err(Unreached::CalledOff), 0));
        assert!(limit.time() < 1.0);
        // It continues from its current time and reaches the end.
        assert!(limit.advance(1e9) && (limit.shares()[300] - 0.9).abs() < 1e-6);
    }
}
