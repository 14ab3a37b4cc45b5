//! Every schedule.

use acrasin_amoebot::concurrent::{self, Fault, Stepped, TryLocks, explore_concurrent};
use acrasin_amoebot::erased::AnyMemory;
use acrasin_amoebot::explore::{Exploration, ExploreError, Identities, Scope, Trace, explore};
use acrasin_amoebot::simultaneous::{Concurrency, explore_rounds};
use acrasin_amoebot::{Cell, System};
use acrasin_runtime::NodeId;
use acrasin_runtime::choice::Seeded;

use super::erased::AnySubject;
use super::scenario::{Execution, Start};
use super::subject::{Ground, Subject, Visitor};
use super::{AmoebotPlan, ground};
use crate::limits::AMOEBOT_STATES_TOLD_APART;
use crate::plan::RunError;

/// What all schedules lead to, from one start or from all connected shapes.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Checked {
    /// Starts that were looked at: shapes, and positions of the seed if there is one.
    pub starts: u64,
    /// Shapes left out, as the algorithm refuses them (holes).
    pub refused: u64,
    /// What was found; or why not everything was looked at.
    pub found: Result<Found, Truncated>,
}

/// What was found.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Found {
    /// Under which adversary.
    pub under: Under,
    /// Reachable states, initial ones included.
    pub states: u64,
    /// States in which the amoebots do not hang together.
    pub disconnected: u64,
    /// Whether that is allowed: the amoebots hang together through an object.
    pub may_disconnect: bool,
    /// The way to the first thing that is wrong, if anything is.
    pub way: Option<Way>,
}

/// What only one kind of adversary has.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Under {
    /// One amoebot at a time. Amoebots are anonymous, translates are the same.
    Sequential {
        /// Initial systems that differ.
        initial: u64,
        /// Reachable states with the amoebots told apart, each initial system for itself, summed: the figures of the
        /// literature. `None` if that is too many.
        told_apart: Option<u64>,
        /// Actions of the longest run; `None` if a run can go on for ever.
        longest_run: Option<u64>,
        /// Actions of the shortest run that ends.
        shortest_run: Option<u64>,
        /// Most moves of a run; `None` if a run can go on for ever.
        most_moves: Option<u64>,
        /// States without enabled actions in which the goal is reached.
        finals: u64,
        /// The shapes of those.
        final_shapes: u64,
        /// States without an action that completes, in which the goal is not reached or an action was aborted.
        stuck: u64,
        /// States from which no run reaches the goal.
        hopeless: u64,
        /// Enabled actions that were aborted.
        aborted: u64,
        /// Whether a run may go on for ever: the algorithm draws, and promises an end with probability 1.
        may_cycle: bool,
    },
    /// All at the same time in the concurrency framework, with locks that may fail: every order of the steps.
    Concurrent {
        /// Steps from state to state.
        transitions: u64,
        /// Systems in which a run has ended.
        ends: u64,
        /// Those of them that do not reach the goal.
        wrong_ends: u64,
        /// States from which no run ends.
        hopeless: u64,
        /// States in which lock sets are not disjoint.
        overlapping: u64,
        /// Aborts that locks should have prevented.
        invalid: u64,
        /// Aborts that have changed something.
        aborts_with_effect: u64,
        /// Failures of Lock.
        lock_failures: u64,
        /// Failed expansions.
        expand_failures: u64,
        /// The most amoebots that are inside an action at once.
        width: u64,
    },
    /// Several at the same time in rounds, without locks. States of different starts are counted for each.
    Rounds {
        /// Starts from which some run ends without the goal, or cannot end.
        wrong_starts: u64,
        /// Systems in which a run has ended.
        ends: u64,
        /// Those of them that do not reach the goal.
        wrong_ends: u64,
        /// Systems from which no run ends.
        hopeless: u64,
        /// Actions that failed.
        failures: u64,
    },
}

/// A shortest run to a state in which something is wrong.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Way {
    /// What is wrong there.
    pub to: String,
    /// The occupied cells at the start.
    pub start: Vec<Cell>,
    /// What happens. Of one amoebot at a time who does what: the cell of the head, moved with all others so that the
    /// smallest coordinates are 0, and the label; of concurrent ones the number of the amoebot and its step; of rounds
    /// what everybody remembers after the round.
    pub steps: Vec<String>,
    /// The occupied cells at the end.
    pub end: Vec<Cell>,
}

impl Way {
    fn new<M: Clone + std::hash::Hash>(to: &str, trace: &Trace<M>) -> Self {
        Self {
            to: to.to_owned(),
            start: trace.start.system().cells(),
            steps: trace.steps.iter().map(ToString::to_string).collect(),
            end: trace.end.system().cells(),
        }
    }

    fn of<S: Subject>(subject: &S, all: &Exploration<S::Memory>) -> Option<Self> {
        let disconnected = if subject.may_disconnect() { &None } else { &all.way_to_disconnected };
        let round = if subject.may_cycle() { &None } else { &all.way_round };
        [
            ("a state in which the amoebots do not hang together", disconnected),
            ("an enabled action that is aborted", &all.way_to_aborted),
            ("a stuck state", &all.way_to_stuck),
            ("a state, and round to it again", round),
            ("a state from which no run reaches the goal", &all.way_to_hopeless),
        ]
        .into_iter()
        .find_map(|(to, trace)| Some(Self::new(to, trace.as_ref()?)))
    }

    fn of_concurrent<M>(ways: &[concurrent::Way<M>], may_disconnect: bool) -> Option<Self> {
        let way = ways.iter().find(|way| way.fault != Fault::Disconnected || !may_disconnect)?;
        let step = |(id, stepped): &(NodeId, Stepped)| format!("{id} {stepped:?}");
        Some(Self {
            to: way.fault.to_string(),
            start: way.start.cells(),
            steps: way.steps.iter().map(step).collect(),
            end: way.end.cells(),
        })
    }

    fn of_rounds<M: std::fmt::Debug>(way: &[System<M>]) -> Option<Self> {
        let (start, end) = (way.first()?, way.last()?);
        let memories = |system: &System<M>| {
            let memory = |id| format!("{:?}", system.memory(id));
            system.ids().map(memory).collect::<Vec<_>>().join(", ")
        };
        Some(Self {
            to: "an end without the goal".to_owned(),
            start: start.cells(),
            steps: way.iter().skip(1).map(memories).collect(),
            end: end.cells(),
        })
    }
}

impl Found {
    /// Whether every run ends in the goal, or can still do so if locks may fail again and again; nothing is aborted that
    /// should not be; and the amoebots always hang together if they have to.
    #[must_use]
    pub fn is_right(&self) -> bool {
        let hang_together = self.disconnected == 0 || self.may_disconnect;
        let is_right = match self.under {
            Under::Sequential { longest_run, may_cycle, stuck, hopeless, aborted, .. } => {
                (longest_run.is_some() || may_cycle) && [stuck, hopeless, aborted] == [0; 3]
            }
            Under::Concurrent { wrong_ends, hopeless, overlapping, invalid, aborts_with_effect, .. } => {
                [wrong_ends, hopeless, overlapping, invalid, aborts_with_effect] == [0; 5]
            }
            Under::Rounds { wrong_starts, .. } => wrong_starts == 0,
        };
        hang_together && is_right
    }
}

/// More states than the scenario allows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Truncated {
    /// How many it allows.
    pub states_max: u64,
}

impl AmoebotPlan {
    /// Follows every schedule that the execution allows from the start, or from every connected shape with every seed
    /// position: every order of activations of a sequential execution, whatever activates there; every order of the steps
    /// with locks that may fail; every draw of rounds. A start that is drawn is drawn from the seed.
    ///
    /// # Errors
    ///
    /// A drawn start that dies out or that the algorithm refuses; shapes of which the algorithm takes none.
    pub fn check(&self, seed: u64) -> Result<Checked, RunError> {
        let mut choices = Seeded::new(seed);
        let grounds = match self.start {
            Start::AllConnected { .. } => self.every_ground(&mut choices),
            _ => self.ground(&mut choices).map(|ground| vec![ground]),
        };
        let grounds = grounds.map_err(|message| Self::drawn(seed, message))?;
        let is_one = !matches!(self.start, Start::AllConnected { .. });
        let check = Check { grounds, is_one, execution: self.execution, states_max: self.states_max };
        let checked = self.algorithm.visit(check).expect("a plan for a check has no chain");
        checked.map_err(|message| Self::drawn(seed, message))
    }

    fn every_ground(&self, choices: &mut Seeded) -> Result<Vec<Ground>, String> {
        let shapes = ground::all_connected(self.count).map_err(|error| error.to_string())?;
        let positions = if self.algorithm.needs().seed { self.count } else { 1 };
        let mut grounds = Vec::with_capacity(shapes.len() * positions);
        for shape in shapes {
            for seed in 0..positions {
                let cells = shape.cells().to_vec();
                let orientations = ground::orientations(self.orientations, cells.len(), choices);
                grounds.push(Ground {
                    cells,
                    seed,
                    orientations,
                    object: Vec::new(),
                    colours: None,
                    landscape: None,
                });
            }
        }
        Ok(grounds)
    }
}

struct Check {
    grounds: Vec<Ground>,
    is_one: bool,
    execution: Execution,
    states_max: usize,
}

impl Visitor for Check {
    type Output = Result<Checked, String>;

    /// One amoebot at a time is checked with the types of the algorithm, far and fast; the rest is compiled once.
    fn visit<S: Subject>(self, subject: &S) -> Self::Output {
        let states_max = self.states_max;
        match self.execution {
            Execution::Sequential { .. } => {
                self.starts(subject, |systems| sequential(subject, systems, states_max))
            }
            Execution::Concurrent { .. } | Execution::Rounds(_) => self.erased(&subject.erased()),
            Execution::Waves => unreachable!("a plan for a check has no waves"),
        }
    }
}

impl Check {
    fn erased(self, subject: &AnySubject<'_>) -> Result<Checked, String> {
        let states_max = self.states_max;
        match self.execution {
            Execution::Rounds(adversary) => {
                self.starts(subject, |systems| rounds(subject, systems, adversary.into(), states_max))
            }
            _ => self.starts(subject, |systems| concurrent(subject, systems, states_max)),
        }
    }

    /// Makes all starts, and lets `explore` go on from there.
    fn starts<S: Subject>(
        &self,
        subject: &S,
        explore: impl FnOnce(Vec<System<S::Memory>>) -> Result<Found, ExploreError>,
    ) -> Result<Checked, String> {
        let mut systems = Vec::new();
        let mut refused = (0, None);
        for ground in &self.grounds {
            match subject.start(ground) {
                Ok(system) => systems.push(system),
                Err(message) if self.is_one => return Err(message),
                Err(message) => refused = (refused.0 + 1, Some(message)),
            }
        }
        if let (true, Some(message)) = (systems.is_empty(), refused.1) {
            return Err(message);
        }
        let starts = systems.len() as u64;
        let found = match explore(systems) {
            Ok(found) => Ok(found),
            Err(ExploreError::TooManyStates { limit }) => Err(Truncated { states_max: limit as u64 }),
            Err(error) => return Err(error.to_string()),
        };
        Ok(Checked { starts, refused: refused.0, found })
    }
}

fn sequential<S: Subject>(
    subject: &S,
    systems: Vec<System<S::Memory>>,
    states_max: usize,
) -> Result<Found, ExploreError> {
    let goal = |system: &System<S::Memory>| subject.is_finished(system);
    let scope = Scope { identities: Identities::Anonymous, states_max };
    let all = explore(subject, systems.clone(), goal, scope)?;
    let told_apart = if all.states <= AMOEBOT_STATES_TOLD_APART {
        let scope = Scope { identities: Identities::Distinct, states_max };
        let distinct = explore(subject, systems, goal, scope).ok();
        distinct.map(|all| all.states_from_each().iter().map(|states| *states as u64).sum())
    } else {
        None
    };
    Ok(Found {
        under: Under::Sequential {
            initial: all.initial as u64,
            told_apart,
            longest_run: all.longest_run.map(u64::from),
            shortest_run: all.shortest_run.map(u64::from),
            most_moves: all.most_moves,
            finals: all.finals.len() as u64,
            final_shapes: all.final_shapes().len() as u64,
            stuck: all.stuck.len() as u64,
            hopeless: all.hopeless as u64,
            may_cycle: subject.may_cycle(),
            aborted: all.aborted as u64,
        },
        states: all.states as u64,
        disconnected: all.disconnected as u64,
        may_disconnect: subject.may_disconnect(),
        way: Way::of(subject, &all),
    })
}

fn concurrent(
    subject: &AnySubject<'_>,
    systems: Vec<System<AnyMemory>>,
    states_max: usize,
) -> Result<Found, ExploreError> {
    let locks = |system: &System<AnyMemory>| TryLocks::new(system.len());
    let all = explore_concurrent(subject, systems, locks, |system| subject.is_finished(system), states_max)?;
    Ok(Found {
        under: Under::Concurrent {
            transitions: all.transitions as u64,
            ends: all.finals.len() as u64,
            wrong_ends: all.wrong_ends as u64,
            hopeless: all.hopeless as u64,
            overlapping: all.overlapping as u64,
            invalid: all.invalid as u64,
            aborts_with_effect: all.aborts_with_effect as u64,
            lock_failures: all.lock_failures as u64,
            expand_failures: all.expand_failures as u64,
            width: all.width as u64,
        },
        states: all.states as u64,
        disconnected: all.disconnected as u64,
        may_disconnect: subject.may_disconnect(),
        way: Way::of_concurrent(&all.ways, subject.may_disconnect()),
    })
}

/// The states of all starts together are limited.
fn rounds(
    subject: &AnySubject<'_>,
    systems: Vec<System<AnyMemory>>,
    adversary: Concurrency,
    states_max: usize,
) -> Result<Found, ExploreError> {
    let (mut states, mut disconnected, mut way) = (0, 0, None);
    let (mut wrong_starts, mut ends, mut wrong_ends, mut hopeless, mut failures) = (0, 0, 0, 0, 0);
    for system in systems {
        let is_goal = |system: &System<AnyMemory>| subject.is_finished(system);
        let all =
            explore_rounds(subject, system, adversary, is_goal, states_max - states).map_err(|error| {
                match error {
                    ExploreError::TooManyStates { .. } => ExploreError::TooManyStates { limit: states_max },
                    other => other,
                }
            })?;
        states += all.states;
        disconnected += all.disconnected as u64;
        wrong_starts += u64::from(all.wrong_ends + all.hopeless > 0);
        ends += all.ends as u64;
        wrong_ends += all.wrong_ends as u64;
        hopeless += all.hopeless as u64;
        failures += all.failures;
        // The shortest of all.
        if let Some(found) = all.way
            && way.as_ref().is_none_or(|way: &Vec<_>| found.len() < way.len())
        {
            way = Some(found);
        }
    }
    Ok(Found {
        under: Under::Rounds { wrong_starts, ends, wrong_ends, hopeless, failures },
        states: states as u64,
        disconnected,
        may_disconnect: subject.may_disconnect(),
        way: way.as_deref().and_then(Way::of_rounds),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_fault_makes_it_wrong() {
        let sequential =
            |longest_run: Option<u64>, may_cycle, [stuck, hopeless, aborted]: [u64; 3]| Under::Sequential {
                initial: 1,
                told_apart: None,
                longest_run,
                shortest_run: Some(2),
                most_moves: Some(0),
                finals: 1,
                final_shapes: 1,
                stuck,
                hopeless,
                aborted,
                may_cycle,
            };
        let concurrent =
            |[wrong_ends, hopeless, overlapping, invalid, aborts_with_effect]: [u64; 5]| Under::Concurrent {
                transitions: 9,
                ends: 2,
                wrong_ends,
                hopeless,
                overlapping,
                invalid,
                aborts_with_effect,
                lock_failures: 7,
                expand_failures: 1,
                width: 2,
            };
        let rounds =
            |wrong_starts| Under::Rounds { wrong_starts, ends: 3, wrong_ends: 0, hopeless: 0, failures: 2 };
        let is_right = |under, disconnected, may_disconnect| {
            Found { under, states: 3, disconnected, may_disconnect, way: None }.is_right()
        };
        let right = [
            sequential(Some(2), false, [0; 3]),
            sequential(None, true, [0; 3]),
            concurrent([0; 5]),
            rounds(0),
        ];
        for right in right {
            assert!(is_right(right.clone(), 0, false) && is_right(right.clone(), 1, true));
            assert!(!is_right(right, 1, false));
        }
        let wrong = [
            sequential(None, false, [0; 3]),
            sequential(None, true, [1, 0, 0]),
            sequential(None, true, [0, 1, 0]),
            sequential(Some(2), false, [0, 0, 1]),
            rounds(1),
        ];
        for wrong in wrong {
            assert!(!is_right(wrong.clone(), 0, true), "{wrong:?}");
        }
        for fault in 0..5 {
            let mut faults = [0; 5];
            faults[fault] = 1;
            assert!(!is_right(concurrent(faults), 0, true), "{faults:?}");
        }
    }
}
