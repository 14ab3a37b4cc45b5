//! Distributed binary counter: a chain of amoebots counts up and down for its leader, and reports whether it is
//! at zero.
//!
//! Source: the binary counter of Daymude, Gmyr, Hinnenthal, Kostitsyna, Scheideler, Richa, "Convex hull formation for
//! programmable matter", ICDCN 2020, as described in surveys. The text of the paper was not compared; the guards
//! are our own where the survey is silent.
//!
//! The leader P_0 has the least significant bit. One amoebot can have the *end* mark. This amoebot and all amoebots
//! after it have no bit: the bits of the amoebots before it are the number. A token is an increment + or a decrement -.
//! Tokens wait in queues, with room for one token at the leader and two at every other amoebot. B is the amoebot after
//! A.
//!
//! | action | guard | operations |
//! |---|---|---|
//! | issue | leader without token; its next operation is + or - | takes that token |
//! | test | leader; its next operation is a zero test; B holds no - | answers, see below |
//! | set | first token +, bit 0 | consumes it; bit := 1 |
//! | carry | first token +, bit 1; room at B | passes it on; bit := 0 |
//! | extend | first token +, A has the end; there is a B | consumes it; bit := 1; B has the end |
//! | overflow | first token +, A has the end; there is no B | marks the overflow; the token stays permanently |
//! | clear | first token -, bit 1; B holds no -; not the guard of shrink | consumes it; bit := 0 |
//! | shrink | first token -, bit 1, no leader; B has the end and no token | consumes it; no bit; A has the end |
//! | borrow | first token -, bit 0; room at B | passes it on; bit := 1 |
//!
//! The answer is zero if B has the end mark and no token, and the leader has either bit 0 and no token, or bit 1 and a
//! -. A clear waits while B holds a decrement, since B may be about to give up its bit, which would make the bit of A
//! the last one.
//!
//! Deviations. The operations that the leader wants, and the answers, are lists in its memory; a real application would
//! compute the operations. The survey's test only waits while B has bit 1 and holds a -. Here the end mark is outside
//! the queue, so B may also hold a + followed by a - that cancel. Hence the test waits for every -. An amoebot knows
//! the port to the next one from the start. The rules at the end of the chain are our own.

use crate::algorithm::packed_memory;
use acrasin_catalogue::counted;

use crate::model::id::AmoebotId;
use acrasin_runtime::choice::Choices;

use crate::algorithm::Convention;
use crate::algorithm::description::{AlgorithmFigure, Facts, Further};
use crate::algorithm::description::{Description, Placement};
use crate::algorithm::{ActionError, ActionOrder, Algorithm, Effects, View};
use crate::library::entry::{AlgorithmEntry, Construction, Needs};
use crate::library::parameter::{Parameter, ParameterError, ParameterKind, Values};
use crate::model::body::AmoebotPort;
use crate::model::lattice::Cell;
use crate::model::orientation::Orientation;
use crate::model::system::System;
use crate::picture::Detail;
use crate::start::{Contracted, StartError};

/// An operation of the leader.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum CounterOperation {
    /// Adds one.
    Increment,
    /// Subtracts one.
    Decrement,
    /// Tests whether the number is zero.
    TestZero,
}

acrasin_runtime::pack_variants!(CounterOperation { Increment, Decrement, TestZero });

/// A token that travels along the chain.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum CounterToken {
    /// An increment: adds one at an amoebot.
    Increment,
    /// A decrement: subtracts one at an amoebot.
    Decrement,
}

acrasin_runtime::pack_variants!(CounterToken { Increment, Decrement });

/// A first-in, first-out queue of up to two tokens.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct TokenQueue {
    first: Option<CounterToken>,
    second: Option<CounterToken>,
}

acrasin_runtime::pack_fields!(TokenQueue { first, second });

impl TokenQueue {
    /// The tokens, first to last.
    pub fn iter(self) -> impl Iterator<Item = CounterToken> {
        self.first.into_iter().chain(self.second)
    }

    fn is_empty(self) -> bool {
        self.first.is_none()
    }

    fn has_room(self) -> bool {
        self.second.is_none()
    }

    fn holds(self, token: CounterToken) -> bool {
        self.iter().any(|held| held == token)
    }

    const fn without_first(self) -> Self {
        Self { first: self.second, second: None }
    }

    /// The queue with another token at the back; the queue must have room.
    fn with(self, token: CounterToken) -> Self {
        match self.first {
            None => Self { first: Some(token), second: None },
            first => Self { first, second: Some(token) },
        }
    }
}

/// The operations of the leader, and their results.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Task {
    /// The remaining operations, the next one at the end.
    pub left: Vec<CounterOperation>,
    /// The answer of each zero test so far: whether the number was zero.
    pub answers: Vec<bool>,
}

acrasin_runtime::pack_fields!(Task { left, answers });

/// The public memory.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Memory {
    /// The bit; `None` at and after the end.
    pub bit: Option<bool>,
    /// The waiting tokens.
    pub tokens: TokenQueue,
    /// Whether this amoebot has the end mark: the amoebot before it has the most significant bit.
    pub end: bool,
    /// Whether an increment found no amoebot for another bit.
    pub overflow: bool,
    /// The port to the next amoebot of the chain.
    pub next: Option<AmoebotPort>,
    /// The leader's operations and answers; `None` at other amoebots.
    pub task: Option<Task>,
}

acrasin_runtime::pack_fields!(Memory { bit, tokens, end, overflow, next, task });

/// The labels of the actions.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Action {
    /// The leader creates a token for its next operation.
    Issue,
    /// The leader tests for zero.
    Test,
    /// Adds 1 to a bit 0.
    Set,
    /// Adds 1 to a bit 1: the bit becomes 0, and the increment moves on.
    Carry,
    /// Appends a bit to the number.
    Extend,
    /// Marks an overflow: there is no amoebot for another bit.
    Overflow,
    /// Subtracts 1 from a bit 1.
    Clear,
    /// Subtracts 1 from the last bit, and removes it.
    Shrink,
    /// Subtracts 1 from a bit 0: the bit becomes 1, and the decrement moves on.
    Borrow,
}

/// Distributed binary counter. Final: all operations are done, no token is left, and the bits and answers equal those
/// of an ordinary counter. This holds under every sequential schedule, fair or not, with any orientations. An operation
/// costs one action of the leader and at most one action per bit.
///
/// m + 1 amoebots count to 2^m - 1. If the count exceeds this, an increment reaches the last amoebot and stays there.
/// The run ends with [`overflow`](Self::overflow), possibly with operations left; the [`value`](Self::value) of all
/// tokens and bits is still exact. The tests explore all schedules of all lists of five operations on up to four
/// amoebots.
///
/// ```
/// use acrasin_amoebot::library::binary_counter::{BinaryCounter, CounterOperation};
/// use acrasin_amoebot::run::execution::{SequentialExecution, Uniform};
/// use acrasin_amoebot::{Cell, Direction, start};
/// use acrasin_runtime::Seeded;
///
/// let chain = start::line(Cell::ORIGIN, Direction::East, 5)?;
/// let operations = [CounterOperation::Increment, CounterOperation::Increment, CounterOperation::Decrement, CounterOperation::TestZero];
/// let start = BinaryCounter::start(&chain, 7, &operations, &[])?;
/// let mut execution = SequentialExecution::new(&BinaryCounter, start);
/// assert!(execution.run(100_000, &mut Uniform, &mut Seeded::new(2020)));
/// assert!(BinaryCounter::is_finished(execution.system()));
/// assert_eq!(BinaryCounter::value(execution.system()), 8);
/// assert_eq!(BinaryCounter::answers(execution.system()), [false]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct BinaryCounter;

impl Algorithm for BinaryCounter {
    type Memory = Memory;
    type Action = Action;

    fn actions(&self) -> &[Action] {
        use Action::{Borrow, Carry, Clear, Extend, Issue, Overflow, Set, Shrink, Test};
        &[Issue, Test, Set, Carry, Extend, Overflow, Clear, Shrink, Borrow]
    }

    fn order(&self) -> ActionOrder {
        ActionOrder::Any
    }

    fn enabled(&self, action: Action, a: &View<'_, Memory>) -> bool {
        let own = a.own();
        let is_leader = own.task.is_some();
        let wanted = own.task.as_ref().and_then(|task| task.left.last());
        let next = own.next.and_then(|port| a.read(port).ok());
        let has_room = next.is_some_and(|b| b.tokens.has_room());
        let no_decrement = next.is_some_and(|b| !b.tokens.holds(CounterToken::Decrement));
        let is_last_bit = !is_leader && next.is_some_and(|b| b.end && b.tokens.is_empty());
        match (action, own.tokens.first, own.bit) {
            (Action::Issue, None, _) => wanted.is_some_and(|wanted| *wanted != CounterOperation::TestZero),
            (Action::Test, _, _) => wanted == Some(&CounterOperation::TestZero) && no_decrement,
            (Action::Set, Some(CounterToken::Increment), Some(false)) => true,
            (Action::Carry, Some(CounterToken::Increment), Some(true)) => has_room,
            (Action::Extend, Some(CounterToken::Increment), None) => own.end && next.is_some(),
            (Action::Overflow, Some(CounterToken::Increment), None) => {
                own.end && next.is_none() && !own.overflow
            }
            (Action::Clear, Some(CounterToken::Decrement), Some(true)) => no_decrement && !is_last_bit,
            (Action::Shrink, Some(CounterToken::Decrement), Some(true)) => is_last_bit,
            (Action::Borrow, Some(CounterToken::Decrement), Some(false)) => has_room,
            _ => false,
        }
    }

    fn execute(
        &self,
        action: Action,
        a: &View<'_, Memory>,
        _: &mut dyn Choices,
    ) -> Result<Effects<Memory>, ActionError> {
        let mut own = a.own().clone();
        let (first, rest) = (own.tokens.first, own.tokens.without_first());
        let effects = Effects::none();
        let effects = match action {
            Action::Issue => {
                own.tokens = own.tokens.with(issued(&mut own)?);
                effects
            }
            Action::Test => {
                let zero = is_zero(a)?;
                let task = own.task.as_mut().ok_or(NO_TASK)?;
                task.left.pop();
                task.answers.push(zero);
                effects
            }
            Action::Overflow => {
                own.overflow = true;
                effects
            }
            Action::Set | Action::Clear => {
                own.tokens = rest;
                own.bit = Some(action == Action::Set);
                effects
            }
            Action::Carry | Action::Borrow => {
                let (port, mut b) = next(a)?;
                own.tokens = rest;
                own.bit = Some(action == Action::Borrow);
                b.tokens = b.tokens.with(first.ok_or(ActionError::Undefined("no token"))?);
                effects.write(port, b)
            }
            Action::Extend | Action::Shrink => {
                let (port, mut b) = next(a)?;
                own.tokens = rest;
                own.bit = (action == Action::Extend).then_some(true);
                own.end = action == Action::Shrink;
                b.end = action == Action::Extend;
                effects.write(port, b)
            }
        };
        Ok(effects.write_own(own))
    }

    fn conventions(&self) -> &'static [Convention] {
        Convention::ALL
    }

    packed_memory!();
}

const NO_TASK: ActionError = ActionError::Undefined("only the leader has operations");

/// Removes the next operation from the list, and returns it as a token.
fn issued(own: &mut Memory) -> Result<CounterToken, ActionError> {
    match own.task.as_mut().and_then(|task| task.left.pop()) {
        Some(CounterOperation::Increment) => Ok(CounterToken::Increment),
        Some(CounterOperation::Decrement) => Ok(CounterToken::Decrement),
        Some(CounterOperation::TestZero) | None => Err(NO_TASK),
    }
}

/// The port to the next amoebot of the chain, and its memory.
fn next(a: &View<'_, Memory>) -> Result<(AmoebotPort, Memory), ActionError> {
    let port = a.own().next.ok_or(ActionError::Undefined("the last amoebot has no next one"))?;
    Ok((port, a.read(port)?.clone()))
}

/// Whether the counter is at zero, judged from the memories of the leader and the next amoebot.
fn is_zero(a: &View<'_, Memory>) -> Result<bool, ActionError> {
    let (_, b) = next(a)?;
    let own = a.own();
    let adds_up_to_zero = matches!(
        (own.bit, own.tokens.first),
        (Some(false), None) | (Some(true), Some(CounterToken::Decrement))
    );
    Ok(b.end && b.tokens.is_empty() && adds_up_to_zero)
}

/// Errors of starting a counter.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CounterError {
    /// There are no cells, too many, or a duplicate.
    #[error(transparent)]
    Start(#[from] StartError),
    /// Two consecutive cells are not adjacent.
    #[error("cell {next} follows {cell} in the chain, but is not adjacent to it")]
    Broken {
        /// The first of the two cells.
        cell: Cell,
        /// The second of the two cells.
        next: Cell,
    },
    /// The initial number has more bits than there are amoebots after the leader.
    #[error("{} for the number {value} (accepted: {needed} or more)", counted(*.given, "amoebot"))]
    TooFewAmoebots {
        /// The initial number.
        value: u64,
        /// The minimum number of amoebots for this number.
        needed: usize,
        /// The number of amoebots given.
        given: usize,
    },
    /// There are more operations than [`BinaryCounter::OPERATIONS_MAX`].
    #[error("{operations} operations (accepted: up to {})", BinaryCounter::OPERATIONS_MAX)]
    TooManyOperations {
        /// The number of operations given.
        operations: usize,
    },
    /// An operation decrements zero.
    #[error(
        "after {operation} single operations the number is 0, and the next one decrements it: the number must stay 0 or more"
    )]
    BelowZero {
        /// The position of the operation, counted from 0.
        operation: usize,
    },
}

impl BinaryCounter {
    /// The maximum number of operations of a list.
    pub const OPERATIONS_MAX: usize = 1 << 20;

    /// The start configuration: all amoebots contracted, with the bits of `value` in the chain. The leader is amoebot 0
    /// on the first cell and has the operations. Amoebot i is on cell i and has orientation i; without an entry it has
    /// the common orientation. O(n).
    ///
    /// # Errors
    ///
    /// There are no cells, too many, or a duplicate. The cells are not a chain, or too few for the number: at least two
    /// are needed. There are too many operations, or an operation decrements zero.
    pub fn start(
        cells: &[Cell],
        value: u64,
        operations: &[CounterOperation],
        orientations: &[Orientation],
    ) -> Result<System<Memory>, CounterError> {
        let bits = value.checked_ilog2().map_or(1, |last| last as usize + 1);
        let start = Contracted::new(cells, orientations);
        let system = start.system(|id| {
            let i = id.index();
            let next = cells.get(i + 1).and_then(|next| cells[i].direction_to(*next));
            let left = || operations.iter().rev().copied().collect();
            Memory {
                bit: (i < bits).then(|| value.checked_shr(i as u32).unwrap_or(0) & 1 == 1),
                tokens: TokenQueue::default(),
                end: i == bits,
                overflow: false,
                next: next.map(|direction| AmoebotPort::head(start.orientation(i).label(direction))),
                task: (i == 0).then(|| Task { left: left(), answers: Vec::new() }),
            }
        })?;
        if let Some(pair) = cells.windows(2).find(|pair| pair[0].direction_to(pair[1]).is_none()) {
            return Err(CounterError::Broken { cell: pair[0], next: pair[1] });
        }
        if cells.len() <= bits {
            return Err(CounterError::TooFewAmoebots { value, needed: bits + 1, given: cells.len() });
        }
        if operations.len() > Self::OPERATIONS_MAX {
            return Err(CounterError::TooManyOperations { operations: operations.len() });
        }
        let mut counter = i128::from(value);
        for (i, operation) in operations.iter().enumerate() {
            counter += match operation {
                CounterOperation::Increment => 1,
                CounterOperation::Decrement => -1,
                CounterOperation::TestZero => 0,
            };
            if counter < 0 {
                return Err(CounterError::BelowZero { operation: i });
            }
        }
        Ok(system)
    }

    /// The number: the sum of all bits and tokens, weighted by their positions. It changes only when the leader issues
    /// a token. O(n).
    #[must_use]
    pub fn value(system: &System<Memory>) -> i128 {
        let of = |memory: &Memory| {
            let token = |token| if token == CounterToken::Increment { 1 } else { -1 };
            i128::from(memory.bit == Some(true)) + memory.tokens.iter().map(token).sum::<i128>()
        };
        // Horner's rule from the last amoebot; amoebots after the end add nothing.
        (0..system.len() as u32).rev().fold(0, |value, id| 2 * value + of(system.memory(AmoebotId(id))))
    }

    /// The answers of the zero tests so far.
    ///
    /// # Panics
    ///
    /// Panics if amoebot 0 is not a leader: the system is not from [`start`](Self::start).
    #[must_use]
    pub fn answers(system: &System<Memory>) -> &[bool] {
        &system.memory(AmoebotId(0)).task.as_ref().expect("amoebot 0 leads").answers
    }

    /// Whether an increment found no amoebot for another bit.
    #[must_use]
    pub fn overflow(system: &System<Memory>) -> bool {
        system.ids().any(|id| system.memory(id).overflow)
    }

    /// Whether the leader has done all operations and no token is left.
    #[must_use]
    pub fn is_finished(system: &System<Memory>) -> bool {
        let task = system.memory(AmoebotId(0)).task.as_ref();
        task.is_some_and(|task| task.left.is_empty())
            && system.ids().all(|id| system.memory(id).tokens.is_empty())
    }
}

/// The catalogue entry of the binary counter.
pub const ENTRY: AlgorithmEntry = AlgorithmEntry {
    name: "BinaryCounter",
    title: "binary counter",
    summary: "amoebots: the leader uses a chain of amoebots as a binary counter",
    parameters: &[
        Parameter::optional("value", ParameterKind::Count, "the initial number; 0 by default"),
        Parameter::required(
            "operations",
            ParameterKind::Steps { words: &["Increment", "Decrement", "TestZero"], counted: 2 },
            "the operations of the leader, in order",
        ),
    ],
    needs: Needs::NOTHING,
    read: |values| CounterInput::of(values).map(Construction::algorithm),
};

/// A counter with the parameters of its start. The cells form a chain with the leader first: each is adjacent to the
/// previous one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CounterInput {
    /// The number at the start.
    pub value: u64,
    /// The operations of the leader, in order.
    pub operations: Vec<CounterOperation>,
}

impl CounterInput {
    fn of(values: &Values) -> Result<Self, ParameterError> {
        let steps = values.steps("operations").expect("it is required");
        // The list is expanded before the run, so its total length is limited.
        let all = steps.iter().map(|(_, times)| *times).fold(0, u64::saturating_add);
        if all > BinaryCounter::OPERATIONS_MAX as u64 {
            return Err(ParameterError::new("operations", format!("{all} operations"))
                .accepting(format!("up to {}", BinaryCounter::OPERATIONS_MAX)));
        }
        let each = steps.iter().flat_map(|(word, times)| {
            let operation = match *word {
                "Increment" => CounterOperation::Increment,
                "Decrement" => CounterOperation::Decrement,
                _ => CounterOperation::TestZero,
            };
            std::iter::repeat_n(operation, *times as usize)
        });
        Ok(Self { value: values.count("value").unwrap_or(0), operations: each.collect() })
    }

    /// The final value and the answers that an ordinary counter would give.
    fn expected(&self) -> (i128, Vec<bool>) {
        let mut value = i128::from(self.value);
        let mut answers = Vec::new();
        for operation in &self.operations {
            match operation {
                CounterOperation::Increment => value += 1,
                CounterOperation::Decrement => value -= 1,
                CounterOperation::TestZero => answers.push(value == 0),
            }
        }
        (value, answers)
    }
}

/// Describes the counter. The goal is the final value of an ordinary counter, with the same answers.
impl Description for CounterInput {
    type Memory = Memory;
    type Algorithm = BinaryCounter;

    fn algorithm(&self) -> &BinaryCounter {
        &BinaryCounter
    }

    fn facts(&self) -> Facts<'_> {
        Facts {
            states: &["bit 0", "bit 1", "no bit", "with a token"],
            variables: &["bit"],
            is_static: true,
            ..Facts::default()
        }
    }

    fn state(&self, memory: &Memory) -> usize {
        match memory.bit {
            _ if memory.tokens.iter().next().is_some() => 3,
            Some(bit) => usize::from(bit),
            None => 2,
        }
    }

    fn detail(&self, memory: &Memory) -> Detail {
        Detail { parent: None, direction: memory.next, tokens: memory.tokens.iter().count() as u8 }
    }

    fn value(&self, memory: &Memory, _: usize) -> String {
        memory.bit.map_or("none", |bit| if bit { "1" } else { "0" }).to_owned()
    }

    fn start(&self, placement: &Placement) -> Result<System<Memory>, String> {
        BinaryCounter::start(&placement.cells, self.value, &self.operations, &placement.orientations)
            .map_err(|error| error.to_string())
    }

    fn is_finished(&self, system: &System<Memory>) -> bool {
        let (value, answers) = self.expected();
        BinaryCounter::is_finished(system)
            && BinaryCounter::value(system) == value
            && BinaryCounter::answers(system) == answers
    }

    fn further(&self, system: &System<Memory>) -> Option<Further> {
        let answers = BinaryCounter::answers(system);
        let zeros = answers.iter().filter(|answer| **answer).count();
        let figures = vec![
            AlgorithmFigure::text("value", "value", BinaryCounter::value(system).to_string()),
            AlgorithmFigure::count("tests", "zero tests", answers.len() as u64),
            AlgorithmFigure::count("zeros", "zero tests that found zero", zeros as u64),
            AlgorithmFigure::flag("overflow", "too few amoebots", BinaryCounter::overflow(system)),
        ];
        Some(Further { key: "counter", title: "Counter", figures })
    }
}
