//! Runs of a plan under locks.
//!
//! - `prepared_run.rs`: a prepared run: the world of a plan and a seed.
//! - `world.rs`: prepares runs; [`Plan::run`](super::Plan::run) and
//!   [`Plan::replay`](super::Plan::replay) start here.
//! - `locked_process.rs`: the common interface of processes under locks; `locked.rs`: drives them.
//! - `algorithm.rs`: requirements on mutual exclusion algorithms for runs, recordings and explorations.
//! - `world_run.rs`: rung F4, turn by turn.
//! - `rounds.rs`: the rungs of whole rounds: F1 in `waves.rs`, F2 in `sliced.rs`, F3 in `messages.rs`. `changes.rs`:
//!   changes of the graph on F3. `round_figures.rs`: sections of the records of F2 and F3.
//! - `locked_stop.rs`: the stop rule, evaluated between turns.
//! - `silence.rs`: detection of silence at a bounded cost.
//! - `state_counts.rs`: counts by state, updated by the reports of critical sections.
//! - `figures.rs`: sections of the record.
//! - `world_replay.rs`: replay of a recorded run.
//! - `observers.rs`: observers of every event of a world, in runs and in replays; `filmed.rs`: films of a world.
//! - `explored.rs`: exploration of all runs.

mod algorithm;
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
mod prepared_run;
mod round_figures;
mod rounds;
#[cfg(test)]
mod saved_runs;
mod silence;
mod sliced;
mod state_counts;
mod waves;
mod world;
mod world_replay;
mod world_run;
