//! The canonical amoebot model on the triangular lattice, one amoebot acting at a time.
//!
//! Amoebots are anonymous machines with little memory. Each occupies one node of the triangular lattice or two adjacent
//! ones, sees its neighbours through ports, and moves by expanding, contracting, and handing nodes over (Daymude, Richa,
//! Scheideler, "The canonical amoebot model", DISC 2021). This crate has the model with its operations and their
//! failures, algorithms written as `label : guard -> operations`, sequential runs, and the exhaustive exploration of all
//! sequential schedules of small systems, and the concurrency framework that runs the same algorithms concurrently.
//!
//! ```
//! use acrasin_amoebot::run::execution::{SequentialExecution, Uniform};
//! use acrasin_amoebot::{Cell, Direction, Hexagon, start};
//! use acrasin_runtime::{FixedProbability, Seeded};
//!
//! // Thirty connected amoebots gather round the first one.
//! let mut choices = Seeded::new(2021);
//! let acceptance = FixedProbability::new(0.8).expect("a probability");
//! let blob = start::blob(Cell::ORIGIN, 30, acceptance, &mut choices)?;
//! let mut execution = SequentialExecution::new(&Hexagon, Hexagon::start(&blob, 0, &[])?);
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
//! | [`model`] | the lattice, the amoebots on it, their operations |
//! | [`algorithm`] | the trait of algorithms, what an amoebot sees, what an action does |
//! | [`start`] | where amoebots stand at the start: line, hexagon, spiral, ring, blob; drawn in a text file |
//! | [`library`] | the algorithms, one file or folder each |
//! | [`chain`] | compression, separation, bridging, phototaxis and foraging as Markov chains |
//! | [`run`] | one amoebot at a time, in rounds, concurrently with locks, in waves on every core |
//! | [`check`] | every schedule of small systems |
//! | [`picture`] | a configuration as SVG or TikZ |
//!
//! Start with [`Algorithm`] to write an algorithm, with [`library::hexagon`] to see one.

pub mod algorithm;
pub mod chain;
pub mod check;
pub mod library;
pub mod model;
pub mod picture;
pub mod run;
pub mod start;

pub use algorithm::memory::Split;
pub use algorithm::{
    ActionError, Algorithm, Convention, Effects, FailedAction, Looks, Neighbour, Order, View, enabled_actions,
};
pub use chain::bridging::Bridging;
pub use chain::compression::Chain;
pub use chain::foraging::Foraging;
pub use chain::phototaxis::Phototaxis;
pub use chain::separation::Separation;
pub use check::{Exploration, explore};
pub use library::basic_shape::BasicShape;
pub use library::binary_counter::BinaryCounter;
pub use library::boundary::Boundary;
pub use library::chirality::ChiralityAgreement;
pub use library::coating::Coating;
pub use library::convex_hull::ConvexHull;
pub use library::energy_distribution::EnergyDistribution;
pub use library::energy_sharing::EnergySharing;
pub use library::erosion::Erosion;
pub use library::forest::Forest;
pub use library::forest_repair::ForestRepair;
pub use library::forest_walk::ForestWalk;
pub use library::hexagon::Hexagon;
pub use library::hole_elimination::HoleElimination;
pub use library::local_compression::LocalCompression;
pub use library::maximal_independent_set::MaximalIndependentSet;
pub use library::token_election::TokenElection;
pub use library::universal_coating::UniversalCoating;
pub use model::body::{Body, End, Port};
pub use model::id::AmoebotId;
pub use model::lattice::{Cell, Direction, Rotation};
pub use model::operation::{Movement, OperationError};
pub use model::orientation::{Chirality, Orientation};
pub use model::shape::Shape;
pub use model::system::{Amoebot, Configuration, System, SystemError};
pub use run::enabled::EnabledSet;
pub use run::execution::{Activated, Adversary, Counts, SequentialExecution};
pub use run::fairness::{Fair, Fairness};

/// The text of `scenarios/hexagon-messages.ron`: hexagon formation with locks by message passing. Part of the program, so that it runs without a file.
pub const HEXAGON_MESSAGES: &str = include_str!("../scenarios/hexagon-messages.ron");

/// Maps keep no order that a result could depend on, and start from the same state everywhere.
pub(crate) type FixedHasher = std::hash::BuildHasherDefault<std::hash::DefaultHasher>;
