//! Populations whose states are discovered during the run.

use acrasin_protocols::{Protocol, UniformPairs};
use acrasin_runtime::node::NodeId;
use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::ctrl_c::until_done;
use crate::draws::PyDraws;
use crate::edges::EdgeArray;
use crate::rule_cache::{CalledRule, RuleCache};
use crate::shared::Shared;
use crate::table::value_error;

/// The number of interactions between two checks for Ctrl-C. This many take a millisecond if the rule is not called.
const STRETCH: u64 = 1 << 16;
/// The first bytes of a saved population.
const KEPT: &[u8; 8] = b"acrlazy1";

/// A placeholder for the Python rule between two runs.
struct NoRule;

impl Protocol for NoRule {
    type State = u32;
    type Output = u32;

    fn transition(&self, initiator: u32, responder: u32) -> (u32, u32) {
        (initiator, responder)
    }

    fn output(&self, state: u32) -> u32 {
        state
    }
}

type LazyAgents = UniformPairs<'static, NoRule>;

/// Agents under the sequential uniform scheduler, with states numbered by a [`RuleCache`].
#[pyclass(frozen, module = "acrasin._acrasin", name = "LazyPopulation")]
pub(crate) struct PyLazyPopulation {
    met: Py<RuleCache>,
    inner: Shared<LazyRun>,
}

struct LazyRun {
    /// The agents; `None` during a run, and after a run that panicked.
    agents: Option<LazyAgents>,
    draws: PyDraws,
    interactions: u64,
    counts: Vec<u64>,
    /// Two states whose interaction may change a state, found by the last test for silence. They are tested first.
    witness: Option<(u32, u32)>,
}

fn agents_of(states: Vec<u32>, edges: Option<Vec<[NodeId; 2]>>) -> PyResult<LazyAgents> {
    match edges {
        None => UniformPairs::complete(&NoRule, states),
        Some(edges) => UniformPairs::on_edges(&NoRule, states, edges),
    }
    .map_err(value_error)
}

fn counts_of(states: &[u32]) -> Vec<u64> {
    let mut counts = Vec::new();
    for &state in states {
        let place = state as usize;
        if counts.len() <= place {
            counts.resize(place + 1, 0);
        }
        counts[place] += 1;
    }
    counts
}

impl LazyRun {
    fn of(states: Vec<u32>, edges: Option<Vec<[NodeId; 2]>>, draws: PyDraws) -> PyResult<Self> {
        // Every state must have a number of the table: a larger number would take memory without having a meaning.
        let counts = counts_of(&states);
        let agents = agents_of(states, edges)?;
        Ok(Self { agents: Some(agents), draws, interactions: 0, counts, witness: None })
    }

    fn states(&self) -> &[u32] {
        self.agents.as_ref().map_or(&[], |agents| agents.states())
    }

    fn edges(&self) -> Option<&[[NodeId; 2]]> {
        self.agents.as_ref().and_then(|agents| agents.edges())
    }

    /// Whether no interaction can change a state. False if the rule raises an exception.
    fn is_silent_under(&mut self, asked: &CalledRule<'_>) -> bool {
        if let Some(edges) = self.edges() {
            let states = self.states();
            let pairs = edges.iter().map(|[u, v]| (states[u.index()], states[v.index()]));
            let changes = |pair: (u32, u32)| asked.changes(pair, asked.memory(pair.0, pair.1), true);
            return !pairs.into_iter().any(|(a, b)| changes((a, b)) || changes((b, a)) || asked.has_failed());
        }
        let enough = |(a, b): (u32, u32)| {
            let count = |state: u32| self.counts.get(state as usize).copied().unwrap_or(0);
            count(a) > 0 && count(b) > u64::from(a == b)
        };
        if self.witness.is_some_and(enough) {
            return false;
        }
        let present: Vec<u32> =
            (0..self.counts.len() as u32).filter(|&state| self.counts[state as usize] > 0).collect();
        let pairs = || {
            present.iter().flat_map(|&a| present.iter().map(move |&b| (a, b))).filter(|&pair| enough(pair))
        };
        // Known results come first: the rule is only called if they do not decide.
        self.witness = pairs()
            .find(|&pair| asked.changes(pair, asked.known(pair.0, pair.1), false))
            .or_else(|| pairs().find(|&pair| asked.changes(pair, asked.memory(pair.0, pair.1), false)));
        self.witness.is_none() && !asked.has_failed()
    }

    /// Continues until the total number of interactions is `to`. If `until_silent` is set, silence is tested after each
    /// change and ends the run. If the rule raises an exception, the run ends before that interaction. Returns whether
    /// the run ended by silence.
    fn run_under(&mut self, asked: &CalledRule<'_>, to: u64, until_silent: bool) -> bool {
        let mut is_silent = until_silent && self.is_silent_under(asked);
        let agents = self.agents.take().expect("they are there between two runs");
        let mut agents = agents.with_protocol(asked);
        while self.interactions < to && !is_silent && !asked.has_failed() {
            let interaction = agents.step(&mut self.draws);
            if asked.has_failed() {
                self.draws.meet_again();
                break;
            }
            self.interactions += 1;
            let (before, after) = (interaction.before, interaction.after);
            if before == after {
                continue;
            }
            for state in [before.0, before.1] {
                self.counts[state as usize] -= 1;
            }
            for state in [after.0, after.1] {
                let place = state as usize;
                if self.counts.len() <= place {
                    self.counts.resize(place + 1, 0);
                }
                self.counts[place] += 1;
            }
            is_silent = until_silent && self.is_silent_under(asked);
        }
        self.agents = Some(agents.with_protocol(&NoRule));
        is_silent && !asked.has_failed()
    }
}

#[pymethods]
impl PyLazyPopulation {
    /// Creates agents with these states, on the complete graph or on the edges of another graph.
    #[new]
    #[pyo3(signature = (met, states, edges, seed))]
    fn new(
        met: Py<RuleCache>,
        states: PyReadonlyArray1<'_, u32>,
        edges: Option<EdgeArray<'_>>,
        seed: u64,
    ) -> PyResult<Self> {
        let node_pairs = |pairs: &mut dyn ExactSizeIterator<Item = [u32; 2]>| {
            pairs.map(|pair| pair.map(NodeId)).collect::<Vec<_>>()
        };
        let edges = edges.map(|edges| edges.read(node_pairs)).transpose()?;
        let inner = LazyRun::of(states.as_array().iter().copied().collect(), edges, PyDraws::new(seed))?;
        Ok(Self { met, inner: Shared::new(inner) })
    }

    /// Creates another population on the same edges, in these states and with this seed.
    fn restarted(&self, py: Python<'_>, states: PyReadonlyArray1<'_, u32>, seed: u64) -> PyResult<Self> {
        let states = states.as_array().iter().copied().collect();
        let edges = self.inner.with(py, |inner| inner.edges().map(<[_]>::to_vec))?;
        let inner = Shared::new(LazyRun::of(states, edges, PyDraws::new(seed))?);
        Ok(Self { met: self.met.clone_ref(py), inner })
    }

    /// Restarts the agents in these states with this seed.
    fn restart_with(&self, py: Python<'_>, states: PyReadonlyArray1<'_, u32>, seed: u64) -> PyResult<()> {
        let states: Vec<u32> = states.as_array().iter().copied().collect();
        let counts = counts_of(&states);
        self.inner.with(py, |inner| {
            let fits = inner.edges().is_none() || states.len() == inner.states().len();
            if !fits || states.len() < 2 {
                let accepted = if fits { "2 or more" } else { "one per node" };
                return Err(PyValueError::new_err(format!("{} states (accepted: {accepted})", states.len())));
            }
            let edges = inner.agents.take().and_then(UniformPairs::into_edges);
            inner.agents = Some(agents_of(states, edges)?);
            inner.draws = PyDraws::new(seed);
            (inner.interactions, inner.counts, inner.witness) = (0, counts, None);
            Ok(())
        })?
    }

    #[getter]
    fn interactions(&self, py: Python<'_>) -> PyResult<u64> {
        self.inner.with(py, |inner| inner.interactions)
    }

    /// The number of agents in each state, indexed by the number of the state. States beyond the end of the array have
    /// no agents.
    fn counts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<u64>>> {
        let counts = self.inner.with(py, |inner| inner.counts.clone())?;
        Ok(PyArray1::from_vec(py, counts))
    }

    /// The state of each agent.
    #[pyo3(name = "states")]
    fn states_array<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<u32>>> {
        let states = self.inner.with(py, |inner| inner.states().to_vec())?;
        Ok(PyArray1::from_vec(py, states))
    }

    /// Whether no interaction can change a state. May call the rule for present states.
    fn is_silent(&self, py: Python<'_>) -> PyResult<bool> {
        let met = self.met.clone_ref(py);
        self.inner.with(py, |inner| met.get().with(|asked| inner.is_silent_under(asked)))?
    }

    /// Runs to a total number of interactions, like `Population.run_to`.
    #[pyo3(signature = (interactions, seconds = None))]
    fn run_to(&self, py: Python<'_>, interactions: u64, seconds: Option<f64>) -> PyResult<bool> {
        Ok(self.go_on(py, interactions, false, seconds)?.is_some())
    }

    /// Runs until no interaction can change a state. On the complete graph the run stops exactly at the interaction
    /// after which this holds. On other graphs silence is tested once every n interactions for n agents.
    #[pyo3(signature = (text, limit, seconds = None))]
    fn run_until(&self, py: Python<'_>, text: &str, limit: u64, seconds: Option<f64>) -> PyResult<bool> {
        if text != "silent" {
            return Err(PyValueError::new_err(format!(
                "{text:?} with states that are discovered during the run (accepted: 'silent', a time, or a \
                 function of the counts)"
            )));
        }
        Ok(self.go_on(py, limit, true, seconds)?.unwrap_or(false))
    }

    /// The saved form of the run as bytes, without the rule and its results.
    fn save<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = self.inner.with(py, |inner| inner.save())?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// Restores a saved run whose states are below `known`.
    #[staticmethod]
    fn restore(met: Py<RuleCache>, bytes: &[u8], known: u32) -> PyResult<Self> {
        let wrong =
            || PyValueError::new_err("not a saved population (accepted: the bytes that save returned)");
        let rest = bytes.strip_prefix(KEPT).ok_or_else(wrong)?;
        let (head, rest) = rest.split_at_checked(8 * 10).ok_or_else(wrong)?;
        let head: Vec<u64> = head
            .chunks_exact(8)
            .map(|word| u64::from_le_bytes(word.try_into().expect("eight bytes")))
            .collect();
        let words: Vec<u32> = rest
            .chunks_exact(4)
            .map(|word| u32::from_le_bytes(word.try_into().expect("four bytes")))
            .collect();
        let (agents, edges) = (head[8], (head[9] != u64::MAX).then_some(head[9]));
        let length = u128::from(agents) + 2 * u128::from(edges.unwrap_or(0));
        if rest.len() % 4 != 0 || length != words.len() as u128 {
            return Err(wrong());
        }
        let (states, pairs) = words.split_at(agents as usize);
        if states.iter().any(|&state| state >= known) {
            return Err(wrong());
        }
        let pairs = pairs.chunks_exact(2).map(|pair| [NodeId(pair[0]), NodeId(pair[1])]).collect();
        let draws = PyDraws::restore(head[..7].try_into().expect("seven numbers"));
        let mut inner = LazyRun::of(states.to_vec(), edges.map(|_| pairs), draws)?;
        inner.interactions = head[7];
        Ok(Self { met, inner: Shared::new(inner) })
    }
}

impl LazyRun {
    fn save(&self) -> Vec<u8> {
        let mut bytes = KEPT.to_vec();
        let mut number = |number: u64| bytes.extend(number.to_le_bytes());
        self.draws.save().into_iter().for_each(&mut number);
        number(self.interactions);
        number(self.states().len() as u64);
        number(self.edges().map_or(u64::MAX, |edges| edges.len() as u64));
        let edges = self.edges().into_iter().flatten().flatten().map(|node| node.0);
        for word in self.states().iter().copied().chain(edges) {
            bytes.extend(word.to_le_bytes());
        }
        bytes
    }
}

impl PyLazyPopulation {
    /// Runs to this total number of interactions, or until silence if requested. Returns whether the population is
    /// silent; `None` if `seconds` have passed before.
    fn go_on(
        &self,
        py: Python<'_>,
        to: u64,
        until_silent: bool,
        seconds: Option<f64>,
    ) -> PyResult<Option<bool>> {
        let met = self.met.clone_ref(py);
        until_done(py, &self.inner, seconds, |inner| {
            let has_places = inner.edges().is_some();
            // A test visits all edges, so it is made less often.
            let agents = inner.states().len() as u64;
            let (stretch, each) =
                if has_places && until_silent { (agents, false) } else { (STRETCH, until_silent) };
            let next = inner.interactions.saturating_add(stretch).min(to);
            let done = met.get().with(|asked| {
                let is_silent = until_silent && has_places && inner.is_silent_under(asked);
                is_silent || inner.run_under(asked, next, each)
            });
            match done {
                Ok(false) if inner.interactions < to => None,
                Ok(false) if has_places && until_silent => {
                    Some(met.get().with(|asked| inner.is_silent_under(asked)))
                }
                done => Some(done),
            }
        })?
        .transpose()
    }
}
