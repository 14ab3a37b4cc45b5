//! The notation of the token that travels along a tree: `"request",2`, `"token"`, and `"token",0` if node 0 has lent
//! the token.

use acrasin_runtime::exclusion::Identifier;
use acrasin_runtime::exclusion::tree_token::{Action, Memory, Message, TreeToken};

use super::elements::Reading;
use super::step_codec::{Argument, StepCodec};

impl StepCodec for TreeToken {
    const CHECKS: &'static [Action] = &[Action::Wake];

    fn rules(&self) -> Option<String> {
        let proxies: Vec<String> = self.proxies().iter().map(ToString::to_string).collect();
        let proxies =
            if proxies.is_empty() { String::new() } else { format!(" proxies {}", proxies.join(" ")) };
        let printed = self.printed().words();
        Some(format!("tree token, {:?}{proxies}, {:?}{printed}", self.rule(), self.queue()))
    }

    fn variables(memory: &Memory) -> Vec<(&'static str, String)> {
        memory.variables()
    }

    fn argument(message: Message) -> Argument {
        match message {
            Message::Request(client) => Argument::Number(client.0),
            Message::Token(lender) => lender.map_or(Argument::None, |lender| Argument::Number(lender.0)),
        }
    }

    fn message(kind: &str, words: &mut Reading<'_>) -> Result<Message, String> {
        if kind == "token" && words.is_over() {
            return Ok(Message::Token(None));
        }
        let node = Identifier(words.number("node", u32::MAX)?);
        Ok(if kind == "token" { Message::Token(Some(node)) } else { Message::Request(node) })
    }
}
