//! Every program runs to its end: their assertions hold.

use std::path::Path;
use std::process::Command;

const PROGRAMS: [(&str, &str); 5] = [
    ("00_exact_majority", env!("CARGO_BIN_EXE_00_exact_majority")),
    ("01_lock_unlock", env!("CARGO_BIN_EXE_01_lock_unlock")),
    ("02_your_own_protocol", env!("CARGO_BIN_EXE_02_your_own_protocol")),
    ("03_adversary", env!("CARGO_BIN_EXE_03_adversary")),
    ("04_your_own_scheduler", env!("CARGO_BIN_EXE_04_your_own_scheduler")),
];

#[test]
fn every_program_runs_and_repeats() {
    for (name, program) in PROGRAMS {
        let run = || Command::new(program).output().unwrap();
        let (first, second) = (run(), run());
        assert!(first.status.success(), "{name}: {}", String::from_utf8_lossy(&first.stderr));
        assert!(!first.stdout.is_empty(), "{name} says nothing");
        assert_eq!(first.stdout, second.stdout, "{name} does not repeat");
    }
}

#[test]
fn every_program_of_the_folder_is_run() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let sources = files.filter(|path| path.extension().is_some_and(|extension| extension == "rs"));
    let mut found: Vec<String> =
        sources.map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned()).collect();
    found.sort();
    assert_eq!(found, PROGRAMS.map(|(name, _)| name));
}
