//! [`Demands`]: what an algorithm assumes of a structure.

/// The assumptions of an algorithm about frames.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FrameDemand {
    /// Nothing.
    Any,
    /// All amoebots have one chirality.
    Chirality,
    /// All amoebots have one frame.
    Common,
}

/// The assumptions of an algorithm about a structure.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Demands {
    /// The smallest number of pins on each side of an edge.
    pub pins: u8,
    /// The frames.
    pub frame: FrameDemand,
}
