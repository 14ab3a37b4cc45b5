//! A stop rule for callers that drive a process turn by turn, outside of a plan.

use acrasin_process::{Condition, Ending, Process, StopBound, StopGoal, StopRule};
use acrasin_protocols::Table;
use acrasin_report::record::Section;

use super::{CountConditions, CountStop, Presentation, ProcessRun, ProcessStop as _};
use crate::predicate::BoundPredicate;

/// The stop rule of a process that a caller drives turn by turn, without a plan and a record. Goals and limits mean the
/// same as in other runs.
///
/// ```
/// use acrasin_process::{Ending, Goal, Measure, StopBound, StopGoal};
/// use acrasin_protocols::{Table, library::Fratricide, uniform::Population};
/// use acrasin_scenario::plan::TurnRule;
///
/// let table = Table::compile(&Fratricide)?;
/// let mut leaders = Population::new(&table, &[50, 0], 1)?;
/// let rule = TurnRule::new(vec![StopGoal::Silent], Some(&table));
/// let rule = rule.within(StopBound::Count(Measure::Interactions, 1 << 30));
/// let ending = loop {
///     if let Some(ending) = rule.turn(&mut leaders, u64::MAX) {
///         break ending;
///     }
/// };
/// assert_eq!((ending, leaders.counts()), (Ending::Reached(Goal::Silent), &[1, 49][..]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct TurnRule {
    rule: StopRule<BoundPredicate>,
    pub(crate) conditions: CountConditions,
}

impl std::fmt::Debug for TurnRule {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("TurnRule").field("rule", &self.rule).finish_non_exhaustive()
    }
}

impl TurnRule {
    /// Creates a rule that ends the run when the first of these goals holds. With a table, goals about outputs and
    /// silence are conditions on counts and end the run at the exact interaction. Without a table, the process is
    /// tested for silence between two turns.
    #[must_use]
    pub fn new(goals: Vec<StopGoal<BoundPredicate>>, table: Option<&Table>) -> Self {
        let conditions = CountConditions::new(&goals, table);
        Self { rule: StopRule { goals, ..StopRule::default() }, conditions }
    }

    /// Adds a goal that the process itself decides. The goal is tested between turns.
    #[must_use]
    pub fn or(mut self, goal: StopGoal<BoundPredicate>) -> Self {
        self.rule.goals.push(goal);
        self
    }

    /// Adds a goal that holds if this condition does.
    #[must_use]
    pub fn or_where(mut self, goal: StopGoal<BoundPredicate>, condition: Box<dyn Condition + Send>) -> Self {
        self.conditions.push(self.rule.goals.len(), condition);
        self.rule.goals.push(goal);
        self
    }

    /// Adds a limit, which ends the run as unfinished.
    #[must_use]
    pub fn within(mut self, limit: StopBound) -> Self {
        self.rule.limits.push(limit);
        self
    }

    /// Whether one of the goals holds now.
    pub fn holds(&self, process: &(impl Process + ?Sized)) -> bool {
        let progress = process.progress();
        matches!(self.stop(process).ending(process, &progress), Some(Ending::Reached(_)))
    }

    /// Advances by one turn, at most `most` of the [units](Process::unit) of the process. Returns the ending if the run
    /// has ended, before the turn or after it.
    ///
    /// A run does not depend on the lengths of its turns, with one exception: silence that the process itself decides
    /// is only noticed between turns.
    pub fn turn(&self, process: &mut (impl Process + ?Sized), most: u64) -> Option<Ending> {
        let mut run = self.run_of(process);
        let ending = run.ending(&run.progress());
        if ending.is_some() {
            return ending;
        }
        let most = run.stride().min(most);
        let reached = run.advance(most).expect("a run that is not recorded can be written");
        reached.or_else(|| run.ending(&run.progress()))
    }

    fn stop(&self, process: &(impl Process + ?Sized)) -> CountStop<'_> {
        CountStop::new(process, (&self.rule, &self.conditions), None)
    }

    pub(crate) fn run_of<'a, P: Process + ?Sized>(&'a self, process: &'a mut P) -> BareRun<'a, P> {
        let stop = self.stop(process);
        ProcessRun::new(process, stop, Unshown)
    }
}

/// A run without a record and a film.
pub(crate) type BareRun<'a, P> = ProcessRun<'a, P, CountStop<'a>, Unshown>;

/// A presentation with neither a record nor a film.
pub(crate) struct Unshown;

impl<P: Process + ?Sized> Presentation<P> for Unshown {
    fn sections(&self, _: &P) -> Vec<Section> {
        Vec::new()
    }
}
