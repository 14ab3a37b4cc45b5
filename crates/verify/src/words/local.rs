//! The notation of local mutual exclusion, such as `"request-lock",17` and `"win",true`.

use acrasin_runtime::exclusion::local::{Action, Local, Memory, Message, Priority};

use super::elements::Reading;
use super::step_codec::{Argument, StepCodec};

impl StepCodec for Local {
    const CHECKS: &'static [Action] = &Action::CHECKS;

    fn rules(&self) -> Option<String> {
        None
    }

    fn draws_priority(action: Action) -> bool {
        matches!(action, Action::CheckStart | Action::CheckWin)
    }

    fn variables(memory: &Memory) -> Vec<(&'static str, String)> {
        memory.variables()
    }

    fn argument(message: Message) -> Argument {
        match message {
            Message::RequestLock(priority) => Argument::Number(priority.0),
            Message::Win(won) => Argument::Flag(won),
            _ => Argument::None,
        }
    }

    fn message(kind: &str, words: &mut Reading<'_>) -> Result<Message, String> {
        Ok(match kind {
            "prepare" => Message::Prepare,
            "ready" => Message::Ready,
            "request-lock" => Message::RequestLock(Priority(words.number("priority", u32::MAX)?)),
            "win" => Message::Win(words.flag().ok_or("win is followed by true or false")?),
            "set-lock" => Message::SetLock,
            "ack-lock" => Message::AckLock,
            "release-lock" => Message::ReleaseLock,
            _ => Message::AckUnlock,
        })
    }
}
