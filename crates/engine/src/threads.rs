//! Runs work on the threads of the current rayon pool.
//!
//! The work is passed by reference to non-generic functions, so that rayon's generic code is compiled only once here,
//! and not for every type of network, state and section.

use std::sync::Mutex;

use rayon::prelude::*;

/// Runs two closures, in parallel if a thread is free.
pub(crate) fn both<A: Send, B: Send>(
    left: impl FnOnce() -> A + Send,
    right: impl FnOnce() -> B + Send,
) -> (A, B) {
    let (mut left, mut right) = (Some(left), Some(right));
    let (mut first, mut second) = (None, None);
    let mut run_left = || first = left.take().map(|left| left());
    let mut run_right = || second = right.take().map(|right| right());
    both_in_turn(&mut run_left, &mut run_right);
    (first.expect("both have run"), second.expect("both have run"))
}

fn both_in_turn(left: &mut (dyn FnMut() + Send), right: &mut (dyn FnMut() + Send)) {
    rayon::join(left, right);
}

/// Runs `run` once for each part, in parallel if `parallel` is set. The results are in the order of the parts.
pub(crate) fn each_part<T: Send, R: Send>(
    parts: Vec<T>,
    parallel: bool,
    run: impl Fn(usize, T) -> R + Sync,
) -> Vec<R> {
    if !parallel {
        return parts.into_iter().enumerate().map(|(index, part)| run(index, part)).collect();
    }
    const ALONE: &str = "each place is locked by one thread";
    // Each lock has one user, so it is never contended. Taking one costs some nanoseconds; a part takes microseconds
    // or more.
    let places: Vec<Mutex<(Option<T>, Option<R>)>> =
        parts.into_iter().map(|part| Mutex::new((Some(part), None))).collect();
    each_index(places.len(), &|index| {
        let mut place = places[index].lock().expect(ALONE);
        if let Some(part) = place.0.take() {
            place.1 = Some(run(index, part));
        }
    });
    places.into_iter().map(|place| place.into_inner().expect(ALONE).1.expect("each part has run")).collect()
}

fn each_index(count: usize, run: &(dyn Fn(usize) + Sync)) {
    (0..count).into_par_iter().with_max_len(1).for_each(run);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_in_order_and_every_part_runs_once() {
        for parallel in [false, true] {
            let parts: Vec<String> = (0..1000).map(|part| part.to_string()).collect();
            let expected: Vec<(usize, String)> = parts.iter().cloned().enumerate().collect();
            assert_eq!(each_part(parts, parallel, |index, part| (index, part)), expected);
        }
        let mut numbers = [1, 2];
        let (left, right) = numbers.split_at_mut(1);
        assert_eq!(both(|| std::mem::replace(&mut left[0], 3), || right[0] + 5), (1, 7));
        assert_eq!(numbers, [3, 2]);
    }

    #[test]
    #[should_panic(expected = "part 3")]
    fn a_panic_in_a_part_is_a_panic() {
        each_part(vec![(); 9], true, |index, ()| assert!(index != 3, "part {index}"));
    }
}
