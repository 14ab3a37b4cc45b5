//! Executes given steps, and records them as a line of a conformance file.

use std::fmt::Write as _;

use acrasin_runtime::choice::Scripted;
use acrasin_runtime::exclusion::local::Local;
use acrasin_runtime::{LockOnly, LockSetRequest, NodeId, Port, Step, StepError, StepOf, Topology, World};

use super::super::comparison::sort;
use super::driver::{LockLayerDriver as _, enabled, transit};
use super::reference::world;
use super::show;
use super::text::PortNumbers;
use super::variant::RuleSetVariant;
use crate::words::write_step;

/// The initial configuration and header of a scenario.
#[derive(Clone, Debug)]
pub struct LocalStart<'a> {
    /// The name of the scenario.
    pub id: &'a str,
    /// A note on the purpose of the scenario.
    pub note: &'a str,
    /// The rule set, and the treatment of a node's messages to itself.
    pub variant: RuleSetVariant,
    /// The number of nodes.
    pub nodes: u32,
    /// The number of ports of each node, Δ.
    pub ports: u16,
    /// The number of priorities, K.
    pub priorities: u32,
    /// Whether a Lock asks for one neighbour instead of the neighbourhood.
    pub pair: bool,
    /// The edges as (node, port, node, port).
    pub edges: &'a [(u32, u16, u32, u16)],
}

/// Executes the steps, each with the priorities drawn in it, and returns the scenario with all intermediate states.
///
/// The result is one line without a line feed. Lock or Unlock calls that the rules ignore are marked as misuse. The
/// states come from this implementation, so check them by hand or against another implementation.
///
/// ```
/// use acrasin_verify::conformance::{self, LocalStart, RuleSetVariant};
/// use acrasin_runtime::{LockSetRequest, NodeId, Step};
/// let start = LocalStart {
///     id: "alone", note: "a node without neighbours", variant: RuleSetVariant::Repaired,
///     nodes: 1, ports: 1, priorities: 2, pair: false, edges: &[],
/// };
/// let lock = Step::Lock { node: NodeId(0), claim: LockSetRequest::Neighbourhood };
/// let line = conformance::record(&start, &[(lock, vec![])])?;
/// let report = conformance::run("alone.jsonl", line.as_bytes())?;
/// assert_eq!(report.to_string(), "1 scenario, 1 step, 0 differences");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// [`StepError`] at a step that is not possible.
///
/// # Panics
///
/// Panics if K is below 2, and at a Leave step: conformance scenarios contain none.
pub fn record(start: &LocalStart<'_>, steps: &[(StepOf<Local>, Vec<u32>)]) -> Result<String, StepError> {
    let LocalStart { id, note, variant, nodes, ports, priorities, pair, edges } = *start;
    let algorithm = variant.algorithm(ports, priorities).expect("K is at least 2");
    let mut topology = Topology::new(nodes, ports)?;
    for &(u, u_port, v, v_port) in edges {
        topology.connect(NodeId(u), Port(u_port), NodeId(v), Port(v_port))?;
    }
    let mut world = world(algorithm, topology);
    let edges: Vec<String> = edges.iter().map(|(u, p, v, q)| format!("[{u},{p},{v},{q}]")).collect();
    let mut out = format!(
        "{{\"id\":{},\"note\":{},\"variant\":\"{variant}\",\"n\":{nodes},\"delta\":{ports},\"K\":{priorities},\
         \"pair\":{pair},\"edges\":[{}],\"steps\":[",
        serde_json::Value::from(id),
        serde_json::Value::from(note),
        edges.join(",")
    );
    for (index, (step, picks)) in steps.iter().enumerate() {
        if index > 0 {
            out.push(',');
        }
        record_step(&mut out, &mut world, step, picks)?;
    }
    out.push_str("],\"final\":{\"nodes\":[");
    for node in world.topology().nodes() {
        if node.0 > 0 {
            out.push(',');
        }
        write_memory(&mut out, &world, node);
    }
    write!(out, "],\"transit\":{}}}}}", show::transit(&transit(&world))).expect("a string takes everything");
    Ok(out)
}

fn record_step(
    out: &mut String,
    world: &mut World<Local, LockOnly>,
    step: &StepOf<Local>,
    picks: &[u32],
) -> Result<(), StepError> {
    let peer = match *step {
        Step::Leave { .. } => panic!("conformance scenarios contain no Leave steps"),
        Step::Disconnect { node, port } => world.peer(node, port),
        _ => None,
    };
    let mut taken = world.take(step, &mut Scripted::new(picks))?;
    let mut words = String::new();
    match *step {
        Step::Lock { node, .. } if taken.ignored => {
            write!(words, "[\"lock\",{node},null]").expect("a string takes everything");
        }
        Step::Lock { node, claim: claim @ (LockSetRequest::Pair(_) | LockSetRequest::Alone) } => {
            write_step::<Local>(&mut words, &Step::Lock { node, claim }, &[]);
        }
        _ => write_step::<Local>(&mut words, step, picks),
    }
    write!(out, "{{\"do\":{words}").expect("a string takes everything");
    if let Some(node) = step.actor() {
        sort(&mut taken.sends);
        write!(out, ",\"sends\":{}", show::sends(&taken.sends)).expect("a string takes everything");
        if let Some(returned) = &taken.returned {
            write!(out, ",\"returns\":{}", show::ports(returned)).expect("a string takes everything");
        }
        if taken.ignored {
            out.push_str(",\"misuse\":true");
        }
        write!(out, ",\"enabled\":{},\"node\":", show::enabled(&enabled(world, node)))
            .expect("a string takes everything");
        write_memory(out, world, node);
    }
    if let (&Step::Disconnect { node, .. }, Some(peer)) = (step, peer) {
        let ends = [node, peer].map(|end| (end.0, world.detector(end)));
        write!(out, ",\"D\":{}", show::detectors(&ends)).expect("a string takes everything");
    }
    out.push('}');
    Ok(())
}

fn write_memory(out: &mut String, world: &World<Local, LockOnly>, node: NodeId) {
    let memory = world.node(node);
    let lock = memory.lock.map_or("null".to_owned(), |port| port.to_string());
    let (state, phase) = (show::word(&memory.state), show::word(&memory.phase));
    write!(out, "{{\"lock\":{lock},\"state\":\"{state}\",\"phase\":\"{phase}\"")
        .expect("a string takes everything");
    let ports = |letter: &str, set: &PortNumbers| format!(",\"{letter}\":{}", show::ports(set));
    out.push_str(&ports("L", &memory.L));
    out.push_str(&ports("R", &memory.R));
    write!(out, ",\"W\":{}", show::pairs(&memory.W)).expect("a string takes everything");
    out.push_str(&ports("H", &memory.H));
    out.push_str(&ports("A", &memory.A));
    out.push_str(&ports("C", &memory.C));
    write!(out, ",\"P\":{}", show::pairs(&memory.P)).expect("a string takes everything");
    out.push_str(&ports("D", &memory.D));
    out.push('}');
}
