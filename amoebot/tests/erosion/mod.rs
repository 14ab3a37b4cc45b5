//! Leader election by erosion compared with its oracles.

mod every_schedule;
mod larger_runs;
mod starts;
mod traps;

use acrasin_amoebot::check::Scope;
use acrasin_amoebot::library::erosion::{Action, Memory};
use acrasin_amoebot::{
    Algorithm, Amoebot, Body, Erosion, Orientation, SequentialExploration, Shape, System, View, explore,
};

/// Every connected shape of n cells, with a hole or without.
pub(crate) fn shapes(n: usize, holes: bool) -> Vec<Shape> {
    let mut shapes = Shape::all_connected(n).expect("few cells");
    shapes.retain(|shape| (shape.holes() > 0) == holes);
    shapes
}

/// The amoebots of a shape with equal memories, without the check of the start.
pub(crate) fn unchecked(shape: &Shape, orientations: &[Orientation], memory: Memory) -> System<Memory> {
    let amoebots = shape.cells().iter().enumerate().map(|(i, &cell)| Amoebot {
        body: Body::contracted(cell),
        orientation: orientations.get(i).copied().unwrap_or_default(),
        memory,
    });
    System::new(amoebots.collect()).expect("different cells")
}

/// All schedules from some systems of one algorithm; the goal is one leader, every other amoebot eroded.
pub(crate) fn explored(
    algorithm: &(impl Algorithm<Memory = Memory, Action = Action> + Sync),
    starts: impl IntoIterator<Item = System<Memory>>,
) -> SequentialExploration<Memory> {
    explore(algorithm, starts, Erosion::is_finished, Scope::default()).expect("few states")
}

/// The number of neighbours of an amoebot with this memory.
pub(crate) fn neighbours_that_are(view: &View<'_, Memory>, memory: Memory) -> usize {
    view.neighbours().filter(|neighbour| *neighbour.memory == memory).count()
}
