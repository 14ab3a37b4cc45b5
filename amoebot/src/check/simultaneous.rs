//! All runs in rounds of small systems, exhaustively.

use std::collections::BTreeSet;

use acrasin_runtime::Digest;
use acrasin_runtime::choice::Enumerated;
use hashbrown::HashMap;

use super::isolated::MaximalSets;
use super::limits::{DISCONNECTED, ExploreError, Limits, Meter, Questions, WRONG_END, broken};
use crate::FixedHasher;
use crate::algorithm::Algorithm;
use crate::model::shape::Shape;
use crate::model::system::System;
use crate::run::simultaneous::{Concurrency, Rounds};

/// What all runs in rounds from one system lead to, whatever is drawn.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct RoundsExploration<M> {
    /// Distinct systems.
    pub states: usize,
    /// Rounds from system to system.
    pub moves: usize,
    /// The most rounds that the shortest way to a system has.
    pub depth: usize,
    /// Those in which nobody is enabled.
    pub ends: usize,
    /// How many of those do not reach the goal.
    pub wrong_ends: usize,
    /// Systems from which no run ends.
    pub hopeless: usize,
    /// Systems in which the amoebots do not hang together, nor by the object if there is one.
    pub disconnected: usize,
    /// Systems in which there is a [fault](Questions::fault).
    pub faults: usize,
    /// The nearest fault: that at the end of [`way_to_fault`](Self::way_to_fault).
    pub fault: Option<String>,
    /// Actions that failed, over all rounds.
    pub failures: u64,
    /// The shapes of the ends that reach the goal.
    pub final_shapes: BTreeSet<Shape>,
    /// A shortest run to an end without the goal: the systems after each round, the start first.
    pub way: Option<Vec<System<M>>>,
    /// A shortest run to a system from which no run ends.
    pub way_to_hopeless: Option<Vec<System<M>>>,
    /// A shortest run to a system in which the amoebots do not hang together.
    pub way_to_disconnected: Option<Vec<System<M>>>,
    /// A shortest run to a system in which there is a fault.
    pub way_to_fault: Option<Vec<System<M>>>,
}

/// Explores all runs in rounds from a system. Amoebots are told apart. Of isolated amoebots every maximal set acts once,
/// whatever orders lead to it.
///
/// # Errors
///
/// More than `states_max` systems, or more of anything else than [`Limits`] have if nothing is said.
///
/// ```
/// use acrasin_amoebot::check::simultaneous::explore_rounds;
/// use acrasin_amoebot::run::simultaneous::Concurrency;
/// use acrasin_amoebot::{Cell, Direction, Erosion, start};
///
/// let pair = Erosion::start(&start::line(Cell::ORIGIN, Direction::East, 2)?, &[])?;
/// let explore = |concurrency| explore_rounds(&Erosion, pair.clone(), concurrency, Erosion::is_finished, 1_000);
/// assert_eq!(explore(Concurrency::Synchronous)?.wrong_ends, 1);
/// assert_eq!(explore(Concurrency::Isolated(2))?.wrong_ends, 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn explore_rounds<A: Algorithm>(
    algorithm: &A,
    start: System<A::Memory>,
    concurrency: Concurrency,
    is_goal: impl Fn(&System<A::Memory>) -> bool,
    states_max: usize,
) -> Result<RoundsExploration<A::Memory>, ExploreError> {
    let limits = Limits { states_max, ..Limits::default() };
    explore_rounds_within(algorithm, start, concurrency, &Questions::of_goal(&is_goal), limits)
}

/// The same with all questions and limits.
///
/// # Errors
///
/// More systems, bytes or outcomes than the limits allow, ends too wide for a shape, or a stop.
pub fn explore_rounds_within<A: Algorithm>(
    algorithm: &A,
    start: System<A::Memory>,
    concurrency: Concurrency,
    questions: &Questions<'_, A::Memory>,
    limits: Limits,
) -> Result<RoundsExploration<A::Memory>, ExploreError> {
    let mut met = Met::new(start, limits)?;
    let (mut ends, mut wrong, mut final_shapes) = (Vec::new(), Vec::new(), BTreeSet::new());
    let (mut disconnected, mut faults, mut nearest_fault) = (Vec::new(), Vec::new(), None);
    let (mut failures, mut at) = (0, 0);
    // Breadth first.
    while at < met.states.len() {
        met.meter.go_on(questions.is_stopped)?;
        let system = met.states[at].clone();
        if !system.is_connected_with_object() {
            disconnected.push(at);
            (questions.told)(DISCONNECTED, &system);
        }
        if let Some(fault) = (questions.fault)(&system) {
            faults.push(at);
            (questions.told)(&broken(&fault), &system);
            nearest_fault.get_or_insert(fault);
        }
        let mut rounds = Rounds::new(algorithm, system, concurrency);
        let enabled = rounds.look();
        if enabled.is_empty() {
            ends.push(at);
            if (questions.is_goal)(rounds.system()) {
                final_shapes.insert(rounds.system().shape()?);
            } else {
                wrong.push(at);
                (questions.told)(WRONG_END, rounds.system());
            }
        } else {
            let mut ids = enabled.ids().to_vec();
            ids.sort_unstable();
            let mut ways_on = 0;
            let mut act = |met: &mut Met<A::Memory>, acting: &[_]| {
                let mut outcomes = Enumerated::new();
                loop {
                    ways_on += 1;
                    met.meter.outcomes(ways_on)?;
                    met.meter.go_on(questions.is_stopped)?;
                    let mut next = Rounds::new(algorithm, rounds.system().clone(), concurrency);
                    next.act(acting, &mut outcomes);
                    failures += next.counts().failures;
                    met.meet(next.into_system(), at)?;
                    if !outcomes.advance() {
                        return Ok::<_, ExploreError>(());
                    }
                }
            };
            match concurrency {
                Concurrency::Synchronous | Concurrency::Isolated(0) => act(&mut met, &ids)?,
                Concurrency::Isolated(distance) => {
                    let mut sets = MaximalSets::new(ids, |id| rounds.within(id, distance));
                    while let Some(acting) = sets.next(&mut met.meter, questions.is_stopped)? {
                        act(&mut met, &acting)?;
                    }
                }
            }
        }
        at += 1;
    }
    let hopeless = met.hopeless(&ends);
    let way_to = |states: &[usize]| states.first().map(|state| met.way(*state));
    Ok(RoundsExploration {
        states: met.states.len(),
        moves: met.before.iter().map(Vec::len).sum(),
        // The systems come breadth first, so no other one is further than the last.
        depth: met.way(met.states.len() - 1).len() - 1,
        ends: ends.len(),
        wrong_ends: wrong.len(),
        hopeless: hopeless.len(),
        disconnected: disconnected.len(),
        faults: faults.len(),
        fault: nearest_fault,
        failures,
        final_shapes,
        way: way_to(&wrong),
        way_to_hopeless: way_to(&hopeless),
        way_to_disconnected: way_to(&disconnected),
        way_to_fault: way_to(&faults),
    })
}

/// The systems so far, in the order in which they were met: breadth first, so none is nearer than one before it.
struct Met<M> {
    states: Vec<System<M>>,
    numbers: HashMap<Digest, usize, FixedHasher>,
    /// After which system each was met first.
    from: Vec<usize>,
    /// After which systems each comes.
    before: Vec<Vec<usize>>,
    meter: Meter,
}

impl<M: Clone + std::hash::Hash> Met<M> {
    fn new(start: System<M>, limits: Limits) -> Result<Self, ExploreError> {
        let mut met = Self {
            states: Vec::new(),
            numbers: HashMap::default(),
            from: Vec::new(),
            before: Vec::new(),
            meter: Meter::new(limits),
        };
        met.number(start, 0)?;
        Ok(met)
    }

    fn number(&mut self, system: System<M>, from: usize) -> Result<usize, ExploreError> {
        let number = *self.numbers.entry(Digest::of(&system.amoebots())).or_insert(self.states.len());
        if number == self.states.len() {
            // The object is shared.
            let own = system.bytes() - size_of_val(system.object());
            let around = size_of::<System<M>>() + 2 * size_of::<Digest>() + 6 * size_of::<usize>();
            self.meter.state(own + self.meter.owned(system.len()) + around)?;
            self.states.push(system);
            self.from.push(from);
            self.before.push(Vec::new());
        }
        Ok(number)
    }

    fn meet(&mut self, system: System<M>, from: usize) -> Result<(), ExploreError> {
        let to = self.number(system, from)?;
        // Several outcomes may lead there.
        if self.before[to].last() != Some(&from) {
            self.before[to].push(from);
            self.meter.take(size_of::<usize>())?;
        }
        Ok(())
    }

    /// The systems from which none of `ends` is reached.
    fn hopeless(&self, ends: &[usize]) -> Vec<usize> {
        let mut reaches = vec![false; self.states.len()];
        let mut border = ends.to_vec();
        while let Some(at) = border.pop() {
            if !std::mem::replace(&mut reaches[at], true) {
                border.extend(&self.before[at]);
            }
        }
        (0..self.states.len()).filter(|at| !reaches[*at]).collect()
    }

    fn way(&self, end: usize) -> Vec<System<M>> {
        let back = std::iter::successors(Some(end), |&at| (at > 0).then(|| self.from[at]));
        let mut way: Vec<_> = back.map(|at| self.states[at].clone()).collect();
        way.reverse();
        way
    }
}
