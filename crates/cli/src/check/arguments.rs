//! Flags of `acrasin check`.

use std::path::PathBuf;
use std::time::Duration;

use acrasin_prover::CertificateFormat;
use acrasin_report::table::Format;
use acrasin_scenario::plan::Initiator;
use acrasin_verify::population::MAX_AGENTS;
use clap::{ArgGroup, Args};
use rayon::ThreadPool;

use super::lock_arguments::LockArguments;
use crate::arguments::{FormatName, interval, setting};
use crate::output::Verbosity;
use crate::{Failure, duration, memory};

/// The arguments of `acrasin check`.
#[derive(Args, Debug)]
#[command(group(ArgGroup::new("saved").multiple(true).args(["checkpoint", "resume"])))]
pub(crate) struct CheckArguments {
    /// A protocol, a scenario (also of amoebots), or the name of a protocol of the library (`acrasin list protocols`).
    /// A file with a protocol alone has `Table(…)`, `Library(…)` or the fields of a table in parentheses.
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// Replace one value of the file. May be repeated.
    #[arg(long, value_name = "KEY=VALUE", value_parser = setting)]
    pub(crate) set: Vec<(String, String)>,
    /// Format of the results. For amoebots they include the seed if the start was drawn.
    #[arg(long, value_enum, default_value_t = FormatName(Format::Table))]
    pub(crate) format: FormatName,
    /// Memory limit of one exploration: bytes, or with K, M or G for powers of 1024. Lowered if this process has less.
    /// For amoebots, only the memory of states is counted.
    #[arg(long, value_name = "SIZE", default_value = "2G", value_parser = size)]
    memory: u64,
    /// Stop after this time on the clock, such as 10s, 5m, 1h30m, and print what was covered.
    #[arg(long, value_name = "DURATION", value_parser = duration::parse)]
    pub(crate) max_time: Option<Duration>,
    /// Save the exploration to this file: every ten minutes (see --every), and when Ctrl-C, SIGTERM, --max-time or a
    /// limit ends it. The previous checkpoint is kept as NAME.previous. Supported by every exploration.
    #[arg(long, value_name = "NAME")]
    pub(crate) checkpoint: Option<PathBuf>,
    /// The time on the clock between two checkpoints, such as 30s or 1h. Default: 10m.
    #[arg(long, value_name = "DURATION", value_parser = interval, requires = "saved")]
    pub(crate) every: Option<Duration>,
    /// Continue the check that is saved in this file. FILE and the flags must be given again. The result is that of an
    /// uninterrupted check.
    #[arg(long, value_name = "NAME")]
    pub(crate) resume: Option<PathBuf>,
    #[command(flatten, next_help_heading = "The lock layer")]
    pub(crate) locks: LockArguments,
    #[command(flatten, next_help_heading = "Population protocols")]
    pub(crate) population: PopulationArguments,
}

impl CheckArguments {
    /// The memory limit of one exploration in bytes, and a pool with its threads.
    pub(super) fn explorers(&self, verbosity: Verbosity) -> Result<(u64, ThreadPool), Failure> {
        let threads = memory::threads(self.locks.threads, 0, verbosity);
        // The budget is computed before the threads start: the address space that they will reserve is known, but not
        // when.
        let bytes = memory::budget(self.memory, threads);
        Ok((bytes, memory::pool(threads)?))
    }
}

/// A claim about a population protocol.
#[derive(Args, Debug)]
pub(crate) struct ClaimArguments {
    /// Claim: eventually every agent answers whether this holds for the input, such as "A > B" or "x - y mod 3 = 1
    /// and n > 2".
    #[arg(long, value_name = "PREDICATE", conflicts_with = "eventually", allow_hyphen_values = true)]
    pub(crate) predicate: Option<String>,
    /// Claim: eventually this holds for the configuration, such as "L = 1".
    #[arg(long, value_name = "PREDICATE", allow_hyphen_values = true)]
    pub(crate) eventually: Option<String>,
    /// Only check inputs for which this holds, such as "A != B".
    #[arg(long, value_name = "PREDICATE", allow_hyphen_values = true)]
    pub(crate) given: Option<String>,
    /// Outputs that mean that the predicate holds, or does not hold. Not needed for outputs called yes and no, true and
    /// false, or 1 and 0. Also not needed for a majority such as "A > B" with the outputs A and B. Without a `no` all
    /// other outputs mean no.
    #[arg(long, value_name = "yes=A,no=B", value_delimiter = ',', value_parser = setting, requires = "predicate")]
    pub(crate) answers: Vec<(String, String)>,
    /// The states in which agents start. Default: those of the file, or else those in the predicate.
    #[arg(long, value_name = "STATES", value_delimiter = ',')]
    pub(crate) inputs: Vec<String>,
}

/// The flags for checks of a population protocol: a claim, and the populations for which it is checked.
#[derive(Args, Debug)]
pub(crate) struct PopulationArguments {
    #[command(flatten)]
    pub(crate) claim: ClaimArguments,
    /// Check all inputs of 2 to N agents. Default: 8.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(2..=i64::from(MAX_AGENTS)))]
    pub(crate) up_to: Option<u32>,
    /// Prove the claim for every population of two or more agents, or find the smallest counterexample. Exit code 3
    /// if neither is found.
    #[arg(long, conflicts_with_all = ["up_to", "exact_time"])]
    pub(crate) all: bool,
    /// Write the proof of --all to this file, as `acrasin check-certificate` reads it.
    #[arg(long, value_name = "FILE", requires = "all")]
    pub(crate) certificate: Option<PathBuf>,
    /// The format of the proof: all-n/1 or all-n/2. The format all-n/2 has more lemmas, about parts of an execution.
    /// They are used only if the search ends without an answer otherwise. Default: all-n/1.
    #[arg(long, value_name = "FORMAT", value_parser = certificate_format, requires = "all")]
    pub(crate) certificate_format: Option<CertificateFormat>,
    /// Also print the proof of --all in words.
    #[arg(long, requires = "all")]
    pub(crate) explain: bool,
    /// Write the tree of stages of the proof of --all as SVG to this file.
    #[arg(long, value_name = "FILE.svg", requires = "all")]
    pub(crate) picture: Option<PathBuf>,
    /// The interaction graph: complete, ring, path, star, or a graph file. Default: complete.
    #[arg(long, value_name = "GRAPH")]
    pub(crate) graph: Option<String>,
    /// The initiating end of each edge of --graph: either, forward (the end that the edge leads from) or backward (the
    /// end that it leads to). Default: that of the scenario, or else either.
    #[arg(long, value_name = "END", value_parser = initiator, requires = "graph")]
    pub(crate) direction: Option<Initiator>,
    /// Instead solve the Markov chain of the uniform scheduler on the complete graph: expected time, and probability of
    /// the correct result.
    #[arg(long, conflicts_with = "graph")]
    pub(crate) exact_time: bool,
    /// Only this input for --exact-time, instead of all. May be repeated.
    #[arg(long, value_name = "A=6,B=4", requires = "exact_time", conflicts_with_all = ["up_to", "inputs", "given"])]
    pub(crate) input: Vec<String>,
    /// Also print the probability of each configuration after this number of interactions.
    #[arg(long, value_name = "T", requires = "input", value_parser = clap::value_parser!(u64).range(..=MOST_INTERACTIONS))]
    pub(crate) after: Option<u64>,
}

impl PopulationArguments {
    /// The first given flag that applies only to population protocols.
    pub(super) fn given(&self) -> Option<&'static str> {
        [
            (self.claim.predicate.is_some(), "--predicate"),
            (self.claim.eventually.is_some(), "--eventually"),
            (self.claim.given.is_some(), "--given"),
            (!self.claim.answers.is_empty(), "--answers"),
            (!self.claim.inputs.is_empty(), "--inputs"),
            (self.up_to.is_some(), "--up-to"),
            (self.graph.is_some(), "--graph"),
            (self.direction.is_some(), "--direction"),
            (self.exact_time, "--exact-time"),
            (!self.input.is_empty(), "--input"),
            (self.after.is_some(), "--after"),
            (self.all, "--all"),
            (self.certificate.is_some(), "--certificate"),
            (self.explain, "--explain"),
            (self.picture.is_some(), "--picture"),
        ]
        .into_iter()
        .find_map(|(given, flag)| given.then_some(flag))
    }
}

/// The maximum number of interactions after which a distribution is computed. Each interaction costs one operation per
/// transition of the chain, of which there may be ten thousand.
const MOST_INTERACTIONS: u64 = 1_000_000;

/// Parses the name of a format of certificates.
fn certificate_format(text: &str) -> Result<CertificateFormat, String> {
    [CertificateFormat::WholeRuns, CertificateFormat::PartsOfRuns]
        .into_iter()
        .find(|format| format.name() == text)
        .ok_or_else(|| "all-n/1 and all-n/2 are accepted".to_owned())
}

/// Parses an end of an edge, written as in a scenario or in lower case.
fn initiator(text: &str) -> Result<Initiator, String> {
    match text.to_ascii_lowercase().as_str() {
        "either" => Ok(Initiator::Either),
        "forward" => Ok(Initiator::Tail),
        "backward" => Ok(Initiator::Head),
        _ => Err("either, forward and backward are accepted".to_owned()),
    }
}

/// Parses a number of bytes, such as `2G`, `512M` or `65536`.
fn size(text: &str) -> Result<u64, String> {
    let wrong = || "a number of bytes is accepted, such as 512M or 4G".to_owned();
    let (digits, factor) = match text.char_indices().last() {
        Some((at, 'K' | 'k')) => (&text[..at], 1 << 10),
        Some((at, 'M' | 'm')) => (&text[..at], 1 << 20),
        Some((at, 'G' | 'g')) => (&text[..at], 1 << 30),
        _ => (text, 1_u64),
    };
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(wrong());
    }
    let number: u64 = digits.parse().map_err(|_| wrong())?;
    number.checked_mul(factor).filter(|bytes| *bytes > 0).ok_or_else(wrong)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_of_memory() {
        assert_eq!(["1", "3K", "512M", "2g"].map(size), [Ok(1), Ok(3 << 10), Ok(512 << 20), Ok(2 << 30)]);
        for wrong in ["", "G", "1.5G", "-1", "0", "2T", "99999999999999999999G", "17179869184G", "1Gé"] {
            assert!(size(wrong).is_err(), "{wrong}");
        }
    }
}
