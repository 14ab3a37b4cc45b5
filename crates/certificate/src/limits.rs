//! The limits on certificates, which are untrusted files, with their reasons.

/// The maximum number of bytes of a certificate. The text is held in memory. The largest known certificates, for
/// protocols with a hundred states, have a few megabytes.
pub const CERTIFICATE_BYTES_MAX: usize = 64 << 20;

/// The maximum number of JSON values of a certificate. Each value takes 12 bytes while the file is read, and at most
/// about 100 bytes afterwards.
pub const CERTIFICATE_VALUES_MAX: usize = 8 << 20;

/// The maximum number of digits of a number. Numbers of simplex solutions with hundreds of rows stay below it.
pub const NUMBER_DIGITS_MAX: usize = 2048;

/// The maximum number of levels of a tree. A chain of splits has one level per state.
pub const TREE_LEVELS_MAX: usize = 8192;

/// The maximum number of bits of the common denominator of a sum.
pub const DENOMINATOR_BITS_MAX: u64 = 1 << 17;

/// The maximum number of terms of all constraints in force. A term takes 32 bytes. A protocol with a hundred states and
/// five thousand transitions starts with thirty thousand terms, and each distinction by an entry adds as many again.
pub const TERMS_IN_FORCE_MAX: usize = 1 << 25;

/// The maximum number of bytes of the views of all nodes that wait to be checked.
pub const WAITING_BYTES_MAX: usize = 1 << 29;

/// The maximum number of characters of a path in a message.
pub const PLACE_CHARS_MAX: usize = 240;

/// The maximum number of nodes of a drawn tree. A larger picture cannot be read.
pub const DRAWN_NODES_MAX: usize = 1000;
