//! The flags of `acrasin bench`.

use acrasin_workload::{FAMILIES, WARM_UP};
use clap::Args;

use crate::arguments::{MOST_THREADS, seed, whole};

/// The minimum number of samples. With fewer than five, minimum and median mean little on a shared machine.
const FEWEST_SAMPLES: u64 = 5;
const MOST_SAMPLES: u64 = 1000;

/// The arguments of `acrasin bench`.
#[derive(Args, Debug)]
pub(crate) struct BenchArguments {
    /// Families of workloads, such as `M1` (see `--list`). Default: all.
    #[arg(value_name = "FAMILY", value_parser = family)]
    pub(super) families: Vec<&'static str>,
    /// Print the families, one per line, and run nothing.
    #[arg(long)]
    pub(super) list: bool,
    /// Numbers of nodes, such as `1e4,1e6`; each family rounds them to sizes that it can build. Default: the sizes of
    /// each family.
    #[arg(long, value_name = "N,...", value_delimiter = ',', value_parser = nodes)]
    pub(super) nodes: Vec<u64>,
    /// All sizes and variants, including long ones.
    #[arg(long, conflicts_with = "nodes")]
    pub(super) full: bool,
    /// Numbers of threads. Default: 1, and one per core.
    #[arg(long, value_name = "N,...", value_delimiter = ',', value_parser = threads)]
    pub(super) threads: Vec<u16>,
    /// Samples per row; minimum and median are printed.
    #[arg(long, value_name = "N", default_value_t = FEWEST_SAMPLES, value_parser = samples)]
    pub(super) samples: u64,
    /// Shorten each sample to the N-th part: for a quick test, not for measurements.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = shorten)]
    pub(super) shorten: u64,
    /// Rounds before the first sample, for rows with rounds. Random regular graphs need thousands to reach a steady
    /// state.
    #[arg(long, value_name = "N", default_value_t = WARM_UP, value_parser = rounds)]
    pub(super) warm_up: u64,
    /// The seed of all draws.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = seed)]
    pub(super) seed: u64,
    /// Memory limit per row, in MiB. Rows that need more are refused before anything is allocated.
    #[arg(long, value_name = "MIB", default_value_t = 8192, value_parser = mebibytes)]
    pub(super) memory: u64,
    /// Check in every round or wave that lock sets are disjoint. The times then include the check. (F4 always
    /// checks.)
    #[arg(long)]
    pub(super) check: bool,
    /// Print one line of JSON per row, with machine, commit, version and seed in each.
    #[arg(long)]
    pub(super) json: bool,
}

fn family(text: &str) -> Result<&'static str, String> {
    let known = FAMILIES.iter().map(|family| family.id);
    known
        .clone()
        .find(|id| id.eq_ignore_ascii_case(text))
        .ok_or_else(|| format!("one of {} is accepted", known.collect::<Vec<_>>().join(", ")))
}

/// Parses `1_000_000`, `1e6`, `6.7e7`, `10^6`: as in scenarios.
fn nodes(text: &str) -> Result<u64, String> {
    let text = text.replace('_', "");
    let power = |base: &str, exponent: &str| -> Option<u64> {
        base.parse::<u64>().ok()?.checked_pow(exponent.parse().ok()?)
    };
    let number = if let Some((base, exponent)) = text.split_once('^') {
        power(base, exponent)
    } else if let Some((factor, exponent)) = text.split_once(['e', 'E']) {
        // `6.7e7` is `67e6`.
        let (whole, decimals) = factor.split_once('.').unwrap_or((factor, ""));
        let exponent =
            exponent.parse::<usize>().ok().and_then(|exponent| exponent.checked_sub(decimals.len()));
        let factor = format!("{whole}{decimals}").parse::<u64>().ok();
        factor
            .zip(exponent)
            .and_then(|(factor, exponent)| factor.checked_mul(power("10", &exponent.to_string())?))
    } else {
        text.parse().ok()
    };
    number
        .filter(|&number| number > 0)
        .ok_or_else(|| "a whole number above 0 is accepted, such as 1_000_000, 1e6, 6.7e7 or 10^6".to_owned())
}

fn threads(text: &str) -> Result<u16, String> {
    whole(text, 1, MOST_THREADS.into()).map(|number| number as u16)
}

fn samples(text: &str) -> Result<u64, String> {
    whole(text, FEWEST_SAMPLES, MOST_SAMPLES)
}

fn shorten(text: &str) -> Result<u64, String> {
    whole(text, 1, 1_000_000)
}

fn rounds(text: &str) -> Result<u64, String> {
    whole(text, 0, 1_000_000_000)
}

fn mebibytes(text: &str) -> Result<u64, String> {
    // 2^40 MiB is more than 64 bits can address.
    whole(text, 1, 1 << 40)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_nodes() {
        for (text, expected) in [
            ("10000", 10_000),
            ("1_000", 1_000),
            ("1e6", 1_000_000),
            ("10^7", 10_000_000),
            ("3E2", 300),
            ("6.7e7", 67_000_000),
            ("1.5e3", 1500),
        ] {
            assert_eq!(nodes(text), Ok(expected), "{text}");
        }
        for text in ["0", "-1", "1e30", "10^99", "1.55e1", "1.5", "x", "", "e6", "1e"] {
            assert!(nodes(text).is_err(), "{text}");
        }
    }

    #[test]
    fn families_by_name() {
        for known in FAMILIES {
            assert_eq!(family(&known.id.to_lowercase()), Ok(known.id));
        }
        assert!(family("Z9").unwrap_err().contains("M1"));
        assert!(samples("4").is_err() && samples("5").is_ok());
    }
}
