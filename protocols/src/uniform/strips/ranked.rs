//! One run on several ranks, each of which owns a block of consecutive strips.
//!
//! All ranks generate the same trace of a window from the seed, so the first phase needs no messages. In the second
//! phase a chain of halves may belong to several ranks. The rank of its first half executes the chain: the other ranks
//! send their deferred interactions with the states of the agents in them, and receive the new states. Interactions
//! that must be made one by one are executed by all ranks, on copies of the states of their agents.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use acrasin_process::Ranks;

use super::seam::Half;
use super::shape::StripShape;
use super::strip::{Later, Mine, Rest};

/// The block of strips that belongs to one rank.
#[derive(Clone, Debug)]
pub(super) struct StripBlock {
    /// The other ranks; `None` if this rank has all strips.
    pub(super) ranks: Option<Arc<dyn Ranks>>,
    /// The first strip of each rank, followed by the number of strips.
    starts: Vec<usize>,
    rank: usize,
}

impl StripBlock {
    /// Divides strips evenly between ranks. With more ranks than strips, some ranks have none.
    pub(super) fn new(shape: &StripShape, ranks: Option<Arc<dyn Ranks>>) -> Self {
        let ranks = ranks.filter(|ranks| ranks.count() > 1);
        let (rank, count) = ranks.as_ref().map_or((0, 1), |ranks| (ranks.rank(), ranks.count()));
        let starts = (0..=count).map(|rank| shape.strips() * rank / count).collect();
        Self { ranks, starts, rank }
    }

    /// The strips of this rank.
    pub(super) fn strips(&self) -> Range<usize> {
        self.strips_of(self.rank)
    }

    fn strips_of(&self, rank: usize) -> Range<usize> {
        self.starts[rank]..self.starts[rank + 1]
    }

    /// The positions of the agents of a rank.
    fn places_of(&self, shape: &StripShape, rank: usize) -> Range<usize> {
        let strips = self.strips_of(rank);
        shape.start(strips.start)..shape.start(strips.end)
    }

    /// The positions of the agents of this rank.
    pub(super) fn places(&self, shape: &StripShape) -> Range<usize> {
        self.places_of(shape, self.rank)
    }

    /// The rank with a strip.
    fn owner(&self, strip: usize) -> usize {
        self.starts.partition_point(|&start| start <= strip) - 1
    }

    /// For each strip of all ranks, whether it joins its halves.
    pub(super) fn joined(&self, rests: &[Rest]) -> Vec<bool> {
        let Some(ranks) = &self.ranks else { return rests.iter().map(|rest| rest.is_joined).collect() };
        let mut joined = vec![0; self.starts[self.starts.len() - 1]];
        for (joined, rest) in joined[self.strips()].iter_mut().zip(rests) {
            *joined = rest.is_joined.into();
        }
        ranks.sum(&mut joined);
        joined.into_iter().map(|joined| joined > 0).collect()
    }

    /// Executes chains with `finish`: those that belong to this rank alone, and those that begin at this rank. `halves`
    /// are the halves of this rank, starting with the upper half of its first strip.
    pub(super) fn execute<'a>(
        &self,
        chains: &[Vec<usize>],
        halves: Vec<Half<'a>>,
        finish: impl FnOnce(Vec<Vec<Half<'_>>>),
    ) {
        let first = 2 * self.strips().start;
        let mut own: Vec<Option<Half<'a>>> = halves.into_iter().map(Some).collect();
        let Some(ranks) = &self.ranks else {
            let mut take = |&half: &usize| own[half].take().expect("a half is in one chain");
            return finish(chains.iter().map(|chain| chain.iter().map(&mut take).collect()).collect());
        };
        let owner = |half: usize| self.owner(half / 2);
        let mut messages: BTreeMap<usize, Vec<u8>> = BTreeMap::new();
        let mut guests: BTreeMap<usize, ByteReader> = BTreeMap::new();
        let mut sent = Vec::new();
        for chain in chains {
            let host = owner(chain[0]);
            for &half in chain {
                if host != self.rank && owner(half) == self.rank {
                    let half = own[half - first].take().expect("a half is in one chain");
                    let guest = GuestHalf::of(&half);
                    guest.half.write(messages.entry(host).or_default());
                    sent.push((host, half, guest.places));
                } else if host == self.rank && owner(half) != self.rank {
                    guests.entry(owner(half)).or_default();
                }
            }
        }
        let hosts: Vec<usize> = messages.keys().copied().collect();
        let from: Vec<usize> = guests.keys().copied().collect();
        let messages: Vec<(usize, Vec<u8>)> = messages.into_iter().collect();
        for (reader, message) in guests.values_mut().zip(ranks.exchange(&messages, &from)) {
            reader.bytes = message;
        }
        // Halves of other ranks, in the order of chains, which is the order in which they were sent.
        let of_host = || chains.iter().filter(|chain| owner(chain[0]) == self.rank);
        let foreign = of_host().flatten().map(|&half| owner(half)).filter(|&rank| rank != self.rank);
        let mut foreign: Vec<(usize, CompactHalf)> = foreign
            .map(|rank| (rank, CompactHalf::read(guests.get_mut(&rank).expect("it has sent a message"))))
            .collect();
        assert!(guests.values().all(ByteReader::is_empty), "a rank has sent more than its halves");
        {
            let mut visitors = foreign.iter_mut().map(|(_, half)| half.as_half());
            let mut take = |&half: &usize| {
                if owner(half) == self.rank {
                    own[half - first].take().expect("a half is in one chain")
                } else {
                    visitors.next().expect("it was read")
                }
            };
            let chains = of_host().map(|chain| chain.iter().map(&mut take).collect()).collect();
            finish(chains);
        }
        let mut replies: BTreeMap<usize, Vec<u8>> = BTreeMap::new();
        for (rank, half) in &foreign {
            replies.entry(*rank).or_default().extend_from_slice(&half.states);
        }
        let replies: Vec<(usize, Vec<u8>)> = replies.into_iter().collect();
        let states = ranks.exchange(&replies, &hosts);
        let mut states: BTreeMap<usize, std::vec::IntoIter<u8>> =
            hosts.into_iter().zip(states.into_iter().map(Vec::into_iter)).collect();
        for (host, half, places) in sent {
            let states = states.get_mut(&host).expect("a host replies");
            for place in places {
                half.states[place as usize] = states.next().expect("a state for each agent");
            }
        }
        assert!(states.values().all(|states| states.len() == 0), "a rank has replied more than its states");
    }

    /// The states at sorted positions, collected from all ranks. `states` are the states of this rank.
    pub(super) fn states_at(&self, shape: &StripShape, places: &[u32], states: &[u8]) -> Vec<u8> {
        let ranks = self.ranks.as_ref().expect("several ranks");
        let own = self.places(shape);
        let mine = &places[Self::part(places, &own)];
        let mine: Vec<u8> = mine.iter().map(|&place| states[place as usize - own.start]).collect();
        let others: Vec<usize> = (0..ranks.count()).filter(|&rank| rank != self.rank).collect();
        let messages: Vec<(usize, Vec<u8>)> = others.iter().map(|&rank| (rank, mine.clone())).collect();
        let mut parts = ranks.exchange(&messages, &others);
        parts.insert(self.rank, mine);
        let all = parts.concat();
        assert_eq!(all.len(), places.len(), "ranks differ in the interactions of a frame");
        all
    }

    /// Stores the new states at sorted positions; ignores positions that belong to other ranks.
    pub(super) fn store(&self, shape: &StripShape, places: &[u32], new: &[u8], states: &mut [u8]) {
        let own = self.places(shape);
        let part = Self::part(places, &own);
        for (&place, &state) in places[part.clone()].iter().zip(&new[part]) {
            states[place as usize - own.start] = state;
        }
    }

    fn part(places: &[u32], own: &Range<usize>) -> Range<usize> {
        let before = |end: usize| places.partition_point(|&place| (place as usize) < end);
        before(own.start)..before(own.end)
    }

    /// The states of agents in the order of their numbers: all of these agents on rank 0, an empty list on other ranks.
    pub(super) fn gathered(&self, shape: &StripShape, agents: Range<u32>, states: &[u8]) -> Vec<u8> {
        let ranks = self.ranks.as_ref().expect("several ranks");
        let starts: Vec<usize> = (0..ranks.count()).map(|rank| self.places_of(shape, rank).start).collect();
        let rank_of = |place: usize| starts.partition_point(|&start| start <= place) - 1;
        let own = self.places(shape);
        let mine = agents.clone().map(|agent| shape.place(agent)).filter(|place| own.contains(place));
        let mine: Vec<u8> = mine.map(|place| states[place - own.start]).collect();
        if self.rank > 0 {
            ranks.exchange(&[(0, mine)], &[]);
            return Vec::new();
        }
        let others: Vec<usize> = (1..ranks.count()).collect();
        let mut parts = vec![mine.into_iter()];
        parts.extend(ranks.exchange(&[], &others).into_iter().map(Vec::into_iter));
        let gathered = agents.map(|agent| parts[rank_of(shape.place(agent))].next());
        gathered.map(|state| state.expect("each rank sends its agents")).collect()
    }

    /// Whether `is_null` holds for the states of both ends of every edge, on all ranks.
    pub(super) fn is_silent(
        &self,
        shape: &StripShape,
        states: &[u8],
        is_null: impl Fn(u8, u8) -> bool,
    ) -> bool {
        let ranks = self.ranks.as_ref().expect("several ranks");
        let width = shape.width as usize;
        let mut is_silent = true;
        if !self.strips().is_empty() {
            // The row above the first strip is the last one of the previous rank that has strips.
            let owners: Vec<usize> =
                (0..ranks.count()).filter(|&rank| !self.strips_of(rank).is_empty()).collect();
            let at = owners.iter().position(|&rank| rank == self.rank).expect("it has strips");
            let [before, after] = [owners.len() - 1, 1].map(|step| owners[(at + step) % owners.len()]);
            let last_row = states[states.len() - width..].to_vec();
            let above = ranks.exchange(&[(after, last_row)], &[before]).remove(0);
            assert_eq!(above.len(), width, "a row of the torus");
            let base = self.places(shape).start;
            let mut above = &above[..];
            for strip in self.strips() {
                let strip_states = &states[shape.start(strip) - base..shape.start(strip + 1) - base];
                is_silent &= above.iter().zip(strip_states).all(|(&a, &b)| is_null(a, b));
                is_silent &= (0..shape.slots(shape.height(strip)))
                    .flat_map(|slot| (0..shape.width).map(move |column| (slot, column)))
                    .map(|(slot, column)| shape.ends(shape.is_ring(), slot, column))
                    .all(|[u, v]| is_null(strip_states[u as usize], strip_states[v as usize]));
                above = &strip_states[strip_states.len() - width..];
            }
        }
        let mut active = [u64::from(!is_silent)];
        ranks.sum(&mut active);
        active == [0]
    }
}

/// The deferred interactions of a half, with the states of only those agents that take part in them. Positions in the
/// interactions are indices into `states`.
#[derive(Clone, PartialEq, Eq, Debug)]
struct CompactHalf {
    states: Vec<u8>,
    later: Vec<Later>,
}

/// A half that another rank executes.
struct GuestHalf {
    half: CompactHalf,
    /// The positions of the agents in the half.
    places: Vec<u32>,
}

impl GuestHalf {
    fn of(half: &Half<'_>) -> Self {
        let mut places: Vec<u32> = Vec::with_capacity(2 * half.later.len());
        for later in half.later {
            match later {
                Later::Here(pair) => places.extend(pair),
                Later::WithBefore(mine) | Later::WithAfter(mine) => places.push(mine.place),
            }
        }
        places.sort_unstable();
        places.dedup();
        let compact = |place: u32| places.binary_search(&place).expect("it was collected") as u32;
        let one = |mine: &Mine| Mine { place: compact(mine.place), is_initiator: mine.is_initiator };
        let later = half.later.iter().map(|later| match later {
            Later::Here(pair) => Later::Here(pair.map(compact)),
            Later::WithBefore(mine) => Later::WithBefore(one(mine)),
            Later::WithAfter(mine) => Later::WithAfter(one(mine)),
        });
        let later = later.collect();
        let states = places.iter().map(|&place| half.states[place as usize]).collect();
        Self { half: CompactHalf { states, later }, places }
    }
}

impl CompactHalf {
    fn as_half(&mut self) -> Half<'_> {
        Half { states: &mut self.states, later: &self.later }
    }

    fn write(&self, bytes: &mut Vec<u8>) {
        let mut number = |number: usize| {
            bytes.extend(u32::try_from(number).expect("fewer than 2^32 agents").to_le_bytes());
        };
        number(self.states.len());
        number(self.later.len());
        bytes.extend(&self.states);
        for later in &self.later {
            let (kind, pair) = match *later {
                Later::Here(pair) => (0, pair),
                Later::WithBefore(Mine { place, is_initiator }) => (1 + u8::from(is_initiator), [place, 0]),
                Later::WithAfter(Mine { place, is_initiator }) => (3 + u8::from(is_initiator), [place, 0]),
            };
            bytes.push(kind);
            pair.iter().for_each(|place| bytes.extend(place.to_le_bytes()));
        }
    }

    /// Panics if the bytes are not those of a half, because the ranks then do not belong to one run.
    fn read(reader: &mut ByteReader) -> Self {
        let [states, later] = [reader.number(), reader.number()];
        let states = reader.take(states as usize).to_vec();
        let place = |place: u32| {
            assert!((place as usize) < states.len(), "a rank names an agent that it does not send");
            place
        };
        let later = (0..later).map(|_| {
            let kind = reader.take(1)[0];
            let [i, j] = [reader.number(), reader.number()];
            let mine = || Mine { place: place(i), is_initiator: kind == 2 || kind == 4 };
            match kind {
                0 => Later::Here([i, j].map(place)),
                1 | 2 => Later::WithBefore(mine()),
                3 | 4 => Later::WithAfter(mine()),
                _ => panic!("a rank sends an interaction of an unknown kind"),
            }
        });
        Self { later: later.collect(), states }
    }
}

/// Bytes that are read from their beginning.
#[derive(Default)]
struct ByteReader {
    bytes: Vec<u8>,
    at: usize,
}

impl ByteReader {
    fn take(&mut self, count: usize) -> &[u8] {
        let end = self.at.checked_add(count).filter(|&end| end <= self.bytes.len());
        let end = end.expect("a rank sends fewer bytes than it says");
        let taken = &self.bytes[self.at..end];
        self.at = end;
        taken
    }

    fn number(&mut self) -> u32 {
        let bytes = self.take(4).try_into().expect("four bytes");
        u32::from_le_bytes(bytes)
    }

    fn is_empty(&self) -> bool {
        self.at == self.bytes.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_half_is_read_as_it_was_written() {
        let later = [
            Later::Here([7, 9]),
            Later::WithBefore(Mine { place: 9, is_initiator: true }),
            Later::WithAfter(Mine { place: 1, is_initiator: false }),
            Later::WithBefore(Mine { place: 1, is_initiator: false }),
            Later::WithAfter(Mine { place: 7, is_initiator: true }),
        ];
        let mut states: Vec<u8> = (0..10).collect();
        let GuestHalf { half, places } = GuestHalf::of(&Half { states: &mut states, later: &later });
        assert_eq!((&places[..], &half.states[..]), (&[1, 7, 9][..], &[1, 7, 9][..]));
        let mut bytes = Vec::new();
        half.write(&mut bytes);
        half.write(&mut bytes);
        let mut reader = ByteReader { bytes, at: 0 };
        assert_eq!(CompactHalf::read(&mut reader), half);
        assert_eq!(CompactHalf::read(&mut reader), half);
        assert!(reader.is_empty());
        // Changed lengths and places are refused.
        let mut good = Vec::new();
        half.write(&mut good);
        let is_refused = |bytes: Vec<u8>| {
            std::panic::catch_unwind(|| CompactHalf::read(&mut ByteReader { bytes, at: 0 })).is_err()
        };
        assert!(!is_refused(good.clone()));
        assert!(is_refused(good[..good.len() - 1].to_vec()));
        for (at, value) in [(0, 200), (4, 200), (11, 9), (12, 3)] {
            let mut bad = good.clone();
            bad[at] = value;
            assert!(is_refused(bad), "byte {at}");
        }
    }
}
