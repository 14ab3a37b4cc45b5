//! A run whose nodes are not kept apart, as it is filmed: its counts.

use std::sync::{Mutex, PoisonError};

use acrasin_report::film::Head;

use super::{Course, Eye, Filmed, Look, Since};

/// Looks at the counts for each step of all: a hundredth of what is counted.
const LOOKS: u64 = 100;

/// The counts at one moment.
struct Counted {
    names: Vec<String>,
    time: &'static str,
    moment: u64,
    counts: Vec<u64>,
}

impl Filmed for Counted {
    fn head(&self) -> Head {
        let mut head = Head::new("population", 0, Vec::new());
        self.time.clone_into(&mut head.time);
        head.counts.names = self.names.clone();
        head
    }

    fn moment(&self) -> u64 {
        self.moment
    }

    /// Each round is one of all; of other steps a node takes part in one or two.
    fn grain(&self) -> u64 {
        if self.time == "round" { 1 } else { (self.counts.iter().sum::<u64>() / LOOKS).max(1) }
    }

    fn counted(&self) -> Vec<u64> {
        self.counts.clone()
    }

    fn look(&self, node: u32, _: &mut Look) {
        unreachable!("node {node} of none")
    }

    fn since(&mut self, _: &mut Since) {}
}

/// Who looks at a run at every step, node by node or at its counts.
pub(super) struct Looking<'a> {
    pub(super) eye: &'a Mutex<dyn Eye>,
    /// What is counted.
    pub(super) names: Vec<String>,
}

impl Looking<'_> {
    /// Lets them look; how far the run may go until the next time.
    pub(super) fn see<C: Course + ?Sized>(&self, course: &mut C) -> u64 {
        self.show(course, |eye, run| {
            eye.see(run);
            eye.reach()
        })
    }

    /// Lets them look at the end.
    pub(super) fn end<C: Course + ?Sized>(&self, course: &mut C) {
        self.show(course, |eye, run| eye.end(run));
    }

    fn show<C: Course + ?Sized, R>(
        &self,
        course: &mut C,
        act: impl FnOnce(&mut dyn Eye, &mut dyn Filmed) -> R,
    ) -> R {
        let mut eye = self.eye.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(run) = course.filmed() {
            return act(&mut *eye, run);
        }
        let (time, moment) = course.beat();
        let counts = course.counts().into_owned();
        act(&mut *eye, &mut Counted { names: self.names.clone(), time, moment, counts })
    }
}
