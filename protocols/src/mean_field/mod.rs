//! The limit of many agents: shares follow differential equations.
//!
//! For n agents under uniform pairs the shares are counts / n; in a vessel of volume V they are counts / V. The shares
//! stay close to the solution of the mass-action equations
//! ([`ReactionNetwork::drift`](crate::reactions::ReactionNetwork::drift)). The distance is about 1 / sqrt(n), up to any
//! fixed time (Kurtz 1970).
//!
//! ```
//! use acrasin_protocols::mean_field::MeanField;
//! use acrasin_protocols::reactions::ReactionNetwork;
//! use acrasin_protocols::{Table, library::TwoWayEpidemic};
//!
//! // Of a thousandth of the agents who are infected at first: x' = 2 x (1 - x) in parallel time.
//! let table = Table::compile(&TwoWayEpidemic)?;
//! let infected = usize::from(table.state("I").unwrap());
//! let mut shares = [0.999, 0.999];
//! shares[infected] = 0.001;
//! let mut limit = MeanField::new(&ReactionNetwork::from_table(&table), &shares, 1e-12);
//! limit.advance(4.0);
//! let exact = 1.0 / (1.0 + 999.0 * (-8.0_f64).exp());
//! assert!((limit.shares()[infected] - exact).abs() < 1e-8);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | module | what |
//! |---|---|
//! | `solution` | the shares over time, and events |
//! | `equations` | the differential equations, and the parts that both kinds of steps share |
//! | `explicit` | one step of the method of Dormand and Prince, and a test for stiffness |
//! | `implicit` | one step of a Rosenbrock method, for stiff equations |
//! | `elimination` | the linear equations of an implicit step: sparse elimination in a fixed order |
//!
//! The implicit steps are implemented here because a step must be interruptible: with thousands of species one
//! factorisation can take seconds. Solvers from libraries cannot be interrupted inside a factorisation, and they use
//! dense matrices.

mod elimination;
mod equations;
mod explicit;
mod implicit;
mod solution;

pub use equations::Unreached;
pub use solution::MeanField;
