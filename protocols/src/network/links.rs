//! [`Links`]: the active edges, one bit per pair of agents.

/// The active edges of a network of n agents: n (n-1) / 2 bits, and the degree of each agent.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Links {
    bits: Vec<u64>,
    degrees: Vec<u32>,
    count: u64,
}

/// The index of the bit of a pair.
fn place(one: usize, other: usize) -> usize {
    let (least, most) = (one.min(other), one.max(other));
    most * (most - 1) / 2 + least
}

impl Links {
    /// Creates links without active edges.
    pub(super) fn none(agents: usize) -> Self {
        let pairs = agents * agents.saturating_sub(1) / 2;
        Self { bits: vec![0; pairs.div_ceil(64)], degrees: vec![0; agents], count: 0 }
    }

    /// The words with the bits of the pairs.
    pub(super) fn words(&self) -> &[u64] {
        &self.bits
    }

    /// Creates the links of `agents` agents from the words with the bits of the pairs; `None` if their number or
    /// padding bits are wrong.
    pub(super) fn of_words(agents: usize, words: Vec<u64>) -> Option<Self> {
        let mut links = Self::none(agents);
        let used = agents * (agents - 1) / 2 % 64;
        let has_spare_bits = used > 0 && words.last().is_some_and(|word| word >> used != 0);
        if words.len() != links.bits.len() || has_spare_bits {
            return None;
        }
        links.bits = words;
        let mut degrees = std::mem::take(&mut links.degrees);
        links.active().flatten().for_each(|end| degrees[end] += 1);
        links.count = degrees.iter().map(|&degree| u64::from(degree)).sum::<u64>() / 2;
        Some(Self { degrees, ..links })
    }

    /// The number of agents of the network.
    #[must_use]
    pub fn agents(&self) -> usize {
        self.degrees.len()
    }

    /// The number of active edges.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The number of active edges of each agent.
    #[must_use]
    pub fn degrees(&self) -> &[u32] {
        &self.degrees
    }

    /// Whether the edge between two agents is active.
    ///
    /// # Panics
    ///
    /// Panics if the two agents are the same, or if one does not exist.
    #[must_use]
    pub fn is_active(&self, one: usize, other: usize) -> bool {
        assert!(one != other && one.max(other) < self.agents(), "two different agents of {}", self.agents());
        self.bit(one, other)
    }

    #[inline]
    pub(super) fn bit(&self, one: usize, other: usize) -> bool {
        let place = place(one, other);
        self.bits[place / 64] >> (place % 64) & 1 == 1
    }

    /// The active edges; the end with the larger number comes first. Cost: one step per 64 edges, and one per active
    /// edge.
    pub(super) fn active(&self) -> impl Iterator<Item = [usize; 2]> + '_ {
        let mut most = 1;
        let words = self.bits.iter().enumerate().filter(|&(_, &word)| word != 0);
        let places = words.flat_map(|(index, &word)| {
            (0..64).filter(move |bit| word >> bit & 1 == 1).map(move |bit| 64 * index + bit)
        });
        places.map(move |place| {
            while (most + 1) * most / 2 <= place {
                most += 1;
            }
            [most, place - most * (most - 1) / 2]
        })
    }

    /// Toggles the edge between two agents.
    pub(super) fn turn(&mut self, one: usize, other: usize) {
        let place = place(one, other);
        let was_active = self.bit(one, other);
        self.bits[place / 64] ^= 1 << (place % 64);
        for end in [one, other] {
            self.degrees[end] = if was_active { self.degrees[end] - 1 } else { self.degrees[end] + 1 };
        }
        self.count = if was_active { self.count - 1 } else { self.count + 1 };
    }

    /// The other ends of the active edges of an agent. Cost: one step per other agent.
    ///
    /// # Panics
    ///
    /// Panics if there is no such agent.
    pub fn neighbours(&self, agent: usize) -> impl Iterator<Item = usize> + '_ {
        assert!(agent < self.agents(), "an agent of {}", self.agents());
        (0..self.agents()).filter(move |&other| other != agent && self.bit(agent, other))
    }
}
