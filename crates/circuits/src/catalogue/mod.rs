//! [`ENTRIES`]: the [library](crate::library) as entries of a catalogue of amoebot algorithms.
//!
//! An entry has typed parameters and constructs the algorithm for the start of a scenario. At the end it compares the
//! result with an oracle, which is computed from the start alone.
//!
//! | module | entries |
//! |---|---|
//! | `described` | the common part: pins, structure, process |
//! | `search` | breadth-first search and coordinates, for oracles and trees |
//! | `agreement` | elections, consensus, chirality, compass |
//! | `numbers` | arithmetic on chains, distances along a tree |
//! | `places` | boundaries, tours, shortest paths, half-planes, maxima, parallelograms |
//! | `movements` | rhombus, trains |
//! | `file` | algorithms from files |

mod agreement;
mod described;
mod file;
mod movements;
mod numbers;
mod places;
mod search;

use acrasin_amoebot::library::entry::AlgorithmEntry;

pub use file::of_table;

/// All entries, in display order.
pub const ENTRIES: [AlgorithmEntry; 14] = [
    agreement::ELECTION,
    agreement::CONSENSUS,
    agreement::CHIRALITY,
    agreement::COMPASS,
    numbers::DISTANCES,
    numbers::NUMBERS,
    places::BOUNDARIES,
    places::TOUR,
    places::SHORTEST_PATHS,
    places::SIDES,
    places::MAXIMA,
    places::PARALLELOGRAM,
    movements::RHOMBUS,
    movements::TRAIN,
];
