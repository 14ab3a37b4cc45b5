//! Memories, messages and actions as short byte strings: [`Pack`].

use super::memory::SETS;
use super::{Action, Memory, Message, Phase, Priority, State};
use crate::pack::{Pack, PackError};
use crate::port::{Port, PortSet};

/// The lowest bit of the phase in the head of a memory. The head has the state, the phase, and which other fields
/// follow.
const PHASE: u16 = 1 << 3;
const FIELDS: u16 = 1 << 5;
const LOCK: u16 = 1 << 12;
const PRIORITIES: u16 = 1 << 13;

/// Two bytes for the head, one for every set that is not empty, two for every priority (more from port 7 on).
impl Pack for Memory {
    fn pack(&self, into: &mut Vec<u8>) {
        if self.pack_small(into) {
            return;
        }
        let mut head = self.state as u16 + self.phase as u16 * PHASE;
        for (set, field) in self.sets().zip(0..) {
            head |= u16::from(!set.is_empty()) * (FIELDS << field);
        }
        head |= u16::from(self.lock.is_some()) * LOCK;
        head |= u16::from(!self.priorities.is_empty()) * PRIORITIES;
        into.extend(head.to_le_bytes());
        for set in self.sets().filter(|set| !set.is_empty()) {
            set.pack(into);
        }
        if let Some(port) = self.lock {
            port.pack(into);
        }
        if !self.priorities.is_empty() {
            self.pack_priorities(into);
        }
    }

    fn unpack(from: &mut &[u8]) -> Result<Self, PackError> {
        let mut memory = Self::default();
        memory.unpack_into(from)?;
        Ok(memory)
    }

    fn unpack_into(&mut self, from: &mut &[u8]) -> Result<(), PackError> {
        let (head, rest) = from.split_first_chunk().ok_or(PackError)?;
        *from = rest;
        let head = u16::from_le_bytes(*head);
        if head >= PRIORITIES << 1 {
            return Err(PackError);
        }
        self.state = State::from_number(head % PHASE).ok_or(PackError)?;
        self.phase = Phase::from_number(head % FIELDS / PHASE).ok_or(PackError)?;
        for field in 0..SETS {
            if head & FIELDS << field == 0 {
                self.set_mut(field).clear();
            } else {
                let set = PortSet::unpack(from)?;
                if set.is_empty() {
                    return Err(PackError);
                }
                self.set_mut(field).assign(set.as_ports());
            }
        }
        self.lock = if head & LOCK == 0 { None } else { Some(Port::unpack(from)?) };
        self.priorities.clear();
        if head & PRIORITIES != 0 {
            self.unpack_priorities(from)?;
        }
        Ok(())
    }
}

impl Memory {
    /// Writes the same bytes faster if every port is below 6. Otherwise it returns false and appends nothing.
    #[inline]
    fn pack_small(&self, into: &mut Vec<u8>) -> bool {
        let mut bytes = [0; 2 + SETS + 1];
        let (mut head, mut len) = (self.state as u16 + self.phase as u16 * PHASE, 2);
        let mut beyond = 0;
        let Some(words) = self.words() else { return false };
        for (&word, field) in words.iter().zip(0..) {
            beyond |= word;
            // Written in any case, but counted only if the set is not empty.
            bytes[len] = (word << 1) as u8;
            let there = word != 0;
            head |= u16::from(there) * (FIELDS << field);
            len += usize::from(there);
        }
        if let Some(port) = self.lock {
            beyond |= port.0 >> 6 << 6;
            bytes[len] = port.0 as u8;
            head |= LOCK;
            len += 1;
        }
        if beyond >= 1 << 6 {
            return false;
        }
        head |= u16::from(!self.priorities.is_empty()) * PRIORITIES;
        bytes[..2].copy_from_slice(&head.to_le_bytes());
        into.extend_from_slice(&bytes[..len]);
        if !self.priorities.is_empty() {
            self.pack_priorities(into);
        }
        true
    }

    fn unpack_priorities(&mut self, from: &mut &[u8]) -> Result<(), PackError> {
        let count = u64::unpack(from)?;
        // A pair takes at least two bytes, so an impossible count is refused before it allocates.
        if count == 0 || count > from.len() as u64 / 2 {
            return Err(PackError);
        }
        let mut last = None;
        for _ in 0..count {
            let pair = (Port::unpack(from)?, Priority(u32::unpack(from)?));
            if last.is_some_and(|last| last >= pair) {
                return Err(PackError);
            }
            self.priorities.insert(pair);
            last = Some(pair);
        }
        Ok(())
    }

    fn pack_priorities(&self, into: &mut Vec<u8>) {
        (self.priorities.len() as u64).pack(into);
        for (port, Priority(priority)) in self.priorities.iter() {
            port.pack(into);
            priority.pack(into);
        }
    }
}

/// One byte, or more for priorities above 119.
impl Pack for Message {
    #[inline]
    fn pack(&self, into: &mut Vec<u8>) {
        let number = match *self {
            Self::Prepare => 0,
            Self::Ready => 1,
            Self::Win(won) => 2 + u64::from(won),
            Self::SetLock => 4,
            Self::AckLock => 5,
            Self::ReleaseLock => 6,
            Self::AckUnlock => 7,
            Self::RequestLock(Priority(priority)) => 8 + u64::from(priority),
        };
        number.pack(into);
    }

    #[inline]
    fn unpack(from: &mut &[u8]) -> Result<Self, PackError> {
        Ok(match u64::unpack(from)? {
            0 => Self::Prepare,
            1 => Self::Ready,
            2 => Self::Win(false),
            3 => Self::Win(true),
            4 => Self::SetLock,
            5 => Self::AckLock,
            6 => Self::ReleaseLock,
            7 => Self::AckUnlock,
            number => Self::RequestLock(Priority(u32::try_from(number - 8).map_err(|_| PackError)?)),
        })
    }
}

/// Packed as its index in [`Action::ALL`].
impl Pack for Action {
    fn pack(&self, into: &mut Vec<u8>) {
        into.push(*self as u8);
    }
    fn unpack(from: &mut &[u8]) -> Result<Self, PackError> {
        Self::ALL.get(usize::from(u8::unpack(from)?)).copied().ok_or(PackError)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exclusion::local::Registers;
    use proptest::prelude::*;

    #[test]
    fn an_idle_memory_is_two_bytes_and_a_message_one() {
        let mut bytes = Vec::new();
        Memory::default().pack(&mut bytes);
        assert_eq!(bytes, [0, 0]);
        Message::RequestLock(Priority(119)).pack(&mut bytes);
        assert_eq!(bytes, [0, 0, 127]);
    }

    #[test]
    fn actions_are_numbered_as_listed() {
        for action in Action::ALL {
            let mut bytes = Vec::new();
            action.pack(&mut bytes);
            assert_eq!(Action::unpack(&mut &bytes[..]), Ok(action));
        }
        assert_eq!(Action::unpack(&mut &[16][..]), Err(PackError));
    }

    proptest! {
        /// Bytes that unpack are packed into the same bytes: each value has one form.
        #[test]
        fn one_form_a_value(bytes in prop::collection::vec(any::<u8>(), 0..24)) {
            let mut rest = &bytes[..];
            if let Ok(memory) = Memory::unpack(&mut rest) {
                let mut again = Vec::new();
                memory.pack(&mut again);
                prop_assert_eq!(&again[..], &bytes[..bytes.len() - rest.len()]);
            }
            let mut rest = &bytes[..];
            if let Ok(message) = Message::unpack(&mut rest) {
                let mut again = Vec::new();
                message.pack(&mut again);
                prop_assert_eq!(&again[..], &bytes[..bytes.len() - rest.len()]);
            }
        }

        /// The fast and the general way write the same bytes, for sets and owners on both sides of the limit.
        #[test]
        fn memories_survive(sets in prop::array::uniform7(prop_oneof![0_u64..64, 0_u64..256]), lock in 0..9_u16, numbers in (0..6_u16, 0..3_u16), pairs in prop::collection::btree_map(0..9_u16, 0..500_u32, 0..9)) {
            let mut memory = Memory::from(Registers {
                state: State::from_number(numbers.0).unwrap(),
                phase: Phase::from_number(numbers.1).unwrap(),
                lock: lock.checked_sub(1).map(Port),
                priorities: pairs.into_iter().map(|(port, priority)| (Port(port), Priority(priority))).collect(),
                ..Registers::default()
            });
            for (place, word) in sets.into_iter().enumerate() {
                memory.set_mut(place).assign(PortSet::from_words(&[word]).as_ports());
            }
            let mut bytes = Vec::new();
            memory.pack(&mut bytes);
            let mut rest = &bytes[..];
            prop_assert_eq!(Memory::unpack(&mut rest), Ok(memory.clone()));
            prop_assert!(rest.is_empty());
            let priorities = vec![(Port(3), Priority(1))];
            let mut other = Memory::from(Registers { priorities, lock: Some(Port(70)), ..Registers::default() });
            for place in 0..SETS {
                other.set_mut(place).assign([Port(1), Port(100)].into_iter().collect::<PortSet>().as_ports());
            }
            let mut copied = other.clone();
            prop_assert_eq!(other.unpack_into(&mut &bytes[..]), Ok(()));
            copied.clone_from(&memory);
            prop_assert_eq!([&other, &copied], [&memory; 2]);
        }
    }
}
