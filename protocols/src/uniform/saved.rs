//! The byte format of saved runs: numbers in a fixed order, little-endian, with a version and a digest of everything
//! before.

use std::fmt;

use acrasin_runtime::digest::Digest;

use super::draws::RandomDraws;
use super::meetings::LANES;
use super::rules::TransitionRules;

/// The kind of the saved state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum SavedKind {
    Population = 1,
    GraphPopulation = 2,
}

const MAGIC: [u8; 7] = *b"acrasin";

/// The version of the layout; increased with every change.
const VERSION: u32 = 7;

/// Kind, version, table, and the digest at the end.
const FRAME: usize = MAGIC.len() + 1 + 4 + 16 + 16;

/// The fault of bytes from which a run cannot continue.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SavedError(Flaw);

#[derive(Clone, PartialEq, Eq, Debug)]
enum Flaw {
    NotSaved,
    OtherKind,
    OtherVersion(u32),
    Damaged,
    OtherTable,
    Impossible(&'static str),
}

impl fmt::Display for SavedError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Flaw::NotSaved => f.write_str("not a saved population (accepted: what `save` gave)"),
            Flaw::OtherKind => f.write_str(
                "a saved population of another kind (accepted: one that a population of this type saved)",
            ),
            Flaw::OtherVersion(version) => {
                write!(f, "a saved population of version {version} (accepted: {VERSION})")
            }
            Flaw::Damaged => {
                f.write_str("a saved population that was changed or cut since (accepted: all bytes)")
            }
            Flaw::OtherTable => f.write_str(
                "a saved population of another protocol (accepted: the table that it was saved with)",
            ),
            Flaw::Impossible(what) => write!(f, "a saved population with impossible {what}"),
        }
    }
}

impl std::error::Error for SavedError {}

impl SavedError {
    pub(super) fn impossible(what: &'static str) -> Self {
        Self(Flaw::Impossible(what))
    }
}

/// Writes numbers one after the other.
pub(super) struct Writer(Vec<u8>);

impl Writer {
    pub(super) fn new(kind: SavedKind, rules: &TransitionRules) -> Self {
        let mut writer = Self(MAGIC.to_vec());
        writer.byte(kind as u8);
        writer.0.extend(VERSION.to_le_bytes());
        writer.wide(rules.digest().0);
        writer
    }

    pub(super) fn byte(&mut self, value: u8) {
        self.0.push(value);
    }

    pub(super) fn number(&mut self, value: u64) {
        self.0.extend(value.to_le_bytes());
    }

    pub(super) fn wide(&mut self, value: u128) {
        self.0.extend(value.to_le_bytes());
    }

    pub(super) fn option(&mut self, value: Option<u64>) {
        self.byte(value.is_some().into());
        self.number(value.unwrap_or(0));
    }

    pub(super) fn numbers(&mut self, values: &[u64]) {
        self.number(values.len() as u64);
        values.iter().for_each(|&value| self.number(value));
    }

    /// Writes states, as one byte each if `states` of them fit.
    pub(super) fn states(&mut self, states: usize, of_agents: impl ExactSizeIterator<Item = u16>) {
        self.number(of_agents.len() as u64);
        for state in of_agents {
            match u8::try_from(state) {
                Ok(state) if states <= 256 => self.byte(state),
                _ => self.0.extend(state.to_le_bytes()),
            }
        }
    }

    pub(super) fn pairs(&mut self, pairs: &[[u32; 2]]) {
        self.number(pairs.len() as u64);
        for agent in pairs.as_flattened() {
            self.0.extend(agent.to_le_bytes());
        }
    }

    pub(super) fn stream(&mut self, draws: &RandomDraws) {
        self.wide(draws.state());
    }

    pub(super) fn lanes(&mut self, draws: &[RandomDraws; LANES]) {
        draws.iter().for_each(|draws| self.stream(draws));
    }

    pub(super) fn finish(mut self) -> Vec<u8> {
        let digest = Digest::of(&self.0[..]);
        self.wide(digest.0);
        self.0
    }
}

/// Reads what a [`Writer`] wrote.
pub(super) struct SavedReader<'a>(&'a [u8]);

impl<'a> SavedReader<'a> {
    /// Opens saved bytes of this kind and with these rules, after checking them.
    pub(super) fn new(bytes: &'a [u8], kind: SavedKind, rules: &TransitionRules) -> Result<Self, SavedError> {
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
        if u128::from_le_bytes(reader.take()?) != rules.digest().0 {
            return Err(SavedError(Flaw::OtherTable));
        }
        Ok(reader)
    }

    fn take<const LENGTH: usize>(&mut self) -> Result<[u8; LENGTH], SavedError> {
        let (taken, rest) = self.0.split_first_chunk().ok_or(SavedError(Flaw::Damaged))?;
        self.0 = rest;
        Ok(*taken)
    }

    pub(super) fn byte(&mut self) -> Result<u8, SavedError> {
        self.take::<1>().map(|[byte]| byte)
    }

    pub(super) fn number(&mut self) -> Result<u64, SavedError> {
        self.take().map(u64::from_le_bytes)
    }

    pub(super) fn option(&mut self) -> Result<Option<u64>, SavedError> {
        let is_some = self.byte()? != 0;
        let value = self.number()?;
        Ok(is_some.then_some(value))
    }

    /// The number of items of `bytes` bytes each.
    fn length(&mut self, bytes: usize) -> Result<usize, SavedError> {
        let length = self.number()?;
        let most = self.0.len() / bytes;
        usize::try_from(length).ok().filter(|&length| length <= most).ok_or(SavedError(Flaw::Damaged))
    }

    pub(super) fn numbers(&mut self) -> Result<Vec<u64>, SavedError> {
        (0..self.length(8)?).map(|_| self.number()).collect()
    }

    /// Reads states below `states`.
    pub(super) fn states(&mut self, states: usize) -> Result<Vec<u16>, SavedError> {
        let length = self.length(if states <= 256 { 1 } else { 2 })?;
        let mut state = || {
            let state = if states <= 256 { self.byte()?.into() } else { u16::from_le_bytes(self.take()?) };
            if usize::from(state) < states { Ok(state) } else { Err(SavedError::impossible("states")) }
        };
        (0..length).map(|_| state()).collect()
    }

    /// Reads pairs of distinct agents out of `agents`.
    pub(super) fn pairs(&mut self, agents: u64) -> Result<Vec<[u32; 2]>, SavedError> {
        let length = self.length(8)?;
        let mut pair = || {
            let pair = [u32::from_le_bytes(self.take()?), u32::from_le_bytes(self.take()?)];
            let is_sound = pair[0] != pair[1] && pair.iter().all(|&agent| u64::from(agent) < agents);
            if is_sound { Ok(pair) } else { Err(SavedError::impossible("pairs of agents")) }
        };
        (0..length).map(|_| pair()).collect()
    }

    pub(super) fn wide(&mut self) -> Result<u128, SavedError> {
        self.take().map(u128::from_le_bytes)
    }

    pub(super) fn stream(&mut self) -> Result<RandomDraws, SavedError> {
        let state = u128::from_le_bytes(self.take()?);
        RandomDraws::from_state(state).ok_or(SavedError::impossible("random streams"))
    }

    pub(super) fn lanes(&mut self) -> Result<[RandomDraws; LANES], SavedError> {
        let lanes: Vec<RandomDraws> = (0..LANES).map(|_| self.stream()).collect::<Result<_, _>>()?;
        Ok(lanes.try_into().expect("as many as lanes"))
    }

    /// Checks that everything is read.
    pub(super) fn finish(self) -> Result<(), SavedError> {
        if self.0.is_empty() { Ok(()) } else { Err(SavedError(Flaw::Damaged)) }
    }
}
