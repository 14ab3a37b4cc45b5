//! Reads edges from numpy arrays.

use numpy::{Element, PyReadonlyArray2, PyUntypedArrayMethods as _};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// Edges as two columns of node numbers, in any memory layout.
///
/// The edges are copied once, directly from the numpy array into the array of an engine. The engine needs its own copy:
/// Python code can change an array while a run continues without the interpreter's lock.
#[derive(FromPyObject)]
pub(crate) enum EdgeArray<'py> {
    U32(PyReadonlyArray2<'py, u32>),
    I32(PyReadonlyArray2<'py, i32>),
    I64(PyReadonlyArray2<'py, i64>),
    U64(PyReadonlyArray2<'py, u64>),
}

impl EdgeArray<'_> {
    /// Calls `with` with an iterator over the edges. A number below 0 or above 32 bits becomes [`u32::MAX`], which
    /// callers refuse as an invalid node.
    ///
    /// # Errors
    ///
    /// `ValueError` if there are not two columns.
    pub(crate) fn read<T>(
        &self,
        with: impl FnOnce(&mut dyn ExactSizeIterator<Item = [u32; 2]>) -> T,
    ) -> PyResult<T> {
        match self {
            Self::U32(array) => pairs(array, with),
            Self::I32(array) => pairs(array, with),
            Self::I64(array) => pairs(array, with),
            Self::U64(array) => pairs(array, with),
        }
    }
}

fn pairs<N: Element + Copy + TryInto<u32>, T>(
    array: &PyReadonlyArray2<'_, N>,
    with: impl FnOnce(&mut dyn ExactSizeIterator<Item = [u32; 2]>) -> T,
) -> PyResult<T> {
    let shape = array.shape();
    if shape[1] != 2 {
        return Err(PyValueError::new_err(format!("edges of shape {shape:?} (accepted: (edges, 2))")));
    }
    let node = |number: N| number.try_into().unwrap_or(u32::MAX);
    Ok(with(&mut array.as_array().rows().into_iter().map(|row| [node(row[0]), node(row[1])])))
}
