import { COLOURS, holderColour, messageColour } from "./palette.js";
import { RINGS, lockColumns } from "./locks.js";
import { bodyHatching } from "./lattice.js";
import { nodeShape } from "./graph.js";

/** Up to this number of classes the legend names all; otherwise only those that occur. */
const CLASSES_ALWAYS = 10;
/** The maximum number of classes in a legend. */
const CLASSES_MOST = 24;
const LINE = 21;
const SIGN = 7;
const LETTER = 7;

/** A line of a legend: batches that draw its symbol at a position, and its text. @typedef {{sign: (x: number, y: number) => object[], text: string}} Entry */

/** The entries of the legend of a view. @param {import("./picture.js").View} view @returns {Entry[]} */
export function legendEntries(view) {
  const { places, configuration, ink, options, classColumn } = view;
  const { picture } = places.head;
  const entries = [];
  if (classColumn !== null) {
    const counts = new Map();
    for (const index of view.classes) counts.set(index, (counts.get(index) ?? 0) + 1);
    const { names } = view.colouring;
    let indices = [...names.keys()];
    if (indices.length > CLASSES_ALWAYS) indices = indices.filter((index) => counts.has(index));
    const rest = indices.length - CLASSES_MOST;
    for (const index of indices.slice(0, CLASSES_MOST)) {
      entries.push({ sign: (x, y) => [nodeSign(view, index, x, y)], text: `${names[index]}: ${counts.get(index) ?? 0}` });
    }
    if (rest > 0) entries.push({ sign: () => [], text: `and ${rest} more` });
  }
  const locks = lockColumns(configuration);
  if (locks !== null && options.locks) {
    for (const [name, ring] of Object.entries(RINGS)) {
      if (!locks.names.includes(name)) continue;
      const stroke = name === "competing" ? ink.ink : holderColour(1);
      const disc = { kind: "marks", shape: "disc", radius: SIGN, stroke, width: ring.width * 0.8, dash: ring.dash, cap: ring.cap };
      entries.push({ sign: (x, y) => [{ ...disc, points: [x, y] }], text: name === "competing" && locks.trial === null ? name : ring.text });
    }
  }
  if (options.sets && locks !== null && locks.holder !== null) {
    const capsule = { kind: "capsules", width: 12, fill: holderColour(1), opacity: 0.28 };
    entries.push({ sign: (x, y) => [{ ...capsule, points: [x - 4, y, x + 4, y] }], text: "lock set" });
  }
  if (options.messages) {
    configuration.head.messages.forEach((name, kind) => {
      const tip = { kind: "tips", size: 10, fill: messageColour(kind) };
      entries.push({ sign: (x, y) => [{ ...tip, points: [x + 5, y, 1, 0] }], text: name });
    });
  }
  if (places.isLattice && options.arrows) {
    const line = (x, y, width) => ({ kind: "lines", stroke: ink.ink, width, points: [x - 8, y, x + 2, y] });
    if (configuration.column("parent")?.some((value) => value > 0)) {
      const tip = { kind: "tips", size: 7, fill: ink.ink };
      entries.push({ sign: (x, y) => [line(x, y, 2.2), { ...tip, points: [x + 8, y, 1, 0] }], text: "follows" });
    }
    if (configuration.column("direction")?.some((value) => value > 0)) {
      const tip = { kind: "tips", size: 7, fill: ink.background, stroke: ink.ink, width: 1.2 };
      entries.push({ sign: (x, y) => [line(x, y, 1.1), { ...tip, points: [x + 8, y, 1, 0] }], text: "direction" });
    }
    if (configuration.column("tokens")?.some((value) => value > 0)) {
      const disc = { kind: "marks", shape: "disc", radius: 3, fill: "#ffffff", stroke: "#000000", width: 1 };
      entries.push({ sign: (x, y) => [{ ...disc, points: [x, y] }], text: "token" });
    }
  }
  if (options.circuits) {
    const line = (stroke, width, text) => entries.push({ sign: (x, y) => [{ kind: "lines", stroke, width, points: [x - 7, y, x + 7, y] }], text });
    if (configuration.column("pins") !== null) line(COLOURS[1], 3, "circuit (wide: beep)");
    if (configuration.column("bonds")?.some((value) => value > 0)) line(ink.faint, 5, "bond");
    const ring = { kind: "marks", shape: "disc", radius: SIGN, stroke: ink.alarm, width: 2.4 };
    if (configuration.column("conflict")?.some((value) => value > 0)) entries.push({ sign: (x, y) => [{ ...ring, points: [x, y] }], text: "conflict" });
  }
  const area = (fill, text) => entries.push({ sign: (x, y) => [{ kind: "hexagons", radius: SIGN, fill, points: [x, y] }], text });
  if (picture.objects.length > 0) area(ink.object, picture.object);
  if (picture.land.length > 0) area(ink.land, "land");
  if (picture.gap.length > 0) area(ink.gap, "gap");
  return entries;
}

/** A node of a class as drawn in the picture. */
function nodeSign(view, index, x, y) {
  const { ink, options, places } = view;
  const look = { kind: "marks", radius: SIGN - 1, fill: view.colouring.colour(ink, index), points: [x, y] };
  if (!options.hatching || view.colouring.isScale) return { ...look, shape: "disc" };
  return places.isLattice ? { ...look, shape: "disc", hatching: bodyHatching(index) } : { ...look, shape: nodeShape(index) };
}

/**
 * The positions of the entries of a legend within a width, in rows. `keepWithin` drops the rows beyond a height, but not the first.
 *
 * @param {Entry[]} entries @returns {{places: number[], height: number, keepWithin: (height: number) => void}}
 */
export function legendRows(entries, width) {
  const places = [];
  let x = 12;
  let y = LINE / 2;
  for (const { text } of entries) {
    const needed = 30 + LETTER * text.length;
    if (x > 12 && x + needed > width - 6) {
      x = 12;
      y += LINE;
    }
    places.push(x, y);
    x += needed;
  }
  return {
    places,
    height: entries.length === 0 ? 0 : y + LINE / 2 + 4,
    keepWithin(height) {
      if (this.height <= height) return;
      const last = LINE / 2 + LINE * Math.max(0, Math.floor((height - 4) / LINE) - 1);
      places.length = places.findIndex((place, at) => at % 2 === 1 && place > last) - 1;
      this.height = last + LINE / 2 + 4;
    },
  };
}

/** Draws a legend below a height. @param {import("./picture.js").View} view @param {Entry[]} entries @param {number[]} places */
export function addLegend(view, entries, places, top) {
  const { scene, ink } = view;
  const items = [];
  entries.slice(0, places.length / 2).forEach(({ sign, text }, at) => {
    const x = places[2 * at];
    const y = top + places[2 * at + 1];
    for (const batch of sign(x + 4, y)) scene.add(batch);
    items.push({ x: x + 18, y, text });
  });
  scene.add({ kind: "texts", fill: ink.ink, size: 12.5, align: "left", items });
}
