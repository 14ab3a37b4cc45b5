//! Positions of walkers during a run.

use acrasin_graphs::mobility::{RandomWaypoint, WaypointWalk};
use acrasin_report::film::{ColumnKind, NodeColumn, NodePositions, NodeValue};

/// Walkers, observed once per step of their contact trace. In all rounds of a step, walkers have their positions at the
/// end of the step, so that nodes that share an edge are in range.
#[derive(Debug)]
pub(crate) struct Walking {
    walk: WaypointWalk,
    /// The seconds per step, the number of steps, and the rounds per step.
    seconds: f64,
    steps: u64,
    rounds_per_step: u64,
    /// The current step, from 1.
    step: u64,
    /// The positions of the walkers, in thousandths of the side.
    places: Vec<[i64; 2]>,
    scale: f64,
}

impl Walking {
    /// The walkers of a trace of this model and seed at round 0; `None` if the model has no trace.
    pub(crate) fn new(model: &RandomWaypoint, seed: u64, rounds_per_step: u64) -> Option<Self> {
        let mut walking = Self {
            walk: WaypointWalk::new(model, seed).ok()?,
            seconds: model.step.into(),
            steps: model.duration / u64::from(model.step),
            rounds_per_step,
            step: 0,
            places: Vec::new(),
            // On a field smaller than a metre, thousandths of a metre are too coarse.
            scale: 1000.0 / model.side.min(1.0),
        };
        walking.go_to_step(1);
        Some(walking)
    }

    /// The columns `px` and `py`.
    pub(crate) fn columns(&self) -> [NodeColumn; 2] {
        let unit = if self.scale > 1000.0 { "thousandths of the side" } else { "mm" };
        ["x", "y"]
            .map(|axis| NodeColumn::new(format!("p{axis}"), format!("{axis} in {unit}"), ColumnKind::Number))
    }

    /// Node positions that are read from the columns `px` and `py` in each frame.
    pub(crate) fn picture() -> NodePositions {
        NodePositions { moving: true, ..NodePositions::default() }
    }

    /// Appends the values of the two columns for a node.
    pub(crate) fn look(&self, node: u32, into: &mut Vec<NodeValue>) {
        into.extend(self.places[node as usize].map(NodeValue::Number));
    }

    /// Moves the walkers to a round, and returns whether positions changed. Rounds only increase.
    pub(crate) fn go_to_round(&mut self, round: u64) -> bool {
        self.go_to_step(round / self.rounds_per_step + 1)
    }

    fn go_to_step(&mut self, step: u64) -> bool {
        // Walkers stop at the end of the trace.
        let step = step.min(self.steps);
        if step <= self.step {
            return false;
        }
        self.step = step;
        let Self { walk, seconds, scale, places, .. } = self;
        let thousandths = |value: f64| (value * *scale).round() as i64;
        places.clear();
        places.extend(walk.at(step as f64 * *seconds).map(|place| place.map(thousandths)));
        true
    }
}

/// Positions of the walkers in a replay. A recording has no rounds. Its changes of the graph are therefore compared
/// with the list of all contacts, to determine the step of the walkers.
#[derive(Debug)]
pub(crate) struct Following {
    pub(crate) walking: Walking,
    /// Every change: its round, the two ends, the lower first, and whether the edge appears.
    changes: Vec<(u64, [u32; 2], bool)>,
    next: usize,
}

impl Following {
    /// Creates positions that follow these changes, which must be in the order of rounds.
    pub(crate) fn new(walking: Walking, changes: impl Iterator<Item = (u64, [u32; 2], bool)>) -> Self {
        let ordered = |(round, [a, b], begins): (u64, [u32; 2], bool)| (round, [a.min(b), a.max(b)], begins);
        Self { walking, changes: changes.map(ordered).collect(), next: 0 }
    }

    /// Advances the walkers to the change of an edge, and returns whether positions changed. A change that is not in
    /// the list, such as one by an adversary, does not advance them.
    pub(crate) fn changed(&mut self, a: u32, b: u32, begins: bool) -> bool {
        let ends = [a.min(b), a.max(b)];
        let mut later = self.changes[self.next..].iter();
        let Some(found) = later.position(|&(_, other, beginning)| (other, beginning) == (ends, begins))
        else {
            return false;
        };
        self.next += found + 1;
        let (round, ..) = self.changes[self.next - 1];
        self.walking.go_to_round(round)
    }
}

#[cfg(test)]
mod tests {
    use acrasin_graphs::mobility::random_waypoint;

    use super::*;

    const MODEL: RandomWaypoint = RandomWaypoint {
        nodes: 12,
        side: 20.0,
        speed: (0.5, 1.5),
        pause: 5.0,
        range: 4.0,
        step: 2,
        duration: 120,
    };

    /// In each step two nodes are in contact exactly if they are drawn within range of each other.
    #[test]
    fn who_shares_an_edge_is_in_range_where_it_is_drawn() {
        let trace = random_waypoint(&MODEL, 3).unwrap();
        let schedule = trace.schedule();
        let mut walking = Walking::new(&MODEL, 3, 7).unwrap();
        let mut adjacent = std::collections::BTreeSet::new();
        for step in 1..=schedule.steps() {
            let changes = schedule.at(step);
            changes.ends.iter().for_each(|pair| assert!(adjacent.remove(pair)));
            changes.begins.iter().for_each(|pair| assert!(adjacent.insert(*pair)));
            walking.go_to_round((step - 1) * 7 + 6);
            for a in 0..12_u32 {
                for b in a + 1..12 {
                    let [[ax, ay], [bx, by]] = [a, b].map(|node| walking.places[node as usize]);
                    let distance = (((ax - bx).pow(2) + (ay - by).pow(2)) as f64).sqrt() / 1000.0;
                    // Distances near the range are skipped, since positions are rounded to thousandths.
                    if (distance - 4.0).abs() > 0.002 {
                        assert_eq!(adjacent.contains(&(a, b)), distance < 4.0, "step {step}: {a} {b}");
                    }
                }
            }
        }
        let [before, wrong] = [3, 4].map(|seed| Walking::new(&MODEL, seed, 7).unwrap().places);
        assert_ne!(before, wrong, "another seed walks elsewhere");
    }

    #[test]
    fn a_recording_leads_the_walkers_as_its_changes_go() {
        let changes = [(0, [1, 0], true), (7, [2, 1], true), (14, [0, 1], false), (21, [0, 1], true)];
        let mut following = Following::new(Walking::new(&MODEL, 3, 7).unwrap(), changes.into_iter());
        let at = |round| {
            let mut walking = Walking::new(&MODEL, 3, 7).unwrap();
            walking.go_to_round(round);
            walking.places
        };
        assert!(!following.changed(0, 1, true) && following.walking.places == at(0));
        // Edge 1-2 found no open port and is missing from the recording; edge 5-6 comes from an adversary.
        assert!(!following.changed(5, 6, true));
        assert!(following.changed(0, 1, false) && following.walking.places == at(14));
        assert!(following.changed(0, 1, true) && following.walking.places == at(21));
        assert_ne!(at(14), at(21));
    }
}
