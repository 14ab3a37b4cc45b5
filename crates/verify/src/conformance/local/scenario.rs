//! Validates a scenario: converts its text into steps and checks every number and field.

use acrasin_runtime::exclusion::local::Local;
use acrasin_runtime::{LockSetRequest, NodeId, Port, Step, StepOf, Topology};

use super::super::object::JsonObject;
use super::RuleSetVariant;
use super::ranges::Ranges;
use super::text::{self, CheckAction, Final, LocalNode, LocalSent, PortNumbers};
use crate::limits::{SCENARIO_NODES_MAX, SCENARIO_SLOTS_MAX, SCENARIO_STEPS_MAX};
use crate::words::{WrittenCall, WrittenLockSet};

/// A validated scenario, ready for replay.
pub(super) struct LocalScenario {
    pub(super) id: String,
    pub(super) variant: RuleSetVariant,
    pub(super) algorithm: Local,
    pub(super) topology: Topology,
    pub(super) steps: Vec<Instant>,
    pub(super) end: Final,
}

/// One step, with the expected result.
pub(super) struct Instant {
    pub(super) step: StepOf<Local>,
    pub(super) picks: Vec<u32>,
    pub(super) after: After,
}

/// The expected configuration after a step.
pub(super) enum After {
    Connected,
    Disconnected { detectors: Vec<(u32, PortNumbers)> },
    Acted(Box<Acted>),
}

/// The expected result of an action.
pub(super) struct Acted {
    /// The closed neighbourhood, if the Lock lists it.
    pub(super) neighbourhood: Option<PortNumbers>,
    pub(super) sends: Vec<LocalSent>,
    pub(super) returns: Option<PortNumbers>,
    pub(super) ignored: bool,
    pub(super) enabled: Vec<CheckAction>,
    pub(super) node: LocalNode,
}

pub(super) fn check(text: text::LocalScenarioText) -> Result<LocalScenario, String> {
    let text::LocalScenarioText {
        id,
        variant,
        n,
        delta,
        priorities,
        pair,
        edges,
        steps,
        end: JsonObject(end),
        ..
    } = text;
    if n == 0 || n > SCENARIO_NODES_MAX {
        return Err(format!("n is {n}: 1 to {SCENARIO_NODES_MAX} are accepted"));
    }
    if u64::from(n) * u64::from(delta) > SCENARIO_SLOTS_MAX {
        return Err(format!(
            "{n} nodes of {delta} ports: at most {SCENARIO_SLOTS_MAX} ports in all are accepted"
        ));
    }
    let algorithm = variant.algorithm(delta, priorities);
    let algorithm = algorithm.ok_or_else(|| format!("K is {priorities}: 2 or more is accepted"))?;
    if steps.len() > SCENARIO_STEPS_MAX {
        return Err(format!("{} steps: at most {SCENARIO_STEPS_MAX} are accepted", steps.len()));
    }
    if end.nodes.len() != n as usize {
        return Err(format!("final.nodes has {} entries, but n is {n}", end.nodes.len()));
    }
    let mut topology = Topology::new(n, delta).map_err(|error| error.to_string())?;
    for (index, (u, u_port, v, v_port)) in edges.into_iter().enumerate() {
        let connected = topology.connect(NodeId(u), Port(u_port), NodeId(v), Port(v_port));
        connected.map_err(|error| format!("edges[{index}]: {error}"))?;
    }
    let ranges = Ranges { nodes: n, ports: delta, priorities };
    let steps = steps.into_iter().zip(1..).map(|(JsonObject(step), number)| {
        instant(&ranges, pair, step).map_err(|what| format!("step {number}: {what}"))
    });
    let steps = steps.collect::<Result<_, _>>()?;
    ranges.end(&end)?;
    Ok(LocalScenario { id, variant, algorithm, topology, steps, end })
}

fn instant(ranges: &Ranges, pair: bool, text: text::LocalStep) -> Result<Instant, String> {
    let text::LocalStep { written, sends, returns, misuse, enabled, node, detectors } = text;
    let in_do = |what| format!("do: {what}");
    if written.as_object {
        return Err("do: \"picks\" belong to replays; here the last element is the drawn priority".to_owned());
    }
    written.picks.iter().try_for_each(|&priority| ranges.priority(priority)).map_err(in_do)?;
    let (step, neighbourhood, ignored) =
        call(ranges, pair, misuse, written.call).map_err(|what| format!("do: {what}"))?;
    let unwanted = |name: &str, present: bool| {
        if present { Err(format!("the field {name} does not belong to this step")) } else { Ok(()) }
    };
    let acted = !matches!(step, Step::Connect { .. } | Step::Disconnect { .. });
    if !acted {
        unwanted("sends", sends.is_some())?;
        unwanted("returns", returns.is_some())?;
        unwanted("enabled", enabled.is_some())?;
        unwanted("node", node.is_some())?;
    }
    unwanted("misuse", misuse.is_some() && !matches!(step, Step::Lock { .. } | Step::Unlock { .. }))?;
    unwanted("D", detectors.is_some() && !matches!(step, Step::Disconnect { .. }))?;
    let missing = |name: &str| format!("the field {name} is missing");
    let after = match step {
        Step::Connect { .. } => After::Connected,
        Step::Disconnect { .. } => {
            let detectors = detectors.ok_or_else(|| missing("D"))?;
            for (node, ports) in &detectors {
                let check = ranges.node(*node).and_then(|()| ranges.list(ports.elements()));
                check.map_err(|what| format!("D: {what}"))?;
            }
            After::Disconnected { detectors }
        }
        _ => {
            let sends = sends.ok_or_else(|| missing("sends"))?;
            for &LocalSent(port, message) in &sends {
                ranges.message(port, message).map_err(|what| format!("sends: {what}"))?;
            }
            if let Some(ports) = &returns {
                ranges.list(ports.elements()).map_err(|what| format!("returns: {what}"))?;
            }
            let enabled = enabled.ok_or_else(|| missing("enabled"))?;
            let JsonObject(node) = *node.ok_or_else(|| missing("node"))?;
            ranges.memory(&node).map_err(|what| format!("node.{what}"))?;
            After::Acted(Box::new(Acted { neighbourhood, sends, returns, ignored, enabled, node }))
        }
    };
    Ok(Instant { step, picks: written.picks, after })
}

/// Returns the step, the lock set if a Lock of the whole neighbourhood lists it, and whether the call is ignored.
fn call(
    ranges: &Ranges,
    pair: bool,
    misuse: Option<bool>,
    call: WrittenCall<Local>,
) -> Result<(StepOf<Local>, Option<PortNumbers>, bool), String> {
    let misused = misuse == Some(true);
    let (node, lock_set) = match call {
        WrittenCall::Other(Step::Leave { .. }) => return Err("leave is a step of replays only".to_owned()),
        WrittenCall::Other(step) => {
            ranges.step(&step)?;
            return Ok((step, None, misused));
        }
        WrittenCall::Lock { node, lock_set } => (node, lock_set),
    };
    ranges.node(node.0)?;
    let whole = LockSetRequest::Neighbourhood;
    let (claim, given, ignored) = match lock_set {
        WrittenLockSet::Null if misuse == Some(false) => {
            return Err("the lock set is null, so the call is ignored, but misuse is false".to_owned());
        }
        WrittenLockSet::Null => (whole, None, true),
        WrittenLockSet::Nothing if pair && !misused => {
            return Err("the lock set of a pair is missing: [0] or [0,port] is accepted".to_owned());
        }
        WrittenLockSet::Nothing => (whole, None, misused),
        WrittenLockSet::Ports(ports) => {
            ranges.list(&ports)?;
            if pair {
                (WrittenLockSet::pair(&ports)?, None, misused)
            } else {
                (whole, Some(PortNumbers::new(ports)?), misused)
            }
        }
    };
    Ok((Step::Lock { node, claim }, given, ignored))
}
