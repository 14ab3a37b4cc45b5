//! A start from a configuration of a recorded run.

use acrasin_catalogue::counted;
use std::path::Path;
use std::sync::Arc;

use acrasin_amoebot::System;
use acrasin_amoebot::algorithm::Algorithm as _;
use acrasin_amoebot::algorithm::description::{AnyDescription, Description as _, Placement};
use acrasin_amoebot::algorithm::erased::AnyMemory;
use acrasin_amoebot::library::entry::ChosenAlgorithm;
use acrasin_amoebot::library::table::algorithm::TableAlgorithm;
use acrasin_verify::replay::{ReplayFile, StepReader, open};

use super::recording::RecordingLine;
use super::scenario::AmoebotStart;
use super::{AmoebotDocument, algorithm};
use crate::document::file::tree_of;
use crate::document::{DataFile, ScenarioFields};
use crate::text::path as path_of;
use crate::{Catalogue, Document, DocumentError};

/// The maximum length of a chain of recordings that start from recordings. The limit also ends the search if a
/// recording names itself.
const CHAIN_MAX: u8 = 16;

/// The amoebots after some actions of a recording.
#[derive(Clone, Debug)]
pub(super) struct RecordedMoment {
    pub(super) system: Arc<System<AnyMemory>>,
    pub(super) seed_position: usize,
}

/// The start configuration of a recorded run.
pub(super) struct RecordedStart {
    pub(super) placement: Placement,
    pub(super) seed_position: usize,
    /// Whether the recording has actions instead of checkpoints.
    pub(super) has_actions: bool,
}

/// Returns the [`RecordedStart`] of a scenario, drawn from a seed. Arguments: context, document, folder of relative
/// paths, seed.
pub(super) type FindStart<'f> =
    &'f dyn Fn(Making<'_>, &AmoebotDocument, &Path, u64) -> Result<RecordedStart, DocumentError>;

/// The context in which a plan is made: the catalogue, the memory limit in bytes, and the depth in a chain of
/// recordings.
#[derive(Clone, Copy)]
pub(super) struct Making<'a> {
    pub(super) catalogue: &'a Catalogue,
    pub(super) memory: u64,
    pub(super) depth: u8,
}

impl RecordedMoment {
    /// Replays the actions of the recording that the start names; `None` for other starts. Paths are relative to
    /// `base`.
    pub(super) fn of(
        document: &AmoebotDocument,
        base: &Path,
        (chosen, spelled): (&ChosenAlgorithm, &ScenarioFields),
        making: Making<'_>,
        find: FindStart<'_>,
    ) -> Result<Option<Self>, DocumentError> {
        let AmoebotStart::Recorded { path, actions } = &document.scenario().amoebots.start else {
            return Ok(None);
        };
        let path = base.join(path);
        let of_file = |message: String| {
            document.error("amoebots.start.path", message).accepting("a recording of `acrasin run --record`")
        };
        if making.depth >= CHAIN_MAX {
            return Err(of_file(format!(
                "a chain of more than {CHAIN_MAX} recordings, each of which starts from another"
            )));
        }
        let name = path.display().to_string();
        let reader = open(&path).map_err(|error| of_file(format!("{name}: {error}")))?;
        let file = ReplayFile::open(&name, reader).map_err(|error| of_file(error.to_string()))?;
        let header = file.header().clone();
        if header.check.is_some() {
            return Err(of_file(format!("{name}: this is a recording of `acrasin check`")));
        }
        let (source, root) = tree_of(&header.scenario, &format!("the scenario in {name}"), &[])?;
        if path_of::parse("amoebots").is_ok_and(|field| path_of::follow(&root, &field).1 == 0) {
            return Err(of_file(format!("{name}: a recording of a run without amoebots")));
        }
        let recorded: AmoebotDocument = Document::of_tree(source, root)?;
        let folder = &*recorded.base_of_recording(&path, &header);
        for DataFile { place, path: file, digest } in recorded.data_files(folder) {
            if header.files.get(place).is_some_and(|recorded| *recorded != digest) {
                let message = format!("{name}: the file {file} ({place}) has changed since the recording");
                return Err(document
                    .error("amoebots.start.path", message)
                    .accepting("the file as it was when the run was recorded, or a new recording"));
            }
        }
        let (other, other_spelled) = algorithm::chosen(&recorded, making.catalogue.amoebots(), folder)?;
        let table = |chosen: &ChosenAlgorithm| chosen.of::<TableAlgorithm>().cloned();
        let is_same = match (table(chosen), table(&other)) {
            (None, None) => *spelled == other_spelled,
            (one, another) => one == another,
        };
        if !is_same {
            let (here, there) = (chosen.title(), other.title());
            let message = format!(
                "{name}: a recording of {there}, whose algorithm or parameters differ from those of {here} in this scenario"
            );
            return Err(of_file(message));
        }
        if !recorded.scenario().faults.is_empty() {
            return Err(of_file(format!("{name}: recorded with faults, which a start cannot contain")));
        }
        let making = Making { depth: making.depth + 1, ..making };
        let RecordedStart { placement, seed_position, has_actions } =
            find(making, &recorded, folder, header.seed)?;
        if !has_actions {
            let message =
                format!("{name}: a recording of rounds or of a chain has checkpoints and no actions");
            return Err(of_file(message));
        }
        let mut lines = file.steps().map_err(|error| of_file(error.to_string()))?;
        let most = actions.map_or(u64::MAX, |actions| *actions);
        let reached = match other.any() {
            Some(subject) => reached(&subject, &placement, &mut lines, most),
            None => Err("a Markov chain has no actions".to_owned()),
        };
        let (system, done) = reached.map_err(of_file)?;
        if let Some(actions) = actions.filter(|actions| **actions > done) {
            let message = format!(
                "{name}: there is no configuration after {} in a recording of {}",
                counted(*actions, "action"),
                counted(done, "action")
            );
            return Err(document
                .error("amoebots.start.actions", message)
                .accepting(format!("0 to {done}, or no number for its end")));
        }
        Ok(Some(Self { system: Arc::new(system), seed_position }))
    }
}

/// Replays at most this many actions. Returns the system and the number of replayed actions. If all actions are
/// replayed, the system is compared with the recorded end.
fn reached(
    subject: &AnyDescription<'_>,
    placement: &Placement,
    lines: &mut StepReader<'_, RecordingLine>,
    most: u64,
) -> Result<(System<AnyMemory>, u64), String> {
    let actions = subject.algorithm().actions().iter();
    let labels: Vec<String> = actions.map(|action| format!("{action:?}")).collect();
    let mut system = subject.begin(placement)?;
    let mut done = 0;
    while done < most {
        let Some(line) = lines.next() else { break };
        let line = line.map_err(|error| error.to_string())?;
        let label = line.label().to_owned();
        let at = |what: String| format!("{}: {label}: {what}", lines.place());
        let Some(completed) = line.completed(&labels) else {
            return Err(at(format!("no such action (accepted: {})", labels.join(", "))));
        };
        let again = completed.replay(done as usize, subject.algorithm(), &mut system);
        again.map_err(|error| at(error.to_string()))?;
        done += 1;
    }
    // Reads the end, if the last action is the moment asked for.
    if lines.end().is_none() && done == most {
        lines.next().transpose().map_err(|error| error.to_string())?;
    }
    let digest = system.digest();
    match lines.end() {
        Some(end) if end.digest != digest => {
            let what = format!(
                "the actions lead to another configuration: digest {digest}, recorded {}",
                end.digest
            );
            Err(lines.error(what).to_string())
        }
        _ => Ok((system, done)),
    }
}
