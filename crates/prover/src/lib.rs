//! Proofs about every population size.
//!
//! [`prove`] tries to decide whether a protocol on the complete graph is correct for every input of two or more agents.
//! It returns a certificate that an independent program checks, a counterexample, or the question that stayed open.
//!
//! A wrong end is a bottom component of the configuration graph that contains a wrong configuration. The search assumes
//! one and collects knowledge about it, a *stage*: the transitions that may be live, the empty states and the occupied
//! states. Steps show that transitions die out. Splits distinguish whether a state whose count is constant is occupied.
//! Linear arithmetic over the inputs and the flow of transitions refutes the leaves, refined by traps, siphons, entries
//! and exits.
//!
//! | module | contents |
//! |---|---|
//! | `system` | [`SizedClaim`]: states that can occur, transitions on multisets, goal |
//! | `stage` | a stage, and the steps that need no query: closing, ranks, layers, sequences |
//! | `layer` | sets of transitions that die out |
//! | `constraints` | the constraint system of a side, and disjunctions in force |
//! | `simplex` | the exact dual simplex, Farkas factors, cuts modulo prime powers |
//! | `search` | case distinctions with look-ahead, cuts, candidates |
//! | `exploration` | exhaustive exploration of single inputs |
//! | `tree` | the tree of stages |
//! | `proof`, `certificate`, `format` | proofs with unique labels, their JSON, and its formats |
//! | `prove` | verdicts, and the smallest counterexample |
//! | `verified` | claims and counterexamples of the exhaustive check, open questions in words |
//! | `stack` | [`on_large_stack`]: a thread for the search |
//! | `stabilisation`, `bound` | upper bounds on the expected number of interactions |
//! | `fault` | faults that tests plant |
//!
//! The method combines layered termination (Blondin, Esparza, Jaax, Meyer, PODC 2017), stage graphs (Blondin, Esparza,
//! Kucera, CONCUR 2018) and Presburger stage graphs (Blondin, Esparza, Helfrich, Kucera, Meyer, CAV 2020).

mod bound;
mod certificate;
mod constraints;
mod exploration;
mod fault;
#[cfg(test)]
mod faulty_search;
mod format;
mod layer;
mod proof;
mod prove;
mod search;
mod simplex;
mod stabilisation;
mod stack;
mod stage;
mod system;
mod tree;
mod verified;
mod work;

// Rows of the corpus name the crate as other crates do.
#[cfg(test)]
extern crate self as acrasin_prover;
#[cfg(test)]
#[path = "../tests/rows.rs"]
#[allow(dead_code, unreachable_pub, reason = "shared with integration tests")]
mod rows;

pub use bound::{BoundGrowth, InteractionBound};
pub use exploration::WrongEnd;
pub use format::CertificateFormat;
pub use prove::{
    EverySize, EverySizeProof, EverySizeReport, OpenQuestion, ProofLimits, SmallerPopulations,
    WrongPopulation, covers_an_input, prove,
};
pub use stabilisation::interaction_bound;
pub use stack::on_large_stack;
pub use system::{ClaimPart, MultisetTransition, SizedClaim, SizedGoal};
pub use work::ReachedLimit;
