//! Memory limits, checked before anything is allocated.

use std::fmt;

/// The memory that a run may take, in bytes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct MemoryLimit(pub u64);

/// The error of a run that would need more memory than the limit. Nothing has been allocated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooLarge {
    /// The requested number of nodes.
    pub nodes: u64,
    /// The estimated memory of the run, in bytes.
    pub bytes: u64,
    /// The limit, in bytes.
    pub limit: u64,
}

impl MemoryLimit {
    /// No memory limit.
    pub const NONE: Self = Self(u64::MAX);

    /// Checks whether `bytes` for `nodes` nodes are within the limit.
    ///
    /// # Errors
    ///
    /// [`TooLarge`] if they are above the limit.
    pub fn check(self, nodes: u64, bytes: u64) -> Result<(), TooLarge> {
        if bytes > self.0 { Err(TooLarge { nodes, bytes, limit: self.0 }) } else { Ok(()) }
    }
}

impl fmt::Display for TooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { nodes, bytes, limit } = self;
        write!(
            f,
            "{nodes} nodes need about {} MiB, more than the limit of {} MiB: ask for fewer nodes, or raise the limit",
            bytes.div_ceil(1 << 20),
            limit >> 20
        )
    }
}

impl std::error::Error for TooLarge {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_above_the_limit_are_refused_with_the_estimate() {
        let limit = MemoryLimit(8 << 20);
        assert_eq!(limit.check(10, 8 << 20), Ok(()));
        let error = limit.check(3_000_000, (8 << 20) + 1).unwrap_err();
        assert_eq!(
            error.to_string(),
            "3000000 nodes need about 9 MiB, more than the limit of 8 MiB: ask for fewer nodes, or raise the limit"
        );
    }
}
