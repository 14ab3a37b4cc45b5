//! What the Python package `acrasin` is built on: populations, checks and scenarios of the workspace as classes.
//!
//! States are numbers here; what they are called, rules, histories and pictures are in Python, in `acrasin/`. No loop of a
//! simulation holds the lock of the interpreter; every run looks up for Ctrl-C some times a second, and what it comes to
//! does not depend on when.

// What Python hands over is owned by the call.
#![allow(clippy::needless_pass_by_value)]

mod arcs;
mod check;
mod ctrl_c;
mod draws;
mod edges;
mod goal;
mod graph;
mod lazy;
mod met;
mod output;
mod population;
mod scenario;
mod shared;
mod table;
mod threads;
mod trials;
mod vessel;

/// The extension module.
#[pyo3::pymodule]
mod _acrasin {
    #[pymodule_export]
    use super::arcs::ArcPopulation;
    #[pymodule_export]
    use super::check::check;
    #[pymodule_export]
    use super::graph::GraphPopulation;
    #[pymodule_export]
    use super::lazy::LazyPopulation;
    #[pymodule_export]
    use super::met::Met;
    #[pymodule_export]
    use super::output::write_files;
    #[pymodule_export]
    use super::population::Population;
    #[pymodule_export]
    use super::scenario::{Run, Scenario, arranged, playground, run_all};
    #[pymodule_export]
    use super::table::{Table, derived_seed};
    #[pymodule_export]
    use super::trials::trials;
    #[pymodule_export]
    use super::vessel::Vessel;

    #[pymodule_export]
    const VERSION: &str = env!("CARGO_PKG_VERSION");

    #[pymodule_init]
    fn init(_module: &pyo3::Bound<'_, pyo3::types::PyModule>) -> pyo3::PyResult<()> {
        super::threads::note_importer();
        Ok(())
    }
}
