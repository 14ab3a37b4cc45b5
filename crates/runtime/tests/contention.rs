//! Message identity and trials per Lock under full contention.

use acrasin_runtime::exclusion::local::{Local, Message};
use acrasin_runtime::execution::{Advance, Execution};
use acrasin_runtime::scheduler::{Activation, SemiSynchronous};
use acrasin_runtime::{
    Demand, Event, FixedProbability, LockOnly, LockSetRule, Observer, Seeded, Setup, Timing, Topology, World,
};

/// Counts for the identity: messages and trials of completed Locks only, so every node locks a fixed number of
/// times.
#[derive(Default)]
struct Counts {
    to_neighbours: u64,
    to_self: u64,
    trials: u64,
    locks: u64,
    released: u64,
    /// Sum over Locks of d · (6 + 2 T), summed by node.
    trials_now: Vec<u64>,
    identity: u64,
}

impl Observer<Local, LockOnly> for Counts {
    fn event(&mut self, event: &Event<'_, Local, LockOnly>) {
        match *event {
            Event::Sent { from, to, message } => {
                if from == to {
                    self.to_self += 1;
                    // A trial sends exactly one request to the node itself.
                    if let Message::RequestLock(_) = message {
                        self.trials += 1;
                        self.trials_now[from.index()] += 1;
                    }
                } else {
                    self.to_neighbours += 1;
                }
            }
            Event::Granted { node, lock_set } => {
                self.locks += 1;
                let trials = std::mem::take(&mut self.trials_now[node.index()]);
                self.identity += (lock_set.len() as u64 - 1) * (6 + 2 * trials);
            }
            Event::Released { .. } => self.released += 1,
            _ => {}
        }
    }
}

fn ring(n: u32) -> Vec<(u32, u32)> {
    (0..n).map(|i| (i, (i + 1) % n)).collect()
}

fn torus(side: u32) -> Vec<(u32, u32)> {
    let at = |r: u32, c: u32| r % side * side + c % side;
    (0..side * side)
        .flat_map(|i| [(i, at(i / side, i % side + 1)), (i, at(i / side + 1, i % side))])
        .collect()
}

/// The rhombic patch of the triangular lattice with open boundary.
fn triangular(side: u32) -> Vec<(u32, u32)> {
    let mut edges = Vec::new();
    for r in 0..side {
        for c in 0..side {
            let here = r * side + c;
            if c + 1 < side {
                edges.push((here, here + 1));
            }
            if r + 1 < side {
                edges.push((here, here + side));
                if c > 0 {
                    edges.push((here, here + side - 1));
                }
            }
        }
    }
    edges
}

fn execution(nodes: u32, ports: u16, edges: &[(u32, u32)], demand: Demand) -> Execution<Local, LockOnly> {
    let world = World::new(Setup {
        exclusion: Local::new(ports),
        section: LockOnly,
        topology: Topology::from_edges(nodes, ports, edges).unwrap(),
        states: vec![demand; nodes as usize],
        lock_set: LockSetRule::Neighbourhood,
        timing: Timing::AtOnce,
    });
    Execution::new(world, Box::new(SemiSynchronous::new(Activation::Random(FixedProbability::HALF))))
}

#[test]
fn messages_of_a_lock_are_d_times_6_plus_2t() {
    for (nodes, ports, edges) in
        [(30, 2, ring(30)), (36, 4, torus(6)), (49, 6, triangular(7)), (1, 1, vec![])]
    {
        let mut run = execution(nodes, ports, &edges, Demand::Times(20));
        let mut counts = Counts { trials_now: vec![0; nodes as usize], ..Counts::default() };
        let mut choices = Seeded::new(11);
        let progress = loop {
            match run.advance(&mut choices, &mut counts) {
                Advance::Advanced | Advance::Held => {}
                end => break end,
            }
        };
        assert_eq!(progress, Advance::Quiescent);
        assert_eq!((counts.locks, counts.released), (u64::from(nodes) * 20, u64::from(nodes) * 20));
        assert_eq!(counts.to_neighbours, counts.identity);
        assert_eq!(counts.to_self, 6 * counts.locks + 2 * counts.trials);
        assert_eq!(run.world().outstanding(), 0);
    }
}

/// Mean trials per Lock over `batches` batches of `locks` Locks after a warm-up, with its standard error.
fn trials_per_lock(nodes: u32, ports: u16, edges: &[(u32, u32)], batches: u32, locks: u64) -> (f64, f64) {
    let mut run = execution(nodes, ports, edges, Demand::Forever);
    let mut counts = Counts { trials_now: vec![0; nodes as usize], ..Counts::default() };
    let mut choices = Seeded::new(2022);
    let mut means = Vec::new();
    for batch in 0..=batches {
        let (trials, before) = (counts.trials, counts.locks);
        while counts.locks < before + locks {
            assert_eq!(run.advance(&mut choices, &mut counts), Advance::Advanced);
        }
        // The first batch warms up.
        if batch > 0 {
            means.push((counts.trials - trials) as f64 / (counts.locks - before) as f64);
        }
    }
    let n = means.len() as f64;
    let mean = means.iter().sum::<f64>() / n;
    let variance = means.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / (n - 1.0);
    (mean, (variance / n).sqrt())
}

#[test]
fn trials_per_lock_under_full_contention() {
    for (name, nodes, ports, edges, expected, spread) in [
        ("ring of 30", 30, 2, ring(30), 4.77, 0.02),
        // An earlier value of 10.4 is 1 % too high: an independent program agrees with this one
        // (docs/conformance/README.md). This value is from 4 000 000 Locks.
        ("torus 6x6", 36, 4, torus(6), 10.269, 0.006),
        ("triangular patch 7x7", 49, 6, triangular(7), 8.6, 0.05),
    ] {
        let (mean, error) = trials_per_lock(nodes, ports, &edges, 30, 2_000);
        eprintln!("{name}: {mean:.3} +- {error:.3} trials per Lock");
        // The interval of the expected value, plus the error of this measurement.
        assert!(
            (mean - expected).abs() <= spread + 3.0 * error,
            "{name}: {mean} +- {error}, expected {expected}"
        );
        assert!(error < 0.08, "{name}: the measurement is too coarse: {error}");
    }
}

/// Regression: a round of millions of nodes was one turn, during which `proceeds` was not called for a second.
#[test]
fn a_long_turn_can_be_cut() {
    // About half of the nodes act in a turn.
    let nodes = 20_000;
    let begin = || execution(nodes, 2, &ring(nodes), Demand::Times(1));
    let mut choices = Seeded::new(1);
    for parts in [1, 2] {
        let (mut execution, mut asked) = (begin(), 0);
        let proceeds = || {
            asked += 1;
            asked < parts
        };
        assert_eq!(execution.advance_while(&mut choices, &mut (), proceeds), None);
        let counted = (execution.turns(), execution.rounds(), execution.world().steps());
        assert_eq!((counted, asked), ((0, 0, 4096 * parts), parts));
    }
    // On a dense graph the messages count: the first step of a node sends one to each neighbour.
    let edges: Vec<_> = (0..600).flat_map(|i| (0..i).map(move |j| (j, i))).collect();
    let mut dense = execution(600, 599, &edges, Demand::Times(1));
    assert_eq!(dense.advance_while(&mut choices, &mut (), || false), None);
    assert!((1 << 15..(1 << 15) + 64 * 600).contains(&dense.world().messages_sent()));
    assert!(dense.world().steps() < 4096);
    let (mut execution, mut asked) = (begin(), 0);
    let proceeds = || {
        asked += 1;
        true
    };
    assert_eq!(execution.advance_while(&mut choices, &mut (), proceeds), Some(Advance::Advanced));
    let counted = (execution.turns(), execution.rounds(), execution.world().steps());
    assert!(matches!(counted, (1, 1, 9000..11_000)) && asked == 2, "{counted:?}, asked {asked} times");
}
