//! The scenario that a file holds, of any kind.

use std::path::Path;
use std::sync::Arc;

use crate::amoebot::{AmoebotDocument, AmoebotPlan};
use crate::input_file::{FileKind, InputFile};
use crate::plan::{Plan, UniformPlan, UntabledPlan};
use crate::reactions::{ReactionDocument, ReactionPlan};
use crate::{Catalogue, DataFile, Document, DocumentError, Runnable};

impl InputFile {
    /// The scenario that the file holds.
    ///
    /// # Errors
    ///
    /// What is wrong with it, in the words of the kind that it is of.
    pub fn scenario(self) -> Result<ScenarioFile, DocumentError> {
        let kind = self.kind();
        let Self { source, root, .. } = self;
        match kind {
            FileKind::Amoebots => {
                Document::of_tree(source, root).map(|document| ScenarioFile::Amoebots(Box::new(document)))
            }
            FileKind::Reactions => {
                Document::of_tree(source, root).map(|document| ScenarioFile::Reactions(Box::new(document)))
            }
            FileKind::Population | FileKind::Protocol => Document::of_population(source, root)
                .map(|document| ScenarioFile::Population(Box::new(document))),
        }
    }
}

/// A scenario of any kind.
#[derive(Debug, Clone)]
pub enum ScenarioFile {
    /// Of population protocols and locks.
    Population(Box<Document>),
    /// Of amoebots.
    Amoebots(Box<AmoebotDocument>),
    /// Of reactions.
    Reactions(Box<ReactionDocument>),
}

impl ScenarioFile {
    /// Reads a file.
    ///
    /// # Errors
    ///
    /// As [`Document::read`].
    pub fn read(path: &Path, sets: &[(String, String)]) -> Result<Self, DocumentError> {
        InputFile::read(path, sets)?.scenario()
    }

    /// Reads a text with overrides; `name` is what errors call the file.
    ///
    /// # Errors
    ///
    /// As [`Document::parse_with`], in the words of the kind that the text is of.
    pub fn parse(text: &str, name: &str, sets: &[(String, String)]) -> Result<Self, DocumentError> {
        InputFile::parse(text, name, sets)?.scenario()
    }

    /// The name of the file, as it was given.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::Population(document) => document.file(),
            Self::Amoebots(document) => document.file(),
            Self::Reactions(document) => document.file(),
        }
    }

    /// The data files that the scenario names: see [`Document::files`].
    #[must_use]
    pub fn files(&self) -> Vec<(&'static str, String)> {
        match self {
            Self::Population(document) => document.files(),
            Self::Amoebots(document) => document.files(),
            Self::Reactions(document) => document.files(),
        }
    }

    /// The same with their digests: see [`Document::data_files`].
    #[must_use]
    pub fn data_files(&self, base: &Path) -> Vec<DataFile> {
        match self {
            Self::Population(document) => document.data_files(base),
            Self::Amoebots(document) => document.data_files(base),
            Self::Reactions(document) => document.data_files(base),
        }
    }

    /// The digest of the scenario and of these files: see [`Document::digest_with`].
    #[must_use]
    pub fn digest_with(&self, files: &[DataFile]) -> String {
        match self {
            Self::Population(document) => document.digest_with(files),
            Self::Amoebots(document) => document.digest_with(files),
            Self::Reactions(document) => document.digest_with(files),
        }
    }

    /// The effective text: see [`Document::text`].
    #[must_use]
    pub fn text(&self) -> &str {
        match self {
            Self::Population(document) => document.text(),
            Self::Amoebots(document) => document.text(),
            Self::Reactions(document) => document.text(),
        }
    }

    /// The effective text with further overrides: see [`Document::text_with`].
    ///
    /// # Errors
    ///
    /// As of [`Document::text_with`].
    pub fn text_with(&self, sets: &[(String, String)]) -> Result<String, DocumentError> {
        match self {
            Self::Population(document) => document.text_with(sets),
            Self::Amoebots(document) => document.text_with(sets),
            Self::Reactions(document) => document.text_with(sets),
        }
    }

    /// What it means: a plan that can be run. Paths in it are relative to `base`; a run of it may take so many bytes.
    ///
    /// # Errors
    ///
    /// What does not fit together, or is not there, with its place.
    pub fn plan(
        &self,
        catalogue: &Catalogue,
        base: &Path,
        memory: u64,
    ) -> Result<Arc<dyn Runnable + Send>, DocumentError> {
        Ok(match self {
            Self::Population(document) if UntabledPlan::is_meant(catalogue, document) => {
                Arc::new(UntabledPlan::within(catalogue, document, base, memory)?)
            }
            Self::Population(document) if UniformPlan::is_meant(document) => {
                Arc::new(UniformPlan::within(catalogue, document, base, memory)?)
            }
            Self::Population(document) => Arc::new(Plan::within(catalogue, document, base, memory)?),
            Self::Amoebots(document) => Arc::new(AmoebotPlan::within(catalogue, document, base, memory)?),
            Self::Reactions(document) => Arc::new(ReactionPlan::within(catalogue, document, base, memory)?),
        })
    }
}
