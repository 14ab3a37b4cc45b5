//! Enumerates the inputs of a size, and the placements of an input on the nodes of a graph.

/// All inputs of `agents` agents over `states` states, each once, as the number of agents in each state. They are
/// sorted by decreasing first number.
///
/// ```
/// let all: Vec<Vec<u32>> = acrasin_verify::population::inputs(2, 2).collect();
/// assert_eq!(all, [[2, 0], [1, 1], [0, 2]]);
/// ```
#[must_use]
pub fn inputs(agents: u32, states: usize) -> Compositions {
    Compositions::new(agents, states)
}

/// Iterates over all ways to write a number as an ordered sum of a fixed number of terms, which may be 0. Created by
/// [`inputs`].
#[derive(Clone, Debug)]
pub struct Compositions {
    next: Option<Vec<u32>>,
}

impl Compositions {
    fn new(total: u32, parts: usize) -> Self {
        let next = (parts > 0).then(|| {
            let mut first = vec![0; parts];
            first[0] = total;
            first
        });
        Self { next }
    }
}

impl Iterator for Compositions {
    type Item = Vec<u32>;

    fn next(&mut self) -> Option<Vec<u32>> {
        let now = self.next.take()?;
        let (last, rest) = now.split_last().expect("at least one part");
        // Decrements the last number that can fall; the remainder moves to the next place.
        if let Some(place) = rest.iter().rposition(|&count| count > 0) {
            let mut next = now.clone();
            next[place] -= 1;
            let moved = *last + 1;
            *next.last_mut().expect("at least one part") = 0;
            next[place + 1] = moved;
            self.next = Some(next);
        }
        Some(now)
    }
}

/// Permutes a sequence into its lexicographic successor; returns `false` if the sequence is already the last one.
pub(super) fn next_placement<T: Ord>(sequence: &mut [T]) -> bool {
    let Some(rise) = sequence.windows(2).rposition(|pair| pair[0] < pair[1]) else { return false };
    let above =
        sequence.iter().rposition(|member| *member > sequence[rise]).expect("the next one is greater");
    sequence.swap(rise, above);
    sequence[rise + 1..].reverse();
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_input_once() {
        let all: Vec<Vec<u32>> = Compositions::new(3, 2).collect();
        assert_eq!(all, [[3, 0], [2, 1], [1, 2], [0, 3]]);
        for (total, parts, count) in [(4, 3, 15), (6, 4, 84), (5, 1, 1), (0, 3, 1), (3, 0, 0)] {
            let all: Vec<Vec<u32>> = Compositions::new(total, parts).collect();
            assert_eq!(all.len(), count);
            assert!(all.iter().all(|input| input.iter().sum::<u32>() == total && input.len() == parts));
            assert_eq!(all.iter().collect::<BTreeSet<_>>().len(), count);
        }
    }

    #[test]
    fn every_placement_once() {
        let mut nodes = vec![0, 0, 1, 1, 2];
        let mut seen = BTreeSet::from([nodes.clone()]);
        while next_placement(&mut nodes) {
            assert!(seen.insert(nodes.clone()));
        }
        assert_eq!(seen.len(), 30);
        assert!(!next_placement::<u8>(&mut []) && !next_placement(&mut [1]));
    }
}
