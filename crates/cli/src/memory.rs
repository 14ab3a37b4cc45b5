//! The memory limit of this process: the least of the machine's memory, `ulimit`, and the limit of its control group.

use std::fs;
use std::path::{Path, PathBuf};

use acrasin_catalogue::counted;
use acrasin_scenario::limits::MEMORY_BYTES;
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::Failure;
use crate::output::Verbosity;

/// The maximum number of bytes of a run: [`MEMORY_BYTES`], or less if the system limits this process. Limits that
/// cannot be read are ignored.
pub(crate) fn bytes() -> u64 {
    bytes_by(Path::new("/"))
}

/// The maximum number of bytes of an exploration, at most `wanted`. Call this before the [`pool`] of `threads` threads
/// starts. An allocation beyond the limits of the system would end the program without results.
pub(crate) fn budget(wanted: u64, threads: u16) -> u64 {
    budget_by(Path::new("/"), wanted, threads)
}

/// [`budget`] with the system files below `root`. Of the address space that the threads leave free, three quarters are
/// reserved for uncounted memory: a growing buffer exists twice for a moment, and then leaves a gap.
fn budget_by(root: &Path, wanted: u64, threads: u16) -> u64 {
    let left = left_by_limits(root);
    // The calling thread has its stack and arena.
    let reserved = u64::from(threads).saturating_sub(1) * THREAD_BYTES;
    wanted.min(left.saturating_sub(reserved).max(left / 4) / 4).min(whole(root))
}

/// The number of threads of a command: `wanted`, by default one per core. If `ulimit` limits the address space, the
/// arenas of all threads must fit into half of what remains after `needed` bytes.
pub(crate) fn threads(wanted: Option<u16>, needed: u64, verbosity: Verbosity) -> u16 {
    let cores =
        || std::thread::available_parallelism().map_or(1, |cores| cores.get().try_into().unwrap_or(u16::MAX));
    let threads = threads_by(Path::new("/"), wanted.unwrap_or_else(cores), needed);
    if let Some(wanted) = wanted.filter(|&wanted| threads < wanted) {
        verbosity.say(format_args!(
            "note: {} instead of {wanted}: each thread reserves {} MiB of address space, and `ulimit -v` leaves too little for more",
            counted(threads, "thread"),
            ARENA_BYTES >> 20
        ));
    }
    threads
}

fn threads_by(root: &Path, wanted: u16, needed: u64) -> u16 {
    let addresses = left_of(root, ADDRESS_SPACE, "VmSize:").unwrap_or(u64::MAX).saturating_sub(needed);
    u16::try_from(addresses / (2 * ARENA_BYTES)).unwrap_or(u16::MAX).clamp(1, wanted.max(1))
}

/// A pool of `threads` threads for one task. The calling thread is one of them, as it would otherwise only wait. One
/// more thread could be left without an arena, and then use a page per allocation until the address space is exhausted.
pub(crate) fn pool(threads: u16) -> Result<ThreadPool, Failure> {
    let builder = || ThreadPoolBuilder::new().num_threads(threads.into());
    // A thread belongs to at most one pool; it does already if two commands run in one process.
    builder().use_current_thread().build().or_else(|_| builder().build()).map_err(no_threads)
}

/// The error for threads that cannot be started.
pub(crate) fn no_threads(error: impl std::fmt::Display) -> Failure {
    Failure::of_machine(format_args!("the system cannot start more threads: {error}"))
        .accepting("fewer --threads")
}

/// The number of concurrent runs that fit into memory if each needs `bytes` and a thread; at least one.
pub(crate) fn runs_at_once(bytes: u128) -> u16 {
    let thread = if left_of(Path::new("/"), ADDRESS_SPACE, "VmSize:").is_some() { THREAD_BYTES } else { 0 };
    let each = bytes.saturating_add(thread.into()).max(1);
    u16::try_from(u128::from(self::bytes()) / each).unwrap_or(u16::MAX).max(1)
}

/// The address space that the allocator reserves for each thread: an arena of glibc.
const ARENA_BYTES: u64 = 64 << 20;

/// The address space of a thread: its arena and its stack.
const THREAD_BYTES: u64 = ARENA_BYTES + (2 << 20);

/// The name of the limit of `ulimit -v` in `/proc/self/limits`.
const ADDRESS_SPACE: &str = "Max address space";

/// Whether memory is nearly exhausted: at most an eighth of the machine's memory, or at most 64 MiB of address space,
/// is left.
pub(crate) fn is_low() -> bool {
    is_low_by(Path::new("/"))
}

fn is_low_by(root: &Path) -> bool {
    let resident = kibibytes(&text_of(root, "proc/self/status"), "VmRSS:").unwrap_or(0);
    left_by_limits(root) < 64 << 20 || resident > whole(root).saturating_sub(whole(root) / 8)
}

/// [`bytes`] with the system files below `root`.
fn bytes_by(root: &Path) -> u64 {
    MEMORY_BYTES.min(left_by_limits(root)).min(whole(root))
}

fn text_of(root: &Path, path: &str) -> String {
    fs::read_to_string(root.join(path)).unwrap_or_default()
}

/// The bytes of address space and data that `ulimit` still allows; `u64::MAX` without a limit.
fn left_by_limits(root: &Path) -> u64 {
    let own = [(ADDRESS_SPACE, "VmSize:"), ("Max data size", "VmData:")];
    own.into_iter().filter_map(|(limit, used)| left_of(root, limit, used)).fold(u64::MAX, u64::min)
}

/// The bytes that one limit still allows; `None` without a limit.
fn left_of(root: &Path, limit: &str, used: &str) -> Option<u64> {
    let limit = soft_limit(&text_of(root, "proc/self/limits"), limit)?;
    Some(limit.saturating_sub(kibibytes(&text_of(root, "proc/self/status"), used).unwrap_or(0)))
}

/// The memory of the machine in bytes, or the limit of the process's control groups if that is less.
fn whole(root: &Path) -> u64 {
    let machine = kibibytes(&text_of(root, "proc/meminfo"), "MemTotal:");
    let groups = groups(root, &text_of(root, "proc/self/cgroup"));
    let groups = groups.iter().filter_map(|path| fs::read_to_string(path).ok()?.trim().parse().ok());
    machine.into_iter().chain(groups).fold(u64::MAX, u64::min)
}

/// Parses the first number of `Max address space   1048576   unlimited   bytes`, if it is one.
fn soft_limit(limits: &str, name: &str) -> Option<u64> {
    let line = limits.lines().find_map(|line| line.strip_prefix(name))?;
    line.split_whitespace().next()?.parse().ok()
}

/// The number of bytes that a line such as `VmSize: 12345 kB` states.
fn kibibytes(text: &str, name: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    line.split_whitespace().next()?.parse::<u64>().ok()?.checked_mul(1024)
}

/// The files with the limits of a process's control groups and their ancestors: `memory.max` of version 2, where
/// `max` means no limit, and `memory.limit_in_bytes` of version 1.
fn groups(root: &Path, cgroup: &str) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for line in cgroup.lines() {
        let mut fields = line.splitn(3, ':').skip(1);
        let (Some(controllers), Some(path)) = (fields.next(), fields.next()) else { continue };
        let (mount, file) = match controllers {
            "" => ("sys/fs/cgroup", "memory.max"),
            of if of.split(',').any(|name| name == "memory") => {
                ("sys/fs/cgroup/memory", "memory.limit_in_bytes")
            }
            _ => continue,
        };
        // In a container the path is often that of the host, and only the mount point exists.
        let path = Path::new(path.trim_start_matches('/'));
        files.extend(path.ancestors().map(|path| root.join(mount).join(path).join(file)));
    }
    files
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The bytes that a run may take in a system with these files.
    fn system(files: &[(&str, &str)]) -> u64 {
        in_system(files, bytes_by)
    }

    fn in_system(files: &[(&str, &str)], bytes: impl Fn(&Path) -> u64) -> u64 {
        let root = tempfile::tempdir().unwrap();
        for (path, text) in files {
            let path = root.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        bytes(root.path())
    }

    #[test]
    fn an_exploration_leaves_most_of_the_address_space() {
        let limits = "Max address space  3000000  unlimited  bytes\n";
        let files = [(LIMITS, limits), ("proc/self/status", "VmSize:\t 1000 kB\n")];
        let budget = |files: &[(&str, &str)], wanted| in_system(files, |root| budget_by(root, wanted, 1));
        assert_eq!(budget(&files, 1 << 40), (3_000_000 - 1_024_000) / 4);
        assert_eq!(budget(&files, 7), 7);
        assert_eq!(budget(&[("proc/meminfo", "MemTotal:  4096 kB\n")], 1 << 40), 4096 * 1024);
        assert_eq!(budget(&[], 1 << 40), 1 << 40);
    }

    #[test]
    fn threads_have_room_for_their_arenas() {
        let threads = |limit: &str, needed: u64| {
            let limits = format!("Max address space  {limit}  unlimited  bytes\n");
            let files = [(LIMITS, &*limits), ("proc/self/status", "VmSize:\t 1024 kB\n")];
            in_system(&files, |root| threads_by(root, 8, needed).into())
        };
        let of = |threads: u64| ((threads << 27) + (1 << 20)).to_string();
        assert_eq!([&*of(8), &of(9), "unlimited"].map(|limit| threads(limit, 0)), [8; 3]);
        assert_eq!([&*of(3), "262144", "0"].map(|limit| threads(limit, 0)), [3, 1, 1]);
        assert_eq!([0, 1, 1 << 27, u64::MAX].map(|needed| threads(&of(3), needed)), [3, 2, 2, 1]);
    }

    #[test]
    fn the_arenas_of_its_threads_do_not_belong_to_an_exploration() {
        let limits = format!("Max address space  {}  unlimited  bytes\n", 1000 << 20);
        let budget =
            |threads: u16| in_system(&[(LIMITS, &limits)], |root| budget_by(root, u64::MAX, threads));
        assert_eq!([1, 2, 3].map(budget), [250 << 20, (1000 - 66) << 18, (1000 - 132) << 18]);
        assert_eq!([16, 1000].map(budget), [1000 << 16; 2]);
    }

    #[test]
    fn little_is_left_of_addresses_or_of_the_machine() {
        let is_low = |addresses: u64, resident: u64| {
            let limits = format!("Max address space  {addresses}  unlimited  bytes\n");
            let status = format!("VmSize:\t 1024 kB\nVmRSS:\t {resident} kB\n");
            let files =
                [(LIMITS, &*limits), ("proc/self/status", &*status), ("proc/meminfo", "MemTotal: 800 kB\n")];
            in_system(&files, |root| u64::from(is_low_by(root))) == 1
        };
        let enough = (64 << 20) + 1024 * 1024;
        assert_eq!([is_low(enough, 700), is_low(enough - 1, 700), is_low(enough, 701)], [false, true, true]);
    }

    const LIMITS: &str = "proc/self/limits";
    const GROUP: &str = "proc/self/cgroup";

    #[test]
    fn the_least_of_what_is_said_counts() {
        assert_eq!(system(&[]), MEMORY_BYTES);
        assert_eq!(system(&[("proc/meminfo", "MemTotal:  4096 kB\nMemFree: 1 kB\n")]), 4096 * 1024);
        let limits = "Limit  Soft Limit  Hard Limit  Units\nMax data size  unlimited  unlimited  bytes\n\
                      Max address space  3000000  unlimited  bytes\n";
        assert_eq!(system(&[(LIMITS, limits)]), 3_000_000);
        assert_eq!(
            system(&[(LIMITS, limits), ("proc/self/status", "VmSize:\t 1000 kB\n")]),
            3_000_000 - 1_024_000
        );
        assert_eq!(system(&[(LIMITS, limits), ("proc/self/status", "VmSize:\t 9000 kB\n")]), 0);
        assert_eq!(system(&[(LIMITS, &limits.replace("3000000", "unlimited"))]), MEMORY_BYTES);
    }

    #[test]
    fn control_groups_of_both_versions_and_those_above_them() {
        let unified = (GROUP, "0::/jobs/17\n");
        assert_eq!(system(&[unified, ("sys/fs/cgroup/jobs/17/memory.max", "5000\n")]), 5000);
        assert_eq!(system(&[unified, ("sys/fs/cgroup/jobs/17/memory.max", "max\n")]), MEMORY_BYTES);
        let above = ("sys/fs/cgroup/jobs/memory.max", "4000\n");
        assert_eq!(system(&[unified, ("sys/fs/cgroup/jobs/17/memory.max", "max\n"), above]), 4000);
        assert_eq!(system(&[unified, ("sys/fs/cgroup/memory.max", "3000\n")]), 3000);
        let first = (GROUP, "5:cpu,cpuacct:/x\n4:memory:/jobs\n");
        assert_eq!(system(&[first, ("sys/fs/cgroup/memory/jobs/memory.limit_in_bytes", "2000\n")]), 2000);
        let unlimited = ("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
        assert_eq!(system(&[first, unlimited]), MEMORY_BYTES);
    }
}
