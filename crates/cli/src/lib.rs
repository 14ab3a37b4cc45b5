//! The `acrasin` command: a scenario file in, a record out.
//!
//! Runs are implemented in other crates: `acrasin-scenario` reads and runs scenarios, `acrasin-report` formats the
//! results. Only this crate has a clock, threads, files, a terminal and a user who presses Ctrl-C.
//!
//! | module | contents |
//! |---|---|
//! | [`command`] | commands with their help texts, and their execution |
//! | [`arguments`] | values of flags, and the flags of `run` and `replay` |
//! | [`duration`] | `10s`, `1h30m` |
//! | [`scenarios`] | scenarios that are part of the program |
//! | `run`, `batch` | `acrasin run`: the command; its repetitions on threads |
//! | `run_of_ranks`, `rank_before_run` | `acrasin run` over ranks |
//! | `sweep` | `acrasin sweep` |
//! | `plot` | `acrasin plot` |
//! | `replay` | `acrasin replay` |
//! | `check` | `acrasin check` |
//! | `swarm` | `acrasin swarm` |
//! | `bench` | `acrasin bench` |
//! | `conform` | `acrasin conform` |
//! | [`list`] | `acrasin list` |
//! | `pages` | `acrasin completions`, `acrasin man` |
//! | `supervisor`, `progress`, `interrupt` | control of runs: time, progress bar, Ctrl-C and other signals |
//! | `checkpoint` | checkpoints of a run, and continuing a run from one |
//! | `stream`, `pending_write` | output into pipes, which can wait for its reader |
//! | `setup` | the set-up of a run, which Ctrl-C and `--max-time` can also end |
//! | `machine` | commit, processor, threads, time |
//! | `memory` | the memory limit of this process |
//! | `destination` | folders of results, under the rules of [`acrasin_output`] |
//! | `folder`, `recording` | results of runs that appear only when they are complete |
//! | `counts` | the counts of all repetitions in one file |
//! | `output` | standard output and standard error |
//! | [`failure`] | errors that end a command |
//! | `program` | the command as a program: [`main`] |
//!
//! # Exit codes
//!
//! 0 done, 1 failed or property violated, 2 usage or bad file, 3 budget ran out first, 130 interrupted. Several
//! repetitions give the most urgent code: interrupted, then failed, then budget.
//!
//! # What is printed where
//!
//! Results go to standard output; seed, notes, progress and errors to standard error. In the formats `csv` and
//! `jsonl` standard output depends only on version, commit, scenario and seed: it is the same for any number of
//! threads, on any machine. Threads, processor and times are in the `table` format, in `record.txt` of an output
//! folder, on standard error, and with `--verbose` in every format.

pub mod arguments;
mod batch;
mod bench;
mod check;
mod checkpoint;
pub mod command;
mod conform;
mod counts;
mod destination;
pub mod duration;
mod estimate;
pub mod failure;
mod folder;
mod interrupt;
pub mod list;
mod machine;
mod memory;
mod output;
mod pages;
mod pending_write;
mod pictures;
mod plot;
mod program;
mod progress;
mod rank_before_run;
mod recording;
mod replay;
mod run;
mod run_of_ranks;
pub mod scenarios;
mod setup;
mod shown_input;
mod stream;
mod supervisor;
mod swarm;
mod sweep;
mod view;

pub use command::{Arguments, execute, execute_over_ranks};
pub use failure::Failure;
pub use program::{main, main_over_ranks};
