//! Flags of `acrasin swarm`.

use std::path::PathBuf;
use std::time::Duration;

use acrasin_report::table::Format;
use acrasin_runtime::exclusion::local::Rules;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};

use super::wrong::WrongRules;
use crate::arguments::{FormatName, seed, threads, whole};
use crate::duration;

/// The maximum number of runs. This many runs take weeks on any machine, and no sum over them overflows.
const MOST_RUNS: u64 = 1_000_000_000;

/// The arguments of `acrasin swarm`.
#[derive(Args, Debug)]
pub(crate) struct SwarmArguments {
    /// Number of runs.
    #[arg(long, value_name = "N", default_value_t = 20_000, value_parser = runs)]
    pub(crate) runs: u64,
    /// The seed of the first run. The seeds of the other runs are the following numbers.
    #[arg(long, value_name = "FIRST", default_value_t = 0, allow_negative_numbers = true, value_parser = seed)]
    pub(crate) seed: u64,
    /// Number of threads; it does not change the result. Default: one per core.
    #[arg(long, value_name = "N", value_parser = threads)]
    pub(crate) threads: Option<u16>,
    /// The lock algorithm.
    #[arg(long, value_enum, value_name = "NAME", default_value_t = SwarmAlgorithm::Local)]
    pub(crate) exclusion: SwarmAlgorithm,
    /// The rules of local mutual exclusion.
    #[arg(long, value_enum, value_name = "RULES", default_value_t = RuleSet::Repaired)]
    pub(crate) rules: RuleSet,
    /// Use deliberately wrong rules, such as `late-between-rounds-only`, to see that the checks catch them. An unknown
    /// name prints the list of all. The name determines the algorithm.
    #[arg(long, value_name = "NAME", conflicts_with_all = ["rules", "exclusion"], value_parser = wrong(), hide_possible_values = true)]
    pub(crate) wrong: Option<WrongRules>,
    /// Only check the guarantees of the lock layer, not the invariants of memories and messages. Takes a fraction of
    /// the time.
    #[arg(long)]
    pub(crate) no_invariants: bool,
    /// Record the first failure, shrunk, for `acrasin replay`; compressed if the name ends in `.gz`. Nothing is
    /// written if no run fails.
    #[arg(long, value_name = "FILE")]
    pub(crate) record: Option<PathBuf>,
    /// Stop after this time on the clock, such as 10s, 5m, 1h30m, and print what was covered.
    #[arg(long, value_name = "DURATION", value_parser = duration::parse)]
    pub(crate) max_time: Option<Duration>,
    /// Format of the results. Failing runs are described step by step only in `table`.
    #[arg(long, value_enum, default_value_t = FormatName(Format::Table))]
    pub(crate) format: FormatName,
}

impl SwarmArguments {
    /// Whether the rules are the repaired ones.
    pub(super) fn is_repaired(&self) -> bool {
        self.wrong.is_none() && (self.exclusion != SwarmAlgorithm::Local || self.rules == RuleSet::Repaired)
    }

    /// The flag that selects these rules.
    pub(super) fn rules_flag(&self) -> String {
        match self.wrong {
            Some(wrong) => format!("--wrong {}", wrong.name()),
            None if self.exclusion == SwarmAlgorithm::Local => format!("--rules {}", self.rules.name()),
            None => format!("--exclusion {}", self.exclusion.name()),
        }
    }
}

/// The lock algorithms.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum SwarmAlgorithm {
    /// Local mutual exclusion, on a changing graph
    Local,
    /// The token that travels along a random tree: four rules, each with two kinds of queues
    TreeToken,
    /// Local critical sections with random bounds: four schemes in turn
    CriticalSection,
}

impl SwarmAlgorithm {
    /// The name of the algorithm on the command line.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Local => "local",
            Self::TreeToken => "tree-token",
            Self::CriticalSection => "critical-section",
        }
    }
}

/// The shipped rules, with and without their repairs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum RuleSet {
    /// With all repairs
    Repaired,
    /// As published, without repairs
    Published,
    /// Without R1: late requests are not rejected
    NoR1,
    /// Without R2: CleanUp waits for its published guard
    NoR2,
    /// Without R3: ignored calls do not clean up
    NoR3,
}

impl RuleSet {
    pub(super) fn rules(self) -> Rules {
        match self {
            Self::Repaired => Rules::REPAIRED,
            Self::Published => Rules::PUBLISHED,
            Self::NoR1 => Rules { reject_late_requests: false, ..Rules::REPAIRED },
            Self::NoR2 => Rules { clean_up_always: false, ..Rules::REPAIRED },
            Self::NoR3 => Rules { clean_up_ignored_calls: false, ..Rules::REPAIRED },
        }
    }

    /// The name of the rules on the command line.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Repaired => "repaired",
            Self::Published => "published",
            Self::NoR1 => "no-r1",
            Self::NoR2 => "no-r2",
            Self::NoR3 => "no-r3",
        }
    }
}

fn runs(text: &str) -> Result<u64, String> {
    whole(text, 1, MOST_RUNS)
}

/// Former names of wrong rule sets, which remain valid, each with the current name.
const FORMER_NAMES: [(&str, &str); 4] = [
    ("defeat-starts-anew", "defeat-restarts"),
    ("nobody-on-hold", "never-on-hold"),
    ("nobody-promoted", "never-promoted"),
    ("nobody-wins", "never-wins"),
];

/// Parses the name of a wrong rule set.
fn wrong() -> impl TypedValueParser<Value = WrongRules> {
    let value = |wrong: WrongRules| {
        let former = FORMER_NAMES.iter().filter(move |(_, name)| *name == wrong.name());
        PossibleValue::new(wrong.name()).help(wrong.what()).aliases(former.map(|(former, _)| *former))
    };
    PossibleValuesParser::new(WrongRules::all().map(value)).map(|name| {
        let former = FORMER_NAMES.iter().find(|(former, _)| *former == name);
        let name = former.map_or(name.as_str(), |(_, present)| present);
        WrongRules::all().find(|wrong| wrong.name() == name).expect("one of the names that are accepted")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn former_names_of_wrong_rule_sets_are_accepted() {
        for (former, present) in FORMER_NAMES {
            let parsed = |name: &str| {
                let command = clap::Command::new("swarm").arg(clap::Arg::new("wrong").value_parser(wrong()));
                let matches = command.try_get_matches_from(["swarm", name]).expect("an accepted name");
                matches.get_one::<WrongRules>("wrong").map(|wrong| wrong.name())
            };
            assert_eq!((parsed(former), parsed(present)), (Some(present), Some(present)));
        }
    }

    #[test]
    fn rules_have_the_names_they_are_written_with() {
        for rules in RuleSet::value_variants() {
            assert_eq!(rules.to_possible_value().unwrap().get_name(), rules.name());
        }
    }

    #[test]
    fn algorithms_have_the_names_they_are_written_with() {
        for algorithm in SwarmAlgorithm::value_variants() {
            assert_eq!(algorithm.to_possible_value().unwrap().get_name(), algorithm.name());
        }
    }

    #[test]
    fn every_repair_can_be_missing_alone() {
        let missing = |rules: RuleSet| {
            let Rules { reject_late_requests, clean_up_always, clean_up_ignored_calls } = rules.rules();
            [reject_late_requests, clean_up_always, clean_up_ignored_calls].map(|repair| !repair)
        };
        assert_eq!(
            RuleSet::value_variants().iter().map(|&rules| missing(rules)).collect::<Vec<_>>(),
            [[false; 3], [true; 3], [true, false, false], [false, true, false], [false, false, true],]
        );
    }

    #[test]
    fn numbers_of_runs() {
        assert_eq!((runs("1"), runs("1_000_000_000")), (Ok(1), Ok(MOST_RUNS)));
        for wrong in ["0", "1000000001", "-1", "1e3", ""] {
            assert!(runs(wrong).is_err(), "{wrong}");
        }
    }
}
