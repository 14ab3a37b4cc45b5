//! Many interactions of the complete graph in one go, exactly: an epoch of the batched engine.
//!
//! Source: Berenbrink, Hammer, Kaaser, Meyer, Penschuck, Tran, "Simulating population protocols in sub-constant time
//! per interaction" (ESA 2020), with run lengths of whole interactions, and collisions that cost the same whatever
//! the number of states is.
//!
//! In an epoch an agent is *untouched*, or *delayed* (it took part in one interaction, which is counted but not
//! evaluated; its partner is delayed, too), or *updated* (its state is known). Untouched and delayed agents have not
//! been told apart yet, so both are in the urn of counts. A run of interactions among untouched agents only makes
//! more pairs; then somebody who was touched interacts again (a *collision*), and only what that one needs is
//! evaluated. At the end the remaining pairs are evaluated at once.

use super::draws::Draws;
use super::hypergeometric::take;
use super::rules::Rules;
use super::run_length::run_length;

/// What an epoch needs besides the counts; kept to be used again.
#[derive(Clone, Debug, Default)]
pub(super) struct Epoch {
    /// The states that are present, by falling counts, and the agents of each that were not drawn.
    order: Vec<u16>,
    urn: Vec<u64>,
    left: u64,
    /// Agents drawn from the urn ahead, in no order: each is taken from a random place.
    ahead: Vec<u16>,
    batch: u64,
    drawn: Vec<u64>,
    /// States of the updated agents.
    updated: Vec<u16>,
    /// Pairs that were not evaluated.
    pairs: u64,
    initiators: Vec<u64>,
    responders: Vec<u64>,
    row: Vec<u64>,
    initiator_list: Vec<u16>,
    responder_list: Vec<u16>,
}

/// What happened in an epoch, so that it can be asked how things stood inside.
#[derive(Clone, Debug, Default)]
pub(super) struct Log {
    /// The collisions, in order.
    pub(super) collisions: Vec<Collision>,
    /// The pairs that were evaluated at the end, by states and outcome, with how many there were.
    pub(super) cells: Vec<(Effect, u64)>,
}

/// One interaction of somebody who was touched before.
#[derive(Clone, Copy, Debug)]
pub(super) struct Collision {
    /// How many interactions of the epoch came before.
    pub(super) place: u64,
    /// The interaction itself.
    pub(super) effect: Effect,
    /// The earlier interactions that had to be evaluated for it.
    pub(super) earlier: [Option<Effect>; 2],
}

/// The states of initiator and responder, before and after.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Effect {
    pub(super) before: [u16; 2],
    pub(super) after: [u16; 2],
}

/// How the pairs that are left at the end are evaluated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Evaluation {
    /// A table of how many pairs there are of each kind: one draw a kind.
    Table,
    /// One list of initiators, one of responders in random order: one draw a pair.
    Shuffle,
}

impl Epoch {
    /// `interactions` interactions of uniformly random ordered pairs of the agents in `counts`.
    pub(super) fn run(
        &mut self,
        counts: &mut [u64],
        interactions: u64,
        rules: &Rules,
        evaluation: Evaluation,
        draws: &mut Draws,
        mut log: Option<&mut Log>,
    ) {
        let agents = self.begin(counts);
        // There are about 2 t^2 / n collisions, and each takes at most four agents, mostly three.
        let collisions = 2.0 * interactions as f64 * (interactions as f64 / agents as f64);
        self.batch = (3.0 * collisions) as u64 + 16;
        let mut done = 0;
        loop {
            let touched = 2 * self.pairs + self.updated.len() as u64;
            let run = run_length(agents, touched, draws);
            if run >= interactions - done {
                self.pairs += interactions - done;
                break;
            }
            self.pairs += run;
            done += run;
            self.collision(agents, done, rules, draws, log.as_deref_mut());
            done += 1;
            if done == interactions {
                break;
            }
        }
        self.end(counts, rules, evaluation, draws, log);
    }

    /// Empties `counts` into the urn; the number of agents.
    fn begin(&mut self, counts: &mut [u64]) -> u64 {
        self.order.clear();
        self.order.extend((0..counts.len() as u16).filter(|&state| counts[usize::from(state)] > 0));
        // Large counts first: samples are used up early. A stable order among equals.
        self.order.sort_by_key(|&state| std::cmp::Reverse(counts[usize::from(state)]));
        self.urn.clear();
        self.urn.extend(self.order.iter().map(|&state| std::mem::take(&mut counts[usize::from(state)])));
        self.left = self.urn.iter().sum();
        self.updated.clear();
        self.pairs = 0;
        debug_assert!(self.ahead.is_empty());
        self.left
    }

    /// The interaction of somebody who was touched before, after `place` interactions.
    #[inline]
    fn collision(
        &mut self,
        agents: u64,
        place: u64,
        rules: &Rules,
        draws: &mut Draws,
        log: Option<&mut Log>,
    ) {
        let touched = 2 * self.pairs + self.updated.len() as u64;
        // Of the ordered pairs that are not of two untouched agents, R(R-1) have two touched ones and 2R(n-R) one. The
        // last bit is the coin of who initiates.
        let ticket = draws.below(2 * (2 * agents - touched - 1));
        let mut earlier = [None; 2];
        let first = self.touched(rules, draws, &mut earlier[0]);
        let second = if ticket >> 1 < touched - 1 {
            self.touched(rules, draws, &mut earlier[1])
        } else {
            self.draw_from_urn(draws)
        };
        let before = if ticket & 1 == 0 { [first, second] } else { [second, first] };
        let after = rules.interact(before[0], before[1], draws);
        self.updated.push(after[0]);
        self.updated.push(after[1]);
        if let Some(log) = log {
            log.collisions.push(Collision { place, effect: Effect { before, after }, earlier });
        }
    }

    /// A uniformly random touched agent; it leaves the others.
    #[inline]
    fn touched(&mut self, rules: &Rules, draws: &mut Draws, earlier: &mut Option<Effect>) -> u16 {
        let delayed = 2 * self.pairs;
        let ticket = draws.below(delayed + self.updated.len() as u64);
        if ticket >= delayed {
            return self.updated.swap_remove((ticket - delayed) as usize);
        }
        // Its only interaction is evaluated now. Half of the delayed agents initiated.
        self.pairs -= 1;
        let before = [self.draw_from_urn(draws), self.draw_from_urn(draws)];
        let after = rules.interact(before[0], before[1], draws);
        *earlier = Some(Effect { before, after });
        let role = (ticket & 1) as usize;
        self.updated.push(after[1 - role]);
        after[role]
    }

    /// The state of an agent of the urn; it leaves the urn.
    #[inline]
    fn draw_from_urn(&mut self, draws: &mut Draws) -> u16 {
        /// Up to this many states a walk along the counts, the largest first, is cheaper than agents drawn ahead.
        const FEW: usize = 12;
        if self.order.len() <= FEW {
            let mut ticket = draws.below(self.left);
            self.left -= 1;
            for (count, &state) in self.urn.iter_mut().zip(&self.order) {
                if ticket < *count {
                    *count -= 1;
                    return state;
                }
                ticket -= *count;
            }
            unreachable!("a ticket is below the number of agents");
        }
        if self.ahead.is_empty() {
            self.draw_ahead(draws);
        }
        let place = draws.below(self.ahead.len() as u64) as usize;
        self.ahead.swap_remove(place)
    }

    /// Draws agents from the urn, to be handed out one by one: about as many as the collisions of an epoch need.
    #[cold]
    fn draw_ahead(&mut self, draws: &mut Draws) {
        // Delayed agents are in the urn, too: never more than there are.
        let sample = self.batch.min(self.left);
        self.drawn.clear();
        self.drawn.resize(self.urn.len(), 0);
        take(&mut self.urn, &mut self.drawn, self.left, sample, draws);
        self.left -= sample;
        for (&state, &count) in self.order.iter().zip(&self.drawn) {
            self.ahead.extend(std::iter::repeat_n(state, count as usize));
        }
    }

    /// Puts back what was drawn ahead, evaluates the pairs that are left, and counts everybody.
    fn end(
        &mut self,
        counts: &mut [u64],
        rules: &Rules,
        evaluation: Evaluation,
        draws: &mut Draws,
        mut log: Option<&mut Log>,
    ) {
        for &state in &self.updated {
            counts[usize::from(state)] += 1;
        }
        self.left += self.ahead.len() as u64;
        self.drawn.clear();
        self.drawn.resize(counts.len(), 0);
        for state in self.ahead.drain(..) {
            self.drawn[usize::from(state)] += 1;
        }
        for (here, &state) in self.urn.iter_mut().zip(&self.order) {
            *here += self.drawn[usize::from(state)];
        }
        for side in [&mut self.initiators, &mut self.responders] {
            side.clear();
            side.resize(self.urn.len(), 0);
            take(&mut self.urn, side, self.left, self.pairs, draws);
            self.left -= self.pairs;
        }
        for (&state, &count) in self.order.iter().zip(&self.urn) {
            counts[usize::from(state)] += count;
        }
        if self.pairs == 0 {
            return;
        }
        match evaluation {
            Evaluation::Table => self.evaluate_table(counts, rules, draws, log.as_deref_mut()),
            Evaluation::Shuffle => self.evaluate_shuffled(counts, rules, draws, log),
        }
    }

    /// How many pairs there are of each kind: the table of a uniformly random matching of initiators and responders.
    fn evaluate_table(
        &mut self,
        counts: &mut [u64],
        rules: &Rules,
        draws: &mut Draws,
        mut log: Option<&mut Log>,
    ) {
        let mut left = self.pairs;
        for (&initiator, &often) in self.order.iter().zip(&self.initiators) {
            if often == 0 {
                continue;
            }
            self.row.clear();
            self.row.resize(self.order.len(), 0);
            take(&mut self.responders, &mut self.row, left, often, draws);
            left -= often;
            for (&responder, &times) in self.order.iter().zip(&self.row) {
                if times == 0 {
                    continue;
                }
                rules.interact_often(initiator, responder, times, draws, |after, came| {
                    counts[usize::from(after[0])] += came;
                    counts[usize::from(after[1])] += came;
                    if let Some(log) = log.as_deref_mut() {
                        log.cells.push((Effect { before: [initiator, responder], after }, came));
                    }
                });
            }
        }
    }

    /// One pair after the other, the responders in random order.
    fn evaluate_shuffled(
        &mut self,
        counts: &mut [u64],
        rules: &Rules,
        draws: &mut Draws,
        mut log: Option<&mut Log>,
    ) {
        for (list, side) in
            [(&mut self.initiator_list, &self.initiators), (&mut self.responder_list, &self.responders)]
        {
            list.clear();
            for (&state, &count) in self.order.iter().zip(side) {
                list.extend(std::iter::repeat_n(state, count as usize));
            }
        }
        let responders = &mut self.responder_list[..];
        for (place, &initiator) in self.initiator_list.iter().enumerate() {
            let other = place + draws.below((responders.len() - place) as u64) as usize;
            responders.swap(place, other);
            let before = [initiator, responders[place]];
            let after = rules.interact(before[0], before[1], draws);
            counts[usize::from(after[0])] += 1;
            counts[usize::from(after[1])] += 1;
            if let Some(log) = log.as_deref_mut() {
                log.cells.push((Effect { before, after }, 1));
            }
        }
    }
}
