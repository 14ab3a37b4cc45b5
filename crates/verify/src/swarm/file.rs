//! Counterexamples as files: replays that `acrasin replay` runs again.

use std::io::{self, BufRead, Write};

use acrasin_runtime::LockSetRule;
use acrasin_runtime::exclusion::local::{Rules, SelfMessages};
use acrasin_runtime::limits::PRIORITIES_MIN;

use super::plan::Drain;
use super::stage::apply_all;
use super::{Counterexample, Kind, Start, Subject, Traced};
use crate::file::FileError;
use crate::limits::{SWARM_NODES_MAX, SWARM_PORTS_MAX, SWARM_STEPS_MAX};
use crate::replay::{End, Header, ReplayReader, ReplayWriter};

/// Picks of a stream that a note shows: more are of no use to a reader.
const STREAM_SHOWN: usize = 200;

impl Counterexample {
    /// Writes a replay file: a scenario without edges, and every step with the choices made inside it.
    ///
    /// `acrasin replay` runs it again if `subject` is one of the shipped rule sets; for others the note says that it
    /// needs the rules by their name, and [`again`](Self::again) runs it.
    ///
    /// # Errors
    ///
    /// Those of `sink`.
    pub fn write(&self, subject: &Subject, sink: impl Write) -> io::Result<()> {
        let mut note = format!("swarm, {}", self.kind);
        if subject.shipped().is_none() {
            note += &format!("; only with the rules {:?}", subject.name());
        }
        if let Some(stream) = self.stream.as_ref().filter(|stream| stream.len() <= STREAM_SHOWN) {
            note += &format!("; plan of seed {} with the picks {stream:?}", self.start.seed);
        }
        let rules = rules_words(subject.shipped().unwrap_or(Rules::REPAIRED));
        let header = Header::new(self.start.seed, self.start.scenario(&rules)).with_note(note);
        let mut writer = ReplayWriter::new(sink, &header)?;
        for Traced { step, picks } in &self.steps {
            writer.step(step, picks)?;
        }
        let mut stage = self.start.stage(subject);
        apply_all(&mut stage, &self.steps);
        let end = End {
            steps: self.steps.len() as u64,
            digest: stage.world.digest(),
            outcome: self.outcome.clone(),
            violation: stage.world.violation().map(ToString::to_string),
        };
        writer.end(&end).map(drop)
    }

    /// Reads what [`write`](Self::write) has written. `name` stands for the file in errors.
    ///
    /// Whether it still fails is what [`again`](Self::again) says.
    ///
    /// # Errors
    ///
    /// [`FileError`] if it is no replay, its scenario is not one of a counterexample, or it is too large.
    pub fn read(name: &str, reader: impl BufRead) -> Result<Self, FileError> {
        Self::read_all(name, ReplayReader::open(name, reader)?)
    }

    fn read_all(name: &str, mut reader: ReplayReader<'_>) -> Result<Self, FileError> {
        let header = reader.header().clone();
        let refused = |what: String| FileError::new(name, 1, what);
        let start = Start::parse(&header.scenario, header.seed).map_err(refused)?;
        let kind = header.note.as_deref().and_then(|note| note.strip_prefix("swarm, "));
        let kind = kind.and_then(|note| note.split(';').next()).filter(|kind| !kind.is_empty());
        let Some(kind) = kind.map(|kind| Kind(kind.to_owned().into())) else {
            let what = "the note does not say how the run fails: \"swarm, dead configuration\" would";
            return Err(FileError::new(name, 1, what));
        };
        let mut steps = Vec::new();
        for entry in reader.by_ref() {
            let entry = entry?;
            if steps.len() == SWARM_STEPS_MAX {
                let what = format!("more than {SWARM_STEPS_MAX} steps");
                return Err(FileError::new(name, entry.line, what));
            }
            steps.push(Traced { step: entry.step, picks: entry.picks });
        }
        let outcome = reader.end().map(|end| end.outcome.clone()).unwrap_or_default();
        Ok(Self { start, steps, kind, outcome, stream: None })
    }
}

fn rules_words(rules: Rules) -> String {
    match rules {
        Rules::REPAIRED => "Repaired".to_owned(),
        Rules::PUBLISHED => "Published".to_owned(),
        Rules { reject_late_requests, clean_up_always, clean_up_ignored_calls } => format!(
            "Mixed(reject_late_requests: {reject_late_requests}, clean_up_always: {clean_up_always}, \
             clean_up_ignored_calls: {clean_up_ignored_calls})"
        ),
    }
}

/// The text after `before`, up to `after`.
fn between<'t>(text: &'t str, before: &str, after: &str) -> Option<&'t str> {
    let start = text.find(before)? + before.len();
    let length = text[start..].find(after)?;
    Some(&text[start..start + length])
}

impl Start {
    /// The scenario with the same start: no edges, and no node acts by itself.
    fn scenario(&self, rules: &str) -> String {
        let Self { nodes, ports, priorities, self_messages, lock_set, drain, .. } = self;
        format!(
            "Scenario(topology: Gnp(nodes: {nodes}, probability: 0), ports: {ports}, lock: (rules: {rules}, \
             lock_set: {lock_set:?}, self_messages: {self_messages:?}, priorities: {priorities}), \
             scheduler: {}, work: Idle)",
            drain.words()
        )
    }

    /// Reads what [`scenario`](Self::scenario) has written, and nothing else.
    fn parse(text: &str, seed: u64) -> Result<Self, String> {
        let start = Self::parse_words(text, seed).ok_or_else(|| {
            let example = Self {
                seed: 0,
                nodes: 2,
                ports: 1,
                priorities: 2,
                self_messages: SelfMessages::Sent,
                lock_set: LockSetRule::Neighbourhood,
                drain: Drain::Sequential,
            };
            format!(
                "not the scenario of a counterexample. One is written exactly so: {}",
                example.scenario("Repaired")
            )
        })?;
        let limits = [
            ("nodes", start.nodes.into(), 1, u64::from(SWARM_NODES_MAX)),
            ("ports", start.ports.into(), 1, u64::from(SWARM_PORTS_MAX)),
            ("priorities", start.priorities.into(), PRIORITIES_MIN.into(), u64::from(u32::MAX)),
        ];
        for (what, value, least, most) in limits {
            if !(least..=most).contains(&value) {
                return Err(format!("{value} {what}: {least} to {most} are accepted"));
            }
        }
        Ok(start)
    }

    fn parse_words(text: &str, seed: u64) -> Option<Self> {
        let rules = between(text, "(rules: ", ", lock_set: ")?;
        let scheduler = between(text, "scheduler: ", ", work: ")?;
        let start = Self {
            seed,
            nodes: between(text, "nodes: ", ",")?.parse().ok()?,
            ports: between(text, "ports: ", ",")?.parse().ok()?,
            priorities: between(text, "priorities: ", ")")?.parse().ok()?,
            self_messages: match between(text, "self_messages: ", ",")? {
                "InMemory" => SelfMessages::InMemory,
                _ => SelfMessages::Sent,
            },
            lock_set: match between(text, "lock_set: ", ",")? {
                "Pair" => LockSetRule::Pair,
                _ => LockSetRule::Neighbourhood,
            },
            drain: Drain::ALL.into_iter().find(|drain| drain.words() == scheduler)?,
        };
        // Whatever was overlooked or written otherwise shows here.
        (start.scenario(rules) == text).then_some(start)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn start() -> Start {
        Start {
            seed: 9,
            nodes: 3,
            ports: 2,
            priorities: 5,
            self_messages: SelfMessages::InMemory,
            lock_set: LockSetRule::Pair,
            drain: Drain::HalfInRounds,
        }
    }

    #[test]
    fn a_scenario_says_what_it_was_made_of() {
        for drain in Drain::ALL {
            for rules in [Rules::PUBLISHED, Rules { clean_up_always: false, ..Rules::REPAIRED }] {
                let start = Start { drain, ..start() };
                assert_eq!(Start::parse(&start.scenario(&rules_words(rules)), 9), Ok(start));
            }
        }
    }

    #[test]
    fn other_scenarios_are_refused() {
        let text = start().scenario("Repaired");
        for (from, to, word) in [
            ("Idle", "Locks(each: 1)", "exactly"),
            ("nodes: 3", "nodes: 03", "exactly"),
            ("nodes: 3", "nodes: -3", "exactly"),
            ("Pair", "Auto", "exactly"),
            ("ports: 2", "ports: 65536", "exactly"),
            ("nodes: 3", "nodes: 0", "0 nodes: 1 to"),
            ("nodes: 3", "nodes: 1025", "1025 nodes: 1 to 1024"),
            ("ports: 2", "ports: 0", "0 ports: 1 to"),
            ("ports: 2", "ports: 1025", "1025 ports: 1 to 1024"),
            ("priorities: 5", "priorities: 1", "1 priorities: 2 to"),
        ] {
            let error = Start::parse(&text.replace(from, to), 9).unwrap_err();
            assert!(error.contains(word), "{to}: {error}");
        }
        for (from, to) in [("nodes: 3", "nodes: 1024"), ("ports: 2", "ports: 1024")] {
            assert!(Start::parse(&text.replace(from, to), 9).is_ok());
        }
    }
}
