//! How many messages one entry costs the token that travels along a tree: measured, beside the closed formulas.
//!
//! One node after the other enters, each drawn uniformly. With all nodes transit an entry costs H(n - 1) messages on
//! average; on a star it costs a leaf 4 under Raymond's rule, and 3 with all nodes proxies. A file name as the first
//! argument asks for the picture.

use std::error::Error;
use std::num::NonZeroU32;

use acrasin_report::plot::{PlotOptions, plot_svg};
use acrasin_report::series::Series;
use acrasin_runtime::exclusion::tree_token::{Rule, TreeToken};
use acrasin_runtime::exclusion::{RootedTree, Seating};
use acrasin_runtime::execution::{Execution, Progress};
use acrasin_runtime::scheduler::Sequential;
use acrasin_runtime::{
    Choices, Claim, Decision, Demand, Event, LockOnly, LockSetRule, NodeId, Observer, Seeded, Setup, Step,
    Timing, Topology, World,
};

const ENTRIES: u32 = 6_000;

/// Counts messages.
struct Messages(u64);

impl Observer<TreeToken, LockOnly> for Messages {
    fn event(&mut self, event: &Event<'_, TreeToken, LockOnly>) {
        self.0 += u64::from(matches!(event, Event::Sent { .. }));
    }
}

/// Mean and largest number of messages of an entry on a star of n nodes, the token at its centre.
fn measured(rule: Rule, nodes: u32) -> Result<(f64, u64), Box<dyn Error>> {
    // Raymond's messages stay on the edges of the tree; others go to any node.
    let edges: Vec<(u32, u32)> = (0..if rule == Rule::Raymond { 1 } else { nodes })
        .flat_map(|a| (a + 1..nodes).map(move |b| (a, b)))
        .collect();
    let setup = Setup {
        exclusion: TreeToken::new(rule),
        section: LockOnly,
        topology: Topology::from_edges(nodes, nodes as u16 - 1, &edges)?,
        states: vec![Demand::Times(0); nodes as usize],
        lock_set: LockSetRule::Neighbourhood,
        timing: Timing::AtOnce,
    };
    let fathers: Vec<Option<u32>> = (0..nodes).map(|node| (node > 0).then_some(0)).collect();
    let world = World::seated(setup, &Seating::on(RootedTree::new(&fathers)?))?;
    let mut run = Execution::new(world, Box::new(Sequential::new()));
    let mut choices = Seeded::new(u64::from(nodes));
    let all = NonZeroU32::new(nodes).ok_or("a star has nodes")?;
    let (mut sum, mut most) = (0, 0);
    for entry in 0..2 * ENTRIES {
        let node = NodeId(choices.pick(all, Decision::Initial));
        let mut messages = Messages(0);
        run.apply(&Step::Lock { node, claim: Claim::Neighbourhood }, &mut choices, &mut messages)?;
        while run.advance(&mut choices, &mut messages) == Progress::Advanced {}
        // The first half brings the tree into its random shape.
        if entry >= ENTRIES {
            sum += messages.0;
            most = most.max(messages.0);
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
        let transit = measured(Rule::AllTransit, nodes)?;
        let raymond = measured(Rule::Raymond, nodes)?;
        let proxies = measured(Rule::AllProxy, nodes)?;
        println!(
            "{nodes:>5}{:>14.3} ({:>2}){harmonic:>14.3}{:>15.3} ({})  {:>15.3} ({})",
            transit.0, transit.1, raymond.0, raymond.1, proxies.0, proxies.1
        );
        assert!((transit.0 - harmonic).abs() < 0.05 * harmonic, "{nodes}: {transit:?} {harmonic}");
        assert!(transit.1 <= nodes.into() && raymond.1 <= 4 && proxies.1 <= 3);
        // Where the token is, at the last that entered, and who enters next are both uniform: 0, 2 or 4 messages.
        let on_a_star = 4.0 * (1.0 - 1.0 / n).powi(2);
        // It is always at the centre, and a leaf borrows it: request, token, and the token back.
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
    Ok(())
}
