//! The algorithms: how each starts, what its goal is, how its states are called, what it needs.

use acrasin_amoebot::chain::bridging::landscape::Landscape;
use acrasin_amoebot::library::basic_shape::Form;
use acrasin_amoebot::library::boundary::Knowledge;
use acrasin_amoebot::library::token_election::{self, Role, Standing};
use acrasin_amoebot::library::{
    boundary, chirality, coating, erosion, forest, forest_walk, hexagon, local_compression,
    maximal_independent_set, universal_coating,
};
use acrasin_amoebot::{
    BasicShape, Boundary, Cell, ChiralityAgreement, Coating, Erosion, Forest, ForestWalk, Hexagon,
    LocalCompression, MaximalIndependentSet, Orientation, Shape, System, TokenElection, UniversalCoating,
};
use acrasin_report::record::{Figure, Section};
use acrasin_runtime::NodeId;

use super::erased::{AnySubject, any};
use super::given;
use super::scenario::{self, Algorithm, Powered};

/// Colours if nothing is written.
const COLOURS: u64 = 2;

/// Where and how amoebots start.
#[derive(Clone, Debug)]
pub(super) struct Ground {
    pub(super) cells: Vec<Cell>,
    pub(super) seed: usize,
    pub(super) orientations: Vec<Orientation>,
    /// What the amoebots stand on or beside; only coating knows one.
    pub(super) object: Vec<Cell>,
    /// Colours of separation that are written one by one.
    pub(super) colours: Option<Vec<u8>>,
    /// Land and gap; only bridging has them.
    pub(super) landscape: Option<Landscape>,
}

/// An algorithm as a scenario sees it.
pub(super) trait Subject:
    acrasin_amoebot::Algorithm<Memory: Send + Sync + 'static, Action: Send + Sync> + Sync
{
    /// The names of the states, at most eight.
    fn states(&self) -> &'static [&'static str];

    /// Whether a run can go on for ever, with probability 0.
    fn may_cycle(&self) -> bool {
        false
    }

    /// Everybody at the start, or why not, in a sentence that names the cells.
    fn start(&self, ground: &Ground) -> Result<System<Self::Memory>, String>;

    /// Whether the algorithm has done what it is for.
    fn is_finished(&self, system: &System<Self::Memory>) -> bool;

    /// The number of the state.
    fn state(&self, memory: &Self::Memory) -> usize;

    /// What is wrong in a system, if something is that should be at no moment. A check asks it of every state, with locks
    /// while nobody is inside an action; a run at the moments of its pictures and at the end, as it may take longer than
    /// the steps between two counts.
    fn fault(&self, _: &System<Self::Memory>) -> Option<String> {
        None
    }

    /// What else there is to say of a system at the end.
    fn further(&self, _: &System<Self::Memory>) -> Option<Section> {
        None
    }

    /// Bytes of a memory that do not lie in the system.
    fn bytes_owned(&self) -> usize {
        0
    }

    /// The same without its type.
    fn erased(&self) -> AnySubject<'_>
    where
        Self: Sized,
    {
        any(self)
    }
}

/// Does something with an algorithm, whichever it is.
pub(super) trait Visitor {
    type Output;

    fn visit<S: Subject>(self, subject: &S) -> Self::Output;
}

/// What an algorithm needs and does, apart from how.
#[derive(Clone, Copy, Debug)]
pub(super) struct Needs {
    pub(super) name: &'static str,
    /// One of the amoebots is special.
    pub(super) seed: bool,
    pub(super) common_chirality: bool,
    pub(super) terminates: bool,
    /// Amoebots look at their neighbours only, so that locks are enough.
    pub(super) local: bool,
}

impl Algorithm {
    pub(super) fn needs(&self) -> Needs {
        let needs = |name, seed, common_chirality| Needs {
            name,
            seed,
            common_chirality,
            terminates: true,
            local: true,
        };
        let endless = |name| Needs { terminates: false, local: false, ..needs(name, false, false) };
        match self {
            Self::Hexagon => needs("hexagon formation", true, true),
            Self::BasicShape { .. } => needs("basic shape formation", true, true),
            Self::Erosion => needs("leader election by erosion", false, false),
            Self::TokenElection => needs("token-based leader election", false, true),
            Self::Forest => needs("spanning forest", true, false),
            Self::ForestWalk { .. } => needs("spanning forest that moves", true, false),
            Self::MaximalIndependentSet => needs("maximal independent set", false, false),
            Self::ChiralityAgreement => needs("chirality agreement", true, false),
            Self::Boundary => needs("boundary detection", false, true),
            Self::Coating => needs("coating", false, true),
            Self::UniversalCoating => needs("universal coating", false, true),
            Self::BinaryCounter { .. } => needs("binary counter", false, false),
            Self::EnergySharing { .. } => {
                Needs { terminates: false, ..needs("energy sharing", false, false) }
            }
            Self::EnergyDistribution { algorithm, .. } => match algorithm {
                Powered::Hexagon => needs("hexagon formation with batteries", true, true),
                Powered::Erosion => needs("leader election by erosion with batteries", false, false),
            },
            Self::ForestRepair { .. } => needs("forest-prune-repair", true, false),
            Self::LocalCompression { .. } => endless("algorithm A of compression"),
            Self::Compression { .. } => endless("chain M of compression"),
            Self::Bridging { .. } => endless("chain M of shortcut bridging"),
            Self::Separation { .. } => endless("chain M of separation"),
        }
    }

    /// Whether there is an object.
    pub(super) fn coats(&self) -> bool {
        matches!(self, Self::Coating | Self::UniversalCoating)
    }

    /// How many colours amoebots can have; `None` if they have none.
    pub(super) fn colours(&self) -> Option<u64> {
        match self {
            Self::Separation { colours, .. } => Some(colours.map_or(COLOURS, |colours| *colours)),
            _ => None,
        }
    }

    /// Lets the visitor see the algorithm; `None` if it is a chain, which has no amoebots that act.
    ///
    /// What is run with many amoebots, or checked over many states, it sees with its type, the rest without: all that
    /// visitors do is compiled for each type.
    pub(super) fn visit<V: Visitor>(&self, visitor: V) -> Option<V::Output> {
        Some(match self {
            Self::Hexagon => visitor.visit(&Hexagon),
            Self::BasicShape { form } => visitor.visit(&BasicShape {
                form: match form {
                    scenario::Form::Line => Form::Line,
                    scenario::Form::Hexagon => Form::Hexagon,
                    scenario::Form::Triangle => Form::Triangle,
                },
            }),
            Self::Erosion => visitor.visit(&Erosion),
            Self::TokenElection => visitor.visit(&any(&TokenElection)),
            Self::Forest => visitor.visit(&any(&Forest)),
            Self::ForestWalk { path } => {
                visitor.visit(&any(&given::walk(path).expect("the plan has checked the path")))
            }
            Self::MaximalIndependentSet => visitor.visit(&MaximalIndependentSet),
            Self::ChiralityAgreement => visitor.visit(&any(&ChiralityAgreement)),
            Self::Boundary => visitor.visit(&any(&Boundary)),
            Self::Coating => visitor.visit(&Coating),
            Self::UniversalCoating => visitor.visit(&any(&UniversalCoating)),
            Self::BinaryCounter { value, operations } => {
                visitor.visit(&any(&given::counter(*value, operations)))
            }
            Self::EnergySharing { capacity, transfer, demand, sources } => {
                visitor.visit(&any(&given::sharing([*capacity, *transfer, *demand], sources.as_deref())))
            }
            Self::EnergyDistribution { algorithm, capacity, demand, sources } => {
                let rates = [*capacity, *demand];
                match algorithm {
                    Powered::Hexagon => {
                        visitor.visit(&any(&given::powered(Hexagon, rates, sources.as_deref())))
                    }
                    Powered::Erosion => {
                        visitor.visit(&any(&given::powered(Erosion, rates, sources.as_deref())))
                    }
                }
            }
            Self::ForestRepair { crashed } => visitor.visit(&any(&given::repair(crashed))),
            Self::LocalCompression { lambda } => {
                visitor.visit(&LocalCompression::new(**lambda).expect("a finite number above 0"))
            }
            Self::Compression { .. } | Self::Bridging { .. } | Self::Separation { .. } => return None,
        })
    }
}

const SHAPE_STATES: &[&str] = &["seed", "idle", "follower", "root", "retired"];

fn shape_state(memory: &hexagon::Memory) -> usize {
    match memory.state {
        hexagon::State::Seed => 0,
        hexagon::State::Idle => 1,
        hexagon::State::Follower => 2,
        hexagon::State::Root => 3,
        hexagon::State::Retired => 4,
    }
}

pub(super) fn words<T>(result: Result<T, impl std::fmt::Display>) -> Result<T, String> {
    result.map_err(|error| error.to_string())
}

impl Subject for Hexagon {
    fn states(&self) -> &'static [&'static str] {
        SHAPE_STATES
    }

    fn start(&self, ground: &Ground) -> Result<System<hexagon::Memory>, String> {
        words(Self::start(&ground.cells, ground.seed, &ground.orientations))
    }

    fn is_finished(&self, system: &System<hexagon::Memory>) -> bool {
        Self::is_finished(system)
    }

    fn state(&self, memory: &hexagon::Memory) -> usize {
        shape_state(memory)
    }
}

impl Subject for BasicShape {
    fn states(&self) -> &'static [&'static str] {
        SHAPE_STATES
    }

    fn start(&self, ground: &Ground) -> Result<System<hexagon::Memory>, String> {
        words(Self::start(&ground.cells, ground.seed, &ground.orientations))
    }

    fn is_finished(&self, system: &System<hexagon::Memory>) -> bool {
        Self::is_finished(system)
    }

    fn state(&self, memory: &hexagon::Memory) -> usize {
        shape_state(memory)
    }
}

impl Subject for Erosion {
    fn states(&self) -> &'static [&'static str] {
        &["null", "candidate", "eroded", "leader"]
    }

    fn start(&self, ground: &Ground) -> Result<System<erosion::Memory>, String> {
        words(Self::start(&ground.cells, &ground.orientations))
    }

    fn is_finished(&self, system: &System<erosion::Memory>) -> bool {
        Self::is_finished(system)
    }

    fn state(&self, memory: &erosion::Memory) -> usize {
        match memory {
            erosion::Memory::Null => 0,
            erosion::Memory::Candidate => 1,
            erosion::Memory::Eroded => 2,
            erosion::Memory::Leader => 3,
        }
    }
}

/// An amoebot has an agent for each gap in its neighbourhood; its state is that of the agent that is furthest.
impl Subject for TokenElection {
    fn states(&self) -> &'static [&'static str] {
        &["undecided", "follows", "revoked", "candidate", "alone round a hole", "leader"]
    }
    fn may_cycle(&self) -> bool {
        true
    }

    fn start(&self, ground: &Ground) -> Result<System<token_election::Memory>, String> {
        words(Self::start(&ground.cells, &ground.orientations))
    }

    fn is_finished(&self, system: &System<token_election::Memory>) -> bool {
        Self::is_finished(system)
    }

    fn state(&self, memory: &token_election::Memory) -> usize {
        let of = |agent: &token_election::Agent| match agent.role {
            Role::Unflipped | Role::Waiting => 0,
            Role::Member => 1,
            Role::Candidate(Standing::Revoked) => 2,
            Role::Candidate(Standing::Comparing | Standing::Tied { .. }) => 3,
            Role::Candidate(Standing::Inner) => 4,
            Role::Candidate(Standing::Leader) => 5,
        };
        memory.0.iter().map(of).max().unwrap_or(0)
    }
}

impl Subject for Forest {
    fn states(&self) -> &'static [&'static str] {
        &["idle", "root", "follower"]
    }

    fn start(&self, ground: &Ground) -> Result<System<forest::Memory>, String> {
        words(Self::start(&ground.cells, &[NodeId(ground.seed as u32)], &ground.orientations))
    }

    fn is_finished(&self, system: &System<forest::Memory>) -> bool {
        Self::is_finished(system)
    }

    fn state(&self, memory: &forest::Memory) -> usize {
        match memory {
            forest::Memory::Idle => 0,
            forest::Memory::Root => 1,
            forest::Memory::Follower { .. } => 2,
        }
    }
}

impl Subject for ForestWalk {
    fn states(&self) -> &'static [&'static str] {
        &["idle", "root", "follower"]
    }

    fn start(&self, ground: &Ground) -> Result<System<forest_walk::Memory>, String> {
        words(Self::start(self, &ground.cells, NodeId(ground.seed as u32), &ground.orientations))
    }

    fn is_finished(&self, system: &System<forest_walk::Memory>) -> bool {
        Self::is_finished(self, system)
    }

    fn state(&self, memory: &forest_walk::Memory) -> usize {
        match memory {
            forest_walk::Memory::Idle => 0,
            forest_walk::Memory::Root(_) => 1,
            forest_walk::Memory::Follower { .. } => 2,
        }
    }

    fn further(&self, system: &System<forest_walk::Memory>) -> Option<Section> {
        let root = Self::root(system)?;
        let mut section = Section::new("walk", "Walk");
        section.push(Figure::new("root", "the root is at", system.body(root).head().to_string()));
        Some(section)
    }
}

impl Subject for MaximalIndependentSet {
    fn states(&self) -> &'static [&'static str] {
        &["undecided", "joined", "dominated"]
    }

    fn start(&self, ground: &Ground) -> Result<System<maximal_independent_set::Memory>, String> {
        words(Self::start(&ground.cells, &ground.orientations))
    }

    fn is_finished(&self, system: &System<maximal_independent_set::Memory>) -> bool {
        Self::is_finished(system)
    }

    fn state(&self, memory: &maximal_independent_set::Memory) -> usize {
        match memory {
            maximal_independent_set::Memory::Undecided => 0,
            maximal_independent_set::Memory::Joined => 1,
            maximal_independent_set::Memory::Dominated => 2,
        }
    }
}

impl Subject for ChiralityAgreement {
    fn states(&self) -> &'static [&'static str] {
        &["undecided", "keeps", "mirrors"]
    }

    fn start(&self, ground: &Ground) -> Result<System<chirality::Memory>, String> {
        words(Self::start(&ground.cells, ground.seed, &ground.orientations))
    }

    fn is_finished(&self, system: &System<chirality::Memory>) -> bool {
        Self::is_finished(system)
    }

    fn state(&self, memory: &chirality::Memory) -> usize {
        match memory {
            chirality::Memory::Undecided => 0,
            chirality::Memory::Keep => 1,
            chirality::Memory::Mirror => 2,
        }
    }
}

/// An amoebot has an agent for each gap in its neighbourhood; its state is what its agents know together. One without a
/// gap has no agent, and knows nothing to the end.
impl Subject for Boundary {
    fn states(&self) -> &'static [&'static str] {
        &["knows nothing", "adds up", "outer", "hole", "outer and hole"]
    }

    fn start(&self, ground: &Ground) -> Result<System<boundary::Memory>, String> {
        words(Self::start(&ground.cells, &ground.orientations))
    }

    fn is_finished(&self, system: &System<boundary::Memory>) -> bool {
        Self::is_finished(system)
    }

    fn state(&self, memory: &boundary::Memory) -> usize {
        let has = |knowledge: Knowledge| memory.0.iter().any(|agent| agent.knowledge == knowledge);
        let adds = memory.0.iter().any(|agent| matches!(agent.knowledge, Knowledge::Turns(_)));
        match (has(Knowledge::Outer), has(Knowledge::Inner)) {
            (true, true) => 4,
            (false, true) => 3,
            (true, false) => 2,
            (false, false) => usize::from(adds),
        }
    }
}

impl Subject for Coating {
    fn states(&self) -> &'static [&'static str] {
        &["inactive", "follower", "leader", "leader with a complaint"]
    }

    fn start(&self, ground: &Ground) -> Result<System<coating::Memory>, String> {
        words(Self::start(&ground.cells, &ground.object, &ground.orientations))
    }

    fn is_finished(&self, system: &System<coating::Memory>) -> bool {
        Self::is_finished(system)
    }

    fn state(&self, memory: &coating::Memory) -> usize {
        match memory.state {
            coating::State::Inactive => 0,
            coating::State::Follower => 1,
            coating::State::Leader => 2 + usize::from(memory.complaint),
        }
    }
}

impl Subject for UniversalCoating {
    fn states(&self) -> &'static [&'static str] {
        &[
            "inactive",
            "follower",
            "leader",
            "layer 1, 5, ..",
            "layer 2, 6, ..",
            "layer 3, 7, ..",
            "layer 4, 8, ..",
            "on its way",
        ]
    }
    fn may_cycle(&self) -> bool {
        true
    }

    fn start(&self, ground: &Ground) -> Result<System<universal_coating::Memory>, String> {
        words(Self::start(&ground.cells, &ground.object, &ground.orientations))
    }

    fn is_finished(&self, system: &System<universal_coating::Memory>) -> bool {
        Self::is_finished(system)
    }

    fn state(&self, memory: &universal_coating::Memory) -> usize {
        match memory.state {
            universal_coating::State::Inactive => 0,
            universal_coating::State::Follower => 1,
            universal_coating::State::Walker => 7,
            universal_coating::State::Root => 3,
            universal_coating::State::Retired(_, universal_coating::Mark::Leader) => 2,
            universal_coating::State::Retired(place, _) => 3 + usize::from((place.layer + 3) % 4),
        }
    }
}

/// The flag of an expanded amoebot is its state. Its goal is never reached: compression goes on for ever.
impl Subject for LocalCompression {
    fn states(&self) -> &'static [&'static str] {
        &["flag down", "flag up"]
    }

    fn start(&self, ground: &Ground) -> Result<System<local_compression::Memory>, String> {
        words(Self::start(&ground.cells, &ground.orientations))
    }

    fn is_finished(&self, _: &System<local_compression::Memory>) -> bool {
        false
    }

    fn state(&self, memory: &local_compression::Memory) -> usize {
        usize::from(memory.flag)
    }

    fn fault(&self, system: &System<local_compression::Memory>) -> Option<String> {
        let tails = Shape::of(system.ids().map(|id| system.body(id).tail())).ok()?;
        let (parts, holes) = (tails.components(), tails.holes());
        (parts != 1 || holes != 0).then(|| {
            format!("with everybody at its tail there are {parts} connected parts and {holes} holes")
        })
    }
}
