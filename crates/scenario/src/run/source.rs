//! The scenario file, for manifests and replays.

use std::path::Path;
use std::sync::Arc;

use acrasin_report::record::{Figure, Manifest, Section};
use acrasin_verify::replay::Header;

use crate::document::{DataFile, Document};

/// The scenario file with overrides applied.
#[derive(Clone, Debug)]
pub(crate) struct ScenarioSource {
    pub(crate) file: Arc<str>,
    pub(crate) text: Arc<str>,
    /// The digest of the text and of the files that it names.
    pub(crate) digest: Arc<str>,
    /// The data files of the scenario.
    pub(crate) files: Arc<[DataFile]>,
    /// The folder of the scenario, if it has data files. Their paths are relative to it.
    folder: Option<Arc<str>>,
    /// Every field of the scenario, by its path.
    pub(crate) parameters: Arc<Section>,
}

impl ScenarioSource {
    /// Reads the digests of the files that a document names, in the folder `base`.
    pub(crate) fn new<S>(document: &Document<S>, base: &Path, mut parameters: Section) -> Self {
        let files = document.data_files(base);
        for file in &files {
            let name = file.parameter();
            if parameters.figures().iter().all(|figure| figure.key() != name) {
                parameters.push(Figure::new(name.clone(), name, file.digest.as_str()));
            }
        }
        let folder = if base.as_os_str().is_empty() { Path::new(".") } else { base };
        let folder = std::fs::canonicalize(folder).ok().filter(|_| !files.is_empty());
        Self {
            folder: folder.as_deref().and_then(Path::to_str).map(Arc::from),
            file: document.file().into(),
            text: document.text().into(),
            digest: document.digest_with(&files).into(),
            files: files.into(),
            parameters: Arc::new(parameters),
        }
    }

    /// The first line of a recording.
    pub(crate) fn header(&self, seed: u64) -> Header {
        let files = self.files.iter().map(|file| (file.place.to_owned(), file.digest.clone()));
        Header::new(seed, &*self.text)
            .with_files(files)
            .with_folder(self.folder.as_deref().map(str::to_owned))
    }

    /// The manifest of a run with the data of the scenario.
    pub(crate) fn manifest(&self, title: &str, seed: u64) -> Manifest {
        let mut manifest = Manifest::new(env!("CARGO_PKG_VERSION"), seed);
        manifest.scenario = Some(self.file.clone());
        manifest.scenario_text = Some(self.text.clone());
        manifest.scenario_digest = Some(self.digest.clone());
        manifest.parameters = Some(Arc::clone(&self.parameters));
        manifest.further.push(Figure::new("title", "title", title));
        manifest
    }
}
