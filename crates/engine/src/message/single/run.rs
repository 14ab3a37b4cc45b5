//! [`SingleActions`]: the driver of single actions.

use std::fmt;
use std::num::NonZeroU32;

use acrasin_runtime::choice::{Choices, Decision};
use acrasin_runtime::exclusion::ActionEffects;
use acrasin_runtime::exclusion::local::{Action, Local, LockNote, Memory, Message};
use acrasin_runtime::port::{Port, PortSet};
use acrasin_runtime::{Digest, LockSetRequest, LockSetRule, NodeId, Step, StepError, StepOf, TopologyError};

use super::act::{NodeAction, execute};
use super::choose::checks;
use super::columns::{ActionColumns, count};
use super::round_context::{Frozen, RoundContext};
use crate::RoundCancellation;
use crate::draw::Purpose;
use crate::message::change_error::ChangeError;
use crate::message::changes::{check_connect, check_disconnect, has_locked};
use crate::message::check::{LockOverlap, check};
use crate::message::config::Config;
use crate::message::configuration::{LockCode, LockConfiguration, Published};
use crate::message::inputs::{RoundCalls, RoundInputs};
use crate::message::network::MessageNetwork;
use crate::message::store::{NodeLayout, digest};
use crate::message::word::NodeWord;
use crate::round::{ActiveNodes, Figures, TooLarge};

/// Runs single actions on published words, on a graph that may change, in rounds or step by step.
///
/// In a round all active nodes read the configuration at its start. Each picks one of its enabled actions with equal
/// probability ([`Purpose::Action`]): a message in transit to it, a check whose guard holds, or its call. A node
/// without enabled actions does nothing. Words and figures are the same for any number of threads.
///
/// A node takes three 32-bit words up to degree 8 and K = 512, and three 64-bit words up to degree 16 and K = 65 536.
/// The words of the next round take the same memory again. For higher degrees or larger K use
/// [`Reference`](crate::reference::Reference).
///
/// ```
/// use acrasin_engine::draw::Priorities;
/// use acrasin_engine::message::{Config, SingleActions};
/// use acrasin_engine::round::MemoryLimit;
/// use acrasin_engine::{ActiveNodes, Draws, Lattice, LatticeKind, Wanting};
/// use acrasin_runtime::LockSetRule;
///
/// let config = Config {
///     draws: Draws::new(1),
///     priorities: Priorities::new(17).unwrap(),
///     wanting: Wanting::Always,
///     memory: MemoryLimit::NONE,
/// };
/// let torus = Lattice::new(LatticeKind::Square, 8, 8)?;
/// let mut run = SingleActions::new(torus, config, LockSetRule::Neighbourhood)?;
/// for _ in 0..2000 {
///     run.round(&ActiveNodes::All);
/// }
/// assert!(run.figures().grants > 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct SingleActions<N> {
    network: N,
    config: Config,
    lock_set: LockSetRule,
    local: Local,
    columns: ColumnWidth,
    frozen: Frozen,
    figures: Figures,
    checks: bool,
}

#[derive(Debug)]
enum ColumnWidth {
    Short(ActionColumns<u32>),
    Long(ActionColumns<u64>),
}

/// Evaluates one expression for either width of words.
macro_rules! for_each_width {
    ($kind:expr, $columns:ident => $expression:expr) => {
        match $kind {
            ColumnWidth::Short($columns) => $expression,
            ColumnWidth::Long($columns) => $expression,
        }
    };
}

/// Errors of constructing [`SingleActions`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum SingleError {
    /// The run would need more memory than the limit; nothing was allocated.
    TooLarge(TooLarge),
    /// There are more ports or priorities than a word has bits for.
    TooWide {
        /// Δ, the number of ports.
        ports: u16,
        /// K, the number of priorities.
        priorities: u32,
    },
}

impl From<TooLarge> for SingleError {
    fn from(error: TooLarge) -> Self {
        Self::TooLarge(error)
    }
}

impl fmt::Display for SingleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLarge(error) => error.fmt(f),
            Self::TooWide { ports, priorities } => write!(
                f,
                "single actions on words with {ports} ports and K = {priorities}: at most {} ports and K = {}; the \
                 reference has no such limit",
                u64::PORTS,
                u64::PRIORITIES
            ),
        }
    }
}

impl std::error::Error for SingleError {}

/// The error of a step that is not possible now; nothing was changed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum StepRefused {
    /// The rules of the runtime do not allow the step either.
    Step(StepError),
    /// This network does not allow the change.
    Change(ChangeError),
    /// The step sends a message separately. Here messages are sent by the action that produces them.
    NothingLeavesLater,
}

impl From<StepError> for StepRefused {
    fn from(error: StepError) -> Self {
        Self::Step(error)
    }
}

impl From<ChangeError> for StepRefused {
    fn from(error: ChangeError) -> Self {
        match error {
            ChangeError::Topology(error) => Self::Step(StepError::Topology(error)),
            error => Self::Change(error),
        }
    }
}

impl From<TopologyError> for StepRefused {
    fn from(error: TopologyError) -> Self {
        Self::Step(StepError::Topology(error))
    }
}

impl fmt::Display for StepRefused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Step(error) => error.fmt(f),
            Self::Change(error) => error.fmt(f),
            Self::NothingLeavesLater => {
                f.write_str("this step sends a message separately, but here messages leave with the action that sends them")
            }
        }
    }
}

impl std::error::Error for StepRefused {}

impl<N: MessageNetwork> SingleActions<N> {
    /// Starts a run with all edges of the network.
    ///
    /// # Errors
    ///
    /// The run would need more memory than the limit, or there are more ports or priorities than a word has bits for.
    /// Nothing was allocated.
    pub fn new(network: N, config: Config, lock_set: LockSetRule) -> Result<Self, SingleError> {
        let (ports, priorities) = (network.ports(), config.priorities.bound());
        let nodes = u64::from(network.nodes());
        let layout = NodeLayout::of(ports, config.priorities);
        let bytes = match layout {
            NodeLayout::Short => ActionColumns::<u32>::bytes(nodes),
            NodeLayout::Long => ActionColumns::<u64>::bytes(nodes),
            NodeLayout::Registers => return Err(SingleError::TooWide { ports, priorities }),
        };
        config.memory.check(nodes, bytes.saturating_add(network.bytes()))?;
        let columns = match layout {
            NodeLayout::Short => ColumnWidth::Short(ActionColumns::new(&network)),
            _ => ColumnWidth::Long(ActionColumns::new(&network)),
        };
        let local = Local::new(ports).with_priorities(priorities).expect("K is at least 2");
        let checks = cfg!(debug_assertions);
        let (frozen, figures) = (Frozen::new(), Figures::default());
        Ok(Self { network, config, lock_set, local, columns, frozen, figures, checks })
    }

    /// Sets whether [`check`](Self::check) runs after every round. Default: only in builds with debug assertions.
    #[must_use]
    pub fn with_checks(self, checks: bool) -> Self {
        Self { checks, ..self }
    }

    /// Runs one round and returns its figures.
    ///
    /// # Panics
    ///
    /// Panics if checks are on and lock sets overlap, which is a defect of the engine.
    pub fn round(&mut self, activation: &ActiveNodes<'_>) -> Figures {
        let Config { draws, priorities, wanting, .. } = self.config;
        let round = self.figures.rounds;
        let partners = self.lock_set == LockSetRule::Pair;
        let inputs = RoundInputs {
            active: activation.in_round(draws, round),
            calls: RoundCalls::rule(wanting, draws, round),
            priorities,
            stream: draws.stream(Purpose::Priority, round),
            partners: partners.then(|| draws.stream(Purpose::Partner, round)),
            nodes: self.network.nodes(),
            cancellation: &RoundCancellation::never(),
        };
        let turn = RoundContext {
            inputs: &inputs,
            actions: draws.stream(Purpose::Action, round),
            local: self.local,
            frozen: &self.frozen,
        };
        let links = self.network.compiled().links;
        let figures = for_each_width!(&mut self.columns, columns => columns.round(links, &turn));
        // Nodes that acted have read their detectors; their old memories are no longer needed.
        let columns = &self.columns;
        self.frozen.retain(
            |&node, _| for_each_width!(columns, columns => columns.edges(node).detector().number() != 0),
        );
        self.figures += figures;
        if self.checks
            && let Err(overlap) = self.check()
        {
            panic!("after round {round}: {overlap}");
        }
        figures
    }

    /// Executes one step, and returns the messages that it sent and the notes that it announced. A call that the rules
    /// ignore is a possible step as well.
    ///
    /// # Errors
    ///
    /// [`StepRefused`] if the step is not possible now. Nothing was changed.
    pub fn apply(
        &mut self,
        step: &StepOf<Local>,
        choices: &mut dyn Choices,
    ) -> Result<ActionEffects<Message, LockNote>, StepRefused> {
        let mut effects = ActionEffects::new();
        match *step {
            Step::Connect { a, a_port, b, b_port } => self.connect([(a, a_port), (b, b_port)])?,
            Step::Disconnect { node, port } => self.disconnect(node, port)?,
            Step::Leave { .. } => return Err(StepRefused::NothingLeavesLater),
            Step::Lock { node, .. }
            | Step::Unlock { node }
            | Step::Act { node, .. }
            | Step::Receive { node, .. } => {
                if node.0 >= self.network.nodes() {
                    return Err(StepError::NoSuchNode(node).into());
                }
                let links = self.network.compiled().links;
                let frozen = self.frozen.get(&node.0);
                let priorities = NonZeroU32::new(self.local.priorities()).expect("K is at least 2");
                let mut draw = || choices.pick(priorities, Decision::Priority);
                for_each_width!(&mut self.columns, columns => {
                    let mut view = columns.view(links, node.0);
                    let idle = view.code() == LockCode::Idle;
                    let what = action_of(&view, step, &self.local, frozen)?;
                    execute(&mut view, what, &mut draw, &mut effects);
                    columns.put(node.0, &view);
                    self.figures.calls += u64::from(idle && matches!(what, NodeAction::Lock(_)));
                });
                self.frozen.remove(&node.0);
                count(&effects, &mut self.figures);
            }
        }
        Ok(effects)
    }

    fn connect(&mut self, ends: [(NodeId, Port); 2]) -> Result<(), StepRefused> {
        check_connect(self, ends)?;
        self.network.place(ends[0], ends[1])?;
        let [a, b] = ends.map(|(node, port)| (node.0, port.0));
        let toggles = [b, a].map(|(node, port)| self.toggle(node, port));
        for ((node, port), toggle) in [a, b].into_iter().zip(toggles) {
            for_each_width!(&mut self.columns, columns => columns.connect(node, port, toggle));
        }
        Ok(())
    }

    fn disconnect(&mut self, node: NodeId, port: Port) -> Result<(), StepRefused> {
        let ends = check_disconnect(self, node, port)?;
        for (node, _) in ends {
            if !self.frozen.contains_key(&node) {
                let memory = self.memory(NodeId(node));
                self.frozen.insert(node, memory);
            }
        }
        let owned = ends.map(|(node, port)| has_locked(self, node, port));
        for ((node, port), owned) in ends.into_iter().zip(owned) {
            for_each_width!(&mut self.columns, columns => columns.disconnect(node, port, owned));
        }
        Ok(())
    }

    /// The memory of a node, as the runtime represents it.
    ///
    /// # Panics
    ///
    /// Panics if there is no such node.
    #[must_use]
    pub fn memory(&self, node: NodeId) -> Memory {
        let links = self.network.compiled().links;
        self.frozen.get(&node.0).cloned().unwrap_or_else(
            || for_each_width!(&self.columns, columns => columns.view(links, node.0).memory()),
        )
    }

    /// The messages in transit to a node, sorted by port, requests before replies.
    ///
    /// # Panics
    ///
    /// Panics if there is no such node.
    #[must_use]
    pub fn in_transit(&self, node: NodeId) -> Vec<(Port, Message)> {
        let links = self.network.compiled().links;
        for_each_width!(&self.columns, columns => columns.view(links, node.0).in_transit())
    }

    /// The checks of a node whose guards hold, in the runtime's order.
    ///
    /// # Panics
    ///
    /// Panics if there is no such node.
    #[must_use]
    pub fn enabled(&self, node: NodeId) -> Vec<Action> {
        let links = self.network.compiled().links;
        let frozen = self.frozen.get(&node.0);
        let checks = for_each_width!(&self.columns, columns => {
            checks(&columns.view(links, node.0), &self.local, frozen)
        });
        checks.into_iter().flatten().collect()
    }

    /// Checks that the lock sets of all holders are disjoint and that their members are locked. Cost: O(nodes · Δ).
    ///
    /// # Errors
    ///
    /// The first violation by node number.
    pub fn check(&self) -> Result<(), LockOverlap> {
        check(self)
    }

    /// The figures, summed over all rounds and steps.
    #[must_use]
    pub fn figures(&self) -> Figures {
        self.figures
    }

    /// The digest of all stored data. It is the same on every platform and for any number of threads.
    #[must_use]
    pub fn digest(&self) -> Digest {
        for_each_width!(&self.columns, columns => digest(&columns.columns()))
    }

    /// The memory of the run including the network, in bytes.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        let nodes = u64::from(self.network.nodes());
        let columns = match self.columns {
            ColumnWidth::Short(_) => ActionColumns::<u32>::bytes(nodes),
            ColumnWidth::Long(_) => ActionColumns::<u64>::bytes(nodes),
        };
        columns + self.network.bytes()
    }
}

/// The [`NodeAction`] that corresponds to a step of the runtime.
fn action_of<W: NodeWord>(
    view: &super::view::NodeSets<W>,
    step: &StepOf<Local>,
    local: &Local,
    frozen: Option<&Memory>,
) -> Result<NodeAction<W>, StepError> {
    match *step {
        Step::Lock { node, claim } => {
            let present = view.edges.present();
            match claim {
                LockSetRequest::Neighbourhood => Ok(NodeAction::Lock(present)),
                LockSetRequest::Alone => Ok(NodeAction::Lock(W::ONE)),
                LockSetRequest::Pair(port) => {
                    let there =
                        !port.is_self() && u32::from(port.0) <= W::PORTS && present.has(port.0.into());
                    let claim =
                        NodeAction::Lock(W::ONE | if there { W::ONE << u32::from(port.0) } else { W::NONE });
                    there.then_some(claim).ok_or(StepError::NoNeighbour(node, port))
                }
            }
        }
        Step::Unlock { .. } => Ok(NodeAction::Unlock),
        Step::Act { node, action } => {
            let enabled = checks(view, local, frozen).into_iter().flatten().any(|other| other == action);
            enabled.then_some(NodeAction::Act(action)).ok_or(StepError::NotEnabled(node))
        }
        Step::Receive { node, port, message } => {
            let there = view.in_transit().contains(&(port, message));
            let number = u32::from(port.0);
            let asked = there && view.asking().has(number) && view.request(number) == message;
            let what = if asked { NodeAction::Request(number) } else { NodeAction::Reply(number) };
            there.then_some(what).ok_or(StepError::NoSuchMessage(node))
        }
        Step::Leave { .. } | Step::Connect { .. } | Step::Disconnect { .. } => {
            unreachable!("{step} is no action of a node")
        }
    }
}

impl<N: MessageNetwork> LockConfiguration for SingleActions<N> {
    fn nodes(&self) -> u32 {
        self.network.nodes()
    }

    fn ports(&self) -> u16 {
        self.network.ports()
    }

    fn published(&self, node: u32) -> Published {
        for_each_width!(&self.columns, columns => columns.published(node))
    }

    fn toggle(&self, node: u32, port: u16) -> bool {
        self.published(node).toggle
            ^ for_each_width!(&self.columns, columns => columns.edges(node).skipped().has(port.into()))
    }

    fn sent(&self, node: u32, port: u16) -> bool {
        for_each_width!(&self.columns, columns => columns.word(node).sent().has(port.into()))
    }

    fn won(&self, node: u32, port: u16) -> bool {
        for_each_width!(&self.columns, columns => columns.word(node).won().has(port.into()))
    }

    fn link(&self, node: u32, port: u16) -> Option<(u32, u16)> {
        if port == 0 {
            return Some((node, 0));
        }
        let link = self.network.link(node, port)?;
        for_each_width!(&self.columns, columns => columns.edges(node).present().has(port.into()))
            .then_some(link)
    }

    fn member(&self, node: u32, port: u16) -> bool {
        for_each_width!(&self.columns, columns => columns.edges(node).members().has(port.into()))
    }

    fn detector(&self, node: u32) -> PortSet {
        for_each_width!(&self.columns, columns => super::view::port_set(columns.edges(node).detector()))
    }
}
