//! The work on one tile in one window: amoebots act one after another.

use acrasin_engine::draw::NodeDraws;
use acrasin_runtime::choice::{Decision, Recorded, pick_index};
use smallvec::SmallVec;

use super::TileResult;
use crate::algorithm::{
    ActionOrder, Algorithm, Effects, FailedAction, Looks, View, enabled_actions, first_enabled_place,
};
use crate::model::body::{Body, End};
use crate::model::id::AmoebotId;
use crate::model::lattice::Cell;
use crate::model::occupancy::{Occupancy, Rectangle};
use crate::model::operation::Movement;
use crate::model::system::System;
use crate::run::affected::Affected;
use crate::run::concurrent::log::LogEntry;
use crate::run::enabled::EnabledSet;
use crate::run::pending::RoundPending;

/// A flag in the number stored for a cell. If set, the amoebot on the cell is not copied yet, and the rest of the
/// number is its identity in the whole system.
const ELSEWHERE: u32 = 1 << 31;

/// The viewing distance, in cells, of amoebots whose algorithm looks [beyond](Looks::Beyond) neighbours.
const BEYOND: i32 = 2;

/// The task of a tile.
#[derive(Debug)]
pub(super) struct TileJob<'a, A: Algorithm> {
    pub(super) algorithm: &'a A,
    pub(super) system: &'a System<A::Memory>,
    pub(super) corner: (i32, i32),
    pub(super) reach: u32,
    /// The number of actions after which the tile may end its window.
    pub(super) actions_min: u32,
    pub(super) is_logged: bool,
    pub(super) is_checked: bool,
}

impl<A: Algorithm> Clone for TileJob<'_, A> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<A: Algorithm> Copy for TileJob<'_, A> {}

/// The working copy of a tile: a system of the amoebots that its actions have come near, with local identities.
///
/// For an occupied cell whose amoebot is not copied yet, the map contains the identity in the whole system. Before the
/// guards of an amoebot are evaluated, all its neighbours are copied.
#[derive(Debug)]
pub(super) struct TileWorker<M> {
    side: u32,
    /// The thread of the pool that last used this copy.
    thread: Option<usize>,
    here: System<M>,
    /// The identity in the whole system of each local amoebot.
    names: Vec<AmoebotId>,
    marks: Vec<Marks>,
    enabled: EnabledSet,
    pending: RoundPending,
    affected: Affected,
    changed: Vec<AmoebotId>,
}

/// The state of an amoebot in a window.
#[derive(Clone, Copy, Debug, Default)]
struct Marks {
    has_changed: bool,
    /// Whether the amoebot has acted or had no enabled action, so that the round does not wait for it.
    is_settled: bool,
    /// Whether the guards could not be evaluated, because the amoebot is too near the border of the tile.
    is_unknown: bool,
    is_locked: bool,
    /// The first enabled action, as an index into the possible ones, if the algorithm orders its actions.
    first: u32,
    /// Whether all neighbours of the amoebot are copied. This remains true: amoebots that arrive later are copies
    /// already, and an amoebot that moves copies its new neighbours.
    is_surrounded: bool,
}

impl<M: Clone> TileWorker<M> {
    pub(super) fn new(of: &System<M>, side: u32, thread: Option<usize>) -> Self {
        // Each amoebot here has a cell in the tile.
        let most = (side * side) as usize;
        let enabled = EnabledSet::none_of(most);
        Self {
            side,
            thread,
            here: of.emptied(Occupancy::Rectangle(Rectangle::free((0, 0), side as usize, side as usize))),
            names: Vec::new(),
            marks: Vec::new(),
            pending: RoundPending::new(&enabled),
            enabled,
            affected: Affected::none_of(most),
            changed: Vec::new(),
        }
    }

    pub(super) fn is_of(&self, thread: Option<usize>) -> bool {
        self.thread == thread
    }

    pub(super) fn bytes(&self) -> usize {
        self.here.bytes()
            + self.names.capacity() * size_of::<AmoebotId>()
            + self.marks.capacity() * size_of::<Marks>()
            + self.enabled.bytes()
            + self.pending.bytes()
            + self.affected.bytes()
    }

    /// Runs one window of this tile: its awake amoebots act, with the draws of the tile.
    pub(super) fn run<A: Algorithm<Memory = M>>(
        &mut self,
        job: TileJob<'_, A>,
        awake: impl Iterator<Item = AmoebotId>,
        mut draws: NodeDraws,
    ) -> TileResult<M> {
        self.begin(job);
        let mut done = TileResult {
            changed: Vec::new(),
            seen: [Vec::new(), Vec::new()],
            awake: Vec::new(),
            settled: Vec::new(),
            locked: Vec::new(),
            log: Vec::new(),
            actions: 0,
            moves: 0,
            invalid: 0,
            failed: None,
        };
        for id in awake {
            let number = self.here.occupancy().number(job.system.body(id).head());
            let id = self.bring(job, number);
            self.ask(job, id);
        }
        self.pending.begin(&self.enabled);
        // The window ends with a round of this tile that has enough actions, or when no amoebot is enabled.
        let mut tried = 0;
        while let Some(picked) = pick_index(&mut draws, self.enabled.ids().len(), Decision::Activation) {
            if self.pending.left() == 0 {
                if tried >= job.actions_min {
                    break;
                }
                self.pending.begin(&self.enabled);
            }
            self.act(job, self.enabled.ids()[picked], &mut draws, &mut done);
            tried += 1;
        }
        self.end(job, &mut done);
        done
    }

    /// Resets the copy to the cells of the tile, with no amoebot copied yet.
    fn begin<A: Algorithm<Memory = M>>(&mut self, job: TileJob<'_, A>) {
        self.names.clear();
        self.marks.clear();
        self.here.remove_amoebots(|occupied| {
            if let Occupancy::Rectangle(rectangle) = occupied {
                job.system.occupancy().copy_to(rectangle, job.corner, ELSEWHERE);
            }
        });
    }

    /// The local identity for a number found on a cell; copies the amoebot if necessary.
    fn bring<A: Algorithm<Memory = M>>(&mut self, job: TileJob<'_, A>, number: u32) -> AmoebotId {
        if number & ELSEWHERE == 0 {
            return AmoebotId(number - 1);
        }
        let name = AmoebotId((number & !ELSEWHERE) - 1);
        let amoebot = job.system.amoebot(name);
        // The amoebot may have been copied through its other cell since the number was read.
        let mut numbers = amoebot.body.cells().map(|cell| self.here.occupancy().number(cell));
        if let Some(number) = numbers.find(|number| (1..ELSEWHERE).contains(number)) {
            return AmoebotId(number - 1);
        }
        self.names.push(name);
        self.marks.push(Marks::default());
        self.here.push_inside(amoebot.clone())
    }

    /// Copies all amoebots next to an amoebot.
    #[inline]
    fn bring_around<A: Algorithm<Memory = M>>(&mut self, job: TileJob<'_, A>, id: AmoebotId) {
        if std::mem::replace(&mut self.marks[id.index()].is_surrounded, true) {
            return;
        }
        let body = self.here.body(id);
        self.bring_next_to(job, body.head());
        if !body.is_contracted() {
            self.bring_next_to(job, body.tail());
        }
    }

    fn bring_next_to<A: Algorithm<Memory = M>>(&mut self, job: TileJob<'_, A>, cell: Cell) {
        for number in self.here.occupancy().around(cell) {
            if number & ELSEWHERE > 0 {
                self.bring(job, number);
            }
        }
    }

    /// Whether every cell within reach of a body is in the tile.
    #[inline]
    fn is_inside<A: Algorithm<Memory = M>>(&self, job: TileJob<'_, A>, reach: u32, body: Body) -> bool {
        let inside = reach as i32..(self.side - reach) as i32;
        let (x, y) = job.corner;
        let is_inside = |end| {
            let cell = body.node(end);
            inside.contains(&(cell.x() - x)) && inside.contains(&(cell.y() - y))
        };
        is_inside(End::Head) && is_inside(End::Tail)
    }

    /// Evaluates the guards of an amoebot, or records that the tile cannot evaluate them.
    #[inline]
    fn ask<A: Algorithm<Memory = M>>(&mut self, job: TileJob<'_, A>, id: AmoebotId) {
        let body = self.here.body(id);
        let is_inside = self.is_inside(job, job.reach, body);
        let mut first = None;
        if is_inside {
            let memory = &self.here.amoebot(id).memory;
            // Most amoebots evaluated here are at rest: their neighbours need not be copied.
            if !job.algorithm.possible(memory, body.is_contracted()).is_empty() {
                self.bring_around(job, id);
                first = first_enabled_place(job.algorithm, &View::new(&self.here, id));
            }
        }
        let is_enabled = first.is_some();
        let marks = &mut self.marks[id.index()];
        marks.is_unknown = !is_inside;
        marks.is_settled |= is_inside && !is_enabled;
        marks.first = first.unwrap_or(0) as u32;
        if is_enabled != self.enabled.contains(id) {
            self.enabled.set(id, is_enabled);
            if !is_enabled {
                self.pending.settle(id);
            }
        }
    }

    /// Executes the action of an enabled amoebot in the copy.
    fn act<A: Algorithm<Memory = M>>(
        &mut self,
        job: TileJob<'_, A>,
        id: AmoebotId,
        draws: &mut NodeDraws,
        done: &mut TileResult<M>,
    ) {
        let looks = job.algorithm.looks();
        if looks == Looks::Beyond {
            self.bring_beyond(job, id);
        }
        let view = View::new(&self.here, id);
        let action = match job.algorithm.order() {
            ActionOrder::AsListed => {
                let possible = job.algorithm.possible(view.own(), view.is_contracted());
                possible[self.marks[id.index()].first as usize]
            }
            ActionOrder::Any => {
                let actions: SmallVec<[A::Action; 4]> = enabled_actions(job.algorithm, view).collect();
                let picked = match actions.len() {
                    1 => 0,
                    _ => pick_index(draws, actions.len(), Decision::Action).expect("it is enabled"),
                };
                actions[picked]
            }
        };
        let mut draws = Recorded::new(draws);
        let effects = job.algorithm.execute(action, &view, &mut draws);
        let movement = effects.as_ref().ok().and_then(Effects::movement);
        if job.is_checked {
            for member in self.lock_set(id, looks) {
                self.marks[member.index()].is_locked = true;
            }
        }
        let resolved = effects.and_then(|effects| Ok(effects.resolved(&self.here, id)?));
        self.marks[id.index()].is_settled = true;
        self.pending.settle(id);
        let effects = match resolved {
            Ok(effects) => effects,
            Err(error) => {
                // The amoebot rests until a neighbour changes.
                done.invalid += 1;
                if done.failed.is_none() {
                    let failed = FailedAction::of(&self.here, id, action, error);
                    done.failed = Some(FailedAction { id: self.names[id.index()], ..failed });
                }
                self.enabled.set(id, false);
                return;
            }
        };
        if job.is_logged {
            let position = job.algorithm.actions().iter().position(|listed| *listed == action);
            let lock_set = self.lock_set(id, looks).into_iter();
            done.log.push(LogEntry {
                ticket: 0,
                id: self.names[id.index()],
                action: position.expect("an enabled action is in the list"),
                picks: draws.take(),
                lock_set: lock_set.map(|near| self.names[near.index()]).collect(),
            });
        }
        self.changed.clear();
        self.changed.extend(effects.changed());
        self.bring_around_changed(job);
        if let Some((_, cell)) = effects.entered() {
            self.bring_next_to(job, cell);
        }
        self.affected.add_of(&self.here, &self.changed, &effects);
        effects.apply(&mut self.here);
        done.actions += 1;
        done.moves += movement.map_or(0, Movement::moves);
        while let Some(who) = self.affected.pop() {
            self.ask(job, who);
        }
    }

    /// An acting amoebot and the amoebots that its actions may read, each once.
    fn lock_set(&self, id: AmoebotId, looks: Looks) -> SmallVec<[AmoebotId; 9]> {
        let mut members = SmallVec::new();
        members.push(id);
        match looks {
            Looks::AtNeighbours => members.extend(self.here.neighbours(id)),
            Looks::Beyond => self.here.each_within(id, BEYOND, |near| {
                if !members.contains(&near) {
                    members.push(near);
                }
            }),
        }
        members
    }

    /// Copies the amoebots that the actions of an amoebot may read beyond its neighbours.
    fn bring_beyond<A: Algorithm<Memory = M>>(&mut self, job: TileJob<'_, A>, id: AmoebotId) {
        let body = self.here.body(id);
        for center in body.cells() {
            for cell in center.neighbours() {
                self.bring_next_to(job, cell);
            }
        }
    }

    /// Copies the neighbours of changed amoebots into the tile, because their guards read the changed amoebots.
    #[inline]
    fn bring_around_changed<A: Algorithm<Memory = M>>(&mut self, job: TileJob<'_, A>) {
        for at in 0..self.changed.len() {
            let id = self.changed[at];
            self.marks[id.index()].has_changed = true;
            self.bring_around(job, id);
        }
    }

    /// Adds the results to `done`, with the identities of the whole system.
    fn end<A: Algorithm<Memory = M>>(&mut self, job: TileJob<'_, A>, done: &mut TileResult<M>) {
        // Reserved once, since another thread frees this memory: growing would make threads wait for each other.
        done.changed.reserve_exact(self.names.len());
        done.settled.reserve_exact(self.names.len());
        for (at, (name, marks)) in self.names.iter().zip(&self.marks).enumerate() {
            let id = AmoebotId(at as u32);
            if marks.has_changed {
                let bodies = [job.system.body(*name), self.here.body(id)];
                for (seen, body) in done.seen.iter_mut().zip(bodies) {
                    if !self.is_inside(job, 1, body) {
                        seen.push(*name);
                    }
                }
                done.changed.push((*name, self.here.amoebot(id).clone()));
            }
            if marks.is_settled {
                done.settled.push(*name);
            }
            if marks.is_locked {
                done.locked.push(*name);
            }
            if marks.is_unknown || self.enabled.contains(id) {
                done.awake.push(*name);
                self.enabled.set(id, false);
            }
        }
    }
}
