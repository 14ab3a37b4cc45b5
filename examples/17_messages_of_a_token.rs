//! The number of messages of one entry for the token on a tree: measured, compared with closed formulas.
//!
//! Nodes drawn uniformly enter one after another. If all nodes are transit, an entry costs H(n - 1) messages on
//! average. On a star it costs a leaf 4 under Raymond's rule, and 3 if all nodes are proxies. A single claim at depth
//! d costs 2 d messages under Raymond's rule, d + 1 with all transit, 2 d + 1 with all proxies.
//!
//! `cargo run -p acrasin-examples --bin 17_messages_of_a_token` prints:
//!
//! ```text
//!   n    all transit (most)    H(n-1)        Raymond (most)        proxies (most)
//!   2         0.992 ( 2)         1.000          0.992 (2)            1.508 (3)
//! …
//! 256         6.147 (16)         6.120          3.973 (4)            2.986 (3)
//! ```
//!
//! The first argument is a file name for the picture of messages against n, the second one for messages against d.

use std::error::Error;
use std::num::NonZeroU32;

use acrasin::report::plot::{PlotOptions, plot_svg};
use acrasin::report::series::Series;
use acrasin::runtime::exclusion::tree_token::{SchemeRule, TreeToken};
use acrasin::runtime::exclusion::{InitialKnowledge, RootedTree};
use acrasin::runtime::execution::{Advance, Execution};
use acrasin::runtime::scheduler::Sequential;
use acrasin::runtime::{
    Choices, Decision, Demand, Event, LockOnly, LockSetRequest, LockSetRule, NodeId, Observer, Seeded, Setup,
    Step, Timing, Topology, World,
};

const ENTRIES: u32 = 6_000;

/// Counts messages.
struct Messages(u64);

impl Observer<TreeToken, LockOnly> for Messages {
    fn event(&mut self, event: &Event<'_, TreeToken, LockOnly>) {
        self.0 += u64::from(matches!(event, Event::Sent { .. }));
    }
}

/// A run on a tree in which no node enters by itself.
fn run(rule: SchemeRule, fathers: &[Option<u32>]) -> Result<Execution<TreeToken, LockOnly>, Box<dyn Error>> {
    let nodes = fathers.len() as u32;
    // Raymond's messages stay on the edges of the tree; the other rules send to any node.
    let edges: Vec<(u32, u32)> = if rule == SchemeRule::Raymond {
        (0..nodes).filter_map(|node| Some((fathers[node as usize]?, node))).collect()
    } else {
        (0..nodes).flat_map(|a| (a + 1..nodes).map(move |b| (a, b))).collect()
    };
    let setup = Setup {
        exclusion: TreeToken::new(rule),
        section: LockOnly,
        topology: Topology::from_edges(nodes, nodes as u16 - 1, &edges)?,
        states: vec![Demand::Times(0); nodes as usize],
        lock_set: LockSetRule::Neighbourhood,
        timing: Timing::AtOnce,
    };
    let world = World::with_knowledge(setup, &InitialKnowledge::from_tree(RootedTree::new(fathers)?))?;
    Ok(Execution::new(world, Box::new(Sequential::new())))
}

/// The messages of one entry, including its exit.
fn enter(
    run: &mut Execution<TreeToken, LockOnly>,
    node: u32,
    choices: &mut Seeded,
) -> Result<u64, Box<dyn Error>> {
    let mut messages = Messages(0);
    let lock = Step::Lock { node: NodeId(node), claim: LockSetRequest::Neighbourhood };
    run.apply(&lock, choices, &mut messages)?;
    while run.advance(choices, &mut messages) == Advance::Advanced {}
    Ok(messages.0)
}

/// The messages of a single claim at this depth of a path, with the token at its root.
fn claimed(rule: SchemeRule, depth: u32) -> Result<u64, Box<dyn Error>> {
    let fathers: Vec<Option<u32>> = (0..=depth).map(|node| node.checked_sub(1)).collect();
    enter(&mut run(rule, &fathers)?, depth, &mut Seeded::new(depth.into()))
}

/// The messages of claims by depth, with 2 d, d + 1 and 2 d + 1 for comparison.
fn depths() -> Result<Series, Box<dyn Error>> {
    let columns = ["Raymond", "2 d", "all transit", "d + 1", "all proxies", "2 d + 1"];
    let mut series = Series::new("depth of the claim", columns)?;
    for depth in 1..=24 {
        let d = u64::from(depth);
        let messages = [SchemeRule::Raymond, SchemeRule::AllTransit, SchemeRule::AllProxy]
            .map(|rule| claimed(rule, depth));
        let [raymond, transit, proxies] = messages;
        let row = [raymond?, 2 * d, transit?, d + 1, proxies?, 2 * d + 1];
        assert!(row[0] == row[1] && row[2] == row[3] && row[4] == row[5], "depth {depth}: {row:?}");
        series.push(f64::from(depth), &row)?;
    }
    Ok(series)
}

/// The mean and the largest number of messages of an entry on a star of n nodes, with the token initially at its
/// centre.
fn measured(rule: SchemeRule, nodes: u32) -> Result<(f64, u64), Box<dyn Error>> {
    let fathers: Vec<Option<u32>> = (0..nodes).map(|node| (node > 0).then_some(0)).collect();
    let mut run = run(rule, &fathers)?;
    let mut choices = Seeded::new(u64::from(nodes));
    let all = NonZeroU32::new(nodes).ok_or("a star has nodes")?;
    let (mut sum, mut most) = (0, 0);
    for entry in 0..2 * ENTRIES {
        let node = choices.pick(all, Decision::Initial);
        let messages = enter(&mut run, node, &mut choices)?;
        // The first half lets the tree reach its random shape.
        if entry >= ENTRIES {
            sum += messages;
            most = most.max(messages);
        }
    }
    Ok((sum as f64 / f64::from(ENTRIES), most))
}

fn main() -> Result<(), Box<dyn Error>> {
    let columns = [
        "all transit",
        "H(n - 1)",
        "Raymond on a star",
        "4 (1 - 1/n)^2",
        "all proxies on a star",
        "3 (1 - 1/n)",
    ];
    let mut series = Series::new("log2 of the number of nodes", columns)?;
    println!(
        "{:>5}{:>22}{:>10}{:>22}{:>22}",
        "n", "all transit (most)", "H(n-1)", "Raymond (most)", "proxies (most)"
    );
    for exponent in 1..=8 {
        let nodes = 1_u32 << exponent;
        let n = f64::from(nodes);
        let harmonic: f64 = (1..nodes).map(|k| 1.0 / f64::from(k)).sum();
        let transit = measured(SchemeRule::AllTransit, nodes)?;
        let raymond = measured(SchemeRule::Raymond, nodes)?;
        let proxies = measured(SchemeRule::AllProxy, nodes)?;
        println!(
            "{nodes:>5}{:>14.3} ({:>2}){harmonic:>14.3}{:>15.3} ({})  {:>15.3} ({})",
            transit.0, transit.1, raymond.0, raymond.1, proxies.0, proxies.1
        );
        assert!((transit.0 - harmonic).abs() < 0.05 * harmonic, "{nodes}: {transit:?} {harmonic}");
        assert!(transit.1 <= nodes.into() && raymond.1 <= 4 && proxies.1 <= 3);
        // The token is at the last node that entered. It and the next node to enter are both uniform: 0, 2 or 4
        // messages.
        let on_a_star = 4.0 * (1.0 - 1.0 / n).powi(2);
        // The token is always at the centre, and a leaf borrows it: request, token, and the token back.
        let lent = 3.0 * (1.0 - 1.0 / n);
        assert!((raymond.0 - on_a_star).abs() < 0.1 && (proxies.0 - lent).abs() < 0.1);
        let thousandths = |value: f64| (value * 1000.0).round() as u64;
        let row = [transit.0, harmonic, raymond.0, on_a_star, proxies.0, lent].map(thousandths);
        series.push(f64::from(exponent), &row)?;
    }
    if let Some(file) = std::env::args().nth(1) {
        let mut options = PlotOptions::new("Messages of an entry: the token along a tree");
        options.count_label = "messages of 1000 entries".to_owned();
        std::fs::write(&file, plot_svg(&series, &options)?)?;
    }
    let depths = depths()?;
    if let Some(file) = std::env::args().nth(2) {
        let mut options = PlotOptions::new("Messages of one claim, by its depth");
        options.count_label = "messages".to_owned();
        std::fs::write(&file, plot_svg(&depths, &options)?)?;
    }
    Ok(())
}
