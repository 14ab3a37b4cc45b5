//! [`Entry`]: a fault, where it shows, and how.

use std::fmt;

use super::fault::Fault;
use super::setting::Setting;

/// One wrong rule set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    /// A short name, with dashes.
    pub name: &'static str,
    /// What is wrong, in one sentence.
    pub what: &'static str,
    /// The place in the specification that it is about: a fault (F1 to F14), a repair, a section, a subtle point.
    pub about: &'static str,
    /// The fault.
    pub fault: Fault,
    /// The smallest instance known to show it.
    pub setting: Setting,
    /// What it leads to there.
    pub shows: Consequence,
    /// The budget: the wrong rules can reach no more configurations there. What follows a broken promise is not counted.
    pub within: u64,
}

/// What a fault leads to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Consequence {
    /// A promise of the lock layer is broken: [`Violation`](acrasin_runtime::Violation).
    Promise,
    /// A configuration in which no node can act and a Lock or Unlock is under way.
    Dead,
    /// A configuration in which a Lock is outstanding and from which it cannot succeed, whoever acts and whatever is
    /// drawn, unless the graph changes or somebody else calls Lock.
    Unreachable,
    /// A weakly fair adversary can keep a Lock outstanding for ever.
    Starvation,
    /// An invariant of memories and messages between actions does not hold (spec 2.4).
    Invariant,
}

impl fmt::Display for Consequence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Promise => "broken promise",
            Self::Dead => "dead configuration",
            Self::Unreachable => "success unreachable",
            Self::Starvation => "starvation",
            Self::Invariant => "broken invariant",
        })
    }
}

/// The wrong rule sets of a file, each as `NAME, ABOUT: WHAT, FAULT => SETTING, CONSEQUENCE within CONFIGURATIONS;`.
macro_rules! entries {
    ($($name:literal, $about:literal: $what:literal, $fault:expr
        => $setting:ident $(.$change:ident($($by:expr),*))*, $shows:ident within $within:literal;)*) => {
        pub(super) const ENTRIES: &[super::entry::Entry] = &[$(super::entry::Entry {
            name: $name,
            what: $what,
            about: $about,
            fault: $fault,
            setting: super::setting::Setting::$setting $(.$change($($by),*))*,
            shows: super::entry::Consequence::$shows,
            within: $within,
        }),*];
    };
}
pub(super) use entries;
