//! Encoding of systems as bytes.

use std::hash::Hash;

use acrasin_runtime::PackError;

use crate::model::id::AmoebotId;

use super::limits::ExploreError;
use super::table::{DIGEST_BYTES, ValueTable};
use crate::algorithm::Algorithm;
use crate::model::body::Body;
use crate::model::lattice::{Cell, Direction};
use crate::model::object::Object;
use crate::model::orientation::{Chirality, Orientation};
use crate::model::shape::{ShapeError, to_normal};
use crate::model::system::{Amoebot, Configuration, System, sort_by_body};

/// The equivalence under which two systems count as the same state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Equivalence {
    /// Systems are equivalent if they are equal up to translation and identities.
    Anonymous,
    /// Systems are equivalent if they are equal up to translation.
    Numbered,
    /// Systems are equivalent only if they are equal.
    Placed,
}

/// The encoding of systems as bytes. Two systems are equivalent if their bytes are equal.
pub(crate) struct Packing<M> {
    equivalence: Equivalence,
    memories: ValueTable<M>,
    objects: ValueTable<Object>,
}

/// A system with its bytes. The encoding of a successor reuses unchanged parts.
pub(crate) struct PackedSystem<'a, M> {
    pub(crate) system: &'a System<M>,
    pub(crate) packed: &'a [u8],
}

/// The offset of an amoebot's memory in its bytes: after head, tail and orientation.
const MEMORY: usize = 10;
const AMOEBOT_BYTES: usize = MEMORY + DIGEST_BYTES;

impl<M: Clone + Eq + Hash> Packing<M> {
    /// An encoding for memories that own this many heap bytes.
    pub(crate) fn new(equivalence: Equivalence, bytes_owned: usize) -> Self {
        Self {
            equivalence,
            memories: ValueTable::of_values_that_own(bytes_owned),
            objects: ValueTable::of_values_that_own(0),
        }
    }

    /// Appends the number of amoebots, then each amoebot, then the object. `before` is the predecessor, with the same
    /// amoebots by identity, so that unchanged memories need not be encoded again.
    ///
    /// # Errors
    ///
    /// The amoebots are too far apart for a normal form.
    pub(crate) fn pack(
        &self,
        system: &System<M>,
        before: Option<&PackedSystem<'_, M>>,
        into: &mut Vec<u8>,
    ) -> Result<(), ShapeError> {
        let object = system.shared_object();
        let (dx, dy) = match self.equivalence {
            Equivalence::Placed => (0, 0),
            Equivalence::Anonymous | Equivalence::Numbered => to_normal(object.cells().iter().copied())
                .or_else(|| to_normal(system.amoebots().iter().flat_map(|amoebot| amoebot.body.cells())))
                .ok_or(ShapeError::Empty)?,
        };
        into.extend_from_slice(&(system.len() as u32).to_le_bytes());
        let mut order: Vec<(Body, AmoebotId)> = system.ids().map(|id| (system.body(id), id)).collect();
        if self.equivalence == Equivalence::Anonymous {
            sort_by_body(&mut order);
        }
        for (_, id) in order {
            let Amoebot { body, orientation, memory } = system.amoebot(id);
            let body = body.translated(dx, dy).ok_or(ShapeError::TooWide)?;
            let head = body.head();
            into.extend_from_slice(&head.x().to_le_bytes());
            into.extend_from_slice(&head.y().to_le_bytes());
            into.push(head.direction_to(body.tail()).map_or(NO_TAIL, Direction::index));
            let mirrored = u8::from(orientation.chirality != Chirality::Standard);
            into.push(2 * orientation.first.index() + mirrored);
            match before {
                Some(before) if before.system.memory(id) == memory => {
                    let at = COUNT_BYTES + id.index() * AMOEBOT_BYTES + MEMORY;
                    into.extend_from_slice(&before.packed[at..at + DIGEST_BYTES]);
                }
                _ => self.memories.pack(memory, into),
            }
        }
        let object = object.translated(dx, dy).ok_or(ShapeError::TooWide)?;
        into.push(u8::from(!object.cells().is_empty()));
        if !object.cells().is_empty() {
            self.objects.pack(&object, into);
        }
        Ok(())
    }

    /// Decodes a system from the beginning of `from`, and removes its bytes there. The identity of an amoebot is its
    /// position in the encoding.
    pub(crate) fn unpack(&self, from: &mut &[u8]) -> Configuration<M> {
        let count = u32::from_le_bytes(take(from));
        let amoebots = (0..count).map(|_| {
            let (x, y) = (i32::from_le_bytes(take(from)), i32::from_le_bytes(take(from)));
            let head = Cell::new(x, y).expect("a cell of the lattice");
            let [tail, oriented] = take(from);
            let body = if tail == NO_TAIL {
                Body::contracted(head)
            } else {
                let (dx, dy) = Direction::from_index(tail).step();
                let tail = head.translated(dx, dy).and_then(|tail| Body::expanded(head, tail));
                tail.expect("two cells of the lattice")
            };
            let chirality = if oriented % 2 == 0 { Chirality::Standard } else { Chirality::Mirrored };
            let orientation = Orientation { first: Direction::from_index(oriented / 2), chirality };
            Amoebot { body, orientation, memory: self.memories.unpack(from) }
        });
        let amoebots = amoebots.collect();
        let [has_object] = take(from);
        let object = if has_object == 0 { Object::default() } else { self.objects.unpack(from) };
        Configuration::of(amoebots, object)
    }

    /// Appends the next of these systems. Returns false if there is none.
    pub(crate) fn pack_next(
        &self,
        systems: &mut impl Iterator<Item = System<M>>,
        into: &mut Vec<u8>,
    ) -> Result<bool, ExploreError> {
        let Some(system) = systems.next() else { return Ok(false) };
        self.pack(&system, None, into)?;
        Ok(true)
    }

    /// The system whose bytes are at the beginning of `state`.
    pub(crate) fn system(&self, mut state: &[u8]) -> System<M> {
        self.unpack(&mut state).into_system()
    }

    /// Appends all memories. Returns `false` if memories of this algorithm cannot be saved. Objects are not saved: they
    /// are part of the starts.
    pub(crate) fn save<A: Algorithm<Memory = M>>(&self, algorithm: &A, into: &mut Vec<u8>) -> bool {
        self.memories.save(&|memory, into| algorithm.save_memory(memory, into), into)
    }

    /// Reads memories that [`save`](Self::save) wrote, and adds them to the table.
    pub(crate) fn load<A: Algorithm<Memory = M>>(
        &self,
        algorithm: &A,
        from: &mut &[u8],
    ) -> Result<(), PackError> {
        self.memories.load(&|from| algorithm.load_memory(from), from)
    }

    /// The bytes that the values take to which encoded systems refer.
    pub(crate) fn bytes(&self) -> u64 {
        self.memories.bytes() + self.objects.bytes()
    }
}

/// The code for a contracted amoebot, in place of the direction from head to tail.
const NO_TAIL: u8 = 6;
/// The number of bytes of the number of amoebots.
const COUNT_BYTES: usize = size_of::<u32>();

fn take<const N: usize>(from: &mut &[u8]) -> [u8; N] {
    let (first, rest) = from.split_first_chunk().expect("bytes of a system");
    *from = rest;
    *first
}

#[cfg(test)]
mod tests {
    use acrasin_runtime::{FixedProbability, Seeded};

    use super::*;
    use crate::library::hexagon::{Hexagon, Memory};
    use crate::run::execution::{SequentialExecution, Uniform};
    use crate::start;

    /// A system in the middle of a run, with some amoebots expanded and orientations of all kinds.
    fn midst(seed: u64) -> System<Memory> {
        let mut choices = Seeded::new(seed);
        let cells = start::blob(Cell::ORIGIN, 7, FixedProbability::new(0.8).unwrap(), &mut choices).unwrap();
        let mirrored: Vec<Orientation> =
            Orientation::all().filter(|own| own.chirality == Chirality::Mirrored).collect();
        let orientations: Vec<Orientation> = mirrored.iter().copied().cycle().take(7).collect();
        let start = Hexagon::start(&cells, 0, &orientations).unwrap();
        let mut execution = SequentialExecution::new(&Hexagon, start);
        execution.run(20 + seed, &mut Uniform, &mut choices);
        execution.system().clone()
    }

    fn packed(packing: &Packing<Memory>, system: &System<Memory>) -> Vec<u8> {
        let mut packed = Vec::new();
        packing.pack(system, None, &mut packed).unwrap();
        packed
    }

    #[test]
    fn bytes_become_the_system_again() {
        let mut expanded = 0;
        for seed in 0..40 {
            let mut system = midst(seed);
            if seed % 2 == 0 {
                let far = [Cell::new(60, -60).unwrap(), Cell::new(61, -60).unwrap()];
                system = system.with_object(far).unwrap();
            }
            expanded += system.ids().filter(|id| !system.body(*id).is_contracted()).count();
            for (equivalence, same) in [
                (Equivalence::Placed, system.numbered_configuration()),
                (Equivalence::Numbered, system.numbered_configuration().normal_form().unwrap()),
                (Equivalence::Anonymous, system.configuration().normal_form().unwrap()),
            ] {
                let packing = Packing::new(equivalence, 0);
                let bytes = packed(&packing, &system);
                let mut rest = &bytes[..];
                assert_eq!(packing.unpack(&mut rest), same, "{equivalence:?}");
                assert!(rest.is_empty());
                // Reused parts give the same bytes.
                let again = packing.unpack(&mut &bytes[..]).into_system();
                let mut copied = Vec::new();
                let before = PackedSystem { system: &again, packed: &bytes };
                packing.pack(&again, Some(&before), &mut copied).unwrap();
                assert_eq!(copied, bytes, "{equivalence:?}");
            }
        }
        assert!(expanded > 0);
    }

    #[test]
    fn each_form_has_its_own_idea_of_the_same() {
        let cells = |order: [usize; 3], dx: i32| order.map(|at| Cell::new(at as i32 + dx, 0).unwrap());
        let line = |order, dx, seed| Hexagon::start(&cells(order, dx), seed, &[]).unwrap();
        let (here, there, renamed) = (line([0, 1, 2], 0, 0), line([0, 1, 2], 5, 0), line([2, 1, 0], 0, 2));
        let other = line([0, 1, 2], 0, 1);
        for (equivalence, same) in [
            (Equivalence::Placed, [false, false]),
            (Equivalence::Numbered, [true, false]),
            (Equivalence::Anonymous, [true, true]),
        ] {
            let packing = Packing::new(equivalence, 0);
            let bytes = |system| packed(&packing, system);
            assert_eq!(
                [bytes(&here) == bytes(&there), bytes(&here) == bytes(&renamed)],
                same,
                "{equivalence:?}"
            );
            assert_ne!(bytes(&here), bytes(&other), "{equivalence:?}");
        }
    }
}
