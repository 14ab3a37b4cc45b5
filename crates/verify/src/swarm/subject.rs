//! Which rules are run, and which properties are checked after every step.

use std::fmt;

use acrasin_runtime::exclusion::local::{Local, Rules};
use acrasin_runtime::{LockOnly, World};

use super::Broken;
use crate::properties;
use crate::wrong::{Wrong, shipped};

/// The world of a swarm run. No node calls Lock by itself: whoever drives the run does it as a step.
pub type SwarmWorld = World<Wrong, LockOnly>;

type Make = Box<dyn Fn(Local) -> Wrong + Send + Sync>;
type Property = Box<dyn Fn(&SwarmWorld) -> Result<(), Broken> + Send + Sync>;

/// The rules under test.
///
/// The promises of the lock layer ([`World::check`]) are checked in any case; properties come on top.
///
/// ```
/// use acrasin_runtime::exclusion::local::Rules;
/// use acrasin_verify::swarm::{run, Broken, Kind, SwarmPlan, Subject};
/// let subject = Subject::rules(Rules::REPAIRED).with_property(|world| {
///     if world.held() > 2 {
///         return Err(Broken::new("at most two held", format!("{} nodes are held", world.held())));
///     }
///     Ok(())
/// });
/// // A property that is false is found false.
/// let failed = (0..100).find_map(|seed| run(&subject, &SwarmPlan::from_seed(seed)).failure);
/// assert_eq!(failed.unwrap().kind(), Kind("at most two held".into()));
/// ```
pub struct Subject {
    name: String,
    rules: Option<Rules>,
    make: Make,
    properties: Vec<Property>,
}

impl Subject {
    /// The shipped algorithm with these rules.
    #[must_use]
    pub fn rules(rules: Rules) -> Self {
        Self {
            name: format!("{rules:?}"),
            rules: Some(rules),
            make: Box::new(move |local| shipped(local.with_rules(rules))),
            properties: Vec::new(),
        }
    }

    /// Wrong rules: `make` gets the shipped algorithm with the repaired rules and the parameters of the plan.
    ///
    /// `name` stands in saved runs.
    #[must_use]
    pub fn new(name: impl Into<String>, make: impl Fn(Local) -> Wrong + Send + Sync + 'static) -> Self {
        Self { name: name.into(), rules: None, make: Box::new(make), properties: Vec::new() }
    }

    /// Also checks `property` at the start and after every step. Several are checked in the order in which they were added.
    #[must_use]
    pub fn with_property(
        mut self,
        property: impl Fn(&SwarmWorld) -> Result<(), Broken> + Send + Sync + 'static,
    ) -> Self {
        self.properties.push(Box::new(property));
        self
    }

    /// Also checks all invariants of [`properties`](crate::properties) after every step. Cost: a run takes several times
    /// as long.
    #[must_use]
    pub fn with_invariants(mut self) -> Self {
        for property in properties::all() {
            self = self.with_property(move |world| {
                property.check(world).map_err(|what| Broken::new(property.name(), what))
            });
        }
        self
    }

    /// The name of the rules.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Which of the shipped rules these are, if they are.
    pub(super) fn shipped(&self) -> Option<Rules> {
        self.rules
    }

    pub(super) fn exclusion(&self, local: Local) -> Wrong {
        (self.make)(local)
    }

    pub(super) fn check(&self, world: &SwarmWorld) -> Result<(), Broken> {
        self.properties.iter().try_for_each(|property| property(world))
    }
}

impl fmt::Debug for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Subject({}, {} properties)", self.name, self.properties.len())
    }
}
