//! Algorithms as tables of actions: variables with finite types, and for each action a guard and effects as data. A
//! scenario can thus define an algorithm in a file, without Rust code.
//!
//! | module | contents |
//! |---|---|
//! | [`written`] | the table as it is written, with names |
//! | `resolve` | names resolved to positions, with errors |
//! | `memory` | the values of all variables |
//! | `evaluate` | evaluation of guards, ports and effects on a view |
//! | [`algorithm`] | the algorithm, its starts and its goal |
//!
//! Every guard and every port of an action is evaluated on the view before the action, so the order of its
//! effects does not matter. An action has at most one movement. A table makes no random draws.

pub mod algorithm;
mod evaluate;
mod memory;
mod resolve;
pub mod written;
