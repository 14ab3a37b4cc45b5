//! Wrong worlds: the rules are right, but the world does not execute actions and disconnections atomically (F7, F8).

use std::ops::ControlFlow;

use acrasin_runtime::choice::Enumerated;
use acrasin_runtime::exclusion::local::{Local, Message};
use acrasin_runtime::{
    CandidateEdge, LockOnly, NodeId, Port, PortSet, Status, Step, StepOf, TopologyError, World,
};

use super::Setting;
use super::configuration::{Read, WrongConfiguration};
use crate::properties::{dead, promise};
use acrasin_explore::{BrokenProperty, Duty, Model, MoveId, Moves};

/// Faults of a world that executes the right rules.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WorldFault {
    /// Unsent messages of a vanished edge are kept and sent over the next edge at the same port (F7).
    UnsentSurvive,
    /// A node reads its detector first and chooses its action and message later (F8).
    DetectorReadFirst,
    /// A node that calls Lock reads its detector first and its ports later. Its prepare does not reach a neighbour
    /// that appeared in between (F8).
    NeighbourhoodReadLate,
}

impl WorldFault {
    /// All world faults.
    pub const ALL: [Self; 3] = [Self::UnsentSurvive, Self::DetectorReadFirst, Self::NeighbourhoodReadLate];

    /// A short name, with hyphens between the words.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::UnsentSurvive => "unsent-messages-survive",
            Self::DetectorReadFirst => "detector-read-first",
            Self::NeighbourhoodReadLate => "neighbourhood-read-late",
        }
    }

    /// The smallest known setting in which a check finds the fault.
    #[must_use]
    pub fn setting(self) -> Setting {
        match self {
            Self::UnsentSurvive => Setting { asynchronous: true, ..Setting::EDGE_BOTH.changing(1, 1) },
            Self::DetectorReadFirst => Setting::EDGE.changing(1, 1),
            Self::NeighbourhoodReadLate => Setting { edges: &[], ..Setting::EDGE.changing(0, 1) },
        }
    }
}

/// A model of all runs of the right rules in a world with a fault or, for comparison, without one.
///
/// A world without a fault has the same configurations as [`LockModel`](crate::locks::LockModel). Moves have no duties
/// here, so the model answers questions about reachability, but not about fair runs.
pub struct WrongWorld {
    setting: Setting,
    fault: Option<WorldFault>,
    candidates: Vec<CandidateEdge>,
    start: World<Local, LockOnly>,
}

/// Scratch state of an exploration: a world into which configurations are unpacked, and buffers.
pub struct WrongWorkbench {
    world: World<Local, LockOnly>,
    choices: Enumerated,
    next: u16,
}

impl WrongWorld {
    /// The runs of a setting under these rules. `None` is a world without fault, for comparison.
    ///
    /// # Errors
    ///
    /// [`TopologyError`] if the edges are not a graph.
    pub fn new(setting: &Setting, local: Local, fault: Option<WorldFault>) -> Result<Self, TopologyError> {
        let start = setting.instance(local).world()?;
        let nodes: Vec<NodeId> = start.topology().nodes().collect();
        let mut candidates = Vec::new();
        for (&a, &b) in nodes.iter().flat_map(|a| nodes.iter().map(move |b| (a, b))).filter(|(a, b)| a < b) {
            for a_port in 1..=setting.ports {
                let ends = (1..=setting.ports).map(|b_port| ((a, Port(a_port)), (b, Port(b_port))));
                candidates.extend(ends.map(|(a, b)| CandidateEdge { a, b }));
            }
        }
        Ok(Self { setting: *setting, fault, candidates, start })
    }

    fn show(&self, world: &mut World<Local, LockOnly>, configuration: &WrongConfiguration) {
        let packed = configuration.pack_world();
        world.restore(&self.candidates, &mut packed.as_slice()).expect("a configuration of this world");
    }

    fn read(&self, world: &World<Local, LockOnly>) -> Vec<u8> {
        let mut packed = Vec::new();
        world.pack(&self.candidates, &mut packed);
        packed
    }

    fn unpack(&self, bytes: &[u8]) -> WrongConfiguration {
        let edge_bytes = self.candidates.len().div_ceil(8);
        WrongConfiguration::unpack(bytes, self.setting.demands.len(), edge_bytes, self.setting.asynchronous)
    }

    fn graph_steps(&self, world: &World<Local, LockOnly>, left: [u8; 2]) -> Vec<StepOf<Local>> {
        let topology = world.topology();
        let mut steps = Vec::new();
        if left[0] > 0 {
            for edge in topology.edges() {
                let port = topology.port_towards(edge.a, edge.b).expect("an edge has a port").into();
                steps.push(Step::Disconnect { node: edge.a, port });
            }
        }
        if left[1] > 0 {
            let free = |(node, port): (NodeId, Port)| topology.link(node, port).is_none();
            let open = |edge: &&CandidateEdge| {
                free(edge.a) && free(edge.b) && !topology.adjacent(edge.a.0, edge.b.0)
            };
            steps.extend(self.candidates.iter().filter(open).map(|edge| {
                let ((a, a_port), (b, b_port)) = (edge.a, edge.b);
                Step::Connect { a, a_port, b, b_port }
            }));
        }
        steps
    }

    /// Takes a step with every possible draw. `reader` is the acting node if it has already read its detector.
    fn take(
        &self,
        workbench: &mut WrongWorkbench,
        before: &WrongConfiguration,
        step: &StepOf<Local>,
        reader: Option<NodeId>,
        moves: &mut Moves,
    ) {
        let mut shown = before.clone();
        let read = reader.and_then(|node| {
            let read = shown.reads[node.index()].take()?;
            shown.nodes[node.index()].report = read.report.clone();
            Some((node, read))
        });
        for outcome in 0.. {
            self.show(&mut workbench.world, &shown);
            let applied = workbench.world.apply(step, &mut workbench.choices, &mut ());
            applied.expect("an offered step can be taken");
            let id = MoveId { step: workbench.next, outcome };
            if let Err(violation) = workbench.world.check() {
                let (property, text) = (promise(&violation), violation.to_string());
                moves.broken(BrokenProperty { property, text, by: Some(id) });
            } else {
                let mut after = shown.clone();
                after.set_world(&self.read(&workbench.world));
                match step {
                    Step::Disconnect { .. } => {
                        after.left[0] -= 1;
                        if self.fault == Some(WorldFault::UnsentSurvive) {
                            for (after, before) in after.nodes.iter_mut().zip(&before.nodes) {
                                after.outbox.clone_from(&before.outbox);
                            }
                        }
                    }
                    Step::Connect { .. } => after.left[1] -= 1,
                    _ => {}
                }
                if let Some((node, read)) = &read {
                    after.nodes[node.index()].report = before.nodes[node.index()].report.clone();
                    if self.fault == Some(WorldFault::NeighbourhoodReadLate) {
                        for (port, link) in workbench.world.topology().links(*node) {
                            if !read.alive.contains(port.into()) {
                                let late = (Port::from(link.peer_port), Message::Prepare);
                                after.nodes[link.peer.index()].inbox.retain(|&message| message != late);
                            }
                        }
                    }
                }
                moves.successor(id, Duty::NONE, &after.pack());
            }
            if !workbench.choices.advance() {
                break;
            }
        }
        workbench.next += 1;
    }

    fn offered(&self, world: &World<Local, LockOnly>) -> Vec<StepOf<Local>> {
        let mut offered = Vec::new();
        world.offered(&mut offered);
        let mut steps: Vec<StepOf<Local>> = Vec::new();
        for step in offered {
            if !steps.contains(&step) {
                steps.push(step);
            }
        }
        steps
    }

    /// Whether the fault lets a node read its detector now and take this enabled step later.
    fn may_read(&self, step: &StepOf<Local>) -> bool {
        match self.fault {
            Some(WorldFault::DetectorReadFirst) => !matches!(step, Step::Leave { .. }),
            Some(WorldFault::NeighbourhoodReadLate) => matches!(step, Step::Lock { .. }),
            Some(WorldFault::UnsentSurvive) | None => false,
        }
    }
}

impl Model for WrongWorld {
    type Workbench = WrongWorkbench;

    fn workbench(&self) -> WrongWorkbench {
        WrongWorkbench { world: self.start.clone(), choices: Enumerated::new(), next: 0 }
    }

    fn starts(&self, _: &mut WrongWorkbench, start: &mut dyn FnMut(&[u8]) -> ControlFlow<()>) {
        let mut packed = vec![self.setting.disconnections, self.setting.connections];
        packed.resize(2 + self.setting.demands.len(), 0);
        packed.extend(self.read(&self.start));
        let _ = start(&packed);
    }

    fn expand(&self, workbench: &mut WrongWorkbench, configuration: &[u8], moves: &mut Moves) {
        let before = self.unpack(configuration);
        workbench.next = 0;
        self.show(&mut workbench.world, &before);
        let waiting = workbench
            .world
            .topology()
            .nodes()
            .filter(|&node| workbench.world.status(node) == Status::Waiting);
        moves.label(waiting.fold(0, |label, node| label | 1 << node.0));
        let mut steps = self.offered(&workbench.world);
        steps.retain(|step| step.actor().is_none_or(|node| before.reads[node.index()].is_none()));
        if before.reads.iter().all(Option::is_none)
            && let Err(text) = dead::check(&workbench.world, steps.len())
        {
            moves.broken(BrokenProperty { property: dead::NAME, text, by: None });
        }
        let mut readers: Vec<(NodeId, PortSet)> = Vec::new();
        for node in steps.iter().filter(|step| self.may_read(step)).filter_map(Step::actor) {
            if readers.iter().all(|reader| reader.0 != node) {
                readers.push((node, workbench.world.topology().closed_neighbourhood(node)));
            }
        }
        steps.extend(self.graph_steps(&workbench.world, before.left));
        for step in &steps {
            self.take(workbench, &before, step, None, moves);
        }
        for (node, alive) in readers {
            let mut after = before.clone();
            let report = after.nodes[node.index()].report.take();
            after.reads[node.index()] = Some(Read { report, alive });
            moves.successor(MoveId { step: workbench.next, outcome: 0 }, Duty::NONE, &after.pack());
            workbench.next += 1;
        }
        for (index, node) in (0..before.reads.len()).zip(0..) {
            if let Some(read) = &before.reads[index] {
                let mut shown = before.clone();
                shown.nodes[index].report = read.report.clone();
                self.show(&mut workbench.world, &shown);
                let mut late = self.offered(&workbench.world);
                late.retain(|step| step.actor() == Some(NodeId(node)) && self.may_read(step));
                for step in &late {
                    self.take(workbench, &before, step, Some(NodeId(node)), moves);
                }
                if late.is_empty() {
                    // The message it wanted to receive is lost: it has not begun, and the report stays unread.
                    let mut after = before.clone();
                    after.reads[index] = None;
                    after.nodes[index].report.extend_from(&read.report);
                    moves.successor(MoveId { step: workbench.next, outcome: 0 }, Duty::NONE, &after.pack());
                    workbench.next += 1;
                }
            }
        }
    }
}
