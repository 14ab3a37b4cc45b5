//! [`StepCodec`]: reading and writing the steps of an algorithm.

use acrasin_runtime::exclusion::{AlgorithmLabels, Exclusion, Mutant};

use super::elements::Reading;

/// An algorithm whose steps can be written and read, as replays and counterexamples require. The names of message kinds
/// are those of its [`AlgorithmLabels`]; actions are written with their `Display` text.
pub trait StepCodec: AlgorithmLabels {
    /// The actions that a step names as `["act",u,NAME]`: those that need neither a message nor a call.
    const CHECKS: &'static [Self::Action];

    /// The algorithm and its rules, for the first line of a replay; `None` if the scenario names them.
    fn rules(&self) -> Option<String>;

    /// Whether the only pick of an action is a priority. The priority is then written as a number instead of a list of
    /// picks.
    fn draws_priority(_action: Self::Action) -> bool {
        false
    }

    /// The variables of a memory with their values as text. All memories have the same names in the same order.
    fn variables(memory: &Self::Memory) -> Vec<(&'static str, String)> {
        vec![("memory", format!("{memory:?}"))]
    }

    /// The argument after the kind of a message.
    fn argument(message: Self::Message) -> Argument;

    /// The message of a kind, with its argument read from `words`.
    ///
    /// # Errors
    ///
    /// An error message that describes the fault of the argument and the accepted values.
    fn message(kind: &str, words: &mut Reading<'_>) -> Result<Self::Message, String>;
}

/// The argument after the kind of a message.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Argument {
    /// The message has no argument.
    None,
    /// A number, such as a priority.
    Number(u32),
    /// True or false.
    Flag(bool),
    /// A word and two numbers.
    Word(&'static str, [u32; 2]),
}

/// A mutant has the notation of its original.
impl<E: StepCodec, A, P> StepCodec for Mutant<E, A, P>
where
    Self: Exclusion<Message = E::Message, Action = E::Action, Note = E::Note, Memory = E::Memory>,
{
    const CHECKS: &'static [E::Action] = E::CHECKS;

    fn rules(&self) -> Option<String> {
        self.original.rules()
    }

    fn draws_priority(action: E::Action) -> bool {
        E::draws_priority(action)
    }

    fn variables(memory: &E::Memory) -> Vec<(&'static str, String)> {
        E::variables(memory)
    }

    fn argument(message: E::Message) -> Argument {
        E::argument(message)
    }

    fn message(kind: &str, words: &mut Reading<'_>) -> Result<E::Message, String> {
        E::message(kind, words)
    }
}
