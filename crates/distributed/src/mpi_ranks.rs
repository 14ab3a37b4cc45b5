//! [`MpiRanks`]: the processes of an MPI job.

use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};

use acrasin_process::Ranks;
use mpi::Threading;
use mpi::environment::Universe;
use mpi::point_to_point::{Destination as _, MatchedReceiveVec as _, Source as _};
use mpi::topology::{Communicator as _, SimpleCommunicator};

/// The tag of mail.
const MAIL: i32 = 1;
/// The tag of exchanges.
const EXCHANGE: i32 = 2;

/// Mail of rank 0 up to this size is copied, so that sending it never waits for the receiver.
const COPIED_BYTES: usize = 4096;

/// The room for mail of rank 0 that has not left, for each rank. A sweep sends a rank at most three without an answer.
const ROOM_OF_RANK: usize = 4 * (COPIED_BYTES + 512);

/// The MPI library cannot be used.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MpiError(String);

impl fmt::Display for MpiError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for MpiError {}

/// All processes of an MPI job. Calls from several threads take turns.
///
/// If a process of the job ends early, `mpirun` ends the others.
#[derive(Debug)]
pub struct MpiRanks {
    turn: Mutex<()>,
    rank: usize,
    count: usize,
}

impl MpiRanks {
    /// Starts MPI. It ends when the second value is dropped, on every rank: until then that waits for the others.
    ///
    /// # Errors
    ///
    /// MPI was started before in this process, or does not support several threads.
    pub fn start() -> Result<(Self, Universe), MpiError> {
        let started = mpi::initialize_with_threading(Threading::Serialized);
        let (mut universe, threading) =
            started.ok_or_else(|| MpiError("MPI was started before in this process".to_owned()))?;
        if threading < Threading::Serialized {
            return Err(MpiError("this MPI library does not support several threads".to_owned()));
        }
        let world = universe.world();
        let [rank, count] = [world.rank(), world.size()]
            .map(|number| usize::try_from(number).expect("ranks and their number are not negative"));
        if rank == 0 {
            universe.set_buffer_size(ROOM_OF_RANK * count);
        }
        Ok((Self { turn: Mutex::default(), rank, count }, universe))
    }

    fn turn(&self) -> MutexGuard<'_, ()> {
        self.turn.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Ends all processes of the job now, this one with exit code `code`.
pub fn abort(code: u8) -> ! {
    SimpleCommunicator::world().abort(code.into())
}

fn number(rank: usize) -> i32 {
    i32::try_from(rank).expect("MPI numbers ranks with 32 bits")
}

impl Ranks for MpiRanks {
    fn rank(&self) -> usize {
        self.rank
    }

    fn count(&self) -> usize {
        self.count
    }

    fn send(&self, to: usize, message: &[u8]) {
        let _turn = self.turn();
        let world = SimpleCommunicator::world();
        let to = world.process_at_rank(number(to));
        if self.rank == 0 && message.len() <= COPIED_BYTES {
            to.buffered_send_with_tag(message, MAIL);
        } else {
            to.send_with_tag(message, MAIL);
        }
    }

    fn receive(&self) -> Option<(usize, Vec<u8>)> {
        let _turn = self.turn();
        let arrived = SimpleCommunicator::world().any_process().immediate_matched_probe_with_tag(MAIL)?;
        let (message, status) = arrived.matched_receive_vec::<u8>();
        Some((usize::try_from(status.source_rank()).expect("a rank"), message))
    }

    fn exchange(&self, messages: &[(usize, Vec<u8>)], from: &[usize]) -> Vec<Vec<u8>> {
        let _turn = self.turn();
        let world = SimpleCommunicator::world();
        mpi::request::scope(|scope| {
            let sends: Vec<_> = messages
                .iter()
                .map(|(to, message)| {
                    let to = world.process_at_rank(number(*to));
                    to.immediate_send_with_tag(scope, &message[..], EXCHANGE)
                })
                .collect();
            let receive = |&rank: &usize| {
                let from = world.process_at_rank(number(rank));
                from.matched_probe_with_tag(EXCHANGE).matched_receive_vec::<u8>().0
            };
            let received = from.iter().map(receive).collect();
            for send in sends {
                send.wait();
            }
            received
        })
    }
}
