//! Ratios of factorials, exact to a few units of the last place, for arguments up to 2^53.

use std::sync::LazyLock;

/// ln(x!) for small x; from here on Stirling's series is exact to the last place.
const TABLE: usize = 256;

static LN_FACTORIAL: LazyLock<[f64; TABLE]> = LazyLock::new(|| {
    let mut table = [0.0; TABLE];
    for x in 2..TABLE {
        table[x] = table[x - 1] + libm::log(x as f64);
    }
    table
});

/// ln((x + d)! / x!) - d ln x: what is left of a ratio of factorials when its first-order part is taken out, so that
/// nothing large cancels. `x` and `x + d` are integers, `x` at least 1 and `x + d` at least 0. The absolute error is
/// about 1e-14 + 1e-16 d^2 / x.
#[inline]
pub(super) fn bend(x: f64, d: f64) -> f64 {
    let to = x + d;
    if to < TABLE as f64 && x < TABLE as f64 {
        let table = &*LN_FACTORIAL;
        return table[to as usize] - table[x as usize] - d * libm::log(x);
    }
    if x < 128.0 || to < 128.0 {
        // One small, one large: Stirling for the ln of each.
        return ln_factorial(to) - ln_factorial(x) - d * libm::log(x);
    }
    let inverse = 1.0 / x;
    let z = d * inverse;
    if z.abs() > 0.02 {
        let log = libm::log1p(z);
        return x * ((1.0 + z) * log - z) + 0.5 * log + stirling(to) - stirling(x);
    }
    // (1 + z) ln(1 + z) - z, ln(1 + z), and the difference of the tails of Stirling's series, by their own series: the
    // first of them would cancel otherwise, and no logarithm is needed.
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

/// ln(x!) of an integer x >= 0.
fn ln_factorial(x: f64) -> f64 {
    if x < TABLE as f64 {
        return LN_FACTORIAL[x as usize];
    }
    const HALF_LN_TWO_PI: f64 = 0.918_938_533_204_672_8;
    (x + 0.5) * libm::log(x) - x + HALF_LN_TWO_PI + stirling(x)
}

/// The tail of Stirling's series.
#[inline]
fn stirling(x: f64) -> f64 {
    let inverse = 1.0 / x;
    inverse * (1.0 / 12.0 - inverse * inverse * (1.0 / 360.0 - inverse * inverse * (1.0 / 1260.0)))
}

#[cfg(test)]
mod tests {
    use super::bend;

    /// Values of 60 digits, by direct sums of logarithms.
    #[test]
    fn agrees_with_sums_of_logarithms() {
        for (x, d) in
            [(1, 5), (9, -8), (100, 3), (120, 200), (300, -250), (500, 40), (4000, -70), (100_000, 900)]
        {
            let (x, d): (i64, i64) = (x, d);
            let (low, high, sign) = if d > 0 { (x, x + d, 1.0) } else { (x + d, x, -1.0) };
            // Sorted by size would not change the last place that is asked for here.
            let sum: f64 = (low + 1..=high).map(|i| (i as f64 / x as f64).ln()).sum();
            let found = bend(x as f64, d as f64);
            assert!((found - sign * sum).abs() < 1e-11, "{x} {d}: {found} {sum}");
        }
        // Beyond the reach of sums: the second-order value d (d + 1) / 2x is exact to d^3 / 6x^2.
        let found = bend(1e15, 3e4);
        assert!((found - 3e4 * (3e4 + 1.0) / 2e15).abs() < 1e-14, "{found}");
    }
}
