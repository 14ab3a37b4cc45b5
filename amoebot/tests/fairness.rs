//! Fairness compared with its definition, recounted at each activation, and algorithms that need it.

use acrasin_amoebot::AmoebotId;
use acrasin_amoebot::run::concurrent::{Concurrent, TryLocks};
use acrasin_amoebot::run::execution::{FromFn, RoundRobinActivation};
use acrasin_amoebot::run::fairness::{HighestFirst, LowestFirst, Newest};
use acrasin_amoebot::{
    ActionError, ActionOrder, Adversary, Algorithm, Amoebot, Body, Cell, Direction, Effects, EnabledSet,
    Erosion, Fair, Fairness, Hexagon, Orientation, SequentialCounts, SequentialExecution, System, View,
    start,
};
use acrasin_runtime::choice::{Choices, Decision, pick_index};
use acrasin_runtime::{FixedProbability, Seeded};

fn line<M>(memories: impl IntoIterator<Item = M>) -> System<M> {
    let memories: Vec<M> = memories.into_iter().collect();
    let cells = start::line(Cell::ORIGIN, Direction::East, memories.len()).unwrap();
    let amoebots = cells.into_iter().zip(memories).map(|(cell, memory)| Amoebot {
        body: Body::contracted(cell),
        orientation: Orientation::COMMON,
        memory,
    });
    System::new(amoebots.collect()).unwrap()
}

/// The roles of the test algorithm.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Role {
    /// Switches on and off forever, so it is always enabled.
    Lamp { on: bool },
    /// Acts once, enabled until then.
    Once { done: bool },
    /// Acts once, enabled while this many adjacent lamps are on.
    OnceInLight { done: bool, lamps: usize },
}

/// Lamps, and amoebots that act once.
struct Lamps;

impl Algorithm for Lamps {
    type Memory = Role;
    type Action = ();
    fn actions(&self) -> &[()] {
        &[()]
    }
    fn order(&self) -> ActionOrder {
        ActionOrder::AsListed
    }
    fn enabled(&self, (): (), view: &View<'_, Role>) -> bool {
        match *view.own() {
            Role::Lamp { .. } => true,
            Role::Once { done } => !done,
            Role::OnceInLight { done, lamps } => {
                let on = view.neighbours().filter(|lamp| *lamp.memory == Role::Lamp { on: true });
                !done && on.count() == lamps
            }
        }
    }
    fn execute(
        &self,
        (): (),
        view: &View<'_, Role>,
        _: &mut dyn Choices,
    ) -> Result<Effects<Role>, ActionError> {
        Ok(Effects::none().write_own(match *view.own() {
            Role::Lamp { on } => Role::Lamp { on: !on },
            Role::Once { .. } => Role::Once { done: true },
            Role::OnceInLight { lamps, .. } => Role::OnceInLight { done: true, lamps },
        }))
    }
}

const LAMP: Role = Role::Lamp { on: false };
const IN_LIGHT: Role = Role::OnceInLight { done: false, lamps: 1 };

/// The number of activations after which all amoebots except lamps have acted; `None` if some have not acted after
/// 1000.
fn all_have_acted_after(roles: &[Role], activation: &mut impl Adversary) -> Option<u64> {
    let mut execution = SequentialExecution::new(&Lamps, line(roles.iter().copied()));
    let waits =
        |role: &Role| matches!(role, Role::Once { done: false } | Role::OnceInLight { done: false, .. });
    for activations in 0..=1000 {
        if execution.system().ids().all(|id| !waits(execution.system().memory(id))) {
            return Some(activations);
        }
        let id = activation.next(execution.enabled(), &mut Seeded::new(1));
        execution.activate(id, &mut Seeded::new(1));
    }
    None
}

#[test]
fn an_amoebot_always_enabled_starves_without_fairness() {
    let once = Role::Once { done: false };
    assert_eq!(all_have_acted_after(&[LAMP, once], &mut LowestFirst::default()), None);
    assert_eq!(all_have_acted_after(&[once, LAMP], &mut HighestFirst::default()), None);
    // All are enabled from the start, in the order of identities: the last of them counts as newest.
    assert_eq!(all_have_acted_after(&[once, LAMP], &mut Newest::default()), None);
    assert_eq!(
        all_have_acted_after(&[LAMP, once], &mut Fair::new(LowestFirst::default(), Fairness::Unfair)),
        None
    );
    for bound in [0, 1, 2, 50] {
        for fairness in [Fairness::Weak { bound }, Fairness::Strong { bound }] {
            let mut fair = Fair::new(LowestFirst::default(), fairness);
            let expected = bound + 1 + u64::from(bound == 0);
            assert_eq!(all_have_acted_after(&[LAMP, once], &mut fair), Some(expected), "{fairness:?}");
            assert_eq!(fair.longest(), bound.max(1), "with bound 0 both are due at once");
        }
    }
}

#[test]
fn an_amoebot_repeatedly_enabled_starves_under_weak_fairness() {
    let once = IN_LIGHT;
    for bound in [2, 3, 50] {
        let mut weak = Fair::new(LowestFirst::default(), Fairness::Weak { bound });
        assert_eq!(all_have_acted_after(&[LAMP, once], &mut weak), None, "{bound}");
        // The lamp switches off each time: it is activated once while the other amoebot is enabled.
        assert_eq!((weak.forced(), weak.longest()), (0, 1));
        let mut strong = Fair::new(LowestFirst::default(), Fairness::Strong { bound });
        // Enabled before every second activation, passed over `bound` times.
        assert_eq!(all_have_acted_after(&[LAMP, once], &mut strong), Some(2 * bound + 2), "{bound}");
        assert_eq!((strong.forced(), strong.longest()), (1, bound));
    }
    // Round robin reaches the amoebot while both lamps are on, or neither is.
    let between = [Role::Lamp { on: true }, once, LAMP];
    assert_eq!(all_have_acted_after(&between, &mut RoundRobinActivation::default()), None);
    let mut strong = Fair::new(RoundRobinActivation::default(), Fairness::Strong { bound: 9 });
    assert!(all_have_acted_after(&between, &mut strong).is_some() && strong.forced() > 0);
    let mut weak = Fair::new(RoundRobinActivation::default(), Fairness::Weak { bound: 9 });
    assert_eq!((all_have_acted_after(&between, &mut weak), weak.forced()), (None, 0));
}

/// Bits that are set and unset at random. An amoebot is enabled if a neighbour's bit is set; the first amoebot is
/// always enabled.
struct Noise;

impl Algorithm for Noise {
    type Memory = (bool, bool);
    type Action = ();
    fn actions(&self) -> &[()] {
        &[()]
    }
    fn order(&self) -> ActionOrder {
        ActionOrder::AsListed
    }
    fn enabled(&self, (): (), view: &View<'_, (bool, bool)>) -> bool {
        view.own().1 || view.neighbours().any(|neighbour| neighbour.memory.0)
    }
    fn execute(
        &self,
        (): (),
        view: &View<'_, (bool, bool)>,
        choices: &mut dyn Choices,
    ) -> Result<Effects<(bool, bool)>, ActionError> {
        let bit = pick_index(choices, 2, Decision::Outcome) == Some(0);
        Ok(Effects::none().write_own((bit, view.own().1)))
    }
}

/// The definition of fairness, recounted at each activation.
struct Reference {
    fairness: Fairness,
    passed: Vec<u64>,
    /// For each amoebot, the time at which it became due; `None` if it has not become due since its last activation.
    due_since: Vec<Option<u64>>,
    now: u64,
}

impl Reference {
    fn new(n: usize, fairness: Fairness) -> Self {
        Self { fairness, passed: vec![0; n], due_since: vec![None; n], now: 0 }
    }

    fn bound(&self) -> Option<u64> {
        match self.fairness {
            Fairness::Unfair => None,
            Fairness::Weak { bound } | Fairness::Strong { bound } => Some(bound),
        }
    }

    /// The amoebot that must be activated, if any.
    fn must(&mut self, enabled: &EnabledSet) -> Option<AmoebotId> {
        let bound = self.bound()?;
        for (i, passed) in self.passed.iter_mut().enumerate() {
            let is_enabled = enabled.contains(AmoebotId(i as u32));
            if !is_enabled && matches!(self.fairness, Fairness::Weak { .. }) {
                (*passed, self.due_since[i]) = (0, None);
            }
            if is_enabled && *passed >= bound {
                self.due_since[i].get_or_insert(self.now);
            }
        }
        let due = enabled.ids().iter().filter_map(|id| Some((self.due_since[id.index()]?, *id)));
        due.min().map(|(_, id)| id)
    }

    fn activated(&mut self, id: AmoebotId, enabled: &EnabledSet) {
        for other in enabled.ids().iter().filter(|other| **other != id) {
            self.passed[other.index()] += 1;
            if self.bound() == Some(self.passed[other.index()]) {
                self.due_since[other.index()].get_or_insert(self.now + 1);
            }
        }
        if enabled.contains(id) {
            (self.passed[id.index()], self.due_since[id.index()]) = (0, None);
        }
        self.now += 1;
    }
}

struct Checked {
    /// The maximum number of activations that passed over an amoebot.
    longest: u64,
    forced: u64,
    activations: u64,
}

/// Runs the noise, and compares each activation with the definition: a due amoebot is activated, or, if none is due,
/// the amoebot that `inner` names. The error is the first activation that differs.
fn check(
    n: usize,
    activations: u64,
    fairness: Fairness,
    inner: fn(&EnabledSet) -> AmoebotId,
    activation: &mut impl Adversary,
) -> Result<Checked, u64> {
    let mut choices = Seeded::new(n as u64);
    let mut execution = SequentialExecution::new(&Noise, line((0..n).map(|i| (false, i == n / 2))));
    let mut reference = Reference::new(n, fairness);
    let mut checked = Checked { longest: 0, forced: 0, activations };
    for activation_number in 0..activations {
        let enabled = execution.enabled();
        let must = reference.must(enabled);
        checked.forced += u64::from(must.is_some());
        let id = activation.next(enabled, &mut choices);
        if id != must.unwrap_or_else(|| inner(enabled)) {
            return Err(activation_number);
        }
        reference.activated(id, enabled);
        checked.longest = checked.longest.max(*reference.passed.iter().max().expect("some"));
        execution.activate(id, &mut choices);
    }
    Ok(checked)
}

fn lowest(enabled: &EnabledSet) -> AmoebotId {
    *enabled.ids().iter().min().expect("some")
}

fn highest(enabled: &EnabledSet) -> AmoebotId {
    *enabled.ids().iter().max().expect("some")
}

#[test]
fn the_inner_adversary_is_overruled_exactly_when_an_amoebot_is_due() {
    for n in [1, 2, 3, 8, 40] {
        for bound in [0, 1, 2, 5, 20, 300] {
            for fairness in [Fairness::Weak { bound }, Fairness::Strong { bound }] {
                let mut first = Fair::new(LowestFirst::default(), fairness);
                let checked = check(n, 5000, fairness, lowest, &mut first)
                    .unwrap_or_else(|at| panic!("{fairness:?}, n = {n}: wrong at activation {at}"));
                assert_eq!((first.forced(), first.longest()), (checked.forced, checked.longest));
                assert!(checked.longest < bound + n as u64, "{fairness:?}, n = {n}: {}", checked.longest);
                assert!(checked.forced < checked.activations || bound == 0);
                let mut last = Fair::new(HighestFirst::default(), fairness);
                assert!(check(n, 1000, fairness, highest, &mut last).is_ok());
            }
        }
    }
    // The bound is reached, and exceeded where several are due together.
    let strong = Fairness::Strong { bound: 20 };
    let longest = |n| {
        let checked = check(n, 20_000, strong, lowest, &mut Fair::new(LowestFirst::default(), strong));
        checked.map(|checked| checked.longest)
    };
    assert_eq!(longest(2), Ok(20));
    assert!(longest(40).is_ok_and(|longest| longest > 25));
    // Under weak fairness an amoebot waits longer in total than under strong fairness, with interruptions.
    let weak = Fairness::Weak { bound: 20 };
    let forced = |fairness| {
        check(8, 20_000, fairness, lowest, &mut Fair::new(LowestFirst::default(), fairness)).unwrap().forced
    };
    assert!(forced(weak) < forced(strong), "{} {}", forced(weak), forced(strong));
    let unfair =
        check(8, 1000, Fairness::Unfair, lowest, &mut Fair::new(LowestFirst::default(), Fairness::Unfair));
    assert!(unfair.is_ok_and(|checked| checked.longest > 300 && checked.forced == 0));
}

/// Mistakes that an implementation can make.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Mistake {
    None,
    /// Does not reset the count of the activated amoebot.
    KeepsActivated,
    /// Does not reset the count of a disabled amoebot.
    KeepsDisabled,
    /// Resets the count of a disabled amoebot.
    ForgetsDisabled,
    /// Uses a bound that is too large by one.
    BoundIsOneMore,
    /// Activates the newest of the due amoebots.
    WrongOrder,
}

struct Wrong {
    mistake: Mistake,
    fairness: Fairness,
    reference: Reference,
}

impl Wrong {
    fn new(n: usize, fairness: Fairness, mistake: Mistake) -> Self {
        let counted_as = match (mistake, fairness) {
            (Mistake::KeepsDisabled, Fairness::Weak { bound }) => Fairness::Strong { bound },
            (Mistake::ForgetsDisabled, Fairness::Strong { bound }) => Fairness::Weak { bound },
            (Mistake::BoundIsOneMore, Fairness::Weak { bound }) => Fairness::Weak { bound: bound + 1 },
            (Mistake::BoundIsOneMore, Fairness::Strong { bound }) => Fairness::Strong { bound: bound + 1 },
            _ => fairness,
        };
        Self { mistake, fairness, reference: Reference::new(n, counted_as) }
    }
}

impl Adversary for Wrong {
    fn next(&mut self, enabled: &EnabledSet, _: &mut dyn Choices) -> AmoebotId {
        let mut must = self.reference.must(enabled);
        if self.mistake == Mistake::WrongOrder {
            let due = enabled.ids().iter().filter(|id| self.reference.due_since[id.index()].is_some());
            must = due.max().copied();
        }
        let id = must.unwrap_or_else(|| lowest(enabled));
        let before = self.reference.passed[id.index()];
        self.reference.activated(id, enabled);
        if self.mistake == Mistake::KeepsActivated {
            self.reference.passed[id.index()] = before;
        }
        id
    }
}

#[test]
fn wrong_wrappers_are_caught() {
    let (weak, strong) = (Fairness::Weak { bound: 5 }, Fairness::Strong { bound: 5 });
    let check = |fairness, mistake| {
        let mut wrong = Wrong::new(8, fairness, mistake);
        let result = check(8, 5000, wrong.fairness, lowest, &mut wrong);
        result.map(|_| ())
    };
    for fairness in [weak, strong] {
        assert_eq!(check(fairness, Mistake::None), Ok(()));
        for mistake in [Mistake::KeepsActivated, Mistake::BoundIsOneMore, Mistake::WrongOrder] {
            assert!(check(fairness, mistake).is_err(), "{fairness:?} {mistake:?}");
        }
    }
    assert!(check(weak, Mistake::KeepsDisabled).is_err());
    assert!(check(strong, Mistake::ForgetsDisabled).is_err());
}

#[test]
fn waits_and_the_longest_wait_are_reported() {
    let once = Role::Once { done: false };
    let mut execution = SequentialExecution::new(&Lamps, line([LAMP, once, IN_LIGHT]));
    let mut fair = Fair::new(LowestFirst::default(), Fairness::Weak { bound: 7 });
    assert_eq!(fair.fairness(), Fairness::Weak { bound: 7 });
    assert_eq!((fair.passed_over(AmoebotId(1)), fair.longest()), (0, 0), "before the run");
    assert!(!execution.run(5, &mut fair, &mut Seeded::new(1)));
    let passed = |fair: &Fair<LowestFirst>| [0, 1, 2, 3].map(|id| fair.passed_over(AmoebotId(id)));
    assert_eq!((passed(&fair), fair.longest(), fair.forced()), ([0, 5, 0, 0], 5, 0));
    assert!(!execution.run(3, &mut fair, &mut Seeded::new(1)));
    assert_eq!((passed(&fair), fair.longest(), fair.forced()), ([1, 0, 0, 0], 7, 1));
}

/// The amoebots that the adversary names, in order.
fn order(activation: &mut impl Adversary, roles: &[Role], activations: usize) -> Vec<u32> {
    let mut execution = SequentialExecution::new(&Lamps, line(roles.iter().copied()));
    let mut named = Vec::new();
    for _ in 0..activations {
        let id = activation.next(execution.enabled(), &mut Seeded::new(1));
        named.push(id.0);
        execution.activate(id, &mut Seeded::new(1));
    }
    named
}

#[test]
fn adversaries_choose_as_documented() {
    let (once, in_light) = (Role::Once { done: false }, IN_LIGHT);
    let roles = [once, once, in_light, LAMP, in_light];
    assert_eq!(order(&mut LowestFirst::default(), &roles, 5), [0, 1, 3, 2, 3]);
    assert_eq!(order(&mut HighestFirst::default(), &roles, 5), [3, 4, 3, 3, 3]);
    // The lamp is on: the amoebots next to it are newly enabled.
    assert_eq!(order(&mut Newest::default(), &roles, 5), [3, 4, 2, 3, 3]);
    // The longest enabled first: no amoebot waits for one enabled later.
    let mut oldest = Fair::new(Newest::default(), Fairness::Weak { bound: 0 });
    assert_eq!(order(&mut oldest, &[LAMP, once, once, LAMP], 6), [0, 1, 2, 3, 0, 3]);
}

type Start = fn(usize) -> Vec<Cell>;

fn blob(n: usize) -> Vec<Cell> {
    let acceptance = FixedProbability::new(0.8).unwrap();
    start::blob(Cell::ORIGIN, n, acceptance, &mut Seeded::new(n as u64)).unwrap()
}

fn row(n: usize) -> Vec<Cell> {
    start::line(Cell::ORIGIN, Direction::NorthWest, n).unwrap()
}

fn gathered(start: Start, n: usize, activation: &mut impl Adversary) -> SequentialCounts {
    let mut execution = SequentialExecution::new(&Hexagon, Hexagon::start(&start(n), 0, &[]).unwrap());
    assert!(execution.run(10_000_000, activation, &mut Seeded::new(1)));
    assert!(Hexagon::is_finished(execution.system()));
    let mut hexagon = start::spiral(Cell::ORIGIN, Direction::East, n).unwrap();
    hexagon.sort();
    assert_eq!(execution.system().cells(), hexagon);
    execution.counts()
}

fn elected(n: usize, activation: &mut impl Adversary) -> SequentialCounts {
    let hexagon = start::spiral(Cell::ORIGIN, Direction::West, n).unwrap();
    let mut execution = SequentialExecution::new(&Erosion, Erosion::start(&hexagon, &[]).unwrap());
    assert!(execution.run(1_000_000, activation, &mut Seeded::new(1)));
    assert!(Erosion::is_finished(execution.system()));
    assert_eq!(execution.counts().actions, 2 * n as u64);
    execution.counts()
}

#[test]
fn runs_that_need_no_fairness_end_right_under_every_adversary() {
    let closures: [fn(&EnabledSet) -> AmoebotId; 2] = [lowest, highest];
    for n in [1, 2, 7, 50, 150] {
        for start in [blob as Start, row] {
            let first = gathered(start, n, &mut LowestFirst::default());
            let last = gathered(start, n, &mut HighestFirst::default());
            gathered(start, n, &mut Newest::default());
            // Equal to the adversaries that look at every amoebot each time.
            let [low, high] = closures.map(|closure| gathered(start, n, &mut FromFn(closure)));
            assert_eq!((first, last), (low, high));
            for fairness in [Fairness::Weak { bound: 3 }, Fairness::Strong { bound: 3 }] {
                let mut fair = Fair::new(LowestFirst::default(), fairness);
                let counts = gathered(start, n, &mut fair);
                assert!(counts.rounds <= first.actions && fair.longest() < 3 + n as u64);
                // The same again, with an adversary chosen at run time.
                let boxed: Box<dyn Adversary> = Box::new(LowestFirst::default());
                assert_eq!(counts, gathered(start, n, &mut Fair::new(boxed, fairness)));
            }
        }
        elected(n, &mut LowestFirst::default());
        elected(n, &mut HighestFirst::default());
        elected(n, &mut Newest::default());
        elected(n, &mut Fair::new(HighestFirst::default(), Fairness::Weak { bound: 0 }));
    }
    // Fairness has an effect: more amoebots act, and there are fewer rounds.
    let unfair = gathered(row, 150, &mut HighestFirst::default());
    let mut weak = Fair::new(HighestFirst::default(), Fairness::Weak { bound: 10 });
    assert_ne!(gathered(row, 150, &mut weak), unfair);
    assert!(weak.forced() > 100);
}

#[test]
fn steps_of_concurrent_amoebots_are_kept_fair_too() {
    let cells = blob(40);
    let mut run = Concurrent::new(&Hexagon, Hexagon::start(&cells, 0, &[]).unwrap(), TryLocks::new(40));
    let mut fair = Fair::new(HighestFirst::default(), Fairness::Weak { bound: 100 });
    assert!(run.run(1_000_000, &mut fair, &mut Seeded::new(1)));
    assert!(Hexagon::is_finished(run.system()));
    assert!(fair.forced() > 0 && fair.longest() < 100 + 40);
}

#[test]
fn a_name_out_of_range_is_no_amoebot() {
    // The inner adversary names a nonexistent amoebot: one far out of range, then the next after the last.
    for name in [AmoebotId(u32::MAX), AmoebotId(3)] {
        let nonexistent = || FromFn(move |_: &EnabledSet| name);
        for bound in [5, 1 << 40] {
            for fairness in [Fairness::Weak { bound }, Fairness::Strong { bound }] {
                let mut fair = Fair::new(nonexistent(), fairness);
                assert_eq!(order(&mut fair, &[LAMP; 3], 7), [0, 1, 2, 0, 1, 2, 0], "{fairness:?}");
                assert_eq!((fair.forced(), fair.longest()), (7, 2), "{fairness:?}");
                let passed = [0, 1, 2, 3].map(|id| fair.passed_over(AmoebotId(id)));
                assert_eq!(passed, [0, 2, 1, 0], "of no amoebot 0");
                assert_eq!(fair.passed_over(name), 0);
            }
        }
        // No amoebot is due: the lowest enabled one is activated.
        let mut fair = Fair::new(nonexistent(), Fairness::Unfair);
        assert_eq!(order(&mut fair, &[Role::Once { done: false }, LAMP, LAMP], 4), [0, 1, 1, 1]);
        assert_eq!((fair.forced(), fair.longest()), (4, 4));
    }
    // The last existing amoebot is valid.
    let mut last = Fair::new(FromFn(|_: &EnabledSet| AmoebotId(2)), Fairness::Weak { bound: 100 });
    assert_eq!((order(&mut last, &[LAMP; 3], 4), last.forced()), (vec![2; 4], 0));
}
