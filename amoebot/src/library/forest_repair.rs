//! Forest repair: after crashes in a spanning forest, amoebots that are cut off leave their trees and join other trees.
//!
//! Source: the forest-prune-repair of Daymude, Richa, Weber, "Bio-inspired energy distribution for programmable
//! matter", ICDCN 2021, as described in surveys. The text of the paper was not compared; the guards are our own.
//!
//! | action | guard | operations |
//! |---|---|---|
//! | prune | in a tree; warned, or the parent has crashed | leaves the tree; warns all its children |
//! | attach | pruned; a neighbour is a root, or in a tree and not warned | parent := the first such one, counted from the port after the last attempt |
//!
//! Termination without cycles. Following the parents from any amoebot leads to a live root, to a pruned or crashed
//! amoebot, or past a warned amoebot. Both actions preserve this. An amoebot may attach to its own descendant, but the
//! chain of parents from there then passes a warned child, which still has to prune. An amoebot cycles through its
//! ports. So an amoebot next to a tree of a live root attaches to that tree at the sixth attempt at the latest. It then
//! never leaves the tree.
//!
//! Deviations. Crashes happen at the start, or between activations by [`ForestRepair::crash`]; neighbours see
//! them at once. The amoebots do not move, so no amoebot is pruned because of a movement.

use crate::algorithm::packed_memory;
use crate::model::id::AmoebotId;
use acrasin_runtime::choice::Choices;

use crate::algorithm::Convention;
use crate::algorithm::description::{Description, Facts, Placement};
use crate::algorithm::{ActionError, Algorithm, Effects, Neighbour, View};
use crate::library::energy_sharing::positions;
use crate::library::entry::{AlgorithmEntry, Construction, Needs};
use crate::library::forest;
use crate::library::forest::Forest;
use crate::library::parameter::{Parameter, ParameterKind};
use crate::model::body::{AmoebotPort, End};
use crate::model::system::{Amoebot, System};
use crate::picture::Detail;
use crate::run::execution::{RoundRobinActivation, SequentialExecution};
use acrasin_runtime::choice::Seeded;

/// The public memory.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Memory {
    /// The amoebot has crashed: it never acts again, and neighbours see this.
    Crashed,
    /// The amoebot is a root that has not crashed.
    Root,
    /// The amoebot is in a tree, below a parent.
    Active {
        /// The port to the parent.
        parent: AmoebotPort,
        /// The prune signal: whether the parent has left its tree.
        warned: bool,
    },
    /// The amoebot is cut off: it is in no tree.
    Pruned {
        /// The label of the port to try first, 1 to 6.
        first: u8,
    },
}

acrasin_runtime::pack_variants!(Memory { Crashed, Root, Active { parent, warned }, Pruned { first } });

/// The labels of the actions.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Action {
    /// Leaves the tree, and warns its children.
    Prune,
    /// A pruned amoebot joins a tree.
    Attach,
}

/// Forest repair. Final, if from every survivor a path of survivors leads to a live root: every survivor is in a tree
/// of a live root. This holds under every sequential schedule, fair or not, with any orientations. Pruned amoebots that
/// cannot reach a live root may attach to each other and prune forever. The tests explore all schedules of up to five
/// amoebots.
///
/// ```
/// use acrasin_amoebot::run::execution::{SequentialExecution, Uniform};
/// use acrasin_amoebot::{Cell, Direction, Forest, ForestRepair, start};
/// use acrasin_amoebot::AmoebotId;
/// use acrasin_runtime::Seeded;
///
/// let mut choices = Seeded::new(2021);
/// let cells = start::spiral(Cell::ORIGIN, Direction::East, 37)?;
/// let mut growth = SequentialExecution::new(&Forest, Forest::start(&cells, &[AmoebotId(0)], &[])?);
/// assert!(growth.run(100_000, &mut Uniform, &mut choices));
/// let damaged = ForestRepair::start(growth.system(), &[AmoebotId(1), AmoebotId(3)])?;
/// let mut repair = SequentialExecution::new(&ForestRepair, damaged);
/// assert!(repair.run(100_000, &mut Uniform, &mut choices));
/// assert!(ForestRepair::is_repaired(repair.system()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ForestRepair;

impl Algorithm for ForestRepair {
    type Memory = Memory;
    type Action = Action;

    fn actions(&self) -> &[Action] {
        &[Action::Prune, Action::Attach]
    }

    fn enabled(&self, action: Action, a: &View<'_, Memory>) -> bool {
        match (action, *a.own()) {
            (Action::Prune, Memory::Active { parent, warned }) => {
                warned || a.read(parent) == Ok(&Memory::Crashed)
            }
            (Action::Attach, Memory::Pruned { first }) => tree_beside(a, first).is_some(),
            _ => false,
        }
    }

    fn execute(
        &self,
        action: Action,
        a: &View<'_, Memory>,
        _: &mut dyn Choices,
    ) -> Result<Effects<Memory>, ActionError> {
        match (action, *a.own()) {
            (Action::Prune, Memory::Active { parent, .. }) => {
                let own = Memory::Pruned { first: parent.label() % 6 + 1 };
                Ok(children(a).fold(Effects::none().write_own(own), |effects, (child, parent)| {
                    effects.write(child.port, Memory::Active { parent, warned: true })
                }))
            }
            (Action::Attach, Memory::Pruned { first }) => {
                let parent = tree_beside(a, first).ok_or(ActionError::Undefined("no tree to join"))?;
                Ok(Effects::none().write_own(Memory::Active { parent, warned: false }))
            }
            _ => Err(ActionError::Undefined("not enabled")),
        }
    }

    fn conventions(&self) -> &'static [Convention] {
        Convention::ALL
    }

    packed_memory!();
}

/// The neighbours whose parent is A, each with its port to A.
fn children<'a>(a: &'a View<'a, Memory>) -> impl Iterator<Item = (Neighbour<'a, Memory>, AmoebotPort)> {
    a.neighbours().filter_map(move |b| match *b.memory {
        Memory::Active { parent, .. } => a.pointed_at_by(&b, parent).map(|_| (b, parent)),
        Memory::Crashed | Memory::Root | Memory::Pruned { .. } => None,
    })
}

/// The port to the first neighbour that is in a tree and not warned, searched from label `first` on; `None` without
/// one.
fn tree_beside(a: &View<'_, Memory>, first: u8) -> Option<AmoebotPort> {
    let mut ports = (0..6).map(|i| AmoebotPort::new(End::Head, (first - 1 + i) % 6 + 1));
    let in_tree = |memory: &Memory| matches!(memory, Memory::Root | Memory::Active { warned: false, .. });
    ports.find(|port| a.read(*port).is_ok_and(in_tree))
}

/// Errors of starting a repair.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RepairError {
    /// There is no amoebot with the identity of one that is to crash.
    #[error("amoebot {id} of {amoebots} crashes (accepted: below {amoebots}, counted from 0)")]
    NoAmoebot {
        /// The amoebot that is to crash.
        id: AmoebotId,
        /// The number of amoebots.
        amoebots: usize,
    },
    /// An amoebot is expanded.
    #[error("amoebot {id} is expanded: all must be contracted")]
    Expanded {
        /// The expanded amoebot.
        id: AmoebotId,
    },
    /// The parents of an amoebot do not lead to a root.
    #[error("the parents of amoebot {id} do not lead to a root: the forest must be complete")]
    NotInTree {
        /// The amoebot whose parents do not lead to a root.
        id: AmoebotId,
    },
}

impl ForestRepair {
    /// The start configuration: a finished forest in which some amoebots have crashed. Duplicates count once.
    /// Identities, cells and orientations are unchanged. O(n).
    ///
    /// # Errors
    ///
    /// An amoebot is expanded or in no tree, or an amoebot that is to crash does not exist.
    pub fn start(
        forest: &System<forest::Memory>,
        crashed: &[AmoebotId],
    ) -> Result<System<Memory>, RepairError> {
        if let Some(id) = forest.ids().find(|id| !forest.body(*id).is_contracted()) {
            return Err(RepairError::Expanded { id });
        }
        let memory = |id| match *forest.memory(id) {
            forest::Memory::Root => Some(Memory::Root),
            forest::Memory::Follower { parent } => Some(Memory::Active { parent, warned: false }),
            forest::Memory::Idle => None,
        };
        let amoebot = |id| {
            let Amoebot { body, orientation, .. } = *forest.amoebot(id);
            let memory = memory(id).ok_or(RepairError::NotInTree { id })?;
            Ok(Amoebot { body, orientation, memory })
        };
        let amoebots: Result<Vec<_>, RepairError> = forest.ids().map(amoebot).collect();
        let mut system = System::new(amoebots?).expect("the amoebots are those of a system");
        if let Some(id) = Self::outside_trees(&system).first() {
            return Err(RepairError::NotInTree { id: *id });
        }
        for id in crashed {
            Self::crash(&mut system, *id)?;
        }
        Ok(system)
    }

    /// Crashes an amoebot, at the start or during a run.
    ///
    /// # Errors
    ///
    /// There is no such amoebot.
    pub fn crash(system: &mut System<Memory>, id: AmoebotId) -> Result<(), RepairError> {
        if id.index() >= system.len() {
            return Err(RepairError::NoAmoebot { id, amoebots: system.len() });
        }
        system.write(id, None, Memory::Crashed).expect("its own memory");
        Ok(())
    }

    /// The parent of an amoebot in a tree; `None` for all others.
    ///
    /// # Panics
    ///
    /// Panics if there is no such amoebot.
    #[must_use]
    pub fn parent(system: &System<Memory>, id: AmoebotId) -> Option<AmoebotId> {
        match *system.memory(id) {
            Memory::Active { parent, .. } => system.neighbour(id, parent),
            Memory::Crashed | Memory::Root | Memory::Pruned { .. } => None,
        }
    }

    /// The survivors whose parents do not lead to a live root, in the order of identities. O(n).
    #[must_use]
    pub fn outside_trees(system: &System<Memory>) -> Vec<AmoebotId> {
        let mut outside =
            forest::outside_trees(system, |memory| *memory == Memory::Root, |id| Self::parent(system, id));
        outside.retain(|id| *system.memory(*id) != Memory::Crashed);
        outside
    }

    /// The survivors from which no path of survivors leads to a live root, in the order of identities. These survivors
    /// cannot join a tree of a live root. O(n).
    #[must_use]
    pub fn out_of_reach(system: &System<Memory>) -> Vec<AmoebotId> {
        let survives = |id: &AmoebotId| *system.memory(*id) != Memory::Crashed;
        let mut reached = vec![false; system.len()];
        let mut border: Vec<AmoebotId> =
            system.ids().filter(|id| *system.memory(*id) == Memory::Root).collect();
        while let Some(id) = border.pop() {
            if !std::mem::replace(&mut reached[id.index()], true) {
                border.extend(system.neighbours(id).filter(survives));
            }
        }
        system.ids().filter(|id| survives(id) && !reached[id.index()]).collect()
    }

    /// Whether every survivor is in a tree of a live root, and there is such a root. O(n).
    #[must_use]
    pub fn is_repaired(system: &System<Memory>) -> bool {
        system.ids().any(|id| *system.memory(id) == Memory::Root) && Self::outside_trees(system).is_empty()
    }
}

/// The catalogue entry of forest repair.
pub const ENTRY: AlgorithmEntry = AlgorithmEntry {
    name: "ForestRepair",
    title: "forest-prune-repair",
    summary: "amoebots: after crashes the amoebots that lost their root join other trees",
    parameters: &[Parameter::required(
        "crashed",
        ParameterKind::Counts,
        "positions, from 0, of the amoebots that crash once the forest is complete",
    )],
    needs: Needs { seed: true, ..Needs::NOTHING },
    read: |values| Ok(Construction::algorithm(DamagedForest { crashed: positions(values, "crashed", &[]) })),
};

/// A forest with one root in which amoebots crash.
#[derive(Clone, Debug)]
pub struct DamagedForest {
    /// The amoebots that crash once the forest has grown.
    pub crashed: Vec<AmoebotId>,
}

/// Describes forest repair. The forest grows before the run, in rounds over the amoebots.
impl Description for DamagedForest {
    type Memory = Memory;
    type Algorithm = ForestRepair;

    fn algorithm(&self) -> &ForestRepair {
        &ForestRepair
    }

    fn facts(&self) -> Facts<'_> {
        Facts {
            states: &["crashed", "root", "in a tree", "warned", "pruned"],
            is_static: true,
            ..Facts::default()
        }
    }

    fn state(&self, memory: &Memory) -> usize {
        match memory {
            Memory::Crashed => 0,
            Memory::Root => 1,
            Memory::Active { warned, .. } => 2 + usize::from(*warned),
            Memory::Pruned { .. } => 4,
        }
    }

    fn detail(&self, memory: &Memory) -> Detail {
        let parent = if let Memory::Active { parent, .. } = *memory { Some(parent) } else { None };
        Detail { parent, ..Detail::default() }
    }

    fn start(&self, placement: &Placement) -> Result<System<Memory>, String> {
        let root = AmoebotId(placement.seed as u32);
        let forest = Forest::start(&placement.cells, &[root], &placement.orientations);
        let mut growth = SequentialExecution::new(&Forest, forest.map_err(|error| error.to_string())?);
        growth.run(u64::MAX, &mut RoundRobinActivation::default(), &mut Seeded::new(0));
        let damaged =
            ForestRepair::start(growth.system(), &self.crashed).map_err(|error| error.to_string())?;
        if self.crashed.contains(&root) {
            return Err(format!("amoebot {root}, the root, cannot crash (accepted: the others)"));
        }
        match ForestRepair::out_of_reach(&damaged).first() {
            None => Ok(damaged),
            Some(id) => Err(format!(
                "after the crashes cell {} cannot be reached from the root through survivors (accepted: \
                 connected survivors)",
                placement.cells[id.index()]
            )),
        }
    }

    fn is_finished(&self, system: &System<Memory>) -> bool {
        ForestRepair::is_repaired(system)
    }
}
