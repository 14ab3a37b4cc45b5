//! Tests of windows on many threads against the run in the order of times.

use std::sync::Arc;

use acrasin_process::{Condition, LocalRanks, Ranks};

use super::super::rules::TransitionRules;
use super::super::torus_shape::{EdgeNumbers, TorusShape};
use super::{StripShape, Strips};

const STATES: u16 = 11;

/// Rules under which nearly every exchange of two interactions is detected.
fn rules() -> TransitionRules {
    let cells = (0..STATES * STATES).map(|cell| {
        let (a, b) = (cell / STATES, cell % STATES);
        [(3 * a + b + 1) % STATES, (a + 2 * b + 5) % STATES]
    });
    TransitionRules::of_cells(STATES.into(), cells.collect())
}

fn strips(torus: TorusShape, size: u32) -> Strips {
    let states: Vec<u16> = (0..torus.nodes()).map(|agent| (agent * agent % 11) as u16).collect();
    Strips::new(&states, StripShape::new(torus, size), &rules(), 9, None)
}

/// The run by its definition: pair by pair, in the order of times.
fn run_in_order(strips: &mut Strips, interactions: u64, mut order: impl FnMut(&mut [[u32; 2]])) {
    let rules = rules();
    let mut left = interactions;
    while left > 0 {
        let (pairs, states) = strips.ordered();
        let now = pairs.len().min(left as usize);
        let mut pairs = pairs[..now].to_vec();
        order(&mut pairs);
        for [i, j] in pairs {
            let cell = u16::from(states[i as usize]) * STATES + u16::from(states[j as usize]);
            [states[i as usize], states[j as usize]] =
                rules.cells()[usize::from(cell)].map(|state| state as u8);
        }
        strips.have_happened(now as u64);
        left -= now as u64;
    }
}

fn states(strips: &Strips) -> Vec<u16> {
    (0..strips.shape().torus().nodes() as u32).map(|agent| strips.state(agent)).collect()
}

fn on_threads<R: Send>(threads: usize, run: impl FnOnce() -> R + Send) -> R {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool").install(run)
}

const SUBJECTS: [(TorusShape, u32); 7] = [
    (TorusShape::Ring { nodes: 1000 }, 100),
    (TorusShape::Ring { nodes: 4 }, 2),
    (TorusShape::Torus { rows: 40, columns: 30 }, 30 * 20),
    (TorusShape::Torus { rows: 40, columns: 30 }, 30 * 7),
    (TorusShape::Torus { rows: 9, columns: 64 }, 9 * 16),
    // Strips of two rows: the deferred interactions of two seams often share agents.
    (TorusShape::Torus { rows: 33, columns: 5 }, 10),
    (TorusShape::Torus { rows: 64, columns: 64 }, 64 * 16),
];

#[test]
fn windows_of_any_length_on_any_number_of_threads_are_the_order_of_times() {
    for (torus, size) in SUBJECTS {
        let mut ordered = strips(torus, size);
        let total = 40 * torus.nodes() + 12_345;
        let checks = [0, 1, total / 7, total / 7 + 13, total];
        let expected: Vec<_> = checks
            .windows(2)
            .map(|pair| {
                run_in_order(&mut ordered, pair[1] - pair[0], |_| {});
                states(&ordered)
            })
            .collect();
        for threads in [1, 2, 3, 7] {
            for window in [1, 2, 5] {
                let found = on_threads(threads, || {
                    let mut strips = strips(torus, size);
                    strips.window = window;
                    let runs = checks.windows(2).map(|pair| {
                        strips.run(pair[1] - pair[0]);
                        states(&strips)
                    });
                    runs.collect::<Vec<_>>()
                });
                assert!(
                    found == expected,
                    "{torus:?} in strips of {size}, {threads} threads, windows of {window}"
                );
            }
        }
    }
}

/// Runs a function on each rank of a group, and returns the result of rank 0. Panics if a rank fails.
fn on_ranks<R: Send>(count: usize, run: impl Fn(Arc<dyn Ranks>) -> R + Sync) -> R {
    std::thread::scope(|scope| {
        let run = &run;
        let ranks = LocalRanks::group(count).into_iter();
        let threads: Vec<_> = ranks.map(|ranks| scope.spawn(move || run(Arc::new(ranks)))).collect();
        let results = threads.into_iter().map(|thread| thread.join().expect("no panic"));
        results.collect::<Vec<_>>().swap_remove(0)
    })
}

/// The part of the run of [`strips`] that belongs to one rank.
fn part(torus: TorusShape, size: u32, ranks: Arc<dyn Ranks>) -> Strips {
    let states: Vec<u16> = (0..torus.nodes()).map(|agent| (agent * agent % 11) as u16).collect();
    Strips::new(&states, StripShape::new(torus, size), &rules(), 9, Some(ranks))
}

/// Windows, runs in order and counts give the same results on any number of ranks and threads, also if some ranks have
/// no strip.
#[test]
fn any_number_of_ranks_makes_the_run_of_one() {
    for (torus, size) in SUBJECTS {
        let total = 3 * torus.nodes() + 1234;
        let checks = [0, total / 7, total / 7 + 13, total];
        let mut ordered = strips(torus, size);
        let mut expected = Vec::new();
        for pair in checks.windows(2) {
            run_in_order(&mut ordered, pair[1] - pair[0], |_| {});
            let states = states(&ordered);
            let mut counts = vec![0; STATES.into()];
            states.iter().for_each(|&state| counts[usize::from(state)] += 1);
            expected.push((states, counts));
        }
        for (ranks, threads) in [(1, 1), (2, 2), (3, 1), (4, 2)] {
            for window in [1, 3] {
                let found = on_ranks(ranks, |ranks| {
                    on_threads(threads, || {
                        let mut strips = part(torus, size, ranks);
                        strips.window = window;
                        let runs = checks.windows(2).map(|pair| {
                            let more = pair[1] - pair[0];
                            // The middle stretch is made in order, with its counts.
                            let mut counts = vec![0; STATES.into()];
                            strips.count(&mut counts);
                            if more == 13 {
                                let asked = strips.run_asked(more, &mut counts, &Never);
                                assert_eq!(asked, (more, false));
                            } else {
                                strips.run(more);
                                counts.fill(0);
                                strips.count(&mut counts);
                            }
                            (all_states(&strips), counts)
                        });
                        runs.collect::<Vec<_>>()
                    })
                });
                assert!(
                    found == expected,
                    "{torus:?} in strips of {size}, {ranks} ranks of {threads} threads, windows of {window}"
                );
            }
        }
    }
}

/// The states of all agents, on rank 0.
fn all_states(strips: &Strips) -> Vec<u16> {
    match strips.ranks() {
        None => states(strips),
        Some(_) => {
            let agents = strips.shape().torus().nodes() as u32;
            strips.gathered(0..agents).into_iter().map(u16::from).collect()
        }
    }
}

/// A condition that never holds, but whose `possible` always returns true.
#[derive(Debug)]
struct Never;

impl Condition for Never {
    fn holds(&self, _: &[u64]) -> bool {
        false
    }
}

/// A single edge whose ends can change is found on every rank, also if it crosses a seam between ranks.
#[test]
fn silence_is_that_of_all_ranks() {
    for (torus, size) in [SUBJECTS[0], SUBJECTS[2], SUBJECTS[4]] {
        let nodes = torus.nodes() as u32;
        let edges = EdgeNumbers::new(torus);
        let wanted: Vec<bool> = (0..40)
            .map(|number| {
                // A marked pair of neighbours, or of agents that are no neighbours.
                let pair = marked(nodes, number);
                (0..torus.edge_count() as u32).all(|edge| {
                    let [u, v] = edges.ends(edge);
                    pair != [u, v] && pair != [v, u]
                })
            })
            .collect();
        assert!(wanted.contains(&true) && wanted.contains(&false));
        for ranks in [2, 3, 4] {
            let found = on_ranks(ranks, |ranks| {
                let is_silent = |number: u32| {
                    let mut states = vec![0; nodes as usize];
                    marked(nodes, number).iter().for_each(|&agent| states[agent as usize] = 1);
                    let shape = StripShape::new(torus, size);
                    let strips = Strips::new(&states, shape, &rules(), 9, Some(Arc::clone(&ranks)));
                    strips.is_silent_on_ranks(|a, b| a + b < 2)
                };
                (0..40).map(is_silent).collect::<Vec<_>>()
            });
            assert_eq!(found, wanted, "{torus:?}, {ranks} ranks");
        }
    }
}

/// Two agents that depend on `number`; for half of the numbers they are in adjacent rows.
fn marked(nodes: u32, number: u32) -> [u32; 2] {
    let agent = number * (nodes / 40);
    let step = if nodes == 1000 {
        1
    } else if nodes == 1200 {
        30
    } else {
        64
    };
    [agent, (agent + step * (1 + number % 2)) % nodes]
}

/// A rank that runs on another torus is detected, because its interactions differ.
#[test]
fn ranks_of_two_runs_are_noticed() {
    let (torus, size) = SUBJECTS[2];
    let found = std::panic::catch_unwind(|| {
        on_ranks(2, |ranks| {
            let rows = 40 + 4 * ranks.rank() as u32;
            let torus = TorusShape::Torus { rows, columns: 30 };
            part(torus, size, ranks).run(50_000);
        });
    });
    assert!(found.is_err());
    on_ranks(2, |ranks| part(torus, size, ranks).run(50_000));
}

/// Alternating between runs in order and in windows gives the same run.
#[test]
fn both_ways_take_turns() {
    let (torus, size) = SUBJECTS[3];
    let mut ordered = strips(torus, size);
    run_in_order(&mut ordered, 30_000, |_| {});
    let mut mixed = strips(torus, size);
    for _ in 0..10 {
        mixed.run(1700);
        run_in_order(&mut mixed, 1300, |_| {});
    }
    assert_eq!(states(&mixed), states(&ordered));
}

/// Wrong variants are detected: deferring only interactions across a seam, but not those that depend on them, and
/// moving one interaction to another position.
#[test]
fn another_order_gives_other_states() {
    for (torus, size) in SUBJECTS {
        let mut right = strips(torus, size);
        run_in_order(&mut right, 5000, |_| {});
        let mut wrong = strips(torus, size);
        let shape = wrong.shape().clone();
        let strip_of =
            |place: u32| (0..shape.strips()).find(|&strip| (place as usize) < shape.start(strip + 1));
        run_in_order(&mut wrong, 5000, |pairs| {
            pairs.sort_by_key(|&[i, j]| strip_of(i) != strip_of(j));
        });
        assert_ne!(states(&wrong), states(&right), "{torus:?}");
    }
}

/// Every agent takes part in as many interactions as under uniformly random edges: of T interactions, Binomial(T, 2 /
/// n). Chi-square tests over the agents and over the directions of edges accept the sampler, and reject one that never
/// crosses a seam.
#[test]
fn every_edge_has_the_same_chance_in_both_directions() {
    for (torus, size) in [SUBJECTS[0], SUBJECTS[2], SUBJECTS[4]] {
        let mut strips = strips(torus, size);
        let (nodes, edges) = (torus.nodes(), torus.edge_count());
        let total = 100 * edges;
        let mut met = std::collections::BTreeMap::new();
        let mut left = total;
        while left > 0 {
            let (pairs, _) = strips.ordered();
            let now = pairs.len().min(left as usize);
            for &pair in &pairs[..now] {
                *met.entry(pair).or_insert(0_u64) += 1;
            }
            strips.have_happened(now as u64);
            left -= now as u64;
        }
        let chi_square = |seen: &[u64], cells: u64| {
            let expected = total as f64 / cells as f64;
            let missing = cells - seen.len() as u64;
            let sum: f64 = seen.iter().map(|&seen| (seen as f64 - expected).powi(2) / expected).sum();
            // In standard deviations from the mean of the law.
            (sum + missing as f64 * expected - (cells - 1) as f64) / (2.0 * (cells - 1) as f64).sqrt()
        };
        let seen: Vec<u64> = met.values().copied().collect();
        assert!(chi_square(&seen, 2 * edges).abs() < 4.5, "{torus:?}: {}", chi_square(&seen, 2 * edges));
        let mut parts = vec![0; nodes as usize];
        for (&[i, j], &times) in &met {
            parts[i as usize] += times;
            parts[j as usize] += times;
        }
        let probability = 2.0 / nodes as f64;
        let (mean, variance) = (total as f64 * probability, total as f64 * probability * (1.0 - probability));
        let sum: f64 = parts.iter().map(|&times| (times as f64 - mean).powi(2) / variance).sum();
        let deviations = (sum - nodes as f64) / (2.0 * nodes as f64).sqrt();
        // Neighbours share edges, so the sum varies more than that of independent parts.
        assert!(deviations.abs() < 9.0, "{torus:?}: {deviations}");
        let shape = strips.shape();
        let strip_of =
            |place: u32| (0..shape.strips()).find(|&strip| (place as usize) < shape.start(strip + 1));
        let inner: Vec<u64> =
            met.iter().filter(|&(&[i, j], _)| strip_of(i) == strip_of(j)).map(|(_, &times)| times).collect();
        // The edges of seams of a ring are few, but each lacks 50 interactions in each direction.
        assert!(chi_square(&inner, 2 * edges) > 9.0, "{torus:?}: {}", chi_square(&inner, 2 * edges));
    }
}

/// Two tokens on a ring of n at distance d, each of which moves along every chosen edge, meet after (n / 4) (d (n - d)
/// + n - 1) interactions on average. A variant that omits three of four interactions across a seam is rejected.
#[test]
fn tokens_on_a_ring_meet_after_the_time_of_the_formula() {
    const RUNS: u64 = 1000;
    let (nodes, distance) = (8_u32, 4_u32);
    let rules = TransitionRules::of_cells(2, vec![[0, 0], [1, 0], [0, 1], [1, 1]]);
    let deviations = |leaves_out: bool| {
        let mut times = Vec::new();
        for seed in 0..RUNS {
            let shape = StripShape::new(TorusShape::Ring { nodes }, 2);
            let mut strips = Strips::new(&vec![0; nodes as usize], shape, &rules, seed, None);
            let mut tokens = [0, distance];
            let (mut time, mut crossed) = (0_u64, 0_u64);
            'run: loop {
                let (pairs, _) = strips.ordered();
                let count = pairs.len() as u64;
                for &[i, j] in pairs {
                    if i / 2 != j / 2 {
                        crossed += 1;
                        if leaves_out && crossed % 4 != 0 {
                            continue;
                        }
                    }
                    time += 1;
                    if tokens == [i, j] || tokens == [j, i] {
                        break 'run;
                    }
                    for token in &mut tokens {
                        *token = if *token == i {
                            j
                        } else if *token == j {
                            i
                        } else {
                            *token
                        };
                    }
                }
                strips.have_happened(count);
            }
            times.push(time as f64);
        }
        let (n, d) = (f64::from(nodes), f64::from(distance));
        let expected = n / 4.0 * (d * (n - d) + n - 1.0);
        let mean = times.iter().sum::<f64>() / RUNS as f64;
        let variance = times.iter().map(|time| (time - mean).powi(2)).sum::<f64>() / (RUNS - 1) as f64;
        (mean - expected) / (variance / RUNS as f64).sqrt()
    };
    let found = [false, true].map(deviations);
    assert!(found[0].abs() < 4.5 && found[1].abs() > 6.0, "{found:?}");
}
