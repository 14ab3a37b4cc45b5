//! [`LockModel`]: the lock layer as a [`Model`], with every step through `World::apply`.

use std::ops::ControlFlow;

use acrasin_runtime::choice::{Enumerated, Scripted};
use acrasin_runtime::exclusion::{Exclusion, InitialKnowledge};
use acrasin_runtime::world::PackedOffsets;
use acrasin_runtime::{
    CandidateEdge, CriticalSection, LockSetRequest, Naming, NodeId, Pack, Port, Status, Step, StepError,
    StepOf, TopologyError, World,
};

use super::duty::{duty, label};
use super::instance::{Budget, Explored, ExploredSection, INSTANCE_NODES_MAX, INSTANCE_PORTS_MAX, Instance};
use super::reduction::{ReductionError, Reductions, may_go_first};
use super::refused::RefusedInstance;
use super::symmetry::Symmetry;
use crate::properties::{Property, dead};
use acrasin_explore::{BrokenProperty, Duty, Model, MoveId, Moves};

/// All runs of an [`Instance`]: every schedule, every draw, every change of the graph within the budget.
///
/// Steps are single activations. Rounds of a semi-synchronous schedule reach no further configurations, since actions
/// of different nodes commute (spec 2.2).
pub struct LockModel<'p, E: Exclusion, S: CriticalSection> {
    pub(super) instance: Instance<E, S>,
    pub(super) candidates: Vec<CandidateEdge>,
    pub(super) start: World<E, S>,
    /// The initial world with time stamps that are not normalised, for walks.
    pub(super) first: World<E, S>,
    properties: &'p [Box<dyn Property<E, S> + 'p>],
    reductions: Reductions,
    symmetry: Symmetry,
}

/// Scratch state of an exploration: a world into which configurations are unpacked, and buffers.
pub struct Workbench<E: Exclusion, S: CriticalSection> {
    pub(super) world: World<E, S>,
    pub(super) budget: Left,
    pub(super) steps: Vec<StepOf<E>>,
    choices: Enumerated,
    /// The configuration before a move, as a world. `parts` holds the offsets of the parts in its packed bytes.
    before: World<E, S>,
    /// Whether a move has been made since `before` was unpacked.
    moved: bool,
    parts: PackedOffsets,
    action: Vec<u8>,
}

impl<E: Exclusion, S: CriticalSection> Workbench<E, S> {
    /// Takes a step from the unpacked configuration, after undoing the previous one.
    fn take(&mut self, step: &StepOf<E>) {
        if self.moved {
            self.world.rewind(&self.before);
        }
        self.moved = true;
        self.world.apply(step, &mut self.choices, &mut ()).expect("an offered step can be taken");
        self.world.normalise();
    }
}

/// The remaining numbers of edges that may vanish and appear; `None` if unlimited.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Left {
    disconnections: Option<u32>,
    connections: Option<u32>,
}

impl Left {
    pub(super) fn after<A, M>(self, step: &Step<A, M>) -> Self {
        let spend = |left: Option<u32>| left.map(|left| left.saturating_sub(1));
        match step {
            Step::Disconnect { .. } => Self { disconnections: spend(self.disconnections), ..self },
            Step::Connect { .. } => Self { connections: spend(self.connections), ..self },
            _ => self,
        }
    }

    fn pack(self, into: &mut Vec<u8>) {
        if let Some(left) = self.disconnections {
            left.pack(into);
        }
        if let Some(left) = self.connections {
            left.pack(into);
        }
    }

    fn unpack(like: Self, from: &mut &[u8]) -> Self {
        let mut left = |limit: Option<u32>| limit.map(|_| u32::unpack(from).expect("packed by this model"));
        Self { disconnections: left(like.disconnections), connections: left(like.connections) }
    }
}

impl<'p, E, S> LockModel<'p, E, S>
where
    E: Exclusion + Clone,
    S: CriticalSection + Clone,
{
    /// The model of an instance, with properties to check in every configuration. The promises of the lock layer and
    /// the absence of dead configurations are always checked.
    ///
    /// # Errors
    ///
    /// [`RefusedInstance`] if the edges are not a graph, there are too many nodes or ports, or an assumption of the
    /// algorithm does not hold.
    pub fn new(
        instance: Instance<E, S>,
        properties: &'p [Box<dyn Property<E, S> + 'p>],
    ) -> Result<Self, RefusedInstance> {
        Self::with_knowledge(instance, &InitialKnowledge::default(), properties)
    }

    /// The model of an instance whose nodes have initial knowledge beyond their ports.
    ///
    /// # Errors
    ///
    /// [`RefusedInstance`] if the edges are not a graph, or there are too many nodes or ports. Also if an assumption of
    /// the algorithm does not hold, such as a tree or a fixed graph.
    pub fn with_knowledge(
        instance: Instance<E, S>,
        seating: &InitialKnowledge,
        properties: &'p [Box<dyn Property<E, S> + 'p>],
    ) -> Result<Self, RefusedInstance> {
        if instance.nodes > INSTANCE_NODES_MAX {
            let (asked, limit) = (u64::from(instance.nodes), u64::from(INSTANCE_NODES_MAX));
            return Err(TopologyError::TooLarge { asked, limit }.into());
        }
        if instance.ports > INSTANCE_PORTS_MAX {
            let (asked, limit) = (u64::from(instance.ports), u64::from(INSTANCE_PORTS_MAX));
            return Err(TopologyError::TooLarge { asked, limit }.into());
        }
        if instance.disconnections != Budget::NONE || instance.connections != Budget::NONE {
            instance.exclusion.assumes().check_changes()?;
        }
        let mut start = World::with_knowledge(instance.setup()?, seating)?;
        let first = start.clone();
        start.normalise();
        let candidates = instance.candidates(start.topology());
        let (reductions, symmetry) = (Reductions::NONE, Symmetry::default());
        Ok(Self { instance, candidates, start, first, properties, reductions, symmetry })
    }

    /// The explored instance.
    #[must_use]
    pub fn instance(&self) -> &Instance<E, S> {
        &self.instance
    }

    /// The properties that are checked in every configuration.
    #[must_use]
    pub fn properties(&self) -> &[Box<dyn Property<E, S> + '_>] {
        self.properties
    }

    /// Whether a reduction leaves out configurations or steps, so that questions about infinite runs cannot be
    /// answered.
    #[must_use]
    pub fn is_reduced(&self) -> bool {
        self.reductions != Reductions::NONE
    }

    /// The reductions in use.
    #[must_use]
    pub fn reductions(&self) -> Reductions {
        self.reductions
    }

    /// The symmetries in use. Without symmetry reduction it is only the identity.
    #[must_use]
    pub fn symmetry(&self) -> &Symmetry {
        &self.symmetry
    }

    /// All edges that can exist at some time.
    #[must_use]
    pub fn candidates(&self) -> &[CandidateEdge] {
        &self.candidates
    }

    /// Applies symmetry reduction with these symmetries. The caller must ensure that they are symmetries of the
    /// instance.
    #[must_use]
    pub fn with_symmetry(mut self, symmetry: Symmetry) -> Self {
        self.reductions.symmetry = true;
        self.symmetry = symmetry;
        self
    }

    pub(super) fn budget(&self) -> Left {
        Left {
            disconnections: self.instance.disconnections.limit(),
            connections: self.instance.connections.limit(),
        }
    }

    /// Lists all possible steps: first the nodes' own, then the adversary's graph changes, then calls that the rules
    /// ignore. Returns the number of the nodes' own steps.
    pub(super) fn steps(&self, world: &World<E, S>, left: Left, into: &mut Vec<StepOf<E>>) -> usize {
        world.offered(into);
        // Two equal messages on one port (from rules that send too much) give one step. The steps of a node are
        // adjacent.
        for index in (1..into.len()).rev() {
            let step = into[index];
            if matches!(step, Step::Receive { .. } | Step::Leave { .. }) {
                let mut same_node =
                    into[..index].iter().rev().take_while(|other| other.actor() == step.actor());
                if same_node.any(|other| *other == step) {
                    into.remove(index);
                }
            }
        }
        let own = into.len();
        let topology = world.topology();
        if left.disconnections != Some(0) {
            for node in topology.nodes() {
                let links = topology.links(node).filter(|(_, link)| link.peer > node);
                into.extend(links.map(|(port, _)| Step::Disconnect { node, port: port.into() }));
            }
        }
        if left.connections != Some(0) {
            let free = |(node, port): (NodeId, Port)| topology.link(node, port).is_none();
            let open = |edge: &&CandidateEdge| {
                free(edge.a) && free(edge.b) && !topology.adjacent(edge.a.0, edge.b.0)
            };
            into.extend(self.candidates.iter().filter(open).map(|edge| {
                let ((a, a_port), (b, b_port)) = (edge.a, edge.b);
                Step::Connect { a, a_port, b, b_port }
            }));
        }
        if self.instance.misuse {
            for node in topology.nodes().filter(|&node| world.unsent(node).is_empty()) {
                if world.status(node) != Status::Idle {
                    into.push(Step::Lock { node, claim: LockSetRequest::Neighbourhood });
                }
                if world.status(node) != Status::Holding {
                    into.push(Step::Unlock { node });
                }
            }
        }
        own
    }
}

impl<E: Explored, S: ExploredSection> Model for LockModel<'_, E, S> {
    type Workbench = Workbench<E, S>;

    fn workbench(&self) -> Workbench<E, S> {
        Workbench {
            world: self.start.clone(),
            budget: self.budget(),
            steps: Vec::new(),
            choices: Enumerated::new(),
            before: self.start.clone(),
            moved: false,
            parts: PackedOffsets::default(),
            action: Vec::new(),
        }
    }

    fn starts(&self, _workbench: &mut Workbench<E, S>, start: &mut dyn FnMut(&[u8]) -> ControlFlow<()>) {
        let mut packed = Vec::new();
        self.pack(&self.start, self.budget(), &mut packed);
        let _ = start(&packed);
    }

    fn expand(&self, workbench: &mut Workbench<E, S>, configuration: &[u8], moves: &mut Moves) {
        self.unpack(workbench, configuration);
        workbench.before.assume(&workbench.world);
        workbench.moved = false;
        let mut steps = std::mem::take(&mut workbench.steps);
        let own = self.steps(&workbench.world, workbench.budget, &mut steps);
        moves.label(label(&workbench.world));
        for property in self.properties {
            if let Err(text) = property.check(&workbench.world) {
                moves.broken(BrokenProperty { property: property.name(), text, by: None });
            }
        }
        if let Err(text) = dead::check(&workbench.world, own) {
            moves.broken(BrokenProperty { property: dead::NAME, text, by: None });
        }
        if !self.expand_one(workbench, configuration, &steps[..own], moves) {
            if steps.len() >= usize::from(u16::MAX) {
                moves.too_many();
            }
            for (step, number) in steps.iter().zip(0..u16::MAX) {
                let duty = if usize::from(number) < own {
                    duty(&self.instance.exclusion, step, &mut workbench.action)
                } else {
                    Duty::NONE
                };
                self.expand_step(workbench, configuration, (step, number, duty), moves);
            }
        }
        workbench.before.delayed(&mut steps);
        for step in &steps {
            moves.waiting(duty(&self.instance.exclusion, step, &mut workbench.action));
        }
        workbench.steps = steps;
    }
}

impl<E: Explored, S: ExploredSection> LockModel<'_, E, S> {
    /// Applies reductions. Symmetry reduction requires that the states of the critical section contain neither ports
    /// nor nodes.
    ///
    /// # Errors
    ///
    /// [`ReductionError`] if symmetry is requested and the algorithm cannot rename ports, or there are too many
    /// symmetries.
    pub fn with_reductions(mut self, reductions: Reductions) -> Result<Self, ReductionError> {
        self.symmetry = if reductions.symmetry {
            Symmetry::of(&self.start, &self.candidates)?
        } else {
            Symmetry::default()
        };
        self.reductions = reductions;
        Ok(self)
    }

    /// Adds one move for each outcome of the picks in a step.
    fn expand_step(
        &self,
        workbench: &mut Workbench<E, S>,
        configuration: &[u8],
        (step, number, duty): (&StepOf<E>, u16, Duty),
        moves: &mut Moves,
    ) {
        for outcome in 0..=MoveId::CHOSEN {
            if outcome == MoveId::CHOSEN {
                moves.too_many();
                workbench.choices = Enumerated::new();
                return;
            }
            workbench.take(step);
            let chosen = if workbench.choices.are_an_adversary() { MoveId::CHOSEN } else { 0 };
            let id = MoveId { step: number, outcome: outcome | chosen };
            match workbench.world.check() {
                Ok(()) => moves.successor_with(id, duty, |into| {
                    self.pack_changed(workbench, configuration, step, into);
                }),
                Err(violation) => {
                    let property = crate::properties::promise(&violation);
                    moves.broken(BrokenProperty { property, text: violation.to_string(), by: Some(id) });
                    // The target is checked, but not explored further.
                    for property in self.properties {
                        if let Err(text) = property.check(&workbench.world) {
                            moves.broken(BrokenProperty { property: property.name(), text, by: Some(id) });
                        }
                    }
                }
            }
            if !workbench.choices.advance() {
                break;
            }
        }
    }

    /// Partial-order reduction: adds only one receipt, if there is one that may replace all other moves; see
    /// `reduction.rs`. Returns false, without adding a move, if there is no such receipt.
    fn expand_one(
        &self,
        workbench: &mut Workbench<E, S>,
        configuration: &[u8],
        own: &[StepOf<E>],
        moves: &mut Moves,
    ) -> bool {
        if !self.reductions.partial_order
            || self.instance.misuse
            || workbench.budget.disconnections != Some(0)
        {
            return false;
        }
        for (step, number) in own.iter().zip(0..) {
            if !may_go_first(&workbench.before, step) {
                continue;
            }
            let sent = workbench.before.messages_sent();
            workbench.take(step);
            let node = step.actor().expect("a receipt has a receiver");
            let quiet = workbench.world.messages_sent() == sent
                && workbench.world.unsent(node).is_empty()
                && workbench.world.violation().is_none()
                && !workbench.choices.advance();
            if quiet {
                let duty = duty(&self.instance.exclusion, step, &mut workbench.action);
                moves.successor_with(MoveId { step: number, outcome: 0 }, duty, |into| {
                    self.pack_changed(workbench, configuration, step, into);
                });
                return true;
            }
            workbench.choices = Enumerated::new();
        }
        false
    }

    /// Packs the configuration of `workbench`, which differs from `configuration` by one step.
    fn pack_changed(
        &self,
        workbench: &Workbench<E, S>,
        configuration: &[u8],
        step: &StepOf<E>,
        into: &mut Vec<u8>,
    ) {
        workbench.budget.after(step).pack(into);
        let start = into.len();
        workbench.world.pack_changed(&self.candidates, (configuration, &workbench.parts), into);
        if self.reductions.symmetry {
            self.symmetry.least(&workbench.world, &self.candidates, (into, start));
        }
    }

    /// Packs a world with its remaining budget. Returns the renaming under which the configuration is stored; `None`
    /// for the identity.
    pub(super) fn pack(&self, world: &World<E, S>, left: Left, into: &mut Vec<u8>) -> Option<&Naming> {
        left.pack(into);
        let start = into.len();
        world.pack(&self.candidates, into);
        self.symmetry.least(world, &self.candidates, (into, start))
    }

    /// Packs the configuration of `workbench` after `step`; `workbench` contains the budget before the step. Returns
    /// the renaming under which the configuration is stored; `None` for the identity.
    pub(super) fn pack_after(
        &self,
        workbench: &Workbench<E, S>,
        step: &StepOf<E>,
        into: &mut Vec<u8>,
    ) -> Option<&Naming> {
        self.pack(&workbench.world, workbench.budget.after(step), into)
    }

    pub(super) fn unpack(&self, workbench: &mut Workbench<E, S>, configuration: &[u8]) {
        let mut rest = configuration;
        workbench.budget = Left::unpack(self.budget(), &mut rest);
        let skipped = configuration.len() - rest.len();
        workbench
            .world
            .restore_parts(&self.candidates, (&mut rest, skipped), &mut workbench.parts)
            .expect("packed here");
    }

    /// Every configuration that equals this one up to the symmetries in use, including itself, sorted.
    ///
    /// # Panics
    ///
    /// Panics if the bytes are not a configuration of this model.
    #[must_use]
    pub fn orbit(&self, configuration: &[u8]) -> Vec<Vec<u8>> {
        let mut workbench = self.workbench();
        self.unpack(&mut workbench, configuration);
        let renamed = self.symmetry.namings().iter().map(|naming| {
            let mut packed = Vec::new();
            workbench.budget.pack(&mut packed);
            assert!(
                workbench.world.pack_renamed(&self.candidates, naming, &mut packed),
                "other names are offered"
            );
            packed
        });
        let mut orbit: Vec<Vec<u8>> = renamed.chain([configuration.to_vec()]).collect();
        orbit.sort_unstable();
        orbit.dedup();
        orbit
    }

    /// Takes steps from the start. Returns the final world, and the bytes under which its configuration is stored.
    ///
    /// # Errors
    ///
    /// [`StepError`] at a step that is not possible.
    pub fn follow(&self, steps: &[(StepOf<E>, Vec<u32>)]) -> Result<(World<E, S>, Vec<u8>), StepError> {
        let (mut world, mut left) = (self.start.clone(), self.budget());
        for (step, picks) in steps {
            world.apply(step, &mut Scripted::new(picks), &mut ())?;
            left = left.after(step);
        }
        let mut packed = Vec::new();
        self.pack(&world, left, &mut packed);
        Ok((world, packed))
    }
}

impl Default for Budget {
    fn default() -> Self {
        Self::NONE
    }
}
