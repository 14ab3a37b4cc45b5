//! Runs of a plan under locks.
//!
//! - `beginning.rs`: a prepared run: the world of a plan and a seed.
//! - `world.rs`: prepares runs; [`Plan::run`](super::Plan::run) and
//!   [`Plan::replay`](super::Plan::replay) start here.
//! - `locked_process.rs`: the common interface of processes under locks; `locked.rs`: drives them.
//! - `algorithm.rs`: requirements on mutual exclusion algorithms for runs, recordings and explorations.
//! - `turns.rs`: rung F4, turn by turn.
//! - `rounds.rs`: the rungs of whole rounds, F1 (`waves.rs`), F2 (`sliced.rs`) and F3 (`messages.rs`, with `changes.rs`
//!   for changes of the graph); `round_figures.rs`: sections of the records of F2 and F3.
//! - `locked_stop.rs`: the stop rule, evaluated between turns.
//! - `silence.rs`: detection of silence at a bounded cost.
//! - `tally.rs`: counts by state, updated by the reports of critical sections.
//! - `figures.rs`: sections of the record.
//! - `again.rs`: replay of a recorded run.
//! - `observers.rs`: observers of every event of a world, in runs and in replays; `filmed.rs`: films of a world.
//! - `explored.rs`: exploration of all runs.

mod again;
mod algorithm;
mod beginning;
mod changes;
mod explored;
mod figures;
mod filmed;
mod finality;
mod locked;
mod locked_process;
mod locked_stop;
mod messages;
mod observers;
mod round_figures;
mod rounds;
mod silence;
mod sliced;
mod tally;
mod turns;
mod waves;
mod world;
