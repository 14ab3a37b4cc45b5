//! Hatchings of classes, in addition to colours.

use std::fmt::Write as _;

/// The side of a hatching tile in pixels.
const TILE: f64 = 6.0;

/// The lines of the hatching of a class within a tile; the first class has none.
fn lines(class: usize) -> &'static [[f64; 4]] {
    match class {
        0 => &[],
        1 => &[[-3.0, 3.0, 3.0, -3.0], [0.0, 6.0, 6.0, 0.0], [3.0, 9.0, 9.0, 3.0]],
        2 => &[[-3.0, 3.0, 3.0, 9.0], [0.0, 0.0, 6.0, 6.0], [3.0, -3.0, 9.0, 3.0]],
        3 => &[[0.0, 3.0, 6.0, 3.0]],
        4 => &[[3.0, 0.0, 3.0, 6.0]],
        5 => &[[3.0, 3.0, 3.0, 3.0]],
        6 => &[[0.0, 3.0, 6.0, 3.0], [3.0, 0.0, 3.0, 6.0]],
        _ => &[[-3.0, 3.0, 3.0, 9.0], [0.0, 0.0, 6.0, 6.0], [3.0, -3.0, 9.0, 3.0]],
    }
}

/// The fill of a class's hatching, drawn over its colour; `None` without hatching.
pub(super) fn fill(class: usize) -> Option<String> {
    (!lines(class).is_empty()).then(|| format!("url(#hatching-{class})"))
}

/// The SVG definitions of the hatchings of these classes, each with its stroke colour.
pub(super) fn definitions<'a>(classes: impl Iterator<Item = (usize, &'a str)>) -> String {
    let mut text = "<defs>\n".to_owned();
    for (class, stroke) in classes.filter(|&(class, _)| !lines(class).is_empty()) {
        let _ = write!(
            text,
            "<pattern id=\"hatching-{class}\" width=\"{TILE}\" height=\"{TILE}\" patternUnits=\"userSpaceOnUse\"><path d=\""
        );
        for [ax, ay, bx, by] in lines(class) {
            let _ = write!(text, "M{ax} {ay}L{bx} {by}");
        }
        let _ = writeln!(
            text,
            "\" stroke=\"{stroke}\" stroke-width=\"1.3\" stroke-linecap=\"round\" opacity=\"0.45\"/></pattern>"
        );
    }
    text + "</defs>\n"
}
