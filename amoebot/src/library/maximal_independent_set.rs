//! Maximal independent set: amoebots join a set until no other amoebot could join; no two members are adjacent.
//!
//! Source: the textbook greedy algorithm, with amoebot actions of our own. The algorithm only tests locks: an action
//! requires no more than that the neighbours do not change meanwhile.
//!
//! | action | guard | operations |
//! |---|---|---|
//! | join | undecided; no neighbour has joined | joined |
//! | yield | undecided; a neighbour has joined | dominated |
//!
//! No amoebot moves, and an action writes to its own memory only. Neighbours must act one at a time: if two neighbours
//! join at the same time, neither sees the other join.

use crate::algorithm::packed_memory;
use std::fmt;

use crate::model::id::AmoebotId;
use acrasin_runtime::choice::Choices;

use crate::algorithm::Convention;
use crate::algorithm::description::{Description, Facts, Placement};
use crate::algorithm::{ActionError, Algorithm, Effects, View};
use crate::library::entry::{AlgorithmEntry, Construction, Needs};
use crate::model::lattice::Cell;
use crate::model::orientation::Orientation;
use crate::model::system::System;
use crate::start::{Contracted, StartError};

/// The public memory: the state of the amoebot.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Memory {
    /// The amoebot has not acted yet.
    Undecided,
    /// The amoebot is permanently in the set.
    Joined,
    /// The amoebot is not in the set, but a neighbour is.
    Dominated,
}

acrasin_runtime::pack_variants!(Memory { Undecided, Joined, Dominated });

/// The labels of the actions. One of them is enabled for each undecided amoebot.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Action {
    /// Joins the set.
    Join,
    /// Stays out of the set.
    Yield,
}

/// Maximal independent set. Final: no two members are adjacent, and every other amoebot is next to a member, after one
/// action of each amoebot. This holds under every sequential schedule, fair or not, with any orientations; the amoebots
/// need not be connected. The set depends on the schedule: every maximal independent set results from some schedule.
/// The tests explore all schedules of up to six amoebots.
///
/// ```
/// use acrasin_amoebot::run::execution::{SequentialExecution, Uniform};
/// use acrasin_amoebot::{Cell, Direction, MaximalIndependentSet, start};
/// use acrasin_runtime::Seeded;
///
/// let cells = start::spiral(Cell::ORIGIN, Direction::East, 37)?;
/// let start = MaximalIndependentSet::start(&cells, &[])?;
/// let mut execution = SequentialExecution::new(&MaximalIndependentSet, start);
/// assert!(execution.run(100_000, &mut Uniform, &mut Seeded::new(1986)));
/// assert!(MaximalIndependentSet::is_finished(execution.system()));
/// println!("{} joined", MaximalIndependentSet::joined(execution.system()).len());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct MaximalIndependentSet;

impl Algorithm for MaximalIndependentSet {
    type Memory = Memory;
    type Action = Action;

    fn actions(&self) -> &[Action] {
        &[Action::Join, Action::Yield]
    }

    fn possible(&self, own: &Memory, _: bool) -> &[Action] {
        if *own == Memory::Undecided { self.actions() } else { &[] }
    }

    fn enabled(&self, action: Action, a: &View<'_, Memory>) -> bool {
        let is_undecided = *a.own() == Memory::Undecided;
        let one_has_joined = || a.any_neighbour(|b| *b.memory == Memory::Joined);
        match action {
            Action::Join => is_undecided && !one_has_joined(),
            Action::Yield => is_undecided && one_has_joined(),
        }
    }

    fn execute(
        &self,
        action: Action,
        _: &View<'_, Memory>,
        _: &mut dyn Choices,
    ) -> Result<Effects<Memory>, ActionError> {
        Ok(Effects::none().write_own(match action {
            Action::Join => Memory::Joined,
            Action::Yield => Memory::Dominated,
        }))
    }

    fn conventions(&self) -> &'static [Convention] {
        Convention::ALL
    }

    packed_memory!();
}

impl MaximalIndependentSet {
    /// The start configuration: all amoebots are contracted and undecided. Amoebot i is on cell i and has orientation
    /// i; without an entry it has the common orientation.
    ///
    /// # Errors
    ///
    /// There are no cells, too many, or a duplicate.
    pub fn start(cells: &[Cell], orientations: &[Orientation]) -> Result<System<Memory>, StartError> {
        Contracted::new(cells, orientations).system(|_| Memory::Undecided)
    }

    /// The amoebots that have joined, in the order of identities.
    #[must_use]
    pub fn joined(system: &System<Memory>) -> Vec<AmoebotId> {
        system.ids().filter(|id| *system.memory(*id) == Memory::Joined).collect()
    }

    /// Whether no amoebot is undecided, and the set is independent and maximal.
    #[must_use]
    pub fn is_finished(system: &System<Memory>) -> bool {
        Self::violation(system).is_none() && system.ids().all(|id| *system.memory(id) != Memory::Undecided)
    }

    /// The first amoebot that violates the goal, if there is one. O(n).
    #[must_use]
    pub fn violation(system: &System<Memory>) -> Option<IndependenceViolation> {
        system.ids().find_map(|id| {
            let joined = || system.neighbours(id).find(|next| *system.memory(*next) == Memory::Joined);
            match system.memory(id) {
                Memory::Undecided => None,
                Memory::Joined => joined().map(|other| IndependenceViolation::Adjacent { id, other }),
                Memory::Dominated => joined().is_none().then_some(IndependenceViolation::NotDominated { id }),
            }
        })
    }
}

/// Violations of a maximal independent set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum IndependenceViolation {
    /// Two neighbours have both joined.
    Adjacent {
        /// One of the two neighbours.
        id: AmoebotId,
        /// The other neighbour.
        other: AmoebotId,
    },
    /// An amoebot is dominated, but no neighbour has joined.
    NotDominated {
        /// The dominated amoebot.
        id: AmoebotId,
    },
}

impl fmt::Display for IndependenceViolation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Adjacent { id, other } => write!(f, "the neighbours {id} and {other} have both joined"),
            Self::NotDominated { id } => {
                write!(f, "{id} is dominated, but none of its neighbours has joined")
            }
        }
    }
}

/// The catalogue entry of the maximal independent set.
pub const ENTRY: AlgorithmEntry = AlgorithmEntry {
    name: "MaximalIndependentSet",
    title: "maximal independent set",
    summary: "amoebots: amoebots join a maximal independent set",
    parameters: &[],
    needs: Needs::NOTHING,
    read: |_| Ok(Construction::algorithm(MaximalIndependentSet)),
};

impl Description for MaximalIndependentSet {
    type Memory = Memory;
    type Algorithm = Self;

    fn algorithm(&self) -> &Self {
        self
    }

    fn facts(&self) -> Facts<'_> {
        Facts {
            states: &["undecided", "joined", "dominated"],
            settled_states: &["joined", "dominated"],
            is_static: true,
            ..Facts::default()
        }
    }

    fn state(&self, memory: &Memory) -> usize {
        // The names are in the order of the variants.
        *memory as usize
    }

    fn start(&self, placement: &Placement) -> Result<System<Memory>, String> {
        Self::start(&placement.cells, &placement.orientations).map_err(|error| error.to_string())
    }

    fn is_finished(&self, system: &System<Memory>) -> bool {
        Self::is_finished(system)
    }
}
