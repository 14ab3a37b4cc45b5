//! Flags of `acrasin check` for the lock layer.

use std::path::PathBuf;

use acrasin_runtime::exclusion::Stamps;
use acrasin_verify::locks::Budget;
use clap::{Args, ValueEnum};

use crate::arguments::threads;

/// How stamps of requests are taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum TakenStamps {
    /// By clocks
    Counted,
    /// By clocks, of which only differences are kept
    Normalised,
    /// In any order
    AnyOrder,
    /// By clocks that travel with requests alone, of which only the order is kept
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

/// What means something only where everything is explored.
const NOT_FOR_WALKS: [&str; 7] =
    ["safety_only", "symmetry", "partial_order", "stamps", "first", "configurations", "threads"];

/// What the adversary may do besides choosing who acts next, and how far to look.
#[derive(Args, Debug)]
pub(crate) struct LockArguments {
    /// How many edges may vanish: a number, or `unlimited`. Default: 0.
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = budget)]
    pub(crate) disconnections: Option<Budget>,
    /// How many edges may appear: a number, or `unlimited`. Default: 0.
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = budget)]
    pub(crate) connections: Option<Budget>,
    /// Any edge may appear, on any open ports; otherwise those of the graph, on the ports they had.
    #[arg(long, requires = "connections")]
    pub(crate) any_edges: bool,
    /// Nodes also call Lock and Unlock out of turn: calls that the rules ignore.
    #[arg(long)]
    pub(crate) misuse: bool,
    /// Ask about single configurations and moves only, not about infinite runs: a third of the memory.
    #[arg(long)]
    pub(crate) safety_only: bool,
    /// Explore one of every set of configurations that differ in the names of nodes and ports only. Says nothing of
    /// infinite runs.
    #[arg(long)]
    pub(crate) symmetry: bool,
    /// Take receipts of replies first where that leaves nothing out: no dead configuration and no broken property. Says
    /// nothing of infinite runs.
    #[arg(long)]
    pub(crate) partial_order: bool,
    /// How stamps of requests are taken, of algorithms that have some: `counted` by clocks, which grow for ever;
    /// `normalised`, one of all configurations that differ by how far all clocks are; in `any-order`, which is more than
    /// clocks can do; `ranked`, by clocks that travel with requests alone, and of all numbers only the order.
    #[arg(long, value_name = "HOW", default_value = "counted", conflicts_with = "symmetry")]
    pub(crate) stamps: TakenStamps,
    /// Stop at the first thing that is broken.
    #[arg(long)]
    pub(crate) first: bool,
    /// Stop when so many configurations are known, and say what was covered.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) configurations: Option<u64>,
    /// Take so many random walks in place of everything: for instances that are too large. Walks find and prove nothing;
    /// they end with the first thing that is broken. Their draws are those of the scenario's seed.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), conflicts_with_all = NOT_FOR_WALKS)]
    pub(crate) walks: Option<u64>,
    /// The steps of a walk. Default: 1000.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), requires = "walks")]
    pub(crate) walk_steps: Option<u64>,
    /// The property that the walks look for, by its name in the table of an exploration. Default: any.
    #[arg(long, value_name = "PROPERTY", requires = "walks")]
    pub(crate) only: Option<String>,
    /// Threads; the result is the same for any number. Default: one a core.
    #[arg(long, value_name = "N", value_parser = threads)]
    pub(crate) threads: Option<u16>,
    /// Keep a run that breaks something, for `acrasin replay` and `acrasin view`, of amoebots too: the shortest that ends dead or breaks a promise if there
    /// is one, otherwise the shortest of all. Nothing is written if nothing is broken.
    #[arg(long, value_name = "FILE")]
    pub(crate) record: Option<PathBuf>,
}

impl LockArguments {
    /// The first flag that means nothing for a population protocol.
    pub(super) fn given(&self) -> Option<&'static str> {
        self.given_but_record().or_else(|| self.record.is_some().then_some("--record"))
    }

    /// The first flag that means nothing for amoebots.
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

/// A number of changes of the graph, or `unlimited`.
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
