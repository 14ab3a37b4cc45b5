//! [`CircuitStructure`]: the amoebots and objects of a run, with the number of pins on each edge.

use std::hash::{BuildHasherDefault, DefaultHasher};

use acrasin_amoebot::{Body, Cell, Direction, End, Orientation};
use hashbrown::HashMap;

use crate::demands::{Demands, FrameDemand};

/// The maximum number of pins on each side of an edge. The two ends of a body have 12 times as many pins, and numbers
/// of sets are stored in a byte.
pub const PINS_MAX: u8 = 19;

/// The owner of a cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Occupant {
    /// The head or the only node of this amoebot.
    Head(u32),
    /// The tail of this expanded amoebot.
    Tail(u32),
    /// A cell of this object.
    Object(u32),
}

impl Occupant {
    /// The number of the amoebot; `None` for an object.
    #[inline(always)]
    pub(crate) fn amoebot(self) -> Option<u32> {
        match self {
            Self::Head(amoebot) | Self::Tail(amoebot) => Some(amoebot),
            Self::Object(_) => None,
        }
    }
}

/// Amoebots, objects and pins. Amoebots and objects are numbered from 0.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CircuitStructure {
    bodies: Vec<Body>,
    orientations: Vec<Orientation>,
    objects: Vec<Vec<Cell>>,
    pins: u8,
}

/// Errors of forming a structure.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StructureError {
    /// No amoebot was given.
    #[error("a structure without amoebots (accepted: 1 or more)")]
    Empty,
    /// There are too many amoebots for 32-bit numbers of pins.
    #[error("{amoebots} amoebots with {pins} pins on each edge: more than 2^32 pins in total")]
    TooLarge {
        /// The number of amoebots.
        amoebots: usize,
        /// The number of pins on each side of an edge.
        pins: u8,
    },
    /// An edge has more pins than set numbers can distinguish.
    #[error("{pins} {} on each edge (accepted: 0 to {PINS_MAX})", noun_of_pins(*.pins))]
    Pins {
        /// The requested number of pins.
        pins: usize,
    },
    /// A cell has two owners.
    #[error("cell {cell}: two amoebots or objects on it (accepted: one)")]
    Occupied {
        /// The cell with two owners.
        cell: Cell,
    },
    /// A part of the structure is not connected with the first amoebot.
    #[error("cell {cell}: not connected to the first amoebot")]
    Disconnected {
        /// A cell of the part that is not connected.
        cell: Cell,
    },
    /// An object has no cells, or its cells are not connected.
    #[error("object {object}: its cells are not connected (accepted: 1 or more connected cells)")]
    Object {
        /// The number of the object.
        object: usize,
    },
    /// There are fewer pins than the algorithm uses.
    #[error("{pins} {} on each edge (accepted by this algorithm: {least} or more)", noun_of_pins(*.pins))]
    FewPins {
        /// The number of pins of the structure.
        pins: u8,
        /// The number of pins that the algorithm uses.
        least: u8,
    },
    /// The frames violate the assumptions of the algorithm.
    #[error(
        "cell {cell}: its frame differs from that of the first amoebot (accepted by this algorithm: {accepted})"
    )]
    Frame {
        /// The cell of an amoebot with another frame.
        cell: Cell,
        /// The accepted frames.
        accepted: &'static str,
    },
    /// An amoebot is expanded, but the algorithm starts with contracted amoebots.
    #[error("cell {cell}: an expanded amoebot (accepted by this algorithm: contracted ones)")]
    Expanded {
        /// The cell of the amoebot's head.
        cell: Cell,
    },
    /// The number of orientations differs from the number of bodies.
    #[error(
        "the number of orientations is {orientations}, but that of bodies is {bodies} (accepted: one orientation per body)"
    )]
    Orientations {
        /// The number of bodies.
        bodies: usize,
        /// The number of orientations.
        orientations: usize,
    },
}

fn noun_of_pins(pins: impl Into<usize>) -> &'static str {
    if pins.into() == 1 { "pin" } else { "pins" }
}

impl CircuitStructure {
    /// A structure of these amoebots and objects with `pins` pins on each side of each edge.
    ///
    /// # Errors
    ///
    /// [`StructureError`]: there are no amoebots or too many pins, a cell has two owners, or an object is not
    /// connected. The structure itself may have several parts; see [`connected`](Self::connected).
    pub fn new(
        bodies: Vec<Body>,
        orientations: Vec<Orientation>,
        objects: Vec<Vec<Cell>>,
        pins: usize,
    ) -> Result<Self, StructureError> {
        if bodies.is_empty() {
            return Err(StructureError::Empty);
        }
        if bodies.len() != orientations.len() {
            let (bodies, orientations) = (bodies.len(), orientations.len());
            return Err(StructureError::Orientations { bodies, orientations });
        }
        let few = u8::try_from(pins).ok().filter(|pins| *pins <= PINS_MAX);
        let pins = few.ok_or(StructureError::Pins { pins })?;
        if bodies.len().saturating_mul(12 * usize::from(pins.max(1))) >= u32::MAX as usize {
            return Err(StructureError::TooLarge { amoebots: bodies.len(), pins });
        }
        for (object, cells) in objects.iter().enumerate() {
            let connected = acrasin_amoebot::Shape::from_cells(cells.iter().copied());
            let connected = connected.is_ok_and(|shape| shape.is_connected());
            if !connected {
                return Err(StructureError::Object { object });
            }
        }
        let structure = Self { bodies, orientations, objects, pins };
        CellMap::new(&structure)?;
        Ok(structure)
    }

    /// A structure of contracted amoebots in the common frame.
    ///
    /// # Errors
    ///
    /// As for [`new`](Self::new).
    pub fn contracted(cells: &[Cell], pins: usize) -> Result<Self, StructureError> {
        let bodies: Vec<Body> = cells.iter().copied().map(Body::contracted).collect();
        let orientations = vec![Orientation::COMMON; bodies.len()];
        Self::new(bodies, orientations, Vec::new(), pins)
    }

    /// Returns this structure, if all amoebots are connected by edges between amoebots.
    ///
    /// # Errors
    ///
    /// [`StructureError::Disconnected`] with a cell of another part.
    pub fn connected(self) -> Result<Self, StructureError> {
        let cells = CellMap::new(&self)?;
        let mut reached = vec![false; self.bodies.len()];
        let mut stack = vec![0_u32];
        reached[0] = true;
        while let Some(at) = stack.pop() {
            for (_, cell) in ends(self.bodies[at as usize]) {
                let around = cells.around(cell);
                for other in Direction::ALL.into_iter().filter_map(|direction| around.owner(direction)) {
                    if let Some(other) = other.amoebot()
                        && !std::mem::replace(&mut reached[other as usize], true)
                    {
                        stack.push(other);
                    }
                }
            }
        }
        match reached.iter().position(|reached| !reached) {
            Some(amoebot) => Err(StructureError::Disconnected { cell: self.bodies[amoebot].head() }),
            None => Ok(self),
        }
    }

    /// Checks the assumptions of an algorithm.
    ///
    /// # Errors
    ///
    /// There are too few pins, an amoebot is expanded, or the frame of an amoebot violates the assumption.
    pub fn fulfils(&self, demands: Demands) -> Result<(), StructureError> {
        if self.pins < demands.pins {
            return Err(StructureError::FewPins { pins: self.pins, least: demands.pins });
        }
        if let Some(body) = self.bodies.iter().find(|body| !body.is_contracted()) {
            return Err(StructureError::Expanded { cell: body.head() });
        }
        let first = self.orientations[0];
        let (differs, accepted): (fn(Orientation, Orientation) -> bool, _) = match demands.frame {
            FrameDemand::Any => return Ok(()),
            FrameDemand::Chirality => (|a, b| a.chirality != b.chirality, "one chirality"),
            FrameDemand::Common => (|a, b| a != b, "one frame"),
        };
        match self.orientations.iter().position(|&other| differs(first, other)) {
            None => Ok(()),
            Some(amoebot) => Err(StructureError::Frame { cell: self.bodies[amoebot].head(), accepted }),
        }
    }

    /// The bodies of all amoebots, by number.
    #[must_use]
    pub fn bodies(&self) -> &[Body] {
        &self.bodies
    }

    /// The frames of all amoebots, by number.
    #[must_use]
    pub fn orientations(&self) -> &[Orientation] {
        &self.orientations
    }

    /// The cells of each object.
    #[must_use]
    pub fn objects(&self) -> &[Vec<Cell>] {
        &self.objects
    }

    /// The number of pins on each side of an edge.
    #[must_use]
    pub fn pins(&self) -> u8 {
        self.pins
    }

    /// The number of amoebots.
    #[must_use]
    pub fn amoebots(&self) -> usize {
        self.bodies.len()
    }

    /// Moves all amoebots and objects to new positions, and returns the previous ones. Their numbers stay the same.
    pub(crate) fn place(
        &mut self,
        bodies: Vec<Body>,
        objects: Vec<Vec<Cell>>,
    ) -> (Vec<Body>, Vec<Vec<Cell>>) {
        (std::mem::replace(&mut self.bodies, bodies), std::mem::replace(&mut self.objects, objects))
    }
}

/// The ends of a body: the head, or head and tail.
pub(crate) fn ends(body: Body) -> impl Iterator<Item = (End, Cell)> {
    let tail = (!body.is_contracted()).then(|| (End::Tail, body.tail()));
    std::iter::once((End::Head, body.head())).chain(tail)
}

type FixedCellHasher = BuildHasherDefault<DefaultHasher>;

/// The owner of each cell.
#[derive(Clone, Debug)]
pub(crate) enum CellMap {
    /// A rectangle with an empty margin of one cell.
    Dense(CellGrid),
    /// Cells that are far apart.
    Sparse(HashMap<Cell, Occupant, FixedCellHasher>),
}

/// A rectangle of cells, row by row.
#[derive(Clone, Debug)]
pub(crate) struct CellGrid {
    left: i32,
    bottom: i32,
    pub(crate) width: usize,
    /// The change of the index by one step in each direction.
    steps: [isize; 6],
    /// The owners as codes; 0 is an empty cell.
    codes: Vec<u32>,
}

/// The largest bounding rectangle that is stored as a dense grid, in cells per occupied cell. A further 4096 cells are
/// always allowed.
const CELLS_PER_AMOEBOT: usize = 32;

const OBJECT: u32 = 3 << 30;
const TAIL: u32 = 1 << 31;

impl CellGrid {
    pub(crate) fn height(&self) -> usize {
        self.codes.len() / self.width
    }

    /// The coordinates of the first cell.
    pub(crate) fn corner(&self) -> (i64, i64) {
        (self.left.into(), self.bottom.into())
    }

    /// The index of a cell that is inside the margin.
    #[inline(always)]
    fn place(&self, cell: Cell) -> usize {
        (cell.y() - self.bottom) as usize * self.width + (cell.x() - self.left) as usize
    }

    #[inline(always)]
    pub(crate) fn owner(&self, at: usize) -> Option<Occupant> {
        match self.codes[at] {
            0 => None,
            code if code >= OBJECT => Some(Occupant::Object((code & !OBJECT) - 1)),
            code if code > TAIL => Some(Occupant::Tail((code & !TAIL) - 1)),
            code => Some(Occupant::Head(code - 1)),
        }
    }

    fn get(&self, cell: Cell) -> Option<Occupant> {
        let (x, y) = (cell.x().checked_sub(self.left)?, cell.y().checked_sub(self.bottom)?);
        let is_inside = x >= 0 && y >= 0 && (x as usize) < self.width && (y as usize) < self.height();
        if is_inside { self.owner(self.place(cell)) } else { None }
    }
}

/// The surroundings of a cell that has an owner.
#[derive(Clone, Copy)]
pub(crate) struct CellSurroundings<'a> {
    cells: &'a CellMap,
    cell: Cell,
    place: usize,
}

impl CellSurroundings<'_> {
    /// The owner of the next cell in a direction.
    #[inline(always)]
    pub(crate) fn owner(&self, direction: Direction) -> Option<Occupant> {
        match self.cells {
            // The margin has all neighbours of cells with owners.
            CellMap::Dense(grid) => {
                grid.owner(self.place.wrapping_add_signed(grid.steps[usize::from(direction.index())]))
            }
            CellMap::Sparse(_) => self.cells.next(self.cell, direction),
        }
    }

    /// The directions with amoebots, as bits.
    #[inline(always)]
    pub(crate) fn amoebots(&self) -> u16 {
        let bit = |direction: Direction, is_amoebot: bool| u16::from(is_amoebot) << direction.index();
        match self.cells {
            CellMap::Dense(grid) => Direction::ALL.into_iter().fold(0, |bits, direction| {
                let at = self.place.wrapping_add_signed(grid.steps[usize::from(direction.index())]);
                bits | bit(direction, (1..OBJECT).contains(&grid.codes[at]))
            }),
            CellMap::Sparse(_) => Direction::ALL.into_iter().fold(0, |bits, direction| {
                bits | bit(direction, self.owner(direction).and_then(Occupant::amoebot).is_some())
            }),
        }
    }
}

impl CellMap {
    /// The owner of each cell of a structure.
    ///
    /// # Errors
    ///
    /// A cell has two owners.
    pub(crate) fn new(structure: &CircuitStructure) -> Result<Self, StructureError> {
        let (mut left, mut right, mut bottom, mut top) = (i32::MAX, i32::MIN, i32::MAX, i32::MIN);
        let mut include = |cell: Cell| {
            (left, right) = (left.min(cell.x()), right.max(cell.x()));
            (bottom, top) = (bottom.min(cell.y()), top.max(cell.y()));
        };
        let mut count = 0_usize;
        for body in &structure.bodies {
            include(body.head());
            include(body.tail());
            count += 1 + usize::from(!body.is_contracted());
        }
        for cells in &structure.objects {
            cells.iter().for_each(|cell| include(*cell));
            count += cells.len();
        }
        let (width, height) = ((right - left) as usize + 3, (top - bottom) as usize + 3);
        let area = width.saturating_mul(height);
        let dense = area <= CELLS_PER_AMOEBOT * count + 4096 && structure.bodies.len() < 1 << 30;
        let mut map = if dense {
            let steps = Direction::ALL.map(|direction| {
                let (x, y) = direction.step();
                y as isize * width as isize + x as isize
            });
            Self::Dense(CellGrid { left: left - 1, bottom: bottom - 1, width, steps, codes: vec![0; area] })
        } else {
            Self::Sparse(HashMap::with_capacity_and_hasher(count, FixedCellHasher::default()))
        };
        for (amoebot, body) in structure.bodies.iter().enumerate() {
            map.occupy(body.head(), Occupant::Head(amoebot as u32))?;
            if !body.is_contracted() {
                map.occupy(body.tail(), Occupant::Tail(amoebot as u32))?;
            }
        }
        for (object, cells) in structure.objects.iter().enumerate() {
            for cell in cells {
                map.occupy(*cell, Occupant::Object(object as u32))?;
            }
        }
        Ok(map)
    }

    #[inline(always)]
    fn occupy(&mut self, cell: Cell, owner: Occupant) -> Result<(), StructureError> {
        let was_empty = match self {
            Self::Dense(grid) => {
                let code = match owner {
                    Occupant::Head(index) => index + 1,
                    Occupant::Tail(index) => (TAIL | index) + 1,
                    Occupant::Object(index) => OBJECT | (index + 1),
                };
                let at = grid.place(cell);
                std::mem::replace(&mut grid.codes[at], code) == 0
            }
            Self::Sparse(cells) => cells.insert(cell, owner).is_none(),
        };
        if was_empty { Ok(()) } else { Err(StructureError::Occupied { cell }) }
    }

    /// The owner of a cell; `None` if it is empty.
    pub(crate) fn get(&self, cell: Cell) -> Option<Occupant> {
        match self {
            Self::Dense(grid) => grid.get(cell),
            Self::Sparse(cells) => cells.get(&cell).copied(),
        }
    }

    /// The owner of the next cell in a direction.
    pub(crate) fn next(&self, cell: Cell, direction: Direction) -> Option<Occupant> {
        self.get(cell.neighbour(direction)?)
    }

    /// The surroundings of a cell that has an owner.
    #[inline(always)]
    pub(crate) fn around(&self, cell: Cell) -> CellSurroundings<'_> {
        let place = match self {
            Self::Dense(grid) => grid.place(cell),
            Self::Sparse(_) => 0,
        };
        CellSurroundings { cells: self, cell, place }
    }
}
