//! Schedulers by name, and adversaries that choose in their place.
//!
//! A scheduler or an adversary is one file with one entry: its name, its parameters, the rungs that run it, and its
//! constructor. [`Schedulers`] and [`Adversaries`] have the built-in ones; a program adds its own:
//!
//! ```
//! use acrasin_runtime::scheduler::{RoundRobin, Scheduler, Turns};
//! use acrasin_runtime::{Choices, CriticalSection, Exclusion, NodeId, Step, StepOf, World};
//! use acrasin_scenario::Catalogue;
//! use acrasin_scenario::scheduler::{Schedule, SchedulerEntry};
//!
//! /// The active node of the smallest number takes a step.
//! #[derive(Clone)]
//! struct SmallestFirst;
//!
//! impl<E: Exclusion, S: CriticalSection> Scheduler<E, S> for SmallestFirst {
//!     fn plan(&mut self, world: &World<E, S>, choices: &mut dyn Choices, turn: &mut Vec<StepOf<E>>) {
//!         let first = world.active().iter().min().copied();
//!         turn.extend(first.and_then(|node| world.pick_step(node, choices, &mut Vec::new())));
//!     }
//!
//!     fn turns(&self) -> Turns {
//!         Turns::Steps
//!     }
//! }
//!
//! const SMALLEST_FIRST: SchedulerEntry = SchedulerEntry {
//!     name: "SmallestFirst",
//!     summary: "the enabled node of the smallest number",
//!     // Only a bound makes it weakly fair.
//!     read: |_, _, _| Ok(Schedule::new(SmallestFirst, "smallest number first").bounded()),
//!     ..SchedulerEntry::PLAIN
//! };
//!
//! let catalogue = Catalogue::shipped().with_scheduler(SMALLEST_FIRST)?;
//! # let text = "(topology: Ring(nodes: 9), scheduler: SmallestFirst, work: Locks(each: 1))";
//! # let document = acrasin_scenario::Document::parse(text, "own.ron")?;
//! # acrasin_scenario::Plan::with_catalogue(&catalogue, &document, "".as_ref())?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The behaviour of all schedulers is documented in [`acrasin_runtime::scheduler`].

mod any;
mod asynchronous;
mod catalogue;
mod entry;
mod newest_first;
mod random_matchings;
mod random_priorities;
mod round_robin;
mod schedule;
mod semi_synchronous;
mod sequential;
mod starve;
mod uniform_pairs;
mod waves;

pub use any::AnyScheduler;
pub use catalogue::{Adversaries, Schedulers};
pub use entry::{
    AdversaryEntry, Chooser, ChooserKind, PairDrawing, ReadAdversary, SchedulerEntry, SchedulerSite,
};
pub use schedule::Schedule;
