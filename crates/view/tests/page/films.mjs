// Films of invented runs for the tests of the page. The events are a function of the seed.
import { FilmWriter } from "./writer.mjs";

/** A generator of numbers 0 <= r < 1 (Mulberry32). */
export function seeded(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const filled = (nodes, value) => Array.from({ length: nodes }, () => value);
const RULES = { Lock: "phase is idle", Grant: "prepare is received and lock is free", Unlock: "phase is win", Act: "always" };

function baseHead(fields) {
  return { film: 2, kind: "population", title: "a run", facts: [["seed", "1"]], notes: [], every: 1, time: "step", actions: [], guards: {}, messages: [],
    picture: { lattice: null, positions: null, moving: false, objects: [], land: [], gap: [], wraps: null }, labels: null,
    counts: { names: [], step: [], values: [] }, ...fields };
}

/** Positions and edges of a torus. */
function torus(rows, columns) {
  const positions = [];
  const edges = [];
  for (let row = 0; row < rows; row += 1) {
    for (let column = 0; column < columns; column += 1) {
      positions.push(column, -row);
      const node = row * columns + column;
      edges.push([node, row * columns + ((column + 1) % columns)], [node, ((row + 1) % rows) * columns + column]);
    }
  }
  return { positions, edges: edges.map(([a, b]) => (a < b ? [a, b] : [b, a])) };
}

/** Lock/Unlock on a torus: nodes compete, hold their neighbours, act, release; messages travel; two edges come and go. */
export function lockedFilm({ rows = 6, columns = 8, steps = 600, seed = 1, framesPerChunk = 128, title = "Exact majority on a torus", every = 1 } = {}) {
  const nodes = rows * columns;
  const random = seeded(seed);
  const { positions, edges } = torus(rows, columns);
  const states = ["A", "B", "a", "b"];
  const head = baseHead({
    title, nodes, steps, every, notes: every > 1 ? [`every ${every}th step is shown`] : [],
    columns: [
      { key: "state", name: "state", kind: "class", values: states },
      { key: "lock", name: "Lock/Unlock", kind: "class", values: ["idle", "competing", "holding", "held", "releasing"] },
      { key: "trial", name: "trial", kind: "number" },
      { key: "holder", name: "held by", kind: "node" },
      { key: "phase", name: "phase", kind: "word", of: "memory" },
      { key: "priority", name: "P", kind: "number", of: "memory" },
      { key: "queue", name: "queue", kind: "word" },
      { key: "enabled", name: "enabled actions", kind: "word" },
    ],
    actions: Object.keys(RULES), guards: RULES, messages: ["prepare", "grant", "win", "release"],
    picture: { lattice: null, positions, moving: false, objects: [], land: [], gap: [], wraps: [columns, rows] },
  });
  const state = Array.from({ length: nodes }, () => states[random() < 0.55 ? 0 : 1]);
  const writer = new FilmWriter(
    head,
    [state, filled(nodes, "idle"), filled(nodes, 0), filled(nodes, null), filled(nodes, "idle"), filled(nodes, -1), filled(nodes, ""), filled(nodes, "Lock")],
    { edges, framesPerChunk },
  );
  const near = Array.from({ length: nodes }, () => []);
  for (const [a, b] of edges) (near[a].push(b), near[b].push(a));
  let id = 0;
  const under = [];
  head.counts.names = states;
  const sample = (step) => {
    head.counts.step.push(step);
    head.counts.values.push(states.map((name) => writer.values[0].filter((value) => value === name).length));
  };
  writer.frame();
  sample(0);
  const frames = Math.ceil(steps / every);
  for (let frame = 1; frame <= frames; frame += 1) {
    const node = Math.floor(random() * nodes);
    const lock = writer.values[1][node];
    let did = { actor: node, label: "Act" };
    while (under.length > 24) writer.receive(under.shift());
    if (lock === "idle") {
      writer.set("lock", node, "competing");
      writer.set("trial", node, 1);
      writer.set("phase", node, "prepare");
      writer.set("priority", node, Math.floor(random() * 9));
      writer.set("enabled", node, "Lock\nAct");
      for (const other of near[node]) {
        under.push(++id);
        writer.send(id, node, other, 0);
      }
      did = { actor: node, label: "Lock" };
    } else if (lock === "competing") {
      if ([node, ...near[node]].every((other) => writer.values[3][other] === null)) {
        writer.set("lock", node, "holding");
        writer.set("holder", node, node);
        writer.set("phase", node, "win");
        writer.set("queue", node, "grant from 1\ngrant from 2");
        for (const other of near[node]) {
          writer.set("holder", other, node);
          if (writer.values[1][other] === "idle") writer.set("lock", other, "held");
          under.push(++id);
          writer.send(id, other, node, 1);
        }
        did = { actor: node, label: "Grant", flags: 1 };
      } else {
        writer.set("trial", node, writer.values[2][node] + 1);
      }
    } else if (lock === "holding") {
      writer.set("state", node, states[Math.floor(random() * 4)]);
      writer.set("lock", node, "releasing");
      writer.set("phase", node, "release");
      did = { actor: node, label: "Act" };
    } else if (lock === "releasing") {
      for (const other of [node, ...near[node]]) {
        if (writer.values[3][other] !== node) continue;
        writer.set("holder", other, null);
        if (writer.values[1][other] === "held") writer.set("lock", other, "idle");
      }
      writer.set("lock", node, "idle");
      writer.set("trial", node, 0);
      writer.set("phase", node, "idle");
      did = { actor: node, label: "Unlock" };
    }
    if (frame % 50 === 0) {
      const [a, b] = edges[frame % 100 === 0 ? 3 : 7];
      if (writer.edges.has(`${a} ${b}`)) writer.vanish(a, b);
      else writer.appear(a, b);
      did.flags = (did.flags ?? 0) | 4;
    }
    if (frame === frames) did = { ...did, flags: (did.flags ?? 0) | 2, text: "invariant violated: <b>two lock sets</b> meet" };
    writer.frame(did);
    if (frame % Math.max(1, Math.floor(frames / 60)) === 0 || frame === frames) sample(Math.min(frame * every, steps));
  }
  return { film: writer.finish(), writer };
}

/** A film of agents on a square whose states change, so many changes a frame; no locks, edges of a torus if asked for. */
export function agentsFilm({ side = 100, frames = 100, changes = 1000, seed = 1, framesPerChunk = 64, withEdges = false } = {}) {
  const nodes = side * side;
  const random = seeded(seed);
  const { positions, edges } = torus(side, side);
  const states = ["susceptible", "infected", "recovered"];
  const head = baseHead({
    title: "An epidemic", nodes, steps: frames - 1, time: "interaction",
    columns: [{ key: "state", name: "state", kind: "class", values: states }],
    picture: { lattice: null, positions, moving: false, objects: [], land: [], gap: [], wraps: [side, side] },
  });
  const writer = new FilmWriter(head, [filled(nodes, states[0])], { edges: withEdges ? edges : [], framesPerChunk });
  for (let frame = 0; frame < frames; frame += 1) {
    if (frame > 0) for (let change = 0; change < changes; change += 1) writer.set("state", Math.floor(random() * nodes), states[Math.floor(random() * 3)]);
    writer.frame();
  }
  return { film: writer.finish(), writer };
}

/** A film of many frames and few nodes: one node changes in each. */
export function longFilm({ nodes = 200, steps = 1_000_000, seed = 1, framesPerChunk = 512 } = {}) {
  const random = seeded(seed);
  const states = ["A", "B", "undecided"];
  const positions = [];
  for (let node = 0; node < nodes; node += 1) positions.push(node % 20, -Math.floor(node / 20));
  const edges = [];
  for (let node = 0; node + 1 < nodes; node += 1) if (node % 20 !== 19) edges.push([node, node + 1]);
  const head = baseHead({
    title: "A long run", nodes, steps, time: "interaction", actions: ["meet"],
    columns: [{ key: "state", name: "state", kind: "class", values: states }, { key: "met", name: "met", kind: "node", of: "memory" }],
    picture: { lattice: null, positions, moving: false, objects: [], land: [], gap: [], wraps: null },
  });
  const writer = new FilmWriter(head, [filled(nodes, "A"), filled(nodes, null)], { edges, framesPerChunk });
  writer.frame();
  for (let step = 1; step <= steps; step += 1) {
    const node = Math.floor(random() * nodes);
    if (random() < 0.5) writer.set("state", node, states[Math.floor(random() * 3)]);
    writer.set("met", node, Math.floor(random() * nodes));
    writer.frame({ actor: node, label: "meet", flags: step % 1000 === 0 ? 1 : 0 });
  }
  return { film: writer.finish(), writer };
}

const STEPS = [[1, 0], [0, 1], [-1, 1], [-1, 0], [0, -1], [1, -1]];

/** Amoebots that expand and contract round an object, with parents, directions and tokens. */
export function amoebotsFilm({ amoebots = 30, steps = 300, seed = 1, framesPerChunk = 64, columns = 8 } = {}) {
  const random = seeded(seed);
  const states = ["seed", "idle", "follower", "root", "retired"];
  const cells = Array.from({ length: amoebots }, (_, at) => [at % columns, Math.floor(at / columns)]);
  const objects = [[-3, 2], [-3, 3], [-4, 3], [-2, 2]];
  const head = baseHead({
    kind: "amoebots", title: "Hexagon formation", nodes: amoebots, steps, time: "action", actions: ["expand", "contract", "wait"],
    guards: { expand: "contracted and a free cell beside it", contract: "expanded", wait: "always" },
    columns: [
      { key: "state", name: "state", kind: "class", values: states },
      ...["head_x", "head_y", "tail_x", "tail_y"].map((key) => ({ key, name: key, kind: "number" })),
      { key: "parent", name: "parent", kind: "number" },
      { key: "parent_at", name: "parent at tail", kind: "number" },
      { key: "direction", name: "direction", kind: "number" },
      { key: "tokens", name: "tokens", kind: "number" },
      { key: "memory", name: "memory", kind: "word", of: "memory" },
    ],
    picture: { lattice: "triangular", positions: null, moving: false, objects, object: "object", land: [[0, -1], [1, -1], [2, -1]], gap: [[3, -1], [4, -1]], wraps: null },
  });
  const state = cells.map((_, at) => states[at === 0 ? 0 : 1 + Math.floor(random() * 4)]);
  const writer = new FilmWriter(
    head,
    [state, cells.map(([x]) => x), cells.map(([, y]) => y), cells.map(([x]) => x), cells.map(([, y]) => y), cells.map((_, at) => (at % 3 === 1 ? 4 : 0)),
      filled(amoebots, 0), cells.map((_, at) => (at % 7 === 2 ? 2 : 0)), cells.map((_, at) => (at % 5 === 0 ? 2 : 0)), filled(amoebots, "Memory { phase: 1 }")],
    { framesPerChunk },
  );
  writer.frame();
  const taken = new Set([...cells, ...objects].map(([x, y]) => `${x} ${y}`));
  for (let step = 1; step <= steps; step += 1) {
    const at = Math.floor(random() * amoebots);
    const [headX, headY, tailX, tailY] = [1, 2, 3, 4].map((place) => writer.values[place][at]);
    const [dx, dy] = STEPS[Math.floor(random() * 6)];
    if (headX !== tailX || headY !== tailY) {
      taken.delete(`${tailX} ${tailY}`);
      writer.set("tail_x", at, headX);
      writer.set("tail_y", at, headY);
      writer.frame({ actor: at, label: "contract" });
    } else if (!taken.has(`${headX + dx} ${headY + dy}`)) {
      taken.add(`${headX + dx} ${headY + dy}`);
      writer.set("head_x", at, headX + dx);
      writer.set("head_y", at, headY + dy);
      writer.set("memory", at, `Memory { phase: ${step} }`);
      writer.frame({ actor: at, label: "expand" });
    } else {
      writer.frame({ actor: at, label: "wait" });
    }
  }
  return { film: writer.finish(), writer };
}

/** Walkers: they move, edges between those that are near come and go. */
export function walkersFilm({ nodes = 40, frames = 120, seed = 1, range = 3, side = 14 } = {}) {
  const random = seeded(seed);
  const states = ["A", "B", "undecided"];
  const head = baseHead({
    title: "Approximate majority on walkers", nodes, steps: frames - 1, time: "step", labels: Array.from({ length: nodes }, (_, at) => `walker ${at}`),
    columns: [
      { key: "state", name: "state", kind: "class", values: states },
      { key: "px", name: "x", kind: "number" },
      { key: "py", name: "y", kind: "number" },
    ],
    picture: { lattice: null, positions: null, moving: true, objects: [], land: [], gap: [], wraps: null },
  });
  const places = Array.from({ length: nodes }, () => [random() * side, random() * side, random() * 6.28]);
  const near = () => {
    const found = [];
    for (let a = 0; a < nodes; a += 1) for (let b = a + 1; b < nodes; b += 1) if (Math.hypot(places[a][0] - places[b][0], places[a][1] - places[b][1]) < range) found.push([a, b]);
    return found;
  };
  const thousandths = (axis) => places.map((place) => Math.round(place[axis] * 1000));
  const state = Array.from({ length: nodes }, () => states[Math.floor(random() * 3)]);
  const writer = new FilmWriter(head, [state, thousandths(0), thousandths(1)], { edges: near(), framesPerChunk: 32 });
  writer.frame();
  for (let frame = 1; frame < frames; frame += 1) {
    places.forEach((place, node) => {
      place[2] += random() - 0.5;
      place[0] = Math.min(Math.max(place[0] + 0.15 * Math.cos(place[2]), 0), side);
      place[1] = Math.min(Math.max(place[1] + 0.15 * Math.sin(place[2]), 0), side);
      writer.set("px", node, Math.round(place[0] * 1000));
      writer.set("py", node, Math.round(place[1] * 1000));
    });
    const edges = near();
    const now = new Set(edges.map(([a, b]) => `${a} ${b}`));
    let flags = 0;
    for (const edge of [...writer.edges]) if (!now.has(edge)) (writer.vanish(...edge.split(" ").map(Number)), (flags = 4));
    for (const [a, b] of edges) if (!writer.edges.has(`${a} ${b}`)) (writer.appear(a, b), (flags = 4));
    writer.frame({ flags });
  }
  return { film: writer.finish(), writer };
}

/** Particles of a chain on land with a gap. */
export function cellsFilm({ side = 10, steps = 200, seed = 1, framesPerChunk = 64 } = {}) {
  const random = seeded(seed);
  const nodes = side * side;
  const colours = ["red", "blue"];
  const cells = Array.from({ length: nodes }, (_, at) => [at % side, Math.floor(at / side)]);
  const land = [];
  for (let x = -4; x < side + 8; x += 1) for (let y = -4; y < side + 4; y += 1) if (x < side - 2) land.push([x, y]);
  const head = baseHead({
    kind: "cells", title: "Separation", nodes, steps, time: "action",
    columns: [{ key: "state", name: "colour", kind: "class", values: colours }, { key: "head_x", name: "x", kind: "number" }, { key: "head_y", name: "y", kind: "number" }],
    picture: { lattice: "triangular", positions: null, moving: false, objects: [[0, -1]], object: "anchor", land, gap: [], wraps: null },
  });
  const writer = new FilmWriter(head, [cells.map(() => colours[Math.floor(random() * 2)]), cells.map(([x]) => x), cells.map(([, y]) => y)], { framesPerChunk });
  writer.frame();
  const taken = new Set(cells.map(([x, y]) => `${x} ${y}`));
  for (let step = 1; step <= steps; step += 1) {
    const at = Math.floor(random() * nodes);
    const [x, y] = [writer.values[1][at], writer.values[2][at]];
    const [dx, dy] = STEPS[Math.floor(random() * 6)];
    if (!taken.has(`${x + dx} ${y + dy}`)) {
      taken.delete(`${x} ${y}`);
      taken.add(`${x + dx} ${y + dy}`);
      writer.set("head_x", at, x + dx);
      writer.set("head_y", at, y + dy);
    }
    writer.frame({ actor: at });
  }
  return { film: writer.finish(), writer };
}

/** A run of which only counts are kept. */
export function countsFilm() {
  const step = Array.from({ length: 101 }, (_, at) => at * 10);
  const head = baseHead({ title: "Counts alone", nodes: 0, steps: 1000, every: 10, time: "interaction", columns: [],
    counts: { names: ["A", "B"], step, values: step.map((at) => [1000 - at, at]) } });
  const writer = new FilmWriter(head, []);
  for (let frame = 0; frame <= 100; frame += 1) writer.frame();
  return { film: writer.finish(), writer };
}
