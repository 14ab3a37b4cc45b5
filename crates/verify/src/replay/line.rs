//! The first and last line of a replay, and the line at which a cycle begins.

use std::collections::BTreeMap;

use acrasin_process::Ending;
use acrasin_runtime::exclusion::Exclusion;
use acrasin_runtime::{CriticalSection, Digest, World};
use serde::{Deserialize, Serialize};

/// The version of the format of replays.
const FORMAT: u32 = 1;

/// The first line of a replay: the recorded scenario.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Header {
    /// The version of the program that wrote the file.
    pub version: String,
    /// The seed of the run.
    pub seed: u64,
    /// The text of the scenario.
    pub scenario: String,
    /// A note for people who read the file.
    pub note: Option<String>,
    /// The digests of the files that the scenario names, computed when the run was recorded, by the path of the file in
    /// the scenario.
    pub files: BTreeMap<String, String>,
    /// The folder to which these paths are relative, if it differs from the folder of the recording.
    pub folder: Option<String>,
    /// The algorithm and its rules; `None` for local mutual exclusion and runs without locks.
    pub algorithm: Option<String>,
    /// The index of the check's start from which this run was found, from 0; `None` if no check found it.
    pub check: Option<u64>,
}

impl Header {
    /// A header with this program's version and no optional fields.
    #[must_use]
    pub fn new(seed: u64, scenario: impl Into<String>) -> Self {
        let version = env!("CARGO_PKG_VERSION").to_owned();
        Self {
            version,
            seed,
            scenario: scenario.into(),
            note: None,
            files: BTreeMap::new(),
            folder: None,
            algorithm: None,
            check: None,
        }
    }

    /// Sets the note.
    #[must_use]
    pub fn with_note(self, note: impl Into<String>) -> Self {
        Self { note: Some(note.into()), ..self }
    }

    /// Sets the files that the scenario names, with their digests.
    #[must_use]
    pub fn with_files(self, files: impl IntoIterator<Item = (String, String)>) -> Self {
        Self { files: files.into_iter().collect(), ..self }
    }

    /// Sets the folder to which paths of files are relative.
    #[must_use]
    pub fn with_folder(self, folder: Option<String>) -> Self {
        Self { folder, ..self }
    }

    /// Marks the run as found by a check from this start.
    #[must_use]
    pub fn with_check(self, start: u64) -> Self {
        Self { check: Some(start), ..self }
    }

    pub(super) fn to_json(&self) -> String {
        let Self { version, seed, scenario, note, files, folder, algorithm, check } = self.clone();
        let acrasin = "replay".to_owned();
        let format = FORMAT;
        let text =
            HeaderText { acrasin, format, version, seed, algorithm, scenario, files, folder, note, check };
        serde_json::to_string(&text).expect("strings and numbers have a JSON form")
    }
}

/// The first line of any file of this program, which names the kind of file.
#[derive(Deserialize)]
pub(super) struct OtherFile {
    pub(super) acrasin: String,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct HeaderText {
    acrasin: String,
    format: u32,
    version: String,
    seed: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    algorithm: Option<String>,
    scenario: String,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    files: BTreeMap<String, String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    folder: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    note: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    check: Option<u64>,
}

impl HeaderText {
    pub(super) fn check(self) -> Result<Header, String> {
        let Self { format, version, seed, algorithm, scenario, files, folder, note, check, .. } = self;
        if format != FORMAT {
            return Err(format!("the field format is {format}: {FORMAT} is accepted"));
        }
        Ok(Header { version, seed, scenario, note, files, folder, algorithm, check })
    }
}

/// The last line of a replay: how the run ended.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct ReplayEnd {
    /// The number of steps in the file.
    pub steps: u64,
    /// The digest of the configuration after the last step.
    pub digest: Digest,
    /// The ending of the run as text.
    pub outcome: String,
    /// The ending as a value; `None` in files of versions that wrote only text.
    pub ending: Option<Ending>,
    /// The broken promise of the lock layer, if any.
    pub violation: Option<String>,
}

impl ReplayEnd {
    /// The end of a run, with the steps, digest and violation of its world.
    #[must_use]
    pub fn of<E: Exclusion, S: CriticalSection>(world: &World<E, S>, outcome: impl Into<String>) -> Self {
        Self {
            steps: world.steps(),
            digest: world.digest(),
            outcome: outcome.into(),
            ending: None,
            violation: world.violation().map(ToString::to_string),
        }
    }

    /// The end of a run that has no world, such as a run of amoebots.
    #[must_use]
    pub fn new(steps: u64, digest: Digest, outcome: impl Into<String>) -> Self {
        Self { steps, digest, outcome: outcome.into(), ending: None, violation: None }
    }

    /// Sets the ending as a value.
    #[must_use]
    pub fn with_ending(self, ending: Ending) -> Self {
        Self { ending: Some(ending), ..self }
    }

    /// The ending, if known. It is parsed from the text `outcome` if the file has no value `ending`, or if the text was
    /// edited.
    #[must_use]
    pub fn recorded_ending(&self) -> Option<Ending> {
        match &self.ending {
            Some(ending) if self.outcome.contains(&ending.to_string()) => Some(ending.clone()),
            _ => self.ending_in_words(),
        }
    }

    /// The ending that can be parsed from the text alone: a dead configuration, a broken promise, or `name:
    /// description` for a broken property.
    fn ending_in_words(&self) -> Option<Ending> {
        if self.violation.is_some() {
            return Some(Ending::Violated(self.outcome.clone()));
        }
        let dead = [Ending::Deadlock, Ending::LeftWaiting];
        dead.into_iter().find(|ending| ending.to_string() == self.outcome).or_else(|| {
            let (property, what) = self.outcome.split_once(": ")?;
            Some(Ending::Failed { property: property.to_owned(), what: what.to_owned() })
        })
    }

    pub(super) fn to_json(&self) -> String {
        // A value implied by the text is left out, so that counterexamples have the same bytes in every version.
        let is_in_words = self.ending.as_ref().is_some_and(|ending| {
            let is_failure =
                matches!(ending, Ending::Violated(_) | Ending::Failed { .. }) || ending.is_at_rest();
            is_failure && ending.to_string() == self.outcome
        });
        let Self { steps, digest, outcome, ending, violation } = self.clone();
        let ending = ending.filter(|_| !is_in_words);
        let end = EndText { steps, digest: digest.to_string(), outcome, ending, violation };
        serde_json::to_string(&EndLine { end }).expect("strings and numbers have a JSON form")
    }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct EndLine {
    end: EndText,
}

/// A line between two steps, which marks that the steps after it form a cycle on which a node waits.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RoundLine {
    pub(super) round: RoundText,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RoundText {
    pub(super) waits: u32,
}

impl RoundLine {
    pub(super) fn to_json(waits: u32) -> String {
        let line = Self { round: RoundText { waits } };
        serde_json::to_string(&line).expect("a number has a JSON form")
    }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct EndText {
    steps: u64,
    digest: String,
    outcome: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    ending: Option<Ending>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    violation: Option<String>,
}

impl EndLine {
    pub(super) fn check(self) -> Result<ReplayEnd, String> {
        let EndText { steps, digest, outcome, ending, violation } = self.end;
        let is_digest = digest.len() == 32 && digest.bytes().all(|byte| byte.is_ascii_hexdigit());
        let parsed = u128::from_str_radix(&digest, 16).ok().filter(|_| is_digest);
        let digest = parsed.ok_or_else(|| format!("the digest {digest:?} is not 32 hexadecimal digits"))?;
        Ok(ReplayEnd { steps, digest: Digest(digest), outcome, ending, violation })
    }
}
