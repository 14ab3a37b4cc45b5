//! Films of agents that have no data except a state.

use acrasin_report::film::{FrameEvents, Head, NodeColumn, NodePositions, NodeValue};

use super::{NodeLock, Walking};
use crate::run::{Changes, Filmed, NodeView};

/// The states of agents at one moment, and the edges between them.
#[derive(Debug)]
pub(crate) struct AgentFilm {
    head: Head,
    walking: Option<Walking>,
    has_moved: bool,
    /// The position of each node in its Lock; empty without locks.
    standings: Vec<NodeLock>,
    has_states: bool,
    states: Vec<u16>,
    neighbours: Vec<Vec<u32>>,
    changed: Vec<u32>,
    moment: u64,
}

impl AgentFilm {
    /// Creates a film without a configuration, which [`at`](Self::at) sets.
    pub(crate) fn new(
        (names, nodes): (&[String], u32),
        time: &str,
        (edges, picture): (Vec<(u32, u32)>, NodePositions),
    ) -> Self {
        let columns = match names {
            [] => Vec::new(),
            names => vec![NodeColumn::class("state", "state", names.iter().cloned())],
        };
        let mut head = Head::new("population", nodes, columns);
        time.clone_into(&mut head.time);
        head.picture = picture;
        let mut film = Self {
            head,
            walking: None,
            has_moved: false,
            standings: Vec::new(),
            has_states: !names.is_empty(),
            states: Vec::new(),
            neighbours: vec![Vec::new(); nodes as usize],
            changed: Vec::new(),
            moment: 0,
        };
        edges.into_iter().for_each(|(a, b)| film.connect(a, b));
        film
    }

    /// Sets the names of the nodes, as the graph file has them.
    pub(crate) fn called(mut self, names: Option<Vec<String>>) -> Self {
        self.head.labels = names;
        self
    }

    /// Sets the walkers whose positions are those of the nodes, if nodes move.
    pub(crate) fn walking(mut self, walking: Option<Walking>) -> Self {
        if let Some(walking) = &walking {
            self.head.picture = Walking::picture();
            self.head.columns.extend(walking.columns());
        }
        self.walking = walking;
        self
    }

    /// Adds the columns of locks, for nodes that call Lock.
    pub(crate) fn locking(mut self) -> Self {
        self.head.columns.extend(NodeLock::columns());
        self.standings = vec![NodeLock::default(); self.head.nodes as usize];
        self
    }

    /// Sets the position of each node in its Lock; nodes are in the order of their numbers.
    pub(crate) fn stand(&mut self, standings: impl Iterator<Item = NodeLock>) {
        for ((node, before), now) in (0..).zip(&mut self.standings).zip(standings) {
            if std::mem::replace(before, now) != now {
                self.changed.push(node);
            }
        }
    }

    /// Sets the number of completed rounds.
    pub(crate) fn go_to_round(&mut self, round: u64) {
        self.has_moved |= self.walking.as_mut().is_some_and(|walking| walking.go_to_round(round));
    }

    /// Adds an edge.
    pub(crate) fn connect(&mut self, a: u32, b: u32) {
        for (node, other) in [(a, b), (b, a)] {
            if a != b && !self.neighbours[node as usize].contains(&other) {
                self.neighbours[node as usize].push(other);
                self.changed.push(node);
            }
        }
    }

    /// Removes an edge.
    pub(crate) fn disconnect(&mut self, a: u32, b: u32) {
        for (node, other) in [(a, b), (b, a)] {
            self.neighbours[node as usize].retain(|&neighbour| neighbour != other);
            self.changed.push(node);
        }
    }

    /// Replaces all edges; each is written with its lower node first.
    pub(crate) fn join(&mut self, edges: &[(u32, u32)]) {
        let mut now = vec![Vec::new(); self.neighbours.len()];
        for &(a, b) in edges {
            now[a as usize].push(b);
            now[b as usize].push(a);
        }
        for ((node, before), mut now) in (0..).zip(&mut self.neighbours).zip(now) {
            before.sort_unstable();
            now.sort_unstable();
            if *before != now {
                *before = now;
                self.changed.push(node);
            }
        }
    }

    /// Sets the states after `moment` steps.
    pub(crate) fn at(&mut self, moment: u64, states: impl ExactSizeIterator<Item = u16>) -> &mut Self {
        self.moment = moment;
        // Agents that joined later have no position, so they are not shown.
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

    fn look(&self, node: u32, into: &mut NodeView) {
        if self.has_states {
            into.values.push(NodeValue::Class(self.states[node as usize].into()));
        }
        if let Some(standing) = self.standings.get(node as usize) {
            standing.look(&mut into.values);
        }
        if let Some(walking) = &self.walking {
            walking.look(node, &mut into.values);
        }
        into.neighbours.extend_from_slice(&self.neighbours[node as usize]);
    }

    fn since(&mut self, into: &mut Changes) {
        into.nodes.append(&mut self.changed);
        into.has_walkers |= std::mem::take(&mut self.has_moved);
        into.happened = FrameEvents::default();
    }
}
