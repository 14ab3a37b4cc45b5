//! An epoch of the batched engine: many interactions on the complete graph at once, with their exact distribution.
//!
//! Source: Berenbrink, Hammer, Kaaser, Meyer, Penschuck, Tran, "Simulating population protocols in sub-constant time
//! per interaction" (ESA 2020). Unlike in the paper, run lengths count whole interactions, and the cost of a collision
//! does not depend on the number of states.
//!
//! In an epoch an agent is *untouched*, *delayed* (it has interacted once, and the states of both partners are not
//! drawn yet), or *known*. A run of interactions among untouched agents only adds delayed pairs. Then an agent that was
//! touched interacts again (a *collision*): it and its earlier partner become known. The [`Skeleton`] contains these
//! interactions. This module assigns states. The known agents get a random sample of all states and interact one pair
//! after another; the delayed pairs are evaluated all at once.

use super::dealing::Dealing;
use super::drawn_out::{ListPosition, draw_out};
use super::draws::RandomDraws;
use super::hypergeometric::take;
use super::rules::TransitionRules;
use super::skeleton::Skeleton;

/// The buffers of an epoch, kept for reuse.
#[derive(Clone, Debug, Default)]
pub(super) struct Epoch {
    /// The present states by decreasing counts.
    order: Vec<u16>,
    /// The number of agents of each present state that have not been drawn yet.
    urn: Vec<u64>,
    drawn: Vec<u64>,
    /// The states of the known agents, by their numbers in the skeleton.
    known: Vec<u16>,
    initiators: Vec<u64>,
    responders: Vec<u64>,
    row: Vec<u64>,
    /// The buffers of dealing, created when pairs are first dealt, which never happens in a small population.
    dealing: Option<Dealing>,
    /// The list of responders, as indices into `order`; used if an index fits in a byte.
    bytes: Vec<u8>,
    words: Vec<u16>,
    tally: Vec<[u32; 2]>,
    drawn_one_by_one: Vec<u16>,
}

/// The events of an epoch, from which configurations inside it are drawn.
#[derive(Clone, Debug, Default)]
pub(super) struct EpochLog {
    /// The collisions of the epoch, in order.
    pub(super) collisions: Vec<EpochCollision>,
    /// The pairs that were evaluated at the end: the number of each combination of states and outcome.
    pub(super) cells: Vec<(PairEffect, u64)>,
}

/// One interaction of an agent that has interacted earlier in the epoch.
#[derive(Clone, Copy, Debug)]
pub(super) struct EpochCollision {
    /// The number of earlier interactions of the epoch.
    pub(super) place: u64,
    /// The states before and after the interaction.
    pub(super) effect: PairEffect,
    /// The earlier interactions of the two agents that had to be evaluated before the collision.
    pub(super) earlier: [Option<PairEffect>; 2],
}

/// The states of initiator and responder, before and after.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct PairEffect {
    pub(super) before: [u16; 2],
    pub(super) after: [u16; 2],
}

/// The evaluation of the remaining pairs at the end of an epoch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Evaluation {
    /// A table of the number of pairs of each kind: one draw per kind.
    Table,
    /// A list of initiators, and a list of responders in random order: one draw per pair.
    Shuffle,
}

/// The progress of the evaluation of pairs that are not involved in collisions.
#[derive(Clone, Copy, Debug)]
pub(super) enum PairProgress {
    /// The number of pairs that are still to be drawn as a table.
    Table(u64),
    /// Thrown pairs that still have to be dealt out.
    Thrown,
    /// The pairs are listed one by one.
    Listed,
}

impl Epoch {
    /// Begins the interactions of `skeleton`, for the population with these counts. On return, the work that several
    /// threads may share is done. Call [`end`](Self::end) next.
    pub(super) fn begin(
        &mut self,
        counts: &mut [u64],
        skeleton: &Skeleton,
        rules: &TransitionRules,
        evaluation: Evaluation,
        draws: &mut RandomDraws,
        log: Option<&mut EpochLog>,
    ) -> PairProgress {
        let mut left = self.fill(counts);
        // The known agents are a random sample, and so are all others that interact.
        let sample = skeleton.order.len() as u64;
        self.drawn.clear();
        self.drawn.resize(self.urn.len(), 0);
        take(&mut self.urn, &mut self.drawn, left, sample, draws);
        left -= sample;
        self.evaluate_known(counts, skeleton, rules, draws, log);
        for side in [&mut self.initiators, &mut self.responders] {
            side.clear();
            side.resize(self.urn.len(), 0);
            take(&mut self.urn, side, left, skeleton.pairs, draws);
            left -= skeleton.pairs;
        }
        for (&state, &count) in self.order.iter().zip(&self.urn) {
            counts[usize::from(state)] += count;
        }
        match evaluation {
            // Lists are too long for positions of half a word.
            _ if skeleton.pairs >= 1 << 32 => PairProgress::Table(skeleton.pairs),
            Evaluation::Table => PairProgress::Table(skeleton.pairs),
            Evaluation::Shuffle if Dealing::fits(skeleton.pairs, self.order.len()) => {
                let dealing = self.dealing.get_or_insert_default();
                dealing.throw(&self.initiators, &self.responders, draws);
                PairProgress::Thrown
            }
            Evaluation::Shuffle => PairProgress::Listed,
        }
    }

    /// Completes the interactions that [`begin`](Self::begin) has begun.
    pub(super) fn end(
        &mut self,
        counts: &mut [u64],
        pairs: PairProgress,
        rules: &TransitionRules,
        draws: &mut RandomDraws,
        log: Option<&mut EpochLog>,
    ) {
        match pairs {
            PairProgress::Table(pairs) => self.evaluate_table(counts, pairs, rules, draws, log),
            PairProgress::Thrown => self.evaluate_dealt(counts, rules, draws, log),
            PairProgress::Listed if self.order.len() <= 256 => {
                let mut list = std::mem::take(&mut self.bytes);
                self.evaluate_shuffled(counts, &mut list, rules, draws, log);
                self.bytes = list;
            }
            PairProgress::Listed => {
                let mut list = std::mem::take(&mut self.words);
                self.evaluate_shuffled(counts, &mut list, rules, draws, log);
                self.words = list;
            }
        }
    }

    /// Moves all agents from `counts` to the urn, and returns their number.
    fn fill(&mut self, counts: &mut [u64]) -> u64 {
        self.order.clear();
        self.order.extend((0..counts.len() as u16).filter(|&state| counts[usize::from(state)] > 0));
        // Large counts first, so that samples are used up early. A stable order among equals.
        self.order.sort_by_key(|&state| std::cmp::Reverse(counts[usize::from(state)]));
        self.urn.clear();
        self.urn.extend(self.order.iter().map(|&state| std::mem::take(&mut counts[usize::from(state)])));
        self.urn.iter().sum()
    }

    /// Draws the states of the known agents, executes their interactions, and adds them to the counts.
    fn evaluate_known(
        &mut self,
        counts: &mut [u64],
        skeleton: &Skeleton,
        rules: &TransitionRules,
        draws: &mut RandomDraws,
        log: Option<&mut EpochLog>,
    ) {
        self.known.resize(skeleton.order.len(), 0);
        let mut agents = skeleton.order.iter();
        for (&state, &count) in self.order.iter().zip(&self.drawn) {
            for &agent in agents.by_ref().take(count as usize) {
                self.known[agent as usize] = state;
            }
        }
        let known = &mut self.known[..];
        let mut step = |&[a, b]: &[u32; 2]| {
            let before = [known[a as usize], known[b as usize]];
            let after = rules.interact(before[0], before[1], draws);
            [known[a as usize], known[b as usize]] = after;
            PairEffect { before, after }
        };
        match log {
            None => skeleton.steps.iter().for_each(|pair| {
                step(pair);
            }),
            Some(log) => {
                let mut steps = skeleton.steps.iter().map(step);
                for collision in &skeleton.collisions {
                    let mut earlier = [None; 2];
                    for effect in &mut earlier[..usize::from(collision.earlier)] {
                        *effect = steps.next();
                    }
                    let effect = steps.next().expect("each collision has a step");
                    log.collisions.push(EpochCollision { place: collision.place, effect, earlier });
                }
            }
        }
        for &state in &self.known {
            counts[usize::from(state)] += 1;
        }
    }

    /// Draws the number of pairs of each kind, as in a uniformly random matching of initiators and responders, and adds
    /// the states after these interactions to `counts`.
    fn evaluate_table(
        &mut self,
        counts: &mut [u64],
        pairs: u64,
        rules: &TransitionRules,
        draws: &mut RandomDraws,
        mut log: Option<&mut EpochLog>,
    ) {
        let mut left = pairs;
        for (&initiator, &often) in self.order.iter().zip(&self.initiators) {
            if often == 0 {
                continue;
            }
            self.row.clear();
            self.row.resize(self.order.len(), 0);
            take(&mut self.responders, &mut self.row, left, often, draws);
            left -= often;
            let row = self.order.iter().copied().zip(self.row.iter().copied());
            evaluate_row(counts, initiator, row, rules, draws, log.as_deref_mut());
        }
    }

    /// Evaluates the table of initiators that were thrown onto responders' states.
    fn evaluate_dealt(
        &mut self,
        counts: &mut [u64],
        rules: &TransitionRules,
        draws: &mut RandomDraws,
        mut log: Option<&mut EpochLog>,
    ) {
        let dealing = self.dealing.get_or_insert_default();
        let cells = dealing.deal_out(&self.responders, draws);
        for (&initiator, row) in self.order.iter().zip(cells.chunks_exact(self.order.len())) {
            let row = self.order.iter().copied().zip(row.iter().copied().map(u64::from));
            evaluate_row(counts, initiator, row, rules, draws, log.as_deref_mut());
        }
    }

    /// Pairs the initiators of each state with responders, each from a random position of the list of responders.
    fn evaluate_shuffled<S: ListPosition>(
        &mut self,
        counts: &mut [u64],
        list: &mut Vec<S>,
        rules: &TransitionRules,
        draws: &mut RandomDraws,
        mut log: Option<&mut EpochLog>,
    ) {
        list.clear();
        for (place, &count) in self.responders.iter().enumerate() {
            list.extend(std::iter::repeat_n(S::new(place), count as usize));
        }
        let Self { order, initiators, tally, drawn_one_by_one, .. } = self;
        tally.resize(order.len(), [0; 2]);
        let mut left = &mut list[..];
        for (&initiator, &often) in order.iter().zip(&*initiators) {
            let now = left.len() - often as usize;
            // A row with more cells than pairs is not worth a scan.
            if often as usize > order.len() / 4 {
                draw_out(left, often as usize, draws, |place, turn| tally[place][turn] += 1);
                let row =
                    tally.iter_mut().map(|tally| std::mem::take(tally).map(u64::from)).map(|[a, b]| a + b);
                evaluate_row(
                    counts,
                    initiator,
                    order.iter().copied().zip(row),
                    rules,
                    draws,
                    log.as_deref_mut(),
                );
            } else {
                drawn_one_by_one.clear();
                draw_out(left, often as usize, draws, |place, _| drawn_one_by_one.push(order[place]));
                let row = drawn_one_by_one.iter().map(|&responder| (responder, 1));
                evaluate_row(counts, initiator, row, rules, draws, log.as_deref_mut());
            }
            left = &mut left[..now];
        }
    }
}

/// Evaluates the given number of interactions of one initiator state with each responder state. Not inlined, because
/// its loop would run out of registers inside the function for an epoch.
#[inline(never)]
fn evaluate_row(
    counts: &mut [u64],
    initiator: u16,
    row: impl Iterator<Item = (u16, u64)>,
    rules: &TransitionRules,
    draws: &mut RandomDraws,
    mut log: Option<&mut EpochLog>,
) {
    if log.is_none() && rules.is_deterministic() {
        let outcomes = &rules.cells()[usize::from(initiator) * rules.states()..][..rules.states()];
        for (responder, times) in row {
            for state in outcomes[usize::from(responder)] {
                counts[usize::from(state)] += times;
            }
        }
        return;
    }
    for (responder, times) in row.filter(|&(_, times)| times > 0) {
        rules.interact_often(initiator, responder, times, draws, |after, came| {
            for state in after {
                counts[usize::from(state)] += came;
            }
            if let Some(log) = log.as_deref_mut() {
                log.cells.push((PairEffect { before: [initiator, responder], after }, came));
            }
        });
    }
}
