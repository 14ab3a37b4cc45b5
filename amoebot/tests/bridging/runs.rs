//! Tests of bridges over wedges: amoebots form a shortcut exactly if it reduces the weighted perimeter.

use acrasin_amoebot::chain::bridging::landscape::{self, Landscape, Slope};
use acrasin_runtime::Seeded;

/// Means over the second half of 10^6 steps.
struct Means {
    perimeter: f64,
    gap_perimeter: f64,
    weighted: f64,
}

/// The means of a run with λ = 4.
fn means(shape: &Landscape, gamma: f64, seed: u64) -> Means {
    let mut chain = shape.chain(4.0, gamma).expect("a start");
    let mut choices = Seeded::new(seed);
    chain.run(500_000, &mut choices).expect("room for all");
    let (mut perimeter, mut halves) = (0, 0);
    for _ in 0..500 {
        chain.run(1_000, &mut choices).expect("room for all");
        perimeter += chain.perimeter();
        halves += chain.gap_perimeter();
    }
    let (perimeter, gap_perimeter) = (perimeter as f64 / 500.0, halves as f64 / 1_000.0);
    let c = 1.0 + gamma.ln() / 4_f64.ln();
    Means { perimeter, gap_perimeter, weighted: perimeter + (c - 1.0) * gap_perimeter }
}

const SEEDS: std::ops::Range<u64> = 0..3;

fn report(what: &str, seed: u64, means: &Means) {
    let Means { perimeter, gap_perimeter, weighted } = means;
    println!("{what}, seed {seed}: p {perimeter:.2}, g {gap_perimeter:.2}, weighted {weighted:.2}");
}

/// On a V of 60 degrees a bridge of y edges in the row y above the corner replaces 2 y edges. This reduces the weighted
/// perimeter exactly if an edge over the gap costs less than 2, that is for γ < λ. In that case the bridge moves to the
/// mouth of the wedge, twelve rows up; otherwise it remains at the corner.
#[test]
fn the_dearer_the_gap_the_less_of_it_is_bridged() {
    let shape = landscape::v_shape(12, Slope::SIXTY_DEGREES).expect("a V");
    let start = shape.chain(4.0, 2.0).expect("a start").perimeter() as f64;
    assert_eq!(start, 47.0);
    for seed in SEEDS {
        let [free, cheap, dear, dearest] = [1.0, 2.0, 8.0, 64.0].map(|gamma| {
            let found = means(&shape, gamma, seed);
            report(&format!("gamma {gamma}"), seed, &found);
            found
        });
        assert!(free.gap_perimeter > cheap.gap_perimeter + 1.0);
        assert!(cheap.gap_perimeter > 3.0 * dear.gap_perimeter);
        assert!(dear.gap_perimeter > dearest.gap_perimeter && dearest.gap_perimeter < 0.5);
        // Both sides of a bridge at the mouth alone are 24 edges.
        assert!(free.perimeter < 0.8 * start && cheap.perimeter < 0.8 * start);
        assert!(dear.perimeter > 0.9 * start && dearest.perimeter > 0.9 * start);
    }
}

/// With λ = 4 and γ = 2 an edge over the gap costs 1.5. A wedge opens by k y edges in the row y. At 30 degrees, k is
/// 13/28; a bridge replaces 2 y edges and saves 1.3 y. At 120 degrees, k is 3; a bridge replaces (k + 1) y edges and
/// costs 0.5 y more.
#[test]
fn the_narrower_the_wedge_the_more_a_bridge_saves() {
    let narrow = landscape::v_shape(16, Slope::THIRTY_DEGREES).expect("a V");
    let wide = landscape::v_shape(8, Slope::HUNDRED_TWENTY_DEGREES).expect("a V");
    for seed in SEEDS {
        let [narrow, wide] = [&narrow, &wide].map(|shape| {
            let start = shape.chain(4.0, 2.0).expect("a start").perimeter() as f64;
            let found = means(shape, 2.0, seed);
            report(&format!("{} amoebots, p {start} at the start", shape.cells().len()), seed, &found);
            (found.weighted / start, found.gap_perimeter / found.perimeter)
        });
        assert!(narrow.0 < 0.75 && wide.0 > 0.95, "{narrow:?} {wide:?}");
        assert!(narrow.1 > 0.4 && wide.1 < 0.25, "{narrow:?} {wide:?}");
    }
}

/// An N is bridged on both sides of its diagonal.
#[test]
fn an_n_is_bridged_twice() {
    let shape = landscape::n_shape(10).expect("an N");
    for seed in SEEDS {
        let mut chain = shape.chain(4.0, 2.0).expect("a start");
        assert_eq!((chain.perimeter(), chain.gap_perimeter()), (58, 0));
        let mut choices = Seeded::new(seed);
        chain.run(500_000, &mut choices).expect("room for all");
        // The amoebots below the diagonal, and above it.
        let mut amoebots = (0, 0);
        for _ in 0..500 {
            chain.run(1_000, &mut choices).expect("room for all");
            let over_gap = |cell: &acrasin_amoebot::Cell| !shape.is_land(*cell);
            let cells = chain.cells();
            let below = cells.iter().filter(|cell| over_gap(cell) && cell.x() + cell.y() < 0).count();
            let above = cells.iter().filter(|cell| over_gap(cell) && cell.x() + cell.y() > 0).count();
            amoebots = (amoebots.0 + below, amoebots.1 + above);
        }
        let (below, above) = (amoebots.0 as f64 / 500.0, amoebots.1 as f64 / 500.0);
        println!("seed {seed}: {below:.2} below, {above:.2} above");
        assert!(below > 2.0 && above > 2.0);
    }
}
