//! `enter_cs` and `exit_cs`: the calls of the node's own application.

use super::{Application, Message, Queue, TokenErratum, TokenNote, TokenRun};
use crate::choice::{Decision, pick_index};
use crate::exclusion::{Anomaly, Identifier};
use crate::port::{Port, PortSet};

impl TokenRun<'_> {
    /// `enter_cs`: the node's own application becomes a client and waits like the others.
    pub(super) fn enter_cs(&mut self) {
        if self.memory.application != Application::Idle {
            self.effects.anomaly = Some(Anomaly::IgnoredCall);
            return;
        }
        self.memory.application = Application::Wants;
        let own = self.memory.identifier;
        match self.scheme.queue {
            Queue::Lift => self.memory.waiting.push_front(own),
            Queue::Fifo | Queue::AnyOrder => self.wait_last(own),
        }
        self.drain();
    }

    /// Adds a client at the end of the queue. With [`Queue::AnyOrder`] clients are sorted by identifier,
    /// because their order has no meaning.
    pub(super) fn wait_last(&mut self, client: Identifier) {
        let waiting = &mut self.memory.waiting;
        let at = match self.scheme.queue {
            Queue::Fifo | Queue::Lift => waiting.len(),
            Queue::AnyOrder => waiting.partition_point(|&other| other < client),
        };
        waiting.insert(at, client);
    }

    /// Serves the node's own call: at once if the node has the token, otherwise when the token arrives.
    pub(super) fn serve_own(&mut self) {
        self.memory.asked = true;
        if self.memory.token {
            self.enter();
        } else {
            let own = self.memory.identifier;
            self.memory.mandator = Some(own);
            self.effects.announce(TokenNote::Asks(own));
            self.ask_father(own);
        }
    }

    pub(super) fn enter(&mut self) {
        self.memory.application = Application::Inside;
        self.effects.granted = Some(PortSet::from_port(Port::SELF));
    }

    /// `exit_cs`: returns the token to its lender if that is another node. The printed test `if lender` makes the root
    /// send the token to itself.
    pub(super) fn exit_cs(&mut self) {
        if self.memory.application != Application::Inside {
            self.effects.anomaly = Some(Anomaly::IgnoredCall);
            return;
        }
        self.memory.application = Application::Idle;
        let own = self.memory.identifier;
        let to_itself = self.has(TokenErratum::LenderNotNil);
        if let Some(lender) = self.memory.lender.filter(|&lender| lender != own || to_itself) {
            self.memory.token = false;
            self.send(Message::Token(None), lender);
        }
        self.memory.asked = false;
        self.effects.released = true;
        self.drain();
    }

    /// Serves waiting clients one after the other while none is being served. Runs within the action that lets the
    /// previous client go: a wake-up in a later action could starve other nodes under [`Queue::Lift`].
    pub(super) fn drain(&mut self) {
        while !self.memory.asked && !self.memory.waiting.is_empty() && !self.has(TokenErratum::DrainedApart) {
            self.wake();
        }
    }

    /// Serves the first waiting client, or the picked one.
    pub(super) fn wake(&mut self) {
        let count = self.memory.waiting.len();
        let place = if self.scheme.queue == Queue::AnyOrder && count > 1 {
            pick_index(self.choices, count, Decision::Adversary)
        } else {
            Some(0)
        };
        let Some(client) = place.and_then(|place| self.memory.waiting.remove(place)) else { return };
        if client == self.memory.identifier {
            self.serve_own();
        } else {
            self.serve(client);
        }
    }

    pub(super) fn ask_father(&mut self, client: Identifier) {
        let Some(father) = self.memory.father else {
            // As printed, the root can have sent the token to itself. The text does not say which node it asks
            // then.
            assert!(self.has(TokenErratum::LenderNotNil), "a node without the token has a father");
            return;
        };
        self.send_out(Message::Request(client), father);
    }
}
