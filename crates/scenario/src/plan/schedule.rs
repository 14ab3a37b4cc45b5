//! `scheduler`, `fairness`, `disturbances`: who acts next, within which bound, and what happens to the edges.

use acrasin_runtime::exclusion::local::{Action, Local};
use acrasin_runtime::scheduler::{
    Activation, Asynchronous, Fairness, NewestFirst, RandomPriorities, RoundRobin, Scheduler,
    SemiSynchronous, Sequential, Starve, Turns,
};
use acrasin_runtime::topology::dynamics::{Churn, Dynamics, Swizzle};
use acrasin_runtime::{
    Choices, CriticalSection, FixedProbability, NodeId, Step, StepOf, Timing, Topology, World,
};

use crate::document::quantity::Count;
use crate::document::scheduler::{self as written, Adversary, Disturbance};
use crate::{Document, DocumentError};

/// Who acts next, with checked numbers.
#[derive(Clone, Debug)]
pub(super) enum Schedule {
    Sequential,
    RoundRobin,
    SemiSynchronous(Activation),
    Asynchronous,
    Adversary {
        adversary: Foe,
        asynchronous: bool,
    },
    /// Rung F1 has a driver of its own.
    Waves,
}

/// An adversary that goes step by step.
#[derive(Clone, Copy, Debug)]
pub(super) enum Foe {
    NewestFirst,
    Starve(NodeId),
    RandomPriorities { changes: u32, horizon: u32 },
}

/// Changes of an adversary's priorities, at most: each is a draw at the start of a run.
const CHANGES_MAX: u32 = 1 << 20;

impl Schedule {
    pub(super) fn new(document: &Document, nodes: u32) -> Result<Self, DocumentError> {
        let foe = |adversary: &Adversary, path: &str| foe(document, *adversary, path, nodes);
        Ok(match &document.scenario().scheduler {
            written::Scheduler::RoundRobin => Self::RoundRobin,
            written::Scheduler::Waves => Self::Waves,
            written::Scheduler::Sequential { adversary: None } => Self::Sequential,
            written::Scheduler::Asynchronous { adversary: None } => Self::Asynchronous,
            written::Scheduler::Sequential { adversary: Some(adversary) } => {
                Self::Adversary { adversary: foe(adversary, "scheduler.adversary")?, asynchronous: false }
            }
            written::Scheduler::Asynchronous { adversary: Some(adversary) } => {
                Self::Adversary { adversary: foe(adversary, "scheduler.adversary")?, asynchronous: true }
            }
            written::Scheduler::SemiSynchronous { activation } => {
                Self::SemiSynchronous(activated(document, *activation, nodes)?)
            }
        })
    }

    /// The scheduler at its start.
    ///
    /// # Panics
    ///
    /// Panics for waves: a plan has them on rung F1 only.
    pub(super) fn start<S: CriticalSection + 'static>(&self) -> Box<dyn Scheduler<Local, S>> {
        match self {
            Self::Sequential => Box::new(Sequential::new()),
            Self::RoundRobin => Box::new(RoundRobin::new()),
            Self::SemiSynchronous(activation) => Box::new(SemiSynchronous::new(activation.clone())),
            Self::Asynchronous => Box::new(Asynchronous::new()),
            Self::Waves => unreachable!("waves are no scheduler of single actions"),
            Self::Adversary { adversary, asynchronous } => {
                let inner: Box<dyn Scheduler<Local, S>> = match *adversary {
                    Foe::NewestFirst => Box::new(NewestFirst::<Action>::new()),
                    Foe::Starve(node) => Box::new(Starve::<Action>::new(node)),
                    Foe::RandomPriorities { changes, horizon } => {
                        Box::new(RandomPriorities::<Action>::new(changes, horizon))
                    }
                };
                if *asynchronous { Box::new(OneByOne(inner)) } else { inner }
            }
        }
    }

    fn is_adversary(&self) -> bool {
        match self {
            Self::SemiSynchronous(activation) => {
                matches!(activation, Activation::AllBut(_) | Activation::Newest)
            }
            Self::Adversary { .. } => true,
            _ => false,
        }
    }

    /// When messages leave.
    pub(super) fn timing(&self) -> Timing {
        match self {
            Self::Asynchronous | Self::Adversary { asynchronous: true, .. } => Timing::OneByOne,
            _ => Timing::AtOnce,
        }
    }

    /// Whether a turn is one step.
    pub(super) fn is_stepwise(&self) -> bool {
        !matches!(self, Self::SemiSynchronous(_) | Self::Waves)
    }

    pub(super) fn words(&self) -> String {
        match self {
            Self::Sequential => "sequential, uniform".to_owned(),
            Self::RoundRobin => "round robin".to_owned(),
            Self::Asynchronous => "asynchronous, uniform".to_owned(),
            Self::Waves => "waves, each node once in a random order".to_owned(),
            Self::SemiSynchronous(Activation::Random(probability)) => {
                format!("semi-synchronous, each enabled node with probability {}", probability.get())
            }
            Self::SemiSynchronous(Activation::All) => "semi-synchronous, all enabled nodes".to_owned(),
            Self::SemiSynchronous(Activation::AllBut(node)) => {
                format!("semi-synchronous, starves node {node}")
            }
            Self::SemiSynchronous(Activation::Newest) => "semi-synchronous, newest message first".to_owned(),
            Self::Adversary { adversary, asynchronous } => {
                let timing = if *asynchronous { "asynchronous" } else { "sequential" };
                match adversary {
                    Foe::NewestFirst => format!("{timing}, newest message first"),
                    Foe::Starve(node) => format!("{timing}, starves node {node}"),
                    Foe::RandomPriorities { changes, horizon } => {
                        format!("{timing}, random priorities with {changes} changes in {horizon} turns")
                    }
                }
            }
        }
    }
}

/// Rounds of macro activations in words: the nodes that are active are drawn from all, not from those that can act.
pub(super) fn macro_words(activation: &Activation) -> String {
    let active = match activation {
        Activation::Random(probability) => format!("each node with probability {}", probability.get()),
        _ => "all nodes".to_owned(),
    };
    format!("semi-synchronous, {active}: receives all it can, then runs its checks")
}

fn foe(document: &Document, adversary: Adversary, path: &str, nodes: u32) -> Result<Foe, DocumentError> {
    Ok(match adversary {
        Adversary::NewestFirst => Foe::NewestFirst,
        Adversary::Starve { node } => Foe::Starve(existing(document, node, &format!("{path}.node"), nodes)?),
        Adversary::RandomPriorities { changes } => {
            let changes = u32::try_from(changes.0).ok().filter(|&changes| changes <= CHANGES_MAX);
            let changes = changes.ok_or_else(|| {
                let place = format!("{path}.changes");
                document
                    .error(&place, "too many changes of priorities")
                    .accepting(format!("0 to {CHANGES_MAX}"))
            })?;
            // A Lock takes some hundred turns a node: with this horizon the changes fall into the time of a few Locks.
            Foe::RandomPriorities { changes, horizon: nodes.saturating_mul(256).max(1024) }
        }
    })
}

fn existing(document: &Document, node: Count, place: &str, nodes: u32) -> Result<NodeId, DocumentError> {
    let found = u32::try_from(node.0).ok().filter(|&node| node < nodes);
    found.map(NodeId).ok_or_else(|| {
        document.error(place, format!("there is no node {}", node.0)).accepting(format!("0 to {}", nodes - 1))
    })
}

/// The probability in steps of 2^-31, in which draws are made: exact for sums of those, else the closest.
fn resolved(document: &Document, path: &str, probability: f64) -> Result<FixedProbability, DocumentError> {
    let resolution = 1.0 / f64::from(1_u32 << 31);
    if probability > 0.0 && probability < resolution {
        let message =
            format!("{probability:e} is finer than draws are: probabilities are multiples of 2^-31");
        return Err(document.error(path, message).accepting("0, or 4.66e-10 to 1"));
    }
    Ok(FixedProbability::new(probability).expect("the reader refuses other numbers"))
}

fn activated(
    document: &Document,
    activation: written::ActiveNodes,
    nodes: u32,
) -> Result<Activation, DocumentError> {
    let place = "scheduler.activation";
    Ok(match activation {
        written::ActiveNodes::All => Activation::All,
        written::ActiveNodes::Random(probability) if probability.0 > 0.0 => {
            Activation::Random(resolved(document, place, probability.0)?)
        }
        written::ActiveNodes::Random(_) => {
            let message = "with probability 0 no node ever acts";
            return Err(document.error(place, message).accepting("a probability above 0"));
        }
        written::ActiveNodes::Adversary(adversary) => {
            match foe(document, adversary, &format!("{place}[0]"), nodes)? {
                Foe::NewestFirst => Activation::Newest,
                Foe::Starve(node) => Activation::AllBut(node),
                Foe::RandomPriorities { .. } => {
                    let message = "RandomPriorities chooses one node at a time, not the set of a round";
                    let accepted =
                        "NewestFirst or Starve here; RandomPriorities with Sequential or Asynchronous";
                    return Err(document.error(&format!("{place}[0]"), message).accepting(accepted));
                }
            }
        }
    })
}

/// An adversary over executions that span time: a node that is still sending goes on sending.
struct OneByOne<S: CriticalSection>(Box<dyn Scheduler<Local, S>>);

impl<S: CriticalSection> Scheduler<Local, S> for OneByOne<S> {
    fn plan(&mut self, world: &World<Local, S>, choices: &mut dyn Choices, turn: &mut Vec<StepOf<Local>>) {
        self.0.plan(world, choices, turn);
        for step in turn {
            if let Some(node) = step.actor()
                && !matches!(step, Step::Leave { .. })
                && let Some(&(port, message)) = world.unsent(node).first()
            {
                *step = Step::Leave { node, port, message };
            }
        }
    }

    fn applied(&mut self, world: &World<Local, S>, step: &StepOf<Local>) {
        self.0.applied(world, step);
    }

    fn turns(&self) -> Turns {
        Turns::Steps
    }

    fn timing(&self) -> Timing {
        Timing::OneByOne
    }
}

/// The bound of weak fairness.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Bound {
    /// An adversary's: four times what a fair uniform scheduler needs on average for the items that can be enabled.
    Auto,
    Within(u64),
    /// A random scheduler is weakly fair with probability 1.
    None,
}

impl Bound {
    pub(super) fn new(document: &Document, schedule: &Schedule) -> Result<Self, DocumentError> {
        match document.scenario().fairness {
            written::Fairness::Within(Count(0)) => {
                Err(document.error("fairness", "a bound of 0 turns").accepting("Within(1) or more"))
            }
            written::Fairness::Within(Count(turns)) => Ok(Self::Within(turns)),
            written::Fairness::Auto if schedule.is_adversary() => Ok(Self::Auto),
            written::Fairness::Unbounded if schedule.is_adversary() => {
                let message = "an adversary without a bound may never let a node act";
                Err(document.error("fairness", message).accepting("Auto, or Within(turns)"))
            }
            written::Fairness::Auto | written::Fairness::Unbounded => Ok(Self::None),
        }
    }

    /// The bound in turns; `None` for no bound.
    ///
    /// `Auto` counts what can be enabled at once: at each node an action and a call, and two messages on each edge and
    /// from the node to itself. A turn of one step: 4 · (4 n + 2 m) for n nodes and at most m edges at a time. A round: the
    /// items of one node, 4 · (4 + 2 Δ).
    pub(super) fn turns(self, stepwise: bool, nodes: u32, edges: u64, ports: u16) -> Option<u64> {
        match self {
            Self::None => None,
            Self::Within(turns) => Some(turns),
            Self::Auto if stepwise => Some(4 * (4 * u64::from(nodes) + 2 * edges)),
            Self::Auto => Some(4 * (4 + 2 * u64::from(ports))),
        }
    }

    pub(super) fn start(turns: Option<u64>) -> Option<Fairness<Action>> {
        turns.map(Fairness::within)
    }
}

/// The adversaries over the edges, at their start.
pub(super) fn disturbances(
    written: &[Disturbance],
    topology: &Topology,
    stepwise: bool,
) -> Vec<Box<dyn Dynamics>> {
    let started = |disturbance: &Disturbance| -> Box<dyn Dynamics> {
        match *disturbance {
            Disturbance::Churn { rate } => {
                let rate = FixedProbability::new(rate.0).expect("the reader refuses other numbers");
                Box::new(Churn::new(topology, rate, stepwise))
            }
            Disturbance::Swizzle { links, every } => {
                Box::new(Swizzle::new(links.0.min(u64::from(u32::MAX)) as u32, every.0))
            }
        }
    };
    written.iter().map(started).collect()
}

/// Disturbances in words; refuses those that have nothing to work on.
pub(super) fn disturbance_words(document: &Document, is_trace: bool) -> Result<Vec<String>, DocumentError> {
    let mut words = Vec::new();
    for (index, disturbance) in document.scenario().disturbances.iter().enumerate() {
        let place = format!("disturbances[{index}]");
        match disturbance {
            // A link that is restored after its contact has ended would be a contact that nobody recorded.
            _ if is_trace => {
                let message =
                    "disturbances cut and restore the edges of a fixed graph, and this one changes by itself";
                return Err(document.error(&place, message).accepting("no disturbances, or a fixed graph"));
            }
            Disturbance::Swizzle { every: Count(0), .. } => {
                let message = "a swizzle every 0 rounds";
                return Err(document.error(&format!("{place}.every"), message).accepting("1 or more"));
            }
            Disturbance::Churn { rate } => {
                resolved(document, &format!("{place}.rate"), rate.0)?;
                words.push(format!("churn, each edge with probability {} a round", rate.0));
            }
            Disturbance::Swizzle { links, every } => {
                words.push(format!("swizzle of {} links every {} rounds", links.0, every.0));
            }
        }
    }
    Ok(words)
}
