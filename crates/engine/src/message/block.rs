//! Blocks of 64 nodes: the unit of activation masks, draws and vector code.

use super::activation::{FaultInjection, Intent, NeighbourAccess, activate};
use super::word::NodeWord;
use crate::draw::{Priorities, Stream};
use crate::round::Figures;

/// The number of nodes of a block.
pub(crate) const LANES: usize = 64;

/// The number of active nodes up to which a block activates them one by one. With more active nodes, all 64 nodes are
/// computed together.
const SPARSE: u32 = 6;

/// The activity of the nodes of a block: bit `i` stands for node `64 * block + i`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BlockActivity {
    /// The nodes that act, as bits. Bits beyond the last node are 0.
    pub(crate) active: u64,
    /// The nodes that call Lock if they act and are idle, as bits.
    pub(crate) wants: u64,
    /// The nodes that call Unlock if they act and are locked, as bits.
    pub(crate) unlocks: u64,
}

/// The words of the neighbours: `near[p][i]` is the word of the neighbour on port `p` of node `i`. Port 0 is the node
/// itself.
pub(crate) type NeighbourWords<'a, W, const PORTS: usize> = [&'a [W; LANES]; PORTS];

/// The counters of a block, packed as in [`ActivationOutcome`](super::activation::ActivationOutcome), and the nodes
/// that began a trial.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BlockCounts {
    steps: u64,
    messages: u64,
    own: u64,
    /// The nodes that must draw a priority, as bits.
    pub(crate) tries: u64,
}

/// Activates the nodes of a block.
#[inline(always)]
pub(crate) fn activate_block<W: NodeWord, M: FaultInjection>(
    own: &[W; LANES],
    activity: BlockActivity,
    next: &mut [W; LANES],
    access: &mut impl NeighbourAccess<W>,
) -> BlockCounts {
    let (mut steps, mut messages, mut own_counts) = (W::NONE, W::NONE, W::NONE);
    let mut tries = 0;
    if activity.active.count_ones() <= SPARSE {
        *next = *own;
        let mut rest = activity.active;
        while rest != 0 {
            let lane = rest.trailing_zeros();
            rest &= rest - 1;
            let intent =
                Intent { wants: chosen(activity.wants, lane), unlocks: chosen(activity.unlocks, lane) };
            let at = lane as usize;
            let outcome = activate::<W, M>(own[at], access, at, intent);
            next[at] = outcome.word;
            steps = steps + outcome.steps;
            messages = messages + outcome.messages;
            own_counts = own_counts + outcome.own;
            tries |= (outcome.steps.number() >> 8 & 1) << lane;
            access.after(at, W::ALL, &outcome);
        }
        return BlockCounts {
            steps: steps.number(),
            messages: messages.number(),
            own: own_counts.number(),
            tries,
        };
    }
    const HALF: usize = LANES / 2;
    let mut tried = [0_u32; LANES];
    // Two halves, so that 32-bit shifts find the bit of a lane.
    for half in 0..2 {
        let first = half * HALF;
        let active = (activity.active >> first) as u32;
        let wants = (activity.wants >> first) as u32;
        let unlocks = (activity.unlocks >> first) as u32;
        for lane in 0..HALF {
            let at = first + lane;
            let acts: W = chosen(active, lane as u32);
            let intent = Intent { wants: chosen(wants, lane as u32), unlocks: chosen(unlocks, lane as u32) };
            let outcome = activate::<W, M>(own[at], access, at, intent);
            next[at] = outcome.word & acts | own[at] & !acts;
            steps = steps + (outcome.steps & acts);
            messages = messages + (outcome.messages & acts);
            own_counts = own_counts + (outcome.own & acts);
            tried[at] = (outcome.steps & acts).number() as u32 >> 8 & 1;
            access.after(at, acts, &outcome);
        }
    }
    if steps.number() >> 8 & 0xff != 0 {
        for (lane, &tried) in tried.iter().enumerate() {
            tries |= u64::from(tried) << lane;
        }
    }
    BlockCounts { steps: steps.number(), messages: messages.number(), own: own_counts.number(), tries }
}

/// The words of the neighbours of one node of a block.
#[inline(always)]
pub(crate) fn lane_words<W: NodeWord, const PORTS: usize>(
    near: &NeighbourWords<'_, W, PORTS>,
    lane: usize,
) -> [W; PORTS] {
    let mut lane_words = [W::NONE; PORTS];
    for (lane_words, near) in lane_words.iter_mut().zip(near) {
        *lane_words = near[lane];
    }
    lane_words
}

/// A mask with all bits set if node `lane` is in a set of nodes.
#[inline(always)]
fn chosen<W: NodeWord, M: NodeWord>(nodes: M, lane: u32) -> W {
    W::when(nodes >> lane & M::ONE != M::NONE)
}

/// The words of a block: `target` if it is a whole block, else `partial`.
#[inline(always)]
pub(crate) fn whole<'a, W>(target: &'a mut [W], partial: &'a mut [W; LANES]) -> &'a mut [W; LANES] {
    target.first_chunk_mut::<LANES>().unwrap_or(partial)
}

/// Copies the words back from `partial` if [`whole`] returned it.
#[inline(always)]
pub(crate) fn keep<W: Copy>(target: &mut [W], partial: &[W; LANES]) {
    let len = target.len();
    if len < LANES {
        target.copy_from_slice(&partial[..len]);
    }
}

impl BlockCounts {
    /// Adds these counters to the figures of a round.
    #[inline]
    pub(crate) fn add_to(&self, figures: &mut Figures, active: u64) {
        let byte = |word: u64, index: u32| word >> (8 * index) & 0xff;
        figures.activations += u64::from(active.count_ones());
        figures.calls += byte(self.steps, 0);
        figures.trials += byte(self.steps, 1);
        figures.grants += byte(self.steps, 2);
        figures.releases += byte(self.steps, 3);
        figures.messages += self.messages & 0xffff;
        figures.late_rejections += self.messages >> 16;
        figures.self_messages += byte(self.own, 0);
    }
}

/// The number of bit planes that are computed together: as many as the widest vector registers hold.
const PLANES: usize = 8;

/// Writes the priorities of the nodes that begin a trial into their words. The priorities equal those of
/// [`Priorities::draw`], but the bit planes are drawn only once per block.
#[inline(always)]
pub(crate) fn draw_priorities<W: NodeWord>(
    next: &mut [W],
    first_node: u32,
    tries: u64,
    priorities: Priorities,
    stream: Stream,
) {
    if tries == 0 {
        return;
    }
    // Bit i of a plane is a bit of the priority of node i, so few words draw the priorities of the whole block.
    let mut planes = [0; 4 * PLANES];
    let count = priorities.planes();
    if let Some(count) = count {
        for (group, planes) in (0..).zip(planes.chunks_exact_mut(PLANES)) {
            if group * PLANES as u32 >= count {
                break;
            }
            for (plane, word) in (group * PLANES as u32..).zip(planes) {
                *word = stream.plane(u64::from(first_node) / LANES as u64, plane);
            }
        }
    }
    let mut rest = tries;
    while rest != 0 {
        let lane = rest.trailing_zeros();
        rest &= rest - 1;
        let priority = if let Some(count) = count {
            let mut priority = 0;
            for (plane, word) in (0..count).zip(planes) {
                priority |= (word >> lane & 1) << plane;
            }
            priority
        } else {
            u64::from(priorities.draw(stream, first_node + lane))
        };
        let word = &mut next[lane as usize];
        *word = *word & !(W::ALL << W::PRIORITY) | W::of(priority) << W::PRIORITY;
    }
}
