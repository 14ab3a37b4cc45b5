//! Ranks before a run that they make together.

use std::cell::Cell;
use std::path::PathBuf;
use std::sync::Arc;

use acrasin_process::Ranks;
use acrasin_runtime::Digest;
use acrasin_scenario::{Runnable, ScenarioFile};

use crate::Failure;

/// The error of a rank whose plan differs from that of rank 0, and what is accepted.
pub(crate) const OTHER_PLAN: (&str, &str) = (
    "another version, scenario or file than rank 0 has",
    "the same program and the same files on all machines",
);

/// A rank before a run: the ranks make sure that all of them can begin, with the same plan.
pub(crate) struct RankBeforeRun {
    ranks: Arc<dyn Ranks>,
    has_answered: Cell<bool>,
}

impl RankBeforeRun {
    pub(crate) fn new(ranks: &Arc<dyn Ranks>) -> Self {
        Self { ranks: Arc::clone(ranks), has_answered: Cell::new(false) }
    }

    /// Waits until all ranks have a plan or an error. Returns `Ok` if all have the plan of rank 0, otherwise the error
    /// of the first rank with an error.
    pub(crate) fn agree(&self, mine: &Result<u128, (u8, String)>) -> Result<(), Failure> {
        self.has_answered.set(true);
        let (ranks, others): (_, Vec<usize>) = (&self.ranks, (1..self.ranks.count()).collect());
        let text = match mine {
            Ok(digest) => format!("plan {digest:032x}"),
            Err((code, message)) => format!("{code} {message}"),
        };
        // Rank 0 tells all others what to do, so that all of them do the same.
        let answer = if ranks.rank() == 0 {
            let texts = ranks.exchange(&[], &others);
            let texts: Vec<String> =
                texts.iter().map(|text| String::from_utf8_lossy(text).into_owned()).collect();
            let answer = answer(&text, &texts);
            let messages = others.iter().map(|&rank| (rank, answer.clone().into_bytes()));
            ranks.exchange(&messages.collect::<Vec<_>>(), &[]);
            answer
        } else {
            ranks.exchange(&[(0, text.into_bytes())], &[]);
            String::from_utf8_lossy(&ranks.exchange(&[], &[0])[0]).into_owned()
        };
        if answer.is_empty() {
            return Ok(());
        }
        let mut words = answer.splitn(3, ' ');
        let mut number = || words.next().and_then(|word| word.parse().ok());
        let (rank, code) = (number().unwrap_or(0), number().unwrap_or(1));
        Err(Failure::of_rank(rank, u8::try_from(code).unwrap_or(1), words.next().unwrap_or_default()))
    }

    /// Called if all ranks end for the same reason, so that none waits.
    pub(crate) fn ends(&self) {
        self.has_answered.set(true);
    }

    /// The seed that rank 0 has drawn.
    pub(crate) fn seed(&self, mine: u64) -> u64 {
        let mut seed = [if self.ranks.rank() == 0 { mine } else { 0 }];
        self.ranks.sum(&mut seed);
        seed[0]
    }

    /// Called on rank 0 when nothing but the run can fail any more.
    pub(crate) fn begin(&self, plan: &PlanOfRanks<'_>) -> Result<u64, Failure> {
        self.agree(&Ok(plan.digest()))?;
        Ok(self.seed(plan.seed))
    }

    /// The ranks that make the run.
    pub(crate) fn ranks(&self) -> Arc<dyn Ranks> {
        Arc::clone(&self.ranks)
    }
}

/// A rank that cannot begin says so to the other ranks, which wait for its plan.
impl Drop for RankBeforeRun {
    fn drop(&mut self) {
        if !self.has_answered.get() && !std::thread::panicking() {
            let _ = self.agree(&Err((2, String::new())));
        }
    }
}

/// The answer of rank 0: empty if all ranks have its plan. Otherwise the first rank with an error, its exit code and
/// message.
fn answer(mine: &str, others: &[String]) -> String {
    if !mine.starts_with("plan ") {
        return format!("0 {mine}");
    }
    let differing = others.iter().zip(1..).find(|(text, _)| *text != mine);
    differing.map_or_else(String::new, |(text, rank)| {
        if text.starts_with("plan ") {
            return format!("{rank} 2 {}\n = accepted: {}", OTHER_PLAN.0, OTHER_PLAN.1);
        }
        format!("{rank} {text}")
    })
}

/// The facts that all ranks must share.
pub(crate) struct PlanOfRanks<'a> {
    pub(crate) file: &'a ScenarioFile,
    pub(crate) base: &'a PathBuf,
    pub(crate) seed: u64,
}

impl PlanOfRanks<'_> {
    pub(crate) fn digest(&self) -> u128 {
        let files = self.file.data_files(self.base);
        let Digest(digest) = Digest::of(&(env!("CARGO_PKG_VERSION"), self.file.digest_with(&files)));
        digest
    }
}

/// Refuses scenarios that one run cannot share.
pub(crate) fn refuse_undivided(plan: &dyn Runnable) -> Result<(), Failure> {
    if plan.header().is_for_ranks {
        return Ok(());
    }
    Err(Failure::usage("this run cannot be divided between ranks").accepting(
        "uniform pairs on a ring or torus of at least 2^22 nodes, with deterministic rules of at most 128 states; or \
         acrasin-mpi sweep --reps N, which divides the runs",
    ))
}

/// The number of threads of a rank: one unless the user sets it, because there is usually one rank per core.
pub(crate) fn threads_of_rank(threads: Option<u16>) -> u16 {
    threads.unwrap_or(1)
}
