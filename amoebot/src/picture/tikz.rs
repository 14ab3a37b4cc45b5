//! Writes a picture as TikZ, for LaTeX documents.

use std::fmt::Write as _;

use super::svg::{LOCK_SET_COLOURS, SPACING, centre, hexadecimal, is_dark};
use super::{COLOURS, LockSetOutline, Picture};
use crate::model::lattice::Cell;

impl Picture {
    /// The picture as a `tikzpicture` without title and legend, at half a centimetre per cell. The colours of classes
    /// are defined at the beginning as `class0`, `class1` and so on. The document needs the packages `tikz` and
    /// `xcolor`. O(amoebots + cells of the landscape).
    #[must_use]
    pub fn to_tikz(&self) -> String {
        self.near().tikz()
    }

    fn tikz(&self) -> String {
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
        for ground in self.ground.iter().filter(|ground| ground.is_land) {
            let corners =
                "(90:0.5774) -- (150:0.5774) -- (210:0.5774) -- (270:0.5774) -- (330:0.5774) -- (30:0.5774)";
            let _ = writeln!(tikz, "  \\fill[shift={{{}}}, brown!20] {corners} -- cycle;", at(ground.cell));
        }
        for LockSetOutline { number, hull, spokes, has_stranger } in &self.lock_sets {
            let [red, green, blue] = COLOURS[number % LOCK_SET_COLOURS];
            let colour = format!("{{rgb,255:red,{red};green,{green};blue,{blue}}}");
            let at = |[x, y]: [f64; 2]| format!("({x:.3}, {y:.3})");
            let corners: Vec<String> = hull.iter().map(|&corner| at(corner)).collect();
            let fill = if *has_stranger { "densely dashed" } else { "fill, fill opacity=0.15" };
            let _ = writeln!(tikz, "  \\draw[color={colour}, {fill}] {} -- cycle;", corners.join(" -- "));
            for &[from, to] in spokes {
                let look = "line width=0.475cm, line cap=round, opacity=0.28";
                let _ = writeln!(tikz, "  \\draw[color={colour}, {look}] {} -- {};", at(from), at(to));
            }
        }
        self.tikz_lines(&mut tikz, true);
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
        self.tikz_lines(&mut tikz, false);
        for arrow in &self.arrows {
            let style = if arrow.is_parent { "-latex" } else { "-latex, densely dotted" };
            let _ =
                writeln!(tikz, "  \\draw[{style}, shorten >=0.12cm] {} -- {};", at(arrow.from), at(arrow.to));
        }
        for &(cell, count) in &self.tokens {
            for token in 0..count.min(6) {
                let (turn, out) = (60 * u32::from(token), if count == 1 { 0.0 } else { 0.23 });
                let _ = writeln!(
                    tikz,
                    "  \\filldraw[fill=white] [shift={{{}}}] ({turn}:{out}) circle [radius=0.11];",
                    at(cell)
                );
            }
        }
        tikz + "\\end{tikzpicture}\n"
    }

    fn tikz_lines(&self, tikz: &mut String, is_under: bool) {
        for ([from, to], [red, green, blue], width) in self.strokes(is_under) {
            let at = |[x, y]: [f64; 2]| format!("({x:.3}, {y:.3})");
            let _ = writeln!(
                tikz,
                "  \\draw[color={{rgb,255:red,{red};green,{green};blue,{blue}}}, line width={:.3}cm, line cap=round] \
                 {} -- {};",
                0.5 * width,
                at(from),
                at(to)
            );
        }
    }
}
