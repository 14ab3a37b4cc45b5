import { COLOURS } from "./palette.js";
import { Batches } from "./scene.js";
import { acrossOfCell, upOfCell } from "./places.js";
import { DIRECTIONS } from "./lattice.js";

/** The least scales of circuits and pins, in pixels per cell. */
const CIRCUITS_SCALE = 12;
const PINS_SCALE = 40;

/** Bonds of the last movement, and rings around amoebots in conflict. @param {import("./picture.js").View} view */
export function addBonds({ scene, camera, configuration, places, ink, radius }) {
  const points = [];
  const rings = [];
  const conflicts = configuration.column("conflict");
  configuration.column("bonds").forEach((bonds, node) => {
    const ends = [camera.across(places.x[node]), camera.down(places.y[node]), camera.across(places.tailX[node]), camera.down(places.tailY[node])];
    if (conflicts[node]) rings.push(...ends);
    for (let side = 0; bonds >> side > 0; side += 1) {
      if (((bonds >> side) & 1) === 0) continue;
      const [x, y] = ends.slice(side < 6 ? 0 : 2);
      const step = DIRECTIONS[side % 6];
      points.push(x, y, x + camera.scale * acrossOfCell(step), y - camera.scale * upOfCell(step));
    }
  });
  scene.add({ kind: "lines", stroke: ink.faint, width: Math.max(1, radius / 2.6), points });
  scene.add({ kind: "marks", shape: "disc", radius: radius + 2, stroke: ink.alarm, width: Math.max(3, radius / 3), points: rings });
}

/** Pins, sets and circuits. Those with a beep are wide, and flash. @param {import("./picture.js").View} view */
export function addCircuits({ scene, camera, configuration, places, ink, glide }) {
  const { scale } = camera;
  if (scale < CIRCUITS_SCALE) return;
  const [pinsAt, circuitsAt, beepsAt] = ["pins", "circuits", "beeps"].map((key) => configuration.places.get(key));
  const flash = 2 - (glide?.part ?? 1);
  const width = (isLoud) => (isLoud ? 0.1 * flash : 0.045) * scale;
  const layers = [0, 1, 2, 3].map(() => new Batches());
  const [outlines, lines, dots, marks] = layers;
  for (let node = 0; node < places.head.nodes; node += 1) {
    const head = [camera.across(places.x[node]), camera.down(places.y[node])];
    const tail = [camera.across(places.tailX[node]), camera.down(places.tailY[node])];
    const [x, y] = head;
    if (x < -2 * scale || x > scene.width + 2 * scale || y < -2 * scale || y > scene.height + 2 * scale) continue;
    const sets = [...configuration.meaning(pinsAt, node)];
    const looks = configuration.meaning(circuitsAt, node);
    const perEdge = sets.length / (looks.includes(" ") ? 12 : 6);
    const place = (pin, reach) => {
      const edge = Math.floor(pin / perEdge);
      const step = DIRECTIONS[edge % 6];
      const aside = Math.min(0.13, 0.4 / perEdge) * ((pin % perEdge) - (perEdge - 1) / 2);
      const [right, up] = [acrossOfCell(step), upOfCell(step)];
      const end = edge < 6 ? head : tail;
      return [end[0] + scale * (reach * right - aside * up), end[1] - scale * (reach * up + aside * right)];
    };
    const names = [...new Set(sets)].filter((name) => name > ".").sort();
    const centres = names.map((name, number) => {
      const members = [...sets.keys()].filter((pin) => sets[pin] === name).map((pin) => place(pin, 0.4));
      const turn = 2 * Math.PI * (number / names.length + 0.1);
      const away = names.length > 1 ? 0.12 * scale : 0;
      const middle = (axis) => (head[axis] + tail[axis]) / 4 + members.reduce((sum, at) => sum + at[axis], 0) / members.length / 2;
      return [middle(0) + away * Math.sin(turn), middle(1) - away * Math.cos(turn)];
    });
    sets.forEach((name, pin) => {
      const look = looks.charCodeAt(pin) - 97;
      if (name === " ") return;
      const at = place(pin, 0.4);
      const stroke = look < 0 ? ink.faint : COLOURS[look % 6];
      dots.points(stroke, () => ({ kind: "marks", shape: "disc", radius: 0.04 * scale, fill: stroke, stroke: ink.background, width: 1 })).push(...at);
      if (look < 0) return;
      const isLoud = look % 12 > 5;
      const points = [];
      if (name > ".") points.push(...centres[names.indexOf(name)], ...at);
      if (look > 11) points.push(...at, ...place(pin, 0.5));
      outlines.points(isLoud, () => ({ kind: "lines", stroke: ink.background, width: width(isLoud) + 0.04 * scale, cap: "round" })).push(...points);
      lines.points(look % 12, () => ({ kind: "lines", stroke, width: width(isLoud), cap: "round" })).push(...points);
    });
    for (const pin of configuration.meaning(beepsAt, node).match(/\d+/g) ?? []) {
      const fill = COLOURS[(looks.charCodeAt(pin) - 97) % 6];
      marks.points(fill, () => ({ kind: "marks", shape: "disc", radius: 0.12 * scale * flash, fill, stroke: ink.background, width: 2 })).push(...(centres[names.indexOf(sets[pin])] ?? place(pin, 0.4)));
    }
  }
  for (const layer of layers) if (layer !== dots || scale >= PINS_SCALE) layer.into(scene);
}
