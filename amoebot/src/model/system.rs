//! The amoebots on the lattice, and the operations of the canonical model.

use acrasin_catalogue::counted;
use acrasin_runtime::{Pack as _, PackError};

use crate::model::id::AmoebotId;

use crate::model::body::{AmoebotPort, Body, End};
use crate::model::lattice::Cell;
use crate::model::near::{FirstPorts, at_end, next_to};
use crate::model::object::Object;
use crate::model::occupancy::Occupancy;
use crate::model::operation::{Movement, OperationError};
use crate::model::orientation::Orientation;
use crate::model::shape::{Shape, ShapeError};

mod configuration;
mod moved;

pub use configuration::Configuration;
pub(crate) use configuration::sort_by_body;
pub(crate) use moved::Moved;

/// One amoebot: its position, orientation and memory.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Amoebot<M> {
    /// The nodes that the amoebot occupies.
    pub body: Body,
    /// The local frame: the directions of the amoebot's ports.
    pub orientation: Orientation,
    /// The public memory.
    pub memory: M,
}

/// Amoebots on the triangular lattice, at most one on each node. There may be an [object](Self::with_object): cells
/// that no amoebot can enter.
///
/// The identities name amoebots for drivers and observers; algorithms see ports only. The operations are those
/// of the canonical amoebot model (Daymude, Richa, Scheideler, DISC 2021) with one amoebot acting at a time. An
/// operation either succeeds, or returns an [`OperationError`] and changes nothing. Each costs O(1).
///
/// ```
/// use acrasin_amoebot::{Amoebot, Body, Cell, Direction, End, Orientation, AmoebotPort, System};
/// use acrasin_amoebot::AmoebotId;
///
/// let at = |x| Ok::<_, Box<dyn std::error::Error>>(Amoebot {
///     body: Body::contracted(Cell::new(x, 0)?),
///     orientation: Orientation::COMMON,
///     memory: 'a',
/// });
/// let mut system = System::new(vec![at(0)?, at(1)?])?;
/// let (left, right) = (AmoebotId(0), AmoebotId(1));
/// assert!(system.expand(left, AmoebotPort::head(1)).is_err()); // port 1 is east: occupied
/// system.expand(right, AmoebotPort::head(1))?;
/// system.pull(right, AmoebotPort::tail(4))?; // gives its tail to the left one
/// assert_eq!(system.body(left).head(), Cell::new(1, 0)?);
/// assert!(system.body(right).is_contracted());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct System<M> {
    amoebots: Vec<Amoebot<M>>,
    occupied: Occupancy,
    object: Object,
}

/// Compares amoebots and object only: the occupancy map follows from them.
impl<M: PartialEq> PartialEq for System<M> {
    fn eq(&self, other: &Self) -> bool {
        self.amoebots == other.amoebots && self.object == other.object
    }
}

impl<M: Eq> Eq for System<M> {}

/// Errors of forming a system.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SystemError {
    /// There are no amoebots, or more than [`System::AMOEBOTS_MAX`].
    #[error("{} (accepted: 1 to {})", counted(*.amoebots, "amoebot"), System::<()>::AMOEBOTS_MAX)]
    WrongCount {
        /// The given number of amoebots.
        amoebots: usize,
    },
    /// Two amoebots are on one node.
    #[error("amoebots {first} and {second} are both on cell {cell}: a cell holds one")]
    TwoOnOneCell {
        /// The node that both amoebots occupy.
        cell: Cell,
        /// The amoebot with the lower identity.
        first: AmoebotId,
        /// The amoebot with the higher identity.
        second: AmoebotId,
    },
    /// The object has more cells than [`System::OBJECT_CELLS_MAX`].
    #[error("an object of {cells} cells (accepted: up to {})", System::<()>::OBJECT_CELLS_MAX)]
    ObjectTooLarge {
        /// The given number of cells.
        cells: usize,
    },
    /// A cell of the object is occupied by an amoebot.
    #[error(
        "cell {cell} of the object is occupied by amoebot {amoebot}: a cell holds an amoebot or a part of the object"
    )]
    ObjectOnAmoebot {
        /// The occupied object cell.
        cell: Cell,
        /// The amoebot on that cell.
        amoebot: AmoebotId,
    },
}

/// An amoebot's local name for the neighbour at a port: 1 to 8, in the order of the ports.
pub type NeighbourName = u8;

impl<M> System<M> {
    /// The maximum number of amoebots of a system, which is also the maximum number of cells of a start shape.
    pub const AMOEBOTS_MAX: usize = 1 << 24;

    /// The maximum number of cells of an object, which is also the maximum number of cells of a start shape.
    pub const OBJECT_CELLS_MAX: usize = Self::AMOEBOTS_MAX;

    /// A system of amoebots at their positions; the i-th one has identity i. The amoebots need not be connected.
    ///
    /// # Errors
    ///
    /// There are no amoebots, too many, or two amoebots on one node.
    pub fn new(amoebots: Vec<Amoebot<M>>) -> Result<Self, SystemError> {
        if !(1..=Self::AMOEBOTS_MAX).contains(&amoebots.len()) {
            return Err(SystemError::WrongCount { amoebots: amoebots.len() });
        }
        let occupied = occupancy(amoebots.len(), &|id| amoebots[id.index()].body)?;
        Ok(Self { amoebots, occupied, object: Object::default() })
    }

    /// A copy with other memories. O(n).
    pub(crate) fn with_memories<N>(&self, memory: impl Fn(AmoebotId, &M) -> N) -> System<N> {
        let amoebots = self.ids().zip(&self.amoebots).map(|(id, amoebot)| {
            let Amoebot { body, orientation, memory: ref old } = *amoebot;
            Amoebot { body, orientation, memory: memory(id, old) }
        });
        System { amoebots: amoebots.collect(), occupied: self.occupied.clone(), object: self.object.clone() }
    }

    /// Replaces the object, if any, by these cells. No amoebot can expand into an object cell, and amoebots see object
    /// cells through their ports. An object cell is not a neighbour: it does not connect amoebots. Duplicates count
    /// once. O(k log k) for k cells. Copies of a system share the object.
    ///
    /// # Errors
    ///
    /// There are more than [`OBJECT_CELLS_MAX`](Self::OBJECT_CELLS_MAX) cells, or one of them is occupied.
    pub fn with_object(self, cells: impl IntoIterator<Item = Cell>) -> Result<Self, SystemError> {
        let object = object(cells.into_iter().take(Self::OBJECT_CELLS_MAX + 1).collect(), &self.occupied)?;
        Ok(Self { object, ..self })
    }

    /// The cells of the object, sorted; empty without an object.
    #[must_use]
    pub fn object(&self) -> &[Cell] {
        self.object.cells()
    }

    /// Whether a cell belongs to the object. O(log k) for k cells of the object.
    #[inline]
    #[must_use]
    pub fn is_object(&self, cell: Cell) -> bool {
        self.object.contains(cell)
    }

    /// The number of amoebots, 1 or more.
    #[allow(clippy::len_without_is_empty)]
    #[must_use]
    pub fn len(&self) -> usize {
        self.amoebots.len()
    }

    /// All identities, in increasing order.
    pub fn ids(&self) -> impl ExactSizeIterator<Item = AmoebotId> + use<M> {
        (0..self.amoebots.len() as u32).map(AmoebotId)
    }

    /// The amoebot with this identity.
    ///
    /// # Panics
    ///
    /// Panics if there is no such amoebot, like every method here that takes an identity.
    #[inline]
    #[must_use]
    pub fn amoebot(&self, id: AmoebotId) -> &Amoebot<M> {
        &self.amoebots[id.index()]
    }

    /// The nodes that an amoebot occupies.
    #[inline]
    #[must_use]
    pub fn body(&self, id: AmoebotId) -> Body {
        self.amoebots[id.index()].body
    }

    /// The memory of an amoebot.
    #[inline]
    #[must_use]
    pub fn memory(&self, id: AmoebotId) -> &M {
        &self.amoebots[id.index()].memory
    }

    /// Appends bodies and memories. Orientations and the object never change, so they are not saved. Returns `false` if
    /// `memory` returns `false`, because memories of this algorithm cannot be saved.
    pub(crate) fn save(&self, memory: &mut dyn FnMut(&M, &mut Vec<u8>) -> bool, into: &mut Vec<u8>) -> bool {
        self.amoebots.len().pack(into);
        self.amoebots.iter().all(|amoebot| {
            amoebot.body.pack(into);
            memory(&amoebot.memory, into)
        })
    }

    /// Restores the bodies and memories that [`save`](Self::save) wrote for a system with the same number of amoebots.
    pub(crate) fn load(
        &mut self,
        memory: &mut dyn FnMut(&mut &[u8]) -> Result<M, PackError>,
        from: &mut &[u8],
    ) -> Result<(), PackError> {
        if usize::unpack(from)? != self.amoebots.len() {
            return Err(PackError);
        }
        let mut amoebots = Vec::with_capacity(self.amoebots.len());
        for Amoebot { orientation, .. } in &self.amoebots {
            let body = Body::unpack(from)?;
            amoebots.push(Amoebot { body, orientation: *orientation, memory: memory(from)? });
        }
        let occupied = occupancy(amoebots.len(), &|id| amoebots[id.index()].body).map_err(|_| PackError)?;
        if amoebots.iter().flat_map(|amoebot| amoebot.body.cells()).any(|cell| self.object.contains(cell)) {
            return Err(PackError);
        }
        (self.amoebots, self.occupied) = (amoebots, occupied);
        Ok(())
    }

    /// The bytes that the amoebots, the occupancy map and the object take. Heap storage that memories own is not
    /// counted.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.amoebots.capacity() * size_of::<Amoebot<M>>() + self.occupied.bytes() + self.object.bytes()
    }

    /// A system without amoebots yet, with this occupancy map and the same object.
    pub(crate) fn emptied(&self, occupied: Occupancy) -> Self {
        Self { amoebots: Vec::new(), occupied, object: self.object.clone() }
    }

    /// Removes all amoebots. `place` then resets the occupancy map, which still contains their cells.
    pub(crate) fn remove_amoebots(&mut self, place: impl FnOnce(&mut Occupancy)) {
        self.amoebots.clear();
        place(&mut self.occupied);
    }

    /// Adds an amoebot, and records those of its cells in the occupancy map for which the map has room.
    pub(crate) fn push_inside(&mut self, amoebot: Amoebot<M>) -> AmoebotId {
        let id = AmoebotId(self.amoebots.len() as u32);
        for cell in amoebot.body.cells() {
            self.occupied.put_inside(cell, id);
        }
        self.amoebots.push(amoebot);
        id
    }

    /// Replaces these amoebots, including their bodies.
    pub(crate) fn replace(&mut self, amoebots: &[(AmoebotId, Amoebot<M>)])
    where
        M: Clone,
    {
        let moved = |system: &Self, id: AmoebotId, to: Body| system.amoebots[id.index()].body != to;
        for (id, amoebot) in amoebots {
            if moved(self, *id, amoebot.body) {
                for cell in self.body(*id).cells() {
                    self.occupied.remove(cell);
                }
            }
        }
        for (id, amoebot) in amoebots {
            if moved(self, *id, amoebot.body) {
                for cell in amoebot.body.cells() {
                    self.occupied.insert(cell, *id);
                }
            }
            self.amoebots[id.index()] = amoebot.clone();
        }
    }

    pub(crate) fn shared_object(&self) -> &Object {
        &self.object
    }

    pub(crate) fn amoebots(&self) -> &[Amoebot<M>] {
        &self.amoebots
    }

    pub(crate) fn set_memory(&mut self, id: AmoebotId, memory: M) {
        self.amoebots[id.index()].memory = memory;
    }

    /// The amoebot that occupies a node; `None` if no amoebot does.
    #[inline]
    #[must_use]
    pub fn occupant(&self, cell: Cell) -> Option<AmoebotId> {
        self.occupied.get(cell)
    }

    /// All occupied cells, sorted.
    #[must_use]
    pub fn cells(&self) -> Vec<Cell> {
        let mut cells: Vec<Cell> = self.amoebots.iter().flat_map(|amoebot| amoebot.body.cells()).collect();
        cells.sort_unstable();
        cells
    }

    /// The shape of the occupied cells.
    ///
    /// # Errors
    ///
    /// The amoebots are too far apart.
    pub fn shape(&self) -> Result<Shape, ShapeError> {
        Shape::from_cells(self.amoebots.iter().flat_map(|amoebot| amoebot.body.cells()))
    }

    /// Whether the occupied cells are connected. O(n).
    #[must_use]
    pub fn is_connected(&self) -> bool {
        self.unreached_from(&[AmoebotId(0)]).is_none()
    }

    /// Whether the occupied cells together with those of the object are connected. Algorithms whose amoebots may be
    /// connected through the object preserve this. Without an object the result equals
    /// [`is_connected`](Self::is_connected). Amoebots must connect the parts of an object that is not connected. O(n +
    /// k log k) for k cells of the object.
    #[must_use]
    pub fn is_connected_with_object(&self) -> bool {
        is_connected_with(self.len(), &|id| self.body(id), &self.occupied, self.object())
    }

    /// An amoebot that no path of neighbours connects to any of `starts`; `None` if every amoebot is connected to one
    /// of them. O(n).
    #[must_use]
    pub fn unreached_from(&self, starts: &[AmoebotId]) -> Option<AmoebotId> {
        unreached(self.len(), starts, &|id| self.first_ports(id))
    }

    /// The neighbours of an amoebot, each once, in the order of its ports: at most 8.
    pub fn neighbours(&self, id: AmoebotId) -> impl Iterator<Item = AmoebotId> + '_ {
        self.first_ports(id).map(|(_, neighbour)| neighbour)
    }

    /// The neighbours of an amoebot, each with the first port that leads to it.
    #[inline]
    pub(crate) fn first_ports(&self, id: AmoebotId) -> FirstPorts {
        let Amoebot { body, orientation, .. } = &self.amoebots[id.index()];
        FirstPorts::of(&self.occupied, id, *body, *orientation)
    }

    /// Calls `tell` for every neighbour, in the order of the ports. An expanded neighbour may be passed more than once.
    #[inline]
    pub(crate) fn each_near(&self, id: AmoebotId, mut tell: impl FnMut(AmoebotId)) {
        let Amoebot { body, orientation, .. } = self.amoebots[id.index()];
        for end in [End::Head, End::Tail] {
            for number in at_end(&self.occupied, body, orientation, end) {
                if number > 0 && number != id.0 + 1 {
                    tell(AmoebotId(number - 1));
                }
            }
            if body.is_contracted() {
                break;
            }
        }
    }

    /// Calls `tell` for every other amoebot within `distance` of this one, possibly more than once for an expanded
    /// amoebot.
    pub(crate) fn each_within(&self, id: AmoebotId, distance: i32, mut tell: impl FnMut(AmoebotId)) {
        each_within((id, self.body(id)), distance, &self.occupied, &mut tell);
    }

    /// Calls `tell` for every occupant next to a cell, in the order of the labels of amoebot `id`; an expanded occupant
    /// may be passed twice.
    #[inline]
    pub(crate) fn each_next_to(&self, cell: Cell, id: AmoebotId, mut tell: impl FnMut(AmoebotId)) {
        for number in next_to(&self.occupied, cell, self.amoebots[id.index()].orientation) {
            if number > 0 {
                tell(AmoebotId(number - 1));
            }
        }
    }

    /// The occupant of each cell.
    #[inline]
    pub(crate) fn occupancy(&self) -> &Occupancy {
        &self.occupied
    }

    /// The neighbour at a port; `None` if no amoebot is connected there.
    #[inline]
    #[must_use]
    pub fn neighbour(&self, id: AmoebotId, port: AmoebotPort) -> Option<AmoebotId> {
        let amoebot = &self.amoebots[id.index()];
        self.occupant(amoebot.body.leads_to(port, amoebot.orientation)?)
    }

    fn connection(&self, id: AmoebotId, port: AmoebotPort) -> Result<AmoebotId, OperationError> {
        self.neighbour(id, port).ok_or(OperationError::NotConnected { port })
    }

    /// Connected(p): whether a neighbour is connected at the port. Never fails.
    #[must_use]
    pub fn connected(&self, id: AmoebotId, port: AmoebotPort) -> bool {
        self.neighbour(id, port).is_some()
    }

    /// Connected(): for each of the 6 or 10 ports, the amoebot's local name of the neighbour there, if any. Two ports
    /// with the same name lead to the same neighbour. Never fails.
    #[must_use]
    pub fn connections(&self, id: AmoebotId) -> Vec<(AmoebotPort, Option<NeighbourName>)> {
        let amoebot = &self.amoebots[id.index()];
        let mut named = NeighbourNames::default();
        let name = |port| (port, self.neighbour(id, port).map(|neighbour| named.name(neighbour).0));
        amoebot.body.ports(amoebot.orientation).map(name).collect()
    }

    /// Read(p): the memory of the neighbour at the port, or of the amoebot itself if `port` is `None`.
    ///
    /// # Errors
    ///
    /// No amoebot is connected there.
    pub fn read(&self, id: AmoebotId, port: Option<AmoebotPort>) -> Result<&M, OperationError> {
        let whose = port.map_or(Ok(id), |port| self.connection(id, port))?;
        Ok(self.memory(whose))
    }

    /// Write(p, v): sets the memory of the neighbour at the port, or of the amoebot itself if `port` is `None`.
    ///
    /// # Errors
    ///
    /// No amoebot is connected there.
    pub fn write(
        &mut self,
        id: AmoebotId,
        port: Option<AmoebotPort>,
        memory: M,
    ) -> Result<(), OperationError> {
        let whose = port.map_or(Ok(id), |port| self.connection(id, port))?;
        self.amoebots[whose.index()].memory = memory;
        Ok(())
    }

    /// Contract(v): leaves the node of `end`.
    ///
    /// # Errors
    ///
    /// The caller is contracted.
    pub fn contract(&mut self, id: AmoebotId, end: End) -> Result<(), OperationError> {
        self.perform(id, Movement::Contract(end))
    }

    /// Expand(p): occupies the node at the port as well. That node becomes the head.
    ///
    /// # Errors
    ///
    /// The caller is expanded, there is no such node, it is occupied, or it belongs to the object.
    pub fn expand(&mut self, id: AmoebotId, port: AmoebotPort) -> Result<(), OperationError> {
        self.perform(id, Movement::Expand(port))
    }

    /// Pull(p): the amoebot gives up the node from which the port leaves, and the contracted neighbour at the port
    /// expands into it.
    ///
    /// # Errors
    ///
    /// The caller is contracted, no amoebot is connected at the port, or the neighbour is expanded.
    pub fn pull(&mut self, id: AmoebotId, port: AmoebotPort) -> Result<(), OperationError> {
        self.perform(id, Movement::Pull(port))
    }

    /// Push(p): the amoebot expands into the node to which the port leads, and the expanded neighbour there leaves it.
    ///
    /// # Errors
    ///
    /// The caller is expanded, no amoebot is connected at the port, or the neighbour is contracted.
    pub fn push(&mut self, id: AmoebotId, port: AmoebotPort) -> Result<(), OperationError> {
        self.perform(id, Movement::Push(port))
    }

    /// Performs a movement operation.
    ///
    /// # Errors
    ///
    /// As for [`contract`](Self::contract), [`expand`](Self::expand), [`pull`](Self::pull),
    /// [`push`](Self::push).
    pub fn perform(&mut self, id: AmoebotId, movement: Movement) -> Result<(), OperationError> {
        let moved = self.moved(id, movement)?;
        self.put(moved);
        Ok(())
    }

    /// Carries out a movement that [`moved`](Self::moved) computed.
    pub(crate) fn put(&mut self, moved: Moved) {
        for (who, body) in moved.bodies() {
            self.amoebots[who.index()].body = body;
        }
        match moved.cell {
            (cell, Some(who)) => {
                self.occupied.insert(cell, who);
            }
            (cell, None) => {
                self.occupied.remove(cell);
            }
        }
    }

    /// The bodies of the caller, and of the neighbour of a handover, after a movement. Changes nothing.
    pub(crate) fn moved(&self, id: AmoebotId, movement: Movement) -> Result<Moved, OperationError> {
        let Amoebot { body, orientation, .. } = self.amoebots[id.index()];
        moved::moved((id, body, orientation), movement, (&self.occupied, &self.object), &|id| self.body(id))
    }
}

// Not generic over the memories, so these are compiled once.

/// The occupancy map of `count` amoebots. Fails if two amoebots are on one node.
fn occupancy(count: usize, body: &dyn Fn(AmoebotId) -> Body) -> Result<Occupancy, SystemError> {
    let ids = || (0..count as u32).map(AmoebotId);
    let mut occupied = Occupancy::enclosing(ids().flat_map(|id| body(id).cells()));
    for id in ids() {
        for cell in body(id).cells() {
            if let Some(first) = occupied.insert(cell, id) {
                return Err(SystemError::TwoOnOneCell { cell, first, second: id });
            }
        }
    }
    Ok(occupied)
}

/// The object of these cells.
fn object(cells: Vec<Cell>, occupied: &Occupancy) -> Result<Object, SystemError> {
    if cells.len() > System::<()>::OBJECT_CELLS_MAX {
        return Err(SystemError::ObjectTooLarge { cells: cells.len() });
    }
    match cells.iter().find_map(|cell| Some((*cell, occupied.get(*cell)?))) {
        Some((cell, amoebot)) => Err(SystemError::ObjectOnAmoebot { cell, amoebot }),
        None => Ok(Object::of(cells)),
    }
}

/// Whether the cells of the amoebots and of the object are connected together.
fn is_connected_with(
    count: usize,
    body: &dyn Fn(AmoebotId) -> Body,
    occupied: &Occupancy,
    object: &[Cell],
) -> bool {
    let (mut amoebots, mut cells) = (vec![false; count], vec![false; object.len()]);
    amoebots[0] = true;
    let mut border: Vec<Cell> = body(AmoebotId(0)).cells().collect();
    while let Some(cell) = border.pop() {
        for next in cell.neighbours() {
            if let Some(id) = occupied.get(next) {
                if !std::mem::replace(&mut amoebots[id.index()], true) {
                    border.extend(body(id).cells());
                }
            } else if let Ok(at) = object.binary_search(&next)
                && !std::mem::replace(&mut cells[at], true)
            {
                border.push(next);
            }
        }
    }
    amoebots.into_iter().chain(cells).all(|is_reached| is_reached)
}

/// Calls `tell` for every other amoebot within `distance` of this one, possibly more than once for an expanded amoebot.
fn each_within(
    (id, body): (AmoebotId, Body),
    distance: i32,
    occupied: &Occupancy,
    tell: &mut dyn FnMut(AmoebotId),
) {
    for center in body.cells() {
        for dy in -distance..=distance {
            for dx in (-distance).max(-distance - dy)..=distance.min(distance - dy) {
                let cell = Cell::new(center.x() + dx, center.y() + dy);
                let other = cell.ok().and_then(|cell| occupied.get(cell));
                if let Some(other) = other.filter(|other| *other != id) {
                    tell(other);
                }
            }
        }
    }
}

/// The first amoebot that no path of neighbours connects to any of `starts`; `None` if every amoebot is connected to
/// one of them.
fn unreached(
    count: usize,
    starts: &[AmoebotId],
    neighbours: &dyn Fn(AmoebotId) -> FirstPorts,
) -> Option<AmoebotId> {
    let mut reached = vec![false; count];
    let mut border = starts.to_vec();
    for start in starts {
        reached[start.index()] = true;
    }
    while let Some(id) = border.pop() {
        let next = neighbours(id).map(|(_, neighbour)| neighbour);
        border.extend(next.filter(|next| !std::mem::replace(&mut reached[next.index()], true)));
    }
    (0..count as u32).map(AmoebotId).find(|id| !reached[id.index()])
}

/// Local names of neighbours, numbered in the order of first occurrence.
#[derive(Default)]
struct NeighbourNames {
    named: [Option<AmoebotId>; 8],
}

impl NeighbourNames {
    /// The name of a neighbour, and whether it is new.
    fn name(&mut self, neighbour: AmoebotId) -> (NeighbourName, bool) {
        let at = self.named.iter().position(|named| named.is_none_or(|named| named == neighbour));
        let at = at.expect("a body has at most 8 neighbours");
        let new = self.named[at].replace(neighbour).is_none();
        (at as u8 + 1, new)
    }
}
