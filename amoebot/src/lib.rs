//! The canonical amoebot model on the triangular lattice, one amoebot acting at a time.
//!
//! Amoebots are anonymous machines with little memory. Each amoebot occupies one node of the triangular lattice or two
//! adjacent nodes, sees its neighbours through ports, and moves by expansions, contractions and handovers. The model is
//! that of Daymude, Richa and Scheideler ("The canonical amoebot model", DISC 2021). This crate contains the model with
//! its operations and their failures, and algorithms written as `label : guard -> operations`. It runs them
//! sequentially, explores all sequential schedules of small systems, and runs the same algorithms concurrently in the
//! concurrency framework.
//!
//! ```
//! use acrasin_amoebot::run::execution::{SequentialExecution, Uniform};
//! use acrasin_amoebot::{Cell, Direction, Hexagon, start};
//! use acrasin_runtime::{FixedProbability, Seeded};
//!
//! // Thirty connected amoebots gather around the first one.
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
//! | module | contents |
//! |---|---|
//! | [`model`] | the lattice, the amoebots on it, their operations |
//! | [`algorithm`] | the trait of algorithms, the view of an amoebot, the effects of an action |
//! | [`start`] | start configurations: line, hexagon, spiral, ring, blob, or drawn in a text file |
//! | [`library`] | the algorithms, one file or folder each |
//! | [`chain`] | compression, separation, bridging, phototaxis and foraging as Markov chains |
//! | [`run`] | execution drivers: sequential, in rounds, concurrent with locks, in waves on every core |
//! | [`check`] | exploration of every schedule of small systems |
//! | [`picture`] | configurations as SVG or TikZ |
//!
//! Start with [`Algorithm`] to write an algorithm, and with [`library::hexagon`] to see one.

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
    ActionError, ActionOrder, Algorithm, Convention, Effects, FailedAction, Looks, Neighbour, View,
    enabled_actions,
};
pub use chain::bridging::Bridging;
pub use chain::compression::Chain;
pub use chain::foraging::Foraging;
pub use chain::phototaxis::Phototaxis;
pub use chain::separation::Separation;
pub use check::{SequentialExploration, explore};
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
pub use model::body::{AmoebotPort, Body, End};
pub use model::id::AmoebotId;
pub use model::lattice::{Cell, Direction, Rotation};
pub use model::operation::{Movement, OperationError};
pub use model::orientation::{Chirality, Orientation};
pub use model::shape::Shape;
pub use model::system::{Amoebot, Configuration, System, SystemError};
pub use run::enabled::EnabledSet;
pub use run::execution::{Activated, Adversary, SequentialCounts, SequentialExecution};
pub use run::fairness::{Fair, Fairness};

/// The text of `scenarios/hexagon-messages.ron`: hexagon formation with locks by message passing. The text is compiled
/// into the program, so that the scenario runs without a file.
pub const HEXAGON_MESSAGES: &str = include_str!("../scenarios/hexagon-messages.ron");

/// A hasher without a random seed, because results must not depend on the process. The iteration order of such maps is
/// never used.
pub(crate) type FixedHasher = std::hash::BuildHasherDefault<std::hash::DefaultHasher>;
