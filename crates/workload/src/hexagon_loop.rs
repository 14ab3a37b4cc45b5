//! Hexagon formation as a loop written for this algorithm alone: the baseline of A2.
//!
//! The loop activates one amoebot at a time, uniformly among the enabled ones, on a flat grid with common orientation.
//! It makes the same draws as the [sequential execution](acrasin_amoebot::run::execution), and keeps the enabled
//! amoebots in the same order. Both therefore reach the same system after each action. The loop does not count rounds.

use std::num::NonZeroU32;

use acrasin_amoebot::library::hexagon::{Memory, State};
use acrasin_amoebot::model::body::{AmoebotPort, Body};
use acrasin_amoebot::model::lattice::Cell;
use acrasin_amoebot::model::orientation::Orientation;
use acrasin_amoebot::model::system::{Amoebot, System};
use acrasin_runtime::choice::{Choices, Decision};
use acrasin_runtime::{Digest, Seeded};

/// An amoebot: its cells and its memory. Labels are 1 to 6; 0 means none.
#[derive(Clone, Copy)]
struct LoopAmoebot {
    head: u32,
    tail: u32,
    state: State,
    parent: u8,
    dir: u8,
}

impl LoopAmoebot {
    fn is_contracted(self) -> bool {
        self.head == self.tail
    }
}

#[derive(Clone, Copy)]
enum LoopAction {
    Alpha1,
    Alpha2,
    Alpha3,
    Alpha4,
    Alpha5,
    Alpha6,
}

/// A run of hexagon formation by the loop.
#[derive(Clone)]
pub(crate) struct HexagonLoop {
    first: (i32, i32),
    width: usize,
    /// The number of the amoebot on each cell, plus one; 0 for empty cells.
    grid: Vec<u32>,
    steps: [i32; 6],
    walkers: Vec<LoopAmoebot>,
    enabled: Vec<u32>,
    /// The position of each amoebot in the list of enabled ones, plus one; 0 for amoebots that are not enabled.
    places: Vec<u32>,
    affected: Vec<u32>,
    is_affected: Vec<bool>,
    pub(crate) actions: u64,
}

impl HexagonLoop {
    /// Starts from the initial system of hexagon formation, with common orientation.
    pub(crate) fn new(start: &System<Memory>) -> Self {
        let seed = start.ids().find(|id| start.memory(*id).state == State::Seed).expect("a seed");
        let seed = start.body(seed).head();
        // No amoebot moves further from the seed than it was initially, or than the hexagon and one amoebot next to
        // it.
        let radius = (start.len() as f64 / 3.0).sqrt() as i32 + 4;
        let cells = start.cells();
        let side = |at: fn(Cell) -> i32, middle: i32| {
            let least = cells.iter().map(|cell| at(*cell)).min().expect("a cell").min(middle - radius) - 2;
            let most = cells.iter().map(|cell| at(*cell)).max().expect("a cell").max(middle + radius) + 2;
            (least, (most - least + 1) as usize)
        };
        let ((x, width), (y, height)) = (side(Cell::x, seed.x()), side(Cell::y, seed.y()));
        let w = width as i32;
        let mut run = Self {
            first: (x, y),
            width,
            grid: vec![0; width * height],
            steps: [1, w, w - 1, -1, -w, 1 - w],
            walkers: Vec::new(),
            enabled: Vec::new(),
            places: vec![0; start.len()],
            affected: Vec::new(),
            is_affected: vec![false; start.len()],
            actions: 0,
        };
        for id in start.ids() {
            let Memory { state, parent, dir } = *start.memory(id);
            let head = start.body(id).head();
            let at = ((head.y() - y) as usize * width + (head.x() - x) as usize) as u32;
            let label = |port: Option<AmoebotPort>| port.map_or(0, AmoebotPort::label);
            run.grid[at as usize] = id.0 + 1;
            run.walkers.push(LoopAmoebot {
                head: at,
                tail: at,
                state,
                parent: label(parent),
                dir: label(dir),
            });
        }
        for id in 0..start.len() as u32 {
            run.set(id, run.action(id).is_some());
        }
        run
    }

    pub(crate) fn has_terminated(&self) -> bool {
        self.enabled.is_empty()
    }

    pub(crate) fn amoebots(&self) -> usize {
        self.walkers.len()
    }

    pub(crate) fn bytes(&self) -> usize {
        self.grid.capacity() * 4
            + self.walkers.capacity() * size_of::<LoopAmoebot>()
            + (self.enabled.capacity() + self.places.capacity() + self.affected.capacity()) * 4
            + self.is_affected.capacity()
    }

    /// The current system, in the form that the library uses.
    pub(crate) fn system(&self) -> System<Memory> {
        let cell = |at: u32| {
            let (x, y) = (at as usize % self.width, at as usize / self.width);
            Cell::new(self.first.0 + x as i32, self.first.1 + y as i32).expect("on the grid")
        };
        let port = |label: u8| (label > 0).then(|| AmoebotPort::head(label));
        let amoebot = |walker: &LoopAmoebot| Amoebot {
            body: match walker.is_contracted() {
                true => Body::contracted(cell(walker.head)),
                false => Body::expanded(cell(walker.head), cell(walker.tail)).expect("adjacent"),
            },
            orientation: Orientation::COMMON,
            memory: Memory { state: walker.state, parent: port(walker.parent), dir: port(walker.dir) },
        };
        System::new(self.walkers.iter().map(amoebot).collect()).expect("one amoebot a cell")
    }

    pub(crate) fn digest(&self) -> Digest {
        self.system().digest()
    }

    /// Runs until no amoebot is enabled, but for at most `most` actions.
    pub(crate) fn run(&mut self, most: u64, choices: &mut Seeded) {
        for _ in 0..most {
            let Some(bound) = NonZeroU32::new(self.enabled.len() as u32) else { break };
            let id = self.enabled[choices.pick(bound, Decision::Activation) as usize];
            self.act(id);
        }
    }

    #[inline]
    fn next(&self, at: u32, label: u8) -> u32 {
        at.wrapping_add_signed(self.steps[usize::from(label) - 1])
    }

    /// The amoebot next to a cell in direction `label`, unless it is `but`.
    #[inline]
    fn at(&self, at: u32, label: u8, but: u32) -> Option<&LoopAmoebot> {
        let number = self.grid[self.next(at, label) as usize];
        (number > 0 && number != but + 1).then(|| &self.walkers[number as usize - 1])
    }

    #[inline]
    fn near(&self, id: u32) -> impl Iterator<Item = &LoopAmoebot> + '_ {
        let LoopAmoebot { head, tail, .. } = self.walkers[id as usize];
        let ends = if head == tail { 1 } else { 2 };
        [head, tail]
            .into_iter()
            .take(ends)
            .flat_map(move |at| (1..=6).filter_map(move |label| self.at(at, label, id)))
    }

    fn is_structure(walker: &LoopAmoebot) -> bool {
        matches!(walker.state, State::Seed | State::Retired)
    }

    fn tail_children(&self, id: u32) -> impl Iterator<Item = (u8, &LoopAmoebot)> + '_ {
        let tail = self.walkers[id as usize].tail;
        let is_child = move |b: &&LoopAmoebot| b.parent > 0 && self.next(b.head, b.parent) == tail;
        (1..=6).filter_map(move |label| Some((label, self.at(tail, label, id).filter(is_child)?)))
    }

    /// The enabled action of an amoebot, if there is one.
    #[inline]
    fn action(&self, id: u32) -> Option<LoopAction> {
        let own = self.walkers[id as usize];
        let no_idle = || self.near(id).all(|b| b.state != State::Idle);
        match (own.state, own.is_contracted()) {
            (State::Seed | State::Retired, _) => None,
            (State::Idle, _) => {
                let (mut structure, mut tree) = (false, false);
                for b in self.near(id) {
                    structure |= Self::is_structure(b);
                    tree |= matches!(b.state, State::Follower | State::Root);
                }
                if structure { Some(LoopAction::Alpha1) } else { tree.then_some(LoopAction::Alpha2) }
            }
            (State::Follower, true) => self.near(id).any(Self::is_structure).then_some(LoopAction::Alpha1),
            (State::Root, true) => {
                let points_here = |b: &LoopAmoebot| {
                    Self::is_structure(b) && b.dir > 0 && self.next(b.head, b.dir) == own.head
                };
                if no_idle() && self.near(id).any(points_here) {
                    return Some(LoopAction::Alpha3);
                }
                (own.dir > 0 && self.grid[self.next(own.head, own.dir) as usize] == 0)
                    .then_some(LoopAction::Alpha4)
            }
            (State::Follower | State::Root, false) => {
                if !no_idle() {
                    return None;
                }
                let mut children = self.tail_children(id).peekable();
                match children.peek() {
                    None => Some(LoopAction::Alpha6),
                    Some(_) => children.any(|(_, b)| b.is_contracted()).then_some(LoopAction::Alpha5),
                }
            }
        }
    }

    /// `GetNextDir` of the paper: the first direction without an amoebot of the structure, searched counterclockwise or
    /// clockwise.
    fn next_dir(&self, id: u32, turn: u8) -> u8 {
        let head = self.walkers[id as usize].head;
        let at_structure = |label: u8| self.at(head, label, id).is_some_and(Self::is_structure);
        let mut label = (1..=6).find(|label| at_structure(*label)).expect("beside the structure");
        while at_structure(label) {
            label = (label + turn - 1) % 6 + 1;
        }
        label
    }

    fn act(&mut self, id: u32) {
        const COUNTERCLOCKWISE: u8 = 1;
        const CLOCKWISE: u8 = 5;
        let does = self.action(id).expect("it is enabled");
        let mut own = self.walkers[id as usize];
        self.affect(id);
        match does {
            LoopAction::Alpha1 => {
                own = LoopAmoebot {
                    state: State::Root,
                    parent: 0,
                    dir: self.next_dir(id, COUNTERCLOCKWISE),
                    ..own
                };
                self.walkers[id as usize] = own;
            }
            LoopAction::Alpha2 => {
                let is_tree = |label: &u8| {
                    self.at(own.head, *label, id)
                        .is_some_and(|b| !Self::is_structure(b) && b.state != State::Idle)
                };
                let parent = (1..=6).find(is_tree).expect("a neighbour to follow");
                self.walkers[id as usize] = LoopAmoebot { state: State::Follower, parent, ..own };
            }
            LoopAction::Alpha3 => {
                let dir = self.next_dir(id, CLOCKWISE);
                self.walkers[id as usize] = LoopAmoebot { state: State::Retired, dir, ..own };
            }
            LoopAction::Alpha4 => {
                let head = self.next(own.head, own.dir);
                self.walkers[id as usize].head = head;
                self.grid[head as usize] = id + 1;
                self.affect(id);
            }
            LoopAction::Alpha5 => {
                let found = self.tail_children(id).find(|(_, b)| b.is_contracted());
                let (_, &child) = found.expect("a contracted child");
                let theirs = self.grid[child.head as usize] - 1;
                self.affect(theirs);
                let forward = (1..=6).find(|label| self.next(own.tail, *label) == own.head);
                let child = LoopAmoebot { head: own.tail, parent: forward.expect("expanded"), ..child };
                if own.state == State::Root {
                    own.dir = self.next_dir(id, COUNTERCLOCKWISE);
                }
                self.grid[own.tail as usize] = theirs + 1;
                self.walkers[theirs as usize] = child;
                self.walkers[id as usize] = LoopAmoebot { tail: own.head, ..own };
                self.affect(id);
                self.affect(theirs);
            }
            LoopAction::Alpha6 => {
                if own.state == State::Root {
                    own.dir = self.next_dir(id, COUNTERCLOCKWISE);
                }
                self.grid[own.tail as usize] = 0;
                self.walkers[id as usize] = LoopAmoebot { tail: own.head, ..own };
                self.affect(id);
            }
        }
        self.actions += 1;
        while let Some(who) = self.affected.pop() {
            self.is_affected[who as usize] = false;
            self.set(who, self.action(who).is_some());
        }
    }

    /// Marks an amoebot and its neighbours, which may have become enabled or disabled.
    fn affect(&mut self, id: u32) {
        self.add(id);
        let LoopAmoebot { head, tail, .. } = self.walkers[id as usize];
        for at in [head, tail].into_iter().take(if head == tail { 1 } else { 2 }) {
            for label in 1..=6 {
                let number = self.grid[self.next(at, label) as usize];
                if number > 0 {
                    self.add(number - 1);
                }
            }
        }
    }

    #[inline]
    fn add(&mut self, id: u32) {
        if !std::mem::replace(&mut self.is_affected[id as usize], true) {
            self.affected.push(id);
        }
    }

    #[inline]
    fn set(&mut self, id: u32, is_enabled: bool) {
        let place = self.places[id as usize];
        if is_enabled == (place > 0) {
            return;
        }
        if is_enabled {
            self.enabled.push(id);
            self.places[id as usize] = self.enabled.len() as u32;
            return;
        }
        self.enabled.swap_remove(place as usize - 1);
        if let Some(moved) = self.enabled.get(place as usize - 1) {
            self.places[*moved as usize] = place;
        }
        self.places[id as usize] = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use acrasin_amoebot::run::execution::{SequentialExecution, UniformEnabled};
    use acrasin_amoebot::start;
    use acrasin_amoebot::{AmoebotId, Hexagon};
    use acrasin_runtime::FixedProbability;

    /// Compares the systems after every action, to the end.
    #[test]
    fn the_loop_and_the_execution_come_to_the_same_systems() {
        for (n, seed) in [(1, 1), (2, 2), (40, 3), (150, 4)] {
            let acceptance = FixedProbability::new(0.8).unwrap();
            let cells = start::blob(Cell::ORIGIN, n, acceptance, &mut Seeded::new(seed)).unwrap();
            let start = Hexagon::start(&cells, 0, &[]).unwrap();
            let mut plain = HexagonLoop::new(&start);
            let mut run = SequentialExecution::new(&Hexagon, start);
            let (mut draws, mut same) = (Seeded::new(seed), Seeded::new(seed));
            while !run.has_terminated() {
                run.run(1, &mut UniformEnabled, &mut draws);
                plain.run(1, &mut same);
                assert!(&plain.system() == run.system(), "after {} actions", plain.actions);
                let enabled: Vec<AmoebotId> = plain.enabled.iter().map(|id| AmoebotId(*id)).collect();
                assert_eq!(enabled, run.enabled().ids());
            }
            assert!(plain.has_terminated() && plain.actions == run.counts().actions);
            assert!(Hexagon::is_finished(&plain.system()));
        }
    }
}
