//! Energy sharing: a few amoebots have a source of energy, and trees carry the energy to all other amoebots, which
//! spend it.
//!
//! Source: the energy distribution algorithm of Daymude, Richa, Weber, "Bio-inspired energy distribution for
//! programmable matter", ICDCN 2021, as described in surveys. The text of the paper was not compared; our rules
//! fill the gaps of the survey.
//!
//! | action | guard | operations |
//! |---|---|---|
//! | join | idle; a neighbour is in a tree | parent := the first such port |
//! | cycle | in a tree | communicate, share, use, in this order |
//!
//! | phase | effect |
//! |---|---|
//! | communicate | stressed := battery < demand or a child is stressed; inhibited := parent inhibited; at a root: own stress |
//! | share | a root harvests: battery + transfer, up to the capacity; an amoebot that has the transfer gives it, or as much as fits, to a random child that is not full |
//! | use | not inhibited and battery at least demand: battery - demand, one use |
//!
//! Deviations. The roots are given at the start. A use is counted and has no other effect; the paper's amoebots
//! reproduce. For observers, the memory also counts the harvested energy and the uses. No guard and no phase reads
//! these counters. The algorithm runs forever.

use crate::algorithm::packed_memory;
use crate::model::id::AmoebotId;
use acrasin_runtime::choice::{Choices, Decision, pick_index};

use crate::algorithm::Convention;
use crate::algorithm::description::{AlgorithmFigure, Facts, Further};
use crate::algorithm::description::{Description, Placement};
use crate::algorithm::{ActionError, Algorithm, Effects, Neighbour, View};
use crate::library::entry::{AlgorithmEntry, Construction, Needs};
use crate::library::parameter::{Parameter, ParameterError, ParameterKind, Values};
use crate::model::body::AmoebotPort;
use crate::model::lattice::Cell;
use crate::model::orientation::Orientation;
use crate::model::system::System;
use crate::picture::Detail;
use crate::start::{Contracted, StartError};

/// The role of an amoebot in the forest.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum EnergyRole {
    /// The amoebot is in no tree yet.
    Idle,
    /// The amoebot is a root: it has a source of energy.
    Root,
    /// The amoebot is in a tree, below a parent.
    Active {
        /// The port to the parent.
        parent: AmoebotPort,
    },
}

acrasin_runtime::pack_variants!(EnergyRole { Idle, Root, Active { parent } });

/// The public memory.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Memory {
    /// The role in the forest.
    pub role: EnergyRole,
    /// The energy, in units.
    pub battery: u32,
    /// Whether the amoebot knows of a lack of energy, at itself or at an amoebot below it in the tree.
    pub stressed: bool,
    /// Whether the amoebot must not use energy at present.
    pub inhibited: bool,
    /// The number of units that the amoebot has harvested so far.
    pub harvested: u64,
    /// The number of times that the amoebot has used energy so far.
    pub uses: u64,
}

acrasin_runtime::pack_fields!(Memory { role, battery, stressed, inhibited, harvested, uses });

/// The labels of the actions.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Action {
    /// An idle amoebot joins a tree.
    Join,
    /// Executes the phases *communicate*, *share* and *use*.
    Cycle,
}

/// The rates of the algorithm, in units of energy. All rates are positive.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EnergyRates {
    /// The capacity of a battery, at most [`EnergySharing::CAPACITY_MAX`].
    pub capacity: u32,
    /// The units that one harvest or one gift moves, at most the capacity.
    pub transfer: u32,
    /// The units of one use, at most the capacity.
    pub demand: u32,
}

/// Energy sharing. Invariant: the harvested energy equals the stored plus the used energy, and no battery exceeds the
/// capacity. If from every amoebot a path of neighbours leads to a root, every amoebot joins a tree after one action.
/// Under fair schedules every amoebot then keeps using energy; this is measured by the tests, not proved.
///
/// ```
/// use acrasin_amoebot::library::energy_sharing::{EnergySharing, EnergyRates};
/// use acrasin_amoebot::run::execution::{SequentialExecution, Uniform};
/// use acrasin_amoebot::{Cell, Direction, start};
/// use acrasin_amoebot::AmoebotId;
/// use acrasin_runtime::Seeded;
///
/// let sharing = EnergySharing::new(EnergyRates { capacity: 10, transfer: 1, demand: 5 })?;
/// let cells = start::spiral(Cell::ORIGIN, Direction::East, 19)?;
/// let mut execution = SequentialExecution::new(&sharing, EnergySharing::start(&cells, &[AmoebotId(0)], &[])?);
/// execution.run(50_000, &mut Uniform, &mut Seeded::new(2021));
/// let ledger = sharing.ledger(execution.system());
/// assert_eq!(ledger.harvested, ledger.stored + ledger.used);
/// assert!(execution.system().ids().all(|id| execution.system().memory(id).uses > 0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EnergySharing {
    rates: EnergyRates,
}

/// The totals of energy over all amoebots, in units.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Ledger {
    /// The energy harvested from the sources.
    pub harvested: u64,
    /// The energy stored in the batteries.
    pub stored: u64,
    /// The energy used by the amoebots.
    pub used: u64,
}

impl Algorithm for EnergySharing {
    type Memory = Memory;
    type Action = Action;

    fn actions(&self) -> &[Action] {
        &[Action::Join, Action::Cycle]
    }

    fn enabled(&self, action: Action, a: &View<'_, Memory>) -> bool {
        match action {
            Action::Join => a.own().role == EnergyRole::Idle && tree_beside(a).is_some(),
            Action::Cycle => a.own().role != EnergyRole::Idle,
        }
    }

    fn execute(
        &self,
        action: Action,
        a: &View<'_, Memory>,
        choices: &mut dyn Choices,
    ) -> Result<Effects<Memory>, ActionError> {
        match action {
            Action::Join => {
                let parent = tree_beside(a).ok_or(ActionError::Undefined("no tree to join"))?;
                Ok(Effects::none().write_own(Memory { role: EnergyRole::Active { parent }, ..*a.own() }))
            }
            Action::Cycle => {
                let mut own = self.communicated(a)?;
                let gift = self.share(a, &mut own, choices);
                self.use_energy(&mut own);
                let effects = Effects::none().write_own(own);
                Ok(gift.into_iter().fold(effects, |effects, (port, child)| effects.write(port, child)))
            }
        }
    }

    fn conventions(&self) -> &'static [Convention] {
        Convention::ALL
    }

    packed_memory!();
}

/// The first port to a neighbour in a tree; `None` if there is none.
fn tree_beside(a: &View<'_, Memory>) -> Option<AmoebotPort> {
    a.neighbours().find(|b| b.memory.role != EnergyRole::Idle).map(|b| b.port)
}

/// The neighbours whose parent is A.
fn children<'a>(a: &'a View<'a, Memory>) -> impl Iterator<Item = Neighbour<'a, Memory>> {
    a.neighbours().filter(move |b| match b.memory.role {
        EnergyRole::Active { parent } => a.pointed_at_by(b, parent).is_some(),
        EnergyRole::Idle | EnergyRole::Root => false,
    })
}

impl EnergySharing {
    /// The largest accepted capacity, in units.
    pub const CAPACITY_MAX: u32 = 1 << 20;

    /// Energy sharing with these rates.
    ///
    /// # Errors
    ///
    /// A rate is out of its range.
    pub fn new(rates: EnergyRates) -> Result<Self, RateError> {
        let within = |name, value, most| {
            let fine = (1..=most).contains(&value);
            if fine { Ok(()) } else { Err(RateError { name, value, most }) }
        };
        within("capacity", rates.capacity, Self::CAPACITY_MAX)?;
        within("transfer", rates.transfer, rates.capacity)?;
        within("demand", rates.demand, rates.capacity)?;
        Ok(Self { rates })
    }

    /// The capacity, the transfer and the demand.
    #[must_use]
    pub fn rates(self) -> EnergyRates {
        self.rates
    }

    /// The memory of A after the phase *communicate*.
    fn communicated(self, a: &View<'_, Memory>) -> Result<Memory, ActionError> {
        let own = *a.own();
        let stressed = own.battery < self.rates.demand || children(a).any(|child| child.memory.stressed);
        let inhibited = match own.role {
            EnergyRole::Active { parent } => a.read(parent)?.inhibited,
            EnergyRole::Root | EnergyRole::Idle => stressed,
        };
        Ok(Memory { stressed, inhibited, ..own })
    }

    /// The phase *share*: returns the port of the child that gets energy, and the child's new memory; `None` if no
    /// child gets any.
    fn share(
        self,
        a: &View<'_, Memory>,
        own: &mut Memory,
        choices: &mut dyn Choices,
    ) -> Option<(AmoebotPort, Memory)> {
        let EnergyRates { capacity, transfer, .. } = self.rates;
        if own.role == EnergyRole::Root {
            let harvest = transfer.min(capacity - own.battery);
            own.battery += harvest;
            own.harvested += u64::from(harvest);
        }
        if own.battery < transfer {
            return None;
        }
        let hungry: Vec<_> = children(a).filter(|child| child.memory.battery < capacity).collect();
        let child = &hungry[pick_index(choices, hungry.len(), Decision::Outcome)?];
        let gift = transfer.min(capacity - child.memory.battery);
        own.battery -= gift;
        Some((child.port, Memory { battery: child.memory.battery + gift, ..*child.memory }))
    }

    /// The phase *use*: spends the demand, unless the amoebot is inhibited or its battery has less.
    fn use_energy(self, own: &mut Memory) {
        if !own.inhibited && own.battery >= self.rates.demand {
            own.battery -= self.rates.demand;
            own.uses += 1;
        }
    }

    /// The start configuration: all amoebots are contracted with empty batteries, and idle except the roots. Duplicate
    /// roots count once. Amoebot i is on cell i and has orientation i; without an entry it has the common orientation.
    /// O(n).
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
        let empty = Memory {
            role: EnergyRole::Idle,
            battery: 0,
            stressed: false,
            inhibited: false,
            harvested: 0,
            uses: 0,
        };
        let mut system = Contracted::new(cells, orientations).with_roots(roots).system(|_| empty)?;
        for root in roots {
            system.set_memory(*root, Memory { role: EnergyRole::Root, ..empty });
        }
        Ok(system)
    }

    /// The totals of energy. O(n).
    #[must_use]
    pub fn ledger(self, system: &System<Memory>) -> Ledger {
        let sum = |of: &dyn Fn(&Memory) -> u64| system.ids().map(|id| of(system.memory(id))).sum();
        Ledger {
            harvested: sum(&|memory| memory.harvested),
            stored: sum(&|memory| u64::from(memory.battery)),
            used: sum(&|memory| memory.uses * u64::from(self.rates.demand)),
        }
    }
}

/// The error of a rate that is out of range.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{name} {value} (accepted: 1 to {most})")]
pub struct RateError {
    /// The name of the rate.
    pub name: &'static str,
    /// The requested value.
    pub value: u32,
    /// The largest accepted value.
    pub most: u32,
}

/// The catalogue entry of energy sharing.
pub const ENTRY: AlgorithmEntry = AlgorithmEntry {
    name: "EnergySharing",
    title: "energy sharing",
    summary: "amoebots: a few amoebots harvest energy and share it with all others",
    parameters: &[
        Parameter::required(
            "capacity",
            ParameterKind::Count,
            "the capacity of a battery, in units of energy",
        ),
        Parameter::required(
            "transfer",
            ParameterKind::Count,
            "the energy that is harvested or transferred at a time",
        ),
        Parameter::required("demand", ParameterKind::Count, "the energy that one use takes"),
        SOURCES,
    ],
    needs: Needs { terminates: false, ..Needs::NOTHING },
    read: |values| {
        let [capacity, transfer, demand] = rates(values, ["capacity", "transfer", "demand"])?;
        let algorithm = EnergySharing::new(EnergyRates { capacity, transfer, demand });
        let algorithm = algorithm.map_err(|error| ParameterError::new("capacity", error.to_string()))?;
        Ok(Construction::algorithm(Sharing { algorithm, sources: positions(values, "sources", &[0]) }))
    },
};

/// The parameter for the amoebots that harvest.
pub(super) const SOURCES: Parameter = Parameter::optional(
    "sources",
    ParameterKind::Counts,
    "positions, from 0, of the amoebots with a source; the first one by default",
);

/// Reads rates. The first is a capacity, and no other rate may exceed it.
pub(super) fn rates<const N: usize>(
    values: &Values,
    names: [&'static str; N],
) -> Result<[u32; N], ParameterError> {
    let written = |name| values.count(name).expect("it is required");
    let mut rates = [0; N];
    let mut most = u64::from(EnergySharing::CAPACITY_MAX);
    for (rate, name) in rates.iter_mut().zip(names) {
        let units = written(name);
        if !(1..=most).contains(&units) {
            return Err(
                ParameterError::new(name, format!("{name} {units}")).accepting(format!("1 to {most}"))
            );
        }
        *rate = units as u32;
        most = written(names[0]);
    }
    Ok(rates)
}

/// Reads positions of amoebots. `start` refuses positions out of range later.
pub(super) fn positions(values: &Values, name: &str, unless: &[u64]) -> Vec<AmoebotId> {
    let written = values.counts(name).unwrap_or(unless);
    // Systems are much smaller, so clamped positions are refused.
    written.iter().map(|position| AmoebotId(u32::try_from(*position).unwrap_or(u32::MAX))).collect()
}

/// Energy sharing with the positions of the sources.
#[derive(Clone, Debug)]
pub struct Sharing {
    /// The algorithm with its rates.
    pub algorithm: EnergySharing,
    /// The amoebots that harvest.
    pub sources: Vec<AmoebotId>,
}

/// Describes energy sharing. There is no goal, since the algorithm runs forever.
impl Description for Sharing {
    type Memory = Memory;
    type Algorithm = EnergySharing;

    fn algorithm(&self) -> &EnergySharing {
        &self.algorithm
    }

    fn facts(&self) -> Facts<'_> {
        Facts {
            states: &["idle", "source", "at ease", "stressed"],
            variables: &["battery", "stressed", "inhibited"],
            is_static: true,
            ..Facts::default()
        }
    }

    fn state(&self, memory: &Memory) -> usize {
        match memory.role {
            EnergyRole::Idle => 0,
            EnergyRole::Root => 1,
            EnergyRole::Active { .. } => 2 + usize::from(memory.stressed),
        }
    }

    fn detail(&self, memory: &Memory) -> Detail {
        let parent = if let EnergyRole::Active { parent } = memory.role { Some(parent) } else { None };
        Detail { parent, ..Detail::default() }
    }

    fn value(&self, memory: &Memory, variable: usize) -> String {
        match variable {
            0 => memory.battery.to_string(),
            1 => memory.stressed.to_string(),
            _ => memory.inhibited.to_string(),
        }
    }

    fn start(&self, placement: &Placement) -> Result<System<Memory>, String> {
        EnergySharing::start(&placement.cells, &self.sources, &placement.orientations)
            .map_err(|error| error.to_string())
    }

    fn is_finished(&self, _: &System<Memory>) -> bool {
        false
    }

    fn fault(&self, system: &System<Memory>) -> Option<String> {
        let Ledger { harvested, stored, used } = self.algorithm.ledger(system);
        (harvested != stored + used).then(|| {
            format!("{harvested} units were harvested, but batteries hold {stored} and {used} were used")
        })
    }

    fn further(&self, system: &System<Memory>) -> Option<Further> {
        let ledger = self.algorithm.ledger(system);
        let uses = system.ids().map(|id| system.memory(id).uses);
        let figures = vec![
            AlgorithmFigure::count("harvested", "harvested", ledger.harvested).with_unit("units"),
            AlgorithmFigure::count("stored", "in batteries", ledger.stored).with_unit("units"),
            AlgorithmFigure::count("used", "used", ledger.used).with_unit("units"),
            AlgorithmFigure::count("least_uses", "fewest uses of an amoebot", uses.min().unwrap_or(0)),
        ];
        Some(Further { key: "energy", title: "Energy", figures })
    }
}
