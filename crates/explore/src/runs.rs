//! [`LongestRun`] and [`GraphWalk`]: lengths of runs in a graph of configurations, dead ends, and runs to show.

use std::collections::VecDeque;

use crate::graph::{ConfigurationGraph, MoveEdge, WAITING};

/// Maxima over all runs of a graph without cycles.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct LongestRun {
    /// The maximum number of moves of a run.
    pub moves: u32,
    /// The maximum total [weight](crate::Moves::weigh) of the moves of a run, possibly of another run than `moves`.
    pub weight: u64,
}

/// A run: its first configuration, and each move as a position among the moves of its configuration.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GraphWalk {
    /// The configuration in which the run starts.
    pub start: u32,
    /// The position of each move in [`ConfigurationGraph::moves`] of the configuration in which it is made.
    pub moves: Vec<u32>,
}

impl ConfigurationGraph {
    fn taken(&self, configuration: u32) -> impl DoubleEndedIterator<Item = &MoveEdge> {
        self.edges(configuration).iter().filter(|edge| edge.step != WAITING)
    }

    fn numbers(&self) -> std::ops::Range<u32> {
        0..self.len() as u32
    }

    /// Whether no move is possible in a configuration.
    ///
    /// # Panics
    ///
    /// Panics if there is no such configuration.
    #[must_use]
    pub fn is_end(&self, configuration: u32) -> bool {
        self.taken(configuration).next().is_none()
    }

    /// Renumbers the configurations: `order[i]` gets number `i`, and `number` gives the new number of each.
    pub(crate) fn renumbered(&self, order: &[u32], number: impl Fn(u32) -> u32) -> Self {
        let mut graph = Self { duties: self.duties.clone(), ..Self::default() };
        graph.labels.reserve_exact(order.len());
        graph.ends.reserve_exact(order.len());
        graph.moves.reserve_exact(self.moves.len());
        for &old in order {
            graph.labels.push(self.label(old));
            graph
                .moves
                .extend(self.edges(old).iter().map(|edge| MoveEdge { target: number(edge.target), ..*edge }));
            graph.ends.push(graph.moves.len() as u64);
        }
        graph
    }

    /// The configurations from which no run leads to one of `ends`, in order. Cost: O(configurations + moves).
    #[must_use]
    pub fn hopeless(&self, ends: impl Fn(u32) -> bool) -> Vec<u32> {
        let before = Predecessors::of(self);
        let mut reaches = vec![false; self.len()];
        let mut border: Vec<u32> = self.numbers().filter(|at| ends(*at)).collect();
        while let Some(at) = border.pop() {
            if !std::mem::replace(&mut reaches[at as usize], true) {
                border.extend(before.of_configuration(at).iter().filter(|from| !reaches[**from as usize]));
            }
        }
        self.numbers().filter(|at| !reaches[*at as usize]).collect()
    }

    /// The longest run from any configuration; `None` if some run is infinite. Cost: O(configurations + moves).
    #[must_use]
    pub fn longest_run(&self) -> Option<LongestRun> {
        let mut incoming = vec![0_u32; self.len()];
        for at in self.numbers() {
            self.taken(at).for_each(|edge| incoming[edge.target as usize] += 1);
        }
        let mut ready: Vec<u32> = self.numbers().filter(|at| incoming[*at as usize] == 0).collect();
        let mut until = vec![LongestRun::default(); self.len()];
        let mut longest = LongestRun::default();
        let mut sorted = 0;
        while let Some(at) = ready.pop() {
            sorted += 1;
            let here = until[at as usize];
            longest.moves = longest.moves.max(here.moves);
            longest.weight = longest.weight.max(here.weight);
            for edge in self.taken(at) {
                let to = edge.target as usize;
                until[to].moves = until[to].moves.max(here.moves + 1);
                until[to].weight = until[to].weight.max(here.weight + u64::from(edge.weight));
                incoming[to] -= 1;
                if incoming[to] == 0 {
                    ready.push(edge.target);
                }
            }
        }
        (sorted == self.len()).then_some(longest)
    }

    /// The number of moves of the shortest run from one of `starts` to a configuration without moves; `None` if
    /// no run leads to one.
    #[must_use]
    pub fn shortest_run(&self, starts: impl IntoIterator<Item = u32>) -> Option<u32> {
        let mut reached = vec![false; self.len()];
        let mut layer: Vec<u32> = starts.into_iter().collect();
        layer.iter().for_each(|start| reached[*start as usize] = true);
        let mut moves = 0;
        while !layer.is_empty() {
            if layer.iter().any(|at| self.is_end(*at)) {
                return Some(moves);
            }
            let next = layer.iter().flat_map(|at| self.taken(*at).map(|edge| edge.target));
            layer = next.filter(|to| !std::mem::replace(&mut reached[*to as usize], true)).collect();
            moves += 1;
        }
        None
    }

    /// For each of `starts`, the number of configurations that are reachable from this start, itself included. Cost:
    /// O(starts · moves).
    #[must_use]
    pub fn reached_from_each(&self, starts: impl IntoIterator<Item = u32>) -> Vec<usize> {
        let mut reached_from = vec![None; self.len()];
        let mut border = Vec::new();
        let mut count = |start: u32| {
            let mut configurations = 1;
            reached_from[start as usize] = Some(start);
            border.push(start);
            while let Some(at) = border.pop() {
                for edge in self.taken(at) {
                    if reached_from[edge.target as usize].replace(start) != Some(start) {
                        configurations += 1;
                        border.push(edge.target);
                    }
                }
            }
            configurations
        };
        starts.into_iter().map(&mut count).collect()
    }

    /// A shortest run from one of `starts` to a configuration: the first one that a plain breadth-first search
    /// finds.
    ///
    /// # Panics
    ///
    /// Panics if no run leads there.
    #[must_use]
    pub fn way(&self, starts: impl IntoIterator<Item = u32>, to: u32) -> GraphWalk {
        let mut reached_by: Vec<Option<(u32, u32)>> = vec![None; self.len()];
        let mut is_reached = vec![false; self.len()];
        let mut border: VecDeque<u32> = starts.into_iter().collect();
        border.iter().for_each(|start| is_reached[*start as usize] = true);
        while let Some(at) = border.pop_front() {
            if is_reached[to as usize] {
                break;
            }
            for (edge, position) in self.taken(at).zip(0..) {
                if !std::mem::replace(&mut is_reached[edge.target as usize], true) {
                    reached_by[edge.target as usize] = Some((at, position));
                    border.push_back(edge.target);
                }
            }
        }
        assert!(is_reached[to as usize], "configuration {to} cannot be reached");
        let (mut start, mut moves) = (to, Vec::new());
        while let Some((from, position)) = reached_by[start as usize] {
            moves.push(position);
            start = from;
        }
        moves.reverse();
        GraphWalk { start, moves }
    }

    /// A run from one of `starts` to a configuration on a cycle, followed by the cycle once. `None` if no run is
    /// infinite. Cost: O(configurations + moves).
    #[must_use]
    pub fn way_round(&self, starts: impl IntoIterator<Item = u32>) -> Option<GraphWalk> {
        // Find where a run can continue forever: repeatedly remove ends and the configurations that lead only
        // to removed ones.
        let mut ways_on: Vec<usize> = self.numbers().map(|at| self.taken(at).count()).collect();
        let before = Predecessors::of(self);
        let mut ends: Vec<u32> = self.numbers().filter(|at| ways_on[*at as usize] == 0).collect();
        while let Some(end) = ends.pop() {
            for &from in before.of_configuration(end) {
                ways_on[from as usize] -= 1;
                if ways_on[from as usize] == 0 {
                    ends.push(from);
                }
            }
        }
        // From such a configuration, follow moves that can continue until a configuration repeats.
        let mut at = ways_on.iter().position(|ways| *ways > 0)? as u32;
        let (mut walk, mut met_at) = (Vec::new(), vec![None; self.len()]);
        let first = loop {
            if let Some(first) = met_at[at as usize].replace(walk.len()) {
                break first;
            }
            let goes_on = |next: &(&MoveEdge, u32)| ways_on[next.0.target as usize] > 0;
            let next = self.taken(at).zip(0..).find(goes_on);
            let (edge, position) = next.expect("a way on leads to a configuration with one");
            walk.push(position);
            at = edge.target;
        };
        let mut way = self.way(starts, at);
        way.moves.extend(walk.drain(first..));
        Some(way)
    }
}

/// The predecessors of each configuration, one entry per move.
struct Predecessors {
    ends: Vec<usize>,
    from: Vec<u32>,
}

impl Predecessors {
    fn of(graph: &ConfigurationGraph) -> Self {
        let mut ends = vec![0_usize; graph.len()];
        for at in graph.numbers() {
            graph.taken(at).for_each(|edge| ends[edge.target as usize] += 1);
        }
        let mut sum = 0;
        for end in &mut ends {
            sum += *end;
            *end = sum;
        }
        // Filled from the back, which turns the end of each list into its start.
        let mut from = vec![0; sum];
        for at in graph.numbers().rev() {
            for edge in graph.taken(at).rev() {
                let end = &mut ends[edge.target as usize];
                *end -= 1;
                from[*end] = at;
            }
        }
        ends.push(sum);
        Self { ends, from }
    }

    fn of_configuration(&self, configuration: u32) -> &[u32] {
        let at = configuration as usize;
        &self.from[self.ends[at]..self.ends[at + 1]]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Duty, MoveId};

    /// The weight of a move is the number of its target.
    fn graph(targets: &[&[u32]]) -> ConfigurationGraph {
        let moves: Vec<Vec<(MoveId, Duty, u32)>> = targets
            .iter()
            .map(|list| {
                let step = |(step, to): (u16, &u32)| (MoveId { step, outcome: 0 }, Duty::NONE, *to);
                (0..).zip(*list).map(step).collect()
            })
            .collect();
        let mut graph = ConfigurationGraph::from_moves(vec![0; targets.len()], &moves);
        graph.moves.iter_mut().for_each(|edge| edge.weight = edge.target as u16);
        graph
    }

    #[test]
    fn runs_of_a_known_graph() {
        let moves = graph(&[&[1, 2], &[2, 3], &[3], &[]]);
        assert_eq!(moves.longest_run(), Some(LongestRun { moves: 3, weight: 6 }));
        assert_eq!(moves.shortest_run([0]), Some(2));
        assert_eq!(moves.shortest_run(0..4), Some(0));
        assert_eq!(moves.reached_from_each(0..4), [4, 3, 2, 1]);
        assert_eq!(moves.way([0], 3), GraphWalk { start: 0, moves: vec![0, 1] });
        assert_eq!(moves.way(0..4, 3), GraphWalk { start: 3, moves: vec![] });
        assert_eq!(moves.way_round([0]), None);
    }

    #[test]
    fn cycles_are_noticed() {
        let lasso = graph(&[&[1], &[2, 3], &[1], &[]]);
        assert!(lasso.longest_run().is_none() && graph(&[&[0]]).longest_run().is_none());
        assert_eq!(graph(&[&[1], &[0]]).shortest_run([0]), None);
        // To 1, then to 2 and back.
        assert_eq!(lasso.way_round([0]), Some(GraphWalk { start: 0, moves: vec![0, 0, 0] }));
    }

    #[test]
    fn there_is_no_hope_where_no_way_leads_to_an_end() {
        let graph = graph(&[&[1, 2], &[3], &[2], &[]]);
        assert_eq!(graph.hopeless(|at| at == 3), [2]);
        assert_eq!(graph.hopeless(|_| false), [0, 1, 2, 3]);
    }
}
