//! The effective text, with the origin of each byte: the file or an override.

use super::error::{DocumentError, Place};
use super::failure::{ByteSpan, DecodeFailure};

/// The text of a scenario after overrides.
#[derive(Debug, Clone)]
pub(crate) struct EffectiveText {
    file: String,
    original: String,
    /// The overrides as given: `key=value`.
    sets: Vec<String>,
    text: String,
    /// The pieces in the order of `start`. The first starts at 0; together they cover the text.
    pieces: Vec<Piece>,
}

/// A contiguous part of the text with one origin.
#[derive(Debug, Clone, Copy)]
struct Piece {
    start: usize,
    origin: Origin,
    /// The byte of the origin at which the piece starts.
    offset: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Origin {
    File,
    Set(usize),
}

/// New text from an override, with the position in the override that it comes from.
pub(crate) struct Insert {
    pub(crate) text: String,
    pub(crate) offset: usize,
}

impl EffectiveText {
    pub(crate) fn new(file: &str, text: &str) -> Self {
        Self {
            file: file.to_owned(),
            original: text.to_owned(),
            sets: Vec::new(),
            text: text.to_owned(),
            pieces: vec![Piece { start: 0, origin: Origin::File, offset: 0 }],
        }
    }

    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    pub(crate) fn file(&self) -> &str {
        &self.file
    }

    /// Registers an override, so that positions can refer to it. Returns the index of the override.
    pub(crate) fn add_set(&mut self, argument: String) -> usize {
        self.sets.push(argument);
        self.sets.len() - 1
    }

    /// Replaces a span of the text by new text from override number `set`.
    pub(crate) fn replace(&mut self, span: &ByteSpan, set: usize, inserts: &[Insert]) {
        let (tail_origin, tail_offset) = self.origin(span.end);
        let mut pieces: Vec<Piece> =
            self.pieces.iter().copied().filter(|piece| piece.start < span.start).collect();
        let mut new = String::new();
        for insert in inserts.iter().filter(|insert| !insert.text.is_empty()) {
            let start = span.start + new.len();
            pieces.push(Piece { start, origin: Origin::Set(set), offset: insert.offset });
            new.push_str(&insert.text);
        }
        let end = span.start + new.len();
        pieces.push(Piece { start: end, origin: tail_origin, offset: tail_offset });
        for piece in self.pieces.iter().filter(|piece| piece.start > span.end) {
            pieces.push(Piece { start: piece.start - span.end + end, ..*piece });
        }
        self.text.replace_range(span.clone(), &new);
        self.pieces = pieces;
    }

    fn origin(&self, at: usize) -> (Origin, usize) {
        let index = self.pieces.partition_point(|piece| piece.start <= at).saturating_sub(1);
        let piece = self.pieces[index];
        (piece.origin, piece.offset + (at - piece.start))
    }

    /// The position at which a span of the text was written: in the file or in an override.
    pub(crate) fn place(&self, span: &ByteSpan) -> Place {
        let (origin, start) = self.origin(span.start);
        let (text, set) = match origin {
            Origin::File => (&self.original, None),
            Origin::Set(index) => (&self.sets[index], Some(index)),
        };
        Place::new(text, start..start + span.len(), set)
    }

    /// An error at a span of the text.
    pub(crate) fn error(&self, failure: DecodeFailure) -> DocumentError {
        let place = self.place(&failure.span.clone().unwrap_or(0..0));
        self.error_at(place, failure)
    }

    /// An error at bytes of override number `set`.
    pub(crate) fn error_in_set(&self, set: usize, failure: DecodeFailure) -> DocumentError {
        let place = Place::new(&self.sets[set], failure.span.clone().unwrap_or(0..0), Some(set));
        self.error_at(place, failure)
    }

    fn error_at(&self, place: Place, failure: DecodeFailure) -> DocumentError {
        let set = place.set().map(|index| self.sets[index].clone());
        let text = set.as_deref().unwrap_or(&self.original);
        let line = text.split('\n').nth(place.line() as usize - 1).unwrap_or("").trim_end_matches('\r');
        DocumentError::at(&self.file, set.clone(), place, line, failure)
    }
}
