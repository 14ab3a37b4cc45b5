use acrasin::prelude::*;
use acrasin::protocols::library::{ProtocolEntry, ProtocolInstance};

struct Maximum;

impl Protocol for Maximum {
    type State = u8;
    type Output = u8;

    fn transition(&self, initiator: u8, responder: u8) -> (u8, u8) {
        (initiator.max(responder), initiator.max(responder))
    }

    fn output(&self, state: u8) -> u8 {
        state
    }
}

/// A protocol with finitely many states has names for them, so that scenarios can use them.
impl FiniteProtocol for Maximum {
    fn states(&self) -> Vec<u8> {
        (0..4).collect()
    }

    fn state_name(&self, state: u8) -> String {
        ["a", "b", "c", "d"][usize::from(state)].to_owned()
    }

    fn output_name(&self, output: &u8) -> String {
        output.to_string()
    }
}

/// The entry of the catalogue. The second closure gives the usual start of `agents` agents, as counts in the order of
/// the states.
pub(crate) const MAXIMUM: ProtocolEntry =
    ProtocolEntry::new("maximum", "the later of two letters wins", "a, b, c, d", |_| {
        ProtocolInstance::of(&Maximum, |agents| vec![agents - 1, 0, 0, 1])
    });
