//! The handler of `request(j)`.

use super::{Behaviour, TokenErratum, TokenNote, TokenRun};
use crate::exclusion::Identifier;

impl TokenRun<'_> {
    /// Handles `request(j)`: adds j to the waiting clients, and serves them while none is being served.
    pub(super) fn receive_request(&mut self, client: Identifier) {
        if self.has(TokenErratum::ReadOnArrival) {
            self.read(client);
        }
        self.wait_last(client);
        self.drain();
    }

    /// Serves the request of another node, after reading the behaviour.
    pub(super) fn serve(&mut self, client: Identifier) {
        match self.behaviour_towards(client) {
            Behaviour::Proxy => {
                self.memory.asked = true;
                if self.memory.token {
                    self.pass_token(Some(self.memory.identifier), client);
                } else {
                    // Line 7 prints `mandator := i`: the token would stop here, and the client would never
                    // enter.
                    let itself = self.has(TokenErratum::MandatorItself);
                    self.memory.mandator = Some(if itself { self.memory.identifier } else { client });
                    self.effects.announce(TokenNote::Asks(client));
                    self.ask_father(self.memory.identifier);
                }
            }
            Behaviour::Transit => {
                if self.memory.token {
                    self.memory.lender = None;
                    self.pass_token(None, client);
                } else {
                    self.ask_father(client);
                }
                self.memory.father = Some(client);
            }
        }
    }
}
