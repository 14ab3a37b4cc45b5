//! Files that Python writes, under the rule of `acrasin_output`.

use std::path::PathBuf;

use acrasin_output::{OutputError, OutputFile};
use pyo3::prelude::*;

/// `OSError`, or the class below it that says what stands at the path.
pub(crate) fn output_error(error: &OutputError) -> PyErr {
    std::io::Error::new(error.kind(), error.to_string()).into()
}

/// Writes texts into files. Each gets its name when all of them are written; a file that is there is replaced as a
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
