//! The command `acrasin` on the ranks of an MPI job: `mpirun -n 4 acrasin-mpi sweep ...`.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;
use std::sync::Arc;

use acrasin_distributed::{MpiRanks, abort};
use acrasin_process::Ranks;
use acrasin_scenario::Catalogue;

/// The exit code of a program that panics, as the standard library sets it.
const PANICKED: u8 = 101;

fn main() -> ExitCode {
    let (ranks, universe) = match MpiRanks::start() {
        Ok(started) => started,
        Err(error) => {
            eprintln!("error: {error}");
            return ExitCode::FAILURE;
        }
    };
    let ranks: Arc<dyn Ranks> = Arc::new(ranks);
    let run = || acrasin_cli::main_over_ranks(&Catalogue::shipped(), &ranks);
    // The end of MPI waits for all ranks, some of which wait for this one.
    let Ok(code) = catch_unwind(AssertUnwindSafe(run)) else { abort(PANICKED) };
    drop(universe);
    code
}
