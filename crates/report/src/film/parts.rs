//! The differences between the frames of a chunk, split into parts by type. Similar numbers are then adjacent, and a
//! compressed chunk has little more than half the size of a plain list of operations.

use super::damaged::Damaged;
use super::number::{NumberReader, put, zigzag};

/// Flags of each frame.
pub(super) const FLAGS: usize = 0;
/// The node that acted in each frame.
pub(super) const ACTORS: usize = 1;
/// The action in each frame.
pub(super) const LABELS: usize = 2;
/// The texts of frames that have one.
pub(super) const TEXTS: usize = 3;
/// The number of operations of each frame.
pub(super) const COUNTS: usize = 4;
/// The type of each operation.
pub(super) const CODES: usize = 5;
/// The node, lower node or sender of an operation.
const NODES: usize = 6;
/// The upper node or receiver of an operation.
pub(super) const ENDS: usize = 7;
/// The numbers of messages.
const IDS: usize = 8;
/// The kinds of messages.
pub(super) const KINDS: usize = 9;
/// The values of the first column. Each further column has the next part.
pub(super) const VALUES: usize = 10;

/// The parts of the chunk that is being written.
#[derive(Debug)]
pub(super) struct FilmParts {
    parts: Vec<Vec<u8>>,
    /// The last node that was written in this frame.
    node: u32,
    /// The number of the last message sent.
    id: u64,
}

impl FilmParts {
    pub(super) fn new(columns: usize) -> Self {
        Self { parts: vec![Vec::new(); VALUES + columns], node: 0, id: 0 }
    }

    /// Begins a frame: node differences start again at 0.
    pub(super) fn begin_frame(&mut self) {
        self.node = 0;
    }

    pub(super) fn put(&mut self, part: usize, number: u64) {
        put(&mut self.parts[part], number);
    }

    /// Appends a node, as the difference to the previous one.
    pub(super) fn put_node(&mut self, node: u32) {
        let difference = i64::from(node) - i64::from(self.node);
        self.node = node;
        self.put(NODES, zigzag(difference));
    }

    /// Appends a message, as the difference to the last one sent.
    pub(super) fn put_id(&mut self, id: u64, is_sent: bool) {
        let difference = id.cast_signed() - self.id.cast_signed();
        if is_sent {
            self.id = id;
        }
        self.put(IDS, zigzag(difference));
    }

    /// Adds flags to the last frame.
    ///
    /// # Panics
    ///
    /// Panics if there is no frame.
    pub(super) fn mark(&mut self, flags: u8) {
        *self.parts[FLAGS].last_mut().expect("a frame") |= flags;
    }

    /// The number of bytes of all parts.
    pub(super) fn bytes(&self) -> usize {
        self.parts.iter().map(Vec::len).sum()
    }

    /// Appends all parts to `out`, each after its length, and clears them.
    pub(super) fn take(&mut self, out: &mut Vec<u8>) {
        for part in &mut self.parts {
            put(out, part.len() as u64);
            out.append(part);
        }
        (self.node, self.id) = (0, 0);
    }
}

/// The parts of a chunk that is being read.
pub(super) struct PartReaders<'a> {
    readers: Vec<NumberReader<'a>>,
    node: i64,
    id: i64,
}

impl<'a> PartReaders<'a> {
    /// Reads all parts; they must take up the rest of `reader`.
    pub(super) fn new(reader: &mut NumberReader<'a>, columns: usize) -> Result<Self, Damaged> {
        let readers = (0..VALUES + columns).map(|_| reader.part()).collect::<Result<_, _>>()?;
        reader.end()?;
        Ok(Self { readers, node: 0, id: 0 })
    }

    pub(super) fn begin_frame(&mut self) {
        self.node = 0;
    }

    pub(super) fn of(&mut self, part: usize) -> &mut NumberReader<'a> {
        &mut self.readers[part]
    }

    pub(super) fn node(&mut self, nodes: u32) -> Result<u32, Damaged> {
        let reader = &mut self.readers[NODES];
        let node = self.node + reader.signed()?;
        if !(0..i64::from(nodes)).contains(&node) {
            return Err(reader.refuse(format!("node {node}, expected below {nodes}")));
        }
        self.node = node;
        Ok(node as u32)
    }

    pub(super) fn id(&mut self, is_sent: bool) -> Result<u64, Damaged> {
        let reader = &mut self.readers[IDS];
        let id = self.id + reader.signed()?;
        if !(0..1 << 53).contains(&id) {
            return Err(reader.refuse(format!("message {id}, expected below 2^53")));
        }
        if is_sent {
            self.id = id;
        }
        Ok(id.cast_unsigned())
    }

    /// Fails if bytes are left.
    pub(super) fn end(&self) -> Result<(), Damaged> {
        self.readers.iter().try_for_each(NumberReader::end)
    }
}
