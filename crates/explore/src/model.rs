//! What the explorer explores: [`Model`].

use std::ops::ControlFlow;

/// Something whose configurations can be listed, starting from some and following every move: the lock layer, a
/// population, amoebots.
///
/// A configuration is a string of bytes. Equal configurations must have equal strings and different ones different
/// strings; how short they are decides how much fits into the memory. The explorer never looks inside.
///
/// Everything must depend on the arguments alone: several threads call at once, each with a workbench of its own.
pub trait Model: Sync {
    /// Where a configuration is unpacked: buffers, reused from call to call, that carry nothing over.
    type Workbench: Send;

    /// A fresh workbench.
    fn workbench(&self) -> Self::Workbench;

    /// Calls `start` with every initial configuration, in a fixed order, until it breaks.
    fn starts(&self, workbench: &mut Self::Workbench, start: &mut dyn FnMut(&[u8]) -> ControlFlow<()>);

    /// Lists all moves of a configuration, in a fixed order, its label, and what is wrong with it.
    fn expand(&self, workbench: &mut Self::Workbench, configuration: &[u8], moves: &mut Moves);

    /// Bytes that the model itself holds by now for configurations, such as a table of what their bytes stand for: they
    /// count against the ceiling of the search. They must not depend on the order of the calls.
    fn held_bytes(&self) -> u64 {
        0
    }
}

/// A choice that the adversary makes, and how the coins inside it fall.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct MoveId {
    /// The position of the step among the steps of the configuration.
    pub step: u16,
    /// The position of the outcome among the outcomes of the step: 0 if nothing is drawn; with [`Self::CHOSEN`] if the adversary
    /// chooses it, too.
    pub outcome: u16,
}

impl MoveId {
    /// Added to an outcome that no coin decides: to questions about fairness it is a step by itself. There are fewer outcomes.
    pub const CHOSEN: u16 = 1 << 15;

    /// The position of the outcome, whoever decides it.
    #[must_use]
    pub fn place(self) -> u16 {
        self.outcome & !Self::CHOSEN
    }
}

/// An obligation of weak fairness: a step that may not be enabled for ever without being taken. 0 is none: a step that
/// no node has to take, such as a call of Lock or a change of the graph. What the other numbers mean is the model's.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Duty(pub u32);

impl Duty {
    /// No node has to take the step.
    pub const NONE: Self = Self(0);
}

/// A move and where it leads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Move {
    pub(crate) id: MoveId,
    pub(crate) duty: Duty,
    pub(crate) weight: u16,
    /// End of its configuration in [`Moves::bytes`].
    pub(crate) end: usize,
}

/// A property that does not hold.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Broken {
    /// The property's name.
    pub property: &'static str,
    /// What was seen.
    pub text: String,
    /// The move that breaks it; `None` if the configuration itself does.
    pub by: Option<MoveId>,
}

/// What [`Model::expand`] finds in one configuration.
#[derive(Clone, Debug, Default)]
pub struct Moves {
    pub(crate) label: u32,
    pub(crate) moves: Vec<Move>,
    pub(crate) bytes: Vec<u8>,
    /// Where the bytes of the first move begin: those before belong to other configurations.
    first: usize,
    pub(crate) broken: Vec<Broken>,
    pub(crate) waiting: Vec<Duty>,
    pub(crate) too_many: bool,
    pub(crate) is_kept: bool,
}

impl Moves {
    /// Nothing.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Forgets everything and keeps the buffers.
    pub fn clear(&mut self) {
        self.bytes.clear();
        self.clear_for_next();
    }

    /// Forgets everything but the bytes of the configurations listed: saves a copy.
    pub(crate) fn clear_for_next(&mut self) {
        self.label = 0;
        self.moves.clear();
        self.first = self.bytes.len();
        self.broken.clear();
        self.waiting.clear();
        self.too_many = false;
        self.is_kept = false;
    }

    /// The configuration's label: what an analysis of the whole graph is told of it. Its meaning is the model's.
    #[inline]
    pub fn label(&mut self, label: u32) {
        self.label = label;
    }

    /// A move that leads to `configuration`. The outcomes of one step come one after the other.
    #[inline]
    pub fn successor(&mut self, id: MoveId, duty: Duty, configuration: &[u8]) {
        self.successor_with(id, duty, |bytes| bytes.extend_from_slice(configuration));
    }

    /// A move that leads to the configuration that `pack` appends: saves a copy.
    pub fn successor_with(&mut self, id: MoveId, duty: Duty, pack: impl FnOnce(&mut Vec<u8>)) {
        pack(&mut self.bytes);
        self.moves.push(Move { id, duty, weight: 0, end: self.bytes.len() });
    }

    /// What the move listed last counts in [`Graph::longest_run`](crate::Graph::longest_run); 0 if nothing is said.
    #[inline]
    pub fn weigh(&mut self, weight: u16) {
        if let Some(last) = self.moves.last_mut() {
            last.weight = weight;
        }
    }

    /// The bytes of this configuration are kept to the end: [`Exploration::kept`](crate::Exploration::kept). Of the
    /// others only digests are.
    pub fn keep(&mut self) {
        self.is_kept = true;
    }

    /// A duty that is due and cannot be done now, such as a receipt by a node that is busy: it counts as enabled when
    /// it is asked whether a run is fair.
    #[inline]
    pub fn waiting(&mut self, duty: Duty) {
        self.waiting.push(duty);
    }

    /// There are more steps or outcomes than a [`MoveId`] can tell apart (65 535): the exploration ends, truncated.
    pub fn too_many(&mut self) {
        self.too_many = true;
    }

    /// Something is wrong. If a move breaks a property, where it leads is not explored: do not report it as a
    /// successor.
    #[inline]
    pub fn broken(&mut self, broken: Broken) {
        self.broken.push(broken);
    }

    /// What is wrong, as listed so far.
    #[must_use]
    pub fn findings(&self) -> &[Broken] {
        &self.broken
    }

    /// The moves listed so far with the configurations they lead to.
    pub fn iter(&self) -> impl Iterator<Item = (MoveId, Duty, &[u8])> {
        self.listed().map(|(m, bytes)| (m.id, m.duty, bytes))
    }

    pub(crate) fn listed(&self) -> impl Iterator<Item = (&Move, &[u8])> {
        let mut start = self.first;
        self.moves.iter().map(move |m| {
            let bytes = &self.bytes[start..m.end];
            start = m.end;
            (m, bytes)
        })
    }
}
