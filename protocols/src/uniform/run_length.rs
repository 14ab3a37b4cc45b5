//! Draws of the number of interactions until an agent interacts a second time.

use super::draws::RandomDraws;

/// The number of agents below which the few factors are multiplied one by one, without a series.
const FEW_AGENTS: u64 = 2048;

/// Draws the number K of consecutive interactions, from now on, between untouched agents only. An agent is touched if
/// it is one of the `touched` agents, or has interacted within these K interactions.
///
/// P(K >= k) is the product over i < k of (n - r - 2i)(n - r - 2i - 1) / (n(n-1)), for n agents, r of them touched.
/// Drawn by inversion: K is the largest k with H(k) <= e, for an exponentially distributed e and H(k) = -ln P(K >= k).
/// `agents` is from 2 to 2^53, `touched` at most `agents`.
#[inline]
pub(super) fn run_length(agents: u64, touched: u64, draws: &mut RandomDraws) -> u64 {
    invert(agents, touched, draws.exponential())
}

/// The largest k with H(k) <= `e`; see [`run_length`].
pub(super) fn invert(agents: u64, touched: u64, e: f64) -> u64 {
    if agents <= FEW_AGENTS || touched > agents / 16 {
        return one_by_one(agents, touched, e);
    }
    let guess = Guess::new(agents as f64, touched as f64, e);
    let k = guess.decides(1.0).unwrap_or_else(|| by_series(agents, touched, e, guess.k));
    k.min((agents - touched) / 2)
}

/// An approximation of the root of H(k) = e, accurate to second order.
struct Guess {
    k: f64,
    /// A bound on the distance from the root.
    error: f64,
}

impl Guess {
    #[inline]
    fn new(n: f64, r: f64, e: f64) -> Self {
        // To first order H(k) = (b^2 - a^2) / 2n, with a = r - 1 and b = r + 2k - 1: one less than the numbers of
        // touched agents at the start and at the end. The root is computed without cancellation. The second order adds
        // (b^3 - a^3) / 6n^2.
        let a = (r - 1.0).max(0.0);
        let end = (a * a + 2.0 * n * e).sqrt();
        let first = n * e / (end + a);
        let k = (first - first * (end * end + end * a + a * a) / (6.0 * n * end)).max(0.0);
        // Error bounds: the third order is half of the first term, the difference between sums and integrals half of
        // the second, and rounding less than the third. If no agent is touched, a is not r - 1.
        let (y, each) = (end / n, 1.0 / n);
        let error = if r > 0.0 { first * (y * y + each + 1e-14) + 2.0 * each } else { f64::INFINITY };
        Self { k, error }
    }

    /// The largest integer at or below the root; `None` if an error of `share` times the bound could change it.
    #[inline]
    fn decides(&self, share: f64) -> Option<u64> {
        let below = self.k as i64;
        ((self.k - below as f64 - 0.5).abs() < 0.5 - share * self.error).then_some(below as u64)
    }
}

/// The largest k with H(k) <= `e`, by the series, starting from a `k` near the root.
fn by_series(agents: u64, touched: u64, e: f64, mut k: f64) -> u64 {
    let hazard = Hazard::new(agents as f64, touched as f64);
    loop {
        let step = (hazard.sum_to(k, 1e-12) - e) / hazard.slope(k);
        k = (k - step).max(0.0);
        // After a step, the remaining error is about its square, in units of the run.
        if step.abs() < 1e-5 * (1.0 + k) {
            break;
        }
    }
    // The root is exact to about 1e-10 of its size. If two integers are possible, evaluate H at both.
    let below = k as i64 as f64;
    let error = 1e-9 * (1.0 + k);
    let chosen = if k - below < error && below > 0.0 && hazard.sum(below) > e {
        below - 1.0
    } else if below + 1.0 - k < error && hazard.sum(below + 1.0) <= e {
        below + 1.0
    } else {
        below
    };
    chosen as u64
}

/// Computes the length factor by factor. Used if there are few agents, or if so many agents are touched that runs are
/// short.
fn one_by_one(agents: u64, touched: u64, e: f64) -> u64 {
    let n = agents as f64;
    let pairs = n * (n - 1.0);
    let survives = libm::exp(-e);
    let mut untouched = (agents - touched) as f64;
    let mut probability = 1.0;
    let mut k = 0;
    while untouched > 1.5 {
        probability *= untouched * (untouched - 1.0) / pairs;
        if probability < survives {
            break;
        }
        k += 1;
        untouched -= 2.0;
    }
    k
}

/// 1 / p and 1 / (p (p + 1)) for p from 2 on. There are enough terms if up to a quarter of the agents are touched.
const SERIES: [[f64; 2]; 40] = {
    let mut series = [[0.0; 2]; 40];
    let mut p = 2;
    while p < 42 {
        series[p - 2] = [1.0 / p as f64, 1.0 / (p * (p + 1)) as f64];
        p += 1;
    }
    series
};

/// Computes H(k) for fixed numbers of agents and touched agents, by Euler-Maclaurin summation of the logarithms. With
/// f(y) = -ln(1 - y), H(k) is the sum of f((r + j) / n) over j < 2k, minus terms for the denominators.
struct Hazard {
    /// 1 / n, for n agents.
    inverse: f64,
    r: f64,
    /// -ln(1 - 1/n), because every second denominator is n - 1 instead of n.
    denominator: f64,
}

impl Hazard {
    fn new(n: f64, r: f64) -> Self {
        let x = 1.0 / n;
        Self { inverse: x, r, denominator: x * (1.0 + x * (0.5 + x * (1.0 / 3.0 + x * 0.25))) }
    }

    /// Computes H(k). All sums have positive terms of the series of f, with divided differences instead of differences.
    /// So no digits cancel for any n.
    fn sum(&self, k: f64) -> f64 {
        self.sum_to(k, 1e-17)
    }

    /// H(k), with a relative error of about `error`.
    #[inline]
    fn sum_to(&self, k: f64, error: f64) -> f64 {
        let m = 2.0 * k;
        let (a, b) = (self.r * self.inverse, (self.r + m) * self.inverse);
        // The integral of f from a to b is (b - a) sum s_p / (p (p - 1)), p >= 2. Here s_p is the sum of all products
        // of p - 1 factors a and b in a row. f(b) - f(a) is (b - a) sum s_(p+1) / p.
        let mut s = a + b;
        let mut a_power = a;
        let mut integral = s * 0.5;
        let mut difference = 1.0;
        for [of_difference, of_integral] in SERIES {
            difference += s * of_difference;
            a_power *= a;
            s = s * b + a_power;
            let term = s * of_integral;
            integral += term;
            if term <= integral * error {
                break;
            }
        }
        // The derivative of f is 1 / (1 - y); its difference is computed without cancellation as well.
        let derivative = m * self.inverse / ((1.0 - a) * (1.0 - b)) * self.inverse;
        m * (integral - difference * (0.5 * self.inverse)) + derivative / 12.0 - k * self.denominator
    }

    /// The derivative of H: about twice f at the end of the run.
    #[inline]
    fn slope(&self, k: f64) -> f64 {
        let y = (self.r + 2.0 * k) * self.inverse;
        let f = y * (1.0 + y * (0.5 + y * (1.0 / 3.0 + y * (0.25 + y * 0.2))));
        // Never 0: a first guess of k = 0 must not divide by it, even if no agent was touched.
        2.0 * f.max(0.5 * self.inverse)
    }
}

#[cfg(test)]
mod tests {
    use super::super::draws::{RandomDraws, StreamPurpose};
    use super::super::error::MAX_AGENTS;
    use super::{FEW_AGENTS, Guess, Hazard, by_series, invert, one_by_one};

    /// The results agree with values of 80 digits, for n from 10^3 to 10^15.
    #[test]
    fn inversion_agrees_with_values_of_many_digits() {
        let mut compared = 0;
        for line in include_str!("../../tests/run_lengths.txt").lines().filter(|line| !line.starts_with('#'))
        {
            let mut words = line.split(' ');
            let mut next = || words.next().expect("four words");
            let (n, r): (u64, u64) = (next().parse().unwrap(), next().parse().unwrap());
            let (e, k): (f64, u64) = (next().parse().unwrap(), next().parse().unwrap());
            assert_eq!(invert(n, r, e), k, "n = {n}, r = {r}, e = {e}");
            compared += 1;
        }
        assert_eq!(compared, 216);
    }

    /// The series agrees with the second-order approximation wherever the latter decides. With a hundredth of the error
    /// bound it would not.
    #[test]
    fn the_series_agrees_where_the_second_order_decides() {
        let mut draws = RandomDraws::new(3, StreamPurpose::Skeleton, 0);
        let (mut decided, mut careless) = (0, 0);
        for _ in 0..200_000 {
            let [fewer, lower] = [draws.below(43), draws.below(20)];
            let agents = (FEW_AGENTS + draws.below(MAX_AGENTS >> fewer)).min(MAX_AGENTS);
            let touched = 1 + draws.below(1 + ((agents / 16) >> lower));
            let e = draws.exponential();
            let guess = Guess::new(agents as f64, touched as f64, e);
            let exact = by_series(agents, touched, e, guess.k);
            if let Some(k) = guess.decides(1.0) {
                assert_eq!(k, exact, "n = {agents}, r = {touched}, e = {e}");
                decided += 1;
            }
            careless += u32::from(guess.decides(0.01).is_some_and(|k| k != exact));
        }
        assert!(decided > 150_000 && careless > 0, "{decided} {careless}");
    }

    /// The series and the product of factors agree where both are exact.
    #[test]
    fn the_series_agrees_with_the_product() {
        for n in [2049_u64, 5000, 40_000] {
            for r in [0, 7, n / 50] {
                for step in 1..400 {
                    let e = f64::from(step) * 0.013;
                    assert_eq!(invert(n, r, e), one_by_one(n, r, e), "n = {n}, r = {r}, e = {e}");
                }
            }
        }
    }

    /// A first-order hazard would be off by more than the tests above allow.
    #[test]
    fn a_first_order_hazard_is_noticed() {
        let hazard = Hazard::new(1e6, 1000.0);
        let k: f64 = 600.0;
        let first_order = ((1000.0 + 2.0 * k).powi(2) - 1e6) / 2e6;
        assert!((hazard.sum(k) / first_order - 1.0).abs() > 1e-6);
    }
}
