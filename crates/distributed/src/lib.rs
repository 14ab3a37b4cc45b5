//! acrasin over many machines: sweeps whose runs are made by ranks of MPI, and runs that ranks make together.
//!
//! ```text
//! mpirun -n 4 acrasin-mpi sweep scenario.ron --reps 10000 -o rows.jsonl
//! mpirun -n 4 acrasin-mpi run torus.ron
//! ```
//!
//! This crate only connects processes. The code that sends and receives is in `acrasin-cli` (sweeps) and
//! `acrasin-protocols` (strips of a torus). It is written for any [`Ranks`](acrasin_process::Ranks), and is tested
//! there without MPI. `MpiRanks` implements the trait with the MPI library of the machine, through the crate `mpi`.
//!
//! The feature `mpi` compiles `MpiRanks` and the command `acrasin-mpi`. It needs Open MPI or MPICH with headers, and
//! libclang: on Debian the packages `libopenmpi-dev`, `openmpi-bin` and `libclang-dev`.

#[cfg(feature = "mpi")]
mod mpi_ranks;

#[cfg(feature = "mpi")]
pub use mpi_ranks::{MpiError, MpiRanks, abort};
