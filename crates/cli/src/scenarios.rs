//! Built-in scenarios, which run without a file.

/// A built-in scenario.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Embedded {
    /// The name that `acrasin run` accepts instead of a file.
    pub name: &'static str,
    /// A one-line summary.
    pub summary: &'static str,
    /// The text of the scenario.
    pub text: &'static str,
}

/// All built-in scenarios. `acrasin run` runs the first one by default.
pub const ALL: [Embedded; 2] = [
    Embedded {
        name: "approximate-majority-mobility",
        summary: "approximate majority under local mutual exclusion, over contacts of random waypoint walkers",
        text: acrasin_protocols::APPROXIMATE_MAJORITY_MOBILITY,
    },
    Embedded {
        name: "hexagon-messages",
        summary: "amoebots: hexagon formation, all at the same time, with locks by message passing",
        text: acrasin_amoebot::HEXAGON_MESSAGES,
    },
];

/// The built-in scenario of this name.
#[must_use]
pub fn find(name: &str) -> Option<&'static Embedded> {
    ALL.iter().find(|scenario| scenario.name == name)
}
