//! The moving spanning forest compared with its oracles: the end of the path alone, and invariants.

mod every_schedule;
mod larger_runs;
mod wrong_rules;

use std::collections::BTreeSet;

use acrasin_amoebot::AmoebotId;
use acrasin_amoebot::library::forest_walk::{Action, ForestWalk, Memory};
use acrasin_amoebot::{
    Algorithm, Cell, Configuration, End, Movement, Orientation, Shape, System, View, enabled_actions,
};
use acrasin_runtime::choice::Enumerated;

/// The cells of a path after each of its steps, the start included, computed independently.
pub(crate) fn walked(from: Cell, orientation: Orientation, path: &[u8]) -> Vec<Cell> {
    let mut at = (from.x(), from.y());
    let mut cells = vec![from];
    for label in path {
        let (dx, dy) = [(1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)]
            [usize::from(orientation.direction(*label).index())];
        at = (at.0 + dx, at.1 + dy);
        cells.push(Cell::new(at.0, at.1).expect("near the origin"));
    }
    cells
}

/// The cell to which the parent port of an amoebot leads.
fn parent_cell(system: &System<Memory>, id: AmoebotId) -> Option<Cell> {
    let Memory::Follower { parent } = *system.memory(id) else { return None };
    assert_eq!(parent.end(), End::Head, "parents are at the head");
    system.body(id).head().neighbour(system.amoebot(id).orientation.direction(parent.label()))
}

/// The violated invariant, if any. `walked` are the cells of the walk.
pub(crate) fn fault(system: &System<Memory>, walked: &[Cell]) -> Option<&'static str> {
    if !system.is_connected() {
        return Some("disconnected");
    }
    let roots: Vec<AmoebotId> =
        system.ids().filter(|id| matches!(system.memory(*id), Memory::Root(_))).collect();
    let [root] = roots[..] else { return Some("not one root") };
    let Memory::Root(walk) = *system.memory(root) else { return Some("not one root") };
    if system.body(root).head() != walked[usize::from(walk.done)] {
        return Some("the root is off the path");
    }
    for id in system.ids().filter(|id| *system.memory(*id) != Memory::Idle) {
        let mut at = id;
        for _ in 0..system.len() {
            if at == root {
                break;
            }
            let parent = parent_cell(system, at).and_then(|cell| system.occupant(cell));
            match parent.filter(|parent| *parent != at) {
                Some(parent) if *system.memory(parent) != Memory::Idle => at = parent,
                _ => return Some("a parent that is not there"),
            }
        }
        if at != root {
            return Some("a cycle of parents");
        }
    }
    None
}

/// The fault of an action; `None` if there is none. An amoebot that contracts without a handover must leave no child
/// and no idle neighbour.
pub(crate) fn unfit(
    system: &System<Memory>,
    id: AmoebotId,
    movement: Option<Movement>,
) -> Option<&'static str> {
    let Some(Movement::Contract(End::Tail)) = movement else { return None };
    if system.neighbours(id).any(|near| *system.memory(near) == Memory::Idle) {
        return Some("leaves an idle amoebot");
    }
    let left = system.body(id).tail();
    system.ids().any(|other| parent_cell(system, other) == Some(left)).then_some("leaves a child")
}

/// Whether the goal is reached, computed from the path alone.
pub(crate) fn is_right(system: &System<Memory>, walked: &[Cell]) -> bool {
    let root = system.ids().find(|id| matches!(system.memory(*id), Memory::Root(_)));
    fault(system, walked).is_none()
        && system.cells().len() == system.len()
        && system.ids().all(|id| system.body(id).is_contracted() && *system.memory(id) != Memory::Idle)
        && root.is_some_and(|root| Some(&system.body(root).head()) == walked.last())
}

/// Counters of a search of every schedule.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Seen {
    pub(crate) states: usize,
    pub(crate) swaps: usize,
    pub(crate) handovers: usize,
    /// The number of states in which two or more amoebots could take the same tail.
    pub(crate) contests: usize,
}

/// Explores every schedule from a start, with absolute positions, and checks every state. Returns the first
/// fault as an error.
pub(crate) fn every_state<A: Algorithm<Memory = Memory, Action = Action>>(
    algorithm: &A,
    start: System<Memory>,
    path: &[u8],
) -> Result<Seen, &'static str> {
    let root = ForestWalk::root(&start).expect("a root");
    let walked = walked(start.body(root).head(), start.amoebot(root).orientation, path);
    let mut known: BTreeSet<Configuration<Memory>> = BTreeSet::from([start.configuration()]);
    let mut open = vec![start];
    let mut seen = Seen::default();
    while let Some(system) = open.pop() {
        if let Some(fault) = fault(&system, &walked) {
            return Err(fault);
        }
        let mut is_end = true;
        let mut takers = Vec::new();
        for id in system.ids() {
            let view = View::new(&system, id);
            for action in enabled_actions(algorithm, view) {
                is_end = false;
                let effects = algorithm.execute(action, &view, &mut Enumerated::new());
                let effects = effects.map_err(|_| "an aborted action")?;
                if let Some(unfit) = unfit(&system, id, effects.movement()) {
                    return Err(unfit);
                }
                let mut next = system.clone();
                effects.clone().apply(&mut next, id).map_err(|_| "an aborted action")?;
                seen.swaps += usize::from(action == Action::Swap);
                match effects.movement() {
                    Some(Movement::Push(port)) => takers.extend(system.neighbour(id, port)),
                    Some(Movement::Pull(_)) => takers.push(id),
                    _ => {}
                }
                if known.insert(next.configuration()) {
                    open.push(next);
                }
            }
        }
        seen.handovers += takers.len();
        // A child that can push can be pulled as well, and counts as one.
        takers.sort_unstable();
        seen.contests += usize::from(takers.chunk_by(|a, b| a == b).any(|same| same.len() > 2));
        if is_end && !is_right(&system, &walked) {
            return Err("a wrong end");
        }
        if known.len() > 1 << 20 {
            return Err("more states than expected");
        }
    }
    seen.states = known.len();
    Ok(seen)
}

/// Every connected shape of `n` amoebots with each of them as the root.
pub(crate) fn starts(walk: &ForestWalk, n: usize, orientations: &[Orientation]) -> Vec<System<Memory>> {
    let of = |shape: Shape| {
        let with = |root: usize| {
            let mut cells = shape.cells().to_vec();
            cells.swap(0, root);
            walk.start(&cells, AmoebotId(0), orientations).expect("a connected shape")
        };
        (0..n).map(with).collect::<Vec<_>>()
    };
    Shape::all_connected(n).expect("few cells").into_iter().flat_map(of).collect()
}

/// Every path of `steps` steps that begins with label 1: the others are rotations.
pub(crate) fn paths(steps: usize) -> Vec<Vec<u8>> {
    let Some(more) = steps.checked_sub(1) else { return vec![Vec::new()] };
    let letters = |mut number: usize| {
        let mut next = || {
            let letter = number % 6;
            number /= 6;
            letter as u8 + 1
        };
        std::iter::once(1).chain((0..more).map(|_| next())).collect()
    };
    (0..6_usize.pow(more as u32)).map(letters).collect()
}

/// Orientations that turn from one amoebot to the next, every second one mirrored.
pub(crate) fn assorted(n: usize) -> Vec<Orientation> {
    let frames: Vec<Orientation> = Orientation::all().collect();
    (0..n).map(|i| frames[(i * 7 + 3) % frames.len()]).collect()
}
