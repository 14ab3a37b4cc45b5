//! Reconfigurable circuits and joint movements of amoebots on the triangular lattice.
//!
//! A round has two halves. In the movement half amoebots release and mark bonds, and all movements happen jointly
//! ([`joint`]). In the beep half amoebots wire their pins into sets and beep on them; a beep is heard on its whole
//! circuit ([`circuit`]). An algorithm is a [`RoundTable`]: it defines for each round what an amoebot sends, and how it
//! processes what it receives. [`CircuitRun`] executes it, and [`library`] contains algorithms of the literature.
//!
//! ```
//! use acrasin_circuits::library::Election;
//! use acrasin_circuits::{CircuitRun, CircuitStructure, Coins};
//! use acrasin_amoebot::{Cell, Direction, start};
//!
//! let cells = start::line(Cell::ORIGIN, Direction::East, 8)?;
//! let structure = CircuitStructure::contracted(&cells, 1)?;
//! let mut run = CircuitRun::new(structure, Election { repetitions: 3 }, Coins::keyed(7))?;
//! while run.round()? {}
//! assert_eq!(run.memories().iter().filter(|amoebot| amoebot.is_candidate).count(), 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Sources: Feldmann, Padalkin, Scheideler, Dolev, *Coordinating amoebots via reconfigurable circuits* (JCB 2022);
//! Padalkin, Scheideler, Warner (DNA 28, 2022); Padalkin, Kumar, Scheideler, *Reconfiguration and locomotion with joint
//! movements in the amoebot model* (Auton. Robots 2025). Where the papers leave a choice, the documentation of the
//! module states ours.

pub mod catalogue;
pub mod circuit;
pub mod demands;
mod interruption;
pub mod joint;
pub mod library;
pub mod process;
pub mod round;
pub mod structure;
pub mod table;

pub use circuit::{BeepPlan, CircuitView, Circuits, Pin, PinSet};
pub use demands::{Demands, FrameDemand};
pub use joint::{BondOwner, JointAction, JointConflict, JointMove, JointPlan};
pub use process::{CircuitProcess, CircuitResult, Oracle};
pub use round::{
    CircuitRun, CoinToss, CoinTrouble, Coins, HalfFigures, Halves, Losses, RoundTable, RunTrouble, Seat,
};
pub use structure::{CircuitStructure, PINS_MAX, StructureError};
