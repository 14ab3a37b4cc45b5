//! Something that can be advanced and looked at.

use std::borrow::Cow;

use acrasin_process::{Awaited, Ending, Progress};
use acrasin_report::record::Section;
use acrasin_report::spans::Spans;

use super::{Filmed, Snapshot};
use crate::limits::LOOK_STEPS;

/// A run that goes on turn by turn, and can be looked at between turns.
pub(crate) trait Course {
    /// Why it cannot be driven to its end.
    type Error;

    /// How far it is; [`fraction`](Self::fraction) says how much of the way that is.
    fn at(&self) -> Progress;

    /// How far it is on the way to the nearest of its bounds, or to its end where that can be told, between 0 and 1; `None` if
    /// there is nothing to tell it by.
    fn fraction(&self, at: &Progress) -> Option<f64>;

    /// What it has taken so far, in steps of one node: the watch is asked by it. Grows, if slowly, however little happens.
    fn effort(&self, at: &Progress) -> u64;

    /// The most that it goes on at once: the watch is asked in between.
    fn stride(&self) -> u64 {
        LOOK_STEPS
    }

    /// The ending, if it is at its end: a goal, or a limit. Asked between any two calls of [`advance`](Self::advance).
    fn ending(&mut self, at: &Progress) -> Option<Ending>;

    /// Goes on by a turn; by several only if they are at most `most` steps together, and no goal or limit is passed over.
    /// The ending, if nothing can follow.
    ///
    /// # Errors
    ///
    /// It cannot go on, and what it did so far is no result.
    fn advance(&mut self, most: u64) -> Result<Option<Ending>, Self::Error>;

    /// Announces the time of the next sample to a run in continuous time: no later turn goes past it.
    fn stop_at(&mut self, time: f64) {
        let _ = time;
    }

    /// What is counted over time.
    fn counts(&self) -> Cow<'_, [u64]>;

    /// How it looks now; `None` if there is nothing to draw.
    fn snapshot(&self, name: String) -> Option<Snapshot> {
        let _ = name;
        None
    }

    /// What a step is called that a look at the counts alone goes by, and how many there were; [`at`](Self::at) has the same.
    fn beat(&self) -> (&'static str, u64) {
        ("step", self.at().steps)
    }

    /// The same run, to be looked at node by node; `None` if nodes are not kept apart.
    fn filmed(&mut self) -> Option<&mut dyn Filmed> {
        None
    }

    /// What the run awaits when its time is over.
    fn awaited(&self) -> Awaited;

    /// Ends the run, once. A promise that is broken may be seen only from the end: then the ending is another one.
    ///
    /// # Errors
    ///
    /// What was kept of the run cannot be written.
    fn conclude(&mut self, reached: Ending) -> Result<Ending, Self::Error> {
        Ok(reached)
    }

    /// The figures of the record, once it is concluded.
    fn sections(&self) -> Vec<Section>;

    /// When which node was inside, if that is kept.
    fn inside(&self) -> Option<Spans> {
        None
    }

    /// The last configuration in words, if it is worth a look.
    fn configuration(&self) -> Option<String> {
        None
    }
}
