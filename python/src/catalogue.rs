//! The catalogue of entries that scenarios can name.

use std::sync::OnceLock;

use acrasin_scenario::Catalogue;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

static CATALOGUE: OnceLock<Catalogue> = OnceLock::new();

/// The catalogue of this module: the built-in catalogue, unless another one was set.
pub(crate) fn catalogue() -> &'static Catalogue {
    CATALOGUE.get_or_init(Catalogue::shipped)
}

/// Sets the catalogue. A second call is an error.
pub(crate) fn set(catalogue: Catalogue) -> PyResult<()> {
    CATALOGUE.set(catalogue).map_err(|_| PyRuntimeError::new_err("the module is filled already"))
}
