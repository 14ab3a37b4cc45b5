//! `acrasin-mpi` under `mpirun`: any number of ranks gives the files of one process.

#![allow(clippy::disallowed_types, reason = "a clock limits how long a test waits")]

mod job;
mod run;
mod sweep;
