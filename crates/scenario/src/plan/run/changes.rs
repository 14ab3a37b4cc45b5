//! Changes of the graph between rounds, for lock layers that store their own edges.

use acrasin_report::record::Figure;
use acrasin_runtime::exclusion::local::Local;
use acrasin_runtime::pack::{Pack, PackError, Saved as _};
use acrasin_runtime::topology::dynamics::{Change, Dynamics, Moment};
use acrasin_runtime::{NodeId, Seeded, Step, StepOf, Topology};

/// The adversaries that change the graph, and the current graph with its open ports. Rules and draws are those of an
/// [`Execution`](acrasin_runtime::execution::Execution) of whole rounds.
pub(super) struct GraphChanges {
    topology: Topology,
    dynamics: Vec<Box<dyn Dynamics>>,
    choices: Seeded,
    asked: Vec<Change>,
    connected: u64,
    disconnected: u64,
    refused: u64,
}

impl GraphChanges {
    /// Appends the state. Returns `false` if an adversary cannot be saved.
    pub(super) fn save(&self, into: &mut Vec<u8>) -> bool {
        (self.connected, self.disconnected, self.refused).pack(into);
        self.choices.save(into);
        self.topology.save(into);
        self.dynamics.iter().all(|dynamics| dynamics.save(into))
    }

    /// Sets the state that [`save`](Self::save) wrote.
    ///
    /// # Errors
    ///
    /// [`PackError`] if `from` does not begin with such a state.
    pub(super) fn load(&mut self, from: &mut &[u8]) -> Result<(), PackError> {
        (self.connected, self.disconnected, self.refused) = Pack::unpack(from)?;
        self.choices.load(from)?;
        self.topology.load(from)?;
        let nodes = self.topology.node_count();
        self.dynamics.iter_mut().try_for_each(|dynamics| dynamics.load(nodes, from))
    }

    /// Starts with the graph `topology`.
    pub(super) fn new(topology: Topology, dynamics: Vec<Box<dyn Dynamics>>, choices: Seeded) -> Self {
        Self { topology, dynamics, choices, asked: Vec::new(), connected: 0, disconnected: 0, refused: 0 }
    }

    /// Makes the changes of the graph before a round. `apply` makes a change in the lock layer, and returns whether it
    /// was possible.
    pub(super) fn happen(&mut self, round: u64, mut apply: impl FnMut(&StepOf<Local>) -> bool) {
        let moment = Moment { rounds: round, round_begins: true };
        let Self { topology, dynamics, choices, asked, connected, disconnected, refused } = self;
        for dynamics in dynamics {
            asked.clear();
            dynamics.changes(topology, moment, choices, asked);
            for &change in asked.iter() {
                match step_for(topology, change) {
                    ChangeOutcome::Nothing => {}
                    ChangeOutcome::Refused => *refused += 1,
                    ChangeOutcome::Step(step) if !apply(&step) => *refused += 1,
                    ChangeOutcome::Step(step) => match step {
                        Step::Connect { a, a_port, b, b_port } => {
                            topology.connect(a, a_port, b, b_port).expect("both ports are open");
                            *connected += 1;
                        }
                        Step::Disconnect { node, port } => {
                            topology.disconnect(node, port).expect("the edge is there");
                            *disconnected += 1;
                        }
                        other => unreachable!("{other} is not a change of the graph"),
                    },
                }
            }
        }
    }

    /// Whether the graph may still change in `round` or later.
    pub(super) fn go_on(&self, round: u64) -> bool {
        self.dynamics.iter().any(|dynamics| dynamics.next_change(round).is_some())
    }

    /// The current number of edges.
    pub(super) fn edges(&self) -> u64 {
        self.topology.edge_count()
    }

    /// The current edges, each with its lower node first.
    pub(super) fn list(&self) -> Vec<(u32, u32)> {
        let Self { topology, .. } = self;
        let of_node = |node: NodeId| topology.links(node).map(move |(_, link)| (node.0, link.peer.0));
        topology.nodes().flat_map(of_node).filter(|(a, b)| a < b).collect()
    }

    /// Figures on the changes of the graph for the record.
    pub(super) fn figures(&self) -> [Figure; 3] {
        [
            Figure::new("connected", "edges that appeared", self.connected),
            Figure::new("disconnected", "edges that vanished", self.disconnected),
            Figure::new("refused", "meetings refused: no open port", self.refused),
        ]
    }
}

/// The result of a requested change.
enum ChangeOutcome {
    Step(StepOf<Local>),
    /// The edge already is, or is not, in the graph as requested.
    Nothing,
    /// An end has no open port, or does not exist.
    Refused,
}

fn step_for(topology: &Topology, change: Change) -> ChangeOutcome {
    let (Change::Connect(edge) | Change::Disconnect(edge)) = change;
    if edge.a.max(edge.b).0 >= topology.node_count() {
        return ChangeOutcome::Refused;
    }
    match change {
        Change::Disconnect(edge) => {
            topology.port_towards(edge.a, edge.b).map_or(ChangeOutcome::Nothing, |port| {
                ChangeOutcome::Step(Step::Disconnect { node: edge.a, port: port.into() })
            })
        }
        Change::Connect(edge) if topology.adjacent(edge.a, edge.b) => ChangeOutcome::Nothing,
        Change::Connect(edge) => {
            let open = [edge.a, edge.b].map(|node| topology.lowest_open_port(node));
            let [Some(a_port), Some(b_port)] = open else { return ChangeOutcome::Refused };
            let (a_port, b_port) = (a_port.into(), b_port.into());
            ChangeOutcome::Step(Step::Connect { a: edge.a, a_port, b: edge.b, b_port })
        }
    }
}
