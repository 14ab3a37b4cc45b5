//! Drops every second frame of a film that is being written.

use std::collections::{BTreeMap, BTreeSet};

use super::configuration::{FrameConfiguration, Message, NodeValue};
use super::read::steps_of;
use super::write::{CHANGED, FilmWriter, FrameChange, FrameEvents};

impl FilmWriter {
    /// Drops every second frame. The film then has twice as many steps between frames, exactly as if it had been
    /// written with this interval. Events of a dropped frame move to the next. Cost: that of writing the film again.
    ///
    /// # Panics
    ///
    /// Panics if the number of frames is even, since the last one would be dropped.
    pub fn halve(&mut self) {
        assert!(self.frames() % 2 == 1, "{} frames", self.frames());
        let (written, chunks) = self.take_chunks();
        let mut head = written.clone();
        head.chunks.clear();
        head.every *= 2;
        let (start, _) = steps_of(&written, 0, &chunks[0]);
        let mut halved = Self::new(head, start);
        let mut pair = FramePair::default();
        let mut number = 0_u64;
        for (at, packed) in chunks.iter().enumerate() {
            for (happened, operations) in steps_of(&written, at, packed).1 {
                if number > 0 {
                    pair.join(halved.now(), happened, operations);
                    if number.is_multiple_of(2) {
                        let (happened, operations) = pair.take(halved.now());
                        halved.frame(&happened, &operations);
                    }
                }
                number += 1;
            }
        }
        *self = halved;
    }
}

/// The changes of two consecutive frames as one list, without changes that cancel out.
#[derive(Default)]
struct FramePair {
    happened: FrameEvents,
    /// Changed values by node, then by column.
    values: BTreeMap<(u32, usize), NodeValue>,
    edges: BTreeMap<(u32, u32), bool>,
    /// Messages sent in these frames and not received in them.
    sent: BTreeMap<u64, Message>,
    /// Earlier messages that were received in these frames.
    received: BTreeSet<u64>,
}

impl FramePair {
    fn join(&mut self, before: &FrameConfiguration, happened: FrameEvents, operations: Vec<FrameChange>) {
        // The flag for changes of the graph is set at the end, from the combined changes.
        let flags = (self.happened.flags | happened.flags) & !CHANGED;
        if happened.text.is_empty() && happened.actor.is_none() {
            self.happened.flags = flags;
        } else {
            self.happened = FrameEvents { flags, ..happened };
        }
        for operation in operations {
            match operation {
                FrameChange::Set { column, node, value } => {
                    self.values.insert((node, column), value);
                }
                FrameChange::Appeared(a, b) => {
                    self.edges.insert((a, b), true);
                }
                FrameChange::Vanished(a, b) => {
                    self.edges.insert((a, b), false);
                }
                FrameChange::Sent(id, message) => {
                    self.sent.insert(id, message);
                }
                FrameChange::Received(id) => {
                    self.sent.remove(&id);
                    if before.messages.contains_key(&id) {
                        self.received.insert(id);
                    }
                }
            }
        }
    }

    /// Takes the combined changes, relative to the configuration `before`.
    fn take(&mut self, before: &FrameConfiguration) -> (FrameEvents, Vec<FrameChange>) {
        let Self { mut happened, values, edges, sent, received } = std::mem::take(self);
        let mut operations = Vec::new();
        for ((a, b), is_there) in edges {
            if before.edges.contains(&(a, b)) != is_there {
                operations.push(if is_there {
                    FrameChange::Appeared(a, b)
                } else {
                    FrameChange::Vanished(a, b)
                });
                happened.flags |= CHANGED;
            }
        }
        operations.extend(received.into_iter().map(FrameChange::Received));
        operations.extend(sent.into_iter().map(|(id, message)| FrameChange::Sent(id, message)));
        let others = values
            .into_iter()
            .filter(|((node, column), value)| before.columns[*column][*node as usize] != *value);
        operations.extend(others.map(|((node, column), value)| FrameChange::Set { column, node, value }));
        (happened, operations)
    }
}
