//! How an algorithm's amoebots are counted and drawn.

use acrasin_amoebot::picture::{AMOEBOTS_MAX, Picture};
use acrasin_amoebot::start::{self, Drawing, Mark};
use acrasin_amoebot::{Body, Cell, System};

use super::AmoebotPlan;
use acrasin_amoebot::algorithm::description::Description;

/// An algorithm, and who is special in it.
pub(super) struct Scene<'a, S> {
    pub(super) subject: &'a S,
    /// The seed or root, if there is one.
    pub(super) seed: Option<usize>,
}

impl<'a, S: Description> Scene<'a, S> {
    pub(super) fn new(subject: &'a S, plan: &AmoebotPlan) -> Self {
        Self { subject, seed: plan.algorithm.needs().seed.then_some(plan.seed_position) }
    }

    pub(super) fn names(&self) -> Vec<String> {
        self.subject.states().iter().map(|name| (*name).to_owned()).collect()
    }

    /// How many amoebots are in each state.
    pub(super) fn states(&self, system: &System<S::Memory>) -> Vec<u64> {
        let mut counts = vec![0; self.subject.states().len()];
        for id in system.ids() {
            counts[self.subject.state(system.memory(id))] += 1;
        }
        counts
    }

    pub(super) fn picture(&self, system: &System<S::Memory>) -> Option<Picture> {
        let amoebots = system.ids().map(|id| (system.body(id), self.subject.state(system.memory(id))));
        picture(amoebots, &self.names(), system.object())
    }

    /// With '@' for the seed; other memories are lost.
    pub(super) fn drawing(&self, system: &System<S::Memory>) -> Option<Drawing> {
        let mark = |amoebot| if self.seed == Some(amoebot) { Mark::Seed } else { Mark::None };
        drawing(system.ids().map(|id| system.body(id)), mark, system.object())
    }
}

/// A picture; `None` of more amoebots, and cells of an object, than one can see.
pub(super) fn picture(
    amoebots: impl ExactSizeIterator<Item = (Body, usize)>,
    classes: &[String],
    object: &[Cell],
) -> Option<Picture> {
    if amoebots.len() + object.len() > AMOEBOTS_MAX {
        return None;
    }
    Some(Picture::new(amoebots, classes.iter().cloned()).ok()?.with_objects(object.to_vec()))
}

/// A drawing: the mark of each amoebot by its number; `None` if it cannot be written.
pub(super) fn drawing(
    bodies: impl Iterator<Item = Body>,
    mark: impl Fn(usize) -> Mark,
    object: &[Cell],
) -> Option<Drawing> {
    let amoebots = bodies.enumerate().map(|(i, body)| start::Drawn { body, mark: mark(i) });
    Drawing::new(amoebots.collect(), object.to_vec()).ok()
}

#[cfg(test)]
mod tests {
    use acrasin_amoebot::picture;
    use acrasin_report::plot;

    /// States are the first columns of the counts over time, and the classes of a picture.
    #[test]
    fn a_state_has_the_same_colour_in_plots_and_pictures() {
        assert_eq!(plot::COLOURS, picture::COLOURS);
    }
}
