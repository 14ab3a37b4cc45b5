//! Many amoebots at once, on every core: windows of tiles.
//!
//! In each window the lattice is cut into square tiles at a random shift. Inside a tile amoebots act one after another, each
//! time one drawn uniformly among those who are enabled and so far from the border that their whole lock set, and the cell
//! that they may expand into, lie in the tile. The tiles of a window do not meet, so all of them can be worked on at the same
//! time; in the next window they lie elsewhere.
//!
//! A window equals a sequential run: the actions of the first tile, then those of the second, and so on, tiles in the order of
//! their rows. That order is a function of start, seed and window, and so is everything else here, for any number of threads.
//! The [`Log`] has the actions in this order. Nothing is approximated and nothing is undone; what differs from one amoebot at a
//! time is who goes first.
//!
//! *Fairness.* A tile ends a window when no amoebot inside is enabled, or at the end of an asynchronous round of its own: when
//! everybody whom it found enabled has acted or was disabled. So who is enabled acts in the first window in which its lock set
//! lies inside a tile. With tiles of side s that is so in a window with probability (1 - 5 / s)^2 at least, whatever happened
//! before: with s = 64 who is enabled all the time waits longer than 20 windows with probability below 10^-16, with s = 32
//! longer than 30.
//!
//! A tile in which no amoebot is awake is not looked at. A tile copies the amoebots that its actions come near, when they do,
//! and what it has changed is put back at the end of the window, tile by tile.

use std::cmp::Reverse;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use acrasin_engine::{Draws, Purpose};
use rayon::prelude::*;

use crate::algorithm::{Algorithm, FailedAction, Looks};
use crate::model::body::Body;
use crate::model::id::AmoebotId;
use crate::model::lattice::Cell;
use crate::model::system::{Amoebot, System};
use crate::run::concurrent::log::Entry;
use crate::run::concurrent::{Completed, Log};
use crate::run::overlap::{Overlap, in_two};

mod inside;

use inside::{Inside, Job};

/// Cells along a tile of a system of fewer than [`MANY`] amoebots.
pub const SIDE: u32 = 64;
/// Cells along a tile of a larger system: it has many tiles a window, of which the last one makes nobody wait long.
pub const SIDE_OF_MANY: u32 = 32;
/// So many amoebots are a large system.
pub const MANY: usize = 1 << 18;
/// Cells along the smallest tile.
pub const SIDE_MIN: u32 = 8;
/// Cells along the largest tile.
pub const SIDE_MAX: u32 = 1024;

/// A tile has a window's action for so many of its cells, at least, if so many amoebots are enabled. With short windows two
/// threads end at about the same time.
const CELLS_AN_ACTION: u32 = 32;
/// The same of a large system: with long windows less is copied.
const CELLS_AN_ACTION_OF_MANY: u32 = 4;

/// From who acts to the cells of its lock set, in steps: a neighbour is next to it, and may be on one cell more.
const REACH: u32 = 2;
/// The same of one that looks [beyond](Looks::Beyond) its neighbours.
const REACH_BEYOND: u32 = 3;

/// With fewer awake amoebots in a window the other threads are not asked, if the window before had fewer actions than
/// [`ACTIONS_MIN`]: a few who are awake can be at the head of long rows of actions, and most windows are so.
const PARALLEL_MIN: usize = 64;

/// So many actions take longer than to wake a thread.
const ACTIONS_MIN: u64 = 64;

/// A thread that waits for the next window looks so often whether it has begun, then sleeps: some tens of microseconds.
const SPINS_MAX: u32 = 2000;

/// What happened so far.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Counts {
    /// Windows.
    pub windows: u64,
    /// Completed actions; each held a lock set.
    pub actions: u64,
    /// Movements; a handover is two.
    pub moves: u64,
    /// Aborts that a valid algorithm never has.
    pub invalid: u64,
    /// The most tiles that were worked on in a window.
    pub width: u64,
    /// The tiles of all windows that were worked on.
    pub tiles: u64,
    /// The tiles of the last window.
    pub last_width: u64,
    /// The actions of the last window.
    pub last_actions: u64,
    /// Finished asynchronous rounds, counted when windows end: a round is over once every amoebot that was awake at its start
    /// has completed an action, or had none enabled.
    pub rounds: u64,
}

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
    /// Those who may have an enabled action, each once.
    awake: Vec<AmoebotId>,
    is_awake: Vec<bool>,
    /// Whom the round waits for: some of those who are awake.
    is_pending: Vec<bool>,
    pending: usize,
    /// What threads work with, for the next window.
    scratch: Mutex<Vec<Inside<A::Memory>>>,
    checks: bool,
    overlap: Option<Overlap>,
    log: Option<Log>,
    failed: Option<FailedAction>,
    counts: Counts,
}

/// What a tile did.
#[derive(Debug)]
struct Done<M> {
    /// Those who have changed, as they are now.
    changed: Vec<(AmoebotId, Amoebot<M>)>,
    /// Those of them who were next to the border of the tile, and those who are: they are seen from outside.
    seen: [Vec<AmoebotId>; 2],
    /// Those who may be enabled.
    awake: Vec<AmoebotId>,
    /// Those for whom no round need wait.
    settled: Vec<AmoebotId>,
    /// Whom it had locked, if that is checked.
    locked: Vec<AmoebotId>,
    /// What it did, in order, if it is logged.
    log: Vec<Entry>,
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
    /// At the start, with tiles of [`SIDE`] cells, or of [`SIDE_OF_MANY`]: every amoebot is awake. O(n).
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
            counts: Counts::default(),
            system,
        }
    }

    /// The same with tiles of another side: smaller ones for systems that would fit into one.
    ///
    /// # Panics
    ///
    /// Panics if the side is not [`SIDE_MIN`] to [`SIDE_MAX`].
    #[must_use]
    pub fn of_side(self, side: u32) -> Self {
        assert!(
            (SIDE_MIN..=SIDE_MAX).contains(&side),
            "tiles of {SIDE_MIN} to {SIDE_MAX} cells, not of {side}"
        );
        Self { side, ..self }
    }

    /// The same run with a log of all actions.
    #[must_use]
    pub fn with_log(self) -> Self {
        Self { log: Some(Log::default()), ..self }
    }

    /// The same run, in which every window is checked: no amoebot is locked in two of its tiles. Debug builds always check.
    #[must_use]
    pub fn checked(self) -> Self {
        Self { checks: true, ..self }
    }

    /// The same with another distance from the border: with a smaller one lock sets overlap, as a test shows.
    #[doc(hidden)]
    #[must_use]
    pub fn with_reach(self, reach: u32) -> Self {
        Self { reach, ..self }
    }

    /// The same with tiles that lie in every window where they lie in the first: not fair, as a test shows.
    #[doc(hidden)]
    #[must_use]
    pub fn without_shifts(self) -> Self {
        Self { is_still: true, ..self }
    }

    /// The system now.
    #[must_use]
    pub fn system(&self) -> &System<A::Memory> {
        &self.system
    }

    /// What was done so far, if it is logged.
    #[must_use]
    pub fn log(&self) -> Option<&Log> {
        self.log.as_ref()
    }

    /// Takes what is in the log out of it, in order; nothing is lost if it is asked after every window.
    pub fn take_completed(&mut self) -> Vec<Completed> {
        self.log.as_mut().map_or_else(Vec::new, Log::take_completed)
    }

    /// What happened so far.
    #[must_use]
    pub fn counts(&self) -> Counts {
        self.counts
    }

    /// The first overlap of lock sets that was found, if it is [checked](Self::checked): there is none.
    #[must_use]
    pub fn overlap(&self) -> Option<Overlap> {
        self.overlap
    }

    /// The first action that failed.
    #[must_use]
    pub fn failed(&self) -> Option<&FailedAction> {
        self.failed.as_ref()
    }

    /// Whether no amoebot is awake: nothing will happen any more.
    #[must_use]
    pub fn has_terminated(&self) -> bool {
        self.awake.is_empty()
    }

    /// The bytes that the run takes, without its log.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let scratch = self.scratch.lock().map_or(0, |scratch| scratch.iter().map(Inside::bytes).sum());
        self.system.bytes()
            + self.awake.capacity() * size_of::<AmoebotId>()
            + self.is_awake.capacity()
            + self.is_pending.capacity()
            + scratch
    }

    /// Runs until no amoebot is awake or an action [has failed](Self::failed), but at most so many windows; tells whether no amoebot
    /// is awake.
    pub fn run(&mut self, most: u64) -> bool {
        let mut left = most;
        let mut next = self.next_window(&mut left);
        while let Some(window) = next.take() {
            let done = self.work(&window);
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

    /// One window.
    pub fn window(&mut self) {
        self.run(1);
    }

    /// Who is awake in which tile of the next window, if there is one.
    fn next_window(&mut self, left: &mut u64) -> Option<Window> {
        if *left == 0 || self.has_terminated() || self.failed.is_some() {
            return None;
        }
        *left -= 1;
        let grid = Grid::shifted(
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
        inside.sort_unstable();
        let is_short = inside.len() < PARALLEL_MIN && self.counts.last_actions < ACTIONS_MIN;
        let is_wide = !is_short && inside.first().map(|first| first.0) != inside.last().map(|last| last.0);
        Some(Window { grid, inside, is_wide })
    }

    /// What the tiles of a window do.
    fn work(&self, window: &Window) -> Vec<Done<A::Memory>> {
        let tiles: Vec<&[(u64, AmoebotId)]> = window.inside.chunk_by(|a, b| a.0 == b.0).collect();
        let done: Vec<Mutex<Option<Done<A::Memory>>>> = tiles.iter().map(|_| Mutex::default()).collect();
        let work = |at: usize| {
            let result = self.tile(window.grid, tiles[at]);
            *done[at].lock().expect(ALONE) = Some(result);
        };
        if window.is_wide {
            each_tile(&tiles, &work);
        } else {
            (0..tiles.len()).for_each(work);
        }
        let done = done.into_iter().map(|done| done.into_inner().expect(ALONE).expect("every tile is done"));
        done.collect()
    }

    /// The end of a window: what its tiles did is put back, in their order.
    fn finish(&mut self, done: Vec<Done<A::Memory>>) {
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

    /// A tile's share of a window.
    fn tile(&self, grid: Grid, awake: &[(u64, AmoebotId)]) -> Done<A::Memory> {
        let first = awake[0].1;
        let draws = self.draws.stream(Purpose::Order, self.counts.windows).of_node(first.0);
        let corner = grid.corner(self.system.body(first).head());
        let thread = rayon::current_thread_index();
        let mut inside =
            self.scratch_of(thread).unwrap_or_else(|| Inside::new(&self.system, self.side, thread));
        let job = Job {
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

    /// What a thread has worked with before: it is still in its caches.
    fn scratch_of(&self, thread: Option<usize>) -> Option<Inside<A::Memory>> {
        let mut scratch = self.scratch.lock().expect(ALONE);
        let at = scratch.iter().position(|inside| inside.is_of(thread))?;
        Some(scratch.swap_remove(at))
    }

    /// Whoever is next to them is woken.
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

    fn put_back(&mut self, done: Done<A::Memory>) {
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

const ALONE: &str = "no thread has panicked with it";

/// Does the work of all tiles on the threads of the pool, those with the most who are awake first: the last ones are short
/// then, and threads end at about the same time. Whoever is free takes the next one, so a thread that is slow to wake delays
/// no other.
///
/// The work is handed over by reference: what rayon makes of it is compiled once, and not for every algorithm.
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

/// Does what one thread does between windows, while the others of the pool stay awake: a thread that has fallen asleep takes
/// tens of microseconds to wake, as long as a tile or two.
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

/// A window: how the lattice is cut in it, and who is awake inside of its tiles.
#[derive(Debug)]
struct Window {
    grid: Grid,
    /// By tiles, then by numbers.
    inside: Vec<(u64, AmoebotId)>,
    /// More than one thread works on it.
    is_wide: bool,
}

/// How the lattice is cut in a window.
#[derive(Clone, Copy, Debug)]
struct Grid {
    side: i32,
    reach: i32,
    shift: (i32, i32),
}

impl Grid {
    fn shifted(draws: Draws, window: u64, side: u32, reach: u32) -> Self {
        let word = draws.stream(Purpose::Topology, window).word(0);
        // Of 2^32 words some remainders have one more than others: one part in 2^22.
        let shift = |word: u32| (word % side) as i32;
        Self {
            side: side as i32,
            reach: reach as i32,
            shift: (shift(word as u32), shift((word >> 32) as u32)),
        }
    }

    /// Column and row of a cell's tile, and where in it the cell is. Coordinates are a quarter of what fits.
    fn place(self, cell: Cell) -> [(i32, i32); 2] {
        let along =
            |at: i32, shift: i32| ((at - shift).div_euclid(self.side), (at - shift).rem_euclid(self.side));
        [along(cell.x(), self.shift.0), along(cell.y(), self.shift.1)]
    }

    /// The tile of a body if everything within reach of it is in the tile, too: a number that rises from row to row.
    fn tile(self, body: Body) -> Option<u64> {
        let inside = self.reach..self.side - self.reach;
        let [(column, x), (row, y)] = self.place(body.head());
        let (dx, dy) = (body.tail().x() - body.head().x(), body.tail().y() - body.head().y());
        let is_inside = [x, x + dx, y, y + dy].iter().all(|at| inside.contains(at));
        let above = |number: i32| u64::from((number + (1 << 30)) as u32);
        is_inside.then(|| above(row) << 32 | above(column))
    }

    /// The cell of a tile with the least coordinates; it may be beyond the limit of the lattice.
    fn corner(self, cell: Cell) -> (i32, i32) {
        let [(_, x), (_, y)] = self.place(cell);
        (cell.x() - x, cell.y() - y)
    }
}
