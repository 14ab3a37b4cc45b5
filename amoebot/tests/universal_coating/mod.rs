//! Universal coating against its oracles.

mod concurrently;
mod every_schedule;
mod larger_runs;
mod oracle;
mod starts;
mod traps;

mod second_layer;
