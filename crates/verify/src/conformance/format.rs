//! The formats of conformance files.

use serde::Deserialize;
use serde::de::IgnoredAny;

use super::object::Object;
use super::report::Report;
use super::{critical_section, local, tree_token};
use crate::file::{FileError, Lines};

/// One format: how its scenarios are told from others, and what replays one.
#[derive(Clone, Copy)]
pub(super) struct Format {
    has: fn(&Fields) -> bool,
    /// Replays the line read last.
    pub(super) scenario: fn(&Lines<'_>, &mut Report) -> Result<(), FileError>,
}

/// All of them: the first that recognises a scenario.
const FORMATS: [Format; 3] = [
    Format { has: |fields| fields.father.is_some(), scenario: tree_token::scenario },
    Format { has: |fields| fields.alg.is_some(), scenario: critical_section::scenario },
    Format { has: |_| true, scenario: local::scenario },
];

/// The fields that only one format has.
#[derive(Deserialize, Default)]
struct Fields {
    #[serde(default)]
    father: Option<IgnoredAny>,
    #[serde(default)]
    alg: Option<IgnoredAny>,
}

impl Format {
    /// The format of the line read last. What is no object is for the format of local mutual exclusion to complain about.
    pub(super) fn of(lines: &Lines<'_>) -> Self {
        let fields =
            lines.parse::<Object<Fields>>().map_or_else(|_| Fields::default(), |Object(fields)| fields);
        *FORMATS.iter().find(|format| (format.has)(&fields)).expect("the last is for everything else")
    }
}
