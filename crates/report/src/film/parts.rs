//! What leads from frame to frame in a chunk, apart by what it says: numbers that are alike stand next to each other, and a chunk
//! takes little more than half of what it takes with one operation after another.

use super::damaged::Damaged;
use super::number::{Reader, put, zigzag};

/// Flags of each frame.
pub(super) const FLAGS: usize = 0;
/// Who acted in each frame.
pub(super) const ACTORS: usize = 1;
/// What was done in each frame.
pub(super) const LABELS: usize = 2;
/// The texts of frames that have one.
pub(super) const TEXTS: usize = 3;
/// How many operations each frame has.
pub(super) const COUNTS: usize = 4;
/// What each operation is.
pub(super) const CODES: usize = 5;
/// The node, lower node or sender of an operation.
const NODES: usize = 6;
/// The upper node or receiver.
pub(super) const ENDS: usize = 7;
/// Messages.
const IDS: usize = 8;
/// Their kinds.
pub(super) const KINDS: usize = 9;
/// From here on the values of each column.
pub(super) const VALUES: usize = 10;

/// The parts as they are written.
#[derive(Debug)]
pub(super) struct Parts {
    parts: Vec<Vec<u8>>,
    /// The last node of the frame, and the last message that was sent.
    node: u32,
    id: u64,
}

impl Parts {
    pub(super) fn new(columns: usize) -> Self {
        Self { parts: vec![Vec::new(); VALUES + columns], node: 0, id: 0 }
    }

    /// The next numbers are of another frame.
    pub(super) fn begin_frame(&mut self) {
        self.node = 0;
    }

    pub(super) fn put(&mut self, part: usize, number: u64) {
        put(&mut self.parts[part], number);
    }

    /// A node, as the difference to the one before.
    pub(super) fn put_node(&mut self, node: u32) {
        let difference = i64::from(node) - i64::from(self.node);
        self.node = node;
        self.put(NODES, zigzag(difference));
    }

    /// A message, as the difference to the last one that was sent.
    pub(super) fn put_id(&mut self, id: u64, is_sent: bool) {
        let difference = id.cast_signed() - self.id.cast_signed();
        if is_sent {
            self.id = id;
        }
        self.put(IDS, zigzag(difference));
    }

    /// More flags of the last frame.
    ///
    /// # Panics
    ///
    /// There is no frame.
    pub(super) fn mark(&mut self, flags: u8) {
        *self.parts[FLAGS].last_mut().expect("a frame") |= flags;
    }

    /// How many bytes there are.
    pub(super) fn bytes(&self) -> usize {
        self.parts.iter().map(Vec::len).sum()
    }

    /// Appends all of them, each after its length; none are left.
    pub(super) fn take(&mut self, out: &mut Vec<u8>) {
        for part in &mut self.parts {
            put(out, part.len() as u64);
            out.append(part);
        }
        (self.node, self.id) = (0, 0);
    }
}

/// The parts as they are read.
pub(super) struct PartReaders<'a> {
    readers: Vec<Reader<'a>>,
    node: i64,
    id: i64,
}

impl<'a> PartReaders<'a> {
    /// All that is left.
    pub(super) fn new(reader: &mut Reader<'a>, columns: usize) -> Result<Self, Damaged> {
        let readers = (0..VALUES + columns).map(|_| reader.part()).collect::<Result<_, _>>()?;
        reader.end()?;
        Ok(Self { readers, node: 0, id: 0 })
    }

    pub(super) fn begin_frame(&mut self) {
        self.node = 0;
    }

    pub(super) fn of(&mut self, part: usize) -> &mut Reader<'a> {
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

    /// Nothing may be left over.
    pub(super) fn end(&self) -> Result<(), Damaged> {
        self.readers.iter().try_for_each(Reader::end)
    }
}
