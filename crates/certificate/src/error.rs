//! Errors of reading and of checking certificates.

use std::fmt;

use crate::place::place;

/// The maximum number of bytes of a message, because a quoted value may be long.
const MESSAGE_CHARS: usize = 300;

/// The error for a text that is not a certificate, with the position of the fault.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CertificateError {
    place: String,
    message: String,
    accepted: String,
}

impl CertificateError {
    pub(crate) fn new(text: &str, at: usize, message: impl Into<String>) -> Self {
        Self { place: place(text, at), message: cut(message.into()), accepted: String::new() }
    }

    pub(crate) fn accepting(mut self, accepted: impl Into<String>) -> Self {
        self.accepted = cut(accepted.into());
        self
    }

    /// The path of the faulty value in the JSON, with its byte offset.
    #[must_use]
    pub fn place(&self) -> &str {
        &self.place
    }

    /// The fault, without its position.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }

    /// The accepted values; empty if no value would be accepted.
    #[must_use]
    pub fn accepted(&self) -> &str {
        &self.accepted
    }
}

impl fmt::Display for CertificateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.message)?;
        if self.accepted.is_empty() { Ok(()) } else { write!(f, "; accepted: {}", self.accepted) }
    }
}

impl std::error::Error for CertificateError {}

/// The reason why a check did not accept a certificate: the first fault with its position, or an interruption by the
/// caller.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CertificateRefusal {
    place: String,
    reason: String,
    is_interrupted: bool,
}

impl CertificateRefusal {
    pub(crate) fn new(text: &str, fault: &CertificateFault) -> Self {
        match fault {
            CertificateFault::Wrong { at, reason } => {
                Self { place: place(text, *at as usize), reason: cut(reason.clone()), is_interrupted: false }
            }
            CertificateFault::Interrupted => Self {
                place: String::new(),
                reason: "the check was interrupted".to_owned(),
                is_interrupted: true,
            },
        }
    }

    /// The path of the faulty value in the JSON, with its byte offset; empty if the check was interrupted.
    #[must_use]
    pub fn place(&self) -> &str {
        &self.place
    }

    /// The fault, without its position.
    #[must_use]
    pub fn reason(&self) -> &str {
        &self.reason
    }

    /// Whether the caller stopped the check. Then nothing is known about the certificate.
    #[must_use]
    pub fn is_interrupted(&self) -> bool {
        self.is_interrupted
    }
}

impl fmt::Display for CertificateRefusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_interrupted {
            f.write_str(&self.reason)
        } else {
            write!(f, "{}: {}", self.place, self.reason)
        }
    }
}

impl std::error::Error for CertificateRefusal {}

/// The reason why a check ended: a byte offset, of which the path is computed later, or an interruption.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum CertificateFault {
    /// The value at byte `at` is wrong.
    Wrong { at: u32, reason: String },
    /// The caller ended the check.
    Interrupted,
}

impl CertificateFault {
    pub(crate) fn new(at: u32, reason: impl Into<String>) -> Self {
        Self::Wrong { at, reason: reason.into() }
    }
}

fn cut(message: String) -> String {
    match message.char_indices().nth(MESSAGE_CHARS) {
        None => message,
        Some((end, _)) => format!("{}…", &message[..end]),
    }
}
