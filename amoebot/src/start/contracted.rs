//! Start configurations: amoebots on cells, with the conditions that algorithms impose on them.

use super::error::StartError;
use crate::model::body::Body;
use crate::model::id::AmoebotId;
use crate::model::lattice::Cell;
use crate::model::orientation::Orientation;
use crate::model::shape::to_normal;
use crate::model::system::{Amoebot, System};

/// A start configuration: contracted amoebots, amoebot i on cell i with orientation i. Without an entry an amoebot has
/// the common orientation. Builder methods add the conditions of an algorithm; [`system`](Self::system) checks them and
/// sets the memories:
///
/// ```
/// use acrasin_amoebot::start::{Contracted, StartError, line, ring, RingSize};
/// use acrasin_amoebot::{AmoebotId, Cell, Direction};
///
/// // One amoebot has a mark.
/// let marked = |cells: &[Cell], seed: usize| {
///     Contracted::new(cells, &[]).with_seed(seed).without_holes().system(|id| id.index() == seed)
/// };
/// let system = marked(&line(Cell::ORIGIN, Direction::East, 5)?, 2)?;
/// assert!(*system.memory(AmoebotId(2)));
/// let refused = marked(&ring(Cell::ORIGIN, RingSize { hole_side: 1, width: 1 })?, 0);
/// assert_eq!(refused.unwrap_err(), StartError::Hole { cell: Cell::ORIGIN });
/// # Ok::<(), StartError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Contracted<'a> {
    cells: &'a [Cell],
    tails: &'a [Option<Cell>],
    orientations: &'a [Orientation],
    object: Option<&'a [Cell]>,
    reach: SearchStart<'a>,
    has_no_hole: bool,
    has_common_chirality: bool,
}

/// The cells at which the search for unconnected cells starts.
#[derive(Clone, Copy, Debug)]
enum SearchStart<'a> {
    Nowhere,
    First,
    One { role: &'static str, position: usize },
    AnyRoot(&'a [AmoebotId]),
}

impl<'a> Contracted<'a> {
    /// Amoebots on these cells, which must be distinct but need not be connected.
    #[must_use]
    pub const fn new(cells: &'a [Cell], orientations: &'a [Orientation]) -> Self {
        let (reach, object) = (SearchStart::Nowhere, None);
        Self {
            cells,
            tails: &[],
            orientations,
            object,
            reach,
            has_no_hole: false,
            has_common_chirality: false,
        }
    }

    /// Gives tails to expanded amoebots: entry i is the tail of amoebot i, whose head is on cell i. Amoebots without an
    /// entry are contracted.
    #[must_use]
    pub const fn with_tails(self, tails: &'a [Option<Cell>]) -> Self {
        Self { tails, ..self }
    }

    /// Requires the amoebots to be connected.
    #[must_use]
    pub const fn connected(self) -> Self {
        Self { reach: SearchStart::First, ..self }
    }

    /// Requires connected amoebots, and a seed at this position, counted from 0.
    #[must_use]
    pub const fn with_seed(self, position: usize) -> Self {
        Self { reach: SearchStart::One { role: "seed", position }, ..self }
    }

    /// Requires connected amoebots, and this root among them.
    #[must_use]
    pub const fn with_root(self, root: AmoebotId) -> Self {
        Self { reach: SearchStart::One { role: "root", position: root.index() }, ..self }
    }

    /// Requires at least one of these roots in each connected component of the amoebots.
    #[must_use]
    pub const fn with_roots(self, roots: &'a [AmoebotId]) -> Self {
        Self { reach: SearchStart::AnyRoot(roots), ..self }
    }

    /// Requires connected amoebots that enclose no empty cell.
    #[must_use]
    pub const fn without_holes(self) -> Self {
        let reach = if let SearchStart::Nowhere = self.reach { SearchStart::First } else { self.reach };
        Self { reach, has_no_hole: true, ..self }
    }

    /// Requires that all amoebots count their ports in the same sense of rotation.
    #[must_use]
    pub const fn with_common_chirality(self) -> Self {
        Self { has_common_chirality: true, ..self }
    }

    /// Requires a connected object with at least one amoebot next to it and no amoebot on it. Duplicate object cells
    /// count once.
    #[must_use]
    pub const fn with_object(self, object: &'a [Cell]) -> Self {
        Self { object: Some(object), ..self }
    }

    /// The orientation of the amoebot at a position.
    #[must_use]
    pub fn orientation(&self, position: usize) -> Orientation {
        self.orientations.get(position).copied().unwrap_or_default()
    }

    /// Checks the conditions and returns the system, in which each amoebot has the memory that `memory` returns. O(n),
    /// or O(n log n) if holes are forbidden, plus k log k for an object of k cells.
    ///
    /// # Errors
    ///
    /// No cells, too many, a duplicate cell, or a violated condition. If there are several holes, the error names the
    /// smallest cell that is in one.
    pub fn system<M>(&self, mut memory: impl FnMut(AmoebotId) -> M) -> Result<System<M>, StartError> {
        let amoebots = (0..).map(AmoebotId).zip(self.cells).map(|(id, &head)| {
            let tail = self.tails.get(id.index()).copied().flatten();
            let body = tail.map_or(Some(Body::contracted(head)), |tail| Body::expanded(head, tail));
            let body = body.ok_or(StartError::Torn { id, head, tail: tail.unwrap_or(head) })?;
            Ok(Amoebot { body, orientation: self.orientation(id.index()), memory: memory(id) })
        });
        let mut system = System::new(amoebots.collect::<Result<_, StartError>>()?)?;
        if let Some(object) = self.object {
            system = system.with_object(object.iter().copied())?;
            if object.is_empty() {
                return Err(StartError::NoObject);
            }
        }
        self.check_reach(&system)?;
        if let Some(cell) = unreached(system.object()) {
            return Err(StartError::DisconnectedObject { cell });
        }
        if let Some(cell) = self.has_no_hole.then(|| enclosed(system.cells())).flatten() {
            return Err(StartError::Hole { cell });
        }
        let first = AmoebotId(0);
        let chirality = |id| system.amoebot(id).orientation.chirality;
        if self.has_common_chirality
            && let Some(other) = system.ids().find(|id| chirality(*id) != chirality(first))
        {
            return Err(StartError::MixedChirality { first, other });
        }
        let is_beside = |cell: &Cell| cell.neighbours().any(|next| system.is_object(next));
        if self.object.is_some() && !system.cells().iter().any(is_beside) {
            return Err(StartError::NoneBeside { object: system.object().len() });
        }
        Ok(system)
    }

    fn check_reach<M>(&self, system: &System<M>) -> Result<(), StartError> {
        let (role, position) = match self.reach {
            SearchStart::Nowhere => return Ok(()),
            SearchStart::AnyRoot(roots) => {
                return check_roots(system, "root", roots.iter().map(|id| id.index()));
            }
            SearchStart::First => ("", 0),
            SearchStart::One { role, position } => (role, position),
        };
        let cells = self.cells.len();
        let from = *self.cells.get(position).ok_or(StartError::NoCell { role, position, cells })?;
        match system.unreached_from(&[AmoebotId(position as u32)]) {
            Some(lost) => Err(StartError::Disconnected { from, cell: self.cells[lost.index()] }),
            None => Ok(()),
        }
    }
}

/// Checks that amoebots with these positions exist, and that every connected component contains one of them. O(n).
pub(crate) fn check_roots<M>(
    system: &System<M>,
    role: &'static str,
    positions: impl Iterator<Item = usize>,
) -> Result<(), StartError> {
    let cells = system.len();
    let is_there = |position| match position < cells {
        true => Ok(AmoebotId(position as u32)),
        false => Err(StartError::NoCell { role, position, cells }),
    };
    let roots = positions.map(is_there).collect::<Result<Vec<_>, _>>()?;
    match system.unreached_from(&roots) {
        Some(lost) => Err(StartError::OutOfReach { role, cell: system.body(lost).head() }),
        None => Ok(()),
    }
}

/// A cell of a sorted list that no path of adjacent cells connects to the first cell; `None` if the cells are
/// connected.
fn unreached(cells: &[Cell]) -> Option<Cell> {
    let mut reached = vec![false; cells.len()];
    let mut border: Vec<usize> = (0..cells.len()).take(1).collect();
    reached[..border.len()].fill(true);
    while let Some(at) = border.pop() {
        let next = cells[at].neighbours().filter_map(|cell| cells.binary_search(&cell).ok());
        border.extend(next.filter(|next| !std::mem::replace(&mut reached[*next], true)));
    }
    reached.iter().position(|reached| !reached).map(|lost| cells[lost])
}

/// The smallest empty cell in a hole of connected cells; `None` without holes.
///
/// On the triangular lattice the empty cells next to a connected set form one connected part outside, and one for each
/// hole. So only these cells are searched. A flood fill of the bounding box could take far longer.
fn enclosed(cells: Vec<Cell>) -> Option<Cell> {
    // Move away from the limits of the lattice, where cells lack some neighbours.
    let (dx, dy) = to_normal(cells.iter().copied())?;
    let near = |cell: Cell| cell.translated(dx, dy).expect("connected cells are not far apart");
    let cells: Vec<Cell> = cells.into_iter().map(near).collect();
    let is_empty = |cell: &Cell| cells.binary_search(cell).is_err();
    let mut border: Vec<Cell> = cells.iter().flat_map(|cell| cell.neighbours()).filter(is_empty).collect();
    border.sort_unstable();
    border.dedup();

    // The smallest one is west of all cells, thus outside.
    let mut outside = vec![false; border.len()];
    outside[0] = true;
    let mut open = vec![0];
    while let Some(at) = open.pop() {
        for next in border[at].neighbours() {
            if let Ok(next) = border.binary_search(&next)
                && !std::mem::replace(&mut outside[next], true)
            {
                open.push(next);
            }
        }
    }
    let inside = border[outside.iter().position(|outside| !outside)?];
    Some(inside.translated(-dx, -dy).expect("between the cells"))
}
