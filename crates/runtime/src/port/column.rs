//! [`PortColumn`]: one set of ports per node.

use super::{Port, PortSet, PortsRef};

/// One set of ports for each of many nodes. It takes two bytes per node while all ports in all sets are below 16.
#[derive(Clone, Debug)]
pub(crate) struct PortColumn(Sets);

#[derive(Clone, Debug)]
enum Sets {
    Narrow(Vec<u16>),
    Wide(Vec<PortSet>),
}

impl PortColumn {
    /// Creates empty sets for `nodes` nodes.
    pub(crate) fn new(nodes: usize) -> Self {
        Self(Sets::Narrow(vec![0; nodes]))
    }

    /// The set of a node.
    #[inline]
    pub(crate) fn get(&self, node: usize) -> PortsRef<'_> {
        match &self.0 {
            Sets::Narrow(words) => PortsRef::of_word(words[node].into()),
            Sets::Wide(sets) => sets[node].as_ports(),
        }
    }

    /// Sets the set of a node to `ports`. The first call with a port above 15 costs O(nodes).
    #[inline]
    pub(crate) fn assign(&mut self, node: usize, ports: PortsRef<'_>) {
        if let Sets::Narrow(words) = &mut self.0
            && let Some(word) = ports.word().and_then(|word| u16::try_from(word).ok())
        {
            words[node] = word;
        } else {
            self.widened()[node] = ports.to_set();
        }
    }

    /// Removes a port from the set of a node.
    pub(crate) fn remove(&mut self, node: usize, port: Port) {
        match &mut self.0 {
            Sets::Narrow(words) => words[node] &= !1_u16.checked_shl(port.0.into()).unwrap_or(0),
            Sets::Wide(sets) => {
                sets[node].remove(port);
            }
        }
    }

    #[cold]
    fn widened(&mut self) -> &mut [PortSet] {
        if let Sets::Narrow(words) = &self.0 {
            self.0 = Sets::Wide(words.iter().map(|&word| PortSet::of_word(word.into())).collect());
        }
        match &mut self.0 {
            Sets::Wide(sets) => sets,
            Sets::Narrow(_) => unreachable!("just widened"),
        }
    }

    /// The size of the storage in bytes.
    pub(crate) fn bytes(&self) -> usize {
        match &self.0 {
            Sets::Narrow(words) => words.capacity() * size_of::<u16>(),
            Sets::Wide(sets) => {
                sets.capacity() * size_of::<PortSet>() + sets.iter().map(PortSet::heap_bytes).sum::<usize>()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_port_above_fifteen_changes_how_sets_are_kept_and_no_set() {
        let low: PortSet = [Port(0), Port(15)].into_iter().collect();
        let high: PortSet = [Port(3), Port(16), Port(300)].into_iter().collect();
        let mut column = PortColumn::new(3);
        column.assign(0, low.as_ports());
        column.remove(0, Port(16));
        let narrow = column.bytes();
        column.assign(1, high.as_ports());
        assert!(column.bytes() > narrow);
        assert!(column.get(0) == low && column.get(1) == high && column.get(2).is_empty());
        column.remove(0, Port(15));
        column.remove(1, Port(300));
        assert_eq!([0, 1].map(|node| column.get(node).to_string()), ["{0}", "{3,16}"]);
    }
}
