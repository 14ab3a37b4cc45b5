//! The scenario file, for manifests and replays.

use acrasin_report::record::{Figure, Manifest};

/// The scenario file, as it is after `--set`.
#[derive(Clone, Debug)]
pub(crate) struct Source {
    pub(crate) file: String,
    pub(crate) text: String,
    pub(crate) digest: String,
}

impl Source {
    /// What made a run, as far as the scenario knows.
    pub(crate) fn manifest(&self, title: &str, seed: u64) -> Manifest {
        let mut manifest = Manifest::new(env!("CARGO_PKG_VERSION"), seed);
        manifest.scenario = Some(self.file.clone());
        manifest.scenario_text = Some(self.text.clone());
        manifest.scenario_digest = Some(self.digest.clone());
        manifest.further.push(Figure::new("title", "title", title));
        manifest
    }
}
