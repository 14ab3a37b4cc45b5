import { holderColour } from "./palette.js";
import { hullOfDiscs, isInside } from "./hull.js";
import { Batches } from "./scene.js";

/** The ring round a node for each state of Lock/Unlock. Idle nodes have none. */
export const RINGS = {
  competing: { width: 2, dash: [4, 3], cap: "butt", text: "competing (trial)" },
  holding: { width: 4, dash: [], cap: "butt", text: "holding" },
  held: { width: 2.2, dash: [], cap: "butt", text: "held by" },
  releasing: { width: 2.2, dash: [0.1, 4.2], cap: "round", text: "releasing" },
};

/** The columns of the lock layer; null if the film has none. */
export function lockColumns(configuration) {
  const place = configuration.places.get("lock");
  if (place === undefined || configuration.head.columns[place].kind !== "class") return null;
  return {
    lock: configuration.values[place],
    names: configuration.head.columns[place].values,
    holder: configuration.column("holder"),
    trial: configuration.column("trial"),
  };
}

/** The minimum radius of nodes that have hulls. */
const HULL_RADIUS = 3;
/** Up to this number of nodes times hulls, hulls are searched for nodes that are not in the lock set. */
const STRANGERS_LOOKED_FOR = 2_000_000;

/** Lock sets: lines from the holder to each held node, in the colour of the holder. @param {import("./picture.js").View} view */
export function addLockSets(view) {
  const columns = lockColumns(view.configuration);
  if (columns === null || columns.holder === null) return;
  const { scene, camera, places, radius } = view;
  const sets = new Batches();
  const width = 2 * radius + Math.max(6, radius * 1.1);
  const { holder, lock, names } = columns;
  const holding = names.indexOf("holding");
  const releasing = names.indexOf("releasing");
  const look = (node) => () => ({ kind: "capsules", fill: holderColour(node), width, opacity: 0.28 });
  /** The positions of the discs of a lock set, by holder, without those beyond a seam. @type {Map<number, number[]>} */
  const centres = new Map();
  const disc = (by, ...places) => {
    if (!centres.has(by)) centres.set(by, []);
    centres.get(by).push(...places);
  };
  for (let node = 0; node < places.head.nodes; node += 1) {
    const by = holder[node] - 1;
    const x = camera.across(places.x[node]);
    const y = camera.down(places.y[node]);
    const tailX = camera.across(places.tailX[node]);
    const tailY = camera.down(places.tailY[node]);
    if (by >= 0 && by !== node) {
      const points = sets.points(by, look(by));
      const way = places.way(by, node);
      const across = camera.scale * way.across;
      const down = -camera.scale * way.up;
      if (way.wraps) points.push(x - across * 0.45, y - down * 0.45, x, y);
      else {
        points.push(x - across, y - down, x, y);
        disc(by, x, y);
      }
      if (tailX !== x || tailY !== y) {
        points.push(x, y, tailX, tailY);
        if (!way.wraps) disc(by, tailX, tailY);
      }
    }
    if (lock[node] === holding || (lock[node] === releasing && by === node)) {
      sets.points(node, look(node)).push(x, y, tailX, tailY);
      disc(node, x, y);
      if (tailX !== x || tailY !== y) disc(node, tailX, tailY);
    }
  }
  if (radius >= HULL_RADIUS) addHulls(view, centres, holder);
  sets.into(scene);
}

/**
 * A hull round each lock set, below its star; dashed and without a filling if it also surrounds a node that is not in the set: then the
 * star shows the set.
 */
function addHulls({ scene, camera, places, radius }, centres, holder) {
  const { nodes } = places.head;
  const isLookedFor = nodes * centres.size <= STRANGERS_LOOKED_FOR;
  const reach = radius * 1.28 + Math.max(4, radius * 0.45);
  const looks = new Map();
  for (const [by, discs] of centres) {
    const hull = hullOfDiscs(discs, reach);
    let hasStranger = false;
    for (let node = 0; isLookedFor && node < nodes && !hasStranger; node += 1) {
      if (node === by || holder[node] - 1 === by) continue;
      hasStranger = isInside(hull, camera.across(places.x[node]), camera.down(places.y[node]));
    }
    const stroke = holderColour(by);
    const key = `${stroke} ${hasStranger}`;
    if (!looks.has(key)) looks.set(key, { stroke, hasStranger, points: [], sizes: [] });
    const look = looks.get(key);
    look.points.push(...hull);
    look.sizes.push(hull.length / 2);
  }
  for (const { stroke, hasStranger, points, sizes } of looks.values()) {
    const hull = { kind: "hulls", points, sizes };
    if (!hasStranger) scene.add({ ...hull, fill: stroke, opacity: 0.13 });
    scene.add({ ...hull, stroke, width: 1.6, dash: hasStranger ? [5, 4] : [] });
  }
}

/** Rings round the nodes and numbers of trials. @param {import("./picture.js").View} view */
export function addLockRings(view) {
  const columns = lockColumns(view.configuration);
  if (columns === null || view.radius < 2.6) return;
  const { scene, camera, places, radius, ink } = view;
  const rings = new Batches();
  const items = [];
  const { lock, names, holder, trial } = columns;
  for (let node = 0; node < places.head.nodes; node += 1) {
    const name = names[lock[node]];
    const ring = RINGS[name];
    if (ring === undefined) continue;
    const x = camera.across(places.x[node]);
    const y = camera.down(places.y[node]);
    const owner = name === "holding" ? node : holder === null || holder[node] === 0 ? null : holder[node] - 1;
    const stroke = owner === null ? ink.ink : holderColour(owner);
    const thin = Math.min(1, radius / 9);
    const look = () => ({
      kind: "marks",
      shape: "disc",
      radius: radius * 1.28 + 1.5,
      stroke,
      width: Math.max(1, ring.width * thin),
      dash: ring.dash,
      cap: ring.cap,
    });
    rings.points(`${name} ${stroke}`, look).push(x, y);
    if (name === "competing" && trial !== null && trial[node] > 0 && radius >= 5) {
      items.push({ x: x + radius * 1.3 + 5, y: y - radius * 1.1 - 2, text: String(trial[node]) });
    }
  }
  rings.into(scene);
  scene.add({ kind: "texts", fill: ink.ink, halo: ink.background, size: 11, align: "middle", bold: true, items });
}
