//! [`RunOrigin`]: the scenario, files and seed of a run.

use std::path::{Path, PathBuf};
use std::time::Duration;

use acrasin_process::Progress;
use acrasin_scenario::ScenarioFile;
use serde_json::{Value, json};

use super::RecordingMark;
use crate::machine::{self, WorkBefore};
use crate::scenarios;

/// The scenario, files and seed of a run, and the work done before this process.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct RunOrigin {
    version: String,
    commit: Option<String>,
    /// The scenario as the user wrote it: a path, or the name of a built-in one.
    scenario: Option<String>,
    /// The absolute path of the scenario; `None` if it is built in.
    path: Option<String>,
    pub(crate) set: Vec<(String, String)>,
    pub(crate) seed: u64,
    /// The text of the scenario with its overrides.
    text: String,
    /// The digest of the scenario and of the files that it names.
    digest: String,
    /// The data files of the scenario. Each element is the path of the scenario's value, the file name in it, and the
    /// digest of the file.
    files: Vec<[String; 3]>,
    pub(crate) before: WorkBefore,
    /// The recording up to the checkpoint, if the run has one.
    pub(crate) recording: Option<RecordingMark>,
}

impl RunOrigin {
    pub(crate) fn new(
        (written, file, base): (Option<&Path>, &ScenarioFile, &Path),
        set: &[(String, String)],
        seed: u64,
    ) -> Self {
        let files = file.data_files(base);
        let scenario = written.map_or(scenarios::ALL[0].name, |path| path.to_str().unwrap_or_default());
        let absolute = written.and_then(|path| std::fs::canonicalize(path).ok());
        Self {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            commit: machine::commit().map(Into::into),
            scenario: Some(scenario.to_owned()).filter(|name| !name.is_empty()),
            path: absolute.as_deref().and_then(Path::to_str).map(str::to_owned),
            set: set.to_vec(),
            seed,
            text: file.text().to_owned(),
            digest: file.digest_with(&files),
            files: files.into_iter().map(|file| [file.place.to_owned(), file.path, file.digest]).collect(),
            before: WorkBefore::default(),
            recording: None,
        }
    }

    /// Adds the work that another process has done for this run.
    pub(crate) fn after(self, before: WorkBefore) -> Self {
        Self { before, ..self }
    }

    /// The scenario to read: the path as written if it exists, or else the absolute path.
    pub(crate) fn scenario(&self) -> Option<PathBuf> {
        let written = self.scenario.as_deref();
        let is_there = |name: &&str| Path::new(name).exists() || self.path.is_none();
        written.filter(is_there).or(self.path.as_deref()).or(written).map(PathBuf::from)
    }

    /// The first difference between this saved run and another one, as a sentence.
    pub(crate) fn difference(&self, other: &Self) -> Option<String> {
        if self.version != other.version {
            return Some(format!("it was saved by acrasin {}, and this is {}", self.version, other.version));
        }
        if self.seed != other.seed {
            return Some(format!("it was saved with seed {}, but the seed now is {}", self.seed, other.seed));
        }
        if self.text != other.text {
            return Some(different_line(&self.text, &other.text));
        }
        let file = self.files.iter().zip(&other.files).find(|(saved, now)| saved != now);
        if let Some(([place, path, _], [_, _, digest])) = file {
            let now = if digest.is_empty() { "cannot be read" } else { "has changed" };
            return Some(format!("the file {path} of {place} {now}"));
        }
        (self.digest != other.digest).then(|| "the files of its scenario have changed".to_owned())
    }

    /// A note for the user if the run was saved by another build of the same version.
    pub(crate) fn other_commit(&self, other: &Self) -> Option<String> {
        let (saved, now) = self.commit.as_ref().zip(other.commit.as_ref())?;
        (saved != now).then(|| {
            format!("note: the run was saved by commit {saved}, and this is {now}; results may differ")
        })
    }

    /// Whether the records of a folder are those of this run.
    pub(crate) fn is_recorded_in(&self, records: &str) -> bool {
        let is_own = |line: &str| {
            let record: Value = serde_json::from_str(line).unwrap_or_default();
            let manifest = &record["manifest"];
            manifest["scenario_digest"] == *self.digest && manifest["seed"] == self.seed
        };
        records.lines().next().is_some() && records.lines().all(is_own)
    }

    pub(crate) fn to_json(
        &self,
        progress: &Progress,
        work: WorkBefore,
        recording: Option<&RecordingMark>,
    ) -> Vec<u8> {
        let nanoseconds = |time: Duration| u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
        let value = json!({
            "acrasin": self.version,
            "commit": self.commit,
            "scenario": self.scenario,
            "path": self.path,
            "set": self.set,
            "seed": self.seed,
            "text": self.text,
            "digest": self.digest,
            "files": self.files,
            "progress": progress,
            "wall_nanoseconds": nanoseconds(work.wall),
            "cpu_nanoseconds": work.cpu.map(nanoseconds),
            "resumptions": work.resumptions,
            "recording": recording.map(RecordingMark::to_json),
        });
        value.to_string().into_bytes()
    }

    /// Reads the part `run` of a checkpoint; `None` if the bytes are not such a part.
    pub(crate) fn from_json(bytes: &[u8]) -> Option<Self> {
        let value: Value = serde_json::from_slice(bytes).ok()?;
        let text = |value: &Value| value.as_str().map(str::to_owned);
        let all = |value: &Value| -> Option<Vec<String>> { value.as_array()?.iter().map(text).collect() };
        let set = value["set"].as_array()?.iter().map(|pair| match &all(pair)?[..] {
            [key, value] => Some((key.clone(), value.clone())),
            _ => None,
        });
        let files = value["files"].as_array()?.iter().map(|file| all(file)?.try_into().ok());
        let nanoseconds = |key: &str| value[key].as_u64().map(Duration::from_nanos);
        Some(Self {
            version: text(&value["acrasin"])?,
            commit: text(&value["commit"]),
            scenario: text(&value["scenario"]),
            path: text(&value["path"]),
            set: set.collect::<Option<_>>()?,
            seed: value["seed"].as_u64()?,
            text: text(&value["text"])?,
            digest: text(&value["digest"])?,
            files: files.collect::<Option<_>>()?,
            before: WorkBefore {
                steps: value["progress"]["steps"].as_u64()?,
                wall: nanoseconds("wall_nanoseconds")?,
                cpu: nanoseconds("cpu_nanoseconds"),
                resumptions: value["resumptions"].as_u64()?,
            },
            recording: match &value["recording"] {
                Value::Null => None,
                mark => Some(RecordingMark::from_json(mark)?),
            },
        })
    }
}

/// Describes the first line in which two scenarios differ.
fn different_line(saved: &str, now: &str) -> String {
    let (mut saved, mut now) = (saved.lines(), now.lines());
    let mut number = 0;
    loop {
        number += 1;
        let shown =
            |line: Option<&str>| line.map_or("missing".to_owned(), |line| format!("`{}`", line.trim()));
        match (saved.next(), now.next()) {
            (None, None) => return "the line endings of its scenario have changed".to_owned(),
            (before, after) if before != after => {
                return format!(
                    "line {number} of its scenario was {}, and is now {}",
                    shown(before),
                    shown(after)
                );
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn origin(text: &str) -> RunOrigin {
        let file = ScenarioFile::parse(text, "a.ron", &[]).unwrap();
        let set = [("seed".to_owned(), "5".to_owned())];
        RunOrigin::new((Some(Path::new("a.ron")), &file, Path::new("")), &set, 5)
    }

    const SCENARIO: &str = "(\n    topology: Complete(nodes: 9),\n    scheduler: UniformPairs,\n    \
        work: Interactions(protocol: Library(name: \"fratricide\"), initial: Shares({\"L\": 1.0})),\n    \
        stop: [Silent],\n)";

    #[test]
    fn what_is_written_is_read() {
        let origin = origin(SCENARIO);
        let work = WorkBefore { steps: 7, wall: Duration::from_millis(5), cpu: None, resumptions: 2 };
        let progress = Progress { steps: 7, time: Some(0.1), ..Progress::START };
        let bytes = origin.to_json(&progress, work, None);
        assert_eq!(RunOrigin::from_json(&bytes), Some(RunOrigin { before: work, ..origin }));
        assert_eq!(RunOrigin::from_json(b"{}"), None);
        assert_eq!(RunOrigin::from_json(&bytes[..bytes.len() - 1]), None);
    }

    #[test]
    fn the_first_difference_is_named() {
        let saved = origin(SCENARIO);
        assert_eq!(saved.difference(&saved.clone()), None);
        let other = origin(&SCENARIO.replace("nodes: 9", "nodes: 8"));
        let sentence = "line 2 of its scenario was `topology: Complete(nodes: 9),`, and is now `topology: Complete(nodes: 8),`";
        assert_eq!(saved.difference(&other).as_deref(), Some(sentence));
        let longer = origin(&format!("{SCENARIO}\n// end"));
        assert_eq!(
            saved.difference(&longer).as_deref(),
            Some("line 7 of its scenario was missing, and is now `// end`")
        );
        let seed = RunOrigin { seed: 6, ..saved.clone() };
        assert_eq!(
            saved.difference(&seed).as_deref(),
            Some("it was saved with seed 5, but the seed now is 6")
        );
        let files = |digest: &str| vec![["topology.path", "x.edges", digest].map(str::to_owned)];
        let with =
            |digest: &str| RunOrigin { files: files(digest), digest: digest.to_owned(), ..saved.clone() };
        let sentence = "the file x.edges of topology.path has changed";
        assert_eq!(with("1").difference(&with("2")).as_deref(), Some(sentence));
        let sentence = "the file x.edges of topology.path cannot be read";
        assert_eq!(with("1").difference(&with("")).as_deref(), Some(sentence));
        let old = RunOrigin { version: "0.0.1".to_owned(), ..saved.clone() };
        assert!(old.difference(&saved).unwrap().starts_with("it was saved by acrasin 0.0.1"));
    }
}
