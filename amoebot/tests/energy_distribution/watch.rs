//! Runs in which every promise of energy distribution is checked at every step.

use acrasin_amoebot::AmoebotId;
use acrasin_amoebot::library::energy_distribution::{Action, State};
use acrasin_amoebot::{
    Activated, Adversary, Algorithm, EnergyDistribution, Movement, SequentialCounts, SequentialExecution,
    System, View, enabled_actions,
};
use acrasin_runtime::choice::{Choices, Enumerated};

use super::{Label, Outer};

/// The maximum number of activations of a run.
const MOST: u64 = 3_000_000;

/// The end of a run.
pub(crate) struct Watched<M> {
    pub(crate) system: System<M>,
    pub(crate) counts: SequentialCounts,
    pub(crate) harvested: u64,
    pub(crate) spent: u64,
}

/// Runs `algorithm`, which is energy distribution or a variant of it, to the end.
///
/// # Errors
///
/// The first fault.
pub(crate) fn watched<A, W>(
    algorithm: &W,
    distribution: &EnergyDistribution<A>,
    start: System<Outer<A>>,
    activation: &mut impl Adversary,
    choices: &mut impl Choices,
) -> Result<Watched<Outer<A>>, String>
where
    A: Algorithm,
    W: Algorithm<Memory = Outer<A>, Action = Label<A>>,
{
    let mut run = SequentialExecution::new(algorithm, start);
    let (mut harvested, mut spent) = (0, 0);
    for _ in 0..MOST {
        if run.has_terminated() {
            let counts = run.counts();
            return Ok(Watched { system: run.system().clone(), counts, harvested, spent });
        }
        let id = activation.next(run.enabled(), choices);
        if !run.enabled().contains(id) {
            run.activate(id, choices);
            continue;
        }
        let before = run.system().clone();
        let (action, movement) = match run.activate(id, choices) {
            Activated::Completed { action, movement } => (action, movement),
            Activated::Aborted { action, error } => return Err(format!("{action:?} aborted: {error}")),
            Activated::Disabled => return Err("disabled".to_owned()),
        };
        match action {
            Action::HarvestEnergy => harvested += 1,
            Action::Paid(alpha) => {
                spent += u64::from(distribution.demand(alpha));
                may_pay(distribution, &before, id, alpha)?;
            }
            _ => {}
        }
        if harvested != spent + distribution.stored(run.system()) {
            return Err(format!("energy after {action:?}"));
        }
        let batteries =
            run.system().ids().all(|id| run.system().memory(id).battery <= distribution.capacity());
        if !batteries {
            return Err("a battery above the capacity".to_owned());
        }
        same_as_without(distribution, &before, id, action, run.system())?;
        is_forest(distribution, run.system())?;
        keeps_parents(distribution, &before, (id, action, movement), run.system())?;
    }
    Err("no end".to_owned())
}

/// Checks that an amoebot that executes an action of the algorithm has the energy for it, and no idle or pruning
/// neighbour.
fn may_pay<A: Algorithm>(
    distribution: &EnergyDistribution<A>,
    before: &System<Outer<A>>,
    id: AmoebotId,
    alpha: A::Action,
) -> Result<(), String> {
    if before.memory(id).battery < distribution.demand(alpha) {
        return Err("below its demand".to_owned());
    }
    let mut around = std::iter::once(id).chain(before.neighbours(id)).map(|id| before.memory(id).state);
    match around.find(|state| matches!(state, State::Idle | State::Pruning)) {
        Some(state) => Err(format!("acts beside {state:?}")),
        None => Ok(()),
    }
}

/// Checks that an action of the algorithm does the same without energy distribution, and that all other actions leave
/// the algorithm's memories unchanged.
fn same_as_without<A: Algorithm>(
    distribution: &EnergyDistribution<A>,
    before: &System<Outer<A>>,
    id: AmoebotId,
    action: Label<A>,
    after: &System<Outer<A>>,
) -> Result<(), String> {
    let mut inner = distribution.inner(before);
    if let Action::Paid(alpha) = action {
        let view = View::new(&inner, id);
        if !enabled_actions(distribution.algorithm(), view).any(|enabled| enabled == alpha) {
            return Err(format!("{alpha:?} is not enabled in the algorithm"));
        }
        let effects = distribution.algorithm().execute(alpha, &view, &mut Enumerated::new());
        let effects = effects.map_err(|error| error.to_string())?;
        effects.apply(&mut inner, id).map_err(|error| error.to_string())?;
    }
    if inner == distribution.inner(after) {
        Ok(())
    } else {
        Err(format!("{action:?} differs from the algorithm"))
    }
}

/// Checks that active, asking and growing amoebots have a parent, which is a neighbour and not idle, all others
/// have none, and there are no cycles.
pub(crate) fn is_forest<A: Algorithm>(
    distribution: &EnergyDistribution<A>,
    system: &System<Outer<A>>,
) -> Result<(), String> {
    for id in system.ids() {
        let memory = system.memory(id);
        let in_tree = matches!(memory.state, State::Active | State::Asking | State::Growing);
        if memory.parent.is_some() != in_tree {
            return Err(format!("{:?} with parent port {:?}", memory.state, memory.parent));
        }
        match distribution.parent(system, id) {
            None if in_tree => return Err("a parent port leads to no amoebot".to_owned()),
            Some(parent) if system.memory(parent).state == State::Idle => {
                return Err("an idle parent".to_owned());
            }
            _ => {}
        }
        let ancestors = std::iter::successors(Some(id), |id| distribution.parent(system, *id));
        if ancestors.take(system.len() + 1).count() > system.len() {
            return Err("its own ancestor".to_owned());
        }
    }
    Ok(())
}

/// Checks that a parent is only lost by pruning and only gained by GrowForest. A pushed amoebot leaves its children at
/// the node that it gives up to the pushing amoebot.
fn keeps_parents<A: Algorithm>(
    distribution: &EnergyDistribution<A>,
    before: &System<Outer<A>>,
    (actor, action, movement): (AmoebotId, Label<A>, Option<Movement>),
    after: &System<Outer<A>>,
) -> Result<(), String> {
    let pushed = match movement {
        Some(Movement::Push(port)) => before.neighbour(actor, port),
        _ => None,
    };
    for id in before.ids() {
        let (old, new) = (distribution.parent(before, id), distribution.parent(after, id));
        let fine = match (old, new) {
            (_, None) => true,
            (None, Some(new)) => new == actor && matches!(action, Action::GrowForest),
            (Some(old), Some(new)) => old == new || (pushed == Some(old) && new == actor),
        };
        if !fine {
            return Err(format!("the parent changes at {movement:?}"));
        }
    }
    Ok(())
}
