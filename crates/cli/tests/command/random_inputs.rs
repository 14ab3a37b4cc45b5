//! Bounded random tests of every reader: changed files of the repository are accepted or refused, and nothing panics.
//!
//! `ACRASIN_INPUTS` is the number of inputs of each reader: 20 000 in `.ci/run`, 500 000 with `--deep`. A failure keeps
//! its input in a file, which becomes a file in `testdata/bad` and a line there.

#![allow(clippy::disallowed_types, reason = "the slowest inputs are printed")]

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use acrasin_process::CheckpointParts;

use crate::readers::{READERS, Reader};

/// The maximum length of an input.
const BYTES_MAX: usize = 6_000;

/// The time in which every input is read, on a machine that does much else.
const TIME_MAX: Duration = Duration::from_secs(5);

/// Pieces of text that readers treat in a special way.
const PIECES: [&str; 28] = [
    "-1",
    "0",
    "1",
    "65536",
    "4294967296",
    "18446744073709551616",
    "1e999",
    "-1e-999",
    "NaN",
    "\"",
    "'",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    ",",
    ":",
    "\n",
    "\r",
    "\t",
    "\u{0}",
    "\u{1b}[31m",
    "\u{202e}",
    "\u{feff}",
    "//",
    "r#\"",
];

/// Numbers drawn from a seed: splitmix64.
struct Draws(u64);

impl Draws {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut drawn = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        drawn = (drawn ^ (drawn >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((drawn ^ (drawn >> 31)) % bound.max(1) as u64) as usize
    }

    /// A range of at most 64 bytes.
    fn range(&mut self, length: usize) -> std::ops::Range<usize> {
        let start = self.below(length + 1);
        start..(start + self.below(64)).min(length)
    }
}

/// One of the files with up to six changes.
fn changed(files: &[Vec<u8>], draws: &mut Draws) -> Vec<u8> {
    let mut bytes = files[draws.below(files.len())].clone();
    for _ in 0..draws.below(7) {
        let length = bytes.len();
        match draws.below(7) {
            0 if length > 0 => bytes[draws.below(length)] ^= 1 << draws.below(8),
            1 if length > 0 => bytes[draws.below(length)] = draws.below(256) as u8,
            2 => drop(bytes.drain(draws.range(length))),
            3 => {
                let copied = bytes[draws.range(length)].to_vec();
                let at = draws.below(length + 1);
                drop(bytes.splice(at..at, copied));
            }
            4 => {
                let other = &files[draws.below(files.len())];
                let spliced = other[draws.range(other.len())].to_vec();
                drop(bytes.splice(draws.range(length), spliced));
            }
            5 => {
                let piece = PIECES[draws.below(PIECES.len())].bytes();
                let range = draws.range(length);
                let end = range.start + draws.below(4).min(range.len());
                drop(bytes.splice(range.start..end, piece));
            }
            _ => bytes.truncate(length - draws.below(length.min(200) + 1)),
        }
    }
    bytes.truncate(BYTES_MAX);
    bytes
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The files below these folders, each cut to the maximum length.
fn files(folders: &[&str]) -> Vec<Vec<u8>> {
    let mut paths = Vec::new();
    for folder in folders {
        let entries = fs::read_dir(root().join(folder)).unwrap_or_else(|error| panic!("{folder}: {error}"));
        paths.extend(entries.map(|entry| entry.expect("readable").path()).filter(|path| path.is_file()));
    }
    paths.sort();
    let read = |path: PathBuf| {
        let mut bytes = fs::read(path).expect("readable");
        bytes.truncate(BYTES_MAX);
        bytes
    };
    paths.into_iter().map(read).collect()
}

/// Inputs that are not files of the repository: an intact checkpoint, because the stored ones are damaged, and short
/// texts.
fn samples(name: &str) -> Vec<Vec<u8>> {
    let texts: &[&str] = match name {
        "checkpoints" => {
            let mut parts = CheckpointParts::default();
            parts.push("run", b"{}".to_vec());
            parts.push("driver", (0..200).collect());
            return vec![parts.to_bytes()];
        }
        "predicates" => &["A > B", "x - 2 y mod 3 = 1 and n > 2", "not (A = 0 or 3 B >= C + 4)"],
        "overrides" => &["Steps(5)", "Steps(\"10^4\")", "[Rounds(5), Silent]"],
        _ => &[],
    };
    texts.iter().map(|text| text.as_bytes().to_vec()).collect()
}

/// Gives changed files to a reader. Returns the number of accepted inputs and the longest time of one.
fn try_reader((name, folders, reader): Reader, inputs: usize) -> (usize, Duration) {
    let mut files = files(folders);
    files.extend(samples(name));
    assert!(files.len() >= 3, "{name}: {} files", files.len());
    let (mut accepted, mut longest) = (0, Duration::ZERO);
    for number in 0..inputs {
        let mut draws = Draws((number as u64) << 8 | name.len() as u64);
        let input = changed(&files, &mut draws);
        let begun = Instant::now();
        let read = catch_unwind(AssertUnwindSafe(|| reader(&input)));
        let took = begun.elapsed();
        if read.is_err() || took > TIME_MAX {
            let path = std::env::temp_dir().join(format!("acrasin-{}-{number}", name.replace(' ', "-")));
            fs::write(&path, &input).expect("a file for the input");
            panic!("{name}: input {number}, {took:?}, is kept in {}", path.display());
        }
        accepted += usize::from(read.is_ok_and(|is_accepted| is_accepted));
        longest = longest.max(took);
    }
    (accepted, longest)
}

#[test]
fn no_reader_panics() {
    let inputs = std::env::var("ACRASIN_INPUTS").ok().and_then(|inputs| inputs.parse().ok()).unwrap_or(500);
    let (next, results) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some(reader) = READERS.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let (accepted, longest) = try_reader(*reader, inputs);
                    results.lock().unwrap().push((reader.0, accepted, longest));
                }
            });
        }
    });
    println!("{:<28}{:>10}{:>10}{:>12}", "reader", "inputs", "accepted", "longest");
    let mut results = results.into_inner().unwrap();
    results.sort();
    for (name, accepted, longest) in &results {
        println!("{name:<28}{inputs:>10}{accepted:>10}{:>12}", format!("{longest:.1?}"));
        assert!((inputs / 20_000..inputs).contains(accepted), "{name}: {accepted} of {inputs} are accepted");
    }
    assert_eq!(results.len(), READERS.len());
}
