//! [`ScenarioComparison`]: one scenario compared with the implementation, step by step.

use std::cmp::Ordering;

use super::report::{ConformanceReport, Difference, ScenarioPoint};

/// Sorts a list. Positions are sorted instead of elements, so that the sort is compiled once for all kinds of lists.
pub(super) fn sort<T: Ord + Clone>(elements: &mut [T]) {
    let order = positions(elements.len(), &|a, b| elements[a].cmp(&elements[b]));
    let sorted: Vec<T> = order.into_iter().map(|at| elements[at].clone()).collect();
    elements.clone_from_slice(&sorted);
}

fn positions(count: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_by(|&a, &b| compare(a, b));
    order
}

/// The state of one comparison: the scenario, the current step and the number of differences so far.
pub(super) struct ScenarioComparison<'a> {
    id: &'a str,
    line: u64,
    pub(super) place: ScenarioPoint,
    found: u64,
    report: &'a mut ConformanceReport,
}

impl<'a> ScenarioComparison<'a> {
    /// Starts a comparison and counts the scenario in the report.
    pub(super) fn new(id: &'a str, line: u64, report: &'a mut ConformanceReport) -> Self {
        report.scenario();
        Self { id, line, place: ScenarioPoint::Final, found: 0, report }
    }

    /// Begins step `number`, counted from 1.
    pub(super) fn step(&mut self, number: usize) {
        self.place = ScenarioPoint::Step(number);
        self.report.step();
    }

    pub(super) fn differs(&mut self, field: &str, expected: &str, actual: &str) {
        self.report.difference(self.found, || Difference {
            scenario: self.id.to_owned(),
            line: self.line,
            place: self.place,
            field: field.to_owned(),
            expected: expected.to_owned(),
            actual: actual.to_owned(),
        });
        self.found += 1;
    }

    pub(super) fn compare<T: PartialEq + ?Sized>(
        &mut self,
        field: &str,
        expected: &T,
        actual: &T,
        show: impl Fn(&T) -> String,
    ) {
        if expected != actual {
            self.differs(field, &show(expected), &show(actual));
        }
    }

    /// Reports an impossible step. Also reports that the `left` steps after it are not replayed, because they would
    /// start from another configuration.
    pub(super) fn ends_at(&mut self, words: &str, refused: &str, left: usize) {
        let rest = match left {
            0 => String::new(),
            1 => "; the step that follows is not replayed".to_owned(),
            _ => format!("; the {left} steps that follow are not replayed"),
        };
        self.differs("do", words, &format!("{refused}{rest}"));
    }
}
