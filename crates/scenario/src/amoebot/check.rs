//! Every schedule.

use acrasin_amoebot::Cell;
use acrasin_amoebot::explore::{Exploration, ExploreError, Identities, Scope, Trace, explore};
use acrasin_runtime::choice::Seeded;

use super::scenario::Start;
use super::subject::{Ground, Subject, Visitor};
use super::{AmoebotPlan, ground};
use crate::plan::RunError;

/// What every sequential schedule leads to, from one start or from all connected shapes.
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
    /// Initial systems that differ.
    pub initial: u64,
    /// Reachable states, initial ones included; amoebots are anonymous, translates are the same.
    pub states: u64,
    /// Actions of the longest run; `None` if a run can go on for ever.
    pub longest_run: Option<u64>,
    /// Actions of the shortest run that ends.
    pub shortest_run: Option<u64>,
    /// Most moves of a run; `None` if a run can go on for ever.
    pub most_moves: Option<u64>,
    /// States without enabled actions in which the goal is reached.
    pub finals: u64,
    /// The shapes of those.
    pub final_shapes: u64,
    /// States without an action that completes, in which the goal is not reached or an action was aborted.
    pub stuck: u64,
    /// States in which the amoebots do not hang together.
    pub disconnected: u64,
    /// Whether that is allowed: the amoebots hang together through an object.
    pub may_disconnect: bool,
    /// Enabled actions that were aborted.
    pub aborted: u64,
    /// The way to the first thing that is wrong, if anything is.
    pub way: Option<Way>,
}

/// A shortest run to a state in which something is wrong.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Way {
    /// What is wrong there.
    pub to: &'static str,
    /// The occupied cells at the start.
    pub start: Vec<Cell>,
    /// Who does what: the cell of the head, moved with all others so that the smallest coordinates are 0, and the label.
    pub steps: Vec<String>,
    /// The occupied cells at the end.
    pub end: Vec<Cell>,
}

impl Way {
    fn new<M: Clone + std::hash::Hash>(to: &'static str, trace: &Trace<M>) -> Self {
        Self {
            to,
            start: trace.start.system().cells(),
            steps: trace.steps.iter().map(ToString::to_string).collect(),
            end: trace.end.system().cells(),
        }
    }

    fn of<M: Clone + std::hash::Hash>(all: &Exploration<M>, may_disconnect: bool) -> Option<Self> {
        let disconnected = if may_disconnect { &None } else { &all.way_to_disconnected };
        [
            ("a state in which the amoebots do not hang together", disconnected),
            ("an enabled action that is aborted", &all.way_to_aborted),
            ("a stuck state", &all.way_to_stuck),
            ("a state, and round to it again", &all.way_round),
        ]
        .into_iter()
        .find_map(|(to, trace)| Some(Self::new(to, trace.as_ref()?)))
    }
}

impl Found {
    /// Whether every run ends in the goal, nothing is aborted, and the amoebots always hang together if they
    /// have to.
    #[must_use]
    pub fn is_right(&self) -> bool {
        let hang_together = self.disconnected == 0 || self.may_disconnect;
        self.longest_run.is_some() && self.stuck == 0 && hang_together && self.aborted == 0
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
    /// Follows every sequential schedule from the start, or from every connected shape with every seed position. A start
    /// that is drawn is drawn from the seed.
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
        let check = Check { grounds, is_one, states_max: self.states_max };
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
                grounds.push(Ground { cells, seed, orientations, object: Vec::new(), colours: None });
            }
        }
        Ok(grounds)
    }
}

struct Check {
    grounds: Vec<Ground>,
    is_one: bool,
    states_max: usize,
}

impl Visitor for Check {
    type Output = Result<Checked, String>;

    fn visit<S: Subject>(self, subject: &S) -> Self::Output {
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
        let scope = Scope { identities: Identities::Anonymous, states_max: self.states_max };
        let found = match explore(subject, systems, |system| subject.is_finished(system), scope) {
            Ok(all) => Ok(Found {
                initial: all.initial as u64,
                states: all.states as u64,
                longest_run: all.longest_run.map(u64::from),
                shortest_run: all.shortest_run.map(u64::from),
                most_moves: all.most_moves,
                finals: all.finals.len() as u64,
                final_shapes: all.final_shapes().len() as u64,
                stuck: all.stuck.len() as u64,
                disconnected: all.disconnected as u64,
                may_disconnect: S::MAY_DISCONNECT,
                aborted: all.aborted as u64,
                way: Way::of(&all, S::MAY_DISCONNECT),
            }),
            Err(ExploreError::TooManyStates { limit }) => Err(Truncated { states_max: limit as u64 }),
            Err(error) => return Err(error.to_string()),
        };
        Ok(Checked { starts, refused: refused.0, found })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_fault_makes_it_wrong() {
        let right = Found {
            initial: 1,
            states: 3,
            longest_run: Some(2),
            shortest_run: Some(2),
            most_moves: Some(0),
            finals: 1,
            final_shapes: 1,
            stuck: 0,
            disconnected: 0,
            may_disconnect: false,
            aborted: 0,
            way: None,
        };
        assert!(right.is_right());
        let faults: [fn(&mut Found); 4] = [
            |found| found.longest_run = None,
            |found| found.stuck = 1,
            |found| found.disconnected = 1,
            |found| found.aborted = 1,
        ];
        for fault in faults {
            let mut wrong = right.clone();
            fault(&mut wrong);
            assert!(!wrong.is_right(), "{wrong:?}");
        }
        let parted = Found { disconnected: 1, may_disconnect: true, ..right };
        assert!(parted.is_right());
    }
}
