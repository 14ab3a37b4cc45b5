//! Ratios of factorials, exact to a few units in the last place, for arguments up to 2^53.

use std::sync::LazyLock;

/// The size of the table of ln(x!) for small x. For larger x, Stirling's series is exact to the last place.
const TABLE: usize = 256;

static LN_FACTORIAL: LazyLock<[f64; TABLE]> = LazyLock::new(|| {
    let mut table = [0.0; TABLE];
    for x in 2..TABLE {
        table[x] = table[x - 1] + libm::log(x as f64);
    }
    table
});

/// ln((x + d)! / x!) - d ln x: the logarithm of a ratio of factorials without its first-order part, so that no large
/// numbers cancel. `x` and `x + d` are integers, `x` at least 1 and `x + d` at least 0. The absolute error is about
/// 1e-14 + 1e-16 d^2 / x.
#[inline]
pub(super) fn bend(x: f64, d: f64) -> f64 {
    let to = x + d;
    if to < TABLE as f64 && x < TABLE as f64 {
        let table = &*LN_FACTORIAL;
        return table[to as usize] - table[x as usize] - d * libm::log(x);
    }
    if x < 128.0 || to < 128.0 {
        // One is small, the other large: use Stirling's series for both logarithms.
        return ln_factorial(to) - ln_factorial(x) - d * libm::log(x);
    }
    let inverse = 1.0 / x;
    let z = d * inverse;
    if z.abs() > 0.02 {
        let log = libm::log1p(z);
        return x * ((1.0 + z) * log - z) + 0.5 * log + stirling(to) - stirling(x);
    }
    // (1 + z) ln(1 + z) - z, ln(1 + z), and the difference of the tails of Stirling's series, each by its own series.
    // The first would cancel otherwise, and no logarithm is needed.
    let curve = z
        * z
        * (1.0 / 2.0
            + z * (-1.0 / 6.0
                + z * (1.0 / 12.0
                    + z * (-1.0 / 20.0
                        + z * (1.0 / 30.0 + z * (-1.0 / 42.0 + z * (1.0 / 56.0 + z * (-1.0 / 72.0))))))));
    let log = z
        * (1.0
            + z * (-1.0 / 2.0
                + z * (1.0 / 3.0
                    + z * (-1.0 / 4.0
                        + z * (1.0 / 5.0 + z * (-1.0 / 6.0 + z * (1.0 / 7.0 + z * (-1.0 / 8.0))))))));
    let tail = -z
        * inverse
        * ((1.0 - z * (1.0 - z * (1.0 - z * (1.0 - z * (1.0 - z))))) / 12.0
            - inverse * inverse * (3.0 - z * (6.0 - 10.0 * z)) / 360.0);
    x * curve + 0.5 * log + tail
}

/// ln(x) for x > 0; by its series if x is near 1, where the logarithm is small.
#[inline]
pub(super) fn log_near_one(x: f64) -> f64 {
    let z = x - 1.0;
    if z.abs() > 0.02 {
        return libm::log(x);
    }
    let square = z * z;
    z - square * (1.0 / 2.0 - z * (1.0 / 3.0))
        - square
            * square
            * ((1.0 / 4.0 - z * (1.0 / 5.0)) + square * (1.0 / 6.0 - z * (1.0 / 7.0) + square * (1.0 / 8.0)))
}

/// Bounds on a sum of four values of [`bend`]: for `d` at two values of `x`, and for `-d` at two others. They are
/// computed from the first four powers of d / x. The bounds cost much less than four calls, and nearly always suffice.
///
/// ln((x + d)! / x!) - d ln x is the sum of ln(1 + i / x) over i from 1 to d. So it is a series in 1 / x whose
/// coefficients are sums of powers of i. These sums are polynomials in d, and the formula also holds for d < 0.
pub(super) struct Bends {
    /// The sums of each of the first four powers of 1 / x, over the two values of `x` for d. `down` has those for -d.
    up: [f64; 4],
    down: [f64; 4],
    largest: f64,
}

impl Bends {
    #[inline]
    pub(super) fn new(up: [f64; 2], down: [f64; 2]) -> Self {
        let ([a, b], [c, d]) = (up.map(|x| 1.0 / x), down.map(|x| 1.0 / x));
        let powers = |x: f64, y: f64| {
            let (x2, y2) = (x * x, y * y);
            [x + y, x2 + y2, x2 * x + y2 * y, x2 * x2 + y2 * y2]
        };
        Self { up: powers(a, b), down: powers(c, d), largest: a.max(b).max(c.max(d)) }
    }

    /// The bounds; `None` if `d` is too large for them.
    #[inline]
    pub(super) fn bounds(&self, d: f64) -> Option<[f64; 2]> {
        let most = d.abs() + 1.0;
        let u = most * self.largest;
        if u > 1.0 / 3.0 {
            return None;
        }
        // The omitted part of each of the four is at most the sum of (|d|+1)^(p+1) / (p (p+1) x^p) over p >= 5.
        // Rounding errors are far smaller.
        let u2 = u * u;
        let error = 0.2 * most * u2 * u2 * u + 1e-12;
        // 1 + ... + d, and the sums of squares, cubes and fourth powers; then for -d.
        let sums = |d: f64| {
            let first = 0.5 * d * (d + 1.0);
            let second = first * (2.0 * d + 1.0) * (1.0 / 3.0);
            [first, second, first * first, second * (6.0 * first - 1.0) * 0.2]
        };
        let (up, down) = (sums(d), sums(-d));
        let of = |power: usize| up[power] * self.up[power] + down[power] * self.down[power];
        let value = (of(0) - 0.5 * of(1)) + ((1.0 / 3.0) * of(2) - 0.25 * of(3));
        Some([value - error, value + error])
    }
}

/// ln(x!) of an integer x >= 0.
fn ln_factorial(x: f64) -> f64 {
    if x < TABLE as f64 {
        return LN_FACTORIAL[x as usize];
    }
    const HALF_LN_TWO_PI: f64 = 0.918_938_533_204_672_8;
    (x + 0.5) * libm::log(x) - x + HALF_LN_TWO_PI + stirling(x)
}

/// The correction terms of Stirling's series for ln(x!).
#[inline]
fn stirling(x: f64) -> f64 {
    let inverse = 1.0 / x;
    inverse * (1.0 / 12.0 - inverse * inverse * (1.0 / 360.0 - inverse * inverse * (1.0 / 1260.0)))
}

#[cfg(test)]
mod tests {
    use super::{Bends, bend, log_near_one};

    /// The bounds hold everywhere, and are close where most draws lie. With one power less they would not hold.
    #[test]
    fn bounds_hold_the_sum_of_four_bends() {
        let (mut widest, mut missed) = (0.0_f64, 0);
        for (up, down) in [
            ([30.0, 5000.0], [900.0, 70.0]),
            ([1000.0, 50_000.0], [7000.0, 7000.0]),
            ([4e5, 1e9], [3e7, 2e6]),
            ([1e12, 9e14], [5e13, 5e13]),
        ] {
            let bends = Bends::new(up, down);
            for step in -40..=40 {
                let d = (f64::from(step) * 0.1 * up[0].min(down[1]).sqrt()).round();
                let Some([low, high]) = bends.bounds(d) else { continue };
                let exact: f64 = up.map(|x| bend(x, d)).iter().chain(&down.map(|x| bend(x, -d))).sum();
                assert!(low <= exact && exact <= high, "{up:?} {down:?} {d}: {exact} in {low}..{high}");
                if up[0] >= 1000.0 && (-20..=20).contains(&step) {
                    widest = widest.max(high - low);
                }
                let fourth = 0.25 * d.powi(5) / 5.0 * (up[0].powi(-4) + up[1].powi(-4));
                missed += u32::from(!(low..=high).contains(&(exact + fourth)));
            }
        }
        assert!(widest < 1e-3, "{widest}");
        assert!(missed > 10, "{missed}");
    }

    #[test]
    fn the_series_of_the_logarithm_is_the_logarithm() {
        for step in -400..=400 {
            let x = 1.0 + f64::from(step) * 6e-5;
            assert!((log_near_one(x) - libm::log1p(x - 1.0)).abs() < 2e-16, "{x}");
        }
        assert_eq!(log_near_one(2.0), libm::log(2.0));
    }

    /// The results agree with values of 60 digits, which were computed as direct sums of logarithms.
    #[test]
    fn agrees_with_sums_of_logarithms() {
        for (x, d) in
            [(1, 5), (9, -8), (100, 3), (120, 200), (300, -250), (500, 40), (4000, -70), (100_000, 900)]
        {
            let (x, d): (i64, i64) = (x, d);
            let (low, high, sign) = if d > 0 { (x, x + d, 1.0) } else { (x + d, x, -1.0) };
            // Sorting by size would not change the last place that is compared here.
            let sum: f64 = (low + 1..=high).map(|i| (i as f64 / x as f64).ln()).sum();
            let found = bend(x as f64, d as f64);
            assert!((found - sign * sum).abs() < 1e-11, "{x} {d}: {found} {sum}");
        }
        // Beyond the reach of sums: the second-order value d (d + 1) / 2x is exact to d^3 / 6x^2.
        let found = bend(1e15, 3e4);
        assert!((found - 3e4 * (3e4 + 1.0) / 2e15).abs() < 1e-14, "{found}");
    }
}
