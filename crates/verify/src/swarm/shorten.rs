//! Shortens the list of steps of a failing run.

use acrasin_process::Ending;
use acrasin_runtime::{NodeId, Seeded, Step};

use super::plan::{Drain, drain_seed};
use super::relabel::relabel;
use super::run::drain;
use super::stage::{apply_all, stage};
use super::start::seated;
use super::stream::halves;
use super::{Counterexample, Effort, FailureKind, SwarmStart, Swarmed, SystemUnderTest, Traced};

/// Delta debugging (Zeller, Hildebrandt 2002) on the list of steps: removes parts while the rest fails in the same way.
/// Steps that become impossible are also removed, for instance the consequences of a removed call. If the failure is a
/// dead configuration or unserved calls, the scheduler of the second phase continues each shortened list.
struct StepShortener<'a, E: Swarmed> {
    subject: &'a SystemUnderTest<E>,
    steps_left: u64,
    /// Whether to try further candidates.
    goes_on: &'a dyn Fn() -> bool,
    best: Counterexample<E>,
}

pub(super) fn shorten<E: Swarmed>(
    subject: &SystemUnderTest<E>,
    whole: Counterexample<E>,
    (effort, goes_on): (Effort, &dyn Fn() -> bool),
) -> Counterexample<E> {
    let mut search = StepShortener { subject, steps_left: effort.list_steps, goes_on, best: whole };
    search.send_at_once();
    loop {
        let before = search.best.steps.len();
        search.leave_out_nodes();
        search.leave_out_chunks();
        search.lower_picks();
        if search.best.steps.len() == before || search.steps_left == 0 {
            break;
        }
    }
    search.leave_out_last_nodes();
    for (start, steps) in relabel(&search.best, subject.assumes().given) {
        search.keep_if(start, &steps, |_, _| true);
    }
    search.best
}

impl<E: Swarmed> StepShortener<'_, E> {
    /// Runs a candidate and keeps it if it fails in the same way and `pleases(remaining, best)` holds.
    fn keep_if(
        &mut self,
        start: SwarmStart,
        steps: &[Traced<E>],
        pleases: impl Fn(&[Traced<E>], &[Traced<E>]) -> bool,
    ) -> bool {
        if self.steps_left == 0 {
            return false;
        }
        let mut stage = stage(&start, self.subject);
        apply_all(&mut stage, steps);
        if stage.failure.is_none() && [FailureKind::DEAD, FailureKind::NOT_DRAINED].contains(&self.best.kind)
        {
            drain(&mut stage, start.drain, &mut Seeded::new(drain_seed(start.seed)));
        }
        self.steps_left = self.steps_left.saturating_sub(stage.figures.steps.max(1));
        if !(self.goes_on)() {
            self.steps_left = 0;
        }
        let Some(failure) = stage.failure.filter(|failure| failure.kind() == self.best.kind) else {
            return false;
        };
        let left = stage.trace.unwrap_or_default();
        let keeps = pleases(&left, &self.best.steps);
        if keeps {
            self.best.start = start;
            self.best.steps = left;
            self.best.ending = Ending::from(&failure);
        }
        keeps
    }

    fn keep_if_shorter(&mut self, steps: &[Traced<E>]) -> bool {
        self.keep_if(self.best.start.clone(), steps, |left, best| left.len() < best.len())
    }

    /// Tries a scheduler under which messages leave at once instead of one by one.
    fn send_at_once(&mut self) {
        if self.best.start.drain == Drain::Asynchronous {
            let start = SwarmStart { drain: Drain::Sequential, ..self.best.start.clone() };
            let steps = self.best.steps.clone();
            self.keep_if(start, &steps, |left, best| left.len() < best.len());
        }
    }

    fn leave_out_nodes(&mut self) {
        for node in (0..self.best.start.nodes).map(NodeId) {
            let mut steps = self.best.steps.clone();
            steps.retain(|traced| !names(&traced.step, node));
            if steps.len() < self.best.steps.len() {
                self.keep_if_shorter(&steps);
            }
        }
    }

    /// On a static graph: removes unused nodes, starting with the last, while the graph stays connected.
    fn leave_out_last_nodes(&mut self) {
        while self.best.start.nodes > 2 && !self.best.start.edges.is_empty() {
            let mut start = self.best.start.clone();
            start.nodes -= 1;
            start.edges.retain(|&(a, b)| a.max(b) < start.nodes);
            let steps = self.best.steps.clone();
            if seated(&self.subject.exclusion(&start), &start).is_err()
                || !self.keep_if(start, &steps, |_, _| true)
            {
                break;
            }
        }
    }

    fn leave_out_chunks(&mut self) {
        for size in halves(self.best.steps.len()) {
            let mut end = self.best.steps.len();
            while end > 0 && self.steps_left > 0 {
                let start = end.saturating_sub(size);
                let mut steps = self.best.steps.clone();
                steps.drain(start..end);
                self.keep_if_shorter(&steps);
                end = start.min(self.best.steps.len());
            }
        }
    }

    /// Tries to set each drawn priority to 0.
    fn lower_picks(&mut self) {
        for index in 0..self.best.steps.len() {
            let Some(traced) = self.best.steps.get(index) else { return };
            if traced.picks.iter().all(|&pick| pick == 0) {
                continue;
            }
            let mut steps = self.best.steps.clone();
            steps[index].picks.fill(0);
            self.keep_if(self.best.start.clone(), &steps, |left, best| left.len() <= best.len());
        }
    }
}

fn names<A, M>(step: &Step<A, M>, node: NodeId) -> bool {
    match *step {
        Step::Connect { a, b, .. } => a == node || b == node,
        Step::Disconnect { node: end, .. } => end == node,
        _ => step.actor() == Some(node),
    }
}
