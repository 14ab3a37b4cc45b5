//! Runs to a state, as people are shown them.

use std::collections::VecDeque;
use std::fmt;

use super::graph::{Transition, reversed};
use super::sequential::{Trace, TraceStep};
use crate::model::system::Configuration;

/// Runs through the graph of states.
pub(super) struct Ways<'a, M, L> {
    pub(super) graph: &'a [Vec<Transition>],
    pub(super) states: &'a [Configuration<M>],
    pub(super) initial: usize,
    pub(super) actions: &'a [L],
}

impl<M: Clone + std::hash::Hash, L: fmt::Debug> Ways<'_, M, L> {
    /// The shortest run from one of the starts to any state, as the transitions and where they begin.
    fn path(&self, starts: impl IntoIterator<Item = usize>, to: usize) -> Vec<(usize, Transition)> {
        let mut reached_by: Vec<Option<(usize, Transition)>> = vec![None; self.graph.len()];
        let mut is_reached = vec![false; self.graph.len()];
        let mut border: VecDeque<usize> = starts.into_iter().collect();
        for start in &border {
            is_reached[*start] = true;
        }
        while let Some(state) = border.pop_front() {
            for &transition in &self.graph[state] {
                let next = transition.to as usize;
                if !std::mem::replace(&mut is_reached[next], true) {
                    reached_by[next] = Some((state, transition));
                    border.push_back(next);
                }
            }
        }
        let mut path: Vec<(usize, Transition)> =
            std::iter::successors(reached_by[to], |(from, _)| reached_by[*from]).collect();
        path.reverse();
        path
    }

    fn trace(&self, path: &[(usize, Transition)], end: usize) -> Trace<M> {
        let start = path.first().map_or(end, |(from, _)| *from);
        let step = |(from, transition): &(usize, Transition)| TraceStep {
            cell: self.states[*from].amoebots()[transition.id.index()].body.head(),
            action: format!("{:?}", self.actions[usize::from(transition.action)]),
        };
        Trace {
            start: self.states[start].clone(),
            steps: path.iter().map(step).collect(),
            end: self.states[end].clone(),
        }
    }

    pub(super) fn to(&self, state: usize) -> Trace<M> {
        self.trace(&self.path(0..self.initial, state), state)
    }

    /// To a cycle and once round it. There is one. O(states + transitions).
    pub(super) fn round(&self) -> Trace<M> {
        // States from which a run can go on for ever: without the ends, and what leads to those alone, again and again.
        let mut ways_on: Vec<usize> = self.graph.iter().map(Vec::len).collect();
        let from = reversed(self.graph);
        let mut ends: Vec<usize> = (0..self.graph.len()).filter(|state| ways_on[*state] == 0).collect();
        while let Some(end) = ends.pop() {
            for &before in &from[end] {
                ways_on[before] -= 1;
                if ways_on[before] == 0 {
                    ends.push(before);
                }
            }
        }
        // From there always on, until a state comes again.
        let mut state = ways_on.iter().position(|ways| *ways > 0).expect("a run can go on for ever");
        let (mut walk, mut met_at) = (Vec::new(), vec![None; self.graph.len()]);
        let first = loop {
            if let Some(first) = met_at[state].replace(walk.len()) {
                break first;
            }
            let goes_on = |next: &&Transition| ways_on[next.to as usize] > 0;
            let next = self.graph[state].iter().find(goes_on).expect("a way on leads to a state with one");
            walk.push((state, *next));
            state = next.to as usize;
        };
        let mut path = self.path(0..self.initial, state);
        path.extend(walk.drain(first..));
        self.trace(&path, state)
    }
}
