//! The algorithm that a table of rounds defines.

use std::collections::BTreeMap;

use acrasin_amoebot::End;
use acrasin_amoebot::algorithm::erased::kept;
use acrasin_amoebot::library::table::algorithm::AlgorithmTableError;
use acrasin_amoebot::library::table::written::Domain;
use acrasin_amoebot::picture::CLASSES_MAX;

use super::resolve::{RoundPart, TableResolver, set_names};
use super::written::{
    CircuitCondition, CircuitEffect, FrameText, PinGroup, WrittenCircuitAlgorithm, WrittenRound,
};
use crate::circuit::{BeepPlan, CircuitView, Pin, PinSet};
use crate::demands::{Demands, FrameDemand};
use crate::joint::{BondSides, JointAction, JointPlan};
use crate::round::{CoinToss, Halves, RoundTable, Seat};
use crate::structure::PINS_MAX;

/// The maximum number of variables.
const VARIABLES_MAX: usize = 8;
/// The maximum number of names of sets.
const SETS_MAX: usize = 8;
/// The maximum number of rounds.
const ROUNDS_MAX: usize = 64;

type RoundCondition = CircuitCondition<usize, u8>;
type RoundEffect = CircuitEffect<usize, u8>;

/// A round, as its position in the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TableRound(u8);

acrasin_runtime::pack_fields!(TableRound { 0 });

/// The memory of an amoebot.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CircuitTableMemory {
    /// The values of the variables, in the order of their names.
    values: [u8; VARIABLES_MAX],
    /// The sets that were joined last, by name.
    sets: [Option<PinSet>; SETS_MAX],
}

acrasin_runtime::pack_fields!(CircuitTableMemory { values, sets });

#[derive(Clone, PartialEq, Eq, Debug)]
struct RoundEffects {
    name: &'static str,
    halves: Halves,
    movement: Vec<RoundEffect>,
    send: Vec<RoundEffect>,
    receive: Vec<RoundEffect>,
}

/// An algorithm that a table of rounds defines.
///
/// ```
/// use acrasin_amoebot::library::table::written::{Domain, Literal};
/// use acrasin_amoebot::{Cell, Direction, start};
/// use acrasin_circuits::table::*;
/// use acrasin_circuits::{CircuitRun, CircuitStructure, Coins};
///
/// // The seed beeps on the only circuit, and all amoebots hear it.
/// let written = WrittenCircuitAlgorithm {
///     title: "one beep".into(),
///     pins: 1,
///     frame: FrameText::Any,
///     variables: [("heard".into(), Domain::Flag), ("seed".into(), Domain::Flag)].into(),
///     shown: "heard".into(),
///     seed: [("seed".into(), Literal::Flag(true))].into(),
///     rounds: vec![WrittenRound {
///         name: "beep".into(),
///         movement: vec![],
///         send: vec![
///             CircuitEffect::Join("all".into(), vec![PinGroup::All]),
///             CircuitEffect::When(
///                 CircuitCondition::Is("seed".into(), Literal::Flag(true)),
///                 vec![CircuitEffect::Beep("all".into())],
///             ),
///         ],
///         receive: vec![CircuitEffect::WriteHeard("heard".into(), "all".into())],
///     }],
///     goal: CircuitGoal {
///         every: CircuitCondition::Is("heard".into(), Literal::Flag(true)),
///         exactly: [].into(),
///     },
/// };
/// let algorithm = CircuitTable::new(&written)?.with_seed(2);
/// let structure = CircuitStructure::contracted(&start::line(Cell::ORIGIN, Direction::East, 5)?, 1)?;
/// let mut run = CircuitRun::new(structure, algorithm, Coins::keyed(1))?;
/// while run.round()? {}
/// assert!(run.algorithm().is_reached(run.memories()));
/// assert_eq!(run.rounds_done(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CircuitTable {
    title: &'static str,
    demands: Demands,
    names: Vec<&'static str>,
    domains: Vec<Domain>,
    shown: usize,
    states: Vec<&'static str>,
    seed_values: Vec<(usize, u8)>,
    seed: Option<u32>,
    rounds: Vec<RoundEffects>,
    goal: RoundCondition,
    exactly: Vec<(u8, u64)>,
}

impl CircuitTable {
    /// Resolves all names and values of a table.
    ///
    /// # Errors
    ///
    /// A name or value is unknown, an effect is not possible at its place, sets name a pin twice, or there are too many
    /// pins, variables, sets or rounds. The error names the place in the table.
    pub fn new(written: &WrittenCircuitAlgorithm) -> Result<Self, AlgorithmTableError> {
        check(written)?;
        let sets = set_names(&written.rounds);
        if sets.len() > SETS_MAX {
            let message = format!("{} names of sets", sets.len());
            return Err(AlgorithmTableError::at("rounds", message, format!("up to {SETS_MAX}")));
        }
        let resolver = |path: String, part| TableResolver {
            variables: &written.variables,
            sets: &sets,
            rounds: &written.rounds,
            pins: written.pins,
            part,
            path,
        };
        let at = |path: &str| resolver(path.to_owned(), RoundPart::Goal);
        let place = at("shown");
        let (shown, domain) = place.variable(&written.shown)?;
        if domain.count() > CLASSES_MAX {
            let message = format!("variable {:?} has {} values", written.shown, domain.count());
            let accepted = format!("a variable of at most {CLASSES_MAX} values");
            return Err(AlgorithmTableError::at("shown", message, accepted));
        }
        let place = at("seed");
        let seed_values = written.seed.iter().map(|(name, literal)| place.value(name, literal));
        let seed_values = seed_values.collect::<Result<Vec<_>, _>>()?;
        let round = |(number, round): (usize, &WrittenRound)| {
            let effects = |part, name: &str, effects: &[CircuitEffect]| {
                resolver(format!("rounds[{number}].{name}"), part).effects(effects)
            };
            let beeps = !round.send.is_empty() || !round.receive.is_empty();
            let halves = match (round.movement.is_empty(), beeps) {
                (true, _) => Halves::Beep,
                (false, true) => Halves::Both,
                (false, false) => Halves::Movement,
            };
            Ok(RoundEffects {
                name: kept(round.name.clone()),
                halves,
                movement: effects(RoundPart::Movement, "movement", &round.movement)?,
                send: effects(RoundPart::Send, "send", &round.send)?,
                receive: effects(RoundPart::Receive, "receive", &round.receive)?,
            })
        };
        let rounds = written.rounds.iter().enumerate().map(round);
        let rounds = rounds.collect::<Result<Vec<_>, AlgorithmTableError>>()?;
        let words: Vec<String> = (0..domain.count() as u8).map(|value| domain.word(value)).collect();
        let exactly = written.goal.exactly.iter().map(|(word, count)| {
            let value = words.iter().position(|known| known == word).ok_or_else(|| {
                let message = format!("variable {:?} has no value {word:?}", written.shown);
                AlgorithmTableError::at("goal.exactly", message, words.join(", "))
            })?;
            Ok((value as u8, *count))
        });
        Ok(Self {
            title: kept(written.title.clone()),
            demands: Demands {
                pins: written.pins,
                frame: match written.frame {
                    FrameText::Any => FrameDemand::Any,
                    FrameText::Chirality => FrameDemand::Chirality,
                    FrameText::Common => FrameDemand::Common,
                },
            },
            names: written.variables.keys().map(|name| kept(name.clone())).collect(),
            domains: written.variables.values().cloned().collect(),
            shown,
            states: words.iter().map(|word| kept(word.clone())).collect(),
            seed_values,
            seed: None,
            rounds,
            goal: at("goal.every").condition(&written.goal.every)?,
            exactly: exactly.collect::<Result<_, AlgorithmTableError>>()?,
        })
    }

    /// This algorithm with the seed at an amoebot, by its number.
    #[must_use]
    pub fn with_seed(self, amoebot: u32) -> Self {
        Self { seed: Some(amoebot), ..self }
    }

    /// Whether amoebots with these memories have reached the goal.
    #[must_use]
    pub fn is_reached(&self, memories: &[CircuitTableMemory]) -> bool {
        let count = |value: u8| memories.iter().filter(|memory| memory.values[self.shown] == value).count();
        memories.iter().all(|memory| holds(&self.goal, memory, None, None))
            && self.exactly.iter().all(|&(value, exactly)| count(value) as u64 == exactly)
    }

    /// The name in reports.
    #[must_use]
    pub fn title(&self) -> &'static str {
        self.title
    }

    /// The number of pins on each side of an edge.
    #[must_use]
    pub fn pins(&self) -> u8 {
        self.demands.pins
    }

    /// Whether the seed starts with other values.
    #[must_use]
    pub fn has_seed(&self) -> bool {
        !self.seed_values.is_empty()
    }

    fn next(&self, round: TableRound) -> Option<TableRound> {
        (usize::from(round.0) + 1 < self.rounds.len()).then_some(TableRound(round.0 + 1))
    }

    fn is_write(&self, effect: &RoundEffect, memory: &mut CircuitTableMemory) -> bool {
        match effect {
            RoundEffect::Write(variable, value) => memory.values[*variable] = *value,
            RoundEffect::Increment(variable) => {
                let most = self.domains[*variable].count() - 1;
                let value = &mut memory.values[*variable];
                *value = value.saturating_add(1).min(most as u8);
            }
            _ => return false,
        }
        true
    }

    fn move_by(
        &self,
        effects: &[RoundEffect],
        seat: &Seat,
        memory: &mut CircuitTableMemory,
        plan: &mut JointPlan,
    ) {
        let towards = |label: u8| seat.orientation().direction(label);
        for effect in effects {
            if self.is_write(effect, memory) {
                continue;
            }
            match effect {
                RoundEffect::When(condition, effects) => {
                    if holds(condition, memory, Some(seat), None) {
                        self.move_by(effects, seat, memory, plan);
                    }
                }
                RoundEffect::Expand(label) => plan.action = Some(JointAction::Expand(towards(*label))),
                RoundEffect::Contract(stay) => {
                    plan.action = Some(JointAction::Contract { stay: End::from(*stay) });
                }
                RoundEffect::Push(label) => plan.action = Some(JointAction::Push(towards(*label))),
                RoundEffect::Pull(stay, label) => {
                    let (stay, direction) = (End::from(*stay), towards(*label));
                    plan.action = Some(JointAction::Pull { stay, direction });
                }
                RoundEffect::Release(end, label) => *plan = plan.releasing(End::from(*end), towards(*label)),
                RoundEffect::ReleaseAll => plan.released = BondSides::ALL,
                RoundEffect::Keep(end, label) => {
                    plan.released = plan.released.without(End::from(*end), towards(*label));
                }
                RoundEffect::Mark(label) => *plan = plan.marking(towards(*label)),
                _ => unreachable!("a table was checked: only movements move"),
            }
        }
    }

    fn send_by(
        &self,
        effects: &[RoundEffect],
        (seat, is_joined): (&Seat, &mut bool),
        memory: &mut CircuitTableMemory,
        coins: &mut CoinToss<'_>,
        plan: &mut BeepPlan<'_>,
    ) {
        for effect in effects {
            if self.is_write(effect, memory) {
                continue;
            }
            match effect {
                RoundEffect::When(condition, effects) => {
                    if holds(condition, memory, Some(seat), None) {
                        self.send_by(effects, (seat, is_joined), memory, coins, plan);
                    }
                }
                RoundEffect::Toss(variable) => memory.values[*variable] = u8::from(coins.heads()),
                RoundEffect::Join(name, groups) => {
                    if !std::mem::replace(is_joined, true) {
                        plan.reset();
                        memory.sets = [None; SETS_MAX];
                    }
                    memory.sets[*name] = Some(join(groups, plan));
                }
                // Nothing is sent on a set that the amoebot does not have.
                RoundEffect::Beep(name) => {
                    if let Some(set) = memory.sets[*name] {
                        plan.beep(set);
                    }
                }
                _ => unreachable!("a table was checked: only effects of sending"),
            }
        }
    }

    /// The next round, if an effect selects one: `Some(None)` is the end.
    fn receive_by(
        &self,
        effects: &[RoundEffect],
        seat: &Seat,
        memory: &mut CircuitTableMemory,
        heard: &CircuitView<'_>,
    ) -> Option<Option<TableRound>> {
        for effect in effects {
            if self.is_write(effect, memory) {
                continue;
            }
            match effect {
                RoundEffect::When(condition, effects) => {
                    if holds(condition, memory, Some(seat), Some(heard))
                        && let Some(next) = self.receive_by(effects, seat, memory, heard)
                    {
                        return Some(next);
                    }
                }
                RoundEffect::WriteHeard(variable, name) => {
                    memory.values[*variable] = u8::from(hears(memory, *name, heard));
                }
                RoundEffect::Go(round) => return Some(Some(TableRound(*round as u8))),
                RoundEffect::End => return Some(None),
                _ => unreachable!("a table was checked: only effects of receiving"),
            }
        }
        None
    }
}

fn hears(memory: &CircuitTableMemory, name: usize, heard: &CircuitView<'_>) -> bool {
    memory.sets[name].is_some_and(|set| heard.on(set))
}

/// Joins groups of pins into a set.
fn join(groups: &[PinGroup], plan: &mut BeepPlan<'_>) -> PinSet {
    let (pins, is_expanded) = (plan.pins(), plan.expanded);
    let of_group = |group: &PinGroup| {
        let at = |end| {
            let pins = group.head_pins(pins).into_iter();
            pins.map(move |(label, index)| Pin { end, label, index })
        };
        let has_tail = is_expanded && group.is_of_every_edge();
        at(End::Head).chain(at(End::Tail).filter(move |_| has_tail)).collect::<Vec<Pin>>()
    };
    plan.set(groups.iter().flat_map(of_group))
}

/// Whether a condition holds. Conditions of a goal have no seat, and only received beeps are heard.
fn holds(
    condition: &RoundCondition,
    memory: &CircuitTableMemory,
    seat: Option<&Seat>,
    heard: Option<&CircuitView<'_>>,
) -> bool {
    let holds = |condition: &RoundCondition| holds(condition, memory, seat, heard);
    match condition {
        RoundCondition::All(all) => all.iter().all(holds),
        RoundCondition::Any(any) => any.iter().any(holds),
        RoundCondition::Not(not) => !holds(not),
        RoundCondition::Is(variable, value) => memory.values[*variable] == *value,
        RoundCondition::In(variable, values) => values.contains(&memory.values[*variable]),
        RoundCondition::Heard(name) => heard.is_some_and(|heard| hears(memory, *name, heard)),
        RoundCondition::Neighbour(label) => seat.is_some_and(|seat| seat.has(*label)),
    }
}

impl RoundTable for CircuitTable {
    type Memory = CircuitTableMemory;
    type RoundName = TableRound;

    fn start(&self, seat: &Seat) -> (CircuitTableMemory, Option<TableRound>) {
        let mut memory = CircuitTableMemory { values: [0; VARIABLES_MAX], sets: [None; SETS_MAX] };
        if self.seed == Some(seat.number) {
            self.seed_values.iter().for_each(|&(variable, value)| memory.values[variable] = value);
        }
        (memory, Some(TableRound(0)))
    }

    fn name(&self, round: TableRound) -> &'static str {
        self.rounds[usize::from(round.0)].name
    }

    fn demands(&self) -> Demands {
        self.demands
    }

    fn halves(&self, round: TableRound) -> Halves {
        self.rounds[usize::from(round.0)].halves
    }

    fn plan(&self, round: TableRound, seat: &Seat, memory: &mut CircuitTableMemory) -> JointPlan {
        let mut plan = JointPlan::STILL;
        self.move_by(&self.rounds[usize::from(round.0)].movement, seat, memory, &mut plan);
        if plan.action.is_some() {
            // A change of form dissolves all sets.
            memory.sets = [None; SETS_MAX];
        }
        plan
    }

    fn send(
        &self,
        round: TableRound,
        seat: &Seat,
        memory: &mut CircuitTableMemory,
        coins: &mut CoinToss<'_>,
        plan: &mut BeepPlan<'_>,
    ) {
        let effects = &self.rounds[usize::from(round.0)].send;
        self.send_by(effects, (seat, &mut false), memory, coins, plan);
    }

    fn receive(
        &self,
        round: TableRound,
        seat: &Seat,
        memory: &mut CircuitTableMemory,
        heard: &CircuitView<'_>,
    ) -> Option<TableRound> {
        let effects = &self.rounds[usize::from(round.0)].receive;
        self.receive_by(effects, seat, memory, heard).unwrap_or_else(|| self.next(round))
    }

    fn classes(&self) -> &[&'static str] {
        &self.states
    }

    fn class(&self, memory: &CircuitTableMemory, _is_running: bool) -> usize {
        memory.values[self.shown].into()
    }

    fn words(&self, memory: &CircuitTableMemory) -> String {
        let value =
            |((name, domain), value): ((&&str, &Domain), &u8)| format!("{name}: {}", domain.word(*value));
        let values = self.names.iter().zip(&self.domains).zip(&memory.values).map(value);
        values.collect::<Vec<_>>().join(", ")
    }
}

/// Checks the parts of a table that have no names to resolve.
fn check(written: &WrittenCircuitAlgorithm) -> Result<(), AlgorithmTableError> {
    let refused =
        |path: &str, message: String, accepted: String| Err(AlgorithmTableError::at(path, message, accepted));
    if written.pins > PINS_MAX {
        let message = format!("{} pins on each edge", written.pins);
        return refused("pins", message, format!("0 to {PINS_MAX}"));
    }
    let variables = written.variables.len();
    if !(1..=VARIABLES_MAX).contains(&variables) {
        return refused("variables", format!("{variables} variables"), format!("1 to {VARIABLES_MAX}"));
    }
    for (name, domain) in &written.variables {
        let path = format!("variables[{name:?}]");
        if let Some((message, accepted)) = domain.mistake() {
            return refused(&path, message, accepted.to_owned());
        }
        if *domain == Domain::Port {
            let message = format!("variable {name:?} is a port");
            return refused(&path, message, "OneOf, Flag, UpTo".to_owned());
        }
    }
    let rounds = written.rounds.len();
    if !(1..=ROUNDS_MAX).contains(&rounds) {
        return refused("rounds", format!("{rounds} rounds"), format!("1 to {ROUNDS_MAX}"));
    }
    let mut names = BTreeMap::new();
    for (number, round) in written.rounds.iter().enumerate() {
        if let Some(other) = names.insert(&round.name, number) {
            let path = format!("rounds[{number}].name");
            let message = format!("round {:?} is also the name of rounds[{other}]", round.name);
            return refused(&path, message, "a different name for each round".to_owned());
        }
        if round.movement.is_empty() && round.send.is_empty() && round.receive.is_empty() {
            let accepted = "movement, send or receive with effects".to_owned();
            return refused(
                &format!("rounds[{number}]"),
                format!("round {:?} is empty", round.name),
                accepted,
            );
        }
    }
    if written.goal.exactly.is_empty()
        && matches!(&written.goal.every, CircuitCondition::All(all) if all.is_empty())
    {
        let accepted = "a condition on every amoebot, or exact numbers".to_owned();
        return refused("goal", "the goal holds for every result".to_owned(), accepted);
    }
    Ok(())
}
