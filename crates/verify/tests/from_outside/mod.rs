//! Extensions by a user's program: a property, and a mutual exclusion algorithm. The checker, swarm runs and replays
//! treat them like the shipped ones.

mod coordinator;

use std::fmt::Debug;
use std::ops::ControlFlow;

use acrasin_runtime::exclusion::local::{Memory, Message, State};
use acrasin_runtime::exclusion::tree_token::{Queue, SchemeRule, TreeToken};
use acrasin_runtime::exclusion::{ActionEffects, Exclusion, InitialKnowledge, Input, Mutant, Mutation};
use acrasin_runtime::execution::{Advance, Execution};
use acrasin_runtime::scheduler::Asynchronous;
use acrasin_runtime::{
    Choices, CriticalSection, Demand, LockOnly, LockSetRule, Seeded, Setup, Timing, Topology, World,
};
use acrasin_verify::locks::{Instance, LockModel, LockReport, Options, Witness, check};
use acrasin_verify::properties::{self, Property};
use acrasin_verify::replay::{Header, Recorder, ReplayEnd, ReplayError, ReplayReader, StepCodec, replay};
use acrasin_verify::swarm::{
    Counterexample, Effort, FailureKind, SwarmFailure, Swarmed, SystemUnderTest, first_failure, run, shrink,
};
use acrasin_verify::wrong::{ParticipantFault, RuleFault, Setting, with_fault};

use crate::tree_token::{self, tree};
use coordinator::{Coordinator, Deed, Desk, Word};

const OPTIONS: Options =
    Options { bytes: 1 << 28, configurations: u64::MAX, liveness: true, stop_at_first: false };

/// A lock is set only while its owner has won, holds, or releases: a property that is not shipped.
struct OwnersOfLocks;

impl<E, S> Property<E, S> for OwnersOfLocks
where
    E: Exclusion<Memory = Memory, Message = Message>,
    S: CriticalSection,
{
    fn name(&self) -> &'static str {
        "locks have owners"
    }

    fn source(&self) -> &'static str {
        "here"
    }

    fn check(&self, world: &World<E, S>) -> Result<(), String> {
        let topology = world.topology();
        for node in topology.nodes() {
            let Some(port) = world.memory(node).lock else { continue };
            let owner = topology.link(node, port).map_or(node, |link| link.peer);
            if matches!(world.memory(owner).state, State::Idle | State::Prepare | State::Compete) {
                return Err(format!("node {node} is locked by {owner}, who has not won"));
            }
        }
        Ok(())
    }
}

#[test]
fn a_property_of_ones_own_holds_and_is_broken_in_a_shortest_way() {
    let mut properties = properties::all();
    properties.push(Box::new(OwnersOfLocks));
    let setting = Setting::EDGE_AGAIN;
    let local = setting.local().unwrap();
    let right = LockModel::new(setting.instance(local), &properties).unwrap();
    let report = check(&right, &OPTIONS, |_| ControlFlow::Continue(()));
    assert_eq!(report.broken().count(), 0);
    assert!(report.answers.iter().any(|answer| answer.property == "locks have owners"));

    let mut properties = properties::all();
    properties.push(Box::new(OwnersOfLocks));
    let wrong = with_fault(local, RuleFault::Participant(ParticipantFault::LockKept));
    let wrong = LockModel::new(setting.instance(wrong), &properties).unwrap();
    let report = check(&wrong, &OPTIONS, |_| ControlFlow::Continue(()));
    let (_, witness) = report.broken().find(|(answer, _)| answer.property == "locks have owners").unwrap();
    assert!(witness.text.contains("who has not won"), "{}", witness.text);
    // The shortest run locks and unlocks an edge alone, up to the first node that has unlocked.
    assert_eq!(witness.steps.len(), 16, "{:?}", witness.steps);
}

#[test]
fn a_property_of_ones_own_is_asked_in_swarm_runs() {
    let wrong = SystemUnderTest::new("lock-kept", |local| {
        with_fault(local, RuleFault::Participant(ParticipantFault::LockKept))
    });
    let subject = wrong.with_properties(vec![Box::new(OwnersOfLocks)]);
    let failed = first_failure(&subject, 0..100).unwrap();
    assert_eq!(failed.failure.unwrap().kind(), FailureKind("locks have owners".into()));
}

/// Every node enters once.
fn explored<E>(exclusion: E, edges: &[(u32, u32)], fathers: &[Option<u32>]) -> LockReport<Witness<E>>
where
    E: Swarmed + acrasin_verify::locks::Explored,
{
    let states = vec![Demand::Times(1); fathers.len()];
    let instance = Instance::new(exclusion, LockOnly, edges, states);
    let properties = E::properties();
    let model = LockModel::with_knowledge(instance, &tree(fathers), &properties).unwrap();
    check(&model, &OPTIONS, |_| ControlFlow::Continue(()))
}

/// The root forgets that it has admitted a node.
#[derive(Clone, Copy, Debug)]
struct Forgets;

impl Mutation<Coordinator> for Forgets {
    fn execute(
        &self,
        right: &Coordinator,
        desk: &mut Desk,
        deed: Deed,
        input: Input<'_, Word>,
        choices: &mut dyn Choices,
        effects: &mut ActionEffects<Word, ()>,
    ) {
        right.execute(desk, deed, input, choices, effects);
        if effects.sends.iter().any(|send| send.1 == Word::Enter) {
            desk.taken = false;
        }
    }
}

const TRIANGLE: &[(u32, u32)] = &[(0, 1), (0, 2), (1, 2)];
const STAR: &[Option<u32>] = &[None, Some(0), Some(0)];

#[test]
fn an_algorithm_of_ones_own_is_explored() {
    let report = explored(Coordinator, TRIANGLE, STAR);
    assert_eq!(report.broken().count(), 0);
    assert!(report.answers.iter().any(|answer| answer.property == "one node inside at a time"));
    let report = explored(Mutant::new(Coordinator, Forgets), TRIANGLE, STAR);
    let broken: Vec<&str> = report.broken().map(|(answer, _)| answer.property).collect();
    assert!(broken.contains(&"one node inside at a time"), "{broken:?}");
    assert!(broken.contains(&"who is inside was let in"), "{broken:?}");
}

/// The right algorithm passes. A run of the wrong one fails, is shrunk, saved and read again, and passes without the
/// fault.
fn swarm<E: Swarmed + Debug, W: Swarmed + Debug>(
    right: SystemUnderTest<E>,
    wrong: &SystemUnderTest<W>,
    kind: &str,
) -> Counterexample<W> {
    let right = right.with_all_properties();
    assert_eq!(first_failure(&right, 0..300).map(|run| run.failure), None);
    let once = run(&right, &right.plan(1));
    assert!(once.figures.granted > 0 && once.figures.topology_changes() == 0, "{:?}", once.figures);

    let failed = (0..300).map(|seed| run(wrong, &wrong.plan(seed)));
    let fails_so = |failure: &SwarmFailure| failure.kind().0 == kind;
    let failed = failed.into_iter().find(|run| run.failure.as_ref().is_some_and(fails_so)).expect(kind);
    let small = shrink(wrong, &failed, Effort::default()).unwrap();
    assert!(small.again(wrong).fails_as(small.kind()));
    let mut file = Vec::new();
    small.write(wrong, &mut file).unwrap();
    let read = Counterexample::read_under(wrong, "small.jsonl", &file[..]).unwrap();
    assert_eq!((read.start(), read.steps()), (small.start(), small.steps()));
    assert!(read.again(wrong).fails_as(small.kind()));
    assert!(!small.tell(wrong).steps.is_empty());
    small
}

#[test]
fn an_algorithm_of_ones_own_runs_in_the_swarm() {
    let right = SystemUnderTest::of("coordinator", |_| Coordinator);
    let wrong = SystemUnderTest::of("forgets", |_| Mutant::new(Coordinator, Forgets));
    let small = swarm(right, &wrong, "two holders");
    // Two nodes ask and are admitted: call, receipt at the root and receipt at the node, twice; or one of them is the
    // root.
    assert!(small.steps().len() <= 6, "{:?}", small.steps());
    assert!(small.start().nodes <= 3, "{:?}", small.start());
}

#[test]
fn the_token_runs_in_the_swarm() {
    for rule in [SchemeRule::AllTransit, SchemeRule::AllProxy, SchemeRule::Raymond, SchemeRule::Adversarial] {
        for queue in [Queue::Fifo, Queue::Lift] {
            let scheme = TreeToken::new(rule).with_queue(queue);
            let right = SystemUnderTest::of("token", move |_| scheme.clone()).with_all_properties();
            assert_eq!(
                first_failure(&right, 0..60).map(|run| (run.plan.seed, run.failure)),
                None,
                "{rule:?}"
            );
        }
    }
    fn raymond() -> TreeToken {
        TreeToken::new(SchemeRule::Raymond)
    }
    let right = SystemUnderTest::of("raymond", |_| raymond());
    let wrong = SystemUnderTest::of("keeps-token", |_| Mutant::new(raymond(), tree_token::Fault::KeepsToken));
    let small = swarm(right, &wrong, "two holders");
    // Trees are random, so other nodes may lie between the two that ask.
    assert!(small.steps().len() <= 8, "{:?}", small.steps());
    fn transit() -> TreeToken {
        TreeToken::new(SchemeRule::AllTransit)
    }
    let right = SystemUnderTest::of("transit", |_| transit());
    let wrong = SystemUnderTest::of("stays-asked", |_| Mutant::new(transit(), tree_token::Fault::StaysAsked));
    let small = swarm(right, &wrong, "dead configuration");
    assert_eq!(small.start().nodes, 2, "{:?}", small.start());
}

fn start<E: Exclusion>(exclusion: E, seating: &InitialKnowledge) -> World<E, LockOnly> {
    let nodes = seating.tree.as_ref().unwrap().node_count();
    let setup = Setup {
        exclusion,
        section: LockOnly,
        topology: Topology::from_edges(nodes, 2, if nodes == 2 { &[(0, 1)] } else { TRIANGLE }).unwrap(),
        states: vec![Demand::Times(2); nodes as usize],
        lock_set: LockSetRule::Neighbourhood,
        timing: Timing::OneByOne,
    };
    World::with_knowledge(setup, seating).unwrap()
}

/// Records a run.
fn recorded<E: StepCodec<Action: Clone> + Clone + 'static>(
    exclusion: &E,
    seating: &InitialKnowledge,
) -> String {
    let world = start(exclusion.clone(), seating);
    let mut recorder = Recorder::under(exclusion, Vec::new(), &Header::new(3, "three nodes")).unwrap();
    let mut run = Execution::new(world, Box::new(Asynchronous::new()));
    let mut choices = Seeded::new(3);
    while run.advance(&mut choices, &mut recorder) == Advance::Advanced {}
    String::from_utf8(recorder.end(&ReplayEnd::of(run.world(), "all served")).unwrap()).unwrap()
}

fn again<E: StepCodec + Clone>(
    exclusion: &E,
    seating: &InitialKnowledge,
    file: &str,
) -> Result<ReplayEnd, ReplayError> {
    let mut reader = ReplayReader::under(exclusion, "x.jsonl", file.as_bytes())?;
    replay(&mut start(exclusion.clone(), seating), &mut reader, &mut ())
}

#[test]
fn runs_of_other_algorithms_are_replayed_and_one_changed_line_is_found() {
    let path = tree(&[None, Some(0), Some(1)]);
    let star = tree(STAR);
    for rule in [SchemeRule::Raymond, SchemeRule::Adversarial] {
        let scheme = TreeToken::new(rule);
        let file = recorded(&scheme, &path);
        assert!(file.starts_with("{\"acrasin\":\"replay\",\"format\":1,"), "{file}");
        assert!(file.contains(&format!("\"algorithm\":\"tree token, {rule:?}, Fifo\"")), "{file}");
        assert_eq!(again(&scheme, &path, &file).unwrap().outcome, "all served");
        changed(&scheme, &path, &file, "\"request\",2", "\"request\",1");
        // Replaying under other rules, or as a run of local mutual exclusion, is refused.
        let error = again(&TreeToken::new(SchemeRule::AllProxy), &path, &file).unwrap_err().to_string();
        assert!(error.starts_with("x.jsonl:1: recorded under tree token"), "{error}");
        let error = ReplayReader::open("x.jsonl", file.as_bytes()).unwrap_err().to_string();
        assert!(error.ends_with("local mutual exclusion is accepted"), "{error}");
    }
    let file = recorded(&Coordinator, &star);
    assert_eq!(again(&Coordinator, &star, &file).unwrap().outcome, "all served");
    changed(&Coordinator, &star, &file, "\"enter\"", "\"back\"");
    let malformed = file.replacen("\"ask\"", "\"aks\"", 1);
    let error = again(&Coordinator, &star, &malformed).unwrap_err().to_string();
    assert!(error.contains("there is no message \"aks\": ask, enter, back are accepted"), "{error}");
}

/// Changes the first line with `word`; the replay must fail in this line.
fn changed<E: StepCodec + Clone>(
    exclusion: &E,
    seating: &InitialKnowledge,
    file: &str,
    word: &str,
    to: &str,
) {
    let line = file.lines().position(|line| line.contains(word)).expect("the run has such a step") + 1;
    let error = again(exclusion, seating, &file.replacen(word, to, 1)).unwrap_err();
    assert!(matches!(error, ReplayError::Impossible { .. }), "{error}");
    assert!(error.to_string().starts_with(&format!("x.jsonl:{line}: step {}", line - 1)), "{error}");
}
