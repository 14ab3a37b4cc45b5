//! Population protocols and amoebot algorithms, run concurrently on a Lock/Unlock layer.
//!
//! Algorithms for sensors, molecules and programmable matter are designed as if one entity acted at a time. Real
//! entities act concurrently, exchange messages that take time, and move meanwhile. Local mutual exclusion (Daymude,
//! Richa, Scheideler, SAND 2022) bridges the gap. A node locks itself and the neighbours that stay connected, acts in
//! isolation, and unlocks. acrasin implements these locks message by message, with the models that run on them.
//!
//! It is a simulator and a checker for research: it runs on one machine, and its nodes are simulated. What a run shows
//! depends on how it was executed; each module says which claims it supports.
//!
//! This crate is the only dependency that a program needs:
//!
//! ```toml
//! [dependencies]
//! acrasin = { path = "…/crates/acrasin" }
//! ```
//!
//! # A population protocol
//!
//! Approximate majority, in the plain model: two agents at a time, uniformly drawn.
//!
//! ```
//! use acrasin::prelude::*;
//!
//! #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
//! enum Opinion { A, B, Undecided }
//!
//! struct Majority;
//!
//! impl Protocol for Majority {
//!     type State = Opinion;
//!     type Output = Opinion;
//!     fn transition(&self, initiator: Opinion, responder: Opinion) -> (Opinion, Opinion) {
//!         match (initiator, responder) {
//!             (Opinion::A, Opinion::B) | (Opinion::B, Opinion::A) => (initiator, Opinion::Undecided),
//!             (decided, Opinion::Undecided) => (decided, decided),
//!             pair => pair,
//!         }
//!     }
//!     fn output(&self, state: Opinion) -> Opinion { state }
//! }
//!
//! let agents = [vec![Opinion::A; 70], vec![Opinion::B; 30]].concat();
//! let mut population = UniformPairs::complete(&Majority, agents)?;
//! let agreed = population.run_until(1_000_000, &mut Seeded::new(1), |population| {
//!     population.states().windows(2).all(|pair| pair[0] == pair[1])
//! });
//! assert!(agreed && population.states()[0] == Opinion::A);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Concurrent interactions under locks
//!
//! [`LockLayer`](runtime::LockLayer) offers Lock and Unlock to a program.
//!
//! ```
//! use acrasin::prelude::*;
//!
//! let star = Topology::from_edges(4, 3, &[(0, 1), (0, 2), (0, 3)])?;
//! let mut layer = LockLayer::new(star, vec![1_u32, 10, 20, 30], 42);
//! layer.locked(NodeId(0), |held| {
//!     for port in held.ports().collect::<Vec<_>>() {
//!         let (own, neighbour) = held.pair_mut(port).expect("locked and connected");
//!         *own += std::mem::take(neighbour);
//!     }
//! })?;
//! assert_eq!(layer.states(), [61, 0, 0, 0]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Amoebots
//!
//! ```
//! use acrasin::amoebot::run::execution::{SequentialExecution, Uniform};
//! use acrasin::amoebot::{Cell, Direction, Hexagon, start};
//! use acrasin::runtime::Seeded;
//!
//! let line = start::line(Cell::ORIGIN, Direction::East, 19)?;
//! let mut execution = SequentialExecution::new(&Hexagon, Hexagon::start(&line, 0, &[])?);
//! assert!(execution.run(1_000_000, &mut Uniform, &mut Seeded::new(2021)));
//! println!("a hexagon after {} rounds", execution.counts().rounds);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Modules
//!
//! | module | contents |
//! |---|---|
//! | [`runtime`] | time-varying graphs, ports, messages, schedulers, lock algorithms, the Lock/Unlock layer |
//! | [`process`] | the interface between engines and drivers: progress, stop rules, endings |
//! | [`protocols`] | population protocols: the trait, tables, uniform pairs, exact chains, a library |
//! | [`amoebot`] | the canonical amoebot model, its algorithms, sequential and concurrent runs |
//! | [`explore`] | breadth-first search over all configurations of a model |
//! | [`engine`] | the same semantics on all cores |
//! | [`graphs`] | graph families, readers of files, contact traces, walkers |
//! | [`verify`] | exhaustive checks, properties, replays, conformance files |
//! | [`catalogue`] | entries that scenarios name, and their parameters |
//! | [`scenario`] | reads a RON file, plans it, runs the plan |
//! | [`report`] | records, statistics, tables, plots |
//! | `cli` | the `acrasin` command as a library (feature `cli`, on by default) |
//!
//! Read next: [`Protocol`](protocols::Protocol) to write a protocol, [`Algorithm`](amoebot::Algorithm) to write
//! an amoebot algorithm, [`runtime::lock`] for Lock and Unlock, [`runtime::exclusion`] for the lock algorithms.

pub use acrasin_amoebot as amoebot;
pub use acrasin_catalogue as catalogue;
#[cfg(feature = "cli")]
pub use acrasin_cli as cli;
pub use acrasin_engine as engine;
pub use acrasin_explore as explore;
pub use acrasin_graphs as graphs;
pub use acrasin_process as process;
pub use acrasin_protocols as protocols;
pub use acrasin_report as report;
pub use acrasin_runtime as runtime;
pub use acrasin_scenario as scenario;
pub use acrasin_verify as verify;

pub mod prelude;
