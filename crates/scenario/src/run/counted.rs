//! Films of runs without distinct nodes: only their counts are shown.

use std::sync::{Mutex, PoisonError};

use acrasin_process::Process;
use acrasin_report::film::Head;

use super::{Changes, Filmed, NodeView, Presentation, ProcessRun, ProcessStop, TraceObserver};

/// Observations per unit of parallel time: the counts are observed every n/100 steps.
const LOOKS: u64 = 100;

/// The counts at one moment.
struct CountSample {
    names: Vec<String>,
    time: &'static str,
    moment: u64,
    counts: Vec<u64>,
}

impl Filmed for CountSample {
    fn head(&self) -> Head {
        let mut head = Head::new("population", 0, Vec::new());
        self.time.clone_into(&mut head.time);
        head.counts.names = self.names.clone();
        head
    }

    fn moment(&self) -> u64 {
        self.moment
    }

    /// The number of steps between two observations: one round, or 1/100 of parallel time.
    fn grain(&self) -> u64 {
        if self.time == "round" { 1 } else { (self.counts.iter().sum::<u64>() / LOOKS).max(1) }
    }

    fn counted(&self) -> Vec<u64> {
        self.counts.clone()
    }

    fn look(&self, node: u32, _: &mut NodeView) {
        unreachable!("node {node} of none")
    }

    fn since(&mut self, _: &mut Changes) {}
}

/// Passes a run to the observer of every step, node by node or as counts.
pub(super) struct Looking<'a> {
    pub(super) eye: &'a Mutex<dyn TraceObserver>,
    /// The names of the counts.
    pub(super) names: Vec<String>,
}

impl Looking<'_> {
    /// Shows the run to the observer and returns the maximum number of steps until the next call.
    pub(super) fn see<P: Process + ?Sized, S: ProcessStop<P>, V: Presentation<P>>(
        &self,
        run: &mut ProcessRun<'_, P, S, V>,
    ) -> u64 {
        self.show(run, |eye, filmed| {
            eye.see(filmed);
            eye.reach()
        })
    }

    /// Shows the end of the run to the observer.
    pub(super) fn end<P: Process + ?Sized, S: ProcessStop<P>, V: Presentation<P>>(
        &self,
        run: &mut ProcessRun<'_, P, S, V>,
    ) {
        self.show(run, |eye, filmed| eye.end(filmed));
    }

    fn show<P: Process + ?Sized, S: ProcessStop<P>, V: Presentation<P>, R>(
        &self,
        run: &mut ProcessRun<'_, P, S, V>,
        act: impl FnOnce(&mut dyn TraceObserver, &mut dyn Filmed) -> R,
    ) -> R {
        let mut eye = self.eye.lock().unwrap_or_else(PoisonError::into_inner);
        let (mut act, mut result) = (Some(act), None);
        let mut show = |filmed: &mut dyn Filmed| result = act.take().map(|act| act(&mut *eye, filmed));
        if !run.filmed(&mut show) {
            let (time, moment) = run.film_step();
            let counts = run.counts().into_owned();
            show(&mut CountSample { names: self.names.clone(), time, moment, counts });
        }
        result.expect("a run is shown once")
    }
}
