//! [`Strips`]: runs of a population on a ring or torus, strip by strip.

use std::ops::Range;
use std::sync::Arc;

use acrasin_engine::Pages;
use acrasin_process::Ranks;
use rayon::prelude::*;

use super::super::rules::TransitionRules;
use super::clock::{EdgeClocks, TICKS};
use super::ranked::StripBlock;
use super::seam::{Half, finish};
use super::shape::StripShape;
use super::strip::{FrameRoom, Outcomes, Rest, Strip, TAINT, Window};
use super::trace::{FrameCut, FrameTrace};

/// The largest number of states: one bit of a byte marks tainted agents.
const MAX_STATES: usize = TAINT as usize;

/// The number of interactions per agent in a window. With longer windows, a strip stays in the cache for longer, but
/// more interactions are deferred.
const WINDOW: f64 = 1.0;

/// A population on a ring or torus, in strips. See [the module](super).
#[derive(Clone, Debug)]
pub(in super::super) struct Strips {
    shape: StripShape,
    clock: EdgeClocks,
    outcomes: Arc<Outcomes>,
    block: StripBlock,
    /// The states of the agents of this rank.
    states: Pages<u8>,
    /// The number of complete frames.
    frame: u64,
    /// The number of executed interactions of the next frame.
    done: u64,
    /// The largest number of frames in a window. The result does not depend on it.
    pub(super) window: usize,
    rests: Vec<Rest>,
    ordered: Ordered,
}

/// The interactions of a frame in order, as pairs of positions.
#[derive(Clone, Default, Debug)]
struct Ordered {
    frame: Option<u64>,
    pairs: Vec<[u32; 2]>,
}

impl Strips {
    /// Whether these rules can be executed in strips: they must be deterministic, and the states must leave one bit of
    /// a byte free.
    pub(in super::super) fn can_have(rules: &TransitionRules) -> bool {
        rules.is_deterministic() && rules.states() <= MAX_STATES
    }

    /// Creates a run from the states of all agents in the order of their numbers. With several `ranks`, this process
    /// executes only the part of its rank.
    pub(in super::super) fn new(
        states: &[u16],
        shape: StripShape,
        rules: &TransitionRules,
        seed: u64,
        ranks: Option<Arc<dyn Ranks>>,
    ) -> Self {
        let clock = EdgeClocks::new(&shape, seed);
        let block = StripBlock::new(&shape, ranks);
        let own = block.places(&shape);
        let mut placed = Pages::zeroed(own.len());
        {
            let placed = &mut placed[..];
            for (agent, &state) in (0..).zip(states) {
                let place = shape.place(agent);
                if own.contains(&place) {
                    placed[place - own.start] = state as u8;
                }
            }
        }
        let agents = states.len() as f64;
        let frame = shape.strips() as f64 * TICKS as f64 * clock.mean();
        Self {
            outcomes: Arc::new(Outcomes::new(rules.states(), rules.cells())),
            states: placed,
            frame: 0,
            done: 0,
            window: ((WINDOW * agents / frame) as usize).max(1),
            rests: vec![Rest::default(); block.strips().len()],
            block,
            ordered: Ordered::default(),
            shape,
            clock,
        }
    }

    pub(in super::super) fn shape(&self) -> &StripShape {
        &self.shape
    }

    pub(super) fn outcomes(&self) -> Arc<Outcomes> {
        Arc::clone(&self.outcomes)
    }

    /// The state of an agent.
    ///
    /// # Panics
    ///
    /// Panics if the agent belongs to another rank.
    pub(in super::super) fn state(&self, agent: u32) -> u16 {
        let own = self.block.places(&self.shape);
        let place = self.shape.place(agent);
        assert!(own.contains(&place), "agent {agent} belongs to another rank");
        self.states[place - own.start].into()
    }

    /// The other ranks of this run, if there are any.
    pub(in super::super) fn ranks(&self) -> Option<&Arc<dyn Ranks>> {
        self.block.ranks.as_ref()
    }

    /// The states of agents in the order of their numbers: all of these agents on rank 0, an empty list on other ranks.
    /// Only for several ranks, which must all call this.
    pub(in super::super) fn gathered(&self, agents: Range<u32>) -> Vec<u8> {
        self.block.gathered(&self.shape, agents, &self.states)
    }

    /// Whether `is_null` holds for the states of both ends of every edge. Only for several ranks, which must all call
    /// this.
    pub(in super::super) fn is_silent_on_ranks(&self, is_null: impl Fn(u8, u8) -> bool) -> bool {
        self.block.is_silent(&self.shape, &self.states, is_null)
    }

    /// The seed, the number of complete frames, and the number of executed interactions of the next frame.
    pub(in super::super) fn place_in_time(&self) -> [u64; 3] {
        [self.clock.seed(), self.frame, self.done]
    }

    /// Continues from a saved position with the current states; returns whether the position is valid.
    pub(in super::super) fn go_on_from(&mut self, [seed, frame, done]: [u64; 3]) -> bool {
        // Frames times ticks must fit in 64 bits.
        if frame >= 1 << 56 {
            return false;
        }
        self.clock = EdgeClocks::new(&self.shape, seed);
        (self.frame, self.done, self.ordered) = (frame, done, Ordered::default());
        done <= total(&FrameTrace::new(&self.shape, &self.clock, frame, 1).whole(0))
    }

    /// Adds the number of agents in each state to `counts`, which must be 0.
    pub(in super::super) fn count(&self, counts: &mut [u64]) {
        let states = counts.len();
        let count = |agents: &[u8]| if states <= FEW { few(agents, states) } else { many(agents, states) };
        let parts: Vec<_> = self.states.par_chunks(1 << 20).map(count).collect();
        for part in parts {
            for (count, more) in counts.iter_mut().zip(part) {
                *count += more;
            }
        }
        if let Some(ranks) = self.ranks() {
            ranks.sum(counts);
        }
    }

    /// Makes the first remaining interactions of the frame in order, at most `most`. The callback `make` gets these
    /// interactions, as positions in the states that it also gets, and returns how many it has made. All ranks must
    /// call this, and each of them makes all of these interactions.
    pub(super) fn make_in_order<R>(
        &mut self,
        most: u64,
        make: impl FnOnce(&[[u32; 2]], &mut [u8]) -> (u64, R),
    ) -> (u64, R) {
        let is_alone = self.ranks().is_none();
        let (all, states) = self.ordered();
        let pairs = &all[..all.len().min(usize::try_from(most).unwrap_or(usize::MAX))];
        let (made, result) = if is_alone {
            make(pairs, states)
        } else {
            let mut places: Vec<u32> = pairs.iter().flatten().copied().collect();
            places.sort_unstable();
            places.dedup();
            let compact = |place: u32| places.binary_search(&place).expect("it was collected") as u32;
            let pairs: Vec<[u32; 2]> = pairs.iter().map(|pair| pair.map(compact)).collect();
            let mut states = self.block.states_at(&self.shape, &places, &self.states);
            let made = make(&pairs, &mut states);
            self.block.store(&self.shape, &places, &states, &mut self.states);
            made
        };
        self.done += made;
        (made, result)
    }

    /// The remaining interactions of the frame, in order, and the states of this rank. At least one interaction
    /// remains.
    pub(super) fn ordered(&mut self) -> (&[[u32; 2]], &mut [u8]) {
        loop {
            if self.ordered.frame != Some(self.frame) {
                self.ordered = self.order();
            }
            if (self.done as usize) < self.ordered.pairs.len() {
                break;
            }
            (self.frame, self.done) = (self.frame + 1, 0);
        }
        (&self.ordered.pairs[self.done as usize..], &mut self.states)
    }

    /// Marks this many interactions of [`ordered`](Self::ordered) as executed.
    #[cfg(test)]
    pub(super) fn have_happened(&mut self, interactions: u64) {
        self.done += interactions;
    }

    /// All interactions of the frame, sorted by their times. This order defines the run.
    fn order(&self) -> Ordered {
        let Self { shape, clock, frame, .. } = self;
        let trace = FrameTrace::new(shape, clock, *frame, 1);
        let whole = trace.whole(0);
        let mut room = Vec::new();
        let mut strips: Vec<_> = (0..shape.strips())
            .map(|strip| {
                let pairs = clock.pairs(shape, strip, *frame, [0, whole.strips[strip]], &mut room);
                let start = shape.start(strip) as u32;
                pairs.iter().map(|pair| pair.map(|place| start + place)).collect::<Vec<_>>().into_iter()
            })
            .collect();
        let mut seams: Vec<_> = (0..shape.strips())
            .map(|seam| {
                let start = shape.start(seam) as u32;
                let end = if seam == 0 { shape.start(shape.strips()) as u32 } else { start };
                trace.crossings(seam, 0).iter().map(move |crossing| {
                    let column = crossing.place >> 1;
                    let [above, below] = [end - shape.width + column, start + column];
                    if crossing.place & 1 == 1 { [below, above] } else { [above, below] }
                })
            })
            .collect();
        let order = (0..TICKS).flat_map(|tick| trace.order(clock, 0, tick));
        let pairs = order
            .map(|(part, crosses)| if crosses { seams[part].next() } else { strips[part].next() })
            .map(|pair| pair.expect("each was counted"));
        Ordered { frame: Some(*frame), pairs: pairs.collect() }
    }

    /// Advances by `interactions` on the threads of the current pool.
    pub(in super::super) fn run(&mut self, interactions: u64) {
        let mut left = interactions;
        while left > 0 {
            let each = self.shape.strips() as f64 * TICKS as f64 * self.clock.mean();
            // A few more than needed on average; the rest is drawn again later.
            let wanted = (left as f64 / each * 1.01) as usize + 2;
            let trace = FrameTrace::new(&self.shape, &self.clock, self.frame, wanted.min(self.window));
            let from = (self.done > 0).then(|| trace.cut(&self.clock, 0, self.done));
            let mut window = Window { frames: 0, from, to: None };
            let mut before = self.done;
            while window.frames < trace.frames && left > 0 {
                let whole = trace.whole(window.frames);
                let size = total(&whole) - before;
                if size > left {
                    let to = before + left;
                    window.to = Some(trace.cut(&self.clock, window.frames, to));
                    window.frames += 1;
                    (self.done, left) = (to, 0);
                    break;
                }
                left -= size;
                before = 0;
                window.frames += 1;
                (self.frame, self.done) = (self.frame + 1, 0);
            }
            self.execute(&trace, &window);
        }
    }

    /// Executes both phases of a window.
    fn execute(&mut self, trace: &FrameTrace, window: &Window) {
        let Self { shape, clock, outcomes, states, rests, block, .. } = self;
        let (shape, clock, outcomes) = (&*shape, &*clock, &**outcomes);
        let mut parts = Vec::with_capacity(rests.len());
        let mut left = &mut states[..];
        for (number, rest) in block.strips().zip(rests.iter_mut()) {
            let (part, others) = left.split_at_mut(shape.start(number + 1) - shape.start(number));
            left = others;
            parts.push((number, part, rest));
        }
        parts.into_par_iter().with_max_len(1).for_each_init(
            FrameRoom::default,
            |room, (number, states, rest)| {
                Strip { shape, clock, outcomes, trace, number }.run(window, states, rest, room);
            },
        );
        let chains = chains(&block.joined(rests));
        let mut halves = Vec::with_capacity(2 * rests.len());
        let mut left = &mut states[..];
        for (number, rest) in block.strips().zip(&*rests) {
            let (strip, others) = left.split_at_mut(shape.start(number + 1) - shape.start(number));
            left = others;
            let (upper, lower) = strip.split_at_mut(shape.upper(number));
            halves.extend(
                [upper, lower].into_iter().zip(&rest.halves).map(|(states, later)| Half { states, later }),
            );
        }
        block.execute(&chains, halves, |chains| {
            chains.into_par_iter().with_max_len(1).for_each(|mut halves| finish(&mut halves, outcomes));
        });
        for rest in rests {
            rest.halves.iter_mut().for_each(Vec::clear);
            rest.is_joined = false;
        }
    }
}

/// The largest number of states for which the counts are found by comparing many agents at a time with each state in
/// turn.
const FEW: usize = 8;

/// Counts the agents in each state, state by state.
fn few(agents: &[u8], states: usize) -> Vec<u64> {
    let mut counts = vec![0; states];
    // A byte counts up to 255.
    for agents in agents.chunks(u8::MAX.into()) {
        for (state, count) in (0..).zip(&mut counts) {
            let equal: u8 = agents.iter().map(|&agent| u8::from(agent == state)).sum();
            *count += u64::from(equal);
        }
    }
    counts
}

/// Counts the agents in each state, agent by agent.
fn many(agents: &[u8], states: usize) -> Vec<u64> {
    // Four rows of counters, so that equal states in a row do not wait for each other.
    let mut rows = [[0_u64; MAX_STATES]; 4];
    let (fours, rest) = agents.as_chunks::<4>();
    for four in fours {
        for (row, &state) in rows.iter_mut().zip(four) {
            row[usize::from(state % TAINT)] += 1;
        }
    }
    for &state in rest {
        rows[0][usize::from(state)] += 1;
    }
    (0..states).map(|state| rows.iter().map(|row| row[state]).sum()).collect()
}

fn total(cut: &FrameCut) -> u64 {
    cut.strips.iter().chain(&cut.seams).map(|&count| u64::from(count)).sum()
}

/// Groups of half strips that must be executed together: the two halves at one seam. Two seams are in one group if the
/// strip between them has an interaction that joins its halves. The number of a half is twice that of its strip, plus 1
/// for the lower half.
fn chains(joined: &[bool]) -> Vec<Vec<usize>> {
    let halves = 2 * joined.len();
    // Start in the middle of a strip that joins nothing; if there is none, all halves are one group.
    let Some(first) = joined.iter().position(|is_joined| !is_joined) else {
        return vec![(0..halves).collect()];
    };
    let mut chains = Vec::with_capacity(joined.len());
    let mut chain = Vec::new();
    for seam in 0..joined.len() {
        let below = (first + 1 + seam) % joined.len();
        chain.extend([(2 * below + halves - 1) % halves, 2 * below]);
        if !joined[below] {
            chains.push(std::mem::take(&mut chain));
        }
    }
    chains
}

#[cfg(test)]
mod tests {
    use super::{chains, few, many};

    #[test]
    fn a_strip_that_joins_its_halves_joins_two_seams() {
        assert_eq!(chains(&[false; 3]), [[1, 2], [3, 4], [5, 0]]);
        assert_eq!(chains(&[true, false, true]), [vec![3, 4, 5, 0, 1, 2]]);
        assert_eq!(chains(&[false, false, true]), [vec![1, 2], vec![3, 4, 5, 0]]);
        assert_eq!(chains(&[true, true]), [[0, 1, 2, 3]]);
    }

    #[test]
    fn both_ways_count_every_agent() {
        for agents in [0, 3, 255, 256, 70_001] {
            let states: Vec<u8> = (0..agents).map(|agent: u64| (agent * agent % 7) as u8).collect();
            let each = |state: u8| states.iter().filter(|&&other| other == state).count() as u64;
            let expected: Vec<u64> = (0..8).map(each).collect();
            assert_eq!(few(&states, 8), expected);
            assert_eq!(many(&states, 8), expected);
        }
    }
}
