//! Agents of which the state is known and no more.

use acrasin_report::film::{Column, Happened, Head, Picture, Value};

use crate::run::{Filmed, Look, Since};

/// The states of agents at one moment, and the edges between them.
#[derive(Clone, Debug)]
pub(crate) struct AgentFilm {
    head: Head,
    states: Vec<u16>,
    neighbours: Vec<Vec<u32>>,
    changed: Vec<u32>,
    moment: u64,
}

impl AgentFilm {
    /// Before anything is known of a state: [`at`](Self::at) tells.
    pub(crate) fn new(
        (names, nodes): (&[String], u32),
        time: &str,
        (edges, picture): (Vec<(u32, u32)>, Picture),
    ) -> Self {
        let columns = match names {
            [] => Vec::new(),
            names => vec![Column::class("state", "state", names.iter().cloned())],
        };
        let mut head = Head::new("population", nodes, columns);
        time.clone_into(&mut head.time);
        head.picture = picture;
        let mut film = Self {
            head,
            states: Vec::new(),
            neighbours: vec![Vec::new(); nodes as usize],
            changed: Vec::new(),
            moment: 0,
        };
        edges.into_iter().for_each(|(a, b)| film.connect(a, b));
        film
    }

    /// An edge is there.
    pub(crate) fn connect(&mut self, a: u32, b: u32) {
        for (node, other) in [(a, b), (b, a)] {
            if a != b && !self.neighbours[node as usize].contains(&other) {
                self.neighbours[node as usize].push(other);
                self.changed.push(node);
            }
        }
    }

    /// An edge is there no more.
    pub(crate) fn disconnect(&mut self, a: u32, b: u32) {
        for (node, other) in [(a, b), (b, a)] {
            self.neighbours[node as usize].retain(|&neighbour| neighbour != other);
            self.changed.push(node);
        }
    }

    /// The states after so many steps.
    pub(crate) fn at(&mut self, moment: u64, states: impl ExactSizeIterator<Item = u16>) -> &mut Self {
        self.moment = moment;
        // Agents that have joined are not in the picture.
        let states = states.take(self.head.nodes as usize);
        if self.states.is_empty() {
            self.states = states.collect();
            return self;
        }
        for ((node, before), now) in (0..).zip(&mut self.states).zip(states) {
            if *before != now {
                *before = now;
                self.changed.push(node);
            }
        }
        self
    }
}

impl Filmed for AgentFilm {
    fn head(&self) -> Head {
        self.head.clone()
    }

    fn moment(&self) -> u64 {
        self.moment
    }

    fn look(&self, node: u32, into: &mut Look) {
        if !self.head.columns.is_empty() {
            into.values.push(Value::Class(self.states[node as usize].into()));
        }
        into.neighbours.extend_from_slice(&self.neighbours[node as usize]);
    }

    fn since(&mut self, into: &mut Since) {
        into.nodes.append(&mut self.changed);
        into.happened = Happened::default();
    }
}
