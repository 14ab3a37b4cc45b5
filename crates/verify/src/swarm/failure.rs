//! Failures of swarm runs.

use std::borrow::Cow;
use std::fmt;

use acrasin_process::Ending;
use acrasin_runtime::Violation;

/// A property that does not hold, with a description of the violation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Broken {
    property: Cow<'static, str>,
    what: String,
}

impl Broken {
    /// `property` is the name of the property; shrinking accepts only runs that break the same property. `what`
    /// describes where and how it is violated.
    #[must_use]
    pub fn new(property: impl Into<Cow<'static, str>>, what: impl Into<String>) -> Self {
        Self { property: property.into(), what: what.into() }
    }

    /// The name of the property.
    #[must_use]
    pub fn property(&self) -> &str {
        &self.property
    }

    /// A description of the violation.
    #[must_use]
    pub fn what(&self) -> &str {
        &self.what
    }
}

/// The failure of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum SwarmFailure {
    /// A promise of the lock layer was broken.
    Promise(Violation),
    /// A property that is checked in addition does not hold.
    Property(Broken),
    /// No node can act, but calls are outstanding. The graph no longer changes, so the calls are never served.
    Dead {
        /// The number of outstanding Lock and Unlock calls.
        outstanding: u32,
    },
    /// Calls were still outstanding, or nodes still active, after the maximum number of steps without disturbances.
    NotDrained {
        /// The maximum number of steps after the last disturbance.
        steps: u64,
        /// The number of outstanding Lock and Unlock calls.
        outstanding: u32,
    },
}

/// The kind of a failure, which shrinking preserves.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct FailureKind(pub Cow<'static, str>);

impl FailureKind {
    /// The kind of [`SwarmFailure::Dead`].
    pub const DEAD: Self = Self(Cow::Borrowed("dead configuration"));
    /// The kind of [`SwarmFailure::NotDrained`].
    pub const NOT_DRAINED: Self = Self(Cow::Borrowed("not drained"));

    /// The kind of a failure in which a promise is broken.
    #[must_use]
    pub fn of_promise(violation: &Violation) -> Self {
        Self(Cow::Borrowed(match violation {
            Violation::CommonNode { .. } => "common node",
            Violation::WrongLockSet { .. } => "wrong lock set",
            Violation::MemberNotLocked { .. } => "member not locked",
            Violation::StrangerInSection { .. } => "stranger in section",
            Violation::HeldNodeChangedLock { .. } => "held node changed its lock",
            Violation::TooManyMessages { .. } => "too many messages",
            Violation::ForeignRelease { .. } => "foreign release",
            Violation::TwoHolders { .. } => "two holders",
            Violation::OutsideBounds { .. } => "outside its bounds",
            Violation::NoSuchGrant { .. } => "no such grant",
            Violation::NothingToRaise { .. } => "nothing to raise",
            Violation::OffLink { .. } => "off the links",
            _ => "broken promise",
        }))
    }
}

impl fmt::Display for FailureKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl SwarmFailure {
    /// The kind of this failure.
    #[must_use]
    pub fn kind(&self) -> FailureKind {
        match self {
            Self::Promise(violation) => FailureKind::of_promise(violation),
            Self::Property(broken) => FailureKind(broken.property.clone()),
            Self::Dead { .. } => FailureKind::DEAD,
            Self::NotDrained { .. } => FailureKind::NOT_DRAINED,
        }
    }
}

impl From<&SwarmFailure> for Ending {
    fn from(failure: &SwarmFailure) -> Self {
        match failure {
            SwarmFailure::Promise(violation) => Self::Violated(violation.to_string()),
            SwarmFailure::Property(broken) => {
                Self::Failed { property: broken.property.to_string(), what: broken.what.clone() }
            }
            SwarmFailure::Dead { .. } => Self::Deadlock,
            SwarmFailure::NotDrained { steps, outstanding } => Self::Failed {
                property: FailureKind::NOT_DRAINED.to_string(),
                what: format!(
                    "{} outstanding {steps} steps after the last disturbance",
                    if *outstanding == 1 {
                        "1 call is".to_owned()
                    } else {
                        format!("{outstanding} calls are")
                    }
                ),
            },
        }
    }
}

impl fmt::Display for SwarmFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Ending::from(self).fmt(f)
    }
}

impl std::error::Error for SwarmFailure {}
