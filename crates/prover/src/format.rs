//! Formats of certificates.

/// The lemmas that a certificate may use.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum CertificateFormat {
    /// `all-n/1`: siphons and traps of whole runs.
    #[default]
    WholeRuns,
    /// `all-n/2`: also siphons and traps of the part of a run before the first entry into a set of states, or after the
    /// last exit from it. Checkers that only know `all-n/1` refuse such certificates.
    PartsOfRuns,
}

impl CertificateFormat {
    /// The name of the format, as certificates state it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::WholeRuns => "all-n/1",
            Self::PartsOfRuns => "all-n/2",
        }
    }
}
