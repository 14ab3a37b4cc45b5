//! What the Python package `acrasin` is built on: populations, checks and scenarios of the workspace as classes.
//!
//! States are numbers here; what they are called, rules, histories and pictures are in Python, in `acrasin/`. No loop of a
//! simulation holds the lock of the interpreter; every run looks up for Ctrl-C some times a second, and what it comes to
//! does not depend on when.

// What Python hands over is owned by the call.
#![allow(clippy::needless_pass_by_value)]

mod check;
mod ctrl_c;
mod draws;
mod edges;
mod goal;
mod graph;
mod lazy;
mod met;
mod population;
mod scenario;
mod table;
mod trials;

/// The extension module.
#[pyo3::pymodule]
mod _acrasin {
    #[pymodule_export]
    use super::check::check;
    #[pymodule_export]
    use super::graph::GraphPopulation;
    #[pymodule_export]
    use super::lazy::LazyPopulation;
    #[pymodule_export]
    use super::met::Met;
    #[pymodule_export]
    use super::population::Population;
    #[pymodule_export]
    use super::scenario::{Run, Scenario, arranged, playground};
    #[pymodule_export]
    use super::table::{Table, derived_seed};
    #[pymodule_export]
    use super::trials::trials;

    #[pymodule_export]
    const VERSION: &str = env!("CARGO_PKG_VERSION");
}
