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

/** Colours of a scale from low to high, readable on a light and on a dark page. */
const SCALE = ["#5a3d9a", "#3f66b0", "#2c8a9e", "#2aa876", "#6dbf4b", "#b5cc3a", "#f0c52e", "#f59322"];

/** The colour of a shade. @param {number} index @param {number} shades how many there are */
export function scaleColour(index, shades) {
  return SCALE[Math.round((index * (SCALE.length - 1)) / Math.max(1, shades - 1))];
}

/** Colours of kinds of messages, apart from those of states. */
const MESSAGES = ["#8c2d87", "#117733", "#b03a2e", "#2c6fbb", "#9a7b16", "#4b4b9e", "#d1568a", "#3f8f8f"];

/** The colour of a kind of messages. @param {number} kind */
export function messageColour(kind) {
  return MESSAGES[kind % MESSAGES.length];
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
