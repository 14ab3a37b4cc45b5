//! Known protocols, one file each, and the [`ProtocolCatalogue`] that finds them by name.
//!
//! Times in these files count interactions of the uniform scheduler: each is a uniformly random ordered pair of
//! distinct agents on the complete graph, n agents in all. H_k is the k-th harmonic number. "Symmetric" means that a
//! rule applies in either order. The formulas and values are checked against [`exact`](crate::exact) in
//! `tests/exact_values.rs` and `tests/catalogue`, which also show that wrong forms are rejected.
//!
//! [`JuntaLeader`], [`ClockedMajority`] and [`TwoHopColouring`] have too many states for a table. [`lazy`](crate::lazy)
//! runs them, and [`lazy_library`](crate::lazy_library) lists them by name instead of the catalogue here.

mod approximate_majority;
mod approximate_majority_one_way;
mod averaging;
mod cancel_split;
mod cancellation;
mod catalogue;
mod clocked_majority;
mod contest;
mod cyclic;
mod entry;
mod exact_majority;
mod flock_of_birds;
mod fratricide;
mod graph_leader;
mod graph_majority;
mod junta;
mod junta_clock;
mod junta_leader;
mod leader_clock;
mod loose_leader;
mod one_way_epidemic;
mod opinion;
mod proved;
mod ranking;
mod remainder;
mod size_estimation;
mod synthetic_coin;
mod threshold;
mod token_walk;
mod two_hop_colouring;
mod two_way_epidemic;
mod undecided_state;
mod voter;

pub use approximate_majority::ApproximateMajority;
pub use approximate_majority_one_way::ApproximateMajorityOneWay;
pub use averaging::Averaging;
pub use cancel_split::{CancelSplit, Share};
pub use cancellation::Cancellation;
pub use catalogue::ProtocolCatalogue;
pub use clocked_majority::{ClockedMajority, ClockedVote};
pub use contest::{Contest, Rival};
pub use cyclic::Cyclic;
pub use entry::{MakeProtocol, ProtocolEntry, ProtocolInstance};
pub use exact_majority::ExactMajority;
pub use flock_of_birds::FlockOfBirds;
pub use fratricide::{Fratricide, LeaderRole};
pub use graph_leader::{Candidate, Dye, GraphLeader};
pub use graph_majority::GraphMajority;
pub use junta::{Climber, Junta};
pub use junta_clock::{JuntaClock, Paced};
pub use junta_leader::{Elector, JuntaLeader, Toss};
pub use leader_clock::{Clocked, LeaderClock};
pub use loose_leader::{LooseLeader, TimedLeader};
pub use one_way_epidemic::{Health, OneWayEpidemic};
pub use opinion::{Opinion, OpinionToken, Ternary};
pub use proved::ProvedClaim;
pub use ranking::Ranking;
pub use remainder::{Remainder, Summed};
pub use size_estimation::{Estimate, SizeEstimation};
pub use synthetic_coin::SyntheticCoin;
pub use threshold::{Summand, Threshold};
pub use token_walk::TokenWalk;
pub use two_hop_colouring::{Coloured, TwoHopColouring};
pub use two_way_epidemic::TwoWayEpidemic;
pub use undecided_state::UndecidedState;
pub use voter::Voter;
