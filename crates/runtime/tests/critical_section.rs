//! Local critical sections under every scheduler: the bounds hold, every process makes progress, messages are
//! counted. Starts that do not fit are refused.

use acrasin_runtime::exclusion::critical_section::{
    LocalSections, Message, MessageKind, Scheme, SectionNote,
};
use acrasin_runtime::exclusion::{AssumptionError, Bounds, BoundsError, InitialKnowledge};
use acrasin_runtime::execution::{Advance, Execution};
use acrasin_runtime::scheduler::{
    Activation, Asynchronous, NewestFirst, RandomPriorities, RoundRobin, Scheduler, SemiSynchronous,
    Sequential, WeaklyFair,
};
use acrasin_runtime::{
    Demand, Event, LockOnly, LockSetRule, NodeId, Observer, Seeded, Setup, Topology, World,
};

type Sections = World<LocalSections, LockOnly>;
type SectionScheduler = Box<dyn Scheduler<LocalSections, LockOnly>>;

fn schedulers() -> Vec<SectionScheduler> {
    vec![
        Box::new(Sequential::new()),
        Box::new(RoundRobin::new()),
        Box::new(SemiSynchronous::new(Activation::All)),
        Box::new(SemiSynchronous::new(Activation::Newest)),
        Box::new(Asynchronous::new()),
        Box::new(NewestFirst::new()),
        Box::new(RandomPriorities::new(4, 1_000)),
    ]
}

/// A graph with bounds, a start and a leader, under a scheme.
struct Case {
    scheme: Scheme,
    nodes: u32,
    edges: Vec<(u32, u32)>,
    knowledge: InitialKnowledge,
}

fn ring(nodes: u32) -> Vec<(u32, u32)> {
    (0..nodes).map(|node| (node, (node + 1) % nodes)).collect()
}

fn complete(nodes: u32) -> Vec<(u32, u32)> {
    (0..nodes).flat_map(|a| (a + 1..nodes).map(move |b| (a, b))).collect()
}

/// A ring around one more node, the hub 0.
fn wheel(rim: u32) -> Vec<(u32, u32)> {
    let spokes = (1..=rim).map(|node| (0, node));
    spokes.chain(ring(rim).into_iter().map(|(a, b)| (a + 1, b + 1))).collect()
}

fn degrees(nodes: u32, edges: &[(u32, u32)]) -> Vec<u32> {
    (0..nodes).map(|node| edges.iter().filter(|&&(a, b)| a == node || b == node).count() as u32).collect()
}

fn inside(nodes: u32, which: &[u32]) -> Vec<bool> {
    (0..nodes).map(|node| which.contains(&node)).collect()
}

impl Case {
    /// Inclusion: at least `least` nodes of each neighbourhood are inside; all nodes start inside.
    fn inclusion(nodes: u32, edges: Vec<(u32, u32)>, least: u32) -> Self {
        let all = degrees(nodes, &edges).into_iter().map(|degree| degree + 1);
        let bounds = all.map(|all| Bounds { least: least.min(all - 1), most: all }).collect();
        let knowledge =
            InitialKnowledge { bounds, inside: vec![true; nodes as usize], ..InitialKnowledge::default() };
        Self { scheme: Scheme::Inclusion, nodes, edges, knowledge }
    }

    /// Exclusion: at most `most` nodes of each neighbourhood are inside; all nodes start outside.
    fn exclusion(nodes: u32, edges: Vec<(u32, u32)>, most: u32) -> Self {
        let knowledge = InitialKnowledge::from_bounds(nodes, Bounds { least: 0, most });
        Self { scheme: Scheme::Exclusion, nodes, edges, knowledge }
    }

    fn both(
        scheme: Scheme,
        (nodes, edges): (u32, Vec<(u32, u32)>),
        bounds: (u32, u32),
        (start, leader): (&[u32], Option<u32>),
    ) -> Self {
        let bounds = Bounds { least: bounds.0, most: bounds.1 };
        let (inside, leader) = (inside(nodes, start), leader.map(NodeId));
        let knowledge = InitialKnowledge { inside, leader, ..InitialKnowledge::from_bounds(nodes, bounds) };
        Self { scheme, nodes, edges, knowledge }
    }

    fn world(&self, scheduler: &SectionScheduler) -> Result<Sections, AssumptionError> {
        let setup = Setup {
            exclusion: LocalSections::new(self.scheme),
            section: LockOnly,
            topology: Topology::from_edges(self.nodes, self.nodes as u16, &self.edges).unwrap(),
            states: vec![Demand::Forever; self.nodes as usize],
            lock_set: LockSetRule::Neighbourhood,
            timing: scheduler.timing(),
        };
        World::with_knowledge(setup, &self.knowledge)
    }
}

fn cases() -> Vec<Case> {
    let home = |graph, bounds, start| Case::both(Scheme::Home, graph, bounds, (start, None));
    let led = |graph, bounds, start| Case::both(Scheme::Leader, graph, bounds, (start, Some(0)));
    vec![
        Case::inclusion(2, complete(2), 1),
        Case::inclusion(4, ring(4), 1),
        Case::inclusion(4, complete(4), 2),
        Case::inclusion(6, wheel(5), 2),
        Case::exclusion(2, complete(2), 1),
        Case::exclusion(5, ring(5), 1),
        Case::exclusion(5, complete(5), 2),
        home((4, ring(4)), (0, 3), &[0, 1]),
        home((5, wheel(4)), (0, 3), &[0]),
        home((10, ring(10)), (0, 3), &[0, 3, 6]),
        led((3, complete(3)), (0, 3), &[0]),
        led((5, wheel(4)), (0, 3), &[0]),
        led((5, complete(5)), (1, 4), &[0, 1]),
        led((7, complete(7)), (2, 5), &[0, 1, 2]),
    ]
}

/// Record of a run: changes of each process, messages by kind, notes.
#[derive(Default)]
struct Seen {
    changes: Vec<u32>,
    messages: [u64; MessageKind::ALL.len()],
    notes: Vec<SectionNote>,
}

impl Observer<LocalSections, LockOnly> for Seen {
    fn event(&mut self, event: &Event<'_, LocalSections, LockOnly>) {
        match *event {
            Event::Granted { node, .. } | Event::Released { node } => self.changes[node.index()] += 1,
            Event::Sent { message: Message { kind, .. }, .. } => self.messages[kind as usize] += 1,
            Event::Noted { note, .. } => self.notes.push(note),
            _ => {}
        }
    }
}

/// Runs `turns` turns under weak fairness, with the monitor checked after each.
fn run(case: &Case, scheduler: SectionScheduler, turns: u32, seed: u64) -> Seen {
    let world = case.world(&scheduler).unwrap();
    let mut seen = Seen { changes: vec![0; case.nodes as usize], ..Seen::default() };
    let mut run = Execution::new(world, scheduler).with_fairness(WeaklyFair::with_bound(300));
    let mut choices = Seeded::new(seed);
    for _ in 0..turns {
        assert_eq!(run.advance(&mut choices, &mut seen), Advance::Advanced);
        assert_eq!(run.world().check(), Ok(()));
    }
    seen
}

#[test]
fn bounds_hold_and_every_process_goes_on() {
    for (number, case) in cases().iter().enumerate() {
        for (which, scheduler) in schedulers().into_iter().enumerate() {
            let seen = run(case, scheduler, 20_000, which as u64);
            let least = seen.changes.iter().min().unwrap();
            assert!(*least >= 4, "case {number}, scheduler {which}: {:?}", seen.changes);
        }
    }
}

/// An exit and an entry together take 3 to 6 messages per member of N[i], whichever process caused them.
#[test]
fn an_exit_and_an_entry_take_three_to_six_messages_a_member() {
    let within = |case: &Case| {
        for (which, scheduler) in schedulers().into_iter().enumerate() {
            let seen = run(case, scheduler, 40_000, which as u64);
            let members = degrees(case.nodes, &case.edges).into_iter().map(|degree| u64::from(degree) + 1);
            let pairs =
                seen.changes.iter().zip(members).map(|(&changes, members)| u64::from(changes) * members);
            let ratio = 2.0 * seen.messages.iter().sum::<u64>() as f64 / pairs.sum::<u64>() as f64;
            // Messages in transit at the end belong to pairs that are not counted.
            assert!((2.9..=6.1).contains(&ratio), "{ratio}");
        }
    };
    for least in 1..=3 {
        within(&Case::inclusion(4, complete(4), least));
        within(&Case::exclusion(4, complete(4), least));
    }
    within(&Case::inclusion(4, ring(4), 1));
    within(&Case::both(Scheme::Home, (4, ring(4)), (0, 3), (&[0, 1], None)));
}

/// The leader raises a request when all wait; a change with an extra grant is an excursion.
#[test]
fn a_leader_raises_requests_and_some_make_excursions() {
    let case = Case::both(Scheme::Leader, (5, wheel(4)), (0, 3), (&[0], Some(0)));
    let notes = |note| {
        let runs = schedulers().into_iter().enumerate();
        let seen = runs.flat_map(|(which, scheduler)| run(&case, scheduler, 20_000, which as u64).notes);
        seen.filter(|&seen| seen == note).count()
    };
    for note in [SectionNote::Triggered, SectionNote::Excursion, SectionNote::Relinquished] {
        assert!(notes(note) > 0, "{note:?}");
    }
}

#[test]
fn bounds_that_do_not_fit_are_refused_with_their_node() {
    let refused = |case: &Case| match case.world(&schedulers()[0]) {
        Err(AssumptionError::Bounds { node, why, .. }) => (node.0, why),
        other => panic!("{:?}", other.map(|_| ())),
    };
    let home = |bounds, start| Case::both(Scheme::Home, (4, ring(4)), bounds, (start, None));
    assert_eq!(refused(&home((2, 1), &[])), (0, BoundsError::Crossed));
    assert_eq!(refused(&home((0, 4), &[])), (0, BoundsError::MostTooLarge));
    assert_eq!(refused(&home((3, 3), &[])), (0, BoundsError::LeastTooLarge));
    assert_eq!(refused(&home((0, 0), &[])), (0, BoundsError::NoneMayEnter));
    assert_eq!(refused(&home((1, 3), &[0])), (0, BoundsError::NotStrictlyInside { inside: 1 }));
    assert_eq!(refused(&home((1, 2), &[0, 2])), (0, BoundsError::NotStrictlyInside { inside: 1 }));
    assert_eq!(refused(&home((0, 1), &[0, 1])), (0, BoundsError::UnsafeStart { inside: 2 }));
    // All are inside and there is no effective upper bound, so the start is strictly inside.
    assert!(home((1, 3), &[0, 1, 2, 3]).world(&schedulers()[0]).is_ok());
    let led = |bounds, start| Case::both(Scheme::Leader, (4, ring(4)), bounds, (start, Some(0)));
    assert_eq!(refused(&led((1, 1), &[0, 2])), (0, BoundsError::NoRoom));
    assert_eq!(refused(&led((1, 3), &[0, 2])), (0, BoundsError::NoRoomNearLeader));
    let mut kept = Case::exclusion(2, complete(2), 1);
    kept.knowledge.bounds[1].least = 1;
    assert_eq!(refused(&kept), (1, BoundsError::NotKept));
    let text = kept.world(&schedulers()[0]).err().unwrap().to_string();
    assert!(
        text.starts_with("node 1, with bounds 1 to 1 on the nodes inside its closed neighbourhood of 2"),
        "{text}"
    );
    kept.knowledge.leader = Some(NodeId(7));
    kept.scheme = Scheme::Leader;
    let no_leader = kept.world(&schedulers()[0]).err();
    assert_eq!(no_leader, Some(AssumptionError::NoSuchLeader { leader: NodeId(7) }));
    kept.knowledge.inside = vec![true];
    let no_start = kept.world(&schedulers()[0]).err();
    assert_eq!(no_start, Some(AssumptionError::NoStart { given: 1, nodes: 2 }));
}
