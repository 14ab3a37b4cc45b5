//! Measures samples: processor time and wall time of the same work, repeatedly.

#![allow(clippy::disallowed_types, reason = "a benchmark measures time; no result depends on it")]

use std::time::Instant;

use acrasin_workload::{SampleCounts, Workload};
use cpu_time::ProcessTime;

use crate::Failure;

/// The times of one piece of work, in seconds.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct WorkTimes {
    /// Processor time of the whole process, summed over threads.
    pub(super) cpu: f64,
    /// Wall time.
    pub(super) wall: f64,
}

/// Measures one call of `work`. Fails if the processor time cannot be read.
pub(super) fn time(work: &mut dyn FnMut()) -> Result<WorkTimes, Failure> {
    let no_clock = |error| Failure::of_machine(format_args!("the processor time cannot be read: {error}"));
    let (cpu, wall) = (ProcessTime::try_now().map_err(no_clock)?, Instant::now());
    work();
    let wall = wall.elapsed().as_secs_f64();
    Ok(WorkTimes { cpu: cpu.try_elapsed().map_err(no_clock)?.as_secs_f64(), wall })
}

/// The samples of one row with one number of threads.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Samples {
    times: Vec<(WorkTimes, SampleCounts)>,
}

impl Samples {
    /// Takes one more sample on the threads of `pool`. Its work is divided by `divisor`.
    pub(super) fn take(
        &mut self,
        work: &mut dyn Workload,
        divisor: u64,
        pool: &rayon::ThreadPool,
    ) -> Result<(), Failure> {
        let mut counted = SampleCounts::default();
        let times = time(&mut || counted = pool.install(|| work.part(divisor)))?;
        self.times.push((times, counted));
        Ok(())
    }

    /// The processor time per item in nanoseconds, summed over threads: minimum and median of the samples.
    pub(super) fn cpu(&self) -> TimeSpread {
        TimeSpread::of(self.times.iter().map(|(times, counted)| times.cpu * 1e9 / counted.items as f64))
    }

    /// The wall time per item in nanoseconds: minimum and median of the samples.
    pub(super) fn wall(&self) -> TimeSpread {
        TimeSpread::of(self.times.iter().map(|(times, counted)| times.wall * 1e9 / counted.items as f64))
    }

    /// The sums of the counters over all samples.
    pub(super) fn counted(&self) -> SampleCounts {
        self.times.iter().fold(SampleCounts::default(), |sum, (_, counted)| SampleCounts {
            items: sum.items + counted.items,
            messages: sum.messages + counted.messages,
            locks: sum.locks + counted.locks,
            trials: sum.trials + counted.trials,
        })
    }
}

/// The minimum and the median of the times of a row's samples.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct TimeSpread {
    pub(super) least: f64,
    pub(super) median: f64,
}

impl TimeSpread {
    /// Computes minimum and median. Panics if there are no numbers.
    pub(super) fn of(numbers: impl Iterator<Item = f64>) -> Self {
        let mut sorted: Vec<f64> = numbers.collect();
        sorted.sort_unstable_by(f64::total_cmp);
        let (lower, upper) = (sorted[(sorted.len() - 1) / 2], sorted[sorted.len() / 2]);
        Self { least: sorted[0], median: f64::midpoint(lower, upper) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn minimum_and_median() {
        let spread = |numbers: &[f64]| TimeSpread::of(numbers.iter().copied());
        assert_eq!(spread(&[3.0, 1.0, 2.0]), TimeSpread { least: 1.0, median: 2.0 });
        assert_eq!(spread(&[4.0, 1.0, 2.0, 3.0]), TimeSpread { least: 1.0, median: 2.5 });
        assert_eq!(spread(&[7.0]), TimeSpread { least: 7.0, median: 7.0 });
    }

    #[test]
    fn work_takes_processor_time_and_sleep_takes_wall_time() {
        let busy = time(&mut || {
            let mut sum = 0_u64;
            for i in 0..30_000_000_u64 {
                sum = std::hint::black_box(sum.wrapping_mul(31) ^ i);
            }
        });
        let asleep = time(&mut || std::thread::sleep(std::time::Duration::from_millis(30)));
        assert!(busy.unwrap().cpu > 0.0);
        assert!(asleep.unwrap().wall >= 0.03);
    }
}
