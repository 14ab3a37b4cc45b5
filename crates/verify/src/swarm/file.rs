//! Counterexamples as files: replays that `acrasin replay` can run.

use std::io::{self, BufRead, Write};

use acrasin_process::Ending;
use acrasin_runtime::LockSetRule;
use acrasin_runtime::exclusion::local::{Rules, SelfMessages};
use acrasin_runtime::limits::PRIORITIES_MIN;

use super::plan::Drain;
use super::stage::{apply_all, stage};
use super::start::seated;
use super::{Counterexample, FailureKind, SwarmStart, Swarmed, SystemUnderTest, Traced};
use crate::file::FileError;
use crate::limits::{SWARM_NODES_MAX, SWARM_PORTS_MAX, SWARM_STEPS_MAX};
use crate::replay::{Header, ReplayEnd, ReplayReader, ReplayWriter};

/// The maximum number of picks of a stream that a note contains. Longer streams do not help a reader.
const STREAM_SHOWN: usize = 200;

impl Counterexample {
    /// Reads a counterexample of local mutual exclusion that [`write`](Self::write) has written. Errors call the file
    /// `name`.
    ///
    /// Call [`again`](Self::again) to see whether the run still fails.
    ///
    /// # Errors
    ///
    /// [`FileError`] if the file is not a replay, is not a counterexample, or is too large.
    pub fn read(name: &str, reader: impl BufRead) -> Result<Self, FileError> {
        Self::read_under(&SystemUnderTest::rules(Rules::REPAIRED), name, reader)
    }
}

impl<E: Swarmed> Counterexample<E> {
    /// Writes a replay file: the start, and every step with its picks.
    ///
    /// `acrasin replay` can run it if `subject` is a shipped rule set. For other rules, the note names them and
    /// [`again`](Self::again) runs the file.
    ///
    /// # Errors
    ///
    /// The errors of `sink`.
    pub fn write(&self, subject: &SystemUnderTest<E>, sink: impl Write) -> io::Result<()> {
        let mut note = format!("swarm, {}", self.kind);
        if subject.shipped().is_none() {
            note += &format!("; only with the rules {:?}", subject.name());
        }
        if let Some(stream) = self.stream.as_ref().filter(|stream| stream.len() <= STREAM_SHOWN) {
            note += &format!("; found with seed {}; shrunk random choices: {stream:?}", self.start.seed);
        }
        let exclusion = subject.exclusion(&self.start);
        let start = match exclusion.rules() {
            None => self.start.scenario(&rules_words(subject.shipped().unwrap_or(Rules::REPAIRED))),
            Some(_) => self.start.words(),
        };
        let header = Header::new(self.start.seed, start).with_note(note);
        let mut writer = ReplayWriter::under(&exclusion, sink, &header)?;
        for Traced { step, picks } in &self.steps {
            writer.step(step, picks)?;
        }
        let mut stage = stage(&self.start, subject);
        apply_all(&mut stage, &self.steps);
        let end = ReplayEnd {
            steps: self.steps.len() as u64,
            digest: stage.world.digest(),
            outcome: self.ending.to_string(),
            ending: Some(self.ending.clone()),
            violation: stage.world.violation().map(ToString::to_string),
        };
        writer.end(&end).map(drop)
    }

    /// Reads a counterexample under this algorithm that [`write`](Self::write) has written. Errors call the file
    /// `name`.
    ///
    /// Call [`again`](Self::again) to see whether the run still fails.
    ///
    /// # Errors
    ///
    /// [`FileError`] if the file is not a replay, has another algorithm or other rules, is not a counterexample, or is
    /// too large.
    pub fn read_under(
        subject: &SystemUnderTest<E>,
        name: &str,
        reader: impl BufRead,
    ) -> Result<Self, FileError> {
        let exclusion = subject.exclusion(&SwarmStart::LEAST);
        let mut reader = ReplayReader::under(&exclusion, name, reader)?;
        let header = reader.header().clone();
        let refused = |what: String| FileError::new(name, 1, what);
        let is_local = exclusion.rules().is_none();
        let start = SwarmStart::parse(&header.scenario, header.seed, is_local).map_err(refused)?;
        seated(&subject.exclusion(&start), &start).map_err(refused)?;
        let kind = header.note.as_deref().and_then(|note| note.strip_prefix("swarm, "));
        let kind = kind.and_then(|note| note.split(';').next()).filter(|kind| !kind.is_empty());
        let Some(kind) = kind.map(|kind| FailureKind(kind.to_owned().into())) else {
            let what = "the note does not name the failure (accepted: \"swarm, \" and a failure, such as \"swarm, dead configuration\")";
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
        let ending = reader.end().and_then(ReplayEnd::recorded_ending);
        let ending = ending.unwrap_or_else(|| Ending::Violated(kind.to_string()));
        Ok(Self { start, steps, kind, ending, stream: None })
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

/// The lock sets, with the names by which files describe them.
const LOCK_SETS: [(LockSetRule, &str); 2] =
    [(LockSetRule::Neighbourhood, "Neighbourhood"), (LockSetRule::Pair, "Pair")];

/// The treatments of a node's messages to itself, with the names by which files describe them.
const SELF_MESSAGES: [(SelfMessages, &str); 2] =
    [(SelfMessages::Sent, "Sent"), (SelfMessages::InMemory, "InMemory")];

fn word<V: Copy + PartialEq>(list: &[(V, &'static str)], value: V) -> &'static str {
    list.iter().find(|(listed, _)| *listed == value).expect("every value has a word").1
}

fn value<V: Copy>(list: &[(V, &str)], word: &str) -> Option<V> {
    list.iter().find(|(_, listed)| *listed == word).map(|(value, _)| *value)
}

/// The edges as `(0, 1), (1, 2)`.
fn edges_words(edges: &[(u32, u32)]) -> String {
    edges.iter().map(|(a, b)| format!("({a}, {b})")).collect::<Vec<_>>().join(", ")
}

/// The part of a text between the first `before` and the next `after`; `None` if one of them is missing.
fn between<'t>(text: &'t str, before: &str, after: &str) -> Option<&'t str> {
    let start = text.find(before)? + before.len();
    let length = text[start..].find(after)?;
    Some(&text[start..start + length])
}

impl SwarmStart {
    /// This start as the text of a scenario, without edges, in which no node calls Lock on its own.
    fn scenario(&self, rules: &str) -> String {
        let Self { nodes, ports, priorities, drain, .. } = self;
        let (lock_set, self_messages) = self.lock_words();
        format!(
            "Scenario(topology: Gnp(nodes: {nodes}, probability: 0), ports: {ports}, lock: (rules: {rules}, \
             lock_set: {lock_set}, self_messages: {self_messages}, priorities: {priorities}), \
             scheduler: {}, work: Idle)",
            drain.words()
        )
    }

    /// The names of the lock set and of the treatment of a node's messages to itself.
    fn lock_words(&self) -> (&'static str, &'static str) {
        (word(&LOCK_SETS, self.lock_set), word(&SELF_MESSAGES, self.self_messages))
    }

    /// This start as text, for an algorithm that scenarios cannot name.
    fn words(&self) -> String {
        let Self { nodes, edges, ports, priorities, drain, .. } = self;
        let (lock_set, self_messages) = self.lock_words();
        format!(
            "Start(nodes: {nodes}, ports: {ports}, lock: (lock_set: {lock_set}, self_messages: {self_messages}, \
             priorities: {priorities}), scheduler: {}, edges: [{}])",
            drain.words(),
            edges_words(edges)
        )
    }

    /// Parses the output of [`words`](Self::words). All other texts are refused.
    fn parse_start(text: &str, seed: u64) -> Option<Self> {
        let scheduler = between(text, "scheduler: ", ", edges: ")?;
        let edges = between(text, "edges: [", "])")?;
        let edge = |edge: &str| {
            let (a, b) = edge.trim_start_matches('(').trim_end_matches(')').split_once(", ")?;
            Some((a.parse().ok()?, b.parse().ok()?))
        };
        let edges = edges.split_inclusive("), ").map(|text| edge(text.trim_end_matches(", ")));
        let start = Self {
            seed,
            nodes: between(text, "nodes: ", ",")?.parse().ok()?,
            ports: between(text, "ports: ", ",")?.parse().ok()?,
            edges: edges.collect::<Option<_>>().unwrap_or_default(),
            priorities: between(text, "priorities: ", ")")?.parse().ok()?,
            self_messages: value(&SELF_MESSAGES, between(text, "self_messages: ", ",")?)?,
            lock_set: value(&LOCK_SETS, between(text, "lock_set: ", ",")?)?,
            drain: Drain::ALL.into_iter().find(|drain| drain.words() == scheduler)?,
        };
        (start.words() == text).then_some(start)
    }

    fn parse(text: &str, seed: u64, is_local: bool) -> Result<Self, String> {
        let parsed = if is_local { Self::parse_words(text, seed) } else { Self::parse_start(text, seed) };
        let start = parsed.ok_or_else(|| {
            let example = if is_local { Self::LEAST.scenario("Repaired") } else { Self::LEAST.words() };
            format!("not the scenario of a counterexample. One is written exactly like this: {example}")
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

    /// Parses the output of [`scenario`](Self::scenario). All other texts are refused.
    fn parse_words(text: &str, seed: u64) -> Option<Self> {
        let rules = between(text, "(rules: ", ", lock_set: ")?;
        let scheduler = between(text, "scheduler: ", ", work: ")?;
        let start = Self {
            seed,
            nodes: between(text, "nodes: ", ",")?.parse().ok()?,
            ports: between(text, "ports: ", ",")?.parse().ok()?,
            priorities: between(text, "priorities: ", ")")?.parse().ok()?,
            self_messages: value(&SELF_MESSAGES, between(text, "self_messages: ", ",")?)?,
            edges: Vec::new(),
            lock_set: value(&LOCK_SETS, between(text, "lock_set: ", ",")?)?,
            drain: Drain::ALL.into_iter().find(|drain| drain.words() == scheduler)?,
        };
        // Comparing with the text catches everything the parsing overlooked.
        (start.scenario(rules) == text).then_some(start)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn start() -> SwarmStart {
        SwarmStart {
            seed: 9,
            nodes: 3,
            edges: Vec::new(),
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
                let start = SwarmStart { drain, ..start() };
                assert_eq!(SwarmStart::parse(&start.scenario(&rules_words(rules)), 9, true), Ok(start));
            }
        }
    }

    #[test]
    fn a_start_says_what_it_was_made_of() {
        for edges in [vec![], vec![(0, 1)], vec![(0, 1), (1, 2), (0, 12)]] {
            let start = SwarmStart { nodes: 13, edges, ..start() };
            assert_eq!(SwarmStart::parse(&start.words(), 9, false), Ok(start.clone()), "{}", start.words());
        }
        let error = SwarmStart::parse("Start(nodes: 2)", 9, false).unwrap_err();
        assert!(error.contains("exactly like this: Start(nodes: 2, ports: 1"), "{error}");
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
            let error = SwarmStart::parse(&text.replace(from, to), 9, true).unwrap_err();
            assert!(error.contains(word), "{to}: {error}");
        }
        for (from, to) in [("nodes: 3", "nodes: 1024"), ("ports: 2", "ports: 1024")] {
            assert!(SwarmStart::parse(&text.replace(from, to), 9, true).is_ok());
        }
    }
}
