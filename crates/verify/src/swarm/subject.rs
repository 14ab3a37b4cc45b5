//! Which rules are run, and which properties are checked after every step.

use std::fmt;

use acrasin_runtime::exclusion::local::{Action, Local, Memory, Message, Rules};
use acrasin_runtime::{Exclusion, LockOnly, World};

use super::Broken;
use crate::properties;

/// An algorithm in the words of [`Local`]: the same memory, messages and actions, possibly other rules.
pub trait LocalRules: Exclusion<Memory = Memory, Message = Message, Action = Action> {}

impl<E: Exclusion<Memory = Memory, Message = Message, Action = Action>> LocalRules for E {}

/// The world of a swarm run. No node calls Lock by itself: whoever drives the run does it as a step.
pub type SwarmWorld<E> = World<E, LockOnly>;

type Make<E> = Box<dyn Fn(Local) -> E + Send + Sync>;
type Property<E> = Box<dyn Fn(&SwarmWorld<E>) -> Result<(), Broken> + Send + Sync>;

/// The rules under test.
///
/// The promises of the lock layer ([`World::check`]) are checked in any case; properties come on top.
///
/// ```
/// use acrasin_runtime::exclusion::local::Rules;
/// use acrasin_verify::swarm::{run, Broken, Kind, Plan, Subject};
/// let subject = Subject::rules(Rules::REPAIRED).with_property(|world| {
///     if world.held() > 2 {
///         return Err(Broken::new("at most two held", format!("{} nodes are held", world.held())));
///     }
///     Ok(())
/// });
/// // A property that is false is found false.
/// let failed = (0..100).find_map(|seed| run(&subject, &Plan::from_seed(seed)).failure);
/// assert_eq!(failed.unwrap().kind(), Kind("at most two held".into()));
/// ```
pub struct Subject<E: LocalRules> {
    name: String,
    rules: Option<Rules>,
    make: Make<E>,
    properties: Vec<Property<E>>,
}

impl Subject<Local> {
    /// The shipped algorithm with these rules.
    #[must_use]
    pub fn rules(rules: Rules) -> Self {
        Self {
            name: format!("{rules:?}"),
            rules: Some(rules),
            make: Box::new(move |local| local.with_rules(rules)),
            properties: Vec::new(),
        }
    }
}

impl<E: LocalRules> Subject<E> {
    /// Other rules: `make` gets the shipped algorithm with the repaired rules and the parameters of the plan.
    ///
    /// `name` stands in saved runs.
    #[must_use]
    pub fn new(name: impl Into<String>, make: impl Fn(Local) -> E + Send + Sync + 'static) -> Self {
        Self { name: name.into(), rules: None, make: Box::new(make), properties: Vec::new() }
    }

    /// Also checks `property` at the start and after every step. Several are checked in the order in which they were added.
    #[must_use]
    pub fn with_property(
        mut self,
        property: impl Fn(&SwarmWorld<E>) -> Result<(), Broken> + Send + Sync + 'static,
    ) -> Self {
        self.properties.push(Box::new(property));
        self
    }

    /// Also checks all invariants of [`properties`](crate::properties) after every step. Cost: a run takes several times
    /// as long.
    #[must_use]
    pub fn with_invariants(mut self) -> Self
    where
        E: 'static,
    {
        for property in properties::all::<E, LockOnly>() {
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

    pub(super) fn exclusion(&self, local: Local) -> E {
        (self.make)(local)
    }

    pub(super) fn check(&self, world: &SwarmWorld<E>) -> Result<(), Broken> {
        self.properties.iter().try_for_each(|property| property(world))
    }
}

impl<E: LocalRules> fmt::Debug for Subject<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Subject({}, {} properties)", self.name, self.properties.len())
    }
}
