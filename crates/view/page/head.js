import { DamagedFilm } from "./bytes.js";

/** Flags of a frame and of a chunk. */
export const GRANTED = 1;
export const VIOLATED = 2;
export const CHANGED = 4;
export const SAID = 8;

const KINDS = ["population", "amoebots", "cells"];
const COLUMN_KINDS = ["class", "number", "node", "word"];
/** The maximum numbers of nodes, columns and samples of counts that a page can hold. */
const NODES_MAX = 2 ** 22;
const COLUMNS_MAX = 256;
/** The maximum number of values of a configuration: nodes times columns. */
const VALUES_MAX = 2 ** 26;
/** The maximum absolute value of coordinates of cells. */
const CELL_MOST = 2 ** 30;
/** The kinds of the columns that are drawn. */
const DRAWN = {
  lock: "class", holder: "node", trial: "number", parent: "number", parent_at: "number", direction: "number", tokens: "number", px: "number", py: "number",
  head_x: "number", head_y: "number", tail_x: "number", tail_y: "number",
};

/**
 * Reads and checks the head of a film.
 *
 * @param {string} text JSON as specified in FILM.md
 * @returns {object} the head: all fields are present and have their types, chunks are consecutive, and the numbers of frames are consistent
 * @throws {DamagedFilm} if not
 */
export function readHead(text) {
  const refuse = (what) => {
    throw new DamagedFilm("head", what);
  };
  let head;
  try {
    head = JSON.parse(text);
  } catch {
    refuse("it is not JSON");
  }
  const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
  const isCount = (value) => Number.isSafeInteger(value) && value >= 0;
  const isText = (value) => typeof value === "string";
  const isNumber = (value) => typeof value === "number" && Number.isFinite(value);
  const all = (value, test) => Array.isArray(value) && value.every(test);
  const must = (test, what) => test || refuse(what);
  must(isObject(head), "it is not an object");
  must(head.film === 2, `film ${String(head.film)}, expected 2`);
  must(KINDS.includes(head.kind), `kind ${String(head.kind)}, expected ${KINDS.join(", ")}`);
  must(isText(head.title), "no title");
  head.facts ??= [];
  head.notes ??= [];
  head.time ??= "step";
  must(all(head.facts, (fact) => all(fact, isText) && fact.length === 2), "facts, expected pairs of words");
  must(all(head.notes, isText), "notes, expected words");
  must(isText(head.time), "time, expected a word");
  for (const field of ["nodes", "steps", "every", "frames"]) must(isCount(head[field]), `no number of ${field}`);
  must(head.nodes <= NODES_MAX, `${head.nodes} nodes, expected up to ${NODES_MAX}`);
  must(head.every >= 1, "every 0, expected 1 or more");
  const frames = Math.ceil(head.steps / head.every) + 1;
  must(head.frames === frames, `${head.frames} frames, expected ${frames}: ${head.steps} steps, every ${head.every}`);

  must(Array.isArray(head.columns) && head.columns.length <= COLUMNS_MAX, `no columns, or more than ${COLUMNS_MAX}`);
  for (const column of head.columns) {
    must(isObject(column) && isText(column.key) && isText(column.name), "a column without key and name");
    must(COLUMN_KINDS.includes(column.kind), `column ${column.key}: kind ${String(column.kind)}`);
    if (column.kind === "class") column.values ??= [];
    must(column.kind !== "class" || (all(column.values, isText) && column.values.length <= 2 ** 16), `column ${column.key}: a class without values`);
  }
  must(head.nodes * head.columns.length <= VALUES_MAX, `${head.nodes} nodes with ${head.columns.length} columns, expected up to ${VALUES_MAX} values`);
  must(new Set(head.columns.map((column) => column.key)).size === head.columns.length, "two columns of one key");
  head.actions ??= [];
  head.messages ??= [];
  head.guards ??= {};
  must(all(head.actions, isText), "actions, expected words");
  must(all(head.messages, isText), "messages, expected words");
  must(isObject(head.guards) && all(Object.values(head.guards), isText), "guards, expected words by action");
  head.labels ??= null;
  must(head.labels === null || (all(head.labels, isText) && head.labels.length === head.nodes), "labels, expected one for each node");

  const picture = (head.picture ??= {});
  must(isObject(picture), "no picture");
  const isCoordinate = (value) => Number.isSafeInteger(value) && Math.abs(value) < CELL_MOST;
  const cells = (value) => value === undefined || all(value, (cell) => all(cell, isCoordinate) && cell.length === 2);
  picture.lattice ??= null;
  picture.positions ??= null;
  picture.wraps ??= null;
  must(picture.lattice === null || picture.lattice === "triangular", `lattice ${String(picture.lattice)}`);
  must(
    picture.positions === null || (all(picture.positions, isNumber) && picture.positions.length === 2 * head.nodes),
    "positions, expected two numbers for each node",
  );
  must(picture.wraps === null || (all(picture.wraps, isNumber) && picture.wraps.length === 2), "wraps, expected two numbers");
  for (const field of ["objects", "land", "gap"]) {
    must(cells(picture[field]), `${field}, expected cells`);
    picture[field] ??= [];
  }
  picture.object ||= "object";
  must(isText(picture.object), "object, expected a word");
  const keys = new Set(head.columns.map((column) => column.key));
  if (picture.moving) must(keys.has("px") && keys.has("py"), "nodes that move, but no columns px and py");
  if (picture.lattice !== null) must(keys.has("head_x") && keys.has("head_y"), "a lattice, but no columns head_x and head_y");
  must(keys.has("tail_x") === keys.has("tail_y"), "one of the columns tail_x and tail_y, expected both or none");
  for (const column of head.columns) {
    const kind = DRAWN[column.key];
    must(kind === undefined || column.kind === kind, `column ${column.key}: kind ${column.kind}, expected ${kind}`);
    column.most = picture.lattice !== null && /^(head|tail)_[xy]$/.test(column.key) ? CELL_MOST - 1 : Number.MAX_SAFE_INTEGER;
  }

  const counts = (head.counts ??= { names: [], step: [], values: [] });
  must(isObject(counts) && all(counts.names, isText) && all(counts.step, isCount), "counts, expected names and steps");
  must(
    all(counts.values, (row) => all(row, isNumber) && row.length === counts.names.length) && counts.values.length === counts.step.length,
    "counts, expected one row for each step",
  );
  must(counts.step.every((step, at) => at === 0 || step >= counts.step[at - 1]), "counts, expected rising steps");

  must(Array.isArray(head.chunks), "no chunks");
  let first = 0;
  head.chunks.forEach((chunk, at) => {
    must(isObject(chunk) && isCount(chunk.first) && isCount(chunk.frames) && isCount(chunk.flags) && isCount(chunk.check), `chunk ${at}: no numbers`);
    must(chunk.first === first && chunk.frames > 0, `chunk ${at} begins with frame ${chunk.first}, expected ${first}`);
    first += chunk.frames;
  });
  head.end ??= null;
  must(head.end === null || isCount(head.end), "end, expected a checksum");
  must(first === head.frames, `the chunks have ${first} frames, expected ${head.frames}`);
  return head;
}

/** The step of a frame. @param {object} head @param {number} frame @returns {number} */
export function stepOfFrame(head, frame) {
  return Math.min(frame * head.every, head.steps);
}

/** The last frame at or before a step. @param {object} head @param {number} step @returns {number} */
export function frameOfStep(head, step) {
  if (!(step > 0)) return 0;
  return step >= head.steps ? head.frames - 1 : Math.floor(step / head.every);
}
