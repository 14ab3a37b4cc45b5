import { GRANTED, VIOLATED } from "./head.js";

/** A number with thin spaces between thousands. @param {number} number @returns {string} */
export function grouped(number) {
  const text = String(number);
  return /^-?\d{5,}$/.test(text) ? text.replace(/\B(?=(\d{3})+$)/g, "\u2009") : text;
}

/** A node by number, and by name if it has one. */
export function nameOfNode(head, node) {
  return head.labels === null ? `node ${node}` : `node ${node} (${head.labels[node]})`;
}

/** The moment that is shown: `step 120 of 1000`. @param {import("./film.js").Film} film */
export function momentInWords(film) {
  return `${film.head.time} ${grouped(film.stepOf(film.frame))} of ${grouped(film.head.steps)}`;
}

/** What happened in the frame that is shown, in one line; empty if nothing is known. @param {import("./film.js").Film} film */
export function eventInWords(film) {
  const { actor, label, text, flags } = film.action;
  const parts = [];
  if (text) parts.push(text);
  else if (label) parts.push(actor < 0 ? label : `${label} of ${nameOfNode(film.head, actor)}`);
  else if (actor >= 0) parts.push(`${nameOfNode(film.head, actor)} acts`);
  if (flags & VIOLATED && !/violat/i.test(text)) parts.push("invariant violated");
  if (flags & GRANTED && !text) parts.push("a lock is granted");
  return parts.join("; ");
}

/** The classes of the nodes with their numbers, the frequent ones first. @param {import("./picture.js").Picture} picture */
export function classesInWords(picture) {
  const { film, colourBy } = picture;
  if (colourBy === null) return "";
  const counts = new Map();
  for (const index of film.configuration.values[colourBy]) counts.set(index, (counts.get(index) ?? 0) + 1);
  const names = film.head.columns[colourBy].values;
  const frequent = [...counts].sort((left, right) => right[1] - left[1]).slice(0, 6);
  return frequent.map(([index, count]) => `${names[index]} ${count}`).join(", ");
}
