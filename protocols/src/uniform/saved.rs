//! The byte format of saved runs: little-endian numbers in a fixed order, with a version at the start and a digest of
//! all preceding bytes at the end.

use std::fmt::{self, Write as _};
use std::hash::{Hash, Hasher as _};

use acrasin_process::RestoreError;
use acrasin_runtime::choice::{Decision, Seeded};
use acrasin_runtime::digest::{Digest, DigestWriter};

use super::draws::RandomDraws;
use super::meetings::LANES;

/// The kind of the saved state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum SavedKind {
    Population = 1,
    GraphPopulation = 2,
    Encounters = 3,
    Matched = 4,
    MatchedGraph = 5,
    Lazy = 6,
    Network = 7,
    Gillespie = 8,
    GraphVessel = 9,
    Tuples = 10,
}

const MAGIC: [u8; 7] = *b"acrasin";

/// The version of the layout; increased with every change.
const VERSION: u32 = 8;

/// The largest accepted counter of single steps, so that a continued run cannot overflow it. No run makes that many
/// steps.
const MAX_COUNTER: u64 = 1 << 62;

/// The number of bytes besides the content: magic, kind, version, plan, and the digest at the end.
const FRAME: usize = MAGIC.len() + 1 + 4 + 16 + 16;

/// The reason why a run cannot continue from saved bytes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SavedError(Flaw);

#[derive(Clone, PartialEq, Eq, Debug)]
enum Flaw {
    NotSaved,
    OtherKind,
    OtherVersion(u32),
    Damaged,
    OtherPlan,
    Impossible(&'static str),
}

impl fmt::Display for SavedError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Flaw::NotSaved => f.write_str("not a saved run (accepted: the bytes that `save` returned)"),
            Flaw::OtherKind => {
                f.write_str("a saved run of another kind (accepted: a run that the same type saved)")
            }
            Flaw::OtherVersion(version) => {
                write!(f, "a saved run of version {version} (accepted: {VERSION})")
            }
            Flaw::Damaged => f.write_str(
                "a saved run that was changed or truncated (accepted: all bytes that `save` returned)",
            ),
            Flaw::OtherPlan => f.write_str(
                "a saved run of another protocol or plan (accepted: a run of the same plan and seed)",
            ),
            Flaw::Impossible(what) => write!(f, "a saved run with impossible {what}"),
        }
    }
}

impl std::error::Error for SavedError {}

impl From<SavedError> for RestoreError {
    fn from(error: SavedError) -> Self {
        Self::Refused(error.to_string())
    }
}

impl SavedError {
    pub(crate) fn impossible(what: &'static str) -> Self {
        Self(Flaw::Impossible(what))
    }

    /// Returns an error that names the part `what`, unless `is_possible`.
    pub(crate) fn unless(is_possible: bool, what: &'static str) -> Result<(), Self> {
        if is_possible { Ok(()) } else { Err(Self::impossible(what)) }
    }
}

/// The digest of the plan of a run, from the hash of `hashed` and the `Debug` text of `shown`. The latter may contain
/// floating-point numbers.
pub(crate) fn plan_digest(hashed: &impl Hash, shown: &impl fmt::Debug) -> Digest {
    struct Text<'a>(&'a mut DigestWriter);
    impl fmt::Write for Text<'_> {
        fn write_str(&mut self, text: &str) -> fmt::Result {
            self.0.write(text.as_bytes());
            Ok(())
        }
    }
    Digest::written(|writer| {
        hashed.hash(writer);
        write!(Text(writer), "{shown:?}").expect("a digest takes any text");
    })
}

/// Writes a saved run, number by number.
pub(crate) struct Writer(Vec<u8>);

impl Writer {
    /// Starts the bytes of a saved run whose plan has this digest.
    pub(crate) fn new(kind: SavedKind, plan: Digest) -> Self {
        let mut writer = Self(MAGIC.to_vec());
        writer.byte(kind as u8);
        writer.0.extend(VERSION.to_le_bytes());
        writer.wide(plan.0);
        writer
    }

    pub(crate) fn byte(&mut self, value: u8) {
        self.0.push(value);
    }

    pub(crate) fn number(&mut self, value: u64) {
        self.0.extend(value.to_le_bytes());
    }

    pub(crate) fn wide(&mut self, value: u128) {
        self.0.extend(value.to_le_bytes());
    }

    /// Writes the bits of the number, so that every value is restored exactly.
    pub(crate) fn float(&mut self, value: f64) {
        self.number(value.to_bits());
    }

    pub(crate) fn option(&mut self, value: Option<u64>) {
        self.byte(value.is_some().into());
        self.number(value.unwrap_or(0));
    }

    pub(crate) fn numbers(&mut self, values: &[u64]) {
        self.number(values.len() as u64);
        values.iter().for_each(|&value| self.number(value));
    }

    /// Writes numbers below `bound`, with one, two or four bytes per number.
    pub(crate) fn indices(&mut self, bound: usize, indices: impl ExactSizeIterator<Item = u32>) {
        self.number(indices.len() as u64);
        match width(bound) {
            1 => self.0.extend(indices.map(|index| index as u8)),
            2 => self.0.extend(indices.flat_map(|index| (index as u16).to_le_bytes())),
            _ => self.0.extend(indices.flat_map(u32::to_le_bytes)),
        }
    }

    pub(crate) fn pairs(&mut self, pairs: impl ExactSizeIterator<Item = [u32; 2]>) {
        self.number(pairs.len() as u64);
        self.0.extend(pairs.flat_map(|pair| pair.map(u32::to_le_bytes)).flatten());
    }

    pub(crate) fn stream(&mut self, draws: &RandomDraws) {
        self.wide(draws.state());
    }

    pub(crate) fn lanes(&mut self, draws: &[RandomDraws; LANES]) {
        draws.iter().for_each(|draws| self.stream(draws));
    }

    pub(crate) fn choices(&mut self, choices: &Seeded) {
        choices.positions().into_iter().for_each(|position| self.wide(position));
    }

    pub(crate) fn finish(mut self) -> Vec<u8> {
        let digest = Digest::of(&self.0[..]);
        self.wide(digest.0);
        self.0
    }
}

/// The number of bytes per number below `bound`.
fn width(bound: usize) -> usize {
    match bound {
        0..=0x100 => 1,
        0x101..=0x1_0000 => 2,
        _ => 4,
    }
}

/// Reads what a [`Writer`] wrote.
pub(crate) struct SavedReader<'a>(&'a [u8]);

impl<'a> SavedReader<'a> {
    /// Checks saved bytes, which must be of this kind and plan, and starts reading.
    pub(crate) fn new(bytes: &'a [u8], kind: SavedKind, plan: Digest) -> Result<Self, SavedError> {
        if bytes.len() < FRAME || bytes[..MAGIC.len()] != MAGIC {
            return Err(SavedError(Flaw::NotSaved));
        }
        let (all, digest) = bytes.split_at(bytes.len() - 16);
        let mut reader = SavedReader(&all[MAGIC.len()..]);
        let found = reader.byte()?;
        let version = u32::from_le_bytes(reader.take()?);
        if version != VERSION {
            return Err(SavedError(Flaw::OtherVersion(version)));
        }
        if Digest::of(all).0.to_le_bytes() != *digest {
            return Err(SavedError(Flaw::Damaged));
        }
        if found != kind as u8 {
            return Err(SavedError(Flaw::OtherKind));
        }
        if reader.wide()? != plan.0 {
            return Err(SavedError(Flaw::OtherPlan));
        }
        Ok(reader)
    }

    fn take<const LENGTH: usize>(&mut self) -> Result<[u8; LENGTH], SavedError> {
        let (taken, rest) = self.0.split_first_chunk().ok_or(SavedError(Flaw::Damaged))?;
        self.0 = rest;
        Ok(*taken)
    }

    pub(crate) fn byte(&mut self) -> Result<u8, SavedError> {
        self.take::<1>().map(|[byte]| byte)
    }

    pub(crate) fn number(&mut self) -> Result<u64, SavedError> {
        self.take().map(u64::from_le_bytes)
    }

    /// Reads a Boolean, stored as one byte.
    pub(crate) fn flag(&mut self) -> Result<bool, SavedError> {
        let byte = self.byte()?;
        SavedError::unless(byte <= 1, "flags")?;
        Ok(byte == 1)
    }

    /// Reads a counter of single steps, at most [`MAX_COUNTER`].
    pub(crate) fn counter(&mut self) -> Result<u64, SavedError> {
        let counter = self.number()?;
        SavedError::unless(counter <= MAX_COUNTER, "counters")?;
        Ok(counter)
    }

    /// Reads a number below `bound`. Errors call it `what`.
    pub(crate) fn index(&mut self, bound: usize, what: &'static str) -> Result<usize, SavedError> {
        let index = self.number()?;
        SavedError::unless(index < bound as u64, what)?;
        Ok(index as usize)
    }

    /// Reads a number that is not NaN.
    pub(crate) fn float(&mut self) -> Result<f64, SavedError> {
        let value = f64::from_bits(self.number()?);
        SavedError::unless(!value.is_nan(), "times")?;
        Ok(value)
    }

    pub(crate) fn option(&mut self) -> Result<Option<u64>, SavedError> {
        let is_some = self.flag()?;
        let value = self.number()?;
        SavedError::unless(is_some || value == 0, "flags")?;
        Ok(is_some.then_some(value))
    }

    /// Reads the number of items that follow; each item takes `bytes` bytes.
    fn length(&mut self, bytes: usize) -> Result<usize, SavedError> {
        let length = self.number()?;
        let most = self.0.len() / bytes;
        usize::try_from(length).ok().filter(|&length| length <= most).ok_or(SavedError(Flaw::Damaged))
    }

    pub(crate) fn numbers(&mut self) -> Result<Vec<u64>, SavedError> {
        (0..self.length(8)?).map(|_| self.number()).collect()
    }

    /// Reads numbers below `bound`. Errors call them `what`.
    pub(crate) fn indices<T: TryFrom<u32>>(
        &mut self,
        bound: usize,
        what: &'static str,
    ) -> Result<Vec<T>, SavedError> {
        let width = width(bound);
        let length = self.length(width)?;
        let (taken, rest) = self.0.split_at(length * width);
        self.0 = rest;
        let index = |bytes: &[u8]| {
            let index = bytes.iter().rev().fold(0, |index, &byte| index << 8 | u32::from(byte));
            if (index as usize) < bound { T::try_from(index).ok() } else { None }
        };
        let indices: Option<Vec<T>> = taken.chunks_exact(width).map(index).collect();
        indices.ok_or(SavedError::impossible(what))
    }

    /// Reads a list of numbers of states, each below `states`.
    pub(crate) fn states(&mut self, states: usize) -> Result<Vec<u16>, SavedError> {
        self.indices(states, "states")
    }

    /// Reads pairs of distinct agents, which are numbered below `agents`.
    pub(crate) fn pairs(&mut self, agents: u64) -> Result<Vec<[u32; 2]>, SavedError> {
        let length = self.length(8)?;
        let mut pair = || {
            let pair = [u32::from_le_bytes(self.take()?), u32::from_le_bytes(self.take()?)];
            let is_sound = pair[0] != pair[1] && pair.iter().all(|&agent| u64::from(agent) < agents);
            if is_sound { Ok(pair) } else { Err(SavedError::impossible("pairs of agents")) }
        };
        (0..length).map(|_| pair()).collect()
    }

    pub(crate) fn wide(&mut self) -> Result<u128, SavedError> {
        self.take().map(u128::from_le_bytes)
    }

    pub(crate) fn stream(&mut self) -> Result<RandomDraws, SavedError> {
        let state = self.wide()?;
        RandomDraws::from_state(state).ok_or(SavedError::impossible("random streams"))
    }

    pub(crate) fn lanes(&mut self) -> Result<[RandomDraws; LANES], SavedError> {
        let lanes: Vec<RandomDraws> = (0..LANES).map(|_| self.stream()).collect::<Result<_, _>>()?;
        Ok(lanes.try_into().expect("as many as lanes"))
    }

    /// Moves the random choices, which must have the same seed, to their saved positions.
    pub(crate) fn choices(&mut self, choices: &mut Seeded) -> Result<(), SavedError> {
        let mut positions = [0; Decision::ALL.len()];
        for position in &mut positions {
            *position = self.wide()?;
        }
        choices.move_to(positions);
        Ok(())
    }

    /// Checks that all bytes have been read.
    pub(crate) fn finish(self) -> Result<(), SavedError> {
        if self.0.is_empty() { Ok(()) } else { Err(SavedError(Flaw::Damaged)) }
    }
}
