import { readableOn } from "../palette.js";
import { hatchingLines, hatchingLook, trace } from "./outline.js";

/** Draws a scene as an SVG document. @param {import("../scene.js").Scene} scene @param {string} title its title @returns {string} */
export function drawSvg(scene, title) {
  const hatchings = new Map();
  const body = scene.batches.map((batch) => element(batch, hatchings)).join("");
  const width = rounded(scene.width);
  const height = rounded(scene.height);
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif">\n` +
    `<title>${escaped(title)}</title>\n<defs>\n${[...hatchings.values()].map((hatching) => hatching.text).join("")}</defs>\n` +
    `<rect width="${width}" height="${height}" fill="${scene.background}"/>\n${body}</svg>\n`
  );
}

/** Text within markup. @param {string} text */
export function escaped(text) {
  // Control characters are not allowed in XML.
  const allowed = String(text).replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "\ufffd");
  return allowed.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/"/g, "&quot;");
}

function rounded(number) {
  return String(Math.round(number * 100) / 100);
}

function element(batch, hatchings) {
  if (batch.kind === "texts") return batch.items.map((item) => textElement(batch, item)).join("");
  const pen = new SvgPen();
  trace(batch, pen);
  const opacity = batch.opacity === undefined ? "" : ` opacity="${batch.opacity}"`;
  const hatched = batch.hatching !== undefined && batch.hatching !== "none";
  const path = (look) => `<path d="${pen.text}"${opacity}${look}/>\n`;
  const dash = batch.dash?.length ? ` stroke-dasharray="${batch.dash.map(rounded).join(" ")}"` : "";
  if (batch.kind === "lines") {
    return path(` fill="none" stroke="${batch.stroke}" stroke-width="${rounded(batch.width)}" stroke-linecap="${batch.cap ?? "butt"}"${dash}`);
  }
  if (batch.kind === "capsules") {
    const line = (colour) => path(` fill="none" stroke="${colour}" stroke-width="${rounded(batch.width)}" stroke-linecap="round"`);
    return line(batch.fill) + (hatched ? line(`url(#${hatchingId(batch, hatchings)})`) : "");
  }
  const cap = batch.cap ? ` stroke-linecap="${batch.cap}"` : "";
  const stroke = batch.stroke ? ` stroke="${batch.stroke}" stroke-width="${rounded(batch.width)}" stroke-linejoin="round"${cap}${dash}` : "";
  const filled = path(` fill="${batch.fill ?? "none"}"${stroke}`);
  return filled + (hatched ? path(` fill="url(#${hatchingId(batch, hatchings)})"`) : "");
}

function textElement(batch, { x, y, text }) {
  const anchor = batch.align === "middle" || batch.align === "end" ? ` text-anchor="${batch.align}"` : "";
  const weight = batch.bold ? ' font-weight="600"' : "";
  const halo = batch.halo ? ` stroke="${batch.halo}" stroke-width="3" stroke-linejoin="round" paint-order="stroke"` : "";
  // The middle of the line as a shift, which every SVG reader supports.
  const down = rounded(y + 0.35 * batch.size);
  return `<text x="${rounded(x)}" y="${down}" font-size="${rounded(batch.size)}" fill="${batch.fill}"${anchor}${weight}${halo}>${escaped(text)}</text>\n`;
}

function hatchingId(batch, hatchings) {
  const key = `${batch.hatching} ${batch.fill}`;
  if (!hatchings.has(key)) {
    const look = hatchingLook();
    const lines = hatchingLines(batch.hatching, look.tile);
    const id = `hatching-${hatchings.size}`;
    let d = "";
    for (let at = 0; at < lines.length; at += 4) d += `M${lines[at]} ${lines[at + 1]}L${lines[at + 2]} ${lines[at + 3]}`;
    const line = `<path d="${d}" stroke="${readableOn(batch.fill)}" stroke-width="${look.width}" stroke-linecap="round" opacity="${look.opacity}"/>`;
    hatchings.set(key, {
      id,
      text: `<pattern id="${id}" width="${look.tile}" height="${look.tile}" patternUnits="userSpaceOnUse">${line}</pattern>\n`,
    });
  }
  return hatchings.get(key).id;
}

/** A pen that writes the data of a path. */
class SvgPen {
  constructor() {
    this.text = "";
  }

  moveTo(x, y) {
    this.text += `M${rounded(x)} ${rounded(y)}`;
  }

  lineTo(x, y) {
    this.text += `L${rounded(x)} ${rounded(y)}`;
  }

  closePath() {
    this.text += "Z";
  }

  circle(x, y, radius) {
    const size = rounded(radius);
    const wide = rounded(2 * radius);
    this.text += `M${rounded(x - radius)} ${rounded(y)}a${size} ${size} 0 1 0 ${wide} 0a${size} ${size} 0 1 0 -${wide} 0Z`;
  }
}
