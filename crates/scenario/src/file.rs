//! Scenario files of any kind.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use acrasin_verify::replay::Header;

use crate::amoebot::{AmoebotDocument, AmoebotPlan};
use crate::input_file::{FileKind, InputFile};
use crate::misspelt::before_missing;
use crate::plan::{LazyPlan, Plan, UniformPlan};
use crate::reactions::{ReactionDocument, ReactionPlan};
use crate::text::source::EffectiveText;
use crate::text::tree::SpannedNode;
use crate::{Catalogue, DataFile, Document, DocumentError, Runnable};

impl InputFile {
    /// The scenario in the file.
    ///
    /// # Errors
    ///
    /// The text is not a valid scenario of the kind that its fields indicate.
    pub fn scenario(self) -> Result<ScenarioFile, DocumentError> {
        let kind = self.kind();
        let Self { source, root, .. } = self;
        // Names that a program has added are not known here. A name that is similar to a built-in one is therefore only
        // reported instead of an error about a missing field.
        let refused = |error: DocumentError, source: &EffectiveText, root: &SpannedNode| {
            before_missing(error, source, root, &Catalogue::shipped())
        };
        match kind {
            FileKind::Amoebots => Document::of_tree_or(source, root, refused)
                .map(|document| ScenarioFile::Amoebots(Box::new(document))),
            FileKind::Reactions => Document::of_tree_or(source, root, refused)
                .map(|document| ScenarioFile::Reactions(Box::new(document))),
            FileKind::Population | FileKind::Protocol => Document::of_population_or(source, root, refused)
                .map(|document| ScenarioFile::Population(Box::new(document))),
        }
    }
}

/// Evaluates an expression on the document of any kind of scenario.
macro_rules! of_any_kind {
    ($file:expr, $document:ident => $value:expr) => {
        match $file {
            ScenarioFile::Population($document) => $value,
            ScenarioFile::Amoebots($document) => $value,
            ScenarioFile::Reactions($document) => $value,
        }
    };
}

/// A scenario of any kind.
#[derive(Debug, Clone)]
pub enum ScenarioFile {
    /// A scenario of population protocols and locks.
    Population(Box<Document>),
    /// A scenario of amoebots.
    Amoebots(Box<AmoebotDocument>),
    /// A scenario of reactions.
    Reactions(Box<ReactionDocument>),
}

impl ScenarioFile {
    /// Reads a scenario of any kind from a file, with overrides applied in order.
    ///
    /// # Errors
    ///
    /// As for [`Document::read`].
    pub fn read(path: &Path, sets: &[(String, String)]) -> Result<Self, DocumentError> {
        InputFile::read(path, sets)?.scenario()
    }

    /// Parses a text with overrides; `name` is the file name in errors.
    ///
    /// # Errors
    ///
    /// As for [`Document::parse_with`], with the fields of the kind of scenario that the text indicates.
    pub fn parse(text: &str, name: &str, sets: &[(String, String)]) -> Result<Self, DocumentError> {
        InputFile::parse(text, name, sets)?.scenario()
    }

    /// The name of the file as given.
    #[must_use]
    pub fn name(&self) -> &str {
        of_any_kind!(self, document => document.file())
    }

    /// The data files that the scenario names: see [`Document::files`].
    #[must_use]
    pub fn files(&self) -> Vec<(&'static str, String)> {
        of_any_kind!(self, document => document.files())
    }

    /// The data files with their digests: see [`Document::data_files`].
    #[must_use]
    pub fn data_files(&self, base: &Path) -> Vec<DataFile> {
        of_any_kind!(self, document => document.data_files(base))
    }

    /// The folder that the data files of a recording are relative to: see [`Document::base_of_recording`].
    #[must_use]
    pub fn base_of_recording(&self, recording: &Path, header: &Header) -> PathBuf {
        of_any_kind!(self, document => document.base_of_recording(recording, header))
    }

    /// The digest of the scenario and of these files: see [`Document::digest_with`].
    #[must_use]
    pub fn digest_with(&self, files: &[DataFile]) -> String {
        of_any_kind!(self, document => document.digest_with(files))
    }

    /// The effective text: see [`Document::text`].
    #[must_use]
    pub fn text(&self) -> &str {
        of_any_kind!(self, document => document.text())
    }

    /// The effective text with further overrides: see [`Document::text_with`].
    ///
    /// # Errors
    ///
    /// As for [`Document::text_with`].
    pub fn text_with(&self, sets: &[(String, String)]) -> Result<String, DocumentError> {
        of_any_kind!(self, document => document.text_with(sets))
    }

    /// The plan of the scenario. Paths in the scenario are relative to `base`; a run may take `memory` bytes.
    ///
    /// # Errors
    ///
    /// Fields contradict each other or a file is missing; the error has the position in the text.
    pub fn plan(
        &self,
        catalogue: &Catalogue,
        base: &Path,
        memory: u64,
    ) -> Result<Arc<dyn Runnable + Send>, DocumentError> {
        self.plan_of(catalogue, base, memory).map_err(|error| {
            let (source, root) = of_any_kind!(self, document => document.tree());
            before_missing(error, source, root, catalogue)
        })
    }

    fn plan_of(
        &self,
        catalogue: &Catalogue,
        base: &Path,
        memory: u64,
    ) -> Result<Arc<dyn Runnable + Send>, DocumentError> {
        Ok(match self {
            Self::Population(document) if LazyPlan::is_meant(catalogue, document) => {
                Arc::new(LazyPlan::within(catalogue, document, base, memory)?)
            }
            Self::Population(document) if UniformPlan::is_meant(catalogue, document) => {
                Arc::new(UniformPlan::within(catalogue, document, base, memory)?)
            }
            Self::Population(document) => Arc::new(Plan::within(catalogue, document, base, memory)?),
            Self::Amoebots(document) => Arc::new(AmoebotPlan::within(catalogue, document, base, memory)?),
            Self::Reactions(document) => Arc::new(ReactionPlan::within(catalogue, document, base, memory)?),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::MEMORY_BYTES;
    use crate::text::read::PARSED;

    /// Parses a scenario of any kind once, for a run with two overrides and a drawn seed.
    #[test]
    fn a_file_is_parsed_once_and_each_override_alone() {
        let population =
            "(topology: Ring(nodes: 30), scheduler: Sequential, stop: [Rounds(3)], work: Interactions(
            protocol: Table((states: [\"A\", \"B\"], rules: [Ordered(\"A + B -> A + A\")], default: Null)),
            initial: Counts({\"A\": 1}, rest: \"B\")))";
        let textbook = population.replace("scheduler: Sequential,", "").replace("Ring", "Complete");
        let amoebots = "(amoebots: (algorithm: Hexagon, start: Cells([(0, 0), (1, 0)])), stop: Steps(9))";
        let reactions = "(reactions: (species: [\"A\", \"B\"], rules: [(\"A -> B\", 1.0)], initial: {\"A\": 9}), stop: [Time(100)])";
        for (text, sets, further) in [
            (population, [("topology.nodes", "40"), ("stop[0]", "Rounds(5)")], None),
            (&textbook, [("topology.nodes", "40"), ("stop[0]", "Silent")], Some("UniformPairs")),
            (amoebots, [("stop", "Steps(7)"), ("amoebots.orientations", "Common")], None),
            (reactions, [("reactions.initial.A", "10"), ("title", "\"ten\"")], None),
        ] {
            PARSED.take();
            let pairs = sets.map(|(key, value)| (key.to_owned(), value.to_owned()));
            let file = ScenarioFile::parse(text, "f", &pairs).unwrap_or_else(|error| panic!("{error}"));
            file.plan(&Catalogue::shipped(), Path::new(""), MEMORY_BYTES)
                .unwrap_or_else(|error| panic!("{error}"));
            file.text_with(&[("seed".to_owned(), "5".to_owned())]).unwrap();
            let values = sets.map(|(_, value)| value);
            let expected: Vec<&str> = [text].into_iter().chain(values).chain(further).chain(["5"]).collect();
            assert_eq!(PARSED.take(), expected);
        }
    }
}
