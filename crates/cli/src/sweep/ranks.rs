//! A sweep over the ranks of an MPI job: rank 0 writes the file of rows, and gives runs to ranks that ask for more.
//!
//! ```text
//! rank 0                                   another rank
//!   plans, opens the file
//!   begin: version, seed, digest ────────►   plans
//!                                 ◄──────── ask
//!   runs 4 5 6, 7 ───────────────────────►
//!                                 ◄──────── row 4, row 6, ...
//!                                 ◄──────── ask
//!   runs (none) ─────────────────────────►
//!                                 ◄──────── done, or failed
//! ```
//!
//! While many runs are left, a rank gets many runs at a time; at the end it gets single ones. Rank 0 executes runs as
//! well.

use std::collections::{BTreeMap, VecDeque};
use std::fmt::Write as _;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use acrasin_process::Ranks;
use acrasin_report::record::Exit;
use acrasin_scenario::{Catalogue, Proceed};
use rayon::prelude::*;

use super::plan::SweepPlan;
use super::queue::{PlannedRuns, RunQueue};
use super::{SweepArguments, run_group};
use crate::output::Verbosity;
use crate::progress::ProgressLine;
use crate::rank_before_run::{OTHER_PLAN, threads_of_rank};
use crate::supervisor::Supervisor;
use crate::{Failure, interrupt, machine, memory, setup};

/// The interval at which a rank checks for messages. Waiting inside the MPI library would keep a core busy.
const POLL: Duration = Duration::from_micros(300);

/// The maximum number of runs that a rank gets at a time. Their list fits into one packet.
const MOST_RUNS: u64 = 64;

/// The place and the number of a run.
type GivenRun = (u64, u64);

/// A message between the ranks of a sweep. As text, its first line begins with the kind.
#[derive(Clone, PartialEq, Eq, Debug)]
enum SweepMail {
    /// From rank 0 at the start: the program version, the digest of the plan, and the seed given by the user.
    Begin { version: String, digest: String, seed: Option<u64> },
    /// From a rank that has no runs left and asks for more.
    Ask,
    /// From rank 0: groups of runs that are executed together; empty if no runs are left.
    Runs(Vec<Vec<GivenRun>>),
    /// From a rank: the place of a completed run, and its JSON line.
    Row(u64, String),
    /// From rank 0: runs in progress must end at their next step.
    Stop,
    /// From a rank that executes no further runs: whether it was interrupted.
    Done(bool),
    /// From a rank that cannot continue: the exit code and the message of its error.
    Failed(u8, String),
}

impl SweepMail {
    fn write(&self) -> Vec<u8> {
        let text = match self {
            Self::Begin { version, digest, seed } => {
                let seed = seed.map_or_else(|| "-".to_owned(), |seed| seed.to_string());
                format!("begin {version} {digest} {seed}\n")
            }
            Self::Ask => "ask\n".to_owned(),
            Self::Runs(groups) => {
                let mut text = "runs".to_owned();
                for group in groups {
                    let runs: Vec<String> =
                        group.iter().map(|(place, number)| format!("{place}:{number}")).collect();
                    let _ = write!(text, " {}", runs.join(","));
                }
                text + "\n"
            }
            Self::Row(place, line) => format!("row {place}\n{line}"),
            Self::Stop => "stop\n".to_owned(),
            Self::Done(is_interrupted) => format!("done {is_interrupted}\n"),
            Self::Failed(code, message) => format!("failed {code}\n{message}"),
        };
        text.into_bytes()
    }

    /// Reads a message; `None` if the bytes are not a message of a sweep.
    fn read(bytes: &[u8]) -> Option<Self> {
        let (first, rest) = std::str::from_utf8(bytes).ok()?.split_once('\n')?;
        let mut words = first.split(' ');
        let mail = match words.next()? {
            "begin" => {
                let (version, digest) = (words.next()?.to_owned(), words.next()?.to_owned());
                let seed = words.next().filter(|&seed| seed != "-").map(str::parse).transpose().ok()?;
                Self::Begin { version, digest, seed }
            }
            "ask" => Self::Ask,
            "runs" => {
                let run = |text: &str| {
                    let (place, number) = text.split_once(':')?;
                    Some((place.parse().ok()?, number.parse().ok()?))
                };
                let group = |text: &str| text.split(',').map(run).collect::<Option<Vec<_>>>();
                Self::Runs(words.by_ref().map(group).collect::<Option<_>>()?)
            }
            "row" => return Some(Self::Row(words.next()?.parse().ok()?, rest.to_owned())),
            "stop" => Self::Stop,
            "done" => Self::Done(words.next()?.parse().ok()?),
            "failed" => return Some(Self::Failed(words.next()?.parse().ok()?, rest.to_owned())),
            _ => return None,
        };
        (words.next().is_none() && rest.is_empty()).then_some(mail)
    }
}

/// The other ranks, for rank 0. If the sweep ends before they were given runs, dropping this value tells them that
/// there are none.
pub(super) struct OtherRanks<'a> {
    ranks: &'a dyn Ranks,
    has_begun: AtomicBool,
}

impl<'a> OtherRanks<'a> {
    pub(super) fn new(ranks: &'a dyn Ranks) -> Self {
        Self { ranks, has_begun: AtomicBool::new(false) }
    }

    pub(super) fn count(&self) -> usize {
        self.ranks.count() - 1
    }

    fn send(&self, rank: usize, mail: &SweepMail) {
        self.ranks.send(rank, &mail.write());
    }

    /// Gives runs to the other ranks until all ranks have ended. `add` is called with the place and the JSON line of
    /// each completed run.
    pub(super) fn serve(
        &self,
        runs: &PlannedRuns<'_>,
        queue: &RunQueue<'_>,
        supervisor: &Supervisor,
        add: &dyn Fn(u64, String) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        self.has_begun.store(true, Ordering::Relaxed);
        let mut ended: Vec<bool> = (0..self.ranks.count()).map(|rank| rank == 0).collect();
        let begin = runs.plan.begin_mail();
        (1..ended.len()).for_each(|rank| self.send(rank, &begin));
        let (mut has_stopped, mut failure) = (false, None);
        // The rank that makes the run at a place.
        let mut given: BTreeMap<u64, usize> = BTreeMap::new();
        while ended.contains(&false) {
            if !has_stopped && supervisor.verdict() != Proceed::Continue {
                has_stopped = true;
                let left = (1..ended.len()).filter(|&rank| !ended[rank]);
                left.for_each(|rank| self.send(rank, &SweepMail::Stop));
            }
            let Some((rank, mail)) = self.ranks.receive() else {
                std::thread::sleep(POLL);
                continue;
            };
            let result = match SweepMail::read(&mail) {
                Some(SweepMail::Ask) => {
                    let groups = if has_stopped { Vec::new() } else { chunk(runs, queue) };
                    given.extend(groups.iter().flatten().map(|&(place, _)| (place, rank)));
                    self.send(rank, &SweepMail::Runs(groups));
                    Ok(())
                }
                Some(SweepMail::Row(place, line)) if given.remove(&place) == Some(rank) => {
                    supervisor.progress().repetition_done();
                    add(place, line)
                }
                Some(SweepMail::Done(is_interrupted)) => {
                    ended[rank] = true;
                    if is_interrupted {
                        supervisor.stop();
                    }
                    Ok(())
                }
                Some(SweepMail::Failed(code, message)) => {
                    ended[rank] = true;
                    Err(Failure::of_rank(rank, code, &message))
                }
                _ => {
                    ended[rank] = true;
                    let start = String::from_utf8_lossy(&mail[..mail.len().min(40)]).into_owned();
                    Err(Failure::of_machine(format_args!("rank {rank} sent what it may not send: {start:?}")))
                }
            };
            if let Err(error) = result {
                supervisor.stop();
                failure.get_or_insert(error);
            }
        }
        failure.map_or(Ok(()), Err)
    }
}

impl Drop for OtherRanks<'_> {
    fn drop(&mut self) {
        if !self.has_begun.load(Ordering::Relaxed) {
            (1..self.ranks.count()).for_each(|rank| self.send(rank, &SweepMail::Runs(Vec::new())));
        }
    }
}

/// Takes runs for a rank from the queue: half of one thread's equal share of the remaining runs, but at most
/// [`MOST_RUNS`].
fn chunk(runs: &PlannedRuns<'_>, queue: &RunQueue<'_>) -> Vec<Vec<GivenRun>> {
    let wanted = (queue.left() / (2 * queue.workers())).clamp(1, MOST_RUNS);
    let (mut groups, mut count) = (Vec::new(), 0);
    while count < wanted
        && let Some(places) = queue.take()
    {
        count += places.len() as u64;
        groups.push(places.into_iter().map(|place| (place, runs.number(place))).collect());
    }
    groups
}

impl SweepPlan {
    fn begin_mail(&self) -> SweepMail {
        let version = env!("CARGO_PKG_VERSION").to_owned();
        SweepMail::Begin { version, digest: self.digest(), seed: self.given_seed() }
    }
}

/// The runs that this rank was given and has not begun.
#[derive(Default)]
struct RunsAtRank {
    groups: VecDeque<Vec<GivenRun>>,
    /// Whether the rank has asked for runs and waits for the answer.
    has_asked: bool,
    is_over: bool,
}

/// A rank other than 0 during a sweep.
struct SweepRank<'a> {
    ranks: &'a dyn Ranks,
    supervisor: Supervisor,
    given: Mutex<RunsAtRank>,
    arrived: Condvar,
    is_told_to_stop: AtomicBool,
    have_all_ended: AtomicBool,
}

/// Executes runs of a sweep for rank 0, which reports the errors of all ranks.
///
/// # Errors
///
/// [`Failure`] if rank 0 sends something other than a message of a sweep.
pub(super) fn work_for_rank_0(
    arguments: &SweepArguments,
    catalogue: &Catalogue,
    ranks: &dyn Ranks,
) -> Result<Exit, Failure> {
    let first = loop {
        match ranks.receive() {
            Some((_, mail)) => break mail,
            None => std::thread::sleep(POLL),
        }
    };
    let begin = match SweepMail::read(&first) {
        Some(SweepMail::Runs(none)) if none.is_empty() => return Ok(Exit::Done),
        Some(begin @ SweepMail::Begin { .. }) => begin,
        _ => return Err(Failure::of_machine("rank 0 sent what it may not send")),
    };
    let last = match worked(arguments, catalogue, ranks, &begin) {
        Ok(is_interrupted) => SweepMail::Done(is_interrupted),
        Err(failure) => SweepMail::Failed(failure.exit_code(), failure.to_string()),
    };
    ranks.send(0, &last.write());
    Ok(Exit::Done)
}

/// Executes runs until none are left. Returns whether this rank was interrupted.
fn worked(
    arguments: &SweepArguments,
    catalogue: &Catalogue,
    ranks: &dyn Ranks,
    begin: &SweepMail,
) -> Result<bool, Failure> {
    let SweepMail::Begin { seed, .. } = begin else { unreachable!("checked before") };
    let plan = SweepPlan::new(arguments, *seed, catalogue, Verbosity::Quiet)?;
    if plan.begin_mail() != *begin {
        return Err(Failure::usage(OTHER_PLAN.0).accepting(OTHER_PLAN.1));
    }
    let supervisor = Supervisor::new(None, ProgressLine::new(1, Verbosity::Quiet));
    interrupt::a_run_begins();
    setup::is_over();
    let pool = memory::pool(memory::threads(Some(threads_of_rank(arguments.threads)), 0, Verbosity::Quiet))?;
    let rank = SweepRank {
        ranks,
        supervisor,
        given: Mutex::default(),
        arrived: Condvar::new(),
        is_told_to_stop: AtomicBool::new(false),
        have_all_ended: AtomicBool::new(false),
    };
    let ran = std::thread::scope(|scope| {
        let mail = scope.spawn(|| rank.take_mail());
        let work = |_| std::iter::from_fn(|| rank.next()).try_for_each(|group| rank.run(&plan, &group));
        let workers = pool.current_num_threads();
        let ran = pool.install(|| (0..workers).into_par_iter().with_max_len(1).try_for_each(work));
        rank.have_all_ended.store(true, Ordering::Relaxed);
        let mail = mail.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        ran.and(mail)
    });
    ran?;
    let is_stopped = rank.supervisor.verdict() != Proceed::Continue;
    Ok(is_stopped && !rank.is_told_to_stop.load(Ordering::Relaxed))
}

impl SweepRank<'_> {
    fn given(&self) -> MutexGuard<'_, RunsAtRank> {
        self.given.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for the next group of runs for a thread. `None` if no runs are left or the rank must stop.
    fn next(&self) -> Option<Vec<GivenRun>> {
        let mut given = self.given();
        loop {
            if given.is_over && given.groups.is_empty() || self.supervisor.verdict() != Proceed::Continue {
                return None;
            }
            if let Some(group) = given.groups.pop_front() {
                return Some(group);
            }
            // The wait is limited, so that an interrupt ends it.
            let waited = self.arrived.wait_timeout(given, Duration::from_millis(20));
            given = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Executes a group of runs, and sends their rows to rank 0.
    fn run(&self, plan: &SweepPlan, group: &[GivenRun]) -> Result<(), Failure> {
        let places: Vec<u64> = group.iter().map(|&(place, _)| place).collect();
        for (&(place, number), finished) in group.iter().zip(run_group(plan, &places, &self.supervisor)) {
            let mut finished = finished.inspect_err(|_| self.supervisor.stop())?;
            finished.fill_manifest(machine::complete);
            let record = finished.record;
            if self.supervisor.verdict() != Proceed::Continue && record.ending().is_cut_short() {
                continue;
            }
            let line = plan.combinations[plan.at(place).0].words.json_line(number, &record);
            self.ranks.send(0, &SweepMail::Row(place, line).write());
        }
        Ok(())
    }

    /// Asks for runs and receives them, until all threads have ended and no answer is outstanding.
    fn take_mail(&self) -> Result<(), Failure> {
        loop {
            let is_stopped = self.supervisor.verdict() != Proceed::Continue;
            let mut given = self.given();
            if self.have_all_ended.load(Ordering::Relaxed) && !given.has_asked {
                return Ok(());
            }
            let asks = given.groups.is_empty() && !given.has_asked && !given.is_over && !is_stopped;
            given.has_asked |= asks;
            drop(given);
            if asks {
                self.ranks.send(0, &SweepMail::Ask.write());
            }
            match self.ranks.receive().map(|(_, mail)| SweepMail::read(&mail)) {
                None => std::thread::sleep(POLL),
                Some(Some(SweepMail::Runs(groups))) => {
                    let mut given = self.given();
                    given.has_asked = false;
                    given.is_over |= groups.is_empty();
                    given.groups.extend(groups);
                    self.arrived.notify_all();
                }
                Some(Some(SweepMail::Stop)) => {
                    self.is_told_to_stop.store(true, Ordering::Relaxed);
                    self.supervisor.stop();
                }
                Some(_) => {
                    self.supervisor.stop();
                    return Err(Failure::of_machine("rank 0 sent what it may not send"));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use acrasin_process::LocalRanks;
    use clap::Parser;

    use super::super::sweep_over_ranks;
    use super::*;

    const SCENARIO: &str = "(seed: 7, topology: Complete(nodes: 20), scheduler: UniformPairs, stop: [OutputsAgree],
        work: Interactions(protocol: Library(name: \"approximate-majority\"), initial: Shares({\"A\": 0.6, \"B\": 0.4})))";

    #[derive(Parser, Debug)]
    struct SweepCommand {
        #[command(flatten)]
        arguments: SweepArguments,
    }

    /// Runs a sweep on a rank.
    fn swept(ranks: &LocalRanks, (folder, rows): (&Path, &str), rest: &[&str]) -> Result<Exit, Failure> {
        let path = |name: &str| folder.join(name).to_str().expect("a path").to_owned();
        let words = ["sweep".to_owned(), path("m.ron"), "-o".to_owned(), path(rows)];
        let words = words.into_iter().chain(rest.iter().map(|&word| word.to_owned()));
        let SweepCommand { arguments } = SweepCommand::parse_from(words);
        sweep_over_ranks(&arguments, &Catalogue::shipped(), Verbosity::Quiet, ranks)
    }

    /// Runs a function on each rank of a group, and returns the result of rank 0.
    fn on_ranks(
        count: usize,
        run: impl Fn(&LocalRanks) -> Result<Exit, Failure> + Sync,
    ) -> Result<Exit, Failure> {
        std::thread::scope(|scope| {
            let run = &run;
            let ranks = LocalRanks::group(count).into_iter();
            let threads: Vec<_> = ranks.map(|rank| scope.spawn(move || run(&rank))).collect();
            threads.into_iter().map(|thread| thread.join().expect("no panic")).next().expect("rank 0")
        })
    }

    fn folder() -> tempfile::TempDir {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("m.ron"), SCENARIO).expect("written");
        folder
    }

    #[test]
    fn any_number_of_ranks_writes_the_rows_of_one() {
        const SWEEP: [&str; 4] = ["--over", "topology.nodes=[20, 30, 40]", "--reps", "50"];
        // The rows name the file of the scenario.
        let folder = folder();
        let rows = |count: usize| {
            let name = format!("{count}.jsonl");
            let exit = on_ranks(count, |ranks| swept(ranks, (folder.path(), &name), &SWEEP));
            assert_eq!(exit.expect("no error"), Exit::Done);
            std::fs::read_to_string(folder.path().join(name)).expect("rows")
        };
        let one = rows(1);
        assert_eq!(one.lines().count(), 151);
        for count in [2, 5] {
            assert!(rows(count) == one, "{count} ranks");
        }
    }

    /// A rank with other values of the scenario makes no rows, and one that sends what it was not asked for is refused.
    #[test]
    fn ranks_that_differ_or_do_not_keep_to_the_protocol_are_refused() {
        let found = |other: &(dyn Fn(&LocalRanks, &Path) -> Result<Exit, Failure> + Sync)| {
            let folder = folder();
            let result = on_ranks(2, |ranks| match ranks.rank() {
                0 => swept(ranks, (folder.path(), "rows.jsonl"), &["--reps", "9"]),
                _ => other(ranks, folder.path()),
            });
            result.expect_err("a refusal").to_string()
        };
        let message = found(&|ranks, folder| {
            swept(ranks, (folder, "rows.jsonl"), &["--reps", "9", "--set", "topology.nodes=30"])
        });
        assert!(message.contains("rank 1: another version, scenario or file than rank 0 has"), "{message}");
        let next = |ranks: &LocalRanks| loop {
            match ranks.receive() {
                Some((_, mail)) => break SweepMail::read(&mail).expect("mail of a sweep"),
                None => std::thread::yield_now(),
            }
        };
        let message = found(&|ranks, _| {
            assert!(matches!(next(ranks), SweepMail::Begin { .. }));
            ranks.send(0, &SweepMail::Row(3, "{}\n".to_owned()).write());
            Ok(Exit::Done)
        });
        assert!(message.contains("rank 1 sent what it may not send: \"row 3\\n{}\\n\""), "{message}");
        // A damaged row of a run that the rank was given.
        let message = found(&|ranks, _| {
            assert!(matches!(next(ranks), SweepMail::Begin { .. }));
            ranks.send(0, &SweepMail::Ask.write());
            let SweepMail::Runs(groups) = next(ranks) else { panic!("runs") };
            ranks.send(0, &SweepMail::Row(groups[0][0].0, "{\"run\":1}\n".to_owned()).write());
            assert_eq!(next(ranks), SweepMail::Stop);
            ranks.send(0, &SweepMail::Done(false).write());
            Ok(Exit::Done)
        });
        assert!(message.contains("is damaged"), "{message}");
    }

    #[test]
    fn mail_is_read_as_it_was_written_and_nothing_else_is() {
        let mails = [
            SweepMail::Begin { version: "0.1.0".to_owned(), digest: "ab".to_owned(), seed: Some(7) },
            SweepMail::Begin { version: "0.1.0".to_owned(), digest: "ab".to_owned(), seed: None },
            SweepMail::Ask,
            SweepMail::Runs(vec![]),
            SweepMail::Runs(vec![vec![(1, 1), (2, 9)], vec![(3, 3)]]),
            SweepMail::Row(5, "{\"run\":5}\n".to_owned()),
            SweepMail::Stop,
            SweepMail::Done(true),
            SweepMail::Failed(2, "error: x\n = accepted: y".to_owned()),
        ];
        for mail in mails {
            assert_eq!(SweepMail::read(&mail.write()), Some(mail));
        }
        let wrong: [&[u8]; 11] = [
            b"",
            b"ask",
            b"ask more\n",
            b"ask\nmore",
            b"runs 1\n",
            b"runs 1:2,\n",
            b"row\n{}",
            b"row x\n{}",
            b"done maybe\n",
            b"begin 0.1.0\n",
            b"\xff\n",
        ];
        for bytes in wrong {
            assert_eq!(SweepMail::read(bytes), None, "{bytes:?}");
        }
    }
}
