//! External disturbances of the first phase: calls, misused calls, and changes of the graph.

use std::num::NonZeroU32;

use acrasin_runtime::choice::pick_index;
use acrasin_runtime::topology::Edge;
use acrasin_runtime::topology::dynamics::{Change, Dynamics, Moment, Swizzle};
use acrasin_runtime::{Choices, Decision, NodeId, Port, Status, Step, StepError, Topology};

use super::stage::SwarmStage;
use super::tape::Tape;
use super::{Interference, Rates, SwarmPlan, Swarmed};

/// The bound of the random number that selects the disturbance of a turn. Each rate takes its share of the numbers,
/// from above; the rest, which includes 0, selects none. So shrinking picks towards 0 removes disturbances.
const ROLL: NonZeroU32 = NonZeroU32::new(256).expect("256 > 0");

/// The source of disturbances in a run.
pub(super) struct DisturbanceSource {
    /// The number of Lock calls that each node may still make; `None` for unlimited.
    demands: Vec<Option<u32>>,
    rates: Rates,
    /// The initial edges that appear and vanish under [`Interference::Churn`].
    flapping: Vec<Edge>,
    dynamics: Option<Box<dyn Dynamics>>,
    changes: Vec<Change>,
    candidates: Vec<NodeId>,
    turns: u64,
}

impl DisturbanceSource {
    /// Starts from `topology`, the initial graph.
    pub(super) fn new(plan: &SwarmPlan, topology: &Topology) -> Self {
        let dynamics: Option<Box<dyn Dynamics>> = match plan.interference {
            Interference::Swizzle { links, period } => Some(Box::new(Swizzle::new(links, period))),
            _ => None,
        };
        let flapping = match plan.interference {
            Interference::Churn => topology.edges(),
            _ => Vec::new(),
        };
        Self {
            demands: plan.demands.clone(),
            rates: plan.rates,
            flapping,
            dynamics,
            changes: Vec::new(),
            candidates: Vec::new(),
            turns: 0,
        }
    }

    /// Disturbs the run before a turn of the scheduler. Consumes at least one pick of the stream.
    #[inline]
    pub(super) fn disturb<E: Swarmed>(&mut self, stage: &mut SwarmStage<'_, E>, tape: &mut Tape<'_>) {
        let roll = tape.pick(ROLL, Decision::Activation);
        let mut above = 256;
        let mut falls_in = |rate: u8| {
            above -= u32::from(rate);
            roll >= above
        };
        let Rates { calls, misuse, changes } = self.rates;
        if falls_in(changes) {
            self.change(stage, tape);
        } else if falls_in(misuse) {
            misuse_call(stage, tape);
        } else if falls_in(calls) || stage.world.active().is_empty() {
            self.call(stage, tape);
        }
        self.follow_dynamics(stage, tape);
        self.turns += 1;
    }

    /// Makes a random idle node that has calls left call Lock.
    fn call<E: Swarmed>(&mut self, stage: &mut SwarmStage<'_, E>, tape: &mut Tape<'_>) {
        let (world, demands) = (&stage.world, &self.demands);
        self.candidates.clear();
        self.candidates.extend(world.topology().nodes().filter(|&node| {
            demands[node.index()] != Some(0)
                && world.status(node) == Status::Idle
                && world.unsent(node).is_empty()
        }));
        let Some(index) = pick_index(tape, self.candidates.len(), Decision::Activation) else { return };
        let node = self.candidates[index];
        let step = Step::Lock { node, claim: world.pick_claim(node, tape) };
        stage.apply(&step, tape).expect("an idle node that is not busy can call");
        stage.figures.calls += 1;
        if let Some(left) = &mut self.demands[node.index()] {
            *left -= 1;
        }
    }

    /// Flips a random initial edge under [`Interference::Churn`]; otherwise changes the graph at random nodes.
    fn change<E: Swarmed>(&self, stage: &mut SwarmStage<'_, E>, tape: &mut Tape<'_>) {
        let Some(index) = pick_index(tape, self.flapping.len(), Decision::Topology) else {
            return change_anywhere(stage, tape);
        };
        let (edge, topology) = (self.flapping[index], stage.world.topology());
        let is_there = topology.adjacent(edge.a, edge.b);
        let change = if is_there { Change::Disconnect(edge) } else { Change::Connect(edge) };
        if let Some(step) = step_for(topology, change) {
            stage.apply(&step, tape).expect("the edge and the ports have been looked up");
        }
    }

    /// Applies the changes of this turn under [`Interference::Swizzle`].
    fn follow_dynamics<E: Swarmed>(&mut self, stage: &mut SwarmStage<'_, E>, tape: &mut Tape<'_>) {
        let Some(dynamics) = &mut self.dynamics else { return };
        self.changes.clear();
        let moment = Moment { rounds: self.turns, round_begins: true };
        dynamics.changes(stage.world.topology(), moment, tape, &mut self.changes);
        for &change in &self.changes {
            if stage.failure.is_none()
                && let Some(step) = step_for(stage.world.topology(), change)
            {
                stage.apply(&step, tape).expect("the edge and the ports have been looked up");
            }
        }
    }
}

/// The step that makes a change; `None` if the edge is already absent or present, or if a node has no open port.
fn step_for<A, M>(topology: &Topology, change: Change) -> Option<Step<A, M>> {
    match change {
        Change::Disconnect(edge) => {
            let port = topology.port_towards(edge.a, edge.b)?.into();
            Some(Step::Disconnect { node: edge.a, port })
        }
        Change::Connect(edge) => {
            if topology.adjacent(edge.a, edge.b) {
                return None;
            }
            let a_port = topology.lowest_open_port(edge.a)?.into();
            let b_port = topology.lowest_open_port(edge.b)?.into();
            Some(Step::Connect { a: edge.a, a_port, b: edge.b, b_port })
        }
    }
}

/// Makes a call that the rules should ignore: Lock while not idle, Unlock while not holding.
fn misuse_call<E: Swarmed>(stage: &mut SwarmStage<'_, E>, tape: &mut Tape<'_>) {
    let world = &stage.world;
    let Some(node) = pick_node(world.topology(), tape) else { return };
    let two = NonZeroU32::new(2).expect("2 > 0");
    let is_lock = tape.pick(two, Decision::Partner) == 0;
    let step = match (is_lock, world.status(node)) {
        (true, Status::Idle) | (false, Status::Holding) => return,
        (true, _) => Step::Lock { node, claim: world.pick_claim(node, tape) },
        (false, _) => Step::Unlock { node },
    };
    tolerate_busy(stage.apply(&step, tape));
}

/// Ignores the refusal of a call at a node that is still sending. Panics at other errors.
fn tolerate_busy(applied: Result<(), StepError>) {
    assert!(matches!(applied, Ok(()) | Err(StepError::Busy(_))), "a call is always possible: {applied:?}");
}

fn pick_node(topology: &Topology, tape: &mut Tape<'_>) -> Option<NodeId> {
    pick_index(tape, topology.node_count() as usize, Decision::Topology).map(|index| NodeId(index as u32))
}

/// Disconnects a random edge, connects two random nodes, or does both at one port, which is then reused before its node
/// reads the detector.
fn change_anywhere<E: Swarmed>(stage: &mut SwarmStage<'_, E>, tape: &mut Tape<'_>) {
    let ends = NonZeroU32::new(3).expect("3 > 0");
    match tape.pick(ends, Decision::Topology) {
        0 => drop(end_some_edge(stage, tape)),
        1 => {
            if let Some(a) = pick_node(stage.world.topology(), tape)
                && let Some(a_port) = pick_open_port(stage.world.topology(), a, tape)
            {
                connect(stage, a, a_port, tape);
            }
        }
        _ => {
            if let Some((a, a_port)) = end_some_edge(stage, tape)
                && stage.failure.is_none()
            {
                connect(stage, a, a_port, tape);
            }
        }
    }
}

/// Disconnects a random edge of a random node. Returns the node and its port.
fn end_some_edge<E: Swarmed>(stage: &mut SwarmStage<'_, E>, tape: &mut Tape<'_>) -> Option<(NodeId, Port)> {
    let topology = stage.world.topology();
    let node = pick_node(topology, tape)?;
    let index = pick_index(tape, topology.degree(node).into(), Decision::Topology)?;
    let (port, _) = topology.links(node).nth(index).expect("the index is below the degree");
    let step = Step::Disconnect { node, port: port.into() };
    stage.apply(&step, tape).expect("the edge is there");
    Some((node, port.into()))
}

/// Connects an open port to a random open port of a random node, if the two nodes may be connected.
fn connect<E: Swarmed>(stage: &mut SwarmStage<'_, E>, a: NodeId, a_port: Port, tape: &mut Tape<'_>) {
    let topology = stage.world.topology();
    let Some(b) = pick_node(topology, tape) else { return };
    let Some(b_port) = pick_open_port(topology, b, tape) else { return };
    if a != b && !topology.adjacent(a, b) {
        let step = Step::Connect { a, a_port, b, b_port };
        stage.apply(&step, tape).expect("both ports are open");
    }
}

fn pick_open_port(topology: &Topology, node: NodeId, tape: &mut Tape<'_>) -> Option<Port> {
    let open = usize::from(topology.ports() - topology.degree(node));
    let index = pick_index(tape, open, Decision::Topology)?;
    (1..=topology.ports()).map(Port).filter(|&port| topology.link(node, port).is_none()).nth(index)
}
