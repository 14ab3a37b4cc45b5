//! The scenario file, for manifests and replays.

use std::sync::Arc;

use acrasin_report::record::{Figure, Manifest, Section};

/// The scenario file, as it is after `--set`.
#[derive(Clone, Debug)]
pub(crate) struct Source {
    pub(crate) file: Arc<str>,
    pub(crate) text: Arc<str>,
    pub(crate) digest: Arc<str>,
    /// Every field by name.
    pub(crate) parameters: Arc<Section>,
}

impl Source {
    /// What made a run, as far as the scenario knows.
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
