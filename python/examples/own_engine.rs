//! The extension module with an external engine in its catalogue. Programs use it in place of `acrasin._acrasin`.

#[path = "../../crates/scenario/tests/clockwork.rs"]
mod clockwork;

use acrasin_scenario::Catalogue;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

#[pymodule]
fn own_engine(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let catalogue = Catalogue::shipped().with_lazy_protocol(clockwork::ENTRY);
    _acrasin::fill(module, catalogue.map_err(|taken| PyValueError::new_err(taken.to_string()))?)
}
