//! Parallel execution in windows of tiles, on every core.
//!
//! In each window the lattice is divided into square tiles with a random shift. Inside a tile amoebots act one after
//! another. Each actor is drawn uniformly among the enabled amoebots far enough from the border: their whole lock set,
//! and the cell they may expand into, lie in the tile. The tiles of a window are disjoint, so they can be processed in
//! parallel. The next window has another shift.
//!
//! A window is equivalent to a sequential run: the actions of the first tile, then those of the second, and so on, row
//! by row. That order is a function of start, seed and window, and so is every result, for any number of threads. The
//! [`ActionLog`] has the actions in this order. The run is exact, and no action is undone; only the schedule differs
//! from that of a run with one amoebot at a time.
//!
//! *Fairness.* A tile ends its window when no amoebot inside is enabled, or at the end of its own asynchronous round.
//! This round ends when all amoebots that were enabled when the tile began have acted or been disabled. So an enabled
//! amoebot acts in the first window in which its lock set lies inside a tile. With tiles of side s this happens in each
//! window with probability at least (1 - 5 / s)^2, independently of the past. With s = 64 a continuously enabled
//! amoebot waits longer than 20 windows with probability below 10^-16. With s = 32 this bound holds for 30 windows.
//!
//! A tile without awake amoebots is skipped. A tile copies amoebots on demand, when an action comes near them. At the
//! end of the window its changes are written back, tile by tile.

use std::cmp::Reverse;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use acrasin_engine::{Draws, Purpose};
use acrasin_runtime::pack::{Pack, PackError, pack_bits};
use acrasin_runtime::pack_fields;
use rayon::prelude::*;

use crate::algorithm::{Algorithm, FailedAction, Looks};
use crate::model::body::Body;
use crate::model::id::AmoebotId;
use crate::model::lattice::Cell;
use crate::model::system::{Amoebot, System};
use crate::run::awake::load_awake;
use crate::run::concurrent::log::LogEntry;
use crate::run::concurrent::{ActionLog, Completed};
use crate::run::overlap::{Overlap, in_two};

mod worker;

use worker::{TileJob, TileWorker};

/// The side of a tile in cells, for a system of fewer than [`MANY`] amoebots.
pub const SIDE: u32 = 64;
/// The side of a tile in cells, for a larger system. With many tiles per window, threads wait only briefly for the last
/// tile.
pub const SIDE_OF_MANY: u32 = 32;
/// The number of amoebots from which a system counts as large.
pub const MANY: usize = 1 << 18;
/// The smallest side of a tile, in cells.
pub const SIDE_MIN: u32 = 8;
/// The largest side of a tile, in cells.
pub const SIDE_MAX: u32 = 1024;

/// A tile executes at least one action per window for every 32 of its cells, if enough amoebots are enabled. Windows
/// are short, so that the threads of a window end at about the same time.
const CELLS_AN_ACTION: u32 = 32;
/// The number of cells per action in a large system, where longer windows copy less.
const CELLS_AN_ACTION_OF_MANY: u32 = 4;

/// The distance from an actor to the cells of its lock set: a neighbour is adjacent, and its other cell may be one cell
/// further away.
const REACH: u32 = 2;
/// The distance from an actor to the cells of its lock set, if it looks [beyond](Looks::Beyond) its neighbours.
const REACH_BEYOND: u32 = 3;

/// With fewer awake amoebots a window runs on one thread, if the previous window had fewer than [`ACTIONS_MIN`]
/// actions. The second condition is needed, because a few awake amoebots can cause long sequences of actions.
const PARALLEL_MIN: usize = 64;

/// A window with this many actions takes longer than waking a thread.
const ACTIONS_MIN: u64 = 64;

/// The number of times that a thread polls for the next window before it sleeps: some tens of microseconds.
const SPINS_MAX: u32 = 2000;

/// Counters of a run in tiles.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct TileCounts {
    /// The number of completed windows.
    pub windows: u64,
    /// The number of completed actions; each held a lock set.
    pub actions: u64,
    /// The number of movements; a handover is two.
    pub moves: u64,
    /// The number of aborted actions; 0 for a valid algorithm.
    pub invalid: u64,
    /// The maximum number of tiles that were processed in a window.
    pub width: u64,
    /// The number of tiles that were processed, summed over all windows.
    pub tiles: u64,
    /// The number of tiles processed in the last window.
    pub last_width: u64,
    /// The number of actions in the last window.
    pub last_actions: u64,
    /// The number of completed asynchronous rounds, counted at the ends of windows. A round ends once every amoebot
    /// that was awake at its start has completed an action, or had no enabled action.
    pub rounds: u64,
}

pack_fields!(TileCounts { windows, actions, moves, invalid, width, tiles, last_width, last_actions, rounds });

/// A run in windows of tiles.
///
/// ```
/// use acrasin_amoebot::run::tiles::Tiles;
/// use acrasin_amoebot::{Cell, Direction, Hexagon, start};
///
/// let line = start::line(Cell::ORIGIN, Direction::West, 100)?;
/// let mut tiles = Tiles::new(&Hexagon, Hexagon::start(&line, 0, &[])?, 1);
/// assert!(tiles.run(100_000));
/// let mut hexagon = start::spiral(Cell::ORIGIN, Direction::East, 100)?;
/// hexagon.sort();
/// assert_eq!(tiles.system().cells(), hexagon);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Tiles<'a, A: Algorithm> {
    algorithm: &'a A,
    system: System<A::Memory>,
    draws: Draws,
    side: u32,
    cells_an_action: u32,
    reach: u32,
    is_still: bool,
    /// The amoebots that may have an enabled action, each once.
    awake: Vec<AmoebotId>,
    is_awake: Vec<bool>,
    /// For each amoebot, whether the round waits for it. All such amoebots are awake.
    is_pending: Vec<bool>,
    pending: usize,
    /// The buffers of the threads, for the next window.
    scratch: Mutex<Vec<TileWorker<A::Memory>>>,
    checks: bool,
    overlap: Option<Overlap>,
    log: Option<ActionLog>,
    failed: Option<FailedAction>,
    counts: TileCounts,
}

/// The results of a tile in a window.
#[derive(Debug)]
struct TileResult<M> {
    /// The changed amoebots, in their new state.
    changed: Vec<(AmoebotId, Amoebot<M>)>,
    /// The amoebots next to the border of the tile, before and after the window. They are visible from outside the
    /// tile.
    seen: [Vec<AmoebotId>; 2],
    /// The amoebots that may be enabled.
    awake: Vec<AmoebotId>,
    /// The amoebots for which the round no longer waits.
    settled: Vec<AmoebotId>,
    /// The amoebots that the tile locked, if overlaps are checked.
    locked: Vec<AmoebotId>,
    /// The actions, in order, if logged.
    log: Vec<LogEntry>,
    actions: u64,
    moves: u64,
    invalid: u64,
    /// The first action that failed.
    failed: Option<FailedAction>,
}

impl<'a, A> Tiles<'a, A>
where
    A: Algorithm + Sync,
    A::Memory: Send + Sync,
{
    /// Starts a run from this system with tiles of [`SIDE`] or [`SIDE_OF_MANY`] cells and every amoebot awake. O(n).
    #[must_use]
    pub fn new(algorithm: &'a A, system: System<A::Memory>, seed: u64) -> Self {
        let (side, cells_an_action) = match system.len() {
            0..MANY => (SIDE, CELLS_AN_ACTION),
            _ => (SIDE_OF_MANY, CELLS_AN_ACTION_OF_MANY),
        };
        Self {
            algorithm,
            draws: Draws::new(seed),
            side,
            cells_an_action,
            reach: match algorithm.looks() {
                Looks::AtNeighbours => REACH,
                Looks::Beyond => REACH_BEYOND,
            },
            is_still: false,
            awake: system.ids().collect(),
            is_awake: vec![true; system.len()],
            is_pending: vec![true; system.len()],
            pending: system.len(),
            scratch: Mutex::default(),
            checks: cfg!(debug_assertions),
            overlap: None,
            log: None,
            failed: None,
            counts: TileCounts::default(),
            system,
        }
    }

    /// Sets the side of the tiles, for example to a smaller value for a system that would fit into one tile.
    ///
    /// # Panics
    ///
    /// Panics if the side is not [`SIDE_MIN`] to [`SIDE_MAX`].
    #[must_use]
    pub fn with_side(self, side: u32) -> Self {
        assert!(
            (SIDE_MIN..=SIDE_MAX).contains(&side),
            "tiles of {SIDE_MIN} to {SIDE_MAX} cells, not of {side}"
        );
        Self { side, ..self }
    }

    /// Turns on the log of all actions.
    #[must_use]
    pub fn with_log(self) -> Self {
        Self { log: Some(ActionLog::default()), ..self }
    }

    /// Checks in every window that no amoebot is locked in two tiles. Debug builds always check.
    #[must_use]
    pub fn with_checks(self) -> Self {
        Self { checks: true, ..self }
    }

    /// Sets the distance that actors keep from the border. A smaller distance makes lock sets overlap: a planted fault
    /// that a test must detect.
    #[doc(hidden)]
    #[must_use]
    pub fn with_reach(self, reach: u32) -> Self {
        Self { reach, ..self }
    }

    /// Keeps the tiles of the first window in all windows. This is unfair: a planted fault that a test must detect.
    #[doc(hidden)]
    #[must_use]
    pub fn without_shifts(self) -> Self {
        Self { is_still: true, ..self }
    }

    /// Appends the state. Returns `false` if memories cannot be saved, or if an action has failed, since the run is
    /// then over.
    pub fn save(&self, into: &mut Vec<u8>) -> bool {
        (self.draws.seed(), self.pending).pack(into);
        self.counts.pack(into);
        self.awake.pack(into);
        pack_bits(&self.is_pending, into);
        self.overlap.pack(into);
        self.log.pack(into);
        let mut memory = |memory: &A::Memory, into: &mut Vec<u8>| self.algorithm.save_memory(memory, into);
        self.failed.is_none() && self.system.save(&mut memory, into)
    }

    /// Restores the state that [`save`](Self::save) wrote for a run from the same start with the same seed.
    ///
    /// # Errors
    ///
    /// [`PackError`] if `from` does not begin with such a state. The run is then unusable until a load succeeds.
    pub fn load(&mut self, from: &mut &[u8]) -> Result<(), PackError> {
        let seed: u64;
        (seed, self.pending) = Pack::unpack(from)?;
        self.counts.unpack_into(from)?;
        load_awake((&mut self.awake, &mut self.is_awake), (self.pending, &mut self.is_pending), from)?;
        self.overlap.unpack_into(from)?;
        if seed != self.draws.seed() {
            return Err(PackError);
        }
        ActionLog::load_kept(&mut self.log, (self.system.len(), self.algorithm.actions().len()), from)?;
        self.system.load(&mut |from| self.algorithm.load_memory(from), from)
    }

    /// The amoebots in their current state.
    #[must_use]
    pub fn system(&self) -> &System<A::Memory> {
        &self.system
    }

    /// The log of actions so far; `None` unless [turned on](Self::with_log).
    #[must_use]
    pub fn log(&self) -> Option<&ActionLog> {
        self.log.as_ref()
    }

    /// Removes all actions from the log and returns them, in order. To get all actions, call this after every window.
    pub fn take_completed(&mut self) -> Vec<Completed> {
        self.log.as_mut().map_or_else(Vec::new, ActionLog::take_completed)
    }

    /// The counters so far.
    #[must_use]
    pub fn counts(&self) -> TileCounts {
        self.counts
    }

    /// The first overlap of lock sets that a [check](Self::with_checks) has found. Correct runs have none.
    #[must_use]
    pub fn overlap(&self) -> Option<Overlap> {
        self.overlap
    }

    /// The first action that failed; `None` for a run without errors.
    #[must_use]
    pub fn failed(&self) -> Option<&FailedAction> {
        self.failed.as_ref()
    }

    /// Whether no amoebot is awake: the run is over.
    #[must_use]
    pub fn has_terminated(&self) -> bool {
        self.awake.is_empty()
    }

    /// The bytes that the run takes, without its log.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let scratch = self.scratch.lock().map_or(0, |scratch| scratch.iter().map(TileWorker::bytes).sum());
        self.system.bytes()
            + self.awake.capacity() * size_of::<AmoebotId>()
            + self.is_awake.capacity()
            + self.is_pending.capacity()
            + scratch
    }

    /// Runs at most `most` windows, until no amoebot is awake or an action [has failed](Self::failed). Returns whether
    /// no amoebot is awake.
    pub fn run(&mut self, most: u64) -> bool {
        self.run_while(most, &|| true)
    }

    /// Like [`run`](Self::run), but also ends once `goes_on` returns false. That function is called once per tile. The
    /// window in progress is then discarded.
    pub fn run_while(&mut self, most: u64, goes_on: &(dyn Fn() -> bool + Sync)) -> bool {
        let mut left = most;
        let mut next = self.next_window(&mut left);
        while let Some(window) = next.take() {
            let Some(done) = self.work(&window, goes_on) else {
                self.put_off(&window);
                break;
            };
            let mut between = |done| {
                self.finish(done);
                next = self.next_window(&mut left);
            };
            if window.is_wide {
                meanwhile_awake(|| between(done));
            } else {
                between(done);
            }
        }
        self.has_terminated()
    }

    /// Executes one window.
    pub fn window(&mut self) {
        self.run(1);
    }

    /// Prepares the next window: its awake amoebots, sorted by tile. `None` at the end of the run.
    fn next_window(&mut self, left: &mut u64) -> Option<TileWindow> {
        if *left == 0 || self.has_terminated() || self.failed.is_some() {
            return None;
        }
        *left -= 1;
        let grid = TileGrid::shifted(
            self.draws,
            if self.is_still { 0 } else { self.counts.windows },
            self.side,
            self.reach,
        );
        let mut inside: Vec<(u64, AmoebotId)> = Vec::new();
        let system = &self.system;
        let is_awake = &mut self.is_awake;
        self.awake.retain(|id| {
            let tile = grid.tile(system.body(*id));
            if let Some(tile) = tile {
                inside.push((tile, *id));
                is_awake[id.index()] = false;
            }
            tile.is_none()
        });
        sort_by_tile(&mut inside);
        let is_short = inside.len() < PARALLEL_MIN && self.counts.last_actions < ACTIONS_MIN;
        let is_wide = !is_short && inside.first().map(|first| first.0) != inside.last().map(|last| last.0);
        Some(TileWindow { grid, inside, is_wide })
    }

    /// Marks the amoebots of an unfinished window as awake again.
    fn put_off(&mut self, window: &TileWindow) {
        for (_, id) in &window.inside {
            self.is_awake[id.index()] = true;
            self.awake.push(*id);
        }
    }

    /// Processes the tiles of a window; `None` once `goes_on` returns false.
    fn work(
        &self,
        window: &TileWindow,
        goes_on: &(dyn Fn() -> bool + Sync),
    ) -> Option<Vec<TileResult<A::Memory>>> {
        let tiles: Vec<&[(u64, AmoebotId)]> = window.inside.chunk_by(|a, b| a.0 == b.0).collect();
        let done: Vec<Mutex<Option<TileResult<A::Memory>>>> =
            tiles.iter().map(|_| Mutex::default()).collect();
        let work = |at: usize| {
            let result = goes_on().then(|| self.tile(window.grid, tiles[at]));
            *done[at].lock().expect(ALONE) = result;
        };
        if window.is_wide {
            each_tile(&tiles, &work);
        } else {
            (0..tiles.len()).for_each(work);
        }
        done.into_iter().map(|done| done.into_inner().expect(ALONE)).collect()
    }

    /// Ends a window: writes the results of its tiles back, in the order of the tiles.
    fn finish(&mut self, done: Vec<TileResult<A::Memory>>) {
        if self.checks && self.overlap.is_none() {
            let id = in_two(done.iter().map(|done| done.locked.iter().copied()));
            self.overlap = id.map(|id| Overlap { step: self.counts.windows, id });
        }
        self.counts.last_actions = done.iter().map(|done| done.actions).sum();
        self.counts.windows += 1;
        self.counts.last_width = done.len() as u64;
        self.counts.tiles += self.counts.last_width;
        self.counts.width = self.counts.width.max(self.counts.last_width);
        for done in done {
            self.put_back(done);
        }
        if self.pending == 0 {
            self.counts.rounds += 1;
            self.pending = self.awake.len();
            for id in &self.awake {
                self.is_pending[id.index()] = true;
            }
        }
    }

    /// Processes one tile of a window.
    fn tile(&self, grid: TileGrid, awake: &[(u64, AmoebotId)]) -> TileResult<A::Memory> {
        let first = awake[0].1;
        let draws = self.draws.stream(Purpose::Order, self.counts.windows).of_node(first.0);
        let corner = grid.corner(self.system.body(first).head());
        let thread = rayon::current_thread_index();
        let mut inside =
            self.scratch_of(thread).unwrap_or_else(|| TileWorker::new(&self.system, self.side, thread));
        let job = TileJob {
            algorithm: self.algorithm,
            system: &self.system,
            corner,
            reach: self.reach,
            actions_min: self.side * self.side / self.cells_an_action,
            is_logged: self.log.is_some(),
            is_checked: self.checks,
        };
        let done = inside.run(job, awake.iter().map(|(_, id)| *id), draws);
        self.scratch.lock().expect(ALONE).push(inside);
        done
    }

    /// The buffers that this thread used before, which are still in its caches. `None` if the thread has used none.
    fn scratch_of(&self, thread: Option<usize>) -> Option<TileWorker<A::Memory>> {
        let mut scratch = self.scratch.lock().expect(ALONE);
        let at = scratch.iter().position(|inside| inside.is_of(thread))?;
        Some(scratch.swap_remove(at))
    }

    /// Wakes all neighbours of these amoebots.
    fn wake_near(&mut self, ids: &[AmoebotId]) {
        let Self { system, is_awake, awake, .. } = self;
        for id in ids {
            system.each_near(*id, |near| {
                if !std::mem::replace(&mut is_awake[near.index()], true) {
                    awake.push(near);
                }
            });
        }
    }

    fn put_back(&mut self, done: TileResult<A::Memory>) {
        self.counts.moves += done.moves;
        self.counts.invalid += done.invalid;
        if self.failed.is_none() {
            self.failed = done.failed;
        }
        if let Some(log) = &mut self.log {
            for entry in done.log {
                log.push_next(entry);
            }
        }
        self.counts.actions += done.actions;
        let [seen_before, seen_after] = &done.seen;
        self.wake_near(seen_before);
        self.system.replace(&done.changed);
        self.wake_near(seen_after);
        for id in done.settled {
            self.pending -= usize::from(std::mem::take(&mut self.is_pending[id.index()]));
        }
        for id in done.awake {
            if !std::mem::replace(&mut self.is_awake[id.index()], true) {
                self.awake.push(id);
            }
        }
    }
}

/// Sorts amoebots by tile and number. Not generic, so it is compiled once for all algorithms.
fn sort_by_tile(inside: &mut [(u64, AmoebotId)]) {
    inside.sort_unstable();
}

const ALONE: &str = "no thread has panicked with it";

/// Processes all tiles on the threads of the pool, those with the most awake amoebots first. The last tiles are then
/// short, so threads end at about the same time. A free thread takes the next tile, so a thread that wakes slowly
/// delays no other.
///
/// Takes a trait object, so that rayon's code is compiled once, not for every algorithm.
fn each_tile(tiles: &[&[(u64, AmoebotId)]], work: &(dyn Fn(usize) + Sync)) {
    let mut order: Vec<usize> = (0..tiles.len()).collect();
    order.sort_by_key(|at| Reverse(tiles[*at].len()));
    let (next, finished) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let threads = rayon::current_num_threads().min(tiles.len());
    (0..threads).into_par_iter().with_max_len(1).for_each(|_| {
        while let Some(at) = order.get(next.fetch_add(1, Ordering::Relaxed)) {
            work(*at);
            finished.fetch_add(1, Ordering::Relaxed);
        }
        stay_awake(|| finished.load(Ordering::Relaxed) == tiles.len());
    });
}

/// Runs the sequential work between windows while the other threads of the pool stay awake. Waking a sleeping thread
/// takes tens of microseconds, as long as the work on one or two tiles.
fn meanwhile_awake(alone: impl FnOnce()) {
    let is_over = AtomicBool::new(false);
    rayon::in_place_scope(|scope| {
        for _ in 1..rayon::current_num_threads() {
            scope.spawn(|_| {
                stay_awake(|| is_over.load(Ordering::Relaxed));
            });
        }
        alone();
        is_over.store(true, Ordering::Relaxed);
    });
}

fn stay_awake(is_over: impl Fn() -> bool) {
    for _ in 0..SPINS_MAX {
        if is_over() {
            break;
        }
        std::hint::spin_loop();
    }
}

/// A window: its grid of tiles, and the awake amoebots inside the tiles.
#[derive(Debug)]
struct TileWindow {
    grid: TileGrid,
    /// The tile and the identity of each awake amoebot that is inside a tile, sorted.
    inside: Vec<(u64, AmoebotId)>,
    /// Whether several threads process the window.
    is_wide: bool,
}

/// The grid of tiles of a window.
#[derive(Clone, Copy, Debug)]
struct TileGrid {
    side: i32,
    reach: i32,
    shift: (i32, i32),
}

impl TileGrid {
    fn shifted(draws: Draws, window: u64, side: u32, reach: u32) -> Self {
        let word = draws.stream(Purpose::Topology, window).word(0);
        // The modulo bias is negligible: among 2^32 words some remainders occur once more, a relative difference
        // of 2^-22.
        let shift = |word: u32| (word % side) as i32;
        Self {
            side: side as i32,
            reach: reach as i32,
            shift: (shift(word as u32), shift((word >> 32) as u32)),
        }
    }

    /// The column and row of the tile of a cell, each with the cell's position within the tile. Cannot overflow, since
    /// coordinates are below 2^30.
    fn place(self, cell: Cell) -> [(i32, i32); 2] {
        let along =
            |at: i32, shift: i32| ((at - shift).div_euclid(self.side), (at - shift).rem_euclid(self.side));
        [along(cell.x(), self.shift.0), along(cell.y(), self.shift.1)]
    }

    /// The tile that contains everything within reach of a body, if there is one. Tiles are numbered row by row.
    fn tile(self, body: Body) -> Option<u64> {
        let inside = self.reach..self.side - self.reach;
        let [(column, x), (row, y)] = self.place(body.head());
        let (dx, dy) = (body.tail().x() - body.head().x(), body.tail().y() - body.head().y());
        let is_inside = [x, x + dx, y, y + dy].iter().all(|at| inside.contains(at));
        let above = |number: i32| u64::from((number + (1 << 30)) as u32);
        is_inside.then(|| above(row) << 32 | above(column))
    }

    /// The least coordinates of the tile that contains a cell. They may be beyond the limit of the lattice.
    fn corner(self, cell: Cell) -> (i32, i32) {
        let [(_, x), (_, y)] = self.place(cell);
        (cell.x() - x, cell.y() - y)
    }
}
