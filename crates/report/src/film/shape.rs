//! The colour and shape of a class of nodes, as on the page. The first 64 classes have distinct pairs.

use crate::colours::COLOURS;

/// The number of shapes.
const SHAPES: usize = 8;

/// The colour of a class, as `#rrggbb`.
pub(super) fn colour(number: usize) -> String {
    let [red, green, blue] = COLOURS[number % COLOURS.len()];
    format!("#{red:02x}{green:02x}{blue:02x}")
}

/// Draws the shape of a class at a position. Shapes that would look smaller than a disc of this radius are enlarged.
pub(super) fn shape(class: usize, [x, y]: [f64; 2], radius: f64, stroke: &str) -> String {
    let fill = colour(class);
    // The corners of a regular polygon: the first at the top, rotated by a fraction `turn` of a full turn.
    let regular = |corners: u32, growth: f64, turn: f64| -> Vec<(f64, f64)> {
        let corner = |corner: u32| {
            let angle = (f64::from(corner) / f64::from(corners) + turn) * std::f64::consts::TAU;
            (growth * angle.sin(), -growth * angle.cos())
        };
        (0..corners).map(corner).collect()
    };
    let corners = match (class + class / SHAPES) % SHAPES {
        0 => return format!("<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius}\" fill=\"{fill}\" {stroke}/>"),
        1 => regular(4, 1.22, 0.125),
        2 => regular(3, 1.3, 0.0),
        3 => regular(4, 1.22, 0.0),
        4 => regular(6, 1.06, 0.0),
        5 => {
            let third = 0.38;
            [(-third, -1.0), (third, -1.0), (third, -third), (1.0, -third), (1.0, third), (third, third)]
                .into_iter()
                .chain([
                    (third, 1.0),
                    (-third, 1.0),
                    (-third, third),
                    (-1.0, third),
                    (-1.0, -third),
                    (-third, -third),
                ])
                .map(|(dx, dy)| (1.1 * dx, 1.1 * dy))
                .collect()
        }
        6 => {
            let tips = regular(5, 1.35, 0.0);
            let notches = regular(5, 0.675, 0.1);
            tips.into_iter().zip(notches).flat_map(|(tip, notch)| [tip, notch]).collect()
        }
        _ => regular(5, 1.1, 0.0),
    };
    let corners: Vec<String> =
        corners.iter().map(|(dx, dy)| format!("{:.1},{:.1}", x + dx * radius, y + dy * radius)).collect();
    format!("<polygon points=\"{}\" fill=\"{fill}\" {stroke}/>", corners.join(" "))
}
