//! Edges in arrays of numpy.

use numpy::{Element, PyReadonlyArray2, PyUntypedArrayMethods as _};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// Edges as two columns of node numbers, in any layout.
///
/// They are read where they are, once, into the array of an engine. An engine has its own since an array can be changed
/// while a run goes on without the interpreter's lock.
#[derive(FromPyObject)]
pub(crate) enum EdgeArray<'py> {
    U32(PyReadonlyArray2<'py, u32>),
    I32(PyReadonlyArray2<'py, i32>),
    I64(PyReadonlyArray2<'py, i64>),
    U64(PyReadonlyArray2<'py, u64>),
}

impl EdgeArray<'_> {
    /// Calls `with` on the pairs. A number below 0, or of more than 32 bits, is [`u32::MAX`], which is no node either.
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
