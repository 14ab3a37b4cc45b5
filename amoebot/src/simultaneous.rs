//! Several amoebots act in one step, without locks: the synchronous and the k-isolated adversary.
//!
//! A round has two phases, as in the canonical model. First everybody who acts looks at the system as it is and computes;
//! then all effects are done, one after the other in the order of the identities. An effect that is not possible any more,
//! such as a second expansion into one cell, fails and changes nothing: of those that collide exactly one succeeds.
//!
//! Algorithms that are right one amoebot at a time can be wrong here. That is what locks are for.

use acrasin_runtime::choice::{Choices, Decision, Enumerated, pick_index};
use acrasin_runtime::{Digest, NodeId};
use hashbrown::HashMap;

use crate::FixedHasher;
use crate::algorithm::{Algorithm, View, enabled_actions};
use crate::enabled::EnabledSet;
use crate::explore::ExploreError;
use crate::operation::Movement;
use crate::system::System;

/// Who may act in one round.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Concurrency {
    /// Everybody who is enabled.
    Synchronous,
    /// As many of the enabled as can be added in a random order, if nobody is within this distance of another one,
    /// counted in steps from neighbour to neighbour. With 0 it is everybody; with 2 closed neighbourhoods are disjoint.
    Isolated(u32),
}

/// What happened so far.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Counts {
    /// Rounds.
    pub rounds: u64,
    /// Completed actions.
    pub actions: u64,
    /// Movements; a handover is two.
    pub moves: u64,
    /// Actions that failed: alone they would not have, if the algorithm is valid.
    pub failures: u64,
    /// The most amoebots that acted in a round.
    pub width: usize,
    /// How many acted in the last round.
    pub last_width: usize,
}

/// A run in rounds.
///
/// ```
/// use acrasin_amoebot::simultaneous::{Concurrency, Rounds};
/// use acrasin_amoebot::{Cell, Direction, Erosion, erosion::Memory, start};
/// use acrasin_runtime::Seeded;
///
/// // Two candidates that act at once both erode: nobody is left.
/// let pair = Erosion::start(&start::line(Cell::ORIGIN, Direction::East, 2)?, &[])?;
/// let leaders = |concurrency| {
///     let mut rounds = Rounds::new(&Erosion, pair.clone(), concurrency);
///     assert!(rounds.run(100, &mut Seeded::new(1)));
///     rounds.system().ids().filter(|id| *rounds.system().memory(*id) == Memory::Leader).count()
/// };
/// assert_eq!(leaders(Concurrency::Synchronous), 0);
/// assert_eq!(leaders(Concurrency::Isolated(2)), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Rounds<'a, A: Algorithm> {
    algorithm: &'a A,
    system: System<A::Memory>,
    concurrency: Concurrency,
    /// Who is enabled now, if somebody has looked since the last round.
    enabled: Option<EnabledSet>,
    has_terminated: bool,
    counts: Counts,
}

impl<'a, A: Algorithm> Rounds<'a, A> {
    /// At the start. O(1).
    #[must_use]
    pub fn new(algorithm: &'a A, system: System<A::Memory>, concurrency: Concurrency) -> Self {
        let counts = Counts::default();
        Self { algorithm, system, concurrency, enabled: None, has_terminated: false, counts }
    }

    /// The system now.
    #[must_use]
    pub fn system(&self) -> &System<A::Memory> {
        &self.system
    }

    /// What happened so far.
    #[must_use]
    pub fn counts(&self) -> Counts {
        self.counts
    }

    /// Runs until nobody is enabled, but at most so many rounds; tells whether nobody is.
    pub fn run(&mut self, most: u64, choices: &mut dyn Choices) -> bool {
        for _ in 0..most {
            if self.has_terminated {
                break;
            }
            self.round(choices);
        }
        // The last round may have left nobody.
        let enabled = self.look();
        self.has_terminated = enabled.is_empty();
        self.enabled = Some(enabled);
        self.has_terminated
    }

    fn look(&mut self) -> EnabledSet {
        if let Some(enabled) = self.enabled.take() {
            return enabled;
        }
        let mut enabled = EnabledSet::none_of(self.system.len());
        for id in self.system.ids() {
            let view = View::of(&self.system, id);
            enabled.set(id, enabled_actions(self.algorithm, view).next().is_some());
        }
        enabled
    }

    /// One round, if anybody is enabled. O(n), and for isolation at distance k as many looks more as there are amoebots
    /// within it of those who act.
    pub fn round(&mut self, choices: &mut dyn Choices) {
        let enabled = self.look();
        if enabled.is_empty() {
            self.has_terminated = true;
            self.enabled = Some(enabled);
            return;
        }
        let acting = match self.concurrency {
            Concurrency::Synchronous => enabled.ids().to_vec(),
            Concurrency::Isolated(distance) => self.isolated(enabled, distance, choices),
        };
        // Everybody looks before anybody acts.
        let computed: Vec<_> = acting
            .iter()
            .map(|&id| {
                let view = View::of(&self.system, id);
                let actions: Vec<A::Action> = enabled_actions(self.algorithm, view).collect();
                let chosen = pick_index(choices, actions.len(), Decision::Action);
                (id, self.algorithm.execute(actions[chosen.expect("it is enabled")], &view, choices))
            })
            .collect();
        self.counts.rounds += 1;
        self.counts.last_width = acting.len();
        self.counts.width = self.counts.width.max(acting.len());
        for (id, effects) in computed {
            let done = effects.and_then(|effects| {
                let moves = effects.movement().map_or(0, Movement::moves);
                effects.apply(&mut self.system, id)?;
                Ok(moves)
            });
            match done {
                Ok(moves) => {
                    self.counts.actions += 1;
                    self.counts.moves += moves;
                }
                Err(_) => self.counts.failures += 1,
            }
        }
    }

    /// A maximal set of the enabled with nobody within the distance of another.
    fn isolated(&self, mut left: EnabledSet, distance: u32, choices: &mut dyn Choices) -> Vec<NodeId> {
        let mut acting = Vec::new();
        while let Some(picked) = pick_index(choices, left.ids().len(), Decision::Activation) {
            let id = left.ids()[picked];
            acting.push(id);
            left.set(id, false);
            for near in self.within(id, distance) {
                left.set(near, false);
            }
        }
        acting.sort_unstable();
        acting
    }

    /// Everybody within a distance of an amoebot.
    fn within(&self, id: NodeId, distance: u32) -> Vec<NodeId> {
        let mut found = vec![id];
        let mut done = 0;
        for _ in 0..distance {
            let ring = done..found.len();
            done = found.len();
            for at in ring {
                for near in self.system.neighbours(found[at]) {
                    if !found.contains(&near) {
                        found.push(near);
                    }
                }
            }
        }
        found
    }
}

/// What all runs in rounds from one system lead to, whatever is drawn.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct RoundsExploration<M> {
    /// Distinct systems.
    pub states: usize,
    /// Those in which nobody is enabled.
    pub ends: usize,
    /// How many of those do not reach the goal.
    pub wrong_ends: usize,
    /// Systems from which no run ends.
    pub hopeless: usize,
    /// Systems in which the amoebots do not hang together.
    pub disconnected: usize,
    /// Actions that failed, over all rounds.
    pub failures: u64,
    /// A shortest run to an end without the goal: the systems after each round, the start first.
    pub way: Option<Vec<System<M>>>,
}

/// Explores all runs in rounds from a system. Amoebots are told apart.
///
/// # Errors
///
/// More than `states_max` systems.
///
/// ```
/// use acrasin_amoebot::simultaneous::{Concurrency, explore_rounds};
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
    let digest = |system: &System<A::Memory>| Digest::of(&system.amoebots());
    let mut numbers: HashMap<Digest, usize, FixedHasher> = HashMap::default();
    numbers.insert(digest(&start), 0);
    let mut states = vec![start];
    let mut from = vec![0];
    let mut before: Vec<Vec<usize>> = vec![Vec::new()];
    let mut ends = Vec::new();
    let mut wrong = Vec::new();
    let (mut failures, mut disconnected, mut at) = (0, 0, 0);
    // Breadth first.
    while at < states.len() {
        disconnected += usize::from(!states[at].is_connected());
        let mut outcomes = Enumerated::new();
        loop {
            let mut rounds = Rounds::new(algorithm, states[at].clone(), concurrency);
            rounds.round(&mut outcomes);
            failures += rounds.counts.failures;
            if rounds.has_terminated {
                ends.push(at);
                if !is_goal(&states[at]) {
                    wrong.push(at);
                }
                break;
            }
            let to = *numbers.entry(digest(&rounds.system)).or_insert(states.len());
            if to == states.len() {
                if to >= states_max {
                    return Err(ExploreError::TooManyStates { limit: states_max });
                }
                states.push(rounds.system);
                from.push(at);
                before.push(Vec::new());
            }
            before[to].push(at);
            if !outcomes.advance() {
                break;
            }
        }
        at += 1;
    }
    let way = wrong.first().map(|&end| {
        let back = std::iter::successors(Some(end), |&at| (at > 0).then(|| from[at]));
        let mut way: Vec<_> = back.map(|at| states[at].clone()).collect();
        way.reverse();
        way
    });
    let mut reaches = vec![false; states.len()];
    let mut border = ends.clone();
    while let Some(at) = border.pop() {
        if !std::mem::replace(&mut reaches[at], true) {
            border.append(&mut before[at]);
        }
    }
    Ok(RoundsExploration {
        states: states.len(),
        ends: ends.len(),
        wrong_ends: wrong.len(),
        hopeless: reaches.iter().filter(|reaches| !**reaches).count(),
        disconnected,
        failures,
        way,
    })
}
