//! The token that travels along a tree, explored exhaustively: the counts of the specification, and that faults are
//! caught.

use std::ops::ControlFlow;

use acrasin_runtime::exclusion::tree_token::{
    Action, Application, Behaviour, Memory, Message, PhysicalLinks, Queue, SchemeRule, TokenErratum,
    TokenNote, TreeToken,
};
use acrasin_runtime::exclusion::{
    ActionEffects, AssumptionError, Errata, Exclusion as _, InitialKnowledge, Input, Mutant, Mutation,
    RootedTree,
};
use acrasin_runtime::execution::{Advance, Execution};
use acrasin_runtime::scheduler::Asynchronous;
use acrasin_runtime::{Choices, Demand, LockOnly, LockSetRule, Seeded, Setup, Timing, Topology, World};
use acrasin_verify::locks::{
    Budget, Explored, Instance, LockModel, LockReport, Options, RefusedInstance, Verdict, Witness, check,
};
use acrasin_verify::properties;

const OPTIONS: Options =
    Options { bytes: 1 << 30, configurations: u64::MAX, liveness: true, stop_at_first: false };

const PATH: &[(u32, u32)] = &[(0, 1), (1, 2)];
const TRIANGLE: &[(u32, u32)] = &[(0, 1), (0, 2), (1, 2)];

fn complete(nodes: u32) -> Vec<(u32, u32)> {
    (0..nodes).flat_map(|a| (a + 1..nodes).map(move |b| (a, b))).collect()
}

pub(crate) fn tree(fathers: &[Option<u32>]) -> InitialKnowledge {
    InitialKnowledge::from_tree(RootedTree::new(fathers).unwrap())
}

/// Every node enters without limit.
fn instance<E>(exclusion: E, nodes: u32, edges: &[(u32, u32)]) -> Instance<E, LockOnly> {
    Instance {
        ports: nodes as u16 - 1,
        ..Instance::new(exclusion, LockOnly, edges, vec![Demand::Forever; nodes as usize])
    }
}

fn explored<E>(instance: Instance<E, LockOnly>, fathers: &[Option<u32>]) -> LockReport<Witness<E>>
where
    E: Explored<Memory = Memory, Message = Message>,
{
    let properties = properties::tree_token();
    let model = LockModel::with_knowledge(instance, &tree(fathers), &properties).unwrap();
    check(&model, &OPTIONS, |_| ControlFlow::Continue(()))
}

/// The number of configurations, after asserting that every property holds.
fn count(rule: SchemeRule, queue: Queue, edges: &[(u32, u32)], fathers: &[Option<u32>]) -> u64 {
    count_of(TreeToken::new(rule).with_queue(queue), edges, fathers)
}

fn count_of(scheme: TreeToken, edges: &[(u32, u32)], fathers: &[Option<u32>]) -> u64 {
    let (rule, queue) = (scheme.rule(), scheme.queue());
    let report = explored(instance(scheme, fathers.len() as u32, edges), fathers);
    for answer in &report.answers {
        assert_eq!(answer.verdict, Verdict::Holds, "{rule:?} {queue:?} {fathers:?}: {}", answer.property);
    }
    let asked: Vec<&str> = report.answers.iter().map(|answer| answer.property).collect();
    assert!(asked.contains(&"one node inside at a time"), "{asked:?}");
    assert!(!asked.contains(&"no two holders of one node"), "{asked:?}");
    report.exploration.configurations()
}

/// Every list of fathers that is a rooted tree.
fn trees(nodes: u32) -> Vec<Vec<Option<u32>>> {
    let lists = (0..(nodes + 1).pow(nodes)).map(|code| {
        let father = |place| (code / (nodes + 1).pow(place) % (nodes + 1)).checked_sub(1);
        (0..nodes).map(father).collect::<Vec<_>>()
    });
    lists.filter(|fathers| RootedTree::new(fathers).is_ok()).collect()
}

/// Specification A3, first row: an adversary decides every reading of the behaviour, and the reachable set is the
/// same from every initial tree.
#[test]
fn adversarial_behaviour_on_two_and_three_nodes() {
    for (nodes, queue, configurations) in
        [(2, Queue::Fifo, 58), (2, Queue::Lift, 56), (3, Queue::Fifo, 6_486), (3, Queue::Lift, 5_952)]
    {
        let trees = trees(nodes);
        assert_eq!(trees.len() as u32, nodes.pow(nodes - 1), "Cayley");
        for fathers in trees {
            let found = count(SchemeRule::Adversarial, queue, &complete(nodes), &fathers);
            assert_eq!(found, configurations, "{fathers:?} {queue:?}");
        }
    }
}

/// Raymond's instance needs only the edges of the tree; a complete graph gives the same.
#[test]
fn raymond_on_a_path_of_three_nodes() {
    for fathers in [[None, Some(0), Some(1)], [Some(1), None, Some(1)]] {
        let path = count(SchemeRule::Raymond, Queue::Fifo, PATH, &fathers);
        assert_eq!(path, count(SchemeRule::Raymond, Queue::Fifo, TRIANGLE, &fathers));
        assert!(path <= 4_952, "{path}: the most for up to five nodes");
    }
}

/// The topology rule on three nodes: every tree, every physical graph that contains it, both behaviours of a node
/// without a father, and both at the start.
#[test]
fn the_topology_rule_on_every_graph_of_three_nodes() {
    let both = [Behaviour::Transit, Behaviour::Proxy];
    let mut counts = Vec::new();
    for fathers in trees(3) {
        let tree: Vec<(u32, u32)> =
            (0..3).zip(&fathers).filter_map(|(node, father)| father.map(|father| (node, father))).collect();
        for links in [PhysicalLinks::new(tree), PhysicalLinks::new(TRIANGLE.iter().copied())] {
            for (root, initial) in both.into_iter().flat_map(|root| both.map(|initial| (root, initial))) {
                let scheme = TreeToken::new(SchemeRule::Topology { root, initial }).with_links(links.clone());
                counts.push(count_of(scheme, TRIANGLE, &fathers));
            }
        }
    }
    assert_eq!(counts.len(), 72);
    // A node's behaviour is part of a configuration.
    assert_eq!((counts.iter().min(), counts.iter().max()), (Some(&252), Some(&920)));
}

#[test]
fn assumptions_of_the_algorithm_are_checked() {
    let path = [None, Some(0), Some(1)];
    let raymond = TreeToken::new(SchemeRule::Raymond);
    let properties = properties::tree_token();
    let refused = |instance, seating: &InitialKnowledge| {
        LockModel::with_knowledge(instance, seating, &properties).err().unwrap()
    };
    let flapping = Instance { disconnections: Budget::Times(1), ..instance(raymond.clone(), 3, PATH) };
    assert_eq!(refused(flapping, &tree(&path)), RefusedInstance::Assumption(AssumptionError::Changes));
    let no_tree = refused(instance(raymond.clone(), 3, PATH), &InitialKnowledge::default());
    assert_eq!(no_tree, RefusedInstance::Assumption(AssumptionError::NoTree));
    let transit = refused(instance(TreeToken::new(SchemeRule::AllTransit), 3, PATH), &tree(&path));
    assert!(matches!(transit, RefusedInstance::Assumption(AssumptionError::NotComplete { .. })), "{transit}");
    let star = refused(instance(raymond.clone(), 3, PATH), &tree(&[None, Some(0), Some(0)]));
    assert!(matches!(star, RefusedInstance::Assumption(AssumptionError::NoTreeEdge { .. })), "{star}");
}

/// In a world where messages leave one by one under a random schedule, every node is served.
#[test]
fn a_world_serves_every_node() {
    for rule in [SchemeRule::AllTransit, SchemeRule::AllProxy, SchemeRule::Raymond, SchemeRule::Adversarial] {
        let nodes = 8_u32;
        let fathers: Vec<Option<u32>> = (0..nodes).map(|node| node.checked_sub(1).map(|n| n / 2)).collect();
        let setup = Setup {
            exclusion: TreeToken::new(rule),
            section: LockOnly,
            topology: Topology::from_edges(nodes, nodes as u16 - 1, &complete(nodes)).unwrap(),
            states: vec![Demand::Times(20); nodes as usize],
            lock_set: LockSetRule::Neighbourhood,
            timing: Timing::OneByOne,
        };
        let world = World::with_knowledge(setup, &tree(&fathers)).unwrap();
        let mut run = Execution::new(world, Box::new(Asynchronous::new()));
        let mut choices = Seeded::new(7);
        while run.advance(&mut choices, &mut ()) == Advance::Advanced {
            assert!(run.world().holders() <= 1);
        }
        assert_eq!(run.world().check(), Ok(()), "{rule:?}");
        assert_eq!(run.world().states(), vec![Demand::Times(0); nodes as usize], "{rule:?}");
    }
}

/// Mutations of the scheme.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Fault {
    /// No mutation: the control.
    None,
    /// A node passes the token on and keeps it.
    KeepsToken,
    /// Line 7 as printed: a proxy without the token records itself as the mandator.
    NotesItself,
    /// `exit_cs` does not reset that the node has asked.
    StaysAsked,
}

impl Mutation<TreeToken> for Fault {
    fn execute(
        &self,
        scheme: &TreeToken,
        memory: &mut Memory,
        action: Action,
        input: Input<'_, Message>,
        choices: &mut dyn Choices,
        effects: &mut ActionEffects<Message, TokenNote>,
    ) {
        scheme.execute(memory, action, input, choices, effects);
        let passed = effects.sends.iter().any(|(_, message)| matches!(message, Message::Token(_)));
        match self {
            Fault::KeepsToken if passed => memory.token = true,
            Fault::NotesItself if memory.application == Application::Idle && memory.mandator.is_some() => {
                memory.mandator = Some(memory.identifier);
            }
            Fault::StaysAsked if action == Action::ExitCs => memory.asked = true,
            _ => {}
        }
    }
}

#[test]
fn faults_are_caught_on_a_path_of_three_nodes() {
    let broken = |fault, rule| {
        let wrong = instance(Mutant::new(TreeToken::new(rule), fault), 3, TRIANGLE);
        let once = Instance { states: vec![Demand::Times(1); 3], ..wrong };
        let report = explored(once, &[None, Some(0), Some(1)]);
        report.broken().map(|(answer, _)| answer.property).collect::<Vec<_>>()
    };
    assert_eq!(broken(Fault::None, SchemeRule::AllProxy), [""; 0]);
    let keeps = broken(Fault::KeepsToken, SchemeRule::AllTransit);
    assert!(keeps.contains(&"one node inside at a time"), "{keeps:?}");
    // The token stops at the proxy, which never asked, so its client waits forever.
    let notes = broken(Fault::NotesItself, SchemeRule::AllProxy);
    assert!(notes.contains(&"no dead configuration"), "{notes:?}");
    let asked = broken(Fault::StaysAsked, SchemeRule::Raymond);
    assert!(asked.contains(&"no dead configuration"), "{asked:?}");
}

/// The errata of the printed text are found on two or three nodes. The table lists the broken property, the steps,
/// and the number of configurations.
#[test]
fn the_printed_text_breaks() {
    const LOCKOUT: &str = "lockout freedom against an adaptive weakly fair adversary";
    let steps = |scheme: TreeToken, fathers: &[Option<u32>], property: &str| {
        let nodes = fathers.len() as u32;
        let report = explored(instance(scheme, nodes, &complete(nodes)), fathers);
        let found = report.broken().find(|(answer, _)| answer.property == property);
        (report.exploration.configurations(), found.map(|(_, witness)| witness.steps.len()))
    };
    let printed = |scheme: TreeToken, slip| scheme.with_errata(Errata::NONE.with(slip));
    let (pair, path, star) = ([None, Some(0)], [None, Some(0), Some(1)], [None, Some(0), Some(0)]);

    let proxy = TreeToken::new(SchemeRule::Given).with_proxies([1]);
    let never = "success reachable while a Lock is outstanding";
    assert_eq!(steps(printed(proxy.clone(), TokenErratum::MandatorItself), &path, never), (332, Some(2)));
    assert_eq!(steps(proxy, &path, never).1, None);

    let transit = TreeToken::new(SchemeRule::AllTransit);
    let lent = "one token, and who is inside has it";
    assert_eq!(steps(printed(transit.clone(), TokenErratum::LenderNotNil), &pair, lent), (52, Some(2)));
    assert_eq!(steps(transit, &pair, lent).1, None);

    let lift = TreeToken::new(SchemeRule::Adversarial).with_queue(Queue::Lift);
    assert_eq!(steps(printed(lift.clone(), TokenErratum::DrainedApart), &pair, LOCKOUT), (92, Some(6)));
    assert_eq!(steps(printed(lift.clone(), TokenErratum::DrainedApart), &path, LOCKOUT), (11_172, Some(6)));
    assert_eq!(steps(lift, &pair, LOCKOUT), (56, None));
    let fifo = TreeToken::new(SchemeRule::Adversarial);
    assert_eq!(steps(printed(fifo.clone(), TokenErratum::DrainedApart), &pair, LOCKOUT), (98, None));
    assert_eq!(steps(printed(fifo, TokenErratum::DrainedApart), &path, LOCKOUT), (12_618, None));

    let links = "requests and tokens on their way out stay on links";
    let rule = SchemeRule::Topology { root: Behaviour::Transit, initial: Behaviour::Transit };
    let topology = TreeToken::new(rule).with_links(PhysicalLinks::new([(0, 1), (0, 2)]));
    assert_eq!(steps(printed(topology.clone(), TokenErratum::ReadOnArrival), &star, links), (2_002, Some(9)));
    assert_eq!(steps(topology, &star, links).1, None);
}

/// Specification A3: waiting requests are served in any order. This is safe, and success stays reachable, but a node
/// can wait forever, since the queue is not fair. The witness is a shortest run followed by a cycle.
#[test]
fn served_in_any_order_a_node_can_wait_forever() {
    let any = TreeToken::new(SchemeRule::Adversarial).with_queue(Queue::AnyOrder);
    let apart = any.clone().with_errata(Errata::NONE.with(TokenErratum::DrainedApart));
    for (scheme, nodes, configurations) in
        [(&any, 2, 56), (&any, 3, 5_820), (&apart, 2, 92), (&apart, 3, 10_992)]
    {
        for fathers in trees(nodes) {
            let report = explored(instance(scheme.clone(), nodes, &complete(nodes)), &fathers);
            assert_eq!(report.exploration.configurations(), configurations, "{fathers:?}");
            let broken: Vec<_> = report.broken().collect();
            let [(answer, witness)] = broken[..] else { panic!("{broken:?}") };
            assert_eq!(answer.property, "lockout freedom against an adaptive weakly fair adversary");
            assert!(witness.round < witness.steps.len(), "a way round: {witness:?}");
        }
    }
}
