//! [`MessageFigures`]: messages by kind, and changes of the graph.

use acrasin_runtime::exclusion::{AlgorithmLabels, LABELS_MAX};
use acrasin_runtime::{CriticalSection, Event, Observer, saved_fields};

use crate::record::{Figure, Section, SectionName};

/// Counts messages by kind, actions by name, and changes of the graph.
#[derive(Clone, Debug, Default)]
pub struct MessageFigures {
    to_neighbours: [u64; LABELS_MAX],
    to_self: u64,
    actions: [u64; LABELS_MAX],
    connected: u64,
    disconnected: u64,
    lost: u64,
}

saved_fields!(MessageFigures { to_neighbours, to_self, actions, connected, disconnected, lost });

impl MessageFigures {
    /// Creates an observer; all counts are 0.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Messages to neighbours by kind, with the algorithm's names.
    #[must_use]
    pub fn messages<E: AlgorithmLabels>(&self) -> Section {
        let mut section = Section::of(SectionName::Messages);
        let total: u64 = self.to_neighbours.iter().sum();
        section.push(Figure::new("to_neighbours", "to neighbours", total));
        section.push(Figure::new("to_self", "of nodes to themselves", self.to_self));
        for (kind, &count) in E::KINDS.iter().zip(&self.to_neighbours) {
            section.push(Figure::new(kind.replace('-', "_"), *kind, count));
        }
        for (action, &count) in E::ACTIONS.iter().zip(&self.actions) {
            let name = action.to_string();
            section.push(Figure::new(format!("action_{name}"), name, count).json_only());
        }
        section
    }

    /// Edges that appeared and vanished, and lost messages. `refused` is the number of edges that found no open port,
    /// if it is counted.
    #[must_use]
    pub fn topology(&self, refused: Option<u64>) -> Section {
        let mut section = Section::of(SectionName::Topology);
        section.push(Figure::new("connected", "edges that appeared", self.connected));
        section.push(Figure::new("disconnected", "edges that vanished", self.disconnected));
        section.push(Figure::new("lost", "messages lost with them", self.lost));
        if let Some(refused) = refused {
            section.push(Figure::new("refused", "meetings refused: no open port", refused));
        }
        section
    }
}

impl<E: AlgorithmLabels, S: CriticalSection> Observer<E, S> for MessageFigures {
    #[inline]
    fn event(&mut self, event: &Event<'_, E, S>) {
        match *event {
            Event::Executed { action, .. } => self.actions[E::action(action)] += 1,
            Event::Sent { from, to, .. } if from == to => self.to_self += 1,
            Event::Sent { message, .. } => self.to_neighbours[E::kind(message)] += 1,
            Event::Connected { .. } => self.connected += 1,
            Event::Disconnected { lost, .. } => {
                self.disconnected += 1;
                self.lost += u64::from(lost);
            }
            _ => {}
        }
    }
}
