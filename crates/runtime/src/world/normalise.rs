//! Representatives of configurations that differ only in numbers whose size does not matter.

use super::{Envelope, World};
use crate::exclusion::{Exclusion, Stamps, Transit};
use crate::node::NodeId;
use crate::port::Port;
use crate::section::CriticalSection;

impl<E: Exclusion, S: CriticalSection> World<E, S> {
    /// Sets the treatment of stamps from now on. `None` if the algorithm of the world does not support it.
    #[must_use]
    pub fn with_stamps(self, stamps: Stamps) -> Option<Self> {
        Some(Self { exclusion: self.exclusion.with_stamps(stamps)?, ..self })
    }

    /// Replaces the configuration by the representative of all configurations that behave alike, if the algorithm's
    /// [stamps](Exclusion::stamps) are not counted; see [`Exclusion::normalise`]. Call [`pack`](Self::pack), not
    /// [`pack_changed`](Self::pack_changed), afterwards. Cost: O(nodes + messages).
    pub fn normalise(&mut self) {
        if self.exclusion.stamps() == Stamps::Counted {
            return;
        }
        let Self { exclusion, topology, memories, inboxes, outboxes, scratch, .. } = self;
        let behind = |node: NodeId, port: Port| topology.link(node, port).map_or(node, |link| link.peer);
        let mut messages = Vec::new();
        for (node, inbox) in (0..).map(NodeId).zip(inboxes) {
            messages.extend(inbox.iter_mut().map(|Envelope { port, message, .. }| Transit {
                from: behind(node, *port),
                to: node,
                message,
            }));
        }
        for (node, outbox) in (0..).map(NodeId).zip(outboxes) {
            messages.extend(outbox.iter_mut().map(|(port, message)| Transit {
                from: node,
                to: behind(node, *port),
                message,
            }));
        }
        exclusion.normalise(memories, &mut messages);
        scratch.clear_touched();
        scratch.change(topology.nodes());
    }
}
