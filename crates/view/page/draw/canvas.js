import { readableOn } from "../palette.js";
import { hatchingLines, hatchingLook, trace } from "./outline.js";

/** The minimum number of dots that are written as pixels; fewer are drawn as shapes. */
const PIXELS_FROM = 2000;

/** Draws scenes into a canvas. */
export class CanvasDrawing {
  /** @param {HTMLCanvasElement} canvas @param {boolean} isRead whether its pixels are read often */
  constructor(canvas, isRead = false) {
    this.canvas = canvas;
    this.context = canvas.getContext("2d", { willReadFrequently: isRead });
    this.patterns = new Map();
    this.layer = null;
  }

  /** @param {import("../scene.js").Scene} scene @param {number} ratio pixels of the canvas for one of the scene */
  draw(scene, ratio) {
    const { canvas, context } = this;
    const width = Math.max(1, Math.round(scene.width * ratio));
    const height = Math.max(1, Math.round(scene.height * ratio));
    if (canvas.width !== width || canvas.height !== height) {
      canvas.width = width;
      canvas.height = height;
    }
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.globalAlpha = 1;
    context.fillStyle = scene.background;
    context.fillRect(0, 0, width, height);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    const { batches } = scene;
    for (let at = 0; at < batches.length; at += 1) {
      if (batches[at].kind !== "dots") {
        this.batch(batches[at]);
        continue;
      }
      let next = at;
      let dots = 0;
      while (next < batches.length && batches[next].kind === "dots") dots += batches[next++].points.length / 2;
      const run = batches.slice(at, next);
      if (dots >= PIXELS_FROM) this.pixels(run, width, height, ratio);
      else for (const batch of run) this.batch(batch);
      at = next - 1;
    }
  }

  batch(batch) {
    if (batch.kind === "texts") return this.texts(batch);
    const { context } = this;
    // Batches that are reused between frames keep their paths.
    const path = batch.path ?? new CanvasPen();
    if (batch.path === undefined) trace(batch, path);
    if (batch.keep) batch.path = path;
    context.globalAlpha = batch.opacity ?? 1;
    if (batch.kind === "lines" || batch.kind === "capsules") {
      context.lineCap = batch.kind === "capsules" ? "round" : (batch.cap ?? "butt");
      context.lineWidth = batch.width;
      context.strokeStyle = batch.kind === "capsules" ? batch.fill : batch.stroke;
      context.setLineDash(batch.dash ?? []);
      context.stroke(path);
      if (batch.kind === "capsules" && isHatched(batch)) {
        context.strokeStyle = this.pattern(batch.hatching, batch.fill);
        context.stroke(path);
      }
      return undefined;
    }
    if (batch.fill) {
      context.fillStyle = batch.fill;
      context.fill(path);
      if (isHatched(batch)) {
        context.fillStyle = this.pattern(batch.hatching, batch.fill);
        context.fill(path);
      }
    }
    if (batch.stroke) {
      context.lineWidth = batch.width;
      context.lineJoin = "round";
      context.lineCap = batch.cap ?? "butt";
      context.strokeStyle = batch.stroke;
      context.setLineDash(batch.dash ?? []);
      context.stroke(path);
    }
    return undefined;
  }

  texts(batch) {
    const { context } = this;
    context.globalAlpha = batch.opacity ?? 1;
    context.fillStyle = batch.fill;
    context.font = `${batch.bold ? "600 " : ""}${batch.size}px system-ui, sans-serif`;
    context.textAlign = batch.align === "middle" ? "center" : (batch.align ?? "left");
    context.textBaseline = "middle";
    if (batch.halo) {
      context.strokeStyle = batch.halo;
      context.lineWidth = 3;
      context.lineJoin = "round";
      context.setLineDash([]);
      for (const { x, y, text } of batch.items) context.strokeText(text, x, y);
    }
    for (const { x, y, text } of batch.items) context.fillText(text, x, y);
  }

  /** A hatching over a colour as a repeated tile. */
  pattern(hatching, fill) {
    const key = `${hatching} ${fill}`;
    let pattern = this.patterns.get(key);
    if (pattern === undefined) {
      const look = hatchingLook();
      const tile = document.createElement("canvas");
      tile.width = 2 * look.tile;
      tile.height = 2 * look.tile;
      const context = tile.getContext("2d");
      context.scale(2, 2);
      context.globalAlpha = look.opacity;
      context.strokeStyle = readableOn(fill);
      context.lineWidth = look.width;
      context.lineCap = "round";
      const lines = hatchingLines(hatching, look.tile);
      for (let at = 0; at < lines.length; at += 4) {
        context.beginPath();
        context.moveTo(lines[at], lines[at + 1]);
        context.lineTo(lines[at + 2], lines[at + 3]);
        context.stroke();
      }
      pattern = this.context.createPattern(tile, "repeat");
      pattern.setTransform(new DOMMatrix([0.5, 0, 0, 0.5, 0, 0]));
      this.patterns.set(key, pattern);
    }
    return pattern;
  }

  /** Batches of dots as pixels: 10^5 dots in a few milliseconds. */
  pixels(run, width, height, ratio) {
    if (this.layer === null || this.layer.width !== width || this.layer.height !== height) {
      this.layer = document.createElement("canvas");
      this.layer.width = width;
      this.layer.height = height;
      this.image = this.layer.getContext("2d").createImageData(width, height);
      this.words = new Uint32Array(this.image.data.buffer);
    }
    const { words } = this;
    words.fill(0);
    for (const { points, size, fill } of run) {
      const side = Math.max(1, Math.round(size * ratio));
      // Little-endian: alpha, blue, green, red.
      const colour = (0xff000000 | (parseInt(fill.slice(5, 7), 16) << 16) | (parseInt(fill.slice(3, 5), 16) << 8) | parseInt(fill.slice(1, 3), 16)) >>> 0;
      for (let at = 0; at < points.length; at += 2) {
        const left = Math.max(0, Math.round(points[at] * ratio - side / 2));
        const top = Math.max(0, Math.round(points[at + 1] * ratio - side / 2));
        const right = Math.min(width, left + side);
        const bottom = Math.min(height, top + side);
        for (let y = top; y < bottom; y += 1) for (let place = y * width + left; place < y * width + right; place += 1) words[place] = colour;
      }
    }
    this.layer.getContext("2d").putImageData(this.image, 0, 0);
    this.context.globalAlpha = 1;
    this.context.setTransform(1, 0, 0, 1, 0, 0);
    this.context.drawImage(this.layer, 0, 0);
    this.context.setTransform(ratio, 0, 0, ratio, 0, 0);
  }
}

function isHatched(batch) {
  return batch.hatching !== undefined && batch.hatching !== "none";
}

/** A path of a canvas that also draws circles. */
class CanvasPen extends Path2D {
  circle(x, y, radius) {
    this.moveTo(x + radius, y);
    this.arc(x, y, radius, 0, 2 * Math.PI);
  }
}
