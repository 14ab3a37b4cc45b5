//! Many urns of one table side by side, one in each lane of vectors.
//!
//! Each urn makes exactly the interactions that it makes alone ([`UrnRules::run`]). So the grouping of urns and the
//! width of vectors do not change a run.

use acrasin_engine::{Kernel, Vectors, run_widest};

use super::urn::{BOUNDARIES_MAX, FIELD, STATES_MAX, UrnRules, UrnStream, scaled};
use acrasin_process::Condition;

/// The number of lanes of a group, which take 512 bits together.
const WIDTH: usize = 16;

/// The number of groups that run at a time, so that operations of one group need not wait for those of the other.
const GROUPS: usize = 2;

/// The number of urns that run side by side.
pub(super) const LANES: usize = WIDTH * GROUPS;

/// The minimum number of urns for running side by side. Fewer urns run one by one.
const LANES_MIN: usize = 4;

/// The maximum number of words that each lane draws before the condition is checked.
const STRETCH_MAX: u32 = 128;
const STRETCH_MIN: u32 = 8;

/// An urn with its bound: it runs until the condition holds or no interactions are left.
#[derive(Debug)]
pub(super) struct BoundedUrn<'a> {
    pub(super) counts: &'a mut [u64],
    pub(super) stream: &'a mut UrnStream,
    /// The number of interactions left.
    pub(super) left: u64,
    /// Whether the condition holds.
    pub(super) holds: bool,
}

#[derive(Clone, Copy)]
#[repr(align(64))]
struct LaneGroup<const BOUNDARIES: usize> {
    stream: [[u32; WIDTH]; 4],
    boundaries: [[u32; WIDTH]; BOUNDARIES],
    /// For each state and lane, the least count during the stretch.
    least: [[u32; WIDTH]; STATES_MAX],
    done: [u32; WIDTH],
}

/// A stretch: the words that all lanes draw before the condition is checked.
struct LaneWords<'a, const BOUNDARIES: usize> {
    groups: &'a mut [LaneGroup<BOUNDARIES>; GROUPS],
    rules: &'a UrnRules,
    words: u32,
}

impl<const BOUNDARIES: usize> Kernel for LaneWords<'_, BOUNDARIES> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let rules = *self.rules;
        let [mut first, mut second] = *self.groups;
        for _ in 0..self.words {
            turn(&mut first, &rules);
            turn(&mut second, &rules);
        }
        *self.groups = [first, second];
    }
}

/// Applies [`UrnRules::turn`] to every lane at once, without a branch.
#[inline(always)]
fn turn<const BOUNDARIES: usize>(group: &mut LaneGroup<BOUNDARIES>, rules: &UrnRules) {
    for lane in 0..WIDTH {
        let mut stream = UrnStream(std::array::from_fn(|word| group.stream[word][lane]));
        let word = stream.word();
        for (words, word) in group.stream.iter_mut().zip(stream.0) {
            words[lane] = word;
        }
        let (initiator, rest) = scaled(word, rules.agents);
        let (responder, rest) = scaled(rest, rules.agents - 1);
        let is_even = rest >= rules.uneven;
        let (mut beyond, mut shift) = ([false; BOUNDARIES], 0);
        for (boundary, beyond) in group.boundaries.iter().zip(&mut beyond) {
            *beyond = initiator >= boundary[lane];
            let before = u32::from(!*beyond);
            shift += if responder + before >= boundary[lane] { FIELD } else { 0 };
        }
        let mut before = 0;
        for place in 0..BOUNDARIES {
            let mut row = rules.rows[place][0];
            for (state, &beyond) in beyond.iter().enumerate() {
                row = if beyond { rules.rows[place][state + 1] } else { row };
            }
            let change = (row >> shift & 7).wrapping_sub(2);
            let boundary = &mut group.boundaries[place][lane];
            *boundary = boundary.wrapping_add(if is_even { change } else { 0 });
            let least = &mut group.least[place][lane];
            *least = (*least).min(*boundary - before);
            before = *boundary;
        }
        let least = &mut group.least[BOUNDARIES][lane];
        *least = (*least).min(rules.agents - before);
        group.done[lane] += u32::from(is_even);
    }
}

/// Runs each urn until the condition holds or no interactions are left.
pub(super) fn run_all(
    rules: &UrnRules,
    urns: &mut [BoundedUrn<'_>],
    condition: &dyn Condition,
    vectors: Vectors,
) {
    for urns in urns.chunks_mut(LANES) {
        if rules.states <= 3 {
            run::<2>(rules, urns, condition, vectors);
        } else {
            run::<3>(rules, urns, condition, vectors);
        }
    }
}

fn run<const BOUNDARIES: usize>(
    rules: &UrnRules,
    urns: &mut [BoundedUrn<'_>],
    condition: &dyn Condition,
    vectors: Vectors,
) {
    let mut groups = [LaneGroup::<BOUNDARIES> {
        stream: [[1; WIDTH]; 4],
        boundaries: [[rules.agents; WIDTH]; BOUNDARIES],
        least: [[0; WIDTH]; STATES_MAX],
        done: [0; WIDTH],
    }; GROUPS];
    for (lane, urn) in urns.iter().enumerate() {
        put(&mut groups, lane, UrnRules::boundaries(urn.counts), *urn.stream);
    }
    let (mut least, mut most) = (vec![0; rules.states], vec![0; rules.states]);
    loop {
        let is_far = |urn: &BoundedUrn<'_>| !urn.holds && urn.left >= STRETCH_MIN.into();
        let far = urns.iter().filter(|urn| is_far(urn)).count();
        let Some(nearest) = urns.iter().filter(|urn| is_far(urn)).map(|urn| urn.left).min() else { break };
        if far < LANES_MIN {
            break;
        }
        for group in &mut groups {
            group.done = [0; WIDTH];
            group.least = [[u32::MAX; WIDTH]; STATES_MAX];
        }
        let before = groups;
        let words = u32::try_from(nearest).unwrap_or(STRETCH_MAX).min(STRETCH_MAX);
        run_widest(vectors, LaneWords { groups: &mut groups, rules, words });
        for (lane, urn) in urns.iter_mut().enumerate().filter(|(_, urn)| is_far(urn)) {
            let (group, place) = (&groups[lane / WIDTH], lane % WIDTH);
            let done = u64::from(group.done[place]);
            for (state, least) in least.iter_mut().enumerate() {
                *least = u64::from(group.least[state][place]).min(urn.counts[state]);
            }
            // An agent that is not certainly in another state may be in this one.
            let sure: u64 = least.iter().sum();
            for (most, least) in most.iter_mut().zip(&least) {
                *most = least + (u64::from(rules.agents) - sure);
            }
            if condition.possible(&least, &most) {
                // Repeat it with the condition evaluated after each interaction.
                urn.left -= watched(rules, urn, done, condition);
                put(&mut groups, lane, UrnRules::boundaries(urn.counts), *urn.stream);
            } else {
                let (boundaries, stream) = get(&groups, lane);
                rules.count(boundaries, urn.counts);
                *urn.stream = stream;
                urn.left -= done;
            }
        }
        // Lanes without agents, and lanes that are finished, do not change.
        for lane in 0..LANES {
            if urns.get(lane).is_none_or(|urn| urn.holds || urn.left < STRETCH_MIN.into()) {
                let (boundaries, stream) = get(&before, lane);
                put(&mut groups, lane, boundaries, stream);
            }
        }
    }
    for urn in urns {
        if !urn.holds && urn.left > 0 {
            urn.left -= watched(rules, urn, urn.left, condition);
        }
    }
}

/// Makes at most `most` interactions of one urn one by one, until the condition holds. Returns the number of
/// interactions made.
fn watched(rules: &UrnRules, urn: &mut BoundedUrn<'_>, most: u64, condition: &dyn Condition) -> u64 {
    let (done, holds) = rules.run_until(most, urn.counts, urn.stream, condition);
    urn.holds = holds;
    done
}

fn put<const BOUNDARIES: usize>(
    groups: &mut [LaneGroup<BOUNDARIES>; GROUPS],
    lane: usize,
    boundaries: [u32; BOUNDARIES_MAX],
    stream: UrnStream,
) {
    let (group, place) = (&mut groups[lane / WIDTH], lane % WIDTH);
    for (lanes, boundary) in group.boundaries.iter_mut().zip(boundaries) {
        lanes[place] = boundary;
    }
    for (lanes, word) in group.stream.iter_mut().zip(stream.0) {
        lanes[place] = word;
    }
}

fn get<const BOUNDARIES: usize>(
    groups: &[LaneGroup<BOUNDARIES>; GROUPS],
    lane: usize,
) -> ([u32; BOUNDARIES_MAX], UrnStream) {
    let (group, place) = (&groups[lane / WIDTH], lane % WIDTH);
    let mut boundaries = [0; BOUNDARIES_MAX];
    for (boundary, lanes) in boundaries.iter_mut().zip(&group.boundaries) {
        *boundary = lanes[place];
    }
    (boundaries, UrnStream(std::array::from_fn(|word| group.stream[word][place])))
}
