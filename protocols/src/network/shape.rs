//! The shape of the graph of active edges.

use super::links::Links;

impl Links {
    /// Whether the active edges are exactly the edges from one agent to all other agents.
    #[must_use]
    pub fn is_spanning_star(&self) -> bool {
        let others = self.agents() - 1;
        self.count() == others as u64 && self.degrees().iter().any(|&degree| degree as usize == others)
    }

    /// Whether the active edges are exactly one path through all agents.
    #[must_use]
    pub fn is_spanning_line(&self) -> bool {
        let last = self.degrees().iter().position(|&degree| degree == 1);
        let is_thin = self.degrees().iter().all(|&degree| (1..=2).contains(&degree));
        let Some(end) = last.filter(|_| is_thin && self.count() as usize == self.agents() - 1) else {
            return false;
        };
        self.walk_from(end).len() == self.agents()
    }

    /// Whether the active edges are disjoint cycles that cover all agents except at most two. An edge between these two
    /// may be active as well.
    #[must_use]
    pub fn is_cycle_cover(&self) -> bool {
        let rest: Vec<usize> = (0..self.agents()).filter(|&agent| self.degrees()[agent] != 2).collect();
        match rest[..] {
            [] => true,
            [one] => self.degrees()[one] == 0,
            [one, other] => {
                self.is_active(one, other) && [one, other].iter().all(|&end| self.degrees()[end] == 1)
            }
            _ => false,
        }
    }

    /// The agents of the path that begins at agent `end`, in order. All degrees must be at most 2.
    fn walk_from(&self, end: usize) -> Vec<usize> {
        let mut path = vec![end];
        let mut before = end;
        let mut here = end;
        while let Some(next) = self.neighbours(here).find(|&next| next != before && next != end) {
            (before, here) = (here, next);
            path.push(next);
        }
        path
    }
}

#[cfg(test)]
mod tests {
    use super::Links;

    fn links(agents: usize, edges: &[[usize; 2]]) -> Links {
        let mut links = Links::none(agents);
        for &[u, v] in edges {
            links.turn(u, v);
        }
        links
    }

    #[test]
    fn shapes_are_distinguished() {
        let star = links(5, &[[2, 0], [2, 1], [3, 2], [2, 4]]);
        let line = links(5, &[[0, 3], [3, 1], [1, 4], [4, 2]]);
        let cycle_and_pair = links(5, &[[0, 1], [1, 2], [2, 0], [3, 4]]);
        let cycle = links(5, &[[0, 1], [1, 2], [2, 3], [3, 4], [4, 0]]);
        let cycle_and_one = links(5, &[[0, 1], [1, 2], [2, 3], [3, 0]]);
        let shapes =
            |links: &Links| [links.is_spanning_star(), links.is_spanning_line(), links.is_cycle_cover()];
        assert_eq!(shapes(&star), [true, false, false]);
        assert_eq!(shapes(&line), [false, true, false]);
        assert_eq!(shapes(&cycle), [false, false, true]);
        assert_eq!(shapes(&cycle_and_one), [false, false, true]);
        // The same numbers of edges and degrees as a line, but not a line.
        assert_eq!(shapes(&cycle_and_pair), [false, false, true]);
        assert_eq!(shapes(&links(4, &[[0, 1], [2, 3]])), [false; 3]);
        // Two agents without an edge are not final: they would still join.
        assert_eq!(shapes(&links(5, &[[0, 1], [1, 2], [2, 0]])), [false; 3]);
        assert_eq!(shapes(&links(2, &[[0, 1]])), [true, true, true]);
    }

    #[test]
    fn edges_are_turned_one_by_one() {
        let mut some = links(70, &[[69, 3], [68, 69]]);
        assert!(some.is_active(3, 69) && !some.is_active(3, 68));
        assert_eq!(some.neighbours(69).collect::<Vec<_>>(), [3, 68]);
        some.turn(3, 69);
        assert_eq!((some.count(), some.degrees()[69], some.degrees()[3]), (1, 1, 0));
        assert_eq!(some, links(70, &[[68, 69]]));
    }
}
