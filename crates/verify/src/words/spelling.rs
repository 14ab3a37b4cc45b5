//! [`Spelling`]: an algorithm whose steps can be written down and read again.

use acrasin_runtime::exclusion::{Altered, Exclusion, Vocabulary};

use super::elements::Reading;

/// An algorithm whose steps can be written down and read again: what replays and counterexamples need of it. Kinds of
/// messages have the names of its [`Vocabulary`], actions those that they print.
pub trait Spelling: Vocabulary {
    /// The actions that a step names: those that need neither a message nor a call.
    const CHECKS: &'static [Self::Action];

    /// The algorithm and its rules, for the first line of a replay; `None` where the scenario says them.
    fn rules(&self) -> Option<String>;

    /// Whether all that is drawn inside an action is one priority: a number is written then, and no list of picks.
    fn draws_priority(_action: Self::Action) -> bool {
        false
    }

    /// The variables of a memory with their values in words: the same names for every memory.
    fn variables(memory: &Self::Memory) -> Vec<(&'static str, String)> {
        vec![("memory", format!("{memory:?}"))]
    }

    /// What stands behind the kind of a message.
    fn argument(message: Self::Message) -> Argument;

    /// The message of a kind, its argument read from `words`.
    ///
    /// # Errors
    ///
    /// What is wrong with the argument, and what would be accepted.
    fn message(kind: &str, words: &mut Reading<'_>) -> Result<Self::Message, String>;
}

/// What stands behind the kind of a message.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Argument {
    /// Nothing.
    None,
    /// A number.
    Number(u32),
    /// True or false.
    Flag(bool),
    /// A word, and two numbers.
    Word(&'static str, [u32; 2]),
}

/// In the words of the original.
impl<E: Spelling, A, P> Spelling for Altered<E, A, P>
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
