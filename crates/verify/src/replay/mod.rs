//! Replays: runs stored as files, to be replayed and compared.
//!
//! The plan of a run and the choices made in it determine the run. So a replay stores the scenario, every step, and the
//! picks made inside the steps. The file is JSON lines, written and read line by line:
//!
//! ```text
//! {"acrasin":"replay","format":1,"version":"0.1.0","seed":7,"algorithm":"..."?,
//!  "scenario":"<text>","files":{..}?,"folder":"..."?,"note":"..."?}     (one line)
//! ["lock",0]
//! ["act",0,"CheckStart",1]
//! ["unlock",0,{"picks":[2,0]}]
//! {"end":{"steps":3,"digest":"<32 hexadecimal digits>","outcome":"...","violation":"..."?}}
//! ```
//!
//! Steps are written as in [`conformance`](crate::conformance), and `["leave",u,port,kind,arg?]` is a departing message
//! of an action that spans several steps. The picks made inside a step, if any, are its last element. The priority
//! drawn by CheckStart or CheckWin is a number, all other picks are `{"picks":[..]}`. A file without its `end` line is
//! truncated.
//!
//! `files` has the digests of the files that the scenario names. `folder` is the folder to which their paths are
//! relative, if it is not that of the recording. `algorithm` names an algorithm other than local mutual exclusion, with
//! its rules; its [`StepCodec`] names messages and actions.
//!
//! An infinite run on which a node starves is stored as a path followed by a cycle. The line `{"round":{"waits":2}}`
//! marks the start of the cycle, which ends with the file. When such a run is replayed, the final configuration must
//! equal that at the start of the cycle, up to clock values. Node 2 must wait throughout, and all duties must be
//! fulfilled ([`Round`](crate::locks::Round)).
//!
//! Runs of amoebots have no world. Their files also have one list per line: an action, or a checkpoint of rounds and
//! chains. If a check of amoebots found the run, its first line has `"check":12`, the index of the start. Each move is
//! then a line: its index among the moves of the state, and the event.
//!
//! [`Recorder`] is an observer that writes a replay during a run. [`ReplayReader`] reads it, and [`replay`] applies
//! it to the world of the same scenario and compares the end.
//!
//! ```
//! use acrasin_runtime::{
//!     exclusion::local::Local, execution::{Advance, Execution}, scheduler::Sequential, Demand, LockOnly,
//!     LockSetRule, Seeded, Setup, Timing, Topology, World,
//! };
//! use acrasin_verify::replay::{replay, ReplayEnd, Header, Recorder, ReplayReader};
//!
//! let world = || World::new(Setup {
//!     exclusion: Local::new(1),
//!     section: LockOnly,
//!     topology: Topology::from_edges(2, 1, &[(0, 1)]).unwrap(),
//!     states: vec![Demand::Times(1); 2],
//!     lock_set: LockSetRule::Neighbourhood,
//!     timing: Timing::AtOnce,
//! });
//! let header = Header::new(7, "Scenario(..)");
//! let mut recorder = Recorder::new(Vec::new(), &header)?;
//! let mut run = Execution::new(world(), Box::new(Sequential::new()));
//! let mut choices = Seeded::new(7);
//! while run.advance(&mut choices, &mut recorder) == Advance::Advanced {}
//! let file = recorder.end(&ReplayEnd::of(run.world(), "done"))?;
//!
//! let mut reader = ReplayReader::open("two.jsonl", &file[..])?;
//! assert_eq!(reader.header(), &header);
//! let mut again = world();
//! let end = replay(&mut again, &mut reader, &mut ())?;
//! assert_eq!(end.digest, run.world().digest());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod apply;
mod disk;
mod line;
mod read;
mod step_lines;
mod write;

pub use apply::{ReplayError, Rounded, compare_end, replay};
pub use disk::{Sink, create, open, sink};
pub use line::{Header, ReplayEnd};
pub use read::{ReplayFile, ReplayReader, ReplayStep, RoundBegins};
pub use step_lines::{StepReader, StepWriter};
pub use write::{Recorder, ReplayWriter};

pub use crate::words::{Argument, Reading, StepCodec};
