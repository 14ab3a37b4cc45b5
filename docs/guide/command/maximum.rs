use acrasin::catalogue::parameter::{Parameter, ParameterKind};
use acrasin::prelude::*;
use acrasin::protocols::library::{ProtocolEntry, ProtocolInstance};

struct Maximum {
    letters: u8,
}

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
        (0..self.letters).collect()
    }

    fn state_name(&self, state: u8) -> String {
        char::from(b'a' + state).to_string()
    }

    fn output_name(&self, output: &u8) -> String {
        self.state_name(*output)
    }
}

/// The entry of the catalogue. The outer closure gets the values of the parameters, in their order. The inner one gives
/// the usual start of `agents` agents, as counts in the order of the states.
pub(crate) const MAXIMUM: ProtocolEntry =
    ProtocolEntry::new("maximum", "the later of two letters wins", "a, b, c and so on", |values| {
        let letters = u8::try_from(values[0]).expect("the range of the parameter");
        ProtocolInstance::of(&Maximum { letters }, move |agents| {
            let mut counts = vec![0; letters.into()];
            (counts[0], counts[usize::from(letters) - 1]) = (agents - 1, 1);
            counts
        })
    })
    .with_parameters(const { &[Parameter::optional("letters", LETTERS, "the number of letters")] });

/// A protocol takes whole numbers, each with its range and default. Other kinds are for graphs and amoebots.
const LETTERS: ParameterKind = ParameterKind::Whole { least: 2, most: 26, default: 4 };
