import { HATCHINGS, readableOn } from "./palette.js";
import { Batches } from "./scene.js";
import { addOthers } from "./graph.js";
import { acrossOfCell, upOfCell } from "./places.js";

/** Steps to the six neighbours of a cell (axial), the first to the east, counted counter-clockwise. */
export const DIRECTIONS = [[1, 0], [0, 1], [-1, 1], [-1, 0], [0, -1], [1, -1]];
/** Bodies smaller than this radius are squares. */
const SQUARE_RADIUS = 2.6;
/** Hatching needs this radius. */
const HATCHED_RADIUS = 4.5;
/** The minimum number of pixels per cell at which a lattice is drawn. */
const LATTICE_SCALE = 9;

/** Cells of the landscape, objects, and the lattice under them. @param {import("./picture.js").View} view */
export function addGround(view) {
  const { scene, camera, ink, cache, places, radius } = view;
  const { picture } = places.head;
  const key = `${camera.key} ${ink.land} ${scene.width} ${scene.height}`;
  if (cache.groundKey !== key) {
    cache.groundKey = key;
    const pixels = (cells) => {
      const points = [];
      for (const cell of cells) {
        const x = camera.across(acrossOfCell(cell));
        const y = camera.down(upOfCell(cell));
        if (x > -radius * 4 && x < scene.width + radius * 4 && y > -radius * 4 && y < scene.height + radius * 4) points.push(x, y);
      }
      return points;
    };
    const hexagon = 0.5 * camera.scale * 1.16;
    const area = (cells, fill) =>
      camera.scale < 4
        ? { kind: "dots", size: Math.ceil(camera.scale), fill, points: pixels(cells) }
        : { kind: "hexagons", radius: hexagon, fill, points: pixels(cells), keep: true };
    cache.ground = [area(picture.land, ink.land), area(picture.gap, ink.gap)];
    if (camera.scale >= LATTICE_SCALE) cache.ground.push({ kind: "lines", stroke: ink.lattice, width: 1, points: latticeLines(view), keep: true });
    cache.ground.push(
      radius < SQUARE_RADIUS
        ? { kind: "dots", size: Math.max(1, 2 * radius), fill: ink.object, points: pixels(picture.objects) }
        : { kind: "hexagons", radius: hexagon * 0.93, fill: ink.object, points: pixels(picture.objects), keep: true },
    );
  }
  for (const batch of cache.ground) scene.add(batch);
}

/** The lines of the triangular lattice within the picture. */
function latticeLines({ scene, camera }) {
  const points = [];
  const row = Math.sqrt(3) / 2;
  const left = -camera.x / camera.scale;
  const right = (scene.width - camera.x) / camera.scale;
  const top = camera.y / camera.scale;
  const bottom = (camera.y - scene.height) / camera.scale;
  for (let y = Math.ceil(bottom / row); y * row <= top; y += 1) {
    const down = camera.down(y * row);
    points.push(0, down, scene.width, down);
  }
  // Lines through (k, 0) at 60 and 120 degrees, from the lower edge to the upper.
  const slope = Math.sqrt(3);
  for (const sign of [1, -1]) {
    const ends = [left - (sign * bottom) / slope, left - (sign * top) / slope, right - (sign * bottom) / slope, right - (sign * top) / slope];
    for (let k = Math.ceil(Math.min(...ends)); k <= Math.max(...ends); k += 1) {
      points.push(camera.across(k + (sign * bottom) / slope), scene.height, camera.across(k + (sign * top) / slope), 0);
    }
  }
  return points;
}

/** Lines between neighbouring cells: the edges of a chain's configuration. @param {import("./picture.js").View} view */
export function addChainEdges(view) {
  const { scene, camera, configuration, places, ink, radius } = view;
  if (radius < SQUARE_RADIUS) return;
  const xs = configuration.column("head_x");
  const ys = configuration.column("head_y");
  // Only displayed cells, so that numbers stay small far from the origin.
  const margin = 2 * camera.scale;
  const shown = [];
  for (let node = 0; node < xs.length; node += 1) {
    const across = camera.across(places.x[node]);
    const down = camera.down(places.y[node]);
    if (across >= -margin && across <= scene.width + margin && down >= -margin && down <= scene.height + margin) shown.push(node);
  }
  if (shown.length === 0) return;
  const [firstX, firstY] = [xs[shown[0]], ys[shown[0]]];
  const key = (x, y) => (x - firstX) * 2 ** 26 + (y - firstY);
  const cells = new Set();
  for (const node of shown) cells.add(key(xs[node], ys[node]));
  const points = [];
  for (const node of shown) {
    for (let direction = 0; direction < 3; direction += 1) {
      const [x, y] = DIRECTIONS[direction];
      if (!cells.has(key(xs[node] + x, ys[node] + y))) continue;
      const across = camera.across(places.x[node]);
      const down = camera.down(places.y[node]);
      points.push(across, down, across + camera.scale * acrossOfCell([x, y]), down - camera.scale * upOfCell([x, y]));
    }
  }
  scene.add({ kind: "lines", stroke: ink.edge, width: Math.max(1, radius / 3.2), points });
}

/** The hatching of a class of bodies. */
export function bodyHatching(index) {
  return HATCHINGS[(index + Math.floor(index / HATCHINGS.length)) % HATCHINGS.length];
}

/** Draws amoebots or particles: discs, expanded ones as head and tail in one body, with a dot at the head. @param {import("./picture.js").View} view */
export function addBodies(view) {
  const { scene, camera, places, radius, classes } = view;
  const isSmall = radius < SQUARE_RADIUS;
  const contracted = new Batches();
  const expanded = new Batches();
  const dots = new Batches();
  const margin = 3 * radius + 2;
  const { x, y, tailX, tailY } = places;
  const { nodes } = places.head;
  const bodyLists = [];
  const others = [];
  const look = (index) => {
    const fill = view.paint(index);
    const hatching = view.hasPatterns && radius >= HATCHED_RADIUS ? bodyHatching(index) : "none";
    return { fill, hatching };
  };
  for (let node = 0; node < nodes; node += 1) {
    const across = camera.across(x[node]);
    const down = camera.down(y[node]);
    if (across < -margin || across > scene.width + margin || down < -margin || down > scene.height + margin) continue;
    const index = classes === null ? 0 : classes[node];
    const isExpanded = x[node] !== tailX[node] || y[node] !== tailY[node];
    if (view.passes !== null && !view.passes(node)) {
      others.push(across, down);
      if (isExpanded) others.push(camera.across(tailX[node]), camera.down(tailY[node]));
      continue;
    }
    if (isSmall || !isExpanded) {
      const points = (bodyLists[index] ??= contracted.points(index, () =>
        isSmall ? { kind: "dots", size: Math.max(1, 2 * radius), fill: look(index).fill } : { kind: "marks", shape: "disc", radius, ...look(index) },
      ));
      points.push(across, down);
      if (isSmall && isExpanded) points.push(camera.across(tailX[node]), camera.down(tailY[node]));
    } else {
      const ends = [camera.across(tailX[node]), camera.down(tailY[node]), across, down];
      expanded.points(index, () => ({ kind: "capsules", width: 2 * radius, ...look(index) })).push(...ends);
      const dot = readableOn(look(index).fill);
      dots.points(dot, () => ({ kind: "marks", shape: "disc", radius: radius * 0.34, fill: dot })).push(across, down);
    }
  }
  addOthers(view, others);
  expanded.into(scene);
  contracted.into(scene);
  dots.into(scene);
}

/** Arrows to parents (filled), the next direction of an amoebot (open), and tokens. @param {import("./picture.js").View} view */
export function addArrows(view) {
  const { scene, camera, configuration, places, ink, radius } = view;
  if (radius < 4) return;
  const parent = configuration.column("parent");
  const parentAt = configuration.column("parent_at");
  const direction = configuration.column("direction");
  const tokens = configuration.column("tokens");
  const length = 0.62 * camera.scale;
  const size = Math.max(4, radius * 0.62);
  const arrows = { solid: [], solidTips: [], open: [], openTips: [] };
  const arrow = (lines, tips, x, y, towards) => {
    const right = acrossOfCell(DIRECTIONS[towards]);
    const down = -upOfCell(DIRECTIONS[towards]);
    lines.push(x, y, x + (length - size) * right, y + (length - size) * down);
    tips.push(x + length * right, y + length * down, right, down);
  };
  const held = [];
  for (let node = 0; node < places.head.nodes; node += 1) {
    const x = camera.across(places.x[node]);
    const y = camera.down(places.y[node]);
    const towards = parent === null ? 0 : parent[node];
    if (towards >= 1 && towards <= 6) {
      const isTail = parentAt !== null && parentAt[node] === 1;
      const start = isTail ? [camera.across(places.tailX[node]), camera.down(places.tailY[node])] : [x, y];
      arrow(arrows.solid, arrows.solidTips, ...start, towards - 1);
    }
    const next = direction === null ? 0 : direction[node];
    if (next >= 1 && next <= 6) arrow(arrows.open, arrows.openTips, x, y, next - 1);
    const count = tokens === null ? 0 : Math.min(tokens[node], 6);
    for (let token = 0; token < count; token += 1) {
      const angle = (2 * Math.PI * token) / count;
      const reach = radius * 0.55;
      held.push(x + reach * Math.sin(angle), y - reach * Math.cos(angle));
    }
  }
  const width = Math.max(1.2, radius * 0.2);
  scene.add({ kind: "lines", stroke: ink.ink, width, points: arrows.solid });
  scene.add({ kind: "tips", fill: ink.ink, size, points: arrows.solidTips });
  scene.add({ kind: "lines", stroke: ink.ink, width: width * 0.5, points: arrows.open });
  scene.add({ kind: "tips", fill: ink.background, stroke: ink.ink, width: 1.2, size, points: arrows.openTips });
  scene.add({ kind: "marks", shape: "disc", radius: Math.max(1.6, radius * 0.26), fill: "#ffffff", stroke: "#000000", width: 1, points: held });
}
