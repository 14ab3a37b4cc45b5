//! The facts in a record that do not come from the plan: commit, threads, processor, time, memory.

#![allow(
    clippy::disallowed_types,
    reason = "the time that a command took is measured with a clock; no result depends on it"
)]

use std::borrow::Cow;
use std::fmt;
use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::time::{Duration, Instant};

use acrasin_report::record::{Figure, Manifest};
use cpu_time::ProcessTime;

/// The work that earlier processes have done for the run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct WorkBefore {
    pub(crate) steps: u64,
    pub(crate) wall: Duration,
    pub(crate) cpu: Option<Duration>,
    /// The number of times that the run was continued from a checkpoint.
    pub(crate) resumptions: u64,
}

/// Adds the commit to a manifest, and the seed as a string, because programs that store numbers as doubles cannot
/// represent seeds above 2^53.
pub(crate) fn complete(manifest: &mut Manifest) {
    manifest.commit = commit();
    manifest.further.push(Figure::new("seed_text", "seed", manifest.seed.to_string()).json_only());
}

/// The commit from which the program was built, if known.
pub(crate) fn commit() -> Option<Cow<'static, str>> {
    Some(env!("ACRASIN_COMMIT")).filter(|&commit| commit != "unknown").map(Cow::Borrowed)
}

/// A seed from the operating system's random numbers (through the standard library). It is below 2^53, so that every
/// JSON reader keeps all its digits.
pub(crate) fn drawn_seed() -> u64 {
    RandomState::new().build_hasher().finish() >> 11
}

/// The model of the processor, if the system reports it.
pub(crate) fn processor() -> Option<String> {
    let text = std::fs::read_to_string("/proc/cpuinfo").ok()?;
    model_name(&text).map(str::to_owned)
}

fn model_name(cpuinfo: &str) -> Option<&str> {
    cpuinfo.lines().find_map(|line| {
        let (name, value) = line.split_once(':')?;
        let is_model = ["model name", "Model", "Processor"].contains(&name.trim());
        Some(value.trim()).filter(|value| is_model && !value.is_empty())
    })
}

/// The peak memory of the process in bytes, if the system reports it.
fn peak_bytes() -> Option<u64> {
    most_resident(&std::fs::read_to_string("/proc/self/status").ok()?)
}

fn most_resident(status: &str) -> Option<u64> {
    let value = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    value.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()?.checked_mul(1024)
}

/// Measures wall time and processor time since its creation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stopwatch {
    wall: Instant,
    processor: Option<ProcessTime>,
}

impl Stopwatch {
    pub(crate) fn start() -> Self {
        Self { wall: Instant::now(), processor: ProcessTime::try_now().ok() }
    }

    /// Wall time and processor time since the start.
    pub(crate) fn elapsed(&self) -> (Duration, Option<Duration>) {
        (self.wall.elapsed(), self.processor.and_then(|start| start.try_elapsed().ok()))
    }

    /// The resources used since the start, including those of earlier processes of the same run.
    pub(crate) fn machine(&self, threads: u16, before: Option<WorkBefore>) -> Machine {
        let (wall, cpu) = self.elapsed();
        let (wall_before, cpu_before) = before.map_or_else(Default::default, |work| (work.wall, work.cpu));
        Machine {
            threads,
            processor: processor(),
            wall: wall + wall_before,
            cpu: cpu.map(|cpu| cpu + cpu_before.unwrap_or_default()),
            peak_bytes: peak_bytes(),
            resumed: before,
        }
    }
}

/// The machine that ran a command, and the resources used. Neither affects the results.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Machine {
    threads: u16,
    processor: Option<String>,
    wall: Duration,
    cpu: Option<Duration>,
    peak_bytes: Option<u64>,
    resumed: Option<WorkBefore>,
}

impl Machine {
    /// Adds the facts about the machine to the manifest of a record.
    pub(crate) fn sign(&self, manifest: &mut Manifest) {
        manifest.threads = Some(self.threads.into());
        manifest.processor = Some(self.processor.clone().unwrap_or_else(|| "unknown".to_owned()));
        let mut seconds = |key: &'static str, label: &'static str, time: Option<Duration>| {
            manifest
                .further
                .push(Figure::new(key, label, time.map(|time| time.as_secs_f64())).with_unit("s"));
        };
        seconds("wall_time_seconds", "wall time", Some(self.wall));
        seconds("cpu_time_seconds", "CPU time", self.cpu);
        manifest
            .further
            .push(Figure::new("peak_bytes", "most memory at once", self.peak_bytes).with_unit("bytes"));
        if let Some(WorkBefore { steps, resumptions, .. }) = self.resumed {
            manifest.further.push(Figure::new("resumed_at_step", "resumed at step", steps));
            manifest.further.push(Figure::new("resumptions", "times resumed", resumptions));
        }
    }
}

/// Writes `2 threads, Example CPU, 1.234 s wall time, 2.345 s CPU time, 12.3 MB at most`.
impl fmt::Display for Machine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let threads = if self.threads == 1 { "thread" } else { "threads" };
        let processor = self.processor.as_deref().unwrap_or("unknown processor");
        write!(f, "{} {threads}, {processor}, {:.3} s wall time", self.threads, self.wall.as_secs_f64())?;
        if let Some(cpu) = self.cpu {
            write!(f, ", {:.3} s CPU time", cpu.as_secs_f64())?;
        }
        if let Some(bytes) = self.peak_bytes {
            write!(f, ", {:.1} MB at most", bytes as f64 / 1e6)?;
        }
        match self.resumed {
            Some(WorkBefore { steps, .. }) => write!(f, ", resumed at step {steps}"),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_model_is_found_where_it_is() {
        let x86 = "processor\t: 0\nvendor_id\t: X\nmodel\t\t: 85\nmodel name\t: Example CPU @ 2.0 GHz\n";
        assert_eq!(model_name(x86), Some("Example CPU @ 2.0 GHz"));
        assert_eq!(model_name("processor\t: 0\nModel\t\t: Board 4\n"), Some("Board 4"));
        assert_eq!(model_name("processor\t: 0\n"), None);
        assert_eq!(model_name(""), None);
    }

    #[test]
    fn the_most_memory_is_found_where_it_is() {
        assert_eq!(most_resident("VmPeak:\t  9000 kB\nVmHWM:\t    2048 kB\nVmRSS:\t 1 kB\n"), Some(2 << 20));
        assert_eq!(most_resident("VmRSS:\t 1 kB\n"), None);
        assert_eq!(most_resident("VmHWM:\t 1 MB\n"), None);
    }

    #[test]
    fn drawn_seeds_differ_and_fit_into_doubles() {
        let seeds: std::collections::BTreeSet<u64> = (0..100).map(|_| drawn_seed()).collect();
        assert_eq!(seeds.len(), 100);
        assert!(seeds.iter().all(|&seed| seed < 1 << 53));
    }
}
