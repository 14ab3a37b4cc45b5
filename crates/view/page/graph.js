import { SHAPES } from "./palette.js";
import { textOf } from "./variable.js";
import { APPEARED, VANISHED } from "./chunk.js";
import { Batches } from "./scene.js";

/** The maximum number of edges that are drawn; more would not be distinguishable. */
const EDGES_MAX = 60_000;
/** The number of characters of a text below a node. */
const TEXT_LONGEST = 16;
/** Nodes smaller than this radius are drawn as squares. */
const DOT_RADIUS = 2.6;

/** The input of drawing. @typedef {import("./picture.js").View} View */

/** Draws edges: stubs over the seam of a torus; edges that appeared or vanished in this frame are highlighted. @param {View} view */
export function addEdges(view) {
  const { scene, configuration, camera, places, ink, cache } = view;
  const { edges } = configuration;
  if (edges.size > EDGES_MAX) return;
  const key = `${configuration.edgesVersion} ${camera.key} ${ink.edge}`;
  const isStill = !places.isMoving;
  if (!isStill || cache.edgesKey !== key) {
    const points = [];
    const { nodes } = configuration.head;
    for (const edge of edges) {
      const b = edge % nodes;
      addLine(points, view, (edge - b) / nodes, b);
    }
    const width = Math.max(0.5, Math.min(1.6, view.radius / 5));
    cache.edges = { kind: "lines", stroke: ink.edge, width, points, keep: isStill };
    cache.edgesKey = key;
  }
  scene.add(cache.edges);

  const { chunk, at } = configuration;
  const came = [];
  const went = [];
  // The first frame of a chunk may be displayed without the preceding one.
  for (let row = chunk.firstOperation[at]; row < chunk.firstOperation[at + 1]; row += 1) {
    if (chunk.code[row] === APPEARED) addLine(came, view, chunk.node[row], chunk.value[row]);
    if (chunk.code[row] === VANISHED) addLine(went, view, chunk.node[row], chunk.value[row]);
  }
  const width = Math.max(1.5, Math.min(4, view.radius / 3));
  scene.add({ kind: "lines", stroke: "#009e73", width, points: came });
  scene.add({ kind: "lines", stroke: "#d55e00", width, dash: [4, 4], points: went });
}

/** A line between two nodes, or two stubs if it crosses the seam. */
function addLine(points, view, a, b) {
  const { camera, places } = view;
  const ax = camera.across(places.x[a]);
  const ay = camera.down(places.y[a]);
  const bx = camera.across(places.x[b]);
  const by = camera.down(places.y[b]);
  if (places.head.picture.wraps !== null) {
    const way = places.way(a, b);
    if (way.wraps) {
      const right = 0.45 * camera.scale * way.across;
      const down = -0.45 * camera.scale * way.up;
      points.push(ax, ay, ax + right, ay + down, bx, by, bx - right, by - down);
      return;
    }
  }
  points.push(ax, ay, bx, by);
}

/** The appearance of a class of nodes: its colour and, for up to 64 classes, a unique pair of colour and shape. */
export function nodeShape(index) {
  return SHAPES[(index + Math.floor(index / SHAPES.length)) % SHAPES.length];
}

/** Draws the nodes of a graph, one batch per class. @param {View} view */
export function addNodes(view) {
  const { scene, camera, places, ink, radius, classes } = view;
  const batches = new Batches();
  const isSmall = radius < DOT_RADIUS;
  const outline = radius > 6 ? { stroke: ink.outline, width: Math.min(1.5, radius / 6) } : {};
  const lists = [];
  const dead = [];
  const others = [];
  const lives = livesOf(view.configuration);
  const { x, y } = places;
  const { width, height } = scene;
  const { nodes } = places.head;
  for (let node = 0; node < nodes; node += 1) {
    const across = camera.across(x[node]);
    const down = camera.down(y[node]);
    if (across < -radius || across > width + radius || down < -radius || down > height + radius) continue;
    if (lives !== null && lives.alive[node] === lives.no) {
      dead.push(across, down);
      continue;
    }
    if (view.passes !== null && !view.passes(node)) {
      others.push(across, down);
      continue;
    }
    const index = classes === null ? 0 : classes[node];
    const points = (lists[index] ??= batches.points(index, () => {
      const fill = view.paint(index);
      if (isSmall) return { kind: "dots", size: Math.max(1, 2 * radius), fill };
      return { kind: "marks", shape: !view.hasPatterns ? "disc" : nodeShape(index), radius, fill, ...outline };
    }));
    points.push(across, down);
  }
  scene.add({ kind: "marks", shape: "disc", radius, stroke: ink.faint, width: Math.min(1.2, radius / 3), dash: [2, 2], points: dead });
  addOthers(view, others);
  batches.into(scene);
}

/** Nodes that a condition leaves out: faint, without a class. @param {View} view @param {number[]} points */
export function addOthers({ scene, ink, radius }, points) {
  if (radius < DOT_RADIUS) scene.add({ kind: "dots", size: Math.max(1, 2 * radius), fill: ink.lattice, points });
  else scene.add({ kind: "marks", shape: "disc", radius, fill: ink.lattice, stroke: ink.edge, width: 0.8, points });
}

/** The column of alive nodes, and its class of dead ones; null if the film has none. */
function livesOf(configuration) {
  const place = configuration.places.get("alive");
  if (place === undefined || configuration.head.columns[place].kind !== "class") return null;
  return { alive: configuration.values[place], no: configuration.head.columns[place].values.indexOf("no") };
}

/** Names of nodes, if there is room for them. @param {View} view */
export function addNames(view) {
  const { scene, camera, places, ink, radius } = view;
  if (radius < 5) return;
  const { labels, nodes } = places.head;
  const items = [];
  for (let node = 0; node < nodes; node += 1) {
    const x = camera.across(places.x[node]);
    const y = camera.down(places.y[node]);
    if (x < 0 || y < 0 || x > scene.width || y > scene.height) continue;
    if (view.passes !== null && !view.passes(node)) continue;
    const text = view.textBy === null ? (labels === null ? String(node) : labels[node]) : textOf(view.configuration, view.textBy, node);
    items.push({ x, y: y + radius + 9, text: text.length > TEXT_LONGEST ? `${text.slice(0, TEXT_LONGEST - 1)}…` : text });
  }
  scene.add({ kind: "texts", fill: ink.ink, halo: ink.background, size: Math.min(13, Math.max(9, radius)), align: "middle", items });
}
