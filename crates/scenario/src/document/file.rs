//! Scenario files with their text.

use std::io::{ErrorKind, Read as _};
use std::path::{Path, PathBuf};

use acrasin_catalogue::parameter::ParameterError;
use acrasin_verify::replay::Header;
use serde::de::DeserializeOwned;
use xxhash_rust::xxh3::{Xxh3Default, xxh3_128};

use super::entry_ref::EntryRef;
use super::missing::read_as;
use super::scenario::Scenario;
use super::textbook;
use super::topology::TopologySource;
use crate::limits::{MAX_FILE_BYTES, MAX_SETS};
use crate::text::failure::{ByteSpan, DecodeFailure};
use crate::text::literal::place_in_text;
use crate::text::source::EffectiveText;
use crate::text::tree::{SpannedNode, SpannedValue};
use crate::text::{overriding, path, read};
use crate::{DocumentError, Place};

/// A scenario file that was read, with the positions of its values. `S` is the kind of scenario, by default population
/// protocols.
#[derive(Debug, Clone)]
pub struct Document<S = Scenario> {
    pub(super) source: EffectiveText,
    root: SpannedNode,
    scenario: S,
}

impl Document {
    /// Parses a text; `name` is the file name in errors.
    ///
    /// # Errors
    ///
    /// The first mistake, with its position. Never panics, for any text. Cost: linear in the text, and n log n in the
    /// number of fields of one group.
    pub fn parse(text: &str, name: &str) -> Result<Self, DocumentError> {
        Self::parse_with(text, name, &[])
    }

    /// Parses a text with overrides, applied in order.
    ///
    /// A key is a dotted path (see [`Document::locate`]), a value is written as in the file. Where the file has a text,
    /// quotes may be left out (`work.protocol.name=voter`); a power need not be quoted (`limits.rounds=10^6`). A field
    /// that the text leaves out is added to its group; an entry of a list is replaced, never added. If the path does
    /// not name a field, the error lists the fields that exist.
    ///
    /// # Errors
    ///
    /// As for [`Document::parse`]; a mistake in an override has [`DocumentError::set`].
    pub fn parse_with(text: &str, name: &str, sets: &[(String, String)]) -> Result<Self, DocumentError> {
        let (source, root) = tree_of(text, name, sets)?;
        Self::of_population(source, root)
    }

    /// Reads the tree of a scenario of population protocols.
    pub(crate) fn of_population(
        mut source: EffectiveText,
        mut root: SpannedNode,
    ) -> Result<Self, DocumentError> {
        textbook::with_scheduler(&mut source, &mut root)?;
        Self::of_tree(source, root)
    }

    /// Does the same as [`of_population`](Self::of_population); `refused` may replace the error.
    pub(crate) fn of_population_or(
        mut source: EffectiveText,
        mut root: SpannedNode,
        refused: impl FnOnce(DocumentError, &EffectiveText, &SpannedNode) -> DocumentError,
    ) -> Result<Self, DocumentError> {
        textbook::with_scheduler(&mut source, &mut root)?;
        Self::of_tree_or(source, root, refused)
    }

    /// Builds a document for a text that is not a whole scenario. Paths are followed from `root`.
    pub(super) fn of_parts(source: EffectiveText, root: SpannedNode, scenario: Scenario) -> Self {
        Self { source, root, scenario }
    }

    /// Parses bytes that should be UTF-8 text.
    ///
    /// # Errors
    ///
    /// As for [`Document::parse_with`]; a binary file is refused at its first byte that is not UTF-8.
    pub fn parse_bytes(bytes: &[u8], name: &str, sets: &[(String, String)]) -> Result<Self, DocumentError> {
        Self::parse_with(text_of(bytes, name)?, name, sets)
    }

    /// Reads a scenario from a file, with overrides applied in order.
    ///
    /// # Errors
    ///
    /// As for [`Document::parse_bytes`]; also if the file is missing, a folder, unreadable or longer than
    /// [`MAX_FILE_BYTES`].
    pub fn read(path: &Path, sets: &[(String, String)]) -> Result<Self, DocumentError> {
        Self::parse_bytes(&bytes_of(path, "scenario")?, &path.display().to_string(), sets)
    }
}

/// The values that name input files: the path of an entry, the names of entries with a file, and the path of the file
/// name. Other entries may have parameters of the same name that are not files, such as the `path` of `ForestWalk`.
const FILES: [(&str, &[&str], &str); 5] = [
    ("topology", &["File", "Contacts"], "topology.path"),
    ("work.protocol", &["File"], "work.protocol.path"),
    ("exclusion", &["CriticalSections"], "exclusion.bounds"),
    ("amoebots.algorithm", &["File"], "amoebots.algorithm.path"),
    ("amoebots.start", &["Drawing", "Recorded"], "amoebots.start.path"),
];

/// A data file of a scenario, as it was when the scenario was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DataFile {
    /// The path of the value that names the file, such as `topology.path`.
    pub place: &'static str,
    /// The path of the file as written, relative to the folder of the scenario.
    pub path: String,
    /// The XXH3 128-bit digest of the bytes of the file, as 32 hexadecimal digits; empty if the file cannot be read.
    pub digest: String,
}

impl DataFile {
    /// The name of the digest among the parameters in a record: `topology.digest` for `topology.path`.
    #[must_use]
    pub fn parameter(&self) -> String {
        format!("{}.digest", self.place.trim_end_matches(".path"))
    }
}

impl<S> Document<S> {
    /// The topology, if it is not a graph family.
    pub(crate) fn topology(&self) -> Option<Result<TopologySource, DecodeFailure>> {
        let choice = self.choice("topology");
        choice.is_one_of(TopologySource::NAMES).then(|| choice.read())
    }

    /// The data files that the scenario names: the path of each value, and the file, relative to the scenario's folder.
    #[must_use]
    pub fn files(&self) -> Vec<(&'static str, String)> {
        let path_at = |&(entry, words, place): &(&str, &[&str], &'static str)| {
            let segments = path::parse(place).ok()?;
            match path::follow(&self.root, &segments) {
                (SpannedNode { value: SpannedValue::Text(path), .. }, used)
                    if used == segments.len() && self.choice(entry).is_one_of(words) =>
                {
                    Some((place, path.clone()))
                }
                _ => None,
            }
        };
        FILES.iter().filter_map(path_at).collect()
    }

    /// The data files, found in the folder `base`, with their digests.
    #[must_use]
    pub fn data_files(&self, base: &Path) -> Vec<DataFile> {
        let files = self.files().into_iter();
        files.map(|(place, path)| DataFile { place, digest: digest_of(&base.join(&path)), path }).collect()
    }

    /// The folder that the data files of a recorded scenario are relative to: normally that of the recording. The
    /// scenario's folder at the time of recording is used instead in two cases. Files are missing in the folder of the
    /// recording, or they have changed there and are unchanged in the scenario's folder.
    #[must_use]
    pub fn base_of_recording(&self, recording: &Path, header: &Header) -> PathBuf {
        let beside = recording.parent().unwrap_or(Path::new("")).to_owned();
        let is_recorded = |base: &Path| {
            self.data_files(base).iter().all(|file| header.files.get(file.place) == Some(&file.digest))
        };
        let there = header.folder.as_ref().map(PathBuf::from);
        let is_missing = |base: &Path| self.files().iter().any(|(_, file)| !base.join(file).exists());
        let there =
            there.filter(|there| !is_recorded(&beside) && (is_recorded(there) || is_missing(&beside)));
        there.unwrap_or(beside)
    }

    /// The digest of the effective text and of the files that it names. Without files it is [`Document::digest`].
    #[must_use]
    pub fn digest_with(&self, files: &[DataFile]) -> String {
        let mut digest = self.digest();
        if !files.is_empty() {
            files.iter().for_each(|DataFile { place, digest: of_file, .. }| {
                digest.extend(["\n", place, " ", of_file]);
            });
            digest = format!("{:032x}", xxh3_128(digest.as_bytes()));
        }
        digest
    }

    /// Reads the tree of a scenario.
    pub(crate) fn of_tree(source: EffectiveText, root: SpannedNode) -> Result<Self, DocumentError>
    where
        S: DeserializeOwned,
    {
        Self::of_tree_or(source, root, |error, _, _| error)
    }

    /// Reads the tree of a scenario; `refused` may replace the error.
    pub(crate) fn of_tree_or(
        source: EffectiveText,
        root: SpannedNode,
        refused: impl FnOnce(DocumentError, &EffectiveText, &SpannedNode) -> DocumentError,
    ) -> Result<Self, DocumentError>
    where
        S: DeserializeOwned,
    {
        let read = read_as(&root, source.text());
        let scenario = read.map_err(|failure| refused(source.error(failure), &source, &root))?;
        Ok(Self { source, root, scenario })
    }

    /// The source text and its tree.
    pub(crate) fn tree(&self) -> (&EffectiveText, &SpannedNode) {
        (&self.source, &self.root)
    }

    /// The scenario as written.
    #[must_use]
    pub fn scenario(&self) -> &S {
        &self.scenario
    }

    /// The name of the file as given.
    #[must_use]
    pub fn file(&self) -> &str {
        self.source.file()
    }

    /// The effective text: the file with all overrides applied. Parsing it without overrides gives the same scenario.
    #[must_use]
    pub fn text(&self) -> &str {
        self.source.text()
    }

    /// The effective text with further overrides: see [`Document::parse_with`].
    ///
    /// # Errors
    ///
    /// A path or a value cannot be read, or the path does not name a field. The result need not be a valid scenario.
    pub fn text_with(&self, sets: &[(String, String)]) -> Result<String, DocumentError> {
        let (mut source, mut root) = (self.source.clone(), self.root.clone());
        for (key, value) in sets {
            overriding::apply(&mut source, &mut root, key, value)?;
        }
        Ok(source.text().to_owned())
    }

    /// The XXH3 128-bit digest of the effective text, as 32 hexadecimal digits.
    #[must_use]
    pub fn digest(&self) -> String {
        format!("{:032x}", xxh3_128(self.text().as_bytes()))
    }

    /// The position of the value at a path; `None` if the path is not written.
    ///
    /// A path names fields and keys by `.name`, entries of lists and unnamed values by `[0]`, other keys by `["a
    /// key"]`. Names of variants are not part of a path: `scheduler.activation`, `work.protocol.rules[2]`,
    /// `work.initial.A`, `stop[0]`.
    #[must_use]
    pub fn locate(&self, path: &str) -> Option<Place> {
        let segments = path::parse(path).ok()?;
        let (node, used) = path::follow(&self.root, &segments);
        (used == segments.len()).then(|| self.source.place(&node.head()))
    }

    /// An error about the value at a path, found after reading. If the path is not written, the error points at the
    /// nearest enclosing value.
    #[must_use]
    pub fn error(&self, path: &str, message: impl Into<String>) -> DocumentError {
        let node = self.nearest(path);
        self.source.error(DecodeFailure::new(node.head(), message))
    }

    /// An error about a name. If the last part of `path` is the name, the error points at the key of the entry at this
    /// path, otherwise at the value.
    #[must_use]
    pub fn error_about_name(&self, path: &str, name: &str, message: impl Into<String>) -> DocumentError {
        let segments = path::parse(path).unwrap_or_default();
        let key = path::key(&self.root, &segments).filter(|key| key.is_text(name));
        let node = key.unwrap_or_else(|| self.nearest(path));
        self.source.error(DecodeFailure::new(node.head(), message))
    }

    /// An error about a part of the text value at a path: `part` is in bytes of the decoded text.
    ///
    /// If the value is not a text, this is [`Document::error`].
    #[must_use]
    pub fn error_in_text(&self, path: &str, part: ByteSpan, message: impl Into<String>) -> DocumentError {
        let node = self.nearest(path);
        let span = match &node.value {
            SpannedValue::Text(_) => {
                let place = |at| place_in_text(self.source.text(), &node.span, at);
                place(part.start)..place(part.end)
            }
            _ => node.head(),
        };
        self.source.error(DecodeFailure::new(span, message))
    }

    pub(super) fn nearest(&self, path: &str) -> &SpannedNode {
        match path::parse(path) {
            Ok(segments) => path::follow(&self.root, &segments).0,
            Err(_) => &self.root,
        }
    }
}

/// The digest of the bytes of a file; empty if it cannot be read, which is reported elsewhere.
fn digest_of(path: &Path) -> String {
    let Ok(mut file) = acrasin_graphs::read::open(path) else { return String::new() };
    let (mut hasher, mut part, mut is_begun) = (Xxh3Default::new(), vec![0; 1 << 16], false);
    loop {
        match file.read(&mut part) {
            Ok(0) => return format!("{:032x}", hasher.digest128()),
            Ok(bytes) => {
                let read = &part[..bytes];
                // The digest excludes a byte order mark, so that it equals the digest of the text.
                let mark = if is_begun { None } else { read.strip_prefix(b"\xEF\xBB\xBF") };
                hasher.update(mark.unwrap_or(read));
                is_begun = true;
            }
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(_) => return String::new(),
        }
    }
}

/// The bytes of a file. If the file is longer than allowed, one byte more than allowed is returned. Errors describe the
/// expected content as `what`.
pub(crate) fn bytes_of(path: &Path, what: &str) -> Result<Vec<u8>, DocumentError> {
    let name = path.display().to_string();
    let unreadable = |error: &std::io::Error| {
        let message = match error.kind() {
            ErrorKind::IsADirectory => format!("this is a folder, not a {what} file"),
            _ => format!("the {what} cannot be read: {error}"),
        };
        DocumentError::of_file(&name, message).accepting(format!("the path of a {what} file"))
    };
    let file = acrasin_graphs::read::open(path).map_err(|error| unreadable(&error))?;
    let mut bytes = Vec::new();
    // A few bytes more than allowed, so that a longer file is noticed without reading all of it.
    file.take(MAX_FILE_BYTES as u64 + 4).read_to_end(&mut bytes).map_err(|error| unreadable(&error))?;
    Ok(bytes)
}

/// Decodes UTF-8 and removes a byte order mark. The error has the position of the first invalid byte.
pub(crate) fn text_of<'b>(bytes: &'b [u8], name: &str) -> Result<&'b str, DocumentError> {
    let bytes = bytes.strip_prefix("\u{FEFF}".as_bytes()).unwrap_or(bytes);
    acrasin_graphs::read::utf8(bytes).map_err(|error| {
        if bytes.len() > MAX_FILE_BYTES {
            return too_long(name);
        }
        let at = error.at();
        // Everything before is valid, so the place is the same in the lossy text.
        let text = String::from_utf8_lossy(bytes);
        let failure = DecodeFailure::new(at..at + 1, format!("this is not text: {}", error.problem()));
        EffectiveText::new(name, &text)
            .error(failure.accepting(format!("a scenario as {}", error.accepted())))
    })
}

/// The text after overrides with the origin of its bytes, and its tree.
pub(crate) fn tree_of(
    text: &str,
    name: &str,
    sets: &[(String, String)],
) -> Result<(EffectiveText, SpannedNode), DocumentError> {
    let text = acrasin_graphs::read::without_mark(text);
    if text.len() > MAX_FILE_BYTES {
        return Err(too_long(name));
    }
    let mut source = EffectiveText::new(name, text);
    if let Some(at) = text.find('\0') {
        return Err(source.error(binary(at..at + 1)));
    }
    let mut root = read::parse(text).map_err(|failure| source.error(failure))?;
    if sets.len() > MAX_SETS {
        return Err(DocumentError::of_file(name, format!("{} overrides are given", sets.len()))
            .accepting(format!("at most {MAX_SETS}")));
    }
    for (key, value) in sets {
        overriding::apply(&mut source, &mut root, key, value)?;
    }
    Ok((source, root))
}

fn too_long(name: &str) -> DocumentError {
    DocumentError::of_file(name, "the file is too long for a scenario")
        .accepting(format!("at most {MAX_FILE_BYTES} bytes"))
}

fn binary(span: ByteSpan) -> DecodeFailure {
    DecodeFailure::new(span, "this byte is not text: the file is binary, compressed or not UTF-8")
        .accepting("a scenario as UTF-8 text")
}

impl<S> Document<S> {
    /// The catalogue reference at the path of a [`CatalogueRef`](super::CatalogueRef).
    pub(crate) fn choice(&self, path: &str) -> EntryRef<'_> {
        EntryRef::of(self.nearest(path), self.text())
    }

    /// Converts a failure to an error with a position in this document.
    pub(crate) fn refused(&self, failure: DecodeFailure) -> DocumentError {
        self.source.error(failure)
    }

    /// Converts an error about a parameter of the entry at `path` to an error with a position.
    pub(crate) fn misfit(&self, path: &str, error: &ParameterError) -> DocumentError {
        let refused = self.error(&format!("{path}.{}", error.parameter()), error.message());
        match error.accepted() {
            Some(accepted) => refused.accepting(accepted),
            None => refused,
        }
    }
}
