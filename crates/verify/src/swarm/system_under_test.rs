//! The system under test: rules, and the properties checked after every step.

use std::fmt;

use acrasin_runtime::exclusion::local::{Local, Rules};
use acrasin_runtime::exclusion::{Assumptions, Exclusion, Guarantee};
use acrasin_runtime::{LockOnly, World};

use super::start::SwarmStart;
use super::{Broken, SwarmPlan, Swarmed};
use crate::properties::Property;
use crate::wrong::{Wrong, shipped};

/// The world of a swarm run. No node calls Lock on its own: the driver of the run makes calls as steps.
pub type SwarmWorld<E = Wrong> = World<E, LockOnly>;

type MakeExclusion<E> = Box<dyn Fn(&SwarmStart) -> E + Send + Sync>;
type StepCheck<E> = Box<dyn Fn(&SwarmWorld<E>) -> Result<(), Broken> + Send + Sync>;

/// The algorithm under test with its rules, by default local mutual exclusion.
///
/// The promises of the lock layer ([`World::check`]) are always checked. Properties can be added.
///
/// ```
/// use acrasin_runtime::exclusion::local::Rules;
/// use acrasin_verify::swarm::{run, Broken, FailureKind, SwarmPlan, SystemUnderTest};
/// let subject = SystemUnderTest::rules(Rules::REPAIRED).with_property(|world| {
///     if world.held() > 2 {
///         return Err(Broken::new("at most two held", format!("{} nodes are held", world.held())));
///     }
///     Ok(())
/// });
/// // A property that is false is found false.
/// let failed = (0..100).find_map(|seed| run(&subject, &SwarmPlan::from_seed(seed)).failure);
/// assert_eq!(failed.unwrap().kind(), FailureKind("at most two held".into()));
/// ```
pub struct SystemUnderTest<E: Exclusion = Wrong> {
    name: String,
    rules: Option<Rules>,
    make: MakeExclusion<E>,
    assumes: Assumptions,
    properties: Vec<StepCheck<E>>,
}

impl SystemUnderTest {
    /// Tests the shipped algorithm of local mutual exclusion with these rules.
    #[must_use]
    pub fn rules(rules: Rules) -> Self {
        let subject = Self::new(format!("{rules:?}"), move |local| shipped(local.with_rules(rules)));
        Self { rules: Some(rules), ..subject }
    }

    /// Tests other rules. `make` receives the shipped algorithm, with the repaired rules and the parameters of the
    /// plan, and returns the algorithm to test.
    ///
    /// `name` is written to saved runs.
    #[must_use]
    pub fn new(name: impl Into<String>, make: impl Fn(Local) -> Wrong + Send + Sync + 'static) -> Self {
        Self::of(name, move |start| make(start.local()))
    }
}

impl<E: Swarmed> SystemUnderTest<E> {
    /// Tests any algorithm. `make` receives the start of a run. Plans satisfy the algorithm's assumptions: on a static
    /// network the graph does not change, and a tree is given if one is assumed.
    ///
    /// `name` is written to saved runs.
    #[must_use]
    pub fn of(name: impl Into<String>, make: impl Fn(&SwarmStart) -> E + Send + Sync + 'static) -> Self {
        let assumes = make(&SwarmStart::LEAST).assumes();
        Self { name: name.into(), rules: None, make: Box::new(make), assumes, properties: Vec::new() }
    }

    /// The plan of a seed, restricted by the algorithm's assumptions and promise.
    #[must_use]
    pub fn plan(&self, seed: u64) -> SwarmPlan {
        SwarmPlan::from_seed(seed).fitted(&self.assumes, self.guarantee())
    }

    /// Adds a property to check at the start and after every step. Properties are checked in the order in which they
    /// were added.
    #[must_use]
    pub fn with_property(
        mut self,
        property: impl Fn(&SwarmWorld<E>) -> Result<(), Broken> + Send + Sync + 'static,
    ) -> Self {
        self.properties.push(Box::new(property));
        self
    }

    /// Adds properties to check after every step.
    #[must_use]
    pub fn with_properties(mut self, properties: Vec<Box<dyn Property<E, LockOnly>>>) -> Self {
        for property in properties {
            self = self.with_property(move |world| {
                property.check(world).map_err(|what| Broken::new(property.name(), what))
            });
        }
        self
    }

    /// Adds all [properties of the algorithm](crate::properties) to check after every step. A run then takes several
    /// times as long.
    #[must_use]
    pub fn with_all_properties(self) -> Self {
        self.with_properties(E::properties())
    }

    /// The name of the rules, as in saved runs.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The rules; `None` if they are not a shipped rule set.
    pub(super) fn shipped(&self) -> Option<Rules> {
        self.rules
    }

    pub(super) fn guarantee(&self) -> Guarantee {
        self.exclusion(&SwarmStart::LEAST).promises()
    }

    pub(super) fn assumes(&self) -> &Assumptions {
        &self.assumes
    }

    pub(super) fn exclusion(&self, start: &SwarmStart) -> E {
        (self.make)(start)
    }

    pub(super) fn check(&self, world: &SwarmWorld<E>) -> Result<(), Broken> {
        self.properties.iter().try_for_each(|property| property(world))
    }
}

impl<E: Exclusion> fmt::Debug for SystemUnderTest<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Subject({}, {} properties)", self.name, self.properties.len())
    }
}
