//! The output formats by name.

use std::fmt;
use std::str::FromStr;

/// The format of results.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Format {
    /// Aligned text for people.
    Table,
    /// Comma-separated values: a header line, quoting as in RFC 4180, lines end in LF.
    Csv,
    /// One JSON object per line.
    Jsonl,
}

impl Format {
    /// Every format, in the order of help texts.
    pub const ALL: [Self; 3] = [Self::Table, Self::Csv, Self::Jsonl];

    /// The name on the command line: `table`, `csv` or `jsonl`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Table => "table",
            Self::Csv => "csv",
            Self::Jsonl => "jsonl",
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

impl FromStr for Format {
    type Err = UnknownFormat;

    fn from_str(name: &str) -> Result<Self, UnknownFormat> {
        let found = Self::ALL.into_iter().find(|format| format.name() == name);
        found.ok_or_else(|| UnknownFormat { name: name.to_owned() })
    }
}

/// The error for an unknown name of a [`Format`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownFormat {
    name: String,
}

impl UnknownFormat {
    /// The name that was given.
    pub fn name(&self) -> &str {
        &self.name
    }
}

impl fmt::Display for UnknownFormat {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let accepted = Format::ALL.map(Format::name).join(", ");
        write!(formatter, "unknown format {:?}; accepted: {accepted}", self.name)
    }
}

impl std::error::Error for UnknownFormat {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_read_back() {
        for format in Format::ALL {
            assert_eq!(format.to_string().parse(), Ok(format));
        }
    }

    #[test]
    fn an_unknown_name_says_what_is_accepted() {
        let error = "CSV".parse::<Format>().expect_err("names are lower case");
        assert_eq!(error.name(), "CSV");
        assert_eq!(error.to_string(), r#"unknown format "CSV"; accepted: table, csv, jsonl"#);
    }
}
