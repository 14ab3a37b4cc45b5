import { classColour } from "./palette.js";
import { grouped } from "./words.js";

/** Names of counts in a picture of bars. */
const BARS_MOST = 24;

/** The last sample of the counts at or before a step. @param {object} head @returns {number[] | null} */
export function countsAt(head, step) {
  const { step: steps, values } = head.counts;
  let low = 0;
  let high = steps.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (steps[middle] <= step) low = middle + 1;
    else high = middle;
  }
  return low === 0 ? null : values[low - 1];
}

/** Draws a bar for each count, for runs that only have counts. @param {import("./picture.js").View} view @param {object} head @param {number} step @param {number} top pixels kept free above */
export function addBars(view, head, step, top) {
  const { scene, ink } = view;
  const counts = countsAt(head, step);
  if (counts === null) return;
  const names = head.counts.names.slice(0, BARS_MOST);
  const most = Math.max(1, ...head.counts.values.map((row) => Math.max(...row.slice(0, BARS_MOST))));
  const left = Math.min(180, scene.width * 0.3);
  const room = scene.width - left - 110;
  const line = Math.min(46, (scene.height - top - 20) / names.length);
  const texts = [];
  const numbers = [];
  names.forEach((name, at) => {
    const y = top + 10 + line * (at + 0.5);
    const length = Math.max(1, (room * counts[at]) / most);
    scene.add({ kind: "areas", fill: classColour(ink, at), points: [left, y - line * 0.36, length, line * 0.72] });
    texts.push({ x: 14, y, text: name });
    numbers.push({ x: left + length + 8, y, text: grouped(counts[at]) });
  });
  const size = Math.min(15, Math.max(9, line * 0.4));
  scene.add({ kind: "texts", fill: ink.ink, size, align: "left", items: texts });
  scene.add({ kind: "texts", fill: ink.faint, size, align: "left", items: numbers });
}
