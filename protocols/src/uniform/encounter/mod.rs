//! One interaction after another, for whatever the fast engines lack: edges with weights or directions, contacts that
//! come and go, faults.
//!
//! | module | what | source |
//! |---|---|---|
//! | `population` | agents, one interaction after another | |
//! | `meeting` | possible pairs: all agents, edges, contacts | |
//! | `alias` | edges drawn by their weights | Walker 1977, Vose 1991 |
//! | `contact` | edges that come and go | |
//! | `fault` | crashes, churn, overwritten states, and when they happen | |

mod alias;
mod contact;
mod fault;
mod meeting;
mod population;

pub use contact::{ContactChange, ContactLaw, Contacts};
pub use fault::{Fault, FaultKind, When};
pub use meeting::{Arc, Direction};
pub use population::EncounterPopulation;
