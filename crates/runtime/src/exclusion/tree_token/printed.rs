//! What the paper prints and the repaired rules do otherwise.

use crate::exclusion::Misprint;

/// A place where the printed text goes wrong, or leaves open what goes wrong in one reading. Under none of them the rules are the
/// repaired ones.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Slip {
    /// Line 7, `mandator_i := i`: a proxy without the token notes itself and not who asked.
    MandatorItself,
    /// `exit_cs`, `if lender_i`: the token is given back by whoever has a lender, itself among them.
    LenderNotNil,
    /// `wait(not asked)`: who waits is woken by an action of its own, after the one that ends the wait.
    DrainedApart,
    /// Figure 4, "upon receiving": the topology rule is evaluated when a request arrives, not when it is served.
    ReadOnArrival,
}

impl Misprint for Slip {
    const ALL: &'static [Self] =
        &[Self::MandatorItself, Self::LenderNotNil, Self::DrainedApart, Self::ReadOnArrival];

    const NAMES: &'static [&'static str] =
        &["MandatorItself", "LenderNotNil", "DrainedApart", "ReadOnArrival"];

    fn place(self) -> usize {
        self as usize
    }
}
