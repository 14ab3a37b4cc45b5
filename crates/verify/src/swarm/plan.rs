//! [`SwarmPlan`]: the choices that a seed makes before a run.

use std::fmt;
use std::num::NonZeroU32;

use acrasin_runtime::choice::derived_seed;
use acrasin_runtime::exclusion::local::{Local, SelfMessages};
use acrasin_runtime::exclusion::{AlgorithmLabels, Assumptions, Guarantee, RequiredGraph};
use acrasin_runtime::scheduler::{
    Activation, Asynchronous, NewestFirst, RandomPriorities, RoundRobin, Scheduler, SemiSynchronous,
    Sequential, Starve,
};
use acrasin_runtime::{
    Choices as _, Decision, FixedProbability, LockOnly, LockSetRule, NodeId, Seeded, Timing,
};

use super::SwarmGraph;

/// The plan of a run. Plan and picks together determine the run. A seed gives the same plan on every platform.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct SwarmPlan {
    /// The seed of the plan and the picks.
    pub seed: u64,
    /// The family and size of the initial graph.
    pub graph: SwarmGraph,
    /// The edges of the initial graph. Each node numbers its ports in this order.
    pub edges: Vec<(u32, u32)>,
    /// The number of ports of each node, Δ: the largest initial degree plus 0 to 2, so that edges can be added.
    pub ports: u16,
    /// The lock set that a Lock asks for.
    pub lock_set: LockSetRule,
    /// The treatment of a node's messages to itself.
    pub self_messages: SelfMessages,
    /// Whether the messages of an action leave at once or one by one.
    pub timing: Timing,
    /// The number of priorities, K. Small values only occur for Δ ≤ 3: on denser graphs hardly any trial is won with K
    /// = 2.
    pub priorities: u32,
    /// The number of Lock calls of each node in the first phase; `None` if unlimited.
    pub demands: Vec<Option<u32>>,
    /// The scheduler of the first phase.
    pub order: PhaseOrder,
    /// The scheduler of the second phase.
    pub drain: Drain,
    /// The way in which the graph changes in the first phase.
    pub interference: Interference,
    /// The rates of disturbances.
    pub rates: Rates,
    /// The number of scheduler turns of the first phase.
    pub turns: u32,
}

/// The scheduler of the first phase. It need not be fair, since only safety is checked there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PhaseOrder {
    /// One step of a random node at a time. With [`Timing::OneByOne`] this is the asynchronous scheduler.
    Sequential,
    /// The nodes act in turn.
    RoundRobin,
    /// Rounds of a random subset: each node acts with this probability, in units of 1/256.
    SomeInRounds(u8),
    /// Rounds in which all nodes act.
    AllInRounds,
    /// Rounds in which all nodes except this one act.
    AllButInRounds(NodeId),
    /// Rounds in which those nodes act to which messages were sent in the previous round. Only with [`Timing::AtOnce`].
    NewestInRounds,
    /// The newest message first: channels behave like stacks.
    NewestFirst,
    /// One step of a random node at a time; this node acts only if no other can.
    Starve(NodeId),
    /// Random priorities of the nodes, with this many changes in this many turns.
    RandomPriorities(u32, u32),
}

/// The scheduler of the second phase; each is weakly fair with probability 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Drain {
    /// One step of a random node at a time.
    Sequential,
    /// The nodes act in turn.
    RoundRobin,
    /// Rounds in which each node acts with probability 1/2.
    HalfInRounds,
    /// Rounds in which all nodes act.
    AllInRounds,
    /// One step of a random node at a time; messages leave one by one. The only scheduler with [`Timing::OneByOne`].
    Asynchronous,
}

/// The way in which the graph changes in the first phase.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Interference {
    /// No change: the graph is static.
    Static,
    /// Initial edges appear and vanish: a random one of them flips at the rate [`Rates::changes`].
    Churn,
    /// Links are removed one by one and restored in another order, repeatedly:
    /// [`Swizzle`](acrasin_runtime::topology::dynamics::Swizzle).
    Swizzle {
        /// The number of links that are removed each time.
        links: u32,
        /// The minimum number of turns between the first removals of two successive sets of links.
        period: u64,
    },
    /// Any edge may vanish, and any two nodes may connect on any open ports. An edge may also vanish, and a new edge
    /// appear on one of its ports before the node reads its detector. The rate is [`Rates::changes`].
    Anywhere,
}

/// Rates of disturbances, in 1/256 per turn. Their sum is below 256.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rates {
    /// The rate at which a node with calls left calls Lock.
    pub calls: u8,
    /// The rate at which a client makes a Lock or Unlock call that the rules ignore.
    pub misuse: u8,
    /// The rate at which the graph changes, under [`Interference::Churn`] or [`Interference::Anywhere`].
    pub changes: u8,
}

/// The random stream from which the parts of a plan are drawn in a fixed order.
struct PlanDraws(Seeded);

impl PlanDraws {
    fn below(&mut self, bound: u32) -> u32 {
        self.0.pick(NonZeroU32::new(bound).expect("something to choose from"), Decision::Initial)
    }

    /// Draws uniformly from `least..=most`.
    fn between(&mut self, least: u32, most: u32) -> u32 {
        least + self.below(most - least + 1)
    }

    fn byte(&mut self, least: u8, most: u8) -> u8 {
        self.between(least.into(), most.into()) as u8
    }

    fn one_in(&mut self, n: u32) -> bool {
        self.below(n) == 0
    }
}

impl SwarmPlan {
    /// Draws the plan of a seed. Cost: a few microseconds.
    #[must_use]
    pub fn from_seed(seed: u64) -> Self {
        let mut draw = PlanDraws(Seeded::new(derived_seed(seed, 0)));
        let graph = graph(&mut draw);
        let nodes = graph.nodes();
        let edges = graph.edges(|bound| draw.below(bound));
        let mut degrees = vec![0; nodes as usize];
        for &(a, b) in &edges {
            degrees[a as usize] += 1;
            degrees[b as usize] += 1;
        }
        let degree = degrees.into_iter().max().unwrap_or(0);
        let ports = (degree + draw.below(3) as u16).max(1);
        let auto = Local::auto_priorities(ports);
        let priorities = match draw.below(4) {
            0 if ports <= 3 => 2,
            1 if ports <= 3 => 3,
            2 => 4 * auto,
            _ => auto,
        };
        let lock_set = if draw.one_in(4) { LockSetRule::Pair } else { LockSetRule::Neighbourhood };
        let self_messages = if draw.one_in(3) { SelfMessages::InMemory } else { SelfMessages::Sent };
        let timing = if draw.one_in(2) { Timing::OneByOne } else { Timing::AtOnce };
        let demands = (0..nodes)
            .map(|_| match draw.below(4) {
                0 => Some(0),
                1 => Some(draw.between(1, 3)),
                _ => None,
            })
            .collect();
        let order = order(&mut draw, nodes, timing);
        let drain = match (timing, draw.below(4)) {
            (Timing::OneByOne, _) => Drain::Asynchronous,
            (Timing::AtOnce, 0) => Drain::RoundRobin,
            (Timing::AtOnce, 1) => Drain::HalfInRounds,
            (Timing::AtOnce, 2) => Drain::AllInRounds,
            (Timing::AtOnce, _) => Drain::Sequential,
        };
        let interference = match draw.below(6) {
            0 => Interference::Static,
            1 => Interference::Churn,
            2 => Interference::Swizzle { links: draw.between(1, 3), period: draw.between(4, 40).into() },
            _ => Interference::Anywhere,
        };
        let rates = Rates {
            calls: draw.byte(8, 64),
            misuse: if draw.one_in(2) { 0 } else { draw.byte(1, 12) },
            changes: match interference {
                Interference::Churn | Interference::Anywhere => draw.byte(2, 48),
                Interference::Static | Interference::Swizzle { .. } => 0,
            },
        };
        // A round is about as many steps as half of the nodes.
        let steps = draw.between(60, 600);
        let turns = if order.is_in_rounds() { (2 * steps).div_ceil(nodes) } else { steps };
        Self {
            seed,
            graph,
            edges,
            ports,
            lock_set,
            self_messages,
            timing,
            priorities,
            demands,
            order,
            drain,
            interference,
            rates,
            turns,
        }
    }

    /// Restricts the plan to what an algorithm's assumptions and promise allow. The graph does not change on a static
    /// network. The graph becomes connected if a tree is given, complete if the algorithm assumes it, and gets a node
    /// adjacent to all others if a leader is given. Lock sets become neighbourhoods unless the algorithm promises
    /// disjoint lock sets.
    #[must_use]
    pub fn fitted(mut self, assumes: &Assumptions, promise: Guarantee) -> Self {
        if promise != Guarantee::DisjointLockSets {
            self.lock_set = LockSetRule::Neighbourhood;
        }
        if assumes.network == RequiredGraph::Dynamic {
            return self;
        }
        (self.interference, self.rates.changes) = (Interference::Static, 0);
        let instead = match (assumes.network, self.graph.nodes()) {
            (RequiredGraph::Complete, nodes) => Some(SwarmGraph::Complete(nodes.min(COMPLETE_MAX))),
            // All nodes are adjacent to the leader: only such a graph promises progress to every process.
            (_, nodes) if assumes.given.leader && nodes % 2 == 0 => {
                Some(SwarmGraph::Wheel(nodes.clamp(5, 9)))
            }
            (_, nodes) if assumes.given.leader => Some(SwarmGraph::Complete(nodes.clamp(4, COMPLETE_MAX))),
            _ => None,
        };
        let nodes = instead.unwrap_or(self.graph).nodes();
        if let Some(graph) = instead {
            self.graph = graph;
            self.edges = graph.edges(|_| unreachable!("nothing of it is drawn"));
            self.demands.resize(nodes as usize, None);
        } else if assumes.given.tree {
            connect(nodes, &mut self.edges);
        }
        if let SwarmGraph::Random(_, edges) = &mut self.graph {
            *edges = (*edges).max(self.edges.len() as u32);
        }
        let degree = |node| self.edges.iter().filter(|edge| edge.0 == node || edge.1 == node).count() as u16;
        self.ports = self.ports.max((0..nodes).map(degree).max().unwrap_or(0));
        if let PhaseOrder::AllButInRounds(node) | PhaseOrder::Starve(node) = &mut self.order {
            node.0 %= nodes;
        }
        self
    }

    /// The seed of the picks of the first phase.
    pub(super) fn picks_seed(&self) -> u64 {
        derived_seed(self.seed, 1)
    }
}

/// The maximum number of nodes of a complete graph. Larger complete graphs are slow and have shown no further failures.
const COMPLETE_MAX: u32 = 7;

/// Makes the graph connected: adds edges from node 0 to the first unreached node until all nodes are reached.
fn connect(nodes: u32, edges: &mut Vec<(u32, u32)>) {
    let mut reached = vec![0];
    while reached.len() < nodes as usize {
        let leads = |&(a, b): &(u32, u32)| reached.contains(&a) != reached.contains(&b);
        let (a, b) = edges.iter().copied().find(leads).unwrap_or_else(|| {
            let rest = (0..nodes).find(|node| !reached.contains(node)).expect("some are left");
            edges.push((0, rest));
            (0, rest)
        });
        reached.push(if reached.contains(&a) { b } else { a });
    }
}

/// The seed of the second phase. Its draws are not part of the stream of picks: after shrinking they would all be 0,
/// and all priorities equal.
pub(super) fn drain_seed(seed: u64) -> u64 {
    derived_seed(seed, 2)
}

/// Draws a graph. Small graphs are more frequent, because most faults show up on few nodes, where runs are short.
fn graph(draw: &mut PlanDraws) -> SwarmGraph {
    let small = if draw.one_in(2) { 5 } else { 12 };
    match draw.below(7) {
        0 => SwarmGraph::Path(draw.between(2, small)),
        1 => SwarmGraph::Ring(draw.between(3, small)),
        2 => SwarmGraph::Star(draw.between(3, small)),
        3 => SwarmGraph::Complete(draw.between(3, if small < 12 { 4 } else { COMPLETE_MAX })),
        4 if small < 12 => SwarmGraph::Grid(2, 2),
        4 => SwarmGraph::Grid(draw.between(2, 3), draw.between(2, 4)),
        5 if draw.one_in(3) => SwarmGraph::Torus(3, draw.between(3, 4)),
        _ => {
            let nodes = draw.between(2, small);
            SwarmGraph::Random(nodes, draw.between(nodes - 1, 2 * nodes))
        }
    }
}

fn order(draw: &mut PlanDraws, nodes: u32, timing: Timing) -> PhaseOrder {
    match draw.below(10) {
        0 => PhaseOrder::RoundRobin,
        1 => PhaseOrder::SomeInRounds(draw.byte(32, 224)),
        2 => PhaseOrder::AllInRounds,
        3 => PhaseOrder::AllButInRounds(NodeId(draw.below(nodes))),
        4 if timing == Timing::AtOnce => PhaseOrder::NewestInRounds,
        5 => PhaseOrder::NewestFirst,
        6 => PhaseOrder::Starve(NodeId(draw.below(nodes))),
        7 => {
            let horizon = draw.between(16, 256);
            PhaseOrder::RandomPriorities(draw.between(1, 8), horizon)
        }
        _ => PhaseOrder::Sequential,
    }
}

impl PhaseOrder {
    /// Whether a turn of this scheduler is a round, in which several nodes may act.
    #[must_use]
    pub fn is_in_rounds(self) -> bool {
        matches!(
            self,
            Self::SomeInRounds(_) | Self::AllInRounds | Self::AllButInRounds(_) | Self::NewestInRounds
        )
    }

    pub(super) fn scheduler<E: AlgorithmLabels>(self) -> Box<dyn Scheduler<E, LockOnly>> {
        let rounds = |activation| Box::new(SemiSynchronous::new(activation));
        match self {
            Self::Sequential => Box::new(Sequential::new()),
            Self::RoundRobin => Box::new(RoundRobin::new()),
            Self::SomeInRounds(share) => {
                let share = FixedProbability::new(f64::from(share) / 256.0).expect("below 1");
                rounds(Activation::Random(share))
            }
            Self::AllInRounds => rounds(Activation::All),
            Self::AllButInRounds(node) => rounds(Activation::AllBut(node)),
            Self::NewestInRounds => rounds(Activation::Newest),
            Self::NewestFirst => Box::new(NewestFirst::new()),
            Self::Starve(node) => Box::new(Starve::new(node)),
            Self::RandomPriorities(changes, horizon) => Box::new(RandomPriorities::new(changes, horizon)),
        }
    }
}

impl Drain {
    /// All schedulers of the second phase.
    pub const ALL: [Self; 5] =
        [Self::Sequential, Self::RoundRobin, Self::HalfInRounds, Self::AllInRounds, Self::Asynchronous];

    /// The timing of messages under this scheduler.
    #[must_use]
    pub fn timing(self) -> Timing {
        if self == Self::Asynchronous { Timing::OneByOne } else { Timing::AtOnce }
    }

    /// This scheduler as scenarios write it.
    pub(super) fn words(self) -> &'static str {
        match self {
            Self::Sequential => "Sequential",
            Self::RoundRobin => "RoundRobin",
            Self::HalfInRounds => "SemiSynchronous(activation: Random(0.5))",
            Self::AllInRounds => "SemiSynchronous(activation: All)",
            Self::Asynchronous => "Asynchronous",
        }
    }

    pub(super) fn scheduler<E: AlgorithmLabels>(self) -> Box<dyn Scheduler<E, LockOnly>> {
        match self {
            Self::Sequential => Box::new(Sequential::new()),
            Self::RoundRobin => Box::new(RoundRobin::new()),
            Self::HalfInRounds => Box::new(SemiSynchronous::new(Activation::Random(FixedProbability::HALF))),
            Self::AllInRounds => Box::new(SemiSynchronous::new(Activation::All)),
            Self::Asynchronous => Box::new(Asynchronous::new()),
        }
    }
}

/// Writes one line with all values that distinguish this run from others.
impl fmt::Display for SwarmPlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "seed {}: {}, {} ports, K = {}, {:?} lock sets, self-messages {:?}, messages leave {:?}, {:?}, then {:?}, \
             {:?}, {:?}, {} turns",
            self.seed,
            self.graph,
            self.ports,
            self.priorities,
            self.lock_set,
            self.self_messages,
            self.timing,
            self.order,
            self.drain,
            self.interference,
            self.rates,
            self.turns,
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn plans_are_drawn_from_all_there_is() {
        let mut seen = BTreeSet::new();
        for seed in 0..2_000 {
            let plan = SwarmPlan::from_seed(seed);
            assert!((2..=12).contains(&plan.graph.nodes()), "{plan}");
            assert!((1..=13).contains(&plan.ports), "{plan}");
            assert!(
                plan.priorities >= 2 && (plan.ports <= 3 || plan.priorities > u32::from(plan.ports).pow(2))
            );
            assert_eq!(plan.timing, plan.drain.timing());
            let Rates { calls, misuse, changes } = plan.rates;
            assert!(u32::from(calls) + u32::from(misuse) + u32::from(changes) < 256);
            let word = |text: String| text.split(['(', ' ', '{']).next().unwrap().to_owned();
            for text in [
                format!("{:?}", plan.graph),
                format!("{:?}", plan.order),
                format!("{:?}{:?}", plan.drain, plan.timing),
                format!("{:?}", plan.interference),
                format!("{:?}{:?}", plan.lock_set, plan.self_messages),
                format!("priorities-{}", plan.priorities.min(4)),
            ] {
                seen.insert(word(text));
            }
        }
        // 7 graphs, 9 orders, 5 drains, 4 interferences, 4 kinds of locking, and K = 2, 3 or more.
        assert_eq!(seen.len(), 7 + 9 + 5 + 4 + 4 + 3, "{seen:?}");
    }

    #[test]
    fn a_plan_is_golden() {
        let plan = SwarmPlan::from_seed(1);
        assert_eq!(plan, SwarmPlan::from_seed(1));
        let line = "seed 1: random graph of 5 nodes, at most 7 edges, 3 ports, K = 3, Neighbourhood lock sets, \
                    self-messages Sent, messages leave OneByOne, Starve(node 0), then Asynchronous, Anywhere, \
                    Rates { calls: 60, misuse: 0, changes: 25 }, 437 turns";
        assert_eq!(plan.to_string(), line);
    }
}
