//! Descriptions of algorithms apart from their actions: start, goal, names of states. Code that need not be fast uses
//! type-erased descriptions, so it is compiled only once.

use std::any::Any;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Debug;
use std::hash::Hash;
use std::sync::Arc;

use super::Algorithm;
use super::erased::{AnyAlgorithm, AnyMemory, erased, known};
use crate::model::id::AmoebotId;
use crate::model::lattice::Cell;
use crate::model::orientation::Orientation;
use crate::model::system::System;
use crate::picture::Detail;

/// The moment at which an amoebot crashes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Crash {
    /// After the amoebot has completed this many of its actions; 0 is the start.
    After(u32),
    /// At a moment that the schedule decides: crashing is an additional action, enabled until the amoebot crashes.
    AnyTime,
}

acrasin_runtime::pack_variants!(Crash { After(actions), AnyTime });

/// The beeps and messages that amoebots on circuits do not receive.
#[derive(Clone, PartialEq, Debug, Default)]
pub enum LostBeeps {
    /// All are received.
    #[default]
    None,
    /// Each set of pins of each amoebot receives nothing in a round with this probability, 0 to 1.
    PerSet(f64),
    /// Each amoebot receives nothing in a round with this probability, 0 to 1.
    PerAmoebot(f64),
    /// These amoebots receive nothing in these rounds: pairs of round and amoebot, both from 0.
    Listed(BTreeSet<(u64, u32)>),
}

/// The placement of amoebots at the start, before the algorithm sets memories.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Placement {
    /// The cells of the amoebots, in the order of their numbers.
    pub cells: Vec<Cell>,
    /// The index in `cells` of the seed or root. Only algorithms with a seed or root read it.
    pub seed: usize,
    /// The orientation of each amoebot. If empty, all amoebots have the common orientation.
    pub orientations: Vec<Orientation>,
    /// The cells of the object. Only algorithms with an object use it. On circuits and in joint movements, each
    /// connected part is one object.
    pub object: Vec<Cell>,
    /// Colours, one for each amoebot; only separation uses them.
    pub colours: Option<Vec<u8>>,
    /// The tails of the expanded amoebots, whose heads are on `cells`: one for each amoebot, or empty if all are
    /// contracted. Only algorithms from files use them.
    pub tails: Vec<Option<Cell>>,
    /// For each amoebot, the variables that start with a special value, each with that value as [`Description::value`]
    /// writes it. Empty if no amoebot has one. Only algorithms from files use them.
    pub memories: Vec<BTreeMap<String, String>>,
    /// The recorded moment of a run of the same algorithm from which to start. If set, the fields above are ignored.
    pub moment: Option<Arc<System<AnyMemory>>>,
    /// The amoebots that crash, and the moment at which each crashes. Only [`Crashing`](super::crash::Crashing) uses
    /// them.
    pub crashes: Vec<(AmoebotId, Crash)>,
    /// The beeps that are not received. Only algorithms on circuits use them.
    pub lost_beeps: LostBeeps,
}

/// An algorithm with its parameters, as drivers, checks and pictures need it.
///
/// If the start has no parameters, the algorithm implements this trait itself, such as [`Hexagon`](crate::Hexagon).
/// Otherwise a separate type holds them, such as the list of values of a counter.
pub trait Description: Sync {
    /// The memory of an amoebot.
    type Memory: Clone + Eq + Hash + Debug + Send + Sync + 'static;
    /// The described algorithm.
    type Algorithm: Algorithm<Memory = Self::Memory, Action: Send + Sync> + Sync;

    /// The described algorithm, with its parameters.
    fn algorithm(&self) -> &Self::Algorithm;

    /// The facts that are the same for all systems.
    fn facts(&self) -> Facts<'_>;

    /// The number of the state of an amoebot: its position among the [states](Facts::states).
    fn state(&self, memory: &Self::Memory) -> usize;

    /// The detail that a picture shows of an amoebot in addition to its state.
    fn detail(&self, _: &Self::Memory) -> Detail {
        Detail::default()
    }

    /// The value of a variable, in words. `variable` is an index into the [variables](Facts::variables).
    ///
    /// # Panics
    ///
    /// There is no such variable.
    fn value(&self, _: &Self::Memory, variable: usize) -> String {
        unreachable!("variable {variable} of none")
    }

    /// A memory in words, for counterexamples and pictures.
    fn words(&self, memory: &Self::Memory) -> String {
        format!("{memory:?}")
    }

    /// The values of the [measures](Facts::measures), in their order. Called whenever states are counted, so it may
    /// take at most O(n).
    fn measure(&self, _: &System<Self::Memory>) -> Vec<u64> {
        Vec::new()
    }

    /// The initial system.
    ///
    /// # Errors
    ///
    /// The reason why the placement is not a valid start: a sentence that names the cells, the value, and what is
    /// accepted.
    fn start(&self, placement: &Placement) -> Result<System<Self::Memory>, String>;

    /// The system at the [moment](Placement::moment) of a run, if the placement has one; otherwise the initial system.
    ///
    /// # Errors
    ///
    /// The errors of [`start`](Self::start), or the moment is from a run of another algorithm.
    fn begin(&self, placement: &Placement) -> Result<System<Self::Memory>, String> {
        let Some(moment) = &placement.moment else { return self.start(placement) };
        let whole: &dyn Any = &**moment;
        let same = whole.downcast_ref().cloned().or_else(|| known(moment));
        same.ok_or_else(|| OF_ANOTHER.to_owned())
    }

    /// Whether the goal of the algorithm is reached.
    fn is_finished(&self, system: &System<Self::Memory>) -> bool;

    /// A description of a violated invariant, if there is one. A check evaluates it in every state; with locks, only in
    /// states in which no amoebot is inside an action. A run evaluates it at the moments of its pictures and at the
    /// end. It may be slow.
    fn fault(&self, _: &System<Self::Memory>) -> Option<String> {
        None
    }

    /// Result figures of the final system that are specific to this algorithm; `None` if the algorithm has none.
    fn further(&self, _: &System<Self::Memory>) -> Option<Further> {
        None
    }

    /// The type-erased description.
    fn any(&self) -> AnyDescription<'_>
    where
        Self: Sized,
    {
        AnyDescription::new(self as &dyn DynDescription)
    }
}

const OF_ANOTHER: &str = "the recorded start belongs to a run of another algorithm";

/// The facts about an algorithm that are the same for all systems.
#[derive(Clone, Copy, Default, Debug)]
pub struct Facts<'a> {
    /// The names of the states, for counts and pictures: at most [`CLASSES_MAX`](crate::picture::CLASSES_MAX).
    pub states: &'a [&'static str],
    /// The names of the states that amoebots rarely leave and in which most amoebots end. The fraction of amoebots in
    /// them measures the progress of a run and gives the estimate of the time left. If empty, no such progress is
    /// reported.
    pub settled_states: &'a [&'static str],
    /// The names of variables by whose values pictures can be coloured instead of by states, in lower-case letters.
    pub variables: &'a [&'static str],
    /// The names of the [measures](Description::measure) in addition to states, in lower-case letters: quantities of
    /// the algorithm that are counted over time and at the end.
    pub measures: &'a [&'static str],
    /// Whether no amoebot ever moves. The neighbours of each amoebot then stay the same, and locks may assume a static
    /// graph.
    pub is_static: bool,
    /// Whether infinite runs exist, although they have probability 0.
    pub may_cycle: bool,
    /// The heap bytes that one memory owns.
    pub bytes_owned: usize,
}

/// Result figures that are specific to one algorithm.
#[derive(Clone, PartialEq, Debug)]
pub struct Further {
    /// The key in tables: lower-case letters and `_`.
    pub key: &'static str,
    /// The title in a report.
    pub title: &'static str,
    /// The figures, in order.
    pub figures: Vec<AlgorithmFigure>,
}

/// A figure in the report of a run.
#[derive(Clone, PartialEq, Debug)]
pub struct AlgorithmFigure {
    /// The key in tables: lower-case letters and `_`.
    pub key: &'static str,
    /// The text that names the figure in a report.
    pub words: &'static str,
    /// The value of the figure, without its unit.
    pub value: Amount,
    /// The unit of the value, if it has one.
    pub unit: Option<&'static str>,
}

/// The value of a figure.
#[derive(Clone, PartialEq, Debug)]
pub enum Amount {
    /// A number of things, such as rounds.
    Count(u64),
    /// A real number.
    Real(f64),
    /// A Boolean, printed as yes or no.
    Flag(bool),
    /// Any other value, as text.
    Text(String),
}

impl AlgorithmFigure {
    /// Creates a figure whose value is a count.
    #[must_use]
    pub fn count(key: &'static str, words: &'static str, count: u64) -> Self {
        Self { key, words, value: Amount::Count(count), unit: None }
    }

    /// Creates a figure with a real number.
    #[must_use]
    pub fn real(key: &'static str, words: &'static str, value: f64) -> Self {
        Self { key, words, value: Amount::Real(value), unit: None }
    }

    /// Creates a figure whose value is yes or no.
    #[must_use]
    pub fn flag(key: &'static str, words: &'static str, flag: bool) -> Self {
        Self { key, words, value: Amount::Flag(flag), unit: None }
    }

    /// Creates a figure with a text.
    #[must_use]
    pub fn text(key: &'static str, words: &'static str, text: impl Into<String>) -> Self {
        Self { key, words, value: Amount::Text(text.into()), unit: None }
    }

    /// Sets the unit.
    #[must_use]
    pub fn with_unit(mut self, unit: &'static str) -> Self {
        self.unit = Some(unit);
        self
    }
}

/// A type-erased description. It forwards all calls to the typed description.
#[derive(Clone)]
pub struct AnyDescription<'a> {
    algorithm: AnyAlgorithm<'a>,
    behind: &'a dyn DynDescription,
}

impl<'a> AnyDescription<'a> {
    /// Creates the description over an object-safe mirror.
    #[must_use]
    pub fn new(behind: &'a dyn DynDescription) -> Self {
        Self { algorithm: behind.its_algorithm(), behind }
    }
}

/// An object-safe mirror of [`Description`], implemented for every description.
pub trait DynDescription: Sync {
    /// Forwards to [`Description::algorithm`].
    fn its_algorithm(&self) -> AnyAlgorithm<'_>;
    /// Forwards to [`Description::facts`].
    fn its_facts(&self) -> Facts<'_>;
    /// Forwards to [`Description::is_finished`].
    fn has_finished(&self, system: &System<AnyMemory>) -> bool;
    /// Forwards to [`Description::state`].
    fn state_of(&self, memory: &AnyMemory) -> usize;
    /// Forwards to [`Description::detail`].
    fn detail_of(&self, memory: &AnyMemory) -> Detail;
    /// Forwards to [`Description::value`].
    fn value_of(&self, memory: &AnyMemory, variable: usize) -> String;
    /// Forwards to [`Description::words`].
    fn words_of(&self, memory: &AnyMemory) -> String;
    /// Forwards to [`Description::measure`].
    fn measured(&self, system: &System<AnyMemory>) -> Vec<u64>;
    /// Forwards to [`Description::begin`].
    ///
    /// # Errors
    ///
    /// The errors of [`Description::begin`].
    fn begun(&self, placement: &Placement) -> Result<System<AnyMemory>, String>;
    /// Forwards to [`Description::fault`].
    fn fault_of(&self, system: &System<AnyMemory>) -> Option<String>;
    /// Forwards to [`Description::further`].
    fn further_of(&self, system: &System<AnyMemory>) -> Option<Further>;
}

const OWN: &str = "a description sees only its own memories";

impl<D: Description> DynDescription for D {
    fn its_algorithm(&self) -> AnyAlgorithm<'_> {
        AnyAlgorithm::new(self.algorithm())
    }

    /// The facts of the algorithm. The heap bytes per memory include its box, rounded up as the allocator does.
    fn its_facts(&self) -> Facts<'_> {
        Facts { bytes_owned: size_of::<D::Memory>() + 16, ..self.facts() }
    }

    fn has_finished(&self, system: &System<AnyMemory>) -> bool {
        self.is_finished(&known(system).expect(OWN))
    }

    fn state_of(&self, memory: &AnyMemory) -> usize {
        self.state(memory.get().expect(OWN))
    }

    fn detail_of(&self, memory: &AnyMemory) -> Detail {
        self.detail(memory.get().expect(OWN))
    }

    fn value_of(&self, memory: &AnyMemory, variable: usize) -> String {
        self.value(memory.get().expect(OWN), variable)
    }

    fn words_of(&self, memory: &AnyMemory) -> String {
        self.words(memory.get().expect(OWN))
    }

    fn measured(&self, system: &System<AnyMemory>) -> Vec<u64> {
        if self.facts().measures.is_empty() { Vec::new() } else { self.measure(&known(system).expect(OWN)) }
    }

    fn begun(&self, placement: &Placement) -> Result<System<AnyMemory>, String> {
        Ok(erased(&self.begin(placement)?))
    }

    fn fault_of(&self, system: &System<AnyMemory>) -> Option<String> {
        self.fault(&known(system).expect(OWN))
    }

    fn further_of(&self, system: &System<AnyMemory>) -> Option<Further> {
        self.further(&known(system).expect(OWN))
    }
}

impl<'a> Description for AnyDescription<'a> {
    type Memory = AnyMemory;
    type Algorithm = AnyAlgorithm<'a>;

    fn algorithm(&self) -> &AnyAlgorithm<'a> {
        &self.algorithm
    }

    fn facts(&self) -> Facts<'_> {
        self.behind.its_facts()
    }

    fn start(&self, placement: &Placement) -> Result<System<AnyMemory>, String> {
        self.behind.begun(&Placement { moment: None, ..placement.clone() })
    }

    fn begin(&self, placement: &Placement) -> Result<System<AnyMemory>, String> {
        self.behind.begun(placement)
    }

    fn measure(&self, system: &System<AnyMemory>) -> Vec<u64> {
        self.behind.measured(system)
    }

    fn is_finished(&self, system: &System<AnyMemory>) -> bool {
        self.behind.has_finished(system)
    }

    fn state(&self, memory: &AnyMemory) -> usize {
        self.behind.state_of(memory)
    }

    fn detail(&self, memory: &AnyMemory) -> Detail {
        self.behind.detail_of(memory)
    }

    fn value(&self, memory: &AnyMemory, variable: usize) -> String {
        self.behind.value_of(memory, variable)
    }

    fn words(&self, memory: &AnyMemory) -> String {
        self.behind.words_of(memory)
    }

    fn fault(&self, system: &System<AnyMemory>) -> Option<String> {
        self.behind.fault_of(system)
    }

    fn further(&self, system: &System<AnyMemory>) -> Option<Further> {
        self.behind.further_of(system)
    }

    /// Returns the description unchanged: erasing its memories a second time would only be slower.
    fn any(&self) -> AnyDescription<'_> {
        self.clone()
    }
}
