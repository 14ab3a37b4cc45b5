//! Forest repair: every survivor that is connected with a live root is in the tree of a live root.

use acrasin_amoebot::AmoebotId;
use acrasin_amoebot::check::{Identities, Scope, SequentialExploration};
use acrasin_amoebot::library::forest;
use acrasin_amoebot::library::forest_repair::{Action, ForestRepair, Memory, RepairError};
use acrasin_amoebot::run::execution::{Activated, RoundRobinActivation, SequentialExecution, Uniform};
use acrasin_amoebot::{
    ActionError, ActionOrder, Algorithm, Cell, Direction, Effects, Forest, Orientation, Shape, System, View,
    explore, start,
};
use acrasin_runtime::choice::{Choices, Decision, pick_index};
use acrasin_runtime::{FixedProbability, Seeded};

/// The survivors that are connected with a live root, by flooding.
fn in_reach<M>(
    system: &System<M>,
    is_root: impl Fn(&M) -> bool,
    is_crashed: impl Fn(&M) -> bool,
) -> Vec<bool> {
    let mut reached: Vec<bool> = system.ids().map(|id| is_root(system.memory(id))).collect();
    let mut border: Vec<AmoebotId> = system.ids().filter(|id| reached[id.index()]).collect();
    while let Some(id) = border.pop() {
        let survivors = system.neighbours(id).filter(|next| !is_crashed(system.memory(*next)));
        border.extend(survivors.filter(|next| !std::mem::replace(&mut reached[next.index()], true)));
    }
    reached
}

fn reach(system: &System<Memory>) -> Vec<bool> {
    in_reach(system, |memory| *memory == Memory::Root, |memory| *memory == Memory::Crashed)
}

/// Whether parents, followed at most n times over adjacent cells, lead from every amoebot in reach to a live root.
fn is_right(system: &System<Memory>) -> bool {
    let leads_to_root = |id: AmoebotId| {
        let mut at = id;
        for _ in 0..system.len() {
            if *system.memory(at) == Memory::Root {
                return true;
            }
            let Some(parent) = ForestRepair::parent(system, at) else { return false };
            at = parent;
        }
        false
    };
    let reach = reach(system);
    system.ids().all(|id| !reach[id.index()] || leads_to_root(id))
}

/// Every spanning forest of every connected shape of n cells with up to two roots.
fn forests(n: usize, orientations: &[Orientation]) -> Vec<System<forest::Memory>> {
    let starts = Shape::all_connected(n).expect("few cells").into_iter().flat_map(|shape| {
        let roots = |i: u32| (i..n as u32).map(move |j| [AmoebotId(i), AmoebotId(j)]);
        let pairs: Vec<_> = (0..n as u32).flat_map(roots).collect();
        pairs
            .into_iter()
            .map(move |roots| Forest::start(shape.cells(), &roots, orientations).expect("a start"))
    });
    let scope = Scope { identities: Identities::Distinct, ..Scope::default() };
    let all = explore(&Forest, starts, Forest::is_finished, scope).expect("few states");
    all.finals.iter().map(|state| state.system()).collect()
}

/// Every set of crashes after which all survivors are connected with a live root.
fn damaged(forests: &[System<forest::Memory>]) -> Vec<System<Memory>> {
    let of = |forest: &System<forest::Memory>| {
        let sets = 1..(1_u32 << forest.len()) - 1;
        let with = |set: u32| {
            let crashed: Vec<AmoebotId> = forest.ids().filter(|id| set >> id.0 & 1 == 1).collect();
            ForestRepair::start(forest, &crashed).expect("a forest")
        };
        let reachable = |system: &System<Memory>| {
            let reach = reach(system);
            system.ids().all(|id| reach[id.index()] || *system.memory(id) == Memory::Crashed)
        };
        sets.map(with).filter(reachable).collect::<Vec<_>>()
    };
    forests.iter().flat_map(of).collect()
}

fn explored(
    algorithm: &(impl Algorithm<Memory = Memory> + Sync),
    starts: impl IntoIterator<Item = System<Memory>>,
) -> SequentialExploration<Memory> {
    let scope = Scope { identities: Identities::Distinct, ..Scope::default() };
    explore(algorithm, starts, is_right, scope).expect("few states")
}

#[test]
fn every_schedule_after_every_crash_of_up_to_five() {
    let mut counts = Vec::new();
    for n in 2..=5 {
        let all = explored(&ForestRepair, damaged(&forests(n, &[])));
        assert!(all.always_succeeds(), "n = {n}");
        assert!(all.finals.iter().all(|state| ForestRepair::is_repaired(&state.system())));
        counts.push((all.initial, all.states, all.longest_run.expect("no cycle")));
    }
    assert_eq!(counts, [(6, 6, 0), (144, 174, 2), (2702, 4178, 6), (45423, 95841, 16)]);
}

#[test]
fn any_orientations() {
    let every: Vec<Orientation> = Orientation::all().collect();
    for first in 0..12 {
        let mixed: Vec<Orientation> = (0..4).map(|i| every[(first + 5 * i) % 12]).collect();
        assert!(explored(&ForestRepair, damaged(&forests(4, &mixed))).always_succeeds());
    }
}

/// Some of the amoebots crash at the start, others during the repair, even if the survivors are not connected.
#[test]
fn larger_blobs_and_later_crashes() {
    let acceptance = FixedProbability::new(0.6).expect("a probability");
    let mut prunes = 0;
    for seed in 0..10 {
        let mut choices = Seeded::new(seed);
        let cells = start::blob(Cell::ORIGIN, 300, acceptance, &mut choices).expect("a blob");
        let roots: Vec<AmoebotId> = (0..300).step_by(10).map(AmoebotId).collect();
        let mut growth =
            SequentialExecution::new(&Forest, Forest::start(&cells, &roots, &[]).expect("connected"));
        assert!(growth.run(1_000_000, &mut Uniform, &mut choices));
        // Roots crash, too, but not the first one.
        let mut pick =
            || AmoebotId(1 + pick_index(&mut choices, 299, Decision::Outcome).expect("amoebots") as u32);
        let (early, late): (Vec<_>, Vec<_>) =
            ((0..20).map(|_| pick()).collect(), (0..10).map(|_| pick()).collect());
        let mut system = ForestRepair::start(growth.system(), &early).expect("a forest");
        // Amoebots out of reach in the end would never stop: let them crash, too.
        let mut damaged = system.clone();
        for id in &late {
            ForestRepair::crash(&mut damaged, *id).expect("an amoebot");
        }
        let reach = reach(&damaged);
        for id in system.ids().filter(|id| !reach[id.index()]) {
            ForestRepair::crash(&mut system, id).expect("an amoebot");
        }
        for (id, steps) in late.iter().zip(0..) {
            let mut repair = SequentialExecution::new(&ForestRepair, system.clone());
            repair.run(100 * steps, &mut Uniform, &mut choices);
            system = repair.system().clone();
            ForestRepair::crash(&mut system, *id).expect("an amoebot");
        }
        let mut random = SequentialExecution::new(&ForestRepair, system.clone());
        assert!(random.run(10_000_000, &mut Uniform, &mut choices));
        let mut regular = SequentialExecution::new(&ForestRepair, system);
        assert!(regular.run(1_000_000, &mut RoundRobinActivation::default(), &mut choices));
        for repair in [random, regular] {
            assert!(is_right(repair.system()) && ForestRepair::is_repaired(repair.system()));
            assert_eq!((repair.counts().failures, repair.counts().moves), (0, 0));
            prunes += repair.counts().actions;
        }
    }
    assert!(prunes > 100, "{prunes} actions: there was something to repair");
}

/// An amoebot next to a permanent tree attaches at most six times.
#[test]
fn six_attempts_beside_a_live_tree() {
    let mut most = 0;
    for seed in 0..200 {
        let mut choices = Seeded::new(seed);
        // A tree from the centre of a hexagon and one from a corner; the root in the centre crashes.
        let cells = start::spiral(Cell::ORIGIN, Direction::East, 19).expect("a spiral");
        let roots = [AmoebotId(0), AmoebotId(18)];
        let mut growth =
            SequentialExecution::new(&Forest, Forest::start(&cells, &roots, &[]).expect("connected"));
        assert!(growth.run(100_000, &mut Uniform, &mut choices));
        let system = ForestRepair::start(growth.system(), &[AmoebotId(0)]).expect("a forest");
        let beside: Vec<AmoebotId> = system.neighbours(AmoebotId(18)).collect();
        let mut repair = SequentialExecution::new(&ForestRepair, system);
        let mut attempts = [0; 19];
        while !repair.has_terminated() {
            let who = AmoebotId(pick_index(&mut choices, 19, Decision::Activation).expect("amoebots") as u32);
            if let Activated::Completed { action: Action::Attach, .. } = repair.activate(who, &mut choices) {
                attempts[who.index()] += 1;
            }
        }
        most = most.max(beside.iter().map(|id| attempts[id.index()]).max().expect("neighbours"));
    }
    // Below the bound of 6, but above one, so some attempts fail.
    assert_eq!(most, 3);
}

/// A mutant: forest repair with another rule for one action.
struct Variant {
    enabled: fn(Action, &View<'_, Memory>) -> bool,
    effects: fn(Effects<Memory>, &View<'_, Memory>) -> Effects<Memory>,
}

impl Algorithm for Variant {
    type Memory = Memory;
    type Action = Action;
    fn actions(&self) -> &[Action] {
        ForestRepair.actions()
    }
    fn order(&self) -> ActionOrder {
        ActionOrder::AsListed
    }
    fn enabled(&self, action: Action, view: &View<'_, Memory>) -> bool {
        (self.enabled)(action, view)
    }
    fn execute(
        &self,
        action: Action,
        view: &View<'_, Memory>,
        choices: &mut dyn Choices,
    ) -> Result<Effects<Memory>, ActionError> {
        Ok((self.effects)(ForestRepair.execute(action, view, choices)?, view))
    }
}

#[test]
fn wrong_rules_are_detected() {
    let right = |action, view: &View<'_, Memory>| ForestRepair.enabled(action, view);
    let same = |effects: Effects<Memory>, _: &View<'_, Memory>| effects;
    let starts: Vec<_> = (2..=5).map(|n| damaged(&forests(n, &[]))).collect();
    let first_failure = |variant: Variant| {
        let fails = |starts: &Vec<System<Memory>>| !explored(&variant, starts.clone()).always_succeeds();
        starts.iter().position(fails).map(|i| i + 2)
    };
    assert_eq!(first_failure(Variant { enabled: right, effects: same }), None, "the right one is not");
    // Leaves without a warning: joins its own descendants, a cycle that no amoebot notices.
    let silent = |effects: Effects<Memory>, _: &View<'_, Memory>| {
        let own = effects.writes().iter().find(|(port, _)| port.is_none()).expect("its own memory").1;
        Effects::none().write_own(own)
    };
    assert_eq!(first_failure(Variant { enabled: right, effects: silent }), Some(4));
    // Stays with a crashed parent.
    let stays =
        |action, view: &View<'_, Memory>| action == Action::Attach && ForestRepair.enabled(action, view);
    assert_eq!(first_failure(Variant { enabled: stays, effects: same }), Some(3));
    // Always begins at port 1: joins its own descendants forever.
    let begins_at_1 = |effects: Effects<Memory>, _: &View<'_, Memory>| {
        effects.writes().iter().fold(Effects::none(), |effects, (port, memory)| match (port, *memory) {
            (None, Memory::Pruned { .. }) => effects.write_own(Memory::Pruned { first: 1 }),
            (None, memory) => effects.write_own(memory),
            (Some(port), memory) => effects.write(*port, memory),
        })
    };
    assert_eq!(first_failure(Variant { enabled: right, effects: begins_at_1 }), Some(5));
}

/// Three adjacent amoebots, cut off from the only root, can run forever, which is why a live root is required.
#[test]
fn without_a_live_root_it_need_not_end() {
    // The root, one next to it, and two more that form a triangle with that one.
    let cells = [(0, 0), (1, 0), (2, 0), (1, 1)].map(|(x, y)| Cell::new(x, y).expect("near the origin"));
    let mut growth =
        SequentialExecution::new(&Forest, Forest::start(&cells, &[AmoebotId(0)], &[]).expect("connected"));
    assert!(growth.run(1_000, &mut RoundRobinActivation::default(), &mut Seeded::new(1)));
    let start = ForestRepair::start(growth.system(), &[AmoebotId(0)]).expect("a forest");
    let all = explored(&ForestRepair, [start]);
    assert!(all.is_cyclic() && all.aborted == 0);
}

#[test]
fn starts_that_cannot_be_are_refused() {
    let line = start::line(Cell::ORIGIN, Direction::East, 3).expect("a line");
    let idle = Forest::start(&line, &[AmoebotId(1)], &[]).expect("a start");
    let unfinished = ForestRepair::start(&idle, &[]).expect_err("not finished");
    assert_eq!(unfinished, RepairError::NotInTree { id: AmoebotId(0) });
    assert_eq!(
        unfinished.to_string(),
        format!("the parents of amoebot {} do not lead to a root: the forest must be complete", AmoebotId(0))
    );
    let mut growth = SequentialExecution::new(&Forest, idle);
    assert!(growth.run(1_000, &mut Uniform, &mut Seeded::new(1)));
    let mut forest = growth.system().clone();
    let missing = ForestRepair::start(&forest, &[AmoebotId(3)]).expect_err("no amoebot");
    assert_eq!(missing, RepairError::NoAmoebot { id: AmoebotId(3), amoebots: 3 });
    assert_eq!(
        missing.to_string(),
        format!("amoebot {} of 3 crashes (accepted: below 3, counted from 0)", AmoebotId(3))
    );
    let sound = ForestRepair::start(&forest, &[]).expect("a forest");
    assert!(
        ForestRepair::is_repaired(&sound) && SequentialExecution::new(&ForestRepair, sound).has_terminated()
    );
    // Two amoebots that follow each other.
    let east = acrasin_amoebot::AmoebotPort::head(1);
    forest.write(AmoebotId(1), None, forest::Memory::Follower { parent: east }).expect("its own memory");
    let cycle = ForestRepair::start(&forest, &[]).expect_err("a cycle");
    assert_eq!(cycle, RepairError::NotInTree { id: AmoebotId(0) });
    forest.expand(AmoebotId(2), east).expect("free");
    let wide = ForestRepair::start(&forest, &[]).expect_err("expanded");
    assert_eq!(wide.to_string(), format!("amoebot {} is expanded: all must be contracted", AmoebotId(2)));
}
