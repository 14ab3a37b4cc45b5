//! An algorithm as a table of actions: variables with finite types, and for each action a guard and effects as values. So a
//! file can hold an algorithm, and a new one needs no Rust.
//!
//! | module | what |
//! |---|---|
//! | [`written`] | what can be written, with names |
//! | `resolve` | names as positions, or why there is none |
//! | `memory` | the values of all variables |
//! | `evaluate` | guards, ports and effects over what an amoebot sees |
//! | [`algorithm`] | the algorithm, its starts and its goal |
//!
//! Every guard and every port of an action is evaluated over what the amoebot sees before the action, so the order of its
//! effects does not matter. An action has one movement at most. A table draws nothing.

pub mod algorithm;
mod evaluate;
mod memory;
mod resolve;
pub mod written;
