//! Pictures of configurations: SVG for the screen, TikZ for a paper.
//!
//! Amoebots are discs on the triangular lattice, coloured by class (a state, a colour, or the value of a variable). An
//! expanded amoebot is two joined discs, with a black dot at its head (a white dot on a black disc). A filled arrow
//! leads from an amoebot to its parent, an open one in the direction of its next step; small white discs are tokens.
//! The outline of a lock set surrounds its members, and a line leads from the holder to each of them. The holder is
//! inside an action: it may have written, but has not moved yet. Object cells are grey, land is shaded. Title and step
//! are above the picture, and the number of amoebots of each class is below it.

mod hatching;
mod svg;
mod tikz;

use std::borrow::Cow;

use crate::model::body::{AmoebotPort, Body};
use crate::model::lattice::Cell;
use crate::model::orientation::Orientation;

/// The maximum number of amoebots of a picture: with more, discs would be too small to be seen.
pub const AMOEBOTS_MAX: usize = 1 << 17;

/// The maximum number of classes of a picture.
pub const CLASSES_MAX: usize = 8;

/// The colours of the classes as red, green and blue, distinguishable with every kind of colour vision (Okabe
/// and Ito).
pub const COLOURS: [[u8; 3]; CLASSES_MAX] = [
    [0, 114, 178],
    [230, 159, 0],
    [0, 158, 115],
    [204, 121, 167],
    [86, 180, 233],
    [213, 94, 0],
    [0, 0, 0],
    [153, 153, 153],
];

/// The number of colours of circuits.
const CIRCUIT_COLOURS: usize = 6;

/// The colour of the circuit with this number, as an index into [`COLOURS`]. Black and grey are not used. The colour of
/// the first class comes last.
#[must_use]
pub fn circuit_colour(number: usize) -> usize {
    (number + 1) % CIRCUIT_COLOURS
}

/// A configuration ready to be drawn.
///
/// ```
/// use acrasin_amoebot::picture::Picture;
/// use acrasin_amoebot::{Body, Cell};
///
/// let body = Body::expanded(Cell::new(1, 0)?, Cell::ORIGIN).expect("adjacent cells");
/// let picture = Picture::new([(body, 0)], ["root"])?;
/// assert!(picture.to_svg().starts_with("<svg ") && picture.to_svg().contains("root: 1"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Picture {
    title: Option<String>,
    amoebots: Vec<(Body, usize)>,
    arrows: Vec<Arrow>,
    tokens: Vec<(Cell, u8)>,
    objects: Vec<Cell>,
    /// The name of objects in the legend.
    object: &'static str,
    ground: Vec<LandscapeCell>,
    classes: Vec<String>,
    /// Whether classes are also hatched.
    is_hatched: bool,
    lock_sets: Vec<LockSetOutline>,
    lines: Vec<PictureLine>,
}

/// A lock set, as an outline. Positions are in cells, y upwards.
#[derive(Clone, PartialEq, Debug)]
pub struct LockSetOutline {
    /// The number of the holder, which determines the colour.
    pub number: usize,
    /// The corners of the outline, in order.
    pub hull: Vec<[f64; 2]>,
    /// The lines from the holder to each member.
    pub spokes: Vec<[[f64; 2]; 2]>,
    /// Whether the outline also encloses amoebots that are not in the set; such an outline is dashed.
    pub has_stranger: bool,
}

/// A line of a circuit or a movement. Positions are in cells, y upwards.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PictureLine {
    /// The ends.
    pub ends: [[f64; 2]; 2],
    /// The meaning of the line, which determines its colour and width.
    pub look: LineLook,
}

/// The meaning of a line of a picture.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LineLook {
    /// A bond of a movement, under the amoebots.
    Bond,
    /// A part of a circuit.
    Circuit {
        /// The number of the circuit, which determines the colour.
        number: usize,
        /// Whether there is a beep on the circuit.
        is_loud: bool,
    },
    /// A set that beeps, as a line of length 0.
    Beep {
        /// The number of the circuit of the set.
        number: usize,
    },
    /// An amoebot that is part of a conflict, from its tail to its head.
    Offender,
}

impl LineLook {
    /// The drawing of a line from the lowest stroke up: colour, and width in cells.
    fn strokes(self) -> Vec<([u8; 3], f64)> {
        const WHITE: [u8; 3] = [255; 3];
        const ALARM: [u8; 3] = [179, 38, 30];
        let colour = |number: usize| COLOURS[circuit_colour(number)];
        match self {
            Self::Bond => vec![([85; 3], 0.15)],
            Self::Circuit { number, is_loud: false } => vec![(WHITE, 0.08), (colour(number), 0.045)],
            Self::Circuit { number, is_loud: true } => vec![(WHITE, 0.15), (colour(number), 0.1)],
            Self::Beep { number } => vec![(WHITE, 0.34), (colour(number), 0.28), (WHITE, 0.1)],
            Self::Offender => vec![(ALARM, 1.05), (WHITE, 0.92)],
        }
    }

    /// Whether the line is under the amoebots.
    fn is_under(self) -> bool {
        matches!(self, Self::Bond | Self::Offender)
    }

    /// The line in a legend.
    fn name(self) -> &'static str {
        match self {
            Self::Bond => "bond that the last movement kept",
            Self::Circuit { is_loud: false, .. } => "circuit, one colour each",
            Self::Circuit { is_loud: true, .. } => "circuit with a beep",
            Self::Beep { .. } => "set that beeps",
            Self::Offender => "amoebot of the conflict",
        }
    }
}

/// The details of an amoebot besides its state, by ports.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Detail {
    /// The port to the amoebot's parent.
    pub parent: Option<AmoebotPort>,
    /// The port of the amoebot's next step, or at which the structure grows.
    pub direction: Option<AmoebotPort>,
    /// The number of tokens that the amoebot holds.
    pub tokens: u8,
}

/// An arrow from an amoebot to an adjacent cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Arrow {
    from: Cell,
    to: Cell,
    is_parent: bool,
}

/// A cell of a landscape.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct LandscapeCell {
    cell: Cell,
    is_land: bool,
}

/// The margin of lattice and landscape around the amoebots, in cells.
const MARGIN: i64 = 4;

/// The largest accepted extent for any number of cells: width in half cells plus height in cells. The number of lattice
/// lines is proportional to it.
const SPREAD_MAX: u64 = 1 << 12;
/// The accepted extent per cell, which is more than connected cells need.
const SPREAD_A_CELL: u64 = 4;

/// The largest coordinate that is drawn unchanged, since viewers compute in single precision. Pictures with larger
/// coordinates are moved to the origin.
const NEAR: i32 = 1 << 12;

/// Two corners of the bounding box of cells. A corner is twice its distance to the right of the origin, and its row.
/// `None` without cells.
fn corners(cells: impl Iterator<Item = Cell>) -> Option<((i64, i64), (i64, i64))> {
    let at = |cell: Cell| {
        let (x, y) = (i64::from(cell.x()), i64::from(cell.y()));
        let at = (2 * x + y, y);
        (at, at)
    };
    cells.map(at).reduce(|(low, high), (at, _)| {
        ((low.0.min(at.0), low.1.min(at.1)), (high.0.max(at.0), high.1.max(at.1)))
    })
}

/// Checks that cells are close enough to be seen in one picture.
fn check_spread(cells: impl Iterator<Item = Cell>) -> Result<(), PictureError> {
    let mut count = 0;
    let Some((low, high)) = corners(cells.inspect(|_| count += 1)) else { return Ok(()) };
    let extent = (high.0 - low.0).unsigned_abs() + (high.1 - low.1).unsigned_abs();
    let max = SPREAD_MAX + SPREAD_A_CELL * count;
    if extent > max { Err(PictureError::TooSpread { extent, max }) } else { Ok(()) }
}

/// Errors of constructing a picture.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PictureError {
    /// There are no amoebots, or more than [`AMOEBOTS_MAX`].
    #[error("a picture of {amoebots} amoebots (accepted: 1 to {AMOEBOTS_MAX})")]
    WrongCount {
        /// The number given, or one more than the maximum if there are more.
        amoebots: usize,
    },
    /// There are more than [`CLASSES_MAX`] classes.
    #[error("a picture with {classes} classes of amoebots (accepted: up to {CLASSES_MAX})")]
    TooManyClasses {
        /// The number of classes given.
        classes: usize,
    },
    /// The amoebots are so far apart that discs would be too small to be seen.
    #[error(
        "the amoebots are too far apart for a picture: the sum of its width in halves of a cell and its height is {extent} \
         (accepted: up to {max} for this number of amoebots)"
    )]
    TooSpread {
        /// The width in half cells plus the height in cells.
        extent: u64,
        /// The largest accepted extent for this many cells.
        max: u64,
    },
    /// An amoebot has a class that does not exist.
    #[error("an amoebot of class {class} (accepted: below {classes})")]
    NoClass {
        /// The number of the class, from 0.
        class: usize,
        /// The number of classes.
        classes: usize,
    },
}

impl Picture {
    /// A picture of amoebots with their classes, and the names of the classes.
    ///
    /// # Errors
    ///
    /// There are no amoebots, or too many amoebots or classes; the amoebots are too far apart; or a class has no name.
    pub fn new<N: Into<String>>(
        amoebots: impl IntoIterator<Item = (Body, usize)>,
        classes: impl IntoIterator<Item = N>,
    ) -> Result<Self, PictureError> {
        let amoebots = amoebots.into_iter().take(AMOEBOTS_MAX + 1).collect();
        Self::of(amoebots, classes.into_iter().map(Into::into).collect())
    }

    fn of(amoebots: Vec<(Body, usize)>, classes: Vec<String>) -> Result<Self, PictureError> {
        if !(1..=AMOEBOTS_MAX).contains(&amoebots.len()) {
            return Err(PictureError::WrongCount { amoebots: amoebots.len() });
        }
        check_spread(amoebots.iter().flat_map(|(body, _)| body.cells()))?;
        if classes.len() > CLASSES_MAX {
            return Err(PictureError::TooManyClasses { classes: classes.len() });
        }
        if let Some(&(_, class)) = amoebots.iter().find(|(_, class)| *class >= classes.len()) {
            return Err(PictureError::NoClass { class, classes: classes.len() });
        }
        Ok(Self {
            title: None,
            amoebots,
            arrows: Vec::new(),
            tokens: Vec::new(),
            objects: Vec::new(),
            object: "object",
            ground: Vec::new(),
            classes,
            is_hatched: false,
            lock_sets: Vec::new(),
            lines: Vec::new(),
        })
    }

    /// Adds hatchings to the colours of the SVG, for readers who cannot distinguish the colours.
    #[must_use]
    pub fn with_hatching(self) -> Self {
        Self { is_hatched: true, ..self }
    }

    /// Adds lock sets, which are drawn under the amoebots.
    #[must_use]
    pub fn with_lock_sets(self, lock_sets: Vec<LockSetOutline>) -> Self {
        Self { lock_sets, ..self }
    }

    /// Adds the lines of circuits and movements.
    #[must_use]
    pub fn with_lines(self, lines: Vec<PictureLine>) -> Self {
        Self { lines, ..self }
    }

    /// The strokes of all lines under the amoebots, or of all others, the lowest first: ends, colour and width.
    fn strokes(&self, is_under: bool) -> Vec<([[f64; 2]; 2], [u8; 3], f64)> {
        let lines = self.lines.iter().filter(|line| line.look.is_under() == is_under);
        // Outlines of all lines come first, so that they do not cut other lines; marks are above lines.
        let layer = |look: LineLook| 4 * usize::from(matches!(look, LineLook::Beep { .. }));
        let mut strokes: Vec<_> = lines
            .flat_map(|line| {
                let strokes = line.look.strokes().into_iter().enumerate();
                strokes.map(|(at, (colour, width))| (layer(line.look) + at, (line.ends, colour, width)))
            })
            .collect();
        strokes.sort_by_key(|(layer, _)| *layer);
        strokes.into_iter().map(|(_, stroke)| stroke).collect()
    }

    /// Adds cells of objects.
    ///
    /// # Errors
    ///
    /// The cells are too far apart, or too far away from the amoebots.
    pub fn with_objects(mut self, cells: Vec<Cell>) -> Result<Self, PictureError> {
        self.objects = cells;
        check_spread(self.cells())?;
        Ok(self)
    }

    /// Sets the name of objects; the default is `object`.
    #[must_use]
    pub fn with_object_name(mut self, name: &'static str) -> Self {
        self.object = name;
        self
    }

    /// Sets the title above the SVG picture.
    #[must_use]
    pub fn with_title(mut self, title: impl Into<String>) -> Self {
        self.title = Some(title.into());
        self
    }

    /// Adds the details of the amoebots, in the order of their numbers: for each an orientation, and ports in the
    /// labels of this orientation. Nonexistent ports are ignored.
    #[must_use]
    pub fn with_details(self, details: impl IntoIterator<Item = (Orientation, Detail)>) -> Self {
        self.detailed(details.into_iter().collect())
    }

    fn detailed(mut self, details: Vec<(Orientation, Detail)>) -> Self {
        for (&(body, _), (orientation, detail)) in self.amoebots.iter().zip(details) {
            for (port, is_parent) in [(detail.parent, true), (detail.direction, false)] {
                let Some(port) = port else { continue };
                let to = body.leads_to(port, orientation);
                self.arrows.extend(to.map(|to| Arrow { from: body.node(port.end()), to, is_parent }));
            }
            if detail.tokens > 0 {
                self.tokens.push((body.tail(), detail.tokens));
            }
        }
        self
    }

    /// Adds land and gap around the amoebots and objects added so far.
    #[must_use]
    pub fn with_landscape(mut self, is_land: impl Fn(Cell) -> bool) -> Self {
        let Some((low, high)) = self.extent() else { return self };
        self.ground = (low.1..=high.1)
            .flat_map(|row| {
                (low.0..=high.0).filter(move |x| (x - row) % 2 == 0).map(move |x| ((x - row) / 2, row))
            })
            .filter_map(|(x, y)| Cell::new(i32::try_from(x).ok()?, i32::try_from(y).ok()?).ok())
            .map(|cell| LandscapeCell { cell, is_land: is_land(cell) })
            .collect();
        self
    }

    /// Two corners of the drawing, including the margin. A corner is twice its distance to the right of the origin, and
    /// its row. `None` without amoebots and objects.
    fn extent(&self) -> Option<((i64, i64), (i64, i64))> {
        let (low, high) = corners(self.cells())?;
        Some(((low.0 - 2 * MARGIN, low.1 - MARGIN), (high.0 + 2 * MARGIN, high.1 + MARGIN)))
    }

    /// The classes that occur: number, name, and count.
    fn present(&self) -> impl Iterator<Item = (usize, &str, usize)> {
        let count = |class| self.amoebots.iter().filter(|(_, of)| *of == class).count();
        let classes = self.classes.iter().enumerate();
        classes.map(move |(class, name)| (class, name.as_str(), count(class))).filter(|(_, _, n)| *n > 0)
    }

    /// This picture, or a copy moved to the origin if the picture is far away from it.
    fn near(&self) -> Cow<'_, Self> {
        let is_near = |cell: Cell| cell.x().abs() <= NEAR && cell.y().abs() <= NEAR;
        let Some(first) = self.cells().next().filter(|first| !is_near(*first)) else {
            return Cow::Borrowed(self);
        };
        let (dx, dy) = (-first.x(), -first.y());
        // The cells are close to each other, so all can be moved; land beyond the limit of the lattice is not drawn.
        let moved = |cell: Cell| cell.translated(dx, dy).unwrap_or(Cell::ORIGIN);
        let (x, y) = (f64::from(dx) + f64::from(dy) / 2.0, f64::from(dy) * 3.0_f64.sqrt() / 2.0);
        let shifted = |[at_x, at_y]: [f64; 2]| [at_x + x, at_y + y];
        let mut near = self.clone();
        for (body, _) in &mut near.amoebots {
            *body = body.translated(dx, dy).unwrap_or(*body);
        }
        for Arrow { from, to, .. } in &mut near.arrows {
            (*from, *to) = (moved(*from), moved(*to));
        }
        near.tokens.iter_mut().for_each(|(cell, _)| *cell = moved(*cell));
        near.objects.iter_mut().for_each(|cell| *cell = moved(*cell));
        near.ground.iter_mut().for_each(|ground| ground.cell = moved(ground.cell));
        for set in &mut near.lock_sets {
            set.hull.iter_mut().for_each(|at| *at = shifted(*at));
            set.spokes.iter_mut().flatten().for_each(|at| *at = shifted(*at));
        }
        near.lines.iter_mut().flat_map(|line| &mut line.ends).for_each(|at| *at = shifted(*at));
        Cow::Owned(near)
    }

    fn cells(&self) -> impl Iterator<Item = Cell> {
        self.amoebots.iter().flat_map(|(body, _)| body.cells()).chain(self.objects.iter().copied())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cell(x: i32, y: i32) -> Cell {
        Cell::new(x, y).unwrap()
    }

    fn three() -> Picture {
        let bodies = [
            (Body::contracted(cell(0, 0)), 0),
            (Body::expanded(cell(1, 1), cell(1, 0)).unwrap(), 2),
            (Body::contracted(cell(2, 0)), 0),
        ];
        Picture::new(bodies, ["idle", "never", "a<b"]).unwrap().with_objects(vec![cell(0, -1)]).unwrap()
    }

    #[test]
    fn every_amoebot_is_drawn_with_head_and_tail() {
        let svg = three().to_svg();
        let count = |what: &str| svg.matches(what).count();
        // Four amoebot cells, an object, a head, and three lines of the legend.
        assert_eq!((count("<circle"), count("<line"), count("<text")), (9, 1, 3));
        assert!(svg.contains("idle: 2") && svg.contains("a&lt;b: 1") && svg.contains("object: 1"), "{svg}");
        assert!(!svg.contains("never") && svg.ends_with("</svg>\n"), "{svg}");
        // (1, 1) is one and a half cells to the right, and above.
        assert!(svg.contains("<circle cx=\"30.00\" cy=\"-17.32\" r=\"2.5\" fill=\"#000000\"/>"), "{svg}");
    }

    #[test]
    fn the_same_for_a_paper() {
        let tikz = three().to_tikz();
        let count = |what: &str| tikz.matches(what).count();
        assert_eq!((count("circle [radius=0.4]"), count("\\draw"), count("circle [radius=0.12]")), (5, 1, 1));
        assert!(
            tikz.contains("\\draw[class2, line width=0.2cm] (1.0000, 0.0000) -- (1.5000, 0.8660);"),
            "{tikz}"
        );
        assert_eq!((count("\\definecolor"), count("\\end{tikzpicture}")), (2, 1));
    }

    #[test]
    fn details_of_an_amoebot_are_drawn_at_its_ports() {
        let bodies =
            [(Body::contracted(cell(0, 0)), 0), (Body::expanded(cell(2, 0), cell(1, 0)).unwrap(), 0)];
        let details = [
            Detail { parent: Some(AmoebotPort::head(1)), direction: Some(AmoebotPort::head(2)), tokens: 3 },
            // A contracted amoebot would have this port; the expanded one has its own head there.
            Detail { parent: Some(AmoebotPort::tail(1)), ..Detail::default() },
        ];
        let picture = Picture::new(bodies, ["idle"]).unwrap().with_title("a < b");
        let east = Arrow { from: cell(0, 0), to: cell(1, 0), is_parent: true };
        let of = |orientation| {
            let shown = picture.clone().with_details(details.map(|detail| (orientation, detail)));
            assert_eq!(shown.tokens, [(cell(0, 0), 3)]);
            shown
        };
        let common = of(Orientation::COMMON);
        let next = Arrow { from: cell(0, 0), to: cell(0, 1), is_parent: false };
        assert_eq!(common.arrows, [east, next]);
        let (svg, tikz) = (common.to_svg(), common.to_tikz());
        for (what, count) in
            [("a &lt; b", 1), ("follows", 1), ("direction", 1), ("token: 3", 1), ("<path", 5)]
        {
            assert_eq!(svg.matches(what).count(), count, "{what} in {svg}");
        }
        assert_eq!((tikz.matches("-latex").count(), tikz.matches("radius=0.11").count()), (2, 3), "{tikz}");
        // Another orientation, other cells.
        let turned = Orientation::all().find(|other| other.direction(1) != Orientation::COMMON.direction(1));
        assert_ne!(of(turned.unwrap()).arrows, common.arrows);
        // An amoebot without details shows none.
        let plain = picture.with_details([(Orientation::COMMON, Detail::default()); 2]).to_svg();
        assert!(!plain.contains("follows") && !plain.contains("token"), "{plain}");
    }

    #[test]
    fn a_landscape_lies_under_and_round_the_amoebots() {
        let one = Picture::new([(Body::contracted(cell(0, 0)), 0)], ["amoebot"]).unwrap();
        let picture = one
            .with_object_name("anchor")
            .with_objects(vec![cell(1, 0)])
            .unwrap()
            .with_landscape(|at| at.x() < 1);
        let land = picture.ground.iter().filter(|ground| ground.is_land).count();
        assert!(picture.ground.iter().all(|ground| ground.is_land == (ground.cell.x() < 1)));
        let mut cells: Vec<Cell> = picture.ground.iter().map(|ground| ground.cell).collect();
        cells.sort_unstable();
        cells.dedup();
        // Nine rows, and nine to ten cells in each.
        assert_eq!((cells.len(), picture.ground.len()), (86, 86));
        let svg = picture.to_svg();
        assert_eq!(svg.matches("<polygon").count(), 86 + 2);
        assert!(svg.contains("anchor: 1") && svg.contains(">land<") && svg.contains(">gap<"), "{svg}");
        assert_eq!(picture.to_tikz().matches("brown!20").count(), land);
    }

    /// Coordinates are relative to the position of the picture, and so equally precise however far away it is.
    #[test]
    fn a_picture_far_off_is_that_at_the_origin() {
        let max = Cell::COORDINATE_MAX;
        let of = |x: i32, y: i32| {
            let at = |dx: i32, dy: i32| cell(x + dx, y + dy);
            let bodies =
                [(Body::contracted(at(0, 0)), 0), (Body::expanded(at(-2, 0), at(-1, 0)).unwrap(), 0)];
            let details = [
                Detail {
                    parent: Some(AmoebotPort::head(4)),
                    direction: Some(AmoebotPort::head(5)),
                    tokens: 1,
                },
                Detail::default(),
            ];
            let picture = Picture::new(bodies, ["idle"]).unwrap().with_objects(vec![at(-1, -1)]).unwrap();
            let (x, y) = (f64::from(x), f64::from(y));
            let hull = vec![[x + y / 2.0, y * 3.0_f64.sqrt() / 2.0]; 3];
            let set = LockSetOutline { number: 0, hull, spokes: Vec::new(), has_stranger: false };
            let details = details.map(|detail| (Orientation::COMMON, detail));
            let picture = picture.with_details(details).with_lock_sets(vec![set]);
            (picture.to_svg(), picture.to_tikz())
        };
        let near = of(0, 0);
        for (x, y) in [(10_000_000, 0), (-10_000_000, 3), (max, max), (max, 1 - max), (2 - max, 1 - max)] {
            assert!(of(x, y) == near, "({x}, {y}): {}", of(x, y).0);
        }
    }

    /// The number of lattice lines is proportional to width plus height.
    #[test]
    fn amoebots_too_far_apart_are_refused() {
        let pair = |x: i32| {
            let bodies = [cell(0, 0), cell(x, 0)].map(|cell| (Body::contracted(cell), 0));
            Picture::new(bodies, ["a"])
        };
        let max = SPREAD_MAX + 2 * SPREAD_A_CELL;
        assert!(pair(max as i32 / 2).is_ok());
        let error = pair(max as i32 / 2 + 1).unwrap_err();
        assert_eq!(error, PictureError::TooSpread { extent: max + 2, max });
        assert!(error.to_string().contains("too far apart"), "{error}");
        assert!(pair(Cell::COORDINATE_MAX).is_err() && pair(-1_000_000).is_err());
        // Connected cells are always drawn.
        let line = (0..20_000).map(|x| (Body::contracted(cell(x, 0)), 0));
        assert!(Picture::new(line, ["a"]).is_ok());
        let one = Picture::new([(Body::contracted(cell(0, 0)), 0)], ["a"]).unwrap();
        assert!(one.with_objects(vec![cell(0, 1_000_000)]).is_err());
    }

    #[test]
    fn pictures_that_are_none_are_refused() {
        let one = (Body::contracted(Cell::ORIGIN), 1);
        assert_eq!(Picture::new([], ["a"]), Err(PictureError::WrongCount { amoebots: 0 }));
        let many = std::iter::repeat_n(one, AMOEBOTS_MAX + 7);
        assert_eq!(
            Picture::new(many, ["a", "b"]),
            Err(PictureError::WrongCount { amoebots: AMOEBOTS_MAX + 1 })
        );
        assert!(Picture::new(std::iter::repeat_n(one, AMOEBOTS_MAX), ["a", "b"]).is_ok());
        assert_eq!(Picture::new([one], ["a"]), Err(PictureError::NoClass { class: 1, classes: 1 }));
        let names = |n| (0..n).map(|i| i.to_string());
        assert_eq!(Picture::new([one], names(9)), Err(PictureError::TooManyClasses { classes: 9 }));
        assert!(Picture::new([one], names(8)).is_ok());
    }
}
