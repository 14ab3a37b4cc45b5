//! The algorithm that a table of actions defines, its starts and its goal.

use crate::algorithm::packed_memory;
use std::collections::BTreeMap;
use std::fmt;

use acrasin_runtime::choice::Choices;

pub use super::memory::{Memory, VARIABLES_MAX};
pub use super::resolve::AlgorithmTableError;

use super::evaluate::executed;
use super::resolve::Resolver;
use super::written::{
    Domain, Literal, StartCondition, TableCondition, TableEffect, WrittenAlgorithm, WrittenOrder,
};
use crate::algorithm::Convention;
use crate::algorithm::description::{Description, Facts, Placement};
use crate::algorithm::erased::kept;
use crate::algorithm::memory::merged;
use crate::algorithm::{ActionError, ActionOrder, Algorithm, Effects, View};
use crate::library::entry::{ChosenAlgorithm, Construction, Needs};
use crate::model::body::AmoebotPort;
use crate::model::id::AmoebotId;
use crate::model::system::System;
use crate::picture::{CLASSES_MAX, Detail};
use crate::start::Contracted;

/// The maximum number of actions of a table; an action with `at_each_port` counts as six.
pub const ACTIONS_MAX: usize = 255;

/// The maximum number of measures of a table.
pub const MEASURES_MAX: usize = 16;

/// The label of an action.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Action {
    position: u8,
    label: &'static str,
}

impl fmt::Debug for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.label)
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
struct TableRule {
    when: TableCondition<usize, u8>,
    then: Vec<TableEffect<usize, u8>>,
}

/// An algorithm that is defined by a table.
///
/// ```
/// use acrasin_amoebot::library::table::algorithm::TableAlgorithm;
/// use acrasin_amoebot::library::table::written::*;
/// use acrasin_amoebot::run::execution::{SequentialExecution, Uniform};
/// use acrasin_amoebot::{Cell, Direction, start};
/// use acrasin_amoebot::algorithm::description::{Description, Placement};
/// use acrasin_runtime::Seeded;
///
/// // An amoebot wakes up when a neighbour is awake.
/// let is = |state: &str| TableCondition::Is("state".into(), Literal::Word(state.into()));
/// let written = WrittenAlgorithm {
///     title: "waking up".into(),
///     variables: [("state".into(), Domain::OneOf(vec!["asleep".into(), "awake".into()]))].into(),
///     shown: "state".into(),
///     settled: vec![Literal::Word("awake".into())],
///     arrows: Arrows::default(),
///     seed: [("state".into(), Literal::Word("awake".into()))].into(),
///     asks: vec![],
///     measures: [].into(),
///     actions: vec![WrittenAction {
///         label: "Wake".into(),
///         at_each_port: false,
///         when: TableCondition::All(vec![
///             is("asleep"),
///             TableCondition::AnyNeighbour(Neighbourly::Is("state".into(), Literal::Word("awake".into()))),
///         ]),
///         then: vec![TableEffect::Write("state".into(), Literal::Word("awake".into()))],
///     }],
///     order: WrittenOrder::AsListed,
///     goal: TableGoal { every: is("awake"), exactly: [].into() },
/// };
/// let algorithm = TableAlgorithm::new(&written)?;
/// let cells = start::line(Cell::ORIGIN, Direction::East, 9)?;
/// let system = Description::start(&algorithm, &Placement { cells, ..Placement::default() })?;
/// let mut execution = SequentialExecution::new(&algorithm, system);
/// assert!(execution.run(1_000, &mut Uniform, &mut Seeded::new(1)));
/// assert!(algorithm.is_finished(execution.system()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TableAlgorithm {
    title: &'static str,
    domains: Vec<Domain>,
    names: Vec<&'static str>,
    shown: usize,
    states: Vec<&'static str>,
    settled: Vec<&'static str>,
    parent: Option<usize>,
    direction: Option<usize>,
    seed: Option<Memory>,
    asks: Vec<StartCondition>,
    measure_names: Vec<&'static str>,
    measures: Vec<TableCondition<usize, u8>>,
    actions: Vec<Action>,
    rules: Vec<TableRule>,
    order: ActionOrder,
    goal: TableCondition<usize, u8>,
    /// The required number of amoebots for some values of the shown variable.
    exactly: Vec<(usize, u64)>,
}

impl TableAlgorithm {
    /// Resolves all names and values of a table.
    ///
    /// # Errors
    ///
    /// A name or value is unknown, two actions have the same label, or there are too many variables, states or actions.
    /// The error names the place in the table.
    pub fn new(written: &WrittenAlgorithm) -> Result<Self, AlgorithmTableError> {
        check(written)?;
        let resolver = |path: String, here| Resolver { variables: &written.variables, path, here };
        let at = |path: &str| resolver(path.to_owned(), None);
        let (shown, domain) = at("shown").variable(&written.shown)?;
        if domain.count() > CLASSES_MAX {
            let message = format!("variable {:?} has {} values", written.shown, domain.count());
            return Err(AlgorithmTableError::at(
                "shown",
                message,
                format!("a variable of at most {CLASSES_MAX} values"),
            ));
        }
        let states: Vec<&'static str> =
            (0..domain.count() as u8).map(|value| kept(domain.word(value))).collect();
        let settled = written.settled.iter().map(|literal| {
            let (_, value) = at("settled").value(&written.shown, literal)?;
            Ok(states[usize::from(value)])
        });
        let settled = settled.collect::<Result<_, AlgorithmTableError>>()?;
        let arrow = |path: &str, name: &Option<String>| {
            name.as_ref().map(|name| at(path).port_variable(name)).transpose()
        };
        let measures = written.measures.iter().map(|(name, condition)| {
            let condition = at(&format!("measures[{name:?}]")).condition(condition)?;
            Ok((kept(name.clone()), condition))
        });
        let measures = measures.collect::<Result<Vec<_>, AlgorithmTableError>>()?;
        let (measure_names, measures): (Vec<_>, Vec<_>) = measures.into_iter().unzip();
        if let Some(name) = measure_names.iter().find(|name| states.contains(name)) {
            let message = format!("{name:?} is already a value of {:?}", written.shown);
            return Err(AlgorithmTableError::at("measures", message, "another name"));
        }
        let mut actions: Vec<Action> = Vec::new();
        let mut rules = Vec::new();
        for (number, action) in written.actions.iter().enumerate() {
            let ports = if action.at_each_port { (1..=6).map(Some).collect() } else { vec![None] };
            for here in ports {
                let place = |part: &str| resolver(format!("actions[{number}].{part}"), here);
                let label = match here {
                    Some(port) => format!("{}({port})", action.label),
                    None => action.label.clone(),
                };
                let position = u8::try_from(actions.len()).ok().filter(|at| usize::from(*at) < ACTIONS_MAX);
                let position = position.ok_or_else(|| {
                    AlgorithmTableError::at(
                        format!("actions[{number}]"),
                        "too many actions",
                        format!("up to {ACTIONS_MAX}"),
                    )
                })?;
                // Recordings name actions by their labels, so labels must be distinct.
                if actions.iter().any(|other| other.label == label) {
                    return Err(AlgorithmTableError::at(
                        format!("actions[{number}].label"),
                        format!("another action is also called {label:?}"),
                        "a different label for each action",
                    ));
                }
                actions.push(Action { position, label: kept(label) });
                rules.push(TableRule {
                    when: place("when").condition(&action.when)?,
                    then: place("then").effects(&action.then)?,
                });
            }
            if action.then.is_empty() {
                let message =
                    format!("action {:?} changes nothing, so it would stay enabled forever", action.label);
                let path = format!("actions[{number}].then");
                return Err(AlgorithmTableError::at(path, message, "at least one effect"));
            }
        }
        Ok(Self {
            title: kept(written.title.clone()),
            domains: written.variables.values().cloned().collect(),
            names: written.variables.keys().map(|name| kept(name.clone())).collect(),
            shown,
            states,
            settled,
            parent: arrow("arrows.parent", &written.arrows.parent)?,
            direction: arrow("arrows.direction", &written.arrows.direction)?,
            seed: seed(&written.seed, &at("seed"))?,
            asks: written.asks.clone(),
            measure_names,
            measures,
            actions,
            rules,
            order: match written.order {
                WrittenOrder::AsListed => ActionOrder::AsListed,
                WrittenOrder::Any => ActionOrder::Any,
            },
            goal: at("goal.every").condition(&written.goal.every)?,
            exactly: exactly(&written.goal.exactly, domain)?,
        })
    }

    /// The algorithm with a catalogue entry, so that a scenario can run it.
    #[must_use]
    pub fn chosen(self) -> ChosenAlgorithm {
        let (title, needs) = (self.title, self.needs());
        let names = (title, "amoebots: an algorithm from a file");
        ChosenAlgorithm::of_file(names, needs, Construction::algorithm(self))
    }

    fn needs(&self) -> Needs {
        let common_chirality = self.asks.contains(&StartCondition::CommonChirality);
        let object = self.asks.contains(&StartCondition::Object);
        Needs { seed: self.seed.is_some(), common_chirality, object, ..Needs::NOTHING }
    }

    /// The memory after the variables in `written` are set.
    fn remembered(&self, mut memory: Memory, written: &BTreeMap<String, String>) -> Result<Memory, String> {
        for (name, word) in written {
            let variable = self.names.iter().position(|known| known == name);
            let variable = variable.ok_or_else(|| {
                format!("there is no variable {name:?} (accepted: {})", self.names.join(", "))
            })?;
            let domain = &self.domains[variable];
            let mut values = 0..=u8::try_from(domain.count() - 1).expect("a value has a byte");
            let value = values.find(|value| domain.word(*value) == *word).ok_or_else(|| {
                format!("variable {name:?} has no value {word:?} (accepted: {})", domain.accepted())
            })?;
            memory.set(variable, value);
        }
        Ok(memory)
    }

    fn is_static(&self) -> bool {
        !self.rules.iter().any(|rule| moves(&rule.then))
    }
}

fn moves(effects: &[TableEffect<usize, u8>]) -> bool {
    effects.iter().any(|effect| match effect {
        TableEffect::Expand(_) | TableEffect::Contract(_) | TableEffect::Pull(_) | TableEffect::Push(_) => {
            true
        }
        TableEffect::When(_, effects) => moves(effects),
        TableEffect::Write(..)
        | TableEffect::WritePort(..)
        | TableEffect::WriteAt(..)
        | TableEffect::PointBack(..) => false,
    })
}

/// Whether a condition holds trivially.
fn always_holds(condition: &TableCondition) -> bool {
    match condition {
        TableCondition::All(all) => all.iter().all(always_holds),
        TableCondition::Any(any) => any.iter().any(always_holds),
        TableCondition::Not(not) => never_holds(not),
        _ => false,
    }
}

fn never_holds(condition: &TableCondition) -> bool {
    match condition {
        TableCondition::All(all) => all.iter().any(never_holds),
        TableCondition::Any(any) => any.iter().all(never_holds),
        TableCondition::Not(not) => always_holds(not),
        _ => false,
    }
}

/// The shapes that an amoebot can have if certain conditions hold: contracted, expanded, or both.
#[derive(Clone, Copy)]
struct PossibleShapes {
    can_be_contracted: bool,
    can_be_expanded: bool,
}

impl PossibleShapes {
    fn of(condition: &TableCondition) -> Self {
        let all = Self { can_be_contracted: true, can_be_expanded: true };
        match condition {
            TableCondition::Contracted => Self { can_be_expanded: false, ..all },
            TableCondition::Expanded => Self { can_be_contracted: false, ..all },
            TableCondition::Not(not) => match **not {
                TableCondition::Contracted => Self::of(&TableCondition::Expanded),
                TableCondition::Expanded => Self::of(&TableCondition::Contracted),
                _ => all,
            },
            TableCondition::All(conditions) => conditions.iter().map(Self::of).fold(all, Self::and),
            _ => all,
        }
    }

    fn and(self, other: Self) -> Self {
        Self {
            can_be_contracted: self.can_be_contracted && other.can_be_contracted,
            can_be_expanded: self.can_be_expanded && other.can_be_expanded,
        }
    }

    /// Whether the effects include a movement. Effects that can never be applied give an error: the problem, and what
    /// is accepted.
    fn movement(self, effects: &[TableEffect]) -> Result<bool, (&'static str, &'static str)> {
        let mut moves = false;
        for effect in effects {
            let is_another = match effect {
                TableEffect::Expand(_) | TableEffect::Push(_) if !self.can_be_contracted => {
                    return Err((
                        "expands or pushes where its guard asks for an expanded amoebot",
                        "a guard that a contracted amoebot can meet",
                    ));
                }
                TableEffect::Contract(_) | TableEffect::Pull(_) if !self.can_be_expanded => {
                    return Err((
                        "contracts or pulls where its guard asks for a contracted amoebot",
                        "a guard that an expanded amoebot can meet",
                    ));
                }
                TableEffect::Expand(_)
                | TableEffect::Push(_)
                | TableEffect::Contract(_)
                | TableEffect::Pull(_) => true,
                TableEffect::When(condition, effects) => {
                    // The movement may happen only in some systems, so later effects are still possible in the others.
                    self.and(Self::of(condition)).movement(effects)? && always_holds(condition)
                }
                _ => false,
            };
            if is_another && moves {
                return Err(("moves twice", "at most one movement"));
            }
            moves |= is_another;
        }
        Ok(moves)
    }
}

/// Checks the limits and shapes of a table: everything that does not depend on names.
fn check(written: &WrittenAlgorithm) -> Result<(), AlgorithmTableError> {
    let variables = written.variables.len();
    if !(1..=VARIABLES_MAX).contains(&variables) {
        let message = format!("{variables} variables");
        return Err(AlgorithmTableError::at("variables", message, format!("1 to {VARIABLES_MAX}")));
    }
    for (name, domain) in &written.variables {
        if let Some((message, accepted)) = domain.mistake() {
            return Err(AlgorithmTableError::at(format!("variables[{name:?}]"), message, accepted));
        }
    }
    let measures = written.measures.len();
    if measures > MEASURES_MAX {
        return Err(AlgorithmTableError::at(
            "measures",
            format!("{measures} measures"),
            format!("up to {MEASURES_MAX}"),
        ));
    }
    if let Some(name) = written.measures.keys().find(|name| !is_name(name)) {
        let message = format!("{name:?} cannot be the name of a measure");
        return Err(AlgorithmTableError::at(
            "measures",
            message,
            "letters, digits, _, - and spaces, a letter first",
        ));
    }
    if written.goal.exactly.is_empty() && always_holds(&written.goal.every) {
        let message = "the goal holds for every system";
        return Err(AlgorithmTableError::at(
            "goal.every",
            message,
            "a condition that can fail, or `exactly`",
        ));
    }
    for (number, action) in written.actions.iter().enumerate() {
        if action.label.trim().is_empty() {
            let path = format!("actions[{number}].label");
            return Err(AlgorithmTableError::at(
                path,
                "an action without a name",
                "a label such as \"Follow\"",
            ));
        }
        let shape = PossibleShapes::of(&action.when);
        shape.movement(&action.then).map_err(|(what, accepted)| {
            let message = format!("action {:?} {what}", action.label);
            AlgorithmTableError::at(format!("actions[{number}].then"), message, accepted)
        })?;
    }
    if written.actions.is_empty() {
        return Err(AlgorithmTableError::at("actions", "no actions", "one at least"));
    }
    Ok(())
}

/// Whether `name` is allowed as the name of a column.
fn is_name(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_alphabetic())
        && name.chars().all(|next| next.is_ascii_alphanumeric() || "_- ".contains(next))
        && name.len() <= 64
}

fn seed(
    written: &BTreeMap<String, Literal>,
    at: &Resolver<'_>,
) -> Result<Option<Memory>, AlgorithmTableError> {
    let mut memory = Memory::default();
    for (name, literal) in written {
        let (variable, value) = at.value(name, literal)?;
        memory.set(variable, value);
    }
    Ok((!written.is_empty()).then_some(memory))
}

fn exactly(
    written: &BTreeMap<String, u64>,
    shown: &Domain,
) -> Result<Vec<(usize, u64)>, AlgorithmTableError> {
    let words: Vec<String> = (0..shown.count() as u8).map(|value| shown.word(value)).collect();
    let position = |word: &String| {
        words.iter().position(|known| known == word).ok_or_else(|| {
            AlgorithmTableError::at("goal.exactly", format!("there is no value {word:?}"), words.join(", "))
        })
    };
    written.iter().map(|(word, count)| Ok((position(word)?, *count))).collect()
}

impl Algorithm for TableAlgorithm {
    type Memory = Memory;
    type Action = Action;

    fn actions(&self) -> &[Action] {
        &self.actions
    }

    fn order(&self) -> ActionOrder {
        self.order
    }

    fn enabled(&self, action: Action, a: &View<'_, Memory>) -> bool {
        self.rules[usize::from(action.position)].when.holds(a)
    }

    fn execute(
        &self,
        action: Action,
        a: &View<'_, Memory>,
        _: &mut dyn Choices,
    ) -> Result<Effects<Memory>, ActionError> {
        executed(a, &self.rules[usize::from(action.position)].then)
    }

    fn after_write(&self, read: &Memory, written: Memory, now: &Memory) -> Memory {
        let mut after = Memory::default();
        for variable in 0..VARIABLES_MAX {
            after.set(variable, merged(read.value(variable), written.value(variable), now.value(variable)));
        }
        after
    }

    fn conventions(&self) -> &'static [Convention] {
        if self.is_static() {
            // If no amoebot moves, no newcomer arrives.
            &[Convention::PhaseStructure, Convention::Monotonicity, Convention::Static]
        } else {
            &[Convention::PhaseStructure]
        }
    }

    packed_memory!();
}

impl Description for TableAlgorithm {
    type Memory = Memory;
    type Algorithm = Self;

    fn algorithm(&self) -> &Self {
        self
    }

    fn facts(&self) -> Facts<'_> {
        Facts {
            states: &self.states,
            settled_states: &self.settled,
            variables: &self.names,
            measures: &self.measure_names,
            is_static: self.is_static(),
            ..Facts::default()
        }
    }

    fn state(&self, memory: &Memory) -> usize {
        usize::from(memory.value(self.shown))
    }

    fn detail(&self, memory: &Memory) -> Detail {
        let port = |variable: Option<usize>| {
            variable
                .map(|variable| memory.value(variable))
                .filter(|value| *value > 0)
                .map(AmoebotPort::numbered)
        };
        Detail { parent: port(self.parent), direction: port(self.direction), tokens: 0 }
    }

    fn value(&self, memory: &Memory, variable: usize) -> String {
        self.domains[variable].word(memory.value(variable))
    }

    /// Shows each variable with its name and value. A memory alone contains only numbers, in the order of the names.
    fn words(&self, memory: &Memory) -> String {
        let value = |(at, name)| format!("{name}: {}", self.value(memory, at));
        self.names.iter().enumerate().map(value).collect::<Vec<_>>().join(", ")
    }

    fn start(&self, placement: &Placement) -> Result<System<Memory>, String> {
        let Placement { cells, seed, orientations, object, tails, memories, .. } = placement;
        let mut start = Contracted::new(cells, orientations).with_tails(tails).connected();
        if self.seed.is_some() {
            start = start.with_seed(*seed);
        }
        for asked in &self.asks {
            start = match asked {
                StartCondition::NoHoles => start.without_holes(),
                StartCondition::CommonChirality => start.with_common_chirality(),
                StartCondition::Object => start.with_object(object),
            };
        }
        let default = |at: usize| self.seed.filter(|_| at == *seed).unwrap_or_default();
        let memory = |(at, written)| {
            let remembered = self.remembered(default(at), written);
            remembered.map_err(|error| format!("amoebot {at}: {error}"))
        };
        let written = memories.iter().enumerate().map(memory).collect::<Result<Vec<_>, _>>()?;
        let memory = |id: AmoebotId| written.get(id.index()).copied().unwrap_or_else(|| default(id.index()));
        start.system(memory).map_err(|error| error.to_string())
    }

    fn measure(&self, system: &System<Memory>) -> Vec<u64> {
        let holds = |condition: &TableCondition<usize, u8>, id| condition.holds(&View::new(system, id));
        let count = |condition| system.ids().filter(|id| holds(condition, *id)).count() as u64;
        self.measures.iter().map(count).collect()
    }

    fn is_finished(&self, system: &System<Memory>) -> bool {
        let count = |state| system.ids().filter(|id| self.state(system.memory(*id)) == state).count() as u64;
        self.exactly.iter().all(|(state, exactly)| count(*state) == *exactly)
            && system.ids().all(|id| self.goal.holds(&View::new(system, id)))
    }
}
