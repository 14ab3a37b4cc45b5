//! [`EntryFigures`]: the cost of entries into critical sections, and the entries of each node.

use acrasin_runtime::exclusion::{AlgorithmLabels, LABELS_MAX, RequestOwner};
use acrasin_runtime::{CriticalSection, Event, NodeId, Observer, World, pack_fields, saved_fields};

use crate::record::{Figure, Section};
use crate::summary::Distribution;
use crate::value::Value;

/// Messages per entry by kind, without messages of a node to itself, and the number of entries of each node.
///
/// "Per entry" is the number of all messages divided by the number of entries. If
/// [`RequestOwner`](acrasin_runtime::exclusion::RequestOwner) attributes messages to requests, the messages of each
/// entry with its exit are known. So are the hops of requests that are passed on. Waiting is measured in rounds from a
/// call to its completion, for entering and for leaving: under mutual inclusion nodes wait before they leave.
///
/// ```
/// use acrasin_report::observer::EntryFigures;
/// use acrasin_runtime::exclusion::tree_token::{SchemeRule, TreeToken};
/// use acrasin_runtime::exclusion::{RootedTree, InitialKnowledge};
/// use acrasin_runtime::execution::{Advance, Execution};
/// use acrasin_runtime::scheduler::Sequential;
/// use acrasin_runtime::{Demand, LockOnly, LockSetRule, Seeded, Setup, Timing, Topology, World};
/// let setup = Setup {
///     exclusion: TreeToken::new(SchemeRule::Raymond),
///     section: LockOnly,
///     topology: Topology::from_edges(3, 2, &[(0, 1), (1, 2)])?,
///     // Node 2 alone enters, once, two edges from the token.
///     states: vec![Demand::Times(0), Demand::Times(0), Demand::Times(1)],
///     lock_set: LockSetRule::Neighbourhood,
///     timing: Timing::AtOnce,
/// };
/// let seating = InitialKnowledge::from_tree(RootedTree::new(&[None, Some(0), Some(1)])?);
/// let mut run = Execution::new(World::with_knowledge(setup, &seating)?, Box::new(Sequential::new()));
/// let (mut figures, mut choices) = (EntryFigures::new(3), Seeded::new(1));
/// while run.advance(&mut choices, &mut figures) == Advance::Advanced {}
/// assert_eq!(figures.entries(), [0, 0, 1]);
/// assert_eq!(figures.messages_per_entry(), Some(4.0), "2 d for a node at depth d");
/// assert_eq!((figures.messages_of_pairs().max(), figures.hops().max()), (Some(4), Some(2)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct EntryFigures {
    entries: Vec<u64>,
    messages: [u64; LABELS_MAX],
    rounds: u64,
    /// The round of the last call of each node.
    called: Vec<u64>,
    entering: Distribution,
    leaving: Distribution,
    /// The messages and hops of the current entry and exit of each node.
    pairs: Vec<EntryExitPair>,
    /// For each node, the node for which it sends its current requests.
    asks_for: Vec<Option<NodeId>>,
    /// Sent requests whose sender has not yet announced for which node it asks.
    unannounced: u64,
    whole: Distribution,
    hops: Distribution,
}

saved_fields!(EntryFigures {
    entries fixed,
    messages,
    rounds,
    called fixed,
    entering,
    leaving,
    pairs fixed,
    asks_for fixed,
    unannounced,
    whole,
    hops,
});

/// An entry of a node and the exit after it, or an exit and the entry after it.
#[derive(Clone, Copy, Default, Debug)]
struct EntryExitPair {
    messages: u64,
    hops: u64,
    has_entered: bool,
    has_left: bool,
    /// Whether the first call of the node was to leave; all its pairs begin with the same call.
    begins_leaving: Option<bool>,
}

pack_fields!(EntryExitPair { messages, hops, has_entered, has_left, begins_leaving });

impl EntryExitPair {
    fn is_whole(self) -> bool {
        self.has_entered && self.has_left
    }
}

impl EntryFigures {
    /// Creates the observer of a run with this number of nodes, before the first step.
    #[must_use]
    pub fn new(nodes: u32) -> Self {
        Self {
            entries: vec![0; nodes as usize],
            messages: [0; LABELS_MAX],
            rounds: 0,
            called: vec![0; nodes as usize],
            entering: Distribution::new(),
            leaving: Distribution::new(),
            pairs: vec![EntryExitPair::default(); nodes as usize],
            asks_for: vec![None; nodes as usize],
            unannounced: 0,
            whole: Distribution::new(),
            hops: Distribution::new(),
        }
    }

    /// The number of messages of each completed pair of an entry and an exit. Empty if messages are not attributed.
    #[must_use]
    pub fn messages_of_pairs(&self) -> Distribution {
        let mut all = self.whole.clone();
        self.pairs.iter().filter(|pair| pair.is_whole()).for_each(|pair| all.record(pair.messages));
        all
    }

    /// The number of times that the request of each entry was sent before it was served. Empty if requests are not
    /// passed on.
    #[must_use]
    pub fn hops(&self) -> &Distribution {
        &self.hops
    }

    /// Records a call of a node to enter or to leave. If pairs of this node begin with such a call, the previous pair
    /// is complete.
    fn call(&mut self, node: NodeId, leaves: bool) {
        self.called[node.index()] = self.rounds;
        let pair = &mut self.pairs[node.index()];
        if *pair.begins_leaving.get_or_insert(leaves) == leaves && pair.is_whole() {
            self.whole.record(pair.messages);
            *pair = EntryExitPair { begins_leaving: pair.begins_leaving, ..EntryExitPair::default() };
        }
    }

    fn sent(&mut self, owner: RequestOwner) {
        let asked = owner.asker.and_then(|asker| {
            let asks_for = &mut self.asks_for[asker.index()];
            if owner.is_served { asks_for.take() } else { *asks_for }
        });
        let is_hop = owner.asker.is_some() && !owner.is_served;
        if is_hop && asked.is_none() {
            // The action that starts to ask sends the request first, and announces the owner afterwards.
            self.unannounced += 1;
            return;
        }
        let pair = &mut self.pairs[asked.unwrap_or(owner.client).index()];
        pair.messages += 1;
        pair.hops += u64::from(is_hop);
    }

    fn asks(&mut self, node: NodeId, client: NodeId) {
        // A proxy asks for the owner of the request that it passes on.
        let behind = if client == node { None } else { self.asks_for[client.index()] };
        let whom = behind.unwrap_or(client);
        self.asks_for[node.index()] = Some(whom);
        let hops = std::mem::take(&mut self.unannounced);
        let pair = &mut self.pairs[whom.index()];
        pair.messages += hops;
        pair.hops += hops;
    }

    /// The number of entries of each node.
    #[must_use]
    pub fn entries(&self) -> &[u64] {
        &self.entries
    }

    /// Messages between nodes divided by entries; `None` before the first entry.
    #[must_use]
    pub fn messages_per_entry(&self) -> Option<f64> {
        self.per_entry(self.messages.iter().sum())
    }

    /// The smallest and the largest fraction of all entries that a single node made; `None` before the first entry.
    #[must_use]
    pub fn shares(&self) -> Option<(f64, f64)> {
        let share = |entries: Option<&u64>| self.per_entry(*entries?);
        Some((share(self.entries.iter().min())?, share(self.entries.iter().max())?))
    }

    fn per_entry(&self, count: u64) -> Option<f64> {
        let entries: u64 = self.entries.iter().sum();
        (entries > 0).then(|| count as f64 / entries as f64)
    }

    /// The figures as a section of a record, with the algorithm's names of kinds.
    #[must_use]
    pub fn section<E: AlgorithmLabels>(&self) -> Section {
        let mut section = Section::new("entries", "Entries");
        let mut by_node = Distribution::new();
        self.entries.iter().for_each(|&entries| by_node.record(entries));
        section.push(Figure::spread("by_node", "entries of a node", &by_node));
        section.push(Figure::spread("wait_to_enter", "rounds of waiting to enter", &self.entering));
        section.push(Figure::spread("wait_to_leave", "rounds of waiting to leave", &self.leaving));
        let real = |value: Option<f64>| value.map_or(Value::Missing, Value::Real);
        section.push(Figure::new("messages", "messages per entry", real(self.messages_per_entry())));
        for (kind, &count) in E::KINDS.iter().zip(&self.messages) {
            let key = kind.replace([' ', '-'], "_");
            section.push(Figure::new(key, format!("{kind} per entry"), real(self.per_entry(count))));
        }
        if E::REQUEST_OWNER.is_some() {
            let pairs = self.messages_of_pairs();
            section.push(Figure::spread("pair", "messages of an entry with its exit", &pairs));
        }
        if E::FORWARDS {
            section.push(Figure::spread("hops", "hops of a request", &self.hops));
        }
        let share = |value: Option<f64>| value.map_or(Value::Missing, Value::Share);
        let shares = self.shares();
        section.push(Figure::new("share_least", "smallest share of a node", share(shares.map(|s| s.0))));
        section.push(Figure::new("share_most", "largest share of a node", share(shares.map(|s| s.1))));
        section
    }
}

impl<E: AlgorithmLabels, S: CriticalSection> Observer<E, S> for EntryFigures {
    #[inline]
    fn event(&mut self, event: &Event<'_, E, S>) {
        match *event {
            Event::Sent { from, to, message } if from != to => {
                self.messages[E::kind(message)] += 1;
                if let Some(owner) = E::REQUEST_OWNER {
                    self.sent(owner(message, from, to));
                }
            }
            Event::Executed { node, action } if action == E::LOCK || action == E::UNLOCK => {
                self.call(node, action == E::UNLOCK);
            }
            Event::Noted { node, note } => {
                if let Some(client) = E::asks_for(note) {
                    self.asks(node, client);
                }
            }
            Event::Granted { node, .. } => {
                self.entries[node.index()] += 1;
                self.entering.record(self.rounds - self.called[node.index()]);
                let pair = &mut self.pairs[node.index()];
                pair.has_entered = true;
                if E::FORWARDS {
                    self.hops.record(std::mem::take(&mut pair.hops));
                }
            }
            Event::Released { node } => {
                self.leaving.record(self.rounds - self.called[node.index()]);
                self.pairs[node.index()].has_left = true;
            }
            _ => {}
        }
    }

    fn round(&mut self, _world: &World<E, S>, rounds: u64) {
        self.rounds = rounds;
    }
}

#[cfg(test)]
mod tests {
    use acrasin_runtime::exclusion::tree_token::{SchemeRule, TreeToken};
    use acrasin_runtime::exclusion::{InitialKnowledge, RootedTree};
    use acrasin_runtime::execution::{Advance, Execution};
    use acrasin_runtime::scheduler::{RoundRobin, Sequential};
    use acrasin_runtime::{Demand, LockOnly, LockSetRule, Seeded, Setup, Timing, Topology};

    use super::*;

    #[test]
    fn nothing_has_no_mean() {
        let figures = EntryFigures::new(2);
        assert_eq!((figures.messages_per_entry(), figures.shares()), (None, None));
    }

    /// The figures of a run under these demands, on a complete graph whose tree is a path from node 0.
    fn on_a_path(rule: SchemeRule, demands: &[u32], seed: u64) -> EntryFigures {
        let nodes = demands.len() as u32;
        let edges: Vec<(u32, u32)> = (0..nodes).flat_map(|a| (a + 1..nodes).map(move |b| (a, b))).collect();
        let setup = Setup {
            exclusion: TreeToken::new(rule),
            section: LockOnly,
            topology: Topology::from_edges(nodes, nodes as u16 - 1, &edges).unwrap(),
            states: demands.iter().map(|&times| Demand::Times(times)).collect(),
            lock_set: LockSetRule::Neighbourhood,
            timing: Timing::AtOnce,
        };
        let fathers: Vec<Option<u32>> = (0..nodes).map(|node: u32| node.checked_sub(1)).collect();
        let seating = InitialKnowledge::from_tree(RootedTree::new(&fathers).unwrap());
        let world = World::with_knowledge(setup, &seating).unwrap();
        let mut run = Execution::new(world, Box::new(Sequential::new()));
        let (mut figures, mut choices) = (EntryFigures::new(nodes), Seeded::new(seed));
        while run.advance(&mut choices, &mut figures) == Advance::Advanced {}
        figures
    }

    /// Specification A5: a request at depth d with p proxies above it takes d requests, 1 + p tokens and one
    /// returning token. Under proxies every hop is a request with another name; under transit all have the same.
    #[test]
    fn one_claim_has_the_messages_and_the_hops_of_the_formula() {
        for depth in 1..6_usize {
            let mut demands = [0; 6];
            demands[depth] = 1;
            let depth = depth as u64;
            for (rule, messages) in [
                (SchemeRule::AllProxy, 2 * depth + 1),
                (SchemeRule::Raymond, 2 * depth),
                (SchemeRule::AllTransit, depth + 1),
            ] {
                let figures = on_a_path(rule, &demands, depth);
                let (pairs, hops) = (figures.messages_of_pairs(), figures.hops());
                assert_eq!(
                    (pairs.count(), pairs.max(), hops.max()),
                    (1, Some(messages), Some(depth)),
                    "{rule:?}"
                );
            }
        }
    }

    /// However many nodes wait, each message belongs to exactly one entry.
    #[test]
    fn every_message_is_of_one_entry() {
        for rule in
            [SchemeRule::AllProxy, SchemeRule::Raymond, SchemeRule::AllTransit, SchemeRule::Adversarial]
        {
            let figures = on_a_path(rule, &[7; 6], 3);
            let (pairs, hops) = (figures.messages_of_pairs(), figures.hops());
            assert_eq!((pairs.count(), hops.count()), (42, 42), "{rule:?}");
            let sent: u64 = figures.messages.iter().sum();
            assert_eq!(pairs.sum(), u128::from(sent), "{rule:?}");
            assert_eq!(hops.sum(), u128::from(figures.messages[0]), "every request is a hop: {rule:?}");
            assert!(hops.max() > Some(1), "{rule:?}");
        }
    }

    /// Specification A-10: on a path of proxies under permanent demand a node has about half as many entries as its
    /// father.
    #[test]
    fn deep_proxies_enter_seldom_and_transit_nodes_evenly() {
        let shares = |rule| {
            let edges: Vec<(u32, u32)> = (0..6).flat_map(|a| (a + 1..6).map(move |b| (a, b))).collect();
            let setup = Setup {
                exclusion: TreeToken::new(rule),
                section: LockOnly,
                topology: Topology::from_edges(6, 5, &edges).unwrap(),
                states: vec![Demand::Forever; 6],
                lock_set: LockSetRule::Neighbourhood,
                timing: Timing::AtOnce,
            };
            let fathers: Vec<Option<u32>> = (0..6).map(|node: u32| node.checked_sub(1)).collect();
            let seating = InitialKnowledge::from_tree(RootedTree::new(&fathers).unwrap());
            let world = World::with_knowledge(setup, &seating).unwrap();
            let mut run = Execution::new(world, Box::new(RoundRobin::new()));
            let (mut figures, mut choices) = (EntryFigures::new(6), Seeded::new(2));
            for _ in 0..40_000 {
                run.advance(&mut choices, &mut figures);
            }
            let section = figures.section::<TreeToken>();
            let keys: Vec<&str> = section.figures().iter().map(Figure::key).collect();
            assert_eq!(
                keys,
                [
                    "by_node",
                    "wait_to_enter",
                    "wait_to_leave",
                    "messages",
                    "request",
                    "token",
                    "pair",
                    "hops",
                    "share_least",
                    "share_most"
                ]
            );
            figures.shares().unwrap()
        };
        let (least, most) = shares(SchemeRule::AllProxy);
        assert!(least < 0.05 && most > 0.4, "{least} {most}");
        let (least, most) = shares(SchemeRule::AllTransit);
        assert!(least > 0.14 && most < 0.19, "{least} {most}");
    }
}
