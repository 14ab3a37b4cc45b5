//! [`WrongEntry`]: a fault, a setting, and the consequence of the fault in this setting.

use std::fmt;

use super::fault::RuleFault;
use super::setting::Setting;

/// A wrong rule set, with an instance in which a check finds the fault.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WrongEntry {
    /// A short name, with hyphens between the words.
    pub name: &'static str,
    /// A description of the fault, in one sentence.
    pub what: &'static str,
    /// The subject in the specification: a fault (F1 to F14), a repair, a section, or a subtle point.
    pub about: &'static str,
    /// The deviation from the right rules.
    pub fault: RuleFault,
    /// The smallest known setting in which a check finds the fault.
    pub setting: Setting,
    /// The consequence of the fault in this setting.
    pub shows: Consequence,
    /// The number of configurations within which an exploration finds the consequence. Configurations after a broken
    /// promise do not count.
    pub within: u64,
}

/// The consequence of a fault that a check must find.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Consequence {
    /// A broken promise of the lock layer: [`Violation`](acrasin_runtime::Violation).
    Promise,
    /// A configuration in which no node can act, with an outstanding Lock or Unlock.
    Dead,
    /// A configuration with an outstanding Lock that cannot succeed under any schedule and draws, unless the graph
    /// changes or another node calls Lock.
    Unreachable,
    /// A weakly fair adversary can keep a Lock outstanding forever.
    Starvation,
    /// A broken invariant of memories and messages between actions (spec 2.4).
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

/// Defines the wrong rule sets of a file, each as
/// `NAME, ABOUT: WHAT, FAULT => SETTING, CONSEQUENCE within CONFIGURATIONS;`.
macro_rules! entries {
    ($($name:literal, $about:literal: $what:literal, $fault:expr
        => $setting:ident $(.$change:ident($($by:expr),*))*, $shows:ident within $within:literal;)*) => {
        pub(super) const ENTRIES: &[super::entry::WrongEntry] = &[$(super::entry::WrongEntry {
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
