import { messageColour } from "./palette.js";
import { Batches } from "./scene.js";

/** The maximum number of messages whose names are written next to them. */
const NAMED_MAX = 40;

/**
 * Messages in transit: a point between sender and receiver, on the right side of the edge, directed to the receiver, in the colour
 * of its kind. Of several with the same sender and receiver, the one sent first is nearest to the receiver.
 *
 * @param {import("./picture.js").View} view
 */
export function addMessages(view) {
  const { scene, camera, configuration, places, ink, radius } = view;
  const { messages, head } = configuration;
  const at = new Map();
  const before = view.glide?.messages;
  view.cache.messages = at;
  if (messages.size === 0 || radius < 2) return;
  /** The place of a message, in the plane of the film: it glides from where it was, or from its sender. */
  const gliding = (message, x, y) => {
    let place = [(x - camera.x) / camera.scale, (camera.y - y) / camera.scale];
    if (before !== undefined) {
      const from = before.get(message.id) ?? [places.x[message.from], places.y[message.from]];
      place = place.map((value, axis) => from[axis] + view.glide.part * (value - from[axis]));
    }
    at.set(message.id, place);
    return [camera.across(place[0]), camera.down(place[1])];
  };
  const ways = new Map();
  for (const message of messages.values()) {
    const key = message.from * head.nodes + message.to;
    const way = ways.get(key);
    if (way === undefined) ways.set(key, [message]);
    else way.push(message);
  }
  const tips = new Batches();
  const items = [];
  const size = Math.max(6, Math.min(13, radius * 0.95));
  for (const queue of ways.values()) {
    const { from, to } = queue[0];
    if (from === to) {
      // A message to itself comes from above.
      queue.forEach((message, place) => {
        const look = () => ({ kind: "tips", size, fill: messageColour(message.kind), stroke: ink.background, width: 1 });
        const y = camera.down(places.y[from]) - radius * 1.3 - (size + 1) * place;
        tips.points(message.kind, look).push(camera.across(places.x[from]), y, 0, 1);
      });
      continue;
    }
    const way = places.way(from, to);
    const right = camera.scale * way.across;
    const down = -camera.scale * way.up;
    const length = Math.hypot(right, down) || 1;
    const free = Math.min(0.42, (radius * 1.3 + size) / length);
    const step = (1 - 2 * free) / (queue.length + 1);
    queue.forEach((message, place) => {
      const part = free + (1 - 2 * free) - step * (place + 1);
      const start = way.wraps && part > 0.5 ? [camera.across(places.x[to]) - right, camera.down(places.y[to]) - down] : [camera.across(places.x[from]), camera.down(places.y[from])];
      const aside = Math.min(5, length / 12);
      const [x, y] = gliding(message, start[0] + part * right - (down / length) * aside, start[1] + part * down + (right / length) * aside);
      const look = () => ({ kind: "tips", size, fill: messageColour(message.kind), stroke: ink.background, width: 1 });
      tips.points(message.kind, look).push(x + (size / 2) * (right / length), y + (size / 2) * (down / length), right / length, down / length);
      // The name is on the right side of the edge, too; if there is no room for all, only that of the first.
      const name = head.messages[message.kind];
      const hasRoom = place === 0 || Math.abs(step * right) > 8 * name.length || Math.abs(step * down) > 14;
      if (length > 90 && hasRoom) items.push({ x: x - (down / length) * 22, y: y + (right / length) * 13, text: name });
    });
  }
  tips.into(scene);
  if (items.length <= NAMED_MAX) scene.add({ kind: "texts", fill: ink.ink, halo: ink.background, size: 11, align: "middle", items });
}
