//! Memories and messages as bit strings, on which the O(Δ) and O(log K) bounds of the paper are measured.
//!
//! A memory takes `⌈log₂(Δ+2)⌉` bits for `lock`, 3 for `state` and 2 for `phase`. L, R, H, A, C, each of the two halves
//! of W, and the ports of P take Δ + 1 bits each. Each pair of P takes `⌈log₂ K⌉` more. A message takes 3 bits for its
//! kind, one for the result of win(), and `⌈log₂ K⌉` for the priority of a request.

use super::{Memory, Message, Phase, Priority, Registers, State};
use crate::port::{Port, PortSet};

/// A string of bits.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Bits {
    words: Vec<u64>,
    len: usize,
}

impl Bits {
    fn push(&mut self, value: u64, width: u32) {
        for i in 0..width {
            if self.len.is_multiple_of(64) {
                self.words.push(0);
            }
            self.words[self.len / 64] |= (value >> i & 1) << (self.len % 64);
            self.len += 1;
        }
    }

    /// The number of bits.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there is no bit.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }
}

struct BitReader<'a> {
    bits: &'a Bits,
    at: usize,
}

impl BitReader<'_> {
    fn pull(&mut self, width: u32) -> Option<u64> {
        let mut value = 0;
        for i in 0..width {
            if self.at == self.bits.len {
                return None;
            }
            value |= (self.bits.words[self.at / 64] >> (self.at % 64) & 1) << i;
            self.at += 1;
        }
        Some(value)
    }

    fn pull_priority(&mut self, priorities: u32) -> Option<Priority> {
        let priority = self.pull(bits_for(u64::from(priorities)))?;
        (priority < u64::from(priorities)).then_some(Priority(priority as u32))
    }

    fn pull_set(&mut self, ports: u16) -> Option<PortSet> {
        let mut set = PortSet::new();
        for port in 0..=ports {
            if self.pull(1)? == 1 {
                set.insert(Port(port));
            }
        }
        Some(set)
    }
}

/// `⌈log₂ count⌉`: the number of bits that distinguish `count` possibilities.
pub(crate) fn bits_for(count: u64) -> u32 {
    u64::BITS - count.saturating_sub(1).leading_zeros()
}

impl Memory {
    /// The memory as a bit string, for ports `1..=ports` and K = `priorities`. It assumes one pair per port in
    /// `P` and one result per port in `W`, as in every reachable configuration.
    #[must_use]
    pub fn encode(&self, ports: u16, priorities: u32) -> Bits {
        let mut bits = Bits::default();
        bits.push(self.lock.map_or(0, |port| u64::from(port.0) + 1), bits_for(u64::from(ports) + 2));
        bits.push(self.state as u64, 3);
        bits.push(self.phase as u64, 2);
        for set in self.sets() {
            for port in 0..=ports {
                bits.push(u64::from(set.contains(Port(port))), 1);
            }
        }
        for port in 0..=ports {
            let pair = self.priorities.iter().find(|pair| pair.0 == Port(port));
            bits.push(u64::from(pair.is_some()), 1);
            if let Some((_, Priority(priority))) = pair {
                bits.push(u64::from(priority), bits_for(u64::from(priorities)));
            }
        }
        bits
    }

    /// The memory whose [`encode`](Self::encode)d form is `bits`; `None` if there is no such memory.
    #[must_use]
    pub fn decode(bits: &Bits, ports: u16, priorities: u32) -> Option<Self> {
        let mut reader = BitReader { bits, at: 0 };
        let lock = reader.pull(bits_for(u64::from(ports) + 2))?;
        let state = State::from_number(reader.pull(3)? as u16)?;
        let phase = Phase::from_number(reader.pull(2)? as u16)?;
        if lock > u64::from(ports) + 1 {
            return None;
        }
        let mut memory = Registers {
            lock: (lock > 0).then(|| Port((lock - 1) as u16)),
            state,
            phase,
            lock_set: reader.pull_set(ports)?,
            replied: reader.pull_set(ports)?,
            won: reader.pull_set(ports)?,
            lost: reader.pull_set(ports)?,
            on_hold: reader.pull_set(ports)?,
            applicants: reader.pull_set(ports)?,
            candidates: reader.pull_set(ports)?,
            priorities: Vec::new(),
        };
        for port in 0..=ports {
            if reader.pull(1)? == 1 {
                let priority = reader.pull_priority(priorities)?;
                memory.priorities.push((Port(port), priority));
            }
        }
        (reader.at == bits.len).then(|| memory.into())
    }
}

impl Message {
    /// The message as a bit string, for K = `priorities`.
    #[must_use]
    pub fn encode(self, priorities: u32) -> Bits {
        let mut bits = Bits::default();
        bits.push(self.kind_index() as u64, 3);
        match self {
            Self::RequestLock(Priority(priority)) => {
                bits.push(u64::from(priority), bits_for(u64::from(priorities)));
            }
            Self::Win(won) => bits.push(u64::from(won), 1),
            _ => {}
        }
        bits
    }

    /// The message whose [`encode`](Self::encode)d form is `bits`; `None` if there is no such message.
    #[must_use]
    pub fn decode(bits: &Bits, priorities: u32) -> Option<Self> {
        let mut reader = BitReader { bits, at: 0 };
        let message = match reader.pull(3)? {
            0 => Self::Prepare,
            1 => Self::Ready,
            2 => Self::RequestLock(reader.pull_priority(priorities)?),
            3 => Self::Win(reader.pull(1)? == 1),
            4 => Self::SetLock,
            5 => Self::AckLock,
            6 => Self::ReleaseLock,
            _ => Self::AckUnlock,
        };
        (reader.at == bits.len).then_some(message)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widths() {
        assert_eq!([1, 2, 3, 4, 5, 17, 1 << 20].map(bits_for), [0, 1, 2, 2, 3, 5, 20]);
    }

    #[test]
    fn a_full_memory_survives_and_stays_within_its_bound() {
        for (ports, priorities) in [(1_u16, 2_u32), (4, 17), (63, 3970), (64, 4097), (4095, 16_769_026)] {
            let all: PortSet = (0..=ports).map(Port).collect();
            let memory = Memory::from(Registers {
                lock: Some(Port(ports)),
                state: State::Unlock,
                phase: Phase::Compete,
                lock_set: all.clone(),
                replied: all.clone(),
                won: all.clone(),
                lost: all.clone(),
                on_hold: all.clone(),
                applicants: all.clone(),
                candidates: all.clone(),
                priorities: (0..=ports).map(|port| (Port(port), Priority(priorities - 1))).collect(),
            });
            let bits = memory.encode(ports, priorities);
            // O(Δ) bits with constant K: linear in Δ + 1 with factor 8 + log K, plus a logarithm for `lock`.
            let bound = (8 + bits_for(u64::from(priorities)) as usize) * (usize::from(ports) + 1)
                + 5
                + bits_for(u64::from(ports) + 2) as usize;
            assert_eq!(bits.len(), bound);
            assert_eq!(Memory::decode(&bits, ports, priorities), Some(memory));
            let empty = Memory::default();
            assert_eq!(Memory::decode(&empty.encode(ports, priorities), ports, priorities), Some(empty));
        }
    }

    #[test]
    fn values_of_no_memory_and_no_message_are_not_decoded() {
        // The five values of `lock` for Δ = 3 take three bits; 5 to 7 are not among them.
        let mut bits = Memory::default().encode(3, 5);
        bits.words[0] |= 7;
        assert_eq!(Memory::decode(&bits, 3, 5), None);
        let mut request = Message::RequestLock(Priority(4)).encode(5);
        request.words[0] |= 0b111 << 3;
        assert_eq!(Message::decode(&request, 5), None);
    }

    #[test]
    fn messages_survive_in_three_bits_and_log_k() {
        for priorities in [2, 17, 16_769_026] {
            for message in [
                Message::Prepare,
                Message::Ready,
                Message::RequestLock(Priority(priorities - 1)),
                Message::Win(true),
                Message::Win(false),
                Message::SetLock,
                Message::AckLock,
                Message::ReleaseLock,
                Message::AckUnlock,
            ] {
                let bits = message.encode(priorities);
                assert!(bits.len() <= 3 + bits_for(u64::from(priorities)) as usize);
                assert_eq!(Message::decode(&bits, priorities), Some(message));
            }
        }
    }
}
