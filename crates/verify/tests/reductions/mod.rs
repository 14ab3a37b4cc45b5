//! Compares reduced explorations with full ones on small instances of every kind: same verdicts, same dead
//! configurations, and every reduced trace is a run of the instance. The comparisons also catch wrong reductions.

mod commuting;
mod eager;
mod walk;

use acrasin_runtime::exclusion::Mutant;
use acrasin_runtime::exclusion::local::{Local, Message, Rules, SelfMessages};
use acrasin_runtime::{Demand, LockOnly, LockSetRule, Naming, NodeId, Timing};
use acrasin_verify::locks::{Budget, Instance, LockModel, ReductionError, Reductions, Rewiring, Symmetry};
use acrasin_verify::properties;
use eager::{Eager, Stiff};
use walk::{Walk, walk};

const SYMMETRY: Reductions = Reductions { symmetry: true, partial_order: false };
const ORDER: Reductions = Reductions { symmetry: false, partial_order: true };
const BOTH: Reductions = Reductions { symmetry: true, partial_order: true };

const ONCE: Demand = Demand::Times(1);
const NEVER: Demand = Demand::Times(0);
const AGAIN: Demand = Demand::Forever;

const EDGE: &[(u32, u32)] = &[(0, 1)];
const PATH: &[(u32, u32)] = &[(0, 1), (1, 2)];
const TRIANGLE: &[(u32, u32)] = &[(0, 1), (1, 2), (0, 2)];
const STAR: &[(u32, u32)] = &[(0, 1), (0, 2), (0, 3)];

/// An instance with its number of symmetries.
struct Case {
    name: &'static str,
    instance: Instance<Local, LockOnly>,
    symmetries: usize,
}

fn instance(edges: &[(u32, u32)], demands: &[Demand]) -> Instance<Local, LockOnly> {
    Instance {
        ports: 3,
        ..Instance::new(Local::new(3).with_priorities(2).unwrap(), LockOnly, edges, demands.to_vec())
    }
}

fn in_memory(instance: Instance<Local, LockOnly>) -> Instance<Local, LockOnly> {
    Instance { exclusion: instance.exclusion.with_self_messages(SelfMessages::InMemory), ..instance }
}

fn flapping(off: u32, on: u32, instance: Instance<Local, LockOnly>) -> Instance<Local, LockOnly> {
    Instance { disconnections: Budget::Times(off), connections: Budget::Times(on), ..instance }
}

fn asynchronous(instance: Instance<Local, LockOnly>) -> Instance<Local, LockOnly> {
    Instance { timing: Timing::OneByOne, ..instance }
}

fn pairs(instance: Instance<Local, LockOnly>) -> Instance<Local, LockOnly> {
    Instance { lock_set: LockSetRule::Pair, ..instance }
}

fn cases() -> Vec<Case> {
    let case = |name, symmetries, instance| Case { name, instance, symmetries };
    let any_edges = |instance| Instance { rewiring: Rewiring::AnyEdges, ports: 2, ..instance };
    vec![
        case("P2 once", 2, instance(EDGE, &[ONCE; 2])),
        case("P2 again", 2, instance(EDGE, &[AGAIN; 2])),
        case("P2 one caller", 1, instance(EDGE, &[ONCE, NEVER])),
        case("P2 once, in memory", 2, in_memory(instance(EDGE, &[ONCE; 2]))),
        case("P2 once, 1 off", 2, flapping(1, 0, instance(EDGE, &[ONCE; 2]))),
        case("P2 once, 1 off 1 on", 2, flapping(1, 1, instance(EDGE, &[ONCE; 2]))),
        case("P2 again, 2 off 2 on, in memory", 2, flapping(2, 2, in_memory(instance(EDGE, &[AGAIN; 2])))),
        case(
            "P2 once, 1 off 1 on, any ports",
            2,
            flapping(1, 1, any_edges(in_memory(instance(EDGE, &[ONCE; 2])))),
        ),
        case("P2 once, asynchronous", 2, asynchronous(instance(EDGE, &[ONCE; 2]))),
        case(
            "P2 once, 1 off 1 on, asynchronous",
            2,
            flapping(1, 1, asynchronous(in_memory(instance(EDGE, &[ONCE; 2])))),
        ),
        case("P3 ends once", 2, in_memory(instance(PATH, &[ONCE, NEVER, ONCE]))),
        case("P3 all once", 2, in_memory(instance(PATH, &[ONCE; 3]))),
        case("P3 ends once, 1 off 1 on", 2, flapping(1, 1, in_memory(instance(PATH, &[ONCE, NEVER, ONCE])))),
        case("P3 once in pairs", 2, pairs(in_memory(instance(PATH, &[ONCE; 3])))),
        case("K3 two callers", 2, in_memory(instance(TRIANGLE, &[ONCE, ONCE, NEVER]))),
        case("star, centre and leaf", 2, in_memory(instance(STAR, &[ONCE, ONCE, NEVER, NEVER]))),
        case("star, two leaves", 2, in_memory(instance(STAR, &[NEVER, ONCE, ONCE, NEVER]))),
        case("star, three leaves", 6, in_memory(instance(STAR, &[NEVER, ONCE, ONCE, ONCE]))),
    ]
}

fn all_rules() -> [Rules; 5] {
    [
        Rules::REPAIRED,
        Rules::PUBLISHED,
        Rules { reject_late_requests: false, ..Rules::REPAIRED },
        Rules { clean_up_always: false, ..Rules::REPAIRED },
        Rules { clean_up_ignored_calls: false, ..Rules::REPAIRED },
    ]
}

/// Without vanishing edges and calls out of turn, R2 and R3 make no difference.
fn rules_that_differ(instance: &Instance<Local, LockOnly>) -> Vec<Rules> {
    let all = all_rules();
    let count = if instance.disconnections == Budget::NONE { 2 } else { all.len() };
    all[..count].to_vec()
}

fn explored(instance: &Instance<Local, LockOnly>, reductions: Reductions) -> Walk {
    let properties = properties::all();
    walk(&LockModel::new(instance.clone(), &properties).unwrap().with_reductions(reductions).unwrap())
}

/// The union of the orbits of the stored configurations.
fn orbits<'a>(
    model: &LockModel<'_, Local, LockOnly>,
    kept: impl IntoIterator<Item = &'a Vec<u8>>,
) -> Vec<Vec<u8>> {
    let mut all: Vec<Vec<u8>> = kept.into_iter().flat_map(|kept| model.orbit(kept)).collect();
    all.sort_unstable();
    all
}

/// Under the repaired rules, and in turn under one set of rules that breaks promises.
#[test]
fn reduced_and_full_explorations_agree() {
    let (dead, broken) = agreements(|number, all| vec![all[0], all[1 + number % (all.len() - 1)]]);
    assert!(dead > 200 && broken > 5, "{dead} dead configurations, {broken} broken properties compared");
}

#[test]
#[ignore = "a minute"]
fn reduced_and_full_explorations_agree_under_all_rules() {
    let (dead, broken) = agreements(|_, all| all);
    assert!(dead > 500 && broken > 10, "{dead} dead configurations, {broken} broken properties compared");
}

/// Compares explorations under the selected rules of each case. Returns the number of dead configurations and of broken
/// properties.
fn agreements(selected: impl Fn(usize, Vec<Rules>) -> Vec<Rules>) -> (usize, usize) {
    let (mut dead, mut broken) = (0, 0);
    for (number, Case { name, instance, symmetries }) in cases().into_iter().enumerate() {
        for rules in selected(number, rules_that_differ(&instance)) {
            let instance = Instance { exclusion: instance.exclusion.with_rules(rules), ..instance.clone() };
            let full = explored(&instance, Reductions::NONE);
            let by_symmetry =
                LockModel::new(instance.clone(), &[]).unwrap().with_reductions(SYMMETRY).unwrap();
            assert_eq!(by_symmetry.symmetry().order(), symmetries, "{name}");
            let (few, ordered, both) =
                (explored(&instance, SYMMETRY), explored(&instance, ORDER), explored(&instance, BOTH));
            println!(
                "{name:<36} {rules:?}: {} full, {} symmetry, {} partial order, {} both, {} dead, {:?}",
                full.configurations.len(),
                few.configurations.len(),
                ordered.configurations.len(),
                both.configurations.len(),
                full.dead.len(),
                full.broken,
            );
            assert_eq!(orbits(&by_symmetry, &few.configurations), full.sorted(), "{name} {rules:?}");
            assert_eq!(orbits(&by_symmetry, &few.dead), full.sorted_dead(), "{name} {rules:?}");
            assert_eq!(ordered.sorted_dead(), full.sorted_dead(), "{name} {rules:?}");
            assert_eq!(orbits(&by_symmetry, &both.dead), full.sorted_dead(), "{name} {rules:?}");
            for (reduced, what) in [(&few, "symmetry"), (&ordered, "order"), (&both, "both")] {
                assert_eq!(reduced.broken, full.broken, "{name} {rules:?} {what}");
                assert!(reduced.configurations.len() <= full.configurations.len());
            }
            dead += full.dead.len();
            broken += full.broken.len();
        }
    }
    (dead, broken)
}

/// The figures of the specification, from the orbits of the configurations that symmetry reduction stores.
#[test]
fn orbits_add_up_to_the_known_counts() {
    for (edges, demands, known, kept) in [
        (EDGE, &[ONCE; 2][..], 6_625, 3_337),
        (EDGE, &[AGAIN; 2], 7_294, 3_671),
        (TRIANGLE, &[ONCE, ONCE, NEVER], 127_693, 63_950),
    ] {
        let model = LockModel::new(instance(edges, demands), &[]).unwrap().with_reductions(SYMMETRY).unwrap();
        let few = walk(&model);
        let sum: usize = few.configurations.iter().map(|kept| model.orbit(kept).len()).sum();
        assert_eq!((sum, few.configurations.len()), (known, kept));
    }
}

/// Every trace to a stored configuration can be taken in the instance itself, and leads there.
#[test]
fn traces_of_reduced_explorations_are_runs() {
    for Case { name, instance, .. } in cases() {
        let instance = Instance { exclusion: instance.exclusion.with_rules(Rules::PUBLISHED), ..instance };
        for reductions in [Reductions::NONE, SYMMETRY, ORDER, BOTH] {
            let model = LockModel::new(instance.clone(), &[]).unwrap().with_reductions(reductions).unwrap();
            let found = walk(&model);
            let step = found.configurations.len().div_ceil(60);
            for index in (0..found.configurations.len()).step_by(step).chain(found.dead_indices()) {
                let run = model.unroll(&found.trace(index), None);
                let (world, kept) = model.follow(&run).unwrap_or_else(|error| panic!("{name}: {error}"));
                assert_eq!(kept, found.configurations[index], "{name} {reductions:?}");
                assert_eq!(run.len(), found.trace(index).moves.len());
                assert_eq!(world.steps(), run.len() as u64);
            }
        }
    }
}

/// A symmetry that swaps a caller with a node that never calls merges different configurations.
#[test]
fn a_symmetry_that_ignores_demands_is_caught() {
    let asymmetric = instance(EDGE, &[ONCE, NEVER]);
    let full = explored(&asymmetric, Reductions::NONE);
    let swap = Naming::new(vec![NodeId(1), NodeId(0)], vec![Vec::new(), Vec::new()]).unwrap();
    let model = LockModel::new(asymmetric, &[]).unwrap().with_symmetry(Symmetry::from_namings(vec![swap]));
    let wrong = walk(&model);
    assert!(model.is_reduced());
    assert_ne!(orbits(&model, &wrong.configurations), full.sorted());
}

/// Half of a group is not a group: then not every orbit has one least configuration.
#[test]
fn a_set_of_symmetries_that_is_no_group_is_caught() {
    let star = in_memory(instance(STAR, &[NEVER, ONCE, ONCE, ONCE]));
    let full = explored(&star, Reductions::NONE);
    let model = LockModel::new(star.clone(), &[]).unwrap().with_reductions(SYMMETRY).unwrap();
    let turn = model.symmetry().namings().iter().find(|naming| !naming.then(naming).is_identity()).unwrap();
    let some = Symmetry::from_namings(vec![turn.clone()]);
    let wrong = LockModel::new(star, &[]).unwrap().with_symmetry(some);
    let kept = walk(&wrong).configurations;
    assert_ne!(orbits(&model, &kept), full.sorted());
}

/// Requests at the same node do not commute. If one is taken alone, runs are lost, with dead configurations or broken
/// properties.
#[test]
fn requests_taken_first_are_caught() {
    let mut differ = 0;
    for rules in all_rules() {
        let plain = instance(EDGE, &[ONCE; 2]);
        let local = plain.exclusion.with_rules(rules);
        let full = explored(&Instance { exclusion: local, ..plain.clone() }, Reductions::NONE);
        let commutes = |message| matches!(message, Message::RequestLock(_));
        let eager = plain.with_exclusion(Mutant::new(local, Eager(commutes)));
        let properties = properties::all();
        let found = walk(&LockModel::new(eager, &properties).unwrap().with_reductions(ORDER).unwrap());
        differ += u32::from(found.sorted_dead() != full.sorted_dead());
    }
    // The two rule sets with dead configurations here: as published, and without R1 alone.
    assert_eq!(differ, 2);
}

#[test]
fn unsupported_reductions_are_refused() {
    let stiff = instance(EDGE, &[ONCE; 2]).with_exclusion(Mutant::new(Local::new(1), Stiff));
    let error = LockModel::new(stiff, &[]).unwrap().with_reductions(SYMMETRY).err();
    assert_eq!(error, Some(ReductionError::NoOtherNames));
    // A star with seven leaves has 7! symmetries, the accepted maximum; eight leaves have too many.
    for (leaves, accepted) in [(7, Some(5_040)), (8, None)] {
        let star: Vec<(u32, u32)> = (1..=leaves).map(|leaf| (0, leaf)).collect();
        let star = Instance { ports: 8, ..instance(&star, &vec![ONCE; leaves as usize + 1]) };
        let model = LockModel::new(star, &[]).unwrap().with_reductions(SYMMETRY);
        match accepted {
            Some(order) => assert_eq!(model.unwrap().symmetry().order(), order),
            None => {
                let error = model.err().unwrap();
                assert_eq!(error, ReductionError::TooManySymmetries { limit: 5_040 });
                assert!(error.to_string().contains("5040"));
            }
        }
    }
}

/// Partial-order reduction changes nothing while edges may vanish or calls come out of turn.
#[test]
fn nothing_goes_first_while_edges_may_vanish() {
    let unlimited = Instance { disconnections: Budget::Unlimited, ..in_memory(instance(EDGE, &[ONCE; 2])) };
    let misuse = Instance { misuse: true, ..in_memory(instance(EDGE, &[ONCE; 2])) };
    for instance in [unlimited, misuse] {
        assert_eq!(explored(&instance, ORDER).sorted(), explored(&instance, Reductions::NONE).sorted());
    }
}
