//! `topology` and `ports`: the graph, static or changing with time.

use std::borrow::Cow;
use std::num::NonZeroU32;
use std::path::Path;
use std::sync::Arc;

use acrasin_catalogue::counted;
use acrasin_graphs::mobility::{RandomWaypoint, random_waypoint};
use acrasin_graphs::read::{self, FileFormat};
use acrasin_graphs::trace::{self, TraceFormat, TraceOptions};
use acrasin_graphs::{Family, Graph, Loaded, NodeLabels, ReadError, family};
use acrasin_runtime::choice::derived_seed;

use super::topology::{self, ChosenTopology};
use super::trace::PreparedTrace;
use acrasin_report::film::NodePositions;

use crate::document::TopologySource;
use crate::document::lock::PortCount;
use crate::document::quantity::{Count, Positive};
use crate::document::rung::RungSetting;
use crate::document::topology::{ContactFormat, Duplicates, GraphFormat, SelfContacts, Unsorted};
use crate::document::work::{Partners, Work};
use crate::film::{LayoutSource, Walking, placed};
use crate::limits::MAX_COUNT;
use crate::memory::{self, RunMemory, RunSize};
use crate::node_names::NodeNames;
use crate::run::RunError;
use crate::{Document, DocumentError};

/// The stream index from which random graphs and walkers are drawn: see [`derived_seed`].
const GRAPH_SEED: u64 = 1 << 32;

/// The interaction graph, static or changing with time.
#[derive(Clone, Debug)]
pub(super) enum InteractionGraph {
    Fixed(Graph),
    Contacts(PreparedTrace),
    /// The complete graph on this number of agents, without a list of edges, for runs in which nodes lock pairs.
    Complete(u32),
}

/// The source of an interaction graph.
#[derive(Clone, Debug)]
pub(super) struct GraphSource {
    maker: Option<Maker>,
    /// The graph for the seed `built_for`, or for every seed if nothing is drawn.
    built: InteractionGraph,
    built_for: u64,
    ports: Option<u16>,
    /// The layout of the nodes in films.
    places: LayoutSource,
    /// The generator that places nodes in the plane, and its written seed, if there is such a generator.
    placing: Option<Box<(Maker, Option<u64>)>>,
    /// The positions of the nodes in the graph file, if it has any.
    positions: Option<Positions>,
}

/// The positions of the nodes in the plane, by number.
type Positions = Arc<[[f64; 2]]>;

/// A generator of a graph from the seed of a run.
#[derive(Clone, Debug)]
enum Maker {
    Family(Family),
    Walkers { model: RandomWaypoint, rounds_per_step: u64 },
}

impl Maker {
    fn make(&self, seed: u64) -> Result<InteractionGraph, String> {
        let seed = derived_seed(seed, GRAPH_SEED);
        match self {
            Self::Family(family) => {
                family.build(seed).map(InteractionGraph::Fixed).map_err(|error| error.to_string())
            }
            Self::Walkers { model, rounds_per_step } => {
                let trace = random_waypoint(model, seed).map_err(|error| error.to_string())?;
                let contacts = PreparedTrace::new(&trace, *rounds_per_step).ok_or("the trace is too long")?;
                Ok(InteractionGraph::Contacts(contacts))
            }
        }
    }
}

impl InteractionGraph {
    pub(super) fn nodes(&self) -> u32 {
        match self {
            Self::Fixed(graph) => graph.nodes(),
            Self::Contacts(contacts) => contacts.nodes,
            Self::Complete(nodes) => *nodes,
        }
    }

    /// The largest degree of a node at any time.
    pub(super) fn degree_max(&self) -> u32 {
        match self {
            Self::Fixed(graph) => graph.degree_max(),
            Self::Contacts(contacts) => contacts.degree_max,
            Self::Complete(nodes) => nodes - 1,
        }
    }

    /// The graph at the start of the run with this seed.
    pub(super) fn at_start(&self, ports: u16, seed: u64) -> Result<acrasin_runtime::Topology, RunError> {
        use acrasin_runtime::Topology;
        let topology = match self {
            Self::Fixed(graph) => Topology::from_edges(graph.nodes(), ports, graph.edges()),
            Self::Contacts(contacts) => Topology::new(contacts.nodes, ports),
            Self::Complete(nodes) => return Err(RunError::drawn(seed, never_listed(*nodes))),
        };
        topology.map_err(|error| RunError::drawn(seed, error.to_string()))
    }

    /// The maximum number of edges at one time.
    pub(super) fn edges_max(&self) -> u64 {
        match self {
            Self::Fixed(graph) => graph.edges().len() as u64,
            Self::Contacts(contacts) => contacts.edges_max,
            Self::Complete(nodes) => u64::from(*nodes) * u64::from(nodes - 1) / 2,
        }
    }

    /// Every edge that occurs at any time, once; empty for a complete graph without a list of edges.
    pub(super) fn all_edges(&self) -> Vec<(u32, u32)> {
        let mut edges: Vec<(u32, u32)> = match self {
            Self::Fixed(graph) => graph.edges().to_vec(),
            Self::Contacts(contacts) => contacts.edges().map(|(_, [a, b], _)| (a.min(b), a.max(b))).collect(),
            Self::Complete(_) => Vec::new(),
        };
        edges.sort_unstable();
        edges.dedup();
        edges
    }

    fn labels(&self) -> Option<&NodeLabels> {
        match self {
            Self::Fixed(graph) => graph.labels(),
            Self::Contacts(contacts) => contacts.labels.as_ref(),
            Self::Complete(_) => None,
        }
    }

    /// The names of the nodes in the graph file, if it has names.
    pub(super) fn listed_names(&self) -> Option<Vec<String>> {
        self.labels().map(|labels| (0..self.nodes()).map(|node| labels.of(node)).collect())
    }

    /// The node names that the scenario uses.
    pub(super) fn node_names(&self) -> NodeNames<'_> {
        NodeNames::new(self.nodes(), self.labels())
    }

    pub(super) fn contacts(&self) -> Option<&PreparedTrace> {
        match self {
            Self::Fixed(_) | Self::Complete(_) => None,
            Self::Contacts(contacts) => Some(contacts),
        }
    }

    /// The number Δ of ports: the written number or the largest degree. A static graph must not need more.
    pub(super) fn ports(&self, written: Option<u16>) -> Result<u16, TooFewPorts> {
        let needed = self.degree_max().max(1);
        let most = u32::from(acrasin_runtime::limits::PORTS_MAX);
        match (written, self) {
            (Some(ports), Self::Fixed(graph)) if u32::from(ports) < needed => {
                Err(TooFewPorts::of(graph, u32::from(ports)))
            }
            (Some(ports), Self::Complete(_)) if u32::from(ports) < needed.min(most) => Err(TooFewPorts {
                message: format!(
                    "every node has {needed} neighbours but only {}",
                    counted(u64::from(ports), "port")
                ),
                degree: needed,
            }),
            (Some(ports), _) => Ok(ports),
            (None, Self::Fixed(graph)) if needed > most => Err(TooFewPorts::of(graph, most)),
            (None, _) => Ok(needed.min(most) as u16),
        }
    }
}

/// A node with more neighbours than ports.
#[derive(Clone, Debug)]
pub(super) struct TooFewPorts {
    message: String,
    degree: u32,
}

impl TooFewPorts {
    fn of(graph: &Graph, ports: u32) -> Self {
        let degrees = graph.degrees();
        let degree = degrees.iter().copied().max().unwrap_or(0);
        let node = degrees.iter().position(|&other| other == degree).unwrap_or(0) as u32;
        let name = graph.labels().map(|_| format!(" (`{}` in its file)", graph.label(node)));
        let name = name.unwrap_or_default();
        Self {
            message: format!(
                "node {node}{name} has {degree} neighbours but only {}",
                counted(u64::from(ports), "port")
            ),
            degree,
        }
    }
}

impl GraphSource {
    /// The graph of a run with this seed, and its ports.
    pub(super) fn of_run(&self, seed: u64) -> Result<(Cow<'_, InteractionGraph>, u16), RunError> {
        let graph = match &self.maker {
            Some(maker) if seed != self.built_for => {
                Cow::Owned(maker.make(seed).map_err(|message| RunError::drawn(seed, message))?)
            }
            _ => Cow::Borrowed(&self.built),
        };
        let ports = graph.ports(self.ports).map_err(|few| RunError::drawn(seed, few.message))?;
        Ok((graph, ports))
    }

    /// The layout of the nodes of a run with this seed. The positions of walkers are in [`walking`](Self::walking).
    pub(super) fn picture(&self, graph: &InteractionGraph, seed: u64) -> NodePositions {
        match self.placing.as_deref() {
            Some((Maker::Walkers { .. }, _)) => Walking::picture(),
            Some((Maker::Family(family), own)) => {
                let points = family.points(own.unwrap_or(derived_seed(seed, GRAPH_SEED)));
                placed(points.unwrap_or_default(), &graph.all_edges())
            }
            None => match &self.positions {
                Some(positions) => placed(positions.to_vec(), &graph.all_edges()),
                None => self.places.picture(graph.nodes(), &graph.all_edges()),
            },
        }
    }

    /// The positions of the walkers of a run with this seed, if nodes walk.
    pub(super) fn walking(&self, seed: u64) -> Option<Walking> {
        match self.placing.as_deref() {
            Some((Maker::Walkers { model, rounds_per_step }, own)) => {
                Walking::new(model, own.unwrap_or(derived_seed(seed, GRAPH_SEED)), *rounds_per_step)
            }
            _ => None,
        }
    }

    /// The graph that was built to validate the plan.
    pub(super) fn sample(&self) -> &InteractionGraph {
        &self.built
    }

    /// The written number of ports, if there is one.
    pub(super) fn written_ports(&self) -> Option<u16> {
        self.ports
    }

    /// Whether the graph depends on the seed of the run.
    pub(super) fn is_drawn(&self) -> bool {
        self.maker.is_some()
    }

    /// The note after a figure of a graph that depends on the seed; otherwise empty.
    pub(super) fn drawn_note(&self) -> &'static str {
        if self.is_drawn() { " (another graph for every seed)" } else { "" }
    }

    /// Reads or draws the topology of the scenario.
    pub(super) fn new(
        document: &Document,
        topology: &ChosenTopology,
        base: &Path,
        room: RunMemory,
        notes: &mut Vec<String>,
    ) -> Result<Self, DocumentError> {
        let scenario = document.scenario();
        let ports = ports(document)?;
        let seed = scenario.seed.map_or(0, |seed| seed.0);
        let (mut placing, mut positions) = (None, None);
        let (maker, built) = match topology {
            ChosenTopology::Other(TopologySource::File { path, format }) => {
                let loaded = read_graph(document, base, path, *format, notes)?;
                positions = loaded.positions.map(Positions::from);
                (None, InteractionGraph::Fixed(loaded.graph))
            }
            ChosenTopology::Other(topology @ TopologySource::Contacts { .. }) => {
                (None, read_contacts(document, base, topology, notes)?)
            }
            ChosenTopology::Other(topology @ TopologySource::Mobility { .. }) => {
                let (maker, own) = walkers(document, topology, room)?;
                let graph = maker.walk(document, own.unwrap_or(derived_seed(seed, GRAPH_SEED)))?;
                placing = Some(Box::new((maker.clone(), own)));
                (own.is_none().then_some(maker), graph)
            }
            ChosenTopology::Family(family, _) if topology.is_complete() && locks_pairs(document) => {
                let family::FamilySize { nodes, .. } = family.size();
                RunSize { nodes, edges: 0, ports: 1, state: 8, changes: 0 }.check(document, room)?;
                let fits = u32::try_from(nodes).ok().filter(|&nodes| nodes <= COMPLETE_MAX);
                match fits {
                    // The graph is small enough for a list of edges, which an exploration needs.
                    None | Some(..=LISTED_MAX) => (None, listed(document, family)?),
                    Some(nodes) => (None, InteractionGraph::Complete(nodes)),
                }
            }
            ChosenTopology::Family(family, own) => {
                let family::FamilySize { nodes, edges } = family.size();
                let degree = (edges.saturating_mul(2) / nodes.max(1)).max(1);
                RunSize { nodes, edges, ports: ports.map_or(degree, u128::from), state: 8, changes: 0 }
                    .check(document, room)
                    .map_err(
                        |error| if topology.is_complete() { or_pairs(document, &error) } else { error },
                    )?;
                let graph = family.build(own.unwrap_or(derived_seed(seed, GRAPH_SEED)));
                let model = format!("a {} graph", family.entry().title);
                let graph = graph.map_err(|error| topology::refused(document, &model, &error))?;
                let drawn = family.entry().draws && own.is_none();
                placing = family.entry().points.map(|_| Box::new((Maker::Family(family.clone()), *own)));
                (drawn.then(|| Maker::Family(family.clone())), InteractionGraph::Fixed(graph))
            }
        };
        let given = built.ports(ports).map_err(|few| {
            document.error("ports", few.message).accepting(format!("Auto, or at least {}", few.degree))
        })?;
        if let InteractionGraph::Contacts(contacts) = &built
            && contacts.degree_max > u32::from(given)
        {
            notes.push(format!(
                "a node has up to {} contacts at once but {}: contacts that find no open port are refused, \
                 and stay refused until they begin again",
                contacts.degree_max,
                counted(given, "port")
            ));
        }
        memory_size(&built, given).check(document, room)?;
        let places = match topology {
            ChosenTopology::Family(family, _) => LayoutSource::of(family),
            ChosenTopology::Other(_) => LayoutSource::Unknown,
        };
        Ok(Self { maker, built, built_for: seed, ports, places, placing, positions })
    }
}

/// Complete graphs with at most this number of nodes have a list of edges even if nodes lock only pairs.
const LISTED_MAX: u32 = 256;
/// The maximum number of nodes of a complete graph without a list of edges. Node numbers in waves do not allow more.
const COMPLETE_MAX: u32 = 1 << 31;

/// Whether nodes lock pairs in waves. On the complete graph such a run needs no list of edges.
fn locks_pairs(document: &Document) -> bool {
    let scenario = document.scenario();
    let is_picked = matches!(scenario.work, Work::Interactions { way: Partners::PickedPair, .. });
    scenario.rung == RungSetting::F1 && is_picked
}

/// The complete graph as a list of edges.
fn listed(document: &Document, family: &Family) -> Result<InteractionGraph, DocumentError> {
    let refused = |error| topology::refused(document, "a complete graph", &error);
    family.build(0).map(InteractionGraph::Fixed).map_err(refused)
}

/// Adds the supported alternatives to the error about a complete graph that is too large for a list of edges.
fn or_pairs(document: &Document, error: &DocumentError) -> DocumentError {
    let message = format!(
        "{}, and every closed neighbourhood is the whole graph: under its locks one node acts at a time",
        error.message()
    );
    let accepted = error.accepted().unwrap_or_default();
    document.error("topology", message).accepting(format!(
        "{accepted}; or way: PickedPair with rung: F1 and scheduler: Waves; or scheduler: UniformPairs"
    ))
}

fn never_listed(nodes: u32) -> String {
    format!(
        "the edges of a complete graph of {nodes} nodes are not listed: explore or replay {LISTED_MAX} nodes at most"
    )
}

/// The size of a graph for the estimate of memory.
pub(super) fn memory_size(graph: &InteractionGraph, ports: u16) -> memory::RunSize {
    RunSize {
        nodes: graph.nodes().into(),
        edges: if matches!(graph, InteractionGraph::Complete(_)) { 0 } else { graph.edges_max().into() },
        ports: ports.into(),
        state: 8,
        changes: graph.contacts().map_or(0, |contacts| contacts.change_count() as u128),
    }
}

fn ports(document: &Document) -> Result<Option<u16>, DocumentError> {
    let most = acrasin_runtime::limits::PORTS_MAX;
    match document.scenario().ports {
        PortCount::Auto => Ok(None),
        PortCount::Exactly(ports) => u16::try_from(ports).map(Some).map_err(|_| {
            document.error("ports", format!("{ports} ports")).accepting(format!("Auto, or 1 to {most}"))
        }),
    }
}

/// An error in a data file. It points at the path in the scenario, and has the position in the data file.
pub(crate) fn unreadable<S>(document: &Document<S>, error: &ReadError) -> DocumentError {
    document.error("topology.path", error.fault()).accepting(error.accepted())
}

/// The written format of a graph file.
pub(crate) fn format_of(format: GraphFormat) -> FileFormat {
    match format {
        GraphFormat::EdgeList => FileFormat::EdgeList,
        GraphFormat::Metis => FileFormat::Metis,
        GraphFormat::MatrixMarket => FileFormat::MatrixMarket,
        GraphFormat::Graph6 => FileFormat::Graph6,
        GraphFormat::Dot => FileFormat::Dot,
    }
}

fn read_graph(
    document: &Document,
    base: &Path,
    path: &str,
    format: Option<GraphFormat>,
    notes: &mut Vec<String>,
) -> Result<Loaded, DocumentError> {
    let loaded = read::from_path(&base.join(path), format.map(format_of))
        .map_err(|error| unreadable(document, &error))?;
    notes.extend(loaded.notes.sentences().into_iter().map(|sentence| format!("{path}: {sentence}")));
    Ok(loaded)
}

fn read_contacts(
    document: &Document,
    base: &Path,
    topology: &TopologySource,
    notes: &mut Vec<String>,
) -> Result<InteractionGraph, DocumentError> {
    let TopologySource::Contacts { path, format, duplicates, self_contacts, unsorted, rounds_per_step } =
        topology
    else {
        unreachable!("called for contacts only")
    };
    let (form, resolution) = match format {
        ContactFormat::Instants { resolution } => {
            let place = "topology.format.resolution";
            (TraceFormat::ContactList, seconds(document, place, *resolution)?)
        }
        ContactFormat::Intervals => (TraceFormat::Intervals, NonZeroU32::MIN),
    };
    let options = TraceOptions {
        resolution,
        sort: *unsorted == Unsorted::Sort,
        merge: *duplicates == Duplicates::Merge,
        drop_self_contacts: *self_contacts == SelfContacts::Drop,
    };
    let trace = trace::from_path(&base.join(path), form, &options);
    let trace = trace.map_err(|error| unreadable(document, &error))?;
    if trace.self_contacts() > 0 {
        notes.push(match trace.self_contacts() {
            1 => format!("{path}: 1 contact of a node with itself is left out"),
            contacts => format!("{path}: {contacts} contacts of nodes with themselves are left out"),
        });
    }
    if trace.overlaps() > 0 {
        notes.push(match trace.overlaps() {
            1 => format!(
                "{path}: 1 line overlaps an earlier line of the same pair; overlapping lines are merged into one contact"
            ),
            lines => format!(
                "{path}: {lines} lines overlap an earlier line of the same pair; overlapping lines are merged into one contact"
            ),
        });
    }
    if let Some((contacts, time)) = trace.off_steps() {
        let (begin, last) = match contacts {
            1 => ("1 contact begins or ends".to_owned(), "is"),
            _ => (format!("{contacts} contacts begin or end"), "are"),
        };
        notes.push(format!(
            "{path}: {begin} inside a step of {resolution} s (for example at {time} s) and {last} extended to the whole step"
        ));
    }
    played(document, &trace, *rounds_per_step)
}

fn seconds(document: &Document, place: &str, seconds: Count) -> Result<NonZeroU32, DocumentError> {
    let fits = u32::try_from(seconds.0).ok().and_then(NonZeroU32::new);
    fits.ok_or_else(|| {
        let accepted = format!("1 to {} seconds", u32::MAX);
        document.error(place, format!("a step of {} seconds", seconds.0)).accepting(accepted)
    })
}

fn played(
    document: &Document,
    trace: &acrasin_graphs::ContactTrace,
    rounds: Count,
) -> Result<InteractionGraph, DocumentError> {
    let place = "topology.rounds_per_step";
    if rounds.0 == 0 {
        let message = "with 0 rounds per step nothing happens in the trace";
        return Err(document.error(place, message).accepting("1 or more"));
    }
    let contacts = PreparedTrace::new(trace, rounds.0).filter(|contacts| contacts.end <= MAX_COUNT);
    let contacts = contacts.ok_or_else(|| {
        let message = format!("{} rounds for each step of the trace are too many rounds in total", rounds.0);
        document.error(place, message).accepting(format!("at most {MAX_COUNT} rounds in all"))
    })?;
    Ok(InteractionGraph::Contacts(contacts))
}

impl Maker {
    /// Generates the walk for the check of the plan; errors point at the fields of the scenario.
    fn walk(&self, document: &Document, seed: u64) -> Result<InteractionGraph, DocumentError> {
        let Self::Walkers { model, rounds_per_step } = self else { unreachable!("only walkers walk") };
        let trace = random_waypoint(model, seed);
        let trace = trace.map_err(|error| topology::refused(document, "walkers", &error))?;
        played(document, &trace, Count(*rounds_per_step))
    }
}

fn walkers(
    document: &Document,
    topology: &TopologySource,
    room: RunMemory,
) -> Result<(Maker, Option<u64>), DocumentError> {
    let TopologySource::Mobility { nodes, side, range, speed, pause, step, duration, rounds_per_step, seed } =
        topology
    else {
        unreachable!("called for walkers only")
    };
    let whole = |place: &str, seconds: Positive, most: f64| {
        if seconds.0.fract() == 0.0 && seconds.0 <= most {
            return Ok(seconds.0 as u64);
        }
        let message = format!("{} seconds", seconds.0);
        Err(document.error(place, message).accepting(format!("whole seconds from 1 to {most}")))
    };
    let step = whole("topology.step", *step, f64::from(u32::MAX))?;
    let duration = whole("topology.duration", *duration, acrasin_graphs::limits::SECONDS_MAX as f64)?;
    let model = RandomWaypoint {
        nodes: nodes.0,
        side: side.0,
        speed: (speed.0.0, speed.1.0),
        pause: pause.0,
        range: range.0,
        step: step as u32,
        duration,
    };
    let pairs_in_range = model.nodes as f64 * (model.range / model.side).powi(2).min(1.0) * 3.2;
    let nodes = u128::from(model.nodes);
    let edges = nodes.saturating_mul(pairs_in_range as u128);
    RunSize { nodes, edges, ports: 1, state: 8, changes: 0 }.check(document, room)?;
    Ok((Maker::Walkers { model, rounds_per_step: rounds_per_step.0 }, seed.map(|seed| seed.0)))
}
