//! The run itself.
//!
//! - `beginning.rs`: a run before its first turn: the world of a plan and a seed.
//! - `world.rs`: makes it; [`Plan::run`](super::Plan::run) and
//!   [`Plan::replay`](super::Plan::replay) begin here.
//! - `locked_process.rs`: what processes under locks have in common, on whatever rung; `locked.rs`: drives them.
//! - `algorithm.rs`: mutual exclusion algorithms, as runs, recordings and explorations know them.
//! - `turns.rs`: rung F4, turn by turn.
//! - `rounds.rs`: the rungs of whole rounds, F1 (`waves.rs`), F2 (`sliced.rs`) and F3 (`messages.rs`, with `changes.rs`
//!   for what happens to the graph); `round_figures.rs`: what stands in the record of the last two.
//! - `locked_stop.rs`: whether the run is at its end, asked between turns.
//! - `silence.rs`: whether nothing can change any more, at a bounded cost.
//! - `tally.rs`: counts by state, kept from what each critical section reports.
//! - `figures.rs`: what stands in the record.
//! - `again.rs`: a recorded run, applied again.
//! - `observers.rs`: what looks at every event of a world, in runs and in replays; `filmed.rs`: its film, node by node.
//! - `explored.rs`: every run at once.

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
