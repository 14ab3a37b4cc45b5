//! [`FilmWriter`]: writes a film frame by frame.

use std::collections::BTreeMap;
use std::io::Write as _;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::write::DeflateEncoder;

use super::configuration::{FrameConfiguration, Message, NodeValue};
use super::head::{Chunk, Head};
use super::number::{put, put_word, zigzag};
use super::parts::{ACTORS, CODES, COUNTS, ENDS, FLAGS, FilmParts, KINDS, LABELS, TEXTS, VALUES};

/// Flag: a Lock was granted, or a node entered its critical section.
pub const GRANTED: u8 = 1;
/// Flag: an invariant is violated.
pub const VIOLATED: u8 = 2;
/// Flag: the graph changed.
pub const CHANGED: u8 = 4;
/// Flag: the frame has a text.
pub(super) const SAID: u8 = 8;

/// Maximum frames of a chunk, since a page inflates it at once. The first chunks are shorter, so that a running
/// simulation can soon be viewed.
const FRAMES_MAX: u64 = 2048;
const FRAMES_MAX_SOON: u64 = 512;
/// The number of shorter chunks at the beginning of a film.
const SOON: usize = 4;

/// Bytes of differences after which a chunk is closed.
const BYTES_MAX: usize = 1 << 19;

/// The beginning of the element of a head; its checksum follows.
pub(super) const HEAD_ELEMENT: &str = "<script type=\"application/json\" id=\"film-head\" data-check=\"";

/// The CRC-32 of a head, or of a chunk before it is deflated.
pub(super) fn crc(bytes: &[u8]) -> u32 {
    let mut crc = flate2::Crc::new();
    crc.update(bytes);
    crc.sum()
}

/// A change between two frames.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FrameChange {
    /// A value changed.
    Set {
        /// The position of the column.
        column: usize,
        /// The node whose value changed.
        node: u32,
        /// The new value.
        value: NodeValue,
    },
    /// An edge appeared, the lower node first.
    Appeared(u32, u32),
    /// An edge vanished.
    Vanished(u32, u32),
    /// A message was sent.
    Sent(u64, Message),
    /// A message was received, or lost.
    Received(u64),
}

/// The events since the previous frame.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct FrameEvents {
    /// A bit mask of [`GRANTED`], [`VIOLATED`] and [`CHANGED`].
    pub flags: u8,
    /// The node that acted last.
    pub actor: Option<u32>,
    /// The action of that node, as an index among those of the head.
    pub action: Option<u32>,
    /// A description of the step, or an empty string.
    pub text: String,
}

/// A complete film.
#[derive(Clone, PartialEq, Debug)]
pub struct Film {
    /// The description of the film.
    pub head: Head,
    /// The deflated chunks.
    pub chunks: Vec<Vec<u8>>,
}

impl Film {
    /// The chunks in base 64, for a page.
    #[must_use]
    pub fn in_base64(&self) -> Vec<String> {
        self.chunks.iter().map(|chunk| in_base64(chunk)).collect()
    }

    /// The film as script elements of an HTML page.
    #[must_use]
    pub fn to_html(&self) -> String {
        let head = serde_json::to_string(&self.head).expect("a head is JSON").replace('<', "\\u003c");
        let check = crc(head.as_bytes());
        let mut html = format!("{HEAD_ELEMENT}{check}\">{head}</script>\n");
        for (number, chunk) in self.chunks.iter().enumerate() {
            html += "<script type=\"application/octet-stream\" class=\"film-chunk\" data-chunk=\"";
            html += &number.to_string();
            html += "\">";
            STANDARD.encode_string(chunk, &mut html);
            html += "</script>\n";
        }
        html
    }
}

/// A chunk in base 64, for a page.
#[must_use]
pub fn in_base64(chunk: &[u8]) -> String {
    STANDARD.encode(chunk)
}

/// Writes a film. Memory: the last configuration, and the chunks so far.
///
/// ```
/// use acrasin_report::film::{NodeColumn, FrameConfiguration, FilmWriter, FrameEvents, Head, ColumnKind, FrameChange, NodeValue};
///
/// let head = Head::new("population", 1, vec![NodeColumn::new("x", "x", ColumnKind::Number)]);
/// let start = FrameConfiguration { columns: vec![vec![NodeValue::Number(3)]], ..FrameConfiguration::default() };
/// let mut writer = FilmWriter::new(head, start);
/// writer.frame(&FrameEvents::default(), &[FrameChange::Set { column: 0, node: 0, value: NodeValue::Number(-1) }]);
/// let film = writer.finish(1);
/// assert_eq!(film.frames().map(|frame| frame.unwrap().happened.text).count(), 2);
/// ```
#[derive(Debug)]
pub struct FilmWriter {
    head: Head,
    now: FrameConfiguration,
    chunks: Vec<Vec<u8>>,
    bytes: usize,
    /// The words of the chunk, with their numbers.
    words: BTreeMap<Box<str>, u64>,
    key: Vec<u8>,
    body: FilmParts,
    flags: u8,
    first: u64,
    frames: u64,
}

impl FilmWriter {
    /// Starts a film with frame 0, the initial configuration.
    ///
    /// # Panics
    ///
    /// Panics if the configuration has other columns or nodes than the head.
    #[must_use]
    pub fn new(head: Head, start: FrameConfiguration) -> Self {
        assert_eq!(start.columns.len(), head.columns.len(), "columns");
        assert!(start.columns.iter().all(|column| column.len() == head.nodes as usize), "nodes");
        let body = FilmParts::new(head.columns.len());
        let mut writer = Self {
            head,
            now: start,
            chunks: Vec::new(),
            bytes: 0,
            words: BTreeMap::new(),
            key: Vec::new(),
            body,
            flags: 0,
            first: 0,
            frames: 0,
        };
        writer.frame(&FrameEvents::default(), &[]);
        writer
    }

    /// The configuration of the last frame.
    #[must_use]
    pub fn now(&self) -> &FrameConfiguration {
        &self.now
    }

    /// The number of frames so far.
    #[must_use]
    pub fn frames(&self) -> u64 {
        self.frames
    }

    /// The size of the chunks in a page, in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    fn word(&mut self, text: &str) -> u64 {
        if text.is_empty() {
            return 0;
        }
        if let Some(&number) = self.words.get(text) {
            return number;
        }
        let number = self.words.len() as u64 + 1;
        self.words.insert(text.into(), number);
        number
    }

    fn coded(&mut self, value: &NodeValue) -> u64 {
        match value {
            NodeValue::Class(class) => (*class).into(),
            NodeValue::Number(number) => zigzag(*number),
            NodeValue::Node(node) => node.map_or(0, |node| u64::from(node) + 1),
            NodeValue::Word(word) => self.word(word),
        }
    }

    /// Adds a frame. `operations` are the changes since the previous frame, in the order in which they happened.
    ///
    /// # Panics
    ///
    /// Panics if an operation names a column or node that does not exist.
    pub fn frame(&mut self, happened: &FrameEvents, operations: &[FrameChange]) {
        // A full chunk is closed only now, so that its last frame could still be marked.
        let most = if self.chunks.len() < SOON { FRAMES_MAX_SOON } else { FRAMES_MAX };
        if self.frames - self.first == most || self.body.bytes() > BYTES_MAX {
            self.close();
        }
        let FrameEvents { flags, actor, action, text } = happened;
        let flags = flags | if text.is_empty() { 0 } else { SAID };
        self.body.begin_frame();
        self.body.put(FLAGS, flags.into());
        self.body.put(ACTORS, actor.map_or(0, |actor| u64::from(actor) + 1));
        self.body.put(LABELS, action.map_or(0, |action| u64::from(action) + 1));
        if !text.is_empty() {
            let text = self.word(text);
            self.body.put(TEXTS, text);
        }
        self.body.put(COUNTS, operations.len() as u64);
        for operation in operations {
            self.operation(operation);
        }
        if self.frames == self.first {
            self.key = self.key_frame();
        }
        self.flags |= flags;
        self.frames += 1;
    }

    /// Adds flags to the last frame, for events that become known only after it was written.
    ///
    /// # Panics
    ///
    /// Panics if `flags` has bits other than [`GRANTED`], [`VIOLATED`] and [`CHANGED`].
    pub fn mark(&mut self, flags: u8) {
        assert!(flags < SAID, "flags {flags}");
        self.body.mark(flags);
        self.flags |= flags;
    }

    fn operation(&mut self, operation: &FrameChange) {
        match operation {
            FrameChange::Set { column, node, value } => {
                let coded = self.coded(value);
                self.body.put(CODES, 4 + *column as u64);
                self.body.put_node(*node);
                self.body.put(VALUES + column, coded);
            }
            &(FrameChange::Appeared(a, b) | FrameChange::Vanished(a, b)) => {
                self.body.put(CODES, matches!(operation, FrameChange::Vanished(..)).into());
                self.body.put_node(a);
                self.body.put(ENDS, b.into());
            }
            FrameChange::Sent(id, message) => {
                self.body.put(CODES, 2);
                self.body.put_id(*id, true);
                self.body.put_node(message.from);
                self.body.put(ENDS, message.to.into());
                self.body.put(KINDS, message.kind.into());
            }
            FrameChange::Received(id) => {
                self.body.put(CODES, 3);
                self.body.put_id(*id, false);
            }
        }
        self.now.apply(operation);
    }

    fn key_frame(&mut self) -> Vec<u8> {
        let mut bytes = Vec::new();
        let now = std::mem::take(&mut self.now);
        for column in &now.columns {
            for run in column.chunk_by(PartialEq::eq) {
                put(&mut bytes, self.coded(&run[0]));
                put(&mut bytes, run.len() as u64);
            }
        }
        put(&mut bytes, now.edges.len() as u64);
        let mut before = 0;
        for &(a, b) in &now.edges {
            put(&mut bytes, (a - before).into());
            put(&mut bytes, (b - a).into());
            before = a;
        }
        put(&mut bytes, now.messages.len() as u64);
        for (&id, message) in &now.messages {
            for number in [id, message.from.into(), message.to.into(), message.kind.into()] {
                put(&mut bytes, number);
            }
        }
        self.now = now;
        bytes
    }

    fn close(&mut self) {
        if self.frames == self.first {
            return;
        }
        let mut words: Vec<(u64, Box<str>)> =
            std::mem::take(&mut self.words).into_iter().map(|(word, number)| (number, word)).collect();
        words.sort_unstable();
        let mut bytes = Vec::new();
        put(&mut bytes, words.len() as u64 + 1);
        put_word(&mut bytes, "");
        words.iter().for_each(|(_, word)| put_word(&mut bytes, word));
        bytes.append(&mut self.key);
        self.body.take(&mut bytes);
        let mut encoder = DeflateEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(&bytes).expect("memory takes everything");
        let packed = encoder.finish().expect("memory takes everything");
        self.bytes += packed.len().div_ceil(3) * 4;
        self.chunks.push(packed);
        self.head.chunks.push(Chunk {
            first: self.first,
            frames: self.frames - self.first,
            flags: self.flags,
            check: crc(&bytes),
        });
        (self.first, self.flags) = (self.frames, 0);
    }

    /// Closes the last chunk and takes all chunks, with their head.
    pub(super) fn take_chunks(&mut self) -> (Head, Vec<Vec<u8>>) {
        self.close();
        (self.head.clone(), std::mem::take(&mut self.chunks))
    }

    /// The number of steps between two frames.
    #[must_use]
    pub fn every(&self) -> u64 {
        self.head.every
    }

    /// The film of all closed chunks, for a run in progress. `None` if there are none.
    #[must_use]
    pub fn closed(&self) -> Option<(Head, &[Vec<u8>])> {
        let last = self.head.chunks.last()?;
        let mut head = self.head.clone();
        head.frames = last.first + last.frames;
        head.steps = (head.frames - 1) * head.every;
        Some((head, &self.chunks))
    }

    /// Completes the film of a run with this number of steps.
    ///
    /// # Panics
    ///
    /// Panics if the number of frames does not match the steps.
    #[must_use]
    pub fn finish(mut self, steps: u64) -> Film {
        // All words of the configuration are in the chunk, which is still open: its last frame could be marked.
        self.head.end = Some(crc(&self.key_frame()));
        self.close();
        self.head.steps = steps;
        self.head.frames = self.frames;
        assert_eq!(self.frames, steps.div_ceil(self.head.every) + 1, "frames of {steps} steps");
        Film { head: self.head, chunks: self.chunks }
    }
}

impl FrameConfiguration {
    /// Applies a change to this configuration.
    ///
    /// # Panics
    ///
    /// Panics if there is no such column or node.
    pub fn apply(&mut self, operation: &FrameChange) {
        match operation {
            FrameChange::Set { column, node, value } => self.columns[*column][*node as usize] = value.clone(),
            &FrameChange::Appeared(a, b) => {
                self.edges.insert((a, b));
            }
            &FrameChange::Vanished(a, b) => {
                self.edges.remove(&(a, b));
            }
            &FrameChange::Sent(id, message) => {
                self.messages.insert(id, message);
            }
            FrameChange::Received(id) => {
                self.messages.remove(id);
            }
        }
    }
}
