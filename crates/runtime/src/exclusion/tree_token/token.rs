//! The handler of `token(l)`.

use super::{Behaviour, TokenRun};
use crate::exclusion::Identifier;
use crate::port::Port;

impl TokenRun<'_> {
    /// Handles `token(l)` from k: takes a lent token back, serves the node's own call, or passes the token on for
    /// another node.
    pub(super) fn receive_token(&mut self, port: Port, lender: Option<Identifier>) {
        let own = self.memory.identifier;
        self.memory.token = true;
        match self.memory.mandator.take() {
            None => self.memory.asked = false,
            Some(mandator) if mandator == own => {
                self.keep_or_borrow(port, lender);
                self.enter();
            }
            Some(mandator) => self.pass_on(port, lender, mandator),
        }
        self.drain();
    }

    /// A token that is given permanently makes the node a root. A lent token makes its sender the father.
    fn keep_or_borrow(&mut self, port: Port, lender: Option<Identifier>) {
        let sender = self.memory.name_of(port);
        let memory = &mut *self.memory;
        match lender {
            None => (memory.lender, memory.father) = (Some(memory.identifier), None),
            Some(lender) => (memory.lender, memory.father) = (Some(lender), Some(sender)),
        }
    }

    fn pass_on(&mut self, port: Port, lender: Option<Identifier>, mandator: Identifier) {
        self.memory.asked = false;
        if lender.is_some() {
            self.memory.father = Some(self.memory.name_of(port));
            return self.pass_token(lender, mandator);
        }
        // The behaviour is read again here.
        match self.behaviour() {
            Behaviour::Proxy => {
                let own = self.memory.identifier;
                (self.memory.lender, self.memory.father, self.memory.asked) = (Some(own), None, true);
                self.pass_token(Some(own), mandator);
            }
            Behaviour::Transit => {
                (self.memory.lender, self.memory.father) = (None, Some(mandator));
                self.pass_token(None, mandator);
            }
        }
    }
}
