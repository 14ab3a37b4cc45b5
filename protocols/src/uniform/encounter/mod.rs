//! Simulates interactions one by one, with features that the fast engines lack: edges with weights or directions,
//! contacts that appear and disappear, faults.
//!
//! | module | what | source |
//! |---|---|---|
//! | `population` | the agents, which interact one pair after another | |
//! | `meeting` | possible pairs: all agents, edges, contacts | |
//! | `alias` | edges drawn by their weights | Walker 1977, Vose 1991 |
//! | `contact` | edges that appear and disappear | |
//! | `fault` | crashes, churn, overwritten states, and their times | |
//! | `saved` | bytes from which a run continues | |

mod alias;
mod contact;
mod fault;
mod meeting;
mod population;
mod saved;

pub use contact::{ContactChange, ContactLaw, Contacts};
pub use fault::{Fault, FaultKind, FaultTiming};
pub use meeting::{Arc, InitiatorEnd};
pub use population::EncounterPopulation;
