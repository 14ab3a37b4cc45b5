//! [`InsideFigures`]: the times that nodes spend in their critical sections.

use acrasin_runtime::exclusion::{Exclusion, Status};
use acrasin_runtime::pack::{Pack as _, PackError, Saved};
use acrasin_runtime::{CriticalSection, Event, Observer, World};

use crate::spans::Spans;

/// The intervals in which nodes are in their critical sections. Time is the number of executed actions; on a static
/// graph this is the number of steps.
#[derive(Clone, Debug)]
pub struct InsideFigures {
    spans: Spans,
    actions: u64,
}

impl Saved for InsideFigures {
    fn save(&self, into: &mut Vec<u8>) {
        self.actions.pack(into);
        self.spans.save(into);
    }

    fn load(&mut self, from: &mut &[u8]) -> Result<(), PackError> {
        self.actions.unpack_into(from)?;
        self.spans.load(from)
    }
}

impl InsideFigures {
    /// Creates the observer of a run of this world, before the first step.
    #[must_use]
    pub fn new<E: Exclusion, S: CriticalSection>(world: &World<E, S>) -> Self {
        let is_inside = |node| matches!(world.status(node), Status::Holding | Status::Releasing);
        Self { spans: Spans::new("actions", world.topology().nodes().map(is_inside)), actions: 0 }
    }

    /// The spans so far.
    #[must_use]
    pub fn spans(&self) -> Spans {
        let mut spans = self.spans.clone();
        spans.end(self.actions);
        spans
    }
}

impl<E: Exclusion, S: CriticalSection> Observer<E, S> for InsideFigures {
    fn event(&mut self, event: &Event<'_, E, S>) {
        match *event {
            Event::Executed { .. } => self.actions += 1,
            Event::Granted { node, .. } => self.spans.enter(node.0, self.actions),
            Event::Released { node } => self.spans.leave(node.0, self.actions),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use acrasin_runtime::exclusion::critical_section::{LocalSections, Scheme};
    use acrasin_runtime::exclusion::{Bounds, InitialKnowledge};
    use acrasin_runtime::execution::{Advance, Execution};
    use acrasin_runtime::scheduler::Sequential;
    use acrasin_runtime::{Demand, LockOnly, LockSetRule, Seeded, Setup, Timing, Topology};

    use super::*;

    /// At any time no more spans overlap than the algorithm allows, and the last spans agree with the world.
    #[test]
    fn spans_overlap_as_the_bounds_allow() {
        let edges = [(0, 1), (0, 2), (1, 2)];
        let setup = Setup {
            exclusion: LocalSections::new(Scheme::Home),
            section: LockOnly,
            topology: Topology::from_edges(3, 2, &edges).unwrap(),
            states: vec![Demand::Outings(6), Demand::Times(6), Demand::Times(6)],
            lock_set: LockSetRule::Neighbourhood,
            timing: Timing::AtOnce,
        };
        let bounds = InitialKnowledge::from_bounds(3, Bounds { least: 0, most: 2 });
        let seating = InitialKnowledge { inside: vec![true, false, false], ..bounds };
        let mut run =
            Execution::new(World::with_knowledge(setup, &seating).unwrap(), Box::new(Sequential::new()));
        let (mut figures, mut choices) = (InsideFigures::new(run.world()), Seeded::new(4));
        while run.advance(&mut choices, &mut figures) == Advance::Advanced {}
        let spans = figures.spans();
        assert_eq!((spans.last(), spans.left_out()), (run.world().steps(), 0));
        // Node 0 goes out six times, so it is inside seven times; the others come in six times.
        let stays = [0, 1, 2].map(|node| spans.iter().filter(|span| span.node == node).count());
        assert_eq!(stays, [7, 6, 6]);
        let most =
            (0..spans.last()).map(|at| spans.iter().filter(|span| span.from <= at && at < span.to).count());
        assert_eq!(most.max(), Some(2));
    }
}
