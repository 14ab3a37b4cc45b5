/** Colours of the classes: Okabe and Ito, in the order of `COLOURS` in amoebot/src/picture.rs. */
export const COLOURS = ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#000000", "#999999"];

/** Shapes of nodes, a second channel beside the colour. */
export const SHAPES = ["disc", "square", "triangle", "diamond", "hexagon", "cross", "star", "pentagon"];

/** Hatching of amoebots and cells, a second channel beside the colour: a pattern over the colour of a class. */
export const HATCHINGS = ["none", "rising", "falling", "level", "upright", "dots", "grid", "falling"];

/** Colours of everything except classes, on a light and on a dark page. */
const LIGHT = {
  background: "#ffffff",
  ink: "#1b1f24",
  faint: "#6a737d",
  edge: "#a9b1ba",
  lattice: "#ececec",
  object: "#c8c8c8",
  land: "#ede4cf",
  gap: "#dcecf7",
  outline: "#ffffff",
  alarm: "#b3261e",
  black: "#000000",
};
const DARK = {
  background: "#14171b",
  ink: "#e8eaed",
  faint: "#98a1ab",
  edge: "#5a636e",
  lattice: "#23282e",
  object: "#5b6067",
  land: "#3a3325",
  gap: "#1d2f3c",
  outline: "#14171b",
  alarm: "#ff8a80",
  black: "#f4f4f4",
};

/** @param {boolean} dark @returns {typeof LIGHT} */
export function inks(dark) {
  return dark ? DARK : LIGHT;
}

/** The colour of a class; black is drawn white on a dark page. @param {typeof LIGHT} ink @param {number} index */
export function classColour(ink, index) {
  const colour = COLOURS[index % COLOURS.length];
  return colour === "#000000" ? ink.black : colour;
}

/** The colour of the lock set of a node, by its number, without black and grey. @param {number} node */
export function holderColour(node) {
  return COLOURS[(node * 5) % 6];
}

/** Black or white, whichever is more readable on a colour. @param {string} colour `#rrggbb` */
export function readableOn(colour) {
  const part = (at) => parseInt(colour.slice(at, at + 2), 16) / 255;
  return 0.299 * part(1) + 0.587 * part(3) + 0.114 * part(5) > 0.55 ? "#000000" : "#ffffff";
}
