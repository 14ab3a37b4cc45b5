//! [`RuleCache`]: the results of a Python rule for pairs of states. The rule is called at most once per pair, when the
//! result is first needed.

use std::cell::{Cell, RefCell};
use std::hash::{BuildHasherDefault, DefaultHasher};
use std::sync::Mutex;

use acrasin_protocols::lazy::{Memory, MemoryRows};
use acrasin_protocols::protocol::draw;
use acrasin_protocols::{Protocol, WeightedOutcomes};
use acrasin_runtime::choice::Choices;
use hashbrown::HashMap;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// The known results of pairs: in rows for states with small numbers, in a map for others.
#[derive(Default)]
pub(crate) struct Memo {
    rows: MemoryRows,
    others: HashMap<(u32, u32), Memory, BuildHasherDefault<DefaultHasher>>,
    lotteries: Vec<WeightedOutcomes<u32>>,
    /// The number of ordered pairs with a known result.
    pairs: u64,
}

impl Memo {
    #[inline]
    fn get(&self, a: u32, b: u32) -> Memory {
        if MemoryRows::holds(a, b) {
            return self.rows.get(a, b);
        }
        self.others.get(&(a, b)).copied().unwrap_or_default()
    }

    fn insert(&mut self, a: u32, b: u32, mut outcomes: WeightedOutcomes<u32>) {
        let memory = match outcomes[..] {
            [(_, (c, d))] => Memory::Fixed(c, d),
            _ => {
                outcomes.shrink_to_fit();
                self.lotteries.push(outcomes);
                Memory::Drawn((self.lotteries.len() - 1) as u32)
            }
        };
        self.pairs += 1;
        if MemoryRows::holds(a, b) {
            self.rows.insert(a, b, memory);
        } else {
            self.others.insert((a, b), memory);
        }
    }

    fn outcomes(&self, a: u32, b: u32) -> Option<WeightedOutcomes<u32>> {
        match self.get(a, b) {
            Memory::Unmet => None,
            Memory::Fixed(c, d) => Some(vec![(1, (c, d))]),
            Memory::Drawn(list) => Some(self.lotteries[list as usize].clone()),
        }
    }
}

/// A Python rule that is called on demand, with its known results.
#[pyclass(frozen, module = "acrasin._acrasin", name = "Met")]
pub(crate) struct RuleCache {
    /// The Python function `ask(a, b, reverse)`. It returns the result of the ordered pair (a, b) of state numbers, and
    /// that of (b, a) or `None`. `reverse` is the result of (b, a) if it is known already, otherwise `None`.
    ask: Py<PyAny>,
    /// The results of the rule; `None` while a run uses them.
    memo: Mutex<Option<Memo>>,
}

type OutcomeTriples = Vec<(u32, u32, u32)>;

fn listed(outcomes: &WeightedOutcomes<u32>) -> OutcomeTriples {
    outcomes.iter().map(|&(weight, (c, d))| (weight, c, d)).collect()
}

fn checked(outcomes: OutcomeTriples) -> PyResult<WeightedOutcomes<u32>> {
    let total: u64 = outcomes.iter().map(|&(weight, ..)| u64::from(weight)).sum();
    if outcomes.iter().any(|&(weight, ..)| weight == 0) || !(1..=u64::from(u32::MAX)).contains(&total) {
        return Err(PyValueError::new_err(
            "a rule returned outcomes with wrong weights (accepted: numbers from 1, with a sum below 2^32)",
        ));
    }
    Ok(outcomes.into_iter().map(|(weight, c, d)| (weight, (c, d))).collect())
}

impl RuleCache {
    /// Calls `with` with exclusive access to the rule. Returns the exception if the rule has raised one.
    pub(crate) fn with<T>(&self, with: impl FnOnce(&CalledRule<'_>) -> T) -> PyResult<T> {
        let memo = self.memo.lock().ok().and_then(|mut memo| memo.take());
        let Some(mut memo) = memo else {
            return Err(PyValueError::new_err(
                "another thread is using this rule (accepted: one run at a time among simulations that were \
                 derived from each other)",
            ));
        };
        let asked = CalledRule {
            ask: &self.ask,
            memo: RefCell::new(&mut memo),
            error: RefCell::new(None),
            failed: Cell::new(false),
        };
        let result = with(&asked);
        let error = asked.error.take();
        if let Ok(mut place) = self.memo.lock() {
            *place = Some(memo);
        }
        error.map_or(Ok(result), Err)
    }
}

#[pymethods]
impl RuleCache {
    #[new]
    fn new(ask: Py<PyAny>) -> Self {
        Self { ask, memo: Mutex::new(Some(Memo::default())) }
    }

    /// The number of ordered pairs of states with a known result.
    #[getter]
    fn pairs(&self) -> PyResult<u64> {
        self.with(|asked| asked.memo.borrow().pairs)
    }

    /// The outcomes of a pair, each as weight and new states.
    fn outcomes(&self, a: u32, b: u32) -> PyResult<OutcomeTriples> {
        self.with(|asked| listed(&Protocol::outcomes(asked, a, b)))
    }

    /// All known pairs of states below `states`, with their outcomes.
    fn known(&self, states: u32) -> PyResult<Vec<((u32, u32), OutcomeTriples)>> {
        self.with(|asked| {
            let memo = asked.memo.borrow();
            let mut known: Vec<(u32, u32)> = memo.others.keys().copied().collect();
            known.extend(memo.rows.met());
            known.retain(|&(a, b)| a.max(b) < states);
            known.sort_unstable();
            let outcomes = |(a, b)| memo.outcomes(a, b).map(|outcomes| ((a, b), listed(&outcomes)));
            known.into_iter().filter_map(outcomes).collect()
        })
    }

    /// Adds the results that [`known`](Self::known) of another cache has returned.
    fn learn(&self, known: Vec<((u32, u32), OutcomeTriples)>) -> PyResult<()> {
        let known = known.into_iter().map(|(pair, outcomes)| Ok((pair, checked(outcomes)?)));
        let known: Vec<_> = known.collect::<PyResult<_>>()?;
        self.with(|asked| {
            let mut memo = asked.memo.borrow_mut();
            for ((a, b), outcomes) in known {
                if memo.get(a, b) == Memory::Unmet {
                    memo.insert(a, b, outcomes);
                }
            }
        })
    }
}

/// A Python rule during a run, as a protocol whose states are the numbers given to the Python states.
pub(crate) struct CalledRule<'a> {
    ask: &'a Py<PyAny>,
    memo: RefCell<&'a mut Memo>,
    error: RefCell<Option<PyErr>>,
    failed: Cell<bool>,
}

impl CalledRule<'_> {
    /// Whether the rule has raised an exception. From then on interactions do not change states.
    #[inline]
    pub(crate) fn has_failed(&self) -> bool {
        self.failed.get()
    }

    /// The result of a pair. Calls the rule if the result is not known. Returns `Unmet` if the rule raises an
    /// exception.
    pub(crate) fn memory(&self, a: u32, b: u32) -> Memory {
        let known = self.memo.borrow().get(a, b);
        if known != Memory::Unmet || self.has_failed() {
            return known;
        }
        match self.learn(a, b) {
            Ok(()) => self.memo.borrow().get(a, b),
            Err(error) => {
                self.failed.set(true);
                *self.error.borrow_mut() = Some(error);
                Memory::Unmet
            }
        }
    }

    /// The result of a pair if it is known, otherwise `Unmet`. Does not call the rule.
    pub(crate) fn known(&self, a: u32, b: u32) -> Memory {
        self.memo.borrow().get(a, b)
    }

    fn learn(&self, a: u32, b: u32) -> PyResult<()> {
        let reverse = self.memo.borrow().outcomes(b, a).map(|outcomes| listed(&outcomes));
        let said = Python::attach(|py| {
            self.ask.call1(py, (a, b, reverse))?.extract::<(OutcomeTriples, Option<OutcomeTriples>)>(py)
        })?;
        let mut memo = self.memo.borrow_mut();
        memo.insert(a, b, checked(said.0)?);
        if let Some(reverse) = said.1
            && memo.get(b, a) == Memory::Unmet
        {
            memo.insert(b, a, checked(reverse)?);
        }
        Ok(())
    }

    /// Whether an interaction of a pair with the result `memory` may change a state. Unless agents have positions
    /// (`have_places`), an exchange of the two states does not count as a change.
    pub(crate) fn changes(&self, (a, b): (u32, u32), memory: Memory, have_places: bool) -> bool {
        let differs = |&(c, d): &(u32, u32)| (c, d) != (a, b) && (have_places || (c, d) != (b, a));
        match memory {
            Memory::Unmet => false,
            Memory::Fixed(c, d) => differs(&(c, d)),
            Memory::Drawn(list) => {
                self.memo.borrow().lotteries[list as usize].iter().any(|(_, pair)| differs(pair))
            }
        }
    }
}

/// If the rule raises an exception, the states of the pair do not change.
impl Protocol for CalledRule<'_> {
    type State = u32;
    type Output = u32;

    fn transition(&self, initiator: u32, responder: u32) -> (u32, u32) {
        self.outcomes(initiator, responder)[0].1
    }

    fn output(&self, state: u32) -> u32 {
        state
    }

    fn outcomes(&self, initiator: u32, responder: u32) -> WeightedOutcomes<u32> {
        self.memory(initiator, responder);
        let known = self.memo.borrow().outcomes(initiator, responder);
        known.unwrap_or_else(|| vec![(1, (initiator, responder))])
    }

    #[inline]
    fn interact(&self, initiator: u32, responder: u32, choices: &mut dyn Choices) -> (u32, u32) {
        match self.memory(initiator, responder) {
            Memory::Unmet => (initiator, responder),
            Memory::Fixed(c, d) => (c, d),
            Memory::Drawn(list) => draw(&self.memo.borrow().lotteries[list as usize], choices),
        }
    }
}
