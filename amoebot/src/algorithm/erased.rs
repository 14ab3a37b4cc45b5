//! Type-erased algorithms, memories and actions.
//!
//! Generic code that runs an algorithm is compiled again for each algorithm type. [`AnyAlgorithm`] is one type for all
//! of them. A program with many algorithms, such as the `acrasin` command, uses it to compile only once what need not
//! be fast. The cost is a boxed memory per amoebot and a virtual call per guard.

use std::any::Any;
use std::collections::BTreeSet;
use std::fmt::{self, Debug};
use std::hash::{Hash, Hasher};
use std::sync::{Mutex, PoisonError};

use acrasin_runtime::PackError;
use acrasin_runtime::choice::Choices;

use crate::algorithm::Convention;
use crate::algorithm::{ActionError, ActionOrder, Algorithm, Effects, Looks, Projection, View};
use crate::model::system::System;

/// A memory of any type.
pub struct AnyMemory(Box<dyn Remembers>);

trait Remembers: Any + Debug + Send + Sync {
    fn cloned(&self) -> Box<dyn Remembers>;
    fn equals(&self, other: &dyn Any) -> bool;
    fn hash_into(&self, state: &mut dyn Hasher);
}

impl<M: Clone + Eq + Hash + Debug + Send + Sync + 'static> Remembers for M {
    fn cloned(&self) -> Box<dyn Remembers> {
        Box::new(self.clone())
    }

    fn equals(&self, other: &dyn Any) -> bool {
        other.downcast_ref::<M>().is_some_and(|other| self == other)
    }

    fn hash_into(&self, mut state: &mut dyn Hasher) {
        self.hash(&mut state);
    }
}

impl AnyMemory {
    /// Erases the type of a memory.
    #[must_use]
    pub fn new<M: Clone + Eq + Hash + Debug + Send + Sync + 'static>(memory: M) -> Self {
        Self(Box::new(memory))
    }

    /// The memory as type `M`; `None` if it has another type.
    #[must_use]
    pub fn get<M: 'static>(&self) -> Option<&M> {
        let memory: &dyn Any = &*self.0;
        memory.downcast_ref()
    }

    /// The memory, which must have this type.
    ///
    /// # Panics
    ///
    /// Panics if the memory has another type, which cannot happen: an algorithm sees and writes only its own memories.
    fn known<M: 'static>(&self) -> &M {
        self.get().expect("the memory of another algorithm")
    }
}

impl Clone for AnyMemory {
    fn clone(&self) -> Self {
        Self(self.0.cloned())
    }
}

impl PartialEq for AnyMemory {
    fn eq(&self, other: &Self) -> bool {
        self.0.equals(&*other.0)
    }
}

impl Eq for AnyMemory {}

impl Hash for AnyMemory {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.hash_into(state);
    }
}

impl Debug for AnyMemory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A copy of a system with type-erased memories. O(n).
#[must_use]
pub fn erased<M: Clone + Eq + Hash + Debug + Send + Sync + 'static>(system: &System<M>) -> System<AnyMemory> {
    system.with_memories(|_, memory| AnyMemory::new(memory.clone()))
}

/// A copy of a system with typed memories; `None` if the memories have another type. O(n).
#[must_use]
pub fn known<M: Clone + 'static>(system: &System<AnyMemory>) -> Option<System<M>> {
    let is_known = system.ids().all(|id| system.memory(id).get::<M>().is_some());
    is_known.then(|| system.with_memories(|_, memory| memory.known::<M>().clone()))
}

/// An action of any algorithm.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct AnyAction {
    /// The action's position in the algorithm's list.
    position: usize,
    /// The action's `Debug` form.
    name: &'static str,
}

impl AnyAction {
    /// The list of `count` actions. `action` returns the `Debug` form of the action at a position.
    fn list(count: usize, action: &dyn Fn(usize) -> String) -> Vec<Self> {
        (0..count).map(|position| Self { position, name: kept(action(position)) }).collect()
    }
}

impl Debug for AnyAction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

/// Interns a name and leaks it. The leak is bounded: the built-in algorithms have a few dozen names, and algorithm
/// files add theirs.
#[must_use]
pub fn kept(name: String) -> &'static str {
    static NAMES: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());
    let mut names = NAMES.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(kept) = names.get(name.as_str()) {
        return kept;
    }
    let name = Box::leak(name.into_boxed_str());
    names.insert(name);
    name
}

/// A type-erased algorithm. It behaves like the typed algorithm, and its actions have the same `Debug` form.
///
/// ```
/// use acrasin_amoebot::algorithm::erased::{AnyAlgorithm, erased, known};
/// use acrasin_amoebot::run::execution::{SequentialExecution, Uniform};
/// use acrasin_amoebot::{Cell, Direction, Erosion, Hexagon, start};
/// use acrasin_runtime::Seeded;
///
/// let line = start::line(Cell::ORIGIN, Direction::West, 7)?;
/// let systems = [erased(&Hexagon::start(&line, 0, &[])?), erased(&Erosion::start(&line, &[])?)];
/// let algorithms = [AnyAlgorithm::new(&Hexagon), AnyAlgorithm::new(&Erosion)];
/// for (algorithm, system) in algorithms.iter().zip(systems) {
///     let mut execution = SequentialExecution::new(algorithm, system);
///     assert!(execution.run(1_000_000, &mut Uniform, &mut Seeded::new(1)));
///     if let Some(system) = known(execution.system()) {
///         assert!(Hexagon::is_finished(&system));
///     }
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct AnyAlgorithm<'a> {
    algorithm: &'a dyn Acts,
    actions: Vec<AnyAction>,
}

impl<'a> AnyAlgorithm<'a> {
    /// Erases the type of an algorithm.
    #[must_use]
    pub fn new<A: Algorithm<Memory: Send + Sync + 'static> + Sync>(algorithm: &'a A) -> Self {
        let actions = algorithm.actions();
        Self {
            algorithm,
            actions: AnyAction::list(actions.len(), &|position| format!("{:?}", actions[position])),
        }
    }
}

impl Debug for AnyAlgorithm<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AnyAlgorithm").field("actions", &self.actions).finish_non_exhaustive()
    }
}

trait Acts: Sync {
    fn its_order(&self) -> ActionOrder;
    fn its_looks(&self) -> Looks;
    fn its_conventions(&self) -> &'static [Convention];
    fn is_enabled(&self, action: usize, view: &View<'_, AnyMemory>) -> bool;
    fn executed(
        &self,
        action: usize,
        view: &View<'_, AnyMemory>,
        choices: &mut dyn Choices,
    ) -> Result<Effects<AnyMemory>, ActionError>;
    fn merged(&self, read: &AnyMemory, written: &AnyMemory, now: &AnyMemory) -> AnyMemory;
    fn saved(&self, memory: &AnyMemory, into: &mut Vec<u8>) -> bool;
    fn loaded(&self, from: &mut &[u8]) -> Result<AnyMemory, PackError>;
}

impl<A: Algorithm<Memory: Send + Sync + 'static> + Sync> Acts for A {
    fn its_order(&self) -> ActionOrder {
        self.order()
    }

    fn its_looks(&self) -> Looks {
        self.looks()
    }

    fn its_conventions(&self) -> &'static [Convention] {
        self.conventions()
    }

    fn is_enabled(&self, action: usize, view: &View<'_, AnyMemory>) -> bool {
        self.enabled(self.actions()[action], &Projection::new(*view, AnyMemory::known).view())
    }

    fn executed(
        &self,
        action: usize,
        view: &View<'_, AnyMemory>,
        choices: &mut dyn Choices,
    ) -> Result<Effects<AnyMemory>, ActionError> {
        let known = Projection::new(*view, AnyMemory::known);
        let (writes, movement) =
            self.execute(self.actions()[action], &known.view(), choices)?.into_parts()?;
        let effects = writes.into_iter().fold(Effects::none(), |effects, (port, memory)| {
            let memory = AnyMemory::new(memory);
            match port {
                None => effects.write_own(memory),
                Some(port) => effects.write(port, memory),
            }
        });
        Ok(match movement {
            None => effects,
            Some(movement) => effects.then(movement),
        })
    }

    fn merged(&self, read: &AnyMemory, written: &AnyMemory, now: &AnyMemory) -> AnyMemory {
        AnyMemory::new(self.after_write(read.known(), written.known::<A::Memory>().clone(), now.known()))
    }

    fn saved(&self, memory: &AnyMemory, into: &mut Vec<u8>) -> bool {
        self.save_memory(memory.known(), into)
    }

    fn loaded(&self, from: &mut &[u8]) -> Result<AnyMemory, PackError> {
        self.load_memory(from).map(AnyMemory::new)
    }
}

impl Algorithm for AnyAlgorithm<'_> {
    type Memory = AnyMemory;
    type Action = AnyAction;

    fn actions(&self) -> &[AnyAction] {
        &self.actions
    }

    fn order(&self) -> ActionOrder {
        self.algorithm.its_order()
    }

    fn looks(&self) -> Looks {
        self.algorithm.its_looks()
    }

    fn conventions(&self) -> &'static [Convention] {
        self.algorithm.its_conventions()
    }

    fn enabled(&self, action: AnyAction, view: &View<'_, AnyMemory>) -> bool {
        self.algorithm.is_enabled(action.position, view)
    }

    fn execute(
        &self,
        action: AnyAction,
        view: &View<'_, AnyMemory>,
        choices: &mut dyn Choices,
    ) -> Result<Effects<AnyMemory>, ActionError> {
        self.algorithm.executed(action.position, view, choices)
    }

    fn after_write(&self, read: &AnyMemory, written: AnyMemory, now: &AnyMemory) -> AnyMemory {
        self.algorithm.merged(read, &written, now)
    }

    fn save_memory(&self, memory: &AnyMemory, into: &mut Vec<u8>) -> bool {
        self.algorithm.saved(memory, into)
    }

    fn load_memory(&self, from: &mut &[u8]) -> Result<AnyMemory, PackError> {
        self.algorithm.loaded(from)
    }
}
