//! Runs the workloads, row by row.

use acrasin_runtime::Digest;
use acrasin_workload::{MemoryTimes, Workload, WorkloadGroup};

use super::measure::{Samples, time};
use crate::output::Verbosity;
use crate::{Failure, interrupt};

/// A thread pool with the number of its threads.
pub(super) struct Pool {
    pub(super) threads: u16,
    pool: rayon::ThreadPool,
}

pub(super) fn pool(threads: u16) -> Result<Pool, Failure> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.into()).build();
    pool.map(|pool| Pool { threads, pool })
        .map_err(|error| Failure::of_machine(format_args!("{threads} threads cannot be started: {error}")))
}

/// One row of a group, measured with one number of threads.
pub(super) struct Measured {
    /// The index of the row in its group.
    pub(super) row: usize,
    pub(super) threads: u16,
    pub(super) nodes: u64,
    pub(super) bytes: u64,
    pub(super) samples: Samples,
    pub(super) digest: Digest,
    /// A lower bound in nanoseconds per item: the time of the memory accesses alone.
    pub(super) floor: f64,
    pub(super) warning: Option<String>,
}

/// The naive loop of a group, measured for comparison.
#[derive(Clone, Copy, Debug)]
pub(super) struct Naive {
    pub(super) family: &'static str,
    pub(super) nodes: u64,
    /// Nanoseconds of processor time per item, the minimum of all samples.
    pub(super) cpu: f64,
}

/// The measured rows of a group, and the errors found.
pub(super) struct MeasuredGroup {
    pub(super) rows: Vec<Measured>,
    naive: Option<Naive>,
    complaints: Vec<String>,
}

impl MeasuredGroup {
    pub(super) fn naive(&self) -> Option<Naive> {
        self.naive
    }

    /// The errors that the measurement found: results that depend on the number of threads, and identities that do not
    /// hold.
    pub(super) fn complaints(&self) -> &[String] {
        &self.complaints
    }

    /// The row measured with the fewest threads.
    pub(super) fn alone(&self, row: usize) -> Option<&Measured> {
        self.rows.iter().find(|measured| measured.row == row)
    }
}

struct Running {
    row: usize,
    pool: usize,
    work: Box<dyn Workload>,
    samples: Samples,
}

/// Builds the rows of a group, warms them up, and takes their samples in turn, so that a burst of noise affects all
/// rows equally. The work of each sample is divided by `divisor`. `None` if the user interrupts.
pub(super) fn measure(
    group: &WorkloadGroup,
    pools: &[Pool],
    (samples, divisor): (u64, u64),
    verbosity: Verbosity,
) -> Result<Option<MeasuredGroup>, Failure> {
    let mut running = Vec::new();
    for (row, built) in group.rows.iter().enumerate() {
        for (pool, threads) in pools.iter().enumerate() {
            // Rows that cannot use threads run only in the smallest pool.
            if pool > 0 && !built.parallel {
                continue;
            }
            if interrupt::is_asked_to_stop() {
                return Ok(None);
            }
            verbosity.explain(format_args!("{} {}: building", group.family.id, built.variant));
            let work = threads.pool.install(|| built.build()).map_err(Failure::usage)?;
            running.push(Running { row, pool, work, samples: Samples::default() });
        }
    }
    for _ in 0..samples {
        for running in &mut running {
            if interrupt::is_asked_to_stop() {
                return Ok(None);
            }
            running.samples.take(&mut *running.work, divisor, &pools[running.pool].pool)?;
        }
    }
    finish(group, running, pools).map(Some)
}

fn finish(group: &WorkloadGroup, running: Vec<Running>, pools: &[Pool]) -> Result<MeasuredGroup, Failure> {
    let mut measured = MeasuredGroup { rows: Vec::new(), naive: None, complaints: Vec::new() };
    let mut memory: Vec<(u64, MemoryTimes)> = Vec::new();
    for Running { row, pool, mut work, samples } in running {
        let about = &group.rows[row];
        let floor = work.floor();
        let footprint = floor.footprint.next_power_of_two();
        let known = memory.iter().find(|&&(bytes, _)| bytes == footprint).map(|&(_, times)| times);
        let times = match known {
            Some(times) => times,
            None => {
                let times = memory_times(footprint)?;
                memory.push((footprint, times));
                times
            }
        };
        let digest = work.digest();
        if let Err(complaint) = work.verify() {
            measured.complaints.push(format!("{} {}: {complaint}", group.family.id, about.variant));
        }
        if let Some(alone) = measured.alone(row)
            && about.reproducible
            && alone.digest != digest
        {
            measured.complaints.push(format!(
                "{} {}: the state after the samples differs between {} and {} threads ({} and {digest})",
                group.family.id, about.variant, alone.threads, pools[pool].threads, alone.digest
            ));
        }
        if about.naive {
            let cpu = samples.cpu().least;
            measured.naive = Some(Naive { family: group.family.id, nodes: work.nodes(), cpu });
        }
        measured.rows.push(Measured {
            row,
            threads: pools[pool].threads,
            nodes: work.nodes(),
            bytes: work.bytes(),
            samples,
            digest,
            floor: floor.nanoseconds(&times),
            warning: work.warning(),
        });
    }
    Ok(measured)
}

/// Measures the times of memory accesses in `bytes` bytes. Fails if the clock does.
fn memory_times(bytes: u64) -> Result<MemoryTimes, Failure> {
    let mut failure = None;
    let times = MemoryTimes::measure(bytes, &mut |work| match time(work) {
        Ok(times) => times.cpu,
        Err(error) => {
            failure = Some(error);
            f64::NAN
        }
    });
    failure.map_or(Ok(times), Err)
}
