//! [`Demands`]: the assumptions of an algorithm about a structure.

/// The assumptions of an algorithm about frames.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FrameDemand {
    /// Frames are arbitrary.
    Any,
    /// All amoebots have the same chirality.
    Chirality,
    /// All amoebots have the same frame.
    Common,
}

/// The assumptions of an algorithm about a structure.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Demands {
    /// The minimum number of pins on each side of an edge.
    pub pins: u8,
    /// The assumption about the frames of the amoebots.
    pub frame: FrameDemand,
}
