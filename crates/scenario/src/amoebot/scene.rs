//! Counts and pictures of the amoebots of an algorithm.

use std::collections::BTreeMap;

use acrasin_amoebot::picture::{AMOEBOTS_MAX, CLASSES_MAX, Picture, PictureError};
use acrasin_amoebot::start::{self, Drawing, Mark};
use acrasin_amoebot::{Body, Cell, System};

use super::AmoebotPlan;
use acrasin_amoebot::algorithm::description::Description;

/// An algorithm with the amoebot and the variable that pictures highlight.
pub(super) struct AmoebotScene<'a, S> {
    pub(super) subject: &'a S,
    /// The seed or root, if there is one.
    seed: Option<usize>,
    /// The variable that colours pictures in place of the state.
    colour: Option<usize>,
}

impl<'a, S: Description> AmoebotScene<'a, S> {
    pub(super) fn new(subject: &'a S, plan: &AmoebotPlan) -> Self {
        let seed = plan.algorithm.needs().seed.then_some(plan.seed_position);
        Self { subject, seed, colour: plan.colour }
    }

    pub(super) fn names(&self) -> Vec<String> {
        self.subject.facts().states.iter().map(|name| (*name).to_owned()).collect()
    }

    /// The number of amoebots in each state.
    pub(super) fn states(&self, system: &System<S::Memory>) -> Vec<u64> {
        let mut counts = vec![0; self.subject.facts().states.len()];
        for id in system.ids() {
            counts[self.subject.state(system.memory(id))] += 1;
        }
        counts
    }

    /// The fraction of amoebots in a final state of the algorithm; `None` if the algorithm names no such state.
    pub(super) fn settled(&self, system: &System<S::Memory>) -> Option<f64> {
        let settled = self.subject.facts().settled_states;
        if settled.is_empty() {
            return None;
        }
        let counts = self.states(system);
        let done = self.subject.facts().states.iter().zip(counts).filter(|(name, _)| settled.contains(name));
        let done: u64 = done.map(|(_, count)| count).sum();
        Some(done as f64 / system.len() as f64)
    }

    pub(super) fn picture(&self, system: &System<S::Memory>) -> Result<Picture, PictureError> {
        let (names, classes) = self.classes(system);
        let amoebots = system.ids().map(|id| (system.body(id), classes[id.index()]));
        let picture = picture(amoebots, &names, system.object())?;
        let detail = |id| (system.amoebot(id).orientation, self.subject.detail(system.memory(id)));
        Ok(picture.with_details(system.ids().map(detail)))
    }

    /// The names of the classes of a picture, and the class of each amoebot. If a variable has many values, consecutive
    /// values share a class.
    fn classes(&self, system: &System<S::Memory>) -> (Vec<String>, Vec<usize>) {
        let Some(variable) = self.colour else {
            return (self.names(), system.ids().map(|id| self.subject.state(system.memory(id))).collect());
        };
        let values: Vec<String> =
            system.ids().map(|id| self.subject.value(system.memory(id), variable)).collect();
        classes_of_values(self.subject.facts().variables[variable], &values)
    }

    /// A drawing in which '@' marks the seed. It does not contain the memories of other amoebots.
    pub(super) fn drawing(&self, system: &System<S::Memory>, has_time: &dyn Fn() -> bool) -> Option<Drawing> {
        let mark = |amoebot| if self.seed == Some(amoebot) { Mark::Seed } else { Mark::None };
        drawing(system.ids().map(|id| system.body(id)), mark, system.object(), has_time)
    }
}

/// The classes of the values of a variable, and the class of each value.
fn classes_of_values(variable: &str, values: &[String]) -> (Vec<String>, Vec<usize>) {
    let mut ranked: Vec<&String> = values.iter().collect();
    // Numbers in numerical order, then words in alphabetical order.
    ranked.sort_by_key(|value| (value.parse::<i64>().unwrap_or(i64::MAX), (*value).clone()));
    ranked.dedup();
    let groups = ranked.chunks(ranked.len().div_ceil(CLASSES_MAX).max(1));
    let called = |group: &[&String]| match group {
        [only] => format!("{variable} {only}"),
        [first, .., last] => format!("{variable} {first} to {last}"),
        [] => String::new(),
    };
    let names = groups.clone().map(called).collect();
    let class_of: BTreeMap<&String, usize> = groups
        .enumerate()
        .flat_map(|(class, group)| group.iter().map(move |value| (*value, class)))
        .collect();
    (names, values.iter().map(|value| class_of[value]).collect())
}

/// A picture of the amoebots.
///
/// # Errors
///
/// There are too many amoebots and cells of an object to be visible, or they are too far apart.
pub(super) fn picture(
    amoebots: impl ExactSizeIterator<Item = (Body, usize)>,
    classes: &[String],
    object: &[Cell],
) -> Result<Picture, PictureError> {
    let drawn = amoebots.len() + object.len();
    if drawn > AMOEBOTS_MAX {
        return Err(PictureError::WrongCount { amoebots: drawn });
    }
    Picture::new(amoebots, classes.iter().cloned())?.with_objects(object.to_vec())
}

/// A drawing with the mark of each amoebot, by its number; `None` if it cannot be written, or once `has_time` returns
/// false.
pub(super) fn drawing(
    bodies: impl Iterator<Item = Body>,
    mark: impl Fn(usize) -> Mark,
    object: &[Cell],
    has_time: &dyn Fn() -> bool,
) -> Option<Drawing> {
    let amoebots = bodies.enumerate().map(|(i, body)| start::DrawnAmoebot { body, mark: mark(i) });
    Drawing::new_while(amoebots.collect(), object.to_vec(), has_time).ok().flatten()
}

#[cfg(test)]
mod tests {
    use acrasin_amoebot::picture;
    use acrasin_report::plot;

    /// States are the first columns of the samples, and the classes of a picture.
    #[test]
    fn a_state_has_the_same_colour_in_plots_and_pictures() {
        assert_eq!(plot::COLOURS, picture::COLOURS);
    }
}
