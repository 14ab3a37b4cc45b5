//! The two moments at which a node reads its behaviour.

use std::num::NonZeroU32;

use super::{Behaviour, SchemeRule, TokenErratum, TokenRun};
use crate::choice::Decision;
use crate::exclusion::Identifier;

impl TokenRun<'_> {
    /// Reads the behaviour when the request of `client` is served.
    pub(super) fn behaviour_towards(&mut self, client: Identifier) -> Behaviour {
        if !self.has(TokenErratum::ReadOnArrival) {
            self.read(client);
        }
        self.behaviour()
    }

    /// Evaluates the topology rule for the request of `client`.
    pub(super) fn read(&mut self, client: Identifier) {
        if let SchemeRule::Topology { root, .. } = self.scheme.rule {
            let is_linked = |father| self.scheme.links.join(client, father);
            let of = |linked| if linked { Behaviour::Transit } else { Behaviour::Proxy };
            self.memory.behaviour = Some(self.memory.father.map_or(root, |father| of(is_linked(father))));
        }
    }

    /// Reads the behaviour when the token arrives for the request of another node.
    pub(super) fn behaviour(&mut self) -> Behaviour {
        let is_transit = match self.scheme.rule {
            SchemeRule::AllTransit => true,
            SchemeRule::AllProxy => false,
            SchemeRule::Raymond => self.memory.token,
            SchemeRule::Given => !self.scheme.is_proxy(self.memory.identifier),
            SchemeRule::Topology { initial, .. } => return self.memory.behaviour.unwrap_or(initial),
            SchemeRule::Adversarial => {
                let two = NonZeroU32::new(2).expect("2 > 0");
                self.choices.pick(two, Decision::Adversary) == 0
            }
        };
        if is_transit { Behaviour::Transit } else { Behaviour::Proxy }
    }
}
