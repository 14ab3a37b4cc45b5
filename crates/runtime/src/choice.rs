//! [`Choices::pick`]: the one call by which a run decides everything that its plan leaves open.
//!
//! The next node, the message that it receives, the priority that it draws, the edge that vanishes: each is a
//! pick of one of `bound` possibilities. Seeded, recorded, scripted and byte-driven choices implement the same
//! trait. So a run is a function of the plan and the choices, and replay, shrinking and exploration are the
//! same feature.

use std::num::NonZeroU32;

use rand::{RngExt as _, SeedableRng as _};

use crate::pack::{Pack, PackError, Saved};
use stream::ChoiceStream;

mod stream;

/// The purpose of a choice. Seeded choices have one random stream per purpose, so a draw for one purpose never
/// shifts the draws for another.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Decision {
    /// Whether a node is in the activated subset of a round, or which node acts next.
    Activation = 0,
    /// The enabled action that an activated node executes.
    Action = 1,
    /// The priority drawn for a competition trial.
    Priority = 2,
    /// The neighbour with which a node wants to interact.
    Partner = 3,
    /// The outcome of a randomised transition.
    Outcome = 4,
    /// A change of the graph.
    Topology = 5,
    /// The order in which the members of a group interact.
    Order = 6,
    /// The initial configuration.
    Initial = 7,
    /// The priorities of an adversary, the times at which priorities change, and other decisions of the adversary
    /// inside an action.
    Adversary = 8,
}

impl Decision {
    /// All purposes, in the order of their numbers.
    pub const ALL: [Self; 9] = [
        Self::Activation,
        Self::Action,
        Self::Priority,
        Self::Partner,
        Self::Outcome,
        Self::Topology,
        Self::Order,
        Self::Initial,
        Self::Adversary,
    ];
}

/// The source of all decisions that the plan of a run leaves open.
pub trait Choices {
    /// Picks one number in `0..bound`.
    ///
    /// `why` names the purpose. An implementation may use it to separate streams, but must always return a
    /// number below `bound`.
    fn pick(&mut self, bound: NonZeroU32, why: Decision) -> u32;

    /// Picks a random subset of the bits of `of`: each bit is kept if [`pick_with_probability`] returns true
    /// for it, from the lowest bit up.
    ///
    /// A round needs one draw for every active node, and one call makes up to 64 of them.
    fn pick_some(&mut self, of: u64, probability: FixedProbability, why: Decision) -> u64 {
        let (mut chosen, mut rest) = (0, of);
        while rest != 0 {
            let lowest = rest & rest.wrapping_neg();
            rest ^= lowest;
            if pick_with_probability(self, probability, why) {
                chosen |= lowest;
            }
        }
        chosen
    }
}

impl<C: Choices + ?Sized> Choices for &mut C {
    #[inline]
    fn pick(&mut self, bound: NonZeroU32, why: Decision) -> u32 {
        (**self).pick(bound, why)
    }
    #[inline]
    fn pick_some(&mut self, of: u64, probability: FixedProbability, why: Decision) -> u64 {
        (**self).pick_some(of, probability, why)
    }
}

/// Picks an index into a collection of `len` elements; `None` if it is empty.
///
/// # Panics
///
/// Panics if `len` does not fit in 32 bits.
#[inline]
pub fn pick_index(choices: &mut (impl Choices + ?Sized), len: usize, why: Decision) -> Option<usize> {
    let bound = NonZeroU32::new(u32::try_from(len).expect("a collection of at most 2^32 - 1 elements"))?;
    Some(choices.pick(bound, why) as usize)
}

/// Returns true with probability `numerator / 2^31`.
///
/// Probabilities are fixed-point numbers, so that every platform draws the same.
#[inline]
pub fn pick_with_probability(
    choices: &mut (impl Choices + ?Sized),
    probability: FixedProbability,
    why: Decision,
) -> bool {
    match probability.0 {
        0 => false,
        FixedProbability::ONE_BITS => true,
        // The usual case, and a cheaper draw.
        HALF => choices.pick(NonZeroU32::new(2).expect("2 > 0"), why) == 0,
        threshold => choices.pick(FixedProbability::BOUND, why) < threshold,
    }
}

const HALF: u32 = FixedProbability::ONE_BITS / 2;

/// A probability in steps of 2^-31.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct FixedProbability(u32);

impl FixedProbability {
    const ONE_BITS: u32 = 1 << 31;
    const BOUND: NonZeroU32 = NonZeroU32::new(Self::ONE_BITS).expect("2^31 > 0");
    /// Probability 0.
    pub const ZERO: Self = Self(0);
    /// Probability 1/2.
    pub const HALF: Self = Self(HALF);
    /// Probability 1.
    pub const ONE: Self = Self(Self::ONE_BITS);

    /// Rounds to the closest fixed-point number; `None` if `probability` is not in [0, 1]. A probability above 0 never
    /// becomes 0.
    #[must_use]
    pub fn new(probability: f64) -> Option<Self> {
        if !(0.0..=1.0).contains(&probability) {
            return None;
        }
        let scaled = (probability * f64::from(Self::ONE_BITS)).round() as u32;
        Some(Self(if probability > 0.0 { scaled.max(1) } else { 0 }))
    }

    /// The probability times 2^31.
    #[inline]
    #[must_use]
    pub fn numerator(self) -> u32 {
        self.0
    }

    /// The probability as a floating-point number.
    #[must_use]
    pub fn get(self) -> f64 {
        f64::from(self.0) / f64::from(Self::ONE_BITS)
    }
}

/// Pseudo-random choices from a seed: one PCG-64 stream per [`Decision`].
///
/// A seed gives the same choices on every platform (golden values in the tests).
#[derive(Clone, Debug)]
pub struct Seeded {
    seed: u64,
    streams: [ChoiceStream; Decision::ALL.len()],
}

impl Seeded {
    /// Creates choices that are a function of `seed` alone.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self { seed, streams: std::array::from_fn(|purpose| stream(seed, purpose as u64)) }
    }

    /// The seed from which all choices derive.
    #[must_use]
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// The position of each stream, in the order of [`Decision::ALL`]. With the seed, the positions are the whole
    /// state.
    #[must_use]
    pub fn positions(&self) -> [u128; Decision::ALL.len()] {
        self.streams.each_ref().map(|stream| stream.position)
    }

    /// Moves each stream to a position that [`positions`](Self::positions) returned for the same seed. The choices then
    /// continue as they did after that call.
    ///
    /// ```
    /// use std::num::NonZeroU32;
    /// use acrasin_runtime::choice::{Choices, Decision, Seeded};
    ///
    /// let pick = |choices: &mut Seeded| choices.pick(NonZeroU32::new(1000).unwrap(), Decision::Partner);
    /// let mut choices = Seeded::new(7);
    /// pick(&mut choices);
    /// let mut continued = Seeded::new(7);
    /// continued.move_to(choices.positions());
    /// assert_eq!(pick(&mut choices), pick(&mut continued));
    /// ```
    pub fn move_to(&mut self, positions: [u128; Decision::ALL.len()]) {
        for (stream, position) in self.streams.iter_mut().zip(positions) {
            stream.position = position;
        }
    }
}

/// The seed of part `index` of an experiment with seed `seed`. This seed does not depend on the number or the order of
/// the parts.
#[must_use]
pub fn derived_seed(seed: u64, index: u64) -> u64 {
    mix(seed ^ mix(index.wrapping_add(0x9e37_79b9_7f4a_7c15)))
}

fn stream(seed: u64, purpose: u64) -> ChoiceStream {
    ChoiceStream::seed_from_u64(mix(seed).wrapping_add(mix(!purpose)))
}

/// The finaliser of SplitMix64 (Steele, Lea, Flood 2014): a bijection that spreads close seeds.
fn mix(mut x: u64) -> u64 {
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

#[cold]
#[inline(never)]
fn pick_from(stream: &mut ChoiceStream, bound: NonZeroU32) -> u32 {
    stream.random_range(0..bound.get())
}

/// The seed and the position of each stream.
impl Saved for Seeded {
    fn save(&self, into: &mut Vec<u8>) {
        self.seed.pack(into);
        self.positions().pack(into);
    }

    fn load(&mut self, from: &mut &[u8]) -> Result<(), PackError> {
        if u64::unpack(from)? != self.seed {
            return Err(PackError);
        }
        self.move_to(Pack::unpack(from)?);
        Ok(())
    }
}

impl Choices for Seeded {
    #[inline]
    fn pick(&mut self, bound: NonZeroU32, why: Decision) -> u32 {
        let stream = &mut self.streams[why as usize];
        // Nearly always the first number decides, with this result. Without the code for a second number a pick
        // takes two thirds of the instructions.
        let mut next = stream.clone();
        let product = u64::from(next.random::<u32>()) * u64::from(bound.get());
        if product as u32 <= bound.get().wrapping_neg() {
            *stream = next;
            return (product >> 32) as u32;
        }
        pick_from(stream, bound)
    }
}

/// Passes every choice through to `inner` and records it.
#[derive(Debug)]
pub struct Recorded<C> {
    inner: C,
    picks: Vec<u32>,
}

impl<C: Choices> Recorded<C> {
    /// Records the choices that `inner` makes from now on.
    pub fn new(inner: C) -> Self {
        Self { inner, picks: Vec::new() }
    }

    /// The picks since the start or the last call, oldest first.
    pub fn take(&mut self) -> Vec<u32> {
        std::mem::take(&mut self.picks)
    }

    /// The picks since the start or the last [`take`](Self::take), oldest first.
    #[must_use]
    pub fn picks(&self) -> &[u32] {
        &self.picks
    }

    /// Clears the recorded picks and keeps the buffer.
    pub fn clear(&mut self) {
        self.picks.clear();
    }
}

impl<C: Choices> Choices for Recorded<C> {
    #[inline]
    fn pick(&mut self, bound: NonZeroU32, why: Decision) -> u32 {
        let pick = self.inner.pick(bound, why);
        self.picks.push(pick);
        pick
    }
}

/// Replays a list of picks.
///
/// A missing or too large pick does not stop the run: the choice is then 0, and [`Scripted::fault`] reports the first
/// such pick afterwards. So a replay can report the position at which script and run differ.
#[derive(Clone, Debug)]
pub struct Scripted<'a> {
    picks: &'a [u32],
    used: usize,
    fault: Option<ScriptFault>,
}

/// Differences between a script and the run that followed it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ScriptFault {
    /// The run made more choices than the script has.
    TooShort,
    /// A pick of the script is not below the number of possibilities.
    OutOfRange {
        /// The pick of the script.
        pick: u32,
        /// The number of possibilities. The pick must be below it.
        bound: u32,
    },
    /// The script has picks that the run did not ask for.
    TooLong,
}

impl<'a> Scripted<'a> {
    /// Creates choices that replay `picks` in order.
    #[must_use]
    pub fn new(picks: &'a [u32]) -> Self {
        Self { picks, used: 0, fault: None }
    }

    /// The first difference between script and run, if any. Unused picks count as a difference.
    #[must_use]
    pub fn fault(&self) -> Option<ScriptFault> {
        self.fault.or((self.used < self.picks.len()).then_some(ScriptFault::TooLong))
    }
}

impl Choices for Scripted<'_> {
    fn pick(&mut self, bound: NonZeroU32, _why: Decision) -> u32 {
        let pick = self.picks.get(self.used).copied();
        self.used += 1;
        let fault = match pick {
            None => ScriptFault::TooShort,
            Some(pick) if pick >= bound.get() => ScriptFault::OutOfRange { pick, bound: bound.get() },
            Some(pick) => return pick,
        };
        self.fault.get_or_insert(fault);
        0
    }
}

/// Enumerates every combination of choices: a caller repeats the same step until each combination has occurred once.
///
/// ```
/// use std::num::NonZeroU32;
/// use acrasin_runtime::choice::{Choices, Decision, Enumerated};
/// let (mut choices, mut seen) = (Enumerated::new(), Vec::new());
/// loop {
///     let mut pick = |bound| choices.pick(NonZeroU32::new(bound).unwrap(), Decision::Priority);
///     let first = pick(2);
///     seen.push((first, if first == 0 { 9 } else { pick(3) }));
///     if !choices.advance() {
///         break;
///     }
/// }
/// assert_eq!(seen, [(0, 9), (1, 0), (1, 1), (1, 2)]);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Enumerated {
    /// Each pick, with its number of possibilities and its purpose.
    picks: Vec<(u32, u32, Decision)>,
    used: usize,
}

impl Enumerated {
    /// Starts with the combination in which every pick is 0.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Advances to the next combination. Returns false after the last one; the first combination then follows
    /// again.
    pub fn advance(&mut self) -> bool {
        self.picks.truncate(self.used);
        self.used = 0;
        while let Some((pick, bound, _)) = self.picks.last_mut() {
            *pick += 1;
            if pick < bound {
                return true;
            }
            self.picks.pop();
        }
        false
    }

    /// The picks made since the start or the last [`advance`](Self::advance).
    pub fn picks(&self) -> impl Iterator<Item = u32> + '_ {
        self.picks[..self.used].iter().map(|&(pick, ..)| pick)
    }

    /// Whether there were picks since the start or the last [`advance`](Self::advance), all for
    /// [`Decision::Adversary`], so that none of them was a random draw.
    #[must_use]
    pub fn are_an_adversary(&self) -> bool {
        let mut picks = self.picks[..self.used].iter();
        self.used > 0 && picks.all(|&(_, _, why)| why == Decision::Adversary)
    }
}

impl Choices for Enumerated {
    #[inline]
    fn pick(&mut self, bound: NonZeroU32, why: Decision) -> u32 {
        if self.used == self.picks.len() {
            self.picks.push((0, bound.get(), why));
        }
        let (pick, ..) = self.picks[self.used];
        self.used += 1;
        pick
    }
}

/// Choices read from bytes, for fuzzing: up to four bytes per choice, depending on the bound, and 0 after the end.
#[derive(Clone, Debug)]
pub struct FromBytes<'a> {
    bytes: &'a [u8],
}

impl<'a> FromBytes<'a> {
    /// Creates choices that are read from `bytes`, from the front.
    #[must_use]
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { bytes }
    }

    /// Whether all bytes have been used.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }
}

impl Choices for FromBytes<'_> {
    fn pick(&mut self, bound: NonZeroU32, _why: Decision) -> u32 {
        let width = match bound.get() {
            1 => return 0,
            2..=0x100 => 1,
            0x101..=0x1_0000 => 2,
            _ => 4,
        };
        let (now, rest) = self.bytes.split_at(width.min(self.bytes.len()));
        self.bytes = rest;
        now.iter().rev().fold(0, |number, &byte| number << 8 | u32::from(byte)) % bound
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bound(n: u32) -> NonZeroU32 {
        NonZeroU32::new(n).unwrap()
    }

    #[test]
    fn purposes_do_not_disturb_each_other() {
        let mut alone = Seeded::new(7);
        let mut mixed = Seeded::new(7);
        for _ in 0..100 {
            mixed.pick(bound(1000), Decision::Topology);
            assert_eq!(
                alone.pick(bound(1 << 30), Decision::Priority),
                mixed.pick(bound(1 << 30), Decision::Priority)
            );
        }
    }

    #[test]
    fn some_of_a_set_are_those_picked_one_by_one() {
        let (mut one_by_one, mut at_once) = (Seeded::new(7), Seeded::new(7));
        for (of, probability) in
            [(u64::MAX, 0.5), (0x8000_0000_0000_0011, 0.5), (0xff00, 0.3), (0, 0.5), (9, 1.0), (9, 0.0)]
        {
            let probability = FixedProbability::new(probability).unwrap();
            let mut chosen = 0;
            for bit in (0..64).map(|place| 1 << place).filter(|bit| of & bit != 0) {
                if pick_with_probability(&mut one_by_one, probability, Decision::Activation) {
                    chosen |= bit;
                }
            }
            assert_eq!(at_once.pick_some(of, probability, Decision::Activation), chosen);
        }
    }

    #[test]
    fn probability_is_exact_at_the_ends_and_refuses_the_rest() {
        assert_eq!(FixedProbability::new(0.0), Some(FixedProbability::ZERO));
        assert_eq!(FixedProbability::new(0.5), Some(FixedProbability::HALF));
        assert_eq!(FixedProbability::new(1.0), Some(FixedProbability::ONE));
        assert!(FixedProbability::new(1e-300).unwrap() > FixedProbability::ZERO);
        for wrong in [-0.1, 1.5, f64::NAN, f64::INFINITY] {
            assert_eq!(FixedProbability::new(wrong), None);
        }
    }

    #[test]
    fn a_script_that_does_not_fit_says_how() {
        let mut short = Scripted::new(&[3]);
        assert_eq!(short.pick(bound(4), Decision::Action), 3);
        assert_eq!(short.fault(), None);
        short.pick(bound(4), Decision::Action);
        assert_eq!(short.fault(), Some(ScriptFault::TooShort));
        let mut large = Scripted::new(&[4]);
        large.pick(bound(4), Decision::Action);
        assert_eq!(large.fault(), Some(ScriptFault::OutOfRange { pick: 4, bound: 4 }));
        assert_eq!(Scripted::new(&[1]).fault(), Some(ScriptFault::TooLong));
    }

    #[test]
    fn recorded_choices_replay() {
        let mut recorded = Recorded::new(Seeded::new(1));
        let first: Vec<u32> = (1..50).map(|b| recorded.pick(bound(b), Decision::Partner)).collect();
        let picks = recorded.take();
        let mut script = Scripted::new(&picks);
        let second: Vec<u32> = (1..50).map(|b| script.pick(bound(b), Decision::Partner)).collect();
        assert_eq!(first, second);
        assert_eq!(script.fault(), None);
    }

    #[test]
    fn bytes_end_in_zeros() {
        let mut choices = FromBytes::new(&[5, 1, 2, 9]);
        assert_eq!(choices.pick(bound(256), Decision::Action), 5);
        assert_eq!(choices.pick(bound(0x1_0000), Decision::Action), 0x0201);
        assert_eq!(choices.pick(bound(1), Decision::Action), 0);
        assert_eq!(choices.pick(bound(1 << 20), Decision::Action), 9);
        assert!(choices.is_empty());
        assert_eq!(choices.pick(bound(256), Decision::Action), 0);
    }
}
