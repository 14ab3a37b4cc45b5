//! The cost of memory accesses alone, a lower bound on every measured time.

use std::hint::black_box;

use acrasin_engine::draw::mix;
use acrasin_engine::prefetch;

/// The memory traffic that one item needs on any processor.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Floor {
    /// The number of bytes that are read or written sequentially.
    pub streamed: f64,
    /// The number of cache lines that are accessed at random.
    pub lines: f64,
    /// The size of the memory over which these lines are spread, in bytes.
    pub footprint: u64,
}

impl Floor {
    /// The lower bound on the time per item in nanoseconds, for memory of this speed.
    #[must_use]
    pub fn nanoseconds(&self, times: &MemoryTimes) -> f64 {
        self.streamed * times.per_byte + self.lines * times.per_line
    }
}

/// The measured speed of memory, on one thread.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct MemoryTimes {
    /// Nanoseconds per byte of a sequential copy. Bytes read and bytes written both count.
    pub per_byte: f64,
    /// Nanoseconds per cache line, for independent stores at random places.
    pub per_line: f64,
}

impl MemoryTimes {
    /// Measures both times with `bytes` of memory. `seconds` runs a closure and returns the processor time that it
    /// took.
    ///
    /// Cost: three passes for each time, over 16 MiB or `bytes`, whichever is more.
    pub fn measure(bytes: u64, seconds: &mut dyn FnMut(&mut dyn FnMut()) -> f64) -> Self {
        let words = usize::try_from(bytes.clamp(1 << 10, 1 << 30) / 8)
            .expect("at most 2^27 words")
            .next_power_of_two();
        let mut memory: Vec<u64> = (0..words as u64).collect();
        let repeats = ((1_usize << 21) / words).max(1);
        let mut best = |work: &mut dyn FnMut()| (0..3).map(|_| seconds(work)).fold(f64::INFINITY, f64::min);
        let copied = best(&mut || {
            for repeat in 0..repeats {
                let (from, to) = memory.split_at_mut(words / 2);
                let (from, to) = if repeat % 2 == 0 { (&*from, to) } else { (&*to, from) };
                to.copy_from_slice(from);
                black_box(&mut *to);
            }
        });
        let stores = words.max(1 << 20);
        let stored = best(&mut || random_stores(black_box(&mut memory), stores));
        Self {
            per_byte: copied * 1e9 / (words as f64 * 8.0 * repeats as f64),
            per_line: stored * 1e9 / stores as f64,
        }
    }
}

/// Executes `count` independent stores at random places.
fn random_stores(memory: &mut [u64], count: usize) {
    const AHEAD: usize = 256;
    let mask = memory.len() - 1;
    let mut places = [0_usize; AHEAD];
    for batch in 0..count / AHEAD {
        for (i, place) in places.iter_mut().enumerate() {
            *place = mix((batch * AHEAD + i) as u64) as usize & mask;
        }
        for &place in &places {
            prefetch(memory, place);
        }
        for &place in &places {
            memory[place] = batch as u64;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_those_of_the_clock_that_was_given() {
        // A clock that returns one second for every closure, so that only sizes matter.
        let mut calls = 0;
        let times = MemoryTimes::measure(1 << 24, &mut |work| {
            work();
            calls += 1;
            1.0
        });
        assert_eq!(calls, 6);
        assert!((times.per_byte - 1e9 / f64::from(1 << 24)).abs() < 1e-3, "{times:?}");
        assert!((times.per_line - 1e9 / f64::from(1 << 21)).abs() < 1e-3, "{times:?}");
        let floor = Floor { streamed: 2.0, lines: 3.0, footprint: 1 };
        assert!((floor.nanoseconds(&MemoryTimes { per_byte: 10.0, per_line: 1.0 }) - 23.0).abs() < 1e-9);
    }
}
