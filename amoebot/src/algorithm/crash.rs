//! Crashes: amoebots of any algorithm that stop acting.
//!
//! A crashed amoebot never acts again. It keeps its cells and its memory: neighbours still see, write, lock, pull and
//! push it, since the system layer below the algorithm still responds. They cannot see that it has crashed. An
//! algorithm that reacts to crashes, such as [`ForestRepair`](crate::ForestRepair), has its own variable for them.

use std::fmt;

use acrasin_runtime::choice::Choices;
use acrasin_runtime::{Pack, PackError};

pub use super::description::Crash;
use super::description::{AnyDescription, Description, Facts, Further, Placement};
use super::erased::{AnyAction, AnyMemory};
use super::memory::merged;
use super::{
    ActionError, ActionOrder, Algorithm, Convention, Effects, Looks, Projection, View, first_enabled_action,
};
use crate::model::system::System;
use crate::picture::Detail;

/// The memory of an amoebot that can crash.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Mortal {
    /// The planned crash of this amoebot; `None` if it never crashes. `After(n)` counts down, and `After(0)` means it
    /// has crashed.
    crash: Option<Crash>,
    memory: AnyMemory,
}

impl Mortal {
    /// Whether the amoebot has crashed.
    #[must_use]
    pub fn has_crashed(&self) -> bool {
        self.crash == Some(Crash::After(0))
    }

    fn memory(&self) -> &AnyMemory {
        &self.memory
    }
}

/// Shows the memory of the algorithm, preceded by "crashed" if the amoebot has crashed.
impl fmt::Debug for Mortal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.has_crashed() {
            f.write_str("crashed, ")?;
        }
        self.memory.fmt(f)
    }
}

/// The label of an action.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Action {
    /// An action of the wrapped algorithm.
    Of(AnyAction),
    /// The amoebot crashes.
    Crash,
}

impl fmt::Debug for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Of(action) => action.fmt(f),
            Self::Crash => f.write_str("Crash"),
        }
    }
}

/// An algorithm extended by [crashes](Placement::crashes) of amoebots.
///
/// ```
/// use acrasin_amoebot::algorithm::crash::{Crash, Crashing};
/// use acrasin_amoebot::algorithm::description::{Description, Placement};
/// use acrasin_amoebot::run::execution::{SequentialExecution, Uniform};
/// use acrasin_amoebot::{AmoebotId, Cell, Direction, Forest, start};
/// use acrasin_runtime::Seeded;
///
/// // A forest along a line of seven: amoebots beyond a crashed one stay without a parent.
/// let forest = acrasin_amoebot::library::forest::ENTRY.make(&Default::default())?;
/// let forest = forest.any().expect("no chain");
/// let crashing = Crashing::new(&forest, &[Crash::After(0)]);
/// let cells = start::line(Cell::ORIGIN, Direction::East, 7)?;
/// let crashes = vec![(AmoebotId(4), Crash::After(0))];
/// let system = crashing.begin(&Placement { cells, crashes, ..Placement::default() })?;
/// let mut execution = SequentialExecution::new(&crashing, system);
/// assert!(execution.run(1_000, &mut Uniform, &mut Seeded::new(1)));
/// assert_eq!(execution.counts().actions, 3);
/// assert!(!crashing.is_finished(execution.system()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Crashing<'a> {
    inner: &'a AnyDescription<'a>,
    actions: Vec<Action>,
    order: ActionOrder,
    measures: Vec<&'static str>,
}

impl<'a> Crashing<'a> {
    /// Extends `inner` by crashes. `kinds` are the kinds of crashes that a start may contain.
    #[must_use]
    pub fn new(inner: &'a AnyDescription<'a>, kinds: &[Crash]) -> Self {
        let algorithm = inner.algorithm();
        let any_time = kinds.contains(&Crash::AnyTime);
        let mut actions: Vec<Action> = algorithm.actions().iter().copied().map(Action::Of).collect();
        actions.extend(any_time.then_some(Action::Crash));
        // The schedule decides whether an amoebot acts or crashes.
        let order = if any_time { ActionOrder::Any } else { algorithm.order() };
        let measures = [inner.facts().measures, &["crashed"]].concat();
        Self { inner, actions, order, measures }
    }

    /// The system as the inner algorithm sees it, without information about crashes. O(n).
    #[must_use]
    pub fn inner(system: &System<Mortal>) -> System<AnyMemory> {
        system.with_memories(|_, mortal| mortal.memory.clone())
    }
}

impl Algorithm for Crashing<'_> {
    type Memory = Mortal;
    type Action = Action;

    fn actions(&self) -> &[Action] {
        &self.actions
    }

    fn order(&self) -> ActionOrder {
        self.order
    }

    fn enabled(&self, action: Action, view: &View<'_, Mortal>) -> bool {
        let crash = view.own().crash;
        match action {
            Action::Crash => crash == Some(Crash::AnyTime),
            Action::Of(_) if crash == Some(Crash::After(0)) => false,
            Action::Of(action) => {
                let algorithm = self.inner.algorithm();
                let known = Projection::new(*view, Mortal::memory);
                let is_enabled = algorithm.enabled(action, &known.view());
                // The inner algorithm's order still disables actions after the first enabled one.
                let is_first = || first_enabled_action(algorithm, &known.view()) == Some(action);
                is_enabled && (self.order == algorithm.order() || is_first())
            }
        }
    }

    fn execute(
        &self,
        action: Action,
        view: &View<'_, Mortal>,
        choices: &mut dyn Choices,
    ) -> Result<Effects<Mortal>, ActionError> {
        let own = view.own();
        let Action::Of(action) = action else {
            let crash = Some(Crash::After(0));
            return Ok(Effects::none().write_own(Mortal { crash, memory: own.memory.clone() }));
        };
        let crash = match own.crash {
            Some(Crash::After(left)) => Some(Crash::After(left.saturating_sub(1))),
            other => other,
        };
        let known = Projection::new(*view, Mortal::memory);
        let executed = self.inner.algorithm().execute(action, &known.view(), choices)?;
        let (writes, movement) = executed.into_parts()?;
        let mut effects = Effects::none();
        if !writes.iter().any(|(port, _)| port.is_none()) && crash != own.crash {
            effects = effects.write_own(Mortal { crash, memory: own.memory.clone() });
        }
        for (port, memory) in writes {
            effects = match port {
                None => effects.write_own(Mortal { crash, memory }),
                Some(port) => effects.write(port, Mortal { crash: view.read(port)?.crash, memory }),
            };
        }
        Ok(match movement {
            None => effects,
            Some(movement) => effects.then(movement),
        })
    }

    fn after_write(&self, read: &Mortal, written: Mortal, now: &Mortal) -> Mortal {
        Mortal {
            crash: merged(read.crash, written.crash, now.crash),
            memory: self.inner.algorithm().after_write(&read.memory, written.memory, &now.memory),
        }
    }

    fn looks(&self) -> Looks {
        self.inner.algorithm().looks()
    }

    fn conventions(&self) -> &'static [Convention] {
        self.inner.algorithm().conventions()
    }

    fn save_memory(&self, memory: &Mortal, into: &mut Vec<u8>) -> bool {
        memory.crash.pack(into);
        self.inner.algorithm().save_memory(&memory.memory, into)
    }

    fn load_memory(&self, from: &mut &[u8]) -> Result<Mortal, PackError> {
        let crash = Pack::unpack(from)?;
        Ok(Mortal { crash, memory: self.inner.algorithm().load_memory(from)? })
    }
}

/// The description of the inner algorithm with one more measure, the number of crashed amoebots. The goal is
/// that of the inner algorithm, for all amoebots.
impl Description for Crashing<'_> {
    type Memory = Mortal;
    type Algorithm = Self;

    fn algorithm(&self) -> &Self {
        self
    }

    fn facts(&self) -> Facts<'_> {
        Facts { measures: &self.measures, ..self.inner.facts() }
    }

    fn state(&self, mortal: &Mortal) -> usize {
        self.inner.state(&mortal.memory)
    }

    fn detail(&self, mortal: &Mortal) -> Detail {
        self.inner.detail(&mortal.memory)
    }

    fn value(&self, mortal: &Mortal, variable: usize) -> String {
        self.inner.value(&mortal.memory, variable)
    }

    fn measure(&self, system: &System<Mortal>) -> Vec<u64> {
        let mut measured = if self.inner.facts().measures.is_empty() {
            Vec::new()
        } else {
            self.inner.measure(&Self::inner(system))
        };
        measured.push(system.ids().filter(|id| system.memory(*id).has_crashed()).count() as u64);
        measured
    }

    fn start(&self, placement: &Placement) -> Result<System<Mortal>, String> {
        let system = self.inner.begin(placement)?;
        let count = system.len();
        if let Some((id, _)) = placement.crashes.iter().find(|(id, _)| id.index() >= count) {
            return Err(format!(
                "amoebot {id} of {count} crashes (accepted: 0 to {}, in the order of the start)",
                count - 1
            ));
        }
        let crash_of = |id| placement.crashes.iter().find(|(whose, _)| *whose == id).map(|(_, crash)| *crash);
        Ok(system.with_memories(|id, memory| Mortal { crash: crash_of(id), memory: memory.clone() }))
    }

    /// The initial system of the inner algorithm, or the system at the recorded moment from which the run starts.
    fn begin(&self, placement: &Placement) -> Result<System<Mortal>, String> {
        self.start(placement)
    }

    fn is_finished(&self, system: &System<Mortal>) -> bool {
        self.inner.is_finished(&Self::inner(system))
    }

    fn fault(&self, system: &System<Mortal>) -> Option<String> {
        self.inner.fault(&Self::inner(system))
    }

    fn further(&self, system: &System<Mortal>) -> Option<Further> {
        self.inner.further(&Self::inner(system))
    }
}
