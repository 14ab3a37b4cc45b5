//! The extension module of the Python package `acrasin`: populations, checks and scenarios of the workspace as classes.
//!
//! States are numbers here; what they are called, rules, histories and pictures are in Python, in `acrasin/`. No loop
//! of a simulation holds the lock of the interpreter; every run looks up for Ctrl-C some times a second, and what it
//! comes to does not depend on when.

// What Python hands over is owned by the call.
#![allow(clippy::needless_pass_by_value)]

mod arcs;
mod catalogue;
mod check;
mod ctrl_c;
mod draws;
mod edges;
mod engine;
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

use acrasin_scenario::Catalogue;
use pyo3::prelude::*;
use pyo3::wrap_pyfunction;

/// Fills an extension module with all that the Python package stands on; its scenarios can name what is in `catalogue`.
///
/// A library with engines of its own calls this in its own module, and a program puts that module in the place of
/// `acrasin._acrasin` before it imports `acrasin`: see `examples/own_engine.rs` beside this crate's manifest.
///
/// # Errors
///
/// A module of this library is filled already.
pub fn fill(module: &Bound<'_, PyModule>, catalogue: Catalogue) -> PyResult<()> {
    catalogue::set(catalogue)?;
    module.add_class::<arcs::ArcPopulation>()?;
    module.add_class::<graph::GraphPopulation>()?;
    module.add_class::<lazy::LazyPopulation>()?;
    module.add_class::<met::Met>()?;
    module.add_class::<population::Population>()?;
    module.add_class::<scenario::Run>()?;
    module.add_class::<scenario::Scenario>()?;
    module.add_class::<table::Table>()?;
    module.add_class::<vessel::Vessel>()?;
    module.add_function(wrap_pyfunction!(check::check, module)?)?;
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
