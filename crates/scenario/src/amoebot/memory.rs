//! Estimates of the memory of a run of amoebots, made before anything is allocated.

use acrasin_amoebot::algorithm::description::Description as _;
use acrasin_amoebot::library::entry::ChosenAlgorithm;
use acrasin_catalogue::counted;

use super::AmoebotDocument;
use super::scenario::{ExecutionKind, LocksSetting};
use crate::DocumentError;
use crate::memory::{readable, world_bytes};

/// The quantities that the memory of a run depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct AmoebotMemorySize {
    amoebots: u128,
    /// Cells of the object.
    object: u128,
    /// Bytes of an amoebot's memory, including the box that it may own.
    memory: u128,
    execution: ExecutionKind,
    /// Whether message-passing locks use an algorithm other than local mutual exclusion.
    is_carried: bool,
}

/// Bytes of an amoebot in any run, without its memory. They cover its cell as written or drawn, its frame, its entry in
/// the system, and the marks of enabled amoebots. The lattice allocates a square of 256 cells for every 16 amoebots, as
/// on a line. The record stores the cells and the configuration. The grids of chains take about the same.
const AMOEBOT_BYTES: u128 = 320;
/// Copies of an amoebot's memory: at the start, in the run, in the record, and in lists that grow by doubling.
const MEMORIES: u128 = 4;
/// Bytes of an amoebot in waves: claims, and the decisions of one wave.
const WAVES_BYTES: u128 = 240;
/// Bytes of an amoebot in tiles: marks, the awake amoebots of each tile, and the changes in the tiles of one window.
const TILES_BYTES: u128 = 120;
/// Bytes of an amoebot in rounds: pointers to the memories of its neighbours, and the previous system.
const ROUNDS_BYTES: u128 = 200;
/// Bytes of an amoebot in the concurrency framework: pointers to memories, the position in its action, its lock set.
const CONCURRENT_BYTES: u128 = 400;
/// Bytes of a cell of the object: during construction, in the start and in the system. Included are the tables that
/// store the layers around the object, which grow by doubling.
const OBJECT_BYTES: u128 = 500;
/// Additional bytes of a node under algorithms other than local mutual exclusion: queues, grants, figures of its
/// entries.
const CARRIED_BYTES: u128 = 512;
/// The maximum number of neighbours of a contracted amoebot, which is the degree of its node under message-passing
/// locks.
const NEIGHBOURS: u128 = 6;

impl AmoebotMemorySize {
    pub(super) fn of(
        algorithm: &ChosenAlgorithm,
        amoebots: usize,
        object: usize,
        (execution, is_carried): (ExecutionKind, bool),
    ) -> Self {
        let actions = algorithm.any().map_or(0, |description| description.facts().bytes_owned);
        // A run in synchronous rounds keeps one state. The check of the start builds another state, which is freed
        // before.
        let rounds = algorithm.synchronous().map_or(0, |description| description.bytes());
        let memory = actions + rounds.div_ceil(MEMORIES as usize);
        let (amoebots, object, memory) = (amoebots as u128, object as u128, memory as u128);
        Self { amoebots, object, memory, execution, is_carried }
    }

    /// An upper bound on the bytes of a run. The log is not included: it grows with the run and has its own limit.
    pub(super) fn bytes(&self) -> u128 {
        let execution = match self.execution {
            ExecutionKind::Sequential { .. } => 0,
            ExecutionKind::Waves => WAVES_BYTES + MEMORIES * self.memory,
            ExecutionKind::Tiles => TILES_BYTES + MEMORIES * self.memory,
            ExecutionKind::Rounds(_) => ROUNDS_BYTES,
            ExecutionKind::Concurrent { .. } => CONCURRENT_BYTES,
        };
        let below = match self.execution {
            ExecutionKind::Concurrent { locks: LocksSetting::Messages { .. } } => {
                let carried = if self.is_carried { CARRIED_BYTES } else { 0 };
                world_bytes(self.amoebots, self.amoebots.saturating_mul(NEIGHBOURS / 2))
                    .saturating_add(self.amoebots.saturating_mul(carried))
            }
            _ => 0,
        };
        self.amoebots
            .saturating_mul(AMOEBOT_BYTES + MEMORIES * self.memory + execution)
            .saturating_add(self.object.saturating_mul(OBJECT_BYTES))
            .saturating_add(below)
    }

    /// Refuses a run that takes more than `most` bytes.
    pub(super) fn check(&self, document: &AmoebotDocument, most: u64) -> Result<(), DocumentError> {
        let bytes = self.bytes();
        if bytes <= u128::from(most) {
            return Ok(());
        }
        let object = if self.object > 0 {
            format!(" and {}", counted(self.object, "object cell"))
        } else {
            String::new()
        };
        let message = format!("{} amoebots{object} need about {} of memory", self.amoebots, readable(bytes));
        Err(document.error("amoebots", message).accepting(format!(
            "amoebots that need at most {} (about {} each here)",
            readable(most.into()),
            readable(bytes / self.amoebots.max(1))
        )))
    }
}

#[cfg(test)]
mod tests {
    use acrasin_amoebot::library::hexagon;
    use acrasin_amoebot::run::execution::SequentialExecution;
    use acrasin_amoebot::run::parallel::Waves;
    use acrasin_amoebot::run::tiles::Tiles;
    use acrasin_amoebot::{Amoebot, Cell, Direction, Hexagon, start};

    use super::*;
    use crate::amoebot::scenario::{ConcurrencySetting, MessageScheduler};
    use crate::limits::MEMORY_BYTES;
    use crate::{Document, ScenarioFile};

    fn hexagons(amoebots: u128, execution: ExecutionKind) -> AmoebotMemorySize {
        AmoebotMemorySize {
            amoebots,
            object: 0,
            memory: size_of::<hexagon::Memory>() as u128 + 16,
            execution,
            is_carried: false,
        }
    }

    const MESSAGES: ExecutionKind = ExecutionKind::Concurrent {
        locks: LocksSetting::Messages { scheduler: MessageScheduler::Sequential },
    };

    #[test]
    fn exactly_the_limit_and_one_amoebot_more() {
        let text = "(amoebots: (algorithm: Hexagon, start: Line(count: 7)))";
        let Ok(ScenarioFile::Amoebots(document)) = ScenarioFile::parse(text, "m.ron", &[]) else {
            panic!("amoebots")
        };
        let document: &Document<_> = &document;
        for execution in [ExecutionKind::default(), ExecutionKind::Waves, MESSAGES] {
            let most = u128::from(MEMORY_BYTES) / hexagons(1, execution).bytes();
            assert!(hexagons(most, execution).check(document, MEMORY_BYTES).is_ok());
            let error = hexagons(most + 1, execution).check(document, MEMORY_BYTES).unwrap_err();
            assert_eq!((error.line(), error.accepted().is_some()), (Some(1), true), "{error}");
            assert!(error.message().contains("need about 16 GiB of memory"), "{error}");
        }
    }

    #[test]
    fn the_estimate_does_not_overflow() {
        let most = 10_u128.pow(36);
        for execution in [ExecutionKind::Rounds(ConcurrencySetting::Synchronous), MESSAGES] {
            assert!(AmoebotMemorySize { object: most, ..hexagons(most, execution) }.bytes() > most);
        }
    }

    /// Estimates are at least the sizes that runs report, including start and record, and not several times as large.
    #[test]
    fn runs_take_what_is_estimated() {
        const AMOEBOTS: usize = 20_000;
        for direction in Direction::ALL {
            let line = start::line(Cell::ORIGIN, direction, AMOEBOTS).unwrap();
            let system = || Hexagon::start(&line, 0, &[]).unwrap();
            let besides = AMOEBOTS * (size_of::<Amoebot<hexagon::Memory>>() + 2 * size_of::<Cell>());
            let run = SequentialExecution::new(&Hexagon, system()).bytes() + besides;
            let waves = Waves::new(&Hexagon, system(), 1).bytes() + besides;
            let tiles = Tiles::new(&Hexagon, system(), 1).bytes() + besides;
            let ways = [
                (run, ExecutionKind::default()),
                (waves, ExecutionKind::Waves),
                (tiles, ExecutionKind::Tiles),
            ];
            for (bytes, execution) in ways {
                let estimate = hexagons(AMOEBOTS as u128, execution).bytes();
                assert!((bytes as u128..4 * bytes as u128).contains(&estimate), "{bytes}: {estimate}");
            }
        }
    }
}
