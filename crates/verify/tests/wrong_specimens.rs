//! Every wrong rule set of the token along a tree and of local critical sections is caught, as listed and within the
//! budget. The right rules pass on the same instances and random runs.

use std::collections::BTreeSet;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;

use acrasin_runtime::exclusion::{InitialKnowledge, Mutant, RootedTree};
use acrasin_runtime::{Demand, LockOnly};
use acrasin_verify::locks::{Explored, Instance, LockModel, LockReport, Options, Witness, check};
use acrasin_verify::properties::{CheckedExclusion, Property};
use acrasin_verify::swarm::{
    Counterexample, Effort, SwarmFailure, SwarmRun, Swarmed, Variants, run, run_variants, shrink,
};
use acrasin_verify::wrong::{
    FaultSearch, SECTION_FAULTS, SectionFault, SectionInstance, TOKEN_FAULTS, TokenFault, TokenInstance,
};

/// The broken properties, and the number of configurations reached.
struct Broken {
    properties: Vec<&'static str>,
    configurations: u64,
}

fn explored<E>(instance: Instance<E, LockOnly>, seating: &InitialKnowledge, within: u64) -> Broken
where
    E: Explored + CheckedExclusion,
{
    let properties: Vec<Box<dyn Property<E, LockOnly>>> = E::properties();
    let model = LockModel::with_knowledge(instance, seating, &properties).unwrap();
    let options = Options { bytes: 1 << 29, configurations: within, liveness: true, stop_at_first: false };
    let report: LockReport<Witness<E>> = check(&model, &options, |_| ControlFlow::Continue(()));
    let properties = report.broken().map(|(answer, _)| answer.property).collect();
    Broken { properties, configurations: report.exploration.configurations() }
}

fn token(instance: &TokenInstance, fault: TokenFault, within: u64) -> Broken {
    let nodes = instance.fathers.len() as u32;
    let edges: Vec<(u32, u32)> = (0..nodes).flat_map(|a| (a + 1..nodes).map(move |b| (a, b))).collect();
    let exclusion = Mutant::new(instance.scheme(), fault);
    let states = vec![instance.demand(); nodes as usize];
    let seating = InitialKnowledge::from_tree(RootedTree::new(instance.fathers).unwrap());
    explored(Instance::new(exclusion, LockOnly, &edges, states), &seating, within)
}

fn section(instance: &SectionInstance, fault: SectionFault, within: u64) -> Broken {
    let exclusion = Mutant::new(instance.sections(), fault);
    let states = vec![Demand::Times(instance.calls); instance.nodes as usize];
    explored(Instance::new(exclusion, LockOnly, instance.edges, states), &instance.seating(), within)
}

/// The first failing run, with every property checked after every step.
fn first_failure<E: Swarmed>(variants: &Variants<E>, runs: u64) -> Option<SwarmRun> {
    let runs = (0..runs).map(|seed| run(variants.of_seed(seed), &variants.of_seed(seed).plan(seed)));
    runs.into_iter().find(|run| run.failure.is_some())
}

/// The kind of failure found by random runs.
fn kind_in_runs<E: Swarmed>(variants: Variants<E>, runs: u64) -> Option<String> {
    let variants = variants.map(|subject| subject.with_all_properties());
    let failed = first_failure(&variants, runs)?;
    failed.failure.map(|failure: SwarmFailure| failure.kind().to_string())
}

#[test]
fn every_wrong_token_is_caught() {
    let mut missed = Vec::new();
    for entry in TOKEN_FAULTS {
        let FaultSearch::Explored(instance, within) = entry.found else {
            let kind = kind_in_runs(Variants::tree_token(entry.fault), 400);
            assert_eq!(kind.as_deref(), Some(entry.shows), "{}", entry.name);
            continue;
        };
        let found = token(&instance, entry.fault, within);
        println!("| {} | {} | {} | {:?} |", entry.name, entry.shows, found.configurations, found.properties);
        if !found.properties.contains(&entry.shows) {
            missed.push((entry.name, found.properties));
        }
        // The right rules keep all properties here.
        let right = token(&instance, TokenFault::None, within);
        assert!(right.properties.is_empty(), "{}: {:?}", entry.name, right.properties);
        assert!(right.configurations < within, "{}: {}", entry.name, right.configurations);
    }
    assert!(missed.is_empty(), "{missed:#?}");
}

#[test]
fn every_wrong_section_is_caught() {
    let mut missed = Vec::new();
    for entry in SECTION_FAULTS {
        match entry.found {
            FaultSearch::InRuns(runs) => {
                let kind = kind_in_runs(Variants::critical_section(entry.fault), runs);
                println!("| {} | {} | {kind:?} |", entry.name, entry.shows);
                if kind.as_deref() != Some(entry.shows) {
                    missed.push((entry.name, format!("{kind:?}")));
                }
            }
            FaultSearch::Explored(instance, within) => {
                let found = section(&instance, entry.fault, within);
                println!(
                    "| {} | {} | {} | {:?} |",
                    entry.name, entry.shows, found.configurations, found.properties
                );
                if !found.properties.contains(&entry.shows) {
                    missed.push((entry.name, format!("{:?}", found.properties)));
                }
            }
        }
    }
    assert!(missed.is_empty(), "{missed:#?}");
}

#[test]
fn the_right_sections_pass_where_wrong_ones_fail() {
    let instances = SECTION_FAULTS.iter().filter_map(|entry| match entry.found {
        FaultSearch::Explored(instance, _) => Some(instance),
        FaultSearch::InRuns(_) => None,
    });
    for instance in instances.collect::<BTreeSet<_>>() {
        let right = section(&instance, SectionFault::None, 1_000_000);
        println!("{instance:?}: {}", right.configurations);
        assert!(right.properties.is_empty(), "{instance:?}: {:?}", right.properties);
    }
}

#[test]
fn the_right_rules_pass_random_runs() {
    fn passes<E: Swarmed>(variants: Variants<E>, runs: u64) {
        let variants = variants.map(|subject| subject.with_all_properties());
        let threads = NonZeroUsize::new(2).unwrap();
        let summary = run_variants(&variants, 0..runs, threads, &mut |_| ControlFlow::Continue(())).unwrap();
        assert_eq!((summary.runs, summary.failed), (runs, 0), "{:#?}", summary.failures);
        let empty: Vec<String> =
            summary.coverage.empty::<E>().map(|(action, column)| format!("{action} {column:?}")).collect();
        assert!(empty.is_empty(), "{empty:?}");
    }
    passes(Variants::tree_token(TokenFault::None), 800);
    passes(Variants::critical_section(SectionFault::None), 800);
}

/// Random runs find most faults too. A failure is shrunk, saved, read and found again.
#[test]
fn failures_of_random_runs_are_shrunk_and_replayed() {
    fn small<E: Swarmed + std::fmt::Debug>(wrong: &Variants<E>, right: &Variants<E>) -> usize {
        let failed = first_failure(wrong, 400).expect("some run fails");
        let subject = wrong.of_seed(failed.plan.seed);
        let small = shrink(subject, &failed, Effort::default()).expect("the run fails again");
        let mut file = Vec::new();
        small.write(subject, &mut file).unwrap();
        let read = Counterexample::read_under(subject, "small.jsonl", &file[..]).unwrap();
        assert_eq!((read.start(), read.steps()), (small.start(), small.steps()));
        assert!(read.again(subject).fails_as(small.kind()));
        assert_eq!(read.again(right.of_seed(failed.plan.seed)).failure, None);
        small.steps().len()
    }
    let tokens = Variants::tree_token(TokenFault::None);
    assert!(small(&Variants::tree_token(TokenFault::LentForGood), &tokens) <= 12);
    let sections = Variants::critical_section(SectionFault::None);
    assert!(small(&Variants::critical_section(SectionFault::UsedGivenBack), &sections) <= 60);
}

#[test]
fn the_lists_are_in_order() {
    let names: Vec<(&str, &str)> = TOKEN_FAULTS.iter().map(|entry| (entry.name, entry.what)).collect();
    let sections = SECTION_FAULTS.iter().map(|entry| (entry.name, entry.what));
    let names: Vec<(&str, &str)> = names.into_iter().chain(sections).collect();
    assert!(names.len() >= 20);
    assert_eq!(names.iter().map(|(name, _)| name).collect::<BTreeSet<_>>().len(), names.len());
    for (name, what) in names {
        assert!(name.chars().all(|c| c.is_ascii_lowercase() || c == '-'), "{name}");
        assert!(what.ends_with('.'), "{name}");
    }
}
