//! Weighted, directed and changing edges, matchings and faults against exact chains and stationary laws.

use std::collections::BTreeMap;

use acrasin_protocols::library::{ExactMajority, LooseLeader, OneWayEpidemic};
use acrasin_protocols::uniform::{
    Advance, Agreed, Arc, Condition, ContactChange, ContactLaw, Contacts, EncounterPopulation, Fault,
    FaultKind, FaultTiming, InitiatorEnd, Matched, MatchedGraph, MatchedPopulation, Population, RunBound,
    Silent, SizeError,
};
use acrasin_protocols::{Missing, Rule, Table, TableSpec};

use super::chi_square::p_value;

/// The smallest accepted p-value: a family-wise error of 1e-6 over the tests of this file.
const LEAST: f64 = 1e-8;

const ALL: &RunBound = &RunBound::NONE;

fn upto(interactions: u64) -> RunBound {
    RunBound { interactions, ..RunBound::NONE }
}

fn table(states: &[&str], rules: &[Rule]) -> Table {
    TableSpec {
        states: states.iter().map(|&name| name.into()).collect(),
        rules: rules.to_vec(),
        default: Some(Missing::Null),
        ..TableSpec::default()
    }
    .build()
    .unwrap()
}

/// A protocol that moves a token to the other end, or only to the responder.
fn token(is_directed: bool) -> Table {
    let text = "T + - -> - + T".to_owned();
    table(&["-", "T"], &[if is_directed { Rule::Ordered(text) } else { Rule::Symmetric(text) }])
}

/// The frequency of each position of the token after this many interactions, over many seeds.
fn places(table: &Table, arcs: &[Arc], direction: InitiatorEnd, nodes: usize, runs: u64) -> Vec<u64> {
    let mut observed = vec![0; nodes];
    let mut states = vec![0; nodes];
    states[0] = 1;
    for seed in 0..runs {
        let meeting = (arcs.to_vec(), direction);
        let mut population = EncounterPopulation::on_edges(table, &states, meeting, vec![], seed).unwrap();
        assert_eq!(population.run(None, &upto(9)), Advance::Advanced);
        observed[population.states().iter().position(|&state| state == 1).unwrap()] += 1;
    }
    observed
}

/// The exact law of the token's position.
fn walk(arcs: &[Arc], is_directed: bool, nodes: usize, interactions: u32) -> Vec<f64> {
    let total: u64 = arcs.iter().map(|arc| arc.weight).sum();
    let mut now = vec![0.0; nodes];
    now[0] = 1.0;
    for _ in 0..interactions {
        let mut then = vec![0.0; nodes];
        for arc in arcs {
            let (share, [u, v]) = (arc.weight as f64 / total as f64, arc.ends.map(|end| end as usize));
            for (node, here) in now.iter().enumerate() {
                let to = if node == u {
                    v
                } else if node == v && !is_directed {
                    u
                } else {
                    node
                };
                then[to] += here * share;
            }
        }
        now = then;
    }
    now
}

fn arcs(list: &[(u32, u32, u64)]) -> Vec<Arc> {
    list.iter().map(|&(u, v, weight)| Arc { ends: [u, v], weight }).collect()
}

#[test]
fn a_token_walks_by_the_weights() {
    let star = arcs(&[(0, 1, 1), (1, 2, 5), (2, 3, 2), (3, 0, 9), (0, 2, 3), (1, 3, 0)]);
    let observed = places(&token(false), &star, InitiatorEnd::Either, 4, 40_000);
    assert!(p_value(&observed, &walk(&star, false, 4, 9)) > LEAST);
    // Without weights, or with two of them exchanged, the law differs.
    let even = arcs(&[(0, 1, 1), (1, 2, 1), (2, 3, 1), (3, 0, 1), (0, 2, 1)]);
    assert!(p_value(&observed, &walk(&even, false, 4, 9)) < LEAST);
    let exchanged = arcs(&[(0, 1, 5), (1, 2, 1), (2, 3, 2), (3, 0, 9), (0, 2, 3)]);
    assert!(p_value(&observed, &walk(&exchanged, false, 4, 9)) < LEAST);
}

/// A token moves to the responder when its holder is the initiator, along each directed edge at its weight. On a
/// directed cycle its stationary law is that of the holding times, 1 / weight.
#[test]
fn a_token_on_a_directed_cycle_stays_where_the_weight_is_small() {
    let cycle = arcs(&[(0, 1, 6), (1, 2, 3), (2, 0, 2)]);
    let mut population = EncounterPopulation::on_edges(
        &token(true),
        &[1, 0, 0],
        (cycle.clone(), InitiatorEnd::FirstInitiates),
        vec![],
        5,
    )
    .unwrap();
    let mut observed = vec![0; 3];
    // Samples are far enough apart to be nearly independent.
    for sample in 1..=20_000 {
        population.run(None, &upto(60 * sample));
        observed[population.states().iter().position(|&state| state == 1).unwrap()] += 1;
    }
    assert!(p_value(&observed, &[1.0 / 6.0, 2.0 / 6.0, 3.0 / 6.0]) > LEAST);
    assert!(p_value(&observed, &[1.0 / 3.0; 3]) < LEAST, "all weights alike");
    assert!(p_value(&observed, &[3.0 / 6.0, 2.0 / 6.0, 1.0 / 6.0]) < LEAST, "the other way round");
    let directed = places(&token(true), &cycle, InitiatorEnd::FirstInitiates, 3, 40_000);
    assert!(p_value(&directed, &walk(&cycle, true, 3, 9)) > LEAST);
    assert!(p_value(&directed, &walk(&cycle, false, 3, 9)) < LEAST);
}

/// Contacts of three agents over 8 rounds. Edge 0 - 1 exists from the start to round 5, edge 1 - 2 from round 4 on.
fn changing(law: ContactLaw) -> Contacts {
    let change = |round, ends, begins| ContactChange { round, ends, begins };
    let changes = vec![change(0, [0, 1], true), change(4, [1, 2], true), change(5, [0, 1], false)];
    Contacts { changes, end: 8, law }
}

#[test]
fn contacts_meet_once_a_round() {
    let table = token(false);
    let mut observed = vec![0; 3];
    for seed in 0..20_000 {
        let contacts = changing(ContactLaw::OneARound);
        let mut population =
            EncounterPopulation::on_contacts(&table, &[1, 0, 0], contacts, vec![], seed).unwrap();
        assert_eq!(population.run(None, ALL), Advance::Quiescent);
        assert_eq!((population.interactions(), population.rounds()), (8, 8));
        observed[population.states().iter().position(|&state| state == 1).unwrap()] += 1;
    }
    // Four rounds of edge 0 - 1 return the token to 0. Then follow one round of either edge, and three of 1 - 2.
    let now = [0.5, 0.5, 0.0];
    let expected = [now[0], now[2], now[1]];
    assert!(p_value(&observed, &expected) > LEAST);
    assert!(p_value(&observed, &now) < LEAST, "without the last swaps");
}

#[test]
fn contacts_meet_at_their_rate() {
    let table = token(false);
    let rate = 0.3;
    let (mut observed, mut number) = (vec![0; 3], vec![0; 16]);
    for seed in 0..20_000 {
        let contacts = changing(ContactLaw::Rate(rate));
        let mut population =
            EncounterPopulation::on_contacts(&table, &[1, 0, 0], contacts, vec![], seed).unwrap();
        for round in 1..=8 {
            // Stopping on the way changes nothing.
            if seed % 2 == 0 {
                population.run(None, &RunBound { rounds: round, ..RunBound::NONE });
            }
        }
        assert_eq!(population.run(None, ALL), Advance::Quiescent);
        observed[population.states().iter().position(|&state| state == 1).unwrap()] += 1;
        number[(population.interactions() as usize).min(15)] += 1;
    }
    // The edges exist for 5 and 4 rounds, so the number is Poisson with mean 0.3 * 9.
    let mut poisson = vec![(-2.7_f64).exp()];
    (1..15).for_each(|k| poisson.push(poisson[k - 1] * 2.7 / k as f64));
    poisson.push(1.0 - poisson.iter().sum::<f64>());
    assert!(p_value(&number, &poisson) > LEAST);
    // The law of the position, by small steps of the rate equations.
    let mut now = [1.0_f64, 0.0, 0.0];
    let steps = 80_000;
    for step in 0..steps {
        let time = 8.0 * f64::from(step) / f64::from(steps);
        let dt = 8.0 / f64::from(steps) * rate;
        let first = if time < 5.0 { (now[1] - now[0]) * dt } else { 0.0 };
        let second = if time >= 4.0 { (now[2] - now[1]) * dt } else { 0.0 };
        now = [now[0] + first, now[1] - first + second, now[2] - second];
    }
    assert!(p_value(&observed, &now) > LEAST, "{observed:?} {now:?}");
    let whole = |stops: bool| {
        let contacts = changing(ContactLaw::Rate(3.0));
        let mut population =
            EncounterPopulation::on_contacts(&table, &[1, 0, 0], contacts, vec![], 9).unwrap();
        for round in 1..=8 {
            if stops {
                population.run(None, &RunBound { rounds: round, ..RunBound::NONE });
            }
        }
        population.run(None, ALL);
        (population.interactions(), population.states().to_vec())
    };
    assert_eq!(whole(true), whole(false));
}

/// Regression test: late in a trace, the waits between interactions were lost to rounding and a run did not end.
#[test]
fn contacts_have_their_rate_however_late_they_are() {
    let table = token(false);
    for begin in [0, 1 << 40, 1 << 52, 1 << 60] {
        let change = |round, begins| ContactChange { round, ends: [0, 1], begins };
        let contacts = Contacts {
            changes: vec![change(begin, true), change(begin + 100, false)],
            end: begin + 200,
            law: ContactLaw::Rate(1000.0),
        };
        let mut population = EncounterPopulation::on_contacts(&table, &[1, 0], contacts, vec![], 7).unwrap();
        assert_eq!(population.run(None, &upto(1_000_000)), Advance::Quiescent);
        let number = population.interactions() as f64;
        assert!((number - 1e5).abs() < 5.0 * 1e5_f64.sqrt(), "{begin}: {number}");
    }
}

/// A run can be stopped between two interactions, however many interactions a round has.
#[test]
fn contacts_of_the_highest_rate_can_be_stopped() {
    let table = token(false);
    for rate in [1e30, 1e300, f64::MAX] {
        let changes = vec![ContactChange { round: 0, ends: [0, 1], begins: true }];
        let contacts = Contacts { changes, end: 5, law: ContactLaw::Rate(rate) };
        let mut population = EncounterPopulation::on_contacts(&table, &[1, 0], contacts, vec![], 7).unwrap();
        assert_eq!(population.run(None, &upto(1000)), Advance::Advanced);
        assert_eq!((population.interactions(), population.rounds()), (1000, 0));
    }
}

/// The law of the number of infected agents after some rounds, by recursion over all perfect matchings and directions.
fn matched_law(agents: u32, infected: u32, rounds: u32) -> Vec<f64> {
    let mut now = BTreeMap::from([(infected, 1.0)]);
    for _ in 0..rounds {
        let mut then = BTreeMap::new();
        for (infected, share) in now {
            for (pairs, probability) in mixed_pairs(infected, agents - infected) {
                // In each mixed pair the infected agent is the initiator with probability 1/2.
                let mut ways = 1.0;
                for newly in 0..=pairs {
                    *then.entry(infected + newly).or_insert(0.0) +=
                        share * probability * ways / 2.0_f64.powi(pairs as i32);
                    ways *= f64::from(pairs - newly) / f64::from(newly + 1);
                }
            }
        }
        now = then;
    }
    (0..=agents).map(|infected| now.get(&infected).copied().unwrap_or(0.0)).collect()
}

/// The law of the number of mixed pairs, one infected and one susceptible, in a uniformly random matching.
fn mixed_pairs(infected: u32, susceptible: u32) -> BTreeMap<u32, f64> {
    let left = infected + susceptible;
    if left < 2 {
        return BTreeMap::from([(0, 1.0)]);
    }
    let mut found = BTreeMap::new();
    let (i, s) = (f64::from(infected), f64::from(susceptible));
    let pairs = f64::from(left) * f64::from(left - 1);
    for (mixed, weight) in [(0, i * (i - 1.0)), (1, 2.0 * i * s), (2, s * (s - 1.0))] {
        if weight > 0.0 {
            let (i, s) = [
                (infected.wrapping_sub(2), susceptible),
                (infected.wrapping_sub(1), susceptible.wrapping_sub(1)),
                (infected, susceptible.wrapping_sub(2)),
            ][mixed];
            for (more, probability) in mixed_pairs(i, s) {
                *found.entry(more + u32::from(mixed == 1)).or_insert(0.0) += probability * weight / pairs;
            }
        }
    }
    found
}

#[test]
fn an_epidemic_under_matchings_has_the_law_of_the_exact_chain() {
    let epidemic = Table::compile(&OneWayEpidemic).unwrap();
    let infected = usize::from(epidemic.state("I").unwrap());
    for agents in [8, 9] {
        let law = matched_law(agents, 2, 3);
        for matched in [Matched::ByCounts, Matched::Shuffled] {
            let mut observed = vec![0; agents as usize + 1];
            for seed in 0..20_000 {
                let mut counts = [u64::from(agents) - 2; 2];
                counts[infected] = 2;
                let mut population =
                    MatchedPopulation::new(&epidemic, &counts, seed).unwrap().with_method(matched);
                population.run_to(3);
                assert_eq!((population.rounds(), population.interactions()), (3, 12));
                observed[population.counts()[infected] as usize] += 1;
            }
            let right = p_value(&observed, &law);
            assert!(right > LEAST, "{agents} {matched:?}: {right}");
            assert!(p_value(&observed, &matched_law(agents, 2, 2)) < LEAST);
        }
        // The same number of uniform pairs has another law.
        let mut pairs = vec![0; agents as usize + 1];
        for seed in 0..20_000 {
            let mut counts = [u64::from(agents) - 2; 2];
            counts[infected] = 2;
            let mut population = Population::new(&epidemic, &counts, seed).unwrap();
            population.run_to(12);
            pairs[population.counts()[infected] as usize] += 1;
        }
        assert!(p_value(&pairs, &law) < LEAST);
    }
}

/// Both methods of computing a round agree also if many states are present. Stopping a run does not change it.
#[test]
fn matchings_keep_every_agent_and_their_law_at_any_size() {
    let states: Vec<String> = (0..20).map(|state| format!("s{state}")).collect();
    let names: Vec<&str> = states.iter().map(String::as_str).collect();
    let rules: Vec<Rule> =
        (0..19).map(|s| Rule::Symmetric(format!("s{s} + s{} -> s{} + s{}", s + 1, s + 1, s + 1))).collect();
    let chain = table(&names, &rules);
    let ends = [Matched::ByCounts, Matched::Shuffled].map(|matched| {
        let mut sum = 0.0;
        for seed in 0..4000 {
            let mut population = MatchedPopulation::new(&chain, &[3; 20], seed).unwrap().with_method(matched);
            population.run_to(6);
            assert_eq!(population.counts().iter().sum::<u64>(), 60);
            sum += population
                .counts()
                .iter()
                .enumerate()
                .map(|(s, &count)| s as f64 * count as f64)
                .sum::<f64>();
        }
        sum / 4000.0
    });
    // The sum of one run has a standard deviation of about 10.
    assert!((ends[0] - ends[1]).abs() < 5.0 * 10.0 * (2.0_f64 / 4000.0).sqrt(), "{ends:?}");
    let mut whole = MatchedPopulation::new(&chain, &[1 << 40; 20], 1).unwrap();
    whole.run_to(30);
    let mut often = MatchedPopulation::new(&chain, &[1 << 40; 20], 1).unwrap();
    (0..=30).for_each(|round| often.run_to(round));
    assert_eq!(whole.counts(), often.counts());
    assert_eq!(whole.counts().iter().sum::<u64>(), 20 << 40);
}

/// On the path 0 - 1 - 2 - 3 the middle edge comes first with probability 1/3, and is then the only matched edge.
/// Otherwise both outer edges are matched.
#[test]
fn a_maximal_matching_of_a_path_is_that_of_a_random_order() {
    let swap = token(false);
    let mut observed = vec![0; 4];
    for seed in 0..20_000 {
        let path = vec![[0, 1], [1, 2], [2, 3]];
        let mut population = MatchedGraph::new(&swap, &[0, 1, 0, 0], path, seed).unwrap();
        population.run_to(1);
        observed[population.states().iter().position(|&state| state == 1).unwrap()] += 1;
        assert!([1, 2].contains(&population.interactions()));
    }
    assert!(p_value(&observed, &[2.0 / 3.0, 0.0, 1.0 / 3.0, 0.0]) > LEAST);
    assert!(p_value(&observed, &[0.5, 0.0, 0.5, 0.0]) < LEAST);
    let ring = (0..100).map(|agent| [agent, (agent + 1) % 100]).collect();
    let mut population = MatchedGraph::new(&swap, &[1; 100], ring, 1).unwrap();
    assert!(population.is_silent());
    population.run_to(10);
    // A maximal matching of a ring covers two thirds of its nodes at least.
    assert!((10 * 34..=10 * 50).contains(&population.interactions()));
}

/// The law of the counts after this many interactions with faults, by all pairs of agents and all faults. Shares no
/// code with the sampler.
fn faulty_law(
    start: &[u64],
    interactions: u32,
    meet: impl Fn(usize, usize) -> (usize, usize),
    faults: &[(FaultKind, f64)],
) -> BTreeMap<Vec<u64>, f64> {
    let mut now = BTreeMap::from([(start.to_vec(), 1.0)]);
    for _ in 0..interactions {
        let mut then: BTreeMap<Vec<u64>, f64> = BTreeMap::new();
        for (counts, share) in &now {
            let agents = counts.iter().sum::<u64>() as f64;
            for a in 0..counts.len() {
                for b in 0..counts.len() {
                    let pairs = counts[a] as f64 * (counts[b] as f64 - f64::from(u8::from(a == b)));
                    if pairs > 0.0 {
                        let mut next = counts.clone();
                        let (c, d) = meet(a, b);
                        next[a] -= 1;
                        next[b] -= 1;
                        next[c] += 1;
                        next[d] += 1;
                        *then.entry(next).or_default() += share * pairs / (agents * (agents - 1.0));
                    }
                }
            }
        }
        for (kind, rate) in faults {
            let mut struck: BTreeMap<Vec<u64>, f64> = BTreeMap::new();
            for (counts, share) in then {
                *struck.entry(counts.clone()).or_default() += share * (1.0 - rate);
                let agents = counts.iter().sum::<u64>();
                match kind {
                    FaultKind::Join { state } => {
                        let mut next = counts.clone();
                        next[usize::from(*state)] += 1;
                        *struck.entry(next).or_default() += share * rate;
                    }
                    FaultKind::Crash | FaultKind::Leave if agents <= 2 => {
                        *struck.entry(counts).or_default() += share * rate;
                    }
                    FaultKind::Crash | FaultKind::Leave | FaultKind::Corrupt { .. } => {
                        for state in 0..counts.len() {
                            let chosen = share * rate * counts[state] as f64 / agents as f64;
                            if counts[state] == 0 {
                                continue;
                            }
                            let mut left = counts.clone();
                            left[state] -= 1;
                            let FaultKind::Corrupt { states } = kind else {
                                *struck.entry(left).or_default() += chosen;
                                continue;
                            };
                            for &to in states {
                                let mut next = left.clone();
                                next[usize::from(to)] += 1;
                                *struck.entry(next).or_default() += chosen / states.len() as f64;
                            }
                        }
                    }
                }
            }
            then = struck;
        }
        now = then;
    }
    now
}

fn rated(kind: FaultKind, rate: f64) -> Fault {
    Fault { kind, when: FaultTiming::Rate(rate), agents: 1 }
}

#[test]
fn faults_have_the_law_of_the_exact_chain() {
    let epidemic = table(&["S", "I"], &[Rule::Ordered("I + S -> I + I".into())]);
    let meet = |a: usize, b: usize| if (a, b) == (1, 0) { (1, 1) } else { (a, b) };
    let kinds = [
        vec![(FaultKind::Crash, 0.1)],
        vec![(FaultKind::Corrupt { states: vec![0] }, 0.2)],
        vec![(FaultKind::Corrupt { states: vec![0, 1] }, 0.3), (FaultKind::Crash, 0.05)],
        vec![(FaultKind::Leave, 0.15), (FaultKind::Join { state: 0 }, 0.25)],
        vec![(FaultKind::Join { state: 0 }, 1.0)],
    ];
    for agents in [3_u64, 4, 5] {
        for faults in &kinds {
            let mut states = vec![0; agents as usize];
            states[0] = 1;
            let list: Vec<Fault> = faults.iter().map(|(kind, rate)| rated(kind.clone(), *rate)).collect();
            let mut observed: BTreeMap<Vec<u64>, u64> = BTreeMap::new();
            for seed in 0..10_000 {
                let mut population =
                    EncounterPopulation::complete(&epidemic, &states, list.clone(), seed).unwrap();
                assert_eq!(population.run(None, &upto(8)), Advance::Advanced);
                *observed.entry(population.counts().to_vec()).or_default() += 1;
            }
            let fit = |law: &BTreeMap<Vec<u64>, f64>| {
                assert!(observed.keys().all(|counts| law.contains_key(counts)), "an impossible end");
                let seen: Vec<u64> =
                    law.keys().map(|counts| observed.get(counts).copied().unwrap_or(0)).collect();
                p_value(&seen, &law.values().copied().collect::<Vec<_>>())
            };
            let start = [agents - 1, 1];
            let right = fit(&faulty_law(&start, 8, meet, faults));
            assert!(right > LEAST, "{agents} {faults:?}: {right}");
            let doubled: Vec<(FaultKind, f64)> = faults
                .iter()
                .map(|(kind, rate)| (kind.clone(), if *rate < 1.0 { rate * 1.6 } else { 0.7 }))
                .collect();
            let wrong = fit(&faulty_law(&start, 8, meet, &doubled));
            assert!(wrong < LEAST, "{agents} {faults:?} at other rates: {wrong}");
        }
    }
}

/// Faults have separate random streams. So a run without faults equals a run that ends before its first fault.
#[test]
fn faults_that_do_not_happen_change_nothing() {
    let epidemic = table(&["S", "I"], &[Rule::Ordered("I + S -> I + I".into())]);
    let mut states = vec![0; 100];
    states[0] = 1;
    let end = |faults: Vec<Fault>| {
        let mut population = EncounterPopulation::complete(&epidemic, &states, faults, 4).unwrap();
        population.run(None, &upto(400));
        population.states().to_vec()
    };
    let plain = end(vec![]);
    assert_eq!(end(vec![rated(FaultKind::Crash, 0.0)]), plain);
    assert_eq!(
        end(vec![Fault { kind: FaultKind::Crash, when: FaultTiming::At(vec![401]), agents: 5 }]),
        plain
    );
    assert_ne!(
        end(vec![Fault { kind: FaultKind::Crash, when: FaultTiming::At(vec![100]), agents: 5 }]),
        plain
    );
    // One more fault does not change which agents the others hit.
    let hit = |faults: Vec<Fault>| {
        let mut population = EncounterPopulation::complete(&epidemic, &states, faults, 4).unwrap();
        population.run(None, &upto(1000));
        population.hit()
    };
    let corrupt = || rated(FaultKind::Corrupt { states: vec![0] }, 0.1);
    assert_eq!(hit(vec![corrupt()])[0], hit(vec![corrupt(), rated(FaultKind::Crash, 0.05)])[0]);
}

#[test]
fn a_loosely_stabilising_leader_comes_back_and_an_exact_majority_does_not() {
    // All leaders become followers with expired timers. An agent notices, and a leader is elected again.
    let leader = Table::compile(&LooseLeader::new(40).unwrap()).unwrap();
    let is_leader: Vec<bool> = leader.state_names().iter().map(|name| name.starts_with('L')).collect();
    struct One(Vec<bool>);
    impl Condition for One {
        fn holds(&self, counts: &[u64]) -> bool {
            counts
                .iter()
                .zip(&self.0)
                .filter(|(_, is_leader)| **is_leader)
                .map(|(count, _)| count)
                .sum::<u64>()
                == 1
        }
    }
    let follower = is_leader.iter().position(|&is_leader| !is_leader).unwrap() as u16;
    let first_leader = is_leader.iter().position(|&is_leader| is_leader).unwrap() as u16;
    let fault = Fault {
        kind: FaultKind::Corrupt { states: vec![follower] },
        when: FaultTiming::At(vec![50_000]),
        agents: 50,
    };
    let one = One(is_leader);
    let mut population = EncounterPopulation::complete(&leader, &[first_leader; 50], vec![fault], 1).unwrap();
    assert_eq!(population.run(Some(&one), &upto(1 << 24)), Advance::Held);
    assert!(population.interactions() > 50_000 && population.hit() == [50], "asked after the fault");

    // All agents become weak with the wrong opinion, and nothing ever corrects them.
    let majority = Table::compile(&ExactMajority).unwrap();
    let states = [vec![0; 30], vec![1; 20]].concat();
    let agreed = Agreed::new(&majority);
    let mut healthy = EncounterPopulation::complete(&majority, &states, vec![], 1).unwrap();
    assert_eq!(healthy.run(Some(&agreed), &upto(1 << 24)), Advance::Held);
    assert_eq!(healthy.counts()[1] + healthy.counts()[3], 0, "the majority says A");
    let wrong = majority.state("b").unwrap();
    let fault = Fault {
        kind: FaultKind::Corrupt { states: vec![wrong] },
        when: FaultTiming::At(vec![20]),
        agents: 50,
    };
    let mut broken = EncounterPopulation::complete(&majority, &states, vec![fault], 1).unwrap();
    assert_eq!(broken.run(Some(&agreed), &upto(1 << 24)), Advance::Held);
    assert_eq!(broken.counts(), [0, 0, 0, 50]);
    assert!(broken.is_silent());
}

#[test]
fn crashed_agents_never_interact() {
    let mixing = table(&["S", "I"], &[Rule::Symmetric("I + S -> I + I".into())]);
    // The centre of a star crashes, so no agent can interact any more.
    let star = (1..20).map(|leaf| Arc { ends: [0, leaf], weight: u64::from(leaf) }).collect::<Vec<_>>();
    let crash = Fault { kind: FaultKind::Crash, when: FaultTiming::At(vec![5]), agents: 18 };
    for seed in 0..50 {
        let mut states = vec![0; 20];
        states[1] = 1;
        let meeting = (star.clone(), InitiatorEnd::Either);
        let mut population =
            EncounterPopulation::on_edges(&mixing, &states, meeting, vec![crash.clone()], seed).unwrap();
        let ended = population.run(None, &upto(1000));
        assert_eq!(population.counts().iter().sum::<u64>(), 2);
        let is_over = ended == Advance::Quiescent;
        assert_eq!(population.interactions(), if is_over { 5 } else { 1000 });
        assert!(!is_over || population.is_silent());
    }
    let silent = Silent::new(&mixing);
    assert!(silent.holds(&[0, 5]) && !silent.holds(&[1, 1]));
    let bad = |arcs: Vec<Arc>| {
        EncounterPopulation::on_edges(&mixing, &[0, 0], (arcs, InitiatorEnd::Either), vec![], 1).unwrap_err()
    };
    assert_eq!(bad(vec![]), SizeError::WrongEdges);
    assert_eq!(bad(arcs(&[(0, 1, 0)])), SizeError::WrongEdges);
    assert_eq!(bad(arcs(&[(0, 2, 1)])), SizeError::WrongEdges);
    assert_eq!(bad(arcs(&[(0, 0, 1)])), SizeError::WrongEdges);
    assert_eq!(bad(arcs(&[(0, 1, 1 << 63), (1, 0, 1)])), SizeError::WrongEdges);
}
