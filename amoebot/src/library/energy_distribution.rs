//! Energy distribution: an algorithm is extended so that each action costs energy, which only a few amoebots can
//! harvest.
//!
//! Source: Weber, Daymude, Richa, "Energy-constrained programmable matter under unfair adversaries", OPODIS 2023, as
//! described in surveys. The text of the paper was not compared; the guards and operations are our own.
//!
//! The sources grow a forest over all amoebots, and energy flows down its trees from parent to child. Before an amoebot
//! leaves a node, it leaves its tree, together with all amoebots below it. These amoebots join a tree again later. δ(α)
//! is the demand of action α:
//!
//! | action | guard | operations |
//! |---|---|---|
//! | α of the algorithm | α is enabled in the algorithm; battery ≥ δ(α); neither the amoebot nor a neighbour is idle or pruning | battery −= δ(α); keep the forest, by the movement; effects of α |
//! | GetPruned | pruning | Prune |
//! | AskGrowth | active; a neighbour is idle, or a child is asking | asking |
//! | GrowForest | growing; or source, and a neighbour is idle or a child is asking | idle neighbours: active, with this parent; asking children: growing; itself, if growing: active |
//! | HarvestEnergy | source; battery < capacity | battery += 1 |
//! | ShareEnergy | not idle, not pruning; battery ≥ 1; a child with battery < capacity | battery −= 1; that of the first such child += 1 |
//!
//! Prune: the children enter the state pruning and lose their parent. The amoebot itself, if it is not a source,
//! becomes idle and loses its parent.
//!
//! | movement of α | keep the forest |
//! |---|---|
//! | none | nothing |
//! | Expand | the parent is now at the tail |
//! | Contract | Prune |
//! | Pull | Prune; if the pulled one still has a parent, that is now at its tail |
//! | Push | both, if no sources, become pruning and lose their parents |
//!
//! Invariant: an active, asking or growing amoebot has a parent, which is a neighbour and not idle. All others have no
//! parent, and no amoebot is its own ancestor. So a chain of parents ends at a source or at a pruning amoebot.
//!
//! These rules are ours. A growing amoebot executes GrowForest even if no amoebot can be added; otherwise it would stay
//! growing forever. An action that the algorithm's own order disables is not enabled. After a Push the pushing amoebot
//! may not see children of the pushed amoebot next to the node that the pushed amoebot left. Their parent ports then
//! lead to the pushing amoebot, so it must prune them before it joins a tree. For algorithms that keep the amoebots
//! connected and whose runs end, the paper proves that the extended runs end, after at most O(n²) times as many rounds.
//! The tests explore and measure this.

mod powered;

use crate::model::id::AmoebotId;
use acrasin_runtime::choice::Choices;
use acrasin_runtime::{Pack, PackError};

use crate::algorithm::Convention;
use crate::algorithm::memory::merged;
use crate::algorithm::{
    ActionError, ActionOrder, Algorithm, Effects, Neighbour, Projection, View, enabled_actions,
};
use crate::model::body::{AmoebotPort, End};
use crate::model::operation::{Movement, OperationError};
use crate::model::system::System;
use crate::start::{StartError, check_roots};

pub use powered::{ENTRY, Powered};

/// The state of an amoebot in the forest.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum State {
    /// The amoebot is a root, which can harvest energy. A source remains a source.
    Source,
    /// The amoebot is in no tree.
    Idle,
    /// The amoebot is in a tree, and is neither asking for growth nor growing.
    Active,
    /// The amoebot is in a tree, and it or an amoebot below it asks for permission to grow the tree.
    Asking,
    /// The amoebot is in a tree and has permission to grow it once.
    Growing,
    /// The amoebot is cut off from its tree, and about to become idle.
    Pruning,
}

acrasin_runtime::pack_variants!(State { Source, Idle, Active, Asking, Growing, Pruning });

impl State {
    const fn is_in_forest(self) -> bool {
        !matches!(self, Self::Idle | Self::Pruning)
    }
}

/// The public memory: the variables of the forest and the memory of the algorithm.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Memory<M> {
    /// The state in the forest.
    pub state: State,
    /// The energy, in units, at most the capacity.
    pub battery: u32,
    /// The port to the parent in the forest; `None` for an amoebot without a parent.
    pub parent: Option<AmoebotPort>,
    /// The memory of the algorithm.
    pub algorithm: M,
}

impl<M> Memory<M> {
    /// Removes the amoebot from its tree, and sets its state to `state`; a source remains a source.
    fn leave(&mut self, state: State) {
        if self.state != State::Source {
            self.state = state;
            self.parent = None;
        }
    }
}

/// The labels of the actions.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Action<L> {
    /// An action of the algorithm, which spends its demand of energy.
    Paid(L),
    /// Leaves the tree.
    GetPruned,
    /// Asks for growth, on behalf of itself or a child.
    AskGrowth,
    /// Adds idle neighbours to the tree.
    GrowForest,
    /// A source adds one unit to its battery.
    HarvestEnergy,
    /// Gives one unit of energy to a child.
    ShareEnergy,
}

/// An algorithm whose actions need energy.
///
/// Invariant: the harvested energy equals the spent energy plus the contents of the batteries. Final, if all runs of
/// the algorithm end and keep the amoebots connected: the algorithm is in a final state that it can reach by itself.
/// Every amoebot is in a tree whose root is a source, and all batteries are full. This holds under every sequential
/// schedule, fair or not, with any orientations.
///
/// A guard evaluates each guard of the algorithm at most once; operations are O(1).
///
/// ```
/// use acrasin_amoebot::run::execution::{SequentialExecution, Uniform};
/// use acrasin_amoebot::{Cell, Direction, EnergyDistribution, Hexagon, start};
/// use acrasin_runtime::Seeded;
///
/// // Batteries hold 10 units, every action takes 5, and the seed is the source.
/// let distribution = EnergyDistribution::new(Hexagon, 10, |_| 5)?;
/// let line = start::line(Cell::ORIGIN, Direction::West, 7)?;
/// let start_of_run = distribution.start(&Hexagon::start(&line, 0, &[])?, &[0])?;
/// let mut execution = SequentialExecution::new(&distribution, start_of_run);
/// assert!(execution.run(1_000_000, &mut Uniform, &mut Seeded::new(2023)));
/// assert!(Hexagon::is_finished(&distribution.inner(execution.system())));
/// let mut hexagon = start::spiral(Cell::ORIGIN, Direction::East, 7)?;
/// hexagon.sort();
/// assert_eq!(execution.system().cells(), hexagon);
/// assert_eq!(distribution.stored(execution.system()), 7 * 10);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct EnergyDistribution<A: Algorithm> {
    algorithm: A,
    capacity: u32,
    /// The cost of each action in units of energy, in the order of the algorithm's list.
    demands: Vec<u32>,
    actions: Vec<Action<A::Action>>,
}

impl<A: Algorithm> Algorithm for EnergyDistribution<A> {
    type Memory = Memory<A::Memory>;
    type Action = Action<A::Action>;

    fn actions(&self) -> &[Self::Action] {
        &self.actions
    }

    fn order(&self) -> ActionOrder {
        ActionOrder::Any
    }

    fn enabled(&self, action: Self::Action, a: &View<'_, Self::Memory>) -> bool {
        let own = a.own();
        match action {
            Action::Paid(alpha) => {
                own.battery >= self.demand(alpha)
                    && own.state.is_in_forest()
                    && a.all_neighbours(|b| b.memory.state.is_in_forest())
                    && self.is_enabled_there(alpha, a)
            }
            Action::GetPruned => own.state == State::Pruning,
            Action::AskGrowth => own.state == State::Active && may_grow(a),
            Action::GrowForest => match own.state {
                State::Growing => true,
                State::Source => may_grow(a),
                State::Idle | State::Active | State::Asking | State::Pruning => false,
            },
            Action::HarvestEnergy => own.state == State::Source && own.battery < self.capacity,
            Action::ShareEnergy => {
                own.state.is_in_forest() && own.battery >= 1 && self.hungry_child(a).is_some()
            }
        }
    }

    fn execute(
        &self,
        action: Self::Action,
        a: &View<'_, Self::Memory>,
        choices: &mut dyn Choices,
    ) -> Result<Effects<Self::Memory>, ActionError> {
        let mut writes = MemoryWrites::by(*a);
        match action {
            Action::Paid(alpha) => return self.pay_and_act(alpha, a, choices),
            Action::GetPruned => prune(a, &mut writes)?,
            Action::AskGrowth => writes.own().state = State::Asking,
            Action::GrowForest => {
                for b in a.neighbours() {
                    if b.memory.state == State::Idle {
                        let idle = writes.at(b.port)?;
                        idle.state = State::Active;
                        idle.parent = Some(port_back(a, b.port)?);
                    } else if b.memory.state == State::Asking && is_child(a, &b) {
                        writes.at(b.port)?.state = State::Growing;
                    }
                }
                if a.own().state == State::Growing {
                    writes.own().state = State::Active;
                }
            }
            Action::HarvestEnergy => writes.own().battery += 1,
            Action::ShareEnergy => {
                let child = self.hungry_child(a).ok_or(ActionError::Undefined("no hungry child"))?;
                spend(writes.own(), 1)?;
                writes.at(child)?.battery += 1;
            }
        }
        Ok(writes.effects(None))
    }

    fn after_write(&self, read: &Self::Memory, written: Self::Memory, now: &Self::Memory) -> Self::Memory {
        Memory {
            state: merged(read.state, written.state, now.state),
            battery: merged(read.battery, written.battery, now.battery),
            parent: merged(read.parent, written.parent, now.parent),
            algorithm: self.algorithm.after_write(&read.algorithm, written.algorithm, &now.algorithm),
        }
    }

    fn conventions(&self) -> &'static [Convention] {
        // The added actions keep all conventions: they read neighbours only, and a newcomer is in the forest and
        // not a new child.
        self.algorithm.conventions()
    }

    fn save_memory(&self, memory: &Self::Memory, into: &mut Vec<u8>) -> bool {
        memory.state.pack(into);
        (memory.battery, memory.parent).pack(into);
        self.algorithm.save_memory(&memory.algorithm, into)
    }

    fn load_memory(&self, from: &mut &[u8]) -> Result<Self::Memory, PackError> {
        let state = Pack::unpack(from)?;
        let (battery, parent) = Pack::unpack(from)?;
        Ok(Memory { state, battery, parent, algorithm: self.algorithm.load_memory(from)? })
    }
}

fn is_child<M>(a: &View<'_, Memory<M>>, b: &Neighbour<'_, Memory<M>>) -> bool {
    b.memory.parent.is_some_and(|parent| a.pointed_at_by(b, parent).is_some())
}

/// Whether A has an idle neighbour or an asking child.
fn may_grow<M>(a: &View<'_, Memory<M>>) -> bool {
    a.neighbours().any(|b| match b.memory.state {
        State::Idle => true,
        State::Asking => is_child(a, &b),
        State::Source | State::Active | State::Growing | State::Pruning => false,
    })
}

/// A port of the neighbour at `port` that leads back to A.
fn port_back<M>(a: &View<'_, Memory<M>>, port: AmoebotPort) -> Result<AmoebotPort, ActionError> {
    AmoebotPort::all()
        .find(|theirs| a.pointed_at(port, *theirs).is_some())
        .ok_or(ActionError::Undefined("a neighbour without a port that leads back"))
}

/// The operation Prune.
fn prune<M: Clone>(a: &View<'_, Memory<M>>, writes: &mut MemoryWrites<'_, M>) -> Result<(), OperationError> {
    for child in a.neighbours().filter(|b| is_child(a, b)) {
        writes.at(child.port)?.leave(State::Pruning);
    }
    writes.own().leave(State::Idle);
    Ok(())
}

fn spend<M>(memory: &mut Memory<M>, units: u32) -> Result<(), ActionError> {
    memory.battery = memory.battery.checked_sub(units).ok_or(ActionError::Undefined("too little energy"))?;
    Ok(())
}

/// The writes of an action, one per amoebot. The algorithm and the forest may both change the same memory.
struct MemoryWrites<'a, M> {
    by: View<'a, Memory<M>>,
    own: Option<Memory<M>>,
    /// The amoebot, a port to it, and its new memory.
    others: Vec<(AmoebotId, AmoebotPort, Memory<M>)>,
}

impl<'a, M: Clone> MemoryWrites<'a, M> {
    fn by(by: View<'a, Memory<M>>) -> Self {
        Self { by, own: None, others: Vec::new() }
    }

    fn own(&mut self) -> &mut Memory<M> {
        self.own.get_or_insert_with(|| self.by.own().clone())
    }

    fn at(&mut self, port: AmoebotPort) -> Result<&mut Memory<M>, OperationError> {
        let id = self.by.id_at(port).ok_or(OperationError::NotConnected { port })?;
        let known = self.others.iter().position(|(other, ..)| *other == id);
        let at = known.unwrap_or(self.others.len());
        if known.is_none() {
            self.others.push((id, port, self.by.read(port)?.clone()));
        }
        Ok(&mut self.others[at].2)
    }

    fn effects(self, movement: Option<Movement>) -> Effects<Memory<M>> {
        let own = self.own.into_iter().fold(Effects::none(), Effects::write_own);
        let all = self.others.into_iter().fold(own, |all, (_, port, memory)| all.write(port, memory));
        movement.into_iter().fold(all, Effects::then)
    }
}

fn algorithm_of<M>(memory: &Memory<M>) -> &M {
    &memory.algorithm
}

impl<A: Algorithm> EnergyDistribution<A> {
    /// The largest accepted capacity, in units.
    pub const CAPACITY_MAX: u32 = 1 << 20;

    /// The algorithm with batteries of `capacity` units, 1 to [`CAPACITY_MAX`](Self::CAPACITY_MAX). `demand`
    /// gives the cost of each of its actions in units, 1 to the capacity.
    ///
    /// # Errors
    ///
    /// The capacity or a demand is out of its range.
    pub fn new(
        algorithm: A,
        capacity: u32,
        demand: impl Fn(A::Action) -> u32,
    ) -> Result<Self, EnergyDistributionError> {
        if !(1..=Self::CAPACITY_MAX).contains(&capacity) {
            return Err(EnergyDistributionError::Capacity { capacity });
        }
        let own = algorithm.actions();
        let demands: Vec<u32> = own.iter().map(|action| demand(*action)).collect();
        if let Some(at) = demands.iter().position(|demand| !(1..=capacity).contains(demand)) {
            let action = format!("{:?}", own[at]);
            return Err(EnergyDistributionError::Demand { action, demand: demands[at], capacity });
        }
        let actions = own.iter().map(|action| Action::Paid(*action)).chain([
            Action::GetPruned,
            Action::AskGrowth,
            Action::GrowForest,
            Action::HarvestEnergy,
            Action::ShareEnergy,
        ]);
        Ok(Self { actions: actions.collect(), demands, capacity, algorithm })
    }

    /// The algorithm whose actions need energy.
    #[must_use]
    pub fn algorithm(&self) -> &A {
        &self.algorithm
    }

    /// The capacity of a battery, in units.
    #[must_use]
    pub fn capacity(&self) -> u32 {
        self.capacity
    }

    /// The cost of an action of the algorithm, in units.
    ///
    /// # Panics
    ///
    /// Panics if the algorithm does not list the action.
    #[must_use]
    pub fn demand(&self, alpha: A::Action) -> u32 {
        let at = self.algorithm.actions().iter().position(|action| *action == alpha);
        self.demands[at.expect("an action of the algorithm")]
    }

    /// Whether the action is enabled in the algorithm, according to the algorithm's guards and order.
    fn is_enabled_there(&self, alpha: A::Action, a: &View<'_, Memory<A::Memory>>) -> bool {
        let inner = Projection::new(*a, algorithm_of);
        match self.algorithm.order() {
            ActionOrder::AsListed => enabled_actions(&self.algorithm, inner.view()).next() == Some(alpha),
            ActionOrder::Any => self.algorithm.enabled(alpha, &inner.view()),
        }
    }

    /// The port to the first child whose battery is not full; `None` if there is none.
    fn hungry_child(&self, a: &View<'_, Memory<A::Memory>>) -> Option<AmoebotPort> {
        a.neighbours().find(|b| b.memory.battery < self.capacity && is_child(a, b)).map(|b| b.port)
    }

    fn pay_and_act(
        &self,
        alpha: A::Action,
        a: &View<'_, Memory<A::Memory>>,
        choices: &mut dyn Choices,
    ) -> Result<Effects<Memory<A::Memory>>, ActionError> {
        let inner = Projection::new(*a, algorithm_of);
        let (inner_writes, movement) = self.algorithm.execute(alpha, &inner.view(), choices)?.into_parts()?;
        let mut writes = MemoryWrites::by(*a);
        spend(writes.own(), self.demand(alpha))?;
        for (port, memory) in inner_writes {
            let whose = match port {
                None => writes.own(),
                Some(port) => writes.at(port)?,
            };
            whose.algorithm = memory;
        }
        let at_tail = |parent: AmoebotPort| parent.moved_to(End::Tail);
        match movement {
            None => {}
            Some(Movement::Expand(_)) => {
                let own = writes.own();
                own.parent = own.parent.map(at_tail);
            }
            Some(Movement::Contract(_)) => prune(a, &mut writes)?,
            Some(Movement::Pull(port)) => {
                prune(a, &mut writes)?;
                let pulled = writes.at(port)?;
                pulled.parent = pulled.parent.map(at_tail);
            }
            Some(Movement::Push(port)) => {
                writes.own().leave(State::Pruning);
                writes.at(port)?.leave(State::Pruning);
            }
        }
        Ok(writes.effects(movement))
    }

    /// The start configuration: the amoebots of a system of the algorithm, with empty batteries. The amoebots at the
    /// positions `sources` are sources, where duplicates count once; all others are idle. Identities, bodies,
    /// orientations and the object are unchanged. O(n).
    ///
    /// # Errors
    ///
    /// There is no source, a source does not exist, or from some amoebot no path of neighbours leads to a source.
    pub fn start(
        &self,
        system: &System<A::Memory>,
        sources: &[usize],
    ) -> Result<System<Memory<A::Memory>>, StartError> {
        check_roots(system, "source", sources.iter().copied())?;
        let mut states = vec![State::Idle; system.len()];
        for source in sources {
            states[*source] = State::Source;
        }
        Ok(system.with_memories(|id, memory| Memory {
            state: states[id.index()],
            battery: 0,
            parent: None,
            algorithm: memory.clone(),
        }))
    }

    /// The system as the algorithm sees it, to test its goal. O(n).
    #[must_use]
    pub fn inner(&self, system: &System<Memory<A::Memory>>) -> System<A::Memory> {
        system.with_memories(|_, memory| memory.algorithm.clone())
    }

    /// The parent of an amoebot, if it has one.
    ///
    /// # Panics
    ///
    /// Panics if there is no such amoebot.
    #[must_use]
    pub fn parent(&self, system: &System<Memory<A::Memory>>, id: AmoebotId) -> Option<AmoebotId> {
        system.neighbour(id, system.memory(id).parent?)
    }

    /// The number of units in all batteries. O(n).
    #[must_use]
    pub fn stored(&self, system: &System<Memory<A::Memory>>) -> u64 {
        system.ids().map(|id| u64::from(system.memory(id).battery)).sum()
    }
}

/// Errors of energy distribution.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EnergyDistributionError {
    /// The capacity is out of range.
    #[error("capacity {capacity} (accepted: 1 to {})", EnergyDistribution::<crate::Erosion>::CAPACITY_MAX)]
    Capacity {
        /// The requested capacity.
        capacity: u32,
    },
    /// The demand of an action is 0, or above the capacity.
    #[error("action {action} takes {demand} units of energy (accepted: 1 to {capacity}, the capacity)")]
    Demand {
        /// The label of the action.
        action: String,
        /// The demand of the action.
        demand: u32,
        /// The capacity of a battery.
        capacity: u32,
    },
}
