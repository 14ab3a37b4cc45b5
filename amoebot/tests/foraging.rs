//! Tests of foraging: chain M without food, the time that news takes, gathering and searching, and invariants.

use acrasin_amoebot::chain::compression::Chain;
use acrasin_amoebot::chain::foraging::{Foraging, Lambdas};
use acrasin_amoebot::{Cell, Direction, Shape, start};
use acrasin_runtime::Seeded;

use crate::refused::refuses_bad_chains;

const LAMBDAS: Lambdas = Lambdas { search: 1.0, gather: 6.0 };

fn solid(n: usize) -> Vec<Cell> {
    start::spiral(Cell::ORIGIN, Direction::East, n).unwrap()
}

/// Without food, foraging equals chain M at the λ of searching, cell by cell and draw by draw.
#[test]
fn without_food_it_is_chain_m() {
    let cells = solid(60);
    let lambdas = Lambdas { search: 2.0, gather: 6.0 };
    let mut foraging = Foraging::new(&cells, lambdas, 1_000_000).unwrap();
    let mut chain = Chain::new(&cells, 2.0).unwrap();
    let mut other = Chain::new(&cells, 6.0).unwrap();
    let (mut choices, mut same, mut third) = (Seeded::new(4), Seeded::new(4), Seeded::new(4));
    let mut differs = false;
    for _ in 0..200 {
        foraging.run(300, &mut choices).unwrap();
        chain.run(300, &mut same).unwrap();
        other.run(300, &mut third).unwrap();
        assert_eq!(foraging.chain().cells(), chain.cells());
        differs |= foraging.chain().cells() != other.cells();
    }
    assert!(differs, "another λ is noticed");
}

/// The steps until both of two amoebots know that there is food: average and standard error.
fn steps_until_both_know(reps: u64) -> (f64, f64) {
    let steps = |seed| {
        let mut foraging = Foraging::new(&solid(2), LAMBDAS, 20_000).unwrap();
        let mut choices = Seeded::new(seed);
        foraging.run(20_000, &mut choices).unwrap();
        assert!(foraging.has_food() && foraging.informed() == 1);
        let mut steps = 0_u32;
        while !foraging.all_know() {
            foraging.run(1, &mut choices).unwrap();
            steps += 1;
        }
        f64::from(steps)
    };
    let all: Vec<f64> = (0..reps).map(steps).collect();
    let n = reps as f64;
    let mean = all.iter().sum::<f64>() / n;
    let squares: f64 = all.iter().map(|steps| (steps - mean).powi(2)).sum();
    (mean, (squares / (n - 1.0) / n).sqrt())
}

/// Two amoebots are always adjacent. The uninformed one is picked with probability 1/2, and the direction of the other
/// with 1/6, so learning takes 12 steps on average. If the picked amoebot also informed the other amoebot, learning
/// would take 6. If it tried all six directions at once, learning would take 2.
#[test]
fn news_takes_its_time() {
    let (mean, error) = steps_until_both_know(400);
    println!("{mean:.2} +- {error:.2}");
    assert!((mean - 12.0).abs() < 5.0 * error, "{mean} +- {error}");
    assert!((mean - 6.0).abs() > 5.0 * error && (mean - 2.0).abs() > 5.0 * error, "others are told apart");
}

/// All amoebots learn the news, and then the food changes. There are at most two versions at a time. The counters agree
/// with the amoebots, no amoebot is lost, and the amoebot at the food stays there.
#[test]
fn all_gather_while_there_is_food_and_search_while_there_is_none() {
    let mut foraging = Foraging::new(&solid(40), LAMBDAS, 150_000).unwrap();
    let mut choices = Seeded::new(2);
    let (mut before, mut changes) = (foraging.has_food(), 0);
    let mut anchor = foraging.chain().cells()[0];
    let mut perimeters = [Vec::new(), Vec::new()];
    for step in 0..2400_u64 {
        if foraging.all_know() && step % 300 == 299 {
            perimeters[usize::from(foraging.has_food())].push(foraging.chain().perimeter());
        }
        foraging.run(500, &mut choices).unwrap();
        let cells = foraging.chain().cells();
        let shape = Shape::from_cells(cells.iter().copied()).unwrap();
        assert!(shape.is_connected() && shape.holes() == 0 && shape.cells().len() == 40);
        assert_eq!(shape.edges() as u64, foraging.chain().edges());
        let gather = foraging.who_gathers();
        assert_eq!(gather.iter().filter(|gathers| **gathers).count() as u64, foraging.gathering());
        let informed = gather.iter().filter(|gathers| **gathers == foraging.has_food()).count() as u64;
        assert_eq!(informed, foraging.informed());
        if foraging.has_food() == before && before {
            assert_eq!(cells[0], anchor, "who stands at the food stays there");
        }
        changes += u32::from(foraging.has_food() != before);
        (before, anchor) = (foraging.has_food(), cells[0]);
    }
    assert_eq!(changes, 8);
    let mean = |of: &[u64]| of.iter().sum::<u64>() as f64 / of.len() as f64;
    let [search, gather] = perimeters.map(|perimeters| mean(&perimeters));
    println!("perimeter {search:.1} while they search, {gather:.1} while they gather");
    assert!(gather < 0.6 * search, "{gather} {search}");
}

/// Foraging in waves, where news travels either way along an edge, and in windows of tiles, on any number of
/// threads.
#[test]
fn waves_and_windows_gather_and_search_as_steps_do() {
    // An amoebot acts in one of twelve waves, and four times per window.
    gathers_and_searches(500, |foraging, seed| foraging.with_waves(seed));
    gathers_and_searches(10, |foraging, seed| foraging.with_tiles(seed));
}

fn gathers_and_searches(times: u64, locked: fn(Foraging, u64) -> Foraging) {
    let run = |threads, seed| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let mut foraging = locked(Foraging::new(&solid(40), LAMBDAS, 120 * times).unwrap(), seed);
        let mut perimeters = [Vec::new(), Vec::new()];
        let (mut before, mut changes, mut anchor) = (false, 0, None);
        for step in 0..1200_u64 {
            if foraging.all_know() && step % 120 == 119 {
                perimeters[usize::from(foraging.has_food())].push(foraging.chain().perimeter());
            }
            pool.install(|| foraging.run(times, &mut Seeded::new(0))).unwrap();
            let cells = foraging.chain().cells();
            let shape = Shape::from_cells(cells.iter().copied()).unwrap();
            assert!(shape.is_connected() && shape.holes() == 0 && shape.cells().len() == 40);
            let gather = foraging.who_gathers();
            assert_eq!(gather.iter().filter(|gathers| **gathers).count() as u64, foraging.gathering());
            assert!(
                !before || !foraging.has_food() || anchor == Some(cells[0]),
                "who stands at the food stays"
            );
            changes += u32::from(foraging.has_food() != before);
            (before, anchor) = (foraging.has_food(), Some(cells[0]));
        }
        (changes, perimeters, foraging.chain().digest())
    };
    let (changes, perimeters, digest) = run(1, 5);
    assert_eq!(changes, 10);
    let mean = |of: &[u64]| of.iter().sum::<u64>() as f64 / of.len() as f64;
    let [search, gather] = [0, 1].map(|food| mean(&perimeters[food]));
    println!("perimeter {search:.1} while they search, {gather:.1} while they gather");
    assert!(gather < 0.7 * search, "{gather} {search}");
    assert_eq!(run(3, 5), (changes, perimeters, digest));
    assert_ne!(run(1, 6).2, digest);
}

/// While some amoebots do not know yet, the food does not change. Otherwise the third version could be next to the
/// first.
#[test]
fn the_food_waits_until_all_know() {
    let line = start::line(Cell::ORIGIN, Direction::East, 300).unwrap();
    let mut foraging = Foraging::new(&line, LAMBDAS, 1_000).unwrap();
    let mut choices = Seeded::new(3);
    let mut waits = 0;
    for _ in 0..400 {
        foraging.run(1_000, &mut choices).unwrap();
        let newest = foraging.who_gathers().iter().filter(|g| **g == foraging.has_food()).count() as u64;
        assert_eq!(newest, foraging.informed());
        waits += u32::from(foraging.informed() > 1);
    }
    assert!(waits > 100, "{waits}");
}

#[test]
fn bad_input_is_refused() {
    refuses_bad_chains(|cells| Foraging::new(cells, LAMBDAS, 1).unwrap_err());
    let with = |search, gather| Foraging::new(&solid(3), Lambdas { search, gather }, 1).map(|_| ());
    assert!(with(0.0, 1.0).unwrap_err().to_string().contains("search"));
    assert!(with(1.0, f64::INFINITY).unwrap_err().to_string().contains("gather"));
}
