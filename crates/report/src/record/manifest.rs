//! [`Manifest`]: the facts needed to repeat a run.

use std::borrow::Cow;
use std::sync::Arc;

use super::section::{Figure, Section, SectionName};

/// The facts needed to repeat a run. The caller sets all of them; this crate reads nothing from the machine.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Manifest {
    /// Version of the program.
    pub version: Cow<'static, str>,
    /// Commit from which the program was built, if known.
    pub commit: Option<Cow<'static, str>>,
    /// Seed of the plan, written as an integer. Readers that store numbers as `f64` round seeds above 2^53.
    pub seed: u64,
    /// File of the scenario, or its name if it is built in.
    pub scenario: Option<Arc<str>>,
    /// Text of the scenario; only JSON lines carry it.
    pub scenario_text: Option<Arc<str>>,
    /// Digest of the text of the scenario, in hexadecimal digits.
    pub scenario_digest: Option<Arc<str>>,
    /// Lock algorithm and its rules, as in `local mutual exclusion, repaired`.
    pub rules: Option<String>,
    /// Threads on which repetitions or rounds ran.
    pub threads: Option<u64>,
    /// Processor model.
    pub processor: Option<String>,
    /// Further settings of the run, in order, for example from the command line.
    pub further: Vec<Figure>,
    /// Every parameter of the scenario under its path, such as `topology.nodes`. They form a separate section for
    /// programs, shared by all repetitions.
    pub parameters: Option<Arc<Section>>,
}

impl Manifest {
    /// A manifest with only version and seed.
    pub fn new(version: impl Into<Cow<'static, str>>, seed: u64) -> Self {
        Self {
            version: version.into(),
            commit: None,
            seed,
            scenario: None,
            scenario_text: None,
            scenario_digest: None,
            rules: None,
            threads: None,
            processor: None,
            further: Vec::new(),
            parameters: None,
        }
    }

    /// The manifest as the last section of a record.
    pub fn section(&self) -> Section {
        let mut section = Section::of(SectionName::Manifest);
        section.push(Figure::new("version", "version", self.version.as_ref()));
        section.push(Figure::new("commit", "commit", self.commit.as_deref()));
        section.push(Figure::new("seed", "seed", self.seed).ungrouped());
        section.push(Figure::new("scenario", "scenario", self.scenario.as_deref()));
        section.push(Figure::new("scenario_digest", "scenario digest", self.scenario_digest.as_deref()));
        section.push(Figure::new("rules", "rules", self.rules.clone()));
        section.push(Figure::new("threads", "threads", self.threads));
        section.push(Figure::new("processor", "processor", self.processor.clone()));
        for figure in &self.further {
            section.push(figure.clone());
        }
        section
            .push(Figure::new("scenario_text", "scenario text", self.scenario_text.as_deref()).json_only());
        section
    }
}
