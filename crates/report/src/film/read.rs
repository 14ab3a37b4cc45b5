//! Reads the frames of a film.

use std::io::Read as _;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use flate2::read::DeflateDecoder;

use super::configuration::{FrameConfiguration, Message, NodeValue};
use super::damaged::Damaged;
use super::head::{ColumnKind, Head, NodeColumn};
use super::number::NumberReader;
use super::parts::{ACTORS, CODES, COUNTS, ENDS, FLAGS, KINDS, LABELS, PartReaders, TEXTS, VALUES};
use super::write::{Film, FrameChange, FrameEvents, HEAD_ELEMENT, SAID, crc};

/// Maximum bytes of an inflated chunk: a small file must not fill the memory.
const CHUNK_BYTES_MAX: u64 = 1 << 30;

/// Maximum nodes of a film.
const NODES_MAX: u32 = 1 << 22;

/// One frame of a film.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Frame {
    /// The number of the frame, from 0.
    pub number: u64,
    /// The events since the previous frame.
    pub happened: FrameEvents,
    /// The configuration after these events.
    pub configuration: FrameConfiguration,
}

impl Film {
    /// Reads a film from its script elements in an HTML page.
    ///
    /// # Errors
    ///
    /// [`Damaged`] if the script elements are missing or malformed.
    pub fn from_html(html: &str) -> Result<Self, Damaged> {
        const CHUNK: &str = "<script type=\"application/octet-stream\" class=\"film-chunk\" data-chunk=\"";
        let element = |from: &str| from.split_once("</script>").map(|(text, _)| text.to_owned());
        let head = html.split_once(HEAD_ELEMENT).and_then(|(_, rest)| element(rest));
        let head = head.ok_or_else(|| Damaged::in_head("it is missing"))?;
        let (check, head) = head.split_once("\">").ok_or_else(|| Damaged::in_head("it has no checksum"))?;
        if check.parse() != Ok(crc(head.as_bytes())) {
            return Err(Damaged::in_head("its checksum differs"));
        }
        let head: Head = serde_json::from_str(head).map_err(|error| {
            Damaged::in_head(format_args!("byte {} is not valid in a head", error.column()))
        })?;
        let mut chunks = Vec::new();
        for (number, part) in html.split(CHUNK).skip(1).enumerate() {
            let text = element(part).and_then(|text| text.split_once("\">").map(|(_, text)| text.to_owned()));
            let bytes = text.and_then(|text| STANDARD.decode(text).ok());
            chunks.push(bytes.ok_or_else(|| Damaged::in_chunk(number, "it is not base64"))?);
        }
        Ok(Self { head, chunks })
    }

    /// All frames in order. The iterator ends after the first error.
    #[must_use]
    pub fn frames(&self) -> Frames<'_> {
        let refused = self.check().err();
        Frames { film: self, chunk: 0, ready: Vec::new().into_iter(), refused, is_over: false }
    }

    /// Checks the version and the number of nodes, and that steps, frames and chunks are consistent.
    fn check(&self) -> Result<(), Damaged> {
        let Head { film, nodes, steps, every, frames, chunks, .. } = &self.head;
        let refuse = |what: String| Err(Damaged::in_head(what));
        if *film != 2 {
            return refuse(format!("film {film}, expected 2"));
        }
        if *nodes > NODES_MAX {
            return refuse(format!("{nodes} nodes, expected up to {NODES_MAX}"));
        }
        if *every == 0 || steps.div_ceil(*every).checked_add(1) != Some(*frames) {
            return refuse(format!("{frames} frames for {steps} steps, one every {every} steps"));
        }
        if chunks.len() != self.chunks.len() {
            return refuse(format!("{} chunks announced, but {} present", chunks.len(), self.chunks.len()));
        }
        let mut first = 0_u64;
        for (number, chunk) in chunks.iter().enumerate() {
            if chunk.first != first || chunk.frames == 0 {
                return refuse(format!("chunk {number} begins with frame {}, expected {first}", chunk.first));
            }
            first = first.saturating_add(chunk.frames);
        }
        if first != *frames {
            return refuse(format!("the chunks have {first} frames, expected {frames}"));
        }
        Ok(())
    }

    fn chunk(&self, number: usize) -> Result<Vec<Frame>, Damaged> {
        let mut bytes = Vec::new();
        let inflated =
            DeflateDecoder::new(&*self.chunks[number]).take(CHUNK_BYTES_MAX).read_to_end(&mut bytes);
        if inflated.is_err() || bytes.len() as u64 == CHUNK_BYTES_MAX {
            return Err(Damaged::in_chunk(number, "it cannot be inflated"));
        }
        if crc(&bytes) != self.head.chunks[number].check {
            return Err(Damaged::in_chunk(number, "its checksum differs"));
        }
        ChunkReader::new(&self.head, NumberReader::new(&bytes, number))?.frames(number)
    }
}

/// Iterates over the frames of a film, with one chunk in memory at a time.
#[derive(Debug)]
pub struct Frames<'a> {
    film: &'a Film,
    chunk: usize,
    ready: std::vec::IntoIter<Frame>,
    refused: Option<Damaged>,
    is_over: bool,
}

impl Iterator for Frames<'_> {
    type Item = Result<Frame, Damaged>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.is_over {
            return None;
        }
        if let Some(refused) = self.refused.take() {
            self.is_over = true;
            return Some(Err(refused));
        }
        if let Some(frame) = self.ready.next() {
            return Some(Ok(frame));
        }
        if self.chunk == self.film.chunks.len() {
            self.is_over = true;
            return None;
        }
        match self.film.chunk(self.chunk) {
            Ok(frames) => {
                self.chunk += 1;
                self.ready = frames.into_iter();
                self.ready.next().map(Ok)
            }
            Err(damaged) => {
                self.is_over = true;
                Some(Err(damaged))
            }
        }
    }
}

struct ChunkReader<'a> {
    head: &'a Head,
    reader: NumberReader<'a>,
    words: Vec<&'a str>,
}

impl<'a> ChunkReader<'a> {
    fn new(head: &'a Head, mut reader: NumberReader<'a>) -> Result<Self, Damaged> {
        let count = reader.number()?;
        if count == 0 || count > reader.left() as u64 {
            return Err(reader.refuse(format!(
                "{count} words are announced (accepted: 1 or more, at most one per byte that is left)"
            )));
        }
        let words = (0..count).map(|_| reader.word()).collect::<Result<Vec<_>, _>>()?;
        if !words[0].is_empty() {
            return Err(reader.refuse("the first word is not empty"));
        }
        Ok(Self { head, reader, words })
    }

    /// Reads a value of a column, from a key frame or a difference.
    fn value(
        (head, words): (&Head, &[&str]),
        column: &NodeColumn,
        reader: &mut NumberReader<'_>,
    ) -> Result<NodeValue, Damaged> {
        Ok(match column.kind {
            ColumnKind::Class => NodeValue::Class(reader.below(column.values.len() as u64, "class")?),
            ColumnKind::Number => NodeValue::Number(reader.signed()?),
            ColumnKind::Node => {
                NodeValue::Node(reader.below(u64::from(head.nodes) + 1, "node")?.checked_sub(1))
            }
            ColumnKind::Word => {
                let word = reader.below(words.len() as u64, "word")?;
                NodeValue::word(words[word as usize])
            }
        })
    }

    fn node(&mut self) -> Result<u32, Damaged> {
        self.reader.below(self.head.nodes.into(), "node")
    }

    fn message(&mut self) -> Result<(u64, Message), Damaged> {
        let id = self.reader.number()?;
        let (from, to) = (self.node()?, self.node()?);
        let kind = self.reader.below(self.head.messages.len() as u64, "kind of message")?;
        Ok((id, Message { from, to, kind }))
    }

    /// Reads the number of items that follow. Each item takes at least one byte, so a number above the bytes left is
    /// refused.
    fn count(&mut self, what: &str) -> Result<u64, Damaged> {
        match self.reader.number()? {
            count if count <= self.reader.left() as u64 => Ok(count),
            count => {
                Err(self.reader.refuse(format!("{count} {what} are announced, but fewer bytes are left")))
            }
        }
    }

    fn key_frame(&mut self) -> Result<FrameConfiguration, Damaged> {
        let nodes = self.head.nodes as usize;
        let mut configuration = FrameConfiguration::default();
        let head = self.head;
        for column in &head.columns {
            let mut values = Vec::new();
            while values.len() < nodes {
                let value = Self::value((head, &self.words), column, &mut self.reader)?;
                let length = self.reader.number()?;
                if length == 0 || length > (nodes - values.len()) as u64 {
                    return Err(self
                        .reader
                        .refuse(format!("column {}: an impossible run of {length} nodes", column.key)));
                }
                values.extend(std::iter::repeat_n(value, length as usize));
            }
            configuration.columns.push(values);
        }
        let mut a = 0_u64;
        for _ in 0..self.count("edges")? {
            a += self.reader.number()?;
            let b = a + self.reader.number()?;
            let is_next = configuration.edges.last().is_none_or(|&last| last < (a as u32, b as u32));
            if b >= nodes as u64 || a >= b || !is_next {
                return Err(self
                    .reader
                    .refuse(format!("edge {a} - {b}, expected increasing edges below {nodes}")));
            }
            configuration.edges.insert((a as u32, b as u32));
        }
        for _ in 0..self.count("messages")? {
            let (id, message) = self.message()?;
            configuration.messages.insert(id, message);
        }
        Ok(configuration)
    }

    /// Reads the differences between frames, which follow the key frame.
    fn steps(mut self) -> Result<FrameReader<'a>, Damaged> {
        let parts = PartReaders::new(&mut self.reader, self.head.columns.len())?;
        Ok(FrameReader { head: self.head, words: self.words, parts })
    }

    fn frames(mut self, number: usize) -> Result<Vec<Frame>, Damaged> {
        let chunk = self.head.chunks[number];
        let mut now = self.key_frame()?;
        let mut steps = self.steps()?;
        let (mut frames, mut all) = (Vec::new(), 0);
        for at in 0..chunk.frames {
            let (happened, operations) = steps.step()?;
            all |= happened.flags;
            if at > 0 {
                operations.iter().for_each(|operation| now.apply(operation));
            }
            frames.push(Frame { number: chunk.first + at, happened, configuration: now.clone() });
        }
        if all & 7 != chunk.flags & 7 {
            let message = format!("the frames have the flags {all}, but the head says {}", chunk.flags);
            return Err(Damaged::in_chunk(number, message));
        }
        steps.parts.end()?;
        Ok(frames)
    }
}

/// Reads the differences between frames.
struct FrameReader<'a> {
    head: &'a Head,
    words: Vec<&'a str>,
    parts: PartReaders<'a>,
}

impl FrameReader<'_> {
    fn operation(&mut self) -> Result<FrameChange, Damaged> {
        let Self { head, words, parts } = self;
        let columns = head.columns.len() as u64;
        let nodes = u64::from(head.nodes);
        Ok(match parts.of(CODES).below(4 + columns, "operation")? {
            code @ (0 | 1) => {
                let (a, b) = (parts.node(head.nodes)?, parts.of(ENDS).below(nodes, "node")?);
                if a >= b {
                    let message = format!("edge {a} - {b}, expected the lower node first");
                    return Err(parts.of(ENDS).refuse(message));
                }
                if code == 0 { FrameChange::Appeared(a, b) } else { FrameChange::Vanished(a, b) }
            }
            2 => {
                let id = parts.id(true)?;
                let (from, to) = (parts.node(head.nodes)?, parts.of(ENDS).below(nodes, "node")?);
                let kind = parts.of(KINDS).below(head.messages.len() as u64, "kind of message")?;
                FrameChange::Sent(id, Message { from, to, kind })
            }
            3 => FrameChange::Received(parts.id(false)?),
            code => {
                let column = code as usize - 4;
                let node = parts.node(head.nodes)?;
                let reader = parts.of(VALUES + column);
                let value = ChunkReader::value((head, words), &head.columns[column], reader)?;
                FrameChange::Set { column, node, value }
            }
        })
    }

    /// Reads the events of the next frame, and the changes that lead to it.
    fn step(&mut self) -> Result<FrameStep, Damaged> {
        self.parts.begin_frame();
        let flags = self.parts.of(FLAGS).below(16, "flags")? as u8;
        let nodes = u64::from(self.head.nodes);
        let actor = self.parts.of(ACTORS).below(nodes + 1, "who acted")?.checked_sub(1);
        let actions = self.head.actions.len() as u64;
        let action = self.parts.of(LABELS).below(actions + 1, "what was done")?.checked_sub(1);
        let text = if flags & SAID == 0 {
            String::new()
        } else {
            let word = self.parts.of(TEXTS).below(self.words.len() as u64, "text")?;
            self.words[word as usize].to_owned()
        };
        let count = self.parts.of(COUNTS).number()?;
        if count > self.parts.of(CODES).left() as u64 {
            return Err(self.parts.of(COUNTS).refuse(format!(
                "a frame announces {count} operations, but fewer bytes of operations are left"
            )));
        }
        let operations = (0..count).map(|_| self.operation()).collect::<Result<_, _>>()?;
        Ok((FrameEvents { flags: flags & !SAID, actor, action, text }, operations))
    }
}

/// The events of a frame, and the changes that lead to it from the previous frame.
pub(super) type FrameStep = (FrameEvents, Vec<FrameChange>);

/// The key frame of a chunk just written, and the steps to all its frames.
pub(super) fn steps_of(head: &Head, number: usize, packed: &[u8]) -> (FrameConfiguration, Vec<FrameStep>) {
    let read = || {
        let mut bytes = Vec::new();
        let inflated = DeflateDecoder::new(packed).read_to_end(&mut bytes);
        inflated.map_err(|error| Damaged::in_chunk(number, error.to_string()))?;
        let mut chunk = ChunkReader::new(head, NumberReader::new(&bytes, number))?;
        let key = chunk.key_frame()?;
        let mut steps = chunk.steps()?;
        let steps = (0..head.chunks[number].frames).map(|_| steps.step()).collect::<Result<_, _>>()?;
        Ok::<_, Damaged>((key, steps))
    };
    read().unwrap_or_else(|damaged| panic!("just written: {damaged}"))
}
