//! The extension module of the Python package `acrasin`: populations, checks and scenarios of the workspace as classes.
//!
//! States are numbers here. The Python code in `acrasin/` contains their names, rules, histories and pictures. No
//! simulation loop holds the interpreter's lock. Every run checks for Ctrl-C several times per second. These checks do
//! not affect its result.

// Arguments from Python are owned by the call.
#![allow(clippy::needless_pass_by_value)]

mod arcs;
mod catalogue;
mod check;
mod ctrl_c;
mod draws;
mod edges;
mod engine;
mod every_size;
mod goal;
mod graph;
mod lazy;
mod output;
mod population;
mod rule_cache;
mod scenario;
mod shared;
mod table;
mod threads;
mod trials;
mod vessel;

use acrasin_scenario::Catalogue;
use pyo3::prelude::*;
use pyo3::wrap_pyfunction;

/// Fills an extension module with all classes and functions that the Python package needs. Its scenarios can use the
/// names in `catalogue`.
///
/// A library with its own engines calls this in its own module. A program installs that module as `acrasin._acrasin`
/// before it imports `acrasin`: see `examples/own_engine.rs` next to this crate's manifest.
///
/// # Errors
///
/// This function has already filled a module in this process.
pub fn fill(module: &Bound<'_, PyModule>, catalogue: Catalogue) -> PyResult<()> {
    catalogue::set(catalogue)?;
    module.add_class::<arcs::ArcPopulation>()?;
    module.add_class::<graph::PyGraphPopulation>()?;
    module.add_class::<lazy::PyLazyPopulation>()?;
    module.add_class::<rule_cache::RuleCache>()?;
    module.add_class::<population::PyPopulation>()?;
    module.add_class::<scenario::PyRun>()?;
    module.add_class::<scenario::PyScenario>()?;
    module.add_class::<table::PyTable>()?;
    module.add_class::<vessel::PyVessel>()?;
    module.add_function(wrap_pyfunction!(check::check, module)?)?;
    module.add_function(wrap_pyfunction!(every_size::prove_every_size, module)?)?;
    module.add_function(wrap_pyfunction!(output::keep_checkpoint, module)?)?;
    module.add_function(wrap_pyfunction!(output::read_checkpoint, module)?)?;
    module.add_function(wrap_pyfunction!(output::write_files, module)?)?;
    module.add_function(wrap_pyfunction!(scenario::arranged, module)?)?;
    module.add_function(wrap_pyfunction!(scenario::playground, module)?)?;
    module.add_function(wrap_pyfunction!(scenario::run_all, module)?)?;
    module.add_function(wrap_pyfunction!(table::derived_seed, module)?)?;
    module.add_function(wrap_pyfunction!(trials::trials, module)?)?;
    module.add("VERSION", env!("CARGO_PKG_VERSION"))?;
    threads::note_importer();
    Ok(())
}

/// The extension module of the package.
#[pymodule]
fn _acrasin(module: &Bound<'_, PyModule>) -> PyResult<()> {
    fill(module, Catalogue::shipped())
}
