//! Protocols with some transitions changed, which an oracle must reject.

use acrasin_protocols::exact::ExactChain;
use acrasin_protocols::uniform::Condition;
use acrasin_protocols::{FiniteProtocol, Protocol, Table};

/// `protocol`, except for the pairs for which `change` returns other states.
pub(super) struct Changed<'a, P, F> {
    pub(super) protocol: &'a P,
    pub(super) change: F,
}

impl<P: FiniteProtocol, F: Fn(P::State, P::State) -> Option<(P::State, P::State)>> Protocol
    for Changed<'_, P, F>
{
    type State = P::State;
    type Output = P::Output;

    fn transition(&self, initiator: P::State, responder: P::State) -> (P::State, P::State) {
        (self.change)(initiator, responder).unwrap_or_else(|| self.protocol.transition(initiator, responder))
    }

    fn output(&self, state: P::State) -> P::Output {
        self.protocol.output(state)
    }
}

impl<P: FiniteProtocol, F: Fn(P::State, P::State) -> Option<(P::State, P::State)>> FiniteProtocol
    for Changed<'_, P, F>
{
    fn states(&self) -> Vec<P::State> {
        self.protocol.states()
    }

    fn state_name(&self, state: P::State) -> String {
        self.protocol.state_name(state)
    }

    fn output_name(&self, output: &P::Output) -> String {
        self.protocol.output_name(output)
    }
}

/// The table of `protocol` with a change.
pub(super) fn wrong<P: FiniteProtocol>(
    protocol: &P,
    change: impl Fn(P::State, P::State) -> Option<(P::State, P::State)>,
) -> Table {
    Table::compile(&Changed { protocol, change }).unwrap()
}

/// The table of `protocol`.
pub(super) fn right<P: FiniteProtocol>(protocol: &P) -> Table {
    Table::compile(protocol).unwrap()
}

/// The exact chain of all configurations reachable from these counts.
pub(super) fn chain(table: &Table, start: &[u32]) -> ExactChain {
    ExactChain::explore(table, start).unwrap()
}

/// A condition as a function of the counts.
pub(super) struct When<F>(pub(super) F);

impl<F: Fn(&[u64]) -> bool> Condition for When<F> {
    fn holds(&self, counts: &[u64]) -> bool {
        (self.0)(counts)
    }
}

/// Whether `value` differs from `expected` by at most this fraction of `expected`.
pub(super) fn is_near(value: f64, expected: f64, relative: f64) -> bool {
    (value - expected).abs() <= relative * expected.abs()
}

/// The mean of measurements, and the standard deviation of that mean.
pub(super) fn mean(values: &[f64]) -> (f64, f64) {
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (count - 1.0);
    (mean, (variance / count).sqrt())
}

/// Whether the mean of measurements is within five standard deviations of `expected`.
pub(super) fn agrees(values: &[f64], expected: f64) -> bool {
    let (mean, deviation) = mean(values);
    (mean - expected).abs() < 5.0 * deviation
}
