//! Writes files for Python, with the guarantees of `acrasin_output`.

use std::path::PathBuf;

use acrasin_output::{Generation, Generations, OutputError, OutputFile, newest_generation};
use acrasin_process::CheckpointParts;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// Converts an output error to `OSError`, or to a subclass such as `FileExistsError` for the object at the path.
pub(crate) fn output_error(error: &OutputError) -> PyErr {
    std::io::Error::new(error.kind(), error.to_string()).into()
}

/// Writes texts to files. The files get their names only when all of them are written. An existing file is replaced as
/// a whole.
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

/// Writes a checkpoint of named parts. The previous checkpoint at the path becomes `PATH.previous`.
#[pyfunction]
pub(crate) fn keep_checkpoint(py: Python<'_>, path: PathBuf, parts: Vec<(String, Vec<u8>)>) -> PyResult<()> {
    let mut all = CheckpointParts::default();
    parts.into_iter().for_each(|(name, bytes)| all.push(&name, bytes));
    let keep = || {
        let head = all.head();
        let mut generations = Generations::new(&path, false, CheckpointParts::are_begun_by)?;
        generations.keep(std::iter::once(&head[..]).chain(all.bodies()))
    };
    py.detach(keep).map_err(|error| output_error(&error))
}

/// A part of a checkpoint; `None` if the checkpoint has no part of this name.
type Part = Option<Py<PyBytes>>;

/// Reads the named parts of a checkpoint. If the checkpoint is damaged, reads the previous one, and returns a note
/// about this as the second value.
#[pyfunction]
pub(crate) fn read_checkpoint(
    py: Python<'_>,
    path: PathBuf,
    names: Vec<String>,
) -> PyResult<(Vec<Part>, Option<String>)> {
    let decode = |file: &mut std::fs::File, length: u64| {
        CheckpointParts::read(file, length).map_err(|error| error.to_string())
    };
    let read = py.detach(|| newest_generation(&path, decode));
    let Generation { value: parts, passed_over } =
        read.map_err(|error| PyValueError::new_err(error.to_string()))?;
    let part = |name: &String| parts.part(name).map(|bytes| PyBytes::new(py, bytes).unbind());
    Ok((names.iter().map(part).collect(), passed_over))
}
