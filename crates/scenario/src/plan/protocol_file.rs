//! The protocol of a file, for checks that do not depend on the rest of a scenario.

use std::path::Path;

use acrasin_protocols::Table;
use acrasin_protocols::predicate::PredicateError;

use super::transitions::Transitions;
use super::uniform::{Initiator, Law};
use crate::document::work::{Initial, Partners, Work};
use crate::text::failure::DecodeFailure;
use crate::text::source::EffectiveText;
use crate::{Catalogue, Document, DocumentError, FileKind, InputFile};

/// A population protocol from a file: either a scenario that runs one, or a protocol on its own, written as in
/// `work.protocol`.
///
/// ```
/// use acrasin_scenario::ProtocolFile;
///
/// let text = r#"(states: ["L", "F"], inputs: ["L"], rules: [OneWay("L + L -> L + F")], default: Null)"#;
/// let file = ProtocolFile::parse(text, "leader.ron", &[]).unwrap();
/// assert!(file.is_alone());
/// assert_eq!((file.table().state_count(), file.inputs()), (2, Some(&[0][..])));
/// ```
#[derive(Debug, Clone)]
pub struct ProtocolFile {
    table: Table,
    inputs: Option<Vec<u16>>,
    is_alone: bool,
    is_grouped: bool,
    initiator: Initiator,
}

impl ProtocolFile {
    /// Reads a protocol, alone or in a scenario, from a file with overrides.
    ///
    /// # Errors
    ///
    /// As for [`ProtocolFile::parse`]; also if the file cannot be read.
    pub fn read(path: &Path, sets: &[(String, String)]) -> Result<Self, DocumentError> {
        InputFile::read(path, sets)?.protocol(&Catalogue::shipped())
    }

    /// Parses a text with overrides; `name` is the file name in errors. Keys of overrides are paths in this text.
    ///
    /// # Errors
    ///
    /// The text or the protocol has a mistake, whose position the error gives; or the text is a scenario that runs no
    /// protocol.
    pub fn parse(text: &str, name: &str, sets: &[(String, String)]) -> Result<Self, DocumentError> {
        InputFile::parse(text, name, sets)?.protocol(&Catalogue::shipped())
    }

    fn of(file: InputFile, catalogue: &Catalogue) -> Result<Self, DocumentError> {
        let is_alone = file.kind() == FileKind::Protocol;
        let InputFile { base, source, root } = file;
        let document = if is_alone {
            Document::of_protocol(source, root)?
        } else {
            Document::of_population(source, root)?
        };
        let Work::Interactions { protocol, way, initial } = &document.scenario().work else {
            let message = "no protocol runs in this scenario";
            return Err(document
                .error("work", message)
                .accepting("work: Interactions(…), or a protocol alone"));
        };
        let transitions = Transitions::new(catalogue, &document, protocol, &base)?;
        let written = transitions.inputs();
        let inputs = match (written.is_empty(), is_alone) {
            (false, _) => Some(written),
            (true, true) => None,
            (true, false) => Some(starts(&document, &transitions.table, initial)?),
        };
        let is_grouped = *way == Partners::Group;
        let initiator = if is_alone { Initiator::Either } else { initiator(&document, catalogue) };
        Ok(Self { table: transitions.table, inputs, is_alone, is_grouped, initiator })
    }

    /// The transition table of the protocol.
    #[must_use]
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// The states in which agents can start: the inputs of the table, or else the initial states of the scenario.
    /// `None` if the file has neither.
    #[must_use]
    pub fn inputs(&self) -> Option<&[u16]> {
        self.inputs.as_deref()
    }

    /// Whether the file holds a protocol without a scenario.
    #[must_use]
    pub fn is_alone(&self) -> bool {
        self.is_alone
    }

    /// The end of an edge that is the initiator in the scenario.
    #[must_use]
    pub fn initiator(&self) -> Initiator {
        self.initiator
    }

    /// Whether groups interact in the scenario instead of pairs.
    #[must_use]
    pub fn is_grouped(&self) -> bool {
        self.is_grouped
    }
}

impl InputFile {
    /// The protocol in the file, alone or in a scenario.
    ///
    /// # Errors
    ///
    /// As for [`ProtocolFile::parse`].
    pub fn protocol(self, catalogue: &Catalogue) -> Result<ProtocolFile, DocumentError> {
        ProtocolFile::of(self, catalogue)
    }
}

/// The end of an edge that is the initiator. A mistake in the scheduler is ignored, because it does not affect a check.
fn initiator(document: &Document, catalogue: &Catalogue) -> Initiator {
    let choice = document.choice("scheduler");
    let entry = choice.find(catalogue.schedulers().entries(), &[]);
    let chosen = entry.and_then(|entry| choice.chosen(entry, entry.takes.fields()));
    match chosen.ok().and_then(|chosen| Law::of(&chosen)) {
        Some(Law::Pairs { direction, .. }) => direction,
        _ => Initiator::Either,
    }
}

/// The initial states of the scenario, in the order of the table.
fn starts(document: &Document, table: &Table, initial: &Initial) -> Result<Vec<u16>, DocumentError> {
    let (names, place): (Vec<&String>, _) = match initial {
        Initial::Shares(shares) => (shares.keys().collect(), "work.initial"),
        Initial::Counts(counts, rest) => (counts.keys().chain(rest).collect(), "work.initial"),
        Initial::All(name) => (vec![name], "work.initial"),
        Initial::Nodes { states, rest } => (states.keys().chain([rest]).collect(), "work.initial.states"),
    };
    let mut starts = Vec::new();
    for name in names {
        let state = table.state(name).ok_or_else(|| {
            let listed = table.state_names().join(", ");
            document
                .error(place, format!("unknown state `{}`", name.escape_debug()))
                .accepting(listed)
                .suggesting(name, table.state_names().iter().map(String::as_str))
        })?;
        starts.push(state);
    }
    starts.sort_unstable();
    starts.dedup();
    Ok(starts)
}

impl DocumentError {
    /// Converts an error in a predicate that does not come from a file; `name` describes its origin.
    #[must_use]
    pub fn of_predicate(name: &str, text: &str, error: &PredicateError) -> Self {
        let failure = DecodeFailure::new(error.span(), error.message()).accepting(error.accepted());
        let found = EffectiveText::new(name, text).error(failure);
        error.hint().map_or(found.clone(), |hint| found.hinting(hint))
    }
}
