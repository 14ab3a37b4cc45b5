//! Cycles in a fair component, which show that a run can continue forever.

use std::collections::VecDeque;

use crate::MoveId;
use crate::fair::FairComponent;
use crate::graph::{ConfigurationGraph, MoveEdge};

impl FairComponent {
    /// A cycle of moves inside the component, from a configuration back to it. The cycle meets every duty of weak
    /// fairness: each duty is done, or is not due somewhere on it. Repeated forever, it is an infinite fair run for
    /// certain outcomes of coins.
    ///
    /// Empty if nothing is due, so that the adversary can wait. The cycle need not be a shortest one. Cost: O(duties ·
    /// moves inside).
    ///
    /// # Panics
    ///
    /// Panics if `from` is not a member, or if this is not a fair component of the graph.
    #[must_use]
    pub fn way_round(&self, graph: &ConfigurationGraph, from: u32) -> Vec<MoveId> {
        let inside = ComponentMoves { graph, members: &self.members };
        let start = inside.place(from).expect("the configuration is a member");
        let mut open = inside.due(start);
        let (mut at, mut moves) = (start, Vec::new());
        while !open.is_empty() {
            let meets = |edge: &MoveEdge, to: usize| {
                let due = inside.due(to);
                open.contains(&edge.duty) || open.iter().any(|duty| !due.contains(duty))
            };
            let way =
                inside.way(at, meets).expect("in a fair component each duty is done or not due somewhere");
            for (edge, to) in way {
                let due = inside.due(to);
                open.retain(|duty| *duty != edge.duty && due.contains(duty));
                moves.push(id(&edge));
                at = to;
            }
        }
        if at != start {
            let back = inside.way(at, |_, to| to == start).expect("a component is strongly connected");
            moves.extend(back.iter().map(|(edge, _)| id(edge)));
        }
        moves
    }
}

fn id(edge: &MoveEdge) -> MoveId {
    MoveId { step: edge.step, outcome: edge.outcome }
}

/// The component, with the moves that stay inside it.
struct ComponentMoves<'a> {
    graph: &'a ConfigurationGraph,
    members: &'a [u32],
}

impl ComponentMoves<'_> {
    fn place(&self, configuration: u32) -> Option<usize> {
        self.members.binary_search(&configuration).ok()
    }

    /// The duties that are due at a member, by number.
    fn due(&self, place: usize) -> Vec<u16> {
        let edges = self.graph.edges(self.members[place]);
        edges.iter().map(|edge| edge.duty).filter(|&duty| duty != 0).collect()
    }

    /// The moves of steps whose outcomes all stay inside.
    fn moves(&self, place: usize) -> impl Iterator<Item = (MoveEdge, usize)> {
        let edges = self.graph.edges(self.members[place]);
        let staying = crate::fair::steps(edges).filter(|step| {
            step[0].step != crate::graph::WAITING && step.iter().all(|edge| self.place(edge.target).is_some())
        });
        staying.flatten().map(|edge| (*edge, self.place(edge.target).expect("it stays inside")))
    }

    /// A shortest path from a member whose last move satisfies `is_wanted`, if there is one.
    fn way(
        &self,
        from: usize,
        is_wanted: impl Fn(&MoveEdge, usize) -> bool,
    ) -> Option<Vec<(MoveEdge, usize)>> {
        let mut reached_by: Vec<Option<(usize, MoveEdge)>> = vec![None; self.members.len()];
        let mut border = VecDeque::from([from]);
        while let Some(at) = border.pop_front() {
            for (edge, to) in self.moves(at) {
                if is_wanted(&edge, to) {
                    let mut way = vec![(edge, to)];
                    let mut at = at;
                    while at != from {
                        let (before, by) = reached_by[at].expect("it was reached");
                        way.push((by, at));
                        at = before;
                    }
                    way.reverse();
                    return Some(way);
                }
                if to != from && reached_by[to].is_none() {
                    reached_by[to] = Some((at, edge));
                    border.push_back(to);
                }
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Duty, fair_component};

    fn step(step: u16, duty: u32, target: u32) -> (MoveId, Duty, u32) {
        (MoveId { step, outcome: 0 }, Duty(duty), target)
    }

    /// The steps of the cycle among configurations with label 1; the last configuration has label 0.
    fn round(moves: &[Vec<(MoveId, Duty, u32)>], from: u32) -> Vec<u16> {
        let mut labels = vec![1; moves.len()];
        *labels.last_mut().unwrap() = 0;
        let graph = ConfigurationGraph::from_moves(labels, moves);
        let component = fair_component(&graph, |label| label == 1).unwrap();
        component.way_round(&graph, from).into_iter().map(|id| id.step).collect()
    }

    /// The shortest cycle through 0 never does a duty that is due all along it; the fair cycle makes a detour.
    #[test]
    fn a_duty_that_is_due_all_the_way_is_done_on_the_way() {
        let moves = [
            vec![step(0, 5, 1), step(1, 6, 2)],
            vec![step(0, 5, 0), step(1, 6, 2)],
            vec![step(2, 7, 0)],
            vec![],
        ];
        assert_eq!(round(&moves, 0), [0, 1, 2]);
        // From 2 on, neither duty is due all along the cycle.
        assert_eq!(round(&moves, 2), [2, 1]);
    }

    #[test]
    fn where_a_duty_is_not_due_it_need_not_be_done() {
        let moves = [vec![step(0, 5, 1), step(1, 6, 2)], vec![step(0, 5, 0)], vec![]];
        assert_eq!(round(&moves, 0), [0, 0]);
    }

    #[test]
    fn where_nothing_is_due_nothing_is_done() {
        assert_eq!(round(&[vec![step(0, 0, 1)], vec![]], 0), []);
    }
}
