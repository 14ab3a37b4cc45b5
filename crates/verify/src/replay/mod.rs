//! Replays: a run kept as a file, and applied again.
//!
//! A run is a function of its plan and the choices made in it, so a replay keeps the scenario, every step and the
//! picks made inside the steps. The file is JSON lines, read and written one line at a time:
//!
//! ```text
//! {"acrasin":"replay","format":1,"version":"0.1.0","seed":7,"algorithm":"..."?,"scenario":"<text>","files":{..}?,"folder":"..."?,"note":"..."?}
//! ["lock",0]
//! ["act",0,"CheckStart",1]
//! ["unlock",0,{"picks":[2,0]}]
//! {"end":{"steps":3,"digest":"<32 hexadecimal digits>","outcome":"...","violation":"..."?}}
//! ```
//!
//! Steps are in the words of [`conformance`](crate::conformance), and `["leave",u,port,kind,arg?]` for a message of an
//! execution that spans time. The picks made inside a step are its last element, if there are any: the priority drawn
//! by CheckStart or CheckWin as a number, everything else as `{"picks":[..]}`. A file without its `end` line was cut
//! off. `files` has the digests of the files that the scenario names, `folder` the folder that their paths are relative to, which is
//! used where they are not beside the recording. `algorithm` names an algorithm other than local mutual exclusion, with its rules; what its messages and actions are
//! called is its [`Spelling`].
//!
//! A run without an end, in which somebody waits for ever, is a way there and once round. The line `{"round":{"waits":2}}` stands where
//! the round begins; the end is its end, too. A replay looks that the configuration is then the one at the start of the round, but
//! for how far clocks are, that node 2 waits all the way, and that what is due all the way is done ([`Round`](crate::locks::Round)).
//!
//! Runs without a world, those of amoebots, have a list a line as well: an action, or a checkpoint of rounds and chains. A run that a
//! check of amoebots has found has `"check":12` in its first line, the number of the start, and a line for each move: its position among
//! those of the state, and what happens.
//!
//! [`Recorder`] is an observer that writes a replay while a run happens. [`ReplayReader`] reads it, [`replay`] applies
//! it to the world of the same scenario and compares the end.
//!
//! ```
//! use acrasin_runtime::{
//!     exclusion::local::Local, execution::{Advance, Execution}, scheduler::Sequential, Demand, LockOnly,
//!     LockSetRule, Seeded, Setup, Timing, Topology, World,
//! };
//! use acrasin_verify::replay::{replay, End, Header, Recorder, ReplayReader};
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
//! let file = recorder.end(&End::of(run.world(), "done"))?;
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
mod other;
mod read;
mod write;

pub use apply::{ReplayError, Rounded, compare_end, replay};
pub use disk::{Sink, create, open, sink};
pub use line::{End, Header};
pub use other::{StepReader, StepWriter};
pub use read::{Entry, ReplayFile, ReplayReader, RoundBegins};
pub use write::{Recorder, ReplayWriter};

pub use crate::words::{Argument, Reading, Spelling};
