//! Amoebots that are not neighbours, and so hold disjoint locks, expand into one cell: exactly one succeeds, and
//! the others have no effect.

use std::cell::Cell as Shared;
use std::hash::{Hash, Hasher};

use acrasin_amoebot::AmoebotId;
use acrasin_amoebot::check::concurrent::explore_concurrent;
use acrasin_amoebot::run::concurrent::{
    Concurrent, ConcurrentCounts, Locks, MessageLocks, NoLocks, Stepped, TryLocks,
};
use acrasin_amoebot::run::execution::UniformEnabled;
use acrasin_amoebot::run::parallel::Waves;
use acrasin_amoebot::{
    ActionError, ActionOrder, Algorithm, Amoebot, AmoebotPort, Body, Cell, Direction, Effects, End, Movement,
    OperationError, Orientation, System, View,
};
use acrasin_runtime::Seeded;
use acrasin_runtime::choice::{Choices, Decision, pick_index};
use acrasin_runtime::exclusion::local::Local;
use acrasin_runtime::lock::Outside;
use acrasin_runtime::scheduler::{
    Asynchronous, NewestFirst, RandomPriorities, RoundRobin, Scheduler, Sequential,
};
use proptest::prelude::*;

use super::every_order::OwnLock;

/// The desired direction of an amoebot, its remaining actions, and the number of times it was touched.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Memory {
    wants: AmoebotPort,
    breaths: u8,
    touched: u8,
    announced: bool,
}

/// An algorithm in which every amoebot expands at the port in its memory, and contracts into the new node. Each time it
/// writes to its neighbours.
///
/// | label | guard | operations |
/// |---|---|---|
/// | Swell | contracted, has breath, its desired node is empty | one breath less; touch; Expand |
/// | Shrink | expanded, has breath | one breath less; another desired port; touch; Contract(tail) |
struct Swell {
    /// Whether to use the wrong variant: Swell makes its writes in a separate action before it expands.
    writes_first: bool,
}

const SWELL: Swell = Swell { writes_first: false };
const WRITES_FIRST: Swell = Swell { writes_first: true };

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Action {
    Swell,
    Shrink,
}

fn touching(view: &View<'_, Memory>) -> Effects<Memory> {
    view.neighbours().fold(Effects::none(), |effects, neighbour| {
        let touched = neighbour.memory.touched.wrapping_add(1);
        effects.write(neighbour.port, Memory { touched, ..*neighbour.memory })
    })
}

impl Algorithm for Swell {
    type Memory = Memory;
    type Action = Action;
    fn actions(&self) -> &[Action] {
        &[Action::Swell, Action::Shrink]
    }
    fn order(&self) -> ActionOrder {
        ActionOrder::AsListed
    }
    fn enabled(&self, action: Action, view: &View<'_, Memory>) -> bool {
        let own = view.own();
        match action {
            Action::Swell => view.is_contracted() && own.breaths > 0 && !view.connected(own.wants),
            Action::Shrink => !view.is_contracted() && own.breaths > 0,
        }
    }
    fn execute(
        &self,
        action: Action,
        view: &View<'_, Memory>,
        choices: &mut dyn Choices,
    ) -> Result<Effects<Memory>, ActionError> {
        let own = *view.own();
        let less = Memory { breaths: own.breaths - 1, announced: false, ..own };
        Ok(match action {
            Action::Swell if self.writes_first && !own.announced => {
                touching(view).write_own(Memory { announced: true, ..own })
            }
            Action::Swell => {
                let effects = if self.writes_first { Effects::none() } else { touching(view) };
                effects.write_own(less).then(Movement::Expand(own.wants))
            }
            Action::Shrink => {
                let label = pick_index(choices, 6, Decision::Outcome).expect("six labels") as u8 + 1;
                let effects = touching(view).write_own(Memory { wants: AmoebotPort::head(label), ..less });
                effects.then(Movement::Contract(End::Tail))
            }
        })
    }
}

fn beside(cell: Cell, direction: Direction) -> Cell {
    cell.neighbour(direction).expect("near the origin")
}

fn standing(cell: Cell, wants: AmoebotPort, breaths: u8) -> Amoebot<Memory> {
    let memory = Memory { wants, breaths, touched: 0, announced: false };
    Amoebot { body: Body::contracted(cell), orientation: Orientation::COMMON, memory }
}

/// Amoebots in these directions from a free cell, which all try to enter that cell. Each of the first `followed`
/// amoebots has a passive neighbour behind it, to which it writes.
fn site(centre: Cell, directions: &[u8], followed: usize) -> Vec<Amoebot<Memory>> {
    let ways = directions.iter().map(|index| Direction::from_index(*index));
    let mut amoebots = Vec::new();
    for (at, way) in ways.enumerate() {
        let place = beside(centre, way);
        amoebots.push(standing(place, AmoebotPort::head(way.opposite().index() + 1), 1));
        if at < followed {
            amoebots.push(standing(beside(place, way), AmoebotPort::head(1), 0));
        }
    }
    amoebots
}

/// Contenders for one cell are not neighbours of each other.
const SITES: [&[u8]; 5] = [&[0, 2, 4], &[1, 3, 5], &[0, 3], &[0, 2], &[4, 1]];

fn contenders(system: &System<Memory>) -> Vec<AmoebotId> {
    system.ids().filter(|id| system.memory(*id).breaths > 0).collect()
}

/// The amoebots that have expanded; `None` unless the final system equals the result of these amoebots acting one after
/// the other.
fn winners(start: &System<Memory>, end: &System<Memory>) -> Option<Vec<AmoebotId>> {
    let winners: Vec<AmoebotId> = end.ids().filter(|id| !end.body(*id).is_contracted()).collect();
    let mut expected = start.clone();
    for id in &winners {
        let effects = SWELL.execute(Action::Swell, &View::new(&expected, *id), &mut Seeded::new(0));
        effects.ok()?.apply(&mut expected, *id).ok()?;
    }
    (expected == *end).then_some(winners)
}

/// The counters of a run, and the system at its end.
type Watched<M> = (ConcurrentCounts, System<M>);

/// Runs to the end and checks each step. Lock sets are disjoint. A step that aborts changes nothing, and an action that
/// is aborted after Lock has changed nothing. The replay of the log leads to the same final system.
fn watch<A: Algorithm, L: Locks>(
    algorithm: &A,
    start: &System<A::Memory>,
    locks: L,
    seed: u64,
) -> Result<Watched<A::Memory>, String> {
    let (mut run, mut choices) = (Concurrent::new(algorithm, start.clone(), locks), Seeded::new(seed));
    let mut at_lock: Vec<Vec<Amoebot<A::Memory>>> = vec![Vec::new(); start.len()];
    for _ in 0..500_000 {
        if run.has_terminated() {
            break;
        }
        if pick_index(&mut choices, 2, Decision::Adversary) == Some(0) && run.advance_locks(&mut choices) {
            continue;
        }
        let busy = run.busy().ids();
        let id = busy[pick_index(&mut choices, busy.len(), Decision::Activation).expect("an amoebot")];
        let before = run.system().clone();
        let stepped = run.step(id, &mut choices);
        let locked = run.lock_set(id).unwrap_or_default();
        let now = || locked.iter().map(|member| run.system().amoebot(*member).clone()).collect::<Vec<_>>();
        match stepped {
            Stepped::Locked => at_lock[id.index()] = now(),
            Stepped::LockFailed if *run.system() != before => return Err("Lock has an effect".into()),
            Stepped::ExpandFailed(_) | Stepped::Disabled | Stepped::Awakened
                if *run.system() != before || now() != at_lock[id.index()] =>
            {
                return Err(format!("{stepped:?} of {id} has an effect"));
            }
            Stepped::Invalid(_) | Stepped::MoveFailed(_) => return Err(format!("{stepped:?} of {id}")),
            _ => {}
        }
        if let Stepped::ExpandFailed(error) = stepped
            && !matches!(error, OperationError::Occupied { .. })
        {
            return Err(format!("{id}: {error}"));
        }
        if !run.lock_sets_are_disjoint() {
            return Err("lock sets overlap".into());
        }
    }
    if !run.has_terminated() {
        return Err("it goes on and on".into());
    }
    let replay = run.log().replay(algorithm, start.clone()).map_err(|error| error.to_string())?;
    if replay != *run.system() {
        return Err("the replay leads elsewhere".into());
    }
    Ok((run.counts(), replay))
}

type Messenger = Box<dyn Scheduler<Local, Outside<()>>>;

fn schedulers() -> [Messenger; 5] {
    [
        Box::new(Sequential::new()),
        Box::new(Asynchronous::new()),
        Box::new(NewestFirst::new()),
        Box::new(RandomPriorities::new(3, 10_000)),
        Box::new(RoundRobin::new()),
    ]
}

/// Executes steps of one amoebot and of the locks until a step with a result for which `wanted` returns true.
fn until<L: Locks>(
    run: &mut Concurrent<'_, Swell, L>,
    id: AmoebotId,
    choices: &mut Seeded,
    wanted: impl Fn(Stepped) -> bool,
) -> Stepped {
    for _ in 0..10_000 {
        run.advance_locks(choices);
        let stepped = run.step(id, choices);
        if wanted(stepped) {
            return stepped;
        }
    }
    panic!("amoebot {id} does not come so far");
}

/// All contenders compute before the first one expands; then they expand in the given order.
fn collide<L: Locks>(start: &System<Memory>, locks: L, order: &[AmoebotId], seed: u64) {
    let (mut run, mut choices) = (Concurrent::new(&SWELL, start.clone(), locks), Seeded::new(seed));
    for id in order {
        until(&mut run, *id, &mut choices, |stepped| stepped == Stepped::Decided);
    }
    assert_eq!((run.system(), run.inside()), (start, order.len()));
    assert!(run.lock_sets_are_disjoint());
    let (first, others) = order.split_first().expect("an amoebot");
    assert_eq!(run.step(*first, &mut choices), Stepped::Expanded);
    assert_eq!(run.system().memory(*first), start.memory(*first), "it expands before it writes");
    for id in others {
        let before = run.system().clone();
        let port = start.memory(*id).wants;
        let failed = Stepped::ExpandFailed(OperationError::Occupied { port });
        assert_eq!(run.step(*id, &mut choices), failed);
        assert_eq!(run.system(), &before);
        assert!(run.lock_set(*id).is_some_and(|held| held.contains(id)), "it unlocks in a step of its own");
    }
    let failures = others.len() as u64;
    assert_eq!((run.counts().expand_failures, run.counts().invalid), (failures, 0));
    assert!(run.run(1_000_000, &mut UniformEnabled, &mut choices));
    assert_eq!(winners(start, run.system()), Some(vec![*first]));
    assert_eq!(
        (run.counts().actions, run.counts().expand_failures),
        (1, failures),
        "no amoebot tries in vain"
    );
    assert_eq!(&run.log().replay(&SWELL, start.clone()).unwrap(), run.system());
}

/// The rotations of a list: each amoebot comes first in one of them.
fn orders(ids: &[AmoebotId]) -> impl Iterator<Item = Vec<AmoebotId>> + '_ {
    (0..ids.len()).map(|first| {
        let mut order = ids.to_vec();
        order.rotate_left(first);
        order
    })
}

#[test]
fn the_first_of_the_colliding_amoebots_succeeds_under_locks() {
    for directions in SITES {
        for followed in 0..=directions.len() {
            let start = System::new(site(Cell::ORIGIN, directions, followed)).unwrap();
            for order in orders(&contenders(&start)) {
                collide(&start, TryLocks::new(start.len()), &order, 1);
                for scheduler in schedulers() {
                    collide(&start, MessageLocks::new(&start, scheduler), &order, 2);
                }
            }
        }
    }
}

#[test]
fn one_succeeds_in_every_order_of_the_steps() {
    for (directions, followed) in [(SITES[0], 1), (SITES[2], 2), (SITES[3], 2), (SITES[4], 1)] {
        let start = System::new(site(Cell::ORIGIN, directions, followed)).unwrap();
        let explored = |algorithm: &Swell| {
            let one = |end: &System<Memory>| winners(&start, end).is_some_and(|winners| winners.len() == 1);
            let locks = |system: &System<Memory>| TryLocks::new(system.len());
            explore_concurrent(algorithm, [start.clone()], locks, one, 1 << 18).unwrap()
        };
        let found = explored(&SWELL);
        assert!(found.always_succeeds(), "{:?}", found.ways);
        assert_eq!((found.aborts_with_effect, found.wrong_ends, found.overlapping), (0, 0, 0));
        assert_eq!(found.finals.len(), directions.len(), "each can be the one");
        assert!(found.expand_failures > 0 && found.width >= directions.len());
        // A failed expansion that leaves a write behind.
        let wrong = explored(&WRITES_FIRST);
        assert!(wrong.wrong_ends > 0 && wrong.expand_failures > 0 && !wrong.always_succeeds());
    }
}

/// Many sites far from each other; at a site with six contenders, locks prevent neighbours from acting at the same
/// time.
fn many_sites(sites: i32, directions: &[u8]) -> (System<Memory>, Vec<Cell>) {
    let centres: Vec<Cell> = (0..sites).map(|at| Cell::new(at % 32 * 6, at / 32 * 6).unwrap()).collect();
    let amoebots = centres.iter().flat_map(|centre| site(*centre, directions, directions.len()));
    (System::new(amoebots.collect()).unwrap(), centres)
}

fn in_waves(algorithm: &Swell, start: &System<Memory>, threads: usize, seed: u64) -> Waves<'static, Swell> {
    let algorithm = if algorithm.writes_first { &WRITES_FIRST } else { &SWELL };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(|| {
        let mut waves = Waves::new(algorithm, start.clone(), seed).with_log();
        assert!(waves.run(1000));
        waves
    })
}

fn entered(system: &System<Memory>, winners: &[AmoebotId]) -> Vec<Cell> {
    let mut cells: Vec<Cell> = winners.iter().map(|id| system.body(*id).head()).collect();
    cells.sort();
    cells
}

#[test]
fn one_succeeds_in_waves_and_it_is_the_same_for_all_threads() {
    // With three alternate contenders per site, and with six: enough amoebots for several threads.
    for directions in [&[0, 2, 4][..], &[0, 1, 2, 3, 4, 5][..]] {
        let (start, mut centres) = many_sites(400, directions);
        centres.sort();
        let mut of_seeds = Vec::new();
        for seed in [1, 2] {
            let alone = in_waves(&SWELL, &start, 1, seed);
            let won = winners(&start, alone.system()).expect("the others have done nothing");
            assert_eq!(entered(alone.system(), &won), centres, "one at each site");
            let counts = alone.counts();
            assert_eq!((counts.actions, counts.moves, counts.invalid), (400, 400, 0));
            assert!(counts.expand_failures > 0);
            if directions.len() == 3 {
                // All hold their locks in the first wave.
                assert_eq!((counts.expand_failures, counts.lock_failures, counts.width), (800, 0, 1200));
            }
            let log = alone.log().unwrap();
            assert_eq!(log.len(), 400);
            assert_eq!(&log.replay(&SWELL, start.clone()).unwrap(), alone.system());
            for threads in [2, 3, 7] {
                let others = in_waves(&SWELL, &start, threads, seed);
                assert_eq!(winners(&start, others.system()).as_ref(), Some(&won));
                assert_eq!((others.counts(), others.log()), (counts, alone.log()));
            }
            // Writes made before it is decided who wins are detected.
            let wrong = in_waves(&WRITES_FIRST, &start, 2, seed);
            assert!(wrong.counts().expand_failures > 0 && winners(&start, wrong.system()).is_none());
            of_seeds.push(won);
        }
        assert_ne!(of_seeds[0], of_seeds[1], "the priorities decide");
    }
}

#[test]
fn after_one_wave_of_collisions_all_amoebots_rest() {
    let (start, _) = many_sites(3, &[1, 3, 5]);
    let mut waves = Waves::new(&SWELL, start.clone(), 5).with_log();
    waves.wave();
    assert_eq!((waves.counts().actions, waves.counts().expand_failures), (3, 6));
    let after = waves.system().clone();
    assert_eq!(winners(&start, &after).map(|winners| winners.len()), Some(3));
    assert!(waves.run(10));
    assert_eq!(waves.system(), &after, "who has lost sees who is there, and rests");
    assert_eq!((waves.counts().actions, waves.counts().expand_failures), (3, 6));
}

/// Amoebots at random positions, in all orientations, with random ports.
fn crowd() -> impl Strategy<Value = System<Memory>> {
    let cells = prop::collection::btree_map((0..6, 0..5), (0..12_usize, 1..=6_u8, 0..4_u8), 2..16);
    cells.prop_map(|cells| {
        let amoebots = cells.into_iter().map(|((x, y), (frame, label, breaths))| {
            let orientation = Orientation::all().nth(frame).expect("twelve");
            let cell = Cell::new(x, y).expect("near");
            Amoebot { orientation, ..standing(cell, AmoebotPort::head(label), breaths) }
        });
        System::new(amoebots.collect()).expect("each on its own cell")
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]
    #[test]
    fn crowds_are_isolated_and_equal_their_replay(start in crowd(), seed in any::<u64>()) {
        let watched = watch(&SWELL, &start, TryLocks::new(start.len()), seed);
        prop_assert!(watched.is_ok(), "{:?}", watched);

        let mut waves = Waves::new(&SWELL, start.clone(), seed).with_log();
        while !waves.has_terminated() {
            waves.wave();
            // A failed expansion leaves no trace: the completed actions alone lead to the same system.
            let replay = waves.log().expect("asked for").replay(&SWELL, start.clone());
            prop_assert_eq!(replay.as_ref().ok(), Some(waves.system()), "{:?}", replay);
            prop_assert!(waves.counts().waves < 10_000);
        }
        prop_assert_eq!(waves.counts().invalid, 0);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn crowds_over_messages_are_isolated_and_equal_their_replay(
        start in crowd(),
        seed in any::<u64>(),
        which in 0..5_usize,
    ) {
        let scheduler = schedulers().into_iter().nth(which).expect("one of five");
        let watched = watch(&SWELL, &start, MessageLocks::new(&start, scheduler), seed);
        prop_assert!(watched.is_ok(), "{:?}", watched);
    }
}

/// A fixed start that is known to have collisions: every third cell of a field is occupied.
fn field(seed: u64) -> System<Memory> {
    let mut choices = Seeded::new(seed);
    let cells = (0..8).flat_map(|y| (0..8).map(move |x| (x, y))).filter(|(x, y)| (x + 2 * y) % 3 == 0);
    let amoebots = cells.map(|(x, y)| {
        let label = pick_index(&mut choices, 6, Decision::Initial).expect("six") as u8 + 1;
        standing(Cell::new(x, y).expect("near"), AmoebotPort::head(label), 5)
    });
    System::new(amoebots.collect()).expect("each on its own cell")
}

#[test]
fn in_a_crowd_expansions_do_fail() {
    let (mut tried, mut over_messages, mut in_waves) = (0, 0, 0);
    for seed in 0..40 {
        let start = field(seed);
        tried += watch(&SWELL, &start, TryLocks::new(start.len()), seed).unwrap().0.expand_failures;
        let mut waves = Waves::new(&SWELL, start.clone(), seed).with_log();
        assert!(waves.run(10_000));
        in_waves += waves.counts().expand_failures;
        assert_eq!(&waves.log().unwrap().replay(&SWELL, start).unwrap(), waves.system());
    }
    for (seed, scheduler) in (0..).zip(schedulers().into_iter().chain(schedulers())) {
        let start = field(seed);
        let watched = watch(&SWELL, &start, MessageLocks::new(&start, scheduler), seed).unwrap();
        assert_eq!(watched.0.lock_failures, 0);
        over_messages += watched.0.expand_failures;
    }
    println!("failed expansions: {tried} with locks, {over_messages} over messages, {in_waves} in waves");
    assert!(tried > 20 && over_messages > 10 && in_waves > 20, "{tried} {over_messages} {in_waves}");
}

#[test]
fn locks_that_do_not_isolate_are_noticed() {
    let start = field(1);
    let overlap = watch(&SWELL, &start, OwnLock(vec![false; start.len()]), 1);
    assert_eq!(overlap.unwrap_err(), "lock sets overlap");
    // The replay detects it, too.
    let mut free = Concurrent::new(&SWELL, start.clone(), NoLocks);
    assert!(free.run(1_000_000, &mut UniformEnabled, &mut Seeded::new(1)));
    assert!(!free.log().replay(&SWELL, start).is_ok_and(|end| end == *free.system()));
}

/// A memory that an algorithm can write outside of the framework.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Leak {
    wants: AmoebotPort,
    tries: Shared<u8>,
}

impl Hash for Leak {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.wants, self.tries.get()).hash(state);
    }
}

/// A wrong algorithm: it expands and counts its attempts, and the count remains after a failed expansion.
struct Leaky;

impl Algorithm for Leaky {
    type Memory = Leak;
    type Action = ();
    fn actions(&self) -> &[()] {
        &[()]
    }
    fn order(&self) -> ActionOrder {
        ActionOrder::AsListed
    }
    fn enabled(&self, (): (), view: &View<'_, Leak>) -> bool {
        view.is_contracted() && !view.connected(view.own().wants)
    }
    fn execute(
        &self,
        (): (),
        view: &View<'_, Leak>,
        _: &mut dyn Choices,
    ) -> Result<Effects<Leak>, ActionError> {
        view.own().tries.set(view.own().tries.get() + 1);
        Ok(Effects::none().then(Movement::Expand(view.own().wants)))
    }
}

#[test]
fn a_failed_expansion_that_leaves_a_write_behind_is_noticed() {
    let amoebots = site(Cell::ORIGIN, &[0, 2, 4], 0).into_iter().map(|amoebot| Amoebot {
        body: amoebot.body,
        orientation: amoebot.orientation,
        memory: Leak { wants: amoebot.memory.wants, tries: Shared::new(0) },
    });
    let start = System::new(amoebots.collect()).unwrap();
    let noticed = |seed| {
        let watched = watch(&Leaky, &start, TryLocks::new(3), seed);
        watched.is_err_and(|found| found.starts_with("ExpandFailed") && found.ends_with("has an effect"))
    };
    assert!((0..20).any(noticed));
}
