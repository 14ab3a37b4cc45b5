//! The explorer itself: equal results for any number of threads, the memory ceiling, shortest paths.

use std::collections::{BTreeMap, VecDeque};
use std::ops::ControlFlow;

use acrasin_explore::{
    BrokenProperty, Duty, Exploration, Limits, Model, MoveId, Moves, SearchControl, SearchProgress,
    Truncated, explore, explore_with,
};

/// Numbers below a bound: from x to 2x, 2x + 1 and x / 3, and by a coin to x + 7 or x + 11. Some moves and
/// numbers break a property.
struct Numbers {
    bound: u32,
    wrong: fn(u32) -> bool,
}

impl Numbers {
    fn next(&self, x: u32) -> Vec<(MoveId, u32)> {
        let to = |step, outcome, y: u32| (MoveId { step, outcome }, y % self.bound);
        vec![to(0, 0, 2 * x), to(1, 0, 2 * x + 1), to(2, 0, x / 3), to(3, 0, x + 7), to(3, 1, x + 11)]
    }
}

impl Model for Numbers {
    type Workbench = ();
    fn workbench(&self) {}
    fn starts(&self, _: &mut (), start: &mut dyn FnMut(&[u8]) -> ControlFlow<()>) {
        for x in [5_u32, 1, 5] {
            if start(&x.to_le_bytes()).is_break() {
                return;
            }
        }
    }
    fn expand(&self, _: &mut (), configuration: &[u8], moves: &mut Moves) {
        let x = u32::from_le_bytes(configuration.try_into().unwrap());
        moves.label(x);
        for (id, y) in self.next(x) {
            if (self.wrong)(y) {
                let text = format!("{x} leads to {y}");
                moves.broken(BrokenProperty { property: "no wrong move", text, by: Some(id) });
            } else {
                moves.successor(id, Duty(u32::from(id.step) + 1), &y.to_le_bytes());
            }
        }
        if x % 1000 == 999 {
            let text = format!("at {x}");
            moves.broken(BrokenProperty { property: "no number ends in 999", text, by: None });
        }
    }
}

/// The distance of each number from the start, by a plain breadth-first search.
fn distances(model: &Numbers) -> BTreeMap<u32, usize> {
    let mut distances = BTreeMap::from([(5, 0), (1, 0)]);
    let mut queue = VecDeque::from([5, 1]);
    while let Some(x) = queue.pop_front() {
        for (_, y) in model.next(x) {
            if !(model.wrong)(y) && !distances.contains_key(&y) {
                distances.insert(y, distances[&x] + 1);
                queue.push_back(y);
            }
        }
    }
    distances
}

fn on_threads(threads: usize, limits: &Limits, model: &impl Model) -> Exploration {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(|| explore(model, limits, |_| ControlFlow::Continue(())))
}

#[test]
fn everything_is_found_once_by_a_shortest_way() {
    let model = Numbers { bound: 40_000, wrong: |y| y % 4001 == 17 };
    let found = on_threads(2, &Limits::bytes(1 << 30).with_graph(), &model);
    let distances = distances(&model);
    assert_eq!((found.configurations(), found.truncated()), (distances.len() as u64, None));
    assert_eq!(found.depth() as usize, *distances.values().max().unwrap());
    let graph = found.graph().unwrap();
    let depths = found.depths();
    for number in 0..graph.len() as u32 {
        let x = graph.label(number);
        let trace = found.trace(number);
        assert_eq!((depths[number as usize] as usize, trace.moves.len()), (distances[&x], distances[&x]));
        // The trace leads to its configuration.
        let mut at = if trace.start == 0 { 5 } else { 1 };
        for id in trace.moves {
            at = model.next(at).into_iter().find(|(other, _)| *other == id).unwrap().1;
        }
        assert_eq!(at, x);
        let moves: Vec<u32> = graph.moves(number).map(|(_, _, target)| graph.label(target)).collect();
        let expected: Vec<u32> =
            model.next(x).into_iter().map(|(_, y)| y).filter(|&y| !(model.wrong)(y)).collect();
        assert_eq!(moves, expected);
    }
    let wrong_moves: usize =
        distances.keys().map(|&x| model.next(x).iter().filter(|(_, y)| (model.wrong)(*y)).count()).sum();
    assert_eq!(found.transitions() as usize, 5 * distances.len() - wrong_moves);
    let counts: Vec<(&str, u64)> =
        found.findings().iter().map(|finding| (finding.broken.property, finding.count)).collect();
    let ends = distances.keys().filter(|&x| x % 1000 == 999).count() as u64;
    assert!(
        counts.contains(&("no wrong move", wrong_moves as u64))
            && counts.contains(&("no number ends in 999", ends))
    );
    for finding in found.findings() {
        let seen = graph.label(finding.configuration);
        let nearest = distances.iter().filter(|&(&x, _)| match finding.broken.by {
            Some(_) => model.next(x).iter().any(|(_, y)| (model.wrong)(*y)),
            None => x % 1000 == 999,
        });
        assert_eq!(distances[&seen], *nearest.map(|(_, distance)| distance).min().unwrap());
    }
}

#[test]
fn as_many_threads_as_one_likes() {
    let model = Numbers { bound: 40_000, wrong: |y| y % 4001 == 17 };
    let limits = Limits::bytes(1 << 30).with_graph();
    let one = on_threads(1, &limits, &model);
    for threads in [2, 3, 7] {
        let other = on_threads(threads, &limits, &model);
        assert_eq!((other.graph(), other.findings()), (one.graph(), one.findings()));
        assert_eq!((other.depths(), other.peak_bytes()), (one.depths(), one.peak_bytes()));
    }
}

/// A control that keeps the state after each of these blocks. It stops after the last of them if requested.
#[derive(Default)]
struct Keeping {
    resumed: Option<Vec<u8>>,
    blocks: u64,
    stops_after: Option<u64>,
    kept: Vec<Vec<u8>>,
}

impl SearchControl for Keeping {
    fn proceed(&mut self, _: &SearchProgress) -> ControlFlow<()> {
        self.blocks += 1;
        if self.stops_after == Some(self.blocks) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn resumed(&mut self) -> Option<Vec<u8>> {
        self.resumed.take()
    }

    fn is_due(&mut self, is_stopped: bool) -> bool {
        is_stopped || self.stops_after.is_none()
    }

    fn keep(&mut self, state: Vec<u8>) {
        self.kept.push(state);
    }
}

fn kept_on(threads: usize, limits: &Limits, model: &impl Model, control: &mut Keeping) -> Exploration {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(|| explore_with(model, limits, control)).unwrap()
}

#[test]
fn a_continued_search_ends_as_the_undisturbed_one() {
    let model = Numbers { bound: 60_000, wrong: |y| y % 4001 == 17 };
    for limits in [Limits::bytes(1 << 30).with_graph(), Limits::bytes(1 << 26)] {
        let same = |one: &Exploration, other: &Exploration| {
            assert_eq!((one.graph(), one.findings()), (other.graph(), other.findings()));
            let numbers = |all: &Exploration| {
                (all.configurations(), all.transitions(), all.depth(), all.expanded(), all.peak_bytes())
            };
            assert_eq!(numbers(one), numbers(other));
            for number in (0..one.configurations() as u32).step_by(97) {
                assert_eq!(one.trace(number), other.trace(number));
            }
        };
        let undisturbed = on_threads(2, &limits, &model);
        let mut keeping = Keeping::default();
        same(&kept_on(1, &limits, &model, &mut keeping), &undisturbed);
        assert!(keeping.kept.len() > 5, "{} blocks", keeping.kept.len());
        for (state, threads) in keeping.kept.iter().zip([1, 2, 3, 7].into_iter().cycle()) {
            let mut rest = Keeping { resumed: Some(state.clone()), ..Keeping::default() };
            same(&kept_on(threads, &limits, &model, &mut rest), &undisturbed);
            // It is saved where the undisturbed search is.
            assert!(keeping.kept.ends_with(&rest.kept));
        }
        // Stopped twice.
        let mut resumed = None;
        for blocks in [2, 3] {
            let mut part = Keeping { resumed, stops_after: Some(blocks), ..Keeping::default() };
            assert_eq!(kept_on(2, &limits, &model, &mut part).truncated(), Some(Truncated::Interrupted));
            resumed = part.kept.pop();
        }
        same(&kept_on(3, &limits, &model, &mut Keeping { resumed, ..Keeping::default() }), &undisturbed);
        // Cut bytes are refused.
        let state = &keeping.kept[2];
        for length in (0..state.len()).step_by(state.len() / 50) {
            let mut cut = Keeping { resumed: Some(state[..length].to_vec()), ..Keeping::default() };
            explore_with(&model, &limits, &mut cut).unwrap_err();
        }
        let mut other = Keeping { resumed: Some(state.clone()), ..Keeping::default() };
        let limits = Limits { keep_graph: !limits.keep_graph, ..limits };
        explore_with(&model, &limits, &mut other).unwrap_err();
    }
}

#[test]
fn a_ceiling_is_respected_at_every_height() {
    let model = Numbers { bound: 400_000, wrong: |_| false };
    let all = on_threads(2, &Limits::bytes(1 << 30), &model);
    assert!(all.peak_bytes() < 1 << 30 && all.truncated().is_none());
    let mut seen = 0;
    for graph in [false, true] {
        for mebibytes in [1, 2, 4, 8, 12] {
            let limits = Limits { keep_graph: graph, ..Limits::bytes(mebibytes << 20) };
            let found = on_threads(2, &limits, &model);
            assert_eq!(found.truncated(), Some(Truncated::Memory), "{mebibytes} MiB");
            assert!(found.peak_bytes() <= mebibytes << 20, "{} of {mebibytes} MiB", found.peak_bytes());
            assert!(found.configurations() < all.configurations() && found.graph().is_none());
            // The covered depth is consistent with the number of expanded configurations.
            assert!(found.expanded() <= found.configurations());
            assert!(found.covered_depth().is_none_or(|depth| depth <= all.depth()));
            if !graph {
                assert!(found.configurations() >= seen, "more memory, more configurations");
                seen = found.configurations();
            }
        }
    }
    assert!(seen > 10_000);
}

#[test]
fn other_limits_end_it_too() {
    let model = Numbers { bound: 400_000, wrong: |y| y == 123_456 };
    let limits = Limits { configurations: 20_000, ..Limits::bytes(1 << 30) };
    let found = on_threads(2, &limits, &model);
    assert_eq!(found.truncated(), Some(Truncated::Configurations));
    // A block has 8192 configurations with five moves each.
    assert!((20_000..20_000 + 5 * 8192).contains(&found.configurations()));
    let stopped = explore(&model, &Limits::bytes(1 << 30), |at| {
        if at.configurations > 10_000 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    assert_eq!(stopped.truncated(), Some(Truncated::Interrupted));
    let limits = Limits { stop_at_first: true, ..Limits::bytes(1 << 30) };
    let first = on_threads(2, &limits, &model);
    assert_eq!((first.truncated(), first.findings().len()), (Some(Truncated::Found), 1));
}
