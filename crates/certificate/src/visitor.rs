//! Visitors of a check, which explanations use to follow it.

use crate::cases::Cases;
use crate::format::{CaseDistinction, ProofFactor, StageStep};
use crate::system::{ConstraintSystem, LinearForm};
use crate::view::StageView;

/// Receives each checked inference of a proof, in the order of the check. `depth` is the number of open distinctions.
pub(crate) trait ProofVisitor {
    /// The sum of these constraints is a contradiction.
    fn contradiction(&mut self, _system: &ConstraintSystem<'_>, _sum: &[ProofFactor], _depth: usize) {}

    /// A cut was added as the constraint `form >= 0`.
    fn cut(&mut self, _system: &ConstraintSystem<'_>, _form: &LinearForm, _depth: usize) {}

    /// A distinction of cases begins.
    fn cases(&mut self, _system: &ConstraintSystem<'_>, _distinction: &CaseDistinction, _depth: usize) {}

    /// A case of the innermost distinction begins.
    fn case(&mut self, _system: &ConstraintSystem<'_>, _cases: &Cases<'_>, _case: usize, _depth: usize) {}
}

/// Receives each node of the trees, depth first.
pub(crate) trait StageVisitor: ProofVisitor {
    /// The tree of a side begins; `value` is the value of the predicate there.
    fn side(&mut self, _value: bool) {}

    /// A node begins. `branch` is the state of the parent's split and whether it is occupied; `None` at the root.
    /// `after` is the closed view.
    fn enter(
        &mut self,
        _level: usize,
        _branch: Option<(u16, bool)>,
        _before: &StageView,
        _after: &StageView,
    ) {
    }

    /// A step was checked. `after` is the closed view after it.
    fn step(&mut self, _step: &StageStep, _before: &StageView, _after: &StageView) {}

    /// The node ends in a contradiction.
    fn impossible(&mut self) {}

    /// The node ends with a proof, whose inferences follow.
    fn leaf(&mut self, _view: &StageView) {}

    /// The node ends with a split.
    fn split(&mut self, _state: u16) {}
}

/// A visitor that does nothing, for checks without explanation.
pub(crate) struct NoVisitor;

impl ProofVisitor for NoVisitor {}
impl StageVisitor for NoVisitor {}
