//! Each protocol of the library against its oracle, and a wrong form of it that the oracle rejects.

mod changed;
mod clocks;
mod deciding;
mod electing;
mod graphs;
mod large;
mod small;
mod wrong_forms;
