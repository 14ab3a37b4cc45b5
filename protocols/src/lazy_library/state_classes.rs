//! Models of protocols whose states are discovered while running.

use std::borrow::Cow;
use std::cell::Cell;
use std::fmt;
use std::hash::Hasher as _;

use acrasin_process::{Advance, Condition, Metric, Process, Progress, RestoreError, RunBound};
use acrasin_runtime::Digest;
use acrasin_runtime::choice::{Choices, Seeded, derived_seed};

use super::model::{LazyModel, LazyStart, SILENCE_PAIRS};
use crate::lazy::{ChangeSearch, Discovery, LazyPopulation};
use crate::protocol::Protocol;
use crate::uniform::saved::{SavedKind, SavedReader, Writer, plan_digest};
use crate::uniform_pairs::PopulationError;

/// The random stream for arbitrary initial states.
const START_SEED: u64 = 1 << 33;

/// Detects whether the outputs are final, from the states of all agents and the edges between them.
pub(super) type Stability<S> = fn(&[S], &[[usize; 2]]) -> bool;

/// A lazily discovered protocol with the classes of its states.
pub(super) struct StateClasses<P: Protocol> {
    pub(super) protocol: P,
    pub(super) classes: Vec<String>,
    pub(super) outputs: Vec<String>,
    pub(super) starts: &'static [&'static str],
    /// The index of a state's class in `classes`.
    pub(super) class: fn(&P::State) -> usize,
    /// The initial state of an agent, by the index of its start in `starts`. An arbitrary initial state is drawn at
    /// random.
    pub(super) start: fn(&P, usize, &mut dyn Choices) -> P::State,
    pub(super) stability: Option<Stability<P::State>>,
}

impl<P: Protocol> fmt::Debug for StateClasses<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StateClasses").field("classes", &self.classes).finish_non_exhaustive()
    }
}

impl<P: Protocol<State: Send + Sync> + fmt::Debug + Send + Sync> LazyModel for StateClasses<P> {
    fn classes(&self) -> &[String] {
        &self.classes
    }

    fn outputs(&self) -> &[String] {
        &self.outputs
    }

    fn starts(&self) -> &[&'static str] {
        self.starts
    }

    fn tells_stability(&self) -> bool {
        self.stability.is_some()
    }

    fn run(
        &self,
        start: &LazyStart,
        seed: u64,
        drive: &mut dyn FnMut(&mut dyn Process),
    ) -> Result<(), PopulationError> {
        let mut choices = Seeded::new(derived_seed(seed, START_SEED));
        let states: Vec<P::State> = start
            .agents
            .iter()
            .map(|&start| (self.start)(&self.protocol, usize::from(start), &mut choices))
            .collect();
        let discovery = Discovery::new(&self.protocol);
        let population = match &start.edges {
            None => LazyPopulation::complete(&discovery, &states, seed)?,
            Some(edges) => LazyPopulation::on_edges(&discovery, &states, edges.clone(), seed)?,
        };
        let mut counts = vec![0; self.classes.len()];
        states.iter().for_each(|state| counts[(self.class)(state)] += 1);
        drive(&mut ClassifiedRun {
            model: self,
            discovery: &discovery,
            population,
            classes: Vec::new(),
            counts,
            start,
            looked_at: Cell::new(0),
        });
        Ok(())
    }
}

struct ClassifiedRun<'a, P: Protocol> {
    model: &'a StateClasses<P>,
    discovery: &'a Discovery<'a, P>,
    population: LazyPopulation<'a, P>,
    /// The class of each discovered state, by its number.
    classes: Vec<usize>,
    counts: Vec<u64>,
    start: &'a LazyStart,
    /// The position at which the test for silence continues.
    looked_at: Cell<u64>,
}

impl<P: Protocol + fmt::Debug> ClassifiedRun<'_, P> {
    fn plan(&self) -> Digest {
        let (LazyStart { agents, edges }, StateClasses { classes, protocol, .. }) = (self.start, self.model);
        plan_digest(&(self.population.seed(), classes, agents, edges), protocol)
    }

    fn class(&mut self, number: u32) -> usize {
        while self.classes.len() <= number as usize {
            let state = self.discovery.state(self.classes.len() as u32);
            self.classes.push((self.model.class)(&state));
        }
        self.classes[number as usize]
    }

    /// Makes one interaction; returns whether it changed a count.
    fn step(&mut self) -> bool {
        let interaction = self.population.step();
        let (before, after) = (interaction.before, interaction.after);
        if before == after {
            return false;
        }
        self.looked_at.set(0);
        let before = [self.class(before.0), self.class(before.1)];
        let after = [self.class(after.0), self.class(after.1)];
        if before == after {
            return false;
        }
        before.into_iter().for_each(|class| self.counts[class] -= 1);
        after.into_iter().for_each(|class| self.counts[class] += 1);
        true
    }
}

impl<P: Protocol + fmt::Debug> Process for ClassifiedRun<'_, P> {
    fn progress(&self) -> Progress {
        let interactions = self.population.interactions();
        Progress { steps: interactions, interactions, ..Progress::START }
    }

    fn counts(&self) -> Cow<'_, [u64]> {
        Cow::Borrowed(&self.counts)
    }

    fn advance(&mut self, bound: &RunBound, condition: Option<&dyn Condition>) -> Advance {
        let holds = |counts: &[u64]| condition.is_some_and(|condition| condition.holds(counts));
        if holds(&self.counts) {
            return Advance::Held;
        }
        while self.population.interactions() < bound.interactions {
            if self.step() && holds(&self.counts) {
                return Advance::Held;
            }
        }
        Advance::Advanced
    }

    /// Whether no interaction can change a state. Cost: O(pairs of states), or O(edges), up to [`SILENCE_PAIRS`] per
    /// call. Returns `None` if the call ended before a decision; the next call continues where it ended, unless a state
    /// has changed.
    fn is_silent(&self) -> Option<bool> {
        let found = self.population.look_for_change(self.looked_at.get(), SILENCE_PAIRS);
        if let ChangeSearch::Found(place) | ChangeSearch::Open(place) = found {
            self.looked_at.set(place);
        }
        match found {
            ChangeSearch::Found(_) => Some(false),
            ChangeSearch::Open(_) => None,
            ChangeSearch::None => Some(true),
        }
    }

    /// The cost of testing for silence: the number of edges, or of pairs of states if all agents can meet; at most
    /// [`SILENCE_PAIRS`].
    fn edge_count(&self) -> Option<u64> {
        Some(self.population.silence_cost().min(SILENCE_PAIRS))
    }

    /// Whether no interaction can change an output; `None` if the model cannot tell, or on the complete graph. Cost:
    /// O(agents + edges).
    fn is_stable(&self) -> Option<bool> {
        let (is_stable, edges) = (self.model.stability?, self.start.edges.as_ref()?);
        let states: Vec<P::State> = self.population.states().collect();
        let edges: Vec<[usize; 2]> = edges.iter().map(|edge| edge.map(|end| end.index())).collect();
        Some(is_stable(&states, &edges))
    }

    fn metrics(&self) -> Vec<Metric> {
        let value = self.discovery.state_count() as u64;
        vec![Metric { is_of_graph: false, key: "states_met", label: "states met", value }]
    }

    fn transitions(&self, lines: usize) -> String {
        self.discovery.met().with_line_limit(lines).to_string()
    }

    /// The state of the run as bytes. `None` if a state is not among the outcomes of the pair that first produced it.
    fn save(&self) -> Option<Vec<u8>> {
        let mut writer = Writer::new(SavedKind::Lazy, self.plan());
        writer.number(self.looked_at.get());
        self.population.save(&mut writer)?;
        Some(writer.finish())
    }

    fn restore(&mut self, checkpoint: &[u8]) -> Result<(), RestoreError> {
        let mut reader = SavedReader::new(checkpoint, SavedKind::Lazy, self.plan())?;
        let looked_at = reader.number()?;
        self.population.restore(looked_at, reader)?;
        self.looked_at.set(looked_at);
        self.classes.clear();
        self.counts.fill(0);
        for state in self.population.states() {
            self.counts[(self.model.class)(&state)] += 1;
        }
        Ok(())
    }

    /// Hashes the `Debug` text of states, since their numbers depend on the order of discovery.
    fn digest(&self) -> u128 {
        Digest::written(|hasher| {
            for state in self.population.states() {
                hasher.write(format!("{state:?}\n").as_bytes());
            }
        })
        .0
    }
}
