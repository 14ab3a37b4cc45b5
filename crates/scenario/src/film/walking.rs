//! Positions of walkers during a run.

use acrasin_graphs::mobility::{RandomWaypoint, WaypointWalk};
use acrasin_report::film::{Column, Kind, Picture, Value};

/// Walkers, seen as often as their contacts are looked for: during the rounds of a step of the trace they are where the
/// look at its end finds them, so that those who share an edge are in range.
#[derive(Debug)]
pub(crate) struct Walking {
    walk: WaypointWalk,
    /// Seconds between two looks, how many there are, and how many rounds each is played for.
    seconds: f64,
    steps: u64,
    rounds_per_step: u64,
    /// The step that is shown, from 1, and the places in thousandths.
    step: u64,
    places: Vec<[i64; 2]>,
    scale: f64,
}

impl Walking {
    /// Of a trace of this model and seed; at round 0. `None` if the model has no trace.
    pub(crate) fn new(model: &RandomWaypoint, seed: u64, rounds_per_step: u64) -> Option<Self> {
        let mut walking = Self {
            walk: WaypointWalk::new(model, seed).ok()?,
            seconds: model.step.into(),
            steps: model.duration / u64::from(model.step),
            rounds_per_step,
            step: 0,
            places: Vec::new(),
            // Of a field under a metre a thousandth of a metre says little.
            scale: 1000.0 / model.side.min(1.0),
        };
        walking.go_to_step(1);
        Some(walking)
    }

    /// The columns `px` and `py`.
    pub(crate) fn columns(&self) -> [Column; 2] {
        let unit = if self.scale > 1000.0 { "thousandths of the side" } else { "mm" };
        ["x", "y"].map(|axis| Column::new(format!("p{axis}"), format!("{axis} in {unit}"), Kind::Number))
    }

    /// A picture of nodes that move.
    pub(crate) fn picture() -> Picture {
        Picture { moving: true, ..Picture::default() }
    }

    /// A node in the two columns.
    pub(crate) fn look(&self, node: u32, into: &mut Vec<Value>) {
        into.extend(self.places[node as usize].map(Value::Number));
    }

    /// The places in a round; whether they may be others than before. Rounds do not go back.
    pub(crate) fn go_to_round(&mut self, round: u64) -> bool {
        self.go_to_step(round / self.rounds_per_step + 1)
    }

    fn go_to_step(&mut self, step: u64) -> bool {
        // After the end of the trace no walker moves.
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

/// Positions of the walkers of a recording. A recording has no rounds, so walkers advance as its changes of the graph
/// advance along the list of all contacts.
#[derive(Debug)]
pub(crate) struct Following {
    pub(crate) walking: Walking,
    /// Every change, by round: two ends, the lower first, and whether the edge begins.
    changes: Vec<(u64, [u32; 2], bool)>,
    next: usize,
}

impl Following {
    /// `changes` by round, as they are asked for.
    pub(crate) fn new(walking: Walking, changes: impl Iterator<Item = (u64, [u32; 2], bool)>) -> Self {
        let ordered = |(round, [a, b], begins): (u64, [u32; 2], bool)| (round, [a.min(b), a.max(b)], begins);
        Self { walking, changes: changes.map(ordered).collect(), next: 0 }
    }

    /// An edge has begun or ended; whether places may be others now. A change that is not in the list, as one of an
    /// adversary, says nothing of the time.
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

    /// In each step exactly those are in contact who are drawn within the range of each other.
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
                    // Places are rounded to thousandths.
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
        // The edge 1, 2 found no port, and is not in the recording; 5, 6 is of an adversary.
        assert!(!following.changed(5, 6, true));
        assert!(following.changed(0, 1, false) && following.walking.places == at(14));
        assert!(following.changed(0, 1, true) && following.walking.places == at(21));
        assert_ne!(at(14), at(21));
    }
}
