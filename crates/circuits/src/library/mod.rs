//! Algorithms of the literature, as tables of rounds.
//!
//! | module | algorithm | frames | pins |
//! |---|---|---|---|
//! | `election` | leader election by coins, one lane | any | 1 |
//! | `fast_election` | leader election in a quarter of the rounds, four lanes | any | 7 |
//! | `consensus` | binary consensus | any | 3 |
//! | `pasc` | primary and secondary circuits: numbers along a chain or rooted tree | chirality | 2 |
//! | `chirality` | agreement on a chirality | any | 2 |
//! | `compass` | agreement on label 1 | chirality | 2 |
//! | `boundary` | outer and inner boundaries | chirality | 4 |
//! | `add` | sum and difference of numbers on a chain | chirality | 2 |
//! | `compare` | highest one and order of numbers | chirality | 2 |
//! | `multiply` | product of numbers | chirality | 2 |
//! | `divide` | quotient and remainder | chirality | 2 |
//! | `tour` | visits of an Euler tour along a tree; a root for an unrooted tree | chirality | 4 |
//! | `shortest_paths` | a shortest path tree in a structure without holes | common | 4 |
//! | `sides` | the line through an amoebot and the half-planes | common | 4 |
//! | `maxima` | the farthest amoebots in a direction | common | 4 |
//! | `parallelogram` | whether the structure is a parallelogram | common | 2 |
//! | `rhombus` | a line of 4^k folded into a rhombus | common | 3 |
//! | `trains` | rows, pump, worm and crawl: movements only | common | 0 |

mod add;
mod boundary;
mod chain;
mod chirality;
mod compare;
mod compass;
mod consensus;
mod divide;
mod election;
mod fast_election;
mod maxima;
mod multiply;
mod parallelogram;
mod pasc;
mod rhombus;
mod shortest_paths;
mod sides;
mod tour;
mod trains;
mod visit;

pub use add::{Addition, AdditionMemory, AdditionRound, ChainOperation};
pub use boundary::{BoundaryMemory, BoundaryPart, BoundaryRound, BoundaryTest};
pub use chain::NumberChain;
pub use chirality::{CircuitChirality, CircuitChiralityMemory, CircuitChiralityRound, RegionToss};
pub use compare::{ChainComparison, ChainComparisonMemory, ChainComparisonRound, ChainOrder};
pub use compass::{CircuitCompass, CompassMemory, CompassRound};
pub use consensus::{Consensus, ConsensusMemory};
pub use divide::{Division, DivisionMemory, DivisionRound};
pub use election::{Election, ElectionMemory, ElectionRound, Tossers};
pub use fast_election::{FastElection, FastElectionMemory};
pub use maxima::{GlobalMaxima, MaximaMemory, MaximaRound};
pub use multiply::{Multiplication, MultiplicationMemory, MultiplicationRound};
pub use parallelogram::{ParallelogramMemory, ParallelogramRound, ParallelogramTest};
pub use pasc::{Pasc, PascBits, PascMemory, PascRound};
pub use rhombus::{LineToRhombus, RhombusMemory, RhombusRound};
pub use shortest_paths::{ShortestPaths, ShortestPathsMemory, ShortestPathsRound};
pub use sides::{SidesMemory, SidesRound, SidesTest};
pub use tour::{RootedTour, RootedTourMemory, TourRound};
pub use trains::{Train, TrainMember, TrainMemory, TrainStep};
pub use visit::{LaneCrossing, Tour, Visit};
