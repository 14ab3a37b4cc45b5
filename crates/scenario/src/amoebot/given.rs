//! Algorithms whose starts take more than cells, seed and orientations.

use acrasin_amoebot::algorithm::Convention;
use acrasin_amoebot::library::binary_counter::{self, BinaryCounter};
use acrasin_amoebot::library::energy_distribution::{self, EnergyDistribution};
use acrasin_amoebot::library::energy_sharing::{self, EnergySharing, Rates};
use acrasin_amoebot::library::forest_repair::{self, ForestRepair};
use acrasin_amoebot::library::forest_walk::{ForestWalk, PathError};
use acrasin_amoebot::run::execution::{Execution, RoundRobin};
use acrasin_amoebot::{ActionError, Algorithm, Effects, Forest, Order, System, View};
use acrasin_report::record::{Figure, Section};
use acrasin_runtime::NodeId;
use acrasin_runtime::choice::{Choices, Seeded};

use super::scenario::Operation;
use super::subject::{Ground, Subject, words};
use crate::document::quantity::Count;

/// An algorithm, and what else it is a subject by: mostly what its start takes.
pub(super) struct Given<A, P> {
    pub(super) algorithm: A,
    pub(super) parameters: P,
}

/// It is the algorithm.
impl<A: Algorithm, P> Algorithm for Given<A, P> {
    type Memory = A::Memory;
    type Action = A::Action;

    fn actions(&self) -> &[A::Action] {
        self.algorithm.actions()
    }

    fn order(&self) -> Order {
        self.algorithm.order()
    }

    fn enabled(&self, action: A::Action, view: &View<'_, A::Memory>) -> bool {
        self.algorithm.enabled(action, view)
    }

    fn execute(
        &self,
        action: A::Action,
        view: &View<'_, A::Memory>,
        choices: &mut dyn Choices,
    ) -> Result<Effects<A::Memory>, ActionError> {
        self.algorithm.execute(action, view, choices)
    }

    fn after_write(&self, read: &A::Memory, written: A::Memory, now: &A::Memory) -> A::Memory {
        self.algorithm.after_write(read, written, now)
    }

    fn conventions(&self) -> &'static [Convention] {
        self.algorithm.conventions()
    }
}

/// What a counter starts with.
pub(super) struct Counting {
    value: u64,
    operations: Vec<binary_counter::Operation>,
}

/// Operations one by one. The plan has checked how many they are.
pub(super) fn counter(value: Option<Count>, operations: &[Operation]) -> Given<BinaryCounter, Counting> {
    let each = operations.iter().flat_map(|operation| {
        let (operation, times) = match operation {
            Operation::Increment(times) => (binary_counter::Operation::Increment, **times),
            Operation::Decrement(times) => (binary_counter::Operation::Decrement, **times),
            Operation::TestZero => (binary_counter::Operation::TestZero, 1),
        };
        std::iter::repeat_n(operation, times as usize)
    });
    let value = value.map_or(0, |value| *value);
    Given { algorithm: BinaryCounter, parameters: Counting { value, operations: each.collect() } }
}

impl Counting {
    /// What an ordinary counter comes to, and answers.
    fn expected(&self) -> (i128, Vec<bool>) {
        let mut value = i128::from(self.value);
        let mut answers = Vec::new();
        for operation in &self.operations {
            match operation {
                binary_counter::Operation::Increment => value += 1,
                binary_counter::Operation::Decrement => value -= 1,
                binary_counter::Operation::TestZero => answers.push(value == 0),
            }
        }
        (value, answers)
    }
}

/// Its goal is what an ordinary counter comes to, with the same answers.
impl Subject for Given<BinaryCounter, Counting> {
    fn states(&self) -> &'static [&'static str] {
        &["bit 0", "bit 1", "no bit", "with a token"]
    }

    fn start(&self, ground: &Ground) -> Result<System<binary_counter::Memory>, String> {
        let Counting { value, operations } = &self.parameters;
        words(BinaryCounter::start(&ground.cells, *value, operations, &ground.orientations))
    }

    fn is_finished(&self, system: &System<binary_counter::Memory>) -> bool {
        let (value, answers) = self.parameters.expected();
        BinaryCounter::is_finished(system)
            && BinaryCounter::value(system) == value
            && BinaryCounter::answers(system) == answers
    }

    fn state(&self, memory: &binary_counter::Memory) -> usize {
        match memory.bit {
            _ if memory.tokens.iter().next().is_some() => 3,
            Some(bit) => usize::from(bit),
            None => 2,
        }
    }

    fn further(&self, system: &System<binary_counter::Memory>) -> Option<Section> {
        let mut section = Section::new("counter", "Counter");
        let answers = BinaryCounter::answers(system);
        section.push(Figure::new("value", "value", BinaryCounter::value(system).to_string()));
        section.push(Figure::new("tests", "zero tests", answers.len() as u64));
        let zeros = answers.iter().filter(|answer| **answer).count();
        section.push(Figure::new("zeros", "of them at zero", zeros as u64));
        section.push(Figure::new("overflow", "too few amoebots", BinaryCounter::overflow(system)));
        Some(section)
    }
}

/// Who has a source of energy. The plan has checked the rates; positions are checked by the start.
pub(super) fn sharing(
    [capacity, transfer, demand]: [Count; 3],
    sources: Option<&[Count]>,
) -> Given<EnergySharing, Vec<NodeId>> {
    let rates = Rates { capacity: units(capacity), transfer: units(transfer), demand: units(demand) };
    Given {
        algorithm: EnergySharing::new(rates).expect("the plan has checked the rates"),
        parameters: sources.map_or_else(|| vec![NodeId(0)], ids),
    }
}

fn units(count: Count) -> u32 {
    u32::try_from(*count).expect("the plan has checked the rates")
}

fn ids(positions: &[Count]) -> Vec<NodeId> {
    // Systems are smaller than this by far; what is out of range is refused at the start.
    positions.iter().map(|position| NodeId(u32::try_from(**position).unwrap_or(u32::MAX))).collect()
}

/// It has no goal: it goes on for ever.
impl Subject for Given<EnergySharing, Vec<NodeId>> {
    fn states(&self) -> &'static [&'static str] {
        &["idle", "source", "at ease", "stressed"]
    }

    fn start(&self, ground: &Ground) -> Result<System<energy_sharing::Memory>, String> {
        words(EnergySharing::start(&ground.cells, &self.parameters, &ground.orientations))
    }

    fn is_finished(&self, _: &System<energy_sharing::Memory>) -> bool {
        false
    }

    fn state(&self, memory: &energy_sharing::Memory) -> usize {
        match memory.role {
            energy_sharing::Role::Idle => 0,
            energy_sharing::Role::Root => 1,
            energy_sharing::Role::Active { .. } => 2 + usize::from(memory.stressed),
        }
    }

    fn fault(&self, system: &System<energy_sharing::Memory>) -> Option<String> {
        let energy_sharing::Ledger { harvested, stored, used } = self.algorithm.ledger(system);
        (harvested != stored + used).then(|| {
            format!("{harvested} units were harvested, but batteries hold {stored} and {used} were used")
        })
    }

    fn further(&self, system: &System<energy_sharing::Memory>) -> Option<Section> {
        let ledger = self.algorithm.ledger(system);
        let mut section = Section::new("energy", "Energy");
        section.push(Figure::new("harvested", "harvested", ledger.harvested).unit("units"));
        section.push(Figure::new("stored", "in batteries", ledger.stored).unit("units"));
        section.push(Figure::new("used", "used", ledger.used).unit("units"));
        let uses = system.ids().map(|id| system.memory(id).uses);
        section.push(Figure::new("least_uses", "fewest uses of an amoebot", uses.min().unwrap_or(0)));
        Some(section)
    }
}

/// An algorithm with batteries. The plan has checked the rates.
pub(super) fn powered<A: Subject>(
    algorithm: A,
    [capacity, demand]: [Count; 2],
    sources: Option<&[Count]>,
) -> Given<EnergyDistribution<A>, Vec<NodeId>> {
    let demand = units(demand);
    let algorithm = EnergyDistribution::new(algorithm, units(capacity), |_| demand);
    Given {
        algorithm: algorithm.expect("the plan has checked the rates"),
        parameters: sources.map_or_else(|| vec![NodeId(0)], ids),
    }
}

/// States are those of the algorithm. At the end it has reached its goal, everybody is in a tree, and all batteries are full.
impl<A: Subject> Subject for Given<EnergyDistribution<A>, Vec<NodeId>> {
    fn states(&self) -> &'static [&'static str] {
        self.algorithm.algorithm().states()
    }
    fn may_cycle(&self) -> bool {
        self.algorithm.algorithm().may_cycle()
    }

    fn start(&self, ground: &Ground) -> Result<System<energy_distribution::Memory<A::Memory>>, String> {
        let system = self.algorithm.algorithm().start(ground)?;
        let sources: Vec<usize> = self.parameters.iter().map(|source| source.index()).collect();
        words(self.algorithm.start(&system, &sources))
    }

    fn is_finished(&self, system: &System<energy_distribution::Memory<A::Memory>>) -> bool {
        let is_full = |id| {
            let memory = system.memory(id);
            memory.battery == self.algorithm.capacity() && !is_outside(memory.state)
        };
        system.ids().all(is_full) && self.algorithm.algorithm().is_finished(&self.algorithm.inner(system))
    }

    fn state(&self, memory: &energy_distribution::Memory<A::Memory>) -> usize {
        self.algorithm.algorithm().state(&memory.algorithm)
    }

    fn further(&self, system: &System<energy_distribution::Memory<A::Memory>>) -> Option<Section> {
        let mut section = Section::new("energy", "Energy");
        section.push(Figure::new("stored", "in batteries", self.algorithm.stored(system)).unit("units"));
        let outside = system.ids().filter(|id| is_outside(system.memory(*id).state));
        section.push(Figure::new("outside", "in no tree", outside.count() as u64).unit("amoebots"));
        Some(section)
    }
}

/// In no tree.
fn is_outside(state: energy_distribution::State) -> bool {
    matches!(state, energy_distribution::State::Idle | energy_distribution::State::Pruning)
}

/// A path that is written in digits. What is no digit counts as 0, which is no label.
pub(super) fn walk(path: &str) -> Result<ForestWalk, PathError> {
    let label = |letter: char| letter.to_digit(10).map_or(0, |digit| digit as u8);
    ForestWalk::new(&path.chars().map(label).collect::<Vec<_>>())
}

/// Who crashes.
pub(super) fn repair(crashed: &[Count]) -> Given<ForestRepair, Vec<NodeId>> {
    Given { algorithm: ForestRepair, parameters: ids(crashed) }
}

/// The forest grows before the run, one amoebot after the other in turn.
impl Subject for Given<ForestRepair, Vec<NodeId>> {
    fn states(&self) -> &'static [&'static str] {
        &["crashed", "root", "in a tree", "warned", "pruned"]
    }

    fn start(&self, ground: &Ground) -> Result<System<forest_repair::Memory>, String> {
        let root = NodeId(ground.seed as u32);
        let forest = words(Forest::start(&ground.cells, &[root], &ground.orientations))?;
        let mut growth = Execution::new(&Forest, forest);
        growth.run(u64::MAX, &mut RoundRobin::default(), &mut Seeded::new(0));
        let damaged = words(ForestRepair::start(growth.system(), &self.parameters))?;
        if self.parameters.contains(&root) {
            return Err(format!("amoebot {root}, the root, crashes (accepted: others)"));
        }
        match ForestRepair::out_of_reach(&damaged).first() {
            None => Ok(damaged),
            Some(id) => Err(format!(
                "after the crashes cell {} cannot be reached from the root through survivors (accepted: survivors that hang \
                 together)",
                ground.cells[id.index()]
            )),
        }
    }

    fn is_finished(&self, system: &System<forest_repair::Memory>) -> bool {
        ForestRepair::is_repaired(system)
    }

    fn state(&self, memory: &forest_repair::Memory) -> usize {
        match memory {
            forest_repair::Memory::Crashed => 0,
            forest_repair::Memory::Root => 1,
            forest_repair::Memory::Active { warned, .. } => 2 + usize::from(*warned),
            forest_repair::Memory::Pruned { .. } => 4,
        }
    }
}
