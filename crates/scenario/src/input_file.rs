//! A file that is read before its kind is known.

use std::path::{Path, PathBuf};

use crate::DocumentError;
use crate::document::file::{bytes_of, text_of, tree_of};
use crate::text::source::EffectiveText;
use crate::text::tree::{GroupBody, SpannedNode, SpannedValue};

/// The kind of file that a text is meant to be, whether or not it is valid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileKind {
    /// A scenario of population protocols and locks.
    Population,
    /// A scenario of amoebots.
    Amoebots,
    /// A scenario of reactions.
    Reactions,
    /// A population protocol without a scenario.
    Protocol,
}

/// A RON file with its overrides applied.
///
/// ```
/// use acrasin_scenario::{FileKind, InputFile};
///
/// let file = InputFile::parse("(states: [\"A\"], rules: [])", "one.ron", &[]).unwrap();
/// assert_eq!(file.kind(), FileKind::Protocol);
/// ```
#[derive(Debug, Clone)]
pub struct InputFile {
    /// The folder that paths in the file are relative to.
    pub(crate) base: PathBuf,
    pub(crate) source: EffectiveText,
    pub(crate) root: SpannedNode,
}

impl InputFile {
    /// Reads a file of unknown kind, with overrides applied in order.
    ///
    /// # Errors
    ///
    /// As for [`Document::read`](crate::Document::read), but only errors of RON syntax and of overrides.
    pub fn read(path: &Path, sets: &[(String, String)]) -> Result<Self, DocumentError> {
        Self::read_as("scenario", path, sets)
    }

    /// Reads a file; errors describe the expected content as `what`.
    pub(crate) fn read_as(what: &str, path: &Path, sets: &[(String, String)]) -> Result<Self, DocumentError> {
        let name = path.display().to_string();
        let file = Self::parse(text_of(&bytes_of(path, what)?, &name)?, &name, sets)?;
        Ok(Self { base: path.parent().unwrap_or(Path::new("")).to_owned(), ..file })
    }

    /// Parses a text with overrides; `name` is the file name in errors. Paths in it are relative to the current folder.
    ///
    /// # Errors
    ///
    /// As for [`InputFile::read`].
    pub fn parse(text: &str, name: &str, sets: &[(String, String)]) -> Result<Self, DocumentError> {
        let (source, root) = tree_of(text, name, sets)?;
        Ok(Self { base: PathBuf::new(), source, root })
    }

    /// The kind of file that the text is meant to be. Amoebots and reactions are recognised by the field of this name,
    /// a protocol by its name or by fields that only a table has.
    #[must_use]
    pub fn kind(&self) -> FileKind {
        let SpannedValue::Group { name, body, .. } = &self.root.value else { return FileKind::Population };
        let has = |name: &str| matches!(body, GroupBody::Fields(fields) if fields.iter().any(|field| field.name.text == name));
        let is_table = (has("states") || has("rules")) && !has("work") && !has("topology");
        match name.as_ref().map(|name| &*name.text) {
            _ if has("amoebots") => FileKind::Amoebots,
            _ if has("reactions") => FileKind::Reactions,
            Some("Table" | "Library") => FileKind::Protocol,
            None if is_table => FileKind::Protocol,
            _ => FileKind::Population,
        }
    }
}
