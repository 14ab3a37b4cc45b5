//! Configurations drawn in a text file.
//!
//! The triangular lattice is drawn row by row, the northernmost first. The cells of a row are two characters apart, and
//! each row is offset by half a cell (one character) from the rows above and below it. So east is two characters to the
//! right, and north-east is one character to the right in the row above.
//!
//! ```text
//! ; Two colours and a seed on an object; one amoebot is expanded.
//! (-1, 2)
//!    a b . b
//!     * @ 1 a
//!  # # # # # # #
//! ```
//!
//! | character | meaning |
//! |---|---|
//! | `.` or a blank | a free cell |
//! | `*` | an amoebot |
//! | `@` | an amoebot that is a seed |
//! | `a` to `z` | an amoebot with this mark, as a colour |
//! | `1` to `6` | the tail of an expanded amoebot; its head is the next cell in this direction, 1 is east, then counter-clockwise |
//! | `#` | a cell of the object |
//! | `(x, y)` | on its own line before the first row: the cell of the first character of the first row; (0, 0) if absent |
//! | `;` | the rest of the line is a comment |
//!
//! A blank line between two rows is a row of free cells. Lines with only a comment are not rows, nor are blank
//! lines before the first row or after the last. The mark of an expanded amoebot is at its head. Orientations
//! and memories are not drawn.

use std::fmt::{self, Write as _};

use acrasin_catalogue::counted;
use hashbrown::HashMap;

use crate::FixedHasher;
use crate::model::body::Body;
use crate::model::lattice::{Cell, Direction};
use crate::model::orientation::Orientation;
use crate::model::sort::sort_while;
use crate::model::system::{Amoebot, System};

/// The largest area of a drawing, rows times columns: for example 4,096 by 4,096. A start shape may have more cells.
pub const AREA_MAX: usize = 1 << 24;

/// The mark of a drawn amoebot.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Mark {
    /// No mark: `*`.
    None,
    /// A seed: `@`.
    Seed,
    /// A letter from `a` to `z`.
    Letter(char),
}

impl Mark {
    /// The mark that a character denotes; `None` if the character denotes no mark.
    #[must_use]
    pub const fn from_character(character: char) -> Option<Self> {
        match character {
            '*' => Some(Self::None),
            '@' => Some(Self::Seed),
            'a'..='z' => Some(Self::Letter(character)),
            _ => None,
        }
    }

    /// The character of this mark in a drawing.
    #[must_use]
    pub const fn character(self) -> char {
        match self {
            Self::None => '*',
            Self::Seed => '@',
            Self::Letter(letter) => letter,
        }
    }
}

/// An amoebot of a drawing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DrawnAmoebot {
    /// The nodes that the amoebot occupies.
    pub body: Body,
    /// The mark in the drawing.
    pub mark: Mark,
}

/// A drawn configuration: at least one amoebot, no cell used twice, an area of at most [`AREA_MAX`].
///
/// `Display` writes its text, from which [`drawing`] reads the same value.
///
/// ```
/// use acrasin_amoebot::start::{self, Mark};
/// let text = "
///    a * @   ; two amoebots and a seed
/// . # # # #  ; stand on an object
/// ";
/// let drawing = start::drawing(text)?;
/// assert_eq!(drawing.amoebots().len(), 3);
/// assert_eq!(drawing.object().len(), 4);
/// assert_eq!(drawing.seeds().collect::<Vec<_>>(), [2]);
/// assert_eq!(drawing.amoebots()[0].mark, Mark::Letter('a'));
/// assert_eq!(start::drawing(&drawing.to_string())?, drawing);
/// # Ok::<(), start::DrawingError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Drawing {
    /// The amoebots, sorted by head in reading order.
    amoebots: Vec<DrawnAmoebot>,
    /// The cells of the object, in reading order.
    object: Vec<Cell>,
}

/// The position of a character in a text.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct TextPosition {
    /// The line, counted from 1.
    pub line: usize,
    /// The character of the line, counted from 1.
    pub column: usize,
}

/// Errors of a drawing's text, or of the amoebots to be drawn.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum DrawingError {
    /// A character that has no meaning in drawings.
    UnknownCharacter {
        /// The position of the character.
        place: TextPosition,
        /// The unknown character.
        character: char,
    },
    /// A character between two cells of its row.
    HalfCellOff {
        /// The position of the character.
        place: TextPosition,
        /// The misplaced character.
        character: char,
    },
    /// A line that starts like the position of the first cell, but is malformed or comes too late.
    WrongFirstCell {
        /// The line, counted from 1.
        line: usize,
        /// The beginning of the line.
        text: String,
    },
    /// There is no amoebot.
    Empty,
    /// More area than [`AREA_MAX`].
    TooLarge {
        /// The number of rows of the drawing.
        rows: u64,
        /// The number of characters of the widest row, counted from the westernmost character.
        columns: u64,
    },
    /// A cell beyond the limit of the lattice.
    OutsideLattice {
        /// The position of the cell.
        place: TextPosition,
    },
    /// A tail whose direction leads to no amoebot.
    NoHead {
        /// The position of the tail.
        place: TextPosition,
        /// The direction, 1 to 6.
        direction: u8,
    },
    /// A tail whose head has a tail already.
    TwoTails {
        /// The position of the second tail.
        place: TextPosition,
        /// The cell of the head with both tails.
        head: Cell,
    },
    /// Two amoebots, or an amoebot and the object, on one cell.
    TwoOnOneCell {
        /// The cell that is drawn twice.
        cell: Cell,
    },
    /// A mark other than a letter from `a` to `z`.
    WrongLetter {
        /// The mark that cannot be drawn.
        letter: char,
    },
    /// An expanded amoebot where only contracted ones are accepted.
    Expanded {
        /// The head of the amoebot.
        head: Cell,
    },
}

impl DrawingError {
    /// The line and the column of the fault, counted from 1; `None` where unknown.
    #[must_use]
    pub fn place(&self) -> (Option<usize>, Option<usize>) {
        match self {
            Self::UnknownCharacter { place, .. }
            | Self::HalfCellOff { place, .. }
            | Self::OutsideLattice { place }
            | Self::NoHead { place, .. }
            | Self::TwoTails { place, .. } => (Some(place.line), Some(place.column)),
            Self::WrongFirstCell { line, .. } => (Some(*line), None),
            Self::Empty
            | Self::TooLarge { .. }
            | Self::TwoOnOneCell { .. }
            | Self::WrongLetter { .. }
            | Self::Expanded { .. } => (None, None),
        }
    }

    /// The fault and the accepted values, without the place.
    #[must_use]
    pub fn fault(&self) -> String {
        let most = Cell::COORDINATE_MAX;
        match self {
            Self::UnknownCharacter { character, .. } => format!(
                "{character:?} is not a sign of a drawing (accepted: blank and '.' free, '*' amoebot, '@' seed, \
                 'a' to 'z' marked, '1' to '6' tail, '#' object, ';' comment)"
            ),
            Self::HalfCellOff { character, .. } => format!(
                "{character:?} is between the cells of its row (accepted: every second column, one column off \
                 those of the row above)"
            ),
            Self::WrongFirstCell { text, .. } => format!(
                "{text:?} is not the position of the first cell (accepted: the first cell as (x, y), once, before \
                 the first row, coordinates from -{most} to {most})"
            ),
            Self::Empty => {
                "a drawing without amoebots (accepted: one or more of '*', '@', 'a' to 'z')".to_owned()
            }
            Self::TooLarge { rows, columns } => {
                format!(
                    "a drawing of {} and {} (accepted: {AREA_MAX} characters in total)",
                    counted(*rows, "row"),
                    counted(*columns, "column")
                )
            }
            Self::OutsideLattice { .. } => {
                format!("beyond the lattice (accepted: coordinates from -{most} to {most})")
            }
            Self::NoHead { direction, .. } => format!(
                "the tail '{direction}' has no head in its direction (accepted: '*', '@', 'a' to 'z' there)"
            ),
            Self::TwoTails { head, .. } => {
                format!("the amoebot with head {head} has a tail already (accepted: one)")
            }
            Self::TwoOnOneCell { cell } => {
                format!("cell {cell} is used twice: it holds one amoebot or a part of the object")
            }
            Self::WrongLetter { letter } => format!("the mark {letter:?} (accepted: 'a' to 'z')"),
            Self::Expanded { head } => {
                format!("the amoebot with head {head} is expanded (accepted here: contracted ones)")
            }
        }
    }
}

impl fmt::Display for DrawingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (line, column) = self.place();
        if let Some(line) = line {
            let column = column.map(|column| format!(", column {column}")).unwrap_or_default();
            write!(f, "line {line}{column}: ")?;
        }
        f.write_str(&self.fault())
    }
}

impl std::error::Error for DrawingError {}

/// A sort key that orders cells row by row from the north, each row from the west.
fn reading_order(cell: Cell) -> (i32, i32) {
    (-cell.y(), cell.x())
}

/// The column of a cell, in half cells from the origin.
fn column(cell: Cell) -> i64 {
    2 * i64::from(cell.x()) + i64::from(cell.y())
}

impl Drawing {
    /// A drawing of amoebots and an object, in any order; duplicate object cells count once. O(n log n).
    ///
    /// # Errors
    ///
    /// There is no amoebot, two amoebots are on one cell, an amoebot is on the object, a mark cannot be written, or the
    /// area is too large.
    pub fn new(amoebots: Vec<DrawnAmoebot>, object: Vec<Cell>) -> Result<Self, DrawingError> {
        Self::new_while(amoebots, object, &|| true).map(|drawing| drawing.expect("there is time for it"))
    }

    /// Like [`new`](Self::new), but returns `None` once `has_time`, which is called every few milliseconds, returns
    /// false.
    ///
    /// # Errors
    ///
    /// As for [`new`](Self::new).
    pub fn new_while(
        mut amoebots: Vec<DrawnAmoebot>,
        mut object: Vec<Cell>,
        has_time: &dyn Fn() -> bool,
    ) -> Result<Option<Self>, DrawingError> {
        if sort_while(&mut amoebots, |drawn| reading_order(drawn.body.head()), has_time).is_none() {
            return Ok(None);
        }
        object.sort_unstable_by_key(|cell| reading_order(*cell));
        object.dedup();
        if amoebots.is_empty() {
            return Err(DrawingError::Empty);
        }
        for drawn in &amoebots {
            if let Mark::Letter(letter) = drawn.mark
                && Mark::from_character(letter) != Some(drawn.mark)
            {
                return Err(DrawingError::WrongLetter { letter });
            }
        }
        let drawing = Self { amoebots, object };
        let Some(characters) = drawing.characters_while(has_time) else { return Ok(None) };
        if let Some(twice) = characters.windows(2).find(|pair| pair[0].0 == pair[1].0) {
            return Err(DrawingError::TwoOnOneCell { cell: twice[0].0 });
        }
        let rows = characters.last().map_or(0, |(last, _)| characters[0].0.y().abs_diff(last.y()));
        let columns = characters.iter().map(|(cell, _)| column(*cell));
        let (west, east) =
            columns.fold((i64::MAX, i64::MIN), |(west, east), at| (west.min(at), east.max(at)));
        check_area(u64::from(rows) + 1, east.abs_diff(west) + 1)?;
        Ok(Some(drawing))
    }

    /// The amoebots, by head in reading order: row by row from the north, each row from the west.
    #[must_use]
    pub fn amoebots(&self) -> &[DrawnAmoebot] {
        &self.amoebots
    }

    /// The object, in reading order. It may be empty.
    #[must_use]
    pub fn object(&self) -> &[Cell] {
        &self.object
    }

    /// The positions of the seeds among [`amoebots`](Self::amoebots).
    pub fn seeds(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.amoebots.len()).filter(|&i| self.amoebots[i].mark == Mark::Seed)
    }

    /// The cells of the amoebots, in the order of [`amoebots`](Self::amoebots), for algorithms that start with
    /// contracted amoebots.
    ///
    /// # Errors
    ///
    /// An amoebot is expanded.
    pub fn contracted(&self) -> Result<Vec<Cell>, DrawingError> {
        let cell = |drawn: &DrawnAmoebot| {
            let head = drawn.body.head();
            if drawn.body.is_contracted() { Ok(head) } else { Err(DrawingError::Expanded { head }) }
        };
        self.amoebots.iter().map(cell).collect()
    }

    /// The drawn system, object included. Amoebot i is the i-th of [`amoebots`](Self::amoebots), counted from 0;
    /// `memory` returns the memory for its mark. All amoebots have the common orientation.
    #[must_use]
    pub fn system<M>(&self, mut memory: impl FnMut(Mark) -> M) -> System<M> {
        let amoebot = |&DrawnAmoebot { body, mark }: &DrawnAmoebot| Amoebot {
            body,
            orientation: Orientation::COMMON,
            memory: memory(mark),
        };
        let system = System::new(self.amoebots.iter().map(amoebot).collect());
        let system = system.and_then(|system| system.with_object(self.object.iter().copied()));
        system.expect("every cell is used once")
    }

    /// The drawing of a system, with a mark chosen from each memory. Identities, orientations and the rest of
    /// the memories are lost.
    ///
    /// # Errors
    ///
    /// A mark cannot be written, or the area is too large.
    pub fn from_system<M>(system: &System<M>, mark: impl Fn(&M) -> Mark) -> Result<Self, DrawingError> {
        let drawn =
            system.ids().map(|id| DrawnAmoebot { body: system.body(id), mark: mark(system.memory(id)) });
        Self::new(drawn.collect(), system.object().to_vec())
    }

    /// Every occupied cell with its character, in reading order.
    fn characters(&self) -> Vec<(Cell, char)> {
        self.characters_while(&|| true).expect("there is time for it")
    }

    fn characters_while(&self, has_time: &dyn Fn() -> bool) -> Option<Vec<(Cell, char)>> {
        let object = self.object.iter().map(|cell| (*cell, '#'));
        let heads = self.amoebots.iter().map(|drawn| (drawn.body.head(), drawn.mark.character()));
        let tails = self.amoebots.iter().filter_map(|DrawnAmoebot { body, .. }| {
            let direction = body.tail().direction_to(body.head())?;
            Some((body.tail(), char::from(b'1' + direction.index())))
        });
        let mut characters: Vec<(Cell, char)> = object.chain(heads).chain(tails).collect();
        sort_while(&mut characters, |(cell, _)| reading_order(*cell), has_time)?;
        Some(characters)
    }
}

fn check_area(rows: u64, columns: u64) -> Result<(), DrawingError> {
    match rows.checked_mul(columns) {
        Some(area) if area <= AREA_MAX as u64 => Ok(()),
        _ => Err(DrawingError::TooLarge { rows, columns }),
    }
}

impl fmt::Display for Drawing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let characters = self.characters();
        let first = characters[0].0;
        let west = characters.iter().map(|(cell, _)| column(*cell)).min().unwrap_or(0);
        writeln!(f, "{first}")?;
        let mut y = first.y();
        for row in characters.chunk_by(|a, b| a.0.y() == b.0.y()) {
            while y > row[0].0.y() {
                y -= 1;
                if y > row[0].0.y() {
                    // A row of free cells is drawn as a dot, which must be on a cell.
                    let offset = (i64::from(y) - west).rem_euclid(2);
                    writeln!(f, "{}.", if offset == 0 { "" } else { " " })?;
                }
            }
            let mut at = west;
            for &(cell, character) in row {
                let column = column(cell);
                while at < column {
                    let is_between = row[0].0 != cell && (column - at) % 2 == 0;
                    f.write_char(if is_between { '.' } else { ' ' })?;
                    at += 1;
                }
                f.write_char(character)?;
                at += 1;
            }
            f.write_char('\n')?;
        }
        Ok(())
    }
}

/// A character and its position in the text.
struct DrawnCharacter {
    character: char,
    row: i64,
    place: TextPosition,
}

/// Reads a drawing from its text; the format is that of [the module](self). Takes O(length) and a sort.
///
/// # Errors
///
/// The drawing has an unknown character, a cell off its row, a tail without its own head, cells beyond the lattice, no
/// amoebot, or too large an area. Or the line with the first cell is malformed or too late. The error contains the line
/// and the column.
pub fn drawing(text: &str) -> Result<Drawing, DrawingError> {
    let (first, written) = split(text)?;
    let Some(start) = written.first().map(|written| written.place.column as i64) else {
        return Err(DrawingError::Empty);
    };
    let mut heads: HashMap<Cell, usize, FixedHasher> = HashMap::default();
    let (mut amoebots, mut object, mut tails) = (Vec::new(), Vec::new(), Vec::new());
    for DrawnCharacter { character, row, place } in written {
        let halves = place.column as i64 - start + row;
        if halves % 2 != 0 {
            return Err(DrawingError::HalfCellOff { place, character });
        }
        let coordinates = (i64::from(first.x()) + halves / 2, i64::from(first.y()) - row);
        let cell = (i32::try_from(coordinates.0).ok())
            .zip(i32::try_from(coordinates.1).ok())
            .and_then(|(x, y)| Cell::new(x, y).ok())
            .ok_or(DrawingError::OutsideLattice { place })?;
        match character {
            '.' => {}
            '#' => object.push(cell),
            '1'..='6' => tails.push((cell, place, character as u8 - b'0')),
            _ => {
                let mark = Mark::from_character(character);
                let mark = mark.ok_or(DrawingError::UnknownCharacter { place, character })?;
                heads.insert(cell, amoebots.len());
                amoebots.push(DrawnAmoebot { body: Body::contracted(cell), mark });
            }
        }
    }
    for (tail, place, direction) in tails {
        let head = tail.neighbour(Direction::from_index(direction - 1)).and_then(|cell| heads.get(&cell));
        let drawn = &mut amoebots[*head.ok_or(DrawingError::NoHead { place, direction })?];
        let head = drawn.body.head();
        if !drawn.body.is_contracted() {
            return Err(DrawingError::TwoTails { place, head });
        }
        drawn.body = Body::expanded(head, tail).ok_or(DrawingError::NoHead { place, direction })?;
    }
    Drawing::new(amoebots, object)
}

/// The position of the first cell, and all characters that are not blank, row by row.
fn split(text: &str) -> Result<(Cell, Vec<DrawnCharacter>), DrawingError> {
    let (mut first, mut written) = (None, Vec::new());
    let (mut rows, mut west, mut east) = (0_i64, usize::MAX, 0);
    // Blank lines since the last row: they are rows if another one follows.
    let mut blanks = 0;
    for (number, line) in (1..).zip(text.lines()) {
        if line.trim().is_empty() {
            blanks += i64::from(rows > 0);
            continue;
        }
        let line = line.split(';').next().unwrap_or_default();
        let trimmed = line.trim();
        if trimmed.is_empty() {
            continue;
        }
        if trimmed.starts_with('(') {
            let beginning = || trimmed.chars().take(40).collect();
            let wrong = || DrawingError::WrongFirstCell { line: number, text: beginning() };
            let cell = first_cell(trimmed).filter(|_| first.is_none() && rows == 0);
            first = Some(cell.ok_or_else(wrong)?);
            continue;
        }
        rows += std::mem::take(&mut blanks);
        for (column, character) in
            (1..).zip(line.trim_end().chars()).filter(|(_, character)| *character != ' ')
        {
            let place = TextPosition { line: number, column };
            if !matches!(character, '.' | '#' | '1'..='6') && Mark::from_character(character).is_none() {
                return Err(DrawingError::UnknownCharacter { place, character });
            }
            (west, east) = (west.min(column), east.max(column));
            written.push(DrawnCharacter { character, row: rows, place });
        }
        rows += 1;
    }
    if rows > 0 {
        check_area(rows.unsigned_abs(), (east - west + 1) as u64)?;
    }
    Ok((first.unwrap_or(Cell::ORIGIN), written))
}

/// Parses `(x, y)`, the position of the first cell; `None` if the text is malformed.
fn first_cell(text: &str) -> Option<Cell> {
    let (x, y) = text.strip_prefix('(')?.strip_suffix(')')?.split_once(',')?;
    Cell::new(x.trim().parse().ok()?, y.trim().parse().ok()?).ok()
}
