//! Which kind of scenario a file holds.

use std::path::Path;

use super::AmoebotScenario;
use crate::document::file::{bytes_of, text_of, tree_of};
use crate::text::tree::{Body, Node, Value};
use crate::{Document, DocumentError};

/// A scenario of amoebots: what was written, and where.
pub type AmoebotDocument = Document<AmoebotScenario>;

/// A scenario of either kind.
#[derive(Debug, Clone)]
pub enum ScenarioFile {
    /// Of population protocols and locks.
    Population(Box<Document>),
    /// Of amoebots.
    Amoebots(Box<AmoebotDocument>),
}

impl ScenarioFile {
    /// Reads a file.
    ///
    /// # Errors
    ///
    /// As [`Document::read`].
    pub fn read(path: &Path, sets: &[(String, String)]) -> Result<Self, DocumentError> {
        let name = path.display().to_string();
        Self::parse(text_of(&bytes_of(path)?, &name)?, &name, sets)
    }

    /// Whether a file is meant as a scenario of amoebots, right or wrong.
    #[must_use]
    pub fn is_of_amoebots(path: &Path) -> bool {
        let name = path.display().to_string();
        bytes_of(path).is_ok_and(|bytes| {
            let tree = text_of(&bytes, &name).and_then(|text| tree_of(text, &name, &[]));
            tree.is_ok_and(|(_, root)| has_amoebots(&root))
        })
    }

    /// Reads a text with overrides; `name` is what errors call the file.
    ///
    /// # Errors
    ///
    /// As [`Document::parse_with`], in the words of the kind that the text is of.
    pub fn parse(text: &str, name: &str, sets: &[(String, String)]) -> Result<Self, DocumentError> {
        let (source, root) = tree_of(text, name, sets)?;
        if has_amoebots(&root) {
            Document::of_tree(source, root).map(|document| Self::Amoebots(Box::new(document)))
        } else {
            Document::of_tree(source, root).map(|document| Self::Population(Box::new(document)))
        }
    }
}

fn has_amoebots(root: &Node) -> bool {
    match &root.value {
        Value::Group { body: Body::Fields(fields), .. } => {
            fields.iter().any(|field| field.name.text == "amoebots")
        }
        _ => false,
    }
}
