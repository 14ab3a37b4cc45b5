//! Each protocol of the library against its oracle. The oracle must reject a wrong form of the protocol.

mod changed;
mod clocks;
mod deciding;
mod electing;
mod graphs;
mod large;
mod small;
mod wrong_forms;
