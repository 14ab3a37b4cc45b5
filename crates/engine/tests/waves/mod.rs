//! Waves equal the sequential order that they report, for every scheme, every number of threads, and against the
//! runtime.

mod fairness;
mod graphs;
mod orders;
mod random;
mod sections;
mod tables;
mod world;
