//! The initial world of a scenario, after checking that its numbers are in range.

use acrasin_runtime::exclusion::critical_section::{LocalSections, Scheme};
use acrasin_runtime::exclusion::{Bounds, InitialKnowledge};
use acrasin_runtime::{Demand, LockOnly, LockSetRule, NodeId, Setup, Timing, Topology, World};

use super::text::{CriticalSectionAlgorithm, CriticalSectionEvent, CriticalSectionScenario, State};
use crate::limits::{SCENARIO_NODES_MAX, SCENARIO_SLOTS_MAX, SCENARIO_STEPS_MAX};

/// Builds a world whose only calls are those of the scenario.
pub(super) fn start(text: &CriticalSectionScenario) -> Result<World<LocalSections, LockOnly>, String> {
    let n = text.n;
    check_sizes(text)?;
    check_nodes(text)?;
    let zero_based = |node: u32| node - 1;
    let edges: Vec<(u32, u32)> = text.edges.iter().map(|&(a, b)| (zero_based(a), zero_based(b))).collect();
    let bounds = text.l.iter().zip(&text.k).map(|(&least, &most)| Bounds { least, most });
    let seating = InitialKnowledge {
        bounds: bounds.collect(),
        inside: (1..=n).map(|node| text.cs0.contains(&node)).collect(),
        leader: text.leader.checked_sub(1).map(NodeId),
        ..InitialKnowledge::default()
    };
    let scheme = match text.alg {
        CriticalSectionAlgorithm::Lmutin => Scheme::Inclusion,
        CriticalSectionAlgorithm::Lmutex => Scheme::Exclusion,
        CriticalSectionAlgorithm::Lkcs => Scheme::Leader,
        CriticalSectionAlgorithm::LkcsHome => Scheme::Home,
    };
    let setup = Setup {
        // Messages are compared as recorded, whether or not every node can continue from that start.
        exclusion: LocalSections::new(scheme).with_any_safe_start(),
        section: LockOnly,
        topology: Topology::from_edges(n, (n - 1).max(1) as u16, &edges)
            .map_err(|error| format!("edges: {error} (nodes from 0)"))?,
        states: vec![Demand::Forever; n as usize],
        lock_set: LockSetRule::Neighbourhood,
        timing: Timing::AtOnce,
    };
    World::with_knowledge(setup, &seating).map_err(|unmet| format!("{unmet} (nodes from 0)"))
}

fn check_sizes(text: &CriticalSectionScenario) -> Result<(), String> {
    let n = text.n;
    if n == 0 || n > SCENARIO_NODES_MAX {
        return Err(format!("n is {n}: 1 to {SCENARIO_NODES_MAX} are accepted"));
    }
    if u64::from(n) * u64::from(n) > SCENARIO_SLOTS_MAX {
        return Err(format!(
            "any two of {n} nodes may be joined: n times n may be at most {SCENARIO_SLOTS_MAX}"
        ));
    }
    if text.steps.len() > SCENARIO_STEPS_MAX {
        return Err(format!("{} steps: at most {SCENARIO_STEPS_MAX} are accepted", text.steps.len()));
    }
    for (what, entries) in [("l", text.l.len()), ("k", text.k.len()), ("end", text.end.len())] {
        if entries != n as usize {
            return Err(format!("{what} has {entries} entries, but n is {n}"));
        }
    }
    Ok(())
}

fn check_nodes(text: &CriticalSectionScenario) -> Result<(), String> {
    let n = text.n;
    for &(a, b) in &text.edges {
        in_range([a, b], n).map_err(|what| format!("edges: {what}"))?;
    }
    in_range(text.cs0.iter().copied(), n).map_err(|what| format!("cs0: {what}"))?;
    in_range((text.leader > 0).then_some(text.leader), n).map_err(|what| format!("leader: {what}"))?;
    if let Some(twice) = (1..text.cs0.len()).find(|&at| text.cs0[..at].contains(&text.cs0[at])) {
        return Err(format!("cs0: node {} is listed twice", text.cs0[twice]));
    }
    if text.leader > 0 && !matches!(text.alg, CriticalSectionAlgorithm::Lkcs) {
        return Err(format!("leader: node {} leads, and only lkcs has a leader: 0 is accepted", text.leader));
    }
    for (step, number) in text.steps.iter().zip(1..) {
        let actors = match step.0 {
            CriticalSectionEvent::Start(_, node) => [node, node],
            CriticalSectionEvent::Delivery(_, from, to, ..) => [from, to],
        };
        let nodes = step.1.iter().flat_map(|sent| [sent.0, sent.1]);
        in_range(actors.into_iter().chain(nodes).chain(step.2.nodes()), n)
            .map_err(|what| format!("step {number}: {what}"))?;
    }
    for (index, state) in text.end.iter().enumerate() {
        in_range(state.nodes(), n).map_err(|what| format!("end[{index}]: {what}"))?;
    }
    Ok(())
}

fn in_range(nodes: impl IntoIterator<Item = u32>, n: u32) -> Result<(), String> {
    match nodes.into_iter().find(|&node| node == 0 || node > n) {
        None => Ok(()),
        Some(node) => Err(format!("there is no node {node}: 1 to {n} are accepted")),
    }
}

impl State {
    /// All node numbers in this state, except 0 (nil), for range checks.
    fn nodes(&self) -> impl Iterator<Item = u32> {
        let Self(_, _, _, _, got, granted_x, pending_x, pre_x, granted_n, pending_n, pre_n, ..) = self;
        let entries = [granted_x, pending_x, granted_n, pending_n].into_iter().flatten();
        let asked_back = [*pre_x, *pre_n].into_iter().filter(|&node| node > 0);
        got.iter().copied().chain(entries.map(|entry| entry.2)).chain(asked_back)
    }
}
