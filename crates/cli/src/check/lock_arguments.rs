//! Flags of `acrasin check` for the lock layer.

use std::path::PathBuf;

use acrasin_runtime::exclusion::Stamps;
use acrasin_verify::locks::Budget;
use clap::{Args, ValueEnum};

use crate::arguments::threads;

/// The treatment of request timestamps.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum TakenStamps {
    /// Stamps are clocks
    Counted,
    /// Stamps are clocks, of which only the differences are stored
    Normalised,
    /// Stamps order the pending requests in any way
    AnyOrder,
    /// Stamps are clocks that travel only with requests, of which only the order is stored
    Ranked,
}

impl From<TakenStamps> for Stamps {
    fn from(taken: TakenStamps) -> Self {
        match taken {
            TakenStamps::Counted => Self::Counted,
            TakenStamps::Normalised => Self::Normalised,
            TakenStamps::AnyOrder => Self::AnyOrder,
            TakenStamps::Ranked => Self::Ranked,
        }
    }
}

/// The flags that apply only to explorations, not to random walks.
const NOT_FOR_WALKS: [&str; 7] =
    ["safety_only", "symmetry", "partial_order", "stamps", "first", "configurations", "threads"];

/// The flags for checks of the lock layer: the powers of the adversary, and the limits of the exploration.
#[derive(Args, Debug)]
pub(crate) struct LockArguments {
    /// Number of edges that may vanish: a number, or `unlimited`. Default: 0.
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = budget)]
    pub(crate) disconnections: Option<Budget>,
    /// Number of edges that may appear: a number, or `unlimited`. Default: 0.
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = budget)]
    pub(crate) connections: Option<Budget>,
    /// Any edge may appear, on any open ports. Without this flag only edges of the graph appear, on their original
    /// ports.
    #[arg(long, requires = "connections")]
    pub(crate) any_edges: bool,
    /// Nodes also call Lock and Unlock at the wrong time. The rules ignore such calls.
    #[arg(long)]
    pub(crate) misuse: bool,
    /// Only check single configurations and moves, not infinite runs. Takes a third of the memory.
    #[arg(long)]
    pub(crate) safety_only: bool,
    /// Of all configurations that differ only in the names of nodes and ports, explore one. Does not check infinite
    /// runs.
    #[arg(long)]
    pub(crate) symmetry: bool,
    /// Receive replies first wherever this hides neither a dead configuration nor a violated property. Does not check
    /// infinite runs.
    #[arg(long)]
    pub(crate) partial_order: bool,
    /// Treatment of request timestamps. `counted`: clocks, which grow forever. `normalised`: clocks, with only their
    /// differences stored. `any-order`: any order of pending requests, including orders that clocks cannot produce.
    /// `ranked`: clocks that travel only with requests, with only the order of numbers stored.
    #[arg(long, value_name = "HOW", default_value = "counted", conflicts_with = "symmetry")]
    pub(crate) stamps: TakenStamps,
    /// Stop at the first violated property.
    #[arg(long)]
    pub(crate) first: bool,
    /// Stop when this number of configurations has been found, and print what was covered.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) configurations: Option<u64>,
    /// Take this number of random walks instead of exploring, for instances that are too large. Walks can find
    /// failures, but prove nothing. The walks end at the first violated property. Random draws come from the scenario's
    /// seed.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), conflicts_with_all = NOT_FOR_WALKS)]
    pub(crate) walks: Option<u64>,
    /// Maximum steps of a walk. Default: 1000.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), requires = "walks")]
    pub(crate) walk_steps: Option<u64>,
    /// The property that walks look for, by its name in the table of an exploration. Default: any.
    #[arg(long, value_name = "PROPERTY", requires = "walks")]
    pub(crate) only: Option<String>,
    /// Number of threads; it does not change the result. Default: one per core.
    #[arg(long, value_name = "N", value_parser = threads)]
    pub(crate) threads: Option<u16>,
    /// Record a run that violates a property, for `acrasin replay` and `acrasin view`; also for amoebots, and the
    /// counterexample of a population protocol (not with --direction or a graph file). The recorded run is the
    /// shortest that ends in a deadlock or violates an invariant, otherwise the shortest of all. Nothing is written if
    /// no property is violated.
    #[arg(long, value_name = "FILE")]
    pub(crate) record: Option<PathBuf>,
}

impl LockArguments {
    /// The first given flag that applies only to the lock layer. `--record` is not one of them, because every check can
    /// record a run.
    pub(super) fn given_but_record(&self) -> Option<&'static str> {
        [
            (self.disconnections.is_some(), "--disconnections"),
            (self.connections.is_some(), "--connections"),
            (self.any_edges, "--any-edges"),
            (self.misuse, "--misuse"),
            (self.safety_only, "--safety-only"),
            (self.symmetry, "--symmetry"),
            (self.stamps != TakenStamps::Counted, "--stamps"),
            (self.partial_order, "--partial-order"),
            (self.first, "--first"),
            (self.configurations.is_some(), "--configurations"),
            (self.walks.is_some(), "--walks"),
        ]
        .into_iter()
        .find_map(|(given, flag)| given.then_some(flag))
    }
}

/// Parses a number of graph changes, or `unlimited`.
fn budget(text: &str) -> Result<Budget, String> {
    if text == "unlimited" {
        return Ok(Budget::Unlimited);
    }
    text.parse().map(Budget::Times).map_err(|_| "a number, or `unlimited`, is accepted".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn budgets() {
        assert_eq!(budget("3"), Ok(Budget::Times(3)));
        assert_eq!(budget("unlimited"), Ok(Budget::Unlimited));
        assert!(["", "-1", "1.5", "4294967296", "Unlimited"].into_iter().all(|text| budget(text).is_err()));
    }
}
