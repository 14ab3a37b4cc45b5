//! The `acrasin` command: a scenario file in, a record out.
//!
//! What a run is stands below: `acrasin-scenario` reads the file and runs it, `acrasin-report` prints what came of it.
//! This crate is what the rest of the workspace must not be: it has a clock, threads, files, a terminal and a user who
//! presses Ctrl-C.
//!
//! | module | what |
//! |---|---|
//! | [`command`] | every command with its help text, and what does it |
//! | [`arguments`] | the values of flags, and the flags of `run` and `replay` |
//! | [`duration`] | `10s`, `1h30m` |
//! | [`scenarios`] | scenarios that are part of the program |
//! | `run`, `batch` | `acrasin run`: the command; its repetitions on threads |
//! | `sweep` | `acrasin sweep` |
//! | `plot` | `acrasin plot` |
//! | `replay` | `acrasin replay` |
//! | `check` | `acrasin check` |
//! | `swarm` | `acrasin swarm` |
//! | `bench` | `acrasin bench` |
//! | `conform` | `acrasin conform` |
//! | [`list`] | `acrasin list` |
//! | `pages` | `acrasin completions`, `acrasin man` |
//! | `watch`, `progress`, `interrupt` | what looks at a run while it happens: time, progress bar, Ctrl-C and other signals |
//! | `setup` | the time before the first turn, which Ctrl-C and `--max-time` end as well |
//! | `machine` | commit, processor, threads, time |
//! | `memory` | how much this process may have |
//! | `destination` | folders of results, under the rule of [`acrasin_output`] |
//! | `folder`, `recording` | results of runs that appear only when they are complete |
//! | `counts` | the counts of all repetitions in one file |
//! | `output` | standard output and standard error |
//! | [`failure`] | what ends a command with an error |
//! | `program` | the command as a program: [`main`] |
//!
//! # Exit codes
//!
//! 0 done, 1 failed or property violated, 2 usage or bad file, 3 budget ran out first, 130 interrupted. Of several
//! repetitions the most urgent counts: interrupted, then failed, then budget.
//!
//! # What is printed where
//!
//! Results go to standard output; seed, notes, progress and errors to standard error. In the formats `csv` and `jsonl`
//! standard output is a function of version, commit, scenario and seed alone: the same for any number of threads, on any
//! machine. Threads, processor and times are in the `table` format, in `record.txt` of an output folder, on standard
//! error, and with `--verbose` in every format.

pub mod arguments;
mod batch;
mod bench;
mod check;
pub mod command;
mod conform;
mod counts;
mod destination;
pub mod duration;
pub mod failure;
mod folder;
mod foreseen;
mod interrupt;
pub mod list;
mod machine;
mod memory;
mod output;
mod pages;
mod pictures;
mod plot;
mod program;
mod progress;
mod recording;
mod replay;
mod run;
pub mod scenarios;
mod setup;
mod subject;
mod swarm;
mod sweep;
mod view;
mod watch;

pub use command::{Arguments, execute};
pub use failure::Failure;
pub use program::main;
