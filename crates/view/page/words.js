import { GRANTED, VIOLATED } from "./head.js";

/** A number with thin spaces between thousands. @param {number} number @returns {string} */
export function grouped(number) {
  const text = String(number);
  return /^-?\d{5,}$/.test(text) ? text.replace(/\B(?=(\d{3})+$)/g, "\u2009") : text;
}

/** The word for nodes in each kind of film. */
const NODES = { population: "node", amoebots: "amoebot", cells: "particle" };

/** The word for a node of a film. @param {object} head @returns {string} */
export function nodeWord(head) {
  return NODES[head.kind];
}

/** A node by number, and by name if it has one. */
export function nameOfNode(head, node) {
  const name = `${nodeWord(head)} ${node}`;
  return head.labels === null ? name : `${name} (${head.labels[node]})`;
}

/** Directions of the triangular lattice, the first to the east, counted counter-clockwise. */
const DIRECTION_NAMES = ["east", "north-east", "north-west", "west", "south-west", "south-east"];

/** A value of a column for a node, as text. @param {object} head @param {object} column @param {string | number | null} value */
export function valueInWords(head, column, value) {
  if (column.kind === "node") return value === null ? "none" : `${nodeWord(head)} ${value}`;
  if (column.kind !== "number") return value;
  const isDirection = head.picture.lattice !== null && (column.key === "parent" || column.key === "direction");
  if (isDirection && value >= 0 && value <= 6) return value === 0 ? "none" : DIRECTION_NAMES[value - 1];
  return grouped(value);
}

/**
 * A value that a program wrote for itself, for readers: `Some(@1)` is `@1`, `None` is `none`, `Identifier(3)` is `3`, an empty list or set is `none`.
 *
 * @param {string} text @returns {string}
 */
export function plainValue(text) {
  let plain = text;
  for (let before = ""; before !== plain; ) {
    before = plain;
    plain = plain.replace(/\b(?:Some|Identifier|Vector)\(([^()]*)\)/g, "$1");
  }
  return plain.replace(/\bNone\b|\[\]|\{\}/g, "none").replace(/\btrue\b/g, "yes").replace(/\bfalse\b/g, "no");
}

/**
 * The fields of a memory that a program wrote as one value: `Memory { state: Idle, parent: None }`; null if the text is not of this form.
 *
 * @param {string} text @returns {[string, string][] | null}
 */
export function fieldsOf(text) {
  const inside = /^\w+ \{ ([^]*) \}$/.exec(text);
  if (inside === null) return null;
  const fields = [];
  let depth = 0;
  let start = 0;
  const body = `${inside[1]}, `;
  for (let at = 0; at < body.length; at += 1) {
    if ("([{".includes(body[at])) depth += 1;
    if (")]}".includes(body[at])) depth -= 1;
    if (depth > 0 || !body.startsWith(", ", at)) continue;
    const field = /^(\w+): ([^]*)$/.exec(body.slice(start, at));
    if (field === null) return null;
    fields.push([field[1], plainValue(field[2])]);
    start = at + 2;
  }
  return fields;
}

/** The displayed moment: `step 120 of 1000`. @param {import("./film.js").Film} film */
export function momentInWords(film) {
  return `${film.head.time} ${grouped(film.stepOf(film.frame))} of ${grouped(film.head.steps)}`;
}

/** The events of the displayed frame in one line; empty if there are none. @param {import("./film.js").Film} film */
export function eventInWords(film) {
  const { actor, label, text, flags } = film.action;
  const parts = [];
  // Texts of populations name the node themselves.
  if (text) parts.push(film.head.kind === "amoebots" && actor >= 0 ? `${nameOfNode(film.head, actor)}: ${text}` : text);
  else if (label) parts.push(actor < 0 ? label : `${label} of ${nameOfNode(film.head, actor)}`);
  else if (actor >= 0) parts.push(`${nameOfNode(film.head, actor)} acts`);
  if (flags & VIOLATED && !/violat/i.test(text)) parts.push(violationInWords(film));
  if (flags & GRANTED && !/grant/i.test(text)) parts.push("a lock is granted");
  return parts.join("; ");
}

/** The text for a frame that is marked as violated but has no text: at the end the outcome of the run, for example a deadlock. */
function violationInWords(film) {
  const outcome = film.head.facts.find(([name]) => name === "outcome");
  return film.frame === film.head.frames - 1 && outcome !== undefined ? outcome[1] : "invariant violated";
}

/** The classes of the nodes with their numbers, the frequent ones first. @param {import("./picture.js").Picture} picture */
export function classesInWords(picture) {
  const { film, colourBy } = picture;
  if (colourBy === null) return "";
  if (film.head.columns[colourBy].kind !== "class") return "";
  const counts = new Map();
  for (const index of film.configuration.values[colourBy]) counts.set(index, (counts.get(index) ?? 0) + 1);
  const names = film.head.columns[colourBy].values;
  const frequent = [...counts].sort((left, right) => right[1] - left[1]).slice(0, 6);
  return frequent.map(([index, count]) => `${names[index]} ${count}`).join(", ");
}
