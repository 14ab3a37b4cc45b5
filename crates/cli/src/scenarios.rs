//! Scenarios that are part of the program: they run without any file.

/// A scenario that is part of the program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Embedded {
    /// Its name, which `acrasin run` takes in place of a file.
    pub name: &'static str,
    /// One line: what it shows.
    pub summary: &'static str,
    /// Its text.
    pub text: &'static str,
}

/// All of them; the first is what `acrasin run` runs if nothing is named.
pub const ALL: [Embedded; 2] = [
    Embedded {
        name: "approximate-majority-mobility",
        summary: "approximate majority under local mutual exclusion, over contacts of random waypoint walkers",
        text: acrasin_protocols::APPROXIMATE_MAJORITY_MOBILITY,
    },
    Embedded {
        name: "hexagon-messages",
        summary: "amoebots: hexagon formation, everybody at the same time, with locks by message passing",
        text: acrasin_amoebot::HEXAGON_MESSAGES,
    },
];

/// The scenario of that name.
#[must_use]
pub fn find(name: &str) -> Option<&'static Embedded> {
    ALL.iter().find(|scenario| scenario.name == name)
}
