//! Files written by Python, under the rule of `acrasin_output`.

use std::path::PathBuf;

use acrasin_output::{OutputError, OutputFile};
use pyo3::prelude::*;

/// Converts to `OSError`, or to the subclass that says what exists at the path.
pub(crate) fn output_error(error: &OutputError) -> PyErr {
    std::io::Error::new(error.kind(), error.to_string()).into()
}

/// Writes texts to files. The files get their names when all of them are written; an existing file is replaced as a
/// whole.
#[pyfunction]
pub(crate) fn write_files(py: Python<'_>, files: Vec<(PathBuf, String)>) -> PyResult<()> {
    let write = || -> Result<(), OutputError> {
        let outputs =
            files.iter().map(|(path, _)| OutputFile::new(path, true)).collect::<Result<Vec<_>, _>>()?;
        let mut complete = Vec::with_capacity(outputs.len());
        for (output, (_, text)) in outputs.into_iter().zip(&files) {
            complete.push(output.written(text.as_bytes())?);
        }
        complete.into_iter().try_for_each(OutputFile::publish)
    };
    py.detach(write).map_err(|error| output_error(&error))
}
