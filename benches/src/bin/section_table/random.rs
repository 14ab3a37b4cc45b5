//! Random instances that satisfy the paper's preconditions. Each instance runs under an adversary, and then under a
//! fair schedule in which each process must enter or leave. This reproduces the last table of the specification's B6.

use std::num::NonZeroU32;
use std::process::ExitCode;

use acrasin_runtime::choice::derived_seed;
use acrasin_runtime::exclusion::critical_section::{LocalSections, Scheme, SectionErratum};
use acrasin_runtime::exclusion::{Bounds, Errata, InitialKnowledge};
use acrasin_runtime::{
    Choices as _, Decision, Demand, LockOnly, LockSetRule, NodeId, Seeded, Setup, Step, StepOf, Timing,
    Topology, World,
};
use rayon::prelude::*;

use super::SectionTableResult;

type Sections = World<LocalSections, LockOnly>;
type Offered = StepOf<LocalSections>;

/// The number of steps under the adversary, and the number of fair steps after them. Within the latter each process
/// must enter or leave.
const ADVERSARY_STEPS: u32 = 5_000;
const FAIR_STEPS: u32 = 40_000;
/// The maximum number of graphs with bounds that are drawn for one instance, and of starts that are drawn for each
/// graph.
const DRAWS_MAX: u32 = 1 << 16;
const STARTS_MAX: u32 = 64;

fn below(choices: &mut Seeded, bound: usize) -> usize {
    let bound = u32::try_from(bound).ok().and_then(NonZeroU32::new).expect("something to choose from");
    choices.pick(bound, Decision::Initial) as usize
}

/// A graph and the initial knowledge of its processes.
struct SeatedGraph {
    nodes: u32,
    edges: Vec<(u32, u32)>,
    seating: InitialKnowledge,
}

impl SeatedGraph {
    fn topology(&self) -> Topology {
        Topology::from_edges(self.nodes, self.nodes as u16 - 1, &self.edges).expect("a simple graph")
    }

    /// Draws a connected random graph of five to ten processes, bounds as wide as the paper requires, and a start
    /// within the bounds. Near the leader the start is within the narrower bounds that apply there.
    ///
    /// The leader is process 0 and has at least four neighbours. For a scheme without a leader the start is strictly
    /// inside the bounds.
    fn drawn(scheme: Scheme, seed: u64) -> Self {
        let mut choices = Seeded::new(seed);
        let is_led = scheme == Scheme::Leader;
        let drawn = (0..DRAWS_MAX).find_map(|_| Self::try_draw(is_led, &mut choices));
        drawn.expect("many graphs have bounds and a start that fit")
    }

    fn try_draw(is_led: bool, choices: &mut Seeded) -> Option<Self> {
        let nodes = 5 + below(choices, 6) as u32;
        let tenths = 3 + below(choices, 7);
        let pairs = (0..nodes).flat_map(|a| (a + 1..nodes).map(move |b| (a, b)));
        let edges: Vec<(u32, u32)> = pairs.filter(|_| below(choices, 10) < tenths).collect();
        let mut around: Vec<Vec<usize>> = (0..nodes as usize).map(|node| vec![node]).collect();
        for &(a, b) in &edges {
            around[a as usize].push(b as usize);
            around[b as usize].push(a as usize);
        }
        let near: Vec<bool> =
            around.iter().map(|all| is_led && all.iter().any(|&at| around[at].contains(&0))).collect();
        // The required difference of k and l. Near the leader both bounds are one narrower.
        let room: Vec<usize> = near.iter().map(|&near| if near { 3 } else { 1 }).collect();
        let has_room = around.iter().zip(&room).all(|(all, &room)| all.len() >= room);
        if !has_room || !is_connected(&around) || is_led && around[0].len() < 5 {
            return None;
        }
        let bounds = around.iter().zip(&room).map(|(all, &room)| {
            let least = below(choices, all.len() - room + 1);
            let most = least + room + below(choices, all.len() - least - room + 1);
            Bounds { least: least as u32, most: most as u32 }
        });
        let bounds: Vec<Bounds> = bounds.collect();
        let fits = |inside: &Vec<bool>| {
            (0..nodes as usize).all(|node| {
                let count = around[node].iter().filter(|&&at| inside[at]).count() as u32;
                let (all, Bounds { least, most }) = (around[node].len() as u32, bounds[node]);
                if is_led {
                    let slack = u32::from(near[node]);
                    (least + slack..=most - slack).contains(&count)
                } else {
                    (least..=most).contains(&count)
                        && (least < count || count == 0)
                        && (count < most || count == all)
                }
            })
        };
        let mut starts = (0..STARTS_MAX).map(|_| (0..nodes).map(|_| below(choices, 2) == 0).collect());
        let inside: Vec<bool> = starts.find(fits)?;
        let leader = is_led.then_some(NodeId(0));
        let seating = InitialKnowledge { bounds, inside, leader, ..InitialKnowledge::default() };
        Some(Self { nodes, edges, seating })
    }
}

/// Whether all processes are reachable from process 0.
fn is_connected(around: &[Vec<usize>]) -> bool {
    let (mut reached, mut at) = (vec![0], 0);
    while let Some(&node) = reached.get(at) {
        at += 1;
        for &other in &around[node] {
            if !reached.contains(&other) {
                reached.push(other);
            }
        }
    }
    reached.len() == around.len()
}

/// The kind of adversary before the fair phase.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum AdversaryKind {
    Uniform,
    MessagesFirst,
    Priorities,
    SlowProcess,
    CallsFirst,
    QuiescentRounds,
    Bursts,
}

const MANNERS: [AdversaryKind; 7] = [
    AdversaryKind::Uniform,
    AdversaryKind::MessagesFirst,
    AdversaryKind::Priorities,
    AdversaryKind::SlowProcess,
    AdversaryKind::CallsFirst,
    AdversaryKind::QuiescentRounds,
    AdversaryKind::Bursts,
];

fn actor(step: &Offered) -> NodeId {
    match *step {
        Step::Lock { node, .. }
        | Step::Unlock { node }
        | Step::Act { node, .. }
        | Step::Receive { node, .. } => node,
        _ => unreachable!("the graph stays, and messages leave at once"),
    }
}

/// An adversary in the middle of a run.
struct RandomAdversary {
    manner: AdversaryKind,
    slow: NodeId,
    order: Vec<u32>,
    favourite: NodeId,
    calls: Vec<NodeId>,
}

impl RandomAdversary {
    fn new(manner: AdversaryKind, nodes: u32, choices: &mut Seeded) -> Self {
        let slow = NodeId(below(choices, nodes as usize) as u32);
        Self { manner, slow, order: vec![0; nodes as usize], favourite: slow, calls: Vec::new() }
    }

    fn pick(&mut self, offered: &[Offered], choices: &mut Seeded) -> Offered {
        let is_message = |step: &Offered| matches!(step, Step::Receive { .. });
        let among = |keep: &dyn Fn(&Offered) -> bool, choices: &mut Seeded| {
            let kept: Vec<&Offered> = offered.iter().filter(|step| keep(step)).collect();
            let from = if kept.is_empty() { offered.iter().collect() } else { kept };
            *from[below(choices, from.len())]
        };
        match self.manner {
            AdversaryKind::Uniform => among(&|_| true, choices),
            AdversaryKind::MessagesFirst => among(&is_message, choices),
            AdversaryKind::CallsFirst => among(&|step| !is_message(step), choices),
            AdversaryKind::SlowProcess => {
                let slow = self.slow;
                among(&|step| actor(step) != slow, choices)
            }
            AdversaryKind::Priorities => {
                if below(choices, 50) == 0 {
                    for place in &mut self.order {
                        *place = below(choices, 1 << 16) as u32;
                    }
                }
                *offered.iter().max_by_key(|step| self.order[actor(step).index()]).expect("some are offered")
            }
            AdversaryKind::QuiescentRounds => {
                // All processes with a call make it in turn, then every message arrives.
                let open = |step: &Offered| !is_message(step) && !self.calls.contains(&actor(step));
                let step = if offered.iter().any(is_message) && !offered.iter().any(open) {
                    among(&is_message, choices)
                } else {
                    if !offered.iter().any(open) {
                        self.calls.clear();
                    }
                    let calls = &self.calls;
                    among(&|step| !is_message(step) && !calls.contains(&actor(step)), choices)
                };
                if !is_message(&step) {
                    self.calls.push(actor(&step));
                }
                step
            }
            AdversaryKind::Bursts => {
                if !offered.iter().any(|step| actor(step) == self.favourite) || below(choices, 12) == 0 {
                    self.favourite = actor(&offered[below(choices, offered.len())]);
                }
                let favourite = self.favourite;
                among(&|step| actor(step) == favourite, choices)
            }
        }
    }
}

/// The result of one run.
#[derive(Clone, Copy, Default, Debug)]
struct RunResult {
    violated: bool,
    dead: bool,
    starves: bool,
    starves_at_leader: bool,
}

impl RunResult {
    fn or(self, other: Self) -> Self {
        Self {
            violated: self.violated | other.violated,
            dead: self.dead | other.dead,
            starves: self.starves | other.starves,
            starves_at_leader: self.starves_at_leader | other.starves_at_leader,
        }
    }
}

fn run(sections: LocalSections, instance: &SeatedGraph, (manner, seed): (AdversaryKind, u64)) -> RunResult {
    let mut choices = Seeded::new(seed);
    let topology = instance.topology();
    let setup = Setup {
        exclusion: sections.with_any_safe_start(),
        section: LockOnly,
        topology,
        states: vec![Demand::Forever; instance.nodes as usize],
        lock_set: LockSetRule::Neighbourhood,
        timing: Timing::AtOnce,
    };
    let mut world: Sections = World::with_knowledge(setup, &instance.seating).expect("the instance fits");
    let mut adversary = RandomAdversary::new(manner, instance.nodes, &mut choices);
    let (mut offered, mut changes) = (Vec::new(), vec![0_u32; instance.nodes as usize]);
    let mut ended = RunResult::default();
    for at in 0..ADVERSARY_STEPS + FAIR_STEPS {
        offered.clear();
        world.offered(&mut offered);
        if offered.is_empty() {
            ended.dead = true;
            break;
        }
        let step = if at < ADVERSARY_STEPS {
            adversary.pick(&offered, &mut choices)
        } else {
            offered[below(&mut choices, offered.len())]
        };
        let node = actor(&step);
        let before = world.memory(node).inside;
        world.apply(&step, &mut choices, &mut ()).expect("it is offered");
        if world.violation().is_some() {
            ended.violated = true;
            break;
        }
        if at >= ADVERSARY_STEPS {
            changes[node.index()] += u32::from(world.memory(node).inside != before);
        }
    }
    if !ended.violated && !ended.dead {
        let leader = instance.seating.leader;
        for node in world.topology().nodes().filter(|node| changes[node.index()] == 0) {
            ended.starves = true;
            let at_leader = |leader| node == leader || world.topology().adjacent(node, leader);
            ended.starves_at_leader |= leader.is_some_and(at_leader);
        }
    }
    ended
}

/// The title and the algorithm of each row. The rows differ in scheme and errata.
fn rows() -> Vec<(&'static str, LocalSections)> {
    let led = |slips: &[SectionErratum]| {
        let printed = slips.iter().fold(Errata::NONE, |printed, &slip| printed.with(slip));
        LocalSections::new(Scheme::Leader).with_own_messages_at_once().with_errata(printed)
    };
    vec![
        ("leader, no extra place", led(&[SectionErratum::NoExtraPlace])),
        (
            "leader, never busy, no excursion",
            led(&[SectionErratum::LeaderNeverBusy, SectionErratum::NoExcursion]),
        ),
        ("leader, no excursion", led(&[SectionErratum::NoExcursion])),
        ("leader, repaired", led(&[])),
        ("home", LocalSections::new(Scheme::Home).with_own_messages_at_once()),
    ]
}

/// Prints one row for each of [`rows`]: the numbers of instances in which a bound is broken, the run is dead, or a
/// process starves.
pub(crate) fn table(instances: u64) -> SectionTableResult<ExitCode> {
    println!(
        "| rules | instances | broken bounds | dead | some process starves | one of N[leader] starves |"
    );
    println!("|---|---:|---:|---:|---:|---:|");
    for (words, sections) in rows() {
        let ended: Vec<RunResult> = (0..instances)
            .into_par_iter()
            .map(|number| {
                let instance = SeatedGraph::drawn(sections.scheme(), derived_seed(number, 1));
                let runs = MANNERS.iter().enumerate().map(|(at, &manner)| {
                    run(sections, &instance, (manner, derived_seed(number, 2 + at as u64)))
                });
                runs.fold(RunResult::default(), RunResult::or)
            })
            .collect();
        let count = |of: fn(&RunResult) -> bool| ended.iter().filter(|ended| of(ended)).count();
        println!(
            "| {words} | {instances} | {} | {} | {} | {} |",
            count(|ended| ended.violated),
            count(|ended| ended.dead),
            count(|ended| ended.starves),
            count(|ended| ended.starves_at_leader),
        );
    }
    Ok(ExitCode::SUCCESS)
}
