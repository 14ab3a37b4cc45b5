//! The orders in which the actions of one round can be applied. Orders with the same result are omitted.

use hashbrown::{HashMap, HashSet};

use super::limits::{ExploreError, Meter};
use super::search::SearchStop;
use crate::FixedHasher;
use crate::algorithm::Effects;
use crate::model::id::AmoebotId;
use crate::model::lattice::Cell;
use crate::model::system::System;

/// A cell or amoebot that an action reads or changes while its effects are applied.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Touched {
    Amoebot(AmoebotId),
    Cell(Cell),
}

/// Everything that an action touches: the actor, the amoebots that it writes or moves, their cells, and the cells at
/// the ports that it uses.
fn touched<M>(system: &System<M>, id: AmoebotId, effects: &Effects<M>) -> Vec<Touched> {
    let written = effects.writes().iter().filter_map(|(port, _)| *port);
    let ports = written.chain(effects.movement().and_then(|movement| movement.port()));
    let mut touched = vec![Touched::Amoebot(id)];
    touched.extend(system.body(id).cells().map(Touched::Cell));
    for port in ports {
        let amoebot = system.amoebot(id);
        touched.extend(amoebot.body.leads_to(port, amoebot.orientation).map(Touched::Cell));
        if let Some(other) = system.neighbour(id, port) {
            touched.push(Touched::Amoebot(other));
            touched.extend(system.body(other).cells().map(Touched::Cell));
        }
    }
    touched
}

/// Groups of actions that touch common cells or amoebots, as sorted positions. Actions of different groups commute.
/// Groups are sorted by their first members.
fn groups<M>(system: &System<M>, actions: &[(AmoebotId, Effects<M>)]) -> Vec<Vec<usize>> {
    let of_action = |(at, (id, effects)): (usize, &(AmoebotId, Effects<M>))| {
        touched(system, *id, effects).into_iter().map(move |touched| (touched, at)).collect::<Vec<_>>()
    };
    grouped(actions.iter().enumerate().flat_map(of_action).collect(), actions.len())
}

fn grouped(mut all: Vec<(Touched, usize)>, actions: usize) -> Vec<Vec<usize>> {
    all.sort_unstable();
    let mut first: Vec<usize> = (0..actions).collect();
    let find = |first: &[usize], mut at: usize| {
        while first[at] != at {
            at = first[at];
        }
        at
    };
    for pair in all.windows(2).filter(|pair| pair[0].0 == pair[1].0) {
        let (one, other) = (find(&first, pair[0].1), find(&first, pair[1].1));
        first[one.max(other)] = one.min(other);
    }
    let mut groups = vec![Vec::new(); actions];
    for at in 0..actions {
        groups[find(&first, at)].push(at);
    }
    groups.retain(|group| !group.is_empty());
    groups
}

/// The distinct systems in which a round can end, each with the minimum number of actions that fail in an order that
/// leads to it. The first system results from the order of `actions`, which is that of the identities. Actions that
/// commute are tried only in this order.
///
/// # Errors
///
/// The limit of systems or bytes is exceeded. If several groups of actions have conflicts, this is detected before the
/// systems are built.
pub(super) fn ends<M: Clone>(
    system: &System<M>,
    actions: &[(AmoebotId, Effects<M>)],
    stop: &SearchStop<'_>,
    pack: impl Fn(&System<M>, &mut Vec<u8>) -> Result<(), ExploreError>,
) -> Result<Vec<(System<M>, u64)>, ExploreError> {
    let groups = groups(system, actions);
    let of_groups = |groups| ends_of_groups(system, (actions, groups), stop, &pack);
    let with_conflicts = || groups.iter().filter(|group| group.len() > 1);
    if with_conflicts().nth(1).is_some() {
        // Groups are independent, so their numbers of ends multiply.
        let mut count: usize = 1;
        for group in with_conflicts() {
            count = count.saturating_mul(of_groups(vec![group.clone()])?.len());
            stop.outcomes(count)?;
        }
        Meter::new(stop.limits()).take(count.saturating_mul(bytes_of(system, stop)))?;
    }
    of_groups(groups)
}

/// The bytes that one copy of a system takes.
fn bytes_of<M>(system: &System<M>, stop: &SearchStop<'_>) -> usize {
    system.bytes() + system.len() * stop.limits().bytes_owned
}

/// The actions of the amoebots that act in a round.
type RoundActions<'a, M> = &'a [(AmoebotId, Effects<M>)];

/// The [`ends`] of a round in which only the actions of these groups are applied.
fn ends_of_groups<M: Clone>(
    system: &System<M>,
    (actions, groups): (RoundActions<'_, M>, Vec<Vec<usize>>),
    stop: &SearchStop<'_>,
    pack: &impl Fn(&System<M>, &mut Vec<u8>) -> Result<(), ExploreError>,
) -> Result<Vec<(System<M>, u64)>, ExploreError> {
    let has_conflicts = groups.iter().any(|group| group.len() > 1);
    // Several orders can lead to one system with the same actions remaining.
    let mut known = HashSet::<Vec<u8>, FixedHasher>::default();
    let (mut ends, mut numbers) =
        (Vec::<(System<M>, u64)>::new(), HashMap::<_, usize, FixedHasher>::default());
    let (mut meter, copy) = (Meter::new(stop.limits()), bytes_of(system, stop));
    if has_conflicts {
        meter.take(copy)?;
    }
    let mut open = vec![(system.clone(), groups, 0_u64)];
    while let Some((system, groups, failures)) = open.pop() {
        stop.check()?;
        let Some(group) = groups.first() else {
            let mut packed = Vec::new();
            if has_conflicts {
                pack(&system, &mut packed)?;
            }
            match numbers.get(&packed) {
                Some(&number) => ends[number].1 = ends[number].1.min(failures),
                None => {
                    // Its copy among the open systems is counted already.
                    meter.take(packed.len())?;
                    numbers.insert(packed, ends.len());
                    ends.push((system, failures));
                    continue;
                }
            }
            meter.give_back(copy);
            continue;
        };
        // The stack is popped from the end, so push in reverse.
        for place in (0..group.len()).rev() {
            let (id, effects) = &actions[group[place]];
            let (mut next, mut left) = (system.clone(), groups.clone());
            let failures = failures + u64::from(effects.clone().apply(&mut next, *id).is_err());
            left[0].remove(place);
            if left[0].is_empty() {
                left.remove(0);
            }
            if has_conflicts {
                let mut key: Vec<u8> = failures.to_le_bytes().into();
                for at in left.iter().flatten() {
                    key.extend_from_slice(&(*at as u32).to_le_bytes());
                }
                pack(&next, &mut key)?;
                let key_bytes = key.len();
                if !known.insert(key) {
                    continue;
                }
                stop.outcomes(known.len())?;
                meter.take(key_bytes + copy)?;
            }
            open.push((next, left, failures));
        }
        if has_conflicts {
            meter.give_back(copy);
        }
    }
    Ok(ends)
}
