//! A configuration as a picture: SVG for the screen, TikZ for a paper.
//!
//! Amoebots are discs on the triangular lattice, coloured by class (a state, a colour); an expanded one is two discs that
//! are joined, a black dot marks its head (a white one on black). Object cells are grey. Below stands how many amoebots are of which class.

use std::fmt::{self, Write as _};

use crate::model::body::Body;
use crate::model::lattice::Cell;

/// Most amoebots of a picture: with more than that one sees no discs.
pub const AMOEBOTS_MAX: usize = 1 << 17;

/// Most classes of a picture.
pub const CLASSES_MAX: usize = 8;

/// Colours of the classes as red, green and blue. People can tell them apart, however they see colours (Okabe and Ito).
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

/// Whether a black dot would not be seen on it.
fn is_dark(class: usize) -> bool {
    COLOURS[class] == [0; 3]
}

/// As `#0072b2`.
fn hexadecimal([red, green, blue]: [u8; 3]) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}

/// The colour of objects.
const GREY: &str = "#c8c8c8";

/// Between the centres of neighbouring cells, in pixels.
const SPACING: f64 = 20.0;
const RADIUS: f64 = 8.0;
const DOT_RADIUS: f64 = 2.5;
const LEGEND_LINE: f64 = 22.0;
/// Room for a name in the legend.
const LEGEND_WIDTH: f64 = 220.0;

/// A configuration, ready to be drawn.
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
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Picture {
    amoebots: Vec<(Body, usize)>,
    objects: Vec<Cell>,
    classes: Vec<String>,
}

/// Why there is no such picture.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum PictureError {
    /// No amoebot, or more than [`AMOEBOTS_MAX`].
    WrongCount {
        /// How many were given; one more than allowed if there are more.
        amoebots: usize,
    },
    /// More than [`CLASSES_MAX`] classes.
    TooManyClasses {
        /// How many were given.
        classes: usize,
    },
    /// An amoebot of a class that is not there.
    NoClass {
        /// The class.
        class: usize,
        /// How many there are.
        classes: usize,
    },
}

impl fmt::Display for PictureError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::WrongCount { amoebots } => {
                write!(f, "a picture of {amoebots} amoebots (accepted: 1 to {AMOEBOTS_MAX})")
            }
            Self::TooManyClasses { classes } => {
                write!(f, "a picture with {classes} classes of amoebots (accepted: up to {CLASSES_MAX})")
            }
            Self::NoClass { class, classes } => {
                write!(f, "an amoebot of class {class} (accepted: below {classes})")
            }
        }
    }
}

impl std::error::Error for PictureError {}

impl Picture {
    /// Amoebots with their classes, and the names of the classes.
    ///
    /// # Errors
    ///
    /// No amoebots, too many of them or of the classes, or one of a class without a name.
    pub fn new<N: Into<String>>(
        amoebots: impl IntoIterator<Item = (Body, usize)>,
        classes: impl IntoIterator<Item = N>,
    ) -> Result<Self, PictureError> {
        let amoebots: Vec<(Body, usize)> = amoebots.into_iter().take(AMOEBOTS_MAX + 1).collect();
        if !(1..=AMOEBOTS_MAX).contains(&amoebots.len()) {
            return Err(PictureError::WrongCount { amoebots: amoebots.len() });
        }
        let classes: Vec<String> = classes.into_iter().map(Into::into).collect();
        if classes.len() > CLASSES_MAX {
            return Err(PictureError::TooManyClasses { classes: classes.len() });
        }
        if let Some(&(_, class)) = amoebots.iter().find(|(_, class)| *class >= classes.len()) {
            return Err(PictureError::NoClass { class, classes: classes.len() });
        }
        Ok(Self { amoebots, objects: Vec::new(), classes })
    }

    /// With cells that objects occupy.
    #[must_use]
    pub fn with_objects(mut self, cells: Vec<Cell>) -> Self {
        self.objects = cells;
        self
    }

    /// The classes that some amoebot has: number, name, how many.
    fn present(&self) -> impl Iterator<Item = (usize, &str, usize)> {
        let count = |class| self.amoebots.iter().filter(|(_, of)| *of == class).count();
        let classes = self.classes.iter().enumerate();
        classes.map(move |(class, name)| (class, name.as_str(), count(class))).filter(|(_, _, n)| *n > 0)
    }

    fn cells(&self) -> impl Iterator<Item = Cell> {
        self.amoebots.iter().flat_map(|(body, _)| body.cells()).chain(self.objects.iter().copied())
    }

    /// An SVG document: the picture with its legend, in a size of 20 pixels a cell. O(amoebots).
    #[must_use]
    pub fn to_svg(&self) -> String {
        let centres: Vec<(f64, f64)> = self.cells().map(centre).collect();
        let low = |part: fn(&(f64, f64)) -> f64| centres.iter().map(part).fold(f64::INFINITY, f64::min);
        let high = |part: fn(&(f64, f64)) -> f64| centres.iter().map(part).fold(f64::NEG_INFINITY, f64::max);
        let (left, top) = (low(|at| at.0) - SPACING, low(|at| at.1) - SPACING);
        let lines = self.present().count() + usize::from(!self.objects.is_empty());
        let legend_top = high(|at| at.1) + SPACING;
        let width = (high(|at| at.0) + SPACING - left).max(LEGEND_WIDTH);
        let height = legend_top + LEGEND_LINE * lines as f64 + SPACING / 2.0 - top;

        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" \
             viewBox=\"{left:.2} {top:.2} {width:.2} {height:.2}\">\n\
             <rect x=\"{left:.2}\" y=\"{top:.2}\" width=\"{width:.2}\" height=\"{height:.2}\" fill=\"#ffffff\"/>\n"
        );
        for &cell in &self.objects {
            disc(&mut svg, centre(cell), RADIUS, GREY);
        }
        let colours = COLOURS.map(hexadecimal);
        for &(body, class) in &self.amoebots {
            let (head, tail, colour) = (centre(body.head()), centre(body.tail()), &colours[class]);
            disc(&mut svg, head, RADIUS, colour);
            if !body.is_contracted() {
                disc(&mut svg, tail, RADIUS, colour);
                let _ = writeln!(
                    svg,
                    "<line x1=\"{:.2}\" y1=\"{:.2}\" x2=\"{:.2}\" y2=\"{:.2}\" stroke=\"{colour}\" \
                     stroke-width=\"{RADIUS}\"/>",
                    tail.0, tail.1, head.0, head.1
                );
                let dot = if is_dark(class) { "#ffffff" } else { "#000000" };
                disc(&mut svg, head, DOT_RADIUS, dot);
            }
        }
        let objects = (!self.objects.is_empty()).then_some((GREY, "object", self.objects.len()));
        let classes = self.present().map(|(class, name, count)| (colours[class].as_str(), name, count));
        for (line, (colour, name, count)) in classes.chain(objects).enumerate() {
            let at = (left + SPACING, legend_top + LEGEND_LINE * (line as f64 + 0.5));
            disc(&mut svg, at, RADIUS, colour);
            let _ = writeln!(
                svg,
                "<text x=\"{:.2}\" y=\"{:.2}\" font-family=\"sans-serif\" font-size=\"14\">{}: {count}</text>",
                at.0 + SPACING,
                at.1 + 5.0,
                escaped(name)
            );
        }
        svg + "</svg>\n"
    }

    /// A `tikzpicture` without a legend, half a centimetre a cell; classes are the colours `class0`, `class1` and so on,
    /// which stand at its beginning. It needs the packages `tikz` and `xcolor`. O(amoebots).
    #[must_use]
    pub fn to_tikz(&self) -> String {
        let mut tikz = String::new();
        for (class, name, _) in self.present() {
            let plain: String = name.chars().filter(|c| !c.is_control()).collect();
            let colour = hexadecimal(COLOURS[class]).trim_start_matches('#').to_uppercase();
            let _ = writeln!(tikz, "\\definecolor{{class{class}}}{{HTML}}{{{colour}}} % {plain}");
        }
        tikz += "\\begin{tikzpicture}[x=0.5cm, y=0.5cm]\n";
        let at = |cell: Cell| {
            let (x, y) = centre(cell);
            format!("({:.4}, {:.4})", x / SPACING, 0.0 - y / SPACING)
        };
        for &cell in &self.objects {
            let _ = writeln!(tikz, "  \\fill[black!20] {} circle [radius=0.4];", at(cell));
        }
        for &(body, class) in &self.amoebots {
            let (head, tail) = (at(body.head()), at(body.tail()));
            let _ = writeln!(tikz, "  \\fill[class{class}] {head} circle [radius=0.4];");
            if !body.is_contracted() {
                let _ = writeln!(tikz, "  \\fill[class{class}] {tail} circle [radius=0.4];");
                let _ = writeln!(tikz, "  \\draw[class{class}, line width=0.2cm] {tail} -- {head};");
                let dot = if is_dark(class) { "white" } else { "black" };
                let _ = writeln!(tikz, "  \\fill[{dot}] {head} circle [radius=0.12];");
            }
        }
        tikz + "\\end{tikzpicture}\n"
    }
}

/// The centre of a cell in pixels, y downwards.
fn centre(cell: Cell) -> (f64, f64) {
    let (x, y) = (f64::from(cell.x()), f64::from(cell.y()));
    // Without a negative zero, which would be printed as one.
    (SPACING * (x + y / 2.0), 0.0 - SPACING * y * 3.0_f64.sqrt() / 2.0)
}

fn disc(svg: &mut String, (x, y): (f64, f64), radius: f64, colour: &str) {
    let _ = writeln!(svg, "<circle cx=\"{x:.2}\" cy=\"{y:.2}\" r=\"{radius}\" fill=\"{colour}\"/>");
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
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
        Picture::new(bodies, ["idle", "never", "a<b"]).unwrap().with_objects(vec![cell(0, -1)])
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
