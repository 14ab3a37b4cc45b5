//! The graph of states: how long runs are in it, and which states are hopeless.

use acrasin_runtime::NodeId;

#[derive(Clone, Copy, Debug)]
pub(super) struct Transition {
    pub(super) to: u32,
    /// The position of the amoebot in the state, and that of the action in the list.
    pub(super) id: NodeId,
    pub(super) action: u16,
    pub(super) moves: u16,
}

/// From where each state is reached; a state counts once for each transition.
pub(super) fn reversed(graph: &[Vec<Transition>]) -> Vec<Vec<usize>> {
    let mut from = vec![Vec::new(); graph.len()];
    for (state, transitions) in graph.iter().enumerate() {
        for transition in transitions {
            from[transition.to as usize].push(state);
        }
    }
    from
}

/// The states from which none of `ends` can be reached.
pub(super) fn hopeless(graph: &[Vec<Transition>], mut ends: Vec<usize>) -> Vec<usize> {
    let mut from = reversed(graph);
    let mut reaches = vec![false; graph.len()];
    while let Some(state) = ends.pop() {
        if !std::mem::replace(&mut reaches[state], true) {
            ends.append(&mut from[state]);
        }
    }
    (0..graph.len()).filter(|state| !reaches[*state]).collect()
}

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Longest {
    pub(super) actions: u32,
    pub(super) moves: u64,
}

/// The longest run, by actions and by movements; `None` if there is a cycle. Every state is reachable from an initial
/// one, so a run may be thought to start anywhere.
pub(super) fn longest(graph: &[Vec<Transition>]) -> Option<Longest> {
    let mut incoming = vec![0_u32; graph.len()];
    for transition in graph.iter().flatten() {
        incoming[transition.to as usize] += 1;
    }
    let mut ready: Vec<usize> = (0..graph.len()).filter(|state| incoming[*state] == 0).collect();
    let mut until = vec![Longest::default(); graph.len()];
    let mut longest = Longest::default();
    let mut sorted = 0;
    while let Some(state) = ready.pop() {
        sorted += 1;
        let here = until[state];
        longest =
            Longest { actions: longest.actions.max(here.actions), moves: longest.moves.max(here.moves) };
        for transition in &graph[state] {
            let to = transition.to as usize;
            until[to].actions = until[to].actions.max(here.actions + 1);
            until[to].moves = until[to].moves.max(here.moves + u64::from(transition.moves));
            incoming[to] -= 1;
            if incoming[to] == 0 {
                ready.push(to);
            }
        }
    }
    (sorted == graph.len()).then_some(longest)
}

/// The shortest run from one of the first `initial` states to one without transitions.
pub(super) fn shortest(graph: &[Vec<Transition>], initial: usize) -> Option<u32> {
    let mut reached = vec![false; graph.len()];
    reached[..initial].fill(true);
    let mut layer: Vec<usize> = (0..initial).collect();
    for actions in 0.. {
        if layer.is_empty() {
            break;
        }
        if layer.iter().any(|state| graph[*state].is_empty()) {
            return Some(actions);
        }
        let next = layer.iter().flat_map(|state| &graph[*state]).map(|transition| transition.to as usize);
        layer = next.filter(|to| !std::mem::replace(&mut reached[*to], true)).collect();
    }
    None
}

/// The most actions that the shortest way to a state has, from the first `initial` ones. States are numbered breadth first,
/// so the last one is the furthest.
pub(super) fn depth(graph: &[Vec<Transition>], initial: usize) -> usize {
    // The first state that is reached in one action more.
    let (mut border, mut next, mut depth) = (initial, initial, 0);
    for (state, transitions) in graph.iter().enumerate() {
        if state == border {
            depth += 1;
            border = next;
        }
        next = transitions.iter().fold(next, |next, transition| next.max(transition.to as usize + 1));
    }
    depth
}

#[cfg(test)]
mod tests {
    use super::*;

    fn graph(edges: &[&[u32]]) -> Vec<Vec<Transition>> {
        let of = |to: &&[u32]| {
            to.iter().map(|to| Transition { to: *to, id: NodeId(0), action: 0, moves: *to as u16 }).collect()
        };
        edges.iter().map(of).collect()
    }

    #[test]
    fn runs_of_a_known_graph() {
        let moves = graph(&[&[1, 2], &[2, 3], &[3], &[]]);
        let all = longest(&moves).expect("no cycle");
        assert_eq!((all.actions, all.moves), (3, 6));
        assert_eq!(shortest(&moves, 1), Some(2));
        assert_eq!(shortest(&moves, 4), Some(0));
        assert_eq!([1, 3, 4].map(|initial| depth(&moves, initial)), [2, 1, 0]);
    }

    #[test]
    fn cycles_are_noticed() {
        assert!(longest(&graph(&[&[1], &[0, 2], &[]])).is_none());
        assert!(longest(&graph(&[&[0]])).is_none());
        assert_eq!(shortest(&graph(&[&[1], &[0]]), 1), None);
    }
}
