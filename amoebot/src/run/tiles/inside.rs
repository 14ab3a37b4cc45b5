//! What happens inside one tile in one window: amoebots act one after another.

use acrasin_engine::draw::NodeDraws;
use acrasin_runtime::choice::{Decision, Recorded, pick_index};
use smallvec::SmallVec;

use super::Done;
use crate::algorithm::{
    Algorithm, Effects, FailedAction, Looks, Order, View, enabled_actions, first_enabled_place,
};
use crate::model::body::{Body, End};
use crate::model::id::AmoebotId;
use crate::model::lattice::Cell;
use crate::model::occupancy::{Occupancy, Rectangle};
use crate::model::operation::Movement;
use crate::model::system::System;
use crate::run::affected::Affected;
use crate::run::concurrent::log::Entry;
use crate::run::enabled::EnabledSet;
use crate::run::pending::Pending;

/// In the number on a cell: it is that of the whole system, as the amoebot is not here yet.
const ELSEWHERE: u32 = 1 << 31;

/// So far from itself an amoebot looks that looks [beyond](Looks::Beyond) its neighbours.
const BEYOND: i32 = 2;

/// What a tile is to do.
#[derive(Debug)]
pub(super) struct Job<'a, A: Algorithm> {
    pub(super) algorithm: &'a A,
    pub(super) system: &'a System<A::Memory>,
    pub(super) corner: (i32, i32),
    pub(super) reach: u32,
    /// The tile may end its window after so many.
    pub(super) actions_min: u32,
    pub(super) is_logged: bool,
    pub(super) is_checked: bool,
}

impl<A: Algorithm> Clone for Job<'_, A> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<A: Algorithm> Copy for Job<'_, A> {}

/// A tile as it is worked on: a system of the amoebots that its actions have come near, with numbers of their own.
///
/// Who is on a cell of the tile and not in this system yet is there under its number in the whole one. Before an amoebot
/// looks round, all its neighbours are brought here.
#[derive(Debug)]
pub(super) struct Inside<M> {
    side: u32,
    /// The thread of the pool that works with it.
    thread: Option<usize>,
    here: System<M>,
    /// The numbers of the amoebots here in the whole system.
    names: Vec<AmoebotId>,
    marks: Vec<Marks>,
    enabled: EnabledSet,
    pending: Pending,
    affected: Affected,
    changed: Vec<AmoebotId>,
}

/// What a window has to say of an amoebot.
#[derive(Clone, Copy, Debug, Default)]
struct Marks {
    has_changed: bool,
    /// It has acted, or had no enabled action: no round need wait for it.
    is_settled: bool,
    /// Its guards could not be asked, so near the border.
    is_unknown: bool,
    is_locked: bool,
    /// If actions have an order: the first one that is enabled, by its place among those that are possible.
    first: u32,
    /// All its neighbours are here. Who comes next to it later is here as well, and whom it comes next to is brought then.
    is_surrounded: bool,
}

impl<M: Clone> Inside<M> {
    pub(super) fn new(of: &System<M>, side: u32, thread: Option<usize>) -> Self {
        // An amoebot has a cell in the tile.
        let most = (side * side) as usize;
        let enabled = EnabledSet::none_of(most);
        Self {
            side,
            thread,
            here: of.emptied(Occupancy::Rectangle(Rectangle::free((0, 0), side as usize, side as usize))),
            names: Vec::new(),
            marks: Vec::new(),
            pending: Pending::new(&enabled),
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

    /// A window: from those who are awake, with the draws of this tile.
    pub(super) fn run<A: Algorithm<Memory = M>>(
        &mut self,
        job: Job<'_, A>,
        awake: impl Iterator<Item = AmoebotId>,
        mut draws: NodeDraws,
    ) -> Done<M> {
        self.begin(job);
        let mut done = Done {
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

    /// The cells of the tile, with those who are elsewhere; no amoebot is here.
    fn begin<A: Algorithm<Memory = M>>(&mut self, job: Job<'_, A>) {
        self.names.clear();
        self.marks.clear();
        self.here.begin_anew(|occupied| {
            if let Occupancy::Rectangle(rectangle) = occupied {
                job.system.occupancy().copy_to(rectangle, job.corner, ELSEWHERE);
            }
        });
    }

    /// Whose number this is, found on a cell of the tile: brought here if it is not here yet.
    fn bring<A: Algorithm<Memory = M>>(&mut self, job: Job<'_, A>, number: u32) -> AmoebotId {
        if number & ELSEWHERE == 0 {
            return AmoebotId(number - 1);
        }
        let name = AmoebotId((number & !ELSEWHERE) - 1);
        let amoebot = job.system.amoebot(name);
        // It may have come since the number was read, with its other cell.
        let mut numbers = amoebot.body.cells().map(|cell| self.here.occupancy().number(cell));
        if let Some(number) = numbers.find(|number| (1..ELSEWHERE).contains(number)) {
            return AmoebotId(number - 1);
        }
        self.names.push(name);
        self.marks.push(Marks::default());
        self.here.push_inside(amoebot.clone())
    }

    /// Brings everybody next to an amoebot.
    #[inline]
    fn bring_around<A: Algorithm<Memory = M>>(&mut self, job: Job<'_, A>, id: AmoebotId) {
        if std::mem::replace(&mut self.marks[id.index()].is_surrounded, true) {
            return;
        }
        let body = self.here.body(id);
        self.bring_next_to(job, body.head());
        if !body.is_contracted() {
            self.bring_next_to(job, body.tail());
        }
    }

    fn bring_next_to<A: Algorithm<Memory = M>>(&mut self, job: Job<'_, A>, cell: Cell) {
        for number in self.here.occupancy().around(cell) {
            if number & ELSEWHERE > 0 {
                self.bring(job, number);
            }
        }
    }

    /// Whether every cell so far from a body is in the tile.
    #[inline]
    fn is_inside<A: Algorithm<Memory = M>>(&self, job: Job<'_, A>, reach: u32, body: Body) -> bool {
        let inside = reach as i32..(self.side - reach) as i32;
        let (x, y) = job.corner;
        let is_inside = |end| {
            let cell = body.node(end);
            inside.contains(&(cell.x() - x)) && inside.contains(&(cell.y() - y))
        };
        is_inside(End::Head) && is_inside(End::Tail)
    }

    /// Asks the guards of an amoebot, or notes that they cannot be asked here.
    #[inline]
    fn ask<A: Algorithm<Memory = M>>(&mut self, job: Job<'_, A>, id: AmoebotId) {
        let body = self.here.body(id);
        let is_inside = self.is_inside(job, job.reach, body);
        let mut first = None;
        if is_inside {
            let memory = &self.here.amoebot(id).memory;
            // Most who were changed or have a changed neighbour are at rest: nobody need be brought for them.
            if !job.algorithm.possible(memory, body.is_contracted()).is_empty() {
                self.bring_around(job, id);
                first = first_enabled_place(job.algorithm, &View::of(&self.here, id));
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

    /// An enabled amoebot acts.
    fn act<A: Algorithm<Memory = M>>(
        &mut self,
        job: Job<'_, A>,
        id: AmoebotId,
        draws: &mut NodeDraws,
        done: &mut Done<M>,
    ) {
        let looks = job.algorithm.looks();
        if looks == Looks::Beyond {
            self.bring_beyond(job, id);
        }
        let view = View::of(&self.here, id);
        let action = match job.algorithm.order() {
            Order::AsListed => {
                let possible = job.algorithm.possible(view.own(), view.is_contracted());
                possible[self.marks[id.index()].first as usize]
            }
            Order::Any => {
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
                // It rests until a neighbour changes.
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
            done.log.push(Entry {
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

    /// An amoebot that acts and those at whom it looks, each once.
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

    /// Brings everybody at whom an amoebot may look that looks beyond its neighbours.
    fn bring_beyond<A: Algorithm<Memory = M>>(&mut self, job: Job<'_, A>, id: AmoebotId) {
        let body = self.here.body(id);
        for center in body.cells() {
            for cell in center.neighbours() {
                self.bring_next_to(job, cell);
            }
        }
    }

    /// Who changes is looked at by all its neighbours.
    #[inline]
    fn bring_around_changed<A: Algorithm<Memory = M>>(&mut self, job: Job<'_, A>) {
        for at in 0..self.changed.len() {
            let id = self.changed[at];
            self.marks[id.index()].has_changed = true;
            self.bring_around(job, id);
        }
    }

    /// What has come of it, in the numbers of the whole system.
    fn end<A: Algorithm<Memory = M>>(&mut self, job: Job<'_, A>, done: &mut Done<M>) {
        // Once, and not as they grow: another thread drops them, so threads wait for each other.
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
