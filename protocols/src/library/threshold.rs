//! Threshold predicates: whether a weighted sum of inputs is below a bound.

use acrasin_catalogue::parameter::ParameterError;

use super::entry::{ProtocolEntry, ProtocolInstance, three_fifths_at, whole};
use super::proved::ProvedClaim;
use crate::protocol::{FiniteProtocol, Protocol};

/// The catalogue entry of [`Threshold`].
pub(super) const ENTRY: ProtocolEntry = ProtocolEntry::new(
    "threshold",
    "whether a x + b y < k",
    "Lu, Lu!, fu, fu! for u from -s to s",
    |values| {
        let [first, second, bound] = [values[0], values[1], values[2]].map(|value| value as i32);
        let protocol =
            Threshold::new(&[first, second], bound).expect("ranges of parameters are those of weights");
        ProtocolInstance::of(&protocol, move |agents| protocol.initial_counts(agents, [first, second]))
    },
)
.with_parameters(
    const {
        const MOST: i64 = Threshold::MAX_WEIGHT as i64;
        &[
            whole("a", "the weight of the first input", -MOST, MOST, 1),
            whole("b", "the weight of the second input", -MOST, MOST, -1),
            whole("k", "the bound", -MOST, MOST, 0),
        ]
    },
)
.with_proved(ProvedClaim::computes("L1 - 'L-1!' < 0", [&["yes"], &["no"]], &["L1", "L-1!"]));

/// The state of an agent of [`Threshold`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Summand {
    /// Whether the agent leads.
    pub leads: bool,
    /// The output: whether the sum is below the bound.
    pub answers: bool,
    /// The agent's part `u` of the sum.
    pub part: i32,
}

/// Computes whether the sum of a_i x_i is below k. Parts u are within -s..=s, where s = max(|k| + 1, max |a_i|). If at
/// least one of two agents leads, the initiator leads afterwards, with c = u + u' clamped to -s..=s. The responder
/// becomes a follower, with the rest u + u' - c. Both answer whether c < k. Two followers change nothing.
///
/// - **Source:** Angluin, Aspnes, Diamadi, Fischer, Peralta, Distributed Computing 18 (2006).
/// - **Claim:** correct from every input on the complete graph; O(n^2 log n) interactions on average. The sum of the
///   parts is conserved.
/// - **Oracle:** the predicate itself, for every input of small populations; the sum of the parts; leaders merge as in
///   [`Fratricide`](super::Fratricide).
/// - **Odd cases:** the last leader walks forever, so the population is settled but not silent.
/// - **Group:** the holder of the lock meets every agent of its lock set once.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Threshold {
    bound: i32,
    most: i32,
}

impl Threshold {
    /// The largest absolute value of a weight or the bound. At this value the 4 (2 (500 + 1) + 1) states still fit in a
    /// table.
    pub const MAX_WEIGHT: u16 = 500;

    /// Creates the predicate with inputs of these weights.
    ///
    /// # Errors
    ///
    /// A weight or the bound is outside -[`MAX_WEIGHT`](Self::MAX_WEIGHT)..=[`MAX_WEIGHT`](Self::MAX_WEIGHT).
    pub fn new(weights: &[i32], bound: i32) -> Result<Self, ParameterError> {
        let most = i32::from(Self::MAX_WEIGHT);
        for (what, value) in weights.iter().map(|&weight| ("weights", weight)).chain([("k", bound)]) {
            if !(-most..=most).contains(&value) {
                let message = format!("threshold: the parameter `{what}` has the value {value}");
                return Err(ParameterError::new(what, message).accepting(format!("{} to {most}", -most)));
            }
        }
        let largest = weights.iter().map(|weight| weight.abs()).max().unwrap_or(0);
        Ok(Self { bound, most: largest.max(bound.abs() + 1) })
    }

    /// The state of an agent that starts with the input of this weight. Every agent leads at the start.
    #[must_use]
    pub fn input(&self, weight: i32) -> Summand {
        Summand { leads: true, answers: weight < self.bound, part: weight }
    }

    /// Example initial counts: three fifths of the agents, rounded up, have the input of the first weight, the rest
    /// that of the second. They sum to `agents`.
    #[must_use]
    pub fn initial_counts(&self, agents: u64, weights: [i32; 2]) -> Vec<u64> {
        let states = self.states();
        let place = |weight| {
            let input = self.input(weight);
            states.iter().position(|&state| state == input).expect("weights are within the parts")
        };
        three_fifths_at(agents, states.len(), weights.map(place))
    }
}

impl Protocol for Threshold {
    type State = Summand;
    type Output = bool;

    fn transition(&self, initiator: Summand, responder: Summand) -> (Summand, Summand) {
        if !initiator.leads && !responder.leads {
            return (initiator, responder);
        }
        let sum = initiator.part + responder.part;
        let kept = sum.clamp(-self.most, self.most);
        let answers = kept < self.bound;
        (Summand { leads: true, answers, part: kept }, Summand { leads: false, answers, part: sum - kept })
    }

    fn output(&self, state: Summand) -> bool {
        state.answers
    }
}

impl FiniteProtocol for Threshold {
    fn states(&self) -> Vec<Summand> {
        let kinds = [(true, false), (true, true), (false, false), (false, true)];
        let parts =
            |(leads, answers)| (-self.most..=self.most).map(move |part| Summand { leads, answers, part });
        kinds.into_iter().flat_map(parts).collect()
    }

    fn state_name(&self, state: Summand) -> String {
        let letter = if state.leads { 'L' } else { 'f' };
        format!("{letter}{}{}", state.part, if state.answers { "!" } else { "" })
    }

    fn output_name(&self, output: &bool) -> String {
        if *output { "yes" } else { "no" }.to_owned()
    }
}
