//! Spanning forest: idle amoebots join the tree of a neighbour, until all amoebots are in trees.
//!
//! Source: the spanning forest primitive of Derakhshandeh, Gmyr, Richa, Scheideler, Strothmann, "An algorithmic
//! framework for shape formation problems in self-organizing particle systems", NANOCOM 2015, as described in later
//! surveys. The text of the paper was not compared.
//!
//! | action | guard | operations |
//! |---|---|---|
//! | follow p | idle; the neighbour at port p is root or follower | parent := p; follower |
//!
//! Deviations. This is only the part in which no amoebot moves; [`forest_walk`](crate::library::forest_walk) is the
//! whole primitive, with the root swap. The roots are given at the start. In the paper they are the amoebots next to an
//! object, or to an existing structure. Where the paper has "a port to such a neighbour", there is one action per port,
//! so the adversary chooses.

use crate::algorithm::packed_memory;
use crate::model::id::AmoebotId;
use acrasin_runtime::choice::Choices;

use crate::algorithm::Convention;
use crate::algorithm::description::{Description, Facts, Placement};
use crate::algorithm::{ActionError, ActionOrder, Algorithm, Effects, View};
use crate::library::entry::{AlgorithmEntry, Construction, Needs};
use crate::model::body::AmoebotPort;
use crate::model::lattice::Cell;
use crate::model::orientation::Orientation;
use crate::model::system::System;
use crate::picture::Detail;
use crate::start::{Contracted, StartError};

/// The public memory: the state of the amoebot.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Memory {
    /// The amoebot is not part of a tree yet.
    Idle,
    /// The amoebot is the root of a tree.
    Root,
    /// The amoebot is part of a tree, permanently.
    Follower {
        /// The port to the parent.
        parent: AmoebotPort,
    },
}

acrasin_runtime::pack_variants!(Memory { Idle, Root, Follower { parent } });

/// The label of an action: follow the neighbour at this port.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Follow(pub AmoebotPort);

/// Spanning forest. Final: every amoebot except the roots has an adjacent parent, and each chain of parents leads to a
/// root. The forest takes one action of each amoebot that is not a root. This holds under every sequential schedule,
/// fair or not, with any orientations, if from every amoebot a path of neighbours leads to a root. The trees depend on
/// the schedule. The tests explore all schedules of up to five amoebots.
///
/// ```
/// use acrasin_amoebot::run::execution::{SequentialExecution, Uniform};
/// use acrasin_amoebot::{Cell, Direction, Forest, start};
/// use acrasin_amoebot::AmoebotId;
/// use acrasin_runtime::Seeded;
///
/// let cells = start::spiral(Cell::ORIGIN, Direction::East, 30)?;
/// let roots = [AmoebotId(0), AmoebotId(29)];
/// let mut execution = SequentialExecution::new(&Forest, Forest::start(&cells, &roots, &[])?);
/// assert!(execution.run(100_000, &mut Uniform, &mut Seeded::new(2015)));
/// assert_eq!(execution.counts().actions, 28);
/// let parent = Forest::parent(execution.system(), AmoebotId(7)).expect("a follower");
/// println!("node 7 follows {parent}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Forest;

impl Algorithm for Forest {
    type Memory = Memory;
    type Action = Follow;

    fn actions(&self) -> &[Follow] {
        const PORTS: [Follow; 6] = [
            Follow(AmoebotPort::head(1)),
            Follow(AmoebotPort::head(2)),
            Follow(AmoebotPort::head(3)),
            Follow(AmoebotPort::head(4)),
            Follow(AmoebotPort::head(5)),
            Follow(AmoebotPort::head(6)),
        ];
        &PORTS
    }

    fn order(&self) -> ActionOrder {
        ActionOrder::Any
    }

    fn possible(&self, own: &Memory, _: bool) -> &[Follow] {
        if *own == Memory::Idle { self.actions() } else { &[] }
    }

    fn enabled(&self, Follow(port): Follow, a: &View<'_, Memory>) -> bool {
        *a.own() == Memory::Idle
            && a.read(port).is_ok_and(|memory| matches!(memory, Memory::Root | Memory::Follower { .. }))
    }

    fn execute(
        &self,
        Follow(parent): Follow,
        _: &View<'_, Memory>,
        _: &mut dyn Choices,
    ) -> Result<Effects<Memory>, ActionError> {
        Ok(Effects::none().write_own(Memory::Follower { parent }))
    }

    fn conventions(&self) -> &'static [Convention] {
        Convention::ALL
    }

    packed_memory!();
}

impl Forest {
    /// The start configuration: all amoebots are contracted, and idle except the roots. Duplicate roots count once.
    /// Amoebot i is on cell i and has orientation i; without an entry it has the common orientation. O(n).
    ///
    /// # Errors
    ///
    /// There are no cells, too many, or a duplicate; a root does not exist; or some cells are not reached from any
    /// root.
    pub fn start(
        cells: &[Cell],
        roots: &[AmoebotId],
        orientations: &[Orientation],
    ) -> Result<System<Memory>, StartError> {
        let mut system = Contracted::new(cells, orientations).with_roots(roots).system(|_| Memory::Idle)?;
        for root in roots {
            system.set_memory(*root, Memory::Root);
        }
        Ok(system)
    }

    /// The parent of an amoebot; `None` for roots and idle amoebots.
    ///
    /// # Panics
    ///
    /// Panics if there is no such amoebot.
    #[must_use]
    pub fn parent(system: &System<Memory>, id: AmoebotId) -> Option<AmoebotId> {
        match *system.memory(id) {
            Memory::Follower { parent } => system.neighbour(id, parent),
            Memory::Idle | Memory::Root => None,
        }
    }

    /// Whether every amoebot is a root or reaches one through its chain of parents. O(n).
    #[must_use]
    pub fn is_finished(system: &System<Memory>) -> bool {
        outside_trees(system, |memory| *memory == Memory::Root, |id| Self::parent(system, id)).is_empty()
    }
}

/// The amoebots whose parents do not lead to a root, in the order of identities. Without a root these are all amoebots.
/// O(n).
pub(crate) fn outside_trees<M>(
    system: &System<M>,
    is_root: impl Fn(&M) -> bool,
    parent: impl Fn(AmoebotId) -> Option<AmoebotId>,
) -> Vec<AmoebotId> {
    let mut children = vec![Vec::new(); system.len()];
    for id in system.ids() {
        if let Some(parent) = parent(id) {
            children[parent.index()].push(id);
        }
    }
    let mut in_tree = vec![false; system.len()];
    let mut border: Vec<AmoebotId> = system.ids().filter(|id| is_root(system.memory(*id))).collect();
    while let Some(id) = border.pop() {
        in_tree[id.index()] = true;
        border.append(&mut children[id.index()]);
    }
    system.ids().filter(|id| !in_tree[id.index()]).collect()
}

/// The catalogue entry of the spanning forest.
pub const ENTRY: AlgorithmEntry = AlgorithmEntry {
    name: "Forest",
    title: "spanning forest",
    summary: "amoebots: a spanning forest with one root",
    parameters: &[],
    needs: Needs { seed: true, ..Needs::NOTHING },
    read: |_| Ok(Construction::algorithm(Forest)),
};

impl Description for Forest {
    type Memory = Memory;
    type Algorithm = Self;

    fn algorithm(&self) -> &Self {
        self
    }

    fn facts(&self) -> Facts<'_> {
        Facts {
            states: &["idle", "root", "follower"],
            settled_states: &["root", "follower"],
            is_static: true,
            ..Facts::default()
        }
    }

    fn state(&self, memory: &Memory) -> usize {
        match memory {
            Memory::Idle => 0,
            Memory::Root => 1,
            Memory::Follower { .. } => 2,
        }
    }

    fn detail(&self, memory: &Memory) -> Detail {
        let parent = if let Memory::Follower { parent } = *memory { Some(parent) } else { None };
        Detail { parent, ..Detail::default() }
    }

    fn start(&self, placement: &Placement) -> Result<System<Memory>, String> {
        let root = AmoebotId(placement.seed as u32);
        Self::start(&placement.cells, &[root], &placement.orientations).map_err(|error| error.to_string())
    }

    fn is_finished(&self, system: &System<Memory>) -> bool {
        Self::is_finished(system)
    }
}
