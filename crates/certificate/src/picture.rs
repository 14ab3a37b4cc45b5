//! The tree of stages as SVG: one box per node, with the transitions that its steps show to be dead, and the end of the
//! node.

use std::fmt::Write as _;

use crate::limits::DRAWN_NODES_MAX;

/// The kind of a box, which determines its colour.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum StageColour {
    /// The title above the root of a tree.
    Title,
    /// A node that ends in a split.
    Split,
    /// A leaf with a proof that no configuration is wrong.
    Right,
    /// A node whose steps lead to a contradiction.
    Impossible,
}

/// A box of the picture. Boxes are listed depth first.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct StageBox {
    /// The level of the node, from 1; 0 for the title of a tree.
    level: usize,
    /// The case of the parent's split that leads to this box.
    branch: Option<String>,
    pub(crate) lines: Vec<String>,
    pub(crate) colour: StageColour,
}

impl StageBox {
    pub(crate) fn title(title: String) -> Self {
        Self { level: 0, branch: None, lines: vec![title], colour: StageColour::Title }
    }

    pub(crate) fn new(level: usize, branch: Option<String>) -> Self {
        Self { level, branch, lines: Vec::new(), colour: StageColour::Split }
    }
}

/// Sizes in pixels: of a character, of a line, around the text of a box, and between boxes.
const CHARACTER: f64 = 7.2;
const LINE: f64 = 16.0;
const MARGIN: f64 = 8.0;
const GAP: [f64; 2] = [18.0, 40.0];

/// The largest number of characters of a line.
const CHARACTERS: usize = 44;

fn shortened(line: &str) -> String {
    match line.char_indices().nth(CHARACTERS) {
        None => line.to_owned(),
        Some((end, _)) => format!("{}…", &line[..end]),
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// The tree as SVG; `None` if it has too many nodes. Children are below their parent, trees next to each other.
pub(crate) fn drawing(boxes: &[StageBox]) -> Option<String> {
    if boxes.len() > DRAWN_NODES_MAX {
        return None;
    }
    let lines: Vec<Vec<String>> =
        boxes.iter().map(|stage| stage.lines.iter().map(|line| shortened(line)).collect()).collect();
    let widest = |lines: &Vec<String>| lines.iter().map(|line| line.chars().count()).max().unwrap_or(0);
    let widths: Vec<f64> =
        lines.iter().map(|lines| widest(lines).max(10) as f64 * CHARACTER + 2.0 * MARGIN).collect();
    let heights: Vec<f64> =
        lines.iter().map(|lines| lines.len().max(1) as f64 * LINE + 2.0 * MARGIN).collect();
    // The parent of each box, and its children in order.
    let mut parent = vec![None; boxes.len()];
    let mut path: Vec<usize> = Vec::new();
    for (index, stage) in boxes.iter().enumerate() {
        path.truncate(stage.level);
        parent[index] = path.last().copied();
        path.push(index);
    }
    // The width that each subtree needs: children come after their parents, so from the last to the first.
    let mut needed: Vec<f64> = widths.clone();
    let mut below = vec![0.0; boxes.len()];
    for index in (0..boxes.len()).rev() {
        needed[index] = needed[index].max(below[index]);
        if let Some(parent) = parent[index] {
            below[parent] += needed[index] + if below[parent] > 0.0 { GAP[0] } else { 0.0 };
        }
    }
    let mut next_left = vec![0.0; boxes.len()];
    let (mut left, mut top) = (vec![0.0; boxes.len()], vec![0.0; boxes.len()]);
    let [mut width, mut height, mut next_tree] = [0.0_f64, 0.0_f64, GAP[0]];
    for index in 0..boxes.len() {
        left[index] = match parent[index] {
            Some(parent) => {
                let at = next_left[parent];
                next_left[parent] = at + needed[index] + GAP[0];
                at
            }
            None => {
                let at = next_tree;
                next_tree += needed[index] + 2.0 * GAP[0];
                at
            }
        };
        // Narrow rows of children stand in the middle below their parent.
        next_left[index] = left[index] + (needed[index] - below[index]).max(0.0) / 2.0;
        top[index] = parent[index].map_or(GAP[0], |parent| top[parent] + heights[parent] + GAP[1]);
        width = width.max(left[index] + needed[index] + GAP[0]);
        height = height.max(top[index] + heights[index] + GAP[0]);
    }
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" \
         viewBox=\"0 0 {width:.0} {height:.0}\" font-family=\"monospace\" font-size=\"11\">\n\
         <title>The stages of a proof for every population size</title>\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n"
    );
    let middle = |index: usize| left[index] + needed[index] / 2.0;
    for (index, parent) in parent.iter().enumerate() {
        let Some(parent) = *parent else { continue };
        let [from, to] = [(middle(parent), top[parent] + heights[parent]), (middle(index), top[index])];
        let _ = writeln!(
            svg,
            "<line x1=\"{:.1}\" y1=\"{:.1}\" x2=\"{:.1}\" y2=\"{:.1}\" stroke=\"#555555\"/>",
            from.0, from.1, to.0, to.1
        );
    }
    for (index, stage) in boxes.iter().enumerate() {
        let fill = match stage.colour {
            StageColour::Title => "#ffffff",
            StageColour::Split => "#eef3fb",
            StageColour::Right => "#e3f4e4",
            StageColour::Impossible => "#eeeeee",
        };
        let stroke = if stage.colour == StageColour::Title { "none" } else { "#333333" };
        let x = middle(index) - widths[index] / 2.0;
        let _ = writeln!(
            svg,
            "<rect x=\"{x:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\" rx=\"4\" fill=\"{fill}\" stroke=\"{stroke}\"/>",
            top[index], widths[index], heights[index]
        );
        if let Some(branch) = &stage.branch {
            // The edge ends behind the label.
            let label = branch.chars().count() as f64 * CHARACTER;
            let _ = writeln!(
                svg,
                "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{label:.1}\" height=\"15\" fill=\"#ffffff\"/>\n\
                 <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\" font-weight=\"bold\">{}</text>",
                middle(index) - label / 2.0,
                top[index] - 18.0,
                middle(index),
                top[index] - 6.0,
                escaped(branch)
            );
        }
        for (number, line) in lines[index].iter().enumerate() {
            let _ = writeln!(
                svg,
                "<text x=\"{:.1}\" y=\"{:.1}\" xml:space=\"preserve\">{}</text>",
                x + MARGIN,
                top[index] + MARGIN + LINE * number as f64 + 11.0,
                escaped(line)
            );
        }
    }
    svg += "</svg>\n";
    Some(svg)
}
