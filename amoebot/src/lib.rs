//! The canonical amoebot model on the triangular lattice, one amoebot acting at a time.
//!
//! Amoebots are anonymous machines with little memory. Each occupies one node of the triangular lattice or two adjacent
//! ones, sees its neighbours through ports, and moves by expanding, contracting, and handing nodes over (Daymude, Richa,
//! Scheideler, "The canonical amoebot model", DISC 2021). This crate has the model with its operations and their
//! failures, algorithms written as `label : guard -> operations`, sequential runs, and the exhaustive exploration of all
//! sequential schedules of small systems, and the concurrency framework that runs the same algorithms concurrently.
//!
//! ```
//! use acrasin_amoebot::execution::{Execution, Uniform};
//! use acrasin_amoebot::{Cell, Direction, Hexagon, start};
//! use acrasin_runtime::{FixedProbability, Seeded};
//!
//! // Thirty amoebots that hang together somehow gather round the first one.
//! let mut choices = Seeded::new(2021);
//! let acceptance = FixedProbability::new(0.8).expect("a probability");
//! let blob = start::blob(Cell::ORIGIN, 30, acceptance, &mut choices)?;
//! let mut execution = Execution::new(&Hexagon, Hexagon::start(&blob, 0, &[])?);
//! assert!(execution.run(1_000_000, &mut Uniform, &mut choices));
//!
//! let mut hexagon = start::spiral(Cell::ORIGIN, Direction::East, 30)?;
//! hexagon.sort();
//! assert_eq!(execution.system().cells(), hexagon);
//! println!("{} rounds, {} moves", execution.counts().rounds, execution.counts().moves);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Modules
//!
//! | module | what |
//! |---|---|
//! | [`lattice`], [`shape`] | cells and directions; sets of cells up to translation: connectivity, holes, all of n cells |
//! | [`orientation`], [`body`] | how an amoebot names directions; its nodes and ports |
//! | [`system`], [`operation`] | the amoebots on the lattice; Connected, Read, Write, Contract, Expand, Pull, Push |
//! | [`algorithm`] | the trait of algorithms, what an amoebot sees, what an action does |
//! | [`hexagon`] | hexagon formation |
//! | [`basic_shape`] | line, hexagon, triangle |
//! | [`erosion`] | leader election by erosion |
//! | [`token_election`] | leader election by tokens that travel round the boundaries |
//! | [`forest`] | spanning forest |
//! | [`forest_walk`] | a spanning forest that moves: the root walks a path, and may swap roles with who is in its way |
//! | [`forest_repair`] | after crashes the cut off join other trees |
//! | [`maximal_independent_set`] | maximal independent set, a pure test of locks |
//! | [`chirality`] | a seed spreads its way round |
//! | [`boundary`] | outer boundary or hole, by the sum of turns |
//! | [`binary_counter`] | a chain counts up and down, and knows zero |
//! | [`energy_sharing`] | a few harvest energy, and all get to spend it |
//! | [`energy_distribution`] | any algorithm, paid for with energy that a few harvest |
//! | [`coating`] | everybody comes to stand beside an object |
//! | [`universal_coating`] | everybody comes to stand round an object in full layers |
//! | [`compression`] | chain M: amoebots gather or spread at random, with a known stationary law |
//! | [`local_compression`] | algorithm A: the same by amoebots that act on their own |
//! | [`separation`] | chain M with colours: amoebots gather by colour, or mix |
//! | [`bridging`] | chain M between anchors, over land and a gap: a bridge as a shortcut |
//! | [`execution`], [`enabled`] | one amoebot at a time: uniform, round robin, adversary; rounds and counts |
//! | [`fairness`] | unfair, weakly and strongly fair as values; which concurrency and which fairness is which type |
//! | [`memory`], [`erased`] | public and private memory; algorithms whose type is not known when a program is compiled |
//! | [`concurrent`] | the concurrency framework: the same algorithms, everybody at the same time, with locks |
//! | [`conditions`] | whether an algorithm meets the conventions that the framework asks for |
//! | [`simultaneous`] | several act in one step, without locks: synchronous, k-isolated; all runs of small systems |
//! | [`parallel`] | waves of disjoint lock sets on every core |
//! | [`mod@explore`] | every sequential schedule of small systems |
//! | [`start`] | where amoebots stand at the start: line, hexagon, spiral, ring, blob; drawn in a text file |
//! | [`picture`] | a configuration as SVG or TikZ |
//!
//! Start with [`Algorithm`] to write an algorithm, with [`hexagon`] to see one.

pub mod algorithm;
pub mod basic_shape;
pub mod binary_counter;
pub mod body;
pub mod boundary;
pub mod bridging;
pub mod chirality;
pub mod coating;
pub mod compression;
pub mod concurrent;
pub mod conditions;
pub mod enabled;
pub mod energy_distribution;
pub mod energy_sharing;
pub mod erased;
pub mod erosion;
pub mod execution;
pub mod explore;
pub mod fairness;
pub mod forest;
pub mod forest_repair;
pub mod forest_walk;
pub mod hexagon;
pub mod lattice;
pub mod local_compression;
pub mod maximal_independent_set;
pub mod memory;
mod object;
mod occupancy;
pub mod operation;
pub mod orientation;
pub mod parallel;
pub mod picture;
pub mod separation;
pub mod shape;
pub mod simultaneous;
pub mod start;
pub mod system;
pub mod token_election;
pub mod universal_coating;
#[cfg(feature = "workload")]
pub mod workload;

pub use algorithm::{ActionError, Algorithm, Effects, Neighbour, Order, View, enabled_actions};
pub use basic_shape::BasicShape;
pub use binary_counter::BinaryCounter;
pub use body::{Body, End, Port};
pub use boundary::Boundary;
pub use bridging::Bridging;
pub use chirality::ChiralityAgreement;
pub use coating::Coating;
pub use compression::Chain;
pub use conditions::Convention;
pub use enabled::EnabledSet;
pub use energy_distribution::EnergyDistribution;
pub use energy_sharing::EnergySharing;
pub use erosion::Erosion;
pub use execution::{Activated, Activation, Counts, Execution};
pub use explore::{Exploration, explore};
pub use fairness::{Fair, Fairness};
pub use forest::Forest;
pub use forest_repair::ForestRepair;
pub use forest_walk::ForestWalk;
pub use hexagon::Hexagon;
pub use lattice::{Cell, Direction, Rotation};
pub use local_compression::LocalCompression;
pub use maximal_independent_set::MaximalIndependentSet;
pub use memory::Split;
pub use operation::{Movement, OperationError};
pub use orientation::{Chirality, Orientation};
pub use separation::Separation;
pub use shape::Shape;
pub use system::{Amoebot, Configuration, System, SystemError};
pub use token_election::TokenElection;
pub use universal_coating::UniversalCoating;

/// The text of `scenarios/hexagon-messages.ron`: hexagon formation with locks by message passing. Part of the program, so that it runs without a file.
pub const HEXAGON_MESSAGES: &str = include_str!("../scenarios/hexagon-messages.ron");

/// Maps keep no order that a result could depend on, and start from the same state everywhere.
pub(crate) type FixedHasher = std::hash::BuildHasherDefault<std::hash::DefaultHasher>;
