//! [`TokenErratum`]: errors in the printed text of the paper, which the repaired rules avoid.

use crate::exclusion::Erratum;

/// An error of the printed text, or a wrong reading of an ambiguous passage. Without any erratum, the rules are the
/// repaired ones.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum TokenErratum {
    /// Line 7, `mandator_i := i`: a proxy without the token stores itself instead of the node that asked.
    MandatorItself,
    /// `exit_cs`, `if lender_i`: any node with a lender returns the token, also to itself.
    LenderNotNil,
    /// `wait(not asked)`: a waiting client is woken by a separate action, after the one that ends the wait.
    DrainedApart,
    /// Figure 4, "upon receiving": the topology rule is evaluated when a request arrives, not when it is served.
    ReadOnArrival,
}

impl Erratum for TokenErratum {
    const ALL: &'static [Self] =
        &[Self::MandatorItself, Self::LenderNotNil, Self::DrainedApart, Self::ReadOnArrival];

    const NAMES: &'static [&'static str] =
        &["MandatorItself", "LenderNotNil", "DrainedApart", "ReadOnArrival"];

    fn place(self) -> usize {
        self as usize
    }
}
