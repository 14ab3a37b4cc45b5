//! One walker of the random waypoint model.

use rand::{RngExt as _, SeedableRng as _};
use rand_pcg::Pcg64;

use super::RandomWaypoint;
use crate::cells::Point;

/// Mean distance of two uniform points of the unit square: (2 + sqrt 2 + 5 asinh 1) / 15.
const MEAN_DISTANCE: f64 = 0.521_405_433_164_720_7;

/// A walker with its current leg and its own random generator. Its path therefore depends neither on the other walkers
/// nor on how often it is sampled.
pub(super) struct Walker {
    random: Pcg64,
    leg: Leg,
}

/// A straight walk and the pause after it.
#[derive(Clone, Copy, Debug)]
struct Leg {
    from: Point,
    to: Point,
    departs: f64,
    arrives: f64,
    pause_ends: f64,
}

impl Walker {
    /// A walker in the steady state of the model at time 0 (Navidi and Camp 2004).
    ///
    /// Sampling in the steady state favours long and slow walks. So a walker pauses with probability E(pause) /
    /// (E(pause) + E(walk)). A walk is chosen in proportion to its length, its speed with density proportional to
    /// 1/speed, and the place on it uniformly. The rest of a pause is the residual life of a uniform time.
    pub(super) fn in_steady_state(model: &RandomWaypoint, seed: u64) -> Self {
        let mut random = Pcg64::seed_from_u64(seed);
        let (slowest, fastest) = model.speed;
        let spread = libm::log(fastest / slowest);
        let mean_slowness = if fastest > slowest { spread / (fastest - slowest) } else { 1.0 / slowest };
        let mean_walk = MEAN_DISTANCE * model.side * mean_slowness;
        let mean_pause = model.pause / 2.0;
        let pauses = random.random::<f64>() * (mean_pause + mean_walk) < mean_pause;
        if pauses {
            let at = place(model, &mut random);
            let rest = model.pause * (1.0 - (1.0 - random.random::<f64>()).sqrt());
            let leg = Leg { from: at, to: at, departs: 0.0, arrives: 0.0, pause_ends: rest };
            return Self { random, leg };
        }
        let diagonal_squared = 2.0 * model.side * model.side;
        let (from, to) = loop {
            let (from, to) = (place(model, &mut random), place(model, &mut random));
            let share: f64 = random.random();
            // Accepted with probability length / diagonal.
            if share * share * diagonal_squared < from.distance_squared(to) {
                break (from, to);
            }
        };
        let speed = slowest * libm::exp(random.random::<f64>() * spread);
        let done: f64 = random.random();
        let takes = from.distance_squared(to).sqrt() / speed;
        let (departs, arrives) = (-done * takes, (1.0 - done) * takes);
        let pause_ends = arrives + model.pause * random.random::<f64>();
        Self { random, leg: Leg { from, to, departs, arrives, pause_ends } }
    }

    /// The position of the walker at `time`, in seconds. Times must not decrease from call to call.
    pub(super) fn at(&mut self, model: &RandomWaypoint, time: f64) -> Point {
        while self.leg.pause_ends <= time {
            self.set_out(model);
        }
        let Leg { from, to, departs, arrives, .. } = self.leg;
        if time >= arrives {
            return to;
        }
        let done = (time - departs) / (arrives - departs);
        Point { x: from.x + (to.x - from.x) * done, y: from.y + (to.y - from.y) * done }
    }

    /// Starts the next leg, after the pause of the current one.
    fn set_out(&mut self, model: &RandomWaypoint) {
        let (from, departs) = (self.leg.to, self.leg.pause_ends);
        let to = place(model, &mut self.random);
        let (slowest, fastest) = model.speed;
        let speed = slowest + (fastest - slowest) * self.random.random::<f64>();
        let arrives = departs + from.distance_squared(to).sqrt() / speed;
        let pause_ends = arrives + model.pause * self.random.random::<f64>();
        self.leg = Leg { from, to, departs, arrives, pause_ends };
    }
}

fn place(model: &RandomWaypoint, random: &mut Pcg64) -> Point {
    Point { x: model.side * random.random::<f64>(), y: model.side * random.random::<f64>() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::{ODDS_ONE_IN_A_MILLION, standard_score};

    const MODEL: RandomWaypoint = RandomWaypoint {
        nodes: 1,
        side: 100.0,
        speed: (0.2, 4.0),
        pause: 60.0,
        range: 1.0,
        step: 1,
        duration: 1,
    };

    /// A walker at a uniformly random position, about to set out. Many simulations wrongly start the model in this way.
    fn setting_out(seed: u64) -> Walker {
        let mut random = Pcg64::seed_from_u64(seed);
        let at = place(&MODEL, &mut random);
        let leg = Leg { from: at, to: at, departs: 0.0, arrives: 0.0, pause_ends: 0.0 };
        Walker { random, leg }
    }

    /// The shares of walkers that pause, that walk slowly, and that are in the middle of the field.
    fn shares(count: u64, time: f64, begin: impl Fn(u64) -> Walker) -> [f64; 3] {
        let mut sums = [0.0; 3];
        for seed in 0..count {
            let mut walker = begin(seed);
            let place = walker.at(&MODEL, time);
            let Leg { from, to, departs, arrives, .. } = walker.leg;
            let pauses = time >= arrives;
            let slow = !pauses && from.distance_squared(to).sqrt() < 1.0 * (arrives - departs);
            let middle = (place.x - 50.0).abs() < 25.0 && (place.y - 50.0).abs() < 25.0;
            for (sum, holds) in sums.iter_mut().zip([pauses, slow, middle]) {
                *sum += f64::from(u8::from(holds));
            }
        }
        sums
    }

    #[test]
    fn the_start_is_the_steady_state_and_a_naive_start_is_not() {
        let count = 20_000;
        let scores = |one: [f64; 3], other: [f64; 3]| {
            std::array::from_fn::<f64, 3, _>(|at| {
                let share = (one[at] + other[at]) / (2.0 * count as f64);
                standard_score(one[at], other[at], 2.0 * count as f64 * share * (1.0 - share)).abs()
            })
        };
        let steady = |seed| Walker::in_steady_state(&MODEL, seed);
        // Other seeds at the later time make the samples independent.
        let later = shares(count, 5000.0, |seed| steady(seed + count));
        for score in scores(shares(count, 0.0, steady), later) {
            assert!(score < ODDS_ONE_IN_A_MILLION, "{score}");
        }
        for score in scores(shares(count, 0.0, setting_out), later) {
            assert!(score > ODDS_ONE_IN_A_MILLION, "{score}");
        }
        // Long after its start the naive walker has reached the same state, so the later sample is the model's own.
        for score in scores(shares(count, 20_000.0, setting_out), later) {
            assert!(score < ODDS_ONE_IN_A_MILLION, "{score}");
        }
    }

    #[test]
    fn the_share_of_pauses_is_that_of_the_formula() {
        let count = 20_000;
        let mean_walk = MEAN_DISTANCE * 100.0 * (20.0f64).ln() / 3.8;
        let share = 30.0 / (30.0 + mean_walk);
        let [pauses, ..] = shares(count, 0.0, |seed| Walker::in_steady_state(&MODEL, seed));
        let (mean, variance) = (count as f64 * share, count as f64 * share * (1.0 - share));
        assert!(standard_score(pauses, mean, variance).abs() < ODDS_ONE_IN_A_MILLION);
        // The control takes the mean speed for the mean of its inverse.
        let wrong = 30.0 / (30.0 + MEAN_DISTANCE * 100.0 / 2.1);
        assert!(standard_score(pauses, count as f64 * wrong, variance).abs() > ODDS_ONE_IN_A_MILLION);
    }

    #[test]
    fn a_path_does_not_depend_on_how_often_it_is_looked_at() {
        let mut often = Walker::in_steady_state(&MODEL, 4);
        let mut rarely = Walker::in_steady_state(&MODEL, 4);
        for second in 0..2000 {
            let time = f64::from(second);
            let place = often.at(&MODEL, time);
            assert!((0.0..=100.0).contains(&place.x) && (0.0..=100.0).contains(&place.y));
            if second % 100 == 0 {
                assert_eq!(place, rarely.at(&MODEL, time));
            }
        }
    }

    #[test]
    fn no_walker_is_faster_than_the_greatest_speed() {
        for seed in 0..50 {
            let mut walker = Walker::in_steady_state(&MODEL, seed);
            let mut last = walker.at(&MODEL, 0.0);
            for second in 1..500 {
                let place = walker.at(&MODEL, f64::from(second));
                assert!(place.distance_squared(last).sqrt() <= 4.0 + 1e-9);
                last = place;
            }
        }
    }
}
