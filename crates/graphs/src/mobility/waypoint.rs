//! The contact trace and the positions of random waypoint walkers.

use rand::{Rng as _, SeedableRng as _};
use rand_pcg::Pcg64;

use super::RandomWaypoint;
use super::parameters::NAME;
use super::walker::Walker;
use crate::cells::{Point, SquareField, pairs_in_range};
use crate::limits::CONTACTS_MAX;
use crate::parameter::GraphParameterError;
use crate::trace::{Contact, ContactTrace, TraceParts};

/// The contacts of random waypoint walkers that start in the steady state of the model.
///
/// The walkers are sampled at the times `step, 2 step, ..., duration`. Two walkers in range at `t` are in contact
/// during `(t - step, t]`, as in a [contact list](crate::trace::contact_list). [`ContactTrace::records`] counts these
/// observations.
///
/// Every walker has its own generator, derived from the seed. So the path of node 5 does not depend on the range, the
/// step and the number of nodes above 5. Neighbours are searched by a grid of cells: O(nodes + pairs in range) per
/// step.
///
/// # Errors
///
/// Refuses parameters outside their ranges, more work than [`MOBILITY_WORK_MAX`](crate::limits::MOBILITY_WORK_MAX) by
/// an estimate made in advance, and more contacts than [`CONTACTS_MAX`].
pub fn random_waypoint(model: &RandomWaypoint, seed: u64) -> Result<ContactTrace, GraphParameterError> {
    let checked = model.checked()?;
    let mut seeds = Pcg64::seed_from_u64(seed);
    let mut walkers: Vec<Walker> =
        (0..checked.nodes).map(|_| Walker::in_steady_state(model, seeds.next_u64())).collect();
    let mut contacts: Vec<Contact> = Vec::new();
    // Pairs in contact, increasing, with the start of the contact.
    let mut open: Vec<((u32, u32), i64)> = Vec::new();
    let mut next_open = Vec::new();
    let mut near: Vec<(u32, u32)> = Vec::new();
    let mut records = 0;
    let field = SquareField { side: model.side, range: model.range };
    let step = i64::from(checked.step.get());
    let mut points: Vec<Point> = Vec::with_capacity(walkers.len());
    for sample in 1..=i64::from(checked.samples) {
        let time = sample * step;
        points.clear();
        points.extend(walkers.iter_mut().map(|walker| walker.at(model, time as f64)));
        near.clear();
        pairs_in_range(field, &points, |u, v| near.push((u, v)));
        near.sort_unstable();
        records += near.len() as u64;
        let mut before = open.drain(..).peekable();
        let mut close = |((a, b), start)| contacts.push(Contact { start, a, b, end: time - step });
        for &pair in &near {
            while let Some(over) = before.next_if(|&(other, _)| other < pair) {
                close(over);
            }
            let start = before.next_if(|&(other, _)| other == pair).map_or(time - step, |(_, start)| start);
            next_open.push((pair, start));
        }
        before.for_each(close);
        std::mem::swap(&mut open, &mut next_open);
        let total = contacts.len() as u64 + open.len() as u64;
        if total > CONTACTS_MAX {
            let found = format!("{total} after {time} of {} s", model.duration);
            let accepted = format!("up to {CONTACTS_MAX}: fewer nodes, a shorter range or duration");
            return Err(GraphParameterError::new(NAME, "contacts", found, accepted));
        }
    }
    let end = i64::from(checked.samples) * step;
    contacts.extend(open.into_iter().map(|((a, b), start)| Contact { start, a, b, end }));
    contacts.sort_unstable();
    let parts = TraceParts {
        nodes: checked.nodes,
        labels: None,
        contacts,
        begin: 0,
        end,
        resolution: checked.step,
        records,
        self_contacts: 0,
        overlaps: 0,
    };
    Ok(ContactTrace::new(parts).unwrap_or_else(|error| panic!("the mobility model made {error}")))
}

/// The positions of random waypoint walkers over time.
///
/// ```
/// use acrasin_graphs::mobility::{RandomWaypoint, WaypointWalk};
///
/// let crowd =
///     RandomWaypoint { nodes: 3, side: 9.0, speed: (1.0, 1.0), pause: 0.0, range: 2.0, step: 1, duration: 60 };
/// let mut walk = WaypointWalk::new(&crowd, 1)?;
/// let [early, late] = [1.0, 2.0].map(|time| walk.at(time).collect::<Vec<_>>());
/// let way = (early[0][0] - late[0][0]).hypot(early[0][1] - late[0][1]);
/// assert!(way > 0.0 && way <= 1.0 + 1e-9, "a metre in a second, less where it turns");
/// # Ok::<(), acrasin_graphs::GraphParameterError>(())
/// ```
pub struct WaypointWalk {
    model: RandomWaypoint,
    walkers: Vec<Walker>,
}

impl std::fmt::Debug for WaypointWalk {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Walk").field("model", &self.model).finish_non_exhaustive()
    }
}

impl WaypointWalk {
    /// Creates the walkers of [`random_waypoint`] with these parameters and this seed, at time 0.
    ///
    /// # Errors
    ///
    /// Refuses parameters outside their ranges.
    pub fn new(model: &RandomWaypoint, seed: u64) -> Result<Self, GraphParameterError> {
        let checked = model.checked()?;
        let mut seeds = Pcg64::seed_from_u64(seed);
        let walkers = (0..checked.nodes).map(|_| Walker::in_steady_state(model, seeds.next_u64())).collect();
        Ok(Self { model: *model, walkers })
    }

    /// The positions at `time`, x and y in metres, by number of the walker.
    ///
    /// Times are in seconds and must not decrease from call to call. Two walkers are in contact during `(t - step,
    /// t]` if and only if they are in range of each other at `t`, a multiple of `step`.
    pub fn at(&mut self, time: f64) -> impl Iterator<Item = [f64; 2]> + '_ {
        let Self { model, walkers } = self;
        walkers.iter_mut().map(move |walker| {
            let Point { x, y } = walker.at(model, time);
            [x, y]
        })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    const CROWD: RandomWaypoint = RandomWaypoint {
        nodes: 40,
        side: 60.0,
        speed: (0.5, 1.5),
        pause: 30.0,
        range: 7.5,
        step: 20,
        duration: 4000,
    };

    #[test]
    fn in_contact_exactly_when_in_range() {
        let trace = random_waypoint(&CROWD, 7).unwrap();
        let schedule = trace.schedule();
        let mut walk = WaypointWalk::new(&CROWD, 7).unwrap();
        let mut adjacent = BTreeSet::new();
        let mut records = 0;
        for step in 1..=schedule.steps() {
            let changes = schedule.at(step);
            changes.ends.iter().for_each(|pair| assert!(adjacent.remove(pair)));
            changes.begins.iter().for_each(|pair| assert!(adjacent.insert(*pair)));
            records += adjacent.len() as u64;
            let points: Vec<Point> =
                walk.at(schedule.time(step) as f64).map(|[x, y]| Point { x, y }).collect();
            for u in 0..40u32 {
                for v in u + 1..40 {
                    let distance = points[u as usize].distance_squared(points[v as usize]).sqrt();
                    assert_eq!(
                        adjacent.contains(&(u, v)),
                        distance <= 7.5,
                        "{u} {v} at step {step}: {distance}"
                    );
                }
            }
        }
        assert_eq!((schedule.steps(), trace.records()), (200, records));
        assert!(trace.contacts().len() > 500 && trace.contacts().len() < records as usize);
    }

    #[test]
    fn golden_digest() {
        let trace = random_waypoint(&CROWD, 1).unwrap();
        assert_eq!(trace, random_waypoint(&CROWD, 1).unwrap());
        assert_ne!(trace.digest(), random_waypoint(&CROWD, 2).unwrap().digest());
        assert_eq!((trace.contacts().len(), trace.records()), (7427, 8498));
        assert_eq!(format!("{:032x}", trace.digest()), "63a0de5933e6212ae713bc675def259d");
    }

    #[test]
    fn a_range_over_the_whole_field_is_one_contact_a_pair() {
        let trace = random_waypoint(&RandomWaypoint { nodes: 5, range: 1e3, ..CROWD }, 1).unwrap();
        let expected: Vec<Contact> =
            (0..5).flat_map(|a| (a + 1..5).map(move |b| Contact { start: 0, a, b, end: 4000 })).collect();
        assert_eq!(trace.contacts(), expected);
        let alone = random_waypoint(&RandomWaypoint { nodes: 1, ..CROWD }, 1).unwrap();
        assert_eq!((alone.nodes(), alone.contacts()), (1, &[][..]));
    }
}
