//! Checkpoints of a run: the state of its process, and the state of its driver.

use acrasin_process::{CheckpointParts, Progress};
use acrasin_runtime::Pack as _;

use super::proceed::Proceed;

/// The name of the part with the state of the driver.
const DRIVER: &str = "driver";

/// The name of the part with the state of the process.
const PROCESS: &str = "process";

/// The name of the part with the states from which the pictures of intermediate moments are drawn. Absent if there are
/// none.
const PICTURES: &str = "pictures";

/// The saved state of a run. A run of the same plan and seed that resumes from it has the same steps, samples and
/// ending.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RunState {
    driver: Vec<u8>,
    process: Vec<u8>,
    pictures: Vec<u8>,
}

impl RunState {
    pub(super) fn new(driver: &[u64], process: Vec<u8>) -> Self {
        let driver = driver.iter().flat_map(|number| number.to_le_bytes()).collect();
        Self { driver, process, pictures: Vec::new() }
    }

    pub(super) fn with_pictures(mut self, pictures: &[SavedPicture]) -> Self {
        for SavedPicture { is_drawn, bytes } in pictures {
            is_drawn.pack(&mut self.pictures);
            (bytes.len() as u64).pack(&mut self.pictures);
            self.pictures.extend(bytes);
        }
        self
    }

    /// Takes the state of a run out of a checkpoint; `None` if the checkpoint does not contain it.
    #[must_use]
    pub fn from_parts(parts: &mut CheckpointParts) -> Option<Self> {
        let pictures = parts.take(PICTURES).unwrap_or_default();
        Some(Self { driver: parts.take(DRIVER)?, process: parts.take(PROCESS)?, pictures })
    }

    /// Adds the state of the run to a checkpoint.
    pub fn add_to(self, parts: &mut CheckpointParts) {
        parts.push(DRIVER, self.driver);
        parts.push(PROCESS, self.process);
        if !self.pictures.is_empty() {
            parts.push(PICTURES, self.pictures);
        }
    }

    pub(super) fn process(&self) -> &[u8] {
        &self.process
    }

    /// The saved pictures of intermediate moments; `None` if the bytes are malformed.
    pub(super) fn pictures(&self) -> Option<Vec<SavedPicture>> {
        let (mut pictures, mut rest) = (Vec::new(), &self.pictures[..]);
        while !rest.is_empty() {
            let (is_drawn, length) = (bool::unpack(&mut rest).ok()?, u64::unpack(&mut rest).ok()?);
            let (bytes, later) = rest.split_at_checked(usize::try_from(length).ok()?)?;
            pictures.push(SavedPicture { is_drawn, bytes: bytes.to_vec() });
            rest = later;
        }
        Some(pictures)
    }

    /// The numbers of the driver; `None` if they are not whole numbers of 64 bits.
    pub(super) fn driver(&self) -> Option<Vec<u64>> {
        let (numbers, rest) = self.driver.as_chunks();
        rest.is_empty().then(|| numbers.iter().copied().map(u64::from_le_bytes).collect())
    }
}

/// A picture of an intermediate moment, as stored in checkpoints: the state of the process at that moment. The picture
/// is drawn again from this state, which takes fewer bytes.
#[derive(Debug)]
pub(super) struct SavedPicture {
    pub(super) is_drawn: bool,
    /// The state of the process, or the reason why nothing is drawn.
    pub(super) bytes: Vec<u8>,
}

/// Stores checkpoints of a run, and provides the one from which the run continues.
pub trait CheckpointKeeper: Sync {
    /// The state from which the run continues; `None` for a new run.
    fn resumed(&self) -> Option<&RunState>;

    /// Whether a checkpoint is due. Called before the first turn and between turns, with the answer of the run control.
    fn is_due(&self, proceed: Proceed) -> bool;

    /// For a run that continues from a checkpoint, the number of steps that its recording has up to the checkpoint.
    fn recorded_steps(&self) -> u64 {
        0
    }

    /// Stores a checkpoint. If this fails, the run control should end the run.
    fn keep(&self, progress: &Progress, state: RunState);
}

/// Reads the numbers that a driver saved, one after the other.
pub(crate) struct SavedNumbers<'a>(&'a [u64]);

impl<'a> SavedNumbers<'a> {
    pub(super) fn new(numbers: &'a [u64]) -> Self {
        Self(numbers)
    }

    /// The next saved number; `None` at the end.
    pub(crate) fn number(&mut self) -> Option<u64> {
        let (&number, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(number)
    }

    /// The next number that may be absent, as [`push_option`] writes it.
    pub(crate) fn option(&mut self) -> Option<Option<u64>> {
        let (is_there, number) = (self.number()?, self.number()?);
        Some((is_there == 1).then_some(number))
    }

    /// The next numbers, as [`push_numbers`] writes them.
    pub(crate) fn numbers(&mut self) -> Option<&'a [u64]> {
        let length = usize::try_from(self.number()?).ok()?;
        let (numbers, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(numbers)
    }

    /// Whether all numbers have been read.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// Writes a number that may be absent.
pub(crate) fn push_option(into: &mut Vec<u64>, number: Option<u64>) {
    into.extend([u64::from(number.is_some()), number.unwrap_or(0)]);
}

/// Writes numbers after their count.
pub(crate) fn push_numbers(into: &mut Vec<u64>, numbers: &[u64]) {
    into.push(numbers.len() as u64);
    into.extend(numbers);
}
